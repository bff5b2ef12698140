/*
 * flinkjdbc.c
 *
 * Tables whose connector leads to a table of this database: their columns and key are
 * those of that table.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "compat.h"
#include "flinkjdbc.h"
#include "flinkkey.h"
#include "flinktable.h"

static void check_columns(const AwFlinkParser *parser, const AwFlinkCreate *create);
static void check_key(const AwFlinkParser *parser, const AwFlinkCreate *create);
static bool is_same_set(const List *a, const List *b);

/* Finds the other table, and checks that it is like the one that is to be created. */
void
aw_flinkjdbc_check(const AwFlinkParser *parser, AwFlinkCreate *create)
{
	AwFlinkPath *path = aw_flinkconnector_jdbc_table(parser, create->options);

	create->jdbc_table = aw_flinktable_find(parser, path);
	if (create->jdbc_table == NULL)
		aw_flinkparser_error(parser, psprintf("relation \"%s\" does not exist", path->name));
	check_columns(parser, create);
	check_key(parser, create);
}

/* Does the connector lead to the table that the statement creates? */
bool
aw_flinkjdbc_is_itself(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	return strcmp(aw_flinkconnector_jdbc_table(parser, create->options)->sql,
				  create->path->sql) == 0;
}

/* A column of a table of this database has the type that it has there. */
static void
check_columns(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	const AwFlinkTable *table = create->jdbc_table;
	AwFlinkPath *path = aw_flinkconnector_jdbc_table(parser, create->options);
	ListCell   *cell;

	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);
		Oid			type;

		if (column->type == NULL)
			continue;
		if (table->has_columns && !aw_flinktable_has_column(parser, path, column->name))
			aw_flinkparser_error(parser, psprintf("column \"%s\" does not exist in \"%s\"",
												  column->name, table->name));
		type = aw_flinktable_column_type(table, column->name);
		if (OidIsValid(type) && aw_compat_parse_type(column->type->sql) != type)
			aw_flinkparser_error(parser, psprintf("column \"%s\" of \"%s\" is of type %s, not %s",
												  column->name, table->name, format_type_be(type),
												  column->type->sql));
	}
}

/* It has the key that it has there, if there is one: rows are replaced by that. */
static void
check_key(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	const AwFlinkTable *table = create->jdbc_table;

	if (create->key != NIL && table->key != NIL && !is_same_set(create->key, table->key))
		aw_flinkparser_error(parser, psprintf("the primary key of \"%s\" is (%s), not (%s)",
											  table->name, aw_flinkkey_columns(table->key),
											  aw_flinkkey_columns(create->key)));
}

static bool
is_same_set(const List *a, const List *b)
{
	const ListCell *cell;

	foreach(cell, a)
	{
		if (!aw_flinktable_is_named(b, lfirst(cell)))
			return false;
	}
	return list_length(a) == list_length(b);
}
