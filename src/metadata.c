/*
 * metadata.c
 *
 * Columns of METADATA that are VIRTUAL: what a connector knows about a row, which can be
 * read and not written.  Here they are ordinary columns to load, with a default that is
 * NULL and tells what they are: flink.metadata('key', NULL::type).
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "expressiontext.h"
#include "metadata.h"
#include "rangetable.h"
#include "viewtable.h"

static Node *default_expression(Relation rel, AttrNumber attno);
static bool find_call(Node *node, FuncExpr **call);
static char *text_below(Relation rel, AttrNumber attno);

/* The numbers of a table's columns of VIRTUAL metadata. */
Bitmapset *
aw_metadata_columns(Relation rel)
{
	TupleConstr *constraints = RelationGetDescr(rel)->constr;
	Bitmapset  *columns = NULL;

	for (int i = 0; constraints != NULL && i < constraints->num_defval; i++)
	{
		FuncExpr   *call;

		if (find_call(stringToNode(constraints->defval[i].adbin), &call))
			columns = bms_add_member(columns, constraints->defval[i].adnum);
	}
	return columns;
}

/* METADATA FROM 'key' VIRTUAL; NULL for any other column.  A view shows a table's. */
char *
aw_metadata_text(Relation rel, AttrNumber attno)
{
	Node	   *expression;
	FuncExpr   *call = NULL;
	Const	   *key;

	if (rel->rd_rel->relkind == RELKIND_VIEW)
		return text_below(rel, attno);
	expression = default_expression(rel, attno);
	if (expression == NULL || !find_call(expression, &call))
		return NULL;
	key = linitial(call->args);
	if (!IsA(key, Const) || key->constisnull)
		return pstrdup("METADATA VIRTUAL");
	return psprintf("METADATA FROM %s VIRTUAL",
					aw_expressiontext_literal(TextDatumGetCString(key->constvalue)));
}

static Node *
default_expression(Relation rel, AttrNumber attno)
{
	TupleConstr *constraints = RelationGetDescr(rel)->constr;

	for (int i = 0; constraints != NULL && i < constraints->num_defval; i++)
	{
		if (constraints->defval[i].adnum == attno)
			return stringToNode(constraints->defval[i].adbin);
	}
	return NULL;
}

/* Finds the call of flink.metadata(), within casts to the length of the column. */
static bool
find_call(Node *node, FuncExpr **call)
{
	if (node == NULL)
		return false;
	if (IsA(node, FuncExpr) &&
		aw_rangetable_has_symbol(((FuncExpr *) node)->funcid, "aw_sql_metadata"))
	{
		*call = (FuncExpr *) node;
		return true;
	}
	return expression_tree_walker(node, find_call, call);
}

static char *
text_below(Relation rel, AttrNumber attno)
{
	AwViewTable view;
	Relation	below;
	Var		   *column;
	char	   *text;

	if (!aw_viewtable_find(rel, &view) || get_rel_relkind(view.columns_of) != RELKIND_RELATION)
		return NULL;
	column = (Var *) get_tle_by_resno(view.query->targetList, attno)->expr;
	if (!IsA(column, Var))
		return NULL;
	below = relation_open(view.columns_of, AccessShareLock);
	text = aw_metadata_text(below, column->varattno);
	relation_close(below, AccessShareLock);
	return text;
}
