/*
 * slicecost.h
 *
 * What the slice node costs.
 */
#ifndef AW_SLICECOST_H
#define AW_SLICECOST_H

#include "slicequery.h"

extern void aw_slicecost_set(AwSliceQuery *query, CustomPath *path, Path *child);
extern bool aw_slicecost_is_small_window(AwSliceQuery *query, Path *child);

#endif							/* AW_SLICECOST_H */
