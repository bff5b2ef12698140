/*
 * viewtable.h
 *
 * Views that stand for a table of Flink's.
 */
#ifndef AW_VIEWTABLE_H
#define AW_VIEWTABLE_H

#include "nodes/parsenodes.h"
#include "utils/relcache.h"

typedef struct AwViewTable
{
	Query	   *query;			/* of the view */
	Oid			columns_of;		/* the table or row type below, whose columns it reads */
	bool		is_ours;		/* what is below is named after the view */
} AwViewTable;

extern bool aw_viewtable_find(Relation rel, AwViewTable *table);
extern Node *aw_viewtable_computed(const AwViewTable *table, AttrNumber attno);
extern Node *aw_viewtable_over_columns(const Query *query, Node *expr);

#endif							/* AW_VIEWTABLE_H */
