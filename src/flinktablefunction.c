/*
 * flinktablefunction.c
 *
 * The table functions TUMBLE, HOP, CUMULATE, SESSION and APPLY_WATERMARK in FROM.
 *
 *	 TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
 *
 * becomes "t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)".  Arguments may be
 * named and then stand in any order; here they are written in the one order that
 * needs no names.
 *
 * A row is passed as "t", and as "t.*" where a column might be called t: a column
 * would come first.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "flinkexpression.h"
#include "flinkfrom.h"
#include "flinkquery.h"
#include "flinkstream.h"
#include "flinktable.h"
#include "flinktablefunction.h"

#define MAX_ARGUMENTS 5

/* A table function and its arguments, in order; those behind n_needed may be left out. */
typedef struct TableFunction
{
	const char *name;
	int			n_needed;
	int			n_arguments;
	const char *arguments[MAX_ARGUMENTS];
} TableFunction;

static const TableFunction table_functions[] = {
	{"TUMBLE", 3, 4, {"DATA", "TIMECOL", "SIZE", "OFFSET"}},
	{"HOP", 4, 5, {"DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"}},
	{"CUMULATE", 4, 5, {"DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"}},
	{"SESSION", 3, 3, {"DATA", "TIMECOL", "GAP"}},
	{"APPLY_WATERMARK", 3, 3, {"INPUT", "ROWTIME", "STRATEGY"}},
};

/* The tokens of an argument; end is exclusive, and 0 where there is none. */
typedef struct Range
{
	int			start;
	int			end;
} Range;

/* A call that stands in the source. */
typedef struct Call
{
	const TableFunction *function;
	Range		arguments[MAX_ARGUMENTS];
	Range		partition;		/* columns behind PARTITION BY */
} Call;

static const TableFunction *find_function(const AwFlinkToken *token);
static bool adds_columns_that_show(const AwFlinkParser *parser, const Call *call, bool has_star);
static void parse_call(AwFlinkParser *parser, Call *call);
static void parse_arguments(AwFlinkParser *parser, Call *call);
static int	argument_number(AwFlinkParser *parser, const TableFunction *function, int position);
static void require_arguments(const AwFlinkParser *parser, const Call *call);
static void parse_partition(AwFlinkParser *parser, Call *call);
static void translate_subquery(AwFlinkParser *parser, const Call *call);
static void translate_items(AwFlinkParser *parser, const Call *call);
static char *data_alias(const AwFlinkParser *parser, const Call *call);
static char *translate_data(AwFlinkParser *parser, const Call *call);
static void translate_call(AwFlinkParser *parser, const Call *call, const char *row);
static void translate_partition(AwFlinkParser *parser, const Call *call);
static void translate_time_column(AwFlinkParser *parser, const Call *call);

/* Does a call stand here, in TABLE( ) or without? */
bool
aw_flinktablefunction_is_next(const AwFlinkParser *parser)
{
	int			ahead = 0;

	if (aw_flinkparser_at(parser, "TABLE") &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "("))
		ahead = 2;
	return find_function(aw_flinkparser_peek(parser, ahead)) != NULL &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, ahead + 1), "(");
}

/* The call that stands here, where it is all that is in FROM. */
void
aw_flinktablefunction_flat(AwFlinkParser *parser, bool has_star)
{
	Call		call = {0};

	parse_call(parser, &call);
	if (adds_columns_that_show(parser, &call, has_star))
	{
		translate_subquery(parser, &call);
		aw_flinkparser_emit(parser, psprintf("AS %s", aw_flinkfrom_made_up_alias(parser)));
	}
	else
		translate_items(parser, &call);
}

/* The call that stands here, as a subquery that needs an alias. */
void
aw_flinktablefunction_subquery(AwFlinkParser *parser)
{
	Call		call = {0};

	parse_call(parser, &call);
	translate_subquery(parser, &call);
}

static const TableFunction *
find_function(const AwFlinkToken *token)
{
	for (size_t i = 0; i < lengthof(table_functions); i++)
	{
		if (aw_flinktoken_is_word(token, table_functions[i].name))
			return &table_functions[i];
	}
	return NULL;
}

/* APPLY_WATERMARK has columns of its own, which Flink's has not. */
static bool
adds_columns_that_show(const AwFlinkParser *parser, const Call *call, bool has_star)
{
	return strcmp(call->function->name, "APPLY_WATERMARK") == 0 &&
		(has_star || parser->reads_watermark);
}

/* Passes the call. */
static void
parse_call(AwFlinkParser *parser, Call *call)
{
	bool		is_in_table = aw_flinkparser_accept(parser, "TABLE");

	if (is_in_table)
		aw_flinkparser_expect_symbol(parser, "(");
	call->function = find_function(aw_flinkparser_next(parser));
	parser->reads_stream |= strcmp(call->function->name, "APPLY_WATERMARK") == 0;
	parse_arguments(parser, call);
	if (is_in_table)
		aw_flinkparser_expect_symbol(parser, ")");
}

/* Passes the arguments and their parentheses. */
static void
parse_arguments(AwFlinkParser *parser, Call *call)
{
	int			open = parser->at;
	int			n_given = 0;

	aw_flinkparser_expect_symbol(parser, "(");
	aw_flinkparser_closing(parser, open);
	do
	{
		int			number = argument_number(parser, call->function, n_given++);
		Range	   *argument = &call->arguments[number];

		if (argument->end != 0)
			aw_flinkparser_error(parser, psprintf("argument %s of %s stands twice",
												 call->function->arguments[number],
												 call->function->name));
		argument->start = parser->at;
		argument->end = aw_flinkparser_skip(parser);
		if (number == 0)
		{
			parser->at = argument->start;
			parse_partition(parser, call);
		}
	} while (aw_flinkparser_accept_symbol(parser, ","));
	require_arguments(parser, call);
	aw_flinkparser_expect_symbol(parser, ")");
}

/* The number of the argument that stands here; passes its name, if it has one. */
static int
argument_number(AwFlinkParser *parser, const TableFunction *function, int position)
{
	if (aw_flinktoken_is_name(aw_flinkparser_peek(parser, 0)) &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "=>"))
	{
		const char *name = aw_flinkparser_peek(parser, 0)->text;

		for (int i = 0; i < function->n_arguments; i++)
		{
			if (pg_strcasecmp(name, function->arguments[i]) == 0)
			{
				parser->at += 2;
				return i;
			}
		}
		aw_flinkparser_error(parser, psprintf("%s has no argument of this name", function->name));
	}
	if (position >= function->n_arguments)
		aw_flinkparser_error(parser, psprintf("%s takes %d arguments at most", function->name,
											 function->n_arguments));
	return position;
}

static void
require_arguments(const AwFlinkParser *parser, const Call *call)
{
	const TableFunction *function = call->function;

	for (int i = 0; i < function->n_needed; i++)
	{
		if (call->arguments[i].end == 0)
			aw_flinkparser_error(parser, psprintf("argument %s of %s is missing",
												 function->arguments[i], function->name));
	}
}

/* Passes the data argument; takes PARTITION BY off its end. */
static void
parse_partition(AwFlinkParser *parser, Call *call)
{
	Range	   *data = &call->arguments[0];

	for (; parser->at < data->end; parser->at++)
	{
		if (aw_flinkparser_at_symbol(parser, "("))
			parser->at = aw_flinkparser_closing(parser, parser->at);
		else if (aw_flinkparser_at(parser, "PARTITION BY"))
			break;
	}
	if (parser->at == data->end)
		return;
	if (strcmp(call->function->name, "SESSION") != 0)
		aw_flinkparser_unsupported(parser, psprintf("PARTITION BY in %s", call->function->name),
								   "Group by the columns.");
	data->end = parser->at;
	parser->at += 2;
	call->partition.start = parser->at;
	do
		aw_flinkparser_skip(parser);
	while (aw_flinkparser_accept_symbol(parser, ",") &&
		   !aw_flinktoken_is_word(aw_flinkparser_peek(parser, 0), "DESCRIPTOR") &&
		   !aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "=>"));
	if (aw_flinktoken_is_symbol(&parser->tokens[parser->at - 1], ","))
		parser->at--;
	call->partition.end = parser->at;
}

/* In parentheses; the columns are those that Flink gives. */
static void
translate_subquery(AwFlinkParser *parser, const Call *call)
{
	AwFlinkOutput *output = parser->output;
	bool		is_apply_watermark = strcmp(call->function->name, "APPLY_WATERMARK") == 0;

	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, "(");
	aw_flinkoutput_glue_next(output);
	aw_flinkoutput_open_indented(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_EDGE);
	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, is_apply_watermark ?
						psprintf("SELECT %s.*", data_alias(parser, call)) : "SELECT *");
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, "FROM");
	translate_items(parser, call);
	aw_flinkoutput_close(output);
	aw_flinkoutput_close(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_EDGE);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkoutput_close(output);
}

/* The data, and the function behind it; the parser stays where it is. */
static void
translate_items(AwFlinkParser *parser, const Call *call)
{
	int			at = parser->at;
	const char *row;

	parser->at = call->arguments[0].start;
	row = translate_data(parser, call);
	aw_flinkparser_emit_glued(parser, ",");
	aw_flinkoutput_open_indented(parser->output);
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_FILL);
	aw_flinkoutput_open(parser->output);
	translate_call(parser, call, row);
	aw_flinkoutput_close(parser->output);
	aw_flinkoutput_close(parser->output);
	parser->at = at;
}

/* The data as an item of FROM; returns how its row is passed. */
static char *
translate_data(AwFlinkParser *parser, const Call *call)
{
	int			end = call->arguments[0].end;
	char	   *alias = data_alias(parser, call);

	check_stack_depth();
	if (aw_flinkparser_at(parser, "TABLE") &&
		aw_flinktoken_is_name(aw_flinkparser_peek(parser, 1)))
	{
		AwFlinkPath *path;

		aw_flinkparser_next(parser);
		path = aw_flinkquery_path(parser);
		aw_flinkstream_note(parser, path);
		aw_flinkparser_emit(parser, path->sql);
		if (parser->at != end)
			aw_flinkparser_fail(parser, "unexpected text behind a table");
		return aw_flinktable_has_column(parser, path, path->name) ?
			psprintf("%s.*", alias) : alias;
	}
	if (aw_flinktablefunction_is_next(parser))
		aw_flinktablefunction_subquery(parser);
	else if (aw_flinkquery_is_next(parser, 1))
		aw_flinkquery_in_parentheses(parser);
	else
		aw_flinkparser_fail(parser, psprintf("expected TABLE and a name, or a query, as argument %s",
											 call->function->arguments[0]));
	aw_flinkparser_emit(parser, psprintf("AS %s", alias));
	if (parser->at != end)
		aw_flinkparser_fail(parser, "unexpected text behind a query");
	return psprintf("%s.*", alias);
}

/* What the data is called in FROM. */
static char *
data_alias(const AwFlinkParser *parser, const Call *call)
{
	AwFlinkParser look = *parser;

	look.at = call->arguments[0].start;
	if (aw_flinkparser_accept(&look, "TABLE") &&
		aw_flinktoken_is_name(aw_flinkparser_peek(&look, 0)))
		return pstrdup(quote_identifier(aw_flinkquery_path(&look)->name));
	return pstrdup("input");
}

static void
translate_call(AwFlinkParser *parser, const Call *call, const char *row)
{
	const TableFunction *function = call->function;

	aw_flinkparser_emit_ours(parser, function->name);
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, row);
	for (int i = 1; i < function->n_arguments && call->arguments[i].end != 0; i++)
	{
		aw_flinkparser_emit_glued(parser, ",");
		if (i == 1)
			translate_time_column(parser, call);
		else
			aw_flinkexpression_range(parser, call->arguments[i].start, call->arguments[i].end);
	}
	if (call->partition.end != 0)
		translate_partition(parser, call);
	aw_flinkparser_emit_glued(parser, ")");
}

/* The columns that a session is for, perhaps in parentheses. */
static void
translate_partition(AwFlinkParser *parser, const Call *call)
{
	parser->at = call->partition.start;
	aw_flinkparser_accept_symbol(parser, "(");
	do
	{
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkexpression_translate(parser);
	} while (parser->at < call->partition.end && aw_flinkparser_accept_symbol(parser, ","));
}

/* DESCRIPTOR(column) */
static void
translate_time_column(AwFlinkParser *parser, const Call *call)
{
	parser->at = call->arguments[1].start;
	aw_flinkparser_emit_ours(parser, "DESCRIPTOR");
	aw_flinkparser_expect(parser, "DESCRIPTOR");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_expect_symbol(parser, "(");
	aw_flinkparser_emit(parser, aw_flinkparser_quoted(aw_flinkparser_peek(parser, 0)));
	aw_flinkparser_name(parser);
	if (aw_flinkparser_at_symbol(parser, ","))
		aw_flinkparser_error(parser, "DESCRIPTOR takes one column here");
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
	if (parser->at != call->arguments[1].end)
		aw_flinkparser_fail(parser, "unexpected text behind DESCRIPTOR");
}
