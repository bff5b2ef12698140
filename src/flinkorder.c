/*
 * flinkorder.c
 *
 * The order of a query's rows.
 *
 * In Flink an expression in ORDER BY sees the aliases of the select list, before the
 * columns of FROM.  In PostgreSQL an alias may only stand alone there, so that within
 * an expression it is written as what it means.  Where an expression cannot stand in
 * ORDER BY at all, over a set operation or DISTINCT, the query goes into a subquery.
 */
#include "postgres.h"

#include "flinkexpression.h"
#include "flinkfrom.h"
#include "flinkorder.h"

/* An alias in a select list, and the tokens of its expression; end is exclusive. */
typedef struct ColumnAlias
{
	const char *name;
	int			start;
	int			end;
	int			n_parameters;	/* question marks before it */
} ColumnAlias;

static bool reads_columns(const AwFlinkParser *parser, int start, int end);
static bool is_column(const AwFlinkOrder *order, const AwFlinkToken *token);
static const ColumnAlias *find_alias(const AwFlinkOrder *order, const AwFlinkToken *token);
static bool needs_subquery(const AwFlinkParser *parser);
static bool is_expression(const AwFlinkParser *parser, int start, int end);

/* Remembers the alias that has just been passed, and its expression's tokens. */
void
aw_flinkorder_add_alias(AwFlinkParser *parser, int start, int end)
{
	ColumnAlias	   *alias = palloc(sizeof(ColumnAlias));

	alias->name = aw_flinktoken_name(&parser->tokens[parser->at - 1]);
	alias->start = start;
	alias->end = end;
	alias->n_parameters = parser->n_parameters;
	for (int i = start; i < end; i++)
		alias->n_parameters -= aw_flinktoken_is_symbol(&parser->tokens[i], "?");
	parser->order->aliases = lappend(parser->order->aliases, alias);
}

/* Remembers a column of the select list that has no alias; start and end: its tokens. */
void
aw_flinkorder_add_column(AwFlinkParser *parser, int start, int end)
{
	const AwFlinkToken *last = &parser->tokens[end - 1];

	if (aw_flinktoken_is_symbol(last, "*"))
		parser->order->has_star = true;
	else if (aw_flinktoken_is_name(last) &&
			 (end == start + 1 || aw_flinktoken_is_symbol(last - 1, ".")))
		parser->order->columns = lappend(parser->order->columns, aw_flinktoken_name(last));
}

/* Passes a name if it is an alias in an expression of ORDER BY, and writes what it means. */
bool
aw_flinkorder_expand(AwFlinkParser *parser)
{
	AwFlinkOrder *order = parser->order;
	int			n_parameters = parser->n_parameters;
	const ColumnAlias *alias;

	if (order == NULL || !order->expands_aliases ||
		aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 1), "."))
		return false;
	alias = find_alias(order, aw_flinkparser_peek(parser, 0));
	if (alias == NULL)
		return false;

	order->expands_aliases = false;
	aw_flinkparser_keyword(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
	parser->n_parameters = alias->n_parameters;
	aw_flinkexpression_range(parser, alias->start, alias->end);
	parser->n_parameters = n_parameters;
	aw_flinkparser_emit_glued(parser, ")");
	order->expands_aliases = true;
	return true;
}

/* The clause ORDER BY, which stands here. */
void
aw_flinkorder_translate(AwFlinkParser *parser)
{
	AwFlinkOrder *order = parser->order;
	bool		is_subquery = needs_subquery(parser);

	if (is_subquery)
	{
		int			source = aw_flinkparser_peek(parser, 0)->start;

		aw_flinkoutput_insert(parser->output, order->at, "SELECT * FROM (", source);
		aw_flinkparser_emit_glued(parser, ")");
		aw_flinkparser_emit(parser, psprintf("AS %s", aw_flinkfrom_made_up_alias(parser)));
	}
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_copy(parser, "ORDER BY");
	for (;;)
	{
		int			start = parser->at;
		int			end = aw_flinkexpression_skip(parser);

		parser->at = start;
		order->expands_aliases = !is_subquery && is_expression(parser, start, end);
		aw_flinkexpression_order_item(parser);
		order->expands_aliases = false;
		if (!aw_flinkparser_at_symbol(parser, ","))
			return;
		aw_flinkparser_emit_glued(parser, ",");
		aw_flinkparser_next(parser);
	}
}

static const ColumnAlias *
find_alias(const AwFlinkOrder *order, const AwFlinkToken *token)
{
	ListCell   *cell;

	if (!aw_flinktoken_is_name(token))
		return NULL;
	foreach(cell, order->aliases)
	{
		const ColumnAlias *alias = lfirst(cell);

		if (strcmp(alias->name, aw_flinktoken_name(token)) == 0)
			return alias;
	}
	return NULL;
}

/* Can PostgreSQL not have the query's ORDER BY, which stands here, behind the query? */
static bool
needs_subquery(const AwFlinkParser *parser)
{
	const AwFlinkOrder *order = parser->order;
	AwFlinkParser look = *parser;

	if (!order->has_terms && !order->is_distinct)
		return false;
	aw_flinkparser_expect(&look, "ORDER BY");
	for (;;)
	{
		int			start = look.at;
		int			end = aw_flinkexpression_skip(&look);

		if (is_expression(parser, start, end) &&
			(order->has_terms || reads_columns(parser, start, end)))
			return true;
		aw_flinkparser_skip(&look);
		if (!aw_flinkparser_accept_symbol(&look, ","))
			return false;
	}
}

/* Does an expression read a column of the select list, and none with its table's name? */
static bool
reads_columns(const AwFlinkParser *parser, int start, int end)
{
	bool		reads = false;

	for (int i = start; i < end; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];

		if (aw_flinktoken_is_symbol(token, ".") && aw_flinktoken_is_name(token - 1))
			return false;
		reads |= !aw_flinktoken_is_symbol(token + 1, "(") && is_column(parser->order, token);
	}
	return reads;
}

static bool
is_column(const AwFlinkOrder *order, const AwFlinkToken *token)
{
	ListCell   *cell;

	if (!aw_flinktoken_is_name(token))
		return false;
	if (order->has_star || find_alias(order, token) != NULL)
		return true;
	foreach(cell, order->columns)
	{
		if (strcmp(lfirst(cell), aw_flinktoken_name(token)) == 0)
			return true;
	}
	return false;
}

/* Not a name or number alone. */
static bool
is_expression(const AwFlinkParser *parser, int start, int end)
{
	return end > start + 1 || parser->tokens[start].kind == AW_FLINK_STRING;
}
