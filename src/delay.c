/*
 * delay.c
 *
 * Why continuous queries have not come as far as somebody waits for: there is no
 * worker, it waits for others, or it is busy.
 *
 * It is told from one look at the shared memory and at the locks, so it may be over
 * when it is read.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "delay.h"
#include "shmem.h"

static AwDelay without_worker(const AwWorkerStatus *status);
static AwDelay at_slot(const AwWorkerStatus *status);
static AwDelay at_query(const AwWorkerStatus *status);
static AwDelay behind(const AwWorkerStatus *status, XLogRecPtr lsn);
static char *blockers(int pid, const char *noun);

/* Why the queries of this database have not come to lsn; in the current memory context. */
AwDelay
aw_delay_find(XLogRecPtr lsn)
{
	AwWorkerStatus status = aw_shmem_status();

	if (status.pid == 0)
		return without_worker(&status);
	switch (status.activity)
	{
		case AW_ACTIVITY_SLOT:
			return at_slot(&status);
		case AW_ACTIVITY_QUERY:
			return at_query(&status);
		case AW_ACTIVITY_NONE:
			break;
	}
	return behind(&status, lsn);
}

static AwDelay
without_worker(const AwWorkerStatus *status)
{
	AwDelay		delay = {0};
	const char *error = aw_shmem_error();

	if (status->is_held)
		delay.reason = "A session that drops, copies or alters the database keeps their worker away.";
	else if (!status->has_launcher)
	{
		delay.reason = "The launcher of their worker is not running.";
		delay.remedy = "The server starts it again after a few seconds; if not, the log of the server says why.";
	}
	else if (error != NULL)
		delay.reason = psprintf("Their worker has failed: %s", error);
	else
		delay.reason = "Their worker is being started.";
	return delay;
}

/* Making a slot takes until each transaction has ended that has written and was there. */
static AwDelay
at_slot(const AwWorkerStatus *status)
{
	AwDelay		delay = {0};

	delay.reason = psprintf("Their worker makes its replication slot since %s%s",
							timestamptz_to_str(status->active_since),
							blockers(status->pid, "transaction"));
	delay.remedy = "End transactions that are open in any database and have written, and prepared ones.";
	return delay;
}

static AwDelay
at_query(const AwWorkerStatus *status)
{
	AwDelay		delay = {0};

	delay.reason = psprintf("Their worker is at continuous query \"%s\" since %s%s",
							NameStr(status->query), timestamptz_to_str(status->active_since),
							blockers(status->pid, "lock"));
	delay.remedy = psprintf("To stop the query, call watermark.pause_query(%s) and pg_cancel_backend(%d).",
							quote_literal_cstr(NameStr(status->query)), status->pid);
	return delay;
}

static AwDelay
behind(const AwWorkerStatus *status, XLogRecPtr lsn)
{
	AwDelay		delay = {0};
	const char *waits = blockers(status->pid, "lock");

	delay.reason = XLogRecPtrIsInvalid(status->lsn) ?
		psprintf("Their worker, process %d, has read nothing yet%s", status->pid, waits) :
		psprintf("Their worker, process %d, has read the WAL up to %X/%X, and not up to %X/%X%s",
				 status->pid, LSN_FORMAT_ARGS(status->lsn), LSN_FORMAT_ARGS(lsn), waits);
	return delay;
}

/*
 * The end of a sentence: which processes hold what a process waits for.  A prepared
 * transaction has no process.
 */
static char *
blockers(int pid, const char *noun)
{
	ArrayType  *pids = DatumGetArrayTypeP(DirectFunctionCall1(pg_blocking_pids,
															  Int32GetDatum(pid)));
	int			n_pids = ArrayGetNItems(ARR_NDIM(pids), ARR_DIMS(pids));
	const int32 *list = (const int32 *) ARR_DATA_PTR(pids);
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < n_pids; i++)
	{
		appendStringInfo(&text, "%s", i > 0 ? ", " : psprintf(", and waits for a %s of ", noun));
		if (list[i] == 0)
			appendStringInfoString(&text, "a prepared transaction");
		else
			appendStringInfo(&text, "process %d", list[i]);
	}
	appendStringInfoChar(&text, '.');
	return text.data;
}
