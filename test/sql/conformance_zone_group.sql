-- Group windows of timestamptz on the wall clock of the session's zone, with the rows that
-- streaming Flink 2.3 returns; its batch mode refuses them.
\i test/setup.psql
BEGIN;
SELECT plan(5);

CREATE TEMP TABLE e (id integer, k text, v bigint, ts timestamptz(3));
INSERT INTO e VALUES
	(1, 'a', 1, '2024-05-06 00:10+00'), (2, 'b', 2, '2024-05-06 00:29:59.999+00'),
	(3, 'a', 3, '2024-05-06 00:30+00'), (4, 'b', 4, '2024-05-06 01:00+00'),
	(5, 'a', 5, '2024-05-06 05:29:59.999+00'), (6, 'b', 6, '2024-05-06 05:30+00'),
	(7, 'a', 7, '2024-05-06 18:29:59.999+00'), (8, 'b', 8, '2024-05-06 18:30+00'),
	(9, 'a', 9, '2024-05-06 23:59:59.999+00'), (10, 'b', 10, '2024-05-07 00:00+00');

SET LOCAL timezone = 'Asia/Kolkata';

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '1' DAY)::timestamp AS ws,
		TUMBLE_END(ts, INTERVAL '1' DAY)::timestamp AS we,
		TUMBLE_ROWTIME(ts, INTERVAL '1' DAY)::timestamp AS wr,
		count(*)
	FROM e
	GROUP BY TUMBLE(ts, INTERVAL '1' DAY)
$$,
$$ VALUES
	(timestamp '2024-05-06 00:00', timestamp '2024-05-07 00:00', timestamp '2024-05-06 23:59:59.999', 7),
	('2024-05-07 00:00', '2024-05-08 00:00', '2024-05-07 23:59:59.999', 3)
$$,
'the group window TUMBLE of a day starts at midnight of Kolkata');

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '1' HOUR)::timestamp AS ws,
		TUMBLE_END(ts, INTERVAL '1' HOUR)::timestamp AS we,
		TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR)::timestamp AS wr,
		count(*), sum(v)
	FROM e
	GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)
$$,
$$ VALUES
	(timestamp '2024-05-06 05:00', timestamp '2024-05-06 06:00', timestamp '2024-05-06 05:59:59.999', 2, 3),
	('2024-05-06 06:00', '2024-05-06 07:00', '2024-05-06 06:59:59.999', 2, 7),
	('2024-05-06 10:00', '2024-05-06 11:00', '2024-05-06 10:59:59.999', 1, 5),
	('2024-05-06 11:00', '2024-05-06 12:00', '2024-05-06 11:59:59.999', 1, 6),
	('2024-05-06 23:00', '2024-05-07 00:00', '2024-05-06 23:59:59.999', 1, 7),
	('2024-05-07 00:00', '2024-05-07 01:00', '2024-05-07 00:59:59.999', 1, 8),
	('2024-05-07 05:00', '2024-05-07 06:00', '2024-05-07 05:59:59.999', 2, 19)
$$,
'the group window TUMBLE of an hour starts at full hours of Kolkata, half past in UTC');

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '6' HOUR)::timestamp AS ws,
		TUMBLE_END(ts, INTERVAL '6' HOUR)::timestamp AS we,
		TUMBLE_ROWTIME(ts, INTERVAL '6' HOUR)::timestamp AS wr,
		count(*), sum(v)
	FROM e
	GROUP BY TUMBLE(ts, INTERVAL '6' HOUR)
$$,
$$ VALUES
	(timestamp '2024-05-06 00:00', timestamp '2024-05-06 06:00', timestamp '2024-05-06 05:59:59.999', 2, 3),
	('2024-05-06 06:00', '2024-05-06 12:00', '2024-05-06 11:59:59.999', 4, 18),
	('2024-05-06 18:00', '2024-05-07 00:00', '2024-05-06 23:59:59.999', 1, 7),
	('2024-05-07 00:00', '2024-05-07 06:00', '2024-05-07 05:59:59.999', 3, 27)
$$,
'the group window TUMBLE of six hours starts at midnight and 6:00 of Kolkata');

-- Streaming Flink's window function loses rows here.
SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, count(*), sum(v)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)
	GROUP BY window_start, window_end
$$,
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '1' HOUR)::timestamp,
		TUMBLE_END(ts, INTERVAL '1' HOUR)::timestamp,
		count(*), sum(v)
	FROM e
	GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)
$$,
'in Kolkata the window function and the group window of an hour agree');

SET LOCAL timezone = 'Asia/Shanghai';

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '1' DAY)::timestamp AS ws,
		TUMBLE_END(ts, INTERVAL '1' DAY)::timestamp AS we,
		TUMBLE_ROWTIME(ts, INTERVAL '1' DAY)::timestamp AS wr,
		count(*), sum(v)
	FROM e
	GROUP BY TUMBLE(ts, INTERVAL '1' DAY)
$$,
$$ VALUES
	(timestamp '2024-05-06 00:00', timestamp '2024-05-07 00:00', timestamp '2024-05-06 23:59:59.999',
	 6, 21),
	('2024-05-07 00:00', '2024-05-08 00:00', '2024-05-07 23:59:59.999', 4, 34)
$$,
'in Shanghai the group window TUMBLE of a day starts at its midnight');

SELECT * FROM finish();
ROLLBACK;
