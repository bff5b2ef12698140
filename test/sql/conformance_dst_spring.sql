-- The day on which clocks are put forward, in New York on 2021-03-14 at 02:00.
-- Rows as Apache Flink 2.3 returns them, but for one thing: Flink names boundaries in the
-- skipped hour by readings that no clock showed; here they are the instant of the change,
-- which clocks show as 03:00.
\i test/setup.psql
BEGIN;
SELECT plan(6);

SET LOCAL timezone = 'America/New_York';
CREATE TEMP TABLE e (id integer, k text, v bigint, ts timestamptz(3));
INSERT INTO e VALUES
	(1, 'a', 1, '2021-03-14 04:30+00'), (2, 'b', 2, '2021-03-14 05:00+00'),
	(3, 'a', 3, '2021-03-14 06:30+00'), (4, 'b', 4, '2021-03-14 06:59:59.999+00'),
	(5, 'a', 5, '2021-03-14 07:00+00'), (6, 'b', 6, '2021-03-14 07:30+00'),
	(7, 'a', 7, '2021-03-14 08:15+00'), (8, 'b', 8, '2021-03-14 11:00+00'),
	(9, 'a', 9, '2021-03-15 03:59:59.999+00'), (10, 'b', 10, '2021-03-15 04:00+00'),
	(11, 'a', 11, '2021-03-15 12:00+00');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, count(*), sum(v)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-03-13 00:00', timestamp '2021-03-14 00:00', timestamp '2021-03-13 23:59:59.999', 1, 1),
	('2021-03-14 00:00', '2021-03-15 00:00', '2021-03-14 23:59:59.999', 8, 44),
	('2021-03-15 00:00', '2021-03-16 00:00', '2021-03-15 23:59:59.999', 2, 21)
$$,
'the day of 23 hours is one window');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, count(*), sum(v)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '6' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-03-13 18:00', timestamp '2021-03-14 00:00', timestamp '2021-03-13 23:59:59.999', 1, 1),
	('2021-03-14 00:00', '2021-03-14 06:00', '2021-03-14 05:59:59.999', 6, 27),
	('2021-03-14 06:00', '2021-03-14 12:00', '2021-03-14 11:59:59.999', 1, 8),
	('2021-03-14 18:00', '2021-03-15 00:00', '2021-03-14 23:59:59.999', 1, 9),
	('2021-03-15 00:00', '2021-03-15 06:00', '2021-03-15 05:59:59.999', 1, 10),
	('2021-03-15 06:00', '2021-03-15 12:00', '2021-03-15 11:59:59.999', 1, 11)
$$,
'six hours from midnight to 06:00 are one window that lasts five');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, count(*), sum(v)
	FROM e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '1' DAY)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-03-13 00:00', timestamp '2021-03-14 00:00', timestamp '2021-03-13 23:59:59.999', 1, 1),
	('2021-03-14 00:00', '2021-03-14 06:00', '2021-03-14 05:59:59.999', 6, 27),
	('2021-03-14 00:00', '2021-03-14 12:00', '2021-03-14 11:59:59.999', 7, 35),
	('2021-03-14 00:00', '2021-03-14 18:00', '2021-03-14 17:59:59.999', 7, 35),
	('2021-03-14 00:00', '2021-03-15 00:00', '2021-03-14 23:59:59.999', 8, 44),
	('2021-03-15 00:00', '2021-03-15 06:00', '2021-03-15 05:59:59.999', 1, 10),
	('2021-03-15 00:00', '2021-03-15 12:00', '2021-03-15 11:59:59.999', 2, 21),
	('2021-03-15 00:00', '2021-03-15 18:00', '2021-03-15 17:59:59.999', 2, 21),
	('2021-03-15 00:00', '2021-03-16 00:00', '2021-03-15 23:59:59.999', 2, 21)
$$,
'the day of 23 hours grows to 06:00, 12:00, 18:00 and midnight');

SELECT is(
	(
		SELECT max(window_end - window_start)
		FROM (VALUES (timestamptz '2021-03-14 12:00')) AS d(ts), TUMBLE(d, DESCRIPTOR(ts), INTERVAL '1' DAY)
	),
	interval '23 hours',
	'the day on which clocks are put forward lasts 23 hours');

-- Flink: the second window ends at 02:00.
SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp,
		count(*), sum(v)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-03-13 23:00', timestamp '2021-03-14 00:00', timestamp '2021-03-13 23:59:59.999', 1, 1),
	('2021-03-14 00:00', '2021-03-14 01:00', '2021-03-14 00:59:59.999', 1, 2),
	('2021-03-14 01:00', '2021-03-14 03:00', '2021-03-14 01:59:59.999', 2, 7),
	('2021-03-14 03:00', '2021-03-14 04:00', '2021-03-14 03:59:59.999', 2, 11),
	('2021-03-14 04:00', '2021-03-14 05:00', '2021-03-14 04:59:59.999', 1, 7),
	('2021-03-14 07:00', '2021-03-14 08:00', '2021-03-14 07:59:59.999', 1, 8),
	('2021-03-14 23:00', '2021-03-15 00:00', '2021-03-14 23:59:59.999', 1, 9),
	('2021-03-15 00:00', '2021-03-15 01:00', '2021-03-15 00:59:59.999', 1, 10),
	('2021-03-15 08:00', '2021-03-15 09:00', '2021-03-15 08:59:59.999', 1, 11)
$$,
'the hour before the change ends at the change, and there is no window in the skipped hour');

-- Flink: [23:00, 02:00), [00:00, 03:00) with window_time 03:59:59.999, and [02:00, 05:00).
SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp,
		count(*), sum(v)
	FROM e, HOP(e, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-03-13 21:00', timestamp '2021-03-14 00:00', timestamp '2021-03-13 23:59:59.999', 1, 1),
	('2021-03-13 22:00', '2021-03-14 01:00', '2021-03-14 00:59:59.999', 2, 3),
	('2021-03-13 23:00', '2021-03-14 03:00', '2021-03-14 01:59:59.999', 4, 10),
	('2021-03-14 00:00', '2021-03-14 03:00', '2021-03-14 01:59:59.999', 3, 9),
	('2021-03-14 01:00', '2021-03-14 04:00', '2021-03-14 03:59:59.999', 4, 18),
	('2021-03-14 03:00', '2021-03-14 05:00', '2021-03-14 04:59:59.999', 3, 18),
	('2021-03-14 03:00', '2021-03-14 06:00', '2021-03-14 05:59:59.999', 3, 18),
	('2021-03-14 04:00', '2021-03-14 07:00', '2021-03-14 06:59:59.999', 1, 7),
	('2021-03-14 05:00', '2021-03-14 08:00', '2021-03-14 07:59:59.999', 1, 8),
	('2021-03-14 06:00', '2021-03-14 09:00', '2021-03-14 08:59:59.999', 1, 8),
	('2021-03-14 07:00', '2021-03-14 10:00', '2021-03-14 09:59:59.999', 1, 8),
	('2021-03-14 21:00', '2021-03-15 00:00', '2021-03-14 23:59:59.999', 1, 9),
	('2021-03-14 22:00', '2021-03-15 01:00', '2021-03-15 00:59:59.999', 2, 19),
	('2021-03-14 23:00', '2021-03-15 02:00', '2021-03-15 01:59:59.999', 2, 19),
	('2021-03-15 00:00', '2021-03-15 03:00', '2021-03-15 02:59:59.999', 1, 10),
	('2021-03-15 06:00', '2021-03-15 09:00', '2021-03-15 08:59:59.999', 1, 11),
	('2021-03-15 07:00', '2021-03-15 10:00', '2021-03-15 09:59:59.999', 1, 11),
	('2021-03-15 08:00', '2021-03-15 11:00', '2021-03-15 10:59:59.999', 1, 11)
$$,
'windows with a boundary in the skipped hour have it at the change');

SELECT * FROM finish();
ROLLBACK;
