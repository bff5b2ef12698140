/*
 * tablefunction.h
 *
 * What the planner puts in the place of the table functions TUMBLE, HOP,
 * CUMULATE, SESSION and APPLY_WATERMARK.
 *
 * For support functions, which get the call with simplified arguments.  Errors
 * are ERRCODE_DATATYPE_MISMATCH for a time argument that is no timestamp,
 * ERRCODE_FEATURE_NOT_SUPPORTED for an input that cannot be used,
 * ERRCODE_INVALID_COLUMN_REFERENCE for columns of other items, and those of
 * windowspec.h for constants.
 */
#ifndef AW_TABLEFUNCTION_H
#define AW_TABLEFUNCTION_H

#include "nodes/pathnodes.h"
#include "window.h"

extern Node *aw_tablefunction_plan_watermark(PlannerInfo *root, FuncExpr *fcall);
extern Node *aw_tablefunction_plan_window(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind);
extern Node *aw_tablefunction_plan_session(PlannerInfo *root, FuncExpr *fcall);
extern void aw_tablefunction_init(void);

#endif							/* AW_TABLEFUNCTION_H */
