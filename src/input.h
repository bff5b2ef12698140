/*
 * input.h
 *
 * What a continuous query takes in at once: rows of its source, in transactions.
 */
#ifndef AW_INPUT_H
#define AW_INPUT_H

#include "capture.h"

/* A transaction of the input. */
typedef struct AwInput
{
	TupleDesc	columns;		/* those of the source, and "ordinal" */
	Tuplestorestate *rows;		/* NULL if there are none */
	int64		n_rows;
	bool		has_own_rows;	/* they are not those of a batch */
	bool		is_dense;		/* their ordinals are 0, 1, 2, … */
	bool		is_history;		/* in no order that means anything */
	int			n_transactions;
	int64	   *transaction_ends;	/* ordinals, exclusive */
	TimestampTz *commit_times;	/* 0: unknown */
	Bitmapset  *misfits;		/* columns that are NULL because they had another type */
} AwInput;

/* Which transactions of a batch a query has yet to take in. */
typedef struct AwInputFilter
{
	XLogRecPtr	position;		/* those before it are in */
	struct AwSeen *snapshot;	/* what it sees is in; NULL if all is older */
	XLogRecPtr	snapshot_position;	/* of what comes later, it sees nothing */
} AwInputFilter;

extern AwInput *aw_input_of_batch(const AwBatch *batch, Oid source,
								  const AwInputFilter *filter);
extern void aw_input_release(AwInput *input);
extern TimestampTz aw_input_commit_time(const AwInput *input, int64 ordinal);

#endif							/* AW_INPUT_H */
