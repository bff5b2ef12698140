-- INSERT INTO as a job: in which mode, over what, and what it becomes; SHOW JOBS, DESCRIBE JOB, STOP JOB.
\i test/setup.psql
BEGIN;
SELECT plan(50);
SET client_min_messages = error;

CREATE FUNCTION pg_temp.translated(source text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(flink_sql(source), '\s+', ' ', 'g')
$$;

-- The last statement: is it a job, or does it run once?
CREATE FUNCTION pg_temp.kind(source text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN last ~ '^SELECT ''[^'']*'' AS "job id" FROM watermark.create_query\(' THEN 'job'
		WHEN last ~ '^INSERT INTO ' THEN 'once' ELSE last END
	FROM (SELECT regexp_replace(pg_temp.translated(source), '^.*; (?=INSERT|SELECT ''[^'']*'' AS)', '') AS last) AS s
$$;

CALL flink_execute($$
	CREATE TABLE bid (item STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);
	CREATE TABLE plain (item STRING, price INT, ts TIMESTAMP(3));
	CREATE TABLE generated (item STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
	WITH ('connector' = 'datagen', 'number-of-rows' = '10');
	CREATE TABLE sale (ws TIMESTAMP(3), item STRING, total INT);
	CREATE TABLE computed (ws TIMESTAMP(3), item STRING, total INT, twice AS total * 2);
	CREATE VIEW of_bid AS SELECT item, price FROM (SELECT * FROM bid) AS b;
	CREATE VIEW of_view AS SELECT * FROM of_bid;
	CREATE VIEW of_plain AS SELECT * FROM plain;
	CREATE VIEW marked WATERMARK FOR ts AS ts - INTERVAL '1' SECOND AS SELECT * FROM plain;
	CREATE VIEW marked_generated WATERMARK FOR ts AS ts - INTERVAL '1' SECOND AS SELECT item, price, ts FROM generated;
$$);

-- Which statements are jobs
SELECT is(pg_temp.kind(source), 'once', source)
FROM (VALUES
	('INSERT INTO sale (item) SELECT item FROM bid'),
	('SET ''execution.runtime-mode'' = ''batch''; INSERT INTO sale (item) SELECT item FROM bid'),
	('SET ''execution.runtime-mode'' = ''AUTOMATIC''; INSERT INTO sale (item) SELECT item FROM bid'),
	('SET ''execution.runtime-mode'' = ''streaming''; RESET ''execution.runtime-mode''; INSERT INTO sale (item) SELECT item FROM bid'),
	('SET ''execution.runtime-mode'' = ''streaming''; RESET; INSERT INTO sale (item) SELECT item FROM bid')
) AS c(source);

SET apply_watermark.runtime_mode = 'streaming';
SELECT is(pg_temp.kind(source), expected, source)
FROM (VALUES
	('INSERT INTO sale (item) SELECT item FROM bid', 'job'),
	('EXECUTE INSERT INTO sale (item) SELECT item FROM bid', 'job'),
	('INSERT INTO sale (item) TABLE bid', 'job'),
	('INSERT INTO sale (item) WITH b AS (SELECT item FROM bid) SELECT item FROM b', 'job'),
	('INSERT INTO sale (item) SELECT item FROM plain UNION ALL SELECT item FROM bid', 'job'),
	('INSERT INTO sale (item) SELECT item FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE))', 'job'),
	('INSERT INTO sale (item) SELECT item FROM APPLY_WATERMARK(TABLE plain, DESCRIPTOR(ts), ts)', 'job'),
	('INSERT INTO sale (item) SELECT item FROM of_bid', 'job'),
	('INSERT INTO sale (item) SELECT item FROM of_view', 'job'),
	('INSERT INTO sale (item) SELECT item FROM marked', 'job'),
	('INSERT INTO sale (item) SELECT item FROM plain', 'once'),
	('INSERT INTO sale (item) SELECT item FROM of_plain', 'once'),
	('INSERT INTO sale (item) SELECT item FROM generated', 'once'),
	('INSERT INTO sale (item) SELECT item FROM marked_generated', 'once'),
	('INSERT INTO sale (item) VALUES (''a'')', 'once'),
	('INSERT INTO sale (item) SELECT ''a''', 'once'),
	('EXPLAIN INSERT INTO sale (item) SELECT item FROM bid', 'EXPLAIN INSERT INTO sale (item) SELECT item FROM bid;'),
	('SET ''execution.runtime-mode'' = ''batch''; INSERT INTO sale (item) SELECT item FROM bid', 'once'),
	('CREATE TABLE new (item STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts); INSERT INTO sale (item) SELECT item FROM new', 'job'),
	('CREATE TABLE new LIKE bid; INSERT INTO sale (item) SELECT item FROM new', 'job'),
	('CREATE TABLE new (item STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (''connector'' = ''datagen''); INSERT INTO sale (item) SELECT item FROM new', 'once'),
	('CREATE VIEW new AS SELECT * FROM bid; INSERT INTO sale (item) SELECT item FROM new', 'job'),
	('CREATE VIEW new AS SELECT * FROM plain; INSERT INTO sale (item) SELECT item FROM new', 'once')
) AS c(source, expected);
SELECT lives_ok($$SELECT flink_prepare('p', 'INSERT INTO sale (item) SELECT item FROM bid WHERE price > ?')$$, 'what is prepared runs once');

-- What they become
SELECT is(flink_sql($$INSERT INTO sale SELECT window_start, item, SUM(price)
	FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, item$$),
	$text$SELECT 'insert_into_sale' AS "job id"
FROM watermark.create_query('insert_into_sale', $$
SELECT * FROM (
    SELECT window_start, item, flink.sum(price)
    FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
    GROUP BY window_start, window_end, item
) AS result (ws, item, total)
$$, sink => 'sale'::regclass::text);$text$, 'columns go where they stand');

CREATE TABLE watermark.insert_into_computed ();
SELECT is(pg_temp.translated(source), expected, source)
FROM (VALUES
	('INSERT INTO new TABLE bid', $text$SELECT 'insert_into_new' AS "job id" FROM watermark.create_query('insert_into_new', $$ TABLE bid $$, sink => 'new'::regclass::text);$text$),
	('INSERT INTO computed TABLE bid',
	 $text$SELECT 'insert_into_computed_2' AS "job id" FROM watermark.create_query('insert_into_computed_2', $$ SELECT * FROM ( TABLE bid ) AS result (ws, item, total) $$, sink => 'computed__source'::regclass::text);$text$),
	('INSERT INTO new SELECT ''$$'' FROM bid',
	 $text$SELECT 'insert_into_new' AS "job id" FROM watermark.create_query('insert_into_new', $query1$ SELECT '$$' FROM bid $query1$, sink => 'new'::regclass::text);$text$),
	('SET ''table.exec.source.idle-timeout'' = ''800 ms''; INSERT INTO new TABLE bid',
	 $text$SET apply_watermark.idle_timeout = '800 ms'; SELECT 'insert_into_new' AS "job id" FROM watermark.create_query('insert_into_new', $$ TABLE bid $$, sink => 'new'::regclass::text, idle_timeout => '800 ms');$text$),
	('SET ''table.exec.source.idle-timeout'' = ''0 ms''; INSERT INTO new TABLE bid',
	 $text$SET apply_watermark.idle_timeout = '0 ms'; SELECT 'insert_into_new' AS "job id" FROM watermark.create_query('insert_into_new', $$ TABLE bid $$, sink => 'new'::regclass::text);$text$),
	('SHOW JOBS', 'SELECT * FROM flink.show_jobs();'),
	('DESCRIBE JOB ''It''''s''', $text$SELECT * FROM flink.show_jobs() WHERE "job id" = 'It''s';$text$),
	('STOP JOB ''a''; STOP JOB ''b'' WITH SAVEPOINT; STOP JOB ''c'' WITH SAVEPOINT WITH DRAIN; STOP JOB ''d'' WITH DRAIN',
	 $text$SELECT watermark.drop_query('a'); SELECT watermark.pause_query('b'); SELECT watermark.drain_query('c'); SELECT watermark.drain_query('d');$text$)
) AS c(source, expected);

-- Names, of several jobs of a source too
SELECT is(array_agg(m[1] ORDER BY number), expected, source)
FROM (VALUES
	('BEGIN STATEMENT SET; INSERT INTO n TABLE bid; INSERT INTO n TABLE bid; INSERT INTO o TABLE bid; END;', '{insert_into_n,insert_into_n_2,insert_into_o}'::text[]),
	('INSERT INTO ' || repeat('x', 60) || ' TABLE bid; INSERT INTO ' || repeat('x', 60) || ' TABLE bid', ARRAY['insert_into_' || repeat('x', 51), 'insert_into_' || repeat('x', 49) || '_2']),
	('SET ''pipeline.name'' = ''My job''; INSERT INTO n TABLE bid; INSERT INTO o TABLE bid; RESET ''pipeline.name''; INSERT INTO o TABLE bid', '{My job,My job_2,insert_into_o}'),
	('SET ''pipeline.name'' = ''queries''; INSERT INTO n TABLE bid', '{queries_2}')
) AS c(source, expected), regexp_matches(flink_sql(source), $$create_query\('([^']*)'$$, 'g') WITH ORDINALITY AS n(m, number)
GROUP BY source, expected
ORDER BY source;

-- Errors
SELECT throws_ok('CALL flink_execute(''INSERT INTO sale (item) SELECT item FROM bid'')', '0A000', 'a continuous query needs a window', 'what has no window is refused');
SELECT throws_ok('CALL flink_execute(''INSERT INTO sale (item) SELECT item FROM bid ON CONFLICT DO NOTHING'')', '0A000', 'ON CONFLICT of Flink SQL is not supported', 'and so is what INSERT alone refuses');
SELECT throws_ok('CALL flink_execute(''SHOW JOBS'')', '0A000', 'flink_execute() cannot return the rows of a query', 'SHOW JOBS returns rows');
SELECT throws_ok('SELECT flink_sql(''STOP JOB a'')', '42601', NULL, 'the id of a job is a string');
SELECT throws_ok('CALL flink_execute(''INSERT INTO nowhere SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL ''''1'''' MINUTE)) GROUP BY window_start, window_end'')', '42P01', 'relation "nowhere" does not exist', 'a job needs its table');
SELECT throws_ok('CALL flink_execute(''STOP JOB ''''none'''''')', '42704', 'continuous query "none" does not exist', 'a job must be there to be stopped');
SELECT throws_ok('CALL flink_execute(''SET ''''execution.runtime-mode'''' = ''''endless'''''')', '22023', 'invalid value for parameter "apply_watermark.runtime_mode": "endless"', 'there are two modes');
SELECT is_empty('SELECT * FROM flink.show_jobs()', 'no job is there');
SELECT * FROM finish();
ROLLBACK;
