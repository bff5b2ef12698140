/*
 * flinkplan.c
 *
 * What a statement CREATE TABLE makes, and what the statements behind it know of that.
 */
#include "postgres.h"

#include "catalog/pg_class.h"

#include "flinkkey.h"
#include "flinkplan.h"
#include "flinkrowtype.h"

static void inherit(AwFlinkTable *table, const AwFlinkCreate *create);
static bool shows_all(const AwFlinkTable *table, const List *columns);
static void note_key(const AwFlinkCreate *create, AwFlinkTable *table);

bool
aw_flinkplan_is_view(const AwFlinkCreate *create)
{
	return create->has_computed || aw_flinkplan_is_read(create);
}

/* Do the rows come from elsewhere? */
bool
aw_flinkplan_is_read(const AwFlinkCreate *create)
{
	return create->form != AW_FLINK_FORM_TABLE && create->form != AW_FLINK_FORM_SINK;
}

/* Is the key enforced?  Not where the table has versions of its rows. */
bool
aw_flinkplan_enforces_key(const AwFlinkCreate *create)
{
	return create->rowtime == NULL &&
		(create->like_table == NULL || create->like_table->rowtime == NULL ||
		 create->like_without_watermark);
}

/* The key of a table is a relation of its own: its name may be taken. */
void
aw_flinkplan_choose_key_name(const AwFlinkParser *parser, AwFlinkCreate *create)
{
	if (create->key_name != NULL && aw_flinkplan_enforces_key(create) &&
		aw_flinkkey_is_taken(parser, create->path, create->is_temporary, create->key_name))
		create->key_name = NULL;
}

/* Notes the table for the statements behind it. */
AwFlinkTable *
aw_flinkplan_remember(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkTable *table = palloc0(sizeof(AwFlinkTable));
	ListCell   *cell;

	if (create->like_table != NULL)
		inherit(table, create);
	else if (create->like == NULL)
		table->has_columns = !create->has_query;
	table->is_view = aw_flinkplan_is_view(create);
	table->is_table = true;
	if (table->is_view && create->form != AW_FLINK_FORM_JDBC)
		table->below = aw_flinkplan_is_read(create) ? RELKIND_COMPOSITE_TYPE : RELKIND_RELATION;
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		table->columns = lappend(table->columns, unconstify(char *, column->name));
		if (column->type != NULL && !column->is_virtual)
			table->insertable = lappend(table->insertable, unconstify(char *, column->name));
		table->has_comments |= column->comment != NULL;
	}
	note_key(create, table);
	table->is_sink = create->form == AW_FLINK_FORM_SINK;
	aw_flinkrowtype_remember(parser, table, create->row_types);
	parser->copies_rows |= create->has_query ||
		(create->like != NULL && (create->like_table == NULL || create->like_table->row_types != NIL));
	if (create->rowtime != NULL)
		table->rowtime = create->rowtime;
	table->is_stream = table->rowtime != NULL && table->below != RELKIND_COMPOSITE_TYPE;
	table->comment = create->comment;
	table->options = create->options;
	aw_flinktable_remember(parser, create->path, create->is_temporary, table);
	return table;
}

/* What LIKE takes over. */
static void
inherit(AwFlinkTable *table, const AwFlinkCreate *create)
{
	const AwFlinkTable *like = create->like_table;

	table->has_columns = like->has_columns;
	table->columns = list_copy(like->columns);
	table->insertable = list_copy(like->insertable);
	table->has_comments = like->has_comments;
	if (!create->like_without_key)
	{
		table->key = list_copy(like->key);
		table->is_key_enforced = like->is_key_enforced && aw_flinkplan_enforces_key(create);
	}
	if (!create->like_without_watermark)
	{
		table->rowtime = like->rowtime;
		table->strategy = like->strategy;
	}
}

static bool
shows_all(const AwFlinkTable *table, const List *columns)
{
	const ListCell *cell;

	foreach(cell, columns)
	{
		if (!aw_flinktable_is_named(table->insertable, lfirst(cell)))
			return false;
	}
	return true;
}

/* The key of a table of this database is the one that it has, if its columns are shown. */
static void
note_key(const AwFlinkCreate *create, AwFlinkTable *table)
{
	const char *below = table->below == RELKIND_RELATION ?
		psprintf("%s__source", create->path->name) : create->path->name;

	if (create->jdbc_table != NULL && create->jdbc_table->key != NIL)
	{
		if (!shows_all(table, create->jdbc_table->key))
			return;
		table->key = create->jdbc_table->key;
		table->is_key_enforced = create->jdbc_table->is_key_enforced;
	}
	else if (create->key != NIL)
	{
		table->key = create->key;
		table->is_key_enforced = aw_flinkplan_enforces_key(create) && !aw_flinkplan_is_read(create);
	}
	table->key_name = create->key_name;
	if (create->key == NIL && create->like_table != NULL && !create->like_table->is_key_enforced)
		table->key_name = create->like_table->key_name;
	if (table->key_name == NULL)
		table->key_name = aw_flinkkey_default_name(below, table->key, table->is_key_enforced);
}
