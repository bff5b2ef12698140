/*
 * prune.h
 *
 * Drops, before planning, what views offer and nobody reads.
 */
#ifndef AW_PRUNE_H
#define AW_PRUNE_H

#include "nodes/parsenodes.h"

extern void aw_prune_outputs(Query *query);

#endif							/* AW_PRUNE_H */
