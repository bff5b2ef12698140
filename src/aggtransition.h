/*
 * aggtransition.h
 *
 * How aggstate.c keeps the states of aggregates: those of PostgreSQL's functions
 * (aggtransition.c), and some of our own (aggown.c).  For these files alone.
 */
#ifndef AW_AGGTRANSITION_H
#define AW_AGGTRANSITION_H

#include "aggstate.h"
#include "distinctset.h"
#include "nodes/execnodes.h"

/* How a state is kept. */
typedef enum AwStateKind
{
	AW_STATE_GENERAL,			/* AwGeneralState, through functions */
	AW_STATE_COUNT_ROWS,		/* int64 */
	AW_STATE_COUNT_VALUES,		/* int64 */
	AW_STATE_SUM,				/* AwSumState, of 2 and 4 byte integers */
	AW_STATE_BIG_SUM,			/* AwBigSumState, of 8 byte integers */
	AW_STATE_MIN,				/* AwExtremeState */
	AW_STATE_MAX,				/* AwExtremeState */
	AW_STATE_DISTINCT			/* AwDistinctSet *, NULL if it is empty */
} AwStateKind;

/* What a state of our own becomes. */
typedef enum AwResultKind
{
	AW_RESULT_GENERAL,
	AW_RESULT_VALUE,			/* count, sum, min, max */
	AW_RESULT_AVERAGE
} AwResultKind;

typedef struct AwGeneralState
{
	Datum		value;
	bool		isnull;
	bool		has_no_value;	/* a strict transition has not met a value yet */
} AwGeneralState;

typedef struct AwSumState
{
	int64		sum;
	int64		n;
} AwSumState;

typedef struct AwBigSumState
{
	int128		sum;
	int64		n;
} AwBigSumState;

typedef struct AwExtremeState
{
	int64		value;
	int64		n;
} AwExtremeState;

/* A function of an aggregate, ready to be called. */
typedef struct AwStateFunction
{
	FmgrInfo	function;
	FunctionCallInfo fcinfo;
} AwStateFunction;

typedef struct AwTransition
{
	AwStateKind kind;
	int			number;			/* the planner's */
	int			width;			/* of an argument of our own kinds */
	bool		is_bytes;		/* the argument of AW_STATE_DISTINCT */
	int			n_args;
	int			first_column;
	int			filter_column;
	Size		offset;			/* of the state in the block */
	int16		len;			/* of the state's type */
	bool		is_by_value;
	bool		is_internal;
	Datum		initial;
	bool		initial_isnull;
	AwStateFunction transition;
	AwStateFunction combine;
	AwStateFunction serialize;
	AwStateFunction deserialize;
} AwTransition;

typedef struct AwOutcome
{
	AwResultKind kind;
	AwTransition *transition;
	Oid			type;
	bool		has_function;
	AwStateFunction final;
	int			n_args;
	bool		changes_state;
} AwOutcome;

struct AwAggregates
{
	int			n_transitions;
	AwTransition *transitions;
	int			n_results;
	AwOutcome  *results;
	Size		size;
	AggState   *context;		/* what functions see as their caller */
	ExprContext *state_cxt;		/* its memory is that of the states at hand */
	MemoryContext scratch;		/* reset after each call that may use it */
};

/* aggtransition.c */
extern void aw_aggtransition_init(AwAggregates *aggregates, AwTransition *transition,
								  const Aggref *aggref);
extern void aw_aggtransition_init_result(AwAggregates *aggregates, AwOutcome *result,
										 const Aggref *aggref);
extern void aw_aggtransition_check(Oid function, Oid role);
extern void aw_aggtransition_add(AwAggregates *aggregates, AwTransition *transition,
								 AwGeneralState *state, const Datum *values, const bool *nulls);
extern void aw_aggtransition_merge(AwAggregates *aggregates, AwTransition *transition,
								   AwGeneralState *state, const AwGeneralState *other);
extern Datum aw_aggtransition_result(AwAggregates *aggregates, AwOutcome *result,
									 AwGeneralState *state, bool *isnull);
extern void aw_aggtransition_write(AwAggregates *aggregates, AwTransition *transition,
								   const AwGeneralState *state, StringInfo buffer);
extern char *aw_aggtransition_read(AwTransition *transition, AwGeneralState *state, char *place);

/* aggown.c */
extern void aw_aggown_init(AwTransition *transition, const Aggref *aggref);
extern AwResultKind aw_aggown_result_kind(const Aggref *aggref);
extern Size aw_aggown_size(AwStateKind kind);
extern void aw_aggown_add_distinct(AwAggregates *aggregates, const AwTransition *transition,
								   AwDistinctSet **set, MemoryContext cxt, Datum value);
extern void aw_aggown_merge_distinct(const AwTransition *transition, AwDistinctSet **set,
									 MemoryContext cxt, const AwDistinctSet *other);
extern Datum aw_aggown_result(const AwOutcome *result, const char *state, bool *isnull);
extern void aw_aggown_write(const AwTransition *transition, const char *state, StringInfo buffer);
extern char *aw_aggown_read(const AwTransition *transition, char *state, MemoryContext cxt,
							char *place);

/* An integer argument of 1, 2, 4 or 8 bytes. */
static inline int64
aw_aggown_integer(Datum value, int width)
{
	if (width == 8)
		return DatumGetInt64(value);
	if (width == 1)
		return DatumGetBool(value);
	return (width == 4) ? DatumGetInt32(value) : DatumGetInt16(value);
}

#endif							/* AW_AGGTRANSITION_H */
