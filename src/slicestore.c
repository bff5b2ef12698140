/*
 * slicestore.c
 *
 * A directory of slices, each with a hash table of its own: rows come about in the
 * order of time, so the table in use is small and stays in the cache, however many
 * groups there are in all.  Adding a row is O(1).
 *
 * When memory passes the limit, all slices go to disk as they are, and memory starts
 * anew; a slice whose rows are far apart goes there several times, and is merged when
 * it is read.  After the last row either everything is in memory or everything is on
 * disk.  What is on disk is read in portions of the keys, so that a reader needs only a
 * portion of a slice, or of all slices of a window, at a time.
 *
 * aw_slicestore_finish() ends the adding of rows; from then on slices are taken one
 * after the other, in the order of time, in each portion anew.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "compat.h"
#include "grouprecord.h"
#include "slicestore.h"

#define FIRST_CHUNK_BYTES	((Size) 8192)

/* Slices from disk share so much memory, which starts with less. */
#define BLOCK_BYTES			((Size) 64 * 1024)
#define FIRST_BLOCK_CHUNK_BYTES	((Size) 512)

/* Rows between two looks at the memory; more where there are many groups, less if it is small. */
#define CHECK_ROWS			1024
#define LEAST_CHECK_ROWS	64
#define CHECK_BYTES			8192	/* of the limit for each of them */

/* Memory of slices that were loaded one after the other. */
typedef struct AwSliceBlock
{
	MemoryContext cxt;			/* which it is in itself */
	AwArena		arena;
	int			n_users;
} AwSliceBlock;

typedef struct DirectoryEntry
{
	int64		start_us;
	AwSlice    *slice;
} DirectoryEntry;

struct AwSliceStore
{
	AwAggregates *aggregates;
	AwGroupForm form;
	Size		limit;
	Size		block_size;		/* of memory, at most */

	MemoryContext cxt;			/* all but what is below */
	MemoryContext slices_cxt;	/* the directory, until it is on disk */
	MemoryContext scratch;		/* of a group from disk */
	AwArena		arena;			/* groups before the end of rows */
	HTAB	   *directory;
	AwSlice   **slices;
	int			n_slices;
	int			n_allocated;
	int64		check_rows;
	int64		rows_to_check;
	int64		groups_in_memory;
	AwSliceSpill *spill;		/* NULL until memory passes the limit */
	int			n_spills;
	AwSliceSize size;			/* of what is on disk */
	AwSliceScale scale;
	double		spilled_memory; /* that groups took before they went there */
	AwSlicePortions *portions;	/* of what is on disk */
	int			n_portions;		/* begun */
	int			next_slice;		/* to be taken from memory */
	AwSliceBlock *block;		/* for the next slice from disk */
	AwSliceCounts counts;
};

static void begin_directory(AwSliceStore *store);
static void check_memory(AwSliceStore *store);
static void sort_slices(AwSliceStore *store);
static void spill(AwSliceStore *store);
static void spill_slice(AwSliceStore *store, AwSlice *slice, StringInfo buffer);
static void measure(AwSliceStore *store);
static AwSlice *load_slice(AwSliceStore *store);
static AwSliceBlock *enter_block(AwSliceStore *store);
static void leave_block(AwSliceStore *store);
static void release_block(AwSliceBlock *block);
static int	compare_slices(const void *a, const void *b);

/* Makes an empty store, in the current memory context.  limit is in bytes. */
AwSliceStore *
aw_slicestore_create(AwAggregates *aggregates, const AwKeyColumn *keys, int n_keys, Size limit)
{
	AwSliceStore *store = palloc0(sizeof(AwSliceStore));

	store->aggregates = aggregates;
	store->limit = limit;
	store->check_rows = Max(Min(CHECK_ROWS, limit / CHECK_BYTES), LEAST_CHECK_ROWS);
	store->block_size = ALLOCSET_DEFAULT_INITSIZE;
	while (store->block_size < ALLOCSET_DEFAULT_MAXSIZE && store->block_size * 2 <= limit / 16)
		store->block_size *= 2;
	aw_grouptable_init_form(&store->form, keys, n_keys, aw_aggstate_size(aggregates));
	store->cxt = CurrentMemoryContext;
	store->slices_cxt = AllocSetContextCreate(store->cxt, "slices", ALLOCSET_DEFAULT_SIZES);
	store->arena.cxt = AllocSetContextCreate(store->cxt, "groups of slices",
											 ALLOCSET_DEFAULT_MINSIZE,
											 ALLOCSET_DEFAULT_INITSIZE, store->block_size);
	store->arena.most_chunk_size = store->block_size;
	store->scratch = AllocSetContextCreate(store->cxt, "group from disk", ALLOCSET_SMALL_SIZES);
	aw_grouptable_reset_arena(&store->arena, FIRST_CHUNK_BYTES);
	begin_directory(store);
	return store;
}

/* Forgets all slices and what was counted. */
void
aw_slicestore_reset(AwSliceStore *store)
{
	if (store->portions != NULL)
		aw_sliceportion_free(store->portions);
	store->portions = NULL;
	if (store->spill != NULL)
	{
		aw_slicespill_free(store->spill);
		aw_slicesize_free(&store->size);
	}
	store->spill = NULL;
	store->spilled_memory = 0;
	store->n_portions = 0;
	store->n_spills = 0;
	leave_block(store);
	aw_grouptable_reset_arena(&store->arena, FIRST_CHUNK_BYTES);
	MemoryContextReset(store->slices_cxt);
	memset(&store->counts, 0, sizeof(store->counts));
	begin_directory(store);
}

AwAggregates *
aw_slicestore_aggregates(AwSliceStore *store)
{
	return store->aggregates;
}

/* The form of the groups of all slices. */
AwGroupForm *
aw_slicestore_form(AwSliceStore *store)
{
	return &store->form;
}

int
aw_slicestore_n_keys(const AwSliceStore *store)
{
	return store->form.n_keys;
}

Size
aw_slicestore_limit(const AwSliceStore *store)
{
	return store->limit;
}

/* The context that all of the store is in, and that of its reader should be in. */
MemoryContext
aw_slicestore_context(AwSliceStore *store)
{
	return store->cxt;
}

/* The largest block that a context should take, which is no large part of the limit. */
Size
aw_slicestore_block_size(const AwSliceStore *store)
{
	return store->block_size;
}

void
aw_slicestore_count(AwSliceStore *store, AwSliceCounts *counts)
{
	aw_slicestore_count_memory(store);
	if (store->spill == NULL)
		store->counts.n_slices = store->n_slices;
	else
		store->counts.disk_bytes = aw_slicespill_bytes(store->spill);
	*counts = store->counts;
}

/* Takes note of how much memory there is now. */
void
aw_slicestore_count_memory(AwSliceStore *store)
{
	store->counts.memory_bytes = Max(store->counts.memory_bytes,
									 (int64) MemoryContextMemAllocated(store->cxt, true));
}

/*
 * The slice with this start, made if it is new; until aw_slicestore_n_spills() changes.
 */
AwSlice *
aw_slicestore_slice(AwSliceStore *store, int64 start_us, int64 end_us)
{
	bool		found;
	DirectoryEntry *entry = hash_search(store->directory, &start_us, HASH_ENTER, &found);
	AwSlice    *slice;

	if (found)
		return entry->slice;

	if (store->n_slices == store->n_allocated)
	{
		store->n_allocated *= 2;
		store->slices = repalloc_huge(store->slices, sizeof(AwSlice *) * store->n_allocated);
	}
	slice = MemoryContextAllocZero(store->slices_cxt, sizeof(AwSlice));
	slice->start_us = start_us;
	slice->end_us = end_us;
	slice->table.arena = &store->arena;
	store->slices[store->n_slices++] = slice;
	entry->slice = slice;
	return slice;
}

/* Adds a row to its group in a slice. */
void
aw_slicestore_add_row(AwSliceStore *store, AwSlice *slice, const Datum *values,
					  const bool *nulls)
{
	MemoryContext cxt = slice->table.arena->cxt;
	bool		is_new;
	AwGroup    *group = aw_grouptable_enter_row(&store->form, &slice->table, values, nulls,
												&is_new);

	if (is_new)
	{
		store->counts.n_groups++;
		store->groups_in_memory++;
		aw_aggstate_begin(store->aggregates, aw_slicestore_states(store, group), cxt);
	}
	aw_aggstate_add_row(store->aggregates, aw_slicestore_states(store, group), cxt, values,
						nulls);

	/* Slices are gone when this returns. */
	if (--store->rows_to_check <= 0)
		check_memory(store);
}

/* How often all slices went to disk, and those in memory were forgotten. */
int
aw_slicestore_n_spills(const AwSliceStore *store)
{
	return store->n_spills;
}

/* Ends the adding of rows; portions come next. */
void
aw_slicestore_finish(AwSliceStore *store)
{
	if (store->spill != NULL)
		spill(store);
	else
		sort_slices(store);
	aw_slicestore_count_memory(store);
}

/* Are all slices on disk?  If not, all are in memory. */
bool
aw_slicestore_is_on_disk(const AwSliceStore *store)
{
	return store->spill != NULL;
}

/*
 * Decides on the portions in which slices come, by what their reader says of windows; or
 * that there is one, however much memory that takes.
 */
void
aw_slicestore_portion(AwSliceStore *store, AwSliceScale *scale, bool is_whole)
{
	MemoryContext caller = MemoryContextSwitchTo(store->cxt);

	if (store->spill != NULL)
	{
		store->scale = *scale;
		measure(store);
		store->portions = aw_sliceportion_create(store->spill, &store->size, store->limit,
												 is_whole);
	}
	MemoryContextSwitchTo(caller);
}

/*
 * Stands before the first slice of the next portion of the keys; false if there is none.
 * All slices that were taken must have been unloaded.
 */
bool
aw_slicestore_next_portion(AwSliceStore *store)
{
	leave_block(store);
	store->next_slice = 0;
	if (store->spill == NULL ? store->n_portions > 0 : !aw_sliceportion_next(store->portions))
		return false;
	store->n_portions++;
	return true;
}

/* How many portions there were until now. */
int
aw_slicestore_n_portions(const AwSliceStore *store)
{
	return store->n_portions;
}

/* The start of the next slice of the portion, in the order of time; false at the end. */
bool
aw_slicestore_peek(AwSliceStore *store, int64 *start_us)
{
	int64		end_us;

	if (store->spill != NULL)
		return aw_sliceportion_peek(store->portions, start_us, &end_us);
	if (store->next_slice == store->n_slices)
		return false;
	*start_us = store->slices[store->next_slice]->start_us;
	return true;
}

/* Takes the next slice, which there must be, with the keys of the portion. */
AwSlice *
aw_slicestore_take(AwSliceStore *store)
{
	if (store->spill == NULL)
		return store->slices[store->next_slice++];
	return load_slice(store);
}

/* Gives back a slice that was taken.  One that is on disk can then not be used any more. */
void
aw_slicestore_unload(AwSlice *slice)
{
	if (slice->block != NULL)
		release_block(slice->block);
}

/* Compares starts of slices: NULL is last, as in the order of SQL. */
int
aw_slicestore_compare(int64 start_us, int64 other_us)
{
	if (start_us == AW_SLICE_NO_TIME || other_us == AW_SLICE_NO_TIME)
		return (start_us == AW_SLICE_NO_TIME) - (other_us == AW_SLICE_NO_TIME);
	return (start_us > other_us) - (start_us < other_us);
}

char *
aw_slicestore_states(const AwSliceStore *store, const AwGroup *group)
{
	return aw_grouptable_states(&store->form, group);
}

/* Walks over the groups of a table, with a cursor that starts at 0; NULL at the end. */
AwGroup *
aw_slicestore_next(const AwTable *table, uint32 *cursor)
{
	return aw_grouptable_next(table, cursor);
}

static void
begin_directory(AwSliceStore *store)
{
	HASHCTL		control = {.keysize = sizeof(int64),.entrysize = sizeof(DirectoryEntry)};

	control.hcxt = store->slices_cxt;
	store->directory = hash_create("slices", 256, &control,
								   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	store->n_slices = 0;
	store->n_allocated = 64;
	store->slices = MemoryContextAlloc(store->slices_cxt,
									   sizeof(AwSlice *) * store->n_allocated);
	store->rows_to_check = store->check_rows;
	store->groups_in_memory = 0;
}

/* Spills if there is more memory than may be, and says when to look again. */
static void
check_memory(AwSliceStore *store)
{
	Size		other = store->block_size +
		(store->spill != NULL ? aw_slicespill_buffers(store->spill) : 0);

	CHECK_FOR_INTERRUPTS();
	store->rows_to_check = Max(store->check_rows, store->groups_in_memory / 16);
	if (MemoryContextMemAllocated(store->arena.cxt, true) +
		MemoryContextMemAllocated(store->slices_cxt, true) <=
		store->limit - Min(other, store->limit / 4))
		return;

	aw_slicestore_count_memory(store);
	if (store->spill == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(store->cxt);

		store->spill = aw_slicespill_create(store->limit);
		aw_slicesize_init(&store->size);
		store->size.scale = &store->scale;
		MemoryContextSwitchTo(caller);
	}
	spill(store);
}

static void
sort_slices(AwSliceStore *store)
{
	qsort(store->slices, store->n_slices, sizeof(AwSlice *), compare_slices);
}

/* Writes all groups to disk, and forgets the slices. */
static void
spill(AwSliceStore *store)
{
	StringInfoData buffer;

	if (store->n_slices == 0)
		return;
	store->spilled_memory += MemoryContextMemAllocated(store->arena.cxt, true) +
		MemoryContextMemAllocated(store->slices_cxt, true);
	initStringInfo(&buffer);
	sort_slices(store);
	aw_slicespill_begin_run(store->spill);
	for (int i = 0; i < store->n_slices; i++)
		spill_slice(store, store->slices[i], &buffer);
	aw_slicespill_end_run(store->spill);
	pfree(buffer.data);

	aw_grouptable_reset_arena(&store->arena, FIRST_CHUNK_BYTES);
	MemoryContextReset(store->slices_cxt);
	begin_directory(store);
	store->n_spills++;
}

/* Writes the groups of a slice, part by part. */
static void
spill_slice(AwSliceStore *store, AwSlice *slice, StringInfo buffer)
{
	AwGroup    *parts[AW_SLICE_PARTS] = {NULL};
	AwGroup    *group;
	uint32		cursor = 0;
	uint32		mask = 0;

	while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
	{
		int			part = group->hash / (PG_UINT32_MAX / AW_SLICE_PARTS + 1);

		group->next = parts[part];
		parts[part] = group;
		mask |= (uint32) 1 << part;
	}

	aw_slicespill_begin_slice(store->spill, slice->start_us, slice->end_us, mask);
	for (int part = 0; part < AW_SLICE_PARTS; part++)
	{
		for (group = parts[part]; group != NULL; group = group->next)
		{
			CHECK_FOR_INTERRUPTS();
			aw_grouprecord_write(&store->form, store->aggregates, group, buffer);
			aw_slicesize_add_group(&store->size, slice->start_us, group->hash);
			aw_slicespill_write(store->spill, part, buffer);
		}
	}
	aw_slicespill_end_slice(store->spill);
}

/* What is on disk, as it will be in memory again. */
static void
measure(AwSliceStore *store)
{
	int64		start_us;
	int64		end_us;

	store->scale.per_byte = store->spilled_memory / Max(aw_slicespill_bytes(store->spill), 1);
	store->scale.per_key += store->spilled_memory / Max(store->size.n_records, 1);
	aw_slicespill_rewind(store->spill);
	while (aw_slicespill_peek(store->spill, &start_us, &end_us))
	{
		store->counts.n_slices += aw_slicesize_begin_slice(&store->size, start_us);
		aw_slicesize_add_bytes(&store->size, aw_slicespill_skip(store->spill));
	}
}

/* Reads the next slice of the portion. */
static AwSlice *
load_slice(AwSliceStore *store)
{
	AwSliceBlock *block = enter_block(store);
	AwSlice    *slice = MemoryContextAllocZero(block->cxt, sizeof(AwSlice));
	char	   *states = palloc(Max(aw_aggstate_size(store->aggregates), 1));
	const char *record;

	if (!aw_sliceportion_peek(store->portions, &slice->start_us, &slice->end_us))
		elog(ERROR, "there is no slice left");
	slice->block = block;
	slice->table.arena = &block->arena;
	while ((record = aw_sliceportion_read(store->portions)) != NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(store->scratch);

		aw_grouprecord_read(&store->form, store->aggregates, &slice->table, record, states);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(store->scratch);
	}
	pfree(states);
	return slice;
}

/*
 * The memory for one more slice from disk.  Slices go in the order in which they came,
 * so small ones share a block, which goes with its last.
 */
static AwSliceBlock *
enter_block(AwSliceStore *store)
{
	AwSliceBlock *block = store->block;

	if (block != NULL && MemoryContextMemAllocated(block->cxt, true) > BLOCK_BYTES)
	{
		aw_slicestore_count_memory(store);
		leave_block(store);
	}
	if (store->block == NULL)
	{
		MemoryContext cxt = AllocSetContextCreate(store->cxt, "slices from disk",
												  ALLOCSET_SMALL_MINSIZE, ALLOCSET_SMALL_INITSIZE,
												  store->block_size);

		block = MemoryContextAllocZero(cxt, sizeof(AwSliceBlock));
		block->cxt = cxt;
		block->arena.cxt = cxt;
		block->arena.chunk_size = FIRST_BLOCK_CHUNK_BYTES;
		block->arena.most_chunk_size = store->block_size;
		block->n_users = 1;		/* the store */
		store->block = block;
	}
	store->block->n_users++;
	return store->block;
}

/* Begins another block with the next slice. */
static void
leave_block(AwSliceStore *store)
{
	if (store->block != NULL)
		release_block(store->block);
	store->block = NULL;
}

static void
release_block(AwSliceBlock *block)
{
	if (--block->n_users == 0)
		MemoryContextDelete(block->cxt);
}

static int
compare_slices(const void *a, const void *b)
{
	return aw_slicestore_compare((*(AwSlice *const *) a)->start_us,
								 (*(AwSlice *const *) b)->start_us);
}
