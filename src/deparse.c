/*
 * deparse.c
 *
 * Expressions of watermark definitions as text.
 *
 * Those of a table are over its columns, those of a view over what its query
 * selects from.  There is no text for an expression of a subquery that reads
 * columns of the queries around it, since it means nothing without them.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "definition.h"
#include "deparse.h"

static char *expression_text(const AwDefinition *definition, Node *expr);
static const char *selecting_text(const Query *level, const Node *expr, const char *name);
static void keep_single_item(Query *query);
static bool outer_column_walker(Node *node, Index *depth);

/* The strategy as text; NULL for one that cannot be printed outside its query. */
char *
aw_deparse_strategy(const AwDefinition *definition)
{
	return expression_text(definition, definition->strategy);
}

/* The rowtime as text, likewise. */
char *
aw_deparse_rowtime(const AwDefinition *definition)
{
	return expression_text(definition, definition->rowtime);
}

/*
 * The server prints queries only, so two are printed that select the expression
 * under different names: the text ends where they start to differ.
 */
static char *
expression_text(const AwDefinition *definition, Node *expr)
{
	const char *text;
	const char *other;
	int			length = 0;
	Index		depth = 0;

	if (definition->level == NULL)
		return deparse_expression(expr,
								  deparse_context_for(get_rel_name(definition->relid),
													  definition->relid),
								  false, false);
	if (query_tree_walker(definition->level, outer_column_walker, &depth, 0))
		return NULL;

	text = selecting_text(definition->level, expr, "watermark_expression_1");
	other = selecting_text(definition->level, expr, "watermark_expression_2");
	while (text[length] == other[length] && text[length] != '\0')
		length++;
	return pnstrdup(text, length - strlen(" AS watermark_expression_"));
}

/* A query over what another selects from, which gives one expression; from the expression on. */
static const char *
selecting_text(const Query *level, const Node *expr, const char *name)
{
	static const char verb[] = "SELECT";
	Query	   *query = makeNode(Query);
	const char *text;

	query->commandType = CMD_SELECT;
	query->rtable = copyObject(level->rtable);
	query->jointree = makeFromExpr(copyObject(level->jointree->fromlist), NULL);
	query->hasSubLinks = true;
	query->targetList = list_make1(makeTargetEntry((Expr *) copyObject(expr), 1,
												   pstrdup(name), false));
	keep_single_item(query);
	text = strstr(pg_get_querydef(query, true), verb) + strlen(verb);
	return text + strspn(text, " \n");
}

/*
 * Makes the only item of FROM the only one of the range table, so that its
 * columns are printed alone, with any server: up to 15, range tables of views
 * have two entries more.
 */
static void
keep_single_item(Query *query)
{
	RangeTblRef *item;
	RangeTblEntry *rte;

	if (list_length(query->jointree->fromlist) != 1)
		return;

	item = linitial(query->jointree->fromlist);
	if (!IsA(item, RangeTblRef))
		return;

	rte = rt_fetch(item->rtindex, query->rtable);
	if (item->rtindex != 1)
		ChangeVarNodes((Node *) query, item->rtindex, 1, 0);
	query->rtable = list_make1(rte);
}

/* Does the query, depth levels down from where it began, read columns of queries around that? */
static bool
outer_column_walker(Node *node, Index *depth)
{
	bool		found;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup > *depth;
	if (!IsA(node, Query))
		return expression_tree_walker(node, outer_column_walker, depth);

	(*depth)++;
	found = query_tree_walker((Query *) node, outer_column_walker, depth, 0);
	(*depth)--;
	return found;
}
