\i test/setup.psql
BEGIN;
SELECT plan(16);

-- Rights on the input are those of a plain query, whether the watermark is read
-- (the input moves into a subquery) or not.
CREATE ROLE aw_reader;
CREATE ROLE aw_owner;
CREATE TABLE orders (id int, owner_name text, ts timestamp(3), secret text);
INSERT INTO orders VALUES
	(1, 'aw_reader', '2024-01-01 00:00:01', 's'), (2, 'other', '2024-01-01 00:00:09', 's'),
	(3, 'aw_reader', '2024-01-01 00:00:02', 's'), (4, 'aw_reader', '2024-01-01 00:00:05', 's');

PREPARE reads AS SELECT id, watermark FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts);
PREPARE windows AS SELECT window_start, count(*) FROM orders AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' DAY)
	GROUP BY window_start, window_end;

SET LOCAL ROLE aw_reader;
SELECT throws_ok('EXECUTE reads', '42501', 'permission denied for table orders',
				 'a watermark that is read needs the right to read the table');
SELECT throws_ok('SELECT id FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)', '42501',
				 'permission denied for table orders', 'so does one that is not');
SELECT throws_ok('EXECUTE windows', '42501', 'permission denied for table orders', 'so does a window');
RESET ROLE;

GRANT SELECT (id, ts) ON orders TO aw_reader;
SET LOCAL ROLE aw_reader;
SELECT throws_ok('EXECUTE reads', '42501', 'permission denied for table orders',
				 'the name of the input stands for its whole row, so rights on columns are not enough');
SELECT results_eq(
	'SELECT id, watermark FROM (SELECT id, ts FROM orders) AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) LIMIT 2',
	$$VALUES (1, NULL::timestamp), (2, '2024-01-01 00:00:01')$$, 'a subquery of those columns is the way out');
RESET ROLE;

-- Row security: hidden rows move no watermark, and the plan of one role is not
-- another's.
GRANT SELECT ON orders TO aw_reader;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON orders USING (owner_name = current_user
	AND EXISTS (SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = orders.owner_name));
SELECT results_eq('EXECUTE reads',
	$$VALUES (1, NULL::timestamp), (2, '2024-01-01 00:00:01'), (3, '2024-01-01 00:00:09'), (4, '2024-01-01 00:00:09')$$,
	'the owner of the table sees all rows');
SET LOCAL ROLE aw_reader;
SELECT results_eq('EXECUTE reads',
	$$VALUES (1, NULL::timestamp), (3, '2024-01-01 00:00:01'), (4, '2024-01-01 00:00:02')$$,
	'row security acts below the watermark');
SELECT results_eq('EXECUTE windows', $$VALUES (timestamp '2024-01-01', 3::bigint)$$, 'and below the window');
RESET ROLE;
SELECT results_eq('EXECUTE windows', $$VALUES (timestamp '2024-01-01', 4::bigint)$$,
				  'a prepared statement follows the role');

-- Views run with their owner's rights, or the caller's.
ALTER TABLE orders DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON orders FROM aw_reader;
GRANT SELECT ON orders TO aw_owner;
CREATE VIEW with_watermark AS SELECT o.id, watermark FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts);
CREATE VIEW as_caller WITH (security_invoker) AS SELECT o.id, watermark FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts);
CREATE VIEW barrier WITH (security_barrier) AS
	SELECT o.id, o.secret, watermark FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) WHERE owner_name = 'aw_reader';
ALTER VIEW with_watermark OWNER TO aw_owner;
GRANT SELECT ON with_watermark, as_caller, barrier TO aw_reader;
SET LOCAL ROLE aw_reader;
SELECT results_eq('SELECT id FROM with_watermark WHERE watermark IS NULL', 'VALUES (1)', 'a view has its owner''s rights');
SELECT throws_ok('TABLE as_caller', '42501', 'permission denied for table orders', 'unless it is a security invoker');
SELECT results_eq('SELECT id, watermark FROM barrier ORDER BY id',
	$$VALUES (1, NULL::timestamp), (3, '2024-01-01 00:00:09'), (4, '2024-01-01 00:00:09')$$,
	'a filter of the view acts above the watermark');
CREATE FUNCTION pg_temp.leak(id int) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$
BEGIN
	IF id = 2 THEN RAISE 'leaked %', id; END IF;
	RETURN true;
END $$;
SELECT lives_ok('SELECT id, watermark FROM barrier WHERE pg_temp.leak(id)', 'a security barrier stays one');
RESET ROLE;

-- Names of ours in somebody else's schema change nothing.
CREATE SCHEMA evil;
CREATE FUNCTION evil.date_bin(interval, timestamp, timestamp) RETURNS timestamp LANGUAGE sql AS $$SELECT timestamp 'infinity'$$;
CREATE FUNCTION evil.tumble_bin(timestamp, interval, timestamp) RETURNS timestamp LANGUAGE sql AS $$SELECT timestamp 'infinity'$$;
SET LOCAL search_path = evil, public, pg_catalog;
SELECT results_eq($$SELECT window_start FROM (SELECT timestamp '2024-01-01 12:00' AS ts) AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' DAY)$$,
				  $$VALUES (timestamp '2024-01-01')$$, 'the search path does not change what TUMBLE means');

-- What users get
SELECT function_privs_are('watermark', 'watermark_before', ARRAY['timestamp'], 'aw_reader', ARRAY['EXECUTE'],
						  'anyone may use a watermark');
SELECT schema_privs_are('watermark', 'aw_reader', ARRAY['USAGE'], 'nobody may add to the inner parts');

SELECT * FROM finish();
ROLLBACK;
