/*
 * sql_scratch.c
 *
 * Runs a continuous query over the rows that a table has, in batches, without an
 * engine.
 */
#include "postgres.h"

#include <sys/resource.h>

#include "access/htup_details.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "query.h"
#include "sink.h"
#include "windowop.h"
#include "windowspec.h"

typedef struct Run
{
	AwQuery    *query;
	AwSliceStore *store;
	AwWindowSpec spec;
	MemoryContext scratch;
	int64		n_watermarks;
	int64		n_ingested;
	int64		n_untimed;
	Timestamp	watermark;
	double		watermark_s;
	double		ingest_s;
} Run;

static Run *prepare(Oid view);
static void ingest_table(Run *run, int batch_size, const char *condition);
static double cpu_seconds(void);
static void ingest_batch(Run *run, TupleDesc columns, Tuplestorestate *batch);
static void note_watermark(const AwWatermarkRow *row, void *context);
static void add_row(TupleTableSlot *slot, void *context);
static void publish(Run *run, AwSink *sink);

PG_FUNCTION_INFO_V1(aw_sql_scratch_run);
PG_FUNCTION_INFO_V1(aw_sql_scratch_open);
PG_FUNCTION_INFO_V1(aw_sql_scratch_feed);
PG_FUNCTION_INFO_V1(aw_sql_scratch_close);
PG_FUNCTION_INFO_V1(aw_sql_scratch_check);

/* scratch_run(view, batch_size, sink) */
Datum
aw_sql_scratch_run(PG_FUNCTION_ARGS)
{
	Run		   *run = prepare(PG_GETARG_OID(0));
	Oid			relid = aw_sink_create(text_to_cstring(PG_GETARG_TEXT_PP(2)), run->query);
	AwSink	   *sink = aw_sink_open(relid, run->query);
	char	   *text;

	ingest_table(run, PG_GETARG_INT32(1), "true");
	publish(run, sink);
	text = psprintf("watermarks %lld ingested %lld untimed %lld watermark %s",
					(long long) run->n_watermarks, (long long) run->n_ingested,
					(long long) run->n_untimed, timestamptz_to_str(run->watermark));
	aw_sink_close(sink);
	aw_query_free(run->query);
	PG_RETURN_TEXT_P(cstring_to_text(text));
}

static Run *held;
static AwSink *held_sink;

/* scratch_open(view, sink) */
Datum
aw_sql_scratch_open(PG_FUNCTION_ARGS)
{
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);

	held = prepare(PG_GETARG_OID(0));
	held_sink = aw_sink_open(aw_sink_create(text_to_cstring(PG_GETARG_TEXT_PP(1)), held->query),
							 held->query);
	MemoryContextSwitchTo(caller);
	PG_RETURN_VOID();
}

/* scratch_feed(batch_size, condition) */
Datum
aw_sql_scratch_feed(PG_FUNCTION_ARGS)
{
	bool		was_current = aw_query_is_current(held->query);

	held->n_ingested = held->n_watermarks = held->n_untimed = 0;
	held->ingest_s = held->watermark_s = 0;
	aw_query_refresh(held->query);
	ingest_table(held, PG_GETARG_INT32(0), text_to_cstring(PG_GETARG_TEXT_PP(1)));
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("current %d watermarks %lld ingested %lld watermark s %.3f ingest s %.3f",
											  was_current, (long long) held->n_watermarks,
											  (long long) held->n_ingested, held->watermark_s,
											  held->ingest_s)));
}

/* scratch_close(): publishes */
Datum
aw_sql_scratch_close(PG_FUNCTION_ARGS)
{
	double		start = cpu_seconds();

	publish(held, held_sink);
	aw_sink_close(held_sink);
	aw_query_free(held->query);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("publish s %.3f", cpu_seconds() - start)));
}

static double
cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6 +
		usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6;
}

/* scratch_check(view): only prepares */
Datum
aw_sql_scratch_check(PG_FUNCTION_ARGS)
{
	Run		   *run = prepare(PG_GETARG_OID(0));
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "%s keys %d calls %d granule %d", get_rel_name(run->query->source),
					 run->query->n_keys, run->query->n_calls, (int) run->query->granule_us);
	for (int i = 0; i < run->query->results->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(run->query->results, i);

		appendStringInfo(&text, " %s %s", NameStr(column->attname),
						 format_type_with_typemod(column->atttypid, column->atttypmod));
	}
	aw_query_free(run->query);
	PG_RETURN_TEXT_P(cstring_to_text(text.data));
}

static Run *
prepare(Oid view)
{
	AwQuerySettings settings = {
		.time_zone = pstrdup(GetConfigOption("TimeZone", false, false)),
		.search_path = pstrdup(GetConfigOption("search_path", false, false))
	};
	Run		   *run = palloc0(sizeof(Run));

	run->query = aw_query_prepare(view, &settings);
	run->store = aw_slicestore_create(aw_aggstate_create(run->query->calls, run->query->n_calls),
									  run->query->keys, run->query->n_keys, (Size) 1 << 30);
	run->spec.window = run->query->window;
	run->spec.is_zoned = run->query->is_zoned;
	run->spec.cxt = CurrentMemoryContext;
	run->scratch = AllocSetContextCreate(CurrentMemoryContext, "scratch", ALLOCSET_DEFAULT_SIZES);
	TIMESTAMP_NOBEGIN(run->watermark);
	return run;
}

static void
ingest_table(Run *run, int batch_size, const char *condition)
{
	TupleDesc	columns = CreateTupleDescCopy(aw_query_batch_columns(run->query));
	char	   *name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(run->query->source)),
												  get_rel_name(run->query->source));
	Portal		portal;
	Datum	   *values = palloc0(sizeof(Datum) * columns->natts);
	bool	   *nulls = palloc(sizeof(bool) * columns->natts);
	int64		ordinal = 0;

	SPI_connect();
	portal = SPI_cursor_parse_open(NULL, psprintf("SELECT * FROM %s WHERE %s", name, condition),
								   &(SPIParseOpenOptions) {.read_only = true});
	for (;;)
	{
		Tuplestorestate *batch;

		SPI_cursor_fetch(portal, true, batch_size);
		if (SPI_processed == 0)
			break;
		batch = tuplestore_begin_heap(false, false, 65536);
		for (uint64 i = 0; i < SPI_processed; i++)
		{
			int			source = 0;

			memset(nulls, true, sizeof(bool) * columns->natts);
			for (int j = 0; j < columns->natts - 1; j++)
			{
				if (!TupleDescAttr(columns, j)->attisdropped)
				{
					source++;
					values[j] = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, source,
											  &nulls[j]);
				}
			}
			values[columns->natts - 1] = Int64GetDatum(ordinal++);
			nulls[columns->natts - 1] = false;
			tuplestore_putvalues(batch, columns, values, nulls);
		}
		SPI_freetuptable(SPI_tuptable);
		ingest_batch(run, columns, batch);
		tuplestore_end(batch);
	}
	SPI_cursor_close(portal);
	SPI_finish();
}

static void
ingest_batch(Run *run, TupleDesc columns, Tuplestorestate *batch)
{
	double		start = cpu_seconds();
	double		middle;

	aw_query_run_watermarks(run->query, columns, batch, note_watermark, run);
	middle = cpu_seconds();
	aw_query_run_ingest(run->query, columns, batch, add_row, run);
	run->watermark_s += middle - start;
	run->ingest_s += cpu_seconds() - middle;
}

static void
note_watermark(const AwWatermarkRow *row, void *context)
{
	Run		   *run = context;

	run->n_watermarks++;
	if (row->has_strategy && !TIMESTAMP_NOT_FINITE(row->strategy_us))
		run->watermark = Max(run->watermark, row->strategy_us);
}

static void
add_row(TupleTableSlot *slot, void *context)
{
	Run		   *run = context;
	AwSpan		span;

	if (slot->tts_isnull[AW_INGEST_ROWTIME] ||
		TIMESTAMP_NOT_FINITE(DatumGetTimestamp(slot->tts_values[AW_INGEST_ROWTIME])))
	{
		run->n_untimed++;
		return;
	}
	run->n_ingested++;
	span = aw_windowspec_tumble(&run->spec,
								DatumGetTimestamp(slot->tts_values[AW_INGEST_ROWTIME]));
	aw_slicestore_add_row(run->store, aw_slicestore_slice(run->store, span.start_us, span.end_us),
						  slot->tts_values, slot->tts_isnull);
}

/* Each window by itself. */
static void
publish(Run *run, AwSink *sink)
{
	AwQuery    *query = run->query;
	AwWindowOp *op = aw_windowop_create(run->store, &query->window, AW_MERGE_NONE, true);
	AwAggregates *aggregates = aw_slicestore_aggregates(run->store);
	int			natts = query->windows->natts;
	Datum	   *values = palloc0(sizeof(Datum) * natts);
	bool	   *nulls = palloc0(sizeof(bool) * natts);
	Tuplestorestate *windows = NULL;
	AwSpan		span;
	AwSpan		last = {0, 0};
	char	   *states;
	AwGroup    *group;

	do
	{
		group = aw_windowop_next(op, &span, &states);
		if (windows != NULL && (group == NULL || span.start_us != last.start_us))
		{
			Tuplestorestate *results = tuplestore_begin_heap(false, false, 65536);

			aw_query_run_publish(query, windows, results);
			aw_sink_insert(sink, query, results);
			tuplestore_end(results);
			tuplestore_end(windows);
			windows = NULL;
		}
		if (group == NULL)
			break;
		if (windows == NULL)
			windows = tuplestore_begin_heap(false, false, 65536);
		last = span;
		values[AW_WINDOWS_START] = TimestampGetDatum(span.start_us);
		values[AW_WINDOWS_END] = TimestampGetDatum(span.end_us);
		values[AW_WINDOWS_TIME] = TimestampGetDatum(span.end_us - 1000);
		for (int i = 0; i < query->n_keys; i++)
		{
			values[AW_WINDOWS_FIRST + i] = group->keys[i];
			nulls[AW_WINDOWS_FIRST + i] = (group->null_keys >> i) & 1;
		}
		aw_aggstate_results(aggregates, states, values + AW_WINDOWS_FIRST + query->n_keys,
							nulls + AW_WINDOWS_FIRST + query->n_keys);
		tuplestore_putvalues(windows, query->windows, values, nulls);
	} while (true);
}
