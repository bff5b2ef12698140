/*
 * query.c
 *
 * A continuous query from its view to statements that run.
 *
 * The query is kept as a view, so that PostgreSQL follows renames and guards what is
 * dropped.  It is analysed as "SELECT * FROM view" by the view's owner, classified,
 * cut, and its three statements are planned.  When something that they depend on
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

typedef enum StatementKind
{
	STATEMENT_WATERMARKS,
	STATEMENT_INGEST,
	STATEMENT_PUBLISH
} StatementKind;

#define N_STATEMENTS	(STATEMENT_PUBLISH + 1)

/* The plans, remade as a whole. */
typedef struct AwQueryStatements
{
	AwQueryPlan *plans[N_STATEMENTS];
	char	   *fingerprint;	/* of all that a state depends on */
	MemoryContext cxt;
} AwQueryStatements;

/* Turns rows of the watermark statement into values. */
typedef struct WatermarkReader
{
	AwWatermarkCallback callback;
	void	   *context;
} WatermarkReader;

static Oid	owner_of_view(Oid view);
static void set_option(const char *name, const char *value);
static void describe(AwQuery *query, const AwQueryAnalysis *analysis);
static AwQueryStatements *plan_statements(const AwQueryAnalysis *analysis, MemoryContext parent);
static AwQueryPlan *plan_statement(const AwQueryAnalysis *analysis, Query *tree,
								   const char *relation, TupleDesc columns);
static void keep_statements(AwQueryStatements *statements);
static void free_statements(AwQueryStatements *statements);
static void dry_run(const AwQuery *query, const AwQueryStatements *statements);
static void run(AwQuery *query, StatementKind kind, TupleDesc columns, Tuplestorestate *rows,
				DestReceiver *receiver);
static void check_layout(const AwQuery *query, TupleDesc columns);
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
	for (int i = 0; i < N_STATEMENTS; i++)
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

/* The columns that captured rows must have: those of the table, and the ordinal. */
TupleDesc
aw_query_batch_columns(const AwQuery *query)
{
	return aw_queryplan_columns(query->statements->plans[STATEMENT_INGEST]);
}

/* Do the statements read one of these columns of captured rows? */
bool
aw_query_reads(const AwQuery *query, const Bitmapset *columns)
{
	return aw_queryplan_reads(query->statements->plans[STATEMENT_WATERMARKS], columns) ||
		aw_queryplan_reads(query->statements->plans[STATEMENT_INGEST], columns);
}

/*
 * Calls back with rowtime and strategy of captured rows.  A row that the definition
 * does not see is left out, one that is joined may come several times; in any order.
 */
void
aw_query_run_watermarks(AwQuery *query, TupleDesc columns, Tuplestorestate *batch,
						AwWatermarkCallback callback, void *context)
{
	WatermarkReader reader = {.callback = callback,.context = context};

	run(query, STATEMENT_WATERMARKS, columns, batch,
		aw_queryplan_receiver(read_watermark, &reader));
}

/*
 * Calls back with ordinal, rowtime, keys and arguments of captured rows: those that
 * the query's filters and joins let through, in any order.
 */
void
aw_query_run_ingest(AwQuery *query, TupleDesc columns, Tuplestorestate *batch,
					AwRowCallback callback, void *context)
{
	run(query, STATEMENT_INGEST, columns, batch, aw_queryplan_receiver(callback, context));

	/* Aggregates are no part of a statement, which would ask for the right to call them. */
	for (int i = 0; i < query->n_calls; i++)
		aw_aggtransition_check(query->calls[i].aggref->aggfnoid, query->owner);
}

/* Appends the query's result over closed windows, whose columns are query->windows. */
void
aw_query_run_publish(AwQuery *query, Tuplestorestate *windows, Tuplestorestate *results)
{
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);

	SetTuplestoreDestReceiverParams(receiver, results, CurrentMemoryContext, false, NULL, NULL);
	run(query, STATEMENT_PUBLISH, query->windows, windows, receiver);
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
	const AwQueryClass *class = analysis->class;
	const AwQueryCut *cut = analysis->cut;
	MemoryContext caller = MemoryContextSwitchTo(query->cxt);
	ListCell   *lc;
	ListCell   *lo;

	query->source = cut->table;
	query->window = class->window;
	query->is_zoned = getBaseType(exprType(class->rowtime)) == TIMESTAMPTZOID;
	query->granule_us = analysis->rowtime_typmod >= 0 &&
		analysis->rowtime_typmod <= AW_MILLISECOND_DIGITS ? AW_WINDOW_MIN_US : 1;

	query->n_keys = list_length(cut->keys);
	query->keys = palloc0(sizeof(AwKeyColumn) * Max(query->n_keys, 1));
	forboth(lc, cut->keys, lo, cut->key_operators)
	{
		AwKeyColumn *key = &query->keys[foreach_current_index(lc)];

		key->column = AW_INGEST_FIRST + foreach_current_index(lc);
		key->collation = exprCollation(lfirst(lc));
		aw_groupterm_init_key(key, exprType(lfirst(lc)), lfirst_oid(lo));
	}

	query->n_calls = cut->n_calls;
	query->calls = palloc0(sizeof(AwAggregateCall) * Max(query->n_calls, 1));
	for (int i = 0; i < query->n_calls; i++)
	{
		query->calls[i] = cut->calls[i];
		query->calls[i].aggref = copyObject(cut->calls[i].aggref);
	}
	query->rows = CreateTupleDescCopy(analysis->rows);
	query->windows = CreateTupleDescCopy(cut->windows);
	query->results = CreateTupleDescCopy(analysis->results);
	MemoryContextSwitchTo(caller);
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

	statements->cxt = cxt;
	statements->fingerprint = pstrdup(analysis->fingerprint);
	statements->plans[STATEMENT_WATERMARKS] =
		plan_statement(analysis, cut->watermarks, AW_QUERYSTREAM_BATCH, cut->batch);
	statements->plans[STATEMENT_INGEST] =
		plan_statement(analysis, cut->ingest, AW_QUERYSTREAM_BATCH, cut->batch);
	statements->plans[STATEMENT_PUBLISH] =
		plan_statement(analysis, cut->publish, AW_QUERYCUT_WINDOWS, cut->windows);
	MemoryContextSwitchTo(caller);
	return statements;
}

/* One plan, over one relation, as part of the statement that reads the view. */
static AwQueryPlan *
plan_statement(const AwQueryAnalysis *analysis, Query *tree, const char *relation,
			   TupleDesc columns)
{
	AwQueryPlanSource source = {
		.statement = analysis->statement,
		.text = analysis->text,
		.tree = tree,
		.relation = relation,
		.columns = columns,
		.others = lappend_oid(aw_querycheck_partitions(analysis->cut->table), analysis->view)
	};

	return aw_queryplan_create(&source);
}

static void
keep_statements(AwQueryStatements *statements)
{
	for (int i = 0; i < N_STATEMENTS; i++)
		aw_queryplan_keep(statements->plans[i]);
}

static void
free_statements(AwQueryStatements *statements)
{
	for (int i = 0; i < N_STATEMENTS; i++)
		aw_queryplan_free(statements->plans[i]);
	MemoryContextDelete(statements->cxt);
}

/* Runs all over nothing, so that what the owner may not do is an error now. */
static void
dry_run(const AwQuery *query, const AwQueryStatements *statements)
{
	Tuplestorestate *nothing = tuplestore_begin_heap(false, false, work_mem);

	for (int i = 0; i < N_STATEMENTS; i++)
		(void) aw_queryplan_run(statements->plans[i], nothing, None_Receiver);
	tuplestore_end(nothing);
	(void) aw_aggstate_create(query->calls, query->n_calls);
}

/* Runs a statement; what has changed in the meantime is looked at again. */
static void
run(AwQuery *query, StatementKind kind, TupleDesc columns, Tuplestorestate *rows,
	DestReceiver *receiver)
{
	AwQueryIdentity before;
	bool		is_done;

	do
	{
		CHECK_FOR_INTERRUPTS();
		aw_query_refresh(query);
		aw_query_enter(query, &before);
		if (kind != STATEMENT_PUBLISH)
			check_layout(query, columns);
		is_done = aw_queryplan_run(query->statements->plans[kind], rows, receiver);
		aw_query_leave(&before);
	} while (!is_done);
}

/* Captured rows are laid out as the table was; it may have changed since. */
static void
check_layout(const AwQuery *query, TupleDesc columns)
{
	TupleDesc	expected = aw_query_batch_columns(query);
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
						get_rel_name(query->source)),
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
