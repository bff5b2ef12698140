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
#include "viewtable.h"

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
	if (aw_viewtable_find(rel, &below) && below.is_ours)
		table->below = get_rel_relkind(below.columns_of);
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
		table->is_key_enforced = false;
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
