/*
 * slicescan.c
 *
 * The slice node: reads its input to the end, adds each row to the slice of its
 * time, and gives out the groups of all windows, which windowop.c merges from the
 * slices.  It takes the place of the Agg node, and for HOP and CUMULATE of the join
 * with the windows of each row.
 *
 * Where only the first groups of each window are wanted, it looks at all groups of a
 * window before it gives out those.
 *
 * In a parallel worker it does all its work there; what EXPLAIN counts comes back
 * through shared memory.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "catalog/objectaccess.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "groupterm.h"
#include "slicechoice.h"
#include "sliceexplain.h"
#include "sliceinput.h"
#include "sliceplan.h"
#include "slicerow.h"
#include "slicescan.h"
#include "slicetime.h"
#include "windowop.h"

/* What a group is ranked by: a column of the node's rows, or an expression over them. */
typedef struct RankTerm
{
	int			column;			/* -1 for an expression */
	ExprState  *expr;
} RankTerm;

typedef struct SliceScanState
{
	CustomScanState css;
	AwSliceTime time;
	bool		is_ordered;
	AwSliceRow *row;
	AwSliceInput *input;		/* NULL where the child has computed it */
	AwSliceChoice *choice;		/* NULL where all slices are wanted */
	AwMergeStrategy strategy;
	AwSliceStore *store;
	AwWindowOp *op;				/* once the input is read */
	MemoryContext cxt;

	/* the first groups of each window */
	int			rank_limit;		/* 0 for all */
	AwRankList *ranks;
	int			n_terms;
	RankTerm   *terms;
	Datum	   *term_values;
	bool	   *term_nulls;
	AwSpan		ranked_span;	/* the window at hand */

	AwSharedReports *shared;	/* of a parallel query */
	AwSliceReport report;		/* of what has run elsewhere */
	Plan	   *plan;			/* the planner's, while the node has one of its own */
} SliceScanState;

static const int *max_windows_per_row;

static Node *create_state(CustomScan *plan);
static void begin_scan(CustomScanState *css, EState *estate, int eflags);
static void ask_for_shared_memory(SliceScanState *state, EState *estate);
static TupleTableSlot *end_query(PlanState *ps);
static void check_function(Oid function);
static void begin_time(SliceScanState *state, const AwSliceSpec *spec);
static void begin_keys(SliceScanState *state, const AwSliceSpec *spec);
static void begin_input(SliceScanState *state, const AwSliceSpec *spec);
static void begin_ranks(SliceScanState *state, const AwSliceSpec *spec);
static TupleTableSlot *execute(CustomScanState *css);
static TupleTableSlot *next_group(ScanState *ss);
static AwGroup *next_ranked(SliceScanState *state, AwSpan *span, char **states);
static void rank_window(SliceScanState *state);
static bool is_excluded(SliceScanState *state);
static bool recheck_group(ScanState *ss, TupleTableSlot *slot);
static void read_input(SliceScanState *state);
static void end_scan(CustomScanState *css);
static void rescan(CustomScanState *css);
static Size estimate_shared(CustomScanState *css, ParallelContext *pcxt);
static void init_shared(CustomScanState *css, ParallelContext *pcxt, void *coordinate);
static void reinit_shared(CustomScanState *css, ParallelContext *pcxt, void *coordinate);
static void init_worker(CustomScanState *css, shm_toc *toc, void *coordinate);
static void shut_down(CustomScanState *css);
static void explain(CustomScanState *css, List *ancestors, ExplainState *es);
static void fill_report(SliceScanState *state, AwSliceReport *report);

const CustomScanMethods aw_slicescan_methods = {
	.CustomName = "WindowSlices",
	.CreateCustomScanState = create_state,
};

static const CustomExecMethods exec_methods = {
	.CustomName = "WindowSlices",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = execute,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.EstimateDSMCustomScan = estimate_shared,
	.InitializeDSMCustomScan = init_shared,
	.ReInitializeDSMCustomScan = reinit_shared,
	.InitializeWorkerCustomScan = init_worker,
	.ShutdownCustomScan = shut_down,
	.ExplainCustomScan = explain,
};
void
aw_slicescan_init(const int *max_windows)
{
	max_windows_per_row = max_windows;
	RegisterCustomScanMethods(&aw_slicescan_methods);
}

static Node *
create_state(CustomScan *plan)
{
	SliceScanState *state = palloc0(sizeof(SliceScanState));

	(void) plan;
	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &exec_methods;
	return (Node *) state;
}

static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	SliceScanState *state = (SliceScanState *) css;
	CustomScan *plan = (CustomScan *) css->ss.ps.plan;
	AwSliceSpec spec;
	MemoryContext caller;

	aw_sliceplan_read(plan, &spec);
	css->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans), estate, eflags));
	check_function(spec.function);

	state->cxt = AllocSetContextCreate(CurrentMemoryContext, "slice node",
									   ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(state->cxt);
	state->is_ordered = spec.is_ordered;
	state->row = aw_slicerow_create(plan, &spec);
	begin_keys(state, &spec);
	state->strategy = aw_windowop_strategy(spec.window.kind,
										   aw_slicerow_aggregates(state->row));
	begin_time(state, &spec);
	MemoryContextSwitchTo(caller);
	begin_input(state, &spec);

	if (spec.rank_limit > 0)
		begin_ranks(state, &spec);
	if (estate->es_instrument != 0 && !(eflags & EXEC_FLAG_EXPLAIN_ONLY) &&
		plan->scan.plan.parallel_safe)
		ask_for_shared_memory(state, estate);
}

/*
 * Only nodes that say they are parallel get shared memory.  This one is not, and
 * EXPLAIN must not call it so: while the query runs, the node has a plan that says so.
 * The executor ends the query by running the nodes of es_auxmodifytables.
 */
static void
ask_for_shared_memory(SliceScanState *state, EState *estate)
{
	CustomScan *plan = palloc(sizeof(CustomScan));
	CustomScanState *end = palloc0(sizeof(CustomScanState));

	memcpy(plan, state->css.ss.ps.plan, sizeof(CustomScan));
	plan->scan.plan.parallel_aware = true;
	state->plan = state->css.ss.ps.plan;
	state->css.ss.ps.plan = (Plan *) plan;

	NodeSetTag(end, T_CustomScanState);
	end->ss.ps.ExecProcNode = end_query;
	end->custom_ps = list_make1(state);
	estate->es_auxmodifytables = lappend(estate->es_auxmodifytables, end);
}

/* Gives the node its plan back. */
static TupleTableSlot *
end_query(PlanState *ps)
{
	SliceScanState *state = linitial(((CustomScanState *) ps)->custom_ps);

	state->css.ss.ps.plan = state->plan;
	return NULL;
}

/* The right to call the function that the node takes the place of. */
static void
check_function(Oid function)
{
	AclResult	result = aw_compat_check_execute(function, GetUserId());

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}

static void
begin_time(SliceScanState *state, const AwSliceSpec *spec)
{
	state->time.spec.window = spec->window;
	state->time.spec.is_zoned = spec->is_zoned;
	state->time.spec.cxt = state->cxt;
	state->time.is_window = (state->strategy == AW_MERGE_NONE);
	state->time.is_start = spec->is_start;
	state->time.is_bin = spec->is_bin;
}

static void
begin_keys(SliceScanState *state, const AwSliceSpec *spec)
{
	AwKeyColumn keys[AW_SLICE_MAX_KEYS];
	int			n_keys = list_length(spec->key_columns);

	for (int i = 0; i < n_keys; i++)
	{
		keys[i].column = list_nth_int(spec->key_columns, i);
		keys[i].collation = list_nth_oid(spec->key_collations, i);
		aw_groupterm_init_key(&keys[i], list_nth_oid(spec->key_types, i),
							  list_nth_oid(spec->key_operators, i));
	}
	state->store = aw_slicestore_create(aw_slicerow_aggregates(state->row), keys, n_keys,
										get_hash_memory_limit());
}

/*
 * What is done with rows before they are put into slices.  The input's columns, which
 * follow those of the node's rows, have done their part with the planner.  Slots must
 * outlive the node's own memory.
 */
static void
begin_input(SliceScanState *state, const AwSliceSpec *spec)
{
	CustomScanState *css = &state->css;
	CustomScan *plan = (CustomScan *) css->ss.ps.plan;
	int			n_outputs = list_length(spec->sources);

	if (spec->inputs != NIL)
	{
		List	   *outputs = list_truncate(list_copy(plan->custom_scan_tlist), n_outputs);

		ExecInitScanTupleSlot(css->ss.ps.state, &css->ss, ExecTypeFromTL(outputs),
							  &TTSOpsVirtual);
		ExecAssignScanProjectionInfoWithVarno(&css->ss, INDEX_VAR);
		state->input = aw_sliceinput_create(css, linitial(css->custom_ps), spec->inputs,
											n_outputs);
	}
	if (!state->time.is_window)
		state->choice = aw_slicechoice_create(css, state->row);
}

/* Terms are expressions over the node's rows, mostly columns of them. */
static void
begin_ranks(SliceScanState *state, const AwSliceSpec *spec)
{
	MemoryContext caller = MemoryContextSwitchTo(state->cxt);
	AwRankKey  *keys;
	ListCell   *lc;

	state->rank_limit = spec->rank_limit;
	state->n_terms = list_length(spec->rank_exprs);
	state->terms = palloc0(sizeof(RankTerm) * state->n_terms);
	state->term_values = palloc0(sizeof(Datum) * state->n_terms);
	state->term_nulls = palloc0(sizeof(bool) * state->n_terms);
	keys = palloc0(sizeof(AwRankKey) * state->n_terms);

	foreach(lc, spec->rank_exprs)
	{
		int			i = foreach_current_index(lc);
		Expr	   *expr = lfirst(lc);
		AwRankKey  *key = &keys[i];

		state->terms[i].column = IsA(expr, Var) ? ((Var *) expr)->varattno - 1 : -1;
		if (state->terms[i].column < 0)
			state->terms[i].expr = ExecInitExpr(expr, &state->css.ss.ps);
		get_typlenbyval(exprType((Node *) expr), &key->len, &key->is_by_value);
		key->order.ssup_cxt = state->cxt;
		key->order.ssup_collation = list_nth_oid(spec->rank_collations, i);
		key->order.ssup_nulls_first = list_nth_int(spec->rank_nulls_first, i);
		PrepareSortSupportFromOrderingOp(list_nth_oid(spec->rank_operators, i), &key->order);
	}
	state->ranks = aw_ranklist_create(spec->rank_rule, spec->rank_limit, keys, state->n_terms);
	MemoryContextSwitchTo(caller);
}

static TupleTableSlot *
execute(CustomScanState *css)
{
	return ExecScan(&css->ss, next_group, recheck_group);
}

/* The next group of a window, as ExecScan() wants it. */
static TupleTableSlot *
next_group(ScanState *ss)
{
	SliceScanState *state = (SliceScanState *) ss;
	TupleTableSlot *slot = ss->ss_ScanTupleSlot;
	AwSpan		span;
	AwGroup    *group;
	char	   *states;

	ExecClearTuple(slot);
	if (state->op == NULL)
		read_input(state);

	if (state->ranks != NULL)
		group = next_ranked(state, &span, &states);
	else
		group = aw_windowop_next(state->op, &span, &states);
	if (group != NULL)
	{
		MemoryContext caller =
			MemoryContextSwitchTo(ss->ps.ps_ExprContext->ecxt_per_tuple_memory);

		ExecClearTuple(slot);
		aw_slicerow_fill(state->row, group, span, states, slot);
		MemoryContextSwitchTo(caller);
	}
	return slot;
}

/* The next of those groups that are among the first of their window. */
static AwGroup *
next_ranked(SliceScanState *state, AwSpan *span, char **states)
{
	AwGroup    *group;

	while ((group = aw_ranklist_next(state->ranks)) == NULL)
	{
		if (!aw_windowop_next_window(state->op, &state->ranked_span))
			return NULL;
		rank_window(state);
	}
	*span = state->ranked_span;
	*states = aw_windowop_states(state->op, group);
	return group;
}

/* Puts the first groups of the window at hand into the list. */
static void
rank_window(SliceScanState *state)
{
	TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	ExprState  *qual = state->css.ss.ps.qual;
	AwGroup    *group;
	char	   *states;

	aw_ranklist_reset(state->ranks);
	while ((group = aw_windowop_next_group(state->op, &states)) != NULL)
	{
		MemoryContext caller;

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(econtext);
		caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
		ExecClearTuple(slot);
		aw_slicerow_fill_ranking(state->row, group, state->ranked_span, states, slot);
		econtext->ecxt_scantuple = slot;
		if (qual != NULL && !ExecQual(qual, econtext))
			InstrCountFiltered1(&state->css, 1);
		else if (!is_excluded(state))
			aw_ranklist_offer(state->ranks, group, state->term_values, state->term_nulls);
		MemoryContextSwitchTo(caller);
	}
}

/* Evaluates terms; true if the first alone says that the group is of no use. */
static bool
is_excluded(SliceScanState *state)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	const TupleTableSlot *slot = state->css.ss.ss_ScanTupleSlot;

	for (int i = 0; i < state->n_terms; i++)
	{
		const RankTerm *term = &state->terms[i];

		if (term->column >= 0)
		{
			state->term_values[i] = slot->tts_values[term->column];
			state->term_nulls[i] = slot->tts_isnull[term->column];
		}
		else
			state->term_values[i] = ExecEvalExpr(term->expr, econtext, &state->term_nulls[i]);
		if (i == 0 &&
			aw_ranklist_excludes(state->ranks, state->term_values[0], state->term_nulls[0]))
			return true;
	}
	return false;
}

/* Groups are not rows of a table that could have changed. */
static bool
recheck_group(ScanState *ss, TupleTableSlot *slot)
{
	(void) ss;
	(void) slot;
	return true;
}

/* Adds all rows to their slices, but those that are in no window, or in none that is wanted. */
static void
read_input(SliceScanState *state)
{
	PlanState  *child = linitial(state->css.custom_ps);
	AwWindowGrid grid = {.next = aw_slicetime_next_window,.arg = &state->time};
	int64		slice_us = 0;
	AwSlice    *slice = NULL;
	int			n_spills = 0;
	bool		is_known = false;
	bool		is_wanted = true;

	state->time.max_windows = *max_windows_per_row;
	aw_slicetime_reset(&state->time);
	for (;;)
	{
		TupleTableSlot *row = ExecProcNode(child);
		AwSpan		span;

		if (TupIsNull(row))
			break;
		slot_getallattrs(row);
		if (!aw_slicetime_find(&state->time, row->tts_values[0], row->tts_isnull[0], &span))
			continue;
		if (!is_known || span.start_us != slice_us)
		{
			CHECK_FOR_INTERRUPTS();
			is_known = true;
			is_wanted = state->choice == NULL ||
				aw_slicechoice_is_wanted(state->choice, &state->time, span.start_us);
			slice_us = span.start_us;
			slice = NULL;
		}
		if (!is_wanted)
			continue;
		if (slice == NULL || n_spills != aw_slicestore_n_spills(state->store))
		{
			slice = aw_slicestore_slice(state->store, span.start_us, span.end_us);
			n_spills = aw_slicestore_n_spills(state->store);
		}
		if (state->input != NULL)
			row = aw_sliceinput_project(state->input, row);
		aw_slicestore_add_row(state->store, slice, row->tts_values, row->tts_isnull);
	}
	state->op = aw_windowop_create(state->store, &state->time.spec.window, state->strategy,
								   state->is_ordered);
	if (state->time.spec.is_zoned)
		aw_windowop_set_grid(state->op, &grid);
}

static void
end_scan(CustomScanState *css)
{
	SliceScanState *state = (SliceScanState *) css;

	ExecEndNode(linitial(css->custom_ps));
	aw_slicestore_reset(state->store);
	MemoryContextDelete(state->cxt);
}

/* The executor does not tell the children of a custom node which parameters changed. */
static void
rescan(CustomScanState *css)
{
	SliceScanState *state = (SliceScanState *) css;
	PlanState  *child = linitial(css->custom_ps);

	ExecScanReScan(&css->ss);
	if (css->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(child, css->ss.ps.chgParam);
	if (child->chgParam == NULL)
		ExecReScan(child);

	if (state->ranks != NULL)
		aw_ranklist_reset(state->ranks);
	if (state->op != NULL)
		aw_windowop_free(state->op);
	state->op = NULL;
	aw_slicestore_reset(state->store);
	if (state->choice != NULL)
		aw_slicechoice_reset(state->choice);
}

static Size
estimate_shared(CustomScanState *css, ParallelContext *pcxt)
{
	(void) css;
	return aw_sliceexplain_shared_size(pcxt->nworkers);
}

static void
init_shared(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	SliceScanState *state = (SliceScanState *) css;

	state->shared = coordinate;
	memset(state->shared, 0, aw_sliceexplain_shared_size(pcxt->nworkers));
	state->shared->n_workers = pcxt->nworkers;
}

/* As elsewhere in EXPLAIN, only the last run is told of. */
static void
reinit_shared(CustomScanState *css, ParallelContext *pcxt, void *coordinate)
{
	init_shared(css, pcxt, coordinate);
}

static void
init_worker(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	(void) toc;
	((SliceScanState *) css)->shared = coordinate;
}

/* Workers leave their report; the leader takes them before the memory goes. */
static void
shut_down(CustomScanState *css)
{
	SliceScanState *state = (SliceScanState *) css;

	if (state->shared == NULL)
		return;

	if (IsParallelWorker())
		fill_report(state, &state->shared->reports[ParallelWorkerNumber]);
	else
	{
		memset(&state->report, 0, sizeof(state->report));
		aw_sliceexplain_fold(&state->report, state->shared);
		state->shared = NULL;
	}
}

static void
explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	SliceScanState *state = (SliceScanState *) css;
	AwSliceReport report = {0};

	(void) ancestors;
	aw_sliceexplain_show_plan(&state->time.spec.window, state->strategy, state->rank_limit, es);
	if (!es->analyze)
		return;

	fill_report(state, &report);
	aw_sliceexplain_add(&report, &state->report);
	if (report.has_run)
		aw_sliceexplain_show_report(&report, state->strategy, es);
}

static void
fill_report(SliceScanState *state, AwSliceReport *report)
{
	memset(report, 0, sizeof(AwSliceReport));
	if (state->op == NULL)
		return;

	report->has_run = true;
	aw_slicestore_count(state->store, &report->store);
	report->n_windows = aw_windowop_n_windows(state->op);
	report->n_merges = aw_windowop_n_merges(state->op);
	report->n_passes = aw_windowop_n_passes(state->op);
}
