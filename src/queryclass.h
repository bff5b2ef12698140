/*
 * queryclass.h
 *
 * What the levels of a continuous query are to its window, and the refusal of queries
 * that cannot be one.
 */
#ifndef AW_QUERYCLASS_H
#define AW_QUERYCLASS_H

#include "definition.h"
#include "window.h"

typedef enum AwLevelKind
{
	AW_LEVEL_STATIC,			/* reads no stream */
	AW_LEVEL_STREAM,			/* its rows are those of a stream */
	AW_LEVEL_OPEN,				/* rows of a stream, each with its window */
	AW_LEVEL_CLOSED				/* rows of windows that are complete */
} AwLevelKind;

/* What a column is to the window. */
typedef enum AwColumnRole
{
	AW_ROLE_NONE,
	AW_ROLE_ROWTIME,
	AW_ROLE_START,
	AW_ROLE_END,
	AW_ROLE_TIME
} AwColumnRole;

/* A query in FROM, or the whole, and the one below it that the stream comes from. */
typedef struct AwLevel
{
	AwLevelKind kind;
	Query	   *query;
	AwDefinition *definition;	/* that of the level's own, if any */
	AwDefinition *table_definition; /* that of the table that is the stream, if any */
	Index		stream;			/* the item with the stream's rows, 0 if static */
	struct AwLevel *below;		/* what the item is; NULL if a table */
	bool		is_cut;			/* groups by its window: below rows, from here up windows */
	Index		window;			/* TUMBLE or the like in FROM, 0 if it is not here */
	FuncExpr   *call;			/* that of FROM or of GROUP BY, if it is here */
	AwWindowKind window_kind;
	int			n_columns;
	AwColumnRole *roles;		/* of outputs */
} AwLevel;

/* A query that can be continuous. */
typedef struct AwQueryClass
{
	AwLevel    *top;
	AwLevel    *cut;
	AwLevel    *window_level;
	AwLevel    *definition_level;	/* NULL: the definition is the table's */
	AwLevel    *table_level;	/* whose item is the table of the stream */
	AwDefinition *definition;
	AwWindow	window;
	Node	   *rowtime;		/* over the items of window_level, as the call has it */
} AwQueryClass;

extern AwQueryClass *aw_queryclass_of(Query *query, Relation view, bool is_tracking);

#endif							/* AW_QUERYCLASS_H */
