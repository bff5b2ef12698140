/*
 * ddl.h
 *
 * Relations as Flink's statements that would make them.
 */
#ifndef AW_DDL_H
#define AW_DDL_H

#include "utils/relcache.h"

extern bool aw_ddl_is_table(Relation rel);
extern char *aw_ddl_table(Relation rel);
extern char *aw_ddl_view(Relation rel);

#endif							/* AW_DDL_H */
