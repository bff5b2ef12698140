/*
 * slicestore.h
 *
 * Slices of time, and in each the groups of its rows with the states of their
 * aggregates; past a limit of memory on disk.
 */
#ifndef AW_SLICESTORE_H
#define AW_SLICESTORE_H

#include "aggstate.h"
#include "grouptable.h"
#include "sliceportion.h"

/* start of the slice of rows without a time; no timestamp has this value */
#define AW_SLICE_NO_TIME	(PG_INT64_MIN + 1)

typedef struct AwSlice
{
	int64		start_us;
	int64		end_us;
	AwTable		table;
	struct AwSliceBlock *block; /* what a slice that was loaded is in */
} AwSlice;

typedef struct AwSliceStore AwSliceStore;

/* What EXPLAIN ANALYZE shows. */
typedef struct AwSliceCounts
{
	int64		n_slices;
	int64		n_groups;		/* those written to disk several times count as often */
	int64		memory_bytes;	/* at most */
	int64		disk_bytes;
} AwSliceCounts;

extern AwSliceStore *aw_slicestore_create(AwAggregates *aggregates, const AwKeyColumn *keys,
										  int n_keys, Size limit);
extern void aw_slicestore_reset(AwSliceStore *store);
extern AwAggregates *aw_slicestore_aggregates(AwSliceStore *store);
extern AwGroupForm *aw_slicestore_form(AwSliceStore *store);
extern int	aw_slicestore_n_keys(const AwSliceStore *store);
extern Size aw_slicestore_limit(const AwSliceStore *store);
extern Size aw_slicestore_block_size(const AwSliceStore *store);
extern void aw_slicestore_count(AwSliceStore *store, AwSliceCounts *counts);
extern void aw_slicestore_count_memory(AwSliceStore *store);
extern MemoryContext aw_slicestore_context(AwSliceStore *store);

extern AwSlice *aw_slicestore_slice(AwSliceStore *store, int64 start_us, int64 end_us);
extern void aw_slicestore_add_row(AwSliceStore *store, AwSlice *slice, const Datum *values,
								  const bool *nulls);
extern int	aw_slicestore_n_spills(const AwSliceStore *store);

extern void aw_slicestore_finish(AwSliceStore *store);
extern bool aw_slicestore_is_on_disk(const AwSliceStore *store);
extern void aw_slicestore_portion(AwSliceStore *store, AwSliceScale *scale, bool is_whole);
extern bool aw_slicestore_next_portion(AwSliceStore *store);
extern int	aw_slicestore_n_portions(const AwSliceStore *store);
extern bool aw_slicestore_peek(AwSliceStore *store, int64 *start_us);
extern AwSlice *aw_slicestore_take(AwSliceStore *store);
extern void aw_slicestore_unload(AwSlice *slice);
extern int	aw_slicestore_compare(int64 start_us, int64 other_us);

extern char *aw_slicestore_states(const AwSliceStore *store, const AwGroup *group);
extern AwGroup *aw_slicestore_next(const AwTable *table, uint32 *cursor);

#endif							/* AW_SLICESTORE_H */
