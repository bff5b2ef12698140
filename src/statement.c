/*
 * statement.c
 *
 * The planner hook: takes markers out, brings group windows into their normal
 * form, brings conditions on windows to the rowtime, then drops what views offer
 * and nobody reads.  A statement without functions of ours passes with one look at
 * its tree.
 *
 * The hook is there from the second statement of a session that uses the
 * extension, or from the first if the library is preloaded.  Without it all
 * works but SESSION in GROUP BY, which then raises an error that says so.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"

#include "definition.h"
#include "groupform.h"
#include "groupwindow.h"
#include "prune.h"
#include "rangetable.h"
#include "statement.h"
#include "windowrange.h"

static planner_hook_type previous_planner_hook = NULL;

/* How many statements are being planned that the hook has seen from the start. */
static int	n_rewriting = 0;

static PlannedStmt *plan_statement(Query *query, const char *query_string, int cursor_options,
								   ParamListInfo params);
static bool function_walker(Node *node, void *context);

void
aw_statement_init(void)
{
	previous_planner_hook = planner_hook;
	planner_hook = plan_statement;
}

static PlannedStmt *
plan_statement(Query *query, const char *query_string, int cursor_options, ParamListInfo params)
{
	PlannedStmt *plan;

	if (function_walker((Node *) query, NULL))
	{
		aw_definition_forget(query);
		aw_groupform_rewrite(query);
		aw_windowrange_derive(query);
		aw_prune_outputs(query);
	}

	n_rewriting++;
	PG_TRY();
	{
		plan = previous_planner_hook ?
			previous_planner_hook(query, query_string, cursor_options, params) :
			standard_planner(query, query_string, cursor_options, params);
	}
	PG_FINALLY();
	{
		n_rewriting--;
	}
	PG_END_TRY();
	return plan;
}

/* Was the hook there when the planning of the statement began? */
bool
aw_statement_is_rewriting(void)
{
	return n_rewriting > 0;
}

/* Is there a function anywhere in the statement that is rewritten? */
static bool
function_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;

	if (IsA(node, Query))
		return query_tree_walker((Query *) node, function_walker, context,
								 QTW_IGNORE_JOINALIASES);

	if (IsA(node, FuncExpr))
	{
		AwWindowKind kind;

		if ((((FuncExpr *) node)->funcretset &&
			 aw_rangetable_is_table_function(((FuncExpr *) node)->funcid)) ||
			aw_groupwindow_is_window(node, &kind) || aw_definition_is_proper_marker(node))
			return true;
	}
	return expression_tree_walker(node, function_walker, context);
}
