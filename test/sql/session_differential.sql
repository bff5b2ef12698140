\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT plan(9);

-- 30,000 rows in random order for 500 keys and NULL, with gaps exactly at, one
-- millisecond below and above the session's, duplicates and NULL times, against
-- lag() and sum() by hand.
SELECT setseed(0.17);
CREATE TABLE e AS
SELECT row_number() OVER (ORDER BY random()) AS id, k, (random() * 100)::int AS v,
	CASE WHEN random() < 0.02 THEN NULL ELSE t END AS ts, t AT TIME ZONE 'UTC' AS tz
FROM (
	SELECT nullif(k, 0) AS k,
		timestamp(3) '2024-01-01' + sum((ARRAY[INTERVAL '10 s', '9.999 s', '10.001 s', '0', '3 s', '2 min'])[1 + floor(random() * 6)::int])
			OVER (PARTITION BY k ORDER BY i) AS t
	FROM generate_series(0, 500) AS k, generate_series(1, 60) AS i
) AS s;

CREATE VIEW by_hand AS
SELECT id, k, v,
	min(ts) OVER w AS window_start, max(ts) OVER w + INTERVAL '10 s' AS window_end
FROM (
	SELECT id, k, v, ts, sum(is_new) OVER (PARTITION BY k ORDER BY ts, id) AS n
	FROM (
		SELECT *, coalesce(ts - lag(ts) OVER (PARTITION BY k ORDER BY ts, id) > INTERVAL '10 s', true)::int AS is_new
		FROM e WHERE ts IS NOT NULL
	) AS a
) AS b
WINDOW w AS (PARTITION BY k, n);

CREATE FUNCTION pg_temp.differences(query text, by_hand text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM ((%1$s EXCEPT ALL %2$s) UNION ALL (%2$s EXCEPT ALL %1$s)) AS d', query, by_hand) INTO n;
	RETURN n;
END $$;

SELECT cmp_ok((SELECT count(*) FROM (SELECT DISTINCT k, window_start FROM by_hand) AS s), '>', 5000::bigint,
			  'there are thousands of sessions');
SELECT is(pg_temp.differences(query, by_hand), 0::bigint, label)
FROM (VALUES
	($$SELECT id, window_start, window_end FROM e, SESSION(e, DESCRIPTOR(ts), INTERVAL '10' SECOND, k)$$,
	 $$SELECT id, window_start, window_end FROM by_hand$$, 'each row has the start and end of its session'),
	($$SELECT k, window_start, window_end, count(*), sum(v) FROM e, SESSION(e, DESCRIPTOR(ts), INTERVAL '10' SECOND, k) GROUP BY k, window_start, window_end$$,
	 $$SELECT k, window_start, window_end, count(*), sum(v) FROM by_hand GROUP BY k, window_start, window_end$$, 'aggregates over the table function'),
	($$SELECT k, SESSION_START(ts, INTERVAL '10' SECOND), SESSION_END(ts, INTERVAL '10' SECOND), count(*), sum(v) FROM e GROUP BY k, SESSION(ts, INTERVAL '10' SECOND)$$,
	 $$SELECT k, window_start, window_end, count(*), sum(v) FROM by_hand GROUP BY k, window_start, window_end$$, 'the group window'),
	($$SELECT k, window_start AT TIME ZONE 'UTC', window_end AT TIME ZONE 'UTC', count(*) FROM (SELECT * FROM e WHERE ts IS NOT NULL) AS e, SESSION(e, DESCRIPTOR(tz), INTERVAL '10' SECOND, k) GROUP BY 1, 2, 3$$,
	 $$SELECT k, window_start, window_end, count(*) FROM by_hand GROUP BY k, window_start, window_end$$, 'on timestamptz')
) AS c(query, by_hand, label);

SET LOCAL work_mem = '64kB';
SET LOCAL enable_hashagg = off;
SELECT is(pg_temp.differences(
	$$SELECT k, SESSION_START(ts, INTERVAL '10' SECOND), count(*) FROM e GROUP BY k, SESSION(ts, INTERVAL '10' SECOND)$$,
	$$SELECT k, window_start, count(*) FROM by_hand GROUP BY k, window_start$$), 0::bigint, 'in small memory, by sorting');
RESET work_mem;
RESET enable_hashagg;

SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SELECT is(pg_temp.differences(
	$$SELECT id, window_start, window_end FROM e, SESSION(e, DESCRIPTOR(ts), INTERVAL '10' SECOND, k)$$,
	$$SELECT id, window_start, window_end FROM by_hand$$), 0::bigint, 'below a parallel plan');

-- Elapsed time, not the wall clock, parts sessions.
SET LOCAL timezone = 'America/New_York';
SELECT results_eq(
	$$SELECT window_start, window_end, count(*) FROM (VALUES (timestamptz '2024-03-10 01:40-05'), ('2024-03-10 03:10-04'), ('2024-03-10 04:11-04')) AS e(tz),
		SESSION(e, DESCRIPTOR(tz), INTERVAL '1' HOUR) GROUP BY 1, 2 ORDER BY 1$$,
	$$VALUES (timestamptz '2024-03-10 01:40-05', timestamptz '2024-03-10 04:10-04', 2::bigint), ('2024-03-10 04:11-04', '2024-03-10 05:11-04', 1)$$,
	'half an hour over the change of the clock is half an hour');
SELECT results_eq(
	$$SELECT window_end - window_start, count(*) FROM (VALUES (timestamptz '2024-11-02 12:00-04'), ('2024-11-03 11:00-05')) AS e(tz),
		SESSION(e, DESCRIPTOR(tz), INTERVAL '1' DAY) GROUP BY 1$$,
	$$VALUES (INTERVAL '2 days', 2::bigint)$$, 'a day is 24 hours');

SELECT * FROM finish();
ROLLBACK;
