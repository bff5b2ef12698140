-- The ten hottest items of the last two seconds, each second: HOP_END in an ordinary Top-N.
\i test/setup.psql
BEGIN;
SELECT plan(4);

CREATE TEMP TABLE input_table (
	user_id bigint, item_id bigint, category_id integer, behavior varchar(11), action_time bigint,
	ts timestamp(3) GENERATED ALWAYS AS (timestamp '1970-01-01' + action_time * INTERVAL '1' SECOND) STORED,
	CHECK (watermark_for(ts, ts - INTERVAL '1' SECOND))
);
INSERT INTO input_table VALUES
	(1, 11, 1, 'pv', 1511658000), (2, 11, 1, 'pv', 1511658000), (3, 12, 1, 'pv', 1511658001),
	(4, 11, 1, 'buy', 1511658001), (5, 12, 1, 'pv', 1511658001), (6, 12, 1, 'pv', 1511658001),
	(7, 13, 2, 'pv', 1511658003), (8, 11, 1, 'pv', 1511658002), (9, 12, 1, 'pv', 1511658000),
	(1, 13, 2, 'pv', 1511658003), (2, 11, 1, 'pv', 1511658004), (3, 11, 1, 'pv', 1511658004),
	(3, 11, 1, 'pv', 1511658004), (4, 14, 2, 'cart', 1511658007), (5, 13, 2, 'pv', 1511658003);

CREATE TEMP TABLE hot (item_id bigint, window_end timestamp, cnt bigint, row_num bigint);
INSERT INTO hot VALUES
	(11, timestamp '2017-11-26 01:00:01', 2, 1),
	(12, '2017-11-26 01:00:01', 1, 2),
	(12, '2017-11-26 01:00:02', 4, 1),
	(11, '2017-11-26 01:00:02', 2, 2),
	(12, '2017-11-26 01:00:03', 3, 1),
	(11, '2017-11-26 01:00:03', 1, 2),
	(13, '2017-11-26 01:00:04', 3, 1),
	(11, '2017-11-26 01:00:04', 1, 2),
	(11, '2017-11-26 01:00:05', 3, 1),
	(13, '2017-11-26 01:00:05', 3, 2),
	(11, '2017-11-26 01:00:06', 3, 1)
;

PREPARE one_statement AS
SELECT *
FROM (
	SELECT *
		, row_number() OVER (PARTITION BY windowEnd ORDER BY cnt DESC) AS row_num
	FROM (
		SELECT item_id
			, HOP_END(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND) AS windowEnd
			, COUNT(item_id) AS cnt
		FROM input_table
		WHERE behavior = 'pv'
		GROUP BY
			item_id
			, HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND)
		) AS tmp_agg) AS ranked
WHERE row_num <= 10;

CREATE TEMP VIEW agg_table AS
SELECT item_id
	, HOP_END(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND) AS windowEnd
	, COUNT(item_id) AS cnt
FROM input_table
WHERE behavior = 'pv'
GROUP BY
	item_id
	, HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND);

PREPARE through_view AS
SELECT *
FROM (
	SELECT *
		, row_number() OVER (PARTITION BY windowEnd ORDER BY cnt DESC) AS row_num
	FROM agg_table) AS ranked
WHERE row_num <= 10;

-- Items 11 and 13 tie at 01:00:05: which of them is first is not determined.
CREATE TEMP TABLE in_one AS EXECUTE one_statement;
CREATE TEMP TABLE in_two AS EXECUTE through_view;

SELECT bag_eq(
	'SELECT item_id, windowEnd, cnt FROM in_one',
	'SELECT item_id, window_end, cnt FROM hot',
	'one statement counts the views of each item in windows of two seconds');

SELECT bag_eq(
	'SELECT windowEnd, cnt, row_num FROM in_one',
	'SELECT window_end, cnt, row_num FROM hot',
	'one statement numbers the items of each window by their views');

SELECT bag_eq(
	'SELECT item_id, windowEnd, cnt FROM in_two',
	'SELECT item_id, window_end, cnt FROM hot',
	'a view of the windows counts the same');

SELECT bag_eq(
	'SELECT windowEnd, cnt, row_num FROM in_two',
	'SELECT window_end, cnt, row_num FROM hot',
	'Top-N over the view numbers the same');

SELECT * FROM finish();
ROLLBACK;
