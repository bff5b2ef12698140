\ir query_setup.sql
\pset format unaligned
\pset tuples_only on
\set VERBOSITY default
SET client_min_messages = warning;
DROP OWNED BY r1; DROP ROLE IF EXISTS r1; CREATE ROLE r1; GRANT USAGE, CREATE ON SCHEMA t TO r1; GRANT USAGE ON SCHEMA watermark TO r1;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA t TO r1;
CREATE VIEW q AS SELECT window_start, window_end, auction, count(*) n, sum(price) s FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, auction;
ALTER VIEW q OWNER TO r1;
\echo -- owner without privilege
SELECT scratch_check('q');
GRANT SELECT (id, auction, price) ON bid TO r1;
SELECT scratch_check('q');
GRANT SELECT ON bid TO r1;
SELECT scratch_check('q');
\echo -- RLS
ALTER TABLE bid ENABLE ROW LEVEL SECURITY; CREATE POLICY p1 ON bid TO r1 USING (auction < 3);
SELECT scratch_run('q', 100, 'sq');
SELECT count(*), min(auction), max(auction), (SELECT tableowner FROM pg_tables WHERE tablename = 'sq') FROM sq;
(TABLE q EXCEPT ALL TABLE sq) UNION ALL (TABLE sq EXCEPT ALL TABLE q);
DROP TABLE sq;
\echo -- policy changed while open
SELECT scratch_open('q', 'sq');
SELECT scratch_feed(100, 'id <= 1000');
ALTER POLICY p1 ON bid USING (auction < 5);
SELECT scratch_feed(100, 'id BETWEEN 1001 AND 2000');
SELECT scratch_feed(100, 'id BETWEEN 2001 AND 2500');
\echo -- revoked, error, granted
REVOKE SELECT ON bid FROM r1; REVOKE ALL (id, auction, price) ON bid FROM r1;
SELECT scratch_feed(100, 'id > 2500');
SELECT current_user, current_setting('search_path');
GRANT SELECT ON bid TO r1;
SELECT scratch_feed(100, 'id > 2500');
SELECT scratch_close();
SELECT sum(n), max(auction) FROM sq;
SELECT count(*) FROM bid WHERE ts IS NOT NULL AND (id <= 1000 AND auction < 3 OR id > 1000 AND auction < 5);
DROP TABLE sq; ALTER TABLE bid DISABLE ROW LEVEL SECURITY;
\echo -- DDL while open
SELECT scratch_open('q', 'sq');
SELECT scratch_feed(100, 'id <= 500');
ALTER TABLE bid ADD COLUMN extra int DEFAULT 5;
SELECT scratch_feed(100, 'id BETWEEN 501 AND 1000');
ALTER TABLE bid RENAME COLUMN auction TO "Auc tion"; ALTER TABLE bid RENAME TO "Bi""d"; ALTER VIEW q RENAME TO "Q x";
SELECT scratch_feed(100, 'id BETWEEN 1001 AND 1500');
ALTER TABLE sq RENAME TO "S q";
ALTER TABLE "Bi""d" DROP COLUMN extra; ALTER TABLE "Bi""d" DROP COLUMN tags;
CREATE INDEX ON "Bi""d"(ts); ANALYZE "Bi""d";
SELECT scratch_feed(100, 'id BETWEEN 1501 AND 2000');
CREATE OR REPLACE VIEW "Q x" AS SELECT window_start, window_end, "Auc tion" AS auction, count(*) n, sum(price) s FROM "Bi""d" b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, "Auc tion";
SELECT scratch_feed(100, 'id BETWEEN 2001 AND 3000');
SELECT scratch_close();
(TABLE "Q x" EXCEPT ALL TABLE "S q") UNION ALL (TABLE "S q" EXCEPT ALL TABLE "Q x");
SELECT count(*), sum(n) FROM "S q";
\echo -- state no longer fits
SELECT scratch_open('"Q x"', 'sq2');
SELECT scratch_feed(100, 'id <= 500');
CREATE OR REPLACE VIEW "Q x" AS SELECT window_start, window_end, "Auc tion" AS auction, count(*) n, sum(price)::numeric s FROM "Bi""d" b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '2' HOUR) GROUP BY window_start, window_end, "Auc tion";
SELECT scratch_feed(100, 'id BETWEEN 501 AND 1000');
CREATE OR REPLACE VIEW "Q x" AS SELECT window_start, window_end, "Auc tion" AS auction, count(*) n, sum(price) s FROM "Bi""d" b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, "Auc tion";
SELECT scratch_feed(100, 'id BETWEEN 501 AND 1000');
\echo -- error in ingest, then on
CREATE VIEW q3 AS SELECT window_start, count(*) n, sum(100 / (price - 13)) s FROM "Bi""d" b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start;
ALTER VIEW q3 OWNER TO r1;
SELECT scratch_open('q3', 'sq3');
SELECT scratch_feed(10, 'id < 100');
SELECT current_user, current_setting('search_path'), current_setting('TimeZone');
SELECT scratch_feed(10, 'id < 10');
DROP VIEW q3;
SELECT scratch_feed(10, 'id < 10');
\echo -- function replaced
CREATE VIEW q4 AS SELECT window_start, sum(plus_one(price)) s FROM "Bi""d" b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start;
SELECT scratch_open('q4', 'sq4');
SELECT scratch_feed(10, 'id <= 1500');
CREATE OR REPLACE FUNCTION plus_one(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 100';
SELECT scratch_feed(10, 'id > 1500');
SELECT scratch_close();
SELECT (SELECT sum(s) FROM sq4), (SELECT sum(price + CASE WHEN id <= 1500 THEN 1 ELSE 100 END) FROM "Bi""d" WHERE ts IS NOT NULL);
\echo -- time zone
SET TimeZone = 'America/St_Johns';
CREATE VIEW q5 AS SELECT window_start, count(*) FROM computed_w c, TUMBLE(c, DESCRIPTOR(lt), INTERVAL '1' DAY) GROUP BY window_start, window_end;
SELECT scratch_run('q5', 100, 'sq5'); TABLE sq5; TABLE q5 EXCEPT ALL TABLE sq5;
SET TimeZone = 'UTC';
\echo -- sinks
SET client_min_messages = notice;
CREATE TABLE si1(window_start timestamp, n int); CREATE TABLE si2(window_start timestamp, n text, extra text DEFAULT 'd', s numeric);
CREATE TABLE si3(window_start timestamp, n int, s numeric, x int NOT NULL);
CREATE TABLE si4(window_start timestamp PRIMARY KEY, n int, s numeric, UNIQUE (n) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE si5(window_start timestamp, n int, s bigint REFERENCES auction(id) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE si6(window_start timestamp, n date, s numeric); CREATE VIEW si7 AS SELECT * FROM si2;
CREATE TABLE si8(window_start timestamp, n int GENERATED ALWAYS AS IDENTITY, s numeric);
CREATE VIEW q6 AS SELECT window_start, count(*) n, sum(price) s FROM "Bi""d" b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start;
SELECT scratch_run('q6', 100, 'si1');
SELECT scratch_run('q6', 100, 'si2'); SELECT * FROM si2 LIMIT 1;
SELECT scratch_run('q6', 100, 'si3');
SELECT scratch_run('q6', 100, 'si4');
SELECT scratch_run('q6', 100, 'si5');
SELECT scratch_run('q6', 100, 'si6');
SELECT scratch_run('q6', 100, 'si7');
SELECT scratch_run('q6', 100, 'si8');
SELECT scratch_run('q6', 100, '"Bi""d"');
SELECT scratch_run('q6', 100, 'nosuch.si');
SELECT scratch_run('q6', 100, 't."New Sink"'); SELECT count(*) FROM "New Sink";
\echo -- partitions and columns of sinks
CREATE VIEW q7 AS SELECT window_start AS "Window Start", "Key", 'x'::varchar(7) AS v, 1.5::numeric(10,2) AS nn, "Key" COLLATE "C" AS kc FROM "Mixed Case" mc, TUMBLE(mc, DESCRIPTOR("Time Stamp"), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, "Key";
SELECT scratch_run('q7', 100, 'sq7');
SELECT attname, format_type(atttypid, atttypmod), attcollation::regcollation FROM pg_attribute WHERE attrelid = 'sq7'::regclass AND attnum > 0;
