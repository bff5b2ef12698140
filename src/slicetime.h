/*
 * slicetime.h
 *
 * From the time of a row to its slice.
 */
#ifndef AW_SLICETIME_H
#define AW_SLICETIME_H

#include "slicestore.h"
#include "windowspec.h"

/* How time is cut, and the slice of the last row. */
typedef struct AwSliceTime
{
	AwWindowSpec spec;
	bool		is_window;		/* a slice is a window */
	bool		is_start;		/* rows have the start of their window */
	bool		is_bin;			/* windows are those of date_bin() */
	int			max_windows;	/* that a row may be in */
	AwSpan		span;			/* of the last row's slice; empty if there is none */
	bool		is_in_window;
} AwSliceTime;

extern void aw_slicetime_reset(AwSliceTime *time);
extern bool aw_slicetime_find(AwSliceTime *time, Datum value, bool isnull, AwSpan *span);
extern bool aw_slicetime_next_window(void *arg, int64 ts_us, const AwSpan *after, AwSpan *span);

#endif							/* AW_SLICETIME_H */
