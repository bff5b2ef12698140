/*
 * aggown.c
 *
 * States of our own, of one size, which need no function call: count, sum, avg, min
 * and max of integers and times, and count(DISTINCT) of values that are told apart by
 * bits or bytes.  Results are those of PostgreSQL's functions to the last digit.  All
 * but min and max can be retracted exactly.
 *
 * What is done for each row and group is in aggstate.c.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#include "aggtransition.h"
#include "compat.h"

/* Aggregates with a state of our own. */
static const struct
{
	Oid			aggregate;
	AwStateKind	state;
	AwResultKind	result;
	int			width;
}			own_kinds[] = {
	{F_COUNT_, AW_STATE_COUNT_ROWS, AW_RESULT_VALUE, 0},
	{F_COUNT_ANY, AW_STATE_COUNT_VALUES, AW_RESULT_VALUE, 0},
	{F_SUM_INT2, AW_STATE_SUM, AW_RESULT_VALUE, 2},
	{F_SUM_INT4, AW_STATE_SUM, AW_RESULT_VALUE, 4},
	{F_SUM_INT8, AW_STATE_BIG_SUM, AW_RESULT_VALUE, 8},
	{F_AVG_INT2, AW_STATE_SUM, AW_RESULT_AVERAGE, 2},
	{F_AVG_INT4, AW_STATE_SUM, AW_RESULT_AVERAGE, 4},
	{F_AVG_INT8, AW_STATE_BIG_SUM, AW_RESULT_AVERAGE, 8},
	{F_MIN_INT2, AW_STATE_MIN, AW_RESULT_VALUE, 2},
	{F_MIN_INT4, AW_STATE_MIN, AW_RESULT_VALUE, 4},
	{F_MIN_INT8, AW_STATE_MIN, AW_RESULT_VALUE, 8},
	{F_MIN_DATE, AW_STATE_MIN, AW_RESULT_VALUE, 4},
	{F_MIN_TIMESTAMP, AW_STATE_MIN, AW_RESULT_VALUE, 8},
	{F_MIN_TIMESTAMPTZ, AW_STATE_MIN, AW_RESULT_VALUE, 8},
	{F_MAX_INT2, AW_STATE_MAX, AW_RESULT_VALUE, 2},
	{F_MAX_INT4, AW_STATE_MAX, AW_RESULT_VALUE, 4},
	{F_MAX_INT8, AW_STATE_MAX, AW_RESULT_VALUE, 8},
	{F_MAX_DATE, AW_STATE_MAX, AW_RESULT_VALUE, 4},
	{F_MAX_TIMESTAMP, AW_STATE_MAX, AW_RESULT_VALUE, 8},
	{F_MAX_TIMESTAMPTZ, AW_STATE_MAX, AW_RESULT_VALUE, 8},
};

static void init_distinct(AwTransition *transition, const Aggref *aggref);
static bool is_told_apart(Oid operator, Oid type, Oid collation, bool *is_bytes, int *width);
static int	own_kind_of(Oid aggregate);
static Datum make_integer(int64 value, int width);
static Numeric big_to_numeric(int128 value);
static Datum average(Numeric sum, int64 n);

/* Can states be taken out of a merged one, and the rest be as if they never were in? */
bool
aw_aggstate_is_retractable(const Aggref *aggref)
{
	int			own = own_kind_of(aggref->aggfnoid);

	return own >= 0 && own_kinds[own].state != AW_STATE_MIN && own_kinds[own].state != AW_STATE_MAX;
}

/* Is it a count(DISTINCT) that has a state of our own? */
bool
aw_aggstate_is_distinct_count(const Aggref *aggref)
{
	const Node *arg;
	bool		is_bytes;
	int			width;

	if (aggref->aggfnoid != F_COUNT_ANY || list_length(aggref->aggdistinct) != 1 ||
		list_length(aggref->args) != 1)
		return false;
	arg = (const Node *) linitial_node(TargetEntry, aggref->args)->expr;
	return is_told_apart(linitial_node(SortGroupClause, aggref->aggdistinct)->eqop,
						 exprType(arg), exprCollation(arg), &is_bytes, &width);
}

/* The kind of an aggregate's state, AW_STATE_GENERAL if it is none of our own. */
void
aw_aggown_init(AwTransition *transition, const Aggref *aggref)
{
	int			own = own_kind_of(aggref->aggfnoid);

	transition->kind = (own >= 0) ? own_kinds[own].state : AW_STATE_GENERAL;
	transition->width = (own >= 0) ? own_kinds[own].width : 0;
	if (aggref->aggdistinct != NIL)
		init_distinct(transition, aggref);
}

AwResultKind
aw_aggown_result_kind(const Aggref *aggref)
{
	int			own = own_kind_of(aggref->aggfnoid);

	return (own >= 0) ? own_kinds[own].result : AW_RESULT_GENERAL;
}

Size
aw_aggown_size(AwStateKind kind)
{
	switch (kind)
	{
		case AW_STATE_GENERAL:
			return sizeof(AwGeneralState);
		case AW_STATE_COUNT_ROWS:
		case AW_STATE_COUNT_VALUES:
			return sizeof(int64);
		case AW_STATE_SUM:
			return sizeof(AwSumState);
		case AW_STATE_BIG_SUM:
			return sizeof(AwBigSumState);
		case AW_STATE_DISTINCT:
			return sizeof(AwDistinctSet *);
		case AW_STATE_MIN:
		case AW_STATE_MAX:
			break;
	}
	return sizeof(AwExtremeState);
}

/* Values are read in scratch memory, and copied from there. */
void
aw_aggown_add_distinct(AwAggregates *aggregates, const AwTransition *transition, AwDistinctSet **set,
			 MemoryContext cxt, Datum value)
{
	MemoryContext caller;

	if (*set == NULL)
		*set = aw_distinctset_create(transition->is_bytes, cxt);
	if (!transition->is_bytes)
	{
		aw_distinctset_add(*set, make_integer(aw_aggown_integer(value, transition->width),
											  transition->width));
		return;
	}
	caller = MemoryContextSwitchTo(aggregates->scratch);
	aw_distinctset_add(*set, value);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(aggregates->scratch);
}

void
aw_aggown_merge_distinct(const AwTransition *transition, AwDistinctSet **set, MemoryContext cxt,
			   const AwDistinctSet *other)
{
	if (other == NULL)
		return;
	if (*set == NULL)
		*set = aw_distinctset_create(transition->is_bytes, cxt);
	aw_distinctset_merge(*set, other);
}

Datum
aw_aggown_result(const AwOutcome *result, const char *state, bool *isnull)
{
	const AwSumState *sum = (const AwSumState *) state;
	const AwBigSumState *big = (const AwBigSumState *) state;
	const AwExtremeState *extreme = (const AwExtremeState *) state;

	*isnull = false;
	switch (result->transition->kind)
	{
		case AW_STATE_COUNT_ROWS:
		case AW_STATE_COUNT_VALUES:
			return Int64GetDatum(*(const int64 *) state);
		case AW_STATE_SUM:
			*isnull = (sum->n == 0);
			if (*isnull)
				return (Datum) 0;
			if (result->kind == AW_RESULT_AVERAGE)
				return average(int64_to_numeric(sum->sum), sum->n);
			return Int64GetDatum(sum->sum);
		case AW_STATE_BIG_SUM:
			*isnull = (big->n == 0);
			if (*isnull)
				return (Datum) 0;
			if (result->kind == AW_RESULT_AVERAGE)
				return average(big_to_numeric(big->sum), big->n);
			return NumericGetDatum(big_to_numeric(big->sum));
		case AW_STATE_MIN:
		case AW_STATE_MAX:
			*isnull = (extreme->n == 0);
			return *isnull ? (Datum) 0 : make_integer(extreme->value, result->transition->width);
		case AW_STATE_DISTINCT:
			return Int64GetDatum(*(AwDistinctSet *const *) state == NULL ? 0 :
								 aw_distinctset_count(*(AwDistinctSet *const *) state));
		case AW_STATE_GENERAL:
			break;
	}
	elog(ERROR, "unexpected kind of state");
}

void
aw_aggown_write(const AwTransition *transition, const char *state, StringInfo buffer)
{
	const AwDistinctSet *set;

	if (transition->kind != AW_STATE_DISTINCT)
	{
		appendBinaryStringInfo(buffer, state, aw_aggown_size(transition->kind));
		return;
	}
	set = *(AwDistinctSet *const *) state;
	appendStringInfoChar(buffer, set != NULL);
	if (set != NULL)
		aw_distinctset_write(set, buffer);
}

/* Reads a state, which is zeroed; returns the place behind it. */
char *
aw_aggown_read(const AwTransition *transition, char *state, MemoryContext cxt, char *place)
{
	Size		size = aw_aggown_size(transition->kind);
	AwDistinctSet *set;

	if (transition->kind != AW_STATE_DISTINCT)
	{
		memcpy(state, place, size);
		return place + size;
	}
	if (!*place++)
		return place;
	set = aw_distinctset_create(transition->is_bytes, cxt);
	*(AwDistinctSet **) state = set;
	return unconstify(char *, aw_distinctset_read(set, place));
}

static void
init_distinct(AwTransition *transition, const Aggref *aggref)
{
	const Node *arg = (const Node *) linitial_node(TargetEntry, aggref->args)->expr;

	transition->kind = AW_STATE_DISTINCT;
	if (!is_told_apart(linitial_node(SortGroupClause, aggref->aggdistinct)->eqop, exprType(arg),
					   exprCollation(arg), &transition->is_bytes, &transition->width))
		elog(ERROR, "values of type %u are not told apart by their bits", exprType(arg));
}

/*
 * Are values equal by an operator if and only if their bits are, or their bytes?
 * Otherwise *is_bytes and *width are not set.
 */
static bool
is_told_apart(Oid operator, Oid type, Oid collation, bool *is_bytes, int *width)
{
	Oid			base = getBaseType(type);

	*is_bytes = (base == TEXTOID || base == VARCHAROID);
	if (*is_bytes)
		return get_opcode(operator) == F_TEXTEQ && OidIsValid(collation) &&
			get_collation_isdeterministic(collation);

	*width = get_typlen(base);
	return (base == INT2OID || base == INT4OID || base == INT8OID || base == DATEOID ||
			base == TIMESTAMPOID || base == TIMESTAMPTZOID || base == BOOLOID) &&
		operator == lookup_type_cache(base, TYPECACHE_EQ_OPR)->eq_opr;
}

/* The number of an aggregate among those with a state of our own, -1 if it is none. */
static int
own_kind_of(Oid aggregate)
{
	for (size_t i = 0; i < lengthof(own_kinds); i++)
	{
		if (own_kinds[i].aggregate == aggregate)
			return (int) i;
	}
	return -1;
}

static Datum
make_integer(int64 value, int width)
{
	if (width == 8)
		return Int64GetDatum(value);
	if (width == 1)
		return BoolGetDatum(value != 0);
	return (width == 4) ? Int32GetDatum((int32) value) : Int16GetDatum((int16) value);
}

/* An integer of 128 bits as a numeric, through two of 64. */
static Numeric
big_to_numeric(int128 value)
{
	const int64 unit = INT64CONST(1000000000000000000);
	Numeric		high;

	if (value >= PG_INT64_MIN && value <= PG_INT64_MAX)
		return int64_to_numeric((int64) value);

	high = big_to_numeric(value / unit);
	high = DatumGetNumeric(DirectFunctionCall2(numeric_mul, NumericGetDatum(high),
											   NumericGetDatum(int64_to_numeric(unit))));
	return DatumGetNumeric(DirectFunctionCall2(numeric_add, NumericGetDatum(high),
											   NumericGetDatum(int64_to_numeric((int64) (value % unit)))));
}

static Datum
average(Numeric sum, int64 n)
{
	return DirectFunctionCall2(numeric_div, NumericGetDatum(sum),
							   NumericGetDatum(int64_to_numeric(n)));
}
