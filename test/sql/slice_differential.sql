\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT plan(9);

-- The slice node against PostgreSQL's plan without it, row by row, and against rows put
-- into windows by hand.  More of the same is in bench/.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
CREATE TABLE result (problem text, n_used bigint, n_by_hand bigint);

-- rows in order of time
SELECT setseed(0.11), fill(400, true) \g /dev/null
ANALYZE fuzz;
INSERT INTO result SELECT * FROM compare_queries(60);
SELECT is_empty('SELECT problem FROM result WHERE problem IS NOT NULL',
	'rows in order give the windows of the plan without the node');
SELECT cmp_ok((SELECT max(n_used) FROM result), '>=', 50::bigint, 'the node takes most of these queries');
SELECT cmp_ok((SELECT max(n_by_hand) FROM result), '>=', 25::bigint, 'many of them are compared with SQL by hand');
TRUNCATE result;

-- rows in no order
SELECT setseed(0.12), fill(400, false) \g /dev/null
ANALYZE fuzz;
INSERT INTO result SELECT * FROM compare_queries(60);
SELECT is_empty('SELECT problem FROM result WHERE problem IS NOT NULL',
	'so do rows in no order');
SELECT cmp_ok((SELECT max(n_used) FROM result), '>=', 40::bigint, 'the node takes most of them as well');
TRUNCATE result;

-- on disk: of few slices, so that the planner lets them
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT setseed(0.13), fill(2500, true) \g /dev/null
ANALYZE fuzz;
INSERT INTO result SELECT * FROM compare_queries(50);
SELECT is_empty('SELECT problem FROM result WHERE problem IS NOT NULL',
	'so do slices that went to disk');
SELECT cmp_ok((SELECT max(n_used) FROM result), '>=', 5::bigint, 'the node takes some of them');
RESET work_mem;
TRUNCATE result;

-- plans that are parallel without the node
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT setseed(0.14), fill(400, false) \g /dev/null
ANALYZE fuzz;
INSERT INTO result SELECT * FROM compare_queries(40);
SELECT is_empty('SELECT problem FROM result WHERE problem IS NOT NULL',
	'so do queries that might run in parallel');

-- grouping by hand, with date_bin()
SELECT is_empty(
	$$SELECT result FROM (VALUES
		('SELECT date_bin(''7 min'', ts, ''2000-01-01''), count(*), sum(b) FROM fuzz GROUP BY 1'),
		('SELECT k, date_bin(''1 h'', ts, ''1969-12-31 22:13'') + INTERVAL ''1 h'', avg(v) FROM fuzz GROUP BY 1, 2'),
		('SELECT date_bin(''1 h'', ts, ''infinity''), count(*) FROM fuzz WHERE false GROUP BY 1')) AS c(query),
		LATERAL compare(query) AS result
	WHERE differences > 0$$,
	'date_bin() by hand groups as without the node, NULL included');

SELECT * FROM finish();
ROLLBACK;
