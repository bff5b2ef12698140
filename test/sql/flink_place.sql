-- Where errors are in the source: plain output, which shows the place.
\i test/setup.psql
\set ON_ERROR_STOP off
\set VERBOSITY default

SELECT flink_sql('SELECT a
FROM t
WHERE b = ''x');
SELECT flink_sql('SELECT a, b c d FROM t');
SELECT flink_sql('SELECT a FROM t; SELECT é, CAST(a AS FROB) FROM t');
SELECT flink_sql('SELECT a + FROM t');
SELECT flink_sql('SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts)))');
SELECT flink_sql('SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a)');

BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT, ts TIMESTAMP(3));
CREATE VIEW flink_place_view AS SELECT a,
	COUNT(nope) FROM flink_place');
ROLLBACK;
BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - nope)');
ROLLBACK;
SELECT flink_prepare('q', 'SELECT 1,
	nope(?)');
SELECT flink_sql('SELECT 1') IS NOT NULL;
