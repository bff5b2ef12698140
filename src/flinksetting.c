/*
 * flinksetting.c
 *
 * The options of a session: SET and RESET.
 *
 * Flink has hundreds.  One of them changes what a query by hand gives: the time zone.
 * Some are about the jobs that INSERT starts, and are kept in settings of ours, for the
 * sources that follow.  The others are ignored, with a notice.  Keys and values may be
 * written with quotes or without; without, they are any text up to the next part.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/guc.h"

#include "flinksetting.h"

#define TIME_ZONE "table.local-time-zone"

/* An option that is kept, and where the parser has it. */
typedef struct Option
{
	const char *key;
	const char *setting;
	size_t		place;			/* of a string in AwFlinkParser */
} Option;

static const Option options[] = {
	{"execution.runtime-mode", "apply_watermark.runtime_mode",
	offsetof(AwFlinkParser, runtime_mode)},
	{"pipeline.name", "apply_watermark.pipeline_name", offsetof(AwFlinkParser, job_name)},
	{"table.exec.source.idle-timeout", "apply_watermark.idle_timeout",
	offsetof(AwFlinkParser, idle_timeout)},
};

static char *parse_text(AwFlinkParser *parser, const char *end);
static void translate_time_zone(AwFlinkParser *parser, const char *zone);
static const char *zone_offset(const char *zone);
static const Option *find_option(const char *key);
static const char **value_of(AwFlinkParser *parser, const Option *option);
static void reset(AwFlinkParser *parser, const Option *option);
static void ignore(const char *key);

/* Takes the options from the session, which has run what the source has set. */
void
aw_flinksetting_refresh(AwFlinkParser *parser)
{
	for (size_t i = 0; i < lengthof(options); i++)
	{
		const char *value = GetConfigOption(options[i].setting, true, false);

		*value_of(parser, &options[i]) = value == NULL || *value == '\0' ? NULL : pstrdup(value);
	}
}

/* Does INSERT start a job where it reads a stream? */
bool
aw_flinksetting_is_streaming(const AwFlinkParser *parser)
{
	return parser->runtime_mode != NULL && pg_strcasecmp(parser->runtime_mode, "streaming") == 0;
}

/* SET 'key' = 'value', SET key = value */
void
aw_flinksetting_set(AwFlinkParser *parser)
{
	char	   *key;
	char	   *value;
	const Option *option;

	aw_flinkparser_expect(parser, "SET");
	key = parse_text(parser, "=");
	aw_flinkparser_expect_symbol(parser, "=");
	value = parse_text(parser, ";");
	option = find_option(key);
	if (strcmp(key, TIME_ZONE) == 0)
		translate_time_zone(parser, value);
	else if (option == NULL)
		ignore(key);
	else
	{
		*value_of(parser, option) = value;
		aw_flinkparser_emit(parser, psprintf("SET %s = %s", option->setting,
											 quote_literal_cstr(value)));
		aw_flinkparser_end_statement(parser);
	}
}

/* RESET 'key', or RESET for all */
void
aw_flinksetting_reset(AwFlinkParser *parser)
{
	char	   *key = NULL;

	aw_flinkparser_expect(parser, "RESET");
	if (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_END &&
		!aw_flinkparser_at_symbol(parser, ";"))
		key = parse_text(parser, ";");
	if (key == NULL || strcmp(key, TIME_ZONE) == 0)
		translate_time_zone(parser, "default");
	else if (find_option(key) == NULL)
		ignore(key);
	for (size_t i = 0; i < lengthof(options); i++)
	{
		if (key == NULL || strcmp(key, options[i].key) == 0)
			reset(parser, &options[i]);
	}
}

/* A string constant, or the text up to a symbol or the end, without spaces in it. */
static char *
parse_text(AwFlinkParser *parser, const char *end)
{
	const AwFlinkToken *first = aw_flinkparser_peek(parser, 0);
	const AwFlinkToken *last = NULL;

	if (first->kind == AW_FLINK_STRING)
		return aw_flinkparser_next(parser)->text;
	while (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_END &&
		   !aw_flinkparser_at_symbol(parser, end) && !aw_flinkparser_at_symbol(parser, ";") &&
		   (last == NULL || last->end == aw_flinkparser_peek(parser, 0)->start))
		last = aw_flinkparser_next(parser);
	if (last == NULL)
		aw_flinkparser_fail(parser, "expected the key or the value of an option");
	return pnstrdup(parser->source + first->start, last->end - first->start);
}

static void
translate_time_zone(AwFlinkParser *parser, const char *zone)
{
	const char *offset = zone_offset(zone);

	if (strcmp(zone, "default") == 0)
		aw_flinkparser_emit(parser, "RESET TimeZone");
	else if (offset != NULL)
		aw_flinkparser_emit(parser, psprintf("SET TIME ZONE INTERVAL %s HOUR TO MINUTE",
											 quote_literal_cstr(offset)));
	else
		aw_flinkparser_emit(parser, psprintf("SET TimeZone = %s", quote_literal_cstr(zone)));
	aw_flinkparser_end_statement(parser);
}

/*
 * The offset in "GMT+08:00", "UTC+8", "+08:00", as hours and minutes; NULL if the zone
 * is not written so.  East is plus, as everywhere but in PostgreSQL's POSIX zones.
 */
static const char *
zone_offset(const char *zone)
{
	int			hours;
	int			minutes = 0;
	char		sign[2];
	int			length = 0;

	if (strncmp(zone, "GMT", 3) == 0 || strncmp(zone, "UTC", 3) == 0)
		zone += 3;
	if (sscanf(zone, "%1[+-]%2d%n", sign, &hours, &length) < 2)
		return NULL;
	zone += length;
	length = 0;
	if (*zone != '\0' && (sscanf(zone, ":%2d%n", &minutes, &length) < 1 || zone[length] != '\0'))
		return NULL;
	return psprintf("%s%02d:%02d", sign, hours, minutes);
}

static const Option *
find_option(const char *key)
{
	for (size_t i = 0; i < lengthof(options); i++)
	{
		if (strcmp(options[i].key, key) == 0)
			return &options[i];
	}
	return NULL;
}

static const char **
value_of(AwFlinkParser *parser, const Option *option)
{
	return (const char **) ((char *) parser + option->place);
}

static void
reset(AwFlinkParser *parser, const Option *option)
{
	*value_of(parser, option) = NULL;
	aw_flinkparser_emit(parser, psprintf("RESET %s", option->setting));
	aw_flinkparser_end_statement(parser);
}

static void
ignore(const char *key)
{
	ereport(NOTICE,
			(errmsg("option \"%s\" has no effect here", key)));
}
