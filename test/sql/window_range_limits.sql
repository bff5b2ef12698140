-- Between which times the rows of windows are: first_row() and last_row() against the windows of
-- rows, over all changes of clocks of two zones and at the ends of time.
\i test/setup.psql
BEGIN;
SELECT no_plan();

-- The days on which a zone's offset from UTC changed, and times around each.
CREATE TEMP TABLE changes AS
SELECT zone, day
FROM unnest('{Europe/Berlin, Australia/Lord_Howe}'::text[]) AS zone,
	generate_series(timestamptz '1885-01-01', '2038-01-01', '1 day') AS day
WHERE (day AT TIME ZONE zone) - (day + interval '1 day') AT TIME ZONE zone <> interval '-1 day';
CREATE TEMP TABLE instants AS
SELECT DISTINCT zone, day, ts
FROM changes, LATERAL (
	SELECT generate_series(day - interval '20 hours', day + interval '44 hours', '40 min')
	UNION ALL
	SELECT generate_series(day, day + interval '1 day', '30 min') - interval '1 us'
) AS around(ts);

CREATE TEMP TABLE calls (kind int, step interval, size interval, shift interval, call text);
INSERT INTO calls
SELECT CASE kind WHEN 'HOP' THEN 1 ELSE 2 END, step, size, shift,
	format('%s(i, DESCRIPTOR(ts), %L, %L, %L)', kind, step, size, shift)
FROM (VALUES
	('HOP', interval '1 hour', interval '1 hour', interval '0'), ('HOP', '90 min', '90 min', '3 min'), ('HOP', '6 hours', '1 day', '0'),
	('HOP', '2 hours', '1 hour', '0'), ('CUMULATE', '6 hours', '1 day', '-5 hours'), ('CUMULATE', '20 min', '1 hour', '5 min')
) AS c(kind, step, size, shift);

-- Each limit, and the rows of the windows that start or end there or earlier: the latest of
-- them must not be after last_row().  Likewise for first_row().
CREATE TEMP TABLE limits (zone text, call text, by_end boolean, at timestamptz, first_row timestamptz, last_row timestamptz, least timestamptz, greatest timestamptz);
DO $$
DECLARE
	z text;
	c calls;
BEGIN
	FOR z IN SELECT DISTINCT zone FROM changes LOOP
		PERFORM set_config('timezone', z, true);
		FOR c IN SELECT * FROM calls LOOP
			EXECUTE format($q$
				INSERT INTO limits
				WITH cut AS MATERIALIZED (
					SELECT day, ts, window_start, window_end FROM instants AS i, %s WHERE zone = %L),
				bounds AS (
					SELECT day, false AS by_end, window_start AS at, ts FROM cut
					UNION ALL SELECT day, true, window_end, ts FROM cut
					UNION ALL SELECT DISTINCT day, e, ts, NULL::timestamptz FROM cut, unnest('{t, f}'::bool[]) AS e),
				ranked AS (
					SELECT by_end, at, min(ts) OVER (PARTITION BY day, by_end ORDER BY at DESC) AS least,
						max(ts) OVER (PARTITION BY day, by_end ORDER BY at) AS greatest, row_number() OVER (PARTITION BY day, by_end, at) AS n
					FROM bounds)
				SELECT %2$L, %1$L, by_end, at, watermark.first_row(at, 0, by_end, $1, $2, $3, $4),
					watermark.last_row(at, 0, by_end, $1, $2, $3, $4), least, greatest
				FROM ranked WHERE n = 1$q$, c.call, z) USING c.kind, c.step, c.size, c.shift;
		END LOOP;
	END LOOP;
END $$;
SET timezone = 'UTC';

SELECT cmp_ok((SELECT count(*) FROM changes WHERE changes.zone = z.zone), '>', n, z.zone || ' has many changes')
FROM (VALUES ('Europe/Berlin', 100::bigint), ('Australia/Lord_Howe', 100)) AS z(zone, n);
SELECT cmp_ok(count(*), '>', 500000::bigint, 'many limits are looked at') FROM limits;
SELECT is_empty('SELECT zone, call, by_end, at, first_row, least FROM limits WHERE first_row > least LIMIT 5', 'no row of a window is before first_row()');
SELECT is_empty('SELECT zone, call, by_end, at, last_row, greatest FROM limits WHERE last_row < greatest LIMIT 5', 'none is after last_row()');
SELECT is_empty($$SELECT * FROM limits WHERE last_row - at > interval '1 day 2 hours' OR at - first_row > interval '1 day 2 hours' LIMIT 5$$,
	'the limits are no further away than a window around a change');

-- On timestamp the limits are exact: the next window's rows are out.
SELECT is(watermark.first_row(at, shift, by_end, kind, step, size, '3 min'), first_row, format('first row of kind %s, by end %s, from %s', kind, by_end, at)),
	is(watermark.last_row(at, shift, by_end, kind, step, size, '3 min'), last_row, format('last row of kind %s, by end %s, to %s', kind, by_end, at))
FROM (VALUES
	(timestamp '2024-01-01 10:03', 0, false, 1, interval '1 hour', interval '1 hour', timestamp '2024-01-01 10:03', timestamp '2024-01-01 11:02:59.999999'),
	('2024-01-01 10:03', 1, false, 1, '1 hour', '1 hour', '2024-01-01 11:03', '2024-01-01 11:02:59.999999'),
	('2024-01-01 10:03', -1, false, 1, '1 hour', '1 hour', '2024-01-01 10:03', '2024-01-01 10:02:59.999999'),
	('2024-01-01 10:03', 0, true, 1, '1 hour', '3 hours', '2024-01-01 07:03', '2024-01-01 10:02:59.999999'),
	('2024-01-01 10:03', 0, true, 1, '2 hours', '1 hour', '2024-01-01 10:03', '2024-01-01 09:02:59.999999'),
	('1969-12-31 10:03', 0, true, 2, '1 hour', '1 day', '1969-12-31 00:03', '1969-12-31 10:02:59.999999'),
	('1969-12-31 00:03', 0, true, 2, '1 hour', '1 day', '1969-12-30 00:03', '1969-12-31 00:02:59.999999'),
	('infinity', -1, true, 1, '1 hour', '1 hour', 'infinity', 'infinity'),
	('-infinity', 1, false, 1, '1 hour', '1 hour', '-infinity', '-infinity'),
	('294276-12-31 23:59:59.999999', 1, false, 1, '1 hour', '1 hour', 'infinity', 'infinity'),
	('294276-12-31 23:30', 0, false, 1, '1 hour', '1 hour', '-infinity', 'infinity'),
	('4714-11-24 00:00 BC', -1, false, 1, '1 hour', '1 hour', '-infinity', '-infinity'),
	('4714-11-24 00:00 BC', 0, true, 1, '1 hour', '1 hour', '-infinity', 'infinity')
) AS c(at, shift, by_end, kind, step, size, first_row, last_row);

SELECT is(watermark.last_row(NULL::timestamptz, 0, false, 1, '1 hour', '1 hour', '0'), NULL, 'NULL has no limit');
SELECT is(watermark.last_row(timestamptz '294276-12-31 23:30+00', 0, false, 1, '1 hour', '1 hour', '0'), '294276-12-31 23:59:59.999999+00', 'the last hour there is');
SELECT is(watermark.first_row(timestamptz '4714-11-24 00:00+00 BC', 0, true, 2, '1 hour', '106751 days', '0'), '-infinity', 'windows of centuries begin before all times');
SELECT * FROM finish();
ROLLBACK;
