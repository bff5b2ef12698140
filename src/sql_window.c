/*
 * sql_window.c
 *
 * SQL functions of windows: the table functions TUMBLE, HOP and CUMULATE, the
 * group windows TUMBLE and HOP with their parts, and what the planner puts in
 * the place of the table functions.
 *
 * A call checks its window arguments once and keeps the window ready for the
 * rows that follow, for as long as the arguments stay the same.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/supportnodes.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "groupwindow.h"
#include "guc.h"
#include "tablefunction.h"
#include "windowspec.h"

/* A window made ready by a call, with the arguments it was made from. */
typedef struct WindowCall
{
	AwWindowSpec spec;
	Interval	size;
	Interval	step;
	Interval	offset;
} WindowCall;

/* What a limit of rowtimes is computed from; compared byte by byte. */
typedef struct LimitArgs
{
	Timestamp	limit;
	int64		shift_us;
	Interval	step;
	Interval	size;
	Interval	offset;
	const pg_tz *zone;
	int32		kind;
	int32		by_end;
} LimitArgs;

typedef struct LimitCall
{
	LimitArgs	args;
	Timestamp	result;
	bool		is_zoned;
	bool		varies;			/* by more than the limit and the zone */
} LimitCall;

static AwWindowSpec *window_of_call(FunctionCallInfo fcinfo, AwWindowKind kind, int first,
									bool has_offset);
static void args_of_call(FunctionCallInfo fcinfo, AwWindowKind kind, int first, bool has_offset,
						 AwWindowArgs *args);
static Datum tumble_part(FunctionCallInfo fcinfo, bool has_offset, AwWindowPart part);
static bool same_interval(const Interval *a, const Interval *b);
static void explode_row(FunctionCallInfo fcinfo, AwWindowKind kind, bool has_offset);
static Datum row_limit(FunctionCallInfo fcinfo, bool is_first);
static LimitCall *prepare_limit(FmgrInfo *flinfo);
static Timestamp compute_limit(const LimitArgs *args, bool is_first);
static Datum part_of_span(AwSpan span, AwWindowPart part);
static Datum accumulate_tumble(FunctionCallInfo fcinfo, AwWindowPart part);
static Datum accumulate_hop(FunctionCallInfo fcinfo, AwWindowPart part);
static Node *plan_table_function(FunctionCallInfo fcinfo, AwWindowKind kind);
static Node *plan_group_window(FunctionCallInfo fcinfo, AwWindowKind kind);
static Node *estimate_rows(SupportRequestRows *request, AwWindowKind kind);
static Node *check_part(FunctionCallInfo fcinfo, AwWindowKind kind);

PG_FUNCTION_INFO_V1(aw_sql_table_function);
PG_FUNCTION_INFO_V1(aw_sql_tumble);
PG_FUNCTION_INFO_V1(aw_sql_tumble_start);
PG_FUNCTION_INFO_V1(aw_sql_tumble_end);
PG_FUNCTION_INFO_V1(aw_sql_hop);
PG_FUNCTION_INFO_V1(aw_sql_hop_rows);
PG_FUNCTION_INFO_V1(aw_sql_cumulate_rows);
PG_FUNCTION_INFO_V1(aw_sql_window_slice);
PG_FUNCTION_INFO_V1(aw_sql_first_row);
PG_FUNCTION_INFO_V1(aw_sql_last_row);
PG_FUNCTION_INFO_V1(aw_sql_tumble_start_transition);
PG_FUNCTION_INFO_V1(aw_sql_tumble_end_transition);
PG_FUNCTION_INFO_V1(aw_sql_tumble_rowtime_transition);
PG_FUNCTION_INFO_V1(aw_sql_tumble_proctime_transition);
PG_FUNCTION_INFO_V1(aw_sql_hop_start_transition);
PG_FUNCTION_INFO_V1(aw_sql_hop_end_transition);
PG_FUNCTION_INFO_V1(aw_sql_hop_rowtime_transition);
PG_FUNCTION_INFO_V1(aw_sql_hop_proctime_transition);
PG_FUNCTION_INFO_V1(aw_sql_window_part_combine);
PG_FUNCTION_INFO_V1(aw_sql_tumble_support);
PG_FUNCTION_INFO_V1(aw_sql_hop_support);
PG_FUNCTION_INFO_V1(aw_sql_cumulate_support);
PG_FUNCTION_INFO_V1(aw_sql_hop_rows_support);
PG_FUNCTION_INFO_V1(aw_sql_cumulate_rows_support);
PG_FUNCTION_INFO_V1(aw_sql_group_tumble_support);
PG_FUNCTION_INFO_V1(aw_sql_group_hop_support);
PG_FUNCTION_INFO_V1(aw_sql_tumble_part_support);
PG_FUNCTION_INFO_V1(aw_sql_hop_part_support);

/*
 * TUMBLE, HOP, CUMULATE and APPLY_WATERMARK as items of FROM: the planner puts
 * something else in their place, see tablefunction.c.
 */
Datum
aw_sql_table_function(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("a table function of apply_watermark was called where the planner did not see it"),
			 errhint("Call it as an item of FROM.")));
}

/*
 * tumble(time_attr, window_interval [, period_interval, lateness_interval]): the
 * start of the window.  When results come early or late is no matter by hand.
 */
Datum
aw_sql_tumble(PG_FUNCTION_ARGS)
{
	return tumble_part(fcinfo, false, AW_PART_START);
}

/* tumble_start(timecol, size, offset) */
Datum
aw_sql_tumble_start(PG_FUNCTION_ARGS)
{
	return tumble_part(fcinfo, true, AW_PART_START);
}

/* tumble_end(timecol, size, offset) */
Datum
aw_sql_tumble_end(PG_FUNCTION_ARGS)
{
	return tumble_part(fcinfo, true, AW_PART_END);
}

/* hop(time_attr, slide_interval, window_interval): the windows of a row */
Datum
aw_sql_hop(PG_FUNCTION_ARGS)
{
	explode_row(fcinfo, AW_KIND_HOP, false);
	PG_RETURN_NULL();
}

/* hop_rows(timecol, slide, size, offset): the windows of a row, for FROM */
Datum
aw_sql_hop_rows(PG_FUNCTION_ARGS)
{
	explode_row(fcinfo, AW_KIND_HOP, true);
	PG_RETURN_NULL();
}

/* cumulate_rows(timecol, step, size, offset): the windows of a row, for FROM */
Datum
aw_sql_cumulate_rows(PG_FUNCTION_ARGS)
{
	explode_row(fcinfo, AW_KIND_CUMULATE, true);
	PG_RETURN_NULL();
}

/*
 * window_slice(timecol, step, size, offset): the slice of a row, whose rows are
 * in the same windows.  timestamp only: slices are cut before any time zone.
 */
Datum
aw_sql_window_slice(PG_FUNCTION_ARGS)
{
	AwWindowArgs args;
	AwWindow	window;
	AwSpan		slice;
	TupleDesc	row_type;
	Datum		values[2];
	bool		nulls[2] = {false, false};

	if (get_call_result_type(fcinfo, NULL, &row_type) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	args_of_call(fcinfo, AW_KIND_HOP, 0, true, &args);
	aw_windowspec_window(&window, &args);
	if (!aw_window_slice_start(&window, PG_GETARG_TIMESTAMP(0), &slice.start_us) ||
		!aw_window_slice_end(&window, PG_GETARG_TIMESTAMP(0), &slice.end_us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));

	values[0] = TimestampGetDatum(slice.start_us);
	values[1] = TimestampGetDatum(slice.end_us);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row_type), values, nulls)));
}

/*
 * first_row(limit, shift_us, by_end, kind, step, size, offset): a time before which
 * there is no row of a window that starts, or ends, at limit + shift or later.
 */
Datum
aw_sql_first_row(PG_FUNCTION_ARGS)
{
	return row_limit(fcinfo, true);
}

/* last_row(...): one after which there is no row of a window that does so earlier */
Datum
aw_sql_last_row(PG_FUNCTION_ARGS)
{
	return row_limit(fcinfo, false);
}

Datum
aw_sql_tumble_start_transition(PG_FUNCTION_ARGS)
{
	return accumulate_tumble(fcinfo, AW_PART_START);
}

Datum
aw_sql_tumble_end_transition(PG_FUNCTION_ARGS)
{
	return accumulate_tumble(fcinfo, AW_PART_END);
}

Datum
aw_sql_tumble_rowtime_transition(PG_FUNCTION_ARGS)
{
	return accumulate_tumble(fcinfo, AW_PART_ROWTIME);
}

/* The value comes from the final function; the state only tells that there is one. */
Datum
aw_sql_tumble_proctime_transition(PG_FUNCTION_ARGS)
{
	return accumulate_tumble(fcinfo, AW_PART_START);
}

Datum
aw_sql_hop_start_transition(PG_FUNCTION_ARGS)
{
	return accumulate_hop(fcinfo, AW_PART_START);
}

Datum
aw_sql_hop_end_transition(PG_FUNCTION_ARGS)
{
	return accumulate_hop(fcinfo, AW_PART_END);
}

Datum
aw_sql_hop_rowtime_transition(PG_FUNCTION_ARGS)
{
	return accumulate_hop(fcinfo, AW_PART_ROWTIME);
}

Datum
aw_sql_hop_proctime_transition(PG_FUNCTION_ARGS)
{
	return accumulate_hop(fcinfo, AW_PART_START);
}

/* All rows of a group give the same value, so either state will do. */
Datum
aw_sql_window_part_combine(PG_FUNCTION_ARGS)
{
	if (!PG_ARGISNULL(0))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	if (!PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	PG_RETURN_NULL();
}

Datum
aw_sql_tumble_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(plan_table_function(fcinfo, AW_KIND_TUMBLE));
}

Datum
aw_sql_hop_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(plan_table_function(fcinfo, AW_KIND_HOP));
}

Datum
aw_sql_cumulate_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(plan_table_function(fcinfo, AW_KIND_CUMULATE));
}

Datum
aw_sql_hop_rows_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(estimate_rows((SupportRequestRows *) PG_GETARG_POINTER(0), AW_KIND_HOP));
}

Datum
aw_sql_cumulate_rows_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(estimate_rows((SupportRequestRows *) PG_GETARG_POINTER(0),
									AW_KIND_CUMULATE));
}

Datum
aw_sql_group_tumble_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(plan_group_window(fcinfo, AW_KIND_TUMBLE));
}

Datum
aw_sql_group_hop_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestRows))
		PG_RETURN_POINTER(estimate_rows((SupportRequestRows *) request, AW_KIND_HOP));
	PG_RETURN_POINTER(plan_group_window(fcinfo, AW_KIND_HOP));
}

Datum
aw_sql_tumble_part_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(check_part(fcinfo, AW_KIND_TUMBLE));
}

Datum
aw_sql_hop_part_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(check_part(fcinfo, AW_KIND_HOP));
}

/*
 * A filter asks for each row with the same arguments, so the last answer is kept, and
 * arguments that are constants are not looked at again.
 */
static Datum
row_limit(FunctionCallInfo fcinfo, bool is_first)
{
	LimitCall  *call = fcinfo->flinfo->fn_extra;
	Timestamp	limit = PG_GETARG_TIMESTAMP(0);
	LimitArgs	args;

	if (call == NULL)
		call = prepare_limit(fcinfo->flinfo);
	else if (!call->varies && call->args.limit == limit &&
			 (!call->is_zoned || call->args.zone == session_timezone))
		PG_RETURN_TIMESTAMP(call->result);

	memset(&args, 0, sizeof(args));
	args.limit = limit;
	args.shift_us = PG_GETARG_INT64(1);
	args.by_end = PG_GETARG_BOOL(2);
	args.kind = PG_GETARG_INT32(3);
	args.step = *PG_GETARG_INTERVAL_P(4);
	args.size = *PG_GETARG_INTERVAL_P(5);
	args.offset = *PG_GETARG_INTERVAL_P(6);
	args.zone = call->is_zoned ? session_timezone : NULL;

	if (memcmp(&call->args, &args, sizeof(args)) != 0)
	{
		call->result = compute_limit(&args, is_first);
		call->args = args;
	}
	PG_RETURN_TIMESTAMP(call->result);
}

/* Room for the last answer, which is none yet: a size of 0 is in no call. */
static LimitCall *
prepare_limit(FmgrInfo *flinfo)
{
	LimitCall  *call = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(LimitCall));
	FuncExpr   *expr = (FuncExpr *) flinfo->fn_expr;
	ListCell   *lc;

	call->is_zoned = get_fn_expr_argtype(flinfo, 0) == TIMESTAMPTZOID;
	call->varies = (expr == NULL || !IsA(expr, FuncExpr));
	if (!call->varies)
	{
		for_each_from(lc, expr->args, 1)
			call->varies |= !IsA(lfirst(lc), Const);
	}
	flinfo->fn_extra = call;
	return call;
}

static Timestamp
compute_limit(const LimitArgs *args, bool is_first)
{
	AwWindowArgs window = {.kind = (AwWindowKind) args->kind};
	AwWindowSpec spec;
	Timestamp	limit = args->limit;

	window.step = &args->step;
	window.size = &args->size;
	window.offset = &args->offset;
	aw_windowspec_init(&spec, &window, args->zone != NULL);

	if (!TIMESTAMP_NOT_FINITE(limit) &&
		(pg_add_s64_overflow(limit, args->shift_us, &limit) || !IS_VALID_TIMESTAMP(limit)))
		limit = (args->shift_us > 0) ? DT_NOEND : DT_NOBEGIN;

	return is_first ? aw_windowspec_first_row(&spec, args->by_end, limit) :
		aw_windowspec_last_row(&spec, args->by_end, limit);
}

/*
 * The window of a call, checked anew only if an argument has changed.
 *
 * first is the number of the time argument; the intervals follow it, in the
 * order step, size, offset, where the kind and the call have them.
 */
static AwWindowSpec *
window_of_call(FunctionCallInfo fcinfo, AwWindowKind kind, int first, bool has_offset)
{
	WindowCall *call = fcinfo->flinfo->fn_extra;
	AwWindowArgs args;
	MemoryContext caller;

	args_of_call(fcinfo, kind, first, has_offset, &args);
	if (call != NULL && same_interval(&call->size, args.size) &&
		same_interval(&call->step, args.step) && same_interval(&call->offset, args.offset))
		return &call->spec;

	if (call != NULL)
	{
		fcinfo->flinfo->fn_extra = NULL;
		aw_windowspec_release(&call->spec);
		pfree(call);
	}

	caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	call = palloc0(sizeof(WindowCall));
	aw_windowspec_init(&call->spec, &args,
					   get_fn_expr_argtype(fcinfo->flinfo, first) == TIMESTAMPTZOID);
	MemoryContextSwitchTo(caller);

	call->size = *args.size;
	call->step = *args.step;
	call->offset = *args.offset;
	fcinfo->flinfo->fn_extra = call;
	return &call->spec;
}

/* TUMBLE's step is its size, for the comparison of arguments. */
static void
args_of_call(FunctionCallInfo fcinfo, AwWindowKind kind, int first, bool has_offset,
			 AwWindowArgs *args)
{
	int			size = (kind == AW_KIND_TUMBLE) ? first + 1 : first + 2;

	args->kind = kind;
	args->step = PG_ARGISNULL(first + 1) ? NULL : PG_GETARG_INTERVAL_P(first + 1);
	args->size = PG_ARGISNULL(size) ? NULL : PG_GETARG_INTERVAL_P(size);
	args->offset = &aw_windowspec_no_offset;
	if (has_offset)
		args->offset = PG_ARGISNULL(size + 1) ? NULL : PG_GETARG_INTERVAL_P(size + 1);
}

/* A part of the window of a row; NULL for a NULL time. */
static Datum
tumble_part(FunctionCallInfo fcinfo, bool has_offset, AwWindowPart part)
{
	AwWindowSpec *spec = window_of_call(fcinfo, AW_KIND_TUMBLE, 0, has_offset);

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return part_of_span(aw_windowspec_tumble(spec, PG_GETARG_TIMESTAMP(0)), part);
}

/* Are they the same in every field?  NULL is the same as nothing. */
static bool
same_interval(const Interval *a, const Interval *b)
{
	return b != NULL && a->time == b->time && a->day == b->day && a->month == b->month;
}

/*
 * Returns the windows of a row as a set: window_start, window_end and, where the
 * row type has a third column, window_time.  Nothing comes out for a NULL time.
 */
static void
explode_row(FunctionCallInfo fcinfo, AwWindowKind kind, bool has_offset)
{
	AwWindowSpec *spec = window_of_call(fcinfo, kind, 0, has_offset);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	AwWindowWalk walk;
	AwSpan		span;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	if (PG_ARGISNULL(0))
		return;

	aw_windowspec_limit(spec, aw_guc_max_windows_per_row);
	aw_windowspec_walk(spec, PG_GETARG_TIMESTAMP(0), &walk);
	while (aw_windowspec_next(spec, &walk, &span))
	{
		Datum		values[3];
		bool		nulls[3] = {false, false, false};

		CHECK_FOR_INTERRUPTS();
		values[0] = part_of_span(span, AW_PART_START);
		values[1] = part_of_span(span, AW_PART_END);
		values[2] = part_of_span(span, AW_PART_ROWTIME);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* window_time is the last millisecond of the window, as in Flink. */
static Datum
part_of_span(AwSpan span, AwWindowPart part)
{
	if (part == AW_PART_START)
		return TimestampGetDatum(span.start_us);
	if (part == AW_PART_END || TIMESTAMP_NOT_FINITE(span.end_us))
		return TimestampGetDatum(span.end_us);
	return TimestampGetDatum(span.end_us - AW_WINDOW_MIN_US);
}

/* Transition of a part of TUMBLE: (state, time_attr, window_interval). */
static Datum
accumulate_tumble(FunctionCallInfo fcinfo, AwWindowPart part)
{
	if (!PG_ARGISNULL(0))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	aw_groupwindow_require_group(fcinfo);
	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	return part_of_span(aw_windowspec_tumble(window_of_call(fcinfo, AW_KIND_TUMBLE, 1, false),
											 PG_GETARG_TIMESTAMP(1)), part);
}

/* Transition of a part of HOP: (state, time_attr, slide_interval, window_interval). */
static Datum
accumulate_hop(FunctionCallInfo fcinfo, AwWindowPart part)
{
	if (!PG_ARGISNULL(0))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	return part_of_span(aw_groupwindow_current(fcinfo), part);
}

static Node *
plan_table_function(FunctionCallInfo fcinfo, AwWindowKind kind)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL)
		return NULL;
	return aw_tablefunction_plan_window(request->root, request->fcall, kind);
}

/* Checks a group window, and leaves the call and its cost as they are. */
static Node *
plan_group_window(FunctionCallInfo fcinfo, AwWindowKind kind)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	SupportRequestCost *cost = (SupportRequestCost *) request;

	if (IsA(request, SupportRequestSimplify) && request->root != NULL)
		aw_groupwindow_plan(request->root, request->fcall, kind);
	if (IsA(cost, SupportRequestCost) && cost->root != NULL && cost->node != NULL &&
		kind == AW_KIND_TUMBLE)
		aw_groupwindow_drop_null(cost->root, cost->node);
	return NULL;
}

/* HOP and CUMULATE(timecol, step, size [, offset]): windows per row. */
static Node *
estimate_rows(SupportRequestRows *request, AwWindowKind kind)
{
	List	   *args;
	AwWindow	window;

	if (!IsA(request, SupportRequestRows) || !IsA(request->node, FuncExpr))
		return NULL;

	args = ((FuncExpr *) request->node)->args;
	if (!aw_windowspec_constants(&window, kind, lthird(args), lsecond(args),
								 list_length(args) > 3 ? lfourth(args) : NULL))
		return NULL;

	request->rows = aw_window_max_per_row(&window);
	if (kind == AW_KIND_CUMULATE)
		request->rows = (request->rows + 1) / 2;
	return (Node *) request;
}

/*
 * The planner asks what a transition function costs: the moment to check the
 * aggregate.  The cost is left to the planner.
 */
static Node *
check_part(FunctionCallInfo fcinfo, AwWindowKind kind)
{
	SupportRequestCost *request = (SupportRequestCost *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestCost) && request->root != NULL)
		aw_groupwindow_check_part(request->root, request->funcid, kind);
	return NULL;
}
