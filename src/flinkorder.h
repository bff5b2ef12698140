/*
 * flinkorder.h
 *
 * The order of a query's rows.
 */
#ifndef AW_FLINKORDER_H
#define AW_FLINKORDER_H

#include "flinkparser.h"

/* What is known about a query where its ORDER BY begins. */
typedef struct AwFlinkOrder
{
	int			at;				/* where it begins in the output, behind WITH */
	bool		has_terms;		/* it is a set operation */
	bool		is_distinct;
	bool		expands_aliases;	/* a name that is an alias is to be written as what it means */
	List	   *aliases;		/* of its select list */
	List	   *columns;		/* char *: those that stand in it without an alias */
	bool		has_star;		/* all of FROM's do */
	List	   *row_types;		/* char *: what values of its columns become; NULL: what they are */
} AwFlinkOrder;

extern void aw_flinkorder_add_alias(AwFlinkParser *parser, int start, int end);
extern void aw_flinkorder_add_column(AwFlinkParser *parser, int start, int end);
extern bool aw_flinkorder_expand(AwFlinkParser *parser);
extern void aw_flinkorder_translate(AwFlinkParser *parser);

#endif							/* AW_FLINKORDER_H */
