/*
 * windowrange.h
 *
 * Conditions on window columns as conditions on the rowtime.
 */
#ifndef AW_WINDOWRANGE_H
#define AW_WINDOWRANGE_H

#include "nodes/parsenodes.h"

extern void aw_windowrange_derive(Query *query);
extern void aw_windowrange_derive_level(Query *query);

#endif							/* AW_WINDOWRANGE_H */
