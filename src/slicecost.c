/*
 * slicecost.c
 *
 * What the slice node costs, and how many rows come out of it, from the statistics of
 * the rowtime and the keys.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/prep.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"

#include "slicecost.h"

/* About what a slice costs in memory beside its groups. */
#define SLICE_BYTES		200

/* What the statistics tell about the input's time. */
typedef struct TimeStatistics
{
	bool		is_known;		/* there are some */
	double		n_slices;
	double		correlation;	/* 0 to 1 */
} TimeStatistics;

static double bytes_of_groups(AwSliceQuery *query, Path *child, double groups);
static TimeStatistics time_statistics(AwSliceQuery *query, double rows);
static double range_of_histogram(const AttStatsSlot *slot);
static double rows_of_windows(AwSliceQuery *query, double rows, double n_slices);
static double windows(AwSliceQuery *query, double rows, double n_slices);
static double groups_in_slices(AwSliceQuery *query, double rows, double n_slices);
static double number_of_keys(AwSliceQuery *query, double rows);

/*
 * Costs as those of an Agg node, but that a row is put into a small table that is
 * in the cache, by its keys alone; into another for each row if rows are in no
 * order.  What does not fit into memory is written and read.
 */
void
aw_slicecost_set(AwSliceQuery *query, CustomPath *path, Path *child)
{
	double		rows = clamp_row_est(child->rows);
	TimeStatistics time = time_statistics(query, rows);
	double		groups = groups_in_slices(query, rows, time.n_slices);
	double		bytes = bytes_of_groups(query, child, groups) + SLICE_BYTES * time.n_slices;
	double		rows_out = time.is_known ? rows_of_windows(query, rows, time.n_slices) :
		query->rival_rows;
	AggClauseCosts costs = {0};
	QualCost	keys;
	Cost		per_row;
	Cost		per_row_out;
	Cost		startup;
	Cost		total;

	get_agg_clause_costs(query->root, AGGSPLIT_SIMPLE, &costs);
	per_row = costs.transCost.per_tuple + cpu_operator_cost * (list_length(query->keys) + 1);
	per_row += cpu_operator_cost * 2 * (1 - time.correlation);
	/* The costs of aggregates are with those of their arguments, those of a child with all. */
	cost_qual_eval(&keys, query->spec.inputs != NIL ? query->keys : NIL, query->root);
	startup = child->total_cost + costs.transCost.startup + costs.finalCost.startup +
		keys.startup + (per_row + keys.per_tuple) * rows;
	if (bytes > get_hash_memory_limit())
		startup += 2 * seq_page_cost * bytes / BLCKSZ + 4 * cpu_operator_cost * groups;
	if (query->rtindex != 0)
		startup += 2 * cpu_operator_cost * groups * (query->n_aggregates + 1);

	per_row_out = costs.finalCost.per_tuple +
		(query->rtindex != 0 ? cpu_operator_cost * query->n_aggregates : 0);
	total = startup + per_row_out * rows_out;
	if (query->spec.rank_limit > 0)
	{
		total += cpu_operator_cost * rows_out;
		rows_out = Min(rows_out, query->spec.rank_limit * windows(query, rows, time.n_slices));
	}

	/* What is above must not cost more because we know more of the windows. */
	path->path.rows = Min(rows_out, query->rival_rows);
	path->path.startup_cost = startup;
	path->path.total_cost = total + cpu_tuple_cost * rows_out;
}

/* Do the slices of a window fit into memory by far? */
bool
aw_slicecost_is_small_window(AwSliceQuery *query, Path *child)
{
	const AwWindow *window = &query->spec.window;
	double		rows = clamp_row_est(child->rows);
	TimeStatistics time = time_statistics(query, rows);
	double		groups = groups_in_slices(query, rows, time.n_slices);
	double		slices = (double) window->size_us / window->slice_us;

	groups *= Min(slices / time.n_slices, 1);
	return time.is_known &&
		bytes_of_groups(query, child, groups) < get_hash_memory_limit() / 4.0;
}

static double
bytes_of_groups(AwSliceQuery *query, Path *child, double groups)
{
	return groups * (64 + child->pathtarget->width + 16 * query->n_aggregates);
}

/*
 * How many slices the time of the input spans, and how well rows are in its order,
 * by the statistics of its column.  Without any, rows are taken to come in order,
 * and to fill no more than a thousand slices, unless these are short.
 */
static TimeStatistics
time_statistics(AwSliceQuery *query, double rows)
{
	int64		slice_us = query->spec.window.slice_us;
	TimeStatistics result = {.correlation = 1};
	VariableStatData column;
	AttStatsSlot slot;

	result.n_slices = (slice_us < USECS_PER_MINUTE) ? rows : Min(rows, 1000);
	examine_variable(query->root, query->time, 0, &column);
	if (HeapTupleIsValid(column.statsTuple) &&
		(column.atttype == TIMESTAMPOID || column.atttype == TIMESTAMPTZOID))
	{
		if (get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
							 ATTSTATSSLOT_VALUES))
		{
			result.is_known = true;
			result.n_slices = Min(rows, range_of_histogram(&slot) / slice_us + 1);
			free_attstatsslot(&slot);
		}
		if (get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND_CORRELATION, InvalidOid,
							 ATTSTATSSLOT_NUMBERS))
		{
			if (slot.nnumbers > 0)
				result.correlation = fabs(slot.numbers[0]);
			free_attstatsslot(&slot);
		}
	}
	ReleaseVariableStats(column);
	return result;
}

/* Microseconds from the first to the last time that is not infinite. */
static double
range_of_histogram(const AttStatsSlot *slot)
{
	int			first = 0;
	int			last = slot->nvalues - 1;

	while (first < last && TIMESTAMP_NOT_FINITE(DatumGetTimestamp(slot->values[first])))
		first++;
	while (first < last && TIMESTAMP_NOT_FINITE(DatumGetTimestamp(slot->values[last])))
		last--;
	return (double) DatumGetTimestamp(slot->values[last]) -
		(double) DatumGetTimestamp(slot->values[first]);
}

/* How many rows come out: at most one for each key and window, and each row and its windows. */
static double
rows_of_windows(AwSliceQuery *query, double rows, double n_slices)
{
	double		keys = number_of_keys(query, rows);
	double		per_row = (double) aw_window_max_per_row(&query->spec.window);

	return clamp_row_est(Min(rows * per_row, keys * windows(query, rows, n_slices)) *
						 clauselist_selectivity(query->root, query->spec.quals, 0, JOIN_INNER,
												NULL));
}

/* How many windows there are. */
static double
windows(AwSliceQuery *query, double rows, double n_slices)
{
	const AwWindow *window = &query->spec.window;
	double		per_row = (double) aw_window_max_per_row(window);

	if (window->kind == AW_KIND_TUMBLE)
		return n_slices;
	return Min(rows * per_row, n_slices * window->slice_us / window->step_us + per_row);
}

/* At most one group for each row, and for each key in each slice. */
static double
groups_in_slices(AwSliceQuery *query, double rows, double n_slices)
{
	return Min(rows, number_of_keys(query, rows) * n_slices);
}

static double
number_of_keys(AwSliceQuery *query, double rows)
{
	return query->keys == NIL ? 1 :
		estimate_num_groups(query->root, query->keys, rows, NULL, NULL);
}
