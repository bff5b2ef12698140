/*
 * sink.c
 *
 * Publishes results into a table: made with the columns of the query if it is missing,
 * else one that has them by name; its other columns get their defaults.
 *
 * Results are inserted by one kept INSERT … SELECT over a relation that is there while
 * it runs, as the owner of the query, so that triggers, row security, casts of
 * assignment and partitions are PostgreSQL's.  The statement is made anew when the
 * table has another name.
 *
 * Deferred triggers could not fire, as the insert is a security-restricted operation.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "rewrite/prs2lock.h"
#include "rewrite/rewriteDefine.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/varlena.h"

#include "compat.h"
#include "sink.h"

#define RESULT_RELATION		"aw result"

struct AwSink
{
	Oid			relid;
	char	   *statement;		/* that the plan was made of; NULL at first */
	SPIPlanPtr	plan;
	MemoryContext cxt;
};

static char *create_statement(const RangeVar *name, const AwQuery *query);
static void check_table(Oid relid, const AwQuery *query);
static void check_kind(Relation rel, const AwQuery *query);
static bool is_stream(Relation rel, const AwQuery *query);
static void check_column(Relation rel, const FormData_pg_attribute *result);
static void check_triggers(Relation rel);
static void check_rules(Relation rel);
static char *get_rule_name(Oid rule);
static pg_noreturn void report_missing(const AwQuery *query);
static char *insert_statement(Oid relid, const AwQuery *query);
static void connect_results(const AwQuery *query, Tuplestorestate *results);
static void prepare_insert(AwSink *sink, const AwQuery *query);
static void execute_utility(const char *statement);

/*
 * Finds the table of that name, qualified or not, or makes it as the owner of the
 * query.  aw_sink_open() checks it.
 */
Oid
aw_sink_create(const char *name, const AwQuery *query)
{
	RangeVar   *table = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(name)));
	AwQueryIdentity before;
	Oid			relid;

	aw_query_enter(query, &before);
	relid = RangeVarGetRelid(table, AccessShareLock, true);
	if (!OidIsValid(relid))
	{
		execute_utility(create_statement(table, query));
		relid = RangeVarGetRelid(table, AccessShareLock, false);
	}
	aw_query_leave(&before);
	return relid;
}

/*
 * Makes a table ready, in the current memory context; raises an error if results
 * could not be inserted.
 */
AwSink *
aw_sink_open(Oid relid, const AwQuery *query)
{
	AwSink	   *sink = palloc0(sizeof(AwSink));
	Tuplestorestate *nothing = tuplestore_begin_heap(false, false, work_mem);

	sink->relid = relid;
	sink->cxt = CurrentMemoryContext;
	(void) aw_sink_insert(sink, query, nothing);
	tuplestore_end(nothing);
	return sink;
}

/*
 * Inserts results, whose columns are query->results; gives their number.  The table may
 * have been altered.
 */
uint64
aw_sink_insert(AwSink *sink, const AwQuery *query, Tuplestorestate *results)
{
	AwQueryIdentity before;
	uint64		n_rows;
	int			code;

	check_table(sink->relid, query);
	aw_query_enter(query, &before);
	connect_results(query, results);
	prepare_insert(sink, query);
	code = SPI_execute_plan(sink->plan, NULL, NULL, false, 0);
	if (code != SPI_OK_INSERT)
		elog(ERROR, "could not insert results: %s", SPI_result_code_string(code));
	n_rows = SPI_processed;
	SPI_finish();
	aw_query_leave(&before);
	return n_rows;
}

/* Gives back what is kept; the table stays. */
void
aw_sink_close(AwSink *sink)
{
	if (sink->plan != NULL)
		SPI_freeplan(sink->plan);
	if (sink->statement != NULL)
		pfree(sink->statement);
	pfree(sink);
}

/* CREATE TABLE with the names, types and collations of the results. */
static char *
create_statement(const RangeVar *name, const AwQuery *query)
{
	StringInfoData statement;

	initStringInfo(&statement);
	appendStringInfo(&statement, "CREATE TABLE %s (",
					 quote_qualified_identifier(name->schemaname, name->relname));
	for (int i = 0; i < query->results->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(query->results, i);

		appendStringInfo(&statement, "%s%s %s", i > 0 ? ", " : "",
						 quote_identifier(NameStr(column->attname)),
						 format_type_extended(column->atttypid, column->atttypmod,
											  FORMAT_TYPE_TYPEMOD_GIVEN |
											  FORMAT_TYPE_FORCE_QUALIFY));
		if (OidIsValid(column->attcollation) &&
			column->attcollation != get_typcollation(column->atttypid))
			appendStringInfo(&statement, " COLLATE %s",
							 generate_collation_name(column->attcollation));
	}
	appendStringInfoChar(&statement, ')');
	return statement.data;
}

/* Raises an error for a table that results cannot, or must not, go into. */
static void
check_table(Oid relid, const AwQuery *query)
{
	Relation	rel = try_relation_open(relid, AccessShareLock);

	if (rel == NULL)
		report_missing(query);
	check_kind(rel, query);
	for (int i = 0; i < query->results->natts; i++)
		check_column(rel, TupleDescAttr(query->results, i));
	check_triggers(rel);
	check_rules(rel);
	relation_close(rel, NoLock);
}

static void
check_kind(Relation rel, const AwQuery *query)
{
	const char *name = RelationGetRelationName(rel);

	if (rel->rd_rel->relkind != RELKIND_RELATION &&
		rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("sink \"%s\" is not a table", name),
				 errhint("Name a table, or one that is to be made.")));
	if (rel->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("sink \"%s\" is a temporary table", name),
				 errhint("Name a table that other sessions can see.")));
	if (rel->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("sink \"%s\" is an unlogged table", name),
				 errdetail("A crash would empty it, and windows are published once."),
				 errhint("Use ALTER TABLE … SET LOGGED, or an ordinary table.")));
	if (is_stream(rel, query))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sink \"%s\" is the stream of its query", name),
				 errdetail("Each result would come back as a new row."),
				 errhint("Name another table.")));
}

/* Does the query read the table, or that of which it is a partition? */
static bool
is_stream(Relation rel, const AwQuery *query)
{
	List	   *relids = list_make1_oid(RelationGetRelid(rel));

	if (rel->rd_rel->relispartition)
		relids = list_concat(relids, get_partition_ancestors(RelationGetRelid(rel)));
	for (int i = 0; i < query->n_streams; i++)
	{
		if (list_member_oid(relids, query->streams[i].source))
			return true;
	}
	return false;
}

/* The table must have a column of that name, and leave its values to us. */
static void
check_column(Relation rel, const FormData_pg_attribute *result)
{
	const char *name = NameStr(result->attname);
	AttrNumber	number = get_attnum(RelationGetRelid(rel), name);
	Form_pg_attribute column;

	if (number <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("sink \"%s\" has no column \"%s\"", RelationGetRelationName(rel), name),
				 errhint("Add it with type %s, or give the query's column a name that the sink has.",
						 format_type_with_typemod(result->atttypid, result->atttypmod))));

	column = TupleDescAttr(RelationGetDescr(rel), number - 1);
	if (column->attidentity == ATTRIBUTE_IDENTITY_ALWAYS || column->attgenerated != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_GENERATED_ALWAYS),
				 errmsg("sink \"%s\" generates the values of column \"%s\"",
						RelationGetRelationName(rel), name),
				 errhint("Give the query's column another name, or leave it out.")));
}

/* Foreign keys are triggers too. */
static void
check_triggers(Relation rel)
{
	const TriggerDesc *triggers = rel->trigdesc;

	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		const Trigger *trigger = &triggers->triggers[i];

		if (!trigger->tginitdeferred || !TRIGGER_FOR_INSERT(trigger->tgtype) ||
			trigger->tgenabled == TRIGGER_DISABLED)
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 OidIsValid(trigger->tgconstraint) && trigger->tgisinternal ?
				 errmsg("sink \"%s\" has a deferred constraint, \"%s\"",
						RelationGetRelationName(rel), get_constraint_name(trigger->tgconstraint)) :
				 errmsg("sink \"%s\" has a deferred trigger, \"%s\"",
						RelationGetRelationName(rel), trigger->tgname),
				 errhint("Make it INITIALLY IMMEDIATE.")));
	}
}

/* A rule could take results elsewhere, and not say how many. */
static void
check_rules(Relation rel)
{
	for (int i = 0; rel->rd_rules != NULL && i < rel->rd_rules->numLocks; i++)
	{
		const RewriteRule *rule = rel->rd_rules->rules[i];

		if (rule->event == CMD_INSERT && rule->enabled != RULE_DISABLED)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("sink \"%s\" has a rule for INSERT, \"%s\"",
							RelationGetRelationName(rel), get_rule_name(rule->ruleId)),
					 errhint("Use a trigger.")));
	}
}

static char *
get_rule_name(Oid rule)
{
	Relation	rules = table_open(RewriteRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	char	   *name;

	ScanKeyInit(&key, Anum_pg_rewrite_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(rule));
	scan = systable_beginscan(rules, RewriteOidIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "could not find rule %u", rule);
	name = pstrdup(NameStr(((Form_pg_rewrite) GETSTRUCT(tuple))->rulename));
	systable_endscan(scan);
	table_close(rules, AccessShareLock);
	return name;
}

static void
report_missing(const AwQuery *query)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("the sink of continuous query \"%s\" does not exist any more",
					get_rel_name(query->view))));
}

/* INSERT by column names. */
static char *
insert_statement(Oid relid, const AwQuery *query)
{
	char	   *name = get_rel_name(relid);
	StringInfoData columns;

	if (name == NULL)
		report_missing(query);
	initStringInfo(&columns);
	for (int i = 0; i < query->results->natts; i++)
		appendStringInfo(&columns, "%s%s", i > 0 ? ", " : "",
						 quote_identifier(NameStr(TupleDescAttr(query->results, i)->attname)));
	return psprintf("INSERT INTO %s (%s) SELECT %s FROM %s",
					quote_qualified_identifier(get_namespace_name(get_rel_namespace(relid)), name),
					columns.data, columns.data, quote_identifier(RESULT_RELATION));
}

/* Connects, and makes results a relation until SPI_finish(). */
static void
connect_results(const AwQuery *query, Tuplestorestate *results)
{
	EphemeralNamedRelation relation;

	SPI_connect();
	relation = palloc0(sizeof(EphemeralNamedRelationData));
	relation->md.name = pstrdup(RESULT_RELATION);
	relation->md.reliddesc = InvalidOid;
	relation->md.tupdesc = query->results;
	relation->md.enrtype = ENR_NAMED_TUPLESTORE;
	relation->md.enrtuples = tuplestore_tuple_count(results);
	relation->reldata = results;
	if (SPI_register_relation(relation) != SPI_OK_REL_REGISTER)
		elog(ERROR, "could not register results");
}

/* Sees to it that the plan is there, and is that of the table's present name. */
static void
prepare_insert(AwSink *sink, const AwQuery *query)
{
	char	   *statement = insert_statement(sink->relid, query);
	SPIPlanPtr	plan;

	if (sink->statement != NULL && strcmp(statement, sink->statement) == 0)
		return;

	plan = SPI_prepare(statement, 0, NULL);
	if (plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", statement,
			 SPI_result_code_string(SPI_result));
	statement = MemoryContextStrdup(sink->cxt, statement);
	SPI_keepplan(plan);

	if (sink->plan != NULL)
	{
		SPI_freeplan(sink->plan);
		pfree(sink->statement);
	}
	sink->plan = plan;
	sink->statement = statement;
}

/* Runs a statement of ours as the current user. */
static void
execute_utility(const char *statement)
{
	int			code;

	SPI_connect();
	code = SPI_execute(statement, false, 0);
	if (code != SPI_OK_UTILITY)
		elog(ERROR, "could not execute \"%s\": %s", statement, SPI_result_code_string(code));
	SPI_finish();
}
