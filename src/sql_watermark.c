/*
 * sql_watermark.c
 *
 * SQL functions of event time: DESCRIPTOR, APPLY_WATERMARK, watermark_for(),
 * to_timestamp_ltz(), and the support functions that show them to the planner.
 */
#include "postgres.h"

#include "common/int.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "utils/timestamp.h"
#include "windowapi.h"

#include "rowtime.h"
#include "tablefunction.h"
#include "watermark.h"

PG_FUNCTION_INFO_V1(aw_sql_descriptor);
PG_FUNCTION_INFO_V1(aw_sql_descriptor_support);
PG_FUNCTION_INFO_V1(aw_sql_apply_watermark_support);
PG_FUNCTION_INFO_V1(aw_sql_watermark_before);
PG_FUNCTION_INFO_V1(aw_sql_watermark_for);
PG_FUNCTION_INFO_V1(aw_sql_watermark_for_support);
PG_FUNCTION_INFO_V1(aw_sql_proctime);
PG_FUNCTION_INFO_V1(aw_sql_to_timestamp_ltz);

/* descriptor(anyelement) → anyelement: the column that it is given */
Datum
aw_sql_descriptor(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}

Datum
aw_sql_descriptor_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(linitial(((SupportRequestSimplify *) request)->fcall->args));
}

Datum
aw_sql_apply_watermark_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(aw_tablefunction_plan_watermark(request->root, request->fcall));
}

/*
 * watermark_before(strategy) OVER (): the watermark that stood when the row
 * came; NULL before the first.
 */
Datum
aw_sql_watermark_before(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	AwWatermark *watermark = WinGetPartitionLocalMemory(window, sizeof(AwWatermark));
	AwWatermark before = *watermark;
	Timestamp	strategy;
	bool		isnull;

	/* Nothing looks back, so rows that were read need not be kept. */
	WinSetMarkPosition(window, WinGetCurrentPosition(window));

	strategy = DatumGetTimestamp(WinGetFuncArgCurrent(window, 0, &isnull));
	if (!isnull && !TIMESTAMP_NOT_FINITE(strategy))
		aw_watermark_advance(watermark, strategy);

	if (!before.is_set)
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMP(before.time_us);
}

/* watermark_for(rowtime, strategy) → boolean: a marker, always true */
Datum
aw_sql_watermark_for(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_BOOL(true);
}

Datum
aw_sql_watermark_for_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);
	Node	   *rowtime;
	Node	   *strategy;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	rowtime = linitial(request->fcall->args);
	strategy = lsecond(request->fcall->args);
	aw_rowtime_check_strategy(request->root, rowtime, strategy);

	/* The implicit cast from timestamp to timestamptz would hide one of the other kind. */
	rowtime = aw_rowtime_written(rowtime);
	strategy = aw_rowtime_written(strategy);
	if (aw_rowtime_is_time(rowtime) && aw_rowtime_is_time(strategy))
		aw_rowtime_check_strategy(request->root, rowtime, strategy);
	PG_RETURN_POINTER(makeBoolConst(true, false));
}

/* proctime() → timestamptz: the clock, in milliseconds */
Datum
aw_sql_proctime(PG_FUNCTION_ARGS)
{
	TimestampTz now = GetCurrentTimestamp();

	(void) fcinfo;
	PG_RETURN_TIMESTAMPTZ(now - now % 1000);
}

/* to_timestamp_ltz(epoch bigint, precision int) → timestamptz */
Datum
aw_sql_to_timestamp_ltz(PG_FUNCTION_ARGS)
{
	int64		epoch = PG_GETARG_INT64(0);
	int32		precision = PG_GETARG_INT32(1);
	int64		units_us;
	TimestampTz result;

	if (precision != 0 && precision != 3)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("precision of to_timestamp_ltz() must be 0 or 3"),
				 errdetail("Precision is %d.", precision),
				 errhint("0 takes seconds since 1970, 3 takes milliseconds.")));

	units_us = (precision == 0) ? USECS_PER_SEC : USECS_PER_SEC / 1000;
	if (pg_mul_s64_overflow(epoch, units_us, &result) ||
		pg_add_s64_overflow(result, -(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY,
							&result) ||
		!IS_VALID_TIMESTAMP(result))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range"),
				 errdetail("Epoch is %lld, precision is %d.", (long long) epoch, precision)));
	PG_RETURN_TIMESTAMPTZ(result);
}
