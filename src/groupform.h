/*
 * groupform.h
 *
 * The normal form of group windows.
 */
#ifndef AW_GROUPFORM_H
#define AW_GROUPFORM_H

#include "nodes/parsenodes.h"

extern void aw_groupform_rewrite(Query *query);

#endif							/* AW_GROUPFORM_H */
