/*
 * flinkalter.c
 *
 * ALTER and DROP of tables and views.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "utils/builtins.h"

#include "flinkalter.h"
#include "flinkcreate.h"
#include "flinkexpression.h"
#include "flinkquery.h"
#include "flinktable.h"
#include "flinkview.h"

static void translate_added(AwFlinkParser *parser, const AwFlinkPath *path);
static void refuse_component(const AwFlinkParser *parser, const char *action);
static void translate_dropped(AwFlinkParser *parser, const AwFlinkPath *path);
static void translate_renamed(AwFlinkParser *parser, const AwFlinkPath *path, const char *kind);
static void translate_drop_watermark(AwFlinkParser *parser, const AwFlinkPath *path);
static void translate_drop_table(AwFlinkParser *parser);
static void translate_drop_view(AwFlinkParser *parser);
static void translate_drop_database(AwFlinkParser *parser);

void
aw_flinkalter_table(AwFlinkParser *parser)
{
	AwFlinkPath *path;

	aw_flinkparser_expect(parser, "ALTER TABLE");
	aw_flinkparser_accept(parser, "IF EXISTS");
	path = aw_flinkquery_path(parser);
	if (aw_flinkparser_accept(parser, "ADD"))
		translate_added(parser, path);
	else if (aw_flinkparser_accept(parser, "MODIFY WATERMARK FOR"))
		aw_flinkalter_set_watermark(parser, path);
	else if (aw_flinkparser_accept(parser, "DROP WATERMARK"))
		translate_drop_watermark(parser, path);
	else if (aw_flinkparser_accept(parser, "DROP"))
		translate_dropped(parser, path);
	else if (aw_flinkparser_accept(parser, "RENAME"))
		translate_renamed(parser, path, "TABLE");
	else
		aw_flinkparser_unsupported(parser, psprintf("ALTER TABLE ... %s",
													aw_flinkparser_peek(parser, 0)->text), NULL);
}

/* ADD WATERMARK FOR ..., ADD column, ADD (column or watermark, ...) */
static void
translate_added(AwFlinkParser *parser, const AwFlinkPath *path)
{
	bool		is_list;

	aw_flinkparser_accept(parser, "COLUMN");
	is_list = aw_flinkparser_accept_symbol(parser, "(");
	do
	{
		refuse_component(parser, "ADD");
		if (aw_flinkparser_accept(parser, "WATERMARK FOR"))
			aw_flinkalter_set_watermark(parser, path);
		else
			aw_flinkcreate_added_column(parser, path);
		if (aw_flinkparser_at(parser, "FIRST") || aw_flinkparser_at(parser, "AFTER"))
			aw_flinkparser_unsupported(parser, "the place of a new column", NULL);
	} while (is_list && aw_flinkparser_accept_symbol(parser, ","));
	if (is_list)
		aw_flinkparser_expect_symbol(parser, ")");
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
translate_dropped(AwFlinkParser *parser, const AwFlinkPath *path)
{
	bool		is_list = aw_flinkparser_accept_symbol(parser, "(");

	refuse_component(parser, "DROP");
	do
	{
		aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s DROP COLUMN %s", path->sql,
											 aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0))));
		aw_flinkparser_name(parser);
		aw_flinkparser_end_statement(parser);
	} while (is_list && aw_flinkparser_accept_symbol(parser, ","));
	if (is_list)
		aw_flinkparser_expect_symbol(parser, ")");
}

/* RENAME TO name, RENAME column TO column */
static void
translate_renamed(AwFlinkParser *parser, const AwFlinkPath *path, const char *kind)
{
	const char *column = NULL;

	if (!aw_flinkparser_at(parser, "TO"))
		column = quote_identifier(aw_flinkparser_name(parser));
	aw_flinkparser_expect(parser, "TO");
	aw_flinkparser_emit(parser, psprintf("ALTER %s %s RENAME", kind, path->sql));
	if (column != NULL)
		aw_flinkparser_emit(parser, psprintf("COLUMN %s", column));
	aw_flinkparser_emit(parser, "TO");
	aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
	aw_flinkquery_path(parser);
	aw_flinkparser_end_statement(parser);
}

void
aw_flinkalter_view(AwFlinkParser *parser)
{
	AwFlinkPath *path;
	int			query;

	aw_flinkparser_expect(parser, "ALTER VIEW");
	aw_flinkparser_accept(parser, "IF EXISTS");
	path = aw_flinkquery_path(parser);
	if (aw_flinkparser_accept(parser, "SET WATERMARK FOR"))
		aw_flinkalter_set_watermark(parser, path);
	else if (aw_flinkparser_accept(parser, "DROP WATERMARK"))
		translate_drop_watermark(parser, path);
	else if (aw_flinkparser_accept(parser, "RENAME"))
		translate_renamed(parser, path, "VIEW");
	else if (aw_flinkparser_at(parser, "AS"))
	{
		aw_flinkparser_emit(parser, psprintf("CREATE OR REPLACE VIEW %s", path->sql));
		aw_flinkparser_copy(parser, "AS");
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
		query = parser->at;
		parser->names_columns = true;
		aw_flinkquery_translate(parser);
		aw_flinkparser_end_statement(parser);
		aw_flinkview_comment(parser, path, NULL, query);
	}
	else
		aw_flinkparser_unsupported(parser, psprintf("ALTER VIEW ... %s",
													aw_flinkparser_peek(parser, 0)->text), NULL);
}

/* column AS strategy, behind WATERMARK FOR */
void
aw_flinkalter_set_watermark(AwFlinkParser *parser, const AwFlinkPath *path)
{
	AwFlinkOutput *output = parser->output;
	AwFlinkText *strategy;
	char	   *column = aw_flinkparser_name(parser);

	aw_flinkparser_expect(parser, "AS");
	parser->output = aw_flinkoutput_create();
	aw_flinkexpression_translate(parser);
	strategy = aw_flinkoutput_text(parser->output);
	parser->output = output;

	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkparser_emit_ours(parser, "set_watermark");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, psprintf("%s, %s, %s)", quote_literal_cstr(path->sql),
										 quote_literal_cstr(column),
										 quote_literal_cstr(strategy->sql)));
	aw_flinkparser_end_statement(parser);
}

static void
translate_drop_watermark(AwFlinkParser *parser, const AwFlinkPath *path)
{
	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkparser_emit_ours(parser, "drop_watermark");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, psprintf("%s)", quote_literal_cstr(path->sql)));
	aw_flinkparser_end_statement(parser);
}

void
aw_flinkalter_drop(AwFlinkParser *parser)
{
	aw_flinkparser_next(parser);
	aw_flinkparser_accept(parser, "TEMPORARY");
	if (aw_flinkparser_accept(parser, "TABLE"))
		translate_drop_table(parser);
	else if (aw_flinkparser_accept(parser, "VIEW"))
		translate_drop_view(parser);
	else if (aw_flinkparser_accept(parser, "DATABASE"))
		translate_drop_database(parser);
	else
		aw_flinkparser_unsupported(parser, psprintf("DROP %s", aw_flinkparser_peek(parser, 0)->text),
								   NULL);
}

/* A table may have become a view, on a table or a row type of its own. */
static void
translate_drop_table(AwFlinkParser *parser)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkPath *path = aw_flinkquery_path(parser);
	AwFlinkTable *table = aw_flinktable_find(parser, path);
	bool		is_view = table != NULL && table->is_table && table->is_view;

	aw_flinkparser_emit(parser, psprintf("DROP %s %s%s", is_view ? "VIEW" : "TABLE",
										 if_exists ? "IF EXISTS " : "", path->sql));
	aw_flinkparser_end_statement(parser);
	parser->tables = list_delete_ptr(parser->tables, table);
	if (!is_view || table->below == '\0')
		return;
	if (table->below == RELKIND_COMPOSITE_TYPE)
		aw_flinkparser_emit(parser, psprintf("DROP TYPE %s",
											 aw_flinkcreate_derived_name(path, "__row")));
	else
		aw_flinkparser_emit(parser, psprintf("DROP TABLE %s",
											 aw_flinkcreate_derived_name(path, "__source")));
	aw_flinkparser_end_statement(parser);
}

static void
translate_drop_view(AwFlinkParser *parser)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkParser start = *parser;
	AwFlinkPath *path = aw_flinkquery_path(parser);
	AwFlinkTable *table = aw_flinktable_find(parser, path);

	if (table != NULL && table->is_table)
		aw_flinkparser_error(&start, psprintf("\"%s\" is a table", path->name));
	aw_flinkparser_emit(parser, psprintf("DROP VIEW %s%s", if_exists ? "IF EXISTS " : "", path->sql));
	aw_flinkparser_end_statement(parser);
}

static void
translate_drop_database(AwFlinkParser *parser)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");

	aw_flinkparser_emit(parser, if_exists ? "DROP SCHEMA IF EXISTS" : "DROP SCHEMA");
	aw_flinkquery_emit_path(parser);
	if (aw_flinkparser_at(parser, "CASCADE"))
		aw_flinkparser_copy(parser, "CASCADE");
	else
		aw_flinkparser_accept(parser, "RESTRICT");
	aw_flinkparser_end_statement(parser);
}
