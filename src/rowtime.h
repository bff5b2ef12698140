/*
 * rowtime.h
 *
 * Checks of time arguments; errors are ERRCODE_DATATYPE_MISMATCH.  root may be
 * NULL, then columns have no names.
 */
#ifndef AW_ROWTIME_H
#define AW_ROWTIME_H

#include "nodes/pathnodes.h"

extern Node *aw_rowtime_written(Node *arg);
extern bool aw_rowtime_is_time(Node *arg);
extern Oid	aw_rowtime_check(PlannerInfo *root, Node *arg, const char *role);
extern void aw_rowtime_check_strategy(PlannerInfo *root, Node *rowtime, Node *strategy);

#endif							/* AW_ROWTIME_H */
