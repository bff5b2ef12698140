/*
 * sliceportion.h
 *
 * Slices on disk in portions of their keys, so that what windows need of a portion
 * fits into memory.
 */
#ifndef AW_SLICEPORTION_H
#define AW_SLICEPORTION_H

#include "slicesize.h"
#include "slicespill.h"

typedef struct AwSlicePortions AwSlicePortions;

extern AwSlicePortions *aw_sliceportion_create(AwSliceSpill *spill, AwSliceSize *size,
											   Size limit, bool is_whole);
extern void aw_sliceportion_free(AwSlicePortions *portions);
extern bool aw_sliceportion_next(AwSlicePortions *portions);
extern int	aw_sliceportion_number(const AwSlicePortions *portions);
extern bool aw_sliceportion_peek(const AwSlicePortions *portions, int64 *start_us,
								 int64 *end_us);
extern const char *aw_sliceportion_read(AwSlicePortions *portions);

#endif							/* AW_SLICEPORTION_H */
