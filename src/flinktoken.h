/*
 * flinktoken.h
 *
 * Flink SQL as a sequence of tokens.
 */
#ifndef AW_FLINKTOKEN_H
#define AW_FLINKTOKEN_H

typedef enum AwFlinkTokenKind
{
	AW_FLINK_WORD,				/* a keyword or a name, as it was written */
	AW_FLINK_QUOTED,			/* a name in backticks or double quotes, without them */
	AW_FLINK_STRING,			/* the value of a string constant */
	AW_FLINK_NUMBER,
	AW_FLINK_SYMBOL,			/* an operator or a punctuation mark */
	AW_FLINK_END				/* stands once, at the end of the text */
} AwFlinkTokenKind;

typedef struct AwFlinkToken
{
	AwFlinkTokenKind kind;
	char		quote;			/* of a quoted name: '`' or '"' */
	char	   *text;
	int			start;			/* bytes from the start of the source */
	int			end;			/* exclusive */
	int			closing;		/* of an opening bracket: the number of its partner; 0: none */
	bool		opens_query;	/* a parenthesis, and a query begins within it */
} AwFlinkToken;

extern AwFlinkToken *aw_flinktoken_scan(const char *source, int *n_tokens);
extern bool aw_flinktoken_is_word(const AwFlinkToken *token, const char *word);
extern bool aw_flinktoken_is_symbol(const AwFlinkToken *token, const char *symbol);
extern bool aw_flinktoken_is_made_up(const AwFlinkToken *token);
extern bool aw_flinktoken_is_name(const AwFlinkToken *token);
extern char *aw_flinktoken_name(const AwFlinkToken *token);
extern int	aw_flinktoken_position(const char *source, int offset);

#endif							/* AW_FLINKTOKEN_H */
