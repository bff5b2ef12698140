/*
 * slicespill.h
 *
 * Slices on disk: bytes, by the start of a slice and a part of its keys.
 */
#ifndef AW_SLICESPILL_H
#define AW_SLICESPILL_H

#include "lib/stringinfo.h"

/* Groups are spread over so many parts, which can be read apart. */
#define AW_SLICE_PARTS		16

typedef struct AwSliceSpill AwSliceSpill;

extern AwSliceSpill *aw_slicespill_create(Size limit);
extern void aw_slicespill_free(AwSliceSpill *spill);
extern int64 aw_slicespill_bytes(const AwSliceSpill *spill);
extern Size aw_slicespill_buffers(const AwSliceSpill *spill);

extern void aw_slicespill_begin_run(AwSliceSpill *spill);
extern void aw_slicespill_begin_slice(AwSliceSpill *spill, int64 start_us, int64 end_us,
									  uint32 parts);
extern void aw_slicespill_write(AwSliceSpill *spill, int part, const StringInfo record);
extern void aw_slicespill_end_slice(AwSliceSpill *spill);
extern void aw_slicespill_end_run(AwSliceSpill *spill);

extern void aw_slicespill_rewind(AwSliceSpill *spill);
extern bool aw_slicespill_peek(const AwSliceSpill *spill, int64 *start_us, int64 *end_us);
extern int64 aw_slicespill_skip(AwSliceSpill *spill);
extern const char *aw_slicespill_read(AwSliceSpill *spill, int first_part, int end_part,
									  uint32 *length);

#endif							/* AW_SLICESPILL_H */
