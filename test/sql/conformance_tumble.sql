-- Alignment of TUMBLE, with the rows that Apache Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(9);

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
	SELECT id, ts, window_start, window_end, window_time
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(1, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10',
	 timestamp '2024-05-06 08:09:59.999'),
	(2, '2024-05-06 08:02:30', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999'),
	(3, '2024-05-06 08:04:59.999', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999'),
	(4, '2024-05-06 08:05', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999'),
	(5, '2024-05-06 08:07:15.5', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999'),
	(6, '2024-05-06 08:09:59.999', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999'),
	(7, '2024-05-06 08:10', '2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999'),
	(8, '2024-05-06 08:13', '2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999'),
	(9, '2024-05-06 08:21:00.001', '2024-05-06 08:20', '2024-05-06 08:30', '2024-05-06 08:29:59.999'),
	(10, '2024-05-06 08:29:59', '2024-05-06 08:20', '2024-05-06 08:30', '2024-05-06 08:29:59.999'),
	(11, '2024-05-06 08:30', '2024-05-06 08:30', '2024-05-06 08:40', '2024-05-06 08:39:59.999'),
	(12, '2024-05-06 08:52', '2024-05-06 08:50', '2024-05-06 09:00', '2024-05-06 08:59:59.999')
$$,
'each row gets the one window [start, end) that holds it, and window_time one millisecond before its end');

PREPARE ten_minutes AS VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', timestamp '2024-05-06 08:09:59.999',
	 6, 46),
	('2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 2, 10),
	('2024-05-06 08:20', '2024-05-06 08:30', '2024-05-06 08:29:59.999', 2, 17),
	('2024-05-06 08:30', '2024-05-06 08:40', '2024-05-06 08:39:59.999', 1, 2),
	('2024-05-06 08:50', '2024-05-06 09:00', '2024-05-06 08:59:59.999', 1, 11)
;

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
'ten_minutes',
'windows of 10 minutes start at full tens of minutes, with or without a watermark');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(data => e, timecol => DESCRIPTOR(ts), size => INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
'ten_minutes',
'named arguments mean the same');

-- Flink insists on DATA as the first named argument.
SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(size => INTERVAL '10' MINUTE, data => e, timecol => DESCRIPTOR(ts))
	GROUP BY window_start, window_end, window_time
$$,
'ten_minutes',
'named arguments come in any order');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '3' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 07:53', timestamp '2024-05-06 08:03', timestamp '2024-05-06 08:02:59.999',
	 2, 30),
	('2024-05-06 08:03', '2024-05-06 08:13', '2024-05-06 08:12:59.999', 5, 20),
	('2024-05-06 08:13', '2024-05-06 08:23', '2024-05-06 08:22:59.999', 2, 15),
	('2024-05-06 08:23', '2024-05-06 08:33', '2024-05-06 08:32:59.999', 2, 10),
	('2024-05-06 08:43', '2024-05-06 08:53', '2024-05-06 08:52:59.999', 1, 11)
$$,
'an offset of 3 minutes moves all windows by 3 minutes');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, "offset" => INTERVAL '-3' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 07:57', timestamp '2024-05-06 08:07', timestamp '2024-05-06 08:06:59.999',
	 4, 42),
	('2024-05-06 08:07', '2024-05-06 08:17', '2024-05-06 08:16:59.999', 4, 14),
	('2024-05-06 08:17', '2024-05-06 08:27', '2024-05-06 08:26:59.999', 1, 9),
	('2024-05-06 08:27', '2024-05-06 08:37', '2024-05-06 08:36:59.999', 2, 10),
	('2024-05-06 08:47', '2024-05-06 08:57', '2024-05-06 08:56:59.999', 1, 11)
$$,
'a negative offset moves the windows back');

SELECT bag_eq(
$$
	SELECT window_start, window_end, count(*)
	FROM (SELECT k AS key1, v * 2 AS v2, ts AS t FROM events WHERE v > 4) AS big,
		TUMBLE(big, DESCRIPTOR(t), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 4),
	('2024-05-06 08:10', '2024-05-06 08:20', 1),
	('2024-05-06 08:20', '2024-05-06 08:30', 2),
	('2024-05-06 08:50', '2024-05-06 09:00', 1)
$$,
'a subquery is windowed by a column that it renamed');

SELECT is_empty(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM (SELECT * FROM events WHERE false) AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
'no rows make no windows');

CREATE TEMP TABLE lone (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO lone VALUES
	(1, 'a', 1, '2024-05-06 08:10');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM lone AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 08:10', timestamp '2024-05-06 08:20', timestamp '2024-05-06 08:19:59.999', 1, 1)
$$,
'a row on a boundary belongs to the window that starts there');

SELECT * FROM finish();
ROLLBACK;
