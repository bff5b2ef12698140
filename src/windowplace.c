/*
 * windowplace.c
 *
 * Finds the slice and the windows of a row by its time.  Rows come about in the order
 * of time, so one that is in the slice of the row before costs a comparison.
 *
 * The time zone is the session's, and must be the same for all rows.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "windowplace.h"

static AwPlaceKind find(AwWindowPlaces *places, Timestamp ts);
static bool next_window(void *arg, int64 ts_us, const AwSpan *after, AwSpan *window);
static int64 find_after(AwWindowPlaces *places, int64 ts_us, const AwSpan *after,
						AwWindowWalk *walk);
static AwSpan last_window(void *arg, int64 ts_us);

/* Makes *places ready for rows, in the current memory context. */
void
aw_windowplace_init(AwWindowPlaces *places, const AwWindow *window, bool is_zoned)
{
	memset(places, 0, sizeof(AwWindowPlaces));
	places->spec.window = *window;
	places->spec.is_zoned = is_zoned;
	places->spec.cxt = CurrentMemoryContext;
}

/* The place of a row, whose time must be finite; set if it is in windows. */
AwPlaceKind
aw_windowplace_find(AwWindowPlaces *places, Timestamp ts, AwPlace *place)
{
	if (ts < places->place.slice.start_us || ts >= places->place.slice.end_us)
		places->kind = find(places, ts);
	*place = places->place;
	return places->kind;
}

/* The last window of a time that ends there or before; its first one does. */
AwSpan
aw_windowplace_last_until(AwWindowPlaces *places, Timestamp ts, int64 end_us)
{
	AwSpan		after = {PG_INT64_MAX, end_us};
	AwWindowWalk walk;
	int64		n = find_after(places, ts, &after, &walk);

	Assert(n > 0);
	return aw_windowspec_nth(&places->spec, &walk, n - 1);
}

/* Finds windows of times that have a place, for a state. */
AwWindowFinder
aw_windowplace_finder(AwWindowPlaces *places)
{
	AwWindowFinder finder = {.next = next_window,.last = last_window,.arg = places};

	return finder;
}

/* The place of a row that is not in the slice of the row before. */
static AwPlaceKind
find(AwWindowPlaces *places, Timestamp ts)
{
	AwPlace    *place = &places->place;
	int64		n_windows;

	if (!aw_windowspec_slice(&places->spec, ts, &place->slice) ||
		!aw_windowspec_ends(&places->spec, ts, &place->first, &place->last, &n_windows))
	{
		place->slice.start_us = place->slice.end_us = 0;
		return AW_PLACE_OUT_OF_RANGE;
	}
	return n_windows > 0 ? AW_PLACE_IN_WINDOWS : AW_PLACE_IN_NONE;
}

/* The first window of a time after another; false if there is none. */
static bool
next_window(void *arg, int64 ts_us, const AwSpan *after, AwSpan *window)
{
	AwWindowPlaces *places = arg;
	AwWindowWalk walk;
	int64		n = find_after(places, ts_us, after, &walk);

	if (n == walk.n_left)
		return false;
	*window = aw_windowspec_nth(&places->spec, &walk, n);
	return true;
}

/*
 * The number of the first window of a time after another, in the order of ends, then
 * of starts; begins the walk over all of them.
 */
static int64
find_after(AwWindowPlaces *places, int64 ts_us, const AwSpan *after, AwWindowWalk *walk)
{
	int64		first = 0;
	int64		end;

	aw_windowspec_walk(&places->spec, ts_us, walk);
	end = walk->n_left;
	while (first < end)
	{
		int64		middle = first + (end - first) / 2;
		AwSpan		window = aw_windowspec_nth(&places->spec, walk, middle);

		if (window.end_us > after->end_us ||
			(window.end_us == after->end_us && window.start_us > after->start_us))
			end = middle;
		else
			first = middle + 1;
	}
	return first;
}

static AwSpan
last_window(void *arg, int64 ts_us)
{
	AwWindowPlaces *places = arg;
	AwSpan		first;
	AwSpan		last;
	int64		n_windows;

	if (!aw_windowspec_ends(&places->spec, ts_us, &first, &last, &n_windows) || n_windows == 0)
		elog(ERROR, "a slice is in no window");
	return last;
}
