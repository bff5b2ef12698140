/*
 * querycut.c
 *
 * Cuts a query at its windows.
 *
 * Below a cut, a copy of its level becomes the ingest statement of each stream: without
 * grouping, with the stream's table exchanged for the relation of captured rows
 * (querystream.c).  Above, the level itself is changed in place: its FROM becomes the
 * relation of closed windows.  So the query as a whole is the publish statement, and
 * levels above the cut notice nothing.
 *
 * Where states are kept, the columns of the ingest statement are keys and the arguments
 * of aggregates; in the level keys and aggregates become columns of closed windows, and
 * HAVING becomes WHERE.  Where rows are kept, what the level reads of them are the columns
 * of both, and the level groups the rows of closed windows as it was written.
 *
 * A row has one window under TUMBLE, so window columns below the cut are expressions
 * on the row's time.  Where it has several they cannot be used there (querywindow.c).
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "groupterm.h"
#include "querycheck.h"
#include "querycut.h"
#include "queryrole.h"
#include "queryrows.h"
#include "querystream.h"
#include "querywindow.h"

/* A level on its way from rows to windows. */
typedef struct Cut
{
	const AwLevel *level;
	AwPartCut  *result;
	List	   *inputs;			/* columns of the ingest statement from the first key on */
	List	   *aggrefs;		/* as they stand in the query */
	List	   *first_columns;
	List	   *filter_columns;
	List	   *conditions;		/* on windows, from below the cut */
	List	   *own_conditions; /* those that wait until rows are complete */
	bool		is_collecting;	/* looking for aggregates and dependent columns */
	Index		levelsup;
} Cut;

static void cut_part(const AwPartClass *class, int number, AwPartCut *result);
static void collect(Cut *cut);
static void cut_stream(const AwStreamClass *class, Cut *cut, AwStreamCut *result);
static void collect_keys(Cut *cut);
static bool depends_on_rows(Node *node, const AwLevel *level);
static void add_key(Cut *cut, Node *key, Oid operator);
static void collect_outputs(Cut *cut);
static void collect_own_conditions(Cut *cut);
static void drop_own_conditions(const AwLevel *level, Query *ingest);
static void add_aggregate(Cut *cut, Aggref *aggref);
static int	add_input(Cut *cut, Node *expr);
static void make_calls(Cut *cut);
static Query *make_ingest(const AwStreamClass *class, Cut *cut, TupleDesc batch);
static void take_conditions(const AwStreamClass *class, Cut *cut, Query *ingest);
static void make_windows(Node *rowtime, Cut *cut);
static void close_level(Cut *cut, const char *relation);
static void group_by_start(Query *query);
static void close_groups(Cut *cut);
static Node *close_mutator(Node *node, Cut *cut);
static Node *close_variable(Var *var, Cut *cut);
static Node *close_term(Node *node, Cut *cut);
static Node *close_part(Node *node, Cut *cut);
static void check_kept(const Var *var);
static Node *window_column(int column, Node *like);

/* Cuts a query in place; all statements are in the current memory context. */
AwQueryCut *
aw_querycut_cut(const AwQueryClass *class)
{
	AwQueryCut *result = palloc0(sizeof(AwQueryCut));
	ListCell   *lc;

	result->n_parts = list_length(class->parts);
	result->parts = palloc0(sizeof(AwPartCut) * result->n_parts);
	foreach(lc, class->parts)
		cut_part(lfirst(lc), foreach_current_index(lc),
				 &result->parts[foreach_current_index(lc)]);
	result->publish = class->top->query;
	return result;
}

/* Cuts a window off; the terms are the same in the copies of the level for each stream. */
static void
cut_part(const AwPartClass *class, int number, AwPartCut *result)
{
	const AwStreamClass *first = linitial(class->streams);
	Cut			cut = {.level = class->cut,.result = result};
	ListCell   *lc;

	result->class = class;
	result->n_streams = list_length(class->streams);
	result->streams = palloc0(sizeof(AwStreamCut) * result->n_streams);
	collect(&cut);
	foreach(lc, class->streams)
		cut_stream(lfirst(lc), &cut, &result->streams[foreach_current_index(lc)]);
	make_windows(first->rowtime, &cut);
	close_level(&cut, psprintf(AW_QUERYCUT_WINDOWS, number + 1));
}

/* All that is needed of rows below the cut. */
static void
collect(Cut *cut)
{
	if (cut->level->keeps_rows)
		collect_own_conditions(cut);
	else
		collect_keys(cut);
	collect_outputs(cut);
	make_calls(cut);
}

static void
cut_stream(const AwStreamClass *class, Cut *cut, AwStreamCut *result)
{
	const AwLevel *table_level = class->table_level;

	aw_querycheck_table(table_level->query, table_level->stream);
	result->class = class;
	result->table = rt_fetch(table_level->stream, table_level->query->rtable)->relid;
	result->batch = aw_querystream_columns(table_level);
	result->watermarks = aw_querystream_watermarks(class, result->batch);
	result->ingest = make_ingest(class, cut, result->batch);
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
	close_mutator((Node *) cut->own_conditions, cut);
	cut->is_collecting = false;
}

/* Conditions on complete windows, or with what is around the query. */
static void
collect_own_conditions(Cut *cut)
{
	ListCell   *lc;

	foreach(lc, aw_querycheck_conditions(cut->level->query->jointree->quals))
	{
		if (aw_queryrows_is_above(cut->level, lfirst(lc)))
			cut->own_conditions = lappend(cut->own_conditions, lfirst(lc));
	}
}

/* Those are none of the ingest statement. */
static void
drop_own_conditions(const AwLevel *level, Query *ingest)
{
	List	   *kept = NIL;
	ListCell   *lc;

	foreach(lc, aw_querycheck_conditions(ingest->jointree->quals))
	{
		if (!aw_queryrows_is_above(level, lfirst(lc)))
			kept = lappend(kept, lfirst(lc));
	}
	ingest->jointree->quals = kept != NIL ? (Node *) make_ands_explicit(kept) : NULL;
}

/* Arguments follow each other, so those of several are not looked for. */
static void
add_aggregate(Cut *cut, Aggref *aggref)
{
	int			first = 0;
	ListCell   *lc;

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
	AwPartCut  *result = cut->result;
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
make_ingest(const AwStreamClass *class, Cut *cut, TupleDesc batch)
{
	const AwLevel *level = class->cut;
	Query	   *ingest = aw_querystream_rows(class, level);
	List	   *columns = list_make2(aw_querystream_ordinal(class, level, ingest, batch),
									 aw_querystream_rowtime(class, level, ingest));

	if (cut->level->keeps_rows)
		drop_own_conditions(level, ingest);
	if (class->window.kind != AW_KIND_TUMBLE)
		take_conditions(class, cut, ingest);
	aw_querystream_select(level, ingest, list_concat(columns, copyObject(cut->inputs)), batch);
	if (class->window.kind != AW_KIND_TUMBLE)
		aw_querywindow_check_unread(level, ingest);
	if (contain_vars_of_level((Node *) ingest, 1))
		aw_querycheck_refuse("a subquery over windows reads the query around it where its rows come from",
							 "Compare with the query around in the WHERE of the subquery, at its outermost level.");
	return ingest;
}

/* Takes conditions on windows out of a statement over rows, the same ones for all streams. */
static void
take_conditions(const AwStreamClass *class, Cut *cut, Query *ingest)
{
	List	   *conditions = aw_querywindow_take_conditions(class->cut, ingest);

	if (class != linitial(cut->result->class->streams) && !equal(conditions, cut->conditions))
		aw_querycheck_refuse("the branches of UNION ALL have different conditions on their windows",
							 "Write the condition above the union.");
	cut->conditions = conditions;
}

/* The columns of closed windows. */
static void
make_windows(Node *rowtime, Cut *cut)
{
	AwPartCut  *result = cut->result;
	int			n_keys = list_length(result->keys);
	List	   *columns = cut->level->keeps_rows ? cut->inputs :
		list_concat_copy(result->keys, cut->aggrefs);
	TupleDesc	windows = CreateTemplateTupleDesc(AW_WINDOWS_FIRST + list_length(columns));
	static const char *const names[] = {"window_start", "window_end", "window_time"};
	AttrNumber	attno = 0;
	ListCell   *lc;

	for (int i = 0; i < AW_WINDOWS_FIRST; i++)
		TupleDescInitEntry(windows, ++attno, names[i], exprType(rowtime), -1, 0);
	foreach(lc, columns)
	{
		const char *name = cut->level->keeps_rows ? "column" :
			foreach_current_index(lc) < n_keys ? "key" : "result";
		Node	   *expr = lfirst(lc);

		attno++;
		TupleDescInitEntry(windows, attno, psprintf("%s%d", name, attno), exprType(expr),
						   exprTypmod(expr), 0);
		TupleDescInitEntryCollation(windows, attno, exprCollation(expr));
	}
	result->windows = windows;
}

/* The level over closed windows in the place of rows. */
static void
close_level(Cut *cut, const char *relation)
{
	Query	   *query = cut->level->query;
	RangeTblRef *ref = makeNode(RangeTblRef);
	List	   *conditions = list_concat(cut->conditions,
										 (List *) close_mutator((Node *) cut->own_conditions, cut));

	query->targetList = (List *) close_mutator((Node *) query->targetList, cut);
	query->havingQual = close_mutator(query->havingQual, cut);
	if (cut->level->keeps_rows)
		group_by_start(query);
	else
	{
		conditions = list_concat(conditions, make_ands_implicit((Expr *) query->havingQual));
		close_groups(cut);
	}

	ref->rtindex = 1;
	query->rtable = list_make1(aw_querystream_entry(relation, cut->result->windows));
	query->jointree = makeFromExpr(list_make1(ref), conditions != NIL ?
								   (Node *) make_ands_explicit(conditions) : NULL);
	aw_compat_drop_all_permissions(query);
}

/* A group window has become its start, which may be of another type. */
static void
group_by_start(Query *query)
{
	ListCell   *lc;

	foreach(lc, query->groupClause)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, lc);
		Node	   *key = get_sortgroupclause_expr(clause, query->targetList);

		if (IsA(key, Var) && ((Var *) key)->varattno == AW_WINDOWS_START + 1)
			get_sort_group_operators(exprType(key), false, true, false, &clause->sortop,
									 &clause->eqop, NULL, &clause->hashable);
	}
}

/* The groups are made. */
static void
close_groups(Cut *cut)
{
	Query	   *query = cut->level->query;

	query->groupClause = NIL;
	query->groupDistinct = false;
	query->havingQual = NULL;
	query->hasAggs = false;
	query->hasTargetSRFs = expression_returns_set((Node *) query->targetList);
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
	if (cut->levelsup == 0)
	{
		column = cut->level->keeps_rows ? close_part(node, cut) : close_term(node, cut);
		if (column != NULL)
			return column;
	}
	if (cut->level->keeps_rows)
		return expression_tree_mutator(node, close_mutator, cut);
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
	if (column == NULL && cut->level->keeps_rows)
	{
		check_kept(var);
		column = window_column(AW_WINDOWS_FIRST - AW_INGEST_FIRST + add_input(cut, (Node *) var),
							   (Node *) var);
	}
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

/*
 * A group window, or a part of it, over rows with their window: the start of the window
 * tells groups apart, and in a group each of its times is the same.
 */
static Node *
close_part(Node *node, Cut *cut)
{
	const AwStreamClass *first = linitial(cut->result->class->streams);
	AwColumnRole role = aw_queryrole_of(cut->level, node);
	Node	   *column;
	Aggref	   *least;

	if (role < AW_ROLE_START || IsA(node, Var))
		return NULL;
	if (!IsA(node, Aggref))
		return (Node *) makeVar(1, AW_WINDOWS_START + 1, exprType(first->rowtime), -1,
								InvalidOid, 0);
	column = window_column(AW_WINDOWS_START + (role - AW_ROLE_START), node);
	least = copyObject((Aggref *) node);
	least->aggfnoid = least->aggtype == TIMESTAMPOID ? F_MIN_TIMESTAMP : F_MIN_TIMESTAMPTZ;
	least->aggargtypes = list_make1_oid(least->aggtype);
	least->args = list_make1(makeTargetEntry((Expr *) column, 1, NULL, false));
	return (Node *) least;
}

/* A row as a whole cannot be kept: its table may be altered before it is read again. */
static void
check_kept(const Var *var)
{
	Oid			element = get_element_type(var->vartype);
	Oid			relid = get_typ_typrelid(OidIsValid(element) ? element : var->vartype);

	if (var->vartype == RECORDOID ||
		(OidIsValid(relid) && get_rel_relkind(relid) != RELKIND_COMPOSITE_TYPE))
		aw_querycheck_refuse("a continuous query that keeps rows cannot read a row as a whole",
							 "Name its columns.");
}

static Node *
window_column(int column, Node *like)
{
	return (Node *) makeVar(1, column + 1, exprType(like), exprTypmod(like),
							exprCollation(like), 0);
}
