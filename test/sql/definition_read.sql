-- What describe() says of tables and views.
\i test/setup.psql
BEGIN;
SELECT plan(56);
CREATE FUNCTION pg_temp.columns(rel regclass) RETURNS text
LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', name, substring(type FROM '\*.*'), '[' || watermark || ']'), ', ')
	FROM describe(rel)
$$;
-- Makes a view, and describes it: of each column the name, what it is to event time, and its watermark.
CREATE FUNCTION pg_temp.view(query text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'DROP VIEW IF EXISTS pg_temp.v';
	EXECUTE 'CREATE TEMPORARY VIEW v AS ' || query;
	RETURN pg_temp.columns('pg_temp.v');
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate || ': ' || sqlerrm;
END $$;

CREATE TABLE t (id int, ts timestamp(3), tz timestamptz(3), j jsonb,
				CONSTRAINT w CHECK (watermark_for(ts, ts - INTERVAL '5 s')));
CREATE TABLE u (id int, ts timestamp(3), delay interval);
CREATE SCHEMA other;
CREATE TABLE other.t (LIKE t INCLUDING CONSTRAINTS);
CREATE VIEW five AS SELECT id, ts FROM u WHERE watermark_for(ts, ts - INTERVAL '5 s');
CREATE VIEW nine AS SELECT id, ts AS event_time FROM u WHERE id > 0 AND watermark_for(ts, ts - INTERVAL '9 s');

SELECT is(pg_temp.view(query), expected, label)
FROM (VALUES
	('a table''s rowtime passes through a view', 'SELECT id, ts FROM t', 'id, ts *ROWTIME* [that of t]'),
	('a marker defines one', 'SELECT ts FROM u WHERE watermark_for(ts, ts - INTERVAL ''1 s'')', 'ts *ROWTIME* [ts - ''00:00:01''::interval]'),
	('a view over a view overrides it', 'SELECT * FROM five WHERE watermark_for(ts, ts - INTERVAL ''1 s'')', 'id, ts *ROWTIME* [ts - ''00:00:01''::interval]'),
	('with another rowtime the one from below is none', 'SELECT ts, tz FROM t WHERE watermark_for(tz, tz)', 'ts, tz *ROWTIME* [tz]'),
	('APPLY_WATERMARK defines one', 'SELECT u.* FROM u, APPLY_WATERMARK(u, DESCRIPTOR(ts), ts - delay)', 'id, ts *ROWTIME* [u.ts - u.delay], delay'),
	('of nested APPLY_WATERMARK the outermost wins', 'SELECT s.ts FROM (SELECT t.* FROM t, APPLY_WATERMARK(t, DESCRIPTOR(ts), ts - INTERVAL ''9 s'')) AS s, APPLY_WATERMARK(s, DESCRIPTOR(ts), ts)', 'ts *ROWTIME* [s.ts]'),
	('of a marker and APPLY_WATERMARK at one level neither', 'SELECT u.* FROM u, APPLY_WATERMARK(u, DESCRIPTOR(ts), ts) WHERE watermark_for(ts, ts)', '42710: view "v" already has a watermark definition'),
	('named arguments of a marker', 'SELECT ts FROM u WHERE watermark_for(strategy => ts - INTERVAL ''1 s'', rowtime => ts)', 'ts *ROWTIME* [ts - ''00:00:01''::interval]'),
	('APPLY_WATERMARK below an outer join', 'SELECT o.ts FROM nine LEFT JOIN (u AS o CROSS JOIN APPLY_WATERMARK(o, DESCRIPTOR(o.ts), o.ts)) ON true', 'ts *ROWTIME* [o.ts]'),
	('tables of one name in two schemas', 'SELECT a.ts FROM t AS a JOIN other.t AS b USING (id)', 'ts *ROWTIME* [the least of t, other.t]'),
	('a renamed column', 'SELECT event_time AS "When?" FROM nine', 'When? *ROWTIME* [that of nine]'),
	('a computed rowtime', 'SELECT (j->>''t'')::timestamp(3) AS at FROM t WHERE watermark_for((j->>''t'')::timestamp(3), (j->>''t'')::timestamp(3))', 'at *ROWTIME* [((j ->> ''t''::text))::timestamp(3) without time zone]'),
	('a cast makes an ordinary column', 'SELECT ts::timestamp(0) AS a, ts::timestamptz AS b, ts + delay AS c FROM five JOIN u USING (id, ts)', 'a, b, c'),
	('a join has the least of its inputs', 'SELECT five.ts, event_time FROM five JOIN nine USING (id)', 'ts *ROWTIME* [the least of five, nine], event_time *ROWTIME* [the least of five, nine]'),
	('a self-join has the one of its input', 'SELECT a.ts FROM five AS a LEFT JOIN five AS b USING (id)', 'ts *ROWTIME* [that of five]'),
	('a join beside a table without', 'SELECT five.ts, u.ts AS u_ts FROM five, u', 'ts *ROWTIME* [that of five], u_ts'),
	('a column that a full join merges is none', 'SELECT ts FROM five FULL JOIN t USING (ts)', 'ts'),
	('UNION ALL has the least of its branches', 'SELECT ts FROM five UNION ALL SELECT event_time FROM nine', 'ts *ROWTIME* [the least of five, nine]'),
	('UNION ALL with a branch without is none', 'SELECT ts FROM five UNION ALL SELECT ts FROM t UNION ALL SELECT ts FROM u', 'ts'),
	('UNION ALL that converts a branch is none', 'SELECT ts FROM t UNION ALL SELECT tz FROM t WHERE watermark_for(tz, tz)', 'ts'),
	('UNION is none', 'SELECT ts FROM five UNION SELECT event_time FROM nine', 'ts'),
	('EXCEPT is none', 'SELECT ts FROM five EXCEPT ALL SELECT event_time FROM nine', 'ts'),
	('DISTINCT is none', 'SELECT DISTINCT ts FROM five', 'ts'),
	('an ordinary GROUP BY is none', 'SELECT ts, count(*) FROM u WHERE watermark_for(ts, ts) GROUP BY ts', 'ts, count'),
	('an aggregate is none', 'SELECT max(ts) FROM five', 'max'),
	('a window function beside it changes nothing', 'SELECT ts, row_number() OVER (ORDER BY ts) FROM five', 'ts *ROWTIME* [that of five], row_number'),
	('nor does LIMIT', 'SELECT ts FROM five ORDER BY ts LIMIT 1', 'ts *ROWTIME* [that of five]'),
	('rows of a window', 'SELECT w.*, ts FROM five, TUMBLE(five, DESCRIPTOR(ts), INTERVAL ''1 h'') AS w', 'window_start, window_end, window_time *ROWTIME* [that of five], ts *ROWTIME* [that of five]'),
	('groups of a window', 'SELECT window_start, window_end, window_time, count(*) FROM five, HOP(DATA => five, TIMECOL => DESCRIPTOR(ts), SLIDE => INTERVAL ''1 h'', SIZE => INTERVAL ''2 h'') GROUP BY 1, 2, 3', 'window_start, window_end, window_time *ROWTIME* [that of five], count'),
	('groups of a window''s time alone', 'SELECT window_time, count(*) FROM five, TUMBLE(five, DESCRIPTOR(ts), INTERVAL ''1 h'') GROUP BY 1', 'window_time, count'),
	('windows over a column that is no rowtime', 'SELECT window_time FROM u, TUMBLE(u, DESCRIPTOR(ts), INTERVAL ''1 h'')', 'window_time'),
	('windows with a marker at their level', 'SELECT window_end, window_time FROM u, TUMBLE(u, DESCRIPTOR(ts), INTERVAL ''1 h'') WHERE watermark_for(ts, ts) GROUP BY window_start, 1, 2', 'window_end, window_time *ROWTIME* [u.ts]'),
	('group windows', 'SELECT TUMBLE_START(ts, ''1 h'') AS s, TUMBLE_END(ts, ''1 h'') AS e, TUMBLE_ROWTIME(ts, ''1 h'') AS r, TUMBLE_PROCTIME(ts, ''1 h'') AS p FROM five GROUP BY TUMBLE(ts, ''1 h'')', 's, e, r *ROWTIME* [that of five], p *PROCTIME*'),
	('a new watermark over windows', 'SELECT * FROM (SELECT window_time AS wt FROM five, TUMBLE(five, DESCRIPTOR(ts), INTERVAL ''1 h'')) AS w WHERE watermark_for(wt, wt - INTERVAL ''1 h'')', 'wt *ROWTIME* [wt - ''01:00:00''::interval]'),
	('a subquery', 'SELECT x FROM (SELECT ts AS x FROM u WHERE watermark_for(ts, ts)) AS s', 'x *ROWTIME* [ts]'),
	('a CTE', 'WITH c AS (SELECT ts AS x FROM five) SELECT x FROM c', 'x *ROWTIME* [that of five]'),
	('a marker over a CTE', 'WITH c AS (SELECT ts FROM u) SELECT * FROM c WHERE watermark_for(ts, ts)', 'ts *ROWTIME* [ts]'),
	('a recursive CTE is none', 'WITH RECURSIVE c AS (SELECT ts FROM five UNION ALL SELECT ts FROM c) SELECT * FROM c', 'ts'),
	('a strategy over columns of outer items', 'SELECT s.ts FROM u, LATERAL (SELECT t.ts FROM t WHERE watermark_for(t.ts, t.ts - u.delay)) AS s', 'ts *ROWTIME* [that of v]'),
	('a strategy with quotes', 'SELECT ts FROM u WHERE watermark_for(ts, CASE WHEN id::text = '' AS x FROM SELECT '' THEN ts END)', E'ts *ROWTIME* [CASE\n            WHEN id::text = '' AS x FROM SELECT ''::text THEN ts\n            ELSE NULL::timestamp without time zone\n        END]'),
	('rows of a function', 'SELECT g FROM generate_series(timestamp ''2024-01-01'', ''2024-01-02'', ''1 h'') AS g WHERE watermark_for(g, g)', 'g *ROWTIME* [g]'),
	('rows of VALUES', 'SELECT * FROM (VALUES (timestamp ''2024-01-01'')) AS v(ts) WHERE watermark_for(ts, ts)', 'ts *ROWTIME* [ts]'),
	('the clock', 'SELECT proctime() AS p, ts FROM five', 'p *PROCTIME*, ts *ROWTIME* [that of five]'),
	('a marker in nested ANDs', 'SELECT ts FROM u WHERE id > 0 AND (id < 9 AND (watermark_for(ts, ts) AND id <> 5))', 'ts *ROWTIME* [ts]'),
	('a marker of a query in an expression is that query''s', 'SELECT ts FROM five WHERE EXISTS (SELECT FROM u WHERE watermark_for(u.ts, u.ts))', 'ts *ROWTIME* [that of five]'),
	('two markers', 'SELECT ts, tz FROM t WHERE watermark_for(ts, ts) AND watermark_for(tz, tz)', '42710: view "v" already has a watermark definition'),
	('two markers in a subquery', 'SELECT * FROM (SELECT ts FROM u WHERE watermark_for(ts, ts) AND watermark_for(ts, ts)) AS s', '42710: view "v" already has a watermark definition'),
	('a marker in OR', 'SELECT ts FROM u WHERE id = 1 OR watermark_for(ts, ts)', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker under NOT', 'SELECT ts FROM u WHERE NOT watermark_for(ts, ts)', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker in HAVING', 'SELECT max(ts) FROM u HAVING watermark_for(max(ts), max(ts))', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker in ON', 'SELECT u.ts FROM u JOIN t ON watermark_for(t.ts, t.ts)', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker in SELECT', 'SELECT watermark_for(ts, ts) FROM u', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker in GROUP BY', 'SELECT count(*) FROM u GROUP BY watermark_for(ts, ts)', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker in a branch that is misplaced', 'SELECT ts FROM t UNION ALL SELECT ts FROM u WHERE id = 1 OR watermark_for(ts, ts)', '42P17: watermark_for() in view "v" is not a condition of its own'),
	('a marker on a date', 'SELECT ts::date AS d FROM u WHERE watermark_for(ts::date, ts::date)', '42804: rowtime must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('a marker with both kinds of timestamp', 'SELECT ts FROM t WHERE watermark_for(ts, tz)', '42804: watermark strategy must be of the type of its rowtime')
) AS c(label, query, expected);

SELECT * FROM finish();
ROLLBACK;
