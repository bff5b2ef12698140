/*
 * flinkparser.c
 *
 * The translator's place in the source, and its errors.
 *
 * The translator descends recursively over the tokens and writes as it goes; there
 * is no tree.  What it needs to know ahead it finds by looking at tokens further on,
 * which all are there: it may also go back to tokens that it has passed, and write
 * them again or in another order.
 *
 * Errors show the source with the place of the next token in it.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "flinkdatabase.h"
#include "flinkparser.h"
#include "flinkquery.h"
#include "flinksetting.h"

static int	alias_number(const AwFlinkToken *token);
static int	match_phrase(const AwFlinkParser *parser, const char *phrase);

AwFlinkParser *
aw_flinkparser_create(const char *source, Oid schema)
{
	AwFlinkParser *parser = palloc0(sizeof(AwFlinkParser));
	AwFlinkToken *tokens;

	parser->source = source;
	parser->schema = schema;
	tokens = aw_flinktoken_scan(source, &parser->n_tokens);
	aw_flinkquery_mark(tokens, parser->n_tokens);
	parser->tokens = tokens;
	parser->end = parser->n_tokens - 1;
	parser->output = aw_flinkoutput_create();
	aw_flinkdatabase_refresh(parser);
	aw_flinksetting_refresh(parser);
	for (int i = 0; i < parser->end; i++)
	{
		const AwFlinkToken *token = &parser->tokens[i];

		if (aw_flinktoken_is_name(token) &&
			(pg_strcasecmp(token->text, "is_behind") == 0 ||
			 (pg_strcasecmp(token->text, "watermark") == 0 &&
			  !aw_flinktoken_is_word(token + 1, "FOR"))))
			parser->reads_watermark = true;
		parser->reads_made_up |= aw_flinktoken_is_made_up(token);
		parser->n_aliases = Max(parser->n_aliases, alias_number(token));
	}
	return parser;
}

/* A token further on; behind the end there are only end tokens. */
const AwFlinkToken *
aw_flinkparser_peek(const AwFlinkParser *parser, int ahead)
{
	if (parser->at + ahead >= parser->end)
		return &parser->tokens[parser->n_tokens - 1];
	return &parser->tokens[parser->at + ahead];
}

/* The next token, which is passed; the end never is. */
const AwFlinkToken *
aw_flinkparser_next(AwFlinkParser *parser)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

	if (token->kind != AW_FLINK_END)
		parser->at++;
	return token;
}

/* Do the words of a phrase come next? */
bool
aw_flinkparser_at(const AwFlinkParser *parser, const char *phrase)
{
	return match_phrase(parser, phrase) > 0;
}

bool
aw_flinkparser_at_symbol(const AwFlinkParser *parser, const char *symbol)
{
	return aw_flinktoken_is_symbol(aw_flinkparser_peek(parser, 0), symbol);
}

/* Passes the words of a phrase, if they come next. */
bool
aw_flinkparser_accept(AwFlinkParser *parser, const char *phrase)
{
	int			n_words = match_phrase(parser, phrase);

	parser->at += n_words;
	return n_words > 0;
}

bool
aw_flinkparser_accept_symbol(AwFlinkParser *parser, const char *symbol)
{
	if (!aw_flinkparser_at_symbol(parser, symbol))
		return false;
	parser->at++;
	return true;
}

void
aw_flinkparser_expect(AwFlinkParser *parser, const char *phrase)
{
	if (!aw_flinkparser_accept(parser, phrase))
		aw_flinkparser_fail(parser, psprintf("expected %s", phrase));
}

void
aw_flinkparser_expect_symbol(AwFlinkParser *parser, const char *symbol)
{
	if (!aw_flinkparser_accept_symbol(parser, symbol))
		aw_flinkparser_fail(parser, psprintf("expected \"%s\"", symbol));
}

/*
 * Passes an argument or item: all up to a comma, semicolon or closing bracket of its
 * own level, or the end.  Returns the number of the first token behind it.
 */
int
aw_flinkparser_skip(AwFlinkParser *parser)
{
	for (;; parser->at++)
	{
		const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);

		if (token->kind == AW_FLINK_END)
			return parser->at;
		if (token->kind != AW_FLINK_SYMBOL)
			continue;
		if (strchr("),];", token->text[0]) != NULL)
			return parser->at;
		if (strchr("([", token->text[0]) != NULL)
			parser->at = aw_flinkparser_closing(parser, parser->at);
	}
}

/* Passes the rest of a statement, but not the semicolon. */
void
aw_flinkparser_skip_statement(AwFlinkParser *parser)
{
	while (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_END &&
		   !aw_flinkparser_at_symbol(parser, ";"))
		aw_flinkparser_next(parser);
}

/* The number of the token that closes an opening bracket; an error without one. */
int
aw_flinkparser_closing(const AwFlinkParser *parser, int open)
{
	const AwFlinkToken *token = &parser->tokens[open];

	if (token->closing == 0)
	{
		AwFlinkParser look = *parser;

		look.at = open;
		aw_flinkparser_fail(&look, "expected its closing partner behind a bracket");
	}
	return token->closing;
}

/* Passes a name; returns it as PostgreSQL knows it, not quoted. */
char *
aw_flinkparser_name(AwFlinkParser *parser)
{
	if (!aw_flinktoken_is_name(aw_flinkparser_peek(parser, 0)))
		aw_flinkparser_fail(parser, "expected a name");
	return aw_flinktoken_name(aw_flinkparser_next(parser));
}

/* Passes a string constant; returns its value. */
char *
aw_flinkparser_string(AwFlinkParser *parser)
{
	if (aw_flinkparser_peek(parser, 0)->kind != AW_FLINK_STRING)
		aw_flinkparser_fail(parser, "expected a string constant");
	return aw_flinkparser_next(parser)->text;
}

/* The source from one token up to another one, exclusive. */
char *
aw_flinkparser_text(const AwFlinkParser *parser, int start, int end)
{
	int			from = parser->tokens[start].start;

	return pnstrdup(parser->source + from, parser->tokens[end - 1].end - from);
}

/* The name that a token is, quoted where PostgreSQL needs it. */
char *
aw_flinkparser_quoted(const AwFlinkToken *token)
{
	return pstrdup(quote_identifier(aw_flinktoken_name(token)));
}

/* Passes a keyword of the source, and writes it or another one. */
void
aw_flinkparser_keyword(AwFlinkParser *parser, const char *keyword)
{
	aw_flinkoutput_word(parser->output, keyword, aw_flinkparser_next(parser)->start);
}

/* Passes the words of a phrase, which must come next, and writes it. */
void
aw_flinkparser_copy(AwFlinkParser *parser, const char *phrase)
{
	int			source = aw_flinkparser_peek(parser, 0)->start;

	aw_flinkparser_expect(parser, phrase);
	aw_flinkoutput_word(parser->output, phrase, source);
}

/* Writes a word that belongs to the next token. */
void
aw_flinkparser_emit(AwFlinkParser *parser, const char *text)
{
	aw_flinkoutput_word(parser->output, text, aw_flinkparser_peek(parser, 0)->start);
}

/* The same, without a space before it. */
void
aw_flinkparser_emit_glued(AwFlinkParser *parser, const char *text)
{
	aw_flinkoutput_glued(parser->output, text, aw_flinkparser_peek(parser, 0)->start);
}

/* Writes the parenthesis behind a function's name. */
void
aw_flinkparser_emit_open(AwFlinkParser *parser)
{
	aw_flinkparser_emit_glued(parser, "(");
	aw_flinkoutput_glue_next(parser->output);
}

/* Writes the name of a function of the extension, with its schema if need be. */
void
aw_flinkparser_emit_ours(AwFlinkParser *parser, const char *function)
{
	aw_flinkparser_emit(parser, aw_flinkparser_ours(parser, function));
}

/* Ends a statement of PostgreSQL. */
void
aw_flinkparser_end_statement(AwFlinkParser *parser)
{
	aw_flinkparser_emit_glued(parser, ";");
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
}

/*
 * The name of a function of the extension as a statement of this session finds it.
 *
 * The bare name where its schema is the first of the search path, so that no schema
 * before it can have a function of that name; and not behind USE, which puts another
 * before it.
 */
char *
aw_flinkparser_ours(const AwFlinkParser *parser, const char *function)
{
	List	   *path = fetch_search_path(false);

	if (parser->database == NULL && path != NIL && linitial_oid(path) == parser->schema)
		return pstrdup(function);
	return psprintf("%s.%s", quote_identifier(get_namespace_name(parser->schema)), function);
}

void
aw_flinkparser_unsupported(const AwFlinkParser *parser, const char *construct, const char *hint)
{
	int			offset = aw_flinkparser_peek(parser, 0)->start;

	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("%s of Flink SQL is not supported", construct),
			 hint ? errhint("%s", hint) : 0,
			 internalerrquery(parser->source),
			 internalerrposition(aw_flinktoken_position(parser->source, offset))));
}

/* An error at the next token. */
void
aw_flinkparser_error(const AwFlinkParser *parser, const char *message)
{
	int			offset = aw_flinkparser_peek(parser, 0)->start;

	ereport(ERROR,
			(errcode(ERRCODE_SYNTAX_ERROR),
			 errmsg("%s", message),
			 internalerrquery(parser->source),
			 internalerrposition(aw_flinktoken_position(parser->source, offset))));
}

/* The same, where a message tells what was expected instead of the token. */
void
aw_flinkparser_fail(const AwFlinkParser *parser, const char *message)
{
	const AwFlinkToken *token = aw_flinkparser_peek(parser, 0);
	const char *found = token->kind == AW_FLINK_END ? "the end of the text" :
		psprintf("\"%s\"", pnstrdup(parser->source + token->start, token->end - token->start));

	aw_flinkparser_error(parser, psprintf("%s, found %s in Flink SQL", message, found));
}

/* The number of an alias such as aw_flinkfrom_made_up_alias() makes up; 0 if it is none. */
static int
alias_number(const AwFlinkToken *token)
{
	const char *prefix = "subquery_";
	size_t		length = strlen(prefix);

	if (!aw_flinktoken_is_name(token) || pg_strncasecmp(token->text, prefix, length) != 0 ||
		strlen(token->text) > length + 8)
		return 0;
	return atoi(token->text + length);
}

/* Number of words of a phrase if they come next, else 0. */
static int
match_phrase(const AwFlinkParser *parser, const char *phrase)
{
	int			n_words = 0;

	for (;;)
	{
		const AwFlinkToken *token = aw_flinkparser_peek(parser, n_words);
		size_t		length = strcspn(phrase, " ");

		if (token->kind != AW_FLINK_WORD || strlen(token->text) != length ||
			pg_strncasecmp(token->text, phrase, length) != 0)
			return 0;
		n_words++;
		if (phrase[length] == '\0')
			return n_words;
		phrase += length + 1;
	}
}
