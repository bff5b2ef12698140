-- A query is kept as a view in the schema watermark, whose other names are taken.
\i test/setup.psql
BEGIN;
SELECT plan(4);

\i test/continuous.psql

CREATE FUNCTION named(name name, OUT code text, OUT message text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM watermark.create_query(name, written_out('SELECT window_start, count(*) AS n FROM @B @G'), sink => 'results');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
END;
$$;

SELECT is(named(name), ('42P07'::text, format('relation "%s" already exists', name), 'Choose a name that no relation of the schema has.'::text),
	name || ' is the name of something else')
FROM (VALUES ('queries'), ('late_rows'), ('progress')) AS c(name);

SELECT is(message, 'the server is not set up for continuous queries', 'the name of a relation in another schema can be had')
FROM named('bid');

SELECT * FROM finish();
ROLLBACK;
