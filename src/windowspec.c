/*
 * windowspec.c
 *
 * From window arguments to windows: the one place that words what is wrong with
 * an argument, and the one that joins the arithmetic of window.c with the wall
 * clock of timevalue.c.
 *
 * A row at infinity has one window, which starts and ends at that infinity, as
 * date_bin() and date_trunc() do; nothing else is in it.  A window that would
 * start or end outside the range of timestamps is an error, never a wrapped
 * value.  The time zone is the session's at the time of the row.
 */
#include "postgres.h"

#include "common/int.h"
#include "optimizer/optimizer.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "timevalue.h"
#include "windowspec.h"

const Interval aw_windowspec_no_offset = {0};

static bool constant_interval(Node *node, const Interval **interval);
static int64 length_us(const Interval *interval, const char *what);
static void report_fault(AwWindowFault fault, const AwWindowArgs *args);
static const char *step_name(AwWindowKind kind);
static char *interval_text(const Interval *interval);
static bool offset_around(const AwWindowSpec *spec, Timestamp limit, int64 *offset_us,
						  int64 *change_us);
static int64 to_wall(AwWindowSpec *spec, Timestamp ts);
static AwSpan to_instants(AwWindowSpec *spec, AwSpan wall);
static void report_out_of_range(void);

/* Fills *window; raises an error that names the argument at fault, NULL included. */
void
aw_windowspec_window(AwWindow *window, const AwWindowArgs *args)
{
	int64		size_us = length_us(args->size, "size");
	int64		step_us = (args->kind == AW_KIND_TUMBLE) ? size_us :
		length_us(args->step, step_name(args->kind));
	int64		offset_us = length_us(args->offset, "offset");
	AwWindowFault fault = aw_window_init(window, args->kind, size_us, step_us, offset_us);

	if (fault != AW_FAULT_NONE)
		report_fault(fault, args);
}

/*
 * Fills *window from argument expressions if all are constants, false otherwise:
 * then errors are raised by planning, and by EXPLAIN.  step is NULL for TUMBLE,
 * offset where the call gives none.
 */
bool
aw_windowspec_constants(AwWindow *window, AwWindowKind kind, Node *size, Node *step,
						Node *offset)
{
	AwWindowArgs args = {.kind = kind};

	args.offset = &aw_windowspec_no_offset;
	if (!constant_interval(size, &args.size) ||
		(offset != NULL && !constant_interval(offset, &args.offset)))
		return false;
	if (kind != AW_KIND_TUMBLE && !constant_interval(step, &args.step))
		return false;

	aw_windowspec_window(window, &args);
	return true;
}

/* A session's gap in microseconds; raises an error for one that is none. */
int64
aw_windowspec_gap(const Interval *gap)
{
	int64		gap_us = length_us(gap, "gap");

	if (gap_us <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("window gap must be positive"),
				 errdetail("The gap is %s.", interval_text(gap))));
	if (gap_us < AW_WINDOW_MIN_US)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("window gap must be at least 1 millisecond"),
				 errdetail("The gap is %s.", interval_text(gap))));
	return gap_us;
}

/*
 * Checks a gap as an expression: it must be the same for all rows of a query,
 * and if it is a constant, planning raises its errors.
 */
void
aw_windowspec_check_gap(Node *gap)
{
	const Interval *interval;

	if (contain_vars_of_level(gap, 0) || contain_volatile_functions(gap))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("session gap must not depend on the row")));

	if (constant_interval(gap, &interval))
		(void) aw_windowspec_gap(interval);
}

/* Checks an interval that is a constant and says how long to wait for something. */
void
aw_windowspec_constant_delay(Node *delay, const char *what)
{
	const Interval *interval;

	if (constant_interval(delay, &interval) && length_us(interval, what) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("window %s must not be negative", what),
				 errdetail("The %s is %s.", what, interval_text(interval))));
}

/* Makes *spec ready for rows, in the current memory context. */
void
aw_windowspec_init(AwWindowSpec *spec, const AwWindowArgs *args, bool is_zoned)
{
	aw_windowspec_window(&spec->window, args);
	spec->is_zoned = is_zoned;
	spec->clock = NULL;
	spec->cxt = CurrentMemoryContext;
}

/* Gives back the memory of a spec. */
void
aw_windowspec_release(AwWindowSpec *spec)
{
	if (spec->clock != NULL)
		aw_timevalue_clock_free(spec->clock);
	spec->clock = NULL;
}

/* Raises an error if a row can be in more than max_windows windows. */
void
aw_windowspec_limit(const AwWindowSpec *spec, int max_windows)
{
	int64		n_windows = aw_window_max_per_row(&spec->window);

	if (n_windows > max_windows)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a row would be put into %lld windows", (long long) n_windows),
				 errdetail("apply_watermark.max_windows_per_row is %d.", max_windows),
				 errhint("Choose a longer %s, or raise apply_watermark.max_windows_per_row.",
						 step_name(spec->window.kind))));
}

/* The window of a row under TUMBLE. */
AwSpan
aw_windowspec_tumble(AwWindowSpec *spec, Timestamp ts)
{
	AwWindowWalk walk;
	AwSpan		span;

	Assert(spec->window.kind == AW_KIND_TUMBLE);
	aw_windowspec_walk(spec, ts, &walk);
	if (!aw_windowspec_next(spec, &walk, &span))
		elog(ERROR, "a row has no tumbling window");
	return span;
}

/*
 * Starts over the windows of a row.  Until the walk is done, no other walk may
 * use the same spec.
 */
void
aw_windowspec_walk(AwWindowSpec *spec, Timestamp ts, AwWindowWalk *walk)
{
	spec->previous.start_us = spec->previous.end_us = 0;
	if (TIMESTAMP_NOT_FINITE(ts))
	{
		walk->span.start_us = ts;
		walk->span.end_us = ts;
		walk->n_left = 1;
		return;
	}

	if (!aw_window_walk(&spec->window, to_wall(spec, ts), walk))
		report_out_of_range();
}

/*
 * The next window of the row, as instants; false when there is none left.
 *
 * Steps of CUMULATE that end in an hour that the clock skips all end at the jump:
 * that is one window.
 */
bool
aw_windowspec_next(AwWindowSpec *spec, AwWindowWalk *walk, AwSpan *span)
{
	while (aw_window_next(walk, span))
	{
		if (TIMESTAMP_NOT_FINITE(span->start_us))
			return true;

		if (spec->is_zoned)
			*span = to_instants(spec, *span);
		if (!IS_VALID_TIMESTAMP(span->start_us) || !IS_VALID_TIMESTAMP(span->end_us))
			report_out_of_range();

		if (span->start_us == spec->previous.start_us && span->end_us == spec->previous.end_us)
			continue;
		spec->previous = *span;
		return true;
	}
	return false;
}

/*
 * A window of the walk as it was begun, by its number from 0, without moving.  In the
 * order of numbers neither starts nor ends fall.
 */
AwSpan
aw_windowspec_nth(AwWindowSpec *spec, const AwWindowWalk *walk, int64 n)
{
	AwSpan		span = walk->span;

	Assert(n >= 0 && n < walk->n_left);
	if (TIMESTAMP_NOT_FINITE(span.start_us))
		return span;

	span.start_us += n * walk->start_step_us;
	span.end_us += n * walk->end_step_us;
	if (spec->is_zoned)
		span = to_instants(spec, span);
	if (!IS_VALID_TIMESTAMP(span.start_us) || !IS_VALID_TIMESTAMP(span.end_us))
		report_out_of_range();
	return span;
}

/*
 * The first and the last window of a finite time, and how many there are; false if one
 * of them is out of range.
 */
bool
aw_windowspec_ends(AwWindowSpec *spec, Timestamp ts, AwSpan *first, AwSpan *last,
				   int64 *n_windows)
{
	AwWindowWalk walk;
	int64		n_steps;

	Assert(!TIMESTAMP_NOT_FINITE(ts));
	if (!aw_window_walk(&spec->window, to_wall(spec, ts), &walk))
		return false;
	*n_windows = walk.n_left;
	if (walk.n_left == 0)
		return true;

	n_steps = walk.n_left - 1;
	*first = *last = walk.span;
	last->start_us += n_steps * walk.start_step_us;
	last->end_us += n_steps * walk.end_step_us;
	if (spec->is_zoned)
	{
		*first = to_instants(spec, *first);
		*last = to_instants(spec, *last);
	}
	return IS_VALID_TIMESTAMP(first->start_us) && IS_VALID_TIMESTAMP(last->end_us);
}

/*
 * The slice of a finite time: no window that it is in starts or ends inside of it.
 * False if that leaves int64.
 */
bool
aw_windowspec_slice(AwWindowSpec *spec, Timestamp ts, AwSpan *span)
{
	int64		wall_us = to_wall(spec, ts);

	if (!aw_window_slice_start(&spec->window, wall_us, &span->start_us) ||
		!aw_window_slice_end(&spec->window, wall_us, &span->end_us))
		return false;
	if (spec->is_zoned)
		*span = to_instants(spec, *span);
	return true;
}

/*
 * A time before which there is no row of a window that starts, or ends if by_end, at
 * the limit or later: the greatest one known, -infinity if none is.
 *
 * Around a change of clocks a window may be as much longer as the change is.
 */
Timestamp
aw_windowspec_first_row(const AwWindowSpec *spec, bool by_end, Timestamp limit)
{
	int64		offset_us = 0;
	int64		change_us = 0;
	int64		ts;

	if (TIMESTAMP_NOT_FINITE(limit))
		return limit;

	if (!spec->is_zoned || offset_around(spec, limit, &offset_us, &change_us))
	{
		if (!aw_window_first_row(&spec->window, by_end, limit + offset_us, &ts))
			TIMESTAMP_NOBEGIN(ts);
		else
			ts -= offset_us;
	}
	else if (pg_sub_s64_overflow(limit, by_end ? spec->window.size_us : 0, &ts) ||
			 pg_sub_s64_overflow(ts, by_end ? change_us : 0, &ts))
		TIMESTAMP_NOBEGIN(ts);

	if (!IS_VALID_TIMESTAMP(ts))
		TIMESTAMP_NOBEGIN(ts);
	return ts;
}

/*
 * A time after which there is no row of a window that starts, or ends if by_end, at
 * the limit or earlier: the least one known, infinity if none is.
 */
Timestamp
aw_windowspec_last_row(const AwWindowSpec *spec, bool by_end, Timestamp limit)
{
	int64		offset_us = 0;
	int64		change_us = 0;
	int64		ts;

	if (TIMESTAMP_NOT_FINITE(limit))
		return limit;

	if (!spec->is_zoned || offset_around(spec, limit, &offset_us, &change_us))
	{
		if (!aw_window_last_row(&spec->window, by_end, limit + offset_us, &ts))
			TIMESTAMP_NOEND(ts);
		else
			ts -= offset_us;
	}
	else if (pg_add_s64_overflow(limit - 1, by_end ? 0 : spec->window.size_us, &ts) ||
			 pg_add_s64_overflow(ts, by_end ? 0 : change_us, &ts))
		TIMESTAMP_NOEND(ts);

	if (!IS_VALID_TIMESTAMP(ts))
		TIMESTAMP_NOEND(ts);
	return ts;
}

/* The value of a constant, NULL if that is its value; false if it is none. */
static bool
constant_interval(Node *node, const Interval **interval)
{
	Const	   *constant = (Const *) node;

	if (!IsA(node, Const))
		return false;
	*interval = constant->constisnull ? NULL : DatumGetIntervalP(constant->constvalue);
	return true;
}

/* An argument's length; raises an error for NULL and for months. */
static int64
length_us(const Interval *interval, const char *what)
{
	int64		us;

	if (interval == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("window %s must not be null", what)));

	if (INTERVAL_NOT_FINITE(interval))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("window %s must be finite", what)));

	if (interval->month != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("window %s must not contain months or years", what),
				 errdetail("The %s is %s, and months differ in length.",
						   what, interval_text(interval)),
				 errhint("Write it in days, for example INTERVAL '30' DAY.")));

	if (!aw_timevalue_interval_us(interval, &us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("window %s is out of range", what)));
	return us;
}

static void
report_fault(AwWindowFault fault, const AwWindowArgs *args)
{
	const char *step = step_name(args->kind);

	switch (fault)
	{
		case AW_FAULT_NONE:
			break;
		case AW_FAULT_SIZE_NOT_POSITIVE:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("window size must be positive"),
					 errdetail("Size is %s.", interval_text(args->size))));
			break;
		case AW_FAULT_SIZE_TOO_SHORT:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("window size must be at least 1 millisecond"),
					 errdetail("Size is %s.", interval_text(args->size))));
			break;
		case AW_FAULT_STEP_NOT_POSITIVE:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("window %s must be positive", step),
					 errdetail("The %s is %s.", step, interval_text(args->step))));
			break;
		case AW_FAULT_STEP_TOO_SHORT:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("window %s must be at least 1 millisecond", step),
					 errdetail("The %s is %s.", step, interval_text(args->step))));
			break;
		case AW_FAULT_STEP_NOT_DIVISOR:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("window size is not a multiple of its step"),
					 errdetail("Size is %s, step is %s.",
							   interval_text(args->size), interval_text(args->step)),
					 errhint("Choose a step that divides the size.")));
			break;
		case AW_FAULT_OFFSET_TOO_LARGE:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("window offset must be shorter than the window size"),
					 errdetail("Offset is %s, size is %s.",
							   interval_text(args->offset), interval_text(args->size)),
					 errhint("Offsets that differ by a whole size give the same windows.")));
			break;
	}
}

/* What the distance between windows is called. */
static const char *
step_name(AwWindowKind kind)
{
	return kind == AW_KIND_CUMULATE ? "step" : "slide";
}

static char *
interval_text(const Interval *interval)
{
	return DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(interval)));
}

/*
 * Has the zone one offset from UTC around the limit, so far that no window beyond
 * can matter?  If not, *change_us is by how much its offsets differ there.
 */
static bool
offset_around(const AwWindowSpec *spec, Timestamp limit, int64 *offset_us, int64 *change_us)
{
	int64		reach_us;
	int64		from_us;
	int64		to_us;
	int64		greatest_us;

	*offset_us = 0;
	*change_us = 2 * AW_TIMEVALUE_MAX_ZONE_US;
	if (pg_add_s64_overflow(spec->window.size_us, spec->window.stride_us, &reach_us) ||
		pg_add_s64_overflow(reach_us, 4 * AW_TIMEVALUE_MAX_ZONE_US, &reach_us) ||
		pg_sub_s64_overflow(limit, reach_us, &from_us) ||
		pg_add_s64_overflow(limit, reach_us, &to_us))
		return false;

	aw_timevalue_offsets(session_timezone, from_us, to_us, offset_us, &greatest_us);
	*change_us = greatest_us - *offset_us;
	return *change_us == 0;
}

/* The row's time on the clock on which windows are cut. */
static int64
to_wall(AwWindowSpec *spec, Timestamp ts)
{
	if (!spec->is_zoned)
		return ts;

	if (!aw_timevalue_clock_is_for(spec->clock, session_timezone))
	{
		MemoryContext caller = MemoryContextSwitchTo(spec->cxt);

		aw_windowspec_release(spec);
		spec->clock = aw_timevalue_clock_create(session_timezone, spec->window.stride_us,
												spec->window.size_us);
		MemoryContextSwitchTo(caller);
	}
	return aw_timevalue_clock_read(spec->clock, ts);
}

static AwSpan
to_instants(AwWindowSpec *spec, AwSpan wall)
{
	AwSpan		span;

	span.start_us = aw_timevalue_clock_start(spec->clock, wall.start_us);
	span.end_us = aw_timevalue_clock_end(spec->clock, wall.end_us);
	return span;
}

static void
report_out_of_range(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range"),
			 errdetail("A window of the row would start or end outside the range of timestamps.")));
}
