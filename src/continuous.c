/*
 * continuous.c
 *
 * One continuous query, from the rows of a batch to its results in the sink:
 *
 *	watermarks  which watermark stands before each row
 *	ingest      rows as (ordinal, rowtime, keys, arguments), through the query's
 *	            filters and joins; each goes to its window, or is late
 *	publish     windows that the watermark has passed, through the rest of the query,
 *	            and into the sink
 *	write       late rows, open windows, counts and position
 *
 * All of it happens in one transaction, in which the statements run as the query's
 * owner.  What is only in memory may be ahead of what was written: the WAL from the
 * position on repeats it.  So a transaction writes only where somebody can see the
 * difference: aw_continuous_must_write().
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "replication/origin.h"
#include "storage/pmsignal.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "announcement.h"
#include "checkpoint.h"
#include "continuous.h"
#include "history.h"
#include "latejournal.h"
#include "query.h"
#include "seen.h"
#include "sink.h"
#include "stream.h"
#include "streams.h"

/*
 * Late rows, or what is new of a stream that is tracked, are no reason to write all
 * that has changed with each batch: so many of them are, or that they have waited so
 * long.
 */
#define MAX_LATE_ROWS		10000
#define MAX_WRITE_DELAY_MS	1000

/*
 * Where many windows close at once, as those of a history do, so many of their results
 * wait to be published; windows that end together are published together.
 */
#define MAX_WINDOW_RESULTS	100000

/* Where windows of a part go. */
typedef struct WindowSink
{
	AwContinuous *query;
	AwPart	   *part;
} WindowSink;

struct AwContinuous
{
	MemoryContext cxt;
	AwEntry		entry;
	AwProgress	progress;		/* as of now, in memory */
	AwSeen	   *seen;			/* by the snapshot of the history; NULL: all is later */
	AwQuery    *query;
	AwSink	   *sink;			/* NULL: a stream is tracked */
	AwPart	  **parts;
	AwStream   *streams;
	AwStreams  *watermarks;		/* of the streams */
	bool		is_rebuilding;	/* the history is read for open windows alone */
	bool		is_changed;		/* since it was written */
	bool		must_write;		/* somebody can see what is not written yet */
	XLogRecPtr	written_position;
	AwLateRows	late_rows;		/* to be written */
	AwAnnouncement published;	/* since it was written */
	TimestampTz waiting_since;	/* that, or what is new of a stream that is tracked; 0: neither */
	int64		windows_end_us; /* end of the last window that has closed */
};

static AwContinuous *load(const AwEntry *entry, bool is_rebuilding);
static void forget_open_windows(AwContinuous *query);
static void prepare(AwContinuous *query, const AwEntry *entry);
static void check_streams(const AwContinuous *query);
static void load_seen(AwContinuous *query);
static AwInput *input_of_history(AwContinuous *query, int stream, Snapshot snapshot);
static AwInput *input_of_batch(AwContinuous *query, int stream, const AwBatch *batch);
static AwInput *same_input(const AwContinuous *query, int stream);
static void release_inputs(AwContinuous *query);
static bool has_rows(const AwContinuous *query);
static void take_in_rows(AwContinuous *query);
static void close_windows(AwContinuous *query, const AwWatermark *watermark);
static void close_part(AwContinuous *query, AwPart *part, const AwWatermark *watermark);
static void emit_window(void *arg, const AwSpan *span, const Datum *values, const bool *nulls);
static void check_postmaster(void);
static void publish(AwContinuous *query);

/* A query as it was written, in memory of its own. */
AwContinuous *
aw_continuous_load(const AwEntry *entry)
{
	return load(entry, false);
}

/*
 * A query as it was written but for its open windows, which are lost to it: it must be
 * attached, and has then what the tables of its streams have of them.  Rows of windows
 * that have closed are those that were published, or late.
 */
AwContinuous *
aw_continuous_load_closed(const AwEntry *entry)
{
	return load(entry, true);
}

void
aw_continuous_free(AwContinuous *query)
{
	if (query->sink != NULL)
		aw_sink_close(query->sink);
	if (query->query != NULL)
		aw_query_free(query->query);
	MemoryContextDelete(query->cxt);
}

/* How far it has come in memory; the caller may change the state and the position. */
AwProgress *
aw_continuous_progress(AwContinuous *query)
{
	return &query->progress;
}

/*
 * Begins with the rows that a snapshot sees, or after them: transactions that end
 * behind the position and that the snapshot sees are in.
 */
void
aw_continuous_attach(AwContinuous *query, Snapshot snapshot, XLogRecPtr position)
{
	MemoryContext caller = MemoryContextSwitchTo(query->cxt);
	int64		n_rows = 0;

	query->seen = aw_seen_of_snapshot(snapshot);
	query->progress.attach_snapshot = aw_seen_text(query->seen);
	MemoryContextSwitchTo(caller);
	query->progress.attach_position = GetXLogInsertRecPtr();
	query->progress.position = position;
	query->progress.state = AW_QUERY_RUNNING;

	for (int i = 0; i < query->query->n_streams; i++)
	{
		query->streams[i].input = input_of_history(query, i, snapshot);
		n_rows = Max(n_rows, query->streams[i].input->n_rows);
	}

	/* All of it is one transaction. */
	for (int i = 0; i < query->query->n_streams; i++)
		query->streams[i].input->transaction_ends[0] = n_rows;
	aw_continuous_take_in(query);
	for (int i = 0; i < query->query->n_streams; i++)
		query->streams[i].is_rebuilding = false;
	query->is_changed = true;
}

/* Has what of a batch is new to it ready to be taken in. */
void
aw_continuous_begin(AwContinuous *query, const AwBatch *batch)
{
	for (int i = 0; i < query->query->n_streams; i++)
		query->streams[i].input = input_of_batch(query, i, batch);
}

/* Have columns that it reads had another type when new rows were written? */
bool
aw_continuous_is_misfit(const AwContinuous *query)
{
	for (int i = 0; i < query->query->n_streams; i++)
	{
		if (aw_query_reads(query->query, i, query->streams[i].input->misfits))
			return true;
	}
	return false;
}

/* Takes the rows of all streams in, releases them, and publishes the windows that they close. */
void
aw_continuous_take_in(AwContinuous *query)
{
	AwQueryIdentity before;

	aw_query_refresh(query->query);
	aw_query_enter(query->query, &before);
	if (has_rows(query))
	{
		take_in_rows(query);
		query->is_changed = true;
	}
	if (query->progress.watermark.is_set)
		close_windows(query, &query->progress.watermark);
	if (query->waiting_since == 0 &&
		(query->late_rows.n_rows > 0 || (query->query->is_tracking && query->is_changed)))
		query->waiting_since = GetCurrentTimestamp();
	aw_query_leave(&before);
	release_inputs(query);
}

/* Counts what has come for a source that is no new row. */
void
aw_continuous_count_changes(AwContinuous *query, const AwBatchSource *source)
{
	for (int i = 0; i < query->query->n_streams; i++)
	{
		AwStreamProgress *progress = query->streams[i].progress;

		if (progress->source != source->relid)
			continue;
		progress->n_updates += source->n_updates;
		progress->n_deletes += source->n_deletes;
		progress->n_truncates += source->n_truncates;
		progress->is_changed = true;
	}
	if (source->n_updates + source->n_deletes + source->n_truncates > 0)
		query->is_changed = true;
}

/* Is a stream of it idle that was not, as all that was committed before is in? */
bool
aw_continuous_is_idle(const AwContinuous *query, TimestampTz seen_until)
{
	return aw_streams_are_idle(query->watermarks, seen_until);
}

/* Goes on without streams that are idle, and publishes the windows that waited for them. */
void
aw_continuous_set_idle(AwContinuous *query, TimestampTz seen_until)
{
	AwQueryIdentity before;

	query->progress.watermark = aw_streams_set_idle(query->watermarks, seen_until,
													&query->progress.watermark);
	for (int i = 0; i < query->query->n_streams; i++)
		aw_stream_note_progress(&query->streams[i]);
	query->is_changed = query->must_write = true;
	if (!query->progress.watermark.is_set)
		return;
	aw_query_refresh(query->query);
	aw_query_enter(query->query, &before);
	close_windows(query, &query->progress.watermark);
	aw_query_leave(&before);
}

/* Publishes all open windows, as if the watermark had passed them. */
void
aw_continuous_drain(AwContinuous *query)
{
	AwWatermark end = {true, PG_INT64_MAX};
	AwQueryIdentity before;

	aw_query_refresh(query->query);
	aw_query_enter(query->query, &before);
	close_windows(query, &end);
	for (int i = 0; i < query->query->n_parts; i++)
		query->parts[i]->closed_end_us = PG_INT64_MAX;
	aw_query_leave(&before);
}

/* Has something happened that can be seen outside? */
bool
aw_continuous_must_write(const AwContinuous *query)
{
	return query->must_write || query->late_rows.n_rows >= MAX_LATE_ROWS;
}

/* Has something that is not written waited as long as it may? */
bool
aw_continuous_is_overdue(const AwContinuous *query)
{
	return query->waiting_since != 0 &&
		TimestampDifferenceExceeds(query->waiting_since, GetCurrentTimestamp(),
								   MAX_WRITE_DELAY_MS);
}

/* Is there more than was written? */
bool
aw_continuous_is_changed(const AwContinuous *query)
{
	return query->is_changed;
}

/* The position that goes with what was written. */
XLogRecPtr
aw_continuous_written_position(const AwContinuous *query)
{
	return query->written_position;
}

/*
 * Writes all that is not written, as the owner of our tables, and in such a way that
 * it is not captured.  False if the query is being dropped, and nothing is written.
 */
bool
aw_continuous_write(AwContinuous *query)
{
	const char *name = NameStr(query->entry.name);
	bool		is_there;

	check_postmaster();
	replorigin_session_origin = DoNotReplicateId;
	is_there = aw_catalog_lock(name);
	if (is_there)
	{
		aw_checkpoint_write(name, query->query, query->parts);
		if (query->late_rows.n_rows > 0)
			aw_catalog_insert_late(name, query->late_rows.rows, query->late_rows.n_rows);
		if (query->progress.position >= query->progress.attach_position)
		{
			query->seen = NULL;
			query->progress.attach_snapshot = NULL;
			query->progress.attach_position = InvalidXLogRecPtr;
		}
		aw_catalog_write_progress(name, &query->progress);
		aw_announcement_send(&query->published, name, query->query->is_zoned,
							 query->query->settings.time_zone);
	}
	replorigin_session_origin = InvalidRepOriginId;

	aw_latejournal_forget(&query->late_rows);
	query->written_position = query->progress.position;
	query->is_changed = query->must_write = false;
	query->waiting_since = 0;
	return is_there;
}

static AwContinuous *
load(const AwEntry *entry, bool is_rebuilding)
{
	MemoryContext cxt = AllocSetContextCreate(TopMemoryContext, "continuous query",
											  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(cxt);
	AwContinuous *query = palloc0(sizeof(AwContinuous));

	query->cxt = cxt;
	query->entry = *entry;
	query->entry.time_zone = query->entry.search_path = NULL;
	query->entry.date_style = query->entry.interval_style = NULL;
	query->progress = entry->progress;
	query->is_rebuilding = is_rebuilding;
	load_seen(query);
	query->written_position = entry->progress.position;
	query->late_rows.cxt = AllocSetContextCreate(cxt, "late rows", ALLOCSET_DEFAULT_SIZES);

	PG_TRY();
	{
		prepare(query, entry);
		MemoryContextSwitchTo(caller);
		if (is_rebuilding)
			forget_open_windows(query);
		else
			aw_checkpoint_read(NameStr(entry->name), query->query, query->parts);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(caller);
		aw_continuous_free(query);
		PG_RE_THROW();
	}
	PG_END_TRY();
	return query;
}

/* What is written of open windows counts no more, nor do their rows. */
static void
forget_open_windows(AwContinuous *query)
{
	int64		n_open = -query->progress.n_published;

	for (int i = 0; i < query->query->n_parts; i++)
		query->parts[i]->closed_end_us = PG_INT64_MAX;
	for (int i = 0; i < query->query->n_streams; i++)
	{
		const AwStreamProgress *stream = query->streams[i].progress;

		n_open += stream->rows_in - stream->n_late - stream->n_set_aside;
	}

	/* Which stream they came from is not known. */
	for (int i = 0; i < query->query->n_streams; i++)
	{
		AwStreamProgress *stream = query->streams[i].progress;
		int64		n_rows = Min(n_open, stream->rows_in - stream->n_late - stream->n_set_aside);

		stream->rows_in -= n_rows;
		n_open -= n_rows;
	}
}

/* Makes the statements and an empty state, in the current memory context. */
static void
prepare(AwContinuous *query, const AwEntry *entry)
{
	AwQuerySettings settings = {entry->time_zone, entry->search_path, entry->date_style,
	entry->interval_style};
	AwQueryIdentity before;

	query->query = aw_query_prepare(entry->view, OidIsValid(entry->tracked), &settings);
	check_streams(query);
	if (!query->query->is_tracking)
		query->sink = aw_sink_open(entry->sink, query->query);
	query->progress.streams = palloc(sizeof(AwStreamProgress) * query->progress.n_streams);
	memcpy(query->progress.streams, entry->progress.streams,
		   sizeof(AwStreamProgress) * query->progress.n_streams);
	query->watermarks = aw_streams_create(query->query, entry->idle_timeout_us,
										  query->progress.streams);

	aw_query_enter(query->query, &before);
	query->parts = palloc(sizeof(AwPart *) * query->query->n_parts);
	for (int i = 0; i < query->query->n_parts; i++)
		query->parts[i] = aw_part_create(query->query, i, &entry->progress.watermark);
	aw_query_leave(&before);

	query->streams = palloc0(sizeof(AwStream) * query->query->n_streams);
	for (int i = 0; i < query->query->n_streams; i++)
	{
		AwStream   *stream = &query->streams[i];

		stream->number = i;
		stream->all = query->streams;
		stream->query = query->query;
		stream->part = query->parts[query->query->streams[i].part];
		stream->watermarks = query->watermarks;
		stream->progress = &query->progress.streams[i];
		stream->keeps_late = entry->keeps_late;
		stream->max_future_us = entry->max_future_us;
		stream->is_rebuilding = query->is_rebuilding;
		stream->moved_by_cxt = AllocSetContextCreate(query->cxt, "row that moved the watermark",
													 ALLOCSET_SMALL_SIZES);
	}
}

/* The streams must be those that the positions and counts are of. */
static void
check_streams(const AwContinuous *query)
{
	bool		is_alike = query->query->n_streams == query->progress.n_streams;

	for (int i = 0; is_alike && i < query->query->n_streams; i++)
		is_alike = query->query->streams[i].source == query->entry.progress.streams[i].source;
	if (!is_alike)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the state of continuous query \"%s\" no longer fits its definition",
						NameStr(query->entry.name)),
				 errdetail("It has other tables as its streams."),
				 errhint("Drop the query and create it again.")));
}

/* The transactions of the history, from what was written about them. */
static void
load_seen(AwContinuous *query)
{
	AwProgress *progress = &query->progress;

	if (progress->attach_snapshot == NULL)
		return;
	progress->attach_snapshot = pstrdup(progress->attach_snapshot);
	query->seen = aw_seen_parse(progress->attach_snapshot);
}

/* What a stream has at first. */
static AwInput *
input_of_history(AwContinuous *query, int stream, Snapshot snapshot)
{
	Oid			source = query->query->streams[stream].source;
	AwInput    *input = same_input(query, stream);

	if (input != NULL)
		return input;
	return query->entry.with_history || query->is_rebuilding ?
		aw_history_read(source, snapshot) : aw_history_none(source);
}

/* What of a batch is new to a stream. */
static AwInput *
input_of_batch(AwContinuous *query, int stream, const AwBatch *batch)
{
	AwInput    *input = same_input(query, stream);
	AwInputFilter filter = {
		.position = query->progress.position,
		.snapshot = query->seen,
		.snapshot_position = query->progress.attach_position,
	};

	if (input != NULL)
		return input;
	return aw_input_of_batch(batch, query->query->streams[stream].source, &filter);
}

/* That of a stream before this one that is of the same table; else NULL. */
static AwInput *
same_input(const AwContinuous *query, int stream)
{
	for (int i = 0; i < stream; i++)
	{
		if (query->query->streams[i].source == query->query->streams[stream].source)
			return query->streams[i].input;
	}
	return NULL;
}

static void
release_inputs(AwContinuous *query)
{
	for (int i = 0; i < query->query->n_streams; i++)
	{
		if (same_input(query, i) == NULL)
			aw_input_release(query->streams[i].input);
	}
}

static bool
has_rows(const AwContinuous *query)
{
	for (int i = 0; i < query->query->n_streams; i++)
	{
		if (query->streams[i].input->n_rows > 0)
			return true;
	}
	return false;
}

/* Moves the watermarks over the rows of the inputs, and takes them in. */
static void
take_in_rows(AwContinuous *query)
{
	int			n_streams = query->query->n_streams;
	AwInput   **inputs = palloc(sizeof(AwInput *) * n_streams);

	for (int i = 0; i < n_streams; i++)
		inputs[i] = query->streams[i].input;
	aw_streams_begin(query->watermarks, &query->progress.watermark, query->entry.is_on_event,
					 inputs);
	for (int i = 0; i < n_streams; i++)
		aw_stream_note_watermarks(&query->streams[i]);
	aw_streams_finish(query->watermarks);

	for (int i = 0; i < n_streams; i++)
		aw_stream_take_in(&query->streams[i], &query->late_rows);
	query->progress.watermark = aw_streams_end(query->watermarks);
	for (int i = 0; i < n_streams; i++)
		aw_stream_note_progress(&query->streams[i]);
}

/* Publishes the windows that a watermark has passed, of all parts at once. */
static void
close_windows(AwContinuous *query, const AwWatermark *watermark)
{
	int64		n_rows = 0;

	query->windows_end_us = PG_INT64_MIN;
	for (int i = 0; i < query->query->n_parts; i++)
	{
		close_part(query, query->parts[i], watermark);
		n_rows += tuplestore_tuple_count(query->parts[i]->windows);
	}
	if (n_rows > 0)
		publish(query);
	for (int i = 0; i < query->query->n_parts; i++)
		aw_part_end_closing(query->parts[i]);
}

/* Closes the windows of one part. */
static void
close_part(AwContinuous *query, AwPart *part, const AwWatermark *watermark)
{
	WindowSink	sink = {query, part};
	AwClosed	closed = {0};

	aw_part_begin_closing(part);
	aw_state_close(part->state, watermark, emit_window, &sink, &closed);
	if (closed.n_windows == 0)
		return;
	part->closed_end_us = Max(part->closed_end_us, aw_state_closed_end(part->state, watermark));
	query->progress.n_windows += closed.n_windows;
	query->published.n_windows += closed.n_windows;
	query->progress.n_published += closed.n_rows;
	query->is_changed = query->must_write = true;
}

/*
 * A group or a row of a window that closes.  What is there of windows that ended before
 * is published if it is much, and if no other part must come with it.
 */
static void
emit_window(void *arg, const AwSpan *span, const Datum *values, const bool *nulls)
{
	WindowSink *sink = arg;
	AwContinuous *query = sink->query;
	AwPart	   *part = sink->part;

	check_postmaster();
	if (query->query->n_parts == 1 && span->end_us > query->windows_end_us &&
		tuplestore_tuple_count(part->windows) >= MAX_WINDOW_RESULTS)
	{
		publish(query);
		tuplestore_clear(part->windows);
	}
	query->windows_end_us = Max(query->windows_end_us, span->end_us);
	if (span->end_us >= query->published.last.end_us || query->published.n_windows == 0)
		query->published.last = *span;
	aw_part_put_window(part, span, values, nulls);
}

/* A new server cannot start before its worker is gone. */
static void
check_postmaster(void)
{
	if (IsUnderPostmaster && !PostmasterIsAlive())
		ereport(FATAL,
				(errcode(ERRCODE_ADMIN_SHUTDOWN),
				 errmsg("the server has gone")));
}

/* The rest of the query over the windows, into the sink. */
static void
publish(AwContinuous *query)
{
	Tuplestorestate *results = tuplestore_begin_heap(false, false, work_mem);
	Tuplestorestate **windows = palloc(sizeof(Tuplestorestate *) * query->query->n_parts);

	for (int i = 0; i < query->query->n_parts; i++)
		windows[i] = query->parts[i]->windows;
	aw_query_run_publish(query->query, windows, results);
	query->progress.n_results += tuplestore_tuple_count(results);
	query->published.n_rows += tuplestore_tuple_count(results);
	if (tuplestore_tuple_count(results) > 0)
		(void) aw_sink_insert(query->sink, query->query, results);
	tuplestore_end(results);
	pfree(windows);
}
