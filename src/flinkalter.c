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
static void rename_below(AwFlinkParser *parser, const AwFlinkPath *path, const AwFlinkPath *new,
						 bool is_type);
static void translate_drop_table(AwFlinkParser *parser, bool is_temporary);
static void drop(AwFlinkParser *parser, const char *kind, const char *name);
static void translate_drop_view(AwFlinkParser *parser, bool is_temporary);
static void translate_drop_database(AwFlinkParser *parser);

void
aw_flinkalter_table(AwFlinkParser *parser)
{
	AwFlinkPath *path;

	aw_flinkparser_expect(parser, "ALTER TABLE");
	aw_flinkparser_accept(parser, "IF EXISTS");
	path = aw_flinktable_target(parser, false);
	if (aw_flinkparser_accept(parser, "ADD"))
		translate_added(parser, path);
	else if (aw_flinkparser_accept(parser, "MODIFY WATERMARK FOR"))
		aw_flinkalter_set_watermark(parser, path);
	else if (aw_flinkparser_accept(parser, "DROP WATERMARK"))
		aw_flinkalter_drop_watermark(parser, path);
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

/* RENAME TO name, RENAME column TO column; what a view stands on is renamed with it. */
static void
translate_renamed(AwFlinkParser *parser, const AwFlinkPath *path, const char *kind)
{
	AwFlinkTable *table = aw_flinktable_find(parser, path);
	const char *column = NULL;
	AwFlinkPath *new;

	if (table != NULL && table->is_view)
		kind = "VIEW";
	if (!aw_flinkparser_at(parser, "TO"))
		column = quote_identifier(aw_flinkparser_name(parser));
	aw_flinkparser_expect(parser, "TO");
	if (column != NULL && table != NULL && table->below != '\0')
		aw_flinkparser_unsupported(parser, "RENAME of a column of a table that has become a view", NULL);
	new = aw_flinkquery_path(parser);
	if (column != NULL)
		aw_flinkparser_emit(parser, psprintf("ALTER %s %s RENAME COLUMN %s TO %s", kind, path->sql,
											 column, quote_identifier(new->name)));
	else
		aw_flinkparser_emit(parser, psprintf("ALTER %s %s RENAME TO %s", kind, path->sql,
											 quote_identifier(new->name)));
	aw_flinkparser_end_statement(parser);
	if (column == NULL && table != NULL && table->below != '\0')
		rename_below(parser, path, new, table->below == RELKIND_COMPOSITE_TYPE);
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
	int			query;

	aw_flinkparser_expect(parser, "ALTER VIEW");
	aw_flinkparser_accept(parser, "IF EXISTS");
	path = aw_flinktable_target(parser, false);
	if (aw_flinkparser_accept(parser, "SET WATERMARK FOR"))
		aw_flinkalter_set_watermark(parser, path);
	else if (aw_flinkparser_accept(parser, "DROP WATERMARK"))
		aw_flinkalter_drop_watermark(parser, path);
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
	aw_flinkparser_emit(parser, psprintf("%s::regclass, %s::name, %s::text)",
										 quote_literal_cstr(path->sql), quote_literal_cstr(column),
										 quote_literal_cstr(strategy->sql)));
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
		translate_drop_database(parser);
	else
		aw_flinkparser_unsupported(parser, psprintf("DROP %s", aw_flinkparser_peek(parser, 0)->text),
								   NULL);
}

/* A table may have become a view, on a table or a row type of its own. */
static void
translate_drop_table(AwFlinkParser *parser, bool is_temporary)
{
	bool		if_exists = aw_flinkparser_accept(parser, "IF EXISTS");
	AwFlinkPath *path = aw_flinktable_target(parser, is_temporary);
	AwFlinkTable *table = aw_flinktable_find(parser, path);
	ListCell   *cell;
	bool		is_view = table != NULL && table->is_table && table->is_view;

	aw_flinkparser_emit(parser, psprintf("DROP %s %s%s", is_view ? "VIEW" : "TABLE",
										 if_exists ? "IF EXISTS " : "", path->sql));
	aw_flinkparser_end_statement(parser);
	aw_flinktable_forget(parser, path);
	if (table == NULL || !table->is_table)
		return;
	if (table->below == RELKIND_COMPOSITE_TYPE)
		drop(parser, "TYPE", aw_flinkcreate_derived_name(path, "__row"));
	else if (table->below != '\0')
		drop(parser, "TABLE", aw_flinkcreate_derived_name(path, "__source"));
	foreach(cell, table->row_types)
		drop(parser, "TYPE", lfirst(cell));
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
	AwFlinkPath *path = aw_flinktable_target(parser, is_temporary);
	AwFlinkTable *table = aw_flinktable_find(parser, path);

	if (table != NULL && table->is_table)
		aw_flinkparser_error(&start, psprintf("\"%s\" is a table", path->name));
	aw_flinkparser_emit(parser, psprintf("DROP VIEW %s%s", if_exists ? "IF EXISTS " : "", path->sql));
	aw_flinkparser_end_statement(parser);
	aw_flinktable_forget(parser, path);
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
