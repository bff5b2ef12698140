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

/* The relations that the publish statement reads, of each part of the query. */
#define AW_QUERYCUT_WINDOWS	"aw windows %d"

/* Columns of what the statements give and read. */
#define AW_INGEST_ORDINAL	0
#define AW_INGEST_ROWTIME	1
#define AW_INGEST_FIRST		2	/* keys, then what aggregates take; or what is kept of rows */
#define AW_WINDOWS_START	0
#define AW_WINDOWS_END		1
#define AW_WINDOWS_TIME		2
#define AW_WINDOWS_FIRST	3	/* keys, then results of aggregates; or what was kept */

/* The statements over the captured rows of a stream. */
typedef struct AwStreamCut
{
	const AwStreamClass *class;
	Query	   *watermarks;		/* ordinal, rowtime, strategy of captured rows */
	Query	   *ingest;			/* ordinal, rowtime, keys, arguments */
	Oid			table;			/* the stream's */
	TupleDesc	batch;			/* what is captured: the table's columns, ordinal */
} AwStreamCut;

/* A window of the query, and what is kept of it. */
typedef struct AwPartCut
{
	const AwPartClass *class;
	AwStreamCut *streams;
	int			n_streams;
	TupleDesc	windows;
	List	   *keys;			/* expressions */
	List	   *key_operators;
	int			n_calls;
	AwAggregateCall *calls;
} AwPartCut;

typedef struct AwQueryCut
{
	AwPartCut  *parts;
	int			n_parts;
	Query	   *publish;		/* the query's columns, of closed windows */
} AwQueryCut;

extern AwQueryCut *aw_querycut_cut(const AwQueryClass *class);

#endif							/* AW_QUERYCUT_H */
