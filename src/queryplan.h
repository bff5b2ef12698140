/*
 * queryplan.h
 *
 * A plan that is kept for a query tree over relations of the executor's environment,
 * and run over others each time.
 */
#ifndef AW_QUERYPLAN_H
#define AW_QUERYPLAN_H

#include "access/tupdesc.h"
#include "nodes/parsenodes.h"
#include "tcop/dest.h"
#include "utils/tuplestore.h"

typedef struct AwQueryPlan AwQueryPlan;

/* What a tree reads. */
typedef struct AwQueryRelation
{
	const char *name;
	TupleDesc	columns;
} AwQueryRelation;

/* What a plan is made from. */
typedef struct AwQueryPlanSource
{
	RawStmt    *statement;		/* of which the tree is a part */
	const char *text;			/* of the statement */
	Query	   *tree;
	const AwQueryRelation *relations;
	int			n_relations;
	List	   *others;			/* relations whose changes make the plan stale, beside those of the tree */
} AwQueryPlanSource;

/* The slot's values and nulls are there, for the time of the call. */
typedef void (*AwRowCallback) (TupleTableSlot *slot, void *context);

extern AwQueryPlan *aw_queryplan_create(const AwQueryPlanSource *source);
extern void aw_queryplan_keep(AwQueryPlan *plan);
extern void aw_queryplan_free(AwQueryPlan *plan);
extern bool aw_queryplan_is_valid(const AwQueryPlan *plan);
extern TupleDesc aw_queryplan_columns(const AwQueryPlan *plan);
extern bool aw_queryplan_reads(const AwQueryPlan *plan, const Bitmapset *columns);
extern bool aw_queryplan_run(AwQueryPlan *plan, Tuplestorestate *const *rows,
							 DestReceiver *receiver);
extern DestReceiver *aw_queryplan_receiver(AwRowCallback callback, void *context);

#endif							/* AW_QUERYPLAN_H */
