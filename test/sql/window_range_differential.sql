-- Queries with a condition on a window column, and the same with "(condition) IS TRUE", which
-- nothing is derived from: the rows must be the same.
\i test/setup.psql
BEGIN;
SELECT no_plan();
SELECT setseed(0.25);

-- Rows around changes of clocks and around the epoch, on boundaries and a microsecond beside
-- them, at infinity and without a time.
CREATE TEMP TABLE rows (id serial, k int, ts timestamp, tz timestamptz);
INSERT INTO rows (k, ts)
SELECT i % 3, day + (random() * 40)::int * interval '30 min' + (array['0', '1 us', '-1 us', '59.999 s'])[1 + i % 4]::interval
FROM generate_series(1, 150) AS i,
	unnest('{1969-12-31, 2010-11-06, 2024-03-10, 2024-04-06, 2024-10-05, 2024-11-02}'::timestamp[]) AS day;
INSERT INTO rows (k, ts) VALUES (1, NULL), (1, 'infinity'), (1, '-infinity');
UPDATE rows SET tz = ts AT TIME ZONE 'UTC';
CREATE INDEX ON rows (ts);
CREATE INDEX ON rows (tz);
ANALYZE rows;

CREATE TEMP TABLE windows (name text, call text, args text);
INSERT INTO windows
SELECT kind, format('%s(r, DESCRIPTOR(%%s), %s)', kind, args),
	CASE WHEN kind <> 'CUMULATE' AND args NOT LIKE '%"offset"%' THEN '%s, ' || regexp_replace(args, '(''[^'']*'')', 'interval \1', 'g') END
FROM (VALUES
	('TUMBLE', '''10 min'''), ('TUMBLE', '''1 hour'''), ('TUMBLE', '''90 min'''), ('TUMBLE', '''1 day'''), ('TUMBLE', '''7 days'''),
	('TUMBLE', '''1 hour'', "offset" => ''-10 min'''), ('TUMBLE', '''1 day'', "offset" => ''5 hours'''), ('TUMBLE', '''1.007 s'''),
	('HOP', '''30 min'', ''1 hour'''), ('HOP', '''1 hour'', ''90 min'''), ('HOP', '''6 hours'', ''1 day'''), ('HOP', '''2 hours'', ''1 hour'''),
	('HOP', '''40 min'', ''100 min'', "offset" => ''7 min'''), ('HOP', '''1 day'', ''1 day'''),
	('CUMULATE', '''1 hour'', ''6 hours'''), ('CUMULATE', '''6 hours'', ''1 day'''), ('CUMULATE', '''20 min'', ''1 hour'', "offset" => ''-15 min''')
) AS c(kind, args);

-- The forms: %1$s is the condition, %1$s the call, %2$s and %5$s name and arguments of the group
-- window, %5$s the rowtime.
CREATE TEMP TABLE forms (form text, has_group boolean);
INSERT INTO forms VALUES
	('SELECT id, w.* FROM rows AS r, %2$s AS w WHERE %1$s', false),
	('SELECT id, w.* FROM rows AS r LEFT JOIN LATERAL %2$s AS w ON %1$s', false),
	('SELECT id, w.* FROM rows AS r LEFT JOIN LATERAL %2$s AS w ON r.k > 0 WHERE %1$s', false),
	('SELECT b.n, w.* FROM (rows AS r CROSS JOIN LATERAL %2$s AS w) LEFT JOIN (SELECT id AS n FROM rows) AS b ON n = r.id AND %1$s', false),
	('SELECT b.n, w.* FROM (SELECT id AS n FROM rows) AS b RIGHT JOIN (rows AS r CROSS JOIN LATERAL %2$s AS w) ON n = r.id AND %1$s', false),
	('SELECT a.id, b.* FROM rows AS a FULL JOIN (SELECT id, w.* FROM rows AS r, %2$s AS w) AS b ON a.id = b.id AND %1$s', false),
	('SELECT window_start, window_end, k, count(*), min(%5$s) FROM rows AS r, %2$s AS w GROUP BY window_start, window_end, window_time, k HAVING %1$s', false),
	('SELECT * FROM (SELECT DISTINCT w.*, k FROM rows AS r, %2$s AS w) AS s WHERE %1$s', false),
	('SELECT * FROM (SELECT w.*, id, row_number() OVER (PARTITION BY window_start, window_end, window_time ORDER BY id) AS n FROM rows AS r, %2$s AS w) AS s WHERE n < 5 AND %1$s', false),
	('SELECT * FROM (SELECT w.*, id, row_number() OVER (ORDER BY id, window_end) AS n FROM rows AS r, %2$s AS w) AS s WHERE %1$s', false),
	('SELECT * FROM (SELECT w.*, id FROM rows AS r, %2$s AS w ORDER BY id, window_end LIMIT 99) AS s WHERE %1$s', false),
	('SELECT * FROM (SELECT w.* FROM rows AS r, %2$s AS w EXCEPT SELECT w.* FROM rows AS r, %2$s AS w WHERE k = 1) AS s WHERE %1$s', false),
	('SELECT s.* FROM (SELECT window_start, window_end, window_time, k, GROUPING(window_start) FROM rows AS r, %2$s AS w GROUP BY CUBE (window_start, window_end, window_time, k)) AS s WHERE %1$s', false),
	('WITH c AS (SELECT w.*, k FROM rows AS r, %2$s AS w) SELECT k, count(*) FROM c WHERE %1$s GROUP BY k', false),
	('SELECT v.*, id FROM (SELECT id, w.* FROM rows AS r, %2$s AS w) AS u, TUMBLE(u, DESCRIPTOR(window_time), ''1 day'') AS v WHERE v.window_end IS NOT NULL AND %1$s', false),
	('SELECT * FROM (SELECT %3$s_START(%4$s) AS window_start, %3$s_END(%4$s) AS window_end, %3$s_ROWTIME(%4$s) AS window_time, k, count(*) FROM rows GROUP BY %3$s(%4$s), k) AS s WHERE %1$s', true);

CREATE FUNCTION pg_temp.rows_of(query text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) || '' '' || coalesce(sum(hashtext(q::text)::bigint), 0) FROM (%s) AS q', query) INTO result;
	RETURN result;
END $$;

-- Runs random queries in a time zone, and returns those whose rows differ.
CREATE FUNCTION pg_temp.differences(zone text, n_queries int) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	q record;
	part text;
	condition text;
BEGIN
	PERFORM set_config('timezone', zone, true);
	FOR q IN
		SELECT form, format(w.call, rowtime) AS call, name, format(w.args, rowtime) AS args, rowtime,
			(array['<', '<=', '=', '>=', '>'])[1 + floor(random() * 5)::int] AS op
		FROM generate_series(1, n_queries) AS i,
			LATERAL (SELECT CASE WHEN random() < 0.6 AND i > 0 THEN 'tz' ELSE 'ts' END) AS t(rowtime),
			LATERAL (SELECT * FROM windows WHERE i > 0 ORDER BY random() LIMIT 1) AS w,
			LATERAL (SELECT * FROM forms WHERE i > 0 AND (w.args IS NOT NULL OR NOT has_group) ORDER BY random() LIMIT 1) AS f
	LOOP
		-- A bound of some window, or close to one
		part := (array['window_start', 'window_end', 'window_time'])[1 + floor(random() * 3)::int];
		EXECUTE format('SELECT quote_literal(%s + (array[''0'', ''0'', ''1 us'', ''-1 us'', ''17 min''])[1 + floor(random() * 5)::int]::interval)
			FROM rows AS r, %s AS w ORDER BY random() LIMIT 1', part, q.call) INTO condition;
		condition := format('%s %s %s', CASE WHEN q.form LIKE '%AS v WHERE v.%' THEN 'v.' ELSE '' END || part, q.op, condition);
		IF pg_temp.rows_of(format(q.form, condition, q.call, q.name, q.args, q.rowtime)) <>
			pg_temp.rows_of(format(q.form, '(' || condition || ') IS TRUE', q.call, q.name, q.args, q.rowtime)) THEN
			RETURN NEXT format(q.form, condition, q.call, q.name, q.args, q.rowtime);
		END IF;
	END LOOP;
END $$;

SELECT is_empty(format('SELECT * FROM pg_temp.differences(%L, 250)', zone), 'a derived range changes no rows in ' || zone)
FROM unnest('{UTC, America/New_York, Australia/Lord_Howe}'::text[]) AS zone;
SET timezone = 'UTC';

-- At the ends of time, with windows that just fit
DELETE FROM windows WHERE call ~ 'TUMBLE|day|6 h';
DELETE FROM forms WHERE form LIKE '%TUMBLE%';
TRUNCATE rows;
INSERT INTO rows (k, ts, tz)
SELECT i % 3, t, t AT TIME ZONE 'UTC'
FROM generate_series(1, 20) AS i, unnest('{4714-11-24 02:00 BC, 294276-12-31 21:00, infinity, -infinity}'::timestamp[]) AS e(t0),
	LATERAL (SELECT t0 + i * interval '3 min') AS s(t);
SELECT is_empty($$SELECT * FROM pg_temp.differences('UTC', 200)$$, 'nor at the ends of time');

SELECT * FROM finish();
ROLLBACK;
