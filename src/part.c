/*
 * part.c
 *
 * One window of a continuous query at work: the state of its open windows, where rows
 * belong in it, and the rows of closed windows as the publish statement reads them.
 *
 * Functions of aggregates and keys are called by who calls here: the query's owner.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/timestamp.h"

#include "part.h"
#include "querycut.h"

static TupleDesc kept_columns(const AwQueryPart *part);
static bool is_extreme(const AwPart *part, Timestamp ts);
static void detoast(TupleTableSlot *row);

/* A part without rows, in the current memory context, that goes on at a watermark. */
AwPart *
aw_part_create(const AwQuery *query, int number, const AwWatermark *watermark)
{
	AwPart	   *part = palloc0(sizeof(AwPart));
	const AwQueryPart *of = &query->parts[number];
	AwStateSource source = {0};

	part->query = of;
	part->closed_end_us = PG_INT64_MIN;
	aw_windowplace_init(&part->places, &of->window, query->is_zoned);
	if (of->keeps_rows)
		source.rows = kept_columns(of);
	source.n_slices = of->window.size_us / of->window.slice_us;
	source.aggregates = aw_aggstate_create(of->calls, of->n_calls);
	source.n_results = of->n_calls;
	source.keys = of->keys;
	source.n_keys = of->n_keys;
	source.kind = of->window.kind;
	source.granule_us = of->granule_us;
	source.windows = aw_windowplace_finder(&part->places);
	part->state = aw_state_create(&source);
	aw_state_resume(part->state, watermark);
	return part;
}

/* Can a row of that time, which is finite, have no window because of the limits of time? */
bool
aw_part_is_out_of_range(AwPart *part, Timestamp rowtime)
{
	AwPlace		place;

	return is_extreme(part, rowtime) &&
		aw_windowplace_find(&part->places, rowtime, &place) == AW_PLACE_OUT_OF_RANGE;
}

/* Adds a row of the ingest statement to those of its windows that are open. */
void
aw_part_add_row(AwPart *part, const AwPlace *place, const AwWatermark *watermark,
				TupleTableSlot *row)
{
	int			first = part->query->keeps_rows ? AW_INGEST_FIRST : 0;

	detoast(row);
	aw_state_add_row(part->state, place, watermark, row->tts_values + first,
					 row->tts_isnull + first);
}

/* Makes room for windows that close. */
void
aw_part_begin_closing(AwPart *part)
{
	part->windows = tuplestore_begin_heap(false, false, work_mem);
	part->slot = MakeSingleTupleTableSlot(part->query->windows, &TTSOpsVirtual);
}

/* A group or a row of a window that closes, as the publish statement reads it. */
void
aw_part_put_window(AwPart *part, const AwSpan *span, const Datum *values, const bool *nulls)
{
	TupleTableSlot *slot = part->slot;
	int			n_values = slot->tts_tupleDescriptor->natts - AW_WINDOWS_FIRST;

	ExecClearTuple(slot);
	memset(slot->tts_isnull, 0, sizeof(bool) * AW_WINDOWS_FIRST);
	slot->tts_values[AW_WINDOWS_START] = TimestampGetDatum(span->start_us);
	slot->tts_values[AW_WINDOWS_END] = TimestampGetDatum(span->end_us);
	slot->tts_values[AW_WINDOWS_TIME] = TimestampGetDatum(span->end_us - AW_WINDOW_MIN_US);
	memcpy(slot->tts_values + AW_WINDOWS_FIRST, values, sizeof(Datum) * n_values);
	memcpy(slot->tts_isnull + AW_WINDOWS_FIRST, nulls, sizeof(bool) * n_values);
	ExecStoreVirtualTuple(slot);
	tuplestore_puttupleslot(part->windows, slot);
}

void
aw_part_end_closing(AwPart *part)
{
	ExecDropSingleTupleTableSlot(part->slot);
	tuplestore_end(part->windows);
	part->windows = NULL;
}

/* What is kept of the rows of the ingest statement. */
static TupleDesc
kept_columns(const AwQueryPart *part)
{
	int			n_columns = part->rows->natts - AW_INGEST_FIRST;
	TupleDesc	columns = CreateTemplateTupleDesc(n_columns);

	for (int i = 1; i <= n_columns; i++)
		TupleDescCopyEntry(columns, i, part->rows, AW_INGEST_FIRST + i);
	return columns;
}

/* Is a time so early or late that it may have no window? */
static bool
is_extreme(const AwPart *part, Timestamp ts)
{
	int64		margin_us = part->places.spec.window.size_us + USECS_PER_DAY;

	return ts < MIN_TIMESTAMP + margin_us || ts > END_TIMESTAMP - margin_us;
}

/* Values that lie in a table may be gone before their window closes. */
static void
detoast(TupleTableSlot *row)
{
	TupleDesc	columns = row->tts_tupleDescriptor;

	for (int i = AW_INGEST_FIRST; i < columns->natts; i++)
	{
		if (TupleDescAttr(columns, i)->attlen == -1 && !row->tts_isnull[i] &&
			VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(row->tts_values[i])))
			row->tts_values[i] =
				PointerGetDatum(detoast_external_attr((struct varlena *)
													  DatumGetPointer(row->tts_values[i])));
	}
}
