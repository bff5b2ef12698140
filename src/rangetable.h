/*
 * rangetable.h
 *
 * Work on the range table of a query that is being planned.  All of it is for
 * support functions, which see the query in root->parse.
 */
#ifndef AW_RANGETABLE_H
#define AW_RANGETABLE_H

#include "nodes/pathnodes.h"

/* A function call in FROM. */
typedef struct AwItemCall
{
	int			rtindex;
	List	   *args;			/* as written, one per parameter, not simplified */
	bool		is_inlinable;	/* no ORDINALITY, not one of several in ROWS FROM */
} AwItemCall;

extern bool aw_rangetable_find_call(PlannerInfo *root, FuncExpr *fcall, AwItemCall *call);
extern List *aw_rangetable_call_args(const FuncExpr *fcall);
extern Bitmapset *aw_rangetable_columns_read(Query *query, int rtindex);
extern bool aw_rangetable_reads_system_column(Query *query, int rtindex);
extern bool aw_rangetable_has_outer_join(const Query *query);
extern bool aw_rangetable_add_filter(Query *query, int rtindex, Node *filter);
extern void aw_rangetable_add_condition(Query *query, Node *filter);

extern bool aw_rangetable_is_table_function(Oid funcid);
extern bool aw_rangetable_is_apply_watermark(const FuncExpr *call);
extern bool aw_rangetable_is_descriptor(Oid funcid);
extern char *aw_rangetable_symbol(Oid funcid);
extern bool aw_rangetable_has_symbol(Oid funcid, const char *symbol);
extern Node *aw_rangetable_not_null(Node *expr);
extern Oid	aw_rangetable_inner_function(const char *name, int n_args, const Oid *types);
extern FuncExpr *aw_rangetable_inner_call(const char *name, List *args);
extern WindowFunc *aw_rangetable_inner_window(const char *name, List *args);

#endif							/* AW_RANGETABLE_H */
