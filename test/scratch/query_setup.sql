\set QUIET 1
SET client_min_messages = warning;
SET apply_watermark.enable_slice_node = off;
CREATE OR REPLACE FUNCTION scratch_run(v regclass, n int, sink text) RETURNS text LANGUAGE c AS '$libdir/apply_watermark', 'aw_sql_scratch_run';
CREATE OR REPLACE FUNCTION scratch_check(v regclass) RETURNS text LANGUAGE c AS '$libdir/apply_watermark', 'aw_sql_scratch_check';
DROP SCHEMA IF EXISTS t CASCADE; CREATE SCHEMA t; SET search_path = t, public;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad');
CREATE DOMAIN price_d AS bigint CHECK (VALUE < 100000);
CREATE TYPE pair AS (a int, b text);
SELECT current_setting('server_version_num')::int < 180000 AS has_icu \gset
\if :has_icu
CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
\else
CREATE COLLATION ci FROM "C";
\endif
CREATE TABLE auction(id int PRIMARY KEY, name text NOT NULL, category int);
INSERT INTO auction SELECT i, 'a' || i, i % 3 FROM generate_series(0, 8) i;
CREATE TABLE bid(id bigint GENERATED ALWAYS AS IDENTITY, gone1 text, auction int, price bigint, gone2 int, ts timestamp(3),
 tz timestamptz, m mood, n numeric, f float8, tags text[], j jsonb, iv interval, u uuid, tx text, c text COLLATE ci, r int4range, ms bigint,
 p pair, d price_d, b boolean, dt date, CHECK (watermark_for(ts, ts - interval '5 s')));
ALTER TABLE bid DROP COLUMN gone1; ALTER TABLE bid DROP COLUMN gone2;
INSERT INTO bid(auction, price, ts, tz, m, n, f, tags, j, iv, u, tx, c, r, ms, p, d, b, dt)
SELECT CASE WHEN i % 31 = 0 THEN NULL ELSE i % 9 END, i % 97, CASE WHEN i % 53 = 0 THEN NULL ELSE timestamp '2024-03-30 20:00' + (i * 37 % 5000) * interval '13 s' END,
 timestamptz '2024-03-30 20:00Z' + (i * 37 % 5000) * interval '13 s', (enum_range(NULL::mood))[1 + i % 3], (i % 11) / 3.0, i / 7.0, ARRAY['x' || i % 3], jsonb_build_object('k', i % 4), (i % 5) * interval '1 h',
 md5((i % 6)::text)::uuid, 't' || i % 5, CASE WHEN i % 2 = 0 THEN 'Ab' ELSE 'aB' END, int4range(i % 4, 10), 1711828800000 + (i * 37 % 5000) * 13000, ROW(i % 3, 'q')::pair, i % 10, i % 2 = 0, date '2024-01-01' + i % 3
FROM generate_series(1, 3000) i;
CREATE TABLE plain(id int, ts timestamp, v int, k text); -- no watermark
INSERT INTO plain SELECT i, timestamp '2024-01-01' + i * interval '3 s', i, 'k' || i % 4 FROM generate_series(1, 500) i;
CREATE VIEW wv AS SELECT id, k, v, ts AS event_time FROM plain WHERE watermark_for(ts, ts - interval '10 s');
CREATE VIEW wv2 AS SELECT k, v * 2 AS v2, event_time FROM wv WHERE v % 2 = 0;
CREATE VIEW wv3 AS SELECT k, v2, event_time FROM wv2 WHERE watermark_for(event_time, event_time - interval '1 min') AND v2 > 8;
CREATE VIEW computed AS SELECT id, auction, price, to_timestamp_ltz(ms, 3) AS lt, (ms % 1000) AS x FROM bid;
CREATE VIEW computed_w AS SELECT * FROM computed WHERE watermark_for(lt, lt - interval '5 s');
CREATE TABLE "Mixed Case"("Id" int, "Time Stamp" timestamp, "Key" text, CHECK (watermark_for("Time Stamp", "Time Stamp")));
INSERT INTO "Mixed Case" SELECT i, timestamp '2024-01-01' + i * interval '7 s', 'K' || i % 3 FROM generate_series(1, 300) i;
CREATE TABLE part(id int, ts timestamp(6), k int, CHECK (watermark_for(ts, ts - interval '1 s'))) PARTITION BY RANGE (k);
CREATE TABLE part1(k int, dropme int, ts timestamp(6), id int); ALTER TABLE part1 DROP COLUMN dropme;
ALTER TABLE part1 ADD CONSTRAINT part_ts_check CHECK (watermark_for(ts, ts - interval '1 s'));
ALTER TABLE part ATTACH PARTITION part1 FOR VALUES FROM (0) TO (5);
CREATE TABLE part2 PARTITION OF part FOR VALUES FROM (5) TO (100);
INSERT INTO part SELECT i, timestamp '2024-01-01' + i * interval '7 s', i % 10 FROM generate_series(1, 300) i;
CREATE TABLE two(k int, ts timestamp, CHECK (watermark_for(ts, ts)));
CREATE TABLE unl(k int, ts timestamp, CHECK (watermark_for(ts, ts))); ALTER TABLE unl SET UNLOGGED;
CREATE TABLE par(k int, ts timestamp, CHECK (watermark_for(ts, ts))); CREATE TABLE chi() INHERITS (par);
CREATE AGGREGATE myprod(int8) (sfunc = int8mul, stype = int8, combinefunc = int8mul, initcond = '1');
CREATE AGGREGATE nocomb(int8) (sfunc = int8mul, stype = int8, initcond = '1');
CREATE FUNCTION plus_one(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
CREATE FUNCTION vol(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT $1 + 1';
CREATE FUNCTION run_case(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n bigint; m bigint; r text := ''; b int; cols text;
BEGIN
  EXECUTE 'CREATE VIEW cq AS ' || q;
  FOREACH b IN ARRAY ARRAY[7, 1000, 100000] LOOP
    PERFORM scratch_run('cq', b, 'sinkq');
    SELECT string_agg(CASE WHEN atttypid = 'json'::regtype THEN quote_ident(attname) || '::text' ELSE quote_ident(attname) END, ', ' ORDER BY attnum) INTO cols FROM pg_attribute WHERE attrelid = 'cq'::regclass AND attnum > 0;
    EXECUTE format('SELECT count(*) FROM ((SELECT %1$s FROM cq EXCEPT ALL SELECT %1$s FROM sinkq) UNION ALL (SELECT %1$s FROM sinkq EXCEPT ALL SELECT %1$s FROM cq)) x', cols) INTO n;
    EXECUTE 'SELECT count(*) FROM sinkq' INTO m;
    r := r || format('%s/%s ', n, m);
    DROP TABLE sinkq;
  END LOOP;
  DROP VIEW cq;
  RETURN r;
END $$;
CREATE FUNCTION try_case(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text; h text; d text; c text; s text;
BEGIN
  r := run_case(q);
  RETURN CASE WHEN r ~ '^0/[1-9]\d* 0/[1-9]\d* 0/[1-9]\d* $' THEN 'ok ' ELSE 'BAD ' END || r;
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS r = MESSAGE_TEXT, h = PG_EXCEPTION_HINT, d = PG_EXCEPTION_DETAIL, c = RETURNED_SQLSTATE, s = PG_EXCEPTION_CONTEXT;
  RETURN 'ERROR ' || c || ': ' || r || coalesce(' | ' || nullif(d, ''), '') || coalesce(' | HINT ' || nullif(h, ''), '');
END $$;
CREATE VIEW bid_barrier WITH (security_barrier) AS SELECT * FROM bid WHERE auction > 2;
CREATE OR REPLACE FUNCTION scratch_open(v regclass, sink text) RETURNS void LANGUAGE c AS '$libdir/apply_watermark', 'aw_sql_scratch_open';
CREATE OR REPLACE FUNCTION scratch_feed(n int, cond text) RETURNS text LANGUAGE c AS '$libdir/apply_watermark', 'aw_sql_scratch_feed';
CREATE OR REPLACE FUNCTION scratch_close() RETURNS text LANGUAGE c AS '$libdir/apply_watermark', 'aw_sql_scratch_close';
SELECT current_setting('server_version_num')::int < 180000 AS is_old \gset
\if :is_old
CREATE TABLE gen(k int, ms bigint, ts timestamp GENERATED ALWAYS AS (timestamp '1970-01-01' + ms * interval '1 ms') STORED, k2 int GENERATED ALWAYS AS (k * 2) STORED, CHECK (watermark_for(ts, ts)));
\else
CREATE TABLE gen(k int, ms bigint, ts timestamp GENERATED ALWAYS AS (timestamp '1970-01-01' + ms * interval '1 ms') VIRTUAL, k2 int GENERATED ALWAYS AS (k * 2) VIRTUAL, CHECK (watermark_for(ts, ts)));
\endif
INSERT INTO gen(k, ms) SELECT i % 4, i * 10000::bigint FROM generate_series(1, 200) i;
