/*
 * querytree.c
 *
 * From a view to one query tree in a plain form: views expanded and row security
 * applied by the rewriter for the current user, each CTE written where it is read,
 * each column of a join as the column below it, grouping keys where they are used.
 * What is left are queries in FROM and in expressions.
 *
 * The tree is the caller's, in the current memory context; locks on all that it
 * reads are held to the end of the transaction.
 *
 * Here too is what no part of a continuous query may use: functions whose values
 * differ when rows are read again.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parser.h"
#include "rewrite/rewriteManip.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/rel.h"

#include "compat.h"
#include "groupwindow.h"
#include "querytree.h"
#include "rangetable.h"

/* A CTE that is being written out, seen from a query so many levels below its own. */
typedef struct CteCopy
{
	const CommonTableExpr *cte;
	int			levelsup;
} CteCopy;

static bool simplify_walker(Node *node, void *context);
static void write_ctes_out(Query *query);
static bool cte_walker(Node *node, CteCopy *copy);
static void flatten_joins(Query *query);
static void flatten_entry(Query *query, RangeTblEntry *rte);
static bool has_joins(const Query *query);
static bool unstable_walker(Node *node, void *context);
static bool check_function(Oid funcid, void *context);
static bool is_clock(Oid funcid);
static bool is_transaction(Oid funcid);
static pg_noreturn void refuse_clock(const char *name);

/* The statement that reads a view whole. */
char *
aw_querytree_text(Relation view)
{
	return psprintf("SELECT * FROM %s",
					quote_qualified_identifier(get_namespace_name(RelationGetNamespace(view)),
											   RelationGetRelationName(view)));
}

RawStmt *
aw_querytree_parse(const char *text)
{
	return linitial_node(RawStmt, raw_parser(text, RAW_PARSE_DEFAULT));
}

/* The statement's tree in its plain form. */
Query *
aw_querytree_analyse(RawStmt *statement, const char *text)
{
	List	   *queries = pg_analyze_and_rewrite_fixedparams(copyObject(statement), text, NULL, 0,
															 NULL);
	Query	   *query = linitial_node(Query, queries);

	simplify_walker((Node *) query, NULL);
	return query;
}

/* Brings a query, then those in it, into the plain form. */
static bool
simplify_walker(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Query	   *query = (Query *) node;

		check_stack_depth();
		write_ctes_out(query);
		aw_compat_flatten_group_keys(query);
		if (has_joins(query))
			flatten_joins(query);
		return query_tree_walker(query, simplify_walker, context, QTW_IGNORE_JOINALIASES);
	}
	return expression_tree_walker(node, simplify_walker, context);
}

/* A CTE may read those before it, so they are written out in order. */
static void
write_ctes_out(Query *query)
{
	ListCell   *lc;

	foreach(lc, query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, lc);
		CteCopy		copy = {.cte = cte,.levelsup = -1};

		if (cte->cterecursive)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("a continuous query cannot use WITH RECURSIVE"),
					 errhint("Keep what \"%s\" computes in a table, and read that.", cte->ctename)));
		cte_walker((Node *) query, &copy);
	}
	query->cteList = NIL;
	query->hasRecursive = false;
}

/* Puts the CTE's query into the entries that read it. */
static bool
cte_walker(Node *node, CteCopy *copy)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		copy->levelsup++;
		query_tree_walker((Query *) node, cte_walker, copy,
						  QTW_EXAMINE_RTES_AFTER | QTW_IGNORE_JOINALIASES);
		copy->levelsup--;
		return false;
	}
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind != RTE_CTE || rte->ctelevelsup != (Index) copy->levelsup ||
			strcmp(rte->ctename, copy->cte->ctename) != 0)
			return false;
		rte->rtekind = RTE_SUBQUERY;
		rte->subquery = copyObject((Query *) copy->cte->ctequery);
		IncrementVarSublevelsUp((Node *) rte->subquery, copy->levelsup, 1);
		rte->security_barrier = false;
		rte->ctename = NULL;
		rte->ctelevelsup = 0;
		rte->self_reference = false;
		rte->coltypes = NIL;
		rte->coltypmods = NIL;
		rte->colcollations = NIL;
		return false;
	}
	return expression_tree_walker(node, cte_walker, copy);
}

/* Are there columns that could be those of a join? */
static bool
has_joins(const Query *query)
{
	ListCell   *lc;

	foreach(lc, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, lc)->rtekind == RTE_JOIN)
			return true;
	}
	return false;
}

/* Writes columns of joins as columns of what is joined. */
static void
flatten_joins(Query *query)
{
	ListCell   *lc;

	query->targetList = (List *)
		flatten_join_alias_vars(NULL, query, (Node *) query->targetList);
	query->jointree = (FromExpr *)
		flatten_join_alias_vars(NULL, query, (Node *) query->jointree);
	query->havingQual = flatten_join_alias_vars(NULL, query, query->havingQual);
	foreach(lc, query->rtable)
		flatten_entry(query, lfirst_node(RangeTblEntry, lc));
}

/* What an entry may read of those beside it. */
static void
flatten_entry(Query *query, RangeTblEntry *rte)
{
	switch (rte->rtekind)
	{
		case RTE_SUBQUERY:
			if (rte->lateral)
				rte->subquery = (Query *)
					flatten_join_alias_vars(NULL, query, (Node *) rte->subquery);
			break;
		case RTE_FUNCTION:
			rte->functions = (List *)
				flatten_join_alias_vars(NULL, query, (Node *) rte->functions);
			break;
		case RTE_TABLEFUNC:
			rte->tablefunc = (TableFunc *)
				flatten_join_alias_vars(NULL, query, (Node *) rte->tablefunc);
			break;
		case RTE_VALUES:
			rte->values_lists = (List *)
				flatten_join_alias_vars(NULL, query, (Node *) rte->values_lists);
			break;
		default:
			break;
	}
}

/*
 * Raises an error for volatile functions and clocks, anywhere in a tree: after a
 * crash rows are read again, and must come to the same result.
 */
void
aw_querytree_check_stable(Node *node)
{
	unstable_walker(node, NULL);
}

/* Raises an error at the first function or clock. */
static bool
unstable_walker(Node *node, void *context)
{
	AwWindowKind kind;
	AwWindowPart part;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, unstable_walker, context,
								 QTW_IGNORE_JOINALIASES);
	if (IsA(node, SQLValueFunction))
	{
		SQLValueFunctionOp op = ((SQLValueFunction *) node)->op;

		if (op <= SVFOP_LOCALTIMESTAMP_N)
			refuse_clock(op == SVFOP_CURRENT_DATE ? "CURRENT_DATE" :
						 op <= SVFOP_CURRENT_TIME_N ? "CURRENT_TIME" :
						 op <= SVFOP_CURRENT_TIMESTAMP_N ? "CURRENT_TIMESTAMP" :
						 op <= SVFOP_LOCALTIME_N ? "LOCALTIME" : "LOCALTIMESTAMP");
	}
	if (IsA(node, Aggref) && aw_groupwindow_is_part((Aggref *) node, &kind, &part) &&
		part == AW_PART_PROCTIME)
		refuse_clock(psprintf("%s()", get_func_name(((Aggref *) node)->aggfnoid)));
	check_functions_in_node(node, check_function, NULL);
	return expression_tree_walker(node, unstable_walker, context);
}

/* Raises the error of a function whose value differs from call to call. */
static bool
check_function(Oid funcid, void *context)
{
	(void) context;
	if (is_clock(funcid))
		refuse_clock(psprintf("%s()", get_func_name(funcid)));
	if ((func_volatile(funcid) == PROVOLATILE_VOLATILE || is_transaction(funcid)) &&
		!aw_rangetable_is_table_function(funcid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 is_transaction(funcid) ?
				 errmsg("a continuous query cannot use %s", format_procedure(funcid)) :
				 errmsg("a continuous query cannot use the volatile function %s",
						format_procedure(funcid)),
				 errdetail("Its value would differ when rows are read again after a restart."),
				 errhint("Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.")));
	return false;
}

/* Does a function that is not volatile give the time of day? */
static bool
is_clock(Oid funcid)
{
	return funcid == F_NOW || funcid == F_TRANSACTION_TIMESTAMP ||
		funcid == F_STATEMENT_TIMESTAMP || funcid == F_CLOCK_TIMESTAMP ||
		funcid == F_AGE_TIMESTAMP || funcid == F_AGE_TIMESTAMPTZ ||
		aw_rangetable_has_symbol(funcid, "aw_sql_proctime");
}

/* Does a function that is not volatile tell of the transaction at work? */
static bool
is_transaction(Oid funcid)
{
	return funcid == F_PG_CURRENT_XACT_ID || funcid == F_PG_CURRENT_XACT_ID_IF_ASSIGNED ||
		funcid == F_TXID_CURRENT || funcid == F_TXID_CURRENT_IF_ASSIGNED ||
		funcid == F_PG_CURRENT_SNAPSHOT || funcid == F_TXID_CURRENT_SNAPSHOT;
}

/* The error of functions and keywords that give the time of day. */
static void
refuse_clock(const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("a continuous query cannot use %s", name),
			 errdetail("Its value would differ when rows are read again after a restart."),
			 errhint("Compare with the rowtime or with window_end, or keep the time of insertion in a column.")));
}
