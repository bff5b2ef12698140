\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

-- The first of each window: the slice node keeps no more than may be among them, where
-- nothing sees the others.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;

-- How many of each window the node keeps; NULL if all.
CREATE FUNCTION kept(query text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	SET LOCAL apply_watermark.enable_slice_node = on;
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ 'First of each Window' THEN
			RETURN substring(line FROM '\d+')::integer;
		END IF;
	END LOOP;
	RETURN NULL;
END;
$$;

SELECT setseed(0.3), fill(300, true) \g /dev/null
ANALYZE;
CREATE VIEW hourly AS
SELECT window_start, window_end, k, d, count(*) AS n, sum(v) AS s, min(t) AS t
FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end, k, d;

CREATE TEMP VIEW cases AS
SELECT number, 'SELECT * FROM (' || level || ') AS l WHERE ' || condition AS query, expected, label
FROM (VALUES
	(1, 'SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY n DESC, k, d) AS r FROM hourly', 'r <= 5', 5, 'row_number() <= n'),
	(2, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly', 'r < 3', 2, 'rank() < n'),
	(3, 'SELECT *, dense_rank() OVER (PARTITION BY window_start, window_end ORDER BY n) AS r FROM hourly', '3 >= r', 3, 'n >= dense_rank()'),
	(4, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY t DESC NULLS LAST, s) AS r FROM hourly', 'r = 1', 1, 'a rank that is equal to a number'),
	(5, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n * s - 1, upper(t)) AS r FROM hourly', 'r <= 4', 4, 'an order by expressions'),
	(6, 'SELECT *, rank() OVER (PARTITION BY date_trunc(''day'', window_end) ORDER BY n DESC, s) AS r FROM hourly', 'r <= 4', 4, 'a partition of many windows'),
	(7, 'SELECT *, rank() OVER (ORDER BY n DESC, s) AS r FROM hourly', 'r <= 4', 4, 'no partition'),
	(8, 'SELECT *, rank() OVER w AS r, dense_rank() OVER w AS other FROM hourly WINDOW w AS (PARTITION BY window_end ORDER BY n DESC)', 'r <= 4', 4, 'two functions of one order'),
	(9, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC, s) AS r FROM hourly WHERE n > 1 AND window_end > ''1970-01-01''', 'r <= 4', 4, 'conditions that go to HAVING'),
	(10, 'SELECT window_end, k, rank() OVER (PARTITION BY window_end ORDER BY count(*) DESC) AS r FROM fuzz AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE) GROUP BY window_start, window_end, k', 'r <= 2', 2, 'a rank at the level of the grouping'),
	(11, 'SELECT window_end, k, rank() OVER (PARTITION BY window_end ORDER BY count(*) FILTER (WHERE flag)) AS r FROM fuzz AS f, CUMULATE(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start, window_end, k HAVING sum(v) > 0', 'r <= 2', 2, 'CUMULATE with HAVING'),
	(12, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly', 'r <= 1001', NULL, 'more than 1000'),
	(13, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly', 'r >= 3', NULL, 'the last instead of the first'),
	(14, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly', '(r <= 3 OR k = 1)', NULL, 'an alternative'),
	(15, 'SELECT *, rank() OVER (PARTITION BY window_end, k ORDER BY n DESC, s) AS r FROM hourly', 'r <= 3', NULL, 'a partition of a part of a window'),
	(16, 'SELECT *, rank() OVER (PARTITION BY n, window_end ORDER BY s) AS r FROM hourly', 'r <= 3', NULL, 'a partition by an aggregate'),
	(17, 'SELECT window_end, k, rank() OVER (PARTITION BY count(*) ORDER BY sum(v)) AS r FROM fuzz AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE) GROUP BY window_start, window_end, k', 'r <= 2', NULL, 'a partition by an aggregate without arguments'),
	(18, 'SELECT *, rank() OVER w AS r, sum(n) OVER w AS other FROM hourly WINDOW w AS (PARTITION BY window_end ORDER BY n DESC)', 'r <= 3', NULL, 'a sum over ties'),
	(19, 'SELECT *, rank() OVER w AS r, lead(n) OVER w AS other FROM hourly WINDOW w AS (PARTITION BY window_end ORDER BY n DESC, s, k, d)', 'r <= 3', NULL, 'a function of the next row'),
	(20, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r, rank() OVER (PARTITION BY window_end ORDER BY s) AS other FROM hourly', 'r <= 3', NULL, 'two orders'),
	(21, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly WHERE (k = 1) IS NOT TRUE AND random() >= 0', 'r <= 3', NULL, 'a volatile condition between'),
	(22, 'SELECT h.*, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly AS h JOIN dim USING (k)', 'r <= 3', NULL, 'a join between'),
	(23, 'SELECT window_end, k, sum(n), rank() OVER (PARTITION BY window_end ORDER BY sum(n) DESC) AS r FROM hourly GROUP BY window_end, k', 'r <= 3', NULL, 'a grouping between'),
	(24, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM (SELECT DISTINCT window_end, n FROM hourly) AS h', 'r <= 3', NULL, 'DISTINCT between'),
	(25, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM (SELECT * FROM hourly ORDER BY n, s, k, d, window_end LIMIT 100) AS h', 'r <= 3', NULL, 'LIMIT between'),
	(26, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM (SELECT * FROM hourly UNION ALL SELECT * FROM hourly) AS h', 'r <= 3', NULL, 'UNION ALL between'),
	(27, 'SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC, (SELECT max(dim.k) FROM dim WHERE dim.k > h.k)) AS r FROM hourly AS h', 'r <= 3', NULL, 'an order by a subquery'),
	(28, 'SELECT DISTINCT window_end, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly', 'r <= 3', NULL, 'DISTINCT above')
) AS c(number, level, condition, expected, label);

SELECT is(kept(query), expected, format('%s: the node keeps %s of each window', label, coalesce(expected::text, 'all')))
FROM cases ORDER BY number;
SELECT is(differences, 0::bigint, format('%s gives the same rows', label))
FROM cases, compare(query) ORDER BY number;

-- Two parts of a statement that have the same query; one of them is read whole.
SELECT is(differences, 0::bigint, 'a query that is there twice is not cut where it is read whole')
FROM compare($$SELECT window_end, k, d, n, (SELECT count(*) FROM hourly) FROM (
	SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly) AS h WHERE r <= 2$$);
SELECT is(differences, 0::bigint, 'nor is a CTE that is read twice')
FROM compare($$WITH h AS (SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC) AS r FROM hourly)
	SELECT a.window_end, a.k, a.d, b.n FROM h AS a JOIN h AS b USING (window_end, k, d) WHERE a.r <= 2$$);

-- Of rows that are ranked the same, any may be the first: how many there are is known.
SELECT results_eq(
	$$SELECT window_end, count(*) FROM (SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY 0 * n) AS r FROM hourly) AS h WHERE r <= 3 GROUP BY 1 ORDER BY 1$$,
	$$SELECT window_end, least(count(*), 3) FROM hourly GROUP BY 1 ORDER BY 1$$,
	'row_number() of ties gives out so many');

-- A parameter is a constant when the plan is made for its value.
PREPARE top(integer) AS SELECT count(*) FROM (
	SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n DESC, k, d) AS r FROM hourly) AS h WHERE r <= $1;
SET plan_cache_mode = force_custom_plan;
SELECT is(kept('EXECUTE top(2)'), 2, 'a parameter may say how many');
SET plan_cache_mode = force_generic_plan;
SELECT is(kept('EXECUTE top(2)'), NULL, 'but not in a plan for all values');

-- on disk, in several passes
SELECT setseed(0.4), fill(5000, false) \g /dev/null
ANALYZE fuzz;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT is(differences, 0::bigint, 'the first of windows on disk, by ' || ranks)
FROM unnest('{row_number, rank, dense_rank}'::text[]) AS ranks,
	compare(format($$SELECT * FROM (SELECT *, %s() OVER (PARTITION BY window_end ORDER BY n DESC, s, k, d) AS r FROM hourly) AS h WHERE r <= 3$$, ranks));

SELECT * FROM finish();
ROLLBACK;
