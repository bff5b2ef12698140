/*
 * part.h
 *
 * One window of a continuous query at work: rows in, windows that have closed out.
 */
#ifndef AW_PART_H
#define AW_PART_H

#include "query.h"
#include "state.h"
#include "windowplace.h"

typedef struct AwPart
{
	const AwQueryPart *query;
	AwState    *state;
	AwWindowPlaces places;
	int64		closed_end_us;	/* windows that ended there or before are not written any more */

	/* while windows close */
	Tuplestorestate *windows;	/* of those that have closed */
	TupleTableSlot *slot;
} AwPart;

extern AwPart *aw_part_create(const AwQuery *query, int number, const AwWatermark *watermark);
extern bool aw_part_is_out_of_range(AwPart *part, Timestamp rowtime);
extern void aw_part_add_row(AwPart *part, const AwPlace *place, const AwWatermark *watermark,
							TupleTableSlot *row);
extern void aw_part_begin_closing(AwPart *part);
extern void aw_part_put_window(AwPart *part, const AwSpan *span, const Datum *values,
							   const bool *nulls);
extern void aw_part_end_closing(AwPart *part);

#endif							/* AW_PART_H */
