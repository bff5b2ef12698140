\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

CREATE TABLE bid (item text, price numeric(10, 2), ts timestamp(3), tz timestamptz(3), n bigint);
INSERT INTO bid (item, price, ts)
VALUES ('A', 1.1, '2021-04-15 14:01:00'), ('B', 1.2, '2021-04-15 14:02:00'), ('A', 1.8, '2021-04-15 14:03:00'),
	('B', 2.5, '2021-04-15 14:04:00'), ('C', 3.8, '2021-04-15 14:05:00'), ('C', 3.8, '2021-04-15 14:11:00'),
	('D', 9.9, NULL);
UPDATE bid SET tz = ts AT TIME ZONE 'UTC';

-- TUMBLE
SELECT results_eq(
	format($$SELECT TUMBLE_START(%1$s, INTERVAL '10' MINUTE), TUMBLE_END(%1$s, INTERVAL '10' MINUTE),
		TUMBLE_ROWTIME(%1$s, INTERVAL '10' MINUTE), item, MAX(price)
	FROM bid GROUP BY TUMBLE(%1$s, INTERVAL '10' MINUTE), item ORDER BY 1, item$$, col),
	format($$VALUES (%1$s '2021-04-15 14:00:00', %1$s '2021-04-15 14:10:00', %1$s '2021-04-15 14:09:59.999', 'A', 1.8),
		('2021-04-15 14:00:00', '2021-04-15 14:10:00', '2021-04-15 14:09:59.999', 'B', 2.5),
		('2021-04-15 14:00:00', '2021-04-15 14:10:00', '2021-04-15 14:09:59.999', 'C', 3.8),
		('2021-04-15 14:10:00', '2021-04-15 14:20:00', '2021-04-15 14:19:59.999', 'C', 3.8)$$, type),
	'TUMBLE with its parts on ' || type)
FROM (VALUES ('ts', 'timestamp'), ('tz', 'timestamptz')) AS c(col, type);

-- HOP
SELECT results_eq(
	format($$SELECT HOP_START(%1$s, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE), HOP_END(%1$s, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE),
		HOP_ROWTIME(%1$s, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE), count(*)
	FROM bid GROUP BY HOP(%1$s, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) ORDER BY 1$$, col),
	format($$VALUES (%1$s '2021-04-15 13:55:00', %1$s '2021-04-15 14:05:00', %1$s '2021-04-15 14:04:59.999', 4::bigint),
		('2021-04-15 14:00:00', '2021-04-15 14:10:00', '2021-04-15 14:09:59.999', 5),
		('2021-04-15 14:05:00', '2021-04-15 14:15:00', '2021-04-15 14:14:59.999', 2),
		('2021-04-15 14:10:00', '2021-04-15 14:20:00', '2021-04-15 14:19:59.999', 1)$$, type),
	'HOP with its parts on ' || type)
FROM (VALUES ('ts', 'timestamp'), ('tz', 'timestamptz')) AS c(col, type);

-- Every plan of an aggregate gives the same windows.
CREATE FUNCTION pg_temp.hops() RETURNS SETOF record LANGUAGE sql AS $$
	SELECT HOP_START(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE), item, count(*)
	FROM bid GROUP BY item, HOP(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
$$;
CREATE TEMP TABLE hashed AS SELECT * FROM pg_temp.hops() AS h(s timestamp, item text, n bigint);
SET LOCAL enable_hashagg = off;
SELECT bag_eq('SELECT * FROM pg_temp.hops() AS h(s timestamp, item text, n bigint)', 'TABLE hashed', 'HOP by sorting');
RESET enable_hashagg;

-- Around the window: filters, joins, HAVING, window functions, subqueries
SELECT results_eq(query, expected, label)
FROM (VALUES
	($$SELECT item, TUMBLE_START(ts, INTERVAL '1' HOUR)::time FROM bid WHERE price > 2 GROUP BY TUMBLE(ts, INTERVAL '1' HOUR), item HAVING count(*) > 1$$,
	 $$VALUES ('C', time '14:00')$$, 'HAVING'),
	($$SELECT count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' HOUR) HAVING TUMBLE_END(ts, INTERVAL '1' HOUR) = '2021-04-15 15:00'$$,
	 $$VALUES (6::bigint)$$, 'a part in HAVING alone'),
	($$SELECT TUMBLE_START(b.ts, INTERVAL '10' MINUTE)::time, sum(a.x) FROM bid AS b JOIN (VALUES ('A', 10), ('C', 30)) AS a(item, x) USING (item)
		GROUP BY TUMBLE(b.ts, INTERVAL '10' MINUTE) ORDER BY 1$$,
	 $$VALUES (time '14:00', 50::bigint), ('14:10', 30)$$, 'a join'),
	($$SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE)::time, count(*) FROM bid RIGHT JOIN (VALUES ('A'), ('Z')) AS a(item) USING (item)
		GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE) ORDER BY 1$$,
	 $$VALUES (time '14:00', 2::bigint)$$, 'an outer join: rows without a time are in no window'),
	($$SELECT item, e::time FROM (SELECT item, HOP_END(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) AS e,
			row_number() OVER (PARTITION BY HOP_END(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) ORDER BY count(*) DESC, item) AS r
		FROM bid GROUP BY item, HOP(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) AS s WHERE r = 1 ORDER BY e$$,
	 $$VALUES ('A', time '14:05'), ('A', '14:10'), ('C', '14:15'), ('C', '14:20')$$, 'a window function above'),
	($$SELECT count(*) FROM bid GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR)$$, $$VALUES (6::bigint)$$, 'no part at all'),
	($$SELECT count(*) FROM bid GROUP BY TUMBLE(ts + (random() * 0) * INTERVAL '1 s', INTERVAL '1' HOUR)$$, $$VALUES (6::bigint)$$,
	 'a volatile time is NULL or not like others'),
	($$SELECT DISTINCT TUMBLE_START((SELECT ts), INTERVAL '1' HOUR)::time FROM bid GROUP BY TUMBLE((SELECT ts), INTERVAL '1' HOUR)$$,
	 $$VALUES (time '14:00')$$, 'a time that is a subquery'),
	($$SELECT (SELECT HOP_END(b.ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR))::time FROM bid AS b GROUP BY HOP(b.ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR)$$,
	 $$VALUES (time '15:00')$$, 'a part in a subquery'),
	($$SELECT HOP_END(ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR)::time, u, count(*) FROM bid, unnest(ARRAY[1, 2]) AS u GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR), u ORDER BY 2$$,
	 $$VALUES (time '15:00', 1, 6::bigint), ('15:00', 2, 6)$$, 'a function in FROM'),
	($$SELECT w::time, count(*) FROM (SELECT TUMBLE(ts, INTERVAL '1' HOUR) AS w FROM bid WHERE price > 0) AS s WHERE w > '2021-01-01' GROUP BY w$$,
	 $$VALUES (time '14:00', 6::bigint)$$, 'a window that is computed in a subquery'),
	($$SELECT count(*) FROM bid WHERE TUMBLE(ts, INTERVAL '1' HOUR) > '2021-01-01' GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)$$,
	 $$VALUES (6::bigint)$$, 'a window in WHERE and in GROUP BY'),
	($$SELECT max(ts - TUMBLE(ts, INTERVAL '1' HOUR)) FROM bid WHERE price < 9 GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)$$,
	 $$VALUES (INTERVAL '11 min')$$, 'a window in an aggregate'),
	($$SELECT TUMBLE_START(ts, INTERVAL '1' MINUTE)::time, count(*) FROM (VALUES (timestamp '2024-01-01 00:00:30')) AS v(ts) GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)$$,
	 $$VALUES (time '00:00', 1::bigint)$$, 'a time that is a constant'),
	($$SELECT EXISTS (SELECT 1 FROM bid WHERE ts IS NULL GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)), count(*) FROM (VALUES (NULL::timestamp)) AS v(ts), generate_series(1, 0)$$,
	 $$VALUES (false, 0::bigint)$$, 'rows without a time are no group of EXISTS'),
	($$SELECT count(*) FROM (SELECT FROM (VALUES (NULL::timestamp)) AS v(ts) GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE)) AS s$$,
	 $$VALUES (0::bigint)$$, 'nor is a constant NULL'),
	($$SELECT count(*) FROM bid GROUP BY TUMBLE(CASE WHEN random() < 2 THEN NULL ELSE ts END, INTERVAL '1' HOUR)$$,
	 $$SELECT 1::bigint WHERE false$$, 'a volatile NULL'),
	($$SELECT HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '30 min' * 2)::time, count(*) FROM bid GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '1 h')$$,
	 $$VALUES (time '14:00', 6::bigint)$$, 'arguments that come to the same'),
	($$SELECT HOP_END(ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR)::time FROM bid GROUP BY HOP(window_interval => INTERVAL '1' HOUR, slide_interval => INTERVAL '1' HOUR, time_attr => ts)$$,
	 $$VALUES (time '15:00')$$, 'named arguments of the key'),
	($$SELECT HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR)::time FROM (SELECT ts FROM bid) AS a FULL JOIN (SELECT ts FROM bid WHERE item = 'A') AS b USING (ts) GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '1' HOUR)$$,
	 $$VALUES (time '14:00')$$, 'the merged column of a full join'),
	($$SELECT count(*), sum(n) FROM (SELECT count(*) AS n FROM bid GROUP BY HOP(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR), generate_series(1, 3)) AS s$$,
	 $$VALUES (6::bigint, 36::numeric)$$, 'HOP beside another set: each with each') ,
	($$SELECT TUMBLE(ts, INTERVAL '1' HOUR)::time FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)$$, $$VALUES (time '14:00')$$,
	 'the grouping key itself')
) AS c(query, expected, label);

-- Views keep the text.
CREATE VIEW max_price AS SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE) AS window_start, item, MAX(price) AS max_price
FROM bid GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE), item;
SELECT results_eq($$SELECT item FROM max_price WHERE window_start = '2021-04-15 14:10:00'$$, $$VALUES ('C')$$, 'a view');
SELECT matches(pg_get_viewdef('max_price'), 'tumble_start\((bid.)?ts.*GROUP BY \(tumble\((bid.)?ts', 'a view keeps its text');

-- Errors
SELECT throws_ok(sql, sqlstate, message, message)
FROM (VALUES
	('SELECT TUMBLE_START(ts, INTERVAL ''1 h'') FROM bid', '42803', 'tumble_start needs TUMBLE in GROUP BY'),
	('SELECT item, TUMBLE_END(ts, INTERVAL ''1 h'') FROM bid GROUP BY item', '42803', 'tumble_end needs TUMBLE in GROUP BY'),
	('SELECT HOP_START(ts, INTERVAL ''1 h'', INTERVAL ''2 h'') FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1 h'')', '42803',
	 'hop_start needs HOP in GROUP BY'),
	('SELECT TUMBLE_ROWTIME(ts, INTERVAL ''1 h'') FROM bid GROUP BY HOP(ts, INTERVAL ''1 h'', INTERVAL ''1 h'')', '42803',
	 'tumble_rowtime needs TUMBLE in GROUP BY'),
	('SELECT HOP_ROWTIME(ts, INTERVAL ''1 h'', INTERVAL ''2 h'') FROM bid', '42803', 'hop_rowtime needs HOP in GROUP BY'),
	('SELECT TUMBLE_START(ts, INTERVAL ''2 h'') FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1 h'')', '42803',
	 'arguments of tumble_start differ from those of TUMBLE in GROUP BY'),
	('SELECT HOP_END(ts, INTERVAL ''2 h'', INTERVAL ''1 h'') FROM bid GROUP BY HOP(ts, INTERVAL ''1 h'', INTERVAL ''2 h'')', '42803',
	 'arguments of hop_end differ from those of HOP in GROUP BY'),
	('SELECT 1 FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1 h'') HAVING TUMBLE_START(ts, INTERVAL ''2 h'') IS NOT NULL', '42803',
	 'arguments of tumble_start differ from those of TUMBLE in GROUP BY'),
	('SELECT TUMBLE_START(ts, INTERVAL ''1 h'') FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1 h''), TUMBLE(tz, INTERVAL ''2 h'')', '42803',
	 'tumble_start is ambiguous: GROUP BY has more than one TUMBLE'),
	('SELECT TUMBLE_START(ts, INTERVAL ''1 h'') FROM bid GROUP BY GROUPING SETS ((TUMBLE(ts, INTERVAL ''1 h'')), ())', '0A000',
	 'tumble_start cannot be used with GROUPING SETS, CUBE or ROLLUP'),
	('SELECT TUMBLE_START(ts, INTERVAL ''1 h'') OVER () FROM bid', '42803',
	 'a part of a group window cannot be a window function'),
	('SELECT HOP_START(ts, INTERVAL ''1 h'', INTERVAL ''2 h'') OVER () FROM bid', '42803',
	 'a part of a group window cannot be a window function'),
	('SELECT TUMBLE_START(DISTINCT ts, INTERVAL ''1 h'') FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1 h'')', '42803',
	 'tumble_start cannot have DISTINCT, ORDER BY or FILTER'),
	('SELECT HOP_START(ts, INTERVAL ''1 h'', INTERVAL ''1 h'' ORDER BY ts) FROM bid GROUP BY HOP(ts, INTERVAL ''1 h'', INTERVAL ''1 h'')', '42803',
	 'hop_start cannot have DISTINCT, ORDER BY or FILTER'),
	('SELECT 1 FROM bid GROUP BY HOP(ts, INTERVAL ''1 h'', INTERVAL ''1 h''), HOP(ts, INTERVAL ''1 h'', INTERVAL ''2 h'')', '0A000',
	 'GROUP BY cannot have several of HOP and SESSION, nor SESSION beside TUMBLE'),
	('SELECT 1 FROM bid GROUP BY TUMBLE(n, INTERVAL ''1 h'')', '42804',
	 'column "n" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('SELECT HOP_START(n, INTERVAL ''1 h'', INTERVAL ''1 h'') FROM bid GROUP BY HOP(n, INTERVAL ''1 h'', INTERVAL ''1 h'')', '42804',
	 'column "n" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('SELECT 1 FROM bid GROUP BY TUMBLE(ts::date, INTERVAL ''1 h'')', '42804',
	 'time attribute must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('SELECT 1 FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1'' MONTH)', '22023', 'window size must not contain months or years'),
	('SELECT 1 FROM bid GROUP BY HOP(ts, INTERVAL ''0'', INTERVAL ''1 h'')', '22023', 'window slide must be positive'),
	('SELECT 1 FROM bid GROUP BY TUMBLE(ts, NULL)', '22004', 'window size must not be null')
) AS c(sql, sqlstate, message);


-- Expressions, and types that others give to them, with the library loaded and at the first call
CREATE TABLE raw (id int, at text, d date);
INSERT INTO raw VALUES (1, '2024-05-06 08:01', '2024-05-06'), (2, 'bogus', NULL), (3, NULL, NULL), (4, '2024-05-06 08:02', NULL);
CREATE TABLE good (id int);
INSERT INTO good VALUES (1), (3), (4);
ANALYZE raw, good;
CREATE VIEW dated AS SELECT id, at::timestamp AS ts FROM raw WHERE id = 1 UNION ALL SELECT id, d FROM raw;
SELECT results_eq(query, expected, label)
FROM (VALUES
	($$SELECT TUMBLE_START(r.at::timestamp, INTERVAL '5' MINUTE)::time, count(*) FROM raw AS r JOIN good USING (id) GROUP BY TUMBLE(r.at::timestamp, INTERVAL '5' MINUTE)$$,
	 $$VALUES (time '08:00', 2::bigint)$$, 'a time is computed of the rows that are grouped, no others'),
	($$SELECT TUMBLE_START(ts, INTERVAL '5' MINUTE), count(*) FROM dated GROUP BY TUMBLE(ts, INTERVAL '5' MINUTE) ORDER BY 1$$,
	 $$VALUES (timestamp '2024-05-06 00:00', 1::bigint), ('2024-05-06 08:00', 1)$$, 'a date that a view makes a timestamp'),
	($$SELECT HOP_START(ts, INTERVAL '5' MINUTE, INTERVAL '5' MINUTE), count(*) FROM dated GROUP BY HOP(ts, INTERVAL '5' MINUTE, INTERVAL '5' MINUTE) ORDER BY 1$$,
	 $$VALUES (timestamp '2024-05-06 00:00', 1::bigint), ('2024-05-06 08:00', 1)$$, 'the same for HOP'),
	($$SELECT count(*) FROM dated WHERE watermark_for(ts, ts)$$, $$VALUES (5::bigint)$$, 'the same for a marker')
) AS c(query, expected, label);
SELECT throws_ok(sql, '42804', message, sql)
FROM (VALUES
	('SELECT 1 FROM raw GROUP BY HOP(d, INTERVAL ''1 h'', INTERVAL ''1 h'')', 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('SELECT 1 FROM raw GROUP BY TUMBLE(d, INTERVAL ''1 h'', INTERVAL ''1 h'', INTERVAL ''1 h'')', 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('SELECT 1 FROM raw WHERE watermark_for(d, d::timestamp)', 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('SELECT 1 FROM dated WHERE watermark_for(ts, ts::date)', 'watermark strategy must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('SELECT 1 FROM bid WHERE watermark_for(tz, ts)', 'watermark strategy must be of the type of its rowtime')
) AS c(sql, message);

SELECT * FROM finish();
ROLLBACK;
