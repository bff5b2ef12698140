/*
 * slicespill.c
 *
 * Slices that went to disk, as records of bytes.  What goes to disk together is a
 * run: its slices in the order of time, each with the records of its parts one after
 * the other.  Reading merges the runs, so that a slice is had whole, and slices in
 * order; nothing is kept in memory for a slice, however many there are.
 *
 * A run is a file with a buffer, and so many runs are merged into one, these again,
 * and so on, that buffers stay within a part of the limit of memory.
 *
 * Slices are written in order, then read from aw_slicespill_rewind() on, any number of
 * times.  The order is that of SQL: rows without a time come last.
 */
#include "postgres.h"

#include "commands/tablespace.h"
#include "datatype/timestamp.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#include "slicespill.h"
#include "slicestore.h"

/* So many runs of one level are merged into one of the next. */
#define LEAST_FAN_IN	8
#define MOST_FAN_IN		128

/* Stands before the records of a slice; lengths of its parts follow. */
typedef struct SliceHeader
{
	int64		start_us;
	int64		end_us;
	uint32		parts;			/* a bit for each that has records */
	uint32		n_parts;
} SliceHeader;

typedef struct Run
{
	BufFile    *file;
	int			level;			/* 0 as it was written, else merged from that below */

	/* the slice that is read or written */
	bool		is_at_end;
	SliceHeader header;
	int64		lengths[AW_SLICE_PARTS];
	int			header_file;	/* where the header is */
	off_t		header_offset;
	int			part;			/* that is read; AW_SLICE_PARTS once all are */
	int64		n_left;			/* bytes of that part */
} Run;

struct AwSliceSpill
{
	MemoryContext cxt;
	int			fan_in;
	Run		  **runs;
	int			n_runs;
	int			n_allocated;
	Run		   *written;		/* the run that is being written */
	int64		n_bytes;
	int			current;		/* run that the next slice is read from, -1 at the end */
	StringInfoData record;
};

static Run *create_run(AwSliceSpill *spill, int level);
static void free_run(Run *run);
static void begin_slice(Run *run, const SliceHeader *header);
static void end_slice(Run *run);
static void merge_runs(AwSliceSpill *spill, int first);
static void copy_slice(AwSliceSpill *spill, Run *from, Run *to);
static void rewind_runs(AwSliceSpill *spill, int first);
static void read_header(Run *run);
static bool next_part(Run *run, int first_part, int end_part);
static void skip(Run *run, int64 n_bytes);
static void read_bytes(Run *run, void *to, Size size);
static void seek(Run *run, int file, off_t offset);
static int	next_run(const AwSliceSpill *spill, int first);
static bool is_before(const SliceHeader *a, const SliceHeader *b);

/* Nothing on disk yet, in the current memory context.  limit is that of all memory. */
AwSliceSpill *
aw_slicespill_create(Size limit)
{
	AwSliceSpill *spill = palloc0(sizeof(AwSliceSpill));

	PrepareTempTablespaces();
	spill->cxt = CurrentMemoryContext;
	spill->fan_in = (int) Max(LEAST_FAN_IN, Min(MOST_FAN_IN, limit / (8 * BLCKSZ)));
	spill->n_allocated = 2 * spill->fan_in;
	spill->runs = palloc(sizeof(Run *) * spill->n_allocated);
	initStringInfo(&spill->record);
	return spill;
}

void
aw_slicespill_free(AwSliceSpill *spill)
{
	for (int i = 0; i < spill->n_runs; i++)
		free_run(spill->runs[i]);
	if (spill->written != NULL)
		free_run(spill->written);
	pfree(spill->runs);
	pfree(spill->record.data);
	pfree(spill);
}

/* How much was ever written, but for what was merged. */
int64
aw_slicespill_bytes(const AwSliceSpill *spill)
{
	return spill->n_bytes;
}

/* How much memory the buffers of files take. */
Size
aw_slicespill_buffers(const AwSliceSpill *spill)
{
	return (Size) BLCKSZ * spill->n_runs;
}

void
aw_slicespill_begin_run(AwSliceSpill *spill)
{
	spill->written = create_run(spill, 0);
}

/* Slices come in order; parts is what there will be records of. */
void
aw_slicespill_begin_slice(AwSliceSpill *spill, int64 start_us, int64 end_us, uint32 parts)
{
	SliceHeader header = {.start_us = start_us,.end_us = end_us,.parts = parts};

	for (; parts != 0; parts &= parts - 1)
		header.n_parts++;
	begin_slice(spill->written, &header);
}

/* Appends a record, which starts with its own length; parts come in order. */
void
aw_slicespill_write(AwSliceSpill *spill, int part, const StringInfo record)
{
	Run		   *run = spill->written;

	Assert(run->header.parts & ((uint32) 1 << part));
	BufFileWrite(run->file, record->data, record->len);
	run->lengths[part] += record->len;
	spill->n_bytes += record->len;
}

void
aw_slicespill_end_slice(AwSliceSpill *spill)
{
	end_slice(spill->written);
}

/* Ends a run, and merges as many as there are too many of. */
void
aw_slicespill_end_run(AwSliceSpill *spill)
{
	int			first;

	if (spill->n_runs == spill->n_allocated)
	{
		spill->n_allocated *= 2;
		spill->runs = repalloc(spill->runs, sizeof(Run *) * spill->n_allocated);
	}
	spill->runs[spill->n_runs++] = spill->written;
	spill->written = NULL;

	for (;;)
	{
		first = spill->n_runs - spill->fan_in;
		if (first < 0 || spill->runs[first]->level != spill->runs[spill->n_runs - 1]->level)
			break;
		merge_runs(spill, first);
	}
}

/* Stands before the first slice. */
void
aw_slicespill_rewind(AwSliceSpill *spill)
{
	rewind_runs(spill, 0);
	spill->current = next_run(spill, 0);
}

/* The next slice, once all that was wanted of the one before is read; false at the end. */
bool
aw_slicespill_peek(const AwSliceSpill *spill, int64 *start_us, int64 *end_us)
{
	if (spill->current < 0)
		return false;
	*start_us = spill->runs[spill->current]->header.start_us;
	*end_us = spill->runs[spill->current]->header.end_us;
	return true;
}

/*
 * Skips the next slice as far as one run has it; returns how many bytes that are.  The
 * slice may come again, from another run.
 */
int64
aw_slicespill_skip(AwSliceSpill *spill)
{
	Run		   *run = spill->runs[spill->current];
	int64		n_bytes = 0;

	CHECK_FOR_INTERRUPTS();
	for (int part = 0; part < AW_SLICE_PARTS; part++)
		n_bytes += run->lengths[part];
	read_header(run);
	spill->current = next_run(spill, 0);
	return n_bytes;
}

/*
 * The next record of some parts of the slice that was peeked at, valid until the next
 * call, and its length apart.  NULL once all are read: then the slice is done.
 */
const char *
aw_slicespill_read(AwSliceSpill *spill, int first_part, int end_part, uint32 *length)
{
	int64		start_us = spill->runs[spill->current]->header.start_us;

	for (;;)
	{
		Run		   *run = spill->runs[spill->current];

		CHECK_FOR_INTERRUPTS();
		if (next_part(run, first_part, end_part))
		{
			read_bytes(run, length, sizeof(*length));
			resetStringInfo(&spill->record);
			enlargeStringInfo(&spill->record, *length);
			read_bytes(run, spill->record.data, *length);
			run->n_left -= sizeof(*length) + *length;
			return spill->record.data;
		}

		/* This run has no more of the slice; another may have. */
		read_header(run);
		spill->current = next_run(spill, 0);
		if (spill->current < 0 || spill->runs[spill->current]->header.start_us != start_us)
			return NULL;
	}
}

static Run *
create_run(AwSliceSpill *spill, int level)
{
	MemoryContext caller = MemoryContextSwitchTo(spill->cxt);
	Run		   *run = palloc0(sizeof(Run));

	run->file = BufFileCreateTemp(false);
	run->level = level;
	MemoryContextSwitchTo(caller);
	return run;
}

static void
free_run(Run *run)
{
	BufFileClose(run->file);
	pfree(run);
}

/* Leaves room for the lengths of the parts, which are not known yet. */
static void
begin_slice(Run *run, const SliceHeader *header)
{
	run->header = *header;
	memset(run->lengths, 0, sizeof(run->lengths));
	BufFileTell(run->file, &run->header_file, &run->header_offset);
	BufFileWrite(run->file, &run->header, sizeof(SliceHeader));
	BufFileWrite(run->file, run->lengths, sizeof(int64) * header->n_parts);
}

/* Goes back to write the lengths. */
static void
end_slice(Run *run)
{
	int64		lengths[AW_SLICE_PARTS];
	int			n = 0;
	int			file;
	off_t		offset;

	for (int part = 0; part < AW_SLICE_PARTS; part++)
	{
		if (run->header.parts & ((uint32) 1 << part))
			lengths[n++] = run->lengths[part];
	}
	BufFileTell(run->file, &file, &offset);
	seek(run, run->header_file, run->header_offset);
	BufFileWrite(run->file, &run->header, sizeof(SliceHeader));
	BufFileWrite(run->file, lengths, sizeof(int64) * n);
	seek(run, file, offset);
}

/* Makes one run of those from first on. */
static void
merge_runs(AwSliceSpill *spill, int first)
{
	Run		   *merged = create_run(spill, spill->runs[first]->level + 1);
	int			i;

	rewind_runs(spill, first);
	while ((i = next_run(spill, first)) >= 0)
		copy_slice(spill, spill->runs[i], merged);

	for (i = first; i < spill->n_runs; i++)
		free_run(spill->runs[i]);
	spill->runs[first] = merged;
	spill->n_runs = first + 1;
}

/* Copies a slice to another run, where the same one may come several times. */
static void
copy_slice(AwSliceSpill *spill, Run *from, Run *to)
{
	begin_slice(to, &from->header);
	memcpy(to->lengths, from->lengths, sizeof(to->lengths));
	while (next_part(from, 0, AW_SLICE_PARTS))
	{
		int64		n_copied = Min(from->n_left, BLCKSZ);

		CHECK_FOR_INTERRUPTS();
		resetStringInfo(&spill->record);
		enlargeStringInfo(&spill->record, n_copied);
		read_bytes(from, spill->record.data, n_copied);
		BufFileWrite(to->file, spill->record.data, n_copied);
		from->n_left -= n_copied;
	}
	end_slice(to);
	read_header(from);
}

static void
rewind_runs(AwSliceSpill *spill, int first)
{
	for (int i = first; i < spill->n_runs; i++)
	{
		Run		   *run = spill->runs[i];

		seek(run, 0, 0);
		run->is_at_end = false;
		run->part = AW_SLICE_PARTS;
		run->n_left = 0;
		memset(run->lengths, 0, sizeof(run->lengths));
		read_header(run);
	}
}

/* Moves to the next slice of a run, whatever is left of the one before. */
static void
read_header(Run *run)
{
	int64		lengths[AW_SLICE_PARTS];
	int			n = 0;
	Size		n_read;

	(void) next_part(run, AW_SLICE_PARTS, AW_SLICE_PARTS);
	n_read = BufFileRead(run->file, &run->header, sizeof(SliceHeader));
	if (n_read == 0)
	{
		run->is_at_end = true;
		return;
	}
	if (n_read != sizeof(SliceHeader))
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from a temporary file of slices")));

	read_bytes(run, lengths, sizeof(int64) * run->header.n_parts);
	for (int part = 0; part < AW_SLICE_PARTS; part++)
		run->lengths[part] = (run->header.parts & ((uint32) 1 << part)) ? lengths[n++] : 0;
	run->part = 0;
	run->n_left = run->lengths[0];
}

/* Moves to the next of some parts that has records left; false if there is none. */
static bool
next_part(Run *run, int first_part, int end_part)
{
	int64		n_skipped = 0;

	while (run->part < AW_SLICE_PARTS &&
		   (run->n_left == 0 || run->part < first_part || run->part >= end_part))
	{
		n_skipped += run->n_left;
		run->part++;
		run->n_left = (run->part < AW_SLICE_PARTS) ? run->lengths[run->part] : 0;
	}
	skip(run, n_skipped);
	return run->part < AW_SLICE_PARTS;
}

static void
skip(Run *run, int64 n_bytes)
{
	int			file;
	off_t		offset;

	if (n_bytes == 0)
		return;
	BufFileTell(run->file, &file, &offset);
	if (BufFileSeek(run->file, file, offset + n_bytes, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of slices")));
}

static void
read_bytes(Run *run, void *to, Size size)
{
	if (BufFileRead(run->file, to, size) != size)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from a temporary file of slices")));
}

static void
seek(Run *run, int file, off_t offset)
{
	if (BufFileSeek(run->file, file, offset, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not seek in a temporary file of slices")));
}

/* The run whose slice is the earliest, of those from first on; -1 if all are read. */
static int
next_run(const AwSliceSpill *spill, int first)
{
	int			earliest = -1;

	for (int i = first; i < spill->n_runs; i++)
	{
		const Run  *run = spill->runs[i];

		if (!run->is_at_end &&
			(earliest < 0 || is_before(&run->header, &spill->runs[earliest]->header)))
			earliest = i;
	}
	return earliest;
}

/* NULL is last, as in the order of SQL. */
static bool
is_before(const SliceHeader *a, const SliceHeader *b)
{
	return aw_slicestore_compare(a->start_us, b->start_us) < 0;
}
