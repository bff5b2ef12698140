\i test/setup.psql
BEGIN;
SELECT no_plan();

-- The index condition of a plan, without casts and the test for NULL; NULL if there is none.
CREATE FUNCTION pg_temp.index_condition(query text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	line text;
	condition text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		condition := coalesce(condition, substring(line FROM 'Index Cond: \((.*)\)$'));
	END LOOP;
	condition := regexp_replace(condition, '::(timestamp with(out)? time zone|interval( [a-z]+)?|bigint)|watermark\.', '', 'g');
	RETURN (SELECT string_agg(regexp_replace(part, '^\((.*)\)$', '\1'), ' AND ' ORDER BY number)
			FROM regexp_split_to_table(condition, ' AND ') WITH ORDINALITY AS s(part, number)
			WHERE part NOT LIKE '%IS NOT NULL%');
END $$;

CREATE TABLE bid (k int, ts timestamp(3) NOT NULL, tz timestamptz(3) NOT NULL);
INSERT INTO bid
SELECT i % 7, t, t AT TIME ZONE 'UTC'
FROM generate_series(1, 5000) AS i, LATERAL (SELECT timestamp '2024-01-01' + i * interval '1 min') AS s(t);
CREATE INDEX ON bid (ts);
CREATE INDEX ON bid (tz);
ANALYZE bid;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL jit = off;

SELECT is(pg_temp.index_condition(format('SELECT count(*) FROM bid AS b, %s AS w WHERE %s', call, condition)), expected,
	format('%s, %s', substring(call FROM '\w+'), condition))
FROM (VALUES
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= '2024-01-02'$$, $$ts >= '2024-01-02 00:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start > '2024-01-02'$$, $$ts >= '2024-01-02 01:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start <= '2024-01-02'$$, $$ts <= '2024-01-02 00:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start < '2024-01-02'$$, $$ts <= '2024-01-01 23:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start = '2024-01-02'$$, $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-02 00:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_end >= '2024-01-02'$$, $$ts >= '2024-01-01 23:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_end > '2024-01-02'$$, $$ts >= '2024-01-02 00:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_end <= '2024-01-02'$$, $$ts < '2024-01-02 00:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_end < '2024-01-02'$$, $$ts <= '2024-01-01 22:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_time = '2024-01-02 00:59:59.999'$$, $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-02 00:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '-10' MINUTE)$$, $$window_start > '2024-01-02'$$, $$ts >= '2024-01-02 00:50:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$'2024-01-02' <= window_start$$, $$ts >= '2024-01-02 00:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start BETWEEN '2024-01-02' AND '2024-01-03'$$, $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-03 00:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start IN ('2024-01-03', NULL, '2024-01-02')$$, $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-03 00:59:59.999999'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= DATE '2024-01-02'$$, $$ts >= '2024-01-02 00:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_end - INTERVAL '5' MINUTE > '2024-01-02'$$, $$ts >= '2024-01-02 00:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= LOCALTIMESTAMP$$, $$ts >= LOCALTIMESTAMP$$),
	($$HOP(b, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR)$$, $$window_start = '2024-01-02'$$, $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-02 02:59:59.999999'$$),
	($$HOP(b, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR)$$, $$window_end > '2024-01-02'$$, $$ts >= '2024-01-01 22:00:00'$$),
	($$CUMULATE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$, $$window_end = '2024-01-02 03:00'$$, $$ts >= '2024-01-02 00:00:00' AND ts < '2024-01-02 03:00:00'$$),
	($$TUMBLE(b, DESCRIPTOR(tz), INTERVAL '1' HOUR)$$, $$window_start >= '2024-01-02' AND window_end <= '2024-01-03'$$, $$tz >= '2024-01-02 00:00:00+00' AND tz < '2024-01-03 00:00:00+00'$$),
	($$TUMBLE(b, DESCRIPTOR(tz), INTERVAL '1' HOUR)$$, $$window_start < '2024-01-02'$$, $$tz <= last_row('2024-01-02 00:00:00+00', '-1', false, 1, '01:00:00', '01:00:00', '00:00:00')$$),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$(window_start >= '2024-01-02' OR k = 1)$$, NULL),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start <> '2024-01-02'$$, NULL),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start = date_bin('1 h', ts, '1970-01-01')$$, NULL),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= (SELECT max(ts) FROM bid LIMIT 1 OFFSET 1)$$, NULL),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= timestamp '2024-01-02' + random() * INTERVAL '1 day'$$, NULL),
	($$TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= now()$$, NULL),
	($$SESSION(b, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= '2024-01-02'$$, NULL)
) AS c(call, condition, expected);

-- Subqueries, views and CTEs
CREATE VIEW hourly AS
SELECT window_start AS s, window_end AS e, window_time AS t, k, count(*) AS n
FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR)
GROUP BY window_start, window_end, window_time, k;

SELECT is(pg_temp.index_condition(query), expected, label)
FROM (VALUES
	($$SELECT * FROM hourly WHERE s = '2024-01-02'$$,
	 $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-02 00:59:59.999999'$$, 'a condition goes into a view that groups'),
	($$SELECT * FROM hourly AS h, TUMBLE(h, DESCRIPTOR(t), INTERVAL '1' DAY) WHERE window_start = '2024-01-02'$$,
	 $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-02 23:59:59.999999'$$, 'through windows over windows'),
	($$WITH a AS (SELECT s AS x, n FROM hourly), b AS (SELECT x, sum(n) FROM a GROUP BY x) SELECT * FROM b WHERE x > '2024-01-03 10:30'$$,
	 $$ts >= '2024-01-03 11:00:00'$$, 'through CTEs that are read once'),
	($$WITH a AS MATERIALIZED (SELECT * FROM hourly) SELECT * FROM a WHERE s > '2024-01-03 10:30'$$, NULL, 'not into one that is to be materialized'),
	($$WITH a AS (SELECT * FROM hourly) SELECT * FROM a WHERE s > '2024-01-03 10:30' AND n < (SELECT count(*) FROM a)$$, NULL, 'nor into one that is read twice'),
	($$SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY s, e ORDER BY n) AS r FROM hourly) AS t WHERE r <= 3 AND s >= '2024-01-02'$$,
	 $$ts >= '2024-01-02 00:00:00'$$, 'through the Top-N of each window'),
	($$SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY n) AS r FROM hourly) AS t WHERE r <= 3 AND s >= '2024-01-02'$$, NULL,
	 'not through a ranking of all windows'),
	($$SELECT * FROM (SELECT * FROM hourly ORDER BY n LIMIT 3) AS t WHERE s >= '2024-01-02'$$, NULL, 'not below LIMIT'),
	($$SELECT * FROM (SELECT DISTINCT ON (k) * FROM hourly ORDER BY k, n) AS t WHERE s >= '2024-01-02'$$, NULL, 'not below DISTINCT ON something else'),
	($$SELECT * FROM (SELECT window_start AS s, k, count(*) FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY CUBE (window_start, k)) AS t WHERE s >= '2024-01-02'$$, NULL, 'not below grouping sets'),
	($$SELECT * FROM (SELECT s FROM hourly UNION ALL SELECT s FROM hourly) AS t WHERE s >= '2024-01-02'$$,
	 $$ts >= '2024-01-02 00:00:00'$$, 'into the branches of UNION ALL'),
	($$SELECT TUMBLE_START(ts, INTERVAL '1' HOUR), count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' HOUR) HAVING TUMBLE_END(ts, INTERVAL '1' HOUR) > '2024-01-02'$$,
	 $$ts >= '2024-01-02 00:00:00'$$, 'from HAVING to the group window TUMBLE'),
	($$SELECT * FROM (SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS s, count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)) AS t WHERE s > '2024-01-02'$$,
	 $$ts >= '2024-01-02 01:00:00'$$, 'and from outside'),
	($$SELECT * FROM (SELECT HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS s, HOP_ROWTIME(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS t, count(*) FROM bid GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR)) AS x WHERE s > '2024-01-02' AND t < '2024-01-03'$$,
	 $$ts >= '2024-01-02 01:00:00' AND ts <= '2024-01-02 23:59:59.999999'$$, 'to the group window HOP'),
	($$SELECT * FROM bid AS b LEFT JOIN LATERAL TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w ON true WHERE w.window_start > '2024-01-02'$$,
	 $$ts >= '2024-01-02 01:00:00'$$, 'through an outer join whose NULLs the condition drops'),
	($$SELECT * FROM bid AS b LEFT JOIN LATERAL TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w ON w.window_start > '2024-01-02'$$,
	 NULL, 'not to rows that an outer join keeps'),
	($$SELECT (SELECT sum(n) FROM hourly WHERE s >= b.ts) FROM bid AS b$$, $$ts >= b.ts$$, 'a bound may come from an outer query'),
	($$DELETE FROM bid USING hourly WHERE bid.k = hourly.n AND s = '2024-01-02'$$,
	 $$ts >= '2024-01-02 00:00:00' AND ts <= '2024-01-02 00:59:59.999999'$$, 'statements that change tables have ranges'),
	($$SELECT * FROM bid AS b, APPLY_WATERMARK(b, DESCRIPTOR(ts), ts) AS w, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS t WHERE is_behind AND t.window_start = '2024-01-02'$$,
	 NULL, 'a watermark that is read sees the rows before the range')
) AS c(query, expected, label);

CREATE DOMAIN event_time AS timestamp(3);
CREATE TABLE of_domain (ts event_time PRIMARY KEY);
SELECT is(pg_temp.index_condition($$SELECT count(*) FROM of_domain AS d, TUMBLE(d, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE window_start > '2024-01-02'$$),
	$$ts >= '2024-01-02 01:00:00'$$, 'a rowtime may be of a domain');

CREATE TABLE target (s timestamp);
MERGE INTO target AS t
USING (bid AS b CROSS JOIN LATERAL TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' DAY) AS w) ON t.s = w.window_start AND w.window_start > '2024-01-03'
WHEN NOT MATCHED THEN INSERT VALUES (window_start);
SELECT is(min(s), '2024-01-01', 'MERGE acts on rows that fail its condition') FROM target;

-- Parameters
PREPARE of_range AS
SELECT count(*) FROM bid AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) WHERE window_start >= $1 AND window_end <= $2;
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT is(pg_temp.index_condition($$EXECUTE of_range('2024-01-02', '2024-01-03')$$),
	$$ts >= $1 AND ts <= last_row($2, '0', true, 1, '01:00:00', '01:00:00', '00:00:00')$$,
	'a generic plan has the range of its parameters');

-- Partitions
CREATE TABLE parted (ts timestamp, tz timestamptz) PARTITION BY RANGE (ts);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%L) TO (%L)', i, timestamp '2024-01-01' + i * interval '1 day', timestamp '2024-01-02' + i * interval '1 day')
FROM generate_series(0, 9) AS i \gexec
CREATE FUNCTION pg_temp.partitions(query text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found text[] := '{}';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		found := found || substring(line FROM 'Scan.* on (parted_\d+)');
	END LOOP;
	RETURN array_to_string(found, ' ');
END $$;
SET LOCAL enable_seqscan = on;
SELECT is(pg_temp.partitions(format('SELECT window_start, count(*) FROM parted AS p, %s AS w WHERE %s GROUP BY window_start', call, condition)), expected,
	format('partitions of %s, %s', substring(call FROM '\w+'), condition))
FROM (VALUES
	($$TUMBLE(p, DESCRIPTOR(ts), INTERVAL '1' HOUR)$$, $$window_start >= '2024-01-03' AND window_start < '2024-01-05'$$, 'parted_2 parted_3'),
	($$TUMBLE(p, DESCRIPTOR(ts), INTERVAL '1' DAY)$$, $$window_end = '2024-01-05'$$, 'parted_3'),
	($$HOP(p, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$, $$window_start = '2024-01-05 01:00'$$, 'parted_4 parted_5'),
	($$CUMULATE(p, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$, $$window_end = '2024-01-05'$$, 'parted_3'),
	($$CUMULATE(p, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$, $$window_time >= '2024-01-09 00:00'$$, 'parted_8 parted_9')
) AS c(call, condition, expected);

SELECT * FROM finish();
ROLLBACK;
