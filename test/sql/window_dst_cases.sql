-- Windows of timestamptz around changes of clocks: cases that users of such systems reported.
\i test/setup.psql
BEGIN;
SELECT plan(14);

SET LOCAL timezone = 'America/New_York';

CREATE TEMP TABLE half_hours AS
SELECT generate_series(timestamptz '2024-11-03 04:30+00', '2024-11-03 07:30+00', '30 min') AS ts;

SELECT results_eq(
$$
	SELECT window_start AT TIME ZONE 'UTC', to_char(window_start, 'HH24:MI'), count(*)
	FROM half_hours AS h, TUMBLE(h, DESCRIPTOR(ts), INTERVAL '1' HOUR)
	GROUP BY window_start, window_end ORDER BY window_start
$$,
$$ VALUES
	(timestamp '2024-11-03 04:00', '00:00', 1::bigint), ('2024-11-03 05:00', '01:00', 2),
	('2024-11-03 06:00', '01:00', 2), ('2024-11-03 07:00', '02:00', 2) $$,
'hourly windows go on through the repeated hour, and show its name twice');

-- Whole windows are repeated also where they do not start on the change.

SELECT results_eq(
$$
	SELECT window_start AT TIME ZONE 'UTC', window_end - window_start
	FROM half_hours AS h, TUMBLE(h, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '15' MINUTE)
	WHERE ts < '2024-11-03 07:00+00'
	GROUP BY window_start, window_end ORDER BY window_start
$$,
$$ VALUES
	(timestamp '2024-11-03 04:15', interval '1 hour'), ('2024-11-03 05:15', '1 hour'),
	('2024-11-03 06:15', '1 hour') $$,
'hours from quarter past to quarter past keep their length where an hour is repeated');

SELECT is(
	(SELECT max(window_end - window_start)
	 FROM half_hours AS h, TUMBLE(h, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '3' MINUTE)),
	interval '10 min',
	'windows of 10 minutes keep their length where six of them are repeated');

SELECT results_eq(
$$
	SELECT window_start, window_end
	FROM (VALUES (timestamptz '2024-11-03 05:59:59.999999+00'), ('2024-11-03 06:30+00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '2' HOUR)
$$,
$$ VALUES
	(timestamptz '2024-11-03 00:00-04', timestamptz '2024-11-03 02:00-05'),
	('2024-11-03 00:00-04', '2024-11-03 02:00-05') $$,
'two hours from midnight last three where the clock shows one of them twice');

-- Ends in the skipped hour all fall on the change.

SELECT results_eq(
$$
	SELECT window_start, window_end, count(*)
	FROM (VALUES (timestamptz '2024-03-10 01:30-05')) AS e(ts),
		CUMULATE(e, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '4' HOUR)
	GROUP BY window_start, window_end ORDER BY window_end
$$,
$$ VALUES
	(timestamptz '2024-03-10 00:00-05', timestamptz '2024-03-10 03:00-04', 1::bigint),
	('2024-03-10 00:00-05', '2024-03-10 03:30-04', 1), ('2024-03-10 00:00-05', '2024-03-10 04:00-04', 1) $$,
'steps that end in the skipped hour are one window, which counts its row once');

SET LOCAL timezone = 'Europe/Berlin';

SELECT results_eq(
$$
	SELECT window_start, count(*)
	FROM (
		SELECT generate_series(d, d + INTERVAL '49 hours', '1 hour') AS ts
		FROM unnest('{2025-03-28 23:00+00, 2025-10-24 22:00+00}'::timestamptz[]) AS d
	) AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY)
	GROUP BY window_start, window_end ORDER BY window_start
$$,
$$ VALUES
	(timestamptz '2025-03-28 23:00+00', 24::bigint), ('2025-03-29 23:00+00', 23), ('2025-03-30 22:00+00', 3),
	('2025-10-24 22:00+00', 24), ('2025-10-25 22:00+00', 25), ('2025-10-26 23:00+00', 1) $$,
'days have 23 rows in spring and 25 in autumn where a row comes each hour');

SET LOCAL timezone = 'America/Sao_Paulo';

SELECT results_eq(
$$
	SELECT window_start, window_end
	FROM (VALUES (timestamptz '2018-11-04 02:59:59+00'), ('2018-11-04 03:00+00'), ('2018-02-18 02:30+00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY)
$$,
$$ VALUES
	(timestamptz '2018-11-03 03:00+00', timestamptz '2018-11-04 03:00+00'),
	('2018-11-04 03:00+00', '2018-11-05 02:00+00'), ('2018-02-17 02:00+00', '2018-02-18 03:00+00') $$,
'a day without midnight starts at 01:00, and a day ends at its second midnight');

SET LOCAL timezone = 'Asia/Kolkata';

SELECT results_eq(
$$
	SELECT window_start
	FROM (VALUES (timestamptz '2024-05-01 00:10+00'), ('2024-05-01 00:40+00'), ('2024-05-01 01:40+00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)
$$,
$$ VALUES (timestamptz '2024-04-30 23:30+00'), ('2024-05-01 00:30+00'), ('2024-05-01 01:30+00') $$,
'where UTC is half an hour off, no row is lost and hours start on the clock');

PREPARE days AS
SELECT count(DISTINCT window_start)
FROM (VALUES (timestamptz '2024-05-01 15:59:59.999999+00'), ('2024-05-01 16:00+00')) AS e(ts),
	TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY);

SET LOCAL timezone = 'Asia/Shanghai';
SELECT results_eq('days', 'VALUES (2::bigint)', 'the day of Shanghai ends at 16:00 UTC');
SET LOCAL timezone = 'UTC';
SELECT results_eq('days', 'VALUES (1::bigint)', 'the same prepared statement follows the zone when it changes');

SET LOCAL timezone = 'Asia/Amman';

-- Midnight of 26 March, and with it 00:15, was skipped: the day starts at the change, 22:00 UTC.
SELECT results_eq(
$$
	SELECT window_start, window_end
	FROM (VALUES
		(timestamptz '2021-03-25 21:15+00'), ('2021-03-25 21:59:59.999999+00'), ('2021-03-25 22:00+00'),
		('2021-03-25 22:15+00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '15' MINUTE)
$$,
$$ VALUES
	(timestamptz '2021-03-24 22:15+00', timestamptz '2021-03-25 22:00+00'),
	('2021-03-24 22:15+00', '2021-03-25 22:00+00'), ('2021-03-25 22:00+00', '2021-03-26 21:15+00'),
	('2021-03-25 22:00+00', '2021-03-26 21:15+00') $$,
'days from 00:15 to 00:15 meet at the change that skipped it');

SET LOCAL timezone = 'Pacific/Apia';

SELECT results_eq(
$$
	SELECT window_start, window_end
	FROM (VALUES (timestamptz '2011-12-30 09:59:59+00'), ('2011-12-30 10:00+00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY)
$$,
$$ VALUES
	(timestamptz '2011-12-29 00:00-10', timestamptz '2011-12-31 00:00+14'),
	('2011-12-31 00:00+14', '2012-01-01 00:00+14') $$,
'a day that was skipped is no window');

SET LOCAL timezone = 'Australia/Lord_Howe';

SELECT results_eq(
$$
	SELECT window_start, window_end
	FROM (VALUES (timestamptz '2024-04-06 14:45+00'), ('2024-04-06 15:15+00')) AS e(ts),
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '30' MINUTE)
$$,
$$ VALUES
	(timestamptz '2024-04-07 01:30+11', timestamptz '2024-04-07 01:30+10:30'),
	('2024-04-07 01:30+10:30', '2024-04-07 02:00+10:30') $$,
'half an hour put back repeats one window of half an hour');

SELECT is(
	(SELECT window_end - window_start
	 FROM (VALUES (timestamptz '2024-04-06 15:15+00')) AS e(ts), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)),
	interval '90 min',
	'half an hour put back makes one hour last 90 minutes');

SELECT * FROM finish();
ROLLBACK;
