/*
 * queryclass.c
 *
 * Classifies the levels of a query from the bottom up.  A table with a watermark
 * definition is a stream, and so is a level with one of its own, and UNION ALL of
 * streams.  Levels that work row by row hand on what they read; TUMBLE, HOP and CUMULATE
 * open windows; the first level that needs more than a row at a time is a cut, which
 * closes them.  Where windows are joined each of them is cut.  From there up each
 * result must come from windows that end together, so that they can be published one
 * after the other: GROUP BY, PARTITION BY and DISTINCT contain columns that tell windows
 * apart, and joins compare the ends of windows (queryjoin.c).
 *
 * A cut keeps states of aggregates if all that its level does is to group by keys and
 * the window, and else the rows, over which the level itself is run when they are
 * complete.
 *
 * What does not fit is refused here, each with what to write instead.  From a cut down
 * there is one chain of levels for each table whose rows come to it (querybranch.c); all
 * other tables and queries are ordinary ones, read as they are.
 *
 * A stream that is tracked is a query without a window, cut at its top: all rows of it
 * are taken in, and of none is anything kept.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_agg.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "groupwindow.h"
#include "querybranch.h"
#include "querycheck.h"
#include "queryclass.h"
#include "queryends.h"
#include "queryrole.h"
#include "queryrows.h"
#include "querysource.h"
#include "rangetable.h"
#include "rowtime.h"
#include "windowspec.h"

/* What is at work on one level. */
typedef struct LevelScan
{
	AwLevel    *level;
	Relation	view;			/* named in errors */
	List	   *windows;		/* items that are calls of our functions */
} LevelScan;

/* Looks for queries in the expressions of a level. */
typedef struct SubquerySearch
{
	AwLevel    *level;
	Relation	view;
} SubquerySearch;

static AwLevel *begin_level(Query *query);
static void classify_set_operation(AwLevel *level, Relation view);
static void scan_items(LevelScan *scan, Node *jtnode, bool is_nullable);
static void scan_item(LevelScan *scan, int rtindex, bool is_nullable);
static void add_item(LevelScan *scan, int rtindex, AwLevel *below, bool is_nullable);
static void scan_function(LevelScan *scan, int rtindex, const RangeTblEntry *rte);
static void scan_expressions(AwLevel *level, Relation view);
static bool subquery_walker(Node *node, SubquerySearch *search);
static void open_window(AwLevel *level, int rtindex);
static bool is_window_function(const FuncExpr *call, AwWindowKind *kind);
static pg_noreturn void refuse_mixed(void);
static pg_noreturn void refuse_second_window(void);
static FuncExpr *group_window(const Query *query, AwWindowKind *found);
static void check_time_column(const AwLevel *level);
static void classify_rows(AwLevel *level);
static void cut(AwLevel *level, bool keeps_rows);
static void cut_items(AwLevel *level);
static void add_level(AwLevelItem *item, RangeTblEntry *rte);
static void collect_parts(AwQueryClass *class, AwLevel *level, Relation view, bool is_tracking);

/*
 * The class of a query in the plain form of querytree.c; an error for one that
 * cannot be continuous, or that is no stream to be tracked.
 */
AwQueryClass *
aw_queryclass_of(Query *query, Relation view, bool is_tracking)
{
	AwQueryClass *class = palloc0(sizeof(AwQueryClass));

	class->top = aw_queryclass_level(query, view);
	if (is_tracking && class->top->kind > AW_LEVEL_STREAM)
		aw_querycheck_refuse("windows cannot be tracked", "Track the stream that they are of.");
	switch (class->top->kind)
	{
		case AW_LEVEL_STATIC:
			if (class->top->is_mixed)
				refuse_mixed();
			aw_querycheck_windows_of_table(query);
			aw_querycheck_refuse("the query reads no stream",
								 "Give a table a watermark definition with set_watermark(), or use APPLY_WATERMARK in FROM.");
			break;
		case AW_LEVEL_STREAM:
			if (!is_tracking)
				aw_querycheck_refuse("a continuous query needs a window",
									 "Add TUMBLE(…) to FROM, and group by window_start and window_end.");
			break;
		case AW_LEVEL_OPEN:
			aw_querycheck_refuse("a continuous query must group by its window",
								 "Write GROUP BY window_start, window_end, and aggregate the other columns.");
			break;
		case AW_LEVEL_CLOSED:
			break;
	}

	class->top->is_cut |= is_tracking;
	collect_parts(class, class->top, view, is_tracking);
	aw_querybranch_check_times(class);
	return class;
}

/*
 * Classifies a level after those below it.  What is refused of a stream is fine of an
 * ordinary query, so that is told apart first.
 */
AwLevel *
aw_queryclass_level(Query *query, Relation view)
{
	AwLevel    *level = begin_level(query);
	LevelScan	scan = {.level = level,.view = view};
	ListCell   *lc;

	check_stack_depth();
	aw_querycheck_level(query);
	if (query->setOperations != NULL)
	{
		classify_set_operation(level, view);
		return level;
	}

	level->definition = aw_definition_of_level(query, view);
	scan_items(&scan, (Node *) query->jointree, false);
	if (level->definition != NULL && level->kind == AW_LEVEL_STATIC)
		aw_querysource_follow(level, level->definition->rowtime);
	if (level->definition != NULL && level->kind > AW_LEVEL_STREAM)
		aw_querycheck_refuse_watermark();
	if (level->definition != NULL)
	{
		(void) aw_querysource_item(level, level->definition->rowtime);
		level->kind = AW_LEVEL_STREAM;
	}

	/* A definition makes all of its rows a stream. */
	level->is_mixed &= level->definition == NULL;
	if (level->is_mixed && level->kind > AW_LEVEL_STATIC)
		refuse_mixed();
	scan_expressions(level, view);
	if (level->kind == AW_LEVEL_STATIC)
		return level;

	if (list_length(level->items) > 1)
		cut_items(level);
	else
		aw_querycheck_preserved(query, level->stream);
	foreach(lc, scan.windows)
		open_window(level, lfirst_int(lc));
	if (level->call == NULL)
		level->call = group_window(query, &level->window_kind);
	classify_rows(level);
	aw_queryrole_of_outputs(level);
	return level;
}

/* A level of which nothing is known yet. */
static AwLevel *
begin_level(Query *query)
{
	AwLevel    *level = palloc0(sizeof(AwLevel));

	level->query = query;
	level->n_columns = list_length(query->targetList);
	level->roles = palloc0(sizeof(AwColumnRole) * Max(level->n_columns, 1));
	return level;
}

/*
 * Branches that read no stream make an ordinary query.  Those that are streams, or
 * their rows with windows, make one if all their rows are wanted; and windows that are
 * complete can be combined in any way, as long as those that end together are.
 */
static void
classify_set_operation(AwLevel *level, Relation view)
{
	AwLevelKind least = AW_LEVEL_CLOSED;
	AwLevelKind most = AW_LEVEL_STATIC;
	LevelScan	scan = {.level = level,.view = view};
	ListCell   *lc;

	foreach(lc, level->query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);
		AwLevel    *below;

		if (rte->rtekind != RTE_SUBQUERY)
			continue;
		below = aw_queryclass_level(rte->subquery, view);
		level->is_mixed |= below->is_mixed;
		least = Min(least, below->kind);
		most = Max(most, below->kind);
		add_item(&scan, foreach_current_index(lc) + 1, below, false);
	}

	if (least == AW_LEVEL_STATIC && most == AW_LEVEL_STREAM)
		level->is_mixed = true;
	else if (least == AW_LEVEL_STATIC && most > AW_LEVEL_STREAM)
		refuse_mixed();
	level->kind = level->is_mixed ? AW_LEVEL_STATIC : most;
	if (level->kind == AW_LEVEL_STATIC)
	{
		level->items = NIL;
		level->stream = 0;
		level->below = NULL;
		return;
	}
	if (least == AW_LEVEL_STREAM && most > AW_LEVEL_STREAM)
		aw_querycheck_refuse("a continuous query cannot unite windows with a stream without one",
							 "Give each branch its window, or put the window above the union.");
	if (level->query->limitCount != NULL || level->query->limitOffset != NULL)
		aw_querycheck_refuse_limit();

	level->is_union = least == most && most < AW_LEVEL_CLOSED &&
		aw_queryends_is_union_all(level->query->setOperations);
	if (most == AW_LEVEL_STREAM && !level->is_union)
		aw_querycheck_refuse("UNION, INTERSECT and EXCEPT over a stream need a window",
							 "Write UNION ALL, or group by a window in each branch.");
	if (!level->is_union)
		cut_items(level);
	aw_queryrole_of_branches(level);
	if (level->kind == AW_LEVEL_CLOSED)
		aw_queryends_check_set_operation(level);
}

/* Looks at the items of FROM. */
static void
scan_items(LevelScan *scan, Node *jtnode, bool is_nullable)
{
	const JoinExpr *join = (const JoinExpr *) jtnode;
	ListCell   *lc;

	if (IsA(jtnode, RangeTblRef))
		scan_item(scan, ((RangeTblRef *) jtnode)->rtindex, is_nullable);
	else if (IsA(jtnode, JoinExpr))
	{
		scan_items(scan, join->larg, is_nullable || join->jointype == JOIN_RIGHT ||
				   join->jointype == JOIN_FULL);
		scan_items(scan, join->rarg, is_nullable || join->jointype == JOIN_LEFT ||
				   join->jointype == JOIN_FULL);
	}
	else
	{
		foreach(lc, ((FromExpr *) jtnode)->fromlist)
			scan_items(scan, lfirst(lc), is_nullable);
	}
}

/* What an item is: a stream, windows of one, or something to look up. */
static void
scan_item(LevelScan *scan, int rtindex, bool is_nullable)
{
	RangeTblEntry *rte = rt_fetch(rtindex, scan->level->query->rtable);
	AwDefinition *definition;
	AwLevel    *below;

	switch (rte->rtekind)
	{
		case RTE_RELATION:
			definition = aw_querycheck_table_definition(rte);
			if (definition == NULL)
				break;
			add_item(scan, rtindex, NULL, is_nullable);
			scan->level->table_definition = definition;
			break;
		case RTE_SUBQUERY:
			below = aw_queryclass_level(rte->subquery, scan->view);
			scan->level->is_mixed |= below->is_mixed;
			if (below->kind != AW_LEVEL_STATIC)
				add_item(scan, rtindex, below, is_nullable);
			break;
		case RTE_FUNCTION:
			scan_function(scan, rtindex, rte);
			break;
		default:
			break;
	}
}

/* Notes an item that rows of the level come from: of streams there is one only. */
static void
add_item(LevelScan *scan, int rtindex, AwLevel *below, bool is_nullable)
{
	AwLevel    *level = scan->level;
	AwLevelKind kind = below ? below->kind : AW_LEVEL_STREAM;
	AwLevelItem *item = palloc0(sizeof(AwLevelItem));

	if (level->query->setOperations == NULL && level->items != NIL &&
		(kind == AW_LEVEL_STREAM || level->kind == AW_LEVEL_STREAM))
		aw_querycheck_refuse("a continuous query cannot join two streams",
							 "Put each into a subquery with TUMBLE(…) in its FROM, and compare window_start and window_end; or join a stream with an ordinary table.");
	item->rtindex = rtindex;
	item->level = below;
	item->is_nullable = is_nullable;
	if (level->items == NIL)
	{
		level->stream = rtindex;
		level->below = below;
		level->kind = kind;
	}
	level->items = lappend(level->items, item);
}

/* Is it one of our functions?  The item is looked at when the others are known. */
static void
scan_function(LevelScan *scan, int rtindex, const RangeTblEntry *rte)
{
	ListCell   *lc;

	foreach(lc, rte->functions)
	{
		FuncExpr   *call = (FuncExpr *) lfirst_node(RangeTblFunction, lc)->funcexpr;

		if (IsA(call, FuncExpr) && aw_rangetable_is_table_function(call->funcid))
			scan->windows = list_append_unique_int(scan->windows, rtindex);
	}
}

/* Looks at the queries in the expressions of a level. */
static void
scan_expressions(AwLevel *level, Relation view)
{
	SubquerySearch search = {level, view};

	query_tree_walker(level->query, subquery_walker, &search,
					  QTW_IGNORE_RT_SUBQUERIES | QTW_IGNORE_JOINALIASES);
}

/* Notes queries that read windows; what they read must end with the windows of the level. */
static bool
subquery_walker(Node *node, SubquerySearch *search)
{
	SubLink    *sublink = (SubLink *) node;
	AwLevel    *level = search->level;
	AwLevel    *below;

	if (node == NULL)
		return false;
	if (!IsA(node, SubLink))
		return expression_tree_walker(node, subquery_walker, search);

	below = aw_queryclass_level((Query *) sublink->subselect, search->view);
	if (below->is_mixed || below->kind == AW_LEVEL_STREAM || (below->kind > AW_LEVEL_STREAM && level->items == NIL))
		aw_querycheck_refuse("a continuous query cannot read a stream in a subquery of an expression",
							 "Give the stream a window there, and compare its window_end with that of the query around; or write a continuous query for it, and read its sink.");
	if (below->kind > AW_LEVEL_STREAM)
	{
		if (below->kind == AW_LEVEL_OPEN)
			cut(below, true);
		level->subqueries = lappend(level->subqueries, below);
		level->sublinks = lappend(level->sublinks, sublink);
	}
	return expression_tree_walker(sublink->testexpr, subquery_walker, search);
}

/* The window of a level over a stream, of which there is one at most. */
static void
open_window(AwLevel *level, int rtindex)
{
	const RangeTblEntry *rte = rt_fetch(rtindex, level->query->rtable);
	FuncExpr   *call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;

	if (list_length(rte->functions) > 1 || rte->funcordinality)
		aw_querycheck_refuse("a continuous query cannot use a window function in ROWS FROM or WITH ORDINALITY",
							 "Write it as an item of FROM of its own.");
	if (aw_rangetable_is_apply_watermark(call))
		return;
	if (!is_window_function(call, &level->window_kind))
		aw_querycheck_refuse_window(get_func_name(call->funcid));
	if (level->call != NULL)
		refuse_second_window();
	level->window = rtindex;
	level->call = call;
}

/* Is it a window that can be kept, of which kind? */
static bool
is_window_function(const FuncExpr *call, AwWindowKind *kind)
{
	static const char *const supports[] = {
		[AW_KIND_TUMBLE] = "aw_sql_tumble_support",
		[AW_KIND_HOP] = "aw_sql_hop_support",
		[AW_KIND_CUMULATE] = "aw_sql_cumulate_support",
	};
	const char *support = aw_rangetable_symbol(get_func_support(call->funcid));

	for (size_t i = 0; support != NULL && i < lengthof(supports); i++)
	{
		if (strcmp(support, supports[i]) == 0)
		{
			*kind = (AwWindowKind) i;
			return true;
		}
	}
	return false;
}

static void
refuse_mixed(void)
{
	aw_querycheck_refuse("a continuous query cannot unite a stream with rows of an ordinary table",
						 "Define a watermark on the union, or look the rows of the table up with a join.");
}

static void
refuse_second_window(void)
{
	aw_querycheck_refuse("a continuous query can have one window only at a level",
						 "Put each window into a subquery of its own.");
}

/* TUMBLE or HOP among the grouping keys, NULL if there is none. */
static FuncExpr *
group_window(const Query *query, AwWindowKind *found)
{
	FuncExpr   *window = NULL;
	ListCell   *lc;

	foreach(lc, aw_compat_group_keys(query))
	{
		AwWindowKind kind;

		if (!aw_groupwindow_is_window(lfirst(lc), &kind))
			continue;
		if (kind != AW_KIND_TUMBLE && kind != AW_KIND_HOP)
			aw_querycheck_refuse_window(get_func_name(((FuncExpr *) lfirst(lc))->funcid));
		if (window != NULL)
			refuse_second_window();
		window = lfirst(lc);
		*found = kind;
		if (kind == AW_KIND_TUMBLE && list_length(window->args) > 2)
			aw_querycheck_refuse("a continuous query cannot publish early or late results",
								 "Write TUMBLE with the time attribute and the size alone.");
	}
	return window;
}

/* The window must be over the rowtime of the stream: only that has a watermark. */
static void
check_time_column(const AwLevel *level)
{
	Node	   *time = aw_querybranch_argument(level->call, level->window == 0 ? 0 : 1);
	const char *column = IsA(time, Var) ?
		get_rte_attribute_name(rt_fetch(((Var *) time)->varno, level->query->rtable),
							   ((Var *) time)->varattno) : NULL;

	if (aw_queryrole_of(level, time) == AW_ROLE_ROWTIME)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 column ? errmsg("the time column \"%s\" of the window is not the rowtime of its stream",
							 column) :
			 errmsg("the time column of the window is not the rowtime of its stream"),
			 errhint("Use the column of the watermark definition, without a cast or an expression, or define the watermark on this one.")));
}

/* What a level makes of the rows of a stream or of its windows. */
static void
classify_rows(AwLevel *level)
{
	const Query *query = level->query;

	if (level->call != NULL)
	{
		if (level->kind == AW_LEVEL_OPEN)
			refuse_second_window();
		if (level->kind == AW_LEVEL_CLOSED)
			aw_querycheck_refuse("a continuous query cannot put windows into windows",
								 "Publish the inner window to a sink, give that a watermark definition, and write a second continuous query over it.");
		check_time_column(level);
		level->kind = AW_LEVEL_OPEN;
	}

	if (level->kind == AW_LEVEL_OPEN && aw_queryrows_is_computed(level))
		cut(level, aw_queryrows_are_needed(level));
	else if (level->kind == AW_LEVEL_CLOSED)
	{
		if (aw_querycheck_is_grouped(query))
			aw_queryends_check_grouping(level);
		aw_queryends_check_windows(level);
	}
	else
	{
		if (aw_querycheck_is_grouped(query))
			aw_querycheck_refuse_group();
		aw_querycheck_row_by_row(query);
	}
	aw_queryends_check_subqueries(level);
}

/* Closes the windows of a level, whose rows are kept or states of its aggregates. */
static void
cut(AwLevel *level, bool keeps_rows)
{
	if (keeps_rows && level->call != NULL && level->window == 0 &&
		level->window_kind == AW_KIND_HOP && aw_queryends_are_zoned(level))
		aw_querycheck_refuse("a continuous query that keeps rows cannot group by HOP(…) on the wall clock of a time zone",
							 "Write HOP(…) in FROM, and group by window_start and window_end.");
	if (aw_querycheck_is_grouped(level->query))
		aw_queryends_check_grouping(level);
	level->is_cut = true;
	level->keeps_rows = keeps_rows;
	level->kind = AW_LEVEL_CLOSED;
	aw_queryends_check_windows(level);
}

/* Closes the windows of the items of a level, each by itself, so that they can meet. */
static void
cut_items(AwLevel *level)
{
	ListCell   *lc;

	foreach(lc, level->items)
	{
		AwLevelItem *item = lfirst(lc);

		if (item->level->kind != AW_LEVEL_OPEN)
			continue;
		if (item->level->is_union)
			add_level(item, rt_fetch(item->rtindex, level->query->rtable));
		cut(item->level, true);
	}
	level->below = ((AwLevelItem *) linitial(level->items))->level;
	level->kind = AW_LEVEL_CLOSED;
	if (level->query->setOperations == NULL)
		aw_queryends_check_join(level);
}

/* Puts a level that does nothing above a union, for a cut is no set operation. */
static void
add_level(AwLevelItem *item, RangeTblEntry *rte)
{
	AwLevel    *union_level = item->level;
	AwLevelItem *below = palloc0(sizeof(AwLevelItem));

	rte->subquery = aw_querybranch_select_all(rte->subquery, NULL);
	below->rtindex = 1;
	below->level = union_level;
	item->level = begin_level(rte->subquery);
	item->level->kind = union_level->kind;
	item->level->items = list_make1(below);
	item->level->stream = 1;
	item->level->below = union_level;
	aw_queryrole_of_outputs(item->level);
}

/* The windows of a query, those that others read before them. */
static void
collect_parts(AwQueryClass *class, AwLevel *level, Relation view, bool is_tracking)
{
	ListCell   *lc;

	foreach(lc, level->subqueries)
		collect_parts(class, lfirst(lc), view, is_tracking);
	if (level->is_cut)
	{
		AwPartClass *part = palloc0(sizeof(AwPartClass));

		part->cut = level;
		part->streams = aw_querybranch_streams(class, level, view, is_tracking);
		class->parts = lappend(class->parts, part);
		return;
	}
	foreach(lc, level->items)
	{
		const AwLevelItem *item = lfirst(lc);

		if (item->level != NULL)
			collect_parts(class, item->level, view, is_tracking);
	}
}

