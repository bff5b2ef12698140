/*
 * sql_flinkfunction.c
 *
 * Flink's functions of time: text by Java's patterns, and arithmetic by units that
 * are named.
 *
 * The session's time zone is PostgreSQL's TimeZone.  A reading of the wall clock that
 * the clock skipped is taken an hour later, one that it showed twice the second time,
 * as PostgreSQL does and as Flink does.
 */
#include "postgres.h"

#include "common/int.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "javatime.h"

PG_FUNCTION_INFO_V1(aw_sql_flink_to_timestamp);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_timestamp_format);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_timestamp_ltz);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_date);
PG_FUNCTION_INFO_V1(aw_sql_flink_to_date_format);
PG_FUNCTION_INFO_V1(aw_sql_flink_from_unixtime);
PG_FUNCTION_INFO_V1(aw_sql_flink_unix_timestamp);
PG_FUNCTION_INFO_V1(aw_sql_flink_date_format);
PG_FUNCTION_INFO_V1(aw_sql_flink_date_format_text);
PG_FUNCTION_INFO_V1(aw_sql_flink_convert_tz);
PG_FUNCTION_INFO_V1(aw_sql_flink_timestampdiff);
PG_FUNCTION_INFO_V1(aw_sql_flink_timestampdiff_ltz);
PG_FUNCTION_INFO_V1(aw_sql_flink_timestampadd);
PG_FUNCTION_INFO_V1(aw_sql_flink_timestampadd_ltz);
PG_FUNCTION_INFO_V1(aw_sql_flink_timestampadd_date);
PG_FUNCTION_INFO_V1(aw_sql_flink_floor);
PG_FUNCTION_INFO_V1(aw_sql_flink_floor_ltz);
PG_FUNCTION_INFO_V1(aw_sql_flink_ceil);
PG_FUNCTION_INFO_V1(aw_sql_flink_ceil_ltz);
PG_FUNCTION_INFO_V1(aw_sql_flink_extract);
PG_FUNCTION_INFO_V1(aw_sql_flink_extract_interval);

#define DEFAULT_PATTERN "yyyy-MM-dd HH:mm:ss"

/* From 1970, where Flink counts from, to 2000. */
#define EPOCH_SHIFT_US ((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* A unit of time: so many months, or so many microseconds. */
typedef struct Unit
{
	const char *name;
	int			months;
	int64		us;
} Unit;

static const Unit units[] = {
	{"MICROSECOND", 0, 1},
	{"MILLISECOND", 0, 1000},
	{"SECOND", 0, USECS_PER_SEC},
	{"MINUTE", 0, USECS_PER_MINUTE},
	{"HOUR", 0, USECS_PER_HOUR},
	{"DAY", 0, USECS_PER_DAY},
	{"WEEK", 0, 7 * USECS_PER_DAY},
	{"MONTH", 1, 0},
	{"QUARTER", 3, 0},
	{"YEAR", 12, 0},
	{"DECADE", 120, 0},
	{"CENTURY", 1200, 0},
	{"MILLENNIUM", 12000, 0},
};

static bool parse_wall(const char *string, const char *pattern, AwJavaParsed *parsed);
static TimestampTz parsed_instant(const AwJavaParsed *parsed, pg_tz *zone);
static TimestampTz instant_of(Timestamp wall, pg_tz *zone);
static Timestamp wall_of(TimestampTz instant);
static void wall_fields(Timestamp wall, AwJavaTime *time);
static text *format_instant(TimestampTz instant, const char *pattern, pg_tz *zone);
static pg_tz *zone_named(const char *name);
static bool parse_zone_offset(const char *name, long *east_s);
static const Unit *unit_argument(FunctionCallInfo fcinfo, int argument);
static Interval *units_interval(const Unit *unit, int64 count);
static int64 whole_months(Timestamp from, Timestamp to);
static int64 months_of_days(Timestamp earlier, Timestamp later);
static Timestamp add_months(Timestamp ts, int64 months);
static Timestamp floor_to(Timestamp ts, const Unit *unit);
static Timestamp floor_to_months(Timestamp ts, const Unit *unit);
static Timestamp ceil_to(Timestamp ts, const Unit *unit);
static TimestampTz round_instant(TimestampTz ts, const Unit *unit,
								 Timestamp (*round) (Timestamp, const Unit *));
static bool extract_clock(const char *unit, int64 us, int64 *field);
static bool extract_calendar(const char *unit, const struct pg_tm *tm, int64 *field);
static bool is_unit(const char *given, const char *name);
static void require_finite(Timestamp ts);

/*
 * to_timestamp(value text) RETURNS timestamp: milliseconds, NULL for nonsense
 */
Datum
aw_sql_flink_to_timestamp(PG_FUNCTION_ARGS)
{
	AwJavaParsed parsed;

	if (!aw_javatime_parse_default(text_to_cstring(PG_GETARG_TEXT_PP(0)), &parsed))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMP(floor_to(parsed.wall, &units[1]));
}

/*
 * to_timestamp(value text, format text) RETURNS timestamp
 *
 * As Flink does, text that does not fit the pattern is tried in the default form.  An
 * offset in the text is read and ignored.
 */
Datum
aw_sql_flink_to_timestamp_format(PG_FUNCTION_ARGS)
{
	AwJavaParsed parsed;

	if (!parse_wall(text_to_cstring(PG_GETARG_TEXT_PP(0)), text_to_cstring(PG_GETARG_TEXT_PP(1)),
					&parsed))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMP(floor_to(parsed.wall, &units[1]));
}

/*
 * to_timestamp_ltz(value bigint, "precision" integer) RETURNS timestamptz: a count of
 * 10^-precision seconds since 1970; beyond microseconds it is cut.
 */
Datum
aw_sql_flink_to_timestamp_ltz(PG_FUNCTION_ARGS)
{
	int64		us = PG_GETARG_INT64(0);
	int32		precision = PG_GETARG_INT32(1);
	bool		is_valid = true;
	TimestampTz result;

	if (precision < 0 || precision > 9)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("precision of to_timestamp_ltz must be between 0 and 9")));
	for (int digit = precision; digit > MAX_TIMESTAMP_PRECISION; digit--)
		us = us / 10 - (us % 10 < 0 ? 1 : 0);
	for (int digit = precision; digit < MAX_TIMESTAMP_PRECISION; digit++)
		is_valid = is_valid && !pg_mul_s64_overflow(us, 10, &us);
	if (!is_valid ||
		pg_sub_s64_overflow(us, EPOCH_SHIFT_US, &result) ||
		!IS_VALID_TIMESTAMP(result))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	PG_RETURN_TIMESTAMPTZ(result);
}

/*
 * to_date(value text) RETURNS date: NULL for nonsense, and for a day beyond its month
 */
Datum
aw_sql_flink_to_date(PG_FUNCTION_ARGS)
{
	AwJavaParsed parsed;

	if (!aw_javatime_parse_default(text_to_cstring(PG_GETARG_TEXT_PP(0)), &parsed) ||
		parsed.is_clamped)
		PG_RETURN_NULL();
	return DirectFunctionCall1(timestamp_date, TimestampGetDatum(parsed.wall));
}

Datum
aw_sql_flink_to_date_format(PG_FUNCTION_ARGS)
{
	AwJavaParsed parsed;

	if (!aw_javatime_parse(text_to_cstring(PG_GETARG_TEXT_PP(0)),
						   text_to_cstring(PG_GETARG_TEXT_PP(1)), AW_JAVA_SIMPLE, &parsed))
		PG_RETURN_NULL();
	return DirectFunctionCall1(timestamp_date, TimestampGetDatum(parsed.wall));
}

/*
 * from_unixtime(seconds bigint, format text) RETURNS text
 */
Datum
aw_sql_flink_from_unixtime(PG_FUNCTION_ARGS)
{
	TimestampTz instant =
		DatumGetTimestampTz(DirectFunctionCall2(aw_sql_flink_to_timestamp_ltz,
												PG_GETARG_DATUM(0), Int32GetDatum(0)));

	PG_RETURN_TEXT_P(format_instant(instant, text_to_cstring(PG_GETARG_TEXT_PP(1)),
									session_timezone));
}

/*
 * unix_timestamp(value text, format text) RETURNS bigint: seconds since 1970, and the
 * least bigint for nonsense, as in Flink
 */
Datum
aw_sql_flink_unix_timestamp(PG_FUNCTION_ARGS)
{
	AwJavaParsed parsed;
	int64		us;

	if (!aw_javatime_parse(text_to_cstring(PG_GETARG_TEXT_PP(0)),
						   text_to_cstring(PG_GETARG_TEXT_PP(1)), AW_JAVA_SIMPLE, &parsed))
		PG_RETURN_INT64(PG_INT64_MIN);
	us = parsed_instant(&parsed, session_timezone) +
		EPOCH_SHIFT_US;
	PG_RETURN_INT64(us / USECS_PER_SEC);
}

/*
 * date_format(ts timestamp, format text) RETURNS text
 */
Datum
aw_sql_flink_date_format(PG_FUNCTION_ARGS)
{
	StringInfoData buf;
	AwJavaTime	time;

	wall_fields(PG_GETARG_TIMESTAMP(0), &time);
	initStringInfo(&buf);
	aw_javatime_format(&buf, text_to_cstring(PG_GETARG_TEXT_PP(1)), AW_JAVA_FORMATTER, &time);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(buf.data, buf.len));
}

/*
 * date_format(value text, format text) RETURNS text: NULL for nonsense
 */
Datum
aw_sql_flink_date_format_text(PG_FUNCTION_ARGS)
{
	AwJavaParsed parsed;

	if (!aw_javatime_parse(text_to_cstring(PG_GETARG_TEXT_PP(0)), DEFAULT_PATTERN,
						   AW_JAVA_SIMPLE, &parsed))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(format_instant(parsed_instant(&parsed, session_timezone),
									text_to_cstring(PG_GETARG_TEXT_PP(1)), session_timezone));
}

/*
 * convert_tz(value text, from_zone text, to_zone text) RETURNS text: NULL for nonsense
 */
Datum
aw_sql_flink_convert_tz(PG_FUNCTION_ARGS)
{
	pg_tz	   *from = zone_named(text_to_cstring(PG_GETARG_TEXT_PP(1)));
	pg_tz	   *to = zone_named(text_to_cstring(PG_GETARG_TEXT_PP(2)));
	AwJavaParsed parsed;

	if (!aw_javatime_parse(text_to_cstring(PG_GETARG_TEXT_PP(0)), DEFAULT_PATTERN,
						   AW_JAVA_SIMPLE, &parsed))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(format_instant(parsed_instant(&parsed, from), DEFAULT_PATTERN, to));
}

/*
 * timestampdiff(unit text, from_ts timestamp, to_ts timestamp) RETURNS integer: whole
 * units, cut towards zero
 */
Datum
aw_sql_flink_timestampdiff(PG_FUNCTION_ARGS)
{
	const Unit *unit = unit_argument(fcinfo, 0);
	Timestamp	from = PG_GETARG_TIMESTAMP(1);
	Timestamp	to = PG_GETARG_TIMESTAMP(2);
	int64		distance;

	require_finite(from);
	require_finite(to);
	if (unit->months > 0)
		distance = whole_months(from, to) / unit->months;
	else if (pg_sub_s64_overflow(to, from, &distance))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range")));
	else
		distance /= unit->us;

	return DirectFunctionCall1(int84, Int64GetDatum(distance));
}

/* Of timestamptz, months are those of the session's clock; a day has 24 hours. */
Datum
aw_sql_flink_timestampdiff_ltz(PG_FUNCTION_ARGS)
{
	if (unit_argument(fcinfo, 0)->months == 0)
		return aw_sql_flink_timestampdiff(fcinfo);
	return DirectFunctionCall3(aw_sql_flink_timestampdiff, PG_GETARG_DATUM(0),
							   TimestampGetDatum(wall_of(PG_GETARG_TIMESTAMPTZ(1))),
							   TimestampGetDatum(wall_of(PG_GETARG_TIMESTAMPTZ(2))));
}

/*
 * timestampadd(unit text, count bigint, ts): ts and so many units; a month beyond the
 * end of its days ends at the last one
 */
Datum
aw_sql_flink_timestampadd(PG_FUNCTION_ARGS)
{
	return DirectFunctionCall2(timestamp_pl_interval, PG_GETARG_DATUM(2),
							   PointerGetDatum(units_interval(unit_argument(fcinfo, 0),
															  PG_GETARG_INT64(1))));
}

Datum
aw_sql_flink_timestampadd_ltz(PG_FUNCTION_ARGS)
{
	return DirectFunctionCall2(timestamptz_pl_interval, PG_GETARG_DATUM(2),
							   PointerGetDatum(units_interval(unit_argument(fcinfo, 0),
															  PG_GETARG_INT64(1))));
}

Datum
aw_sql_flink_timestampadd_date(PG_FUNCTION_ARGS)
{
	const Unit *unit = unit_argument(fcinfo, 0);
	Datum		result;

	if (unit->months == 0 && unit->us < USECS_PER_DAY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unit \"%s\" cannot be added to a date", unit->name),
				 errhint("Cast the date to timestamp.")));
	result = DirectFunctionCall2(timestamp_pl_interval,
								 DirectFunctionCall1(date_timestamp, PG_GETARG_DATUM(2)),
								 PointerGetDatum(units_interval(unit, PG_GETARG_INT64(1))));
	return DirectFunctionCall1(timestamp_date, result);
}

/*
 * floor(ts, unit text), ceil(ts, unit text): the beginning of the unit that holds ts,
 * of the first one not before ts.  Weeks begin on Sunday.
 */
Datum
aw_sql_flink_floor(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMP(floor_to(PG_GETARG_TIMESTAMP(0), unit_argument(fcinfo, 1)));
}

Datum
aw_sql_flink_floor_ltz(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(round_instant(PG_GETARG_TIMESTAMPTZ(0), unit_argument(fcinfo, 1),
										floor_to));
}

Datum
aw_sql_flink_ceil(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMP(ceil_to(PG_GETARG_TIMESTAMP(0), unit_argument(fcinfo, 1)));
}

Datum
aw_sql_flink_ceil_ltz(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(round_instant(PG_GETARG_TIMESTAMPTZ(0), unit_argument(fcinfo, 1),
										ceil_to));
}

/*
 * extract(unit text, ts timestamp) RETURNS bigint
 */
Datum
aw_sql_flink_extract(PG_FUNCTION_ARGS)
{
	const char *unit = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Timestamp	ts = PG_GETARG_TIMESTAMP(1);
	AwJavaTime	time;
	int64		field;

	wall_fields(ts, &time);
	ts += EPOCH_SHIFT_US;
	if (!extract_clock(unit, ts, &field) && !extract_calendar(unit, &time.tm, &field))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unit \"%s\" cannot be extracted from a time", unit)));
	PG_RETURN_INT64(field);
}

/*
 * extract(unit text, value interval) RETURNS bigint
 */
Datum
aw_sql_flink_extract_interval(PG_FUNCTION_ARGS)
{
	const char *unit = text_to_cstring(PG_GETARG_TEXT_PP(0));
	const Interval *value = PG_GETARG_INTERVAL_P(1);
	int64		us;
	int64		field;

	if (pg_mul_s64_overflow(value->day, USECS_PER_DAY, &us) ||
		pg_add_s64_overflow(us, value->time, &us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range")));
	if (is_unit(unit, "YEAR"))
		PG_RETURN_INT64(value->month / MONTHS_PER_YEAR);
	if (is_unit(unit, "QUARTER"))
		PG_RETURN_INT64(value->month % MONTHS_PER_YEAR / 3 + 1);
	if (is_unit(unit, "MONTH"))
		PG_RETURN_INT64(value->month % MONTHS_PER_YEAR);
	if (is_unit(unit, "DAY"))
		PG_RETURN_INT64(us / USECS_PER_DAY);
	if (!extract_clock(unit, us, &field))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unit \"%s\" cannot be extracted from an interval", unit)));
	PG_RETURN_INT64(field);
}

/* Text and the wall clock */

/* Reads a text by a pattern, or else in the default form without the space around it. */
static bool
parse_wall(const char *string, const char *pattern, AwJavaParsed *parsed)
{
	char	   *trimmed;
	int			length;

	if (aw_javatime_parse(string, pattern, AW_JAVA_FORMATTER, parsed))
		return true;

	trimmed = pstrdup(string + strspn(string, " "));
	for (length = strlen(trimmed); length > 0 && trimmed[length - 1] == ' ';)
		trimmed[--length] = '\0';
	return aw_javatime_parse_default(trimmed, parsed);
}

/* The instant of a text; one that names no offset is read on the clock of the zone. */
static TimestampTz
parsed_instant(const AwJavaParsed *parsed, pg_tz *zone)
{
	if (parsed->has_offset)
		return parsed->wall - parsed->offset_s * USECS_PER_SEC;
	return instant_of(parsed->wall, zone);
}

static TimestampTz
instant_of(Timestamp wall, pg_tz *zone)
{
	AwJavaTime	time;
	TimestampTz instant;

	wall_fields(wall, &time);
	instant = wall + DetermineTimeZoneOffset(&time.tm, zone) * USECS_PER_SEC;
	if (!IS_VALID_TIMESTAMP(instant))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	return instant;
}

/* What the session's clock shows. */
static Timestamp
wall_of(TimestampTz instant)
{
	return DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp,
												 TimestampTzGetDatum(instant)));
}

static void
wall_fields(Timestamp wall, AwJavaTime *time)
{
	require_finite(wall);
	if (timestamp2tm(wall, NULL, &time->tm, &time->us, NULL, NULL) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	time->tm.tm_zone = NULL;
}

/* An instant on the clock of a zone, by a pattern of SimpleDateFormat. */
static text *
format_instant(TimestampTz instant, const char *pattern, pg_tz *zone)
{
	StringInfoData buf;
	AwJavaTime	time;
	int			west_s;
	const char *abbreviation;

	if (timestamp2tm(instant, &west_s, &time.tm, &time.us, &abbreviation, zone) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	time.tm.tm_gmtoff = -west_s;
	time.tm.tm_zone = abbreviation != NULL ? abbreviation : "";

	initStringInfo(&buf);
	aw_javatime_format(&buf, pattern, AW_JAVA_SIMPLE, &time);
	return cstring_to_text_with_len(buf.data, buf.len);
}

/*
 * The zone of a name, or of a distance: +08:00 and GMT+8 are east, as in Java.
 */
static pg_tz *
zone_named(const char *name)
{
	long		east_s;
	pg_tz	   *zone;

	zone = parse_zone_offset(name, &east_s) ? pg_tzset_offset(-east_s) : pg_tzset(name);
	if (zone == NULL || !pg_tz_acceptable(zone))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("time zone \"%s\" not recognized", name)));
	return zone;
}

/* Reads [GMT|UTC](+|-)hours[:minutes]; false if a name has another form. */
static bool
parse_zone_offset(const char *name, long *east_s)
{
	const char *rest = name;
	long		hours;
	long		minutes = 0;
	char	   *end;

	if (pg_strncasecmp(rest, "GMT", 3) == 0 || pg_strncasecmp(rest, "UTC", 3) == 0)
		rest += 3;
	if ((*rest != '+' && *rest != '-') || rest[1] < '0' || rest[1] > '9')
		return false;
	hours = strtol(rest + 1, &end, 10);
	if (*end == ':' && end[1] >= '0' && end[1] <= '9')
		minutes = strtol(end + 1, &end, 10);
	if (*end != '\0' || hours > 18 || minutes > 59)
		return false;
	*east_s = (hours * MINS_PER_HOUR + minutes) * SECS_PER_MINUTE;
	if (*rest == '-')
		*east_s = -*east_s;
	return true;
}

/* Units */

/* An argument as a unit of time: any case, and the plural. */
static const Unit *
unit_argument(FunctionCallInfo fcinfo, int argument)
{
	const char *given = text_to_cstring(PG_GETARG_TEXT_PP(argument));

	for (int i = 0; i < (int) lengthof(units); i++)
	{
		if (is_unit(given, units[i].name))
			return &units[i];
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unit of time \"%s\" is not known", given)));
}

static bool
is_unit(const char *given, const char *name)
{
	int			length = strlen(name);

	if (pg_strncasecmp(given, "SQL_TSI_", 8) == 0)
		given += 8;
	return pg_strncasecmp(given, name, length) == 0 &&
		(given[length] == '\0' || pg_strcasecmp(given + length, "S") == 0);
}

/* So many units as an interval without days: a day is 24 hours, as in Flink. */
static Interval *
units_interval(const Unit *unit, int64 count)
{
	Interval   *interval = palloc0_object(Interval);
	int64		months;

	if (pg_mul_s64_overflow(count, unit->months, &months) ||
		months < PG_INT32_MIN || months > PG_INT32_MAX ||
		pg_mul_s64_overflow(count, unit->us, &interval->time))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range")));
	interval->month = (int32) months;
	return interval;
}

/*
 * Whole months between two times, as Flink counts them: those between the days, one
 * less if that many lead to the very day and the time of day is an earlier one.  Back
 * in time this is not the opposite of forth.
 */
static int64
whole_months(Timestamp from, Timestamp to)
{
	const Unit	day = {"DAY", 0, USECS_PER_DAY};
	Timestamp	from_day = floor_to(from, &day);
	Timestamp	to_day = floor_to(to, &day);
	int64		months = from_day <= to_day ? months_of_days(from_day, to_day) :
		-months_of_days(to_day, from_day);

	if (add_months(from_day, months) == to_day && to - to_day < from - from_day)
		months--;
	return months;
}

/* How many months can be added to the earlier day without passing the later one. */
static int64
months_of_days(Timestamp earlier, Timestamp later)
{
	AwJavaTime	first;
	AwJavaTime	last;
	int64		months;

	wall_fields(earlier, &first);
	wall_fields(later, &last);
	months = (int64) (last.tm.tm_year - first.tm.tm_year) * MONTHS_PER_YEAR +
		last.tm.tm_mon - first.tm.tm_mon;
	return add_months(earlier, months) > later ? months - 1 : months;
}

static Timestamp
add_months(Timestamp ts, int64 months)
{
	const Unit	month = {"MONTH", 1, 0};

	return DatumGetTimestamp(DirectFunctionCall2(timestamp_pl_interval, TimestampGetDatum(ts),
												 PointerGetDatum(units_interval(&month, months))));
}

static Timestamp
floor_to(Timestamp ts, const Unit *unit)
{
	/* 2000-01-01, where timestamps begin, is a Saturday. */
	int64		origin = unit->us == 7 * USECS_PER_DAY ? -6 * USECS_PER_DAY : 0;
	int64		rest;

	if (TIMESTAMP_NOT_FINITE(ts))
		return ts;
	if (unit->months > 0)
		return floor_to_months(ts, unit);
	rest = (ts - origin) % unit->us;
	return ts - (rest < 0 ? rest + unit->us : rest);
}

/* Centuries and millennia begin in a year that ends in 1. */
static Timestamp
floor_to_months(Timestamp ts, const Unit *unit)
{
	int			first = unit->months > 120 ? MONTHS_PER_YEAR : 0;
	AwJavaTime	time;
	int			rest;

	wall_fields(ts, &time);
	rest = (time.tm.tm_year * MONTHS_PER_YEAR + time.tm.tm_mon - 1 - first) % unit->months;
	if (rest < 0)
		rest += unit->months;

	/* The rest is taken off in months of the first day, which never carry a day. */
	return add_months((date2j(time.tm.tm_year, time.tm.tm_mon, 1) - POSTGRES_EPOCH_JDATE) *
					  USECS_PER_DAY, -rest);
}

static Timestamp
ceil_to(Timestamp ts, const Unit *unit)
{
	Timestamp	begin = floor_to(ts, unit);

	if (begin == ts)
		return ts;
	return DatumGetTimestamp(DirectFunctionCall2(timestamp_pl_interval, TimestampGetDatum(begin),
												 PointerGetDatum(units_interval(unit, 1))));
}

/*
 * Rounds on the session's clock.  Below a day the distance is kept, so that the two
 * passings of an hour stay apart.
 */
static TimestampTz
round_instant(TimestampTz ts, const Unit *unit, Timestamp (*round) (Timestamp, const Unit *))
{
	Timestamp	wall;
	Timestamp	rounded;

	if (TIMESTAMP_NOT_FINITE(ts))
		return ts;
	wall = wall_of(ts);
	rounded = round(wall, unit);
	if (unit->months == 0 && unit->us < USECS_PER_DAY)
		return ts + (rounded - wall);
	return instant_of(rounded, session_timezone);
}

/*
 * A field below a day of microseconds since 1970, or of an interval; false if the unit
 * is none.  Flink cuts towards zero: before 1970 these fields are negative.
 */
static bool
extract_clock(const char *unit, int64 us, int64 *field)
{
	if (is_unit(unit, "EPOCH"))
		*field = us / USECS_PER_SEC;
	else if (is_unit(unit, "HOUR"))
		*field = us % USECS_PER_DAY / USECS_PER_HOUR;
	else if (is_unit(unit, "MINUTE"))
		*field = us % USECS_PER_HOUR / USECS_PER_MINUTE;
	else if (is_unit(unit, "SECOND"))
		*field = us % USECS_PER_MINUTE / USECS_PER_SEC;
	else if (is_unit(unit, "MILLISECOND"))
		*field = us % USECS_PER_SEC / 1000;
	else if (is_unit(unit, "MICROSECOND"))
		*field = us % USECS_PER_SEC;
	else if (is_unit(unit, "NANOSECOND"))
		*field = us % USECS_PER_SEC * 1000;
	else
		return false;
	return true;
}

/* A field of a day; false if the unit is none. */
static bool
extract_calendar(const char *unit, const struct pg_tm *tm, int64 *field)
{
	int			year = tm->tm_year;
	int			day = date2j(year, tm->tm_mon, tm->tm_mday);

	if (is_unit(unit, "YEAR"))
		*field = year;
	else if (is_unit(unit, "QUARTER"))
		*field = (tm->tm_mon - 1) / 3 + 1;
	else if (is_unit(unit, "MONTH"))
		*field = tm->tm_mon;
	else if (is_unit(unit, "WEEK"))
		*field = date2isoweek(year, tm->tm_mon, tm->tm_mday);
	else if (is_unit(unit, "DAY"))
		*field = tm->tm_mday;
	else if (is_unit(unit, "DOY"))
		*field = day - date2j(year, 1, 1) + 1;
	else if (is_unit(unit, "DOW"))
		*field = j2day(day) + 1;
	else if (is_unit(unit, "ISODOW"))
		*field = (j2day(day) + 6) % 7 + 1;
	else if (is_unit(unit, "ISOYEAR"))
		*field = date2isoyear(year, tm->tm_mon, tm->tm_mday);
	else if (is_unit(unit, "DECADE"))
		*field = year / 10;
	else if (is_unit(unit, "CENTURY"))
		*field = (year + 99) / 100;
	else if (is_unit(unit, "MILLENNIUM"))
		*field = (year + 999) / 1000;
	else
		return false;
	return true;
}

static void
require_finite(Timestamp ts)
{
	if (TIMESTAMP_NOT_FINITE(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range"),
				 errdetail("The timestamp is infinite.")));
}
