/*
 * tablefunction.c
 *
 * The table functions of event time as the planner sees them.  In a query they
 * are C functions that cannot run; their support functions put something else
 * in their place, in the first statement of a session as in any other:
 *
 *	 TUMBLE          an SQL function that the planner inlines, and a filter that
 *	                 drops NULL rowtimes: the plan of date_bin() by hand
 *	 HOP, CUMULATE   a C function of the row's time alone, so that the row itself
 *	                 is never built
 *	 SESSION         columns of window functions over the item, in the order of
 *	                 the rowtime
 *	 APPLY_WATERMARK nothing where its columns are not read; else a column of a
 *	                 window function over the item, in the order of the scan, and
 *	                 plain expressions on it
 *
 * The watermark depends on the order of rows, so its window function goes below
 * that of a SESSION over the same item, and the scan below it must be neither
 * parallel nor by an index: a hook sees to that.  The hook is there in time,
 * because it is the support function that loads this library.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "itemwrap.h"
#include "rangetable.h"
#include "rowtime.h"
#include "tablefunction.h"
#include "windowrange.h"
#include "windowspec.h"

static set_rel_pathlist_hook_type previous_pathlist_hook = NULL;

static Node *plan_watermark(PlannerInfo *root, const AwItemCall *call);
static void plan_watermarks_of(PlannerInfo *root, const Var *input);
static Var *add_watermark(PlannerInfo *root, const Var *input, Node *strategy);
static List *add_session(PlannerInfo *root, const Var *input, const AwItemCall *call);
static Node *input_expression(PlannerInfo *root, const Var *input, Node *expr, const char *role);
static void check_window_input(PlannerInfo *root, Node *input, Node *timecol);
static Node *plan_tumble(PlannerInfo *root, FuncExpr *fcall);
static bool drop_null_rowtimes(PlannerInfo *root, FuncExpr *fcall);
static bool is_never_null(const Query *query, Node *node);
static Var *input_item(PlannerInfo *root, Node *input, const char *function);
static bool is_scalar_item(const RangeTblEntry *rte);
static void refuse_input(const char *function, const char *reason, const char *hint);
static void keep_scan_order(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte);
static bool computes_watermark(const Query *query);
static void replace_index_scans(PlannerInfo *root, RelOptInfo *rel);

/* What takes the place of APPLY_WATERMARK(input, rowtime, strategy). */
Node *
aw_tablefunction_plan_watermark(PlannerInfo *root, FuncExpr *fcall)
{
	AwItemCall	call;

	if (!aw_rangetable_find_call(root, fcall, &call))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("APPLY_WATERMARK must be an item of FROM"),
				 errhint("Write FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '5' SECOND).")));

	return plan_watermark(root, &call);
}

/*
 * What takes the place of TUMBLE(data, timecol, size, offset), or of HOP and
 * CUMULATE(data, timecol, step, size, offset).
 */
Node *
aw_tablefunction_plan_window(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind)
{
	List	   *args = list_copy_tail(fcall->args, 1);
	AwWindow	window;

	aw_rowtime_check(root, aw_rowtime_written(linitial(args)), "time column");
	check_window_input(root, linitial(fcall->args), linitial(args));

	/* For the planner hook it may be too early, or the call may be in a function. */
	aw_windowrange_derive_level(root->parse);

	if (kind == AW_KIND_TUMBLE)
		return plan_tumble(root, fcall);

	aw_windowspec_constants(&window, kind, lthird(args), lsecond(args), lfourth(args));
	return (Node *) aw_rangetable_inner_call(kind == AW_KIND_HOP ? "hop_rows" : "cumulate_rows",
											 args);
}

/* What takes the place of SESSION(data, timecol, gap, keys ...). */
Node *
aw_tablefunction_plan_session(PlannerInfo *root, FuncExpr *fcall)
{
	AwItemCall	call;
	Var		   *input;
	List	   *session;

	if (!aw_rangetable_find_call(root, fcall, &call))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("SESSION must be an item of FROM"),
				 errhint("Write FROM orders AS o, SESSION(o, DESCRIPTOR(ts), INTERVAL '5' MINUTE).")));

	if (fcall->funcvariadic)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("SESSION takes its keys one by one"),
				 errhint("Leave out VARIADIC and list the columns.")));

	aw_rowtime_check(root, aw_rowtime_written(lsecond(call.args)), "time column");
	aw_windowspec_check_gap(lthird(fcall->args));
	input = input_item(root, linitial(call.args), "SESSION");

	plan_watermarks_of(root, input);
	session = add_session(root, input, &call);

	/* Rows without a time are in no session; they are sorted last. */
	if (call.is_inlinable &&
		aw_rangetable_add_filter(root->parse, call.rtindex,
								 aw_rangetable_not_null(linitial(session))))
		return (Node *) aw_rangetable_inner_call("session_flat", session);
	return (Node *) aw_rangetable_inner_call("session_rows", session);
}

void
aw_tablefunction_init(void)
{
	previous_pathlist_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = keep_scan_order;
}

static Node *
plan_watermark(PlannerInfo *root, const AwItemCall *call)
{
	Node	   *rowtime = lsecond(call->args);
	Node	   *strategy = lthird(call->args);
	Oid			type;
	Var		   *input;
	Var		   *watermark;

	aw_rowtime_check_strategy(root, aw_rowtime_written(rowtime), aw_rowtime_written(strategy));
	type = exprType(rowtime);

	if (bms_is_empty(aw_rangetable_columns_read(root->parse, call->rtindex)))
		return (Node *) aw_rangetable_inner_call("watermark_unread",
												 list_make1(makeNullConst(type, -1, InvalidOid)));

	input = input_item(root, linitial(call->args), "APPLY_WATERMARK");
	input_expression(root, input, rowtime, "rowtime");
	watermark = add_watermark(root, input, strategy);
	return (Node *) aw_rangetable_inner_call("watermark_columns",
											 list_make2(rowtime, watermark));
}

/*
 * Plans all APPLY_WATERMARK over an item, before something else changes the
 * order of the item's rows.
 */
static void
plan_watermarks_of(PlannerInfo *root, const Var *input)
{
	AwItemCall	call = {.rtindex = 0};
	ListCell   *lc;

	foreach(lc, root->parse->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);
		ListCell   *lf;

		call.rtindex++;
		if (rte->rtekind != RTE_FUNCTION)
			continue;

		foreach(lf, rte->functions)
		{
			FuncExpr   *fcall = (FuncExpr *) lfirst_node(RangeTblFunction, lf)->funcexpr;
			int			number = foreach_current_index(lf);
			Node	   *planned;

			if (!IsA(fcall, FuncExpr) || !aw_rangetable_is_apply_watermark(fcall))
				continue;
			call.args = aw_rangetable_call_args(fcall);
			if (!equal(linitial(call.args), input))
				continue;

			/* Planning may have given the entry another list. */
			planned = plan_watermark(root, &call);
			list_nth_node(RangeTblFunction, rte->functions, number)->funcexpr = planned;
		}
	}
}

/* Gives the item a column with the watermark before each row. */
static Var *
add_watermark(PlannerInfo *root, const Var *input, Node *strategy)
{
	AwItemColumns added = {.names = list_make1("watermark")};
	List	   *watermark;

	strategy = input_expression(root, input, strategy, "watermark strategy");
	added.columns = list_make1(aw_rangetable_inner_window("watermark_before", list_make1(strategy)));

	watermark = aw_itemwrap_add_columns(root->parse, input, &added);
	if (watermark == NIL)
		refuse_input("APPLY_WATERMARK", "The row of the input is used as a value beside an outer join.",
					 "Name its columns instead.");
	return linitial(watermark);
}

/* Gives the item columns with the start and the end of each row's session. */
static List *
add_session(PlannerInfo *root, const Var *input, const AwItemCall *call)
{
	AwItemColumns added = {.names = list_make2("session_start", "session_end")};
	Node	   *timecol = input_expression(root, input, lsecond(call->args), "time column");
	Node	   *gap = lthird(call->args);
	List	   *session;
	ListCell   *lc;

	gap = input_expression(root, input, gap, "session gap");
	for_each_from(lc, call->args, 3)
		added.partition_by = lappend(added.partition_by,
									 input_expression(root, input, lfirst(lc), "session key"));
	added.order_by = timecol;
	added.columns = list_make2(aw_rangetable_inner_window("session_start", list_make2(timecol, gap)),
							   aw_rangetable_inner_window("session_end", list_make2(timecol, gap)));

	session = aw_itemwrap_add_columns(root->parse, input, &added);
	if (session == NIL)
		refuse_input("SESSION", "The row of the input is used as a value beside an outer join.",
					 "Name its columns instead.");
	return session;
}

/* An expression that can be moved to the input; raises an error if it cannot. */
static Node *
input_expression(PlannerInfo *root, const Var *input, Node *expr, const char *role)
{
	expr = flatten_join_alias_vars(root, root->parse, expr);
	expr = aw_compat_strip_nulling(expr, input);

	if (!bms_is_subset(pull_varnos(root, expr), bms_make_singleton(input->varno)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("%s may only use columns of its input", role),
				 errhint("Put the join into a subquery, and name that as the input.")));
	return expr;
}

/* The time column of a window must be one of its input, as far as both are known. */
static void
check_window_input(PlannerInfo *root, Node *input, Node *timecol)
{
	if (IsA(input, Var) && ((Var *) input)->varlevelsup == 0 &&
		rt_fetch(((Var *) input)->varno, root->parse->rtable)->rtekind != RTE_JOIN)
		input_expression(root, (Var *) input, timecol, "time column");
}

/* TUMBLE: an inlined function, which leaves NULL rowtimes to a filter beside it. */
static Node *
plan_tumble(PlannerInfo *root, FuncExpr *fcall)
{
	Node	   *timecol = lsecond(fcall->args);
	Node	   *size = lthird(fcall->args);
	AwWindow	window;
	bool		is_constant = aw_windowspec_constants(&window, AW_KIND_TUMBLE, size, NULL,
													  lfourth(fcall->args));
	Const	   *origin;
	int64		origin_us;

	if (!drop_null_rowtimes(root, fcall))
		return (Node *) aw_rangetable_inner_call("tumble_rows", list_copy_tail(fcall->args, 1));

	if (!is_constant || exprType(timecol) != TIMESTAMPOID)
		return (Node *) aw_rangetable_inner_call("tumble_flat", list_copy_tail(fcall->args, 1));

	/* The first start since 1970, as one would write it. */
	origin_us = AW_WINDOW_EPOCH_US + (window.origin_us - AW_WINDOW_EPOCH_US) % window.stride_us;
	origin = makeConst(TIMESTAMPOID, -1, InvalidOid, sizeof(Timestamp),
					   TimestampGetDatum(origin_us), false, FLOAT8PASSBYVAL);
	return (Node *) aw_rangetable_inner_call("tumble_bin", list_make3(timecol, size, origin));
}

/*
 * Sees to it that no row with a NULL rowtime comes to the call; false if the
 * function must do it itself.
 */
static bool
drop_null_rowtimes(PlannerInfo *root, FuncExpr *fcall)
{
	Node	   *timecol = lsecond(fcall->args);
	AwItemCall	call;

	if (contain_volatile_functions(timecol) ||
		!aw_rangetable_find_call(root, fcall, &call) || !call.is_inlinable)
		return false;

	return is_never_null(root->parse, timecol) ||
		aw_rangetable_add_filter(root->parse, call.rtindex, aw_rangetable_not_null(timecol));
}

/*
 * Is it a column that is declared NOT NULL, and read as it is stored?  Children
 * of a table may lack the constraint, partitions may not.
 */
static bool
is_never_null(const Query *query, Node *node)
{
	Var		   *var = (Var *) node;
	RangeTblEntry *rte;

	if (!IsA(node, Var) || var->varlevelsup != 0 || var->varattno <= 0)
		return false;

	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind != RTE_RELATION ||
		(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_PARTITIONED_TABLE) ||
		(rte->relkind == RELKIND_RELATION && has_subclass(rte->relid)) ||
		aw_rangetable_has_outer_join(query))
		return false;

	return aw_compat_is_not_null(rte->relid, var->varattno);
}

/* The item that an input argument names; raises an error if it cannot be used. */
static Var *
input_item(PlannerInfo *root, Node *input, const char *function)
{
	Query	   *query = root->parse;
	Var		   *var = (Var *) input;
	ListCell   *lc;

	if (!IsA(input, Var) || var->varlevelsup != 0 ||
		(var->varattno != InvalidAttrNumber &&
		 !is_scalar_item(rt_fetch(var->varno, query->rtable))))
		refuse_input(function, "The input is not the name of an item of the same FROM.",
					 "Give the item an alias and write that, as in FROM orders AS o.");

	if (rt_fetch(var->varno, query->rtable)->rtekind == RTE_JOIN)
		refuse_input(function, "The input is a join.",
					 "Put the join into a subquery and name that.");

	if (var->varno == query->resultRelation)
		refuse_input(function, "The input is the table that the statement changes.",
					 "Read the table once more in FROM, and name that.");

	foreach(lc, query->rowMarks)
	{
		if (lfirst_node(RowMarkClause, lc)->rti == (Index) var->varno)
			refuse_input(function, "The rows of the input are locked by FOR UPDATE or FOR SHARE.",
						 "Lock them in a query of their own.");
	}

	if (aw_rangetable_reads_system_column(query, var->varno))
		refuse_input(function, "The query reads a system column of the input.",
					 "Put the input into a subquery that gives the column another name.");
	return var;
}

/* Is it a function of one column, whose row is the column itself? */
static bool
is_scalar_item(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_FUNCTION && list_length(rte->eref->colnames) == 1;
}

static void
refuse_input(const char *function, const char *reason, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s cannot use its input", function),
			 errdetail_internal("%s", reason),
			 errhint("%s", hint)));
}

/*
 * Below a watermark, rows come in the order in which they are stored: by a scan
 * that is not parallel and follows no index, but for those that sort the input
 * of a subquery.
 */
static void
keep_scan_order(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	PlannerInfo *level = root;

	if (previous_pathlist_hook)
		previous_pathlist_hook(root, rel, rti, rte);

	while (level != NULL && !computes_watermark(level->parse))
		level = level->parent_root;
	if (level == NULL)
		return;

	/* The paths of a partitioned table are made once more later on. */
	rel->partial_pathlist = NIL;
	rel->consider_parallel = false;
	if (level == root && rte->rtekind == RTE_RELATION)
		replace_index_scans(root, rel);
}

/* Is it the subquery that computes a watermark? */
static bool
computes_watermark(const Query *query)
{
	ListCell   *lc;

	if (!query->hasWindowFuncs)
		return false;

	foreach(lc, query->targetList)
	{
		WindowFunc *column = (WindowFunc *) lfirst_node(TargetEntry, lc)->expr;

		if (IsA(column, WindowFunc) &&
			aw_rangetable_has_symbol(column->winfnoid, "aw_sql_watermark_before"))
			return true;
	}
	return false;
}

/*
 * Scans of a table by an index become bitmap scans by the same index, or a
 * sequential scan.  The inner side of a join may look up what it likes.
 */
static void
replace_index_scans(PlannerInfo *root, RelOptInfo *rel)
{
	List	   *index_paths = NIL;
	List	   *others = NIL;
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (IsA(path, IndexPath) && path->param_info == NULL)
			index_paths = lappend(index_paths, path);
		else
			others = lappend(others, path);
	}
	if (index_paths == NIL)
		return;

	rel->pathlist = others;
	add_path(rel, create_seqscan_path(root, rel, NULL, 0));
	foreach(lc, index_paths)
	{
		IndexPath  *path = lfirst(lc);

		if (path->indexclauses != NIL && path->indexorderbys == NIL &&
			path->indexinfo->amhasgetbitmap)
			add_path(rel, (Path *) create_bitmap_heap_path(root, rel, (Path *) path, NULL, 1.0, 0));
	}
}
