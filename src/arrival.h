/*
 * arrival.h
 *
 * Puts decoded changes into a batch, row by row.
 */
#ifndef AW_ARRIVAL_H
#define AW_ARRIVAL_H

#include "access/htup.h"
#include "capture.h"

typedef struct AwArrivals AwArrivals;

extern AwArrivals *aw_arrival_create(MemoryContext parent);
extern void aw_arrival_destroy(AwArrivals *arrivals);
extern void aw_arrival_set_sources(AwArrivals *arrivals, const Oid *relids, int n_relids);
extern void aw_arrival_forget_routes(AwArrivals *arrivals);
extern void aw_arrival_refresh(AwArrivals *arrivals);
extern TupleDesc aw_arrival_columns(TupleDesc table);

extern void aw_arrival_begin_batch(AwArrivals *arrivals, MemoryContext cxt, int64 max_bytes);
extern bool aw_arrival_is_full(const AwArrivals *arrivals);
extern AwBatch *aw_arrival_end_batch(AwArrivals *arrivals, XLogRecPtr end_lsn);

/* Called while decoding, with the catalog as it was then; none raises an error. */
extern void aw_arrival_insert(AwArrivals *arrivals, Relation rel, HeapTuple tuple);
extern void aw_arrival_count_update(AwArrivals *arrivals, Relation rel);
extern void aw_arrival_count_delete(AwArrivals *arrivals, Relation rel);
extern void aw_arrival_count_truncate(AwArrivals *arrivals, Relation *rels, int n_rels);
extern void aw_arrival_commit(AwArrivals *arrivals, const AwBatchTransaction *transaction);

#endif							/* AW_ARRIVAL_H */
