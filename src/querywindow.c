/*
 * querywindow.c
 *
 * A row has several windows under HOP and CUMULATE, so below the cut, where rows are
 * what there is, nothing can be computed with the columns of windows.  They can be
 * handed up, and a condition on them alone is one on windows: it goes above the cut.
 *
 * Both functions take a level, and a copy of its query, down to the level that has the
 * window.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "querycheck.h"
#include "querycut.h"
#include "queryrole.h"
#include "querywindow.h"

/* Looks for what a level reads of its window, and of the level below. */
typedef struct ReadSearch
{
	const AwLevel *level;
	const Query *below;
	Index		levelsup;
	Bitmapset  *columns;		/* read of the level below, 0 for all */
} ReadSearch;

static List *take_conditions(const AwLevel *level, Query *query);
static bool reads_more(Node *node, const AwLevel *level);
static Node *window_mutator(Node *node, const AwLevel *level);
static Bitmapset *check_level(const AwLevel *level, const Query *query, const Bitmapset *wanted);
static bool read_walker(Node *node, ReadSearch *search);
static bool has_window_below(const AwLevel *level);

/* Removes conditions on windows alone; as conditions on the relation of closed windows. */
List *
aw_querywindow_take_conditions(const AwLevel *level, Query *rows)
{
	List	   *conditions = take_conditions(level, rows);

	for (; level->call == NULL; level = level->below)
	{
		rows = rt_fetch(level->stream, rows->rtable)->subquery;
		conditions = list_concat(conditions, take_conditions(level->below, rows));
	}
	return conditions;
}

/* Refuses a statement that computes with columns of windows. */
void
aw_querywindow_check_unread(const AwLevel *level, Query *rows)
{
	Bitmapset  *wanted = bms_make_singleton(0);

	if (!has_window_below(level))
		return;
	for (;;)
	{
		wanted = check_level(level, rows, wanted);
		if (level->call != NULL)
			break;
		rows = rt_fetch(level->stream, rows->rtable)->subquery;
		level = level->below;
	}
}

/* Those of WHERE of one level. */
static List *
take_conditions(const AwLevel *level, Query *query)
{
	List	   *taken = NIL;
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, aw_querycheck_conditions(query->jointree->quals))
	{
		Node	   *condition = lfirst(lc);

		if (contain_var_clause(condition) && !reads_more(condition, level))
			taken = lappend(taken, window_mutator(condition, level));
		else
			kept = lappend(kept, condition);
	}
	if (taken != NIL)
		query->jointree->quals = kept != NIL ? (Node *) make_ands_explicit(kept) : NULL;
	return taken;
}

/* Does an expression read more than columns of windows? */
static bool
reads_more(Node *node, const AwLevel *level)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return aw_queryrole_of(level, node) < AW_ROLE_START;
	if (IsA(node, SubLink))
		return true;
	return expression_tree_walker(node, reads_more, (void *) level);
}

/* Puts columns of closed windows in the place of those of the level. */
static Node *
window_mutator(Node *node, const AwLevel *level)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
	{
		const Var  *var = (const Var *) node;
		int			column = AW_WINDOWS_START + (aw_queryrole_of(level, node) - AW_ROLE_START);

		return (Node *) makeVar(1, column + 1, var->vartype, var->vartypmod, var->varcollid, 0);
	}
	return expression_tree_mutator(node, window_mutator, (void *) level);
}

/*
 * Refuses columns of windows in what a level computes of the wanted columns, 0 for all;
 * returns the columns that it wants of the level below.
 */
static Bitmapset *
check_level(const AwLevel *level, const Query *query, const Bitmapset *wanted)
{
	Query		read = *query;
	ReadSearch	search = {.level = level};
	ListCell   *lc;

	if (level->call == NULL)
		search.below = rt_fetch(level->stream, query->rtable)->subquery;
	read.targetList = NIL;
	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (bms_is_member(0, wanted) || bms_is_member(entry->resno, wanted))
			read.targetList = lappend(read.targetList, entry);
	}
	query_tree_walker(&read, read_walker, &search, QTW_IGNORE_JOINALIASES);
	return search.columns;
}

/* The level below is looked at by itself. */
static bool
read_walker(Node *node, ReadSearch *search)
{
	const Var  *var = (const Var *) node;

	if (node == NULL || node == (Node *) search->below)
		return false;
	if (IsA(node, Query))
	{
		search->levelsup++;
		query_tree_walker((Query *) node, read_walker, search, QTW_IGNORE_JOINALIASES);
		search->levelsup--;
		return false;
	}
	if (!IsA(node, Var))
		return expression_tree_walker(node, read_walker, search);
	if (var->varlevelsup != search->levelsup)
		return false;

	if (search->level->window != 0 && var->varno == (int) search->level->window)
		aw_querycheck_refuse("a continuous query cannot compute with the window of a row under HOP or CUMULATE",
							 "Group by window_start and window_end, and use them in the select list, in HAVING or in a query around.");
	if (search->below != NULL && var->varno == (int) search->level->stream)
		search->columns = bms_add_member(search->columns, var->varattno);
	return false;
}

static bool
has_window_below(const AwLevel *level)
{
	while (level != NULL && level->call == NULL)
		level = level->below;
	return level != NULL && level->window != 0;
}
