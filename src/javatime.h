/*
 * javatime.h
 *
 * Times as text, by the patterns of Java's DateTimeFormatter and SimpleDateFormat.
 */
#ifndef AW_JAVATIME_H
#define AW_JAVATIME_H

#include "datatype/timestamp.h"
#include "lib/stringinfo.h"
#include "pgtime.h"

/* Which class of Java reads a pattern. */
typedef enum AwJavaDialect
{
	AW_JAVA_FORMATTER,			/* DateTimeFormatter: exact */
	AW_JAVA_SIMPLE				/* SimpleDateFormat: lenient, knows time zones */
} AwJavaDialect;

/* A reading of the wall clock; with a zone, tm_zone is not null. */
typedef struct AwJavaTime
{
	struct pg_tm tm;			/* tm_mon counts from 1, tm_gmtoff is east of UTC */
	int			us;				/* microseconds of the second */
} AwJavaTime;

/* What a text said. */
typedef struct AwJavaParsed
{
	Timestamp	wall;
	bool		is_clamped;		/* its day was beyond the end of the month */
	bool		has_offset;
	int			offset_s;		/* seconds east of UTC */
} AwJavaParsed;

extern void aw_javatime_format(StringInfo buf, const char *pattern, AwJavaDialect dialect,
							   const AwJavaTime *time);
extern bool aw_javatime_parse(const char *text, const char *pattern, AwJavaDialect dialect,
							  AwJavaParsed *result);
extern bool aw_javatime_parse_default(const char *text, AwJavaParsed *result);

#endif							/* AW_JAVATIME_H */
