/*
 * primarykey.c
 *
 * The primary key of a table: PostgreSQL's own, or the marker of one that is NOT
 * ENFORCED, a CHECK (flink.primary_key(a, b)).  A marker counts only as a whole
 * CHECK with columns as arguments.
 *
 * A view that reads one table shows its key, if it shows its columns.  A view whose
 * rows come from elsewhere has the marker as a condition of its own in WHERE, and
 * flink.not_null(a, b) for the other columns that are never NULL.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relation.h"
#include "catalog/pg_class.h"
#include "lib/stringinfo.h"
#include "nodes/parsenodes.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "definition.h"
#include "primarykey.h"
#include "rangetable.h"
#include "viewtable.h"

static List *enforced_columns(Relation rel, char **constraint);
static List *marked_columns(Node *condition, const char *marker);
static List *view_columns(Relation rel, char **constraint);
static bool is_on_table(const AwViewTable *view);
static List *view_marked_columns(const AwViewTable *view, const char *marker);
static List *shown_columns(const Query *query, const List *below);
static char *default_name(Relation rel, const List *columns);

/*
 * The numbers of the key's columns in the key's own order, NIL without a key; the
 * name of its constraint, palloc'd, if the caller asks for it.
 */
List *
aw_primarykey_columns(Relation rel, char **constraint)
{
	TupleConstr *constraints = RelationGetDescr(rel)->constr;
	List	   *columns;

	if (rel->rd_rel->relkind == RELKIND_VIEW)
		return view_columns(rel, constraint);
	columns = enforced_columns(rel, constraint);
	for (int i = 0; columns == NIL && constraints != NULL && i < constraints->num_check; i++)
	{
		columns = marked_columns(stringToNode(constraints->check[i].ccbin), "aw_sql_primary_key");
		if (columns != NIL && constraint != NULL)
			*constraint = pstrdup(constraints->check[i].ccname);
	}
	return columns;
}

/* Is the key PostgreSQL's own?  Of a view: that of the table that it reads. */
bool
aw_primarykey_is_enforced(Relation rel)
{
	AwViewTable view;
	Relation	below;
	bool		is_enforced;

	if (rel->rd_rel->relkind != RELKIND_VIEW)
		return enforced_columns(rel, NULL) != NIL;
	if (!aw_viewtable_find(rel, &view) || !is_on_table(&view))
		return false;
	below = relation_open(view.columns_of, AccessShareLock);
	is_enforced = enforced_columns(below, NULL) != NIL;
	relation_close(below, AccessShareLock);
	return is_enforced;
}

/* Is a column never NULL?  Of a view, what it reads tells, or a marker. */
bool
aw_primarykey_is_not_null(Relation rel, AttrNumber attno)
{
	AwViewTable view;
	Var		   *column;

	if (rel->rd_rel->relkind != RELKIND_VIEW || !aw_viewtable_find(rel, &view))
		return aw_compat_is_not_null(RelationGetRelid(rel), attno);
	column = (Var *) get_tle_by_resno(view.query->targetList, attno)->expr;
	if (!IsA(column, Var))
		return false;
	return aw_compat_is_not_null(view.columns_of, column->varattno) ||
		list_member_int(view_marked_columns(&view, "aw_sql_not_null"), column->varattno) ||
		list_member_int(view_marked_columns(&view, "aw_sql_primary_key"), column->varattno);
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

/* The columns that a marker names, by its C function; NIL for any other condition. */
static List *
marked_columns(Node *condition, const char *marker)
{
	FuncExpr   *call = (FuncExpr *) condition;
	List	   *columns = NIL;
	ListCell   *lc;

	if (!IsA(condition, FuncExpr) || !aw_rangetable_has_symbol(call->funcid, marker))
		return NIL;

	foreach(lc, call->args)
	{
		Var		   *column = lfirst(lc);

		if (!IsA(column, Var))
			return NIL;
		columns = lappend_int(columns, column->varattno);
	}
	return columns;
}

/* The same for a view, whose columns may have other numbers and names. */
static List *
view_columns(Relation rel, char **constraint)
{
	List	   *columns;
	AwViewTable view;

	if (!aw_viewtable_find(rel, &view))
		return NIL;
	columns = view_marked_columns(&view, "aw_sql_primary_key");
	if (columns != NIL)
	{
		columns = shown_columns(view.query, columns);
		if (columns != NIL && constraint != NULL)
			*constraint = default_name(rel, columns);
	}
	else if (is_on_table(&view))
	{
		Relation	below = relation_open(view.columns_of, AccessShareLock);

		columns = shown_columns(view.query, aw_primarykey_columns(below, constraint));
		relation_close(below, AccessShareLock);
	}
	return columns;
}

static bool
is_on_table(const AwViewTable *view)
{
	return get_rel_relkind(view->columns_of) == RELKIND_RELATION;
}

/* The columns below a view that a marker in its WHERE names. */
static List *
view_marked_columns(const AwViewTable *view, const char *marker)
{
	ListCell   *lc;

	foreach(lc, aw_definition_conditions(view->query->jointree->quals))
	{
		List	   *columns = marked_columns(lfirst(lc), marker);

		if (columns != NIL)
			return columns;
	}
	return NIL;
}

/* The columns of a query that show those below; NIL if it does not show them all. */
static List *
shown_columns(const Query *query, const List *below)
{
	List	   *columns = NIL;
	const ListCell *lc;
	ListCell   *target;

	foreach(lc, below)
	{
		foreach(target, query->targetList)
		{
			TargetEntry *entry = lfirst(target);
			Var		   *column = (Var *) entry->expr;

			if (IsA(column, Var) && column->varattno == lfirst_int(lc) && !entry->resjunk)
			{
				columns = lappend_int(columns, entry->resno);
				break;
			}
		}
	}
	return list_length(columns) == list_length(below) ? columns : NIL;
}

/* The name that Flink gives a key without one. */
static char *
default_name(Relation rel, const List *columns)
{
	StringInfoData name;
	const ListCell *lc;

	initStringInfo(&name);
	appendStringInfoString(&name, "PK");
	foreach(lc, columns)
		appendStringInfo(&name, "_%s",
						 NameStr(TupleDescAttr(RelationGetDescr(rel), lfirst_int(lc) - 1)->attname));
	return name.data;
}
