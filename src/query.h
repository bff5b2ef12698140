/*
 * query.h
 *
 * A continuous query, ready to run: what its state is made of, and its statements
 * over captured rows and over closed windows.
 */
#ifndef AW_QUERY_H
#define AW_QUERY_H

#include "querycut.h"
#include "queryplan.h"

/* How the query is run: as in the session that created it. */
typedef struct AwQuerySettings
{
	const char *time_zone;
	const char *search_path;
	const char *date_style;
	const char *interval_style;
} AwQuerySettings;

/* A window of a query, and what is kept of it. */
typedef struct AwQueryPart
{
	bool		keeps_rows;		/* else states of aggregates */
	AwWindow	window;
	int64		granule_us;		/* of the rowtime: 1 or 1000 */
	int			n_keys;
	AwKeyColumn *keys;			/* columns of the ingest statement */
	int			n_calls;
	AwAggregateCall *calls;		/* likewise */
	TupleDesc	rows;			/* of the ingest statements, see AW_INGEST_ORDINAL */
	TupleDesc	windows;		/* see AW_WINDOWS_START */
} AwQueryPart;

/* A table whose rows come to a window of the query. */
typedef struct AwQueryStream
{
	Oid			source;			/* the table */
	int			part;
	int			watermark;		/* from 0 on; streams with the same number have it in common */
} AwQueryStream;

/* Everything but the statements stays as it is for the life of the query. */
typedef struct AwQuery
{
	Oid			view;
	Oid			owner;
	AwQuerySettings settings;
	bool		is_tracking;	/* its rows move the watermark, and no window has any */
	bool		is_zoned;		/* times are timestamptz: windows are cut in the time zone */
	int			n_parts;
	AwQueryPart *parts;
	int			n_streams;
	AwQueryStream *streams;
	TupleDesc	results;		/* with names and typmods for a sink */
	MemoryContext cxt;
	struct AwQueryStatements *statements;
} AwQuery;

/* What the session was before it became the query's. */
typedef struct AwQueryIdentity
{
	Oid			role;
	int			security;
	int			guc_level;
} AwQueryIdentity;

/* A row, or one of the rows made of it, before its batch is ingested. */
typedef struct AwWatermarkRow
{
	int64		ordinal;
	bool		has_rowtime;
	bool		has_strategy;
	int64		rowtime_us;
	int64		strategy_us;
} AwWatermarkRow;

typedef void (*AwWatermarkCallback) (const AwWatermarkRow *row, void *context);

extern AwQuery *aw_query_prepare(Oid view, bool is_tracking, const AwQuerySettings *settings);
extern void aw_query_free(AwQuery *query);
extern bool aw_query_is_current(const AwQuery *query);
extern const char *aw_query_fingerprint(const AwQuery *query);
extern void aw_query_refresh(AwQuery *query);
extern void aw_query_enter(const AwQuery *query, AwQueryIdentity *before);
extern void aw_query_leave(const AwQueryIdentity *before);
extern bool aw_query_reads(const AwQuery *query, int stream, const Bitmapset *columns);
extern void aw_query_run_watermarks(AwQuery *query, int stream, TupleDesc columns,
									Tuplestorestate *batch, AwWatermarkCallback callback,
									void *context);
extern void aw_query_run_ingest(AwQuery *query, int stream, TupleDesc columns,
								Tuplestorestate *batch, AwRowCallback callback, void *context);
extern void aw_query_run_publish(AwQuery *query, Tuplestorestate *const *windows,
								 Tuplestorestate *results);

#endif							/* AW_QUERY_H */
