/*
 * state.h
 *
 * The open windows of a continuous query: rows in, results of closed windows out.
 */
#ifndef AW_STATE_H
#define AW_STATE_H

#include "access/tupdesc.h"

#include "openslices.h"
#include "watermark.h"
#include "window.h"

/* Where a row belongs.  All times of the slice have the same windows. */
typedef struct AwPlace
{
	AwSpan		slice;
	AwSpan		first;			/* of its windows */
	AwSpan		last;
} AwPlace;

/* Finds the windows of the times of rows. */
typedef struct AwWindowFinder
{
	/* the first one after another, in the order of ends, then of starts; false if none is */
	bool		(*next) (void *arg, int64 ts_us, const AwSpan *after, AwSpan *window);
	AwSpan		(*last) (void *arg, int64 ts_us);
	void	   *arg;
} AwWindowFinder;

/* What a state is made of: rows, or states of aggregates in groups. */
typedef struct AwStateSource
{
	TupleDesc	rows;			/* columns of what is kept; NULL: states are */
	int64		n_slices;		/* of a window */
	AwAggregates *aggregates;
	int			n_results;
	const AwKeyColumn *keys;
	int			n_keys;
	AwWindowKind kind;
	int64		granule_us;
	AwWindowFinder windows;
} AwStateSource;

typedef struct AwState AwState;

/* A group of a window that closed: keys, then results of aggregates; or a row of it. */
typedef void (*AwStateEmit) (void *arg, const AwSpan *window, const Datum *values,
							 const bool *nulls);

/* What is written of a slice at once. */
typedef struct AwStatePiece
{
	AwSpan		span;
	int			number;			/* a piece with the same number replaces it */
	int64		n_rows;
} AwStatePiece;

/* What windows that closed had. */
typedef struct AwClosed
{
	int64		n_windows;		/* with rows */
	int64		n_rows;			/* that are in no open window any more */
	int64		n_groups;
} AwClosed;

extern AwState *aw_state_create(const AwStateSource *source);
extern void aw_state_resume(AwState *state, const AwWatermark *watermark);
extern bool aw_state_is_closed(const AwState *state, const AwSpan *window,
							   const AwWatermark *watermark);
extern void aw_state_add_row(AwState *state, const AwPlace *place, const AwWatermark *watermark,
							 const Datum *values, const bool *nulls);
extern void aw_state_close(AwState *state, const AwWatermark *watermark, AwStateEmit emit,
						   void *arg, AwClosed *closed);
extern bool aw_state_find_open(AwState *state, int64 ts_us, AwSpan *window);
extern int64 aw_state_count_rows(AwState *state, const AwSpan *window);
extern int64 aw_state_closed_end(const AwState *state, const AwWatermark *watermark);

extern bool aw_state_write_next(AwState *state, int *cursor, AwStatePiece *piece,
								StringInfo buffer);
extern void aw_state_read(AwState *state, const AwStatePiece *piece, const char *from, Size size);

#endif							/* AW_STATE_H */
