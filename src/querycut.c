/*
 * querycut.c
 *
 * Cuts a query at the level that groups by its window.
 *
 * Below, a copy of the level becomes the ingest statement: without grouping, with
 * keys and the arguments of aggregates as its columns, and with the stream's table
 * exchanged for the relation of captured rows (querystream.c).  Above, the level
 * itself is changed in place: its FROM becomes the relation of closed windows, keys
 * and aggregates become columns of it, HAVING becomes WHERE.  So the query as a whole
 * is the publish statement, and levels above the cut notice nothing.
 *
 * A row has one window under TUMBLE, so window columns below the cut are expressions
 * on the row's time.  Where it has several they cannot be used there (querywindow.c).
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/typcache.h"

#include "compat.h"
#include "groupterm.h"
#include "querycheck.h"
#include "querycut.h"
#include "queryrole.h"
#include "querystream.h"
#include "querywindow.h"

/* A level on its way from rows to windows. */
typedef struct Cut
{
	const AwLevel *level;
	AwQueryCut *result;
	List	   *inputs;			/* columns of the ingest statement from the first key on */
	List	   *aggrefs;		/* as they stand in the query */
	List	   *first_columns;
	List	   *filter_columns;
	List	   *conditions;		/* on windows, from below the cut */
	bool		is_collecting;	/* looking for aggregates and dependent columns */
	Index		levelsup;
} Cut;

static void collect_keys(Cut *cut);
static bool depends_on_rows(Node *node, const AwLevel *level);
static void add_key(Cut *cut, Node *key, Oid operator);
static void collect_outputs(Cut *cut);
static void add_aggregate(Cut *cut, Aggref *aggref);
static int	add_input(Cut *cut, Node *expr);
static void make_calls(Cut *cut);
static Query *make_ingest(const AwQueryClass *class, Cut *cut);
static void make_windows(const AwQueryClass *class, Cut *cut);
static void close_level(Cut *cut);
static Node *close_mutator(Node *node, Cut *cut);
static Node *close_variable(Var *var, Cut *cut);
static Node *close_term(Node *node, Cut *cut);
static Node *window_column(int column, Node *like);

/* Cuts a query in place; all statements are in the current memory context. */
AwQueryCut *
aw_querycut_cut(const AwQueryClass *class)
{
	AwQueryCut *result = palloc0(sizeof(AwQueryCut));
	Cut			cut = {.level = class->cut,.result = result};

	aw_querycheck_table(class->table_level->query, class->table_level->stream);
	result->table = rt_fetch(class->table_level->stream, class->table_level->query->rtable)->relid;
	result->batch = aw_querystream_columns(class->table_level);
	result->watermarks = aw_querystream_watermarks(class, result->batch);

	collect_keys(&cut);
	collect_outputs(&cut);
	make_calls(&cut);
	result->ingest = make_ingest(class, &cut);

	make_windows(class, &cut);
	close_level(&cut);
	result->publish = class->top->query;
	return result;
}

/* Grouping keys that are more than the window. */
static void
collect_keys(Cut *cut)
{
	const Query *query = cut->level->query;
	ListCell   *lc;

	foreach(lc, query->groupClause)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, lc);
		Node	   *key = get_sortgroupclause_expr(clause, query->targetList);

		if (expression_returns_set(key) && aw_queryrole_of(cut->level, key) == AW_ROLE_NONE)
			aw_querycheck_refuse("a continuous query cannot group by a function that returns a set",
								 "Write the function in FROM, with LATERAL.");
		if (depends_on_rows(key, cut->level) && !list_member(cut->result->keys, key))
			add_key(cut, key, clause->eqop);
	}
}

/* Does an expression need more of a row than its window? */
static bool
depends_on_rows(Node *node, const AwLevel *level)
{
	if (node == NULL || aw_queryrole_of(level, node) >= AW_ROLE_START)
		return false;
	if (IsA(node, Var) || IsA(node, SubLink))
		return true;
	return expression_tree_walker(node, depends_on_rows, (void *) level);
}

/* Adds a key; a column that depends on another counts as one too. */
static void
add_key(Cut *cut, Node *key, Oid operator)
{
	aw_querycheck_key(key, operator);
	if (list_length(cut->result->keys) == AW_SLICE_MAX_KEYS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a continuous query cannot group by more than %d keys",
						AW_SLICE_MAX_KEYS),
				 errhint("Columns that depend on a key count too: look them up above the window.")));
	cut->result->keys = lappend(cut->result->keys, key);
	cut->result->key_operators = lappend_oid(cut->result->key_operators, operator);
	cut->inputs = lappend(cut->inputs, key);
}

/* Aggregates, and columns that depend on a key by a primary key and so become keys. */
static void
collect_outputs(Cut *cut)
{
	cut->is_collecting = true;
	close_mutator((Node *) cut->level->query->targetList, cut);
	close_mutator(cut->level->query->havingQual, cut);
	cut->is_collecting = false;
}

/* Arguments follow each other, so those of several are not looked for. */
static void
add_aggregate(Cut *cut, Aggref *aggref)
{
	int			first = 0;
	ListCell   *lc;

	aw_querycheck_aggregate(aggref);
	if (list_length(aggref->args) == 1 && aggref->aggfilter == NULL)
		first = add_input(cut, (Node *) linitial_node(TargetEntry, aggref->args)->expr);
	else if (aggref->args != NIL)
	{
		first = AW_INGEST_FIRST + list_length(cut->inputs);
		foreach(lc, aggref->args)
		{
			Node	   *arg = (Node *) lfirst_node(TargetEntry, lc)->expr;

			cut->inputs = lappend(cut->inputs,
								  aw_groupterm_guard_argument(arg, aggref->aggfilter));
		}
	}

	cut->aggrefs = lappend(cut->aggrefs, aggref);
	cut->first_columns = lappend_int(cut->first_columns, first);
	cut->filter_columns = lappend_int(cut->filter_columns, aggref->aggfilter == NULL ? -1 :
									  add_input(cut, (Node *) aggref->aggfilter));
}

/* The ingest statement's column of an expression. */
static int
add_input(Cut *cut, Node *expr)
{
	ListCell   *lc;

	foreach(lc, cut->inputs)
	{
		if (equal(lfirst(lc), expr))
			return AW_INGEST_FIRST + foreach_current_index(lc);
	}
	cut->inputs = lappend(cut->inputs, expr);
	return AW_INGEST_FIRST + list_length(cut->inputs) - 1;
}

/* Aggregates numbered as the planner would, so that some share their state. */
static void
make_calls(Cut *cut)
{
	AwQueryCut *result = cut->result;
	List	   *aggrefs = copyObject(cut->aggrefs);
	PlannerInfo *root = makeNode(PlannerInfo);
	ListCell   *lc;

	preprocess_aggrefs(root, (Node *) aggrefs);
	result->n_calls = list_length(aggrefs);
	result->calls = palloc0(sizeof(AwAggregateCall) * Max(result->n_calls, 1));
	foreach(lc, aggrefs)
	{
		AwAggregateCall *call = &result->calls[foreach_current_index(lc)];

		call->aggref = lfirst_node(Aggref, lc);
		call->first_column = list_nth_int(cut->first_columns, foreach_current_index(lc));
		call->filter_column = list_nth_int(cut->filter_columns, foreach_current_index(lc));
	}
}

/* Rows of the level before they are grouped. */
static Query *
make_ingest(const AwQueryClass *class, Cut *cut)
{
	TupleDesc	batch = cut->result->batch;
	Query	   *ingest = aw_querystream_rows(class, cut->level);
	List	   *columns = list_make2(aw_querystream_ordinal(class, cut->level, ingest, batch),
									 aw_querystream_rowtime(class, cut->level, ingest));

	if (class->window.kind != AW_KIND_TUMBLE)
		cut->conditions = aw_querywindow_take_conditions(cut->level, ingest);
	aw_querystream_select(cut->level, ingest, list_concat(columns, copyObject(cut->inputs)),
						  batch);
	if (class->window.kind != AW_KIND_TUMBLE)
		aw_querywindow_check_unread(cut->level, ingest);
	return ingest;
}

/* The columns of closed windows. */
static void
make_windows(const AwQueryClass *class, Cut *cut)
{
	AwQueryCut *result = cut->result;
	int			n_keys = list_length(result->keys);
	TupleDesc	windows = CreateTemplateTupleDesc(AW_WINDOWS_FIRST + n_keys + result->n_calls);
	static const char *const names[] = {"window_start", "window_end", "window_time"};
	AttrNumber	attno = 0;
	ListCell   *lc;

	for (int i = 0; i < AW_WINDOWS_FIRST; i++)
		TupleDescInitEntry(windows, ++attno, names[i], exprType(class->rowtime), -1, 0);
	foreach(lc, list_concat_copy(result->keys, cut->aggrefs))
	{
		bool		is_key = foreach_current_index(lc) < n_keys;
		Node	   *expr = lfirst(lc);

		attno++;
		TupleDescInitEntry(windows, attno, psprintf("%s%d", is_key ? "key" : "result", attno),
						   exprType(expr), exprTypmod(expr), 0);
		TupleDescInitEntryCollation(windows, attno, exprCollation(expr));
	}
	result->windows = windows;
}

/* The level over closed windows in the place of rows. */
static void
close_level(Cut *cut)
{
	Query	   *query = cut->level->query;
	RangeTblRef *ref = makeNode(RangeTblRef);
	List	   *conditions = make_ands_implicit((Expr *) close_mutator(query->havingQual, cut));

	conditions = list_concat(conditions, cut->conditions);
	query->targetList = (List *) close_mutator((Node *) query->targetList, cut);
	query->groupClause = NIL;
	query->groupDistinct = false;
	query->havingQual = NULL;
	query->hasAggs = false;
	query->hasTargetSRFs = expression_returns_set((Node *) query->targetList);

	ref->rtindex = 1;
	query->rtable = list_make1(aw_querystream_entry(AW_QUERYCUT_WINDOWS, cut->result->windows));
	query->jointree = makeFromExpr(list_make1(ref), conditions != NIL ?
								   (Node *) make_ands_explicit(conditions) : NULL);
	aw_compat_drop_all_permissions(query);
}

/*
 * Puts columns of closed windows in the place of the window's columns, keys and
 * aggregates; or, before there are columns, collects what must become one.
 */
static Node *
close_mutator(Node *node, Cut *cut)
{
	Node	   *column;

	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		Query	   *query;

		cut->levelsup++;
		query = query_tree_mutator((Query *) node, close_mutator, cut, QTW_IGNORE_JOINALIASES);
		cut->levelsup--;
		return (Node *) query;
	}
	if (IsA(node, Var))
		return close_variable((Var *) node, cut);
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == cut->levelsup && cut->levelsup > 0)
		aw_querycheck_refuse("a continuous query cannot use an aggregate of its window in a subquery",
							 "Aggregate in a subquery in FROM, and use its columns.");

	column = cut->levelsup == 0 ? close_term(node, cut) : NULL;
	if (column != NULL)
		return column;
	if (IsA(node, Aggref) && ((Aggref *) node)->agglevelsup == cut->levelsup)
	{
		Assert(cut->is_collecting);
		add_aggregate(cut, (Aggref *) node);
		return node;
	}
	if (IsA(node, GroupingFunc) && ((GroupingFunc *) node)->agglevelsup == cut->levelsup)
		return (Node *) makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(0),
								  false, true);
	return expression_tree_mutator(node, close_mutator, cut);
}

/* A column of the level's items, seen from a subquery in its expressions perhaps. */
static Node *
close_variable(Var *var, Cut *cut)
{
	Node	   *column;

	if (var->varlevelsup != cut->levelsup)
		return (Node *) copyObject(var);

	var = copyObject(var);
	var->varlevelsup = 0;
	column = close_term((Node *) var, cut);
	if (column == NULL)
	{
		Assert(cut->is_collecting);
		add_key(cut, (Node *) var, lookup_type_cache(var->vartype, TYPECACHE_EQ_OPR)->eq_opr);
		return (Node *) var;
	}
	IncrementVarSublevelsUp(column, cut->levelsup, 0);
	return column;
}

/* The column of a term, NULL if it is none. */
static Node *
close_term(Node *node, Cut *cut)
{
	AwColumnRole role = aw_queryrole_of(cut->level, node);
	int			n_keys = list_length(cut->result->keys);
	ListCell   *lc;

	if (role >= AW_ROLE_START)
		return window_column(AW_WINDOWS_START + (role - AW_ROLE_START), node);
	foreach(lc, cut->result->keys)
	{
		if (equal(lfirst(lc), node))
			return window_column(AW_WINDOWS_FIRST + foreach_current_index(lc), node);
	}
	foreach(lc, cut->aggrefs)
	{
		if (equal(lfirst(lc), node))
			return window_column(AW_WINDOWS_FIRST + n_keys + foreach_current_index(lc), node);
	}
	return NULL;
}

static Node *
window_column(int column, Node *like)
{
	return (Node *) makeVar(1, column + 1, exprType(like), exprTypmod(like),
							exprCollation(like), 0);
}
