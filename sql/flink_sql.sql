
--
-- Flink SQL as text
--

CREATE FUNCTION @extschema@.flink_sql(source text)
RETURNS text
LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_sql';

COMMENT ON FUNCTION @extschema@.flink_sql(text) IS
'translates statements of Flink SQL into PostgreSQL';

CREATE PROCEDURE @extschema@.flink_execute(source text)
LANGUAGE c
AS 'MODULE_PATHNAME', 'aw_sql_flink_execute';

COMMENT ON PROCEDURE @extschema@.flink_execute(text) IS
'translates statements of Flink SQL and runs them';

CREATE FUNCTION @extschema@.flink_prepare(name name, source text)
RETURNS void
LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_flink_prepare';

COMMENT ON FUNCTION @extschema@.flink_prepare(name, text) IS
'prepares a statement of Flink SQL under a name, for EXECUTE';

CREATE FUNCTION flink.show_jobs(
	OUT "job id" text, OUT "job name" text, OUT status text, OUT "start time" timestamptz)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT q.name, q.name, CASE q.state
			WHEN 'starting' THEN 'CREATED'
			WHEN 'running' THEN CASE WHEN q.error IS NULL THEN 'RUNNING' ELSE 'RESTARTING' END
			WHEN 'paused' THEN 'SUSPENDED'
			WHEN 'drained' THEN 'FINISHED'
			ELSE pg_catalog.upper(q.state) END,
		pg_catalog.date_trunc('milliseconds', q.created_at)
	FROM watermark.queries AS q
	ORDER BY q.created_at, q.name;
END;

COMMENT ON FUNCTION flink.show_jobs() IS
'the continuous queries of your roles as SHOW JOBS of Flink SQL lists jobs';
