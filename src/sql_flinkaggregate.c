/*
 * sql_flinkaggregate.c
 *
 * Final functions of flink.sum, flink.avg and the statistics, whose results keep
 * the type of their input, and the transitions of flink.first_value and
 * flink.last_value.
 *
 * The states are the server's: its transition, combine, serialize and inverse
 * functions do the work, so that parallel plans and moving windows are what they
 * are for its own aggregates.  Of the states that only the server can read, the
 * sum and the average are asked, and the number of inputs follows from the two.
 * A result that does not fit its type is an error, where Flink wraps around.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(aw_sql_flink_smallint_sum);
PG_FUNCTION_INFO_V1(aw_sql_flink_integer_sum);
PG_FUNCTION_INFO_V1(aw_sql_flink_bigint_sum);
PG_FUNCTION_INFO_V1(aw_sql_flink_smallint_avg);
PG_FUNCTION_INFO_V1(aw_sql_flink_integer_avg);
PG_FUNCTION_INFO_V1(aw_sql_flink_bigint_avg);
PG_FUNCTION_INFO_V1(aw_sql_flink_numeric_avg);
PG_FUNCTION_INFO_V1(aw_sql_flink_real_avg);
PG_FUNCTION_INFO_V1(aw_sql_flink_var_pop);
PG_FUNCTION_INFO_V1(aw_sql_flink_var_samp);
PG_FUNCTION_INFO_V1(aw_sql_flink_stddev_pop);
PG_FUNCTION_INFO_V1(aw_sql_flink_stddev_samp);
PG_FUNCTION_INFO_V1(aw_sql_flink_first);
PG_FUNCTION_INFO_V1(aw_sql_flink_last);

/* The fewest decimal places of an average, and those of a statistic, of numerics. */
#define MIN_AVG_SCALE 6

static Datum statistic(FunctionCallInfo fcinfo, PGFunction of_small, PGFunction of_numeric,
					   bool is_root);
static bool call_final(PGFunction final, FunctionCallInfo fcinfo, Datum *result);
static const int64 *count_and_sum(FunctionCallInfo fcinfo);
static Datum input_count(Datum sum, Datum avg);
static Datum power_of_ten(int exponent);
static bool is_zero(Datum number);
static bool is_negative(Datum number);

Datum
aw_sql_flink_smallint_sum(PG_FUNCTION_ARGS)
{
	const int64 *state = count_and_sum(fcinfo);

	if (state[0] == 0)
		PG_RETURN_NULL();
	return DirectFunctionCall1(int82, Int64GetDatum(state[1]));
}

Datum
aw_sql_flink_integer_sum(PG_FUNCTION_ARGS)
{
	const int64 *state = count_and_sum(fcinfo);

	if (state[0] == 0)
		PG_RETURN_NULL();
	return DirectFunctionCall1(int84, Int64GetDatum(state[1]));
}

Datum
aw_sql_flink_bigint_sum(PG_FUNCTION_ARGS)
{
	Datum		sum;

	if (!call_final(numeric_poly_sum, fcinfo, &sum))
		PG_RETURN_NULL();
	return DirectFunctionCall1(numeric_int8, sum);
}

Datum
aw_sql_flink_smallint_avg(PG_FUNCTION_ARGS)
{
	const int64 *state = count_and_sum(fcinfo);

	if (state[0] == 0)
		PG_RETURN_NULL();
	PG_RETURN_INT16((int16) (state[1] / state[0]));
}

Datum
aw_sql_flink_integer_avg(PG_FUNCTION_ARGS)
{
	const int64 *state = count_and_sum(fcinfo);

	if (state[0] == 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32((int32) (state[1] / state[0]));
}

Datum
aw_sql_flink_bigint_avg(PG_FUNCTION_ARGS)
{
	Datum		sum;
	Datum		avg;

	if (!call_final(numeric_poly_sum, fcinfo, &sum) ||
		!call_final(numeric_poly_avg, fcinfo, &avg))
		PG_RETURN_NULL();
	if (is_zero(sum))
		PG_RETURN_INT64(0);

	return DirectFunctionCall1(numeric_int8,
							   DirectFunctionCall2(numeric_div_trunc, sum, input_count(sum, avg)));
}

/*
 * The average, rounded half away from zero to the scale of the inputs, at least
 * MIN_AVG_SCALE.
 *
 * The server's average is rounded already: rounding it again could go wrong at a
 * half.  So the sum is divided once more, as an integer of the last decimal place.
 */
Datum
aw_sql_flink_numeric_avg(PG_FUNCTION_ARGS)
{
	Datum		sum;
	Datum		avg;
	Datum		count;
	Datum		twice;
	int			scale;

	if (!call_final(numeric_sum, fcinfo, &sum) || !call_final(numeric_avg, fcinfo, &avg))
		PG_RETURN_NULL();
	if (numeric_is_nan(DatumGetNumeric(sum)) || numeric_is_inf(DatumGetNumeric(sum)))
		return avg;

	scale = Max(DatumGetInt32(DirectFunctionCall1(numeric_scale, sum)), MIN_AVG_SCALE);
	if (is_zero(sum))
		return DirectFunctionCall2(numeric_round, sum, Int32GetDatum(scale));

	count = input_count(sum, avg);
	twice = DirectFunctionCall2(numeric_mul, DirectFunctionCall2(numeric_add, sum, sum),
								power_of_ten(scale));
	twice = DirectFunctionCall2(is_negative(sum) ? numeric_sub : numeric_add, twice, count);
	twice = DirectFunctionCall2(numeric_div_trunc, twice,
								DirectFunctionCall2(numeric_add, count, count));
	return DirectFunctionCall2(numeric_mul, twice, power_of_ten(-scale));
}

Datum
aw_sql_flink_real_avg(PG_FUNCTION_ARGS)
{
	Datum		avg;

	if (!call_final(float8_avg, fcinfo, &avg))
		PG_RETURN_NULL();
	return DirectFunctionCall1(dtof, avg);
}

Datum
aw_sql_flink_var_pop(PG_FUNCTION_ARGS)
{
	return statistic(fcinfo, numeric_poly_var_pop, numeric_var_pop, false);
}

Datum
aw_sql_flink_var_samp(PG_FUNCTION_ARGS)
{
	return statistic(fcinfo, numeric_poly_var_samp, numeric_var_samp, false);
}

Datum
aw_sql_flink_stddev_pop(PG_FUNCTION_ARGS)
{
	return statistic(fcinfo, numeric_poly_var_pop, numeric_var_pop, true);
}

Datum
aw_sql_flink_stddev_samp(PG_FUNCTION_ARGS)
{
	return statistic(fcinfo, numeric_poly_var_samp, numeric_var_samp, true);
}

/*
 * A variance, or its root, in the type that the aggregate returns: integers are cut
 * towards zero, numerics rounded.  The server's own root has 16 significant digits,
 * too few for six places of a large one.
 *
 * The server has two kinds of states: one of smallint and integer, one of bigint and
 * numeric.
 */
static Datum
statistic(FunctionCallInfo fcinfo, PGFunction of_small, PGFunction of_numeric, bool is_root)
{
	Oid			type = get_fn_expr_rettype(fcinfo->flinfo);
	bool		is_small = type == INT2OID || type == INT4OID;
	Datum		result;

	if (!call_final(is_small ? of_small : of_numeric, fcinfo, &result))
		PG_RETURN_NULL();
	if (is_root)
		result = DirectFunctionCall1(numeric_sqrt,
									 DirectFunctionCall2(numeric_round, result,
														 Int32GetDatum(2 * MIN_AVG_SCALE)));
	if (type == NUMERICOID)
		return DirectFunctionCall2(numeric_round, result, Int32GetDatum(MIN_AVG_SCALE));

	result = DirectFunctionCall2(numeric_trunc, result, Int32GetDatum(0));
	if (type == INT2OID)
		return DirectFunctionCall1(numeric_int2, result);
	return DirectFunctionCall1(type == INT4OID ? numeric_int4 : numeric_int8, result);
}

/* The state once there is one: strict, so the first input that is not NULL. */
Datum
aw_sql_flink_first(PG_FUNCTION_ARGS)
{
	return PG_GETARG_DATUM(0);
}

Datum
aw_sql_flink_last(PG_FUNCTION_ARGS)
{
	return PG_GETARG_DATUM(1);
}

/* Calls a final function of the server on the state; false if the result is NULL. */
static bool
call_final(PGFunction final, FunctionCallInfo fcinfo, Datum *result)
{
	LOCAL_FCINFO(call, 1);

	InitFunctionCallInfoData(*call, fcinfo->flinfo, 1, PG_GET_COLLATION(),
							 fcinfo->context, NULL);
	call->args[0] = fcinfo->args[0];
	*result = final(call);
	return !call->isnull;
}

/* The state of the averages of small integers: number of inputs, their sum. */
static const int64 *
count_and_sum(FunctionCallInfo fcinfo)
{
	ArrayType  *state = PG_GETARG_ARRAYTYPE_P(0);

	if (ARR_NDIM(state) != 1 || ARR_DIMS(state)[0] != 2 || ARR_HASNULL(state) ||
		ARR_SIZE(state) != ARR_OVERHEAD_NONULLS(1) + 2 * sizeof(int64))
		elog(ERROR, "state of an aggregate is not an array of two numbers");
	return (const int64 *) ARR_DATA_PTR(state);
}

/*
 * How many inputs have a sum and an average, neither being zero.
 *
 * The average has at least 16 significant digits, so the quotient is off by less
 * than a half up to 10^15 inputs.
 */
static Datum
input_count(Datum sum, Datum avg)
{
	return DirectFunctionCall2(numeric_round, DirectFunctionCall2(numeric_div, sum, avg),
							   Int32GetDatum(0));
}

/* 10^exponent, with as many decimal places as it needs. */
static Datum
power_of_ten(int exponent)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(psprintf("1e%d", exponent)),
							   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

static bool
is_zero(Datum number)
{
	return DatumGetBool(DirectFunctionCall2(numeric_eq, number,
											NumericGetDatum(int64_to_numeric(0))));
}

static bool
is_negative(Datum number)
{
	return DatumGetBool(DirectFunctionCall2(numeric_lt, number,
											NumericGetDatum(int64_to_numeric(0))));
}
