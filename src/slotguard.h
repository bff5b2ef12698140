/*
 * slotguard.h
 *
 * Sees to it that no slot of a worker keeps more than it may.
 */
#ifndef AW_SLOTGUARD_H
#define AW_SLOTGUARD_H

extern void aw_slotguard_check(Oid database);

#endif							/* AW_SLOTGUARD_H */
