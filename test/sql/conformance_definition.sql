-- Watermark definitions that Apache Flink 2.3 refuses or prints.
\i test/setup.psql
BEGIN;
SELECT plan(46);
CREATE TABLE events (id integer, k text, v bigint, ts timestamp(3), other_ts timestamp(3));
CREATE FUNCTION pg_temp.failure(sql text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
BEGIN
	EXECUTE sql;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' | ', state, message, nullif(detail, ''));
END $$;

-- A watermark on a query: APPLY_WATERMARK
SELECT is(pg_temp.failure(format('SELECT id FROM events AS e, APPLY_WATERMARK(e, DESCRIPTOR(%s), %s)', rowtime, strategy)),
		  expected, label)
FROM (VALUES
	('apply-watermark-rowtime-bigint-timestamp-strategy', 'v', 'ts', '42804 | column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('apply-watermark-rowtime-string', 'k', 'k', '42804 | column "k" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is text)'),
	('apply-watermark-strategy-interval', 'ts', 'INTERVAL ''5'' SECOND', '42804 | watermark strategy must be of type TIMESTAMP or TIMESTAMP_LTZ (it is interval)'),
	('apply-watermark-strategy-ltz-for-timestamp', 'ts', 'CAST(ts AS timestamptz(3))', '42804 | watermark strategy must be of the type of its rowtime | The rowtime is timestamp without time zone, the strategy is timestamp with time zone.'),
	('apply-watermark-strategy-not-a-timestamp', 'ts', 'v', '42804 | column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('apply-watermark-strategy-precision-6: accepted here', 'ts', 'CAST(ts AS timestamp(6))', 'no error'),
	('apply-watermark-strategy-subquery: accepted here', 'ts', '(SELECT max(ts) FROM events)', 'no error'),
	('apply-watermark-unknown-column-in-strategy', 'ts', 'nope - INTERVAL ''5'' SECOND', '42703 | column "nope" does not exist'),
	('apply-watermark-unknown-rowtime', 'nope', 'ts - INTERVAL ''5'' SECOND', '42703 | column "nope" does not exist'),
	('apply-watermark-strategy-invalid-expression', 'ts', 'ts - - INTERVAL', '42703 | column "interval" does not exist')
) AS c(label, rowtime, strategy, expected);

-- The same in a view with set_watermark(), and on the table
CREATE VIEW w AS SELECT id, k, v, ts FROM events;
SELECT is(pg_temp.failure(format('SELECT set_watermark(%L, %L, %L)', rel, rowtime, strategy)), expected, label || ', on ' || rel)
FROM (VALUES ('events'), ('w')) AS r(rel), (VALUES
	('watermark-for-rowtime-bigint-timestamp-strategy', 'v', 'ts', '42804 | column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('watermark-for-rowtime-not-a-timestamp', 'v', 'v - INTERVAL ''5'' SECOND', '42804 | column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('apply-watermark-rowtime-string', 'k', 'k', '42804 | column "k" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is text)'),
	('watermark-for-strategy-boolean', 'ts', 'ts IS NULL', '42P17 | invalid watermark expression | It is of type boolean, the rowtime is timestamp without time zone.'),
	('watermark-for-strategy-interval', 'ts', 'INTERVAL ''5'' SECOND', '42P17 | invalid watermark expression | It is of type interval, the rowtime is timestamp without time zone.'),
	('watermark-for-strategy-ltz-for-timestamp', 'ts', 'CAST(ts AS timestamptz(3))', '42P17 | invalid watermark expression | It is of type timestamp with time zone, the rowtime is timestamp without time zone.'),
	('watermark-for-unknown-column-in-strategy', 'ts', 'nope - INTERVAL ''5'' SECOND', '42703 | invalid watermark expression | column "nope" does not exist'),
	('apply-watermark-strategy-invalid-expression', 'ts', 'ts - - INTERVAL', '42703 | invalid watermark expression | column "interval" does not exist'),
	('apply-watermark-strategy-subquery', 'ts', '(SELECT max(ts) FROM events)', '0A000 | invalid watermark expression | cannot use subquery in check constraint'),
	('watermark-for-millisecond-unit', 'ts', 'ts - INTERVAL ''500'' MILLISECOND', '42601 | invalid watermark expression | It must be one expression, without FROM, WHERE and the like'),
	('apply-watermark-strategy-precision-6: accepted here', 'ts', 'CAST(ts AS timestamp(6))', 'no error')
) AS c(label, rowtime, strategy, expected);
SELECT is(pg_temp.failure(format('SELECT set_watermark(%L, ''nope'', ''ts'')', rel)),
		  format('42703 | column "nope" not found in the schema of %s "%s"', kind, rel), 'watermark-for-unknown-rowtime, on ' || rel)
FROM (VALUES ('events', 'table'), ('w', 'view')) AS c(rel, kind);

CREATE TABLE twice (a timestamp(3), b timestamp(3), CHECK (watermark_for(a, a)), CHECK (watermark_for(b, b)));
SELECT is(pg_temp.failure('SELECT * FROM describe(''twice'')'),
		  '42710 | table "twice" already has a watermark definition | There are two in one definition.', 'syntax-two-watermarks');

-- What DESCRIBE prints: name, type, null, watermark
CREATE FUNCTION pg_temp.described(rel regclass) RETURNS SETOF text
LANGUAGE sql AS $$ SELECT concat_ws(' | ', name, type, "null", watermark) FROM describe(rel) $$;
CREATE TABLE e (id int, k text, v bigint, ts timestamp(3));
SELECT set_watermark('e', 'ts', 'ts - INTERVAL ''5'' SECOND') IS NULL AS is_set \gset
SELECT results_eq('SELECT pg_temp.described(''e'')', ARRAY['id | INT | t', 'k | STRING | t', 'v | BIGINT | t',
	'ts | TIMESTAMP(3) *ROWTIME* | t | (ts - ''00:00:05''::interval second)'], 'watermark-alter-table: added');
SELECT set_watermark('e', 'ts', 'ts - INTERVAL ''10'' SECOND') IS NULL AS is_set \gset
SELECT results_eq('SELECT pg_temp.described(''e'') OFFSET 3', ARRAY['ts | TIMESTAMP(3) *ROWTIME* | t | (ts - ''00:00:10''::interval second)'], 'watermark-alter-table: modified');
SELECT drop_watermark('e') IS NULL AS is_dropped \gset
SELECT results_eq('SELECT pg_temp.described(''e'') OFFSET 3', ARRAY['ts | TIMESTAMP(3) | t'], 'watermark-alter-table: dropped');
SELECT set_watermark('e', 'ts', 'ts - INTERVAL ''10'' SECOND') IS NULL AS is_set \gset
CREATE TABLE e2 (LIKE e INCLUDING CONSTRAINTS);
SELECT set_watermark('e2', 'ts', 'ts - INTERVAL ''1'' SECOND') IS NULL AS is_set \gset
SELECT results_eq('SELECT pg_temp.described(''e2'') OFFSET 3', ARRAY['ts | TIMESTAMP(3) *ROWTIME* | t | (ts - ''00:00:01''::interval second)'], 'watermark-like-overwrite');

-- types-tvf-timestamp; that window columns are not null and have three digits is not known here
CREATE VIEW v AS SELECT e.*, w.* FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w;
CREATE VIEW g AS SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS ws, TUMBLE_END(ts, INTERVAL '1' HOUR) AS we,
	TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR) AS wr, count(*) AS cnt FROM e GROUP BY TUMBLE(ts, INTERVAL '1' HOUR);
CREATE VIEW a AS SELECT window_start, window_end, window_time, count(*) AS cnt FROM e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR)
GROUP BY window_start, window_end, window_time;
SELECT results_eq('SELECT name FROM describe(''' || rel || ''') WHERE type LIKE ''%*ROWTIME*''', expected, 'types-tvf-timestamp: ' || rel)
FROM (VALUES ('v', ARRAY['ts', 'window_time']), ('g', ARRAY['wr']), ('a', ARRAY['window_time'])) AS c(rel, expected);

-- proctime-describe
CREATE VIEW p AS SELECT k, proctime() AS proctime FROM e;
CREATE VIEW pw AS SELECT TUMBLE_START(proctime, INTERVAL '10' MINUTE) AS window_start,
	TUMBLE_PROCTIME(proctime, INTERVAL '10' MINUTE) AS window_proctime, k FROM p GROUP BY TUMBLE(proctime, INTERVAL '10' MINUTE), k;
SELECT results_eq('SELECT name FROM describe(''' || rel || ''') WHERE type = ''TIMESTAMP_LTZ(6) *PROCTIME*''', expected, 'proctime-describe: ' || rel)
FROM (VALUES ('p', ARRAY['proctime']), ('pw', ARRAY['window_proctime'])) AS c(rel, expected);

-- watermark-lost-after-cast, watermark-for-nested-expression
CREATE VIEW cast_time AS SELECT id, CAST(ts AS timestamp(3)) + INTERVAL '1' SECOND AS ts FROM e;
SELECT results_eq('SELECT type FROM describe(''cast_time'')', ARRAY['INT', 'TIMESTAMP(6)'], 'watermark-lost-after-cast: no rowtime');
SELECT lives_ok($$ SELECT set_watermark('events', 'ts', 'coalesce(CASE WHEN k IN (''a'', ''b'') THEN ts + INTERVAL ''-3'' SECOND END, other_ts - INTERVAL ''1'' MINUTE)') $$,
				'watermark-for-nested-expression');

SELECT * FROM finish();
ROLLBACK;
