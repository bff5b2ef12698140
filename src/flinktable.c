/*
 * flinktable.c
 *
 * What is known about a table: one that the source creates, or one that is there.
 *
 * A source is translated as a whole before any of it runs, so the tables that it
 * creates are remembered; they come before those of the catalog.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "ddl.h"
#include "definition.h"
#include "flinktable.h"
#include "flinkversion.h"
#include "primarykey.h"
#include "rangetable.h"
#include "viewtable.h"

static Oid	current_namespace(void);
static bool is_in_list(const List *names, const char *name);
static bool is_sink(Relation rel);
static List *row_types(Oid relid, const char *prefix);
static AwFlinkTable *find_in_catalog(const AwFlinkPath *path);
static bool takes_values(Relation rel, Form_pg_attribute attribute);
static void find_key(Relation rel, AwFlinkTable *table);
static void find_versions(Relation rel, AwFlinkTable *table);
static const char *rowtime_column(Relation rel);

/* NULL if there is no such table. */
AwFlinkTable *
aw_flinktable_find(const AwFlinkParser *parser, const AwFlinkPath *path)
{
	ListCell   *cell;

	foreach(cell, parser->tables)
	{
		AwFlinkTable *table = lfirst(cell);

		if (strcmp(table->name, path->sql) == 0)
			return table;
	}
	return find_in_catalog(path);
}

/*
 * Passes the name of a relation that is to be changed or dropped.
 *
 * Without a database, Flink looks into the current one alone.  PostgreSQL would go on
 * along the search path, to a relation that the statement does not mean.
 */
AwFlinkPath *
aw_flinktable_target(AwFlinkParser *parser, bool is_temporary)
{
	AwFlinkParser start = *parser;
	AwFlinkPath *path = aw_flinkquery_path(parser);
	Oid			relid;

	if (path->schema != NULL)
		return path;
	if (is_temporary || parser->database != NULL)
	{
		path->schema = is_temporary ? "pg_temp" : parser->database;
		path->sql = quote_qualified_identifier(path->schema, path->name);
		return path;
	}
	relid = RangeVarGetRelid(makeRangeVar(NULL, unconstify(char *, path->name), -1), NoLock, true);
	if (OidIsValid(relid) && !isAnyTempNamespace(get_rel_namespace(relid)) &&
		get_rel_namespace(relid) != current_namespace() &&
		!is_in_list(parser->dropped, path->sql))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" is not in the current database", path->name),
				 errhint("It is in schema \"%s\": write the schema before its name.",
						 get_namespace_name(get_rel_namespace(relid))),
				 internalerrquery(start.source),
				 internalerrposition(aw_flinktoken_position(start.source,
															aw_flinkparser_peek(&start, 0)->start))));
	return path;
}

/* Is there a relation where CREATE would put one?  The source counts, too. */
bool
aw_flinktable_exists(const AwFlinkParser *parser, const AwFlinkPath *path)
{
	const char *schema = path->schema != NULL ? path->schema : parser->database;
	Oid			namespace = schema == NULL ? current_namespace() : LookupExplicitNamespace(schema, true);
	ListCell   *cell;

	foreach(cell, parser->tables)
	{
		if (strcmp(((AwFlinkTable *) lfirst(cell))->name, path->sql) == 0)
			return true;
	}
	return OidIsValid(namespace) && !is_in_list(parser->dropped, path->sql) &&
		OidIsValid(get_relname_relid(path->name, namespace));
}

/* Notes that the source has dropped a relation. */
void
aw_flinktable_forget(AwFlinkParser *parser, const AwFlinkPath *path)
{
	ListCell   *cell;

	parser->dropped = lappend(parser->dropped, pstrdup(path->sql));
	foreach(cell, parser->tables)
	{
		if (strcmp(((AwFlinkTable *) lfirst(cell))->name, path->sql) == 0)
			parser->tables = foreach_delete_current(parser->tables, cell);
	}
}

bool
aw_flinktable_has_column(const AwFlinkParser *parser, const AwFlinkPath *path, const char *column)
{
	AwFlinkTable *table = aw_flinktable_find(parser, path);
	ListCell   *cell;

	if (table == NULL)
		return false;
	foreach(cell, table->columns)
	{
		if (strcmp(lfirst(cell), column) == 0)
			return true;
	}
	return false;
}

/* Where CREATE puts a relation without a schema; invalid if that is nowhere. */
static Oid
current_namespace(void)
{
	List	   *path = fetch_search_path(false);

	return path == NIL ? InvalidOid : linitial_oid(path);
}

static bool
is_in_list(const List *names, const char *name)
{
	const ListCell *cell;

	foreach(cell, names)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	}
	return false;
}

static AwFlinkTable *
find_in_catalog(const AwFlinkPath *path)
{
	RangeVar   *name = makeRangeVar(unconstify(char *, path->schema),
									unconstify(char *, path->name), -1);
	Oid			relid = RangeVarGetRelid(name, AccessShareLock, true);
	AwViewTable below;
	AwFlinkTable *table;
	Relation	rel;

	if (!OidIsValid(relid))
		return NULL;

	rel = relation_open(relid, NoLock);
	table = palloc0(sizeof(AwFlinkTable));
	table->name = path->sql;
	table->is_view = rel->rd_rel->relkind == RELKIND_VIEW;
	table->is_table = aw_ddl_is_table(rel);
	table->is_sink = is_sink(rel);
	if (aw_viewtable_find(rel, &below) && below.is_ours)
		table->below = get_rel_relkind(below.columns_of);
	table->row_types = row_types(table->below != '\0' ? below.columns_of : relid,
								 RelationGetRelationName(rel));
	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), i);

		if (attribute->attisdropped)
			continue;
		table->columns = lappend(table->columns, pstrdup(NameStr(attribute->attname)));
		if (takes_values(rel, attribute))
			table->insertable = lappend(table->insertable, pstrdup(NameStr(attribute->attname)));
	}
	find_key(rel, table);
	table->rowtime = rowtime_column(rel);
	if (table->is_view)
		find_versions(rel, table);
	relation_close(rel, AccessShareLock);
	return table;
}

/* Does a trigger of ours keep its rows from being stored? */
static bool
is_sink(Relation rel)
{
	for (int i = 0; rel->trigdesc != NULL && i < rel->trigdesc->numtriggers; i++)
	{
		Oid			function = rel->trigdesc->triggers[i].tgfoid;

		if (aw_rangetable_has_symbol(function, "aw_sql_print_row") ||
			aw_rangetable_has_symbol(function, "aw_sql_discard_row"))
			return true;
	}
	return false;
}

/* The types that CREATE TABLE made of ROW: called like the table and its column. */
static List *
row_types(Oid relid, const char *prefix)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	TupleDesc	columns = RelationGetDescr(rel);
	List	   *types = NIL;

	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(columns, i);
		Oid			element = attribute->attisdropped ? InvalidOid :
			get_base_element_type(attribute->atttypid);
		Oid			row = OidIsValid(element) ? get_typ_typrelid(element) : InvalidOid;
		char	   *name = psprintf("%s_%s", prefix, NameStr(attribute->attname));

		if (!OidIsValid(row) && !attribute->attisdropped)
			row = get_typ_typrelid(attribute->atttypid);
		if (!OidIsValid(row) || strcmp(get_rel_name(row), name) != 0 ||
			get_rel_namespace(row) != get_rel_namespace(relid))
			continue;
		types = lappend(types, quote_qualified_identifier(get_namespace_name(get_rel_namespace(row)),
														  name));
		types = list_concat(types, row_types(row, name));
	}
	relation_close(rel, AccessShareLock);
	return types;
}

static bool
takes_values(Relation rel, Form_pg_attribute attribute)
{
	if (attribute->attgenerated != '\0' || attribute->attidentity == ATTRIBUTE_IDENTITY_ALWAYS)
		return false;
	if (rel->rd_rel->relkind != RELKIND_VIEW)
		return true;
	return DatumGetBool(DirectFunctionCall3(pg_column_is_updatable,
											ObjectIdGetDatum(RelationGetRelid(rel)),
											Int16GetDatum(attribute->attnum),
											BoolGetDatum(true)));
}

/* A view of ours has its key on the table below it. */
static void
find_key(Relation rel, AwFlinkTable *table)
{
	List	   *columns = aw_primarykey_columns(rel, NULL);
	ListCell   *cell;
	AwViewTable view;

	foreach(cell, columns)
	{
		Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), lfirst_int(cell) - 1);

		table->key = lappend(table->key, pstrdup(NameStr(attribute->attname)));
	}
	table->is_key_enforced = OidIsValid(rel->rd_pkindex);
	if (table->is_table && aw_viewtable_find(rel, &view) &&
		get_rel_relkind(view.columns_of) == RELKIND_RELATION)
	{
		Relation	below = relation_open(view.columns_of, AccessShareLock);

		find_key(below, table);
		relation_close(below, AccessShareLock);
	}
}

/* A view may show the last versions, and so be a versioned table of its own. */
static void
find_versions(Relation rel, AwFlinkTable *table)
{
	Query	   *query = aw_definition_view_query(rel);
	AwFlinkVersions *versions = aw_flinkversion_of_view(query);
	ListCell   *cell;

	table->is_derived = query->hasAggs || query->hasWindowFuncs || query->groupClause != NIL ||
		query->distinctClause != NIL || query->setOperations != NULL;
	foreach(cell, query->rtable)
		table->is_derived |= ((RangeTblEntry *) lfirst(cell))->rtekind == RTE_SUBQUERY;
	if (versions == NULL)
		return;
	table->key = versions->key;
	table->rowtime = versions->rowtime;
	table->versions = versions->query;
}

/* The column whose definition is the relation's own. */
static const char *
rowtime_column(Relation rel)
{
	AwTimes    *times = aw_definition_of_relation(rel);

	if (times->own == NULL || times->own->attno == 0)
		return NULL;
	return pstrdup(NameStr(TupleDescAttr(RelationGetDescr(rel), times->own->attno - 1)->attname));
}
