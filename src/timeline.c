/*
 * timeline.c
 *
 * The watermark before each row of a batch.  Rows have ordinals, in the order in
 * which they arrived; those of a transaction arrive at one instant, so that the
 * watermark moves at its end, unless it moves on every event.
 *
 * Strategies are added in any order; aw_timeline_finish() ends that, and before it
 * nothing can be asked.  A look-up costs a comparison or two where ordinals rise, and
 * else a binary search.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "timeline.h"

/* The watermark that stands from a row on, and the row that moved it there. */
typedef struct Step
{
	int64		ordinal;
	int64		moved_by;
	int			stream;			/* of that row */
	int64		time_us;
} Step;

struct AwTimeline
{
	AwWatermark start;
	bool		is_on_event;
	const int64 *ends;			/* of transactions, exclusive */
	int			n_ends;
	int			transaction;	/* of the row added last */
	bool		is_sorted;
	Step	   *steps;
	int64		n_steps;
	int64		n_allocated;
	int64		place;			/* steps that stood at the row asked for last */
};

static int64 effective_ordinal(AwTimeline *timeline, int64 ordinal);
static int	compare_steps(const void *a, const void *b);

/*
 * A timeline that begins with a watermark, in the current memory context.  Each row
 * is in one of the transactions, whose ordinals rise.
 */
AwTimeline *
aw_timeline_create(const AwWatermark *start, bool is_on_event, const int64 *transaction_ends,
				   int n_transactions)
{
	AwTimeline *timeline = palloc0(sizeof(AwTimeline));

	timeline->start = *start;
	timeline->is_on_event = is_on_event;
	timeline->ends = transaction_ends;
	timeline->n_ends = n_transactions;
	timeline->is_sorted = true;
	timeline->n_allocated = 64;
	timeline->steps = palloc(sizeof(Step) * timeline->n_allocated);
	return timeline;
}

/* Adds the strategy of a row of a stream, which must be finite. */
void
aw_timeline_add(AwTimeline *timeline, int64 ordinal, int stream, int64 strategy_us)
{
	Step	   *last = timeline->n_steps > 0 ? &timeline->steps[timeline->n_steps - 1] : NULL;
	int64		effective;

	if (timeline->start.is_set && strategy_us <= timeline->start.time_us)
		return;

	effective = effective_ordinal(timeline, ordinal);
	if (last != NULL && last->ordinal == effective)
	{
		if (strategy_us > last->time_us)
		{
			last->time_us = strategy_us;
			last->moved_by = ordinal;
			last->stream = stream;
		}
		return;
	}
	if (last != NULL && last->ordinal < effective && timeline->is_sorted &&
		last->time_us >= strategy_us)
		return;

	if (last != NULL && last->ordinal > effective)
		timeline->is_sorted = false;
	if (timeline->n_steps == timeline->n_allocated)
	{
		timeline->n_allocated *= 2;
		timeline->steps = repalloc_huge(timeline->steps, sizeof(Step) * timeline->n_allocated);
	}
	timeline->steps[timeline->n_steps].ordinal = effective;
	timeline->steps[timeline->n_steps].moved_by = ordinal;
	timeline->steps[timeline->n_steps].stream = stream;
	timeline->steps[timeline->n_steps++].time_us = strategy_us;
}

/* Ends the adding of strategies. */
void
aw_timeline_finish(AwTimeline *timeline)
{
	int64		n_kept = 0;

	if (!timeline->is_sorted)
		qsort(timeline->steps, timeline->n_steps, sizeof(Step), compare_steps);

	/* Only what is greater than all before is a step. */
	for (int64 i = 0; i < timeline->n_steps; i++)
	{
		if (n_kept > 0 && timeline->steps[i].time_us <= timeline->steps[n_kept - 1].time_us)
			continue;
		timeline->steps[n_kept++] = timeline->steps[i];
	}
	timeline->n_steps = n_kept;
}

/* The watermark that stands when a row comes. */
AwWatermark
aw_timeline_before(AwTimeline *timeline, int64 ordinal)
{
	const Step *steps = timeline->steps;
	int64		place = timeline->place;
	AwWatermark watermark = timeline->start;

	if (place > 0 && steps[place - 1].ordinal > ordinal)
	{
		int64		end = place - 1;

		for (place = 0; place < end;)
		{
			int64		middle = place + (end - place) / 2;

			if (steps[middle].ordinal <= ordinal)
				place = middle + 1;
			else
				end = middle;
		}
	}
	while (place < timeline->n_steps && steps[place].ordinal <= ordinal)
		place++;

	timeline->place = place;
	if (place > 0)
		aw_watermark_advance(&watermark, steps[place - 1].time_us);
	return watermark;
}

/* The watermark after all rows; the ordinal of the row that moved it, -1 if it stayed, and its stream. */
AwWatermark
aw_timeline_end(const AwTimeline *timeline, int64 *moved_by, int *stream)
{
	AwWatermark watermark = timeline->start;

	*moved_by = -1;
	if (timeline->n_steps > 0)
	{
		const Step *last = &timeline->steps[timeline->n_steps - 1];

		aw_watermark_advance(&watermark, last->time_us);
		*moved_by = last->moved_by;
		*stream = last->stream;
	}
	return watermark;
}

/* The first ordinal whose row meets a watermark that this row has moved. */
static int64
effective_ordinal(AwTimeline *timeline, int64 ordinal)
{
	int			transaction = timeline->transaction;

	if (timeline->is_on_event)
		return ordinal + 1;

	if (transaction > 0 && timeline->ends[transaction - 1] > ordinal)
		transaction = 0;
	while (transaction < timeline->n_ends && timeline->ends[transaction] <= ordinal)
		transaction++;
	Assert(transaction < timeline->n_ends);
	timeline->transaction = transaction;
	return timeline->ends[transaction];
}

/* The greater time last, so that it is a step. */
static int
compare_steps(const void *a, const void *b)
{
	const Step *left = a;
	const Step *right = b;

	if (left->ordinal != right->ordinal)
		return left->ordinal < right->ordinal ? -1 : 1;
	return (left->time_us > right->time_us) - (left->time_us < right->time_us);
}
