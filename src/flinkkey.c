/*
 * flinkkey.c
 *
 * Primary keys.
 *
 * The key of a table is PostgreSQL's, so that INSERT can replace rows.  A table with a
 * watermark is versioned, and has many rows of one key: there the key is a marker, a
 * CHECK that is always true.  When a table gets or loses its watermark, the one becomes
 * the other, under the same name.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "commands/defrem.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "flinkcreate.h"
#include "flinkkey.h"

static void replace(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
					const char *name);

/* The columns, quoted. */
char *
aw_flinkkey_columns(const List *key)
{
	StringInfoData text;
	const ListCell *cell;

	initStringInfo(&text);
	foreach(cell, key)
		appendStringInfo(&text, "%s%s", quote_identifier(lfirst(cell)),
						 lnext(key, cell) != NULL ? ", " : "");
	return text.data;
}

/* A constraint of CREATE TABLE or ALTER TABLE ... ADD; name may be NULL. */
char *
aw_flinkkey_text(const List *key, const char *name, bool is_enforced)
{
	return psprintf("%s%s%s%s(%s)%s", name == NULL ? "" : "CONSTRAINT ",
					name == NULL ? "" : quote_identifier(name), name == NULL ? "" : " ",
					is_enforced ? "PRIMARY KEY " : "CHECK (flink.primary_key",
					aw_flinkkey_columns(key), is_enforced ? "" : ")");
}

/* The name that PostgreSQL gives such a constraint, unless it is taken. */
char *
aw_flinkkey_default_name(const char *table, const List *key, bool is_enforced)
{
	if (is_enforced)
		return makeObjectName(table, NULL, "pkey");
	return makeObjectName(table, list_length(key) == 1 ? linitial(key) : NULL, "check");
}

/*
 * Is a name taken that an enforced key of a table is to have?  It is that of a relation.
 * Keys that the source makes count all, wherever they are.
 */
bool
aw_flinkkey_is_taken(const AwFlinkParser *parser, const AwFlinkPath *path, bool is_temporary,
					 const char *name)
{
	AwFlinkPath key = {.schema = path->schema, .name = name};
	ListCell   *cell;

	foreach(cell, parser->tables)
	{
		AwFlinkTable *table = lfirst(cell);

		if (table->key_name != NULL && strcmp(table->key_name, name) == 0 &&
			strcmp(table->name, path->name) != 0)
			return true;
	}
	return strcmp(name, path->name) == 0 || aw_flinktable_exists(parser, &key, is_temporary);
}

/* The table gets a watermark: its key is not enforced any more. */
void
aw_flinkkey_mark(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table)
{
	if (!table->is_key_enforced || (table->is_view && table->below != RELKIND_RELATION))
		return;
	table->is_key_enforced = false;
	replace(parser, path, table, table->key_name);
}

/* It has lost its watermark: an error, when it runs, if rows have one key. */
void
aw_flinkkey_enforce(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table)
{
	if (table->key == NIL || table->is_key_enforced ||
		(table->is_view && table->below != RELKIND_RELATION))
		return;
	table->is_key_enforced = true;
	replace(parser, path, table,
			aw_flinkkey_is_taken(parser, path, strcmp(table->schema, "pg_temp") == 0,
								 table->key_name) ? NULL : table->key_name);
}

/* The name may be NULL, and is PostgreSQL's own choice then. */
static void
replace(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table, const char *name)
{
	aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s DROP CONSTRAINT %s, ADD %s",
										 table->is_view ?
										 aw_flinkcreate_derived_name(path, "__source") : path->sql,
										 quote_identifier(table->key_name),
										 aw_flinkkey_text(table->key, name,
														  table->is_key_enforced)));
	aw_flinkparser_end_statement(parser);
	table->key_name = name != NULL ? name :
		aw_flinkkey_default_name(table->name, table->key, table->is_key_enforced);
}
