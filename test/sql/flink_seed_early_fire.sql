-- The group window TUMBLE with a period and a lateness, over event time and processing
-- time, as Flink SQL.  By hand both have no effect: each window comes once, with all rows.
\i test/setup.psql
BEGIN;
SELECT plan(8);

CALL flink_execute($$
	CREATE TABLE sales (
	  sale_id string,
	  shop string,
	  sale_time timestamp(3),
	  price double,
	  paid double,
	  note string,
	  watermark for sale_time as sale_time - INTERVAL '3' SECOND
	) WITH (
	  'connector' = 'kafka',
	  'topic' = 'sales',
	  'properties.bootstrap.servers' = 'broker1:9092,broker2:9092',
	  'properties.group.id' = 'readers',
	  'scan.startup.mode' = 'latest-offset',
	  'format' = 'json'
	);

	CREATE TABLE counter_sales (
	  sale_id string,
	  shop string,
	  price double,
	  proc as proctime()
	) WITH (
	  'connector' = 'kafka',
	  'topic' = 'counter',
	  'properties.bootstrap.servers' = 'broker1:9092,broker2:9092',
	  'properties.group.id' = 'readers',
	  'scan.startup.mode' = 'latest-offset',
	  'format' = 'json'
	);

	INSERT INTO sales (sale_id, shop, sale_time, price) VALUES
		('a', 'north', TIMESTAMP '2024-02-29 23:59:50', 1.5),
		('b', 'north', TIMESTAMP '2024-02-29 23:59:59.999', 2.5),
		('c', 'south', TIMESTAMP '2024-02-29 23:59:55', 4.0),
		('d', 'north', TIMESTAMP '2024-03-01 00:00:00', 8.0),
		('e', 'north', TIMESTAMP '2024-02-29 23:59:52', 16.0);
	INSERT INTO counter_sales VALUES ('f', 'north', 1.0), ('g', 'south', 2.0);
$$);

SELECT results_eq(flink_sql('DESCRIBE sales'), $$ VALUES
	('sale_id', 'STRING', true, NULL::text, NULL::text, NULL::text),
	('shop', 'STRING', true, NULL, NULL, NULL),
	('sale_time', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, '(sale_time - ''00:00:03''::interval second)'),
	('price', 'DOUBLE', true, NULL, NULL, NULL),
	('paid', 'DOUBLE', true, NULL, NULL, NULL),
	('note', 'STRING', true, NULL, NULL, NULL)
$$, 'keywords and types may be in lower case');

SELECT results_eq(flink_sql('DESCRIBE counter_sales'), $$ VALUES
	('sale_id', 'STRING', true, NULL::text, NULL::text, NULL::text),
	('shop', 'STRING', true, NULL, NULL, NULL),
	('price', 'DOUBLE', true, NULL, NULL, NULL),
	('proc', 'TIMESTAMP_LTZ(6) *PROCTIME*', true, NULL, 'AS PROCTIME()', NULL)
$$, 'a processing time is a column');

CREATE TEMP TABLE takings (shop text, window_start timestamp, window_end timestamp, amount double precision);
INSERT INTO takings VALUES
	('north', '2024-02-29 23:59:50', '2024-03-01 00:00:00', 20),
	('south', '2024-02-29 23:59:50', '2024-03-01 00:00:00', 4),
	('north', '2024-03-01 00:00:00', '2024-03-01 00:00:10', 8);

SELECT bag_eq(flink_sql($$
	SELECT shop,
		TUMBLE_START(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND),
		TUMBLE_END(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND),
		SUM(price)
	FROM sales
	GROUP BY TUMBLE(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND), shop
$$), 'TABLE takings', 'a window has all its rows, also those behind the watermark');

SELECT bag_eq(flink_sql($$
	SELECT shop, TUMBLE_START(sale_time, INTERVAL '10' SECOND), TUMBLE_END(sale_time, INTERVAL '10' SECOND), SUM(price)
	FROM sales
	GROUP BY shop, TUMBLE(sale_time, INTERVAL '10' SECOND)
$$), 'TABLE takings', 'so it has without period and lateness');

SELECT throws_ok(flink_sql($$
	SELECT TUMBLE_START(sale_time, INTERVAL '10' SECOND), SUM(price)
	FROM sales
	GROUP BY TUMBLE(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND)
$$), '42803', 'arguments of tumble_start differ from those of TUMBLE in GROUP BY',
	'auxiliary functions repeat all arguments of the window');

SELECT results_eq(flink_sql($$
	SELECT SUM(price), COUNT(*),
		TUMBLE_END(proc, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND) =
		TUMBLE_START(proc, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND) + INTERVAL '10' SECOND
	FROM counter_sales
	GROUP BY TUMBLE(proc, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND)
$$), 'VALUES (3::double precision, 2::bigint, true)', 'by processing time, the rows that are there are in one window');

-- Into a sink with a key, which takes the last row of each.
CALL flink_execute($$
	CREATE TABLE shop_totals (
	  shop string,
	  window_start timestamp(3),
	  amount double,
	  PRIMARY KEY (shop, window_start) NOT ENFORCED
	) WITH (
	  'connector' = 'upsert-kafka',
	  'topic' = 'totals',
	  'key.format' = 'json',
	  'value.format' = 'json'
	);
	insert into shop_totals
	select shop, TUMBLE_START(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND), sum(price)
	from sales
	group by TUMBLE(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND), shop;
$$);
SELECT bag_eq('TABLE shop_totals', 'SELECT shop, window_start, amount FROM takings', 'a sink with a key takes the windows');

CALL flink_execute($$
	insert into sales (shop, sale_time, price) values ('south', TIMESTAMP '2024-02-29 23:59:57', 32.0);
	insert into shop_totals
	select shop, TUMBLE_START(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND), sum(price)
	from sales
	group by TUMBLE(sale_time, INTERVAL '10' SECOND, INTERVAL '10' SECOND, INTERVAL '10' SECOND), shop;
$$);
SELECT bag_eq('TABLE shop_totals',
	$$ SELECT shop, window_start, amount + CASE shop WHEN 'south' THEN 32 ELSE 0 END FROM takings $$,
	'and their new results when the statement runs again');

SELECT * FROM finish();
ROLLBACK;
