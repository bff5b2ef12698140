/*
 * catalog.h
 *
 * The tables of continuous queries: what was asked for, and how far each has come.
 *
 * All functions need a transaction, and the rights of the extension's owner.
 */
#ifndef AW_CATALOG_H
#define AW_CATALOG_H

#include "access/xlogdefs.h"
#include "datatype/timestamp.h"
#include "nodes/pg_list.h"
#include "utils/elog.h"

#include "watermark.h"

typedef enum AwQueryState
{
	AW_QUERY_STARTING,
	AW_QUERY_RUNNING,
	AW_QUERY_PAUSED,
	AW_QUERY_DRAINED,
	AW_QUERY_FAILED
} AwQueryState;

/* What the user last asked for. */
typedef enum AwRequest
{
	AW_REQUEST_RUN,
	AW_REQUEST_PAUSE,
	AW_REQUEST_DRAIN
} AwRequest;

/* How far a stream of a query has come. */
typedef struct AwStreamProgress
{
	Oid			source;			/* the table */
	AwWatermark watermark;
	TimestampTz watermark_at;	/* when the transaction that moved it was committed; 0: never */
	Datum		moved_by;		/* the row that did, as jsonb; 0: as it was written */
	TimestampTz idle_since;		/* 0: it is not */
	int64		rows_in;
	int64		n_late;
	int64		n_set_aside;
	int64		n_updates;
	int64		n_deletes;
	int64		n_truncates;
	bool		is_changed;		/* since it was written */
} AwStreamProgress;

typedef struct AwProgress
{
	AwQueryState state;
	bool		is_at_home;		/* the position is one in the WAL of this database */
	XLogRecPtr	position;		/* transactions that ended before it are in; invalid at first */
	uint64		position_xid;	/* the first that had not begun when it was written; 0: unknown */
	char	   *attach_snapshot;	/* of the history, until the position has passed it */
	XLogRecPtr	attach_position;
	AwWatermark watermark;		/* of the query */
	int64		n_published;	/* rows in windows that have closed */
	int64		n_windows;
	int64		n_results;
	int			n_attempts;		/* that failed since the last that did not */
	bool		may_rebuild;	/* where the position is lost, open windows are read from tables */
	int			n_streams;
	AwStreamProgress *streams;
} AwProgress;

/* A continuous query, or a stream that is tracked. */
typedef struct AwEntry
{
	NameData	name;
	Oid			view;
	Oid			sink;			/* invalid: a stream is tracked */
	Oid			tracked;		/* the relation; else invalid */
	Oid			owner;
	char	   *time_zone;
	char	   *search_path;
	char	   *date_style;
	char	   *interval_style;
	bool		is_zoned;		/* its windows are cut on the clock of the zone */
	bool		is_on_event;	/* the watermark moves after each row, else each transaction */
	bool		keeps_late;		/* late rows are kept, else only counted */
	int64		idle_timeout_us;	/* an input without rows for so long is idle; 0: never */
	int64		max_future_us;	/* rows so far ahead of their commit are set aside; 0: none */
	bool		stops_on_change;
	bool		with_history;
	AwRequest	request;
	XLogRecPtr	request_position;	/* before what is committed after the request */
	AwProgress	progress;
} AwEntry;

/* A row that was not taken in. */
typedef struct AwLateRow
{
	int			stream;			/* number of its stream in the query */
	const char *reason;
	TimestampTz committed_at;	/* 0: unknown */
	bool		has_window;
	int64		window_start_us;
	int64		window_end_us;
	AwWatermark watermark;
	Datum		source_row;		/* jsonb */
} AwLateRow;

/* What is written at once of a slice of a window of a query. */
typedef struct AwSlicePiece
{
	int			part;			/* number of the window in the query */
	int			number;			/* of the piece */
	int64		start_us;
	int64		end_us;
	int64		n_rows;
} AwSlicePiece;

typedef void (*AwSliceReader) (void *arg, const AwSlicePiece *slice, const char *data, Size size);

extern Oid	aw_catalog_schema(bool missing_ok);
extern Oid	aw_catalog_owner(void);
extern List *aw_catalog_read(void);
extern AwEntry *aw_catalog_find(const char *name);
extern char *aw_catalog_reader(Oid table);
extern bool aw_catalog_lock(const char *name);
extern void aw_catalog_lock_name(const char *name);
extern void aw_catalog_insert(const AwEntry *entry);
extern void aw_catalog_delete(const char *name);
extern void aw_catalog_delete_dropped(void);
extern void aw_catalog_request(const char *name, AwRequest request);
extern void aw_catalog_resume(const char *name);
extern void aw_catalog_write_progress(const char *name, AwProgress *progress);
extern void aw_catalog_write_error(const char *name, const AwProgress *progress,
								   const ErrorData *error);
extern void aw_catalog_write_slice(const char *name, const AwSlicePiece *slice, Datum data);
extern void aw_catalog_delete_slices(const char *name, int part, int64 end_us);
extern void aw_catalog_read_slices(const char *name, AwSliceReader reader, void *arg);
extern void aw_catalog_read_first_slices(const char *name, AwSliceReader reader, void *arg);
extern void aw_catalog_insert_late(const char *name, const AwLateRow *rows, int64 n_rows);

#endif							/* AW_CATALOG_H */
