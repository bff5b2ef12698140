/*
 * ranklimit.h
 *
 * Finds out that of the groups of each window only the first are wanted.
 */
#ifndef AW_RANKLIMIT_H
#define AW_RANKLIMIT_H

#include "slicequery.h"

extern void aw_ranklimit_find(AwSliceQuery *query);

#endif							/* AW_RANKLIMIT_H */
