/*
 * engine.c
 *
 * The continuous queries of a database, as its worker runs them.
 *
 * Each query does its work on a batch in a transaction of its own.  If that fails,
 * the transaction is rolled back and the query's memory thrown away; the error is
 * noted with the query, and after a while the query is loaded again and reads the WAL
 * from its position on.  After MAX_ATTEMPTS it is left alone until somebody resumes
 * it.  Other queries do not notice, but that the WAL is read again for all of them:
 * each leaves out what it has.
 *
 * The slot is confirmed at the least position that was written, of all queries that
 * may go on some day; so what a query that is paused or has failed needs stays there.
 */
#include "postgres.h"

#include <signal.h>
#include <unistd.h>

#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "replication/origin.h"
#include "storage/latch.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "compat.h"
#include "continuous.h"
#include "engine.h"
#include "eventlog.h"
#include "retention.h"
#include "shmem.h"

/* A query that fails is tried again after 1 s, 2 s, 4 s, ... */
#define FIRST_RETRY_MS	1000
#define MAX_ATTEMPTS	6

/* A position is written when so much WAL lies behind it. */
#define MAX_UNWRITTEN_WAL	(UINT64CONST(16) * 1024 * 1024)

/*
 * How long a lock on what a query uses is waited for, while other queries wait, too, in ms:
 * so short that the deadlock with who drops a table and its views ends before that
 * session looks for one, and is cancelled.
 */
#define LOCK_TIMEOUT	(DeadlockTimeout / 4)

/* A query in the catalog, or a stream that is tracked. */
typedef struct Member
{
	MemoryContext cxt;			/* of the member */
	AwEntry		entry;			/* as it was read last, without texts and streams */
	Oid		   *sources;		/* tables of the streams */
	int			n_sources;
	AwEventLog	log;
	AwContinuous *query;		/* NULL: it is not at work */
	XLogRecPtr	position;		/* as it was written */
	XLogRecPtr	drain_lsn;		/* when all up to there is in, it ends */
	XLogRecPtr	failed_lsn;		/* before it has got there it has not recovered */
	int			n_attempts;
	bool		is_hopeless;	/* what failed will fail again */
	TimestampTz retry_at;		/* 0: there is nothing to be tried again */
	bool		is_listed;
} Member;

/* What a pass has for its queries. */
typedef struct Pass
{
	AwBatch    *batch;
	XLogRecPtr	read_lsn;
	bool		must_save;		/* write whatever is not written */
} Pass;

typedef void (*Action) (Member *member, const Pass *pass);

char	   *aw_engine_crash_at = NULL;
int			aw_engine_query_timeout_ms = 5 * 60 * 1000;

static List *members = NIL;
static const AwCapture *the_capture = NULL;
static XLogRecPtr reread_lsn = InvalidXLogRecPtr;
static XLogRecPtr save_lsn = InvalidXLogRecPtr;	/* up to there all passes write */
static bool must_read_catalog = false;

static void read_catalog(void);
static Member *find_member(const AwEntry *entry);
static Member *add_member(const AwEntry *entry);
static void remove_member(Member *member);
static void follow(Member *member);
static bool is_at_work(const Member *member);
static bool has_work(const Member *member, const Pass *pass);
static bool has_come(const AwBatchSource *source);
static bool is_new(const Member *member, const Pass *pass);
static bool reads(const Member *member, Oid source);
static bool is_idle(const Member *member);
static void run(Action action, Member *member, const Pass *pass);
static ErrorData *run_transaction(Action action, Member *member, const Pass *pass);
static void begin_limit(Action action);
static bool end_limit(void);
static void load(Member *member, const Pass *pass);
static const AwEntry *find_entry(const Member *member);
static pg_noreturn void report_dropping(void);
static bool is_lost(const Member *member);
static pg_noreturn void report_lost(const Member *member);
static const char *lost_hint(const Member *member);
static void refuse_lost(Member *member, const Pass *pass);
static void attach(Member *member, const Pass *pass);
static Snapshot covering_snapshot(void);
static void wait_a_moment(void);
static void pause_query(Member *member, const Pass *pass);
static void take_in(Member *member, const Pass *pass);
static void check_settled(const AwBatchSource *source);
static void check_changes(Member *member, const AwBatchSource *source);
static bool is_due(const Member *member, const Pass *pass);
static void save(Member *member, const Pass *pass);
static void fail(Member *member, const Pass *pass, ErrorData *error);
static void note_error(Member *member, const Pass *pass);
static void unload(Member *member);
static bool give_up_excessive(void);
static void give_up(Member *member, const Pass *pass);
static bool is_holding(const Member *member);
static XLogRecPtr least_position(XLogRecPtr read_lsn);
static void crash_at(const char *step);

/* The query that is at work is cancelled when it takes too long. */
static bool is_limited = false;

/* what note_error() notes */
static ErrorData *noted_error;

void
aw_engine_start(void)
{
	ListCell   *lc;

	read_catalog();
	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);

		/* A slot is of no use to it: it fails, and says so. */
		if (is_lost(member))
			follow(member);
	}
}

bool
aw_engine_is_needed(void)
{
	ListCell   *lc;

	foreach(lc, members)
	{
		const Member *member = lfirst(lc);
		AwQueryState state = member->entry.progress.state;
		bool		is_standing = state == AW_QUERY_PAUSED || state == AW_QUERY_FAILED;

		if (state != AW_QUERY_DRAINED && !(is_standing && is_lost(member)))
			return true;
	}
	return false;
}

XLogRecPtr
aw_engine_reread_lsn(void)
{
	return reread_lsn;
}

XLogRecPtr
aw_engine_limit_lsn(XLogRecPtr read_lsn)
{
	XLogRecPtr	least = InvalidXLogRecPtr;
	ListCell   *lc;

	foreach(lc, members)
	{
		const Member *member = lfirst(lc);
		XLogRecPtr	position = is_at_work(member) ?
			aw_continuous_progress(member->query)->position : InvalidXLogRecPtr;

		if (position > read_lsn && (XLogRecPtrIsInvalid(least) || position < least))
			least = position;
	}
	return least;
}

void
aw_engine_reload(const AwCapture *capture)
{
	ListCell   *lc;

	the_capture = capture;
	save_lsn = GetFlushRecPtr(NULL);
	read_catalog();
	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);

		if (member->n_attempts == 0 || member->retry_at == 0)
			follow(member);
	}
}

const Oid *
aw_engine_sources(int *n_sources)
{
	static Oid *sources = NULL;
	int			n_most = 0;
	ListCell   *lc;

	if (sources != NULL)
		pfree(sources);
	foreach(lc, members)
		n_most += ((const Member *) lfirst(lc))->n_sources;
	sources = MemoryContextAlloc(TopMemoryContext, sizeof(Oid) * Max(n_most, 1));
	*n_sources = 0;
	foreach(lc, members)
	{
		const Member *member = lfirst(lc);

		for (int i = 0; i < member->n_sources && is_at_work(member); i++)
		{
			bool		is_there = false;

			for (int j = 0; j < *n_sources; j++)
				is_there |= sources[j] == member->sources[i];
			if (!is_there)
				sources[(*n_sources)++] = member->sources[i];
		}
	}
	return sources;
}

XLogRecPtr
aw_engine_pass(AwBatch *batch, XLogRecPtr read_lsn)
{
	Pass		pass = {batch, read_lsn, !XLogRecPtrIsInvalid(save_lsn)};
	TimestampTz now = GetCurrentTimestamp();
	bool		has_let_go;
	XLogRecPtr	done_lsn;
	ListCell   *lc;

	if (must_read_catalog)
		read_catalog();
	must_read_catalog = false;
	reread_lsn = InvalidXLogRecPtr;
	has_let_go = give_up_excessive();
	if (batch != NULL)
		crash_at("decode");
	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);

		if (is_at_work(member) && has_work(member, &pass))
			run(take_in, member, &pass);
		else if (is_at_work(member))
		{
			AwProgress *progress = aw_continuous_progress(member->query);

			progress->position = Max(progress->position, read_lsn);
		}
		else if (member->retry_at != 0 && member->retry_at <= now)
			follow(member);
	}
	if (read_lsn >= save_lsn && XLogRecPtrIsInvalid(reread_lsn))
		save_lsn = InvalidXLogRecPtr;
	if (batch != NULL)
		crash_at("confirm");
	done_lsn = least_position(read_lsn);

	/* A slot that was held back learns only by reading again what it need not keep. */
	if (has_let_go && done_lsn < read_lsn)
		reread_lsn = XLogRecPtrIsInvalid(reread_lsn) ? done_lsn : Min(reread_lsn, done_lsn);
	return done_lsn;
}

void
aw_engine_stop(void)
{
	Pass		pass = {NULL, InvalidXLogRecPtr, true};
	ListCell   *lc;

	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);

		if (is_at_work(member))
			run(save, member, &pass);
	}
}

/* Brings the members up to what the catalog has. */
static void
read_catalog(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *entries = NIL;
	ListCell   *lc;

	foreach(lc, members)
		((Member *) lfirst(lc))->is_listed = false;

	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	if (OidIsValid(aw_catalog_schema(true)))
	{
		aw_catalog_delete_dropped();
		entries = aw_catalog_read();
	}
	foreach(lc, entries)
	{
		const AwEntry *entry = lfirst(lc);
		Member	   *member = find_member(entry);

		if (member == NULL)
			member = add_member(entry);
		member->is_listed = true;
		member->entry.request = entry->request;
		member->entry.request_position = entry->request_position;
		if (!is_at_work(member))
		{
			member->entry.progress = entry->progress;
			member->entry.progress.attach_snapshot = NULL;
			member->entry.progress.streams = NULL;
			member->position = entry->progress.position;
			if (entry->progress.n_attempts == 0)
				member->n_attempts = 0;
		}
	}
	PopActiveSnapshot();
	CommitTransactionCommand();
	MemoryContextSwitchTo(caller);

	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);

		if (!member->is_listed)
		{
			members = foreach_delete_current(members, lc);
			aw_eventlog_dropped(&member->log);
			remove_member(member);
		}
	}
}

/* The member of an entry; one of the same name that was dropped is another. */
static Member *
find_member(const AwEntry *entry)
{
	ListCell   *lc;

	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);

		if (member->entry.view == entry->view &&
			strcmp(NameStr(member->entry.name), NameStr(entry->name)) == 0)
			return member;
	}
	return NULL;
}

static Member *
add_member(const AwEntry *entry)
{
	MemoryContext cxt = AllocSetContextCreate(TopMemoryContext, "member of the engine",
											  ALLOCSET_SMALL_SIZES);
	Member	   *member = MemoryContextAllocZero(cxt, sizeof(Member));
	MemoryContext caller;

	member->cxt = cxt;
	member->entry = *entry;
	aw_eventlog_init(&member->log, entry);
	member->entry.time_zone = member->entry.search_path = NULL;
	member->entry.date_style = member->entry.interval_style = NULL;
	member->entry.progress.attach_snapshot = NULL;
	member->entry.progress.streams = NULL;
	member->n_attempts = entry->progress.n_attempts;

	member->n_sources = entry->progress.n_streams;
	member->sources = MemoryContextAlloc(cxt, sizeof(Oid) * Max(member->n_sources, 1));
	for (int i = 0; i < member->n_sources; i++)
		member->sources[i] = entry->progress.streams[i].source;

	caller = MemoryContextSwitchTo(TopMemoryContext);
	members = lappend(members, member);
	MemoryContextSwitchTo(caller);
	return member;
}

static void
remove_member(Member *member)
{
	unload(member);
	MemoryContextDelete(member->cxt);
}

/* Does what was asked of a query, and what its state asks for. */
static void
follow(Member *member)
{
	AwQueryState state = member->entry.progress.state;
	Pass		none = {0};

	member->retry_at = 0;

	/* It was asked to go on before it was written that it had paused. */
	if (state == AW_QUERY_PAUSED && member->entry.request != AW_REQUEST_PAUSE)
		state = XLogRecPtrIsInvalid(member->entry.progress.position) ?
			AW_QUERY_STARTING : AW_QUERY_RUNNING;
	if (state == AW_QUERY_PAUSED && is_lost(member) && !member->entry.progress.may_rebuild)
		run(refuse_lost, member, &none);
	if (state != AW_QUERY_STARTING && state != AW_QUERY_RUNNING)
		return;

	if (member->entry.request == AW_REQUEST_PAUSE)
	{
		run(pause_query, member, &none);
		return;
	}
	if (member->entry.request == AW_REQUEST_DRAIN)
		member->drain_lsn = member->entry.request_position;

	if (is_at_work(member))
		return;

	/* A position from which to start may be of no use, as when it comes with a dump. */
	if (is_lost(member) ? state == AW_QUERY_STARTING || member->entry.progress.may_rebuild :
		XLogRecPtrIsInvalid(member->position))
		run(attach, member, &none);
	else
		run(load, member, &none);
}

static bool
is_at_work(const Member *member)
{
	return member->query != NULL;
}

/* Does a query need a transaction for a pass? */
static bool
has_work(const Member *member, const Pass *pass)
{
	if (pass->batch != NULL && is_new(member, pass))
	{
		for (int i = 0; i < pass->batch->n_sources; i++)
		{
			const AwBatchSource *source = &pass->batch->sources[i];

			if (reads(member, source->relid) && has_come(source))
				return true;
		}
	}
	return is_due(member, pass) || is_idle(member) ||
		(!XLogRecPtrIsInvalid(member->drain_lsn) && pass->read_lsn >= member->drain_lsn);
}

/* Has anything come for a source? */
static bool
has_come(const AwBatchSource *source)
{
	return source->n_rows > 0 || source->n_updates > 0 || source->n_deletes > 0 ||
		source->n_truncates > 0 || source->is_misfit;
}

/* Is a batch one that the query has not taken in?  It has seen all of it or nothing. */
static bool
is_new(const Member *member, const Pass *pass)
{
	return pass->read_lsn > aw_continuous_progress(member->query)->position;
}

static bool
reads(const Member *member, Oid source)
{
	for (int i = 0; i < member->n_sources; i++)
	{
		if (member->sources[i] == source)
			return true;
	}
	return false;
}

/* Is a stream of a query silent, as far as commits have been read? */
static bool
is_idle(const Member *member)
{
	return aw_continuous_is_idle(member->query, aw_capture_seen_until(the_capture));
}

/* Runs an action on a query, and sees to it if it fails. */
static void
run(Action action, Member *member, const Pass *pass)
{
	ErrorData  *error;

	pgstat_report_activity(STATE_RUNNING, NameStr(member->entry.name));
	aw_shmem_set_activity(AW_ACTIVITY_QUERY, NameStr(member->entry.name));
	error = run_transaction(action, member, pass);
	aw_shmem_set_activity(AW_ACTIVITY_NONE, NULL);

	if (error != NULL)
		fail(member, pass, error);
	else if (is_at_work(member))
	{
		if (aw_continuous_progress(member->query)->position >= member->failed_lsn)
			aw_eventlog_passed(&member->log);
		member->position = aw_continuous_written_position(member->query);
		member->entry.progress.state = aw_continuous_progress(member->query)->state;
		member->entry.progress.position_xid = aw_continuous_progress(member->query)->position_xid;
		aw_eventlog_state(&member->log, member->entry.progress.state, member->n_attempts > 0);
		if (member->entry.progress.state != AW_QUERY_RUNNING)
			unload(member);
	}
}

/* Runs an action in a transaction; the error with which it failed, or NULL. */
static ErrorData *
run_transaction(Action action, Member *member, const Pass *pass)
{
	MemoryContext caller = CurrentMemoryContext;
	ErrorData  *volatile error = NULL;

	PG_TRY();
	{
		SetCurrentStatementStartTimestamp();
		begin_limit(action);
		StartTransactionCommand();
		(void) set_config_option("lock_timeout", psprintf("%d", Max(LOCK_TIMEOUT, 1)),
								 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
		PushActiveSnapshot(GetTransactionSnapshot());
		action(member, pass);
		PopActiveSnapshot();
		crash_at("commit");
		CommitTransactionCommand();
		end_limit();
	}
	PG_CATCH();
	{
		bool		is_too_long = end_limit();

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		FlushErrorState();
		if (is_too_long && error->sqlerrcode == ERRCODE_QUERY_CANCELED)
			error->message = psprintf("the query has worked for %d ms at a stretch, longer than "
									  "apply_watermark.query_timeout allows",
									  aw_engine_query_timeout_ms);
		replorigin_session_origin = InvalidRepOriginId;
		AbortCurrentTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);

	return error;
}

/*
 * From now on the query is cancelled when it takes too long, since others wait.  How
 * long its history takes depends on what is there.
 */
static void
begin_limit(Action action)
{
	is_limited = aw_engine_query_timeout_ms > 0 && action != attach;
	if (is_limited)
		enable_timeout_after(STATEMENT_TIMEOUT, aw_engine_query_timeout_ms);
}

/* Ends that; true if it has taken too long.  What follows is not to be cancelled for it. */
static bool
end_limit(void)
{
	if (!is_limited)
		return false;
	is_limited = false;
	disable_timeout(STATEMENT_TIMEOUT, false);
	QueryCancelPending = false;
	return get_timeout_finish_time(STATEMENT_TIMEOUT) <= GetCurrentTimestamp();
}

/* Reads what was written of a query. */
static void
load(Member *member, const Pass *pass)
{
	const AwEntry *entry = find_entry(member);

	if (entry == NULL)
		return;
	member->entry.progress.is_at_home = entry->progress.is_at_home;
	member->position = entry->progress.position;
	member->is_hopeless = is_lost(member);
	if (member->is_hopeless)
		report_lost(member);

	member->query = aw_continuous_load(entry);
	if (aw_continuous_progress(member->query)->state != AW_QUERY_RUNNING)
	{
		aw_continuous_progress(member->query)->state = AW_QUERY_RUNNING;
		save(member, pass);
	}
	if (XLogRecPtrIsInvalid(reread_lsn) || member->position < reread_lsn)
		reread_lsn = member->position;
}

/*
 * The entry of a query in the catalog; NULL if it has been dropped, an error if
 * somebody is about to, whom not to wait for.
 */
static const AwEntry *
find_entry(const Member *member)
{
	const AwEntry *entry = aw_catalog_find(NameStr(member->entry.name));

	if (entry == NULL || entry->view != member->entry.view)
		return NULL;
	if (!aw_catalog_lock(NameStr(member->entry.name)))
		report_dropping();
	return entry;
}

static void
report_dropping(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_IN_USE),
			 errmsg("the query is being dropped")));
}

/*
 * Has the slot passed a position, or is the WAL another than that of the position?  A
 * slot that has been made anew begins behind all positions of before.
 */
static bool
is_lost(const Member *member)
{
	XLogRecPtr	confirmed_lsn;

	if (XLogRecPtrIsInvalid(member->position))
		return false;
	return !member->entry.progress.is_at_home ||
		aw_capture_slot_state(aw_capture_slot_name(MyDatabaseId), &confirmed_lsn) != AW_SLOT_READY ||
		member->position < confirmed_lsn || member->position > GetFlushRecPtr(NULL);
}

static void
report_lost(const Member *member)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the WAL from the position of the query on is not there any more"),
			 errhint("%s", lost_hint(member))));
}

/* How a query goes on that has lost its place. */
static const char *
lost_hint(const Member *member)
{
	return OidIsValid(member->entry.tracked) ? "Call untrack() and track()." :
		"Resume the query, which then reads its open windows from its tables.";
}

/* A query that is paused cannot go on either. */
static void
refuse_lost(Member *member, const Pass *pass)
{
	(void) pass;
	member->is_hopeless = true;
	report_lost(member);
}

/*
 * Starts a query with what is there, so that nothing is missed and nothing comes twice;
 * one that has lost its place goes on with it.
 */
static void
attach(Member *member, const Pass *pass)
{
	const AwEntry *entry = find_entry(member);
	XLogRecPtr	position;
	Snapshot	snapshot;

	(void) pass;
	if (the_capture == NULL || entry == NULL)
		return;
	member->is_hopeless = false;
	if (entry->progress.may_rebuild && entry->progress.state != AW_QUERY_STARTING)
	{
		ereport(LOG,
				(errmsg("continuous query \"%s\" has lost its place in the WAL, and reads its "
						"open windows from its tables", NameStr(entry->name))));
		member->query = aw_continuous_load_closed(entry);
	}
	else
		member->query = aw_continuous_load(entry);
	snapshot = covering_snapshot();
	(void) aw_capture_slot_state(aw_capture_slot_name(MyDatabaseId), &position);
	position = Max(position, aw_capture_read_lsn(the_capture));
	aw_continuous_attach(member->query, snapshot, position);
	UnregisterSnapshot(snapshot);
	save(member, pass);
}

/*
 * A snapshot that sees all transactions whose commit has been read, by this process or
 * before the slot was made.  A commit can be read before any snapshot sees it, but
 * not for long, unless it waits for a standby.
 */
static Snapshot
covering_snapshot(void)
{
	int			n_committing;
	VirtualTransactionId *committing = GetVirtualXIDsDelayingChkpt(&n_committing,
																   DELAY_CHKPT_START);

	/* Whose commit is in the WAL is said to be committed when they are done. */
	while (HaveVirtualXIDsDelayingChkpt(committing, n_committing, DELAY_CHKPT_START))
		wait_a_moment();
	for (;;)
	{
		Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
		bool		is_covering = aw_capture_is_covered_by(the_capture, snapshot);

		for (uint32 i = 0; is_covering && i < snapshot->xcnt; i++)
			is_covering = !TransactionIdDidCommit(snapshot->xip[i]);
		if (is_covering)
			return snapshot;
		UnregisterSnapshot(snapshot);
		wait_a_moment();
	}
}

static void
wait_a_moment(void)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 1,
					 PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}

/* Writes a query and leaves it where it is. */
static void
pause_query(Member *member, const Pass *pass)
{
	if (!is_at_work(member))
	{
		const AwEntry *entry = find_entry(member);

		if (entry == NULL)
			return;
		member->query = aw_continuous_load(entry);
	}
	aw_continuous_progress(member->query)->state = AW_QUERY_PAUSED;
	save(member, pass);
}

/* Takes in what is new, and writes if anybody can tell. */
static void
take_in(Member *member, const Pass *pass)
{
	AwProgress *progress = aw_continuous_progress(member->query);

	if (pass->batch != NULL && is_new(member, pass))
	{
		aw_continuous_begin(member->query, pass->batch);
		for (int i = 0; i < pass->batch->n_sources; i++)
		{
			const AwBatchSource *source = &pass->batch->sources[i];

			if (!reads(member, source->relid))
				continue;
			check_settled(source);
			check_changes(member, source);
		}
		aw_continuous_take_in(member->query);
	}
	if (is_idle(member))
		aw_continuous_set_idle(member->query, aw_capture_seen_until(the_capture));
	progress->position = Max(progress->position, pass->read_lsn);
	if (!XLogRecPtrIsInvalid(member->drain_lsn) && pass->read_lsn >= member->drain_lsn)
	{
		aw_continuous_drain(member->query);
		progress->state = AW_QUERY_DRAINED;
		save(member, pass);
		return;
	}
	crash_at("publish");
	if (aw_continuous_must_write(member->query) || is_due(member, pass))
		save(member, pass);
}

/* Who holds the table may have altered it before what has come was written. */
static void
check_settled(const AwBatchSource *source)
{
	if (!source->is_settled && has_come(source))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not obtain lock on relation \"%s\"", get_rel_name(source->relid))));
}

/* Counts changes that are no new rows, or refuses them. */
static void
check_changes(Member *member, const AwBatchSource *source)
{
	member->is_hopeless = source->is_misfit || aw_continuous_is_misfit(member->query);
	if (member->is_hopeless)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("a column of the source has changed its type while rows were on their way"),
				 errhint("Drop the query, and create it again.")));
	member->is_hopeless = member->entry.stops_on_change &&
		source->n_updates + source->n_deletes + source->n_truncates > 0;
	if (member->is_hopeless)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("rows of the source were changed or deleted"),
				 errdetail("The query was created with on_change => 'stop'."),
				 errhint("Drop the query, and create it again.")));
	aw_continuous_count_changes(member->query, source);
}

/* Is there a reason to write that is not in the query itself? */
static bool
is_due(const Member *member, const Pass *pass)
{
	AwProgress *progress = aw_continuous_progress(member->query);

	if (pass->must_save && aw_continuous_is_changed(member->query))
		return true;
	if (aw_continuous_is_overdue(member->query))
		return true;
	if (member->n_attempts > 0 && pass->read_lsn >= member->failed_lsn)
		return true;
	return Max(progress->position, pass->read_lsn) - member->position > MAX_UNWRITTEN_WAL;
}

/* Writes a query, which is not taken back before the slot is told. */
static void
save(Member *member, const Pass *pass)
{
	AwProgress *progress = aw_continuous_progress(member->query);

	if (member->n_attempts > 0 && pass->read_lsn >= member->failed_lsn)
		member->n_attempts = 0;
	progress->n_attempts = member->n_attempts;
	progress->position_xid = aw_retention_next_xid();
	if (!aw_continuous_write(member->query))
		report_dropping();
	ForceSyncCommit();
}

/*
 * Notes why a query has failed, and when it is to be tried again: at once if what has
 * been read did not fit what is there now.  Waiting for others is no failure.
 */
static void
fail(Member *member, const Pass *pass, ErrorData *error)
{
	Pass		none = {0};
	bool		is_conflict = ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_TRANSACTION_ROLLBACK;

	must_read_catalog = true;
	unload(member);
	member->failed_lsn = Max(member->failed_lsn, pass->read_lsn);
	if (is_conflict && pass->batch != NULL)
	{
		follow(member);
		return;
	}

	if (!is_conflict && error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE &&
		error->sqlerrcode != ERRCODE_OBJECT_IN_USE)
		member->n_attempts = member->is_hopeless ? MAX_ATTEMPTS : member->n_attempts + 1;
	member->retry_at = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
												   FIRST_RETRY_MS << Max(member->n_attempts - 1, 0));
	if (member->n_attempts >= MAX_ATTEMPTS)
		member->entry.progress.state = AW_QUERY_FAILED;

	noted_error = error;
	error = run_transaction(note_error, member, &none);

	/* Who holds our tables, as ALTER EXTENSION does, is not waited for. */
	if (error != NULL && error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
		ThrowErrorData(error);
}

/* Notes an error of a query that nobody is dropping, and that has not gone with its view. */
static void
note_error(Member *member, const Pass *pass)
{
	AwProgress	progress = member->entry.progress;

	(void) pass;
	replorigin_session_origin = DoNotReplicateId;
	if (get_rel_relkind(member->entry.view) == RELKIND_VIEW &&
		aw_catalog_lock(NameStr(member->entry.name)))
	{
		aw_eventlog_error(&member->log, noted_error, member->n_attempts, progress.state);
		progress.n_attempts = member->n_attempts;
		aw_catalog_write_error(NameStr(member->entry.name), &progress, noted_error);
	}
	replorigin_session_origin = InvalidRepOriginId;
}

/* Forgets what is in memory of a query. */
static void
unload(Member *member)
{
	if (member->query != NULL)
		aw_continuous_free(member->query);
	member->query = NULL;
}

/* Gives up queries that stand and for which too much is kept; are there any? */
static bool
give_up_excessive(void)
{
	Pass		none = {0};
	bool		has_given_up = false;
	ListCell   *lc;

	foreach(lc, members)
	{
		Member	   *member = lfirst(lc);
		AwRetained	retained = {member->position, member->entry.progress.position_xid};

		if (is_at_work(member) || !is_holding(member) ||
			aw_retention_excess_of_query(&retained) == NULL)
			continue;
		run(give_up, member, &none);
		has_given_up = true;
	}
	return has_given_up;
}

/* From now on the position of a query means nothing, whether the WAL is still there or not. */
static void
give_up(Member *member, const Pass *pass)
{
	AwRetained	retained = {member->position, member->entry.progress.position_xid};

	(void) pass;
	member->is_hopeless = true;
	member->entry.progress.is_at_home = false;
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("more is kept for the query to go on than \"%s\" allows",
					aw_retention_excess_of_query(&retained)),
			 errhint("%s", lost_hint(member))));
}

/* Must the WAL be kept for a query?  Not where it is lost already. */
static bool
is_holding(const Member *member)
{
	return member->entry.progress.state != AW_QUERY_DRAINED &&
		!XLogRecPtrIsInvalid(member->position) && (is_at_work(member) || !is_lost(member));
}

/* What need not be read again: all before the least position that was written. */
static XLogRecPtr
least_position(XLogRecPtr read_lsn)
{
	XLogRecPtr	least = read_lsn;
	ListCell   *lc;

	foreach(lc, members)
	{
		const Member *member = lfirst(lc);

		if (is_holding(member))
			least = Min(least, member->position);
	}
	return least;
}

/* Ends the process without warning, if the setting for tests names the step. */
static void
crash_at(const char *step)
{
	if (aw_engine_crash_at != NULL && strcmp(aw_engine_crash_at, step) == 0)
		kill(getpid(), SIGKILL);
}
