/*
 * window.h
 *
 * Windows over event time as a small value.  All times are int64 microseconds
 * since 2000-01-01 00:00, as PostgreSQL's timestamps; spans are half-open.
 */
#ifndef AW_WINDOW_H
#define AW_WINDOW_H

/* 1970-01-01 00:00: windows without an offset are aligned to it, as in Flink */
#define AW_WINDOW_EPOCH_US	INT64CONST(-946684800000000)

/* the shortest size, slide and step, and what window_time stays below the end */
#define AW_WINDOW_MIN_US	INT64CONST(1000)

typedef enum AwWindowKind
{
	AW_KIND_TUMBLE,
	AW_KIND_HOP,
	AW_KIND_CUMULATE,
	AW_KIND_SESSION				/* bounded by its rows: has no AwWindow */
} AwWindowKind;

/* What a query asks of a window. */
typedef enum AwWindowPart
{
	AW_PART_START,
	AW_PART_END,
	AW_PART_ROWTIME,			/* the last millisecond of the window */
	AW_PART_PROCTIME			/* the clock when it is asked */
} AwWindowPart;

/* Why aw_window_init() refused; the caller words the error. */
typedef enum AwWindowFault
{
	AW_FAULT_NONE,
	AW_FAULT_SIZE_NOT_POSITIVE,
	AW_FAULT_SIZE_TOO_SHORT,
	AW_FAULT_STEP_NOT_POSITIVE,
	AW_FAULT_STEP_TOO_SHORT,
	AW_FAULT_STEP_NOT_DIVISOR,
	AW_FAULT_OFFSET_TOO_LARGE
} AwWindowFault;

typedef struct AwWindow
{
	AwWindowKind kind;
	int64		size_us;		/* length of the longest window */
	int64		step_us;		/* between starts (HOP) or ends (CUMULATE) */
	int64		stride_us;		/* between the starts of different windows */
	int64		origin_us;		/* some window starts here */
	int64		slice_us;		/* starts and ends fall on multiples of it */
} AwWindow;

/* The window [start_us, end_us). */
typedef struct AwSpan
{
	int64		start_us;
	int64		end_us;
} AwSpan;

/* The windows of one row, from the earliest end to the latest. */
typedef struct AwWindowWalk
{
	AwSpan		span;			/* the window that comes next */
	int64		start_step_us;
	int64		end_step_us;
	int64		n_left;
} AwWindowWalk;

extern AwWindowFault aw_window_init(AwWindow *w, AwWindowKind kind, int64 size_us,
									int64 step_us, int64 offset_us);
extern int64 aw_window_max_per_row(const AwWindow *w);
extern bool aw_window_slice_start(const AwWindow *w, int64 ts_us, int64 *slice_start);
extern bool aw_window_slice_end(const AwWindow *w, int64 ts_us, int64 *slice_end);
extern bool aw_window_walk(const AwWindow *w, int64 ts_us, AwWindowWalk *walk);
extern bool aw_window_next(AwWindowWalk *walk, AwSpan *span);
extern bool aw_window_first_row(const AwWindow *w, bool by_end, int64 limit_us, int64 *ts_us);
extern bool aw_window_last_row(const AwWindow *w, bool by_end, int64 limit_us, int64 *ts_us);
extern bool aw_window_same_session(int64 last_us, int64 ts_us, int64 gap_us);

#endif							/* AW_WINDOW_H */
