/*
 * flinktype.c
 *
 * Flink's data types and PostgreSQL's.
 *
 * A type is read where the parser stands.  What Flink takes where no precision is
 * given is written out, since PostgreSQL takes something else.  A fraction of
 * seconds has six digits at most.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "flinkrowtype.h"
#include "flinktype.h"

#define MAX_FRACTION_DIGITS 6
#define DEFAULT_TIMESTAMP_DIGITS 6

/* A type whose name needs no look at what follows it. */
typedef struct SimpleType
{
	const char *flink;
	const char *postgres;
	AwFlinkTypeClass type_class;
} SimpleType;

static const SimpleType simple_types[] = {
	{"BIGINT", "bigint", AW_FLINK_TYPE_INTEGER},
	{"BOOLEAN", "boolean", AW_FLINK_TYPE_BOOLEAN},
	{"DATE", "date", AW_FLINK_TYPE_OTHER},
	{"FLOAT", "real", AW_FLINK_TYPE_OTHER},
	{"INT", "integer", AW_FLINK_TYPE_INTEGER},
	{"INTEGER", "integer", AW_FLINK_TYPE_INTEGER},
	{"SMALLINT", "smallint", AW_FLINK_TYPE_INTEGER},
	{"STRING", "text", AW_FLINK_TYPE_CHARACTER},
	{"TINYINT", "smallint", AW_FLINK_TYPE_INTEGER},
};

static AwFlinkType *make_type(AwFlinkTypeClass type_class, const char *sql);
static AwFlinkType *parse_element(AwFlinkParser *parser, const AwFlinkRowType *place,
								  List **row_types);
static AwFlinkType *parse_simple(AwFlinkParser *parser);
static AwFlinkType *parse_binary(AwFlinkParser *parser);
static AwFlinkType *parse_character(AwFlinkParser *parser);
static AwFlinkType *parse_decimal(AwFlinkParser *parser);
static AwFlinkType *parse_time(AwFlinkParser *parser);
static AwFlinkType *parse_timestamp(AwFlinkParser *parser);
static AwFlinkType *parse_interval(AwFlinkParser *parser);
static AwFlinkType *parse_array(AwFlinkParser *parser, const AwFlinkRowType *place, List **row_types);
static AwFlinkType *make_array(AwFlinkParser *parser, const AwFlinkType *element);
static AwFlinkType *parse_map(AwFlinkParser *parser);
static AwFlinkType *parse_row(AwFlinkParser *parser, const AwFlinkRowType *place, List **row_types);
static bool accept_timestamp_zone(AwFlinkParser *parser);
static int	parse_parameter(AwFlinkParser *parser, int otherwise);
static int	parse_digits(AwFlinkParser *parser, int otherwise);

/*
 * The type that stands here.
 *
 * A ROW becomes a type that is called after its place, of which the outer one and the
 * field are given, and is added to row_types before those that use it.  Where row_types
 * is NULL, a ROW is an error.
 */
AwFlinkType *
aw_flinktype_parse(AwFlinkParser *parser, const AwFlinkRowType *place, List **row_types)
{
	AwFlinkType *type = parse_element(parser, place, row_types);

	while (aw_flinkparser_at(parser, "ARRAY"))
	{
		type = make_array(parser, type);
		aw_flinkparser_next(parser);
	}
	if (aw_flinkparser_at(parser, "MULTISET"))
		aw_flinkparser_unsupported(parser, "type MULTISET", "Use an array.");
	return type;
}

static AwFlinkType *
make_type(AwFlinkTypeClass type_class, const char *sql)
{
	AwFlinkType *type = palloc0(sizeof(AwFlinkType));

	type->type_class = type_class;
	type->sql = sql;
	return type;
}

static AwFlinkType *
parse_element(AwFlinkParser *parser, const AwFlinkRowType *place, List **row_types)
{
	AwFlinkType *type = parse_simple(parser);

	check_stack_depth();
	if (type == NULL)
		type = parse_binary(parser);
	if (type == NULL)
		type = parse_character(parser);
	if (type == NULL)
		type = parse_decimal(parser);
	if (type == NULL)
		type = parse_timestamp(parser);
	if (type == NULL)
		type = parse_time(parser);
	if (type == NULL)
		type = parse_interval(parser);
	if (type == NULL)
		type = parse_array(parser, place, row_types);
	if (type == NULL)
		type = parse_map(parser);
	if (type == NULL)
		type = parse_row(parser, place, row_types);
	if (type != NULL)
		return type;

	if (aw_flinktoken_is_name(aw_flinkparser_peek(parser, 0)))
		aw_flinkparser_unsupported(parser,
								   psprintf("type %s", aw_flinkparser_peek(parser, 0)->text), NULL);
	aw_flinkparser_fail(parser, "expected a data type");
}

/* Each of these gives NULL where another type stands. */
static AwFlinkType *
parse_simple(AwFlinkParser *parser)
{
	for (size_t i = 0; i < lengthof(simple_types); i++)
	{
		if (aw_flinkparser_accept(parser, simple_types[i].flink))
			return make_type(simple_types[i].type_class, simple_types[i].postgres);
	}
	if (aw_flinkparser_accept(parser, "DOUBLE"))
	{
		aw_flinkparser_accept(parser, "PRECISION");
		return make_type(AW_FLINK_TYPE_OTHER, "double precision");
	}
	return NULL;
}

static AwFlinkType *
parse_binary(AwFlinkParser *parser)
{
	bool		is_fixed = aw_flinkparser_accept(parser, "BINARY");
	AwFlinkType *type;

	if (!is_fixed && !aw_flinkparser_at(parser, "VARBINARY") && !aw_flinkparser_at(parser, "BYTES"))
		return NULL;

	type = make_type(AW_FLINK_TYPE_BINARY, "bytea");
	type->is_fixed = is_fixed;
	type->length = is_fixed ? parse_parameter(parser, 1) : -1;
	if (aw_flinkparser_accept(parser, "VARBINARY"))
		type->length = parse_parameter(parser, -1);
	else if (!is_fixed)
		aw_flinkparser_expect(parser, "BYTES");
	return type;
}

/* VARCHAR without a length has the greatest there is, and CHAR is one character. */
static AwFlinkType *
parse_character(AwFlinkParser *parser)
{
	bool		is_varying = aw_flinkparser_accept(parser, "VARCHAR") ||
		aw_flinkparser_accept(parser, "CHARACTER VARYING") ||
		aw_flinkparser_accept(parser, "CHAR VARYING");
	int			length;

	if (!is_varying && !aw_flinkparser_accept(parser, "CHAR") &&
		!aw_flinkparser_accept(parser, "CHARACTER"))
		return NULL;

	length = parse_parameter(parser, is_varying ? PG_INT32_MAX : 1);
	if (length == PG_INT32_MAX)
		return make_type(AW_FLINK_TYPE_CHARACTER, "text");
	return make_type(AW_FLINK_TYPE_CHARACTER,
					 psprintf("%s(%d)", is_varying ? "varchar" : "char", length));
}

static AwFlinkType *
parse_decimal(AwFlinkParser *parser)
{
	int			precision = 10;
	int			scale = 0;

	if (!aw_flinkparser_accept(parser, "DECIMAL") && !aw_flinkparser_accept(parser, "DEC") &&
		!aw_flinkparser_accept(parser, "NUMERIC"))
		return NULL;

	if (aw_flinkparser_accept_symbol(parser, "("))
	{
		precision = parse_digits(parser, 38);
		if (aw_flinkparser_accept_symbol(parser, ","))
			scale = parse_digits(parser, precision);
		aw_flinkparser_expect_symbol(parser, ")");
	}
	return make_type(AW_FLINK_TYPE_OTHER, psprintf("numeric(%d,%d)", precision, scale));
}

static AwFlinkType *
parse_time(AwFlinkParser *parser)
{
	AwFlinkType *type;
	int			digits;

	if (!aw_flinkparser_accept(parser, "TIME"))
		return NULL;

	digits = parse_parameter(parser, 0);
	digits = Min(digits, MAX_FRACTION_DIGITS);
	aw_flinkparser_accept(parser, "WITHOUT TIME ZONE");
	type = make_type(AW_FLINK_TYPE_TIME, psprintf("time(%d)", digits));
	type->precision = digits;
	return type;
}

static AwFlinkType *
parse_timestamp(AwFlinkParser *parser)
{
	bool		has_zone = aw_flinkparser_accept(parser, "TIMESTAMP_LTZ");
	AwFlinkType *type;
	int			digits;

	if (!has_zone && !aw_flinkparser_accept(parser, "TIMESTAMP"))
		return NULL;

	type = make_type(AW_FLINK_TYPE_TIMESTAMP, NULL);
	digits = parse_parameter(parser, DEFAULT_TIMESTAMP_DIGITS);
	type->precision = Min(digits, MAX_FRACTION_DIGITS);
	if (!has_zone)
		has_zone = accept_timestamp_zone(parser);
	type->sql = psprintf("%s(%d)", has_zone ? "timestamptz" : "timestamp", type->precision);
	return type;
}

static bool
accept_timestamp_zone(AwFlinkParser *parser)
{
	if (aw_flinkparser_accept(parser, "WITH LOCAL TIME ZONE"))
		return true;
	if (aw_flinkparser_at(parser, "WITH TIME ZONE"))
		aw_flinkparser_unsupported(parser, "type TIMESTAMP WITH TIME ZONE", "Use TIMESTAMP_LTZ.");
	aw_flinkparser_accept(parser, "WITHOUT TIME ZONE");
	return false;
}

static AwFlinkType *
parse_interval(AwFlinkParser *parser)
{
	static const char *const units[] = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};

	if (!aw_flinkparser_accept(parser, "INTERVAL"))
		return NULL;

	do
	{
		for (size_t i = 0; i < lengthof(units); i++)
		{
			if (aw_flinkparser_accept(parser, units[i]))
				break;
		}
		parse_parameter(parser, 0);
	} while (aw_flinkparser_accept(parser, "TO"));
	return make_type(AW_FLINK_TYPE_OTHER, "interval");
}

static AwFlinkType *
parse_array(AwFlinkParser *parser, const AwFlinkRowType *place, List **row_types)
{
	AwFlinkType *element;

	if (!aw_flinkparser_accept(parser, "ARRAY"))
		return NULL;

	aw_flinkparser_expect_symbol(parser, "<");
	element = aw_flinktype_parse(parser, place, row_types);
	element = make_array(parser, element);
	if (!aw_flinkparser_accept(parser, "NOT NULL"))
		aw_flinkparser_accept(parser, "NULL");
	aw_flinkparser_expect_symbol(parser, ">");
	return element;
}

/* PostgreSQL's arrays of arrays are one array, and count and give other elements. */
static AwFlinkType *
make_array(AwFlinkParser *parser, const AwFlinkType *element)
{
	if (strstr(element->sql, "[]") != NULL)
		aw_flinkparser_unsupported(parser, "ARRAY of arrays", NULL);
	if (element->row != NULL)
		element->row->is_array = true;
	return make_type(AW_FLINK_TYPE_OTHER, psprintf("%s[]", element->sql));
}

/* The types of keys and values are read, but jsonb has its own. */
static AwFlinkType *
parse_map(AwFlinkParser *parser)
{
	if (aw_flinkparser_accept(parser, "VARIANT"))
		return make_type(AW_FLINK_TYPE_OTHER, "jsonb");
	if (!aw_flinkparser_accept(parser, "MAP"))
		return NULL;

	aw_flinkparser_expect_symbol(parser, "<");
	aw_flinktype_parse(parser, NULL, NULL);
	aw_flinkparser_accept(parser, "NOT NULL");
	aw_flinkparser_expect_symbol(parser, ",");
	aw_flinktype_parse(parser, NULL, NULL);
	aw_flinkparser_accept(parser, "NOT NULL");
	aw_flinkparser_expect_symbol(parser, ">");
	return make_type(AW_FLINK_TYPE_OTHER, "jsonb");
}

static AwFlinkType *
parse_row(AwFlinkParser *parser, const AwFlinkRowType *place, List **row_types)
{
	AwFlinkRowType *row;
	const char *closing;
	StringInfoData columns;
	AwFlinkType *result;

	if (!aw_flinkparser_at(parser, "ROW"))
		return NULL;
	if (row_types == NULL)
		aw_flinkparser_unsupported(parser, "type ROW in this place",
								   "Use it as the type of a column in CREATE TABLE.");
	aw_flinkparser_expect(parser, "ROW");
	row = aw_flinkrowtype_create(parser, place, *row_types);
	row->at = parser->at - 1;
	closing = aw_flinkparser_accept_symbol(parser, "(") ? ")" : ">";
	if (closing[0] == '>')
		aw_flinkparser_expect_symbol(parser, "<");

	initStringInfo(&columns);
	do
	{
		char	   *name = aw_flinkparser_name(parser);
		AwFlinkRowType field = {.outer = row, .field = name};
		AwFlinkType *type = aw_flinktype_parse(parser, &field, row_types);

		appendStringInfo(&columns, "%s%s %s", columns.len > 0 ? ", " : "",
						 quote_identifier(name), type->sql);
		aw_flinkparser_accept(parser, "NOT NULL");
		aw_flinkparser_accept(parser, "COMMENT");
		if (aw_flinkparser_peek(parser, 0)->kind == AW_FLINK_STRING)
			aw_flinkparser_next(parser);
	} while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, closing);

	row->columns = columns.data;
	*row_types = lappend(*row_types, row);
	result = make_type(AW_FLINK_TYPE_OTHER, row->sql);
	result->row = row;
	return result;
}

/* A number in parentheses, if there is one. */
static int
parse_parameter(AwFlinkParser *parser, int otherwise)
{
	int			value;

	if (!aw_flinkparser_accept_symbol(parser, "("))
		return otherwise;
	value = parse_digits(parser, PG_INT32_MAX);
	aw_flinkparser_expect_symbol(parser, ")");
	return value;
}

/* A whole number from 0 to most. */
static int
parse_digits(AwFlinkParser *parser, int most)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);
	char	   *end;
	long		value;

	if (token->kind != AW_FLINK_NUMBER)
		aw_flinkparser_fail(parser, "expected a number");
	errno = 0;
	value = strtol(token->text, &end, 10);
	if (errno != 0 || *end != '\0' || value > most)
		aw_flinkparser_fail(parser, psprintf("expected a whole number up to %d", most));
	aw_flinkparser_next(parser);
	return value;
}
