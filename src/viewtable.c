/*
 * viewtable.c
 *
 * Views that stand for a table of Flink's: one with computed columns, or whose rows
 * come from files or a generator.  Such a view reads one table, called like it with
 * __source behind, or one function that returns a row type called like it with __row
 * behind; a table of this database may have any name.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "definition.h"
#include "viewtable.h"

/* What replaces expressions by the columns that show them. */
typedef struct ColumnContext
{
	const Query *query;
	bool		is_complete;	/* no other columns are left */
} ColumnContext;

static RangeTblEntry *only_item(const Query *query);
static bool is_column_below(const AwViewTable *table, const TargetEntry *entry);
static bool is_named(Oid relid, Relation rel, const char *suffix);
static Node *column_mutator(Node *node, ColumnContext *context);

/* False if the relation is no such view, whatever it is. */
bool
aw_viewtable_find(Relation rel, AwViewTable *table)
{
	RangeTblEntry *rte;

	if (rel->rd_rel->relkind != RELKIND_VIEW)
		return false;
	table->query = aw_definition_view_query(rel);
	rte = only_item(table->query);
	if (rte == NULL)
		return false;
	if (rte->rtekind == RTE_RELATION)
	{
		table->columns_of = rte->relid;
		table->is_ours = is_named(rte->relid, rel, "__source");
		return true;
	}
	if (rte->rtekind != RTE_FUNCTION || list_length(rte->functions) != 1)
		return false;
	table->columns_of = get_typ_typrelid(exprType(((RangeTblFunction *)
												   linitial(rte->functions))->funcexpr));
	table->is_ours = OidIsValid(table->columns_of) && is_named(table->columns_of, rel, "__row");
	return table->is_ours;
}

/*
 * The expression of a column, over the columns below with varno 1; NULL if it is the one of
 * its name.  Another, under this name, is computed, too.
 */
Node *
aw_viewtable_computed(const AwViewTable *table, AttrNumber attno)
{
	TargetEntry *entry = get_tle_by_resno(table->query->targetList, attno);
	RangeTblRef *item = linitial(table->query->jointree->fromlist);
	Node	   *expr;

	if (is_column_below(table, entry))
		return NULL;
	expr = copyObject((Node *) entry->expr);
	ChangeVarNodes(expr, item->rtindex, 1, 0);
	return expr;
}

/*
 * An expression of a query's level over the columns that the query shows, with varno 1;
 * NULL if it needs others.
 */
Node *
aw_viewtable_over_columns(const Query *query, Node *expr)
{
	ColumnContext context = {.query = query, .is_complete = true};
	Node	   *result = column_mutator(expr, &context);

	return context.is_complete ? result : NULL;
}

static RangeTblEntry *
only_item(const Query *query)
{
	RangeTblRef *item;

	if (query->jointree == NULL || list_length(query->jointree->fromlist) != 1)
		return NULL;
	item = linitial(query->jointree->fromlist);
	return IsA(item, RangeTblRef) ? rt_fetch(item->rtindex, query->rtable) : NULL;
}

static bool
is_column_below(const AwViewTable *table, const TargetEntry *entry)
{
	const Var  *var = (const Var *) entry->expr;

	return IsA(var, Var) && var->varattno > 0 &&
		strcmp(get_attname(table->columns_of, var->varattno, false), entry->resname) == 0;
}

/* Is a relation in the view's schema, and called like it with a suffix? */
static bool
is_named(Oid relid, Relation rel, const char *suffix)
{
	char	   *name = psprintf("%s%s", RelationGetRelationName(rel), suffix);

	return get_relname_relid(name, RelationGetNamespace(rel)) == relid;
}

static Node *
column_mutator(Node *node, ColumnContext *context)
{
	ListCell   *lc;

	if (node == NULL)
		return NULL;
	foreach(lc, context->query->targetList)
	{
		TargetEntry *entry = lfirst(lc);

		if (!entry->resjunk && !IsA(node, Const) && equal(entry->expr, node))
			return (Node *) makeVar(1, entry->resno, exprType(node), exprTypmod(node),
									exprCollation(node), 0);
	}
	if (IsA(node, Var))
		context->is_complete = false;
	return expression_tree_mutator(node, column_mutator, context);
}
