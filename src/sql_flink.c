/*
 * sql_flink.c
 *
 * The SQL functions that take Flink SQL: flink_sql(), flink_execute(), flink_prepare().
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "flinkstatement.h"
#include "flinktable.h"

PG_FUNCTION_INFO_V1(aw_sql_flink_sql);
PG_FUNCTION_INFO_V1(aw_sql_flink_execute);
PG_FUNCTION_INFO_V1(aw_sql_flink_prepare);

static AwFlinkParser *create_parser(FunctionCallInfo fcinfo, int argument);
static void put_before(AwFlinkText *text, const char *words);
static void execute(const AwFlinkParser *parser, const AwFlinkStatement *statement);
static void refuse_rows(const AwFlinkParser *parser, const AwFlinkStatement *statement);

/* flink_sql(source text) → text */
Datum
aw_sql_flink_sql(PG_FUNCTION_ARGS)
{
	AwFlinkParser *parser = create_parser(fcinfo, 0);
	AwFlinkStatement *statement;
	StringInfoData sql;

	initStringInfo(&sql);
	while ((statement = aw_flinkstatement_next(parser)) != NULL)
	{
		if (statement->text->sql[0] == '\0')
			continue;
		appendStringInfo(&sql, "%s%s", sql.len > 0 ? "\n" : "", statement->text->sql);
	}
	while (sql.len > 0 && sql.data[sql.len - 1] == '\n')
		sql.data[--sql.len] = '\0';
	PG_RETURN_TEXT_P(cstring_to_text_with_len(sql.data, sql.len));
}

/* PROCEDURE flink_execute(source text) */
Datum
aw_sql_flink_execute(PG_FUNCTION_ARGS)
{
	AwFlinkParser *parser = create_parser(fcinfo, 0);
	AwFlinkStatement *statement;

	parser->is_run = true;
	SPI_connect();
	while ((statement = aw_flinkstatement_next(parser)) != NULL)
	{
		if (statement->returns_rows)
			refuse_rows(parser, statement);
		execute(parser, statement);
		CommandCounterIncrement();
		aw_flinktable_refresh(parser);
	}
	SPI_finish();
	PG_RETURN_VOID();
}

/* flink_prepare(name name, source text) → void */
Datum
aw_sql_flink_prepare(PG_FUNCTION_ARGS)
{
	AwFlinkParser *parser = create_parser(fcinfo, 1);
	AwFlinkStatement *statement;
	AwFlinkStatement *next;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the name must not be null")));
	parser->takes_parameters = true;
	statement = aw_flinkstatement_next(parser);
	next = statement == NULL ? NULL : aw_flinkstatement_next(parser);
	if (statement == NULL || next != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("flink_prepare takes one statement")));
	if (!statement->is_prepared)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("flink_prepare takes a query or INSERT, UPDATE, DELETE")));
	put_before(statement->text, psprintf("PREPARE %s AS ",
										 quote_identifier(NameStr(*PG_GETARG_NAME(0)))));
	SPI_connect();
	execute(parser, statement);
	SPI_finish();
	PG_RETURN_VOID();
}

/* A procedure cannot be STRICT; and nothing prepared is no answer to a name. */
static AwFlinkParser *
create_parser(FunctionCallInfo fcinfo, int argument)
{
	if (PG_ARGISNULL(argument))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the source must not be null")));
	return aw_flinkparser_create(text_to_cstring(PG_GETARG_TEXT_PP(argument)),
								 get_func_namespace(fcinfo->flinfo->fn_oid));
}

static void
put_before(AwFlinkText *text, const char *words)
{
	for (int i = 0; i < text->n_marks; i++)
		text->marks[i].at += strlen(words);
	text->sql = psprintf("%s%s", words, text->sql);
}

/* Runs what a statement became; its errors show the place in the source. */
static void
execute(const AwFlinkParser *parser, const AwFlinkStatement *statement)
{
	MemoryContext context = CurrentMemoryContext;
	int			result = 0;

	if (statement->text->sql[0] == '\0')
		return;
	PG_TRY();
	{
		result = SPI_execute(statement->text->sql, false, 0);
	}
	PG_CATCH();
	{
		aw_flinkstatement_rethrow(parser, statement, context);
	}
	PG_END_TRY();
	if (result < 0)
		elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
}

/* A procedure has nowhere to put them. */
static void
refuse_rows(const AwFlinkParser *parser, const AwFlinkStatement *statement)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("flink_execute() cannot return the rows of a query"),
			 errhint("Use SELECT flink_sql(...) \\gexec, or flink_prepare() and EXECUTE."),
			 internalerrquery(parser->source),
			 internalerrposition(aw_flinktoken_position(parser->source, statement->start))));
}
