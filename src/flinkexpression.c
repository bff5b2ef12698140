/*
 * flinkexpression.c
 *
 * Expressions: everything in which values are computed.
 *
 * Operators mean the same in both dialects, so an expression is copied token by
 * token, and only what differs is translated: names, constants, casts, functions,
 * the order of NULLs, subqueries.  An expression ends where a token cannot belong
 * to it: at a comma, at a closing parenthesis, at a clause, or at a name behind a
 * complete operand, which is an alias.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "flinkconstant.h"
#include "flinkexpression.h"
#include "flinkfunction.h"
#include "flinkorder.h"
#include "flinkquery.h"

/* A keyword inside an expression. */
typedef struct Keyword
{
	const char *word;
	bool		is_operand;		/* a value stands there, not an operator */
} Keyword;

static const Keyword keywords[] = {
	{"ALL", false}, {"AND", false}, {"ANY", false}, {"ASYMMETRIC", false},
	{"BETWEEN", false}, {"DISTINCT", false}, {"ESCAPE", false}, {"EXISTS", false},
	{"FALSE", true}, {"GROUPING SETS", false}, {"IN", false}, {"NOT", false},
	{"NULL", true}, {"OR", false}, {"OVERLAPS", false}, {"SIMILAR TO", false},
	{"SOME", false}, {"SYMMETRIC", false}, {"TRUE", true},
};

/* The value that was written last, if the next token may work on it. */
typedef struct Operand
{
	bool		is_there;
	int			at;				/* where it begins in the output */
	bool		takes_subscript;	/* "[" may follow without parentheses around it */
	bool		takes_field;	/* "." may */
	bool		is_date;		/* by its own text */
} Operand;

/* Words that begin what comes behind an expression. */
static const char *const clauses[] = {
	"AS", "CROSS", "ELSE", "END", "EXCEPT", "FETCH", "FOR", "FROM", "FULL", "GROUP", "HAVING",
	"INNER", "INTERSECT", "INTO", "JOIN", "LIMIT", "MATCH_RECOGNIZE", "MINUS", "NATURAL",
	"OFFSET", "ON", "ORDER", "QUALIFY", "SELECT", "SET", "TABLESAMPLE", "THEN", "UNION", "USING",
	"VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
};

/*
 * Functions without parentheses, whose values Flink cuts to milliseconds or seconds,
 * where PostgreSQL would round.  All of a statement show the same moment.
 */
static const struct
{
	const char *flink;
	const char *postgres;
}			clock_words[] = {
	{"CURRENT_DATE", "flink.localtimestamp()::date"},
	{"CURRENT_TIME", "date_trunc('second', flink.localtimestamp())::time(0)"},
	{"CURRENT_TIMESTAMP", "flink.now()::timestamptz(3)"},
	{"LOCALTIME", "date_trunc('second', flink.localtimestamp())::time(0)"},
	{"LOCALTIMESTAMP", "flink.localtimestamp()::timestamp(3)"},
};

static void translate_operand(AwFlinkParser *parser, Operand *operand);
static bool is_date(const AwFlinkParser *parser);
static bool translate_symbol(AwFlinkParser *parser, Operand *operand);
static void translate_operator(AwFlinkParser *parser, Operand *operand);
static void translate_date_arithmetic(AwFlinkParser *parser, const Operand *operand);
static void enclose(AwFlinkParser *parser, const Operand *operand);
static void translate_field(AwFlinkParser *parser);
static bool translate_keyword(AwFlinkParser *parser, Operand *operand);
static bool may_have_backslash(const AwFlinkParser *parser);
static void end_pattern(AwFlinkParser *parser);
static bool translate_clock(AwFlinkParser *parser);
static void translate_parentheses(AwFlinkParser *parser);
static void translate_subscript(AwFlinkParser *parser);
static void refuse_array_of_arrays(AwFlinkParser *parser);
static void translate_map(AwFlinkParser *parser);
static void translate_case(AwFlinkParser *parser);
static void translate_is(AwFlinkParser *parser);
static void translate_name(AwFlinkParser *parser);
static void translate_parameter(AwFlinkParser *parser);
static void translate_frame(AwFlinkParser *parser);

/* Up to the first token that cannot belong to the expression; an error if that is the first. */
void
aw_flinkexpression_translate(AwFlinkParser *parser)
{
	int			start = parser->at;
	bool		in_pattern = parser->in_pattern;
	Operand		operand = {0};

	check_stack_depth();
	parser->in_pattern = false;
	for (;;)
	{
		const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

		CHECK_FOR_INTERRUPTS();
		if (token->kind == AW_FLINK_SYMBOL)
		{
			if (!translate_symbol(parser, &operand))
				break;
		}
		else if (token->kind == AW_FLINK_END || aw_flinkexpression_is_clause(parser, 0))
			break;
		else if (translate_keyword(parser, &operand))
			continue;
		else if (operand.is_there)
			break;
		else
			translate_operand(parser, &operand);
	}
	if (parser->at == start)
		aw_flinkparser_fail(parser, "expected an expression");
	end_pattern(parser);
	parser->in_pattern = in_pattern;
}

/* The expression of some other tokens; the parser stays where it is. */
void
aw_flinkexpression_range(AwFlinkParser *parser, int start, int end)
{
	AwFlinkParser range = *parser;

	range.at = start;
	range.end = end;
	aw_flinkexpression_translate(&range);
	if (range.at != end)
		aw_flinkparser_fail(&range, "unexpected text behind an expression");
	parser->n_aliases = range.n_aliases;
	parser->n_parameters = range.n_parameters;
}

/* Passes an expression and writes nothing; returns the number of the token behind it. */
int
aw_flinkexpression_skip(AwFlinkParser *parser)
{
	AwFlinkOutput *output = parser->output;
	int			n_parameters = parser->n_parameters;

	parser->output = aw_flinkoutput_create();
	aw_flinkexpression_translate(parser);
	parser->output = output;
	parser->n_parameters = n_parameters;
	return parser->at;
}

/* Expressions with commas between them; lines may break behind the commas. */
void
aw_flinkexpression_list(AwFlinkParser *parser)
{
	for (;;)
	{
		aw_flinkexpression_translate(parser);
		if (!aw_flinkparser_at_symbol(parser, ","))
			return;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
	}
}

/* An expression whose further lines are indented. */
void
aw_flinkexpression_condition(AwFlinkParser *parser)
{
	aw_flinkoutput_open_indented(parser->output);
	aw_flinkexpression_translate(parser);
	aw_flinkoutput_close(parser->output);
}

/* What stands behind ORDER BY, but for that of a query. */
void
aw_flinkexpression_order_by(AwFlinkParser *parser)
{
	for (;;)
	{
		aw_flinkexpression_order_item(parser);
		if (!aw_flinkparser_at_symbol(parser, ","))
			return;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
	}
}

/*
 * An expression in ORDER BY, and its direction.  To Flink NULL is the least value; to
 * PostgreSQL it is the greatest.
 */
void
aw_flinkexpression_order_item(AwFlinkParser *parser)
{
	bool		is_descending;

	aw_flinkexpression_translate(parser);
	is_descending = aw_flinkparser_at(parser, "DESC");
	if (is_descending)
		aw_flinkparser_copy(parser, "DESC");
	else if (aw_flinkparser_at(parser, "ASC"))
		aw_flinkparser_copy(parser, "ASC");
	if (aw_flinkparser_at(parser, "NULLS FIRST"))
		aw_flinkparser_copy(parser, "NULLS FIRST");
	else if (aw_flinkparser_at(parser, "NULLS LAST"))
		aw_flinkparser_copy(parser, "NULLS LAST");
	else
		aw_flinkparser_emit(parser, is_descending ? "NULLS LAST" : "NULLS FIRST");
}

/* What stands behind OVER, or behind AS in the clause WINDOW. */
void
aw_flinkexpression_window(AwFlinkParser *parser)
{
	if (!aw_flinkparser_at_symbol(parser, "("))
	{
		aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
		aw_flinkparser_name(parser);
		return;
	}
	aw_flinkparser_emit(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	aw_flinkparser_next(parser);
	aw_flinkoutput_open_indented(parser->output);
	if (aw_flinktoken_is_name(aw_flinkparser_peek(parser, 0)) &&
		!aw_flinkparser_at(parser, "PARTITION BY") && !aw_flinkparser_at(parser, "ORDER BY") &&
		!aw_flinkparser_at(parser, "ROWS") && !aw_flinkparser_at(parser, "RANGE"))
		aw_flinkparser_emit(parser, quote_identifier(aw_flinkparser_name(parser)));
	if (aw_flinkparser_at(parser, "PARTITION BY"))
	{
		aw_flinkparser_copy(parser, "PARTITION BY");
		aw_flinkexpression_list(parser);
	}
	if (aw_flinkparser_at(parser, "ORDER BY"))
	{
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
		aw_flinkparser_copy(parser, "ORDER BY");
		aw_flinkexpression_order_by(parser);
	}
	translate_frame(parser);
	aw_flinkoutput_close(parser->output);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
}

/* Does a token begin a clause?  LEFT and RIGHT are functions where "(" follows. */
bool
aw_flinkexpression_is_clause(const AwFlinkParser *parser, int ahead)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, ahead);

	if (aw_flinktoken_is_word(token, "LEFT") || aw_flinktoken_is_word(token, "RIGHT"))
		return !aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, ahead + 1), "(");
	for (size_t i = 0; i < lengthof(clauses); i++)
	{
		if (aw_flinktoken_is_word(token, clauses[i]))
			return true;
	}
	return false;
}

/* A value that begins with a name, word or constant. */
static void
translate_operand(AwFlinkParser *parser, Operand *operand)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);
	const AwFlinkToken *next = aw_flinkparser_peek(parser, 1);

	*operand = (Operand)
	{
		.is_there = true, .at = aw_flinkoutput_here(parser->output), .is_date = is_date(parser)
	};
	if (token->kind == AW_FLINK_STRING)
		aw_flinkconstant_string(parser);
	else if (token->kind == AW_FLINK_NUMBER)
		aw_flinkconstant_number(parser);
	else if (aw_flinkparser_at(parser, "UNKNOWN"))
		aw_flinkparser_keyword(parser, "NULL::boolean");
	else if (aw_flinkparser_at(parser, "CASE"))
		translate_case(parser);
	else if (aw_flinkconstant_translate(parser) || translate_clock(parser))
		return;
	else if (aw_flinkparser_at(parser, "ARRAY") && aw_flinktoken_is_symbol(next, "["))
	{
		aw_flinkparser_copy(parser, "ARRAY");
		refuse_array_of_arrays(parser);
		translate_subscript(parser);
	}
	else if (aw_flinkparser_at(parser, "MAP") && aw_flinktoken_is_symbol(next, "["))
		translate_map(parser);
	else if (aw_flinkfunction_is_call(parser))
		aw_flinkfunction_translate(parser);
	else
	{
		translate_name(parser);
		operand->takes_subscript = true;
	}
}

/* Does an operand stand here that says itself that it is a date? */
static bool
is_date(const AwFlinkParser *parser)
{
	const AwFlinkToken *next = aw_flinkparser_peek(parser, 1);

	if (aw_flinkparser_at(parser, "DATE"))
		return next->kind == AW_FLINK_STRING;
	if (aw_flinkparser_at(parser, "CURRENT_DATE"))
		return true;
	if (!aw_flinktoken_is_symbol(next, "("))
		return false;
	if (aw_flinkparser_at(parser, "CAST") || aw_flinkparser_at(parser, "TRY_CAST"))
	{
		int			closing = aw_flinkparser_closing(parser, parser->at + 1);

		return aw_flinktoken_is_word(&parser->tokens[closing - 1], "DATE");
	}
	return aw_flinkparser_at(parser, "TO_DATE");
}

/* A symbol that belongs to the expression; false at one that does not. */
static bool
translate_symbol(AwFlinkParser *parser, Operand *operand)
{
	const char *symbol = aw_flinkparser_peek(parser, 0)->text;
	int			at = aw_flinkoutput_here(parser->output);

	if (strchr("),;]", symbol[0]) != NULL)
		return false;
	if (symbol[0] == '[' && operand->is_there)
	{
		if (!operand->takes_subscript)
			enclose(parser, operand);
		translate_subscript(parser);
		operand->takes_subscript = true;
		operand->takes_field = false;
		return true;
	}
	if (symbol[0] == '.' && operand->is_there)
	{
		if (!operand->takes_field)
			enclose(parser, operand);
		translate_field(parser);
		operand->takes_subscript = true;
		operand->takes_field = false;
		return true;
	}
	if (operand->is_date && aw_flinkconstant_is_interval(parser, 1) &&
		strchr("+-", symbol[0]) != NULL)
	{
		translate_date_arithmetic(parser, operand);
		return true;
	}
	if (operand->is_there || strchr("(?*", symbol[0]) == NULL)
	{
		translate_operator(parser, operand);
		return true;
	}
	if (symbol[0] == '(')
		translate_parentheses(parser);
	else if (symbol[0] == '?')
		translate_parameter(parser);
	else
		aw_flinkparser_keyword(parser, "*");
	*operand = (Operand)
	{
		.is_there = true, .at = at, .takes_subscript = true, .takes_field = true
	};
	return true;
}

static void
translate_operator(AwFlinkParser *parser, Operand *operand)
{
	static const char *const operators[] = {
		"+", "-", "*", "/", "%", "||", "=", "<>", "!=", "<", "<=", ">", ">="
	};
	const char *symbol = aw_flinkparser_peek(parser, 0)->text;

	for (size_t i = 0; i < lengthof(operators); i++)
	{
		if (strcmp(symbol, operators[i]) != 0)
			continue;
		aw_flinkparser_keyword(parser, strcmp(symbol, "!=") == 0 ? "<>" : symbol);
		if (!operand->is_there && strchr("+-", symbol[0]) != NULL)
			aw_flinkoutput_glue_next(parser->output);
		operand->is_there = false;
		operand->is_date = false;
		return;
	}
	aw_flinkparser_fail(parser, "expected an expression");
}

/* A date plus or minus an interval is a date, where PostgreSQL makes a timestamp of it. */
static void
translate_date_arithmetic(AwFlinkParser *parser, const Operand *operand)
{
	const AwFlinkToken *symbol = aw_flinkparser_next(parser);

	aw_flinkoutput_insert(parser->output, operand->at,
						  symbol->text[0] == '+' ? "flink.date_plus(" : "flink.date_minus(",
						  symbol->start);
	aw_flinkparser_emit_glued(parser, ",");
	aw_flinkconstant_translate(parser);
	aw_flinkparser_emit_glued(parser, ")");
}

/* Puts parentheses around an operand. */
static void
enclose(AwFlinkParser *parser, const Operand *operand)
{
	aw_flinkoutput_insert(parser->output, operand->at, "(", aw_flinkparser_peek(parser, 0)->start);
	aw_flinkparser_emit_glued(parser, ")");
}

/* A field of a row that an expression gives. */
static void
translate_field(AwFlinkParser *parser)
{
	aw_flinkparser_emit_glued(parser, ".");
	aw_flinkoutput_glue_next(parser->output);
	aw_flinkparser_next(parser);
	aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
	aw_flinkparser_name(parser);
}

static bool
translate_keyword(AwFlinkParser *parser, Operand *operand)
{
	if (aw_flinkparser_at(parser, "IS"))
	{
		end_pattern(parser);
		translate_is(parser);
		operand->is_there = true;
		return true;
	}
	if (aw_flinkparser_at(parser, "LIKE"))
	{
		aw_flinkparser_copy(parser, "LIKE");
		parser->in_pattern = may_have_backslash(parser);
		operand->is_there = false;
		return true;
	}
	for (size_t i = 0; i < lengthof(keywords); i++)
	{
		if (aw_flinkparser_at(parser, keywords[i].word))
		{
			if (keywords[i].is_operand && operand->is_there)
				return false;
			if (operand->is_there)
				end_pattern(parser);
			if (strcmp(keywords[i].word, "AND") == 0 || strcmp(keywords[i].word, "OR") == 0)
				aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
			aw_flinkparser_copy(parser, keywords[i].word);
			operand->is_there = keywords[i].is_operand;
			return true;
		}
	}
	return false;
}

/* Does a pattern stand here that is not a constant without a backslash? */
static bool
may_have_backslash(const AwFlinkParser *parser)
{
	const AwFlinkToken *pattern = aw_flinkparser_peek(parser, 0);

	return pattern->kind != AW_FLINK_STRING || strchr(pattern->text, '\\') != NULL ||
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "||");
}

/* A backslash in a pattern is a character to Flink, where no ESCAPE says otherwise. */
static void
end_pattern(AwFlinkParser *parser)
{
	if (parser->in_pattern && !aw_flinkparser_at(parser, "ESCAPE"))
		aw_flinkparser_emit(parser, "ESCAPE ''");
	parser->in_pattern = false;
}

static bool
translate_clock(AwFlinkParser *parser)
{
	for (size_t i = 0; i < lengthof(clock_words); i++)
	{
		if (aw_flinkparser_at(parser, clock_words[i].flink))
		{
			aw_flinkparser_keyword(parser, clock_words[i].postgres);
			if (aw_flinkparser_accept_symbol(parser, "("))
				aw_flinkparser_expect_symbol(parser, ")");
			return true;
		}
	}
	return false;
}

static void
translate_parentheses(AwFlinkParser *parser)
{
	if (aw_flinkquery_is_next(parser, 1))
	{
		aw_flinkquery_in_parentheses(parser);
		return;
	}
	aw_flinkparser_keyword(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	if (!aw_flinkparser_at_symbol(parser, ")"))
		aw_flinkexpression_list(parser);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
}

static void
translate_subscript(AwFlinkParser *parser)
{
	aw_flinkparser_emit_glued(parser, "[");
	aw_flinkoutput_glue_next(parser->output);
	aw_flinkparser_expect_symbol(parser, "[");
	if (!aw_flinkparser_at_symbol(parser, "]"))
		aw_flinkexpression_list(parser);
	aw_flinkparser_emit_glued(parser, "]");
	aw_flinkparser_expect_symbol(parser, "]");
}

/* To PostgreSQL that is one array of two dimensions, whose elements are not arrays. */
static void
refuse_array_of_arrays(AwFlinkParser *parser)
{
	if (aw_flinktoken_is_word(aw_flinkparser_peek(parser, 1), "ARRAY") &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 2), "["))
		aw_flinkparser_unsupported(parser, "ARRAY of arrays", NULL);
}

/* MAP[key, value, ...] */
static void
translate_map(AwFlinkParser *parser)
{
	aw_flinkparser_keyword(parser, "jsonb_build_object");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_expect_symbol(parser, "[");
	aw_flinkexpression_list(parser);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, "]");
}

static void
translate_case(AwFlinkParser *parser)
{
	aw_flinkparser_copy(parser, "CASE");
	if (!aw_flinkparser_at(parser, "WHEN"))
		aw_flinkexpression_translate(parser);
	do
	{
		aw_flinkparser_copy(parser, "WHEN");
		aw_flinkexpression_translate(parser);
		if (aw_flinkparser_at_symbol(parser, ","))
			aw_flinkparser_unsupported(parser, "WHEN with several values", "Write CASE WHEN x IN (...).");
		aw_flinkparser_copy(parser, "THEN");
		aw_flinkexpression_translate(parser);
	} while (aw_flinkparser_at(parser, "WHEN"));
	if (aw_flinkparser_at(parser, "ELSE"))
	{
		aw_flinkparser_copy(parser, "ELSE");
		aw_flinkexpression_translate(parser);
	}
	aw_flinkparser_copy(parser, "END");
}

/* IS and what it asks, which may have a FROM in it. */
static void
translate_is(AwFlinkParser *parser)
{
	static const char *const states[] = {"NULL", "TRUE", "FALSE", "UNKNOWN"};

	aw_flinkparser_copy(parser, "IS");
	if (aw_flinkparser_at(parser, "NOT"))
		aw_flinkparser_copy(parser, "NOT");
	for (size_t i = 0; i < lengthof(states); i++)
	{
		if (aw_flinkparser_at(parser, states[i]))
		{
			aw_flinkparser_copy(parser, states[i]);
			return;
		}
	}
	if (aw_flinkparser_at(parser, "JSON"))
		aw_flinkparser_unsupported(parser, "IS JSON", "Write flink.is_json(x).");
	aw_flinkparser_copy(parser, "DISTINCT FROM");
	aw_flinkexpression_translate(parser);
}

/* A column, or all columns of a table; its table may be named with it. */
static void
translate_name(AwFlinkParser *parser)
{
	if (aw_flinkorder_expand(parser))
		return;
	aw_flinkquery_skip_default_names(parser);
	aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
	aw_flinkparser_name(parser);
	while (aw_flinkparser_at_symbol(parser, "."))
	{
		const AwFlinkToken *part = aw_flinkparser_peek(parser, 1);
		bool		is_star = aw_flinktoken_is_symbol(part, "*");

		aw_flinkparser_emit_glued(parser, ".");
		aw_flinkoutput_glue_next(parser->output);
		aw_flinkparser_next(parser);
		aw_flinkparser_emit(parser, is_star ? "*" : aw_flinkparser_quoted(part));
		if (is_star)
			aw_flinkparser_next(parser);
		else
			aw_flinkparser_name(parser);
	}
}

static void
translate_parameter(AwFlinkParser *parser)
{
	if (!parser->takes_parameters)
		aw_flinkparser_unsupported(parser, "parameter \"?\" outside flink_prepare()", NULL);
	aw_flinkparser_keyword(parser, psprintf("$%d", ++parser->n_parameters));
}

/* ROWS or RANGE and its bounds, if they stand here. */
static void
translate_frame(AwFlinkParser *parser)
{
	static const char *const words[] = {
		"ROWS", "RANGE", "BETWEEN", "AND", "UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING",
		"CURRENT ROW", "PRECEDING", "FOLLOWING"
	};

	if (!aw_flinkparser_at(parser, "ROWS") && !aw_flinkparser_at(parser, "RANGE"))
		return;
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
	while (!aw_flinkparser_at_symbol(parser, ")"))
	{
		size_t		i;

		for (i = 0; i < lengthof(words); i++)
		{
			if (aw_flinkparser_at(parser, words[i]))
				break;
		}
		if (i < lengthof(words))
			aw_flinkparser_copy(parser, words[i]);
		else if (aw_flinkparser_peek(parser, 0)->kind == AW_FLINK_NUMBER)
			aw_flinkparser_keyword(parser, aw_flinkparser_peek(parser, 0)->text);
		else if (!aw_flinkconstant_translate(parser))
			aw_flinkparser_fail(parser, "expected the bounds of a frame");
	}
}
