/*
 * sql_flinkscalar.c
 *
 * Flink's other functions of values that SQL cannot say, or not quickly: LEAST and
 * GREATEST, CONCAT, JSON that may be malformed, SHA1, and Java's random numbers.
 */
#include "postgres.h"

#include "common/cryptohash.h"
#include "common/sha1.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(aw_sql_flink_least);
PG_FUNCTION_INFO_V1(aw_sql_flink_greatest);
PG_FUNCTION_INFO_V1(aw_sql_flink_concat);
PG_FUNCTION_INFO_V1(aw_sql_flink_concat_ws);
PG_FUNCTION_INFO_V1(aw_sql_flink_json);
PG_FUNCTION_INFO_V1(aw_sql_flink_json_text);
PG_FUNCTION_INFO_V1(aw_sql_flink_is_json);
PG_FUNCTION_INFO_V1(aw_sql_flink_sha1);
PG_FUNCTION_INFO_V1(aw_sql_flink_rand);
PG_FUNCTION_INFO_V1(aw_sql_flink_rand_integer);

/* java.util.Random: a linear congruential generator of 48 bits. */
#define RANDOM_MULTIPLIER UINT64CONST(0x5DEECE66D)
#define RANDOM_MASK ((UINT64CONST(1) << 48) - 1)

static Datum extreme(FunctionCallInfo fcinfo, int sign);
static bool join_texts(StringInfo buf, ArrayType *array, const char *separator, bool skips_null);
static uint64 *random_state(FunctionCallInfo fcinfo);
static int	random_bits(uint64 *state, int bits);

/*
 * least(VARIADIC values), greatest(VARIADIC values): NULL if any value is
 */
Datum
aw_sql_flink_least(PG_FUNCTION_ARGS)
{
	return extreme(fcinfo, -1);
}

Datum
aw_sql_flink_greatest(PG_FUNCTION_ARGS)
{
	return extreme(fcinfo, 1);
}

static Datum
extreme(FunctionCallInfo fcinfo, int sign)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	TypeCacheEntry *type = lookup_type_cache(ARR_ELEMTYPE(array), TYPECACHE_CMP_PROC_FINFO);
	Datum	   *values;
	bool	   *nulls;
	int			count;
	int			best = 0;

	if (!OidIsValid(type->cmp_proc_finfo.fn_oid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify a comparison function for type %s",
						format_type_be(ARR_ELEMTYPE(array)))));
	deconstruct_array(array, ARR_ELEMTYPE(array), type->typlen, type->typbyval, type->typalign,
					  &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		if (nulls[i])
			PG_RETURN_NULL();
		if (DatumGetInt32(FunctionCall2Coll(&type->cmp_proc_finfo, PG_GET_COLLATION(),
											values[i], values[best])) * sign > 0)
			best = i;
	}
	if (count == 0)
		PG_RETURN_NULL();
	return values[best];
}

/*
 * concat(VARIADIC parts text[]): NULL if any part is
 */
Datum
aw_sql_flink_concat(PG_FUNCTION_ARGS)
{
	StringInfoData buf;

	initStringInfo(&buf);
	if (!join_texts(&buf, PG_GETARG_ARRAYTYPE_P(0), "", false))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text_with_len(buf.data, buf.len));
}

/*
 * concat_ws(separator text, VARIADIC parts text[]): without the parts that are NULL
 */
Datum
aw_sql_flink_concat_ws(PG_FUNCTION_ARGS)
{
	StringInfoData buf;

	initStringInfo(&buf);
	join_texts(&buf, PG_GETARG_ARRAYTYPE_P(1), text_to_cstring(PG_GETARG_TEXT_PP(0)), true);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(buf.data, buf.len));
}

/* Appends the texts of an array; false at a NULL that is not to be skipped. */
static bool
join_texts(StringInfo buf, ArrayType *array, const char *separator, bool skips_null)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;
	bool		is_first = true;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		text	   *part;

		if (nulls[i] && !skips_null)
			return false;
		if (nulls[i])
			continue;
		part = DatumGetTextPP(values[i]);
		if (!is_first)
			appendStringInfoString(buf, separator);
		appendBinaryStringInfo(buf, VARDATA_ANY(part), VARSIZE_ANY_EXHDR(part));
		is_first = false;
	}
	return true;
}

/*
 * flink_json(value text) RETURNS jsonb: NULL if the text is malformed
 */
Datum
aw_sql_flink_json(PG_FUNCTION_ARGS)
{
	char	   *json = text_to_cstring(PG_GETARG_TEXT_PP(0));

	if (!aw_compat_is_json(json, strlen(json)))
		PG_RETURN_NULL();
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
}

/*
 * flink_json_text(value jsonb) RETURNS text: without white space between its parts
 */
Datum
aw_sql_flink_json_text(PG_FUNCTION_ARGS)
{
	Jsonb	   *json = PG_GETARG_JSONB_P(0);
	char	   *spaced = JsonbToCString(NULL, &json->root, VARSIZE(json));
	char	   *compact = spaced;
	bool		is_in_string = false;

	for (const char *c = spaced; *c != '\0'; c++)
	{
		if (*c == '"')
			is_in_string = !is_in_string;
		if (*c == ' ' && !is_in_string)
			continue;
		*compact++ = *c;
		if (*c == '\\')
			*compact++ = *++c;
	}
	PG_RETURN_TEXT_P(cstring_to_text_with_len(spaced, compact - spaced));
}

/*
 * is_json(value text) RETURNS boolean: false for NULL
 */
Datum
aw_sql_flink_is_json(PG_FUNCTION_ARGS)
{
	char	   *json;

	if (PG_ARGISNULL(0))
		PG_RETURN_BOOL(false);
	json = text_to_cstring(PG_GETARG_TEXT_PP(0));
	PG_RETURN_BOOL(aw_compat_is_json(json, strlen(json)));
}

/*
 * flink_sha1(value bytea) RETURNS bytea
 */
Datum
aw_sql_flink_sha1(PG_FUNCTION_ARGS)
{
	bytea	   *value = PG_GETARG_BYTEA_PP(0);
	pg_cryptohash_ctx *hash = pg_cryptohash_create(PG_SHA1);
	bytea	   *result = palloc(VARHDRSZ + SHA1_DIGEST_LENGTH);

	SET_VARSIZE(result, VARHDRSZ + SHA1_DIGEST_LENGTH);
	if (pg_cryptohash_init(hash) < 0 ||
		pg_cryptohash_update(hash, (const uint8 *) VARDATA_ANY(value),
							 VARSIZE_ANY_EXHDR(value)) < 0 ||
		pg_cryptohash_final(hash, (uint8 *) VARDATA(result), SHA1_DIGEST_LENGTH) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute hash: %s", pg_cryptohash_error(hash))));
	pg_cryptohash_free(hash);
	PG_RETURN_BYTEA_P(result);
}

/*
 * rand(seed integer) RETURNS double precision: the next of Java's numbers from 0 to
 * below 1; each call in a statement has a sequence of its own
 */
Datum
aw_sql_flink_rand(PG_FUNCTION_ARGS)
{
	uint64	   *state = random_state(fcinfo);
	int64		high = random_bits(state, 26);

	PG_RETURN_FLOAT8((double) ((high << 27) + random_bits(state, 27)) /
					 (double) (INT64CONST(1) << 53));
}

/*
 * rand_integer(seed integer, bound integer) RETURNS integer: from 0 to below bound
 */
Datum
aw_sql_flink_rand_integer(PG_FUNCTION_ARGS)
{
	uint64	   *state = random_state(fcinfo);
	int32		bound = PG_GETARG_INT32(1);
	int64		bits;

	if (bound <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bound of rand_integer must be positive")));
	if ((bound & (bound - 1)) == 0)
		PG_RETURN_INT32((int32) (((int64) bound * random_bits(state, 31)) >> 31));

	/* Numbers above the last multiple of the bound would favour the small ones. */
	do
		bits = random_bits(state, 31);
	while (bits - bits % bound + (bound - 1) > PG_INT32_MAX);
	PG_RETURN_INT32((int32) (bits % bound));
}

/* The state of this call's generator, begun with the seed in its first argument. */
static uint64 *
random_state(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
	{
		uint64	   *state = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(uint64));

		*state = ((uint64) (int64) PG_GETARG_INT32(0) ^ RANDOM_MULTIPLIER) & RANDOM_MASK;
		fcinfo->flinfo->fn_extra = state;
	}
	return fcinfo->flinfo->fn_extra;
}

static int
random_bits(uint64 *state, int bits)
{
	*state = (*state * RANDOM_MULTIPLIER + 0xB) & RANDOM_MASK;
	return (int) (*state >> (48 - bits));
}
