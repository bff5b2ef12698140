/*
 * engine.c
 *
 * The continuous queries of a database, as its worker runs them: its members.
 *
 * Each takes in a batch by itself; where one fails, others do not notice, but that the
 * WAL is read again for all of them: each leaves out what it has.
 *
 * The slot is confirmed at the least position that was written, of all queries that
 * may go on some day; so what a query that is paused or has failed needs stays there.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "commands/extension.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "crash.h"
#include "engine.h"
#include "member.h"

static List *members = NIL;
static Oid	own_extension = InvalidOid;	/* whose queries these are */
static AwMembership membership = {0};
static XLogRecPtr save_lsn = InvalidXLogRecPtr;	/* up to there all passes write */

static void read_catalog(void);
static AwMember *find_member(const AwEntry *entry);
static void drop_all_but(const List *listed);
static void add_sources(Oid *sources, int *n_sources, const AwMember *member);
static bool give_up_excessive(void);
static XLogRecPtr least_position(XLogRecPtr read_lsn);

void
aw_engine_start(Oid extension)
{
	ListCell   *lc;

	own_extension = extension;
	read_catalog();
	foreach(lc, members)
	{
		AwMember   *member = lfirst(lc);

		/* A slot is of no use to it: it fails, and says so. */
		if (aw_member_is_lost(member))
			aw_member_follow(member);
	}
}

bool
aw_engine_is_needed(void)
{
	ListCell   *lc;

	foreach(lc, members)
	{
		if (aw_member_needs_slot(lfirst(lc)))
			return true;
	}
	return false;
}

XLogRecPtr
aw_engine_reread_lsn(void)
{
	return membership.reread_lsn;
}

XLogRecPtr
aw_engine_limit_lsn(XLogRecPtr read_lsn)
{
	XLogRecPtr	least = InvalidXLogRecPtr;
	ListCell   *lc;

	foreach(lc, members)
	{
		XLogRecPtr	position = aw_member_position(lfirst(lc));

		if (position > read_lsn && (XLogRecPtrIsInvalid(least) || position < least))
			least = position;
	}
	return least;
}

void
aw_engine_reload(const AwCapture *capture)
{
	ListCell   *lc;

	membership.capture = capture;
	save_lsn = GetFlushRecPtr(NULL);
	read_catalog();
	foreach(lc, members)
	{
		AwMember   *member = lfirst(lc);

		if (!aw_member_is_waiting(member))
			aw_member_follow(member);
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
	{
		int			n_more;

		(void) aw_member_sources(lfirst(lc), &n_more);
		n_most += n_more;
	}
	sources = MemoryContextAlloc(TopMemoryContext, sizeof(Oid) * Max(n_most, 1));
	*n_sources = 0;
	foreach(lc, members)
		add_sources(sources, n_sources, lfirst(lc));
	return sources;
}

XLogRecPtr
aw_engine_pass(AwBatch *batch, XLogRecPtr read_lsn)
{
	AwPass		pass = {batch, read_lsn, !XLogRecPtrIsInvalid(save_lsn), GetCurrentTimestamp()};
	bool		has_let_go;
	XLogRecPtr	done_lsn;
	ListCell   *lc;

	if (membership.must_read_catalog)
		read_catalog();
	membership.must_read_catalog = false;
	membership.reread_lsn = InvalidXLogRecPtr;
	has_let_go = give_up_excessive();
	if (batch != NULL)
		aw_crash_at("decode");
	foreach(lc, members)
		aw_member_pass(lfirst(lc), &pass);
	if (read_lsn >= save_lsn && XLogRecPtrIsInvalid(membership.reread_lsn))
		save_lsn = InvalidXLogRecPtr;
	if (batch != NULL)
		aw_crash_at("confirm");
	done_lsn = least_position(read_lsn);

	/* A slot that was held back learns only by reading again what it need not keep. */
	if (has_let_go && done_lsn < read_lsn &&
		(XLogRecPtrIsInvalid(membership.reread_lsn) || done_lsn < membership.reread_lsn))
		membership.reread_lsn = done_lsn;
	return done_lsn;
}

void
aw_engine_stop(void)
{
	ListCell   *lc;

	foreach(lc, members)
		aw_member_save(lfirst(lc));
}

/* Brings the members up to what the catalog has. */
static void
read_catalog(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *entries = NIL;
	List	   *listed = NIL;
	ListCell   *lc;

	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	if (OidIsValid(aw_catalog_schema(true)))
	{
		aw_catalog_delete_dropped();
		entries = aw_catalog_read();

		/* Queries of another are another worker's; from here on this one stays. */
		if (get_extension_oid("apply_watermark", true) != own_extension)
			entries = NIL;
	}
	MemoryContextSwitchTo(caller);
	foreach(lc, entries)
	{
		const AwEntry *entry = lfirst(lc);
		AwMember   *member = find_member(entry);

		if (member == NULL)
		{
			MemoryContextSwitchTo(TopMemoryContext);
			member = aw_member_create(entry, &membership);
			members = lappend(members, member);
			MemoryContextSwitchTo(caller);
		}
		else
			aw_member_update(member, entry);
		listed = lappend(listed, member);
	}
	PopActiveSnapshot();
	CommitTransactionCommand();
	MemoryContextSwitchTo(caller);
	drop_all_but(listed);
}

/* The member of an entry, NULL if there is none. */
static AwMember *
find_member(const AwEntry *entry)
{
	ListCell   *lc;

	foreach(lc, members)
	{
		AwMember   *member = lfirst(lc);

		if (aw_member_is_of(member, entry))
			return member;
	}
	return NULL;
}

static void
drop_all_but(const List *listed)
{
	ListCell   *lc;

	foreach(lc, members)
	{
		AwMember   *member = lfirst(lc);

		if (list_member_ptr(listed, member))
			continue;
		members = foreach_delete_current(members, lc);
		aw_member_drop(member);
	}
}

/* Adds the tables that a member needs rows of, each once, where there is room. */
static void
add_sources(Oid *sources, int *n_sources, const AwMember *member)
{
	int			n_more;
	const Oid  *more = aw_member_sources(member, &n_more);

	for (int i = 0; i < n_more; i++)
	{
		bool		is_there = false;

		for (int j = 0; j < *n_sources; j++)
			is_there |= sources[j] == more[i];
		if (!is_there)
			sources[(*n_sources)++] = more[i];
	}
}

/* Gives up queries that stand and for which too much is kept; are there any? */
static bool
give_up_excessive(void)
{
	bool		has_given_up = false;
	ListCell   *lc;

	foreach(lc, members)
		has_given_up |= aw_member_give_up_excess(lfirst(lc));
	return has_given_up;
}

/* What need not be read again: all before the least position that was written. */
static XLogRecPtr
least_position(XLogRecPtr read_lsn)
{
	XLogRecPtr	least = read_lsn;
	ListCell   *lc;

	foreach(lc, members)
	{
		XLogRecPtr	held_lsn = aw_member_held_lsn(lfirst(lc));

		if (!XLogRecPtrIsInvalid(held_lsn))
			least = Min(least, held_lsn);
	}
	return least;
}
