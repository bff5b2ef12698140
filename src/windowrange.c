/*
 * windowrange.c
 *
 * A condition on a window column says something on the rowtime of its rows, which
 * PostgreSQL cannot know: it is added beside the window, so that indexes and
 * partitions of the table are of use.
 *
 *	 SELECT ... FROM bid, TUMBLE(bid, DESCRIPTOR(ts), '1 hour')
 *	 WHERE window_start >= '2024-01-01' AND window_end <= $1
 *
 * gets "ts >= '2024-01-01' AND ts <= last_row($1, ...)".
 *
 * The condition itself stays, so what is added need only be implied by it; see
 * rowlimit.c.  Where both say the same it goes, lest its selectivity count twice and
 * it be evaluated for each row: in WHERE of the level of a TUMBLE in FROM.
 *
 * From the condition, the walk goes down through subqueries and CTEs to the window.
 * Rows may be taken away below where those that share the window's column share
 * their fate: not below LIMIT, and not below grouping, DISTINCT ON or window
 * functions by anything else.  A session's bounds come from other rows, so they
 * say nothing.
 *
 * Planning pays for this only in statements that have windows.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/array.h"
#include "utils/date.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "compat.h"
#include "groupwindow.h"
#include "rangetable.h"
#include "rowlimit.h"
#include "windowrange.h"

/* A query, in the queries around it. */
typedef struct Level
{
	Query	   *query;
	struct Level *parent;
	bool		is_extended;	/* has got a condition that has not been read yet */
	bool		may_replace;	/* conditions that are read may go */
	bool		is_replaced;	/* by what was added for the last comparison */
} Level;

static bool range_walker(Node *node, Level *parent);
static void read_level(Level *level);
static void read_jointree(Level *level, Node *jtnode);
static void read_conditions(Level *level, Node *conditions, Node *scope);
static Node *without_condition(Node *conditions, const OpExpr *condition);
static void read_comparison(Level *level, OpExpr *op, Node *scope);
static void read_values(Level *level, ScalarArrayOpExpr *op, Node *scope);
static int	strategy_of(Oid operator, Oid type);
static bool bring_to_type(Oid type, Node **bound);
static bool names_column(Node *node);
static bool is_same_for_all_rows(Node *node);
static bool row_walker(Node *node, void *context);
static bool variable_walker(Node *node, void *context);
static void derive(Level *level, Node *column, const AwComparison *comparison);
static void derive_from_item(Level *level, const Var *var, const AwComparison *comparison);
static void derive_from_subquery(Level *level, Query *subquery, AttrNumber column,
								 const AwComparison *comparison);
static void derive_from_cte(Level *level, const RangeTblEntry *rte, AttrNumber column,
							const AwComparison *comparison);
static void derive_from_output(Level *level, AttrNumber column, const AwComparison *comparison);
static void derive_from_branches(Level *level, Node *operation, AttrNumber column,
								 const AwComparison *comparison);
static bool may_filter_below(const Query *query, const TargetEntry *entry);
static bool is_in_clauses(const TargetEntry *entry, const List *clauses);
static void derive_from_shifted(Level *level, const Node *sum, const AwComparison *comparison);
static void derive_from_key(Level *level, Node *expr, const AwComparison *comparison);
static FuncExpr *only_tumble_of(const Query *query);
static void derive_from_call(Level *level, const Var *var, const RangeTblEntry *rte,
							 const AwComparison *comparison);
static bool is_replacing(const Level *level, const AwWindowColumn *column,
						 const AwComparison *comparison);
static bool contains_inner(Node *jtnode, int rtindex);
static bool kind_of_call(const FuncExpr *call, int *first, AwWindowKind *kind);
static bool contains_item(Node *jtnode, int rtindex);

/* Adds ranges to a statement and all queries in it. */
void
aw_windowrange_derive(Query *query)
{
	range_walker((Node *) query, NULL);
}

/* Adds those that follow from the conditions of one query, whose parents are not known. */
void
aw_windowrange_derive_level(Query *query)
{
	Level		level = {.query = query};

	read_level(&level);
}

/* Each query comes before its subqueries, so that what it adds to them counts as theirs. */
static bool
range_walker(Node *node, Level *parent)
{
	if (node == NULL)
		return false;

	if (IsA(node, Query))
	{
		Level		level = {.query = (Query *) node,.parent = parent};

		level.may_replace = level.query->commandType == CMD_SELECT;
		read_level(&level);
		return query_tree_walker(level.query, range_walker, &level, QTW_IGNORE_JOINALIASES);
	}
	return expression_tree_walker(node, range_walker, parent);
}

/*
 * Reads the conditions of a query, again where one that was added is on another
 * window's column.  MERGE acts on rows of its source that fail the condition, too.
 */
static void
read_level(Level *level)
{
	Query	   *query = level->query;

	if (query->commandType == CMD_MERGE || query->commandType == CMD_UTILITY ||
		query->jointree == NULL)
		return;

	do
	{
		level->is_extended = false;
		read_jointree(level, (Node *) query->jointree);
		if (query->groupClause != NIL && query->groupingSets == NIL)
			read_conditions(level, query->havingQual, NULL);
	} while (level->is_extended);
}

/* The condition of an outer join filters the side whose rows it does not keep. */
static void
read_jointree(Level *level, Node *jtnode)
{
	if (IsA(jtnode, FromExpr))
	{
		FromExpr   *from = (FromExpr *) jtnode;
		ListCell   *lc;

		foreach(lc, from->fromlist)
			read_jointree(level, lfirst(lc));
		read_conditions(level, from->quals, jtnode);
	}
	else if (IsA(jtnode, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) jtnode;

		read_jointree(level, join->larg);
		read_jointree(level, join->rarg);
		if (join->jointype == JOIN_INNER)
			read_conditions(level, join->quals, jtnode);
		else if (join->jointype == JOIN_LEFT)
			read_conditions(level, join->quals, join->rarg);
		else if (join->jointype == JOIN_RIGHT)
			read_conditions(level, join->quals, join->larg);
	}
}

static void
read_conditions(Level *level, Node *conditions, Node *scope)
{
	ListCell   *lc;

	if (conditions == NULL)
		return;

	if (is_andclause(conditions))
	{
		foreach(lc, ((BoolExpr *) conditions)->args)
			read_conditions(level, lfirst(lc), scope);
	}
	else if (IsA(conditions, OpExpr) && list_length(((OpExpr *) conditions)->args) == 2)
	{
		level->is_replaced = false;
		read_comparison(level, (OpExpr *) conditions, scope);
		if (level->is_replaced)
			level->query->jointree->quals =
				without_condition(level->query->jointree->quals, (OpExpr *) conditions);
	}
	else if (IsA(conditions, ScalarArrayOpExpr) && ((ScalarArrayOpExpr *) conditions)->useOr)
		read_values(level, (ScalarArrayOpExpr *) conditions, scope);
}

/* TRUE instead of a condition, one of those that must all hold. */
static Node *
without_condition(Node *conditions, const OpExpr *condition)
{
	ListCell   *lc;

	if (conditions == (const Node *) condition)
		return makeBoolConst(true, false);
	if (is_andclause(conditions))
	{
		foreach(lc, ((BoolExpr *) conditions)->args)
			lfirst(lc) = without_condition(lfirst(lc), condition);
	}
	return conditions;
}

/* column <operator> bound, or the other way round */
static void
read_comparison(Level *level, OpExpr *op, Node *scope)
{
	for (int side = 0; side < 2; side++)
	{
		Node	   *column = list_nth(op->args, side);
		AwComparison	comparison = {.type = exprType(column),.scope = scope};

		comparison.bound = list_nth(op->args, 1 - side);
		comparison.strategy = strategy_of(op->opno, comparison.type);
		if (comparison.strategy == 0 || !names_column(column) ||
			!is_same_for_all_rows(comparison.bound) ||
			!bring_to_type(comparison.type, &comparison.bound))
			continue;

		if (side == 1)
			comparison.strategy = BTMaxStrategyNumber + 1 - comparison.strategy;
		derive(level, column, &comparison);
	}
}

/* column IN (constants): from the least of them to the greatest */
static void
read_values(Level *level, ScalarArrayOpExpr *op, Node *scope)
{
	Node	   *column = linitial(op->args);
	AwComparison	comparison = {.type = exprType(column),.scope = scope};
	Const	   *values;
	Datum	   *elements;
	bool	   *nulls;
	int			n_elements;
	Timestamp	least = DT_NOEND;
	Timestamp	greatest = DT_NOBEGIN;

	if (strategy_of(op->opno, comparison.type) != BTEqualStrategyNumber || !names_column(column))
		return;

	values = (Const *) eval_const_expressions(NULL, lsecond(op->args));
	if (!IsA(values, Const) || values->constisnull ||
		get_element_type(values->consttype) != comparison.type)
		return;

	deconstruct_array(DatumGetArrayTypeP(values->constvalue), comparison.type, sizeof(Timestamp),
					  FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &elements, &nulls, &n_elements);
	for (int i = 0; i < n_elements; i++)
	{
		if (nulls[i])
			continue;
		least = Min(least, DatumGetTimestamp(elements[i]));
		greatest = Max(greatest, DatumGetTimestamp(elements[i]));
	}
	if (least > greatest)
		return;

	comparison.bound = aw_rowlimit_constant(comparison.type, least);
	comparison.strategy = BTGreaterEqualStrategyNumber;
	derive(level, column, &comparison);
	comparison.bound = aw_rowlimit_constant(comparison.type, greatest);
	comparison.strategy = BTLessEqualStrategyNumber;
	derive(level, column, &comparison);
}

/* Which comparison of times an operator is; 0 if none. */
static int
strategy_of(Oid operator, Oid type)
{
	if (type != TIMESTAMPOID && type != TIMESTAMPTZOID)
		return 0;
	return get_op_opfamily_strategy(operator,
									lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf);
}

/*
 * Is a bound of the type of what it is compared with?  A date that is a constant
 * becomes a timestamp; other comparisons of two types depend on the time zone.
 */
static bool
bring_to_type(Oid type, Node **bound)
{
	Const	   *constant;
	Timestamp	ts;
	int			overflow;

	if (exprType(*bound) == type)
		return true;
	if (type != TIMESTAMPOID || exprType(*bound) != DATEOID)
		return false;

	constant = (Const *) eval_const_expressions(NULL, *bound);
	if (!IsA(constant, Const) || constant->constisnull)
		return false;
	ts = date2timestamp_opt_overflow(DatumGetDateADT(constant->constvalue), &overflow);
	*bound = aw_rowlimit_constant(type, ts);
	return overflow == 0;
}

/* May it be a window column, or one less or plus an interval? */
static bool
names_column(Node *node)
{
	return (IsA(node, Var) && ((Var *) node)->varlevelsup == 0) ||
		IsA(node, Aggref) || IsA(node, FuncExpr) || IsA(node, OpExpr);
}

static bool
is_same_for_all_rows(Node *node)
{
	return !row_walker(node, NULL) && !contain_volatile_functions(node) &&
		!expression_returns_set(node);
}

/* Is there anything that depends on the row, or must not be there twice? */
static bool
row_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;

	switch (nodeTag(node))
	{
		case T_Var:
			return ((Var *) node)->varlevelsup == 0;
		case T_Param:
			return ((Param *) node)->paramkind != PARAM_EXTERN;
		case T_Aggref:
		case T_GroupingFunc:
		case T_WindowFunc:
		case T_SubLink:
		case T_SubPlan:
		case T_AlternativeSubPlan:
		case T_PlaceHolderVar:
			return true;
		default:
			return expression_tree_walker(node, row_walker, context);
	}
}

/* Is there a column, of an outer query? */
static bool
variable_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return IsA(node, Var) || expression_tree_walker(node, variable_walker, context);
}

/* Adds what follows from a comparison of an expression at the level. */
static void
derive(Level *level, Node *column, const AwComparison *comparison)
{
	if (exprType(column) != comparison->type)
		return;

	if (!IsA(column, Var))
	{
		derive_from_shifted(level, column, comparison);
		derive_from_key(level, column, comparison);
		return;
	}

	if (level->query->groupClause != NIL)
	{
		Node	   *key = aw_compat_group_key_of(level->query, column);

		if (!IsA(key, Var))
		{
			derive(level, key, comparison);
			return;
		}
		column = key;
	}
	if (((Var *) column)->varlevelsup == 0 && ((Var *) column)->varattno > 0)
		derive_from_item(level, (Var *) column, comparison);
}

static void
derive_from_item(Level *level, const Var *var, const AwComparison *comparison)
{
	RangeTblEntry *rte = rt_fetch(var->varno, level->query->rtable);

	if (rte->rtekind == RTE_JOIN)
	{
		derive(level, list_nth(rte->joinaliasvars, var->varattno - 1), comparison);
		return;
	}

	if (comparison->scope != NULL && !contains_item(comparison->scope, var->varno))
		return;

	if (rte->rtekind == RTE_FUNCTION)
		derive_from_call(level, var, rte, comparison);
	else if (rte->rtekind == RTE_SUBQUERY)
		derive_from_subquery(level, rte->subquery, var->varattno, comparison);
	else if (rte->rtekind == RTE_CTE)
		derive_from_cte(level, rte, var->varattno, comparison);
}

/* Goes down one level. */
static void
derive_from_subquery(Level *level, Query *subquery, AttrNumber column,
					 const AwComparison *comparison)
{
	Level		below = {.query = subquery,.parent = level};
	AwComparison	lowered = *comparison;

	lowered.scope = NULL;
	lowered.bound = copyObject(comparison->bound);
	IncrementVarSublevelsUp(lowered.bound, 1, 1);
	derive_from_output(&below, column, &lowered);
}

/* A CTE that is read once, and that the planner may turn into a subquery. */
static void
derive_from_cte(Level *level, const RangeTblEntry *rte, AttrNumber column,
				const AwComparison *comparison)
{
	ListCell   *lc;

	if (rte->self_reference || variable_walker(comparison->bound, NULL))
		return;

	for (Index up = rte->ctelevelsup; up > 0 && level != NULL; up--)
		level = level->parent;
	if (level == NULL)
		return;

	foreach(lc, level->query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, lc);

		if (strcmp(cte->ctename, rte->ctename) != 0)
			continue;
		if (cte->cterefcount == 1 && !cte->cterecursive &&
			cte->ctematerialized != CTEMaterializeAlways &&
			((Query *) cte->ctequery)->commandType == CMD_SELECT &&
			!contain_volatile_functions(cte->ctequery))
			derive_from_subquery(level, (Query *) cte->ctequery, column, comparison);
		return;
	}
}

/* From an output column of the level's query. */
static void
derive_from_output(Level *level, AttrNumber column, const AwComparison *comparison)
{
	Query	   *query = level->query;
	TargetEntry *entry;

	if (query->commandType != CMD_SELECT || query->limitCount != NULL ||
		query->limitOffset != NULL || query->rowMarks != NIL)
		return;

	if (query->setOperations != NULL)
	{
		derive_from_branches(level, query->setOperations, column, comparison);
		return;
	}

	entry = get_tle_by_resno(query->targetList, column);
	if (entry != NULL && may_filter_below(query, entry))
		derive(level, (Node *) entry->expr, comparison);
}

/* Of rows that fail the condition, a branch may have any number, but for EXCEPT. */
static void
derive_from_branches(Level *level, Node *operation, AttrNumber column,
					 const AwComparison *comparison)
{
	if (IsA(operation, SetOperationStmt))
	{
		SetOperationStmt *set = (SetOperationStmt *) operation;

		derive_from_branches(level, set->larg, column, comparison);
		if (set->op != SETOP_EXCEPT)
			derive_from_branches(level, set->rarg, column, comparison);
	}
	else if (IsA(operation, RangeTblRef))
	{
		RangeTblEntry *rte = rt_fetch(((RangeTblRef *) operation)->rtindex,
									  level->query->rtable);

		if (rte->rtekind == RTE_SUBQUERY)
			derive_from_subquery(level, rte->subquery, column, comparison);
	}
}

/*
 * Do rows that have the output column in common stand or fall together?  If the
 * query groups, a column that is no aggregate is the same in all rows of a group.
 */
static bool
may_filter_below(const Query *query, const TargetEntry *entry)
{
	ListCell   *lc;

	if (query->groupingSets != NIL ||
		(query->hasDistinctOn && !is_in_clauses(entry, query->distinctClause)))
		return false;

	foreach(lc, query->windowClause)
	{
		if (!is_in_clauses(entry, lfirst_node(WindowClause, lc)->partitionClause))
			return false;
	}
	return true;
}

static bool
is_in_clauses(const TargetEntry *entry, const List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (entry->ressortgroupref != 0 &&
			lfirst_node(SortGroupClause, lc)->tleSortGroupRef == entry->ressortgroupref)
			return true;
	}
	return false;
}

/* column - interval or column + interval, of hours and less, which no zone changes */
static void
derive_from_shifted(Level *level, const Node *sum, const AwComparison *comparison)
{
	Oid			function = InvalidOid;
	List	   *args = NIL;
	AwComparison	moved = *comparison;
	Const	   *constant;
	const Interval *interval;
	int64		shift_us;

	if (IsA(sum, FuncExpr))
	{
		function = ((const FuncExpr *) sum)->funcid;
		args = ((const FuncExpr *) sum)->args;
	}
	else if (IsA(sum, OpExpr))
	{
		function = get_opcode(((const OpExpr *) sum)->opno);
		args = ((const OpExpr *) sum)->args;
	}
	if (function != F_TIMESTAMP_MI_INTERVAL && function != F_TIMESTAMPTZ_MI_INTERVAL &&
		function != F_TIMESTAMP_PL_INTERVAL && function != F_TIMESTAMPTZ_PL_INTERVAL)
		return;

	constant = (Const *) eval_const_expressions(NULL, lsecond(args));
	if (!IsA(constant, Const) || constant->constisnull || !names_column(linitial(args)))
		return;
	interval = DatumGetIntervalP(constant->constvalue);
	if (interval->month != 0 || interval->day != 0)
		return;

	shift_us = interval->time;
	if (function == F_TIMESTAMP_PL_INTERVAL || function == F_TIMESTAMPTZ_PL_INTERVAL)
		shift_us = -shift_us;
	if (!pg_add_s64_overflow(moved.shift_us, shift_us, &moved.shift_us))
		derive(level, linitial(args), &moved);
}

/* TUMBLE as a value, which is its start, or a part of the query's TUMBLE. */
static void
derive_from_key(Level *level, Node *expr, const AwComparison *comparison)
{
	AwWindowColumn column = {.part = AW_PART_START};
	FuncExpr   *window = (FuncExpr *) expr;
	List	   *args;

	if (comparison->scope != NULL && comparison->scope != (Node *) level->query->jointree)
		return;

	if (IsA(expr, Aggref))
	{
		if (((Aggref *) expr)->agglevelsup > 0 ||
			!aw_groupwindow_is_part((Aggref *) expr, &column.kind, &column.part) ||
			column.kind != AW_KIND_TUMBLE || column.part == AW_PART_PROCTIME)
			return;
		window = only_tumble_of(level->query);
	}
	if (window == NULL || !aw_groupwindow_is_window((Node *) window, &column.kind) ||
		column.kind != AW_KIND_TUMBLE)
		return;

	args = aw_rangetable_call_args(window);
	column.rowtime = linitial(args);
	column.size = column.step = lsecond(args);
	if (aw_rowlimit_add(level->query, &column, comparison))
		level->is_extended = true;
}

/* The TUMBLE that a query groups by; NULL if there is none, or several. */
static FuncExpr *
only_tumble_of(const Query *query)
{
	FuncExpr   *window = NULL;
	ListCell   *lc;

	foreach(lc, aw_compat_group_keys(query))
	{
		AwWindowKind kind;

		if (!aw_groupwindow_is_window(lfirst(lc), &kind) || kind != AW_KIND_TUMBLE)
			continue;
		if (window != NULL)
			return NULL;
		window = lfirst(lc);
	}
	return window;
}

/* window_start, window_end and window_time of a call in FROM */
static void
derive_from_call(Level *level, const Var *var, const RangeTblEntry *rte,
				 const AwComparison *comparison)
{
	static const AwWindowPart parts[] = {AW_PART_START, AW_PART_END, AW_PART_ROWTIME};
	FuncExpr   *call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;
	AwWindowColumn column = {.rtindex = var->varno};
	List	   *args;
	int			first;

	if (list_length(rte->functions) != 1 || var->varattno > (int) lengthof(parts) ||
		!IsA(call, FuncExpr) || !kind_of_call(call, &first, &column.kind))
		return;

	args = aw_rangetable_call_args(call);
	column.part = parts[var->varattno - 1];
	column.rowtime = list_nth(args, first);
	column.step = list_nth(args, first + 1);
	column.size = (column.kind == AW_KIND_TUMBLE) ? column.step : list_nth(args, first + 2);
	column.offset = llast(args);
	if (aw_rowlimit_add(level->query, &column, comparison))
	{
		level->is_extended = true;
		level->is_replaced = is_replacing(level, &column, comparison);
	}
}

/*
 * May what was added stand for the condition?  Only if that is in WHERE, and keeps no
 * row of an outer join that the other does not.
 */
static bool
is_replacing(const Level *level, const AwWindowColumn *column, const AwComparison *comparison)
{
	Node	   *jointree = (Node *) level->query->jointree;

	return level->may_replace && comparison->scope == jointree &&
		contains_inner(jointree, column->rtindex) && aw_rowlimit_is_exact(column, comparison);
}

/* Is an item of FROM in a part of the join tree, and below no outer join there? */
static bool
contains_inner(Node *jtnode, int rtindex)
{
	ListCell   *lc;

	if (IsA(jtnode, RangeTblRef))
		return ((RangeTblRef *) jtnode)->rtindex == rtindex;

	if (IsA(jtnode, JoinExpr))
		return ((JoinExpr *) jtnode)->jointype == JOIN_INNER &&
			(contains_inner(((JoinExpr *) jtnode)->larg, rtindex) ||
			 contains_inner(((JoinExpr *) jtnode)->rarg, rtindex));

	foreach(lc, castNode(FromExpr, jtnode)->fromlist)
	{
		if (contains_inner(lfirst(lc), rtindex))
			return true;
	}
	return false;
}

/* Which windows a call in FROM gives, and the number of its time argument. */
static bool
kind_of_call(const FuncExpr *call, int *first, AwWindowKind *kind)
{
	static const struct
	{
		const char *symbol;
		AwWindowKind kind;
	}			supports[] = {
		{"aw_sql_tumble_support", AW_KIND_TUMBLE},
		{"aw_sql_hop_support", AW_KIND_HOP},
		{"aw_sql_cumulate_support", AW_KIND_CUMULATE},
	};

	*first = 0;
	*kind = AW_KIND_HOP;
	if (aw_rangetable_has_symbol(call->funcid, "aw_sql_hop_rows"))
		return true;

	*first = 1;
	if (!aw_rangetable_is_table_function(call->funcid))
		return false;
	for (size_t i = 0; i < lengthof(supports); i++)
	{
		*kind = supports[i].kind;
		if (aw_rangetable_has_symbol(get_func_support(call->funcid), supports[i].symbol))
			return true;
	}
	return false;
}

/* Is an item of FROM in a part of the join tree? */
static bool
contains_item(Node *jtnode, int rtindex)
{
	ListCell   *lc;

	if (IsA(jtnode, RangeTblRef))
		return ((RangeTblRef *) jtnode)->rtindex == rtindex;

	if (IsA(jtnode, JoinExpr))
		return contains_item(((JoinExpr *) jtnode)->larg, rtindex) ||
			contains_item(((JoinExpr *) jtnode)->rarg, rtindex);

	foreach(lc, castNode(FromExpr, jtnode)->fromlist)
	{
		if (contains_item(lfirst(lc), rtindex))
			return true;
	}
	return false;
}
