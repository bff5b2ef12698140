/*
 * primarykey.h
 *
 * Primary keys, enforced or not, and columns that are never NULL.
 */
#ifndef AW_PRIMARYKEY_H
#define AW_PRIMARYKEY_H

#include "access/attnum.h"
#include "nodes/pg_list.h"
#include "utils/relcache.h"

extern List *aw_primarykey_columns(Relation rel, char **constraint);
extern bool aw_primarykey_is_enforced(Relation rel);
extern bool aw_primarykey_is_not_null(Relation rel, AttrNumber attno);

#endif							/* AW_PRIMARYKEY_H */
