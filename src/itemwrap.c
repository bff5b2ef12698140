/*
 * itemwrap.c
 *
 * Moves an item of FROM into a subquery that computes more columns with window
 * functions:
 *
 *	 FROM item      becomes      FROM (SELECT item.*, columns OVER w FROM item)
 *
 * The subquery takes the item's place in the range table and the item's column
 * numbers, so references to its columns stay as they are.  Permissions, row
 * security, locks and inheritance move with the item's own entry.
 *
 * Done in support functions, while the planner loops over the range table: the
 * entry is changed in place.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_clause.h"
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat.h"
#include "itemwrap.h"
#include "rangetable.h"

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

static RowExpansion *expand_whole_rows(Query *query, int rtindex);
static Node *expand_mutator(Node *node, RowExpansion *expansion);
static bool is_whole_row(Node *node, const RowExpansion *expansion);
static Node *expand_function(FuncExpr *call, RowExpansion *expansion);
static RangeTblEntry *detach_entry(RangeTblEntry *rte, int rtindex);
static Query *subquery_of_item(Query *query, RangeTblEntry *item);
static List *columns_of_item(RangeTblEntry *item);
static Node *move_down(Node *expr, const Var *input);

/*
 * Moves the item of an input argument into a subquery with more columns, and
 * gives the references to them; NIL if the row of the item is used as a value
 * where an outer join may have made it NULL: a row of NULLs would come out
 * instead, so the caller raises an error.
 *
 * The expressions given may refer to the item and to outer queries.
 */
List *
aw_itemwrap_add_columns(Query *query, const Var *input, const AwItemColumns *added)
{
	RangeTblEntry *rte = rt_fetch(input->varno, query->rtable);
	RangeTblEntry *item;
	Query	   *subquery;
	List	   *references = NIL;
	ListCell   *lc_column;
	ListCell   *lc_name;

	if (expand_whole_rows(query, input->varno)->n_expanded > 0 &&
		aw_rangetable_has_outer_join(query))
		return NIL;

	item = detach_entry(rte, input->varno);
	subquery = subquery_of_item(query, item);

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = subquery;
	rte->lateral = item->lateral;
	rte->eref = copyObject(item->eref);

	forboth(lc_column, added->columns, lc_name, added->names)
	{
		WindowFunc *column = (WindowFunc *) move_down(lfirst(lc_column), input);
		AttrNumber	attno = list_length(subquery->targetList) + 1;
		Var		   *reference;

		column->winref = 1;
		subquery->targetList = lappend(subquery->targetList,
									   makeTargetEntry((Expr *) column, attno,
													   pstrdup(lfirst(lc_name)), false));
		rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup(lfirst(lc_name))));

		reference = makeVar(input->varno, attno, column->wintype, -1, InvalidOid, 0);
		aw_compat_copy_nulling(reference, input);
		references = lappend(references, reference);
	}

	subquery->windowClause =
		list_make1(aw_itemwrap_window(&subquery->targetList,
									  (List *) move_down((Node *) added->partition_by, input),
									  move_down(added->order_by, input)));
	return references;
}

/*
 * The window of the reference 1, partitioned and ordered by expressions, which
 * are added to the target list unless they are in it.  order_by may be NULL.
 */
WindowClause *
aw_itemwrap_window(List **targetlist, List *partition_by, Node *order_by)
{
	WindowClause *window = makeNode(WindowClause);
	ListCell   *lc;

	foreach(lc, partition_by)
		window->partitionClause = lappend(window->partitionClause,
										  aw_itemwrap_sort_clause(targetlist, lfirst(lc)));
	if (order_by != NULL)
		window->orderClause = list_make1(aw_itemwrap_sort_clause(targetlist, order_by));

	window->winref = 1;
	window->frameOptions = FRAMEOPTION_DEFAULTS;
	return window;
}

/* Sorts in ascending order, NULLs last. */
SortGroupClause *
aw_itemwrap_sort_clause(List **targetlist, Node *expr)
{
	TargetEntry *entry = tlist_member((Expr *) expr, *targetlist);
	SortGroupClause *clause = makeNode(SortGroupClause);

	if (entry == NULL)
	{
		entry = makeTargetEntry((Expr *) expr, list_length(*targetlist) + 1, NULL, true);
		*targetlist = lappend(*targetlist, entry);
	}

	clause->tleSortGroupRef = assignSortGroupRef(entry, *targetlist);
	get_sort_group_operators(exprType(expr), true, true, false,
							 &clause->sortop, &clause->eqop, NULL, &clause->hashable);
	return clause;
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

/* SELECT item.* FROM item, the item's entry being right for it already. */
static Query *
subquery_of_item(Query *query, RangeTblEntry *item)
{
	Query	   *subquery = makeNode(Query);
	RangeTblRef *ref = makeNode(RangeTblRef);

	ref->rtindex = 1;
	subquery->commandType = CMD_SELECT;
	subquery->querySource = QSRC_ORIGINAL;
	subquery->canSetTag = true;
	subquery->rtable = list_make1(item);
	subquery->jointree = makeFromExpr(list_make1(ref), NULL);
	subquery->targetList = columns_of_item(item);
	subquery->hasWindowFuncs = true;
	subquery->hasSubLinks = query->hasSubLinks;
	subquery->hasRowSecurity = query->hasRowSecurity;
	aw_compat_move_permissions(query, subquery, item);
	return subquery;
}

/* An expression over the item, made right for the subquery that the item is in. */
static Node *
move_down(Node *expr, const Var *input)
{
	expr = aw_compat_strip_nulling(copyObject(expr), input);
	IncrementVarSublevelsUp(expr, 1, 1);
	ChangeVarNodes(expr, input->varno, 1, 0);
	return expr;
}

/* The item's columns at their own numbers; a dropped one becomes a NULL. */
static List *
columns_of_item(RangeTblEntry *item)
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
