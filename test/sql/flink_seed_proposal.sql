-- FLINK-39062, watermark definitions of views, as it is printed: test cases and use cases.
\i test/setup.psql
BEGIN;
SELECT plan(23);

CALL flink_execute($$
	CREATE TABLE sensor_log (
	reading_id BIGINT,
	read_at TIMESTAMP(3),
	payload STRING,
	WATERMARK FOR read_at AS read_at - INTERVAL '6' SECOND
	) WITH ('connector' = 'kafka');
	INSERT INTO sensor_log VALUES
		(1, TIMESTAMP '2024-07-01 12:00:00', 'a'), (2, TIMESTAMP '2024-07-01 12:59:59.999', 'b'),
		(3, TIMESTAMP '2024-07-01 13:00:00', 'c'), (4, TIMESTAMP '2024-07-01 12:30:00', CAST(NULL AS STRING));
	-- The watermark is inherited.
	CREATE VIEW clean_log AS
	SELECT reading_id, read_at FROM sensor_log WHERE payload IS NOT NULL;
$$);

SELECT bag_eq(flink_sql($$
	SELECT TUMBLE_START(read_at, INTERVAL '1' HOUR), COUNT(*)
	FROM clean_log
	GROUP BY TUMBLE(read_at, INTERVAL '1' HOUR);
$$), $$ VALUES (timestamp '2024-07-01 12:00', 2), ('2024-07-01 13:00', 1) $$, 'a view without a watermark is windowed');
SELECT results_eq(flink_sql('DESC clean_log'), $$ VALUES
	('reading_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('read_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, 'that of sensor_log')
$$, 'by the watermark of its table');

-- Its positive test cases
CALL flink_execute('CREATE TABLE plain_log (reading_id BIGINT, read_at TIMESTAMP(3)) WITH (''connector'' = ''kafka'');
	INSERT INTO plain_log SELECT reading_id, read_at FROM sensor_log;');

SELECT lives_ok($$ CALL flink_execute('
	CREATE VIEW log_view1
	WATERMARK FOR read_at AS read_at - INTERVAL ''6'' SECOND
	AS SELECT reading_id, read_at FROM plain_log;
') $$, 'TC-01: CREATE VIEW with a watermark');

SELECT lives_ok($$ CALL flink_execute('
	CREATE VIEW log_view2 AS SELECT reading_id, read_at FROM plain_log;
	ALTER VIEW log_view2 SET WATERMARK FOR read_at AS read_at - INTERVAL
	''12'' SECOND;
') $$, 'TC-02: ALTER VIEW adds a watermark');
SELECT results_eq(flink_sql('DESC log_view2'), $$ VALUES
	('reading_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('read_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, 'read_at - ''00:00:12''::interval second')
$$, 'TC-02: the view has it');

SELECT bag_eq(flink_sql($$
	SELECT
	TUMBLE_START(read_at, INTERVAL '1' HOUR) AS window_start,
	COUNT(*) AS event_count
	FROM log_view1
	GROUP BY TUMBLE(read_at, INTERVAL '1' HOUR);
$$), $$ VALUES (timestamp '2024-07-01 12:00', 3), ('2024-07-01 13:00', 1) $$, 'TC-03: a windowed query runs over the view');

SELECT lives_ok($$ CALL flink_execute('
	CREATE VIEW log_view3
	WATERMARK FOR read_at AS read_at - INTERVAL ''6'' SECOND - INTERVAL ''250''
	MILLISECOND
	AS SELECT * FROM plain_log;
') $$, 'TC-04: a strategy of two intervals, one in milliseconds');
SELECT results_eq(flink_sql('DESC log_view3'), $$ VALUES
	('reading_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('read_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL,
	 'read_at - ''00:00:06''::interval second - ''00:00:00.25''::interval')
$$, 'TC-04: the definition has both');

SELECT results_eq(flink_sql(statement), $$ VALUES
	('reading_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('read_at', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, 'read_at - ''00:00:06''::interval second')
$$, 'TC-05: ' || statement || ' shows the watermark')
FROM (VALUES ('DESCRIBE log_view1;'), ('DESCRIBE VIEW log_view1;')) AS c(statement);

-- Its negative test cases
SELECT throws_ok('CALL flink_execute(' || quote_literal(source) || ')', state, message, label)
FROM (VALUES
	('CREATE VIEW wrong1
	WATERMARK FOR no_such_col AS no_such_col - INTERVAL ''6'' SECOND
	AS SELECT reading_id FROM plain_log;',
	 '42703', 'column "no_such_col" not found in the schema of view "wrong1"', 'TC-06: the column does not exist'),
	('CREATE VIEW wrong2
	WATERMARK FOR reading_id AS reading_id - INTERVAL ''6'' SECOND
	AS SELECT reading_id, read_at FROM plain_log;',
	 '42804', 'column "reading_id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)', 'TC-07: the column is no time'),
	('CREATE VIEW wrong3
	WATERMARK FOR read_at AS no_expression
	AS SELECT reading_id, read_at FROM plain_log;',
	 '42703', 'invalid watermark expression', 'TC-08: the expression is invalid'),
	('ALTER VIEW no_such_view SET WATERMARK FOR read_at AS read_at -
	INTERVAL ''6'' SECOND;',
	 '42P01', 'relation "no_such_view" does not exist', 'TC-09: the view does not exist'),
	('CREATE VIEW wrong4
	WATERMARK FOR read_at AS read_at - INTERVAL ''6'' SECOND
	AS SELECT reading_id, read_at FROM
	(SELECT * FROM plain_log WATERMARK FOR read_at AS read_at -
	INTERVAL ''12'' SECOND);',
	 '42601', 'view "wrong4" already has a watermark definition', 'TC-10: a second watermark')
) AS c(source, state, message, label);
SELECT is((SELECT count(*) FROM pg_class WHERE relname LIKE 'wrong_'), 0::bigint, 'TC-06 to TC-10: no view is left behind');

-- Use case 1: views of one table, with a delay for each tenant
CALL flink_execute($$
	CREATE TABLE all_readings (
	reading_id BIGINT,
	read_at TIMESTAMP(3),
	came_at TIMESTAMP(3),
	site STRING
	) WITH ('connector' = 'kafka', 'topic' = 'readings');
	INSERT INTO all_readings VALUES
		(1, TIMESTAMP '2024-07-01 12:00:00', TIMESTAMP '2024-07-01 12:00:59.999', 'mine'),
		(2, TIMESTAMP '2024-07-01 12:00:00', TIMESTAMP '2024-07-01 12:01:01', 'mill'),
		(3, TIMESTAMP '2024-07-01 12:00:00', TIMESTAMP '2024-07-01 12:01:01.999', 'mine');
	CREATE VIEW mine_readings
	WATERMARK FOR read_at AS read_at - INTERVAL '5' SECOND
	AS SELECT * FROM all_readings WHERE site = 'mine';
	CREATE VIEW mill_readings
	WATERMARK FOR read_at AS read_at - INTERVAL '30' SECOND
	AS SELECT * FROM all_readings WHERE site = 'mill';
$$);
SELECT results_eq($$ SELECT relation::text, rowtime::text, strategy FROM watermarks WHERE relation::text LIKE 'mi___readings' ORDER BY 1 $$, $$ VALUES
	('mill_readings', 'read_at', 'read_at - ''00:00:30''::interval second'),
	('mine_readings', 'read_at', 'read_at - ''00:00:05''::interval second')
$$, 'use case 1: two tenants have two delays over one table');
SELECT bag_eq(flink_sql('SELECT reading_id FROM mine_readings'), 'VALUES (1::bigint), (3)', 'use case 1: each sees its own rows');

-- Use case 2: raw, clean and aggregated data
CALL flink_execute($$
	CREATE TABLE bronze_readings (raw_json STRING, stored_at TIMESTAMP(3))
	WITH ('connector' = 'filesystem', 'format' = 'raw', 'path' = '/lake/bronze');
	INSERT INTO bronze_readings VALUES
		('{"read_at": "2024-07-01 12:00:00.25", "meter": "m1"}', LOCALTIMESTAMP),
		('{"read_at": "2024-07-01 12:59:59", "meter": "m1"}', LOCALTIMESTAMP),
		('{"read_at": "2024-07-01 13:00:00", "meter": "m2"}', LOCALTIMESTAMP), ('{"meter": "m3"}', LOCALTIMESTAMP);
	CREATE VIEW silver_readings
	WATERMARK FOR read_at AS read_at - INTERVAL '10' SECOND
	AS SELECT
	CAST(JSON_VALUE(raw_json, '$.read_at') AS TIMESTAMP(3)) AS read_at,
	JSON_VALUE(raw_json, '$.meter') AS meter
	FROM bronze_readings
	WHERE JSON_VALUE(raw_json, '$.read_at') IS NOT NULL;
	CREATE VIEW gold_hours AS
	SELECT
	TUMBLE_START(read_at, INTERVAL '1' HOUR) AS hour,
	meter,
	COUNT(*) AS reading_count
	FROM silver_readings
	GROUP BY TUMBLE(read_at, INTERVAL '1' HOUR), meter;
$$);
SELECT bag_eq(flink_sql('SELECT * FROM silver_readings'), $$ VALUES (timestamp '2024-07-01 12:00:00.25', 'm1'),
	('2024-07-01 12:59:59', 'm1'), ('2024-07-01 13:00', 'm2') $$, 'use case 2: times come out of JSON');
SELECT bag_eq(flink_sql('SELECT * FROM gold_hours'),
	$$ VALUES (timestamp '2024-07-01 12:00', 'm1', 2), ('2024-07-01 13:00', 'm2', 1) $$, 'use case 2: and are counted by the hour');

-- Use case 3: a monitor of what comes late
CALL flink_execute($$
	CREATE VIEW late_readings
	WATERMARK FOR read_at AS read_at - INTERVAL '1' MINUTE
	AS SELECT
	reading_id,
	read_at,
	came_at,
	TIMESTAMPDIFF(SECOND, read_at, came_at) AS latency_seconds
	FROM all_readings
	WHERE TIMESTAMPDIFF(SECOND, read_at, came_at) > 60;
$$);
SELECT bag_eq(flink_sql('SELECT reading_id, latency_seconds FROM late_readings'),
	'VALUES (2::bigint, 61), (3, 61)', 'use case 3: whole seconds of latency are told');

-- The alternatives that it rejects
SELECT throws_ok($$ SELECT flink_sql('CREATE MATERIALIZED VIEW m AS SELECT 1') $$, '0A000', 'CREATE MATERIALIZED VIEW of Flink SQL is not supported',
	'a materialized view has no watermark');
SELECT bag_eq(flink_sql($$ SELECT /*+ WATERMARK('read_at', INTERVAL '5' SECOND) */ reading_id FROM clean_log $$),
	'VALUES (1::bigint), (2), (3)', 'a hint has no effect');

SELECT * FROM finish();
ROLLBACK;
