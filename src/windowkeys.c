/*
 * windowkeys.c
 *
 * A dictionary of keys, which can also be walked over: an array has all that are in
 * it, in no order.
 *
 * Keys may be equal and yet not the same, as 1 and 1.00 are.  A dictionary has copies of
 * those that were entered first, or borrows those of the groups that were entered last:
 * these groups must stay as long as the key does.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "windowkeys.h"

#define FIRST_CHUNK_BYTES	8192

/* An empty dictionary, in the current memory context, in blocks of at most block_size bytes. */
void
aw_windowkeys_init(AwWindowKeys *keys, AwGroupForm *form, Size block_size)
{
	memset(keys, 0, sizeof(AwWindowKeys));
	keys->form = form;
	keys->arena.cxt = AllocSetContextCreate(CurrentMemoryContext, "keys of windows",
											ALLOCSET_DEFAULT_MINSIZE, ALLOCSET_DEFAULT_INITSIZE,
											block_size);
	keys->arena.most_chunk_size = block_size;
	keys->n_allocated = 64;
	keys->live = palloc(sizeof(AwGroup *) * keys->n_allocated);
	aw_windowkeys_reset(keys);
}

/* Borrows keys from now on; the dictionary is empty afterwards. */
void
aw_windowkeys_borrow(AwWindowKeys *keys)
{
	keys->is_borrowing = true;
	aw_windowkeys_reset(keys);
}

/* Forgets all keys. */
void
aw_windowkeys_reset(AwWindowKeys *keys)
{
	aw_grouptable_reset_arena(&keys->arena, FIRST_CHUNK_BYTES);
	memset(&keys->table, 0, sizeof(AwTable));
	keys->table.arena = &keys->arena;
	keys->table.extra_size = sizeof(AwKeyExtra);
	keys->table.borrows_keys = keys->is_borrowing;
	keys->n_live = 0;
}

/* The entry for the key of a group, in a slice that starts there. */
AwGroup *
aw_windowkeys_enter(AwWindowKeys *keys, const AwGroup *group, int64 start_us)
{
	bool		is_new;
	AwGroup    *key = aw_grouptable_enter(keys->form, &keys->table, group->keys,
											   group->null_keys, group->hash, &is_new);
	AwKeyExtra *extra = aw_windowkeys_extra(keys, key);

	if (!is_new)
	{
		if (keys->is_borrowing && start_us >= extra->newest_us)
			memcpy(key->keys, group->keys, sizeof(Datum) * keys->form->n_keys);
		extra->newest_us = Max(extra->newest_us, start_us);
		return key;
	}

	if (keys->n_live == keys->n_allocated)
	{
		keys->n_allocated *= 2;
		keys->live = repalloc_huge(keys->live, sizeof(AwGroup *) * keys->n_allocated);
	}
	extra->n_slices = 0;
	extra->back = 0;
	extra->place = keys->n_live;
	extra->newest_us = start_us;
	keys->live[keys->n_live++] = key;
	return key;
}

void
aw_windowkeys_remove(AwWindowKeys *keys, AwGroup *key)
{
	uint32		place = aw_windowkeys_extra(keys, key)->place;

	aw_grouptable_remove(keys->form, &keys->table, key);
	keys->live[place] = keys->live[--keys->n_live];
	aw_windowkeys_extra(keys, keys->live[place])->place = place;
}
