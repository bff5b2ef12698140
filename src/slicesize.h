/*
 * slicesize.h
 *
 * How much memory slices on disk will take when windows are made of them.
 */
#ifndef AW_SLICESIZE_H
#define AW_SLICESIZE_H

#include "lib/hyperloglog.h"

#define AW_SLICESIZE_BUCKETS	64

/* What is known of all slices, and how windows are made of them. */
typedef struct AwSliceScale
{
	int64		reach_us;		/* slices of a window start within this time */
	bool		holds_slices;	/* all slices of a window are in memory at once */
	bool		has_sums;		/* so are states for all of its keys */
	bool		has_growing_sums;	/* which may be as large as those of all slices together */
	double		per_byte;		/* memory for a byte on disk */
	double		per_key;		/* memory for the states of a key */
} AwSliceScale;

/* What has been seen of some slices, in the order of time. */
typedef struct AwSliceSize
{
	const AwSliceScale *scale;
	int64		n_records;
	bool		has_slice;
	int64		start_us;		/* of the last slice */
	double		slice;			/* its bytes in memory */
	double		widest_slice;
	int64		bucket;			/* of time, the newest one */
	double		buckets[AW_SLICESIZE_BUCKETS + 1];
	double		sum;			/* of the buckets */
	double		widest;			/* sum */
	hyperLogLogState keys;
	hyperLogLogState groups;
} AwSliceSize;

extern void aw_slicesize_init(AwSliceSize *size);
extern void aw_slicesize_free(AwSliceSize *size);
extern bool aw_slicesize_begin_slice(AwSliceSize *size, int64 start_us);
extern void aw_slicesize_add_bytes(AwSliceSize *size, double n_bytes);
extern void aw_slicesize_add_group(AwSliceSize *size, int64 start_us, uint32 hash);
extern double aw_slicesize_n_keys(AwSliceSize *size);
extern double aw_slicesize_memory(AwSliceSize *size);

#endif							/* AW_SLICESIZE_H */
