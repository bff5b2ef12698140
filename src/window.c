/*
 * window.c
 *
 * Which windows a timestamp belongs to: arithmetic on a value, nothing else.
 *
 * A window kind is a grid of starts, origin + n * stride, and for each start
 * one length (TUMBLE, HOP) or several (CUMULATE: step, 2 * step, ... size).
 * Slices are the cells of the finest grid on which every start and every end
 * falls, so the rows of a slice are in exactly the same windows: what is
 * aggregated once per slice can be merged into windows.
 *
 * All functions are O(1).  None allocates, raises or reads a clock; one that
 * could leave int64 returns false instead.
 */
#include "postgres.h"

#include "common/int.h"

#include "window.h"

static int64 greatest_common_divisor(int64 a, int64 b);
static bool round_down(int64 ts_us, int64 origin_us, int64 width_us, int64 *result);
static bool walk_hop(const AwWindow *w, int64 ts_us, AwWindowWalk *walk);
static bool walk_cumulate(const AwWindow *w, int64 ts_us, AwWindowWalk *walk);

/*
 * Fills *w, or says what is wrong with the arguments.
 *
 * step_us is the slide of HOP and the step of CUMULATE; TUMBLE ignores it.
 * offset_us moves all windows; its absolute value must stay below size_us.
 */
AwWindowFault
aw_window_init(AwWindow *w, AwWindowKind kind, int64 size_us, int64 step_us, int64 offset_us)
{
	if (kind == AW_KIND_TUMBLE)
		step_us = size_us;

	if (size_us <= 0)
		return AW_FAULT_SIZE_NOT_POSITIVE;
	if (size_us < AW_WINDOW_MIN_US)
		return AW_FAULT_SIZE_TOO_SHORT;
	if (step_us <= 0)
		return AW_FAULT_STEP_NOT_POSITIVE;
	if (step_us < AW_WINDOW_MIN_US)
		return AW_FAULT_STEP_TOO_SHORT;
	if (kind == AW_KIND_CUMULATE && size_us % step_us != 0)
		return AW_FAULT_STEP_NOT_DIVISOR;
	if (offset_us <= -size_us || offset_us >= size_us)
		return AW_FAULT_OFFSET_TOO_LARGE;

	w->kind = kind;
	w->size_us = size_us;
	w->step_us = step_us;
	w->stride_us = (kind == AW_KIND_CUMULATE) ? size_us : step_us;
	w->slice_us = greatest_common_divisor(size_us, step_us);

	/* Any start will do as the origin; from one near zero, distances stay in range. */
	w->origin_us = (AW_WINDOW_EPOCH_US + offset_us % w->stride_us) % w->stride_us;
	return AW_FAULT_NONE;
}

/* Most windows that one row can be in. */
int64
aw_window_max_per_row(const AwWindow *w)
{
	return (w->size_us - 1) / w->step_us + 1;
}

/* Start of the slice that holds ts; false if it leaves int64. */
bool
aw_window_slice_start(const AwWindow *w, int64 ts_us, int64 *slice_start)
{
	return round_down(ts_us, w->origin_us, w->slice_us, slice_start);
}

/*
 * Exclusive end of the slice that holds ts; false if it leaves int64.
 *
 * Slices are half-open, so a row stamped exactly on a boundary belongs to the
 * slice starting there.
 */
bool
aw_window_slice_end(const AwWindow *w, int64 ts_us, int64 *slice_end)
{
	int64		slice_start;

	return round_down(ts_us, w->origin_us, w->slice_us, &slice_start) &&
		!pg_add_s64_overflow(slice_start, w->slice_us, slice_end);
}

/*
 * Prepares *walk over the windows that hold ts; false if one of them leaves
 * int64.  A walk may be empty: HOP has gaps where the slide exceeds the size.
 */
bool
aw_window_walk(const AwWindow *w, int64 ts_us, AwWindowWalk *walk)
{
	if (w->kind == AW_KIND_CUMULATE)
		return walk_cumulate(w, ts_us, walk);
	return walk_hop(w, ts_us, walk);
}

/* The next window of the walk; false when there is none left. */
bool
aw_window_next(AwWindowWalk *walk, AwSpan *span)
{
	if (walk->n_left == 0)
		return false;

	*span = walk->span;

	/* Do not step past the last one: that sum may overflow. */
	if (--walk->n_left > 0)
	{
		walk->span.start_us += walk->start_step_us;
		walk->span.end_us += walk->end_step_us;
	}
	return true;
}

/*
 * Least time that a row of a window can have which starts, or ends if by_end, at
 * the limit or later; false if that leaves int64.
 */
bool
aw_window_first_row(const AwWindow *w, bool by_end, int64 limit_us, int64 *ts_us)
{
	bool		is_cumulate = w->kind == AW_KIND_CUMULATE;
	int64		step_us = (by_end && is_cumulate) ? w->step_us : w->stride_us;
	int64		origin_us = w->origin_us + ((by_end && !is_cumulate) ? w->size_us % step_us : 0);
	int64		boundary;

	/* The least start or end that there is at or after the limit. */
	if (pg_sub_s64_overflow(limit_us, 1, &limit_us) ||
		!round_down(limit_us, origin_us, step_us, &boundary) ||
		pg_add_s64_overflow(boundary, step_us, &boundary))
		return false;

	if (by_end && is_cumulate)
		return round_down(boundary - 1, w->origin_us, w->size_us, ts_us);
	return !pg_sub_s64_overflow(boundary, by_end ? w->size_us : 0, ts_us);
}

/*
 * Greatest time that a row of a window can have which starts, or ends if by_end,
 * at the limit or earlier; false if that leaves int64.
 */
bool
aw_window_last_row(const AwWindow *w, bool by_end, int64 limit_us, int64 *ts_us)
{
	bool		is_cumulate = w->kind == AW_KIND_CUMULATE;
	int64		step_us = (by_end && is_cumulate) ? w->step_us : w->stride_us;
	int64		origin_us = w->origin_us + ((by_end && !is_cumulate) ? w->size_us % step_us : 0);
	int64		boundary;

	return round_down(limit_us, origin_us, step_us, &boundary) &&
		!pg_add_s64_overflow(boundary, (by_end ? 0 : w->size_us) - 1, ts_us);
}

/*
 * Is ts in the session whose last row so far is last, ts being no earlier?
 *
 * Rows exactly one gap apart are, though a session ends one gap after its last
 * row: the end is exclusive, and merging comes first.
 */
bool
aw_window_same_session(int64 last_us, int64 ts_us, int64 gap_us)
{
	int64		distance;

	return !pg_sub_s64_overflow(ts_us, last_us, &distance) && distance <= gap_us;
}

/* TUMBLE is a HOP that slides by its size. */
static bool
walk_hop(const AwWindow *w, int64 ts_us, AwWindowWalk *walk)
{
	int64		last_start;
	int64		last_end;
	int64		age_us;

	if (!round_down(ts_us, w->origin_us, w->stride_us, &last_start) ||
		pg_add_s64_overflow(last_start, w->size_us, &last_end))
		return false;

	/* Starts at last_start - n * stride hold ts while age + n * stride < size. */
	age_us = ts_us - last_start;
	walk->n_left = (age_us < w->size_us) ? (w->size_us - 1 - age_us) / w->stride_us + 1 : 0;
	walk->start_step_us = w->stride_us;
	walk->end_step_us = w->stride_us;

	if (walk->n_left == 0)
		return true;

	/* (n_left - 1) * stride < size, so only the start can leave int64. */
	if (pg_sub_s64_overflow(last_start, (walk->n_left - 1) * w->stride_us,
							&walk->span.start_us))
		return false;
	walk->span.end_us = last_end - (walk->n_left - 1) * w->stride_us;
	return true;
}

static bool
walk_cumulate(const AwWindow *w, int64 ts_us, AwWindowWalk *walk)
{
	int64		start;
	int64		last_end;
	int64		n_before;

	if (!round_down(ts_us, w->origin_us, w->size_us, &start) ||
		pg_add_s64_overflow(start, w->size_us, &last_end))
		return false;

	/* Ends at start + (n + 1) * step; those at or before ts do not hold it. */
	n_before = (ts_us - start) / w->step_us;
	walk->span.start_us = start;
	walk->span.end_us = start + (n_before + 1) * w->step_us;
	walk->start_step_us = 0;
	walk->end_step_us = w->step_us;
	walk->n_left = w->size_us / w->step_us - n_before;
	return true;
}

/*
 * Greatest origin + n * width at or before ts; false if it leaves int64.
 *
 * C division truncates, hence the correction for times before the origin.
 */
static bool
round_down(int64 ts_us, int64 origin_us, int64 width_us, int64 *result)
{
	int64		distance;
	int64		remainder;

	if (pg_sub_s64_overflow(ts_us, origin_us, &distance))
		return false;

	remainder = distance % width_us;
	if (remainder < 0)
		remainder += width_us;

	return !pg_sub_s64_overflow(ts_us, remainder, result);
}

static int64
greatest_common_divisor(int64 a, int64 b)
{
	while (b != 0)
	{
		int64		remainder = a % b;

		a = b;
		b = remainder;
	}
	return a;
}
