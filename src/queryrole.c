/*
 * queryrole.c
 *
 * What expressions of a level are to the window of a continuous query: its start, end
 * or time, or the rowtime that it is over.
 *
 * A rowtime comes from the definition of the level, else of the level or the table
 * below, as a plain column; window columns come from the window at the level, or as plain
 * columns from below.  An expression on one of them is nothing.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat.h"
#include "groupwindow.h"
#include "queryrole.h"

static AwColumnRole role_of_part(const AwLevel *level, Aggref *aggref);
static AwColumnRole role_of_variable(const AwLevel *level, const Var *var);
static AwColumnRole role_of_coalesce(const AwLevel *level, const CoalesceExpr *coalesce);
static const AwLevelItem *item_of_variable(const AwLevel *level, const Var *var);
static AwColumnRole role_in_item(const AwLevel *level, const AwLevelItem *item, const Var *var);
static bool is_rowtime(const AwLevel *level, Node *expr);

/* What an expression of a level is to the window; above GROUP BY, of a grouped one. */
AwColumnRole
aw_queryrole_of(const AwLevel *level, Node *expr)
{
	if (level->call != NULL && level->window == 0)
	{
		if (equal(expr, level->call))
			return AW_ROLE_START;
		if (IsA(expr, Aggref))
			return role_of_part(level, (Aggref *) expr);
	}
	if (is_rowtime(level, expr))
		return AW_ROLE_ROWTIME;
	if (IsA(expr, Var) && ((Var *) expr)->varlevelsup == 0)
		return role_of_variable(level, (Var *) expr);
	if (IsA(expr, CoalesceExpr))
		return role_of_coalesce(level, (CoalesceExpr *) expr);
	return AW_ROLE_NONE;
}

/* Fills in the roles of outputs: after grouping, the time of a row is a value like others. */
void
aw_queryrole_of_outputs(AwLevel *level)
{
	ListCell   *lc;

	foreach(lc, level->query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		AwColumnRole role = aw_queryrole_of(level, (Node *) entry->expr);

		if (role != AW_ROLE_ROWTIME || level->kind != AW_LEVEL_CLOSED)
			level->roles[entry->resno - 1] = role;
	}
}

/* The same of a set operation: what a column is in all branches, in its own type. */
void
aw_queryrole_of_branches(AwLevel *level)
{
	const SetOperationStmt *operation = castNode(SetOperationStmt, level->query->setOperations);

	for (int i = 0; i < level->n_columns; i++)
	{
		ListCell   *lc;

		foreach(lc, level->items)
		{
			const AwLevel *branch = ((AwLevelItem *) lfirst(lc))->level;
			TargetEntry *entry = get_tle_by_resno(branch->query->targetList, i + 1);
			bool		is_alike = exprType((Node *) entry->expr) == list_nth_oid(operation->colTypes, i);
			AwColumnRole role = is_alike ? branch->roles[i] : AW_ROLE_NONE;

			level->roles[i] = foreach_current_index(lc) == 0 || role == level->roles[i] ?
				role : AW_ROLE_NONE;
		}
	}
}

/* What a column is in its item, even if an outer join may leave that out. */
AwColumnRole
aw_queryrole_of_joined(const AwLevel *level, const Var *var)
{
	const AwLevelItem *item = var->varlevelsup == 0 ? item_of_variable(level, var) : NULL;

	if (item != NULL)
		return role_in_item(level, item, var);
	return aw_queryrole_of(level, (Node *) unconstify(Var *, var));
}

/* TUMBLE_START and the like, which must repeat the arguments of the window. */
static AwColumnRole
role_of_part(const AwLevel *level, Aggref *aggref)
{
	AwWindowKind kind;
	AwWindowPart part;

	if (aggref->agglevelsup != 0 || !aw_groupwindow_is_part(aggref, &kind, &part))
		return AW_ROLE_NONE;
	aw_groupwindow_check_args(aggref, level->call, kind);
	switch (part)
	{
		case AW_PART_START:
			return AW_ROLE_START;
		case AW_PART_END:
			return AW_ROLE_END;
		case AW_PART_ROWTIME:
			return AW_ROLE_TIME;
		case AW_PART_PROCTIME:
			break;
	}
	return AW_ROLE_NONE;
}

/* A column of a window in FROM, or one that a level below hands up. */
static AwColumnRole
role_of_variable(const AwLevel *level, const Var *var)
{
	const AwLevelItem *item;

	if (var->varno == (int) level->window && level->window != 0)
		return var->varattno == 1 ? AW_ROLE_START : var->varattno == 2 ? AW_ROLE_END :
			var->varattno == 3 ? AW_ROLE_TIME : AW_ROLE_NONE;
	item = item_of_variable(level, var);
	return item == NULL || item->is_nullable ? AW_ROLE_NONE : role_in_item(level, item, var);
}

/* The window of whichever item is there, as USING of a full join has it; one must be. */
static AwColumnRole
role_of_coalesce(const AwLevel *level, const CoalesceExpr *coalesce)
{
	AwColumnRole role = AW_ROLE_NONE;
	Bitmapset  *items = NULL;
	bool		is_there = false;
	ListCell   *lc;

	foreach(lc, coalesce->args)
	{
		const Var  *var = lfirst(lc);
		const AwLevelItem *item = IsA(var, Var) && var->varlevelsup == 0 ?
			item_of_variable(level, var) : NULL;
		AwColumnRole one = item != NULL ? role_in_item(level, item, var) : AW_ROLE_NONE;

		if (one < AW_ROLE_START || (role != AW_ROLE_NONE && role != one))
			return AW_ROLE_NONE;
		role = one;
		items = bms_add_member(items, item->rtindex);
		is_there |= !item->is_nullable;
	}
	return is_there || bms_num_members(items) == list_length(level->items) ? role : AW_ROLE_NONE;
}

/* The item that a column is of, NULL if it is none with a window. */
static const AwLevelItem *
item_of_variable(const AwLevel *level, const Var *var)
{
	ListCell   *lc;

	foreach(lc, level->items)
	{
		const AwLevelItem *item = lfirst(lc);

		if (item->rtindex == (Index) var->varno)
			return item;
	}
	return NULL;
}

/* What the level below says of a column; a definition of the level's own replaces the rowtime. */
static AwColumnRole
role_in_item(const AwLevel *level, const AwLevelItem *item, const Var *var)
{
	AwColumnRole role;

	if (item->level == NULL || var->varattno < 1 || var->varattno > item->level->n_columns)
		return AW_ROLE_NONE;
	role = item->level->roles[var->varattno - 1];
	return role == AW_ROLE_ROWTIME && level->definition != NULL ? AW_ROLE_NONE : role;
}

/* Is it what the definition of the level, or of its table, calls the rowtime? */
static bool
is_rowtime(const AwLevel *level, Node *expr)
{
	const AwDefinition *definition = level->definition;
	Node	   *rowtime;

	if (definition == NULL)
	{
		definition = level->table_definition;
		if (definition == NULL)
			return false;
		rowtime = copyObject(definition->rowtime);
		ChangeVarNodes(rowtime, 1, level->stream, 0);
	}
	else
		rowtime = definition->rowtime;
	return equal(aw_compat_strip_all_nulling(expr, level->query),
				 aw_compat_strip_all_nulling(rowtime, level->query));
}
