/*
 * launcher.c
 *
 * A static background worker that starts one dynamic worker for each database that
 * has a slot of ours or whose sessions have asked for it.
 *
 * A database may have queries and no slot: a copy, one that was restored, or all of
 * them on a standby that is promoted.  So a worker looks into each database once, when
 * the launcher starts or the database has come, one database at a time, and leaves if
 * there is nothing to do.
 *
 * The server never restarts a worker by itself, since one that takes the server down
 * would do so for ever; the launcher does, after a time that grows with each failure.
 * It is connected to no database, so it is in nobody's way.
 *
 * It is not registered where decoding is impossible or nothing may run: wal_level
 * below logical, and binary upgrades.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_database.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "replication/slot.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/relcache.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "capture.h"
#include "launcher.h"
#include "shmem.h"
#include "slotguard.h"
#include "worker.h"

/* The server starts a launcher that has failed again after this. */
#define RESTART_S 5

/* How often it is looked whether a slot keeps too much. */
#define CHECK_MS 10000

/* A database that refuses connections is looked at again. */
#define REFUSED_MS 60000

/* The next database is looked into when the one before has been, or after this. */
#define LOOK_MS 10000

typedef enum Acceptance
{
	DATABASE_ACCEPTS,
	DATABASE_REFUSES,
	DATABASE_MISSING
} Acceptance;

/* Databases that a worker has looked into, and those that one has still to. */
static List *seen = NIL;
static List *unseen = NIL;

extern PGDLLEXPORT void aw_launcher_main(Datum arg);

static bool find_slots(void);
static bool is_own_slot(ReplicationSlot *slot, Oid *database);
static void list_databases(void);
static long look_into_next(void);
static void start_workers(long *wait_ms);
static Acceptance acceptance_of(Oid database);
static bool accepts(Form_pg_database database);
static bool start_worker(Oid database);

void
aw_launcher_init(void)
{
	BackgroundWorker worker = {
		.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = RESTART_S
	};

	if (IsBinaryUpgrade || wal_level < WAL_LEVEL_LOGICAL)
		return;
	strlcpy(worker.bgw_name, "apply_watermark launcher", BGW_MAXLEN);
	strlcpy(worker.bgw_type, "apply_watermark launcher", BGW_MAXLEN);
	strlcpy(worker.bgw_library_name, "apply_watermark", BGW_MAXLEN);
	strlcpy(worker.bgw_function_name, "aw_launcher_main", BGW_MAXLEN);
	RegisterBackgroundWorker(&worker);
}

/* The launcher's process. */
void
aw_launcher_main(Datum arg)
{
	(void) arg;
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	BackgroundWorkerUnblockSignals();
	BackgroundWorkerInitializeConnection(NULL, NULL, 0);
	aw_shmem_set_launcher();
	list_databases();

	while (!ShutdownRequestPending)
	{
		bool		has_slots = find_slots();
		long		look_ms;
		long		wait_ms;

		if (aw_shmem_take_announcement())
			list_databases();
		look_ms = look_into_next();
		start_workers(&wait_ms);
		if (look_ms >= 0 && (wait_ms < 0 || look_ms < wait_ms))
			wait_ms = look_ms;
		if (has_slots && (wait_ms < 0 || wait_ms > CHECK_MS))
			wait_ms = CHECK_MS;
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | (wait_ms < 0 ? 0 : WL_TIMEOUT),
						 wait_ms, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
		if (ConfigReloadPending)
		{
			ConfigReloadPending = false;
			ProcessConfigFile(PGC_SIGHUP);
		}
	}

	/* With any other status the server would not start it again. */
	proc_exit(1);
}

/* Tells the shared memory which databases have slots, and drops those that keep too much. */
static bool
find_slots(void)
{
	Oid		   *databases = palloc(max_replication_slots * sizeof(Oid));
	int			n_databases = 0;

	LWLockAcquire(ReplicationSlotControlLock, LW_SHARED);
	for (int i = 0; i < max_replication_slots; i++)
	{
		ReplicationSlot *slot = &ReplicationSlotCtl->replication_slots[i];

		if (is_own_slot(slot, &databases[n_databases]))
			n_databases++;
	}
	LWLockRelease(ReplicationSlotControlLock);
	aw_shmem_keep_only(databases, n_databases);
	for (int i = 0; i < n_databases; i++)
		aw_slotguard_check(databases[i]);
	pfree(databases);
	return n_databases > 0;
}

/* Is a slot that of its database's worker? */
static bool
is_own_slot(ReplicationSlot *slot, Oid *database)
{
	char	   *name;
	bool		is_own;

	if (!slot->in_use)
		return false;

	/* Of a slot in use, these do not change. */
	*database = slot->data.database;
	name = aw_capture_slot_name(*database);
	is_own = strcmp(NameStr(slot->data.name), name) == 0 &&
		strcmp(NameStr(slot->data.plugin), AW_CAPTURE_PLUGIN) == 0;
	pfree(name);
	return is_own;
}

/* Finds databases that nobody has looked into.  A template is not to be written to. */
static void
list_databases(void)
{
	List	   *still_seen = NIL;
	MemoryContext cxt;
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;

	StartTransactionCommand();
	cxt = MemoryContextSwitchTo(TopMemoryContext);
	list_free(unseen);
	unseen = NIL;
	rel = table_open(DatabaseRelationId, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_database form = (Form_pg_database) GETSTRUCT(tuple);

		if (list_member_oid(seen, form->oid))
			still_seen = lappend_oid(still_seen, form->oid);
		else if (accepts(form) && !form->datistemplate)
			unseen = lappend_oid(unseen, form->oid);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	list_free(seen);
	seen = still_seen;
	MemoryContextSwitchTo(cxt);
	CommitTransactionCommand();
}

/*
 * Has a worker look into the next database, when the one before has been looked into.
 * Says in how many milliseconds to call again at the latest, -1 for never.
 */
static long
look_into_next(void)
{
	static Oid	current = InvalidOid;
	static TimestampTz next_at = 0;
	TimestampTz now = GetCurrentTimestamp();
	MemoryContext cxt;

	if (unseen == NIL)
		return -1;
	if (OidIsValid(current) && aw_shmem_is_looked_into(current) && now < next_at)
		return TimestampDifferenceMilliseconds(now, next_at);
	if (!aw_shmem_look_into(linitial_oid(unseen)))
		return LOOK_MS;

	current = linitial_oid(unseen);
	next_at = TimestampTzPlusMilliseconds(now, LOOK_MS);
	cxt = MemoryContextSwitchTo(TopMemoryContext);
	seen = lappend_oid(seen, current);
	unseen = list_delete_first(unseen);
	MemoryContextSwitchTo(cxt);
	return unseen == NIL ? -1 : LOOK_MS;
}

/* Starts all workers that are due; wait_ms says when the next one will be. */
static void
start_workers(long *wait_ms)
{
	static bool is_full = false;
	Oid			database;

	while (OidIsValid(database = aw_shmem_next_start(wait_ms)))
	{
		switch (acceptance_of(database))
		{
			case DATABASE_MISSING:
				aw_shmem_forget(database);
				continue;
			case DATABASE_REFUSES:
				aw_shmem_start_failed(database, "the database does not accept connections",
									  REFUSED_MS);
				continue;
			case DATABASE_ACCEPTS:
				break;
		}
		if (start_worker(database))
			is_full = false;
		else
		{
			aw_shmem_start_failed(database, "no background worker is free", 0);
			if (!is_full)
				ereport(LOG,
						(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
						 errmsg("no background worker is free for the continuous queries "
								"of database %u", database),
						 errhint("Increase max_worker_processes, and restart the server.")));
			is_full = true;
		}
	}
}

/* May a worker connect to a database? */
static Acceptance
acceptance_of(Oid database)
{
	Acceptance	result = DATABASE_MISSING;
	Relation	rel;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	StartTransactionCommand();
	rel = table_open(DatabaseRelationId, AccessShareLock);
	ScanKeyInit(&key, Anum_pg_database_oid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(database));

	/* Without a database, the index may not be known. */
	scan = systable_beginscan(rel, DatabaseOidIndexId, criticalSharedRelcachesBuilt, NULL, 1,
							  &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		result = accepts((Form_pg_database) GETSTRUCT(tuple)) ? DATABASE_ACCEPTS :
			DATABASE_REFUSES;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	CommitTransactionCommand();
	return result;
}

/* A limit below -1 marks a database whose DROP was interrupted. */
static bool
accepts(Form_pg_database database)
{
	return database->datallowconn && database->datconnlimit >= -1;
}

/* Asks the server for a worker; false if it has none to give. */
static bool
start_worker(Oid database)
{
	BackgroundWorker worker = {
		.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = BGW_NEVER_RESTART,
		.bgw_main_arg = ObjectIdGetDatum(database)
	};

	snprintf(worker.bgw_name, BGW_MAXLEN, "apply_watermark worker for database %u", database);
	strlcpy(worker.bgw_type, "apply_watermark worker", BGW_MAXLEN);
	strlcpy(worker.bgw_library_name, "apply_watermark", BGW_MAXLEN);
	strlcpy(worker.bgw_function_name, "aw_worker_main", BGW_MAXLEN);
	return RegisterDynamicBackgroundWorker(&worker, NULL);
}
