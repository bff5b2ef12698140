/*
 * flinkinsert.c
 *
 * INSERT INTO, which runs once, over the rows that are there.
 *
 * To Flink it is a job, which in the mode streaming goes on as long as rows come in.  So
 * it is here, where that mode was set and the query reads a stream.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "flinkfrom.h"
#include "flinkinsert.h"
#include "flinkjob.h"
#include "flinkquery.h"
#include "flinkrowtype.h"
#include "flinksetting.h"
#include "flinktable.h"

/* What INSERT fills. */
typedef struct Target
{
	AwFlinkPath *path;
	AwFlinkTable *table;		/* NULL: nothing is known about it */
	List	   *columns;		/* char *: that get values; NIL: not known */
} Target;

static void translate_target(AwFlinkParser *parser, Target *target);
static void translate_target_columns(AwFlinkParser *parser, Target *target);
static void translate_source(AwFlinkParser *parser);
static void translate_end(AwFlinkParser *parser, const Target *target);
static void translate_upsert(AwFlinkParser *parser, const AwFlinkTable *table);

/* [EXECUTE] INSERT INTO t [(columns)] query.  What is prepared for a driver is no job. */
void
aw_flinkinsert_translate(AwFlinkParser *parser)
{
	AwFlinkOutput *output = parser->output;
	AwFlinkOutput *head = aw_flinkoutput_create();
	AwFlinkOutput *query = aw_flinkoutput_create();
	Target		target;

	aw_flinkparser_accept(parser, "EXECUTE");
	if (!aw_flinksetting_is_streaming(parser) || parser->takes_parameters)
	{
		aw_flinkinsert_once(parser);
		return;
	}
	parser->output = head;
	translate_target(parser, &target);
	parser->output = query;
	parser->reads_table = parser->reads_stream = false;
	translate_source(parser);
	parser->output = output;
	if (parser->reads_stream)
	{
		aw_flinkjob_start(parser, target.path, target.table, target.columns, query);
		return;
	}
	if (parser->reads_table)
		ereport(NOTICE,
				(errmsg("INSERT INTO %s runs once, over the rows that are there", target.path->sql),
				 errdetail("None of the tables that it reads has a watermark.")));
	aw_flinkoutput_append(output, head);
	aw_flinkoutput_append(output, query);
	translate_end(parser, &target);
}

/* INSERT INTO t [(columns)] query, as it is. */
void
aw_flinkinsert_once(AwFlinkParser *parser)
{
	Target		target;

	translate_target(parser, &target);
	translate_source(parser);
	translate_end(parser, &target);
}

/* INSERT INTO t [(columns)] */
static void
translate_target(AwFlinkParser *parser, Target *target)
{
	AwFlinkParser start;

	aw_flinkparser_copy(parser, "INSERT INTO");
	start = *parser;
	target->path = aw_flinktable_target(parser, false, false);
	aw_flinkparser_emit(parser, target->path->sql);
	if (aw_flinkparser_at(parser, "PARTITION"))
		aw_flinkparser_unsupported(parser, "PARTITION in INSERT", NULL);
	target->table = aw_flinktable_find(parser, target->path);
	if (target->table != NULL && target->table->below == RELKIND_COMPOSITE_TYPE)
		aw_flinkparser_unsupported(&start, "INSERT INTO a table whose connector is read", NULL);
	translate_target_columns(parser, target);
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
}

/*
 * The columns that INSERT gives values, which all of them are if none are named.  Values
 * of those that are rows are to become rows of their types.
 */
static void
translate_target_columns(AwFlinkParser *parser, Target *target)
{
	const AwFlinkTable *table = target->table;
	bool		has_rows = false;
	ListCell   *cell;

	target->columns = NIL;
	if (aw_flinkparser_at_symbol(parser, "(") && !aw_flinkparser_peek(parser, 0)->opens_query)
		target->columns = aw_flinkfrom_column_names(parser);
	else if (table != NULL && table->has_columns)
	{
		target->columns = table->insertable;
		aw_flinkparser_emit(parser, "(");
		aw_flinkoutput_glue_next(parser->output);
		foreach(cell, target->columns)
			aw_flinkparser_emit(parser, psprintf("%s%s", quote_identifier(lfirst(cell)),
												 lnext(target->columns, cell) ? "," : ")"));
	}
	parser->row_types = NIL;
	foreach(cell, table == NULL ? NIL : target->columns)
	{
		const char *type = aw_flinkrowtype_of_column(target->path, table, lfirst(cell));

		has_rows |= type != NULL;
		parser->row_types = lappend(parser->row_types, unconstify(char *, type));
	}
	if (!has_rows)
		parser->row_types = NIL;
}

/* The query. */
static void
translate_source(AwFlinkParser *parser)
{
	aw_flinkquery_translate(parser);
	if (aw_flinkparser_at(parser, "ON CONFLICT"))
		aw_flinkparser_unsupported(parser, "ON CONFLICT", NULL);
}

/* What stands behind the query. */
static void
translate_end(AwFlinkParser *parser, const Target *target)
{
	const AwFlinkTable *table = target->table;

	if (table != NULL && table->is_key_enforced && table->has_columns)
		translate_upsert(parser, table);
	aw_flinkparser_end_statement(parser);
}

/* To Flink a row with a key that is there replaces the one that had it. */
static void
translate_upsert(AwFlinkParser *parser, const AwFlinkTable *table)
{
	const char *separator = "";
	StringInfoData text;
	ListCell   *cell;

	initStringInfo(&text);
	foreach(cell, table->key)
		appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", quote_identifier(lfirst(cell)));
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
	aw_flinkparser_emit(parser, psprintf("ON CONFLICT (%s)", text.data));

	resetStringInfo(&text);
	foreach(cell, table->insertable)
	{
		const char *column = quote_identifier(lfirst(cell));
		ListCell   *key;
		bool		is_key = false;

		foreach(key, table->key)
			is_key |= strcmp(lfirst(key), lfirst(cell)) == 0;
		if (is_key)
			continue;
		appendStringInfo(&text, "%s%s = EXCLUDED.%s", separator, column, column);
		separator = ", ";
	}
	aw_flinkparser_emit(parser, text.len == 0 ? "DO NOTHING" :
						psprintf("DO UPDATE SET %s", text.data));
}
