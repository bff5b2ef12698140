/*
 * state.c
 *
 * The open windows of a continuous query, in memory, as slices of time: a row is added
 * to one slice, however many windows it is in.  A slice is made by its first row, and
 * is given back when its last window has closed.  Windows close when the watermark
 * reaches their last granule, the earliest end first; then the slices in them are
 * merged, and their groups handed out.  A window without rows does not exist, so a
 * watermark that leaps over years costs nothing.
 *
 *	 TUMBLE      A slice is a window.
 *	 HOP         windowsums.c merges the slices of the window at hand.
 *	 CUMULATE    The slice that starts with the windows has their sum: those after it
 *	             are merged into it, for good, when the first window that ends after
 *	             them closes.
 *
 * A row may come when some of its windows have closed, and others have not: it counts
 * in those alone.  As windows are handed out at the end of a batch, whatever closed
 * them in its midst, such a row is held back, by its slice and by the first window
 * that was open for it, until those before are out.  After that it is in its slice
 * like any other, so that nothing is held back between batches.
 *
 * Where rows are kept, they stay in their slice until its last window has closed, and
 * each says which of its windows it has missed.
 *
 * Nothing here is transactional: when the transaction that took in rows or closed
 * windows is rolled back, the state is to be thrown away, and read again.
 *
 * A slice is dirty until it is written.
 */
#include "postgres.h"

#include "common/int.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "openrows.h"
#include "state.h"
#include "windowsums.h"

/* Rows that are held back: those of a slice that missed the same windows. */
typedef struct HeldBackKey
{
	int64		slice_start_us;
	int64		from_us;		/* end of the first window that they are in */
} HeldBackKey;

typedef struct HeldBack
{
	HeldBackKey key;
	AwOpenSlice *rows;
} HeldBack;

struct AwState
{
	AwStateSource source;
	AwOpenSlices *slices;
	AwOpenSlice *last_slice;	/* that a row was added to; NULL if it may be gone */
	AwOpenRows *rows;			/* NULL: states are kept */
	AwWindowSums *sums;			/* of HOP with states */
	HTAB	   *held_back;		/* NULL if there is nothing */
	int64		closed_end_us;	/* windows that end there or before have been handed out */
	MemoryContext cxt;
	MemoryContext results_cxt;	/* of a group */
};

/* Where groups of closed windows go. */
typedef struct Output
{
	AwStateEmit emit;
	void	   *arg;
	AwClosed   *closed;
} Output;

static AwOpenSlice *slice_of_place(AwState *state, const AwPlace *place);
static void hold_back(AwState *state, const AwPlace *place, const AwWatermark *watermark,
					  const Datum *values, const bool *nulls);
static HeldBack *sort_held_back(AwState *state, int *n_held);
static int	compare_held_back(const void *a, const void *b);
static void add_held_back(AwState *state, const HeldBack *held);
static bool next_window(AwState *state, AwSpan *window);
static bool find_next(AwState *state, int64 ts_us, const AwSpan *after, AwSpan *window);
static void drop_ended(AwState *state, int64 end_us, AwClosed *closed);
static void hand_out(AwState *state, const AwSpan *window, Output *output);
static void hand_out_rows(AwState *state, const AwSpan *window, Output *output);
static void hand_out_sums(AwState *state, const AwSpan *window, Output *output);
static void hand_out_slice(AwState *state, const AwSpan *window, Output *output);
static void merge_into_first(AwState *state, const AwSpan *window);
static void hand_out_group(AwState *state, const AwSpan *window, const AwGroup *group,
						   char *states, Output *output);

/* A state without windows, in the current memory context. */
AwState *
aw_state_create(const AwStateSource *source)
{
	AwState    *state = palloc0(sizeof(AwState));

	state->source = *source;
	state->slices = aw_openslices_create(source->aggregates, source->keys, source->n_keys);
	if (source->rows != NULL)
		state->rows = aw_openrows_create(source->rows, source->n_slices);
	else if (source->kind == AW_KIND_HOP)
		state->sums = aw_windowsums_create(source->aggregates,
										   aw_openslices_form(state->slices));
	state->closed_end_us = PG_INT64_MIN;
	state->cxt = CurrentMemoryContext;
	state->results_cxt = AllocSetContextCreate(CurrentMemoryContext, "results of a group",
											   ALLOCSET_SMALL_SIZES);
	return state;
}

/* Goes on where windows have closed at a watermark. */
void
aw_state_resume(AwState *state, const AwWatermark *watermark)
{
	if (watermark->is_set)
		state->closed_end_us = aw_state_closed_end(state, watermark);
}

/* Is a row too late for a window, coming when the watermark stands there? */
bool
aw_state_is_closed(const AwState *state, const AwSpan *window, const AwWatermark *watermark)
{
	return watermark->is_set && window->end_us <= aw_state_closed_end(state, watermark);
}

/*
 * Takes in a row whose last window is open, as the watermark stands; its values are those
 * of the columns that are kept, or of all that keys and aggregates are found in.
 */
void
aw_state_add_row(AwState *state, const AwPlace *place, const AwWatermark *watermark,
				 const Datum *values, const bool *nulls)
{
	if (state->rows == NULL && aw_state_is_closed(state, &place->first, watermark))
	{
		hold_back(state, place, watermark, values, nulls);
		return;
	}
	if (state->last_slice == NULL || state->last_slice->start_us != place->slice.start_us)
		state->last_slice = slice_of_place(state, place);
	if (state->rows != NULL)
		aw_openrows_add(state->rows, state->last_slice, watermark->is_set ?
						aw_state_closed_end(state, watermark) : PG_INT64_MIN, values, nulls);
	else
		aw_openslices_add_row(state->slices, state->last_slice, values, nulls);
}

/*
 * Closes the windows that the watermark has passed, the earliest end first, and counts
 * them.  Values are valid until emit returns.  Ends a batch.
 */
void
aw_state_close(AwState *state, const AwWatermark *watermark, AwStateEmit emit, void *arg,
			   AwClosed *closed)
{
	int64		end_us = aw_state_closed_end(state, watermark);
	AwSpan		window = {PG_INT64_MAX, state->closed_end_us};
	int			n_held;
	HeldBack   *held = sort_held_back(state, &n_held);
	int			next_held = 0;
	Output		output = {emit, arg, closed};

	state->last_slice = NULL;
	while (end_us > state->closed_end_us && next_window(state, &window) &&
		   window.end_us <= end_us)
	{
		while (next_held < n_held && held[next_held].key.from_us <= window.end_us)
			add_held_back(state, &held[next_held++]);
		drop_ended(state, window.end_us - 1, closed);
		hand_out(state, &window, &output);
	}
	while (next_held < n_held)
		add_held_back(state, &held[next_held++]);
	drop_ended(state, end_us, closed);
	state->closed_end_us = Max(state->closed_end_us, end_us);
}

/* The window of a time that closes next; false if all of them have closed. */
bool
aw_state_find_open(AwState *state, int64 ts_us, AwSpan *window)
{
	AwSpan		closed = {PG_INT64_MAX, state->closed_end_us};

	return find_next(state, ts_us, &closed, window);
}

/* The rows of a window that is being handed out. */
int64
aw_state_count_rows(AwState *state, const AwSpan *window)
{
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);
	int64		n_rows = 0;

	for (int i = 0; i < n_slices && slices[i]->start_us < window->end_us; i++)
	{
		if (slices[i]->start_us >= window->start_us)
			n_rows += slices[i]->n_rows;
	}
	return n_rows;
}

/* The latest end of a window that has closed at a watermark, which must be set. */
int64
aw_state_closed_end(const AwState *state, const AwWatermark *watermark)
{
	int64		end_us;

	Assert(watermark->is_set);
	if (pg_add_s64_overflow(watermark->time_us, state->source.granule_us, &end_us))
		return PG_INT64_MAX;
	return end_us;
}

/*
 * Appends a piece of what is not written, as aw_state_read() takes it; false, and the
 * buffer is as it was, at the end.  The cursor starts at 0.
 */
bool
aw_state_write_next(AwState *state, int *cursor, AwStatePiece *piece, StringInfo buffer)
{
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);
	AwOpenSlice *slice;

	while (*cursor < n_slices && !slices[*cursor]->is_dirty)
		(*cursor)++;
	if (*cursor == n_slices)
		return false;

	slice = slices[*cursor];
	piece->span.start_us = slice->start_us;
	piece->span.end_us = slice->end_us;
	if (state->rows != NULL)
	{
		piece->n_rows = aw_openrows_write(state->rows, slice, &piece->number, buffer);
		return true;
	}
	piece->number = 0;
	piece->n_rows = slice->n_rows;
	aw_openslices_write(state->slices, slice, buffer);
	slice->is_dirty = false;
	return true;
}

/* Adds a piece that was written; those of a slice come in the order of their numbers. */
void
aw_state_read(AwState *state, const AwStatePiece *piece, const char *from, Size size)
{
	AwOpenSlice *slice = aw_openslices_enter(state->slices, piece->span.start_us,
											 piece->span.end_us);

	if (state->rows != NULL)
		aw_openrows_read(state->rows, slice, piece->number, from, size);
	else
		aw_openslices_read(state->slices, slice, from, size);
	slice->n_rows += piece->n_rows;
	slice->is_dirty = false;
}

/*
 * The slice of a row, made if it is new.  It is needed until its last window closes,
 * but under CUMULATE only until it is merged into the first.
 */
static AwOpenSlice *
slice_of_place(AwState *state, const AwPlace *place)
{
	bool		is_merged = state->source.kind == AW_KIND_CUMULATE && state->rows == NULL &&
		place->slice.start_us > place->first.start_us;

	return aw_openslices_enter(state->slices, place->slice.start_us,
							   is_merged ? place->first.end_us : place->last.end_us);
}

/* Keeps a row apart that has missed some windows, but not all. */
static void
hold_back(AwState *state, const AwPlace *place, const AwWatermark *watermark,
		  const Datum *values, const bool *nulls)
{
	AwSpan		closed = {PG_INT64_MAX, aw_state_closed_end(state, watermark)};
	AwSpan		window;
	HeldBackKey key;
	HeldBack   *held;
	bool		found;

	if (!find_next(state, place->slice.start_us, &closed, &window))
		elog(ERROR, "a row has no open window");

	/* What has missed a step of CUMULATE is in all that follow. */
	key.slice_start_us = state->source.kind == AW_KIND_CUMULATE ? window.start_us :
		place->slice.start_us;
	key.from_us = window.end_us;

	if (state->held_back == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(HeldBackKey),.entrysize = sizeof(HeldBack)};

		control.hcxt = state->cxt;
		state->held_back = hash_create("rows held back", 64, &control,
									   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	held = hash_search(state->held_back, &key, HASH_ENTER, &found);
	if (!found)
	{
		held->rows = aw_openslices_create_apart(state->slices, key.slice_start_us, 0);
		(void) aw_openslices_enter(state->slices, key.slice_start_us, place->last.end_us);
	}
	aw_openslices_add_row(state->slices, held->rows, values, nulls);
}

/* All that is held back, in the order of the windows that it is in, palloc'd; no longer so. */
static HeldBack *
sort_held_back(AwState *state, int *n_held)
{
	HASH_SEQ_STATUS status;
	HeldBack   *sorted;
	const HeldBack *held;

	*n_held = 0;
	if (state->held_back == NULL)
		return NULL;

	sorted = palloc(sizeof(HeldBack) * hash_get_num_entries(state->held_back));
	hash_seq_init(&status, state->held_back);
	while ((held = hash_seq_search(&status)) != NULL)
		sorted[(*n_held)++] = *held;
	hash_destroy(state->held_back);
	state->held_back = NULL;
	qsort(sorted, *n_held, sizeof(HeldBack), compare_held_back);
	return sorted;
}

static int
compare_held_back(const void *a, const void *b)
{
	const HeldBackKey *left = &((const HeldBack *) a)->key;
	const HeldBackKey *right = &((const HeldBack *) b)->key;

	return (left->from_us > right->from_us) - (left->from_us < right->from_us);
}

/* Puts rows that were held back into their slice, which is there. */
static void
add_held_back(AwState *state, const HeldBack *held)
{
	AwOpenSlice *slice = aw_openslices_find(state->slices, held->key.slice_start_us);

	aw_openslices_merge(state->slices, slice, held->rows);
	if (state->sums != NULL && aw_windowsums_holds(state->sums, slice->start_us))
		aw_windowsums_add_late(state->sums, slice, held->rows);
	aw_openslices_free_apart(held->rows);
}

/*
 * The next window that a slice is in.  Those of an older slice come before those that
 * only newer ones are in.
 */
static bool
next_window(AwState *state, AwSpan *window)
{
	AwSpan		after = *window;
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < n_slices; i++)
	{
		if (find_next(state, slices[i]->start_us, &after, window))
			return true;
	}
	return false;
}

/* The first window of a time that comes after another. */
static bool
find_next(AwState *state, int64 ts_us, const AwSpan *after, AwSpan *window)
{
	const AwWindowFinder *windows = &state->source.windows;

	return windows->next(windows->arg, ts_us, after, window);
}

/* Gives back the oldest slices, those that are needed until there at most. */
static void
drop_ended(AwState *state, int64 end_us, AwClosed *closed)
{
	int			n_slices;
	int			n_ended = 0;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);

	while (n_ended < n_slices && slices[n_ended]->end_us <= end_us)
		closed->n_rows += slices[n_ended++]->n_rows;
	if (n_ended > 0 && state->sums != NULL)
		aw_windowsums_let_go(state->sums, n_ended < n_slices ? slices[n_ended]->start_us :
							 PG_INT64_MAX);
	while (n_ended-- > 0)
		aw_openslices_drop(state->slices, 0);
}

/* Hands out the groups of a window. */
static void
hand_out(AwState *state, const AwSpan *window, Output *output)
{
	int64		n_before = output->closed->n_groups;

	if (state->rows != NULL)
		hand_out_rows(state, window, output);
	else if (state->sums != NULL)
		hand_out_sums(state, window, output);
	else
	{
		if (state->source.kind == AW_KIND_CUMULATE)
			merge_into_first(state, window);
		hand_out_slice(state, window, output);
	}
	if (output->closed->n_groups > n_before)
		output->closed->n_windows++;
}

/* The rows of all slices in the window, but those that have missed it. */
static void
hand_out_rows(AwState *state, const AwSpan *window, Output *output)
{
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);

	for (int i = 0; i < n_slices && slices[i]->start_us < window->end_us; i++)
	{
		const Datum *values;
		const bool *nulls;
		int64		missed_end_us;

		if (slices[i]->start_us < window->start_us)
			continue;
		aw_openrows_rescan(state->rows, slices[i]);
		while (aw_openrows_next(state->rows, slices[i], &missed_end_us, &values, &nulls))
		{
			CHECK_FOR_INTERRUPTS();
			if (missed_end_us >= window->end_us)
				continue;
			output->emit(output->arg, window, values, nulls);
			output->closed->n_groups++;
		}
	}
}

static void
hand_out_sums(AwState *state, const AwSpan *window, Output *output)
{
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);
	AwGroup    *group;
	char	   *states;
	uint32		cursor = 0;

	aw_windowsums_move(state->sums, window, slices, n_slices);
	while ((group = aw_windowsums_next(state->sums, &cursor, &states)) != NULL)
		hand_out_group(state, window, group, states, output);
}

/* The slice that starts with the window has all of it. */
static void
hand_out_slice(AwState *state, const AwSpan *window, Output *output)
{
	AwGroupForm *form = aw_openslices_form(state->slices);
	const AwOpenSlice *slice = aw_openslices_find(state->slices, window->start_us);
	AwGroup    *group;
	uint32		cursor = 0;

	while ((group = aw_grouptable_next(&slice->table, &cursor)) != NULL)
		hand_out_group(state, window, group, aw_grouptable_states(form, group), output);
}

/* Merges the slices of a window of CUMULATE into its first one, which is made if need be. */
static void
merge_into_first(AwState *state, const AwSpan *window)
{
	const AwWindowFinder *windows = &state->source.windows;
	int64		end_us = windows->last(windows->arg, window->start_us).end_us;
	AwOpenSlice *first = aw_openslices_enter(state->slices, window->start_us, end_us);
	int			n_slices;
	AwOpenSlice **slices = aw_openslices_sorted(state->slices, &n_slices);

	Assert(slices[0] == first);
	while (n_slices > 1 && slices[1]->start_us < window->end_us)
	{
		aw_openslices_merge(state->slices, first, slices[1]);
		aw_openslices_drop(state->slices, 1);
		slices = aw_openslices_sorted(state->slices, &n_slices);
	}
}

static void
hand_out_group(AwState *state, const AwSpan *window, const AwGroup *group, char *states,
			   Output *output)
{
	const AwStateSource *source = &state->source;
	MemoryContext caller = MemoryContextSwitchTo(state->results_cxt);
	int			n_values = source->n_keys + source->n_results;
	Datum	   *values = palloc(sizeof(Datum) * Max(n_values, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(n_values, 1));

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < source->n_keys; i++)
	{
		values[i] = group->keys[i];
		nulls[i] = (group->null_keys & ((uint32) 1 << i)) != 0;
	}
	aw_aggstate_results(source->aggregates, states, values + source->n_keys,
						nulls + source->n_keys);
	MemoryContextSwitchTo(caller);
	output->emit(output->arg, window, values, nulls);
	MemoryContextReset(state->results_cxt);
	output->closed->n_groups++;
}
