/*
 * slicepath.c
 *
 * Finds queries that group by windows, and offers the planner a slice node for
 * them; it takes it if it is the cheapest.  Where a query asks for what the node
 * cannot do, nothing is offered.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"

#include "compat.h"
#include "ranklimit.h"
#include "slicecost.h"
#include "slicepath.h"
#include "slicequery.h"
#include "slicescan.h"

static create_upper_paths_hook_type previous_upper_paths_hook = NULL;
static const bool *is_enabled;

static void add_slice_path(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input,
						   RelOptInfo *output, void *extra);
static void add_paths(AwSliceQuery *query, Path *child);
static void add_one_path(AwSliceQuery *query, Path *child, List *pathkeys);
static bool is_simple_query(const Query *query);
static Path *input_path(AwSliceQuery *query);
static Path *cheapest_with_inputs(AwSliceQuery *query, List *paths, bool is_projected);
static Path *cheapest_of(List *paths);
static bool has_inputs(AwSliceQuery *query, Path *path);
static bool missing_walker(Node *node, List *exprs);
static Path *path_without_function(AwSliceQuery *query);
static Path *project_inputs(AwSliceQuery *query, Path *path);
static bool are_plain(List *inputs);

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
	AwSliceQuery	query = {.root = root,.input = input,.output = output};
	Path	   *child;

	if (previous_upper_paths_hook)
		previous_upper_paths_hook(root, stage, input, output, extra);

	if (stage != UPPERREL_GROUP_AGG || !*is_enabled || extra == NULL || IS_OTHER_REL(output) ||
		output->pathlist == NIL || IS_DUMMY_REL(input) || !is_simple_query(root->parse))
		return;

	query.having = (List *) ((GroupPathExtraData *) extra)->havingQual;
	if (!aw_slicequery_find(&query))
		return;
	query.rival_rows = cheapest_of(output->pathlist)->rows;
	child = input_path(&query);
	if (child == NULL)
		return;

	query.spec.quals = list_concat(query.spec.quals, list_copy(query.having));
	aw_ranklimit_find(&query);
	add_paths(&query, child);
}

/*
 * A path for each order in which the windows may be wanted, which are all that of
 * time; or one without an order, if a window may need more memory than there is.
 */
static void
add_paths(AwSliceQuery *query, Path *child)
{
	ListCell   *lc;

	if (aw_slicecost_is_small_window(query, child))
	{
		query->spec.is_ordered = true;
		foreach(lc, query->root->group_pathkeys)
		{
			if (aw_slicequery_is_window_order(query, lfirst_node(PathKey, lc)))
				add_one_path(query, child, list_make1(lfirst(lc)));
		}
		query->spec.is_ordered = false;
	}
	add_one_path(query, child, NIL);
}

static void
add_one_path(AwSliceQuery *query, Path *child, List *pathkeys)
{
	CustomPath *path = aw_sliceplan_path(&query->spec);

	path->path.parent = query->output;
	path->path.pathtarget = query->output->reltarget;
	path->path.parallel_safe = query->output->consider_parallel && child->parallel_safe;
	path->path.pathkeys = pathkeys;
	path->custom_paths = list_make1(child);
	aw_compat_copy_disabled(&path->path, child);
	aw_slicecost_set(query, path, child);
	add_path(query->output, &path->path);
}

static bool
is_simple_query(const Query *query)
{
	return query->commandType == CMD_SELECT && query->groupClause != NIL &&
		query->groupingSets == NIL && !query->hasTargetSRFs;
}

/* The node's input, NULL if there is none. */
static Path *
input_path(AwSliceQuery *query)
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
cheapest_with_inputs(AwSliceQuery *query, List *paths, bool is_projected)
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
has_inputs(AwSliceQuery *query, Path *path)
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
path_without_function(AwSliceQuery *query)
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

/*
 * What the node reads: the time, and its other inputs.  Windows of a function in FROM
 * may leave out rows: of these nothing may be computed, so the node does it itself.
 */
static Path *
project_inputs(AwSliceQuery *query, Path *path)
{
	PathTarget *target = create_empty_pathtarget();
	List	   *columns = query->inputs;
	ListCell   *lc;

	if (query->rtindex != 0 && !are_plain(list_copy_tail(query->inputs, 1)))
	{
		columns = list_make1(query->time);
		foreach(lc, pull_var_clause((Node *) list_copy_tail(query->inputs, 1),
									PVC_INCLUDE_PLACEHOLDERS))
			columns = list_append_unique(columns, lfirst(lc));
		query->spec.columns = columns;
		query->spec.inputs = lcons(query->time, list_copy_tail(query->inputs, 1));
	}
	foreach(lc, columns)
		add_column_to_pathtarget(target, lfirst(lc), 0);
	set_pathtarget_cost_width(query->root, target);
	return (Path *) create_projection_path(query->root, path->parent, path, target);
}

/* Are they columns and constants, which cannot fail? */
static bool
are_plain(List *inputs)
{
	ListCell   *lc;

	foreach(lc, inputs)
	{
		const Node *input = lfirst(lc);

		if (!IsA(input, Var) && !IsA(input, PlaceHolderVar) && !IsA(input, Const))
			return false;
	}
	return true;
}
