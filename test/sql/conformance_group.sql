-- Group windows, with the rows that Apache Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(7);

CREATE TEMP TABLE events (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO events VALUES
	(1, 'a', 10, '2024-05-06 08:00'), (2, 'a', 20, '2024-05-06 08:02:30'),
	(3, 'b', 5, '2024-05-06 08:04:59.999'), (4, 'a', 7, '2024-05-06 08:05'),
	(5, 'b', 1, '2024-05-06 08:07:15.5'), (6, 'c', 3, '2024-05-06 08:09:59.999'),
	(7, 'a', 4, '2024-05-06 08:10'), (8, 'b', 6, '2024-05-06 08:13'),
	(9, 'c', 9, '2024-05-06 08:21:00.001'), (10, 'a', 8, '2024-05-06 08:29:59'),
	(11, 'b', 2, '2024-05-06 08:30'), (12, 'a', 11, '2024-05-06 08:52');

SELECT bag_eq(
$$
	SELECT
		k,
		TUMBLE_START(ts, INTERVAL '10' MINUTE) AS ws,
		TUMBLE_END(ts, INTERVAL '10' MINUTE) AS we,
		TUMBLE_ROWTIME(ts, INTERVAL '10' MINUTE) AS wr,
		count(*), sum(v)
	FROM events
	GROUP BY k, TUMBLE(ts, INTERVAL '10' MINUTE)
$$,
$$ VALUES
	('a', timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10',
	 timestamp '2024-05-06 08:09:59.999', 3, 37),
	('a', '2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 1, 4),
	('a', '2024-05-06 08:20', '2024-05-06 08:30', '2024-05-06 08:29:59.999', 1, 8),
	('a', '2024-05-06 08:50', '2024-05-06 09:00', '2024-05-06 08:59:59.999', 1, 11),
	('b', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999', 2, 6),
	('b', '2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 1, 6),
	('b', '2024-05-06 08:30', '2024-05-06 08:40', '2024-05-06 08:39:59.999', 1, 2),
	('c', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999', 1, 3),
	('c', '2024-05-06 08:20', '2024-05-06 08:30', '2024-05-06 08:29:59.999', 1, 9)
$$,
'TUMBLE groups by window and key, and tells the start, end and rowtime of the window');

SELECT bag_eq(
$$
	SELECT count(*)::integer AS cnt, sum(v)::integer AS total
	FROM events
	GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(1, 2),
	(1, 11),
	(2, 10),
	(2, 17),
	(6, 46)
$$,
'TUMBLE may be the only grouping');

SELECT bag_eq(
$$
	SELECT k, TUMBLE_END(ts, INTERVAL '10' MINUTE) - INTERVAL '1' SECOND AS nearly, count(*) * 2 AS c2
	FROM events
	GROUP BY k, TUMBLE(ts, INTERVAL '10' MINUTE)
	HAVING sum(v) > 8
$$,
$$ VALUES
	('a', timestamp '2024-05-06 08:09:59', 6),
	('a', '2024-05-06 08:59:59', 2),
	('c', '2024-05-06 08:29:59', 2)
$$,
'HAVING removes groups, and the end of a window may stand in an expression');

SELECT bag_eq(
$$
	SELECT TUMBLE_START(rt, INTERVAL '20' MINUTE), sum(cnt)
	FROM (
		SELECT TUMBLE_ROWTIME(ts, INTERVAL '5' MINUTE) AS rt, k, count(*) AS cnt
		FROM events
		GROUP BY k, TUMBLE(ts, INTERVAL '5' MINUTE)
	) AS w1
	GROUP BY TUMBLE(rt, INTERVAL '20' MINUTE)
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', 8),
	('2024-05-06 08:20', 3),
	('2024-05-06 08:40', 1)
$$,
'TUMBLE_ROWTIME is the time column of the next windows');

-- Batch Flink refuses DISTINCT in group windows; these are the rows of its streaming mode.
SELECT bag_eq(
$$
	SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE), count(DISTINCT k)
	FROM events
	GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', 3),
	('2024-05-06 08:10', 2),
	('2024-05-06 08:20', 2),
	('2024-05-06 08:30', 1),
	('2024-05-06 08:50', 1)
$$,
'aggregates with DISTINCT work in group windows');

CREATE TEMP TABLE days (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO days VALUES
	(1, 'a', 1, '2023-12-30 23:59:59.999'), (2, 'a', 2, '2023-12-31 00:00'),
	(3, 'b', 3, '2023-12-31 23:59:59.999'), (4, 'b', 4, '2024-01-01 00:00'),
	(5, 'a', 5, '2024-01-04 12:00'), (6, 'a', 6, '2024-02-28 23:30'),
	(7, 'b', 7, '2024-02-29 00:00'), (8, 'b', 8, '2024-02-29 23:59:59.999'),
	(9, 'a', 9, '2024-03-01 00:00');

SELECT bag_eq(
$$
	SELECT TUMBLE_START(ts, INTERVAL '1' DAY), TUMBLE_END(ts, INTERVAL '1' DAY), count(*)
	FROM days
	GROUP BY TUMBLE(ts, INTERVAL '1' DAY)
$$,
$$ VALUES
	(timestamp '2023-12-30 00:00', timestamp '2023-12-31 00:00', 1),
	('2023-12-31 00:00', '2024-01-01 00:00', 2),
	('2024-01-01 00:00', '2024-01-02 00:00', 1),
	('2024-01-04 00:00', '2024-01-05 00:00', 1),
	('2024-02-28 00:00', '2024-02-29 00:00', 1),
	('2024-02-29 00:00', '2024-03-01 00:00', 2),
	('2024-03-01 00:00', '2024-03-02 00:00', 1)
$$,
'days are grouped across the ends of months and years');

SELECT throws_ok(
$$
	SELECT TUMBLE_START(ts, INTERVAL '5' MINUTE)
	FROM events
	GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE)
$$,
'42803',
'arguments of tumble_start differ from those of TUMBLE in GROUP BY',
'TUMBLE_START must have the arguments of the grouped TUMBLE');

SELECT * FROM finish();
ROLLBACK;
