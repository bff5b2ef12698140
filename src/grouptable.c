/*
 * grouptable.c
 *
 * Hash tables of groups by their keys, open and at most three quarters full; buckets
 * hold what tells most keys apart.  Groups stay where they are, in an arena that
 * tables may share, and go with it.  NULL is a key like others.
 *
 * A key of one plain value is compared without a call, and needs no copy.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "port/pg_bitutils.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "compat.h"
#include "grouptable.h"

#define FIRST_BUCKETS		8
#define LAST_CHUNK_BYTES	((Size) 1024 * 1024)

static AwGroup *find_group(AwGroupForm *form, AwTable *table, const Datum *keys, uint32 null_keys,
						   uint32 hash, bool *is_new);
static bool same_keys(AwGroupForm *form, const AwGroup *group, const Datum *keys,
					  uint32 null_keys);
static AwGroup *add_group(AwGroupForm *form, AwTable *table, const Datum *keys, uint32 null_keys,
						  uint32 hash);
static void grow_table(AwTable *table);
static void *allocate(AwArena *arena, Size size);
static uint32 hash_key(AwGroupForm *form, int number, Datum key);
static bool equal_keys(AwGroupForm *form, int number, Datum a, Datum b);
static Datum plain_key(Datum value, int16 len);
static uint32 mix(uint64 value);

/* Makes a form ready, in the current memory context. */
void
aw_grouptable_init_form(AwGroupForm *form, const AwKeyColumn *keys, int n_keys,
						Size states_size)
{
	Assert(n_keys <= AW_SLICE_MAX_KEYS);
	memset(form, 0, sizeof(AwGroupForm));
	form->n_keys = n_keys;
	form->keys = palloc0(sizeof(AwKeyColumn) * Max(n_keys, 1));
	form->hash_functions = palloc0(sizeof(FmgrInfo) * Max(n_keys, 1));
	form->equal_functions = palloc0(sizeof(FmgrInfo) * Max(n_keys, 1));
	for (int i = 0; i < n_keys; i++)
	{
		form->keys[i] = keys[i];
		if (keys[i].is_plain)
			continue;
		fmgr_info(keys[i].hash_function, &form->hash_functions[i]);
		fmgr_info(keys[i].equal_function, &form->equal_functions[i]);
		form->has_functions = true;
	}
	form->is_single_plain = (n_keys == 1 && keys[0].is_plain);
	form->states_offset = MAXALIGN(offsetof(AwGroup, keys) + sizeof(Datum) * n_keys);
	form->size = form->states_offset + states_size;
	form->scratch = AllocSetContextCreate(CurrentMemoryContext, "keys of groups",
										  ALLOCSET_SMALL_SIZES);
}

/* Gives back all memory of an arena, whose context is set. */
void
aw_grouptable_reset_arena(AwArena *arena, Size chunk_size)
{
	MemoryContextReset(arena->cxt);
	arena->next = NULL;
	arena->n_left = 0;
	arena->chunk_size = chunk_size;
}

/* The group of a row; a new one has no states yet. */
AwGroup *
aw_grouptable_enter_row(AwGroupForm *form, AwTable *table, const Datum *values,
						const bool *nulls, bool *is_new)
{
	Datum		keys[AW_SLICE_MAX_KEYS];
	uint32		null_keys = 0;
	uint32		hash = 0;
	AwGroup    *group;
	MemoryContext caller = CurrentMemoryContext;

	if (form->has_functions)
		MemoryContextSwitchTo(form->scratch);
	for (int i = 0; i < form->n_keys; i++)
	{
		const AwKeyColumn *key = &form->keys[i];

		keys[i] = (Datum) 0;
		if (nulls[key->column])
			null_keys |= (uint32) 1 << i;
		else
			keys[i] = key->is_plain ? plain_key(values[key->column], key->len) :
				values[key->column];
		hash = pg_rotate_left32(hash, 5) ^
			(nulls[key->column] ? 0 : hash_key(form, i, keys[i]));
	}

	group = find_group(form, table, keys, null_keys, hash, is_new);
	if (form->has_functions)
	{
		MemoryContextSwitchTo(caller);
		MemoryContextReset(form->scratch);
	}
	return group;
}

/* The group with some keys, whose hash is known; a new one has no states yet. */
AwGroup *
aw_grouptable_enter(AwGroupForm *form, AwTable *table, const Datum *keys, uint32 null_keys,
					uint32 hash, bool *is_new)
{
	MemoryContext caller = CurrentMemoryContext;
	AwGroup    *group;

	if (!form->has_functions)
		return find_group(form, table, keys, null_keys, hash, is_new);

	MemoryContextSwitchTo(form->scratch);
	group = find_group(form, table, keys, null_keys, hash, is_new);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(form->scratch);
	return group;
}

/* Takes a group out of its table; its memory is used for another group of the table. */
void
aw_grouptable_remove(const AwGroupForm *form, AwTable *table, AwGroup *group)
{
	uint32		hole;
	uint32		i;

	for (int key = 0; key < form->n_keys; key++)
	{
		if (!table->borrows_keys && !form->keys[key].is_by_value &&
			!(group->null_keys & ((uint32) 1 << key)))
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

/* Walks over the groups of a table, with a cursor that starts at 0; NULL at the end. */
AwGroup *
aw_grouptable_next(const AwTable *table, uint32 *cursor)
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

/* Finds a group, or adds it. */
static AwGroup *
find_group(AwGroupForm *form, AwTable *table, const Datum *keys, uint32 null_keys, uint32 hash,
		   bool *is_new)
{
	uint64		tag = hash;

	*is_new = false;
	if (form->n_keys == 0 || (form->is_single_plain && null_keys != 0))
	{
		if (table->lone == NULL)
		{
			table->lone = add_group(form, table, keys, null_keys, hash);
			*is_new = true;
		}
		return table->lone;
	}

	if (form->is_single_plain)
		tag = keys[0];
	if (table->buckets == NULL || table->n_groups > table->mask - table->mask / 4)
		grow_table(table);

	for (uint32 i = hash & table->mask;; i = (i + 1) & table->mask)
	{
		AwBucket   *bucket = &table->buckets[i];

		if (bucket->group == NULL)
		{
			bucket->group = add_group(form, table, keys, null_keys, hash);
			bucket->tag = tag;
			table->n_groups++;
			*is_new = true;
			return bucket->group;
		}
		if (bucket->tag == tag &&
			(form->is_single_plain || same_keys(form, bucket->group, keys, null_keys)))
			return bucket->group;
	}
}

/* NULL is the same as NULL. */
static bool
same_keys(AwGroupForm *form, const AwGroup *group, const Datum *keys, uint32 null_keys)
{
	if (group->null_keys != null_keys)
		return false;

	for (int i = 0; i < form->n_keys; i++)
	{
		if (!(null_keys & ((uint32) 1 << i)) && !equal_keys(form, i, group->keys[i], keys[i]))
			return false;
	}
	return true;
}

/* A group with a copy of the keys, unless they are borrowed, in the table's arena. */
static AwGroup *
add_group(AwGroupForm *form, AwTable *table, const Datum *keys, uint32 null_keys, uint32 hash)
{
	AwGroup    *group = table->spare;
	MemoryContext caller = MemoryContextSwitchTo(table->arena->cxt);

	if (group != NULL)
		table->spare = group->next;
	else
		group = allocate(table->arena, form->size + table->extra_size);

	group->hash = hash;
	group->null_keys = null_keys;
	group->owner = NULL;
	group->next = NULL;
	for (int i = 0; i < form->n_keys; i++)
	{
		const AwKeyColumn *key = &form->keys[i];

		group->keys[i] = (Datum) 0;
		if (!(null_keys & ((uint32) 1 << i)))
			group->keys[i] = table->borrows_keys ? keys[i] :
				datumCopy(keys[i], key->is_by_value, key->len);
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
		arena->chunk_size = Min(arena->chunk_size * 2, arena->most_chunk_size > 0 ?
								arena->most_chunk_size : LAST_CHUNK_BYTES);
	}
	result = arena->next;
	arena->next += size;
	arena->n_left -= size;
	return result;
}

static uint32
hash_key(AwGroupForm *form, int number, Datum key)
{
	const AwKeyColumn *column = &form->keys[number];

	if (column->is_plain)
		return mix(key);
	if (column->is_bytes)
	{
		struct varlena *value = PG_DETOAST_DATUM_PACKED(key);

		return hash_bytes((unsigned char *) VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
	}
	return mix(DatumGetUInt32(FunctionCall1Coll(&form->hash_functions[number],
												column->collation, key)));
}

static bool
equal_keys(AwGroupForm *form, int number, Datum a, Datum b)
{
	const AwKeyColumn *column = &form->keys[number];

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
	return DatumGetBool(FunctionCall2Coll(&form->equal_functions[number], column->collation,
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
