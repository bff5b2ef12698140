/*
 * queryplan.c
 *
 * Keeps plans of query trees that no text stands for, in PostgreSQL's plan cache.
 *
 * The cache would analyse the text again when something that the plan depends on
 * changes, and so lose the tree.  So the text is that of the whole query, and a
 * callback of its analysis tells that the tree is lost: the plan is stale then, is not
 * run, and the caller makes another.  A plan that was never kept goes with the memory
 * context that it was made in.
 *
 * A plan reads relations, given by name and columns, whose rows come with each run.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "tcop/cmdtag.h"
#include "utils/plancache.h"
#include "utils/queryenvironment.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "queryplan.h"

/* Plans are made for so many rows, and this from how many they are used. */
static const struct
{
	double		n_planned;
	int64		n_least;
}			sizes[] = {
	{100, 0},
	{100000, 5000}
};

struct AwQueryPlan
{
	CachedPlanSource *cached[lengthof(sizes)];
	AwQueryRelation *relations;
	int			n_relations;
	Bitmapset  *columns_read;	/* of the first one: their numbers; 0 stands for all */
	bool		is_stale;
};

/* Finds the columns of the relation that a tree reads. */
typedef struct ColumnFinder
{
	const char *relation;
	List	   *queries;		/* the one that is looked at first, then those around it */
	Bitmapset  *columns;
} ColumnFinder;

/* Hands rows to a function. */
typedef struct CallbackReceiver
{
	DestReceiver receiver;
	AwRowCallback callback;
	void	   *context;
} CallbackReceiver;

static void watch(CachedPlanSource *cached, const List *relids);
static bool set_size_walker(Node *node, double *n_rows);
static bool find_columns_walker(Node *node, ColumnFinder *finder);
static void find_column(const Var *var, ColumnFinder *finder);
static void note_analysis(struct ParseState *pstate, void *plan);
static int64 register_rows(const AwQueryPlan *plan, Tuplestorestate *const *rows,
						   QueryEnvironment *environment);
static void execute(const CachedPlan *plan, const char *text, QueryEnvironment *environment,
					DestReceiver *receiver);
static bool receive_row(TupleTableSlot *slot, DestReceiver *self);
static void start_rows(DestReceiver *self, int operation, TupleDesc columns);
static void end_rows(DestReceiver *self);

/*
 * A plan for the tree, which is copied, in the current memory context: one for few
 * rows, which looks up what it joins, and one for many.
 */
AwQueryPlan *
aw_queryplan_create(const AwQueryPlanSource *source)
{
	AwQueryPlan *plan = palloc0(sizeof(AwQueryPlan));
	ColumnFinder finder = {.relation = source->relations[0].name};

	(void) find_columns_walker((Node *) source->tree, &finder);
	plan->columns_read = finder.columns;
	plan->n_relations = source->n_relations;
	plan->relations = palloc(sizeof(AwQueryRelation) * source->n_relations);
	for (int i = 0; i < source->n_relations; i++)
	{
		plan->relations[i].name = pstrdup(source->relations[i].name);
		plan->relations[i].columns = CreateTupleDescCopy(source->relations[i].columns);
	}
	for (size_t i = 0; i < lengthof(sizes); i++)
	{
		double		n_rows = sizes[i].n_planned;

		set_size_walker((Node *) source->tree, &n_rows);
		plan->cached[i] = CreateCachedPlan(source->statement, source->text, CMDTAG_SELECT);
		CompleteCachedPlan(plan->cached[i], list_make1(source->tree), NULL, NULL, 0, note_analysis,
						   plan, 0, false);
		watch(plan->cached[i], source->others);
	}
	return plan;
}

/* Changes of these relations are noticed, too. */
static void
watch(CachedPlanSource *cached, const List *relids)
{
	MemoryContext caller = MemoryContextSwitchTo(cached->query_context);

	cached->relationOids = list_concat_copy(cached->relationOids, relids);
	MemoryContextSwitchTo(caller);
}

/* Says how many rows the relations have. */
static bool
set_size_walker(Node *node, double *n_rows)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		if (((RangeTblEntry *) node)->rtekind == RTE_NAMEDTUPLESTORE)
			((RangeTblEntry *) node)->enrtuples = *n_rows;
		return false;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, set_size_walker, n_rows,
								 QTW_EXAMINE_RTES_BEFORE | QTW_IGNORE_JOINALIASES);
	return expression_tree_walker(node, set_size_walker, n_rows);
}

static bool
find_columns_walker(Node *node, ColumnFinder *finder)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		finder->queries = lcons(node, finder->queries);
		(void) query_tree_walker((Query *) node, find_columns_walker, finder,
								 QTW_IGNORE_JOINALIASES);
		finder->queries = list_delete_first(finder->queries);
		return false;
	}
	if (IsA(node, Var))
	{
		find_column((Var *) node, finder);
		return false;
	}
	return expression_tree_walker(node, find_columns_walker, finder);
}

/* A column of a join is one of what is joined. */
static void
find_column(const Var *var, ColumnFinder *finder)
{
	ColumnFinder outside = *finder;
	const RangeTblEntry *rte;

	outside.queries = list_copy_tail(finder->queries, var->varlevelsup);
	rte = rt_fetch(var->varno, linitial_node(Query, outside.queries)->rtable);
	if (rte->rtekind == RTE_JOIN && var->varattno > 0)
		(void) find_columns_walker(list_nth(rte->joinaliasvars, var->varattno - 1), &outside);
	else if (rte->rtekind == RTE_JOIN)
		(void) find_columns_walker((Node *) rte->joinaliasvars, &outside);
	else if (rte->rtekind == RTE_NAMEDTUPLESTORE && strcmp(rte->enrname, finder->relation) == 0)
		outside.columns = bms_add_member(outside.columns, Max(var->varattno, 0));
	finder->columns = outside.columns;
}

/* From now on changes are noticed, and aw_queryplan_free() is needed.  Raises no error. */
void
aw_queryplan_keep(AwQueryPlan *plan)
{
	for (size_t i = 0; i < lengthof(sizes); i++)
		SaveCachedPlan(plan->cached[i]);
}

void
aw_queryplan_free(AwQueryPlan *plan)
{
	for (size_t i = 0; i < lengthof(sizes); i++)
		DropCachedPlan(plan->cached[i]);
	pfree(plan);
}

/* Has nothing changed that the tree depends on, as far as is known? */
bool
aw_queryplan_is_valid(const AwQueryPlan *plan)
{
	for (size_t i = 0; i < lengthof(sizes); i++)
	{
		if (!CachedPlanIsValid(plan->cached[i]))
			return false;
	}
	return !plan->is_stale;
}

/* The columns of the first relation that the plan reads. */
TupleDesc
aw_queryplan_columns(const AwQueryPlan *plan)
{
	return plan->relations[0].columns;
}

/* Does the tree read one of these columns of its first relation? */
bool
aw_queryplan_reads(const AwQueryPlan *plan, const Bitmapset *columns)
{
	if (bms_is_empty((Bitmapset *) columns))
		return false;
	return bms_is_member(0, plan->columns_read) || bms_overlap(plan->columns_read, columns);
}

/*
 * Runs the plan over the rows of its relations; false, and nothing is run, if the plan
 * is stale.  The caller is who the tree was made for.  What was written before is seen.
 */
bool
aw_queryplan_run(AwQueryPlan *plan, Tuplestorestate *const *rows, DestReceiver *receiver)
{
	QueryEnvironment *environment = create_queryEnv();
	int64		n_rows = register_rows(plan, rows, environment);
	CachedPlanSource *source = plan->cached[n_rows < sizes[1].n_least ? 0 : 1];
	ResourceOwner owner = source->is_saved ? CurrentResourceOwner : NULL;
	CachedPlan *cached;

	PushCopiedSnapshot(GetTransactionSnapshot());
	UpdateActiveSnapshotCommandId();
	cached = GetCachedPlan(source, NULL, owner, environment);
	if (!plan->is_stale)
		execute(cached, source->query_string, environment, receiver);
	ReleaseCachedPlan(cached, owner);
	PopActiveSnapshot();
	return !plan->is_stale;
}

/* Puts the relations into the environment; says how many rows the largest has. */
static int64
register_rows(const AwQueryPlan *plan, Tuplestorestate *const *rows,
			  QueryEnvironment *environment)
{
	int64		most = 0;

	for (int i = 0; i < plan->n_relations; i++)
	{
		EphemeralNamedRelation relation = palloc0(sizeof(EphemeralNamedRelationData));
		int64		n_rows = tuplestore_tuple_count(rows[i]);

		relation->md.name = unconstify(char *, plan->relations[i].name);
		relation->md.reliddesc = InvalidOid;
		relation->md.tupdesc = plan->relations[i].columns;
		relation->md.enrtype = ENR_NAMED_TUPLESTORE;
		relation->md.enrtuples = n_rows;
		relation->reldata = rows[i];
		register_ENR(environment, relation);
		most = Max(most, n_rows);
	}
	return most;
}

/* The plan's rows, over the environment's, to the receiver. */
static void
execute(const CachedPlan *plan, const char *text, QueryEnvironment *environment,
		DestReceiver *receiver)
{
	QueryDesc  *query = CreateQueryDesc(linitial_node(PlannedStmt, plan->stmt_list), text,
										GetActiveSnapshot(), InvalidSnapshot, receiver, NULL,
										environment, 0);

	ExecutorStart(query, 0);
	aw_compat_run(query);
	ExecutorFinish(query);
	ExecutorEnd(query);
	FreeQueryDesc(query);
}

/* The cache has begun to analyse the text. */
static void
note_analysis(struct ParseState *pstate, void *plan)
{
	(void) pstate;
	((AwQueryPlan *) plan)->is_stale = true;
}

/* Calls a function for each row, whose columns are there in tts_values; palloc'd. */
DestReceiver *
aw_queryplan_receiver(AwRowCallback callback, void *context)
{
	CallbackReceiver *receiver = palloc0(sizeof(CallbackReceiver));

	receiver->receiver.receiveSlot = receive_row;
	receiver->receiver.rStartup = start_rows;
	receiver->receiver.rShutdown = end_rows;
	receiver->receiver.rDestroy = end_rows;
	receiver->receiver.mydest = DestNone;
	receiver->callback = callback;
	receiver->context = context;
	return &receiver->receiver;
}

/* A row is handed on with its columns taken apart. */
static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	CallbackReceiver *receiver = (CallbackReceiver *) self;

	slot_getallattrs(slot);
	receiver->callback(slot, receiver->context);
	return true;
}

static void
start_rows(DestReceiver *self, int operation, TupleDesc columns)
{
	(void) self;
	(void) operation;
	(void) columns;
}

static void
end_rows(DestReceiver *self)
{
	(void) self;
}
