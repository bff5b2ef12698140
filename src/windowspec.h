/*
 * windowspec.h
 *
 * Window arguments as SQL gives them, and the windows of a row as SQL wants
 * them: timestamps of either kind, with errors raised.
 */
#ifndef AW_WINDOWSPEC_H
#define AW_WINDOWSPEC_H

#include "datatype/timestamp.h"
#include "nodes/primnodes.h"
#include "window.h"

struct AwWallClock;

/* The interval arguments of a window call, NULL where SQL gave NULL. */
typedef struct AwWindowArgs
{
	AwWindowKind kind;
	const Interval *size;
	const Interval *step;		/* slide of HOP, step of CUMULATE; not for TUMBLE */
	const Interval *offset;
} AwWindowArgs;

/* A window made ready for rows; lives as long as the context it was made in. */
typedef struct AwWindowSpec
{
	AwWindow	window;
	bool		is_zoned;		/* rows are timestamptz: cut on the wall clock */
	struct AwWallClock *clock;	/* NULL until the first zoned row */
	AwSpan		previous;		/* the last window of the walk */
	MemoryContext cxt;
} AwWindowSpec;

/* the offset of a call that gives none */
extern const Interval aw_windowspec_no_offset;

extern void aw_windowspec_window(AwWindow *window, const AwWindowArgs *args);
extern bool aw_windowspec_constants(AwWindow *window, AwWindowKind kind, Node *size, Node *step,
									Node *offset);
extern int64 aw_windowspec_gap(const Interval *gap);
extern void aw_windowspec_check_gap(Node *gap);
extern void aw_windowspec_constant_delay(Node *delay, const char *what);
extern void aw_windowspec_init(AwWindowSpec *spec, const AwWindowArgs *args, bool is_zoned);
extern void aw_windowspec_release(AwWindowSpec *spec);
extern void aw_windowspec_limit(const AwWindowSpec *spec, int max_windows);
extern AwSpan aw_windowspec_tumble(AwWindowSpec *spec, Timestamp ts);
extern void aw_windowspec_walk(AwWindowSpec *spec, Timestamp ts, AwWindowWalk *walk);
extern AwSpan aw_windowspec_nth(AwWindowSpec *spec, const AwWindowWalk *walk, int64 n);
extern bool aw_windowspec_ends(AwWindowSpec *spec, Timestamp ts, AwSpan *first, AwSpan *last,
							   int64 *n_windows);
extern bool aw_windowspec_slice(AwWindowSpec *spec, Timestamp ts, AwSpan *span);
extern Timestamp aw_windowspec_first_row(const AwWindowSpec *spec, bool by_end, Timestamp limit);
extern Timestamp aw_windowspec_last_row(const AwWindowSpec *spec, bool by_end, Timestamp limit);
extern bool aw_windowspec_next(AwWindowSpec *spec, AwWindowWalk *walk, AwSpan *span);

#endif							/* AW_WINDOWSPEC_H */
