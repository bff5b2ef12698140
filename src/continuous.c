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

#include "access/detoast.h"
#include "access/xlog.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "replication/origin.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "announcement.h"
#include "checkpoint.h"
#include "continuous.h"
#include "history.h"
#include "horizon.h"
#include "latejournal.h"
#include "query.h"
#include "seen.h"
#include "sink.h"
#include "timeline.h"
#include "windowplace.h"

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

struct AwContinuous
{
	MemoryContext cxt;
	AwEntry		entry;
	AwProgress	progress;		/* as of now, in memory */
	AwSeen	   *seen;			/* by the snapshot of the history; NULL: all is later */
	AwQuery    *query;
	AwSink	   *sink;			/* NULL: a stream is tracked */
	AwState    *state;
	AwWindowPlaces places;
	bool		is_changed;		/* since it was written */
	bool		must_write;		/* somebody can see what is not written yet */
	XLogRecPtr	written_position;
	int64		closed_end_us;	/* windows to be deleted: those that end there or before */
	AwLateRows	late_rows;		/* to be written */
	AwAnnouncement published;	/* since it was written */
	TimestampTz waiting_since;	/* that, or what is new of a stream that is tracked; 0: neither */
	MemoryContext moved_by_cxt; /* of the row that moved the watermark */

	/* while an input is taken in */
	AwInput    *input;
	AwTimeline *timeline;
	AwHorizon  *horizon;
	AwLateJournal *late;
	Tuplestorestate *windows;	/* results of windows that close */
	int64		windows_end_us; /* end of the last of them */
	TupleTableSlot *window_slot;
};

static void prepare(AwContinuous *query, const AwEntry *entry);
static void load_seen(AwContinuous *query);
static void take_in_rows(AwContinuous *query);
static void note_mover(AwContinuous *query, int64 ordinal);
static void note_watermark(const AwWatermarkRow *row, void *arg);
static bool is_extreme(const AwContinuous *query, Timestamp ts);
static void take_in_row(TupleTableSlot *slot, void *arg);
static bool note_late(AwContinuous *query, const TupleTableSlot *slot, int64 ordinal,
					  const AwPlace *place, const AwWatermark *before);
static AwPlaceKind find_place(AwContinuous *query, const TupleTableSlot *slot, int64 ordinal,
							  AwPlace *place, AwLateReason *reason);
static void set_aside(AwContinuous *query, int64 ordinal, AwLateReason reason,
					  const AwWatermark *before);
static void detoast(TupleTableSlot *slot);
static void close_windows(AwContinuous *query, const AwWatermark *watermark);
static void emit_window(void *arg, const AwSpan *span, const Datum *values, const bool *nulls);
static void publish(AwContinuous *query);

/* A query as it was written, in memory of its own. */
AwContinuous *
aw_continuous_load(const AwEntry *entry)
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
	load_seen(query);
	query->written_position = entry->progress.position;
	query->closed_end_us = PG_INT64_MIN;
	query->late_rows.cxt = AllocSetContextCreate(cxt, "late rows", ALLOCSET_DEFAULT_SIZES);
	query->moved_by_cxt = AllocSetContextCreate(cxt, "row that moved the watermark",
												ALLOCSET_SMALL_SIZES);

	PG_TRY();
	{
		prepare(query, entry);
		MemoryContextSwitchTo(caller);
		aw_checkpoint_read(NameStr(entry->name), query->query->owner, query->state);
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

	query->seen = aw_seen_of_snapshot(snapshot);
	query->progress.attach_snapshot = aw_seen_text(query->seen);
	MemoryContextSwitchTo(caller);
	query->progress.attach_position = GetXLogInsertRecPtr();
	query->progress.position = position;
	query->progress.state = AW_QUERY_RUNNING;

	aw_continuous_take_in(query, query->entry.with_history ?
						  aw_history_read(query->entry.source, snapshot) :
						  aw_history_none(query->entry.source));
}

/* What of a batch is new to it. */
AwInput *
aw_continuous_input(const AwContinuous *query, const AwBatch *batch)
{
	AwInputFilter filter = {
		.position = query->progress.position,
		.snapshot = query->seen,
		.snapshot_position = query->progress.attach_position,
	};

	return aw_input_of_batch(batch, query->entry.source, &filter);
}

/* Have columns that it reads had another type when rows of the input were written? */
bool
aw_continuous_is_misfit(const AwContinuous *query, const AwInput *input)
{
	return aw_query_reads(query->query, input->misfits);
}

/* Counts what has come for the source that is no new row. */
void
aw_continuous_count_changes(AwContinuous *query, const AwBatchSource *source)
{
	query->progress.n_updates += source->n_updates;
	query->progress.n_deletes += source->n_deletes;
	query->progress.n_truncates += source->n_truncates;
	if (source->n_updates + source->n_deletes + source->n_truncates > 0)
		query->is_changed = true;
}

/* Takes rows in, releases them, and publishes the windows that they close. */
void
aw_continuous_take_in(AwContinuous *query, AwInput *input)
{
	AwQueryIdentity before;

	query->input = input;
	query->late = aw_latejournal_create();
	aw_query_refresh(query->query);
	aw_query_enter(query->query, &before);
	if (input->n_rows > 0)
	{
		take_in_rows(query);
		query->is_changed = true;
	}
	if (query->progress.watermark.is_set)
		close_windows(query, &query->progress.watermark);
	if (!aw_latejournal_is_empty(query->late))
		aw_latejournal_read(query->late, input, query->entry.source, &query->late_rows);
	if (query->waiting_since == 0 &&
		(query->late_rows.n_rows > 0 || (query->query->is_tracking && query->is_changed)))
		query->waiting_since = GetCurrentTimestamp();
	aw_query_leave(&before);
	aw_input_release(input);
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
	query->closed_end_us = PG_INT64_MAX;
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

	replorigin_session_origin = DoNotReplicateId;
	is_there = aw_catalog_lock(name);
	if (is_there)
	{
		aw_checkpoint_write(name, query->query->owner, query->state, query->closed_end_us);
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
		query->progress.moved_by = (Datum) 0;
	}
	replorigin_session_origin = InvalidRepOriginId;

	aw_latejournal_forget(&query->late_rows);
	query->written_position = query->progress.position;
	query->is_changed = query->must_write = false;
	query->waiting_since = 0;
	query->closed_end_us = PG_INT64_MIN;
	return is_there;
}

/* Makes the statements and an empty state, in the current memory context. */
static void
prepare(AwContinuous *query, const AwEntry *entry)
{
	AwQuerySettings settings = {entry->time_zone, entry->search_path, entry->date_style,
	entry->interval_style};
	AwQueryIdentity before;
	AwStateSource source;

	query->query = aw_query_prepare(entry->view, OidIsValid(entry->tracked), &settings);
	if (!query->query->is_tracking)
		query->sink = aw_sink_open(entry->sink, query->query);
	aw_windowplace_init(&query->places, &query->query->window, query->query->is_zoned);

	aw_query_enter(query->query, &before);
	source.aggregates = aw_aggstate_create(query->query->calls, query->query->n_calls);
	source.n_results = query->query->n_calls;
	source.keys = query->query->keys;
	source.n_keys = query->query->n_keys;
	source.kind = query->query->window.kind;
	source.granule_us = query->query->granule_us;
	source.windows = aw_windowplace_finder(&query->places);
	query->state = aw_state_create(&source);
	aw_state_resume(query->state, &entry->progress.watermark);
	aw_query_leave(&before);
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

/* Moves the watermark over the rows of the input, and takes them in. */
static void
take_in_rows(AwContinuous *query)
{
	AwInput    *input = query->input;
	AwProgress *progress = &query->progress;
	int64		moved_by;

	query->timeline = aw_timeline_create(&progress->watermark,
										 query->entry.is_on_event && !input->is_history,
										 input->transaction_ends, input->n_transactions);
	query->horizon = aw_horizon_create(input, query->entry.max_future_us,
									   query->query->is_zoned);
	aw_query_run_watermarks(query->query, input->columns, input->rows, note_watermark, query);
	aw_timeline_finish(query->timeline);
	aw_query_run_ingest(query->query, input->columns, input->rows, take_in_row, query);

	progress->watermark = aw_timeline_end(query->timeline, &moved_by);
	if (moved_by >= 0)
	{
		progress->watermark_at = aw_input_commit_time(input, moved_by);
		if (query->query->is_tracking)
			note_mover(query, moved_by);
	}
}

/* Keeps the row that moved the watermark until it is written. */
static void
note_mover(AwContinuous *query, int64 ordinal)
{
	Datum		row = aw_latejournal_row(query->input, query->entry.source, ordinal);
	MemoryContext caller;

	MemoryContextReset(query->moved_by_cxt);
	caller = MemoryContextSwitchTo(query->moved_by_cxt);
	query->progress.moved_by = datumCopy(row, false, -1);
	MemoryContextSwitchTo(caller);
}

/* A row's strategy, unless it or the row's time is none. */
static void
note_watermark(const AwWatermarkRow *row, void *arg)
{
	AwContinuous *query = arg;
	AwPlace		place;

	if (!row->has_rowtime || TIMESTAMP_NOT_FINITE(row->rowtime_us) ||
		!row->has_strategy || TIMESTAMP_NOT_FINITE(row->strategy_us))
		return;
	if (aw_horizon_is_passed(query->horizon, row->ordinal, row->rowtime_us))
		return;
	if (is_extreme(query, row->rowtime_us) &&
		aw_windowplace_find(&query->places, row->rowtime_us, &place) == AW_PLACE_OUT_OF_RANGE)
		return;
	aw_timeline_add(query->timeline, row->ordinal, row->strategy_us);
}

/* Is a time so early or late that it may have no window? */
static bool
is_extreme(const AwContinuous *query, Timestamp ts)
{
	int64		margin_us = query->places.spec.window.size_us + USECS_PER_DAY;

	return ts < MIN_TIMESTAMP + margin_us || ts > END_TIMESTAMP - margin_us;
}

/* Puts a row into those of its windows that are open; of a stream that is tracked, counts it. */
static void
take_in_row(TupleTableSlot *slot, void *arg)
{
	AwContinuous *query = arg;
	AwWatermark before;
	AwLateReason reason;
	AwPlace		place;
	int64		ordinal;

	slot_getallattrs(slot);
	ordinal = DatumGetInt64(slot->tts_values[AW_INGEST_ORDINAL]);
	before = aw_timeline_before(query->timeline, ordinal);

	switch (find_place(query, slot, ordinal, &place, &reason))
	{
		case AW_PLACE_IN_NONE:
			return;
		case AW_PLACE_OUT_OF_RANGE:
			query->progress.rows_in++;
			set_aside(query, ordinal, reason, &before);
			return;
		case AW_PLACE_IN_WINDOWS:
			query->progress.rows_in++;
			break;
	}
	if (query->query->is_tracking)
		return;
	if (aw_state_is_closed(query->state, &place.first, &before) &&
		note_late(query, slot, ordinal, &place, &before))
		return;
	detoast(slot);
	aw_state_add_row(query->state, &place, &before, slot->tts_values, slot->tts_isnull);
}

/* Notes a row that has missed its first window; has it missed all of them? */
static bool
note_late(AwContinuous *query, const TupleTableSlot *slot, int64 ordinal, const AwPlace *place,
		  const AwWatermark *before)
{
	bool		is_whole = aw_state_is_closed(query->state, &place->last, before);
	Timestamp	rowtime = DatumGetTimestamp(slot->tts_values[AW_INGEST_ROWTIME]);
	AwSpan		missed = place->last;

	query->progress.n_late += is_whole;
	if (!query->entry.keeps_late)
		return is_whole;
	if (!is_whole)
		missed = aw_windowplace_last_until(&query->places, rowtime,
										   aw_state_closed_end(query->state, before));
	aw_latejournal_add(query->late, ordinal, is_whole ? AW_LATE_LATE : AW_LATE_PARTLY, &missed,
					   before);
	return is_whole;
}

/* The windows of a row; if it can have none, the reason. */
static AwPlaceKind
find_place(AwContinuous *query, const TupleTableSlot *slot, int64 ordinal, AwPlace *place,
		   AwLateReason *reason)
{
	Timestamp	rowtime = DatumGetTimestamp(slot->tts_values[AW_INGEST_ROWTIME]);

	*reason = AW_LATE_OUT_OF_RANGE;
	if (slot->tts_isnull[AW_INGEST_ROWTIME])
		*reason = AW_LATE_NULL;
	else if (TIMESTAMP_NOT_FINITE(rowtime))
		*reason = AW_LATE_NOT_FINITE;
	else if (aw_horizon_is_passed(query->horizon, ordinal, rowtime))
		*reason = AW_LATE_FUTURE;
	else
		return aw_windowplace_find(&query->places, rowtime, place);
	return AW_PLACE_OUT_OF_RANGE;
}

static void
set_aside(AwContinuous *query, int64 ordinal, AwLateReason reason, const AwWatermark *before)
{
	query->progress.n_set_aside++;
	if (query->entry.keeps_late)
		aw_latejournal_add(query->late, ordinal, reason, NULL, before);
}

/* Values that lie in a table may be gone before their window closes. */
static void
detoast(TupleTableSlot *slot)
{
	TupleDesc	columns = slot->tts_tupleDescriptor;

	for (int i = AW_INGEST_FIRST; i < columns->natts; i++)
	{
		if (TupleDescAttr(columns, i)->attlen == -1 && !slot->tts_isnull[i] &&
			VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(slot->tts_values[i])))
			slot->tts_values[i] =
				PointerGetDatum(detoast_external_attr((struct varlena *)
													  DatumGetPointer(slot->tts_values[i])));
	}
}

/* Publishes the windows that a watermark has passed. */
static void
close_windows(AwContinuous *query, const AwWatermark *watermark)
{
	AwClosed	closed = {0};

	query->windows = tuplestore_begin_heap(false, false, work_mem);
	query->window_slot = MakeSingleTupleTableSlot(query->query->windows, &TTSOpsVirtual);
	aw_state_close(query->state, watermark, emit_window, query, &closed);
	if (tuplestore_tuple_count(query->windows) > 0)
		publish(query);
	ExecDropSingleTupleTableSlot(query->window_slot);

	if (closed.n_windows > 0)
	{
		query->closed_end_us = Max(query->closed_end_us,
								   aw_state_closed_end(query->state, watermark));
		query->progress.n_windows += closed.n_windows;
		query->published.n_windows += closed.n_windows;
		query->progress.n_published += closed.n_rows;
		query->is_changed = query->must_write = true;
	}
	tuplestore_end(query->windows);
	query->windows = NULL;
}

/*
 * A group of a window that closes, as the publish statement reads it.  What is there of
 * windows that ended before is published if it is much.
 */
static void
emit_window(void *arg, const AwSpan *span, const Datum *values, const bool *nulls)
{
	AwContinuous *query = arg;
	TupleTableSlot *slot = query->window_slot;
	int			n_values = slot->tts_tupleDescriptor->natts - AW_WINDOWS_FIRST;

	if (tuplestore_tuple_count(query->windows) >= MAX_WINDOW_RESULTS &&
		span->end_us > query->windows_end_us)
	{
		publish(query);
		tuplestore_clear(query->windows);
	}
	query->windows_end_us = span->end_us;
	query->published.last = *span;

	ExecClearTuple(slot);
	memset(slot->tts_isnull, 0, sizeof(bool) * AW_WINDOWS_FIRST);
	slot->tts_values[AW_WINDOWS_START] = TimestampGetDatum(span->start_us);
	slot->tts_values[AW_WINDOWS_END] = TimestampGetDatum(span->end_us);
	slot->tts_values[AW_WINDOWS_TIME] = TimestampGetDatum(span->end_us - AW_WINDOW_MIN_US);
	memcpy(slot->tts_values + AW_WINDOWS_FIRST, values, sizeof(Datum) * n_values);
	memcpy(slot->tts_isnull + AW_WINDOWS_FIRST, nulls, sizeof(bool) * n_values);
	ExecStoreVirtualTuple(slot);
	tuplestore_puttupleslot(query->windows, slot);
}

/* The rest of the query over the windows, into the sink. */
static void
publish(AwContinuous *query)
{
	Tuplestorestate *results = tuplestore_begin_heap(false, false, work_mem);

	aw_query_run_publish(query->query, query->windows, results);
	query->progress.n_results += tuplestore_tuple_count(results);
	query->published.n_rows += tuplestore_tuple_count(results);
	if (tuplestore_tuple_count(results) > 0)
		(void) aw_sink_insert(query->sink, query->query, results);
	tuplestore_end(results);
}
