/*
 * rowtime.h
 *
 * What the planner does with APPLY_WATERMARK, with watermark_for() and with the
 * window table functions: check the time column, put plain expressions in their
 * place.
 *
 * The functions raise ERRCODE_DATATYPE_MISMATCH for a time argument that is no
 * timestamp and ERRCODE_FEATURE_NOT_SUPPORTED for an item that they cannot use.
 */
#ifndef AW_ROWTIME_H
#define AW_ROWTIME_H

#include "nodes/pathnodes.h"
#include "window.h"

extern Oid	aw_rowtime_check(PlannerInfo *root, Node *arg, const char *role);
extern void aw_rowtime_check_strategy(PlannerInfo *root, Node *rowtime, Node *strategy);
extern Node *aw_rowtime_plan_watermark(PlannerInfo *root, FuncExpr *fcall);
extern Node *aw_rowtime_plan_window(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind);
extern void aw_rowtime_init(void);

#endif							/* AW_ROWTIME_H */
