/*
 * history.h
 *
 * The rows that a table has when a continuous query starts.
 */
#ifndef AW_HISTORY_H
#define AW_HISTORY_H

#include "input.h"
#include "utils/snapshot.h"

extern AwInput *aw_history_read(Oid source, Snapshot snapshot);
extern AwInput *aw_history_none(Oid source);

#endif							/* AW_HISTORY_H */
