/*
 * eventlog.c
 *
 * One line in the log of the server for each event in the life of a query, and none for
 * what goes on all the time.  A query that waits for others, which it tries again and
 * again, is told of once.
 */
#include "postgres.h"

#include "eventlog.h"

static void tell(const AwEventLog *log, const char *event);
static const char *noun_of(const AwEventLog *log);

/* A query as the catalog has it: what it was before is no event. */
void
aw_eventlog_init(AwEventLog *log, const AwEntry *entry)
{
	memset(log, 0, sizeof(*log));
	log->name = entry->name;
	log->is_tracked = OidIsValid(entry->tracked);
	log->state = entry->progress.state;
	log->is_failing = entry->progress.n_attempts > 0;
}

/* A query has come to a state, or is still in it; is_failing says whether it has to recover. */
void
aw_eventlog_state(AwEventLog *log, AwQueryState state, bool is_failing)
{
	bool		is_new = state != log->state;

	if (is_new && state == AW_QUERY_RUNNING)
		tell(log, log->state == AW_QUERY_STARTING ? "has started" : "has been resumed");
	else if (is_new && state == AW_QUERY_PAUSED)
		tell(log, "has been paused");
	else if (is_new && state == AW_QUERY_DRAINED)
		tell(log, "has been drained");
	else if (log->is_failing && !is_failing)
		tell(log, "has recovered");
	log->state = state;
	log->is_failing = is_failing;
}

/* The query has got past what it had to wait for: when it has to again, that is told. */
void
aw_eventlog_passed(AwEventLog *log)
{
	log->is_waiting = false;
}

/* A query could not go on; state says whether it is tried again. */
void
aw_eventlog_error(AwEventLog *log, const ErrorData *error, int n_attempts, AwQueryState state)
{
	bool		is_given_up = state == AW_QUERY_FAILED;
	bool		was_waiting = log->is_waiting;
	const char *event = is_given_up ? "failed, and is given up" :
		n_attempts > 0 ? psprintf("failed, attempt %d", n_attempts) : "has to wait";

	log->state = state;
	log->is_failing = n_attempts > 0;
	log->is_waiting = !log->is_failing;
	if (log->is_waiting && was_waiting)
		return;
	ereport(LOG,
			(errcode(error->sqlerrcode),
			 errmsg("%s \"%s\" %s: %s", noun_of(log), NameStr(log->name), event, error->message),
			 error->detail ? errdetail_internal("%s", error->detail) : 0,
			 error->hint ? errhint("%s", error->hint) : 0,
			 error->context ? errcontext("%s", error->context) : 0));
}

void
aw_eventlog_dropped(const AwEventLog *log)
{
	tell(log, "has been dropped");
}

static void
tell(const AwEventLog *log, const char *event)
{
	ereport(LOG,
			(errmsg("%s \"%s\" %s", noun_of(log), NameStr(log->name), event)));
}

static const char *
noun_of(const AwEventLog *log)
{
	return log->is_tracked ? "tracked stream" : "continuous query";
}
