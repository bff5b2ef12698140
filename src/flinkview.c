/*
 * flinkview.c
 *
 * CREATE VIEW.
 *
 * A view keeps its query in its comment, as it was given, for SHOW CREATE.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "flinkalter.h"
#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkdeclaration.h"
#include "flinkexpression.h"
#include "flinkquery.h"
#include "flinktable.h"
#include "flinkview.h"
#include "relationcomment.h"

static void translate_columns(AwFlinkParser *parser, const AwFlinkPath *path,
								   List **comments);
static void skip_watermark(AwFlinkParser *parser);
static void expect_as(AwFlinkParser *parser);

/* CREATE VIEW v [(columns)] [COMMENT 'c'] [WATERMARK FOR column AS strategy] [AS] query */
void
aw_flinkview_create(AwFlinkParser *parser, bool is_temporary)
{
	bool		if_not_exists = aw_flinkparser_accept(parser, "IF NOT EXISTS");
	AwFlinkPath *path = aw_flinkdeclaration_path(parser, is_temporary);
	AwFlinkOutput *output = parser->output;
	AwFlinkTable *view = palloc0(sizeof(AwFlinkTable));
	List	   *comments = NIL;
	ListCell   *cell;
	bool		has_columns = false;
	bool		has_watermark = false;
	AwFlinkParser watermark;
	const char *own_comment = NULL;
	int			query;

	if (if_not_exists && aw_flinktable_exists(parser, path, is_temporary))
	{
		ereport(NOTICE, (errmsg("relation \"%s\" already exists, skipping", path->name)));
		aw_flinkparser_skip_statement(parser);
		return;
	}
	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, is_temporary ? "CREATE TEMPORARY VIEW" : "CREATE VIEW");
	aw_flinkparser_emit(parser, path->sql);
	if (aw_flinkparser_at_symbol(parser, "("))
	{
		has_columns = true;
		translate_columns(parser, path, &comments);
	}
	if (aw_flinkparser_accept(parser, "COMMENT"))
		own_comment = aw_flinkparser_string(parser);
	if (aw_flinkparser_accept(parser, "WATERMARK FOR"))
	{
		watermark = *parser;
		has_watermark = true;
		skip_watermark(parser);
	}
	aw_flinkparser_emit(parser, "AS");
	aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	expect_as(parser);
	query = parser->at;
	parser->names_columns = !has_columns;
	parser->view_with_watermark = has_watermark ? path->name : NULL;
	parser->reads_table = parser->reads_stream = false;
	aw_flinkquery_translate(parser);
	view->is_stream = parser->reads_stream || (has_watermark && parser->reads_table);
	parser->view_with_watermark = NULL;
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
	if (has_watermark)
		view->strategy = aw_flinkalter_set_watermark(&watermark, path, &view->rowtime);
	foreach(cell, comments)
	{
		AwFlinkOption *comment = lfirst(cell);

		aw_flinkcreate_comment(parser, comment->key, comment->value);
	}
	aw_flinkview_comment(parser, path, own_comment, query);
	view->is_view = true;
	view->comment = own_comment;
	view->has_comments = comments != NIL;
	aw_flinktable_remember(parser, path, is_temporary, view);
}

/*
 * Keeps the query of a view as it was given, for SHOW CREATE, behind a comment of its
 * own.  query: the number of its first token; the parser is behind its last one.
 */
void
aw_flinkview_comment(AwFlinkParser *parser, const AwFlinkPath *path, const char *own_comment,
					 int query)
{
	char	   *text = aw_flinkparser_text(parser, query, parser->at);

	aw_flinkcreate_comment(parser, psprintf("VIEW %s", path->sql),
						   aw_relationcomment_join(own_comment, psprintf("AS %s", text)));
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

/* Passes what stands behind WATERMARK FOR. */
static void
skip_watermark(AwFlinkParser *parser)
{
	aw_flinkparser_name(parser);
	aw_flinkparser_expect(parser, "AS");
	aw_flinkexpression_skip(parser);
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
