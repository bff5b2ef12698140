/*
 * coverage.c
 *
 * Who takes the rows of a table by a snapshot, and goes on with what is captured, misses
 * nothing if the snapshot sees all transactions that have been captured before.
 */
#include "postgres.h"

#include "access/transam.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"
#include "utils/wait_event.h"

#include "coverage.h"

static void wait_a_moment(void);

/*
 * A snapshot that sees all transactions whose commit has been read, by this process or
 * before the slot was made.  A commit can be read before any snapshot sees it, but
 * not for long, unless it waits for a standby.  It is registered, and is the caller's.
 */
Snapshot
aw_coverage_snapshot(const AwCapture *capture)
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
		bool		is_covering = aw_capture_is_covered_by(capture, snapshot);

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
