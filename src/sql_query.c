/*
 * sql_query.c
 *
 * SQL functions of continuous queries: create_query(), pause_query(),
 * resume_query(), drain_query(), drop_query() and advance().
 *
 * What they ask for is a row in the catalog, which the worker looks at when the
 * transaction has committed.
 */
#include "postgres.h"

#include <limits.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

#include "catalog.h"
#include "guc.h"
#include "identity.h"
#include "query.h"
#include "queryview.h"
#include "sink.h"
#include "timevalue.h"
#include "windowspec.h"
#include "worker.h"

static const char *text_argument(FunctionCallInfo fcinfo, int number, const char *name,
								 bool is_nullable);
static bool choose(const char *value, const char *name, const char *first, const char *second);
static void read_options(FunctionCallInfo fcinfo, AwEntry *entry);
static void build(AwEntry *entry, const char *text, const char *sink);
static void store(const AwEntry *entry);
static void check_unused(const char *name);
static AwEntry *find_own(const char *name);
static void ask(const char *name, AwRequest request, bool resumes);

PG_FUNCTION_INFO_V1(aw_sql_create_query);
PG_FUNCTION_INFO_V1(aw_sql_pause_query);
PG_FUNCTION_INFO_V1(aw_sql_resume_query);
PG_FUNCTION_INFO_V1(aw_sql_drain_query);
PG_FUNCTION_INFO_V1(aw_sql_drop_query);
PG_FUNCTION_INFO_V1(aw_sql_advance);

/* create_query(name, query, sink, emit_watermark, late, on_change, with_history) → void */
Datum
aw_sql_create_query(PG_FUNCTION_ARGS)
{
	AwEntry		entry = {0};
	const char *text = text_argument(fcinfo, 1, "query", false);
	const char *sink = text_argument(fcinfo, 2, "sink", true);

	if (PG_ARGISNULL(0))
		(void) text_argument(fcinfo, 0, "name", false);
	namestrcpy(&entry.name, NameStr(*PG_GETARG_NAME(0)));
	read_options(fcinfo, &entry);

	/* A query that cannot be is told of first, whatever the server is like. */
	check_unused(NameStr(entry.name));
	build(&entry, text, sink != NULL ? sink : quote_identifier(NameStr(entry.name)));
	aw_worker_check_prerequisites();
	store(&entry);
	aw_worker_request();
	PG_RETURN_VOID();
}

/* pause_query(name) → void */
Datum
aw_sql_pause_query(PG_FUNCTION_ARGS)
{
	ask(NameStr(*PG_GETARG_NAME(0)), AW_REQUEST_PAUSE, false);
	PG_RETURN_VOID();
}

/* resume_query(name) → void */
Datum
aw_sql_resume_query(PG_FUNCTION_ARGS)
{
	ask(NameStr(*PG_GETARG_NAME(0)), AW_REQUEST_RUN, true);
	PG_RETURN_VOID();
}

/* drain_query(name) → void */
Datum
aw_sql_drain_query(PG_FUNCTION_ARGS)
{
	ask(NameStr(*PG_GETARG_NAME(0)), AW_REQUEST_DRAIN, true);
	PG_RETURN_VOID();
}

/* drop_query(name) → void */
Datum
aw_sql_drop_query(PG_FUNCTION_ARGS)
{
	AwEntry    *entry = find_own(NameStr(*PG_GETARG_NAME(0)));
	AwIdentity	before;

	aw_identity_assume(&before, aw_catalog_owner());
	aw_catalog_delete(NameStr(entry->name));
	aw_identity_restore(&before);
	aw_queryview_drop(entry->view);
	aw_worker_request();
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
	aw_worker_advance(Min(timeout_us / 1000, INT_MAX));
	PG_RETURN_VOID();
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

static void
read_options(FunctionCallInfo fcinfo, AwEntry *entry)
{
	entry->is_on_event = choose(text_argument(fcinfo, 3, "emit_watermark", false),
								"emit_watermark", "on commit", "on event");
	entry->keeps_late = !choose(text_argument(fcinfo, 4, "late", false), "late", "keep", "count");
	entry->stops_on_change = choose(text_argument(fcinfo, 5, "on_change", false),
									"on_change", "ignore", "stop");
	if (PG_ARGISNULL(6))
		(void) text_argument(fcinfo, 6, "with_history", false);
	entry->with_history = PG_GETARG_BOOL(6);
}

/* Makes the view and the sink of a query, as the user. */
static void
build(AwEntry *entry, const char *text, const char *sink)
{
	AwQuerySettings settings;
	AwQuery    *query;
	AwWindowSpec spec;

	aw_queryview_drop_left_over(NameStr(entry->name), aw_catalog_schema(false));
	entry->view = aw_queryview_create(NameStr(entry->name), text, aw_catalog_schema(false),
									  aw_catalog_owner());
	entry->time_zone = pstrdup(pg_get_timezone_name(session_timezone));
	entry->search_path = pstrdup(GetConfigOption("search_path", false, false));
	settings.time_zone = entry->time_zone;
	settings.search_path = entry->search_path;

	query = aw_query_prepare(entry->view, &settings);
	spec.window = query->window;
	aw_windowspec_limit(&spec, aw_guc_max_windows_per_row);
	entry->owner = query->owner;
	entry->source = query->source;
	entry->is_zoned = query->is_zoned;
	entry->sink = aw_sink_create(sink, query);
	aw_sink_close(aw_sink_open(entry->sink, query));
	aw_query_free(query);
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
	AwIdentity	before;
	const AwEntry *entry;

	aw_identity_assume(&before, aw_catalog_owner());
	entry = aw_catalog_find(name);
	aw_identity_restore(&before);
	if (entry != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("continuous query \"%s\" already exists", name)));
}

/* The query of a name, which must be the user's. */
static AwEntry *
find_own(const char *name)
{
	AwIdentity	before;
	AwEntry    *entry;

	aw_identity_assume(&before, aw_catalog_owner());
	entry = aw_catalog_find(name);
	aw_identity_restore(&before);
	if (entry == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("continuous query \"%s\" does not exist", name)));
	if (!has_privs_of_role(GetUserId(), entry->owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of continuous query \"%s\"", name)));
	return entry;
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
