/*
 * querycheck.c
 *
 * Refuses in a continuous query what its levels, tables, keys and aggregates may not
 * be.  A message names the construct, its hint what to write instead.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "groupterm.h"
#include "groupwindow.h"
#include "querycheck.h"
#include "rangetable.h"

/* Looks for columns of an entry that cannot be had from captured rows. */
typedef struct ColumnSearch
{
	int			rtindex;
	int			levelsup;
} ColumnSearch;

static void check_partition(Oid partition, const char *stream);
static bool window_walker(Node *node, void *context);
static bool is_preserved(Node *jtnode, Index rtindex);
static bool contains_item(Node *jtnode, Index rtindex);
static bool system_column_walker(Node *node, ColumnSearch *search);

/* The message says what cannot be, the hint what to write instead. */
void
aw_querycheck_refuse(const char *message, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg_internal("%s", message),
			 errhint("%s", hint)));
}

/* A window other than TUMBLE. */
void
aw_querycheck_refuse_window(const char *function)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("a continuous query cannot use %s", str_toupper(function, strlen(function), C_COLLATION_OID)),
			 errhint("Publish windows of TUMBLE to a sink, and combine them in a query over it.")));
}

void
aw_querycheck_refuse_limit(void)
{
	aw_querycheck_refuse("a continuous query cannot use LIMIT or OFFSET",
						 "Number the rows by row_number() OVER (PARTITION BY window_end ORDER BY …), and filter by it in a query around.");
}

void
aw_querycheck_refuse_group(void)
{
	aw_querycheck_refuse("GROUP BY over a stream needs a window",
						 "Add TUMBLE(…) to FROM, and group by window_start and window_end.");
}

void
aw_querycheck_refuse_watermark(void)
{
	aw_querycheck_refuse("a continuous query cannot give the result of a window a watermark",
						 "Publish the window to a sink, give that a watermark definition, and write a second continuous query over it.");
}

/* Refuses windows in a query that reads no stream: they wait for a watermark. */
void
aw_querycheck_windows_of_table(Query *query)
{
	window_walker((Node *) query, NULL);
}

/* Raises the error at the first call of our functions, other than markers. */
static bool
window_walker(Node *node, void *context)
{
	AwWindowKind kind;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, window_walker, context, QTW_IGNORE_JOINALIASES);
	if (IsA(node, FuncExpr) && (aw_groupwindow_is_window(node, &kind) ||
								aw_rangetable_is_table_function(((FuncExpr *) node)->funcid)))
		aw_querycheck_refuse("the input of the window has no watermark definition",
							 "Give its table one with set_watermark(), or add APPLY_WATERMARK to FROM.");
	return expression_tree_walker(node, window_walker, context);
}

/* The watermark definition of a table, NULL if it has none or is none. */
AwDefinition *
aw_querycheck_table_definition(const RangeTblEntry *rte)
{
	Relation	rel;
	AwTimes    *times;

	if (rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_PARTITIONED_TABLE &&
		rte->relkind != RELKIND_FOREIGN_TABLE)
		return NULL;
	rel = table_open(rte->relid, AccessShareLock);
	times = aw_definition_of_relation(rel);
	aw_definition_check(times, rel);
	table_close(rel, NoLock);
	return times->own;
}

/* Refuses a table whose rows do not come with the WAL, or not one by one. */
void
aw_querycheck_table(Query *query, Index rtindex)
{
	const RangeTblEntry *rte = rt_fetch(rtindex, query->rtable);
	const char *name = get_rel_name(rte->relid);
	ColumnSearch search = {.rtindex = rtindex};
	ListCell   *lc;

	if (rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the stream of a continuous query must be a table, and \"%s\" is none", name),
				 errhint("Insert its rows into a table, and read that.")));
	if (get_rel_persistence(rte->relid) != RELPERSISTENCE_PERMANENT)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the stream \"%s\" of a continuous query is temporary or unlogged", name),
				 errdetail("Its rows are not in the write-ahead log."),
				 errhint("Use ALTER TABLE … SET LOGGED, or an ordinary table.")));
	if (rte->relkind == RELKIND_RELATION && rte->inh && has_subclass(rte->relid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the stream \"%s\" of a continuous query has child tables", name),
				 errhint("Use FROM ONLY, or partitions instead of inheritance.")));
	if (rte->relkind == RELKIND_PARTITIONED_TABLE && !rte->inh)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("ONLY of the partitioned table \"%s\" has no rows", name),
				 errhint("Leave out ONLY.")));
	if (get_rel_relispartition(rte->relid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the stream \"%s\" of a continuous query is a partition", name),
				 errdetail("Its rows arrive as rows of the partitioned table."),
				 errhint("Read table \"%s\", with a condition on its key.",
						 get_rel_name(get_partition_parent(rte->relid, true)))));
	foreach(lc, aw_querycheck_partitions(rte->relid))
		check_partition(lfirst_oid(lc), name);
	if (rte->tablesample != NULL)
		aw_querycheck_refuse("a continuous query cannot use TABLESAMPLE of its stream",
							 "Filter by a hash of a key, as in WHERE hashint8(id) % 100 = 0.");
	query_tree_walker(query, system_column_walker, &search, QTW_IGNORE_JOINALIASES);
}

/* The partitions below a table, of all levels, as they are now; none is locked. */
List *
aw_querycheck_partitions(Oid table)
{
	if (get_rel_relkind(table) != RELKIND_PARTITIONED_TABLE)
		return NIL;
	return list_delete_first(find_all_inheritors(table, NoLock, NULL));
}

/* Refuses a partition whose rows do not come with the WAL; one that is gone is none. */
static void
check_partition(Oid partition, const char *stream)
{
	const char *name = get_rel_name(partition);

	if (name == NULL)
		return;
	if (get_rel_relkind(partition) == RELKIND_FOREIGN_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the partition \"%s\" of the stream \"%s\" of a continuous query is a foreign table",
						name, stream),
				 errdetail("Its rows are not in the write-ahead log."),
				 errhint("Use ALTER TABLE … DETACH PARTITION.")));
	if (get_rel_persistence(partition) != RELPERSISTENCE_PERMANENT)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the partition \"%s\" of the stream \"%s\" of a continuous query is unlogged",
						name, stream),
				 errdetail("Its rows are not in the write-ahead log."),
				 errhint("Use ALTER TABLE … SET LOGGED, or DETACH PARTITION.")));
}

/* Looks for references to the entry from the query and from those in it. */
static bool
system_column_walker(Node *node, ColumnSearch *search)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
	{
		const Var  *var = (const Var *) node;

		if (var->varno == search->rtindex && var->varlevelsup == (Index) search->levelsup &&
			var->varattno < 0)
			aw_querycheck_refuse("a continuous query cannot read a system column of its stream",
								 "Keep what it tells in a column of the table.");
		return false;
	}
	if (IsA(node, Query))
	{
		search->levelsup++;
		query_tree_walker((Query *) node, system_column_walker, search, QTW_IGNORE_JOINALIASES);
		search->levelsup--;
		return false;
	}
	return expression_tree_walker(node, system_column_walker, search);
}

/* Does a query make groups of its rows? */
bool
aw_querycheck_is_grouped(const Query *query)
{
	return query->groupClause != NIL || query->groupingSets != NIL || query->hasAggs ||
		query->havingQual != NULL;
}

/* The conditions that must all hold, however they are put into parentheses. */
List *
aw_querycheck_conditions(Node *quals)
{
	List	   *conditions = NIL;
	ListCell   *lc;

	if (quals != NULL && IsA(quals, List))
	{
		foreach(lc, (List *) quals)
			conditions = list_concat(conditions, aw_querycheck_conditions(lfirst(lc)));
		return conditions;
	}
	if (is_andclause(quals))
		return aw_querycheck_conditions((Node *) ((BoolExpr *) quals)->args);
	return quals != NULL ? list_make1(quals) : NIL;
}

/* Refuses what no level may have, over a stream or not. */
void
aw_querycheck_level(const Query *query)
{
	if (query->rowMarks != NIL)
		aw_querycheck_refuse("a continuous query cannot use FOR UPDATE or FOR SHARE",
							 "Leave the clause out: no rows are changed.");
}

/* Refuses outer joins that would give rows without one of the stream. */
void
aw_querycheck_preserved(const Query *query, Index rtindex)
{
	if (!is_preserved((Node *) query->jointree, rtindex))
		aw_querycheck_refuse("an outer join in a continuous query must preserve the stream",
							 "Write the stream on the left side of LEFT JOIN.");
}

/* Refuses an outer join with windows that have gaps: rows in a gap would be in no window. */
void
aw_querycheck_no_gaps(const Query *query, Index rtindex)
{
	if (!is_preserved((Node *) query->jointree, rtindex))
		aw_querycheck_refuse("a continuous query cannot keep rows that are in no window",
							 "Write HOP(…) after a comma in FROM, without LEFT JOIN.");
}

/* Is the item there in all rows of a join that it is in? */
static bool
is_preserved(Node *jtnode, Index rtindex)
{
	const JoinExpr *join = (const JoinExpr *) jtnode;
	bool		nulls_left;
	bool		nulls_right;
	ListCell   *lc;

	if (IsA(jtnode, FromExpr))
	{
		foreach(lc, ((FromExpr *) jtnode)->fromlist)
		{
			if (!is_preserved(lfirst(lc), rtindex))
				return false;
		}
		return true;
	}
	if (!IsA(jtnode, JoinExpr))
		return true;
	nulls_left = join->jointype == JOIN_RIGHT || join->jointype == JOIN_FULL;
	nulls_right = join->jointype == JOIN_LEFT || join->jointype == JOIN_FULL;
	if ((nulls_left && contains_item(join->larg, rtindex)) ||
		(nulls_right && contains_item(join->rarg, rtindex)))
		return false;
	return is_preserved(join->larg, rtindex) && is_preserved(join->rarg, rtindex);
}

/* Is the item on a side of a join? */
static bool
contains_item(Node *jtnode, Index rtindex)
{
	if (IsA(jtnode, RangeTblRef))
		return ((RangeTblRef *) jtnode)->rtindex == (int) rtindex;
	if (IsA(jtnode, JoinExpr))
		return contains_item(((JoinExpr *) jtnode)->larg, rtindex) ||
			contains_item(((JoinExpr *) jtnode)->rarg, rtindex);
	elog(ERROR, "unexpected node type: %d", (int) nodeTag(jtnode));
}

/* Refuses what needs more than a row of the stream at a time. */
void
aw_querycheck_row_by_row(const Query *query)
{
	if (query->limitCount != NULL || query->limitOffset != NULL)
		aw_querycheck_refuse_limit();
	if (query->distinctClause != NIL)
		aw_querycheck_refuse("SELECT DISTINCT over a stream needs a window",
							 "Add TUMBLE(…) to FROM, and window_start and window_end to the select list.");
	if (query->hasWindowFuncs)
		aw_querycheck_refuse("window functions over a stream need a window",
							 "Add TUMBLE(…) to FROM, and window_end to PARTITION BY.");
	if (query->hasTargetSRFs)
		aw_querycheck_refuse("a continuous query cannot use functions that return sets in the select list over a stream",
							 "Write the function in FROM, with LATERAL.");
}
