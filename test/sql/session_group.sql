\i test/setup.psql
-- Group windows in their normal form, which the loaded library makes.
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

CREATE TABLE ev (id int, k text, v int, ts timestamp(3), tz timestamptz(3));
INSERT INTO ev (id, k, v, ts) VALUES
	(1, 'a', 1, '2024-05-06 08:00:00'), (2, 'b', 2, '2024-05-06 08:02:00'),
	(3, 'a', 4, '2024-05-06 08:05:00'), (4, 'a', 8, '2024-05-06 08:09:59.999'),
	(5, 'b', 16, '2024-05-06 08:07:00.001'), (6, 'a', 32, '2024-05-06 08:15:00'),
	(7, 'b', 64, '2024-05-06 08:30:00'), (8, 'b', 128, NULL);
UPDATE ev SET tz = ts AT TIME ZONE 'UTC';

SELECT results_eq(
	format($$SELECT k, SESSION_START(%1$s, INTERVAL '5' MINUTE), SESSION_END(%1$s, INTERVAL '5' MINUTE),
		SESSION_ROWTIME(%1$s, INTERVAL '5' MINUTE), count(*), sum(v)
	FROM ev GROUP BY k, SESSION(%1$s, INTERVAL '5' MINUTE) ORDER BY 1, 2$$, col),
	format($$VALUES ('a', %1$s '2024-05-06 08:00', %1$s '2024-05-06 08:14:59.999', %1$s '2024-05-06 08:14:59.998', 3::bigint, 13::bigint),
		('a', '2024-05-06 08:15', '2024-05-06 08:20', '2024-05-06 08:19:59.999', 1, 32),
		('b', '2024-05-06 08:02', '2024-05-06 08:07', '2024-05-06 08:06:59.999', 1, 2),
		('b', '2024-05-06 08:07:00.001', '2024-05-06 08:12:00.001', '2024-05-06 08:12:00', 1, 16),
		('b', '2024-05-06 08:30', '2024-05-06 08:35', '2024-05-06 08:34:59.999', 1, 64)$$, type),
	'sessions by key on ' || type)
FROM (VALUES ('ts', 'timestamp'), ('tz', 'timestamptz')) AS c(col, type);

CREATE VIEW sessions AS SELECT k, SESSION_END(ts, INTERVAL '5' MINUTE) AS session_end, sum(v) AS total
FROM ev GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE);

SELECT results_eq(query, expected, label)
FROM (VALUES
	($$SELECT SESSION_START(ts, INTERVAL '5' MINUTE)::time, count(*) FROM ev GROUP BY SESSION(ts, INTERVAL '5' MINUTE) ORDER BY 1$$,
	 $$VALUES (time '08:00', 5::bigint), ('08:15', 1), ('08:30', 1)$$, 'no other key'),
	($$SELECT count(*) FROM ev GROUP BY SESSION(ts, INTERVAL '5' MINUTE) HAVING SESSION_END(ts, INTERVAL '5' MINUTE) > '2024-05-06 08:21'$$,
	 $$VALUES (1::bigint)$$, 'a part in HAVING alone'),
	($$SELECT upper(k), SESSION_START(ts, INTERVAL '5' MINUTE)::time, max(v + length(k)) FROM ev WHERE v < 64
		GROUP BY upper(k), SESSION(ts, INTERVAL '5' MINUTE) HAVING sum(v) > 10 ORDER BY 2$$,
	 $$VALUES ('A', time '08:00', 9), ('B', '08:07:00.001', 17), ('A', '08:15', 33)$$, 'a key that is an expression, a filter, HAVING'),
	($$SELECT e.k, n.x, SESSION_START(e.ts, INTERVAL '5' MINUTE)::time FROM ev AS e JOIN (VALUES ('a', 'Ann'), ('b', 'Bob')) AS n(k, x) ON n.k = e.k
		GROUP BY e.k, n.x, SESSION(e.ts, INTERVAL '5' MINUTE) ORDER BY 3 LIMIT 2$$,
	 $$VALUES ('a', 'Ann', time '08:00'), ('b', 'Bob', '08:02')$$, 'a join'),
	($$SELECT k, SESSION_START(ts, INTERVAL '5' MINUTE)::time FROM ev RIGHT JOIN (VALUES ('a'), ('z')) AS n(k) USING (k) GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE) ORDER BY 2$$,
	 $$VALUES ('a', time '08:00'), ('a', '08:15')$$, 'an outer join, its column as a key'),
	($$WITH e AS MATERIALIZED (SELECT * FROM ev), f AS (SELECT * FROM e)
		SELECT k, SESSION_START(ts, INTERVAL '5' MINUTE)::time, (SELECT count(*) FROM e AS i WHERE i.k = o.k AND EXISTS (SELECT FROM f WHERE f.id = i.id))
		FROM (SELECT * FROM f WHERE id IN (SELECT id FROM e WHERE v > 8)) AS o GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE) ORDER BY 2$$,
	 $$VALUES ('b', time '08:07:00.001', 4::bigint), ('a', '08:15', 4), ('b', '08:30', 4)$$, 'common table expressions on several levels'),
	($$SELECT x, n FROM generate_series(1, 3) AS x, LATERAL (SELECT count(*) AS n FROM
		(SELECT 1 FROM ev WHERE id > x GROUP BY SESSION(ts, x * INTERVAL '5' MINUTE)) AS s) AS t$$,
	 $$VALUES (1, 3::bigint), (2, 2), (3, 1)$$, 'a lateral subquery, its gap from outside'),
	($$SELECT k, s::time, r FROM (SELECT k, SESSION_START(ts, INTERVAL '5' MINUTE) AS s, rank() OVER (PARTITION BY k ORDER BY sum(v) DESC) AS r
		FROM ev GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE)) AS x WHERE r = 1 ORDER BY k$$,
	 $$VALUES ('a', time '08:15', 1::bigint), ('b', '08:30', 1)$$, 'a window function above'),
	($$SELECT DISTINCT ON (k) k, SESSION_START(ts, INTERVAL '5' MINUTE)::time FROM ev GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE) ORDER BY k, SESSION(ts, INTERVAL '5' MINUTE) DESC$$,
	 $$VALUES ('a', time '08:15'), ('b', '08:30')$$, 'DISTINCT ON, sorted by the window'),
	($$SELECT k FROM ev GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE) HAVING EXISTS (SELECT FROM ev AS i WHERE i.ts >= SESSION_END(ev.ts, INTERVAL '5' MINUTE) AND i.k = ev.k) ORDER BY 1$$,
	 $$VALUES ('a'), ('b'), ('b')$$, 'a part in a subquery of HAVING'),
	($$SELECT SESSION_END(ts, INTERVAL '5' MINUTE)::time FROM ev WHERE id = 1 GROUP BY SESSION(gap_interval => INTERVAL '5' MINUTE, time_attr => ts)$$,
	 $$VALUES (time '08:05')$$, 'named arguments of the key'),
	($$SELECT SESSION_START(ts, INTERVAL '1' DAY)::date FROM (SELECT ts FROM ev WHERE k = 'a') AS a FULL JOIN (SELECT ts FROM ev) AS b USING (ts) GROUP BY SESSION(ts, INTERVAL '1' DAY)$$,
	 $$VALUES (date '2024-05-06')$$, 'the merged column of a full join'),
	($$SELECT grouping(k), grouping(SESSION(ts, INTERVAL '1' DAY)), grouping(k, SESSION(ts, INTERVAL '1' DAY)) FROM ev WHERE id = 1 GROUP BY k, SESSION(ts, INTERVAL '1' DAY)$$,
	 $$VALUES (0, 0, 0)$$, 'GROUPING() of the keys'),
	($$SELECT k, total FROM sessions WHERE session_end::time = '08:20'$$, $$VALUES ('a', 32::bigint)$$, 'a view'),
	($$SELECT (w).window_start::time, n FROM (SELECT SESSION(ts, INTERVAL '5' MINUTE) AS w, count(*) AS n FROM ev GROUP BY w) AS s ORDER BY w DESC LIMIT 1$$,
	 $$VALUES (time '08:30', 1::bigint)$$, 'the session itself as a column'),
	($$SELECT (w).window_end::time, n FROM (SELECT HOP(ts, INTERVAL '10' MINUTE, INTERVAL '20' MINUTE) AS w, count(*) AS n FROM ev GROUP BY w) AS s ORDER BY w LIMIT 2$$,
	 $$VALUES (time '08:10', 5::bigint), ('08:20', 6)$$, 'the hopping window itself as a column'),
	($$SELECT k, HOP_END(ts, INTERVAL '10' MINUTE, INTERVAL '20' MINUTE)::time, count(*) FILTER (WHERE v > 1) FROM ev
		GROUP BY HOP(ts, INTERVAL '10' MINUTE, INTERVAL '20' MINUTE), k HAVING count(*) > 2 ORDER BY 1, 2$$,
	 $$VALUES ('a', time '08:10', 2::bigint), ('a', '08:20', 3)$$, 'HOP with a key, FILTER and HAVING'),
	($$SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE, INTERVAL '1' HOUR)::time, count(*) FROM ev
		GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE, INTERVAL '1' HOUR) ORDER BY 1$$,
	 $$VALUES (time '08:00', 5::bigint), ('08:10', 1), ('08:30', 1)$$, 'TUMBLE with a period and a lateness is TUMBLE'),
	($$SELECT TUMBLE_END(tz, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE, INTERVAL '0')::time, TUMBLE_ROWTIME(tz, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE, INTERVAL '0')::time
		FROM ev WHERE id = 1 GROUP BY TUMBLE(tz, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE, INTERVAL '0')$$,
	 $$VALUES (time '08:10', time '08:09:59.999')$$, 'its parts')
) AS c(query, expected, label);

-- Processing time: the clock when the result is computed
SELECT ok(age BETWEEN INTERVAL '-1 s' AND INTERVAL '1 min', label)
FROM (
	SELECT clock_timestamp() - TUMBLE_PROCTIME(ts, INTERVAL '1' DAY), 'TUMBLE_PROCTIME' FROM ev GROUP BY TUMBLE(ts, INTERVAL '1' DAY)
	UNION ALL SELECT clock_timestamp() - HOP_PROCTIME(ts, INTERVAL '1' DAY, INTERVAL '1' DAY), 'HOP_PROCTIME' FROM ev GROUP BY HOP(ts, INTERVAL '1' DAY, INTERVAL '1' DAY)
	UNION ALL SELECT clock_timestamp() - SESSION_PROCTIME(ts, INTERVAL '1' DAY), 'SESSION_PROCTIME' FROM ev GROUP BY SESSION(ts, INTERVAL '1' DAY)
) AS c(age, label);

-- Views keep their text, and rights
SELECT matches(pg_get_viewdef('sessions'), 'session_end\((ev.)?ts.*GROUP BY (ev.)?k, \(session\((ev.)?ts', 'a view keeps its text');
CREATE ROLE aw_reader;
SET LOCAL ROLE aw_reader;
SELECT throws_ok('SELECT count(*) FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', '42501', 'permission denied for table ev',
				 'the rights on a table stay with it');
RESET ROLE;
GRANT SELECT (ts) ON ev TO aw_reader;
SET LOCAL ROLE aw_reader;
SELECT lives_ok('SELECT count(*) FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', 'rights on the columns that are read are enough');
SELECT throws_ok('SELECT max(v) FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', '42501', 'permission denied for table ev', 'no other column can be read');
RESET ROLE;
ALTER TABLE ev ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON ev USING (k = 'a' AND EXISTS (SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user));
SET LOCAL ROLE aw_reader;
SELECT results_eq('SELECT count(*) FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', 'VALUES (4::bigint)', 'row security acts below the session');
RESET ROLE;

-- Errors
CREATE FUNCTION inlined() RETURNS TABLE (n bigint) LANGUAGE sql STABLE AS $$SELECT count(*) FROM ev GROUP BY SESSION(ts, INTERVAL '1 h')$$;
SELECT throws_ok(sql, sqlstate, message, message)
FROM (VALUES
	('SELECT SESSION_START(ts, INTERVAL ''1 h'') FROM ev', '42803', 'session_start needs SESSION in GROUP BY'),
	('SELECT SESSION_END(ts, INTERVAL ''2 h'') FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', '42803', 'arguments of session_end differ from those of SESSION in GROUP BY'),
	('SELECT SESSION_START(ts, INTERVAL ''1 h'') FILTER (WHERE v > 1) FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', '42803', 'session_start cannot have DISTINCT, ORDER BY or FILTER'),
	('SELECT HOP_START(ts, INTERVAL ''1 h'', INTERVAL ''1 h'') FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h'')', '42803', 'hop_start needs HOP in GROUP BY'),
	('SELECT SESSION(ts, INTERVAL ''1 h'') FROM ev', '42803', 'SESSION must be a key of GROUP BY'),
	('SELECT SESSION_START(ts, INTERVAL ''1 h'') OVER () FROM ev', '42803', 'a part of a group window cannot be a window function'),
	('SELECT 1 FROM ev GROUP BY GROUPING SETS ((SESSION(ts, INTERVAL ''1 h'')), ())', '0A000', 'SESSION cannot be used with GROUPING SETS, CUBE or ROLLUP'),
	('SELECT 1 FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h''), HOP(ts, INTERVAL ''1 h'', INTERVAL ''1 h'')', '0A000', 'GROUP BY cannot have several of HOP and SESSION, nor SESSION beside TUMBLE'),
	('SELECT 2 FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h''), TUMBLE(ts, INTERVAL ''1 h'')', '0A000', 'GROUP BY cannot have several of HOP and SESSION, nor SESSION beside TUMBLE'),
	('SELECT generate_series(1, 2) FROM ev GROUP BY SESSION(ts, INTERVAL ''1 h''), generate_series(1, 2)', '0A000', 'SESSION in GROUP BY cannot be used beside a key that returns a set'),
	('SELECT 1 FROM ev GROUP BY SESSION(ts, random() * INTERVAL ''1 h'')', '42P10', 'session gap must not depend on the row'),
	('SELECT n FROM inlined()', '0A000', 'SESSION in GROUP BY cannot be used in an SQL function that is inlined'),
	('SELECT 1 FROM ev GROUP BY SESSION(v, INTERVAL ''1 h'')', '42804', 'column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is integer)'),
	('SELECT 1 FROM ev GROUP BY SESSION(ts::date, INTERVAL ''1 h'')', '42804', 'time attribute must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('SELECT 1 FROM ev GROUP BY SESSION(ts, INTERVAL ''0'')', '22023', 'window gap must be positive'),
	('SELECT 1 FROM ev GROUP BY SESSION(ts, NULL)', '22004', 'window gap must not be null'),
	('SELECT 1 FROM ev GROUP BY SESSION(ts, v * INTERVAL ''1 h'')', '42P10', 'session gap must not depend on the row'),
	('SELECT 1 FROM ev GROUP BY TUMBLE(ts, INTERVAL ''1 h'', INTERVAL ''-1 h'', INTERVAL ''0'')', '22023', 'window period must not be negative'),
	('SELECT 1 FROM ev GROUP BY TUMBLE(ts, INTERVAL ''1 h'', INTERVAL ''1 h'', NULL)', '22004', 'window lateness must not be null'),
	('SELECT TUMBLE_START(ts, INTERVAL ''1 h'') FROM ev GROUP BY TUMBLE(ts, INTERVAL ''1 h'', INTERVAL ''1 h'', INTERVAL ''0'')', '42803',
	 'arguments of tumble_start differ from those of TUMBLE in GROUP BY')
) AS c(sql, sqlstate, message);


-- Expressions, and types that others give to them
CREATE TABLE raw (id int, at text, d date);
INSERT INTO raw VALUES (1, '2024-05-06 08:01', '2024-05-06'), (2, 'bogus', NULL), (3, NULL, NULL), (4, '2024-05-06 08:02', NULL);
CREATE TABLE good (id int);
INSERT INTO good VALUES (1), (3), (4);
ANALYZE raw, good;
CREATE VIEW dated AS SELECT id, at::timestamp AS ts FROM raw WHERE id = 1 UNION ALL SELECT id, d FROM raw;
SELECT results_eq(query, expected, label)
FROM (VALUES
	($$SELECT DISTINCT (SELECT string_agg(n::text, ' ') FROM (SELECT count(*) AS n FROM ev GROUP BY o.k, SESSION(ts, INTERVAL '5' MINUTE) ORDER BY SESSION_START(ts, INTERVAL '5' MINUTE)) AS s)
		FROM ev AS o$$,
	 $$VALUES ('5 1 1')$$, 'a key from outside that stands where a column of the input does'),
	($$SELECT id, (SELECT count(*) FROM ev WHERE id > 6 GROUP BY SESSION(o.ts, INTERVAL '5' MINUTE)) FROM ev AS o WHERE id < 3 ORDER BY 1$$,
	 $$VALUES (1, 2::bigint), (2, 2)$$, 'a time from outside'),
	($$SELECT SESSION_START(r.at::timestamp, INTERVAL '5' MINUTE)::time, count(*) FROM raw AS r JOIN good USING (id) GROUP BY SESSION(r.at::timestamp, INTERVAL '5' MINUTE)$$,
	 $$VALUES (time '08:01', 2::bigint)$$, 'a time is computed of the rows that are grouped, no others'),
	($$SELECT SESSION_START(ts, INTERVAL '5' MINUTE), count(*) FROM dated GROUP BY SESSION(ts, INTERVAL '5' MINUTE) ORDER BY 1$$,
	 $$VALUES (timestamp '2024-05-06 00:00', 1::bigint), ('2024-05-06 08:01', 1)$$, 'a date that a view makes a timestamp')
) AS c(query, expected, label);

SELECT * FROM finish();
ROLLBACK;
