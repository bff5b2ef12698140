
--
-- Continuous queries
--

-- What was asked for.  The query itself is the view, whose owner is that of the query; without it there is none.  A stream that is tracked is a query
-- without a sink.
CREATE TABLE watermark.query (
	name name PRIMARY KEY,
	view regclass NOT NULL UNIQUE,
	sink regclass,
	tracked regclass UNIQUE CHECK ((tracked IS NULL) <> (sink IS NULL)),
	time_zone text NOT NULL,
	search_path text NOT NULL,
	date_style text NOT NULL,
	interval_style text NOT NULL,
	is_zoned boolean NOT NULL,
	emit_watermark text NOT NULL,
	late text NOT NULL,
	idle_timeout_us bigint CHECK (idle_timeout_us > 0),
	max_future_us bigint CHECK (max_future_us > 0),
	on_change text NOT NULL,
	with_history boolean NOT NULL,
	request text NOT NULL DEFAULT 'run' CHECK (request IN ('run', 'pause', 'drain')),
	request_position pg_lsn,
	created_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

-- How far it has come: one transaction writes it with the results.  Times are in
-- microseconds since 2000-01-01 00:00.  A position means something in its home alone, a
-- database of a cluster and its timeline.
CREATE TABLE watermark.progress (
	query name PRIMARY KEY,
	state text NOT NULL DEFAULT 'starting'
		CHECK (state IN ('starting', 'running', 'paused', 'drained', 'failed')),
	home text,
	position pg_lsn,
	position_xid bigint,
	attach_snapshot text,
	attach_position pg_lsn,
	watermark_us bigint,
	n_published bigint NOT NULL DEFAULT 0,
	n_windows bigint NOT NULL DEFAULT 0,
	n_results bigint NOT NULL DEFAULT 0,
	error text,
	error_hint text,
	error_code text,
	error_at timestamptz,
	n_attempts integer NOT NULL DEFAULT 0,
	may_rebuild boolean NOT NULL DEFAULT false
);

-- Its streams: a table may be several.
CREATE TABLE watermark.input (
	query name,
	number integer,
	source regclass NOT NULL,
	watermark_us bigint,
	watermark_at timestamptz,
	moved_by jsonb,
	idle_since timestamptz,
	rows_in bigint NOT NULL DEFAULT 0,
	n_late bigint NOT NULL DEFAULT 0,
	n_set_aside bigint NOT NULL DEFAULT 0,
	n_updates bigint NOT NULL DEFAULT 0,
	n_deletes bigint NOT NULL DEFAULT 0,
	n_truncates bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (query, number)
);

-- The open windows, as they were at the position of the query: of each of its windows the
-- slices of time, in pieces.
CREATE TABLE watermark.checkpoint (
	query name,
	part integer,
	slice_start bigint,
	number integer,
	slice_end bigint NOT NULL,
	n_rows bigint NOT NULL,
	data bytea NOT NULL,
	PRIMARY KEY (query, part, slice_start, number)
);

ALTER TABLE watermark.checkpoint ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE watermark.late_row (
	query name NOT NULL,
	number integer NOT NULL,
	committed_at timestamptz,
	reason text NOT NULL,
	window_start_us bigint,
	window_end_us bigint,
	watermark_us bigint,
	source_row jsonb NOT NULL
);

CREATE INDEX late_row_query ON watermark.late_row (query);

SELECT pg_catalog.pg_extension_config_dump('watermark.query', '');
SELECT pg_catalog.pg_extension_config_dump('watermark.progress', '');
SELECT pg_catalog.pg_extension_config_dump('watermark.input', '');
SELECT pg_catalog.pg_extension_config_dump('watermark.checkpoint', '');
SELECT pg_catalog.pg_extension_config_dump('watermark.late_row', '');

-- Queries that come with a dump are not created, but loaded.
CREATE FUNCTION watermark.wake_worker()
RETURNS trigger
LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_wake_worker';

CREATE TRIGGER loaded AFTER INSERT ON watermark.query
	FOR EACH STATEMENT EXECUTE FUNCTION watermark.wake_worker();
CREATE TRIGGER loaded AFTER INSERT ON watermark.progress
	FOR EACH STATEMENT EXECUTE FUNCTION watermark.wake_worker();

REVOKE ALL ON FUNCTION watermark.wake_worker() FROM PUBLIC;

-- A time of a query as it prints it: on the clock of its zone if it has one.
CREATE FUNCTION watermark.time_text(time_us bigint, is_zoned boolean, time_zone text)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT CASE WHEN is_zoned THEN
		pg_catalog.timezone(time_zone, timestamptz '2000-01-01 00:00+00' + time_us * interval '1 microsecond')::text
		|| ' ' || time_zone
	ELSE (timestamp '2000-01-01 00:00' + time_us * interval '1 microsecond')::text END;
END;

-- What the worker of the database is about; all NULL if there is none.
CREATE FUNCTION watermark.worker(OUT pid integer, OUT "position" pg_lsn, OUT seen_until timestamptz, OUT error text)
LANGUAGE c VOLATILE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_worker';

COMMENT ON FUNCTION watermark.worker() IS
'the worker of continuous queries of this database: its process, up to where in the WAL it has come, what was committed before when is processed, and, for pg_read_all_stats, the error with which it has ended last';

COMMENT ON TABLE watermark.query IS
'continuous queries as they were asked for; read the view queries';
COMMENT ON TABLE watermark.progress IS
'how far each continuous query has come; read the views queries and streams';
COMMENT ON TABLE watermark.input IS
'how far the streams of continuous queries have come; read the view streams';
COMMENT ON TABLE watermark.checkpoint IS
'the open windows of continuous queries, as their worker writes and reads them';
COMMENT ON TABLE watermark.late_row IS
'rows that were late or set aside; read the view late_rows';
COMMENT ON FUNCTION watermark.time_text(bigint, boolean, text) IS
'a time of a continuous query, in microseconds since 2000, as the views show it';

CREATE VIEW watermark.queries WITH (security_barrier) AS
SELECT q.name, p.state, v.relowner::regrole AS owner, q.sink, p.error, p.error_hint, p.error_code, p.error_at, p.n_attempts,
	q.emit_watermark, q.late, q.idle_timeout_us * interval '1 microsecond' AS idle_timeout,
	q.max_future_us * interval '1 microsecond' AS max_future, q.on_change, q.with_history, q.time_zone, q.created_at,
	watermark.time_text(p.watermark_us, q.is_zoned, q.time_zone) AS watermark,
	p.n_windows, p.n_results, pg_catalog.pg_get_viewdef(q.view) AS definition
FROM watermark.query AS q
JOIN pg_catalog.pg_class AS v ON v.oid = q.view
JOIN watermark.progress AS p ON p.query = q.name
WHERE q.tracked IS NULL AND pg_catalog.pg_has_role(v.relowner, 'MEMBER');

COMMENT ON VIEW watermark.queries IS
'the continuous queries of your roles: state, sink, last error, results so far';
COMMENT ON COLUMN watermark.queries.name IS 'name of the query, and of the view in this schema that keeps its text';
COMMENT ON COLUMN watermark.queries.state IS 'starting, running, paused, drained, or failed: given up until resume_query()';
COMMENT ON COLUMN watermark.queries.owner IS 'with whose rights it runs: that of its view, who has created it if it was not given to another';
COMMENT ON COLUMN watermark.queries.sink IS 'table that the results go into';
COMMENT ON COLUMN watermark.queries.error IS 'message of the last error; NULL if the query has got over it';
COMMENT ON COLUMN watermark.queries.error_hint IS 'what to do about it, if the error says that';
COMMENT ON COLUMN watermark.queries.error_code IS 'its SQLSTATE';
COMMENT ON COLUMN watermark.queries.error_at IS 'when it was raised';
COMMENT ON COLUMN watermark.queries.n_attempts IS 'how often in a row the query has failed';
COMMENT ON COLUMN watermark.queries.emit_watermark IS 'argument of create_query()';
COMMENT ON COLUMN watermark.queries.late IS 'argument of create_query()';
COMMENT ON COLUMN watermark.queries.idle_timeout IS 'argument of create_query()';
COMMENT ON COLUMN watermark.queries.max_future IS 'argument of create_query()';
COMMENT ON COLUMN watermark.queries.on_change IS 'argument of create_query()';
COMMENT ON COLUMN watermark.queries.with_history IS 'argument of create_query()';
COMMENT ON COLUMN watermark.queries.time_zone IS 'time zone of its windows, days and casts: that of the session that created it';
COMMENT ON COLUMN watermark.queries.created_at IS 'when it was created';
COMMENT ON COLUMN watermark.queries.watermark IS 'watermark of the query, the least of those of its streams that are not idle, as of the last write; NULL before the first';
COMMENT ON COLUMN watermark.queries.n_windows IS 'windows published';
COMMENT ON COLUMN watermark.queries.n_results IS 'rows given to the sink, those that its triggers leave out among them';
COMMENT ON COLUMN watermark.queries.definition IS 'text of the query, as PostgreSQL prints it now';

CREATE VIEW watermark.streams WITH (security_barrier) AS
SELECT CASE WHEN q.tracked IS NULL THEN q.name END AS query, coalesce(q.tracked, i.source) AS source,
	watermark.time_text(i.watermark_us, q.is_zoned, q.time_zone) AS watermark,
	i.watermark_at, i.moved_by, i.idle_since, i.rows_in,
	CASE WHEN NOT EXISTS (SELECT FROM watermark.input AS o WHERE o.query = i.query AND o.number <> i.number)
	THEN p.n_published END AS n_published, i.n_late, i.n_set_aside,
	i.n_updates, i.n_deletes, i.n_truncates, p."position",
	CASE WHEN p.state <> 'drained' AND NOT pg_catalog.pg_is_in_recovery() THEN
		pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_flush_lsn(), p."position")::bigint
	END AS retained_bytes,
	l.lag_bytes,
	CASE WHEN l.lag_bytes = 0 THEN interval '0'
	WHEN l.is_at_work THEN greatest(pg_catalog.clock_timestamp() - w.seen_until, interval '0')
	END AS lag,
	p.state, p.error
FROM watermark.query AS q
JOIN pg_catalog.pg_class AS v ON v.oid = q.view
JOIN watermark.progress AS p ON p.query = q.name
JOIN watermark.input AS i ON i.query = q.name
CROSS JOIN watermark.worker() AS w
CROSS JOIN LATERAL (
	SELECT p.state = 'running' AND p.error IS NULL AND w."position" IS NOT NULL AS is_at_work
) AS a
CROSS JOIN LATERAL (
	SELECT a.is_at_work,
		CASE WHEN p.state <> 'drained' AND NOT pg_catalog.pg_is_in_recovery() THEN greatest(
			pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_flush_lsn(),
				CASE WHEN a.is_at_work THEN greatest(w."position", p."position") ELSE p."position" END), 0)::bigint
		END AS lag_bytes
) AS l
WHERE pg_catalog.pg_has_role(v.relowner, 'MEMBER');

COMMENT ON VIEW watermark.streams IS
'the inputs of continuous queries, and the streams that are tracked: watermark, rows in, late and set aside, as of the last write; advance() brings it up to date';
COMMENT ON COLUMN watermark.streams.query IS 'name of the query; NULL if the stream is tracked';
COMMENT ON COLUMN watermark.streams.source IS 'table whose rows the query reads, or the table or view that is tracked';
COMMENT ON COLUMN watermark.streams.watermark IS 'greatest strategy so far, with the zone of the query where the rowtime is a timestamptz; NULL before the first';
COMMENT ON COLUMN watermark.streams.watermark_at IS 'when the transaction committed that moved the watermark last; NULL if it is of the history';
COMMENT ON COLUMN watermark.streams.moved_by IS 'row that moved it: the columns of its table that the owner of the query may read';
COMMENT ON COLUMN watermark.streams.idle_since IS 'since when the query does not wait for the stream, as no row has come for idle_timeout; NULL if it is not idle';
COMMENT ON COLUMN watermark.streams.rows_in IS 'rows that have come to the window: those that the conditions of the query leave; all rows of a stream that is tracked';
COMMENT ON COLUMN watermark.streams.n_published IS 'those of them whose windows are published, all of them; NULL if the query has several streams: audit() has the sum';
COMMENT ON COLUMN watermark.streams.n_late IS 'those that came too late for their window, or for all of several';
COMMENT ON COLUMN watermark.streams.n_set_aside IS 'those without a finite rowtime, so far off that they have no window, or further in the future than max_future of the query';
COMMENT ON COLUMN watermark.streams.n_updates IS 'rows of the source that were updated, which changes no result';
COMMENT ON COLUMN watermark.streams.n_deletes IS 'rows of the source that were deleted, which changes no result';
COMMENT ON COLUMN watermark.streams.n_truncates IS 'how often the source was truncated, which changes no result';
COMMENT ON COLUMN watermark.streams.position IS 'WAL up to there is in what was written of the query';
COMMENT ON COLUMN watermark.streams.retained_bytes IS 'WAL from there on, in bytes: kept for the query, or not read yet';
COMMENT ON COLUMN watermark.streams.lag_bytes IS 'WAL that is not processed, in bytes; of a query that stands, from position on';
COMMENT ON COLUMN watermark.streams.lag IS 'how long ago what is not processed may have been committed, at most; NULL if the query stands';
COMMENT ON COLUMN watermark.streams.state IS 'starting, running, paused, drained, or failed: given up until resume_query(), or until the stream is tracked anew';
COMMENT ON COLUMN watermark.streams.error IS 'message of the last error; NULL if it has been got over';

CREATE VIEW watermark.late_rows WITH (security_barrier) AS
SELECT CASE WHEN q.tracked IS NULL THEN q.name END AS query, coalesce(q.tracked, i.source) AS source, l.reason,
	watermark.time_text(l.window_start_us, q.is_zoned, q.time_zone) AS window_start,
	watermark.time_text(l.window_end_us, q.is_zoned, q.time_zone) AS window_end,
	watermark.time_text(l.watermark_us, q.is_zoned, q.time_zone) AS watermark,
	l.committed_at, l.source_row
FROM watermark.late_row AS l
JOIN watermark.query AS q ON q.name = l.query
JOIN pg_catalog.pg_class AS v ON v.oid = q.view
JOIN watermark.input AS i ON i.query = l.query AND i.number = l.number
WHERE pg_catalog.pg_has_role(v.relowner, 'MEMBER');

COMMENT ON VIEW watermark.late_rows IS
'each row that came too late for its window, or that was set aside for the reason given: whole, with the watermark then';
COMMENT ON COLUMN watermark.late_rows.query IS 'name of the query; NULL if the stream is tracked';
COMMENT ON COLUMN watermark.late_rows.source IS 'table whose row it is, or the table or view that is tracked';
COMMENT ON COLUMN watermark.late_rows.reason IS 'late; partly late, if the row has missed some of its windows only; or why it was set aside: null, not finite, out of range, future';
COMMENT ON COLUMN watermark.late_rows.window_start IS 'start of the window that the row missed, the last one of several; NULL if it was set aside';
COMMENT ON COLUMN watermark.late_rows.window_end IS 'end of that window';
COMMENT ON COLUMN watermark.late_rows.watermark IS 'watermark of the query when the row came';
COMMENT ON COLUMN watermark.late_rows.committed_at IS 'when the row was committed; NULL if it is of the history';
COMMENT ON COLUMN watermark.late_rows.source_row IS 'the row of the source, whole';

-- The open windows of a query of one's roles; nothing of one that is not.
CREATE FUNCTION watermark.read_open_windows(
	query name, OUT window_start_us bigint, OUT window_end_us bigint, OUT n_rows bigint, OUT result jsonb)
RETURNS SETOF record
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_read_open_windows';

CREATE FUNCTION watermark.first_open_window(
	query name, OUT window_start_us bigint, OUT window_end_us bigint, OUT closes_at_us bigint)
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_first_open_window';

CREATE VIEW watermark.open_windows WITH (security_barrier) AS
SELECT q.name AS query,
	watermark.time_text(w.window_start_us, q.is_zoned, q.time_zone) AS window_start,
	watermark.time_text(w.window_end_us, q.is_zoned, q.time_zone) AS window_end,
	w.n_rows, w.result
FROM watermark.query AS q
JOIN pg_catalog.pg_class AS v ON v.oid = q.view
CROSS JOIN LATERAL watermark.read_open_windows(q.name) AS w
WHERE q.tracked IS NULL AND pg_catalog.pg_has_role(v.relowner, 'MEMBER');

COMMENT ON VIEW watermark.open_windows IS
'what the open windows of continuous queries would give if they closed now, a row for each result, as of the last write; advance() brings it up to date';
COMMENT ON COLUMN watermark.open_windows.query IS 'name of the query';
COMMENT ON COLUMN watermark.open_windows.window_start IS 'start of the window; NULL if several that start apart and end together are joined';
COMMENT ON COLUMN watermark.open_windows.window_end IS 'end of the window';
COMMENT ON COLUMN watermark.open_windows.n_rows IS 'rows that are in the window so far';
COMMENT ON COLUMN watermark.open_windows.result IS 'row that would go into the sink';

CREATE VIEW watermark.counts WITH (security_barrier) AS
SELECT q.name, p.n_published, i.n_late, i.n_set_aside, i.rows_in,
	coalesce((
		SELECT pg_catalog.sum(c.n_rows)
		FROM watermark.checkpoint AS c
		WHERE c.query = q.name), 0)::bigint AS n_open
FROM watermark.query AS q
JOIN pg_catalog.pg_class AS v ON v.oid = q.view
JOIN watermark.progress AS p ON p.query = q.name
CROSS JOIN LATERAL (
	SELECT pg_catalog.sum(n_late)::bigint AS n_late, pg_catalog.sum(n_set_aside)::bigint AS n_set_aside,
		pg_catalog.sum(rows_in)::bigint AS rows_in
	FROM watermark.input
	WHERE query = q.name) AS i
WHERE q.tracked IS NULL AND pg_catalog.pg_has_role(v.relowner, 'MEMBER');

COMMENT ON VIEW watermark.counts IS
'what audit() shows of each query';
COMMENT ON COLUMN watermark.counts.name IS 'name of the query';
COMMENT ON COLUMN watermark.counts.n_published IS 'rows whose windows are published, all of them';
COMMENT ON COLUMN watermark.counts.n_late IS 'rows that came too late for their window, or for all of several';
COMMENT ON COLUMN watermark.counts.n_set_aside IS 'rows that cannot have a window';
COMMENT ON COLUMN watermark.counts.rows_in IS 'rows that have come to the window';
COMMENT ON COLUMN watermark.counts.n_open IS 'rows with an open window, as they were written last';

CREATE FUNCTION watermark.audit(
	name name, OUT published bigint, OUT open bigint, OUT late bigint, OUT set_aside bigint,
	OUT rows_in bigint, OUT is_complete boolean)
RETURNS SETOF record
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 1
BEGIN ATOMIC
	SELECT c.n_published, c.n_open, c.n_late, c.n_set_aside, c.rows_in,
		c.n_published + c.n_open + c.n_late + c.n_set_aside = c.rows_in
	FROM watermark.counts AS c
	WHERE c.name = audit.name;
END;

COMMENT ON FUNCTION watermark.audit(name) IS
'where the rows of a continuous query are: in published windows, in open ones, late or set aside; and whether that is all of them';

CREATE VIEW watermark.stream_watermarks WITH (security_barrier) AS
SELECT i.query, i.number, i.source, i.watermark_us, i.watermark_at, i.moved_by, i.idle_since,
	p.watermark_us AS query_watermark_us, q.is_zoned, q.time_zone
FROM watermark.input AS i
JOIN watermark.query AS q ON q.name = i.query
JOIN pg_catalog.pg_class AS v ON v.oid = q.view
JOIN watermark.progress AS p ON p.query = i.query
WHERE q.tracked IS NULL AND pg_catalog.pg_has_role(v.relowner, 'MEMBER');

COMMENT ON VIEW watermark.stream_watermarks IS
'what explain_query() compares, in microseconds since 2000';
COMMENT ON COLUMN watermark.stream_watermarks.query IS 'name of the query';
COMMENT ON COLUMN watermark.stream_watermarks.number IS 'which of its streams, from 0';
COMMENT ON COLUMN watermark.stream_watermarks.source IS 'table of the stream';
COMMENT ON COLUMN watermark.stream_watermarks.watermark_us IS 'watermark of the stream';
COMMENT ON COLUMN watermark.stream_watermarks.watermark_at IS 'when the transaction committed that moved it last';
COMMENT ON COLUMN watermark.stream_watermarks.moved_by IS 'row that moved it';
COMMENT ON COLUMN watermark.stream_watermarks.idle_since IS 'since when the query does not wait for it';
COMMENT ON COLUMN watermark.stream_watermarks.query_watermark_us IS 'watermark of the query';
COMMENT ON COLUMN watermark.stream_watermarks.is_zoned IS 'whether times are shown on the clock of a zone';
COMMENT ON COLUMN watermark.stream_watermarks.time_zone IS 'which zone that is';

-- Of streams the least watermark counts, of all that are idle the greatest.
CREATE FUNCTION watermark.explain_query(
	name name, OUT subject text, OUT keeps_open boolean, OUT finding text, OUT since timestamptz, OUT moved_by jsonb)
RETURNS SETOF record
LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE ROWS 4
BEGIN ATOMIC
	WITH query AS MATERIALIZED (
		SELECT q.name, q.state, q.error, q.error_hint, q.error_at, q.watermark, q.state IN ('starting', 'running') AS is_to_run,
			(SELECT c.n_open FROM watermark.counts AS c WHERE c.name = q.name) AS n_open
		FROM watermark.queries AS q
		WHERE q.name = explain_query.name
	), stream AS MATERIALIZED (
		SELECT w.*, watermark.time_text(w.watermark_us, w.is_zoned, w.time_zone) AS watermark,
			CASE WHEN pg_catalog.bool_and(w.idle_since IS NOT NULL) OVER () THEN w.watermark_us >= w.query_watermark_us
			WHEN w.idle_since IS NULL THEN w.watermark_us IS NULL OR w.watermark_us <= w.query_watermark_us
			ELSE false END IS TRUE AS is_holding
		FROM watermark.stream_watermarks AS w
		WHERE w.query = explain_query.name
	), open_window AS MATERIALIZED (
		SELECT watermark.time_text(o.window_start_us, s.is_zoned, s.time_zone) AS window_start,
			watermark.time_text(o.window_end_us, s.is_zoned, s.time_zone) AS window_end,
			watermark.time_text(o.closes_at_us, s.is_zoned, s.time_zone) AS closes_at
		FROM stream AS s
		CROSS JOIN LATERAL watermark.first_open_window(s.query) AS o
		WHERE s.number = 0 AND o.window_end_us IS NOT NULL
	), worker AS MATERIALIZED (
		SELECT w.pid, w.error, w.seen_until, pg_catalog.clock_timestamp() - w.seen_until AS lag,
			CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN greatest(
				pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_flush_lsn(), w."position"), 0)::bigint
			END AS lag_bytes
		FROM watermark.worker() AS w
	)
	SELECT f.subject, f.keeps_open, f.finding, f.since, f.moved_by
	FROM (
		SELECT 1, 0, 'query', q.state NOT IN ('running', 'drained') OR q.error IS NOT NULL,
			CASE WHEN q.state = 'running' AND q.error IS NULL THEN 'runs'
			WHEN q.state = 'running' THEN 'is tried again: ' || q.error
			WHEN q.state = 'starting' THEN 'has not started, and has not read its history' || coalesce(': ' || q.error, '')
			WHEN q.state = 'paused' THEN 'is paused, until resume_query()'
			WHEN q.state = 'drained' THEN 'has been drained'
			ELSE coalesce('is given up: ' || q.error, 'is given up') || coalesce('. ' || q.error_hint, '') END,
			q.error_at, NULL::jsonb
		FROM query AS q
		UNION ALL
		SELECT 2, 0, 'worker',
			CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN
				w.pid IS NULL OR coalesce(w.lag_bytes > 0 AND w.lag > interval '1 second', w.lag_bytes IS NULL) END,
			CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'runs on the primary server'
			WHEN w.pid IS NULL THEN 'is not running' || coalesce(': ' || w.error, '')
			WHEN w.lag_bytes IS NULL THEN 'has read nothing yet'
			WHEN w.lag_bytes = 0 THEN 'has read all that was committed'
			ELSE pg_catalog.format('has %s of WAL to read', pg_catalog.pg_size_pretty(w.lag_bytes)) END,
			w.seen_until, NULL
		FROM query AS q
		CROSS JOIN worker AS w
		WHERE q.is_to_run
		UNION ALL
		SELECT 3, 0, 'window', NULL,
			CASE WHEN o.window_end IS NOT NULL THEN pg_catalog.format(
				'from %s to %s is open, and closes when the watermark reaches %s; it is %s', o.window_start,
				o.window_end, o.closes_at, coalesce('at ' || q.watermark, 'nowhere yet'))
			WHEN q.n_open > 0 THEN pg_catalog.format('%s rows are in open windows, which cannot be shown', q.n_open)
			ELSE 'none is open' END,
			NULL, NULL
		FROM query AS q
		LEFT JOIN open_window AS o ON true
		UNION ALL
		SELECT 4, s.number, 'stream ' || s.source::text, s.is_holding AND q.n_open > 0,
			CASE WHEN s.is_holding THEN coalesce('holds the watermark at ' || s.watermark, 'has had no row that moves the watermark')
				|| CASE WHEN s.idle_since IS NOT NULL THEN ', and is idle as all others' ELSE '' END
			WHEN s.idle_since IS NOT NULL THEN 'is idle, and not waited for' || coalesce('; it is at ' || s.watermark, '')
			ELSE 'is ahead, at ' || s.watermark END,
			CASE WHEN s.idle_since IS NOT NULL AND NOT s.is_holding THEN s.idle_since ELSE s.watermark_at END,
			s.moved_by
		FROM query AS q
		CROSS JOIN stream AS s
	) AS f (place, number, subject, keeps_open, finding, since, moved_by)
	ORDER BY f.place, f.number;
END;

COMMENT ON FUNCTION watermark.explain_query(name) IS
'why a window of a continuous query has not come out: what the query, its worker, its first open window and its streams are about, and which of these keep the window open';

CREATE FUNCTION watermark.create_query(
	name name, query text, sink text DEFAULT NULL, emit_watermark text DEFAULT 'on commit',
	late text DEFAULT 'keep', idle_timeout interval DEFAULT NULL,
	max_future interval DEFAULT NULL, on_change text DEFAULT 'ignore', with_history boolean DEFAULT true)
RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_create_query';

COMMENT ON FUNCTION watermark.create_query(
	name, text, text, text, text, interval, interval, text, boolean) IS
'starts a continuous query, whose results go into the sink as windows close';

CREATE FUNCTION watermark.pause_query(name name)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_pause_query';

COMMENT ON FUNCTION watermark.pause_query(name) IS
'stops a continuous query where it is; what comes meanwhile is kept in the WAL';

CREATE FUNCTION watermark.resume_query(name name)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_resume_query';

COMMENT ON FUNCTION watermark.resume_query(name) IS
'goes on with a continuous query that was paused, or that has failed';

CREATE FUNCTION watermark.drain_query(name name)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_drain_query';

COMMENT ON FUNCTION watermark.drain_query(name) IS
'publishes the open windows of a continuous query, and ends it';

CREATE FUNCTION watermark.drop_query(name name)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_drop_query';

COMMENT ON FUNCTION watermark.drop_query(name) IS
'forgets a continuous query and its late rows; the sink stays';

CREATE FUNCTION watermark.track(relation regclass)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_track';

COMMENT ON FUNCTION watermark.track(regclass) IS
'keeps the watermark of a stream in the view streams, without a query: a table or view with a watermark definition';

CREATE FUNCTION watermark.untrack(relation regclass)
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_untrack';

COMMENT ON FUNCTION watermark.untrack(regclass) IS
'ends what track() began';

CREATE FUNCTION watermark.advance(timeout interval DEFAULT '1 minute')
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_advance';

COMMENT ON FUNCTION watermark.advance(interval) IS
'waits until continuous queries have taken in all that was committed before';

REVOKE ALL ON FUNCTION watermark.create_query(
	name, text, text, text, text, interval, interval, text, boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION watermark.track(regclass) FROM PUBLIC;
REVOKE ALL ON FUNCTION watermark.advance(interval) FROM PUBLIC;

REVOKE ALL ON watermark.query, watermark.progress, watermark.input, watermark.checkpoint, watermark.late_row,
	watermark.counts, watermark.stream_watermarks FROM PUBLIC;
GRANT SELECT ON watermark.queries, watermark.streams, watermark.late_rows, watermark.open_windows,
	watermark.counts, watermark.stream_watermarks TO PUBLIC;
