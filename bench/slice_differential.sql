-- Random queries over windows, with the slice node, without it, and where it can be with
-- rows put into windows by hand: the long form of test/sql/slice_differential.sql.
-- Prints queries whose rows differ, and how many the node took and were compared by
-- hand.  In a database with the extension:
--
--	psql -v seed=0.1 -v queries=1000 -f bench/slice_differential.sql

\set ON_ERROR_STOP on
\set QUIET on
\if :{?seed}
\else
	\set seed 0.1
\endif
\if :{?queries}
\else
	\set queries 1000
\endif
SET client_min_messages = warning;
SET timezone = 'UTC';
SET jit = off;
LOAD 'apply_watermark';
CREATE SCHEMA slice_differential;
SET search_path = slice_differential, public;
\ir ../test/slice.psql
SELECT setseed(:seed) \g /dev/null

-- Each tenth of the queries has rows of its own.
CREATE FUNCTION compare_all(queries integer, rows integer, is_ordered boolean)
RETURNS TABLE (problem text, n_used numeric, n_by_hand numeric)
LANGUAGE plpgsql AS $$
DECLARE
	result record;
BEGIN
	n_used := 0;
	n_by_hand := 0;
	FOR i IN 1..10 LOOP
		PERFORM fill(rows, is_ordered);
		ANALYZE fuzz;
		FOR result IN SELECT * FROM compare_queries(queries / 10) LOOP
			problem := result.problem;
			IF problem IS NOT NULL THEN
				RETURN NEXT;
			ELSE
				n_used := n_used + result.n_used;
				n_by_hand := n_by_hand + result.n_by_hand;
			END IF;
		END LOOP;
	END LOOP;
	problem := NULL;
	RETURN NEXT;
END;
$$;

\echo rows in order of time
SELECT * FROM compare_all(:queries, 1000, true);

\echo rows in no order
SELECT * FROM compare_all(:queries, 1000, false);

\echo the node in a worker
SELECT name AS forcing FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forcing = on;
SELECT * FROM compare_all(:queries, 1000, false);
RESET :forcing;

\echo rivals in parallel
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM compare_all(:queries, 1000, false);
SET max_parallel_workers_per_gather = 0;

\echo slices on disk
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT * FROM compare_all(:queries, 3000, true);
SELECT * FROM compare_all(:queries, 3000, false);

DROP SCHEMA slice_differential CASCADE;
