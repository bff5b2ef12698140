/*
 * sql_definition.c
 *
 * SQL functions of watermark definitions: set_watermark(), drop_watermark(),
 * describe(), and what the view "watermarks" is made of.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "commands/comment.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#include "alteration.h"
#include "compat.h"
#include "ddl.h"
#include "definition.h"
#include "deparse.h"
#include "expressiontext.h"
#include "metadata.h"
#include "primarykey.h"
#include "typetext.h"
#include "viewtable.h"

static const char *rowtime_text(Relation rel, const AwDefinition *definition);
static const char *problem_text(const AwTimes *times);
static void describe_column(Relation rel, const AwTimes *times, const char *key,
							AttrNumber attno, ReturnSetInfo *result);
static char *key_text(Relation rel, Bitmapset **columns);
static char *type_text(Form_pg_attribute attribute, AwTimeKind kind);
static char *generated_text(Relation rel, AttrNumber attno);
static char *computed_text(Relation rel, AttrNumber attno);
static char *watermark_text(Relation rel, const AwTimes *times, AttrNumber attno);
static Datum text_or_null(const char *text, bool *isnull);

PG_FUNCTION_INFO_V1(aw_sql_set_watermark);
PG_FUNCTION_INFO_V1(aw_sql_drop_watermark);
PG_FUNCTION_INFO_V1(aw_sql_describe);
PG_FUNCTION_INFO_V1(aw_sql_definition_of);

/* set_watermark(rel regclass, rowtime name, strategy text) → void */
Datum
aw_sql_set_watermark(PG_FUNCTION_ARGS)
{
	aw_alteration_set(PG_GETARG_OID(0), NameStr(*PG_GETARG_NAME(1)),
					  text_to_cstring(PG_GETARG_TEXT_PP(2)),
					  get_func_namespace(fcinfo->flinfo->fn_oid));
	PG_RETURN_VOID();
}

/* drop_watermark(rel regclass) → void */
Datum
aw_sql_drop_watermark(PG_FUNCTION_ARGS)
{
	aw_alteration_drop(PG_GETARG_OID(0));
	PG_RETURN_VOID();
}

/*
 * describe(rel regclass) → name, type, null, key, extras, watermark of each column;
 * flink.describe(rel regclass) → the same, and comment
 */
Datum
aw_sql_describe(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Relation	rel = try_relation_open(PG_GETARG_OID(0), AccessShareLock);
	AwTimes    *times;
	Bitmapset  *key_columns = NULL;
	char	   *key;

	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", PG_GETARG_OID(0))));

	InitMaterializedSRF(fcinfo, 0);
	times = aw_definition_of_relation(rel);
	aw_definition_check(times, rel);
	key = key_text(rel, &key_columns);

	for (AttrNumber attno = 1; attno <= times->n_columns; attno++)
	{
		if (!TupleDescAttr(RelationGetDescr(rel), attno - 1)->attisdropped)
			describe_column(rel, times, bms_is_member(attno, key_columns) ? key : NULL,
							attno, result);
	}
	relation_close(rel, AccessShareLock);
	return (Datum) 0;
}

/*
 * definition_of(rel oid) → rowtime, strategy, problem: the definition that stands
 * in a table or view itself.  No row if there is none, or no such relation.
 */
Datum
aw_sql_definition_of(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Relation	rel = try_relation_open(PG_GETARG_OID(0), AccessShareLock);
	AwTimes    *times;
	Datum		values[3];
	bool		nulls[3] = {true, true, true};

	InitMaterializedSRF(fcinfo, 0);
	if (rel == NULL)
		return (Datum) 0;

	times = aw_definition_of_relation(rel);
	if (times->own != NULL)
	{
		values[0] = text_or_null(rowtime_text(rel, times->own), &nulls[0]);
		values[1] = text_or_null(aw_deparse_strategy(times->own), &nulls[1]);
	}
	values[2] = text_or_null(problem_text(times), &nulls[2]);

	if (times->own != NULL || !nulls[2])
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	relation_close(rel, AccessShareLock);
	return (Datum) 0;
}

/* The name of the rowtime's column; where none comes out as it, the expression. */
static const char *
rowtime_text(Relation rel, const AwDefinition *definition)
{
	if (definition->attno > 0)
		return NameStr(TupleDescAttr(RelationGetDescr(rel), definition->attno - 1)->attname);
	return aw_deparse_rowtime(definition);
}

/* Why a relation's marker is no definition, or not one that queries over it can use. */
static const char *
problem_text(const AwTimes *times)
{
	if (times->is_ambiguous)
		return "two watermark definitions";
	if (times->is_misplaced)
		return "watermark_for() is not a condition of its own";
	if (times->mistyped != NULL)
		return "rowtime and strategy are not timestamps of one kind";
	if (times->own != NULL && times->own->attno == 0 && !aw_definition_is_grouped(times->own))
		return "the rowtime is no column";
	return NULL;
}

static void
describe_column(Relation rel, const AwTimes *times, const char *key, AttrNumber attno,
				ReturnSetInfo *result)
{
	Form_pg_attribute attribute = TupleDescAttr(RelationGetDescr(rel), attno - 1);
	const char *extras;
	Datum		values[7];
	bool		nulls[7] = {false, false, false, true, true, true, true};

	values[0] = CStringGetTextDatum(NameStr(attribute->attname));
	values[1] = CStringGetTextDatum(type_text(attribute, times->columns[attno - 1].kind));
	values[2] = BoolGetDatum(!(aw_ddl_is_table(rel) ? aw_primarykey_is_not_null(rel, attno) :
							   aw_compat_is_not_null(RelationGetRelid(rel), attno)));
	values[3] = text_or_null(key, &nulls[3]);
	extras = aw_metadata_text(rel, attno);
	values[4] = text_or_null(extras != NULL ? extras : generated_text(rel, attno), &nulls[4]);
	values[5] = text_or_null(watermark_text(rel, times, attno), &nulls[5]);
	values[6] = text_or_null(GetComment(RelationGetRelid(rel), RelationRelationId, attno),
							 &nulls[6]);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* The primary key as Flink prints it, PRI(a, b), and its columns; NULL if there is none. */
static char *
key_text(Relation rel, Bitmapset **columns)
{
	StringInfoData text;
	const char *separator = "PRI(";
	ListCell   *lc;

	initStringInfo(&text);
	foreach(lc, aw_ddl_is_table(rel) ? aw_primarykey_columns(rel, NULL) : NIL)
	{
		AttrNumber	attno = lfirst_int(lc);

		appendStringInfo(&text, "%s%s", separator,
						 NameStr(TupleDescAttr(RelationGetDescr(rel), attno - 1)->attname));
		*columns = bms_add_member(*columns, attno);
		separator = ", ";
	}
	if (text.len == 0)
		return NULL;
	appendStringInfoChar(&text, ')');
	return text.data;
}

/* The type in Flink's words, with what the column is to event time. */
static char *
type_text(Form_pg_attribute attribute, AwTimeKind kind)
{
	char	   *text = aw_typetext(attribute->atttypid, attribute->atttypmod);

	if (text == NULL)
		text = format_type_with_typemod(attribute->atttypid, attribute->atttypmod);
	if (kind == AW_TIME_ROWTIME)
		return psprintf("%s *ROWTIME*", text);
	if (kind == AW_TIME_PROCTIME)
		return psprintf("%s *PROCTIME*", text);
	return text;
}

/* AS and the expression of a generated column, else NULL. */
static char *
generated_text(Relation rel, AttrNumber attno)
{
	TupleDesc	columns = RelationGetDescr(rel);

	if (rel->rd_rel->relkind == RELKIND_VIEW)
		return computed_text(rel, attno);
	if (TupleDescAttr(columns, attno - 1)->attgenerated == '\0')
		return NULL;

	for (int i = 0; i < columns->constr->num_defval; i++)
	{
		if (columns->constr->defval[i].adnum == attno)
			return psprintf("AS %s",
							deparse_expression(stringToNode(columns->constr->defval[i].adbin),
											   deparse_context_for(RelationGetRelationName(rel),
																   RelationGetRelid(rel)),
											   false, false));
	}
	return NULL;
}

/* A computed column of a view that stands for a table of Flink's. */
static char *
computed_text(Relation rel, AttrNumber attno)
{
	AwViewTable table;
	Node	   *expr;

	if (!aw_viewtable_find(rel, &table) || !aw_ddl_is_table(rel))
		return NULL;
	expr = aw_viewtable_computed(&table, attno);
	return expr == NULL ? NULL : psprintf("AS %s", aw_expressiontext(expr, table.columns_of));
}

/*
 * The strategy where the definition stands in the relation itself; of a rowtime
 * from below, whose watermark it is, several having the least of them.
 */
static char *
watermark_text(Relation rel, const AwTimes *times, AttrNumber attno)
{
	List	   *relids = NIL;
	StringInfoData text;
	int			n_watermarks = 0;
	bool		is_strategy = false;
	ListCell   *lc;

	initStringInfo(&text);
	foreach(lc, times->columns[attno - 1].definitions)
	{
		AwDefinition *definition = lfirst(lc);
		char	   *name = NULL;

		if (definition->relid == RelationGetRelid(rel))
			name = aw_deparse_strategy(definition);
		is_strategy = (name != NULL);
		if (name == NULL)
		{
			if (list_member_oid(relids, definition->relid))
				continue;
			relids = lappend_oid(relids, definition->relid);
			name = DatumGetCString(DirectFunctionCall1(regclassout,
													   ObjectIdGetDatum(definition->relid)));
		}
		appendStringInfo(&text, "%s%s", n_watermarks++ == 0 ? "" : ", ", name);
	}

	if (n_watermarks > 1)
		return psprintf("the least of %s", text.data);
	if (n_watermarks == 0)
		return NULL;
	return is_strategy ? text.data : psprintf("that of %s", text.data);
}

static Datum
text_or_null(const char *text, bool *isnull)
{
	*isnull = (text == NULL);
	return text ? CStringGetTextDatum(text) : (Datum) 0;
}
