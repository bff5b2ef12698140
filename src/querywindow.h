/*
 * querywindow.h
 *
 * Columns of windows of HOP and CUMULATE below the cut of a continuous query.
 */
#ifndef AW_QUERYWINDOW_H
#define AW_QUERYWINDOW_H

#include "queryclass.h"

extern List *aw_querywindow_take_conditions(const AwLevel *level, Query *rows);
extern void aw_querywindow_check_unread(const AwLevel *level, Query *rows);

#endif							/* AW_QUERYWINDOW_H */
