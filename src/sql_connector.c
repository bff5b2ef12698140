/*
 * sql_connector.c
 *
 * SQL functions of Flink's connectors: the triggers print_row() and discard_row()
 * of sinks, and the marker primary_key().
 */
#include "postgres.h"

#include "commands/trigger.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "utils/rel.h"

#include "rowtext.h"

static const TriggerData *insert_trigger(FunctionCallInfo fcinfo, const char *name);

PG_FUNCTION_INFO_V1(aw_sql_print_row);
PG_FUNCTION_INFO_V1(aw_sql_discard_row);
PG_FUNCTION_INFO_V1(aw_sql_primary_key);
PG_FUNCTION_INFO_V1(aw_sql_primary_key_support);

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
	aw_rowtext_append(&text, data->tg_trigtuple, RelationGetDescr(data->tg_relation));
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

/* primary_key(VARIADIC columns "any") → boolean: a marker, always true */
Datum
aw_sql_primary_key(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_BOOL(true);
}

Datum
aw_sql_primary_key_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(makeBoolConst(true, false));
}
