/*
 * flinkalter.c
 *
 * ALTER and DROP of tables and views.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "common/keywords.h"
#include "utils/builtins.h"

#include "flinkalter.h"
#include "flinkcreate.h"
#include "flinkdatabase.h"
#include "flinkexpression.h"
#include "flinkkey.h"
#include "flinkquery.h"
#include "flinkrowtype.h"
#include "flinktable.h"
#include "flinkview.h"

static AwFlinkPath *find_altered(AwFlinkParser *parser, bool is_table, AwFlinkTable **table);
static void translate_added(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table);
static void translate_modified(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table);
static void refuse_watermark(const AwFlinkParser *parser, const AwFlinkTable *table,
							 bool is_added);
static void note_watermark(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table);
static void refuse_view(const AwFlinkParser *parser, const AwFlinkTable *table,
						const char *action);
static void refuse_component(const AwFlinkParser *parser, const char *action);
static void translate_dropped(AwFlinkParser *parser, const AwFlinkPath *path,
							  AwFlinkTable *table);
static void note_dropped(const AwFlinkParser *parser, AwFlinkTable *table, const char *column);
static void refuse_rowtime(const AwFlinkParser *parser, const AwFlinkTable *table,
						   const char *column);
static bool reads_column(const char *strategy, const char *column);
static bool is_column_at(const AwFlinkToken *tokens, int i);
static List *replace_name(List *names, const char *name, const char *new);
static void translate_renamed(AwFlinkParser *parser, const AwFlinkPath *path,
							  AwFlinkTable *table, const char *kind);
static void rename_column(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
						  const char *kind);
static void rename_table(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
						 const char *kind);
static void rename_below(AwFlinkParser *parser, const AwFlinkPath *path, const AwFlinkPath *new,
						 bool is_type);
static void translate_query(AwFlinkParser *parser, const AwFlinkPath *path,
							const AwFlinkTable *view);
static void emit_watermark(AwFlinkParser *parser, const AwFlinkPath *path, const char *rowtime,
						   const char *strategy);
static void translate_drop_table(AwFlinkParser *parser, bool is_temporary);
static void refuse_hidden(const AwFlinkParser *parser, const AwFlinkPath *path);
static void drop(AwFlinkParser *parser, const char *kind, const char *name);
static void translate_drop_view(AwFlinkParser *parser, bool is_temporary);

void
aw_flinkalter_table(AwFlinkParser *parser)
{
	AwFlinkPath *path;
	AwFlinkTable *table;

	aw_flinkparser_expect(parser, "ALTER TABLE");
	path = find_altered(parser, true, &table);
	if (path == NULL)
		return;
	if (aw_flinkparser_accept(parser, "ADD"))
		translate_added(parser, path, table);
	else if (aw_flinkparser_at(parser, "MODIFY"))
		translate_modified(parser, path, table);
	else if (aw_flinkparser_accept(parser, "DROP WATERMARK"))
	{
		aw_flinkalter_drop_watermark(parser, path);
		if (table != NULL)
		{
			table->rowtime = table->strategy = NULL;
			aw_flinkkey_enforce(parser, path, table);
		}
	}
	else if (aw_flinkparser_accept(parser, "DROP"))
		translate_dropped(parser, path, table);
	else if (aw_flinkparser_accept(parser, "RENAME"))
		translate_renamed(parser, path, table, "TABLE");
	else
		aw_flinkparser_unsupported(parser, psprintf("ALTER TABLE ... %s",
													aw_flinkparser_peek(parser, 0)->text), NULL);
}

/*
 * Passes [IF EXISTS] and a name, of what is a table to Flink or a view.  The table may
 * not be known, and is NULL then; if it is not there and need not be, the statement is
 * passed, and NULL returned.
 */
static AwFlinkPath *
find_altered(AwFlinkParser *parser, bool is_table, AwFlinkTable **table)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkParser start = *parser;
	AwFlinkPath *path = aw_flinktable_target(parser, false, if_exists);

	*table = aw_flinktable_keep(parser, path);
	if (*table != NULL && (*table)->is_table != is_table)
		aw_flinkparser_error(&start, psprintf("\"%s\" is a %s", path->name,
											 is_table ? "view" : "table"));
	if (*table != NULL || !if_exists)
		return path;
	ereport(NOTICE, (errmsg("relation \"%s\" does not exist, skipping", path->name)));
	aw_flinkparser_skip_statement(parser);
	return NULL;
}

/* ADD WATERMARK FOR ..., ADD column, ADD (column or watermark, ...) */
static void
translate_added(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table)
{
	bool		is_list;

	aw_flinkparser_accept(parser, "COLUMN");
	is_list = aw_flinkparser_accept_symbol(parser, "(");
	do
	{
		refuse_component(parser, "ADD");
		if (aw_flinkparser_at(parser, "WATERMARK FOR"))
		{
			refuse_watermark(parser, table, true);
			aw_flinkparser_expect(parser, "WATERMARK FOR");
			if (table != NULL)
				aw_flinkkey_mark(parser, path, table);
			note_watermark(parser, path, table);
		}
		else
		{
			refuse_view(parser, table, "ADD");
			aw_flinkcreate_added_column(parser, path, table);
		}
		if (aw_flinkparser_at(parser, "FIRST") || aw_flinkparser_at(parser, "AFTER"))
			aw_flinkparser_unsupported(parser, "the place of a new column", NULL);
	} while (is_list && aw_flinkparser_accept_symbol(parser, ","));
	if (is_list)
		aw_flinkparser_expect_symbol(parser, ")");
}

/* MODIFY WATERMARK FOR ..., also in parentheses; columns are not modified. */
static void
translate_modified(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table)
{
	AwFlinkParser start = *parser;
	bool		is_list;

	aw_flinkparser_expect(parser, "MODIFY");
	is_list = aw_flinkparser_accept_symbol(parser, "(");
	if (!aw_flinkparser_at(parser, "WATERMARK FOR"))
		aw_flinkparser_unsupported(&start, "ALTER TABLE ... MODIFY", NULL);
	refuse_watermark(parser, table, false);
	aw_flinkparser_expect(parser, "WATERMARK FOR");
	note_watermark(parser, path, table);
	if (is_list && aw_flinkparser_at_symbol(parser, ","))
		aw_flinkparser_unsupported(&start, "ALTER TABLE ... MODIFY of more than a watermark", NULL);
	if (is_list)
		aw_flinkparser_expect_symbol(parser, ")");
}

/* ADD is for a table without a watermark, MODIFY for one with it. */
static void
refuse_watermark(const AwFlinkParser *parser, const AwFlinkTable *table, bool is_added)
{
	if (table == NULL || (table->rowtime == NULL) == is_added)
		return;
	aw_flinkparser_error(parser, psprintf(is_added ?
										 "table \"%s\" already has a watermark definition; MODIFY replaces it" :
										 "table \"%s\" has no watermark definition; ADD gives it one",
										 table->name));
}

static void
note_watermark(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table)
{
	const char *rowtime;
	const char *strategy = aw_flinkalter_set_watermark(parser, path, &rowtime);

	if (table == NULL)
		return;
	table->rowtime = rowtime;
	table->strategy = strategy;
}

/* Columns of a table that has become a view would have to come and go in two places. */
static void
refuse_view(const AwFlinkParser *parser, const AwFlinkTable *table, const char *action)
{
	if (table != NULL && table->is_table && table->is_view)
		aw_flinkparser_unsupported(parser, psprintf("%s of a column of a table that has become a view",
													action), NULL);
}

/* What belongs to a table of Flink besides columns and its watermark. */
static void
refuse_component(const AwFlinkParser *parser, const char *action)
{
	static const char *const components[] = {
		"CONSTRAINT", "DISTRIBUTION", "IF NOT EXISTS", "IF EXISTS", "PARTITION", "PRIMARY KEY"
	};

	for (size_t i = 0; i < lengthof(components); i++)
	{
		if (aw_flinkparser_at(parser, components[i]))
			aw_flinkparser_unsupported(parser, psprintf("ALTER TABLE ... %s %s", action,
														components[i]), NULL);
	}
}

/* DROP column, DROP (column, ...) */
static void
translate_dropped(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table)
{
	bool		is_list = aw_flinkparser_accept_symbol(parser, "(");

	refuse_component(parser, "DROP");
	do
	{
		const char *column = aw_flinktoken_name(aw_flinkparser_peek(parser, 0));

		refuse_view(parser, table, "DROP");
		if (table != NULL)
			note_dropped(parser, table, column);
		aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s DROP COLUMN %s", path->sql,
											 quote_identifier(column)));
		aw_flinkparser_name(parser);
		aw_flinkparser_end_statement(parser);
		if (table != NULL)
			aw_flinkrowtype_drop(parser, path, table, column);
	} while (is_list && aw_flinkparser_accept_symbol(parser, ","));
	if (is_list)
		aw_flinkparser_expect_symbol(parser, ")");
}

/* PostgreSQL would drop a key or watermark with its column; Flink does not. */
static void
note_dropped(const AwFlinkParser *parser, AwFlinkTable *table, const char *column)
{
	if (aw_flinktable_is_named(table->key, column))
		aw_flinkparser_error(parser, psprintf("column \"%s\" is used as the primary key", column));
	refuse_rowtime(parser, table, column);
	table->columns = replace_name(table->columns, column, NULL);
	table->insertable = replace_name(table->insertable, column, NULL);
}

/* Columns of a watermark keep their names, as in Flink; a view's query may have it. */
static void
refuse_rowtime(const AwFlinkParser *parser, const AwFlinkTable *table, const char *column)
{
	if (table->rowtime != NULL && table->strategy != NULL &&
		(strcmp(table->rowtime, column) == 0 || reads_column(table->strategy, column)))
		aw_flinkparser_error(parser, psprintf("column \"%s\" is used by the watermark", column));
}

/* Does a strategy, as SQL, name a column? */
static bool
reads_column(const char *strategy, const char *column)
{
	int			n_tokens = 0;
	AwFlinkToken *tokens = strategy == NULL ? NULL : aw_flinktoken_scan(strategy, &n_tokens);

	for (int i = 0; i < n_tokens; i++)
	{
		if (is_column_at(tokens, i) && strcmp(aw_flinktoken_name(&tokens[i]), column) == 0)
			return true;
	}
	return false;
}

/*
 * May a token of an expression be a column?  What is called like a keyword is quoted where
 * PostgreSQL asks for that; a function, its schema, the type of a cast or constant, and
 * the unit of an interval are none.
 */
static bool
is_column_at(const AwFlinkToken *tokens, int i)
{
	const AwFlinkToken *next = &tokens[i + 1];
	const AwFlinkToken *before = i > 0 ? &tokens[i - 1] : NULL;
	int			keyword;

	if (tokens[i].kind != AW_FLINK_WORD)
		return tokens[i].kind == AW_FLINK_QUOTED;
	if (before != NULL && (before->kind == AW_FLINK_STRING || aw_flinktoken_is_symbol(before, ":") ||
						   aw_flinktoken_is_word(before, "INTERVAL") ||
						   aw_flinktoken_is_word(before, "TO")))
		return false;
	if (next->kind == AW_FLINK_STRING || aw_flinktoken_is_symbol(next, "(") ||
		aw_flinktoken_is_symbol(next, "."))
		return false;
	keyword = ScanKeywordLookup(tokens[i].text, &ScanKeywords);
	return keyword < 0 || ScanKeywordCategories[keyword] == UNRESERVED_KEYWORD;
}

/* A list with another name in the place of one, or without it. */
static List *
replace_name(List *names, const char *name, const char *new)
{
	List	   *result = NIL;
	ListCell   *cell;

	foreach(cell, names)
	{
		if (strcmp(lfirst(cell), name) != 0)
			result = lappend(result, lfirst(cell));
		else if (new != NULL)
			result = lappend(result, pstrdup(new));
	}
	return result;
}

/* RENAME TO name, RENAME column TO column */
static void
translate_renamed(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
				  const char *kind)
{
	if (table != NULL && table->is_view)
		kind = "VIEW";
	if (aw_flinkparser_accept(parser, "TO"))
		rename_table(parser, path, table, kind);
	else
		rename_column(parser, path, table, kind);
}

static void
rename_column(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
			  const char *kind)
{
	AwFlinkParser start = *parser;
	const char *column = aw_flinkparser_name(parser);
	const char *new;

	aw_flinkparser_expect(parser, "TO");
	if (table != NULL && table->below != '\0')
		refuse_view(parser, table, "RENAME");
	if (table != NULL)
		refuse_rowtime(&start, table, column);
	new = aw_flinkparser_name(parser);
	aw_flinkparser_emit(parser, psprintf("ALTER %s %s RENAME COLUMN %s TO %s", kind, path->sql,
										 quote_identifier(column), quote_identifier(new)));
	aw_flinkparser_end_statement(parser);
	if (table == NULL)
		return;
	aw_flinkrowtype_rename_column(parser, path, table, column, new);
	table->columns = replace_name(table->columns, column, new);
	table->insertable = replace_name(table->insertable, column, new);
	table->key = replace_name(table->key, column, new);
	if (table->rowtime != NULL && strcmp(table->rowtime, column) == 0)
		table->rowtime = new;
}

/* What a table stands on, and the types of its rows, are renamed with it. */
static void
rename_table(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table,
			 const char *kind)
{
	AwFlinkParser start = *parser;
	AwFlinkPath *new = aw_flinkquery_path(parser);

	if (new->schema != NULL &&
		strcmp(new->schema, path->schema != NULL ? path->schema :
			   table != NULL ? table->schema : "") != 0)
		aw_flinkparser_unsupported(&start, "RENAME to another database", NULL);
	aw_flinkparser_emit(parser, psprintf("ALTER %s %s RENAME TO %s", kind, path->sql,
										 quote_identifier(new->name)));
	aw_flinkparser_end_statement(parser);
	if (table == NULL)
		return;
	if (table->below != '\0')
		rename_below(parser, path, new, table->below == RELKIND_COMPOSITE_TYPE);
	aw_flinkrowtype_rename(parser, path, table, new->name);
	aw_flinktable_rename(parser, table, new->name);
}

static void
rename_below(AwFlinkParser *parser, const AwFlinkPath *path, const AwFlinkPath *new, bool is_type)
{
	const char *suffix = is_type ? "__row" : "__source";

	aw_flinkparser_emit(parser, psprintf("ALTER %s %s RENAME TO %s", is_type ? "TYPE" : "TABLE",
										 aw_flinkcreate_derived_name(path, suffix),
										 quote_identifier(psprintf("%s%s", new->name, suffix))));
	aw_flinkparser_end_statement(parser);
}

void
aw_flinkalter_view(AwFlinkParser *parser)
{
	AwFlinkPath *path;
	AwFlinkTable *view;

	aw_flinkparser_expect(parser, "ALTER VIEW");
	path = find_altered(parser, false, &view);
	if (path == NULL)
		return;
	if (aw_flinkparser_accept(parser, "SET WATERMARK FOR"))
		note_watermark(parser, path, view);
	else if (aw_flinkparser_accept(parser, "DROP WATERMARK"))
	{
		aw_flinkalter_drop_watermark(parser, path);
		if (view != NULL)
			view->rowtime = view->strategy = NULL;
	}
	else if (aw_flinkparser_accept(parser, "RENAME"))
		translate_renamed(parser, path, view, "VIEW");
	else if (aw_flinkparser_at(parser, "AS"))
		translate_query(parser, path, view);
	else
		aw_flinkparser_unsupported(parser, psprintf("ALTER VIEW ... %s",
													aw_flinkparser_peek(parser, 0)->text), NULL);
}

/* AS query: the view keeps its comment, and the watermark that it has itself. */
static void
translate_query(AwFlinkParser *parser, const AwFlinkPath *path, const AwFlinkTable *view)
{
	bool		has_watermark = view != NULL && view->strategy != NULL;
	int			query;

	if (has_watermark && *view->strategy == '\0')
		aw_flinkparser_unsupported(parser, "ALTER VIEW ... AS of a view whose watermark is not made of its columns",
								   NULL);
	aw_flinkparser_emit(parser, psprintf("CREATE OR REPLACE VIEW %s", path->sql));
	aw_flinkparser_copy(parser, "AS");
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
	query = parser->at;
	parser->names_columns = true;
	aw_flinkquery_translate(parser);
	aw_flinkparser_end_statement(parser);
	if (has_watermark && view->rowtime != NULL)
		emit_watermark(parser, path, view->rowtime, view->strategy);
	aw_flinkview_comment(parser, path, view == NULL ? NULL : view->comment, query);
}

/* column AS strategy, behind WATERMARK FOR; returns the strategy as SQL. */
const char *
aw_flinkalter_set_watermark(AwFlinkParser *parser, const AwFlinkPath *path, const char **rowtime)
{
	AwFlinkOutput *output = parser->output;
	AwFlinkText *strategy;

	*rowtime = aw_flinkparser_name(parser);
	aw_flinkparser_expect(parser, "AS");
	parser->output = aw_flinkoutput_create();
	aw_flinkexpression_translate(parser);
	strategy = aw_flinkoutput_text(parser->output);
	parser->output = output;
	aw_flinkoutput_add_inner(output, strategy);
	emit_watermark(parser, path, *rowtime, strategy->sql);
	return strategy->sql;
}

static void
emit_watermark(AwFlinkParser *parser, const AwFlinkPath *path, const char *rowtime,
			   const char *strategy)
{
	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkparser_emit_ours(parser, "set_watermark");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, psprintf("%s::regclass, %s::name, %s::text)",
										 quote_literal_cstr(path->sql), quote_literal_cstr(rowtime),
										 quote_literal_cstr(strategy)));
	aw_flinkparser_end_statement(parser);
}

void
aw_flinkalter_drop_watermark(AwFlinkParser *parser, const AwFlinkPath *path)
{
	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkparser_emit_ours(parser, "drop_watermark");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, psprintf("%s::regclass)", quote_literal_cstr(path->sql)));
	aw_flinkparser_end_statement(parser);
}

void
aw_flinkalter_drop(AwFlinkParser *parser)
{
	bool		is_temporary;

	aw_flinkparser_next(parser);
	is_temporary = aw_flinkparser_accept(parser, "TEMPORARY");
	if (aw_flinkparser_accept(parser, "TABLE"))
		translate_drop_table(parser, is_temporary);
	else if (aw_flinkparser_accept(parser, "VIEW"))
		translate_drop_view(parser, is_temporary);
	else if (aw_flinkparser_accept(parser, "DATABASE"))
		aw_flinkdatabase_drop(parser);
	else
		aw_flinkparser_unsupported(parser, psprintf("DROP %s", aw_flinkparser_peek(parser, 0)->text),
								   NULL);
}

/* A table may have become a view, on a table or a row type of its own. */
static void
translate_drop_table(AwFlinkParser *parser, bool is_temporary)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkParser start = *parser;
	AwFlinkPath *path = aw_flinktable_target(parser, is_temporary, if_exists);
	AwFlinkTable *table = aw_flinktable_find(parser, path);
	bool		is_view = table != NULL && table->is_table && table->is_view;

	if (!is_temporary)
		refuse_hidden(&start, path);
	aw_flinkparser_emit(parser, psprintf("DROP %s %s%s", is_view ? "VIEW" : "TABLE",
										 if_exists ? "IF EXISTS " : "", path->sql));
	aw_flinkparser_end_statement(parser);
	aw_flinktable_drop(parser, path);
	if (table == NULL || !table->is_table)
		return;
	if (table->below == RELKIND_COMPOSITE_TYPE)
		drop(parser, "TYPE", aw_flinkcreate_derived_name(path, "__row"));
	else if (table->below != '\0')
		drop(parser, "TABLE", aw_flinkcreate_derived_name(path, "__source"));
	aw_flinkrowtype_drop(parser, path, table, NULL);
}

/* Of a temporary table and another of its name, DROP without TEMPORARY means neither. */
static void
refuse_hidden(const AwFlinkParser *parser, const AwFlinkPath *path)
{
	AwFlinkPath other = {.name = path->name};

	if (path->schema != NULL && strcmp(path->schema, "pg_temp") == 0 &&
		aw_flinktable_exists(parser, &other, false))
		aw_flinkparser_error(parser, psprintf("\"%s\" is hidden by a temporary relation; "
											 "DROP TEMPORARY takes that", path->name));
}

static void
drop(AwFlinkParser *parser, const char *kind, const char *name)
{
	aw_flinkparser_emit(parser, psprintf("DROP %s %s", kind, name));
	aw_flinkparser_end_statement(parser);
}

static void
translate_drop_view(AwFlinkParser *parser, bool is_temporary)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkParser start = *parser;
	AwFlinkPath *path = aw_flinktable_target(parser, is_temporary, if_exists);
	AwFlinkTable *table = aw_flinktable_find(parser, path);

	if (table != NULL && table->is_table)
		aw_flinkparser_error(&start, psprintf("\"%s\" is a table", path->name));
	if (!is_temporary)
		refuse_hidden(&start, path);
	aw_flinkparser_emit(parser, psprintf("DROP VIEW %s%s", if_exists ? "IF EXISTS " : "", path->sql));
	aw_flinkparser_end_statement(parser);
	aw_flinktable_drop(parser, path);
}
