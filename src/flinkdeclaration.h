/*
 * flinkdeclaration.h
 *
 * A statement CREATE TABLE as it was read, before it becomes anything.
 */
#ifndef AW_FLINKDECLARATION_H
#define AW_FLINKDECLARATION_H

#include "flinkconnector.h"
#include "flinkparser.h"
#include "flinkquery.h"
#include "flinktype.h"

/* A column; a computed one has the tokens of its expression. */
typedef struct AwFlinkColumn
{
	const char *name;			/* not quoted */
	const AwFlinkType *type;	/* NULL: it is computed */
	bool		is_not_null;
	bool		is_metadata;
	bool		is_virtual;		/* metadata that is not written */
	const char *metadata;		/* what the connector calls it; NULL: like the column */
	const char *comment;
	int			at;				/* the token of its name */
	int			start;
	int			end;
} AwFlinkColumn;

/* A statement CREATE TABLE. */
typedef struct AwFlinkCreate
{
	AwFlinkPath *path;
	int			path_at;		/* its first token */
	bool		is_temporary;
	bool		if_not_exists;
	List	   *columns;		/* AwFlinkColumn */
	bool		has_computed;	/* one of them is computed */
	List	   *row_types;		/* AwFlinkRowType */
	List	   *key;			/* char *: columns of the primary key */
	List	   *key_at;			/* int: their tokens */
	const char *key_name;		/* of its constraint; NULL: none was given */
	const char *rowtime;		/* NULL: there is no watermark */
	int			watermark;		/* the token behind WATERMARK FOR */
	const char *comment;
	List	   *options;		/* AwFlinkOption */
	int			partition_at;	/* the token PARTITIONED; 0: it is not there */
	int			options_at;		/* their first token */
	AwFlinkForm form;
	AwFlinkPath *like;
	int			like_at;		/* the token where it stands */
	const struct AwFlinkTable *like_table;	/* NULL: nothing is known about it */
	bool		like_without_options;
	bool		like_says_options;
	bool		like_adds_options;	/* none may be replaced */
	const struct AwFlinkTable *jdbc_table;	/* that the connector leads to */
	bool		like_without_key;
	bool		like_says_key;
	bool		like_without_watermark;
	bool		like_says_watermark;
	bool		like_replaces_watermark;
	bool		like_without_generated;
	bool		has_query;
} AwFlinkCreate;

extern AwFlinkPath *aw_flinkdeclaration_path(AwFlinkParser *parser, bool is_temporary);
extern void aw_flinkdeclaration_table(AwFlinkParser *parser, AwFlinkCreate *create);
extern void aw_flinkdeclaration_column(AwFlinkParser *parser, AwFlinkCreate *create);

#endif							/* AW_FLINKDECLARATION_H */
