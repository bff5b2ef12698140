/*
 * aggstate.h
 *
 * The states of a list of aggregates for one group, as a block of memory: add a
 * row, merge with another block, take one out again, make the results.
 *
 * A row is an array of values, in which an aggregate's arguments follow each
 * other.  A context that is given holds what the states point to; it must live as
 * long as they do.
 */
#ifndef AW_AGGSTATE_H
#define AW_AGGSTATE_H

#include "lib/stringinfo.h"
#include "nodes/primnodes.h"

typedef struct AwAggregates AwAggregates;

/* An aggregate, and where in a row its arguments are. */
typedef struct AwAggregateCall
{
	Aggref	   *aggref;
	int			first_column;
	int			filter_column;	/* -1 if it has no FILTER */
} AwAggregateCall;

extern bool aw_aggstate_is_retractable(const Aggref *aggref);
extern bool aw_aggstate_is_distinct_count(const Aggref *aggref);
extern AwAggregates *aw_aggstate_create(const AwAggregateCall *calls, int n_calls);
extern Size aw_aggstate_size(const AwAggregates *aggregates);
extern bool aw_aggstate_can_retract(const AwAggregates *aggregates);
extern bool aw_aggstate_may_grow(const AwAggregates *aggregates);
extern void aw_aggstate_begin(const AwAggregates *aggregates, char *states, MemoryContext cxt);
extern void aw_aggstate_add_row(AwAggregates *aggregates, char *states, MemoryContext cxt,
								const Datum *values, const bool *nulls);
extern void aw_aggstate_merge(AwAggregates *aggregates, char *states, MemoryContext cxt,
							  const char *others);
extern void aw_aggstate_retract(const AwAggregates *aggregates, char *states,
								const char *others);
extern void aw_aggstate_results(AwAggregates *aggregates, char *states, Datum *values,
								bool *nulls);
extern Datum aw_aggstate_result(AwAggregates *aggregates, int number, char *states,
								bool *isnull);
extern void aw_aggstate_write(AwAggregates *aggregates, const char *states, StringInfo buffer);
extern const char *aw_aggstate_read(AwAggregates *aggregates, const char *from, char *states,
									MemoryContext cxt);

#endif							/* AW_AGGSTATE_H */
