/*
 * sql_connector.c
 *
 * SQL functions of Flink's connectors: datagen(), the triggers print_row() and
 * discard_row() of sinks, the markers primary_key(), not_null() and
 * metadata(), show_create_table() and show_create_view().
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/typcache.h"

#include "datagen.h"
#include "ddl.h"
#include "metadata.h"
#include "option.h"
#include "rowtext.h"

static AwDatagen *make_datagen(Oid type, ArrayType *options, TupleDesc *rowtype);
static void read_options(ArrayType *array, AwOptions *options);
static const TriggerData *insert_trigger(FunctionCallInfo fcinfo, const char *name);
static Datum show_create(Oid relid, char *(*make_text) (Relation rel));

PG_FUNCTION_INFO_V1(aw_sql_datagen);
PG_FUNCTION_INFO_V1(aw_sql_datagen_support);
PG_FUNCTION_INFO_V1(aw_sql_check_datagen);
PG_FUNCTION_INFO_V1(aw_sql_print_row);
PG_FUNCTION_INFO_V1(aw_sql_discard_row);
PG_FUNCTION_INFO_V1(aw_sql_show_create_table);
PG_FUNCTION_INFO_V1(aw_sql_show_create_view);
PG_FUNCTION_INFO_V1(aw_sql_is_table);
PG_FUNCTION_INFO_V1(aw_sql_primary_key);
PG_FUNCTION_INFO_V1(aw_sql_not_null);
PG_FUNCTION_INFO_V1(aw_sql_metadata);
PG_FUNCTION_INFO_V1(aw_sql_primary_key_support);

/*
 * datagen(rel anyelement, VARIADIC options text[]) → SETOF anyelement
 *
 * Only the type of rel matters.  The rows are materialised, within work_mem.
 */
Datum
aw_sql_datagen(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext row_cxt = AllocSetContextCreate(CurrentMemoryContext, "datagen row",
												  ALLOCSET_DEFAULT_SIZES);
	TupleDesc	rowtype;
	AwDatagen  *datagen;
	Datum	   *values;
	bool	   *nulls;

	InitMaterializedSRF(fcinfo, 0);
	datagen = make_datagen(get_fn_expr_argtype(fcinfo->flinfo, 0),
						   PG_ARGISNULL(1) ? NULL : PG_GETARG_ARRAYTYPE_P(1), &rowtype);
	values = palloc_array(Datum, Max(rowtype->natts, 1));
	nulls = palloc_array(bool, Max(rowtype->natts, 1));

	for (int64 number = 0; number < aw_datagen_n_rows(datagen); number++)
	{
		MemoryContext caller_cxt = MemoryContextSwitchTo(row_cxt);

		CHECK_FOR_INTERRUPTS();
		aw_datagen_row(datagen, number, values, nulls);
		MemoryContextSwitchTo(caller_cxt);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		MemoryContextReset(row_cxt);
	}
	MemoryContextDelete(row_cxt);
	return (Datum) 0;
}

/* Tells the planner how many rows there will be, if the options are constants. */
Datum
aw_sql_datagen_support(PG_FUNCTION_ARGS)
{
	SupportRequestRows *request = (SupportRequestRows *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	Const	   *options;
	TupleDesc	rowtype;

	if (!IsA(request, SupportRequestRows) || !is_funcclause(request->node))
		PG_RETURN_POINTER(NULL);

	call = (FuncExpr *) request->node;
	options = lsecond(call->args);
	if (!IsA(options, Const))
		PG_RETURN_POINTER(NULL);

	request->rows = aw_datagen_n_rows(make_datagen(exprType(linitial(call->args)),
												   options->constisnull ? NULL :
												   DatumGetArrayTypeP(options->constvalue),
												   &rowtype));
	PG_RETURN_POINTER(request);
}

/* check_datagen(rel, VARIADIC options) → void: raises the errors that datagen() would */
Datum
aw_sql_check_datagen(PG_FUNCTION_ARGS)
{
	TupleDesc	rowtype;

	(void) make_datagen(get_fn_expr_argtype(fcinfo->flinfo, 0),
						PG_ARGISNULL(1) ? NULL : PG_GETARG_ARRAYTYPE_P(1), &rowtype);
	PG_RETURN_VOID();
}

/* The generator for a row type and options; no array is no options. */
static AwDatagen *
make_datagen(Oid type, ArrayType *array, TupleDesc *rowtype)
{
	AwOptions	options = {0};

	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("argument \"rel\" of datagen is of type %s, not of a table's row type",
						format_type_be(type)),
				 errhint("Write NULL::type_name after CREATE TYPE type_name AS (…).")));

	initStringInfo(&options.known);
	if (array != NULL)
		read_options(array, &options);
	*rowtype = lookup_rowtype_tupdesc_copy(type, -1);
	return aw_datagen_create(*rowtype, &options);
}

/* Options from an array of key, value, key, value. */
static void
read_options(ArrayType *array, AwOptions *options)
{
	Datum	   *texts;
	bool	   *nulls;
	int			n_texts;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &texts, &nulls, &n_texts);
	if (n_texts % 2 != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("option \"%s\" has no value",
						nulls[n_texts - 1] ? "null" : TextDatumGetCString(texts[n_texts - 1]))));

	options->n_options = n_texts / 2;
	options->options = palloc0_array(AwOption, Max(options->n_options, 1));
	for (int i = 0; i < n_texts; i++)
	{
		char	   *word;

		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("keys and values of options must not be null")));
		word = TextDatumGetCString(texts[i]);
		if (i % 2 == 0)
			options->options[i / 2].key = word;
		else
			options->options[i / 2].value = word;
	}
}

/* print_row([identifier]): shows the row in a notice, and does not store it */
Datum
aw_sql_print_row(PG_FUNCTION_ARGS)
{
	const TriggerData *data = insert_trigger(fcinfo, "print_row");
	const Trigger *trigger = data->tg_trigger;
	StringInfoData text;

	if (trigger->tgnargs > 1)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("print_row() takes one argument, the identifier")));

	initStringInfo(&text);
	if (trigger->tgnargs == 1 && trigger->tgargs[0][0] != '\0')
		appendStringInfo(&text, "%s> ", trigger->tgargs[0]);
	aw_rowtext_append(&text, data->tg_trigtuple, RelationGetDescr(data->tg_relation),
					  aw_metadata_columns(data->tg_relation));
	if (MyBackendType == B_BG_WORKER)
		ereport(LOG, (errmsg_internal("%s", text.data), errhidestmt(true), errhidecontext(true)));
	else
		ereport(NOTICE, (errmsg_internal("%s", text.data)));
	return PointerGetDatum(NULL);
}

/* discard_row(): does not store the row */
Datum
aw_sql_discard_row(PG_FUNCTION_ARGS)
{
	(void) insert_trigger(fcinfo, "discard_row");
	return PointerGetDatum(NULL);
}

/* What a trigger function of a sink is called for; an error if it is anything else. */
static const TriggerData *
insert_trigger(FunctionCallInfo fcinfo, const char *name)
{
	const TriggerData *data = (const TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(data->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(data->tg_event) || !TRIGGER_FIRED_BY_INSERT(data->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("%s() must be a trigger BEFORE INSERT FOR EACH ROW", name)));
	return data;
}

/* is_table(rel regclass) → boolean */
Datum
aw_sql_is_table(PG_FUNCTION_ARGS)
{
	Relation	rel = try_relation_open(PG_GETARG_OID(0), AccessShareLock);
	bool		is_table;

	if (rel == NULL)
		PG_RETURN_NULL();
	is_table = aw_ddl_is_table(rel);
	relation_close(rel, AccessShareLock);
	PG_RETURN_BOOL(is_table);
}

/* primary_key(VARIADIC columns "any") → boolean: a marker, always true */
Datum
aw_sql_primary_key(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_BOOL(true);
}

/* not_null(VARIADIC columns "any") → boolean: a marker, always true */
Datum
aw_sql_not_null(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_BOOL(true);
}

/* metadata(key text, value anyelement) → anyelement: always NULL */
Datum
aw_sql_metadata(PG_FUNCTION_ARGS)
{
	PG_RETURN_NULL();
}

/* Takes a marker out of the plan. */
Datum
aw_sql_primary_key_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(makeBoolConst(true, false));
}

/* show_create_table(rel regclass) → text */
Datum
aw_sql_show_create_table(PG_FUNCTION_ARGS)
{
	return show_create(PG_GETARG_OID(0), aw_ddl_table);
}

/* show_create_view(rel regclass) → text */
Datum
aw_sql_show_create_view(PG_FUNCTION_ARGS)
{
	return show_create(PG_GETARG_OID(0), aw_ddl_view);
}

static Datum
show_create(Oid relid, char *(*make_text) (Relation rel))
{
	Relation	rel = try_relation_open(relid, AccessShareLock);
	Datum		text;

	if (rel == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	text = CStringGetTextDatum(make_text(rel));
	relation_close(rel, AccessShareLock);
	return text;
}
