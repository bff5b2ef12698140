/*
 * watermark.c
 *
 * How far event time has come: the greatest strategy value so far.
 *
 * A watermark never falls.  A row meets the watermark of the rows before it, so
 * callers judge the row first and advance afterwards.  NULL and infinite
 * strategy values are not times, and must not be given.
 */
#include "postgres.h"

#include "watermark.h"

void
aw_watermark_advance(AwWatermark *watermark, int64 strategy_us)
{
	if (watermark->is_set && strategy_us <= watermark->time_us)
		return;

	watermark->is_set = true;
	watermark->time_us = strategy_us;
}
