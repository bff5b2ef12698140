-- Windows before 1970, with the rows that Apache Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(7);

CREATE TEMP TABLE events (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO events VALUES
	(1, 'a', 1, '1969-12-31 23:49:59.999'), (2, 'a', 2, '1969-12-31 23:50'),
	(3, 'b', 3, '1969-12-31 23:57'), (4, 'b', 4, '1969-12-31 23:59:59.999'),
	(5, 'a', 5, '1970-01-01 00:00'), (6, 'a', 6, '1970-01-01 00:03'),
	(7, 'b', 7, '1970-01-01 00:10'), (8, 'b', 8, '1970-01-01 00:25');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '1969-12-31 23:40', timestamp '1969-12-31 23:50', timestamp '1969-12-31 23:49:59.999', 1, 1),
	('1969-12-31 23:50', '1970-01-01 00:00', '1969-12-31 23:59:59.999', 3, 9),
	('1970-01-01 00:00', '1970-01-01 00:10', '1970-01-01 00:09:59.999', 2, 11),
	('1970-01-01 00:10', '1970-01-01 00:20', '1970-01-01 00:19:59.999', 1, 7),
	('1970-01-01 00:20', '1970-01-01 00:30', '1970-01-01 00:29:59.999', 1, 8)
$$,
'TUMBLE rounds down before 1970 too');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '-4' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '1969-12-31 23:46', timestamp '1969-12-31 23:56', timestamp '1969-12-31 23:55:59.999', 2, 3),
	('1969-12-31 23:56', '1970-01-01 00:06', '1970-01-01 00:05:59.999', 4, 18),
	('1970-01-01 00:06', '1970-01-01 00:16', '1970-01-01 00:15:59.999', 1, 7),
	('1970-01-01 00:16', '1970-01-01 00:26', '1970-01-01 00:25:59.999', 1, 8)
$$,
'a negative offset moves windows back on both sides of 1970');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '7' MINUTE, INTERVAL '2' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '1969-12-31 23:48', timestamp '1969-12-31 23:55', timestamp '1969-12-31 23:54:59.999', 2, 3),
	('1969-12-31 23:55', '1970-01-01 00:02', '1970-01-01 00:01:59.999', 3, 12),
	('1970-01-01 00:02', '1970-01-01 00:09', '1970-01-01 00:08:59.999', 1, 6),
	('1970-01-01 00:09', '1970-01-01 00:16', '1970-01-01 00:15:59.999', 1, 7),
	('1970-01-01 00:23', '1970-01-01 00:30', '1970-01-01 00:29:59.999', 1, 8)
$$,
'sizes that do not divide the hour keep their grid across 1970');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '1969-12-31 23:40', timestamp '1969-12-31 23:50', timestamp '1969-12-31 23:49:59.999', 1, 1),
	('1969-12-31 23:45', '1969-12-31 23:55', '1969-12-31 23:54:59.999', 2, 3),
	('1969-12-31 23:50', '1970-01-01 00:00', '1969-12-31 23:59:59.999', 3, 9),
	('1969-12-31 23:55', '1970-01-01 00:05', '1970-01-01 00:04:59.999', 4, 18),
	('1970-01-01 00:00', '1970-01-01 00:10', '1970-01-01 00:09:59.999', 2, 11),
	('1970-01-01 00:05', '1970-01-01 00:15', '1970-01-01 00:14:59.999', 1, 7),
	('1970-01-01 00:10', '1970-01-01 00:20', '1970-01-01 00:19:59.999', 1, 7),
	('1970-01-01 00:20', '1970-01-01 00:30', '1970-01-01 00:29:59.999', 1, 8),
	('1970-01-01 00:25', '1970-01-01 00:35', '1970-01-01 00:34:59.999', 1, 8)
$$,
'HOP makes windows that span the start of 1970');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '20' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '1969-12-31 23:40', timestamp '1969-12-31 23:50', timestamp '1969-12-31 23:49:59.999', 1, 1),
	('1969-12-31 23:40', '1969-12-31 23:55', '1969-12-31 23:54:59.999', 2, 3),
	('1969-12-31 23:40', '1970-01-01 00:00', '1969-12-31 23:59:59.999', 4, 10),
	('1970-01-01 00:00', '1970-01-01 00:05', '1970-01-01 00:04:59.999', 2, 11),
	('1970-01-01 00:00', '1970-01-01 00:10', '1970-01-01 00:09:59.999', 2, 11),
	('1970-01-01 00:00', '1970-01-01 00:15', '1970-01-01 00:14:59.999', 3, 18),
	('1970-01-01 00:00', '1970-01-01 00:20', '1970-01-01 00:19:59.999', 3, 18),
	('1970-01-01 00:20', '1970-01-01 00:30', '1970-01-01 00:29:59.999', 1, 8),
	('1970-01-01 00:20', '1970-01-01 00:35', '1970-01-01 00:34:59.999', 1, 8),
	('1970-01-01 00:20', '1970-01-01 00:40', '1970-01-01 00:39:59.999', 1, 8)
$$,
'CUMULATE grows its windows up to the start of 1970');

SELECT bag_eq(
$$
	SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE), TUMBLE_END(ts, INTERVAL '10' MINUTE), count(*)
	FROM events
	GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(timestamp '1969-12-31 23:40', timestamp '1969-12-31 23:50', 1),
	('1969-12-31 23:50', '1970-01-01 00:00', 3),
	('1970-01-01 00:00', '1970-01-01 00:10', 2),
	('1970-01-01 00:10', '1970-01-01 00:20', 1),
	('1970-01-01 00:20', '1970-01-01 00:30', 1)
$$,
'the group window TUMBLE rounds down before 1970 too');

SELECT bag_eq(
$$
	SELECT
		HOP_START(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE),
		HOP_END(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE),
		count(*)
	FROM events
	GROUP BY HOP(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(timestamp '1969-12-31 23:40', timestamp '1969-12-31 23:50', 1),
	('1969-12-31 23:45', '1969-12-31 23:55', 2),
	('1969-12-31 23:50', '1970-01-01 00:00', 3),
	('1969-12-31 23:55', '1970-01-01 00:05', 4),
	('1970-01-01 00:00', '1970-01-01 00:10', 2),
	('1970-01-01 00:05', '1970-01-01 00:15', 1),
	('1970-01-01 00:10', '1970-01-01 00:20', 1),
	('1970-01-01 00:20', '1970-01-01 00:30', 1),
	('1970-01-01 00:25', '1970-01-01 00:35', 1)
$$,
'the group window HOP spans the start of 1970');

SELECT * FROM finish();
ROLLBACK;
