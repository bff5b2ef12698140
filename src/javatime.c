/*
 * javatime.c
 *
 * The patterns of Java's DateTimeFormatter and SimpleDateFormat ("yyyy-MM-dd
 * HH:mm:ss"), as Flink uses them: the first in DATE_FORMAT and TO_TIMESTAMP, the
 * second in FROM_UNIXTIME, UNIX_TIMESTAMP and CONVERT_TZ.  Names are English, weeks
 * begin on Sunday and the first week of a year holds January 1st: Java's locale US.
 *
 * DateTimeFormatter takes the digits that a pattern says, and a day beyond the end
 * of its month for the last one.  SimpleDateFormat takes as many digits as there
 * are, lets every field overflow into the next one, and ignores text behind the
 * pattern.  What a pattern does not say is 1970-01-01 00:00.
 *
 * A letter that is not known is an error; a text that does not fit is not.
 */
#include "postgres.h"

#include <ctype.h>

#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "javatime.h"

/* Reads a pattern element by element. */
typedef struct PatternReader
{
	const char *next;
	AwJavaDialect dialect;
	bool		is_quoted;
} PatternReader;

/* A letter, repeated, or else a byte of text. */
typedef struct Element
{
	char		letter;			/* zero: text */
	int			count;
	char		text;
} Element;

/* A text being read, and what it said so far. */
typedef struct Parser
{
	const char *next;
	AwJavaDialect dialect;
	int			year;
	int			month;
	int			day;
	int			day_of_year;	/* zero: not said */
	int			hour;
	int			half_day_hour;	/* -1: not said */
	bool		is_afternoon;
	int			minute;
	int			second;
	int			us;
	bool		has_offset;
	int			offset_s;
} Parser;

static bool read_element(PatternReader *reader, Element *element);
static bool is_number(const Element *element);
static void unsupported_letter(const Element *element, const char *use);

static void format_element(StringInfo buf, const Element *element, AwJavaDialect dialect,
						   const AwJavaTime *time);
static void format_date_element(StringInfo buf, const Element *element, AwJavaDialect dialect,
								const struct pg_tm *tm);
static void format_week_element(StringInfo buf, const Element *element, AwJavaDialect dialect,
								const struct pg_tm *tm);
static void format_zone_element(StringInfo buf, const Element *element, const struct pg_tm *tm);
static void append_number(StringInfo buf, int value, int count);
static void append_year(StringInfo buf, int year, int count);
static void append_name(StringInfo buf, const char *name, int count, AwJavaDialect dialect);
static void append_quarter(StringInfo buf, int quarter, int count);
static void append_fraction(StringInfo buf, int us, int count, AwJavaDialect dialect);
static int	day_of_week(const struct pg_tm *tm);
static int	day_of_year(const struct pg_tm *tm);
static void week_of_year(const struct pg_tm *tm, int *year, int *week);

static void parser_begin(Parser *parser, const char *text, AwJavaDialect dialect);
static bool parse_element(Parser *parser, const Element *element, const PatternReader *rest);
static bool parse_year(Parser *parser, const Element *element, int width);
static bool parse_fraction(Parser *parser, const Element *element, int width);
static bool parse_name(Parser *parser, const char *const *names, int count, int *index);
static bool parse_half_day(Parser *parser);
static bool parse_offset(Parser *parser);
static bool parse_two_digits(Parser *parser, int *value);
static bool parse_number(Parser *parser, int min_digits, int max_digits, int *value);
static bool parse_char(Parser *parser, char c);
static int	digits_behind(const PatternReader *rest);
static bool parser_end(const Parser *parser, AwJavaParsed *result);
static bool fields_in_range(const Parser *parser);
static bool days_of(const Parser *parser, int64 *days, bool *is_clamped);

static const char *const month_names[] = {"January", "February", "March", "April", "May", "June",
	"July", "August", "September", "October", "November", "December"};
static const char *const day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday",
	"Friday", "Saturday"};

/*
 * Appends a time as a pattern says.
 */
void
aw_javatime_format(StringInfo buf, const char *pattern, AwJavaDialect dialect,
				   const AwJavaTime *time)
{
	PatternReader reader = {pattern, dialect, false};
	Element		element;

	while (read_element(&reader, &element))
	{
		if (element.letter == 0)
			appendStringInfoChar(buf, element.text);
		else
			format_element(buf, &element, dialect, time);
	}
}

/*
 * The time that a text says by a pattern; false if it does not fit the pattern.
 */
bool
aw_javatime_parse(const char *text, const char *pattern, AwJavaDialect dialect,
				  AwJavaParsed *result)
{
	PatternReader reader = {pattern, dialect, false};
	Element		element;
	Parser		parser;
	bool		fits = true;

	/* To the end of the pattern, whose letters are checked in any case. */
	parser_begin(&parser, text, dialect);
	while (read_element(&reader, &element))
		fits = parse_element(&parser, &element, fits ? &reader : NULL) && fits;

	if (!fits || (dialect == AW_JAVA_FORMATTER && *parser.next != '\0'))
		return false;
	return parser_end(&parser, result);
}

/*
 * The time that a text says in the form yyyy-M-d, with or without H:m:s, this with or
 * without a fraction of up to nine digits; false if it has another form.
 */
bool
aw_javatime_parse_default(const char *text, AwJavaParsed *result)
{
	Parser		parser;

	parser_begin(&parser, text, AW_JAVA_FORMATTER);
	if (!parse_number(&parser, 4, 4, &parser.year) || !parse_char(&parser, '-') ||
		!parse_number(&parser, 1, 2, &parser.month) || !parse_char(&parser, '-') ||
		!parse_number(&parser, 1, 2, &parser.day))
		return false;

	if (*parser.next != '\0')
	{
		const Element fraction = {'S', 0, 0};

		if (!parse_char(&parser, ' ') ||
			!parse_number(&parser, 1, 2, &parser.hour) || !parse_char(&parser, ':') ||
			!parse_number(&parser, 1, 2, &parser.minute) || !parse_char(&parser, ':') ||
			!parse_number(&parser, 1, 2, &parser.second))
			return false;
		if (parse_char(&parser, '.') && *parser.next != '\0' &&
			!parse_fraction(&parser, &fraction, 9))
			return false;
	}
	return *parser.next == '\0' && parser_end(&parser, result);
}

/* Patterns */

/*
 * Reads the next element of a pattern; false at its end.
 */
static bool
read_element(PatternReader *reader, Element *element)
{
	while (*reader->next != '\0')
	{
		char		c = *reader->next++;

		element->letter = 0;
		element->count = 1;
		element->text = c;
		if (c == '\'' && *reader->next == '\'')
		{
			reader->next++;
			return true;
		}
		if (c == '\'')
		{
			reader->is_quoted = !reader->is_quoted;
			continue;
		}
		if (!reader->is_quoted && isalpha((unsigned char) c) && !IS_HIGHBIT_SET(c))
		{
			element->letter = c;
			for (; *reader->next == c; reader->next++)
				element->count++;
			return true;
		}
		if (!reader->is_quoted && reader->dialect == AW_JAVA_FORMATTER &&
			strchr("[]{}#", c) != NULL)
		{
			element->letter = c;
			unsupported_letter(element, "a pattern");
		}
		return true;
	}
	if (reader->is_quoted)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("time pattern ends inside of quoted text"),
				 errhint("Write a quote that stands for itself twice.")));
	return false;
}

/* Is an element a number in the text? */
static bool
is_number(const Element *element)
{
	if (element->letter == 0)
		return false;
	if (element->letter == 'M' || element->letter == 'L')
		return element->count <= 2;
	return strchr("yudDHhKkmsS", element->letter) != NULL;
}

static void
unsupported_letter(const Element *element, const char *use)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("\"%c\" is not supported in %s of times", element->letter, use),
			 errhint("Enclose text in single quotes.")));
}

/* Formatting */

static void
format_element(StringInfo buf, const Element *element, AwJavaDialect dialect,
			   const AwJavaTime *time)
{
	const struct pg_tm *tm = &time->tm;
	int			hour12 = tm->tm_hour % 12;

	switch (element->letter)
	{
		case 'H':
			append_number(buf, tm->tm_hour, element->count);
			break;
		case 'k':
			append_number(buf, tm->tm_hour == 0 ? 24 : tm->tm_hour, element->count);
			break;
		case 'K':
			append_number(buf, hour12, element->count);
			break;
		case 'h':
			append_number(buf, hour12 == 0 ? 12 : hour12, element->count);
			break;
		case 'a':
			appendStringInfoString(buf, tm->tm_hour < 12 ? "AM" : "PM");
			break;
		case 'm':
			append_number(buf, tm->tm_min, element->count);
			break;
		case 's':
			append_number(buf, tm->tm_sec, element->count);
			break;
		case 'S':
			append_fraction(buf, time->us, element->count, dialect);
			break;
		default:
			format_date_element(buf, element, dialect, tm);
	}
}

static void
format_date_element(StringInfo buf, const Element *element, AwJavaDialect dialect,
					const struct pg_tm *tm)
{
	bool		is_simple = dialect == AW_JAVA_SIMPLE;

	switch (element->letter)
	{
		case 'G':
			appendStringInfoString(buf, tm->tm_year > 0 ? "AD" : "BC");
			break;
		case 'y':
			append_year(buf, tm->tm_year, element->count);
			break;
		case 'u':
			if (is_simple)
				append_number(buf, (day_of_week(tm) + 6) % 7 + 1, element->count);
			else
				append_year(buf, tm->tm_year, element->count);
			break;
		case 'M':
		case 'L':
			if (element->count <= 2)
				append_number(buf, tm->tm_mon, element->count);
			else
				append_name(buf, month_names[tm->tm_mon - 1], element->count, dialect);
			break;
		case 'd':
			append_number(buf, tm->tm_mday, element->count);
			break;
		case 'D':
			append_number(buf, day_of_year(tm), element->count);
			break;
		case 'E':
			append_name(buf, day_names[day_of_week(tm)], Max(element->count, 3), dialect);
			break;
		default:
			format_week_element(buf, element, dialect, tm);
	}
}

static void
format_week_element(StringInfo buf, const Element *element, AwJavaDialect dialect,
					const struct pg_tm *tm)
{
	bool		is_simple = dialect == AW_JAVA_SIMPLE;
	int			first_of_month = (day_of_week(tm) - (tm->tm_mday - 1) % 7 + 7) % 7;
	int			week_year;
	int			week;

	week_of_year(tm, &week_year, &week);
	if (element->letter == 'Y')
		append_year(buf, week_year, element->count);
	else if (element->letter == 'w')
		append_number(buf, week, element->count);
	else if (element->letter == 'W')
		append_number(buf, (tm->tm_mday - 1 + first_of_month) / 7 + 1, element->count);
	else if (element->letter == 'F')
		append_number(buf, is_simple ? (tm->tm_mday - 1) / 7 + 1 : (tm->tm_mday - 1) % 7 + 1,
					  element->count);
	else if (!is_simple && (element->letter == 'e' || element->letter == 'c'))
	{
		if (element->count <= 2)
			append_number(buf, day_of_week(tm) + 1, element->count);
		else
			append_name(buf, day_names[day_of_week(tm)], element->count, dialect);
	}
	else if (!is_simple && (element->letter == 'Q' || element->letter == 'q'))
		append_quarter(buf, (tm->tm_mon - 1) / 3 + 1, element->count);
	else if (is_simple && tm->tm_zone != NULL)
		format_zone_element(buf, element, tm);
	else
		unsupported_letter(element, "a pattern");
}

/* The zone's abbreviation, or its distance from UTC. */
static void
format_zone_element(StringInfo buf, const Element *element, const struct pg_tm *tm)
{
	int			minutes = abs((int) tm->tm_gmtoff) / 60;
	char		sign = tm->tm_gmtoff < 0 ? '-' : '+';

	if (element->letter == 'z')
		appendStringInfoString(buf, tm->tm_zone);
	else if (element->letter == 'X' && minutes == 0)
		appendStringInfoChar(buf, 'Z');
	else if (element->letter == 'X' && element->count == 1)
		appendStringInfo(buf, "%c%02d", sign, minutes / 60);
	else if (element->letter == 'X' && element->count == 3)
		appendStringInfo(buf, "%c%02d:%02d", sign, minutes / 60, minutes % 60);
	else if (element->letter == 'X' || element->letter == 'Z')
		appendStringInfo(buf, "%c%02d%02d", sign, minutes / 60, minutes % 60);
	else
		unsupported_letter(element, "a pattern");
}

static void
append_number(StringInfo buf, int value, int count)
{
	appendStringInfo(buf, "%0*d", Min(count, 20), value);
}

/* Two letters are the last two digits of the year. */
static void
append_year(StringInfo buf, int year, int count)
{
	if (count == 2)
		append_number(buf, abs(year) % 100, 2);
	else
		append_number(buf, year, count);
}

/* Three letters are the first three of the name, four are the name, five its first. */
static void
append_name(StringInfo buf, const char *name, int count, AwJavaDialect dialect)
{
	if (count == 3)
		appendBinaryStringInfo(buf, name, 3);
	else if (count == 5 && dialect == AW_JAVA_FORMATTER)
		appendStringInfoChar(buf, name[0]);
	else
		appendStringInfoString(buf, name);
}

static void
append_quarter(StringInfo buf, int quarter, int count)
{
	static const char *const names[] = {"1st quarter", "2nd quarter", "3rd quarter", "4th quarter"};

	if (count <= 2)
		append_number(buf, quarter, count);
	else if (count == 3)
		appendStringInfo(buf, "Q%d", quarter);
	else
		appendStringInfoString(buf, names[quarter - 1]);
}

/* DateTimeFormatter cuts or pads a fraction, SimpleDateFormat counts milliseconds. */
static void
append_fraction(StringInfo buf, int us, int count, AwJavaDialect dialect)
{
	char		digits[10];

	if (dialect == AW_JAVA_SIMPLE)
	{
		append_number(buf, us / 1000, count);
		return;
	}
	snprintf(digits, sizeof(digits), "%06d000", us);
	appendBinaryStringInfo(buf, digits, Min(count, 9));
}

/* Sunday is 0. */
static int
day_of_week(const struct pg_tm *tm)
{
	return j2day(date2j(tm->tm_year, tm->tm_mon, tm->tm_mday));
}

static int
day_of_year(const struct pg_tm *tm)
{
	return date2j(tm->tm_year, tm->tm_mon, tm->tm_mday) - date2j(tm->tm_year, 1, 1) + 1;
}

/* The week that holds January 1st is the first of that year. */
static void
week_of_year(const struct pg_tm *tm, int *year, int *week)
{
	int			first = j2day(date2j(tm->tm_year, 1, 1));
	int			day = day_of_year(tm);
	int			days = date2j(tm->tm_year + 1, 1, 1) - date2j(tm->tm_year, 1, 1);

	*year = tm->tm_year;
	*week = (day - 1 + first) / 7 + 1;
	if (day + 6 - day_of_week(tm) > days)
	{
		*year += 1;
		*week = 1;
	}
}

/* Parsing */

static void
parser_begin(Parser *parser, const char *text, AwJavaDialect dialect)
{
	memset(parser, 0, sizeof(Parser));
	parser->next = text;
	parser->dialect = dialect;
	parser->year = 1970;
	parser->month = 1;
	parser->day = 1;
	parser->half_day_hour = -1;
}

/*
 * Reads an element from the text; false if the text does not fit.  Without the rest
 * of the pattern the element is only checked.
 *
 * A number's width follows from its letters, unless it is one letter, or lenient:
 * then it ends where digits do, or before the numbers that stand right behind it.
 */
static bool
parse_element(Parser *parser, const Element *element, const PatternReader *rest)
{
	bool		is_simple = parser->dialect == AW_JAVA_SIMPLE;
	int			behind;
	int			min_digits;
	int			max_digits;
	int			ignored;

	if (element->letter != 0 && !is_number(element) && strchr("MLEaZXG", element->letter) == NULL)
		unsupported_letter(element, "a pattern for reading");
	if (rest == NULL)
		return false;
	if (element->letter == 0)
		return parse_char(parser, element->text);

	behind = digits_behind(rest);
	min_digits = is_simple ? 1 : element->count;
	max_digits = element->count;
	if ((is_simple || element->count == 1) && behind == 0)
		max_digits = 9;
	else if (!is_simple && element->count == 1)
		max_digits = Max((int) strspn(parser->next, "0123456789") - behind, 1);
	if (is_simple && is_number(element))
		parser->next += strspn(parser->next, " ");

	switch (element->letter)
	{
		case 'y':
		case 'u':
			return parse_year(parser, element, max_digits);
		case 'M':
		case 'L':
			if (is_number(element))
				return parse_number(parser, min_digits, max_digits, &parser->month);
			if (!parse_name(parser, month_names, element->count, &parser->month))
				return false;
			parser->month++;
			return true;
		case 'd':
			return parse_number(parser, min_digits, max_digits, &parser->day);
		case 'D':
			return parse_number(parser, min_digits, max_digits, &parser->day_of_year);
		case 'E':
			return parse_name(parser, day_names, element->count, &ignored);
		case 'H':
		case 'k':
			if (!parse_number(parser, min_digits, max_digits, &parser->hour))
				return false;
			if (element->letter == 'k' && parser->hour == 24)
				parser->hour = 0;
			return true;
		case 'h':
		case 'K':
			return parse_number(parser, min_digits, max_digits, &parser->half_day_hour);
		case 'a':
			return parse_half_day(parser);
		case 'm':
			return parse_number(parser, min_digits, max_digits, &parser->minute);
		case 's':
			return parse_number(parser, min_digits, max_digits, &parser->second);
		case 'S':
			return parse_fraction(parser, element, max_digits);
		case 'G':
			return parse_char(parser, 'A') && parse_char(parser, 'D');
		default:
			return parse_offset(parser);
	}
}

/*
 * Two digits are a year of 1950 to 2049; to DateTimeFormatter, of 2000 to 2099.
 *
 * The hundred years of SimpleDateFormat move with the present: ours stand still, so
 * that a text means the same next year.
 */
static bool
parse_year(Parser *parser, const Element *element, int width)
{
	bool		is_simple = parser->dialect == AW_JAVA_SIMPLE;
	const char *start = parser->next;

	if (!parse_number(parser, is_simple || element->count == 1 ? 1 : element->count, width,
					  &parser->year))
		return false;
	if (element->count == 2 && parser->next - start == 2)
		parser->year += is_simple && parser->year >= 50 ? 1900 : 2000;
	return true;
}

/*
 * SimpleDateFormat reads milliseconds, DateTimeFormatter as many digits of a fraction
 * as there are letters.  A count of zero takes what is there, up to the width.
 */
static bool
parse_fraction(Parser *parser, const Element *element, int width)
{
	const char *start = parser->next;
	int			value;

	if (parser->dialect == AW_JAVA_SIMPLE)
	{
		if (!parse_number(parser, 1, Min(width, 6), &value))
			return false;
		parser->us = value * 1000;
		return true;
	}
	if (element->count > 9 ||
		!parse_number(parser, Max(element->count, 1), element->count == 0 ? width : element->count,
					  &value))
		return false;
	for (int digits = parser->next - start; digits < 6; digits++)
		value *= 10;
	for (int digits = parser->next - start; digits > 6; digits--)
		value /= 10;
	parser->us = value;
	return true;
}

/* Names in full or of three letters; DateTimeFormatter takes the one the pattern says. */
static bool
parse_name(Parser *parser, const char *const *names, int count, int *index)
{
	bool		is_simple = parser->dialect == AW_JAVA_SIMPLE;
	int			size = names == month_names ? lengthof(month_names) : lengthof(day_names);

	for (*index = 0; *index < size; (*index)++)
	{
		const char *name = names[*index];
		int			length = strlen(name);

		if (is_simple ? pg_strncasecmp(parser->next, name, length) != 0 : count < 4)
			length = 3;
		if (is_simple ? pg_strncasecmp(parser->next, name, length) == 0 :
			strncmp(parser->next, name, length) == 0)
		{
			parser->next += length;
			return true;
		}
	}
	return false;
}

static bool
parse_half_day(Parser *parser)
{
	bool		is_exact = parser->dialect == AW_JAVA_FORMATTER;

	for (int i = 0; i < 2; i++)
	{
		const char *name = i == 0 ? "AM" : "PM";

		if (is_exact ? strncmp(parser->next, name, 2) : pg_strncasecmp(parser->next, name, 2))
			continue;
		parser->is_afternoon = i == 1;
		parser->next += 2;
		return true;
	}
	return false;
}

/* Z, +hh, +hhmm or +hh:mm. */
static bool
parse_offset(Parser *parser)
{
	int			sign;
	int			hours;
	int			minutes = 0;

	parser->has_offset = true;
	parser->offset_s = 0;
	if (parse_char(parser, 'Z'))
		return true;

	sign = *parser->next == '-' ? -1 : 1;
	if (!parse_char(parser, '+') && !parse_char(parser, '-'))
		return false;
	if (!parse_two_digits(parser, &hours))
		return false;
	if (parse_char(parser, ':') || isdigit((unsigned char) *parser->next))
	{
		if (!parse_two_digits(parser, &minutes))
			return false;
	}
	parser->offset_s = sign * (hours * SECS_PER_HOUR + minutes * SECS_PER_MINUTE);
	return true;
}

static bool
parse_two_digits(Parser *parser, int *value)
{
	return parse_number(parser, 2, 2, value);
}

/* Reads a number of so many digits, at most nine. */
static bool
parse_number(Parser *parser, int min_digits, int max_digits, int *value)
{
	const char *start = parser->next;
	int			number = 0;

	while (parser->next - start < Min(max_digits, 9) && isdigit((unsigned char) *parser->next))
		number = number * 10 + (*parser->next++ - '0');
	if (parser->next - start < min_digits || parser->next == start)
		return false;
	*value = number;
	return true;
}

static bool
parse_char(Parser *parser, char c)
{
	if (*parser->next != c)
		return false;
	parser->next++;
	return true;
}

/* The digits of the numbers that follow right behind. */
static int
digits_behind(const PatternReader *rest)
{
	PatternReader reader = *rest;
	Element		element;
	int			digits = 0;

	while (isalpha((unsigned char) *reader.next) && !reader.is_quoted &&
		   read_element(&reader, &element) && is_number(&element))
		digits += element.count;
	return digits;
}

/*
 * The time that was read; false if a field is out of its range, or the time out of
 * that of timestamp.
 */
static bool
parser_end(const Parser *parser, AwJavaParsed *result)
{
	int64		hour = parser->hour;
	int64		days;
	int64		time_us;

	if (parser->dialect == AW_JAVA_FORMATTER && !fields_in_range(parser))
		return false;
	if (!days_of(parser, &days, &result->is_clamped))
		return false;
	if (parser->half_day_hour >= 0)
		hour = parser->half_day_hour % 12 + (parser->is_afternoon ? 12 : 0);

	time_us = ((hour * MINS_PER_HOUR + parser->minute) * SECS_PER_MINUTE + parser->second) *
		USECS_PER_SEC + parser->us;
	result->wall = days * USECS_PER_DAY + time_us;
	result->has_offset = parser->has_offset;
	result->offset_s = parser->offset_s;
	return IS_VALID_TIMESTAMP(result->wall);
}

/* 24:00 is the end of a day. */
static bool
fields_in_range(const Parser *parser)
{
	if (parser->month < 1 || parser->month > 12 || parser->day < 1 || parser->day > 31)
		return false;
	if (parser->half_day_hour > 12 || parser->day_of_year > 366)
		return false;
	if (parser->hour == 24)
		return parser->minute == 0 && parser->second == 0 && parser->us == 0;
	return parser->hour < 24 && parser->minute < 60 && parser->second < 60;
}

/* Days since 2000-01-01; false if they, or the time of the last one, overflow. */
static bool
days_of(const Parser *parser, int64 *days, bool *is_clamped)
{
	int			months = parser->month - 1;
	int			year = parser->year + months / 12;
	int			month = months % 12 + 1;
	int			day = parser->day;

	*is_clamped = false;
	if (parser->month < 1)
	{
		year = parser->year - 1;
		month = 12;
	}
	if (year < 1 || year > 294276)
		return false;
	if (parser->day_of_year > 0)
	{
		month = 1;
		day = parser->day_of_year;
	}
	else if (parser->dialect == AW_JAVA_FORMATTER && day > day_tab[isleap(year)][month - 1])
	{
		*is_clamped = true;
		day = day_tab[isleap(year)][month - 1];
	}
	*days = (int64) date2j(year, month, 1) - POSTGRES_EPOCH_JDATE + day - 1;

	/* Below half of int64, so that lenient hours cannot overflow it either. */
	return *days < PG_INT64_MAX / USECS_PER_DAY / 2;
}
