/*
 * queryends.h
 *
 * What a continuous query may make of windows that are complete: only what is of
 * windows with the same end.  What is more is refused.
 */
#ifndef AW_QUERYENDS_H
#define AW_QUERYENDS_H

#include "queryclass.h"

extern void aw_queryends_check_windows(const AwLevel *level);
extern void aw_queryends_check_grouping(const AwLevel *level);
extern bool aw_queryends_are_zoned(const AwLevel *opened);
extern bool aw_queryends_is_union_all(Node *operations);
extern void aw_queryends_check_set_operation(const AwLevel *level);
extern void aw_queryends_check_join(const AwLevel *level);
extern void aw_queryends_check_subqueries(const AwLevel *level);

#endif							/* AW_QUERYENDS_H */
