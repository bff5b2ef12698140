/*
 * attempt.c
 *
 * Work for a continuous query, in a transaction of its own, whose failure is nobody
 * else's: the transaction is rolled back, and the error handed to who asked for it.
 * Others wait meanwhile, so it does not wait long for locks, and not work for ever.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "replication/origin.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "attempt.h"
#include "crash.h"

/*
 * How long a lock on what a query uses is waited for, while other queries wait, too, in ms:
 * so short that the deadlock with who drops a table and its views ends before that
 * session looks for one, and is cancelled.
 */
#define LOCK_TIMEOUT	(DeadlockTimeout / 4)

int			aw_attempt_timeout_ms = 5 * 60 * 1000;

/* The query that is at work is cancelled when it takes too long. */
static bool is_limited = false;

static void begin_limit(bool is_wanted);
static bool end_limit(void);

/*
 * Runs it; the error with which it failed, in the current memory context, or NULL.  Only
 * what is limited is cancelled when it takes too long.
 */
ErrorData *
aw_attempt_run(AwAttempt attempt, void *arg, bool has_limit)
{
	MemoryContext caller = CurrentMemoryContext;
	ErrorData  *volatile error = NULL;

	PG_TRY();
	{
		SetCurrentStatementStartTimestamp();
		begin_limit(has_limit);
		StartTransactionCommand();
		(void) set_config_option("lock_timeout", psprintf("%d", Max(LOCK_TIMEOUT, 1)),
								 PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
		PushActiveSnapshot(GetTransactionSnapshot());
		attempt(arg);
		PopActiveSnapshot();
		aw_crash_at("commit");
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
									  aw_attempt_timeout_ms);
		replorigin_session_origin = InvalidRepOriginId;
		AbortCurrentTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);

	/* An advisory lock of the session would stay for ever. */
	LockReleaseSession(USER_LOCKMETHOD);
	return error;
}

/* From now on the query is cancelled when it takes too long, since others wait. */
static void
begin_limit(bool is_wanted)
{
	is_limited = is_wanted && aw_attempt_timeout_ms > 0;
	if (is_limited)
		enable_timeout_after(STATEMENT_TIMEOUT, aw_attempt_timeout_ms);
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
