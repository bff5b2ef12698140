/*
 * querycut.h
 *
 * A continuous query cut at its window into statements over relations that exist
 * while they run: captured rows, and windows that have closed.
 */
#ifndef AW_QUERYCUT_H
#define AW_QUERYCUT_H

#include "access/tupdesc.h"
#include "queryclass.h"
#include "slicestore.h"

/* The relation that the publish statement reads. */
#define AW_QUERYCUT_WINDOWS	"aw windows"

/* Columns of what the statements give and read. */
#define AW_INGEST_ORDINAL	0
#define AW_INGEST_ROWTIME	1
#define AW_INGEST_FIRST		2	/* keys, then what aggregates take */
#define AW_WINDOWS_START	0
#define AW_WINDOWS_END		1
#define AW_WINDOWS_TIME		2
#define AW_WINDOWS_FIRST	3	/* keys, then results of aggregates */

typedef struct AwQueryCut
{
	Query	   *watermarks;		/* ordinal, rowtime, strategy of captured rows */
	Query	   *ingest;			/* ordinal, rowtime, keys, arguments */
	Query	   *publish;		/* the query's columns, of closed windows */
	Oid			table;			/* the stream's */
	TupleDesc	batch;			/* what is captured: the table's columns, ordinal */
	TupleDesc	windows;
	List	   *keys;			/* expressions */
	List	   *key_operators;
	int			n_calls;
	AwAggregateCall *calls;
} AwQueryCut;

extern AwQueryCut *aw_querycut_cut(const AwQueryClass *class);

#endif							/* AW_QUERYCUT_H */
