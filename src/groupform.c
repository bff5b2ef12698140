/*
 * groupform.c
 *
 * The normal form of HOP and SESSION in GROUP BY: the window's start and end, or
 * its start alone, as ordinary grouping keys.  Made before a statement is planned,
 * so views keep their text.
 *
 *	 SELECT k, HOP_START(ts, slide, size), agg(x) FROM ... WHERE ...
 *	 GROUP BY k, HOP(ts, slide, size)
 *
 *	 SELECT k, w.start, agg(x) FROM ..., hop_rows(ts, slide, size) AS w WHERE ...
 *	 GROUP BY k, w.start, w.end
 *
 * For SESSION, what stands in FROM and WHERE moves into a subquery that has the
 * start of each row's session from a window function over the rows of the other
 * keys.  The start tells sessions apart; the end is a gap after the last row:
 *
 *	 SELECT k, s.start, session_end_after(max(s.ts), gap), agg(s.x)
 *	 FROM (SELECT session_start(ts, gap) OVER w, ts, k, x
 *		   FROM ... WHERE ... AND ts IS NOT NULL
 *		   WINDOW w AS (PARTITION BY k ORDER BY ts)) AS s
 *	 GROUP BY k, s.start
 *
 * A time that is an expression is filtered by the start instead, above the window
 * function.
 *
 * TUMBLE stays as it is: a scalar key is the cheapest form.  Without a rewrite,
 * groupwindow.c plans HOP as it stands, and refuses SESSION.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "groupform.h"
#include "groupwindow.h"
#include "itemwrap.h"
#include "rangetable.h"
#include "rowtime.h"
#include "windowspec.h"

/* A query that is being brought into the normal form. */
typedef struct GroupForm
{
	Query	   *query;
	FuncExpr   *window;			/* the grouping key */
	AwWindowKind kind;
	Expr	   *start;			/* what takes the place of its parts */
	Expr	   *end;
	List	   *keys;			/* the other grouping keys (SESSION) */
	Query	   *input;			/* the subquery (SESSION), else NULL */
	Index		sublevels_up;
} GroupForm;

static bool rewrite_walker(Node *node, void *context);
static void rewrite_query(Query *query);
static void drop_null_times(Query *query);
static FuncExpr *window_of_query(const Query *query, AwWindowKind *kind);
static void add_hop(GroupForm *form);
static void add_session(GroupForm *form);
static Aggref *last_row(Var *timecol);
static Query *query_of_input(Query *query);
static RangeTblEntry *entry_of_input(Query *input);
static void replace_key(GroupForm *form);
static bool is_sorted_by(const Query *query, Index reference);
static Node *replace_mutator(Node *node, GroupForm *form);
static Node *replace_in_query(Query *query, GroupForm *form);
static Node *part_value(GroupForm *form, AwWindowPart part);
static Node *window_value(GroupForm *form);
static Node *lift(Node *expr, GroupForm *form);
static Var *column_of_input(Node *expr, GroupForm *form);
static bool shift_cte_walker(Node *node, int *depth);

/* Rewrites a statement and all queries in it, the innermost first. */
void
aw_groupform_rewrite(Query *query)
{
	rewrite_walker((Node *) query, NULL);
}

static bool
rewrite_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;

	if (IsA(node, Query))
	{
		query_tree_walker((Query *) node, rewrite_walker, context, QTW_IGNORE_JOINALIASES);
		rewrite_query((Query *) node);
		return false;
	}
	return expression_tree_walker(node, rewrite_walker, context);
}

static void
rewrite_query(Query *query)
{
	GroupForm	form = {.query = query};

	drop_null_times(query);
	if (window_of_query(query, &form.kind) == NULL)
		return;

	/* Columns of joins may be written in two ways. */
	aw_compat_flatten_group_keys(query);
	query->targetList = (List *) flatten_join_alias_vars(NULL, query, (Node *) query->targetList);
	query->havingQual = flatten_join_alias_vars(NULL, query, query->havingQual);
	form.window = window_of_query(query, &form.kind);

	if (form.kind == AW_KIND_HOP)
		add_hop(&form);
	else
		add_session(&form);

	query->targetList = (List *) replace_mutator((Node *) query->targetList, &form);
	query->havingQual = replace_mutator(query->havingQual, &form);
	replace_key(&form);

	query->hasAggs = contain_aggs_of_level((Node *) query->targetList, 0) ||
		contain_aggs_of_level(query->havingQual, 0);
	query->hasTargetSRFs = expression_returns_set((Node *) query->targetList);

	if (form.input != NULL)
	{
		int			depth = 0;

		/* The input is one level further down now, its CTEs one further up. */
		IncrementVarSublevelsUp((Node *) form.input, 1, 1);
		query_tree_walker(form.input, shift_cte_walker, &depth, QTW_EXAMINE_RTES_BEFORE);
	}
}

/*
 * Filters rows without a time where TUMBLE is a grouping key: they are in no
 * window.  Other expressions than columns must not be evaluated before WHERE and
 * joins; their NULLs are left to aw_groupwindow_drop_null().
 */
static void
drop_null_times(Query *query)
{
	ListCell   *lc;

	if (query->groupClause == NIL || query->groupingSets != NIL)
		return;

	foreach(lc, aw_compat_group_keys(query))
	{
		Node	   *timecol;
		AwWindowKind kind;

		if (!aw_groupwindow_is_window(lfirst(lc), &kind) || kind != AW_KIND_TUMBLE)
			continue;

		timecol = linitial(aw_rangetable_call_args(lfirst(lc)));
		if (!IsA(timecol, Var) || !aw_rowtime_is_time(timecol))
			continue;

		query->jointree->quals = make_and_qual(query->jointree->quals,
											   aw_rangetable_not_null(timecol));
	}
}

/*
 * The HOP or SESSION that a query groups by; NULL if there is none, or there are
 * grouping sets, or a time of the wrong type, or a set of times: such queries are
 * planned, or refused, as they stand.
 */
static FuncExpr *
window_of_query(const Query *query, AwWindowKind *kind)
{
	FuncExpr   *window = NULL;
	int			n_windows[AW_KIND_SESSION + 1] = {0};
	ListCell   *lc;

	if (query->groupClause == NIL || query->groupingSets != NIL)
		return NULL;

	foreach(lc, aw_compat_group_keys(query))
	{
		AwWindowKind key_kind;
		List	   *args;

		if (!aw_groupwindow_is_window(lfirst(lc), &key_kind))
			continue;

		n_windows[key_kind]++;
		if (key_kind == AW_KIND_TUMBLE)
			continue;

		args = aw_rangetable_call_args(lfirst(lc));
		if (!aw_rowtime_is_time(linitial(args)) || expression_returns_set((Node *) args))
			return NULL;
		window = lfirst(lc);
		*kind = key_kind;
	}

	if (n_windows[AW_KIND_HOP] + n_windows[AW_KIND_SESSION] > 1 ||
		n_windows[AW_KIND_TUMBLE] * n_windows[AW_KIND_SESSION] > 0)
		aw_groupwindow_refuse_several();
	return window;
}

/* Joins each row with its windows. */
static void
add_hop(GroupForm *form)
{
	Query	   *query = form->query;
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblFunction *function = makeNode(RangeTblFunction);
	RangeTblRef *ref = makeNode(RangeTblRef);
	List	   *args = aw_rangetable_call_args(form->window);
	Oid			type = exprType(linitial(args));

	args = lappend(args, makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval),
								   IntervalPGetDatum(palloc0(sizeof(Interval))), false, false));
	function->funcexpr = (Node *) aw_rangetable_inner_call("hop_rows", args);
	function->funccolcount = 3;

	rte->rtekind = RTE_FUNCTION;
	rte->functions = list_make1(function);
	rte->eref = makeAlias("hop", list_make3(makeString("window_start"), makeString("window_end"),
											makeString("window_time")));
	rte->lateral = true;
	rte->inFromCl = true;
	query->rtable = lappend(query->rtable, rte);

	ref->rtindex = list_length(query->rtable);
	query->jointree->fromlist = lappend(query->jointree->fromlist, ref);

	form->start = (Expr *) makeVar(ref->rtindex, 1, type, -1, InvalidOid, 0);
	form->end = (Expr *) makeVar(ref->rtindex, 2, type, -1, InvalidOid, 0);
}

/* Moves FROM and WHERE into a subquery, whose first column is the session's start. */
static void
add_session(GroupForm *form)
{
	Query	   *query = form->query;
	List	   *args = aw_rangetable_call_args(form->window);
	Node	   *timecol = linitial(args);
	WindowFunc *start = aw_rangetable_inner_window("session_start", copyObject(args));
	RangeTblRef *ref = makeNode(RangeTblRef);

	aw_windowspec_check_gap(lsecond(args));
	form->keys = list_delete(get_sortgrouplist_exprs(query->groupClause, query->targetList),
							 form->window);
	if (expression_returns_set((Node *) form->keys))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("SESSION in GROUP BY cannot be used beside a key that returns a set"),
				 errhint("Put the function that returns a set into FROM.")));
	form->input = query_of_input(query);

	start->winref = 1;
	form->input->targetList =
		list_make1(makeTargetEntry((Expr *) start, 1, pstrdup("session_start"), false));

	ref->rtindex = 1;
	query->jointree = makeFromExpr(list_make1(ref), NULL);
	form->start = (Expr *) makeVar(1, 1, start->wintype, -1, InvalidOid, 0);

	/* Rows without a time are in no session.  They come last, if they must be read. */
	if (IsA(timecol, Var))
		form->input->jointree->quals = make_and_qual(form->input->jointree->quals,
													 aw_rangetable_not_null(timecol));
	else
		query->jointree->quals = aw_rangetable_not_null((Node *) form->start);

	form->end = (Expr *)
		aw_rangetable_inner_call("session_end_after",
								 list_make2(last_row(column_of_input(timecol, form)),
											lsecond(args)));
}

/* The aggregate max() of a time. */
static Aggref *
last_row(Var *timecol)
{
	Aggref	   *last = makeNode(Aggref);

	Oid			type = getBaseType(timecol->vartype);

	last->aggfnoid = (type == TIMESTAMPOID) ? F_MAX_TIMESTAMP : F_MAX_TIMESTAMPTZ;
	last->aggtype = type;
	last->aggargtypes = list_make1_oid(type);
	last->args = list_make1(makeTargetEntry((Expr *) timecol, 1, NULL, false));
	last->aggkind = AGGKIND_NORMAL;
	last->aggsplit = AGGSPLIT_SIMPLE;
	last->aggno = -1;
	last->aggtransno = -1;
	last->location = -1;
	return last;
}

/* FROM and WHERE of a query as a query of its own, without columns yet. */
static Query *
query_of_input(Query *query)
{
	Query	   *input = makeNode(Query);

	input->commandType = CMD_SELECT;
	input->querySource = QSRC_ORIGINAL;
	input->canSetTag = true;
	input->rtable = query->rtable;
	input->jointree = query->jointree;
	input->hasWindowFuncs = true;
	input->hasSubLinks = query->hasSubLinks;
	input->hasRowSecurity = query->hasRowSecurity;
	aw_compat_move_all_permissions(query, input);
	return input;
}

static RangeTblEntry *
entry_of_input(Query *input)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	ListCell   *lc;

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = input;
	rte->eref = makeAlias("session", NIL);
	rte->inFromCl = true;
	foreach(lc, input->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (!entry->resjunk)
			rte->eref->colnames = lappend(rte->eref->colnames,
										  makeString(pstrdup(entry->resname)));
	}
	return rte;
}

/*
 * Groups by start, and for HOP by end, instead of by the window, and gives the
 * query its new input.  The old key stays if it is an output or is sorted by.
 */
static void
replace_key(GroupForm *form)
{
	Query	   *query = form->query;
	List	   *clauses = NIL;
	ListCell   *lc;

	foreach(lc, query->groupClause)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, lc);
		TargetEntry *entry = get_sortgroupclause_tle(clause, query->targetList);

		if (!equal(entry->expr, window_value(form)))
		{
			clauses = lappend(clauses, clause);
			continue;
		}

		if (entry->resjunk && !is_sorted_by(query, entry->ressortgroupref))
			query->targetList = list_delete_ptr(query->targetList, entry);
	}

	/* Junk columns are known by their references, so numbers may be given anew. */
	foreach(lc, query->targetList)
		lfirst_node(TargetEntry, lc)->resno = foreach_current_index(lc) + 1;

	clauses = lappend(clauses, aw_itemwrap_sort_clause(&query->targetList, (Node *) form->start));
	if (form->kind == AW_KIND_HOP)
		clauses = lappend(clauses, aw_itemwrap_sort_clause(&query->targetList, (Node *) form->end));
	query->groupClause = clauses;

	if (form->input != NULL)
	{
		List	   *args = aw_rangetable_call_args(form->window);

		form->input->windowClause =
			list_make1(aw_itemwrap_window(&form->input->targetList, form->keys, linitial(args)));
		query->rtable = list_make1(entry_of_input(form->input));
	}
}

/* Is the column with this reference used for more than grouping? */
static bool
is_sorted_by(const Query *query, Index reference)
{
	List	   *clauses = list_concat_copy(query->sortClause, query->distinctClause);
	ListCell   *lc;

	foreach(lc, query->windowClause)
	{
		WindowClause *window = lfirst_node(WindowClause, lc);

		clauses = list_concat(clauses, window->partitionClause);
		clauses = list_concat(clauses, window->orderClause);
	}
	foreach(lc, clauses)
	{
		if (lfirst_node(SortGroupClause, lc)->tleSortGroupRef == reference)
			return true;
	}
	return false;
}

/*
 * Puts start and end in the place of the window and its parts and, where the
 * input has moved, columns of the subquery in the place of its expressions.
 */
static Node *
replace_mutator(Node *node, GroupForm *form)
{
	AwWindowKind kind;
	AwWindowPart part;

	if (node == NULL)
		return NULL;

	if (IsA(node, Query))
		return replace_in_query((Query *) node, form);

	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == form->sublevels_up &&
		aw_groupwindow_is_part((Aggref *) node, &kind, &part) && kind == form->kind)
	{
		aw_groupwindow_check_args((Aggref *) node,
								  (FuncExpr *) lift(copyObject((Node *) form->window), form), kind);
		return part_value(form, part);
	}

	/* Without grouping sets every key is there, and GROUPING() is 0. */
	if (IsA(node, GroupingFunc) && ((GroupingFunc *) node)->agglevelsup == form->sublevels_up)
		return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(0),
								  false, true);

	if (form->sublevels_up == 0 && equal(node, form->window))
		return window_value(form);

	if (form->input != NULL)
	{
		if (form->sublevels_up == 0 && list_member(form->keys, node))
			return (Node *) column_of_input(node, form);
		if (IsA(node, Var) && ((Var *) node)->varlevelsup == form->sublevels_up)
		{
			Var		   *var = copyObject((Var *) node);

			var->varlevelsup = 0;
			return lift((Node *) column_of_input((Node *) var, form), form);
		}
	}
	return expression_tree_mutator(node, replace_mutator, form);
}

static Node *
replace_in_query(Query *query, GroupForm *form)
{
	form->sublevels_up++;
	query = query_tree_mutator(query, replace_mutator, form, 0);
	form->sublevels_up--;
	return (Node *) query;
}

/* What a part of the window is now, at the level of the mutator. */
static Node *
part_value(GroupForm *form, AwWindowPart part)
{
	Oid			subtract = exprType((Node *) form->end) == TIMESTAMPOID ?
	F_TIMESTAMP_MI_INTERVAL : F_TIMESTAMPTZ_MI_INTERVAL;
	Interval   *granule;

	switch (part)
	{
		case AW_PART_START:
			return lift((Node *) copyObject(form->start), form);
		case AW_PART_END:
			return lift((Node *) copyObject(form->end), form);
		case AW_PART_PROCTIME:
			return lift((Node *) aw_rangetable_inner_call("part_proctime",
														  list_make1(copyObject(form->start))),
						form);
		case AW_PART_ROWTIME:
			break;
	}

	granule = palloc0(sizeof(Interval));
	granule->time = AW_WINDOW_MIN_US;
	return lift((Node *) makeFuncExpr(subtract, exprType((Node *) form->end),
									  list_make2(copyObject(form->end),
												 makeConst(INTERVALOID, -1, InvalidOid,
														   sizeof(Interval),
														   IntervalPGetDatum(granule),
														   false, false)),
									  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL),
				form);
}

/* The window itself as a value: a row of start and end. */
static Node *
window_value(GroupForm *form)
{
	RowExpr    *row = makeNode(RowExpr);

	row->args = list_make2(copyObject(form->start), copyObject(form->end));
	row->row_typeid = form->window->funcresulttype;
	row->row_format = COERCE_IMPLICIT_CAST;
	row->location = -1;
	return (Node *) row;
}

/* An expression of the query's own level at the level of the mutator. */
static Node *
lift(Node *expr, GroupForm *form)
{
	IncrementVarSublevelsUp(expr, form->sublevels_up, 0);
	return expr;
}

/* The subquery's column of an expression at the query's level, added if it is not there yet. */
static Var *
column_of_input(Node *expr, GroupForm *form)
{
	TargetEntry *entry = tlist_member((Expr *) expr, form->input->targetList);

	if (entry == NULL)
	{
		int			number = list_length(form->input->targetList) + 1;

		entry = makeTargetEntry(copyObject((Expr *) expr), number, psprintf("column%d", number),
								false);
		form->input->targetList = lappend(form->input->targetList, entry);
	}
	return makeVar(1, entry->resno, exprType(expr), exprTypmod(expr), exprCollation(expr), 0);
}

/*
 * Moves references to the CTEs of the query, whose level the walk has left by
 * one: those of outer queries have been moved with the variables.
 */
static bool
shift_cte_walker(Node *node, int *depth)
{
	if (node == NULL)
		return false;

	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind == RTE_CTE && rte->ctelevelsup == (Index) *depth)
			rte->ctelevelsup++;
		return false;
	}

	if (IsA(node, Query))
	{
		(*depth)++;
		query_tree_walker((Query *) node, shift_cte_walker, depth, QTW_EXAMINE_RTES_BEFORE);
		(*depth)--;
		return false;
	}
	return expression_tree_walker(node, shift_cte_walker, depth);
}
