/*
 * timevalue.h
 *
 * Intervals and the wall clock of a time zone as int64 microseconds.
 * Instants count from 2000-01-01 00:00 UTC, wall clock readings from
 * 2000-01-01 00:00 on the clock of the zone.
 */
#ifndef AW_TIMEVALUE_H
#define AW_TIMEVALUE_H

#include "datatype/timestamp.h"
#include "pgtime.h"

/* No zone was ever further from UTC than this. */
#define AW_TIMEVALUE_MAX_ZONE_US	(INT64CONST(2) * USECS_PER_DAY)

typedef struct AwWallClock AwWallClock;

/* Length in microseconds, a day being 24 hours; false for months and overflow. */
extern bool aw_timevalue_interval_us(const Interval *interval, int64 *us);

/*
 * A clock for windows that start one stride apart on the wall and are at most
 * size long.  Lives in the current memory context.
 */
extern AwWallClock *aw_timevalue_clock_create(pg_tz *zone, int64 stride_us, int64 size_us);
extern void aw_timevalue_clock_free(AwWallClock *clock);
extern bool aw_timevalue_clock_is_for(const AwWallClock *clock, const pg_tz *zone);

/* What the wall clock shows at an instant, see timevalue.c on repeated hours. */
extern int64 aw_timevalue_clock_read(AwWallClock *clock, int64 instant_us);

/*
 * The instants at which a window that holds the instant last read starts and
 * ends, from their readings: start at or before its reading, end after it.
 */
extern int64 aw_timevalue_clock_start(const AwWallClock *clock, int64 wall_us);
extern int64 aw_timevalue_clock_end(const AwWallClock *clock, int64 wall_us);

/* The least and the greatest offset from UTC that a zone has between two instants. */
extern void aw_timevalue_offsets(pg_tz *zone, int64 from_us, int64 to_us,
								 int64 *least_us, int64 *greatest_us);

#endif							/* AW_TIMEVALUE_H */
