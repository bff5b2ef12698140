/*
 * metadata.c
 *
 * Columns of METADATA that are VIRTUAL: what a connector knows about a row, which can be
 * read and not written.  Here they are ordinary columns to load, with a default that is
 * NULL and tells what they are: flink.metadata('key', NULL::type).  Of files, a view's
 * call of flink.filesystem() tells it.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
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
static char *text_of_files(const AwViewTable *view, AttrNumber attno);
static char *key_of_column(FuncExpr *files, const char *column);
static char *metadata_text(const char *key);

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

/* METADATA FROM 'key' VIRTUAL; NULL for any other column.  A view shows a table's, or a file's. */
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
	return metadata_text(IsA(key, Const) && !key->constisnull ?
						 TextDatumGetCString(key->constvalue) : NULL);
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

	if (!aw_viewtable_find(rel, &view))
		return NULL;
	if (get_rel_relkind(view.columns_of) == RELKIND_COMPOSITE_TYPE)
		return text_of_files(&view, attno);
	if (get_rel_relkind(view.columns_of) != RELKIND_RELATION)
		return NULL;
	column = (Var *) get_tle_by_resno(view.query->targetList, attno)->expr;
	if (!IsA(column, Var))
		return NULL;
	below = relation_open(view.columns_of, AccessShareLock);
	text = aw_metadata_text(below, column->varattno);
	relation_close(below, AccessShareLock);
	return text;
}

/* The same, of a view on files. */
static char *
text_of_files(const AwViewTable *view, AttrNumber attno)
{
	RangeTblRef *item = linitial(view->query->jointree->fromlist);
	RangeTblEntry *rte = rt_fetch(item->rtindex, view->query->rtable);
	FuncExpr   *call = (FuncExpr *) ((RangeTblFunction *) linitial(rte->functions))->funcexpr;
	Var		   *column = (Var *) get_tle_by_resno(view->query->targetList, attno)->expr;
	char	   *name;
	char	   *key;

	if (!IsA(column, Var) || !IsA(call, FuncExpr) ||
		!aw_rangetable_has_symbol(call->funcid, "aw_sql_filesystem"))
		return NULL;
	name = get_attname(view->columns_of, column->varattno, false);
	key = key_of_column(call, name);
	return key == NULL ? NULL : metadata_text(strcmp(key, name) == 0 ? NULL : key);
}

/* What a column tells of the files, by the last argument of the call; NULL if they hold it. */
static char *
key_of_column(FuncExpr *files, const char *column)
{
	FuncExpr   *call = (FuncExpr *) eval_const_expressions(NULL, (Node *) files);
	Const	   *metadata = llast(call->args);
	Datum	   *words;
	int			n_words;

	if (!IsA(metadata, Const) || metadata->constisnull)
		return NULL;
	deconstruct_array(DatumGetArrayTypeP(metadata->constvalue), TEXTOID, -1, false, TYPALIGN_INT,
					  &words, NULL, &n_words);
	for (int i = 0; i + 1 < n_words; i += 2)
	{
		if (strcmp(TextDatumGetCString(words[i]), column) == 0)
			return TextDatumGetCString(words[i + 1]);
	}
	return NULL;
}

/* NULL: the key is the name of the column. */
static char *
metadata_text(const char *key)
{
	return key == NULL ? pstrdup("METADATA VIRTUAL") :
		psprintf("METADATA FROM %s VIRTUAL", aw_expressiontext_literal(key));
}
