\i test/setup.psql
BEGIN;
-- The plans of PostgreSQL's own nodes
SET apply_watermark.enable_slice_node = off;
SELECT plan(32);

-- A plan is what EXPLAIN prints, costs aside.  It qualifies columns where the
-- query has more than one item; that is no difference.
CREATE FUNCTION pg_temp.plan(query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		RETURN NEXT regexp_replace(line, '\m(bid|b|o)\.', '', 'g');
	END LOOP;
END $$;

CREATE FUNCTION pg_temp.explained(query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN ' || query;
END $$;

CREATE FUNCTION pg_temp.same_plan(query text, by_hand text, label text) RETURNS text
LANGUAGE sql AS $$
	SELECT is(
		(SELECT string_agg(line, E'\n') FROM pg_temp.plan(query) AS line),
		(SELECT string_agg(line, E'\n') FROM pg_temp.plan(by_hand) AS line),
		label);
$$;

CREATE TABLE bid (k int, ts timestamp(3), tz timestamptz(3));
INSERT INTO bid
SELECT i % 7, t, t AT TIME ZONE 'UTC'
FROM generate_series(1, 10000) AS i, LATERAL (SELECT timestamp '2024-01-01' + i * interval '1 s') AS s(t);
CREATE INDEX ON bid (ts);
CREATE TABLE strict_bid (k int, ts timestamp(3) NOT NULL);
INSERT INTO strict_bid SELECT k, ts FROM bid;
ANALYZE bid, strict_bid;

SELECT pg_temp.same_plan(
	$$SELECT window_start, window_end, k, count(*) FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k$$,
	$$SELECT date_bin(INTERVAL '1' MINUTE, ts, '1970-01-01'), date_bin(INTERVAL '1' MINUTE, ts, '1970-01-01') + INTERVAL '1' MINUTE, k, count(*)
	FROM bid WHERE ts IS NOT NULL GROUP BY 1, 2, 3$$,
	'TUMBLE has the plan of date_bin() by hand');
SELECT pg_temp.same_plan(
	$$SELECT window_start, count(*) FROM strict_bid AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start$$,
	$$SELECT date_bin(INTERVAL '1' HOUR, ts, '1970-01-01'), count(*) FROM strict_bid AS b GROUP BY 1$$,
	'on a NOT NULL column TUMBLE adds no filter');
SELECT pg_temp.same_plan(
	$$SELECT window_time FROM bid AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '15' MINUTE) WHERE ts < '2024-01-01 00:01'$$,
	$$SELECT date_bin(INTERVAL '1' HOUR, ts, '1970-01-01 00:15') + INTERVAL '1' HOUR - INTERVAL '1 millisecond' FROM bid AS b WHERE ts < '2024-01-01 00:01' AND ts IS NOT NULL$$,
	'TUMBLE leaves the index to a condition on the time');
SELECT pg_temp.same_plan(
	$$SELECT k, w.window_start FROM bid AS b LEFT JOIN LATERAL TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w ON true$$,
	$$SELECT k, w.s FROM bid AS b LEFT JOIN LATERAL (SELECT date_bin(INTERVAL '1' HOUR, ts, '1970-01-01') AS s) AS w ON ts IS NOT NULL$$,
	'in an outer join the filter on the time is a join condition');
SELECT pg_temp.same_plan(
	$$SELECT count(*) FROM strict_bid AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$,
	$$SELECT count(*) FROM strict_bid AS b$$,
	'where no column of TUMBLE is read, nothing of it is left');

-- timestamptz: the same nodes, with our function for the wall clock
SELECT set_eq(
	$$SELECT regexp_replace(line, 'Group Key: .*', 'Group Key') FROM pg_temp.plan($q$
		SELECT window_start, count(*) FROM bid, TUMBLE(bid, DESCRIPTOR(tz), INTERVAL '1' MINUTE) GROUP BY window_start$q$) AS line$$,
	ARRAY['HashAggregate', '  Group Key', '  ->  Seq Scan on bid', '        Filter: (tz IS NOT NULL)'],
	'TUMBLE on timestamptz is flattened as well');

-- Watermarks
SELECT pg_temp.same_plan(
	format('SELECT %s FROM bid AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL ''5'' SECOND) %s', columns, rest),
	format('SELECT %s FROM bid AS o %s', columns, rest),
	'unread APPLY_WATERMARK leaves no trace: SELECT ' || columns || ' ' || rest)
FROM (VALUES
	('k, ts', ''),
	('o.*', 'WHERE ts < ''2024-01-01 00:01'''),
	('o', 'ORDER BY ts LIMIT 3'),
	('k, count(*)', 'GROUP BY k HAVING count(*) > 1'),
	('ts', 'FOR UPDATE OF o'),
	('ctid', '')
) AS c(columns, rest);
SELECT pg_temp.same_plan(
	$$SELECT window_start, count(*) FROM bid AS o, APPLY_WATERMARK(strategy => ts, input => o, rowtime => DESCRIPTOR(ts)),
		TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end$$,
	$$SELECT window_start, count(*) FROM bid AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end$$,
	'TUMBLE over an unread watermark is TUMBLE alone');
SELECT pg_temp.same_plan(
	$$SELECT k FROM bid WHERE watermark_for(ts, ts - INTERVAL '5' SECOND) AND ts < '2024-01-01 00:01'$$,
	$$SELECT k FROM bid WHERE ts < '2024-01-01 00:01'$$,
	'watermark_for() leaves no trace');
CREATE VIEW checked AS SELECT * FROM bid WHERE watermark_for(ts, ts - INTERVAL '5' SECOND);
CREATE VIEW unchecked AS SELECT * FROM bid;
SELECT pg_temp.same_plan(
	format('SELECT * FROM (TABLE %1$s UNION ALL TABLE %1$s) AS u ORDER BY ts LIMIT 1', 'checked'),
	format('SELECT * FROM (TABLE %1$s UNION ALL TABLE %1$s) AS u ORDER BY ts LIMIT 1', 'unchecked'),
	'nor in the branches of UNION ALL');

-- Views of all columns: what is not read above them is gone before planning.
CREATE VIEW marked AS SELECT * FROM bid AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '5' SECOND);
CREATE VIEW renamed AS SELECT is_behind AS late, watermark AS w, * FROM marked;
SELECT pg_temp.same_plan(query, by_hand, label)
FROM (VALUES
	($$SELECT k FROM marked WHERE ts < '2024-01-01 00:01'$$, $$SELECT k FROM bid AS o WHERE ts < '2024-01-01 00:01'$$,
	 'a view of all columns keeps the index'),
	($$SELECT k FROM renamed WHERE ts < '2024-01-01 00:01'$$, $$SELECT k FROM bid AS o WHERE ts < '2024-01-01 00:01'$$,
	 'a view over a view as well'),
	($$SELECT window_start FROM marked AS m, TUMBLE(m, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE ts < '2024-01-01 00:01'$$,
	 $$SELECT window_start FROM bid AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE ts < '2024-01-01 00:01'$$,
	 'below a window as well'),
	($$SELECT (SELECT max(k) FROM marked AS m WHERE m.ts = b.ts) FROM strict_bid AS b$$,
	 $$SELECT (SELECT max(k) FROM bid AS o WHERE o.ts = b.ts) FROM strict_bid AS b$$,
	 'in a correlated subquery as well')
) AS c(query, by_hand, label);
SELECT matches((SELECT string_agg(line, E'\n') FROM pg_temp.plan(query) AS line), 'WindowAgg', label)
FROM (VALUES
	($$SELECT late FROM renamed WHERE k = 1$$, 'a watermark that is read stays'),
	($$SELECT k FROM renamed WHERE w > '2024-01-01'$$, 'so does one that is read by a condition'),
	($$SELECT m FROM marked AS m$$, 'so does one that is in a row that is read'),
	($$SELECT k FROM (SELECT DISTINCT k, is_behind FROM marked) AS d$$, 'so does one that rows are told apart by')
) AS c(query, label);

-- Parallel plans
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL enable_indexscan = off;
SET LOCAL enable_bitmapscan = off;

SELECT pg_temp.same_plan(
	$$SELECT window_start, count(*) FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start$$,
	$$SELECT date_bin(INTERVAL '1' DAY, ts, '1970-01-01'), count(*) FROM bid WHERE ts IS NOT NULL GROUP BY 1$$,
	'TUMBLE keeps the parallel plan');
SELECT pg_temp.same_plan(
	$$SELECT count(*) FROM bid AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)$$,
	$$SELECT count(*) FROM bid AS o$$,
	'an unread watermark keeps the parallel plan');
SELECT matches(
	(SELECT string_agg(line, E'\n') FROM pg_temp.plan(query) AS line), 'Gather', label)
FROM (VALUES
	($$SELECT count(*) FROM bid AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)$$,
	 'the plan without a watermark is parallel here'),
	($$SELECT TUMBLE_START(tz, INTERVAL '1' DAY), count(*) FROM bid GROUP BY TUMBLE(tz, INTERVAL '1' DAY)$$,
	 'the group window TUMBLE is parallel'),
	($$SELECT HOP_START(ts, INTERVAL '1' DAY, INTERVAL '1' DAY), count(*) FROM bid GROUP BY HOP(ts, INTERVAL '1' DAY, INTERVAL '1' DAY)$$,
	 'the group window HOP is parallel')
) AS c(query, label);
SELECT doesnt_match(
	(SELECT string_agg(line, E'\n') FROM pg_temp.plan(
		$$SELECT count(*) FROM bid AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) WHERE is_behind$$) AS line),
	'Gather|Parallel', 'below a watermark that is read, rows come in the order of the scan');

CREATE TABLE parted (k int, ts timestamp) PARTITION BY LIST (k);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (4, 5, 6);
INSERT INTO parted SELECT k, ts FROM bid;
ANALYZE parted;
SELECT doesnt_match(
	(SELECT string_agg(line, E'\n') FROM pg_temp.plan(
		$$SELECT count(*) FROM parted AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) WHERE is_behind$$) AS line),
	'Gather|Parallel', 'of a partitioned table as well');

-- Estimates: one row in so many windows
SELECT is((SELECT (regexp_match(line, 'rows=(\d+)'))[1]
		   FROM pg_temp.explained(query) AS line WHERE line LIKE '%Function Scan%'), rows, label)
FROM (VALUES
	($$HOP(o, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '1' MINUTE)$$, '60',
	 'HOP is estimated at size by slide rows'),
	($$CUMULATE(o, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' DAY)$$, '720',
	 'CUMULATE is estimated at half of size by step rows')
) AS c(call, rows, label), format('SELECT * FROM bid AS o, %s', call) AS query;

SELECT * FROM finish();
ROLLBACK;
