/*
 * groupwindow.h
 *
 * Group windows, GROUP BY TUMBLE(ts, size) and the like, as the planner and the
 * executor see them.
 *
 * Errors are ERRCODE_GROUPING_ERROR for a part that does not belong to the
 * window, ERRCODE_FEATURE_NOT_SUPPORTED for what is not there, those of rowtime.h
 * and windowspec.h for arguments.
 */
#ifndef AW_GROUPWINDOW_H
#define AW_GROUPWINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "window.h"

extern bool aw_groupwindow_is_window(Node *node, AwWindowKind *kind);
extern bool aw_groupwindow_is_part(const Aggref *aggref, AwWindowKind *kind, AwWindowPart *part);
extern void aw_groupwindow_check_args(const Aggref *part, const FuncExpr *window,
									  AwWindowKind kind);
extern void aw_groupwindow_refuse_session(PlannerInfo *root, FuncExpr *fcall, bool is_rewriting);
extern void aw_groupwindow_refuse_several(void);
extern void aw_groupwindow_plan(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind);
extern void aw_groupwindow_drop_null(PlannerInfo *root, Node *key);
extern void aw_groupwindow_check_part(PlannerInfo *root, Oid transition, AwWindowKind kind);
extern void aw_groupwindow_require_group(FunctionCallInfo fcinfo);
extern AwSpan aw_groupwindow_current(FunctionCallInfo fcinfo);

#endif							/* AW_GROUPWINDOW_H */
