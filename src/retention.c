/*
 * retention.c
 *
 * What a query that stands needs to go on is kept by the slot of its database: the WAL
 * from its position on, and the rows of the system catalogs as they were then.  Both
 * are bounded, so that a query that nobody looks after does not fill the disk.
 *
 * A query for which more is kept is given up by the worker, and the others go on.  A slot that
 * keeps twice as much, because the worker does not get on or a transaction stays open, is
 * given up as a whole, by the launcher.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xlog.h"
#include "replication/slot.h"

#include "retention.h"

#define BYTES_PER_MB	(UINT64CONST(1024) * 1024)

/*
 * What a slot may keep besides at least: it moves only every 15 s, when the server
 * writes down which transactions are running, and reading may be behind for a while.
 */
#define MIN_SLOT_SURPLUS_MB		1024
#define MIN_SLOT_SURPLUS_XIDS	1000000

int			aw_retention_max_wal_mb = 64 * 1024;
int			aw_retention_max_catalog_age = 200000000;

static const char *excess_of(uint64 n_bytes, uint64 n_transactions, uint64 surplus_mb,
							 uint64 surplus_xids);

/* The transaction that begins next, counted without wrapping around. */
uint64
aw_retention_next_xid(void)
{
	return U64FromFullTransactionId(ReadNextFullTransactionId());
}

/* The setting that allows less than is kept for a query that stands; NULL if it is none. */
const char *
aw_retention_excess_of_query(const AwRetained *retained)
{
	XLogRecPtr	flush_lsn = GetFlushRecPtr(NULL);
	uint64		next_xid = aw_retention_next_xid();

	return excess_of(flush_lsn > retained->lsn ? flush_lsn - retained->lsn : 0,
					 retained->next_xid != 0 && next_xid > retained->next_xid ?
					 next_xid - retained->next_xid : 0, 0, 0);
}

/* Likewise of a slot, for which twice as much may be kept; NULL also if there is no such slot. */
const char *
aw_retention_excess_of_slot(const char *slot)
{
	ReplicationSlot *found = SearchNamedReplicationSlot(slot, true);
	XLogRecPtr	flush_lsn = GetFlushRecPtr(NULL);
	ReplicationSlotPersistentData data;
	int32		age = 0;

	if (found == NULL)
		return NULL;
	SpinLockAcquire(&found->mutex);
	data = found->data;
	SpinLockRelease(&found->mutex);

	if (XLogRecPtrIsInvalid(data.restart_lsn))
		return NULL;
	if (TransactionIdIsNormal(data.catalog_xmin))
		age = (int32) (XidFromFullTransactionId(ReadNextFullTransactionId()) - data.catalog_xmin);
	return excess_of(flush_lsn > data.restart_lsn ? flush_lsn - data.restart_lsn : 0,
					 Max(age, 0),
					 Max(aw_retention_max_wal_mb, MIN_SLOT_SURPLUS_MB),
					 Max(aw_retention_max_catalog_age, MIN_SLOT_SURPLUS_XIDS));
}

static const char *
excess_of(uint64 n_bytes, uint64 n_transactions, uint64 surplus_mb, uint64 surplus_xids)
{
	if (aw_retention_max_wal_mb >= 0 &&
		n_bytes / BYTES_PER_MB >= aw_retention_max_wal_mb + surplus_mb)
		return "apply_watermark.max_retained_wal";
	if (aw_retention_max_catalog_age >= 0 &&
		n_transactions > aw_retention_max_catalog_age + surplus_xids)
		return "apply_watermark.max_catalog_age";
	return NULL;
}
