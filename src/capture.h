/*
 * capture.h
 *
 * Rows as transactions commit: reads the WAL of the database that the process is
 * connected to, through a replication slot, in batches of whole transactions.
 *
 * None of it may be called inside a transaction but aw_capture_columns() and
 * aw_capture_is_covered_by().  One capture can be open in a process.
 */
#ifndef AW_CAPTURE_H
#define AW_CAPTURE_H

#include "access/tupdesc.h"
#include "access/xlogdefs.h"
#include "datatype/timestamp.h"
#include "nodes/bitmapset.h"
#include "nodes/pg_list.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"
#include "utils/tuplestore.h"

/* The library, as a slot names it. */
#define AW_CAPTURE_PLUGIN "apply_watermark"

typedef struct AwCapture AwCapture;

/* A transaction with rows or changes of the sources. */
typedef struct AwBatchTransaction
{
	TransactionId xid;
	XLogRecPtr	commit_lsn;
	XLogRecPtr	end_lsn;
	TimestampTz commit_time;
	int64		first_ordinal;	/* of its rows, over all sources */
	int64		end_ordinal;
} AwBatchTransaction;

/* Columns that had another type when a row was written, and are NULL in the batch. */
typedef struct AwMisfit
{
	int64		ordinal;		/* of the first such row of its transaction */
	Bitmapset  *columns;		/* numbers of the source's */
} AwMisfit;

/* What has come for one source. */
typedef struct AwBatchSource
{
	Oid			relid;
	TupleDesc	columns;		/* those of the table, dropped ones too, and "ordinal" */
	Tuplestorestate *rows;		/* NULL where columns is */
	int64		n_rows;
	int64		n_updates;
	int64		n_deletes;
	int64		n_truncates;
	bool		is_misfit;		/* rows of another layout have come and are not there */
	List	   *misfits;		/* AwMisfit, in the order of the rows */
	bool		is_settled;		/* else rows may be of a layout that cannot be seen yet */
} AwBatchSource;

/* Whole transactions in the order of their commits; rows in the order written. */
typedef struct AwBatch
{
	AwBatchTransaction *transactions;
	int			n_transactions;
	AwBatchSource *sources;		/* in the order of aw_capture_set_sources() */
	int			n_sources;
	int64		n_rows;
	XLogRecPtr	end_lsn;		/* where reading goes on after it */
} AwBatch;

typedef enum AwSlotState
{
	AW_SLOT_MISSING,
	AW_SLOT_READY,
	AW_SLOT_LOST,				/* its WAL is gone */
	AW_SLOT_FOREIGN				/* of another plugin or database */
} AwSlotState;

/* memory for transactions that are being decoded, in kB; beyond it they go to disk */
extern int	aw_capture_decode_memory_kb;

extern char *aw_capture_slot_name(Oid database);
extern AwSlotState aw_capture_slot_state(const char *slot, XLogRecPtr *confirmed_lsn);
extern void aw_capture_create_slot(const char *slot);
extern void aw_capture_drop_slot(const char *slot);

extern AwCapture *aw_capture_open(const char *slot, XLogRecPtr start_lsn);
extern void aw_capture_rewind(AwCapture *capture, XLogRecPtr start_lsn);
extern void aw_capture_set_sources(AwCapture *capture, const Oid *relids, int n_relids);
extern AwBatch *aw_capture_read(AwCapture *capture, MemoryContext cxt, int64 max_bytes,
								XLogRecPtr limit_lsn);
extern XLogRecPtr aw_capture_read_lsn(const AwCapture *capture);
extern TimestampTz aw_capture_seen_until(const AwCapture *capture);
extern bool aw_capture_is_behind(const AwCapture *capture);
extern bool aw_capture_is_covered_by(const AwCapture *capture, Snapshot snapshot);
extern void aw_capture_confirm(AwCapture *capture, XLogRecPtr lsn);
extern void aw_capture_close(AwCapture *capture);
extern void aw_capture_release(AwBatch *batch);

extern TupleDesc aw_capture_columns(Relation rel);

#endif							/* AW_CAPTURE_H */
