\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

-- What went wrong in prototypes of the slice node, and must not in it:
--	 1  children of the node are not told which parameters have changed
--	 2  a row that points to memory of the next one
--	 3  without statistics the planner puts rows into each of their windows
--	 4  a slide longer than the size has gaps
--	 5  a slice width of 0, and loops that cannot be cancelled
--	 6  a slice that leaves memory too early has its groups twice
--	 7  aggregates that ask for the memory of their state by their call context
--	 8  NULL among keys that are told apart by their bits
--	 9  slices without number, each with few rows
--	 10 counts of a node that ran in a parallel worker
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
SET jit = off;

CREATE FUNCTION is_cancelled(query text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN false;
EXCEPTION WHEN query_canceled THEN
	RETURN true;
END;
$$;

SELECT setseed(0.6), fill(500, false) \g /dev/null
ANALYZE;

-- 1
SELECT is(differences, 0::bigint, 'the input is read anew for each row outside')
FROM compare($$SELECT d.k, h.* FROM (SELECT DISTINCT k FROM dim) AS d, LATERAL (
	SELECT window_end, count(*), sum(v) FROM (SELECT * FROM fuzz WHERE k = d.k LIMIT 90) AS f, HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)
	GROUP BY window_end ORDER BY count(*) DESC, window_end LIMIT 5) AS h$$);
SELECT is(differences, 0::bigint, 'and so are the first of each window')
FROM compare($$SELECT d.k, h.* FROM (SELECT DISTINCT k FROM dim) AS d, LATERAL (
	SELECT * FROM (SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n) AS r FROM (
		SELECT window_end, f.d, count(*) AS n FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)
		WHERE k = d.k GROUP BY window_end, f.d) AS w) AS x WHERE r <= 2) AS h$$);

-- 2
SELECT is(differences, 0::bigint, 'texts of groups are still there when rows are sorted')
FROM compare($$SELECT *, lag(max || t) OVER (ORDER BY max, t, window_end), lead(min || t) OVER (ORDER BY t DESC, min, window_end) FROM (
	SELECT window_end, upper(t || k) AS t, min(t || n), max(t || n), sum(n) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)
	GROUP BY window_end, upper(t || k)) AS s$$);

-- 3
CREATE TABLE fresh AS TABLE fuzz;
SELECT is(is_used, true, 'the node is cheaper than rows in all their windows, also without statistics')
FROM compare($$SELECT window_start, window_end, k, count(*) FROM fresh, HOP(fresh, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR) GROUP BY 1, 2, k$$);

-- 4
CREATE TABLE far (ts timestamp, v integer);
INSERT INTO far SELECT t + i * INTERVAL '1 min', i
FROM unnest('{0044-03-15 BC, 1066-10-14, 2024-01-01, 200000-01-01}'::timestamp[]) AS t, generate_series(0, 50) AS i;
SELECT is(differences, 0::bigint, 'gaps between windows, and of ages between rows: ' || call)
FROM unnest(ARRAY[
	$$HOP(far, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '3' MINUTE)$$, $$HOP(far, DESCRIPTOR(ts), INTERVAL '7' MINUTE, INTERVAL '3' MINUTE, INTERVAL '1' MINUTE)$$,
	$$HOP(far, DESCRIPTOR(ts), INTERVAL '3' MINUTE, INTERVAL '20' MINUTE)$$, $$CUMULATE(far, DESCRIPTOR(ts), INTERVAL '3' MINUTE, INTERVAL '18' MINUTE)$$]) AS call,
	compare(format('SELECT window_start, window_end, count(*), min(v) FROM far, %s GROUP BY 1, 2', call));

-- 5
SELECT throws_ok(format('SELECT window_start, window_end, count(*) FROM far, %s GROUP BY 1, 2', call), '22023', NULL, call || ' is an error')
FROM unnest(ARRAY[$$HOP(far, DESCRIPTOR(ts), INTERVAL '0', INTERVAL '1' MINUTE)$$, $$HOP(far, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '0')$$,
	$$TUMBLE(far, DESCRIPTOR(ts), INTERVAL '0')$$, $$CUMULATE(far, DESCRIPTOR(ts), INTERVAL '0', INTERVAL '1' MINUTE)$$]) AS call;
SET apply_watermark.max_windows_per_row = 1000000000;
SET statement_timeout = '100ms';
SELECT format('SELECT is(is_cancelled(%L), true, %L)',
	format('SELECT * FROM (SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n) AS r FROM (
		SELECT window_start, window_end, %s AS n FROM far, %s GROUP BY 1, 2 HAVING count(*) < 0) AS w) AS x WHERE r <= %s', aggregate, call, top),
	format('%s of %s, %s of each window, can be cancelled while no row comes out', aggregate, call, top))
FROM unnest('{count(*), min(v)}'::text[]) AS aggregate, unnest('{1, 100000}'::int[]) AS top,
	unnest(ARRAY[$$HOP(far, DESCRIPTOR(ts), INTERVAL '0.001' SECOND, INTERVAL '10' DAY)$$, $$CUMULATE(far, DESCRIPTOR(ts), INTERVAL '0.001' SECOND, INTERVAL '10' DAY)$$]) AS call
\gexec
RESET statement_timeout;
RESET apply_watermark.max_windows_per_row;

-- 6
CREATE TABLE scattered AS
SELECT timestamp '2024-01-01' + (i * 7919 % 86400) * INTERVAL '1 s' AS ts, i % 97 AS k, repeat(chr(97 + i % 5), 200) AS t
FROM generate_series(1, 40000) AS i;
ANALYZE scattered;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT is(differences, 0::bigint, 'groups that went to disk many times come out once: ' || call)
FROM unnest(ARRAY[
	$$TUMBLE(scattered, DESCRIPTOR(ts), INTERVAL '2' HOUR)$$, $$HOP(scattered, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '3' HOUR)$$,
	$$CUMULATE(scattered, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$]) AS call,
	compare(format('SELECT window_start, window_end, k, count(*), max(t), count(DISTINCT t) FILTER (WHERE k > 3) FROM scattered, %s GROUP BY 1, 2, 3', call));
SELECT cmp_ok(analyzed($$SELECT window_start, window_end, k, t, count(*) FROM scattered, TUMBLE(scattered, DESCRIPTOR(ts), INTERVAL '2' HOUR) GROUP BY 1, 2, k, t$$, 'Disk'),
	'>', 100::bigint, 'they were on disk');
RESET work_mem;
RESET hash_mem_multiplier;

-- 7
CREATE FUNCTION pair_add(state numeric[], value numeric) RETURNS numeric[] LANGUAGE plpgsql
AS $$ BEGIN RETURN ARRAY[state[1] + value, state[2] + 1]; END; $$;
CREATE FUNCTION pair_merge(a numeric[], b numeric[]) RETURNS numeric[] LANGUAGE sql
RETURN ARRAY[a[1] + b[1], a[2] + b[2]];
CREATE AGGREGATE pair(numeric) (SFUNC = pair_add, STYPE = numeric[], COMBINEFUNC = pair_merge, INITCOND = '{0, 0}');
SELECT is(differences, 0::bigint, 'aggregates keep states of their own: ' || call)
FROM unnest(ARRAY[
	$$TUMBLE(f, DESCRIPTOR(ts), INTERVAL '2' HOUR)$$, $$HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)$$,
	$$CUMULATE(f, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '1' DAY)$$]) AS call,
	compare(format('SELECT window_start, window_end, k, pair(n), stddev(n), var_samp(v), sum(n), avg(b), corr(f, f) FROM fuzz AS f, %s GROUP BY 1, 2, 3', call));

-- 8
SELECT is(differences, 0::bigint, format('NULL is a key, and 0 another: %s of %s', call, keys))
FROM unnest('{k, "nullif(k, 0)", "flag, nullif(k, 0)", "NULL::integer, k", "nullif(flag, true)"}'::text[]) AS keys,
	unnest(ARRAY[$$TUMBLE(f, DESCRIPTOR(ts), INTERVAL '2' HOUR)$$, $$HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)$$]) AS call,
	compare(format('SELECT window_start, window_end, %1$s, count(*), min(v) FROM fuzz AS f, %2$s GROUP BY window_start, window_end, %1$s', keys, call));

-- 9
CREATE TABLE sparse AS SELECT timestamp '2000-01-01' + i * 37 * INTERVAL '1 s' AS ts, i % 10 AS k FROM generate_series(1, 50000) AS i;
SET work_mem = '256kB';
SELECT is(differences, 0::bigint, 'a slice for each row, in any order: ' || call)
FROM unnest(ARRAY[
	$$TUMBLE(s, DESCRIPTOR(ts), INTERVAL '1' SECOND)$$, $$HOP(s, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)$$,
	$$CUMULATE(s, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)$$]) AS call,
	unnest('{sparse, "(SELECT * FROM sparse ORDER BY hashfloat8(date_part(''epoch'', ts)))"}'::text[]) AS input,
	compare(format('SELECT window_start, window_end, k, count(*), min(k) FROM %s AS s, %s GROUP BY 1, 2, 3', input, call));
SET enable_hashagg = off;
SET enable_sort = off;
SELECT cmp_ok(analyzed($$SELECT window_start, window_end, k, count(*) FROM sparse, TUMBLE(sparse, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY 1, 2, k$$, what), op, number, label)
FROM (VALUES ('Slices', '=', 50000::bigint, 'all slices are counted'), ('Memory', '<', 2048::bigint, 'slices do not take memory without end')) AS c(what, op, number, label);
RESET enable_hashagg;
RESET enable_sort;
RESET work_mem;

-- 10
SELECT set_config(name, 'on', true) FROM pg_settings WHERE name IN ('force_parallel_mode', 'debug_parallel_query') \g /dev/null
SELECT is(analyzed(format('SELECT window_start, window_end, k, count(*) FROM scattered, TUMBLE(scattered, DESCRIPTOR(ts), INTERVAL ''2'' HOUR) GROUP BY 1, 2, k'), what), number, 'a node in a worker tells ' || what)
FROM (VALUES ('Slices', 12::bigint), ('Groups in Slices', 12 * 97)) AS c(what, number);

SELECT * FROM finish();
ROLLBACK;
