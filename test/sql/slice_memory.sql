\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

-- Memory is bounded, also where a single slice is larger by far: keys come in as many
-- portions as it takes.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET hash_mem_multiplier = 1;
CREATE TABLE wide AS
SELECT timestamp '2024-01-01' + (g * 7919 % 86400) * INTERVAL '1 s' AS ts, g, g % 3 AS few FROM generate_series(1, 30000) AS g;
INSERT INTO wide SELECT ts, NULL, few FROM wide LIMIT 10;
INSERT INTO wide SELECT 'infinity', g, few FROM wide LIMIT 10;
ANALYZE wide;

-- The node is taken whatever PostgreSQL's plans cost.
SET enable_hashagg = off;
SET enable_sort = off;
CREATE TABLE queries AS
SELECT memory, most, format('SELECT window_start, window_end, %1$s, %2$s FROM wide, %3$s GROUP BY window_start, window_end, %1$s', key, aggregate, call) AS query
FROM (VALUES ('64kB', 450), ('256kB', 450)) AS m(memory, most),
	(VALUES ('g', 'avg(g::numeric), min(g)'), ('g', 'count(*)'), ('g::text', 'max(g::text), sum(few)')) AS a(key, aggregate),
	unnest(ARRAY[$$TUMBLE(wide, DESCRIPTOR(ts), INTERVAL '1' DAY)$$, $$HOP(wide, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '12' HOUR)$$,
		$$HOP(wide, DESCRIPTOR(ts), INTERVAL '5' HOUR, INTERVAL '3' HOUR)$$, $$CUMULATE(wide, DESCRIPTOR(ts), INTERVAL '12' HOUR, INTERVAL '24' HOUR)$$]) AS call
WHERE memory = '64kB' OR aggregate = 'avg(g::numeric), min(g)';

SELECT format('SET work_mem = %L; SELECT cmp_ok(analyzed(%L, ''Memory''), ''<='', %s::bigint, %L);', memory, query, most, memory || ' hold ' || query)
FROM queries
\gexec
SET work_mem = '64kB';
SELECT cmp_ok(analyzed(query, 'Passes'), '>', 16::bigint, 'there are many portions') FROM queries LIMIT 1;
SELECT cmp_ok(analyzed($$SELECT window_start, window_end, few, count(DISTINCT g) FROM wide, HOP(wide, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '12' HOUR)
	GROUP BY window_start, window_end, few$$, 'Passes'), '<=', 16::bigint, 'keys that cannot be told apart are not tried again');

SELECT is(differences, 0::bigint, 'portions have all groups, once: ' || query) FROM queries, compare(query) WHERE memory = '64kB';

-- Few keys in many slices, on disk many times, are few in memory.
SELECT cmp_ok(analyzed(format('SELECT window_start, window_end, few, avg(g::numeric), %s(few) FROM wide, %s GROUP BY window_start, window_end, few', aggregate, call), 'Passes'),
	'<=', 4::bigint, format('%s, %s of few keys take few passes', call, aggregate))
FROM unnest('{min, count}'::text[]) AS aggregate, unnest(ARRAY[$$CUMULATE(wide, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '24' HOUR)$$,
	$$HOP(wide, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)$$]) AS call;

SELECT * FROM finish();
ROLLBACK;
