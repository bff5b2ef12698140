/*
 * queryclass.c
 *
 * Classifies the levels of a query from the bottom up.  A table with a watermark
 * definition is a stream, and so is a level with one of its own.  Levels that work
 * row by row hand on what they read; TUMBLE, HOP and CUMULATE open windows; the first
 * level that groups by an open window is the cut, which closes it.  From there up each
 * result must come from one window, so that windows can be published one after the
 * other: GROUP BY, PARTITION BY and DISTINCT contain columns that tell windows apart.
 *
 * What does not fit is refused here, each with what to write instead.  A class is
 * made of one chain of levels, from the top down to the stream's table; all other
 * tables and queries are ordinary ones, read as they are.
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
#include "querycheck.h"
#include "queryclass.h"
#include "queryrole.h"
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

static AwLevel *classify(Query *query, Relation view);
static AwLevel *classify_set_operation(AwLevel *level, Relation view);
static void scan_items(LevelScan *scan, Node *jtnode);
static void scan_item(LevelScan *scan, int rtindex);
static void add_stream(LevelScan *scan, int rtindex, AwLevel *below);
static void scan_function(LevelScan *scan, int rtindex, const RangeTblEntry *rte);
static void open_window(AwLevel *level, int rtindex);
static bool is_window_function(const FuncExpr *call, AwWindowKind *kind);
static pg_noreturn void refuse_second_window(void);
static FuncExpr *group_window(const Query *query, AwWindowKind *found);
static void check_time_column(const AwLevel *level);
static void classify_rows(AwLevel *level);
static void check_windows(const AwLevel *level);
static void check_grouping(const AwLevel *level);
static void check_contains_window(const AwLevel *level, List *clauses, const char *what,
								  const char *hint);
static void find_window_columns(const AwLevel *level, List *clauses, bool *has_start,
								bool *has_end);
static bool is_zoned(const AwLevel *opened);
static void describe_chain(AwQueryClass *class, bool is_tracking);
static void describe_window(AwQueryClass *class);
static void describe_tracking(AwQueryClass *class);
static Node *argument_of_call(const FuncExpr *call, int number);

/*
 * The class of a query in the plain form of querytree.c; an error for one that
 * cannot be continuous, or that is no stream to be tracked.
 */
AwQueryClass *
aw_queryclass_of(Query *query, Relation view, bool is_tracking)
{
	AwQueryClass *class = palloc0(sizeof(AwQueryClass));

	class->top = classify(query, view);
	if (is_tracking && class->top->kind > AW_LEVEL_STREAM)
		aw_querycheck_refuse("windows cannot be tracked", "Track the stream that they are of.");
	switch (class->top->kind)
	{
		case AW_LEVEL_STATIC:
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

	describe_chain(class, is_tracking);
	if (is_tracking)
		describe_tracking(class);
	else
		describe_window(class);
	return class;
}

/*
 * Classifies a level after those below it.  What is refused of a stream is fine of an
 * ordinary query, so that is told apart first.
 */
static AwLevel *
classify(Query *query, Relation view)
{
	AwLevel    *level = palloc0(sizeof(AwLevel));
	LevelScan	scan = {.level = level,.view = view};
	ListCell   *lc;

	check_stack_depth();
	aw_querycheck_level(query);
	level->query = query;
	level->n_columns = list_length(query->targetList);
	level->roles = palloc0(sizeof(AwColumnRole) * Max(level->n_columns, 1));
	if (query->setOperations != NULL)
		return classify_set_operation(level, view);

	level->definition = aw_definition_of_level(query, view);
	scan_items(&scan, (Node *) query->jointree);
	if (level->definition != NULL && level->kind == AW_LEVEL_STATIC)
		aw_querysource_follow(level, level->definition->rowtime);
	if (level->definition != NULL && level->kind > AW_LEVEL_STREAM)
		aw_querycheck_refuse_watermark();
	if (level->definition != NULL)
	{
		(void) aw_querysource_item(level, level->definition->rowtime);
		level->kind = AW_LEVEL_STREAM;
	}

	aw_querycheck_no_stream_in_expressions(query, view);
	if (level->kind == AW_LEVEL_STATIC)
		return level;

	aw_querycheck_preserved(query, level->stream);
	foreach(lc, scan.windows)
		open_window(level, lfirst_int(lc));
	if (level->call == NULL)
		level->call = group_window(query, &level->window_kind);
	classify_rows(level);
	aw_queryrole_of_outputs(level);
	return level;
}

/* Branches that read no stream make an ordinary query. */
static AwLevel *
classify_set_operation(AwLevel *level, Relation view)
{
	ListCell   *lc;

	foreach(lc, level->query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		if (rte->rtekind == RTE_SUBQUERY && classify(rte->subquery, view)->kind != AW_LEVEL_STATIC)
			aw_querycheck_refuse("a continuous query cannot use UNION, INTERSECT or EXCEPT over a stream",
								 "Write a continuous query for each branch; all can publish into one sink.");
	}
	return level;
}

/* Looks at the items of FROM. */
static void
scan_items(LevelScan *scan, Node *jtnode)
{
	ListCell   *lc;

	if (IsA(jtnode, RangeTblRef))
		scan_item(scan, ((RangeTblRef *) jtnode)->rtindex);
	else if (IsA(jtnode, JoinExpr))
	{
		scan_items(scan, ((JoinExpr *) jtnode)->larg);
		scan_items(scan, ((JoinExpr *) jtnode)->rarg);
	}
	else
	{
		foreach(lc, ((FromExpr *) jtnode)->fromlist)
			scan_items(scan, lfirst(lc));
	}
}

/* What an item is: a stream, windows of one, or something to look up. */
static void
scan_item(LevelScan *scan, int rtindex)
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
			add_stream(scan, rtindex, NULL);
			scan->level->table_definition = definition;
			break;
		case RTE_SUBQUERY:
			below = classify(rte->subquery, scan->view);
			if (below->kind != AW_LEVEL_STATIC)
				add_stream(scan, rtindex, below);
			break;
		case RTE_FUNCTION:
			scan_function(scan, rtindex, rte);
			break;
		default:
			break;
	}
}

/* Notes the item that the rows of the level come from, of which there is one. */
static void
add_stream(LevelScan *scan, int rtindex, AwLevel *below)
{
	AwLevel    *level = scan->level;
	AwLevelKind kind = below ? below->kind : AW_LEVEL_STREAM;

	if (level->stream != 0 && (kind == AW_LEVEL_STREAM || level->kind == AW_LEVEL_STREAM))
		aw_querycheck_refuse("a continuous query cannot join two streams",
							 "Write a continuous query for each stream, and join their sinks.");
	if (level->stream != 0)
		aw_querycheck_refuse("a continuous query cannot join windows",
							 "Write a continuous query for each input, and join their sinks by window_start and window_end.");
	level->stream = rtindex;
	level->below = below;
	level->kind = kind;
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
refuse_second_window(void)
{
	aw_querycheck_refuse("a continuous query can have one window only",
						 "Write a continuous query for each window.");
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

	if (level->kind == AW_LEVEL_OPEN && aw_querycheck_is_grouped(query))
	{
		if (query->groupingSets != NIL)
			aw_querycheck_refuse("a continuous query cannot open windows with GROUPING SETS, CUBE or ROLLUP",
								 "Group by window_start, window_end and all keys in a subquery, and use the grouping sets in a query around it.");
		check_grouping(level);
		level->is_cut = true;
		level->kind = AW_LEVEL_CLOSED;
		check_windows(level);
	}
	else if (level->kind == AW_LEVEL_CLOSED)
	{
		if (aw_querycheck_is_grouped(query))
			check_grouping(level);
		check_windows(level);
	}
	else
	{
		if (aw_querycheck_is_grouped(query))
			aw_querycheck_refuse_group();
		aw_querycheck_row_by_row(query, level->kind == AW_LEVEL_OPEN);
	}
}

/* The window must be over the rowtime of the stream: only that has a watermark. */
static void
check_time_column(const AwLevel *level)
{
	Node	   *time = argument_of_call(level->call, level->window == 0 ? 0 : 1);
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

/* What is computed of complete windows must be computed of each by itself. */
static void
check_windows(const AwLevel *level)
{
	const Query *query = level->query;
	ListCell   *lc;

	if (query->limitCount != NULL || query->limitOffset != NULL)
		aw_querycheck_refuse_limit();
	foreach(lc, query->hasWindowFuncs ? query->windowClause : NIL)
		check_contains_window(level, lfirst_node(WindowClause, lc)->partitionClause,
							  "PARTITION BY", "Add window_end to PARTITION BY.");
	if (query->distinctClause != NIL)
		check_contains_window(level, query->distinctClause, "SELECT DISTINCT",
							  "Add window_end to the select list.");
}

/* Each group must be of one window, in every grouping set. */
static void
check_grouping(const AwLevel *level)
{
	Query	   *query = level->query;
	List	   *sets;
	ListCell   *lc;

	if (query->groupingSets == NIL)
	{
		check_contains_window(level, query->groupClause, "GROUP BY",
							  "Add window_start and window_end to GROUP BY.");
		return;
	}

	sets = expand_grouping_sets(query->groupingSets, query->groupDistinct, -1);
	foreach(lc, sets)
	{
		List	   *clauses = NIL;
		ListCell   *lr;

		foreach(lr, (List *) lfirst(lc))
			clauses = lappend(clauses, get_sortgroupref_clause(lfirst_int(lr),
															   query->groupClause));
		check_contains_window(level, clauses, "every grouping set",
							  "Write GROUP BY window_end, ROLLUP (…), so that it is in all of them.");
	}
}

/*
 * Refuses a clause without columns that tell windows apart, or once they are closed,
 * their ends: those that end together are published together.
 *
 * Windows of CUMULATE have their start in common.  On the wall clock of a time zone,
 * windows of HOP may have either in common, where clocks are changed.
 */
static void
check_contains_window(const AwLevel *level, List *clauses, const char *what, const char *hint)
{
	const AwLevel *opened = level;
	const char *needed = "window_start or window_end";
	bool		has_start;
	bool		has_end;
	bool		is_told_apart;

	while (opened->call == NULL)
		opened = opened->below;
	find_window_columns(level, clauses, &has_start, &has_end);
	is_told_apart = has_start || has_end;
	if (opened->window_kind == AW_KIND_CUMULATE ||
		(opened->window_kind == AW_KIND_HOP && is_zoned(opened)))
	{
		needed = "window_end";
		is_told_apart = has_end;
	}
	if (level->kind == AW_LEVEL_OPEN && opened->window_kind == AW_KIND_HOP && is_zoned(opened))
	{
		needed = "window_start and window_end";
		is_told_apart = has_start && has_end;
	}
	if (!is_told_apart)
		aw_querycheck_refuse(psprintf("%s in a continuous query must contain %s", what, needed),
							 hint);
}

/* Are there a start and an end of windows among these?  A group window is both. */
static void
find_window_columns(const AwLevel *level, List *clauses, bool *has_start, bool *has_end)
{
	ListCell   *lc;

	*has_start = *has_end = false;
	foreach(lc, clauses)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(lc), level->query->targetList);
		AwColumnRole role = aw_queryrole_of(level, expr);
		bool		is_both = level->call != NULL && level->window == 0 &&
			equal(expr, level->call);

		*has_start |= role == AW_ROLE_START;
		*has_end |= role > AW_ROLE_START || is_both;
	}
}

/* Are the windows of a level cut on the wall clock of a time zone? */
static bool
is_zoned(const AwLevel *opened)
{
	Node	   *time = argument_of_call(opened->call, opened->window == 0 ? 0 : 1);

	return getBaseType(exprType(time)) == TIMESTAMPTZOID;
}

/* Names the levels that matter; a definition above the window is none of its. */
static void
describe_chain(AwQueryClass *class, bool is_tracking)
{
	for (AwLevel *level = class->top; level != NULL; level = level->below)
	{
		if (level->is_cut)
			class->cut = level;
		if (level->call != NULL)
			class->window_level = level;
		if ((class->window_level != NULL || is_tracking) && class->definition == NULL &&
			level->definition != NULL)
		{
			class->definition_level = level;
			class->definition = level->definition;
		}
		class->table_level = level;
	}
	if (class->definition == NULL)
		class->definition = class->table_level->table_definition;
}

/* The window, which must be the same for all rows, and the time that it is over. */
static void
describe_window(AwQueryClass *class)
{
	const AwLevel *level = class->window_level;
	bool		has_steps = level->window_kind != AW_KIND_TUMBLE;
	int			time = level->window == 0 ? 0 : 1;
	int			size = has_steps ? time + 2 : time + 1;

	class->rowtime = list_nth(aw_rangetable_call_args(level->call), time);
	if (!aw_windowspec_constants(&class->window, level->window_kind,
								 argument_of_call(level->call, size),
								 has_steps ? argument_of_call(level->call, size - 1) : NULL,
								 time > 0 ? argument_of_call(level->call, size + 1) : NULL))
		aw_querycheck_refuse("the size and the offset of a window in a continuous query must be constants",
							 "Write them as INTERVAL '10' MINUTE.");
	if (level->window != 0 && class->window.step_us > class->window.size_us)
		aw_querycheck_no_gaps(level->query, level->window);
}

/*
 * The time of a stream that is tracked, at the level where it is defined.  There a row
 * has a window, too, the smallest: a time that is in none is out of range.
 */
static void
describe_tracking(AwQueryClass *class)
{
	class->cut = class->top;
	class->window_level = class->definition_level;
	class->rowtime = copyObject(class->definition->rowtime);
	if (class->window_level == NULL)
	{
		class->window_level = class->table_level;
		ChangeVarNodes(class->rowtime, 1, class->table_level->stream, 0);
	}
	(void) aw_window_init(&class->window, AW_KIND_TUMBLE, AW_WINDOW_MIN_US, AW_WINDOW_MIN_US, 0);
}

/* An argument as it was written, constants folded. */
static Node *
argument_of_call(const FuncExpr *call, int number)
{
	Node	   *arg = list_nth(aw_rangetable_call_args(call), number);

	return aw_rowtime_written(eval_const_expressions(NULL, aw_rowtime_written(arg)));
}
