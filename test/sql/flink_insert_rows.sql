-- INSERT of rows: each becomes one of its column's type, in arrays and within others too.
\i test/setup.psql
BEGIN;
SELECT plan(22);
SET client_min_messages = error;

CALL flink_execute($$
	CREATE TABLE iot (id INT, ms ARRAY<ROW<sensor STRING, v DOUBLE>>) WITH ('connector' = 'kafka');
	INSERT INTO iot VALUES (1, ARRAY[ROW('a', 1.5), ROW('b', 2.5)]), (2, NULL);
	INSERT INTO iot (ms, id) SELECT ARRAY[ROW('x', 1)], 5 UNION ALL (SELECT ms, id + 5 FROM iot WHERE id = 1);
$$);
SELECT results_eq('SELECT id, ms::text FROM iot ORDER BY id',
	$$VALUES (1, '{"(a,1.5)","(b,2.5)"}'), (2, NULL), (5, '{"(x,1)"}'), (6, '{"(a,1.5)","(b,2.5)"}')$$, 'arrays of rows are filled, by VALUES and SELECT');
SELECT lives_ok($$SELECT flink_prepare('unnested', 'SELECT id, sensor, v FROM iot, UNNEST(ms) AS m (sensor, v) WHERE id = 1')$$, 'and read');
SELECT results_eq('EXECUTE unnested', $$VALUES (1, 'a', 1.5::float), (1, 'b', 2.5)$$, 'and unnested');

CALL flink_execute($$
	CREATE TABLE nested (r ROW<a INT, s ROW<b INT>, l ARRAY<ROW<c TIMESTAMP(0)>>>, k BIGINT);
	INSERT INTO nested VALUES (ROW(1, ROW(2), NULL), 1), (ROW(1, ROW(3), ARRAY[ROW(TIMESTAMP '2024-01-01 00:00:00'), ROW(NULL)]), 2);
	INSERT INTO nested SELECT ROW(9, s, NULL), 3 FROM (SELECT ROW(7) AS s) AS q;
	INSERT INTO nested VALUES (NULL, 4);
$$);
SELECT results_eq('SELECT k, r::text FROM nested ORDER BY k',
	$$VALUES (1::bigint, '(1,"(2)",)'), (2, '(1,"(3)","{""(\\""2024-01-01 00:00:00\\"")"",()}")'), (3, '(9,"(7)",)'), (4, NULL)$$,
	'so are rows within rows, and arrays within them');
CALL flink_execute($$
	CREATE TABLE other (r ROW<a STRING, s ROW<b DOUBLE>, l ARRAY<ROW<c STRING>>>);
	INSERT INTO other SELECT r FROM nested WHERE k = 2;
	CREATE TABLE alike LIKE nested;
	INSERT INTO alike SELECT r, k FROM nested WHERE k = 3;
$$);
SELECT results_eq('SELECT r::text FROM other', $$VALUES ('(1,"(3)","{""(\\""2024-01-01 00:00:00\\"")"",()}")')$$,
	'rows of one type become rows of another, their fields are assigned');
SELECT results_eq('SELECT r::text FROM alike', $$VALUES ('(9,"(7)",)')$$, 'also of a copy of their table');
CALL flink_execute($$
	CREATE TABLE computed (r ROW<a INT, l ARRAY<ROW<x INT>>>, y AS CARDINALITY(ARRAY[r]));
	INSERT INTO computed VALUES ROW(ROW(1, ARRAY[ROW(2)])), ROW(ROW(3, ARRAY[ROW(4)]));
	INSERT INTO computed (r) SELECT ROW(a, ARRAY[ROW(b)]) FROM (VALUES (5, 6)) AS v (a, b);
	CREATE TABLE collected (id INT, rs ARRAY<ROW<a INT, b STRING>>);
	INSERT INTO collected SELECT a, ARRAY_AGG(ROW(a, b)) FROM (VALUES (5, 'x'), (5, 'y')) AS v (a, b) GROUP BY a;
	ALTER TABLE collected ADD more ARRAY<ROW<z INT>>;
	INSERT INTO collected (id, more) VALUES (6, ARRAY[ROW(1)]);
	ALTER TABLE collected RENAME rs TO rows_of;
	INSERT INTO collected (rows_of, id) VALUES (ARRAY[ROW(7, 'z')], 7);
$$);
SELECT results_eq('SELECT r::text FROM computed', $$VALUES ('(1,"{(2)}")'), ('(3,"{(4)}")'), ('(5,"{(6)}")')$$, 'a table that has become a view takes them');
SELECT results_eq('SELECT id, rows_of::text, more::text FROM collected ORDER BY id',
	$$VALUES (5, '{"(5,x)","(5,y)"}', NULL), (6, NULL, '{(1)}'), (7, '{"(7,z)"}', NULL)$$, 'and columns that came later, or have another name');

-- In flink_sql() the types are kept in mind; what PostgreSQL makes of ROW(...) itself is left to it
SELECT is(regexp_replace(flink_sql('CREATE TABLE t (id INT, r ROW<a INT>, l ARRAY<ROW<b INT>>); ' || source), '^.*\);\s+INSERT', 'INSERT'), expected, source)
FROM (VALUES
	('INSERT INTO t VALUES (1, ROW(2), ARRAY[ROW(3)])', E'INSERT INTO t (id, r, l)\nVALUES (1, ROW(2), flink.to_row(ARRAY[ROW(3)], NULL::t__l[]));'),
	('INSERT INTO t (l) VALUES (NULL)', E'INSERT INTO t (l)\nVALUES (NULL);'),
	('INSERT INTO t (id, r) SELECT a, ROW(b) FROM s', E'INSERT INTO t (id, r)\nSELECT a, flink.to_row(ROW(b), NULL::t__r) FROM s;'),
	('INSERT INTO t SELECT s.*, ROW(b) FROM s', E'INSERT INTO t (id, r, l)\nSELECT s.*, ROW(b) FROM s;'),
	('INSERT INTO t (id) VALUES 1, 2', E'INSERT INTO t (id)\nVALUES (1), (2);'),
	('INSERT INTO t (r, id) WITH s AS (SELECT 1 AS a, 2 AS b) SELECT q.r, a FROM (SELECT ROW(b) AS r, a FROM s) AS q',
	 E'INSERT INTO t (r, id)\nWITH s AS (SELECT 1 AS a, 2 AS b)\nSELECT flink.to_row(q.r, NULL::t__r), a\nFROM (SELECT ROW(b) AS r, a FROM s) AS q;')
) AS c(source, expected);

-- The function itself
CREATE TYPE pair AS (a int, dropped int, b numeric(4, 1));
ALTER TYPE pair DROP ATTRIBUTE dropped;
SELECT is(flink.to_row(ROW(1, 2.25), NULL::pair), ROW(1, 2.3)::pair, 'fields are assigned in their order');
SELECT is(flink.to_row(ROW('1', NULL), NULL::pair), ROW(1, NULL)::pair, 'strings without a type become what is needed');
SELECT is(flink.to_row(ARRAY[ROW(1, 2), NULL], NULL::pair[]), ARRAY[ROW(1, 2), NULL]::pair[], 'an array may have NULL among its rows');
SELECT is(flink.to_row(NULL, NULL::pair), NULL::pair, 'NULL stays NULL');
SELECT is(flink.to_row('(1,2)', NULL::pair), ROW(1, 2)::pair, 'a string is read');
SELECT throws_ok(format('SELECT flink.to_row(%s, NULL::pair)', row_text), '42804', message, message)
FROM (VALUES
	('ROW(1)', 'a row has fewer fields than type pair'),
	('ROW(1, 2, 3)', 'a row has more fields than type pair'),
	('ROW(1, true)', 'a value of type boolean does not become one of type numeric')
) AS c(row_text, message);

SELECT * FROM finish();
ROLLBACK;
