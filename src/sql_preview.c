/*
 * sql_preview.c
 *
 * SQL functions beneath the view open_windows and explain_query(): the open windows of a
 * continuous query, for members of its owner's role.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/tuplestore.h"

#include "catalog.h"
#include "identity.h"
#include "preview.h"

/* Runs in a subtransaction. */
typedef void (*Action) (const AwEntry *entry, void *arg);

/* The first open window. */
typedef struct First
{
	bool		is_found;
	AwSpan		span;
	int64		closes_at_us;
} First;

static const AwEntry *find_own(const char *name);
static bool try_action(const AwEntry *entry, Action action, void *arg);
static void warn(const AwEntry *entry, const ErrorData *error);
static void read_windows(const AwEntry *entry, void *arg);
static void put_result(void *arg, const AwPreviewWindow *window, Datum result);
static void find_first(const AwEntry *entry, void *arg);

PG_FUNCTION_INFO_V1(aw_sql_read_open_windows);
PG_FUNCTION_INFO_V1(aw_sql_first_open_window);

/*
 * read_open_windows(query) → set of (window_start_us, window_end_us, n_rows, result).  Of
 * a query that cannot be run, a warning says why, and others can be looked at.
 */
Datum
aw_sql_read_open_windows(PG_FUNCTION_ARGS)
{
	const AwEntry *entry = find_own(NameStr(*PG_GETARG_NAME(0)));

	InitMaterializedSRF(fcinfo, 0);
	if (entry != NULL && !try_action(entry, read_windows, fcinfo->resultinfo))
		tuplestore_clear(((ReturnSetInfo *) fcinfo->resultinfo)->setResult);
	return (Datum) 0;
}

/* first_open_window(query) → (window_start_us, window_end_us, closes_at_us), NULL if none is open. */
Datum
aw_sql_first_open_window(PG_FUNCTION_ARGS)
{
	const AwEntry *entry = find_own(NameStr(*PG_GETARG_NAME(0)));
	First		first = {0};
	TupleDesc	columns;
	Datum		values[3];
	bool		nulls[3] = {0};

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (entry == NULL || !try_action(entry, find_first, &first) || !first.is_found)
		PG_RETURN_NULL();
	values[0] = Int64GetDatum(first.span.start_us);
	values[1] = Int64GetDatum(first.span.end_us);
	values[2] = Int64GetDatum(first.closes_at_us);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(columns, values, nulls)));
}

/* A query of one of the user's roles; NULL if there is none of the name. */
static const AwEntry *
find_own(const char *name)
{
	AwIdentity	before;
	const AwEntry *entry;

	aw_identity_assume(&before, aw_catalog_owner());
	entry = aw_catalog_find(name);
	aw_identity_restore(&before);
	if (entry == NULL || OidIsValid(entry->tracked) ||
		!is_member_of_role(GetUserId(), entry->owner))
		return NULL;
	return entry;
}

/* Runs an action; if it fails, warns, and gives false. */
static bool
try_action(const AwEntry *entry, Action action, void *arg)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		action(entry, arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		if (error->sqlerrcode == ERRCODE_QUERY_CANCELED ||
			ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_OPERATOR_INTERVENTION)
			ReThrowError(error);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	if (error != NULL)
		warn(entry, error);
	return error == NULL;
}

static void
warn(const AwEntry *entry, const ErrorData *error)
{
	ereport(WARNING,
			(errcode(error->sqlerrcode),
			 errmsg("open windows of continuous query \"%s\" cannot be shown: %s",
					NameStr(entry->name), error->message),
			 error->detail ? errdetail_internal("%s", error->detail) : 0,
			 error->hint ? errhint("%s", error->hint) : 0));
}

static void
read_windows(const AwEntry *entry, void *arg)
{
	aw_preview_run(entry, put_result, arg);
}

static void
put_result(void *arg, const AwPreviewWindow *window, Datum result)
{
	ReturnSetInfo *into = arg;
	Datum		values[] = {
		Int64GetDatum(window->span.start_us),
		Int64GetDatum(window->span.end_us),
		Int64GetDatum(window->n_rows),
		result,
	};
	bool		nulls[] = {!window->has_start, false, false, false};

	tuplestore_putvalues(into->setResult, into->setDesc, values, nulls);
}

static void
find_first(const AwEntry *entry, void *arg)
{
	First	   *first = arg;

	first->is_found = aw_preview_first(entry, &first->span, &first->closes_at_us);
}
