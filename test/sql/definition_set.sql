-- set_watermark() and drop_watermark() on tables.
\i test/setup.psql
BEGIN;
SELECT plan(43);
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
CREATE FUNCTION pg_temp.strategy(rel regclass) RETURNS text
LANGUAGE sql AS $$ SELECT coalesce(strategy, problem) FROM watermarks WHERE relation = rel $$;
CREATE FUNCTION pg_temp.set(rel regclass, delay text DEFAULT '5 s') RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_watermark(rel, 'ts', format('ts - INTERVAL %L', delay));
	RETURN pg_temp.strategy(rel);
END $$;

CREATE TABLE t (id int, ts timestamp(3));
INSERT INTO t VALUES (1, '2024-01-01'), (2, NULL), (3, 'infinity');
SELECT is(pg_temp.set('t'), '(ts - ''00:00:05''::interval)', 'a table gets a watermark');
SELECT results_eq($$ SELECT conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 't'::regclass $$,
	$$ VALUES (name 't_watermark', true, 'CHECK (watermark_for(ts, (ts - ''00:00:05''::interval)))') $$, 'it is a CHECK, and valid');
SELECT is(pg_temp.set('t', '6 s'), '(ts - ''00:00:06''::interval)', 'another takes its place');
SELECT is((SELECT count(*) FROM pg_constraint WHERE conrelid = 't'::regclass), 1::bigint, 'there is one still');
SELECT lives_ok($$ INSERT INTO t VALUES (4, NULL), (5, '-infinity'); UPDATE t SET ts = ts + INTERVAL '1 s' $$, 'rows pass it');
SAVEPOINT s;
SELECT lives_ok('SELECT drop_watermark(''t'')', 'it can be dropped');
SELECT is(pg_temp.strategy('t'), NULL, 'then there is none');
SELECT is(pg_temp.failure('SELECT drop_watermark(''t'')'), '42704 | table "t" has no watermark definition of its own', 'nothing is left to drop');
ROLLBACK TO s;
SELECT is(pg_temp.strategy('t'), '(ts - ''00:00:06''::interval)', 'a rollback brings it back');
SAVEPOINT s;
SELECT is(pg_temp.set('t', '7 s'), '(ts - ''00:00:07''::interval)', 'within a transaction the new one counts');
ROLLBACK TO s;
SELECT is(pg_temp.strategy('t'), '(ts - ''00:00:06''::interval)', 'after a rollback the old one does');
ALTER TABLE t RENAME CONSTRAINT t_watermark TO "Ünï ""c""";
SELECT is(pg_temp.set('t'), '(ts - ''00:00:05''::interval)', 'a CHECK that was renamed is replaced');
SELECT is((SELECT conname FROM pg_constraint WHERE conrelid = 't'::regclass), 'Ünï "c"', 'and keeps its name');
CREATE TABLE by_hand (ts timestamp, CHECK (watermark_for(ts, ts)), CHECK (ts > '2000-01-01'), CONSTRAINT by_hand_watermark CHECK (true));
SELECT is(pg_temp.set('by_hand'), '(ts - ''00:00:05''::interval)', 'so is one that was written by hand');
SELECT is((SELECT count(*) FROM pg_constraint WHERE conrelid = 'by_hand'::regclass), 3::bigint, 'other CHECKs stay');
CREATE TABLE taken (ts timestamp, CONSTRAINT taken_watermark CHECK (ts > '2000-01-01'));
SELECT is(pg_temp.set('taken'), '(ts - ''00:00:05''::interval)', 'a name that is taken is not used');

-- No look at the rows, and none at what a scan would fetch
CREATE TABLE big AS SELECT timestamp '2024-01-01' AS ts, g AS id FROM generate_series(1, 1000) AS g;
SELECT pg_stat_get_xact_numscans('big'::regclass) AS scans, pg_stat_get_xact_tuples_returned('big'::regclass) AS rows \gset
SELECT pg_temp.set('big') IS NOT NULL AS is_set \gset
SELECT results_eq($$ SELECT pg_stat_get_xact_numscans('big'::regclass), pg_stat_get_xact_tuples_returned('big'::regclass) $$,
	format('VALUES (%s::bigint, %s::bigint)', :scans, :rows), 'a table is not scanned');
SELECT pg_relation_filenode('big') AS node \gset
SELECT pg_temp.set('big', '9 s') IS NOT NULL AS is_set \gset
SELECT is(pg_relation_filenode('big'), :node::oid, 'nor rewritten');
ALTER TABLE big ADD CHECK (ts > '2000-01-01');
SELECT cmp_ok(pg_stat_get_xact_tuples_returned('big'::regclass), '>=', 1000::bigint, 'while another CHECK makes it so');

-- Children
CREATE TABLE p (id int, ts timestamp(3)) PARTITION BY LIST (id);
CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
CREATE TABLE p2 PARTITION OF p FOR VALUES IN (2) PARTITION BY LIST (id);
CREATE TABLE p2a PARTITION OF p2 FOR VALUES IN (2);
INSERT INTO p VALUES (1, '2024-01-01'), (2, '2024-01-01');
SELECT is(pg_temp.set('p'), '(ts - ''00:00:05''::interval)', 'a partitioned table gets one');
SELECT results_eq($$ SELECT conrelid::regclass::text, conname, convalidated, conislocal FROM pg_constraint WHERE conname LIKE 'p%mark' ORDER BY 1 $$,
	$$ VALUES ('p', name 'p_watermark', true, true), ('p1', 'p_watermark', true, false), ('p2', 'p_watermark', true, false), ('p2a', 'p_watermark', true, false) $$,
	'its partitions have it, valid too');
SELECT is(pg_temp.set('p', '6 s'), '(ts - ''00:00:06''::interval)', 'another takes its place');
SELECT is(pg_temp.strategy('p2a'), '(ts - ''00:00:06''::interval)', 'in the partitions too');
SELECT is(pg_temp.failure('SELECT pg_temp.set(''p1'')'), '42P16 | cannot drop inherited constraint "p_watermark" of relation "p1"', 'a partition keeps it');
CREATE TABLE p3 (id int, ts timestamp(3));
SELECT is(pg_temp.failure('ALTER TABLE p ATTACH PARTITION p3 FOR VALUES IN (3)'), '42804 | child table is missing constraint "p_watermark"',
		  'a table without is not attached');
ALTER TABLE p3 ADD CONSTRAINT p_watermark CHECK (watermark_for(ts, ts - INTERVAL '6 s'));
SELECT lives_ok('ALTER TABLE p ATTACH PARTITION p3 FOR VALUES IN (3)', 'one with the same CHECK is');
SELECT lives_ok('CREATE TABLE p4 PARTITION OF p FOR VALUES IN (4)', 'a new partition has it');
SELECT lives_ok('SELECT drop_watermark(''p'')', 'it is dropped');
SELECT is_empty('SELECT relation FROM watermarks WHERE relation::text LIKE ''p%''', 'from the partitions too');
SELECT pg_temp.set('p3') IS NOT NULL AS is_set \gset
SELECT is(pg_temp.failure('SELECT pg_temp.set(''p'')'),
	'42710 | table "p3" already has a watermark definition | It inherits from "p", and would have two.', 'a partition with one of its own is refused');
CREATE TABLE parent (ts timestamp);
CREATE TABLE child (x int) INHERITS (parent);
CREATE TABLE other_child (tz timestamptz) INHERITS (parent);
SELECT is(pg_temp.set('parent'), '(ts - ''00:00:05''::interval)', 'so does a table with children');
SELECT is(pg_temp.strategy('child'), '(ts - ''00:00:05''::interval)', 'and its children');

-- Other kinds
CREATE FOREIGN DATA WRAPPER nothing;
CREATE SERVER files FOREIGN DATA WRAPPER nothing;
CREATE FOREIGN TABLE foreign_rows (ts timestamp(3)) SERVER files;
SELECT is(pg_temp.set('foreign_rows'), '(ts - ''00:00:05''::interval)', 'a foreign table');
CREATE TEMPORARY TABLE passing (ts timestamp(3));
SELECT is(pg_temp.set('passing'), '(ts - ''00:00:05''::interval)', 'a temporary table');
CREATE SCHEMA "Ünï s";
CREATE TABLE "Ünï s"."t ""q""" (ts timestamp, "c d" interval);
SELECT lives_ok($$ SELECT set_watermark('"Ünï s"."t ""q"""', 'ts', 'ts - "c d"') $$, 'a name that needs quotes');
SELECT is(pg_temp.strategy('"Ünï s"."t ""q"""'), '(ts - "c d")', 'it has it');
CREATE MATERIALIZED VIEW m AS SELECT * FROM t;
SELECT is(pg_temp.failure(sql), expected, sql)
FROM (VALUES
	('SELECT set_watermark(''m'', ''ts'', ''ts'')', '42809 | "m" is not a table or view'),
	('SELECT set_watermark(1::regclass, ''ts'', ''ts'')', '42P01 | relation with OID 1 does not exist'),
	('SELECT set_watermark(''t'', ''ts'', ''ts'') FROM t', '55006 | cannot ALTER TABLE "t" because it is being used by active queries in this session')
) AS c(sql, expected);
SELECT is((SELECT set_watermark(NULL, 'ts', 'ts') IS NULL AND pg_temp.strategy('t') IS NOT NULL), true, 'NULL does nothing');

-- The owner, the plans
CREATE ROLE stranger;
GRANT ALL ON t TO stranger;
SET ROLE stranger;
SELECT throws_ok('SELECT set_watermark(''t'', ''ts'', ''ts'')', '42501', 'must be owner of table t', 'only the owner sets it');
SELECT throws_ok('SELECT drop_watermark(''t'')', '42501', 'must be owner of table t', 'or drops it');
RESET ROLE;
SET TRANSACTION READ ONLY;
SELECT throws_ok('SELECT set_watermark(''t'', ''ts'', ''ts'')', '25006', 'cannot execute set_watermark() in a read-only transaction', 'nor in a read-only transaction');

SELECT * FROM finish();
ROLLBACK;
