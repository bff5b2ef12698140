/*
 * itemwrap.h
 *
 * More columns for an item of FROM, computed by window functions over it.
 */
#ifndef AW_ITEMWRAP_H
#define AW_ITEMWRAP_H

#include "nodes/parsenodes.h"

/* What is added, all as expressions over the item. */
typedef struct AwItemColumns
{
	List	   *columns;		/* of WindowFunc */
	List	   *names;			/* of char * */
	List	   *partition_by;	/* of expressions */
	Node	   *order_by;		/* NULL: the order of the item's rows */
} AwItemColumns;

extern List *aw_itemwrap_add_columns(Query *query, const Var *input, const AwItemColumns *added);
extern WindowClause *aw_itemwrap_window(List **targetlist, List *partition_by, Node *order_by);
extern SortGroupClause *aw_itemwrap_sort_clause(List **targetlist, Node *expr);

#endif							/* AW_ITEMWRAP_H */
