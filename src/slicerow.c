/*
 * slicerow.c
 *
 * Makes the rows of the slice node: window columns, keys and results of aggregates.
 * Where groups are ranked, what decides on their rank is computed for all of them, and
 * the rest only for those that are given out.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "utils/timestamp.h"

#include "slicerow.h"

typedef struct OutputColumn
{
	AwSliceSource source;
	int			number;
	bool		is_ranking;		/* decides which groups are given out */
} OutputColumn;

struct AwSliceRow
{
	int			n_columns;
	OutputColumn *columns;
	AwAggregates *aggregates;
	Datum	   *results;
	bool	   *result_nulls;
};

static void begin_ranking(AwSliceRow *row, const CustomScan *plan, List *rank_exprs);
static Datum window_column(AwSliceSource source, AwSpan span, bool *isnull);

/*
 * Makes rows, and their aggregates, ready in the current memory context.  Aggregates are
 * those of the output columns, numbered in their order.
 */
AwSliceRow *
aw_slicerow_create(const CustomScan *plan, const AwSliceSpec *spec)
{
	AwSliceRow *row = palloc0(sizeof(AwSliceRow));
	int			n_calls = list_length(spec->first_columns);
	AwAggregateCall *calls = palloc0(sizeof(AwAggregateCall) * Max(n_calls, 1));

	row->n_columns = list_length(spec->sources);
	row->columns = palloc0(sizeof(OutputColumn) * Max(row->n_columns, 1));
	for (int i = 0; i < row->n_columns; i++)
	{
		OutputColumn *column = &row->columns[i];

		column->source = (AwSliceSource) list_nth_int(spec->sources, i);
		column->number = list_nth_int(spec->numbers, i);
		if (column->source == AW_SLICE_AGGREGATE)
		{
			AwAggregateCall *call = &calls[column->number];

			call->aggref = castNode(Aggref,
									list_nth_node(TargetEntry, plan->custom_scan_tlist, i)->expr);
			call->first_column = list_nth_int(spec->first_columns, column->number);
			call->filter_column = list_nth_int(spec->filter_columns, column->number);
		}
	}
	row->aggregates = aw_aggstate_create(calls, n_calls);
	row->results = palloc0(sizeof(Datum) * Max(n_calls, 1));
	row->result_nulls = palloc0(sizeof(bool) * Max(n_calls, 1));
	begin_ranking(row, plan, spec->rank_exprs);
	return row;
}

AwAggregates *
aw_slicerow_aggregates(const AwSliceRow *row)
{
	return row->aggregates;
}

/* Is it a column of the window?  Numbers are from 0. */
bool
aw_slicerow_is_of_window(const AwSliceRow *row, int column)
{
	return column >= 0 && column < row->n_columns &&
		row->columns[column].source != AW_SLICE_KEY &&
		row->columns[column].source != AW_SLICE_AGGREGATE;
}

/* Makes a row of a group; what it points to is in the current memory context, or the group's. */
void
aw_slicerow_fill(AwSliceRow *row, const AwGroup *group, AwSpan span, char *states,
				 TupleTableSlot *slot)
{
	aw_aggstate_results(row->aggregates, states, row->results, row->result_nulls);
	for (int i = 0; i < row->n_columns; i++)
	{
		const OutputColumn *column = &row->columns[i];

		switch (column->source)
		{
			case AW_SLICE_KEY:
				slot->tts_values[i] = group->keys[column->number];
				slot->tts_isnull[i] = (group->null_keys >> column->number) & 1;
				break;
			case AW_SLICE_AGGREGATE:
				slot->tts_values[i] = row->results[column->number];
				slot->tts_isnull[i] = row->result_nulls[column->number];
				break;
			case AW_SLICE_START:
			case AW_SLICE_END:
			case AW_SLICE_TIME:
				slot->tts_values[i] = window_column(column->source, span, &slot->tts_isnull[i]);
				break;
		}
	}
	ExecStoreVirtualTuple(slot);
}

/* Makes a row of a group with only what decides on its rank; all else is NULL. */
void
aw_slicerow_fill_ranking(AwSliceRow *row, const AwGroup *group, AwSpan span, char *states,
						 TupleTableSlot *slot)
{
	for (int i = 0; i < row->n_columns; i++)
	{
		const OutputColumn *column = &row->columns[i];
		Datum	   *value = &slot->tts_values[i];
		bool	   *isnull = &slot->tts_isnull[i];

		*isnull = true;
		if (!column->is_ranking)
			continue;
		if (column->source == AW_SLICE_AGGREGATE)
			*value = aw_aggstate_result(row->aggregates, column->number, states, isnull);
		else if (column->source == AW_SLICE_KEY)
		{
			*value = group->keys[column->number];
			*isnull = (group->null_keys >> column->number) & 1;
		}
		else
			*value = window_column(column->source, span, isnull);
	}
	ExecStoreVirtualTuple(slot);
}

/* Makes a row of a window; all other columns are NULL. */
void
aw_slicerow_fill_window(const AwSliceRow *row, AwSpan span, TupleTableSlot *slot)
{
	for (int i = 0; i < row->n_columns; i++)
	{
		slot->tts_isnull[i] = true;
		if (aw_slicerow_is_of_window(row, i))
			slot->tts_values[i] = window_column(row->columns[i].source, span,
												&slot->tts_isnull[i]);
	}
	ExecStoreVirtualTuple(slot);
}

/* What groups are ranked by, and their conditions. */
static void
begin_ranking(AwSliceRow *row, const CustomScan *plan, List *rank_exprs)
{
	Bitmapset  *columns = NULL;

	pull_varattnos((Node *) rank_exprs, INDEX_VAR, &columns);
	pull_varattnos((Node *) plan->scan.plan.qual, INDEX_VAR, &columns);
	for (int i = 0; i < row->n_columns; i++)
		row->columns[i].is_ranking =
			bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber, columns);
}

/* window_time is the last millisecond; a window at infinity starts and ends there. */
static Datum
window_column(AwSliceSource source, AwSpan span, bool *isnull)
{
	*isnull = (span.start_us == AW_SLICE_NO_TIME);
	if (*isnull)
		return (Datum) 0;
	if (source == AW_SLICE_START)
		return TimestampGetDatum(span.start_us);
	if (source == AW_SLICE_END || TIMESTAMP_NOT_FINITE(span.end_us))
		return TimestampGetDatum(span.end_us);
	return TimestampGetDatum(span.end_us - AW_WINDOW_MIN_US);
}
