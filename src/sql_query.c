/*
 * sql_query.c
 *
 * SQL functions of continuous queries: create_query(), pause_query(),
 * resume_query(), drain_query(), drop_query(), track(), untrack() and advance().
 *
 * What they ask for is a row in the catalog, which the worker looks at when the
 * transaction has committed.
 */
#include "postgres.h"

#include <limits.h>

#include "access/relation.h"
#include "commands/defrem.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "catalog.h"
#include "definition.h"
#include "guc.h"
#include "identity.h"
#include "query.h"
#include "queryview.h"
#include "sink.h"
#include "timevalue.h"
#include "windowspec.h"
#include "worker.h"

static void warn_of_gap(const char *name);
static void warn_of_failing(void);
static const char *text_argument(FunctionCallInfo fcinfo, int number, const char *name,
								 bool is_nullable);
static bool choose(const char *value, const char *name, const char *first, const char *second);
static int64 duration_argument(FunctionCallInfo fcinfo, int number, const char *name);
static void read_options(FunctionCallInfo fcinfo, AwEntry *entry);
static void build(AwEntry *entry, const char *text, const char *sink);
static void check_no_loop(const AwEntry *entry);
static bool reads(const AwEntry *entry, Oid table);
static void build_tracking(AwEntry *entry, Relation rel);
static void choose_name(AwEntry *entry, Relation rel);
static AwQuery *prepare(AwEntry *entry, const char *text);
static void locate_in_text(void *text);
static void start(const AwEntry *entry);
static void store(const AwEntry *entry);
static void check_unused(const char *name);
static void check_stream(Relation rel);
static AwEntry *find(const char *name);
static AwEntry *find_own(const char *name);
static AwEntry *find_tracked(Oid relation);
static void drop(const AwEntry *entry);
static void ask(const char *name, AwRequest request, bool resumes);

PG_FUNCTION_INFO_V1(aw_sql_create_query);
PG_FUNCTION_INFO_V1(aw_sql_pause_query);
PG_FUNCTION_INFO_V1(aw_sql_resume_query);
PG_FUNCTION_INFO_V1(aw_sql_drain_query);
PG_FUNCTION_INFO_V1(aw_sql_drop_query);
PG_FUNCTION_INFO_V1(aw_sql_track);
PG_FUNCTION_INFO_V1(aw_sql_untrack);
PG_FUNCTION_INFO_V1(aw_sql_advance);
PG_FUNCTION_INFO_V1(aw_sql_wake_worker);

/*
 * create_query(name, query, sink, emit_watermark, late, idle_timeout, max_future,
 * on_change, with_history) → void
 */
Datum
aw_sql_create_query(PG_FUNCTION_ARGS)
{
	AwEntry		entry = {0};
	const char *text = text_argument(fcinfo, 1, "query", false);
	const char *sink = text_argument(fcinfo, 2, "sink", true);

	PreventCommandDuringRecovery("watermark.create_query()");
	if (PG_ARGISNULL(0))
		(void) text_argument(fcinfo, 0, "name", false);
	namestrcpy(&entry.name, NameStr(*PG_GETARG_NAME(0)));
	read_options(fcinfo, &entry);

	/* A query that cannot be is told of first, whatever the server is like. */
	aw_catalog_lock_name(NameStr(entry.name));
	check_unused(NameStr(entry.name));
	if (!entry.with_history)
		entry.progress.position = aw_worker_await_slot();
	build(&entry, text, sink != NULL ? sink : quote_identifier(NameStr(entry.name)));
	start(&entry);
	if (!entry.with_history && XLogRecPtrIsInvalid(entry.progress.position))
		warn_of_gap(NameStr(entry.name));
	PG_RETURN_VOID();
}

/* pause_query(name) → void */
Datum
aw_sql_pause_query(PG_FUNCTION_ARGS)
{
	PreventCommandDuringRecovery("watermark.pause_query()");
	ask(NameStr(*PG_GETARG_NAME(0)), AW_REQUEST_PAUSE, false);
	PG_RETURN_VOID();
}

/* resume_query(name) → void */
Datum
aw_sql_resume_query(PG_FUNCTION_ARGS)
{
	PreventCommandDuringRecovery("watermark.resume_query()");
	ask(NameStr(*PG_GETARG_NAME(0)), AW_REQUEST_RUN, true);
	PG_RETURN_VOID();
}

/* drain_query(name) → void */
Datum
aw_sql_drain_query(PG_FUNCTION_ARGS)
{
	PreventCommandDuringRecovery("watermark.drain_query()");
	ask(NameStr(*PG_GETARG_NAME(0)), AW_REQUEST_DRAIN, true);
	PG_RETURN_VOID();
}

/* drop_query(name) → void */
Datum
aw_sql_drop_query(PG_FUNCTION_ARGS)
{
	PreventCommandDuringRecovery("watermark.drop_query()");
	drop(find_own(NameStr(*PG_GETARG_NAME(0))));
	PG_RETURN_VOID();
}

/* track(relation) → void */
Datum
aw_sql_track(PG_FUNCTION_ARGS)
{
	AwEntry		entry = {.keeps_late = true,.with_history = true};
	Relation	rel;

	PreventCommandDuringRecovery("watermark.track()");
	rel = try_relation_open(PG_GETARG_OID(0), AccessShareLock);
	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", PG_GETARG_OID(0))));
	aw_catalog_lock_name(RelationGetRelationName(rel));
	check_stream(rel);
	build_tracking(&entry, rel);
	relation_close(rel, NoLock);
	start(&entry);
	PG_RETURN_VOID();
}

/* untrack(relation) → void */
Datum
aw_sql_untrack(PG_FUNCTION_ARGS)
{
	char	   *name = DatumGetCString(DirectFunctionCall1(regclassout, PG_GETARG_DATUM(0)));
	const char *unqualified = get_rel_name(PG_GETARG_OID(0));
	const AwEntry *entry;

	PreventCommandDuringRecovery("watermark.untrack()");
	if (unqualified != NULL)
		aw_catalog_lock_name(unqualified);
	entry = find_tracked(PG_GETARG_OID(0));
	if (entry == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("\"%s\" is not tracked", name)));
	if (!has_privs_of_role(GetUserId(), entry->owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("\"%s\" is tracked by another role", name)));
	drop(entry);
	PG_RETURN_VOID();
}

/* advance(timeout) → void */
Datum
aw_sql_advance(PG_FUNCTION_ARGS)
{
	int64		timeout_us;

	if (!aw_timevalue_interval_us(PG_GETARG_INTERVAL_P(0), &timeout_us) || timeout_us < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("timeout must be an interval without months, and not negative")));
	PreventCommandDuringRecovery("watermark.advance()");
	aw_worker_advance(Min(timeout_us / 1000, INT_MAX));
	warn_of_failing();
	PG_RETURN_VOID();
}

/*
 * wake_worker() → trigger: rows of our tables have been loaded, as from a dump.  It needs
 * nothing of the trigger, so that it is harmless wherever it is called from.
 */
Datum
aw_sql_wake_worker(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	aw_worker_request();
	return PointerGetDatum(NULL);
}

/* There is no slot, and making one takes its time. */
static void
warn_of_gap(const char *name)
{
	ereport(NOTICE,
			(errmsg("continuous query \"%s\" misses what is committed before it runs", name),
			 errdetail("It is the first of the database, whose replication slot waits for "
					   "transactions that are open."),
			 errhint("Wait for it with watermark.advance().")));
}

/* Names the user's queries that wait to be tried again, which nobody waits for. */
static void
warn_of_failing(void)
{
	if (SPI_connect() != SPI_OK_CONNECT ||
		SPI_execute("SELECT DISTINCT query, CASE WHEN query IS NULL THEN source END, error "
					"FROM watermark.streams "
					"WHERE state IN ('starting', 'running') AND error IS NOT NULL", false, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not look for queries that have failed");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		TupleDesc	columns = SPI_tuptable->tupdesc;
		const char *query = SPI_getvalue(tuple, columns, 1);

		ereport(WARNING,
				(query != NULL ?
				 errmsg("continuous query \"%s\" has failed, and has not come as far", query) :
				 errmsg("the stream \"%s\" has failed, and has not come as far",
						SPI_getvalue(tuple, columns, 2)),
				 errdetail_internal("%s", SPI_getvalue(tuple, columns, 3)),
				 errhint("It will be tried again.")));
	}
	SPI_finish();
}

/* An argument as a string; an error if it is NULL and must not be. */
static const char *
text_argument(FunctionCallInfo fcinfo, int number, const char *name, bool is_nullable)
{
	if (!PG_ARGISNULL(number))
		return text_to_cstring(PG_GETARG_TEXT_PP(number));
	if (!is_nullable)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\" must not be null", name)));
	return NULL;
}

/* Is an option the second of the two values that it may have? */
static bool
choose(const char *value, const char *name, const char *first, const char *second)
{
	if (strcmp(value, first) != 0 && strcmp(value, second) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for argument \"%s\": \"%s\"", name, value),
				 errhint("Choose '%s' or '%s'.", first, second)));
	return strcmp(value, second) == 0;
}

/* An argument that is an interval, in microseconds; 0 if it is NULL. */
static int64
duration_argument(FunctionCallInfo fcinfo, int number, const char *name)
{
	int64		duration_us;

	if (PG_ARGISNULL(number))
		return 0;
	if (!aw_timevalue_interval_us(PG_GETARG_INTERVAL_P(number), &duration_us) || duration_us <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for argument \"%s\": \"%s\"", name,
						DatumGetCString(DirectFunctionCall1(interval_out,
															PG_GETARG_DATUM(number)))),
				 errhint("Choose an interval that is greater than zero, in days or smaller units.")));
	return duration_us;
}

static void
read_options(FunctionCallInfo fcinfo, AwEntry *entry)
{
	entry->is_on_event = choose(text_argument(fcinfo, 3, "emit_watermark", false),
								"emit_watermark", "on commit", "on event");
	entry->keeps_late = !choose(text_argument(fcinfo, 4, "late", false), "late", "keep", "count");
	entry->idle_timeout_us = duration_argument(fcinfo, 5, "idle_timeout");
	entry->max_future_us = duration_argument(fcinfo, 6, "max_future");
	entry->stops_on_change = choose(text_argument(fcinfo, 7, "on_change", false),
									"on_change", "ignore", "stop");
	if (PG_ARGISNULL(8))
		(void) text_argument(fcinfo, 8, "with_history", false);
	entry->with_history = PG_GETARG_BOOL(8);
}

/* Makes the view and the sink of a query, as the user. */
static void
build(AwEntry *entry, const char *text, const char *sink)
{
	AwQuery    *query;

	aw_queryview_drop_left_over(NameStr(entry->name), aw_catalog_schema(false));
	query = prepare(entry, text);
	entry->sink = aw_sink_create(sink, query);
	check_no_loop(entry);
	aw_sink_close(aw_sink_open(entry->sink, query));
	aw_query_free(query);
}

/* Refuses a query whose results would come back to it, through others that read its sink. */
static void
check_no_loop(const AwEntry *entry)
{
	List	   *reached = list_make1_oid(entry->sink);
	AwIdentity	before;
	List	   *entries;
	ListCell   *ls;
	ListCell   *le;

	aw_identity_assume(&before, aw_catalog_owner());
	entries = aw_catalog_read();
	aw_identity_restore(&before);
	foreach(ls, reached)
	{
		foreach(le, entries)
		{
			const AwEntry *other = lfirst(le);

			if (!OidIsValid(other->sink) || !reads(other, lfirst_oid(ls)))
				continue;
			if (reads(entry, other->sink))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("the results of continuous query \"%s\" would come back to it",
								NameStr(entry->name)),
						 errdetail("Continuous query \"%s\" reads them, or what is made of them, and publishes into its stream \"%s\".",
								   NameStr(other->name), get_rel_name(other->sink)),
						 errhint("Name another sink.")));
			reached = list_append_unique_oid(reached, other->sink);
		}
	}
}

/* Is a table a stream of a query? */
static bool
reads(const AwEntry *entry, Oid table)
{
	for (int i = 0; i < entry->progress.n_streams; i++)
	{
		if (entry->progress.streams[i].source == table)
			return true;
	}
	return false;
}

/*
 * Makes the view of a stream that is tracked, as the user.  It reads no column, so
 * that it is in nobody's way when one is altered, and it goes with the relation.
 */
static void
build_tracking(AwEntry *entry, Relation rel)
{
	const char *relation = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(rel)),
													  RelationGetRelationName(rel));

	entry->tracked = RelationGetRelid(rel);
	choose_name(entry, rel);
	aw_query_free(prepare(entry, psprintf("SELECT 1 AS tracked FROM %s", relation)));
	aw_queryview_drop_with(entry->view, entry->tracked);
}

/* A name for the view of a relation that is tracked. */
static void
choose_name(AwEntry *entry, Relation rel)
{
	Oid			schema = aw_catalog_schema(false);
	char	   *name = makeObjectName(RelationGetRelationName(rel), NULL, "tracked");

	if (find(name) == NULL)
		aw_queryview_drop_left_over(name, schema);
	namestrcpy(&entry->name, ChooseRelationName(RelationGetRelationName(rel), NULL, "tracked",
												schema, false));
}

/* Makes the view of a query, and the query of it. */
static AwQuery *
prepare(AwEntry *entry, const char *text)
{
	AwQuerySettings settings;
	AwQuery    *query;
	ErrorContextCallback callback = {
		.previous = error_context_stack,.callback = locate_in_text,.arg = unconstify(char *, text)
	};

	error_context_stack = &callback;
	entry->view = aw_queryview_create(NameStr(entry->name), text, aw_catalog_schema(false),
									  aw_catalog_owner());
	error_context_stack = callback.previous;
	entry->time_zone = pstrdup(pg_get_timezone_name(session_timezone));
	entry->search_path = pstrdup(GetConfigOption("search_path", false, false));
	entry->date_style = pstrdup(GetConfigOption("DateStyle", false, false));
	entry->interval_style = pstrdup(GetConfigOption("IntervalStyle", false, false));
	settings.time_zone = entry->time_zone;
	settings.search_path = entry->search_path;
	settings.date_style = entry->date_style;
	settings.interval_style = entry->interval_style;

	query = aw_query_prepare(entry->view, OidIsValid(entry->tracked), &settings);
	for (int i = 0; i < query->n_parts; i++)
	{
		AwWindowSpec spec = {.window = query->parts[i].window};

		aw_windowspec_limit(&spec, aw_guc_max_windows_per_row);
	}
	entry->owner = query->owner;
	entry->is_zoned = query->is_zoned;
	entry->progress.n_streams = query->n_streams;
	entry->progress.streams = palloc0(sizeof(AwStreamProgress) * query->n_streams);
	for (int i = 0; i < query->n_streams; i++)
		entry->progress.streams[i].source = query->streams[i].source;
	return query;
}

/* Has an error whose place is in the text of a query show it there, and not in the statement. */
static void
locate_in_text(void *text)
{
	int			position = geterrposition();

	if (position <= 0)
		return;
	errposition(0);
	internalerrposition(position);
	internalerrquery(text);
}

/* Puts an entry into the catalog, and has the worker look there. */
static void
start(const AwEntry *entry)
{
	aw_worker_check_prerequisites();
	store(entry);
	aw_worker_request();
}

static void
store(const AwEntry *entry)
{
	AwIdentity	before;

	aw_identity_assume(&before, aw_catalog_owner());
	aw_catalog_insert(entry);
	aw_identity_restore(&before);
}

static void
check_unused(const char *name)
{
	if (find(name) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("continuous query \"%s\" already exists", name)));
}

/* Only a relation with a rowtime can be tracked, and that once. */
static void
check_stream(Relation rel)
{
	const AwTimes *times = aw_definition_of_relation(rel);
	bool		has_rowtime = times->own != NULL;

	aw_definition_check(times, rel);
	for (int i = 0; i < times->n_columns; i++)
		has_rowtime |= times->columns[i].kind == AW_TIME_ROWTIME;
	if (!has_rowtime)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("%s \"%s\" has no watermark definition", aw_definition_kind_name(rel),
						RelationGetRelationName(rel)),
				 errhint("Give it one with set_watermark().")));
	if (find_tracked(RelationGetRelid(rel)) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("%s \"%s\" is already tracked", aw_definition_kind_name(rel),
						RelationGetRelationName(rel))));
}

/* The entry of a name, NULL if there is none; no other is left over. */
static AwEntry *
find(const char *name)
{
	AwIdentity	before;
	AwEntry    *entry;

	aw_identity_assume(&before, aw_catalog_owner());
	aw_catalog_delete_dropped();
	entry = aw_catalog_find(name);
	aw_identity_restore(&before);
	return entry;
}

/* The query of a name, which must be the user's, and stays until the transaction ends. */
static AwEntry *
find_own(const char *name)
{
	AwEntry    *entry;

	aw_catalog_lock_name(name);
	entry = find(name);
	if (entry == NULL || OidIsValid(entry->tracked))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("continuous query \"%s\" does not exist", name)));
	if (!has_privs_of_role(GetUserId(), entry->owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of continuous query \"%s\"", name)));
	return entry;
}

/* The entry of a relation that is tracked, NULL if it is not; no other is left over. */
static AwEntry *
find_tracked(Oid relation)
{
	AwIdentity	before;
	List	   *entries;
	ListCell   *lc;

	aw_identity_assume(&before, aw_catalog_owner());
	aw_catalog_delete_dropped();
	entries = aw_catalog_read();
	aw_identity_restore(&before);
	foreach(lc, entries)
	{
		AwEntry    *entry = lfirst(lc);

		if (OidIsValid(relation) && entry->tracked == relation)
			return entry;
	}
	return NULL;
}

/* Forgets a query, or a stream that is tracked. */
static void
drop(const AwEntry *entry)
{
	AwIdentity	before;

	aw_identity_assume(&before, aw_catalog_owner());
	aw_catalog_delete(NameStr(entry->name));
	aw_identity_restore(&before);
	aw_queryview_drop(entry->view);
	aw_worker_request();
}

/* Asks the worker to do something with a query, and lets one that stands go on. */
static void
ask(const char *name, AwRequest request, bool resumes)
{
	const AwEntry *entry = find_own(name);
	AwIdentity	before;

	if (entry->progress.state == AW_QUERY_DRAINED)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("continuous query \"%s\" has been drained", name),
				 errhint("Drop it, and create it again.")));
	aw_worker_check_prerequisites();

	aw_identity_assume(&before, aw_catalog_owner());
	if (resumes)
		aw_catalog_resume(name);
	aw_catalog_request(name, request);
	aw_identity_restore(&before);
	aw_worker_request();
}
