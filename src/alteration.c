/*
 * alteration.c
 *
 * ALTER TABLE and ALTER VIEW ... SET and DROP WATERMARK.
 *
 * A table's definition is a CHECK.  It is true by construction, so it is added
 * without looking at the rows, and is valid all the same.  A view's definition
 * is a term of its WHERE: the stored query is changed in place, so that columns,
 * comments, grants, options and what depends on the view stay.  Where the view
 * groups or combines rows, a WHERE of its own would act on the rows below; there
 * the old query becomes a subquery.
 *
 * The strategy comes as text.  It is parsed as one expression and nothing else,
 * and only its parsed form goes on.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "commands/view.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/analyze.h"
#include "parser/parse_coerce.h"
#include "parser/parse_collate.h"
#include "parser/parse_expr.h"
#include "parser/parse_func.h"
#include "parser/parse_relation.h"
#include "parser/parser.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteDefine.h"
#include "rewrite/rewriteManip.h"
#include "rewrite/rewriteSupport.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"

#include "alteration.h"
#include "compat.h"
#include "definition.h"
#include "rowtime.h"

/* A new definition, over the columns of a relation that has varno 1. */
typedef struct NewDefinition
{
	Relation	rel;
	Var		   *rowtime;
	Node	   *strategy;
	Oid			marker;			/* watermark_for() of the rowtime's type */
} NewDefinition;

static Relation open_owned(Oid relid);
static void check_owner(Oid relid);
static Var *find_rowtime(Relation rel, const char *name);
static Node *parse_strategy(Relation rel, const char *text, Oid type);
static Node *raw_strategy(const char *text);
static bool is_bare_star(Node *raw);
static void rethrow_strategy_error(ErrorData *error, const char *text);
static void refuse_strategy(const char *detail, const char *text);
static bool reads_no_column(Node *expr);
static void set_on_table(NewDefinition *new, const AwDefinition *old);
static void refuse_second_in_children(Relation parent, const AwDefinition *old);
static void mark_valid(Oid relid, const char *constraint);
static void set_on_view(NewDefinition *new);
static bool needs_subquery(const Query *query, Node *rowtime, Node *strategy);
static void set_over_view(NewDefinition *new);
static void replace_view_query(Relation rel, Query *query);
static Node *output_expression(Query *query, Node *expr);
static Node *output_mutator(Node *node, Query *query);
static char *marker_text(const NewDefinition *new, bool with_prefix);
static char *relation_text(Relation rel);
static void execute(const char *command);

/* Gives a table or view a watermark, in the place of the one that it has. */
void
aw_alteration_set(Oid relid, const char *rowtime, const char *strategy, Oid marker_schema)
{
	NewDefinition new;
	AwTimes    *times;
	Oid			types[2];

	PreventCommandIfReadOnly("set_watermark()");
	new.rel = open_owned(relid);
	times = aw_definition_of_relation(new.rel);

	if (!times->is_ambiguous)
		aw_definition_check(times, new.rel);

	new.rowtime = find_rowtime(new.rel, rowtime);
	new.strategy = parse_strategy(new.rel, strategy, new.rowtime->vartype);
	types[0] = types[1] = getBaseType(new.rowtime->vartype);
	new.marker = LookupFuncName(list_make2(makeString(get_namespace_name(marker_schema)),
										   makeString("watermark_for")), 2, types, false);

	if (new.rel->rd_rel->relkind == RELKIND_VIEW)
		set_on_view(&new);
	else
	{
		aw_definition_check(times, new.rel);
		set_on_table(&new, times->own);
	}
}

/* Takes the watermark that stands in a table or view itself. */
void
aw_alteration_drop(Oid relid)
{
	Relation	rel;
	AwTimes    *times;
	Query	   *query;
	List	   *conditions;
	List	   *others;

	PreventCommandIfReadOnly("drop_watermark()");
	rel = open_owned(relid);
	times = aw_definition_of_relation(rel);

	aw_definition_check(times, rel);
	if (times->own == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("%s \"%s\" has no watermark definition of its own",
						aw_definition_kind_name(rel), RelationGetRelationName(rel))));

	if (rel->rd_rel->relkind != RELKIND_VIEW)
	{
		char	   *command = psprintf("ALTER TABLE %s DROP CONSTRAINT %s", relation_text(rel),
									   quote_identifier(times->own->constraint));

		relation_close(rel, NoLock);
		execute(command);
		return;
	}

	query = copyObject(aw_definition_view_query(rel));
	conditions = aw_definition_conditions(query->jointree->quals);
	others = aw_definition_remove_markers(conditions);
	if (list_length(others) == list_length(conditions))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the watermark of view \"%s\" comes from APPLY_WATERMARK in its query",
						RelationGetRelationName(rel)),
				 errhint("Write the view anew without it.")));

	query->jointree->quals = aw_definition_quals(others);
	replace_view_query(rel, query);
}

/* Locks as ALTER TABLE does: only what the user owns, and owns still when it is locked. */
static Relation
open_owned(Oid relid)
{
	Relation	rel;

	check_owner(relid);
	rel = try_relation_open(relid, AccessExclusiveLock);
	check_owner(relid);

	switch (rel->rd_rel->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_FOREIGN_TABLE:
		case RELKIND_VIEW:
			return rel;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("\"%s\" is not a table or view", RelationGetRelationName(rel)),
					 errhint("Put the marker watermark_for() into its query.")));
	}
}

static void
check_owner(Oid relid)
{
	if (get_rel_name(relid) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	if (!aw_compat_owns_relation(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relid)),
					   get_rel_name(relid));
}

static Var *
find_rowtime(Relation rel, const char *name)
{
	AttrNumber	attno = get_attnum(RelationGetRelid(rel), name);
	Form_pg_attribute attribute;
	Var		   *rowtime;

	if (attno <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" not found in the schema of %s \"%s\"", name,
						aw_definition_kind_name(rel), RelationGetRelationName(rel))));

	attribute = TupleDescAttr(RelationGetDescr(rel), attno - 1);
	rowtime = makeVar(1, attno, attribute->atttypid, attribute->atttypmod,
					  attribute->attcollation, 0);
	if (!aw_rowtime_is_time((Node *) rowtime))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is %s)",
						name, format_type_be(rowtime->vartype))));
	return rowtime;
}

/*
 * The strategy as an expression over the relation's columns, of the rowtime's
 * type.  Errors point into the text.
 */
static Node *
parse_strategy(Relation rel, const char *text, Oid type)
{
	ParseState *pstate = make_parsestate(NULL);
	MemoryContext caller = CurrentMemoryContext;
	ParseNamespaceItem *item;
	Node	   *strategy = NULL;

	pstate->p_sourcetext = text;
	item = addRangeTableEntryForRelation(pstate, rel, AccessShareLock, NULL, false, true);
	addNSItemToQuery(pstate, item, true, true, true);

	PG_TRY();
	{
		strategy = transformExpr(pstate, raw_strategy(text), EXPR_KIND_CHECK_CONSTRAINT);
		assign_expr_collations(pstate, strategy);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		FlushErrorState();
		rethrow_strategy_error(error, text);
	}
	PG_END_TRY();

	if (reads_no_column(strategy))
		refuse_strategy("It refers to the whole row or a system column.", text);
	if (aw_definition_has_marker(strategy))
		refuse_strategy("It contains watermark_for().", text);
	if (contain_volatile_functions(strategy))
		refuse_strategy("It contains a volatile function.", text);
	if (!aw_rowtime_is_time(strategy) ||
		getBaseType(exprType(strategy)) != getBaseType(type))
		refuse_strategy(psprintf("It is of type %s, the rowtime is %s.",
								 format_type_be(exprType(strategy)), format_type_be(type)), text);
	free_parsestate(pstate);
	return strategy;
}

/* The text as one raw expression; anything beyond that is a syntax error. */
static Node *
raw_strategy(const char *text)
{
	List	   *statements = raw_parser(text, RAW_PARSE_PLPGSQL_EXPR);
	SelectStmt *select;
	ResTarget  *target;

	if (list_length(statements) == 1)
	{
		select = (SelectStmt *) linitial_node(RawStmt, statements)->stmt;
		if (list_length(select->targetList) == 1)
		{
			SelectStmt *bare = makeNode(SelectStmt);

			target = linitial_node(ResTarget, select->targetList);
			bare->targetList = select->targetList;
			if (target->name == NULL && target->indirection == NIL && equal(select, bare) &&
				!is_bare_star(target->val))
				return target->val;
		}
	}
	ereport(ERROR,
			(errcode(ERRCODE_SYNTAX_ERROR),
			 errmsg("It must be one expression, without FROM, WHERE and the like")));
}

/* Is it "*", which stands for columns and must not reach transformExpr()? */
static bool
is_bare_star(Node *raw)
{
	return IsA(raw, ColumnRef) && IsA(linitial(((ColumnRef *) raw)->fields), A_Star);
}

/*
 * Says what an error is about; its own message becomes the detail.  One that is not
 * about the expression, as that the statement was canceled, goes on as it is.
 */
static void
rethrow_strategy_error(ErrorData *error, const char *text)
{
	int			position = error->cursorpos > 0 ? error->cursorpos : error->internalpos;

	switch (ERRCODE_TO_CATEGORY(error->sqlerrcode))
	{
		case ERRCODE_FEATURE_NOT_SUPPORTED:
		case ERRCODE_DATA_EXCEPTION:
		case ERRCODE_INVALID_CATALOG_NAME:
		case ERRCODE_INVALID_SCHEMA_NAME:
		case ERRCODE_SYNTAX_ERROR_OR_ACCESS_RULE_VIOLATION:
			break;
		default:
			ReThrowError(error);
	}

	ereport(ERROR,
			(errcode(error->sqlerrcode),
			 errmsg("invalid watermark expression"),
			 errdetail_internal("%s", error->message),
			 error->hint ? errhint("%s", error->hint) : 0,
			 internalerrposition(position),
			 internalerrquery(text)));
}

static void
refuse_strategy(const char *detail, const char *text)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
			 errmsg("invalid watermark expression"),
			 errdetail_internal("%s", detail),
			 internalerrposition(1),
			 internalerrquery(text)));
}

/* NOT VALID keeps ALTER TABLE from a scan; then it is marked as what it is. */
static void
set_on_table(NewDefinition *new, const AwDefinition *old)
{
	char	   *constraint = old ? old->constraint :
	ChooseRelationName(RelationGetRelationName(new->rel), NULL, "watermark",
					   RelationGetNamespace(new->rel), true);
	char	   *drop = old ? psprintf("DROP CONSTRAINT %s, ", quote_identifier(constraint)) : "";
	char	   *command = psprintf("ALTER TABLE %s %sADD CONSTRAINT %s CHECK (%s) NOT VALID",
								   relation_text(new->rel), drop, quote_identifier(constraint),
								   marker_text(new, false));
	Oid			relid = RelationGetRelid(new->rel);

	refuse_second_in_children(new->rel, old);
	relation_close(new->rel, NoLock);
	execute(command);
	mark_valid(relid, constraint);
}

/* A child that has a watermark of its own would have two. */
static void
refuse_second_in_children(Relation parent, const AwDefinition *old)
{
	ListCell   *lc;

	foreach(lc, find_all_inheritors(RelationGetRelid(parent), AccessExclusiveLock, NULL))
	{
		Relation	child = relation_open(lfirst_oid(lc), NoLock);
		AwDefinition *own = aw_definition_of_relation(child)->own;

		if (own != NULL && (old == NULL || strcmp(own->constraint, old->constraint) != 0))
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_OBJECT),
					 errmsg("table \"%s\" already has a watermark definition",
							RelationGetRelationName(child)),
					 errdetail("It inherits from \"%s\", and would have two.",
							   RelationGetRelationName(parent)),
					 errhint("Drop the one that it has.")));
		relation_close(child, NoLock);
	}
}

/* Marks a constraint valid, in children as well. */
static void
mark_valid(Oid relid, const char *constraint)
{
	Relation	constraints = table_open(ConstraintRelationId, RowExclusiveLock);
	ListCell   *lc;

	CommandCounterIncrement();
	foreach(lc, find_all_inheritors(relid, AccessExclusiveLock, NULL))
	{
		Oid			oid = get_relation_constraint_oid(lfirst_oid(lc), constraint, true);
		HeapTuple	tuple;

		if (!OidIsValid(oid))
			continue;
		tuple = SearchSysCacheCopy1(CONSTROID, ObjectIdGetDatum(oid));
		((Form_pg_constraint) GETSTRUCT(tuple))->convalidated = true;
		CatalogTupleUpdate(constraints, &tuple->t_self, tuple);
		heap_freetuple(tuple);
		CacheInvalidateRelcacheByRelid(lfirst_oid(lc));
	}
	table_close(constraints, RowExclusiveLock);
}

/* Adds the marker to the WHERE of a view's query. */
static void
set_on_view(NewDefinition *new)
{
	Query	   *query = copyObject(aw_definition_view_query(new->rel));
	List	   *conditions = aw_definition_conditions(query->jointree->quals);
	Node	   *rowtime = output_expression(query, (Node *) new->rowtime);
	Node	   *strategy = output_expression(query, new->strategy);

	if (needs_subquery(query, rowtime, strategy) || aw_definition_applies_watermark(query))
	{
		set_over_view(new);
		return;
	}

	conditions = aw_definition_remove_markers(conditions);
	conditions = lappend(conditions,
						 makeFuncExpr(new->marker, BOOLOID, list_make2(rowtime, strategy),
									  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
	query->jointree->quals = aw_definition_quals(conditions);
	replace_view_query(new->rel, query);
}

/*
 * Would a marker in WHERE act on other rows or values than those that come out?
 * Over plain VALUES the server would not print a WHERE.
 */
static bool
needs_subquery(const Query *query, Node *rowtime, Node *strategy)
{
	List	   *exprs = list_make2(rowtime, strategy);
	bool		has_values = false;
	ListCell   *lc;

	foreach(lc, query->rtable)
		has_values |= (lfirst_node(RangeTblEntry, lc)->rtekind == RTE_VALUES);

	return has_values || query->setOperations != NULL || query->groupClause != NIL ||
		query->groupingSets != NIL || query->distinctClause != NIL || query->hasAggs ||
		query->havingQual != NULL || query->limitCount != NULL || query->limitOffset != NULL ||
		contain_window_function((Node *) exprs) || expression_returns_set((Node *) exprs) ||
		contain_volatile_functions((Node *) exprs);
}

/* Makes the view's query a subquery, and puts the marker into the WHERE over it. */
static void
set_over_view(NewDefinition *new)
{
	Oid			relid = RelationGetRelid(new->rel);
	char	   *query = TextDatumGetCString(DirectFunctionCall1(pg_get_viewdef,
																ObjectIdGetDatum(relid)));
	char	   *text;
	RawStmt    *parsed;

	*strrchr(query, ';') = '\0';
	text = psprintf("SELECT * FROM (%s) AS %s WHERE %s", query,
					quote_identifier(RelationGetRelationName(new->rel)), marker_text(new, true));
	parsed = linitial_node(RawStmt, raw_parser(text, RAW_PARSE_DEFAULT));
	relation_close(new->rel, NoLock);

	StoreViewQuery(relid, parse_analyze_fixedparams(parsed, text, NULL, 0, NULL), true);
	CommandCounterIncrement();
}

/* Stores the query of a view, whose columns are the same as before. */
static void
replace_view_query(Relation rel, Query *query)
{
	Oid			relid = RelationGetRelid(rel);
	ListCell   *lc;

	/* Columns may have been renamed since the query was written. */
	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (!entry->resjunk)
			entry->resname = pstrdup(NameStr(TupleDescAttr(RelationGetDescr(rel),
														   entry->resno - 1)->attname));
	}
	relation_close(rel, NoLock);

	DefineQueryRewrite(pstrdup(ViewSelectRuleName), relid, NULL, CMD_SELECT, true, true,
					   list_make1(query));
	CommandCounterIncrement();
}

/* An expression over a view's columns as one over what the view selects from. */
static Node *
output_expression(Query *query, Node *expr)
{
	return output_mutator(expr, query);
}

static Node *
output_mutator(Node *node, Query *query)
{
	if (node == NULL)
		return NULL;

	if (IsA(node, Var))
	{
		TargetEntry *entry = get_tle_by_resno(query->targetList, ((Var *) node)->varattno);

		return copyObject((Node *) entry->expr);
	}
	return expression_tree_mutator(node, output_mutator, query);
}

/* Is there a variable that is no column, but the whole row or a system column? */
static bool
reads_no_column(Node *expr)
{
	ListCell   *lc;

	foreach(lc, pull_var_clause(expr, 0))
	{
		if (lfirst_node(Var, lc)->varattno <= InvalidAttrNumber)
			return true;
	}
	return false;
}

/* The marker as text; children of a table have names of their own, so it needs no prefix. */
static char *
marker_text(const NewDefinition *new, bool with_prefix)
{
	FuncExpr   *marker = makeFuncExpr(new->marker, BOOLOID,
									  list_make2(copyObject(new->rowtime), new->strategy),
									  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);

	return deparse_expression((Node *) marker,
							  deparse_context_for(RelationGetRelationName(new->rel),
												  RelationGetRelid(new->rel)),
							  with_prefix, false);
}

static char *
relation_text(Relation rel)
{
	return quote_qualified_identifier(get_namespace_name(RelationGetNamespace(rel)),
									  RelationGetRelationName(rel));
}

static void
execute(const char *command)
{
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to the server programming interface");
	if (SPI_execute(command, false, 0) != SPI_OK_UTILITY)
		elog(ERROR, "could not run \"%s\"", command);
	SPI_finish();
}
