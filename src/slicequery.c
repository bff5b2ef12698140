/*
 * slicequery.c
 *
 * Understands a query that groups by windows: which call it is, its keys, and what is
 * read of its groups.
 *
 * TUMBLE is known by a grouping key that is a call of date_bin() or of one of our
 * functions, over the time; HOP and CUMULATE by window columns of a function in
 * FROM, whose place in the join the node takes: its input is the join of all else.
 *
 * Where a query asks for what the node cannot do, it is refused.  That is decided
 * here and in sliceoutput.c alone; the node trusts it.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "groupterm.h"
#include "groupwindow.h"
#include "rangetable.h"
#include "sliceoutput.h"
#include "slicequery.h"
#include "timevalue.h"
#include "windowspec.h"

static bool window_walker(Node *node, AwSliceQuery *query);
static bool is_tumble(FuncExpr *call, AwSliceQuery *query);
static bool is_tumble_bin(FuncExpr *call, AwSliceQuery *query);
static bool is_explosion(Node *key, AwSliceQuery *query);
static bool is_window_grouped(AwSliceQuery *query, List *group_keys);
static bool is_one_to_one(AwSliceQuery *query, Node *key);
static bool is_tumble_aggregate(AwSliceQuery *query, Aggref *aggref, AwSliceSource *source);
static bool add_keys(AwSliceQuery *query, List *group_keys, List *group_clauses);
static bool take_window_quals(AwSliceQuery *query);
static bool is_function_free(AwSliceQuery *query);

/* Understands the query as far as the input; false if it is not one for the node. */
bool
aw_slicequery_find(AwSliceQuery *query)
{
	PlannerInfo *root = query->root;
	/* With those that the planner can do without, as where a condition makes one constant. */
	List	   *clauses = root->parse->groupClause;
	List	   *group_keys = get_sortgrouplist_exprs(clauses, root->processed_tlist);
	ListCell   *lc;

	if (contain_volatile_functions((Node *) group_keys))
		return false;

	foreach(lc, group_keys)
	{
		if (is_explosion(lfirst(lc), query))
			break;
	}
	if (query->call == NULL)
		window_walker((Node *) group_keys, query);
	if (query->call == NULL || contain_volatile_functions(query->time) ||
		!is_window_grouped(query, group_keys))
		return false;

	query->spec.function = query->call->funcid;
	query->inputs = list_make1(query->time);
	if (!add_keys(query, group_keys, clauses) || !take_window_quals(query))
		return false;

	aw_sliceoutput_walker((Node *) query->output->reltarget->exprs, query);
	aw_sliceoutput_walker((Node *) query->having, query);
	aw_sliceoutput_walker((Node *) query->spec.quals, query);
	return !query->is_refused &&
		(query->rtindex == 0 ||
		 !bms_is_member(query->rtindex, pull_varnos(root, (Node *) query->inputs)));
}

/* Is it the ascending order of a window column? */
bool
aw_slicequery_is_window_order(AwSliceQuery *query, const PathKey *pathkey)
{
	AwSliceSource source;
	ListCell   *lc;

	if (!aw_compat_is_ascending(pathkey) || pathkey->pk_nulls_first)
		return false;
	foreach(lc, pathkey->pk_eclass->ec_members)
	{
		Node	   *member = (Node *) lfirst_node(EquivalenceMember, lc)->em_expr;

		if (aw_slicequery_is_part(query, member, &source) || is_one_to_one(query, member))
			return true;
	}
	return false;
}

/* Is it the start, the end or the time of the window? */
bool
aw_slicequery_is_part(AwSliceQuery *query, Node *node, AwSliceSource *source)
{
	const FuncExpr *call = (const FuncExpr *) node;
	const Var  *var = (const Var *) node;

	if (query->rtindex != 0)
	{
		if (!IsA(node, Var) || var->varno != (int) query->rtindex || var->varattno < 1 ||
			var->varattno > 3)
			return false;
		*source = (AwSliceSource) (AW_SLICE_START + var->varattno - 1);
		return true;
	}

	if (IsA(node, Aggref))
		return is_tumble_aggregate(query, (Aggref *) node, source);
	if (!IsA(node, FuncExpr))
		return false;
	if (equal(call, query->call))
	{
		*source = aw_rangetable_has_symbol(call->funcid, "aw_sql_tumble_end") ?
			AW_SLICE_END : AW_SLICE_START;
		return true;
	}
	if (query->spec.is_bin || !equal(call->args, query->call->args))
		return false;
	if (aw_rangetable_has_symbol(call->funcid, "aw_sql_tumble_start"))
		*source = AW_SLICE_START;
	else if (aw_rangetable_has_symbol(call->funcid, "aw_sql_tumble_end"))
		*source = AW_SLICE_END;
	else
		return false;
	return true;
}

bool
aw_slicequery_add_key(AwSliceQuery *query, Node *expr, Oid operator)
{
	if (list_member(query->keys, expr))
		return true;
	if (list_length(query->keys) == AW_SLICE_MAX_KEYS ||
		!aw_groupterm_is_hashable(operator, exprType(expr)))
		return false;

	query->keys = lappend(query->keys, expr);
	query->spec.key_columns = lappend_int(query->spec.key_columns,
										  aw_sliceoutput_add_input(query, expr));
	query->spec.key_types = lappend_oid(query->spec.key_types, exprType(expr));
	query->spec.key_collations = lappend_oid(query->spec.key_collations, exprCollation(expr));
	query->spec.key_operators = lappend_oid(query->spec.key_operators, operator);
	return true;
}

/* Looks for the first call of TUMBLE in grouping keys. */
static bool
window_walker(Node *node, AwSliceQuery *query)
{
	if (node == NULL)
		return false;
	if (IsA(node, Aggref))
		return false;
	if (IsA(node, FuncExpr) &&
		(is_tumble_bin((FuncExpr *) node, query) || is_tumble((FuncExpr *) node, query)))
		return true;
	return expression_tree_walker(node, window_walker, query);
}

/* tumble_start(time, size, offset), tumble_end(...) or tumble(time, size ...) */
static bool
is_tumble(FuncExpr *call, AwSliceQuery *query)
{
	AwWindowKind kind;
	Node	   *offset = NULL;

	if (aw_groupwindow_is_window((Node *) call, &kind))
	{
		if (kind != AW_KIND_TUMBLE)
			return false;
	}
	else if (aw_rangetable_has_symbol(call->funcid, "aw_sql_tumble_start") ||
			 aw_rangetable_has_symbol(call->funcid, "aw_sql_tumble_end"))
		offset = lthird(call->args);
	else
		return false;

	if (!aw_windowspec_constants(&query->spec.window, AW_KIND_TUMBLE, lsecond(call->args), NULL,
								 offset))
		return false;
	query->call = call;
	query->time = linitial(call->args);
	query->spec.is_zoned = (getBaseType(exprType(query->time)) == TIMESTAMPTZOID);
	return true;
}

/* date_bin(size, time, origin) of constants for which it raises no error */
static bool
is_tumble_bin(FuncExpr *call, AwSliceQuery *query)
{
	AwWindow   *window = &query->spec.window;
	const Const *size;
	const Const *origin;
	const Interval *interval;
	int64		size_us;

	if (call->funcid != F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP ||
		!IsA(linitial(call->args), Const) || !IsA(lthird(call->args), Const))
		return false;
	size = linitial(call->args);
	origin = lthird(call->args);
	if (size->constisnull || origin->constisnull ||
		TIMESTAMP_NOT_FINITE(DatumGetTimestamp(origin->constvalue)))
		return false;

	interval = DatumGetIntervalP(size->constvalue);
	if (INTERVAL_NOT_FINITE(interval) || !aw_timevalue_interval_us(interval, &size_us) ||
		aw_window_init(window, AW_KIND_TUMBLE, size_us, size_us, 0) != AW_FAULT_NONE)
		return false;
	window->origin_us = DatumGetTimestamp(origin->constvalue);
	query->call = call;
	query->time = lsecond(call->args);
	query->spec.is_bin = true;
	return true;
}

/* Is it a column of HOP's or CUMULATE's windows in FROM? */
static bool
is_explosion(Node *key, AwSliceQuery *query)
{
	const Var  *var = (const Var *) key;
	RangeTblEntry *rte;
	FuncExpr   *call;
	AwWindowKind kind;
	bool		is_hop;
	Oid			type;

	if (!IsA(key, Var) || var->varlevelsup != 0)
		return false;
	rte = planner_rt_fetch(var->varno, query->root);
	if (rte->rtekind != RTE_FUNCTION || rte->funcordinality || list_length(rte->functions) != 1)
		return false;

	call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;
	if (!IsA(call, FuncExpr))
		return false;
	is_hop = aw_rangetable_has_symbol(call->funcid, "aw_sql_hop_rows");
	if (!is_hop && !aw_rangetable_has_symbol(call->funcid, "aw_sql_cumulate_rows"))
		return false;

	kind = is_hop ? AW_KIND_HOP : AW_KIND_CUMULATE;
	type = exprType(linitial(call->args));
	if ((type != TIMESTAMPOID && type != TIMESTAMPTZOID) ||
		!aw_windowspec_constants(&query->spec.window, kind, lthird(call->args),
								 lsecond(call->args), lfourth(call->args)))
		return false;
	query->call = call;
	query->time = linitial(call->args);
	query->spec.is_zoned = (type == TIMESTAMPTZOID);
	query->rtindex = var->varno;
	return true;
}

/*
 * Do keys tell windows apart?  Where clocks are changed, windows of HOP may share their
 * start, or their end.
 */
static bool
is_window_grouped(AwSliceQuery *query, List *group_keys)
{
	bool		needs_both = query->spec.is_zoned && query->spec.window.kind == AW_KIND_HOP;
	bool		has_start = false;
	bool		has_end = false;
	ListCell   *lc;

	foreach(lc, group_keys)
	{
		AwSliceSource source;

		if (aw_slicequery_is_part(query, lfirst(lc), &source))
		{
			has_start |= (source == AW_SLICE_START);
			has_end |= (source != AW_SLICE_START);
		}
		if (!needs_both && is_one_to_one(query, lfirst(lc)))
			return true;
	}
	return has_start && has_end;
}

/* Steps of CUMULATE have the same start; all other columns tell windows apart. */
static bool
is_one_to_one(AwSliceQuery *query, Node *key)
{
	AwSliceSource source;
	OpExpr	   *op = (OpExpr *) key;
	const Const *interval;

	if (aw_slicequery_is_part(query, key, &source))
		return source != AW_SLICE_START || query->spec.window.kind != AW_KIND_CUMULATE;

	if (!IsA(key, OpExpr) || list_length(op->args) != 2 || !IsA(lsecond(op->args), Const) ||
		(op->opfuncid != F_TIMESTAMP_PL_INTERVAL && op->opfuncid != F_TIMESTAMP_MI_INTERVAL))
		return false;
	interval = lsecond(op->args);
	return !interval->constisnull && DatumGetIntervalP(interval->constvalue)->month == 0 &&
		!INTERVAL_NOT_FINITE(DatumGetIntervalP(interval->constvalue)) &&
		is_one_to_one(query, linitial(op->args));
}

/* TUMBLE_START and the like of the window that is the key. */
static bool
is_tumble_aggregate(AwSliceQuery *query, Aggref *aggref, AwSliceSource *source)
{
	AwWindowKind kind;
	AwWindowPart part;
	List	   *args = NIL;
	ListCell   *lc;

	if (!aw_groupwindow_is_window((Node *) query->call, &kind) ||
		!aw_groupwindow_is_part(aggref, &kind, &part) || kind != AW_KIND_TUMBLE ||
		part == AW_PART_PROCTIME)
		return false;

	foreach(lc, aggref->args)
		args = lappend(args, lfirst_node(TargetEntry, lc)->expr);
	if (!equal(args, query->call->args))
		return false;
	*source = (part == AW_PART_START) ? AW_SLICE_START :
		(part == AW_PART_END) ? AW_SLICE_END : AW_SLICE_TIME;
	return true;
}

/* Keys that are more than the window. */
static bool
add_keys(AwSliceQuery *query, List *group_keys, List *group_clauses)
{
	ListCell   *lc_key;
	ListCell   *lc_clause;

	forboth(lc_key, group_keys, lc_clause, group_clauses)
	{
		Node	   *key = lfirst(lc_key);

		if (aw_slicequery_depends_on_rows(key, query) &&
			!aw_slicequery_add_key(query, key, lfirst_node(SortGroupClause, lc_clause)->eqop))
			return false;
	}
	return true;
}

/* Does a key need more of a row than its window? */
bool
aw_slicequery_depends_on_rows(Node *node, AwSliceQuery *query)
{
	AwSliceSource source;

	if (node == NULL || aw_slicequery_is_part(query, node, &source))
		return false;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar) || IsA(node, SubPlan) ||
		IsA(node, AlternativeSubPlan))
		return true;
	return expression_tree_walker(node, aw_slicequery_depends_on_rows, query);
}

/* Conditions on the function's columns become conditions on windows. */
static bool
take_window_quals(AwSliceQuery *query)
{
	RelOptInfo *function;
	ListCell   *lc;

	if (query->rtindex == 0)
		return true;
	if (!is_function_free(query))
		return false;

	function = find_base_rel(query->root, query->rtindex);
	foreach(lc, function->baserestrictinfo)
	{
		RestrictInfo *condition = lfirst_node(RestrictInfo, lc);

		if (condition->pseudoconstant || condition->security_level != 0 ||
			contain_volatile_functions((Node *) condition->clause) ||
			!bms_equal(pull_varnos(query->root, (Node *) condition->clause), function->relids))
			return false;
		query->spec.quals = lappend(query->spec.quals, condition->clause);
	}
	return true;
}

/* Does nothing in the join depend on the function but what is above it? */
static bool
is_function_free(AwSliceQuery *query)
{
	PlannerInfo *root = query->root;
	RelOptInfo *function = find_base_rel(root, query->rtindex);
	ListCell   *lc;

	if (function->joininfo != NIL || function->has_eclass_joins)
		return false;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst_node(SpecialJoinInfo, lc);

		if (bms_is_member(query->rtindex, join->min_lefthand) ||
			bms_is_member(query->rtindex, join->min_righthand) ||
			bms_is_member(query->rtindex, join->syn_righthand) ||
			(join->jointype == JOIN_FULL && bms_is_member(query->rtindex, join->syn_lefthand)))
			return false;
	}
	foreach(lc, root->placeholder_list)
	{
		PlaceHolderInfo *info = lfirst_node(PlaceHolderInfo, lc);

		if (bms_is_member(query->rtindex, info->ph_eval_at) ||
			bms_is_member(query->rtindex, info->ph_lateral))
			return false;
	}
	return true;
}
