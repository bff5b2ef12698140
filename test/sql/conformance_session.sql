\i test/setup.psql
-- SESSION: rows of Flink's streaming runs in which no row is late, as its batch
-- mode refuses SESSION.
LOAD 'apply_watermark';
BEGIN;
SELECT plan(8);

CREATE TABLE keyed (id int, k text, v bigint, ts timestamp(3));
INSERT INTO keyed
VALUES (1, 'a', 1, '2024-05-06 08:00:00'), (2, 'b', 2, '2024-05-06 08:02:00'),
	(3, 'a', 4, '2024-05-06 08:04:59.999'), (4, 'a', 8, '2024-05-06 08:09:59.999'),
	(5, 'b', 16, '2024-05-06 08:07:00.001'), (6, 'a', 32, '2024-05-06 08:15:00'),
	(7, 'b', 64, '2024-05-06 08:30:00');

SELECT bag_eq(
	$$SELECT k, window_start, window_end, window_time, count(*), sum(v)::bigint, string_agg(id::text, ',' ORDER BY id)
	FROM keyed AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k)
	GROUP BY window_start, window_end, window_time, k$$,
	$$VALUES
		('a', timestamp '2024-05-06 08:00:00', timestamp '2024-05-06 08:14:59.999', timestamp '2024-05-06 08:14:59.998', 3::bigint, 13::bigint, '1,3,4'),
		('a', '2024-05-06 08:15:00', '2024-05-06 08:20:00', '2024-05-06 08:19:59.999', 1, 32, '6'),
		('b', '2024-05-06 08:02:00', '2024-05-06 08:07:00', '2024-05-06 08:06:59.999', 1, 2, '2'),
		('b', '2024-05-06 08:07:00.001', '2024-05-06 08:12:00.001', '2024-05-06 08:12:00', 1, 16, '5'),
		('b', '2024-05-06 08:30:00', '2024-05-06 08:35:00', '2024-05-06 08:34:59.999', 1, 64, '7')$$,
	'sessions by key: one gap apart is one session, a millisecond more is two');
SELECT bag_eq(
	$$SELECT window_start, window_end, count(*), sum(v)::bigint
	FROM keyed AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, window_time$$,
	$$VALUES
		(timestamp '2024-05-06 08:00:00', timestamp '2024-05-06 08:14:59.999', 5::bigint, 31::bigint),
		('2024-05-06 08:15:00', '2024-05-06 08:20:00', 1, 32),
		('2024-05-06 08:30:00', '2024-05-06 08:35:00', 1, 64)$$,
	'sessions of all rows');
SELECT bag_eq(
	$$SELECT id, k, window_start, window_end FROM keyed AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k)$$,
	$$VALUES
		(1, 'a', timestamp '2024-05-06 08:00:00', timestamp '2024-05-06 08:14:59.999'),
		(2, 'b', '2024-05-06 08:02:00', '2024-05-06 08:07:00'),
		(3, 'a', '2024-05-06 08:00:00', '2024-05-06 08:14:59.999'),
		(4, 'a', '2024-05-06 08:00:00', '2024-05-06 08:14:59.999'),
		(5, 'b', '2024-05-06 08:07:00.001', '2024-05-06 08:12:00.001'),
		(6, 'a', '2024-05-06 08:15:00', '2024-05-06 08:20:00'),
		(7, 'b', '2024-05-06 08:30:00', '2024-05-06 08:35:00')$$,
	'each row with its session');
SELECT bag_eq(
	$$SELECT k, SESSION_START(ts, INTERVAL '5' MINUTE), SESSION_END(ts, INTERVAL '5' MINUTE), count(*)
	FROM keyed GROUP BY k, SESSION(ts, INTERVAL '5' MINUTE)$$,
	$$SELECT k, window_start, window_end, count(*)
	FROM keyed AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k) GROUP BY window_start, window_end, k$$,
	'the group window SESSION has the sessions of the table function');

-- A row that comes later joins two sessions.
CREATE TABLE merging (id int, k text, v bigint, ts timestamp(3));
INSERT INTO merging
VALUES (1, 'a', 1, '2024-05-06 08:00:00'), (2, 'a', 2, '2024-05-06 08:08:00'),
	(3, 'a', 4, '2024-05-06 08:04:00'), (4, 'a', 8, '2024-05-06 08:40:00');
SELECT bag_eq(
	$$SELECT k, window_start, window_end, count(*)
	FROM merging AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE, k) GROUP BY window_start, window_end, k$$,
	$$VALUES ('a', timestamp '2024-05-06 08:00:00', timestamp '2024-05-06 08:13:00', 3::bigint),
		('a', '2024-05-06 08:40:00', '2024-05-06 08:45:00', 1)$$,
	'rows out of order');

CREATE TABLE events (id int, k text, v bigint, ts timestamp(3));
INSERT INTO events
VALUES (1, 'a', 10, '2024-05-06 08:00:00'), (2, 'a', 20, '2024-05-06 08:02:30'), (3, 'b', 5, '2024-05-06 08:04:59.999'),
	(4, 'a', 7, '2024-05-06 08:05:00'), (5, 'b', 1, '2024-05-06 08:07:15.500'), (6, 'c', 3, '2024-05-06 08:09:59.999'),
	(7, 'a', 4, '2024-05-06 08:10:00'), (8, 'b', 6, '2024-05-06 08:13:00'), (9, 'c', 9, '2024-05-06 08:21:00.001'),
	(10, 'a', 8, '2024-05-06 08:29:59'), (11, 'b', 2, '2024-05-06 08:30:00'), (12, 'a', 11, '2024-05-06 08:52:00');
SELECT bag_eq(
	query,
	$$VALUES
		(timestamp '2024-05-06 08:00:00', timestamp '2024-05-06 08:18:00', timestamp '2024-05-06 08:17:59.999', 8::bigint, 56::bigint),
		('2024-05-06 08:21:00.001', '2024-05-06 08:26:00.001', '2024-05-06 08:26:00', 1, 9),
		('2024-05-06 08:29:59', '2024-05-06 08:35:00', '2024-05-06 08:34:59.999', 2, 10),
		('2024-05-06 08:52:00', '2024-05-06 08:57:00', '2024-05-06 08:56:59.999', 1, 11)$$,
	label)
FROM (VALUES
	($$SELECT window_start, window_end, window_time, count(*), sum(v)::bigint
		FROM events AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, window_time$$,
	 'sessions of 5 minutes'),
	($$SELECT SESSION_START(ts, INTERVAL '5' MINUTE), SESSION_END(ts, INTERVAL '5' MINUTE), SESSION_ROWTIME(ts, INTERVAL '5' MINUTE), count(*), sum(v)::bigint
		FROM events GROUP BY SESSION(ts, INTERVAL '5' MINUTE)$$,
	 'sessions of 5 minutes as a group window')
) AS c(query, label);
SELECT throws_ok($$SELECT * FROM events AS e, SESSION(e, DESCRIPTOR(ts), INTERVAL '0' MINUTE, k)$$, '22023',
				 'window gap must be positive', 'a gap of zero is refused');

SELECT * FROM finish();
ROLLBACK;
