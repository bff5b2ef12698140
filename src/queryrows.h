/*
 * queryrows.h
 *
 * Whether a level over the rows of a window needs the rows themselves.
 */
#ifndef AW_QUERYROWS_H
#define AW_QUERYROWS_H

#include "queryclass.h"

extern bool aw_queryrows_is_computed(const AwLevel *level);
extern bool aw_queryrows_are_needed(const AwLevel *level);
extern bool aw_queryrows_is_above(const AwLevel *level, Node *condition);

#endif							/* AW_QUERYROWS_H */
