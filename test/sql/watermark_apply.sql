\i test/setup.psql
BEGIN;
SELECT no_plan();

-- The watermark stands before the row; it meets the row, then moves.
CREATE TABLE orders (order_id int, item text, order_time timestamp(3), price int);
INSERT INTO orders VALUES
	(1, 'a', '2024-01-01 00:00:01', 10), (2, 'b', '2024-01-01 00:00:03', 20),
	(3, 'a', '2023-12-31 23:59:58', 30), (4, 'a', '2024-01-01 00:00:09', 40),
	(5, 'c', NULL, 50), (6, 'b', '2024-01-01 00:00:04', 60),
	(7, 'a', 'infinity', 70), (8, 'c', '2024-01-01 00:00:20', 80);

CREATE VIEW expected AS
SELECT * FROM (VALUES
	(1, NULL::timestamp, false), (2, '2023-12-31 23:59:56', false), (3, '2023-12-31 23:59:58', true),
	(4, '2023-12-31 23:59:58', false), (5, '2024-01-01 00:00:04', false), (6, '2024-01-01 00:00:04', true),
	(7, '2024-01-01 00:00:04', false), (8, '2024-01-01 00:00:04', false)) AS c(order_id, watermark, is_behind);

CREATE FUNCTION pg_temp.as_expected(query text, label text, rows text DEFAULT 'true') RETURNS text
LANGUAGE sql AS $$
	SELECT results_eq(query, 'SELECT * FROM expected WHERE ' || rows || ' ORDER BY order_id', label);
$$;

SELECT pg_temp.as_expected(query, label)
FROM (VALUES
	($$SELECT order_id, watermark, is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)$$,
	 'over a table: NULL and infinite strategies do not move it, and it never falls'),
	($$SELECT order_id, watermark, is_behind FROM orders AS o,
		APPLY_WATERMARK(strategy => order_time - INTERVAL '5' SECOND, rowtime => DESCRIPTOR(order_time), input => o)$$,
	 'named arguments in any order'),
	($$SELECT order_id, watermark, is_behind FROM (SELECT * FROM orders) AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)$$,
	 'over a subquery'),
	($$WITH o AS MATERIALIZED (SELECT * FROM orders) SELECT order_id, watermark, is_behind FROM o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)$$,
	 'over a common table expression'),
	($$SELECT order_id, watermark AT TIME ZONE 'UTC', is_behind
		FROM (SELECT order_id, order_time AT TIME ZONE 'UTC' AS tz FROM orders) AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(tz), tz - INTERVAL '5' SECOND)$$,
	 'over timestamptz'),
	($$SELECT order_id, w.watermark, w.is_behind FROM orders AS o LEFT JOIN LATERAL
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) AS w ON true$$,
	 'as the inner side of a left join'),
	($$SELECT order_id, w.watermark, w.is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time) AS v,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) AS w
		WHERE v.watermark IS NULL OR v.watermark >= w.watermark$$,
	 'two watermarks over one item'),
	($$SELECT order_id, w.watermark, w.is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) AS w,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) AS v
		WHERE v IS NOT DISTINCT FROM w$$,
	 'the same watermark twice'),
	($$SELECT order_id, watermark, is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), (SELECT order_time - max(i) * INTERVAL '1' SECOND FROM generate_series(1, 5) AS i))$$,
	 'a strategy with a subquery'),
	($$SELECT (o).order_id, watermark, is_behind FROM (SELECT o, o.order_time AS t FROM orders AS o) AS s,
		APPLY_WATERMARK(s, DESCRIPTOR(t), t - INTERVAL '5' SECOND)$$,
	 'an input with a column that is a row')
) AS c(query, label);

SELECT results_eq(
	$$SELECT x::date, watermark::date FROM generate_series(timestamp '2024-01-01', '2024-01-03', '1 day') AS x, APPLY_WATERMARK(x, DESCRIPTOR(x), x)$$,
	$$VALUES (date '2024-01-01', NULL::date), ('2024-01-02', '2024-01-01'), ('2024-01-03', '2024-01-02')$$, 'over a function of one column');

-- What the query does with the rows comes after the watermark.
SELECT pg_temp.as_expected(
	$$SELECT order_id, watermark, is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) WHERE item = 'a'$$,
	'a filter does not hide rows from the watermark', 'order_id IN (1, 3, 4, 7)');
SELECT pg_temp.as_expected(
	$$SELECT order_id, watermark, is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) LIMIT 3$$,
	'LIMIT', 'order_id <= 3');
SELECT pg_temp.as_expected(
	$$SELECT o.order_id, watermark, is_behind FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(o.order_time), o.order_time - INTERVAL '5' SECOND),
		(VALUES ('a', 1), ('b', 1)) AS v(item, n) WHERE v.item = o.item ORDER BY 1$$,
	'a join', 'order_id NOT IN (5, 8)');
SELECT results_eq(
	$$SELECT order_id, watermark FROM (SELECT * FROM orders WHERE item = 'a') AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time)$$,
	$$VALUES (1, NULL::timestamp), (3, '2024-01-01 00:00:01'), (4, '2024-01-01 00:00:01'), (7, '2024-01-01 00:00:09')$$,
	'a filter inside the input does');
SELECT results_eq(
	$$SELECT order_id, watermark FROM (SELECT * FROM orders WHERE order_time IS NOT NULL ORDER BY order_time DESC) AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time) LIMIT 3$$,
	$$VALUES (7, NULL::timestamp), (8, NULL), (4, '2024-01-01 00:00:20')$$,
	'rows come in the order of a sorted input');

-- Rows of a table come as they are stored, whatever index there is.
CREATE TABLE stored (id int, ts timestamp, pad text);
INSERT INTO stored SELECT i, timestamp '2024-01-01' + (i * 7919 % 5000) * INTERVAL '1 s', repeat('x', 200) FROM generate_series(1, 5000) AS i;
CREATE INDEX ON stored (ts);
CREATE INDEX ON stored (id, ts);
ANALYZE stored;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_sort = off;
CREATE FUNCTION pg_temp.by_hand(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE ts <= w) FROM (SELECT ts, max(ts) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS w FROM stored WHERE %s) AS s', condition) INTO n;
	RETURN n;
END $$;
SELECT is((SELECT count(*) FILTER (WHERE is_behind) FROM stored AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)),
		  pg_temp.by_hand('true'), 'an index that covers the query does not sort the rows');
SELECT is((SELECT count(*) FILTER (WHERE is_behind) FROM (SELECT * FROM stored WHERE ts < '2024-01-01 00:30') AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)),
		  pg_temp.by_hand($$ts < '2024-01-01 00:30'$$), 'nor does one that finds the rows of a subquery');
SELECT is((SELECT count(*) FILTER (WHERE is_behind) FROM (SELECT * FROM stored ORDER BY ts) AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '1 ms')),
		  0::bigint, 'a subquery may be sorted by an index');
SET LOCAL enable_seqscan = on;
SET LOCAL enable_sort = on;

-- Rescans: each starts anew.
SELECT results_eq(
	$$SELECT x, (SELECT string_agg(to_char(w.watermark, 'HH24:MI:SS'), ' ' ORDER BY order_id)
				 FROM (SELECT * FROM orders WHERE order_id <= 3) AS o,
					APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - x * INTERVAL '1' SECOND) AS w)
	FROM generate_series(0, 2) AS x$$,
	$$VALUES (0, '00:00:01 00:00:03'), (1, '00:00:00 00:00:02'), (2, '23:59:59 00:00:01')$$,
	'a correlated subquery');
SELECT results_eq(
	$$SELECT x, count(*) FILTER (WHERE is_behind) FROM generate_series(0, 7, 2) AS x,
		LATERAL (SELECT is_behind FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - x * INTERVAL '1' SECOND)) AS s
	GROUP BY x ORDER BY x$$,
	$$VALUES (0, 2::bigint), (2, 2), (4, 2), (6, 0)$$,
	'a lateral subquery');

-- Cursors and prepared statements
DECLARE c SCROLL CURSOR FOR SELECT order_id, watermark, is_behind FROM orders AS o,
	APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND);
MOVE 6 IN c;
MOVE BACKWARD 3 IN c;
SELECT pg_temp.as_expected('FETCH 2 FROM c', 'a cursor that goes back', 'order_id IN (4, 5)');
MOVE ABSOLUTE 0 IN c;
SELECT pg_temp.as_expected('FETCH ALL FROM c', 'a cursor that starts again');
CLOSE c;
PREPARE delayed(interval) AS SELECT order_id, watermark, is_behind FROM orders AS o,
	APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - $1);
SELECT pg_temp.as_expected($$EXECUTE delayed('5 s')$$, 'a prepared statement');
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.as_expected($$EXECUTE delayed('5 s')$$, 'a generic plan');
ALTER TABLE orders ADD COLUMN extra text DEFAULT 'x';
ALTER TABLE orders DROP COLUMN price;
SELECT pg_temp.as_expected($$EXECUTE delayed('5 s')$$, 'a generic plan after the table was altered');
SELECT results_eq(
	$$SELECT o, watermark FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time) LIMIT 2$$,
	$$VALUES (ROW(1, 'a', '2024-01-01 00:00:01', 'x')::orders, NULL::timestamp),
		(ROW(2, 'b', '2024-01-01 00:00:03', 'x')::orders, '2024-01-01 00:00:01')$$,
	'the row of an input with dropped columns');

-- Statements that change data
CREATE TABLE behind (order_id int, watermark timestamp);
INSERT INTO behind SELECT order_id, watermark FROM orders AS o,
	APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND) WHERE is_behind;
SELECT results_eq('TABLE behind', $$VALUES (3, timestamp '2023-12-31 23:59:58'), (6, '2024-01-01 00:00:04')$$,
				  'INSERT ... SELECT');
SELECT results_eq(
	$$UPDATE orders AS t SET extra = 'behind' FROM orders AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(o.order_time), o.order_time - INTERVAL '5' SECOND) AS w
	WHERE o.order_id = t.order_id AND w.is_behind RETURNING t.order_id, o.extra, w.watermark$$,
	$$VALUES (3, 'x', timestamp '2023-12-31 23:59:58'), (6, 'x', '2024-01-01 00:00:04')$$,
	'UPDATE ... FROM ... RETURNING');
SELECT results_eq(
	$$DELETE FROM behind AS t USING (SELECT * FROM orders ORDER BY order_id) AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(o.order_time), o.order_time) AS w
	WHERE o.order_id = t.order_id RETURNING o.extra, w.is_behind$$,
	$$VALUES ('behind', true), ('behind', true)$$,
	'DELETE ... USING ... RETURNING');

SELECT * FROM finish();
ROLLBACK;
