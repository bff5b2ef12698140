/*
 * constanttext.c
 *
 * PostgreSQL's constants in Flink's words: times, intervals and bytes as SQL's
 * literals, in one form whatever the session's settings are.
 *
 * An interval keeps its months, days and parts of a day apart where Flink has a
 * literal for that, so that reading it again gives the same one.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "constanttext.h"
#include "expressiontext.h"
#include "typetext.h"

static char *null_text(const Const *constant);
static char *number_text(const Const *constant);
static char *bytes_text(const bytea *bytes);
static char *interval_text(const Interval *interval);
static char *range_text(const Interval *interval);
static char *unit_text(int64 number, const char *fraction, const char *unit, bool is_negative);
static char *fraction_text(int64 us);
static int64 magnitude(int64 number);
static char *time_text(Datum time);

/* A constant, palloc'd; NULL if Flink has none like it. */
char *
aw_constanttext(const Const *constant)
{
	Datum		value = constant->constvalue;

	if (constant->constisnull)
		return null_text(constant);
	switch (constant->consttype)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case NUMERICOID:
		case FLOAT4OID:
		case FLOAT8OID:
			return number_text(constant);
		case BOOLOID:
			return pstrdup(DatumGetBool(value) ? "TRUE" : "FALSE");
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return aw_expressiontext_literal(TextDatumGetCString(value));
		case BYTEAOID:
			return bytes_text(DatumGetByteaPP(value));
		case INTERVALOID:
			return interval_text(DatumGetIntervalP(value));
		case TIMESTAMPOID:
			return psprintf("TIMESTAMP '%s'", time_text(value));
		case TIMESTAMPTZOID:
			return psprintf("CAST(TIMESTAMP '%s' AS TIMESTAMP_LTZ(3))",
							time_text(DirectFunctionCall1(timestamptz_timestamp, value)));
		case DATEOID:
			return psprintf("DATE '%.10s'", time_text(DirectFunctionCall1(date_timestamp, value)));
		case TIMEOID:
			return psprintf("TIME '%s'", DatumGetCString(DirectFunctionCall1(time_out, value)));
		default:
			return NULL;
	}
}

/* Is it a time that is written with as many digits as a cast would give it? */
bool
aw_constanttext_has_digits(const Const *constant, int32 digits)
{
	char	   *point;

	if (constant->constisnull || constant->consttype != TIMESTAMPOID)
		return false;
	point = strchr(time_text(constant->constvalue), '.');
	return point != NULL && (int32) strlen(point + 1) == digits;
}

/* Flink takes watermarks of milliseconds only. */
static char *
null_text(const Const *constant)
{
	bool		is_time = (constant->consttype == TIMESTAMPOID ||
						   constant->consttype == TIMESTAMPTZOID);
	char	   *type = aw_typetext(constant->consttype, is_time ? 3 : constant->consttypmod);

	return type ? psprintf("CAST(NULL AS %s)", type) : pstrdup("NULL");
}

/* NULL for what is no number but a floating point's: NaN and the infinities. */
static char *
number_text(const Const *constant)
{
	bool		is_float = (constant->consttype == FLOAT4OID || constant->consttype == FLOAT8OID);
	Oid			output;
	bool		is_varlena;
	char	   *number;

	getTypeOutputInfo(constant->consttype, &output, &is_varlena);
	number = OidOutputFunctionCall(output, constant->constvalue);
	if (!isdigit((unsigned char) number[*number == '-' ? 1 : 0]))
		return NULL;
	if (is_float)
		return psprintf("CAST(%s AS %s)", number, aw_typetext(constant->consttype, -1));
	return *number == '-' ? psprintf("(%s)", number) : number;
}

static char *
bytes_text(const bytea *bytes)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoString(&text, "X'");
	for (size_t i = 0; i < (size_t) VARSIZE_ANY_EXHDR(bytes); i++)
		appendStringInfo(&text, "%02x", (unsigned char) VARDATA_ANY(bytes)[i]);
	appendStringInfoChar(&text, '\'');
	return text.data;
}

/* The largest unit that leaves a whole number; one of months cannot have days as well. */
static char *
interval_text(const Interval *interval)
{
	int64		us = interval->day * USECS_PER_DAY + interval->time;

	if (interval->month != 0 && us == 0 && interval->month % MONTHS_PER_YEAR == 0)
		return unit_text(interval->month / MONTHS_PER_YEAR, "", "YEAR", interval->month < 0);
	if (interval->month != 0 && us == 0)
		return unit_text(interval->month, "", "MONTH", interval->month < 0);
	if (interval->month != 0)
	{
		Interval	rest = {.day = interval->day, .time = interval->time};

		return psprintf("(%s + %s)", unit_text(interval->month, "", "MONTH", interval->month < 0),
						interval_text(&rest));
	}
	if (interval->day != 0 && interval->time == 0)
		return unit_text(interval->day, "", "DAY", interval->day < 0);
	if (interval->day != 0 && (interval->day < 0) == (interval->time < 0) &&
		magnitude(interval->time) < USECS_PER_DAY)
		return range_text(interval);
	if (us != 0 && us % USECS_PER_HOUR == 0)
		return unit_text(us / USECS_PER_HOUR, "", "HOUR", us < 0);
	if (us != 0 && us % USECS_PER_MINUTE == 0)
		return unit_text(us / USECS_PER_MINUTE, "", "MINUTE", us < 0);
	return unit_text(us / USECS_PER_SEC, fraction_text(us), "SECOND", us < 0);
}

/* Days and parts of a day, which have one sign. */
static char *
range_text(const Interval *interval)
{
	int64		us = magnitude(interval->time);
	char	   *days = psprintf("%d", abs(interval->day));

	return psprintf("INTERVAL '%s%s %02d:%02d:%02d%s' DAY%s TO SECOND",
					interval->day < 0 ? "-" : "", days, (int) (us / USECS_PER_HOUR),
					(int) (us / USECS_PER_MINUTE % MINS_PER_HOUR),
					(int) (us / USECS_PER_SEC % SECS_PER_MINUTE), fraction_text(us),
					strlen(days) > 2 ? psprintf("(%d)", (int) strlen(days)) : "");
}

/* Flink wants to be told of more than two digits. */
static char *
unit_text(int64 number, const char *fraction, const char *unit, bool is_negative)
{
	char	   *digits = psprintf(INT64_FORMAT, magnitude(number));
	char	   *precision = strlen(digits) > 2 ? psprintf("(%d)", (int) strlen(digits)) : "";

	return psprintf("INTERVAL '%s%s%s' %s%s", is_negative ? "-" : "", digits, fraction, unit,
					precision);
}

/* The parts of a second, with the point before them; none if there are none. */
static char *
fraction_text(int64 us)
{
	char	   *fraction = psprintf(".%06d", abs((int) (us % USECS_PER_SEC)));

	if (us % USECS_PER_SEC == 0)
		fraction[0] = '\0';
	else if (us % 1000 == 0)
		fraction[4] = '\0';
	return fraction;
}

static int64
magnitude(int64 number)
{
	return number < 0 ? -number : number;
}

/* A time in ISO form, whatever DateStyle is. */
static char *
time_text(Datum time)
{
	Timestamp	timestamp = DatumGetTimestamp(time);
	struct pg_tm tm;
	fsec_t		fraction;
	char		text[MAXDATELEN + 1];

	if (TIMESTAMP_NOT_FINITE(timestamp) ||
		timestamp2tm(timestamp, NULL, &tm, &fraction, NULL, NULL) != 0)
		return DatumGetCString(DirectFunctionCall1(timestamp_out, time));
	EncodeDateTime(&tm, fraction, false, 0, NULL, USE_ISO_DATES, text);
	return pstrdup(text);
}
