/*
 * slicepath.h
 *
 * Offers the planner a slice node for a query that groups by windows.
 */
#ifndef AW_SLICEPATH_H
#define AW_SLICEPATH_H

/* Takes settings that may change between statements. */
extern void aw_slicepath_init(const bool *is_enabled, const int *max_windows_per_row);

#endif							/* AW_SLICEPATH_H */
