/*
 * timevalue.c
 *
 * Intervals, and windows on the wall clock of a time zone.
 *
 * Windows on timestamptz are cut on the wall clock, yet are spans of instants:
 * disjoint where they should be, without gaps, start <= row < end always.  What
 * that means where the clock is changed:
 *
 *	 forward   Readings that the clock skips happen at the jump: a boundary in
 *	           the skipped hour falls on it.  A day has 23 hours.
 *	 back      If the change repeats whole strides (hourly windows, an hour put
 *	           back), the repeated time is new time: its windows come twice, and
 *	           windows over it keep their length.  Otherwise the clock counts as
 *	           stopped just before the change until it has caught up, so that
 *	           the repeated hour belongs to the windows open then: a day has 25
 *	           hours, also where it is midnight that is passed twice.
 *
 * A zone is a list of stretches with one offset from UTC.  The clock keeps
 * those around the rows that it is asked about; within one stretch a conversion
 * is one addition.  aw_timevalue_clock_read() must come first: the other two
 * work from the stretch that it found.
 */
#include "postgres.h"

#include "common/int.h"
#include "miscadmin.h"
#include "utils/timestamp.h"

#include "timevalue.h"

/* Stretches are loaded for so much more than a row's windows need. */
#define LOAD_AHEAD_US	(INT64CONST(366) * USECS_PER_DAY)

/* How far apart two instants may be whose offsets are compared one by one. */
#define MAX_LOOK_US		(INT64CONST(100 * 366) * USECS_PER_DAY)

#define EPOCH_DIFFERENCE_SECS \
	((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (int64) SECS_PER_DAY)

/* Instants from start_us to the next stretch: wall clock = instant + offset. */
typedef struct ZoneStretch
{
	int64		start_us;
	int64		offset_us;
} ZoneStretch;

struct AwWallClock
{
	pg_tz	   *zone;
	int64		stride_us;
	int64		size_us;
	int64		loaded_from_us;
	int64		loaded_to_us;
	ZoneStretch *stretches;		/* ascending, palloc'd with the clock */
	int			n_stretches;
	int			n_allocated;
	int			current;		/* the one that holds the instant last read */
	MemoryContext cxt;
};

static void load_stretches(AwWallClock *clock, int64 instant_us);
static void append_stretch(AwWallClock *clock, int64 start_us, int64 offset_us);
static bool repeats_whole_strides(const AwWallClock *clock, int stretch);
static int64 put_back_us(const AwWallClock *clock, int stretch);
static int64 saturating_add(int64 a, int64 b);
static pg_time_t instant_to_seconds(int64 instant_us);

bool
aw_timevalue_interval_us(const Interval *interval, int64 *us)
{
	int64		days_us;

	return interval->month == 0 &&
		!pg_mul_s64_overflow(interval->day, USECS_PER_DAY, &days_us) &&
		!pg_add_s64_overflow(days_us, interval->time, us);
}

AwWallClock *
aw_timevalue_clock_create(pg_tz *zone, int64 stride_us, int64 size_us)
{
	AwWallClock *clock = palloc0(sizeof(AwWallClock));

	clock->zone = zone;
	clock->stride_us = stride_us;
	clock->size_us = size_us;
	clock->loaded_from_us = PG_INT64_MAX;
	clock->loaded_to_us = PG_INT64_MIN;
	clock->cxt = CurrentMemoryContext;
	return clock;
}

void
aw_timevalue_clock_free(AwWallClock *clock)
{
	if (clock->stretches != NULL)
		pfree(clock->stretches);
	pfree(clock);
}

bool
aw_timevalue_clock_is_for(const AwWallClock *clock, const pg_tz *zone)
{
	return clock != NULL && clock->zone == zone;
}

/*
 * The wall clock's reading at an instant: never falls as instants rise, but for
 * where whole strides are repeated.
 */
int64
aw_timevalue_clock_read(AwWallClock *clock, int64 instant_us)
{
	const ZoneStretch *stretch;

	if (instant_us < clock->loaded_from_us || instant_us >= clock->loaded_to_us)
		load_stretches(clock, instant_us);

	while (instant_us < clock->stretches[clock->current].start_us)
		clock->current--;
	while (clock->current + 1 < clock->n_stretches &&
		   instant_us >= clock->stretches[clock->current + 1].start_us)
		clock->current++;

	stretch = &clock->stretches[clock->current];
	if (instant_us - stretch->start_us < put_back_us(clock, clock->current) &&
		!repeats_whole_strides(clock, clock->current))
		return stretch->start_us + stretch[-1].offset_us - 1;

	return instant_us + stretch->offset_us;
}

/*
 * Walks back from the stretch of the row to the one in which the clock showed
 * wall_us, the start of one of the row's windows.
 */
int64
aw_timevalue_clock_start(const AwWallClock *clock, int64 wall_us)
{
	for (int i = clock->current; i > 0; i--)
	{
		const ZoneStretch *stretch = &clock->stretches[i];
		int64		back_us = put_back_us(clock, i);
		int64		instant_us = wall_us - stretch->offset_us;

		if (back_us > 0 && repeats_whole_strides(clock, i))
		{
			if (instant_us >= stretch->start_us)
				return instant_us;
			wall_us += back_us;
		}
		else if (back_us > 0)
		{
			if (instant_us >= stretch->start_us + back_us)
				return instant_us;
		}
		else
		{
			if (instant_us >= stretch->start_us)
				return instant_us;
			if (wall_us >= stretch->start_us + stretch[-1].offset_us)
				return stretch->start_us;
		}
	}
	return wall_us - clock->stretches[0].offset_us;
}

/*
 * Walks on from the stretch of the row to the one in which the clock shows
 * wall_us, the end of one of the row's windows.
 */
int64
aw_timevalue_clock_end(const AwWallClock *clock, int64 wall_us)
{
	for (int i = clock->current; i + 1 < clock->n_stretches; i++)
	{
		const ZoneStretch *next = &clock->stretches[i + 1];
		int64		back_us = put_back_us(clock, i + 1);
		int64		instant_us = wall_us - clock->stretches[i].offset_us;

		if (instant_us < next->start_us)
			return instant_us;

		if (back_us > 0 && repeats_whole_strides(clock, i + 1))
		{
			if (instant_us == next->start_us)
				return instant_us;
			wall_us -= back_us;
		}
		else if (back_us == 0 && wall_us < next->start_us + next->offset_us)
			return next->start_us;
	}
	return wall_us - clock->stretches[clock->n_stretches - 1].offset_us;
}

/*
 * Looks at each change of the clock in between.  Over more than a lifetime, the
 * answer is what no zone exceeds.
 */
void
aw_timevalue_offsets(pg_tz *zone, int64 from_us, int64 to_us, int64 *least_us,
					 int64 *greatest_us)
{
	int64		span_us;
	pg_time_t	from = instant_to_seconds(from_us);
	pg_time_t	to = instant_to_seconds(to_us);

	*least_us = PG_INT64_MAX;
	*greatest_us = PG_INT64_MIN;

	while (!pg_sub_s64_overflow(to_us, from_us, &span_us) && span_us < MAX_LOOK_US)
	{
		long		before_offset;
		long		after_offset;
		int			before_isdst;
		int			after_isdst;
		pg_time_t	boundary;
		int			found = pg_next_dst_boundary(&from, &before_offset, &before_isdst, &boundary,
												 &after_offset, &after_isdst, zone);

		if (found < 0)
			break;
		*least_us = Min(*least_us, before_offset * USECS_PER_SEC);
		*greatest_us = Max(*greatest_us, before_offset * USECS_PER_SEC);
		if (found == 0 || boundary > to)
			return;
		from = boundary;
	}

	*least_us = -AW_TIMEVALUE_MAX_ZONE_US;
	*greatest_us = AW_TIMEVALUE_MAX_ZONE_US;
}

/*
 * Loads the stretches around an instant: all that its windows can touch, and
 * some more for the rows that follow.
 */
static void
load_stretches(AwWallClock *clock, int64 instant_us)
{
	int64		reach_us = saturating_add(clock->size_us, AW_TIMEVALUE_MAX_ZONE_US);
	int64		from_us = saturating_add(instant_us, -saturating_add(reach_us, LOAD_AHEAD_US));
	int64		to_us = saturating_add(instant_us, saturating_add(reach_us, LOAD_AHEAD_US));
	int64		start_us = from_us;
	long		before_offset;
	long		after_offset;
	int			before_isdst;
	int			after_isdst;

	clock->n_stretches = 0;
	clock->current = 0;

	for (;;)
	{
		pg_time_t	from = instant_to_seconds(start_us);
		pg_time_t	boundary;
		int			found;

		CHECK_FOR_INTERRUPTS();
		found = pg_next_dst_boundary(&from, &before_offset, &before_isdst, &boundary,
									 &after_offset, &after_isdst, clock->zone);
		if (found < 0)
			elog(ERROR, "could not determine the offset of time zone \"%s\"",
				 pg_get_timezone_name(clock->zone));

		append_stretch(clock, start_us, before_offset * USECS_PER_SEC);
		if (found == 0 || boundary >= instant_to_seconds(to_us))
			break;
		start_us = (boundary - EPOCH_DIFFERENCE_SECS) * USECS_PER_SEC;
	}

	clock->loaded_from_us = saturating_add(from_us, reach_us);
	clock->loaded_to_us = saturating_add(to_us, -reach_us);
}

/* Boundaries at which only the zone's abbreviation changes are left out. */
static void
append_stretch(AwWallClock *clock, int64 start_us, int64 offset_us)
{
	if (clock->n_stretches > 0 &&
		clock->stretches[clock->n_stretches - 1].offset_us == offset_us)
		return;

	if (clock->stretches == NULL)
	{
		clock->n_allocated = 8;
		clock->stretches = MemoryContextAlloc(clock->cxt,
											  clock->n_allocated * sizeof(ZoneStretch));
	}
	else if (clock->n_stretches == clock->n_allocated)
	{
		clock->n_allocated *= 2;
		clock->stretches = repalloc(clock->stretches,
									clock->n_allocated * sizeof(ZoneStretch));
	}

	clock->stretches[clock->n_stretches].start_us = start_us;
	clock->stretches[clock->n_stretches].offset_us = offset_us;
	clock->n_stretches++;
}

/* By how much the clock was put back where a stretch starts; 0 if it was not. */
static int64
put_back_us(const AwWallClock *clock, int stretch)
{
	if (stretch == 0)
		return 0;
	return Max(clock->stretches[stretch - 1].offset_us - clock->stretches[stretch].offset_us, 0);
}

/* Does the change at the start of a stretch repeat whole strides? */
static bool
repeats_whole_strides(const AwWallClock *clock, int stretch)
{
	return put_back_us(clock, stretch) % clock->stride_us == 0;
}

static int64
saturating_add(int64 a, int64 b)
{
	int64		sum;

	if (pg_add_s64_overflow(a, b, &sum))
		return b > 0 ? PG_INT64_MAX : PG_INT64_MIN;
	return sum;
}

/* Seconds since 1970 as the zone functions take them, rounded down. */
static pg_time_t
instant_to_seconds(int64 instant_us)
{
	int64		seconds = instant_us / USECS_PER_SEC;

	if (instant_us % USECS_PER_SEC < 0)
		seconds--;
	return seconds + EPOCH_DIFFERENCE_SECS;
}
