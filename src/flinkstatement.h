/*
 * flinkstatement.h
 *
 * Statements of Flink SQL, one after the other.
 */
#ifndef AW_FLINKSTATEMENT_H
#define AW_FLINKSTATEMENT_H

#include "flinkparser.h"

/* A translated statement. */
typedef struct AwFlinkStatement
{
	AwFlinkText *text;			/* statements of PostgreSQL; empty if there is nothing to do */
	bool		returns_rows;
	bool		is_prepared;	/* PREPARE takes it */
	int			start;			/* bytes of the source */
} AwFlinkStatement;

extern AwFlinkStatement *aw_flinkstatement_next(AwFlinkParser *parser);
extern pg_noreturn void aw_flinkstatement_rethrow(const AwFlinkParser *parser,
												  const AwFlinkStatement *statement,
												  MemoryContext context);

#endif							/* AW_FLINKSTATEMENT_H */
