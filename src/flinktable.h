/*
 * flinktable.h
 *
 * What is known about a table: one that the source creates, or one that is there.
 */
#ifndef AW_FLINKTABLE_H
#define AW_FLINKTABLE_H

#include "flinkparser.h"
#include "flinkquery.h"

typedef struct AwFlinkTable
{
	const char *name;			/* with its schema, quoted */
	bool		is_view;
	bool		is_table;		/* to Flink */
	bool		is_sink;		/* it keeps no rows */
	List	   *row_types;		/* char *: types of its rows, quoted, the outer ones first */
	char		below;			/* relkind of what goes with the view; 0: nothing does */
	List	   *columns;		/* names of all columns */
	List	   *insertable;		/* of those that take values */
	List	   *key;			/* of the primary key's */
	bool		is_key_enforced;	/* the key is a constraint, not a marker */
	const char *rowtime;		/* of the watermark definition; NULL: there is none */
	const char *versions;		/* a query that shows all versions; NULL: the table does */
	bool		is_derived;		/* a view that computes rows, and shows no versions */
} AwFlinkTable;

extern AwFlinkTable *aw_flinktable_find(const AwFlinkParser *parser, const AwFlinkPath *path);
extern AwFlinkPath *aw_flinktable_target(AwFlinkParser *parser, bool is_temporary);
extern bool aw_flinktable_exists(const AwFlinkParser *parser, const AwFlinkPath *path);
extern void aw_flinktable_forget(AwFlinkParser *parser, const AwFlinkPath *path);
extern bool aw_flinktable_has_column(const AwFlinkParser *parser, const AwFlinkPath *path,
									 const char *column);

#endif							/* AW_FLINKTABLE_H */
