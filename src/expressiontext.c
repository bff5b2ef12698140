/*
 * expressiontext.c
 *
 * PostgreSQL's expressions in Flink's words: names between backticks, casts as CAST,
 * functions by Flink's names and in its forms.
 *
 * What Flink has no word for is printed as PostgreSQL prints it, or with the schema
 * pg_catalog where Flink has another function of the same name: Flink refuses both.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/typcache.h"

#include "constanttext.h"
#include "expressiontext.h"
#include "functiontext.h"
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
static bool is_pattern(Node *expr);
static void print_pattern(Printer *printer, OpExpr *expr);
static Node *pattern_escape(OpExpr *expr, Node **pattern);
static const char *operator_name(Oid opno);
static void print_bool(Printer *printer, BoolExpr *expr);
static void print_case(Printer *printer, CaseExpr *expr);
static void print_array_operator(Printer *printer, ScalarArrayOpExpr *expr);
static void print_comparison(Printer *printer, List *args, const char *name);
static void print_truth(Printer *printer, BooleanTest *test);
static bool print_subscript(Printer *printer, SubscriptingRef *subscript);
static bool print_field(Printer *printer, FieldSelect *field);
static void print_enclosed(Printer *printer, const char *open, List *exprs, const char *close);
static bool is_cast(Node *expr, Node **argument, CoercionForm *form);
static bool casts_as_flink(FuncExpr *call);
static bool is_in_flink(Node *expr, const char *name);
static void print_cast(Printer *printer, Node *expr, Node *argument);
static bool is_of_milliseconds(Node *expr);
static const char *clock_word(Node *expr, Oid type);
static void print_function(Printer *printer, FuncExpr *call);
static void print_template(Printer *printer, FuncExpr *call, const char *template);
static void print_date_arithmetic(Printer *printer, FuncExpr *call);
static bool is_date_by_itself(Node *expr);
static bool print_with_unit(Printer *printer, FuncExpr *call, const char *name);
static List *variadic_elements(FuncExpr *call);
static void print_as_it_stands(Printer *printer, Node *expr);

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
			if (aw_constanttext((Const *) expr) == NULL)
				break;
			appendStringInfoString(&printer->text, aw_constanttext((Const *) expr));
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
			print_enclosed(printer, "COALESCE(", ((CoalesceExpr *) expr)->args, ")");
			return;
		case T_MinMaxExpr:
			print_enclosed(printer, ((MinMaxExpr *) expr)->op == IS_LEAST ? "LEAST(" : "GREATEST(",
						   ((MinMaxExpr *) expr)->args, ")");
			return;
		case T_NullIfExpr:
			print_enclosed(printer, "NULLIF(", ((NullIfExpr *) expr)->args, ")");
			return;
		case T_RowExpr:
			print_enclosed(printer, "ROW(", ((RowExpr *) expr)->args, ")");
			return;
		case T_ArrayExpr:
			if (((ArrayExpr *) expr)->multidims)
				break;
			print_enclosed(printer, "ARRAY[", ((ArrayExpr *) expr)->elements, "]");
			return;
		case T_DistinctExpr:
			print_comparison(printer, ((DistinctExpr *) expr)->args, "IS DISTINCT FROM");
			return;
		case T_BooleanTest:
			print_truth(printer, (BooleanTest *) expr);
			return;
		case T_SubscriptingRef:
			if (!print_subscript(printer, (SubscriptingRef *) expr))
				break;
			return;
		case T_FieldSelect:
			if (!print_field(printer, (FieldSelect *) expr))
				break;
			return;
		case T_NullTest:
			print_within(printer, (Node *) ((NullTest *) expr)->arg, PRECEDENCE_OTHER);
			appendStringInfoString(&printer->text, ((NullTest *) expr)->nulltesttype == IS_NULL ?
								   " IS NULL" : " IS NOT NULL");
			return;
		default:
			break;
	}
	print_as_it_stands(printer, expr);
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
	if (IsA(expr, NullTest) || IsA(expr, ScalarArrayOpExpr) || IsA(expr, DistinctExpr) ||
		IsA(expr, BooleanTest) || is_pattern(expr))
		return PRECEDENCE_COMPARISON;
	if (IsA(expr, FuncExpr) && aw_functiontext_is_comparison((FuncExpr *) expr))
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
		case T_ArrayCoerceExpr:
			*argument = (Node *) ((ArrayCoerceExpr *) expr)->arg;
			*form = ((ArrayCoerceExpr *) expr)->coerceformat;
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

	if (is_pattern((Node *) expr))
	{
		print_pattern(printer, expr);
		return;
	}
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

/* LIKE or SIMILAR TO?  The server keeps the one as "~~", the other as "~" of a function. */
static bool
is_pattern(Node *expr)
{
	const char *name;
	Node	   *pattern;

	if (!IsA(expr, OpExpr) || list_length(((OpExpr *) expr)->args) != 2)
		return false;
	name = operator_name(((OpExpr *) expr)->opno);
	pattern = written(llast(((OpExpr *) expr)->args));
	if (strcmp(name, "~") != 0 && strcmp(name, "!~") != 0)
		return strstr(name, "LIKE") != NULL;
	return IsA(pattern, FuncExpr) &&
		((FuncExpr *) pattern)->funcid != InvalidOid &&
		strcmp(get_func_name(((FuncExpr *) pattern)->funcid), "similar_to_escape") == 0;
}

static void
print_pattern(Printer *printer, OpExpr *expr)
{
	const char *name = operator_name(expr->opno);
	Node	   *pattern = written(llast(expr->args));
	Node	   *escape = pattern_escape(expr, &pattern);

	print_within(printer, linitial(expr->args), PRECEDENCE_OTHER);
	appendStringInfo(&printer->text, " %s ", strcmp(name, "~") == 0 ? "SIMILAR TO" :
					 strcmp(name, "!~") == 0 ? "NOT SIMILAR TO" : name);
	print_within(printer, pattern, PRECEDENCE_OTHER);
	if (escape != NULL)
	{
		appendStringInfoString(&printer->text, " ESCAPE ");
		print_within(printer, escape, PRECEDENCE_OTHER);
	}
}

/*
 * What stands behind ESCAPE, or NULL; takes the function off the pattern that says so.
 * To Flink a pattern has no escapes unless it names them, to PostgreSQL a backslash is
 * one, and the empty text says that there is none.
 */
static Node *
pattern_escape(OpExpr *expr, Node **pattern)
{
	FuncExpr   *call = (FuncExpr *) *pattern;
	Node	   *escape = NULL;

	if (IsA(call, FuncExpr) &&
		(strcmp(get_func_name(call->funcid), "like_escape") == 0 ||
		 strcmp(get_func_name(call->funcid), "similar_to_escape") == 0))
	{
		*pattern = written(linitial(call->args));
		escape = list_length(call->args) > 1 ? written(lsecond(call->args)) : NULL;
	}
	else if (!IsA(call, Const) ||
			 (!((Const *) call)->constisnull && ((Const *) call)->consttype == TEXTOID &&
			  strchr(TextDatumGetCString(((Const *) call)->constvalue), '\\') != NULL))
		return (Node *) makeConst(TEXTOID, -1, expr->inputcollid, -1,
								  CStringGetTextDatum("\\"), false, false);
	if (escape != NULL && IsA(escape, Const) && !((Const *) escape)->constisnull &&
		*TextDatumGetCString(((Const *) escape)->constvalue) == '\0')
		return NULL;
	return escape;
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

/* x IN (1, 2), x NOT IN (1, 2); other comparisons with arrays stand as they are. */
static void
print_array_operator(Printer *printer, ScalarArrayOpExpr *expr)
{
	ArrayExpr  *array = lsecond(expr->args);

	if (!IsA(array, ArrayExpr) ||
		strcmp(operator_name(expr->opno), expr->useOr ? "=" : "<>") != 0)
	{
		print_as_it_stands(printer, (Node *) expr);
		return;
	}
	print_within(printer, linitial(expr->args), PRECEDENCE_OTHER);
	print_enclosed(printer, expr->useOr ? " IN (" : " NOT IN (", array->elements, ")");
}

static void
print_comparison(Printer *printer, List *args, const char *name)
{
	print_within(printer, linitial(args), PRECEDENCE_OTHER);
	appendStringInfo(&printer->text, " %s ", name);
	print_within(printer, llast(args), PRECEDENCE_OTHER);
}

/* IS TRUE and the like */
static void
print_truth(Printer *printer, BooleanTest *test)
{
	static const char *const words[] = {
		[IS_TRUE] = "TRUE", [IS_NOT_TRUE] = "NOT TRUE", [IS_FALSE] = "FALSE",
		[IS_NOT_FALSE] = "NOT FALSE", [IS_UNKNOWN] = "UNKNOWN", [IS_NOT_UNKNOWN] = "NOT UNKNOWN"
	};

	print_within(printer, (Node *) test->arg, PRECEDENCE_OTHER);
	appendStringInfo(&printer->text, " IS %s", words[test->booltesttype]);
}

/* An element of an array or map; false for a part of an array. */
static bool
print_subscript(Printer *printer, SubscriptingRef *subscript)
{
	Node	   *container = written((Node *) subscript->refexpr);
	bool		is_nested = !IsA(container, Var) && !IsA(container, SubscriptingRef);

	if (subscript->reflowerindexpr != NIL || subscript->refassgnexpr != NULL)
		return false;
	if (is_nested)
		appendStringInfoChar(&printer->text, '(');
	print(printer, container);
	if (is_nested)
		appendStringInfoChar(&printer->text, ')');
	appendStringInfoChar(&printer->text, '[');
	print_list(printer, subscript->refupperindexpr, "][", PRECEDENCE_OR);
	appendStringInfoChar(&printer->text, ']');
	return true;
}

/* A field of a row; false if the row has no type that names it. */
static bool
print_field(Printer *printer, FieldSelect *field)
{
	Oid			type = exprType((Node *) field->arg);
	TupleDesc	columns;

	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		return false;
	columns = lookup_rowtype_tupdesc(type, exprTypmod((Node *) field->arg));
	appendStringInfoChar(&printer->text, '(');
	print(printer, (Node *) field->arg);
	appendStringInfo(&printer->text, ").%s",
					 aw_typetext_quoted(NameStr(TupleDescAttr(columns, field->fieldnum - 1)->attname)));
	ReleaseTupleDesc(columns);
	return true;
}

static void
print_enclosed(Printer *printer, const char *open, List *exprs, const char *close)
{
	appendStringInfoString(&printer->text, open);
	print_list(printer, exprs, ", ", PRECEDENCE_OR);
	appendStringInfoString(&printer->text, close);
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
	if ((is_of_milliseconds(argument) && typmod == 3) ||
		(IsA(argument, Const) && aw_constanttext_has_digits((Const *) argument, typmod)))
	{
		print(printer, argument);
		return;
	}
	if (clock_word(argument, exprType(expr)) != NULL)
	{
		appendStringInfoString(&printer->text, clock_word(argument, exprType(expr)));
		return;
	}
	if (IsA(expr, CoerceViaIO) && IsA(argument, FuncExpr) &&
		strcmp(get_func_name(((FuncExpr *) argument)->funcid), "to_json") == 0)
	{
		print_enclosed(printer, "JSON_STRING(", ((FuncExpr *) argument)->args, ")");
		return;
	}
	if (IsA(argument, Const) && ((Const *) argument)->constisnull)
	{
		appendStringInfo(&printer->text, "CAST(NULL AS %s)",
						 type ? type : format_type_with_typemod(exprType(expr), typmod));
		return;
	}
	if (is_in_flink(argument, "trunc") || is_in_flink(argument, "to_time") ||
		(is_in_flink(argument, "to_string") &&
		 (exprType(expr) == VARCHAROID || exprType(expr) == BPCHAROID)))
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

/* The word for a clock that flink_sql() writes as a cast of another; NULL if it is none. */
static const char *
clock_word(Node *expr, Oid type)
{
	FuncExpr   *call = (FuncExpr *) expr;

	if (type == DATEOID && is_in_flink(expr, "localtimestamp"))
		return "CURRENT_DATE";
	if (type == TIMEOID && IsA(call, FuncExpr) && list_length(call->args) == 2 &&
		strcmp(get_func_name(call->funcid), "date_trunc") == 0 &&
		is_in_flink(lsecond(call->args), "localtimestamp"))
		return "CURRENT_TIME";
	return NULL;
}

/* NAME(a, b), or the form that Flink has. */
static void
print_function(Printer *printer, FuncExpr *call)
{
	char	   *name = get_func_name(call->funcid);
	const char *template = aw_functiontext_template(call);
	const char *schema = aw_functiontext_is_other(call) ? "PG_CATALOG." : "";

	if (template != NULL)
		print_template(printer, call, template);
	else if (*schema == '\0' && print_with_unit(printer, call, name))
		return;
	else if (is_in_flink((Node *) call, "localtimestamp"))
		appendStringInfoString(&printer->text, "LOCALTIMESTAMP");
	else if (is_in_flink((Node *) call, "date_plus") || is_in_flink((Node *) call, "date_minus"))
		print_date_arithmetic(printer, call);
	else if ((call->funcformat == COERCE_SQL_SYNTAX && *schema == '\0') ||
			 (call->funcvariadic && variadic_elements(call) == NIL))
		print_as_it_stands(printer, (Node *) call);
	else
		print_enclosed(printer, psprintf("%s%s(", schema, asc_toupper(name, strlen(name))),
					   call->funcvariadic ? variadic_elements(call) : call->args, ")");
}

/*
 * A template has $1 where the first argument goes, @2 for the type of the second, $*
 * for all.  Words on one of its sides hold an argument less together than a comma does.
 */
static void
print_template(Printer *printer, FuncExpr *call, const char *template)
{
	for (const char *c = template; *c != '\0'; c++)
	{
		Node	   *argument;

		if (*c != '$' && *c != '@')
		{
			appendStringInfoChar(&printer->text, *c);
			continue;
		}
		c++;
		if (*c == '*')
		{
			print_list(printer, call->args, ", ", PRECEDENCE_OR);
			continue;
		}
		argument = list_nth(call->args, *c - '1');
		if (c[-1] == '@')
		{
			int32		typmod = exprTypmod(argument);
			char	   *type;

			(void) exprIsLengthCoercion(argument, &typmod);
			type = aw_typetext(exprType(argument), typmod);
			appendStringInfoString(&printer->text, type ? type :
								   format_type_with_typemod(exprType(argument), typmod));
		}
		else
			print_within(printer, argument, strchr(",)", c[1]) != NULL && strchr("(,", c[-2]) != NULL ?
						 PRECEDENCE_OR : PRECEDENCE_TERM);
	}
}

/* A date plus an interval is one to flink_sql() where the date says so itself. */
static void
print_date_arithmetic(Printer *printer, FuncExpr *call)
{
	Node	   *date = linitial(call->args);
	bool		is_date = is_date_by_itself(date);

	appendStringInfoString(&printer->text, is_date ? "(" : "(CAST(");
	print(printer, date);
	appendStringInfoString(&printer->text, is_date ? "" : " AS DATE)");
	appendStringInfoString(&printer->text, is_in_flink((Node *) call, "date_plus") ? " + " : " - ");
	print_within(printer, lsecond(call->args), PRECEDENCE_TERM);
	appendStringInfoChar(&printer->text, ')');
}

/* Is it a constant, a cast, TO_DATE() or a date plus an interval? */
static bool
is_date_by_itself(Node *expr)
{
	Node	   *argument;
	CoercionForm form;

	return IsA(expr, Const) || is_in_flink(expr, "to_date") ||
		(is_cast(expr, &argument, &form) && form == COERCE_EXPLICIT_CAST);
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
