/*
 * state.c
 *
 * The open windows of a continuous query, in memory.  A window is a slice:
 * it is made by its first row, and closes when the watermark reaches its last
 * granule; then its groups are handed out, and its memory is given back.  Only
 * windows that have rows exist, so a watermark that leaps over years costs nothing.
 *
 * Nothing here is transactional: when the transaction that took in rows or closed
 * windows is rolled back, the state is to be thrown away, and read again.
 *
 * A slice is dirty until the caller, who has written it, takes the mark away.
 */
#include "postgres.h"

#include "common/int.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "state.h"

struct AwState
{
	AwOpenSlices *slices;
	AwAggregates *aggregates;
	int			n_keys;
	int			n_results;
	int64		granule_us;
	MemoryContext results_cxt;	/* of one group */
};

static void emit_slice(AwState *state, const AwOpenSlice *slice, AwStateEmit emit, void *arg,
					   AwClosed *closed);

/* A state without windows, in the current memory context. */
AwState *
aw_state_create(AwAggregates *aggregates, int n_results, const AwKeyColumn *keys, int n_keys,
				int64 granule_us)
{
	AwState    *state = palloc0(sizeof(AwState));

	state->aggregates = aggregates;
	state->n_results = n_results;
	state->n_keys = n_keys;
	state->granule_us = granule_us;
	state->slices = aw_openslices_create(aggregates, keys, n_keys);
	state->results_cxt = AllocSetContextCreate(CurrentMemoryContext, "results of a group",
											   ALLOCSET_SMALL_SIZES);
	return state;
}

/* Is a row with this window late, coming when the watermark stands there? */
bool
aw_state_is_closed(const AwState *state, const AwSpan *span, const AwWatermark *watermark)
{
	return watermark->is_set && span->end_us <= aw_state_closed_end(state, watermark);
}

/* Takes in a row that is not late. */
void
aw_state_add_row(AwState *state, const AwSpan *span, const Datum *values, const bool *nulls)
{
	AwOpenSlice *slice = aw_openslices_enter(state->slices, span->start_us, span->end_us);

	aw_openslices_add_row(state->slices, slice, values, nulls);
}

/*
 * Closes the windows that the watermark has passed, the earliest first, and counts
 * them.  Values are valid until emit returns.
 */
void
aw_state_close(AwState *state, const AwWatermark *watermark, AwStateEmit emit, void *arg,
			   AwClosed *closed)
{
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);
	int			number = 0;

	while (number < n_slices)
	{
		AwOpenSlice *slice = slices[number];
		AwSpan		span = {slice->start_us, slice->end_us};

		if (!aw_state_is_closed(state, &span, watermark))
		{
			number++;
			continue;
		}
		emit_slice(state, slice, emit, arg, closed);
		closed->n_windows++;
		closed->n_rows += slice->n_rows;
		aw_openslices_drop(state->slices, number);
		slices = aw_openslices_sorted(state->slices, &n_slices);
	}
}

/* The latest end of a window that has closed at a watermark, which must be set. */
int64
aw_state_closed_end(const AwState *state, const AwWatermark *watermark)
{
	int64		end_us;

	Assert(watermark->is_set);
	if (pg_add_s64_overflow(watermark->time_us, state->granule_us, &end_us))
		return PG_INT64_MAX;
	return end_us;
}

/* Walks over the dirty slices, with a cursor that starts at 0; NULL at the end. */
AwOpenSlice *
aw_state_next_dirty(AwState *state, int *cursor)
{
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);

	while (*cursor < n_slices)
	{
		AwOpenSlice *slice = slices[(*cursor)++];

		if (slice->is_dirty)
			return slice;
	}
	return NULL;
}

/* Appends the groups of a slice, as aw_state_read() takes them. */
void
aw_state_write(AwState *state, const AwOpenSlice *slice, StringInfo buffer)
{
	aw_openslices_write(state->slices, slice, buffer);
}

/* Opens a window with the rows that were written. */
void
aw_state_read(AwState *state, const AwSpan *span, int64 n_rows, const char *from, Size size)
{
	AwOpenSlice *slice = aw_openslices_enter(state->slices, span->start_us, span->end_us);

	aw_openslices_read(state->slices, slice, from, size);
	slice->n_rows += n_rows;
	slice->is_dirty = false;
}

static void
emit_slice(AwState *state, const AwOpenSlice *slice, AwStateEmit emit, void *arg, AwClosed *closed)
{
	AwSpan		span = {slice->start_us, slice->end_us};
	int			n_values = state->n_keys + state->n_results;
	Datum	   *values = palloc(sizeof(Datum) * Max(n_values, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(n_values, 1));
	AwGroup    *group;
	uint32		cursor = 0;

	while ((group = aw_grouptable_next(&slice->table, &cursor)) != NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(state->results_cxt);

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < state->n_keys; i++)
		{
			values[i] = group->keys[i];
			nulls[i] = (group->null_keys & ((uint32) 1 << i)) != 0;
		}
		aw_aggstate_results(state->aggregates, aw_grouptable_states(aw_openslices_form(state->slices), group),
							values + state->n_keys, nulls + state->n_keys);
		MemoryContextSwitchTo(caller);
		emit(arg, &span, values, nulls);
		MemoryContextReset(state->results_cxt);
		closed->n_groups++;
	}
	pfree(values);
	pfree(nulls);
}
