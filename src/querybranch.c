/*
 * querybranch.c
 *
 * The streams whose rows come to a window.  Where UNION ALL is on the way from the cut of
 * a query down to tables, there is one for each of its branches: a copy of the cut in
 * whose place of the union that branch alone is, with the columns that the union gives
 * it.  So all that is done with a stream is done with one chain of levels.
 *
 * A watermark definition above a union is over the rows of all branches; below, each
 * branch has its own watermark.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "querybranch.h"
#include "querycheck.h"
#include "rangetable.h"
#include "rowtime.h"
#include "windowspec.h"

/* What all streams of a class are found with. */
typedef struct StreamSearch
{
	Relation	view;			/* named in errors */
	bool		is_tracking;
	int			n_watermarks;
} StreamSearch;

static List *find_streams(AwLevel *cut, StreamSearch *search);
static AwLevel *union_below(AwLevel *cut, int *depth);
static List *streams_of_branch(AwLevel *cut, int depth, const AwLevelItem *item,
							   StreamSearch *search);
static bool is_defined_above(const AwStreamClass *stream, int depth);
static AwStreamClass *describe_stream(AwLevel *cut, StreamSearch *search);
static void describe_chain(AwStreamClass *stream, bool is_tracking);
static void describe_window(AwStreamClass *stream);
static void describe_tracking(AwStreamClass *stream);
static void check_alike(const List *streams);

/* The streams of a cut, numbered after those of the class that are known. */
List *
aw_querybranch_streams(const AwQueryClass *class, AwLevel *cut, Relation view, bool is_tracking)
{
	StreamSearch search = {.view = view,.is_tracking = is_tracking};
	List	   *streams;
	ListCell   *lp;
	ListCell   *ls;

	foreach(lp, class->parts)
	{
		foreach(ls, ((AwPartClass *) lfirst(lp))->streams)
			search.n_watermarks = Max(search.n_watermarks,
									  ((AwStreamClass *) lfirst(ls))->watermark + 1);
	}
	streams = find_streams(cut, &search);
	check_alike(streams);
	return streams;
}

/* All watermarks of a query are of one kind of time, for the least of them counts. */
void
aw_querybranch_check_times(const AwQueryClass *class)
{
	const AwPartClass *first = linitial(class->parts);
	Oid			type = getBaseType(exprType(((AwStreamClass *) linitial(first->streams))->rowtime));
	ListCell   *lp;
	ListCell   *ls;

	foreach(lp, class->parts)
	{
		foreach(ls, ((AwPartClass *) lfirst(lp))->streams)
		{
			if (getBaseType(exprType(((AwStreamClass *) lfirst(ls))->rowtime)) != type)
				aw_querycheck_refuse("the rowtimes of a continuous query must have the same type",
									 "Use timestamp or timestamptz for all of its streams.");
		}
	}
}

/*
 * SELECT * FROM a query, as a query, with the columns of a set operation if one is
 * given, whose branch it is.
 */
Query *
aw_querybranch_select_all(Query *query, const Query *operation)
{
	const SetOperationStmt *columns = operation == NULL ? NULL :
		castNode(SetOperationStmt, operation->setOperations);
	Query	   *all = makeNode(Query);
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblRef *ref = makeNode(RangeTblRef);
	int			n_columns = 0;
	ListCell   *lc;

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = query;
	rte->inFromCl = true;
	rte->eref = makeAlias("branch", NIL);
	ref->rtindex = 1;
	all->commandType = CMD_SELECT;
	all->querySource = QSRC_ORIGINAL;
	all->canSetTag = true;
	all->rtable = list_make1(rte);
	all->jointree = makeFromExpr(list_make1(ref), NULL);
	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		char	   *name = entry->resname;
		Node	   *column;

		if (entry->resjunk)
			continue;
		column = (Node *) makeVarFromTargetEntry(1, entry);
		if (columns != NULL && exprType(column) != list_nth_oid(columns->colTypes, n_columns))
			column = coerce_to_target_type(NULL, column, exprType(column),
										   list_nth_oid(columns->colTypes, n_columns),
										   list_nth_int(columns->colTypmods, n_columns),
										   COERCION_IMPLICIT, COERCE_EXPLICIT_CAST, -1);
		if (columns != NULL)
			name = list_nth_node(TargetEntry, operation->targetList, n_columns)->resname;
		n_columns++;
		rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup(entry->resname)));
		all->targetList = lappend(all->targetList,
								  makeTargetEntry((Expr *) column, n_columns, pstrdup(name), false));
	}
	return all;
}

/* The streams of a cut, one if there is no union below. */
static List *
find_streams(AwLevel *cut, StreamSearch *search)
{
	int			depth;
	const AwLevel *operation = union_below(cut, &depth);
	List	   *streams = NIL;
	int			common = -1;
	ListCell   *lc;

	if (operation == NULL)
		return list_make1(describe_stream(cut, search));

	foreach(lc, operation->items)
		streams = list_concat(streams, streams_of_branch(cut, depth, lfirst(lc), search));
	foreach(lc, streams)
	{
		AwStreamClass *stream = lfirst(lc);

		if (!is_defined_above(stream, depth))
			continue;
		if (common < 0)
			common = stream->watermark;
		stream->watermark = common;
	}
	return streams;
}

/* The first union on the way down, and how many levels it is below the cut; else NULL. */
static AwLevel *
union_below(AwLevel *cut, int *depth)
{
	AwLevel    *level = cut;

	for (*depth = 0; level != NULL && !level->is_union; (*depth)++)
		level = level->below;
	return level;
}

/* The streams of a copy of the cut that has one branch of the union in its place. */
static List *
streams_of_branch(AwLevel *cut, int depth, const AwLevelItem *item, StreamSearch *search)
{
	Query	   *copy = copyObject(cut->query);
	RangeTblEntry *rte = NULL;
	AwLevel    *level = cut;
	Query	   *query = copy;

	for (; depth > 0; depth--)
	{
		rte = rt_fetch(level->stream, query->rtable);
		query = rte->subquery;
		level = level->below;
	}
	Assert(rte != NULL);
	rte->subquery = aw_querybranch_select_all(rt_fetch(item->rtindex, query->rtable)->subquery,
											  query);
	return find_streams(aw_queryclass_level(copy, search->view), search);
}

/* Is the definition of a stream less than so many levels below its cut? */
static bool
is_defined_above(const AwStreamClass *stream, int depth)
{
	const AwLevel *level = stream->cut;

	for (; depth > 0; depth--)
	{
		if (level == stream->definition_level)
			return true;
		level = level->below;
	}
	return false;
}

/* The stream at the end of a chain without a union. */
static AwStreamClass *
describe_stream(AwLevel *cut, StreamSearch *search)
{
	AwStreamClass *stream = palloc0(sizeof(AwStreamClass));

	stream->cut = cut;
	stream->watermark = search->n_watermarks++;
	describe_chain(stream, search->is_tracking);
	if (search->is_tracking)
		describe_tracking(stream);
	else
		describe_window(stream);
	return stream;
}

/* The rows of a union are in the same windows. */
static void
check_alike(const List *streams)
{
	const AwStreamClass *first = linitial(streams);
	ListCell   *lc;

	foreach(lc, streams)
	{
		const AwStreamClass *stream = lfirst(lc);

		if (memcmp(&stream->window, &first->window, sizeof(AwWindow)) != 0)
			aw_querycheck_refuse("the branches of UNION ALL have different windows",
								 "Group each branch by its window, and unite the groups.");
	}
}

/* Names the levels that matter; a definition above the window is none of its. */
static void
describe_chain(AwStreamClass *stream, bool is_tracking)
{
	for (AwLevel *level = stream->cut; level != NULL; level = level->below)
	{
		if (level->call != NULL)
			stream->window_level = level;
		if ((stream->window_level != NULL || is_tracking) && stream->definition == NULL &&
			level->definition != NULL)
		{
			stream->definition_level = level;
			stream->definition = level->definition;
		}
		stream->table_level = level;
	}
	if (stream->definition == NULL)
		stream->definition = stream->table_level->table_definition;
}

/* The window, which must be the same for all rows, and the time that it is over. */
static void
describe_window(AwStreamClass *stream)
{
	const AwLevel *level = stream->window_level;
	bool		has_steps = level->window_kind != AW_KIND_TUMBLE;
	int			time = level->window == 0 ? 0 : 1;
	int			size = has_steps ? time + 2 : time + 1;

	stream->rowtime = list_nth(aw_rangetable_call_args(level->call), time);
	if (!aw_windowspec_constants(&stream->window, level->window_kind,
								 aw_querybranch_argument(level->call, size),
								 has_steps ? aw_querybranch_argument(level->call, size - 1) : NULL,
								 time > 0 ? aw_querybranch_argument(level->call, size + 1) : NULL))
		aw_querycheck_refuse("the size and the offset of a window in a continuous query must be constants",
							 "Write them as INTERVAL '10' MINUTE.");
	if (level->window != 0 && stream->window.step_us > stream->window.size_us)
		aw_querycheck_no_gaps(level->query, level->window);
}

/*
 * The time of a stream that is tracked, at the level where it is defined.  There a row
 * has a window, too, the smallest: a time that is in none is out of range.
 */
static void
describe_tracking(AwStreamClass *stream)
{
	stream->window_level = stream->definition_level;
	stream->rowtime = copyObject(stream->definition->rowtime);
	if (stream->window_level == NULL)
	{
		stream->window_level = stream->table_level;
		ChangeVarNodes(stream->rowtime, 1, stream->table_level->stream, 0);
	}
	(void) aw_window_init(&stream->window, AW_KIND_TUMBLE, AW_WINDOW_MIN_US, AW_WINDOW_MIN_US, 0);
}

/* An argument of a call as it was written, constants folded. */
Node *
aw_querybranch_argument(const FuncExpr *call, int number)
{
	Node	   *arg = list_nth(aw_rangetable_call_args(call), number);

	return aw_rowtime_written(eval_const_expressions(NULL, aw_rowtime_written(arg)));
}
