/*
 * openslices.h
 *
 * The slices of windows that are open, in memory: each can be added to, read, written
 * and dropped at any time.
 */
#ifndef AW_OPENSLICES_H
#define AW_OPENSLICES_H

#include "aggstate.h"
#include "grouptable.h"

typedef struct AwOpenSlice
{
	int64		start_us;
	int64		end_us;			/* no window after that needs the slice */
	int64		n_rows;
	bool		is_dirty;		/* has changed since the user of slices last looked */
	AwTable		table;
	AwArena		arena;
	struct AwRowList *rows;		/* of openrows.c */
} AwOpenSlice;

typedef struct AwOpenSlices AwOpenSlices;

extern AwOpenSlices *aw_openslices_create(AwAggregates *aggregates, const AwKeyColumn *keys,
										  int n_keys);
extern AwGroupForm *aw_openslices_form(AwOpenSlices *slices);
extern AwOpenSlice *aw_openslices_find(AwOpenSlices *slices, int64 start_us);
extern AwOpenSlice *aw_openslices_enter(AwOpenSlices *slices, int64 start_us, int64 end_us);
extern AwOpenSlice **aw_openslices_sorted(AwOpenSlices *slices, int *n_slices);
extern void aw_openslices_drop(AwOpenSlices *slices, int number);
extern AwOpenSlice *aw_openslices_create_apart(AwOpenSlices *slices, int64 start_us,
											   int64 end_us);
extern void aw_openslices_free_apart(AwOpenSlice *slice);

extern void aw_openslices_add_row(AwOpenSlices *slices, AwOpenSlice *slice, const Datum *values,
								  const bool *nulls);
extern void aw_openslices_merge(AwOpenSlices *slices, AwOpenSlice *into,
								const AwOpenSlice *from);
extern void aw_openslices_write(AwOpenSlices *slices, const AwOpenSlice *slice,
								StringInfo buffer);
extern void aw_openslices_read(AwOpenSlices *slices, AwOpenSlice *slice, const char *from,
							   Size size);

#endif							/* AW_OPENSLICES_H */
