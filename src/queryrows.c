/*
 * queryrows.c
 *
 * Whether a level over the rows of a window needs the rows themselves.
 *
 * States of aggregates, one for each group, are enough for a level that groups by keys
 * that can be hashed, with aggregates that have a partial mode, if neither are computed
 * with columns of windows of which a row has several.  Everything else is computed of
 * the rows, by the level as it was written, when they are complete.
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "rewrite/rewriteManip.h"
#include "utils/typcache.h"

#include "compat.h"
#include "groupterm.h"
#include "querycheck.h"
#include "queryrole.h"
#include "queryrows.h"

/* Looks for what states of aggregates cannot give. */
typedef struct NeedSearch
{
	const AwLevel *level;
	List	   *keys;			/* expressions */
	bool		has_windows;	/* a row has several: nothing can be computed with them */
	int			levelsup;
} NeedSearch;

/* Looks for columns of windows, or for others. */
typedef struct ReadSearch
{
	const AwLevel *level;
	bool		of_windows;
	int			levelsup;
} ReadSearch;

static bool needs_key(const NeedSearch *search, Node *key, Oid operator);
static bool need_walker(Node *node, NeedSearch *search);
static bool needs_aggregate(const NeedSearch *search, const Aggref *aggref);
static bool needs_column(const NeedSearch *search, const Var *var);
static bool reads_window(Node *node, const AwLevel *level);
static bool reads_row(Node *node, const AwLevel *level);
static bool read_walker(Node *node, ReadSearch *search);
static AwColumnRole role_below(const AwLevel *level, const Var *var);
static bool has_sublink(Node *node, const AwLevel *level);

/* Does a level need more than one row of a window at a time? */
bool
aw_queryrows_is_computed(const AwLevel *level)
{
	const Query *query = level->query;

	return aw_querycheck_is_grouped(query) || query->hasWindowFuncs ||
		query->distinctClause != NIL || level->subqueries != NIL;
}

/* Must rows be kept, because states of aggregates are not enough? */
bool
aw_queryrows_are_needed(const AwLevel *level)
{
	const Query *query = level->query;
	NeedSearch	search = {.level = level};
	ListCell   *lc;

	if (!aw_querycheck_is_grouped(query) || query->groupingSets != NIL ||
		level->subqueries != NIL)
		return true;

	search.has_windows = level->window_kind != AW_KIND_TUMBLE;
	foreach(lc, query->groupClause)
	{
		const SortGroupClause *clause = lfirst_node(SortGroupClause, lc);
		Node	   *key = get_sortgroupclause_expr(unconstify(SortGroupClause *, clause),
												   query->targetList);

		if (needs_key(&search, key, clause->eqop))
			return true;
		search.keys = lappend(search.keys, key);
	}
	if (list_length(search.keys) > AW_SLICE_MAX_KEYS)
		return true;
	if (search.has_windows)
	{
		foreach(lc, aw_querycheck_conditions(query->jointree->quals))
		{
			if (reads_window(lfirst(lc), level) &&
				(reads_row(lfirst(lc), level) || checkExprHasSubLink(lfirst(lc))))
				return true;
		}
	}
	return need_walker((Node *) query->targetList, &search) ||
		need_walker(query->havingQual, &search);
}

/*
 * Must a condition of a cut that keeps rows wait until they are complete?  So it is if it
 * reads their windows, or what is around the query.
 */
bool
aw_queryrows_is_above(const AwLevel *level, Node *condition)
{
	return reads_window(condition, level) || has_sublink(condition, level) ||
		contain_vars_of_level(condition, 1);
}

/* A key must be hashed, and be the window or nothing of it. */
static bool
needs_key(const NeedSearch *search, Node *key, Oid operator)
{
	if (aw_queryrole_of(search->level, key) >= AW_ROLE_START)
		return false;
	return expression_returns_set(key) ||
		!aw_groupterm_is_hashable(operator, exprType(key)) ||
		(search->has_windows && reads_window(key, search->level));
}

/* Looks at aggregates of the level, and at columns that depend on its keys. */
static bool
need_walker(Node *node, NeedSearch *search)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		bool		is_needed;

		search->levelsup++;
		is_needed = query_tree_walker((Query *) node, need_walker, search,
									  QTW_IGNORE_JOINALIASES);
		search->levelsup--;
		return is_needed;
	}
	if (search->levelsup == 0 && list_member(search->keys, node))
		return false;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == (Index) search->levelsup)
		return needs_aggregate(search, (Aggref *) node);
	if (IsA(node, Var))
		return needs_column(search, (Var *) node);
	return expression_tree_walker(node, need_walker, search);
}

static bool
needs_aggregate(const NeedSearch *search, const Aggref *aggref)
{
	if (search->levelsup > 0)
		return true;
	if (aw_queryrole_of(search->level, (Node *) unconstify(Aggref *, aggref)) >= AW_ROLE_START)
		return false;
	return aggref->aggkind != AGGKIND_NORMAL || aggref->aggorder != NIL ||
		!aw_groupterm_is_mergeable(aggref) ||
		(search->has_windows && (reads_window((Node *) aggref->args, search->level) ||
								 reads_window((Node *) aggref->aggfilter, search->level)));
}

/* A column that is no key depends on one by a primary key, and becomes one. */
static bool
needs_column(const NeedSearch *search, const Var *var)
{
	Var		   *column;

	if (var->varlevelsup != (Index) search->levelsup)
		return false;
	column = copyObject(unconstify(Var *, var));
	column->varlevelsup = 0;
	return role_below(search->level, var) < AW_ROLE_START &&
		!list_member(search->keys, column) &&
		!aw_groupterm_is_hashable(lookup_type_cache(var->vartype, TYPECACHE_EQ_OPR)->eq_opr,
								  var->vartype);
}

/* Does an expression read a column of a window? */
static bool
reads_window(Node *node, const AwLevel *level)
{
	ReadSearch	search = {.level = level,.of_windows = true};

	return read_walker(node, &search);
}

/* Does an expression read anything else? */
static bool
reads_row(Node *node, const AwLevel *level)
{
	ReadSearch	search = {.level = level};

	return read_walker(node, &search);
}

/* Looks for columns of the level, in queries in expressions, too. */
static bool
read_walker(Node *node, ReadSearch *search)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		bool		is_read;

		search->levelsup++;
		is_read = query_tree_walker((Query *) node, read_walker, search, QTW_IGNORE_JOINALIASES);
		search->levelsup--;
		return is_read;
	}
	if (IsA(node, Var) && ((Var *) node)->varlevelsup == (Index) search->levelsup)
		return (role_below(search->level, (Var *) node) >= AW_ROLE_START) == search->of_windows;
	if (search->levelsup == 0 && aw_queryrole_of(search->level, node) >= AW_ROLE_START)
		return search->of_windows;
	return expression_tree_walker(node, read_walker, search);
}

/* What a column is, wherever it is read. */
static AwColumnRole
role_below(const AwLevel *level, const Var *var)
{
	Var		   *column = copyObject(unconstify(Var *, var));

	column->varlevelsup = 0;
	return aw_queryrole_of(level, (Node *) column);
}

/* Is one of the queries in an expression one that reads windows? */
static bool
has_sublink(Node *node, const AwLevel *level)
{
	if (node == NULL)
		return false;
	if (IsA(node, SubLink) && list_member(level->sublinks, node))
		return true;
	return expression_tree_walker(node, has_sublink, (void *) level);
}
