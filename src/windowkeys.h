/*
 * windowkeys.h
 *
 * The keys that the window at hand has rows of.
 */
#ifndef AW_WINDOWKEYS_H
#define AW_WINDOWKEYS_H

#include "grouptable.h"

/* What a key has behind its states. */
typedef struct AwKeyExtra
{
	int64		n_slices;		/* that hold the key (retract, forward) */
	uint64		back;			/* the back that its states belong to (two stacks) */
	uint32		place;			/* in the array of live keys */
	int64		newest_us;		/* start of the newest slice that holds the key */
} AwKeyExtra;

typedef struct AwWindowKeys
{
	AwGroupForm *form;
	AwArena		arena;
	AwTable		table;
	AwGroup   **live;
	uint32		n_live;
	uint32		n_allocated;
	bool		is_borrowing;	/* a key is that of the group in the newest slice */
} AwWindowKeys;

extern void aw_windowkeys_init(AwWindowKeys *keys, AwGroupForm *form, Size block_size);
extern void aw_windowkeys_borrow(AwWindowKeys *keys);
extern void aw_windowkeys_reset(AwWindowKeys *keys);
extern AwGroup *aw_windowkeys_enter(AwWindowKeys *keys, const AwGroup *group, int64 start_us);
extern void aw_windowkeys_remove(AwWindowKeys *keys, AwGroup *key);

static inline AwKeyExtra *
aw_windowkeys_extra(const AwWindowKeys *keys, const AwGroup *key)
{
	return (AwKeyExtra *) aw_grouptable_extra(keys->form, key);
}

#endif							/* AW_WINDOWKEYS_H */
