/*
 * slicechoice.c
 *
 * Which slices are wanted: those that are in a window that meets the conditions on
 * window columns.  Rows of the others are left out before anything is computed of
 * them, as if they had been put into their windows and these then left out.
 *
 * Windows are tried from the newest to the oldest.  Where rows come in the order of
 * time, the last wanted window is mostly that of the next slice as well, and windows
 * that an unwanted slice was in are not tried again, so that each is tried about once.
 * The answers for some slices are kept, for rows that come in another order.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/timestamp.h"

#include "slicechoice.h"

#define N_ANSWERS 1024

typedef struct Answer
{
	int64		start_us;		/* of the slice */
	bool		is_known;
	bool		is_wanted;
} Answer;

struct AwSliceChoice
{
	CustomScanState *css;
	const AwSliceRow *row;
	ExprState  *quals;
	Answer		answers[N_ANSWERS];

	/* where windows are regular */
	bool		has_wanted;
	AwSpan		wanted;			/* the last window that was found to be */
	bool		has_unwanted;
	int64		unwanted_us;	/* the last slice that was found not to be */
};

static List *window_quals(CustomScanState *css, const AwSliceRow *row);
static bool try_windows(AwSliceChoice *choice, AwSliceTime *time, int64 start_us);
static bool try_window(AwSliceChoice *choice, AwSpan span);
static bool holds(AwSpan span, int64 ts_us);

/*
 * For the conditions of a node that read nothing but window columns, in the current
 * memory context; NULL if there are none.
 */
AwSliceChoice *
aw_slicechoice_create(CustomScanState *css, const AwSliceRow *row)
{
	List	   *quals = window_quals(css, row);
	AwSliceChoice *choice;

	if (quals == NIL)
		return NULL;
	choice = palloc0(sizeof(AwSliceChoice));
	choice->css = css;
	choice->row = row;
	choice->quals = ExecInitQual(quals, &css->ss.ps);
	return choice;
}

/* Forgets all answers, as parameters may have changed. */
void
aw_slicechoice_reset(AwSliceChoice *choice)
{
	memset(choice->answers, 0, sizeof(choice->answers));
	choice->has_wanted = false;
	choice->has_unwanted = false;
}

/* Is the slice in a window that is wanted? */
bool
aw_slicechoice_is_wanted(AwSliceChoice *choice, AwSliceTime *time, int64 start_us)
{
	Answer	   *answer = &choice->answers[hash_bytes((unsigned char *) &start_us, sizeof(start_us)) %
									  N_ANSWERS];

	if (!answer->is_known || answer->start_us != start_us)
	{
		/* Trying may fail. */
		answer->is_known = false;
		answer->is_wanted = try_windows(choice, time, start_us);
		answer->start_us = start_us;
		answer->is_known = true;
	}
	return answer->is_wanted;
}

static List *
window_quals(CustomScanState *css, const AwSliceRow *row)
{
	List	   *quals = NIL;
	ListCell   *lc;

	foreach(lc, css->ss.ps.plan->qual)
	{
		Bitmapset  *columns = NULL;
		bool		is_of_window = true;
		int			column = -1;

		pull_varattnos(lfirst(lc), INDEX_VAR, &columns);
		while ((column = bms_next_member(columns, column)) >= 0)
			is_of_window &= aw_slicerow_is_of_window(row, column +
													 FirstLowInvalidHeapAttributeNumber - 1);
		if (is_of_window && !contain_volatile_functions(lfirst(lc)))
			quals = lappend(quals, lfirst(lc));
	}
	return quals;
}

/* Clocks that are changed break what is known of regular windows. */
static bool
try_windows(AwSliceChoice *choice, AwSliceTime *time, int64 start_us)
{
	bool		is_regular = !time->spec.is_zoned && !TIMESTAMP_NOT_FINITE(start_us);
	AwWindowWalk walk;

	if (is_regular && choice->has_wanted && holds(choice->wanted, start_us))
		return true;

	aw_windowspec_walk(&time->spec, start_us, &walk);
	for (int64 i = walk.n_left - 1; i >= 0; i--)
	{
		AwSpan		span = aw_windowspec_nth(&time->spec, &walk, i);

		CHECK_FOR_INTERRUPTS();
		if (is_regular && choice->has_unwanted && holds(span, choice->unwanted_us))
		{
			/* So do all older ones. */
			if (choice->unwanted_us <= start_us)
				break;
			continue;
		}
		if (try_window(choice, span))
		{
			choice->has_wanted = is_regular;
			choice->wanted = span;
			return true;
		}
	}
	choice->has_unwanted = is_regular;
	choice->unwanted_us = start_us;
	return false;
}

static bool
try_window(AwSliceChoice *choice, AwSpan span)
{
	ExprContext *econtext = choice->css->ss.ps.ps_ExprContext;
	TupleTableSlot *slot = choice->css->ss.ss_ScanTupleSlot;
	bool		is_wanted;

	ResetExprContext(econtext);
	ExecClearTuple(slot);
	aw_slicerow_fill_window(choice->row, span, slot);
	econtext->ecxt_scantuple = slot;
	is_wanted = ExecQual(choice->quals, econtext);
	ExecClearTuple(slot);
	return is_wanted;
}

static bool
holds(AwSpan span, int64 ts_us)
{
	return span.start_us <= ts_us && ts_us < span.end_us;
}
