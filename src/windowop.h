/*
 * windowop.h
 *
 * From slices to windows: walks over all windows that have rows, and in each over
 * its groups.
 */
#ifndef AW_WINDOWOP_H
#define AW_WINDOWOP_H

#include "slicestore.h"
#include "window.h"

/* How slices become windows. */
typedef enum AwMergeStrategy
{
	AW_MERGE_NONE,				/* a slice is a window */
	AW_MERGE_TWO_STACKS,
	AW_MERGE_RETRACT,			/* add slices that come in, take out those that go */
	AW_MERGE_FORWARD			/* add slices until the last window ends */
} AwMergeStrategy;

/* Windows that are not regular. */
typedef struct AwWindowGrid
{
	/* the first window that holds a time, and is after one that may be given */
	bool		(*next) (void *arg, int64 ts_us, const AwSpan *after, AwSpan *span);
	void	   *arg;
} AwWindowGrid;

typedef struct AwWindowOp AwWindowOp;

extern AwMergeStrategy aw_windowop_strategy(AwWindowKind kind, const AwAggregates *aggregates);
extern AwWindowOp *aw_windowop_create(AwSliceStore *store, const AwWindow *window,
									  AwMergeStrategy strategy, bool is_ordered);
extern void aw_windowop_set_grid(AwWindowOp *op, const AwWindowGrid *grid);
extern void aw_windowop_free(AwWindowOp *op);
extern AwGroup *aw_windowop_next(AwWindowOp *op, AwSpan *span, char **states);
extern bool aw_windowop_next_window(AwWindowOp *op, AwSpan *span);
extern AwGroup *aw_windowop_next_group(AwWindowOp *op, char **states);
extern char *aw_windowop_states(AwWindowOp *op, AwGroup *group);
extern int64 aw_windowop_n_windows(const AwWindowOp *op);
extern int64 aw_windowop_n_merges(const AwWindowOp *op);
extern int	aw_windowop_n_passes(const AwWindowOp *op);

#endif							/* AW_WINDOWOP_H */
