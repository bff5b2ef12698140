/*
 * definition.h
 *
 * Watermark definitions, where they stand: the marker watermark_for() in a CHECK
 * of a table or in WHERE of a view, and APPLY_WATERMARK in FROM.
 */
#ifndef AW_DEFINITION_H
#define AW_DEFINITION_H

#include "nodes/parsenodes.h"
#include "utils/relcache.h"

/* A watermark definition.  Everything is palloc'd. */
typedef struct AwDefinition
{
	Oid			relid;			/* the table or view that it stands in */
	char	   *constraint;		/* of a table: the name of its CHECK, else NULL */
	Node	   *rowtime;		/* expressions over the table, with varno 1, ... */
	Node	   *strategy;
	Query	   *level;			/* ... or over the range table of this query */
	AttrNumber	attno;			/* the column that comes out as the rowtime; 0: none does */
} AwDefinition;

typedef enum AwTimeKind
{
	AW_TIME_NONE,
	AW_TIME_ROWTIME,
	AW_TIME_PROCTIME
} AwTimeKind;

/* What a column is to event time. */
typedef struct AwTimeColumn
{
	AwTimeKind	kind;
	List	   *definitions;	/* of a rowtime: those that move its watermark */
} AwTimeColumn;

/* What a relation or query is to event time. */
typedef struct AwTimes
{
	AwDefinition *own;			/* NULL: it has none of its own */
	bool		is_ambiguous;	/* it has two, and so none */
	bool		is_misplaced;	/* it has a marker that is no condition of its own */
	AwDefinition *mistyped;		/* it has one whose types are wrong, and so none */
	int			n_columns;
	AwTimeColumn *columns;		/* by number less 1; dropped columns included */
} AwTimes;

extern AwTimes *aw_definition_of_relation(Relation rel);
extern AwDefinition *aw_definition_of_level(Query *query, Relation view);
extern Query *aw_definition_view_query(Relation rel);
extern const char *aw_definition_kind_name(Relation rel);
extern void aw_definition_check(const AwTimes *times, Relation rel);
extern bool aw_definition_is_grouped(const AwDefinition *definition);
extern bool aw_definition_applies_watermark(const Query *query);
extern bool aw_definition_has_marker(Node *expr);
extern bool aw_definition_is_proper_marker(Node *node);
extern void aw_definition_forget(Query *query);
extern List *aw_definition_conditions(Node *quals);
extern List *aw_definition_remove_markers(List *conditions);
extern Node *aw_definition_quals(List *conditions);

#endif							/* AW_DEFINITION_H */
