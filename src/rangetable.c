/*
 * rangetable.c
 *
 * What the planner's support functions look up in the query around a call of
 * ours: the item of FROM that the call is, who reads its columns, where a filter
 * on its rows may go; and which functions are ours.
 *
 * A support function runs while the planner loops over the range table, hence
 * entries are changed in place and never replaced.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/sysattr.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
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
static bool contain_condition(Node *quals, Node *condition);
static bool outer_join_walker(Node *jtnode);

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

/* Adds a filter to WHERE. */
void
aw_rangetable_add_condition(Query *query, Node *filter)
{
	query->jointree->quals = and_filter(query->jointree->quals, filter);
}

/* Is it one of the table functions that take an item of FROM? */
bool
aw_rangetable_is_table_function(Oid funcid)
{
	return aw_rangetable_has_symbol(funcid, "aw_sql_table_function");
}

/* Is it APPLY_WATERMARK? */
bool
aw_rangetable_is_apply_watermark(const FuncExpr *call)
{
	return aw_rangetable_is_table_function(call->funcid) &&
		aw_rangetable_has_symbol(get_func_support(call->funcid), "aw_sql_apply_watermark_support");
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
	const char *own = aw_rangetable_symbol(funcid);

	return own != NULL && strcmp(own, symbol) == 0;
}

/* The symbol behind a C function that is not the server's own, palloc'd; else NULL. */
char *
aw_rangetable_symbol(Oid funcid)
{
	HeapTuple	tuple;
	char	   *symbol = NULL;

	if (funcid < FirstNormalObjectId)
		return NULL;

	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	if (!HeapTupleIsValid(tuple))
		return NULL;

	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
	{
		bool		isnull;
		Datum		prosrc = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &isnull);

		if (!isnull)
			symbol = TextDatumGetCString(prosrc);
	}
	ReleaseSysCache(tuple);
	return symbol;
}

/* The condition that an expression, which is copied, is not NULL. */
Node *
aw_rangetable_not_null(Node *expr)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) copyObject(expr);
	test->nulltesttype = IS_NOT_NULL;
	test->argisrow = false;
	test->location = -1;
	return (Node *) test;
}

/* A function of the schema "watermark". */
Oid
aw_rangetable_inner_function(const char *name, int n_args, const Oid *types)
{
	return LookupFuncName(list_make2(makeString("watermark"), makeString(pstrdup(name))),
						  n_args, types, false);
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

	funcid = aw_rangetable_inner_function(name, n_args, argtypes);
	call = makeFuncExpr(funcid, get_func_rettype(funcid), args, InvalidOid, InvalidOid,
						COERCE_EXPLICIT_CALL);
	call->funcretset = get_func_retset(funcid);
	return call;
}

/* A call of a window function of the schema "watermark", without its window yet. */
WindowFunc *
aw_rangetable_inner_window(const char *name, List *args)
{
	FuncExpr   *call = aw_rangetable_inner_call(name, args);
	WindowFunc *function = makeNode(WindowFunc);

	function->winfnoid = call->funcid;
	function->wintype = call->funcresulttype;
	function->args = args;
	function->location = -1;
	return function;
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

	/* What names the input of a table function of ours reads nothing. */
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcretset &&
		aw_rangetable_is_table_function(((FuncExpr *) node)->funcid))
	{
		ListCell   *lc;

		foreach(lc, ((FuncExpr *) node)->args)
		{
			Node	   *arg = lfirst(lc);

			if (IsA(arg, NamedArgExpr))
				arg = (Node *) ((NamedArgExpr *) arg)->arg;
			if (!IsA(arg, Var) || ((Var *) arg)->varattno != InvalidAttrNumber)
				read_walker(arg, search);
		}
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
	if (contain_condition(quals, filter))
		return quals;
	return make_and_qual(quals, filter);
}

/* Is it one of these conditions, however deep ANDs are nested? */
static bool
contain_condition(Node *quals, Node *condition)
{
	ListCell   *lc;

	if (!is_andclause(quals))
		return equal(quals, condition);

	foreach(lc, ((BoolExpr *) quals)->args)
	{
		if (contain_condition(lfirst(lc), condition))
			return true;
	}
	return false;
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
