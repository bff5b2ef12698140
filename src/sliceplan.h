/*
 * sliceplan.h
 *
 * What a slice node is to do, on the way from the planner to the executor.
 */
#ifndef AW_SLICEPLAN_H
#define AW_SLICEPLAN_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "ranklist.h"
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

/* The first column of the input is the time, or the window's start. */
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

	/* the input's columns where the node computes keys and arguments itself, else NIL */
	List	   *columns;
	List	   *inputs;			/* expressions over them, the first one for the time */

	/* only the first groups of each window are wanted, by these expressions */
	AwRankRule	rank_rule;
	int			rank_limit;		/* 0 if all are wanted */
	List	   *rank_exprs;
	List	   *rank_operators; /* of sorting */
	List	   *rank_collations;
	List	   *rank_nulls_first;
} AwSliceSpec;

extern CustomPath *aw_sliceplan_path(const AwSliceSpec *spec);
extern void aw_sliceplan_read(const CustomScan *plan, AwSliceSpec *spec);

#endif							/* AW_SLICEPLAN_H */
