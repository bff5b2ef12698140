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
	struct AwFlinkRowType *row;	/* a row: its type; else NULL */
} AwFlinkType;

/* A type of rows: of a column of a table, or of a field of another such type. */
typedef struct AwFlinkRowType
{
	const char *name;			/* not quoted */
	const char *field;			/* the column or field; NULL: this stands for the table */
	struct AwFlinkRowType *outer;	/* what has the column or field; NULL: it is the table */
	Oid			relid;			/* of the type; invalid if the source creates it */
	bool		is_array;		/* the column or field is an array of such rows */
	bool		is_left;		/* it is not dropped with its table */
	const char *sql;			/* one that the source creates: its name, quoted, with a schema */
	const char *columns;		/* the same: as CREATE TYPE takes them */
	int			at;				/* the same: the token where it stands */
} AwFlinkRowType;

extern AwFlinkType *aw_flinktype_parse(AwFlinkParser *parser, const AwFlinkRowType *place,
									   List **row_types);

#endif							/* AW_FLINKTYPE_H */
