/*
 * flinkjob.c
 *
 * Jobs of Flink, which are continuous queries: INSERT that starts one, SHOW JOBS,
 * DESCRIBE JOB, STOP JOB.
 *
 * The name of the query is both the job's name and its id, and so differs from those of
 * all others.  It is the one that pipeline.name gives, or made of the name of the table.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "flinkcreate.h"
#include "flinkjob.h"

static char *choose_name(AwFlinkParser *parser, const AwFlinkPath *path);
static bool is_taken(const AwFlinkParser *parser, const char *name);
static AwFlinkText *query_text(AwFlinkParser *parser, List *columns, const AwFlinkOutput *query);
static bool is_zero(const char *duration);
static char *dollar_quoted(const char *text);
static void emit_argument(AwFlinkParser *parser, const char *text);
static char *job_id(AwFlinkParser *parser);

/*
 * Writes what starts a job: its query, translated, into a table.  columns: those that the
 * query's go into, by their order; NIL: those of the same names.
 */
void
aw_flinkjob_start(AwFlinkParser *parser, const AwFlinkPath *path,
				  const AwFlinkTable *table, List *columns, const AwFlinkOutput *query)
{
	AwFlinkOutput *output = parser->output;
	const char *name = quote_literal_cstr(choose_name(parser, path));
	const char *sink = table != NULL && table->below == RELKIND_RELATION ?
		aw_flinkcreate_derived_name(path, "__source") : path->sql;
	AwFlinkText *text = query_text(parser, columns, query);

	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, psprintf("SELECT %s AS \"job id\"", name));
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, "FROM watermark.create_query");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, name);
	aw_flinkoutput_add_inner(output, text);
	emit_argument(parser, dollar_quoted(text->sql));
	emit_argument(parser, psprintf("sink => %s::regclass::text", quote_literal_cstr(sink)));
	if (parser->idle_timeout != NULL && !is_zero(parser->idle_timeout))
		emit_argument(parser, psprintf("idle_timeout => %s",
									   quote_literal_cstr(parser->idle_timeout)));
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
}

/* Is a duration none?  One that is not understood is not. */
static bool
is_zero(const char *duration)
{
	char	   *end;

	return strtod(duration, &end) == 0 && end != duration;
}

/* SHOW JOBS */
void
aw_flinkjob_show(AwFlinkParser *parser)
{
	aw_flinkparser_expect(parser, "SHOW JOBS");
	aw_flinkparser_emit(parser, "SELECT * FROM flink.show_jobs()");
	aw_flinkparser_end_statement(parser);
}

/* DESCRIBE JOB 'id', behind DESCRIBE */
void
aw_flinkjob_describe(AwFlinkParser *parser)
{
	aw_flinkparser_expect(parser, "JOB");
	aw_flinkparser_emit(parser, psprintf("SELECT * FROM flink.show_jobs() WHERE \"job id\" = %s",
										 job_id(parser)));
	aw_flinkparser_end_statement(parser);
}

/*
 * STOP JOB 'id' [WITH SAVEPOINT] [WITH DRAIN]
 *
 * A job that is stopped is gone, as in Flink.  With a savepoint it can go on, which a
 * query can that is paused.
 */
void
aw_flinkjob_stop(AwFlinkParser *parser)
{
	const char *function = "drop_query";
	const char *id;

	aw_flinkparser_expect(parser, "STOP JOB");
	id = job_id(parser);
	if (aw_flinkparser_accept(parser, "WITH SAVEPOINT"))
		function = "pause_query";
	if (aw_flinkparser_accept(parser, "WITH DRAIN"))
		function = "drain_query";
	aw_flinkparser_emit(parser, psprintf("SELECT watermark.%s(%s)", function, id));
	aw_flinkparser_end_statement(parser);
}

/* A name that no query has, with a number behind it where it is taken. */
static char *
choose_name(AwFlinkParser *parser, const AwFlinkPath *path)
{
	const char *base = parser->job_name != NULL ? parser->job_name :
		psprintf("insert_into_%s", path->name);
	char	   *name = pnstrdup(base, pg_mbcliplen(base, strlen(base), NAMEDATALEN - 1));

	for (int number = 2; is_taken(parser, name); number++)
	{
		char	   *ending = psprintf("_%d", number);
		int			length = pg_mbcliplen(base, strlen(base), NAMEDATALEN - 1 - strlen(ending));

		name = psprintf("%.*s%s", length, base, ending);
	}
	parser->jobs = lappend(parser->jobs, name);
	return name;
}

/* A query is a view in the schema watermark, where other names are taken, too. */
static bool
is_taken(const AwFlinkParser *parser, const char *name)
{
	const ListCell *cell;

	foreach(cell, parser->jobs)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	}
	return OidIsValid(get_relname_relid(name, get_namespace_oid("watermark", true)));
}

/* The query on lines of its own, its columns called like those of the table. */
static AwFlinkText *
query_text(AwFlinkParser *parser, List *columns, const AwFlinkOutput *query)
{
	AwFlinkOutput *statement = parser->output;
	AwFlinkOutput *output = aw_flinkoutput_create();
	AwFlinkText *text;
	ListCell   *cell;

	parser->output = output;
	aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	if (columns != NIL)
	{
		aw_flinkparser_emit(parser, "SELECT * FROM (");
		aw_flinkoutput_open_indented(output);
		aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	}
	aw_flinkoutput_append(output, query);
	if (columns != NIL)
	{
		aw_flinkoutput_close(output);
		aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
		aw_flinkparser_emit(parser, ") AS result (");
		aw_flinkoutput_glue_next(output);
	}
	foreach(cell, columns)
		aw_flinkparser_emit(parser, psprintf("%s%s", quote_identifier(lfirst(cell)),
											 lnext(columns, cell) ? "," : ")"));
	aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	text = aw_flinkoutput_text(output);
	parser->output = statement;
	return text;
}

/* A text that ends with a line end, as a constant that can be read. */
static char *
dollar_quoted(const char *text)
{
	StringInfoData tag;

	initStringInfo(&tag);
	appendStringInfoString(&tag, "$$");
	for (int number = 1; strstr(text, tag.data) != NULL; number++)
	{
		resetStringInfo(&tag);
		appendStringInfo(&tag, "$query%d$", number);
	}
	return psprintf("%s%s%s", tag.data, text, tag.data);
}

/* One more argument. */
static void
emit_argument(AwFlinkParser *parser, const char *text)
{
	aw_flinkparser_emit_glued(parser, ",");
	aw_flinkparser_emit(parser, text);
}

/* Passes the id of a job; returns it as a constant. */
static char *
job_id(AwFlinkParser *parser)
{
	return quote_literal_cstr(aw_flinkparser_string(parser));
}
