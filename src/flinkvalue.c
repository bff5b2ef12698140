/*
 * flinkvalue.c
 *
 * Values and text, as Flink's casts turn one into the other, where PostgreSQL's differ:
 * values in Java's forms, integers from text with a fraction that is cut, booleans from
 * a few words, times cut to a precision where PostgreSQL rounds.
 *
 * A time shows as many digits as its type modifier declares; where it says nothing,
 * milliseconds, and microseconds if there are any.
 */
#include "postgres.h"

#include <ctype.h>
#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "common/shortest_dec.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "flinkvalue.h"

static void append_timestamp(StringInfo buf, Timestamp ts, int32 typmod);
static void append_date(StringInfo buf, DateADT date);
static void append_time(StringInfo buf, TimeADT time, int32 typmod);
static void append_second_fraction(StringInfo buf, int us, int digits);
static void append_interval(StringInfo buf, const Interval *interval);
static void append_double(StringInfo buf, double value, bool is_real);
static void append_java_digits(StringInfo buf, const char *shortest);
static void append_json(StringInfo buf, Datum value);
static void append_bytes(StringInfo buf, bytea *bytes);
static void append_array(StringInfo buf, ArrayType *array, Oid element_type);
static void append_record(StringInfo buf, HeapTupleHeader record);
static void append_item(StringInfo buf, bool is_first, bool is_null, Datum value, Oid type,
						int32 typmod);

/* Appends a value as text; errors for a time that is out of range. */
void
aw_flinkvalue_append(StringInfo buf, Datum value, Oid type, int32 typmod)
{
	Oid			element_type;
	Oid			output;
	bool		is_varlena;

	type = getBaseTypeAndTypmod(type, &typmod);
	switch (type)
	{
		case BOOLOID:
			appendStringInfoString(buf, DatumGetBool(value) ? "TRUE" : "FALSE");
			return;
		case FLOAT4OID:
			append_double(buf, DatumGetFloat4(value), true);
			return;
		case FLOAT8OID:
			append_double(buf, DatumGetFloat8(value), false);
			return;
		case TIMESTAMPOID:
			append_timestamp(buf, DatumGetTimestamp(value), typmod);
			return;
		case TIMESTAMPTZOID:
			value = DirectFunctionCall1(timestamptz_timestamp, value);
			append_timestamp(buf, DatumGetTimestamp(value), typmod);
			return;
		case DATEOID:
			append_date(buf, DatumGetDateADT(value));
			return;
		case TIMEOID:
			append_time(buf, DatumGetTimeADT(value), typmod);
			return;
		case INTERVALOID:
			append_interval(buf, DatumGetIntervalP(value));
			return;
		case JSONBOID:
			append_json(buf, value);
			return;
		case BYTEAOID:
			append_bytes(buf, DatumGetByteaPP(value));
			return;
		default:
			break;
	}

	element_type = get_element_type(type);
	if (OidIsValid(element_type))
		append_array(buf, DatumGetArrayTypeP(value), element_type);
	else if (type_is_rowtype(type))
		append_record(buf, DatumGetHeapTupleHeader(value));
	else
	{
		getTypeOutputInfo(type, &output, &is_varlena);
		appendStringInfoString(buf, OidOutputFunctionCall(output, value));
	}
}

static void
append_timestamp(StringInfo buf, Timestamp ts, int32 typmod)
{
	struct pg_tm tm;
	fsec_t		us;

	if (TIMESTAMP_NOT_FINITE(ts))
	{
		appendStringInfoString(buf, TIMESTAMP_IS_NOBEGIN(ts) ? "-infinity" : "infinity");
		return;
	}
	if (timestamp2tm(ts, NULL, &tm, &us, NULL, NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));

	appendStringInfo(buf, "%04d-%02d-%02d %02d:%02d:%02d", tm.tm_year, tm.tm_mon, tm.tm_mday,
					 tm.tm_hour, tm.tm_min, tm.tm_sec);
	append_second_fraction(buf, us, typmod >= 0 ? typmod : us % 1000 != 0 ? 6 : 3);
}

static void
append_date(StringInfo buf, DateADT date)
{
	int			year;
	int			month;
	int			day;

	if (DATE_NOT_FINITE(date))
	{
		appendStringInfoString(buf, DATE_IS_NOBEGIN(date) ? "-infinity" : "infinity");
		return;
	}
	j2date(date + POSTGRES_EPOCH_JDATE, &year, &month, &day);
	appendStringInfo(buf, "%04d-%02d-%02d", year, month, day);
}

/* A time of day whose type says nothing shows the digits that it has. */
static void
append_time(StringInfo buf, TimeADT time, int32 typmod)
{
	int			us = time % USECS_PER_SEC;
	int			seconds = time / USECS_PER_SEC;
	int			digits = typmod;

	if (digits < 0)
		digits = us == 0 ? 0 : us % 1000 != 0 ? 6 : 3;
	appendStringInfo(buf, "%02d:%02d:%02d", seconds / SECS_PER_HOUR,
					 seconds / SECS_PER_MINUTE % MINS_PER_HOUR, seconds % SECS_PER_MINUTE);
	append_second_fraction(buf, us, digits);
}

static void
append_second_fraction(StringInfo buf, int us, int digits)
{
	char		fraction[8];

	if (digits <= 0)
		return;
	snprintf(fraction, sizeof(fraction), ".%06d", us);
	appendBinaryStringInfo(buf, fraction, Min(digits, 6) + 1);
}

/*
 * Months as years and months, "+1-02"; else days and a time with milliseconds,
 * "+1 02:03:04.005".  Flink's intervals are one or the other.
 */
static void
append_interval(StringInfo buf, const Interval *interval)
{
	bool		is_negative;
	int64		us;

	if (interval->month != 0)
	{
		appendStringInfo(buf, "%c%d-%02d", interval->month < 0 ? '-' : '+',
						 abs(interval->month) / MONTHS_PER_YEAR,
						 abs(interval->month) % MONTHS_PER_YEAR);
		return;
	}
	if (pg_mul_s64_overflow(interval->day, USECS_PER_DAY, &us) ||
		pg_add_s64_overflow(us, interval->time, &us) || us == PG_INT64_MIN)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range")));
	is_negative = us < 0;
	us = is_negative ? -us : us;
	appendStringInfo(buf, "%c" INT64_FORMAT " ", is_negative ? '-' : '+', us / USECS_PER_DAY);
	append_time(buf, us % USECS_PER_DAY, 3);
}

/* A number in the form of Java's Double.toString: 1.0, 1.0E10, NaN. */
static void
append_double(StringInfo buf, double value, bool is_real)
{
	char		shortest[DOUBLE_SHORTEST_DECIMAL_LEN];

	if (isnan(value))
		appendStringInfoString(buf, "NaN");
	else if (isinf(value))
		appendStringInfoString(buf, value < 0 ? "-Infinity" : "Infinity");
	else
	{
		if (is_real)
			float_to_shortest_decimal_buf((float) value, shortest);
		else
			double_to_shortest_decimal_buf(value, shortest);
		append_java_digits(buf, shortest);
	}
}

/*
 * Takes the digits of a number, in any form, and writes them in Java's: plain from
 * 10^-3 to below 10^7, else with one digit before the point and an exponent.
 */
static void
append_java_digits(StringInfo buf, const char *shortest)
{
	char		digits[DOUBLE_SHORTEST_DECIMAL_LEN];
	int			length = 0;
	int			point = 0;		/* digits before the decimal point */
	bool		is_behind_point = false;

	if (*shortest == '-')
		appendStringInfoChar(buf, *shortest++);
	for (; *shortest != '\0' && *shortest != 'e'; shortest++)
	{
		if (*shortest == '.')
			is_behind_point = true;
		else if (length == 0 && *shortest == '0')
			point -= is_behind_point;
		else
		{
			digits[length++] = *shortest;
			point += !is_behind_point;
		}
	}
	if (*shortest == 'e')
		point += atoi(shortest + 1);
	while (length > 1 && digits[length - 1] == '0')
		length--;

	if (length == 0)
		appendStringInfoString(buf, "0.0");
	else if (point < -2 || point > 7)
		appendStringInfo(buf, "%c.%.*sE%d", digits[0], length > 1 ? length - 1 : 1,
						 length > 1 ? digits + 1 : "0", point - 1);
	else if (point <= 0)
		appendStringInfo(buf, "0.%.*s%.*s", -point, "00", length, digits);
	else if (length > point)
		appendStringInfo(buf, "%.*s.%.*s", point, digits, length - point, digits + point);
	else
		appendStringInfo(buf, "%.*s%.*s.0", length, digits, point - length, "0000000");
}

/* A string, such as a value of a map, without its quotes; other JSON as it is written. */
static void
append_json(StringInfo buf, Datum value)
{
	Datum		written = DirectFunctionCall1(jsonb_out, value);

	if (DatumGetCString(written)[0] == '"')
		written = DirectFunctionCall1(textout,
									  DirectFunctionCall2(jsonb_extract_path_text, value,
														  PointerGetDatum(construct_empty_array(TEXTOID))));
	appendStringInfoString(buf, DatumGetCString(written));
}

/* Bytes as the text that they are in UTF-8. */
static void
append_bytes(StringInfo buf, bytea *bytes)
{
	char	   *server = pg_any_to_server(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), PG_UTF8);

	if (server == VARDATA_ANY(bytes))
		appendBinaryStringInfo(buf, server, VARSIZE_ANY_EXHDR(bytes));
	else
		appendStringInfoString(buf, server);
}

static void
append_array(StringInfo buf, ArrayType *array, Oid element_type)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;
	int16		length;
	bool		by_value;
	char		align;

	get_typlenbyvalalign(element_type, &length, &by_value, &align);
	deconstruct_array(array, element_type, length, by_value, align, &values, &nulls, &count);
	appendStringInfoChar(buf, '[');
	for (int i = 0; i < count; i++)
		append_item(buf, i == 0, nulls[i], values[i], element_type, -1);
	appendStringInfoChar(buf, ']');
}

static void
append_record(StringInfo buf, HeapTupleHeader record)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(record),
											  HeapTupleHeaderGetTypMod(record));
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(record), .t_data = record};
	Datum	   *values = palloc_array(Datum, desc->natts);
	bool	   *nulls = palloc_array(bool, desc->natts);
	bool		is_first = true;

	heap_deform_tuple(&tuple, desc, values, nulls);
	appendStringInfoChar(buf, '(');
	for (int i = 0; i < desc->natts; i++)
	{
		const FormData_pg_attribute *column = TupleDescAttr(desc, i);

		if (column->attisdropped)
			continue;
		append_item(buf, is_first, nulls[i], values[i], column->atttypid, column->atttypmod);
		is_first = false;
	}
	appendStringInfoChar(buf, ')');
	ReleaseTupleDesc(desc);
}

static void
append_item(StringInfo buf, bool is_first, bool is_null, Datum value, Oid type, int32 typmod)
{
	if (!is_first)
		appendStringInfoString(buf, ", ");
	if (is_null)
		appendStringInfoString(buf, "NULL");
	else
		aw_flinkvalue_append(buf, value, type, typmod);
}

/*
 * Reads a decimal number and drops its fraction.  Either side of the point may lack
 * its digits.
 */
AwFlinkIntegerProblem
aw_flinkvalue_parse_integer(const char *text, Oid type, int64 *value)
{
	int64		limit = type == INT2OID ? PG_INT16_MIN :
		type == INT4OID ? PG_INT32_MIN : PG_INT64_MIN;
	int64		negated = 0;	/* reaches further than its opposite */
	bool		is_negative;
	bool		has_overflown = false;
	int			digits = 0;

	while (isspace((unsigned char) *text))
		text++;
	is_negative = *text == '-';
	if (*text == '-' || *text == '+')
		text++;
	for (; isdigit((unsigned char) *text); text++, digits++)
		has_overflown = has_overflown || pg_mul_s64_overflow(negated, 10, &negated) ||
			pg_sub_s64_overflow(negated, *text - '0', &negated);
	if (*text == '.')
	{
		for (text++; isdigit((unsigned char) *text); text++)
			digits++;
	}
	while (isspace((unsigned char) *text))
		text++;

	if (*text != '\0' || digits == 0)
		return AW_FLINK_INTEGER_SYNTAX;
	if (has_overflown || negated < (is_negative ? limit : limit + 1))
		return AW_FLINK_INTEGER_RANGE;
	*value = is_negative ? negated : -negated;
	return AW_FLINK_INTEGER_FINE;
}

/* Cuts a time to so many digits of its second; the result is never later. */
int64
aw_flinkvalue_cut_time(int64 ts, int precision)
{
	int64		unit = 1;
	int64		rest;

	if (precision < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("precision of a time must not be negative")));
	if (TIMESTAMP_NOT_FINITE(ts))
		return ts;
	for (int digit = precision; digit < MAX_TIMESTAMP_PRECISION; digit++)
		unit *= 10;
	rest = ts % unit;
	return ts - (rest < 0 ? rest + unit : rest);
}

/* Reads a word for a boolean, in any case; false if it is none. */
bool
aw_flinkvalue_parse_boolean(const char *text, bool *value)
{
	static const char *const words[2][5] = {
		{"false", "f", "no", "n", "0"},
		{"true", "t", "yes", "y", "1"},
	};

	for (int i = 0; i < 2; i++)
	{
		for (size_t j = 0; j < lengthof(words[i]); j++)
		{
			*value = i == 1;
			if (pg_strcasecmp(text, words[i][j]) == 0)
				return true;
		}
	}
	return false;
}

/*
 * Reads a day, "2024", "2024-02" or "2024-02-29", with white space around it and, behind
 * all three, anything after a blank.
 */
bool
aw_flinkvalue_parse_date(const char *text, DateADT *date)
{
	int			fields[] = {0, 1, 1};
	int			count = 0;

	while (isspace((unsigned char) *text))
		text++;
	do
	{
		int			digits = 0;

		text += count > 0;
		for (fields[count] = 0; isdigit((unsigned char) *text) && digits < 4; text++, digits++)
			fields[count] = fields[count] * 10 + *text - '0';
		if (digits == 0 || (count > 0 && digits > 2))
			return false;
	} while (++count < 3 && *text == '-');
	if (count == 3 && *text == ' ')
		text += strlen(text);
	while (isspace((unsigned char) *text))
		text++;

	if (*text != '\0' || fields[0] < 1 || fields[1] < 1 || fields[1] > MONTHS_PER_YEAR ||
		fields[2] < 1 || fields[2] > day_tab[isleap(fields[0])][fields[1] - 1])
		return false;
	*date = date2j(fields[0], fields[1], fields[2]) - POSTGRES_EPOCH_JDATE;
	return true;
}

/*
 * Reads a time of day, "10", "10:20" or "10:20:30.123", with white space around it;
 * digits past microseconds are cut.
 */
bool
aw_flinkvalue_parse_time(const char *text, TimeADT *time)
{
	static const int limits[] = {HOURS_PER_DAY, MINS_PER_HOUR, SECS_PER_MINUTE};
	int64		seconds = 0;
	int64		us = 0;

	while (isspace((unsigned char) *text))
		text++;
	for (size_t i = 0; i < lengthof(limits); i++)
	{
		int			value = 0;
		int			digits = 0;

		if (i > 0 && *text == ':')
			text++;
		else if (i > 0)
		{
			seconds *= SECS_PER_MINUTE;
			continue;
		}
		for (; isdigit((unsigned char) *text) && digits < 2; text++, digits++)
			value = value * 10 + *text - '0';
		if (digits == 0 || value >= limits[i])
			return false;
		seconds = seconds * SECS_PER_MINUTE + value;
	}
	if (*text == '.')
	{
		int64		unit = USECS_PER_SEC;

		for (text++; isdigit((unsigned char) *text); text++)
		{
			unit /= 10;
			us += unit * (*text - '0');
		}
	}
	while (isspace((unsigned char) *text))
		text++;
	*time = seconds * USECS_PER_SEC + us;
	return *text == '\0';
}
