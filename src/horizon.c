/*
 * horizon.c
 *
 * Which rows of an input are further in the future than a query allows: further ahead
 * of the commit of their transaction, or of now where that is unknown, as it is of a
 * history.  So a row that is read again after a crash is judged as it was before.
 *
 * Rowtimes without a zone are compared on the clock of the session's time zone.
 */
#include "postgres.h"

#include "common/int.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "horizon.h"
#include "input.h"

struct AwHorizon
{
	const AwInput *input;
	int64		max_future_us;
	bool		is_zoned;
	TimestampTz now;
	TimestampTz committed_at;	/* of the last row asked for; 0: none */
	Timestamp	last;			/* latest rowtime of its transaction */
};

static Timestamp last_rowtime(const AwHorizon *horizon, TimestampTz committed_at);

/*
 * That of an input, in the current memory context; NULL if there is none, which
 * max_future_us = 0 says.
 */
AwHorizon *
aw_horizon_create(const AwInput *input, int64 max_future_us, bool is_zoned)
{
	AwHorizon  *horizon;

	if (max_future_us == 0)
		return NULL;
	horizon = palloc0(sizeof(AwHorizon));
	horizon->input = input;
	horizon->max_future_us = max_future_us;
	horizon->is_zoned = is_zoned;
	horizon->now = GetCurrentTimestamp();
	return horizon;
}

/* Is a row beyond the horizon?  Not if there is none. */
bool
aw_horizon_is_passed(AwHorizon *horizon, int64 ordinal, Timestamp rowtime)
{
	TimestampTz committed_at;

	if (horizon == NULL)
		return false;
	committed_at = aw_input_commit_time(horizon->input, ordinal);
	if (committed_at == 0)
		committed_at = horizon->now;
	if (committed_at != horizon->committed_at)
	{
		horizon->last = last_rowtime(horizon, committed_at);
		horizon->committed_at = committed_at;
	}
	return rowtime > horizon->last;
}

/* The latest rowtime that rows may have which are committed at a time. */
static Timestamp
last_rowtime(const AwHorizon *horizon, TimestampTz committed_at)
{
	int64		base = committed_at;
	Timestamp	last;

	if (!horizon->is_zoned)
		base = DatumGetTimestamp(DirectFunctionCall1(timestamptz_timestamp,
													 TimestampTzGetDatum(committed_at)));
	return pg_add_s64_overflow(base, horizon->max_future_us, &last) ? DT_NOEND : last;
}
