/*
 * flinkfunction.c
 *
 * Calls of functions.
 *
 * A function that PostgreSQL has with the same meaning is called as it stands, and
 * so is one that is not known here: it may be the user's own.  One that PostgreSQL
 * lacks, or means otherwise, is called in the schema "flink"; the table below names
 * them.  What differs in its form has a translation of its own.
 */
#include "postgres.h"

#include "parser/scansup.h"
#include "utils/builtins.h"

#include "flinkexpression.h"
#include "flinkfunction.h"
#include "flinkquery.h"
#include "flinktype.h"

#define MAX_TEMPLATE_ARGUMENTS 3

typedef struct Function Function;
typedef void (*Translator) (AwFlinkParser *parser, const Function *function);

/* A function of Flink, and what becomes of its call. */
struct Function
{
	const char *name;
	Translator	translate;
	const char *target;			/* the name to call, or a template */
};

static const Function *find_function(const AwFlinkToken *token);
static void translate_renamed(AwFlinkParser *parser, const Function *function);
static void translate_timestamp(AwFlinkParser *parser, const Function *function);
static void translate_grouping(AwFlinkParser *parser, const Function *function);
static void translate_ours(AwFlinkParser *parser, const Function *function);
static void translate_other(AwFlinkParser *parser);
static void translate_cast(AwFlinkParser *parser, const Function *function);
static void translate_try_cast(AwFlinkParser *parser, const Function *function);
static void translate_extract(AwFlinkParser *parser, const Function *function);
static void translate_rounded(AwFlinkParser *parser, const Function *function);
static void translate_time_arithmetic(AwFlinkParser *parser, const Function *function);
static void translate_listagg(AwFlinkParser *parser, const Function *function);
static void translate_ntile(AwFlinkParser *parser, const Function *function);
static void translate_count(AwFlinkParser *parser, const Function *function);
static void translate_position(AwFlinkParser *parser, const Function *function);
static void translate_json_query(AwFlinkParser *parser, const Function *function);
static void translate_json_value(AwFlinkParser *parser, const Function *function);
static void translate_words_within(AwFlinkParser *parser, const Function *function);
static void translate_spelled(AwFlinkParser *parser, const Function *function);
static void translate_template(AwFlinkParser *parser, const Function *function);
static int	template_arguments(const char *template);
static void emit_template(AwFlinkParser *parser, const char *template, const int *starts);
static void translate_unsupported(AwFlinkParser *parser, const Function *function);
static void open_call(AwFlinkParser *parser, const char *name);
static void translate_arguments(AwFlinkParser *parser);
static void close_call(AwFlinkParser *parser);
static void wrap_in_cast(AwFlinkParser *parser, int at, const AwFlinkType *type,
						 bool is_exact);
static bool is_exact(const AwFlinkParser *parser, int start, int end, const AwFlinkType *type);
static void translate_unit(AwFlinkParser *parser);
static void translate_json_options(AwFlinkParser *parser, const Function *function);
static void refuse_nulls(const AwFlinkParser *parser);
static void translate_tail(AwFlinkParser *parser);

static const Function functions[] = {
	{"CAST", translate_cast, NULL},
	{"TRY_CAST", translate_try_cast, NULL},

	{"APPLY_WATERMARK", translate_ours, NULL},
	{"DESCRIPTOR", translate_ours, NULL},
	{"HOP", translate_ours, NULL},
	{"HOP_END", translate_ours, NULL},
	{"HOP_PROCTIME", translate_ours, NULL},
	{"HOP_ROWTIME", translate_ours, NULL},
	{"HOP_START", translate_ours, NULL},
	{"PROCTIME", translate_ours, NULL},
	{"SESSION", translate_ours, NULL},
	{"SESSION_END", translate_ours, NULL},
	{"SESSION_PROCTIME", translate_ours, NULL},
	{"SESSION_ROWTIME", translate_ours, NULL},
	{"SESSION_START", translate_ours, NULL},
	{"TUMBLE", translate_ours, NULL},
	{"TUMBLE_END", translate_ours, NULL},
	{"TUMBLE_PROCTIME", translate_ours, NULL},
	{"TUMBLE_ROWTIME", translate_ours, NULL},
	{"TUMBLE_START", translate_ours, NULL},

	{"CEIL", translate_rounded, "flink.ceil"},
	{"CEILING", translate_rounded, "flink.ceil"},
	{"EXTRACT", translate_extract, "flink.extract"},
	{"FLOOR", translate_rounded, "flink.floor"},
	{"TIMESTAMPADD", translate_time_arithmetic, "flink.timestampadd"},
	{"TIMESTAMPDIFF", translate_time_arithmetic, "flink.timestampdiff"},

	{"COUNT", translate_count, NULL},
	{"GROUPING", translate_grouping, NULL},
	{"GROUPING_ID", translate_grouping, NULL},
	{"JSON_QUERY", translate_json_query, "flink.json_query"},
	{"JSON_VALUE", translate_json_value, "flink.json_value"},
	{"LISTAGG", translate_listagg, "string_agg"},
	{"NTILE", translate_ntile, NULL},
	{"OVERLAY", translate_spelled, "flink.overlay"},
	{"POSITION", translate_position, "flink.locate"},
	{"SUBSTRING", translate_spelled, "flink.substring"},
	{"TO_TIMESTAMP", translate_timestamp, "flink.to_timestamp"},
	{"TO_TIMESTAMP_LTZ", translate_timestamp, "flink.to_timestamp_ltz"},
	{"TRIM", translate_words_within, "TRIM"},

	{"APPROX_COUNT_DISTINCT", translate_template, "COUNT(DISTINCT $1)"},
	{"ARRAY_PREPEND", translate_template, "array_prepend($2, $1)"},
	{"CURRENT_ROW_TIMESTAMP", translate_template, "flink.current_row_timestamp()::timestamptz(3)"},
	{"ELEMENT", translate_template, "($1)[1]"},
	{"EXP", translate_template, "exp(CAST($1 AS double precision))"},
	{"IF", translate_template, "CASE WHEN $1 THEN $2 ELSE $3 END"},
	{"JSON_STRING", translate_template, "to_json($1)::text"},
	{"LN", translate_template, "ln(CAST($1 AS double precision))"},
	{"LOG10", translate_template, "log(CAST($1 AS double precision))"},
	{"NOW", translate_template, "flink.now()::timestamptz(3)"},
	{"PERCENTILE", translate_template, "percentile_cont($2) WITHIN GROUP (ORDER BY $1)"},
	{"POWER", translate_template, "power(CAST($1 AS double precision), CAST($2 AS double precision))"},
	{"SQRT", translate_template, "sqrt(CAST($1 AS double precision))"},

	{"ARRAY_CONCAT", translate_renamed, "array_cat"},
	{"ARRAY_CONTAINS", translate_renamed, "flink.array_contains"},
	{"ARRAY_JOIN", translate_renamed, "array_to_string"},
	{"ARRAY_POSITION", translate_renamed, "flink.array_position"},
	{"ASCII", translate_renamed, "flink.ascii"},
	{"AVG", translate_renamed, "flink.avg"},
	{"BIN", translate_renamed, "flink.bin"},
	{"CHR", translate_renamed, "flink.chr"},
	{"CONCAT", translate_renamed, "flink.concat"},
	{"CONCAT_WS", translate_renamed, "flink.concat_ws"},
	{"CONVERT_TZ", translate_renamed, "flink.convert_tz"},
	{"CURRENT_WATERMARK", translate_renamed, "flink.current_watermark"},
	{"DATE_FORMAT", translate_renamed, "flink.date_format"},
	{"DAYOFMONTH", translate_renamed, "flink.dayofmonth"},
	{"DAYOFWEEK", translate_renamed, "flink.dayofweek"},
	{"DAYOFYEAR", translate_renamed, "flink.dayofyear"},
	{"DECODE", translate_renamed, "flink.decode"},
	{"E", translate_renamed, "flink.e"},
	{"ELT", translate_renamed, "flink.elt"},
	{"ENCODE", translate_renamed, "flink.encode"},
	{"ENDSWITH", translate_renamed, "flink.endswith"},
	{"FIRST_VALUE", translate_renamed, "flink.first_value"},
	{"FROM_BASE64", translate_renamed, "flink.from_base64"},
	{"FROM_UNIXTIME", translate_renamed, "flink.from_unixtime"},
	{"GREATEST", translate_renamed, "flink.greatest"},
	{"HEX", translate_renamed, "flink.hex"},
	{"HOUR", translate_renamed, "flink.hour"},
	{"IFNULL", translate_renamed, "COALESCE"},
	{"INSTR", translate_renamed, "flink.instr"},
	{"IS_ALPHA", translate_renamed, "flink.is_alpha"},
	{"IS_DECIMAL", translate_renamed, "flink.is_decimal"},
	{"IS_DIGIT", translate_renamed, "flink.is_digit"},
	{"JSON_EXISTS", translate_renamed, "flink.json_exists"},
	{"JSON_QUOTE", translate_renamed, "flink.json_quote"},
	{"LAST_VALUE", translate_renamed, "flink.last_value"},
	{"LEAST", translate_renamed, "flink.least"},
	{"LEFT", translate_renamed, "flink.left"},
	{"LOCATE", translate_renamed, "flink.locate"},
	{"LOG", translate_renamed, "flink.log"},
	{"LOG2", translate_renamed, "flink.log2"},
	{"LPAD", translate_renamed, "flink.lpad"},
	{"MD5", translate_renamed, "flink.md5"},
	{"MINUTE", translate_renamed, "flink.minute"},
	{"MONTH", translate_renamed, "flink.month"},
	{"QUARTER", translate_renamed, "flink.quarter"},
	{"RAND", translate_renamed, "flink.rand"},
	{"RAND_INTEGER", translate_renamed, "flink.rand_integer"},
	{"REGEXP", translate_renamed, "flink.regexp"},
	{"REGEXP_EXTRACT", translate_renamed, "flink.regexp_extract"},
	{"REGEXP_REPLACE", translate_renamed, "flink.regexp_replace"},
	{"REPLACE", translate_renamed, "flink.replace"},
	{"RIGHT", translate_renamed, "flink.right"},
	{"ROUND", translate_renamed, "flink.round"},
	{"RPAD", translate_renamed, "flink.rpad"},
	{"SECOND", translate_renamed, "flink.second"},
	{"SHA1", translate_renamed, "flink.sha1"},
	{"SHA2", translate_renamed, "flink.sha2"},
	{"SHA224", translate_renamed, "flink.sha224"},
	{"SHA256", translate_renamed, "flink.sha256"},
	{"SHA384", translate_renamed, "flink.sha384"},
	{"SHA512", translate_renamed, "flink.sha512"},
	{"SIGN", translate_renamed, "flink.sign"},
	{"SPLIT_INDEX", translate_renamed, "flink.split_index"},
	{"STARTSWITH", translate_renamed, "starts_with"},
	{"STDDEV", translate_renamed, "flink.stddev_samp"},
	{"STDDEV_POP", translate_renamed, "flink.stddev_pop"},
	{"STDDEV_SAMP", translate_renamed, "flink.stddev_samp"},
	{"SUBSTR", translate_renamed, "flink.substr"},
	{"SUM", translate_renamed, "flink.sum"},
	{"TO_BASE64", translate_renamed, "flink.to_base64"},
	{"TO_DATE", translate_renamed, "flink.to_date"},
	{"TRUNCATE", translate_renamed, "flink.truncate"},
	{"UNHEX", translate_renamed, "flink.unhex"},
	{"UNIX_TIMESTAMP", translate_renamed, "flink.unix_timestamp"},
	{"UUID", translate_renamed, "flink.uuid"},
	{"VARIANCE", translate_renamed, "flink.var_samp"},
	{"VAR_POP", translate_renamed, "flink.var_pop"},
	{"VAR_SAMP", translate_renamed, "flink.var_samp"},
	{"WEEK", translate_renamed, "flink.week"},
	{"YEAR", translate_renamed, "flink.year"},

	{"ARRAY_DISTINCT", translate_unsupported, NULL},
	{"ARRAY_MAX", translate_unsupported, NULL},
	{"ARRAY_MIN", translate_unsupported, NULL},
	{"ARRAY_REVERSE", translate_unsupported, NULL},
	{"ARRAY_SLICE", translate_unsupported, NULL},
	{"ARRAY_SORT", translate_unsupported, NULL},
	{"ARRAY_UNION", translate_unsupported, NULL},
	{"COLLECT", translate_unsupported, NULL},
	{"GROUP_ID", translate_unsupported, NULL},
	{"JSON_ARRAY", translate_unsupported, NULL},
	{"JSON_ARRAYAGG", translate_unsupported, NULL},
	{"JSON_OBJECT", translate_unsupported, NULL},
	{"JSON_OBJECTAGG", translate_unsupported, NULL},
	{"JSON_UNQUOTE", translate_unsupported, NULL},
	{"MAP_ENTRIES", translate_unsupported, NULL},
	{"MAP_FROM_ARRAYS", translate_unsupported, NULL},
	{"MAP_KEYS", translate_unsupported, NULL},
	{"MAP_UNION", translate_unsupported, NULL},
	{"MAP_VALUES", translate_unsupported, NULL},
	{"PARSE_URL", translate_unsupported, NULL},
	{"PRINTF", translate_unsupported, NULL},
	{"REGEXP_EXTRACT_ALL", translate_unsupported, NULL},
	{"STR_TO_MAP", translate_unsupported, NULL},
	{"TYPEOF", translate_unsupported, NULL},
	{"URL_DECODE", translate_unsupported, NULL},
	{"URL_ENCODE", translate_unsupported, NULL},
};

/* Does a name stand here, perhaps with its schema, and a parenthesis behind it? */
bool
aw_flinkfunction_is_call(const AwFlinkParser *parser)
{
	int			ahead = 0;

	while (aw_flinktoken_is_name(aw_flinkparser_peek(parser, ahead)) &&
		   aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, ahead + 1), "."))
		ahead += 2;
	return aw_flinktoken_is_name(aw_flinkparser_peek(parser, ahead)) &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, ahead + 1), "(");
}

void
aw_flinkfunction_translate(AwFlinkParser *parser)
{
	const Function *function = NULL;

	if (aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "("))
		function = find_function(aw_flinkparser_peek(parser, 0));
	aw_flinkoutput_open(parser->output);
	if (function != NULL)
		function->translate(parser, function);
	else
		translate_other(parser);
	translate_tail(parser);
	aw_flinkoutput_close(parser->output);
}

/* NULL if the name needs no translation. */
static const Function *
find_function(const AwFlinkToken *token)
{
	for (size_t i = 0; i < lengthof(functions); i++)
	{
		if (pg_strcasecmp(token->text, functions[i].name) == 0)
			return &functions[i];
	}
	return NULL;
}

static void
translate_renamed(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	translate_arguments(parser);
	close_call(parser);
}

/* To milliseconds: a function's type cannot say so. */
static void
translate_timestamp(AwFlinkParser *parser, const Function *function)
{
	bool		has_zone = strcmp(function->name, "TO_TIMESTAMP") != 0;

	translate_renamed(parser, function);
	aw_flinkparser_emit_glued(parser, has_zone ? "::timestamptz(3)" : "::timestamp(3)");
}

static void
translate_grouping(AwFlinkParser *parser, const Function *function)
{
	(void) function;
	open_call(parser, "GROUPING");
	translate_arguments(parser);
	close_call(parser);
	aw_flinkparser_emit_glued(parser, "::bigint");
}

static void
translate_ours(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, aw_flinkparser_ours(parser, function->name));
	translate_arguments(parser);
	close_call(parser);
}

/*
 * A word may be a keyword of PostgreSQL, such as COALESCE: it must not be quoted.  One
 * with a dollar sign must be, as it might quote what is behind it.
 */
static void
translate_other(AwFlinkParser *parser)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

	if (aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "(") &&
		token->kind == AW_FLINK_WORD && strchr(token->text, '$') == NULL)
		aw_flinkparser_keyword(parser, token->text);
	else
		aw_flinkparser_emit(parser, aw_flinkquery_path(parser)->sql);
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_expect_symbol(parser, "(");
	translate_arguments(parser);
	close_call(parser);
}

static void
translate_cast(AwFlinkParser *parser, const Function *function)
{
	int			at = aw_flinkoutput_here(parser->output);
	int			start;
	int			end;
	AwFlinkType *type;

	(void) function;
	aw_flinkparser_next(parser);
	aw_flinkparser_expect_symbol(parser, "(");
	start = parser->at;
	aw_flinkexpression_translate(parser);
	end = parser->at;
	aw_flinkparser_expect(parser, "AS");
	type = aw_flinktype_parse(parser, NULL, NULL);
	wrap_in_cast(parser, at, type, is_exact(parser, start, end, type));
	aw_flinkparser_expect_symbol(parser, ")");
}

/* NULL instead of an error. */
static void
translate_try_cast(AwFlinkParser *parser, const Function *function)
{
	AwFlinkType *type;

	(void) function;
	open_call(parser, "flink.try_cast");
	aw_flinkexpression_translate(parser);
	aw_flinkparser_expect(parser, "AS");
	type = aw_flinktype_parse(parser, NULL, NULL);
	if (type->type_class == AW_FLINK_TYPE_BINARY && type->length >= 0)
		aw_flinkparser_unsupported(parser, "TRY_CAST to bytes of a length", "Write CAST.");
	aw_flinkparser_emit_glued(parser, psprintf(", NULL::%s", type->sql));
	close_call(parser);
}

/* EXTRACT(HOUR FROM ts) */
static void
translate_extract(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	translate_unit(parser);
	aw_flinkparser_emit_glued(parser, ",");
	aw_flinkparser_expect(parser, "FROM");
	aw_flinkexpression_translate(parser);
	close_call(parser);
}

/* FLOOR(x), or FLOOR(ts TO HOUR) */
static void
translate_rounded(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	aw_flinkexpression_translate(parser);
	if (aw_flinkparser_accept(parser, "TO"))
	{
		aw_flinkparser_emit_glued(parser, ",");
		translate_unit(parser);
	}
	close_call(parser);
}

/* TIMESTAMPDIFF(SECOND, a, b) */
static void
translate_time_arithmetic(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	translate_unit(parser);
	aw_flinkparser_expect_symbol(parser, ",");
	aw_flinkparser_emit_glued(parser, ",");
	translate_arguments(parser);
	close_call(parser);
}

/* The separator is a comma where none is given. */
static void
translate_listagg(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	aw_flinkexpression_translate(parser);
	aw_flinkparser_emit_glued(parser, ",");
	if (aw_flinkparser_accept_symbol(parser, ","))
		aw_flinkexpression_translate(parser);
	else
		aw_flinkparser_emit(parser, "','");
	close_call(parser);
}

/* A BIGINT, which PostgreSQL's is not. */
static void
translate_ntile(AwFlinkParser *parser, const Function *function)
{
	(void) function;
	translate_other(parser);
	translate_tail(parser);
	aw_flinkparser_emit_glued(parser, "::bigint");
}

/* COUNT(a, b) counts rows in which none of them is NULL. */
static void
translate_count(AwFlinkParser *parser, const Function *function)
{
	AwFlinkParser look = *parser;

	look.at += 2;
	aw_flinkparser_skip(&look);
	if (!aw_flinkparser_at_symbol(&look, ","))
	{
		translate_other(parser);
		return;
	}
	open_call(parser, function->name);
	if (aw_flinkparser_at(parser, "DISTINCT"))
		aw_flinkparser_unsupported(parser, "COUNT(DISTINCT) of several values", NULL);
	aw_flinkparser_emit(parser, "CASE WHEN num_nulls");
	aw_flinkparser_emit_open(parser);
	translate_arguments(parser);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_emit(parser, "= 0 THEN 1 END");
	close_call(parser);
}

/* POSITION(a IN s); from a place on, POSITION(a IN s FROM n), it is another function. */
static void
translate_position(AwFlinkParser *parser, const Function *function)
{
	static const char *const words[] = {"IN", "FROM"};
	int			closing = aw_flinkparser_closing(parser, parser->at + 1);
	int			behind[] = {0, 0};	/* the token behind each of the words */
	int			n_words = 0;

	for (int i = parser->at + 2; i < closing && n_words < 2; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];

		if (token->closing != 0)
			i = token->closing;
		else if (aw_flinktoken_is_word(token, words[n_words]))
			behind[n_words++] = i + 1;
	}
	if (n_words < 2)
	{
		translate_other(parser);
		return;
	}
	open_call(parser, function->target);
	aw_flinkexpression_range(parser, parser->at, behind[0] - 1);
	aw_flinkparser_emit_glued(parser, ",");
	aw_flinkexpression_range(parser, behind[0], behind[1] - 1);
	aw_flinkparser_emit_glued(parser, ",");
	aw_flinkexpression_range(parser, behind[1], closing);
	parser->at = closing;
	close_call(parser);
}

/* JSON_QUERY(json, path [WITHOUT [ARRAY] WRAPPER] [NULL ON EMPTY] [NULL ON ERROR]) */
static void
translate_json_query(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	translate_arguments(parser);
	if (aw_flinkparser_at(parser, "RETURNING"))
		aw_flinkparser_unsupported(parser, "RETURNING in JSON_QUERY", NULL);
	if (aw_flinkparser_at(parser, "WITH"))
		aw_flinkparser_unsupported(parser, "WITH WRAPPER in JSON_QUERY", NULL);
	if (!aw_flinkparser_accept(parser, "WITHOUT WRAPPER"))
		aw_flinkparser_accept(parser, "WITHOUT ARRAY WRAPPER");
	translate_json_options(parser, function);
	close_call(parser);
}

/* JSON_VALUE(json, path [RETURNING type] [NULL ON EMPTY] [NULL ON ERROR]) */
static void
translate_json_value(AwFlinkParser *parser, const Function *function)
{
	int			at = aw_flinkoutput_here(parser->output);
	AwFlinkType *type = NULL;

	open_call(parser, function->target);
	translate_arguments(parser);
	if (aw_flinkparser_accept(parser, "RETURNING"))
		type = aw_flinktype_parse(parser, NULL, NULL);
	translate_json_options(parser, function);
	close_call(parser);
	if (type != NULL)
		wrap_in_cast(parser, at, type, false);
}

/* TRIM(BOTH 'x' FROM s) */
static void
translate_words_within(AwFlinkParser *parser, const Function *function)
{
	static const char *const words[] = {"BOTH", "LEADING", "TRAILING", "FROM"};

	open_call(parser, function->target);
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
		else
			translate_arguments(parser);
	}
	close_call(parser);
}

/* SUBSTRING(s FROM 2 FOR 3), SUBSTRING(s, 2, 3), OVERLAY(s PLACING t FROM 2) */
static void
translate_spelled(AwFlinkParser *parser, const Function *function)
{
	open_call(parser, function->target);
	aw_flinkexpression_translate(parser);
	while (aw_flinkparser_accept(parser, "PLACING") || aw_flinkparser_accept(parser, "FROM") ||
		   aw_flinkparser_accept(parser, "FOR") || aw_flinkparser_accept_symbol(parser, ","))
	{
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkexpression_translate(parser);
	}
	close_call(parser);
}

/* Another form altogether, with $1, $2 and so on where the arguments go. */
static void
translate_template(AwFlinkParser *parser, const Function *function)
{
	int			starts[MAX_TEMPLATE_ARGUMENTS + 1];
	int			n_arguments = 0;
	const char *rest = function->target;
	int			end;

	aw_flinkparser_next(parser);
	end = aw_flinkparser_closing(parser, parser->at);
	do
	{
		aw_flinkparser_next(parser);
		starts[n_arguments] = parser->at;
		if (parser->at < end)
			n_arguments++;
		starts[n_arguments] = aw_flinkparser_skip(parser) + 1;
	} while (n_arguments < MAX_TEMPLATE_ARGUMENTS && aw_flinkparser_at_symbol(parser, ","));
	if (parser->at != end || n_arguments != template_arguments(function->target))
		aw_flinkparser_error(parser, psprintf("%s takes %d arguments", function->name,
											  template_arguments(function->target)));
	emit_template(parser, rest, starts);
	parser->at = end + 1;
}

/* How many arguments a template has. */
static int
template_arguments(const char *template)
{
	int			n_arguments = 0;

	for (const char *c = strchr(template, '$'); c != NULL; c = strchr(c + 1, '$'))
		n_arguments = Max(n_arguments, c[1] - '0');
	return n_arguments;
}

/* starts: the first token of each argument, and the one behind the comma after the last. */
static void
emit_template(AwFlinkParser *parser, const char *template, const int *starts)
{
	AwFlinkOutput *output = parser->output;
	bool		is_glued = false;

	while (*template != '\0')
	{
		size_t		length = strcspn(template, "$");

		if (length > 0)
		{
			char	   *text = pnstrdup(template, length);
			bool		is_open = strchr("( ", text[length - 1]) != NULL;

			if (text[length - 1] == ' ')
				text[length - 1] = '\0';
			if (is_glued)
				aw_flinkparser_emit_glued(parser, text);
			else
				aw_flinkparser_emit(parser, text);
			if (is_open && template[length - 1] == '(')
				aw_flinkoutput_glue_next(output);
			template += length;
		}
		if (*template == '$')
		{
			int			number = template[1] - '1';

			aw_flinkexpression_range(parser, starts[number], starts[number + 1] - 1);
			template += 2;
		}
		is_glued = true;
	}
}

static void
translate_unsupported(AwFlinkParser *parser, const Function *function)
{
	aw_flinkparser_unsupported(parser, psprintf("function %s", function->name), NULL);
}

/* Passes the name of the function and the parenthesis; writes another name. */
static void
open_call(AwFlinkParser *parser, const char *name)
{
	aw_flinkparser_keyword(parser, name);
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_expect_symbol(parser, "(");
}

static void
translate_arguments(AwFlinkParser *parser)
{
	if (!aw_flinkparser_at_symbol(parser, ")"))
		aw_flinkexpression_list(parser);
}

static void
close_call(AwFlinkParser *parser)
{
	refuse_nulls(parser);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkparser_expect_symbol(parser, ")");
}

/*
 * Puts what was written since a place into a cast.
 *
 * Flink's casts differ from PostgreSQL's: numbers and times are cut, not rounded, and
 * a time as a string shows all digits of its precision, and no zone; fewer words say a
 * boolean.  A value that is exact has nothing to cut.
 */
static void
wrap_in_cast(AwFlinkParser *parser, int at, const AwFlinkType *type, bool is_exact)
{
	const char *open = "CAST(";
	const char *close = psprintf(" AS %s)", type->sql);
	int			source = aw_flinkparser_peek(parser, 0)->start;

	if (is_exact)
		 /* a plain cast */ ;
	else if (type->type_class == AW_FLINK_TYPE_INTEGER)
	{
		open = psprintf("flink.to_%s(", type->sql);
		close = ")";
	}
	else if (type->type_class == AW_FLINK_TYPE_CHARACTER && strcmp(type->sql, "text") == 0)
	{
		open = "flink.to_string(";
		close = ")";
	}
	else if (type->type_class == AW_FLINK_TYPE_CHARACTER)
	{
		open = "CAST(flink.to_string(";
		close = psprintf(") AS %s)", type->sql);
	}
	else if (type->type_class == AW_FLINK_TYPE_BOOLEAN)
	{
		open = "flink.to_boolean(";
		close = ")";
	}
	else if (type->type_class == AW_FLINK_TYPE_BINARY)
	{
		open = type->is_fixed ? "flink.to_binary(" : "flink.to_bytes(";
		close = type->length >= 0 ? psprintf(", %d)", type->length) : ")";
	}
	else if (type->type_class == AW_FLINK_TYPE_TIME)
	{
		open = "CAST(flink.to_time(";
		close = psprintf(", %d) AS %s)", type->precision, type->sql);
	}
	else if (type->type_class == AW_FLINK_TYPE_TIMESTAMP)
	{
		open = "CAST(flink.trunc(";
		close = psprintf(", %d) AS %s)", type->precision, type->sql);
	}
	aw_flinkoutput_insert(parser->output, at, open, source);
	aw_flinkparser_emit_glued(parser, close);
}

/* Is the operand NULL, or a clock of milliseconds that keeps them all? */
static bool
is_exact(const AwFlinkParser *parser, int start, int end, const AwFlinkType *type)
{
	const AwFlinkToken *token = &parser->tokens[start];

	if (end != start + 1)
		return false;
	if (aw_flinktoken_is_word(token, "NULL"))
		return true;
	return type->type_class == AW_FLINK_TYPE_TIMESTAMP && type->precision >= 3 &&
		(aw_flinktoken_is_word(token, "CURRENT_TIMESTAMP") ||
		 aw_flinktoken_is_word(token, "LOCALTIMESTAMP"));
}

/* Passes a unit of time, and writes it as a string. */
static void
translate_unit(AwFlinkParser *parser)
{
	char	   *name = aw_flinkparser_peek(parser, 0)->text;
	int			source = aw_flinkparser_peek(parser, 0)->start;

	aw_flinkparser_name(parser);
	if (pg_strncasecmp(name, "SQL_TSI_", strlen("SQL_TSI_")) == 0)
		name += strlen("SQL_TSI_");
	aw_flinkoutput_word(parser->output,
						quote_literal_cstr(downcase_identifier(name, strlen(name), false, false)), source);
}

/* NULL is what comes of an empty result and of an error, and may be said. */
static void
translate_json_options(AwFlinkParser *parser, const Function *function)
{
	while (aw_flinkparser_accept(parser, "NULL ON EMPTY") ||
		   aw_flinkparser_accept(parser, "NULL ON ERROR"))
		;
	if (aw_flinkparser_at(parser, "DEFAULT") || aw_flinkparser_at(parser, "ERROR") ||
		aw_flinkparser_at(parser, "EMPTY"))
		aw_flinkparser_unsupported(parser, psprintf("DEFAULT, EMPTY or ERROR in %s", function->name),
								   "Use COALESCE around it.");
}

/* They may stand within the parentheses of a call, and behind them. */
static void
refuse_nulls(const AwFlinkParser *parser)
{
	if (aw_flinkparser_at(parser, "IGNORE NULLS") || aw_flinkparser_at(parser, "RESPECT NULLS"))
		aw_flinkparser_unsupported(parser, "IGNORE NULLS or RESPECT NULLS", NULL);
}

/* What an aggregate or window function may have behind it. */
static void
translate_tail(AwFlinkParser *parser)
{
	refuse_nulls(parser);
	if (aw_flinkparser_at(parser, "WITHIN GROUP"))
	{
		aw_flinkparser_copy(parser, "WITHIN GROUP");
		aw_flinkparser_emit(parser, "(");
		aw_flinkoutput_glue_next(parser->output);
		aw_flinkparser_expect_symbol(parser, "(");
		aw_flinkparser_copy(parser, "ORDER BY");
		aw_flinkexpression_order_by(parser);
		close_call(parser);
	}
	if (aw_flinkparser_at(parser, "FILTER") &&
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "("))
	{
		aw_flinkparser_copy(parser, "FILTER");
		aw_flinkparser_emit(parser, "(");
		aw_flinkoutput_glue_next(parser->output);
		aw_flinkparser_expect_symbol(parser, "(");
		aw_flinkparser_copy(parser, "WHERE");
		aw_flinkexpression_translate(parser);
		close_call(parser);
	}
	if (aw_flinkparser_at(parser, "OVER"))
	{
		aw_flinkparser_copy(parser, "OVER");
		aw_flinkexpression_window(parser);
	}
}
