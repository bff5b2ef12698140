/*
 * rowtime.c
 *
 * What may be a rowtime or a strategy: a timestamp or a timestamptz as it was
 * written, not something that an implicit cast makes one.
 *
 * Group windows and markers have declarations for dates and the rest whose only use
 * is the error, so their arguments are looked at as they are: by the time that the
 * planner asks, a cast may come from a view or an inlined function.  Table functions
 * take what stands in FROM, and ask for what was written.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "rangetable.h"
#include "rowtime.h"

static char *column_name(PlannerInfo *root, Node *node);

/*
 * Type of a time argument: timestamp or timestamptz, of a domain what it is over.
 * The error names the column; role is what stands for it if the argument is none.
 */
Oid
aw_rowtime_check(PlannerInfo *root, Node *arg, const char *role)
{
	char	   *column;

	if (aw_rowtime_is_time(arg))
		return getBaseType(exprType(arg));

	column = column_name(root, arg);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 column ?
			 errmsg("column \"%s\" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is %s)",
					column, format_type_be(exprType(arg))) :
			 errmsg("%s must be of type TIMESTAMP or TIMESTAMP_LTZ (it is %s)",
					role, format_type_be(exprType(arg))),
			 errhint("Cast it to timestamp or timestamptz, or compute it with to_timestamp_ltz().")));
}

/* Is it a timestamp or timestamptz, or of a domain over one? */
bool
aw_rowtime_is_time(Node *arg)
{
	Oid			type = getBaseType(exprType(arg));

	return type == TIMESTAMPOID || type == TIMESTAMPTZOID;
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

/*
 * The argument under what the parser put around it: the notation, implicit
 * casts, also those that make a domain what it is over, and DESCRIPTOR.
 */
Node *
aw_rowtime_written(Node *arg)
{
	for (;;)
	{
		if (IsA(arg, NamedArgExpr))
			arg = (Node *) ((NamedArgExpr *) arg)->arg;
		else if (IsA(arg, RelabelType) &&
				 (((RelabelType *) arg)->relabelformat == COERCE_IMPLICIT_CAST ||
				  getBaseType(exprType((Node *) ((RelabelType *) arg)->arg)) ==
				  ((RelabelType *) arg)->resulttype))
			arg = (Node *) ((RelabelType *) arg)->arg;
		else if (IsA(arg, FuncExpr) && list_length(((FuncExpr *) arg)->args) == 1 &&
				 (((FuncExpr *) arg)->funcformat == COERCE_IMPLICIT_CAST ||
				  aw_rangetable_is_descriptor(((FuncExpr *) arg)->funcid)))
			arg = linitial(((FuncExpr *) arg)->args);
		else
			return arg;
	}
}

/*
 * Name of the column that the expression is; NULL if it is none, is one of an
 * outer query, or fits no column of the query: the planner simplifies a table's
 * constraints before it has put the table's number into them.
 */
static char *
column_name(PlannerInfo *root, Node *node)
{
	Var		   *var = (Var *) node;
	RangeTblEntry *rte;

	if (!IsA(node, Var))
		return NULL;

	if (root == NULL || var->varlevelsup != 0 || var->varattno <= 0 ||
		var->varno > list_length(root->parse->rtable))
		return NULL;

	rte = rt_fetch(var->varno, root->parse->rtable);
	if (var->varattno > list_length(rte->eref->colnames) ||
		(rte->rtekind == RTE_RELATION && get_atttype(rte->relid, var->varattno) != var->vartype))
		return NULL;
	return strVal(list_nth(rte->eref->colnames, var->varattno - 1));
}
