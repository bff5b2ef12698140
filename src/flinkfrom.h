/*
 * flinkfrom.h
 *
 * The clause FROM: tables, subqueries, joins.
 */
#ifndef AW_FLINKFROM_H
#define AW_FLINKFROM_H

#include "flinkparser.h"

extern void aw_flinkfrom_translate(AwFlinkParser *parser, bool has_star);
extern List *aw_flinkfrom_column_names(AwFlinkParser *parser);
extern char *aw_flinkfrom_made_up_alias(AwFlinkParser *parser);

#endif							/* AW_FLINKFROM_H */
