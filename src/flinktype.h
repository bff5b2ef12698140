/*
 * flinktype.h
 *
 * Flink's data types and PostgreSQL's.
 */
#ifndef AW_FLINKTYPE_H
#define AW_FLINKTYPE_H

#include "flinkparser.h"

/* Types that need more than their PostgreSQL name. */
typedef enum AwFlinkTypeClass
{
	AW_FLINK_TYPE_OTHER,
	AW_FLINK_TYPE_BINARY,
	AW_FLINK_TYPE_BOOLEAN,
	AW_FLINK_TYPE_CHARACTER,
	AW_FLINK_TYPE_INTEGER,
	AW_FLINK_TYPE_TIME,
	AW_FLINK_TYPE_TIMESTAMP
} AwFlinkTypeClass;

typedef struct AwFlinkType
{
	AwFlinkTypeClass type_class;
	const char *sql;			/* as PostgreSQL writes it */
	int			precision;		/* of a time or timestamp: digits of its seconds' fraction */
	int			length;			/* of bytes: how many at most, -1 for no limit */
	bool		is_fixed;		/* bytes: that many exactly */
} AwFlinkType;

/* A row type that must be created first. */
typedef struct AwFlinkRowType
{
	const char *name;			/* not quoted */
	const char *sql;			/* the same, quoted, with a schema if it needs one */
	const char *columns;		/* as CREATE TYPE takes them */
} AwFlinkRowType;

extern AwFlinkType *aw_flinktype_parse(AwFlinkParser *parser, const char *row_name,
									   List **row_types);

#endif							/* AW_FLINKTYPE_H */
