-- The statements of APPLY_WATERMARK's description, on the rows and with the watermarks of
-- Apache Flink's run of the same strategy.  By hand a query drops no late row.
\i test/setup.psql
BEGIN;
SELECT plan(10);

CREATE TEMP TABLE orders (order_id bigint, order_time timestamp(3));
INSERT INTO orders VALUES
	(1, '2024-05-06 08:00:01'), (2, '2024-05-06 08:00:30'), (3, '2024-05-06 08:00:58'),
	(4, '2024-05-06 08:01:02'), (5, '2024-05-06 08:00:55'), (6, '2024-05-06 08:01:10'),
	(7, '2024-05-06 08:00:50'), (8, '2024-05-06 08:01:06'), (9, '2024-05-06 08:01:59'),
	(10, '2024-05-06 08:01:04'), (11, '2024-05-06 08:02:05'), (12, '2024-05-06 08:02:01'),
	(13, '2024-05-06 08:00:59'), (14, '2024-05-06 08:03:10'), (15, '2024-05-06 08:02:09'),
	(16, '2024-05-06 08:02:30');

-- The watermark of 5 seconds that stands when each row comes.
CREATE TEMP TABLE arrival (order_id bigint, order_time timestamp(3), watermark timestamp);
INSERT INTO arrival VALUES
	(1, timestamp '2024-05-06 08:00:01', NULL),
	(2, '2024-05-06 08:00:30', '2024-05-06 07:59:56'),
	(3, '2024-05-06 08:00:58', '2024-05-06 08:00:25'),
	(4, '2024-05-06 08:01:02', '2024-05-06 08:00:53'),
	(5, '2024-05-06 08:00:55', '2024-05-06 08:00:57'),
	(6, '2024-05-06 08:01:10', '2024-05-06 08:00:57'),
	(7, '2024-05-06 08:00:50', '2024-05-06 08:01:05'),
	(8, '2024-05-06 08:01:06', '2024-05-06 08:01:05'),
	(9, '2024-05-06 08:01:59', '2024-05-06 08:01:05'),
	(10, '2024-05-06 08:01:04', '2024-05-06 08:01:54'),
	(11, '2024-05-06 08:02:05', '2024-05-06 08:01:54'),
	(12, '2024-05-06 08:02:01', '2024-05-06 08:02'),
	(13, '2024-05-06 08:00:59', '2024-05-06 08:02'),
	(14, '2024-05-06 08:03:10', '2024-05-06 08:02'),
	(15, '2024-05-06 08:02:09', '2024-05-06 08:03:05'),
	(16, '2024-05-06 08:02:30', '2024-05-06 08:03:05')
;

SELECT results_eq(
$$
	SELECT order_id, order_time
	FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
$$,
'SELECT order_id, order_time FROM orders',
'APPLY_WATERMARK on a table passes its rows through in their order');

SELECT results_eq(
$$
	SELECT order_id, order_time, watermark, is_behind
	FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
$$,
'SELECT order_id, order_time, watermark, coalesce(order_time <= watermark, false) FROM arrival',
'each row comes with the watermark of the rows before it, as in Flink');

INSERT INTO orders VALUES (17, NULL);

SELECT results_eq(
$$
	SELECT order_id, order_time
	FROM (
		SELECT order_id, order_time
		FROM orders
		WHERE order_time IS NOT NULL
	) AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
$$,
'SELECT order_id, order_time FROM arrival',
'APPLY_WATERMARK on a subquery passes its rows through');

DELETE FROM orders WHERE order_id = 17;

SELECT results_eq(
$$
	SELECT order_id, order_time, watermark
	FROM orders, APPLY_WATERMARK(
		strategy => order_time - INTERVAL '5' SECOND,
		rowtime => DESCRIPTOR(order_time),
		input => orders)
$$,
'SELECT order_id, order_time, watermark FROM arrival',
'the named arguments come in any order');

CREATE TEMPORARY VIEW watermarked_orders AS
SELECT order_id, order_time
FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND);

-- In a stream rows 7, 13, 15 and 16 are late: Flink counts 4, 5, 2 and 1.
SELECT bag_eq(
$$
	SELECT window_start, window_end, COUNT(*) AS order_count
	FROM watermarked_orders AS o, TUMBLE(o, DESCRIPTOR(order_time), INTERVAL '1' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:01', 6),
	('2024-05-06 08:01', '2024-05-06 08:02', 5),
	('2024-05-06 08:02', '2024-05-06 08:03', 4),
	('2024-05-06 08:03', '2024-05-06 08:04', 1) $$,
'a temporary view with a watermark is windowed like a table');

CREATE TEMP TABLE orders_with_watermark (
	order_id bigint,
	order_time timestamp(3),
	CHECK (watermark_for(order_time, order_time - INTERVAL '10' SECOND))
);
INSERT INTO orders_with_watermark SELECT * FROM orders;

SELECT results_eq(
$$
	SELECT order_id, order_time, watermark
	FROM orders_with_watermark AS o,
		APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
$$,
'SELECT order_id, order_time, watermark FROM arrival',
'APPLY_WATERMARK redefines the watermark of a table');

SELECT results_eq(
$$
	SELECT order_id, order_time
	FROM (
		SELECT order_id, order_time
		FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(order_time), order_time - INTERVAL '10' SECOND)
	) AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
$$,
'SELECT order_id, order_time FROM orders',
'cascaded APPLY_WATERMARK passes rows through');

SELECT results_eq(
$$
	SELECT order_id, o.inner_watermark, watermark
	FROM (
		SELECT order_id, order_time, watermark AS inner_watermark
		FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(order_time), order_time - INTERVAL '10' SECOND)
	) AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
$$,
$$ SELECT order_id, watermark - INTERVAL '5' SECOND, watermark FROM arrival $$,
'cascaded, the strategy of the outermost APPLY_WATERMARK acts, also when it waits less');

SELECT results_eq(
$$
	SELECT order_id, watermark
	FROM (
		SELECT order_id, order_time
		FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(order_time), order_time - INTERVAL '5' SECOND)
	) AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '10' SECOND)
$$,
$$ SELECT order_id, watermark - INTERVAL '5' SECOND FROM arrival $$,
'cascaded, the strategy of the outermost APPLY_WATERMARK acts, also when it waits longer');

SELECT results_eq(
$$
	SELECT order_id, watermark
	FROM watermarked_orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(order_time), order_time - INTERVAL '10' SECOND)
$$,
$$ SELECT order_id, watermark - INTERVAL '5' SECOND FROM arrival $$,
'APPLY_WATERMARK redefines the watermark of a view');

SELECT * FROM finish();
ROLLBACK;
