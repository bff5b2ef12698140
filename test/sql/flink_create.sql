-- CREATE TABLE of what is there already.
\i test/setup.psql
BEGIN;
SELECT plan(12);
SET client_min_messages = error;

CALL flink_execute($$
	CREATE TABLE orders (a INT) WITH ('connector' = 'datagen');
	CREATE TABLE computed (a INT, b AS a + 1);
	CREATE TABLE plain (a INT);
	CREATE TEMPORARY TABLE hidden (a INT, b AS a + 1);
$$);
SELECT throws_ok(format('CALL flink_execute(%L)', source), '42P07', message, source)
FROM (VALUES
	('CREATE TABLE orders (a INT) WITH (''connector'' = ''datagen'')', 'relation "orders" already exists'),
	('CREATE TABLE orders (a INT) WITH (''connector'' = ''filesystem'', ''format'' = ''csv'', ''path'' = ''/srv'')', 'relation "orders" already exists'),
	('CREATE TABLE orders (a INT)', 'relation "orders" already exists'),
	('CREATE TABLE computed (a INT, b AS a + 1)', 'relation "computed" already exists'),
	('CREATE TABLE plain (a INT, b AS a + 1)', 'relation "plain" already exists'),
	('CREATE TABLE plain (a ROW<x INT>)', 'relation "plain" already exists'),
	('CREATE TEMPORARY TABLE hidden (a INT, b AS a + 1)', 'relation "hidden" already exists'),
	('CREATE TABLE twice (a INT, b AS a + 1); CREATE TABLE twice (a INT, b AS a + 1)', 'relation "twice" already exists')
) AS c(source, message);
SELECT lives_ok(format('CALL flink_execute(%L)', source), label)
FROM (VALUES
	('CREATE TABLE IF NOT EXISTS orders (a INT) WITH (''connector'' = ''datagen'')', 'IF NOT EXISTS passes over rows that are read'),
	('CREATE TABLE IF NOT EXISTS computed (a INT, b AS a + 1, c ROW<x INT>)', 'and over computed columns and row types'),
	('CREATE TEMPORARY TABLE computed (a INT, b AS a + 1)', 'a temporary table has names of its own'),
	('DROP TABLE plain; CREATE TABLE plain (a ROW<x INT>, b AS 1)', 'a name is free when its table is dropped')
) AS c(source, label);

SELECT * FROM finish();
ROLLBACK;
