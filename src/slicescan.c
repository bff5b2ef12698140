/*
 * slicescan.c
 *
 * The slice node: reads its input to the end, adds each row to the slice of its
 * time, and gives out the groups of all windows, which windowop.c merges from the
 * slices.  It takes the place of the Agg node, and for HOP and CUMULATE of the join
 * with the windows of each row.
 *
 * The columns of its rows are known to the planner by expressions: window columns,
 * keys and Aggrefs.  Conditions of HAVING and on windows are its qual.
 *
 * Rows without a time, at infinity, or whose windows leave the range of timestamps
 * fare as they do without the node.
 */
#include "postgres.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "compat.h"
#include "groupterm.h"
#include "slicescan.h"
#include "windowop.h"
#include "windowspec.h"

/* The fields of a plan's custom_private. */
typedef enum PlanField
{
	FIELD_FLAGS,				/* kind, is_zoned, is_start, is_bin, is_ordered */
	FIELD_WINDOW,				/* the lengths of AwWindow as constants */
	FIELD_FUNCTION,
	FIELD_SOURCES,
	FIELD_NUMBERS,
	FIELD_KEY_COLUMNS,
	FIELD_KEY_TYPES,
	FIELD_KEY_COLLATIONS,
	FIELD_KEY_OPERATORS,
	FIELD_FIRST_COLUMNS,
	FIELD_FILTER_COLUMNS
} PlanField;

typedef struct OutputColumn
{
	AwSliceSource source;
	int			number;
} OutputColumn;

typedef struct SliceScanState
{
	CustomScanState css;
	AwWindowSpec spec;
	bool		is_start;
	bool		is_bin;
	bool		is_ordered;
	int			n_columns;
	OutputColumn *columns;
	AwAggregates *aggregates;
	Datum	   *results;
	bool	   *result_nulls;
	AwMergeStrategy strategy;
	AwSliceStore *store;
	AwWindowOp *op;				/* once the input is read */
	MemoryContext cxt;

	/* the slice of the last row; NULL if it is in no window */
	bool		has_slice;
	int64		slice_start_us;
	int64		slice_end_us;
	AwSlice    *slice;
} SliceScanState;

static const int *max_windows_per_row;

static Plan *plan_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist,
					   List *clauses, List *children);
static List *private_of_spec(const AwSliceSpec *spec);
static List *window_to_constants(const AwWindow *window);
static void window_from_constants(AwWindow *window, List *constants);
static Node *create_state(CustomScan *plan);
static void begin_scan(CustomScanState *css, EState *estate, int eflags);
static void check_function(Oid function);
static void begin_aggregates(SliceScanState *state, CustomScan *plan);
static void begin_keys(SliceScanState *state, CustomScan *plan);
static TupleTableSlot *execute(CustomScanState *css);
static TupleTableSlot *next_group(ScanState *ss);
static bool recheck_group(ScanState *ss, TupleTableSlot *slot);
static void read_input(SliceScanState *state);
static AwSlice *slice_of_row(SliceScanState *state, Datum time, bool isnull);
static AwSlice *new_slice(SliceScanState *state, Timestamp ts);
static AwSpan slice_span(SliceScanState *state, Timestamp ts, bool *is_in_window);
static bool check_windows(SliceScanState *state, Timestamp ts, AwSpan span);
static AwSpan bin_span(const AwWindow *window, Timestamp ts);
static void fill_slot(SliceScanState *state, const AwGroup *group, AwSpan span, char *states,
					  TupleTableSlot *slot);
static Datum window_column(AwSliceSource source, AwSpan span, bool *isnull);
static void end_scan(CustomScanState *css);
static void rescan(CustomScanState *css);
static void explain(CustomScanState *css, List *ancestors, ExplainState *es);
static void explain_counts(SliceScanState *state, ExplainState *es);

static const CustomPathMethods path_methods = {
	.CustomName = "WindowSlices",
	.PlanCustomPath = plan_path,
};

static const CustomScanMethods scan_methods = {
	.CustomName = "WindowSlices",
	.CreateCustomScanState = create_state,
};

static const CustomExecMethods exec_methods = {
	.CustomName = "WindowSlices",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = execute,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = explain,
};

void
aw_slicescan_init(const int *max_windows)
{
	max_windows_per_row = max_windows;
	RegisterCustomScanMethods(&scan_methods);
}

/* A path that lacks only what the planner must know of any path, and its child. */
CustomPath *
aw_slicescan_path(const AwSliceSpec *spec)
{
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_private = list_make3(private_of_spec(spec), spec->outputs, spec->quals);
	path->methods = &path_methods;
	return path;
}

static Plan *
plan_path(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses,
		  List *children)
{
	CustomScan *plan = makeNode(CustomScan);
	ListCell   *lc;

	(void) root;
	(void) rel;
	(void) clauses;
	plan->scan.plan.targetlist = tlist;
	plan->scan.plan.qual = lthird(path->custom_private);
	plan->scan.scanrelid = 0;
	plan->flags = path->flags;
	plan->custom_plans = children;
	plan->custom_private = linitial(path->custom_private);
	plan->methods = &scan_methods;
	foreach(lc, (List *) lsecond(path->custom_private))
		plan->custom_scan_tlist =
			lappend(plan->custom_scan_tlist,
					makeTargetEntry(copyObject((Expr *) lfirst(lc)),
									foreach_current_index(lc) + 1, NULL, false));
	return (Plan *) plan;
}

static List *
private_of_spec(const AwSliceSpec *spec)
{
	List	   *flags = list_make4_int(spec->window.kind, spec->is_zoned, spec->is_start,
									   spec->is_bin);
	List	   *private;

	flags = lappend_int(flags, spec->is_ordered);
	private = list_make5(flags, window_to_constants(&spec->window),
						 list_make1_oid(spec->function), spec->sources, spec->numbers);
	private = lappend(private, spec->key_columns);
	private = lappend(private, spec->key_types);
	private = lappend(private, spec->key_collations);
	private = lappend(private, spec->key_operators);
	private = lappend(private, spec->first_columns);
	return lappend(private, spec->filter_columns);
}

static List *
window_to_constants(const AwWindow *window)
{
	int64		fields[] = {window->size_us, window->step_us, window->stride_us,
	window->origin_us, window->slice_us};
	List	   *constants = NIL;

	for (size_t i = 0; i < lengthof(fields); i++)
		constants = lappend(constants, makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
												 Int64GetDatum(fields[i]), false,
												 FLOAT8PASSBYVAL));
	return constants;
}

static void
window_from_constants(AwWindow *window, List *constants)
{
	int64	   *fields[] = {&window->size_us, &window->step_us, &window->stride_us,
	&window->origin_us, &window->slice_us};
	ListCell   *lc;

	foreach(lc, constants)
		*fields[foreach_current_index(lc)] = DatumGetInt64(lfirst_node(Const, lc)->constvalue);
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
	List	   *flags = list_nth(plan->custom_private, FIELD_FLAGS);
	MemoryContext caller;

	css->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans), estate, eflags));
	check_function(linitial_oid(list_nth(plan->custom_private, FIELD_FUNCTION)));

	state->cxt = AllocSetContextCreate(CurrentMemoryContext, "slice node",
									   ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(state->cxt);
	state->spec.window.kind = (AwWindowKind) linitial_int(flags);
	state->spec.is_zoned = lsecond_int(flags);
	state->spec.cxt = state->cxt;
	state->is_start = lthird_int(flags);
	state->is_bin = lfourth_int(flags);
	state->is_ordered = llast_int(flags);
	window_from_constants(&state->spec.window, list_nth(plan->custom_private, FIELD_WINDOW));

	begin_aggregates(state, plan);
	begin_keys(state, plan);
	state->strategy = aw_windowop_strategy(state->spec.window.kind, state->aggregates);
	MemoryContextSwitchTo(caller);
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

/* Aggregates are those of the output columns, numbered in their order. */
static void
begin_aggregates(SliceScanState *state, CustomScan *plan)
{
	List	   *sources = list_nth(plan->custom_private, FIELD_SOURCES);
	List	   *numbers = list_nth(plan->custom_private, FIELD_NUMBERS);
	List	   *first_columns = list_nth(plan->custom_private, FIELD_FIRST_COLUMNS);
	List	   *filter_columns = list_nth(plan->custom_private, FIELD_FILTER_COLUMNS);
	int			n_calls = list_length(first_columns);
	AwAggregateCall *calls = palloc0(sizeof(AwAggregateCall) * Max(n_calls, 1));

	state->n_columns = list_length(sources);
	state->columns = palloc0(sizeof(OutputColumn) * Max(state->n_columns, 1));
	for (int i = 0; i < state->n_columns; i++)
	{
		OutputColumn *column = &state->columns[i];

		column->source = (AwSliceSource) list_nth_int(sources, i);
		column->number = list_nth_int(numbers, i);
		if (column->source == AW_SLICE_AGGREGATE)
		{
			AwAggregateCall *call = &calls[column->number];

			call->aggref = castNode(Aggref,
									list_nth_node(TargetEntry, plan->custom_scan_tlist, i)->expr);
			call->first_column = list_nth_int(first_columns, column->number);
			call->filter_column = list_nth_int(filter_columns, column->number);
		}
	}
	state->aggregates = aw_aggstate_create(calls, n_calls);
	state->results = palloc0(sizeof(Datum) * Max(n_calls, 1));
	state->result_nulls = palloc0(sizeof(bool) * Max(n_calls, 1));
}

static void
begin_keys(SliceScanState *state, CustomScan *plan)
{
	List	   *columns = list_nth(plan->custom_private, FIELD_KEY_COLUMNS);
	List	   *types = list_nth(plan->custom_private, FIELD_KEY_TYPES);
	List	   *collations = list_nth(plan->custom_private, FIELD_KEY_COLLATIONS);
	List	   *operators = list_nth(plan->custom_private, FIELD_KEY_OPERATORS);
	AwKeyColumn keys[AW_SLICE_MAX_KEYS];

	for (int i = 0; i < list_length(columns); i++)
	{
		keys[i].column = list_nth_int(columns, i);
		keys[i].collation = list_nth_oid(collations, i);
		aw_groupterm_init_key(&keys[i], list_nth_oid(types, i), list_nth_oid(operators, i));
	}
	state->store = aw_slicestore_create(state->aggregates, keys, list_length(columns),
										get_hash_memory_limit());
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

	group = aw_windowop_next(state->op, &span, &states);
	if (group != NULL)
		fill_slot(state, group, span, states, slot);
	return slot;
}

/* Groups are not rows of a table that could have changed. */
static bool
recheck_group(ScanState *ss, TupleTableSlot *slot)
{
	(void) ss;
	(void) slot;
	return true;
}

/* Adds all rows to their slices. */
static void
read_input(SliceScanState *state)
{
	PlanState  *child = linitial(state->css.custom_ps);

	state->has_slice = false;
	for (;;)
	{
		TupleTableSlot *row = ExecProcNode(child);
		AwSlice    *slice;

		if (TupIsNull(row))
			break;
		slot_getallattrs(row);
		slice = slice_of_row(state, row->tts_values[0], row->tts_isnull[0]);
		if (slice != NULL)
			aw_slicestore_add_row(state->store, slice, row->tts_values, row->tts_isnull);
	}
	state->op = aw_windowop_create(state->store, &state->spec.window, state->strategy,
								   state->is_ordered);
}

/* The slice of a row; NULL if it is in no window. */
static AwSlice *
slice_of_row(SliceScanState *state, Datum time, bool isnull)
{
	int64		ts = DatumGetInt64(time);

	if (isnull)
		return state->strategy != AW_MERGE_NONE ? NULL :
			aw_slicestore_slice(state->store, AW_SLICE_NO_TIME, AW_SLICE_NO_TIME);
	if (state->has_slice && ts >= state->slice_start_us && ts < state->slice_end_us)
		return state->slice;
	return new_slice(state, ts);
}

/* The slice of a row that is not in that of the row before. */
static AwSlice *
new_slice(SliceScanState *state, Timestamp ts)
{
	bool		is_in_window = true;
	AwSpan		span;

	CHECK_FOR_INTERRUPTS();
	if (state->strategy != AW_MERGE_NONE)
		aw_windowspec_limit(&state->spec, *max_windows_per_row);
	if (TIMESTAMP_NOT_FINITE(ts))
		return aw_slicestore_slice(state->store, ts, ts);

	span = slice_span(state, ts, &is_in_window);
	state->slice = is_in_window ?
		aw_slicestore_slice(state->store, span.start_us, span.end_us) : NULL;
	state->slice_start_us = span.start_us;
	state->slice_end_us = span.end_us;
	state->has_slice = true;
	return state->slice;
}

static AwSpan
slice_span(SliceScanState *state, Timestamp ts, bool *is_in_window)
{
	AwSpan		span;

	if (state->is_start)
	{
		span.start_us = ts;
		span.end_us = ts + 1;
		return span;
	}
	if (state->is_bin)
		return bin_span(&state->spec.window, ts);
	if (state->strategy == AW_MERGE_NONE)
		return aw_windowspec_tumble(&state->spec, ts);

	if (!aw_window_slice_start(&state->spec.window, ts, &span.start_us) ||
		!aw_window_slice_end(&state->spec.window, ts, &span.end_us))
		span.start_us = span.end_us = ts;
	*is_in_window = check_windows(state, ts, span);
	return span;
}

/*
 * Is the slice in any window?  HOP has gaps.  Near the ends of time, raises the
 * error of a window that leaves it.
 */
static bool
check_windows(SliceScanState *state, Timestamp ts, AwSpan span)
{
	int64		size_us = state->spec.window.size_us;
	AwWindowWalk walk;
	AwSpan		window;
	bool		is_in_window;

	aw_windowspec_walk(&state->spec, ts, &walk);
	is_in_window = (walk.n_left > 0);
	if (span.start_us - MIN_TIMESTAMP <= size_us || END_TIMESTAMP - span.end_us <= size_us)
	{
		while (aw_windowspec_next(&state->spec, &walk, &window))
			CHECK_FOR_INTERRUPTS();
	}
	return is_in_window;
}

/* The window of date_bin(), whose end may be outside the range of timestamps. */
static AwSpan
bin_span(const AwWindow *window, Timestamp ts)
{
	AwSpan		span;

	if (!aw_window_slice_start(window, ts, &span.start_us) || !IS_VALID_TIMESTAMP(span.start_us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	if (!aw_window_slice_end(window, ts, &span.end_us))
		span.end_us = PG_INT64_MAX;
	return span;
}

/* Makes a row of a group, valid until the next one. */
static void
fill_slot(SliceScanState *state, const AwGroup *group, AwSpan span, char *states,
		  TupleTableSlot *slot)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	MemoryContext caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);

	aw_aggstate_results(state->aggregates, states, state->results, state->result_nulls);
	for (int i = 0; i < state->n_columns; i++)
	{
		const OutputColumn *column = &state->columns[i];

		switch (column->source)
		{
			case AW_SLICE_KEY:
				slot->tts_values[i] = group->keys[column->number];
				slot->tts_isnull[i] = (group->null_keys >> column->number) & 1;
				break;
			case AW_SLICE_AGGREGATE:
				slot->tts_values[i] = state->results[column->number];
				slot->tts_isnull[i] = state->result_nulls[column->number];
				break;
			case AW_SLICE_START:
			case AW_SLICE_END:
			case AW_SLICE_TIME:
				slot->tts_values[i] = window_column(column->source, span, &slot->tts_isnull[i]);
				break;
		}
	}
	MemoryContextSwitchTo(caller);
	ExecStoreVirtualTuple(slot);
}

/* window_time is the last millisecond; a window at infinity starts and ends there. */
static Datum
window_column(AwSliceSource source, AwSpan span, bool *isnull)
{
	*isnull = (span.start_us == AW_SLICE_NO_TIME);
	if (*isnull)
		return (Datum) 0;
	if (source == AW_SLICE_START)
		return TimestampGetDatum(span.start_us);
	if (source == AW_SLICE_END || TIMESTAMP_NOT_FINITE(span.end_us))
		return TimestampGetDatum(span.end_us);
	return TimestampGetDatum(span.end_us - AW_WINDOW_MIN_US);
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

	if (state->op != NULL)
		aw_windowop_free(state->op);
	state->op = NULL;
	aw_slicestore_reset(state->store);
}

static void
explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	static const char *const kinds[] = {
		[AW_KIND_TUMBLE] = "TUMBLE",
		[AW_KIND_HOP] = "HOP",
		[AW_KIND_CUMULATE] = "CUMULATE",
	};
	static const char *const strategies[] = {
		[AW_MERGE_NONE] = "Slice is Window",
		[AW_MERGE_TWO_STACKS] = "Two Stacks",
		[AW_MERGE_RETRACT] = "Add and Retract",
		[AW_MERGE_FORWARD] = "Fold Forward",
	};
	SliceScanState *state = (SliceScanState *) css;
	Interval	width = {.time = state->spec.window.slice_us};

	(void) ancestors;
	ExplainPropertyText("Window", kinds[state->spec.window.kind], es);
	ExplainPropertyText("Slice Width",
						DatumGetCString(DirectFunctionCall1(interval_out,
															IntervalPGetDatum(&width))), es);
	ExplainPropertyText("Strategy", strategies[state->strategy], es);
	if (es->analyze && state->op != NULL)
		explain_counts(state, es);
}

static void
explain_counts(SliceScanState *state, ExplainState *es)
{
	AwSliceCounts counts;

	aw_slicestore_count(state->store, &counts);
	ExplainPropertyInteger("Slices", NULL, counts.n_slices, es);
	ExplainPropertyInteger("Groups in Slices", NULL, counts.n_groups, es);
	if (state->strategy != AW_MERGE_NONE)
	{
		ExplainPropertyInteger("Windows", NULL, aw_windowop_n_windows(state->op), es);
		ExplainPropertyInteger("Combines", NULL, aw_windowop_n_merges(state->op), es);
	}
	ExplainPropertyInteger("Memory", "kB", (counts.memory_bytes + 1023) / 1024, es);
	if (counts.disk_bytes > 0)
	{
		ExplainPropertyInteger("Disk", "kB", (counts.disk_bytes + 1023) / 1024, es);
		ExplainPropertyInteger("Passes", NULL, aw_windowop_n_passes(state->op), es);
	}
}
