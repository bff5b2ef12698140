/*
 * rowlimit.h
 *
 * A comparison of a window column as limits on the rowtime of its rows.
 */
#ifndef AW_ROWLIMIT_H
#define AW_ROWLIMIT_H

#include "datatype/timestamp.h"
#include "nodes/parsenodes.h"
#include "window.h"

/* What a column is compared with: column <operator> bound + shift. */
typedef struct AwComparison
{
	int			strategy;		/* of a btree */
	Oid			type;			/* timestamp or timestamptz, of both sides */
	Node	   *bound;			/* at the level of the query */
	int64		shift_us;
	Node	   *scope;			/* the items whose rows it filters; NULL is all */
} AwComparison;

/* The call behind a column. */
typedef struct AwWindowColumn
{
	AwWindowKind kind;
	AwWindowPart part;
	Node	   *rowtime;
	Node	   *step;
	Node	   *size;
	Node	   *offset;			/* NULL if the call has none */
	int			rtindex;		/* 0 for a group window */
} AwWindowColumn;

extern bool aw_rowlimit_add(Query *query, const AwWindowColumn *column,
							const AwComparison *comparison);
extern bool aw_rowlimit_is_exact(const AwWindowColumn *column, const AwComparison *comparison);
extern Node *aw_rowlimit_constant(Oid type, Timestamp ts);

#endif							/* AW_ROWLIMIT_H */
