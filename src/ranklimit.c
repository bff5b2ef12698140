/*
 * ranklimit.c
 *
 * Top-N per window:
 *
 *	 SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY n DESC) AS r
 *	                FROM (SELECT window_end, k, count(*) AS n ... GROUP BY ...) AS w) AS v
 *	 WHERE r <= 10
 *
 * PostgreSQL knows "r <= 10" as a run condition of the window function, at the level of
 * the grouping or at the one above: it need not give out rows beyond.  Then nor need
 * the slice node, if nothing but row_number(), rank() and dense_rank() by the same
 * partitions and order sees the rows before they are left out.  What is kept may be
 * more, for the function still runs.
 *
 * Partitions must be made of whole windows: the first of many windows are among the
 * first of each of them.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "ranklimit.h"

/* From so many on, sorting all is as good. */
#define MAX_LIMIT 1000

/* The query that has the window functions. */
typedef struct RankLevel
{
	PlannerInfo *root;
	PlannerInfo *grouping_root;
	int			rtindex;		/* of the grouping query in it; 0 if that is the one */
	bool		is_mapped;		/* an expression could be brought down */
} RankLevel;

static bool find_level(AwSliceQuery *query, RankLevel *level);
static bool is_plain(const Query *query);
static bool function_walker(Node *node, List **functions);
static WindowClause *common_clause(const Query *query, List *functions);
static bool find_limit(AwSliceQuery *query, List *conditions);
static bool read_condition(const OpExpr *condition, AwRankRule *rule, int *limit);
static bool rule_of(Oid function, AwRankRule *rule);
static bool is_of_windows(AwSliceQuery *query, RankLevel *level, List *clauses);
static bool add_order(AwSliceQuery *query, RankLevel *level, List *clauses);
static Node *bring_down(RankLevel *level, const SortGroupClause *clause);
static Node *map_column(Node *node, RankLevel *level);
static bool unknown_walker(Node *node, List *outputs);

/* Fills in the rank fields of the query's spec, if only the first groups are wanted. */
void
aw_ranklimit_find(AwSliceQuery *query)
{
	RankLevel	level = {0};
	List	   *functions = NIL;
	WindowClause *clause;

	if (!find_level(query, &level) || contain_volatile_functions((Node *) query->spec.quals))
		return;

	function_walker((Node *) level.root->processed_tlist, &functions);
	clause = common_clause(level.root->parse, functions);
	if (clause == NULL || clause->orderClause == NIL ||
		!is_of_windows(query, &level, clause->partitionClause) ||
		!add_order(query, &level, clause->orderClause) ||
		!find_limit(query, aw_compat_run_conditions(level.root->parse, functions)))
	{
		query->spec.rank_exprs = NIL;
		query->spec.rank_limit = 0;
	}
}

/*
 * The level of the grouping, or the one above if it reads nothing else and filters
 * nothing.  A level is planned as far as its items before these are.
 */
static bool
find_level(AwSliceQuery *query, RankLevel *level)
{
	const Query *own = query->root->parse;
	PlannerInfo *parent = query->root->parent_root;
	RelOptInfo *rel;

	if (!is_plain(own))
		return false;
	level->root = level->grouping_root = query->root;
	if (own->hasWindowFuncs)
		return true;

	if (parent == NULL || parent->simple_rel_array == NULL || !parent->parse->hasWindowFuncs ||
		!is_plain(parent->parse) || parent->parse->groupClause != NIL ||
		parent->parse->groupingSets != NIL || parent->parse->hasAggs ||
		parent->parse->havingQual != NULL ||
		!bms_get_singleton_member(parent->all_baserels, &level->rtindex))
		return false;

	/* What has no plan yet is what is being planned. */
	rel = parent->simple_rel_array[level->rtindex];
	level->root = parent;
	return rel != NULL && rel->rtekind == RTE_SUBQUERY && rel->subroot == NULL &&
		!parent->simple_rte_array[level->rtindex]->inh &&
		rel->baserestrictinfo == NIL && rel->joininfo == NIL;
}

/* Does each row of a query come from one row of what is before? */
static bool
is_plain(const Query *query)
{
	return query->commandType == CMD_SELECT && query->distinctClause == NIL &&
		query->setOperations == NULL && query->limitCount == NULL &&
		query->limitOffset == NULL && query->rowMarks == NIL && !query->hasTargetSRFs;
}

static bool
function_walker(Node *node, List **functions)
{
	if (node == NULL)
		return false;
	if (IsA(node, WindowFunc))
		*functions = lappend(*functions, node);
	return expression_tree_walker(node, function_walker, functions);
}

/* The partitions and the order of all functions; NULL if they are not the same. */
static WindowClause *
common_clause(const Query *query, List *functions)
{
	WindowClause *common = NULL;
	ListCell   *lc;

	foreach(lc, functions)
	{
		const WindowFunc *function = lfirst_node(WindowFunc, lc);
		WindowClause *clause = list_nth_node(WindowClause, query->windowClause,
											 function->winref - 1);
		AwRankRule	rule;

		if (clause->winref != function->winref || !rule_of(function->winfnoid, &rule))
			return NULL;
		if (common == NULL)
			common = clause;
		else if (!equal(common->partitionClause, clause->partitionClause) ||
				 !equal(common->orderClause, clause->orderClause))
			return NULL;
	}
	return common;
}

/* Takes the first condition that is a limit. */
static bool
find_limit(AwSliceQuery *query, List *conditions)
{
	ListCell   *lc;

	foreach(lc, conditions)
	{
		OpExpr	   *condition = lfirst(lc);

		if (IsA(condition, OpExpr) &&
			read_condition(condition, &query->spec.rank_rule, &query->spec.rank_limit))
			return true;
	}
	return false;
}

/* function <= constant, or the like */
static bool
read_condition(const OpExpr *condition, AwRankRule *rule, int *limit)
{
	Oid			family = lookup_type_cache(INT8OID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = condition->opno;
	WindowFunc *function = linitial(condition->args);
	Const	   *constant = lsecond(condition->args);
	int64		value;

	if (!IsA(function, WindowFunc))
	{
		function = lsecond(condition->args);
		constant = linitial(condition->args);
		operator = get_commutator(operator);
	}
	if (!IsA(function, WindowFunc) || !IsA(constant, Const) || constant->constisnull ||
		!rule_of(function->winfnoid, rule))
		return false;

	if (constant->consttype == INT8OID)
		value = DatumGetInt64(constant->constvalue);
	else if (constant->consttype == INT4OID)
		value = DatumGetInt32(constant->constvalue);
	else
		return false;

	switch (get_op_opfamily_strategy(operator, family))
	{
		case BTLessStrategyNumber:
			value--;
			break;
		case BTLessEqualStrategyNumber:
		case BTEqualStrategyNumber:
			break;
		default:
			return false;
	}
	*limit = (int) Min(value, MAX_LIMIT + 1);
	return value >= 1 && value <= MAX_LIMIT;
}

static bool
rule_of(Oid function, AwRankRule *rule)
{
	if (function == F_ROW_NUMBER)
		*rule = AW_RANK_ROW_NUMBER;
	else if (function == F_RANK_)
		*rule = AW_RANK_RANK;
	else if (function == F_DENSE_RANK_)
		*rule = AW_RANK_DENSE_RANK;
	else
		return false;
	return true;
}

/* Are partitions the same for all groups of a window? */
static bool
is_of_windows(AwSliceQuery *query, RankLevel *level, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		Node	   *expr = bring_down(level, lfirst_node(SortGroupClause, lc));

		if (expr == NULL || contain_agg_clause(expr) || contain_volatile_functions(expr) ||
			aw_slicequery_depends_on_rows(expr, query))
			return false;
	}
	return true;
}

/* Takes what the order is by, if it can be computed from the node's rows. */
static bool
add_order(AwSliceQuery *query, RankLevel *level, List *clauses)
{
	AwSliceSpec *spec = &query->spec;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		const SortGroupClause *clause = lfirst_node(SortGroupClause, lc);
		Node	   *expr = bring_down(level, clause);

		if (expr == NULL || contain_volatile_functions(expr) ||
			unknown_walker(expr, spec->outputs))
			return false;
		spec->rank_exprs = lappend(spec->rank_exprs, expr);
		spec->rank_operators = lappend_oid(spec->rank_operators, clause->sortop);
		spec->rank_collations = lappend_oid(spec->rank_collations, exprCollation(expr));
		spec->rank_nulls_first = lappend_int(spec->rank_nulls_first, clause->nulls_first);
	}
	return true;
}

/* An expression of the level over the output of the grouping query; NULL if it is none. */
static Node *
bring_down(RankLevel *level, const SortGroupClause *clause)
{
	TargetEntry *entry = get_sortgroupref_tle(clause->tleSortGroupRef,
											  level->root->processed_tlist);
	Node	   *expr;

	if (level->rtindex == 0)
		return copyObject((Node *) entry->expr);
	level->is_mapped = true;
	expr = map_column((Node *) entry->expr, level);
	return level->is_mapped ? expr : NULL;
}

static Node *
map_column(Node *node, RankLevel *level)
{
	if (node == NULL)
		return NULL;

	if (IsA(node, Var))
	{
		const Var  *var = (const Var *) node;
		TargetEntry *entry = get_tle_by_resno(level->grouping_root->processed_tlist,
											  var->varattno);

		if (var->varno == level->rtindex && var->varlevelsup == 0 && entry != NULL &&
			!entry->resjunk)
			return copyObject((Node *) entry->expr);
		level->is_mapped = false;
	}
	else if (IsA(node, PlaceHolderVar) || IsA(node, SubPlan) || IsA(node, AlternativeSubPlan) ||
			 (IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN))
		level->is_mapped = false;
	return expression_tree_mutator(node, map_column, level);
}

/* Is there anything that the node's rows do not have? */
static bool
unknown_walker(Node *node, List *outputs)
{
	if (node == NULL)
		return false;
	if (list_member(outputs, node))
		return false;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar) || IsA(node, Aggref) ||
		IsA(node, GroupingFunc) || IsA(node, WindowFunc) || IsA(node, SubPlan) ||
		IsA(node, AlternativeSubPlan) ||
		(IsA(node, Param) && ((Param *) node)->paramkind != PARAM_EXTERN))
		return true;
	return expression_tree_walker(node, unknown_walker, outputs);
}
