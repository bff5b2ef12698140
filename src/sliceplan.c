/*
 * sliceplan.c
 *
 * From a query that slicepath.c understood to a plan, and from the plan back to what
 * the node is to do: lists that a plan can be copied with.
 *
 * The columns of the node's rows are known to the planner by expressions: window
 * columns, keys and Aggrefs.  Conditions of HAVING and on windows are its qual;
 * what groups are ranked by is among its expressions, and after it what the node
 * computes of its input.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"

#include "sliceinput.h"
#include "sliceplan.h"
#include "slicescan.h"

/* The fields of a plan's custom_private. */
typedef enum PlanField
{
	FIELD_FLAGS,				/* kind, is_zoned, is_start, is_bin, is_ordered, rank ... */
	FIELD_WINDOW,				/* the lengths of AwWindow as constants */
	FIELD_FUNCTION,
	FIELD_SOURCES,
	FIELD_NUMBERS,
	FIELD_KEY_COLUMNS,
	FIELD_KEY_TYPES,
	FIELD_KEY_COLLATIONS,
	FIELD_KEY_OPERATORS,
	FIELD_FIRST_COLUMNS,
	FIELD_FILTER_COLUMNS,
	FIELD_RANK_OPERATORS,
	FIELD_RANK_COLLATIONS,
	FIELD_RANK_NULLS_FIRST
} PlanField;

static Plan *plan_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist,
					   List *clauses, List *children);
static List *private_of_spec(const AwSliceSpec *spec);
static List *window_to_constants(const AwWindow *window);
static void window_from_constants(AwWindow *window, List *constants);

static const CustomPathMethods path_methods = {
	.CustomName = "WindowSlices",
	.PlanCustomPath = plan_path,
};

/* A path that lacks only what the planner must know of any path, and its child. */
CustomPath *
aw_sliceplan_path(const AwSliceSpec *spec)
{
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_private = list_make5(private_of_spec(spec), spec->outputs, spec->quals,
									  spec->rank_exprs, spec->columns);
	path->custom_private = lappend(path->custom_private, spec->inputs);
	path->methods = &path_methods;
	return path;
}

/*
 * Fills in what a plan was made from, but for outputs, columns and conditions.  Expressions
 * are as the executor wants them.
 */
void
aw_sliceplan_read(const CustomScan *plan, AwSliceSpec *spec)
{
	List	   *fields = plan->custom_private;
	List	   *flags = list_nth(fields, FIELD_FLAGS);

	memset(spec, 0, sizeof(AwSliceSpec));
	spec->window.kind = (AwWindowKind) list_nth_int(flags, 0);
	spec->is_zoned = list_nth_int(flags, 1);
	spec->is_start = list_nth_int(flags, 2);
	spec->is_bin = list_nth_int(flags, 3);
	spec->is_ordered = list_nth_int(flags, 4);
	spec->rank_rule = (AwRankRule) list_nth_int(flags, 5);
	spec->rank_limit = list_nth_int(flags, 6);
	window_from_constants(&spec->window, list_nth(fields, FIELD_WINDOW));
	spec->function = linitial_oid(list_nth(fields, FIELD_FUNCTION));
	spec->sources = list_nth(fields, FIELD_SOURCES);
	spec->numbers = list_nth(fields, FIELD_NUMBERS);
	spec->key_columns = list_nth(fields, FIELD_KEY_COLUMNS);
	spec->key_types = list_nth(fields, FIELD_KEY_TYPES);
	spec->key_collations = list_nth(fields, FIELD_KEY_COLLATIONS);
	spec->key_operators = list_nth(fields, FIELD_KEY_OPERATORS);
	spec->first_columns = list_nth(fields, FIELD_FIRST_COLUMNS);
	spec->filter_columns = list_nth(fields, FIELD_FILTER_COLUMNS);
	spec->rank_operators = list_nth(fields, FIELD_RANK_OPERATORS);
	spec->rank_exprs = list_truncate(list_copy(plan->custom_exprs),
									 list_length(spec->rank_operators));
	spec->inputs = list_copy_tail(plan->custom_exprs, list_length(spec->rank_operators));
	spec->rank_collations = list_nth(fields, FIELD_RANK_COLLATIONS);
	spec->rank_nulls_first = list_nth(fields, FIELD_RANK_NULLS_FIRST);
}

static Plan *
plan_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses,
		  List *children)
{
	CustomScan *plan = makeNode(CustomScan);
	int			n_outputs = list_length((List *) lsecond(path->custom_private));
	List	   *columns = list_nth(path->custom_private, 4);
	ListCell   *lc;

	(void) root;
	(void) rel;
	(void) clauses;
	plan->scan.plan.targetlist = tlist;
	plan->scan.plan.qual = lthird(path->custom_private);
	plan->scan.scanrelid = 0;
	plan->flags = path->flags;
	plan->custom_plans = children;
	plan->custom_exprs = list_copy(lfourth(path->custom_private));
	foreach(lc, (List *) list_nth(path->custom_private, 5))
		plan->custom_exprs = lappend(plan->custom_exprs,
									 aw_sliceinput_plan_expression(lfirst(lc), columns,
																   n_outputs));
	plan->custom_private = linitial(path->custom_private);
	plan->methods = &aw_slicescan_methods;
	foreach(lc, (List *) lsecond(path->custom_private))
		plan->custom_scan_tlist =
			lappend(plan->custom_scan_tlist,
					makeTargetEntry(copyObject((Expr *) lfirst(lc)),
									foreach_current_index(lc) + 1, NULL, false));
	plan->custom_scan_tlist = list_concat(plan->custom_scan_tlist,
										  aw_sliceinput_plan_columns(columns, n_outputs));
	return (Plan *) plan;
}

/* In the order of PlanField. */
static List *
private_of_spec(const AwSliceSpec *spec)
{
	List	   *flags = list_make5_int(spec->window.kind, spec->is_zoned, spec->is_start,
									   spec->is_bin, spec->is_ordered);
	List	   *private;

	flags = lappend_int(flags, spec->rank_rule);
	flags = lappend_int(flags, spec->rank_limit);
	private = list_make5(flags, window_to_constants(&spec->window),
						 list_make1_oid(spec->function), spec->sources, spec->numbers);
	private = lappend(private, spec->key_columns);
	private = lappend(private, spec->key_types);
	private = lappend(private, spec->key_collations);
	private = lappend(private, spec->key_operators);
	private = lappend(private, spec->first_columns);
	private = lappend(private, spec->filter_columns);
	private = lappend(private, spec->rank_operators);
	private = lappend(private, spec->rank_collations);
	return lappend(private, spec->rank_nulls_first);
}

static List *
window_to_constants(const AwWindow *window)
{
	int64		fields[] = {window->size_us, window->step_us, window->stride_us,
	window->origin_us, window->slice_us};
	List	   *constants = NIL;

	for (size_t i = 0; i < lengthof(fields); i++)
		constants = lappend(constants, makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
												 Int64GetDatum(fields[i]), false,
												 FLOAT8PASSBYVAL));
	return constants;
}

static void
window_from_constants(AwWindow *window, List *constants)
{
	int64	   *fields[] = {&window->size_us, &window->step_us, &window->stride_us,
	&window->origin_us, &window->slice_us};
	ListCell   *lc;

	foreach(lc, constants)
		*fields[foreach_current_index(lc)] = DatumGetInt64(lfirst_node(Const, lc)->constvalue);
}
