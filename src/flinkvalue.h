/*
 * flinkvalue.h
 *
 * Values and text, as Flink's casts turn one into the other.
 */
#ifndef AW_FLINKVALUE_H
#define AW_FLINKVALUE_H

#include "lib/stringinfo.h"
#include "utils/date.h"

/* Why a text is no integer. */
typedef enum AwFlinkIntegerProblem
{
	AW_FLINK_INTEGER_FINE,
	AW_FLINK_INTEGER_SYNTAX,
	AW_FLINK_INTEGER_RANGE
} AwFlinkIntegerProblem;

extern void aw_flinkvalue_append(StringInfo buf, Datum value, Oid type, int32 typmod);
extern AwFlinkIntegerProblem aw_flinkvalue_parse_integer(const char *text, Oid type,
														 int64 *value);
extern int64 aw_flinkvalue_cut_time(int64 ts, int precision);
extern bool aw_flinkvalue_parse_boolean(const char *text, bool *value);
extern bool aw_flinkvalue_parse_date(const char *text, DateADT *date);
extern bool aw_flinkvalue_parse_time(const char *text, TimeADT *time);

#endif							/* AW_FLINKVALUE_H */
