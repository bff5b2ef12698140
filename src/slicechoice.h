/*
 * slicechoice.h
 *
 * Which slices have rows that are wanted.
 */
#ifndef AW_SLICECHOICE_H
#define AW_SLICECHOICE_H

#include "nodes/execnodes.h"
#include "slicerow.h"
#include "slicetime.h"

typedef struct AwSliceChoice AwSliceChoice;

extern AwSliceChoice *aw_slicechoice_create(CustomScanState *css, const AwSliceRow *row);
extern void aw_slicechoice_reset(AwSliceChoice *choice);
extern bool aw_slicechoice_is_wanted(AwSliceChoice *choice, AwSliceTime *time, int64 start_us);

#endif							/* AW_SLICECHOICE_H */
