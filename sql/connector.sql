
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
'marks the columns of a primary key that is not enforced, in a CHECK; always true';

--
-- Relations as Flink's DDL
--

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
