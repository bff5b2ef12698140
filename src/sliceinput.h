/*
 * sliceinput.h
 *
 * Keys and arguments of aggregates, computed from the rows that the slice node reads.
 */
#ifndef AW_SLICEINPUT_H
#define AW_SLICEINPUT_H

#include "nodes/execnodes.h"

typedef struct AwSliceInput AwSliceInput;

extern Node *aw_sliceinput_plan_expression(Node *expr, List *columns, int n_outputs);
extern List *aw_sliceinput_plan_columns(List *columns, int n_outputs);
extern AwSliceInput *aw_sliceinput_create(CustomScanState *css, PlanState *child, List *exprs,
										  int n_outputs);
extern TupleTableSlot *aw_sliceinput_project(AwSliceInput *input, TupleTableSlot *row);

#endif							/* AW_SLICEINPUT_H */
