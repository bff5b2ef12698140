/*
 * timetravel.c
 *
 * Keeps apart what the relation cache of a process has of now, where it runs
 * statements, and of then, where it decodes.
 *
 * Decoding looks at relations as they were, and leaves them in the cache; statements
 * do the same with what is now.  An invalidation clears both, but is received once: a
 * statement after it brings the relation of now, and decoding what was written before
 * the change would find that.  So each relation that is invalidated is remembered
 * until the WAL has been read to where it ended then, and until then is cleared
 * before decoding and after it.  Throwing everything away each time, as the server's
 * own functions do that decode once, would have all plans made anew for each batch.
 *
 * What decoding reads besides the relation cache does not change or is not cached.
 * Nothing here may be called inside a transaction.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "utils/inval.h"
#include "utils/relcache.h"

#include "timetravel.h"

/* More relations than this at a time, and all of them are cleared. */
#define MAX_CHANGES 256

typedef struct Change
{
	Oid			relid;			/* InvalidOid: all relations */
	XLogRecPtr	end_lsn;		/* the change is before this; invalid: it is new */
} Change;

/* Of the process: callbacks of invalidations cannot be taken back. */
static Change changes[MAX_CHANGES];
static int	n_changes = 0;

static void remember(Datum arg, Oid relid);
static void clear_all(void);

/* Once in a process. */
void
aw_timetravel_init(void)
{
	static bool is_registered = false;

	if (!is_registered)
		CacheRegisterRelcacheCallback(remember, (Datum) 0);
	is_registered = true;
}

/* Decoding begins, or begins again: changes of before were not received. */
void
aw_timetravel_distrust(void)
{
	remember((Datum) 0, InvalidOid);
}

/* Decoding follows. */
void
aw_timetravel_enter(void)
{
	XLogRecPtr	lsn;

	Assert(!IsTransactionState());
	if (n_changes == 0)
		return;

	/* Whoever has told us of a change has written its commit. */
	lsn = GetXLogInsertRecPtr();
	for (int i = 0; i < n_changes; i++)
	{
		if (XLogRecPtrIsInvalid(changes[i].end_lsn))
			changes[i].end_lsn = lsn;
	}
	clear_all();
}

/* Decoding has ended, and has read so far. */
void
aw_timetravel_leave(XLogRecPtr read_lsn)
{
	int			n_left = 0;

	Assert(!IsTransactionState());
	clear_all();
	for (int i = 0; i < n_changes; i++)
	{
		if (XLogRecPtrIsInvalid(changes[i].end_lsn) || changes[i].end_lsn > read_lsn)
			changes[n_left++] = changes[i];
	}
	n_changes = n_left;
}

/* Callback of the relation cache. */
static void
remember(Datum arg, Oid relid)
{
	(void) arg;
	for (int i = 0; i < n_changes; i++)
	{
		if (changes[i].relid == relid || !OidIsValid(changes[i].relid))
		{
			changes[i].end_lsn = InvalidXLogRecPtr;
			return;
		}
	}
	if (!OidIsValid(relid) || n_changes == MAX_CHANGES)
	{
		relid = InvalidOid;
		n_changes = 0;
	}
	changes[n_changes].relid = relid;
	changes[n_changes].end_lsn = InvalidXLogRecPtr;
	n_changes++;
}

/* The next to look at what has changed builds it from the catalog that it sees. */
static void
clear_all(void)
{
	for (int i = 0; i < n_changes; i++)
	{
		if (OidIsValid(changes[i].relid))
			RelationCacheInvalidateEntry(changes[i].relid);
		else
			RelationCacheInvalidate(false);
	}
}
