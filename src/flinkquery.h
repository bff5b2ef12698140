/*
 * flinkquery.h
 *
 * Queries, and the names of relations.
 */
#ifndef AW_FLINKQUERY_H
#define AW_FLINKQUERY_H

#include "flinkparser.h"

/* The name of a relation, as PostgreSQL knows it. */
typedef struct AwFlinkPath
{
	const char *schema;			/* not quoted; NULL: none was given */
	const char *name;			/* not quoted */
	const char *sql;			/* both, quoted */
} AwFlinkPath;

extern void aw_flinkquery_translate(AwFlinkParser *parser);
extern void aw_flinkquery_mark(AwFlinkToken *tokens, int n_tokens);
extern bool aw_flinkquery_is_next(const AwFlinkParser *parser, int ahead);
extern void aw_flinkquery_in_parentheses(AwFlinkParser *parser);
extern AwFlinkPath *aw_flinkquery_path(AwFlinkParser *parser);
extern void aw_flinkquery_emit_path(AwFlinkParser *parser);
extern bool aw_flinkquery_skip_default_names(AwFlinkParser *parser);

#endif							/* AW_FLINKQUERY_H */
