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

typedef struct AwLevel AwLevel;

/* An item of a level whose rows are those of a stream or of its windows. */
typedef struct AwLevelItem
{
	Index		rtindex;
	AwLevel    *level;			/* NULL if a table */
	bool		is_nullable;	/* outer joins may leave it out */
} AwLevelItem;

/* A query in FROM or in an expression, or the whole, and those below it that streams come from. */
struct AwLevel
{
	AwLevelKind kind;
	Query	   *query;
	AwDefinition *definition;	/* that of the level's own, if any */
	AwDefinition *table_definition; /* that of the table that is the stream, if any */
	List	   *items;			/* AwLevelItem; several if windows are joined, or branches of UNION */
	List	   *subqueries;		/* levels in expressions that read windows ... */
	List	   *sublinks;		/* ... and the expressions */
	Index		stream;			/* the first item, 0 if static */
	AwLevel    *below;			/* what that is; NULL if a table */
	bool		is_union;		/* UNION ALL of streams, or of their rows with windows */
	bool		is_mixed;		/* unites streams and other tables: a stream if one is made of it */
	bool		is_cut;			/* below are rows, from here up windows */
	bool		keeps_rows;		/* so that the level itself is computed of them */
	Index		window;			/* TUMBLE or the like in FROM, 0 if it is not here */
	FuncExpr   *call;			/* that of FROM or of GROUP BY, if it is here */
	AwWindowKind window_kind;
	int			n_columns;
	AwColumnRole *roles;		/* of outputs */
};

/* The rows of a table on their way to a window: the levels from its cut down. */
typedef struct AwStreamClass
{
	AwLevel    *cut;
	AwLevel    *window_level;
	AwLevel    *definition_level;	/* NULL: the definition is the table's */
	AwLevel    *table_level;	/* whose item is the table of the stream */
	AwDefinition *definition;
	AwWindow	window;
	Node	   *rowtime;		/* over the items of window_level, as the call has it */
	int			watermark;		/* the same number where streams have one watermark in common */
} AwStreamClass;

/* A window, and the streams whose rows are in it. */
typedef struct AwPartClass
{
	AwLevel    *cut;			/* in the query */
	List	   *streams;		/* AwStreamClass, each with a copy of the cut */
} AwPartClass;

/* A query that can be continuous. */
typedef struct AwQueryClass
{
	AwLevel    *top;
	List	   *parts;			/* AwPartClass */
} AwQueryClass;

extern AwQueryClass *aw_queryclass_of(Query *query, Relation view, bool is_tracking);
extern AwLevel *aw_queryclass_level(Query *query, Relation view);

#endif							/* AW_QUERYCLASS_H */
