/*
 * flinkversion.c
 *
 * Views that show the last version of each row:
 *
 *	 SELECT ... FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY key ORDER BY ts DESC) AS rn
 *					  FROM t) WHERE rn = 1
 *
 * Flink takes such a view for a versioned table.  Without its condition it shows all
 * versions.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "flinkversion.h"

static Query *numbered_query(const Query *view, AttrNumber *number);
static AttrNumber first_row_column(Node *condition);
static WindowClause *numbering_window(const Query *numbered, AttrNumber number);
static const char *output_name(const Query *view, const TargetEntry *column);

/* NULL if the view is none of these. */
AwFlinkVersions *
aw_flinkversion_of_view(const Query *view)
{
	AwFlinkVersions *versions = palloc0(sizeof(AwFlinkVersions));
	AttrNumber	number;
	Query	   *numbered = numbered_query(view, &number);
	WindowClause *window = numbered == NULL ? NULL : numbering_window(numbered, number);
	SortGroupClause *order;
	Query	   *all;
	ListCell   *cell;

	if (window == NULL || list_length(window->orderClause) != 1)
		return NULL;
	order = linitial(window->orderClause);
	versions->rowtime = output_name(view, get_sortgroupclause_tle(order, numbered->targetList));
	if (versions->rowtime == NULL || !aw_compat_is_descending(order->sortop))
		return NULL;
	foreach(cell, window->partitionClause)
	{
		const char *name = output_name(view, get_sortgroupclause_tle(lfirst(cell),
																	 numbered->targetList));

		if (name == NULL)
			return NULL;
		versions->key = lappend(versions->key, unconstify(char *, name));
	}
	all = copyObject(unconstify(Query *, view));
	all->jointree->quals = NULL;
	versions->query = pg_get_querydef(all, false);
	return versions;
}

/* The subquery that numbers the rows, and which column of it is compared with 1. */
static Query *
numbered_query(const Query *view, AttrNumber *number)
{
	RangeTblRef *item;
	RangeTblEntry *rte;

	if (list_length(view->jointree->fromlist) != 1 || view->hasAggs || view->hasWindowFuncs ||
		view->groupClause != NIL || view->distinctClause != NIL || view->setOperations != NULL ||
		view->limitCount != NULL || view->limitOffset != NULL)
		return NULL;
	item = linitial(view->jointree->fromlist);
	*number = first_row_column(view->jointree->quals);
	if (!IsA(item, RangeTblRef) || *number == InvalidAttrNumber)
		return NULL;
	rte = rt_fetch(item->rtindex, view->rtable);
	return rte->rtekind == RTE_SUBQUERY ? rte->subquery : NULL;
}

/* The column in "column = 1"; 0 if the condition is another. */
static AttrNumber
first_row_column(Node *condition)
{
	OpExpr	   *comparison = (OpExpr *) condition;
	Var		   *column;
	Node	   *one;

	if (condition == NULL || !IsA(condition, OpExpr) || list_length(comparison->args) != 2 ||
		get_opcode(comparison->opno) != F_INT84EQ)
		return InvalidAttrNumber;
	column = linitial(comparison->args);
	one = lsecond(comparison->args);
	if (!IsA(column, Var) || !IsA(one, Const) || ((Const *) one)->constisnull ||
		DatumGetInt32(((Const *) one)->constvalue) != 1)
		return InvalidAttrNumber;
	return column->varattno;
}

/* The window of the row_number() that a column is; NULL if it is something else. */
static WindowClause *
numbering_window(const Query *numbered, AttrNumber number)
{
	TargetEntry *entry = get_tle_by_resno(numbered->targetList, number);
	WindowFunc *function = (WindowFunc *) entry->expr;

	if (!IsA(function, WindowFunc) || function->winfnoid != F_ROW_NUMBER)
		return NULL;
	return list_nth(numbered->windowClause, function->winref - 1);
}

/* What the view calls a column of the subquery; NULL if it does not show it. */
static const char *
output_name(const Query *view, const TargetEntry *column)
{
	ListCell   *cell;

	foreach(cell, view->targetList)
	{
		TargetEntry *entry = lfirst(cell);
		Var		   *var = (Var *) entry->expr;

		if (!entry->resjunk && IsA(var, Var) && var->varattno == column->resno)
			return entry->resname;
	}
	return NULL;
}
