/*
 * flinkstatement.c
 *
 * Statements of Flink SQL, one after the other.
 *
 * A statement begins with words that tell what it is; each kind has a function, and
 * writes one statement of PostgreSQL or several.  What it writes is parsed by the
 * server before it is handed out, so that every syntax error shows, at its place in
 * the source.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "parser/parser.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "flinkalter.h"
#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkdatabase.h"
#include "flinkexpression.h"
#include "flinkinsert.h"
#include "flinkjob.h"
#include "flinkquery.h"
#include "flinkrowtype.h"
#include "flinksetting.h"
#include "flinkstatement.h"
#include "flinktable.h"
#include "flinkview.h"

/* A kind of statement, by the words it begins with. */
typedef struct StatementKind
{
	const char *phrase;
	void		(*translate) (AwFlinkParser *parser);	/* NULL: not supported */
	bool		returns_rows;
} StatementKind;

static const AwFlinkText *find_text(const AwFlinkText *statement, const char *sql);
static void check_syntax(const AwFlinkParser *parser, const AwFlinkStatement *statement);
static const StatementKind *find_kind(const AwFlinkParser *parser);
static pg_noreturn void refuse_statement(const AwFlinkParser *parser, const StatementKind *kind);
static char *following_words(const AwFlinkParser *parser);
static void translate_query(AwFlinkParser *parser);
static void translate_explain(AwFlinkParser *parser);
static void skip_details(AwFlinkParser *parser);
static void translate_create(AwFlinkParser *parser);
static void translate_describe(AwFlinkParser *parser);
static bool is_at_end(const AwFlinkParser *parser, int ahead);
static void translate_show_create(AwFlinkParser *parser);
static void translate_show_relations(AwFlinkParser *parser);
static void translate_delete(AwFlinkParser *parser);
static void translate_update(AwFlinkParser *parser);
static void translate_truncate(AwFlinkParser *parser);
static void translate_statement_set(AwFlinkParser *parser);
static void translate_end(AwFlinkParser *parser);

/* Longer phrases come before their beginnings. */
static const StatementKind kinds[] = {
	{"SELECT", translate_query, true},
	{"WITH", translate_query, true},
	{"VALUES", translate_query, true},
	{"TABLE", translate_query, true},
	{"EXPLAIN", translate_explain, true},
	{"CREATE", translate_create, false},
	{"ALTER TABLE", aw_flinkalter_table, false},
	{"ALTER VIEW", aw_flinkalter_view, false},
	{"DROP", aw_flinkalter_drop, false},
	{"DESCRIBE", translate_describe, true},
	{"DESC", translate_describe, true},
	{"SHOW CREATE", translate_show_create, true},
	{"SHOW JOBS", aw_flinkjob_show, true},
	{"SHOW TABLES", translate_show_relations, true},
	{"SHOW VIEWS", translate_show_relations, true},
	{"SET", aw_flinksetting_set, false},
	{"RESET", aw_flinksetting_reset, false},
	{"INSERT INTO", aw_flinkinsert_translate, false},
	{"EXECUTE INSERT INTO", aw_flinkinsert_translate, false},
	{"DELETE FROM", translate_delete, false},
	{"UPDATE", translate_update, false},
	{"TRUNCATE TABLE", translate_truncate, false},
	{"USE", aw_flinkdatabase_use, false},
	{"STOP JOB", aw_flinkjob_stop, false},
	{"EXECUTE STATEMENT SET", translate_statement_set, false},
	{"BEGIN STATEMENT SET", translate_statement_set, false},
	{"END", translate_end, false},
	{"ADD JAR", NULL, false},
	{"ALTER", NULL, false},
	{"ANALYZE TABLE", NULL, false},
	{"CALL", NULL, false},
	{"CLEAR", NULL, false},
	{"COMPILE PLAN", NULL, false},
	{"EXECUTE INSERT OVERWRITE", NULL, false},
	{"EXECUTE PLAN", NULL, false},
	{"EXIT", NULL, false},
	{"HELP", NULL, false},
	{"INSERT OVERWRITE", NULL, false},
	{"LOAD MODULE", NULL, false},
	{"MERGE INTO", NULL, false},
	{"QUIT", NULL, false},
	{"REMOVE JAR", NULL, false},
	{"REPLACE TABLE", NULL, false},
	{"SHOW", NULL, false},
	{"UNLOAD MODULE", NULL, false},
};

/* The next statement, translated; NULL at the end of the source. */
AwFlinkStatement *
aw_flinkstatement_next(AwFlinkParser *parser)
{
	AwFlinkStatement *statement = palloc0(sizeof(AwFlinkStatement));
	const StatementKind *kind;

	while (aw_flinkparser_accept_symbol(parser, ";"))
		;
	if (aw_flinkparser_peek(parser, 0)->kind == AW_FLINK_END)
	{
		if (parser->is_in_statement_set)
			aw_flinkparser_fail(parser, "expected END of the statement set");
		return NULL;
	}

	parser->output = aw_flinkoutput_create();
	statement->start = aw_flinkparser_peek(parser, 0)->start;
	kind = find_kind(parser);
	if (parser->is_in_statement_set && kind->translate != aw_flinkinsert_translate &&
		kind->translate != translate_end)
		aw_flinkparser_fail(parser, "expected INSERT INTO or END in a statement set");
	kind->translate(parser);
	if (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_END &&
		!aw_flinkparser_at_symbol(parser, ";") &&
		kind->translate != translate_statement_set)
		aw_flinkparser_fail(parser, "expected the end of the statement");
	statement->returns_rows = kind->returns_rows;
	statement->is_prepared = kind->translate != translate_explain &&
		(kind->returns_rows || kind->translate == aw_flinkinsert_translate ||
		 kind->translate == translate_update || kind->translate == translate_delete);
	statement->text = aw_flinkoutput_text(parser->output);
	check_syntax(parser, statement);
	return statement;
}

/*
 * To be called where an error was caught in PG_CATCH(): raises it again, with its
 * place in the translated statement moved into the source.  One without a place has
 * that of the statement.
 */
void
aw_flinkstatement_rethrow(const AwFlinkParser *parser, const AwFlinkStatement *statement,
						  MemoryContext context)
{
	const AwFlinkText *text = statement->text;
	ErrorData  *error;
	int			position = 0;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	FlushErrorState();
	if (error->cursorpos > 0)
		position = error->cursorpos;
	else if (error->internalquery != NULL)
	{
		text = find_text(text, error->internalquery);
		position = text == NULL ? 0 : error->internalpos;
	}
	else
	{
		error->internalquery = pstrdup(parser->source);
		error->internalpos = aw_flinktoken_position(parser->source, statement->start);
	}
	if (position > 0)
	{
		int			at = pg_mbcharcliplen(text->sql, strlen(text->sql), position - 1);

		error->cursorpos = 0;
		error->internalquery = pstrdup(parser->source);
		error->internalpos = aw_flinktoken_position(parser->source,
													aw_flinkoutput_source(text, at));
	}
	ReThrowError(error);
}

/* What was run: a statement, or a text within it that the server runs; NULL: another. */
static const AwFlinkText *
find_text(const AwFlinkText *statement, const char *sql)
{
	if (strcmp(statement->sql, sql) == 0)
		return statement;
	for (const AwFlinkText *inner = statement->inner; inner != NULL; inner = inner->next_inner)
	{
		if (strcmp(inner->sql, sql) == 0)
			return inner;
	}
	return NULL;
}

/* Has the server parse a statement: an error if it cannot. */
static void
check_syntax(const AwFlinkParser *parser, const AwFlinkStatement *statement)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		raw_parser(statement->text->sql, RAW_PARSE_DEFAULT);
	}
	PG_CATCH();
	{
		aw_flinkstatement_rethrow(parser, statement, context);
	}
	PG_END_TRY();
}

static const StatementKind *
find_kind(const AwFlinkParser *parser)
{
	if (aw_flinkparser_at_symbol(parser, "("))
		return &kinds[0];
	for (size_t i = 0; i < lengthof(kinds); i++)
	{
		if (!aw_flinkparser_at(parser, kinds[i].phrase))
			continue;
		if (kinds[i].translate == NULL)
			refuse_statement(parser, &kinds[i]);
		return &kinds[i];
	}
	aw_flinkparser_fail(parser, "expected a statement");
}

/* By the words it begins with; those of SHOW and ALTER do not tell enough. */
static pg_noreturn void
refuse_statement(const AwFlinkParser *parser, const StatementKind *kind)
{
	AwFlinkParser behind = *parser;

	if (strcmp(kind->phrase, "SHOW") == 0 || strcmp(kind->phrase, "ALTER") == 0)
	{
		aw_flinkparser_next(&behind);
		aw_flinkparser_unsupported(parser, psprintf("%s %s", kind->phrase,
													following_words(&behind)), NULL);
	}
	aw_flinkparser_unsupported(parser, kind->phrase, NULL);
}

/* The next word, and the one behind it where it does not stand alone, in upper case. */
static char *
following_words(const AwFlinkParser *parser)
{
	static const char *const adjectives[] = {
		"CREATE", "CURRENT", "FULL", "MATERIALIZED", "OR", "STATEMENT", "SYSTEM", "TEMPORARY",
		"USER"
	};
	const AwFlinkToken *word = aw_flinkparser_peek(parser, 0);
	StringInfoData words;

	initStringInfo(&words);
	appendStringInfoString(&words, word->text);
	for (size_t i = 0; i < lengthof(adjectives); i++)
	{
		if (aw_flinktoken_is_word(word, adjectives[i]))
			appendStringInfo(&words, " %s", aw_flinkparser_peek(parser, 1)->text);
	}
	for (char *c = words.data; *c != '\0'; c++)
		*c = pg_toupper((unsigned char) *c);
	return words.data;
}

static void
translate_query(AwFlinkParser *parser)
{
	aw_flinkquery_translate(parser);
	aw_flinkparser_end_statement(parser);
}

static void
translate_explain(AwFlinkParser *parser)
{
	aw_flinkparser_copy(parser, "EXPLAIN");
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
	if (!aw_flinkparser_accept(parser, "PLAN FOR"))
		skip_details(parser);
	if (aw_flinkparser_at(parser, "STATEMENT SET") || aw_flinkparser_at(parser, "CREATE"))
		aw_flinkparser_unsupported(parser, psprintf("EXPLAIN %s", following_words(parser)), NULL);
	if (aw_flinkparser_at(parser, "INSERT INTO"))
		aw_flinkinsert_once(parser);
	else
		translate_query(parser);
}

/* What a plan is to show in Flink. */
static void
skip_details(AwFlinkParser *parser)
{
	static const char *const details[] = {
		"CHANGELOG_MODE", "ESTIMATED_COST", "JSON_EXECUTION_PLAN", "PLAN_ADVICE"
	};

	do
	{
		for (size_t i = 0; i < lengthof(details); i++)
			aw_flinkparser_accept(parser, details[i]);
	} while (aw_flinkparser_accept_symbol(parser, ","));
}

static void
translate_create(AwFlinkParser *parser)
{
	bool		is_temporary;

	aw_flinkparser_next(parser);
	is_temporary = aw_flinkparser_accept(parser, "TEMPORARY");
	if (aw_flinkparser_accept(parser, "TABLE"))
		aw_flinkcreate_table(parser, is_temporary);
	else if (aw_flinkparser_accept(parser, "VIEW"))
		aw_flinkview_create(parser, is_temporary);
	else if (aw_flinkparser_accept(parser, "DATABASE"))
		aw_flinkdatabase_create(parser);
	else
		aw_flinkparser_unsupported(parser, psprintf("CREATE %s", following_words(parser)), NULL);
}

/* DESCRIBE [TABLE | VIEW] name; TABLE and VIEW may be names, too.  Comments are shown if there are any. */
static void
translate_describe(AwFlinkParser *parser)
{
	static const char *const others[] = {"CATALOG", "DATABASE", "FUNCTION", "MODEL"};
	AwFlinkPath *path;
	AwFlinkTable *table;

	aw_flinkparser_next(parser);
	if (aw_flinkparser_at(parser, "JOB") && aw_flinkparser_peek(parser, 1)->kind == AW_FLINK_STRING)
	{
		aw_flinkjob_describe(parser);
		return;
	}
	for (size_t i = 0; i < lengthof(others); i++)
	{
		if (aw_flinkparser_at(parser, others[i]) && !is_at_end(parser, 1))
			aw_flinkparser_unsupported(parser, psprintf("DESCRIBE %s", others[i]), NULL);
	}
	aw_flinkparser_accept(parser, "EXTENDED");
	if (aw_flinktoken_is_name(aw_flinkparser_peek(parser, 1)) &&
		!aw_flinkparser_accept(parser, "VIEW"))
		aw_flinkparser_accept(parser, "TABLE");
	path = aw_flinkquery_path(parser);
	table = aw_flinktable_find(parser, path);
	aw_flinkparser_emit(parser, "SELECT * FROM");
	if (table != NULL && table->has_comments)
		aw_flinkparser_emit(parser, "flink.describe");
	else
		aw_flinkparser_emit_ours(parser, "describe");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, psprintf("%s::regclass)", quote_literal_cstr(path->sql)));
	aw_flinkparser_end_statement(parser);
}

/* Does the statement end at a token further on? */
static bool
is_at_end(const AwFlinkParser *parser, int ahead)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, ahead);

	return token->kind == AW_FLINK_END || aw_flinktoken_is_symbol(token, ";");
}

static void
translate_show_create(AwFlinkParser *parser)
{
	bool		is_view;

	aw_flinkparser_expect(parser, "SHOW CREATE");
	is_view = aw_flinkparser_accept(parser, "VIEW");
	if (!is_view && !aw_flinkparser_accept(parser, "TABLE"))
		aw_flinkparser_unsupported(parser, psprintf("SHOW CREATE %s", following_words(parser)), NULL);
	aw_flinkparser_emit(parser, psprintf("SELECT flink.show_create_%s(%s::regclass)", is_view ? "view" : "table",
										 quote_literal_cstr(aw_flinkquery_path(parser)->sql)));
	aw_flinkparser_end_statement(parser);
}

/* SHOW TABLES [FROM database] [[NOT] LIKE pattern], SHOW VIEWS likewise */
static void
translate_show_relations(AwFlinkParser *parser)
{
	AwFlinkOutput *output = parser->output;
	const char *database = "NULL";
	bool		is_views;

	aw_flinkparser_expect(parser, "SHOW");
	is_views = aw_flinkparser_accept(parser, "VIEWS");
	if (!is_views)
		aw_flinkparser_expect(parser, "TABLES");
	if (aw_flinkparser_accept(parser, "FROM") || aw_flinkparser_accept(parser, "IN"))
		database = aw_flinkdatabase_constant(parser);
	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, psprintf("SELECT name AS \"%s name\"", is_views ? "view" : "table"));
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, psprintf("FROM flink.show_tables(%s, %s) AS relation (name)",
										 database, is_views ? "true" : "false"));
	if (!is_at_end(parser, 0))
	{
		aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
		aw_flinkparser_emit(parser, "WHERE name");
		if (aw_flinkparser_at(parser, "NOT"))
			aw_flinkparser_copy(parser, "NOT");
		aw_flinkparser_copy(parser, aw_flinkparser_at(parser, "ILIKE") ? "ILIKE" : "LIKE");
		aw_flinkparser_emit(parser, quote_literal_cstr(aw_flinkparser_string(parser)));
	}
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, "ORDER BY name");
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
}

static void
translate_delete(AwFlinkParser *parser)
{
	aw_flinkparser_copy(parser, "DELETE FROM");
	aw_flinkparser_emit(parser, aw_flinktable_target(parser, false, false)->sql);
	if (aw_flinkparser_at(parser, "WHERE"))
	{
		aw_flinkparser_copy(parser, "WHERE");
		aw_flinkexpression_translate(parser);
	}
	aw_flinkparser_end_statement(parser);
}

static void
translate_update(AwFlinkParser *parser)
{
	aw_flinkparser_copy(parser, "UPDATE");
	aw_flinkparser_emit(parser, aw_flinktable_target(parser, false, false)->sql);
	aw_flinkparser_copy(parser, "SET");
	aw_flinkexpression_list(parser);
	if (aw_flinkparser_at(parser, "WHERE"))
	{
		aw_flinkparser_copy(parser, "WHERE");
		aw_flinkexpression_translate(parser);
	}
	aw_flinkparser_end_statement(parser);
}

static void
translate_truncate(AwFlinkParser *parser)
{
	AwFlinkParser start;
	AwFlinkPath *path;
	AwFlinkTable *table;

	aw_flinkparser_copy(parser, "TRUNCATE TABLE");
	start = *parser;
	path = aw_flinktable_target(parser, false, false);
	table = aw_flinktable_find(parser, path);
	if (table == NULL || !table->is_table || !table->is_view)
		aw_flinkparser_emit(parser, path->sql);
	else if (table->below == RELKIND_RELATION)
		aw_flinkparser_emit(parser, aw_flinkcreate_derived_name(path, "__source"));
	else
		aw_flinkparser_unsupported(&start, "TRUNCATE TABLE of a table whose connector is read", NULL);
	aw_flinkparser_end_statement(parser);
}

/* BEGIN STATEMENT SET; ... END;  The statements are those in between. */
static void
translate_statement_set(AwFlinkParser *parser)
{
	if (aw_flinkparser_accept(parser, "EXECUTE STATEMENT SET"))
		aw_flinkparser_expect(parser, "BEGIN");
	else
		aw_flinkparser_expect(parser, "BEGIN STATEMENT SET");
	parser->is_in_statement_set = true;
}

static void
translate_end(AwFlinkParser *parser)
{
	if (!parser->is_in_statement_set)
		aw_flinkparser_fail(parser, "expected a statement");
	aw_flinkparser_next(parser);
	parser->is_in_statement_set = false;
}
