/*
 * openslices.c
 *
 * A directory of slices, each with a hash table of groups in memory of its own, which
 * goes with the slice.  A row costs O(1).
 *
 * In the order of time, slices are an array with a gap at its start: the oldest ones
 * are dropped first, and that must not move all others.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "compat.h"
#include "grouprecord.h"
#include "openslices.h"

#define FIRST_SLICES		64

/* There may be many slices with few groups. */
#define FIRST_CHUNK_BYTES	((Size) 512)

typedef struct DirectoryEntry
{
	int64		start_us;
	AwOpenSlice *slice;
} DirectoryEntry;

struct AwOpenSlices
{
	AwAggregates *aggregates;
	AwGroupForm form;
	MemoryContext cxt;
	MemoryContext scratch;		/* of a record that is read */
	HTAB	   *directory;
	AwOpenSlice **array;
	int			first;			/* in the array */
	int			n_slices;
	int			n_allocated;
	bool		is_unsorted;	/* a slice came before the one that was last */
};

static void append(AwOpenSlices *slices, AwOpenSlice *slice);
static int	compare_slices(const void *a, const void *b);

/* None yet, in the current memory context. */
AwOpenSlices *
aw_openslices_create(AwAggregates *aggregates, const AwKeyColumn *keys, int n_keys)
{
	AwOpenSlices *slices = palloc0(sizeof(AwOpenSlices));
	HASHCTL		control = {.keysize = sizeof(int64),.entrysize = sizeof(DirectoryEntry)};

	slices->aggregates = aggregates;
	slices->cxt = CurrentMemoryContext;
	aw_grouptable_init_form(&slices->form, keys, n_keys, aw_aggstate_size(aggregates));
	slices->scratch = AllocSetContextCreate(slices->cxt, "record of a group",
											ALLOCSET_SMALL_SIZES);
	control.hcxt = slices->cxt;
	slices->directory = hash_create("open slices", FIRST_SLICES, &control,
									HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	slices->n_allocated = FIRST_SLICES;
	slices->array = palloc(sizeof(AwOpenSlice *) * slices->n_allocated);
	return slices;
}

/* The form of the groups of all slices. */
AwGroupForm *
aw_openslices_form(AwOpenSlices *slices)
{
	return &slices->form;
}

/* The slice with this start, NULL if there is none. */
AwOpenSlice *
aw_openslices_find(AwOpenSlices *slices, int64 start_us)
{
	DirectoryEntry *entry = hash_search(slices->directory, &start_us, HASH_FIND, NULL);

	return entry != NULL ? entry->slice : NULL;
}

/* The slice with this start, made if it is new. */
AwOpenSlice *
aw_openslices_enter(AwOpenSlices *slices, int64 start_us, int64 end_us)
{
	bool		found;
	DirectoryEntry *entry = hash_search(slices->directory, &start_us, HASH_ENTER, &found);

	if (!found)
	{
		entry->slice = aw_openslices_create_apart(slices, start_us, end_us);
		append(slices, entry->slice);
	}
	return entry->slice;
}

/* All slices, in the order of time. */
AwOpenSlice **
aw_openslices_sorted(AwOpenSlices *slices, int *n_slices)
{
	AwOpenSlice **array = slices->array + slices->first;

	if (slices->is_unsorted)
		qsort(array, slices->n_slices, sizeof(AwOpenSlice *), compare_slices);
	slices->is_unsorted = false;
	*n_slices = slices->n_slices;
	return array;
}

/* Forgets a slice, given its place among all of them in the order of time. */
void
aw_openslices_drop(AwOpenSlices *slices, int number)
{
	AwOpenSlice **array = slices->array + slices->first;
	AwOpenSlice *slice = array[number];

	Assert(!slices->is_unsorted && number < slices->n_slices);
	hash_search(slices->directory, &slice->start_us, HASH_REMOVE, NULL);
	if (number < slices->n_slices / 2)
	{
		memmove(&array[1], &array[0], sizeof(AwOpenSlice *) * number);
		slices->first++;
	}
	else
		memmove(&array[number], &array[number + 1],
				sizeof(AwOpenSlice *) * (slices->n_slices - number - 1));
	slices->n_slices--;
	aw_openslices_free_apart(slice);
}

/* A slice that is not in the directory. */
AwOpenSlice *
aw_openslices_create_apart(AwOpenSlices *slices, int64 start_us, int64 end_us)
{
	MemoryContext cxt = AllocSetContextCreate(slices->cxt, "open slice",
											  ALLOCSET_START_SMALL_SIZES);
	AwOpenSlice *slice = MemoryContextAllocZero(cxt, sizeof(AwOpenSlice));

	slice->start_us = start_us;
	slice->end_us = end_us;
	slice->arena.cxt = cxt;
	slice->arena.chunk_size = FIRST_CHUNK_BYTES;
	slice->table.arena = &slice->arena;
	return slice;
}

void
aw_openslices_free_apart(AwOpenSlice *slice)
{
	MemoryContextDelete(slice->arena.cxt);
}

/* Adds a row to its group in a slice. */
void
aw_openslices_add_row(AwOpenSlices *slices, AwOpenSlice *slice, const Datum *values,
					  const bool *nulls)
{
	MemoryContext cxt = slice->arena.cxt;
	bool		is_new;
	AwGroup    *group = aw_grouptable_enter_row(&slices->form, &slice->table, values, nulls,
												&is_new);
	char	   *states = aw_grouptable_states(&slices->form, group);

	if (is_new)
		aw_aggstate_begin(slices->aggregates, states, cxt);
	aw_aggstate_add_row(slices->aggregates, states, cxt, values, nulls);
	slice->n_rows++;
	slice->is_dirty = true;
}

/* Adds all rows of a slice to another, which keeps nothing of it. */
void
aw_openslices_merge(AwOpenSlices *slices, AwOpenSlice *into, const AwOpenSlice *from)
{
	MemoryContext cxt = into->arena.cxt;
	AwGroup    *other;
	uint32		cursor = 0;

	while ((other = aw_grouptable_next(&from->table, &cursor)) != NULL)
	{
		bool		is_new;
		AwGroup    *group = aw_grouptable_enter(&slices->form, &into->table, other->keys,
												other->null_keys, other->hash, &is_new);
		char	   *states = aw_grouptable_states(&slices->form, group);

		CHECK_FOR_INTERRUPTS();
		if (is_new)
			aw_aggstate_begin(slices->aggregates, states, cxt);
		aw_aggstate_merge(slices->aggregates, states, cxt,
						  aw_grouptable_states(&slices->form, other));
		into->is_dirty = true;
	}
	into->n_rows += from->n_rows;
}

/* Appends all groups of a slice, as aw_openslices_read() takes them. */
void
aw_openslices_write(AwOpenSlices *slices, const AwOpenSlice *slice, StringInfo buffer)
{
	StringInfoData record;
	AwGroup    *group;
	uint32		cursor = 0;

	initStringInfo(&record);
	while ((group = aw_grouptable_next(&slice->table, &cursor)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		aw_grouprecord_write(&slices->form, slices->aggregates, group, &record);
		appendBinaryStringInfo(buffer, record.data, record.len);
	}
	pfree(record.data);
}

/* Merges groups that were written into a slice. */
void
aw_openslices_read(AwOpenSlices *slices, AwOpenSlice *slice, const char *from, Size size)
{
	const char *end = from + size;
	char	   *states = palloc(Max(aw_aggstate_size(slices->aggregates), 1));

	while (from < end)
	{
		MemoryContext caller = MemoryContextSwitchTo(slices->scratch);
		uint32		length;

		CHECK_FOR_INTERRUPTS();
		memcpy(&length, from, sizeof(length));
		aw_grouprecord_read(&slices->form, slices->aggregates, &slice->table,
							from + sizeof(length), states);
		from += sizeof(length) + length;
		MemoryContextSwitchTo(caller);
		MemoryContextReset(slices->scratch);
	}
	pfree(states);
}

/* Puts a slice at the end of the array, moving all to its start if that makes room. */
static void
append(AwOpenSlices *slices, AwOpenSlice *slice)
{
	int			end = slices->first + slices->n_slices;

	if (end == slices->n_allocated && slices->first > end / 2)
	{
		memmove(slices->array, slices->array + slices->first,
				sizeof(AwOpenSlice *) * slices->n_slices);
		slices->first = 0;
		end = slices->n_slices;
	}
	if (end == slices->n_allocated)
	{
		slices->n_allocated *= 2;
		slices->array = repalloc_huge(slices->array,
									  sizeof(AwOpenSlice *) * slices->n_allocated);
	}
	if (slices->n_slices > 0 && slices->array[end - 1]->start_us > slice->start_us)
		slices->is_unsorted = true;
	slices->array[end] = slice;
	slices->n_slices++;
}

static int
compare_slices(const void *a, const void *b)
{
	const AwOpenSlice *left = *(AwOpenSlice *const *) a;
	const AwOpenSlice *right = *(AwOpenSlice *const *) b;

	return (left->start_us > right->start_us) - (left->start_us < right->start_us);
}
