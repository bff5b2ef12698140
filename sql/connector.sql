
--
-- Connectors: the sources and sinks of Flink's CREATE TABLE
--

CREATE FUNCTION flink.datagen_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_datagen_support';

CREATE FUNCTION flink.datagen(rel anyelement, VARIADIC options text[] DEFAULT '{}')
RETURNS SETOF anyelement
LANGUAGE c STABLE PARALLEL SAFE COST 10000 ROWS 100000
SUPPORT flink.datagen_support
AS 'MODULE_PATHNAME', 'aw_sql_datagen';

COMMENT ON FUNCTION flink.datagen(anyelement, text[]) IS
'rows of Flink''s connector "datagen" as the row type of rel; options are key, value, key, value';

CREATE FUNCTION flink.check_datagen(rel anyelement, VARIADIC options text[] DEFAULT '{}')
RETURNS void
LANGUAGE c STABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_check_datagen';

COMMENT ON FUNCTION flink.check_datagen(anyelement, text[]) IS
'raises the errors that datagen() raises for its options';

CREATE FUNCTION flink.filesystem(
	rel anyelement, path text, delimiter text DEFAULT ',', null_literal text DEFAULT NULL,
	metadata text[] DEFAULT '{}')
RETURNS SETOF anyelement
LANGUAGE c VOLATILE PARALLEL RESTRICTED COST 10000 ROWS 100000
AS 'MODULE_PATHNAME', 'aw_sql_filesystem';

COMMENT ON FUNCTION flink.filesystem(anyelement, text, text, text, text[]) IS
'rows of CSV files of the server as Flink''s connector "filesystem" reads them, as the row type of rel; metadata is column, key, column, key';

CREATE FUNCTION flink.print_row()
RETURNS trigger
LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_print_row';

COMMENT ON FUNCTION flink.print_row() IS
'shows each row as Flink''s connector "print" does, and stores none';

CREATE FUNCTION flink.discard_row()
RETURNS trigger
LANGUAGE c VOLATILE PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'aw_sql_discard_row';

COMMENT ON FUNCTION flink.discard_row() IS
'stores no row, as Flink''s connector "blackhole"';

--
-- Keys that are not enforced
--

CREATE FUNCTION flink.primary_key_support(internal)
RETURNS internal
LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_primary_key_support';

CREATE FUNCTION flink.primary_key(VARIADIC columns "any")
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT flink.primary_key_support
AS 'MODULE_PATHNAME', 'aw_sql_primary_key';

COMMENT ON FUNCTION flink.primary_key("any") IS
'marks the columns of a primary key that is not enforced, in a CHECK or the WHERE of a view; always true';

CREATE FUNCTION flink.not_null(VARIADIC columns "any")
RETURNS boolean
LANGUAGE c IMMUTABLE PARALLEL SAFE
SUPPORT flink.primary_key_support
AS 'MODULE_PATHNAME', 'aw_sql_not_null';

COMMENT ON FUNCTION flink.not_null("any") IS
'marks columns that are never NULL, in the WHERE of a view; always true';

--
-- Relations as Flink's DDL
--

CREATE FUNCTION flink.metadata(key text, value anyelement)
RETURNS anyelement
LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_metadata';

COMMENT ON FUNCTION flink.metadata(text, anyelement) IS
'NULL, as the default of a column of METADATA that is VIRTUAL; key is what the connector calls it';

CREATE FUNCTION flink.describe(
	rel regclass, OUT name text, OUT type text, OUT "null" boolean, OUT key text, OUT extras text,
	OUT watermark text, OUT comment text)
RETURNS SETOF record
LANGUAGE c STABLE STRICT PARALLEL SAFE ROWS 10
AS 'MODULE_PATHNAME', 'aw_sql_describe';

COMMENT ON FUNCTION flink.describe(regclass) IS
'what describe() gives, and the comments of columns, as DESCRIBE prints them where there are any';

CREATE FUNCTION flink.show_create_table(rel regclass)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_show_create_table';

COMMENT ON FUNCTION flink.show_create_table(regclass) IS
'CREATE TABLE of Flink SQL for a table, as SHOW CREATE TABLE prints it';

CREATE FUNCTION flink.show_create_view(rel regclass)
RETURNS text
LANGUAGE c STABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'aw_sql_show_create_view';

COMMENT ON FUNCTION flink.show_create_view(regclass) IS
'CREATE VIEW of Flink SQL that made a view, as SHOW CREATE VIEW prints it';

CREATE FUNCTION flink.is_table(rel regclass)
RETURNS boolean
LANGUAGE c STABLE STRICT PARALLEL RESTRICTED
AS 'MODULE_PATHNAME', 'aw_sql_is_table';

COMMENT ON FUNCTION flink.is_table(regclass) IS
'tells whether a relation is a table to Flink: a table, or a view that CREATE TABLE of Flink SQL made';

-- A view that Flink's CREATE TABLE made is a table, and the table below it is none.
-- Without a schema: those of the current one, and temporary ones.

CREATE FUNCTION flink.show_tables(database name, only_views boolean)
RETURNS SETOF name
LANGUAGE sql STABLE PARALLEL RESTRICTED
BEGIN ATOMIC
	SELECT rel.relname
	FROM pg_catalog.pg_class AS rel
	WHERE rel.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'v', 'm', 'f']::pg_catalog."char"[])
		AND (rel.relnamespace OPERATOR(pg_catalog.=) pg_catalog.to_regnamespace(
				pg_catalog.quote_ident(COALESCE(database, pg_catalog.current_schema()::pg_catalog.text)))
			OR (database IS NULL
				AND rel.relnamespace OPERATOR(pg_catalog.=) pg_catalog.pg_my_temp_schema()))
		AND (NOT only_views
			OR (rel.relkind OPERATOR(pg_catalog.=) 'v'
				AND NOT flink.is_table(rel.oid)))
		AND NOT EXISTS (
			SELECT
			FROM pg_catalog.pg_class AS above
			WHERE above.relnamespace OPERATOR(pg_catalog.=) rel.relnamespace
				AND above.relkind OPERATOR(pg_catalog.=) 'v'
				AND (above.relname::pg_catalog.text OPERATOR(pg_catalog.||) '__source')
					OPERATOR(pg_catalog.=) rel.relname::pg_catalog.text)
		AND NOT EXISTS (
			SELECT
			FROM pg_catalog.pg_depend AS part
			WHERE part.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
				AND part.objid OPERATOR(pg_catalog.=) rel.oid
				AND part.deptype OPERATOR(pg_catalog.=) 'e');
END;

COMMENT ON FUNCTION flink.show_tables(name, boolean) IS
'tables and views, or views alone, as SHOW TABLES and SHOW VIEWS print them';
