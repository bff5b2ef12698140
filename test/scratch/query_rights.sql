\ir query_setup.sql
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
DO $$ BEGIN CREATE ROLE r1; EXCEPTION WHEN OTHERS THEN NULL; END $$;
CREATE ROLE r2; 
GRANT USAGE, CREATE ON SCHEMA t TO r1, r2;
\echo -- view of another owner
CREATE VIEW v2 AS SELECT id, auction, price, ts FROM bid WHERE price > 5; ALTER VIEW v2 OWNER TO r2;
CREATE VIEW q1 AS SELECT window_start, auction, count(*) FROM v2, TUMBLE(v2, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, auction; ALTER VIEW q1 OWNER TO r1;
SELECT scratch_check('q1');
GRANT SELECT ON v2 TO r1;
SELECT scratch_check('q1');
GRANT SELECT ON bid TO r2;
SELECT scratch_check('q1');
\echo -- policies with subqueries, of the view's owner
ALTER TABLE bid ENABLE ROW LEVEL SECURITY;
CREATE POLICY a ON bid TO r2 USING (auction IN (SELECT id FROM auction WHERE category = 1) AND bid.tx <> 't0');
GRANT SELECT ON auction TO r2;
SELECT scratch_run('q1', 77, 's1'); SELECT count(*), sum(count) FROM s1; TABLE q1 EXCEPT ALL TABLE s1; TABLE s1 EXCEPT ALL TABLE q1;
SELECT count(*) FROM bid WHERE auction IN (SELECT id FROM auction WHERE category = 1) AND bid.tx <> 't0' AND price > 5 AND ts IS NOT NULL;
\echo -- security invoker
ALTER VIEW v2 SET (security_invoker = true);
SELECT scratch_check('q1');
GRANT SELECT ON bid TO r1; 
SELECT scratch_run('q1', 77, 's2'); SELECT count(*) FROM s2;
\echo -- no right to a function of an aggregate, or of the query
ALTER TABLE bid DISABLE ROW LEVEL SECURITY;
REVOKE EXECUTE ON FUNCTION plus_one FROM PUBLIC; REVOKE EXECUTE ON FUNCTION myprod FROM PUBLIC;
CREATE VIEW q3 AS SELECT window_start, sum(plus_one(price)) FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start; ALTER VIEW q3 OWNER TO r1;
SELECT scratch_check('q3');
CREATE VIEW q4 AS SELECT window_start, myprod(price) FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start; ALTER VIEW q4 OWNER TO r1;
SELECT scratch_check('q4');
\echo -- no right to the sink
CREATE TABLE sink(window_start timestamp, auction int, count bigint);
SELECT scratch_run('q1', 77, 'sink');
GRANT INSERT ON sink TO r1;
SELECT scratch_run('q1', 77, 'sink');
\echo -- typmods of windows
CREATE TABLE t0(ts timestamp(0), CHECK (watermark_for(ts, ts)));
INSERT INTO t0 VALUES ('2024-01-01 00:00:07');
CREATE DOMAIN tsd AS timestamptz(2); CREATE TABLE td(ts tsd, CHECK (watermark_for(ts, ts)));
CREATE VIEW q5 AS SELECT window_start, window_end, window_time, count(*) FROM t0, TUMBLE(t0, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end, window_time;
SELECT scratch_check('q5'); SELECT scratch_run('q5', 1, 's5'); TABLE s5; TABLE q5;
CREATE VIEW q6 AS SELECT window_start, count(*) FROM t0, TUMBLE(t0, DESCRIPTOR(ts), INTERVAL '0.25' SECOND) GROUP BY window_start, window_end;
SELECT scratch_check('q6');
CREATE VIEW q7 AS SELECT window_start, window_time, count(*) FROM td, TUMBLE(td, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end, window_time;
SELECT scratch_check('q7');
CREATE VIEW q8 AS SELECT TUMBLE_START(ts, INTERVAL '5' SECOND) s, TUMBLE_ROWTIME(ts, INTERVAL '5' SECOND), count(*) FROM td GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
SELECT scratch_check('q8');
DROP OWNED BY r1, r2; DROP ROLE r1; DROP ROLE r2;
