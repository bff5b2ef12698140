/*
 * flinkquery.c
 *
 * Queries, and the names of relations.
 *
 * A query is written clause by clause.  What needs more than that is in FROM and
 * ORDER BY, which have modules of their own.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "flinkdatabase.h"
#include "flinkexpression.h"
#include "flinkfrom.h"
#include "flinkorder.h"
#include "flinkquery.h"
#include "flinkstream.h"

static bool begins_query(const AwFlinkToken *token);
static bool is_behind_query(const AwFlinkToken *token);
static void translate_with(AwFlinkParser *parser);
static void translate_set_operations(AwFlinkParser *parser, bool names_columns);
static void translate_term(AwFlinkParser *parser, bool names_columns);
static void translate_select(AwFlinkParser *parser, bool names_columns);
static bool translate_select_list(AwFlinkParser *parser, bool names_columns);
static void refuse_interval_qualifier(const AwFlinkParser *parser);
static void translate_alias(AwFlinkParser *parser, const char *otherwise);
static const char *column_name(const AwFlinkParser *parser, int start, int number);
static void translate_values(AwFlinkParser *parser, bool names_columns);
static void translate_row(AwFlinkParser *parser);
static bool is_row(const AwFlinkParser *parser, int at);
static const char *row_type(const AwFlinkParser *parser, int number);
static bool is_plain_row(const AwFlinkParser *parser);
static bool is_star(const AwFlinkParser *parser);
static void translate_value(AwFlinkParser *parser, const char *type);
static void emit_made_up_names(AwFlinkParser *parser, int row);
static void translate_windows(AwFlinkParser *parser);
static void translate_order_and_limit(AwFlinkParser *parser);
static void clause(AwFlinkParser *parser, const char *keyword);

/* A whole query. */
void
aw_flinkquery_translate(AwFlinkParser *parser)
{
	bool		names_columns = parser->names_columns;
	AwFlinkOrder *outer = parser->order;
	AwFlinkOrder order = {0};

	check_stack_depth();
	parser->names_columns = false;
	order.row_types = parser->row_types;
	parser->row_types = NIL;
	parser->order = &order;
	aw_flinkoutput_open(parser->output);
	if (aw_flinkparser_at(parser, "WITH"))
		translate_with(parser);
	order.at = aw_flinkoutput_here(parser->output);
	translate_set_operations(parser, names_columns);
	translate_order_and_limit(parser);
	aw_flinkoutput_close(parser->output);
	parser->order = outer;
}

/* Does a query begin at a token further on, and not an expression or a join? */
bool
aw_flinkquery_is_next(const AwFlinkParser *parser, int ahead)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, ahead);

	if (!aw_flinktoken_is_symbol(token, "("))
		return begins_query(token);
	return token->opens_query && is_behind_query(parser->tokens + token->closing + 1);
}

/*
 * Marks the parentheses that a query begins within, directly or in parentheses that
 * are followed by what follows a query.  From the last one to the first, so that none
 * is looked into twice.
 */
void
aw_flinkquery_mark(AwFlinkToken *tokens, int n_tokens)
{
	for (int i = n_tokens - 2; i >= 0; i--)
	{
		const AwFlinkToken *inner = &tokens[i + 1];

		if (!aw_flinktoken_is_symbol(&tokens[i], "(") || tokens[i].closing == 0)
			continue;
		tokens[i].opens_query = begins_query(inner) ||
			(inner->opens_query && is_behind_query(&tokens[inner->closing + 1]));
	}
}

/* Is it the first word of a query, or TABLE before a name? */
static bool
begins_query(const AwFlinkToken *token)
{
	if (aw_flinktoken_is_word(token, "TABLE"))
		return aw_flinktoken_is_name(token + 1);
	return aw_flinktoken_is_word(token, "SELECT") || aw_flinktoken_is_word(token, "WITH") ||
		aw_flinktoken_is_word(token, "VALUES");
}

/* May a token follow a query in parentheses that are within others? */
static bool
is_behind_query(const AwFlinkToken *token)
{
	static const char *const behind[] = {
		"EXCEPT", "FETCH", "INTERSECT", "LIMIT", "MINUS", "OFFSET", "ORDER", "UNION"
	};

	for (size_t i = 0; i < lengthof(behind); i++)
	{
		if (aw_flinktoken_is_word(token, behind[i]))
			return true;
	}
	return aw_flinktoken_is_symbol(token, ")");
}

/* A query in parentheses, which stand here. */
void
aw_flinkquery_in_parentheses(AwFlinkParser *parser)
{
	aw_flinkoutput_open(parser->output);
	aw_flinkparser_emit(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	aw_flinkparser_expect_symbol(parser, "(");
	aw_flinkoutput_open_indented(parser->output);
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_EDGE);
	parser->names_columns |= parser->reads_made_up;
	aw_flinkquery_translate(parser);
	aw_flinkoutput_close(parser->output);
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_EDGE);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
	aw_flinkoutput_close(parser->output);
}

/* Passes the name of a relation. */
AwFlinkPath *
aw_flinkquery_path(AwFlinkParser *parser)
{
	AwFlinkPath *path = palloc0(sizeof(AwFlinkPath));
	bool		is_default = aw_flinkquery_skip_default_names(parser);

	if (is_default)
		path->schema = aw_flinkdatabase_default(parser);
	path->name = aw_flinkparser_name(parser);
	if (!is_default && aw_flinkparser_accept_symbol(parser, "."))
	{
		path->schema = path->name;
		path->name = aw_flinkparser_name(parser);
	}
	if (aw_flinkparser_at_symbol(parser, "."))
		aw_flinkparser_unsupported(parser, "a catalog", "A database of Flink is a schema here.");
	path->sql = path->schema == NULL ? quote_identifier(path->name) :
		quote_qualified_identifier(path->schema, path->name);
	return path;
}

/* Passes the name of a relation that is read, and writes it. */
void
aw_flinkquery_emit_path(AwFlinkParser *parser)
{
	int			source = aw_flinkparser_peek(parser, 0)->start;
	AwFlinkPath *path = aw_flinkquery_path(parser);

	aw_flinkstream_note(parser, path);
	aw_flinkoutput_word(parser->output, path->sql, source);
}

/* Passes default_catalog. and default_database., and tells whether the latter was there. */
bool
aw_flinkquery_skip_default_names(AwFlinkParser *parser)
{
	static const char *const defaults[] = {"default_catalog", "default_database"};
	bool		is_database = false;

	for (size_t i = 0; i < lengthof(defaults); i++)
	{
		const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

		if (!aw_flinktoken_is_name(token) || strcmp(aw_flinktoken_name(token), defaults[i]) != 0 ||
			!aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "."))
			continue;
		parser->at += 2;
		is_database = i == 1;
	}
	return is_database;
}

static void
translate_with(AwFlinkParser *parser)
{
	aw_flinkparser_copy(parser, "WITH");
	do
	{
		AwFlinkPath *path = aw_flinkquery_path(parser);

		aw_flinkparser_emit(parser, path->sql);
		aw_flinkfrom_column_names(parser);
		aw_flinkparser_copy(parser, "AS");
		aw_flinkquery_in_parentheses(parser);
		if (aw_flinkparser_at_symbol(parser, ","))
			aw_flinkparser_emit_glued(parser, ",");
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
	} while (aw_flinkparser_accept_symbol(parser, ","));
}

static void
translate_set_operations(AwFlinkParser *parser, bool names_columns)
{
	translate_term(parser, names_columns);
	while (aw_flinkparser_at(parser, "UNION") || aw_flinkparser_at(parser, "INTERSECT") ||
		   aw_flinkparser_at(parser, "EXCEPT") || aw_flinkparser_at(parser, "MINUS"))
	{
		parser->order->has_terms = true;
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
		if (aw_flinkparser_at(parser, "MINUS"))
			aw_flinkparser_keyword(parser, "EXCEPT");
		else
			aw_flinkparser_keyword(parser, aw_flinkparser_peek(parser, 0)->text);
		if (aw_flinkparser_at(parser, "ALL"))
			aw_flinkparser_copy(parser, "ALL");
		else if (aw_flinkparser_at(parser, "DISTINCT"))
			aw_flinkparser_copy(parser, "DISTINCT");
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
		translate_term(parser, false);
	}
}

/* What set operations work on. */
static void
translate_term(AwFlinkParser *parser, bool names_columns)
{
	if (aw_flinkparser_at_symbol(parser, "("))
	{
		parser->names_columns = names_columns;
		parser->row_types = parser->order->row_types;
		aw_flinkquery_in_parentheses(parser);
	}
	else if (aw_flinkparser_at(parser, "VALUES"))
		translate_values(parser, names_columns);
	else if (aw_flinkparser_at(parser, "TABLE"))
	{
		aw_flinkparser_copy(parser, "TABLE");
		aw_flinkquery_emit_path(parser);
	}
	else
		translate_select(parser, names_columns);
}

static void
translate_select(AwFlinkParser *parser, bool names_columns)
{
	bool		has_star;

	aw_flinkparser_copy(parser, "SELECT");
	parser->order->is_distinct = aw_flinkparser_at(parser, "DISTINCT");
	if (parser->order->is_distinct)
		aw_flinkparser_copy(parser, "DISTINCT");
	else
		aw_flinkparser_accept(parser, "ALL");
	has_star = translate_select_list(parser, names_columns);
	if (aw_flinkparser_at(parser, "FROM"))
	{
		clause(parser, "FROM");
		aw_flinkfrom_translate(parser, has_star);
	}
	if (aw_flinkparser_at(parser, "WHERE"))
	{
		clause(parser, "WHERE");
		aw_flinkexpression_condition(parser);
	}
	if (aw_flinkparser_at(parser, "GROUP BY"))
	{
		clause(parser, "GROUP BY");
		aw_flinkoutput_open_indented(parser->output);
		if (aw_flinkparser_at(parser, "ALL"))
			aw_flinkparser_copy(parser, "ALL");
		else if (aw_flinkparser_at(parser, "DISTINCT"))
			aw_flinkparser_copy(parser, "DISTINCT");
		aw_flinkexpression_list(parser);
		aw_flinkoutput_close(parser->output);
	}
	if (aw_flinkparser_at(parser, "HAVING"))
	{
		clause(parser, "HAVING");
		aw_flinkexpression_condition(parser);
	}
	if (aw_flinkparser_at(parser, "WINDOW"))
		translate_windows(parser);
	if (aw_flinkparser_at(parser, "QUALIFY"))
		aw_flinkparser_unsupported(parser, "QUALIFY", "Filter in a query around it.");
}

/* Tells whether all columns of FROM are asked for. */
static bool
translate_select_list(AwFlinkParser *parser, bool names_columns)
{
	bool		has_star = false;
	int			number = 0;

	aw_flinkoutput_open_indented(parser->output);
	for (;;)
	{
		int			start = parser->at;
		int			end;

		has_star |= aw_flinkparser_at_symbol(parser, "*");
		aw_flinkoutput_open(parser->output);
		translate_value(parser, parser->order->has_star || is_star(parser) ? NULL :
						row_type(parser, number));
		end = parser->at;
		translate_alias(parser, names_columns ? column_name(parser, start, number) : NULL);
		if (parser->at > end)
			aw_flinkorder_add_alias(parser, start, end);
		else
			aw_flinkorder_add_column(parser, start, end);
		aw_flinkoutput_close(parser->output);
		number++;
		if (!aw_flinkparser_at_symbol(parser, ","))
			break;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
	}
	aw_flinkoutput_close(parser->output);
	return has_star;
}

/* (a - b) DAY: a unit is no alias, since Flink reserves its name. */
static void
refuse_interval_qualifier(const AwFlinkParser *parser)
{
	static const char *const units[] = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};

	for (size_t i = 0; i < lengthof(units); i++)
	{
		if (aw_flinkparser_at(parser, units[i]))
			aw_flinkparser_unsupported(parser, "a unit of time behind an expression",
									   "Use TIMESTAMPDIFF.");
	}
}

/* The alias of a column, or another if there is one. */
static void
translate_alias(AwFlinkParser *parser, const char *otherwise)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

	refuse_interval_qualifier(parser);
	if (aw_flinkparser_accept(parser, "AS") ||
		(aw_flinktoken_is_name(token) && !aw_flinkexpression_is_clause(parser, 0)))
	{
		aw_flinkparser_emit(parser, "AS");
		aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
		aw_flinkparser_name(parser);
	}
	else if (otherwise != NULL)
	{
		aw_flinkparser_emit(parser, "AS");
		aw_flinkparser_emit(parser, quote_identifier(otherwise));
	}
}

/*
 * What Flink calls a column without an alias, where PostgreSQL would call it
 * otherwise: EXPR$ and its number, counted from 0, or a clock's own name.
 */
static const char *
column_name(const AwFlinkParser *parser, int start, int number)
{
	static const char *const clocks[] = {
		"current_date", "current_time", "current_timestamp", "localtime"
	};
	bool		is_name = true;

	for (int i = start; i < parser->at; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];

		is_name &= aw_flinktoken_is_name(token) || aw_flinktoken_is_symbol(token, ".") ||
			(aw_flinktoken_is_symbol(token, "*") && (i == start || i == parser->at - 1));
	}
	if (!is_name)
		return psprintf("EXPR$%d", number);
	for (size_t i = 0; i < lengthof(clocks); i++)
	{
		if (aw_flinktoken_is_word(&parser->tokens[start], clocks[i]))
			return clocks[i];
	}
	return NULL;
}

/* Rows of constants; their columns have names where a query's would have. */
static void
translate_values(AwFlinkParser *parser, bool names_columns)
{
	int			row = parser->at + 1;

	if (names_columns)
	{
		aw_flinkparser_emit(parser, "SELECT * FROM (");
		aw_flinkoutput_glue_next(parser->output);
	}
	aw_flinkparser_copy(parser, "VALUES");
	aw_flinkoutput_open_indented(parser->output);
	for (;;)
	{
		translate_row(parser);
		if (!aw_flinkparser_at_symbol(parser, ","))
			break;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
	}
	aw_flinkoutput_close(parser->output);
	if (names_columns)
	{
		aw_flinkparser_emit_glued(parser, ")");
		aw_flinkparser_emit(parser, psprintf("AS %s", aw_flinkfrom_made_up_alias(parser)));
		emit_made_up_names(parser, row);
	}
}

/* A row of VALUES: (1, 2), ROW(1, 2), or 1 for a row of one value. */
static void
translate_row(AwFlinkParser *parser)
{
	bool		is_in_parentheses = is_row(parser, parser->at);

	if (is_in_parentheses)
		aw_flinkparser_accept(parser, "ROW");
	if (is_in_parentheses && parser->order->row_types == NIL)
	{
		aw_flinkexpression_translate(parser);
		return;
	}
	aw_flinkparser_emit(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	if (is_in_parentheses)
		aw_flinkparser_expect_symbol(parser, "(");
	for (int number = 0;; number++)
	{
		translate_value(parser, is_plain_row(parser) ? NULL : row_type(parser, number));
		if (!is_in_parentheses || !aw_flinkparser_at_symbol(parser, ","))
			break;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
	}
	aw_flinkparser_emit_glued(parser, ")");
	if (is_in_parentheses)
		aw_flinkparser_expect_symbol(parser, ")");
}

/* What a column of the query is to become; NULL: what it is. */
static const char *
row_type(const AwFlinkParser *parser, int number)
{
	List	   *types = parser->order->row_types;

	return number < list_length(types) ? list_nth(types, number) : NULL;
}

/*
 * Is it a value of VALUES that PostgreSQL makes a row of the column's type itself?  An array
 * of rows is not, wherever it stands.
 */
static bool
is_plain_row(const AwFlinkParser *parser)
{
	AwFlinkParser look = *parser;
	bool		has_array = false;

	aw_flinkparser_skip(&look);
	for (int i = parser->at; i < look.at; i++)
		has_array |= aw_flinktoken_is_word(&parser->tokens[i], "ARRAY");
	return !has_array && (aw_flinkparser_at(parser, "ROW") || aw_flinkparser_at(parser, "NULL") ||
						  aw_flinkparser_at_symbol(parser, "?"));
}

/* Do all columns, or those of one table, stand here? */
static bool
is_star(const AwFlinkParser *parser)
{
	int			ahead = 0;

	while (aw_flinktoken_is_name(aw_flinkparser_peek(parser, ahead)) &&
		   aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, ahead + 1), "."))
		ahead += 2;
	return aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, ahead), "*");
}

/* An expression, made a value of a type, unless that is NULL. */
static void
translate_value(AwFlinkParser *parser, const char *type)
{
	if (type != NULL)
	{
		aw_flinkparser_emit(parser, "flink.to_row");
		aw_flinkparser_emit_open(parser);
	}
	aw_flinkexpression_translate(parser);
	if (type != NULL)
	{
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_emit(parser, psprintf("NULL::%s)", type));
	}
}

/* Do parentheses stand at a token, and are they not part of an expression? */
static bool
is_row(const AwFlinkParser *parser, int at)
{
	const AwFlinkToken *token;

	if (aw_flinktoken_is_word(&parser->tokens[at], "ROW"))
		at++;
	if (!aw_flinktoken_is_symbol(&parser->tokens[at], "("))
		return false;
	token = &parser->tokens[aw_flinkparser_closing(parser, at) + 1];
	return token->kind != AW_FLINK_SYMBOL || strchr(",);", token->text[0]) != NULL;
}

/* EXPR$0 and so on, for the columns of the row that begins at a token. */
static void
emit_made_up_names(AwFlinkParser *parser, int row)
{
	AwFlinkParser look = *parser;
	int			number = 0;

	look.at = row;
	if (is_row(parser, row))
	{
		aw_flinkparser_accept(&look, "ROW");
		aw_flinkparser_next(&look);
	}
	aw_flinkparser_emit(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	do
	{
		if (number > 0)
			aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_emit(parser, psprintf("\"EXPR$%d\"", number++));
		aw_flinkparser_skip(&look);
	} while (is_row(parser, row) && aw_flinkparser_accept_symbol(&look, ","));
	aw_flinkparser_emit_glued(parser, ")");
}

static void
translate_windows(AwFlinkParser *parser)
{
	clause(parser, "WINDOW");
	for (;;)
	{
		aw_flinkparser_emit(parser, quote_identifier(aw_flinkparser_name(parser)));
		aw_flinkparser_copy(parser, "AS");
		aw_flinkexpression_window(parser);
		if (!aw_flinkparser_at_symbol(parser, ","))
			return;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
	}
}

static void
translate_order_and_limit(AwFlinkParser *parser)
{
	if (aw_flinkparser_at(parser, "ORDER BY"))
		aw_flinkorder_translate(parser);
	if (aw_flinkparser_at(parser, "LIMIT"))
	{
		clause(parser, "LIMIT");
		aw_flinkexpression_translate(parser);
	}
	if (aw_flinkparser_at(parser, "OFFSET"))
	{
		clause(parser, "OFFSET");
		aw_flinkexpression_translate(parser);
		if (!aw_flinkparser_accept(parser, "ROWS"))
			aw_flinkparser_accept(parser, "ROW");
	}
	if (aw_flinkparser_at(parser, "FETCH"))
	{
		aw_flinkparser_expect(parser, "FETCH");
		if (!aw_flinkparser_accept(parser, "FIRST"))
			aw_flinkparser_expect(parser, "NEXT");
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
		aw_flinkparser_emit(parser, "LIMIT");
		aw_flinkexpression_translate(parser);
		if (!aw_flinkparser_accept(parser, "ROWS"))
			aw_flinkparser_expect(parser, "ROW");
		aw_flinkparser_expect(parser, "ONLY");
	}
}

/* Begins a clause. */
static void
clause(AwFlinkParser *parser, const char *keyword)
{
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_copy(parser, keyword);
}
