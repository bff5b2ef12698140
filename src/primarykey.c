/*
 * primarykey.c
 *
 * The primary key of a table: PostgreSQL's own, or the marker of one that is NOT
 * ENFORCED, a CHECK (flink.primary_key(a, b)).  A marker counts only as a whole
 * CHECK with columns as arguments.
 */
#include "postgres.h"

#include "access/genam.h"
#include "nodes/primnodes.h"
#include "utils/rel.h"

#include "primarykey.h"
#include "rangetable.h"

static List *enforced_columns(Relation rel, char **constraint);
static List *marked_columns(Node *check);

/*
 * The numbers of the key's columns in the key's own order, NIL without a key; the
 * name of its constraint, palloc'd, if the caller asks for it.
 */
List *
aw_primarykey_columns(Relation rel, char **constraint)
{
	TupleConstr *constraints = RelationGetDescr(rel)->constr;
	List	   *columns = enforced_columns(rel, constraint);

	for (int i = 0; columns == NIL && constraints != NULL && i < constraints->num_check; i++)
	{
		columns = marked_columns(stringToNode(constraints->check[i].ccbin));
		if (columns != NIL && constraint != NULL)
			*constraint = pstrdup(constraints->check[i].ccname);
	}
	return columns;
}

static List *
enforced_columns(Relation rel, char **constraint)
{
	List	   *columns = NIL;
	Relation	key;

	list_free(RelationGetIndexList(rel));	/* fills rd_pkindex */
	if (!OidIsValid(rel->rd_pkindex))
		return NIL;

	key = index_open(rel->rd_pkindex, AccessShareLock);
	for (int i = 0; i < key->rd_index->indnkeyatts; i++)
		columns = lappend_int(columns, key->rd_index->indkey.values[i]);
	if (constraint != NULL)
		*constraint = pstrdup(RelationGetRelationName(key));
	index_close(key, AccessShareLock);
	return columns;
}

/* The columns that a marker names; NIL for any other condition. */
static List *
marked_columns(Node *check)
{
	FuncExpr   *marker = (FuncExpr *) check;
	List	   *columns = NIL;
	ListCell   *lc;

	if (!IsA(check, FuncExpr) || !aw_rangetable_has_symbol(marker->funcid, "aw_sql_primary_key"))
		return NIL;

	foreach(lc, marker->args)
	{
		Var		   *column = lfirst(lc);

		if (!IsA(column, Var))
			return NIL;
		columns = lappend_int(columns, column->varattno);
	}
	return columns;
}
