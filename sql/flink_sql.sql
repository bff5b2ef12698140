
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
