/*
 * worker.c
 *
 * The worker of a database: reads what has been committed, hands it to the engine,
 * confirms what need not be read again, and waits.
 *
 * It has no transaction open while it waits.  A commit wakes it; several within
 * aw_worker_coalesce_delay_ms are one batch, so that a busy server pays for a pass
 * now and then, not for each commit, and an idle one has no delay.  Commits that wake
 * nobody, as those with synchronous_commit = off do before they are flushed, are
 * found every aw_worker_poll_interval_ms.
 *
 * It leaves, and drops the slot, when the extension or the last query is gone.  An
 * error ends it, and the launcher starts another; so does SIGTERM, at once if it
 * works, after the engine has saved its state if it waits.
 */
#include "postgres.h"

#include <signal.h>

#include "access/xact.h"
#include "access/xlog.h"
#include "commands/dbcommands.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "replication/slot.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "capture.h"
#include "compat.h"
#include "delay.h"
#include "engine.h"
#include "shmem.h"
#include "worker.h"

int			aw_worker_poll_interval_ms = 200;
int			aw_worker_coalesce_delay_ms = 3;
int			aw_worker_batch_size_kb = 16 * 1024;

/* How long, and how often, a session that creates a query looks for a slot. */
#define SLOT_TIMEOUT_MS	10000
#define SLOT_POLL_MS	5

/* SIGTERM has come. */
static volatile sig_atomic_t is_stopping = false;

/* The worker waits, with nothing half done. */
static volatile sig_atomic_t is_waiting = false;

/* The extension that was there at first. */
static Oid	first_extension = InvalidOid;

/* The extension may have been dropped. */
static bool is_catalog_changed = true;

/* It has, and there is another, for another worker. */
static bool is_extension_new = false;

extern PGDLLEXPORT void aw_worker_main(Datum arg);

static void handle_sigterm(SIGNAL_ARGS);
static void connect_to(Oid database);
static void notice_change(Datum arg, Oid relid);
static void work(void);
static void tell(const char *event);
static bool is_extension_there(void);
static AwCapture *open_capture(const char *slot);
static void drop_slot(const char *slot, AwSlotState state);
static void pass(AwCapture *capture, MemoryContext cxt);
static bool is_reread_wanted(const AwCapture *capture);
static void wait_for_commits(const AwCapture *capture, TimestampTz began);
static void wait_latch(int events, long timeout_ms);
static void remember_error(void);
static void add_missing(StringInfo list, const char *setting);

/*
 * Raises an error, with a hint that says all there is to do, if the server is not
 * set up for continuous queries.
 */
void
aw_worker_check_prerequisites(void)
{
	StringInfoData settings;
	const char *preloaded = GetConfigOption("shared_preload_libraries", true, false);

	initStringInfo(&settings);
	if (!aw_shmem_is_there())
		add_missing(&settings, preloaded == NULL || *preloaded == '\0' ?
					"shared_preload_libraries = 'apply_watermark'" :
					psprintf("shared_preload_libraries = '%s, apply_watermark'", preloaded));
	if (wal_level < WAL_LEVEL_LOGICAL)
		add_missing(&settings, "wal_level = logical");
	if (max_replication_slots == 0)
		add_missing(&settings, "max_replication_slots = 10");
	if (settings.len > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the server is not set up for continuous queries"),
				 errhint("Set %s in \"%s\", and restart the server.", settings.data,
						 GetConfigOption("config_file", false, false))));
}

/* Has the worker look at the catalog when the transaction has committed. */
void
aw_worker_request(void)
{
	if (aw_shmem_is_there())
		aw_shmem_ask();
}

/*
 * The transaction creates a query that is to have all that is committed from now on:
 * the position in the WAL from which it must read.  Where there is no slot yet, waits for
 * one to be made; InvalidXLogRecPtr if that takes too long, or would wait for this
 * transaction, which has written.
 */
XLogRecPtr
aw_worker_await_slot(void)
{
	const char *slot = aw_capture_slot_name(MyDatabaseId);
	TimestampTz end = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), SLOT_TIMEOUT_MS);
	XLogRecPtr	start_lsn;

	if (!aw_shmem_is_there() || wal_level < WAL_LEVEL_LOGICAL)
		return InvalidXLogRecPtr;
	aw_shmem_begin_creation();
	for (;;)
	{
		AwSlotState state = aw_capture_slot_state(slot, &start_lsn);

		if (state == AW_SLOT_READY && !XLogRecPtrIsInvalid(start_lsn))
			return GetXLogInsertRecPtr();
		if (state == AW_SLOT_FOREIGN || GetCurrentTimestamp() >= end ||
			TransactionIdIsValid(GetTopTransactionIdIfAny()))
			return InvalidXLogRecPtr;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, SLOT_POLL_MS,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
}

/*
 * Waits until everything committed before the call has been processed, by the
 * queries that run.  An error in a transaction that has written, for which the worker
 * might have to wait in turn, and if it takes longer than timeout_ms.
 */
void
aw_worker_advance(long timeout_ms)
{
	XLogRecPtr	lsn;
	AwDelay		delay;

	aw_worker_check_prerequisites();
	if (TransactionIdIsValid(GetTopTransactionIdIfAny()))
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("cannot wait for continuous queries in a transaction that has written"),
				 errhint("Commit first.")));

	/* A record of our own ends where nothing committed before can be behind it. */
	lsn = LogLogicalMessage("apply_watermark", "", 0, false, false);
	XLogFlush(lsn);
	if (aw_shmem_wait(lsn, timeout_ms))
		return;
	delay = aw_delay_find(lsn);
	ereport(ERROR,
			(errcode(ERRCODE_QUERY_CANCELED),
			 errmsg("continuous queries have not come as far in %ld ms", timeout_ms),
			 errdetail_internal("%s", delay.reason),
			 delay.remedy == NULL ? 0 : errhint("%s", delay.remedy)));
}

/* The worker's process. */
void
aw_worker_main(Datum arg)
{
	Oid			database = DatumGetObjectId(arg);

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, handle_sigterm);
	BackgroundWorkerUnblockSignals();
	if (!aw_shmem_attach(database))
		proc_exit(0);

	PG_TRY();
	{
		connect_to(database);
		work();
	}
	PG_CATCH();
	{
		remember_error();
		PG_RE_THROW();
	}
	PG_END_TRY();
	proc_exit(0);
}

/* Ends the process at its next look at interrupts, or the wait. */
static void
handle_sigterm(SIGNAL_ARGS)
{
	int			saved_errno = errno;

	(void) postgres_signal_arg;
	if (!is_waiting || is_stopping)
	{
		InterruptPending = true;
		ProcDiePending = true;
	}
	is_stopping = true;
	SetLatch(MyLatch);
	errno = saved_errno;
}

/*
 * A session whose behaviour does not depend on settings of the database.  Plans are
 * run for each batch, so compiling them does not pay.
 */
static void
connect_to(Oid database)
{
	static const char *const settings[][2] = {
		{"application_name", "apply_watermark"},
		{"role", "none"},
		{"search_path", "pg_catalog, pg_temp"},
		{"default_transaction_isolation", "read committed"},
		{"default_transaction_read_only", "off"},
		{"default_transaction_deferrable", "off"},
		{"lock_timeout", "0"},
		{"transaction_timeout", "0"},
		{"jit", "off"},
	};

	BackgroundWorkerInitializeConnectionByOid(database, InvalidOid, 0);
	for (int i = 0; i < (int) lengthof(settings); i++)
	{
		/* Not every version has all of them. */
		if (GetConfigOption(settings[i][0], true, false) != NULL)
			SetConfigOption(settings[i][0], settings[i][1], PGC_SUSET, PGC_S_OVERRIDE);
	}
	CacheRegisterRelcacheCallback(notice_change, (Datum) 0);
}

static void
notice_change(Datum arg, Oid relid)
{
	(void) arg;
	(void) relid;
	is_catalog_changed = true;
}

/* Until there is nothing to do, or the worker is stopped while it waits. */
static void
work(void)
{
	char	   *slot = MemoryContextStrdup(TopMemoryContext, aw_capture_slot_name(MyDatabaseId));
	MemoryContext cxt = AllocSetContextCreate(TopMemoryContext, "apply_watermark pass",
											  ALLOCSET_DEFAULT_SIZES);
	AwCapture  *capture = NULL;
	AwSlotState state;

	(void) aw_shmem_begin_pass();
	if (is_extension_there())
	{
		MemoryContextSwitchTo(cxt);
		aw_engine_start(first_extension);
	}
	while (is_extension_there() && (aw_engine_is_needed() || aw_shmem_is_awaited()))
	{
		TimestampTz began = GetCurrentTimestamp();

		MemoryContextSwitchTo(cxt);
		if (capture == NULL)
		{
			aw_shmem_stay();
			tell("has started");
			capture = open_capture(slot);
		}
		pass(capture, cxt);
		wait_for_commits(capture, began);
		if (is_stopping)
		{
			aw_engine_stop();
			tell("has been stopped");
			return;
		}
		MemoryContextSwitchTo(cxt);
		if (aw_shmem_begin_pass() && is_extension_there())
			aw_engine_reload(capture);
	}
	if (capture != NULL)
		aw_capture_close(capture);
	state = aw_capture_slot_state(slot, NULL);
	if (state == AW_SLOT_READY || state == AW_SLOT_LOST)
		drop_slot(slot, state);
	if (capture != NULL)
		tell("has ended");
	if (!is_extension_new)
		(void) aw_shmem_leave();
}

/* A line in the log about the worker. */
static void
tell(const char *event)
{
	StartTransactionCommand();
	ereport(LOG,
			(errmsg("worker for continuous queries of database \"%s\" %s",
					get_database_name(MyDatabaseId), event)));
	CommitTransactionCommand();
}

/*
 * Is the extension there that was there at first?  Looked up only when a relation
 * has changed, as those of the extension do when it is dropped.
 */
static bool
is_extension_there(void)
{
	static bool is_there = false;
	Oid			extension;

	AcceptInvalidationMessages();
	if (!is_catalog_changed)
		return is_there;
	is_catalog_changed = false;
	StartTransactionCommand();
	extension = get_extension_oid("apply_watermark", true);
	CommitTransactionCommand();
	if (!OidIsValid(first_extension))
		first_extension = extension;
	is_there = OidIsValid(extension) && extension == first_extension;
	is_extension_new = OidIsValid(extension) && extension != first_extension;
	return is_there;
}

/* Opens the slot, a new one if the old one is not there or of no use. */
static AwCapture *
open_capture(const char *slot)
{
	AwSlotState state = aw_capture_slot_state(slot, NULL);
	AwCapture  *capture;

	if (state == AW_SLOT_FOREIGN)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("replication slot \"%s\" was not made by apply_watermark", slot),
				 errhint("Drop it with pg_drop_replication_slot().")));
	if (state == AW_SLOT_LOST)
		drop_slot(slot, state);
	if (state != AW_SLOT_READY)
	{
		aw_shmem_set_activity(AW_ACTIVITY_SLOT, NULL);
		aw_capture_create_slot(slot);
		ereport(LOG,
				(errmsg("replication slot \"%s\" was created", slot)));
		aw_shmem_set_activity(AW_ACTIVITY_NONE, NULL);
	}
	capture = aw_capture_open(slot, aw_engine_reread_lsn());
	aw_engine_reload(capture);
	return capture;
}

static void
drop_slot(const char *slot, AwSlotState state)
{
	aw_capture_drop_slot(slot);
	if (state == AW_SLOT_LOST)
		ereport(WARNING,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("replication slot \"%s\" had lost its WAL, and was dropped", slot)));
	else
		ereport(LOG,
				(errmsg("replication slot \"%s\" was dropped", slot)));
}

/* Reads a batch, has it processed, and confirms what that allows. */
static void
pass(AwCapture *capture, MemoryContext cxt)
{
	static XLogRecPtr confirmed_lsn = InvalidXLogRecPtr;
	XLogRecPtr	read_lsn;
	XLogRecPtr	done_lsn;
	const Oid  *sources;
	int			n_sources;
	AwBatch    *batch;

	if (is_reread_wanted(capture))
		aw_capture_rewind(capture, aw_engine_reread_lsn());
	sources = aw_engine_sources(&n_sources);
	aw_capture_set_sources(capture, sources, n_sources);
	batch = aw_capture_read(capture, cxt, (int64) aw_worker_batch_size_kb * 1024,
							aw_engine_limit_lsn(aw_capture_read_lsn(capture)));
	if (batch != NULL)
		pgstat_report_activity(STATE_RUNNING, NULL);
	read_lsn = aw_capture_read_lsn(capture);
	done_lsn = aw_shmem_limit(aw_engine_pass(batch, read_lsn));
	if (batch != NULL)
		aw_capture_release(batch);
	MemoryContextSwitchTo(cxt);
	MemoryContextReset(cxt);

	if (done_lsn > confirmed_lsn)
	{
		aw_capture_confirm(capture, done_lsn);
		confirmed_lsn = done_lsn;
	}

	/* What is to be read again is not processed. */
	if (is_reread_wanted(capture))
		read_lsn = aw_engine_reread_lsn();
	aw_shmem_end_pass(read_lsn, aw_capture_seen_until(capture));
}

/* Does the engine want something again that has been read? */
static bool
is_reread_wanted(const AwCapture *capture)
{
	XLogRecPtr	lsn = aw_engine_reread_lsn();

	return !XLogRecPtrIsInvalid(lsn) && lsn < aw_capture_read_lsn(capture);
}

/*
 * Waits for something to read, or for whatever else a session or a signal wants.
 * The time since the last pass began counts as delay: who comes after a pause is
 * not kept waiting.  Commits do not cut the delay short, but who asks does.
 */
static void
wait_for_commits(const AwCapture *capture, TimestampTz began)
{
	long		past_ms = TimestampDifferenceMilliseconds(began, GetCurrentTimestamp());

	(void) pgstat_report_stat(false);
	pgstat_report_activity(STATE_IDLE, NULL);
	is_waiting = true;
	if (past_ms < aw_worker_coalesce_delay_ms && !is_stopping)
		wait_latch(WL_LATCH_SET, aw_worker_coalesce_delay_ms - past_ms);

	aw_shmem_begin_sleep();
	if (!aw_capture_is_behind(capture) && !is_reread_wanted(capture) && !is_stopping)
		wait_latch(WL_LATCH_SET, aw_worker_poll_interval_ms);
	aw_shmem_end_sleep();
	is_waiting = false;

	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
	}
}

static void
wait_latch(int events, long timeout_ms)
{
	(void) WaitLatch(MyLatch, events | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, timeout_ms,
					 PG_WAIT_EXTENSION);
}

/* Lets sessions know why the worker ends. */
static void
remember_error(void)
{
	MemoryContext old_cxt = MemoryContextSwitchTo(TopMemoryContext);
	ErrorData  *error = CopyErrorData();

	aw_shmem_set_error(error->message);
	FreeErrorData(error);
	MemoryContextSwitchTo(old_cxt);
}

static void
add_missing(StringInfo list, const char *setting)
{
	if (list->len > 0)
		appendStringInfoString(list, " and ");
	appendStringInfoString(list, setting);
}
