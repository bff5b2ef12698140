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

#include "rewrite/rewriteManip.h"

#include "compat.h"
#include "groupwindow.h"
#include "queryrole.h"

static AwColumnRole role_of_part(const AwLevel *level, Aggref *aggref);
static AwColumnRole role_of_variable(const AwLevel *level, const Var *var);
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

/* A column of a window in FROM, or one that the level below hands up. */
static AwColumnRole
role_of_variable(const AwLevel *level, const Var *var)
{
	AwColumnRole role;

	if (var->varno == (int) level->window && level->window != 0)
		return var->varattno == 1 ? AW_ROLE_START : var->varattno == 2 ? AW_ROLE_END :
			var->varattno == 3 ? AW_ROLE_TIME : AW_ROLE_NONE;
	if (level->below == NULL || var->varno != (int) level->stream || var->varattno < 1 ||
		var->varattno > level->below->n_columns)
		return AW_ROLE_NONE;

	/* A definition of the level's own replaces that from below. */
	role = level->below->roles[var->varattno - 1];
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
