/*
 * latejournal.c
 *
 * Rows that a query did not take in.  While a batch is read only their ordinals are
 * noted; afterwards the batch is read once more for the rows themselves, as they were
 * captured: all columns of the source that the query's owner may read, as jsonb.
 *
 * That calls output functions and casts, so it is done as the query's owner.  The rows
 * are kept until somebody writes them, as the owner of our tables.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "catalog.h"
#include "compat.h"
#include "input.h"
#include "latejournal.h"
#include "rowjson.h"

/* Most rows are in time. */
#define FIRST_ENTRIES 64

typedef struct JournalEntry
{
	int64		ordinal;
	AwLateReason reason;
	AwSpan		span;
	AwWatermark watermark;
} JournalEntry;

struct AwLateJournal
{
	JournalEntry *entries;
	int64		n_entries;
	int64		n_allocated;
};

static const char *const reason_names[] = {
	[AW_LATE_LATE] = "late",
	[AW_LATE_PARTLY] = "partly late",
	[AW_LATE_NULL] = "null",
	[AW_LATE_NOT_FINITE] = "not finite",
	[AW_LATE_OUT_OF_RANGE] = "out of range",
	[AW_LATE_FUTURE] = "future",
};

static void keep_row(AwLateRows *rows, const JournalEntry *entry, int stream,
					 TimestampTz committed_at, Datum source_row);
static int	compare_entries(const void *a, const void *b);
static TupleDesc readable_columns(TupleDesc columns, Oid source);

/* An empty journal, in the current memory context. */
AwLateJournal *
aw_latejournal_create(void)
{
	AwLateJournal *journal = palloc0(sizeof(AwLateJournal));

	journal->n_allocated = FIRST_ENTRIES;
	journal->entries = palloc(sizeof(JournalEntry) * journal->n_allocated);
	return journal;
}

/* Notes a row; span is the window that it missed, NULL if it has none. */
void
aw_latejournal_add(AwLateJournal *journal, int64 ordinal, AwLateReason reason,
				   const AwSpan *span, const AwWatermark *watermark)
{
	JournalEntry *entry;

	if (journal->n_entries == journal->n_allocated)
	{
		journal->n_allocated *= 2;
		journal->entries = repalloc_huge(journal->entries,
										 sizeof(JournalEntry) * journal->n_allocated);
	}
	entry = &journal->entries[journal->n_entries++];
	memset(entry, 0, sizeof(JournalEntry));
	entry->ordinal = ordinal;
	entry->reason = reason;
	entry->watermark = *watermark;
	if (span != NULL)
		entry->span = *span;
}

bool
aw_latejournal_is_empty(const AwLateJournal *journal)
{
	return journal->n_entries == 0;
}

/* Reads the rows of a source that were noted, and adds them to others, with the stream's number. */
void
aw_latejournal_read(AwLateJournal *journal, const AwInput *input, Oid source, int stream,
					AwLateRows *rows)
{
	TupleTableSlot *slot = MakeSingleTupleTableSlot(input->columns, &TTSOpsMinimalTuple);
	TupleDesc	columns = readable_columns(input->columns, source);
	int64		place = 0;

	qsort(journal->entries, journal->n_entries, sizeof(JournalEntry), compare_entries);
	tuplestore_select_read_pointer(input->rows, 0);
	tuplestore_rescan(input->rows);
	while (place < journal->n_entries &&
		   tuplestore_gettupleslot(input->rows, true, false, slot))
	{
		bool		isnull;
		int64		ordinal = DatumGetInt64(slot_getattr(slot, input->columns->natts, &isnull));
		Datum		source_row;

		CHECK_FOR_INTERRUPTS();
		if (journal->entries[place].ordinal != ordinal)
			continue;
		source_row = aw_rowjson_of_slot(slot, columns);
		while (place < journal->n_entries && journal->entries[place].ordinal == ordinal)
			keep_row(rows, &journal->entries[place++], stream,
					 aw_input_commit_time(input, ordinal), source_row);
	}
	ExecDropSingleTupleTableSlot(slot);
	if (place < journal->n_entries)
		elog(ERROR, "a late row is not in its batch");
}

/* A row of a source, in the form in which late rows are kept. */
Datum
aw_latejournal_row(const AwInput *input, Oid source, int64 ordinal)
{
	TupleTableSlot *slot = MakeSingleTupleTableSlot(input->columns, &TTSOpsMinimalTuple);
	Datum		row = (Datum) 0;

	tuplestore_select_read_pointer(input->rows, 0);
	tuplestore_rescan(input->rows);
	if (input->is_dense)
		(void) tuplestore_skiptuples(input->rows, ordinal, true);
	while (row == (Datum) 0 && tuplestore_gettupleslot(input->rows, true, false, slot))
	{
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		if (DatumGetInt64(slot_getattr(slot, input->columns->natts, &isnull)) == ordinal)
			row = aw_rowjson_of_slot(slot, readable_columns(input->columns, source));
	}
	ExecDropSingleTupleTableSlot(slot);
	if (row == (Datum) 0)
		elog(ERROR, "a row is not in its batch");
	return row;
}

/* Gives back the memory of rows that have been written. */
void
aw_latejournal_forget(AwLateRows *rows)
{
	MemoryContextReset(rows->cxt);
	rows->rows = NULL;
	rows->n_rows = rows->n_allocated = 0;
}

/* Adds a row, with a copy of its source's. */
static void
keep_row(AwLateRows *rows, const JournalEntry *entry, int stream, TimestampTz committed_at,
		 Datum source_row)
{
	MemoryContext caller = MemoryContextSwitchTo(rows->cxt);
	AwLateRow  *row;

	if (rows->n_rows == rows->n_allocated)
	{
		rows->n_allocated = Max(FIRST_ENTRIES, rows->n_allocated * 2);
		rows->rows = rows->rows == NULL ?
			palloc(sizeof(AwLateRow) * rows->n_allocated) :
			repalloc_huge(rows->rows, sizeof(AwLateRow) * rows->n_allocated);
	}
	row = &rows->rows[rows->n_rows++];
	row->stream = stream;
	row->reason = reason_names[entry->reason];
	row->committed_at = committed_at;
	row->has_window = entry->reason == AW_LATE_LATE || entry->reason == AW_LATE_PARTLY;
	row->window_start_us = entry->span.start_us;
	row->window_end_us = entry->span.end_us;
	row->watermark = entry->watermark;
	row->source_row = datumCopy(source_row, false, -1);
	MemoryContextSwitchTo(caller);
}

static int
compare_entries(const void *a, const void *b)
{
	const JournalEntry *left = a;
	const JournalEntry *right = b;

	return (left->ordinal > right->ordinal) - (left->ordinal < right->ordinal);
}

/*
 * The columns of a batch without the ordinal.  A query may read through a view of
 * somebody else what its owner must not see: such columns count as dropped.
 */
static TupleDesc
readable_columns(TupleDesc columns, Oid source)
{
	TupleDesc	readable = CreateTemplateTupleDesc(columns->natts - 1);
	bool		reads_all = pg_class_aclcheck(source, GetUserId(), ACL_SELECT) == ACLCHECK_OK;

	for (AttrNumber attno = 1; attno <= readable->natts; attno++)
	{
		TupleDescCopyEntry(readable, attno, columns, attno);
		if (!reads_all && !TupleDescAttr(columns, attno - 1)->attisdropped &&
			pg_attribute_aclcheck(source, attno, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
			aw_compat_hide_column(readable, attno);
	}
	return BlessTupleDesc(readable);
}
