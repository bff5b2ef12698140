/*
 * prune.c
 *
 * Makes "SELECT * FROM orders, APPLY_WATERMARK(...)" in a view as cheap as the
 * columns that are read above it.
 *
 * APPLY_WATERMARK is planned with the subquery it stands in, before anybody has
 * told that subquery which of its outputs are read: a watermark in its list
 * counts as read, and conditions from above would stop at it.  So the statement
 * is gone through first, from the outside in, and outputs that the query around
 * does not read are replaced by NULL.
 *
 * It only makes plans better, never other rows, so nothing is lost where it
 * comes too late.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "prune.h"
#include "rangetable.h"

static bool prune_walker(Node *node, void *context);
static void prune_subqueries(Query *query);
static void prune_subquery(Query *subquery, Bitmapset *columns_read);

void
aw_prune_outputs(Query *query)
{
	prune_walker((Node *) query, NULL);
}

/* Each query is pruned before its subqueries. */
static bool
prune_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;

	if (IsA(node, Query))
	{
		prune_subqueries((Query *) node);
		return query_tree_walker((Query *) node, prune_walker, context, QTW_IGNORE_JOINALIASES);
	}
	return expression_tree_walker(node, prune_walker, context);
}

/* A set operation reads all outputs of its branches by position. */
static void
prune_subqueries(Query *query)
{
	int			rtindex = 0;
	ListCell   *lc;

	if (query->setOperations != NULL)
		return;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		rtindex++;
		if (rte->rtekind == RTE_SUBQUERY)
			prune_subquery(rte->subquery, aw_rangetable_columns_read(query, rtindex));
	}
}

/* Keeps what is sorted or grouped by, and what may have effects of its own. */
static void
prune_subquery(Query *subquery, Bitmapset *columns_read)
{
	ListCell   *lc;

	if (subquery->setOperations != NULL ||
		bms_is_member(-FirstLowInvalidHeapAttributeNumber, columns_read))
		return;

	foreach(lc, subquery->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		Node	   *expr = (Node *) entry->expr;

		if (entry->resjunk || entry->ressortgroupref != 0 ||
			bms_is_member(entry->resno - FirstLowInvalidHeapAttributeNumber, columns_read) ||
			contain_volatile_functions(expr) || expression_returns_set(expr))
			continue;

		entry->expr = (Expr *) makeNullConst(exprType(expr), exprTypmod(expr),
											 exprCollation(expr));
	}
}
