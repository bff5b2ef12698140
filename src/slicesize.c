/*
 * slicesize.c
 *
 * Estimates the memory that windows need of slices on disk.  What slices have that are
 * in a window together is summed up in buckets of time, a 64th of the window each, so
 * it takes little memory itself, however many slices there are.  Keys, and the groups
 * that are on disk several times, are counted by HyperLogLog.
 *
 * Bytes come slice by slice, in the order of time; groups in any order.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/timestamp.h"

#include "slicesize.h"

/* Registers are 2 to the power of this; counts are off by some hundredths. */
#define REGISTER_BITS		8

/* About what a slice takes beside its groups. */
#define SLICE_BYTES			300

static void move_to(AwSliceSize *size, int64 start_us);
static double *bucket_of(AwSliceSize *size);

/* Nothing seen yet, in the current memory context.  The scale is set before bytes come. */
void
aw_slicesize_init(AwSliceSize *size)
{
	memset(size, 0, sizeof(AwSliceSize));
	initHyperLogLog(&size->keys, REGISTER_BITS);
	initHyperLogLog(&size->groups, REGISTER_BITS);
}

void
aw_slicesize_free(AwSliceSize *size)
{
	freeHyperLogLog(&size->keys);
	freeHyperLogLog(&size->groups);
}

/* The next slice, true if it is not the last one again. */
bool
aw_slicesize_begin_slice(AwSliceSize *size, int64 start_us)
{
	if (size->has_slice && size->start_us == start_us)
		return false;

	move_to(size, start_us);
	size->has_slice = true;
	size->start_us = start_us;
	size->slice = 0;
	aw_slicesize_add_bytes(size, SLICE_BYTES / size->scale->per_byte);
	return true;
}

/* Bytes on disk that belong to the last slice. */
void
aw_slicesize_add_bytes(AwSliceSize *size, double n_bytes)
{
	double		memory = n_bytes * size->scale->per_byte;

	size->slice += memory;
	*bucket_of(size) += memory;
	size->sum += memory;
	size->widest_slice = Max(size->widest_slice, size->slice);
	size->widest = Max(size->widest, size->sum);
}

/* A group of a slice, by the hash of its key; it may come again. */
void
aw_slicesize_add_group(AwSliceSize *size, int64 start_us, uint32 hash)
{
	uint32		mixed = hash_bytes_uint32(hash);

	size->n_records++;
	addHyperLogLog(&size->keys, mixed);
	addHyperLogLog(&size->groups, hash_combine(mixed, hash_bytes((unsigned char *) &start_us,
																 sizeof(start_us))));
}

double
aw_slicesize_n_keys(AwSliceSize *size)
{
	return estimateHyperLogLog(&size->keys);
}

/*
 * The memory for the window that needs most.  Groups that are on disk several times become
 * one.
 */
double
aw_slicesize_memory(AwSliceSize *size)
{
	const AwSliceScale *scale = size->scale;
	double		merged = Min(1, estimateHyperLogLog(&size->groups) / Max(size->n_records, 1));
	double		widest = size->widest * merged;
	double		memory = scale->holds_slices ? widest : size->widest_slice * merged;

	if (scale->has_sums && scale->has_growing_sums)
		memory += widest;
	else if (scale->has_sums)
		memory += Min(widest, aw_slicesize_n_keys(size) * scale->per_key);
	return memory;
}

/* Forgets buckets that no window of the slice has; a slice at infinity is alone. */
static void
move_to(AwSliceSize *size, int64 start_us)
{
	int64		bucket_us = Max(size->scale->reach_us / AW_SLICESIZE_BUCKETS, 1);
	int64		bucket = start_us / bucket_us;
	bool		is_apart = !size->has_slice || TIMESTAMP_NOT_FINITE(start_us) ||
		TIMESTAMP_NOT_FINITE(size->start_us);

	if (is_apart || bucket - size->bucket > AW_SLICESIZE_BUCKETS)
	{
		memset(size->buckets, 0, sizeof(size->buckets));
		size->sum = 0;
		size->bucket = bucket;
	}
	while (size->bucket < bucket)
	{
		size->bucket++;
		size->sum -= *bucket_of(size);
		*bucket_of(size) = 0;
	}
}

static double *
bucket_of(AwSliceSize *size)
{
	return &size->buckets[(uint64) size->bucket % (AW_SLICESIZE_BUCKETS + 1)];
}
