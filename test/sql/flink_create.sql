-- CREATE TABLE of what is there already, and DESCRIBE of what is made.
\i test/setup.psql
BEGIN;
SELECT plan(25);
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
SELECT lives_ok($$ SELECT flink_sql(flink.show_create_table('computed')) $$, 'a translation may be looked at while its table is there');
SELECT throws_ok($$ SELECT flink_sql('CREATE TABLE t (a INT, b AS a); CREATE TABLE t (a INT, b AS a)') $$, '42P07', 'relation "t" already exists', 'but not make it twice');
SELECT lives_ok(format('CALL flink_execute(%L)', source), label)
FROM (VALUES
	('CREATE TABLE IF NOT EXISTS orders (a INT) WITH (''connector'' = ''datagen'')', 'IF NOT EXISTS passes over rows that are read'),
	('CREATE TABLE IF NOT EXISTS computed (a INT, b AS a + 1, c ROW<x INT>)', 'and over computed columns and row types'),
	('CREATE TEMPORARY TABLE computed (a INT, b AS a + 1)', 'a temporary table has names of its own'),
	('DROP TABLE plain; CREATE TABLE plain (a ROW<x INT>, b AS 1)', 'a name is free when its table is dropped')
) AS c(source, label);

-- DESCRIBE has comments where a column has one
CREATE TABLE commented (a int, b int);
COMMENT ON COLUMN commented.b IS 'the b';
SELECT is(substring(flink_sql(source) FROM '\* FROM .*$'), '* FROM ' || expected, source)
FROM (VALUES
	('DESCRIBE commented', 'flink.describe(''commented''::regclass);'),
	('DESCRIBE computed', 'describe(''computed''::regclass);'),
	('CREATE TABLE t (a INT, b AS a + 1 COMMENT ''more''); DESCRIBE t', 'flink.describe(''t''::regclass);'),
	('CREATE TABLE t LIKE commented; DESCRIBE t', 'flink.describe(''t''::regclass);'),
	('CREATE TABLE t (a INT) COMMENT ''t''; DESCRIBE t', 'describe(''t''::regclass);'),
	('CREATE TABLE t (a INT); ALTER TABLE t ADD b INT COMMENT ''x''; DESC t', 'flink.describe(''t''::regclass);'),
	('CREATE VIEW v (a, b COMMENT ''x'') AS SELECT 1, 2; DESCRIBE VIEW v', 'flink.describe(''v''::regclass);'),
	('DESCRIBE nowhere', 'describe(''nowhere''::regclass);')
) AS c(source, expected);
CALL flink_execute($$
	CREATE TABLE told (a INT COMMENT 'it', b AS a + 1 COMMENT 'more', PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'datagen');
	CREATE TABLE base (b INT, c TIMESTAMP(3));
	CREATE TABLE shown (b INT, x AS b + 1) WITH ('connector' = 'jdbc', 'table-name' = 'base');
$$);
CREATE VIEW by_hand AS SELECT b, b + 1 AS x FROM base;
SELECT results_eq('SELECT * FROM flink.describe(''told'')', $$ VALUES
	('a', 'INT', false, 'PRI(a)', NULL, NULL, 'it'), ('b', 'INT', true, NULL, 'AS `a` + 1', NULL, 'more') $$, 'comments are behind all else');
SELECT results_eq('SELECT name, extras FROM describe(''shown'')', $$ VALUES ('b', NULL), ('x', 'AS `b` + 1') $$,
				  'what is computed over a table of this database is shown');
SELECT results_eq('SELECT name, extras FROM describe(''by_hand'')', $$ VALUES ('b', NULL::text), ('x', NULL) $$, 'what a view computes is its own');

SELECT * FROM finish();
ROLLBACK;
