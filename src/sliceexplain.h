/*
 * sliceexplain.h
 *
 * What EXPLAIN says of a slice node, also of one that ran in a parallel worker.
 */
#ifndef AW_SLICEEXPLAIN_H
#define AW_SLICEEXPLAIN_H

#include "windowop.h"

/* What EXPLAIN ANALYZE counts. */
typedef struct AwSliceReport
{
	bool		has_run;
	AwSliceCounts store;
	int64		n_windows;
	int64		n_merges;
	int64		n_passes;
} AwSliceReport;

/* The reports of parallel workers, in shared memory. */
typedef struct AwSharedReports
{
	int			n_workers;
	AwSliceReport reports[FLEXIBLE_ARRAY_MEMBER];
} AwSharedReports;

extern Size aw_sliceexplain_shared_size(int n_workers);
extern void aw_sliceexplain_add(AwSliceReport *report, const AwSliceReport *other);
extern void aw_sliceexplain_fold(AwSliceReport *report, const AwSharedReports *shared);
extern void aw_sliceexplain_show_plan(const AwWindow *window, AwMergeStrategy strategy,
									  int rank_limit, struct ExplainState *es);
extern void aw_sliceexplain_show_report(const AwSliceReport *report, AwMergeStrategy strategy,
										struct ExplainState *es);

#endif							/* AW_SLICEEXPLAIN_H */
