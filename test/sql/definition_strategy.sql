-- Strategies given as text: one expression over the columns, and nothing else.
\i test/setup.psql
BEGIN;
SELECT plan(86);
CREATE TABLE t (id bigint, ts timestamp(3), tz timestamptz, d date, k text, delay interval, "Ünï c" interval);
CREATE VIEW v AS SELECT * FROM t;
CREATE FUNCTION pg_temp.try(rel regclass, rowtime name, strategy text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
BEGIN
	PERFORM set_watermark(rel, rowtime, strategy);
	RETURN (SELECT w.strategy FROM watermarks AS w WHERE w.relation = rel);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' | ', state, nullif(message, 'invalid watermark expression'), nullif(detail, ''));
END $$;
CREATE FUNCTION steady(timestamp) RETURNS timestamp LANGUAGE sql IMMUTABLE AS 'SELECT $1';
CREATE FUNCTION unsteady(timestamp) RETURNS timestamp LANGUAGE sql VOLATILE AS 'SELECT $1';

-- What it may be
SELECT is(pg_temp.try('t', 'ts', strategy), expected, strategy)
FROM (VALUES
	('ts', 'ts'),
	('ts - INTERVAL ''5'' SECOND', '(ts - ''00:00:05''::interval second)'),
	('ts - delay', '(ts - delay)'),
	('ts - "Ünï c"', '(ts - "Ünï c")'),
	('t.ts - t.delay', '(ts - delay)'),
	('(t).ts', 'ts'),
	('ts -- a comment', 'ts'),
	('/* and */ ts /* another */', 'ts'),
	('  ts  ', 'ts'),
	('steady(ts)', 'steady(ts)'),
	('coalesce(CASE WHEN k IN (''a'', ''b'') THEN ts END, ts - delay)', 'COALESCE(CASE WHEN (k = ANY (ARRAY[''a''::text, ''b''::text])) THEN ts ELSE NULL::timestamp without time zone END, (ts - delay))'),
	('NULL::timestamp', 'NULL::timestamp without time zone'),
	('timestamp ''2024-01-01''', '''2024-01-01 00:00:00''::timestamp without time zone'),
	('tz AT TIME ZONE ''UTC''', '(tz AT TIME ZONE ''UTC''::text)'),
	('greatest(ts, to_timestamp_ltz(id, 3) AT TIME ZONE ''UTC'')', 'GREATEST(ts, (to_timestamp_ltz(id, 3) AT TIME ZONE ''UTC''::text))')
) AS c(strategy, expected);
SELECT is(pg_temp.try('t', 'tz', 'tz - INTERVAL ''1 day'''), '(tz - ''1 day''::interval)', 'one that depends on the session''s zone');
SELECT is(pg_temp.try('t', 'tz', 'least(tz, now())'), 'LEAST(tz, now())', 'or on the clock');

-- What it may not be
SELECT is(pg_temp.try(rel::regclass, 'ts', strategy), expected, rel || ': ' || strategy)
FROM (VALUES ('t'), ('v')) AS r(rel), (VALUES
	('ts) OR (true', '42601 | syntax error at or near ")"'),
	('ts; DROP TABLE t', '42601 | syntax error at or near ";"'),
	('ts FROM t', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('ts WHERE true', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('ts AS x', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('ts x', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('ts, ts', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('DISTINCT ts', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('*', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('-- ts', '42601 | It must be one expression, without FROM, WHERE and the like'),
	('ts /* open', '42601 | unterminated /* comment at or near "/* open"'),
	('ts INTO x', '42601 | syntax error at or near "INTO"'),
	('ts UNION SELECT ts', '42601 | syntax error at or near "UNION"'),
	('DEFAULT', '42601 | DEFAULT is not allowed in this context'),
	('$1', '42P02 | there is no parameter $1'),
	('nosuch', '42703 | column "nosuch" does not exist'),
	('other.ts', '42P01 | missing FROM-clause entry for table "other"'),
	('nosuch(ts)', '42883 | function nosuch(timestamp without time zone) does not exist'),
	('ts - 5', '42883 | operator does not exist: timestamp without time zone - integer'),
	('max(ts)', '42803 | aggregate functions are not allowed in check constraints'),
	('max(ts) OVER ()', '42P20 | window functions are not allowed in check constraints'),
	('(SELECT ts)', '0A000 | cannot use subquery in check constraint'),
	('generate_series(ts, ts, ''1 s'')', '0A000 | set-returning functions are not allowed in check constraints'),
	('unsteady(ts)', '42P17 | It contains a volatile function.'),
	('ts COLLATE "C"', '42804 | collations are not supported by type timestamp without time zone'),
	('CASE WHEN watermark_for(ts, ts) THEN ts END', '42P17 | It contains watermark_for().')
) AS c(strategy, expected);

SELECT is(pg_temp.try(rel::regclass, rowtime, strategy), expected, format('%s: %s, %s', rel, rowtime, strategy))
FROM (VALUES
	('t', 'ts', 't', '42P17 | It refers to the whole row or a system column.'),
	('v', 'ts', 'v.*', '42P17 | It refers to the whole row or a system column.'),
	('t', 'ts', 'ts + tableoid::int * INTERVAL ''1 s''', '42P17 | It refers to the whole row or a system column.'),
	('t', 'ts', 'ts + length(ctid::text) * INTERVAL ''1 s''', '42P10 | system column "ctid" reference in check constraint is invalid'),
	('t', 'ts', 'tz', '42P17 | It is of type timestamp with time zone, the rowtime is timestamp without time zone.'),
	('v', 'tz', 'ts', '42P17 | It is of type timestamp without time zone, the rowtime is timestamp with time zone.'),
	('t', 'ts', 'd', '42P17 | It is of type date, the rowtime is timestamp without time zone.'),
	('t', 'ts', 'id', '42P17 | It is of type bigint, the rowtime is timestamp without time zone.'),
	('t', 'ts', '''2024-01-01''', '42P17 | It is of type unknown, the rowtime is timestamp without time zone.'),
	('t', 'ts', 'delay', '42P17 | It is of type interval, the rowtime is timestamp without time zone.'),
	('v', 'nosuch', 'ts', '42703 | column "nosuch" not found in the schema of view "v"'),
	('t', 'ctid', 'ts', '42703 | column "ctid" not found in the schema of table "t"'),
	('t', 'd', 'd', '42804 | column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('v', 'k', 'ts', '42804 | column "k" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is text)')
) AS c(rel, rowtime, strategy, expected);
SELECT is((SELECT strategy FROM watermarks WHERE relation = 't'::regclass), 'LEAST(tz, now())', 'what is refused leaves the old one');

-- Positions point into the text that was given
\set ON_ERROR_STOP off
\set ON_ERROR_ROLLBACK on
SELECT set_watermark('t', 'ts', 'ts - nosuch');
SELECT set_watermark('v', 'ts', E'ts\n  - max(delay)');
SELECT set_watermark('v', 'ts', '"Ünï c" + ts - delay)');
SELECT set_watermark('t', 'ts', 'ts - INTERVAL ''five''');
SELECT set_watermark('t', 'ts', 'ts - delay FROM v');

SELECT * FROM finish();
ROLLBACK;
