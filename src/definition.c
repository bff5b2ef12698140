/*
 * definition.c
 *
 * Reads watermark definitions out of tables and query trees.
 *
 * A marker counts as a condition of its own: one CHECK of a table, or one term of
 * a WHERE.  Elsewhere it is misplaced, and two at one level are ambiguous; both
 * leave the relation without a definition, as do wrong types.  APPLY_WATERMARK in FROM is a
 * definition like a marker of the same level.
 *
 * A query's rowtimes are found from the bottom up: what its items have, seen
 * through its own expressions.  A definition of its own replaces those from
 * below; without one they pass: plain columns through filters and joins,
 * window_time and TUMBLE_ROWTIME through grouping by a window.
 * A cast, an ordinary GROUP BY and DISTINCT make a rowtime an ordinary column,
 * as in Flink.
 *
 * Views are read as they are stored, so nothing here needs privileges or locks
 * more than their definitions.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/prs2lock.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "definition.h"
#include "groupwindow.h"
#include "rangetable.h"
#include "rowtime.h"

/* A query at work, below the queries around it. */
typedef struct Level
{
	Query	   *query;
	Oid			relid;			/* the view that is being read */
	struct Level *parent;
	AwDefinition *own;
	AwTimes   **items;			/* by range table index less 1; NULL: not read yet */
	AwTimes   **ctes;			/* by place in the list, likewise */
	List	  **known;			/* KnownRelations, of all levels and views */
} Level;

/* A relation that was read, so that none is read twice. */
typedef struct KnownRelation
{
	Oid			relid;
	AwTimes    *times;
} KnownRelation;

static void refuse_types(const AwDefinition *definition);
static List *remove_conditions(List *conditions, bool (*is_removed) (Node *condition));
static bool forget_walker(Node *node, void *context);
static AwTimes *make_times(int n_columns);
static AwTimes *read_relation(Relation rel, List **known);
static AwTimes *read_known_relation(Oid relid, List **known);
static void read_table(Relation rel, AwTimes *times);
static AwTimes *read_query(Query *query, Oid relid, Level *parent, List **known);
static AwTimes *read_set_operation(Level *level);
static AwTimeColumn time_of_branch(Level *level, int rtindex, int column);
static void add_branch(AwTimeColumn *column, AwTimeColumn branch, bool is_first);
static bool is_branch(Node *operation, int rtindex);
static bool is_union_all(Node *operation);
static void find_own(Level *level, AwTimes *times);
static void add_own(Oid relid, Query *level, List *args, const char *constraint, AwTimes *times);
static List *apply_watermark_calls(const Query *query);
static void pass_unclear(const Level *level, AwTimes *times);
static void remove_unclear(AwTimes *times);
static bool is_well_typed(const AwDefinition *definition);
static bool marker_walker(Node *node, int *n_markers);
static int	count_markers(Node *node);
static bool is_marker(Node *node);
static AwTimeColumn time_of_expression(Level *level, Node *expr);
static bool is_grouped(const Query *query);
static AwTimeColumn time_of_input(Level *level, Node *expr);
static bool is_own_rowtime(const Level *level, Node *expr);
static bool is_proctime(Node *expr);
static AwTimeColumn time_of_variable(Level *level, Var *var);
static List *definitions_of_items(Level *level, Node *jtnode);
static AwTimes *times_of_item(Level *level, int rtindex);
static AwTimes *times_of_cte(Level *level, RangeTblEntry *rte);
static AwTimeColumn time_of_window(Level *level, RangeTblEntry *rte, AttrNumber attno);
static bool groups_by_window(Level *level, Var *window_time);
static Node *expression_of_output(Query *query, Node *expr);

/* What a relation is to event time.  The caller holds a lock on it. */
AwTimes *
aw_definition_of_relation(Relation rel)
{
	List	   *known = NIL;

	return read_relation(rel, &known);
}

/*
 * The definition that stands at the own level of a query, NULL if there is none.
 * view is what an error names.
 */
AwDefinition *
aw_definition_of_level(Query *query, Relation view)
{
	Level		level = {.query = query,.relid = RelationGetRelid(view)};
	AwTimes    *times = make_times(0);

	if (query->setOperations != NULL)
		return NULL;
	find_own(&level, times);
	aw_definition_check(times, view);
	return times->own;
}

/* The query that a view or materialized view stands for; not to be changed. */
Query *
aw_definition_view_query(Relation rel)
{
	for (int i = 0; rel->rd_rules != NULL && i < rel->rd_rules->numLocks; i++)
	{
		RewriteRule *rule = rel->rd_rules->rules[i];

		if (rule->event == CMD_SELECT)
			return linitial_node(Query, rule->actions);
	}
	elog(ERROR, "view \"%s\" has no query", RelationGetRelationName(rel));
}

/* Raises an error for a definition that cannot be understood. */
void
aw_definition_check(const AwTimes *times, Relation rel)
{
	const char *kind = aw_definition_kind_name(rel);

	if (times->is_ambiguous)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("%s \"%s\" already has a watermark definition",
						kind, RelationGetRelationName(rel)),
				 errdetail("There are two in one definition."),
				 errhint("Remove one of them.")));

	if (times->is_misplaced)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				 errmsg("watermark_for() in %s \"%s\" is not a condition of its own",
						kind, RelationGetRelationName(rel)),
				 errhint("Write it as a CHECK of a table, or as a term of a WHERE, joined by AND.")));

	if (times->mistyped != NULL)
		refuse_types(times->mistyped);
}

/* Raises the error for a rowtime or strategy of a wrong type. */
static void
refuse_types(const AwDefinition *definition)
{
	Var		   *rowtime = (Var *) definition->rowtime;

	if (IsA(rowtime, Var) && !aw_rowtime_is_time((Node *) rowtime))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is %s)",
						definition->level == NULL ?
						get_attname(definition->relid, rowtime->varattno, false) :
						get_rte_attribute_name(rt_fetch(rowtime->varno, definition->level->rtable),
											   rowtime->varattno),
						format_type_be(exprType((Node *) rowtime)))));
	aw_rowtime_check_strategy(NULL, definition->rowtime, aw_rowtime_written(definition->strategy));
}

/* What a relation is called in messages. */
const char *
aw_definition_kind_name(Relation rel)
{
	switch (rel->rd_rel->relkind)
	{
		case RELKIND_VIEW:
			return "view";
		case RELKIND_MATVIEW:
			return "materialized view";
		default:
			return "table";
	}
}

/* Does the definition act on rows that its query groups, so that others come out? */
bool
aw_definition_is_grouped(const AwDefinition *definition)
{
	return definition->level != NULL && is_grouped(definition->level);
}

/* The terms that AND joins in a WHERE. */
List *
aw_definition_conditions(Node *quals)
{
	List	   *conditions = NIL;
	ListCell   *lc;

	if (quals == NULL)
		return NIL;
	if (!is_andclause(quals))
		return list_make1(quals);

	foreach(lc, ((BoolExpr *) quals)->args)
		conditions = list_concat(conditions, aw_definition_conditions(lfirst(lc)));
	return conditions;
}

/* Conditions, joined by AND, without the markers among them. */
List *
aw_definition_remove_markers(List *conditions)
{
	return remove_conditions(conditions, is_marker);
}

/* The WHERE that conditions make; NULL if there are none. */
Node *
aw_definition_quals(List *conditions)
{
	return conditions ? (Node *) make_ands_explicit(conditions) : NULL;
}

static List *
remove_conditions(List *conditions, bool (*is_removed) (Node *condition))
{
	List	   *others = NIL;
	ListCell   *lc;

	foreach(lc, conditions)
	{
		if (!is_removed(lfirst(lc)))
			others = lappend(others, lfirst(lc));
	}
	return others;
}

/*
 * Takes the markers out of the WHERE of all queries of a statement that is to be
 * planned: the planner does more for a query without a WHERE.  Those of wrong
 * types stay and have their error raised.
 */
void
aw_definition_forget(Query *query)
{
	forget_walker((Node *) query, NULL);
}

static bool
forget_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;

	if (IsA(node, FromExpr))
	{
		FromExpr   *from = (FromExpr *) node;
		List	   *conditions = aw_definition_conditions(from->quals);
		List	   *others = remove_conditions(conditions, aw_definition_is_proper_marker);

		if (list_length(others) < list_length(conditions))
			from->quals = aw_definition_quals(others);
	}

	if (IsA(node, Query))
		return query_tree_walker((Query *) node, forget_walker, context, QTW_IGNORE_JOINALIASES);
	return expression_tree_walker(node, forget_walker, context);
}

static AwTimes *
make_times(int n_columns)
{
	AwTimes    *times = palloc0(sizeof(AwTimes));

	times->n_columns = n_columns;
	times->columns = palloc0(Max(n_columns, 1) * sizeof(AwTimeColumn));
	return times;
}

static AwTimes *
read_relation(Relation rel, List **known)
{
	AwTimes    *times = make_times(RelationGetNumberOfAttributes(rel));

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();

	switch (rel->rd_rel->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
		case RELKIND_FOREIGN_TABLE:
			read_table(rel, times);
			return times;
		case RELKIND_VIEW:
		case RELKIND_MATVIEW:
			return read_query(aw_definition_view_query(rel), RelationGetRelid(rel), NULL, known);
		default:
			return times;
	}
}

/* The same of a relation in a query, read once: views may have it in many places. */
static AwTimes *
read_known_relation(Oid relid, List **known)
{
	KnownRelation *relation;
	ListCell   *lc;
	Relation	rel;

	foreach(lc, *known)
	{
		relation = lfirst(lc);
		if (relation->relid == relid)
			return relation->times;
	}

	relation = palloc(sizeof(KnownRelation));
	relation->relid = relid;
	rel = relation_open(relid, AccessShareLock);
	relation->times = read_relation(rel, known);
	relation_close(rel, NoLock);
	*known = lappend(*known, relation);
	return relation->times;
}

static void
read_table(Relation rel, AwTimes *times)
{
	TupleConstr *constraints = RelationGetDescr(rel)->constr;

	for (int i = 0; constraints != NULL && i < constraints->num_check; i++)
	{
		Node	   *check = stringToNode(constraints->check[i].ccbin);

		if (is_marker(check))
			add_own(RelationGetRelid(rel), NULL, aw_rangetable_call_args((FuncExpr *) check),
					constraints->check[i].ccname, times);
		else if (aw_definition_has_marker(check))
			times->is_misplaced = true;
	}

	remove_unclear(times);
	if (times->own != NULL && times->own->attno > 0)
	{
		AwTimeColumn *column = &times->columns[times->own->attno - 1];

		column->kind = AW_TIME_ROWTIME;
		column->definitions = list_make1(times->own);
	}
}

static AwTimes *
read_query(Query *query, Oid relid, Level *parent, List **known)
{
	Level		level = {.query = query,.relid = relid,.parent = parent,.known = known};
	AwTimes    *times = make_times(ExecCleanTargetListLength(query->targetList));
	ListCell   *lc;

	check_stack_depth();
	level.items = palloc0(Max(list_length(query->rtable), 1) * sizeof(AwTimes *));
	level.ctes = palloc0(Max(list_length(query->cteList), 1) * sizeof(AwTimes *));
	if (query->setOperations != NULL)
		return read_set_operation(&level);

	find_own(&level, times);
	level.own = times->own;

	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (entry->resjunk)
			continue;
		times->columns[entry->resno - 1] = time_of_expression(&level, (Node *) entry->expr);
		if (level.own != NULL && level.own->attno == 0 &&
			times->columns[entry->resno - 1].kind == AW_TIME_ROWTIME &&
			is_own_rowtime(&level, expression_of_output(query, (Node *) entry->expr)))
			level.own->attno = entry->resno;
	}

	/* Joined inputs move together: the least of their watermarks counts. */
	if (level.own == NULL)
	{
		List	   *definitions = definitions_of_items(&level, (Node *) query->jointree);

		for (int i = 0; i < times->n_columns; i++)
		{
			if (times->columns[i].kind == AW_TIME_ROWTIME)
				times->columns[i].definitions = definitions;
		}
	}
	pass_unclear(&level, times);
	return times;
}

/* UNION ALL: a column that is a rowtime in all branches, with all watermarks. */
static AwTimes *
read_set_operation(Level *level)
{
	Query	   *query = level->query;
	AwTimes    *times = make_times(list_length(query->targetList));
	bool		is_first = true;

	if (!is_union_all(query->setOperations))
		return times;

	for (int i = 1; i <= list_length(query->rtable); i++)
	{
		if (!is_branch(query->setOperations, i))
			continue;
		for (int j = 0; j < times->n_columns; j++)
			add_branch(&times->columns[j], time_of_branch(level, i, j), is_first);
		is_first = false;
	}
	pass_unclear(level, times);
	return times;
}

/* A branch's column; nothing to event time where the set operation converts it. */
static AwTimeColumn
time_of_branch(Level *level, int rtindex, int column)
{
	const AwTimeColumn none = {AW_TIME_NONE, NIL};
	Query	   *branch = rt_fetch(rtindex, level->query->rtable)->subquery;
	Node	   *from = (Node *) get_tle_by_resno(branch->targetList, column + 1)->expr;
	Node	   *to = (Node *) list_nth_node(TargetEntry, level->query->targetList, column)->expr;

	return exprType(from) == exprType(to) ? times_of_item(level, rtindex)->columns[column] : none;
}

static void
add_branch(AwTimeColumn *column, AwTimeColumn branch, bool is_first)
{
	const AwTimeColumn none = {AW_TIME_NONE, NIL};

	if (is_first)
		*column = branch;
	else if (column->kind != branch.kind)
		*column = none;
	else
		column->definitions = list_concat_unique_ptr(list_copy(column->definitions),
													 branch.definitions);
}

static bool
is_branch(Node *operation, int rtindex)
{
	if (IsA(operation, RangeTblRef))
		return ((RangeTblRef *) operation)->rtindex == rtindex;
	return is_branch(((SetOperationStmt *) operation)->larg, rtindex) ||
		is_branch(((SetOperationStmt *) operation)->rarg, rtindex);
}

static bool
is_union_all(Node *operation)
{
	SetOperationStmt *set = (SetOperationStmt *) operation;

	return IsA(operation, RangeTblRef) ||
		(set->op == SETOP_UNION && set->all &&
		 is_union_all(set->larg) && is_union_all(set->rarg));
}

/* Finds the definition that stands at the level itself. */
static void
find_own(Level *level, AwTimes *times)
{
	Query	   *query = level->query;
	int			n_conditions = 0;
	int			n_markers = 0;
	ListCell   *lc;

	foreach(lc, aw_definition_conditions(query->jointree->quals))
	{
		if (!is_marker(lfirst(lc)))
			continue;
		n_conditions++;
		add_own(level->relid, query, aw_rangetable_call_args(lfirst(lc)), NULL, times);
	}

	query_tree_walker(query, marker_walker, &n_markers, QTW_IGNORE_RT_SUBQUERIES |
					  QTW_IGNORE_CTE_SUBQUERIES | QTW_IGNORE_JOINALIASES);
	if (n_markers > n_conditions)
		times->is_misplaced = true;

	foreach(lc, apply_watermark_calls(query))
		add_own(level->relid, query, list_copy_tail(aw_rangetable_call_args(lfirst(lc)), 1), NULL,
				times);
	remove_unclear(times);
}

/* The calls of APPLY_WATERMARK in FROM. */
static List *
apply_watermark_calls(const Query *query)
{
	List	   *calls = NIL;
	ListCell   *lc;
	ListCell   *lf;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		foreach(lf, rte->rtekind == RTE_FUNCTION ? rte->functions : NIL)
		{
			FuncExpr   *call = (FuncExpr *) lfirst_node(RangeTblFunction, lf)->funcexpr;

			if (IsA(call, FuncExpr) && aw_rangetable_is_apply_watermark(call))
				calls = lappend(calls, call);
		}
	}
	return calls;
}

/* What is unclear in a query's subqueries is so in the query, if it depends on them. */
static void
pass_unclear(const Level *level, AwTimes *times)
{
	for (int i = 0; times->own == NULL && i < list_length(level->query->rtable); i++)
	{
		const AwTimes *item = level->items[i];

		if (item == NULL || rt_fetch(i + 1, level->query->rtable)->rtekind == RTE_RELATION)
			continue;
		times->is_ambiguous |= item->is_ambiguous;
		times->is_misplaced |= item->is_misplaced;
		if (times->mistyped == NULL)
			times->mistyped = item->mistyped;
	}
}

/* What cannot be understood is no definition. */
static void
remove_unclear(AwTimes *times)
{
	if (times->is_ambiguous || times->is_misplaced || times->mistyped != NULL)
		times->own = NULL;
}

/* args are rowtime and strategy. */
static void
add_own(Oid relid, Query *level, List *args, const char *constraint, AwTimes *times)
{
	AwDefinition *own = palloc0(sizeof(AwDefinition));
	Var		   *rowtime;

	if (times->own != NULL)
	{
		times->is_ambiguous = true;
		return;
	}

	own->relid = relid;
	own->level = level;
	own->constraint = constraint ? pstrdup(constraint) : NULL;
	own->rowtime = aw_rowtime_written(linitial(args));
	own->strategy = lsecond(args);
	times->own = own;
	if (!is_well_typed(own))
		times->mistyped = own;

	rowtime = (Var *) own->rowtime;
	if (level == NULL && IsA(rowtime, Var) && rowtime->varattno > 0)
		own->attno = rowtime->varattno;
}

/* Are rowtime and strategy timestamps of one kind? */
static bool
is_well_typed(const AwDefinition *definition)
{
	Node	   *strategy = aw_rowtime_written(definition->strategy);

	return aw_rowtime_is_time(definition->rowtime) && aw_rowtime_is_time(strategy) &&
		getBaseType(exprType(definition->rowtime)) == getBaseType(exprType(strategy));
}

/* Has the query itself APPLY_WATERMARK in FROM? */
bool
aw_definition_applies_watermark(const Query *query)
{
	return apply_watermark_calls(query) != NIL;
}

/* Does an expression contain a marker? */
bool
aw_definition_has_marker(Node *expr)
{
	return count_markers(expr) > 0;
}

/* Counts markers; those of subqueries in expressions are theirs. */
static bool
marker_walker(Node *node, int *n_markers)
{
	if (node == NULL || IsA(node, Query))
		return false;
	if (is_marker(node))
		(*n_markers)++;
	return expression_tree_walker(node, marker_walker, n_markers);
}

static int
count_markers(Node *node)
{
	int			n_markers = 0;

	marker_walker(node, &n_markers);
	return n_markers;
}

/* Is it a marker, of two timestamps of one kind? */
bool
aw_definition_is_proper_marker(Node *node)
{
	AwDefinition definition;

	if (!is_marker(node))
		return false;

	definition.rowtime = aw_rowtime_written(linitial(((FuncExpr *) node)->args));
	definition.strategy = lsecond(((FuncExpr *) node)->args);
	return is_well_typed(&definition);
}

static bool
is_marker(Node *node)
{
	return IsA(node, FuncExpr) &&
		aw_rangetable_has_symbol(((FuncExpr *) node)->funcid, "aw_sql_watermark_for");
}

/* What an output of the level is. */
static AwTimeColumn
time_of_expression(Level *level, Node *expr)
{
	const AwTimeColumn none = {AW_TIME_NONE, NIL};
	const AwTimeColumn proctime = {AW_TIME_PROCTIME, NIL};
	Query	   *query = level->query;
	AwWindowKind kind;
	AwWindowPart part;

	expr = expression_of_output(query, expr);

	if (IsA(expr, Aggref) && aw_groupwindow_is_part((Aggref *) expr, &kind, &part))
	{
		AwTimeColumn column = time_of_input(level, (Node *)
											linitial_node(TargetEntry, ((Aggref *) expr)->args)->expr);

		if (part == AW_PART_PROCTIME)
			return proctime;
		return (part == AW_PART_ROWTIME) ? column : none;
	}

	if (is_proctime(expr))
		return proctime;
	if (is_grouped(query) && (query->distinctClause != NIL || !groups_by_window(level, (Var *) expr)))
		return none;
	return time_of_input(level, expr);
}

static bool
is_grouped(const Query *query)
{
	return query->groupClause != NIL || query->groupingSets != NIL || query->hasAggs ||
		query->distinctClause != NIL;
}

/* What an expression over the rows of the level is, before they are grouped. */
static AwTimeColumn
time_of_input(Level *level, Node *expr)
{
	AwTimeColumn column = {AW_TIME_NONE, NIL};

	if (is_own_rowtime(level, expr))
	{
		column.kind = AW_TIME_ROWTIME;
		column.definitions = list_make1(level->own);
	}
	else if (is_proctime(expr))
		column.kind = AW_TIME_PROCTIME;
	else if (IsA(expr, Var))
		column = time_of_variable(level, (Var *) expr);
	return column;
}

/*
 * Is it the rowtime of the level's own definition?  APPLY_WATERMARK may name it
 * below an outer join.
 */
static bool
is_own_rowtime(const Level *level, Node *expr)
{
	return level->own != NULL &&
		equal(aw_compat_strip_all_nulling(expr, level->query),
			  aw_compat_strip_all_nulling(level->own->rowtime, level->query));
}

static bool
is_proctime(Node *expr)
{
	return IsA(expr, FuncExpr) &&
		aw_rangetable_has_symbol(((FuncExpr *) expr)->funcid, "aw_sql_proctime");
}

static AwTimeColumn
time_of_variable(Level *level, Var *var)
{
	AwTimeColumn none = {AW_TIME_NONE, NIL};
	RangeTblEntry *rte;
	AwTimes    *times;

	if (var->varlevelsup != 0 || var->varattno <= 0)
		return none;

	rte = rt_fetch(var->varno, level->query->rtable);
	if (rte->rtekind == RTE_JOIN)
		return time_of_input(level, list_nth(rte->joinaliasvars, var->varattno - 1));
	if (rte->rtekind == RTE_FUNCTION)
		return time_of_window(level, rte, var->varattno);

	times = times_of_item(level, var->varno);
	if (times == NULL || var->varattno > times->n_columns)
		return none;

	/* A definition of the level's own replaces those from below. */
	if (level->own != NULL && times->columns[var->varattno - 1].kind == AW_TIME_ROWTIME)
		return none;
	return times->columns[var->varattno - 1];
}

/* What an item of FROM is; NULL if it is nothing that could have a watermark. */
static AwTimes *
times_of_item(Level *level, int rtindex)
{
	RangeTblEntry *rte = rt_fetch(rtindex, level->query->rtable);
	AwTimes   **times = &level->items[rtindex - 1];

	if (*times != NULL)
		return *times;

	switch (rte->rtekind)
	{
		case RTE_RELATION:
			*times = read_known_relation(rte->relid, level->known);
			break;
		case RTE_SUBQUERY:
			*times = read_query(rte->subquery, level->relid, level, level->known);
			break;
		case RTE_CTE:
			*times = times_of_cte(level, rte);
			break;
		default:
			break;
	}
	return *times;
}

/* The definitions that move the watermarks of the items of FROM. */
static List *
definitions_of_items(Level *level, Node *jtnode)
{
	List	   *definitions = NIL;
	ListCell   *lc;

	if (IsA(jtnode, RangeTblRef))
	{
		AwTimes    *times = times_of_item(level, ((RangeTblRef *) jtnode)->rtindex);

		for (int i = 0; times != NULL && i < times->n_columns; i++)
			definitions = list_concat_unique_ptr(definitions, times->columns[i].definitions);
	}
	else if (IsA(jtnode, JoinExpr))
		definitions = list_concat_unique_ptr(definitions_of_items(level, ((JoinExpr *) jtnode)->larg),
											 definitions_of_items(level, ((JoinExpr *) jtnode)->rarg));
	else
	{
		foreach(lc, ((FromExpr *) jtnode)->fromlist)
			definitions = list_concat_unique_ptr(definitions,
												 definitions_of_items(level, lfirst(lc)));
	}
	return definitions;
}

static AwTimes *
times_of_cte(Level *level, RangeTblEntry *rte)
{
	Level	   *home = level;
	ListCell   *lc;

	for (Index i = 0; i < rte->ctelevelsup && home != NULL; i++)
		home = home->parent;

	foreach(lc, home ? home->query->cteList : NIL)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, lc);
		AwTimes   **times = &home->ctes[foreach_current_index(lc)];

		if (strcmp(cte->ctename, rte->ctename) != 0 || cte->cterecursive ||
			!IsA(cte->ctequery, Query))
			continue;
		if (*times == NULL)
			*times = read_query((Query *) cte->ctequery, home->relid, home, home->known);
		return *times;
	}
	return NULL;
}

/* window_time is a rowtime if the window's time column is one. */
static AwTimeColumn
time_of_window(Level *level, RangeTblEntry *rte, AttrNumber attno)
{
	AwTimeColumn none = {AW_TIME_NONE, NIL};
	FuncExpr   *call;

	if (attno != 3 || list_length(rte->functions) != 1)
		return none;

	call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;
	if (!IsA(call, FuncExpr) || !aw_rangetable_is_table_function(call->funcid) ||
		aw_rangetable_is_apply_watermark(call))
		return none;
	return time_of_input(level, aw_rowtime_written(lsecond(aw_rangetable_call_args(call))));
}

/* Is it a window_time, and does the query group by that window's start and end? */
static bool
groups_by_window(Level *level, Var *window_time)
{
	Query	   *query = level->query;
	bool		has_start = false;
	bool		has_end = false;
	ListCell   *lc;

	if (!IsA(window_time, Var) ||
		rt_fetch(window_time->varno, query->rtable)->rtekind != RTE_FUNCTION)
		return false;

	foreach(lc, aw_compat_group_keys(query))
	{
		Var		   *key = lfirst(lc);

		if (!IsA(key, Var) || key->varno != window_time->varno)
			continue;
		has_start |= (key->varattno == 1);
		has_end |= (key->varattno == 2);
	}
	return has_start && has_end && query->groupingSets == NIL;
}

/* An output without references to grouping keys. */
static Node *
expression_of_output(Query *query, Node *expr)
{
	return aw_compat_group_key_of(query, expr);
}
