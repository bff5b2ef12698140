/*
 * slicestore.c
 *
 * A directory of slices, each with a hash table of its own: rows come about in the
 * order of time, so the table in use is small and stays in the cache, however many
 * groups there are in all.  Adding a row is O(1).
 *
 * When memory passes the limit, all groups go to disk as they are, in a run for
 * each slice, and memory starts anew; a slice whose rows are far apart has several
 * runs, which are merged when it is read.  After the last row either everything is
 * in memory or everything is on disk.  What is on disk can be read in parts, by
 * the hash of the key, so that a reader needs only a part of a slice, or of all
 * slices of a window, at a time.
 *
 * aw_slicestore_finish() ends the adding of rows; before it slices cannot be read.
 *
 * A lasting store has no last row: each slice has memory of its own until it is
 * dropped, can be read at any time, and nothing goes to disk.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/datum.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "compat.h"
#include "slicestore.h"

#define FIRST_BUCKETS		8
#define FIRST_CHUNK_BYTES	((Size) 8192)
#define LAST_CHUNK_BYTES	((Size) 1024 * 1024)

/* Rows between two looks at the memory; more where there are many groups. */
#define CHECK_ROWS			1024

/* The groups of a slice that went to disk together, sorted by part. */
typedef struct AwRun
{
	struct AwRun *next;
	int			file;
	off_t		offset;
	int64		part_end[AW_SLICE_PARTS];	/* bytes behind the offset */
} AwRun;

typedef struct DirectoryEntry
{
	int64		start_us;
	AwSlice    *slice;
} DirectoryEntry;

struct AwSliceStore
{
	AwAggregates *aggregates;
	int			n_keys;
	AwKeyColumn *keys;
	FmgrInfo   *hash_functions;
	FmgrInfo   *equal_functions;
	bool		is_single_plain;	/* one key, which is its own tag */
	bool		has_functions;	/* keys whose functions may leave garbage */
	bool		is_lasting;		/* slices come and go */
	bool		is_unsorted;	/* a slice came before the one that was last */
	Size		states_offset;
	Size		group_size;
	Size		limit;

	MemoryContext cxt;			/* all but what is below */
	MemoryContext slices_cxt;	/* slices and runs, until a reset */
	MemoryContext scratch;
	AwArena		arena;			/* groups before the end of rows */
	HTAB	   *directory;
	AwSlice   **slices;
	int			n_slices;
	int			n_allocated;
	int64		rows_to_check;
	int64		groups_in_memory;
	BufFile    *file;
	AwSliceCounts counts;
};

static void begin_directory(AwSliceStore *store);
static AwGroup *find_group(AwSliceStore *store, AwTable *table, const Datum *keys,
						   uint32 null_keys, uint32 hash, bool *is_new);
static bool same_keys(AwSliceStore *store, const AwGroup *group, const Datum *keys,
					  uint32 null_keys);
static AwGroup *add_group(AwSliceStore *store, AwTable *table, const Datum *keys,
						  uint32 null_keys, uint32 hash);
static void grow_table(AwTable *table);
static void *allocate(AwArena *arena, Size size);
static void reset_arena(AwArena *arena);
static uint32 hash_key(AwSliceStore *store, int number, Datum key);
static bool equal_keys(AwSliceStore *store, int number, Datum a, Datum b);
static Datum plain_key(Datum value, int16 len);
static uint32 mix(uint64 value);
static void check_memory(AwSliceStore *store);
static void spill(AwSliceStore *store);
static void spill_slice(AwSliceStore *store, AwSlice *slice, StringInfo buffer);
static void write_group(AwSliceStore *store, const AwGroup *group, StringInfo buffer);
static void load_run(AwSliceStore *store, AwSlice *slice, const AwRun *run, int first_part,
					 int end_part);
static const char *read_group(AwSliceStore *store, AwSlice *slice, const char *from,
							  char *states);
static void begin_slice_arena(AwSliceStore *store, AwSlice *slice);
static int	compare_slices(const void *a, const void *b);

/* Makes an empty store, in the current memory context.  limit is in bytes. */
AwSliceStore *
aw_slicestore_create(AwAggregates *aggregates, const AwKeyColumn *keys, int n_keys, Size limit)
{
	AwSliceStore *store = palloc0(sizeof(AwSliceStore));

	Assert(n_keys <= AW_SLICE_MAX_KEYS);
	store->aggregates = aggregates;
	store->n_keys = n_keys;
	store->limit = limit;
	store->keys = palloc0(sizeof(AwKeyColumn) * Max(n_keys, 1));
	store->hash_functions = palloc0(sizeof(FmgrInfo) * Max(n_keys, 1));
	store->equal_functions = palloc0(sizeof(FmgrInfo) * Max(n_keys, 1));
	for (int i = 0; i < n_keys; i++)
	{
		store->keys[i] = keys[i];
		if (keys[i].is_plain)
			continue;
		fmgr_info(keys[i].hash_function, &store->hash_functions[i]);
		fmgr_info(keys[i].equal_function, &store->equal_functions[i]);
		store->has_functions = true;
	}
	store->is_single_plain = (n_keys == 1 && keys[0].is_plain);
	store->states_offset = MAXALIGN(offsetof(AwGroup, keys) + sizeof(Datum) * n_keys);
	store->group_size = store->states_offset + aw_aggstate_size(aggregates);

	store->cxt = CurrentMemoryContext;
	store->slices_cxt = AllocSetContextCreate(store->cxt, "slices", ALLOCSET_DEFAULT_SIZES);
	store->arena.cxt = AllocSetContextCreate(store->cxt, "groups of slices",
											 ALLOCSET_DEFAULT_SIZES);
	store->scratch = AllocSetContextCreate(store->cxt, "keys of groups", ALLOCSET_SMALL_SIZES);
	reset_arena(&store->arena);
	begin_directory(store);
	return store;
}

/* Makes an empty store whose slices last until each is dropped. */
AwSliceStore *
aw_slicestore_create_lasting(AwAggregates *aggregates, const AwKeyColumn *keys, int n_keys)
{
	AwSliceStore *store = aw_slicestore_create(aggregates, keys, n_keys, SIZE_MAX);

	store->is_lasting = true;
	return store;
}

/* Forgets all slices and what was counted. */
void
aw_slicestore_reset(AwSliceStore *store)
{
	if (store->file != NULL)
		BufFileClose(store->file);
	store->file = NULL;
	reset_arena(&store->arena);
	MemoryContextReset(store->slices_cxt);
	memset(&store->counts, 0, sizeof(store->counts));
	begin_directory(store);
}

AwAggregates *
aw_slicestore_aggregates(AwSliceStore *store)
{
	return store->aggregates;
}

int
aw_slicestore_n_keys(const AwSliceStore *store)
{
	return store->n_keys;
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

void
aw_slicestore_count(AwSliceStore *store, AwSliceCounts *counts)
{
	aw_slicestore_count_memory(store);
	store->counts.n_slices = store->n_slices;
	*counts = store->counts;
}

/* Takes note of how much memory there is now. */
void
aw_slicestore_count_memory(AwSliceStore *store)
{
	store->counts.memory_bytes = Max(store->counts.memory_bytes,
									 (int64) MemoryContextMemAllocated(store->cxt, true));
}

/* The slice with this start, made if it is new. */
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
	if (store->is_lasting)
		begin_slice_arena(store, slice);
	if (store->n_slices > 0 && store->slices[store->n_slices - 1]->start_us > start_us)
		store->is_unsorted = true;
	store->slices[store->n_slices++] = slice;
	entry->slice = slice;
	return slice;
}

/* Adds a row to its group in a slice. */
void
aw_slicestore_add_row(AwSliceStore *store, AwSlice *slice, const Datum *values,
					  const bool *nulls)
{
	Datum		keys[AW_SLICE_MAX_KEYS];
	uint32		null_keys = 0;
	uint32		hash = 0;
	AwGroup    *group;
	bool		is_new;
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext states_cxt = slice->table.arena->cxt;

	if (--store->rows_to_check <= 0)
		check_memory(store);

	if (store->has_functions)
		MemoryContextSwitchTo(store->scratch);
	for (int i = 0; i < store->n_keys; i++)
	{
		const AwKeyColumn *key = &store->keys[i];

		keys[i] = (Datum) 0;
		if (nulls[key->column])
			null_keys |= (uint32) 1 << i;
		else
			keys[i] = key->is_plain ? plain_key(values[key->column], key->len) :
				values[key->column];
		hash = pg_rotate_left32(hash, 5) ^
			(nulls[key->column] ? 0 : hash_key(store, i, keys[i]));
	}

	group = find_group(store, &slice->table, keys, null_keys, hash, &is_new);
	if (store->has_functions)
	{
		MemoryContextSwitchTo(caller);
		MemoryContextReset(store->scratch);
	}
	if (is_new)
	{
		store->counts.n_groups++;
		store->groups_in_memory++;
		slice->n_bytes += store->group_size + sizeof(AwBucket) * 2;
		aw_aggstate_begin(store->aggregates, aw_slicestore_states(store, group), states_cxt);
	}
	aw_aggstate_add_row(store->aggregates, aw_slicestore_states(store, group), states_cxt,
						values, nulls);
}

/*
 * All slices in the order of time, once there are no more rows.  If they are on disk,
 * they must be loaded before they are read.
 */
AwSlice   **
aw_slicestore_finish(AwSliceStore *store, int *n_slices, bool *is_on_disk)
{
	*is_on_disk = (store->file != NULL);
	if (*is_on_disk)
		spill(store);
	aw_slicestore_count_memory(store);

	qsort(store->slices, store->n_slices, sizeof(AwSlice *), compare_slices);
	*n_slices = store->n_slices;
	return store->slices;
}

/* Loads the groups of some parts of a slice that is on disk. */
void
aw_slicestore_load(AwSliceStore *store, AwSlice *slice, int first_part, int end_part)
{
	Assert(slice->arena.cxt == NULL);
	begin_slice_arena(store, slice);

	for (const AwRun *run = slice->runs; run != NULL; run = run->next)
		load_run(store, slice, run, first_part, end_part);
	aw_slicestore_count_memory(store);
}

/* Gives back the memory of a slice, if it was loaded. */
void
aw_slicestore_unload(AwSlice *slice)
{
	if (slice->arena.cxt == NULL)
		return;
	MemoryContextDelete(slice->arena.cxt);
	slice->arena.cxt = NULL;
	memset(&slice->table, 0, sizeof(AwTable));
}

/* All slices of a lasting store, in the order of time. */
AwSlice   **
aw_slicestore_sorted(AwSliceStore *store, int *n_slices)
{
	Assert(store->is_lasting);
	if (store->is_unsorted)
		qsort(store->slices, store->n_slices, sizeof(AwSlice *), compare_slices);
	store->is_unsorted = false;
	*n_slices = store->n_slices;
	return store->slices;
}

/* Forgets a slice of a lasting store, given its place among all of them. */
void
aw_slicestore_drop(AwSliceStore *store, int number)
{
	AwSlice    *slice = store->slices[number];

	Assert(store->is_lasting);
	hash_search(store->directory, &slice->start_us, HASH_REMOVE, NULL);
	memmove(&store->slices[number], &store->slices[number + 1],
			sizeof(AwSlice *) * (store->n_slices - number - 1));
	store->n_slices--;
	store->groups_in_memory -= slice->table.n_groups;
	aw_slicestore_unload(slice);
	pfree(slice);
}

/* Appends all groups of a slice of a lasting store, as aw_slicestore_read() takes them. */
void
aw_slicestore_write(AwSliceStore *store, const AwSlice *slice, StringInfo buffer)
{
	StringInfoData record;
	AwGroup    *group;
	uint32		cursor = 0;

	initStringInfo(&record);
	while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		resetStringInfo(&record);
		write_group(store, group, &record);
		appendBinaryStringInfo(buffer, record.data, record.len);
	}
	pfree(record.data);
}

/* Merges groups that were written into a slice of a lasting store. */
void
aw_slicestore_read(AwSliceStore *store, AwSlice *slice, const char *from, Size size)
{
	const char *end = from + size;
	char	   *states = palloc(Max(aw_aggstate_size(store->aggregates), 1));

	while (from < end)
	{
		MemoryContext caller = MemoryContextSwitchTo(store->scratch);
		uint32		length;

		CHECK_FOR_INTERRUPTS();
		memcpy(&length, from, sizeof(length));
		read_group(store, slice, from + sizeof(length), states);
		from += sizeof(length) + length;
		MemoryContextSwitchTo(caller);
		MemoryContextReset(store->scratch);
	}
	pfree(states);
}

char *
aw_slicestore_states(const AwSliceStore *store, const AwGroup *group)
{
	return (char *) group + store->states_offset;
}

/* What a table has asked for behind the states. */
char *
aw_slicestore_extra(const AwSliceStore *store, const AwGroup *group)
{
	return (char *) group + store->group_size;
}

/* Walks over the groups of a table, with a cursor that starts at 0; NULL at the end. */
AwGroup *
aw_slicestore_next(const AwTable *table, uint32 *cursor)
{
	if (*cursor == 0)
	{
		(*cursor)++;
		if (table->lone != NULL)
			return table->lone;
	}
	if (table->buckets == NULL)
		return NULL;
	while (*cursor <= table->mask + 1)
	{
		AwGroup    *group = table->buckets[*cursor - 1].group;

		(*cursor)++;
		if (group != NULL)
			return group;
	}
	return NULL;
}

/* The group of a table with the keys of another; a new one has no states yet. */
AwGroup *
aw_slicestore_enter(AwSliceStore *store, AwTable *table, const AwGroup *like, bool *is_new)
{
	MemoryContext caller = CurrentMemoryContext;
	AwGroup    *group;

	if (store->has_functions)
		MemoryContextSwitchTo(store->scratch);
	group = find_group(store, table, like->keys, like->null_keys, like->hash, is_new);
	if (store->has_functions)
	{
		MemoryContextSwitchTo(caller);
		MemoryContextReset(store->scratch);
	}
	return group;
}

/* Takes a group out of its table; its memory is used for another group of the table. */
void
aw_slicestore_remove(AwSliceStore *store, AwTable *table, AwGroup *group)
{
	uint32		hole;
	uint32		i;

	for (int key = 0; key < store->n_keys; key++)
	{
		if (!store->keys[key].is_by_value && !(group->null_keys & ((uint32) 1 << key)))
			pfree(DatumGetPointer(group->keys[key]));
	}
	group->next = table->spare;
	table->spare = group;
	if (group == table->lone)
	{
		table->lone = NULL;
		return;
	}

	hole = group->hash & table->mask;
	while (table->buckets[hole].group != group)
		hole = (hole + 1) & table->mask;

	/* Close the hole with groups that were pushed beyond it. */
	for (i = (hole + 1) & table->mask; table->buckets[i].group != NULL;
		 i = (i + 1) & table->mask)
	{
		uint32		home = table->buckets[i].group->hash & table->mask;

		if (((i - home) & table->mask) >= ((i - hole) & table->mask))
		{
			table->buckets[hole] = table->buckets[i];
			hole = i;
		}
	}
	table->buckets[hole].group = NULL;
	table->n_groups--;
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
	store->rows_to_check = CHECK_ROWS;
	store->groups_in_memory = 0;
}

/* Finds a group, or adds it. */
static AwGroup *
find_group(AwSliceStore *store, AwTable *table, const Datum *keys, uint32 null_keys, uint32 hash,
		   bool *is_new)
{
	uint64		tag = hash;

	*is_new = false;
	if (store->n_keys == 0 || (store->is_single_plain && null_keys != 0))
	{
		if (table->lone == NULL)
		{
			table->lone = add_group(store, table, keys, null_keys, hash);
			*is_new = true;
		}
		return table->lone;
	}

	if (store->is_single_plain)
		tag = keys[0];
	if (table->buckets == NULL || table->n_groups > table->mask - table->mask / 4)
		grow_table(table);

	for (uint32 i = hash & table->mask;; i = (i + 1) & table->mask)
	{
		AwBucket   *bucket = &table->buckets[i];

		if (bucket->group == NULL)
		{
			bucket->group = add_group(store, table, keys, null_keys, hash);
			bucket->tag = tag;
			table->n_groups++;
			*is_new = true;
			return bucket->group;
		}
		if (bucket->tag == tag &&
			(store->is_single_plain || same_keys(store, bucket->group, keys, null_keys)))
			return bucket->group;
	}
}

/* NULL is the same as NULL. */
static bool
same_keys(AwSliceStore *store, const AwGroup *group, const Datum *keys, uint32 null_keys)
{
	if (group->null_keys != null_keys)
		return false;

	for (int i = 0; i < store->n_keys; i++)
	{
		if (!(null_keys & ((uint32) 1 << i)) && !equal_keys(store, i, group->keys[i], keys[i]))
			return false;
	}
	return true;
}

/* A group with a copy of the keys, in the table's arena. */
static AwGroup *
add_group(AwSliceStore *store, AwTable *table, const Datum *keys, uint32 null_keys, uint32 hash)
{
	AwGroup    *group = table->spare;
	MemoryContext caller = MemoryContextSwitchTo(table->arena->cxt);

	if (group != NULL)
		table->spare = group->next;
	else
		group = allocate(table->arena, store->group_size + table->extra_size);

	group->hash = hash;
	group->null_keys = null_keys;
	group->owner = NULL;
	group->next = NULL;
	for (int i = 0; i < store->n_keys; i++)
	{
		const AwKeyColumn *key = &store->keys[i];

		group->keys[i] = (Datum) 0;
		if (!(null_keys & ((uint32) 1 << i)))
			group->keys[i] = datumCopy(keys[i], key->is_by_value, key->len);
	}
	MemoryContextSwitchTo(caller);
	return group;
}

/* Makes room for twice as many groups. */
static void
grow_table(AwTable *table)
{
	AwBucket   *old = table->buckets;
	uint64		n_old = old ? (uint64) table->mask + 1 : 0;
	uint64		n_new = old ? n_old * 2 : FIRST_BUCKETS;

	if (n_new > (uint64) 1 << 31)
		elog(ERROR, "too many groups in a slice");
	table->buckets = MemoryContextAllocExtended(table->arena->cxt, sizeof(AwBucket) * n_new,
												MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	table->mask = n_new - 1;

	for (uint64 i = 0; i < n_old; i++)
	{
		uint32		place;

		if (old[i].group == NULL)
			continue;
		place = old[i].group->hash & table->mask;
		while (table->buckets[place].group != NULL)
			place = (place + 1) & table->mask;
		table->buckets[place] = old[i];
	}
	if (old != NULL)
		pfree(old);
}

static void *
allocate(AwArena *arena, Size size)
{
	void	   *result;

	size = MAXALIGN(size);
	if (arena->n_left < size)
	{
		Size		chunk = Max(arena->chunk_size, size);

		arena->next = MemoryContextAlloc(arena->cxt, chunk);
		arena->n_left = chunk;
		arena->chunk_size = Min(arena->chunk_size * 2, LAST_CHUNK_BYTES);
	}
	result = arena->next;
	arena->next += size;
	arena->n_left -= size;
	return result;
}

static void
reset_arena(AwArena *arena)
{
	MemoryContextReset(arena->cxt);
	arena->next = NULL;
	arena->n_left = 0;
	arena->chunk_size = FIRST_CHUNK_BYTES;
}

static uint32
hash_key(AwSliceStore *store, int number, Datum key)
{
	const AwKeyColumn *column = &store->keys[number];

	if (column->is_plain)
		return mix(key);
	if (column->is_bytes)
	{
		struct varlena *value = PG_DETOAST_DATUM_PACKED(key);

		return hash_bytes((unsigned char *) VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
	}
	return mix(DatumGetUInt32(FunctionCall1Coll(&store->hash_functions[number],
												column->collation, key)));
}

static bool
equal_keys(AwSliceStore *store, int number, Datum a, Datum b)
{
	const AwKeyColumn *column = &store->keys[number];

	if (column->is_plain)
		return a == b;
	if (column->is_bytes)
	{
		struct varlena *left = PG_DETOAST_DATUM_PACKED(a);
		struct varlena *right = PG_DETOAST_DATUM_PACKED(b);
		Size		size = VARSIZE_ANY_EXHDR(left);

		return size == VARSIZE_ANY_EXHDR(right) &&
			memcmp(VARDATA_ANY(left), VARDATA_ANY(right), size) == 0;
	}
	return DatumGetBool(FunctionCall2Coll(&store->equal_functions[number], column->collation,
										  a, b));
}

/* A value whose unused bits are as those of all equal values. */
static Datum
plain_key(Datum value, int16 len)
{
	switch (len)
	{
		case 1:
			return CharGetDatum(DatumGetChar(value));
		case 2:
			return Int16GetDatum(DatumGetInt16(value));
		case 4:
			return Int32GetDatum(DatumGetInt32(value));
		default:
			return value;
	}
}

static uint32
mix(uint64 value)
{
	value *= UINT64CONST(0x9E3779B97F4A7C15);
	value ^= value >> 32;
	value *= UINT64CONST(0xD6E8FEB86659FD93);
	return (uint32) (value >> 32);
}

/* Spills if there is more memory than may be, and says when to look again. */
static void
check_memory(AwSliceStore *store)
{
	CHECK_FOR_INTERRUPTS();
	store->rows_to_check = Max(CHECK_ROWS, store->groups_in_memory / 16);
	if (MemoryContextMemAllocated(store->arena.cxt, true) <= store->limit)
		return;

	aw_slicestore_count_memory(store);
	if (store->file == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(store->cxt);

		PrepareTempTablespaces();
		store->file = BufFileCreateTemp(false);
		MemoryContextSwitchTo(caller);
	}
	spill(store);
}

/* Writes all groups to disk. */
static void
spill(AwSliceStore *store)
{
	StringInfoData buffer;

	initStringInfo(&buffer);
	for (int i = 0; i < store->n_slices; i++)
	{
		AwSlice    *slice = store->slices[i];

		CHECK_FOR_INTERRUPTS();
		if (slice->table.n_groups > 0 || slice->table.lone != NULL)
			spill_slice(store, slice, &buffer);
		memset(&slice->table, 0, sizeof(AwTable));
		slice->table.arena = &store->arena;
	}
	pfree(buffer.data);
	reset_arena(&store->arena);
	store->groups_in_memory = 0;
	store->rows_to_check = CHECK_ROWS;
}

/* Writes the groups of a slice as a run. */
static void
spill_slice(AwSliceStore *store, AwSlice *slice, StringInfo buffer)
{
	AwRun	   *run = MemoryContextAlloc(store->slices_cxt, sizeof(AwRun));
	AwGroup   **parts[AW_SLICE_PARTS];
	uint32		n_in_part[AW_SLICE_PARTS] = {0};
	AwGroup    *group;
	uint32		cursor = 0;
	int64		n_written = 0;

	while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
		n_in_part[group->hash / (PG_UINT32_MAX / AW_SLICE_PARTS + 1)]++;
	for (int part = 0; part < AW_SLICE_PARTS; part++)
	{
		parts[part] = MemoryContextAllocHuge(store->cxt,
											 sizeof(AwGroup *) * Max(n_in_part[part], 1));
		n_in_part[part] = 0;
	}
	cursor = 0;
	while ((group = aw_slicestore_next(&slice->table, &cursor)) != NULL)
	{
		int			part = group->hash / (PG_UINT32_MAX / AW_SLICE_PARTS + 1);

		parts[part][n_in_part[part]++] = group;
	}

	BufFileTell(store->file, &run->file, &run->offset);
	for (int part = 0; part < AW_SLICE_PARTS; part++)
	{
		for (uint32 i = 0; i < n_in_part[part]; i++)
		{
			CHECK_FOR_INTERRUPTS();
			resetStringInfo(buffer);
			write_group(store, parts[part][i], buffer);
			BufFileWrite(store->file, buffer->data, buffer->len);
			n_written += buffer->len;
		}
		run->part_end[part] = n_written;
		pfree(parts[part]);
	}

	store->counts.disk_bytes += n_written;
	slice->n_bytes += n_written;
	run->next = slice->runs;
	slice->runs = run;
}

/* A group as it is on disk: its length, hash, NULLs, keys and states. */
static void
write_group(AwSliceStore *store, const AwGroup *group, StringInfo buffer)
{
	uint32		length = 0;

	appendBinaryStringInfo(buffer, (char *) &length, sizeof(length));
	appendBinaryStringInfo(buffer, (const char *) &group->hash, sizeof(uint32));
	appendBinaryStringInfo(buffer, (const char *) &group->null_keys, sizeof(uint32));
	for (int i = 0; i < store->n_keys; i++)
	{
		const AwKeyColumn *key = &store->keys[i];
		bool		isnull = (group->null_keys & ((uint32) 1 << i)) != 0;
		Size		size = datumEstimateSpace(group->keys[i], isnull, key->is_by_value, key->len);
		char	   *end;

		enlargeStringInfo(buffer, size);
		end = buffer->data + buffer->len;
		datumSerialize(group->keys[i], isnull, key->is_by_value, key->len, &end);
		buffer->len = end - buffer->data;
	}
	aw_aggstate_write(store->aggregates, aw_slicestore_states(store, group), buffer);

	length = buffer->len - sizeof(length);
	memcpy(buffer->data, &length, sizeof(length));
}

/* Reads the groups of some parts of a run into the slice's table. */
static void
load_run(AwSliceStore *store, AwSlice *slice, const AwRun *run, int first_part, int end_part)
{
	int64		n_before = first_part > 0 ? run->part_end[first_part - 1] : 0;
	int64		n_left = run->part_end[end_part - 1] - n_before;
	char	   *states = palloc(Max(aw_aggstate_size(store->aggregates), 1));

	if (n_left > 0 && BufFileSeek(store->file, run->file, run->offset + n_before, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of slices")));

	while (n_left > 0)
	{
		uint32		length;
		MemoryContext caller;
		char	   *record;

		CHECK_FOR_INTERRUPTS();
		caller = MemoryContextSwitchTo(store->scratch);
		if (BufFileRead(store->file, &length, sizeof(length)) != sizeof(length))
			length = 0;
		record = palloc(Max(length, 1));
		if (length == 0 || BufFileRead(store->file, record, length) != length)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not read from a temporary file of slices")));
		read_group(store, slice, record, states);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(store->scratch);
		n_left -= sizeof(length) + length;
	}
	pfree(states);
}

/* Merges a group as it is on disk into the slice, with the scratch memory current. */
static const char *
read_group(AwSliceStore *store, AwSlice *slice, const char *from, char *states)
{
	Datum		keys[AW_SLICE_MAX_KEYS];
	char	   *place = unconstify(char *, from);
	uint32		hash;
	uint32		null_keys;
	AwGroup    *group;
	bool		is_new;

	memcpy(&hash, place, sizeof(uint32));
	memcpy(&null_keys, place + sizeof(uint32), sizeof(uint32));
	place += 2 * sizeof(uint32);
	for (int i = 0; i < store->n_keys; i++)
	{
		bool		isnull;

		keys[i] = datumRestore(&place, &isnull);
	}
	from = aw_aggstate_read(store->aggregates, place, states, store->scratch);

	group = find_group(store, &slice->table, keys, null_keys, hash, &is_new);
	if (is_new)
		aw_aggstate_begin(store->aggregates, aw_slicestore_states(store, group),
						  slice->arena.cxt);
	aw_aggstate_merge(store->aggregates, aw_slicestore_states(store, group), slice->arena.cxt,
					  states);
	return from;
}

/* Gives a slice an empty table in memory of its own. */
static void
begin_slice_arena(AwSliceStore *store, AwSlice *slice)
{
	slice->arena.cxt = AllocSetContextCreate(store->cxt, "slice", ALLOCSET_START_SMALL_SIZES);
	reset_arena(&slice->arena);
	memset(&slice->table, 0, sizeof(AwTable));
	slice->table.arena = &slice->arena;
}

static int
compare_slices(const void *a, const void *b)
{
	const AwSlice *left = *(AwSlice *const *) a;
	const AwSlice *right = *(AwSlice *const *) b;

	/* NULL is last, as in the order of SQL. */
	if (left->start_us == AW_SLICE_NO_TIME || right->start_us == AW_SLICE_NO_TIME)
		return (left->start_us == AW_SLICE_NO_TIME) - (right->start_us == AW_SLICE_NO_TIME);
	return (left->start_us > right->start_us) - (left->start_us < right->start_us);
}
