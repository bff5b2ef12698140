/*
 * sql_flinkcast.c
 *
 * The functions behind Flink's CAST, where PostgreSQL's differs, and TRY_CAST.
 *
 * The type modifier that counts is that of an argument's expression; it says how
 * many digits a time shows.
 */
#include "postgres.h"

#include <ctype.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "flinkvalue.h"
#include "javatime.h"

PG_FUNCTION_INFO_V1(aw_sql_flink_to_string);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_smallint);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_integer);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_bigint);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_boolean);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_time);
PG_FUNCTION_INFO_V1(aw_sql_flink_trunc);
PG_FUNCTION_INFO_V1(aw_sql_flink_trunc_text);
PG_FUNCTION_INFO_V1(aw_sql_flink_try_cast);

static int32 argument_typmod(FunctionCallInfo fcinfo, int argument);
static int64 integer_from_text(const char *text, Oid type);
static bool is_string(Oid type);
static bool is_time(Oid type);
static bool is_number(Oid type);
static Datum cut_to_typmod(Datum value, Oid type, int32 typmod, bool *is_null);
static Datum try_cast_text(char *text, Oid type, int32 typmod, bool *is_null);
static bool is_decimal(const char *text, Oid type);
static Datum try_cast_number(Datum value, Oid source, Oid type, int32 typmod, bool *is_null);
static Timestamp wall_of(Datum value, Oid source);
static Datum try_cast_wall(Timestamp wall, Oid type, int32 typmod);
static Datum try_cast_integer(const char *text, Oid type, bool *is_null);
static Datum try_cast_time(const char *text, Oid type, int32 typmod, bool *is_null);
static Datum try_cast_string(text *value, Oid type, int32 typmod);

/*
 * to_string(value) RETURNS text
 */
Datum
aw_sql_flink_to_string(PG_FUNCTION_ARGS)
{
	StringInfoData buf;

	initStringInfo(&buf);
	aw_flinkvalue_append(&buf, PG_GETARG_DATUM(0), get_fn_expr_argtype(fcinfo->flinfo, 0),
				 argument_typmod(fcinfo, 0));
	PG_RETURN_TEXT_P(cstring_to_text_with_len(buf.data, buf.len));
}

/*
 * to_smallint, to_integer, to_bigint(value text): the fraction is cut, and white space
 * around the number ignored; errors for what is no number and for one out of range.
 */
Datum
aw_sql_flink_to_smallint(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT16((int16) integer_from_text(text_to_cstring(PG_GETARG_TEXT_PP(0)), INT2OID));
}

Datum
aw_sql_flink_to_integer(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32((int32) integer_from_text(text_to_cstring(PG_GETARG_TEXT_PP(0)), INT4OID));
}

Datum
aw_sql_flink_to_bigint(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(integer_from_text(text_to_cstring(PG_GETARG_TEXT_PP(0)), INT8OID));
}

/*
 * to_boolean(value text): errors for other words than Flink's.
 */
Datum
aw_sql_flink_to_boolean(PG_FUNCTION_ARGS)
{
	const char *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	bool		value;

	if (!aw_flinkvalue_parse_boolean(string, &value))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type boolean: \"%s\"", string)));
	PG_RETURN_BOOL(value);
}

/*
 * to_time(value text, "precision" integer) RETURNS time
 */
Datum
aw_sql_flink_to_time(PG_FUNCTION_ARGS)
{
	const char *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	TimeADT		time;

	if (!aw_flinkvalue_parse_time(string, &time))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_DATETIME_FORMAT),
				 errmsg("invalid input syntax for type time: \"%s\"", string),
				 errhint("Write the time as 23:59:59.999.")));
	PG_RETURN_TIMEADT(aw_flinkvalue_cut_time(time, PG_GETARG_INT32(1)));
}

/*
 * trunc(ts timestamp or timestamptz, "precision" integer): the time with so many digits
 * of its second, 0 to 6; the others are cut.
 */
Datum
aw_sql_flink_trunc(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMP(aw_flinkvalue_cut_time(PG_GETARG_TIMESTAMP(0), PG_GETARG_INT32(1)));
}

/*
 * trunc(value text, "precision" integer) RETURNS timestamp
 */
Datum
aw_sql_flink_trunc_text(PG_FUNCTION_ARGS)
{
	const char *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	AwJavaParsed parsed;

	if (!aw_javatime_parse_default(string, &parsed))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_DATETIME_FORMAT),
				 errmsg("invalid input syntax for type timestamp: \"%s\"", string),
				 errhint("Write the time as 2024-12-31 23:59:59.999, or the day alone.")));
	PG_RETURN_TIMESTAMP(aw_flinkvalue_cut_time(parsed.wall, PG_GETARG_INT32(1)));
}

/*
 * try_cast(value, "like" anyelement) RETURNS anyelement
 *
 * The value in the type of the second argument, with its type modifier; NULL where the
 * value is no such thing.
 */
Datum
aw_sql_flink_try_cast(PG_FUNCTION_ARGS)
{
	Oid			source = get_fn_expr_argtype(fcinfo->flinfo, 0);
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 1);
	int32		typmod = argument_typmod(fcinfo, 1);
	bool		is_null = PG_ARGISNULL(0);
	Datum		value = PG_GETARG_DATUM(0);
	StringInfoData buf;
	Datum		result = (Datum) 0;

	if (is_null)
		PG_RETURN_NULL();
	source = getBaseType(source);
	if (source == type && !is_string(type))
		result = typmod < 0 ? value : cut_to_typmod(value, type, typmod, &is_null);
	else if (is_string(source))
		result = try_cast_text(TextDatumGetCString(value), type, typmod, &is_null);
	else if (is_time(source) && is_time(type))
		result = try_cast_wall(wall_of(value, source), type, typmod);
	else if (is_number(source) && (type == BOOLOID || is_number(type)))
		result = try_cast_number(value, source, type, typmod, &is_null);
	else
	{
		initStringInfo(&buf);
		aw_flinkvalue_append(&buf, value, source, argument_typmod(fcinfo, 0));
		result = try_cast_text(buf.data, type, typmod, &is_null);
	}
	if (is_null)
		PG_RETURN_NULL();
	return result;
}

/* The type modifier of an argument as it stands in the call; -1 if it is not known. */
static int32
argument_typmod(FunctionCallInfo fcinfo, int argument)
{
	Node	   *call = fcinfo->flinfo->fn_expr;

	if (call == NULL || !IsA(call, FuncExpr) ||
		list_length(((FuncExpr *) call)->args) <= argument)
		return -1;
	return exprTypmod(list_nth(((FuncExpr *) call)->args, argument));
}

static int64
integer_from_text(const char *text, Oid type)
{
	int64		value;

	switch (aw_flinkvalue_parse_integer(text, type, &value))
	{
		case AW_FLINK_INTEGER_FINE:
			break;
		case AW_FLINK_INTEGER_SYNTAX:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					 errmsg("invalid input syntax for type %s: \"%s\"",
							format_type_be(type), text)));
		case AW_FLINK_INTEGER_RANGE:
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("value \"%s\" is out of range for type %s",
							text, format_type_be(type))));
	}
	return value;
}

/* TRY_CAST */

static bool
is_string(Oid type)
{
	return type == TEXTOID || type == VARCHAROID || type == BPCHAROID;
}

static bool
is_time(Oid type)
{
	return type == DATEOID || type == TIMEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

/* A boolean is 0 or 1. */
static bool
is_number(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID || type == FLOAT4OID ||
		type == FLOAT8OID || type == NUMERICOID || type == BOOLOID;
}

/* A value of the type, but with another type modifier perhaps. */
static Datum
cut_to_typmod(Datum value, Oid type, int32 typmod, bool *is_null)
{
	Oid			output;
	bool		is_varlena;

	if (type == TIMEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID)
		return Int64GetDatum(aw_flinkvalue_cut_time(DatumGetInt64(value), typmod));
	getTypeOutputInfo(type, &output, &is_varlena);
	return try_cast_text(OidOutputFunctionCall(output, value), type, typmod, is_null);
}

/* A text as a value of a type; a length is cut to, and so are the digits of a time. */
static Datum
try_cast_text(char *text, Oid type, int32 typmod, bool *is_null)
{
	Datum		result = (Datum) 0;
	bool		flag;
	DateADT		date;
	TimeADT		time;

	switch (type)
	{
		case BOOLOID:
			*is_null = !aw_flinkvalue_parse_boolean(text, &flag);
			return BoolGetDatum(!*is_null && flag);
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return try_cast_integer(text, type, is_null);
		case NUMERICOID:
		case FLOAT4OID:
		case FLOAT8OID:
			*is_null = !is_decimal(text, type) || !aw_compat_input_safe(type, text, typmod, &result);
			return result;
		case BYTEAOID:
			return DirectFunctionCall2(pg_convert_to, CStringGetTextDatum(text),
									   DirectFunctionCall1(namein, CStringGetDatum("UTF8")));
		case TIMEOID:
			*is_null = !aw_flinkvalue_parse_time(text, &time);
			return *is_null ? result : TimeADTGetDatum(typmod < 0 ? time : aw_flinkvalue_cut_time(time, typmod));
		case DATEOID:
			*is_null = !aw_flinkvalue_parse_date(text, &date);
			return *is_null ? result : DateADTGetDatum(date);
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return try_cast_time(text, type, typmod, is_null);
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return try_cast_string(cstring_to_text(text), type, typmod);
		default:
			*is_null = !aw_compat_input_safe(type, text, typmod, &result);
			return result;
	}
}

/*
 * Is a text a decimal number?  PostgreSQL reads others too; what is malformed
 * otherwise, it finds.
 */
static bool
is_decimal(const char *text, Oid type)
{
	while (isspace((unsigned char) *text))
		text++;
	if (type != NUMERICOID && (strncmp(text, "NaN", 3) == 0 ||
							   strncmp(text + (*text == '-' || *text == '+'), "Infinity", 8) == 0))
		return true;
	return strspn(text, "0123456789+-.eE \t\n\r\f\v") == strlen(text);
}

/* A fraction is cut where the type is an integer. */
static Datum
try_cast_number(Datum value, Oid source, Oid type, int32 typmod, bool *is_null)
{
	Oid			output;
	bool		is_varlena;
	char	   *text;

	getTypeOutputInfo(source, &output, &is_varlena);
	text = OidOutputFunctionCall(output, value);
	if (source == BOOLOID)
		text = DatumGetBool(value) ? "1" : "0";
	if (type == BOOLOID)
		return BoolGetDatum(strtod(text, NULL) != 0);
	if (source == FLOAT4OID && type == FLOAT8OID)
		return Float8GetDatum(DatumGetFloat4(value));
	if ((source == FLOAT4OID || source == FLOAT8OID) && type != FLOAT4OID && type != NUMERICOID)
		text = psprintf("%.0f", trunc(source == FLOAT4OID ? DatumGetFloat4(value) :
									  DatumGetFloat8(value)));
	return try_cast_text(text, type, typmod, is_null);
}

/* A time on the wall clock of the session; one without a day is of the day 1970-01-01. */
static Timestamp
wall_of(Datum value, Oid source)
{
	if (source == DATEOID)
		return DatumGetTimestamp(DirectFunctionCall1(date_timestamp, value));
	if (source == TIMESTAMPTZOID)
		return DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp, value));
	if (source == TIMEOID)
		return (UNIX_EPOCH_JDATE - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY + DatumGetTimeADT(value);
	return DatumGetTimestamp(value);
}

/* A time on the wall clock of the session as another kind of time, with the digits of its type. */
static Datum
try_cast_wall(Timestamp wall, Oid type, int32 typmod)
{
	Datum		cut = TimestampGetDatum(typmod >= 0 ? aw_flinkvalue_cut_time(wall, typmod) : wall);

	if (type == DATEOID)
		return DirectFunctionCall1(timestamp_date, cut);
	if (type == TIMEOID)
		return DirectFunctionCall1(timestamp_time, cut);
	if (type == TIMESTAMPTZOID)
		return DirectFunctionCall1(timestamp_timestamptz, cut);
	return cut;
}

static Datum
try_cast_integer(const char *text, Oid type, bool *is_null)
{
	int64		value;

	*is_null = aw_flinkvalue_parse_integer(text, type, &value) != AW_FLINK_INTEGER_FINE;
	if (*is_null)
		return (Datum) 0;
	if (type == INT2OID)
		return Int16GetDatum((int16) value);
	if (type == INT4OID)
		return Int32GetDatum((int32) value);
	return Int64GetDatum(value);
}

static Datum
try_cast_time(const char *text, Oid type, int32 typmod, bool *is_null)
{
	AwJavaParsed parsed;

	*is_null = !aw_javatime_parse_default(text, &parsed);
	if (*is_null)
		return (Datum) 0;
	return try_cast_wall(parsed.wall, type, typmod);
}

/* An explicit cast, which cuts and pads strings to their length. */
static Datum
try_cast_string(text *value, Oid type, int32 typmod)
{
	if (type == TEXTOID || typmod < 0)
		return PointerGetDatum(value);
	return DirectFunctionCall3(type == BPCHAROID ? bpchar : varchar, PointerGetDatum(value),
							   Int32GetDatum(typmod), BoolGetDatum(true));
}
