/*
 * dependency.h
 *
 * What depends on a type.
 */
#ifndef AW_DEPENDENCY_H
#define AW_DEPENDENCY_H

#include "nodes/pg_list.h"

extern bool aw_dependency_is_used(Oid type, const List *relids);

#endif							/* AW_DEPENDENCY_H */
