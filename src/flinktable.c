/*
 * flinktable.c
 *
 * What is known about a table: one that the source creates, or one that is there.
 *
 * A source is translated as a whole before any of it runs, so the tables that it
 * creates, changes or drops are remembered; what is remembered comes before the catalog.
 * Where each statement is run before the next is translated, the catalog is the truth,
 * and aw_flinktable_refresh() forgets the rest.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "commands/comment.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "ddl.h"
#include "definition.h"
#include "deparse.h"
#include "flinkconnector.h"
#include "flinkdatabase.h"
#include "flinkrowtype.h"
#include "flinksetting.h"
#include "flinkstream.h"
#include "flinktable.h"
#include "flinkversion.h"
#include "metadata.h"
#include "primarykey.h"
#include "rangetable.h"
#include "viewtable.h"

static const char *schema_of(const AwFlinkParser *parser, const AwFlinkPath *path,
							 bool is_temporary);
static List *search_path(const AwFlinkParser *parser);
static AwFlinkTable *find_in_schema(const AwFlinkParser *parser, const char *schema,
									const char *name);
static bool is_sink(Relation rel);
static AwFlinkTable *find_in_catalog(Oid relid);
static bool takes_values(Relation rel, Form_pg_attribute attribute);
static void find_key(Relation rel, AwFlinkTable *table);
static void find_versions(Relation rel, AwFlinkTable *table);
static void find_watermark(Relation rel, AwFlinkTable *table);
static const char *view_strategy(Relation rel, const AwDefinition *own);
static void find_comment(Relation rel, AwFlinkTable *table);

/* NULL if there is no such table. */
AwFlinkTable *
aw_flinktable_find(const AwFlinkParser *parser, const AwFlinkPath *path)
{
	List	   *schemas = path->schema != NULL ? list_make1(unconstify(char *, path->schema)) :
		search_path(parser);
	ListCell   *cell;

	foreach(cell, schemas)
	{
		AwFlinkTable *table = find_in_schema(parser, lfirst(cell), path->name);

		if (table != NULL)
			return table;
	}
	return NULL;
}

/* The same, of a table that the source changes: what is done to it stays. */
AwFlinkTable *
aw_flinktable_keep(AwFlinkParser *parser, const AwFlinkPath *path)
{
	AwFlinkTable *table = aw_flinktable_find(parser, path);

	if (table != NULL && !list_member_ptr(parser->tables, table))
		parser->tables = lcons(table, parser->tables);
	return table;
}

/* Notes a table that the source creates. */
void
aw_flinktable_remember(AwFlinkParser *parser, const AwFlinkPath *path, bool is_temporary,
					   AwFlinkTable *table)
{
	table->schema = schema_of(parser, path, is_temporary);
	table->name = path->name;
	if (table->schema != NULL)
		parser->tables = lcons(table, parser->tables);
}

/*
 * Passes the name of a relation that is to be changed or dropped.
 *
 * Without a database, Flink looks into the current one alone.  PostgreSQL would go on
 * along the search path, to a relation that the statement does not mean: an error, or the
 * name gets its schema, where the relation need not exist.
 */
AwFlinkPath *
aw_flinktable_target(AwFlinkParser *parser, bool is_temporary, bool if_exists)
{
	AwFlinkParser start = *parser;
	AwFlinkPath *path = aw_flinkquery_path(parser);
	const char *database = aw_flinkdatabase_current(parser);
	AwFlinkTable *table;
	bool		is_elsewhere;

	if (path->schema != NULL)
		return path;
	is_temporary |= find_in_schema(parser, "pg_temp", path->name) != NULL;
	table = aw_flinktable_find(parser, path);
	is_elsewhere = table != NULL && strcmp(table->schema, database == NULL ? "" : database) != 0;
	if (is_temporary || parser->database != NULL || (is_elsewhere && if_exists && database != NULL))
	{
		path->schema = is_temporary ? "pg_temp" : database;
		path->sql = quote_qualified_identifier(path->schema, path->name);
		return path;
	}
	if (is_elsewhere)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" is not in the current database", path->name),
				 errhint("It is in schema \"%s\": write the schema before its name.",
						 table->schema),
				 internalerrquery(start.source),
				 internalerrposition(aw_flinktoken_position(start.source,
															aw_flinkparser_peek(&start, 0)->start))));
	return path;
}

/* Is there a relation where CREATE would put one?  The source counts, too. */
bool
aw_flinktable_exists(const AwFlinkParser *parser, const AwFlinkPath *path, bool is_temporary)
{
	const char *schema = schema_of(parser, path, is_temporary);

	return schema != NULL && find_in_schema(parser, schema, path->name) != NULL;
}

/* Notes that the source has dropped a relation. */
void
aw_flinktable_drop(AwFlinkParser *parser, const AwFlinkPath *path)
{
	AwFlinkTable *table = palloc0(sizeof(AwFlinkTable));

	table->is_dropped = true;
	aw_flinktable_remember(parser, path, false, table);
}

/* Notes another name of a table that is kept. */
void
aw_flinktable_rename(AwFlinkParser *parser, AwFlinkTable *table, const char *name)
{
	AwFlinkPath path = {.schema = table->schema, .name = table->name};

	parser->tables = list_delete_ptr(parser->tables, table);
	aw_flinktable_drop(parser, &path);
	path.name = name;
	aw_flinktable_remember(parser, &path, false, table);
}

/* Forgets what the source does: it is done, and the catalog knows it. */
void
aw_flinktable_refresh(AwFlinkParser *parser)
{
	parser->tables = NIL;
	parser->copies_rows = false;
	aw_flinkdatabase_refresh(parser);
	aw_flinksetting_refresh(parser);
}

/* Invalid if it is not known. */
Oid
aw_flinktable_column_type(const AwFlinkTable *table, const char *column)
{
	AttrNumber	attno = OidIsValid(table->relid) ? get_attnum(table->relid, column) :
		InvalidAttrNumber;

	return attno == InvalidAttrNumber ? InvalidOid : get_atttype(table->relid, attno);
}

bool
aw_flinktable_has_column(const AwFlinkParser *parser, const AwFlinkPath *path, const char *column)
{
	AwFlinkTable *table = aw_flinktable_find(parser, path);

	return table != NULL && aw_flinktable_is_named(table->columns, column);
}

/* The schema that CREATE puts a relation into; NULL if that is nowhere. */
static const char *
schema_of(const AwFlinkParser *parser, const AwFlinkPath *path, bool is_temporary)
{
	return is_temporary ? "pg_temp" :
		path->schema != NULL ? path->schema : aw_flinkdatabase_current(parser);
}

/* The schemas in which PostgreSQL looks for a name, at this place of the source. */
static List *
search_path(const AwFlinkParser *parser)
{
	List	   *schemas = list_make1("pg_temp");
	ListCell   *cell;

	if (parser->database != NULL)
		return lappend(lappend(schemas, unconstify(char *, parser->database)),
					   get_namespace_name(parser->schema));
	foreach(cell, fetch_search_path(true))
	{
		if (!isAnyTempNamespace(lfirst_oid(cell)))
			schemas = lappend(schemas, get_namespace_name(lfirst_oid(cell)));
	}
	return schemas;
}

/* What the source did last to a relation counts more than the catalog. */
static AwFlinkTable *
find_in_schema(const AwFlinkParser *parser, const char *schema, const char *name)
{
	bool		is_temporary = strcmp(schema, "pg_temp") == 0;
	Oid			namespace;
	Oid			relid;
	ListCell   *cell;

	foreach(cell, parser->tables)
	{
		AwFlinkTable *table = lfirst(cell);

		if (strcmp(table->schema, schema) == 0 && strcmp(table->name, name) == 0)
			return table->is_dropped ? NULL : table;
	}
	if (!aw_flinkdatabase_is_in_catalog(parser, schema))
		return NULL;
	namespace = is_temporary ? LookupExplicitNamespace(schema, true) :
		get_namespace_oid(schema, true);
	relid = OidIsValid(namespace) ? get_relname_relid(name, namespace) : InvalidOid;
	return OidIsValid(relid) ? find_in_catalog(relid) : NULL;
}

bool
aw_flinktable_is_named(const List *names, const char *name)
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
find_in_catalog(Oid relid)
{
	Relation	rel = try_relation_open(relid, AccessShareLock);
	AwViewTable below;
	bool		stands_for_table;
	AwFlinkTable *table;

	if (rel == NULL)
		return NULL;
	table = palloc0(sizeof(AwFlinkTable));
	table->schema = rel->rd_rel->relpersistence == RELPERSISTENCE_TEMP ? "pg_temp" :
		get_namespace_name(RelationGetNamespace(rel));
	table->name = pstrdup(RelationGetRelationName(rel));
	table->relid = relid;
	table->has_columns = true;
	table->is_view = rel->rd_rel->relkind == RELKIND_VIEW;
	table->is_table = aw_ddl_is_table(rel);
	table->is_sink = is_sink(rel);
	table->is_stream = aw_flinkstream_is(rel);
	stands_for_table = table->is_table && aw_viewtable_find(rel, &below);
	if (stands_for_table && below.is_ours)
	{
		table->below = get_rel_relkind(below.columns_of);
		table->below_relid = below.columns_of;
	}
	table->row_types = aw_flinkrowtype_find(table->below != '\0' ? below.columns_of : relid,
											table->name);
	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), i);

		if (attribute->attisdropped)
			continue;
		table->columns = lappend(table->columns, pstrdup(NameStr(attribute->attname)));
		if (takes_values(rel, attribute) &&
			!(stands_for_table && aw_viewtable_computed(&below, attribute->attnum) != NULL))
			table->insertable = lappend(table->insertable, pstrdup(NameStr(attribute->attname)));
		table->has_comments |= GetComment(relid, RelationRelationId, attribute->attnum) != NULL;
	}
	find_key(rel, table);
	find_watermark(rel, table);
	find_comment(rel, table);
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

static bool
takes_values(Relation rel, Form_pg_attribute attribute)
{
	if (attribute->attgenerated != '\0' || attribute->attidentity == ATTRIBUTE_IDENTITY_ALWAYS ||
		aw_metadata_text(rel, attribute->attnum) != NULL)
		return false;
	if (rel->rd_rel->relkind != RELKIND_VIEW)
		return true;
	return DatumGetBool(DirectFunctionCall3(pg_column_is_updatable,
											ObjectIdGetDatum(RelationGetRelid(rel)),
											Int16GetDatum(attribute->attnum),
											BoolGetDatum(true)));
}

/* A view that is none of ours shows rows of a table, but is not keyed like it. */
static void
find_key(Relation rel, AwFlinkTable *table)
{
	char	   *name = NULL;
	List	   *columns = table->is_table ? aw_primarykey_columns(rel, &name) : NIL;
	ListCell   *cell;

	foreach(cell, columns)
	{
		Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), lfirst_int(cell) - 1);

		table->key = lappend(table->key, pstrdup(NameStr(attribute->attname)));
	}
	table->key_name = name;
	table->is_key_enforced = columns != NIL && aw_primarykey_is_enforced(rel);
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

/* The definition that is the relation's own. */
static void
find_watermark(Relation rel, AwFlinkTable *table)
{
	AwTimes    *times = aw_definition_of_relation(rel);

	if (times->own == NULL)
		return;
	if (times->own->attno != 0)
		table->rowtime = pstrdup(NameStr(TupleDescAttr(RelationGetDescr(rel),
													   times->own->attno - 1)->attname));
	table->strategy = table->is_view ? view_strategy(rel, times->own) :
		aw_deparse_strategy(times->own);
}

/* Over the columns of the view, empty if it is not; NULL if it comes from APPLY_WATERMARK. */
static const char *
view_strategy(Relation rel, const AwDefinition *own)
{
	List	   *conditions = aw_definition_conditions(aw_definition_view_query(rel)->jointree->quals);
	Node	   *strategy;

	if (list_length(aw_definition_remove_markers(conditions)) == list_length(conditions))
		return NULL;
	strategy = aw_viewtable_over_columns(own->level, own->strategy);
	return strategy == NULL || own->attno == 0 ? "" :
		deparse_expression(strategy, deparse_context_for(RelationGetRelationName(rel),
														 RelationGetRelid(rel)), false, false);
}

static void
find_comment(Relation rel, AwFlinkTable *table)
{
	List	   *options;
	ListCell   *cell;

	table->comment = aw_ddl_comment(rel, &options);
	foreach(cell, options)
	{
		AwFlinkOption *option = palloc(sizeof(AwFlinkOption));

		option->key = ((AwDdlOption *) lfirst(cell))->key;
		option->value = ((AwDdlOption *) lfirst(cell))->value;
		table->options = lappend(table->options, option);
	}
}
