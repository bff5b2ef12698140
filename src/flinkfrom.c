/*
 * flinkfrom.c
 *
 * The clause FROM: tables, subqueries, joins.
 *
 * A table function of Flink takes a table and gives it back with columns added.  In
 * PostgreSQL the table stands in FROM, and the function behind it; together they are
 * a subquery, so that its alias names all columns.  Where it is all that FROM has,
 * and has no alias, the subquery is left out.
 *
 * To Flink a comma is a join like others, and all go from left to right; in PostgreSQL
 * it joins last.  A comma that a JOIN follows is written CROSS JOIN.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "flinkexpression.h"
#include "flinkfrom.h"
#include "flinkfunction.h"
#include "flinkquery.h"
#include "flinktablefunction.h"
#include "flinktemporal.h"

static bool is_single_table_function(const AwFlinkParser *parser);
static bool is_join(const AwFlinkParser *parser);
static bool has_join_ahead(const AwFlinkParser *parser);
static void translate_joined(AwFlinkParser *parser);
static bool translate_join(AwFlinkParser *parser);
static bool translate_item(AwFlinkParser *parser);
static bool translate_lateral(AwFlinkParser *parser);
static bool is_unnested_rows(const AwFlinkParser *parser);
static void translate_unnested_rows(AwFlinkParser *parser);
static void translate_function(AwFlinkParser *parser);
static bool translate_in_parentheses(AwFlinkParser *parser);
static void translate_relation(AwFlinkParser *parser);
static void refuse_behind_item(AwFlinkParser *parser);
static void translate_alias(AwFlinkParser *parser, bool is_needed);
static void translate_condition(AwFlinkParser *parser);

/* What stands behind FROM.  has_star: the select list asks for all columns of it. */
void
aw_flinkfrom_translate(AwFlinkParser *parser, bool has_star)
{
	if (is_single_table_function(parser))
	{
		aw_flinktablefunction_flat(parser, has_star);
		refuse_behind_item(parser);
		return;
	}
	translate_joined(parser);
	while (aw_flinkparser_at_symbol(parser, ","))
	{
		if (has_join_ahead(parser))
		{
			aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
			aw_flinkparser_keyword(parser, "CROSS JOIN");
			translate_joined(parser);
			continue;
		}
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
		aw_flinkoutput_open_indented(parser->output);
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
		translate_joined(parser);
		aw_flinkoutput_close(parser->output);
	}
}

/* Names of columns in parentheses, if they stand here; returns them, not quoted. */
List *
aw_flinkfrom_column_names(AwFlinkParser *parser)
{
	List	   *names = NIL;

	if (!aw_flinkparser_at_symbol(parser, "("))
		return NIL;
	aw_flinkparser_keyword(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	for (;;)
	{
		names = lappend(names, aw_flinkparser_name(parser));
		aw_flinkparser_emit(parser, quote_identifier(llast(names)));
		if (!aw_flinkparser_at_symbol(parser, ","))
			break;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
	}
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
	return names;
}

/* An alias for what Flink lets go without. */
char *
aw_flinkfrom_made_up_alias(AwFlinkParser *parser)
{
	return psprintf("subquery_%d", ++parser->n_aliases);
}

/* Is one table function, without an alias, all that stands in FROM? */
static bool
is_single_table_function(const AwFlinkParser *parser)
{
	AwFlinkParser look = *parser;

	if (!aw_flinktablefunction_is_next(parser))
		return false;
	while (!aw_flinkparser_at_symbol(&look, "("))
		look.at++;
	look.at = aw_flinkparser_closing(&look, look.at) + 1;
	if (aw_flinkparser_at_symbol(&look, ",") || is_join(&look) ||
		aw_flinkparser_at(&look, "AS"))
		return false;
	return !aw_flinktoken_is_name(aw_flinkparser_peek(&look, 0)) ||
		aw_flinkexpression_is_clause(&look, 0);
}

static bool
is_join(const AwFlinkParser *parser)
{
	static const char *const words[] = {"CROSS", "FULL", "INNER", "JOIN", "LEFT", "NATURAL", "RIGHT"};

	for (size_t i = 0; i < lengthof(words); i++)
	{
		if (aw_flinkparser_at(parser, words[i]))
			return true;
	}
	return false;
}

/* Does a JOIN stand further on in this FROM?  The clauses that end it are reserved words. */
static bool
has_join_ahead(const AwFlinkParser *parser)
{
	static const char *const ends[] = {
		"EXCEPT", "FETCH", "GROUP", "HAVING", "INTERSECT", "LIMIT", "MINUS", "OFFSET", "ORDER",
		"QUALIFY", "UNION", "WHERE", "WINDOW"
	};

	for (int i = parser->at; i < parser->end; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];

		if (aw_flinktoken_is_word(token, "JOIN"))
			return true;
		if (token->kind == AW_FLINK_SYMBOL && strchr(");", token->text[0]) != NULL)
			return false;
		if (token->closing != 0)
			i = token->closing;
		for (size_t j = 0; j < lengthof(ends); j++)
		{
			if (aw_flinktoken_is_word(token, ends[j]))
				return false;
		}
	}
	return false;
}

/* An item, and all that is joined to it. */
static void
translate_joined(AwFlinkParser *parser)
{
	bool		needs_alias = translate_item(parser);

	translate_alias(parser, needs_alias);
	while (translate_join(parser))
		;
}

/* The next join; false if there is none. */
static bool
translate_join(AwFlinkParser *parser)
{
	static const char *const words[] = {
		"NATURAL", "CROSS", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "JOIN"
	};
	bool		needs_alias;

	if (!is_join(parser))
		return false;
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
	for (size_t i = 0; i < lengthof(words); i++)
	{
		if (i == lengthof(words) - 1 || aw_flinkparser_at(parser, words[i]))
			aw_flinkparser_copy(parser, words[i]);
	}
	if (aw_flinktemporal_is_next(parser))
	{
		aw_flinktemporal_join(parser);
		return true;
	}
	needs_alias = translate_item(parser);
	translate_alias(parser, needs_alias);
	translate_condition(parser);
	return true;
}

/* An item without its alias; tells whether PostgreSQL needs one. */
static bool
translate_item(AwFlinkParser *parser)
{
	check_stack_depth();
	if (aw_flinktablefunction_is_next(parser))
	{
		aw_flinktablefunction_subquery(parser);
		return true;
	}
	if (aw_flinkparser_at_symbol(parser, "("))
		return translate_in_parentheses(parser);
	if (aw_flinkparser_at(parser, "LATERAL") ||
		(aw_flinkparser_at(parser, "TABLE") &&
		 aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "(")))
		return translate_lateral(parser);
	if (is_unnested_rows(parser))
	{
		translate_unnested_rows(parser);
		return true;
	}
	if (aw_flinkfunction_is_call(parser))
	{
		translate_function(parser);
		if (aw_flinkparser_at(parser, "WITH ORDINALITY"))
			aw_flinkparser_copy(parser, "WITH ORDINALITY");
		return false;
	}
	translate_relation(parser);
	return false;
}

/* LATERAL (query), LATERAL TABLE(f(x)), TABLE(f(x)) */
static bool
translate_lateral(AwFlinkParser *parser)
{
	if (aw_flinkparser_at(parser, "LATERAL"))
		aw_flinkparser_copy(parser, "LATERAL");
	if (aw_flinkparser_at_symbol(parser, "("))
	{
		aw_flinkquery_in_parentheses(parser);
		return true;
	}
	if (aw_flinkparser_accept(parser, "TABLE"))
	{
		aw_flinkparser_expect_symbol(parser, "(");
		if (!aw_flinkfunction_is_call(parser))
			aw_flinkparser_fail(parser, "expected a table function");
		translate_function(parser);
		aw_flinkparser_expect_symbol(parser, ")");
		return false;
	}
	if (!aw_flinkfunction_is_call(parser))
		aw_flinkparser_fail(parser, "expected a table function");
	translate_function(parser);
	return false;
}

/* Does UNNEST(ARRAY[ROW(1, 'a'), ...]) stand here? */
static bool
is_unnested_rows(const AwFlinkParser *parser)
{
	const AwFlinkToken *value = aw_flinkparser_peek(parser, 2);

	if (!aw_flinkparser_at(parser, "UNNEST") ||
		!aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 3), "["))
		return false;
	if (aw_flinktoken_is_word(value, "MAP"))
		aw_flinkparser_unsupported(parser, "UNNEST of a MAP", "Use jsonb_each().");
	return aw_flinktoken_is_word(value, "ARRAY") &&
		aw_flinktoken_is_word(aw_flinkparser_peek(parser, 4), "ROW") &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 5), "(");
}

/* PostgreSQL would not know the columns of such rows in an array; those of VALUES it does. */
static void
translate_unnested_rows(AwFlinkParser *parser)
{
	aw_flinkparser_emit(parser, "LATERAL (");
	aw_flinkoutput_glue_next(parser->output);
	aw_flinkparser_emit(parser, "VALUES");
	parser->at += 4;
	do
	{
		aw_flinkparser_expect(parser, "ROW");
		if (!aw_flinkparser_at_symbol(parser, "("))
			aw_flinkparser_fail(parser, "expected \"(\"");
		aw_flinkexpression_translate(parser);
		if (aw_flinkparser_at_symbol(parser, ","))
			aw_flinkparser_emit_glued(parser, ",");
	} while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, "]");
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
	if (aw_flinkparser_at(parser, "WITH ORDINALITY"))
		aw_flinkparser_unsupported(parser, "WITH ORDINALITY behind UNNEST of rows", NULL);
}

/* A function in FROM; one of Flink's that takes a table, or names arguments, is not known here. */
static void
translate_function(AwFlinkParser *parser)
{
	const AwFlinkToken *argument = aw_flinkparser_peek(parser, 2);
	const AwFlinkToken *next = aw_flinkparser_peek(parser, 3);

	if ((aw_flinktoken_is_word(argument, "TABLE") && aw_flinktoken_is_name(next)) ||
		aw_flinktoken_is_symbol(next, "=>"))
		aw_flinkparser_unsupported(parser, psprintf("table function %s",
													aw_flinkparser_peek(parser, 0)->text), NULL);
	aw_flinkfunction_translate(parser);
}

/* A subquery or a join. */
static bool
translate_in_parentheses(AwFlinkParser *parser)
{
	if (aw_flinkquery_is_next(parser, 1))
	{
		aw_flinkquery_in_parentheses(parser);
		return true;
	}
	aw_flinkparser_keyword(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	translate_joined(parser);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
	return false;
}

static void
translate_relation(AwFlinkParser *parser)
{
	if (aw_flinkexpression_is_clause(parser, 0))
		aw_flinkparser_fail(parser, "expected a table");
	aw_flinkquery_emit_path(parser);
}

/* What Flink knows behind a table, or what stands for one, and PostgreSQL does not. */
static void
refuse_behind_item(AwFlinkParser *parser)
{
	if (aw_flinkparser_at(parser, "WATERMARK FOR"))
	{
		if (parser->view_with_watermark == NULL)
			aw_flinkparser_unsupported(parser, "WATERMARK FOR in FROM",
									   "Write APPLY_WATERMARK(TABLE name, DESCRIPTOR(column), strategy).");
		aw_flinkparser_error(parser, psprintf("view \"%s\" already has a watermark definition",
											 parser->view_with_watermark));
	}
	if (aw_flinkparser_at(parser, "FOR SYSTEM_TIME"))
		aw_flinkparser_unsupported(parser, "FOR SYSTEM_TIME outside JOIN", NULL);
	if (aw_flinkparser_at(parser, "MATCH_RECOGNIZE"))
		aw_flinkparser_unsupported(parser, "MATCH_RECOGNIZE", NULL);
	if (aw_flinkparser_at(parser, "TABLESAMPLE"))
		aw_flinkparser_unsupported(parser, "TABLESAMPLE", NULL);
}

/* The alias of an item and its columns; one is made up if it is needed. */
static void
translate_alias(AwFlinkParser *parser, bool is_needed)
{
	bool		has_as;

	refuse_behind_item(parser);
	has_as = aw_flinkparser_accept(parser, "AS");
	if (has_as || (aw_flinktoken_is_name(aw_flinkparser_peek(parser, 0)) &&
				   !aw_flinkexpression_is_clause(parser, 0)))
	{
		aw_flinkparser_emit(parser, "AS");
		aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
		aw_flinkparser_name(parser);
		aw_flinkfrom_column_names(parser);
		refuse_behind_item(parser);
	}
	else if (is_needed)
		aw_flinkparser_emit(parser, psprintf("AS %s", aw_flinkfrom_made_up_alias(parser)));
}

static void
translate_condition(AwFlinkParser *parser)
{
	if (aw_flinkparser_at(parser, "ON"))
	{
		aw_flinkoutput_open_indented(parser->output);
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
		aw_flinkparser_copy(parser, "ON");
		aw_flinkexpression_translate(parser);
		aw_flinkoutput_close(parser->output);
	}
	else if (aw_flinkparser_at(parser, "USING"))
	{
		aw_flinkparser_copy(parser, "USING");
		aw_flinkfrom_column_names(parser);
	}
}
