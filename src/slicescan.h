/*
 * slicescan.h
 *
 * The slice node: from a query that slicepath.c understood to a plan, and from the
 * plan to rows.
 */
#ifndef AW_SLICESCAN_H
#define AW_SLICESCAN_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "window.h"

/* What a column of the node's rows is made from. */
typedef enum AwSliceSource
{
	AW_SLICE_START,
	AW_SLICE_END,
	AW_SLICE_TIME,
	AW_SLICE_KEY,				/* with its number */
	AW_SLICE_AGGREGATE			/* with its number */
} AwSliceSource;

/*
 * What the node is to do, as lists that a plan can be copied with.  The first
 * column of the input is the time, or the window's start.
 */
typedef struct AwSliceSpec
{
	AwWindow	window;
	bool		is_zoned;		/* the time is a timestamptz */
	bool		is_start;		/* the input has the start of its window */
	bool		is_bin;			/* the window is that of date_bin() */
	bool		is_ordered;		/* windows must come in order */
	Oid			function;		/* which the node takes the place of */
	List	   *outputs;		/* expressions that the rows are known by */
	List	   *sources;		/* AwSliceSource, and */
	List	   *numbers;		/* which, for each output */
	List	   *key_columns;	/* in the input */
	List	   *key_types;
	List	   *key_collations;
	List	   *key_operators;	/* of equality */
	List	   *first_columns;	/* of arguments, for each aggregate */
	List	   *filter_columns; /* -1 for none */
	List	   *quals;			/* conditions on groups */
} AwSliceSpec;

extern void aw_slicescan_init(const int *max_windows_per_row);
extern CustomPath *aw_slicescan_path(const AwSliceSpec *spec);

#endif							/* AW_SLICESCAN_H */
