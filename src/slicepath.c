/*
 * slicepath.c
 *
 * Finds queries that group by windows, and offers the planner a slice node for
 * them; it takes it if it is the cheapest.
 *
 * TUMBLE is known by a grouping key that is a call of date_bin() or of one of our
 * functions, over the time; HOP and CUMULATE by window columns of a function in
 * FROM, whose place in the join the node takes: its input is the join of all else.
 * Expressions over window columns are computed above the node, as are those over
 * keys and aggregates.
 *
 * Where a query asks for what the node cannot do, nothing is offered.  That is
 * decided here alone; the node trusts it.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "compat.h"
#include "groupterm.h"
#include "groupwindow.h"
#include "rangetable.h"
#include "slicepath.h"
#include "slicescan.h"
#include "slicestore.h"
#include "timevalue.h"
#include "windowspec.h"

/* About what a slice costs in memory beside its groups, and each time it goes to disk. */
#define SLICE_BYTES		200
#define RUN_BYTES		200

/* What is known of a query on the way to a path. */
typedef struct SliceQuery
{
	PlannerInfo *root;
	RelOptInfo *input;			/* what the Agg node would read */
	RelOptInfo *output;
	List	   *having;
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
} SliceQuery;

/* What the statistics tell about the input's time. */
typedef struct TimeStatistics
{
	bool		is_known;		/* there are some */
	double		n_slices;
	double		correlation;	/* 0 to 1 */
} TimeStatistics;

static create_upper_paths_hook_type previous_upper_paths_hook = NULL;
static const bool *is_enabled;

static void add_slice_path(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input,
						   RelOptInfo *output, void *extra);
static void add_paths(SliceQuery *query, Path *child);
static void add_one_path(SliceQuery *query, Path *child, List *pathkeys);
static bool is_window_order(SliceQuery *query, const PathKey *pathkey);
static bool is_simple_query(const Query *query);
static bool find_window(SliceQuery *query);
static bool window_walker(Node *node, SliceQuery *query);
static bool is_tumble(FuncExpr *call, SliceQuery *query);
static bool is_tumble_bin(FuncExpr *call, SliceQuery *query);
static bool is_explosion(Node *key, SliceQuery *query);
static bool is_window_grouped(SliceQuery *query, List *group_keys);
static bool is_one_to_one(SliceQuery *query, Node *key);
static bool is_window_part(SliceQuery *query, Node *node, AwSliceSource *source);
static bool is_tumble_aggregate(SliceQuery *query, Aggref *aggref, AwSliceSource *source);
static bool add_keys(SliceQuery *query, List *group_keys, List *group_clauses);
static bool depends_on_rows(Node *node, SliceQuery *query);
static bool add_key(SliceQuery *query, Node *expr, Oid operator);
static bool output_walker(Node *node, SliceQuery *query);
static void add_output(SliceQuery *query, Node *expr, AwSliceSource source, int number);
static bool add_aggregate(SliceQuery *query, Aggref *aggref);
static bool is_mergeable(SliceQuery *query, const Aggref *aggref);
static int	add_input(SliceQuery *query, Node *expr);
static bool take_window_quals(SliceQuery *query);
static Path *input_path(SliceQuery *query);
static Path *cheapest_with_inputs(SliceQuery *query, List *paths, bool is_projected);
static bool has_inputs(SliceQuery *query, Path *path);
static bool missing_walker(Node *node, List *exprs);
static Path *path_without_function(SliceQuery *query);
static bool is_function_free(SliceQuery *query);
static Path *project_inputs(SliceQuery *query, Path *path);
static Path *cheapest_of(List *paths);
static bool set_cost(SliceQuery *query, CustomPath *path, Path *child);
static bool is_small_window(SliceQuery *query, Path *child);
static double bytes_of_groups(SliceQuery *query, Path *child, double groups);
static TimeStatistics time_statistics(SliceQuery *query, double rows);
static double range_of_histogram(const AttStatsSlot *slot);
static double rows_of_windows(SliceQuery *query, double rows, double n_slices);
static double groups_in_slices(SliceQuery *query, double rows, double n_slices);
static double number_of_keys(SliceQuery *query, double rows);

/* Takes settings that may change between statements. */
void
aw_slicepath_init(const bool *enabled, const int *max_windows_per_row)
{
	is_enabled = enabled;
	previous_upper_paths_hook = create_upper_paths_hook;
	create_upper_paths_hook = add_slice_path;
	aw_slicescan_init(max_windows_per_row);
}

static void
add_slice_path(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input, RelOptInfo *output,
			   void *extra)
{
	SliceQuery	query = {.root = root,.input = input,.output = output};
	Path	   *child;

	if (previous_upper_paths_hook)
		previous_upper_paths_hook(root, stage, input, output, extra);

	if (stage != UPPERREL_GROUP_AGG || !*is_enabled || extra == NULL || IS_OTHER_REL(output) ||
		output->pathlist == NIL || IS_DUMMY_REL(input) || !is_simple_query(root->parse))
		return;

	query.having = (List *) ((GroupPathExtraData *) extra)->havingQual;
	if (!find_window(&query))
		return;
	child = input_path(&query);
	if (child == NULL)
		return;

	query.spec.quals = list_concat(query.spec.quals, list_copy(query.having));
	add_paths(&query, child);
}

/*
 * A path for each order in which the windows may be wanted, which are all that of
 * time; or one without an order, if a window may need more memory than there is.
 */
static void
add_paths(SliceQuery *query, Path *child)
{
	ListCell   *lc;

	if (is_small_window(query, child))
	{
		query->spec.is_ordered = true;
		foreach(lc, query->root->group_pathkeys)
		{
			if (is_window_order(query, lfirst_node(PathKey, lc)))
				add_one_path(query, child, list_make1(lfirst(lc)));
		}
		query->spec.is_ordered = false;
	}
	add_one_path(query, child, NIL);
}

static void
add_one_path(SliceQuery *query, Path *child, List *pathkeys)
{
	CustomPath *path = aw_slicescan_path(&query->spec);

	path->path.parent = query->output;
	path->path.pathtarget = query->output->reltarget;
	path->path.parallel_safe = query->output->consider_parallel && child->parallel_safe;
	path->path.pathkeys = pathkeys;
	path->custom_paths = list_make1(child);
	aw_compat_copy_disabled(&path->path, child);
	if (set_cost(query, path, child))
		add_path(query->output, &path->path);
}

/* Is it the ascending order of a window column? */
static bool
is_window_order(SliceQuery *query, const PathKey *pathkey)
{
	AwSliceSource source;
	ListCell   *lc;

	if (!aw_compat_is_ascending(pathkey) || pathkey->pk_nulls_first)
		return false;
	foreach(lc, pathkey->pk_eclass->ec_members)
	{
		Node	   *member = (Node *) lfirst_node(EquivalenceMember, lc)->em_expr;

		if (is_window_part(query, member, &source) || is_one_to_one(query, member))
			return true;
	}
	return false;
}

static bool
is_simple_query(const Query *query)
{
	return query->commandType == CMD_SELECT && query->groupClause != NIL &&
		query->groupingSets == NIL && !query->hasTargetSRFs;
}

/* Understands the query as far as the input; false if it is not one for the node. */
static bool
find_window(SliceQuery *query)
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

	output_walker((Node *) query->output->reltarget->exprs, query);
	output_walker((Node *) query->having, query);
	output_walker((Node *) query->spec.quals, query);
	return !query->is_refused &&
		(query->rtindex == 0 ||
		 !bms_is_member(query->rtindex, pull_varnos(root, (Node *) query->inputs)));
}

/* Looks for the first call of TUMBLE in grouping keys. */
static bool
window_walker(Node *node, SliceQuery *query)
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
is_tumble(FuncExpr *call, SliceQuery *query)
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
is_tumble_bin(FuncExpr *call, SliceQuery *query)
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

/*
 * Is it a column of HOP's or CUMULATE's windows in FROM, of timestamps without a
 * time zone?
 */
static bool
is_explosion(Node *key, SliceQuery *query)
{
	const Var  *var = (const Var *) key;
	RangeTblEntry *rte;
	FuncExpr   *call;
	AwWindowKind kind;
	bool		is_hop;

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
	if (exprType(linitial(call->args)) != TIMESTAMPOID ||
		!aw_windowspec_constants(&query->spec.window, kind, lthird(call->args),
								 lsecond(call->args), lfourth(call->args)))
		return false;
	query->call = call;
	query->time = linitial(call->args);
	query->rtindex = var->varno;
	return true;
}

/* Is there a key that tells windows apart? */
static bool
is_window_grouped(SliceQuery *query, List *group_keys)
{
	ListCell   *lc;

	foreach(lc, group_keys)
	{
		if (is_one_to_one(query, lfirst(lc)))
			return true;
	}
	return false;
}

/* Steps of CUMULATE have the same start; all other columns tell windows apart. */
static bool
is_one_to_one(SliceQuery *query, Node *key)
{
	AwSliceSource source;
	OpExpr	   *op = (OpExpr *) key;
	const Const *interval;

	if (is_window_part(query, key, &source))
		return source != AW_SLICE_START || query->spec.window.kind != AW_KIND_CUMULATE;

	if (!IsA(key, OpExpr) || list_length(op->args) != 2 || !IsA(lsecond(op->args), Const) ||
		(op->opfuncid != F_TIMESTAMP_PL_INTERVAL && op->opfuncid != F_TIMESTAMP_MI_INTERVAL))
		return false;
	interval = lsecond(op->args);
	return !interval->constisnull && DatumGetIntervalP(interval->constvalue)->month == 0 &&
		!INTERVAL_NOT_FINITE(DatumGetIntervalP(interval->constvalue)) &&
		is_one_to_one(query, linitial(op->args));
}

/* Is it the start, the end or the time of the window? */
static bool
is_window_part(SliceQuery *query, Node *node, AwSliceSource *source)
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

/* TUMBLE_START and the like of the window that is the key. */
static bool
is_tumble_aggregate(SliceQuery *query, Aggref *aggref, AwSliceSource *source)
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
add_keys(SliceQuery *query, List *group_keys, List *group_clauses)
{
	ListCell   *lc_key;
	ListCell   *lc_clause;

	forboth(lc_key, group_keys, lc_clause, group_clauses)
	{
		Node	   *key = lfirst(lc_key);

		if (depends_on_rows(key, query) &&
			!add_key(query, key, lfirst_node(SortGroupClause, lc_clause)->eqop))
			return false;
	}
	return true;
}

/* Does a key need more of a row than its window? */
static bool
depends_on_rows(Node *node, SliceQuery *query)
{
	AwSliceSource source;

	if (node == NULL || is_window_part(query, node, &source))
		return false;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar) || IsA(node, SubPlan) ||
		IsA(node, AlternativeSubPlan))
		return true;
	return expression_tree_walker(node, depends_on_rows, query);
}

static bool
add_key(SliceQuery *query, Node *expr, Oid operator)
{
	if (list_member(query->keys, expr))
		return true;
	if (list_length(query->keys) == AW_SLICE_MAX_KEYS ||
		!aw_groupterm_is_hashable(operator, exprType(expr)))
		return false;

	query->keys = lappend(query->keys, expr);
	query->spec.key_columns = lappend_int(query->spec.key_columns, add_input(query, expr));
	query->spec.key_types = lappend_oid(query->spec.key_types, exprType(expr));
	query->spec.key_collations = lappend_oid(query->spec.key_collations, exprCollation(expr));
	query->spec.key_operators = lappend_oid(query->spec.key_operators, operator);
	return true;
}

/*
 * Collects what the query above reads of the node's rows.  Columns that depend on
 * keys by a primary key become keys.
 */
static bool
output_walker(Node *node, SliceQuery *query)
{
	AwSliceSource source;

	if (node == NULL || query->is_refused)
		return query->is_refused;
	if (IsA(node, List))
		return expression_tree_walker(node, output_walker, query);

	if (is_window_part(query, node, &source))
	{
		add_output(query, node, source, 0);
		return false;
	}
	if (list_member(query->keys, node))
	{
		int			number = 0;

		while (!equal(list_nth(query->keys, number), node))
			number++;
		add_output(query, node, AW_SLICE_KEY, number);
		return false;
	}
	if (IsA(node, Aggref))
	{
		query->is_refused = !add_aggregate(query, (Aggref *) node);
		return query->is_refused;
	}
	if (IsA(node, Var) || IsA(node, PlaceHolderVar))
	{
		query->is_refused =
			(query->rtindex != 0 &&
			 bms_is_member(query->rtindex, pull_varnos(query->root, node))) ||
			!add_key(query, node, lookup_type_cache(exprType(node), TYPECACHE_EQ_OPR)->eq_opr);
		if (!query->is_refused)
			add_output(query, node, AW_SLICE_KEY, list_length(query->keys) - 1);
		return query->is_refused;
	}
	if (IsA(node, GroupingFunc) || IsA(node, WindowFunc))
		query->is_refused = true;
	return query->is_refused || expression_tree_walker(node, output_walker, query);
}

static void
add_output(SliceQuery *query, Node *expr, AwSliceSource source, int number)
{
	if (list_member(query->spec.outputs, expr))
		return;
	query->spec.outputs = lappend(query->spec.outputs, expr);
	query->spec.sources = lappend_int(query->spec.sources, source);
	query->spec.numbers = lappend_int(query->spec.numbers, number);
}

/* False if the aggregate cannot be merged from slices. */
static bool
add_aggregate(SliceQuery *query, Aggref *aggref)
{
	int			first = 0;
	ListCell   *lc;

	if (list_member(query->spec.outputs, aggref))
		return true;
	if (!is_mergeable(query, aggref))
		return false;

	/* Arguments follow each other, so they are not looked for among the inputs. */
	if (list_length(aggref->args) == 1 && aggref->aggfilter == NULL)
		first = add_input(query, (Node *) linitial_node(TargetEntry, aggref->args)->expr);
	else if (aggref->args != NIL)
	{
		first = list_length(query->inputs);
		foreach(lc, aggref->args)
			query->inputs =
				lappend(query->inputs,
						aw_groupterm_guard_argument((Node *) lfirst_node(TargetEntry, lc)->expr,
													aggref->aggfilter));
	}

	query->spec.first_columns = lappend_int(query->spec.first_columns, first);
	query->spec.filter_columns = lappend_int(query->spec.filter_columns,
											 aggref->aggfilter == NULL ? -1 :
											 add_input(query, (Node *) aggref->aggfilter));
	add_output(query, (Node *) aggref, AW_SLICE_AGGREGATE, query->n_aggregates++);
	return true;
}

/* Can it be kept in slices, and merged from them? */
static bool
is_mergeable(SliceQuery *query, const Aggref *aggref)
{
	AwWindowKind kind;
	AwWindowPart part;

	if (!aw_groupterm_is_mergeable(aggref) ||
		(aw_groupwindow_is_part(aggref, &kind, &part) && kind != AW_KIND_TUMBLE))
		return false;

	/* Two stacks of sets would keep each value many times. */
	query->has_distinct |= (aggref->aggdistinct != NIL);
	query->has_unretractable |= !aw_aggstate_is_retractable(aggref);
	return !(query->has_distinct && query->has_unretractable &&
			 query->spec.window.kind == AW_KIND_HOP);
}

/* The column of an expression over the input; never that of the time. */
static int
add_input(SliceQuery *query, Node *expr)
{
	ListCell   *lc;

	for_each_from(lc, query->inputs, 1)
	{
		if (equal(lfirst(lc), expr))
			return foreach_current_index(lc);
	}
	query->inputs = lappend(query->inputs, expr);
	return list_length(query->inputs) - 1;
}

/* Conditions on the function's columns become conditions on windows. */
static bool
take_window_quals(SliceQuery *query)
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
is_function_free(SliceQuery *query)
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

/* The node's input, NULL if there is none. */
static Path *
input_path(SliceQuery *query)
{
	Path	   *path;

	if (query->rtindex != 0)
	{
		path = path_without_function(query);
		return path == NULL ? NULL : project_inputs(query, path);
	}

	path = cheapest_with_inputs(query, query->input->pathlist, false);
	if (path != NULL)
		return project_inputs(query, path);

	/* Some paths have computed the start of the window already. */
	if (!query->spec.is_bin)
		return NULL;
	linitial(query->inputs) = query->call;
	query->spec.is_start = true;
	path = cheapest_with_inputs(query, query->input->pathlist, true);
	return path == NULL ? NULL : project_inputs(query, path);
}

/* The cheapest path from which the inputs can be computed. */
static Path *
cheapest_with_inputs(SliceQuery *query, List *paths, bool is_projected)
{
	List	   *usable = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (!is_projected && IsA(path, ProjectionPath))
			path = ((ProjectionPath *) path)->subpath;
		if (path->param_info == NULL && has_inputs(query, path))
			usable = lappend(usable, path);
	}
	return cheapest_of(usable);
}

static Path *
cheapest_of(List *paths)
{
	Path	   *cheapest = NULL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (cheapest == NULL || path->total_cost < cheapest->total_cost)
			cheapest = path;
	}
	return cheapest;
}

static bool
has_inputs(SliceQuery *query, Path *path)
{
	return !missing_walker((Node *) query->inputs, path->pathtarget->exprs);
}

/* Is there a column that is not among expressions? */
static bool
missing_walker(Node *node, List *exprs)
{
	if (node == NULL)
		return false;
	if (!IsA(node, List) && list_member(exprs, node))
		return false;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar))
		return true;
	return expression_tree_walker(node, missing_walker, exprs);
}

/* The join of all but the function. */
static Path *
path_without_function(SliceQuery *query)
{
	Relids		relids = bms_del_member(bms_copy(query->input->relids), query->rtindex);
	RelOptInfo *rel;
	int			only;

	if (bms_is_empty(relids))
		return NULL;
	rel = bms_get_singleton_member(relids, &only) ?
		find_base_rel(query->root, only) : find_join_rel(query->root, relids);
	if (rel == NULL || !bms_is_empty(rel->lateral_relids) || IS_DUMMY_REL(rel))
		return NULL;
	return cheapest_with_inputs(query, rel->pathlist, true);
}

static Path *
project_inputs(SliceQuery *query, Path *path)
{
	PathTarget *target = create_empty_pathtarget();
	ListCell   *lc;

	foreach(lc, query->inputs)
		add_column_to_pathtarget(target, lfirst(lc), 0);
	set_pathtarget_cost_width(query->root, target);
	return (Path *) create_projection_path(query->root, path->parent, path, target);
}

/*
 * Costs as those of an Agg node, but that a row is put into a small table that is
 * in the cache, by its keys alone; into another for each row if rows are in no
 * order.  False if slices could not be kept in memory.
 */
static bool
set_cost(SliceQuery *query, CustomPath *path, Path *child)
{
	double		rows = clamp_row_est(child->rows);
	double		limit = get_hash_memory_limit();
	TimeStatistics time = time_statistics(query, rows);
	double		rows_of_rival = cheapest_of(query->output->pathlist)->rows;
	double		rows_out = time.is_known ? rows_of_windows(query, rows, time.n_slices) :
		rows_of_rival;
	double		groups = groups_in_slices(query, rows, time.n_slices);
	double		bytes = bytes_of_groups(query, child, groups);
	AggClauseCosts costs = {0};
	Cost		per_row;
	Cost		startup;

	if (time.n_slices * (SLICE_BYTES + (bytes > limit ? RUN_BYTES : 0)) > limit)
		return false;

	get_agg_clause_costs(query->root, AGGSPLIT_SIMPLE, &costs);
	per_row = costs.transCost.per_tuple + cpu_operator_cost * (list_length(query->keys) + 1);
	per_row += cpu_operator_cost * 2 * (1 - time.correlation);
	startup = child->total_cost + costs.transCost.startup + costs.finalCost.startup +
		per_row * rows;
	if (bytes > limit)
		startup += 2 * seq_page_cost * bytes / BLCKSZ + 4 * cpu_operator_cost * groups;
	if (query->rtindex != 0)
		startup += 2 * cpu_operator_cost * groups * (query->n_aggregates + 1);

	/* What is above must not cost more because we know more of the windows. */
	path->path.rows = Min(rows_out, rows_of_rival);
	path->path.startup_cost = startup;
	path->path.total_cost = startup +
		rows_out * (costs.finalCost.per_tuple + cpu_tuple_cost +
					(query->rtindex != 0 ? cpu_operator_cost * query->n_aggregates : 0));
	return true;
}

/* Do the slices of a window fit into memory by far? */
static bool
is_small_window(SliceQuery *query, Path *child)
{
	const AwWindow *window = &query->spec.window;
	double		rows = clamp_row_est(child->rows);
	TimeStatistics time = time_statistics(query, rows);
	double		groups = groups_in_slices(query, rows, time.n_slices);
	double		slices = (double) window->size_us / window->slice_us;

	groups *= Min(slices / time.n_slices, 1);
	return time.is_known &&
		bytes_of_groups(query, child, groups) < get_hash_memory_limit() / 4.0;
}

static double
bytes_of_groups(SliceQuery *query, Path *child, double groups)
{
	return groups * (64 + child->pathtarget->width + 16 * query->n_aggregates);
}

/*
 * How many slices the time of the input spans, and how well rows are in its order,
 * by the statistics of its column.  Without any, rows are taken to come in order,
 * and to fill no more than a thousand slices, unless these are short.
 */
static TimeStatistics
time_statistics(SliceQuery *query, double rows)
{
	int64		slice_us = query->spec.window.slice_us;
	TimeStatistics result = {.correlation = 1};
	VariableStatData column;
	AttStatsSlot slot;

	result.n_slices = (slice_us < USECS_PER_MINUTE) ? rows : Min(rows, 1000);
	examine_variable(query->root, query->time, 0, &column);
	if (HeapTupleIsValid(column.statsTuple) &&
		(column.atttype == TIMESTAMPOID || column.atttype == TIMESTAMPTZOID))
	{
		if (get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
							 ATTSTATSSLOT_VALUES))
		{
			result.is_known = true;
			result.n_slices = Min(rows, range_of_histogram(&slot) / slice_us + 1);
			free_attstatsslot(&slot);
		}
		if (get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND_CORRELATION, InvalidOid,
							 ATTSTATSSLOT_NUMBERS))
		{
			if (slot.nnumbers > 0)
				result.correlation = fabs(slot.numbers[0]);
			free_attstatsslot(&slot);
		}
	}
	ReleaseVariableStats(column);
	return result;
}

/* Microseconds from the first to the last time that is not infinite. */
static double
range_of_histogram(const AttStatsSlot *slot)
{
	int			first = 0;
	int			last = slot->nvalues - 1;

	while (first < last && TIMESTAMP_NOT_FINITE(DatumGetTimestamp(slot->values[first])))
		first++;
	while (first < last && TIMESTAMP_NOT_FINITE(DatumGetTimestamp(slot->values[last])))
		last--;
	return (double) DatumGetTimestamp(slot->values[last]) -
		(double) DatumGetTimestamp(slot->values[first]);
}

/* How many rows come out: at most one for each key and window, and each row and its windows. */
static double
rows_of_windows(SliceQuery *query, double rows, double n_slices)
{
	const AwWindow *window = &query->spec.window;
	double		keys = number_of_keys(query, rows);
	double		per_row = (double) aw_window_max_per_row(window);
	double		n_windows = n_slices * window->slice_us / window->step_us + per_row;

	if (window->kind == AW_KIND_TUMBLE)
		n_windows = n_slices;
	return clamp_row_est(Min(rows * per_row, keys * n_windows) *
						 clauselist_selectivity(query->root, query->spec.quals, 0, JOIN_INNER,
												NULL));
}

/* At most one group for each row, and for each key in each slice. */
static double
groups_in_slices(SliceQuery *query, double rows, double n_slices)
{
	return Min(rows, number_of_keys(query, rows) * n_slices);
}

static double
number_of_keys(SliceQuery *query, double rows)
{
	return query->keys == NIL ? 1 :
		estimate_num_groups(query->root, query->keys, rows, NULL, NULL);
}
