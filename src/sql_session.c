/*
 * sql_session.c
 *
 * SQL functions of sessions.  The planner puts two window functions over the
 * rows of a key in the order of their times: session_start() remembers where the
 * session began, session_end() looks ahead for where it ends, once per session.
 * Each row is visited twice; rows that were left behind are not kept.
 *
 * NULL times sort last and are in no session; a row at infinity is in a session
 * with its like, which starts and ends there.
 */
#include "postgres.h"

#include "common/int.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/supportnodes.h"
#include "utils/timestamp.h"
#include "windowapi.h"

#include "groupwindow.h"
#include "statement.h"
#include "tablefunction.h"
#include "windowspec.h"

/* What session_start() knows of the rows before. */
typedef struct SessionStart
{
	int64		gap_us;			/* 0 before the first row */
	Timestamp	start;
	Timestamp	last;
} SessionStart;

/* What session_end() knows of the session at hand. */
typedef struct SessionEnd
{
	int64		gap_us;			/* 0 before the first row */
	int64		n_rows;			/* of the partition, to the session's last */
	Timestamp	end;
} SessionEnd;

static Datum unplanned_part(FunctionCallInfo fcinfo);
static void leave_rows_behind(WindowObject window);
static int64 gap_of_window(WindowObject window);
static bool same_session(Timestamp last, Timestamp ts, int64 gap_us);
static Timestamp end_of_session(Timestamp last, int64 gap_us);
static void find_end(WindowObject window, SessionEnd *session, Timestamp first);

PG_FUNCTION_INFO_V1(aw_sql_session);
PG_FUNCTION_INFO_V1(aw_sql_session_start);
PG_FUNCTION_INFO_V1(aw_sql_session_end);
PG_FUNCTION_INFO_V1(aw_sql_session_end_after);
PG_FUNCTION_INFO_V1(aw_sql_session_start_transition);
PG_FUNCTION_INFO_V1(aw_sql_session_end_transition);
PG_FUNCTION_INFO_V1(aw_sql_session_rowtime_transition);
PG_FUNCTION_INFO_V1(aw_sql_session_proctime_transition);
PG_FUNCTION_INFO_V1(aw_sql_session_support);
PG_FUNCTION_INFO_V1(aw_sql_group_session_support);
PG_FUNCTION_INFO_V1(aw_sql_session_part_support);

/* session(time_attr, gap_interval) in GROUP BY: planning puts columns in its place */
Datum
aw_sql_session(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("SESSION must be a key of GROUP BY")));
}

/* session_start(timecol, gap) OVER (PARTITION BY keys ORDER BY timecol) */
Datum
aw_sql_session_start(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	SessionStart *session = WinGetPartitionLocalMemory(window, sizeof(SessionStart));
	bool		isnull;
	Timestamp	ts = DatumGetTimestamp(WinGetFuncArgCurrent(window, 0, &isnull));

	if (isnull)
		PG_RETURN_NULL();

	if (session->gap_us == 0 || !same_session(session->last, ts, session->gap_us))
	{
		if (session->gap_us == 0)
			session->gap_us = gap_of_window(window);
		session->start = ts;
		leave_rows_behind(window);
	}

	session->last = ts;
	PG_RETURN_TIMESTAMP(session->start);
}

/* session_end(timecol, gap) OVER (PARTITION BY keys ORDER BY timecol) */
Datum
aw_sql_session_end(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	SessionEnd *session = WinGetPartitionLocalMemory(window, sizeof(SessionEnd));
	int64		position = WinGetCurrentPosition(window);
	bool		isnull;
	Timestamp	ts = DatumGetTimestamp(WinGetFuncArgCurrent(window, 0, &isnull));

	if (isnull)
		PG_RETURN_NULL();

	if (session->gap_us == 0)
		session->gap_us = gap_of_window(window);
	if (position >= session->n_rows)
	{
		leave_rows_behind(window);
		find_end(window, session, ts);
	}
	PG_RETURN_TIMESTAMP(session->end);
}

/* session_end_after(last, gap): the end of a session whose last row is known */
Datum
aw_sql_session_end_after(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMP(end_of_session(PG_GETARG_TIMESTAMP(0),
									   aw_windowspec_gap(PG_GETARG_INTERVAL_P(1))));
}

/* Transitions of SESSION_START and the like, which planning replaces. */
Datum
aw_sql_session_start_transition(PG_FUNCTION_ARGS)
{
	return unplanned_part(fcinfo);
}

Datum
aw_sql_session_end_transition(PG_FUNCTION_ARGS)
{
	return unplanned_part(fcinfo);
}

Datum
aw_sql_session_rowtime_transition(PG_FUNCTION_ARGS)
{
	return unplanned_part(fcinfo);
}

Datum
aw_sql_session_proctime_transition(PG_FUNCTION_ARGS)
{
	return unplanned_part(fcinfo);
}

Datum
aw_sql_session_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(aw_tablefunction_plan_session(request->root, request->fcall));
}

/*
 * Called only where the statement was not rewritten: the library was not loaded
 * when planning began, or SESSION is no grouping key.
 */
Datum
aw_sql_group_session_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request = (SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify) && request->root != NULL)
		aw_groupwindow_refuse_session(request->root, request->fcall, aw_statement_is_rewriting());
	PG_RETURN_POINTER(NULL);
}

Datum
aw_sql_session_part_support(PG_FUNCTION_ARGS)
{
	SupportRequestCost *request = (SupportRequestCost *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestCost) && request->root != NULL)
		aw_groupwindow_check_part(request->root, request->funcid, AW_KIND_SESSION);
	PG_RETURN_POINTER(NULL);
}

static Datum
unplanned_part(FunctionCallInfo fcinfo)
{
	aw_groupwindow_require_group(fcinfo);
	elog(ERROR, "a part of a session was not planned");
}

/*
 * Nothing looks back beyond the session at hand.  Once per session will do: on a
 * partition that has gone to disk, each call reads a block.
 */
static void
leave_rows_behind(WindowObject window)
{
	WinSetMarkPosition(window, WinGetCurrentPosition(window));
}

static int64
gap_of_window(WindowObject window)
{
	bool		isnull;
	Datum		gap = WinGetFuncArgCurrent(window, 1, &isnull);

	return aw_windowspec_gap(isnull ? NULL : DatumGetIntervalP(gap));
}

static bool
same_session(Timestamp last, Timestamp ts, int64 gap_us)
{
	if (TIMESTAMP_NOT_FINITE(last) || TIMESTAMP_NOT_FINITE(ts))
		return last == ts;
	return aw_window_same_session(last, ts, gap_us);
}

/* One gap after the last row. */
static Timestamp
end_of_session(Timestamp last, int64 gap_us)
{
	Timestamp	end;

	if (TIMESTAMP_NOT_FINITE(last))
		return last;

	if (pg_add_s64_overflow(last, gap_us, &end) || !IS_VALID_TIMESTAMP(end))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range")));
	return end;
}

/* Reads on from the current row, the first of a session, to the session's last. */
static void
find_end(WindowObject window, SessionEnd *session, Timestamp first)
{
	Timestamp	last = first;

	session->n_rows = WinGetCurrentPosition(window) + 1;
	for (;;)
	{
		bool		isnull;
		bool		isout;
		Datum		next = WinGetFuncArgInPartition(window, 0, session->n_rows, WINDOW_SEEK_HEAD,
													false, &isnull, &isout);

		CHECK_FOR_INTERRUPTS();
		if (isout || isnull ||
			!same_session(last, DatumGetTimestamp(next), session->gap_us))
			break;
		last = DatumGetTimestamp(next);
		session->n_rows++;
	}
	session->end = end_of_session(last, session->gap_us);
}
