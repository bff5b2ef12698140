\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

-- HOP and CUMULATE of timestamptz in slices: windows are those of the wall clock, also
-- where it is changed.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;

-- In each zone a row each half an hour around changes of clocks, one on each boundary and
-- a microsecond beside it.
CREATE TABLE moments AS
SELECT at + i * INTERVAL '30 min' + beside AS tz, i % 3 AS k, i AS v
FROM unnest('{2024-03-31 01:00Z, 2024-10-27 01:00Z, 2024-04-06 15:00Z, 2024-10-05 15:30Z, 1970-01-01 00:00Z}'::timestamptz[]) AS at,
	generate_series(-80, 80) AS i,
	unnest('{0, 1 us, -1 us}'::interval[]) AS beside
UNION ALL SELECT unnest('{infinity, -infinity, NULL}'::timestamptz[]), 1, 1;
ANALYZE moments;

CREATE TABLE calls AS
SELECT zone, call
FROM unnest('{UTC, Europe/Berlin, Asia/Kolkata, Australia/Lord_Howe, America/St_Johns, Etc/GMT+7}'::text[]) AS zone,
	unnest(ARRAY[
		$$HOP(m, DESCRIPTOR(tz), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)$$,
		$$HOP(m, DESCRIPTOR(tz), INTERVAL '1' HOUR, INTERVAL '3' HOUR)$$,
		$$HOP(m, DESCRIPTOR(tz), INTERVAL '7' MINUTE, INTERVAL '1' HOUR)$$,
		$$HOP(m, DESCRIPTOR(tz), INTERVAL '1' HOUR, INTERVAL '20' MINUTE)$$,
		$$HOP(m, DESCRIPTOR(tz), INTERVAL '6' HOUR, INTERVAL '1' DAY, INTERVAL '7' MINUTE)$$,
		$$CUMULATE(m, DESCRIPTOR(tz), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)$$,
		$$CUMULATE(m, DESCRIPTOR(tz), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$,
		$$CUMULATE(m, DESCRIPTOR(tz), INTERVAL '30' MINUTE, INTERVAL '90' MINUTE, INTERVAL '-10' MINUTE)$$]) AS call;

-- Compares in a zone.
CREATE FUNCTION compare_in(zone text, query text, OUT differences bigint, OUT is_used boolean)
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('timezone', zone, true);
	SELECT c.differences, c.is_used INTO differences, is_used FROM compare(query) AS c;
END;
$$;

CREATE TABLE result AS
SELECT zone, call, (compare_in(zone, format('SELECT window_start, window_end, window_time, %1$s%2$s FROM moments AS m, %3$s GROUP BY window_start, window_end, window_time%4$s',
	CASE WHEN has_key THEN 'k, ' ELSE '' END, aggregates, call, CASE WHEN has_key THEN ', k' ELSE '' END))).*
FROM calls, (VALUES ('count(*), sum(v)', true), ('max(v)', false)) AS a(aggregates, has_key);

SELECT is((SELECT string_agg(call, ', ') FROM result AS r WHERE r.zone = z.zone AND differences > 0), NULL,
	'windows in ' || zone || ' have the rows of the plan without the node')
FROM (SELECT DISTINCT zone FROM calls) AS z ORDER BY zone;
SELECT cmp_ok((SELECT count(*) FROM result WHERE is_used), '>=', 60::bigint, 'the node takes most of these queries');

-- Where an hour is skipped, windows share a start, or an end: both must be keys.
SELECT is((result).is_used, is_used, format('%s grouped by %s %s the node', kind, keys, CASE WHEN is_used THEN 'takes' ELSE 'does without' END))
FROM (VALUES ('HOP', 'window_start', false), ('HOP', 'window_end', false), ('HOP', 'window_start, window_end', true),
	('HOP', 'window_time, window_start', true), ('CUMULATE', 'window_end', true), ('CUMULATE', 'window_start', false)) AS c(kind, keys, is_used),
	LATERAL (SELECT compare_in('Europe/Berlin', format('SELECT %1$s, count(*) FROM moments AS m, %2$s(m, DESCRIPTOR(tz), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY %1$s', keys, kind)) AS result) AS r;

-- A plan outlives the zone.
PREPARE days AS
SELECT string_agg(to_char(window_start AT TIME ZONE 'UTC', 'MM-DD HH24:MI') || ' ' || n, ', ' ORDER BY window_start, window_end)
FROM (SELECT window_start, window_end, count(*) AS n FROM moments AS m, HOP(m, DESCRIPTOR(tz), INTERVAL '1' DAY, INTERVAL '2' DAY)
	WHERE tz BETWEEN '2024-10-26 12:00Z' AND '2024-10-27 22:30Z' GROUP BY 1, 2) AS d;
SET plan_cache_mode = force_generic_plan;
SET timezone = 'Europe/Berlin';
CREATE TABLE berlin AS EXECUTE days;
SET timezone = 'Asia/Kolkata';
CREATE TABLE kolkata AS EXECUTE days;
SET timezone = 'UTC';
SELECT isnt((SELECT string_agg FROM berlin), (SELECT string_agg FROM kolkata), 'a generic plan cuts days of the zone that is set');
SELECT is((SELECT string_agg FROM berlin), '10-24 22:00 60, 10-25 22:00 208, 10-26 22:00 148', 'a day of 25 hours has its rows');

SELECT * FROM finish();
ROLLBACK;
