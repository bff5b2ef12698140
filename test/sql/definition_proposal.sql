-- FLINK-39062, watermark definitions of views: its test cases and its use cases.
\i test/setup.psql
BEGIN;
SELECT plan(31);

CREATE TABLE source_table (event_id bigint, event_time timestamp(3), data text);
INSERT INTO source_table VALUES
	(1, '2024-01-01 10:00:01', 'a'), (2, '2024-01-01 10:59:59.999', 'b'), (3, '2024-01-01 11:00:00', 'c'),
	(4, NULL, 'd');

CREATE FUNCTION pg_temp.failure(sql text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
BEGIN
	EXECUTE sql;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' | ', state, message, nullif(detail, ''));
END $$;

-- Its positive test cases
SELECT lives_ok($$
	CREATE VIEW test_view1 AS SELECT event_id, event_time FROM source_table
	WHERE watermark_for(event_time, event_time - INTERVAL '5' SECOND)
$$, 'TC-01: a view is created with a watermark');

CREATE VIEW test_view2 AS SELECT event_id, event_time FROM source_table;
SELECT lives_ok($$ SELECT set_watermark('test_view2', 'event_time', 'event_time - INTERVAL ''10'' SECOND') $$,
				'TC-02: a watermark is added to a view');
SELECT results_eq($$ SELECT rowtime, strategy FROM watermarks WHERE relation = 'test_view2'::regclass $$,
				  $$ VALUES ('event_time', 'event_time - ''00:00:10''::interval second') $$,
				  'TC-02: the view has it');

SELECT results_eq($$
	SELECT TUMBLE_START(event_time, INTERVAL '1' HOUR) AS window_start, count(*) AS event_count
	FROM test_view1 GROUP BY TUMBLE(event_time, INTERVAL '1' HOUR) ORDER BY 1
$$, $$ VALUES (timestamp '2024-01-01 10:00', 2::bigint), ('2024-01-01 11:00', 1) $$,
	'TC-03: a windowed query runs over the view');

SELECT lives_ok($$
	CREATE VIEW test_view3 AS SELECT * FROM source_table
	WHERE watermark_for(event_time, event_time - INTERVAL '5' SECOND - INTERVAL '500 MILLISECOND')
$$, 'TC-04: a strategy takes two intervals off');
SELECT results_eq($$ SELECT event_id, watermark FROM source_table AS s,
	APPLY_WATERMARK(s, DESCRIPTOR(event_time), event_time - INTERVAL '5' SECOND - INTERVAL '500 MILLISECOND')
	WHERE event_id = 2 $$, $$ VALUES (2::bigint, timestamp '2024-01-01 09:59:55.5') $$,
				  'TC-04: the two intervals add up');
SELECT results_eq($$ SELECT strategy FROM watermarks WHERE relation = 'test_view3'::regclass $$,
	$$ VALUES ('event_time - ''00:00:05''::interval second - ''00:00:00.5''::interval') $$,
				  'TC-04: the definition has both');

SELECT results_eq($$ SELECT * FROM describe('test_view1') $$, $$ VALUES
	('event_id', 'BIGINT', true, NULL::text, NULL::text, NULL::text),
	('event_time', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, 'event_time - ''00:00:05''::interval second')
$$, 'TC-05: describe() shows the watermark');

-- Its negative test cases
SELECT is(pg_temp.failure(sql), expected, label)
FROM (VALUES
	('TC-06: the column does not exist, in set_watermark()',
	 $$ SELECT set_watermark('test_view1', 'non_existent_col', 'non_existent_col - INTERVAL ''5'' SECOND') $$,
	 '42703 | column "non_existent_col" not found in the schema of view "test_view1"'),
	('TC-06: the column does not exist, in CREATE VIEW',
	 $$ CREATE VIEW test_error1 AS SELECT event_id FROM source_table
		WHERE watermark_for(non_existent_col, non_existent_col - INTERVAL '5' SECOND) $$,
	 '42703 | column "non_existent_col" does not exist'),
	('TC-07: the column is no timestamp, in set_watermark()',
	 $$ SELECT set_watermark('test_view1', 'event_id', 'event_id - INTERVAL ''5'' SECOND') $$,
	 '42804 | column "event_id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('TC-07: the column is no timestamp, in CREATE VIEW',
	 $$ CREATE VIEW test_error2 AS SELECT event_id, event_time FROM source_table
		WHERE watermark_for(event_id, event_id - INTERVAL '5' SECOND) $$,
	 '42883 | operator does not exist: bigint - interval'),
	('TC-08: the expression is invalid, in set_watermark()',
	 $$ SELECT set_watermark('test_view1', 'event_time', 'invalid_expression') $$,
	 '42703 | invalid watermark expression | column "invalid_expression" does not exist'),
	('TC-08: the expression is no SQL, in set_watermark()',
	 $$ SELECT set_watermark('test_view1', 'event_time', 'event_time - INTERVAL ''5'' -') $$,
	 '42601 | invalid watermark expression | syntax error at end of input'),
	('TC-08: the expression is invalid, in CREATE VIEW',
	 $$ CREATE VIEW test_error3 AS SELECT event_id, event_time FROM source_table
		WHERE watermark_for(event_time, invalid_expression) $$,
	 '42703 | column "invalid_expression" does not exist'),
	('TC-09: the view does not exist',
	 $$ SELECT set_watermark('non_existent_view', 'event_time', 'event_time - INTERVAL ''5'' SECOND') $$,
	 '42P01 | relation "non_existent_view" does not exist')
) AS c(label, sql, expected);

-- Marked with "any" type, the view is there; reading it tells.
CREATE VIEW test_error2 AS SELECT event_id FROM source_table WHERE watermark_for(event_id, event_id);
SELECT is(pg_temp.failure($$ SELECT * FROM describe('test_error2') $$),
	'42804 | column "event_id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)',
	'TC-07: describe() of a view with a marker on a bigint');
SELECT is(pg_temp.failure($$ SELECT * FROM test_error2 $$),
	'42804 | column "event_id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)',
	'TC-07: a query over it');

CREATE VIEW test_error4 AS SELECT event_id, event_time FROM source_table
WHERE watermark_for(event_time, event_time - INTERVAL '5' SECOND)
	AND watermark_for(event_time, event_time - INTERVAL '10' SECOND);
SELECT is(pg_temp.failure($$ SELECT * FROM describe('test_error4') $$),
	'42710 | view "test_error4" already has a watermark definition | There are two in one definition.',
	'TC-10: two definitions of one level are an error');
SELECT lives_ok($$ SELECT set_watermark('test_error4', 'event_time', 'event_time - INTERVAL ''5'' SECOND') $$,
				'TC-10: set_watermark() puts one in the place of both');
SELECT is((SELECT watermark FROM describe('test_error4') WHERE watermark IS NOT NULL),
		  'event_time - ''00:00:05''::interval second', 'TC-10: then there is one');

CREATE VIEW nested AS SELECT event_id, event_time
FROM (SELECT * FROM source_table WHERE watermark_for(event_time, event_time - INTERVAL '10' SECOND)) AS s
WHERE watermark_for(event_time, event_time - INTERVAL '5' SECOND);
SELECT is((SELECT watermark FROM describe('nested') WHERE watermark IS NOT NULL),
		  'event_time - ''00:00:05''::interval second', 'TC-10: of two that nest, the outer one decides');

-- Use case 1: tenants with different delays over one table
CREATE TABLE all_events (event_id bigint, event_time timestamp(3), tenant_id text, processing_time timestamp(3));
INSERT INTO all_events VALUES (1, '2024-01-01 10:00', 'tenant_a', '2024-01-01 10:00:30'),
	(2, '2024-01-01 10:01', 'tenant_b', '2024-01-01 10:03');
CREATE VIEW tenant_a_events AS SELECT * FROM all_events
WHERE tenant_id = 'tenant_a' AND watermark_for(event_time, event_time - INTERVAL '5' SECOND);
CREATE VIEW tenant_b_events AS SELECT * FROM all_events
WHERE tenant_id = 'tenant_b' AND watermark_for(event_time, event_time - INTERVAL '30' SECOND);
SELECT results_eq($$ SELECT relation::text, strategy FROM watermarks WHERE relation::text LIKE 'tenant%' ORDER BY 1 $$, $$ VALUES
	('tenant_a_events', 'event_time - ''00:00:05''::interval second'),
	('tenant_b_events', 'event_time - ''00:00:30''::interval second') $$,
				  'two tenants have views with different delays over one table');
SELECT results_eq('SELECT event_id FROM tenant_b_events', 'VALUES (2::bigint)', 'each sees its own rows');

-- Use case 2: bronze, silver, gold
CREATE TABLE bronze_events (raw_data jsonb, ingestion_time timestamp(3));
INSERT INTO bronze_events SELECT jsonb_build_object('event_time', t, 'user_id', u), now()
FROM (VALUES ('2024-01-01 10:00:00.5', 'ann'), ('2024-01-01 10:59', 'ann'), ('2024-01-01 11:00', 'bob'), (NULL, 'x')) AS v(t, u);
CREATE VIEW silver_events AS
SELECT (raw_data->>'event_time')::timestamp(3) AS event_time, raw_data->>'user_id' AS user_id
FROM bronze_events WHERE raw_data->>'event_time' IS NOT NULL;
SELECT set_watermark('silver_events', 'event_time', 'event_time - INTERVAL ''10'' SECOND') IS NULL AS is_void \gset
CREATE VIEW gold_hourly_stats AS
SELECT TUMBLE_START(event_time, INTERVAL '1' HOUR) AS hour, TUMBLE_ROWTIME(event_time, INTERVAL '1' HOUR) AS rowtime,
	user_id, count(*) AS event_count
FROM silver_events GROUP BY TUMBLE(event_time, INTERVAL '1' HOUR), user_id;
SELECT results_eq($$ SELECT name, type FROM describe('silver_events') $$,
	$$ VALUES ('event_time', 'TIMESTAMP(3) *ROWTIME*'), ('user_id', 'STRING') $$, 'silver: a rowtime out of JSON');
SELECT results_eq($$ SELECT name, type, watermark FROM describe('gold_hourly_stats') $$, $$ VALUES
	('hour', 'TIMESTAMP(6)', NULL), ('rowtime', 'TIMESTAMP(6) *ROWTIME*', 'that of silver_events'),
	('user_id', 'STRING', NULL), ('event_count', 'BIGINT', NULL) $$, 'gold: its rowtime has the watermark of silver');
SELECT results_eq('SELECT hour, user_id, event_count FROM gold_hourly_stats ORDER BY 1',
	$$ VALUES (timestamp '2024-01-01 10:00', 'ann', 2::bigint), ('2024-01-01 11:00', 'bob', 1) $$, 'gold: counts per hour and user');

-- Use case 3: late data
CREATE VIEW late_data_monitor AS
SELECT event_id, event_time, processing_time, extract(epoch FROM processing_time - event_time) AS latency_seconds
FROM all_events
WHERE processing_time - event_time > INTERVAL '60' SECOND AND watermark_for(event_time, event_time - INTERVAL '1' MINUTE);
SELECT results_eq('SELECT event_id, latency_seconds FROM late_data_monitor', 'VALUES (2::bigint, 120::numeric)',
				  'a monitor shows the rows that came late');
SELECT results_eq($$ SELECT rowtime, problem FROM watermarks WHERE relation = 'late_data_monitor'::regclass $$,
				  $$ VALUES ('event_time', NULL) $$, 'and has a watermark');

-- Its questions
CREATE VIEW child AS SELECT * FROM test_view1 WHERE watermark_for(event_time, event_time - INTERVAL '1' HOUR);
SELECT is((SELECT watermark FROM describe('child') WHERE watermark IS NOT NULL),
		  'event_time - ''01:00:00''::interval hour', 'Q2: a view over a view overrides its watermark');
CREATE VIEW joined AS SELECT a.event_time, b.event_id FROM test_view1 AS a JOIN test_view2 AS b USING (event_id);
SELECT is((SELECT watermark FROM describe('joined') WHERE watermark IS NOT NULL),
		  'the least of test_view1, test_view2', 'Q1: a join has the least watermark of both sides');

SELECT * FROM finish();
ROLLBACK;
