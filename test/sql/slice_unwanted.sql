\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

-- Nothing is computed of rows that are in no window that is wanted.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
CREATE TABLE ev (ts timestamp, tz timestamptz, d integer, ok boolean);
INSERT INTO ev SELECT ts, ts AT TIME ZONE 'UTC', d, d <> 0
FROM (VALUES (timestamp '2024-01-01 00:05', 1), ('2024-01-01 00:06', 2), ('2024-01-01 00:30', 0), ('2024-01-01 01:10', 5), (NULL, 0)) AS v(ts, d);
CREATE TABLE unwanted AS SELECT timestamp '2024-01-01 00:40' AS at;
ANALYZE;

SELECT is((is_used, differences), (true, 0::bigint), format('%s of %s %s', terms, call, filter))
FROM unnest(ARRAY['sum(10 / d)', '10 / d, count(*)', '10 / d, sum(10 / d + d), max(d)', 'sum((SELECT 10 / d + count(*) FROM unwanted))', 'count(DISTINCT 10 / d)']) AS terms,
	(VALUES
		('HOP(ev, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''10'' MINUTE)', ''),
		('HOP(ev, DESCRIPTOR(tz), INTERVAL ''1'' HOUR, INTERVAL ''10'' MINUTE)', ''),
		('HOP(ev, DESCRIPTOR(ts), INTERVAL ''20'' MINUTE, INTERVAL ''20'' MINUTE)', 'WHERE window_start <> ''2024-01-01 00:20'''),
		('HOP(ev, DESCRIPTOR(tz), INTERVAL ''20'' MINUTE, INTERVAL ''20'' MINUTE)', 'WHERE window_start <> ''2024-01-01 00:20'''),
		('HOP(ev, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''30'' MINUTE)', 'WHERE extract(minute FROM window_end) = 20'),
		('CUMULATE(ev, DESCRIPTOR(ts), INTERVAL ''20'' MINUTE, INTERVAL ''40'' MINUTE)', 'WHERE window_end NOT IN (SELECT at FROM unwanted)'),
		('CUMULATE(ev, DESCRIPTOR(ts), INTERVAL ''5'' MINUTE, INTERVAL ''20'' MINUTE)', 'WHERE window_start <> ''2024-01-01 00:20'' AND window_end > ''2024-01-01''')
	) AS c(call, filter),
	compare(format('SELECT window_start, window_end, %s FROM ev, %s %s GROUP BY window_start, window_end%s', terms, call, filter,
		CASE WHEN terms LIKE '10 / d%' THEN ', 10 / d' ELSE '' END));
SET apply_watermark.enable_slice_node = on;
SELECT results_eq($$SELECT sum(10 / d) FROM ev, HOP(ev, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '10' MINUTE) GROUP BY window_start, window_end$$,
	'VALUES (15::bigint)', 'rows in gaps raise no error');
SELECT throws_ok($$SELECT sum(10 / d) FROM ev, HOP(ev, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '40' MINUTE) GROUP BY window_start, window_end$$,
	'22012', NULL, 'those in windows do');
SELECT throws_ok(format('SELECT sum(10 / d) FROM ev, CUMULATE(ev, DESCRIPTOR(ts), INTERVAL ''5'' MINUTE, INTERVAL ''1'' HOUR) WHERE %s GROUP BY window_start, window_end', filter),
	'22012', NULL, 'so does a row with one window that is wanted, by ' || filter)
FROM unnest(ARRAY['window_end > ''2024-01-01 00:35''', 'extract(minute FROM window_end) = 40']) AS filter;

SELECT is((is_used, differences), (true, 0::bigint), 'FILTER comes before arguments: ' || aggregate)
FROM unnest('{sum(10 / d) FILTER (WHERE ok), "corr(10 / d, d) FILTER (WHERE ok)", "count(DISTINCT 10 / d) FILTER (WHERE d > 0)"}'::text[]) AS aggregate,
	unnest(ARRAY['TUMBLE(ev, DESCRIPTOR(ts), INTERVAL ''1'' HOUR)', 'HOP(ev, DESCRIPTOR(ts), INTERVAL ''5'' MINUTE, INTERVAL ''1'' HOUR)']) AS call,
	compare(format('SELECT window_start, window_end, %s FROM ev, %s GROUP BY window_start, window_end', aggregate, call));

-- Conditions with parameters, which change.
SELECT is((is_used, differences), (true, 0::bigint), 'what is wanted may change from one scan to the next')
FROM compare($$SELECT u, s FROM generate_series(timestamp '2024-01-01 00:00', '2024-01-01 01:00', '20 min') AS u, LATERAL (
	SELECT window_start, sum(10 / d) AS s FROM ev, HOP(ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '20' MINUTE)
	WHERE window_start <> '2024-01-01 00:20' AND window_start <> '2024-01-01 00:30' AND window_start <> u GROUP BY window_start, window_end) AS w$$);

-- Many windows of a slice, few wanted.
CREATE TABLE seconds AS
SELECT timestamp '2024-01-01' + (i * 7919 % 20000) * INTERVAL '1 s' AS ts, i % 7 AS k FROM generate_series(1, 20000) AS i;
ANALYZE seconds;
SELECT is((is_used, differences), (true, 0::bigint), format('few windows of %s are wanted, by %s', call, filter))
FROM unnest(ARRAY['seconds AS s', '(SELECT * FROM seconds ORDER BY ts) AS s']) AS input,
	unnest(ARRAY['HOP(s, DESCRIPTOR(s.ts), INTERVAL ''1'' MINUTE, INTERVAL ''1'' HOUR)', 'CUMULATE(s, DESCRIPTOR(s.ts), INTERVAL ''1'' MINUTE, INTERVAL ''1'' HOUR)']) AS call,
	unnest(ARRAY['extract(minute FROM window_end) = 17', 'extract(epoch FROM window_end)::integer % 4020 = 0', 'window_start::text LIKE ''%03:%''', 'window_end::text > ''2025''']) AS filter,
	compare(format('SELECT window_start, window_end, k + 1, sum(k * 2) FROM %s, %s WHERE %s GROUP BY window_start, window_end, k + 1', input, call, filter));

SELECT * FROM finish();
ROLLBACK;
