/*
 * ranklist.c
 *
 * Keeps of the rows that are offered those that can be among the first n.
 *
 * Rows that are ranked the same are a class.  There are at most n classes, in order;
 * each has its values once, and its rows.  Of the rows after the n-th, those of its
 * class stay, for rank() and dense_rank() give them the same number; row_number()
 * needs none of them.  A row that comes later than all is dropped by comparing it
 * with the last class, mostly by its first value alone.
 *
 * A row is an address that means something to the caller, in memory of the caller.
 * What is kept for it is no more than that, so that ties without end cost little.
 */
#include "postgres.h"

#include "utils/datum.h"
#include "utils/memutils.h"

#include "ranklist.h"

/* Rows that are ranked the same. */
typedef struct RankClass
{
	void	  **rows;
	int64		n_rows;
	int64		n_allocated;
	bool	   *nulls;
	Datum		values[FLEXIBLE_ARRAY_MEMBER];
} RankClass;

struct AwRankList
{
	AwRankRule	rule;
	int			limit;
	AwRankKey  *keys;
	int			n_keys;
	MemoryContext cxt;			/* classes and their rows */
	RankClass **classes;		/* in order; room for one more than the limit */
	int			n_classes;
	int64		n_rows;
	bool		is_full;		/* what comes after the last class is of no use */

	/* what is read next */
	int			class;
	int64		row;
};

static int	compare(const AwRankList *list, const RankClass *class, const Datum *values,
					const bool *nulls);
static int	find_class(const AwRankList *list, const Datum *values, const bool *nulls,
					   bool *is_found);
static void insert_class(AwRankList *list, int place, const Datum *values, const bool *nulls);
static void add_row(AwRankList *list, RankClass *class, void *row);
static void cut(AwRankList *list);
static void drop_last_class(AwRankList *list);

/* An empty list, in the current memory context; limit is at least 1. */
AwRankList *
aw_ranklist_create(AwRankRule rule, int limit, const AwRankKey *keys, int n_keys)
{
	AwRankList *list = palloc0(sizeof(AwRankList));

	Assert(limit > 0 && n_keys > 0);
	list->rule = rule;
	list->limit = limit;
	list->n_keys = n_keys;
	list->keys = palloc(sizeof(AwRankKey) * n_keys);
	memcpy(list->keys, keys, sizeof(AwRankKey) * n_keys);
	list->classes = palloc(sizeof(RankClass *) * ((Size) limit + 1));
	list->cxt = AllocSetContextCreate(CurrentMemoryContext, "ranked rows",
									  ALLOCSET_DEFAULT_SIZES);
	return list;
}

/* Forgets all rows. */
void
aw_ranklist_reset(AwRankList *list)
{
	MemoryContextReset(list->cxt);
	list->n_classes = 0;
	list->n_rows = 0;
	list->is_full = false;
	list->class = 0;
	list->row = 0;
}

/* Is a row out because of the first of its values? */
bool
aw_ranklist_excludes(const AwRankList *list, Datum value, bool isnull)
{
	const RankClass *last;

	if (!list->is_full)
		return false;
	last = list->classes[list->n_classes - 1];
	return ApplySortComparator(value, isnull, last->values[0], last->nulls[0],
							   &list->keys[0].order) > 0;
}

/* Keeps a row if it can be among the first. */
void
aw_ranklist_offer(AwRankList *list, void *row, const Datum *values, const bool *nulls)
{
	bool		is_found;
	int			place;

	if (list->is_full)
	{
		int			order = compare(list, list->classes[list->n_classes - 1], values, nulls);

		if (order > 0 || (order == 0 && list->rule == AW_RANK_ROW_NUMBER))
			return;
	}

	place = find_class(list, values, nulls, &is_found);
	if (!is_found)
		insert_class(list, place, values, nulls);
	add_row(list, list->classes[place], row);
	cut(list);
}

/* The next row of the list, in order; NULL at the end. */
void *
aw_ranklist_next(AwRankList *list)
{
	while (list->class < list->n_classes)
	{
		RankClass  *class = list->classes[list->class];

		if (list->row < class->n_rows)
			return class->rows[list->row++];
		list->class++;
		list->row = 0;
	}
	return NULL;
}

/* More than 0 if values come after those of a class. */
static int
compare(const AwRankList *list, const RankClass *class, const Datum *values, const bool *nulls)
{
	for (int i = 0; i < list->n_keys; i++)
	{
		int			order = ApplySortComparator(values[i], nulls[i], class->values[i],
												class->nulls[i], &list->keys[i].order);

		if (order != 0)
			return order;
	}
	return 0;
}

/* The class of values, or the place at which it would be. */
static int
find_class(const AwRankList *list, const Datum *values, const bool *nulls, bool *is_found)
{
	int			first = 0;
	int			end = list->n_classes;

	*is_found = false;
	while (first < end)
	{
		int			middle = first + (end - first) / 2;
		int			order = compare(list, list->classes[middle], values, nulls);

		if (order == 0)
		{
			*is_found = true;
			return middle;
		}
		if (order > 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/* A class without rows, with copies of the values. */
static void
insert_class(AwRankList *list, int place, const Datum *values, const bool *nulls)
{
	MemoryContext caller = MemoryContextSwitchTo(list->cxt);
	RankClass  *class = palloc(offsetof(RankClass, values) +
							   (sizeof(Datum) + sizeof(bool)) * list->n_keys);

	class->nulls = (bool *) (class->values + list->n_keys);
	for (int i = 0; i < list->n_keys; i++)
	{
		class->nulls[i] = nulls[i];
		class->values[i] = nulls[i] ? (Datum) 0 :
			datumCopy(values[i], list->keys[i].is_by_value, list->keys[i].len);
	}
	class->n_rows = 0;
	class->n_allocated = 1;
	class->rows = palloc(sizeof(void *));
	MemoryContextSwitchTo(caller);

	memmove(&list->classes[place + 1], &list->classes[place],
			sizeof(RankClass *) * (list->n_classes - place));
	list->classes[place] = class;
	list->n_classes++;
}

static void
add_row(AwRankList *list, RankClass *class, void *row)
{
	if (class->n_rows == class->n_allocated)
	{
		class->n_allocated *= 2;
		class->rows = repalloc_huge(class->rows, sizeof(void *) * class->n_allocated);
	}
	class->rows[class->n_rows++] = row;
	list->n_rows++;
}

/* Drops what is too much after a row has been added, and says whether the list is full. */
static void
cut(AwRankList *list)
{
	switch (list->rule)
	{
		case AW_RANK_ROW_NUMBER:
			if (list->n_rows > list->limit)
			{
				RankClass  *last = list->classes[list->n_classes - 1];

				last->n_rows--;
				list->n_rows--;
				if (last->n_rows == 0)
					drop_last_class(list);
			}
			list->is_full = (list->n_rows == list->limit);
			break;
		case AW_RANK_RANK:
			while (list->n_rows - list->classes[list->n_classes - 1]->n_rows >= list->limit)
				drop_last_class(list);
			list->is_full = (list->n_rows >= list->limit);
			break;
		case AW_RANK_DENSE_RANK:
			if (list->n_classes > list->limit)
				drop_last_class(list);
			list->is_full = (list->n_classes == list->limit);
			break;
	}
}

static void
drop_last_class(AwRankList *list)
{
	RankClass  *last = list->classes[--list->n_classes];

	for (int i = 0; i < list->n_keys; i++)
	{
		if (!list->keys[i].is_by_value && !last->nulls[i])
			pfree(DatumGetPointer(last->values[i]));
	}
	list->n_rows -= last->n_rows;
	pfree(last->rows);
	pfree(last);
}
