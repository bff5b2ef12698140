/*
 * sliceexplain.c
 *
 * What EXPLAIN says of a slice node.  Where it ran in several processes, each of them
 * did the same work: counts are added up, and memory is that of the largest.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "sliceexplain.h"

Size
aw_sliceexplain_shared_size(int n_workers)
{
	return add_size(offsetof(AwSharedReports, reports),
					mul_size(sizeof(AwSliceReport), n_workers));
}

/* Adds one report to another. */
void
aw_sliceexplain_add(AwSliceReport *report, const AwSliceReport *other)
{
	report->has_run |= other->has_run;
	report->store.n_slices += other->store.n_slices;
	report->store.n_groups += other->store.n_groups;
	report->store.disk_bytes += other->store.disk_bytes;
	report->store.memory_bytes = Max(report->store.memory_bytes, other->store.memory_bytes);
	report->n_windows += other->n_windows;
	report->n_merges += other->n_merges;
	report->n_passes = Max(report->n_passes, other->n_passes);
}

/* Adds the reports of workers. */
void
aw_sliceexplain_fold(AwSliceReport *report, const AwSharedReports *shared)
{
	for (int i = 0; i < shared->n_workers; i++)
		aw_sliceexplain_add(report, &shared->reports[i]);
}

void
aw_sliceexplain_show_plan(const AwWindow *window, AwMergeStrategy strategy, int rank_limit,
						  struct ExplainState *es)
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
	Interval	width = {.time = window->slice_us};

	ExplainPropertyText("Window", kinds[window->kind], es);
	ExplainPropertyText("Slice Width",
						DatumGetCString(DirectFunctionCall1(interval_out,
															IntervalPGetDatum(&width))), es);
	ExplainPropertyText("Strategy", strategies[strategy], es);
	if (rank_limit > 0)
		ExplainPropertyInteger("First of each Window", NULL, rank_limit, es);
}

void
aw_sliceexplain_show_report(const AwSliceReport *report, AwMergeStrategy strategy,
							struct ExplainState *es)
{
	ExplainPropertyInteger("Slices", NULL, report->store.n_slices, es);
	ExplainPropertyInteger("Groups in Slices", NULL, report->store.n_groups, es);
	if (strategy != AW_MERGE_NONE)
	{
		ExplainPropertyInteger("Windows", NULL, report->n_windows, es);
		ExplainPropertyInteger("Combines", NULL, report->n_merges, es);
	}
	ExplainPropertyInteger("Memory", "kB", (report->store.memory_bytes + 1023) / 1024, es);
	if (report->store.disk_bytes > 0)
	{
		ExplainPropertyInteger("Disk", "kB", (report->store.disk_bytes + 1023) / 1024, es);
		ExplainPropertyInteger("Passes", NULL, report->n_passes, es);
	}
}
