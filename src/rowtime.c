/*
 * rowtime.c
 *
 * The table functions of event time as the planner sees them.  In a query they
 * are C functions that cannot run; their support functions put something else
 * in their place, in the first statement of a session as in any other:
 *
 *	 TUMBLE          an SQL function that the planner inlines, and a filter that
 *	                 drops NULL rowtimes: the plan of date_bin() by hand
 *	 HOP, CUMULATE   a C function of the row's time alone, so that the row itself
 *	                 is never built
 *	 APPLY_WATERMARK nothing where its columns are not read; else a column of a
 *	                 window function over the item, and plain expressions on it
 *
 * The watermark depends on the order of rows, so below its window function the
 * scan must not be parallel: a hook removes the partial paths.  The hook is
 * there in time, because it is the support function that loads this library.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/paths.h"
#include "parser/parse_func.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "rangetable.h"
#include "rowtime.h"
#include "windowspec.h"

static set_rel_pathlist_hook_type previous_pathlist_hook = NULL;

static Node *written_argument(Node *arg);
static char *column_name(PlannerInfo *root, Node *node);
static Node *plan_tumble(PlannerInfo *root, FuncExpr *fcall);
static bool drop_null_rowtimes(PlannerInfo *root, FuncExpr *fcall);
static bool is_never_null(const Query *query, Node *node);
static Var *input_item(PlannerInfo *root, Node *input);
static void refuse_input(const char *reason, const char *hint);
static Var *add_watermark(PlannerInfo *root, const Var *input, Node *strategy, Oid type);
static void keep_scan_order(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte);
static bool is_below_watermark(PlannerInfo *root);

/*
 * Type of a time argument as it was written: timestamp or timestamptz.
 *
 * An implicit cast counts as the wrong type, else a date would pass.  The error
 * names the column; role is what stands for it if the argument is none.
 */
Oid
aw_rowtime_check(PlannerInfo *root, Node *arg, const char *role)
{
	Node	   *written = written_argument(arg);
	Oid			type = getBaseType(exprType(written));
	char	   *column = column_name(root, written);

	if (type == TIMESTAMPOID || type == TIMESTAMPTZOID)
		return type;

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 column ?
			 errmsg("column \"%s\" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is %s)",
					column, format_type_be(exprType(written))) :
			 errmsg("%s must be of type TIMESTAMP or TIMESTAMP_LTZ (it is %s)",
					role, format_type_be(exprType(written))),
			 errhint("Cast it to timestamp or timestamptz, or compute it with to_timestamp_ltz().")));
}

/* Checks that both are timestamps, and of one kind. */
void
aw_rowtime_check_strategy(PlannerInfo *root, Node *rowtime, Node *strategy)
{
	Oid			rowtime_type = aw_rowtime_check(root, rowtime, "rowtime");
	Oid			strategy_type = aw_rowtime_check(root, strategy, "watermark strategy");

	if (rowtime_type != strategy_type)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("watermark strategy must be of the type of its rowtime"),
				 errdetail("The rowtime is %s, the strategy is %s.",
						   format_type_be(rowtime_type), format_type_be(strategy_type)),
				 errhint("Convert one of them with AT TIME ZONE.")));
}

/* What takes the place of APPLY_WATERMARK(input, rowtime, strategy). */
Node *
aw_rowtime_plan_watermark(PlannerInfo *root, FuncExpr *fcall)
{
	AwItemCall	call;
	Node	   *rowtime;
	Node	   *strategy;
	Oid			type;
	Var		   *watermark;

	if (!aw_rangetable_find_call(root, fcall, &call))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("APPLY_WATERMARK must be an item of FROM"),
				 errhint("Write FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '5' SECOND).")));

	rowtime = lsecond(call.args);
	strategy = lthird(call.args);
	aw_rowtime_check_strategy(root, rowtime, strategy);
	type = exprType(rowtime);

	if (bms_is_empty(aw_rangetable_columns_read(root->parse, call.rtindex)))
		return (Node *) aw_rangetable_inner_call("watermark_unread",
												 list_make1(makeNullConst(type, -1, InvalidOid)));

	watermark = add_watermark(root, input_item(root, linitial(call.args)), strategy, type);
	return (Node *) aw_rangetable_inner_call("watermark_columns",
											 list_make2(rowtime, watermark));
}

/*
 * What takes the place of TUMBLE(data, timecol, size, offset), or of HOP and
 * CUMULATE(data, timecol, step, size, offset).
 */
Node *
aw_rowtime_plan_window(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind)
{
	List	   *args = list_copy_tail(fcall->args, 1);
	AwWindow	window;

	aw_rowtime_check(root, linitial(args), "time column");

	if (kind == AW_KIND_TUMBLE)
		return plan_tumble(root, fcall);

	aw_windowspec_constants(&window, kind, lthird(args), lsecond(args), lfourth(args));
	return (Node *) aw_rangetable_inner_call(kind == AW_KIND_HOP ? "hop_rows" : "cumulate_rows",
											 args);
}

void
aw_rowtime_init(void)
{
	previous_pathlist_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = keep_scan_order;
}

/*
 * The argument under what the parser put around it: the notation, implicit
 * casts and DESCRIPTOR.
 */
static Node *
written_argument(Node *arg)
{
	for (;;)
	{
		if (IsA(arg, NamedArgExpr))
			arg = (Node *) ((NamedArgExpr *) arg)->arg;
		else if (IsA(arg, RelabelType) &&
				 ((RelabelType *) arg)->relabelformat == COERCE_IMPLICIT_CAST)
			arg = (Node *) ((RelabelType *) arg)->arg;
		else if (IsA(arg, FuncExpr) && list_length(((FuncExpr *) arg)->args) == 1 &&
				 (((FuncExpr *) arg)->funcformat == COERCE_IMPLICIT_CAST ||
				  aw_rangetable_is_descriptor(((FuncExpr *) arg)->funcid)))
			arg = linitial(((FuncExpr *) arg)->args);
		else
			return arg;
	}
}

/* Name of the column that the expression is; NULL if it is none. */
static char *
column_name(PlannerInfo *root, Node *node)
{
	Var		   *var = (Var *) node;

	if (!IsA(node, Var))
		return NULL;

	for (Index level = 0; root != NULL && level < var->varlevelsup; level++)
		root = root->parent_root;

	if (root == NULL)
		return NULL;
	return get_rte_attribute_name(rt_fetch(var->varno, root->parse->rtable), var->varattno);
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

	if (!drop_null_rowtimes(root, fcall))
		return (Node *) aw_rangetable_inner_call("tumble_rows", list_copy_tail(fcall->args, 1));

	if (!is_constant || exprType(timecol) != TIMESTAMPOID)
		return (Node *) aw_rangetable_inner_call("tumble_flat", list_copy_tail(fcall->args, 1));

	origin = makeConst(TIMESTAMPOID, -1, InvalidOid, sizeof(Timestamp),
					   TimestampGetDatum(window.origin_us), false, FLOAT8PASSBYVAL);
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
	NullTest   *filter;
	AwItemCall	call;

	if (contain_volatile_functions(timecol) ||
		!aw_rangetable_find_call(root, fcall, &call) || !call.is_inlinable)
		return false;

	if (is_never_null(root->parse, timecol))
		return true;

	filter = makeNode(NullTest);
	filter->arg = (Expr *) timecol;
	filter->nulltesttype = IS_NOT_NULL;
	filter->argisrow = false;
	filter->location = -1;
	return aw_rangetable_add_filter(root->parse, call.rtindex, (Node *) filter);
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
	HeapTuple	tuple;
	bool		is_not_null;

	if (!IsA(node, Var) || var->varlevelsup != 0 || var->varattno <= 0)
		return false;

	rte = rt_fetch(var->varno, query->rtable);
	if (rte->rtekind != RTE_RELATION ||
		(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_PARTITIONED_TABLE) ||
		(rte->relkind == RELKIND_RELATION && has_subclass(rte->relid)) ||
		aw_rangetable_has_outer_join(query))
		return false;

	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(rte->relid),
							Int16GetDatum(var->varattno));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for attribute %d of relation %u",
			 var->varattno, rte->relid);
	is_not_null = ((Form_pg_attribute) GETSTRUCT(tuple))->attnotnull;
	ReleaseSysCache(tuple);
	return is_not_null;
}

/* The item that an input argument names; raises an error if it cannot be used. */
static Var *
input_item(PlannerInfo *root, Node *input)
{
	Query	   *query = root->parse;
	Var		   *var = (Var *) input;
	ListCell   *lc;

	if (!IsA(input, Var) || var->varattno != InvalidAttrNumber || var->varlevelsup != 0)
		refuse_input("The input is not the name of an item of the same FROM.",
					 "Write FROM orders AS o, APPLY_WATERMARK(o, ...).");

	if (rt_fetch(var->varno, query->rtable)->rtekind == RTE_JOIN)
		refuse_input("The input is a join.", "Put the join into a subquery and name that.");

	if (var->varno == query->resultRelation)
		refuse_input("The input is the table that the statement changes.",
					 "Read the table once more in FROM, and name that.");

	foreach(lc, query->rowMarks)
	{
		if (lfirst_node(RowMarkClause, lc)->rti == (Index) var->varno)
			refuse_input("The rows of the input are locked by FOR UPDATE or FOR SHARE.",
						 "Lock them in a query of their own.");
	}

	if (aw_rangetable_reads_system_column(query, var->varno))
		refuse_input("The query reads a system column of the input.",
					 "Put the input into a subquery that gives the column another name.");
	return var;
}

static void
refuse_input(const char *reason, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("APPLY_WATERMARK cannot use its input where its columns are read"),
			 errdetail_internal("%s", reason),
			 errhint("%s", hint)));
}

/* Gives the item a column with the watermark before each row. */
static Var *
add_watermark(PlannerInfo *root, const Var *input, Node *strategy, Oid type)
{
	WindowFunc *before = makeNode(WindowFunc);
	Var		   *watermark;

	strategy = flatten_join_alias_vars(root, root->parse, strategy);
	strategy = aw_compat_strip_nulling(strategy, input);
	if (!bms_is_subset(pull_varnos(root, strategy), bms_make_singleton(input->varno)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("watermark strategy may only use columns of its input"),
				 errhint("Put the join into a subquery, and that into APPLY_WATERMARK.")));

	before->winfnoid = LookupFuncName(list_make2(makeString("watermark"),
												 makeString("watermark_before")),
									  1, &type, false);
	before->wintype = type;
	before->args = list_make1(strategy);
	before->location = -1;

	if (!aw_rangetable_add_window_column(root->parse, input, before, "watermark", &watermark))
		refuse_input("The row of the input is used as a value beside an outer join.",
					 "Name its columns instead.");
	return watermark;
}

/* Below a watermark, rows come in the order of a serial scan. */
static void
keep_scan_order(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	if (previous_pathlist_hook)
		previous_pathlist_hook(root, rel, rti, rte);

	if (rel->partial_pathlist != NIL && is_below_watermark(root))
		rel->partial_pathlist = NIL;
}

/* Is the query, or one around it, the subquery that computes a watermark? */
static bool
is_below_watermark(PlannerInfo *root)
{
	for (; root != NULL; root = root->parent_root)
	{
		ListCell   *lc;

		if (!root->parse->hasWindowFuncs)
			continue;

		foreach(lc, root->parse->targetList)
		{
			WindowFunc *column = (WindowFunc *) lfirst_node(TargetEntry, lc)->expr;

			if (IsA(column, WindowFunc) &&
				aw_rangetable_has_symbol(column->winfnoid, "aw_sql_watermark_before"))
				return true;
		}
	}
	return false;
}
