/*
 * flinkconstant.c
 *
 * Constants: strings, times, intervals.
 *
 * The text of a time or an interval is checked before it is handed on, since the
 * server would read more into it than Flink does: words such as "now", or fields of
 * other units.
 */
#include "postgres.h"

#include "datatype/timestamp.h"
#include "utils/builtins.h"

#include "flinkconstant.h"

#define FIELD_DAY 2

/* Units of an interval that has several: what stands before the next, and the exclusive bound. */
static const struct
{
	const char *unit;
	char		separator;
	int			limit;
}			fields[] = {
	{"YEAR", '-', 0},
	{"MONTH", '\0', 12},
	{"DAY", ' ', 0},
	{"HOUR", ':', 24},
	{"MINUTE", ':', 60},
	{"SECOND", '\0', 60},
};

/* An interval that stands in the source. */
typedef struct IntervalConstant
{
	int			at;				/* number of the token that is the constant */
	const char *value;			/* without a sign */
	bool		is_negative;
	const char *from;			/* units; one and the same if there is one */
	const char *to;
	int			n_digits;		/* that the first field may have */
	int			n_fraction;
} IntervalConstant;

static void translate_timestamp(AwFlinkParser *parser);
static void translate_date_or_time(AwFlinkParser *parser);
static void translate_interval(AwFlinkParser *parser);
static const char *whole_number(AwFlinkParser *parser);
static void parse_range(AwFlinkParser *parser, IntervalConstant *interval);
static void check_interval(const AwFlinkParser *parser, const IntervalConstant *interval);
static bool has_form(const IntervalConstant *interval);
static void cut_fraction(IntervalConstant *interval);
static void emit_interval(AwFlinkParser *parser, const IntervalConstant *interval);
static const char *interval_unit(AwFlinkParser *parser);
static void interval_precision(AwFlinkParser *parser, int *first, int *second);
static int	digits_number(AwFlinkParser *parser);
static int	field_number(const char *unit);
static char *trimmed(const char *text);

/* A string constant. */
void
aw_flinkconstant_string(AwFlinkParser *parser)
{
	aw_flinkparser_emit(parser, quote_literal_cstr(aw_flinkparser_peek(parser, 0)->text));
	aw_flinkparser_string(parser);
}

/* A number.  With an exponent it is a DOUBLE, and with nothing behind its point an INT. */
void
aw_flinkconstant_number(AwFlinkParser *parser)
{
	char	   *text = aw_flinkparser_peek(parser, 0)->text;
	size_t		length = strlen(text);

	if (text[length - 1] == '.')
		text = pnstrdup(text, length - 1);
	aw_flinkparser_keyword(parser, text);
	if (strpbrk(text, "eE") != NULL)
		aw_flinkparser_emit_glued(parser, "::double precision");
}

/* A constant that begins with its type; false if there is none. */
bool
aw_flinkconstant_translate(AwFlinkParser *parser)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);
	const AwFlinkToken *next = aw_flinkparser_peek(parser, 1);

	if (aw_flinkconstant_is_interval(parser, 0))
		translate_interval(parser);
	else if (next->kind != AW_FLINK_STRING)
		return false;
	else if (aw_flinkparser_at(parser, "TIMESTAMP"))
		translate_timestamp(parser);
	else if (aw_flinkparser_at(parser, "DATE") || aw_flinkparser_at(parser, "TIME"))
		translate_date_or_time(parser);
	else if (aw_flinkparser_at(parser, "X") && next->start == token->end)
	{
		aw_flinkparser_emit(parser, quote_literal_cstr(psprintf("\\x%s", next->text)));
		aw_flinkparser_emit_glued(parser, "::bytea");
		aw_flinkparser_next(parser);
		aw_flinkparser_next(parser);
	}
	else
		return false;
	return true;
}

/* Does an interval stand so many tokens ahead? */
bool
aw_flinkconstant_is_interval(const AwFlinkParser *parser, int ahead)
{
	const AwFlinkToken *next = aw_flinkparser_peek(parser, ahead + 1);

	return aw_flinktoken_is_word(aw_flinkparser_peek(parser, ahead), "INTERVAL") &&
		(next->kind == AW_FLINK_STRING || next->kind == AW_FLINK_NUMBER ||
		 aw_flinktoken_is_symbol(next, "-") || aw_flinktoken_is_symbol(next, "+"));
}

/* The digits of the fraction are part of the type, as in Flink; those past the sixth are cut. */
static void
translate_timestamp(AwFlinkParser *parser)
{
	const char *value = aw_flinkparser_peek(parser, 1)->text;
	const char *point = strchr(value, '.');

	aw_flinkparser_keyword(parser, point == NULL ? "TIMESTAMP" :
						   psprintf("TIMESTAMP(%d)", Min((int) strlen(point + 1), MAX_TIMESTAMP_PRECISION)));
	if (!isdigit((unsigned char) *value) || value[strspn(value, "0123456789-: .")] != '\0')
		aw_flinkparser_fail(parser, "expected a time like '2024-05-01 10:00:00.000'");
	if (point != NULL)
		value = pnstrdup(value, Min(strlen(value), (size_t) (point - value) + 1 + MAX_TIMESTAMP_PRECISION));
	aw_flinkparser_keyword(parser, quote_literal_cstr(value));
}

static void
translate_date_or_time(AwFlinkParser *parser)
{
	const char *value = aw_flinkparser_peek(parser, 1)->text;

	aw_flinkparser_keyword(parser, aw_flinkparser_at(parser, "DATE") ? "DATE" : "TIME");
	if (!isdigit((unsigned char) *value) || value[strspn(value, "0123456789-:.")] != '\0')
		aw_flinkparser_fail(parser, "expected a constant like '2024-05-01' or '10:00:00'");
	aw_flinkconstant_string(parser);
}

/*
 * INTERVAL '10' MINUTES, INTERVAL '10 03:12' DAY(3) TO MINUTE, INTERVAL '5' MILLISECOND,
 * and INTERVAL 10 MINUTES, of one unit and as many digits as there are.
 *
 * What Flink gives in parentheses is the number of digits that the first field may
 * have, which PostgreSQL does not know; behind SECOND it is that of the fraction only
 * where it stands second, or where the field is the last of several.
 */
static void
translate_interval(AwFlinkParser *parser)
{
	IntervalConstant interval = {.n_digits = 2, .n_fraction = 6};
	bool		is_number;

	aw_flinkparser_next(parser);
	if (aw_flinkparser_accept_symbol(parser, "-"))
		interval.is_negative = true;
	else
		aw_flinkparser_accept_symbol(parser, "+");
	interval.at = parser->at;
	is_number = aw_flinkparser_peek(parser, 0)->kind == AW_FLINK_NUMBER;
	interval.value = is_number ? whole_number(parser) : trimmed(aw_flinkparser_string(parser));
	if (interval.value[0] == '-' || interval.value[0] == '+')
	{
		interval.is_negative ^= interval.value[0] == '-';
		interval.value++;
	}
	interval.from = interval.to = interval_unit(parser);
	interval_precision(parser, &interval.n_digits,
					   strcmp(interval.from, "SECOND") == 0 ? &interval.n_fraction : NULL);
	if (is_number)
		interval.n_digits = PG_INT32_MAX;
	else if (aw_flinkparser_accept(parser, "TO"))
		parse_range(parser, &interval);
	check_interval(parser, &interval);
	cut_fraction(&interval);
	emit_interval(parser, &interval);
}

/* Passes a number without a fraction. */
static const char *
whole_number(AwFlinkParser *parser)
{
	const char *text = aw_flinkparser_peek(parser, 0)->text;

	if (text[strspn(text, "0123456789")] != '\0')
		aw_flinkparser_fail(parser, "expected a whole number");
	return aw_flinkparser_next(parser)->text;
}

/* The last unit of several, which not all units may be. */
static void
parse_range(AwFlinkParser *parser, IntervalConstant *interval)
{
	AwFlinkParser unit = *parser;
	int			first = field_number(interval->from);
	int			last;

	interval->to = interval_unit(parser);
	last = field_number(interval->to);
	if (first < 0 || last <= first || (first < FIELD_DAY) != (last < FIELD_DAY))
		aw_flinkparser_error(&unit, psprintf("there is no INTERVAL %s TO %s in Flink SQL",
											 interval->from, interval->to));
	if (strcmp(interval->to, "SECOND") == 0)
		interval_precision(parser, &interval->n_fraction, NULL);
}

/* An error at the constant if it has not the form that its units ask for. */
static void
check_interval(const AwFlinkParser *parser, const IntervalConstant *interval)
{
	AwFlinkParser literal = *parser;
	const char *units = interval->from == interval->to ? interval->from :
		psprintf("%s TO %s", interval->from, interval->to);
	const char *value = interval->value + strspn(interval->value, "0");
	int			n_digits = strspn(value, "0123456789");
	bool		is_of_ours = strcmp(interval->from, "MILLISECOND") == 0 ||
		strcmp(interval->from, "MICROSECOND") == 0;

	literal.at = interval->at;
	if (!has_form(interval))
		aw_flinkparser_error(&literal, psprintf("'%s' is not an INTERVAL %s",
												interval->value, units));
	if (n_digits > interval->n_digits && !is_of_ours)
		aw_flinkparser_error(&literal, psprintf("INTERVAL '%s' has more than %d digits: write %s(%d)",
												interval->value, interval->n_digits,
												interval->from, n_digits));
}

/* Digits for each unit, of which those behind the first have a limit, and a fraction. */
static bool
has_form(const IntervalConstant *interval)
{
	const char *value = interval->value;
	int			first = field_number(interval->from);
	int			last = field_number(interval->to);
	size_t		digits = strspn(value, "0123456789");

	for (int i = first; i < last && digits > 0; i++)
	{
		if (value[digits] != fields[i].separator)
			return false;
		value += digits + 1;
		digits = strspn(value, "0123456789");
		if (digits > 2 || atoi(value) >= fields[i + 1].limit)
			return false;
	}
	if (digits > 0 && strcmp(interval->to, "SECOND") == 0 && value[digits] == '.')
	{
		value += digits + 1;
		digits = strspn(value, "0123456789");
		if (digits > (size_t) interval->n_fraction)
			return false;
	}
	return digits > 0 && value[digits] == '\0';
}

/* Flink's intervals are of milliseconds. */
static void
cut_fraction(IntervalConstant *interval)
{
	const char *point = strchr(interval->value, '.');

	if (point != NULL && strlen(point + 1) > 3)
		interval->value = pnstrdup(interval->value, point + 4 - interval->value);
}

/*
 * Units that PostgreSQL knows only inside the string go there, and so do more than 59
 * minutes before a colon.  It would apply a sign to the first of several fields alone.
 */
static void
emit_interval(AwFlinkParser *parser, const IntervalConstant *interval)
{
	const char *sign = interval->is_negative ? "-" : "";
	const char *value = interval->value;
	const char *unit = interval->from;

	if (strcmp(unit, "MINUTE") == 0 && interval->to != unit && atoi(value) >= 60)
	{
		int			n_digits = strcspn(value, ":");

		aw_flinkparser_emit(parser, psprintf("%sINTERVAL '%.*s minutes %s seconds'", sign,
											 n_digits, value, value + n_digits + 1));
	}
	else if (interval->to != interval->from)
		aw_flinkparser_emit(parser, psprintf("%sINTERVAL '%s' %s TO %s", sign, value, unit,
											 interval->to));
	else if (strcmp(unit, "QUARTER") == 0)
		aw_flinkparser_emit(parser, psprintf("3 * INTERVAL '%s%s' MONTH", sign, value));
	else if (strcmp(unit, "WEEK") == 0)
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s%s weeks'", sign, value));
	else if (strcmp(unit, "MILLISECOND") == 0)
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s%s milliseconds'", sign, value));
	else if (strcmp(unit, "MICROSECOND") == 0)
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s%s microseconds'", sign, value));
	else
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s%s' %s", sign, value, unit));
}

/* Passes a unit, singular or plural; returns the singular in upper case. */
static const char *
interval_unit(AwFlinkParser *parser)
{
	static const char *const units[] = {
		"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND",
		"MILLISECOND", "MICROSECOND"
	};

	for (size_t i = 0; i < lengthof(units); i++)
	{
		if (aw_flinkparser_accept(parser, units[i]) ||
			aw_flinkparser_accept(parser, psprintf("%sS", units[i])))
			return units[i];
	}
	aw_flinkparser_fail(parser, "expected a unit of time");
}

/* Passes numbers of digits, if they stand here; the second one may be missing. */
static void
interval_precision(AwFlinkParser *parser, int *first, int *second)
{
	if (!aw_flinkparser_accept_symbol(parser, "("))
		return;
	*first = digits_number(parser);
	if (second != NULL && aw_flinkparser_accept_symbol(parser, ","))
		*second = digits_number(parser);
	aw_flinkparser_expect_symbol(parser, ")");
}

/* Passes a number of digits, of which there are 1 to 9. */
static int
digits_number(AwFlinkParser *parser)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

	if (token->kind != AW_FLINK_NUMBER || strlen(token->text) != 1 || token->text[0] == '0')
		aw_flinkparser_fail(parser, "expected a number of digits");
	aw_flinkparser_next(parser);
	return token->text[0] - '0';
}

/* The number of a unit among those that an interval may have several of; else -1. */
static int
field_number(const char *unit)
{
	for (size_t i = 0; i < lengthof(fields); i++)
	{
		if (strcmp(unit, fields[i].unit) == 0)
			return i;
	}
	return -1;
}

/* A text without white space around it. */
static char *
trimmed(const char *text)
{
	size_t		length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length > 0 && isspace((unsigned char) text[length - 1]))
		length--;
	return pnstrdup(text, length);
}
