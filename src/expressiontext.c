/*
 * expressiontext.c
 *
 * PostgreSQL's expressions in Flink's words: names between backticks, intervals and
 * times as SQL's literals, casts as CAST, functions of the schema flink without it.
 *
 * What Flink has no word for is printed as PostgreSQL prints it.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/timestamp.h"

#include "expressiontext.h"
#include "typetext.h"

/* How strongly an expression holds together. */
typedef enum Precedence
{
	PRECEDENCE_OR,
	PRECEDENCE_AND,
	PRECEDENCE_NOT,
	PRECEDENCE_COMPARISON,
	PRECEDENCE_OTHER,
	PRECEDENCE_SUM,
	PRECEDENCE_PRODUCT,
	PRECEDENCE_TERM
} Precedence;

typedef struct Printer
{
	StringInfoData text;
	Oid			relid;
} Printer;

static void print(Printer *printer, Node *expr);
static void print_within(Printer *printer, Node *expr, Precedence least);
static Precedence precedence_of(Node *expr);
static Precedence operator_precedence(const char *name);
static Node *written(Node *expr);
static void print_list(Printer *printer, List *exprs, const char *separator, Precedence least);
static void print_operator(Printer *printer, OpExpr *expr);
static const char *operator_name(Oid opno);
static void print_bool(Printer *printer, BoolExpr *expr);
static void print_case(Printer *printer, CaseExpr *expr);
static void print_array_operator(Printer *printer, ScalarArrayOpExpr *expr);
static bool is_cast(Node *expr, Node **argument, CoercionForm *form);
static bool casts_as_flink(FuncExpr *call);
static bool is_in_flink(Node *expr, const char *name);
static void print_cast(Printer *printer, Node *expr, Node *argument);
static bool is_of_milliseconds(Node *expr);
static bool has_digits(Node *expr, int32 digits);
static void print_function(Printer *printer, FuncExpr *call);
static bool print_with_unit(Printer *printer, FuncExpr *call, const char *name);
static List *variadic_elements(FuncExpr *call);
static void print_as_it_stands(Printer *printer, Node *expr);
static void print_constant(Printer *printer, Const *constant);
static char *interval_text(const Interval *interval);
static char *unit_text(int64 number, const char *fraction, const char *unit, bool is_negative);
static char *time_text(Datum time);

/* An expression over the columns of a relation, palloc'd. */
char *
aw_expressiontext(Node *expr, Oid relid)
{
	Printer		printer = {.relid = relid};

	initStringInfo(&printer.text);
	print(&printer, expr);
	return printer.text.data;
}

/* A text between quotes. */
char *
aw_expressiontext_literal(const char *text)
{
	StringInfoData literal;

	initStringInfo(&literal);
	appendStringInfoChar(&literal, '\'');
	for (; *text != '\0'; text++)
	{
		if (*text == '\'')
			appendStringInfoChar(&literal, '\'');
		appendStringInfoChar(&literal, *text);
	}
	appendStringInfoChar(&literal, '\'');
	return literal.data;
}

static void
print(Printer *printer, Node *expr)
{
	Node	   *argument;
	CoercionForm form;
	const char *name;

	check_stack_depth();
	expr = written(expr);
	if (is_cast(expr, &argument, &form))
	{
		print_cast(printer, expr, argument);
		return;
	}
	switch (nodeTag(expr))
	{
		case T_Var:
			name = get_attname(printer->relid, ((Var *) expr)->varattno, false);
			appendStringInfoString(&printer->text, aw_typetext_quoted(name));
			return;
		case T_Const:
			print_constant(printer, (Const *) expr);
			return;
		case T_OpExpr:
			print_operator(printer, (OpExpr *) expr);
			return;
		case T_BoolExpr:
			print_bool(printer, (BoolExpr *) expr);
			return;
		case T_CaseExpr:
			print_case(printer, (CaseExpr *) expr);
			return;
		case T_ScalarArrayOpExpr:
			print_array_operator(printer, (ScalarArrayOpExpr *) expr);
			return;
		case T_FuncExpr:
			print_function(printer, (FuncExpr *) expr);
			return;
		case T_CoalesceExpr:
			appendStringInfoString(&printer->text, "COALESCE(");
			print_list(printer, ((CoalesceExpr *) expr)->args, ", ", PRECEDENCE_OR);
			appendStringInfoChar(&printer->text, ')');
			return;
		case T_MinMaxExpr:
			appendStringInfoString(&printer->text, ((MinMaxExpr *) expr)->op == IS_LEAST ?
								   "LEAST(" : "GREATEST(");
			print_list(printer, ((MinMaxExpr *) expr)->args, ", ", PRECEDENCE_OR);
			appendStringInfoChar(&printer->text, ')');
			return;
		case T_NullTest:
			print_within(printer, (Node *) ((NullTest *) expr)->arg, PRECEDENCE_OTHER);
			appendStringInfoString(&printer->text, ((NullTest *) expr)->nulltesttype == IS_NULL ?
								   " IS NULL" : " IS NOT NULL");
			return;
		default:
			print_as_it_stands(printer, expr);
	}
}

/* Between parentheses if the expression holds together less than it must. */
static void
print_within(Printer *printer, Node *expr, Precedence least)
{
	bool		is_nested = (precedence_of(written(expr)) < least);

	if (is_nested)
		appendStringInfoChar(&printer->text, '(');
	print(printer, expr);
	if (is_nested)
		appendStringInfoChar(&printer->text, ')');
}

static Precedence
precedence_of(Node *expr)
{
	if (IsA(expr, BoolExpr))
	{
		BoolExprType kind = ((BoolExpr *) expr)->boolop;

		return kind == OR_EXPR ? PRECEDENCE_OR : kind == AND_EXPR ? PRECEDENCE_AND : PRECEDENCE_NOT;
	}
	if (IsA(expr, NullTest) || IsA(expr, ScalarArrayOpExpr))
		return PRECEDENCE_COMPARISON;
	if (IsA(expr, OpExpr))
		return operator_precedence(operator_name(((OpExpr *) expr)->opno));
	return PRECEDENCE_TERM;
}

static Precedence
operator_precedence(const char *name)
{
	if (strcmp(name, "*") == 0 || strcmp(name, "/") == 0 || strcmp(name, "%") == 0)
		return PRECEDENCE_PRODUCT;
	if (strcmp(name, "+") == 0 || strcmp(name, "-") == 0)
		return PRECEDENCE_SUM;
	if (strchr("<>=", name[0]) != NULL || strstr(name, "LIKE") != NULL)
		return PRECEDENCE_COMPARISON;
	return PRECEDENCE_OTHER;
}

/* An expression without the casts around it that nobody wrote. */
static Node *
written(Node *expr)
{
	Node	   *argument;
	CoercionForm form;

	while (is_cast(expr, &argument, &form) && form == COERCE_IMPLICIT_CAST)
		expr = argument;
	return expr;
}

/* Is it a cast, of what, and who wrote it? */
static bool
is_cast(Node *expr, Node **argument, CoercionForm *form)
{
	switch (nodeTag(expr))
	{
		case T_RelabelType:
			*argument = (Node *) ((RelabelType *) expr)->arg;
			*form = ((RelabelType *) expr)->relabelformat;
			return true;
		case T_CoerceViaIO:
			*argument = (Node *) ((CoerceViaIO *) expr)->arg;
			*form = ((CoerceViaIO *) expr)->coerceformat;
			return true;
		case T_FuncExpr:
			*form = casts_as_flink((FuncExpr *) expr) ? COERCE_EXPLICIT_CAST :
				((FuncExpr *) expr)->funcformat;
			if (*form != COERCE_IMPLICIT_CAST && *form != COERCE_EXPLICIT_CAST)
				return false;
			*argument = linitial(((FuncExpr *) expr)->args);
			return true;
		default:
			return false;
	}
}

static void
print_list(Printer *printer, List *exprs, const char *separator, Precedence least)
{
	const char *before = "";
	ListCell   *lc;

	foreach(lc, exprs)
	{
		appendStringInfoString(&printer->text, before);
		print_within(printer, lfirst(lc), least);
		before = separator;
	}
}

static void
print_operator(Printer *printer, OpExpr *expr)
{
	const char *name = operator_name(expr->opno);
	Precedence	own = operator_precedence(name);

	if (list_length(expr->args) == 1)
		appendStringInfoString(&printer->text, name);
	else
	{
		/* Comparisons do not chain. */
		print_within(printer, linitial(expr->args),
					 own == PRECEDENCE_COMPARISON ? PRECEDENCE_OTHER : own);
		appendStringInfo(&printer->text, " %s ", name);
	}
	print_within(printer, llast(expr->args),
				 list_length(expr->args) == 1 ? PRECEDENCE_TERM : own + 1);
}

static const char *
operator_name(Oid opno)
{
	const char *name = get_opname(opno);

	if (strcmp(name, "~~") == 0)
		return "LIKE";
	if (strcmp(name, "!~~") == 0)
		return "NOT LIKE";
	return name;
}

static void
print_bool(Printer *printer, BoolExpr *expr)
{
	switch (expr->boolop)
	{
		case AND_EXPR:
			print_list(printer, expr->args, " AND ", PRECEDENCE_AND);
			return;
		case OR_EXPR:
			print_list(printer, expr->args, " OR ", PRECEDENCE_OR);
			return;
		case NOT_EXPR:
			appendStringInfoString(&printer->text, "NOT ");
			print_within(printer, linitial(expr->args), PRECEDENCE_NOT);
			return;
	}
}

static void
print_case(Printer *printer, CaseExpr *expr)
{
	ListCell   *lc;

	appendStringInfoString(&printer->text, "CASE");
	if (expr->arg != NULL)
	{
		appendStringInfoChar(&printer->text, ' ');
		print(printer, (Node *) expr->arg);
	}
	foreach(lc, expr->args)
	{
		CaseWhen   *branch = lfirst_node(CaseWhen, lc);

		appendStringInfoString(&printer->text, " WHEN ");
		print(printer, expr->arg ? llast(((OpExpr *) branch->expr)->args) : (Node *) branch->expr);
		appendStringInfoString(&printer->text, " THEN ");
		print(printer, (Node *) branch->result);
	}
	if (expr->defresult != NULL &&
		!(IsA(expr->defresult, Const) && ((Const *) expr->defresult)->constisnull))
	{
		appendStringInfoString(&printer->text, " ELSE ");
		print(printer, (Node *) expr->defresult);
	}
	appendStringInfoString(&printer->text, " END");
}

/* x IN (1, 2); other comparisons with arrays stand as they are. */
static void
print_array_operator(Printer *printer, ScalarArrayOpExpr *expr)
{
	ArrayExpr  *array = lsecond(expr->args);

	if (!expr->useOr || !IsA(array, ArrayExpr) || strcmp(operator_name(expr->opno), "=") != 0)
	{
		print_as_it_stands(printer, (Node *) expr);
		return;
	}
	print_within(printer, linitial(expr->args), PRECEDENCE_OTHER);
	appendStringInfoString(&printer->text, " IN (");
	print_list(printer, array->elements, ", ", PRECEDENCE_OR);
	appendStringInfoChar(&printer->text, ')');
}

/* Is it a function that does what Flink's CAST does? */
static bool
casts_as_flink(FuncExpr *call)
{
	static const char *const names[] = {
		"to_boolean", "to_bytes", "to_bigint", "to_integer", "to_smallint", "to_string"
	};

	if (list_length(call->args) != 1)
		return false;
	for (size_t i = 0; i < lengthof(names); i++)
	{
		if (is_in_flink((Node *) call, names[i]))
			return true;
	}
	return false;
}

/* Is it a call of a function of the schema flink? */
static bool
is_in_flink(Node *expr, const char *name)
{
	Oid			function;

	if (!IsA(expr, FuncExpr))
		return false;
	function = ((FuncExpr *) expr)->funcid;
	return strcmp(get_func_name(function), name) == 0 &&
		strcmp(get_namespace_name(get_func_namespace(function)), "flink") == 0;
}

/* CAST(x AS TYPE), which cuts times */
static void
print_cast(Printer *printer, Node *expr, Node *argument)
{
	int32		typmod = exprTypmod(expr);
	char	   *type;

	(void) exprIsLengthCoercion(expr, &typmod);
	type = aw_typetext(exprType(expr), typmod);
	argument = written(argument);
	if ((is_of_milliseconds(argument) && typmod == 3) || has_digits(argument, typmod))
	{
		print(printer, argument);
		return;
	}
	if (IsA(argument, Const) && ((Const *) argument)->constisnull)
	{
		appendStringInfo(&printer->text, "CAST(NULL AS %s)",
						 type ? type : format_type_with_typemod(exprType(expr), typmod));
		return;
	}
	if (is_in_flink(argument, "trunc") || is_in_flink(argument, "to_time"))
		argument = linitial(((FuncExpr *) argument)->args);
	appendStringInfoString(&printer->text, "CAST(");
	print(printer, argument);
	appendStringInfo(&printer->text, " AS %s)",
					 type ? type : format_type_with_typemod(exprType(expr), typmod));
}

/* A function whose type has three digits in Flink: the cast only says so. */
static bool
is_of_milliseconds(Node *expr)
{
	static const char *const names[] = {
		"current_row_timestamp", "localtimestamp", "now", "to_timestamp", "to_timestamp_ltz"
	};

	for (size_t i = 0; i < lengthof(names); i++)
	{
		if (is_in_flink(expr, names[i]))
			return true;
	}
	return false;
}

/* A constant time that is written with as many digits as a cast would give it. */
static bool
has_digits(Node *expr, int32 digits)
{
	Const	   *constant = (Const *) expr;
	char	   *point;

	if (!IsA(expr, Const) || constant->constisnull || constant->consttype != TIMESTAMPOID)
		return false;
	point = strchr(time_text(constant->constvalue), '.');
	return point != NULL && (int32) strlen(point + 1) == digits;
}

/* NAME(a, b); what has a syntax of its own stands as it is, but for EXTRACT. */
static void
print_function(Printer *printer, FuncExpr *call)
{
	char	   *name = get_func_name(call->funcid);

	if (print_with_unit(printer, call, name))
		return;
	if (is_in_flink((Node *) call, "localtimestamp"))
		appendStringInfoString(&printer->text, "LOCALTIMESTAMP");
	else if (is_in_flink((Node *) call, "date_plus") || is_in_flink((Node *) call, "date_minus"))
	{
		appendStringInfoChar(&printer->text, '(');
		print_list(printer, call->args, is_in_flink((Node *) call, "date_plus") ? " + " : " - ",
				   PRECEDENCE_TERM);
		appendStringInfoChar(&printer->text, ')');
	}
	else if (call->funcformat == COERCE_SQL_SYNTAX ||
			 (call->funcvariadic && variadic_elements(call) == NIL))
		print_as_it_stands(printer, (Node *) call);
	else
	{
		appendStringInfo(&printer->text, "%s(", asc_toupper(name, strlen(name)));
		print_list(printer, call->funcvariadic ? variadic_elements(call) : call->args, ", ",
				   PRECEDENCE_OR);
		appendStringInfoChar(&printer->text, ')');
	}
}

/* A function of which an argument is a unit of time; false if it is none. */
static bool
print_with_unit(Printer *printer, FuncExpr *call, const char *name)
{
	bool		is_rounded = list_length(call->args) == 2 &&
		(is_in_flink((Node *) call, "floor") || is_in_flink((Node *) call, "ceil"));
	bool		is_arithmetic = is_in_flink((Node *) call, "timestampadd") ||
		is_in_flink((Node *) call, "timestampdiff");
	Const	   *unit;
	char	   *word;

	if (!is_rounded && !is_arithmetic && strcmp(name, "extract") != 0)
		return false;
	unit = list_nth(call->args, is_rounded ? 1 : 0);
	if (!IsA(unit, Const) || unit->constisnull || unit->consttype != TEXTOID)
		return false;

	word = TextDatumGetCString(unit->constvalue);
	word = asc_toupper(word, strlen(word));
	appendStringInfo(&printer->text, "%s(", asc_toupper(name, strlen(name)));
	if (is_rounded)
	{
		print(printer, linitial(call->args));
		appendStringInfo(&printer->text, " TO %s", word);
	}
	else
	{
		appendStringInfo(&printer->text, is_arithmetic ? "%s, " : "%s FROM ", word);
		print_list(printer, list_copy_tail(call->args, 1), ", ", PRECEDENCE_OR);
	}
	appendStringInfoChar(&printer->text, ')');
	return true;
}

/* The arguments of a call with VARIADIC, where all of them are written; else NIL. */
static List *
variadic_elements(FuncExpr *call)
{
	List	   *arguments = list_copy(call->args);
	ArrayExpr  *last = llast(arguments);

	if (!IsA(last, ArrayExpr))
		return NIL;
	return list_concat(list_delete_last(arguments), last->elements);
}

static void
print_as_it_stands(Printer *printer, Node *expr)
{
	List	   *context = deparse_context_for(get_rel_name(printer->relid), printer->relid);

	appendStringInfoString(&printer->text, deparse_expression(expr, context, false, false));
}

static void
print_constant(Printer *printer, Const *constant)
{
	/* Flink takes watermarks of milliseconds only. */
	bool		is_time = (constant->consttype == TIMESTAMPOID ||
						   constant->consttype == TIMESTAMPTZOID);
	char	   *type = aw_typetext(constant->consttype, is_time ? 3 : constant->consttypmod);
	StringInfo	out = &printer->text;
	Datum		value = constant->constvalue;
	Oid			output;
	bool		is_varlena;
	char	   *number;

	if (constant->constisnull)
	{
		appendStringInfoString(out, type ? psprintf("CAST(NULL AS %s)", type) : "NULL");
		return;
	}
	switch (constant->consttype)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case NUMERICOID:
			getTypeOutputInfo(constant->consttype, &output, &is_varlena);
			number = OidOutputFunctionCall(output, value);
			appendStringInfo(out, *number == '-' ? "(%s)" : "%s", number);
			return;
		case BOOLOID:
			appendStringInfoString(out, DatumGetBool(value) ? "TRUE" : "FALSE");
			return;
		case TEXTOID:
		case VARCHAROID:
			appendStringInfoString(out, aw_expressiontext_literal(TextDatumGetCString(value)));
			return;
		case INTERVALOID:
			appendStringInfoString(out, interval_text(DatumGetIntervalP(value)));
			return;
		case TIMESTAMPOID:
			appendStringInfo(out, "TIMESTAMP '%s'", time_text(value));
			return;
		case TIMESTAMPTZOID:
			appendStringInfo(out, "CAST(TIMESTAMP '%s' AS TIMESTAMP_LTZ(3))",
							 time_text(DirectFunctionCall1(timestamptz_timestamp, value)));
			return;
		case DATEOID:
			appendStringInfo(out, "DATE '%.10s'",
							 time_text(DirectFunctionCall1(date_timestamp, value)));
			return;
		default:
			print_as_it_stands(printer, (Node *) constant);
	}
}

/* The largest unit that leaves a whole number; one of months cannot have days as well. */
static char *
interval_text(const Interval *interval)
{
	int64		us = interval->day * USECS_PER_DAY + interval->time;
	char		fraction[8];

	if (interval->month != 0 && us == 0 && interval->month % MONTHS_PER_YEAR == 0)
		return unit_text(interval->month / MONTHS_PER_YEAR, "", "YEAR", interval->month < 0);
	if (interval->month != 0 && us == 0)
		return unit_text(interval->month, "", "MONTH", interval->month < 0);
	if (interval->month != 0)
		return psprintf("(%s + %s)", unit_text(interval->month, "", "MONTH", interval->month < 0),
						unit_text(us / USECS_PER_DAY, "", "DAY", us < 0));
	if (us != 0 && us % USECS_PER_DAY == 0)
		return unit_text(us / USECS_PER_DAY, "", "DAY", us < 0);
	if (us != 0 && us % USECS_PER_HOUR == 0)
		return unit_text(us / USECS_PER_HOUR, "", "HOUR", us < 0);
	if (us != 0 && us % USECS_PER_MINUTE == 0)
		return unit_text(us / USECS_PER_MINUTE, "", "MINUTE", us < 0);

	snprintf(fraction, sizeof(fraction), ".%06d", abs((int) (us % USECS_PER_SEC)));
	if (us % USECS_PER_SEC == 0)
		fraction[0] = '\0';
	else if (us % 1000 == 0)
		fraction[4] = '\0';
	return unit_text(us / USECS_PER_SEC, fraction, "SECOND", us < 0);
}

/* Flink wants to be told of more than two digits. */
static char *
unit_text(int64 number, const char *fraction, const char *unit, bool is_negative)
{
	char	   *digits = psprintf(INT64_FORMAT, number < 0 ? -number : number);
	char	   *precision = strlen(digits) > 2 ? psprintf("(%d)", (int) strlen(digits)) : "";

	return psprintf("INTERVAL '%s%s%s' %s%s", is_negative ? "-" : "", digits, fraction, unit,
					precision);
}

/* A time in ISO form, whatever DateStyle is. */
static char *
time_text(Datum time)
{
	Timestamp	timestamp = DatumGetTimestamp(time);
	struct pg_tm tm;
	fsec_t		fraction;
	char		text[MAXDATELEN + 1];

	if (TIMESTAMP_NOT_FINITE(timestamp) ||
		timestamp2tm(timestamp, NULL, &tm, &fraction, NULL, NULL) != 0)
		return DatumGetCString(DirectFunctionCall1(timestamp_out, time));
	EncodeDateTime(&tm, fraction, false, 0, NULL, USE_ISO_DATES, text);
	return pstrdup(text);
}
