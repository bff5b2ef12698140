-- First and last rows of windows, with the rows that Apache Flink 2.3 returns.
\i test/setup.psql
BEGIN;
SELECT plan(3);

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
	SELECT id, item, price, window_start, window_end
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end, item ORDER BY ts ASC) AS rn
		FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS ranked
	WHERE rn = 1
$$,
$$ VALUES
	(1, 'pc', 10, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10'),
	(3, 'phone', 20, '2024-05-06 08:00', '2024-05-06 08:10'),
	(9, 'tv', 15, '2024-05-06 08:00', '2024-05-06 08:10'),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20'),
	(8, 'tv', 45, '2024-05-06 08:10', '2024-05-06 08:20'),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20'),
	(11, 'tv', 99, '2024-05-06 08:20', '2024-05-06 08:30'),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30'),
	(14, 'phone', 96, '2024-05-06 08:20', '2024-05-06 08:30')
$$,
'the first row of each item in each window');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end, item ORDER BY ts DESC) AS rn
		FROM bids AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) AS ranked
	WHERE rn = 1
$$,
$$ VALUES
	(4, 'pc', 25, timestamp '2024-05-06 08:00', timestamp '2024-05-06 08:10'),
	(6, 'phone', NULL, '2024-05-06 08:00', '2024-05-06 08:10'),
	(9, 'tv', 15, '2024-05-06 08:00', '2024-05-06 08:10'),
	(8, 'tv', 45, '2024-05-06 08:10', '2024-05-06 08:20'),
	(10, 'pc', 1, '2024-05-06 08:10', '2024-05-06 08:20'),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20'),
	(11, 'tv', 99, '2024-05-06 08:20', '2024-05-06 08:30'),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30'),
	(14, 'phone', 96, '2024-05-06 08:20', '2024-05-06 08:30')
$$,
'the last row of each item in each window');

SELECT bag_eq(
$$
	SELECT id, item, price, window_start, window_end
	FROM (
		SELECT id, item, price, window_start, window_end,
			ROW_NUMBER() OVER (PARTITION BY window_start, window_end, item ORDER BY ts ASC) AS rn
		FROM bids AS b, HOP(b, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)) AS ranked
	WHERE rn = 1
$$,
$$ VALUES
	(1, 'pc', 10, timestamp '2024-05-06 07:55', timestamp '2024-05-06 08:05'),
	(3, 'phone', 20, '2024-05-06 07:55', '2024-05-06 08:05'),
	(1, 'pc', 10, '2024-05-06 08:00', '2024-05-06 08:10'),
	(3, 'phone', 20, '2024-05-06 08:00', '2024-05-06 08:10'),
	(9, 'tv', 15, '2024-05-06 08:00', '2024-05-06 08:10'),
	(5, 'phone', 5, '2024-05-06 08:05', '2024-05-06 08:15'),
	(7, 'pc', 50, '2024-05-06 08:05', '2024-05-06 08:15'),
	(9, 'tv', 15, '2024-05-06 08:05', '2024-05-06 08:15'),
	(7, 'pc', 50, '2024-05-06 08:10', '2024-05-06 08:20'),
	(8, 'tv', 45, '2024-05-06 08:10', '2024-05-06 08:20'),
	(13, 'phone', 97, '2024-05-06 08:10', '2024-05-06 08:20'),
	(10, 'pc', 1, '2024-05-06 08:15', '2024-05-06 08:25'),
	(11, 'tv', 99, '2024-05-06 08:15', '2024-05-06 08:25'),
	(13, 'phone', 97, '2024-05-06 08:15', '2024-05-06 08:25'),
	(11, 'tv', 99, '2024-05-06 08:20', '2024-05-06 08:30'),
	(12, 'pc', 98, '2024-05-06 08:20', '2024-05-06 08:30'),
	(14, 'phone', 96, '2024-05-06 08:20', '2024-05-06 08:30'),
	(14, 'phone', 96, '2024-05-06 08:25', '2024-05-06 08:35')
$$,
'the first row of each item in each hopping window');

SELECT * FROM finish();
ROLLBACK;
