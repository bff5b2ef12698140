/*
 * datagen.c
 *
 * The rows of Flink's connector datagen, for a row type and the connector's options.
 *
 * A row is a function of the options and its number alone: each column draws from a
 * sequence of numbers that starts from a hash of the seed, the column's name and the
 * row's number.  So the rows are the same in every scan, on every machine and version.
 * Times do not come from the clock, but advance from start-time with the rows.
 *
 * Columns of arrays have a generator for their elements, those of rows one for each
 * part; options name them column.element and column.part.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "datagen.h"
#include "option.h"

/* Flink's defaults; the seconds are those of a table that it would never end. */
#define DEFAULT_ROWS_PER_SECOND 10000
#define DEFAULT_SECONDS 10
#define DEFAULT_TEXT_LENGTH 100
#define DEFAULT_ARRAY_LENGTH 3
#define MAX_LENGTH (10 * 1024 * 1024)

/* Decimal digits that fit into an int64 without care. */
#define MAX_DIGITS 18

/* The generator of a column, of the elements of an array or of a part of a row. */
typedef struct Field
{
	const char *path;			/* its name in options; NULL: none, it stays NULL */
	uint64		salt;			/* differs between fields */
	Oid			domain;			/* which values must fit; invalid if the type is none */
	Oid			type;			/* without domains */
	int32		typmod;
	double		null_rate;
	bool		is_sequence;
	int64		min;			/* of whole numbers, decimals without their point, and sequences */
	int64		max;
	int			scale;			/* of decimals */
	double		float_min;
	double		float_max;
	int			length;
	bool		is_var_len;
	int64		max_past_us;
	TupleDesc	rowtype;
	struct Field *parts;		/* of a row: one per attribute; of an array: one */
} Field;

struct AwDatagen
{
	int64		rows_per_second;
	int64		n_rows;
	Timestamp	start_time;
	uint64		seed;
	AwOptions  *options;		/* while the fields are made */
	Field		row;
};

static void make_parts(AwDatagen *datagen, Field *row, const char *path);
static void set_type(Field *field, Oid type, int32 typmod);
static void make_column(AwDatagen *datagen, Field *field, const char *path);
static void make_field(AwDatagen *datagen, Field *field, const char *path);
static void make_sequence(AwDatagen *datagen, Field *field);
static int64 sequence_bound(AwDatagen *datagen, const Field *field, const char *name);
static void sequence_limits(const Field *field, int64 *min, int64 *max);
static bool whole_limits(Oid type, int64 *min, int64 *max);
static void decimal_digits(int32 typmod, int *precision, int *scale);
static int64 power_of_ten(int exponent);
static void make_whole(AwDatagen *datagen, Field *field);
static void make_decimal(AwDatagen *datagen, Field *field);
static int64 unscaled_option(const AwOption *option, int scale, int64 bound, PGFunction round);
static void make_float(AwDatagen *datagen, Field *field);
static void make_length(AwDatagen *datagen, Field *field, int length);
static void make_timestamp_field(AwDatagen *datagen, Field *field);
static void make_array(AwDatagen *datagen, Field *field);
static void refuse_range(const char *path, const char *low, const char *low_text,
						 const char *high, const char *high_text);
static void refuse_type(const Field *field, const char *kind);
static uint64 hash_of(uint64 seed, const char *text);
static uint64 mixed(uint64 bits);
static uint64 next_number(uint64 *state);
static double next_fraction(uint64 *state);
static int64 next_between(uint64 *state, int64 min, int64 max);
static void generate_row(const AwDatagen *datagen, const Field *row, int64 number, uint64 state,
						 Datum *values, bool *nulls);
static bool generate(const AwDatagen *datagen, const Field *field, int64 number, uint64 state,
					 Datum *value);
static bool generate_any(const AwDatagen *datagen, const Field *field, int64 number, uint64 state,
						 Datum *value);
static Datum generate_sequence(const Field *field, int64 number);
static Datum generate_random(const AwDatagen *datagen, const Field *field, int64 number,
							 uint64 state);
static Datum random_decimal(const Field *field, uint64 *state);
static double random_float(const Field *field, uint64 *state);
static Datum random_text(const Field *field, uint64 *state);
static Datum random_bytes(const Field *field, uint64 *state);
static Timestamp random_time(const AwDatagen *datagen, const Field *field, int64 number,
							 uint64 *state);
static Datum random_array(const AwDatagen *datagen, const Field *field, int64 number,
						  uint64 state);
static Datum random_row(const AwDatagen *datagen, const Field *field, int64 number,
						uint64 state);

/*
 * A generator of rows, in the current memory context.  Columns that are dropped or
 * generated stay NULL.  Raises the error for options that are unknown or wrong, and
 * for columns of types that are not generated.
 */
AwDatagen *
aw_datagen_create(TupleDesc rowtype, AwOptions *options)
{
	AwDatagen  *datagen = palloc0(sizeof(AwDatagen));
	const AwOption *option;
	int64		default_rows;

	option = aw_option_find(options, NULL, "rows-per-second");
	datagen->rows_per_second = option ?
		aw_option_integer(option, 1, PG_INT64_MAX / DEFAULT_SECONDS) : DEFAULT_ROWS_PER_SECOND;
	option = aw_option_find(options, NULL, "seed");
	datagen->seed = option ? aw_option_integer(option, PG_INT64_MIN, PG_INT64_MAX) : 0;
	option = aw_option_find(options, NULL, "start-time");
	datagen->start_time = option ? aw_option_timestamp(option) :
		(date2j(2024, 1, 1) - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY;

	default_rows = datagen->rows_per_second * DEFAULT_SECONDS;
	datagen->n_rows = PG_INT64_MAX;
	option = aw_option_find(options, NULL, "number-of-rows");
	if (option != NULL)
		default_rows = datagen->n_rows = aw_option_integer(option, 0, PG_INT64_MAX);

	datagen->options = options;
	datagen->row.rowtype = rowtype;
	make_parts(datagen, &datagen->row, NULL);
	datagen->options = NULL;
	aw_option_check_known(options, "datagen");

	/* Sequences have shortened a table that would have no end. */
	if (datagen->n_rows == PG_INT64_MAX)
		datagen->n_rows = default_rows;
	return datagen;
}

int64
aw_datagen_n_rows(const AwDatagen *datagen)
{
	return datagen->n_rows;
}

/* The row of a number, from 0; in the current memory context. */
void
aw_datagen_row(const AwDatagen *datagen, int64 number, Datum *values, bool *nulls)
{
	generate_row(datagen, &datagen->row, number, 0, values, nulls);
}

/* Makes the fields of a row type. */
static void
make_parts(AwDatagen *datagen, Field *row, const char *path)
{
	row->parts = palloc0(sizeof(Field) * Max(row->rowtype->natts, 1));
	for (int i = 0; i < row->rowtype->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(row->rowtype, i);
		Field	   *part = &row->parts[i];

		if (attribute->attisdropped || attribute->attgenerated != '\0')
			continue;

		set_type(part, attribute->atttypid, attribute->atttypmod);
		if (path == NULL)
			make_column(datagen, part, pstrdup(NameStr(attribute->attname)));
		else
			make_field(datagen, part, psprintf("%s.%s", path, NameStr(attribute->attname)));
	}
}

static void
set_type(Field *field, Oid type, int32 typmod)
{
	field->typmod = typmod;
	field->type = getBaseTypeAndTypmod(type, &field->typmod);
	field->domain = field->type == type ? InvalidOid : type;
}

/* Makes the field of a column, which alone may be a sequence. */
static void
make_column(AwDatagen *datagen, Field *field, const char *path)
{
	const AwOption *kind = aw_option_find(datagen->options, path, "kind");

	field->is_sequence = kind != NULL && aw_option_either(kind, "sequence", "random");
	if (!field->is_sequence)
	{
		make_field(datagen, field, path);
		return;
	}
	field->path = path;
	make_sequence(datagen, field);
}

static void
make_field(AwDatagen *datagen, Field *field, const char *path)
{
	const AwOption *null_rate = aw_option_find(datagen->options, path, "null-rate");

	check_stack_depth();
	field->path = path;
	field->salt = hash_of(datagen->seed, path);
	field->null_rate = null_rate ? aw_option_number(null_rate, 0, 1) : 0;
	switch (field->type)
	{
		case BOOLOID:
		case DATEOID:
		case TIMEOID:
			return;
		case INT2OID:
		case INT4OID:
		case INT8OID:
			make_whole(datagen, field);
			return;
		case NUMERICOID:
			make_decimal(datagen, field);
			return;
		case FLOAT4OID:
		case FLOAT8OID:
			make_float(datagen, field);
			return;
		case TEXTOID:
		case VARCHAROID:
		case BYTEAOID:
			make_length(datagen, field,
						field->typmod >= 0 ? field->typmod - VARHDRSZ : DEFAULT_TEXT_LENGTH);
			return;
		case BPCHAROID:
			field->length = field->typmod >= 0 ? field->typmod - VARHDRSZ : 1;
			return;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			make_timestamp_field(datagen, field);
			return;
		default:
			if (OidIsValid(get_element_type(field->type)))
				make_array(datagen, field);
			else if (get_typtype(field->type) == TYPTYPE_COMPOSITE)
			{
				field->rowtype = lookup_rowtype_tupdesc_copy(field->type, field->typmod);
				make_parts(datagen, field, path);
			}
			else
				refuse_type(field, "random");
	}
}

/* A sequence ends the table with its own end. */
static void
make_sequence(AwDatagen *datagen, Field *field)
{
	field->min = sequence_bound(datagen, field, "start");
	field->max = sequence_bound(datagen, field, "end");
	if (field->min > field->max)
		refuse_range(field->path, "start", psprintf(INT64_FORMAT, field->min),
					 "end", psprintf(INT64_FORMAT, field->max));

	if ((uint64) field->max - (uint64) field->min < (uint64) datagen->n_rows)
		datagen->n_rows = field->max - field->min + 1;
}

static int64
sequence_bound(AwDatagen *datagen, const Field *field, const char *name)
{
	const AwOption *option = aw_option_find(datagen->options, field->path, name);
	int64		min = 0;
	int64		max = 0;

	sequence_limits(field, &min, &max);
	if (option == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("option \"fields.%s.%s\" is missing", field->path, name),
				 errdetail("A sequence needs its start and its end.")));
	return aw_option_integer(option, min, max);
}

/* The whole numbers that fit into a type; an error for one that has no sequence. */
static void
sequence_limits(const Field *field, int64 *min, int64 *max)
{
	int			precision;
	int			scale;

	switch (field->type)
	{
		case NUMERICOID:
			decimal_digits(field->typmod, &precision, &scale);
			*max = power_of_ten(precision - scale) - 1;
			*min = -*max;
			return;
		case VARCHAROID:
		case BPCHAROID:
			*max = power_of_ten(field->typmod >= 0 ? field->typmod - VARHDRSZ : MAX_DIGITS) - 1;
			*min = -(*max / 10);	/* the sign takes a place */
			return;
		case TEXTOID:
		case BYTEAOID:
			*max = PG_INT64_MAX;
			*min = PG_INT64_MIN;
			return;
		case FLOAT4OID:
		case FLOAT8OID:
			*max = INT64CONST(1) << (field->type == FLOAT4OID ? FLT_MANT_DIG : DBL_MANT_DIG);
			*min = -*max;
			return;
		default:
			if (!whole_limits(field->type, min, max))
				refuse_type(field, "sequence");
	}
}

/* The range of a type of whole numbers; false for other types. */
static bool
whole_limits(Oid type, int64 *min, int64 *max)
{
	switch (type)
	{
		case INT2OID:
			*min = PG_INT16_MIN;
			*max = PG_INT16_MAX;
			return true;
		case INT4OID:
			*min = PG_INT32_MIN;
			*max = PG_INT32_MAX;
			return true;
		case INT8OID:
			*min = PG_INT64_MIN;
			*max = PG_INT64_MAX;
			return true;
		default:
			return false;
	}
}

/* Precision and scale of a decimal: Flink's DECIMAL without them is DECIMAL(10, 0). */
static void
decimal_digits(int32 typmod, int *precision, int *scale)
{
	*precision = 10;
	*scale = 0;
	if (typmod < 0)
		return;
	*precision = ((typmod - VARHDRSZ) >> 16) & 0xffff;
	*scale = (((typmod - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;
}

/* A power of ten, of the exponents from 0 to MAX_DIGITS the nearest. */
static int64
power_of_ten(int exponent)
{
	int64		power = 1;

	for (int i = 0; i < Min(exponent, MAX_DIGITS); i++)
		power *= 10;
	return power;
}

static void
make_whole(AwDatagen *datagen, Field *field)
{
	const AwOption *min = aw_option_find(datagen->options, field->path, "min");
	const AwOption *max = aw_option_find(datagen->options, field->path, "max");
	int64		least = 0;
	int64		greatest = 0;

	(void) whole_limits(field->type, &least, &greatest);
	field->min = min ? aw_option_integer(min, least, greatest) : least;
	field->max = max ? aw_option_integer(max, least, greatest) : greatest;
	if (field->min > field->max)
		refuse_range(field->path, "min", psprintf(INT64_FORMAT, field->min),
					 "max", psprintf(INT64_FORMAT, field->max));
}

/* Decimals are drawn as whole numbers, of up to MAX_DIGITS, and get their point last. */
static void
make_decimal(AwDatagen *datagen, Field *field)
{
	const AwOption *min = aw_option_find(datagen->options, field->path, "min");
	const AwOption *max = aw_option_find(datagen->options, field->path, "max");
	int			precision;
	int			scale;
	int			zeros;			/* before the point, where the scale is negative */
	int64		bound;

	decimal_digits(field->typmod, &precision, &scale);
	field->scale = Max(0, Min(scale, MAX_DIGITS));
	zeros = Max(0, Min(-scale, MAX_DIGITS));
	precision = Min(precision - Max(0, scale - MAX_DIGITS), MAX_DIGITS - zeros);
	bound = (power_of_ten(precision) - 1) * power_of_ten(zeros);
	field->min = min ? unscaled_option(min, field->scale, bound, numeric_ceil) : 0;
	field->max = max ? unscaled_option(max, field->scale, bound, numeric_floor) : bound;
	if (field->min > field->max)
		refuse_range(field->path, "min", min ? min->value : "0",
					 "max", max ? max->value : "the greatest");
}

/* An option times ten to the scale, within bound and rounded inwards. */
static int64
unscaled_option(const AwOption *option, int scale, int64 bound, PGFunction round)
{
	double		limit = (double) bound / power_of_ten(scale);
	Datum		value;

	(void) aw_option_number(option, -limit, limit);
	value = DirectFunctionCall3(numeric_in, CStringGetDatum(option->value),
								ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	value = DirectFunctionCall2(numeric_mul, value,
								NumericGetDatum(int64_to_numeric(power_of_ten(scale))));
	return DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(round, value)));
}

/* Without options, from 0 to the greatest, as Flink has it. */
static void
make_float(AwDatagen *datagen, Field *field)
{
	const AwOption *min = aw_option_find(datagen->options, field->path, "min");
	const AwOption *max = aw_option_find(datagen->options, field->path, "max");
	double		greatest = (field->type == FLOAT4OID) ? FLT_MAX : DBL_MAX;

	field->float_min = min ? aw_option_number(min, -greatest, greatest) : 0;
	field->float_max = max ? aw_option_number(max, -greatest, greatest) : greatest;
	if (field->float_min > field->float_max)
		refuse_range(field->path, "min", min ? min->value : "0",
					 "max", max ? max->value : "the greatest");
}

/* The length of a text or of bytes: the type's, which is also the longest, or another. */
static void
make_length(AwDatagen *datagen, Field *field, int length)
{
	const AwOption *option = aw_option_find(datagen->options, field->path, "length");
	const AwOption *var_len = aw_option_find(datagen->options, field->path, "var-len");

	field->length = option == NULL ? length :
		aw_option_integer(option, 1, field->typmod >= 0 ? length : MAX_LENGTH);
	field->is_var_len = var_len != NULL && aw_option_either(var_len, "true", "false");
}

static void
make_timestamp_field(AwDatagen *datagen, Field *field)
{
	const AwOption *max_past = aw_option_find(datagen->options, field->path, "max-past");

	field->max_past_us = max_past ? aw_option_duration(max_past) : 0;
}

static void
make_array(AwDatagen *datagen, Field *field)
{
	const AwOption *length = aw_option_find(datagen->options, field->path, "length");

	field->length = length ? aw_option_integer(length, 0, MAX_LENGTH) : DEFAULT_ARRAY_LENGTH;
	field->parts = palloc0(sizeof(Field));
	set_type(field->parts, get_element_type(field->type), field->typmod);
	make_field(datagen, field->parts, psprintf("%s.element", field->path));
}

static void
refuse_range(const char *path, const char *low, const char *low_text,
			 const char *high, const char *high_text)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("option \"fields.%s.%s\" is greater than \"fields.%s.%s\"",
					path, low, path, high),
			 errdetail("It is %s, the other is %s.", low_text, high_text)));
}

static void
refuse_type(const Field *field, const char *kind)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("connector \"datagen\" has no %s values of type %s for \"%s\"",
					kind, format_type_be(field->type), field->path)));
}

/* A hash of a text and a seed: FNV-1a. */
static uint64
hash_of(uint64 seed, const char *text)
{
	uint64		hash = UINT64CONST(0xcbf29ce484222325) ^ mixed(seed);

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char) *text) * UINT64CONST(0x100000001b3);
	return mixed(hash);
}

/* A bijection that leaves no pattern: the finalizer of SplitMix64. */
static uint64
mixed(uint64 bits)
{
	bits = (bits ^ (bits >> 30)) * UINT64CONST(0xbf58476d1ce4e5b9);
	bits = (bits ^ (bits >> 27)) * UINT64CONST(0x94d049bb133111eb);
	return bits ^ (bits >> 31);
}

static uint64
next_number(uint64 *state)
{
	*state += UINT64CONST(0x9e3779b97f4a7c15);
	return mixed(*state);
}

/* From 0 to below 1. */
static double
next_fraction(uint64 *state)
{
	return ldexp((double) (next_number(state) >> 11), -DBL_MANT_DIG);
}

/* From min to max; the bias is below the range divided by 2^64. */
static int64
next_between(uint64 *state, int64 min, int64 max)
{
	uint64		n_values = (uint64) max - (uint64) min + 1;
	uint64		number = next_number(state);

	return (int64) ((uint64) min + (n_values == 0 ? number : number % n_values));
}

/* The state goes into the fields' own: it tells the elements of an array apart. */
static void
generate_row(const AwDatagen *datagen, const Field *row, int64 number, uint64 state,
			 Datum *values, bool *nulls)
{
	for (int i = 0; i < row->rowtype->natts; i++)
		nulls[i] = !generate(datagen, &row->parts[i], number, state, &values[i]);
}

/* A value of a field; false if it is NULL.  Raises the error of a domain that has no such value. */
static bool
generate(const AwDatagen *datagen, const Field *field, int64 number, uint64 state, Datum *value)
{
	bool		is_there = generate_any(datagen, field, number, state, value);

	if (OidIsValid(field->domain))
		domain_check(*value, !is_there, field->domain, NULL, NULL);
	return is_there;
}

static bool
generate_any(const AwDatagen *datagen, const Field *field, int64 number, uint64 state, Datum *value)
{
	*value = (Datum) 0;
	if (field->path == NULL)
		return false;
	if (field->is_sequence)
	{
		*value = generate_sequence(field, number);
		return true;
	}
	state = mixed(state ^ field->salt) + mixed((uint64) number);
	if (field->null_rate > 0 && next_fraction(&state) < field->null_rate)
		return false;
	*value = generate_random(datagen, field, number, state);
	return true;
}

static Datum
generate_sequence(const Field *field, int64 number)
{
	int64		value = field->min + number;
	uint64		bytes = pg_hton64((uint64) value);
	char		text[32];

	switch (field->type)
	{
		case INT2OID:
			return Int16GetDatum((int16) value);
		case INT4OID:
			return Int32GetDatum((int32) value);
		case INT8OID:
			return Int64GetDatum(value);
		case FLOAT4OID:
			return Float4GetDatum((float4) value);
		case FLOAT8OID:
			return Float8GetDatum((float8) value);
		case NUMERICOID:
			return DirectFunctionCall2(numeric, NumericGetDatum(int64_to_numeric(value)),
									   Int32GetDatum(field->typmod));
		case BYTEAOID:
			return PointerGetDatum(cstring_to_text_with_len((char *) &bytes, sizeof(bytes)));
		default:
			snprintf(text, sizeof(text), INT64_FORMAT, value);
			return field->type != BPCHAROID ? CStringGetTextDatum(text) :
				DirectFunctionCall3(bpcharin, CStringGetDatum(text),
									ObjectIdGetDatum(InvalidOid), Int32GetDatum(field->typmod));
	}
}

static Datum
generate_random(const AwDatagen *datagen, const Field *field, int64 number, uint64 state)
{
	Datum		time;

	switch (field->type)
	{
		case BOOLOID:
			return BoolGetDatum(next_number(&state) >> 63 != 0);
		case INT2OID:
			return Int16GetDatum((int16) next_between(&state, field->min, field->max));
		case INT4OID:
			return Int32GetDatum((int32) next_between(&state, field->min, field->max));
		case INT8OID:
			return Int64GetDatum(next_between(&state, field->min, field->max));
		case NUMERICOID:
			return random_decimal(field, &state);
		case FLOAT4OID:
			return Float4GetDatum((float4) random_float(field, &state));
		case FLOAT8OID:
			return Float8GetDatum(random_float(field, &state));
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return random_text(field, &state);
		case BYTEAOID:
			return random_bytes(field, &state);
		case DATEOID:
		case TIMEOID:
			time = TimestampGetDatum(random_time(datagen, field, number, &state));
			return field->type == DATEOID ? DirectFunctionCall1(timestamp_date, time) :
				DirectFunctionCall1(timestamp_time, time);
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return TimestampGetDatum(random_time(datagen, field, number, &state));
		default:
			return field->rowtype != NULL ? random_row(datagen, field, number, state) :
				random_array(datagen, field, number, state);
	}
}

static Datum
random_decimal(const Field *field, uint64 *state)
{
	int64		unscaled = next_between(state, field->min, field->max);

	return DirectFunctionCall2(numeric,
							   NumericGetDatum(int64_div_fast_to_numeric(unscaled, field->scale)),
							   Int32GetDatum(field->typmod));
}

/* Each step is stored: a fused operation would round otherwise on other machines. */
static double
random_float(const Field *field, uint64 *state)
{
	volatile double fraction = next_fraction(state);
	volatile double low = field->float_min * (1 - fraction);
	volatile double high = field->float_max * fraction;

	return low + high;
}

/* Hexadecimal digits. */
static Datum
random_text(const Field *field, uint64 *state)
{
	static const char digits[] = "0123456789abcdef";
	int			length = field->is_var_len ? next_between(state, 1, field->length) : field->length;
	text	   *result = palloc(VARHDRSZ + length);
	uint64		bits = 0;

	SET_VARSIZE(result, VARHDRSZ + length);
	for (int i = 0; i < length; i++)
	{
		bits = (i % 16 == 0) ? next_number(state) : bits >> 4;
		VARDATA(result)[i] = digits[bits & 15];
	}
	return PointerGetDatum(result);
}

static Datum
random_bytes(const Field *field, uint64 *state)
{
	int			length = field->is_var_len ? next_between(state, 1, field->length) : field->length;
	bytea	   *result = palloc(VARHDRSZ + length);

	SET_VARSIZE(result, VARHDRSZ + length);
	for (int i = 0; i < length; i++)
		VARDATA(result)[i] = (char) (next_number(state) & 255);
	return PointerGetDatum(result);
}

/* The row's own time less up to max-past, cut to the type's precision. */
static Timestamp
random_time(const AwDatagen *datagen, const Field *field, int64 number, uint64 *state)
{
	int64		seconds = number / datagen->rows_per_second;
	int64		rest = number % datagen->rows_per_second;
	Timestamp	time = datagen->start_time + seconds * USECS_PER_SEC +
		(int64) ((double) rest * USECS_PER_SEC / datagen->rows_per_second);
	int64		unit_us = 1;

	if (field->max_past_us > 0)
		time -= next_between(state, 0, field->max_past_us - 1);
	if (field->typmod >= 0)
		unit_us = power_of_ten(MAX_TIMESTAMP_PRECISION - field->typmod);
	return time - ((time % unit_us) + unit_us) % unit_us;
}

static Datum
random_array(const AwDatagen *datagen, const Field *field, int64 number, uint64 state)
{
	Oid			type = get_element_type(field->type);
	Datum	   *values = palloc(sizeof(Datum) * Max(field->length, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(field->length, 1));
	int			lower_bound = 1;
	int16		length;
	bool		is_by_value;
	char		alignment;

	if (field->length == 0)
		return PointerGetDatum(construct_empty_array(type));
	for (int i = 0; i < field->length; i++)
	{
		CHECK_FOR_INTERRUPTS();
		nulls[i] = !generate(datagen, field->parts, number, next_number(&state), &values[i]);
	}
	get_typlenbyvalalign(type, &length, &is_by_value, &alignment);
	return PointerGetDatum(construct_md_array(values, nulls, 1, (int *) &field->length,
											  &lower_bound, type, length, is_by_value,
											  alignment));
}

static Datum
random_row(const AwDatagen *datagen, const Field *field, int64 number, uint64 state)
{
	Datum	   *values = palloc(sizeof(Datum) * Max(field->rowtype->natts, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(field->rowtype->natts, 1));

	generate_row(datagen, field, number, state, values, nulls);
	return HeapTupleGetDatum(heap_form_tuple(field->rowtype, values, nulls));
}
