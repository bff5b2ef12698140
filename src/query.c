/*
 * query.c
 *
 * A continuous query from its view to statements that run.
 *
 * The query is kept as a view, so that PostgreSQL follows renames and guards what is
 * dropped.  It is analysed as "SELECT * FROM view" by the view's owner, classified,
 * cut, and its statements are planned: two for each stream, and one to publish.  When something that they depend on
 * changes, all is done again, and what the state is made of must come out the same.
 *
 * Statements run as the view's owner, in a security-restricted operation, with the
 * time zone, the search path, and the styles of dates and intervals of the query.
 * aw_query_enter() is for the caller's own calls of the query's functions; the
 * functions here call it themselves.  All need a transaction; an error in it restores
 * the identity.
 *
 * A long-lived context holds the query; what is analysed is kept only as plans.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/tstoreReceiver.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "aggtransition.h"
#include "compat.h"
#include "groupterm.h"
#include "query.h"
#include "queryanalysis.h"
#include "querycheck.h"
#include "querystream.h"

/* The plans, remade as a whole: of each stream two, and the last to publish. */
typedef struct AwQueryStatements
{
	int			n_plans;
	AwQueryPlan **plans;
	char	   *fingerprint;	/* of all that a state depends on */
	bool		bypasses_rls;	/* the owner did, when they were made */
	MemoryContext cxt;
} AwQueryStatements;

/* The numbers of plans. */
#define WATERMARKS_OF(stream)	(2 * (stream))
#define INGEST_OF(stream)		(2 * (stream) + 1)

/* Turns rows of the watermark statement into values. */
typedef struct WatermarkReader
{
	AwWatermarkCallback callback;
	void	   *context;
} WatermarkReader;

static Oid	owner_of_view(Oid view);
static void set_option(const char *name, const char *value);
static void describe(AwQuery *query, const AwQueryAnalysis *analysis);
static int	number_watermark(List **numbers, const AwStreamClass *class);
static void describe_part(AwQueryPart *part, const AwQueryAnalysis *analysis, int number);
static AwQueryStatements *plan_statements(const AwQueryAnalysis *analysis, MemoryContext parent);
static AwQueryPlan *plan_stream(const AwQueryAnalysis *analysis, Query *tree,
								const AwStreamCut *stream);
static AwQueryPlan *plan_publish(const AwQueryAnalysis *analysis);
static void keep_statements(AwQueryStatements *statements);
static void free_statements(AwQueryStatements *statements);
static void dry_run(const AwQuery *query, const AwQueryStatements *statements);
static void run_on_batch(AwQuery *query, int number, TupleDesc columns, Tuplestorestate *batch,
						 DestReceiver *receiver);
static void check_layout(const AwQuery *query, int number, TupleDesc columns);
static void read_watermark(TupleTableSlot *slot, void *context);

/*
 * Makes the query of a view ready, in a child of the current memory context; raises
 * an error if it cannot be continuous, or its owner may not run it.  The view of a
 * stream that is tracked has no window.
 */
AwQuery *
aw_query_prepare(Oid view, bool is_tracking, const AwQuerySettings *settings)
{
	MemoryContext parent = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(CurTransactionContext, "query analysis",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext cxt = AllocSetContextCreate(scratch, "continuous query",
											  ALLOCSET_DEFAULT_SIZES);
	AwQuery    *query = MemoryContextAllocZero(cxt, sizeof(AwQuery));
	AwQueryIdentity before;
	AwQueryAnalysis analysis;

	query->cxt = cxt;
	query->view = view;
	query->is_tracking = is_tracking;
	query->owner = owner_of_view(view);
	query->settings.time_zone = MemoryContextStrdup(cxt, settings->time_zone);
	query->settings.search_path = MemoryContextStrdup(cxt, settings->search_path);
	query->settings.date_style = MemoryContextStrdup(cxt, settings->date_style);
	query->settings.interval_style = MemoryContextStrdup(cxt, settings->interval_style);

	MemoryContextSwitchTo(scratch);
	aw_query_enter(query, &before);
	aw_queryanalysis_of(query->view, query->is_tracking, &analysis);
	describe(query, &analysis);
	query->statements = plan_statements(&analysis, cxt);
	dry_run(query, query->statements);
	aw_query_leave(&before);
	MemoryContextSwitchTo(parent);

	keep_statements(query->statements);
	MemoryContextSetParent(cxt, parent);
	MemoryContextDelete(scratch);
	return query;
}

void
aw_query_free(AwQuery *query)
{
	free_statements(query->statements);
	MemoryContextDelete(query->cxt);
}

/* Is there nothing known that has changed what the query's statements depend on? */
bool
aw_query_is_current(const AwQuery *query)
{
	/* Not all minor versions of the server notice that a role has become another. */
	if (query->statements->bypasses_rls != has_bypassrls_privilege(query->owner))
		return false;
	for (int i = 0; i < query->statements->n_plans; i++)
	{
		if (!aw_queryplan_is_valid(query->statements->plans[i]))
			return false;
	}
	return true;
}

/*
 * Analyses the query again if something has changed, as who owns it now.  Raises an
 * error if states would not fit any more; then the query can only be freed.
 */
void
aw_query_refresh(AwQuery *query)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext scratch;
	AwQueryStatements *statements;
	AwQueryIdentity before;
	AwQueryAnalysis analysis;

	if (aw_query_is_current(query))
		return;

	scratch = AllocSetContextCreate(CurTransactionContext, "query analysis",
									ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(scratch);
	query->owner = owner_of_view(query->view);
	aw_query_enter(query, &before);
	aw_queryanalysis_of(query->view, query->is_tracking, &analysis);
	statements = plan_statements(&analysis, scratch);
	if (strcmp(statements->fingerprint, query->statements->fingerprint) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the state of continuous query \"%s\" no longer fits its definition",
						get_rel_name(query->view)),
				 errhint("Drop the query and create it again.")));
	aw_query_leave(&before);
	MemoryContextSwitchTo(caller);

	keep_statements(statements);
	MemoryContextSetParent(statements->cxt, query->cxt);
	free_statements(query->statements);
	query->statements = statements;
	MemoryContextDelete(scratch);
}

/*
 * A text that is the same as long as states fit the query; kept with states, it tells
 * whether they still do.
 */
const char *
aw_query_fingerprint(const AwQuery *query)
{
	return query->statements->fingerprint;
}

/* Becomes the owner of the query, with the query's settings. */
void
aw_query_enter(const AwQuery *query, AwQueryIdentity *before)
{
	GetUserIdAndSecContext(&before->role, &before->security);
	before->guc_level = NewGUCNestLevel();
	SetUserIdAndSecContext(query->owner, before->security | SECURITY_RESTRICTED_OPERATION);
	set_option("TimeZone", query->settings.time_zone);
	set_option("search_path", query->settings.search_path);
	set_option("DateStyle", query->settings.date_style);
	set_option("IntervalStyle", query->settings.interval_style);
}

/* Becomes what the session was before. */
void
aw_query_leave(const AwQueryIdentity *before)
{
	AtEOXact_GUC(false, before->guc_level);
	SetUserIdAndSecContext(before->role, before->security);
}

/* Setting costs more than looking. */
static void
set_option(const char *name, const char *value)
{
	if (strcmp(GetConfigOption(name, false, false), value) != 0)
		(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
								 false);
}

/* Do the statements over a stream read one of these columns of captured rows? */
bool
aw_query_reads(const AwQuery *query, int stream, const Bitmapset *columns)
{
	return aw_queryplan_reads(query->statements->plans[WATERMARKS_OF(stream)], columns) ||
		aw_queryplan_reads(query->statements->plans[INGEST_OF(stream)], columns);
}

/*
 * Calls back with rowtime and strategy of captured rows of a stream.  A row that the
 * definition does not see is left out, one that is joined may come several times; in any
 * order.
 */
void
aw_query_run_watermarks(AwQuery *query, int stream, TupleDesc columns, Tuplestorestate *batch,
						AwWatermarkCallback callback, void *context)
{
	WatermarkReader reader = {.callback = callback,.context = context};

	run_on_batch(query, WATERMARKS_OF(stream), columns, batch,
				 aw_queryplan_receiver(read_watermark, &reader));
}

/*
 * Calls back with ordinal, rowtime, and what is kept of captured rows: those that the
 * query's filters and joins let through, in any order.
 */
void
aw_query_run_ingest(AwQuery *query, int stream, TupleDesc columns, Tuplestorestate *batch,
					AwRowCallback callback, void *context)
{
	const AwQueryPart *part = &query->parts[query->streams[stream].part];

	run_on_batch(query, INGEST_OF(stream), columns, batch,
				 aw_queryplan_receiver(callback, context));

	/* Aggregates are no part of a statement, which would ask for the right to call them. */
	for (int i = 0; i < part->n_calls; i++)
		aw_aggtransition_check(part->calls[i].aggref->aggfnoid, query->owner);
}

/* Appends the query's result over closed windows, whose columns each part describes. */
void
aw_query_run_publish(AwQuery *query, Tuplestorestate *const *windows, Tuplestorestate *results)
{
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);
	AwQueryIdentity before;
	bool		is_done;

	SetTuplestoreDestReceiverParams(receiver, results, CurrentMemoryContext, false, NULL, NULL);
	do
	{
		CHECK_FOR_INTERRUPTS();
		aw_query_refresh(query);
		aw_query_enter(query, &before);
		is_done = aw_queryplan_run(query->statements->plans[query->statements->n_plans - 1],
								   windows, receiver);
		aw_query_leave(&before);
	} while (!is_done);
	receiver->rDestroy(receiver);
}

/* Whose rights the query has: analysis and statements are the owner's. */
static Oid
owner_of_view(Oid view)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(view));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		aw_queryanalysis_refuse_missing_view();
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* What stays for the life of the query. */
static void
describe(AwQuery *query, const AwQueryAnalysis *analysis)
{
	const AwQueryCut *cut = analysis->cut;
	const AwStreamClass *first = cut->parts[0].streams[0].class;
	MemoryContext caller = MemoryContextSwitchTo(query->cxt);
	List	   *numbers = NIL;

	query->is_zoned = getBaseType(exprType(first->rowtime)) == TIMESTAMPTZOID;
	query->n_parts = cut->n_parts;
	query->parts = palloc0(sizeof(AwQueryPart) * cut->n_parts);
	for (int i = 0; i < cut->n_parts; i++)
	{
		describe_part(&query->parts[i], analysis, i);
		query->n_streams += cut->parts[i].n_streams;
	}

	query->streams = palloc0(sizeof(AwQueryStream) * query->n_streams);
	query->n_streams = 0;
	for (int i = 0; i < cut->n_parts; i++)
	{
		for (int j = 0; j < cut->parts[i].n_streams; j++)
		{
			AwQueryStream *stream = &query->streams[query->n_streams++];

			stream->source = cut->parts[i].streams[j].table;
			stream->part = i;
			stream->watermark = number_watermark(&numbers, cut->parts[i].streams[j].class);
		}
	}
	query->results = CreateTupleDescCopy(analysis->results);
	MemoryContextSwitchTo(caller);
}

/* The number of a stream's watermark, from 0 on without gaps. */
static int
number_watermark(List **numbers, const AwStreamClass *class)
{
	ListCell   *lc;

	foreach(lc, *numbers)
	{
		if (lfirst_int(lc) == class->watermark)
			return foreach_current_index(lc);
	}
	*numbers = lappend_int(*numbers, class->watermark);
	return list_length(*numbers) - 1;
}

static void
describe_part(AwQueryPart *part, const AwQueryAnalysis *analysis, int number)
{
	const AwPartCut *cut = &analysis->cut->parts[number];
	int32		typmod = analysis->rowtime_typmods[number];
	ListCell   *lc;
	ListCell   *lo;

	part->keeps_rows = cut->class->cut->keeps_rows;
	part->window = cut->streams[0].class->window;
	part->granule_us = typmod >= 0 && typmod <= AW_MILLISECOND_DIGITS ? AW_WINDOW_MIN_US : 1;

	part->n_keys = list_length(cut->keys);
	part->keys = palloc0(sizeof(AwKeyColumn) * Max(part->n_keys, 1));
	forboth(lc, cut->keys, lo, cut->key_operators)
	{
		AwKeyColumn *key = &part->keys[foreach_current_index(lc)];

		key->column = AW_INGEST_FIRST + foreach_current_index(lc);
		key->collation = exprCollation(lfirst(lc));
		aw_groupterm_init_key(key, exprType(lfirst(lc)), lfirst_oid(lo));
	}

	part->n_calls = cut->n_calls;
	part->calls = palloc0(sizeof(AwAggregateCall) * Max(part->n_calls, 1));
	for (int i = 0; i < part->n_calls; i++)
	{
		part->calls[i] = cut->calls[i];
		part->calls[i].aggref = copyObject(cut->calls[i].aggref);
	}
	part->rows = CreateTupleDescCopy(analysis->rows[number]);
	part->windows = CreateTupleDescCopy(cut->windows);
}

/* Plans of all statements, in a child of the context given, not kept yet. */
static AwQueryStatements *
plan_statements(const AwQueryAnalysis *analysis, MemoryContext parent)
{
	MemoryContext cxt = AllocSetContextCreate(parent, "continuous query's plans",
											  ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(cxt);
	AwQueryStatements *statements = palloc0(sizeof(AwQueryStatements));
	const AwQueryCut *cut = analysis->cut;
	int			n_streams = 0;

	for (int i = 0; i < cut->n_parts; i++)
		n_streams += cut->parts[i].n_streams;
	statements->cxt = cxt;
	statements->bypasses_rls = has_bypassrls_privilege(GetUserId());
	statements->fingerprint = pstrdup(analysis->fingerprint);
	statements->plans = palloc(sizeof(AwQueryPlan *) * (2 * n_streams + 1));
	for (int i = 0; i < cut->n_parts; i++)
	{
		for (int j = 0; j < cut->parts[i].n_streams; j++)
		{
			const AwStreamCut *stream = &cut->parts[i].streams[j];

			statements->plans[statements->n_plans++] =
				plan_stream(analysis, stream->watermarks, stream);
			statements->plans[statements->n_plans++] =
				plan_stream(analysis, stream->ingest, stream);
		}
	}
	statements->plans[statements->n_plans++] = plan_publish(analysis);
	MemoryContextSwitchTo(caller);
	return statements;
}

/* The plan of a tree over captured rows, as part of the statement that reads the view. */
static AwQueryPlan *
plan_stream(const AwQueryAnalysis *analysis, Query *tree, const AwStreamCut *stream)
{
	AwQueryRelation relation = {AW_QUERYSTREAM_BATCH, stream->batch};
	AwQueryPlanSource source = {
		.statement = analysis->statement,
		.text = analysis->text,
		.tree = tree,
		.relations = &relation,
		.n_relations = 1,
		.others = lappend_oid(aw_querycheck_partitions(stream->table), analysis->view)
	};

	return aw_queryplan_create(&source);
}

/* The plan of the query over its closed windows. */
static AwQueryPlan *
plan_publish(const AwQueryAnalysis *analysis)
{
	const AwQueryCut *cut = analysis->cut;
	AwQueryRelation *relations = palloc(sizeof(AwQueryRelation) * cut->n_parts);
	AwQueryPlanSource source = {
		.statement = analysis->statement,
		.text = analysis->text,
		.tree = cut->publish,
		.relations = relations,
		.n_relations = cut->n_parts,
		.others = list_make1_oid(analysis->view)
	};

	for (int i = 0; i < cut->n_parts; i++)
	{
		relations[i].name = psprintf(AW_QUERYCUT_WINDOWS, i + 1);
		relations[i].columns = cut->parts[i].windows;
	}
	return aw_queryplan_create(&source);
}

static void
keep_statements(AwQueryStatements *statements)
{
	for (int i = 0; i < statements->n_plans; i++)
		aw_queryplan_keep(statements->plans[i]);
}

static void
free_statements(AwQueryStatements *statements)
{
	for (int i = 0; i < statements->n_plans; i++)
		aw_queryplan_free(statements->plans[i]);
	MemoryContextDelete(statements->cxt);
}

/* Runs all over nothing, so that what the owner may not do is an error now. */
static void
dry_run(const AwQuery *query, const AwQueryStatements *statements)
{
	Tuplestorestate **nothing = palloc(sizeof(Tuplestorestate *) * query->n_parts);

	for (int i = 0; i < query->n_parts; i++)
		nothing[i] = tuplestore_begin_heap(false, false, work_mem);
	for (int i = 0; i < statements->n_plans; i++)
		(void) aw_queryplan_run(statements->plans[i], nothing, None_Receiver);
	for (int i = 0; i < query->n_parts; i++)
	{
		tuplestore_end(nothing[i]);
		(void) aw_aggstate_create(query->parts[i].calls, query->parts[i].n_calls);
	}
}

/* Runs a statement over captured rows; what has changed in the meantime is looked at again. */
static void
run_on_batch(AwQuery *query, int number, TupleDesc columns, Tuplestorestate *batch,
			 DestReceiver *receiver)
{
	AwQueryIdentity before;
	bool		is_done;

	do
	{
		CHECK_FOR_INTERRUPTS();
		aw_query_refresh(query);
		aw_query_enter(query, &before);
		check_layout(query, number, columns);
		is_done = aw_queryplan_run(query->statements->plans[number], &batch, receiver);
		aw_query_leave(&before);
	} while (!is_done);
}

/* Captured rows are laid out as the table was; it may have changed since. */
static void
check_layout(const AwQuery *query, int number, TupleDesc columns)
{
	TupleDesc	expected = aw_queryplan_columns(query->statements->plans[number]);
	bool		is_equal = columns->natts == expected->natts;

	for (int i = 0; is_equal && i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);
		Form_pg_attribute wanted = TupleDescAttr(expected, i);

		is_equal = column->atttypid == wanted->atttypid &&
			column->attisdropped == wanted->attisdropped && column->attlen == wanted->attlen;
	}
	if (!is_equal)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("table \"%s\" was altered while its rows were read",
						get_rel_name(query->streams[number / 2].source)),
				 errhint("Read the rows again.")));
}

/* A row of the watermark statement: ordinal, rowtime, strategy. */
static void
read_watermark(TupleTableSlot *slot, void *context)
{
	WatermarkReader *reader = context;
	AwWatermarkRow row;

	row.ordinal = DatumGetInt64(slot->tts_values[0]);
	row.has_rowtime = !slot->tts_isnull[1];
	row.rowtime_us = row.has_rowtime ? DatumGetInt64(slot->tts_values[1]) : 0;
	row.has_strategy = !slot->tts_isnull[2];
	row.strategy_us = row.has_strategy ? DatumGetInt64(slot->tts_values[2]) : 0;
	reader->callback(&row, reader->context);
}
