/*
 * history.c
 *
 * The rows of a table that a snapshot sees, as one transaction, in the form in which
 * captured rows come: they arrive at one instant, in the order of a scan.
 *
 * Capture sees all rows, whoever may read them, so this must be run by a superuser;
 * the policies of the table are applied by the query's statements.
 */
#include "postgres.h"

#include "access/relation.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "history.h"

/* Puts the rows of a SELECT * where an input has them. */
typedef struct HistoryReceiver
{
	DestReceiver receiver;
	AwInput    *input;
	Datum	   *values;
	bool	   *nulls;
} HistoryReceiver;

static void receive_startup(DestReceiver *self, int operation, TupleDesc columns);
static bool receive_row(TupleTableSlot *slot, DestReceiver *self);
static void receive_nothing(DestReceiver *self);

/* The rows that the snapshot sees. */
AwInput *
aw_history_read(Oid source, Snapshot snapshot)
{
	AwInput    *input = aw_history_none(source);
	HistoryReceiver receiver = {
		.receiver = {receive_row, receive_startup, receive_nothing, receive_nothing, DestTuplestore},
		.input = input,
	};
	SPIExecuteOptions options = {.read_only = true,.dest = &receiver.receiver};
	char	   *relation = quote_qualified_identifier(get_namespace_name(get_rel_namespace(source)),
													  get_rel_name(source));
	int			result;

	receiver.values = palloc0(sizeof(Datum) * input->columns->natts);
	receiver.nulls = palloc(sizeof(bool) * input->columns->natts);
	input->rows = tuplestore_begin_heap(false, false, work_mem);
	input->has_own_rows = input->is_history = input->is_dense = true;

	PushActiveSnapshot(snapshot);
	SPI_connect();
	result = SPI_execute_extended(psprintf("SELECT * FROM %s%s",
										   get_rel_relkind(source) == RELKIND_RELATION ? "ONLY " : "",
										   relation), &options);
	if (result != SPI_OK_SELECT)
		elog(ERROR, "could not read the history: %s", SPI_result_code_string(result));
	SPI_finish();
	PopActiveSnapshot();

	input->transaction_ends[0] = input->n_rows;
	return input;
}

/* A history without rows. */
AwInput *
aw_history_none(Oid source)
{
	AwInput    *input = palloc0(sizeof(AwInput));
	Relation	rel = relation_open(source, AccessShareLock);

	input->columns = aw_capture_columns(rel);
	relation_close(rel, NoLock);
	input->n_transactions = 1;
	input->transaction_ends = palloc0(sizeof(int64));
	input->commit_times = palloc0(sizeof(TimestampTz));
	return input;
}

static void
receive_startup(DestReceiver *self, int operation, TupleDesc columns)
{
	const HistoryReceiver *receiver = (HistoryReceiver *) self;
	TupleDesc	wanted = receiver->input->columns;
	int			n_columns = 0;

	(void) operation;
	for (int i = 0; i < wanted->natts - 1; i++)
		n_columns += TupleDescAttr(wanted, i)->attisdropped ? 0 : 1;
	if (n_columns != columns->natts)
		elog(ERROR, "a table has %d columns, and its rows have %d", n_columns, columns->natts);
}

/* Columns that were dropped are NULL; the ordinal comes last. */
static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	HistoryReceiver *receiver = (HistoryReceiver *) self;
	AwInput    *input = receiver->input;
	int			n_columns = input->columns->natts - 1;
	int			from = 0;

	slot_getallattrs(slot);
	for (int i = 0; i < n_columns; i++)
	{
		receiver->nulls[i] = true;
		if (TupleDescAttr(input->columns, i)->attisdropped)
			continue;
		receiver->values[i] = slot->tts_values[from];
		receiver->nulls[i] = slot->tts_isnull[from++];
	}
	receiver->values[n_columns] = Int64GetDatum(input->n_rows++);
	receiver->nulls[n_columns] = false;
	tuplestore_putvalues(input->rows, input->columns, receiver->values, receiver->nulls);
	return true;
}

static void
receive_nothing(DestReceiver *self)
{
	(void) self;
}
