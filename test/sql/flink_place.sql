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

-- Errors that the server has no place for are at the statement.
BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT);

DROP TABLE flink_missing');
ROLLBACK;
BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT, b INT, PRIMARY KEY (a) NOT ENFORCED);
INSERT INTO flink_place VALUES (1, 2), (1, 3)');
ROLLBACK;
SELECT flink_sql('ALTER TABLE t ADD (x STRING COMMENT ''hi'', y AS id + 1)');
SELECT flink_sql('CREATE TABLE t (a INT) WITH (''a'' = ''b'', ''a'' = ''c'')');
SELECT flink_sql('SELECT INTERVAL ''1'' DAY TO YEAR');
SELECT flink_sql('SELECT INTERVAL ''1-2'' DAY TO HOUR');
SELECT flink_sql('SELECT INTERVAL ''100'' DAY');

-- What CREATE TABLE declares is at its declaration.
SELECT flink_sql('CREATE TABLE t (a INT, PRIMARY KEY (a, nope) NOT ENFORCED)');
SELECT flink_sql('CREATE TABLE t (a INT, y AS a + 1, PRIMARY KEY (a, y) NOT ENFORCED)');
CALL flink_execute('CREATE TABLE flink_place (a INT,
	b DECIMAL(0, 0), c INT)');
CALL flink_execute('CREATE TABLE flink_place LIKE flink_missing');
CALL flink_execute('CREATE TABLE flink_missing.t (a INT)');
BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT);
ALTER TABLE flink_place ADD (b INT, c DECIMAL(0, 0))');
ROLLBACK;

-- A watermark is a text within its statement.
BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT, ts TIMESTAMP(3));
CREATE VIEW flink_place_view AS SELECT a, ts FROM flink_place;
ALTER VIEW flink_place_view SET WATERMARK FOR ts AS
	ts - INTERVAL ''5'' SECOND * nope');
ROLLBACK;
BEGIN;
CALL flink_execute('CREATE TABLE flink_place (a INT, ts TIMESTAMP(3));
ALTER TABLE flink_place ADD (b INT, WATERMARK FOR ts AS b)');
ROLLBACK;
