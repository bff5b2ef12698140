-- All forms of INTERVAL, and users counted by event time and processing time, as Flink SQL.
\i test/setup.psql
BEGIN;
SELECT plan(9);

-- 1640966476500 is 2021-12-31 16:01:16.5.
CALL flink_execute($$
	CREATE TABLE shifted (
	    by_year TIMESTAMP(3),
	    by_year_p TIMESTAMP(3),
	    by_year_p_to_month TIMESTAMP(3),
	    by_month TIMESTAMP(3),
	    by_day TIMESTAMP(3),
	    by_day_p1 TIMESTAMP(3),
	    by_day_p1_to_hour TIMESTAMP(3),
	    by_day_p1_to_minute TIMESTAMP(3),
	    by_day_p1_to_second_p2 TIMESTAMP(3),
	    by_hour TIMESTAMP(3),
	    by_hour_to_minute TIMESTAMP(3),
	    by_hour_to_second TIMESTAMP(3),
	    by_minute TIMESTAMP(3),
	    by_minute_to_second_p2 TIMESTAMP(3),
	    by_second TIMESTAMP(3),
	    by_second_p2 TIMESTAMP(3)
	);
	INSERT INTO shifted
	SELECT
	    -- years and months
	    f1 + INTERVAL '10' YEAR as by_year
	    , f1 + INTERVAL '100' YEAR(3) as by_year_p
	    , f1 + INTERVAL '10-03' YEAR(3) TO MONTH as by_year_p_to_month
	    , f1 + INTERVAL '13' MONTH as by_month
	    -- days, hours and seconds: `10 03` is ten days and three hours
	    , f1 + INTERVAL '10' DAY as by_day
	    , f1 + INTERVAL '100' DAY(3) as by_day_p1
	    , f1 + INTERVAL '10 03' DAY(3) TO HOUR as by_day_p1_to_hour
	    , f1 + INTERVAL '10 03:12' DAY(3) TO MINUTE as by_day_p1_to_minute
	    , f1 + INTERVAL '10 00:00:00.004' DAY TO SECOND(3) as by_day_p1_to_second_p2
	    , f1 + INTERVAL '10' HOUR as by_hour
	    , f1 + INTERVAL '10:03' HOUR TO MINUTE as by_hour_to_minute
	    , f1 + INTERVAL '00:00:00.004' HOUR TO SECOND(3) as by_hour_to_second
	    , f1 + INTERVAL '10' MINUTE as by_minute
	    , f1 + INTERVAL '05:05.006' MINUTE TO SECOND(3) as by_minute_to_second_p2
	    , f1 + INTERVAL '3' SECOND as by_second
	    , f1 + INTERVAL '300' SECOND(3) as by_second_p2
	FROM (SELECT TO_TIMESTAMP_LTZ(1640966476500, 3) as f1)
$$);

SELECT results_eq($$ SELECT key, value FROM shifted, json_each_text(row_to_json(shifted)) $$, $$ VALUES
	('by_year', '2031-12-31T16:01:16.5'),
	('by_year_p', '2121-12-31T16:01:16.5'),
	('by_year_p_to_month', '2032-03-31T16:01:16.5'),
	('by_month', '2023-01-31T16:01:16.5'),
	('by_day', '2022-01-10T16:01:16.5'),
	('by_day_p1', '2022-04-10T16:01:16.5'),
	('by_day_p1_to_hour', '2022-01-10T19:01:16.5'),
	('by_day_p1_to_minute', '2022-01-10T19:13:16.5'),
	('by_day_p1_to_second_p2', '2022-01-10T16:01:16.504'),
	('by_hour', '2022-01-01T02:01:16.5'),
	('by_hour_to_minute', '2022-01-01T02:04:16.5'),
	('by_hour_to_second', '2021-12-31T16:01:16.504'),
	('by_minute', '2021-12-31T16:11:16.5'),
	('by_minute_to_second_p2', '2021-12-31T16:06:21.506'),
	('by_second', '2021-12-31T16:01:19.5'),
	('by_second_p2', '2021-12-31T16:06:16.5')
$$, 'each form of INTERVAL is added to a TIMESTAMP_LTZ as Flink adds it');

-- Users of each ten minutes: by a TIMESTAMP, by milliseconds made a TIMESTAMP_LTZ, by the present.
CALL flink_execute($$
	CREATE TABLE logins (
	  user_name STRING,
	  data STRING,
	  login_time TIMESTAMP(3),
	  -- the rowtime, and how far behind it the watermark is
	  WATERMARK FOR login_time AS login_time - INTERVAL '5' SECOND
	) WITH (
	  'connector' = 'kafka'
	);
	CREATE TABLE milli_logins (
	  user_name STRING,
	  data STRING,
	  -- 1. milliseconds
	  ts BIGINT,
	  -- 2. made a time
	  time_ltz AS TO_TIMESTAMP_LTZ(ts, 3),
	  -- 3. which is the rowtime
	  WATERMARK FOR time_ltz AS time_ltz - INTERVAL '5' SECOND
	) WITH (
	  'connector' = 'kafka'
	);
	CREATE TABLE present_logins (
	  user_name STRING,
	  data STRING,
	  -- a processing time
	  login_time AS PROCTIME()
	) WITH (
	  'connector' = 'kafka'
	);
	INSERT INTO logins VALUES
		('eva', 'x', TIMESTAMP '2022-03-01 08:09:59.999'), ('tom', 'x', TIMESTAMP '2022-03-01 08:00:00'),
		('eva', 'y', TIMESTAMP '2022-03-01 08:00:01'), ('ida', 'x', TIMESTAMP '2022-03-01 08:10:00');
	INSERT INTO milli_logins
	SELECT user_name, data, UNIX_TIMESTAMP(CAST(login_time AS STRING)) * 1000 FROM logins;
	INSERT INTO present_logins SELECT user_name, data FROM logins;
$$);

SELECT bag_eq(flink_sql($$
	SELECT TUMBLE_START(login_time, INTERVAL '10' MINUTE), COUNT(DISTINCT user_name)
	FROM logins
	-- the rowtime is in the window
	GROUP BY TUMBLE(login_time, INTERVAL '10' MINUTE);
$$), $$ VALUES (timestamp '2022-03-01 08:00', 2), ('2022-03-01 08:10', 1) $$, 'distinct users are counted by a TIMESTAMP');

SELECT bag_eq(flink_sql($$
	SELECT TUMBLE_START(time_ltz, INTERVAL '10' MINUTE), COUNT(DISTINCT user_name)
	FROM milli_logins
	GROUP BY TUMBLE(time_ltz, INTERVAL '10' MINUTE);
$$), $$ VALUES (timestamptz '2022-03-01 08:00+00', 2), ('2022-03-01 08:10+00', 1) $$, 'and by milliseconds made a TIMESTAMP_LTZ');

SELECT results_eq(flink_sql($$
	SELECT TUMBLE_START(login_time, INTERVAL '10' MINUTE) <= NOW(), COUNT(DISTINCT user_name)
	FROM present_logins
	GROUP BY TUMBLE(login_time, INTERVAL '10' MINUTE);
$$), 'VALUES (true, 3::bigint)', 'and by the present');

SELECT results_eq(flink_sql('DESC ' || name), expected, name || ' has its time')
FROM (VALUES
	('logins', $$ VALUES ('user_name', 'STRING', true, NULL::text, NULL::text, NULL::text), ('data', 'STRING', true, NULL, NULL, NULL),
		('login_time', 'TIMESTAMP(3) *ROWTIME*', true, NULL, NULL, '(login_time - ''00:00:05''::interval second)') $$),
	('milli_logins', $$ VALUES ('user_name', 'STRING', true, NULL::text, NULL::text, NULL::text), ('data', 'STRING', true, NULL, NULL, NULL),
		('ts', 'BIGINT', true, NULL, NULL, NULL),
		('time_ltz', 'TIMESTAMP_LTZ(3) *ROWTIME*', true, NULL, 'AS TO_TIMESTAMP_LTZ(`ts`, 3)',
		 'flink.to_timestamp_ltz(ts, 3)::timestamp(3) with time zone - ''00:00:05''::interval second') $$),
	('present_logins', $$ VALUES ('user_name', 'STRING', true, NULL::text, NULL::text, NULL::text), ('data', 'STRING', true, NULL, NULL, NULL),
		('login_time', 'TIMESTAMP_LTZ(6) *PROCTIME*', true, NULL, 'AS PROCTIME()', NULL) $$)
) AS c(name, expected);

-- Clicks per user: all of them so far, and those of each hour.
CALL flink_execute($$
	CREATE TABLE clicks (`user` VARCHAR(20), cTime TIMESTAMP, url STRING);
	INSERT INTO clicks VALUES
		('Mia', TIMESTAMP '2022-03-01 12:00:00', './home'), ('Max', TIMESTAMP '2022-03-01 12:10:00', './cart'),
		('Mia', TIMESTAMP '2022-03-01 12:59:59', './item?id=5'), ('Mia', TIMESTAMP '2022-03-01 13:00:00', './home');
$$);
SELECT bag_eq(flink_sql('SELECT `user`, COUNT(url) as cnt FROM clicks GROUP BY `user`;'),
	$$ VALUES ('Mia'::varchar, 3), ('Max', 1) $$, 'clicks are counted by the user');
SELECT bag_eq(flink_sql($$
	SELECT `user`, TUMBLE_END(cTime, INTERVAL '1' HOURS) AS endT, COUNT(url) AS cnt
	FROM clicks
	GROUP BY `user`, tumble(cTime, interval '1' hour);
$$), $$ VALUES ('Mia'::varchar, timestamp '2022-03-01 13:00', 2), ('Max', '2022-03-01 13:00', 1), ('Mia', '2022-03-01 14:00', 1) $$,
	'and by the hour');

SELECT * FROM finish();
ROLLBACK;
