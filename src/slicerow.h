/*
 * slicerow.h
 *
 * The rows that the slice node gives out, from groups of windows.
 */
#ifndef AW_SLICEROW_H
#define AW_SLICEROW_H

#include "executor/tuptable.h"
#include "slicestore.h"
#include "sliceplan.h"

typedef struct AwSliceRow AwSliceRow;

extern AwSliceRow *aw_slicerow_create(const CustomScan *plan, const AwSliceSpec *spec);
extern AwAggregates *aw_slicerow_aggregates(const AwSliceRow *row);
extern bool aw_slicerow_is_of_window(const AwSliceRow *row, int column);
extern void aw_slicerow_fill(AwSliceRow *row, const AwGroup *group, AwSpan span, char *states,
							 TupleTableSlot *slot);
extern void aw_slicerow_fill_ranking(AwSliceRow *row, const AwGroup *group, AwSpan span,
									 char *states, TupleTableSlot *slot);
extern void aw_slicerow_fill_window(const AwSliceRow *row, AwSpan span, TupleTableSlot *slot);

#endif							/* AW_SLICEROW_H */
