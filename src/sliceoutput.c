/*
 * sliceoutput.c
 *
 * What is read of the groups of a query by windows: window columns, keys and
 * aggregates, and the columns of the node's input that they are made from.
 * Expressions over them are computed above the node.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/typcache.h"

#include "groupterm.h"
#include "groupwindow.h"
#include "sliceoutput.h"

static bool is_determined(AwSliceQuery *query, const Node *node);
static void add_output(AwSliceQuery *query, Node *expr, AwSliceSource source, int number);
static bool add_aggregate(AwSliceQuery *query, Aggref *aggref);
static bool is_mergeable(AwSliceQuery *query, const Aggref *aggref);

/*
 * Collects what the query above reads of the node's rows.
 *
 * Columns that depend on keys by a primary key become keys.  Others that are no keys
 * may be there as well, where the planner has taken an expression apart that is one,
 * as in "NOT (a < b)" or in arguments of a subquery: any row of the group would do, but
 * the node has none.
 */
bool
aw_sliceoutput_walker(Node *node, AwSliceQuery *query)
{
	AwSliceSource source;

	if (node == NULL || query->is_refused)
		return query->is_refused;
	if (IsA(node, List))
		return expression_tree_walker(node, aw_sliceoutput_walker, query);

	if (aw_slicequery_is_part(query, node, &source))
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
		query->is_refused = !is_determined(query, node) ||
			!aw_slicequery_add_key(query, node,
								   lookup_type_cache(exprType(node), TYPECACHE_EQ_OPR)->eq_opr);
		if (!query->is_refused)
			add_output(query, node, AW_SLICE_KEY, list_length(query->keys) - 1);
		return query->is_refused;
	}
	if (IsA(node, GroupingFunc) || IsA(node, WindowFunc))
		query->is_refused = true;
	return query->is_refused || expression_tree_walker(node, aw_sliceoutput_walker, query);
}

/*
 * Is it a column of a table whose primary key is among the keys?  Parents in
 * inheritance have keys of their own rows only.
 */
static bool
is_determined(AwSliceQuery *query, const Node *node)
{
	const Var  *var = (const Var *) node;
	const RangeTblEntry *rte;
	List	   *constraints = NIL;

	if (!IsA(node, Var) || var->varlevelsup != 0)
		return false;
	rte = planner_rt_fetch(var->varno, query->root);
	return rte->rtekind == RTE_RELATION &&
		(!rte->inh || rte->relkind == RELKIND_PARTITIONED_TABLE) &&
		check_functional_grouping(rte->relid, var->varno, 0, query->keys, &constraints);
}

static void
add_output(AwSliceQuery *query, Node *expr, AwSliceSource source, int number)
{
	if (list_member(query->spec.outputs, expr))
		return;
	query->spec.outputs = lappend(query->spec.outputs, expr);
	query->spec.sources = lappend_int(query->spec.sources, source);
	query->spec.numbers = lappend_int(query->spec.numbers, number);
}

/* False if the aggregate cannot be merged from slices. */
static bool
add_aggregate(AwSliceQuery *query, Aggref *aggref)
{
	int			filter_column = -1;
	int			first = 0;
	ListCell   *lc;

	if (list_member(query->spec.outputs, aggref))
		return true;
	if (!is_mergeable(query, aggref))
		return false;

	/* Arguments follow each other, so they are not looked for among the inputs. */
	if (list_length(aggref->args) == 1 && aggref->aggfilter == NULL)
		first = aw_sliceoutput_add_input(query, (Node *)
										 linitial_node(TargetEntry, aggref->args)->expr);
	else if (aggref->args != NIL)
	{
		first = list_length(query->inputs);
		foreach(lc, aggref->args)
		{
			Node	   *arg = (Node *) lfirst_node(TargetEntry, lc)->expr;

			query->inputs = lappend(query->inputs,
									aw_groupterm_guard_argument(arg, aggref->aggfilter));
		}
	}
	if (aggref->aggfilter != NULL)
		filter_column = aw_sliceoutput_add_input(query, (Node *) aggref->aggfilter);

	query->spec.first_columns = lappend_int(query->spec.first_columns, first);
	query->spec.filter_columns = lappend_int(query->spec.filter_columns, filter_column);
	add_output(query, (Node *) aggref, AW_SLICE_AGGREGATE, query->n_aggregates++);
	return true;
}

/* Can slices hold its states, and those of all aggregates so far beside it? */
static bool
is_mergeable(AwSliceQuery *query, const Aggref *aggref)
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
int
aw_sliceoutput_add_input(AwSliceQuery *query, Node *expr)
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
