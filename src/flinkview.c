/*
 * flinkview.c
 *
 * CREATE VIEW.
 *
 * A view keeps the statement that made it in its comment, for SHOW CREATE.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkexpression.h"
#include "flinkquery.h"
#include "flinkview.h"

static void translate_columns(AwFlinkParser *parser, const AwFlinkPath *path,
								   List **comments);
static void translate_with_watermark(AwFlinkParser *parser, const AwFlinkPath *path,
										  int columns);
static void expect_as(AwFlinkParser *parser);

/*
 * CREATE VIEW v [(columns)] [COMMENT 'c'] [WATERMARK FOR column AS strategy] [AS] query
 *
 * The columns of a watermark are those that come out of the query, so with one the
 * query goes into a subquery.
 */
void
aw_flinkview_create(AwFlinkParser *parser, int start, bool is_temporary)
{
	bool		if_not_exists = aw_flinkparser_accept(parser, "IF NOT EXISTS");
	AwFlinkPath *path = aw_flinkquery_path(parser);
	AwFlinkOutput *output = parser->output;
	List	   *comments = NIL;
	ListCell   *cell;
	int			columns = 0;

	if (if_not_exists && aw_flinkcreate_exists(path))
	{
		ereport(NOTICE, (errmsg("relation \"%s\" already exists, skipping", path->name)));
		while (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_END &&
			   !aw_flinkparser_at_symbol(parser, ";"))
			aw_flinkparser_next(parser);
		return;
	}
	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, is_temporary ? "CREATE TEMPORARY VIEW" : "CREATE VIEW");
	aw_flinkparser_emit(parser, path->sql);
	if (aw_flinkparser_at_symbol(parser, "("))
	{
		columns = parser->at;
		translate_columns(parser, path, &comments);
	}
	if (aw_flinkparser_accept(parser, "COMMENT"))
		aw_flinkparser_string(parser);
	aw_flinkparser_emit(parser, "AS");
	aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	if (aw_flinkparser_at(parser, "WATERMARK FOR"))
		translate_with_watermark(parser, path, columns);
	else
	{
		expect_as(parser);
		parser->names_columns = columns == 0;
		aw_flinkquery_translate(parser);
	}
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
	foreach(cell, comments)
	{
		AwFlinkOption *comment = lfirst(cell);

		aw_flinkcreate_comment(parser, comment->key, comment->value);
	}
	aw_flinkcreate_comment(parser, psprintf("VIEW %s", path->sql),
						   aw_flinkconnector_mask(parser, start, parser->at));
}

/* (name [COMMENT 'c'], ...) */
static void
translate_columns(AwFlinkParser *parser, const AwFlinkPath *path, List **comments)
{
	aw_flinkparser_keyword(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	for (;;)
	{
		const char *name = quote_identifier(aw_flinkparser_name(parser));

		aw_flinkparser_emit(parser, name);
		if (aw_flinkparser_accept(parser, "COMMENT"))
		{
			AwFlinkOption *comment = palloc(sizeof(AwFlinkOption));

			comment->key = psprintf("COLUMN %s.%s", path->sql, name);
			comment->value = aw_flinkparser_string(parser);
			*comments = lappend(*comments, comment);
		}
		if (!aw_flinkparser_at_symbol(parser, ","))
			break;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
	}
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
}

/* The view's own column names name those of the subquery too. */
static void
translate_with_watermark(AwFlinkParser *parser, const AwFlinkPath *path, int columns)
{
	AwFlinkOutput *output = parser->output;
	AwFlinkParser strategy;
	const char *rowtime;

	aw_flinkparser_expect(parser, "WATERMARK FOR");
	rowtime = quote_identifier(aw_flinkparser_name(parser));
	aw_flinkparser_expect(parser, "AS");
	strategy = *parser;
	aw_flinkexpression_skip(parser);
	expect_as(parser);

	aw_flinkparser_emit(parser, "SELECT *");
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, "FROM (");
	aw_flinkoutput_glue_next(output);
	aw_flinkoutput_open_indented(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_EDGE);
	parser->names_columns = columns == 0;
	parser->view_with_watermark = path->name;
	aw_flinkquery_translate(parser);
	parser->view_with_watermark = NULL;
	aw_flinkoutput_close(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_EDGE);
	aw_flinkparser_emit_glued(parser, psprintf(") AS %s", quote_identifier(path->name)));
	if (columns != 0)
	{
		AwFlinkParser names = *parser;
		List	   *comments = NIL;

		names.at = columns;
		translate_columns(&names, path, &comments);
	}
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(&strategy, "WHERE");
	aw_flinkparser_emit_ours(&strategy, "watermark_for");
	aw_flinkparser_emit_open(&strategy);
	aw_flinkparser_emit(&strategy, psprintf("%s,", rowtime));
	aw_flinkexpression_translate(&strategy);
	aw_flinkparser_emit_glued(&strategy, ")");
}

/* AS, which some texts forget before the query of a view. */
static void
expect_as(AwFlinkParser *parser)
{
	if (aw_flinkparser_accept(parser, "AS"))
		return;
	if (!aw_flinkquery_is_next(parser, 0))
		aw_flinkparser_fail(parser, "expected AS");
	ereport(NOTICE, (errmsg("AS is missing before the query of a view")));
}
