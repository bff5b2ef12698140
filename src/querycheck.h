/*
 * querycheck.h
 *
 * The refusals of continuous queries that need no knowledge of their levels.  All
 * are ERRCODE_FEATURE_NOT_SUPPORTED, with a hint.
 */
#ifndef AW_QUERYCHECK_H
#define AW_QUERYCHECK_H

#include "definition.h"

extern pg_noreturn void aw_querycheck_refuse(const char *message, const char *hint);
extern pg_noreturn void aw_querycheck_refuse_window(const char *function);
extern pg_noreturn void aw_querycheck_refuse_limit(void);
extern pg_noreturn void aw_querycheck_refuse_group(void);
extern pg_noreturn void aw_querycheck_refuse_watermark(void);
extern void aw_querycheck_windows_of_table(Query *query);
extern AwDefinition *aw_querycheck_table_definition(const RangeTblEntry *rte);
extern void aw_querycheck_table(Query *query, Index rtindex);
extern List *aw_querycheck_partitions(Oid table);
extern bool aw_querycheck_is_grouped(const Query *query);
extern List *aw_querycheck_conditions(Node *quals);
extern void aw_querycheck_level(const Query *query);
extern void aw_querycheck_preserved(const Query *query, Index rtindex);
extern void aw_querycheck_no_gaps(const Query *query, Index rtindex);
extern void aw_querycheck_row_by_row(const Query *query);

#endif							/* AW_QUERYCHECK_H */
