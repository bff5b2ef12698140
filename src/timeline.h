/*
 * timeline.h
 *
 * The watermark before each row of a batch.
 */
#ifndef AW_TIMELINE_H
#define AW_TIMELINE_H

#include "watermark.h"

typedef struct AwTimeline AwTimeline;

extern AwTimeline *aw_timeline_create(const AwWatermark *start, bool is_on_event,
									  const int64 *transaction_ends, int n_transactions);
extern void aw_timeline_add(AwTimeline *timeline, int64 ordinal, int stream, int64 strategy_us);
extern void aw_timeline_finish(AwTimeline *timeline);
extern AwWatermark aw_timeline_before(AwTimeline *timeline, int64 ordinal);
extern AwWatermark aw_timeline_end(const AwTimeline *timeline, int64 *moved_by, int *stream);

#endif							/* AW_TIMELINE_H */
