/*
 * functiontext.c
 *
 * What a call of one of PostgreSQL's functions is in Flink: the way back from
 * flinkfunction.c.
 *
 * A function is called in Flink by its own name, unless the table below has another
 * form for it.  One of PostgreSQL's own whose name is that of another function in
 * Flink, as the schema "flink" tells, must not go by it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "functiontext.h"

#define ANY_NUMBER (-1)

/* A function and Flink's form of its call; in what syntax it was called may matter. */
typedef struct Form
{
	const char *name;
	int			n_arguments;
	bool		is_flink;		/* of the schema flink, and not of pg_catalog */
	bool		is_spelled;		/* only where it was called in a syntax of its own */
	const char *template;
} Form;

static const Form forms[] = {
	{"array_cat", 2, false, false, "ARRAY_CONCAT($1, $2)"},
	{"array_prepend", 2, false, false, "ARRAY_PREPEND($2, $1)"},
	{"array_to_string", ANY_NUMBER, false, false, "ARRAY_JOIN($*)"},
	{"btrim", 1, false, true, "TRIM($1)"},
	{"btrim", 2, false, true, "TRIM(BOTH $2 FROM $1)"},
	{"jsonb_build_object", ANY_NUMBER, false, false, "MAP[$*]"},
	{"length", 1, false, false, "CHAR_LENGTH($1)"},
	{"log", 1, false, false, "LOG10($1)"},
	{"log", 2, false, false, "LOG($1, $2)"},
	{"ltrim", 1, false, true, "TRIM(LEADING FROM $1)"},
	{"ltrim", 2, false, true, "TRIM(LEADING $2 FROM $1)"},
	{"overlaps", 4, false, true, "($1, $2) OVERLAPS ($3, $4)"},
	{"position", 2, false, false, "POSITION($2 IN $1)"},
	{"rtrim", 1, false, true, "TRIM(TRAILING FROM $1)"},
	{"rtrim", 2, false, true, "TRIM(TRAILING $2 FROM $1)"},
	{"starts_with", 2, false, false, "STARTSWITH($1, $2)"},
	{"strpos", 2, false, false, "POSITION($2 IN $1)"},
	{"trunc", ANY_NUMBER, false, false, "TRUNCATE($*)"},

	{"is_json", ANY_NUMBER, true, false, "FLINK.IS_JSON($*)"},
	{"overlay", 3, true, false, "OVERLAY($1 PLACING $2 FROM $3)"},
	{"overlay", 4, true, false, "OVERLAY($1 PLACING $2 FROM $3 FOR $4)"},
	{"to_binary", 2, true, false, "CAST($1 AS BINARY($2))"},
	{"to_bytes", 2, true, false, "CAST($1 AS VARBINARY($2))"},
	{"try_cast", 2, true, false, "TRY_CAST($1 AS @2)"},
};

static bool is_unit_alike(const Node *unit);
static bool is_in_schema(Oid function, const char *schema);

/* Flink's form of a call, as a template of expressiontext.c; NULL: by its name. */
const char *
aw_functiontext_template(const FuncExpr *call)
{
	const char *name = get_func_name(call->funcid);

	for (size_t i = 0; i < lengthof(forms); i++)
	{
		const Form *form = &forms[i];

		if (strcmp(form->name, name) == 0 &&
			(form->n_arguments == ANY_NUMBER || form->n_arguments == list_length(call->args)) &&
			(!form->is_spelled || call->funcformat == COERCE_SQL_SYNTAX) &&
			is_in_schema(call->funcid, form->is_flink ? "flink" : "pg_catalog"))
			return form->template;
	}
	return NULL;
}

/* Does the call become one that is not between brackets? */
bool
aw_functiontext_is_comparison(const FuncExpr *call)
{
	const char *template = aw_functiontext_template(call);

	return template != NULL && template[0] == '(';
}

/*
 * Is it a function of PostgreSQL's, of whose name Flink has another one?  Those whose
 * meaning is the same for all values that both take are not other ones.
 */
bool
aw_functiontext_is_other(const FuncExpr *call)
{
	static const char *const same[] = {"ceil", "floor", "md5", "sign"};
	const char *name = get_func_name(call->funcid);
	Oid			schema = get_namespace_oid("flink", true);
	bool		is_other = false;
	CatCList   *functions;

	if (!is_in_schema(call->funcid, "pg_catalog"))
		return false;
	for (size_t i = 0; i < lengthof(same); i++)
	{
		if (strcmp(name, same[i]) == 0)
			return false;
	}
	if (strcmp(name, "extract") == 0)
		return !is_unit_alike(linitial(call->args));
	functions = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
	for (int i = 0; i < functions->n_members; i++)
	{
		Form_pg_proc function = (Form_pg_proc) GETSTRUCT(&functions->members[i]->tuple);

		is_other |= function->pronamespace == schema;
	}
	ReleaseSysCacheList(functions);
	return is_other;
}

/* Is it a field of a time that is the same number in both? */
static bool
is_unit_alike(const Node *unit)
{
	static const char *const alike[] = {
		"year", "isoyear", "quarter", "month", "week", "day", "doy", "isodow", "hour", "minute"
	};
	const Const *constant = (const Const *) unit;

	if (!IsA(unit, Const) || constant->constisnull || constant->consttype != TEXTOID)
		return false;
	for (size_t i = 0; i < lengthof(alike); i++)
	{
		if (strcmp(TextDatumGetCString(constant->constvalue), alike[i]) == 0)
			return true;
	}
	return false;
}

static bool
is_in_schema(Oid function, const char *schema)
{
	return strcmp(get_namespace_name(get_func_namespace(function)), schema) == 0;
}
