\i test/setup.psql
BEGIN;
SELECT plan(37);

CALL flink_execute($$
	CREATE TABLE orders (id INT, amount DECIMAL(10, 2), currency STRING, ts TIMESTAMP(3),
		WATERMARK FOR ts AS ts - INTERVAL '2' SECOND);
	CREATE TABLE rates (currency STRING, rate DECIMAL(10, 2), ts TIMESTAMP(3),
		WATERMARK FOR ts AS ts, PRIMARY KEY (currency) NOT ENFORCED);
	CREATE TABLE names (currency STRING, name STRING, PRIMARY KEY (currency) NOT ENFORCED);
	CREATE TABLE clicks (millis BIGINT, ts AS TO_TIMESTAMP_LTZ(millis, 3), usr STRING,
		WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);
	CREATE TABLE per_minute (k STRING, n BIGINT);
	INSERT INTO orders VALUES
		(1, 10, 'EUR', TIMESTAMP '2024-05-01 12:00:00'), (2, 20, 'EUR', TIMESTAMP '2024-05-02 12:00:00'),
		(3, 30, 'USD', TIMESTAMP '2024-05-02 12:00:00');
	INSERT INTO rates VALUES
		('EUR', 1.1, TIMESTAMP '2024-05-01 00:00:00'), ('EUR', 1.2, TIMESTAMP '2024-05-02 00:00:00');
	INSERT INTO names VALUES ('EUR', 'Euro'), ('USD', 'Dollar');
	INSERT INTO names VALUES ('USD', 'US dollar');
	INSERT INTO clicks VALUES (1000, 'a'), (61000, 'b');
	CREATE VIEW late_orders WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE AS SELECT * FROM orders;
$$);

SELECT results_eq('SELECT watermarks.relation::text, rowtime::text FROM watermarks WHERE relation IN (''orders''::regclass, ''clicks''::regclass, ''late_orders''::regclass) ORDER BY 1',
	$$VALUES ('clicks', 'ts'), ('late_orders', 'ts'), ('orders', 'ts')$$, 'a script defines watermarks');
SELECT results_eq('SELECT * FROM names ORDER BY 1', $$VALUES ('EUR', 'Euro'), ('USD', 'US dollar')$$,
	'a row replaces the one with its key');
SELECT results_eq('SELECT millis, usr FROM clicks ORDER BY 1', $$VALUES (1000::bigint, 'a'), (61000::bigint, 'b')$$,
	'values go past computed columns');

-- A query, run as text.
CREATE FUNCTION pg_temp.run(source text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE rtrim(flink_sql(source), ';');
END
$$;

SELECT results_eq($$
	SELECT * FROM pg_temp.run('SELECT o.id, r.rate FROM orders AS o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency ORDER BY id')
		AS t(id int, rate numeric)$$,
	$$VALUES (1, 1.10), (2, 1.20), (3, NULL)$$, 'a temporal join takes the version of the row''s time');
SELECT results_eq($$
	SELECT * FROM pg_temp.run('SELECT o.id, r.rate FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.ts - INTERVAL ''1'' DAY AS r ON r.currency = o.currency AND r.rate > 1 ORDER BY id')
		AS t(id int, rate numeric)$$,
	$$VALUES (2, 1.10)$$, 'or of another time, and checks the rest of its condition');
SELECT results_eq($$
	SELECT * FROM pg_temp.run('SELECT o.id, r.rate FROM orders AS o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON r.currency = o.currency AND r.rate < 1.15 ORDER BY id')
		AS t(id int, rate numeric)$$,
	$$VALUES (1, 1.10), (2, NULL), (3, NULL)$$, 'an older version does not take the place of one that fails it');
SELECT results_eq($$
	SELECT * FROM pg_temp.run('SELECT o.id, n.name FROM orders AS o JOIN names FOR SYSTEM_TIME AS OF o.ts AS n ON n.currency = o.currency ORDER BY id')
		AS t(id int, name text)$$,
	$$VALUES (1, 'Euro'), (2, 'Euro'), (3, 'US dollar')$$, 'a table without a watermark is joined as it is');
CALL flink_execute($$
	CREATE VIEW last_rates AS SELECT currency, rate AS r, ts FROM (
		SELECT *, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY ts DESC) AS rn FROM rates) WHERE rn = 1;
	CREATE VIEW best_rates AS SELECT currency, MAX(rate) AS r FROM rates GROUP BY currency;
$$);
SELECT results_eq($$
	SELECT * FROM pg_temp.run('SELECT o.id, l.r FROM orders AS o LEFT JOIN last_rates FOR SYSTEM_TIME AS OF o.ts AS l ON o.currency = l.currency ORDER BY id')
		AS t(id int, rate numeric)$$,
	$$VALUES (1, 1.10), (2, 1.20), (3, NULL)$$, 'a view of the last versions is a versioned table');
SELECT throws_ok($$SELECT flink_sql('SELECT 1 FROM orders AS o JOIN best_rates FOR SYSTEM_TIME AS OF o.ts AS b ON o.currency = b.currency')$$,
	'0A000', 'FOR SYSTEM_TIME of a view that shows no versions of Flink SQL is not supported', 'another view is none');
SELECT throws_ok($$SELECT flink_sql('SELECT 1 FROM orders AS o JOIN nothing FOR SYSTEM_TIME AS OF o.ts AS b ON o.currency = b.currency')$$,
	'42P01', 'relation "nothing" of FOR SYSTEM_TIME does not exist', 'a versioned table must be there');
SELECT results_eq('SELECT name::text, type, extras FROM describe(''clicks'')',
	$$VALUES ('millis', 'BIGINT', NULL), ('ts', 'TIMESTAMP_LTZ(3) *ROWTIME*', 'AS TO_TIMESTAMP_LTZ(`millis`, 3)'), ('usr', 'STRING', NULL)$$,
	'a computed column is described with its expression');
CALL flink_execute('CREATE TABLE computed (a INT, s AS CAST(a AS STRING), i AS CAST(CAST(a AS STRING) AS INT),
	d AS CAST(LOCALTIMESTAMP AS DATE), t AS CAST(NOW() AS TIMESTAMP(0)), b AS a * CAST(2 AS BIGINT))');
SELECT results_eq('SELECT extras FROM describe(''computed'')', $$VALUES (NULL), ('AS CAST(`a` AS STRING)'),
	('AS CAST(CAST(`a` AS STRING) AS INT)'), ('AS CAST(LOCALTIMESTAMP AS DATE)'),
	('AS CAST(NOW() AS TIMESTAMP(0))'), ('AS `a` * CAST(2 AS BIGINT)')$$,
	'with the casts of Flink');
SELECT throws_ok($$
	CALL flink_execute('CREATE TABLE v (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
		CREATE VIEW j AS SELECT o.id FROM orders AS o JOIN v FOR SYSTEM_TIME AS OF o.ts ON v.a = o.id')$$,
	'42601', 'a versioned table needs a primary key, and v has none', 'a versioned table needs a key');

CALL flink_execute($$
	INSERT INTO per_minute SELECT usr, COUNT(*) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
		GROUP BY window_start, window_end, usr;
	BEGIN STATEMENT SET;
	INSERT INTO per_minute (n, k) VALUES (7, 'c');
	INSERT INTO per_minute SELECT 'd', 8;
	END;
	EXECUTE STATEMENT SET BEGIN INSERT INTO per_minute VALUES ('e', 9); END;
$$);
SELECT results_eq('SELECT * FROM per_minute ORDER BY k',
	$$VALUES ('a', 1::bigint), ('b', 1), ('c', 7), ('d', 8), ('e', 9)$$, 'INSERT INTO runs once, over the rows that are there');

CALL flink_execute('CREATE TABLE IF NOT EXISTS names (a INT); CREATE VIEW IF NOT EXISTS late_orders AS SELECT 1');
SELECT has_column('names', 'name', 'a table that exists stays');

CALL flink_execute('SET table.local-time-zone=Asia/Shanghai');
SELECT is(current_setting('timezone'), 'Asia/Shanghai', 'the time zone is an option');
CALL flink_execute('SET ''table.local-time-zone'' = ''GMT+05:30''');
SELECT is(extract(timezone FROM now())::int, 19800, 'an offset counts to the east');
CALL flink_execute('SET ''table.local-time-zone'' = ''-3''');
SELECT is(extract(timezone FROM now())::int, -10800, 'it may be short');
CALL flink_execute('RESET ''table.local-time-zone''; SET ''execution.runtime-mode'' = ''batch''; SET sql-client.execution.result-mode=tableau');
SELECT is(current_setting('timezone'), (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'),
	'an option may be reset, and others are ignored');

SELECT throws_ok('CALL flink_execute(''SELECT 1'')', '0A000', 'flink_execute() cannot return the rows of a query',
	'rows need another way');
SELECT throws_ok('CALL flink_execute(''CREATE TABLE a1 (x INT); SELECT x FROM a1'')', '0A000', NULL,
	'also behind other statements');
SELECT hasnt_table('a1', 'a script that fails does nothing');
SELECT throws_ok('CALL flink_execute(NULL)', '22004', 'the source must not be null', 'a script is needed');

SELECT lives_ok($$SELECT flink_prepare('dear', 'SELECT id FROM orders WHERE amount > ? AND currency = ? ORDER BY id')$$,
	'a query may be prepared');
SELECT results_eq('EXECUTE dear(15, ''EUR'')', 'VALUES (2)', 'and executed with its parameters');
SELECT throws_ok($$SELECT flink_prepare('two', 'SELECT 1; SELECT 2')$$, '42601', 'flink_prepare takes one statement', 'one at a time');
SELECT throws_ok($$SELECT flink_prepare('none', '')$$, '42601', 'flink_prepare takes one statement', 'and no less');
SELECT throws_ok($$SELECT flink_prepare(NULL, 'SELECT 1')$$, '22004', 'the name must not be null', 'a name is needed');
SELECT throws_ok($$SELECT flink_prepare('n', NULL)$$, '22004', 'the source must not be null', 'and a statement');

CALL flink_execute($$
	CREATE TABLE renamed (a INT, b AS a, c BIGINT);
	INSERT INTO renamed VALUES (1, 2);
	CREATE TABLE below (a INT);
	CREATE TABLE over_below (a INT, b AS a) WITH ('connector' = 'jdbc', 'table-name' = 'below');
	INSERT INTO over_below VALUES (3);
$$);
SELECT results_eq('TABLE renamed', 'VALUES (1, 1, 2::bigint)', 'a column under another name is computed, and takes no values');
SELECT results_eq('TABLE over_below', 'VALUES (3, 3)', 'also of a table that is used as it is');
SELECT matches(flink.show_create_table('renamed'), '`b` AS `a`,', 'and SHOW CREATE shows it so');

CALL flink_execute('DROP TABLE clicks; DROP VIEW late_orders; DROP TABLE orders');
SELECT hasnt_table('clicks__source', 'a table goes with what is below it');
SELECT hasnt_view('late_orders', 'a view goes');

CALL flink_execute($$CREATE TABLE g (a INT) WITH ('connector' = 'datagen'); CREATE VIEW over_g AS SELECT a FROM g$$);
SELECT throws_ok($$CALL flink_execute('DROP VIEW g')$$, '42601', '"g" is a table', 'a table is not dropped as a view');
SELECT throws_ok($$CALL flink_execute('DROP TABLE over_g')$$, '42809', NULL, 'nor a view as a table');
CALL flink_execute('DROP VIEW over_g; DROP TABLE g');
SELECT is(to_regtype('g__row'), NULL, 'the row type of a table goes with it');

SELECT * FROM finish();
ROLLBACK;
