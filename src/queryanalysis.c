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

static TupleDesc result_columns(const AwQueryAnalysis *analysis);
static int32 rowtime_typmod(const AwQueryClass *class);
static int32 window_typmod(const AwQueryAnalysis *analysis, AwColumnRole role);
static char *fingerprint(const AwQueryAnalysis *analysis);
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
	aw_querytree_check_stable(analysis->class->definition->strategy);
	aw_querytree_check_stable(analysis->class->definition->rowtime);
	analysis->cut = aw_querycut_cut(analysis->class);
	analysis->rows = ExecCleanTypeFromTL(analysis->cut->ingest->targetList);
	analysis->rowtime_typmod = rowtime_typmod(analysis->class);
	analysis->results = result_columns(analysis);
	analysis->fingerprint = fingerprint(analysis);
	PopActiveSnapshot();
	relation_close(view, NoLock);
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

/* Digits of seconds of a rowtime, -1 if its type does not limit them. */
static int32
rowtime_typmod(const AwQueryClass *class)
{
	Node	   *rowtime = aw_rowtime_written(class->rowtime);
	int32		typmod = exprTypmod(rowtime);

	(void) getBaseTypeAndTypmod(exprType(rowtime), &typmod);
	return typmod;
}

/* The same of a column of the window, which must not be rounded. */
static int32
window_typmod(const AwQueryAnalysis *analysis, AwColumnRole role)
{
	const AwWindow *window = &analysis->class->window;
	int32		typmod = analysis->rowtime_typmod;
	int64		unit_us = 1;

	if (typmod < 0)
		return -1;
	if (role == AW_ROLE_TIME)
		typmod = Max(typmod, AW_MILLISECOND_DIGITS);
	for (int digit = typmod; digit < MAX_TIMESTAMP_PRECISION; digit++)
		unit_us *= 10;
	return window->slice_us % unit_us == 0 && window->origin_us % unit_us == 0 ? typmod : -1;
}

/* A text that is the same as long as a state can be gone on with. */
static char *
fingerprint(const AwQueryAnalysis *analysis)
{
	const AwQueryCut *cut = analysis->cut;
	const AwWindow *window = &analysis->class->window;
	StringInfoData text;
	ListCell   *lc;

	initStringInfo(&text);
	appendStringInfo(&text, "table %u window %d " INT64_FORMAT " " INT64_FORMAT " " INT64_FORMAT
					 " typmod %d rows", cut->table, (int) window->kind, window->size_us,
					 window->step_us, window->origin_us, analysis->rowtime_typmod);
	append_columns(&text, analysis->rows);
	appendStringInfoString(&text, " windows");
	append_columns(&text, cut->windows);
	appendStringInfoString(&text, " results");
	append_columns(&text, analysis->results);
	foreach(lc, cut->key_operators)
		appendStringInfo(&text, " key %u", lfirst_oid(lc));
	for (int i = 0; i < cut->n_calls; i++)
	{
		const AwAggregateCall *call = &cut->calls[i];

		appendStringInfo(&text, " call %u of %d if %d in %d collation %u distinct %d",
						 call->aggref->aggfnoid, call->first_column, call->filter_column,
						 call->aggref->aggtransno, call->aggref->inputcollid,
						 call->aggref->aggdistinct != NIL);
	}
	return text.data;
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
