/*
 * querysource.c
 *
 * Where a watermark definition in a query makes a stream of ordinary tables: the one
 * of them that the stream is.  It is the table that the rowtime comes from, down
 * through queries that work row by row; the others are looked up for its rows.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "querycheck.h"
#include "queryends.h"
#include "querysource.h"
#include "rangetable.h"

static AwLevel *level_of_rows(Query *query);
static AwLevelItem *make_item(Index rtindex, AwLevel *level);
static bool has_window(const Query *query);
static Node *pull_column(Node *expr);

/*
 * Where a level makes a stream of ordinary tables, the one that its rowtime comes
 * from is the stream's, down to a table.
 */
void
aw_querysource_follow(AwLevel *level, Node *rowtime)
{
	RangeTblEntry *rte;
	Node	   *column;

	level->stream = aw_querysource_item(level, rowtime);
	rte = rt_fetch(level->stream, level->query->rtable);
	if (rte->rtekind != RTE_RELATION)
	{
		column = pull_column(rowtime);
		if (rte->rtekind != RTE_SUBQUERY || column == NULL)
			aw_querycheck_refuse("the rowtime of a continuous query must come from a table",
								 "Define the watermark on a table, or on a view over one.");
		level->below = level_of_rows(rte->subquery);
		aw_querysource_follow(level->below,
							  (Node *) get_tle_by_resno(rte->subquery->targetList,
														((Var *) column)->varattno)->expr);
		if (!level->below->is_union)
			aw_querycheck_preserved(rte->subquery, level->below->stream);
	}
	if (!level->is_union)
		level->items = list_make1(make_item(level->stream, level->below));
}

/* A level that works row by row, or unites all rows of such levels. */
static AwLevel *
level_of_rows(Query *query)
{
	AwLevel    *level = palloc0(sizeof(AwLevel));
	ListCell   *lc;

	level->kind = AW_LEVEL_STREAM;
	level->query = query;
	level->n_columns = list_length(query->targetList);
	level->roles = palloc0(sizeof(AwColumnRole) * Max(level->n_columns, 1));
	level->is_union = query->setOperations != NULL &&
		aw_queryends_is_union_all(query->setOperations);
	if (query->setOperations != NULL && !level->is_union)
		aw_querycheck_refuse("UNION, INTERSECT and EXCEPT over a stream need a window",
							 "Write UNION ALL, or group by a window in each branch.");
	if (aw_querycheck_is_grouped(query))
		aw_querycheck_refuse_group();
	aw_querycheck_row_by_row(query);
	if (has_window(query))
		aw_querycheck_refuse_watermark();

	foreach(lc, level->is_union ? query->rtable : NIL)
	{
		if (lfirst_node(RangeTblEntry, lc)->rtekind == RTE_SUBQUERY)
			level->items = lappend(level->items, make_item(foreach_current_index(lc) + 1, NULL));
	}
	return level;
}

static AwLevelItem *
make_item(Index rtindex, AwLevel *level)
{
	AwLevelItem *item = palloc0(sizeof(AwLevelItem));

	item->rtindex = rtindex;
	item->level = level;
	return item;
}

/* Has a query without a watermark one of our functions in FROM? */
static bool
has_window(const Query *query)
{
	ListCell   *lc;
	ListCell   *lf;

	foreach(lc, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		foreach(lf, rte->rtekind == RTE_FUNCTION ? rte->functions : NIL)
		{
			FuncExpr   *call = (FuncExpr *) lfirst_node(RangeTblFunction, lf)->funcexpr;

			if (IsA(call, FuncExpr) && aw_rangetable_is_table_function(call->funcid))
				return true;
		}
	}
	return false;
}

/* The one item whose columns the rowtime is made of: the stream, if it is known. */
Index
aw_querysource_item(const AwLevel *level, Node *rowtime)
{
	int			item;

	if (!bms_get_singleton_member(pull_varnos(NULL, aw_compat_strip_all_nulling(rowtime,
																				level->query)),
								  &item) ||
		(level->stream != 0 && level->stream != (Index) item))
		aw_querycheck_refuse("the rowtime of a stream must be made of columns of the stream",
							 "Define the watermark on the table of the rows that arrive.");
	return item;
}

/* Some column of the level's items in an expression. */
static Node *
pull_column(Node *expr)
{
	List	   *columns = pull_var_clause(expr, PVC_RECURSE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS);

	return columns != NIL && ((Var *) linitial(columns))->varattno > 0 ? linitial(columns) : NULL;
}
