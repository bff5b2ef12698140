/*
 * catalog.c
 *
 * The only code that names our tables.  Each statement is planned once in a process.
 *
 * A user's session writes what is asked for, watermark.query; the worker writes how
 * far a query has come, watermark.progress, and its streams, watermark.input.  So neither waits for the other, but for
 * who drops a query: that takes the row of the query away under the worker, which
 * must lock it, and not wait for it, before it writes anything for the query.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "access/tupdesc.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/pg_lsn.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "catalog.h"

#define MAX_PARAMETERS 16

/* The rows that are to be kept, while a statement reads them. */
#define LATE_RELATION "aw late"

typedef enum Statement
{
	READ_ENTRIES,
	READ_DROPPED,
	FIND_READER,
	READ_INPUTS,
	LOCK_QUERY,
	INSERT_QUERY,
	INSERT_PROGRESS,
	INSERT_INPUT,
	DELETE_QUERY,
	DELETE_PROGRESS,
	DELETE_INPUTS,
	DELETE_CHECKPOINT,
	DELETE_LATE_ROWS,
	SET_REQUEST,
	RESUME_QUERY,
	WRITE_PROGRESS,
	WRITE_INPUT,
	WRITE_ERROR,
	WRITE_SLICE,
	DELETE_SLICES,
	READ_SLICES,
	READ_FIRST_SLICES,
	INSERT_LATE_ROWS,
	N_STATEMENTS
} Statement;

static const struct
{
	const char *text;
	int			n_parameters;
	Oid			types[MAX_PARAMETERS];
}			statements[N_STATEMENTS] = {
	[READ_ENTRIES] = {
		"SELECT q.name, q.view::oid, q.sink::oid, q.tracked::oid, v.relowner, "
		"q.date_style, q.interval_style, "
		"q.time_zone, q.search_path, q.is_zoned, q.emit_watermark, q.late, q.idle_timeout_us, "
		"q.max_future_us, q.on_change, q.with_history, "
		"q.request, q.request_position, p.state, "
		"p.home, p.\"position\", p.position_xid, p.attach_snapshot, p.attach_position, p.watermark_us, "
		"p.n_published, p.n_windows, p.n_results, p.n_attempts, p.may_rebuild "
		"FROM watermark.query AS q JOIN watermark.progress AS p ON p.query = q.name "
		"JOIN pg_catalog.pg_class AS v ON v.oid = q.view "
		"WHERE $1 IS NULL OR q.name = $1 ORDER BY q.name",
	1, {NAMEOID}},
	[READ_DROPPED] = {
		"SELECT q.name FROM watermark.query AS q "
		"WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class AS v WHERE v.oid = q.view)", 0, {0}},
	[FIND_READER] = {
		"SELECT q.name FROM watermark.query AS q JOIN watermark.progress AS p ON p.query = q.name "
		"JOIN pg_catalog.pg_class AS v ON v.oid = q.view "
		"WHERE p.state <> 'drained' AND EXISTS (SELECT FROM watermark.input AS i "
		"WHERE i.query = q.name AND i.source = $1) ORDER BY q.name LIMIT 1",
	1, {OIDOID}},
	[READ_INPUTS] = {
		"SELECT query, source::oid, watermark_us, watermark_at, idle_since, rows_in, n_late, "
		"n_set_aside, n_updates, n_deletes, n_truncates FROM watermark.input "
		"WHERE $1 IS NULL OR query = $1 ORDER BY query, number",
	1, {NAMEOID}},
	[LOCK_QUERY] = {
		"SELECT FROM watermark.query WHERE name = $1 FOR KEY SHARE SKIP LOCKED",
	1, {NAMEOID}},
	[INSERT_QUERY] = {
		"INSERT INTO watermark.query (name, view, sink, tracked, time_zone, "
		"search_path, date_style, interval_style, is_zoned, emit_watermark, late, "
		"idle_timeout_us, max_future_us, on_change, with_history) "
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
		15, {NAMEOID, OIDOID, OIDOID, OIDOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID,
	BOOLOID, TEXTOID, TEXTOID, INT8OID, INT8OID, TEXTOID, BOOLOID}},
	[INSERT_PROGRESS] = {
		"INSERT INTO watermark.progress (query, home, \"position\") VALUES ($1, $2, $3)",
	3, {NAMEOID, TEXTOID, PG_LSNOID}},
	[INSERT_INPUT] = {
		"INSERT INTO watermark.input (query, number, source) VALUES ($1, $2, $3)",
	3, {NAMEOID, INT4OID, OIDOID}},
	[DELETE_QUERY] = {"DELETE FROM watermark.query WHERE name = $1", 1, {NAMEOID}},
	[DELETE_PROGRESS] = {"DELETE FROM watermark.progress WHERE query = $1", 1, {NAMEOID}},
	[DELETE_INPUTS] = {"DELETE FROM watermark.input WHERE query = $1", 1, {NAMEOID}},
	[DELETE_CHECKPOINT] = {"DELETE FROM watermark.checkpoint WHERE query = $1", 1, {NAMEOID}},
	[DELETE_LATE_ROWS] = {"DELETE FROM watermark.late_row WHERE query = $1", 1, {NAMEOID}},
	[SET_REQUEST] = {
		"UPDATE watermark.query SET request = $2, "
		"request_position = pg_catalog.pg_current_wal_insert_lsn() WHERE name = $1",
	2, {NAMEOID, TEXTOID}},
	[RESUME_QUERY] = {
		"UPDATE watermark.progress SET n_attempts = 0, may_rebuild = state = 'failed', "
		"state = CASE WHEN \"position\" IS NULL THEN 'starting' ELSE 'running' END "
		"WHERE query = $1 AND (state IN ('paused', 'failed') OR n_attempts > 0)",
	1, {NAMEOID}},
	[WRITE_PROGRESS] = {
		"UPDATE watermark.progress SET state = $2, \"position\" = $3, attach_snapshot = $4, "
		"attach_position = $5, watermark_us = $6, n_published = $7, n_windows = $8, "
		"n_results = $9, n_attempts = $10, home = $11, position_xid = $12, "
		"may_rebuild = false, "
		"error = NULL, error_hint = NULL, error_code = NULL, error_at = NULL WHERE query = $1",
		12, {NAMEOID, TEXTOID, PG_LSNOID, TEXTOID, PG_LSNOID, INT8OID, INT8OID, INT8OID, INT8OID,
	INT4OID, TEXTOID, INT8OID}},
	[WRITE_INPUT] = {
		"UPDATE watermark.input SET watermark_us = $3, watermark_at = $4, "
		"moved_by = coalesce($5, moved_by), idle_since = $6, rows_in = $7, n_late = $8, "
		"n_set_aside = $9, n_updates = $10, n_deletes = $11, n_truncates = $12 "
		"WHERE query = $1 AND number = $2",
		12, {NAMEOID, INT4OID, INT8OID, TIMESTAMPTZOID, JSONBOID, TIMESTAMPTZOID, INT8OID, INT8OID,
	INT8OID, INT8OID, INT8OID, INT8OID}},
	[WRITE_ERROR] = {
		"UPDATE watermark.progress SET state = $2, n_attempts = $3, error = $4, error_code = $5, "
		"error_hint = $6, home = CASE WHEN $7 THEN home ELSE '' END, "
		"error_at = pg_catalog.clock_timestamp() WHERE query = $1",
	7, {NAMEOID, TEXTOID, INT4OID, TEXTOID, TEXTOID, TEXTOID, BOOLOID}},
	[WRITE_SLICE] = {
		"INSERT INTO watermark.checkpoint (query, part, slice_start, number, slice_end, n_rows, data) "
		"VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (query, part, slice_start, number) "
		"DO UPDATE SET slice_end = excluded.slice_end, n_rows = excluded.n_rows, "
		"data = excluded.data",
	7, {NAMEOID, INT4OID, INT8OID, INT4OID, INT8OID, INT8OID, BYTEAOID}},
	[DELETE_SLICES] = {
		"DELETE FROM watermark.checkpoint "
		"WHERE query = $1 AND part = $2 AND slice_start <= $3 AND slice_end <= $3",
	3, {NAMEOID, INT4OID, INT8OID}},
	[READ_SLICES] = {
		"SELECT part, slice_start, number, slice_end, n_rows, data FROM watermark.checkpoint "
		"WHERE query = $1 ORDER BY part, slice_start, number",
	1, {NAMEOID}},
	[READ_FIRST_SLICES] = {
		"SELECT part, pg_catalog.min(slice_start) AS slice_start FROM watermark.checkpoint "
		"WHERE query = $1 GROUP BY part",
	1, {NAMEOID}},
	[INSERT_LATE_ROWS] = {
		"INSERT INTO watermark.late_row (query, number, committed_at, reason, window_start_us, "
		"window_end_us, watermark_us, source_row) SELECT $1, l.* FROM \"" LATE_RELATION "\" AS l",
	1, {NAMEOID}},
};

static const char *const state_names[] = {
	[AW_QUERY_STARTING] = "starting",
	[AW_QUERY_RUNNING] = "running",
	[AW_QUERY_PAUSED] = "paused",
	[AW_QUERY_DRAINED] = "drained",
	[AW_QUERY_FAILED] = "failed",
};

static const char *const request_names[] = {
	[AW_REQUEST_RUN] = "run",
	[AW_REQUEST_PAUSE] = "pause",
	[AW_REQUEST_DRAIN] = "drain",
};

static SPIPlanPtr plans[N_STATEMENTS];

static TupleDesc late_columns(void);
static Tuplestorestate *late_tuples(const AwLateRow *rows, int64 n_rows, TupleDesc columns);
static uint64 execute(Statement statement, const Datum *values, const char *nulls);
static void execute_for(Statement statement, const char *name);
static List *read_entries(const char *name);
static AwEntry *read_entry(HeapTuple tuple, TupleDesc columns);
static void write_input(const char *name, int number, AwStreamProgress *stream);
static void read_input(List *entries, HeapTuple tuple, TupleDesc columns);
static char *home(void);
static bool is_home(const char *written_at, bool *is_other_timeline);
static void read_progress(AwProgress *progress, HeapTuple tuple, TupleDesc columns);
static Datum value_of(HeapTuple tuple, TupleDesc columns, const char *column, bool *isnull);
static int64 integer_of(HeapTuple tuple, TupleDesc columns, const char *column);
static Oid	oid_of(HeapTuple tuple, TupleDesc columns, const char *column);
static char *text_of(HeapTuple tuple, TupleDesc columns, const char *column);
static int	place_of(const char *text, const char *const *names, int n_names);

/* The schema of our tables; invalid, or an error, if the extension is not there. */
Oid
aw_catalog_schema(bool missing_ok)
{
	Oid			schema = get_namespace_oid("watermark", true);

	if (OidIsValid(schema) && !OidIsValid(get_relname_relid("progress", schema)))
		schema = InvalidOid;
	if (!OidIsValid(schema) && !missing_ok)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("the tables of apply_watermark are not in this database")));
	return schema;
}

/* The role with the rights on our tables. */
Oid
aw_catalog_owner(void)
{
	Oid			relid = get_relname_relid("progress", aw_catalog_schema(false));
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relid);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* All continuous queries, as AwEntry, in the current memory context. */
List *
aw_catalog_read(void)
{
	return read_entries(NULL);
}

/* One of them, NULL if there is none of this name. */
AwEntry *
aw_catalog_find(const char *name)
{
	List	   *entries = read_entries(name);

	return entries == NIL ? NULL : linitial(entries);
}

/* A query of which a table is a stream, and that has not ended; NULL if there is none. */
char *
aw_catalog_reader(Oid table)
{
	Datum		values[] = {ObjectIdGetDatum(table)};
	MemoryContext caller = CurrentMemoryContext;
	char	   *name = NULL;

	SPI_connect();
	if (execute(FIND_READER, values, NULL) > 0)
		name = MemoryContextStrdup(caller, SPI_getvalue(SPI_tuptable->vals[0],
														SPI_tuptable->tupdesc, 1));
	SPI_finish();
	return name;
}

/* Keeps a query from being dropped; false if it is gone or somebody is dropping it. */
bool
aw_catalog_lock(const char *name)
{
	Datum		values[] = {CStringGetDatum(name)};
	uint64		n_rows;

	SPI_connect();
	n_rows = execute(LOCK_QUERY, values, NULL);
	SPI_finish();
	return n_rows > 0;
}

/*
 * Waits until nobody else creates, drops or changes what has that name, and keeps it so
 * until the transaction ends.  The worker does not ask for it.
 */
void
aw_catalog_lock_name(const char *name)
{
	LockDatabaseObject(get_relname_relid("query", aw_catalog_schema(false)),
					   DatumGetUInt32(hash_any((const unsigned char *) name, strlen(name))), 0,
					   AccessExclusiveLock);
}

void
aw_catalog_insert(const AwEntry *entry)
{
	Datum		values[] = {
		NameGetDatum(&entry->name),
		ObjectIdGetDatum(entry->view),
		ObjectIdGetDatum(entry->sink),
		ObjectIdGetDatum(entry->tracked),
		CStringGetTextDatum(entry->time_zone),
		CStringGetTextDatum(entry->search_path),
		CStringGetTextDatum(entry->date_style),
		CStringGetTextDatum(entry->interval_style),
		BoolGetDatum(entry->is_zoned),
		CStringGetTextDatum(entry->is_on_event ? "on event" : "on commit"),
		CStringGetTextDatum(entry->keeps_late ? "keep" : "count"),
		Int64GetDatum(entry->idle_timeout_us),
		Int64GetDatum(entry->max_future_us),
		CStringGetTextDatum(entry->stops_on_change ? "stop" : "ignore"),
		BoolGetDatum(entry->with_history),
	};
	char		nulls[] = "               ";

	nulls[2] = OidIsValid(entry->sink) ? ' ' : 'n';
	nulls[3] = OidIsValid(entry->tracked) ? ' ' : 'n';
	nulls[11] = entry->idle_timeout_us != 0 ? ' ' : 'n';
	nulls[12] = entry->max_future_us != 0 ? ' ' : 'n';

	SPI_connect();
	execute(INSERT_QUERY, values, nulls);
	values[1] = CStringGetTextDatum(home());
	values[2] = LSNGetDatum(entry->progress.position);
	execute(INSERT_PROGRESS, values, XLogRecPtrIsInvalid(entry->progress.position) ? "  n" : NULL);
	for (int i = 0; i < entry->progress.n_streams; i++)
	{
		Datum		input[] = {
			NameGetDatum(&entry->name),
			Int32GetDatum(i),
			ObjectIdGetDatum(entry->progress.streams[i].source),
		};

		execute(INSERT_INPUT, input, NULL);
	}
	SPI_finish();
}

/* Forgets all about a query but its view. */
void
aw_catalog_delete(const char *name)
{
	execute_for(DELETE_QUERY, name);
	execute_for(DELETE_PROGRESS, name);
	execute_for(DELETE_INPUTS, name);
	execute_for(DELETE_CHECKPOINT, name);
	execute_for(DELETE_LATE_ROWS, name);
}

/*
 * Forgets queries, and streams that were tracked, whose view has been dropped: on its
 * own or with what it reads.  The view is what they are.  One that somebody is about
 * to drop, too, is left to that.
 */
void
aw_catalog_delete_dropped(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *names = NIL;
	ListCell   *lc;

	SPI_connect();
	execute(READ_DROPPED, NULL, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		MemoryContext spi = MemoryContextSwitchTo(caller);

		names = lappend(names, SPI_getvalue(tuple, SPI_tuptable->tupdesc, 1));
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	foreach(lc, names)
	{
		const char *name = lfirst(lc);

		if (aw_catalog_lock(name))
			aw_catalog_delete(name);
	}
}

void
aw_catalog_request(const char *name, AwRequest request)
{
	Datum		values[] = {
		CStringGetDatum(name),
		CStringGetTextDatum(request_names[request]),
	};

	SPI_connect();
	execute(SET_REQUEST, values, NULL);
	SPI_finish();
}

/*
 * Lets a query that is paused or has failed go on, at once if it waits to be tried again;
 * one that has failed, from the rows of its streams where the WAL is gone.
 */
void
aw_catalog_resume(const char *name)
{
	aw_catalog_request(name, AW_REQUEST_RUN);
	execute_for(RESUME_QUERY, name);
}

/* Where positions mean something: this database of this cluster, and its timeline. */
static char *
home(void)
{
	return psprintf(UINT64_FORMAT "/%u/%u", GetSystemIdentifier(), MyDatabaseId,
					RecoveryInProgress() ? 0 : GetWALInsertionTimeLine());
}

/* Is it this database, on another timeline perhaps? */
static bool
is_home(const char *written_at, bool *is_other_timeline)
{
	const char *here = home();
	size_t		length = strrchr(here, '/') - here;

	*is_other_timeline = strcmp(written_at, here) != 0;
	return strncmp(written_at, here, length) == 0 && strrchr(written_at, '/') == written_at + length;
}

/* Writes how far a query and its streams have come, which says that it has no error. */
void
aw_catalog_write_progress(const char *name, AwProgress *progress)
{
	Datum		values[] = {
		CStringGetDatum(name),
		CStringGetTextDatum(state_names[progress->state]),
		LSNGetDatum(progress->position),
		progress->attach_snapshot ? CStringGetTextDatum(progress->attach_snapshot) : (Datum) 0,
		LSNGetDatum(progress->attach_position),
		Int64GetDatum(progress->watermark.time_us),
		Int64GetDatum(progress->n_published),
		Int64GetDatum(progress->n_windows),
		Int64GetDatum(progress->n_results),
		Int32GetDatum(progress->n_attempts),
		CStringGetTextDatum(home()),
		Int64GetDatum(progress->position_xid),
	};
	char		nulls[] = "            ";

	nulls[2] = XLogRecPtrIsInvalid(progress->position) ? 'n' : ' ';
	nulls[3] = progress->attach_snapshot ? ' ' : 'n';
	nulls[4] = XLogRecPtrIsInvalid(progress->attach_position) ? 'n' : ' ';
	nulls[5] = progress->watermark.is_set ? ' ' : 'n';
	nulls[11] = progress->position_xid != 0 ? ' ' : 'n';

	SPI_connect();
	if (execute(WRITE_PROGRESS, values, nulls) != 1)
		elog(ERROR, "continuous query \"%s\" has no progress", name);
	for (int i = 0; i < progress->n_streams; i++)
	{
		if (progress->streams[i].is_changed)
			write_input(name, i, &progress->streams[i]);
	}
	SPI_finish();
}

/* Writes how far a stream has come. */
static void
write_input(const char *name, int number, AwStreamProgress *stream)
{
	Datum		values[] = {
		CStringGetDatum(name),
		Int32GetDatum(number),
		Int64GetDatum(stream->watermark.time_us),
		TimestampTzGetDatum(stream->watermark_at),
		stream->moved_by,
		TimestampTzGetDatum(stream->idle_since),
		Int64GetDatum(stream->rows_in),
		Int64GetDatum(stream->n_late),
		Int64GetDatum(stream->n_set_aside),
		Int64GetDatum(stream->n_updates),
		Int64GetDatum(stream->n_deletes),
		Int64GetDatum(stream->n_truncates),
	};
	char		nulls[] = "            ";

	nulls[2] = stream->watermark.is_set ? ' ' : 'n';
	nulls[3] = stream->watermark_at != 0 ? ' ' : 'n';
	nulls[4] = stream->moved_by != (Datum) 0 ? ' ' : 'n';
	nulls[5] = stream->idle_since != 0 ? ' ' : 'n';
	if (execute(WRITE_INPUT, values, nulls) != 1)
		elog(ERROR, "continuous query \"%s\" has no input %d", name, number);
	stream->moved_by = (Datum) 0;
	stream->is_changed = false;
}

/*
 * Notes that a query could not go on; of the progress only state and attempts count, and
 * whether its position still means something.
 */
void
aw_catalog_write_error(const char *name, const AwProgress *progress, const ErrorData *error)
{
	Datum		values[] = {
		CStringGetDatum(name),
		CStringGetTextDatum(state_names[progress->state]),
		Int32GetDatum(progress->n_attempts),
		CStringGetTextDatum(error->message),
		CStringGetTextDatum(unpack_sql_state(error->sqlerrcode)),
		error->hint != NULL ? CStringGetTextDatum(error->hint) : (Datum) 0,
		BoolGetDatum(progress->is_at_home),
	};

	SPI_connect();
	execute(WRITE_ERROR, values, error->hint != NULL ? NULL : "     n ");
	SPI_finish();
}

/* Writes a piece of a slice of an open window; data is a bytea. */
void
aw_catalog_write_slice(const char *name, const AwSlicePiece *slice, Datum data)
{
	Datum		values[] = {
		CStringGetDatum(name),
		Int32GetDatum(slice->part),
		Int64GetDatum(slice->start_us),
		Int32GetDatum(slice->number),
		Int64GetDatum(slice->end_us),
		Int64GetDatum(slice->n_rows),
		data,
	};

	SPI_connect();
	execute(WRITE_SLICE, values, NULL);
	SPI_finish();
}

/* Deletes the slices of windows of a part that ended there or before. */
void
aw_catalog_delete_slices(const char *name, int part, int64 end_us)
{
	Datum		values[] = {CStringGetDatum(name), Int32GetDatum(part), Int64GetDatum(end_us)};

	SPI_connect();
	execute(DELETE_SLICES, values, NULL);
	SPI_finish();
}

/* Calls the reader for each piece that was written; those of a slice in their order. */
void
aw_catalog_read_slices(const char *name, AwSliceReader reader, void *arg)
{
	Datum		values[] = {CStringGetDatum(name)};
	MemoryContext caller = CurrentMemoryContext;
	TupleDesc	columns;

	SPI_connect();
	execute(READ_SLICES, values, NULL);
	columns = SPI_tuptable->tupdesc;
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		bool		isnull;
		bytea	   *data = DatumGetByteaPP(value_of(tuple, columns, "data", &isnull));
		MemoryContext spi = MemoryContextSwitchTo(caller);
		AwSlicePiece slice = {
			.part = DatumGetInt32(value_of(tuple, columns, "part", &isnull)),
			.number = DatumGetInt32(value_of(tuple, columns, "number", &isnull)),
			.start_us = integer_of(tuple, columns, "slice_start"),
			.end_us = integer_of(tuple, columns, "slice_end"),
			.n_rows = integer_of(tuple, columns, "n_rows"),
		};

		reader(arg, &slice, VARDATA_ANY(data), VARSIZE_ANY_EXHDR(data));
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
}

/* Calls the reader for the first slice of each part; of a slice, only part and start are set. */
void
aw_catalog_read_first_slices(const char *name, AwSliceReader reader, void *arg)
{
	Datum		values[] = {CStringGetDatum(name)};
	MemoryContext caller = CurrentMemoryContext;

	SPI_connect();
	execute(READ_FIRST_SLICES, values, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		TupleDesc	columns = SPI_tuptable->tupdesc;
		bool		isnull;
		AwSlicePiece slice = {
			.part = DatumGetInt32(value_of(tuple, columns, "part", &isnull)),
			.start_us = integer_of(tuple, columns, "slice_start"),
		};
		MemoryContext spi = MemoryContextSwitchTo(caller);

		reader(arg, &slice, NULL, 0);
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
}

/* Keeps rows that were not taken in. */
void
aw_catalog_insert_late(const char *name, const AwLateRow *rows, int64 n_rows)
{
	EphemeralNamedRelationData relation = {.reldata = NULL};
	Datum		values[] = {CStringGetDatum(name)};

	relation.md.name = LATE_RELATION;
	relation.md.reliddesc = InvalidOid;
	relation.md.tupdesc = late_columns();
	relation.md.enrtype = ENR_NAMED_TUPLESTORE;
	relation.md.enrtuples = n_rows;
	relation.reldata = late_tuples(rows, n_rows, relation.md.tupdesc);

	SPI_connect();
	if (SPI_register_relation(&relation) != SPI_OK_REL_REGISTER)
		elog(ERROR, "could not register a relation");
	execute(INSERT_LATE_ROWS, values, NULL);
	SPI_finish();
	tuplestore_end(relation.reldata);
}

/* Those of the table but the query's name. */
static TupleDesc
late_columns(void)
{
	TupleDesc	columns = CreateTemplateTupleDesc(7);

	TupleDescInitEntry(columns, 1, "number", INT4OID, -1, 0);
	TupleDescInitEntry(columns, 2, "committed_at", TIMESTAMPTZOID, -1, 0);
	TupleDescInitEntry(columns, 3, "reason", TEXTOID, -1, 0);
	TupleDescInitEntry(columns, 4, "window_start_us", INT8OID, -1, 0);
	TupleDescInitEntry(columns, 5, "window_end_us", INT8OID, -1, 0);
	TupleDescInitEntry(columns, 6, "watermark_us", INT8OID, -1, 0);
	TupleDescInitEntry(columns, 7, "source_row", JSONBOID, -1, 0);
	return columns;
}

static Tuplestorestate *
late_tuples(const AwLateRow *rows, int64 n_rows, TupleDesc columns)
{
	Tuplestorestate *tuples = tuplestore_begin_heap(false, false, work_mem);

	for (int64 i = 0; i < n_rows; i++)
	{
		const AwLateRow *row = &rows[i];
		Datum		values[] = {
			Int32GetDatum(row->stream),
			TimestampTzGetDatum(row->committed_at),
			CStringGetTextDatum(row->reason),
			Int64GetDatum(row->window_start_us),
			Int64GetDatum(row->window_end_us),
			Int64GetDatum(row->watermark.time_us),
			row->source_row,
		};
		bool		nulls[] = {
			false,
			row->committed_at == 0,
			false,
			!row->has_window,
			!row->has_window,
			!row->watermark.is_set,
			false,
		};

		tuplestore_putvalues(tuples, columns, values, nulls);
		pfree(DatumGetPointer(values[2]));
	}
	return tuples;
}

/* Runs a statement, planned at its first use; says how many rows it had. */
static uint64
execute(Statement statement, const Datum *values, const char *nulls)
{
	Oid			types[MAX_PARAMETERS];
	int			result;

	if (plans[statement] == NULL)
	{
		SPIPlanPtr	plan;

		memcpy(types, statements[statement].types, sizeof(types));
		plan = SPI_prepare(statements[statement].text, statements[statement].n_parameters,
						   types);
		if (plan == NULL || SPI_keepplan(plan) != 0)
			elog(ERROR, "could not plan a statement: %s", SPI_result_code_string(SPI_result));
		plans[statement] = plan;
	}
	result = SPI_execute_plan(plans[statement], unconstify(Datum *, values), nulls, false, 0);
	if (result < 0)
		elog(ERROR, "could not run a statement: %s", SPI_result_code_string(result));
	return SPI_processed;
}

/* Runs a statement whose only parameter is the name of a query. */
static void
execute_for(Statement statement, const char *name)
{
	Datum		values[] = {CStringGetDatum(name)};

	SPI_connect();
	execute(statement, values, NULL);
	SPI_finish();
}

/* Entries in the order of their names; all of them if name is NULL. */
static List *
read_entries(const char *name)
{
	Datum		values[] = {CStringGetDatum(name)};
	MemoryContext caller = CurrentMemoryContext;
	List	   *entries = NIL;

	SPI_connect();
	execute(READ_ENTRIES, values, name ? " " : "n");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		entries = lappend(entries, read_entry(SPI_tuptable->vals[i], SPI_tuptable->tupdesc));
		MemoryContextSwitchTo(spi);
	}
	execute(READ_INPUTS, values, name ? " " : "n");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		MemoryContext spi = MemoryContextSwitchTo(caller);

		read_input(entries, SPI_tuptable->vals[i], SPI_tuptable->tupdesc);
		MemoryContextSwitchTo(spi);
	}
	SPI_finish();
	return entries;
}

/* Adds an input to its query, which may have been dropped meanwhile. */
static void
read_input(List *entries, HeapTuple tuple, TupleDesc columns)
{
	bool		isnull;
	const char *query = NameStr(*DatumGetName(value_of(tuple, columns, "query", &isnull)));
	AwProgress *progress = NULL;
	AwStreamProgress *stream;
	ListCell   *lc;

	foreach(lc, entries)
	{
		AwEntry    *entry = lfirst(lc);

		if (strcmp(NameStr(entry->name), query) == 0)
			progress = &entry->progress;
	}
	if (progress == NULL)
		return;
	progress->streams = progress->n_streams == 0 ? palloc(sizeof(AwStreamProgress)) :
		repalloc(progress->streams, sizeof(AwStreamProgress) * (progress->n_streams + 1));
	stream = &progress->streams[progress->n_streams++];
	memset(stream, 0, sizeof(AwStreamProgress));
	stream->source = oid_of(tuple, columns, "source");
	stream->watermark.time_us = DatumGetInt64(value_of(tuple, columns, "watermark_us", &isnull));
	stream->watermark.is_set = !isnull;
	stream->watermark_at = integer_of(tuple, columns, "watermark_at");
	stream->idle_since = integer_of(tuple, columns, "idle_since");
	stream->rows_in = integer_of(tuple, columns, "rows_in");
	stream->n_late = integer_of(tuple, columns, "n_late");
	stream->n_set_aside = integer_of(tuple, columns, "n_set_aside");
	stream->n_updates = integer_of(tuple, columns, "n_updates");
	stream->n_deletes = integer_of(tuple, columns, "n_deletes");
	stream->n_truncates = integer_of(tuple, columns, "n_truncates");
}

static AwEntry *
read_entry(HeapTuple tuple, TupleDesc columns)
{
	AwEntry    *entry = palloc0(sizeof(AwEntry));
	bool		isnull;

	namestrcpy(&entry->name, NameStr(*DatumGetName(value_of(tuple, columns, "name", &isnull))));
	entry->view = oid_of(tuple, columns, "view");
	entry->sink = oid_of(tuple, columns, "sink");
	entry->tracked = oid_of(tuple, columns, "tracked");
	entry->owner = oid_of(tuple, columns, "relowner");
	entry->time_zone = text_of(tuple, columns, "time_zone");
	entry->search_path = text_of(tuple, columns, "search_path");
	entry->date_style = text_of(tuple, columns, "date_style");
	entry->interval_style = text_of(tuple, columns, "interval_style");
	entry->is_zoned = DatumGetBool(value_of(tuple, columns, "is_zoned", &isnull));
	entry->is_on_event = strcmp(text_of(tuple, columns, "emit_watermark"), "on event") == 0;
	entry->keeps_late = strcmp(text_of(tuple, columns, "late"), "keep") == 0;
	entry->idle_timeout_us = integer_of(tuple, columns, "idle_timeout_us");
	entry->max_future_us = integer_of(tuple, columns, "max_future_us");
	entry->stops_on_change = strcmp(text_of(tuple, columns, "on_change"), "stop") == 0;
	entry->with_history = DatumGetBool(value_of(tuple, columns, "with_history", &isnull));
	entry->request = place_of(text_of(tuple, columns, "request"), request_names,
							  lengthof(request_names));
	entry->request_position = integer_of(tuple, columns, "request_position");
	read_progress(&entry->progress, tuple, columns);
	entry->progress.may_rebuild &= !OidIsValid(entry->tracked);
	return entry;
}

static void
read_progress(AwProgress *progress, HeapTuple tuple, TupleDesc columns)
{
	const char *written_at = text_of(tuple, columns, "home");
	bool		is_other_timeline = false;
	bool		isnull;

	progress->state = place_of(text_of(tuple, columns, "state"), state_names,
							   lengthof(state_names));
	progress->is_at_home = written_at == NULL || is_home(written_at, &is_other_timeline);
	progress->position = integer_of(tuple, columns, "position");
	progress->position_xid = integer_of(tuple, columns, "position_xid");
	progress->attach_snapshot = text_of(tuple, columns, "attach_snapshot");
	progress->attach_position = integer_of(tuple, columns, "attach_position");
	progress->watermark.time_us = DatumGetInt64(value_of(tuple, columns, "watermark_us", &isnull));
	progress->watermark.is_set = !isnull;
	progress->n_published = integer_of(tuple, columns, "n_published");
	progress->n_windows = integer_of(tuple, columns, "n_windows");
	progress->n_results = integer_of(tuple, columns, "n_results");
	progress->n_attempts = DatumGetInt32(value_of(tuple, columns, "n_attempts", &isnull));

	/* What a standby has when it is promoted, or a backup, is all of one moment. */
	progress->may_rebuild = DatumGetBool(value_of(tuple, columns, "may_rebuild", &isnull)) ||
		(progress->is_at_home && is_other_timeline);
}

/* A column of a row, 0 if it is NULL. */
static Datum
value_of(HeapTuple tuple, TupleDesc columns, const char *column, bool *isnull)
{
	Datum		value = SPI_getbinval(tuple, columns, SPI_fnumber(columns, column), isnull);

	return *isnull ? (Datum) 0 : value;
}

/* Of type bigint, pg_lsn or timestamptz; 0 for NULL. */
static int64
integer_of(HeapTuple tuple, TupleDesc columns, const char *column)
{
	bool		isnull;

	return DatumGetInt64(value_of(tuple, columns, column, &isnull));
}

static Oid
oid_of(HeapTuple tuple, TupleDesc columns, const char *column)
{
	bool		isnull;

	return DatumGetObjectId(value_of(tuple, columns, column, &isnull));
}

/* NULL for NULL. */
static char *
text_of(HeapTuple tuple, TupleDesc columns, const char *column)
{
	bool		isnull;
	Datum		value = value_of(tuple, columns, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

static int
place_of(const char *text, const char *const *names, int n_names)
{
	for (int i = 0; i < n_names; i++)
	{
		if (strcmp(text, names[i]) == 0)
			return i;
	}
	elog(ERROR, "unknown word \"%s\" in the tables of apply_watermark", text);
	return 0;					/* keep the compiler quiet */
}
