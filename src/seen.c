/*
 * seen.c
 *
 * Which transactions were over, with their rows visible, when a snapshot was taken.
 * As a text it is PostgreSQL's pg_snapshot: xmin:xmax:xip, xip.  Transaction numbers
 * are compared as they are in the WAL, so the set is good for as long as two thousand
 * million transactions may be.
 */
#include "postgres.h"

#include "access/transam.h"
#include "lib/stringinfo.h"

#include "seen.h"

struct AwSeen
{
	TransactionId xmin;			/* all before were over */
	TransactionId xmax;			/* none from here on was */
	uint32		n_running;
	TransactionId running[FLEXIBLE_ARRAY_MEMBER];
};

static TransactionId read_number(const char **text, char end);

AwSeen *
aw_seen_of_snapshot(Snapshot snapshot)
{
	AwSeen	   *seen = palloc(offsetof(AwSeen, running) + sizeof(TransactionId) * snapshot->xcnt);

	Assert(!snapshot->takenDuringRecovery);
	seen->xmin = snapshot->xmin;
	seen->xmax = snapshot->xmax;
	seen->n_running = snapshot->xcnt;
	memcpy(seen->running, snapshot->xip, sizeof(TransactionId) * snapshot->xcnt);
	return seen;
}

/* From what aw_seen_text() made. */
AwSeen *
aw_seen_parse(const char *text)
{
	AwSeen	   *seen = palloc0(offsetof(AwSeen, running) + sizeof(TransactionId) * strlen(text));

	seen->xmin = read_number(&text, ':');
	seen->xmax = read_number(&text, ':');
	while (*text != '\0')
		seen->running[seen->n_running++] = read_number(&text, ',');
	return seen;
}

char *
aw_seen_text(const AwSeen *seen)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "%u:%u:", seen->xmin, seen->xmax);
	for (uint32 i = 0; i < seen->n_running; i++)
		appendStringInfo(&text, "%s%u", i > 0 ? "," : "", seen->running[i]);
	return text.data;
}

/* Were the rows of a top-level transaction that has committed visible? */
bool
aw_seen_contains(const AwSeen *seen, TransactionId xid)
{
	if (TransactionIdPrecedes(xid, seen->xmin))
		return true;
	if (TransactionIdFollowsOrEquals(xid, seen->xmax))
		return false;
	for (uint32 i = 0; i < seen->n_running; i++)
	{
		if (seen->running[i] == xid)
			return false;
	}
	return true;
}

/* The number at the text, which moves behind the mark that ends it. */
static TransactionId
read_number(const char **text, char end)
{
	char	   *behind;
	unsigned long number = strtoul(*text, &behind, 10);

	if (behind == *text || (*behind != end && *behind != '\0'))
		elog(ERROR, "not a snapshot: \"%s\"", *text);
	*text = *behind == end ? behind + 1 : behind;
	return (TransactionId) number;
}
