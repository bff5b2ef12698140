/*
 * aggtransition.c
 *
 * States that PostgreSQL's functions keep, through the function manager, by the rules
 * of its executor: strict functions, initial values, memory.
 *
 * A function of an aggregate asks for the memory of its state by its call context,
 * so calls are made under an AggState that is no node of any plan: only the context
 * that it points to is real.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "parser/parse_agg.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "aggtransition.h"
#include "compat.h"

static Oid	owner_of(Oid function);
static void init_functions(AwAggregates *aggregates, AwTransition *transition,
						   const Aggref *aggref, Form_pg_aggregate form, Oid owner);
static void init_initial(AwTransition *transition, Oid type, HeapTuple aggregate);
static void init_function(AwAggregates *aggregates, AwStateFunction *function, Oid oid, Expr *expr,
						  int n_args, Oid collation);
static void copy_first(AwAggregates *aggregates, const AwTransition *transition,
					   AwGeneralState *state, Datum value);
static void call_function(AwAggregates *aggregates, AwStateFunction *function,
						  const AwTransition *transition, AwGeneralState *state);
static void replace_value(AwAggregates *aggregates, const AwTransition *transition,
						  AwGeneralState *state, Datum value, bool isnull);

/* Makes the functions of an aggregate ready; they are called with the rights of its owner. */
void
aw_aggtransition_init(AwAggregates *aggregates, AwTransition *transition, const Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_aggregate form;
	Oid			owner = owner_of(aggref->aggfnoid);
	Oid			state_type = aggref->aggtranstype;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	aw_aggtransition_check(form->aggtransfn, owner);
	if (transition->kind == AW_STATE_GENERAL)
	{
		get_typlenbyval(state_type, &transition->len, &transition->is_by_value);
		transition->is_internal = (state_type == INTERNALOID);
		init_initial(transition, state_type, tuple);
		init_functions(aggregates, transition, aggref, form, owner);
	}
	ReleaseSysCache(tuple);
}

/* Makes the final function of an aggregate ready, if it has one. */
void
aw_aggtransition_init_result(AwAggregates *aggregates, AwOutcome *result, const Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_aggregate form;
	Oid			types[FUNC_MAX_ARGS];
	int			n_args = get_aggregate_argtypes(unconstify(Aggref *, aggref), types);
	Expr	   *expr;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	result->type = aggref->aggtype;
	result->has_function = OidIsValid(form->aggfinalfn);
	if (result->has_function)
	{
		aw_aggtransition_check(form->aggfinalfn, owner_of(aggref->aggfnoid));
		result->n_args = form->aggfinalextra ? n_args + 1 : 1;
		result->changes_state = (form->aggfinalmodify != AGGMODIFY_READ_ONLY);
		build_aggregate_finalfn_expr(types, result->n_args, aggref->aggtranstype,
									 aggref->aggtype, aggref->inputcollid, form->aggfinalfn,
									 &expr);
		init_function(aggregates, &result->final, form->aggfinalfn, expr, result->n_args,
					  aggref->inputcollid);
	}
	ReleaseSysCache(tuple);
}

/* The right of a role to call a function or an aggregate. */
void
aw_aggtransition_check(Oid function, Oid role)
{
	AclResult	result = aw_compat_check_execute(function, role);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, get_func_prokind(function) == PROKIND_AGGREGATE ?
					   OBJECT_AGGREGATE : OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}

/* A strict transition takes its first value as it is, and no NULL. */
void
aw_aggtransition_add(AwAggregates *aggregates, AwTransition *transition, AwGeneralState *state,
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

void
aw_aggtransition_merge(AwAggregates *aggregates, AwTransition *transition, AwGeneralState *state,
			  const AwGeneralState *other)
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

/* A final function that may change the state gets a copy, made by merging. */
Datum
aw_aggtransition_result(AwAggregates *aggregates, AwOutcome *result, AwGeneralState *state, bool *isnull)
{
	AwTransition *transition = result->transition;
	FunctionCallInfo fcinfo = result->final.fcinfo;
	AwGeneralState copy;

	if (result->has_function && result->changes_state)
	{
		copy.isnull = transition->initial_isnull;
		copy.has_no_value = transition->initial_isnull;
		copy.value = copy.isnull ? (Datum) 0 :
			datumCopy(transition->initial, transition->is_by_value, transition->len);
		aw_aggtransition_merge(aggregates, transition, &copy, state);
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

/* Appends a state; the caller resets the scratch memory, which is current. */
void
aw_aggtransition_write(AwAggregates *aggregates, AwTransition *transition,
					   const AwGeneralState *state, StringInfo buffer)
{
	AwGeneralState written = *state;
	bool		is_by_value = transition->is_by_value;
	int			len = transition->len;
	Size		size;
	char	   *end;

	appendStringInfoChar(buffer, written.has_no_value);
	if (transition->is_internal)
	{
		/* Serialization functions are strict. */
		if (!written.isnull)
			call_function(aggregates, &transition->serialize, transition, &written);
		is_by_value = false;
		len = -1;
	}

	size = datumEstimateSpace(written.value, written.isnull, is_by_value, len);
	enlargeStringInfo(buffer, size);
	end = buffer->data + buffer->len;
	datumSerialize(written.value, written.isnull, is_by_value, len, &end);
	buffer->len = end - buffer->data;
}

/* Reads a state into the current memory; returns the place behind it. */
char *
aw_aggtransition_read(AwTransition *transition, AwGeneralState *state, char *place)
{
	FunctionCallInfo fcinfo = transition->deserialize.fcinfo;

	state->has_no_value = *place++;
	state->value = datumRestore(&place, &state->isnull);
	if (!transition->is_internal || state->isnull)
		return place;

	fcinfo->args[0].value = state->value;
	fcinfo->args[0].isnull = false;
	fcinfo->args[1].value = (Datum) 0;	/* of type internal, for safety of types */
	fcinfo->args[1].isnull = false;
	fcinfo->isnull = false;
	state->value = FunctionCallInvoke(fcinfo);
	state->isnull = fcinfo->isnull;
	return place;
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
init_functions(AwAggregates *aggregates, AwTransition *transition, const Aggref *aggref,
			   Form_pg_aggregate form, Oid owner)
{
	Oid			state_type = aggref->aggtranstype;
	Oid			types[FUNC_MAX_ARGS];
	int			n_args = get_aggregate_argtypes(unconstify(Aggref *, aggref), types);
	Expr	   *expr;

	build_aggregate_transfn_expr(types, n_args, 0, aggref->aggvariadic, state_type,
								 aggref->inputcollid, form->aggtransfn, InvalidOid, &expr, NULL);
	init_function(aggregates, &transition->transition, form->aggtransfn, expr,
				  transition->n_args + 1, aggref->inputcollid);

	aw_aggtransition_check(form->aggcombinefn, owner);
	build_aggregate_transfn_expr(&state_type, 1, 0, false, state_type, aggref->inputcollid,
								 form->aggcombinefn, InvalidOid, &expr, NULL);
	init_function(aggregates, &transition->combine, form->aggcombinefn, expr, 2,
				  aggref->inputcollid);

	if (!transition->is_internal)
		return;
	aw_aggtransition_check(form->aggserialfn, owner);
	build_aggregate_serialfn_expr(form->aggserialfn, &expr);
	init_function(aggregates, &transition->serialize, form->aggserialfn, expr, 1, InvalidOid);
	aw_aggtransition_check(form->aggdeserialfn, owner);
	build_aggregate_deserialfn_expr(form->aggdeserialfn, &expr);
	init_function(aggregates, &transition->deserialize, form->aggdeserialfn, expr, 2, InvalidOid);
}

static void
init_initial(AwTransition *transition, Oid type, HeapTuple aggregate)
{
	Datum		initial = SysCacheGetAttr(AGGFNOID, aggregate, Anum_pg_aggregate_agginitval,
										  &transition->initial_isnull);
	Oid			input;
	Oid			param;

	if (transition->initial_isnull)
		return;
	getTypeInputInfo(type, &input, &param);
	transition->initial = OidInputFunctionCall(input, TextDatumGetCString(initial), param, -1);
}

static void
init_function(AwAggregates *aggregates, AwStateFunction *function, Oid oid, Expr *expr, int n_args,
			  Oid collation)
{
	fmgr_info(oid, &function->function);
	fmgr_info_set_expr((Node *) expr, &function->function);
	function->fcinfo = palloc0(SizeForFunctionCallInfo(n_args));
	InitFunctionCallInfoData(*function->fcinfo, &function->function, n_args, collation,
							 (Node *) aggregates->context, NULL);
}

/* The first value of a strict function becomes the state. */
static void
copy_first(AwAggregates *aggregates, const AwTransition *transition, AwGeneralState *state,
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
call_function(AwAggregates *aggregates, AwStateFunction *function, const AwTransition *transition,
			  AwGeneralState *state)
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
		/* Combining what is not there gives, in older minor versions, a pointer to nothing. */
		state->value = value;
		state->isnull = fcinfo->isnull ||
			(transition->is_internal && DatumGetPointer(value) == NULL);
	}
	state->has_no_value = false;
}

/* Puts a value into the memory of the states, and gives back the one before. */
static void
replace_value(AwAggregates *aggregates, const AwTransition *transition, AwGeneralState *state,
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
