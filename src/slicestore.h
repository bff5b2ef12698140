/*
 * slicestore.h
 *
 * Slices of time, and in each the groups of its rows with the states of their
 * aggregates; past a limit of memory on disk.
 */
#ifndef AW_SLICESTORE_H
#define AW_SLICESTORE_H

#include "aggstate.h"

/* start of the slice of rows without a time; no timestamp has this value */
#define AW_SLICE_NO_TIME	(PG_INT64_MIN + 1)

/* Groups are spread over so many parts, which can be loaded apart. */
#define AW_SLICE_PARTS		16

/* more keys than this are not supported */
#define AW_SLICE_MAX_KEYS	30

/* How a grouping key is hashed and compared. */
typedef struct AwKeyColumn
{
	int			column;			/* in the row */
	int16		len;
	bool		is_by_value;
	bool		is_plain;		/* by value, and equal if its bits are */
	bool		is_bytes;		/* a varlena, and equal if its bytes are */
	Oid			collation;
	Oid			hash_function;
	Oid			equal_function;
} AwKeyColumn;

/* Where groups are allocated, one after the other. */
typedef struct AwArena
{
	MemoryContext cxt;
	char	   *next;
	Size		n_left;
	Size		chunk_size;
} AwArena;

/* A group; its states follow the keys. */
typedef struct AwGroup
{
	uint32		hash;
	uint32		null_keys;		/* a bit for each */
	struct AwGroup *owner;		/* for the reader */
	struct AwGroup *next;		/* for the reader */
	Datum		keys[FLEXIBLE_ARRAY_MEMBER];
} AwGroup;

typedef struct AwBucket
{
	uint64		tag;			/* the key itself if it is one plain value, else its hash */
	AwGroup    *group;			/* NULL if the bucket is empty */
} AwBucket;

/* A hash table of groups. */
typedef struct AwTable
{
	AwArena    *arena;
	AwBucket   *buckets;
	uint32		mask;			/* buckets, a power of two, less one */
	uint32		n_groups;		/* in buckets */
	AwGroup    *lone;			/* the group that needs no bucket: no keys, or one that is NULL */
	AwGroup    *spare;			/* removed groups, to be used again */
	Size		extra_size;		/* behind the states of each group */
} AwTable;

typedef struct AwSlice
{
	int64		start_us;
	int64		end_us;
	AwTable		table;
	AwArena		arena;			/* of a slice that was loaded */
	struct AwRun *runs;			/* what is on disk */
	int64		n_bytes;		/* about what all groups need in memory */
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
extern int	aw_slicestore_n_keys(const AwSliceStore *store);
extern Size aw_slicestore_limit(const AwSliceStore *store);
extern void aw_slicestore_count(AwSliceStore *store, AwSliceCounts *counts);
extern void aw_slicestore_count_memory(AwSliceStore *store);
extern MemoryContext aw_slicestore_context(AwSliceStore *store);

extern AwSlice *aw_slicestore_slice(AwSliceStore *store, int64 start_us, int64 end_us);
extern void aw_slicestore_add_row(AwSliceStore *store, AwSlice *slice, const Datum *values,
								  const bool *nulls);
extern AwSlice **aw_slicestore_finish(AwSliceStore *store, int *n_slices, bool *is_on_disk);
extern void aw_slicestore_load(AwSliceStore *store, AwSlice *slice, int first_part, int end_part);
extern void aw_slicestore_unload(AwSlice *slice);

extern char *aw_slicestore_states(const AwSliceStore *store, const AwGroup *group);
extern char *aw_slicestore_extra(const AwSliceStore *store, const AwGroup *group);
extern AwGroup *aw_slicestore_next(const AwTable *table, uint32 *cursor);
extern AwGroup *aw_slicestore_enter(AwSliceStore *store, AwTable *table, const AwGroup *like,
									bool *is_new);
extern void aw_slicestore_remove(AwSliceStore *store, AwTable *table, AwGroup *group);

#endif							/* AW_SLICESTORE_H */
