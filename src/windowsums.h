/*
 * windowsums.h
 *
 * The window at hand of a continuous query, as it slides over open slices.
 */
#ifndef AW_WINDOWSUMS_H
#define AW_WINDOWSUMS_H

#include "openslices.h"
#include "window.h"

typedef struct AwWindowSums AwWindowSums;

extern AwWindowSums *aw_windowsums_create(AwAggregates *aggregates, AwGroupForm *form);
extern void aw_windowsums_let_go(AwWindowSums *sums, int64 start_us);
extern void aw_windowsums_move(AwWindowSums *sums, const AwSpan *window, AwOpenSlice **slices,
							   int n_slices);
extern bool aw_windowsums_holds(const AwWindowSums *sums, int64 start_us);
extern void aw_windowsums_add_late(AwWindowSums *sums, AwOpenSlice *slice,
								   const AwOpenSlice *late);
extern AwGroup *aw_windowsums_next(AwWindowSums *sums, uint32 *cursor, char **states);

#endif							/* AW_WINDOWSUMS_H */
