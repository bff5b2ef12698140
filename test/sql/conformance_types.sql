-- Types of what window functions add.  In Flink window_start and window_end of TIMESTAMP_LTZ
-- are TIMESTAMP, and all have three digits; here all are of the kind of the time column.
\i test/setup.psql
BEGIN;
SELECT plan(14);

CREATE TEMP TABLE e (id integer, k text, v bigint, ts timestamp(3), tz timestamptz(3));
INSERT INTO e VALUES
	(1, 'a', 7, '2024-05-06 08:10', '2024-05-06 08:10+00'),
	(2, 'b', 8, '2024-05-06 08:20', '2024-05-06 08:20+00');

CREATE TEMP VIEW table_function AS
SELECT e.*, w.*
FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w;

SELECT columns_are('table_function',
	ARRAY['id', 'k', 'v', 'ts', 'tz', 'window_start', 'window_end', 'window_time'],
	'TUMBLE adds three columns after those of its input');

SELECT col_type_is('table_function', name, 'timestamp without time zone', name || ' of a timestamp is a timestamp')
FROM (VALUES ('window_start'), ('window_end'), ('window_time')) AS c(name);

CREATE TEMP VIEW table_function_ltz AS
SELECT e.*, w.*
FROM e, HOP(e, DESCRIPTOR(tz), INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS w;

SELECT col_type_is('table_function_ltz', name, 'timestamp with time zone',
	name || ' of a timestamptz is a timestamptz')
FROM (VALUES ('window_start'), ('window_end'), ('window_time')) AS c(name);

CREATE TEMP VIEW group_window AS
SELECT
	TUMBLE_START(ts, INTERVAL '1' HOUR) AS ws,
	TUMBLE_END(ts, INTERVAL '1' HOUR) AS we,
	TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR) AS wr,
	count(*) AS cnt, sum(v) AS s, avg(v) AS a
FROM e
GROUP BY TUMBLE(ts, INTERVAL '1' HOUR);

SELECT is(
	(SELECT array_agg(DISTINCT format_type(atttypid, atttypmod)) FROM pg_attribute
	 WHERE attrelid = 'group_window'::regclass AND attname IN ('ws', 'we', 'wr')),
	ARRAY['timestamp without time zone'],
	'the parts of a group window of timestamp are timestamps');

CREATE TEMP VIEW group_window_ltz AS
SELECT
	HOP_START(tz, INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS ws,
	HOP_END(tz, INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS we,
	HOP_ROWTIME(tz, INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS wr
FROM e
GROUP BY HOP(tz, INTERVAL '1' HOUR, INTERVAL '2' HOUR);

SELECT is(
	(SELECT array_agg(DISTINCT format_type(atttypid, atttypmod)) FROM pg_attribute
	 WHERE attrelid = 'group_window_ltz'::regclass AND attname IN ('ws', 'we', 'wr')),
	ARRAY['timestamp with time zone'],
	'the parts of a group window of timestamptz are timestamptz');

-- Flink: BIGINT and BIGINT for sum and avg; its avg of 7 and 8 is 7.
SELECT results_eq(
	$$ SELECT ws, we, wr, cnt, s, a FROM group_window $$,
	$$ VALUES (timestamp '2024-05-06 08:00', timestamp '2024-05-06 09:00', timestamp '2024-05-06 08:59:59.999',
			   2::bigint, 15::numeric, 7.5) $$,
	'count is bigint; sum and avg of bigint are numeric, and avg is not truncated');

-- Flink has milliseconds at most, and refuses a TIMESTAMP(6) as time column.
SELECT results_eq(
$$
	SELECT window_start, window_end, window_time
	FROM (VALUES (timestamp '2024-01-01 10:00:59.9996')) AS e(ts), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
$$,
$$ VALUES (timestamp '2024-01-01 10:00', timestamp '2024-01-01 10:01', timestamp '2024-01-01 10:00:59.999') $$,
'a row in the last millisecond is kept in its window to the microsecond');

SELECT results_eq(
$$
	SELECT window_start
	FROM (VALUES ('2024-01-01 10:00:59.9996'::timestamp(3))) AS e(ts), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
$$,
$$ VALUES (timestamp '2024-01-01 10:01') $$,
'a cast to three digits rounds, and may move a row to the next window');

-- Flink has no infinite times.
SELECT bag_eq(
$$
	SELECT ts, window_start, window_end, window_time
	FROM (VALUES (timestamp 'infinity'), ('-infinity')) AS e(ts), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
$$,
$$ VALUES
	(timestamp 'infinity', timestamp 'infinity', timestamp 'infinity', timestamp 'infinity'),
	('-infinity', '-infinity', '-infinity', '-infinity') $$,
'an infinite time is in one window, as infinite');

SELECT bag_eq(
$$
	SELECT ts, window_start, window_end
	FROM (VALUES (timestamptz 'infinity'), ('-infinity')) AS e(ts),
		HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE)
$$,
$$ VALUES
	(timestamptz 'infinity', timestamptz 'infinity', timestamptz 'infinity'),
	('-infinity', '-infinity', '-infinity') $$,
'under HOP too an infinite time is in one window');

SELECT * FROM finish();
ROLLBACK;
