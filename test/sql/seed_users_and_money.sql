-- Users of each ten minutes, and the money of the day so far with an alert above it.
\i test/setup.psql
BEGIN;
SELECT plan(5);

CREATE TEMP TABLE user_actions (
	user_name text, data text, ts bigint,
	time_ltz timestamptz(3) GENERATED ALWAYS AS (to_timestamp_ltz(ts, 3)) STORED,
	CHECK (watermark_for(time_ltz, time_ltz - INTERVAL '5' SECOND))
);
INSERT INTO user_actions VALUES
	('ann', 'x', 1618495260000), ('bob', 'x', 1618495290000), ('ann', 'x', 1618495460000),
	('cy', 'x', 1618495805000), ('bob', 'x', 1618495670000), ('ann', 'x', 1618495806000),
	('bob', 'x', 1618495560000), ('dee', 'x', 1618496360000), ('ann', 'x', 1618496460000);

PREPARE users AS VALUES
	(timestamp '2021-04-15 14:00', 2),
	('2021-04-15 14:10', 3),
	('2021-04-15 14:20', 1)
;

SELECT bag_eq(
$$
	SELECT TUMBLE_START(time_ltz, INTERVAL '10' MINUTE)::timestamp, COUNT(DISTINCT user_name)
	FROM user_actions
	GROUP BY TUMBLE(time_ltz, INTERVAL '10' MINUTE)
$$,
'users',
'distinct users are counted by the timestamptz made of milliseconds');

SELECT bag_eq(
$$
	SELECT TUMBLE_START(user_action_time, INTERVAL '10' MINUTE), COUNT(DISTINCT user_name)
	FROM (SELECT user_name, data, time_ltz::timestamp AS user_action_time FROM user_actions) AS user_actions
	GROUP BY TUMBLE(user_action_time, INTERVAL '10' MINUTE)
$$,
'users',
'distinct users are counted by timestamp');

SET LOCAL timezone = 'Asia/Shanghai';

CREATE TEMP TABLE source_table (
	id bigint, money bigint, row_time timestamptz(3),
	CHECK (watermark_for(row_time, row_time - INTERVAL '5' SECOND))
);
INSERT INTO source_table VALUES
	(1, 100, '2024-05-06 00:00+00'), (2, 50, '2024-05-06 00:00:04.999+00'),
	(1, 7, '2024-05-06 00:00:05+00'), (3, 9, '2024-05-06 00:00:13+00'),
	(4, 1, '2024-05-06 00:00:09+00'), (5, 2, '2024-05-06 00:00:07+00'),
	(2, 3, '2024-05-06 00:00:26+00');

-- The result of a minute instead of a day, as Flink printed it.
SELECT bag_eq(
$$
	SELECT extract(epoch FROM window_end)::bigint * 1000 AS window_end,
		window_start::timestamp,
		sum(money) AS sum_money,
		count(DISTINCT id) AS count_distinct_id
	FROM source_table AS s, CUMULATE(s, DESCRIPTOR(row_time), INTERVAL '5' SECOND, INTERVAL '1' MINUTE)
	GROUP BY window_start, window_end
$$,
$$ VALUES
	(1714953605000, timestamp '2024-05-06 08:00', 150, 2),
	(1714953610000, '2024-05-06 08:00', 160, 4),
	(1714953615000, '2024-05-06 08:00', 169, 5),
	(1714953620000, '2024-05-06 08:00', 169, 5),
	(1714953625000, '2024-05-06 08:00', 169, 5),
	(1714953630000, '2024-05-06 08:00', 172, 5),
	(1714953635000, '2024-05-06 08:00', 172, 5),
	(1714953640000, '2024-05-06 08:00', 172, 5),
	(1714953645000, '2024-05-06 08:00', 172, 5),
	(1714953650000, '2024-05-06 08:00', 172, 5),
	(1714953655000, '2024-05-06 08:00', 172, 5),
	(1714953660000, '2024-05-06 08:00', 172, 5)
$$,
'money and distinct ids accumulate every five seconds');

CREATE TEMP VIEW money_of_day AS
SELECT extract(epoch FROM window_end)::bigint * 1000 AS window_end,
	window_start,
	sum(money) AS sum_money,
	count(DISTINCT id) AS count_distinct_id
FROM source_table AS s, CUMULATE(s, DESCRIPTOR(row_time), INTERVAL '5' SECOND, INTERVAL '1' DAY)
GROUP BY window_start, window_end;

-- 2024-05-06 00:00 in Shanghai, and 08:00:05 to midnight in steps of five seconds.
SELECT results_eq(
$$
	SELECT min(window_start), min(window_end), max(window_end), count(*), max(sum_money)
	FROM money_of_day
$$,
$$ VALUES (timestamptz '2024-05-05 16:00+00', 1714953605000, 1715011200000, 11520::bigint, 172::numeric) $$,
'the day of Shanghai accumulates to its midnight');

INSERT INTO source_table VALUES
	(6, 9828, '2024-05-06 00:00:31+00'), (7, 1, '2024-05-06 00:00:36+00'), (8, 100, '2024-05-06 16:00+00');

SELECT results_eq(
$$
	SELECT min(window_end), max(window_end), min(sum_money), max(count_distinct_id), count(*)
	FROM money_of_day
	WHERE sum_money > 10000
$$,
$$ VALUES (1714953640000, 1715011200000, 10001::numeric, 7::bigint, 11513::bigint) $$,
'the alert is raised by the first step that passes 10000, not by the one that reaches it, and ends with the day');

SELECT * FROM finish();
ROLLBACK;
