-- set_watermark() and drop_watermark() on views.
\i test/setup.psql
BEGIN;
SELECT no_plan();
CREATE FUNCTION pg_temp.strategy(rel regclass) RETURNS text
LANGUAGE sql AS $$ SELECT coalesce(problem, rowtime || ': ' || strategy) FROM watermarks WHERE relation = rel $$;

CREATE TABLE t (id int, ts timestamp(3), tz timestamptz, k text);
INSERT INTO t VALUES (1, '2024-01-01', '2024-01-01', 'a'), (2, '2024-01-02', '2024-01-01', 'b'), (2, '2024-01-02', NULL, 'b'), (3, NULL, NULL, NULL);

-- Each view: set, replace, drop.  Rows, columns and what can be updated are the same.
CREATE TABLE views (n int GENERATED ALWAYS AS IDENTITY, label text, query text, rowtime text DEFAULT 'ts', is_wrapped boolean, options text DEFAULT '');
INSERT INTO views (label, query, rowtime, is_wrapped, options) VALUES
	('plain columns', 'SELECT id, ts FROM t', 'ts', false, ''),
	('a filter', 'SELECT * FROM t WHERE id > 0', 'ts', false, ''),
	('a filter with OR', 'SELECT * FROM t WHERE id = 1 OR id = 2', 'ts', false, ''),
	('a marker already', 'SELECT * FROM t WHERE id > 0 AND (id < 9 AND watermark_for(tz, tz))', 'ts', false, ''),
	('a join', 'SELECT t.id, u.ts FROM t LEFT JOIN t AS u USING (id)', 'ts', false, ''),
	('names to quote', 'SELECT id AS "I d", ts AS "Ünï ""t""" FROM t', 'Ünï "t"', false, ''),
	('a computed rowtime', 'SELECT id, coalesce(ts, ''2024-01-01'') + id * INTERVAL ''1 s'' AS at FROM t', 'at', false, ''),
	('a rowtime from a subquery', 'SELECT id, (SELECT max(u.ts) FROM t AS u WHERE u.id <= t.id) AS m FROM t', 'm', false, ''),
	('a window function beside it', 'SELECT ts, row_number() OVER (ORDER BY id, tz) FROM t', 'ts', false, ''),
	('a rowtime from a window function', 'SELECT id, max(ts) OVER () AS m FROM t', 'm', true, ''),
	('a volatile rowtime', 'SELECT id, t.ts + random() * 0 * INTERVAL ''1 s'' AS m FROM t CROSS JOIN (SELECT) AS one', 'm', true, ''),
	('a set-returning rowtime', 'SELECT id, generate_series(ts, ts + INTERVAL ''1 h'', ''1 h'') AS g FROM t', 'g', true, ''),
	('GROUP BY', 'SELECT id, max(ts) AS m FROM t GROUP BY id', 'm', true, ''),
	('GROUP BY ROLLUP', 'SELECT id, ts, count(*) FROM t GROUP BY ROLLUP (id, ts)', 'ts', true, ''),
	('HAVING alone', 'SELECT max(ts) AS m FROM t HAVING count(*) > 0', 'm', true, ''),
	('DISTINCT', 'SELECT DISTINCT id, ts FROM t', 'ts', true, ''),
	('DISTINCT ON', 'SELECT DISTINCT ON (id) id, ts FROM t ORDER BY id, tz', 'ts', true, ''),
	('UNION', 'SELECT ts FROM t UNION SELECT ts + INTERVAL ''1 s'' FROM t', 'ts', true, ''),
	('UNION ALL', 'SELECT ts FROM t UNION ALL SELECT ts FROM t', 'ts', true, ''),
	('LIMIT', 'SELECT * FROM t ORDER BY ts, tz LIMIT 2', 'ts', true, ''),
	('OFFSET', 'SELECT * FROM t ORDER BY ts, tz OFFSET 1', 'ts', true, ''),
	('ORDER BY', 'SELECT id, ts FROM t ORDER BY tz, id', 'ts', false, ''),
	('VALUES', 'VALUES (1, timestamp ''2024-01-01''), (2, ''2024-01-02'')', 'column2', true, ''),
	('no FROM', 'SELECT timestamp ''2024-01-01'' AS ts', 'ts', false, ''),
	('a CTE', 'WITH c AS (SELECT * FROM t) SELECT id, ts FROM c', 'ts', false, ''),
	('a recursive CTE', 'WITH RECURSIVE c AS (SELECT id, ts FROM t UNION SELECT id + 1, ts FROM c WHERE id < 3) SELECT * FROM c', 'ts', false, ''),
	('APPLY_WATERMARK', 'SELECT o.* FROM t AS o, APPLY_WATERMARK(o, DESCRIPTOR(tz), tz)', 'ts', true, ''),
	('a window', 'SELECT window_start, window_end, window_time FROM t, TUMBLE(t, DESCRIPTOR(ts), ''1 h'')', 'window_time', false, ''),
	('groups of a window', 'SELECT window_end, window_time, count(*) FROM t, TUMBLE(t, DESCRIPTOR(ts), ''1 h'') WHERE watermark_for(ts, ts) GROUP BY window_start, 1, 2', 'window_time', true, ''),
	('FOR UPDATE', 'SELECT id, ts FROM t FOR UPDATE', 'ts', false, ''),
	('options', 'SELECT * FROM t WHERE id > 0', 'ts', false, 'WITH (security_barrier, security_invoker = on, check_option = local)'),
	('options and DISTINCT', 'SELECT DISTINCT id, ts FROM t', 'ts', true, 'WITH (security_barrier = true, security_invoker)');

-- Says what went wrong; NULL if nothing did.
CREATE FUNCTION pg_temp.faults(v views) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	before jsonb;
	rows text[];
	plan_before text;
	state jsonb;
	faults text[];
BEGIN
	EXECUTE format('CREATE VIEW "Ünï v" %s AS %s', v.options, v.query);
	COMMENT ON VIEW "Ünï v" IS 'a comment';
	EXECUTE format('COMMENT ON COLUMN "Ünï v".%I IS %L', v.rowtime, 'another');
	GRANT SELECT ON "Ünï v" TO PUBLIC;
	CREATE VIEW above AS SELECT * FROM "Ünï v";
	before := pg_temp.state();
	SELECT array_agg(above::text ORDER BY above::text) INTO rows FROM above;
	plan_before := pg_temp.plan();
	FOR i IN 1..2 LOOP
		PERFORM set_watermark('"Ünï v"', v.rowtime, format('%I - INTERVAL ''%s s''', v.rowtime, i));
		IF coalesce(pg_temp.strategy('"Ünï v"'), '') NOT LIKE v.rowtime || ': % - ''00:00:0' || i || '''::interval' THEN faults := faults || 'the strategy'::text; END IF;
		IF pg_temp.state() IS DISTINCT FROM before THEN faults := faults || format('%s is now %s', before, pg_temp.state()); END IF;
		IF rows IS DISTINCT FROM (SELECT array_agg(above::text ORDER BY above::text) FROM above) THEN faults := faults || 'the rows'::text; END IF;
		IF pg_temp.plan() <> plan_before AND NOT v.is_wrapped THEN faults := faults || ('the plan ' || pg_temp.plan() || ' was ' || plan_before); END IF;
		IF (pg_get_viewdef('"Ünï v"') LIKE '%) "Ünï v"%') <> v.is_wrapped THEN faults := faults || pg_get_viewdef('"Ünï v"'); END IF;
		-- What pg_dump writes makes the same view.
		EXECUTE format('CREATE VIEW again AS %s', pg_get_viewdef('"Ünï v"'));
		IF replace(pg_temp.strategy('again'), 'again', '"Ünï v"') IS DISTINCT FROM pg_temp.strategy('"Ünï v"') THEN faults := faults || 'as dumped'::text; END IF;
		DROP VIEW again;
	END LOOP;
	PERFORM drop_watermark('"Ünï v"');
	IF pg_temp.strategy('"Ünï v"') IS NOT NULL THEN faults := faults || 'dropped'::text; END IF;
	IF pg_temp.state() IS DISTINCT FROM before THEN faults := faults || 'after dropping'::text; END IF;
	IF rows IS DISTINCT FROM (SELECT array_agg(above::text ORDER BY above::text) FROM above) THEN faults := faults || 'the rows after dropping'::text; END IF;
	DROP VIEW "Ünï v" CASCADE;
	RETURN array_to_string(faults, ', ');
END $$;
CREATE FUNCTION pg_temp.state() RETURNS jsonb
LANGUAGE sql AS $$
	SELECT jsonb_build_object('oid', c.oid, 'comment', obj_description(c.oid, 'pg_class'), 'acl', relacl, 'options', reloptions,
		'updatable', pg_relation_is_updatable(c.oid, false),
		'columns', (SELECT jsonb_agg(ARRAY[attname, format_type(atttypid, atttypmod), col_description(c.oid, attnum)] ORDER BY attnum)
					FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0))
	FROM pg_class AS c WHERE relname = 'Ünï v'
$$;
CREATE FUNCTION pg_temp.plan() RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	plan text;
BEGIN
	EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) SELECT * FROM above' INTO plan;
	RETURN plan;
END $$;
SELECT is(pg_temp.faults(v), NULL, 'a view with ' || label) FROM views AS v ORDER BY n;

-- Columns renamed after the view was made
CREATE VIEW renamed AS SELECT id, ts FROM t;
ALTER VIEW renamed RENAME COLUMN ts TO "at";
CREATE VIEW renamed_groups(a, b) AS SELECT id, max(ts) FROM t GROUP BY id;
ALTER VIEW renamed_groups RENAME COLUMN a TO "A";
SELECT lives_ok($$ SELECT set_watermark('renamed', 'at', 'at - INTERVAL ''1 s''') $$, 'a column that was renamed');
SELECT lives_ok($$ SELECT set_watermark('renamed_groups', 'b', 'b - "A" * INTERVAL ''1 s''') $$, 'and one over groups');
SELECT is(pg_temp.strategy('renamed'), 'at: ts - ''00:00:01''::interval', 'the rowtime has the new name');
SELECT lives_ok('SELECT drop_watermark(''renamed'')', 'and is dropped');

-- What can be updated, can still, and is checked
CREATE VIEW checked AS SELECT id, ts FROM t WHERE id > 0 WITH CHECK OPTION;
SELECT is(set_watermark('checked', 'ts', 'ts - INTERVAL ''1 s''')::text, '', 'a view that is updated');
SELECT lives_ok($$ INSERT INTO checked VALUES (7, '2024-01-07'); UPDATE checked SET ts = NULL WHERE id = 7; DELETE FROM checked WHERE id = 7 $$, 'takes rows');
SELECT throws_ok('INSERT INTO checked VALUES (-1, NULL)', '44000', NULL, 'and refuses those that its condition does not hold for');

-- Temporary views, triggers, open cursors, prepared statements
CREATE TEMPORARY VIEW passing AS SELECT DISTINCT id, ts FROM t;
SELECT is(set_watermark('passing', 'ts', 'ts')::text, '', 'a temporary view');
SELECT is((SELECT relpersistence FROM pg_class WHERE relname = 'passing'), 't', 'stays temporary');
CREATE FUNCTION pg_temp.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER instead INSTEAD OF INSERT ON passing FOR EACH ROW EXECUTE FUNCTION pg_temp.nothing();
SELECT is(set_watermark('passing', 'ts', 'ts')::text, '', 'a view with a trigger');
SELECT lives_ok('INSERT INTO passing VALUES (1)', 'which works');
PREPARE prepared AS SELECT count(*) FROM renamed;
DECLARE c CURSOR FOR SELECT id FROM renamed;
SELECT is(set_watermark('renamed', 'at', 'at')::text, '', 'a view that a cursor reads');
SELECT results_eq('EXECUTE prepared', 'VALUES (4::bigint)', 'a prepared statement is planned anew');

-- An owner needs no other right than that
CREATE ROLE owner;
CREATE SCHEMA closed;
GRANT USAGE ON SCHEMA closed TO owner;
CREATE VIEW closed.plain AS SELECT id, ts FROM t;
CREATE VIEW closed.groups AS SELECT id, max(ts) AS m FROM t GROUP BY id;
ALTER VIEW closed.plain OWNER TO owner;
ALTER VIEW closed.groups OWNER TO owner;
SET ROLE owner;
SELECT lives_ok($$ SELECT set_watermark('closed.plain', 'ts', 'ts') $$, 'an owner without a right on the schema or table sets it');
SELECT lives_ok($$ SELECT set_watermark('closed.groups', 'm', 'm') $$, 'over groups too');
SELECT lives_ok($$ SELECT drop_watermark('closed.groups') $$, 'and drops it');
RESET ROLE;

-- What is unclear is not changed, but two definitions
CREATE VIEW misplaced AS SELECT * FROM t WHERE id = 1 OR watermark_for(ts, ts);
SELECT throws_ok($$ SELECT set_watermark('misplaced', 'ts', 'ts') $$, '42P17', 'watermark_for() in view "misplaced" is not a condition of its own', 'a marker in OR');
SELECT throws_ok($$ SELECT drop_watermark('misplaced') $$, '42P17', NULL, 'is not dropped');
CREATE VIEW applied AS SELECT o.* FROM t AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts);
SELECT throws_ok($$ SELECT drop_watermark('applied') $$, '0A000', 'the watermark of view "applied" comes from APPLY_WATERMARK in its query', 'APPLY_WATERMARK is not dropped');
SELECT throws_ok($$ SELECT drop_watermark('checked'), drop_watermark('checked') $$, '42704', 'view "checked" has no watermark definition of its own', 'nothing to drop');
SAVEPOINT s;
SELECT is(set_watermark('checked', 'ts', 'ts - INTERVAL ''9 s''')::text, '', 'in a transaction that ends');
ROLLBACK TO s;
SELECT is(pg_temp.strategy('checked'), 'ts: ts - ''00:00:01''::interval', 'in a rollback the old one stays');
CREATE ROLE stranger;
GRANT ALL ON checked TO stranger;
SET ROLE stranger;
SELECT throws_ok('SELECT set_watermark(''checked'', ''ts'', ''ts'')', '42501', 'must be owner of view checked', 'only the owner sets it');
SELECT throws_ok('SELECT drop_watermark(''checked'')', '42501', 'must be owner of view checked', 'or drops it');

SELECT * FROM finish();
ROLLBACK;
