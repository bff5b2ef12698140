-- The highest price of each item in ten minutes, by TIMESTAMP, TIMESTAMP_LTZ and processing
-- time, under two time zones, as Flink SQL.
\i test/setup.psql
BEGIN;
SELECT plan(11);

CALL flink_execute($$
	CREATE TABLE Readings (
	    item STRING,
	    price DOUBLE,
	    ts TIMESTAMP(3), -- without a zone
	    WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
	) WITH (
	    'connector' = 'socket',
	    'hostname' = '127.0.0.1',
	    'port' = '7777',
	    'format' = 'csv'
	);
	CREATE VIEW ReadingMax AS
	    SELECT
	        TUMBLE_START(ts, INTERVAL '10' MINUTES) AS window_start,
	        TUMBLE_END(ts, INTERVAL '10' MINUTES) AS window_end,
	        TUMBLE_ROWTIME(ts, INTERVAL '10' MINUTES) as window_rowtime,
	        item,
	        MAX(price) as max_price
	    FROM Readings
	    GROUP BY TUMBLE(ts, INTERVAL '10' MINUTES), item;

	CREATE TABLE ZonedReadings (
	    item STRING,
	    price DOUBLE,
	    ts BIGINT, -- milliseconds
	    ts_ltz AS TO_TIMESTAMP_LTZ(ts, 3), -- with a zone
	    WATERMARK FOR ts_ltz AS ts_ltz - INTERVAL '10' SECOND
	) WITH (
	    'connector' = 'socket',
	    'hostname' = '127.0.0.1',
	    'port' = '7777',
	    'format' = 'csv'
	);
	CREATE VIEW ZonedReadingMax AS
	    SELECT
	        TUMBLE_START(ts_ltz, INTERVAL '10' MINUTES) AS window_start,
	        TUMBLE_END(ts_ltz, INTERVAL '10' MINUTES) AS window_end,
	        TUMBLE_ROWTIME(ts_ltz, INTERVAL '10' MINUTES) as window_rowtime,
	        item,
	        MAX(price) as max_price
	    FROM ZonedReadings
	    GROUP BY TUMBLE(ts_ltz, INTERVAL '10' MINUTES), item;

	CREATE TABLE PresentReadings (
	    item STRING,
	    price DOUBLE,
	    proctime as PROCTIME()
	) WITH (
	    'connector' = 'socket',
	    'hostname' = '127.0.0.1',
	    'port' = '7777',
	    'format' = 'csv'
	);
	CREATE VIEW PresentReadingMax AS
	    SELECT
	        TUMBLE_START(proctime, INTERVAL '10' MINUTES) AS window_start,
	        TUMBLE_END(proctime, INTERVAL '10' MINUTES) AS window_end,
	        TUMBLE_PROCTIME(proctime, INTERVAL '10' MINUTES) as window_proctime,
	        item,
	        MAX(price) as max_price
	    FROM PresentReadings
	    GROUP BY TUMBLE(proctime, INTERVAL '10' MINUTES), item;
$$);

SELECT results_eq(flink_sql('DESC ' || name), format($$ VALUES
	('window_start', '%1$s', true, NULL::text, NULL::text, NULL::text),
	('window_end', '%1$s', true, NULL, NULL, NULL),
	(%2$s),
	('item', 'STRING', true, NULL, NULL, NULL),
	('max_price', 'DOUBLE', true, NULL, NULL, NULL) $$, type, rowtime), label)
FROM (VALUES
	('ReadingMax', 'TIMESTAMP(6)',
	 $$ 'window_rowtime', 'TIMESTAMP(6) *ROWTIME*', true, NULL, NULL, 'that of readings' $$,
	 'a window over TIMESTAMP has its rowtime'),
	('ZonedReadingMax', 'TIMESTAMP_LTZ(6)',
	 $$ 'window_rowtime', 'TIMESTAMP_LTZ(6) *ROWTIME*', true, NULL, NULL, 'that of zonedreadings' $$,
	 'one over TIMESTAMP_LTZ has its own'),
	('PresentReadingMax', 'TIMESTAMP_LTZ(6)',
	 $$ 'window_proctime', 'TIMESTAMP_LTZ(6) *PROCTIME*', true, NULL, NULL, NULL $$,
	 'one over a processing time has that')
) AS c(name, type, rowtime, label);

CALL flink_execute($$
	INSERT INTO Readings VALUES
		('P', 2.5, TIMESTAMP '2023-03-08 06:21:00.000'), ('Q', 0.7, TIMESTAMP '2023-03-08 06:22:00.000'),
		('P', 2.1, TIMESTAMP '2023-03-08 06:29:59.999'), ('Q', 0.9, TIMESTAMP '2023-03-08 06:25:00.000'),
		('R', 7.0, TIMESTAMP '2023-03-08 06:24:00.000'), ('R', 7.5, TIMESTAMP '2023-03-08 06:31:00.000');
	INSERT INTO ZonedReadings VALUES
		('P', 2.5, 1678256460000), ('Q', 0.7, 1678256520000), ('P', 2.1, 1678256999999),
		('Q', 0.9, 1678256700000), ('R', 7.0, 1678256640000), ('R', 7.5, 1678257060000);
	INSERT INTO PresentReadings VALUES ('P', 2.5), ('Q', 0.7), ('P', 2.1), ('Q', 0.9), ('R', 7.0);
$$);

CREATE TEMP TABLE highest (window_start timestamp, window_end timestamp, window_rowtime timestamp, item text, max_price float8);
INSERT INTO highest VALUES
	('2023-03-08 06:20', '2023-03-08 06:30', '2023-03-08 06:29:59.999', 'P', 2.5),
	('2023-03-08 06:20', '2023-03-08 06:30', '2023-03-08 06:29:59.999', 'Q', 0.9),
	('2023-03-08 06:20', '2023-03-08 06:30', '2023-03-08 06:29:59.999', 'R', 7.0),
	('2023-03-08 06:30', '2023-03-08 06:40', '2023-03-08 06:39:59.999', 'R', 7.5);


CREATE FUNCTION pg_temp.readings(zone text, source text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	CALL flink_execute('SET table.local-time-zone=' || zone);
	RETURN flink_sql(source);
END
$$;

SELECT bag_eq(pg_temp.readings('UTC', 'SELECT * FROM ReadingMax;'), 'TABLE highest',
	'windows over TIMESTAMP, under UTC');
SELECT bag_eq(pg_temp.readings('Asia/Shanghai', 'SELECT * FROM ReadingMax;'), 'TABLE highest',
	'windows over TIMESTAMP are the same under Shanghai');

-- As they are printed: by the clock of the session.
CALL flink_execute($$
	CREATE VIEW Printed AS SELECT CAST(window_start AS TIMESTAMP(3)), CAST(window_end AS TIMESTAMP(3)),
		CAST(window_rowtime AS TIMESTAMP(3)), item, max_price FROM ZonedReadingMax;
$$);
SELECT bag_eq(pg_temp.readings('UTC', 'SELECT * FROM Printed'), 'TABLE highest', 'windows over TIMESTAMP_LTZ, under UTC');
SELECT bag_eq(pg_temp.readings('Asia/Shanghai', 'SELECT * FROM Printed'), $$
	SELECT window_start + eight AS s, window_end + eight AS e, window_rowtime + eight AS r, item, max_price
	FROM highest, (SELECT INTERVAL '8 hours') AS hours(eight)
$$, 'windows over TIMESTAMP_LTZ are eight hours later under Shanghai');

SELECT bag_eq(pg_temp.readings('Asia/Kolkata', $$
	SELECT CAST(window_start AS STRING) AS s, CAST(window_end AS STRING) AS e FROM (
		SELECT TUMBLE_START(ts_ltz, INTERVAL '1' HOUR) AS window_start, TUMBLE_END(ts_ltz, INTERVAL '1' HOUR) AS window_end
		FROM ZonedReadings GROUP BY TUMBLE(ts_ltz, INTERVAL '1' HOUR)) $$),
	$$ VALUES ('2023-03-08 11:00:00.000', '2023-03-08 12:00:00.000'), ('2023-03-08 12:00:00.000', '2023-03-08 13:00:00.000') $$,
	'hours are those of the clock, also where it is half an hour off');

-- By processing time all rows that are there are in the window of the present.
SELECT bag_eq(pg_temp.readings('Asia/Shanghai', 'SELECT item, max_price FROM PresentReadingMax;'),
	$$ VALUES ('P', 2.5::float8), ('Q', 0.9), ('R', 7.0) $$, 'a window over a processing time has the rows that are there');
SELECT results_eq(pg_temp.readings('Asia/Shanghai', $$
	SELECT DISTINCT window_end = window_start + INTERVAL '10' MINUTES, window_proctime >= window_start, window_proctime < window_end,
		MINUTE(CAST(window_start AS TIMESTAMP(3))) - MINUTE(CAST(window_start AS TIMESTAMP(3))) / 10 * 10
	FROM PresentReadingMax $$),
	'VALUES (true, true, true, 0::bigint)', 'it is the ten minutes around the present');
SELECT throws_ok('INSERT INTO presentreadings (proctime) VALUES (now())', '0A000', NULL, 'a processing time cannot be inserted');

SELECT * FROM finish();
ROLLBACK;
