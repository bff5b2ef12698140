/*
 * aggstate.c
 *
 * Aggregates outside of an Agg node: the states of a group are one block of memory.
 * Aggregates with equal transitions share a state, as the planner has numbered them.
 *
 * count, sum, avg, min and max of integers and times, and count(DISTINCT) of many
 * types, have states of our own, see aggown.c; the others are those of PostgreSQL's
 * functions, see aggtransition.c.
 *
 * Callers check that each aggregate can be combined, and serialized if its state is
 * of type internal.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "aggtransition.h"

static void add_call(AwAggregates *aggregates, const AwAggregateCall *call);
static void merge_own(const AwTransition *transition, char *state, const char *other);

/* Makes aggregates ready, in the current memory context; checks the right to call them. */
AwAggregates *
aw_aggstate_create(const AwAggregateCall *calls, int n_calls)
{
	AwAggregates *aggregates = palloc0(sizeof(AwAggregates));

	aggregates->transitions = palloc0(sizeof(AwTransition) * Max(n_calls, 1));
	aggregates->results = palloc0(sizeof(AwOutcome) * Max(n_calls, 1));
	aggregates->scratch = AllocSetContextCreate(CurrentMemoryContext, "aggregate calls",
												ALLOCSET_DEFAULT_SIZES);

	aggregates->state_cxt = makeNode(ExprContext);
	aggregates->context = makeNode(AggState);
	aggregates->context->curaggcontext = aggregates->state_cxt;
	aggregates->context->tmpcontext = makeNode(ExprContext);
	aggregates->context->tmpcontext->ecxt_per_tuple_memory = aggregates->scratch;

	for (int i = 0; i < n_calls; i++)
		add_call(aggregates, &calls[i]);
	return aggregates;
}

/* Size of a block of states, a multiple of the widest alignment. */
Size
aw_aggstate_size(const AwAggregates *aggregates)
{
	return aggregates->size;
}

/* Can all states be retracted? */
bool
aw_aggstate_can_retract(const AwAggregates *aggregates)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		AwStateKind	kind = aggregates->transitions[i].kind;

		if (kind == AW_STATE_GENERAL || kind == AW_STATE_MIN || kind == AW_STATE_MAX)
			return false;
	}
	return true;
}

/* May merged states take as much memory as all that they are merged from? */
bool
aw_aggstate_may_grow(const AwAggregates *aggregates)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		if (aggregates->transitions[i].kind == AW_STATE_DISTINCT)
			return true;
	}
	return false;
}

/* Fills a block with the states before the first row. */
void
aw_aggstate_begin(const AwAggregates *aggregates, char *states, MemoryContext cxt)
{
	memset(states, 0, aggregates->size);
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		const AwTransition *transition = &aggregates->transitions[i];
		AwGeneralState *state = (AwGeneralState *) (states + transition->offset);
		MemoryContext caller;

		if (transition->kind != AW_STATE_GENERAL)
			continue;

		state->isnull = transition->initial_isnull;
		state->has_no_value = transition->initial_isnull;
		if (state->isnull)
			continue;
		caller = MemoryContextSwitchTo(cxt);
		state->value = datumCopy(transition->initial, transition->is_by_value, transition->len);
		MemoryContextSwitchTo(caller);
	}
}

/* Adds a row to the states of its group. */
void
aw_aggstate_add_row(AwAggregates *aggregates, char *states, MemoryContext cxt,
					const Datum *values, const bool *nulls)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		AwTransition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;
		int			column = transition->first_column;
		int			filter = transition->filter_column;
		int64		value;

		if (filter >= 0 && (nulls[filter] || !DatumGetBool(values[filter])))
			continue;

		if (transition->kind == AW_STATE_COUNT_ROWS)
		{
			(*(int64 *) state)++;
			continue;
		}
		if (transition->kind == AW_STATE_GENERAL)
		{
			aggregates->state_cxt->ecxt_per_tuple_memory = cxt;
			aw_aggtransition_add(aggregates, transition, (AwGeneralState *) state,
						&values[column], &nulls[column]);
			continue;
		}

		if (nulls[column])
			continue;
		if (transition->kind == AW_STATE_DISTINCT)
		{
			aw_aggown_add_distinct(aggregates, transition, (AwDistinctSet **) state, cxt, values[column]);
			continue;
		}
		value = aw_aggown_integer(values[column], transition->width);
		if (transition->kind == AW_STATE_COUNT_VALUES)
			(*(int64 *) state)++;
		else if (transition->kind == AW_STATE_SUM)
		{
			((AwSumState *) state)->sum += value;
			((AwSumState *) state)->n++;
		}
		else if (transition->kind == AW_STATE_BIG_SUM)
		{
			((AwBigSumState *) state)->sum += value;
			((AwBigSumState *) state)->n++;
		}
		else
		{
			AwExtremeState *extreme = (AwExtremeState *) state;

			if (extreme->n == 0 ||
				(transition->kind == AW_STATE_MIN ? value < extreme->value : value > extreme->value))
				extreme->value = value;
			extreme->n = 1;
		}
	}
}

/* Merges other states, of later rows, into states; the others stay as they are. */
void
aw_aggstate_merge(AwAggregates *aggregates, char *states, MemoryContext cxt, const char *others)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		AwTransition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;
		const char *other = others + transition->offset;

		if (transition->kind == AW_STATE_DISTINCT)
		{
			aw_aggown_merge_distinct(transition, (AwDistinctSet **) state, cxt,
						   *(AwDistinctSet *const *) other);
			continue;
		}
		if (transition->kind != AW_STATE_GENERAL)
		{
			merge_own(transition, state, other);
			continue;
		}
		aggregates->state_cxt->ecxt_per_tuple_memory = cxt;
		aw_aggtransition_merge(aggregates, transition, (AwGeneralState *) state,
					  (const AwGeneralState *) other);
	}
}

/* Takes states out that were merged before; only where aw_aggstate_can_retract(). */
void
aw_aggstate_retract(const AwAggregates *aggregates, char *states, const char *others)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		const AwTransition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;
		const char *other = others + transition->offset;

		if (transition->kind == AW_STATE_DISTINCT)
		{
			if (*(AwDistinctSet *const *) other != NULL)
				aw_distinctset_retract(*(AwDistinctSet **) state, *(AwDistinctSet *const *) other);
		}
		else if (transition->kind == AW_STATE_SUM)
		{
			((AwSumState *) state)->sum -= ((const AwSumState *) other)->sum;
			((AwSumState *) state)->n -= ((const AwSumState *) other)->n;
		}
		else if (transition->kind == AW_STATE_BIG_SUM)
		{
			((AwBigSumState *) state)->sum -= ((const AwBigSumState *) other)->sum;
			((AwBigSumState *) state)->n -= ((const AwBigSumState *) other)->n;
		}
		else
			*(int64 *) state -= *(const int64 *) other;
	}
}

/*
 * The results of all aggregates, in the order in which they were given, in the
 * current memory context.  States can be used again afterwards.
 */
void
aw_aggstate_results(AwAggregates *aggregates, char *states, Datum *values, bool *nulls)
{
	for (int i = 0; i < aggregates->n_results; i++)
		values[i] = aw_aggstate_result(aggregates, i, states, &nulls[i]);
}

/* The result of one aggregate, by its number. */
Datum
aw_aggstate_result(AwAggregates *aggregates, int number, char *states, bool *isnull)
{
	AwOutcome	   *result = &aggregates->results[number];
	char	   *state = states + result->transition->offset;

	aggregates->state_cxt->ecxt_per_tuple_memory = CurrentMemoryContext;
	if (result->transition->kind == AW_STATE_GENERAL)
		return aw_aggtransition_result(aggregates, result, (AwGeneralState *) state, isnull);
	return aw_aggown_result(result, state, isnull);
}

/* Appends states in a form that aw_aggstate_read() takes, for the same process. */
void
aw_aggstate_write(AwAggregates *aggregates, const char *states, StringInfo buffer)
{
	MemoryContext caller = MemoryContextSwitchTo(aggregates->scratch);

	aggregates->state_cxt->ecxt_per_tuple_memory = aggregates->scratch;
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		AwTransition *transition = &aggregates->transitions[i];
		const char *state = states + transition->offset;

		if (transition->kind == AW_STATE_GENERAL)
			aw_aggtransition_write(aggregates, transition, (const AwGeneralState *) state,
								   buffer);
		else
			aw_aggown_write(transition, state, buffer);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextReset(aggregates->scratch);
}

/* Fills a block from what was written at from; returns the place behind it. */
const char *
aw_aggstate_read(AwAggregates *aggregates, const char *from, char *states, MemoryContext cxt)
{
	MemoryContext caller = MemoryContextSwitchTo(cxt);
	char	   *place = unconstify(char *, from);

	aggregates->state_cxt->ecxt_per_tuple_memory = cxt;
	memset(states, 0, aggregates->size);
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		AwTransition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;

		if (transition->kind == AW_STATE_GENERAL)
			place = aw_aggtransition_read(transition, (AwGeneralState *) state, place);
		else
			place = aw_aggown_read(transition, state, cxt, place);
	}
	MemoryContextSwitchTo(caller);
	return place;
}

static void
add_call(AwAggregates *aggregates, const AwAggregateCall *call)
{
	const Aggref *aggref = call->aggref;
	AwOutcome  *result = &aggregates->results[aggregates->n_results++];
	AwTransition *transition = NULL;

	aw_aggtransition_check(aggref->aggfnoid, GetUserId());
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		if (aggregates->transitions[i].number == aggref->aggtransno)
			transition = &aggregates->transitions[i];
	}
	if (transition == NULL)
	{
		transition = &aggregates->transitions[aggregates->n_transitions++];
		transition->number = aggref->aggtransno;
		transition->n_args = list_length(aggref->args);
		transition->first_column = call->first_column;
		transition->filter_column = call->filter_column;
		aw_aggown_init(transition, aggref);
		transition->offset = aggregates->size;
		aggregates->size += MAXALIGN(aw_aggown_size(transition->kind));
		aw_aggtransition_init(aggregates, transition, aggref);
	}

	result->transition = transition;
	result->kind = aw_aggown_result_kind(aggref);
	aw_aggtransition_init_result(aggregates, result, aggref);
}

static void
merge_own(const AwTransition *transition, char *state, const char *other)
{
	AwExtremeState *extreme = (AwExtremeState *) state;
	const AwExtremeState *rival = (const AwExtremeState *) other;

	switch (transition->kind)
	{
		case AW_STATE_GENERAL:
		case AW_STATE_DISTINCT:
			break;
		case AW_STATE_COUNT_ROWS:
		case AW_STATE_COUNT_VALUES:
			*(int64 *) state += *(const int64 *) other;
			break;
		case AW_STATE_SUM:
			((AwSumState *) state)->sum += ((const AwSumState *) other)->sum;
			((AwSumState *) state)->n += ((const AwSumState *) other)->n;
			break;
		case AW_STATE_BIG_SUM:
			((AwBigSumState *) state)->sum += ((const AwBigSumState *) other)->sum;
			((AwBigSumState *) state)->n += ((const AwBigSumState *) other)->n;
			break;
		case AW_STATE_MIN:
			if (rival->n != 0 && (extreme->n == 0 || rival->value < extreme->value))
				*extreme = *rival;
			break;
		case AW_STATE_MAX:
			if (rival->n != 0 && (extreme->n == 0 || rival->value > extreme->value))
				*extreme = *rival;
			break;
	}
}
