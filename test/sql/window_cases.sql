-- Windows of timestamp: cases that users of such systems reported.
\i test/setup.psql
BEGIN;
SELECT plan(12);

-- Months are not 30 days.
SELECT throws_ok(
$$
	SELECT window_start
	FROM (VALUES (timestamp '2024-02-29 23:59:59'), ('2024-03-01')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MONTH)
$$,
'22023', 'window size must not contain months or years',
'a month is no size of TUMBLE');

SELECT throws_ok(
$$
	SELECT window_start
	FROM (VALUES (timestamp '2024-02-29')) AS e(ts),
		CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '1' MONTH)
$$,
'22023', 'window size must not contain months or years',
'a month is no size of CUMULATE');

-- Offsets that differ by the size are the same, in either direction.
SELECT results_eq(
$$
	SELECT p.window_start, m.window_start
	FROM (VALUES (timestamp '2024-05-06 05:59:59'), ('2024-05-06 06:00'), ('1969-12-31 05:00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '6' HOUR) AS p,
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '-18' HOUR) AS m
$$,
$$ VALUES
	(timestamp '2024-05-05 06:00', timestamp '2024-05-05 06:00'), ('2024-05-06 06:00', '2024-05-06 06:00'),
	('1969-12-30 06:00', '1969-12-30 06:00') $$,
'an offset of 6 hours is an offset of -18 hours');

SELECT throws_ok(
$$
	SELECT window_start
	FROM (VALUES (timestamp '2024-05-06')) AS e(ts), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '30' HOUR)
$$,
'22023', 'window offset must be shorter than the window size',
'an offset of 30 hours is refused where a day is the size');

SELECT throws_ok(
$$
	SELECT window_start
	FROM (VALUES (timestamp '2024-05-06')) AS e(ts), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, NULL)
$$,
'22004', 'window offset must not be null',
'an offset of NULL is an error');

-- Before 1970.
SELECT results_eq(
$$
	SELECT window_start
	FROM (VALUES (timestamp '1969-12-31 23:59:58'), ('1969-12-31 23:59:55')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '5' SECOND)
$$,
$$ VALUES (timestamp '1969-12-31 23:59:55'), ('1969-12-31 23:59:55') $$,
'before 1970 TUMBLE starts at or before the row');

SELECT bag_eq(
$$
	SELECT ts, window_start
	FROM (VALUES (timestamp '1969-12-31 23:59:58'), ('1969-12-31 23:59:55')) AS e(ts),
		HOP(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)
$$,
$$ VALUES
	(timestamp '1969-12-31 23:59:58', timestamp '1969-12-31 23:59:50'),
	('1969-12-31 23:59:58', '1969-12-31 23:59:55'),
	('1969-12-31 23:59:55', '1969-12-31 23:59:50'), ('1969-12-31 23:59:55', '1969-12-31 23:59:55') $$,
'before 1970 HOP gives all windows around the row');

SELECT bag_eq(
$$
	SELECT window_start, window_end
	FROM (VALUES (timestamp '1969-12-31 23:59:55')) AS e(ts),
		CUMULATE(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND)
$$,
$$ VALUES (timestamp '1969-12-31 23:59:50', timestamp '1970-01-01') $$,
'before 1970 CUMULATE leaves out the window that ends at the row');

-- A size that is no multiple of the slide.
SELECT bag_eq(
$$
	SELECT extract(second FROM ts)::int, window_start, window_end
	FROM (VALUES (timestamp '1970-01-01 00:00:10'), ('1970-01-01 00:00:13')) AS e(ts),
		HOP(e, DESCRIPTOR(ts), INTERVAL '3' SECOND, INTERVAL '10' SECOND)
$$,
$$ VALUES
	(10, timestamp '1970-01-01 00:00:03', timestamp '1970-01-01 00:00:13'),
	(10, '1970-01-01 00:00:06', '1970-01-01 00:00:16'), (10, '1970-01-01 00:00:09', '1970-01-01 00:00:19'),
	(13, '1970-01-01 00:00:06', '1970-01-01 00:00:16'), (13, '1970-01-01 00:00:09', '1970-01-01 00:00:19'),
	(13, '1970-01-01 00:00:12', '1970-01-01 00:00:22') $$,
'HOP with three and a third slides to the size puts each row into the windows around it');

-- The steps of CUMULATE, also those in which no row is added.
CREATE TEMP TABLE bids (v integer, ts timestamp);
INSERT INTO bids VALUES
	(4, '2024-05-06 08:01'), (2, '2024-05-06 08:03'), (5, '2024-05-06 08:06'), (1, '2024-05-06 08:12');

SELECT results_eq(
$$
	SELECT to_char(window_end, 'HH24:MI'), sum(v)
	FROM bids AS b, CUMULATE(b, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end ORDER BY window_end
$$,
$$ VALUES
	('08:02', 4::bigint), ('08:04', 6), ('08:06', 6), ('08:08', 11), ('08:10', 11),
	('08:14', 1), ('08:16', 1), ('08:18', 1), ('08:20', 1) $$,
'sums are repeated in steps without rows, and start anew with the size');

SELECT results_eq(
$$
	SELECT min(window_end)
	FROM bids AS b, CUMULATE(b, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '10' MINUTE)
	WHERE ts = '2024-05-06 08:06'
$$,
$$ VALUES (timestamp '2024-05-06 08:08') $$,
'a row on the end of a step counts first in the next step');

SELECT throws_ok(
	$$ SELECT * FROM bids AS b, CUMULATE(b, DESCRIPTOR(ts), INTERVAL '3' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window size is not a multiple of its step',
	'a step must divide the size');

SELECT * FROM finish();
ROLLBACK;
