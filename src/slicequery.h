/*
 * slicequery.h
 *
 * A query that groups by windows, as the slice node needs to know it.
 */
#ifndef AW_SLICEQUERY_H
#define AW_SLICEQUERY_H

#include "sliceplan.h"

/* What is known of a query on the way to a path. */
typedef struct AwSliceQuery
{
	PlannerInfo *root;
	RelOptInfo *input;			/* what the Agg node would read */
	RelOptInfo *output;
	List	   *having;
	double		rival_rows;		/* of other paths */
	AwSliceSpec spec;
	FuncExpr   *call;			/* of the window's function */
	Node	   *time;
	Index		rtindex;		/* of the function in FROM; 0 for TUMBLE */
	List	   *keys;			/* expressions */
	List	   *inputs;			/* expressions over the input, the time first */
	int			n_aggregates;
	bool		has_distinct;	/* an aggregate counts distinct values */
	bool		has_unretractable;	/* an aggregate cannot be retracted */
	bool		is_refused;
} AwSliceQuery;

extern bool aw_slicequery_find(AwSliceQuery *query);
extern bool aw_slicequery_is_window_order(AwSliceQuery *query, const PathKey *pathkey);
extern bool aw_slicequery_is_part(AwSliceQuery *query, Node *node, AwSliceSource *source);
extern bool aw_slicequery_depends_on_rows(Node *node, AwSliceQuery *query);
extern bool aw_slicequery_add_key(AwSliceQuery *query, Node *expr, Oid operator);

#endif							/* AW_SLICEQUERY_H */
