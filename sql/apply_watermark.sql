\echo Use "CREATE EXTENSION apply_watermark" to load this file. \quit

-- Functions that users call are in the schema that CREATE EXTENSION was given;
-- their inner parts are in the schema "watermark".

CREATE SCHEMA watermark;

COMMENT ON SCHEMA watermark IS 'inner parts of apply_watermark';

GRANT USAGE ON SCHEMA watermark TO PUBLIC;

-- CSV files ----------------------------------------------------------------

CREATE FUNCTION @extschema@.read_csv(
	rel anyelement,
	path text,
	header boolean DEFAULT false,
	delimiter text DEFAULT ','
)
RETURNS SETOF anyelement
LANGUAGE c
VOLATILE
CALLED ON NULL INPUT
PARALLEL RESTRICTED
COST 10000
ROWS 100000
AS 'MODULE_PATHNAME', 'aw_sql_read_csv';

COMMENT ON FUNCTION @extschema@.read_csv(anyelement, text, boolean, text) IS
	'rows of a CSV file of the server, or of the files of a directory, as the row type of rel';
