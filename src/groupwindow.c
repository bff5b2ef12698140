/*
 * groupwindow.c
 *
 * Group windows without a rewrite of the query: TUMBLE always, HOP in the first
 * statement of a session, later groupform.c is there before.
 *
 * TUMBLE(ts, size) is a scalar grouping key, HOP(ts, slide, size) a set-returning
 * one whose value is the window; TUMBLE_START and the like are aggregates whose
 * value is the same for all rows of a group.
 *
 * That they belong to the grouping key is checked while the query is planned:
 * the planner asks for the cost of each aggregate's transition function, and
 * its support function looks at the query then.  A part of TUMBLE computes its
 * value from its own arguments; a part of HOP reads the window off the grouping
 * column of the row at hand.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "groupwindow.h"
#include "rangetable.h"
#include "rowtime.h"
#include "windowspec.h"

/* Looks for the parts of a window whose transition function this is. */
typedef struct PartSearch
{
	PlannerInfo *root;
	Oid			transition;
	AwWindowKind kind;
} PartSearch;

/* By AwWindowKind: the C symbol behind the function in GROUP BY, and its name. */
static const struct
{
	const char *symbol;
	const char *name;
}			kinds[] = {
	[AW_KIND_TUMBLE] = {"aw_sql_tumble", "TUMBLE"},
	[AW_KIND_HOP] = {"aw_sql_hop", "HOP"},
	[AW_KIND_CUMULATE] = {NULL, NULL},
	[AW_KIND_SESSION] = {"aw_sql_session", "SESSION"},
};

static void check_other_sets(PlannerInfo *root, FuncExpr *hop);
static void report_not_loaded(const char *what);
static bool same_arguments(List *args, List *others);
static bool contain_planned_subquery(Node *node, void *context);
static Oid	transition_of(Oid aggregate);
static bool is_same_call(PlannerInfo *root, FuncExpr *call, FuncExpr *simplified);
static List *windows_of_group(PlannerInfo *root, AwWindowKind kind);
static bool part_walker(Node *node, PartSearch *search);
static void check_part(PlannerInfo *root, Aggref *part, AwWindowKind kind);
static bool is_window_type(Oid type);

/* Is it a call of a group window? */
bool
aw_groupwindow_is_window(Node *node, AwWindowKind *kind)
{
	const char *symbol = IsA(node, FuncExpr) ?
		aw_rangetable_symbol(((FuncExpr *) node)->funcid) : NULL;

	for (size_t i = 0; symbol != NULL && i < lengthof(kinds); i++)
	{
		if (kinds[i].symbol != NULL && strcmp(symbol, kinds[i].symbol) == 0)
		{
			*kind = (AwWindowKind) i;
			return true;
		}
	}
	return false;
}

/*
 * Is it a part of a group window?  Known by the name of its transition function,
 * as aw_sql_hop_start_transition.
 */
bool
aw_groupwindow_is_part(const Aggref *aggref, AwWindowKind *kind, AwWindowPart *part)
{
	static const char *const parts[] = {
		[AW_PART_START] = "_start_transition",
		[AW_PART_END] = "_end_transition",
		[AW_PART_ROWTIME] = "_rowtime_transition",
		[AW_PART_PROCTIME] = "_proctime_transition",
	};
	const char *symbol = aw_rangetable_symbol(transition_of(aggref->aggfnoid));

	for (size_t i = 0; symbol != NULL && i < lengthof(kinds); i++)
	{
		size_t		length = kinds[i].symbol ? strlen(kinds[i].symbol) : 0;

		if (length == 0 || strncmp(symbol, kinds[i].symbol, length) != 0)
			continue;
		for (size_t j = 0; j < lengthof(parts); j++)
		{
			if (strcmp(symbol + length, parts[j]) == 0)
			{
				*kind = (AwWindowKind) i;
				*part = (AwWindowPart) j;
				return true;
			}
		}
	}
	return false;
}

/* Raises an error unless the part repeats the arguments of the window. */
void
aw_groupwindow_check_args(const Aggref *part, const FuncExpr *window, AwWindowKind kind)
{
	const char *name = get_func_name(part->aggfnoid);
	List	   *args = NIL;
	ListCell   *lc;

	if (part->aggfilter != NULL || part->aggdistinct != NIL || part->aggorder != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("%s cannot have DISTINCT, ORDER BY or FILTER", name)));

	foreach(lc, part->args)
		args = lappend(args, lfirst_node(TargetEntry, lc)->expr);

	if (!same_arguments(args, aw_rangetable_call_args(window)))
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("arguments of %s differ from those of %s in GROUP BY",
						name, kinds[kind].name),
				 errhint("Repeat the arguments of %s exactly.", kinds[kind].name)));
}

/* Subqueries that have been planned already cannot be compared any more. */
static bool
same_arguments(List *args, List *others)
{
	ListCell   *lc_arg;
	ListCell   *lc_other;

	if (list_length(args) != list_length(others))
		return false;

	forboth(lc_arg, args, lc_other, others)
	{
		if (!equal(eval_const_expressions(NULL, lfirst(lc_arg)),
				   eval_const_expressions(NULL, lfirst(lc_other))) &&
			!(contain_planned_subquery(lfirst(lc_arg), NULL) &&
			  contain_planned_subquery(lfirst(lc_other), NULL)))
			return false;
	}
	return true;
}

static bool
contain_planned_subquery(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, SubPlan) || IsA(node, AlternativeSubPlan) ||
		(IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC))
		return true;
	return expression_tree_walker(node, contain_planned_subquery, context);
}

/*
 * Raises the error of a SESSION that groupform.c has not replaced, saying why:
 * the query has no form for it, this library was not loaded yet, or it was and
 * the query came up later.
 */
void
aw_groupwindow_refuse_session(PlannerInfo *root, FuncExpr *fcall, bool is_rewriting)
{
	int			n_windows = 0;
	bool		is_key = false;
	ListCell   *lc;

	aw_rowtime_check(root, linitial(fcall->args), "time attribute");
	aw_windowspec_check_gap(lsecond(fcall->args));

	foreach(lc, aw_compat_group_keys(root->parse))
	{
		AwWindowKind kind;

		if (!aw_groupwindow_is_window(lfirst(lc), &kind))
			continue;
		n_windows++;
		is_key |= (kind == AW_KIND_SESSION);
	}

	if (!is_key)
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("SESSION must be a key of GROUP BY"),
				 errhint("For the session of each row, use the table function SESSION in FROM.")));
	if (root->parse->groupingSets != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("SESSION cannot be used with GROUPING SETS, CUBE or ROLLUP"),
				 errhint("Use the table function SESSION, and group by window_start and window_end.")));
	if (n_windows > 1)
		aw_groupwindow_refuse_several();
	if (is_rewriting)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("SESSION in GROUP BY cannot be used in an SQL function that is inlined"),
				 errhint("Declare the function VOLATILE, or use the table function SESSION in it.")));
	report_not_loaded("SESSION in GROUP BY");
}

/* Checks the arguments of a group window that the planner is simplifying. */
void
aw_groupwindow_plan(PlannerInfo *root, FuncExpr *fcall, AwWindowKind kind)
{
	AwWindow	window;

	aw_rowtime_check(root, linitial(fcall->args), "time attribute");

	if (kind == AW_KIND_HOP)
	{
		aw_windowspec_constants(&window, kind, lthird(fcall->args), lsecond(fcall->args), NULL);
		check_other_sets(root, fcall);
		return;
	}

	aw_windowspec_constants(&window, kind, lsecond(fcall->args), NULL, NULL);
	if (list_length(fcall->args) == 4)
	{
		aw_windowspec_constant_delay(lthird(fcall->args), "period");
		aw_windowspec_constant_delay(lfourth(fcall->args), "lateness");
	}
}

/*
 * Drops the group of rows without a time, where TUMBLE is a grouping key: they
 * are in no window.
 *
 * Where groupform.c has filtered a column, they are gone before.  Else this is done
 * while the planner asks what the key costs: then conditions on groups are ready to
 * be added to, and not yet used.
 */
void
aw_groupwindow_drop_null(PlannerInfo *root, Node *key)
{
	Query	   *query = root->parse;
	List	   *conditions = (List *) query->jointree->quals;
	Node	   *test;
	ListCell   *lc;

	if (query->groupingSets != NIL || root->processed_tlist == NIL ||
		(query->havingQual != NULL && !IsA(query->havingQual, List)))
		return;
	if (list_member(conditions, aw_rangetable_not_null(linitial(((FuncExpr *) key)->args))))
		return;

	test = aw_rangetable_not_null(key);
	foreach(lc, query->groupClause)
	{
		if (equal(get_sortgroupclause_expr(lfirst(lc), root->processed_tlist), key) &&
			!list_member((List *) query->havingQual, test))
			query->havingQual = (Node *) lappend((List *) query->havingQual, test);
	}
}

/*
 * Checks all parts of a group window in a query, which the planner has just
 * asked the cost of, against the grouping keys.
 */
void
aw_groupwindow_check_part(PlannerInfo *root, Oid transition, AwWindowKind kind)
{
	PartSearch	search = {.root = root,.transition = transition,.kind = kind};

	part_walker((Node *) root->processed_tlist, &search);
	part_walker(root->parse->havingQual, &search);
}

/* Raises an error where an aggregate is used as a window function. */
void
aw_groupwindow_require_group(FunctionCallInfo fcinfo)
{
	if (AggCheckCallContext(fcinfo, NULL) != AGG_CONTEXT_AGGREGATE)
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("a part of a group window cannot be a window function"),
				 errhint("Group by the window in a subquery.")));
}

/*
 * The window of the row that an aggregate's transition function is looking at,
 * from the query's grouping columns.
 */
AwSpan
aw_groupwindow_current(FunctionCallInfo fcinfo)
{
	AggState   *aggstate = (AggState *) fcinfo->context;
	Agg		   *agg;
	TupleTableSlot *row;

	aw_groupwindow_require_group(fcinfo);
	agg = (Agg *) aggstate->ss.ps.plan;
	row = aggstate->tmpcontext->ecxt_outertuple;

	for (int i = 0; i < agg->numCols; i++)
	{
		AttrNumber	column = agg->grpColIdx[i];
		HeapTupleHeader window;
		AwSpan		span;
		Datum		value;
		bool		isnull;

		if (column > row->tts_tupleDescriptor->natts)
			elog(ERROR, "a grouping column is not in the row");
		if (!is_window_type(TupleDescAttr(row->tts_tupleDescriptor, column - 1)->atttypid))
			continue;

		value = slot_getattr(row, column, &isnull);
		if (isnull)
			elog(ERROR, "a group has no window");
		window = DatumGetHeapTupleHeader(value);
		span.start_us = DatumGetInt64(GetAttributeByNum(window, 1, &isnull));
		span.end_us = DatumGetInt64(GetAttributeByNum(window, 2, &isnull));
		return span;
	}
	elog(ERROR, "no grouping column is a window");
}

/*
 * Other sets in the list of columns would be returned side by side with the
 * windows of HOP, not for each of them.
 */
static void
check_other_sets(PlannerInfo *root, FuncExpr *hop)
{
	List	   *exprs = list_concat_copy(root->parse->targetList,
										 aw_compat_group_keys(root->parse));
	ListCell   *lc;

	foreach(lc, exprs)
	{
		Node	   *expr = lfirst(lc);
		AwWindowKind kind;

		if (IsA(expr, TargetEntry))
			expr = (Node *) ((TargetEntry *) expr)->expr;

		if (!expression_returns_set(expr))
			continue;
		if (!aw_groupwindow_is_window(expr, &kind))
			report_not_loaded("HOP in GROUP BY beside another function that returns a set");
		if (!is_same_call(root, (FuncExpr *) expr, hop))
			aw_groupwindow_refuse_several();
	}
}

/* Raises the error for group windows that cannot be keys of one query. */
void
aw_groupwindow_refuse_several(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("GROUP BY cannot have several of HOP and SESSION, nor SESSION beside TUMBLE"),
			 errhint("Use the table functions, and group by window_start and window_end.")));
}

static void
report_not_loaded(const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("%s needs the library of apply_watermark from the start of the statement", what),
			 errhint("Run the statement again, or add \"apply_watermark\" to session_preload_libraries.")));
}

static Oid
transition_of(Oid aggregate)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	Oid			transition;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggregate);
	transition = ((Form_pg_aggregate) GETSTRUCT(tuple))->aggtransfn;
	ReleaseSysCache(tuple);
	return transition;
}

/* Is it the call that the planner has simplified, join columns included? */
static bool
is_same_call(PlannerInfo *root, FuncExpr *call, FuncExpr *simplified)
{
	Node	   *args;

	if (call->funcid != simplified->funcid)
		return false;

	args = flatten_join_alias_vars(root, root->parse, (Node *) aw_rangetable_call_args(call));
	return equal(eval_const_expressions(root, args), simplified->args);
}

/* The grouping keys that are windows of a kind. */
static List *
windows_of_group(PlannerInfo *root, AwWindowKind kind)
{
	List	   *windows = NIL;
	ListCell   *lc;

	foreach(lc, root->parse->groupClause)
	{
		Node	   *key = get_sortgroupclause_expr(lfirst(lc), root->processed_tlist);
		AwWindowKind key_kind;

		if (aw_groupwindow_is_window(key, &key_kind) && key_kind == kind)
			windows = lappend(windows, key);
	}
	return windows;
}

static bool
part_walker(Node *node, PartSearch *search)
{
	if (node == NULL)
		return false;

	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == 0)
	{
		Aggref	   *aggref = (Aggref *) node;
		AggTransInfo *info = list_nth(search->root->aggtransinfos, aggref->aggtransno);

		if (info->transfn_oid == search->transition)
			check_part(search->root, aggref, search->kind);
		return false;
	}
	return expression_tree_walker(node, part_walker, search);
}

/* Raises an error unless the part repeats the arguments of the one window. */
static void
check_part(PlannerInfo *root, Aggref *part, AwWindowKind kind)
{
	const char *name = get_func_name(part->aggfnoid);
	const char *window = kinds[kind].name;
	List	   *windows = windows_of_group(root, kind);

	aw_rowtime_check(root, (Node *) linitial_node(TargetEntry, part->args)->expr,
					 "time attribute");

	if (root->parse->groupingSets != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s cannot be used with GROUPING SETS, CUBE or ROLLUP", name),
				 errhint("Use the table function %s, and group by window_start and window_end.",
						 window)));

	if (windows == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("%s needs %s in GROUP BY", name, window),
				 errhint("Add %s with the same arguments to GROUP BY.", window)));

	if (list_length(windows) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("%s is ambiguous: GROUP BY has more than one %s", name, window)));

	aw_groupwindow_check_args(part, linitial(windows), kind);
}

static bool
is_window_type(Oid type)
{
	Oid			namespace = get_namespace_oid("watermark", false);

	return get_rel_namespace(get_typ_typrelid(type)) == namespace;
}
