/*
 * flinktemporal.c
 *
 * Joins with a table as it was: JOIN t FOR SYSTEM_TIME AS OF.
 *
 * A versioned table has a primary key and a watermark.  All versions of a row are in
 * it, and the one that was there at a time is the last whose rowtime is not later:
 * a LATERAL subquery finds it by its key.  The rest of the condition is for the join
 * to check, since another version must not take the place of one that fails it.
 *
 * A view that shows the last version of each row is a versioned table too; its query
 * without the condition shows them all.  A table without a watermark has no versions,
 * and is joined as it is: Flink's lookup join.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "flinkexpression.h"
#include "flinkquery.h"
#include "flinktable.h"
#include "flinktemporal.h"

/* A join, as it stands in the source; all numbers are those of tokens. */
typedef struct TemporalJoin
{
	AwFlinkPath *path;
	const char *alias;			/* quoted */
	int			time_start;		/* behind AS OF */
	int			time_end;
	List	   *conditions;		/* int: the first of each, and the one behind the last */
} TemporalJoin;

static void parse_join(AwFlinkParser *parser, TemporalJoin *join);
static void parse_conditions(AwFlinkParser *parser, TemporalJoin *join);
static void join_versions(AwFlinkParser *parser, const TemporalJoin *join,
						  const AwFlinkTable *table);
static void join_as_it_is(AwFlinkParser *parser, const TemporalJoin *join);
static bool is_on_key(const AwFlinkParser *parser, int start, int end, const List *key);
static void translate_conditions(AwFlinkParser *parser, const TemporalJoin *join,
								 const List *key, bool on_key, const char *first);

/* Does a table with FOR SYSTEM_TIME stand here? */
bool
aw_flinktemporal_is_next(const AwFlinkParser *parser)
{
	AwFlinkParser look = *parser;

	while (aw_flinktoken_is_name(aw_flinkparser_peek(&look, 0)) &&
		   aw_flinktoken_is_symbol(aw_flinkparser_peek(&look, 1), "."))
		look.at += 2;
	look.at += aw_flinktoken_is_name(aw_flinkparser_peek(&look, 0)) ? 1 : 0;
	return aw_flinkparser_at(&look, "FOR SYSTEM_TIME AS OF");
}

/* What stands behind JOIN, with its condition. */
void
aw_flinktemporal_join(AwFlinkParser *parser)
{
	TemporalJoin join = {0};
	AwFlinkParser start = *parser;
	AwFlinkTable *table;

	parse_join(parser, &join);
	table = aw_flinktable_find(parser, join.path);
	if (table == NULL || (table->is_view && !table->has_columns))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" of FOR SYSTEM_TIME does not exist", join.path->name),
				 errhint("Run the statement that creates it first, as flink_execute() does.")));
	if (table->rowtime == NULL && table->is_derived)
		aw_flinkparser_unsupported(&start, "FOR SYSTEM_TIME of a view that shows no versions",
								   "Show the rows whose ROW_NUMBER() by key and descending time is 1.");
	if (table->rowtime == NULL)
		join_as_it_is(parser, &join);
	else if (table->key == NIL)
		aw_flinkparser_error(&start, psprintf("a versioned table needs a primary key, and %s has none",
											 join.path->sql));
	else
		join_versions(parser, &join, table);
}

static void
parse_join(AwFlinkParser *parser, TemporalJoin *join)
{
	join->path = aw_flinkquery_path(parser);
	aw_flinkparser_expect(parser, "FOR SYSTEM_TIME AS OF");
	join->time_start = parser->at;
	join->time_end = aw_flinkexpression_skip(parser);
	join->alias = quote_identifier(join->path->name);
	if (aw_flinkparser_accept(parser, "AS") ||
		(aw_flinktoken_is_name(aw_flinkparser_peek(parser, 0)) &&
		 !aw_flinkexpression_is_clause(parser, 0)))
		join->alias = quote_identifier(aw_flinkparser_name(parser));
	aw_flinkparser_expect(parser, "ON");
	parse_conditions(parser, join);
}

/* Passes the condition, and finds the conditions that AND joins in it. */
static void
parse_conditions(AwFlinkParser *parser, TemporalJoin *join)
{
	int			start = parser->at;
	int			end = aw_flinkexpression_skip(parser);
	bool		is_between = false;

	join->conditions = list_make1_int(start);
	for (int i = start; i < end; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];

		if (token->closing != 0)
			i = token->closing;
		else if (aw_flinktoken_is_word(token, "OR"))
		{
			/* one condition, then */
			list_free(join->conditions);
			join->conditions = list_make1_int(start);
			break;
		}
		else if (aw_flinktoken_is_word(token, "BETWEEN"))
			is_between = true;
		else if (aw_flinktoken_is_word(token, "AND") && is_between)
			is_between = false;
		else if (aw_flinktoken_is_word(token, "AND"))
			join->conditions = lappend_int(join->conditions, i + 1);
	}
	join->conditions = lappend_int(join->conditions, end + 1);
}

static void
join_versions(AwFlinkParser *parser, const TemporalJoin *join, const AwFlinkTable *table)
{
	AwFlinkOutput *output = parser->output;
	const char *rowtime = psprintf("%s.%s", join->alias, quote_identifier(table->rowtime));

	aw_flinkparser_emit(parser, "LATERAL");
	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, "(");
	aw_flinkoutput_glue_next(output);
	aw_flinkoutput_open_indented(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_EDGE);
	aw_flinkparser_emit(parser, "SELECT *");
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, psprintf("FROM %s AS %s", table->versions == NULL ? join->path->sql :
										 psprintf("(%s)", table->versions), join->alias));
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, psprintf("WHERE %s <=", rowtime));
	aw_flinkexpression_range(parser, join->time_start, join->time_end);
	translate_conditions(parser, join, table->key, true, "AND");
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, psprintf("ORDER BY %s DESC", rowtime));
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, "LIMIT 1");
	aw_flinkoutput_close(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_EDGE);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkoutput_close(output);
	aw_flinkparser_emit(parser, psprintf("AS %s", join->alias));
	translate_conditions(parser, join, table->key, false, "ON");
}

static void
join_as_it_is(AwFlinkParser *parser, const TemporalJoin *join)
{
	aw_flinkparser_emit(parser, psprintf("%s AS %s", join->path->sql, join->alias));
	translate_conditions(parser, join, NIL, false, "ON");
}

/* Does a condition compare a column of the key for equality? */
static bool
is_on_key(const AwFlinkParser *parser, int start, int end, const List *key)
{
	bool		has_equals = false;
	bool		has_column = false;

	for (int i = start; i < end; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];
		const ListCell *cell;

		has_equals |= aw_flinktoken_is_symbol(token, "=");
		if (!aw_flinktoken_is_name(token))
			continue;
		foreach(cell, key)
			has_column |= strcmp(aw_flinktoken_name(token), lfirst(cell)) == 0;
	}
	return has_equals && has_column;
}

/*
 * The conditions that are on the key, or the others, with a word before the first
 * one and AND before the next ones.  ON without a condition is ON true.
 */
static void
translate_conditions(AwFlinkParser *parser, const TemporalJoin *join, const List *key,
					 bool on_key, const char *first)
{
	const char *word = first;

	for (int i = 0; i < list_length(join->conditions) - 1; i++)
	{
		int			start = list_nth_int(join->conditions, i);
		int			end = list_nth_int(join->conditions, i + 1) - 1;

		if (is_on_key(parser, start, end, key) != on_key)
			continue;
		aw_flinkparser_emit(parser, word);
		aw_flinkexpression_range(parser, start, end);
		word = "AND";
	}
	if (word == first && strcmp(first, "ON") == 0)
		aw_flinkparser_emit(parser, "ON true");
}
