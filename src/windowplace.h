/*
 * windowplace.h
 *
 * Where a row of a continuous query belongs: its slice of time, and its windows.
 */
#ifndef AW_WINDOWPLACE_H
#define AW_WINDOWPLACE_H

#include "state.h"
#include "windowspec.h"

typedef enum AwPlaceKind
{
	AW_PLACE_IN_WINDOWS,
	AW_PLACE_IN_NONE,			/* in a gap between windows */
	AW_PLACE_OUT_OF_RANGE		/* a window would start or end outside of time */
} AwPlaceKind;

typedef struct AwWindowPlaces
{
	AwWindowSpec spec;
	AwPlaceKind kind;			/* of the last row */
	AwPlace		place;			/* its slice is empty if there was none */
} AwWindowPlaces;

extern void aw_windowplace_init(AwWindowPlaces *places, const AwWindow *window, bool is_zoned);
extern AwPlaceKind aw_windowplace_find(AwWindowPlaces *places, Timestamp ts, AwPlace *place);
extern AwSpan aw_windowplace_last_until(AwWindowPlaces *places, Timestamp ts, int64 end_us);
extern AwWindowFinder aw_windowplace_finder(AwWindowPlaces *places);

#endif							/* AW_WINDOWPLACE_H */
