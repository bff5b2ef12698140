/*
 * checkpoint.h
 *
 * The open windows of a continuous query in a table, and back.
 */
#ifndef AW_CHECKPOINT_H
#define AW_CHECKPOINT_H

#include "state.h"

extern void aw_checkpoint_write(const char *query, Oid owner, AwState *state, int64 closed_end_us);
extern void aw_checkpoint_read(const char *query, Oid owner, AwState *state);

#endif							/* AW_CHECKPOINT_H */
