-- What a script of Flink SQL changes holds for the statements behind it.
\i test/setup.psql
BEGIN;
SELECT plan(58);
SET client_min_messages = error;

CREATE FUNCTION pg_temp.translated(source text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(flink_sql(source), '\s+', ' ', 'g')
$$;
-- What the last statement becomes.
CREATE FUNCTION pg_temp.last(source text) RETURNS text LANGUAGE sql AS $$
	SELECT substring(pg_temp.translated(source) FROM '([^;]*);$')
$$;

-- In flink_execute() the catalog tells
CALL flink_execute($$
	CREATE TABLE turned (a INT, b INT);
	ALTER TABLE turned DROP a;
	ALTER TABLE turned ADD a INT;
	INSERT INTO turned VALUES (1, 2);
$$);
SELECT results_eq('SELECT b, a FROM turned', 'VALUES (1, 2)', 'columns are in the order that they have');
SELECT throws_ok('CALL flink_execute(''ALTER TABLE turned ADD c INT; INSERT INTO turned VALUES (1, 2)'')', '42601', NULL, 'a new column takes a value');
CALL flink_execute($$
	CREATE TABLE counted (id INT, n INT, PRIMARY KEY (id) NOT ENFORCED);
	CREATE TABLE looked_at (id INT, n INT) WITH ('connector' = 'jdbc', 'table-name' = 'counted');
	INSERT INTO looked_at VALUES (1, 1);
	INSERT INTO looked_at VALUES (1, 2);
$$);
SELECT results_eq('SELECT n FROM counted', 'VALUES (2)', 'a row replaces another through the connector jdbc');

-- In flink_sql() it is kept in mind
CREATE SCHEMA away;
CREATE TABLE away.elsewhere (a int);
SET search_path = public, away;
SELECT is(trim(pg_temp.last(source)), expected, source)
FROM (VALUES
	('ALTER TABLE turned ADD c INT; INSERT INTO turned TABLE s', 'INSERT INTO turned (b, a, c) TABLE s'),
	('ALTER TABLE turned DROP (a); INSERT INTO turned TABLE s', 'INSERT INTO turned (b) TABLE s'),
	('ALTER TABLE turned RENAME a TO z; INSERT INTO turned TABLE s', 'INSERT INTO turned (b, z) TABLE s'),
	('ALTER TABLE turned RENAME TO new; INSERT INTO new TABLE s', 'INSERT INTO new (b, a) TABLE s'),
	('DROP TABLE turned; CREATE TABLE turned (x INT); INSERT INTO turned TABLE s', 'INSERT INTO turned (x) TABLE s'),
	('CREATE TEMPORARY TABLE turned (x INT); INSERT INTO turned TABLE s', 'INSERT INTO pg_temp.turned (x) TABLE s'),
	('CREATE TEMPORARY TABLE turned (x INT); DROP TEMPORARY TABLE turned; INSERT INTO turned TABLE s', 'INSERT INTO turned (b, a) TABLE s'),
	('CREATE TABLE l (c INT) LIKE turned; INSERT INTO l TABLE s', 'INSERT INTO l (b, a, c) TABLE s'),
	('CREATE TABLE l LIKE counted; INSERT INTO l TABLE s', 'INSERT INTO l (id, n) TABLE s ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n'),
	('CREATE TABLE l LIKE counted (EXCLUDING ALL); INSERT INTO l TABLE s', 'INSERT INTO l (id, n) TABLE s'),
	('CREATE TABLE elsewhere (b INT); INSERT INTO elsewhere TABLE s', 'INSERT INTO elsewhere (b) TABLE s'),
	('CREATE TABLE q AS SELECT 1 AS a; INSERT INTO q TABLE s', 'INSERT INTO q TABLE s'),
	('CREATE TABLE j (id INT, n INT) WITH (''connector'' = ''jdbc'', ''table-name'' = ''counted''); INSERT INTO j TABLE s',
	 'INSERT INTO j (id, n) TABLE s ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n'),
	('CREATE TABLE j (n INT) WITH (''connector'' = ''jdbc'', ''table-name'' = ''counted''); INSERT INTO j TABLE s', 'INSERT INTO j (n) TABLE s'),
	('CREATE TABLE v (a INT, ts TIMESTAMP(3), PRIMARY KEY (a) NOT ENFORCED); INSERT INTO v TABLE s',
	 'INSERT INTO v (a, ts) TABLE s ON CONFLICT (a) DO UPDATE SET ts = EXCLUDED.ts'),
	('CREATE TABLE v (a INT, ts TIMESTAMP(3), PRIMARY KEY (a) NOT ENFORCED); ALTER TABLE v ADD WATERMARK FOR ts AS ts; INSERT INTO v TABLE s', 'INSERT INTO v (a, ts) TABLE s'),
	('CREATE TABLE v (a INT, ts TIMESTAMP(3), PRIMARY KEY (a) NOT ENFORCED, WATERMARK FOR ts AS ts); ALTER TABLE v DROP WATERMARK; INSERT INTO v TABLE s',
	 'INSERT INTO v (a, ts) TABLE s ON CONFLICT (a) DO UPDATE SET ts = EXCLUDED.ts'),
	('CREATE TABLE v (a INT, ts TIMESTAMP(3), PRIMARY KEY (a) NOT ENFORCED); SELECT 1 FROM v AS x JOIN v FOR SYSTEM_TIME AS OF x.ts AS y ON x.a = y.a',
	 'SELECT 1 FROM v AS x JOIN v AS y ON x.a = y.a'),
	('CREATE TABLE v (a INT, ts TIMESTAMP(3), PRIMARY KEY (a) NOT ENFORCED); ALTER TABLE v ADD WATERMARK FOR ts AS ts; ALTER TABLE v RENAME a TO b; SELECT 1 FROM v AS x JOIN v FOR SYSTEM_TIME AS OF x.ts AS y ON x.b = y.b',
	 'SELECT 1 FROM v AS x JOIN LATERAL ( SELECT * FROM v AS y WHERE y.ts <= x.ts AND x.b = y.b ORDER BY y.ts DESC LIMIT 1 ) AS y ON true')
) AS c(source, expected);

-- What is passed over or refused
SELECT is(flink_sql(source), '', source)
FROM (VALUES
	('ALTER TABLE IF EXISTS nowhere ADD (a INT, b INT)'), ('ALTER TABLE IF EXISTS nowhere DROP WATERMARK'), ('ALTER VIEW IF EXISTS nowhere AS SELECT 1'),
	('CREATE TABLE IF NOT EXISTS turned WITH (''connector'' = ''kafka'') AS SELECT 1 AS a, 2 AS b'), ('CREATE TABLE IF NOT EXISTS turned AS SELECT 1 AS a')
) AS c(source);
CALL flink_execute($$
	CREATE TABLE timed (d INT, ts TIMESTAMP(3), a INT, WATERMARK FOR ts AS ts - d * INTERVAL '1' SECOND);
	CREATE VIEW timely WATERMARK FOR ts AS ts AS SELECT d, ts FROM timed;
	ALTER VIEW timely RENAME d TO e;
	ALTER TABLE timed RENAME a TO b;
$$);
SELECT throws_ok('SELECT flink_sql(' || quote_literal(source) || ')', state, message, source)
FROM (VALUES
	('ALTER TABLE counted DROP id', '42601', 'column "id" is used as the primary key'),
	('CREATE TABLE w (d INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - d * INTERVAL ''1'' SECOND); ALTER TABLE w DROP ts', '42601', 'column "ts" is used by the watermark'),
	('CREATE TABLE w (d INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - d * INTERVAL ''1'' SECOND); ALTER TABLE w DROP d', '42601', 'column "d" is used by the watermark'),
	('CREATE TABLE w (d INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - d * INTERVAL ''1'' SECOND); CREATE TABLE l LIKE w; ALTER TABLE l DROP d', '42601', 'column "d" is used by the watermark'),
	('ALTER TABLE timed RENAME d TO e; ALTER TABLE timed DROP e', '42601', 'column "d" is used by the watermark'),
	('ALTER TABLE timed RENAME ts TO t', '42601', 'column "ts" is used by the watermark'),
	('ALTER VIEW timely RENAME ts TO t; ALTER VIEW timely AS SELECT * FROM timed', '42601', 'column "ts" is used by the watermark'),
	('CREATE VIEW w AS SELECT 1 AS d, LOCALTIMESTAMP AS ts; ALTER VIEW w SET WATERMARK FOR ts AS ts; ALTER VIEW w RENAME ts TO t', '42601', 'column "ts" is used by the watermark'),
	('CREATE TABLE w (ts TIMESTAMP(3), WATERMARK FOR ts AS ts); ALTER TABLE w ADD WATERMARK FOR ts AS ts', '42601', 'table "w" already has a watermark definition; MODIFY replaces it'),
	('CREATE TABLE w (ts TIMESTAMP(3)); ALTER TABLE w MODIFY WATERMARK FOR ts AS ts', '42601', 'table "w" has no watermark definition; ADD gives it one'),
	('ALTER TABLE turned RENAME TO elsewhere.turned', '0A000', 'RENAME to another database of Flink SQL is not supported'),
	('ALTER TABLE turned ADD c INT PRIMARY KEY NOT ENFORCED', '0A000', 'ALTER TABLE ... ADD PRIMARY KEY of Flink SQL is not supported'),
	('CREATE TABLE c (a INT, b AS a); ALTER TABLE c ADD z INT', '0A000', 'ADD of a column of a table that has become a view of Flink SQL is not supported'),
	('CREATE TABLE c (a INT, b AS a); ALTER TABLE c DROP b', '0A000', 'DROP of a column of a table that has become a view of Flink SQL is not supported'),
	('CREATE TABLE g (a INT) WITH (''connector'' = ''datagen''); TRUNCATE TABLE g', '0A000', 'TRUNCATE TABLE of a table whose connector is read of Flink SQL is not supported'),
	('CREATE TABLE elsewhere (b INT); DROP TABLE elsewhere; INSERT INTO elsewhere VALUES (1)', '42P01', 'relation "elsewhere" is not in the current database'),
	('CREATE TEMPORARY TABLE turned (x INT); DROP TABLE turned', '42601', '"turned" is hidden by a temporary relation; DROP TEMPORARY takes that')
) AS c(source, state, message);

SELECT lives_ok($$CALL flink_execute('
	CREATE TABLE units (ts TIMESTAMP(3), `interval` INT, `second` INT, `text` INT, `date` INT, WATERMARK FOR ts AS ts - INTERVAL ''1'' SECOND);
	ALTER TABLE units RENAME `interval` TO i;
	ALTER TABLE units DROP (`second`, `text`);
')$$, 'a column may be called like a word of the watermark');
SELECT throws_ok('SELECT flink_sql(' || quote_literal(format('CREATE TABLE w (ts TIMESTAMP(3), %1$s INT, WATERMARK FOR ts AS ts - %1$s * INTERVAL ''1'' SECOND); ALTER TABLE w DROP %1$s', name)) || ')',
	'42601', format('column "%s" is used by the watermark', btrim(name, '`')), name || ' is found where it is a column')
FROM unnest(ARRAY['`second`', '`interval`', '`text`', '`Odd name`']) AS name;

-- What a table stands on
CALL flink_execute('CREATE TABLE sums (a INT, b AS a + 1); INSERT INTO sums VALUES (1); TRUNCATE TABLE sums');
SELECT is_empty('TABLE sums', 'a table with computed columns is truncated');
CALL flink_execute('CREATE TABLE typed (p ROW<q ROW<r INT>>); ALTER TABLE typed RENAME TO typed_once; CREATE TABLE typed (p ROW<q INT>); DROP TABLE typed_once');
SELECT is((SELECT array_agg(typname ORDER BY typname)::text FROM pg_type WHERE typname ~ '^typed'), '{typed,typed__p}', 'types of rows are renamed with their table');
CALL flink_execute('CREATE TABLE rows_of (a ROW<x INT>, b ROW<x INT>); ALTER TABLE rows_of RENAME a TO c; ALTER TABLE rows_of DROP b; ALTER TABLE rows_of ADD (a ROW<x INT>, b ROW<y INT>); DROP TABLE rows_of');
SELECT is_empty('SELECT FROM pg_type WHERE typname ~ ''^rows_of''', 'and with their column, and go with both');
CALL flink_execute('CREATE TEMPORARY TABLE twice (ts TIMESTAMP(3)); CREATE TABLE twice (ts TIMESTAMP(3), WATERMARK FOR ts AS ts)');
SELECT results_eq('SELECT relation FROM watermarks WHERE relation::text ~ ''twice''', $$VALUES ('public.twice'::regclass)$$, 'a watermark is that of the table, not of one that hides it');
CALL flink_execute('CREATE TABLE hiding (a INT); CREATE TEMPORARY TABLE hiding (b INT); DROP TEMPORARY TABLE hiding; CREATE VIEW seen AS SELECT 1 AS a; CREATE TEMPORARY VIEW IF NOT EXISTS seen AS SELECT 2 AS a');
SELECT results_eq('TABLE seen', 'VALUES (2)', 'a temporary view may hide another');
CALL flink_execute('CREATE TEMPORARY TABLE passing (b INT); DROP TABLE passing');
SELECT hasnt_table('passing', 'a temporary table that hides none is dropped without TEMPORARY');

-- The query of a view
CALL flink_execute($$
	CREATE TABLE bids (price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
	CREATE VIEW dear (p, ts) COMMENT 'mine' WATERMARK FOR ts AS ts - INTERVAL '2' SECOND AS SELECT price, ts FROM bids;
	ALTER VIEW dear AS SELECT price AS p, ts FROM bids WHERE price > 1;
$$);
SELECT is(flink.show_create_view('dear'), E'CREATE VIEW `dear` (`p`, `ts`)\nCOMMENT ''mine''\nWATERMARK FOR `ts` AS `ts` - INTERVAL ''2'' SECOND\nAS SELECT price AS p, ts FROM bids WHERE price > 1',
	'a view keeps its comment and its watermark');

CREATE VIEW by_hand AS SELECT price FROM bids WHERE watermark_for(ts, ts);
SELECT throws_ok('SELECT flink_sql(''ALTER VIEW by_hand AS SELECT price FROM bids'')', '0A000',
	'ALTER VIEW ... AS of a view whose watermark is not made of its columns of Flink SQL is not supported', 'unless it has no words');
CALL flink_execute('CREATE VIEW applied AS SELECT * FROM APPLY_WATERMARK(TABLE bids, DESCRIPTOR(ts), ts)');
SELECT unalike(flink_sql('ALTER VIEW applied AS SELECT * FROM APPLY_WATERMARK(TABLE bids, DESCRIPTOR(ts), ts - INTERVAL ''1'' SECOND)'), '%set_watermark%', 'one of its query goes with it');

SELECT * FROM finish();
ROLLBACK;
