/*
 * groupterm.h
 *
 * The terms of a query that groups by windows, its keys and aggregates, as what is
 * kept in slices.
 */
#ifndef AW_GROUPTERM_H
#define AW_GROUPTERM_H

#include "slicestore.h"

extern void aw_groupterm_init_key(AwKeyColumn *key, Oid type, Oid operator);
extern bool aw_groupterm_is_hashable(Oid operator, Oid type);
extern bool aw_groupterm_is_mergeable(const Aggref *aggref);
extern Node *aw_groupterm_guard_argument(Node *arg, Expr *filter);

#endif							/* AW_GROUPTERM_H */
