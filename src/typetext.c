/*
 * typetext.c
 *
 * PostgreSQL's types in Flink's words: text is STRING, integer[] is ARRAY<INT>, a
 * composite type is a ROW of its columns.
 *
 * A domain has no like: Flink would lose its checks.
 */
#include "postgres.h"

#include "access/tupdesc.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "typetext.h"

static char *row_text(Oid type, int32 typmod);
static const char *type_name(Oid type);
static char *precision_text(Oid type, int32 typmod);
static char *spaced(char *modifiers);

/* A type in Flink's words, palloc'd; NULL if Flink has none like it. */
char *
aw_typetext(Oid type, int32 typmod)
{
	Oid			element = get_element_type(type);
	const char *name;
	char	   *text;

	check_stack_depth();
	if (OidIsValid(element))
	{
		text = aw_typetext(element, typmod);
		return text ? psprintf("ARRAY<%s>", text) : NULL;
	}
	if (get_typtype(type) == TYPTYPE_COMPOSITE)
		return row_text(type, typmod);

	name = type_name(type);
	return name ? psprintf("%s%s", name, precision_text(type, typmod)) : NULL;
}

/* A name between backticks. */
char *
aw_typetext_quoted(const char *name)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoChar(&text, '`');
	for (; *name != '\0'; name++)
	{
		if (*name == '`')
			appendStringInfoChar(&text, '`');
		appendStringInfoChar(&text, *name);
	}
	appendStringInfoChar(&text, '`');
	return text.data;
}

/* ROW<`a` INT, `b` STRING>; NULL if Flink lacks the type of a column. */
static char *
row_text(Oid type, int32 typmod)
{
	TupleDesc	columns = lookup_rowtype_tupdesc_copy(type, typmod);
	const char *separator = "";
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoString(&text, "ROW<");
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(columns, i);
		char	   *column;

		if (attribute->attisdropped)
			continue;
		column = aw_typetext(attribute->atttypid, attribute->atttypmod);
		if (column == NULL)
			return NULL;
		appendStringInfo(&text, "%s%s %s", separator,
						 aw_typetext_quoted(NameStr(attribute->attname)), column);
		separator = ", ";
	}
	appendStringInfoChar(&text, '>');
	return text.data;
}

/* What Flink calls a type; NULL if it has none like it. */
static const char *
type_name(Oid type)
{
	switch (type)
	{
		case BOOLOID:
			return "BOOLEAN";
		case INT2OID:
			return "SMALLINT";
		case INT4OID:
			return "INT";
		case INT8OID:
			return "BIGINT";
		case FLOAT4OID:
			return "FLOAT";
		case FLOAT8OID:
			return "DOUBLE";
		case NUMERICOID:
			return "DECIMAL";
		case TEXTOID:
			return "STRING";
		case VARCHAROID:
			return "VARCHAR";
		case BPCHAROID:
			return "CHAR";
		case BYTEAOID:
			return "BYTES";
		case DATEOID:
			return "DATE";
		case TIMEOID:
			return "TIME";
		case TIMESTAMPOID:
			return "TIMESTAMP";
		case TIMESTAMPTZOID:
			return "TIMESTAMP_LTZ";
		default:
			return NULL;
	}
}

/* A type's length or precision in parentheses; times always have one. */
static char *
precision_text(Oid type, int32 typmod)
{
	switch (type)
	{
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return psprintf("(%d)", typmod >= 0 ? typmod : MAX_TIMESTAMP_PRECISION);
		case NUMERICOID:
		case VARCHAROID:
		case BPCHAROID:
			return typmod >= 0 ? spaced(strchr(format_type_with_typemod(type, typmod), '(')) : "";
		default:
			return "";
	}
}

/* (p,s) as (p, s) */
static char *
spaced(char *modifiers)
{
	char	   *comma = strchr(modifiers, ',');

	return comma ? psprintf("%.*s, %s", (int) (comma - modifiers), modifiers, comma + 1) : modifiers;
}
