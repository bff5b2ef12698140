-- Windows of timestamptz around changes of clocks: what must hold in every zone.
\i test/setup.psql
BEGIN;
SELECT no_plan();

-- The instants of some changes: by an hour and by half an hour, at two o'clock, at midnight and
-- one minute after it, so that midnight is missing or passed twice, and a whole day skipped.
CREATE TEMP TABLE changes (zone text, changed_at timestamptz);
INSERT INTO changes VALUES
	('UTC', '2024-03-10 07:00+00'), ('Asia/Kolkata', '2024-05-01 00:00+00'),
	('America/New_York', '2024-03-10 07:00+00'), ('America/New_York', '2024-11-03 06:00+00'),
	('Europe/Berlin', '2025-03-30 01:00+00'), ('Europe/Berlin', '2025-10-26 01:00+00'),
	('Australia/Lord_Howe', '2024-04-06 15:00+00'), ('Australia/Lord_Howe', '2024-10-05 15:30+00'),
	('America/Sao_Paulo', '2018-02-18 02:00+00'), ('America/Sao_Paulo', '2018-11-04 03:00+00'),
	('Asia/Amman', '2021-03-25 22:00+00'), ('Asia/Amman', '2021-10-28 22:00+00'),
	('America/St_Johns', '2010-03-14 03:31+00'), ('America/St_Johns', '2010-11-07 02:31+00'),
	('Pacific/Apia', '2011-12-30 10:00+00');

CREATE TEMP TABLE instants AS
SELECT zone, changed_at, ts
FROM changes, LATERAL (
	SELECT generate_series(changed_at - INTERVAL '50 hours', changed_at + INTERVAL '50 hours', '5 min')
	UNION
	SELECT generate_series(changed_at - INTERVAL '95 min', changed_at + INTERVAL '95 min', '1 min')
	UNION
	SELECT changed_at + d FROM unnest('{-1 us, 1 us, 59 min 59.999999 s}'::interval[]) AS d
) AS around(ts);

CREATE TEMP TABLE calls (kind text, step interval, size interval, shift interval, call text);
INSERT INTO calls
SELECT 'TUMBLE', size, size, shift,
	format('TUMBLE(i, DESCRIPTOR(ts), interval %L, interval %L)', size, shift)
FROM unnest('{10 min, 1 hour, 90 min, 2 hours, 6 hours, 1 day, 7 days}'::interval[]) AS size,
	unnest('{0, 3 min, -5 hours}'::interval[]) AS shift
WHERE -shift < size;
INSERT INTO calls
SELECT kind, step, size, shift,
	format('%s(i, DESCRIPTOR(ts), interval %L, interval %L, interval %L)', kind, step, size, shift)
FROM (VALUES
	('HOP', interval '1 hour', interval '1 hour', interval '0'), ('HOP', '1 day', '1 day', '0'),
	('HOP', '90 min', '90 min', '3 min'), ('HOP', '1 hour', '3 hours', '0'), ('HOP', '6 hours', '1 day', '0'),
	('HOP', '20 min', '1 hour', '5 min'), ('HOP', '40 min', '100 min', '0'), ('HOP', '2 hours', '1 hour', '0'),
	('CUMULATE', '6 hours', '1 day', '0'), ('CUMULATE', '20 min', '1 hour', '5 min'),
	('CUMULATE', '1 hour', '6 hours', '-5 hours'), ('CUMULATE', '90 min', '90 min', '3 min')
) AS c(kind, step, size, shift);

CREATE TEMP TABLE cut (
	zone text, changed_at timestamptz, kind text, step interval, size interval, shift interval, call text,
	ts timestamptz, window_start timestamptz, window_end timestamptz);

-- Cuts the instants of each zone by each call, under that zone.
DO $$
DECLARE
	z text;
	c calls;
BEGIN
	FOR z IN SELECT DISTINCT zone FROM changes
	LOOP
		PERFORM set_config('timezone', z, true);
		FOR c IN SELECT * FROM calls
		LOOP
			EXECUTE format(
				'INSERT INTO cut SELECT zone, changed_at, ($1).*, ts, window_start, window_end '
				'FROM (SELECT * FROM instants WHERE zone = %L) AS i, %s', z, c.call)
				USING c;
		END LOOP;
	END LOOP;
	PERFORM set_config('timezone', 'UTC', true);
END
$$;

CREATE TEMP TABLE windows AS
SELECT DISTINCT zone, changed_at, kind, size, shift, call, window_start, window_end
FROM cut;
ANALYZE cut, windows, instants;

CREATE TEMP TABLE zones AS SELECT DISTINCT zone FROM changes;

SELECT is_empty(
	format('SELECT * FROM cut WHERE zone = %L AND NOT (window_start <= ts AND ts < window_end)', zone),
	zone || ': every row lies in its windows')
FROM zones ORDER BY zone;

SELECT is_empty(
	format(
		'SELECT * FROM ('
		'	SELECT *, lead(window_start) OVER ('
		'		PARTITION BY changed_at, call ORDER BY window_start, window_end) AS next_start'
		'	FROM windows WHERE zone = %L AND kind = ''TUMBLE'') AS w '
		'WHERE next_start <> window_end', zone),
	zone || ': tumbling windows follow each other without gap or overlap')
FROM zones ORDER BY zone;

SELECT is_empty(
	format(
		'SELECT * FROM windows '
		'WHERE zone = %L AND kind <> ''CUMULATE'' '
		'	AND extract(epoch FROM window_end - window_start) <> extract(epoch FROM size) '
		'	AND changed_at NOT BETWEEN window_start AND window_end', zone),
	zone || ': windows that do not touch a change last as long as they are called')
FROM zones ORDER BY zone;

SELECT is_empty(
	format(
		'SELECT zone, call, ts FROM cut WHERE zone = %L AND kind = ''TUMBLE'' '
		'GROUP BY zone, changed_at, call, ts HAVING count(*) <> 1', zone),
	zone || ': a row is in one tumbling window')
FROM zones ORDER BY zone;

-- The windows of one call, told by its rows, hold all rows within them and no others.
SELECT is_empty(
	format(
		'(SELECT call, ts, window_start, window_end FROM cut WHERE zone = %1$L AND kind <> ''TUMBLE'' '
		' EXCEPT '
		' SELECT call, ts, window_start, window_end FROM windows JOIN instants USING (zone, changed_at) '
		' WHERE zone = %1$L AND kind <> ''TUMBLE'' AND ts >= window_start AND ts < window_end) '
		'UNION ALL '
		'(SELECT call, ts, window_start, window_end FROM windows JOIN instants USING (zone, changed_at) '
		' WHERE zone = %1$L AND kind <> ''TUMBLE'' AND ts >= window_start AND ts < window_end '
		' EXCEPT '
		' SELECT call, ts, window_start, window_end FROM cut WHERE zone = %1$L AND kind <> ''TUMBLE'')', zone),
	zone || ': hopping and cumulating windows hold the rows within them, and only those')
FROM zones ORDER BY zone;

SELECT is_empty(
	format(
		'SELECT call, ts, window_start, window_end FROM cut WHERE zone = %L AND kind = ''HOP'' '
		'GROUP BY changed_at, call, ts, window_start, window_end HAVING count(*) > 1', zone),
	zone || ': no row comes twice in one hopping window')
FROM zones ORDER BY zone;

SELECT is_empty(
	format(
		'SELECT ts, size, shift, window_start, window_end FROM cut '
		'WHERE zone = %1$L AND kind <> ''TUMBLE'' AND step = size '
		'EXCEPT '
		'SELECT ts, size, shift, window_start, window_end FROM cut WHERE zone = %1$L AND kind = ''TUMBLE''', zone),
	zone || ': a slide or step as long as the size gives the windows of TUMBLE')
FROM zones ORDER BY zone;

-- date_trunc() does not cut time into hours and days at every change: in Lord Howe its hours
-- overlap, in St. John's it puts rows into an hour or day before, or after them, and it starts a day
-- at its second midnight.  Compared are the hours and days all of whose rows it keeps in order.
CREATE TEMP TABLE truncated AS
SELECT zone, unit, ts, window_start, start, bool_and(is_sound) OVER (PARTITION BY zone, unit, start) AS is_sound
FROM (
	SELECT *,
		start <= ts AND start = date_trunc(unit, start, zone)
			AND start AT TIME ZONE zone >= date_trunc(unit, ts AT TIME ZONE zone)
			AND start = max(start) OVER (PARTITION BY zone, changed_at, unit ORDER BY ts)
			AND start = min(start) OVER (PARTITION BY zone, changed_at, unit ORDER BY ts DESC) AS is_sound
	FROM cut
		JOIN (VALUES ('hour', interval '1 hour'), ('day', '1 day')) AS u(unit, size) USING (size),
		date_trunc(unit, ts, zone) AS start
	WHERE kind = 'TUMBLE' AND shift = '0') AS t;

SELECT is(
	count(*) FILTER (WHERE window_start <> start), 0::bigint,
	zone || ': hours and days start where date_trunc() puts them')
FROM truncated
WHERE is_sound AND zone <> 'America/St_Johns'
GROUP BY zone ORDER BY zone;

-- An hour put back at 00:01 repeats an hour that does not start on the change.
SELECT is(
	count(*) FILTER (WHERE window_start <> start), 0::bigint,
	zone || ': hours and days start where date_trunc() puts them')
FROM truncated
WHERE is_sound AND zone = 'America/St_Johns'
GROUP BY zone;

SELECT bag_eq(
	'SELECT DISTINCT zone, unit FROM truncated WHERE NOT is_sound',
	$$ VALUES
		('Australia/Lord_Howe', 'hour'), ('America/St_Johns', 'hour'), ('America/St_Johns', 'day'),
		('Asia/Amman', 'day') $$,
	'in all other zones every hour and day is compared');

-- Ends in a skipped hour all fall on the change: one window, not one for each step.
SELECT is(
	(SELECT count(*) FROM (
		SELECT FROM cut WHERE kind = 'CUMULATE'
		GROUP BY zone, changed_at, call, ts, window_start, window_end HAVING count(*) > 1) AS repeated),
	0::bigint,
	'no row comes twice in one cumulating window');

SELECT * FROM finish();
ROLLBACK;
