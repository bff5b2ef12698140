/*
 * sql_flinkrow.c
 *
 * Rows as values of a named type, where PostgreSQL has no cast: ROW(...) is a record, an
 * array of them is of type record[], and a row of another table's type is not one of this.
 *
 * A row becomes one field by field, in their order, and an array element by element.
 * Other values are assigned, as INSERT would.  What that takes is looked up for each
 * value.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/parse_coerce.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(aw_sql_flink_to_row);

static Datum convert(Datum value, Oid source, Oid target, int32 typmod, bool *is_null);
static Datum convert_row(Datum value, Oid target);
static int	next_field(TupleDesc fields, int field);
static Datum convert_array(Datum value, Oid source, Oid target);
static Datum assign(Datum value, Oid source, Oid target, int32 typmod, bool *is_null);

/* to_row(value "any", type anyelement) → anyelement: the value as one of the type */
Datum
aw_sql_flink_to_row(PG_FUNCTION_ARGS)
{
	Oid			source = get_fn_expr_argtype(fcinfo->flinfo, 0);
	Oid			target = get_fn_expr_argtype(fcinfo->flinfo, 1);

	Datum		result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	result = convert(PG_GETARG_DATUM(0), source, target, -1, &fcinfo->isnull);
	PG_RETURN_DATUM(result);
}

/* Never NULL, but where a cast says so. */
static Datum
convert(Datum value, Oid source, Oid target, int32 typmod, bool *is_null)
{
	Oid			source_element = get_element_type(source);
	Oid			target_element = get_element_type(target);

	check_stack_depth();
	*is_null = false;
	if (source == target && typmod < 0)
		return value;
	if (type_is_rowtype(source) && type_is_rowtype(target))
		return convert_row(value, target);
	if (OidIsValid(source_element) && type_is_rowtype(source_element) &&
		OidIsValid(target_element) && type_is_rowtype(target_element))
		return convert_array(value, source_element, target_element);
	return assign(value, source, target, typmod, is_null);
}

/* An error if the number of fields is not the same. */
static Datum
convert_row(Datum value, Oid target)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};
	TupleDesc	source_fields = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row),
													   HeapTupleHeaderGetTypMod(row));
	TupleDesc	target_fields = lookup_rowtype_tupdesc(target, -1);
	Datum	   *source_values = palloc_array(Datum, source_fields->natts);
	bool	   *source_nulls = palloc_array(bool, source_fields->natts);
	Datum	   *values = palloc0_array(Datum, target_fields->natts);
	bool	   *nulls = palloc_array(bool, target_fields->natts);
	int			from = next_field(source_fields, -1);
	int			to = next_field(target_fields, -1);
	HeapTuple	result;

	heap_deform_tuple(&tuple, source_fields, source_values, source_nulls);
	memset(nulls, true, sizeof(bool) * target_fields->natts);
	while (from < source_fields->natts && to < target_fields->natts)
	{
		Form_pg_attribute field = TupleDescAttr(target_fields, to);

		nulls[to] = source_nulls[from];
		if (!nulls[to])
			values[to] = convert(source_values[from], TupleDescAttr(source_fields, from)->atttypid,
								 field->atttypid, field->atttypmod, &nulls[to]);
		from = next_field(source_fields, from);
		to = next_field(target_fields, to);
	}
	if (from < source_fields->natts || to < target_fields->natts)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("a row has %s fields than type %s", from < source_fields->natts ? "more" : "fewer",
						format_type_be(target))));
	result = heap_form_tuple(target_fields, values, nulls);
	ReleaseTupleDesc(source_fields);
	ReleaseTupleDesc(target_fields);
	return HeapTupleGetDatum(result);
}

/* The number of the field behind one, counted from 0; dropped ones are none. */
static int
next_field(TupleDesc fields, int field)
{
	do
		field++;
	while (field < fields->natts && TupleDescAttr(fields, field)->attisdropped);
	return field;
}

/* source and target: the types of the elements. */
static Datum
convert_array(Datum value, Oid source, Oid target)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	Datum	   *values;
	bool	   *nulls;
	int			count;
	int16		length;
	bool		by_value;
	char		align;

	get_typlenbyvalalign(source, &length, &by_value, &align);
	deconstruct_array(array, source, length, by_value, align, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		if (!nulls[i])
			values[i] = convert(values[i], source, target, -1, &nulls[i]);
	}
	get_typlenbyvalalign(target, &length, &by_value, &align);
	return PointerGetDatum(construct_md_array(values, nulls, ARR_NDIM(array), ARR_DIMS(array),
											  ARR_LBOUND(array), target, length, by_value, align));
}

/* A value that is no row: the server finds what assigns it, and that is run. */
static Datum
assign(Datum value, Oid source, Oid target, int32 typmod, bool *is_null)
{
	MemoryContext context = CurrentMemoryContext;
	EState	   *estate = CreateExecutorState();
	Datum		result;
	int16		length;
	bool		by_value;
	Node	   *expression;

	MemoryContextSwitchTo(estate->es_query_cxt);
	get_typlenbyval(source, &length, &by_value);
	expression = (Node *) makeConst(source, -1, get_typcollation(source), length, value, false,
									by_value);
	expression = coerce_to_target_type(NULL, expression, source, target, typmod,
									   COERCION_ASSIGNMENT, COERCE_IMPLICIT_CAST, -1);
	if (expression == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("a value of type %s does not become one of type %s",
						format_type_be(source), format_type_be(target))));
	result = ExecEvalExprSwitchContext(ExecPrepareExpr((Expr *) expression, estate),
									   GetPerTupleExprContext(estate), is_null);
	MemoryContextSwitchTo(context);
	get_typlenbyval(target, &length, &by_value);
	if (!*is_null)
		result = datumCopy(result, by_value, length);
	FreeExecutorState(estate);
	return result;
}
