/*
 * prune.h
 *
 * Drops, before planning, what views offer and nobody reads.
 */
#ifndef AW_PRUNE_H
#define AW_PRUNE_H

extern void aw_prune_init(void);

#endif							/* AW_PRUNE_H */
