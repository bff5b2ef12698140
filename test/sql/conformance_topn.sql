-- Top-N of windows, with the rows that Apache Flink 2.3 returns.  In Flink NULL is the
-- smallest value, in PostgreSQL the largest: NULLS LAST makes a descending order the same.
\i test/setup.psql
BEGIN;
SELECT plan(6);

CREATE TEMP TABLE bids (id integer, item text, price double precision, usr text, ts timestamp(3));
INSERT INTO bids VALUES
	(1, 'pc', 10.0, 'u1', '2024-05-06 08:01'), (2, 'pc', 30.0, 'u2', '2024-05-06 08:02'),
	(3, 'phone', 20.0, 'u1', '2024-05-06 08:03'), (4, 'pc', 25.0, 'u3', '2024-05-06 08:04'),
	(5, 'phone', 5.0, 'u4', '2024-05-06 08:05'), (6, 'phone', NULL, 'u2', '2024-05-06 08:06'),
	(7, 'pc', 50.0, 'u2', '2024-05-06 08:11'), (8, 'tv', 45.0, 'u3', '2024-05-06 08:12'),
	(9, 'tv', 15.0, 'u1', '2024-05-06 08:09:30'),
	(10, 'pc', 1.0, 'u5', '2024-05-06 08:19:59.999'), (11, 'tv', 99.0, 'u5', '2024-05-06 08:20'),
	(12, 'pc', 98.0, 'u1', '2024-05-06 08:24'), (13, 'phone', 97.0, 'u1', '2024-05-06 08:15'),
	(14, 'phone', 96.0, 'u3', '2024-05-06 08:26');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end, rn
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC NULLS LAST) AS rn
		FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS ranked
	WHERE rn <= 2
$$,
$$ VALUES
	(2, 'pc', 30, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 1),
	(4, 'pc', 25, '2024-05-06 08:00', '2024-05-06 08:10', 2),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20', 1),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20', 2),
	(11, 'tv', 99, '2024-05-06 08:20', '2024-05-06 08:30', 1),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30', 2)
$$,
'the two highest prices of each window');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end, rn
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC NULLS LAST) AS rn
		FROM bids AS b, HOP(b, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) AS ranked
	WHERE rn <= 2
$$,
$$ VALUES
	(2, 'pc', 30, timestamp '2024-05-06 07:55', timestamp '2024-05-06 08:05', 1),
	(4, 'pc', 25, '2024-05-06 07:55', '2024-05-06 08:05', 2),
	(2, 'pc', 30, '2024-05-06 08:00', '2024-05-06 08:10', 1),
	(4, 'pc', 25, '2024-05-06 08:00', '2024-05-06 08:10', 2),
	(7, 'pc', 50, '2024-05-06 08:05', '2024-05-06 08:15', 1),
	(8, 'tv', 45, '2024-05-06 08:05', '2024-05-06 08:15', 2),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20', 1),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20', 2),
	(11, 'tv', 99, '2024-05-06 08:15', '2024-05-06 08:25', 1),
	(12, 'pc', 98, '2024-05-06 08:15', '2024-05-06 08:25', 2),
	(11, 'tv', 99, '2024-05-06 08:20', '2024-05-06 08:30', 1),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30', 2),
	(14, 'phone', 96, '2024-05-06 08:25', '2024-05-06 08:35', 1)
$$,
'the two highest prices of each hopping window');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end, rn
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end, item ORDER BY price DESC NULLS LAST) AS rn
		FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS ranked
	WHERE rn <= 1
$$,
$$ VALUES
	(2, 'pc', 30, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 1),
	(3, 'phone', 20, '2024-05-06 08:00', '2024-05-06 08:10', 1),
	(9, 'tv', 15, '2024-05-06 08:00', '2024-05-06 08:10', 1),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20', 1),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20', 1),
	(8, 'tv', 45, '2024-05-06 08:10', '2024-05-06 08:20', 1),
	(11, 'tv', 99, '2024-05-06 08:20', '2024-05-06 08:30', 1),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30', 1),
	(14, 'phone', 96, '2024-05-06 08:20', '2024-05-06 08:30', 1)
$$,
'the highest price of each item in each window');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end, rn
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC NULLS LAST) AS rn
		FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS ranked
	WHERE rn BETWEEN 2 AND 3
$$,
$$ VALUES
	(4, 'pc', 25, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 2),
	(3, 'phone', 20, '2024-05-06 08:00', '2024-05-06 08:10', 3),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20', 2),
	(8, 'tv', 45, '2024-05-06 08:10', '2024-05-06 08:20', 3),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30', 2),
	(14, 'phone', 96, '2024-05-06 08:20', '2024-05-06 08:30', 3)
$$,
'the second and third highest price of each window');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end, rn
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY usr ASC, price DESC) AS rn
		FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS ranked
	WHERE rn <= 2
$$,
$$ VALUES
	(3, 'phone', 20, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 1),
	(9, 'tv', 15, '2024-05-06 08:00', '2024-05-06 08:10', 2),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20', 1),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20', 2),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30', 1),
	(14, 'phone', 96, '2024-05-06 08:20', '2024-05-06 08:30', 2)
$$,
'the first two users of each window, and of one user the highest price');

SELECT bag_eq(
$$
	SELECT *
	FROM (
		SELECT window_start, window_end, item, total, cnt,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, item) AS rn
		FROM (
			SELECT window_start, window_end, item, sum(price) AS total, count(*) AS cnt
			FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
			GROUP BY window_start, window_end, item) AS sums) AS ranked
	WHERE rn <= 2
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 'pc', 65, 3, 1),
	('2024-05-06 08:00', '2024-05-06 08:10', 'phone', 25, 3, 2),
	('2024-05-06 08:10', '2024-05-06 08:20', 'phone', 97, 1, 1),
	('2024-05-06 08:10', '2024-05-06 08:20', 'pc', 51, 2, 2),
	('2024-05-06 08:20', '2024-05-06 08:30', 'tv', 99, 1, 1),
	('2024-05-06 08:20', '2024-05-06 08:30', 'pc', 98, 1, 2)
$$,
'the two items of each window that sold for most');

SELECT * FROM finish();
ROLLBACK;
