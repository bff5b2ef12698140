-- Tables that a continuous query can publish to, and those that it cannot: told when
-- the query is created.
\i test/setup.psql
BEGIN;
SELECT plan(18);

\i test/continuous.psql

CREATE TABLE misses (window_start timestamp, n integer);
CREATE TABLE has_more (window_start timestamp, n text, more text DEFAULT 'd', s numeric);
CREATE TABLE late_key (window_start timestamp PRIMARY KEY, n integer, s numeric, UNIQUE (n) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE late_reference (window_start timestamp, n integer, s integer REFERENCES auction (id) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE may_be_late (window_start timestamp, n integer UNIQUE DEFERRABLE, s numeric);
CREATE TABLE other_type (window_start timestamp, n date, s numeric);
CREATE TABLE numbered (window_start timestamp, n integer GENERATED ALWAYS AS IDENTITY, s numeric);
CREATE TABLE computes (window_start timestamp, n integer, s numeric GENERATED ALWAYS AS (1) STORED);
CREATE TABLE split (window_start timestamp, n integer, s numeric) PARTITION BY RANGE (window_start);
CREATE TABLE "Mixed, case" (s numeric, n integer, window_start timestamp);
CREATE VIEW looks AS SELECT * FROM has_more;
CREATE TEMP TABLE passing (window_start timestamp, n integer, s numeric);
CREATE UNLOGGED TABLE fleeting (window_start timestamp, n integer, s numeric);
CREATE TABLE late_trigger (window_start timestamp, n integer, s numeric);
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON late_trigger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION nothing();

CREATE FUNCTION refusal_of_sink(sink text, OUT message text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM watermark.create_query('published', written_out('SELECT window_start, count(*) AS n, sum(price) AS s FROM @B @G'), sink => sink);
	message := 'accepted';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
END;
$$;

SELECT is((refusal_of_sink(sink)).message, 'the server is not set up for continuous queries', 'a sink can be ' || label)
FROM (VALUES
	('new_one', 'a table that is not there'),
	('public."New, one"', 'that too with a name in quotes'),
	('has_more', 'a table with more columns and other types'),
	('may_be_late', 'a table whose constraint could be deferred'),
	('split', 'a partitioned table'),
	('"Mixed, case"', 'a table with its columns in another order')
) AS c(sink, label);

SELECT is(refusal_of_sink(sink), (message, hint), 'a sink cannot be ' || label)
FROM (VALUES
	('misses', 'a table without one of the columns',
	 'sink "misses" has no column "s"', 'Add it with type numeric, or give the query''s column a name that the sink has.'),
	('other_type', 'a table whose column has a type without a cast',
	 'column "n" is of type date but expression is of type bigint', 'You will need to rewrite or cast the expression.'),
	('numbered', 'a table that generates an identity',
	 'sink "numbered" generates the values of column "n"', 'Give the query''s column another name, or leave it out.'),
	('computes', 'a table that generates a column',
	 'sink "computes" generates the values of column "s"', 'Give the query''s column another name, or leave it out.'),
	('late_key', 'a table with a deferred key',
	 'sink "late_key" has a deferred constraint, "late_key_n_key"', 'Make it INITIALLY IMMEDIATE.'),
	('late_reference', 'a table with a deferred reference',
	 'sink "late_reference" has a deferred constraint, "late_reference_s_fkey"', 'Make it INITIALLY IMMEDIATE.'),
	('late_trigger', 'a table with a deferred trigger',
	 'sink "late_trigger" has a deferred trigger, "at_the_end"', 'Make it INITIALLY IMMEDIATE.'),
	('looks', 'a view',
	 'sink "looks" is not a table', 'Name a table, or one that is to be made.'),
	('fleeting', 'an unlogged table',
	 'sink "fleeting" is an unlogged table', 'Use ALTER TABLE … SET LOGGED, or an ordinary table.'),
	('passing', 'a temporary table',
	 'sink "passing" is a temporary table', 'Name a table that other sessions can see.'),
	('bid', 'the stream',
	 'sink "bid" is the stream of its query', 'Name another table.'),
	('nowhere.t', 'a table in a schema that is not there',
	 'schema "nowhere" does not exist', '')
) AS c(sink, label, message, hint);

SELECT * FROM finish();
ROLLBACK;
