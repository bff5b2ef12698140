\i test/setup.psql
BEGIN;
SELECT no_plan();

-- The rows of the sessions of Flink's own run: one gap apart is one session, one
-- millisecond more is two.
CREATE TABLE ev (id int, k text, v int, ts timestamp(3), tz timestamptz(3));
INSERT INTO ev (id, k, v, ts) VALUES
	(1, 'a', 1, '2024-05-06 08:00:00'), (2, 'b', 2, '2024-05-06 08:02:00'),
	(3, 'a', 4, '2024-05-06 08:05:00'), (4, 'a', 8, '2024-05-06 08:09:59.999'),
	(5, 'b', 16, '2024-05-06 08:07:00.001'), (6, 'a', 32, '2024-05-06 08:15:00'),
	(7, 'b', 64, '2024-05-06 08:30:00'), (8, 'b', 128, NULL);
UPDATE ev SET tz = ts AT TIME ZONE 'UTC';

SELECT results_eq(
	format($$SELECT id, window_start, window_end, window_time FROM ev, SESSION(ev, DESCRIPTOR(%s), INTERVAL '5' MINUTE, k) ORDER BY id$$, col),
	format($$VALUES (1, %1$s '2024-05-06 08:00', %1$s '2024-05-06 08:14:59.999', %1$s '2024-05-06 08:14:59.998'),
		(2, '2024-05-06 08:02', '2024-05-06 08:07', '2024-05-06 08:06:59.999'),
		(3, '2024-05-06 08:00', '2024-05-06 08:14:59.999', '2024-05-06 08:14:59.998'),
		(4, '2024-05-06 08:00', '2024-05-06 08:14:59.999', '2024-05-06 08:14:59.998'),
		(5, '2024-05-06 08:07:00.001', '2024-05-06 08:12:00.001', '2024-05-06 08:12:00'),
		(6, '2024-05-06 08:15', '2024-05-06 08:20', '2024-05-06 08:19:59.999'),
		(7, '2024-05-06 08:30', '2024-05-06 08:35', '2024-05-06 08:34:59.999')$$, type),
	'sessions by key on ' || type)
FROM (VALUES ('ts', 'timestamp'), ('tz', 'timestamptz')) AS c(col, type);

SELECT results_eq(query, expected, label)
FROM (VALUES
	($$SELECT window_start::time, window_end::time, count(*), sum(v) FROM ev, SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
		GROUP BY window_start, window_end ORDER BY 1$$,
	 $$VALUES (time '08:00', time '08:14:59.999', 5::bigint, 31::bigint), ('08:15', '08:20', 1, 32), ('08:30', '08:35', 1, 64)$$,
	 'sessions of all rows'),
	($$SELECT id, window_end::time FROM ev, SESSION(gap => INTERVAL '5' MINUTE, timecol => DESCRIPTOR(ts), data => ev) WHERE id > 5 ORDER BY 1$$,
	 $$VALUES (6, time '08:20'), (7, '08:35')$$, 'named arguments; a filter beside it does not cut sessions'),
	($$SELECT id, window_start::time FROM (SELECT * FROM ev WHERE k = 'a') AS o, SESSION(o, DESCRIPTOR(ts), INTERVAL '5' MINUTE) ORDER BY 1$$,
	 $$VALUES (1, time '08:00'), (3, '08:00'), (4, '08:00'), (6, '08:15')$$, 'a filter inside the input does'),
	($$SELECT id, window_start::time FROM ev, SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k, id % 2) WHERE k = 'a' ORDER BY 1$$,
	 $$VALUES (1, time '08:00'), (3, '08:00'), (4, '08:09:59.999'), (6, '08:15')$$, 'several keys, one of them an expression') ,
	($$SELECT id, w.window_start::time FROM ev LEFT JOIN LATERAL SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k) AS w ON true WHERE k = 'b' ORDER BY id$$,
	 $$VALUES (2, time '08:02'), (5, '08:07:00.001'), (7, '08:30'), (8, NULL)$$, 'a left join keeps rows without a time'),
	($$WITH e AS (SELECT * FROM ev) SELECT id, x FROM e JOIN (VALUES ('a', 'Ann')) AS n(k, x) USING (k), SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, e.k)
		WHERE window_start = '2024-05-06 08:15'$$,
	 $$VALUES (6, 'Ann')$$, 'a common table expression, and a join'),
	($$SELECT x, (SELECT count(DISTINCT w.window_start) FROM ev, SESSION(ev, DESCRIPTOR(ts), x * INTERVAL '5' MINUTE) AS w) FROM generate_series(1, 4) AS x$$,
	 $$VALUES (1, 3::bigint), (2, 2), (3, 1), (4, 1)$$, 'a correlated gap'),
	($$SELECT count(*) FROM ev FULL JOIN (VALUES (1)) AS x(id) USING (id), SESSION(ev, DESCRIPTOR(ev.ts), INTERVAL '5' MINUTE)$$,
	 $$VALUES (7::bigint)$$, 'a full join'),
	($$SELECT ev, window_start::time FROM ev, SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE) WHERE id = 7$$,
	 $$VALUES (ROW(7, 'b', 64, '2024-05-06 08:30:00', '2024-05-06 08:30:00+00')::ev, time '08:30')$$, 'the row of the input'),
	($$SELECT window_start, window_end, window_time FROM (VALUES (timestamp 'infinity'), ('infinity'), ('-infinity'), ('2024-01-01')) AS e(ts),
		SESSION(e, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY 1, 2, 3 ORDER BY 1$$,
	 $$VALUES (timestamp '-infinity', timestamp '-infinity', timestamp '-infinity'), ('2024-01-01', '2024-01-02', '2024-01-01 23:59:59.999'),
		('infinity', 'infinity', 'infinity')$$, 'infinite times have sessions of their own')
) AS c(query, expected, label);

-- With a watermark over the same item: it sees the rows as they come, in
-- whichever order the two are written.
SELECT results_eq(
	'SELECT id, window_start::time, watermark::time, is_behind FROM ev, ' || items || ' ORDER BY id',
	$$VALUES (1, time '08:00', NULL::time, false), (2, '08:02', '07:59', false), (3, '08:00', '08:01', false), (4, '08:00', '08:04', false),
		(5, '08:07:00.001', '08:08:59.999', true), (6, '08:15', '08:08:59.999', false), (7, '08:30', '08:14', false)$$,
	items)
FROM (VALUES
	($$SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k), APPLY_WATERMARK(ev, DESCRIPTOR(ts), ts - INTERVAL '1' MINUTE)$$),
	($$APPLY_WATERMARK(ev, DESCRIPTOR(ts), ts - INTERVAL '1' MINUTE), SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k)$$)
) AS c(items);
SELECT results_eq(
	$$SELECT id, w.window_start::time, s.window_start::time FROM ev, SESSION(ev, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k) AS s,
		TUMBLE(ev, DESCRIPTOR(ts), INTERVAL '10' MINUTE) AS w WHERE id IN (4, 5) ORDER BY id$$,
	$$VALUES (4, time '08:00', time '08:00'), (5, '08:00', '08:07:00.001')$$, 'with another window over the same item');

-- Errors
SELECT throws_ok('SELECT * FROM ev, ' || call, sqlstate, message, message)
FROM (VALUES
	('SESSION(ev, DESCRIPTOR(ts), INTERVAL ''0'')', '22023', 'window gap must be positive'),
	('SESSION(ev, DESCRIPTOR(ts), INTERVAL ''-5 min'', k)', '22023', 'window gap must be positive'),
	('SESSION(ev, DESCRIPTOR(ts), INTERVAL ''10 us'')', '22023', 'window gap must be at least 1 millisecond'),
	('SESSION(ev, DESCRIPTOR(ts), INTERVAL ''1'' MONTH)', '22023', 'window gap must not contain months or years'),
	('SESSION(ev, DESCRIPTOR(ts), NULL)', '22004', 'window gap must not be null'),
	('SESSION(ev, DESCRIPTOR(ts), v * INTERVAL ''1 min'')', '42P10', 'session gap must not depend on the row'),
	('SESSION(ev, DESCRIPTOR(v), INTERVAL ''1 min'')', '42804', 'column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is integer)'),
	('SESSION(ev, DESCRIPTOR(ts::date), INTERVAL ''1 min'', k)', '42804', 'time column must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('(VALUES (1)) AS x(n), SESSION(ev, DESCRIPTOR(ts), INTERVAL ''1 min'', n)', '42P10', 'session key may only use columns of its input'),
	('SESSION(ev, DESCRIPTOR(ts), INTERVAL ''1 min'') FOR UPDATE', '0A000', 'SESSION cannot use its input'),
	('SESSION(ROW(1), DESCRIPTOR(ts), INTERVAL ''1 min'')', '0A000', 'SESSION cannot use its input'),
	('SESSION(ev, DESCRIPTOR(ts), INTERVAL ''1 min'', VARIADIC ARRAY[k, k])', '0A000', 'SESSION takes its keys one by one'),
	('SESSION(ev, DESCRIPTOR(timestamp ''294276-12-31 23:59:59''), INTERVAL ''1'' DAY)', '22008', 'timestamp out of range')
) AS c(call, sqlstate, message);
SELECT throws_ok('SELECT SESSION(ev, ts, INTERVAL ''1 min'') FROM ev', '0A000', 'SESSION must be an item of FROM',
				 'SESSION in the list of columns');

SELECT * FROM finish();
ROLLBACK;
