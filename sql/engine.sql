
--
-- Continuous queries
--

-- What was asked for.  The query itself is the view.
CREATE TABLE watermark.query (
	name name PRIMARY KEY,
	view regclass NOT NULL UNIQUE,
	source regclass NOT NULL,
	sink regclass NOT NULL,
	owner regrole NOT NULL,
	time_zone text NOT NULL,
	search_path text NOT NULL,
	is_zoned boolean NOT NULL,
	emit_watermark text NOT NULL,
	late text NOT NULL,
	on_change text NOT NULL,
	with_history boolean NOT NULL,
	request text NOT NULL DEFAULT 'run' CHECK (request IN ('run', 'pause', 'drain')),
	request_position pg_lsn,
	created_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

-- How far it has come: one transaction writes it with the results.  Times are in
-- microseconds since 2000-01-01 00:00.
CREATE TABLE watermark.progress (
	query name PRIMARY KEY,
	state text NOT NULL DEFAULT 'starting'
		CHECK (state IN ('starting', 'running', 'paused', 'drained', 'failed')),
	position pg_lsn,
	attach_snapshot text,
	attach_position pg_lsn,
	watermark_us bigint,
	watermark_at timestamptz,
	rows_in bigint NOT NULL DEFAULT 0,
	n_late bigint NOT NULL DEFAULT 0,
	n_set_aside bigint NOT NULL DEFAULT 0,
	n_published bigint NOT NULL DEFAULT 0,
	n_windows bigint NOT NULL DEFAULT 0,
	n_results bigint NOT NULL DEFAULT 0,
	n_updates bigint NOT NULL DEFAULT 0,
	n_deletes bigint NOT NULL DEFAULT 0,
	n_truncates bigint NOT NULL DEFAULT 0,
	error text,
	error_code text,
	error_at timestamptz,
	n_attempts integer NOT NULL DEFAULT 0
);

-- The open windows, as they were at the position of the query.
CREATE TABLE watermark.checkpoint (
	query name,
	slice_start bigint,
	slice_end bigint NOT NULL,
	n_rows bigint NOT NULL,
	data bytea NOT NULL,
	PRIMARY KEY (query, slice_start)
);

ALTER TABLE watermark.checkpoint ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE watermark.late_row (
	query name NOT NULL,
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
SELECT pg_catalog.pg_extension_config_dump('watermark.checkpoint', '');
SELECT pg_catalog.pg_extension_config_dump('watermark.late_row', '');

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

CREATE VIEW watermark.queries WITH (security_barrier) AS
SELECT q.name, p.state, q.owner, q.sink, p.error, p.error_code, p.error_at, p.n_attempts,
	q.emit_watermark, q.late, q.on_change, q.with_history, q.time_zone, q.created_at,
	p.n_windows, p.n_results, pg_catalog.pg_get_viewdef(q.view) AS definition
FROM watermark.query AS q
JOIN watermark.progress AS p ON p.query = q.name
WHERE pg_catalog.pg_has_role(q.owner, 'MEMBER');

COMMENT ON VIEW watermark.queries IS
'the continuous queries of your roles: state, sink, last error, results so far';

CREATE VIEW watermark.streams WITH (security_barrier) AS
SELECT q.name AS query, q.source,
	watermark.time_text(p.watermark_us, q.is_zoned, q.time_zone) AS watermark,
	p.watermark_at, p.rows_in, p.n_published, p.n_late, p.n_set_aside,
	p.n_updates, p.n_deletes, p.n_truncates, p."position",
	CASE WHEN p.state <> 'drained' AND NOT pg_catalog.pg_is_in_recovery() THEN
		pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_flush_lsn(), p."position")::bigint
	END AS retained_bytes
FROM watermark.query AS q
JOIN watermark.progress AS p ON p.query = q.name
WHERE pg_catalog.pg_has_role(q.owner, 'MEMBER');

COMMENT ON VIEW watermark.streams IS
'the inputs of continuous queries: watermark, rows in, late and set aside, as of the last write; advance() brings it up to date';

CREATE VIEW watermark.late_rows WITH (security_barrier) AS
SELECT l.query, l.reason,
	watermark.time_text(l.window_start_us, q.is_zoned, q.time_zone) AS window_start,
	watermark.time_text(l.window_end_us, q.is_zoned, q.time_zone) AS window_end,
	watermark.time_text(l.watermark_us, q.is_zoned, q.time_zone) AS watermark,
	l.committed_at, l.source_row
FROM watermark.late_row AS l
JOIN watermark.query AS q ON q.name = l.query
WHERE pg_catalog.pg_has_role(q.owner, 'MEMBER');

COMMENT ON VIEW watermark.late_rows IS
'each row that came too late for its window, or that was set aside for the reason given: whole, with the watermark then';

CREATE VIEW watermark.counts WITH (security_barrier) AS
SELECT q.name, p.n_published, p.n_late, p.n_set_aside, p.rows_in,
	coalesce((
		SELECT pg_catalog.sum(c.n_rows)
		FROM watermark.checkpoint AS c
		WHERE c.query = q.name), 0)::bigint AS n_open
FROM watermark.query AS q
JOIN watermark.progress AS p ON p.query = q.name
WHERE pg_catalog.pg_has_role(q.owner, 'MEMBER');

CREATE FUNCTION watermark.audit(
	name name, OUT published bigint, OUT open bigint, OUT late bigint, OUT set_aside bigint,
	OUT rows_in bigint, OUT is_complete boolean)
RETURNS record
LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.n_published, c.n_open, c.n_late, c.n_set_aside, c.rows_in,
		c.n_published + c.n_open + c.n_late + c.n_set_aside = c.rows_in
	FROM watermark.counts AS c
	WHERE c.name = audit.name;
END;

COMMENT ON FUNCTION watermark.audit(name) IS
'where the rows of a continuous query are: in published windows, in open ones, late or set aside; and whether that is all of them';

CREATE FUNCTION watermark.create_query(
	name name, query text, sink text DEFAULT NULL, emit_watermark text DEFAULT 'on commit',
	late text DEFAULT 'keep', on_change text DEFAULT 'ignore', with_history boolean DEFAULT true)
RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_create_query';

COMMENT ON FUNCTION watermark.create_query(name, text, text, text, text, text, boolean) IS
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

CREATE FUNCTION watermark.advance(timeout interval DEFAULT '1 minute')
RETURNS void
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_advance';

COMMENT ON FUNCTION watermark.advance(interval) IS
'waits until continuous queries have taken in all that was committed before';

REVOKE ALL ON FUNCTION watermark.create_query(name, text, text, text, text, text, boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION watermark.advance(interval) FROM PUBLIC;

REVOKE ALL ON watermark.query, watermark.progress, watermark.checkpoint, watermark.late_row,
	watermark.counts FROM PUBLIC;
GRANT SELECT ON watermark.queries, watermark.streams, watermark.late_rows, watermark.counts TO PUBLIC;
