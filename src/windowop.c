/*
 * windowop.c
 *
 * Merges the slices of a store into windows, over all keys at once.  A dictionary
 * has an entry for each key that the window at hand has rows of; slices come in at
 * its new end and go out at its old one:
 *
 *	 two stacks  The older slices are the front.  There the state of a key in a
 *	             slice has been merged, in place, with those of the slices after
 *	             it in the front, so that the oldest one that is left is the sum;
 *	             they hang together in a chain.  The newer slices are the back, with
 *	             one sum per key.  A window is front and back together.  When the
 *	             front is used up, the back becomes the front.  Each state is merged
 *	             about twice, and once more for each window and key.
 *	 retract     One sum per key, from which slices are taken out again.
 *	 forward     One sum per key; at the end of the longest window all are dropped.
 *
 * If slices are on disk, all windows are made for a portion of the keys, then for the
 * next, in so many passes that what a window needs of a portion fits into memory.  In
 * each pass windows come in the order of their start and end.
 *
 * A key is shown as the newest slice has it that has rows of it: that is in all windows
 * that the key is still in.  CUMULATE shows it as the oldest one has it, which is in all
 * windows from there on.
 *
 * A slice at infinity is a window of its own.
 *
 * Where clocks are changed, windows are not one stride apart and may share their start
 * or their end.  In the order of both, which is that of either, they come one by one
 * from the caller.
 */
#include "postgres.h"

#include "datatype/timestamp.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "windowkeys.h"
#include "windowop.h"

/* Keys lie anywhere: the memory of those that come next is asked for early. */
#define LOOK_AHEAD 16
#ifdef __GNUC__
#define prefetch(address) __builtin_prefetch(address)
#else
#define prefetch(address) ((void) (address))
#endif

struct AwWindowOp
{
	AwSliceStore *store;
	AwAggregates *aggregates;
	AwWindow	window;
	AwMergeStrategy strategy;
	AwWindowGrid grid;			/* without a function where windows are regular */
	bool		is_at_end;

	/* slices at hand: [front, back) are the front, [back, end) the back */
	AwSlice   **held;
	int			n_held_allocated;
	int			front;
	int			back;
	int			end;
	uint64		back_number;	/* of the back, from 1 */
	bool		has_window;		/* there is a window before the next one */
	AwSpan		span;			/* the window at hand */
	int64		first_us;		/* the first slice in the sums (forward) */

	MemoryContext cxt;			/* all of it */
	MemoryContext sums_cxt;		/* what the states of keys point to */
	MemoryContext merged_cxt;	/* what merged states point to */
	AwWindowKeys keys;
	char	   *merged;			/* front and back of a key */

	/* what is being read */
	AwSlice    *slice;			/* a slice that is a window, else the live keys */
	uint32		cursor;
	int64		n_windows;		/* in the pass that had most */
	int64		n_pass_windows;
	int64		n_merges;
};

static void plan_passes(AwWindowOp *op, bool is_ordered);
static void begin_pass(AwWindowOp *op);
static bool next_window(AwWindowOp *op);
static bool next_slice_window(AwWindowOp *op);
static bool next_hop(AwWindowOp *op);
static bool next_cumulate(AwWindowOp *op);
static bool next_regular(AwWindowOp *op, AwSpan *next);
static bool next_on_grid(AwWindowOp *op, AwSpan *next);
static void first_window(AwWindowOp *op, int64 start_us, AwSpan *span);
static bool peek_finite(AwWindowOp *op, int64 *start_us);
static void hold(AwWindowOp *op, AwSlice *slice);
static void take_in(AwWindowOp *op, AwSlice *slice);
static void let_go(AwWindowOp *op, AwSlice *slice);
static void turn_back_to_front(AwWindowOp *op);
static void drop_keys(AwWindowOp *op);
static char *states_of_key(AwWindowOp *op, AwGroup *key);
static void merge(AwWindowOp *op, char *states, MemoryContext cxt, const AwGroup *group);

/* The cheapest way for a kind of window and aggregates. */
AwMergeStrategy
aw_windowop_strategy(AwWindowKind kind, const AwAggregates *aggregates)
{
	if (kind == AW_KIND_TUMBLE)
		return AW_MERGE_NONE;
	if (kind == AW_KIND_CUMULATE)
		return AW_MERGE_FORWARD;
	return aw_aggstate_can_retract(aggregates) ? AW_MERGE_RETRACT : AW_MERGE_TWO_STACKS;
}

/*
 * Ends the adding of rows to the store, and stands before its first window.  Where
 * windows must come in order, there is one pass, however much memory it takes.
 */
AwWindowOp *
aw_windowop_create(AwSliceStore *store, const AwWindow *window, AwMergeStrategy strategy,
				   bool is_ordered)
{
	MemoryContext cxt = AllocSetContextCreate(aw_slicestore_context(store), "windows",
											  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(cxt);
	AwWindowOp *op = palloc0(sizeof(AwWindowOp));

	op->store = store;
	op->aggregates = aw_slicestore_aggregates(store);
	op->window = *window;
	op->strategy = strategy;
	op->cxt = cxt;
	op->sums_cxt = AllocSetContextCreate(cxt, "sums of windows", ALLOCSET_DEFAULT_MINSIZE,
										 ALLOCSET_DEFAULT_INITSIZE,
										 aw_slicestore_block_size(store));
	op->merged_cxt = AllocSetContextCreate(cxt, "merged state", ALLOCSET_SMALL_SIZES);
	op->merged = palloc0(Max(aw_aggstate_size(op->aggregates), 1));
	aw_windowkeys_init(&op->keys, aw_slicestore_form(store), aw_slicestore_block_size(store));
	if (strategy != AW_MERGE_FORWARD)
		aw_windowkeys_borrow(&op->keys);
	op->n_held_allocated = 64;
	op->held = palloc(sizeof(AwSlice *) * op->n_held_allocated);
	MemoryContextSwitchTo(caller);

	aw_slicestore_finish(store);
	plan_passes(op, is_ordered);
	begin_pass(op);
	return op;
}

/* Says which windows there are, if they are not regular; before the first one. */
void
aw_windowop_set_grid(AwWindowOp *op, const AwWindowGrid *grid)
{
	op->grid = *grid;
}

void
aw_windowop_free(AwWindowOp *op)
{
	drop_keys(op);
	if (op->slice != NULL)
		aw_slicestore_unload(op->slice);
	MemoryContextDelete(op->cxt);
}

/*
 * The next group of a window; NULL at the end.  *span and *states stay valid until
 * the next call.  A slice without a time has a span that starts and ends at its mark.
 */
AwGroup *
aw_windowop_next(AwWindowOp *op, AwSpan *span, char **states)
{
	AwGroup    *group;

	while ((group = aw_windowop_next_group(op, states)) == NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (!next_window(op))
			return NULL;
	}
	*span = op->span;
	return group;
}

/*
 * Moves to the next window, whatever is left of the one at hand; false at the end.
 * A window comes again in each pass, with other keys.
 */
bool
aw_windowop_next_window(AwWindowOp *op, AwSpan *span)
{
	if (!next_window(op))
		return false;
	*span = op->span;
	return true;
}

/* The next group of the window at hand; NULL at its end. */
AwGroup *
aw_windowop_next_group(AwWindowOp *op, char **states)
{
	AwGroup    *group = NULL;

	if (op->slice != NULL)
		group = aw_slicestore_next(&op->slice->table, &op->cursor);
	else if (op->cursor < op->keys.n_live)
	{
		if (op->cursor + LOOK_AHEAD < op->keys.n_live)
			prefetch(aw_slicestore_states(op->store, op->keys.live[op->cursor + LOOK_AHEAD]));
		group = op->keys.live[op->cursor++];
	}
	if (group != NULL)
		*states = aw_windowop_states(op, group);
	return group;
}

/* The states of a group of the window at hand, until they are asked for again. */
char *
aw_windowop_states(AwWindowOp *op, AwGroup *group)
{
	return op->slice != NULL ? aw_slicestore_states(op->store, group) : states_of_key(op, group);
}

int64
aw_windowop_n_windows(const AwWindowOp *op)
{
	return op->n_windows;
}

int64
aw_windowop_n_merges(const AwWindowOp *op)
{
	return op->n_merges;
}

int
aw_windowop_n_passes(const AwWindowOp *op)
{
	return aw_slicestore_n_portions(op->store);
}

/* So many that what the largest window needs of a portion of keys fits into memory. */
static void
plan_passes(AwWindowOp *op, bool is_ordered)
{
	AwSliceScale scale = {
		.reach_us = (op->strategy == AW_MERGE_NONE) ? 0 : op->window.size_us,
		.holds_slices = op->strategy == AW_MERGE_TWO_STACKS || op->strategy == AW_MERGE_RETRACT,
		.has_sums = op->strategy != AW_MERGE_NONE,
		.has_growing_sums = aw_aggstate_may_grow(op->aggregates),
		.per_key = sizeof(AwKeyExtra) + 2 * sizeof(AwGroup *)
	};

	aw_slicestore_portion(op->store, &scale, is_ordered);
}

static void
begin_pass(AwWindowOp *op)
{
	drop_keys(op);
	op->has_window = false;
	op->n_pass_windows = 0;
	op->is_at_end = !aw_slicestore_next_portion(op->store);
}

/* Moves to the next window, of the next pass if need be; false at the end. */
static bool
next_window(AwWindowOp *op)
{
	while (!op->is_at_end)
	{
		bool		is_between = (op->strategy == AW_MERGE_FORWARD) ? !op->has_window :
			op->front == op->end;
		bool		is_there;
		int64		start_us;

		CHECK_FOR_INTERRUPTS();
		if (op->slice != NULL)
		{
			aw_slicestore_unload(op->slice);
			op->slice = NULL;
		}
		op->cursor = 0;

		if (is_between && aw_slicestore_peek(op->store, &start_us) &&
			(op->strategy == AW_MERGE_NONE || TIMESTAMP_NOT_FINITE(start_us)))
			is_there = next_slice_window(op);
		else if (op->strategy == AW_MERGE_NONE)
			is_there = false;
		else if (op->strategy == AW_MERGE_FORWARD)
			is_there = next_cumulate(op);
		else
			is_there = next_hop(op);

		/* Other parts of the keys may have rows in it. */
		if (is_there && op->slice == NULL && op->keys.n_live == 0)
			continue;
		if (is_there)
		{
			op->n_pass_windows++;
			op->n_windows = Max(op->n_windows, op->n_pass_windows);
			return true;
		}
		begin_pass(op);
	}
	return false;
}

/* The next slice is a window. */
static bool
next_slice_window(AwWindowOp *op)
{
	drop_keys(op);
	op->slice = aw_slicestore_take(op->store);
	op->span.start_us = op->slice->start_us;
	op->span.end_us = op->slice->end_us;
	op->has_window = false;
	return true;
}

/* The next window that a slice is in: of those at hand, or the next slice. */
static bool
next_hop(AwWindowOp *op)
{
	AwSpan		next;
	int64		start_us;

	if (!(op->grid.next != NULL ? next_on_grid(op, &next) : next_regular(op, &next)))
	{
		/* Only a slice at infinity can be left. */
		drop_keys(op);
		return aw_slicestore_peek(op->store, &start_us) && next_slice_window(op);
	}

	op->span = next;
	op->has_window = true;
	while (op->front < op->end && op->held[op->front]->start_us < next.start_us)
	{
		if (op->strategy == AW_MERGE_TWO_STACKS && op->front == op->back)
			turn_back_to_front(op);
		let_go(op, op->held[op->front++]);
		op->back = Max(op->back, op->front);
	}
	while (peek_finite(op, &start_us) && start_us < next.end_us)
	{
		AwSlice    *slice = aw_slicestore_take(op->store);

		hold(op, slice);
		take_in(op, slice);
	}
	return true;
}

/* The window one stride on, or where no slice is at hand, the first of the next one. */
static bool
next_regular(AwWindowOp *op, AwSpan *next)
{
	int64		start_us;

	if (op->front == op->end)
	{
		if (!peek_finite(op, &start_us))
			return false;
		first_window(op, start_us, next);
		if (!op->has_window || next->start_us > op->span.start_us)
			return true;
	}
	next->start_us = op->span.start_us + op->window.stride_us;
	next->end_us = next->start_us + op->window.size_us;
	return true;
}

/*
 * Of the windows after the one at hand, those of an older slice come before those that
 * only newer ones are in.
 */
static bool
next_on_grid(AwWindowOp *op, AwSpan *next)
{
	const AwSpan *after = op->has_window ? &op->span : NULL;
	int64		start_us;

	for (int i = op->front; i < op->end; i++)
	{
		if (op->grid.next(op->grid.arg, op->held[i]->start_us, after, next))
			return true;
	}
	if (!peek_finite(op, &start_us))
		return false;
	if (!op->grid.next(op->grid.arg, start_us, after, next))
		elog(ERROR, "a slice is in no window");
	return true;
}

/* The next step, or the first window of the next slice. */
static bool
next_cumulate(AwWindowOp *op)
{
	bool		is_regular = op->grid.next == NULL;
	AwSpan		next;
	int64		start_us;

	if (op->has_window && is_regular && op->span.end_us < op->span.start_us + op->window.size_us)
		op->span.end_us += op->window.step_us;
	else if (op->has_window && !is_regular &&
			 op->grid.next(op->grid.arg, op->first_us, &op->span, &next))
		op->span = next;
	else
	{
		drop_keys(op);
		op->has_window = false;
		if (!aw_slicestore_peek(op->store, &op->first_us))
			return false;
		if (TIMESTAMP_NOT_FINITE(op->first_us))
			return next_slice_window(op);
		first_window(op, op->first_us, &op->span);
		op->has_window = true;
	}

	while (peek_finite(op, &start_us) && start_us < op->span.end_us)
	{
		AwSlice    *slice = aw_slicestore_take(op->store);

		take_in(op, slice);
		aw_slicestore_unload(slice);
	}
	return true;
}

/* The earliest window of a slice; rows that are in none have been left out before. */
static void
first_window(AwWindowOp *op, int64 start_us, AwSpan *span)
{
	AwWindowWalk walk;

	if (op->grid.next != NULL ? !op->grid.next(op->grid.arg, start_us, NULL, span) :
		(!aw_window_walk(&op->window, start_us, &walk) || !aw_window_next(&walk, span)))
		elog(ERROR, "a slice is in no window");
}

/* Is there a next slice, not at infinity? */
static bool
peek_finite(AwWindowOp *op, int64 *start_us)
{
	return aw_slicestore_peek(op->store, start_us) && !TIMESTAMP_NOT_FINITE(*start_us);
}

/* Keeps a slice at hand, until it is let go. */
static void
hold(AwWindowOp *op, AwSlice *slice)
{
	if (op->end == op->n_held_allocated && op->front > op->end / 2)
	{
		memmove(op->held, op->held + op->front, sizeof(AwSlice *) * (op->end - op->front));
		op->end -= op->front;
		op->back -= op->front;
		op->front = 0;
	}
	if (op->end == op->n_held_allocated)
	{
		op->n_held_allocated *= 2;
		op->held = repalloc_huge(op->held, sizeof(AwSlice *) * op->n_held_allocated);
	}
	op->held[op->end++] = slice;
}

/* Merges a slice into the sums. */
static void
take_in(AwWindowOp *op, AwSlice *slice)
{
	AwGroup    *group;
	uint32		cursor = 0;

	while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
	{
		AwGroup    *key = aw_windowkeys_enter(&op->keys, group, slice->start_us);
		AwKeyExtra *extra = aw_windowkeys_extra(&op->keys, key);
		char	   *states = aw_slicestore_states(op->store, key);

		CHECK_FOR_INTERRUPTS();
		group->owner = key;
		if (extra->back != op->back_number)
		{
			extra->back = op->back_number;
			aw_aggstate_begin(op->aggregates, states, op->sums_cxt);
		}
		extra->n_slices++;
		merge(op, states, op->sums_cxt, group);
	}
}

/* Takes the oldest slice out. */
static void
let_go(AwWindowOp *op, AwSlice *slice)
{
	AwGroup    *group;
	uint32		cursor = 0;

	while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
	{
		AwGroup    *key = group->owner;
		AwKeyExtra *extra = aw_windowkeys_extra(&op->keys, key);

		CHECK_FOR_INTERRUPTS();
		extra->n_slices--;
		if (op->strategy == AW_MERGE_RETRACT)
		{
			aw_aggstate_retract(op->aggregates, aw_slicestore_states(op->store, key),
								aw_slicestore_states(op->store, group));
			op->n_merges++;
		}
		else
		{
			Assert(key->next == group);
			key->next = group->next;
		}
		if (extra->n_slices == 0)
			aw_windowkeys_remove(&op->keys, key);
	}
	aw_slicestore_unload(slice);
}

/*
 * The slices of the back, the newest first, become the front.  A key's next is the
 * oldest state of its chain.
 */
static void
turn_back_to_front(AwWindowOp *op)
{
	for (int i = op->end - 1; i >= op->back; i--)
	{
		AwSlice    *slice = op->held[i];
		AwGroup    *group;
		uint32		cursor = 0;

		while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
		{
			AwGroup    *key = group->owner;

			CHECK_FOR_INTERRUPTS();
			if (key->next != NULL)
				merge(op, aw_slicestore_states(op->store, group), slice->table.arena->cxt,
					  key->next);
			group->next = key->next;
			key->next = group;
		}
	}
	op->back = op->end;
	op->back_number++;
	MemoryContextReset(op->sums_cxt);
}

/* Forgets all keys and slices. */
static void
drop_keys(AwWindowOp *op)
{
	for (int i = op->front; i < op->end; i++)
		aw_slicestore_unload(op->held[i]);
	op->front = op->back = op->end = 0;
	MemoryContextReset(op->sums_cxt);
	aw_windowkeys_reset(&op->keys);
	op->back_number++;
}

/* The states of a key in the window at hand. */
static char *
states_of_key(AwWindowOp *op, AwGroup *key)
{
	char	   *back = aw_slicestore_states(op->store, key);

	if (op->strategy != AW_MERGE_TWO_STACKS || key->next == NULL)
		return back;
	if (aw_windowkeys_extra(&op->keys, key)->back != op->back_number)
		return aw_slicestore_states(op->store, key->next);

	MemoryContextReset(op->merged_cxt);
	aw_aggstate_begin(op->aggregates, op->merged, op->merged_cxt);
	merge(op, op->merged, op->merged_cxt, key->next);
	merge(op, op->merged, op->merged_cxt, key);
	return op->merged;
}

static void
merge(AwWindowOp *op, char *states, MemoryContext cxt, const AwGroup *group)
{
	aw_aggstate_merge(op->aggregates, states, cxt, aw_slicestore_states(op->store, group));
	op->n_merges++;
}
