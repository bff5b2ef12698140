-- The day on which clocks are put back, in New York on 2021-11-07 at 02:00 to 01:00.
-- Rows as Apache Flink 2.3 returns them, but for one thing: where a window is no longer
-- than what is repeated, Flink makes one window of both passings of the hour; here each
-- passing has its windows.
\i test/setup.psql
BEGIN;
SELECT plan(8);

SET LOCAL timezone = 'America/New_York';
CREATE TEMP TABLE e (id integer, k text, v bigint, ts timestamptz(3));
INSERT INTO e VALUES
	(1, 'a', 1, '2021-11-07 03:59:59.999+00'), (2, 'b', 2, '2021-11-07 04:00+00'),
	(3, 'a', 3, '2021-11-07 05:15+00'), (4, 'b', 4, '2021-11-07 05:59:59.999+00'),
	(5, 'a', 5, '2021-11-07 06:00+00'), (6, 'b', 6, '2021-11-07 06:15+00'),
	(7, 'a', 7, '2021-11-07 06:59:59.999+00'), (8, 'b', 8, '2021-11-07 07:00+00'),
	(9, 'a', 9, '2021-11-07 12:00+00'), (10, 'b', 10, '2021-11-08 04:59:59.999+00'),
	(11, 'a', 11, '2021-11-08 05:00+00');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, count(*), sum(v)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-11-06 00:00', timestamp '2021-11-07 00:00', timestamp '2021-11-06 23:59:59.999', 1, 1),
	('2021-11-07 00:00', '2021-11-08 00:00', '2021-11-07 23:59:59.999', 9, 54),
	('2021-11-08 00:00', '2021-11-09 00:00', '2021-11-08 23:59:59.999', 1, 11)
$$,
'the day of 25 hours is one window');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, count(*), sum(v)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '6' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-11-06 18:00', timestamp '2021-11-07 00:00', timestamp '2021-11-06 23:59:59.999', 1, 1),
	('2021-11-07 00:00', '2021-11-07 06:00', '2021-11-07 05:59:59.999', 7, 35),
	('2021-11-07 06:00', '2021-11-07 12:00', '2021-11-07 11:59:59.999', 1, 9),
	('2021-11-07 18:00', '2021-11-08 00:00', '2021-11-07 23:59:59.999', 1, 10),
	('2021-11-08 00:00', '2021-11-08 06:00', '2021-11-08 05:59:59.999', 1, 11)
$$,
'six hours from midnight to 06:00 are one window that lasts seven');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, count(*), sum(v)
	FROM e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '1' DAY)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-11-06 00:00', timestamp '2021-11-07 00:00', timestamp '2021-11-06 23:59:59.999', 1, 1),
	('2021-11-07 00:00', '2021-11-07 06:00', '2021-11-07 05:59:59.999', 7, 35),
	('2021-11-07 00:00', '2021-11-07 12:00', '2021-11-07 11:59:59.999', 8, 44),
	('2021-11-07 00:00', '2021-11-07 18:00', '2021-11-07 17:59:59.999', 8, 44),
	('2021-11-07 00:00', '2021-11-08 00:00', '2021-11-07 23:59:59.999', 9, 54),
	('2021-11-08 00:00', '2021-11-08 06:00', '2021-11-08 05:59:59.999', 1, 11),
	('2021-11-08 00:00', '2021-11-08 12:00', '2021-11-08 11:59:59.999', 1, 11),
	('2021-11-08 00:00', '2021-11-08 18:00', '2021-11-08 17:59:59.999', 1, 11),
	('2021-11-08 00:00', '2021-11-09 00:00', '2021-11-08 23:59:59.999', 1, 11)
$$,
'the day of 25 hours grows to 06:00, 12:00, 18:00 and midnight');

SELECT is(
	(
		SELECT max(window_end - window_start)
		FROM (VALUES (timestamptz '2021-11-07 12:00')) AS d(ts), TUMBLE(d, DESCRIPTOR(ts), INTERVAL '1' DAY)
	),
	interval '25 hours',
	'the day on which clocks are put back lasts 25 hours');

-- Flink: one window [01:00, 02:00) with 5 rows.
SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)
	WHERE ts < timestamptz '2021-11-07 08:00+00'
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamptz '2021-11-06 23:00-04', timestamptz '2021-11-07 00:00-04',
	 timestamptz '2021-11-06 23:59:59.999-04', 1),
	('2021-11-07 00:00-04', '2021-11-07 01:00-04', '2021-11-07 00:59:59.999-04', 1),
	('2021-11-07 01:00-04', '2021-11-07 01:00-05', '2021-11-07 01:59:59.999-04', 2),
	('2021-11-07 01:00-05', '2021-11-07 02:00-05', '2021-11-07 01:59:59.999-05', 3),
	('2021-11-07 02:00-05', '2021-11-07 03:00-05', '2021-11-07 02:59:59.999-05', 1) $$,
'the repeated hour is two windows of an hour');

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '1' HOUR), TUMBLE_END(ts, INTERVAL '1' HOUR),
		TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR), count(*)
	FROM e
	GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)
$$,
$$
	SELECT window_start, window_end, window_time, count(*)
	FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
'the group window TUMBLE makes the same two windows of the repeated hour');

-- Flink: [23:00, 02:00) with 7 rows, [00:00, 03:00) with 7 and [01:00, 04:00) with 6.
SELECT bag_eq(
$$
	SELECT window_start, window_end, count(*), sum(v)
	FROM e, HOP(e, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR)
	WHERE ts < timestamptz '2021-11-07 08:00+00'
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamptz '2021-11-06 21:00-04', timestamptz '2021-11-07 00:00-04', 1, 1),
	('2021-11-06 22:00-04', '2021-11-07 01:00-04', 2, 3),
	('2021-11-06 23:00-04', '2021-11-07 01:00-05', 4, 10),
	('2021-11-07 00:00-04', '2021-11-07 02:00-05', 6, 27),
	('2021-11-07 01:00-04', '2021-11-07 03:00-05', 6, 33),
	('2021-11-07 01:00-05', '2021-11-07 04:00-05', 4, 26),
	('2021-11-07 02:00-05', '2021-11-07 05:00-05', 1, 8) $$,
'windows over the change keep their length of three hours, and each passing of the hour starts one');

CREATE TEMP TABLE wall (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO wall VALUES
	(1, 'a', 1, '2021-11-07 03:59:59.999'), (2, 'b', 2, '2021-11-07 04:00'),
	(3, 'a', 3, '2021-11-07 05:15'), (4, 'b', 4, '2021-11-07 05:59:59.999'),
	(5, 'a', 5, '2021-11-07 06:00'), (6, 'b', 6, '2021-11-07 06:15'),
	(7, 'a', 7, '2021-11-07 06:59:59.999'), (8, 'b', 8, '2021-11-07 07:00'),
	(9, 'a', 9, '2021-11-07 12:00'), (10, 'b', 10, '2021-11-08 04:59:59.999'),
	(11, 'a', 11, '2021-11-08 05:00');

SELECT bag_eq(
$$
	SELECT window_start, window_end, window_time, count(*), sum(v)
	FROM wall, TUMBLE(wall, DESCRIPTOR(ts), INTERVAL '1' HOUR)
	GROUP BY window_start, window_end, window_time
$$,
$$ VALUES
	(timestamp '2021-11-07 03:00', timestamp '2021-11-07 04:00', timestamp '2021-11-07 03:59:59.999', 1, 1),
	('2021-11-07 04:00', '2021-11-07 05:00', '2021-11-07 04:59:59.999', 1, 2),
	('2021-11-07 05:00', '2021-11-07 06:00', '2021-11-07 05:59:59.999', 2, 7),
	('2021-11-07 06:00', '2021-11-07 07:00', '2021-11-07 06:59:59.999', 3, 18),
	('2021-11-07 07:00', '2021-11-07 08:00', '2021-11-07 07:59:59.999', 1, 8),
	('2021-11-07 12:00', '2021-11-07 13:00', '2021-11-07 12:59:59.999', 1, 9),
	('2021-11-08 04:00', '2021-11-08 05:00', '2021-11-08 04:59:59.999', 1, 10),
	('2021-11-08 05:00', '2021-11-08 06:00', '2021-11-08 05:59:59.999', 1, 11)
$$,
'windows of timestamp do not know of the change of clocks');

SELECT * FROM finish();
ROLLBACK;
