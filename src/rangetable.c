/*
 * rangetable.c
 *
 * What the planner's support functions do to the query around a call of ours:
 * find the call among the items of FROM, see who reads its columns, add a
 * filter where the item stands, and move an item into a subquery that computes
 * one more column with a window function:
 *
 *	 FROM item      becomes      FROM (SELECT item.*, column OVER () FROM item)
 *
 * The subquery takes the item's place in the range table and the item's column
 * numbers, so references to its columns stay as they are.  Permissions, row
 * security, locks and inheritance move with the item's own entry.
 *
 * A support function runs while the planner loops over the range table, hence
 * entries are changed in place and never replaced.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "rangetable.h"

/* Collects the columns read of one entry of the query that the walk began with. */
typedef struct ReadSearch
{
	Query	   *query;
	int			rtindex;
	Index		sublevels_up;
	Bitmapset  *columns;
} ReadSearch;

/* Puts a row of columns where a whole-row reference to an entry stands. */
typedef struct RowExpansion
{
	int			rtindex;
	Index		sublevels_up;
	List	   *named_columns;	/* of a named row type, dropped columns included */
	List	   *record_columns; /* of an anonymous record */
	List	   *record_names;
	int			n_expanded;
} RowExpansion;

/* Where a filter on the rows of an entry may go. */
typedef enum FilterPlace
{
	FILTER_NOT_FOUND,			/* the entry is not below */
	FILTER_ANYWHERE_ABOVE,
	FILTER_PLACED,
	FILTER_NOWHERE				/* it would remove rows that must be kept */
} FilterPlace;

static bool read_walker(Node *node, ReadSearch *search);
static void read_variable(const Var *var, ReadSearch *search);
static FilterPlace place_filter(Node *jtnode, int rtindex, Node *filter);
static FilterPlace place_filter_in_join(JoinExpr *join, int rtindex, Node *filter);
static Node *and_filter(Node *quals, Node *filter);
static bool outer_join_walker(Node *jtnode);
static RowExpansion *expand_whole_rows(Query *query, int rtindex);
static Node *expand_mutator(Node *node, RowExpansion *expansion);
static bool is_whole_row(Node *node, const RowExpansion *expansion);
static Node *expand_function(FuncExpr *call, RowExpansion *expansion);
static RangeTblEntry *detach_entry(RangeTblEntry *rte, int rtindex);
static List *subquery_columns(RangeTblEntry *item);

/*
 * Finds the item of FROM that the planner is simplifying; false if the call is
 * not in FROM.
 *
 * A support function gets a call with simplified arguments, hence ours are
 * simplified for the comparison.  Of two equal calls the first is taken: once
 * it is replaced, the second is found.
 */
bool
aw_rangetable_find_call(PlannerInfo *root, FuncExpr *fcall, AwItemCall *call)
{
	ListCell   *lc;

	call->rtindex = 0;
	foreach(lc, root->parse->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);
		ListCell   *lf;

		call->rtindex++;
		if (rte->rtekind != RTE_FUNCTION)
			continue;

		foreach(lf, rte->functions)
		{
			Node	   *expr = lfirst_node(RangeTblFunction, lf)->funcexpr;
			List	   *args;

			if (!IsA(expr, FuncExpr) || ((FuncExpr *) expr)->funcid != fcall->funcid)
				continue;

			args = aw_rangetable_call_args((FuncExpr *) expr);
			if (!equal(eval_const_expressions(root, (Node *) copyObject(args)), fcall->args))
				continue;

			call->args = args;
			call->is_inlinable = !rte->funcordinality && list_length(rte->functions) == 1;
			return true;
		}
	}
	return false;
}

/* A call's arguments in the order of the parameters, defaults filled in. */
List *
aw_rangetable_call_args(const FuncExpr *fcall)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(fcall->funcid));
	List	   *args;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", fcall->funcid);
	args = expand_function_arguments(copyObject(fcall->args), false, fcall->funcresulttype, tuple);
	ReleaseSysCache(tuple);
	return args;
}

/*
 * Columns of an entry that the query reads, less FirstLowInvalidHeapAttributeNumber;
 * a reference to the whole row is column 0.
 */
Bitmapset *
aw_rangetable_columns_read(Query *query, int rtindex)
{
	ReadSearch	search = {.query = query,.rtindex = rtindex};

	query_tree_walker(query, read_walker, &search, QTW_IGNORE_JOINALIASES);
	return search.columns;
}

/* Does the query read ctid, tableoid and the like of the entry? */
bool
aw_rangetable_reads_system_column(Query *query, int rtindex)
{
	int			first = bms_next_member(aw_rangetable_columns_read(query, rtindex), -1);

	return first >= 0 && first < -FirstLowInvalidHeapAttributeNumber;
}

/* Is there an outer join at the query's own level? */
bool
aw_rangetable_has_outer_join(const Query *query)
{
	return outer_join_walker((Node *) query->jointree);
}

/*
 * Adds a filter on the entry's rows to the condition nearest to it; false if
 * none will do, as under a full join.
 */
bool
aw_rangetable_add_filter(Query *query, int rtindex, Node *filter)
{
	return place_filter((Node *) query->jointree, rtindex, filter) == FILTER_PLACED;
}

/*
 * Moves the item of an input argument into a subquery that has one more column,
 * and gives the reference to that column.
 *
 * The column's arguments may refer to the item and to outer queries.  False if
 * the row of the item is used as a value where an outer join may have made it
 * NULL: a row of NULLs would come out instead, so the caller raises an error.
 */
bool
aw_rangetable_add_window_column(Query *query, const Var *input, WindowFunc *column,
								const char *name, Var **result)
{
	int			rtindex = input->varno;
	RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	Query	   *subquery = makeNode(Query);
	WindowClause *window = makeNode(WindowClause);
	RangeTblRef *ref = makeNode(RangeTblRef);
	RangeTblEntry *item;
	AttrNumber	attno;

	if (expand_whole_rows(query, rtindex)->n_expanded > 0 && aw_rangetable_has_outer_join(query))
		return false;

	item = detach_entry(rte, rtindex);

	window->winref = 1;
	window->frameOptions = FRAMEOPTION_DEFAULTS;
	ref->rtindex = 1;

	column = copyObject(column);
	column->winref = window->winref;
	IncrementVarSublevelsUp((Node *) column, 1, 1);
	ChangeVarNodes((Node *) column, rtindex, 1, 0);

	subquery->commandType = CMD_SELECT;
	subquery->querySource = QSRC_ORIGINAL;
	subquery->canSetTag = true;
	subquery->rtable = list_make1(item);
	subquery->jointree = makeFromExpr(list_make1(ref), NULL);
	subquery->targetList = subquery_columns(item);
	subquery->windowClause = list_make1(window);
	subquery->hasWindowFuncs = true;
	subquery->hasSubLinks = query->hasSubLinks;
	subquery->hasRowSecurity = query->hasRowSecurity;
	aw_compat_move_permissions(query, subquery, item);

	attno = list_length(subquery->targetList) + 1;
	subquery->targetList = lappend(subquery->targetList,
								   makeTargetEntry((Expr *) column, attno, pstrdup(name), false));

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = subquery;
	rte->lateral = item->lateral;
	rte->eref = copyObject(item->eref);
	rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup(name)));

	*result = makeVar(rtindex, attno, column->wintype, -1, InvalidOid, 0);
	aw_compat_copy_nulling(*result, input);
	return true;
}

/* Is it one of the table functions that take an item of FROM? */
bool
aw_rangetable_is_table_function(Oid funcid)
{
	return aw_rangetable_has_symbol(funcid, "aw_sql_table_function");
}

/* Is it DESCRIPTOR, which gives back the column that it names? */
bool
aw_rangetable_is_descriptor(Oid funcid)
{
	return aw_rangetable_has_symbol(funcid, "aw_sql_descriptor");
}

/* Is it a C function behind which stands this symbol, all of ours being "aw_"? */
bool
aw_rangetable_has_symbol(Oid funcid, const char *symbol)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	bool		has_it = false;

	if (!HeapTupleIsValid(tuple))
		return false;

	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
	{
		bool		isnull;
		Datum		prosrc = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &isnull);

		has_it = !isnull && strcmp(TextDatumGetCString(prosrc), symbol) == 0;
	}
	ReleaseSysCache(tuple);
	return has_it;
}

/* A call of a function of the schema "watermark", chosen by its arguments. */
FuncExpr *
aw_rangetable_inner_call(const char *name, List *args)
{
	Oid			argtypes[FUNC_MAX_ARGS];
	int			n_args = 0;
	FuncExpr   *call;
	Oid			funcid;
	ListCell   *lc;

	foreach(lc, args)
		argtypes[n_args++] = exprType(lfirst(lc));

	funcid = LookupFuncName(list_make2(makeString("watermark"), makeString(pstrdup(name))),
							n_args, argtypes, false);
	call = makeFuncExpr(funcid, get_func_rettype(funcid), args, InvalidOid, InvalidOid,
						COERCE_EXPLICIT_CALL);
	call->funcretset = get_func_retset(funcid);
	return call;
}

static bool
read_walker(Node *node, ReadSearch *search)
{
	if (node == NULL)
		return false;

	if (IsA(node, Var))
	{
		read_variable((Var *) node, search);
		return false;
	}

	if (IsA(node, Query))
	{
		search->sublevels_up++;
		query_tree_walker((Query *) node, read_walker, search, QTW_IGNORE_JOINALIASES);
		search->sublevels_up--;
		return false;
	}

	return expression_tree_walker(node, read_walker, search);
}

/* A column of a join stands for a column of one of its sides. */
static void
read_variable(const Var *var, ReadSearch *search)
{
	Index		sublevels_up = search->sublevels_up;
	RangeTblEntry *rte;

	if (var->varlevelsup != sublevels_up)
		return;

	if (var->varno == search->rtindex)
	{
		search->columns = bms_add_member(search->columns,
										 var->varattno - FirstLowInvalidHeapAttributeNumber);
		return;
	}

	rte = rt_fetch(var->varno, search->query->rtable);
	if (rte->rtekind != RTE_JOIN)
		return;

	search->sublevels_up = 0;
	if (var->varattno > 0)
		read_walker(list_nth(rte->joinaliasvars, var->varattno - 1), search);
	else
		read_walker((Node *) rte->joinaliasvars, search);
	search->sublevels_up = sublevels_up;
}

static FilterPlace
place_filter(Node *jtnode, int rtindex, Node *filter)
{
	if (IsA(jtnode, RangeTblRef))
		return ((RangeTblRef *) jtnode)->rtindex == rtindex ?
			FILTER_ANYWHERE_ABOVE : FILTER_NOT_FOUND;

	if (IsA(jtnode, JoinExpr))
		return place_filter_in_join((JoinExpr *) jtnode, rtindex, filter);

	if (IsA(jtnode, FromExpr))
	{
		FromExpr   *from = (FromExpr *) jtnode;
		ListCell   *lc;

		foreach(lc, from->fromlist)
		{
			FilterPlace place = place_filter(lfirst(lc), rtindex, filter);

			if (place == FILTER_ANYWHERE_ABOVE)
			{
				from->quals = and_filter(from->quals, filter);
				return FILTER_PLACED;
			}
			if (place != FILTER_NOT_FOUND)
				return place;
		}
		return FILTER_NOT_FOUND;
	}

	elog(ERROR, "unrecognized node type: %d", (int) nodeTag(jtnode));
}

/*
 * A join's condition may filter the side whose rows the join does not keep; a
 * filter on the side that it keeps must go above.
 */
static FilterPlace
place_filter_in_join(JoinExpr *join, int rtindex, Node *filter)
{
	bool		keeps_left = (join->jointype == JOIN_LEFT || join->jointype == JOIN_FULL ||
							  join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI);
	bool		keeps_right = (join->jointype == JOIN_RIGHT || join->jointype == JOIN_FULL);
	FilterPlace place = place_filter(join->larg, rtindex, filter);
	bool		keeps_own_side = keeps_left;
	bool		keeps_other_side = keeps_right;

	if (place == FILTER_NOT_FOUND)
	{
		place = place_filter(join->rarg, rtindex, filter);
		keeps_own_side = keeps_right;
		keeps_other_side = keeps_left;
	}
	if (place != FILTER_ANYWHERE_ABOVE)
		return place;

	if (keeps_own_side)
		return keeps_other_side ? FILTER_NOWHERE : FILTER_ANYWHERE_ABOVE;
	if (!keeps_other_side)
		return FILTER_ANYWHERE_ABOVE;

	join->quals = and_filter(join->quals, filter);
	return FILTER_PLACED;
}

/* The filter joins the conditions once, however often it is added. */
static Node *
and_filter(Node *quals, Node *filter)
{
	if (list_member(make_ands_implicit((Expr *) quals), filter))
		return quals;
	return make_and_qual(quals, filter);
}

static bool
outer_join_walker(Node *jtnode)
{
	ListCell   *lc;

	if (IsA(jtnode, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) jtnode;

		return IS_OUTER_JOIN(join->jointype) ||
			outer_join_walker(join->larg) || outer_join_walker(join->rarg);
	}

	if (IsA(jtnode, FromExpr))
	{
		foreach(lc, ((FromExpr *) jtnode)->fromlist)
		{
			if (outer_join_walker(lfirst(lc)))
				return true;
		}
	}
	return false;
}

/*
 * Replaces references to the item's whole row by rows of its columns: the
 * subquery that takes its place has a wider row.  Calls of this library keep
 * theirs, which is only the name of an item.
 */
static RowExpansion *
expand_whole_rows(Query *query, int rtindex)
{
	RowExpansion *expansion = palloc0(sizeof(RowExpansion));
	List	   *rtable = query->rtable;
	ListCell   *lc;

	expansion->rtindex = rtindex;
	expandRTE(rt_fetch(rtindex, query->rtable), rtindex, 0, VAR_RETURNING_DEFAULT, -1, true,
			  NULL, &expansion->named_columns);
	expandRTE(rt_fetch(rtindex, query->rtable), rtindex, 0, VAR_RETURNING_DEFAULT, -1, false,
			  &expansion->record_names, &expansion->record_columns);

	/* The mutator would make new entries, but the planner holds the old ones. */
	query->rtable = NIL;
	query_tree_mutator(query, expand_mutator, expansion, QTW_DONT_COPY_QUERY);
	query->rtable = rtable;

	foreach(lc, rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);
		List	   *mutated = range_table_mutator(list_make1(rte), expand_mutator, expansion,
												  QTW_IGNORE_JOINALIASES);

		*rte = *linitial_node(RangeTblEntry, mutated);
	}
	return expansion;
}

static Node *
expand_mutator(Node *node, RowExpansion *expansion)
{
	if (node == NULL)
		return NULL;

	if (IsA(node, Var))
	{
		Var		   *var = (Var *) node;
		bool		is_record = (var->vartype == RECORDOID);
		RowExpr    *row;

		if (!is_whole_row(node, expansion))
			return copyObject(node);

		row = makeNode(RowExpr);
		row->args = copyObject(is_record ? expansion->record_columns : expansion->named_columns);
		row->row_typeid = var->vartype;
		row->row_format = COERCE_IMPLICIT_CAST;
		row->colnames = is_record ? copyObject(expansion->record_names) : NIL;
		row->location = var->location;
		IncrementVarSublevelsUp((Node *) row, expansion->sublevels_up, 0);
		expansion->n_expanded++;
		return (Node *) row;
	}

	if (IsA(node, FuncExpr))
		return expand_function((FuncExpr *) node, expansion);

	if (IsA(node, Query))
	{
		Query	   *subquery;

		expansion->sublevels_up++;
		subquery = query_tree_mutator((Query *) node, expand_mutator, expansion, 0);
		expansion->sublevels_up--;
		return (Node *) subquery;
	}

	return expression_tree_mutator(node, expand_mutator, expansion);
}

/* Is it a reference to the whole row of the entry that is being expanded? */
static bool
is_whole_row(Node *node, const RowExpansion *expansion)
{
	Var		   *var = (Var *) node;

	return IsA(node, Var) && var->varno == expansion->rtindex &&
		var->varattno == InvalidAttrNumber && var->varlevelsup == expansion->sublevels_up;
}

/* A call of a table function of ours keeps the row that names its input. */
static Node *
expand_function(FuncExpr *call, RowExpansion *expansion)
{
	FuncExpr   *mutated;
	int			n_expanded = expansion->n_expanded;
	ListCell   *old_lc;
	ListCell   *new_lc;

	mutated = (FuncExpr *) expression_tree_mutator((Node *) call, expand_mutator, expansion);
	if (expansion->n_expanded == n_expanded || !aw_rangetable_is_table_function(call->funcid))
		return (Node *) mutated;

	forboth(old_lc, call->args, new_lc, mutated->args)
	{
		Node	   *arg = lfirst(old_lc);

		if (IsA(arg, NamedArgExpr))
			arg = (Node *) ((NamedArgExpr *) arg)->arg;
		if (is_whole_row(arg, expansion))
		{
			lfirst(new_lc) = copyObject(lfirst(old_lc));
			expansion->n_expanded--;
		}
	}
	return (Node *) mutated;
}

/*
 * Takes the item's entry out of its place, made right for a query one level
 * down, and leaves a blank one there.
 */
static RangeTblEntry *
detach_entry(RangeTblEntry *rte, int rtindex)
{
	RangeTblEntry *item = makeNode(RangeTblEntry);
	RangeTblEntry *blank = makeNode(RangeTblEntry);
	List	   *security_quals = rte->securityQuals;

	*item = *rte;
	blank->alias = rte->alias;
	blank->inFromCl = rte->inFromCl;
	*rte = *blank;

	/* Security conditions refer to the item itself, the rest to its siblings. */
	item->securityQuals = NIL;
	IncrementVarSublevelsUp_rtable(list_make1(item), 1, 0);
	IncrementVarSublevelsUp((Node *) security_quals, 1, 1);
	ChangeVarNodes((Node *) security_quals, rtindex, 1, 0);
	item->securityQuals = security_quals;
	return item;
}

/* The item's columns at their own numbers; a dropped one becomes a NULL. */
static List *
subquery_columns(RangeTblEntry *item)
{
	List	   *names;
	List	   *columns;
	List	   *targetlist = NIL;
	ListCell   *lc_name;
	ListCell   *lc_column;

	expandRTE(item, 1, 0, VAR_RETURNING_DEFAULT, -1, true, &names, &columns);
	forboth(lc_name, names, lc_column, columns)
	{
		TargetEntry *entry = makeTargetEntry(lfirst(lc_column), list_length(targetlist) + 1,
											 pstrdup(strVal(lfirst(lc_name))), false);

		targetlist = lappend(targetlist, entry);
	}
	return targetlist;
}
