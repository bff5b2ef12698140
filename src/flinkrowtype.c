/*
 * flinkrowtype.c
 *
 * The types that CREATE TABLE makes of ROW.
 *
 * They are called after their table and column, and those within them after them: so
 * they change their names and go with the column, or with the table.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "flinkcreate.h"
#include "flinkrowtype.h"

static bool is_of_column(const char *type, const AwFlinkTable *table, const char *column,
						 const char *name);
static bool begins_with(const char *type, const char *name);
static char *rename_type(AwFlinkParser *parser, const AwFlinkPath *path, const char *type,
						 const char *beginning, size_t length);

/* Drops the types of a column, which is dropped; of all, if it is NULL. */
void
aw_flinkrowtype_drop(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
					 const char *column)
{
	List	   *kept = NIL;
	ListCell   *cell;

	foreach(cell, table->row_types)
	{
		const char *type = lfirst(cell);

		if (column != NULL && !is_of_column(type, table, column, path->name))
		{
			kept = lappend(kept, lfirst(cell));
			continue;
		}
		aw_flinkparser_emit(parser, psprintf("DROP TYPE %s",
											 aw_flinkcreate_derived_name(path, type +
																		 strlen(path->name))));
		aw_flinkparser_end_statement(parser);
	}
	table->row_types = kept;
}

/* The table is called otherwise from here on. */
void
aw_flinkrowtype_rename(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
					   const char *new)
{
	ListCell   *cell;

	foreach(cell, table->row_types)
		lfirst(cell) = rename_type(parser, path, lfirst(cell), new, strlen(path->name));
}

/* A column is; those of the table have their old names still. */
void
aw_flinkrowtype_rename_column(AwFlinkParser *parser, const AwFlinkPath *path,
							  AwFlinkTable *table, const char *column, const char *new)
{
	const char *name = psprintf("%s_%s", path->name, new);
	ListCell   *cell;

	foreach(cell, table->row_types)
	{
		if (is_of_column(lfirst(cell), table, column, path->name))
			lfirst(cell) = rename_type(parser, path, lfirst(cell), name,
									   strlen(path->name) + 1 + strlen(column));
	}
}

/* Not where another column has the longer part of the type's name. */
static bool
is_of_column(const char *type, const AwFlinkTable *table, const char *column, const char *name)
{
	ListCell   *cell;

	if (!begins_with(type, psprintf("%s_%s", name, column)))
		return false;
	foreach(cell, table->columns)
	{
		if (strlen(lfirst(cell)) > strlen(column) &&
			begins_with(type, psprintf("%s_%s", name, (char *) lfirst(cell))))
			return false;
	}
	return true;
}

static bool
begins_with(const char *type, const char *name)
{
	size_t		length = strlen(name);

	return strncmp(type, name, length) == 0 && (type[length] == '\0' || type[length] == '_');
}

/* Gives a type another beginning of its name, of some length; returns the new name. */
static char *
rename_type(AwFlinkParser *parser, const AwFlinkPath *path, const char *type,
			const char *beginning, size_t length)
{
	char	   *name = psprintf("%s%s", beginning, type + length);

	aw_flinkparser_emit(parser, psprintf("ALTER TYPE %s RENAME TO %s",
										 aw_flinkcreate_derived_name(path, type + strlen(path->name)),
										 quote_identifier(name)));
	aw_flinkparser_end_statement(parser);
	return name;
}
