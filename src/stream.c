/*
 * stream.c
 *
 * One stream of a continuous query at work: its rows move its watermark, each by the
 * statement over the definition, and come to their windows by the ingest statement, or
 * are late, or are set aside.  What moved the watermark is kept until it is written.
 *
 * Called as the query's owner.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "horizon.h"
#include "querycut.h"
#include "stream.h"

static void note_mover(AwStream *stream, const AwMover *mover);
static void note_watermark(const AwWatermarkRow *row, void *arg);
static void take_in_row(TupleTableSlot *slot, void *arg);
static bool note_late(AwStream *stream, const TupleTableSlot *slot, int64 ordinal,
					  const AwPlace *place, const AwWatermark *before);
static AwPlaceKind find_place(AwStream *stream, const TupleTableSlot *slot, int64 ordinal,
							  AwPlace *place, AwLateReason *reason);
static void set_aside(AwStream *stream, int64 ordinal, AwLateReason reason,
					  const AwWatermark *before);

/* Adds the strategies of the rows of the input to the watermarks. */
void
aw_stream_note_watermarks(AwStream *stream)
{
	const AwInput *input = stream->input;

	stream->horizon = aw_horizon_create(input, stream->max_future_us, stream->query->is_zoned);
	if (input->n_rows > 0)
		aw_query_run_watermarks(stream->query, stream->number, input->columns, input->rows,
								note_watermark, stream);
}

/* Puts the rows of the input into their windows, and those that have none to the late ones. */
void
aw_stream_take_in(AwStream *stream, AwLateRows *late_rows)
{
	const AwInput *input = stream->input;

	if (input->n_rows == 0)
		return;
	stream->progress->is_changed = true;
	stream->late = aw_latejournal_create();
	aw_query_run_ingest(stream->query, stream->number, input->columns, input->rows, take_in_row,
						stream);
	if (!aw_latejournal_is_empty(stream->late))
		aw_latejournal_read(stream->late, input, stream->progress->source, stream->number,
							late_rows);
}

/* Where the watermark of a stream stands, and what moved it there. */
void
aw_stream_note_progress(AwStream *stream)
{
	AwStreamProgress *progress = stream->progress;
	TimestampTz idle_since;
	AwWatermark watermark = aw_streams_watermark(stream->watermarks, stream->number,
												 &idle_since);
	AwMover		mover;

	if (idle_since != progress->idle_since)
		progress->is_changed = true;
	progress->idle_since = idle_since;
	if (watermark.is_set == progress->watermark.is_set &&
		watermark.time_us == progress->watermark.time_us)
		return;
	progress->watermark = watermark;
	progress->is_changed = true;
	if (aw_streams_is_moved(stream->watermarks, stream->number, &mover))
		note_mover(stream, &mover);
}

/* Keeps the row that moved the watermark, which may be another stream's, until it is written. */
static void
note_mover(AwStream *stream, const AwMover *mover)
{
	const AwStream *of = &stream->all[mover->stream];
	Datum		row = aw_latejournal_row(of->input, of->progress->source, mover->ordinal);
	MemoryContext caller;

	stream->progress->watermark_at = aw_input_commit_time(of->input, mover->ordinal);
	MemoryContextReset(stream->moved_by_cxt);
	caller = MemoryContextSwitchTo(stream->moved_by_cxt);
	stream->progress->moved_by = datumCopy(row, false, -1);
	MemoryContextSwitchTo(caller);
}

/* A row's strategy, unless it or the row's time is none. */
static void
note_watermark(const AwWatermarkRow *row, void *arg)
{
	AwStream   *stream = arg;

	if (!row->has_rowtime || TIMESTAMP_NOT_FINITE(row->rowtime_us) ||
		!row->has_strategy || TIMESTAMP_NOT_FINITE(row->strategy_us))
		return;
	if (aw_horizon_is_passed(stream->horizon, row->ordinal, row->rowtime_us) ||
		aw_part_is_out_of_range(stream->part, row->rowtime_us))
		return;
	aw_streams_add(stream->watermarks, stream->number, row->ordinal, row->strategy_us);
}

/* Puts a row into those of its windows that are open; of a stream that is tracked, counts it. */
static void
take_in_row(TupleTableSlot *slot, void *arg)
{
	AwStream   *stream = arg;
	AwState    *state = stream->part->state;
	AwWatermark before;
	AwLateReason reason;
	AwPlaceKind kind;
	AwPlace		place;
	int64		ordinal;

	slot_getallattrs(slot);
	ordinal = DatumGetInt64(slot->tts_values[AW_INGEST_ORDINAL]);
	before = aw_streams_before(stream->watermarks, ordinal);
	kind = find_place(stream, slot, ordinal, &place, &reason);
	if (stream->is_rebuilding &&
		(kind != AW_PLACE_IN_WINDOWS || aw_state_is_closed(state, &place.last, &before)))
		return;

	switch (kind)
	{
		case AW_PLACE_IN_NONE:
			return;
		case AW_PLACE_OUT_OF_RANGE:
			stream->progress->rows_in++;
			set_aside(stream, ordinal, reason, &before);
			return;
		case AW_PLACE_IN_WINDOWS:
			stream->progress->rows_in++;
			break;
	}
	if (stream->query->is_tracking)
		return;
	if (!stream->is_rebuilding && aw_state_is_closed(state, &place.first, &before) &&
		note_late(stream, slot, ordinal, &place, &before))
		return;
	aw_part_add_row(stream->part, &place, &before, slot);
}

/* Notes a row that has missed its first window; has it missed all of them? */
static bool
note_late(AwStream *stream, const TupleTableSlot *slot, int64 ordinal, const AwPlace *place,
		  const AwWatermark *before)
{
	AwPart	   *part = stream->part;
	bool		is_whole = aw_state_is_closed(part->state, &place->last, before);
	Timestamp	rowtime = DatumGetTimestamp(slot->tts_values[AW_INGEST_ROWTIME]);
	AwSpan		missed = place->last;

	stream->progress->n_late += is_whole;
	if (!stream->keeps_late)
		return is_whole;
	if (!is_whole)
		missed = aw_windowplace_last_until(&part->places, rowtime,
										   aw_state_closed_end(part->state, before));
	aw_latejournal_add(stream->late, ordinal, is_whole ? AW_LATE_LATE : AW_LATE_PARTLY, &missed,
					   before);
	return is_whole;
}

/* The windows of a row; if it can have none, the reason. */
static AwPlaceKind
find_place(AwStream *stream, const TupleTableSlot *slot, int64 ordinal, AwPlace *place,
		   AwLateReason *reason)
{
	Timestamp	rowtime = DatumGetTimestamp(slot->tts_values[AW_INGEST_ROWTIME]);

	*reason = AW_LATE_OUT_OF_RANGE;
	if (slot->tts_isnull[AW_INGEST_ROWTIME])
		*reason = AW_LATE_NULL;
	else if (TIMESTAMP_NOT_FINITE(rowtime))
		*reason = AW_LATE_NOT_FINITE;
	else if (aw_horizon_is_passed(stream->horizon, ordinal, rowtime))
		*reason = AW_LATE_FUTURE;
	else
		return aw_windowplace_find(&stream->part->places, rowtime, place);
	return AW_PLACE_OUT_OF_RANGE;
}

static void
set_aside(AwStream *stream, int64 ordinal, AwLateReason reason, const AwWatermark *before)
{
	stream->progress->n_set_aside++;
	if (stream->keeps_late)
		aw_latejournal_add(stream->late, ordinal, reason, NULL, before);
}
