-- NULL in the time column, with the rows that batch Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(7);

CREATE TEMP TABLE events (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO events VALUES
	(1, 'a', 1, '2024-05-06 08:01'), (2, 'a', 2, NULL), (3, 'b', 4, '2024-05-06 08:02'),
	(4, 'b', 8, NULL), (5, 'b', 16, '2024-05-06 08:12');

SELECT bag_eq(
$$
	SELECT id, ts, window_start, window_end, window_time
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(1, timestamp '2024-05-06 08:01', timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10',
	 timestamp '2024-05-06 08:09:59.999'),
	(3, '2024-05-06 08:02', '2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999'),
	(5, '2024-05-06 08:12', '2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999')
$$,
'TUMBLE drops rows without a time');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 07:55', timestamp '2024-05-06 08:05', timestamp '2024-05-06 08:04:59.999', 2, 5),
	('2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999', 2, 5),
	('2024-05-06 08:05', '2024-05-06 08:15', '2024-05-06 08:14:59.999', 1, 16),
	('2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 1, 16)
$$,
'HOP drops rows without a time');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM events AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:02', timestamp '2024-05-06 08:01:59.999', 1, 1),
	('2024-05-06 08:00', '2024-05-06 08:04', '2024-05-06 08:03:59.999', 2, 5),
	('2024-05-06 08:00', '2024-05-06 08:06', '2024-05-06 08:05:59.999', 2, 5),
	('2024-05-06 08:00', '2024-05-06 08:08', '2024-05-06 08:07:59.999', 2, 5),
	('2024-05-06 08:00', '2024-05-06 08:10', '2024-05-06 08:09:59.999', 2, 5),
	('2024-05-06 08:10', '2024-05-06 08:14', '2024-05-06 08:13:59.999', 1, 16),
	('2024-05-06 08:10', '2024-05-06 08:16', '2024-05-06 08:15:59.999', 1, 16),
	('2024-05-06 08:10', '2024-05-06 08:18', '2024-05-06 08:17:59.999', 1, 16),
	('2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 1, 16)
$$,
'CUMULATE drops rows without a time');

SELECT bag_eq(
$$
	SELECT id, window_start
	FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '3' MINUTE)
	WHERE id <> 3
$$,
$$ VALUES (1, timestamp '2024-05-06 07:53'), (5, '2024-05-06 08:03') $$,
'TUMBLE with an offset, and below a WHERE, drops rows without a time');

SELECT bag_eq(
$$
	SELECT id, window_start
	FROM (SELECT id, ts::timestamptz AS ts FROM events) AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
$$,
$$ VALUES
	(1, timestamptz '2024-05-06 08:00+00'), (3, '2024-05-06 08:00+00'), (5, '2024-05-06 08:10+00') $$,
'TUMBLE of timestamptz drops rows without a time');

SELECT is_empty(
$$
	SELECT id, window_start
	FROM (SELECT * FROM events WHERE ts IS NULL) AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
$$,
'a table of rows without a time has no windows');

-- As LEFT JOIN LATERAL says; Flink has no such form.
SELECT bag_eq(
$$
	SELECT id, window_start
	FROM events AS e LEFT JOIN TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE) ON true
$$,
$$ VALUES
	(1, timestamp '2024-05-06 08:00'), (2, NULL), (3, '2024-05-06 08:00'), (4, NULL),
	(5, '2024-05-06 08:10') $$,
'LEFT JOIN keeps rows without a time, with no window');

SELECT * FROM finish();
ROLLBACK;
