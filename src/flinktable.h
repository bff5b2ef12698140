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
	const char *schema;			/* where it is, not quoted; pg_temp if it is temporary */
	const char *name;			/* not quoted */
	Oid			relid;			/* invalid if the source creates it */
	bool		is_dropped;		/* by the source */
	bool		has_columns;	/* they are known; those of a query are not */
	bool		is_view;
	bool		is_table;		/* to Flink */
	bool		is_sink;		/* it keeps no rows */
	bool		is_stream;		/* rows come into it, or what it shows, and it has a watermark */
	List	   *row_types;		/* AwFlinkRowType: of its rows, the outer ones first */
	char		below;			/* relkind of what goes with the view; 0: nothing does */
	Oid			below_relid;	/* of the same; invalid if the source creates it */
	List	   *columns;		/* names of all columns */
	List	   *insertable;		/* of those that take values */
	List	   *key;			/* of the primary key's */
	bool		is_key_enforced;	/* the key is a constraint, not a marker */
	const char *key_name;		/* of the constraint */
	const char *rowtime;		/* of the watermark definition; NULL: there is none */
	const char *strategy;		/* of the same, as SQL, empty if it has no words; NULL: not known,
								 * or the view's query has it */
	bool		has_comments;	/* a column has one */
	const char *comment;		/* of its own; NULL: there is none */
	List	   *options;		/* AwFlinkOption */
	const char *versions;		/* a query that shows all versions; NULL: the table does */
	bool		is_derived;		/* a view that computes rows, and shows no versions */
} AwFlinkTable;

extern AwFlinkTable *aw_flinktable_find(const AwFlinkParser *parser, const AwFlinkPath *path);
extern AwFlinkPath *aw_flinktable_target(AwFlinkParser *parser, bool is_temporary, bool if_exists);
extern AwFlinkTable *aw_flinktable_keep(AwFlinkParser *parser, const AwFlinkPath *path);
extern void aw_flinktable_remember(AwFlinkParser *parser, const AwFlinkPath *path,
								   bool is_temporary, AwFlinkTable *table);
extern bool aw_flinktable_exists(const AwFlinkParser *parser, const AwFlinkPath *path,
								 bool is_temporary);
extern void aw_flinktable_drop(AwFlinkParser *parser, const AwFlinkPath *path);
extern void aw_flinktable_rename(AwFlinkParser *parser, AwFlinkTable *table, const char *name);
extern void aw_flinktable_refresh(AwFlinkParser *parser);
extern Oid	aw_flinktable_column_type(const AwFlinkTable *table, const char *column);
extern bool aw_flinktable_is_named(const List *names, const char *name);
extern bool aw_flinktable_has_column(const AwFlinkParser *parser, const AwFlinkPath *path,
									 const char *column);

#endif							/* AW_FLINKTABLE_H */
