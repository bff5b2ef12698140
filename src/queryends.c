/*
 * queryends.c
 *
 * What a continuous query may make of windows that are complete.  Those that end
 * together are published together, so all that is computed of windows must be computed
 * of those with the same end: groups, partitions, joins, set operations, and what
 * queries in expressions read.
 *
 * Joins tell by equalities of window_end among the conditions that all rows fulfil.  Of
 * an outer join only a condition between its two sides counts.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_agg.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "querybranch.h"
#include "querycheck.h"
#include "queryends.h"
#include "queryrole.h"

/* Items of a join, in sets of those whose windows end together. */
typedef struct JoinedEnds
{
	const AwLevel *level;
	List	   *sets;			/* Bitmapset of range table indexes */
} JoinedEnds;

static void check_contains_window(const AwLevel *level, List *clauses, const char *what,
								  const char *hint);
static const AwLevel *opened_level(const AwLevel *level);
static void find_window_columns(const AwLevel *level, List *clauses, bool *has_start,
								bool *has_end);
static Bitmapset *join_ends(JoinedEnds *ends, Node *jtnode);
static void join_by_conditions(JoinedEnds *ends, Node *conditions, const Bitmapset *left,
							   const Bitmapset *right);
static void join_sets(JoinedEnds *ends, int one, int other);
static int	item_of_end(const AwLevel *level, Node *node);
static bool is_equality(Node *node, Node **left, Node **right);
static bool compares_ends(const AwLevel *level, const AwLevel *below, const SubLink *sublink);
static bool is_end_around(const AwLevel *level, Node *node);

/* What is computed of complete windows must be computed of each by itself. */
void
aw_queryends_check_windows(const AwLevel *level)
{
	const Query *query = level->query;
	ListCell   *lc;

	if (query->limitCount != NULL || query->limitOffset != NULL)
		aw_querycheck_refuse_limit();
	foreach(lc, query->hasWindowFuncs ? query->windowClause : NIL)
		check_contains_window(level, lfirst_node(WindowClause, lc)->partitionClause,
							  "PARTITION BY", "Add window_end to PARTITION BY.");
	if (query->distinctClause != NIL)
		check_contains_window(level, query->distinctClause, "SELECT DISTINCT",
							  "Add window_end to the select list.");
}

/* Each group must be of one window, in every grouping set. */
void
aw_queryends_check_grouping(const AwLevel *level)
{
	Query	   *query = level->query;
	List	   *sets;
	ListCell   *lc;

	if (query->groupingSets == NIL)
	{
		check_contains_window(level, query->groupClause, "GROUP BY",
							  "Add window_start and window_end to GROUP BY.");
		return;
	}

	sets = expand_grouping_sets(query->groupingSets, query->groupDistinct, -1);
	foreach(lc, sets)
	{
		List	   *clauses = NIL;
		ListCell   *lr;

		foreach(lr, (List *) lfirst(lc))
			clauses = lappend(clauses, get_sortgroupref_clause(lfirst_int(lr),
															   query->groupClause));
		check_contains_window(level, clauses, "every grouping set",
							  "Write GROUP BY window_end, ROLLUP (…), so that it is in all of them.");
	}
}

/*
 * Refuses a clause without columns that tell windows apart, or once they are closed,
 * their ends: those that end together are published together.
 *
 * Windows of CUMULATE have their start in common.  On the wall clock of a time zone,
 * windows of HOP may have either in common, where clocks are changed.
 */
static void
check_contains_window(const AwLevel *level, List *clauses, const char *what, const char *hint)
{
	const AwLevel *opened = opened_level(level);
	bool		is_cumulate = opened == NULL || opened->window_kind == AW_KIND_CUMULATE;
	bool		is_zoned_hop = opened != NULL && opened->window_kind == AW_KIND_HOP &&
		aw_queryends_are_zoned(opened);
	const char *needed = "window_start or window_end";
	bool		has_start;
	bool		has_end;
	bool		is_told_apart;

	find_window_columns(level, clauses, &has_start, &has_end);
	is_told_apart = has_start || has_end;
	if (is_cumulate || is_zoned_hop)
	{
		needed = "window_end";
		is_told_apart = has_end;
	}
	if (level->kind == AW_LEVEL_OPEN && is_zoned_hop)
	{
		needed = "window_start and window_end";
		is_told_apart = has_start && has_end;
	}
	if (!is_told_apart)
		aw_querycheck_refuse(psprintf("%s in a continuous query must contain %s", what, needed),
							 hint);
}

/* The level with the window of a level's rows; NULL if they are of several windows. */
static const AwLevel *
opened_level(const AwLevel *level)
{
	while (level != NULL && level->call == NULL)
		level = list_length(level->items) == 1 || level->is_union ? level->below : NULL;
	return level;
}

/* Are there a start and an end of windows among these?  A group window is both. */
static void
find_window_columns(const AwLevel *level, List *clauses, bool *has_start, bool *has_end)
{
	ListCell   *lc;

	*has_start = *has_end = false;
	foreach(lc, clauses)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(lc), level->query->targetList);
		AwColumnRole role = aw_queryrole_of(level, expr);
		bool		is_both = level->call != NULL && level->window == 0 &&
			equal(expr, level->call);

		*has_start |= role == AW_ROLE_START;
		*has_end |= role > AW_ROLE_START || is_both;
	}
}

/* Are the windows of a level cut on the wall clock of a time zone? */
bool
aw_queryends_are_zoned(const AwLevel *opened)
{
	Node	   *time = aw_querybranch_argument(opened->call, opened->window == 0 ? 0 : 1);

	return getBaseType(exprType(time)) == TIMESTAMPTZOID;
}

/* Are all set operations UNION ALL? */
bool
aw_queryends_is_union_all(Node *operations)
{
	const SetOperationStmt *operation = (const SetOperationStmt *) operations;

	if (!IsA(operations, SetOperationStmt))
		return true;
	return operation->op == SETOP_UNION && operation->all &&
		aw_queryends_is_union_all(operation->larg) && aw_queryends_is_union_all(operation->rarg);
}

/* Rows that set operations compare must tell windows apart. */
void
aw_queryends_check_set_operation(const AwLevel *level)
{
	if (aw_queryends_is_union_all(level->query->setOperations))
		return;
	for (int i = 0; i < level->n_columns; i++)
	{
		if (level->roles[i] > AW_ROLE_START)
			return;
	}
	aw_querycheck_refuse("UNION, INTERSECT and EXCEPT of windows must contain window_end",
						 "Add window_end at the same place to the select list of each branch.");
}

/* Windows that are joined must end together. */
void
aw_queryends_check_join(const AwLevel *level)
{
	JoinedEnds	ends = {.level = level};
	ListCell   *lc;

	foreach(lc, level->items)
		ends.sets = lappend(ends.sets,
							bms_make_singleton(((AwLevelItem *) lfirst(lc))->rtindex));
	(void) join_ends(&ends, (Node *) level->query->jointree);
	if (list_length(ends.sets) > 1)
		aw_querycheck_refuse("a join of windows must compare window_end of both",
							 "Add ON left.window_start = right.window_start AND left.window_end = right.window_end.");
}

/* Joins the ends of items below a node of the join tree; which there are. */
static Bitmapset *
join_ends(JoinedEnds *ends, Node *jtnode)
{
	const JoinExpr *join = (const JoinExpr *) jtnode;
	Bitmapset  *left = NULL;
	Bitmapset  *right;
	ListCell   *lc;

	if (IsA(jtnode, RangeTblRef))
	{
		int			rtindex = ((RangeTblRef *) jtnode)->rtindex;

		foreach(lc, ends->level->items)
		{
			if (((AwLevelItem *) lfirst(lc))->rtindex == (Index) rtindex)
				return bms_make_singleton(rtindex);
		}
		return NULL;
	}
	if (IsA(jtnode, FromExpr))
	{
		foreach(lc, ((FromExpr *) jtnode)->fromlist)
			left = bms_union(left, join_ends(ends, lfirst(lc)));
		join_by_conditions(ends, ((FromExpr *) jtnode)->quals, NULL, NULL);
		return left;
	}

	left = join_ends(ends, join->larg);
	right = join_ends(ends, join->rarg);
	if (join->jointype == JOIN_INNER)
		join_by_conditions(ends, join->quals, NULL, NULL);
	else
	{
		if ((bms_is_empty(left) && !bms_is_empty(right) && join->jointype != JOIN_RIGHT) ||
			(bms_is_empty(right) && !bms_is_empty(left) && join->jointype != JOIN_LEFT))
			aw_querycheck_refuse("an outer join in a continuous query must preserve the windows",
								 "Write them on the left side of LEFT JOIN.");
		join_by_conditions(ends, join->quals, left, right);
	}
	return bms_union(left, right);
}

/* Looks for equalities of ends; of an outer join, between its sides. */
static void
join_by_conditions(JoinedEnds *ends, Node *conditions, const Bitmapset *left,
				   const Bitmapset *right)
{
	ListCell   *lc;

	foreach(lc, aw_querycheck_conditions(conditions))
	{
		Node	   *first;
		Node	   *second;
		int			one;
		int			other;

		if (!is_equality(lfirst(lc), &first, &second))
			continue;
		one = item_of_end(ends->level, first);
		other = item_of_end(ends->level, second);
		if (one == 0 || other == 0)
			continue;
		if ((left == NULL && right == NULL) ||
			(bms_is_member(one, left) && bms_is_member(other, right)) ||
			(bms_is_member(other, left) && bms_is_member(one, right)))
			join_sets(ends, one, other);
	}
}

static void
join_sets(JoinedEnds *ends, int one, int other)
{
	Bitmapset  *joined = NULL;
	List	   *others = NIL;
	ListCell   *lc;

	foreach(lc, ends->sets)
	{
		Bitmapset  *set = lfirst(lc);

		if (bms_is_member(one, set) || bms_is_member(other, set))
			joined = bms_union(joined, set);
		else
			others = lappend(others, set);
	}
	ends->sets = lappend(others, joined);
}

/* The item whose window_end an expression is; 0 if it is none. */
static int
item_of_end(const AwLevel *level, Node *node)
{
	AwColumnRole role = IsA(node, Var) ? aw_queryrole_of_joined(level, (Var *) node) : AW_ROLE_NONE;

	return role == AW_ROLE_END ? ((Var *) node)->varno : 0;
}

/* Is it an equality by which values could be sorted, of what? */
static bool
is_equality(Node *node, Node **left, Node **right)
{
	OpExpr	   *expr = (OpExpr *) node;

	if (!IsA(node, OpExpr) || list_length(expr->args) != 2)
		return false;
	*left = linitial(expr->args);
	*right = lsecond(expr->args);
	return op_mergejoinable(expr->opno, exprType(*left));
}

/* What queries in expressions read must end with the windows of the level. */
void
aw_queryends_check_subqueries(const AwLevel *level)
{
	ListCell   *ll;
	ListCell   *ls;

	if (level->subqueries != NIL && level->kind != AW_LEVEL_CLOSED)
		aw_querycheck_refuse("a continuous query cannot read a stream in a subquery of an expression",
							 "Give the query around it a window, too, and compare window_end of both.");
	forboth(ll, level->subqueries, ls, level->sublinks)
	{
		if (!compares_ends(level, lfirst(ll), lfirst(ls)))
			aw_querycheck_refuse("a subquery over windows must compare its window_end with that of the query around it",
								 "Add inner.window_start = outer.window_start AND inner.window_end = outer.window_end to its WHERE.");
	}
}

/* Does a query in an expression compare its end with the end around it? */
static bool
compares_ends(const AwLevel *level, const AwLevel *below, const SubLink *sublink)
{
	ListCell   *lc;
	Node	   *left;
	Node	   *right;

	foreach(lc, aw_querycheck_conditions(below->query->jointree->quals))
	{
		if (is_equality(lfirst(lc), &left, &right) &&
			((item_of_end(below, left) != 0 && is_end_around(level, right)) ||
			 (item_of_end(below, right) != 0 && is_end_around(level, left))))
			return true;
	}
	if (sublink->subLinkType != ANY_SUBLINK)
		return false;
	foreach(lc, aw_querycheck_conditions(sublink->testexpr))
	{
		if (is_equality(lfirst(lc), &left, &right) && IsA(right, Param) &&
			item_of_end(level, left) != 0 &&
			below->roles[((Param *) right)->paramid - 1] == AW_ROLE_END)
			return true;
	}
	return false;
}

/* Is it the end of a window of the level, seen from a query in its expressions? */
static bool
is_end_around(const AwLevel *level, Node *node)
{
	Var		   *var = (Var *) node;

	if (!IsA(var, Var) || var->varlevelsup != 1)
		return false;
	var = copyObject(var);
	var->varlevelsup = 0;
	return item_of_end(level, (Node *) var) != 0;
}
