/*
 * flinkexpression.h
 *
 * Expressions: everything in which values are computed.
 */
#ifndef AW_FLINKEXPRESSION_H
#define AW_FLINKEXPRESSION_H

#include "flinkparser.h"

extern void aw_flinkexpression_translate(AwFlinkParser *parser);
extern void aw_flinkexpression_range(AwFlinkParser *parser, int start, int end);
extern int	aw_flinkexpression_skip(AwFlinkParser *parser);
extern void aw_flinkexpression_list(AwFlinkParser *parser);
extern void aw_flinkexpression_condition(AwFlinkParser *parser);
extern void aw_flinkexpression_order_by(AwFlinkParser *parser);
extern void aw_flinkexpression_order_item(AwFlinkParser *parser);
extern void aw_flinkexpression_window(AwFlinkParser *parser);
extern bool aw_flinkexpression_is_clause(const AwFlinkParser *parser, int ahead);

#endif							/* AW_FLINKEXPRESSION_H */
