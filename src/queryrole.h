/*
 * queryrole.h
 *
 * What expressions of a level are to the window of a continuous query.
 */
#ifndef AW_QUERYROLE_H
#define AW_QUERYROLE_H

#include "queryclass.h"

extern AwColumnRole aw_queryrole_of(const AwLevel *level, Node *expr);
extern AwColumnRole aw_queryrole_of_joined(const AwLevel *level, const Var *var);
extern void aw_queryrole_of_outputs(AwLevel *level);
extern void aw_queryrole_of_branches(AwLevel *level);

#endif							/* AW_QUERYROLE_H */
