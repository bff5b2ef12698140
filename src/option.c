/*
 * option.c
 *
 * Options of a connector: found by key, and read as numbers, times and words.
 *
 * Keys are compared without regard to case, since names of columns stand in them
 * and these may have been folded.  Every function raises the error for a value that
 * it cannot read; it names the option and the value.  An option that nobody has
 * asked for is unknown, and refused at the end.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "option.h"

static void refuse(const AwOption *option, const char *wanted);
static int64 unit_us(const char *unit);
static bool read_time(const char *text, int *hour, int *minute, double *second);

/*
 * The option fields.PATH.NAME, or NAME if there is no path; NULL if it was not
 * given.  Of several, the last counts.
 */
const AwOption *
aw_option_find(AwOptions *options, const char *path, const char *name)
{
	char	   *key = path ? psprintf("fields.%s.%s", path, name) : pstrdup(name);
	const AwOption *found = NULL;

	appendStringInfo(&options->known, "%s%s", options->known.len == 0 ? "" : ", ", key);
	for (int i = 0; i < options->n_options; i++)
	{
		if (pg_strcasecmp(options->options[i].key, key) != 0)
			continue;
		options->options[i].is_known = true;
		found = &options->options[i];
	}
	return found;
}

/* A whole number from min to max. */
int64
aw_option_integer(const AwOption *option, int64 min, int64 max)
{
	char	   *end;
	int64		value;

	errno = 0;
	value = strtoll(option->value, &end, 10);
	if (end == option->value || *end != '\0' || errno != 0 || value < min || value > max)
		refuse(option, psprintf("a whole number from %lld to %lld",
								(long long) min, (long long) max));
	return value;
}

/* A number from min to max. */
double
aw_option_number(const AwOption *option, double min, double max)
{
	size_t		length = strlen(option->value);
	char	   *end;
	double		value = strtod(option->value, &end);

	if (length == 0 || strspn(option->value, "+-.0123456789eE") < length ||
		*end != '\0' || !(value >= min && value <= max))
		refuse(option, psprintf("a number from %.*g to %.*g", DBL_DIG, min, DBL_DIG, max));
	return value;
}

/* Is the value the word yes?  If not, it must be the word no. */
bool
aw_option_either(const AwOption *option, const char *yes, const char *no)
{
	if (pg_strcasecmp(option->value, yes) == 0)
		return true;
	if (pg_strcasecmp(option->value, no) != 0)
		refuse(option, psprintf("%s or %s", yes, no));
	return false;
}

/* A duration such as "10 min" or "500 ms", in microseconds; a bare number is milliseconds. */
int64
aw_option_duration(const AwOption *option)
{
	char	   *end;
	int64		number;
	int64		us;

	errno = 0;
	number = strtoll(option->value, &end, 10);
	while (*end == ' ')
		end++;
	us = unit_us(end);
	if (end == option->value || errno != 0 || us == 0 || number < 0 || number > PG_INT64_MAX / us)
		refuse(option, "a duration such as \"10 min\", in units from d to us");
	return number * us;
}

/* The length of a unit of Flink's durations; 0 if there is no such unit. */
static int64
unit_us(const char *unit)
{
	static const struct
	{
		const char *names;
		int64		us;
	}			units[] = {
		{" d day days ", USECS_PER_DAY},
		{" h hour hours ", USECS_PER_HOUR},
		{" m min minute minutes ", USECS_PER_MINUTE},
		{" s sec secs second seconds ", USECS_PER_SEC},
		{" ms milli millis millisecond milliseconds ", USECS_PER_SEC / 1000},
		{" us micro micros microsecond microseconds ", 1},
	};
	char	   *word = psprintf(" %s ", unit);

	if (*unit == '\0')
		return USECS_PER_SEC / 1000;
	for (size_t i = 0; i < lengthof(units); i++)
	{
		if (strchr(unit, ' ') == NULL && strstr(units[i].names, word) != NULL)
			return units[i].us;
	}
	return 0;
}

/* A timestamp in ISO form, whatever DateStyle is. */
Timestamp
aw_option_timestamp(const AwOption *option)
{
	struct pg_tm tm = {0};
	double		second = 0;
	int			length = 0;
	Timestamp	timestamp;

	if (sscanf(option->value, "%4d-%2d-%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &length) < 3 ||
		tm.tm_year < 1 || tm.tm_mon < 1 || tm.tm_mon > MONTHS_PER_YEAR ||
		tm.tm_mday < 1 || tm.tm_mday > day_tab[isleap(tm.tm_year)][tm.tm_mon - 1] ||
		!read_time(option->value + length, &tm.tm_hour, &tm.tm_min, &second) ||
		tm2timestamp(&tm, 0, NULL, &timestamp) != 0)
		refuse(option, "a timestamp such as \"2024-01-01 00:00:00\"");
	return timestamp + (int64) rint(second * USECS_PER_SEC);
}

/* Nothing, or an hour, a minute and seconds if there are any. */
static bool
read_time(const char *text, int *hour, int *minute, double *second)
{
	int			length = 0;

	if (*text == '\0')
		return true;
	if ((*text != ' ' && *text != 'T') ||
		sscanf(text + 1, "%2d:%2d%n", hour, minute, &length) < 2 || length == 0)
		return false;

	text += 1 + length;
	if (*text == ':')
	{
		if (!isdigit((unsigned char) text[1]))
			return false;
		*second = strtod(text + 1, (char **) &text);
	}
	return *text == '\0' && *hour >= 0 && *hour < HOURS_PER_DAY && *minute >= 0 &&
		*minute < MINS_PER_HOUR && *second >= 0 && *second < SECS_PER_MINUTE;
}

/* Raises the error for an option that nobody has asked for. */
void
aw_option_check_known(const AwOptions *options, const char *connector)
{
	for (int i = 0; i < options->n_options; i++)
	{
		if (!options->options[i].is_known)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("connector \"%s\" has no option \"%s\" for these columns",
							connector, options->options[i].key),
					 errdetail("It takes %s.", options->known.data)));
	}
}

static void
refuse(const AwOption *option, const char *wanted)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid value \"%s\" of option \"%s\"", option->value, option->key),
			 errdetail("It takes %s.", wanted)));
}
