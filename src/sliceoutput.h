/*
 * sliceoutput.h
 *
 * What is read of the groups of a query by windows.
 */
#ifndef AW_SLICEOUTPUT_H
#define AW_SLICEOUTPUT_H

#include "slicequery.h"

extern int	aw_sliceoutput_add_input(AwSliceQuery *query, Node *expr);
extern bool aw_sliceoutput_walker(Node *node, AwSliceQuery *query);

#endif							/* AW_SLICEOUTPUT_H */
