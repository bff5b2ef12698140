-- Aggregates over windows, with the rows that Apache Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(10);

CREATE TEMP TABLE t (
	id integer, k text, b bigint, d double precision, n numeric(10, 2), s text, f boolean, i integer,
	ts timestamp(3));
INSERT INTO t VALUES
	(1, 'x', 10, 1.5, 10.25, 'pear', true, 7, '2024-05-06 08:00'),
	(2, 'x', NULL, 2.5, -3.50, 'apple', false, 8, '2024-05-06 08:01'),
	(3, 'y', 30, NULL, 0.01, NULL, true, -2, '2024-05-06 08:02'),
	(4, 'x', 10, 0.25, NULL, 'apple', NULL, 7, '2024-05-06 08:03'),
	(5, 'y', NULL, NULL, NULL, NULL, NULL, NULL, '2024-05-06 08:11'),
	(6, 'y', NULL, NULL, NULL, NULL, NULL, NULL, '2024-05-06 08:12'),
	(7, 'z', 9, -1.0, 99999999.99, '', false, 2147483647, '2024-05-06 08:21'),
	(8, 'z', 2, 3.0, 0.01, 'zebra', false, 2, '2024-05-06 08:22');

SELECT bag_eq(
$$
	SELECT window_start, window_end,
		count(*) AS c, count(b) AS cb, count(DISTINCT b) AS cdb, count(s) AS cs, count(DISTINCT s) AS cds
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 4, 3, 2, 3, 2),
	('2024-05-06 08:10', '2024-05-06 08:20', 2, 0, 0, 0, 0),
	('2024-05-06 08:20', '2024-05-06 08:30', 2, 2, 2, 2, 2)
$$,
'count counts rows or values, and is 0 in a window of NULLs');

-- Flink gives the average six digits.
SELECT bag_eq(
$$
	SELECT window_start, window_end,
		sum(n) AS sum_n, round(avg(n), 6) AS avg_n, min(n) AS min_n, max(n) AS max_n
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 6.76, 2.253333, -3.50, 10.25),
	('2024-05-06 08:10', '2024-05-06 08:20', NULL, NULL, NULL, NULL),
	('2024-05-06 08:20', '2024-05-06 08:30', 100000000.00, 50000000.000000, 0.01, 99999999.99)
$$,
'sum, avg, min and max of numeric are NULL in a window of NULLs');

SELECT bag_eq(
$$
	SELECT window_start, window_end,
		sum(d) AS sum_d, avg(d) AS avg_d, min(d) AS min_d, max(d) AS max_d
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 4.25, 1.4166666666666667, 0.25, 2.5),
	('2024-05-06 08:10', '2024-05-06 08:20', NULL, NULL, NULL, NULL),
	('2024-05-06 08:20', '2024-05-06 08:30', 2, 1, -1, 3)
$$,
'sum, avg, min and max of double precision are those of Flink');

SELECT bag_eq(
$$
	SELECT window_start, window_end,
		count(*) FILTER (WHERE b > 5) AS c5, sum(d) FILTER (WHERE k = 'x') AS dx,
		count(DISTINCT s) FILTER (WHERE f) AS sf, count(*) FILTER (WHERE s IS NULL) AS nulls
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 3, 4.25, 1, 1),
	('2024-05-06 08:10', '2024-05-06 08:20', 0, NULL, 0, 2),
	('2024-05-06 08:20', '2024-05-06 08:30', 1, NULL, 0, 0)
$$,
'FILTER keeps windows in which no row passes');

SELECT bag_eq(
$$
	SELECT window_start, window_end,
		sum(CASE WHEN f THEN 1 ELSE 0 END) AS t, sum(coalesce(b, 0)) AS sb, max(char_length(s)) AS ml
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 2, 50, 5),
	('2024-05-06 08:10', '2024-05-06 08:20', 0, 0, NULL),
	('2024-05-06 08:20', '2024-05-06 08:30', 0, 11, 5)
$$,
'expressions may stand in aggregates');

SELECT bag_eq(
$$
	SELECT window_start, window_end,
		min(ts::timestamp) AS first_ts, max(ts::timestamp) AS last_ts
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', timestamp '2024-05-06 08:00',
	 timestamp '2024-05-06 08:03'),
	('2024-05-06 08:10', '2024-05-06 08:20', '2024-05-06 08:11', '2024-05-06 08:12'),
	('2024-05-06 08:20', '2024-05-06 08:30', '2024-05-06 08:21', '2024-05-06 08:22')
$$,
'the first and last time of a window are those of its rows');

-- Flink: the averages are 16 and 5, of type BIGINT.
SELECT bag_eq(
$$
	SELECT window_start, sum(b) AS sum_b, round(avg(b), 2) AS avg_b, min(b) AS min_b, max(b) AS max_b
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', 50, 16.67, 10, 30),
	('2024-05-06 08:10', NULL, NULL, NULL, NULL),
	('2024-05-06 08:20', 11, 5.50, 2, 9)
$$,
'avg of bigint is not truncated');

-- Flink: the sum of 2147483647 and 2 is -2147483647, of type INT.
SELECT bag_eq(
$$
	SELECT window_start, sum(i) AS sum_i, avg(i)::numeric(12, 1) AS avg_i, min(i) AS min_i, max(i) AS max_i
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', 20, 5.0, -2, 8),
	('2024-05-06 08:10', NULL, NULL, NULL, NULL),
	('2024-05-06 08:20', 2147483649, 1073741824.5, 2, 2147483647)
$$,
'sum of integer is bigint and does not wrap around');

SELECT bag_eq(
$$
	SELECT window_start, window_end, k, f, count(*) AS cnt
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, GROUPING SETS ((k, f), (k), ())
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 'x', false, 1),
	('2024-05-06 08:00', '2024-05-06 08:10', 'x', true, 1),
	('2024-05-06 08:00', '2024-05-06 08:10', 'x', NULL, 1),
	('2024-05-06 08:00', '2024-05-06 08:10', 'x', NULL, 3),
	('2024-05-06 08:00', '2024-05-06 08:10', 'y', true, 1),
	('2024-05-06 08:00', '2024-05-06 08:10', 'y', NULL, 1),
	('2024-05-06 08:00', '2024-05-06 08:10', NULL, NULL, 4),
	('2024-05-06 08:10', '2024-05-06 08:20', 'y', NULL, 2),
	('2024-05-06 08:10', '2024-05-06 08:20', 'y', NULL, 2),
	('2024-05-06 08:10', '2024-05-06 08:20', NULL, NULL, 2),
	('2024-05-06 08:20', '2024-05-06 08:30', 'z', false, 2),
	('2024-05-06 08:20', '2024-05-06 08:30', 'z', NULL, 2),
	('2024-05-06 08:20', '2024-05-06 08:30', NULL, NULL, 2)
$$,
'grouping sets keep the group of a NULL key apart from the total');

SELECT bag_eq(
$$
	SELECT window_start, window_end, count(*) AS cnt
	FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
	WHERE b IS NOT NULL AND k <> 'z'
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10', 3)
$$,
'WHERE removes rows, and windows left without rows');

SELECT * FROM finish();
ROLLBACK;
