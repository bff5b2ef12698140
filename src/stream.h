/*
 * stream.h
 *
 * One stream of a continuous query at work.
 */
#ifndef AW_STREAM_H
#define AW_STREAM_H

#include "catalog.h"
#include "input.h"
#include "latejournal.h"
#include "part.h"
#include "query.h"
#include "streams.h"

typedef struct AwStream
{
	int			number;			/* in the query */
	const struct AwStream *all; /* those of the query */
	AwQuery    *query;
	AwPart	   *part;			/* that its rows come to */
	AwStreams  *watermarks;		/* of all streams */
	AwStreamProgress *progress;
	bool		keeps_late;		/* late rows are kept, else only counted */
	int64		max_future_us;	/* rows so far ahead of their commit are set aside; 0: none */
	bool		is_rebuilding;	/* the history is read for open windows alone */
	MemoryContext moved_by_cxt; /* of the row that moved the watermark */

	/* while rows are taken in */
	AwInput    *input;
	struct AwHorizon *horizon;
	AwLateJournal *late;
} AwStream;

extern void aw_stream_note_watermarks(AwStream *stream);
extern void aw_stream_take_in(AwStream *stream, AwLateRows *late_rows);
extern void aw_stream_note_progress(AwStream *stream);

#endif							/* AW_STREAM_H */
