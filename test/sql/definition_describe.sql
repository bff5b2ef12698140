-- describe() and the view "watermarks" over all kinds of relations, columns and readers.
\i test/setup.psql
BEGIN;
SELECT plan(25);
CREATE FUNCTION pg_temp.columns(rel regclass) RETURNS text
LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', name, substring(type FROM '\*.*'), '[' || watermark || ']'), ', ')
	FROM describe(rel)
$$;

-- Columns
CREATE DOMAIN moment AS timestamp(3);
CREATE TABLE types (
	a boolean, b smallint, c int NOT NULL, d bigint, e real, f double precision, g numeric, h numeric(10, 2), i text,
	j varchar, k varchar(20), l char(5), m bytea, n date, o time, p time(0), q timestamp, r timestamp(3), s timestamptz(0),
	t int[], u timestamp(3)[], v numeric(10, 2)[], w interval, x jsonb, y uuid, z moment, "Ünï ""code""" int,
	gone int, last int GENERATED ALWAYS AS (c + 1) STORED);
ALTER TABLE types DROP COLUMN gone;
SELECT results_eq('SELECT name, type FROM describe(''types'')', $$ VALUES
	('a', 'BOOLEAN'), ('b', 'SMALLINT'), ('c', 'INT'), ('d', 'BIGINT'), ('e', 'FLOAT'), ('f', 'DOUBLE'), ('g', 'DECIMAL'),
	('h', 'DECIMAL(10, 2)'), ('i', 'STRING'), ('j', 'VARCHAR'), ('k', 'VARCHAR(20)'), ('l', 'CHAR(5)'), ('m', 'BYTES'), ('n', 'DATE'),
	('o', 'TIME(6)'), ('p', 'TIME(0)'), ('q', 'TIMESTAMP(6)'), ('r', 'TIMESTAMP(3)'), ('s', 'TIMESTAMP_LTZ(0)'), ('t', 'ARRAY<INT>'),
	('u', 'ARRAY<TIMESTAMP(3)>'), ('v', 'ARRAY<DECIMAL(10, 2)>'), ('w', 'interval'), ('x', 'jsonb'), ('y', 'uuid'), ('z', 'moment'),
	('Ünï "code"', 'INT'), ('last', 'INT')
$$, 'types have Flink''s names, and PostgreSQL''s where Flink has none');
SELECT results_eq('SELECT name, "null" FROM describe(''types'') WHERE NOT "null"', $$ VALUES ('c', false) $$, 'a column that is not null');
SELECT results_eq('SELECT name, extras FROM describe(''types'') WHERE extras IS NOT NULL', $$ VALUES ('last', 'AS (c + 1)') $$,
				  'a generated column has its expression');
CREATE TABLE keyed (a int, b int, c int, PRIMARY KEY (c, a));
SELECT results_eq('SELECT name, "null", key FROM describe(''keyed'')', $$ VALUES
	('a', false, 'PRI(c, a)'), ('b', true, NULL), ('c', false, 'PRI(c, a)') $$, 'a primary key is shown in its own order');
CREATE TABLE generated (ms bigint, ts timestamp(3) GENERATED ALWAYS AS (timestamp '1970-01-01' + ms * INTERVAL '1 ms') STORED,
						CHECK (watermark_for(ts, ts - INTERVAL '5 s')));
SELECT is(pg_temp.columns('generated'), 'ms, ts *ROWTIME* [(ts - ''00:00:05''::interval)]', 'a generated column is a rowtime');
CREATE TABLE domain_rowtime (at moment, CHECK (watermark_for(at, at - INTERVAL '5 s')));
SELECT results_eq('SELECT type FROM describe(''domain_rowtime'')', $$ VALUES ('moment *ROWTIME*') $$, 'a domain is a rowtime');

-- Relations
CREATE TABLE part (id int, ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5 s'))) PARTITION BY LIST (id);
CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
CREATE TABLE parent (ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5 s')));
CREATE TABLE child (note text) INHERITS (parent);
CREATE FOREIGN DATA WRAPPER nothing;
CREATE SERVER files FOREIGN DATA WRAPPER nothing;
CREATE FOREIGN TABLE foreign_rows (ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5 s'))) SERVER files;
CREATE UNLOGGED TABLE fleeting (ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5 s')));
CREATE TEMPORARY TABLE passing (ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5 s')));
CREATE MATERIALIZED VIEW kept AS SELECT id, ts FROM part WHERE watermark_for(ts, ts - INTERVAL '5 s') WITH NO DATA;
CREATE TEMPORARY VIEW passing_view AS SELECT ts FROM passing WHERE watermark_for(ts, ts - INTERVAL '5 s');
SELECT is(pg_temp.columns(c.rel::regclass), c.expected, c.rel)
FROM (VALUES
	('part', 'id, ts *ROWTIME* [(ts - ''00:00:05''::interval)]'),
	('part_1', 'id, ts *ROWTIME* [(ts - ''00:00:05''::interval)]'),
	('child', 'ts *ROWTIME* [(ts - ''00:00:05''::interval)], note'),
	('foreign_rows', 'ts *ROWTIME* [(ts - ''00:00:05''::interval)]'),
	('fleeting', 'ts *ROWTIME* [(ts - ''00:00:05''::interval)]'),
	('passing', 'ts *ROWTIME* [(ts - ''00:00:05''::interval)]'),
	('kept', 'id, ts *ROWTIME* [ts - ''00:00:05''::interval]'),
	('passing_view', 'ts *ROWTIME* [ts - ''00:00:05''::interval]')
) AS c(rel, expected);
SELECT throws_ok('SELECT describe(1)', '42P01', 'relation with OID 1 does not exist', 'no such relation');
SELECT cmp_ok((SELECT count(*) FROM pg_class AS c, describe(c.oid)), '>', 2000::bigint, 'every relation of the catalog can be described');

CREATE VIEW chain_0 AS SELECT ts FROM parent;
DO $$ BEGIN
	FOR i IN 1..40 LOOP
		EXECUTE format('CREATE VIEW chain_%s AS SELECT a.ts FROM chain_%s AS a, chain_%s AS b', i, i - 1, i - 1);
	END LOOP;
END $$;
SELECT is(pg_temp.columns('chain_40'), 'ts *ROWTIME* [that of parent]', 'a view that joins itself over and over is read once');

-- Checks that are no definition
CREATE TABLE mixed (id int, ts timestamp(3), tz timestamptz, CHECK (id > 0 AND watermark_for(ts, ts)));
SELECT throws_ok('SELECT describe(''mixed'')', '42P17', 'watermark_for() in table "mixed" is not a condition of its own', 'a marker within a CHECK');
CREATE TABLE twice (ts timestamp(3), tz timestamptz, CHECK (watermark_for(ts, ts)), CHECK (watermark_for(tz, tz)));
SELECT throws_ok('SELECT describe(''twice'')', '42710', 'table "twice" already has a watermark definition', 'two CHECKs');
CREATE TABLE big (id bigint, CHECK (watermark_for(id, id)));
SELECT throws_ok('SELECT describe(''big'')', '42804', 'column "id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)', 'a CHECK on a bigint');

-- The view "watermarks"
CREATE VIEW no_column AS SELECT id FROM part WHERE watermark_for(ts, ts);
CREATE VIEW windowed AS SELECT window_start, window_end, count(*) FROM part, TUMBLE(part, DESCRIPTOR(ts), '1 h') WHERE watermark_for(ts, ts) GROUP BY 1, 2;
CREATE VIEW applied AS SELECT p.* FROM part AS p, APPLY_WATERMARK(p, DESCRIPTOR(ts), ts);
CREATE VIEW passes AS SELECT * FROM part;
SELECT results_eq($$ SELECT relation::text, rowtime, strategy, problem FROM watermarks ORDER BY 1 $$, $$ VALUES
	('applied', 'ts', 'p.ts', NULL),
	('big', NULL, NULL, 'rowtime and strategy are not timestamps of one kind'),
	('child', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('domain_rowtime', 'at', '((at)::timestamp without time zone - ''00:00:05''::interval)', NULL),
	('fleeting', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('foreign_rows', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('generated', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('kept', 'ts', 'ts - ''00:00:05''::interval', NULL),
	('mixed', NULL, NULL, 'watermark_for() is not a condition of its own'),
	('no_column', 'ts', 'ts', 'the rowtime is no column'),
	('parent', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('part', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('part_1', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('passing', 'ts', '(ts - ''00:00:05''::interval)', NULL),
	('passing_view', 'ts', 'ts - ''00:00:05''::interval', NULL),
	('twice', NULL, NULL, 'two watermark definitions'),
	('windowed', 'part.ts', 'part.ts', NULL)
$$, 'every relation with a definition of its own, and what is wrong with it');

CREATE ROLE reader;
CREATE ROLE column_reader;
CREATE ROLE owner;
CREATE ROLE member IN ROLE owner;
GRANT SELECT ON part TO reader;
GRANT SELECT (ts) ON parent TO column_reader;
ALTER TABLE twice OWNER TO owner;
GRANT USAGE ON SCHEMA public TO PUBLIC;
SET ROLE reader;
SELECT set_eq('SELECT relation::text FROM watermarks', ARRAY['part'], 'a role sees a table that it may read');
SET ROLE column_reader;
SELECT set_eq('SELECT relation::text FROM watermarks', ARRAY['parent'], 'or a column of which');
SET ROLE owner;
SELECT set_eq('SELECT relation::text FROM watermarks', ARRAY['twice'], 'or that it owns');
SET ROLE member;
SELECT set_eq('SELECT relation::text FROM watermarks', ARRAY['twice'], 'or whose owner it is');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
