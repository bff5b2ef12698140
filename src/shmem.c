/*
 * shmem.c
 *
 * Shared memory: one entry for each database that has a worker, should have one, or
 * must not have one for the moment.
 *
 * A database should have a worker if it has a slot of ours, which the launcher looks
 * for, or if a session has asked: the request stands until a worker takes it up, so
 * it survives one that is about to leave.  While a database is held, its worker is
 * gone and none attaches.  A worker attaches before it connects, so who holds a
 * database and finds no worker will not meet one.
 *
 * All fields are under the lock, but for the two that a commit looks at: to whom an
 * entry belongs, and whether its worker sleeps.  A commit that finds it sleeping
 * wakes it; the first of several does.  A commit that the worker has just missed by
 * going to sleep waits for the worker's own poll.
 *
 * Passes are numbered: what was committed before a call has been processed when a
 * pass is done that began after the call and has read far enough.
 */
#include "postgres.h"

#include <signal.h>

#include "access/xact.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "port/atomics.h"
#include "storage/condition_variable.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/procarray.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "shmem.h"

/* Starts that fail are repeated after 1 s, 2 s, ... and at last every minute. */
#define FIRST_RETRY_MS 1000
#define MAX_RETRY_MS 60000

/* How often it is looked whether a worker has gone. */
#define GONE_POLL_MS 10

typedef struct Database
{
	pg_atomic_uint32 oid;		/* InvalidOid: the entry is free */
	pg_atomic_uint32 is_sleeping;
	bool		has_slot;
	bool		is_asked;
	bool		is_needed;		/* its worker has found something to do */
	int			n_creating;		/* transactions that create a query without its history */
	XLogRecPtr	keep_lsn;		/* from there on the WAL is kept for them; or invalid */
	int			n_holds;
	int			pid;			/* of the worker; 0: there is none */
	Latch	   *latch;
	int			n_failures;		/* starts since one was of use */
	TimestampTz start_after;
	uint64		n_begun;		/* passes */
	uint64		n_done;
	XLogRecPtr	lsn;			/* how far the last pass has come */
	TimestampTz seen_until;		/* likewise, as time; 0: unknown */
	AwActivity	activity;		/* of the worker */
	TimestampTz active_since;
	NameData	query;			/* that it is at */
	ConditionVariable is_done;
	char		error[256];		/* of the last worker that failed, or empty */
} Database;

typedef struct Shared
{
	LWLock	   *lock;
	Latch	   *launcher;		/* NULL: it does not run */
	bool		has_new;		/* databases that no worker has looked into */
	int			n_databases;
	Database	databases[FLEXIBLE_ARRAY_MEMBER];
} Shared;

static Shared *shared = NULL;

/* The entry of a worker's own database. */
static Database *own = NULL;

/* The worker ends because there is nothing to do; else it is to be started again. */
static bool is_leaving = false;

/* The transaction is to ask for the worker when it commits. */
static bool is_asking = false;

/* The transaction has made a database, or made one accept connections. */
static bool is_announcing = false;

/* The transaction creates a query without its history. */
static bool is_creating = false;

/* Databases that the transaction holds. */
static List *held = NIL;

static shmem_request_hook_type previous_shmem_request_hook = NULL;
static shmem_startup_hook_type previous_shmem_startup_hook = NULL;

static void request_memory(void);
static void start_memory(void);
static Size shared_size(void);
static void end_transaction(XactEvent event, void *arg);
static void end_creation(void);
static void announce(void);
static void release_held(void);
static Database *find(Oid database);
static Database *find_or_add(Oid database);
static void report_full(void);
static void ask(Oid database);
static void wake_owner(Database *database);
static void wake_worker(void);
static void wake_launcher(void);
static void unset_launcher(int code, Datum arg);
static void detach(int code, Datum arg);
static void wait_until_gone(int pid);
static long retry_after_ms(int n_failures);
static void free_if_useless(Database *database);
static bool is_wanted(const Database *database);

/* Only while the library is being preloaded. */
void
aw_shmem_init(void)
{
	previous_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_memory;
	previous_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = start_memory;
	RegisterXactCallback(end_transaction, NULL);
}

/* Has the library been preloaded? */
bool
aw_shmem_is_there(void)
{
	return shared != NULL;
}

/*
 * When the transaction has committed, this database shall have a worker that looks
 * at the catalog.
 */
void
aw_shmem_ask(void)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find_or_add(MyDatabaseId);
	LWLockRelease(shared->lock);
	if (entry == NULL)
		report_full();
	is_asking = true;
}

/*
 * The transaction creates a query that is to have what is committed from now on: the
 * worker makes a slot, if it has none, and keeps the WAL until it has seen to the query.
 */
void
aw_shmem_begin_creation(void)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find_or_add(MyDatabaseId);
	if (entry != NULL && !is_creating)
	{
		is_creating = true;
		entry->n_creating++;
		if (XLogRecPtrIsInvalid(entry->keep_lsn))
			entry->keep_lsn = GetXLogInsertRecPtr();
		entry->is_asked = true;
		wake_owner(entry);
	}
	LWLockRelease(shared->lock);
	if (entry == NULL)
		report_full();
}

/* When the transaction has committed, there may be databases that were not there before. */
void
aw_shmem_announce(void)
{
	is_announcing = true;
}

/*
 * Waits until all that was committed before the call, which ends before lsn, has
 * been processed.  False if that takes too long.
 */
bool
aw_shmem_wait(XLogRecPtr lsn, long timeout_ms)
{
	TimestampTz end = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), timeout_ms);
	Database   *database;
	uint64		n_begun = 0;
	bool		is_done = false;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	database = find_or_add(MyDatabaseId);
	if (database != NULL)
	{
		n_begun = database->n_begun;
		database->is_asked = true;
		wake_owner(database);
	}
	LWLockRelease(shared->lock);
	if (database == NULL)
		report_full();

	ConditionVariablePrepareToSleep(&database->is_done);
	while (!is_done)
	{
		long		left_ms = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), end);

		LWLockAcquire(shared->lock, LW_SHARED);
		is_done = (database->n_done > n_begun && database->lsn >= lsn) ||
			(database->pid == 0 && !is_wanted(database));
		LWLockRelease(shared->lock);
		if (is_done || left_ms <= 0)
			break;
		ConditionVariableTimedSleep(&database->is_done, left_ms, PG_WAIT_EXTENSION);
	}
	ConditionVariableCancelSleep();
	return is_done;
}

/* Why the worker of this database has failed last; NULL if it has not since it was of use. */
char *
aw_shmem_error(void)
{
	Database   *database;
	char	   *error = NULL;

	LWLockAcquire(shared->lock, LW_SHARED);
	database = find(MyDatabaseId);
	if (database != NULL && database->error[0] != '\0')
		error = pstrdup(database->error);
	LWLockRelease(shared->lock);
	return error;
}

/* What is known of the worker of this database. */
AwWorkerStatus
aw_shmem_status(void)
{
	AwWorkerStatus status = {0};
	const Database *database;

	LWLockAcquire(shared->lock, LW_SHARED);
	database = find(MyDatabaseId);
	if (database != NULL)
	{
		status.pid = database->pid;
		status.lsn = database->lsn;
		status.seen_until = database->seen_until;
		status.activity = database->activity;
		status.active_since = database->active_since;
		status.query = database->query;
		status.is_held = database->n_holds > 0;
	}
	status.has_launcher = shared->launcher != NULL;
	LWLockRelease(shared->lock);
	return status;
}

/*
 * Stops the worker of a database, if it has one, and keeps it from coming back until
 * the transaction ends.  If there is no room for the hold, it comes back all too soon.
 */
void
aw_shmem_hold(Oid database)
{
	MemoryContext old_cxt = MemoryContextSwitchTo(TopMemoryContext);
	Database   *entry;
	int			pid = 0;

	held = lappend_oid(held, database);
	MemoryContextSwitchTo(old_cxt);

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find_or_add(database);
	if (entry == NULL)
		held = list_delete_last(held);
	else
	{
		entry->n_holds++;
		pid = entry->pid;
	}
	if (pid != 0)
		kill(pid, SIGTERM);
	LWLockRelease(shared->lock);
	if (pid != 0)
		wait_until_gone(pid);
}

/* The process is the launcher, and is woken when a worker comes to be wanted or goes. */
void
aw_shmem_set_launcher(void)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	shared->launcher = MyLatch;
	LWLockRelease(shared->lock);
	before_shmem_exit(unset_launcher, (Datum) 0);
}

/* These databases have slots, and no others; entries of no use become free. */
void
aw_shmem_keep_only(const Oid *databases, int n_databases)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	for (int i = 0; i < shared->n_databases; i++)
		shared->databases[i].has_slot = false;
	for (int i = 0; i < n_databases; i++)
	{
		Database   *entry = find_or_add(databases[i]);

		if (entry != NULL)
			entry->has_slot = true;
	}
	for (int i = 0; i < shared->n_databases; i++)
		free_if_useless(&shared->databases[i]);
	LWLockRelease(shared->lock);
}

/* Has a database been announced since the last call? */
bool
aw_shmem_take_announcement(void)
{
	bool		has_new;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	has_new = shared->has_new;
	shared->has_new = false;
	LWLockRelease(shared->lock);
	return has_new;
}

/* A database shall have a worker that looks at its catalog; false if there is no room. */
bool
aw_shmem_look_into(Oid database)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find_or_add(database);
	if (entry != NULL)
		entry->is_asked = true;
	LWLockRelease(shared->lock);
	return entry != NULL;
}

/* Is a database looked into, or about to be, and not known yet to need its worker? */
bool
aw_shmem_is_looked_into(Oid database)
{
	Database   *entry;
	bool		result;

	LWLockAcquire(shared->lock, LW_SHARED);
	entry = find(database);
	result = entry != NULL && !entry->is_needed && (entry->pid != 0 || entry->is_asked);
	LWLockRelease(shared->lock);
	return result;
}

/*
 * A database whose worker is to be started now, which counts as a failure until the
 * worker has been of use.  InvalidOid if there is none; wait_ms says until when, -1
 * for ever.
 */
Oid
aw_shmem_next_start(long *wait_ms)
{
	TimestampTz now = GetCurrentTimestamp();
	Oid			result = InvalidOid;

	*wait_ms = -1;
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	for (int i = 0; i < shared->n_databases && !OidIsValid(result); i++)
	{
		Database   *entry = &shared->databases[i];
		long		left_ms;

		if (!is_wanted(entry) || entry->pid != 0 || entry->n_holds > 0)
			continue;
		left_ms = TimestampDifferenceMilliseconds(now, entry->start_after);
		if (left_ms <= 0)
		{
			left_ms = retry_after_ms(entry->n_failures++);
			entry->start_after = TimestampTzPlusMilliseconds(now, left_ms);
			result = pg_atomic_read_u32(&entry->oid);
		}
		if (*wait_ms < 0 || left_ms < *wait_ms)
			*wait_ms = left_ms;
	}
	LWLockRelease(shared->lock);
	return result;
}

/* The start that was just asked for is put off. */
void
aw_shmem_start_failed(Oid database, const char *error, long wait_ms)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find(database);
	if (entry != NULL)
	{
		strlcpy(entry->error, error, sizeof(entry->error));
		if (wait_ms > 0)
			entry->start_after = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), wait_ms);
	}
	LWLockRelease(shared->lock);
}

/* Ends the worker of a database, if it has one; it is started again. */
void
aw_shmem_stop_worker(Oid database)
{
	const Database *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find(database);
	if (entry != NULL && entry->pid != 0)
		kill(entry->pid, SIGTERM);
	LWLockRelease(shared->lock);
}

/* There is no such database any more. */
void
aw_shmem_forget(Oid database)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find(database);
	if (entry != NULL && entry->pid == 0 && entry->n_holds == 0)
		pg_atomic_write_u32(&entry->oid, InvalidOid);
	LWLockRelease(shared->lock);
}

/* Makes the process the worker of a database; false if it must not be. */
bool
aw_shmem_attach(Oid database)
{
	Database   *entry;
	bool		is_attached = false;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find(database);
	if (entry != NULL && entry->pid == 0 && entry->n_holds == 0)
	{
		entry->pid = MyProcPid;
		entry->latch = MyLatch;
		entry->lsn = InvalidXLogRecPtr;
		entry->activity = AW_ACTIVITY_NONE;
		pg_atomic_write_u32(&entry->is_sleeping, 0);
		own = entry;
		is_attached = true;
	}
	LWLockRelease(shared->lock);
	if (is_attached)
		before_shmem_exit(detach, (Datum) 0);
	return is_attached;
}

/* Begins a pass; true if a session has asked since the last one. */
bool
aw_shmem_begin_pass(void)
{
	bool		is_asked;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	own->n_begun++;
	is_asked = own->is_asked;
	own->is_asked = false;
	own->has_slot = true;
	if (own->n_creating == 0)
		own->keep_lsn = InvalidXLogRecPtr;
	LWLockRelease(shared->lock);
	return is_asked;
}

/* The worker has found something to do, and stays. */
void
aw_shmem_stay(void)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	own->is_needed = true;
	wake_launcher();
	LWLockRelease(shared->lock);
}

/* Is a query about to be there that needs the slot? */
bool
aw_shmem_is_awaited(void)
{
	bool		result;

	LWLockAcquire(shared->lock, LW_SHARED);
	result = own->n_creating > 0;
	LWLockRelease(shared->lock);
	return result;
}

/* What need not be read again: up to lsn, unless a query is about to be there. */
XLogRecPtr
aw_shmem_limit(XLogRecPtr lsn)
{
	LWLockAcquire(shared->lock, LW_SHARED);
	if (!XLogRecPtrIsInvalid(own->keep_lsn))
		lsn = Min(lsn, own->keep_lsn);
	LWLockRelease(shared->lock);
	return lsn;
}

/* Ends a pass: all that was committed before lsn, and before seen_until, has been processed. */
void
aw_shmem_end_pass(XLogRecPtr lsn, TimestampTz seen_until)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	own->n_done = own->n_begun;
	own->lsn = lsn;
	own->seen_until = seen_until;
	if (own->n_failures > 0)
	{
		own->n_failures = 0;
		own->start_after = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), FIRST_RETRY_MS);
	}
	own->error[0] = '\0';
	LWLockRelease(shared->lock);
	ConditionVariableBroadcast(&own->is_done);
}

/* From now on commits wake the worker; it looks once more for work before it sleeps. */
void
aw_shmem_begin_sleep(void)
{
	pg_atomic_exchange_u32(&own->is_sleeping, 1);
}

void
aw_shmem_end_sleep(void)
{
	pg_atomic_write_u32(&own->is_sleeping, 0);
}

/* The worker has nothing to do; false if a session has asked in the meantime. */
bool
aw_shmem_leave(void)
{
	bool		is_asked;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	is_asked = own->is_asked || own->n_creating > 0;
	if (!is_asked)
	{
		own->has_slot = false;
		own->n_failures = 0;
		own->start_after = 0;
		own->error[0] = '\0';
		is_leaving = true;
	}
	LWLockRelease(shared->lock);
	return !is_asked;
}

/* What the worker does from now on: with which query, or NULL. */
void
aw_shmem_set_activity(AwActivity activity, const char *query)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	own->activity = activity;
	own->active_since = GetCurrentTimestamp();
	namestrcpy(&own->query, query == NULL ? "" : query);
	LWLockRelease(shared->lock);
}

/* Why the worker is about to fail. */
void
aw_shmem_set_error(const char *error)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	strlcpy(own->error, error, sizeof(own->error));
	LWLockRelease(shared->lock);
}

static void
request_memory(void)
{
	if (previous_shmem_request_hook)
		previous_shmem_request_hook();
	RequestAddinShmemSpace(shared_size());
	RequestNamedLWLockTranche("apply_watermark", 1);
}

static void
start_memory(void)
{
	bool		is_found;

	if (previous_shmem_startup_hook)
		previous_shmem_startup_hook();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("apply_watermark", shared_size(), &is_found);
	if (!is_found)
	{
		MemSet(shared, 0, shared_size());
		shared->lock = &GetNamedLWLockTranche("apply_watermark")->lock;
		shared->n_databases = max_worker_processes + 16;
		for (int i = 0; i < shared->n_databases; i++)
		{
			pg_atomic_init_u32(&shared->databases[i].oid, InvalidOid);
			pg_atomic_init_u32(&shared->databases[i].is_sleeping, 0);
			ConditionVariableInit(&shared->databases[i].is_done);
		}
	}
	LWLockRelease(AddinShmemInitLock);
}

/* No more workers than the server has room for, and some databases that are held. */
static Size
shared_size(void)
{
	return add_size(offsetof(Shared, databases),
					mul_size(max_worker_processes + 16, sizeof(Database)));
}

/* Callback of each transaction of a session: one look at an entry where it has written. */
static void
end_transaction(XactEvent event, void *arg)
{
	(void) arg;
	switch (event)
	{
		case XACT_EVENT_PRE_PREPARE:
			if (is_asking)
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("cannot prepare a transaction that has changed "
								"continuous queries")));
			break;
		case XACT_EVENT_COMMIT:
			if (is_asking)
				ask(MyDatabaseId);
			else if (TransactionIdIsValid(GetTopTransactionIdIfAny()))
				wake_worker();
			if (is_announcing)
				announce();
			/* FALLTHROUGH */
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:
			if (is_creating)
				end_creation();
			is_asking = is_announcing = false;
			if (held != NIL)
				release_held();
			break;
		default:
			break;
	}
}

/* The worker keeps the WAL until it has looked at the catalog once more. */
static void
end_creation(void)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find(MyDatabaseId);
	if (entry != NULL)
	{
		entry->n_creating--;
		entry->is_asked = true;
		wake_owner(entry);
	}
	LWLockRelease(shared->lock);
	is_creating = false;
}

static void
announce(void)
{
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	shared->has_new = true;
	wake_launcher();
	LWLockRelease(shared->lock);
}

/* Lets the workers back that the transaction has held off. */
static void
release_held(void)
{
	ListCell   *lc;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	foreach(lc, held)
	{
		Database   *entry = find(lfirst_oid(lc));

		entry->n_holds--;
		entry->n_failures = 0;
		entry->start_after = 0;
		free_if_useless(entry);
	}
	wake_launcher();
	LWLockRelease(shared->lock);
	list_free(held);
	held = NIL;
}

/* The entry of a database, or NULL; also without the lock. */
static Database *
find(Oid database)
{
	for (int i = 0; i < shared->n_databases; i++)
	{
		if (pg_atomic_read_u32(&shared->databases[i].oid) == database)
			return &shared->databases[i];
	}
	return NULL;
}

/* The entry of a database, made if there is none; NULL if there is no room. */
static Database *
find_or_add(Oid database)
{
	Database   *entry = find(database);

	Assert(LWLockHeldByMeInMode(shared->lock, LW_EXCLUSIVE));
	for (int i = 0; i < shared->n_databases && entry == NULL; i++)
	{
		Database   *candidate = &shared->databases[i];

		if (OidIsValid(pg_atomic_read_u32(&candidate->oid)))
			continue;
		entry = candidate;
		entry->has_slot = false;
		entry->is_asked = false;
		entry->is_needed = false;
		entry->n_creating = 0;
		entry->keep_lsn = InvalidXLogRecPtr;
		entry->n_holds = 0;
		entry->pid = 0;
		entry->n_failures = 0;
		entry->start_after = 0;
		entry->lsn = InvalidXLogRecPtr;
		entry->seen_until = 0;
		entry->activity = AW_ACTIVITY_NONE;
		entry->error[0] = '\0';
		pg_atomic_write_u32(&entry->is_sleeping, 0);
		pg_atomic_write_u32(&entry->oid, database);
	}
	return entry;
}

static void
report_full(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("too many databases have continuous queries"),
			 errhint("Increase max_worker_processes, and restart the server.")));
}

/* After a commit, so without errors. */
static void
ask(Oid database)
{
	Database   *entry;

	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	entry = find_or_add(database);
	if (entry != NULL)
	{
		entry->is_asked = true;
		wake_owner(entry);
	}
	LWLockRelease(shared->lock);
}

/* Wakes the worker, or the launcher to start one. */
static void
wake_owner(Database *database)
{
	if (database->pid != 0)
		SetLatch(database->latch);
	else
		wake_launcher();
}

/* Wakes the worker if it sleeps; of several commits at a time, one does. */
static void
wake_worker(void)
{
	Database   *database = find(MyDatabaseId);

	if (database == NULL)
		return;
	pg_memory_barrier();
	if (pg_atomic_read_u32(&database->is_sleeping) != 0 &&
		pg_atomic_exchange_u32(&database->is_sleeping, 0) != 0)
	{
		Latch	   *latch = database->latch;

		SetLatch(latch);
	}
}

static void
wake_launcher(void)
{
	if (shared->launcher != NULL)
		SetLatch(shared->launcher);
}

/* Callback at the end of the launcher. */
static void
unset_launcher(int code, Datum arg)
{
	(void) code;
	(void) arg;
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	shared->launcher = NULL;
	LWLockRelease(shared->lock);
}

/* Callback at the end of a worker. */
static void
detach(int code, Datum arg)
{
	(void) code;
	(void) arg;
	LWLockAcquire(shared->lock, LW_EXCLUSIVE);
	pg_atomic_write_u32(&own->is_sleeping, 0);
	own->pid = 0;
	own->is_needed = false;
	if (!is_leaving)
		own->is_asked = true;
	wake_launcher();
	LWLockRelease(shared->lock);
	ConditionVariableBroadcast(&own->is_done);
	own = NULL;
}

/* A process counts as connected to its database until it has left the process array. */
static void
wait_until_gone(int pid)
{
	while (BackendPidGetProc(pid) != NULL)
	{
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 GONE_POLL_MS, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
}

static long
retry_after_ms(int n_failures)
{
	return Min((long) FIRST_RETRY_MS << Min(n_failures, 6), MAX_RETRY_MS);
}

/* An entry that says nothing; the launcher makes it again if there is a slot. */
static void
free_if_useless(Database *database)
{
	if (!is_wanted(database) && database->pid == 0 && database->n_holds == 0)
		pg_atomic_write_u32(&database->oid, InvalidOid);
}

/* Should a database have a worker, if it is not held? */
static bool
is_wanted(const Database *database)
{
	return OidIsValid(pg_atomic_read_u32((pg_atomic_uint32 *) &database->oid)) &&
		(database->has_slot || database->is_asked || database->n_creating > 0);
}
