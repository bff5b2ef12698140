/*
 * queryanalysis.h
 *
 * All that is found out about the query of a view before it is planned.
 */
#ifndef AW_QUERYANALYSIS_H
#define AW_QUERYANALYSIS_H

#include "querycut.h"

/* A rowtime with at most so many digits of seconds has a granule of a millisecond. */
#define AW_MILLISECOND_DIGITS	3

typedef struct AwQueryAnalysis
{
	Oid			view;
	char	   *text;			/* of the statement that reads the view */
	RawStmt    *statement;
	AwQueryClass *class;
	AwQueryCut *cut;
	TupleDesc  *rows;			/* of the ingest statements of each part */
	int32	   *rowtime_typmods;	/* of each part: digits of seconds, -1 for all of them */
	TupleDesc	results;		/* of the publish statement */
	char	   *fingerprint;	/* the same as long as states can be gone on with */
} AwQueryAnalysis;

extern void aw_queryanalysis_of(Oid relid, bool is_tracking, AwQueryAnalysis *analysis);
extern pg_noreturn void aw_queryanalysis_refuse_missing_view(void);

#endif							/* AW_QUERYANALYSIS_H */
