/*
 * continuous.h
 *
 * A continuous query at work: rows in, results into the sink, state in memory.  A
 * stream that is tracked is one that has no results.
 *
 * All functions need a transaction but aw_continuous_free().  When it is rolled back,
 * the query must be freed, and loaded again.
 */
#ifndef AW_CONTINUOUS_H
#define AW_CONTINUOUS_H

#include "catalog.h"
#include "input.h"

typedef struct AwContinuous AwContinuous;

extern AwContinuous *aw_continuous_load(const AwEntry *entry);
extern void aw_continuous_free(AwContinuous *query);

extern AwProgress *aw_continuous_progress(AwContinuous *query);
extern AwContinuous *aw_continuous_load_closed(const AwEntry *entry);
extern void aw_continuous_attach(AwContinuous *query, Snapshot snapshot, XLogRecPtr position);
extern void aw_continuous_begin(AwContinuous *query, const AwBatch *batch);
extern bool aw_continuous_is_misfit(const AwContinuous *query);
extern void aw_continuous_count_changes(AwContinuous *query, const AwBatchSource *source);
extern void aw_continuous_take_in(AwContinuous *query);
extern bool aw_continuous_is_idle(const AwContinuous *query, TimestampTz seen_until);
extern void aw_continuous_set_idle(AwContinuous *query, TimestampTz seen_until);
extern void aw_continuous_drain(AwContinuous *query);
extern bool aw_continuous_must_write(const AwContinuous *query);
extern bool aw_continuous_is_overdue(const AwContinuous *query);
extern bool aw_continuous_is_changed(const AwContinuous *query);
extern XLogRecPtr aw_continuous_written_position(const AwContinuous *query);
extern bool aw_continuous_write(AwContinuous *query);

#endif							/* AW_CONTINUOUS_H */
