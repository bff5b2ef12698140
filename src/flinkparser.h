/*
 * flinkparser.h
 *
 * The translator's place in the source, and its errors.
 */
#ifndef AW_FLINKPARSER_H
#define AW_FLINKPARSER_H

#include "nodes/pg_list.h"

#include "compat.h"
#include "flinkoutput.h"
#include "flinktoken.h"

/* A translation of one source. */
typedef struct AwFlinkParser
{
	const char *source;
	Oid			schema;			/* of the extension */
	const AwFlinkToken *tokens;
	int			n_tokens;		/* with the end token */
	int			end;			/* number of the token where the source seems to end */
	int			at;				/* number of the next token */
	AwFlinkOutput *output;		/* of the statement */
	List	   *tables;			/* AwFlinkTable that the source creates, changes or drops */
	const char *database;		/* that it uses, not quoted; NULL: that of the session */
	const char *default_path;	/* the search path before USE; NULL: it is the one now */
	const char *search_path;	/* that the source puts back; NULL: that of the session */
	List	   *databases;		/* char *: that it creates */
	List	   *dropped_databases;	/* char *: that it drops */
	const char *row_schema;		/* for the row types of the statement, not quoted; or NULL */
	bool		copies_rows;	/* a table of the source may have row types of another */
	bool		is_in_statement_set;
	const char *view_with_watermark;	/* the one that is being created */
	bool		reads_watermark;	/* a name in the source is "watermark" or "is_behind" */
	bool		reads_made_up;	/* a name in the source is EXPR$0 or the like */
	bool		names_columns;	/* the next select list gives names to all columns */
	List	   *row_types;		/* char *: what values of the next query's columns become; or NULL */
	struct AwFlinkOrder *order;	/* of the query that is being translated */
	bool		in_pattern;		/* behind LIKE, and no ESCAPE was there yet */
	int			n_aliases;		/* that were made up, or are free below the next */
	int			n_parameters;	/* question marks so far */
	const char *runtime_mode;	/* the options of Flink; NULL: not set */
	const char *job_name;
	const char *idle_timeout;
	List	   *jobs;			/* char *: names of those that the source starts */
	bool		reads_table;	/* the query reads one, or a view */
	bool		reads_stream;	/* and one that is a stream */
	bool		takes_parameters;
	bool		is_run;			/* each statement is, before the next is translated */
} AwFlinkParser;

extern AwFlinkParser *aw_flinkparser_create(const char *source, Oid schema);
extern const AwFlinkToken *aw_flinkparser_peek(const AwFlinkParser *parser, int ahead);
extern const AwFlinkToken *aw_flinkparser_next(AwFlinkParser *parser);
extern bool aw_flinkparser_at(const AwFlinkParser *parser, const char *phrase);
extern bool aw_flinkparser_at_symbol(const AwFlinkParser *parser, const char *symbol);
extern bool aw_flinkparser_accept(AwFlinkParser *parser, const char *phrase);
extern bool aw_flinkparser_accept_symbol(AwFlinkParser *parser, const char *symbol);
extern void aw_flinkparser_expect(AwFlinkParser *parser, const char *phrase);
extern void aw_flinkparser_expect_symbol(AwFlinkParser *parser, const char *symbol);
extern int	aw_flinkparser_skip(AwFlinkParser *parser);
extern void aw_flinkparser_skip_statement(AwFlinkParser *parser);
extern int	aw_flinkparser_closing(const AwFlinkParser *parser, int open);
extern char *aw_flinkparser_name(AwFlinkParser *parser);
extern char *aw_flinkparser_string(AwFlinkParser *parser);
extern char *aw_flinkparser_text(const AwFlinkParser *parser, int start, int end);
extern char *aw_flinkparser_quoted(const AwFlinkToken *token);

extern void aw_flinkparser_keyword(AwFlinkParser *parser, const char *keyword);
extern void aw_flinkparser_copy(AwFlinkParser *parser, const char *phrase);
extern void aw_flinkparser_emit(AwFlinkParser *parser, const char *text);
extern void aw_flinkparser_emit_glued(AwFlinkParser *parser, const char *text);
extern void aw_flinkparser_emit_open(AwFlinkParser *parser);
extern void aw_flinkparser_emit_ours(AwFlinkParser *parser, const char *function);
extern void aw_flinkparser_end_statement(AwFlinkParser *parser);
extern char *aw_flinkparser_ours(const AwFlinkParser *parser, const char *function);

extern pg_noreturn void aw_flinkparser_unsupported(const AwFlinkParser *parser,
												   const char *construct, const char *hint);
extern pg_noreturn void aw_flinkparser_error(const AwFlinkParser *parser, const char *message);
extern pg_noreturn void aw_flinkparser_fail(const AwFlinkParser *parser, const char *message);

#endif							/* AW_FLINKPARSER_H */
