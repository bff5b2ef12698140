/*
 * rowtext.c
 *
 * Rows as text, as Flink's print connector shows them: +I[1, a b, null].
 *
 * Flink prints values with Java's words: 2021-04-15T14:00 without seconds where
 * they are zero, 1.0E7, bytes as signed numbers, rows and arrays in brackets, maps
 * as {a=1}.  Nothing is quoted, so the text is for readers and cannot be parsed.
 * No setting of the session plays a part.  A type that Flink lacks is shown as
 * PostgreSQL shows it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "rowtext.h"

static void append_value(StringInfo text, Datum value, Oid type);
static void append_number(StringInfo text, const char *shortest);
static void append_digits(StringInfo text, const char *digits, int n_digits, int point);
static void append_decimal(StringInfo text, const char *decimal);
static void append_date(StringInfo text, DateADT date);
static void append_day(StringInfo text, int year, int month, int day);
static void append_time(StringInfo text, int64 time_us, bool has_seconds);
static void append_timestamp(StringInfo text, Timestamp timestamp, Oid type);
static void append_bytes(StringInfo text, const bytea *bytes);
static void append_array(StringInfo text, ArrayType *array);
static void append_row(StringInfo text, HeapTupleHeader header);
static void append_json(StringInfo text, Jsonb *json);
static void append_json_scalar(StringInfo text, const JsonbValue *scalar);
static void append_output(StringInfo text, Datum value, Oid type);

/*
 * Appends a row.  Its generated columns are left out, as a sink has none, and those whose
 * numbers are given.
 */
void
aw_rowtext_append(StringInfo text, HeapTuple row, TupleDesc rowtype, const Bitmapset *left_out)
{
	const char *separator = "";

	check_stack_depth();
	appendStringInfoString(text, "+I[");
	for (int i = 0; i < rowtype->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(rowtype, i);
		bool		isnull;
		Datum		value;

		if (attribute->attisdropped || attribute->attgenerated != '\0' ||
			bms_is_member(i + 1, left_out))
			continue;

		appendStringInfoString(text, separator);
		value = heap_getattr(row, i + 1, rowtype, &isnull);
		if (isnull)
			appendStringInfoString(text, "null");
		else
			append_value(text, value, attribute->atttypid);
		separator = ", ";
	}
	appendStringInfoChar(text, ']');
}

static void
append_value(StringInfo text, Datum value, Oid type)
{
	char		number[DOUBLE_SHORTEST_DECIMAL_LEN];

	type = getBaseType(type);
	switch (type)
	{
		case BOOLOID:
			appendStringInfoString(text, DatumGetBool(value) ? "true" : "false");
			return;
		case FLOAT4OID:
			float_to_shortest_decimal_buf(DatumGetFloat4(value), number);
			append_number(text, number);
			return;
		case FLOAT8OID:
			double_to_shortest_decimal_buf(DatumGetFloat8(value), number);
			append_number(text, number);
			return;
		case NUMERICOID:
			append_decimal(text, DatumGetCString(DirectFunctionCall1(numeric_out, value)));
			return;
		case DATEOID:
			append_date(text, DatumGetDateADT(value));
			return;
		case TIMEOID:
			append_time(text, DatumGetTimeADT(value), false);
			return;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			append_timestamp(text, DatumGetTimestamp(value), type);
			return;
		case BYTEAOID:
			append_bytes(text, DatumGetByteaPP(value));
			return;
		case JSONBOID:
			append_json(text, DatumGetJsonbP(value));
			return;
		default:
			if (OidIsValid(get_element_type(type)))
				append_array(text, DatumGetArrayTypeP(value));
			else if (type_is_rowtype(type))
				append_row(text, DatumGetHeapTupleHeader(value));
			else
				append_output(text, value, type);
	}
}

/* A number as Java writes it, from its shortest decimal: 1e+07 as 1.0E7. */
static void
append_number(StringInfo text, const char *shortest)
{
	char		digits[DOUBLE_SHORTEST_DECIMAL_LEN];
	int			n_digits = 0;
	int			point = 0;
	bool		is_fraction = false;
	const char *c;

	if (shortest[strcspn(shortest, "nN")] != '\0')
	{
		appendStringInfoString(text, shortest);
		return;
	}
	if (*shortest == '-')
		appendStringInfoChar(text, *shortest++);

	for (c = shortest; *c != '\0' && *c != 'e'; c++)
	{
		bool		is_leading_zero = (*c == '0' && n_digits == 0);

		if (*c == '.')
			is_fraction = true;
		else if (!is_leading_zero)
			digits[n_digits++] = *c;
		if (*c != '.' && is_fraction == is_leading_zero)
			point += is_fraction ? -1 : 1;
	}
	if (*c == 'e')
		point += atoi(c + 1);
	while (n_digits > 0 && digits[n_digits - 1] == '0')
		n_digits--;
	append_digits(text, digits, n_digits, n_digits == 0 ? 1 : point);
}

/* The number 0.DIGITS * 10^point: from 0.001 to below 10^7 in full, else with an exponent. */
static void
append_digits(StringInfo text, const char *digits, int n_digits, int point)
{
	bool		has_exponent = (point < -2 || point > 7);
	int			whole = has_exponent ? 1 : point;

	if (whole <= 0)
		appendStringInfo(text, "0.%.*s", -whole, "000");
	for (int i = 0; i < Max(n_digits, whole + 1); i++)
	{
		if (i == whole && whole > 0)
			appendStringInfoChar(text, '.');
		appendStringInfoChar(text, i < n_digits ? digits[i] : '0');
	}
	if (has_exponent)
		appendStringInfo(text, "E%d", point - 1);
}

/* A decimal as Java writes it: 0.000001 in full, 0.00000012 as 1.2E-7. */
static void
append_decimal(StringInfo text, const char *decimal)
{
	const char *sign = (decimal[0] == '-') ? "-" : "";
	const char *fraction = decimal + strlen(sign) + strlen("0.");
	size_t		zeros;

	if (strncmp(decimal + strlen(sign), "0.", strlen("0.")) != 0)
	{
		appendStringInfoString(text, decimal);
		return;
	}

	/* Of a zero, the last digit counts. */
	zeros = strspn(fraction, "0");
	if (fraction[zeros] == '\0')
		zeros--;
	if (zeros < 6)
		appendStringInfoString(text, decimal);
	else
		appendStringInfo(text, "%s%c%s%sE-%d", sign, fraction[zeros],
						 fraction[zeros + 1] == '\0' ? "" : ".", fraction + zeros + 1,
						 (int) zeros + 1);
}

static void
append_date(StringInfo text, DateADT date)
{
	int			year;
	int			month;
	int			day;

	if (DATE_NOT_FINITE(date))
	{
		append_output(text, DateADTGetDatum(date), DATEOID);
		return;
	}
	j2date(date + POSTGRES_EPOCH_JDATE, &year, &month, &day);
	append_day(text, year, month, day);
}

/* The year 0 is that before 1, and five digits have a sign. */
static void
append_day(StringInfo text, int year, int month, int day)
{
	appendStringInfo(text, "%s%04d-%02d-%02d", year < 0 ? "-" : year > 9999 ? "+" : "",
					 abs(year), month, day);
}

/* The time of a day; fractions have three digits or six. */
static void
append_time(StringInfo text, int64 time_us, bool has_seconds)
{
	int			seconds = (time_us / USECS_PER_SEC) % SECS_PER_MINUTE;
	int			fraction = time_us % USECS_PER_SEC;

	appendStringInfo(text, "%02d:%02d", (int) (time_us / USECS_PER_HOUR),
					 (int) ((time_us / USECS_PER_MINUTE) % MINS_PER_HOUR));
	if (has_seconds || seconds > 0 || fraction > 0)
		appendStringInfo(text, ":%02d", seconds);
	if (fraction % 1000 > 0)
		appendStringInfo(text, ".%06d", fraction);
	else if (fraction > 0)
		appendStringInfo(text, ".%03d", fraction / 1000);
}

/* A moment is shown in UTC, with seconds always, and a Z. */
static void
append_timestamp(StringInfo text, Timestamp timestamp, Oid type)
{
	bool		is_moment = (type == TIMESTAMPTZOID);
	struct pg_tm tm;
	fsec_t		fraction;

	if (TIMESTAMP_NOT_FINITE(timestamp) ||
		timestamp2tm(timestamp, NULL, &tm, &fraction, NULL, NULL) != 0)
	{
		append_output(text, TimestampGetDatum(timestamp), type);
		return;
	}
	append_day(text, tm.tm_year, tm.tm_mon, tm.tm_mday);
	appendStringInfoChar(text, 'T');
	append_time(text, tm.tm_hour * USECS_PER_HOUR + tm.tm_min * USECS_PER_MINUTE +
				tm.tm_sec * USECS_PER_SEC + fraction, is_moment);
	if (is_moment)
		appendStringInfoChar(text, 'Z');
}

static void
append_bytes(StringInfo text, const bytea *bytes)
{
	const signed char *byte = (const signed char *) VARDATA_ANY(bytes);

	appendStringInfoChar(text, '[');
	for (size_t i = 0; i < VARSIZE_ANY_EXHDR(bytes); i++)
		appendStringInfo(text, "%s%d", i == 0 ? "" : ", ", byte[i]);
	appendStringInfoChar(text, ']');
}

/* An array of one dimension; others are shown as if they had one. */
static void
append_array(StringInfo text, ArrayType *array)
{
	Oid			type = ARR_ELEMTYPE(array);
	int16		length;
	bool		is_by_value;
	char		alignment;
	Datum	   *elements;
	bool	   *nulls;
	int			n_elements;

	get_typlenbyvalalign(type, &length, &is_by_value, &alignment);
	deconstruct_array(array, type, length, is_by_value, alignment, &elements, &nulls, &n_elements);

	appendStringInfoChar(text, '[');
	for (int i = 0; i < n_elements; i++)
	{
		appendStringInfoString(text, i == 0 ? "" : ", ");
		if (nulls[i])
			appendStringInfoString(text, "null");
		else
			append_value(text, elements[i], type);
	}
	appendStringInfoChar(text, ']');
}

static void
append_row(StringInfo text, HeapTupleHeader header)
{
	TupleDesc	rowtype = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header),
												 HeapTupleHeaderGetTypMod(header));
	HeapTupleData row;

	row.t_len = HeapTupleHeaderGetDatumLength(header);
	ItemPointerSetInvalid(&row.t_self);
	row.t_tableOid = InvalidOid;
	row.t_data = header;
	aw_rowtext_append(text, &row, rowtype, NULL);
	ReleaseTupleDesc(rowtype);
}

/* A map as {a=1, b=2}. */
static void
append_json(StringInfo text, Jsonb *json)
{
	JsonbIterator *iterator = JsonbIteratorInit(&json->root);
	const char *separator = "";
	JsonbValue	value;
	JsonbIteratorToken token;

	while ((token = JsonbIteratorNext(&iterator, &value, false)) != WJB_DONE)
	{
		bool		is_scalar = (token == WJB_BEGIN_ARRAY && value.val.array.rawScalar);

		if (token == WJB_END_OBJECT || (token == WJB_END_ARRAY && !JB_ROOT_IS_SCALAR(json)))
			appendStringInfoChar(text, token == WJB_END_OBJECT ? '}' : ']');
		if (token == WJB_END_OBJECT || token == WJB_END_ARRAY)
		{
			separator = ", ";
			continue;
		}

		appendStringInfoString(text, separator);
		if (token == WJB_BEGIN_OBJECT || (token == WJB_BEGIN_ARRAY && !is_scalar))
			appendStringInfoChar(text, token == WJB_BEGIN_OBJECT ? '{' : '[');
		else if (!is_scalar)
			append_json_scalar(text, &value);
		if (token == WJB_KEY)
			appendStringInfoChar(text, '=');
		separator = (token == WJB_VALUE || token == WJB_ELEM) ? ", " : "";
	}
}

static void
append_json_scalar(StringInfo text, const JsonbValue *scalar)
{
	switch (scalar->type)
	{
		case jbvNull:
			appendStringInfoString(text, "null");
			return;
		case jbvString:
			appendBinaryStringInfo(text, scalar->val.string.val, scalar->val.string.len);
			return;
		case jbvNumeric:
			append_output(text, NumericGetDatum(scalar->val.numeric), NUMERICOID);
			return;
		case jbvBool:
			appendStringInfoString(text, scalar->val.boolean ? "true" : "false");
			return;
		default:
			elog(ERROR, "unexpected type of JSON scalar: %d", (int) scalar->type);
	}
}

static void
append_output(StringInfo text, Datum value, Oid type)
{
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(type, &output, &is_varlena);
	appendStringInfoString(text, OidOutputFunctionCall(output, value));
}
