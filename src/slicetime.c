/*
 * slicetime.c
 *
 * Cuts time into slices.  For TUMBLE a slice is a window; for HOP and CUMULATE it is
 * a piece on whose borders alone windows start and end.
 *
 * Rows without a time, at infinity, or whose windows leave the range of timestamps
 * fare as they do without the slice node.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/timestamp.h"

#include "slicetime.h"
#include "timevalue.h"

static void cut(AwSliceTime *time, Timestamp ts);
static void cut_grid(AwSliceTime *time, Timestamp ts);
static void check_windows(AwSliceTime *time, Timestamp ts);
static AwSpan bin_span(const AwWindow *window, Timestamp ts);

/* Forgets the last row. */
void
aw_slicetime_reset(AwSliceTime *time)
{
	time->span.start_us = time->span.end_us = 0;
}

/* The slice of a row; false if it is in no window. */
bool
aw_slicetime_find(AwSliceTime *time, Datum value, bool isnull, AwSpan *span)
{
	Timestamp	ts = DatumGetTimestamp(value);

	if (isnull)
	{
		span->start_us = span->end_us = AW_SLICE_NO_TIME;
		return time->is_window;
	}
	if (ts < time->span.start_us || ts >= time->span.end_us)
	{
		if (!time->is_window)
			aw_windowspec_limit(&time->spec, time->max_windows);
		if (TIMESTAMP_NOT_FINITE(ts))
		{
			span->start_us = span->end_us = ts;
			return true;
		}
		cut(time, ts);
	}
	*span = time->span;
	return time->is_in_window;
}

/*
 * The first window that holds a time, and comes after another if that is given; false
 * if there is none.  Windows are in the order of start and end.
 */
bool
aw_slicetime_next_window(void *arg, int64 ts_us, const AwSpan *after, AwSpan *span)
{
	AwSliceTime *time = arg;
	AwWindowWalk walk;
	int64		first = 0;
	int64		end;

	aw_windowspec_walk(&time->spec, ts_us, &walk);
	end = walk.n_left;
	while (after != NULL && first < end)
	{
		int64		middle = first + (end - first) / 2;

		*span = aw_windowspec_nth(&time->spec, &walk, middle);
		if (span->start_us > after->start_us ||
			(span->start_us == after->start_us && span->end_us > after->end_us))
			end = middle;
		else
			first = middle + 1;
	}
	if (first == walk.n_left)
		return false;
	*span = aw_windowspec_nth(&time->spec, &walk, first);
	return true;
}

/* The slice of a row that is not in that of the row before. */
static void
cut(AwSliceTime *time, Timestamp ts)
{
	time->is_in_window = true;
	if (time->is_start)
	{
		time->span.start_us = ts;
		time->span.end_us = ts + 1;
	}
	else if (time->is_bin)
		time->span = bin_span(&time->spec.window, ts);
	else if (time->is_window)
		time->span = aw_windowspec_tumble(&time->spec, ts);
	else
		cut_grid(time, ts);
}

static void
cut_grid(AwSliceTime *time, Timestamp ts)
{
	if (!aw_windowspec_slice(&time->spec, ts, &time->span))
		time->span.start_us = time->span.end_us = ts;
	check_windows(time, ts);
}

/*
 * Is the slice in any window?  HOP has gaps.  Near the ends of time, raises the
 * error of a window that leaves it.
 */
static void
check_windows(AwSliceTime *time, Timestamp ts)
{
	int64		reach_us = time->spec.window.size_us + AW_TIMEVALUE_MAX_ZONE_US;
	AwWindowWalk walk;
	AwSpan		window;

	aw_windowspec_walk(&time->spec, ts, &walk);
	time->is_in_window = (walk.n_left > 0);
	if (time->span.start_us - MIN_TIMESTAMP <= reach_us ||
		END_TIMESTAMP - time->span.end_us <= reach_us)
	{
		while (aw_windowspec_next(&time->spec, &walk, &window))
			CHECK_FOR_INTERRUPTS();
	}
}

/* The window of date_bin(), whose end may be outside the range of timestamps. */
static AwSpan
bin_span(const AwWindow *window, Timestamp ts)
{
	AwSpan		span;

	if (!aw_window_slice_start(window, ts, &span.start_us) || !IS_VALID_TIMESTAMP(span.start_us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	if (!aw_window_slice_end(window, ts, &span.end_us))
		span.end_us = PG_INT64_MAX;
	return span;
}
