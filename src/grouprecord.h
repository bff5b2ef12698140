/*
 * grouprecord.h
 *
 * Groups as bytes: a record starts with its own length.
 */
#ifndef AW_GROUPRECORD_H
#define AW_GROUPRECORD_H

#include "aggstate.h"
#include "grouptable.h"

extern void aw_grouprecord_write(const AwGroupForm *form, AwAggregates *aggregates,
								 const AwGroup *group, StringInfo buffer);
extern void aw_grouprecord_read(AwGroupForm *form, AwAggregates *aggregates, AwTable *table,
								const char *from, char *states);

#endif							/* AW_GROUPRECORD_H */
