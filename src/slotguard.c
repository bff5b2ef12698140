/*
 * slotguard.c
 *
 * Drops the slot of a worker that keeps more than it may, whatever the reason: the
 * worker does not get on, or cannot start, or a transaction stays open.  The queries of
 * the database have lost their places in the WAL then, and the next worker says so.
 *
 * The worker is ended first, which takes until it looks at interrupts.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "postmaster/interrupt.h"
#include "replication/slot.h"
#include "storage/latch.h"
#include "utils/wait_event.h"

#include "capture.h"
#include "retention.h"
#include "shmem.h"
#include "slotguard.h"

/* How long a worker may take to end, and how often it is looked whether it has. */
#define END_MS 10000
#define END_POLL_MS 100

static bool wait_until_free(const char *slot);
static bool is_free(const char *slot);

/* Drops the slot of a database if it keeps too much; by the launcher, before it starts workers. */
void
aw_slotguard_check(Oid database)
{
	char	   *slot = aw_capture_slot_name(database);
	const char *excess = aw_retention_excess_of_slot(slot);

	if (excess == NULL)
		return;
	aw_shmem_stop_worker(database);
	if (!wait_until_free(slot))
	{
		ereport(LOG,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("replication slot \"%s\" keeps far more than \"%s\" allows, and its worker does not end",
						slot, excess)));
		return;
	}

	/* One that was being made goes with its worker. */
	if (SearchNamedReplicationSlot(slot, true) != NULL)
		ReplicationSlotDrop(slot, true);
	ereport(LOG,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("replication slot \"%s\" kept far more than \"%s\" allows, and was dropped",
					slot, excess)));
}

/* Waits until nobody uses a slot, or it is not there any more; false if that takes too long. */
static bool
wait_until_free(const char *slot)
{
	for (int waited_ms = 0; waited_ms < END_MS && !ShutdownRequestPending; waited_ms += END_POLL_MS)
	{
		if (is_free(slot))
			return true;
		(void) WaitLatch(MyLatch, WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, END_POLL_MS,
						 PG_WAIT_EXTENSION);
		CHECK_FOR_INTERRUPTS();
	}
	return false;
}

static bool
is_free(const char *slot)
{
	ReplicationSlot *found = SearchNamedReplicationSlot(slot, true);
	int			pid = 0;

	if (found != NULL)
	{
		SpinLockAcquire(&found->mutex);
		pid = found->active_pid;
		SpinLockRelease(&found->mutex);
	}
	return pid == 0;
}
