/*
 * watermark.h
 *
 * A watermark as a small value: microseconds since 2000-01-01 00:00.
 */
#ifndef AW_WATERMARK_H
#define AW_WATERMARK_H

/* All zeroes is the watermark before the first row. */
typedef struct AwWatermark
{
	bool		is_set;
	int64		time_us;
} AwWatermark;

extern void aw_watermark_advance(AwWatermark *watermark, int64 strategy_us);

#endif							/* AW_WATERMARK_H */
