/*
 * state.h
 *
 * The open windows of a continuous query: rows in, results of closed windows out.
 */
#ifndef AW_STATE_H
#define AW_STATE_H

#include "openslices.h"
#include "watermark.h"
#include "window.h"

typedef struct AwState AwState;

/* A group of a window that closed: keys, then results of aggregates. */
typedef void (*AwStateEmit) (void *arg, const AwSpan *span, const Datum *values,
							 const bool *nulls);

/* What windows that closed had. */
typedef struct AwClosed
{
	int64		n_windows;
	int64		n_rows;
	int64		n_groups;
} AwClosed;

extern AwState *aw_state_create(AwAggregates *aggregates, int n_results, const AwKeyColumn *keys,
								int n_keys, int64 granule_us);
extern bool aw_state_is_closed(const AwState *state, const AwSpan *span,
							   const AwWatermark *watermark);
extern void aw_state_add_row(AwState *state, const AwSpan *span, const Datum *values,
							 const bool *nulls);
extern void aw_state_close(AwState *state, const AwWatermark *watermark, AwStateEmit emit,
						   void *arg, AwClosed *closed);
extern int64 aw_state_closed_end(const AwState *state, const AwWatermark *watermark);

extern AwOpenSlice *aw_state_next_dirty(AwState *state, int *cursor);
extern void aw_state_write(AwState *state, const AwOpenSlice *slice, StringInfo buffer);
extern void aw_state_read(AwState *state, const AwSpan *span, int64 n_rows, const char *from,
						  Size size);

#endif							/* AW_STATE_H */
