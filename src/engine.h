/*
 * engine.h
 *
 * What a worker does with what it has read: the continuous queries of its database.
 *
 * The worker calls these outside a transaction, in a context that it resets after
 * each pass.  An error that one of them raises ends the worker, which is started
 * again; errors of a query are the engine's to keep.
 */
#ifndef AW_ENGINE_H
#define AW_ENGINE_H

#include "capture.h"

/* Loads what the catalog of this extension has; before anything else, once. */
extern void aw_engine_start(Oid extension);

/* Is there a query, or a stream that is tracked?  Else the slot is dropped. */
extern bool aw_engine_is_needed(void);

/*
 * Where reading must begin, at the start, or begin again; InvalidXLogRecPtr if it
 * goes on, at the start from where the slot was confirmed.
 */
extern XLogRecPtr aw_engine_reread_lsn(void);

/*
 * A session has changed the catalog: queries come, pause, and go.  A new one reads
 * its history by a snapshot that covers the capture.  A session that waits for the
 * queries wants to see all that they have: passes write it until they have come to
 * where the WAL ends now.
 */
extern void aw_engine_reload(const AwCapture *capture);

/*
 * Where a batch must end that begins with read_lsn, so that each query has either
 * seen it as a whole or not at all; InvalidXLogRecPtr if it may end anywhere.
 */
extern XLogRecPtr aw_engine_limit_lsn(XLogRecPtr read_lsn);

/* The tables whose rows are needed, in the order of a batch's sources. */
extern const Oid *aw_engine_sources(int *n_sources);

/*
 * Processes a batch, NULL if there is none, after which all up to read_lsn has been
 * seen.  The result is what need not be read again, after a crash either.  Called
 * also when there is nothing new, so without a batch it must not write each time.
 */
extern XLogRecPtr aw_engine_pass(AwBatch *batch, XLogRecPtr read_lsn);

/* The worker ends, while it waits for rows. */
extern void aw_engine_stop(void);

#endif							/* AW_ENGINE_H */
