/*
 * checkpoint.h
 *
 * The open windows of a continuous query, in our tables.
 */
#ifndef AW_CHECKPOINT_H
#define AW_CHECKPOINT_H

#include "part.h"

extern void aw_checkpoint_write(const char *name, const AwQuery *query, AwPart *const *parts);
extern void aw_checkpoint_read(const char *name, const AwQuery *query, AwPart *const *parts);

#endif							/* AW_CHECKPOINT_H */
