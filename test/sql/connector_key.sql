-- flink.primary_key(): the marker of a primary key that is not enforced.
\i test/setup.psql
BEGIN;
SELECT plan(12);
CREATE FUNCTION pg_temp.keys(rel regclass) RETURNS text
LANGUAGE sql AS $$ SELECT string_agg(concat_ws(' ', name, key), ', ') FROM describe(rel) $$;

CREATE TABLE rates (currency text NOT NULL, day date, gone int, rate int, CONSTRAINT key CHECK (flink.primary_key(currency)));
CREATE TABLE pairs (a int, b int, CHECK (flink.primary_key(b, a)), CHECK (a > 0));
CREATE TABLE other (a int, b int, CHECK (flink.primary_key(a) AND b > 0), CHECK (flink.primary_key(a + 1)));
CREATE TABLE both_kinds (a int PRIMARY KEY, b int, CHECK (flink.primary_key(b)));
CREATE TABLE child (c int) INHERITS (rates);
SELECT is(pg_temp.keys(rel::regclass), expected, label)
FROM (VALUES
	('rates', 'currency PRI(currency), day, gone, rate', 'a marked key is shown as a real one'),
	('pairs', 'a PRI(b, a), b PRI(b, a)', 'the key''s order is that of the marker'),
	('other', 'a, b', 'a part of a condition, or an expression, is no marker'),
	('both_kinds', 'a PRI(a), b', 'a real key goes before'),
	('child', 'currency PRI(currency), day, gone, rate, c', 'a table inherits the marker')
) AS c(rel, expected, label);

ALTER TABLE rates DROP COLUMN gone;
ALTER TABLE rates RENAME currency TO code;
SELECT is(pg_temp.keys('rates'), 'code PRI(code), day, rate', 'the marker follows a column that is renamed');
INSERT INTO rates VALUES ('EUR', '2024-01-01', 1), ('EUR', '2024-01-02', 2);
SELECT is((SELECT count(*) FROM rates), 2::bigint, 'versions of one key are stored');
ALTER TABLE pairs DROP COLUMN b;
SELECT is(pg_temp.keys('pairs'), 'a', 'the marker goes with a column of the key');

CREATE VIEW marked AS SELECT * FROM rates WHERE flink.primary_key(code, rate);
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS off) ' || query; END $$;
SELECT results_eq($$ SELECT pg_temp.plan_of('SELECT * FROM ONLY rates WHERE flink.primary_key(code)') $$,
				  $$ VALUES ('Seq Scan on rates') $$, 'the planner drops the marker');
SELECT ok(flink.primary_key(1, 'a', NULL::int), 'it is true of all values');
SELECT ok(flink.primary_key(VARIADIC ARRAY[1, NULL]), 'and of an array of them');
SELECT throws_ok('SELECT flink.primary_key()', '42883', NULL, 'a key has a column');

SELECT * FROM finish();
ROLLBACK;
