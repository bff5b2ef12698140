/*
 * querystream.c
 *
 * Makes statements over captured rows: a copy of a level of the query in which the
 * stream's table is a relation of the executor's environment.
 *
 * A copy of the table's entry stays in the range table, outside of the join tree, as
 * the rewriter does with OLD: so privileges are checked, locks taken and changes of
 * the table noticed as ever.  Row security stays with the new entry.
 *
 * The relation has one more column than the table, the ordinal of the row in its
 * batch.  It is handed up through the levels between, as is the row's time from the
 * level of the window.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "querycheck.h"
#include "querystream.h"
#include "querywindow.h"
#include "rangetable.h"

/* References to a table that becomes a relation with one more column. */
typedef struct TableReferences
{
	Index		rtindex;
	TupleDesc	columns;		/* the relation's, the ordinal last */
	Node	  **virtual_columns;	/* of the table: what is computed when it is read */
	Index		levelsup;
} TableReferences;

static Query *query_below(Query *query, const AwLevel *level);
static void replace_functions(const AwLevel *level, Query *query);
static void check_watermark_unread(Query *query, int rtindex);
static Query *constant_rows(List *columns);
static List *null_columns(const FuncExpr *call, int n_columns);
static List *window_columns(const FuncExpr *call);
static Node *hand_up(Query *query, const AwLevel *level, const AwLevel *home, Node *expr);
static Node *add_column(Query *query, Index rtindex, Node *expr);
static void exchange_table(Query *query, Index rtindex, TupleDesc batch);
static Node **virtual_columns(const RangeTblEntry *rte, Index rtindex);
static Node *column_mutator(Node *node, TableReferences *table);
static Node *column_value(const TableReferences *table, const Var *var);
static Node *row_value(const TableReferences *table, const Var *var);
static Query *rows_of_table(const AwLevel *table_level);
static void keep_input_only(const AwLevel *level, Query *rows);

/* The columns of captured rows: those of the table as it is now, and the ordinal. */
TupleDesc
aw_querystream_columns(const AwLevel *table_level)
{
	const RangeTblEntry *rte = rt_fetch(table_level->stream, table_level->query->rtable);
	Relation	rel = table_open(rte->relid, AccessShareLock);
	TupleDesc	table = RelationGetDescr(rel);
	TupleDesc	columns = CreateTemplateTupleDesc(table->natts + 1);

	for (int i = 1; i <= table->natts; i++)
		TupleDescCopyEntry(columns, i, table, i);
	TupleDescInitEntry(columns, table->natts + 1, "ordinal", INT8OID, -1, 0);
	table_close(rel, NoLock);
	return columns;
}

/* The range table entry of a relation of the executor's environment. */
RangeTblEntry *
aw_querystream_entry(const char *name, TupleDesc columns)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_NAMEDTUPLESTORE;
	rte->enrname = pstrdup(name);
	rte->enrtuples = -1;
	rte->eref = makeAlias(name, NIL);
	rte->inFromCl = true;
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);
		bool		is_dropped = column->attisdropped;

		rte->eref->colnames = lappend(rte->eref->colnames,
									  makeString(is_dropped ? pstrdup("") :
												 pstrdup(NameStr(column->attname))));
		rte->coltypes = lappend_oid(rte->coltypes, is_dropped ? InvalidOid : column->atttypid);
		rte->coltypmods = lappend_int(rte->coltypmods, is_dropped ? 0 : column->atttypmod);
		rte->colcollations = lappend_oid(rte->colcollations,
										 is_dropped ? InvalidOid : column->attcollation);
	}
	return rte;
}

/*
 * Ordinal, rowtime and strategy of the rows that the watermark definition sees: of a
 * table all, of a WHERE those that come through, of APPLY_WATERMARK its input.  Where
 * a row is joined with others, there may be several of one ordinal, in any order.
 */
Query *
aw_querystream_watermarks(const AwStreamClass *class, TupleDesc batch)
{
	const AwDefinition *definition = class->definition;
	AwLevel		table_level = *class->table_level;
	const AwLevel *level = class->definition_level;
	Node	   *rowtime = copyObject(definition->rowtime);
	Node	   *strategy = copyObject(definition->strategy);
	Query	   *rows;

	if (level == NULL)
	{
		level = &table_level;
		rows = rows_of_table(&table_level);
		table_level.query = rows;
		table_level.stream = 1;
		table_level.window = 0;
	}
	else
	{
		rows = aw_querystream_rows(class, level);
		if (aw_definition_applies_watermark(level->query))
			keep_input_only(level, rows);
	}
	aw_querystream_select(level, rows,
						  list_make3(aw_querystream_ordinal(class, level, rows, batch),
									 rowtime, strategy), batch);
	if (class->window.kind != AW_KIND_TUMBLE && class->definition_level != NULL)
		aw_querywindow_check_unread(level, rows);
	return rows;
}

/*
 * A copy of a level, and of those below it down to the table, whose calls of our
 * functions in FROM are written out.  aw_querystream_select() makes it a statement.
 */
Query *
aw_querystream_rows(const AwStreamClass *class, const AwLevel *level)
{
	Query	   *rows = copyObject(level->query);
	Query	   *query = rows;

	for (; level != NULL; level = level->below)
	{
		replace_functions(level, query);
		query->sortClause = NIL;
		if (level != class->table_level)
			query = query_below(query, level);
	}
	return rows;
}

/* The ordinal of the row, as a column at the level. */
Node *
aw_querystream_ordinal(const AwStreamClass *class, const AwLevel *level, Query *rows,
					   TupleDesc batch)
{
	const AwLevel *home = level->below == NULL ? level : class->table_level;

	return hand_up(rows, level, home,
				   (Node *) makeVar(home->stream, batch->natts, INT8OID, -1, InvalidOid, 0));
}

/* The time of the row, as a column at the level. */
Node *
aw_querystream_rowtime(const AwStreamClass *class, const AwLevel *level, Query *rows)
{
	return hand_up(rows, level, class->window_level, copyObject(class->rowtime));
}

/* Makes the copy of a level a statement that gives these columns of captured rows. */
void
aw_querystream_select(const AwLevel *level, Query *rows, List *columns, TupleDesc batch)
{
	Query	   *query = rows;
	ListCell   *lc;

	rows->targetList = NIL;
	foreach(lc, columns)
		rows->targetList = lappend(rows->targetList,
								   makeTargetEntry(lfirst(lc), foreach_current_index(lc) + 1,
												   psprintf("column%d", foreach_current_index(lc) + 1),
												   false));
	rows->groupClause = NIL;
	rows->groupingSets = NIL;
	rows->groupDistinct = false;
	rows->havingQual = NULL;
	rows->hasAggs = false;
	rows->distinctClause = NIL;
	rows->hasDistinctOn = false;
	rows->windowClause = NIL;
	rows->hasWindowFuncs = false;
	rows->hasTargetSRFs = false;

	for (; level->below != NULL; level = level->below)
		query = query_below(query, level);
	exchange_table(query, level->stream, batch);
	aw_definition_forget(rows);
}

static Query *
query_below(Query *query, const AwLevel *level)
{
	return rt_fetch(level->stream, query->rtable)->subquery;
}

/*
 * Writes out our functions in FROM: TUMBLE as expressions on the time, of which the
 * planner keeps those that are read, the others as nothing.
 */
static void
replace_functions(const AwLevel *level, Query *query)
{
	int			rtindex = 0;
	ListCell   *lc;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);
		FuncExpr   *call;

		rtindex++;
		if (rte->rtekind != RTE_FUNCTION)
			continue;
		call = (FuncExpr *) linitial_node(RangeTblFunction, rte->functions)->funcexpr;
		if (!IsA(call, FuncExpr) || !aw_rangetable_is_table_function(call->funcid))
			continue;

		if (rtindex == (int) level->window)
			rte->subquery = constant_rows(level->window_kind == AW_KIND_TUMBLE ?
										  window_columns(call) : null_columns(call, 3));
		else
		{
			check_watermark_unread(query, rtindex);
			rte->subquery = constant_rows(lappend(null_columns(call, 1),
												  makeNullConst(BOOLOID, -1, InvalidOid)));
		}
		IncrementVarSublevelsUp((Node *) rte->subquery, 1, 0);
		rte->rtekind = RTE_SUBQUERY;
		rte->functions = NIL;
		rte->lateral = true;
	}
}

/* The watermark before a row is known after the statement only. */
static void
check_watermark_unread(Query *query, int rtindex)
{
	if (!bms_is_empty(aw_rangetable_columns_read(query, rtindex)))
		aw_querycheck_refuse("a continuous query cannot read the columns of APPLY_WATERMARK",
							 "Late rows are told apart by the query itself: leave watermark and is_behind out.");
}

/* A query of one row, whose columns read the items beside it. */
static Query *
constant_rows(List *columns)
{
	Query	   *query = makeNode(Query);
	ListCell   *lc;

	query->commandType = CMD_SELECT;
	query->querySource = QSRC_ORIGINAL;
	query->canSetTag = true;
	query->jointree = makeFromExpr(NIL, NULL);
	foreach(lc, columns)
		query->targetList = lappend(query->targetList,
									makeTargetEntry(lfirst(lc), foreach_current_index(lc) + 1,
													psprintf("column%d", foreach_current_index(lc) + 1),
													false));
	return query;
}

/* What stands for columns that are not read, of the type of the time column. */
static List *
null_columns(const FuncExpr *call, int n_columns)
{
	Oid			type = exprType(lsecond(aw_rangetable_call_args(call)));
	List	   *columns = NIL;

	for (int i = 0; i < n_columns; i++)
		columns = lappend(columns, makeNullConst(type, -1, InvalidOid));
	return columns;
}

/* Start, end and time of the window of a row under TUMBLE. */
static List *
window_columns(const FuncExpr *call)
{
	List	   *args = list_copy_tail(aw_rangetable_call_args(call), 1);
	Expr	   *start = (Expr *) aw_rangetable_inner_call("tumble_start", copyObject(args));
	Expr	   *end = (Expr *) aw_rangetable_inner_call("tumble_end", args);
	Oid			type = exprType((Node *) end);
	Interval   *granule = palloc0(sizeof(Interval));
	Node	   *interval;

	granule->time = AW_WINDOW_MIN_US;
	interval = (Node *) makeConst(INTERVALOID, -1, InvalidOid, sizeof(Interval),
								  IntervalPGetDatum(granule), false, false);
	return list_make3(start, end,
					  makeFuncExpr(type == TIMESTAMPOID ? F_TIMESTAMP_MI_INTERVAL :
								   F_TIMESTAMPTZ_MI_INTERVAL, type,
								   list_make2(copyObject(end), interval),
								   InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

/* An expression of a level below as a column of the level: all between hand it on. */
static Node *
hand_up(Query *query, const AwLevel *level, const AwLevel *home, Node *expr)
{
	if (level == home)
		return expr;
	return add_column(query, level->stream,
					  hand_up(query_below(query, level), level->below, home, expr));
}

/* Adds a column to a subquery, before those that are there for sorting alone. */
static Node *
add_column(Query *query, Index rtindex, Node *expr)
{
	RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	int			n_columns = list_length(rte->eref->colnames);
	List	   *entries = NIL;
	ListCell   *lc;

	foreach(lc, rte->subquery->targetList)
	{
		if (!lfirst_node(TargetEntry, lc)->resjunk)
			entries = lappend(entries, lfirst(lc));
	}
	Assert(list_length(entries) == n_columns);
	rte->subquery->targetList = lappend(entries,
										makeTargetEntry((Expr *) expr, n_columns + 1,
														pstrdup("hidden"), false));
	rte->eref->colnames = lappend(rte->eref->colnames, makeString(pstrdup("hidden")));
	return (Node *) makeVar(rtindex, n_columns + 1, exprType(expr), exprTypmod(expr),
							exprCollation(expr), 0);
}

/* Makes the table's entry that of captured rows. */
static void
exchange_table(Query *query, Index rtindex, TupleDesc batch)
{
	RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	RangeTblEntry *table = copyObject(rte);
	RangeTblEntry *rows = aw_querystream_entry(AW_QUERYSTREAM_BATCH, batch);
	TableReferences references = {.rtindex = rtindex,.columns = batch};

	references.virtual_columns = virtual_columns(rte, rtindex);
	table->inFromCl = false;
	table->securityQuals = NIL;
	query->rtable = lappend(query->rtable, table);

	rows->alias = rte->alias;
	rows->lateral = rte->lateral;
	rows->securityQuals = rte->securityQuals;
	rows->eref->aliasname = rte->eref->aliasname;
	*rte = *rows;

	*query = *query_tree_mutator(query, column_mutator, &references, QTW_IGNORE_JOINALIASES);
}

/* By number less 1, NULL for columns that are stored. */
static Node **
virtual_columns(const RangeTblEntry *rte, Index rtindex)
{
	Relation	rel = table_open(rte->relid, AccessShareLock);
	int			natts = RelationGetNumberOfAttributes(rel);
	Node	  **columns = palloc0(sizeof(Node *) * Max(natts, 1));

	for (int i = 0; i < natts; i++)
	{
		columns[i] = aw_compat_virtual_column(rel, i + 1);
		if (columns[i] != NULL)
			ChangeVarNodes(columns[i], 1, rtindex, 0);
	}
	table_close(rel, NoLock);
	return columns;
}

/* Finds references to the table in a query, and in those in it. */
static Node *
column_mutator(Node *node, TableReferences *table)
{
	Var		   *var = (Var *) node;

	if (node == NULL)
		return NULL;
	if (IsA(node, Query))
	{
		Query	   *query;

		table->levelsup++;
		query = query_tree_mutator((Query *) node, column_mutator, table,
								   QTW_IGNORE_JOINALIASES);
		table->levelsup--;
		return (Node *) query;
	}
	if (!IsA(node, Var) || var->varno != (int) table->rtindex ||
		var->varlevelsup != table->levelsup)
		return expression_tree_mutator(node, column_mutator, table);
	return var->varattno == InvalidAttrNumber ? row_value(table, var) : column_value(table, var);
}

/* A column as it is stored, or computed if it is not. */
static Node *
column_value(const TableReferences *table, const Var *var)
{
	Node	   *value;

	if (var->varattno >= table->columns->natts || table->virtual_columns[var->varattno - 1] == NULL)
		return (Node *) copyObject(var);
	value = copyObject(table->virtual_columns[var->varattno - 1]);
	IncrementVarSublevelsUp(value, table->levelsup, 0);
	return value;
}

/* The whole row must not show the ordinal. */
static Node *
row_value(const TableReferences *table, const Var *var)
{
	RowExpr    *row = makeNode(RowExpr);

	row->row_typeid = var->vartype;
	row->row_format = COERCE_IMPLICIT_CAST;
	row->location = -1;
	for (int i = 0; i < table->columns->natts - 1; i++)
	{
		Form_pg_attribute column = TupleDescAttr(table->columns, i);
		Node	   *value = column->attisdropped ?
			(Node *) makeNullConst(INT4OID, -1, InvalidOid) :
			column_value(table, makeVar(table->rtindex, i + 1, column->atttypid, column->atttypmod,
										column->attcollation, table->levelsup));

		row->args = lappend(row->args, value);
		row->colnames = lappend(row->colnames, makeString(pstrdup(NameStr(column->attname))));
	}
	return (Node *) row;
}

/* A query over the stream's table alone, whose columns are not chosen yet. */
static Query *
rows_of_table(const AwLevel *table_level)
{
	Query	   *query = makeNode(Query);
	RangeTblEntry *rte = copyObject(rt_fetch(table_level->stream, table_level->query->rtable));
	RangeTblRef *ref = makeNode(RangeTblRef);

	aw_compat_move_permissions(table_level->query, query, rte);
	ChangeVarNodes((Node *) rte->securityQuals, table_level->stream, 1, 0);
	ref->rtindex = 1;
	query->commandType = CMD_SELECT;
	query->querySource = QSRC_ORIGINAL;
	query->canSetTag = true;
	query->rtable = list_make1(rte);
	query->jointree = makeFromExpr(list_make1(ref), NULL);
	query->hasRowSecurity = table_level->query->hasRowSecurity;
	query->hasSubLinks = checkExprHasSubLink((Node *) rte->securityQuals);
	return query;
}

/* The input of APPLY_WATERMARK as it is before WHERE and joins. */
static void
keep_input_only(const AwLevel *level, Query *rows)
{
	RangeTblRef *ref = makeNode(RangeTblRef);

	if (rt_fetch(level->stream, rows->rtable)->lateral)
		return;
	ref->rtindex = level->stream;
	rows->jointree = makeFromExpr(list_make1(ref), NULL);
}
