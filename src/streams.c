/*
 * streams.c
 *
 * The watermark of a continuous query is the least of those of its streams: none is
 * waited for that is idle, and one that had no row yet holds it back.  It never falls.
 *
 * A stream is idle when no row of it has been committed for idle_timeout, up to a time
 * before which all commits have been read: what the engine has not read yet is no
 * silence.  With its next row it comes back, and counts again when its watermark has
 * come as far as that of the query, which it would only hold where it is before.  Where
 * all are idle, the greatest of their watermarks counts.
 *
 * Streams whose watermark is defined above their union have one in common: a clock.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "catalog.h"
#include "query.h"
#include "streams.h"
#include "timeline.h"

/* The watermark of one or several streams. */
typedef struct Clock
{
	AwWatermark watermark;
	TimestampTz last_row_at;	/* when its last row was committed, or loading began */
	TimestampTz idle_since;		/* 0: it is not */
	bool		is_back;		/* had a row since, and is idle until it has caught up */

	/* while rows are taken in */
	AwTimeline *timeline;
	AwMover		mover;			/* ordinal -1: none */
} Clock;

struct AwStreams
{
	const AwQuery *query;
	int64		idle_timeout_us;	/* 0: none is ever idle */
	int			n_clocks;
	Clock	   *clocks;
	AwWatermark watermark;		/* of the query, before what is taken in */
};

typedef AwWatermark (*Reading) (const Clock *clock, int64 ordinal);

static Clock *clock_of(const AwStreams *streams, int stream);
static void note_rows(Clock *clock, const AwInput *input);
static AwWatermark least(const AwStreams *streams, Reading reading, int64 ordinal);
static bool has_caught_up(const AwStreams *streams, const Clock *clock,
						  const AwWatermark *watermark);
static AwWatermark read_before(const Clock *clock, int64 ordinal);
static AwWatermark read_now(const Clock *clock, int64 ordinal);
static bool is_silent(const AwStreams *streams, const Clock *clock, TimestampTz seen_until);

/* The streams of a query as they were written, in the current memory context. */
AwStreams *
aw_streams_create(const AwQuery *query, int64 idle_timeout_us, const AwStreamProgress *progress)
{
	AwStreams  *streams = palloc0(sizeof(AwStreams));
	TimestampTz now = GetCurrentTimestamp();

	streams->query = query;
	streams->idle_timeout_us = idle_timeout_us;
	for (int i = 0; i < query->n_streams; i++)
		streams->n_clocks = Max(streams->n_clocks, query->streams[i].watermark + 1);
	streams->clocks = palloc0(sizeof(Clock) * streams->n_clocks);
	for (int i = 0; i < query->n_streams; i++)
	{
		Clock	   *clock = clock_of(streams, i);

		clock->watermark = progress[i].watermark;
		clock->idle_since = progress[i].idle_since;
		clock->last_row_at = now;
	}
	return streams;
}

/* Begins to take in rows when the query's watermark stands there: an input for each stream. */
void
aw_streams_begin(AwStreams *streams, const AwWatermark *watermark, bool is_on_event,
				 AwInput *const *inputs)
{
	streams->watermark = *watermark;
	for (int i = 0; i < streams->n_clocks; i++)
		streams->clocks[i].timeline = NULL;
	for (int i = 0; i < streams->query->n_streams; i++)
	{
		Clock	   *clock = clock_of(streams, i);
		const AwInput *input = inputs[i];

		if (clock->timeline == NULL)
			clock->timeline = aw_timeline_create(&clock->watermark,
												 is_on_event && !input->is_history,
												 input->transaction_ends, input->n_transactions);
		if (input->n_rows > 0)
			note_rows(clock, input);
	}
}

/* Adds the strategy of a row of a stream, which must be finite. */
void
aw_streams_add(AwStreams *streams, int stream, int64 ordinal, int64 strategy_us)
{
	aw_timeline_add(clock_of(streams, stream)->timeline, ordinal, stream, strategy_us);
}

/* Ends the adding of strategies. */
void
aw_streams_finish(AwStreams *streams)
{
	for (int i = 0; i < streams->n_clocks; i++)
		aw_timeline_finish(streams->clocks[i].timeline);
}

/* The watermark of the query when a row comes. */
AwWatermark
aw_streams_before(AwStreams *streams, int64 ordinal)
{
	if (streams->n_clocks == 1)
		return aw_timeline_before(streams->clocks[0].timeline, ordinal);
	return least(streams, read_before, ordinal);
}

/* Moves all watermarks to where they stand after the rows; that of the query. */
AwWatermark
aw_streams_end(AwStreams *streams)
{
	for (int i = 0; i < streams->n_clocks; i++)
	{
		Clock	   *clock = &streams->clocks[i];

		clock->watermark = aw_timeline_end(clock->timeline, &clock->mover.ordinal,
										   &clock->mover.stream);
		clock->timeline = NULL;
		if (has_caught_up(streams, clock, &clock->watermark))
		{
			clock->idle_since = 0;
			clock->is_back = false;
		}
	}
	return least(streams, read_now, 0);
}

/* Where the watermark of a stream stands. */
AwWatermark
aw_streams_watermark(const AwStreams *streams, int stream, TimestampTz *idle_since)
{
	const Clock *clock = clock_of(streams, stream);

	*idle_since = clock->idle_since;
	return clock->watermark;
}

/* Has its watermark moved with the rows taken in last? */
bool
aw_streams_is_moved(const AwStreams *streams, int stream, AwMover *mover)
{
	*mover = clock_of(streams, stream)->mover;
	return mover->ordinal >= 0;
}

/* Is one of the streams idle, and not known to be? */
bool
aw_streams_are_idle(const AwStreams *streams, TimestampTz seen_until)
{
	for (int i = 0; i < streams->n_clocks; i++)
	{
		if (is_silent(streams, &streams->clocks[i], seen_until))
			return true;
	}
	return false;
}

/* Counts streams as idle that are; what that makes of the watermark of the query. */
AwWatermark
aw_streams_set_idle(AwStreams *streams, TimestampTz seen_until, const AwWatermark *watermark)
{
	for (int i = 0; i < streams->n_clocks; i++)
	{
		if (is_silent(streams, &streams->clocks[i], seen_until))
			streams->clocks[i].idle_since = seen_until;
	}
	streams->watermark = *watermark;
	return least(streams, read_now, 0);
}

static Clock *
clock_of(const AwStreams *streams, int stream)
{
	return &streams->clocks[streams->query->streams[stream].watermark];
}

/* An idle stream with rows comes back. */
static void
note_rows(Clock *clock, const AwInput *input)
{
	TimestampTz committed_at = input->commit_times[input->n_transactions - 1];

	clock->is_back = clock->idle_since != 0;
	clock->last_row_at = Max(clock->last_row_at, committed_at);
}

/* The least watermark of streams that are not idle, but never less than before. */
static AwWatermark
least(const AwStreams *streams, Reading reading, int64 ordinal)
{
	AwWatermark watermark = streams->watermark;
	AwWatermark least = {0};
	bool		has_active = false;

	for (int i = 0; i < streams->n_clocks; i++)
	{
		AwWatermark one = reading(&streams->clocks[i], ordinal);

		if (streams->clocks[i].idle_since != 0 &&
			!has_caught_up(streams, &streams->clocks[i], &one))
			continue;
		if (!one.is_set)
			return watermark;
		if (!has_active || one.time_us < least.time_us)
			least = one;
		has_active = true;
	}
	for (int i = 0; i < streams->n_clocks && !has_active; i++)
	{
		AwWatermark one = reading(&streams->clocks[i], ordinal);

		if (one.is_set)
			aw_watermark_advance(&least, one.time_us);
	}
	if (least.is_set)
		aw_watermark_advance(&watermark, least.time_us);
	return watermark;
}

/* Has a stream that was idle come back, with a watermark that does not hold that of the query? */
static bool
has_caught_up(const AwStreams *streams, const Clock *clock, const AwWatermark *watermark)
{
	return clock->is_back && watermark->is_set &&
		(!streams->watermark.is_set || watermark->time_us >= streams->watermark.time_us);
}

static AwWatermark
read_before(const Clock *clock, int64 ordinal)
{
	return aw_timeline_before(clock->timeline, ordinal);
}

static AwWatermark
read_now(const Clock *clock, int64 ordinal)
{
	(void) ordinal;
	return clock->watermark;
}

/* Has no row come for so long that it is idle, and is that new? */
static bool
is_silent(const AwStreams *streams, const Clock *clock, TimestampTz seen_until)
{
	return streams->idle_timeout_us > 0 && clock->idle_since == 0 &&
		seen_until - clock->last_row_at >= streams->idle_timeout_us;
}
