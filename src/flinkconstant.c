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

static void translate_timestamp(AwFlinkParser *parser);
static void translate_date_or_time(AwFlinkParser *parser);
static void translate_interval(AwFlinkParser *parser);
static void translate_interval_range(AwFlinkParser *parser, const char *value, bool is_negative,
									 const char *from);
static void emit_interval(AwFlinkParser *parser, const char *value, const char *unit);
static const char *interval_unit(AwFlinkParser *parser);
static int	interval_precision(AwFlinkParser *parser);
static bool is_number(const char *text, bool may_have_fraction);

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
		(next->kind == AW_FLINK_STRING || aw_flinktoken_is_symbol(next, "-") ||
		 aw_flinktoken_is_symbol(next, "+"));
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
 * INTERVAL '10' MINUTES, INTERVAL '10 03:12' DAY(3) TO MINUTE, INTERVAL '5' MILLISECOND.
 *
 * What Flink gives in parentheses is the number of digits that the first field may
 * have, which PostgreSQL does not know; behind SECOND it is that of the fraction only
 * where it stands second, or where the field is the last of several.
 */
static void
translate_interval(AwFlinkParser *parser)
{
	bool		is_negative = false;
	char	   *value;
	const char *unit;

	aw_flinkparser_next(parser);
	if (aw_flinkparser_accept_symbol(parser, "-"))
		is_negative = true;
	else
		aw_flinkparser_accept_symbol(parser, "+");
	if (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_STRING)
		aw_flinkparser_fail(parser, "expected a string constant");
	value = aw_flinkparser_peek(parser, 0)->text;
	if (value[0] == '-' || value[0] == '+')
	{
		is_negative ^= value[0] == '-';
		value++;
	}
	parser->at++;
	unit = interval_unit(parser);
	interval_precision(parser);
	if (aw_flinkparser_at(parser, "TO"))
	{
		translate_interval_range(parser, value, is_negative, unit);
		return;
	}
	if (!is_number(value, strcmp(unit, "SECOND") == 0))
	{
		parser->at--;
		aw_flinkparser_error(parser, psprintf("INTERVAL in %s takes a %snumber, not '%s'", unit,
											 strcmp(unit, "SECOND") == 0 ? "" : "whole ", value));
	}
	emit_interval(parser, is_negative ? psprintf("-%s", value) : value, unit);
}

/* PostgreSQL would apply a sign to the first field alone. */
static void
translate_interval_range(AwFlinkParser *parser, const char *value, bool is_negative,
						 const char *from)
{
	const char *to;
	int			precision;

	aw_flinkparser_next(parser);
	to = interval_unit(parser);
	precision = interval_precision(parser);
	if (!isdigit((unsigned char) *value) || value[strspn(value, "0123456789-: .")] != '\0')
		aw_flinkparser_error(parser, psprintf("INTERVAL takes numbers, not '%s'", value));
	if (is_negative)
	{
		aw_flinkparser_emit(parser, "-");
		aw_flinkoutput_glue_next(parser->output);
	}
	aw_flinkparser_emit(parser, psprintf("INTERVAL %s %s TO %s", quote_literal_cstr(value), from, to));
	if (precision >= 0 && strcmp(to, "SECOND") == 0)
		aw_flinkparser_emit_glued(parser, psprintf("(%d)", Min(precision, 6)));
}

/* Units that PostgreSQL knows only inside the string go there. */
static void
emit_interval(AwFlinkParser *parser, const char *value, const char *unit)
{
	if (strcmp(unit, "QUARTER") == 0)
		aw_flinkparser_emit(parser, psprintf("3 * INTERVAL '%s' MONTH", value));
	else if (strcmp(unit, "WEEK") == 0)
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s weeks'", value));
	else if (strcmp(unit, "MILLISECOND") == 0)
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s milliseconds'", value));
	else if (strcmp(unit, "MICROSECOND") == 0)
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s microseconds'", value));
	else
		aw_flinkparser_emit(parser, psprintf("INTERVAL '%s' %s", value, unit));
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

/* Passes a precision; the second number of two counts.  -1 if there is none. */
static int
interval_precision(AwFlinkParser *parser)
{
	int			precision = -1;

	if (!aw_flinkparser_accept_symbol(parser, "("))
		return -1;
	do
	{
		const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

		if (token->kind != AW_FLINK_NUMBER || strlen(token->text) > 2 ||
			!is_number(token->text, false))
			aw_flinkparser_fail(parser, "expected a number of digits");
		precision = atoi(token->text);
		aw_flinkparser_next(parser);
	} while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, ")");
	return precision;
}

static bool
is_number(const char *text, bool may_have_fraction)
{
	size_t		digits = strspn(text, "0123456789");

	if (may_have_fraction && text[digits] == '.')
		return digits > 0 && text[digits + 1 + strspn(text + digits + 1, "0123456789")] == '\0';
	return digits > 0 && text[digits] == '\0';
}
