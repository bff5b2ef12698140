/*
 * queryanalysis.c
 *
 * Analyses the query of a view for the current user: classified and cut, its result
 * described, and a fingerprint taken of all that a state of it depends on.
 *
 * Everything is in the current memory context, and a few hundred kilobytes.
 */
#include "postgres.h"

#include "access/relation.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "queryanalysis.h"
#include "querytree.h"
#include "rowtime.h"

static void describe_parts(AwQueryAnalysis *analysis);
static TupleDesc result_columns(const AwQueryAnalysis *analysis);
static int32 rowtime_typmod(const AwPartClass *part);
static int32 window_typmod(const AwQueryAnalysis *analysis, AwColumnRole role);
static char *fingerprint(const AwQueryAnalysis *analysis);
static void append_part(StringInfo text, const AwQueryAnalysis *analysis, int number);
static void append_columns(StringInfo text, TupleDesc columns);

/* Everything there is to know of the query as it is now, in the current context. */
void
aw_queryanalysis_of(Oid relid, bool is_tracking, AwQueryAnalysis *analysis)
{
	Relation	view = try_relation_open(relid, AccessShareLock);
	Query	   *tree;

	if (view == NULL)
		aw_queryanalysis_refuse_missing_view();
	PushActiveSnapshot(GetTransactionSnapshot());
	analysis->view = relid;
	analysis->text = aw_querytree_text(view);
	analysis->statement = aw_querytree_parse(analysis->text);
	tree = aw_querytree_analyse(analysis->statement, analysis->text);
	aw_querytree_check_stable((Node *) tree);
	analysis->class = aw_queryclass_of(tree, view, is_tracking);
	analysis->cut = aw_querycut_cut(analysis->class);
	describe_parts(analysis);
	analysis->results = result_columns(analysis);
	analysis->fingerprint = fingerprint(analysis);
	PopActiveSnapshot();
	relation_close(view, NoLock);
}

/* What is known of each window, and the last checks of its definitions. */
static void
describe_parts(AwQueryAnalysis *analysis)
{
	const AwQueryCut *cut = analysis->cut;

	analysis->rows = palloc(sizeof(TupleDesc) * cut->n_parts);
	analysis->rowtime_typmods = palloc(sizeof(int32) * cut->n_parts);
	for (int i = 0; i < cut->n_parts; i++)
	{
		ListCell   *lc;

		foreach(lc, cut->parts[i].class->streams)
		{
			const AwDefinition *definition = ((AwStreamClass *) lfirst(lc))->definition;

			aw_querytree_check_stable(definition->strategy);
			aw_querytree_check_stable(definition->rowtime);
		}
		analysis->rows[i] = ExecCleanTypeFromTL(cut->parts[i].streams[0].ingest->targetList);
		analysis->rowtime_typmods[i] = rowtime_typmod(cut->parts[i].class);
	}
}

/* The columns of the result; those of the window have the precision of the rowtime. */
static TupleDesc
result_columns(const AwQueryAnalysis *analysis)
{
	const AwLevel *top = analysis->class->top;
	TupleDesc	columns = ExecCleanTypeFromTL(top->query->targetList);

	for (int i = 0; i < columns->natts; i++)
	{
		if (top->roles[i] >= AW_ROLE_START)
			TupleDescAttr(columns, i)->atttypmod = window_typmod(analysis, top->roles[i]);
	}
	return columns;
}

/* Digits of seconds of the rowtimes of a part, -1 if the type of one does not limit them. */
static int32
rowtime_typmod(const AwPartClass *part)
{
	int32		most = 0;
	ListCell   *lc;

	foreach(lc, part->streams)
	{
		Node	   *rowtime = aw_rowtime_written(((AwStreamClass *) lfirst(lc))->rowtime);
		int32		typmod = exprTypmod(rowtime);

		(void) getBaseTypeAndTypmod(exprType(rowtime), &typmod);
		most = most < 0 || typmod < 0 ? -1 : Max(most, typmod);
	}
	return most;
}

/* The same of a column of the window, of whatever part, which must not be rounded. */
static int32
window_typmod(const AwQueryAnalysis *analysis, AwColumnRole role)
{
	int32		most = 0;

	for (int i = 0; i < analysis->cut->n_parts; i++)
	{
		const AwStreamClass *stream = analysis->cut->parts[i].streams[0].class;
		int32		typmod = analysis->rowtime_typmods[i];
		int64		unit_us = 1;

		if (typmod < 0)
			return -1;
		if (role == AW_ROLE_TIME)
			typmod = Max(typmod, AW_MILLISECOND_DIGITS);
		for (int digit = typmod; digit < MAX_TIMESTAMP_PRECISION; digit++)
			unit_us *= 10;
		if (stream->window.slice_us % unit_us != 0 || stream->window.origin_us % unit_us != 0)
			return -1;
		most = Max(most, typmod);
	}
	return most;
}

/* A text that is the same as long as a state can be gone on with. */
static char *
fingerprint(const AwQueryAnalysis *analysis)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < analysis->cut->n_parts; i++)
		append_part(&text, analysis, i);
	appendStringInfoString(&text, " results");
	append_columns(&text, analysis->results);
	return text.data;
}

static void
append_part(StringInfo text, const AwQueryAnalysis *analysis, int number)
{
	const AwPartCut *part = &analysis->cut->parts[number];
	const AwWindow *window = &part->streams[0].class->window;
	ListCell   *lc;

	appendStringInfo(text, " window %d " INT64_FORMAT " " INT64_FORMAT " " INT64_FORMAT
					 " typmod %d %s of tables", (int) window->kind, window->size_us,
					 window->step_us, window->origin_us, analysis->rowtime_typmods[number],
					 part->class->cut->keeps_rows ? "rows" : "states");
	for (int i = 0; i < part->n_streams; i++)
		appendStringInfo(text, " %u", part->streams[i].table);
	append_columns(text, analysis->rows[number]);
	appendStringInfoString(text, " windows");
	append_columns(text, part->windows);
	foreach(lc, part->key_operators)
		appendStringInfo(text, " key %u", lfirst_oid(lc));
	for (int i = 0; i < part->n_calls; i++)
	{
		const AwAggregateCall *call = &part->calls[i];

		appendStringInfo(text, " call %u of %d if %d in %d collation %u distinct %d",
						 call->aggref->aggfnoid, call->first_column, call->filter_column,
						 call->aggref->aggtransno, call->aggref->inputcollid,
						 call->aggref->aggdistinct != NIL);
	}
}

static void
append_columns(StringInfo text, TupleDesc columns)
{
	for (int i = 0; i < columns->natts; i++)
		appendStringInfo(text, " %u %u", TupleDescAttr(columns, i)->atttypid,
						 TupleDescAttr(columns, i)->attcollation);
}

void
aw_queryanalysis_refuse_missing_view(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("the view of a continuous query does not exist any more")));
}
