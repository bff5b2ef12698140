/*
 * openrows.c
 *
 * Keeps the rows of open slices in tuplestores, one for each slice, in the order in
 * which they came.  What is more of a slice than its part of ROW_MEMORY_KB goes to a
 * temporary file.  A row that came when some of its windows had closed says so: with each row is
 * the end of the last window that it missed.
 *
 * Rows are written in numbered pieces of those that came since the last one, so that
 * what is written once is not written again.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/tuplestore.h"

#include "openrows.h"

/* memory for the rows of the slices that are usually open, and least for one, in kB */
#define ROW_MEMORY_KB		(64 * 1024)
#define LEAST_MEMORY_KB		64
#define MOST_MEMORY_KB		4096

/* Rows are written in pieces of about that many bytes. */
#define PIECE_BYTES		(4 * 1024 * 1024)

/* The read pointers of a tuplestore. */
#define READER	0
#define WRITER	1				/* stands behind the rows that were written */

/* The rows of a slice. */
struct AwRowList
{
	Tuplestorestate *store;
	int64		n_unwritten;
	int			next_number;	/* of the next piece */
	MemoryContextCallback release;
};

struct AwOpenRows
{
	TupleDesc	columns;		/* closed_end_us, then those of the caller */
	Datum	   *values;
	bool	   *nulls;
	TupleTableSlot *slot;
	int			slice_memory_kb;
};

static struct AwRowList *rows_of(AwOpenRows *rows, AwOpenSlice *slice);
static struct AwRowList *create_list(AwOpenRows *rows, AwOpenSlice *slice);
static Tuplestorestate *create_store(const AwOpenRows *rows);
static void release_store(void *list);

/*
 * For rows with these columns, in the current memory context; n_slices are about as
 * many as are open at a time.
 */
AwOpenRows *
aw_openrows_create(TupleDesc columns, int64 n_slices)
{
	AwOpenRows *rows = palloc0(sizeof(AwOpenRows));

	rows->slice_memory_kb = Max(LEAST_MEMORY_KB,
								Min(MOST_MEMORY_KB, ROW_MEMORY_KB / Max(n_slices, 1)));
	rows->columns = CreateTemplateTupleDesc(columns->natts + 1);
	TupleDescInitEntry(rows->columns, 1, "closed_end", INT8OID, -1, 0);
	for (int i = 1; i <= columns->natts; i++)
		TupleDescCopyEntry(rows->columns, i + 1, columns, i);
	rows->values = palloc(sizeof(Datum) * rows->columns->natts);
	rows->nulls = palloc0(sizeof(bool) * rows->columns->natts);
	rows->slot = MakeSingleTupleTableSlot(rows->columns, &TTSOpsMinimalTuple);
	return rows;
}

/* Adds a row to a slice; windows that end there or before have missed it. */
void
aw_openrows_add(AwOpenRows *rows, AwOpenSlice *slice, int64 closed_end_us, const Datum *values,
				const bool *nulls)
{
	struct AwRowList *list = rows_of(rows, slice);
	int			n_columns = rows->columns->natts - 1;

	rows->values[0] = Int64GetDatum(closed_end_us);
	memcpy(rows->values + 1, values, sizeof(Datum) * n_columns);
	memcpy(rows->nulls + 1, nulls, sizeof(bool) * n_columns);
	tuplestore_putvalues(list->store, rows->columns, rows->values, rows->nulls);
	list->n_unwritten++;
	slice->n_rows++;
	slice->is_dirty = true;
}

/* The next row of a slice is its first. */
void
aw_openrows_rescan(AwOpenRows *rows, AwOpenSlice *slice)
{
	tuplestore_rescan(rows_of(rows, slice)->store);
}

/* The next row of a slice, valid until the call after; false at the end. */
bool
aw_openrows_next(AwOpenRows *rows, AwOpenSlice *slice, int64 *closed_end_us,
				 const Datum **values, const bool **nulls)
{
	if (!tuplestore_gettupleslot(rows_of(rows, slice)->store, true, false, rows->slot))
		return false;
	slot_getallattrs(rows->slot);
	*closed_end_us = DatumGetInt64(rows->slot->tts_values[0]);
	*values = rows->slot->tts_values + 1;
	*nulls = rows->slot->tts_isnull + 1;
	return true;
}

/*
 * Appends a piece of the rows that are not written, and says how many are in it; the
 * slice is clean when it was the last.
 */
int64
aw_openrows_write(AwOpenRows *rows, AwOpenSlice *slice, int *number, StringInfo buffer)
{
	struct AwRowList *list = rows_of(rows, slice);
	int			start = buffer->len;
	int64		n_rows = 0;

	*number = list->next_number++;
	tuplestore_select_read_pointer(list->store, WRITER);
	while (n_rows < list->n_unwritten && buffer->len - start < PIECE_BYTES &&
		   tuplestore_gettupleslot(list->store, true, false, rows->slot))
	{
		bool		should_free;
		MinimalTuple tuple = ExecFetchSlotMinimalTuple(rows->slot, &should_free);

		CHECK_FOR_INTERRUPTS();
		appendBinaryStringInfo(buffer, (const char *) tuple, tuple->t_len);
		if (should_free)
			pfree(tuple);
		n_rows++;
	}
	tuplestore_select_read_pointer(list->store, READER);
	ExecClearTuple(rows->slot);
	list->n_unwritten -= n_rows;
	slice->is_dirty = list->n_unwritten > 0;
	return n_rows;
}

/* Adds the rows of a piece to a slice; they are those that were written last. */
void
aw_openrows_read(AwOpenRows *rows, AwOpenSlice *slice, int number, const char *from, Size size)
{
	struct AwRowList *list = rows_of(rows, slice);
	const char *end = from + size;
	MinimalTuple tuple = NULL;

	while (from < end)
	{
		uint32		length;

		CHECK_FOR_INTERRUPTS();
		memcpy(&length, from, sizeof(length));
		tuple = tuple == NULL ? palloc(length) : repalloc(tuple, length);
		memcpy(tuple, from, length);
		ExecStoreMinimalTuple(tuple, rows->slot, false);
		tuplestore_puttupleslot(list->store, rows->slot);
		from += length;
	}
	ExecClearTuple(rows->slot);
	if (tuple != NULL)
		pfree(tuple);

	tuplestore_select_read_pointer(list->store, WRITER);
	while (tuplestore_advance(list->store, true))
		;
	tuplestore_select_read_pointer(list->store, READER);
	list->next_number = Max(list->next_number, number + 1);
}

static struct AwRowList *
rows_of(AwOpenRows *rows, AwOpenSlice *slice)
{
	if (slice->rows == NULL)
		slice->rows = create_list(rows, slice);
	return slice->rows;
}

/* A slice without rows; what it keeps goes with the slice. */
static struct AwRowList *
create_list(AwOpenRows *rows, AwOpenSlice *slice)
{
	struct AwRowList *list = MemoryContextAllocZero(slice->arena.cxt, sizeof(struct AwRowList));

	list->store = create_store(rows);
	list->release.func = release_store;
	list->release.arg = list;
	MemoryContextRegisterResetCallback(slice->arena.cxt, &list->release);
	return list;
}

/*
 * A tuplestore that outlives transactions, as its file does.  It may have a context of
 * its own, which is no child of the query's: that would be gone before release_store().
 */
static Tuplestorestate *
create_store(const AwOpenRows *rows)
{
	static ResourceOwner owner = NULL;
	ResourceOwner caller_owner = CurrentResourceOwner;
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);
	Tuplestorestate *store;

	if (owner == NULL)
		owner = ResourceOwnerCreate(NULL, "apply_watermark open rows");
	CurrentResourceOwner = owner;
	store = tuplestore_begin_heap(false, true, rows->slice_memory_kb);
	(void) tuplestore_alloc_read_pointer(store, EXEC_FLAG_REWIND);
	CurrentResourceOwner = caller_owner;
	MemoryContextSwitchTo(caller);
	return store;
}

static void
release_store(void *list)
{
	tuplestore_end(((struct AwRowList *) list)->store);
}
