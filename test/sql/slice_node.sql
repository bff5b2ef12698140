\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT plan(57);

\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION node_lines(query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ 'WindowSlices|Window:|Slice Width|Strategy' THEN
			RETURN NEXT btrim(regexp_replace(line, '->', ''));
		END IF;
	END LOOP;
END;
$$;

SELECT setseed(0.2), fill(300, true) \g /dev/null
ANALYZE fuzz;
CREATE TABLE zoned AS TABLE fuzz;
CREATE TABLE edges (ts timestamp, v integer);
INSERT INTO edges VALUES ('294276-12-31 23:59:59', 1), ('4714-11-24 00:00:00 BC', 2);
CREATE TABLE parts (ts timestamp, k integer) PARTITION BY RANGE (ts);
CREATE TABLE parts_old PARTITION OF parts FOR VALUES FROM ('1900-01-01') TO ('1970-01-01');
CREATE TABLE parts_new PARTITION OF parts FOR VALUES FROM ('1970-01-01') TO ('2100-01-01');
INSERT INTO parts SELECT ts, k FROM fuzz WHERE isfinite(ts);
CREATE VIEW positive AS SELECT ts AS at, v FROM fuzz WHERE v > 0;
ANALYZE;

CREATE TEMP VIEW cases AS
SELECT n, 'SELECT ' || query AS query, takes_node, label FROM (VALUES
	(1, 'window_end, count(*) FROM fuzz AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) GROUP BY window_start, window_end', true, 'TUMBLE'),
	(2, 'window_end, count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''7'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_end', true, 'HOP whose slide does not divide its size'),
	(3, 'window_end, min(v) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''7'' MINUTE) GROUP BY window_end', true, 'HOP with gaps'),
	(4, 'window_end, min(v) FROM fuzz AS f, CUMULATE(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_end', true, 'CUMULATE'),
	(5, 'window_start, min(v) FROM fuzz AS f, CUMULATE(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'CUMULATE grouped by the start, which its steps share,'),
	(6, 'window_start, k FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start, k', true, 'a query without aggregates'),
	(7, 'window_start, count(DISTINCT v) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start', true, 'count(DISTINCT)'),
	(8, 'window_start, array_agg(v ORDER BY id) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'an ordered aggregate'),
	(9, 'window_start, percentile_disc(0.5) WITHIN GROUP (ORDER BY v) FROM fuzz AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'an ordered-set aggregate'),
	(10, 'window_start, json_agg(v ORDER BY v) FROM fuzz AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'an aggregate that cannot be combined'),
	(11, 'window_start, k, count(*) FROM fuzz AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) GROUP BY GROUPING SETS ((window_start), (window_start, k))', false, 'grouping sets'),
	(12, 'window_start, max(window_end) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'an aggregate of a window column'),
	(13, 'window_start, count(*) FROM fuzz AS f LEFT JOIN HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) ON true GROUP BY window_start', false, 'an outer join with the windows'),
	(14, 'window_start, count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, make_interval(mins => 30 + coalesce(f.k, 0))) GROUP BY window_start', false, 'a size that is no constant'),
	(15, 'window_start, count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) WHERE ts < window_start + INTERVAL ''5'' MINUTE GROUP BY window_start', false, 'a condition on row and window'),
	(16, 'window_start + INTERVAL ''1'' DAY, upper(t), count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) WHERE window_end > ''1970-01-01'' GROUP BY window_start, upper(t)', true, 'a condition on windows'),
	(17, 'window_start, window_end, count(*), min(tz) FROM zoned AS f, TUMBLE(f, DESCRIPTOR(tz), INTERVAL ''1'' DAY) GROUP BY window_start, window_end', true, 'TUMBLE of timestamptz'),
	(18, 'window_start, count(*) FROM zoned AS f, HOP(f, DESCRIPTOR(tz), INTERVAL ''10'' MINUTE, INTERVAL ''1'' DAY) GROUP BY window_start', false, 'HOP of timestamptz grouped by the start, which windows may share,'),
	(19, 'TUMBLE_START(ts, INTERVAL ''1'' HOUR), TUMBLE_END(ts, INTERVAL ''1'' HOUR), k, sum(v) FROM fuzz GROUP BY TUMBLE(ts, INTERVAL ''1'' HOUR), k', true, 'GROUP BY TUMBLE'),
	(20, 'HOP_START(ts, INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR), k, sum(v) FROM fuzz GROUP BY HOP(ts, INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR), k', true, 'GROUP BY HOP'),
	(21, 'window_start, count(*), sum(v) OVER () FROM (SELECT window_start, sum(v) AS v FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start) AS s GROUP BY window_start, v', true, 'a query above'),
	(22, 'window_start, count(*) FROM parts AS f, TUMBLE(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) GROUP BY window_start, window_end', true, 'TUMBLE of a partitioned table'),
	(23, 'window_start, count(*), max(k) FROM parts AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''1'' DAY) GROUP BY window_start', true, 'HOP of a partitioned table'),
	(24, 'window_start, count(*) FROM positive AS f, HOP(f, DESCRIPTOR(at), INTERVAL ''1'' HOUR, INTERVAL ''1'' DAY) GROUP BY window_start', true, 'a view'),
	(25, 'window_start, f.id, f.t, f.v, count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR) GROUP BY window_start, f.id', true, 'columns that depend on a primary key'),
	(26, 'a.window_end, count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR) AS a JOIN (SELECT timestamp ''1970-01-01'' AS e) AS o ON a.window_end > o.e GROUP BY a.window_end', true, 'a join that is a condition on windows'),
	(27, 'window_end, random() < 2, count(*) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR) GROUP BY window_end', true, 'a volatile expression above'),
	(28, 'window_start, sum(DISTINCT v) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'another DISTINCT aggregate'),
	(30, 'window_start, window_end, count(*) FROM zoned AS f, HOP(f, DESCRIPTOR(tz), INTERVAL ''10'' MINUTE, INTERVAL ''1'' DAY) GROUP BY window_start, window_end', true, 'HOP of timestamptz'),
	(29, 'window_start, count(DISTINCT v), max(v) FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_start', false, 'HOP with count(DISTINCT) beside an aggregate that cannot be retracted')
) AS c(n, query, takes_node, label);

SELECT is(is_used, takes_node, format('%s %s the node', label, CASE WHEN takes_node THEN 'takes' ELSE 'does without' END))
FROM cases, compare(query) ORDER BY n;
SELECT is(differences, 0::bigint, format('%s gives the same rows', label))
FROM cases, compare(query) WHERE takes_node ORDER BY n;

SET apply_watermark.enable_slice_node = on;
SELECT results_eq(format('SELECT * FROM node_lines(%L)', query), lines, 'EXPLAIN shows ' || lines[2] || ', ' || lines[4])
FROM (VALUES
	(1, ARRAY['Custom Scan (WindowSlices)', 'Window: TUMBLE', 'Slice Width: 01:00:00', 'Strategy: Slice is Window']),
	(2, ARRAY['Custom Scan (WindowSlices)', 'Window: HOP', 'Slice Width: 00:01:00', 'Strategy: Add and Retract']),
	(3, ARRAY['Custom Scan (WindowSlices)', 'Window: HOP', 'Slice Width: 00:01:00', 'Strategy: Two Stacks']),
	(4, ARRAY['Custom Scan (WindowSlices)', 'Window: CUMULATE', 'Slice Width: 00:10:00', 'Strategy: Fold Forward'])
) AS c(n, lines) JOIN cases USING (n);

-- A parameter from outside changes from row to row.
SELECT is(differences, 0::bigint, 'a correlated subquery reads its input anew')
FROM compare('SELECT d.k, (SELECT string_agg(c::text, '','' ORDER BY window_end) FROM (
	SELECT window_end, count(*) AS c FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)
	WHERE f.k = d.k GROUP BY window_end) AS s) FROM dim AS d');

PREPARE hop(integer) AS
SELECT count(*)::integer, max(c)::integer
FROM (SELECT window_end, count(*) AS c FROM fuzz AS f, HOP(f, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR)
	WHERE id <= $1 GROUP BY window_end) AS s;
SET plan_cache_mode = force_generic_plan;
CREATE TABLE first AS EXECUTE hop(0);
SELECT results_eq('TABLE first', 'VALUES (0, NULL::integer)', 'no rows give no windows');
RESET plan_cache_mode;

SET apply_watermark.enable_slice_node = on;
SELECT throws_ok('SELECT window_end, count(*) FROM edges, HOP(edges, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR) GROUP BY window_end',
	'22008', NULL, 'windows beyond the range of timestamps raise the error of HOP');
SET apply_watermark.max_windows_per_row = 10;
SELECT throws_ok('SELECT window_end, count(*) FROM fuzz, HOP(fuzz, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_end',
	'54000', NULL, 'the limit of windows holds with the node');
RESET apply_watermark.max_windows_per_row;

CREATE AGGREGATE hidden(integer) (SFUNC = int4pl, STYPE = integer, COMBINEFUNC = int4pl, INITCOND = '0');
REVOKE ALL ON FUNCTION hidden(integer) FROM public;
CREATE ROLE aw_slice_reader;
GRANT SELECT ON fuzz TO aw_slice_reader;
SET ROLE aw_slice_reader;
SELECT throws_ok('SELECT window_end, hidden(v) FROM fuzz, HOP(fuzz, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE, INTERVAL ''1'' HOUR) GROUP BY window_end',
	'42501', 'permission denied for aggregate hidden', 'aggregates need the right to call them');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
