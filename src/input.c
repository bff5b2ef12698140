/*
 * input.c
 *
 * A batch as a query takes it in: without the transactions that it has already.
 * Ordinals stay those of the batch.  Where nothing is to be left out, which is nearly
 * always, the rows are the batch's own.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "miscadmin.h"

#include "input.h"
#include "seen.h"

static bool is_taken(const AwBatchTransaction *transaction, const AwInputFilter *filter);
static Bitmapset *misfits_of(const AwBatch *batch, const AwBatchSource *source, const bool *taken);
static int	transaction_of(const AwBatch *batch, int64 ordinal, int from);
static Tuplestorestate *copy_rows(const AwBatch *batch, const AwBatchSource *source,
								  const bool *taken, int64 *n_rows);

/* The input from a source; one without rows if there is nothing new. */
AwInput *
aw_input_of_batch(const AwBatch *batch, Oid source, const AwInputFilter *filter)
{
	AwInput    *input = palloc0(sizeof(AwInput));
	bool	   *taken = palloc0(sizeof(bool) * Max(batch->n_transactions, 1));
	bool		has_taken = false;

	input->n_transactions = batch->n_transactions;
	input->transaction_ends = palloc(sizeof(int64) * Max(batch->n_transactions, 1));
	input->commit_times = palloc(sizeof(TimestampTz) * Max(batch->n_transactions, 1));
	for (int i = 0; i < batch->n_transactions; i++)
	{
		const AwBatchTransaction *transaction = &batch->transactions[i];

		input->transaction_ends[i] = transaction->end_ordinal;
		input->commit_times[i] = transaction->commit_time;
		taken[i] = is_taken(transaction, filter);
		has_taken |= taken[i];
	}

	for (int i = 0; i < batch->n_sources; i++)
	{
		const AwBatchSource *rows = &batch->sources[i];

		if (rows->relid != source)
			continue;
		input->columns = rows->columns;
		input->rows = rows->rows;
		input->n_rows = rows->n_rows;
		input->misfits = misfits_of(batch, rows, taken);
		input->is_dense = !has_taken && rows->n_rows == batch->n_rows;
		if (has_taken && rows->n_rows > 0)
		{
			input->rows = copy_rows(batch, rows, taken, &input->n_rows);
			input->has_own_rows = true;
		}
	}
	return input;
}

/* Gives back the rows; what is known of transactions stays. */
void
aw_input_release(AwInput *input)
{
	if (input->has_own_rows)
		tuplestore_end(input->rows);
	input->rows = NULL;
}

/* When the transaction of a row was committed; 0 if that is unknown. */
TimestampTz
aw_input_commit_time(const AwInput *input, int64 ordinal)
{
	int			low = 0;
	int			high = input->n_transactions;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (input->transaction_ends[middle] <= ordinal)
			low = middle + 1;
		else
			high = middle;
	}
	return low < input->n_transactions ? input->commit_times[low] : 0;
}

static bool
is_taken(const AwBatchTransaction *transaction, const AwInputFilter *filter)
{
	if (transaction->commit_lsn < filter->position)
		return true;
	return filter->snapshot != NULL && transaction->commit_lsn < filter->snapshot_position &&
		aw_seen_contains(filter->snapshot, transaction->xid);
}

/* Columns that had another type in rows that are not taken in yet. */
static Bitmapset *
misfits_of(const AwBatch *batch, const AwBatchSource *source, const bool *taken)
{
	Bitmapset  *columns = NULL;
	int			transaction = 0;
	ListCell   *lc;

	foreach(lc, source->misfits)
	{
		const AwMisfit *misfit = lfirst(lc);

		transaction = transaction_of(batch, misfit->ordinal, transaction);
		if (!taken[transaction])
			columns = bms_add_members(columns, misfit->columns);
	}
	return columns;
}

/* The number of a row's transaction, which is none before "from". */
static int
transaction_of(const AwBatch *batch, int64 ordinal, int from)
{
	while (from < batch->n_transactions && batch->transactions[from].end_ordinal <= ordinal)
		from++;
	return from;
}

/* The rows of transactions that are not taken in yet; those of a source rise. */
static Tuplestorestate *
copy_rows(const AwBatch *batch, const AwBatchSource *source, const bool *taken, int64 *n_rows)
{
	Tuplestorestate *copy = tuplestore_begin_heap(false, false, work_mem);
	TupleTableSlot *slot = MakeSingleTupleTableSlot(source->columns, &TTSOpsMinimalTuple);
	int			transaction = 0;

	*n_rows = 0;
	tuplestore_select_read_pointer(source->rows, 0);
	tuplestore_rescan(source->rows);
	while (tuplestore_gettupleslot(source->rows, true, false, slot))
	{
		bool		isnull;
		int64		ordinal = DatumGetInt64(slot_getattr(slot, source->columns->natts, &isnull));

		CHECK_FOR_INTERRUPTS();
		transaction = transaction_of(batch, ordinal, transaction);
		if (taken[transaction])
			continue;
		tuplestore_puttupleslot(copy, slot);
		(*n_rows)++;
	}
	ExecDropSingleTupleTableSlot(slot);
	return copy;
}
