/*
 * member.c
 *
 * A continuous query, or a stream that is tracked, as the engine has it: what was asked
 * of it, whether it is at work, how it failed, and when it is tried again.
 *
 * It does its work in a transaction of its own.  If that fails, the query's memory is
 * thrown away and the error noted; after a while it is loaded again, and reads the WAL
 * from its position on.  After MAX_ATTEMPTS it is left alone until somebody resumes it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "replication/origin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "attempt.h"
#include "compat.h"
#include "continuous.h"
#include "coverage.h"
#include "crash.h"
#include "eventlog.h"
#include "member.h"
#include "retention.h"
#include "shmem.h"

/* A query that fails is tried again after 1 s, 2 s, 4 s, ... */
#define FIRST_RETRY_MS	1000
#define MAX_ATTEMPTS	6

/* A position is written when so much WAL lies behind it. */
#define MAX_UNWRITTEN_WAL	(UINT64CONST(16) * 1024 * 1024)

/* A query in the catalog, or a stream that is tracked. */
struct AwMember
{
	MemoryContext cxt;			/* of the member */
	AwMembership *membership;
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
};

typedef void (*Action) (AwMember *member, const AwPass *pass);

/* An action, while it is run. */
typedef struct Step
{
	Action		action;
	AwMember   *member;
	const AwPass *pass;
} Step;

static void take_over(AwMember *member, const AwProgress *progress);
static bool has_work(const AwMember *member, const AwPass *pass);
static bool has_come(const AwBatchSource *source);
static bool is_new(const AwMember *member, const AwPass *pass);
static bool reads(const AwMember *member, Oid source);
static bool is_idle(const AwMember *member);
static void run(Action action, AwMember *member, const AwPass *pass);
static ErrorData *run_transaction(Action action, AwMember *member, const AwPass *pass);
static void take_step(void *arg);
static void load(AwMember *member, const AwPass *pass);
static const AwEntry *find_entry(const AwMember *member);
static pg_noreturn void report_dropping(void);
static bool is_at_work(const AwMember *member);
static pg_noreturn void report_lost(const AwMember *member);
static const char *lost_hint(const AwMember *member);
static void refuse_lost(AwMember *member, const AwPass *pass);
static void attach(AwMember *member, const AwPass *pass);
static void pause_query(AwMember *member, const AwPass *pass);
static void take_in(AwMember *member, const AwPass *pass);
static void check_settled(const AwBatchSource *source);
static void check_changes(AwMember *member, const AwBatchSource *source);
static bool is_due(const AwMember *member, const AwPass *pass);
static void save(AwMember *member, const AwPass *pass);
static void give_up(AwMember *member, const AwPass *pass);
static void fail(AwMember *member, const AwPass *pass, ErrorData *error);
static void note_error(AwMember *member, const AwPass *pass);
static void unload(AwMember *member);

/* what note_error() notes */
static ErrorData *noted_error;

/* A member as the catalog has it, which does nothing yet. */
AwMember *
aw_member_create(const AwEntry *entry, AwMembership *membership)
{
	MemoryContext cxt = AllocSetContextCreate(TopMemoryContext, "member of the engine",
											  ALLOCSET_SMALL_SIZES);
	AwMember   *member = MemoryContextAllocZero(cxt, sizeof(AwMember));

	member->cxt = cxt;
	member->membership = membership;
	member->entry = *entry;
	member->entry.time_zone = member->entry.search_path = NULL;
	member->entry.date_style = member->entry.interval_style = NULL;
	aw_eventlog_init(&member->log, entry);
	member->n_attempts = entry->progress.n_attempts;
	take_over(member, &entry->progress);

	member->n_sources = entry->progress.n_streams;
	member->sources = MemoryContextAlloc(cxt, sizeof(Oid) * Max(member->n_sources, 1));
	for (int i = 0; i < member->n_sources; i++)
		member->sources[i] = entry->progress.streams[i].source;
	return member;
}

/* Brings it up to what the catalog has. */
void
aw_member_update(AwMember *member, const AwEntry *entry)
{
	member->entry.request = entry->request;
	member->entry.request_position = entry->request_position;
	if (is_at_work(member))
		return;
	take_over(member, &entry->progress);
	if (entry->progress.n_attempts == 0)
		member->n_attempts = 0;
}

/* Is it that of an entry?  One of the same name that was dropped is another. */
bool
aw_member_is_of(const AwMember *member, const AwEntry *entry)
{
	return member->entry.view == entry->view &&
		strcmp(NameStr(member->entry.name), NameStr(entry->name)) == 0;
}

/* It is in the catalog no more. */
void
aw_member_drop(AwMember *member)
{
	aw_eventlog_dropped(&member->log);
	unload(member);
	MemoryContextDelete(member->cxt);
}

/* Is a slot of use to it? */
bool
aw_member_needs_slot(const AwMember *member)
{
	AwQueryState state = member->entry.progress.state;
	bool		is_standing = state == AW_QUERY_PAUSED || state == AW_QUERY_FAILED;

	return state != AW_QUERY_DRAINED && !(is_standing && aw_member_is_lost(member));
}

/*
 * Has the slot passed a position, or is the WAL another than that of the position?  A
 * slot that has been made anew begins behind all positions of before.
 */
bool
aw_member_is_lost(const AwMember *member)
{
	XLogRecPtr	confirmed_lsn;

	if (XLogRecPtrIsInvalid(member->position))
		return false;
	return !member->entry.progress.is_at_home ||
		aw_capture_slot_state(aw_capture_slot_name(MyDatabaseId), &confirmed_lsn) != AW_SLOT_READY ||
		member->position < confirmed_lsn || member->position > GetFlushRecPtr(NULL);
}

/* The tables that it needs rows of. */
const Oid *
aw_member_sources(const AwMember *member, int *n_sources)
{
	*n_sources = is_at_work(member) ? member->n_sources : 0;
	return member->sources;
}

/* Up to where it has taken in what was read; invalid if it is not at work. */
XLogRecPtr
aw_member_position(const AwMember *member)
{
	return is_at_work(member) ? aw_continuous_progress(member->query)->position :
		InvalidXLogRecPtr;
}

/* From where on the WAL must be kept for it; invalid if it need not be, or is lost already. */
XLogRecPtr
aw_member_held_lsn(const AwMember *member)
{
	if (member->entry.progress.state == AW_QUERY_DRAINED ||
		(!is_at_work(member) && aw_member_is_lost(member)))
		return InvalidXLogRecPtr;
	return member->position;
}

/* Has it failed, and is to be tried again some time? */
bool
aw_member_is_waiting(const AwMember *member)
{
	return member->n_attempts > 0 && member->retry_at != 0;
}

/* Does what was asked of a query, and what its state asks for. */
void
aw_member_follow(AwMember *member)
{
	AwQueryState state = member->entry.progress.state;
	AwPass		none = {0};

	member->retry_at = 0;

	/* It was asked to go on before it was written that it had paused. */
	if (state == AW_QUERY_PAUSED && member->entry.request != AW_REQUEST_PAUSE)
		state = XLogRecPtrIsInvalid(member->entry.progress.position) ?
			AW_QUERY_STARTING : AW_QUERY_RUNNING;
	if (state == AW_QUERY_PAUSED && aw_member_is_lost(member) &&
		!member->entry.progress.may_rebuild)
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
	if (aw_member_is_lost(member) ? state == AW_QUERY_STARTING || member->entry.progress.may_rebuild :
		XLogRecPtrIsInvalid(member->position))
		run(attach, member, &none);
	else
		run(load, member, &none);
}

/* Takes in what is new, or is tried again if it is time. */
void
aw_member_pass(AwMember *member, const AwPass *pass)
{
	if (is_at_work(member) && has_work(member, pass))
		run(take_in, member, pass);
	else if (is_at_work(member))
	{
		AwProgress *progress = aw_continuous_progress(member->query);

		progress->position = Max(progress->position, pass->read_lsn);
	}
	else if (member->retry_at != 0 && member->retry_at <= pass->now)
		aw_member_follow(member);
}

/* Writes what is not written. */
void
aw_member_save(AwMember *member)
{
	AwPass		pass = {.must_save = true};

	if (is_at_work(member))
		run(save, member, &pass);
}

/* Gives it up if it stands and too much is kept for it; has it been? */
bool
aw_member_give_up_excess(AwMember *member)
{
	AwRetained	retained = {member->position, member->entry.progress.position_xid};
	AwPass		none = {0};

	if (is_at_work(member) || XLogRecPtrIsInvalid(aw_member_held_lsn(member)) ||
		aw_retention_excess_of_query(&retained) == NULL)
		return false;
	run(give_up, member, &none);
	return true;
}

/* Its progress as it was written, while it is not at work. */
static void
take_over(AwMember *member, const AwProgress *progress)
{
	member->entry.progress = *progress;
	member->entry.progress.attach_snapshot = NULL;
	member->entry.progress.streams = NULL;
	member->position = progress->position;
}

/* Does a query need a transaction for a pass? */
static bool
has_work(const AwMember *member, const AwPass *pass)
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
is_new(const AwMember *member, const AwPass *pass)
{
	return pass->read_lsn > aw_continuous_progress(member->query)->position;
}

static bool
reads(const AwMember *member, Oid source)
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
is_idle(const AwMember *member)
{
	return aw_continuous_is_idle(member->query, aw_capture_seen_until(member->membership->capture));
}

/* Runs an action on a query, and sees to it if it fails. */
static void
run(Action action, AwMember *member, const AwPass *pass)
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
run_transaction(Action action, AwMember *member, const AwPass *pass)
{
	Step		step = {action, member, pass};

	/* How long its history takes depends on what is there. */
	return aw_attempt_run(take_step, &step, action != attach);
}

static void
take_step(void *arg)
{
	const Step *step = arg;

	step->action(step->member, step->pass);
}

/* Reads what was written of a query. */
static void
load(AwMember *member, const AwPass *pass)
{
	const AwEntry *entry = find_entry(member);

	if (entry == NULL)
		return;
	member->entry.progress.is_at_home = entry->progress.is_at_home;
	member->position = entry->progress.position;
	member->is_hopeless = aw_member_is_lost(member);
	if (member->is_hopeless)
		report_lost(member);

	member->query = aw_continuous_load(entry);
	if (aw_continuous_progress(member->query)->state != AW_QUERY_RUNNING)
	{
		aw_continuous_progress(member->query)->state = AW_QUERY_RUNNING;
		save(member, pass);
	}
	if (XLogRecPtrIsInvalid(member->membership->reread_lsn) ||
		member->position < member->membership->reread_lsn)
		member->membership->reread_lsn = member->position;
}

/*
 * The entry of a query in the catalog; NULL if it has been dropped, an error if
 * somebody is about to, whom not to wait for.
 */
static const AwEntry *
find_entry(const AwMember *member)
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

static bool
is_at_work(const AwMember *member)
{
	return member->query != NULL;
}

static void
report_lost(const AwMember *member)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the WAL from the position of the query on is not there any more"),
			 errhint("%s", lost_hint(member))));
}

/* How a query goes on that has lost its place. */
static const char *
lost_hint(const AwMember *member)
{
	return OidIsValid(member->entry.tracked) ? "Call untrack() and track()." :
		"Resume the query, which then reads its open windows from its tables.";
}

/* A query that is paused cannot go on either. */
static void
refuse_lost(AwMember *member, const AwPass *pass)
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
attach(AwMember *member, const AwPass *pass)
{
	const AwEntry *entry = find_entry(member);
	XLogRecPtr	position;
	Snapshot	snapshot;

	(void) pass;
	if (member->membership->capture == NULL || entry == NULL)
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
	snapshot = aw_coverage_snapshot(member->membership->capture);
	(void) aw_capture_slot_state(aw_capture_slot_name(MyDatabaseId), &position);
	position = Max(position, aw_capture_read_lsn(member->membership->capture));
	aw_continuous_attach(member->query, snapshot, position);
	UnregisterSnapshot(snapshot);
	save(member, pass);
}

/* Writes a query and leaves it where it is. */
static void
pause_query(AwMember *member, const AwPass *pass)
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
take_in(AwMember *member, const AwPass *pass)
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
		aw_continuous_set_idle(member->query, aw_capture_seen_until(member->membership->capture));
	progress->position = Max(progress->position, pass->read_lsn);
	if (!XLogRecPtrIsInvalid(member->drain_lsn) && pass->read_lsn >= member->drain_lsn)
	{
		aw_continuous_drain(member->query);
		progress->state = AW_QUERY_DRAINED;
		save(member, pass);
		return;
	}
	aw_crash_at("publish");
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
check_changes(AwMember *member, const AwBatchSource *source)
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
is_due(const AwMember *member, const AwPass *pass)
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
save(AwMember *member, const AwPass *pass)
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

/* From now on the position of a query means nothing, whether the WAL is still there or not. */
static void
give_up(AwMember *member, const AwPass *pass)
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

/*
 * Notes why a query has failed, and when it is to be tried again: at once if what has
 * been read did not fit what is there now.  Waiting for others is no failure.
 */
static void
fail(AwMember *member, const AwPass *pass, ErrorData *error)
{
	AwPass		none = {0};
	bool		is_conflict = ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_TRANSACTION_ROLLBACK;

	member->membership->must_read_catalog = true;
	unload(member);
	member->failed_lsn = Max(member->failed_lsn, pass->read_lsn);
	if (is_conflict && pass->batch != NULL)
	{
		aw_member_follow(member);
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
note_error(AwMember *member, const AwPass *pass)
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
unload(AwMember *member)
{
	if (member->query != NULL)
		aw_continuous_free(member->query);
	member->query = NULL;
}
