-- The highest price of each item in ten minutes, by timestamp and by timestamptz, under
-- two time zones.  The last window is the one that the running stream has not closed.
\i test/setup.psql
BEGIN;
SELECT plan(5);

CREATE TEMP TABLE my_table2 (
	item text, price double precision, ts timestamp(3),
	CHECK (watermark_for(ts, ts - INTERVAL '10' SECOND))
);
INSERT INTO my_table2 VALUES
	('A', 1.1, '2021-04-15 14:01'), ('B', 1.2, '2021-04-15 14:02'),
	('A', 1.8, '2021-04-15 14:03'), ('B', 2.5, '2021-04-15 14:04'),
	('C', 3.8, '2021-04-15 14:05'), ('C', 3.8, '2021-04-15 14:11');

CREATE TEMP TABLE my_table3 (
	item text, price double precision, ts bigint,
	ts_ltz timestamptz(3) GENERATED ALWAYS AS (to_timestamp_ltz(ts, 3)) STORED,
	CHECK (watermark_for(ts_ltz, ts_ltz - INTERVAL '10' SECOND))
);
INSERT INTO my_table3 VALUES
	('A', 1.1, 1618495260000), ('B', 1.2, 1618495320000), ('A', 1.8, 1618495380000),
	('B', 2.5, 1618495440000), ('C', 3.8, 1618495500000), ('C', 3.8, 1618495860000);

SET LOCAL timezone = 'UTC';

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '10' MINUTE) AS window_start,
		TUMBLE_END(ts, INTERVAL '10' MINUTE) AS window_end,
		TUMBLE_ROWTIME(ts, INTERVAL '10' MINUTE) AS window_rowtime,
		item,
		MAX(price) AS max_price
	FROM my_table2
	GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE), item
$$,
$$ VALUES
	(timestamp '2021-04-15 14:00', timestamp '2021-04-15 14:10', timestamp '2021-04-15 14:09:59.999',
	 'A', 1.8),
	('2021-04-15 14:00', '2021-04-15 14:10', '2021-04-15 14:09:59.999', 'B', 2.5),
	('2021-04-15 14:00', '2021-04-15 14:10', '2021-04-15 14:09:59.999', 'C', 3.8),
	('2021-04-15 14:10', '2021-04-15 14:20', '2021-04-15 14:19:59.999', 'C', 3.8)
$$,
'windows of timestamp under UTC');

SET LOCAL timezone = 'UTC';

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts_ltz, INTERVAL '10' MINUTE)::timestamp AS window_start,
		TUMBLE_END(ts_ltz, INTERVAL '10' MINUTE)::timestamp AS window_end,
		TUMBLE_ROWTIME(ts_ltz, INTERVAL '10' MINUTE)::timestamp AS window_rowtime,
		item,
		MAX(price) AS max_price
	FROM my_table3
	GROUP BY TUMBLE(ts_ltz, INTERVAL '10' MINUTE), item
$$,
$$ VALUES
	(timestamp '2021-04-15 14:00', timestamp '2021-04-15 14:10', timestamp '2021-04-15 14:09:59.999',
	 'A', 1.8),
	('2021-04-15 14:00', '2021-04-15 14:10', '2021-04-15 14:09:59.999', 'B', 2.5),
	('2021-04-15 14:00', '2021-04-15 14:10', '2021-04-15 14:09:59.999', 'C', 3.8),
	('2021-04-15 14:10', '2021-04-15 14:20', '2021-04-15 14:19:59.999', 'C', 3.8)
$$,
'windows of timestamptz under UTC');

SET LOCAL timezone = 'Asia/Shanghai';

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts, INTERVAL '10' MINUTE) AS window_start,
		TUMBLE_END(ts, INTERVAL '10' MINUTE) AS window_end,
		TUMBLE_ROWTIME(ts, INTERVAL '10' MINUTE) AS window_rowtime,
		item,
		MAX(price) AS max_price
	FROM my_table2
	GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE), item
$$,
$$ VALUES
	(timestamp '2021-04-15 14:00', timestamp '2021-04-15 14:10', timestamp '2021-04-15 14:09:59.999',
	 'A', 1.8),
	('2021-04-15 14:00', '2021-04-15 14:10', '2021-04-15 14:09:59.999', 'B', 2.5),
	('2021-04-15 14:00', '2021-04-15 14:10', '2021-04-15 14:09:59.999', 'C', 3.8),
	('2021-04-15 14:10', '2021-04-15 14:20', '2021-04-15 14:19:59.999', 'C', 3.8)
$$,
'windows of timestamp are the same in Shanghai');

SELECT bag_eq(
$$
	SELECT
		TUMBLE_START(ts_ltz, INTERVAL '10' MINUTE)::timestamp AS window_start,
		TUMBLE_END(ts_ltz, INTERVAL '10' MINUTE)::timestamp AS window_end,
		TUMBLE_ROWTIME(ts_ltz, INTERVAL '10' MINUTE)::timestamp AS window_rowtime,
		item,
		MAX(price) AS max_price
	FROM my_table3
	GROUP BY TUMBLE(ts_ltz, INTERVAL '10' MINUTE), item
$$,
$$ VALUES
	(timestamp '2021-04-15 22:00', timestamp '2021-04-15 22:10', timestamp '2021-04-15 22:09:59.999',
	 'A', 1.8),
	('2021-04-15 22:00', '2021-04-15 22:10', '2021-04-15 22:09:59.999', 'B', 2.5),
	('2021-04-15 22:00', '2021-04-15 22:10', '2021-04-15 22:09:59.999', 'C', 3.8),
	('2021-04-15 22:10', '2021-04-15 22:20', '2021-04-15 22:19:59.999', 'C', 3.8)
$$,
'windows of timestamptz are shown by the clock of Shanghai');

SELECT bag_eq(
$$
	SELECT window_start::timestamp, window_end::timestamp, window_time::timestamp, item, MAX(price)
	FROM my_table3 AS t, TUMBLE(t, DESCRIPTOR(ts_ltz), INTERVAL '10' MINUTE)
	GROUP BY window_start, window_end, window_time, item
$$,
$$
	SELECT
		TUMBLE_START(ts_ltz, INTERVAL '10' MINUTE)::timestamp,
		TUMBLE_END(ts_ltz, INTERVAL '10' MINUTE)::timestamp,
		TUMBLE_ROWTIME(ts_ltz, INTERVAL '10' MINUTE)::timestamp,
		item, MAX(price)
	FROM my_table3
	GROUP BY TUMBLE(ts_ltz, INTERVAL '10' MINUTE), item
$$,
'the window function gives the rows of the group window');

SELECT * FROM finish();
ROLLBACK;
