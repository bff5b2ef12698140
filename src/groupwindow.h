/*
 * groupwindow.h
 *
 * Group windows, GROUP BY TUMBLE(ts, size) and GROUP BY HOP(ts, slide, size),
 * as the planner and the executor see them.
 */
#ifndef AW_GROUPWINDOW_H
#define AW_GROUPWINDOW_H

#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "window.h"

extern void aw_groupwindow_plan(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind);
extern void aw_groupwindow_check_part(PlannerInfo *root, Oid transition, AwWindowKind kind);
extern void aw_groupwindow_require_group(FunctionCallInfo fcinfo);
extern AwSpan aw_groupwindow_current(FunctionCallInfo fcinfo);

#endif							/* AW_GROUPWINDOW_H */
