/*
 * preview.c
 *
 * What the open windows of a continuous query would give if they closed now: its
 * state is read as it was written last, closed as by draining, and thrown away.  Nothing
 * is changed, and the worker does not notice.
 *
 * Windows that end together are published together, so results are asked for by end,
 * and it is known which window each is of.
 *
 * The worker may write while this reads.  The watermark is read after the slices, so that
 * no window is taken for open of which slices have gone.
 *
 * All of it runs as the query's owner, but that our tables are read as their owner.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "checkpoint.h"
#include "identity.h"
#include "part.h"
#include "preview.h"
#include "query.h"
#include "rowjson.h"

/* A window of a part, and how much of the part's tuplestore is of it. */
typedef struct OpenWindow
{
	AwSpan		span;
	int64		n_rows;
	int64		n_groups;
} OpenWindow;

/* A part whose windows have closed. */
typedef struct OpenPart
{
	AwPart	   *part;
	OpenWindow *windows;		/* in the order of their ends */
	int			n_windows;
	int			n_allocated;
	int			next;			/* that is not published */
	Tuplestorestate *due;		/* of windows with the end at hand */
} OpenPart;

/* The first window of all parts. */
typedef struct FirstWindow
{
	bool		is_found;
	AwSpan		span;
	int64		closes_at_us;
} FirstWindow;

/* The first slice of each part, where has says that there is one. */
typedef struct FirstSlices
{
	int			n_parts;
	bool	   *has;
	int64	   *start_us;
} FirstSlices;

/* What is done with a query that is looked at. */
typedef void (*Look) (const AwEntry *entry, AwQuery *query, void *arg);

/* Who looks at results. */
typedef struct Viewer
{
	AwPreviewResult receive;
	void	   *arg;
} Viewer;

static void look_at(const AwEntry *entry, Look look, void *arg);
static void publish_all(const AwEntry *entry, AwQuery *query, void *arg);
static void find_first(const AwEntry *entry, AwQuery *query, void *arg);
static AwPart **make_parts(const AwQuery *query);
static void resume(const AwEntry *entry, const AwQuery *query, AwPart **parts);
static OpenPart *close_parts(AwQuery *query, AwPart **parts);
static void note_window(void *arg, const AwSpan *span, const Datum *values, const bool *nulls);
static bool next_end(const AwQuery *query, const OpenPart *parts, int64 *end_us);
static void publish_end(AwQuery *query, OpenPart *parts, int64 end_us, const Viewer *viewer);
static void take_due(OpenPart *part, int64 end_us, AwPreviewWindow *window);
static void hand_over(const AwQuery *query, Tuplestorestate *results,
					  const AwPreviewWindow *window, const Viewer *viewer);
static void note_slice(void *arg, const AwSlicePiece *slice, const char *data, Size size);

/*
 * Calls receive for each result that the open windows of a query have now, those that
 * end first at first, in a context that is reset behind it.
 */
void
aw_preview_run(const AwEntry *entry, AwPreviewResult receive, void *arg)
{
	Viewer		viewer = {receive, arg};

	look_at(entry, publish_all, &viewer);
}

/*
 * The open window of a query that ends first, and the watermark that closes it; false if
 * no window is open.
 */
bool
aw_preview_first(const AwEntry *entry, AwSpan *window, int64 *closes_at_us)
{
	FirstWindow first = {0};

	look_at(entry, find_first, &first);
	*window = first.span;
	*closes_at_us = first.closes_at_us;
	return first.is_found;
}

/* Makes a query ready for as long as it is looked at. */
static void
look_at(const AwEntry *entry, Look look, void *arg)
{
	AwQuerySettings settings = {entry->time_zone, entry->search_path, entry->date_style,
	entry->interval_style};
	AwQuery    *query = aw_query_prepare(entry->view, false, &settings);

	PG_TRY();
	{
		look(entry, query, arg);
	}
	PG_FINALLY();
	{
		aw_query_free(query);
	}
	PG_END_TRY();
}

/* Closes all windows, and publishes them to who looks. */
static void
publish_all(const AwEntry *entry, AwQuery *query, void *arg)
{
	const Viewer *viewer = arg;
	AwPart	  **parts = make_parts(query);
	AwIdentity	session;
	AwQueryIdentity before;
	OpenPart   *open;
	int64		end_us = PG_INT64_MAX;

	aw_identity_assume(&session, aw_catalog_owner());
	aw_checkpoint_read(NameStr(entry->name), query, parts);
	aw_identity_restore(&session);
	resume(entry, query, parts);
	aw_query_enter(query, &before);
	open = close_parts(query, parts);
	while (next_end(query, open, &end_us))
		publish_end(query, open, end_us, viewer);
	for (int i = 0; i < query->n_parts; i++)
		aw_part_end_closing(parts[i]);
	aw_query_leave(&before);
}

/* Finds the first window from the slices, without reading what is in them. */
static void
find_first(const AwEntry *entry, AwQuery *query, void *arg)
{
	FirstWindow *first = arg;
	AwPart	  **parts = make_parts(query);
	FirstSlices slices = {.n_parts = query->n_parts};
	AwIdentity	session;
	AwQueryIdentity before;

	slices.has = palloc0(sizeof(bool) * query->n_parts);
	slices.start_us = palloc(sizeof(int64) * query->n_parts);
	aw_identity_assume(&session, aw_catalog_owner());
	aw_catalog_read_first_slices(NameStr(entry->name), note_slice, &slices);
	aw_identity_restore(&session);
	resume(entry, query, parts);

	aw_query_enter(query, &before);
	for (int i = 0; i < query->n_parts; i++)
	{
		AwSpan		span;

		if (!slices.has[i] || !aw_state_find_open(parts[i]->state, slices.start_us[i], &span) ||
			(first->is_found && span.end_us >= first->span.end_us))
			continue;
		first->is_found = true;
		first->span = span;
		first->closes_at_us = span.end_us - query->parts[i].granule_us;
	}
	aw_query_leave(&before);
}

static AwPart **
make_parts(const AwQuery *query)
{
	AwWatermark none = {0};
	AwPart	  **parts = palloc(sizeof(AwPart *) * query->n_parts);
	AwQueryIdentity before;

	aw_query_enter(query, &before);
	for (int i = 0; i < query->n_parts; i++)
		parts[i] = aw_part_create(query, i, &none);
	aw_query_leave(&before);
	return parts;
}

/* Lets the parts go on at the watermark of the query. */
static void
resume(const AwEntry *entry, const AwQuery *query, AwPart **parts)
{
	AwIdentity	session;
	const AwEntry *now;

	aw_identity_assume(&session, aw_catalog_owner());
	now = aw_catalog_find(NameStr(entry->name));
	aw_identity_restore(&session);
	for (int i = 0; now != NULL && i < query->n_parts; i++)
		aw_state_resume(parts[i]->state, &now->progress.watermark);
}

/* Closes all windows of all parts, into their tuplestores. */
static OpenPart *
close_parts(AwQuery *query, AwPart **parts)
{
	AwWatermark end = {true, PG_INT64_MAX};
	OpenPart   *open = palloc0(sizeof(OpenPart) * query->n_parts);

	for (int i = 0; i < query->n_parts; i++)
	{
		AwClosed	closed = {0};

		open[i].part = parts[i];
		aw_part_begin_closing(parts[i]);
		aw_state_close(parts[i]->state, &end, note_window, &open[i], &closed);
		tuplestore_rescan(parts[i]->windows);
	}
	return open;
}

/* A group or a row of a window. */
static void
note_window(void *arg, const AwSpan *span, const Datum *values, const bool *nulls)
{
	OpenPart   *open = arg;
	OpenWindow *window = open->n_windows == 0 ? NULL : &open->windows[open->n_windows - 1];

	if (window == NULL || window->span.start_us != span->start_us ||
		window->span.end_us != span->end_us)
	{
		if (open->n_windows == open->n_allocated)
		{
			open->n_allocated = Max(16, open->n_allocated * 2);
			open->windows = open->windows == NULL ?
				palloc(sizeof(OpenWindow) * open->n_allocated) :
				repalloc_huge(open->windows, sizeof(OpenWindow) * open->n_allocated);
		}
		window = &open->windows[open->n_windows++];
		window->span = *span;
		window->n_rows = aw_state_count_rows(open->part->state, span);
		window->n_groups = 0;
	}
	window->n_groups++;
	aw_part_put_window(open->part, span, values, nulls);
}

/* The least end of windows that are not published; false if all are. */
static bool
next_end(const AwQuery *query, const OpenPart *parts, int64 *end_us)
{
	bool		is_found = false;

	for (int i = 0; i < query->n_parts; i++)
	{
		const OpenPart *part = &parts[i];

		if (part->next == part->n_windows)
			continue;
		if (!is_found || part->windows[part->next].span.end_us < *end_us)
			*end_us = part->windows[part->next].span.end_us;
		is_found = true;
	}
	return is_found;
}

/* Publishes the windows with an end, not into the sink, but to who looks. */
static void
publish_end(AwQuery *query, OpenPart *parts, int64 end_us, const Viewer *viewer)
{
	AwPreviewWindow window = {.span = {PG_INT64_MAX, end_us}};
	Tuplestorestate *results = tuplestore_begin_heap(false, false, work_mem);
	Tuplestorestate **due = palloc(sizeof(Tuplestorestate *) * query->n_parts);

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < query->n_parts; i++)
	{
		due[i] = tuplestore_begin_heap(false, false, work_mem);
		parts[i].due = due[i];
		take_due(&parts[i], end_us, &window);
	}
	aw_query_run_publish(query, due, results);
	hand_over(query, results, &window, viewer);
	for (int i = 0; i < query->n_parts; i++)
		tuplestore_end(due[i]);
	tuplestore_end(results);
	pfree(due);
}

/* Moves what a part has of windows with an end to where it is published from. */
static void
take_due(OpenPart *part, int64 end_us, AwPreviewWindow *window)
{
	TupleTableSlot *slot = MakeSingleTupleTableSlot(part->part->query->windows,
													&TTSOpsMinimalTuple);

	while (part->next < part->n_windows && part->windows[part->next].span.end_us == end_us)
	{
		const OpenWindow *from = &part->windows[part->next++];

		window->has_start = window->span.start_us == PG_INT64_MAX ||
			(window->has_start && window->span.start_us == from->span.start_us);
		window->span.start_us = from->span.start_us;
		window->n_rows += from->n_rows;
		for (int64 i = 0; i < from->n_groups; i++)
		{
			if (!tuplestore_gettupleslot(part->part->windows, true, false, slot))
				elog(ERROR, "a group of an open window is missing");
			tuplestore_puttupleslot(part->due, slot);
		}
	}
	ExecDropSingleTupleTableSlot(slot);
}

/* Hands over the results of windows, each in the same context. */
static void
hand_over(const AwQuery *query, Tuplestorestate *results, const AwPreviewWindow *window,
		  const Viewer *viewer)
{
	MemoryContext cxt = AllocSetContextCreate(CurrentMemoryContext, "result of an open window",
											  ALLOCSET_DEFAULT_SIZES);
	TupleDesc	columns = BlessTupleDesc(CreateTupleDescCopy(query->results));
	TupleTableSlot *slot = MakeSingleTupleTableSlot(columns, &TTSOpsMinimalTuple);

	tuplestore_rescan(results);
	while (tuplestore_gettupleslot(results, true, false, slot))
	{
		MemoryContext caller;

		CHECK_FOR_INTERRUPTS();
		caller = MemoryContextSwitchTo(cxt);
		viewer->receive(viewer->arg, window, aw_rowjson_of_slot(slot, columns));
		MemoryContextSwitchTo(caller);
		MemoryContextReset(cxt);
	}
	ExecDropSingleTupleTableSlot(slot);
	MemoryContextDelete(cxt);
}

static void
note_slice(void *arg, const AwSlicePiece *slice, const char *data, Size size)
{
	FirstSlices *slices = arg;

	(void) data;
	(void) size;
	if (slice->part >= slices->n_parts)
		elog(ERROR, "a slice is of a window that is not there");
	slices->has[slice->part] = true;
	slices->start_us[slice->part] = slice->start_us;
}
