/*
 * querybranch.h
 *
 * The streams whose rows come to a window of a continuous query.
 */
#ifndef AW_QUERYBRANCH_H
#define AW_QUERYBRANCH_H

#include "queryclass.h"

extern List *aw_querybranch_streams(const AwQueryClass *class, AwLevel *cut, Relation view,
									bool is_tracking);
extern void aw_querybranch_check_times(const AwQueryClass *class);
extern Query *aw_querybranch_select_all(Query *query, const Query *operation);
extern Node *aw_querybranch_argument(const FuncExpr *call, int number);

#endif							/* AW_QUERYBRANCH_H */
