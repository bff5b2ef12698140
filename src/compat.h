/*
 * compat.h
 *
 * The only file that looks at the server's version.  Wrappers take the newest
 * signature, so that a caller reads as if there were one version.
 *
 *	 16   permissions of a range table entry moved to a list of their own;
 *	      a Var tells which outer joins may null it; input functions may say
 *	      that they fail; slots say why they are invalid
 *	 17   intervals may be infinite; the lexer of JSON may live on the stack; run
 *	      conditions moved to the window functions; slots may fail over; decoded
 *	      tuples have no buffer around them
 *	 18   grouping keys moved to a range table entry of their own; who acquires a
 *	      slot says whether an invalid one is an error
 */
#ifndef AW_COMPAT_H
#define AW_COMPAT_H

#include "access/relation.h"
#include "access/stratnum.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "common/jsonapi.h"
#include "executor/executor.h"
#include "mb/pg_wchar.h"
#include "nodes/makefuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_relation.h"
#include "parser/parse_type.h"
#include "replication/message.h"
#include "replication/reorderbuffer.h"
#include "replication/slot.h"
#include "rewrite/rewriteHandler.h"
#include "rewrite/rewriteManip.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#if PG_VERSION_NUM < 150000
#error "apply_watermark needs PostgreSQL 15 or newer"
#endif

#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#else
#include "commands/explain.h"
#endif

#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#endif

#if PG_VERSION_NUM < 160000
#define flatten_join_alias_vars(root, query, node) \
	((void) (root), flatten_join_alias_vars(query, node))
#endif

/* The type that a text names; an error if there is none. */
static inline Oid
aw_compat_parse_type(const char *text)
{
	Oid			type;
	int32		typmod;

#if PG_VERSION_NUM >= 160000
	parseTypeString(text, &type, &typmod, NULL);
#else
	parseTypeString(text, &type, &typmod, false);
#endif
	return type;
}

/* Does an operator sort in descending order? */
static inline bool
aw_compat_is_descending(Oid sortop)
{
	Oid			family;
	Oid			type;
#if PG_VERSION_NUM >= 180000
	CompareType order;

	return get_ordering_op_properties(sortop, &family, &type, &order) && order == COMPARE_GT;
#else
	int16		order;

	return get_ordering_op_properties(sortop, &family, &type, &order) &&
		order == BTGreaterStrategyNumber;
#endif
}

/* Makes a column of a descriptor, which nobody else uses, one that was dropped. */
static inline void
aw_compat_hide_column(TupleDesc columns, AttrNumber attno)
{
	TupleDescAttr(columns, attno - 1)->attisdropped = true;
#if PG_VERSION_NUM >= 180000
	populate_compact_attribute(columns, attno - 1);
#endif
}

/* A function that does not return is said so before its type. */
#if PG_VERSION_NUM < 180000
#define pg_noreturn pg_attribute_noreturn()
#endif

/* Before 17 there are no infinite intervals. */
#ifndef INTERVAL_NOT_FINITE
#define INTERVAL_NOT_FINITE(interval) ((void) (interval), false)
#endif

#if PG_VERSION_NUM < 180000
#define VAR_RETURNING_DEFAULT 0
#define expandRTE(rte, rtindex, sublevels_up, returning_type, location, dropped, names, vars) \
	expandRTE(rte, rtindex, sublevels_up, location, dropped, names, vars)
#endif

/* Runs a plan to its end. */
static inline void
aw_compat_run(QueryDesc *query)
{
#if PG_VERSION_NUM >= 180000
	ExecutorRun(query, ForwardScanDirection, 0);
#else
	ExecutorRun(query, ForwardScanDirection, 0, true);
#endif
}

/* Does a role own a relation? */
static inline bool
aw_compat_owns_relation(Oid relid, Oid roleid)
{
#if PG_VERSION_NUM >= 160000
	return object_ownercheck(RelationRelationId, relid, roleid);
#else
	return pg_class_ownercheck(relid, roleid);
#endif
}

/* May a role call a function? */
static inline AclResult
aw_compat_check_execute(Oid function, Oid role)
{
#if PG_VERSION_NUM >= 160000
	return object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE);
#else
	return pg_proc_aclcheck(function, role, ACL_EXECUTE);
#endif
}

/* Does a role own a database? */
static inline bool
aw_compat_owns_database(Oid database, Oid roleid)
{
#if PG_VERSION_NUM >= 160000
	return object_ownercheck(DatabaseRelationId, database, roleid);
#else
	return pg_database_ownercheck(database, roleid);
#endif
}

/* Is a column declared NOT NULL, and known to hold no NULL? */
static inline bool
aw_compat_is_not_null(Oid relid, AttrNumber attno)
{
	Relation	rel = relation_open(relid, AccessShareLock);
	bool		is_not_null;

#if PG_VERSION_NUM >= 180000
	is_not_null = TupleDescCompactAttr(RelationGetDescr(rel), attno - 1)->attnullability ==
		ATTNULLABLE_VALID;
#else
	is_not_null = TupleDescAttr(RelationGetDescr(rel), attno - 1)->attnotnull;
#endif
	relation_close(rel, AccessShareLock);
	return is_not_null;
}

/* The expression of a column that is computed when it is read, over varno 1; else NULL. */
static inline Node *
aw_compat_virtual_column(Relation rel, AttrNumber attno)
{
#if PG_VERSION_NUM >= 180000
	if (TupleDescAttr(RelationGetDescr(rel), attno - 1)->attgenerated ==
		ATTRIBUTE_GENERATED_VIRTUAL)
		return build_generation_expression(rel, attno);
#else
	(void) rel;
	(void) attno;
#endif
	return NULL;
}

/* Moves the permissions that go with an entry to the query it has moved to. */
static inline void
aw_compat_move_permissions(Query *from, Query *to, RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 160000
	if (rte->perminfoindex == 0)
		return;
	to->rteperminfos = lappend(to->rteperminfos,
							   copyObject(getRTEPermissionInfo(from->rteperminfos, rte)));
	rte->perminfoindex = list_length(to->rteperminfos);
#else
	(void) from;
	(void) to;
	(void) rte;
#endif
}

/* Moves all permissions of a query with its range table. */
static inline void
aw_compat_move_all_permissions(Query *from, Query *to)
{
#if PG_VERSION_NUM >= 160000
	to->rteperminfos = from->rteperminfos;
	from->rteperminfos = NIL;
#else
	(void) from;
	(void) to;
#endif
}

/* An entry asks for no permissions. */
static inline void
aw_compat_drop_permissions(RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 160000
	rte->perminfoindex = 0;
#else
	rte->requiredPerms = 0;
	rte->checkAsUser = InvalidOid;
	rte->selectedCols = NULL;
#endif
}

/* A query has no entry left that asks for permissions. */
static inline void
aw_compat_drop_all_permissions(Query *query)
{
#if PG_VERSION_NUM >= 160000
	query->rteperminfos = NIL;
#else
	(void) query;
#endif
}

/* Makes a Var nullable by the outer joins that may null another. */
static inline void
aw_compat_copy_nulling(Var *to, const Var *from)
{
#if PG_VERSION_NUM >= 160000
	to->varnullingrels = bms_copy(from->varnullingrels);
#else
	(void) to;
	(void) from;
#endif
}

/* The expression below the outer joins that may null a Var. */
static inline Node *
aw_compat_strip_nulling(Node *expr, const Var *var)
{
#if PG_VERSION_NUM >= 160000
	return remove_nulling_relids(expr, var->varnullingrels, NULL);
#else
	(void) var;
	return expr;
#endif
}

/* An expression without which of a query's outer joins may null it. */
static inline Node *
aw_compat_strip_all_nulling(Node *expr, const Query *query)
{
#if PG_VERSION_NUM >= 160000
	return remove_nulling_relids(expr, bms_add_range(NULL, 1, list_length(query->rtable)), NULL);
#else
	(void) query;
	return expr;
#endif
}

/* A path is as disabled as the one below it. */
static inline void
aw_compat_copy_disabled(Path *to, const Path *from)
{
#if PG_VERSION_NUM >= 180000
	to->disabled_nodes = from->disabled_nodes;
#else
	(void) to;
	(void) from;
#endif
}

/* Is it the order of "less than"? */
static inline bool
aw_compat_is_ascending(const PathKey *pathkey)
{
#if PG_VERSION_NUM >= 180000
	return pathkey->pk_cmptype == COMPARE_LT;
#else
	return pathkey->pk_strategy == BTLessStrategyNumber;
#endif
}

/* The grouping keys of a query, as they were written. */
static inline List *
aw_compat_group_keys(const Query *query)
{
#if PG_VERSION_NUM >= 180000
	ListCell   *lc;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		if (rte->rtekind == RTE_GROUP)
			return rte->groupexprs;
	}
#endif
	return get_sortgrouplist_exprs(query->groupClause, query->targetList);
}

/* An expression of the target list, or the grouping key that it refers to. */
static inline Node *
aw_compat_group_key_of(Query *query, Node *expr)
{
#if PG_VERSION_NUM >= 180000
	if (query->hasGroupRTE)
		return flatten_group_exprs(NULL, query, copyObject(expr));
#else
	(void) query;
#endif
	return expr;
}

/* The conditions "function <= ..." that let window functions of a query end early. */
static inline List *
aw_compat_run_conditions(const Query *query, const List *functions)
{
	List	   *conditions = NIL;
	ListCell   *lc;

#if PG_VERSION_NUM >= 170000
	(void) query;
	foreach(lc, functions)
	{
		WindowFunc *function = lfirst_node(WindowFunc, lc);
		ListCell   *lc2;

		foreach(lc2, function->runCondition)
		{
			WindowFuncRunCondition *run = lfirst_node(WindowFuncRunCondition, lc2);
			Expr	   *left = run->wfunc_left ? (Expr *) function : run->arg;
			Expr	   *right = run->wfunc_left ? run->arg : (Expr *) function;

			conditions = lappend(conditions,
								 make_opclause(run->opno, BOOLOID, false, left, right,
											   InvalidOid, run->inputcollid));
		}
	}
#else
	(void) functions;
	foreach(lc, query->windowClause)
		conditions = list_concat(conditions, lfirst_node(WindowClause, lc)->runCondition);
#endif
	return conditions;
}

/* Writes grouping keys where they are used, as before 18. */
static inline void
aw_compat_flatten_group_keys(Query *query)
{
#if PG_VERSION_NUM >= 180000
	if (!query->hasGroupRTE)
		return;
	query->targetList = (List *) flatten_group_exprs(NULL, query, (Node *) query->targetList);
	query->havingQual = flatten_group_exprs(NULL, query, query->havingQual);

	/* The parser adds the entry of the keys last. */
	Assert(llast_node(RangeTblEntry, query->rtable)->rtekind == RTE_GROUP);
	query->rtable = list_delete_last(query->rtable);
	query->hasGroupRTE = false;
#else
	(void) query;
#endif
}

/* Is a text well-formed JSON? */
static inline bool
aw_compat_is_json(const char *json, int length)
{
	JsonLexContext *lex;

#if PG_VERSION_NUM >= 170000
	lex = makeJsonLexContextCstringLen(NULL, json, length, GetDatabaseEncoding(), false);
#else
	lex = makeJsonLexContextCstringLen((char *) json, length, GetDatabaseEncoding(), false);
#endif
	return pg_parse_json(lex, &nullSemAction) == JSON_SUCCESS;
}

/*
 * Calls the input function of a type; false if the text is no such value.  Before 16
 * that takes a subtransaction, so not in parallel plans.
 */
static inline bool
aw_compat_input_safe(Oid type, char *text, int32 typmod, Datum *result)
{
	Oid			function;
	Oid			param;

	getTypeInputInfo(type, &function, &param);
#if PG_VERSION_NUM >= 160000
	{
		ErrorSaveContext errors = {.type = T_ErrorSaveContext};
		FmgrInfo	input;

		fmgr_info(function, &input);
		return InputFunctionCallSafe(&input, text, param, typmod, (Node *) &errors, result);
	}
#else
	{
		MemoryContext cxt = CurrentMemoryContext;
		ResourceOwner owner = CurrentResourceOwner;
		volatile bool is_fine = true;

		BeginInternalSubTransaction(NULL);
		MemoryContextSwitchTo(cxt);
		PG_TRY();
		{
			*result = OidInputFunctionCall(function, text, param, typmod);
			ReleaseCurrentSubTransaction();
		}
		PG_CATCH();
		{
			int			code = geterrcode();

			/* What is not about the value goes on. */
			if (ERRCODE_TO_CATEGORY(code) != ERRCODE_DATA_EXCEPTION)
				PG_RE_THROW();
			MemoryContextSwitchTo(cxt);
			FlushErrorState();
			RollbackAndReleaseCurrentSubTransaction();
			is_fine = false;
		}
		PG_END_TRY();
		MemoryContextSwitchTo(cxt);
		CurrentResourceOwner = owner;
		return is_fine;
	}
#endif
}

/* The new row of a decoded INSERT or UPDATE. */
static inline HeapTuple
aw_compat_new_tuple(const ReorderBufferChange *change)
{
#if PG_VERSION_NUM >= 170000
	return change->data.tp.newtuple;
#else
	return &change->data.tp.newtuple->tuple;
#endif
}

#if PG_VERSION_NUM < 170000
#define ReplicationSlotCreate(name, db_specific, persistency, two_phase, failover, synced) \
	ReplicationSlotCreate(name, db_specific, persistency, two_phase)
#define LogLogicalMessage(prefix, message, size, transactional, flush) \
	LogLogicalMessage(prefix, message, size, transactional)
#endif

#if PG_VERSION_NUM < 180000
#define ReplicationSlotAcquire(name, nowait, error_if_invalid) \
	ReplicationSlotAcquire(name, nowait)
#endif

/* Has a slot lost its WAL? */
static inline bool
aw_compat_is_slot_invalid(const ReplicationSlotPersistentData *data)
{
#if PG_VERSION_NUM >= 160000
	if (data->invalidated != RS_INVAL_NONE)
		return true;
#endif
	return XLogRecPtrIsInvalid(data->restart_lsn);
}

#endif							/* AW_COMPAT_H */
