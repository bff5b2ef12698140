/*
 * ranklist.h
 *
 * The first so many of a set of rows, by what they are ranked by.
 */
#ifndef AW_RANKLIST_H
#define AW_RANKLIST_H

#include "utils/sortsupport.h"

/* Which rows are among the first n: those with at most n by the function of SQL. */
typedef enum AwRankRule
{
	AW_RANK_ROW_NUMBER,
	AW_RANK_RANK,
	AW_RANK_DENSE_RANK
} AwRankRule;

/* A value that rows are ranked by. */
typedef struct AwRankKey
{
	SortSupportData order;
	int16		len;
	bool		is_by_value;
} AwRankKey;

typedef struct AwRankList AwRankList;

extern AwRankList *aw_ranklist_create(AwRankRule rule, int limit, const AwRankKey *keys,
									  int n_keys);
extern void aw_ranklist_reset(AwRankList *list);
extern bool aw_ranklist_excludes(const AwRankList *list, Datum value, bool isnull);
extern void aw_ranklist_offer(AwRankList *list, void *row, const Datum *values,
							  const bool *nulls);
extern void *aw_ranklist_next(AwRankList *list);

#endif							/* AW_RANKLIST_H */
