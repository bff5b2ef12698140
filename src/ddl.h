/*
 * ddl.h
 *
 * Relations as Flink's statements that would make them.
 */
#ifndef AW_DDL_H
#define AW_DDL_H

#include "nodes/pg_list.h"
#include "utils/relcache.h"

/* One of the options in WITH. */
typedef struct AwDdlOption
{
	char	   *key;
	char	   *value;
} AwDdlOption;

extern bool aw_ddl_is_table(Relation rel);
extern char *aw_ddl_table(Relation rel);
extern char *aw_ddl_view(Relation rel);
extern char *aw_ddl_comment(Relation rel, List **options);

#endif							/* AW_DDL_H */
