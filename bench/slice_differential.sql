-- Random queries over windows, with the slice node and without it: the long form of
-- test/sql/slice_differential.sql.  Prints queries whose rows differ, and how many
-- the node took.  In a database with the extension:
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

\echo rows in order of time
SELECT fill(1000, true) \g /dev/null
ANALYZE fuzz;
SELECT * FROM compare_queries(:queries);

\echo rows in no order
SELECT fill(1000, false) \g /dev/null
ANALYZE fuzz;
SELECT * FROM compare_queries(:queries);

\echo the node in a worker
SELECT name AS forcing FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \gset
SET :forcing = on;
SELECT * FROM compare_queries(:queries);
RESET :forcing;

\echo rivals in parallel
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT * FROM compare_queries(:queries);
SET max_parallel_workers_per_gather = 0;

\echo slices on disk
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT fill(3000, true) \g /dev/null
ANALYZE fuzz;
SELECT * FROM compare_queries(:queries);
SELECT fill(3000, false) \g /dev/null
ANALYZE fuzz;
SELECT * FROM compare_queries(:queries);

DROP SCHEMA slice_differential CASCADE;
