/*
 * streams.h
 *
 * The watermarks of the streams of a continuous query, and the one of the query.
 */
#ifndef AW_STREAMS_H
#define AW_STREAMS_H

#include "datatype/timestamp.h"

#include "input.h"
#include "watermark.h"

struct AwQuery;
struct AwStreamProgress;

typedef struct AwStreams AwStreams;

/* Which row moved the watermark of a stream. */
typedef struct AwMover
{
	int			stream;			/* that it came in */
	int64		ordinal;
} AwMover;

extern AwStreams *aw_streams_create(const struct AwQuery *query, int64 idle_timeout_us,
									const struct AwStreamProgress *progress);
extern void aw_streams_begin(AwStreams *streams, const AwWatermark *watermark, bool is_on_event,
							 AwInput *const *inputs);
extern void aw_streams_add(AwStreams *streams, int stream, int64 ordinal, int64 strategy_us);
extern void aw_streams_finish(AwStreams *streams);
extern AwWatermark aw_streams_before(AwStreams *streams, int64 ordinal);
extern AwWatermark aw_streams_end(AwStreams *streams);
extern AwWatermark aw_streams_watermark(const AwStreams *streams, int stream,
										TimestampTz *idle_since);
extern bool aw_streams_is_moved(const AwStreams *streams, int stream, AwMover *mover);
extern bool aw_streams_are_idle(const AwStreams *streams, TimestampTz seen_until);
extern AwWatermark aw_streams_set_idle(AwStreams *streams, TimestampTz seen_until,
									   const AwWatermark *watermark);

#endif							/* AW_STREAMS_H */
