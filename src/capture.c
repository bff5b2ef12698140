/*
 * capture.c
 *
 * Reads the WAL by logical decoding inside the process, without a walsender, and
 * is the output plugin of its slot.
 *
 * A slot belongs to one database and is read by one process, which decodes whatever
 * is flushed and confirms, after its own commit, how far it need not be read again.
 * The plugin refuses everybody else, whose reading would take rows away.
 *
 * Records are read up to where the WAL is flushed when the call begins, so the call
 * does not wait.  What a transaction writes beyond aw_capture_decode_memory_kb until
 * its commit is read goes to disk, and costs five times the CPU.
 *
 * WAL written under DoNotReplicateId is not seen.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlogutils.h"
#include "miscadmin.h"
#include "replication/decode.h"
#include "replication/logical.h"
#include "replication/origin.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "arrival.h"
#include "capture.h"
#include "compat.h"
#include "timetravel.h"

/* WAL read in one call at most, unless a transaction is being put together. */
#define MAX_WAL_BYTES (64 * 1024 * 1024)

struct AwCapture
{
	MemoryContext cxt;
	AwArrivals *arrivals;
	LogicalDecodingContext *decoding;
	TimestampTz seen_until;		/* what was committed before has been read; 0: unknown */
	TransactionId *recent;		/* decoded, and perhaps not yet visible */
	int			n_recent;
	int			max_recent;
};

int			aw_capture_decode_memory_kb = 256 * 1024;

/* The process is creating or opening its slot: it may load the plugin. */
static bool is_ours = false;

extern PGDLLEXPORT void _PG_output_plugin_init(OutputPluginCallbacks *callbacks);

static int	read_page(XLogReaderState *reader, XLogRecPtr page, int n_bytes, XLogRecPtr record,
					  char *buffer);
static void start_decoding(AwCapture *capture, XLogRecPtr start_lsn);
static void count_our_transactions(void);
static void prepare_session(void);
static void trust_plugin(void);
static void read_record(AwCapture *capture);
static void forget_visible(AwCapture *capture);
static void add_recent(AwCapture *capture, TransactionId xid);
static void plugin_startup(LogicalDecodingContext *decoding, OutputPluginOptions *options,
						   bool is_init);
static void plugin_begin(LogicalDecodingContext *decoding, ReorderBufferTXN *txn);
static void plugin_change(LogicalDecodingContext *decoding, ReorderBufferTXN *txn, Relation rel,
						  ReorderBufferChange *change);
static void plugin_truncate(LogicalDecodingContext *decoding, ReorderBufferTXN *txn, int n_rels,
							Relation *rels, ReorderBufferChange *change);
static void plugin_commit(LogicalDecodingContext *decoding, ReorderBufferTXN *txn,
						  XLogRecPtr commit_lsn);
static bool plugin_filter_origin(LogicalDecodingContext *decoding, RepOriginId origin);

/* The slot of a database. */
char *
aw_capture_slot_name(Oid database)
{
	return psprintf("apply_watermark_%u", database);
}

/* What has become of a slot; where its reading begins, if confirmed_lsn is not NULL. */
AwSlotState
aw_capture_slot_state(const char *slot, XLogRecPtr *confirmed_lsn)
{
	ReplicationSlot *found = SearchNamedReplicationSlot(slot, true);
	ReplicationSlotPersistentData data;

	if (confirmed_lsn != NULL)
		*confirmed_lsn = InvalidXLogRecPtr;
	if (found == NULL)
		return AW_SLOT_MISSING;
	SpinLockAcquire(&found->mutex);
	data = found->data;
	SpinLockRelease(&found->mutex);

	if (data.database != MyDatabaseId || strcmp(NameStr(data.plugin), AW_CAPTURE_PLUGIN) != 0)
		return AW_SLOT_FOREIGN;
	if (aw_compat_is_slot_invalid(&data))
		return AW_SLOT_LOST;
	if (confirmed_lsn != NULL)
		*confirmed_lsn = data.confirmed_flush;
	return AW_SLOT_READY;
}

/*
 * Creates a slot of this database, and keeps it.  Waits for all transactions that
 * have written something: never to be called by one of them, or on its behalf.
 */
void
aw_capture_create_slot(const char *slot)
{
	LogicalDecodingContext *decoding;

	Assert(!IsTransactionState());
	CheckLogicalDecodingRequirements();
	prepare_session();
	ReplicationSlotCreate(slot, true, RS_EPHEMERAL, false, false, false);
	is_ours = true;
	decoding = CreateInitDecodingContext(AW_CAPTURE_PLUGIN, NIL, false, InvalidXLogRecPtr,
										 XL_ROUTINE(.page_read = read_page,
													.segment_open = wal_segment_open,
													.segment_close = wal_segment_close),
										 NULL, NULL, NULL);
	is_ours = false;
	DecodingContextFindStartpoint(decoding);
	FreeDecodingContext(decoding);
	ReplicationSlotPersist();
	ReplicationSlotRelease();
}

/* The slot must not be open. */
void
aw_capture_drop_slot(const char *slot)
{
	ReplicationSlotDrop(slot, true);
}

/*
 * Opens a slot that is AW_SLOT_READY, at a position given before as the end of a
 * batch; InvalidXLogRecPtr stands for where it was last confirmed.
 */
AwCapture *
aw_capture_open(const char *slot, XLogRecPtr start_lsn)
{
	MemoryContext cxt = AllocSetContextCreate(TopMemoryContext, "apply_watermark capture",
											  ALLOCSET_DEFAULT_SIZES);
	AwCapture  *capture = MemoryContextAllocZero(cxt, sizeof(AwCapture));

	Assert(!IsTransactionState());
	capture->cxt = cxt;
	aw_timetravel_init();
	capture->arrivals = aw_arrival_create(cxt);
	aw_arrival_set_sources(capture->arrivals, NULL, 0);
	capture->max_recent = 64;
	capture->recent = MemoryContextAlloc(cxt, capture->max_recent * sizeof(TransactionId));

	CheckLogicalDecodingRequirements();
	prepare_session();
	ReplicationSlotAcquire(slot, true, true);
	start_decoding(capture, start_lsn);
	return capture;
}

/* Reads again from an earlier position, which must not be before the confirmed one. */
void
aw_capture_rewind(AwCapture *capture, XLogRecPtr start_lsn)
{
	Assert(!IsTransactionState());
	FreeDecodingContext(capture->decoding);
	start_decoding(capture, start_lsn);
}

/* From the next read on, rows of these tables are in the batches. */
void
aw_capture_set_sources(AwCapture *capture, const Oid *relids, int n_relids)
{
	aw_arrival_set_sources(capture->arrivals, relids, n_relids);
}

/*
 * The next transactions with changes of the sources, in cxt: all that is flushed, or
 * as much as passes max_bytes at the end of a transaction, or has been read when
 * limit_lsn is reached, unless that is InvalidXLogRecPtr.  NULL if there is none in
 * what has been read; aw_capture_is_behind() tells whether there is more to read.
 */
AwBatch *
aw_capture_read(AwCapture *capture, MemoryContext cxt, int64 max_bytes, XLogRecPtr limit_lsn)
{
	XLogReaderState *reader = capture->decoding->reader;
	TimestampTz now = GetCurrentTimestamp();
	XLogRecPtr	start_lsn = reader->EndRecPtr;
	XLogRecPtr	flush_lsn = GetFlushRecPtr(NULL);
	XLogRecPtr	end_lsn = flush_lsn;
	MemoryContext old_cxt = CurrentMemoryContext;

	Assert(!IsTransactionState());
	if (start_lsn >= flush_lsn)
		capture->seen_until = now;
	if (!XLogRecPtrIsInvalid(limit_lsn))
		end_lsn = Min(end_lsn, limit_lsn);
	if (start_lsn >= end_lsn)
		return NULL;
	forget_visible(capture);
	aw_arrival_refresh(capture->arrivals);
	aw_arrival_begin_batch(capture->arrivals, cxt, max_bytes);
	aw_timetravel_enter();
	while (reader->EndRecPtr < end_lsn && reader->EndRecPtr - start_lsn < MAX_WAL_BYTES &&
		   !aw_arrival_is_full(capture->arrivals))
	{
		read_record(capture);
		CHECK_FOR_INTERRUPTS();
	}
	if (reader->EndRecPtr >= flush_lsn)
		capture->seen_until = now;
	aw_timetravel_leave(reader->EndRecPtr);
	MemoryContextSwitchTo(old_cxt);
	return aw_arrival_end_batch(capture->arrivals, reader->EndRecPtr);
}

/*
 * Frees the rows of a batch, which may have files; to be called before its context
 * is reset.
 */
void
aw_capture_release(AwBatch *batch)
{
	for (int i = 0; i < batch->n_sources; i++)
	{
		if (batch->sources[i].rows != NULL)
			tuplestore_end(batch->sources[i].rows);
	}
}

/* All transactions whose commit ends here or before have been read. */
XLogRecPtr
aw_capture_read_lsn(const AwCapture *capture)
{
	return capture->decoding->reader->EndRecPtr;
}

/* When the last transaction that was read was committed, or no other was up to then; 0: unknown. */
TimestampTz
aw_capture_seen_until(const AwCapture *capture)
{
	return capture->seen_until;
}

/* Is there flushed WAL that has not been read? */
bool
aw_capture_is_behind(const AwCapture *capture)
{
	return aw_capture_read_lsn(capture) < GetFlushRecPtr(NULL);
}

/*
 * Does a snapshot see all transactions that have been read?  A commit can be read
 * before any snapshot sees it; who takes a table's rows by a snapshot and goes on
 * with batches must have one that does, or loses rows.
 */
bool
aw_capture_is_covered_by(const AwCapture *capture, Snapshot snapshot)
{
	for (int i = 0; i < capture->n_recent; i++)
	{
		if (XidInMVCCSnapshot(capture->recent[i], snapshot))
			return false;
	}
	return true;
}

/*
 * Nothing before this position will be read again, nor before an earlier one.  What this
 * process has committed reaches the disk first, so that it does not lag behind the slot
 * after a crash.
 */
void
aw_capture_confirm(AwCapture *capture, XLogRecPtr lsn)
{
	(void) capture;
	Assert(!IsTransactionState());
	if (lsn <= MyReplicationSlot->data.confirmed_flush)
		return;
	if (!XLogRecPtrIsInvalid(XactLastCommitEnd))
		XLogFlush(XactLastCommitEnd);
	LogicalConfirmReceivedLocation(lsn);
}

void
aw_capture_close(AwCapture *capture)
{
	FreeDecodingContext(capture->decoding);
	ReplicationSlotRelease();
	aw_arrival_destroy(capture->arrivals);
	MemoryContextDelete(capture->cxt);
}

/* The columns that a table's rows have in a batch. */
TupleDesc
aw_capture_columns(Relation rel)
{
	return aw_arrival_columns(RelationGetDescr(rel));
}

/* Waits for WAL that is not flushed yet, unless the server is gone, which ends the process. */
static int
read_page(XLogReaderState *reader, XLogRecPtr page, int n_bytes, XLogRecPtr record, char *buffer)
{
	while (page + n_bytes > GetFlushRecPtr(NULL))
	{
		(void) WaitLatch(MyLatch, WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 1, PG_WAIT_EXTENSION);
		CHECK_FOR_INTERRUPTS();
	}
	return read_local_xlog_page(reader, page, n_bytes, record, buffer);
}

static void
start_decoding(AwCapture *capture, XLogRecPtr start_lsn)
{
	MemoryContext old_cxt = MemoryContextSwitchTo(capture->cxt);

	is_ours = true;
	capture->decoding = CreateDecodingContext(start_lsn, NIL, false,
											  XL_ROUTINE(.page_read = read_page,
														 .segment_open = wal_segment_open,
														 .segment_close = wal_segment_close),
											  NULL, NULL, NULL);
	is_ours = false;
	capture->decoding->output_plugin_private = capture;
	capture->seen_until = 0;
	XLogBeginRead(capture->decoding->reader, MyReplicationSlot->data.restart_lsn);
	count_our_transactions();
	aw_timetravel_distrust();
	aw_arrival_forget_routes(capture->arrivals);
	MemoryContextSwitchTo(old_cxt);
}

/*
 * Decoding takes the process out of the snapshots of others, which is right for one that
 * only decodes.  This one also writes: a transaction that is not in snapshots counts as
 * aborted, and its rows, and those that it locks, as they were.
 */
static void
count_our_transactions(void)
{
	LWLockAcquire(ProcArrayLock, LW_EXCLUSIVE);
	MyProc->statusFlags &= ~PROC_IN_LOGICAL_DECODING;
	ProcGlobal->statusFlags[MyProc->pgxactoff] = MyProc->statusFlags;
	LWLockRelease(ProcArrayLock);
}

/* Settings of the server that decoding looks at. */
static void
prepare_session(void)
{
	trust_plugin();
	SetConfigOption("logical_decoding_work_mem", psprintf("%dkB", aw_capture_decode_memory_kb),
					PGC_USERSET, PGC_S_SESSION);
}

/*
 * Newer minor versions load only the output plugins that a setting names.  Which
 * one this process loads is no choice of any user.
 */
static void
trust_plugin(void)
{
	static const char setting[] = "output_plugin_libraries";
	const char *trusted = GetConfigOption(setting, true, false);
	const char *separator;

	if (trusted == NULL || strstr(trusted, AW_CAPTURE_PLUGIN) != NULL)
		return;
	separator = *trusted == '\0' ? "" : ", ";
	SetConfigOption(setting, psprintf("%s%s%s", trusted, separator, AW_CAPTURE_PLUGIN),
					PGC_SUSET, PGC_S_SESSION);
}

/*
 * Reads one record; if it is a commit, its transaction passes through the plugin.
 * Leaves any memory context current.  The reader keeps what it allocates.
 */
static void
read_record(AwCapture *capture)
{
	char	   *error = NULL;
	XLogRecord *record;

	MemoryContextSwitchTo(capture->cxt);
	record = XLogReadRecord(capture->decoding->reader, &error);
	if (record == NULL)
		elog(ERROR, "could not read WAL at %X/%X: %s",
			 LSN_FORMAT_ARGS(aw_capture_read_lsn(capture)), error != NULL ? error : "no record");
	LogicalDecodingProcessRecord(capture->decoding, capture->decoding->reader);
}

/* Forgets transactions that every new snapshot sees. */
static void
forget_visible(AwCapture *capture)
{
	int			n_left = 0;

	for (int i = 0; i < capture->n_recent; i++)
	{
		if (TransactionIdIsInProgress(capture->recent[i]))
			capture->recent[n_left++] = capture->recent[i];
	}
	capture->n_recent = n_left;
}

static void
add_recent(AwCapture *capture, TransactionId xid)
{
	if (capture->n_recent == capture->max_recent)
	{
		capture->max_recent *= 2;
		capture->recent = repalloc_huge(capture->recent,
										mul_size(capture->max_recent, sizeof(TransactionId)));
	}
	capture->recent[capture->n_recent++] = xid;
}

/* Entry of the library as an output plugin. */
void
_PG_output_plugin_init(OutputPluginCallbacks *callbacks)
{
	callbacks->startup_cb = plugin_startup;
	callbacks->begin_cb = plugin_begin;
	callbacks->change_cb = plugin_change;
	callbacks->truncate_cb = plugin_truncate;
	callbacks->commit_cb = plugin_commit;
	callbacks->filter_by_origin_cb = plugin_filter_origin;
}

static void
plugin_startup(LogicalDecodingContext *decoding, OutputPluginOptions *options, bool is_init)
{
	(void) decoding;
	(void) is_init;
	if (!is_ours)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("output plugin \"%s\" is for its own worker alone", AW_CAPTURE_PLUGIN),
				 errdetail("Whoever else read the slot would take rows away from "
						   "continuous queries.")));
	options->output_type = OUTPUT_PLUGIN_BINARY_OUTPUT;
}

static void
plugin_begin(LogicalDecodingContext *decoding, ReorderBufferTXN *txn)
{
	AwCapture  *capture = decoding->output_plugin_private;

	add_recent(capture, txn->xid);
}

static void
plugin_change(LogicalDecodingContext *decoding, ReorderBufferTXN *txn, Relation rel,
			  ReorderBufferChange *change)
{
	AwCapture  *capture = decoding->output_plugin_private;

	(void) txn;
	switch (change->action)
	{
		case REORDER_BUFFER_CHANGE_INSERT:
			aw_arrival_insert(capture->arrivals, rel, aw_compat_new_tuple(change));
			break;
		case REORDER_BUFFER_CHANGE_UPDATE:
			aw_arrival_count_update(capture->arrivals, rel);
			break;
		case REORDER_BUFFER_CHANGE_DELETE:
			aw_arrival_count_delete(capture->arrivals, rel);
			break;
		default:
			break;
	}
}

static void
plugin_truncate(LogicalDecodingContext *decoding, ReorderBufferTXN *txn, int n_rels,
				Relation *rels, ReorderBufferChange *change)
{
	AwCapture  *capture = decoding->output_plugin_private;

	(void) txn;
	(void) change;
	aw_arrival_count_truncate(capture->arrivals, rels, n_rels);
}

static void
plugin_commit(LogicalDecodingContext *decoding, ReorderBufferTXN *txn, XLogRecPtr commit_lsn)
{
	AwCapture  *capture = decoding->output_plugin_private;
	AwBatchTransaction transaction = {
		.xid = txn->xid,
		.commit_lsn = commit_lsn,
		.end_lsn = txn->end_lsn,
		.commit_time = txn->xact_time.commit_time
	};

	aw_arrival_commit(capture->arrivals, &transaction);
	capture->seen_until = transaction.commit_time;
}

static bool
plugin_filter_origin(LogicalDecodingContext *decoding, RepOriginId origin)
{
	(void) decoding;
	return origin == DoNotReplicateId;
}
