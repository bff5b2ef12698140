/*
 * distinctset.c
 *
 * A multiset of values as a hash table.  A value is a Datum whose bits tell it apart,
 * or a varlena whose bytes do, of which the set keeps a copy.
 *
 * Numbers of times add up and can be subtracted, so that merging a set and retracting
 * it again leaves what there was.  Values that are there no time keep their place
 * until the table grows.
 *
 * A set lives in one memory context, and is never given back on its own.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "distinctset.h"

#define FIRST_ENTRIES	4

typedef struct DistinctEntry
{
	Datum		value;
	int64		n;				/* times; 0 for a value that has gone */
	uint32		hash;
	bool		is_used;
} DistinctEntry;

struct AwDistinctSet
{
	bool		is_bytes;
	MemoryContext cxt;
	uint64		mask;			/* entries, a power of two, less one */
	uint64		n_used;
	int64		n_present;
	DistinctEntry *entries;
};

static void change(AwDistinctSet *set, Datum value, uint32 hash, int64 times);
static DistinctEntry *find(const AwDistinctSet *set, Datum value, uint32 hash);
static void make_room(AwDistinctSet *set);
static Datum copy_value(const AwDistinctSet *set, Datum value);
static uint32 hash_value(const AwDistinctSet *set, Datum value);

AwDistinctSet *
aw_distinctset_create(bool is_bytes, MemoryContext cxt)
{
	AwDistinctSet *set = MemoryContextAlloc(cxt, sizeof(AwDistinctSet));

	set->is_bytes = is_bytes;
	set->cxt = cxt;
	set->mask = FIRST_ENTRIES - 1;
	set->n_used = 0;
	set->n_present = 0;
	set->entries = MemoryContextAllocZero(cxt, sizeof(DistinctEntry) * FIRST_ENTRIES);
	return set;
}

/* How many different values there are. */
int64
aw_distinctset_count(const AwDistinctSet *set)
{
	return set->n_present;
}

/* Adds a value; what it takes to read it is left in the current memory context. */
void
aw_distinctset_add(AwDistinctSet *set, Datum value)
{
	if (set->is_bytes)
		value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
	change(set, value, hash_value(set, value), 1);
}

void
aw_distinctset_merge(AwDistinctSet *set, const AwDistinctSet *other)
{
	for (uint64 i = 0; i <= other->mask; i++)
	{
		const DistinctEntry *entry = &other->entries[i];

		if (entry->n != 0)
			change(set, entry->value, entry->hash, entry->n);
	}
	CHECK_FOR_INTERRUPTS();
}

/* Takes out a set that was merged before. */
void
aw_distinctset_retract(AwDistinctSet *set, const AwDistinctSet *other)
{
	for (uint64 i = 0; i <= other->mask; i++)
	{
		const DistinctEntry *entry = &other->entries[i];

		if (entry->n != 0)
			change(set, entry->value, entry->hash, -entry->n);
	}
	CHECK_FOR_INTERRUPTS();
}

/* Appends the number of values, and each with its times. */
void
aw_distinctset_write(const AwDistinctSet *set, StringInfo buffer)
{
	appendBinaryStringInfo(buffer, (const char *) &set->n_present, sizeof(int64));
	for (uint64 i = 0; i <= set->mask; i++)
	{
		const DistinctEntry *entry = &set->entries[i];

		if (entry->n == 0)
			continue;
		appendBinaryStringInfo(buffer, (const char *) &entry->n, sizeof(int64));
		if (set->is_bytes)
		{
			const struct varlena *value = (const struct varlena *) DatumGetPointer(entry->value);
			uint32		size = VARSIZE_ANY_EXHDR(value);

			appendBinaryStringInfo(buffer, (const char *) &size, sizeof(size));
			appendBinaryStringInfo(buffer, VARDATA_ANY(value), size);
		}
		else
			appendBinaryStringInfo(buffer, (const char *) &entry->value, sizeof(Datum));
	}
}

/* Adds what was written at from; returns the place behind it. */
const char *
aw_distinctset_read(AwDistinctSet *set, const char *from)
{
	int64		n_values;

	memcpy(&n_values, from, sizeof(n_values));
	from += sizeof(n_values);
	for (int64 i = 0; i < n_values; i++)
	{
		int64		times;
		Datum		value;
		uint32		size = sizeof(Datum);

		memcpy(&times, from, sizeof(times));
		from += sizeof(times);
		if (set->is_bytes)
		{
			struct varlena *copy;

			memcpy(&size, from, sizeof(size));
			from += sizeof(size);
			copy = palloc(VARHDRSZ + (Size) size);
			SET_VARSIZE(copy, VARHDRSZ + size);
			memcpy(VARDATA(copy), from, size);
			value = PointerGetDatum(copy);
		}
		else
			memcpy(&value, from, sizeof(value));
		from += size;
		change(set, value, hash_value(set, value), times);
	}
	return from;
}

/* Adds to the times that a value is there. */
static void
change(AwDistinctSet *set, Datum value, uint32 hash, int64 times)
{
	DistinctEntry *entry;
	bool		was_present;

	if (set->n_used > set->mask - set->mask / 4)
		make_room(set);

	entry = find(set, value, hash);
	if (!entry->is_used)
	{
		entry->value = copy_value(set, value);
		entry->hash = hash;
		entry->n = 0;
		entry->is_used = true;
		set->n_used++;
	}
	was_present = (entry->n != 0);
	entry->n += times;
	set->n_present += (entry->n != 0) - was_present;
}

/* The entry of a value, or the one that it would have. */
static DistinctEntry *
find(const AwDistinctSet *set, Datum value, uint32 hash)
{
	for (uint64 i = hash & set->mask;; i = (i + 1) & set->mask)
	{
		DistinctEntry *entry = &set->entries[i];

		if (!entry->is_used)
			return entry;
		if (entry->hash != hash)
			continue;
		if (!set->is_bytes)
		{
			if (entry->value == value)
				return entry;
		}
		else
		{
			const struct varlena *left = (const struct varlena *) DatumGetPointer(entry->value);
			const struct varlena *right = (const struct varlena *) DatumGetPointer(value);
			Size		size = VARSIZE_ANY_EXHDR(left);

			if (size == VARSIZE_ANY_EXHDR(right) &&
				memcmp(VARDATA_ANY(left), VARDATA_ANY(right), size) == 0)
				return entry;
		}
	}
}

/* Drops values that are not there, and doubles the table if most are. */
static void
make_room(AwDistinctSet *set)
{
	DistinctEntry *old = set->entries;
	uint64		n_old = set->mask + 1;
	uint64		n_new = ((uint64) set->n_present > n_old / 2) ? n_old * 2 : n_old;

	set->entries = MemoryContextAllocExtended(set->cxt, sizeof(DistinctEntry) * n_new,
											  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	set->mask = n_new - 1;
	set->n_used = 0;
	for (uint64 i = 0; i < n_old; i++)
	{
		if (old[i].n != 0)
		{
			*find(set, old[i].value, old[i].hash) = old[i];
			set->n_used++;
		}
		else if (old[i].is_used && set->is_bytes)
			pfree(DatumGetPointer(old[i].value));
	}
	pfree(old);
}

static Datum
copy_value(const AwDistinctSet *set, Datum value)
{
	Size		size;
	void	   *copy;

	if (!set->is_bytes)
		return value;
	size = VARSIZE_ANY(DatumGetPointer(value));
	copy = MemoryContextAlloc(set->cxt, size);
	memcpy(copy, DatumGetPointer(value), size);
	return PointerGetDatum(copy);
}

static uint32
hash_value(const AwDistinctSet *set, Datum value)
{
	const struct varlena *bytes = (const struct varlena *) DatumGetPointer(value);

	if (set->is_bytes)
		return hash_bytes((const unsigned char *) VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
	return hash_bytes_uint32((uint32) value ^ (uint32) (value >> 32));
}
