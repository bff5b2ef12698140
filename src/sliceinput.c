/*
 * sliceinput.c
 *
 * Where keys or arguments are expressions that might fail, and rows may be in no
 * window that is wanted, the node's input has the columns that they are made from, and
 * the node computes them once it knows that a row is wanted.
 *
 * The planner connects a custom node's expressions with what it gives out, not with its
 * input.  So the input's columns follow those that the node gives out, in its list of
 * columns, and are known there by their own place; on execution, what reads them reads
 * the input's row.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"

#include "sliceinput.h"

struct AwSliceInput
{
	ExprContext *econtext;
	ProjectionInfo *projection;
};

/* For mutators. */
typedef struct Columns
{
	List	   *columns;
	int			n_outputs;
} Columns;

static Node *to_places(Node *node, Columns *columns);
static Var *place(Node *column, int number, int n_outputs);
static Node *to_input(Node *node, Columns *columns);

/* An expression over the input's columns as one over their places in the node's list. */
Node *
aw_sliceinput_plan_expression(Node *expr, List *columns, int n_outputs)
{
	Columns		context = {.columns = columns,.n_outputs = n_outputs};

	return to_places(expr, &context);
}

/* What stands for the input's columns in the node's list. */
List *
aw_sliceinput_plan_columns(List *columns, int n_outputs)
{
	List	   *entries = NIL;
	ListCell   *lc;

	foreach(lc, columns)
	{
		int			number = foreach_current_index(lc);

		entries = lappend(entries,
						  makeTargetEntry((Expr *) place(lfirst(lc), number, n_outputs),
										  n_outputs + number + 1, NULL, false));
	}
	return entries;
}

/* Makes expressions of a plan ready for rows of the child, in the current memory context. */
AwSliceInput *
aw_sliceinput_create(CustomScanState *css, PlanState *child, List *exprs, int n_outputs)
{
	AwSliceInput *input = palloc0(sizeof(AwSliceInput));
	Columns		context = {.n_outputs = n_outputs};
	List	   *entries = NIL;
	ListCell   *lc;
	TupleTableSlot *slot;

	foreach(lc, exprs)
		entries = lappend(entries,
						  makeTargetEntry((Expr *) to_input(lfirst(lc), &context),
										  foreach_current_index(lc) + 1, NULL, false));
	input->econtext = CreateExprContext(css->ss.ps.state);
	slot = MakeSingleTupleTableSlot(ExecTypeFromTL(entries), &TTSOpsVirtual);
	input->projection = ExecBuildProjectionInfo(entries, input->econtext, slot, &css->ss.ps,
												ExecGetResultType(child));
	return input;
}

/* The values for a row, until the next one. */
TupleTableSlot *
aw_sliceinput_project(AwSliceInput *input, TupleTableSlot *row)
{
	ResetExprContext(input->econtext);
	input->econtext->ecxt_outertuple = row;
	return ExecProject(input->projection);
}

static Node *
to_places(Node *node, Columns *columns)
{
	ListCell   *lc;

	if (node == NULL)
		return NULL;
	foreach(lc, columns->columns)
	{
		if (equal(lfirst(lc), node))
			return (Node *) place(node, foreach_current_index(lc), columns->n_outputs);
	}
	if (IsA(node, Var) || IsA(node, PlaceHolderVar))
		elog(ERROR, "a column is missing in the input of a slice node");
	return expression_tree_mutator(node, to_places, columns);
}

/* The number of a column is from 0. */
static Var *
place(Node *column, int number, int n_outputs)
{
	Var		   *var = makeVar(INDEX_VAR, n_outputs + number + 1, exprType(column),
							  exprTypmod(column), exprCollation(column), 0);

	var->varnosyn = 0;
	var->varattnosyn = 0;
	return var;
}

static Node *
to_input(Node *node, Columns *columns)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
	{
		Var		   *var = copyObject((Var *) node);

		Assert(var->varno == INDEX_VAR && var->varattno > columns->n_outputs);
		var->varno = OUTER_VAR;
		var->varattno -= columns->n_outputs;
		return (Node *) var;
	}
	return expression_tree_mutator(node, to_input, columns);
}
