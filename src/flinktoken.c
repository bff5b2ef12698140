/*
 * flinktoken.c
 *
 * Flink SQL as a sequence of tokens.
 *
 * The server's scanner cannot read it: backticks are operators there, a string may
 * hold backslash escapes, and its keywords are not Flink's.  Here no word is a
 * keyword yet; which it is, depends on where it stands.  Comments are dropped, with
 * a notice where one is a hint.
 *
 * Bytes of multi-byte characters are parts of names, as in the server: every
 * encoding of a server keeps them above ASCII.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/scansup.h"

#include "compat.h"
#include "flinktoken.h"

/* What is no more than space where texts are copied from pages and files; in UTF-8. */
#define NO_BREAK_SPACE "\xC2\xA0"
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* Where the scan is, and what it found. */
typedef struct Scanner
{
	const char *source;
	int			at;
	AwFlinkToken *tokens;
	int			n_tokens;
	int			size;
} Scanner;

static void skip_space(Scanner *scan);
static int	wide_space(const char *s);
static void skip_line(Scanner *scan);
static void skip_comment(Scanner *scan);
static void add_token(Scanner *scan, AwFlinkTokenKind kind, int start, char *text);
static void scan_token(Scanner *scan);
static void scan_word(Scanner *scan);
static void scan_number(Scanner *scan);
static void scan_string(Scanner *scan);
static void scan_quoted(Scanner *scan);
static char *scan_until(Scanner *scan, const char *what);
static void scan_symbol(Scanner *scan);
static void match_brackets(Scanner *scan);
static bool starts_word(char c);
static bool continues_word(char c);
static bool is_plain_name(const char *text);
static pg_noreturn void fail(const Scanner *scan, int offset, const char *message);

/* The tokens of a text, with an end token behind them; errors tell the position. */
AwFlinkToken *
aw_flinktoken_scan(const char *source, int *n_tokens)
{
	Scanner		scan = {.source = source, .size = 64};

	scan.tokens = palloc_array(AwFlinkToken, scan.size);
	for (;;)
	{
		skip_space(&scan);
		if (source[scan.at] == '\0')
			break;
		scan_token(&scan);
	}
	add_token(&scan, AW_FLINK_END, scan.at, pstrdup(""));
	match_brackets(&scan);
	*n_tokens = scan.n_tokens;
	return scan.tokens;
}

bool
aw_flinktoken_is_word(const AwFlinkToken *token, const char *word)
{
	return token->kind == AW_FLINK_WORD && pg_strcasecmp(token->text, word) == 0;
}

bool
aw_flinktoken_is_symbol(const AwFlinkToken *token, const char *symbol)
{
	return token->kind == AW_FLINK_SYMBOL && strcmp(token->text, symbol) == 0;
}

/* Can the token be a name?  A keyword can, too: the caller knows where it stands. */
bool
aw_flinktoken_is_name(const AwFlinkToken *token)
{
	return token->kind == AW_FLINK_WORD || token->kind == AW_FLINK_QUOTED;
}

/* Is it a name that Flink gives to a column without an alias, EXPR$0 and so on? */
bool
aw_flinktoken_is_made_up(const AwFlinkToken *token)
{
	return aw_flinktoken_is_name(token) && strncmp(token->text, "EXPR$", strlen("EXPR$")) == 0;
}

/*
 * The name in PostgreSQL, not quoted.
 *
 * To Flink a name is the same with backticks and without, where it can be written
 * without; PostgreSQL folds it to lower case then.  A name in double quotes, which
 * Flink does not have, is PostgreSQL's, letter by letter; a name that Flink made up
 * is its own.
 */
char *
aw_flinktoken_name(const AwFlinkToken *token)
{
	int			length = strlen(token->text);

	if (aw_flinktoken_is_made_up(token))
		return pstrdup(token->text);
	if (token->kind == AW_FLINK_WORD || (token->quote == '`' && is_plain_name(token->text)))
		return downcase_identifier(token->text, length, false, false);
	return pstrdup(token->text);
}

/* An offset in bytes as a position for errors: in characters, from 1. */
int
aw_flinktoken_position(const char *source, int offset)
{
	return pg_mbstrlen_with_len(source, offset) + 1;
}

static void
skip_space(Scanner *scan)
{
	for (;;)
	{
		const char *s = scan->source + scan->at;

		if (scanner_isspace(*s))
			scan->at++;
		else if (wide_space(s) > 0)
			scan->at += wide_space(s);
		else if (s[0] == '-' && s[1] == '-')
			skip_line(scan);
		else if (s[0] == '/' && s[1] == '/')
			skip_line(scan);
		else if (s[0] == '/' && s[1] == '*')
			skip_comment(scan);
		else
			return;
	}
}

/* The bytes of a space that is not ASCII; 0 if there is none. */
static int
wide_space(const char *s)
{
	static const char *const spaces[] = {NO_BREAK_SPACE, BYTE_ORDER_MARK};

	for (size_t i = 0; GetDatabaseEncoding() == PG_UTF8 && i < lengthof(spaces); i++)
	{
		if (strncmp(s, spaces[i], strlen(spaces[i])) == 0)
			return strlen(spaces[i]);
	}
	return 0;
}

static void
skip_line(Scanner *scan)
{
	scan->at += strcspn(scan->source + scan->at, "\r\n");
}

/* Comments do not nest in Flink. */
static void
skip_comment(Scanner *scan)
{
	const char *start = scan->source + scan->at;
	const char *end = strstr(start + 2, "*/");

	if (end == NULL)
		fail(scan, scan->at, "unterminated comment");
	if (start[2] == '+')
		ereport(NOTICE,
				(errmsg("hint \"%s\" of Flink SQL is ignored",
						pnstrdup(start, end + 2 - start))));
	scan->at += end + 2 - start;
}

static void
add_token(Scanner *scan, AwFlinkTokenKind kind, int start, char *text)
{
	AwFlinkToken *token;

	if (scan->n_tokens == scan->size)
	{
		scan->size *= 2;
		scan->tokens = repalloc_array(scan->tokens, AwFlinkToken, scan->size);
	}
	token = &scan->tokens[scan->n_tokens++];
	token->kind = kind;
	token->quote = kind == AW_FLINK_QUOTED ? scan->source[start] : '\0';
	token->text = text;
	token->start = start;
	token->end = scan->at;
	token->closing = 0;
	token->opens_query = false;
}

static void
scan_token(Scanner *scan)
{
	const char *s = scan->source + scan->at;

	CHECK_FOR_INTERRUPTS();
	if (*s == '\'')
		scan_string(scan);
	else if (*s == '`' || *s == '"')
		scan_quoted(scan);
	else if (isdigit((unsigned char) s[0]) || (s[0] == '.' && isdigit((unsigned char) s[1])))
		scan_number(scan);
	else if (starts_word(*s))
		scan_word(scan);
	else
		scan_symbol(scan);
}

static void
scan_word(Scanner *scan)
{
	int			start = scan->at;

	while (continues_word(scan->source[scan->at]) && wide_space(scan->source + scan->at) == 0)
		scan->at++;
	if (pg_strncasecmp(scan->source + start, "U&'", 3) == 0)
		fail(scan, start, "string constants with Unicode escapes are not supported");
	if (scan->at == start + 1 && pg_strncasecmp(scan->source + start, "N'", 2) == 0)
	{
		scan_string(scan);
		return;
	}
	add_token(scan, AW_FLINK_WORD, start,
			  pnstrdup(scan->source + start, scan->at - start));
}

static void
scan_number(Scanner *scan)
{
	int			start = scan->at;
	const char *s = scan->source;

	while (isdigit((unsigned char) s[scan->at]))
		scan->at++;
	if (s[scan->at] == '.')
	{
		scan->at++;
		while (isdigit((unsigned char) s[scan->at]))
			scan->at++;
	}
	if (s[scan->at] == 'e' || s[scan->at] == 'E')
	{
		int			exponent = scan->at + 1;

		if (s[exponent] == '+' || s[exponent] == '-')
			exponent++;
		while (isdigit((unsigned char) s[exponent]))
			scan->at = ++exponent;
	}
	if (continues_word(s[scan->at]))
		fail(scan, start, "a name begins right behind a number");
	add_token(scan, AW_FLINK_NUMBER, start, pnstrdup(s + start, scan->at - start));
}

/* Two strings on lines of their own are one. */
static void
scan_string(Scanner *scan)
{
	int			start = scan->at;
	char	   *text = scan_until(scan, "unterminated string constant");
	AwFlinkToken *last = scan->n_tokens > 0 ? &scan->tokens[scan->n_tokens - 1] : NULL;

	if (last != NULL && last->kind == AW_FLINK_STRING && scan->source[start] == '\'' &&
		memchr(scan->source + last->end, '\n', start - last->end) != NULL)
	{
		last->text = psprintf("%s%s", last->text, text);
		last->end = scan->at;
		return;
	}
	add_token(scan, AW_FLINK_STRING, start, text);
}

static void
scan_quoted(Scanner *scan)
{
	int			start = scan->at;
	char	   *text = scan_until(scan, "unterminated quoted name");

	if (*text == '\0')
		fail(scan, start, "a quoted name is empty");
	add_token(scan, AW_FLINK_QUOTED, start, text);
}

/* Goes behind the closing quote; returns what is quoted, with doubled quotes made one. */
static char *
scan_until(Scanner *scan, const char *what)
{
	int			start = scan->at;
	char		quote = scan->source[start];
	StringInfoData text;

	initStringInfo(&text);
	for (scan->at++;; scan->at++)
	{
		char		c = scan->source[scan->at];

		if (c == '\0')
			fail(scan, start, what);
		if (c == quote && scan->source[++scan->at] != quote)
			return text.data;
		appendStringInfoCharMacro(&text, c);
	}
}

static void
scan_symbol(Scanner *scan)
{
	static const char *const pairs[] = {"=>", "<=", ">=", "<>", "!=", "||"};
	const char *s = scan->source + scan->at;
	int			start = scan->at;

	for (size_t i = 0; i < lengthof(pairs); i++)
	{
		if (strncmp(s, pairs[i], 2) == 0)
		{
			scan->at += 2;
			add_token(scan, AW_FLINK_SYMBOL, start, pstrdup(pairs[i]));
			return;
		}
	}
	scan->at++;
	add_token(scan, AW_FLINK_SYMBOL, start, pnstrdup(s, 1));
}

/* Finds the partner of each opening parenthesis and bracket. */
static void
match_brackets(Scanner *scan)
{
	int		   *open = palloc_array(int, scan->n_tokens);
	int			depth = 0;

	for (int i = 0; i < scan->n_tokens; i++)
	{
		const AwFlinkToken *token = &scan->tokens[i];

		if (token->kind != AW_FLINK_SYMBOL)
			continue;
		if (strchr("([", token->text[0]) != NULL)
			open[depth++] = i;
		else if (strchr(")]", token->text[0]) != NULL && depth > 0)
			scan->tokens[open[--depth]].closing = i;
	}
	pfree(open);
}

static bool
starts_word(char c)
{
	return isalpha((unsigned char) c) || c == '_' || c == '$' || IS_HIGHBIT_SET(c);
}

static bool
continues_word(char c)
{
	return starts_word(c) || isdigit((unsigned char) c);
}

/* Could the name be written without quotes? */
static bool
is_plain_name(const char *text)
{
	if (!starts_word(*text))
		return false;
	for (; *text; text++)
	{
		if (!continues_word(*text))
			return false;
	}
	return true;
}

static void
fail(const Scanner *scan, int offset, const char *message)
{
	ereport(ERROR,
			(errcode(ERRCODE_SYNTAX_ERROR),
			 errmsg("%s in Flink SQL", message),
			 internalerrquery(scan->source),
			 internalerrposition(aw_flinktoken_position(scan->source, offset))));
}
