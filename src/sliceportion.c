/*
 * sliceportion.c
 *
 * Goes over slices on disk several times, each time with a portion of their keys: those
 * whose hash begins with some bits.  The first bits are the parts that slices were
 * written in, which can be read apart.  If a part is too much, its groups are spread
 * over tapes by the next bits, and what is still too much on a tape over others, and so
 * on.  So a group is written again at most once for each of these levels, and what is
 * read in a portion is what belongs to it.
 *
 * A tape has slices in the order of time, each as a mark, its times and its groups.
 *
 * The groups of one key are never torn apart, however large they are.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/logtape.h"
#include "utils/memutils.h"

#include "sliceportion.h"

#define PART_BITS		4		/* of the parts of slices */
#define HASH_BITS		32
#define LEAST_BITS		2		/* that groups are spread by */
#define MOST_BITS		6

/* Stands where a record has its length. */
#define SLICE_MARK		((uint32) 0)

typedef struct SliceTimes
{
	int64		start_us;
	int64		end_us;
} SliceTimes;

/* A tape, and what is on it. */
typedef struct Portion
{
	LogicalTape *tape;			/* NULL until it is written to */
	int			n_bits;			/* of the hash, which all keys have in common */
	double		memory;
	bool		has_keys;		/* more than one, so that they can be told apart */
	AwSliceSize size;			/* while it is written */
} Portion;

struct AwSlicePortions
{
	MemoryContext cxt;
	AwSliceSpill *spill;
	const AwSliceScale *scale;
	double		budget;
	int			most_bits;
	int			n_parts;		/* portions of slices as they were written, a power of two */
	int			part;			/* the next of these */
	int			part_bits;		/* that each of them is spread by, 0 if it fits */
	LogicalTapeSet *tapes;		/* NULL until the first is made */
	Portion    *waiting;		/* a stack */
	int			n_waiting;
	int			n_allocated;
	int			number;			/* of the portion at hand, from 1 */

	/* what is read: a tape, or the part before the next */
	LogicalTape *tape;
	bool		is_at_end;
	SliceTimes	times;			/* of the next slice of the tape */
	StringInfoData record;
};

static int	bits_for(const AwSlicePortions *portions, double memory);
static bool next_waiting(AwSlicePortions *portions);
static void spread(AwSlicePortions *portions, int n_known, int n_bits);
static void spread_slice(AwSlicePortions *portions, Portion *targets, int n_known, int n_bits);
static void write_record(AwSlicePortions *portions, Portion *target, SliceTimes times,
						 const char *record, uint32 length);
static void push(AwSlicePortions *portions, Portion *portion);
static void begin_part(AwSlicePortions *portions);
static void begin_tape(AwSlicePortions *portions, LogicalTape *tape);
static void end_tape(AwSlicePortions *portions);
static void read_times(AwSlicePortions *portions);
static const char *read_record(AwSlicePortions *portions, uint32 *length);
static void read_bytes(LogicalTape *tape, void *to, Size size);

/*
 * Stands before the first portion of slices, of which all is known in size; in the
 * current memory context.  limit is that of all memory.  Where windows must come in
 * order, there is one portion.
 */
AwSlicePortions *
aw_sliceportion_create(AwSliceSpill *spill, AwSliceSize *size, Size limit, bool is_whole)
{
	MemoryContext cxt = AllocSetContextCreate(CurrentMemoryContext, "portions of slices",
											  ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(cxt);
	AwSlicePortions *portions = palloc0(sizeof(AwSlicePortions));
	double		memory = aw_slicesize_memory(size);

	portions->cxt = cxt;
	portions->spill = spill;
	portions->scale = size->scale;
	portions->budget = Max(0.9 * limit - aw_slicespill_buffers(spill), limit / 4.0);
	portions->most_bits = LEAST_BITS;
	while (portions->most_bits < MOST_BITS &&
		   ((Size) BLCKSZ << (portions->most_bits + 1)) <= limit / 4)
		portions->most_bits++;
	portions->n_allocated = 64;
	portions->waiting = palloc(sizeof(Portion) * portions->n_allocated);
	initStringInfo(&portions->record);

	portions->n_parts = 1;
	is_whole |= aw_slicesize_n_keys(size) < 1.5;
	while (!is_whole && portions->n_parts < AW_SLICE_PARTS &&
		   memory > portions->budget * portions->n_parts)
		portions->n_parts *= 2;
	if (!is_whole && memory > portions->budget * AW_SLICE_PARTS)
		portions->part_bits = bits_for(portions, memory / AW_SLICE_PARTS);
	MemoryContextSwitchTo(caller);
	return portions;
}

void
aw_sliceportion_free(AwSlicePortions *portions)
{
	end_tape(portions);
	if (portions->tapes != NULL)
		LogicalTapeSetClose(portions->tapes);
	MemoryContextDelete(portions->cxt);
}

/* Moves to the next portion, and stands before its first slice; false at the end. */
bool
aw_sliceportion_next(AwSlicePortions *portions)
{
	MemoryContext caller = MemoryContextSwitchTo(portions->cxt);
	bool		is_there;

	end_tape(portions);
	while (!(is_there = next_waiting(portions)) && portions->part < portions->n_parts)
	{
		begin_part(portions);
		is_there = (portions->part_bits == 0);
		if (is_there)
			break;
		spread(portions, PART_BITS, portions->part_bits);
	}
	portions->number += is_there;
	MemoryContextSwitchTo(caller);
	return is_there;
}

/* The number of the portion at hand, from 1. */
int
aw_sliceportion_number(const AwSlicePortions *portions)
{
	return portions->number;
}

/* The next slice, once all of the one before is read; false at the end of the portion. */
bool
aw_sliceportion_peek(const AwSlicePortions *portions, int64 *start_us, int64 *end_us)
{
	if (portions->tape == NULL)
		return aw_slicespill_peek(portions->spill, start_us, end_us);
	*start_us = portions->times.start_us;
	*end_us = portions->times.end_us;
	return !portions->is_at_end;
}

/* The next record of the slice that was peeked at; NULL once all are read. */
const char *
aw_sliceportion_read(AwSlicePortions *portions)
{
	uint32		length;

	return read_record(portions, &length);
}

/* By how many bits groups are spread, so that each portion fits, if that can be. */
static int
bits_for(const AwSlicePortions *portions, double memory)
{
	int			n_bits = 1;

	/* Not all portions will be of the same size. */
	while (n_bits < portions->most_bits && memory * 1.2 > portions->budget * (1 << n_bits))
		n_bits++;
	return n_bits;
}

/* Begins the tape on top of the stack, and spreads those that are too much. */
static bool
next_waiting(AwSlicePortions *portions)
{
	while (portions->n_waiting > 0)
	{
		Portion    *portion = &portions->waiting[--portions->n_waiting];
		int			n_known = portion->n_bits;
		int			n_bits = Min(bits_for(portions, portion->memory), HASH_BITS - n_known);
		bool		fits = portion->memory <= portions->budget || !portion->has_keys ||
			n_bits == 0;

		begin_tape(portions, portion->tape);
		if (fits)
			return true;
		spread(portions, n_known, n_bits);
	}
	return false;
}

/* Spreads what is read over tapes, which then wait. */
static void
spread(AwSlicePortions *portions, int n_known, int n_bits)
{
	int			n_targets = 1 << n_bits;
	Portion    *targets = palloc0(sizeof(Portion) * n_targets);
	int64		start_us;
	int64		end_us;

	for (int i = 0; i < n_targets; i++)
	{
		targets[i].n_bits = n_known + n_bits;
		aw_slicesize_init(&targets[i].size);
		targets[i].size.scale = portions->scale;
	}
	while (aw_sliceportion_peek(portions, &start_us, &end_us))
		spread_slice(portions, targets, n_known, n_bits);
	end_tape(portions);

	for (int i = n_targets - 1; i >= 0; i--)
	{
		if (targets[i].tape != NULL)
			push(portions, &targets[i]);
		aw_slicesize_free(&targets[i].size);
	}
	pfree(targets);
}

static void
spread_slice(AwSlicePortions *portions, Portion *targets, int n_known, int n_bits)
{
	SliceTimes	times;
	const char *record;
	uint32		length;

	aw_sliceportion_peek(portions, &times.start_us, &times.end_us);
	while ((record = read_record(portions, &length)) != NULL)
	{
		uint32		hash;

		CHECK_FOR_INTERRUPTS();
		memcpy(&hash, record, sizeof(hash));
		write_record(portions, &targets[(hash << n_known) >> (HASH_BITS - n_bits)], times,
					 record, length);
		aw_slicesize_add_group(&targets[(hash << n_known) >> (HASH_BITS - n_bits)].size,
							   times.start_us, hash);
	}
}

static void
write_record(AwSlicePortions *portions, Portion *target, SliceTimes times, const char *record,
			 uint32 length)
{
	uint32		mark = SLICE_MARK;

	if (portions->tapes == NULL)
		portions->tapes = LogicalTapeSetCreate(false, NULL, -1);
	if (target->tape == NULL)
		target->tape = LogicalTapeCreate(portions->tapes);
	if (aw_slicesize_begin_slice(&target->size, times.start_us))
	{
		LogicalTapeWrite(target->tape, &mark, sizeof(mark));
		LogicalTapeWrite(target->tape, &times, sizeof(times));
	}
	LogicalTapeWrite(target->tape, &length, sizeof(length));
	LogicalTapeWrite(target->tape, unconstify(char *, record), length);
	aw_slicesize_add_bytes(&target->size, sizeof(length) + length);
}

/* Puts what was written onto the stack. */
static void
push(AwSlicePortions *portions, Portion *portion)
{
	if (portions->n_waiting == portions->n_allocated)
	{
		portions->n_allocated *= 2;
		portions->waiting = repalloc(portions->waiting, sizeof(Portion) * portions->n_allocated);
	}
	LogicalTapeRewindForRead(portion->tape, BLCKSZ);
	portion->memory = aw_slicesize_memory(&portion->size);
	portion->has_keys = aw_slicesize_n_keys(&portion->size) > 1.5;
	portions->waiting[portions->n_waiting++] = *portion;
}

static void
begin_part(AwSlicePortions *portions)
{
	portions->part++;
	aw_slicespill_rewind(portions->spill);
}

static void
begin_tape(AwSlicePortions *portions, LogicalTape *tape)
{
	uint32		mark;

	portions->tape = tape;
	portions->is_at_end = false;
	read_bytes(tape, &mark, sizeof(mark));
	Assert(mark == SLICE_MARK);
	read_times(portions);
}

/* Gives back the tape that was read. */
static void
end_tape(AwSlicePortions *portions)
{
	if (portions->tape != NULL)
		LogicalTapeClose(portions->tape);
	portions->tape = NULL;
}

static void
read_times(AwSlicePortions *portions)
{
	read_bytes(portions->tape, &portions->times, sizeof(SliceTimes));
}

/* A record without its length, valid until the next call; NULL where the slice ends. */
static const char *
read_record(AwSlicePortions *portions, uint32 *length)
{
	Size		n_read;

	if (portions->tape == NULL)
	{
		int			n_parts = AW_SLICE_PARTS / portions->n_parts;

		return aw_slicespill_read(portions->spill, (portions->part - 1) * n_parts,
								  portions->part * n_parts, length);
	}

	CHECK_FOR_INTERRUPTS();
	n_read = LogicalTapeRead(portions->tape, length, sizeof(*length));
	if (n_read == 0)
	{
		portions->is_at_end = true;
		return NULL;
	}
	if (n_read != sizeof(*length))
		elog(ERROR, "unexpected end of a tape of slices");
	if (*length == SLICE_MARK)
	{
		read_times(portions);
		return NULL;
	}
	resetStringInfo(&portions->record);
	enlargeStringInfo(&portions->record, *length);
	read_bytes(portions->tape, portions->record.data, *length);
	return portions->record.data;
}

static void
read_bytes(LogicalTape *tape, void *to, Size size)
{
	if (LogicalTapeRead(tape, to, size) != size)
		elog(ERROR, "unexpected end of a tape of slices");
}
