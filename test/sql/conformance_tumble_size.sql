-- TUMBLE from one millisecond to a week, with the rows that Apache Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(10);

CREATE TEMP TABLE sparse (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO sparse VALUES
	(1, 'a', 1, '2024-05-06 08:01'), (2, 'a', 1, '2024-05-06 09:01');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM sparse AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', timestamp '2024-05-06 08:09:59.999', 1, 1),
	('2024-05-06 09:00', '2024-05-06 09:10', '2024-05-06 09:09:59.999', 1, 1)
$$,
'windows without rows are not produced');

CREATE TEMP TABLE seconds (id integer, v bigint, ts timestamp(0));
INSERT INTO seconds VALUES
	(1, 5, '2024-05-06 08:00'), (2, 6, '2024-05-06 08:09:59'), (3, 7, '2024-05-06 08:10');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM seconds AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', timestamp '2024-05-06 08:09:59.999',
	 2, 11),
	('2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 1, 7)
$$,
'window_time of a timestamp(0) still lies one millisecond before the end');

CREATE TEMP TABLE fine (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO fine VALUES
	(1, 'a', 1, '2024-05-06 08:00'), (2, 'a', 2, '2024-05-06 08:00:00.249'),
	(3, 'a', 3, '2024-05-06 08:00:00.25'), (4, 'b', 4, '2024-05-06 08:00:00.499'),
	(5, 'b', 5, '2024-05-06 08:00:00.5'), (6, 'b', 6, '2024-05-06 08:00:00.999'),
	(7, 'a', 7, '2024-05-06 08:00:01'), (8, 'a', 8, '2024-05-06 08:00:01.001');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM fine AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '0.001' SECOND)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:00:00.001', timestamp '2024-05-06 08:00', 1, 1),
	('2024-05-06 08:00:00.249', '2024-05-06 08:00:00.25', '2024-05-06 08:00:00.249', 1, 2),
	('2024-05-06 08:00:00.25', '2024-05-06 08:00:00.251', '2024-05-06 08:00:00.25', 1, 3),
	('2024-05-06 08:00:00.499', '2024-05-06 08:00:00.5', '2024-05-06 08:00:00.499', 1, 4),
	('2024-05-06 08:00:00.5', '2024-05-06 08:00:00.501', '2024-05-06 08:00:00.5', 1, 5),
	('2024-05-06 08:00:00.999', '2024-05-06 08:00:01', '2024-05-06 08:00:00.999', 1, 6),
	('2024-05-06 08:00:01', '2024-05-06 08:00:01.001', '2024-05-06 08:00:01', 1, 7),
	('2024-05-06 08:00:01.001', '2024-05-06 08:00:01.002', '2024-05-06 08:00:01.001', 1, 8)
$$,
'windows of one millisecond separate neighbouring milliseconds');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM fine AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '0.250' SECOND)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:00:00.25',
	 timestamp '2024-05-06 08:00:00.249', 2, 3),
	('2024-05-06 08:00:00.25', '2024-05-06 08:00:00.5', '2024-05-06 08:00:00.499', 2, 7),
	('2024-05-06 08:00:00.5', '2024-05-06 08:00:00.75', '2024-05-06 08:00:00.749', 1, 5),
	('2024-05-06 08:00:00.75', '2024-05-06 08:00:01', '2024-05-06 08:00:00.999', 1, 6),
	('2024-05-06 08:00:01', '2024-05-06 08:00:01.25', '2024-05-06 08:00:01.249', 2, 15)
$$,
'windows of 250 milliseconds start at quarters of a second');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM fine AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '0.001' SECOND)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 07:59:59.001', timestamp '2024-05-06 08:00:00.001',
	 timestamp '2024-05-06 08:00', 1, 1),
	('2024-05-06 08:00:00.001', '2024-05-06 08:00:01.001', '2024-05-06 08:00:01', 6, 27),
	('2024-05-06 08:00:01.001', '2024-05-06 08:00:02.001', '2024-05-06 08:00:02', 1, 8)
$$,
'an offset of one millisecond puts a row on the full second into the window before');

CREATE TEMP TABLE minutes (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO minutes VALUES
	(1, 'a', 10, '2024-05-06 08:00'), (2, 'a', 20, '2024-05-06 08:02:30'),
	(3, 'b', 5, '2024-05-06 08:04:59.999'), (4, 'a', 7, '2024-05-06 08:05'),
	(5, 'b', 1, '2024-05-06 08:07:15.5'), (6, 'c', 3, '2024-05-06 08:09:59.999'),
	(7, 'a', 4, '2024-05-06 08:10'), (8, 'b', 6, '2024-05-06 08:13'),
	(9, 'c', 9, '2024-05-06 08:21:00.001'), (10, 'a', 8, '2024-05-06 08:29:59'),
	(11, 'b', 2, '2024-05-06 08:30'), (12, 'a', 11, '2024-05-06 08:52');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM minutes AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '7' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 07:57', timestamp '2024-05-06 08:04', timestamp '2024-05-06 08:03:59.999',
	 2, 30),
	('2024-05-06 08:04', '2024-05-06 08:11', '2024-05-06 08:10:59.999', 5, 20),
	('2024-05-06 08:11', '2024-05-06 08:18', '2024-05-06 08:17:59.999', 1, 6),
	('2024-05-06 08:18', '2024-05-06 08:25', '2024-05-06 08:24:59.999', 1, 9),
	('2024-05-06 08:25', '2024-05-06 08:32', '2024-05-06 08:31:59.999', 2, 10),
	('2024-05-06 08:46', '2024-05-06 08:53', '2024-05-06 08:52:59.999', 1, 11)
$$,
'windows of 7 minutes are counted from 1970, not from the hour');

CREATE TEMP TABLE days (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO days VALUES
	(1, 'a', 1, '2023-12-30 23:59:59.999'), (2, 'a', 2, '2023-12-31 00:00'),
	(3, 'b', 3, '2023-12-31 23:59:59.999'), (4, 'b', 4, '2024-01-01 00:00'),
	(5, 'a', 5, '2024-01-04 12:00'), (6, 'a', 6, '2024-02-28 23:30'),
	(7, 'b', 7, '2024-02-29 00:00'), (8, 'b', 8, '2024-02-29 23:59:59.999'),
	(9, 'a', 9, '2024-03-01 00:00');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM days AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '36' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2023-12-29 12:00', timestamp '2023-12-31 00:00', timestamp '2023-12-30 23:59:59.999', 1, 1),
	('2023-12-31 00:00', '2024-01-01 12:00', '2024-01-01 11:59:59.999', 3, 9),
	('2024-01-04 12:00', '2024-01-06 00:00', '2024-01-05 23:59:59.999', 1, 5),
	('2024-02-27 12:00', '2024-02-29 00:00', '2024-02-28 23:59:59.999', 1, 6),
	('2024-02-29 00:00', '2024-03-01 12:00', '2024-03-01 11:59:59.999', 3, 24)
$$,
'windows of 36 hours start at midnight and at noon by turns');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM days AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '-8' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2023-12-30 16:00', timestamp '2023-12-31 16:00', timestamp '2023-12-31 15:59:59.999', 2, 3),
	('2023-12-31 16:00', '2024-01-01 16:00', '2024-01-01 15:59:59.999', 2, 7),
	('2024-01-03 16:00', '2024-01-04 16:00', '2024-01-04 15:59:59.999', 1, 5),
	('2024-02-28 16:00', '2024-02-29 16:00', '2024-02-29 15:59:59.999', 2, 13),
	('2024-02-29 16:00', '2024-03-01 16:00', '2024-03-01 15:59:59.999', 2, 17)
$$,
'an offset of -8 hours makes days that start at 16:00');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM days AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '7' DAY)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2023-12-28 00:00', timestamp '2024-01-04 00:00', timestamp '2024-01-03 23:59:59.999',
	 4, 10),
	('2024-01-04 00:00', '2024-01-11 00:00', '2024-01-10 23:59:59.999', 1, 5),
	('2024-02-22 00:00', '2024-02-29 00:00', '2024-02-28 23:59:59.999', 1, 6),
	('2024-02-29 00:00', '2024-03-07 00:00', '2024-03-06 23:59:59.999', 3, 24)
$$,
'windows of 7 days start on Thursdays, as 1970 did');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM days AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '7' DAY, INTERVAL '4' DAY)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2023-12-25 00:00', timestamp '2024-01-01 00:00', timestamp '2023-12-31 23:59:59.999', 3, 6),
	('2024-01-01 00:00', '2024-01-08 00:00', '2024-01-07 23:59:59.999', 2, 9),
	('2024-02-26 00:00', '2024-03-04 00:00', '2024-03-03 23:59:59.999', 4, 30)
$$,
'an offset of 4 days makes weeks that start on Mondays');

SELECT * FROM finish();
ROLLBACK;
