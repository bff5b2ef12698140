/*
 * primarykey.h
 *
 * Primary keys, enforced or not.
 */
#ifndef AW_PRIMARYKEY_H
#define AW_PRIMARYKEY_H

#include "nodes/pg_list.h"
#include "utils/relcache.h"

extern List *aw_primarykey_columns(Relation rel, char **constraint);

#endif							/* AW_PRIMARYKEY_H */
