/*
 * windowsums.c
 *
 * Merges open slices into windows of HOP, over all keys at once, as windowop.c does
 * for a query by hand; but slices stay as they are, since their windows come out over
 * days, and they are written meanwhile.  A dictionary has an entry for each key that
 * the window at hand has rows of:
 *
 *	 retract     One sum per key, from which slices are taken out again.
 *	 two stacks  The newer slices are the back, with one sum per key.  The older ones
 *	             are the front: there a key has a chain of sums, each of a slice and
 *	             of those after it in the front, and the window is front and back
 *	             together.  When the front is used up, the back becomes the front.
 *
 * A key is shown as the newest slice has it that has rows of it, as windowop.c does.
 *
 * Rows that come for a slice that is at hand go into all sums that it is in.  All of it
 * can be made from the slices again, and is, if rows make a slice in the midst of those
 * at hand.  Slices that are at hand must not be dropped.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "windowkeys.h"
#include "windowsums.h"

/* Sums from which slices are taken out leave garbage: so much of it is tolerated. */
#define MIN_GARBAGE_BYTES	((Size) 1024 * 1024)
#define MAX_GROWTH			4

/* A slice at hand. */
typedef struct HeldSlice
{
	AwOpenSlice *slice;
	int64		start_us;
	AwGroup   **sums;			/* in the front, their owners being keys */
	uint32		n_sums;
	uint32		n_allocated;
} HeldSlice;

struct AwWindowSums
{
	AwAggregates *aggregates;
	AwGroupForm *form;
	bool		is_retracting;

	/* slices at hand: [front, back) are the front, [back, end) the back */
	HeldSlice  *held;
	int			n_allocated;
	int			front;
	int			back;
	int			end;
	uint64		back_number;	/* of the back, from 1 */
	AwSpan		window;			/* at hand */
	Size		back_limit;		/* bytes of the back with which sums are made anew */

	MemoryContext back_cxt;		/* what the states of keys point to */
	MemoryContext front_cxt;
	MemoryContext merged_cxt;	/* what merged states point to */
	AwWindowKeys keys;
	char	   *merged;			/* front and back of a key */
};

static int	find_held(const AwWindowSums *sums, const AwOpenSlice *slice);
static void add_to_front(AwWindowSums *sums, HeldSlice *held, AwGroup *key, const AwGroup *group,
						 bool is_new_key);
static AwGroup *add_sum(AwWindowSums *sums, HeldSlice *held, AwGroup *key, const AwGroup *group,
						AwGroup *next);
static void reset(AwWindowSums *sums);
static int	first_slice(AwOpenSlice **slices, int n_slices, int64 start_us);
static void take_in(AwWindowSums *sums, AwOpenSlice *slice);
static void let_go(AwWindowSums *sums, HeldSlice *held);
static void turn_back_to_front(AwWindowSums *sums);
static AwGroup *enter_key(AwWindowSums *sums, const AwGroup *group, const AwOpenSlice *slice);
static void leave_key(AwWindowSums *sums, AwGroup *key);
static char *states_of_key(AwWindowSums *sums, AwGroup *key);
static void merge(AwWindowSums *sums, AwGroup *into, MemoryContext cxt, const AwGroup *group);
static char *states_of(const AwWindowSums *sums, const AwGroup *group);
static int64 *start_of_sum(const AwWindowSums *sums, AwGroup *sum);

/* Sums of nothing, in the current memory context, of slices whose groups have a form. */
AwWindowSums *
aw_windowsums_create(AwAggregates *aggregates, AwGroupForm *form)
{
	AwWindowSums *sums = palloc0(sizeof(AwWindowSums));

	sums->aggregates = aggregates;
	sums->form = form;
	sums->is_retracting = aw_aggstate_can_retract(aggregates);
	sums->n_allocated = 64;
	sums->held = palloc(sizeof(HeldSlice) * sums->n_allocated);
	sums->back_cxt = AllocSetContextCreate(CurrentMemoryContext, "newer slices of a window",
										   ALLOCSET_DEFAULT_SIZES);
	sums->front_cxt = AllocSetContextCreate(CurrentMemoryContext, "older slices of a window",
											ALLOCSET_DEFAULT_SIZES);
	sums->merged_cxt = AllocSetContextCreate(CurrentMemoryContext, "merged states",
											 ALLOCSET_SMALL_SIZES);
	sums->merged = palloc0(Max(aw_aggstate_size(aggregates), 1));
	aw_windowkeys_init(&sums->keys, form, ALLOCSET_DEFAULT_MAXSIZE);
	aw_windowkeys_borrow(&sums->keys);
	reset(sums);
	return sums;
}

/* Takes out slices that start earlier. */
void
aw_windowsums_let_go(AwWindowSums *sums, int64 start_us)
{
	if (sums->front < sums->end && sums->held[sums->end - 1].start_us < start_us)
		reset(sums);
	while (sums->front < sums->end && sums->held[sums->front].start_us < start_us)
	{
		if (!sums->is_retracting && sums->front == sums->back)
			turn_back_to_front(sums);
		let_go(sums, &sums->held[sums->front++]);
		sums->back = Max(sums->back, sums->front);
	}
}

/*
 * Moves on to a window, whose start and end are no earlier than those of the window
 * before.  All slices are given, in the order of time.
 */
void
aw_windowsums_move(AwWindowSums *sums, const AwSpan *window, AwOpenSlice **slices, int n_slices)
{
	int64		from_us = window->start_us;

	if (sums->is_retracting && sums->back_limit > 0 &&
		MemoryContextMemAllocated(sums->back_cxt, true) > sums->back_limit)
		reset(sums);
	aw_windowsums_let_go(sums, window->start_us);
	if (sums->front < sums->end)
		from_us = Max(from_us, sums->window.end_us);
	for (int i = first_slice(slices, n_slices, from_us);
		 i < n_slices && slices[i]->start_us < window->end_us; i++)
		take_in(sums, slices[i]);
	sums->window = *window;
	if (sums->back_limit == 0)
		sums->back_limit = Max(MAX_GROWTH * MemoryContextMemAllocated(sums->back_cxt, true),
							   MIN_GARBAGE_BYTES);
}

/* Is a slice with this start at hand, or would be if it were there? */
bool
aw_windowsums_holds(const AwWindowSums *sums, int64 start_us)
{
	return sums->front < sums->end && start_us >= sums->window.start_us &&
		start_us < sums->window.end_us;
}

/* Adds what has been merged into a slice that aw_windowsums_holds(). */
void
aw_windowsums_add_late(AwWindowSums *sums, AwOpenSlice *slice, const AwOpenSlice *late)
{
	AwGroup    *other;
	uint32		cursor = 0;
	int			number = find_held(sums, slice);

	if (number < 0)
	{
		reset(sums);
		return;
	}
	while ((other = aw_grouptable_next(&late->table, &cursor)) != NULL)
	{
		bool		is_new;
		AwGroup    *group = aw_grouptable_enter(sums->form, &slice->table, other->keys,
												other->null_keys, other->hash, &is_new);
		bool		is_new_key = group->owner == NULL;

		CHECK_FOR_INTERRUPTS();
		Assert(!is_new);
		if (is_new_key)
			group->owner = enter_key(sums, group, slice);
		if (number < sums->back && !sums->is_retracting)
			add_to_front(sums, &sums->held[number], group->owner, other, is_new_key);
		else
			merge(sums, group->owner, sums->back_cxt, other);
	}
}

/*
 * The next group of the window at hand, with a cursor that starts at 0; NULL at the
 * end.  Its states are valid until the next call.
 */
AwGroup *
aw_windowsums_next(AwWindowSums *sums, uint32 *cursor, char **states)
{
	AwGroup    *key;

	if (*cursor == sums->keys.n_live)
		return NULL;
	key = sums->keys.live[(*cursor)++];
	*states = states_of_key(sums, key);
	return key;
}

/* The number of a slice that has been taken in, -1 if it is newer than the window. */
static int
find_held(const AwWindowSums *sums, const AwOpenSlice *slice)
{
	int			first = sums->front;
	int			end = sums->end;

	while (first < end)
	{
		int			middle = first + (end - first) / 2;

		if (sums->held[middle].start_us >= slice->start_us)
			end = middle;
		else
			first = middle + 1;
	}
	return first < sums->end && sums->held[first].slice == slice ? first : -1;
}

/* Merges a group of a slice of the front into the sums that are of the slice. */
static void
add_to_front(AwWindowSums *sums, HeldSlice *held, AwGroup *key, const AwGroup *group,
			 bool is_new_key)
{
	AwGroup   **link = &key->next;

	while (*link != NULL && *start_of_sum(sums, *link) <= held->start_us)
	{
		merge(sums, *link, sums->front_cxt, group);
		link = &(*link)->next;
	}
	if (is_new_key)
		*link = add_sum(sums, held, key, group, *link);
}

/* Adds a sum to the front: of a key's group in a slice, and of the sum after it. */
static AwGroup *
add_sum(AwWindowSums *sums, HeldSlice *held, AwGroup *key, const AwGroup *group, AwGroup *next)
{
	MemoryContext cxt = sums->front_cxt;
	AwGroup    *sum = MemoryContextAllocZero(cxt, sums->form->size + sizeof(int64));

	aw_aggstate_begin(sums->aggregates, states_of(sums, sum), cxt);
	merge(sums, sum, cxt, group);
	if (next != NULL)
		merge(sums, sum, cxt, next);
	sum->owner = key;
	sum->next = next;
	*start_of_sum(sums, sum) = held->start_us;

	if (held->n_sums == held->n_allocated)
	{
		held->n_allocated = Max(held->n_allocated * 2, 8);
		held->sums = held->sums == NULL ?
			MemoryContextAlloc(cxt, sizeof(AwGroup *) * held->n_allocated) :
			repalloc_huge(held->sums, sizeof(AwGroup *) * held->n_allocated);
	}
	held->sums[held->n_sums++] = sum;
	return sum;
}

/* Forgets all keys and slices. */
static void
reset(AwWindowSums *sums)
{
	sums->front = sums->back = sums->end = 0;
	MemoryContextReset(sums->back_cxt);
	MemoryContextReset(sums->front_cxt);
	aw_windowkeys_reset(&sums->keys);
	sums->back_number++;
	sums->back_limit = 0;
}

/* The place of the first slice that starts there or later. */
static int
first_slice(AwOpenSlice **slices, int n_slices, int64 start_us)
{
	int			first = 0;
	int			end = n_slices;

	while (first < end)
	{
		int			middle = first + (end - first) / 2;

		if (slices[middle]->start_us >= start_us)
			end = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* Merges a slice into the sums. */
static void
take_in(AwWindowSums *sums, AwOpenSlice *slice)
{
	AwGroup    *group;
	uint32		cursor = 0;
	HeldSlice  *held;

	if (sums->end == sums->n_allocated && sums->front > sums->end / 2)
	{
		memmove(sums->held, sums->held + sums->front,
				sizeof(HeldSlice) * (sums->end - sums->front));
		sums->end -= sums->front;
		sums->back -= sums->front;
		sums->front = 0;
	}
	if (sums->end == sums->n_allocated)
	{
		sums->n_allocated *= 2;
		sums->held = repalloc_huge(sums->held, sizeof(HeldSlice) * sums->n_allocated);
	}
	held = &sums->held[sums->end++];
	memset(held, 0, sizeof(HeldSlice));
	held->slice = slice;
	held->start_us = slice->start_us;

	while ((group = aw_grouptable_next(&slice->table, &cursor)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		group->owner = enter_key(sums, group, slice);
		merge(sums, group->owner, sums->back_cxt, group);
	}
}

/* Takes the oldest slice out. */
static void
let_go(AwWindowSums *sums, HeldSlice *held)
{
	AwGroup    *group;
	uint32		cursor = 0;

	for (uint32 i = 0; i < held->n_sums; i++)
	{
		AwGroup    *sum = held->sums[i];

		CHECK_FOR_INTERRUPTS();
		Assert(sum->owner->next == sum);
		sum->owner->next = sum->next;
		leave_key(sums, sum->owner);
	}
	if (!sums->is_retracting)
		return;

	while ((group = aw_grouptable_next(&held->slice->table, &cursor)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		aw_aggstate_retract(sums->aggregates, states_of(sums, group->owner),
							states_of(sums, group));
		leave_key(sums, group->owner);
		group->owner = NULL;
	}
}

/*
 * The slices of the back, the newest first, become the front.  A key's next is the sum
 * from its oldest slice on; sums are groups without keys of their own.
 */
static void
turn_back_to_front(AwWindowSums *sums)
{
	MemoryContextReset(sums->front_cxt);
	for (int i = sums->end - 1; i >= sums->back; i--)
	{
		HeldSlice  *held = &sums->held[i];
		AwGroup    *group;
		uint32		cursor = 0;

		while ((group = aw_grouptable_next(&held->slice->table, &cursor)) != NULL)
		{
			AwGroup    *key = group->owner;

			CHECK_FOR_INTERRUPTS();
			key->next = add_sum(sums, held, key, group, key->next);
		}
	}
	sums->back = sums->end;
	sums->back_number++;
	MemoryContextReset(sums->back_cxt);
}

/* The key of a group, which one more slice has, with a sum in the back. */
static AwGroup *
enter_key(AwWindowSums *sums, const AwGroup *group, const AwOpenSlice *slice)
{
	AwGroup    *key = aw_windowkeys_enter(&sums->keys, group, slice->start_us);
	AwKeyExtra *extra = aw_windowkeys_extra(&sums->keys, key);

	if (extra->back != sums->back_number)
	{
		extra->back = sums->back_number;
		aw_aggstate_begin(sums->aggregates, states_of(sums, key), sums->back_cxt);
	}
	extra->n_slices++;
	return key;
}

/* One slice less has the key. */
static void
leave_key(AwWindowSums *sums, AwGroup *key)
{
	if (--aw_windowkeys_extra(&sums->keys, key)->n_slices == 0)
		aw_windowkeys_remove(&sums->keys, key);
}

/* The states of a key in the window at hand. */
static char *
states_of_key(AwWindowSums *sums, AwGroup *key)
{
	if (key->next == NULL)
		return states_of(sums, key);
	if (aw_windowkeys_extra(&sums->keys, key)->back != sums->back_number)
		return states_of(sums, key->next);

	MemoryContextReset(sums->merged_cxt);
	aw_aggstate_begin(sums->aggregates, sums->merged, sums->merged_cxt);
	aw_aggstate_merge(sums->aggregates, sums->merged, sums->merged_cxt,
					  states_of(sums, key->next));
	aw_aggstate_merge(sums->aggregates, sums->merged, sums->merged_cxt, states_of(sums, key));
	return sums->merged;
}

static void
merge(AwWindowSums *sums, AwGroup *into, MemoryContext cxt, const AwGroup *group)
{
	aw_aggstate_merge(sums->aggregates, states_of(sums, into), cxt, states_of(sums, group));
}

static char *
states_of(const AwWindowSums *sums, const AwGroup *group)
{
	return aw_grouptable_states(sums->form, group);
}

/* The start of the slice that a sum of the front begins with. */
static int64 *
start_of_sum(const AwWindowSums *sums, AwGroup *sum)
{
	return (int64 *) aw_grouptable_extra(sums->form, sum);
}
