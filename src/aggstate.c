/*
 * aggstate.c
 *
 * Aggregates outside of an Agg node: transition, combine, serialization and result
 * by the rules of PostgreSQL's executor, through the function manager.  Aggregates
 * with equal transitions share a state, as the planner has numbered them.
 *
 * A function of an aggregate asks for the memory of its state by its call context,
 * so calls are made under an AggState that is no node of any plan: only the context
 * that it points to is real.
 *
 * count, sum, avg, min and max of integers and times have states of our own, of one
 * size, without a function call: results are those of PostgreSQL's functions to the
 * last digit.  So has count(DISTINCT) of values that are told apart by bits or bytes.
 * Of these, all but min and max can be retracted exactly.
 *
 * Callers check that each aggregate can be combined, and serialized if its state is
 * of type internal.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_agg.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "aggstate.h"
#include "compat.h"
#include "distinctset.h"

/* How a state is kept. */
typedef enum StateKind
{
	STATE_GENERAL,				/* GeneralState, through functions */
	STATE_COUNT_ROWS,			/* int64 */
	STATE_COUNT_VALUES,			/* int64 */
	STATE_SUM,					/* SumState, of 2 and 4 byte integers */
	STATE_BIG_SUM,				/* BigSumState, of 8 byte integers */
	STATE_MIN,					/* ExtremeState */
	STATE_MAX,					/* ExtremeState */
	STATE_DISTINCT				/* AwDistinctSet *, NULL if it is empty */
} StateKind;

/* What a state of our own becomes. */
typedef enum ResultKind
{
	RESULT_GENERAL,
	RESULT_VALUE,				/* count, sum, min, max */
	RESULT_AVERAGE
} ResultKind;

typedef struct GeneralState
{
	Datum		value;
	bool		isnull;
	bool		has_no_value;	/* a strict transition has not met a value yet */
} GeneralState;

typedef struct SumState
{
	int64		sum;
	int64		n;
} SumState;

typedef struct BigSumState
{
	int128		sum;
	int64		n;
} BigSumState;

typedef struct ExtremeState
{
	int64		value;
	int64		n;
} ExtremeState;

/* A function of an aggregate, ready to be called. */
typedef struct StateFunction
{
	FmgrInfo	function;
	FunctionCallInfo fcinfo;
} StateFunction;

typedef struct Transition
{
	StateKind	kind;
	int			number;			/* the planner's */
	int			width;			/* of an argument of our own kinds */
	bool		is_bytes;		/* the argument of STATE_DISTINCT */
	int			n_args;
	int			first_column;
	int			filter_column;
	Size		offset;			/* of the state in the block */
	int16		len;			/* of the state's type */
	bool		is_by_value;
	bool		is_internal;
	Datum		initial;
	bool		initial_isnull;
	StateFunction transition;
	StateFunction combine;
	StateFunction serialize;
	StateFunction deserialize;
} Transition;

typedef struct Outcome
{
	ResultKind	kind;
	Transition *transition;
	Oid			type;
	bool		has_function;
	StateFunction final;
	int			n_args;
	bool		changes_state;
} Outcome;

struct AwAggregates
{
	int			n_transitions;
	Transition *transitions;
	int			n_results;
	Outcome	   *results;
	Size		size;
	AggState   *context;		/* what functions see as their caller */
	ExprContext *state_cxt;		/* its memory is that of the states at hand */
	MemoryContext scratch;		/* reset after each call that may use it */
};

/* Aggregates with a state of our own. */
static const struct
{
	Oid			aggregate;
	StateKind	state;
	ResultKind	result;
	int			width;
}			own_kinds[] = {
	{F_COUNT_, STATE_COUNT_ROWS, RESULT_VALUE, 0},
	{F_COUNT_ANY, STATE_COUNT_VALUES, RESULT_VALUE, 0},
	{F_SUM_INT2, STATE_SUM, RESULT_VALUE, 2},
	{F_SUM_INT4, STATE_SUM, RESULT_VALUE, 4},
	{F_SUM_INT8, STATE_BIG_SUM, RESULT_VALUE, 8},
	{F_AVG_INT2, STATE_SUM, RESULT_AVERAGE, 2},
	{F_AVG_INT4, STATE_SUM, RESULT_AVERAGE, 4},
	{F_AVG_INT8, STATE_BIG_SUM, RESULT_AVERAGE, 8},
	{F_MIN_INT2, STATE_MIN, RESULT_VALUE, 2},
	{F_MIN_INT4, STATE_MIN, RESULT_VALUE, 4},
	{F_MIN_INT8, STATE_MIN, RESULT_VALUE, 8},
	{F_MIN_DATE, STATE_MIN, RESULT_VALUE, 4},
	{F_MIN_TIMESTAMP, STATE_MIN, RESULT_VALUE, 8},
	{F_MIN_TIMESTAMPTZ, STATE_MIN, RESULT_VALUE, 8},
	{F_MAX_INT2, STATE_MAX, RESULT_VALUE, 2},
	{F_MAX_INT4, STATE_MAX, RESULT_VALUE, 4},
	{F_MAX_INT8, STATE_MAX, RESULT_VALUE, 8},
	{F_MAX_DATE, STATE_MAX, RESULT_VALUE, 4},
	{F_MAX_TIMESTAMP, STATE_MAX, RESULT_VALUE, 8},
	{F_MAX_TIMESTAMPTZ, STATE_MAX, RESULT_VALUE, 8},
};

static void add_call(AwAggregates *aggregates, const AwAggregateCall *call);
static Oid	owner_of(Oid function);
static void check_permission(Oid function, Oid role);
static void init_transition(AwAggregates *aggregates, Transition *transition,
							const AwAggregateCall *call, Form_pg_aggregate form);
static void init_distinct(Transition *transition, const Aggref *aggref);
static bool is_told_apart(Oid operator, Oid type, Oid collation, bool *is_bytes, int *width);
static void init_initial(Transition *transition, Oid type, Oid aggregate);
static void init_result(AwAggregates *aggregates, Outcome *result, const Aggref *aggref,
						Form_pg_aggregate form);
static void init_function(AwAggregates *aggregates, StateFunction *function, Oid oid, Expr *expr,
						  int n_args, Oid collation);
static int	own_kind_of(Oid aggregate);
static Size size_of_kind(StateKind kind);
static void add_general(AwAggregates *aggregates, Transition *transition, GeneralState *state,
						const Datum *values, const bool *nulls);
static void merge_general(AwAggregates *aggregates, Transition *transition, GeneralState *state,
						  const GeneralState *other);
static void copy_first(AwAggregates *aggregates, const Transition *transition,
					   GeneralState *state, Datum value);
static void call_function(AwAggregates *aggregates, StateFunction *function,
						  const Transition *transition, GeneralState *state);
static void replace_value(AwAggregates *aggregates, const Transition *transition,
						  GeneralState *state, Datum value, bool isnull);
static void add_distinct(AwAggregates *aggregates, const Transition *transition,
						 AwDistinctSet **set, MemoryContext cxt, Datum value);
static void merge_distinct(const Transition *transition, AwDistinctSet **set, MemoryContext cxt,
						   const AwDistinctSet *other);
static void merge_own(const Transition *transition, char *state, const char *other);
static int64 read_integer(Datum value, int width);
static Datum make_integer(int64 value, int width);
static Datum result_own(const Outcome *result, const char *state, bool *isnull);
static Datum result_general(AwAggregates *aggregates, Outcome *result, GeneralState *state,
							bool *isnull);
static Numeric big_to_numeric(int128 value);
static Datum average(Numeric sum, int64 n);

/* Can states be taken out of a merged one, and the rest be as if they never were in? */
bool
aw_aggstate_is_retractable(const Aggref *aggref)
{
	int			own = own_kind_of(aggref->aggfnoid);

	return own >= 0 && own_kinds[own].state != STATE_MIN && own_kinds[own].state != STATE_MAX;
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

/* Makes aggregates ready, in the current memory context; checks the right to call them. */
AwAggregates *
aw_aggstate_create(const AwAggregateCall *calls, int n_calls)
{
	AwAggregates *aggregates = palloc0(sizeof(AwAggregates));

	aggregates->transitions = palloc0(sizeof(Transition) * Max(n_calls, 1));
	aggregates->results = palloc0(sizeof(Outcome) * Max(n_calls, 1));
	aggregates->scratch = AllocSetContextCreate(CurrentMemoryContext, "aggregate calls",
												ALLOCSET_DEFAULT_SIZES);

	aggregates->state_cxt = makeNode(ExprContext);
	aggregates->context = makeNode(AggState);
	aggregates->context->curaggcontext = aggregates->state_cxt;
	aggregates->context->tmpcontext = makeNode(ExprContext);
	aggregates->context->tmpcontext->ecxt_per_tuple_memory = aggregates->scratch;

	for (int i = 0; i < n_calls; i++)
		add_call(aggregates, &calls[i]);
	return aggregates;
}

/* Size of a block of states, a multiple of the widest alignment. */
Size
aw_aggstate_size(const AwAggregates *aggregates)
{
	return aggregates->size;
}

/* Can all states be retracted? */
bool
aw_aggstate_can_retract(const AwAggregates *aggregates)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		StateKind	kind = aggregates->transitions[i].kind;

		if (kind == STATE_GENERAL || kind == STATE_MIN || kind == STATE_MAX)
			return false;
	}
	return true;
}

/* Fills a block with the states before the first row. */
void
aw_aggstate_begin(const AwAggregates *aggregates, char *states, MemoryContext cxt)
{
	memset(states, 0, aggregates->size);
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		const Transition *transition = &aggregates->transitions[i];
		GeneralState *state = (GeneralState *) (states + transition->offset);
		MemoryContext caller;

		if (transition->kind != STATE_GENERAL)
			continue;

		state->isnull = transition->initial_isnull;
		state->has_no_value = transition->initial_isnull;
		if (state->isnull)
			continue;
		caller = MemoryContextSwitchTo(cxt);
		state->value = datumCopy(transition->initial, transition->is_by_value, transition->len);
		MemoryContextSwitchTo(caller);
	}
}

/* Adds a row to the states of its group. */
void
aw_aggstate_add_row(AwAggregates *aggregates, char *states, MemoryContext cxt,
					const Datum *values, const bool *nulls)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		Transition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;
		int			column = transition->first_column;
		int			filter = transition->filter_column;
		int64		value;

		if (filter >= 0 && (nulls[filter] || !DatumGetBool(values[filter])))
			continue;

		if (transition->kind == STATE_COUNT_ROWS)
		{
			(*(int64 *) state)++;
			continue;
		}
		if (transition->kind == STATE_GENERAL)
		{
			aggregates->state_cxt->ecxt_per_tuple_memory = cxt;
			add_general(aggregates, transition, (GeneralState *) state,
						&values[column], &nulls[column]);
			continue;
		}

		if (nulls[column])
			continue;
		if (transition->kind == STATE_DISTINCT)
		{
			add_distinct(aggregates, transition, (AwDistinctSet **) state, cxt, values[column]);
			continue;
		}
		value = read_integer(values[column], transition->width);
		if (transition->kind == STATE_COUNT_VALUES)
			(*(int64 *) state)++;
		else if (transition->kind == STATE_SUM)
		{
			((SumState *) state)->sum += value;
			((SumState *) state)->n++;
		}
		else if (transition->kind == STATE_BIG_SUM)
		{
			((BigSumState *) state)->sum += value;
			((BigSumState *) state)->n++;
		}
		else
		{
			ExtremeState *extreme = (ExtremeState *) state;

			if (extreme->n == 0 ||
				(transition->kind == STATE_MIN ? value < extreme->value : value > extreme->value))
				extreme->value = value;
			extreme->n = 1;
		}
	}
}

/* Merges other states, of later rows, into states; the others stay as they are. */
void
aw_aggstate_merge(AwAggregates *aggregates, char *states, MemoryContext cxt, const char *others)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		Transition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;
		const char *other = others + transition->offset;

		if (transition->kind == STATE_DISTINCT)
		{
			merge_distinct(transition, (AwDistinctSet **) state, cxt,
						   *(AwDistinctSet *const *) other);
			continue;
		}
		if (transition->kind != STATE_GENERAL)
		{
			merge_own(transition, state, other);
			continue;
		}
		aggregates->state_cxt->ecxt_per_tuple_memory = cxt;
		merge_general(aggregates, transition, (GeneralState *) state,
					  (const GeneralState *) other);
	}
}

/* Takes states out that were merged before; only where aw_aggstate_can_retract(). */
void
aw_aggstate_retract(const AwAggregates *aggregates, char *states, const char *others)
{
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		const Transition *transition = &aggregates->transitions[i];
		char	   *state = states + transition->offset;
		const char *other = others + transition->offset;

		if (transition->kind == STATE_DISTINCT)
		{
			if (*(AwDistinctSet *const *) other != NULL)
				aw_distinctset_retract(*(AwDistinctSet **) state, *(AwDistinctSet *const *) other);
		}
		else if (transition->kind == STATE_SUM)
		{
			((SumState *) state)->sum -= ((const SumState *) other)->sum;
			((SumState *) state)->n -= ((const SumState *) other)->n;
		}
		else if (transition->kind == STATE_BIG_SUM)
		{
			((BigSumState *) state)->sum -= ((const BigSumState *) other)->sum;
			((BigSumState *) state)->n -= ((const BigSumState *) other)->n;
		}
		else
			*(int64 *) state -= *(const int64 *) other;
	}
}

/*
 * The results of all aggregates, in the order in which they were given, in the
 * current memory context.  States can be used again afterwards.
 */
void
aw_aggstate_results(AwAggregates *aggregates, char *states, Datum *values, bool *nulls)
{
	for (int i = 0; i < aggregates->n_results; i++)
		values[i] = aw_aggstate_result(aggregates, i, states, &nulls[i]);
}

/* The result of one aggregate, by its number. */
Datum
aw_aggstate_result(AwAggregates *aggregates, int number, char *states, bool *isnull)
{
	Outcome	   *result = &aggregates->results[number];
	char	   *state = states + result->transition->offset;

	aggregates->state_cxt->ecxt_per_tuple_memory = CurrentMemoryContext;
	if (result->transition->kind == STATE_GENERAL)
		return result_general(aggregates, result, (GeneralState *) state, isnull);
	return result_own(result, state, isnull);
}

/* Appends states in a form that aw_aggstate_read() takes, for the same process. */
void
aw_aggstate_write(AwAggregates *aggregates, const char *states, StringInfo buffer)
{
	MemoryContext caller = MemoryContextSwitchTo(aggregates->scratch);

	aggregates->state_cxt->ecxt_per_tuple_memory = aggregates->scratch;
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		Transition *transition = &aggregates->transitions[i];
		GeneralState state;
		bool		is_by_value = transition->is_by_value;
		int			len = transition->len;
		Size		size;
		char	   *end;

		if (transition->kind == STATE_DISTINCT)
		{
			const AwDistinctSet *set = *(AwDistinctSet *const *) (states + transition->offset);

			appendStringInfoChar(buffer, set != NULL);
			if (set != NULL)
				aw_distinctset_write(set, buffer);
			continue;
		}
		if (transition->kind != STATE_GENERAL)
		{
			appendBinaryStringInfo(buffer, states + transition->offset,
								   size_of_kind(transition->kind));
			continue;
		}

		memcpy(&state, states + transition->offset, sizeof(state));
		appendStringInfoChar(buffer, state.has_no_value);
		if (transition->is_internal)
		{
			/* Serialization functions are strict. */
			if (!state.isnull)
				call_function(aggregates, &transition->serialize, transition, &state);
			is_by_value = false;
			len = -1;
		}

		size = datumEstimateSpace(state.value, state.isnull, is_by_value, len);
		enlargeStringInfo(buffer, size);
		end = buffer->data + buffer->len;
		datumSerialize(state.value, state.isnull, is_by_value, len, &end);
		buffer->len = end - buffer->data;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextReset(aggregates->scratch);
}

/* Fills a block from what was written at from; returns the place behind it. */
const char *
aw_aggstate_read(AwAggregates *aggregates, const char *from, char *states, MemoryContext cxt)
{
	MemoryContext caller = MemoryContextSwitchTo(cxt);
	char	   *place = unconstify(char *, from);

	aggregates->state_cxt->ecxt_per_tuple_memory = cxt;
	memset(states, 0, aggregates->size);
	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		Transition *transition = &aggregates->transitions[i];
		GeneralState *state = (GeneralState *) (states + transition->offset);
		FunctionCallInfo fcinfo = transition->deserialize.fcinfo;

		if (transition->kind == STATE_DISTINCT)
		{
			if (*place++)
			{
				AwDistinctSet *set = aw_distinctset_create(transition->is_bytes, cxt);

				place = unconstify(char *, aw_distinctset_read(set, place));
				*(AwDistinctSet **) state = set;
			}
			continue;
		}
		if (transition->kind != STATE_GENERAL)
		{
			Size		size = size_of_kind(transition->kind);

			memcpy(states + transition->offset, place, size);
			place += size;
			continue;
		}

		state->has_no_value = *place++;
		state->value = datumRestore(&place, &state->isnull);
		if (!transition->is_internal || state->isnull)
			continue;

		fcinfo->args[0].value = state->value;
		fcinfo->args[0].isnull = false;
		fcinfo->args[1].value = (Datum) 0;	/* of type internal, for safety of types */
		fcinfo->args[1].isnull = false;
		fcinfo->isnull = false;
		state->value = FunctionCallInvoke(fcinfo);
		state->isnull = fcinfo->isnull;
	}
	MemoryContextSwitchTo(caller);
	return place;
}

static void
add_call(AwAggregates *aggregates, const AwAggregateCall *call)
{
	const Aggref *aggref = call->aggref;
	Outcome	   *result = &aggregates->results[aggregates->n_results++];
	Transition *transition = NULL;
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	check_permission(aggref->aggfnoid, GetUserId());

	for (int i = 0; i < aggregates->n_transitions; i++)
	{
		if (aggregates->transitions[i].number == aggref->aggtransno)
			transition = &aggregates->transitions[i];
	}
	if (transition == NULL)
	{
		transition = &aggregates->transitions[aggregates->n_transitions++];
		init_transition(aggregates, transition, call, (Form_pg_aggregate) GETSTRUCT(tuple));
	}

	result->transition = transition;
	init_result(aggregates, result, aggref, (Form_pg_aggregate) GETSTRUCT(tuple));
	ReleaseSysCache(tuple);
}

static Oid
owner_of(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	owner = ((Form_pg_proc) GETSTRUCT(tuple))->proowner;
	ReleaseSysCache(tuple);
	return owner;
}

static void
check_permission(Oid function, Oid role)
{
	AclResult	result = aw_compat_check_execute(function, role);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}

/* The functions of an aggregate are called with the rights of its owner. */
static void
init_transition(AwAggregates *aggregates, Transition *transition, const AwAggregateCall *call,
				Form_pg_aggregate form)
{
	const Aggref *aggref = call->aggref;
	Oid			owner = owner_of(aggref->aggfnoid);
	Oid			state_type = aggref->aggtranstype;
	Oid			types[FUNC_MAX_ARGS];
	int			n_args = get_aggregate_argtypes(unconstify(Aggref *, aggref), types);
	int			own = own_kind_of(aggref->aggfnoid);
	Expr	   *expr;

	transition->number = aggref->aggtransno;
	transition->n_args = list_length(aggref->args);
	transition->first_column = call->first_column;
	transition->filter_column = call->filter_column;
	transition->kind = (own >= 0) ? own_kinds[own].state : STATE_GENERAL;
	transition->width = (own >= 0) ? own_kinds[own].width : 0;
	if (aggref->aggdistinct != NIL)
		init_distinct(transition, aggref);
	transition->offset = aggregates->size;
	aggregates->size += MAXALIGN(size_of_kind(transition->kind));

	check_permission(form->aggtransfn, owner);
	if (transition->kind != STATE_GENERAL)
		return;

	get_typlenbyval(state_type, &transition->len, &transition->is_by_value);
	transition->is_internal = (state_type == INTERNALOID);
	init_initial(transition, state_type, aggref->aggfnoid);

	build_aggregate_transfn_expr(types, n_args, 0, aggref->aggvariadic, state_type,
								 aggref->inputcollid, form->aggtransfn, InvalidOid, &expr, NULL);
	init_function(aggregates, &transition->transition, form->aggtransfn, expr,
				  transition->n_args + 1, aggref->inputcollid);

	check_permission(form->aggcombinefn, owner);
	build_aggregate_transfn_expr(&state_type, 1, 0, false, state_type, aggref->inputcollid,
								 form->aggcombinefn, InvalidOid, &expr, NULL);
	init_function(aggregates, &transition->combine, form->aggcombinefn, expr, 2,
				  aggref->inputcollid);

	if (!transition->is_internal)
		return;
	check_permission(form->aggserialfn, owner);
	build_aggregate_serialfn_expr(form->aggserialfn, &expr);
	init_function(aggregates, &transition->serialize, form->aggserialfn, expr, 1, InvalidOid);
	check_permission(form->aggdeserialfn, owner);
	build_aggregate_deserialfn_expr(form->aggdeserialfn, &expr);
	init_function(aggregates, &transition->deserialize, form->aggdeserialfn, expr, 2, InvalidOid);
}

static void
init_distinct(Transition *transition, const Aggref *aggref)
{
	const Node *arg = (const Node *) linitial_node(TargetEntry, aggref->args)->expr;

	transition->kind = STATE_DISTINCT;
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

static void
init_initial(Transition *transition, Oid type, Oid aggregate)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	Datum		initial = SysCacheGetAttr(AGGFNOID, tuple, Anum_pg_aggregate_agginitval,
										  &transition->initial_isnull);
	Oid			input;
	Oid			param;

	if (!transition->initial_isnull)
	{
		getTypeInputInfo(type, &input, &param);
		transition->initial = OidInputFunctionCall(input, TextDatumGetCString(initial), param, -1);
	}
	ReleaseSysCache(tuple);
}

static void
init_result(AwAggregates *aggregates, Outcome *result, const Aggref *aggref,
			Form_pg_aggregate form)
{
	int			own = own_kind_of(aggref->aggfnoid);
	Oid			types[FUNC_MAX_ARGS];
	int			n_args = get_aggregate_argtypes(unconstify(Aggref *, aggref), types);
	Expr	   *expr;

	result->type = aggref->aggtype;
	result->kind = (own >= 0) ? own_kinds[own].result : RESULT_GENERAL;
	result->has_function = OidIsValid(form->aggfinalfn);
	if (!result->has_function)
		return;

	check_permission(form->aggfinalfn, owner_of(aggref->aggfnoid));
	result->n_args = form->aggfinalextra ? n_args + 1 : 1;
	result->changes_state = (form->aggfinalmodify != AGGMODIFY_READ_ONLY);
	build_aggregate_finalfn_expr(types, result->n_args, aggref->aggtranstype, aggref->aggtype,
								 aggref->inputcollid, form->aggfinalfn, &expr);
	init_function(aggregates, &result->final, form->aggfinalfn, expr, result->n_args,
				  aggref->inputcollid);
}

static void
init_function(AwAggregates *aggregates, StateFunction *function, Oid oid, Expr *expr, int n_args,
			  Oid collation)
{
	fmgr_info(oid, &function->function);
	fmgr_info_set_expr((Node *) expr, &function->function);
	function->fcinfo = palloc0(SizeForFunctionCallInfo(n_args));
	InitFunctionCallInfoData(*function->fcinfo, &function->function, n_args, collation,
							 (Node *) aggregates->context, NULL);
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

static Size
size_of_kind(StateKind kind)
{
	switch (kind)
	{
		case STATE_GENERAL:
			return sizeof(GeneralState);
		case STATE_COUNT_ROWS:
		case STATE_COUNT_VALUES:
			return sizeof(int64);
		case STATE_SUM:
			return sizeof(SumState);
		case STATE_BIG_SUM:
			return sizeof(BigSumState);
		case STATE_DISTINCT:
			return sizeof(AwDistinctSet *);
		case STATE_MIN:
		case STATE_MAX:
			break;
	}
	return sizeof(ExtremeState);
}

/* A strict transition takes its first value as it is, and no NULL. */
static void
add_general(AwAggregates *aggregates, Transition *transition, GeneralState *state,
			const Datum *values, const bool *nulls)
{
	FunctionCallInfo fcinfo = transition->transition.fcinfo;

	if (transition->transition.function.fn_strict)
	{
		for (int i = 0; i < transition->n_args; i++)
		{
			if (nulls[i])
				return;
		}
		if (state->has_no_value)
		{
			copy_first(aggregates, transition, state, values[0]);
			return;
		}
		if (state->isnull)
			return;
	}

	for (int i = 0; i < transition->n_args; i++)
	{
		fcinfo->args[i + 1].value = values[i];
		fcinfo->args[i + 1].isnull = nulls[i];
	}
	call_function(aggregates, &transition->transition, transition, state);
	MemoryContextReset(aggregates->scratch);
}

static void
merge_general(AwAggregates *aggregates, Transition *transition, GeneralState *state,
			  const GeneralState *other)
{
	FunctionCallInfo fcinfo = transition->combine.fcinfo;

	if (transition->combine.function.fn_strict)
	{
		if (other->isnull)
			return;
		if (state->has_no_value)
		{
			copy_first(aggregates, transition, state, other->value);
			return;
		}
		if (state->isnull)
			return;
	}

	/* The function must not change the other state, as it might an expanded object. */
	fcinfo->args[1].value = MakeExpandedObjectReadOnly(other->value, other->isnull,
													   transition->len);
	fcinfo->args[1].isnull = other->isnull;
	call_function(aggregates, &transition->combine, transition, state);
	MemoryContextReset(aggregates->scratch);
}

/* The first value of a strict function becomes the state. */
static void
copy_first(AwAggregates *aggregates, const Transition *transition, GeneralState *state,
		   Datum value)
{
	MemoryContext caller =
		MemoryContextSwitchTo(aggregates->state_cxt->ecxt_per_tuple_memory);

	state->value = datumCopy(value, transition->is_by_value, transition->len);
	state->isnull = false;
	state->has_no_value = false;
	MemoryContextSwitchTo(caller);
}

/*
 * Calls a function on a state, the other arguments being set.  The caller resets
 * the scratch memory.
 */
static void
call_function(AwAggregates *aggregates, StateFunction *function, const Transition *transition,
			  GeneralState *state)
{
	FunctionCallInfo fcinfo = function->fcinfo;
	MemoryContext caller = MemoryContextSwitchTo(aggregates->scratch);
	Datum		value;

	fcinfo->args[0].value = state->value;
	fcinfo->args[0].isnull = state->isnull;
	fcinfo->isnull = false;
	value = FunctionCallInvoke(fcinfo);
	MemoryContextSwitchTo(caller);

	if (!transition->is_by_value && DatumGetPointer(value) != DatumGetPointer(state->value))
		replace_value(aggregates, transition, state, value, fcinfo->isnull);
	else
	{
		state->value = value;
		state->isnull = fcinfo->isnull;
	}
	state->has_no_value = false;
}

/* Puts a value into the memory of the states, and gives back the one before. */
static void
replace_value(AwAggregates *aggregates, const Transition *transition, GeneralState *state,
			  Datum value, bool isnull)
{
	MemoryContext cxt = aggregates->state_cxt->ecxt_per_tuple_memory;
	bool		is_there = !isnull &&
		DatumIsReadWriteExpandedObject(value, false, transition->len) &&
		MemoryContextGetParent(DatumGetEOHP(value)->eoh_context) == cxt;

	if (isnull)
		value = (Datum) 0;
	else if (!is_there)
	{
		MemoryContext caller = MemoryContextSwitchTo(cxt);

		value = datumCopy(value, false, transition->len);
		MemoryContextSwitchTo(caller);
	}

	if (!state->isnull)
	{
		if (DatumIsReadWriteExpandedObject(state->value, false, transition->len))
			DeleteExpandedObject(state->value);
		else
			pfree(DatumGetPointer(state->value));
	}
	state->value = value;
	state->isnull = isnull;
}

/* Values are read in scratch memory, and copied from there. */
static void
add_distinct(AwAggregates *aggregates, const Transition *transition, AwDistinctSet **set,
			 MemoryContext cxt, Datum value)
{
	MemoryContext caller;

	if (*set == NULL)
		*set = aw_distinctset_create(transition->is_bytes, cxt);
	if (!transition->is_bytes)
	{
		aw_distinctset_add(*set, make_integer(read_integer(value, transition->width),
											  transition->width));
		return;
	}
	caller = MemoryContextSwitchTo(aggregates->scratch);
	aw_distinctset_add(*set, value);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(aggregates->scratch);
}

static void
merge_distinct(const Transition *transition, AwDistinctSet **set, MemoryContext cxt,
			   const AwDistinctSet *other)
{
	if (other == NULL)
		return;
	if (*set == NULL)
		*set = aw_distinctset_create(transition->is_bytes, cxt);
	aw_distinctset_merge(*set, other);
}

static void
merge_own(const Transition *transition, char *state, const char *other)
{
	ExtremeState *extreme = (ExtremeState *) state;
	const ExtremeState *rival = (const ExtremeState *) other;

	switch (transition->kind)
	{
		case STATE_GENERAL:
		case STATE_DISTINCT:
			break;
		case STATE_COUNT_ROWS:
		case STATE_COUNT_VALUES:
			*(int64 *) state += *(const int64 *) other;
			break;
		case STATE_SUM:
			((SumState *) state)->sum += ((const SumState *) other)->sum;
			((SumState *) state)->n += ((const SumState *) other)->n;
			break;
		case STATE_BIG_SUM:
			((BigSumState *) state)->sum += ((const BigSumState *) other)->sum;
			((BigSumState *) state)->n += ((const BigSumState *) other)->n;
			break;
		case STATE_MIN:
			if (rival->n != 0 && (extreme->n == 0 || rival->value < extreme->value))
				*extreme = *rival;
			break;
		case STATE_MAX:
			if (rival->n != 0 && (extreme->n == 0 || rival->value > extreme->value))
				*extreme = *rival;
			break;
	}
}

static int64
read_integer(Datum value, int width)
{
	if (width == 8)
		return DatumGetInt64(value);
	if (width == 1)
		return DatumGetBool(value);
	return (width == 4) ? DatumGetInt32(value) : DatumGetInt16(value);
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

static Datum
result_own(const Outcome *result, const char *state, bool *isnull)
{
	const SumState *sum = (const SumState *) state;
	const BigSumState *big = (const BigSumState *) state;
	const ExtremeState *extreme = (const ExtremeState *) state;

	*isnull = false;
	switch (result->transition->kind)
	{
		case STATE_COUNT_ROWS:
		case STATE_COUNT_VALUES:
			return Int64GetDatum(*(const int64 *) state);
		case STATE_SUM:
			*isnull = (sum->n == 0);
			if (*isnull)
				return (Datum) 0;
			if (result->kind == RESULT_AVERAGE)
				return average(int64_to_numeric(sum->sum), sum->n);
			return Int64GetDatum(sum->sum);
		case STATE_BIG_SUM:
			*isnull = (big->n == 0);
			if (*isnull)
				return (Datum) 0;
			if (result->kind == RESULT_AVERAGE)
				return average(big_to_numeric(big->sum), big->n);
			return NumericGetDatum(big_to_numeric(big->sum));
		case STATE_MIN:
		case STATE_MAX:
			*isnull = (extreme->n == 0);
			return *isnull ? (Datum) 0 : make_integer(extreme->value, result->transition->width);
		case STATE_DISTINCT:
			return Int64GetDatum(*(AwDistinctSet *const *) state == NULL ? 0 :
								 aw_distinctset_count(*(AwDistinctSet *const *) state));
		case STATE_GENERAL:
			break;
	}
	elog(ERROR, "unexpected kind of state");
}

/* A final function that may change the state gets a copy, made by merging. */
static Datum
result_general(AwAggregates *aggregates, Outcome *result, GeneralState *state, bool *isnull)
{
	Transition *transition = result->transition;
	FunctionCallInfo fcinfo = result->final.fcinfo;
	GeneralState copy;

	if (result->has_function && result->changes_state)
	{
		copy.isnull = transition->initial_isnull;
		copy.has_no_value = transition->initial_isnull;
		copy.value = copy.isnull ? (Datum) 0 :
			datumCopy(transition->initial, transition->is_by_value, transition->len);
		merge_general(aggregates, transition, &copy, state);
		state = &copy;
	}

	if (!result->has_function)
	{
		*isnull = state->isnull;
		return MakeExpandedObjectReadOnly(state->value, state->isnull, transition->len);
	}

	fcinfo->args[0].value = MakeExpandedObjectReadOnly(state->value, state->isnull,
													   transition->len);
	fcinfo->args[0].isnull = state->isnull;
	for (int i = 1; i < result->n_args; i++)
	{
		fcinfo->args[i].value = (Datum) 0;
		fcinfo->args[i].isnull = true;
	}
	*isnull = true;
	if (result->final.function.fn_strict && (state->isnull || result->n_args > 1))
		return (Datum) 0;

	fcinfo->isnull = false;
	{
		Datum		value = FunctionCallInvoke(fcinfo);

		*isnull = fcinfo->isnull;
		return value;
	}
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
