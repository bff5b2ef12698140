\i test/setup.psql
BEGIN;
SELECT plan(35);

-- A translation on one line: its layout is for flink_layout.sql.
CREATE FUNCTION pg_temp.translated(source text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(flink_sql(source), '\s+', ' ', 'g'), '(\() | (\))', '\1\2', 'g')
$$;

SELECT is(pg_temp.translated(source), expected, label)
FROM (VALUES
	('SELECT * FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL ''10'' MINUTES))',
	 'SELECT * FROM bids, TUMBLE(bids, DESCRIPTOR(ts), INTERVAL ''10'' MINUTE);',
	 'a table goes before its window function'),
	('SELECT * FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL ''1'' HOUR)',
	 'SELECT * FROM bids, TUMBLE(bids, DESCRIPTOR(ts), INTERVAL ''1'' HOUR);',
	 'TABLE around a window function may be left out'),
	('SELECT w.k FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL ''1'' HOUR)) AS w',
	 'SELECT w.k FROM (SELECT * FROM bids, TUMBLE(bids, DESCRIPTOR(ts), INTERVAL ''1'' HOUR)) AS w;',
	 'an alias names a subquery'),
	('SELECT 1 FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(t), INTERVAL ''1'' HOUR)) x, b',
	 'SELECT 1 FROM (SELECT * FROM a, TUMBLE(a, DESCRIPTOR(t), INTERVAL ''1'' HOUR)) AS x, b;',
	 'a window function beside another item is a subquery'),
	('SELECT 1 FROM TABLE(HOP(DATA => TABLE bids, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL ''10'' MINUTE, SLIDE => INTERVAL ''5'' MINUTE, `OFFSET` => INTERVAL ''1'' MINUTE))',
	 'SELECT 1 FROM bids, HOP(bids, DESCRIPTOR(ts), INTERVAL ''5'' MINUTE, INTERVAL ''10'' MINUTE, INTERVAL ''1'' MINUTE);',
	 'named arguments are put in order'),
	('SELECT 1 FROM TABLE(CUMULATE((SELECT * FROM bids WHERE v > 1), DESCRIPTOR(ts), INTERVAL ''2'' MINUTE, INTERVAL ''10'' MINUTE))',
	 'SELECT 1 FROM (SELECT * FROM bids WHERE v > 1) AS input, CUMULATE(input.*, DESCRIPTOR(ts), INTERVAL ''2'' MINUTE, INTERVAL ''10'' MINUTE);',
	 'the data of a window function may be a query'),
	('SELECT 1 FROM TABLE(SESSION(TABLE bids PARTITION BY k, l, DESCRIPTOR(ts), INTERVAL ''5'' MINUTES))',
	 'SELECT 1 FROM bids, SESSION(bids, DESCRIPTOR(ts), INTERVAL ''5'' MINUTE, k, l);',
	 'the keys of a session stand last'),
	('SELECT 1 FROM TABLE(SESSION(GAP => INTERVAL ''5'' MINUTES, DATA => TABLE bids PARTITION BY (k), TIMECOL => DESCRIPTOR(ts)))',
	 'SELECT 1 FROM bids, SESSION(bids, DESCRIPTOR(ts), INTERVAL ''5'' MINUTE, k);',
	 'the keys of a session may be named with its data'),
	('SELECT id FROM APPLY_WATERMARK(TABLE orders, DESCRIPTOR(ts), ts - INTERVAL ''5'' SECOND)',
	 'SELECT id FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(ts), ts - INTERVAL ''5'' SECOND);',
	 'APPLY_WATERMARK is a window function of sorts'),
	('SELECT * FROM APPLY_WATERMARK(strategy => ts, rowtime => DESCRIPTOR(ts), input => TABLE orders)',
	 'SELECT * FROM (SELECT orders.* FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(ts), ts)) AS subquery_1;',
	 'APPLY_WATERMARK shows no columns of its own'),
	('SELECT o.is_behind FROM APPLY_WATERMARK(TABLE orders, DESCRIPTOR(ts), ts) AS o',
	 'SELECT o.is_behind FROM (SELECT orders.* FROM orders, APPLY_WATERMARK(orders, DESCRIPTOR(ts), ts)) AS o;',
	 'nor does a name reach them'),
	('SELECT id FROM APPLY_WATERMARK((SELECT id, ts FROM APPLY_WATERMARK(TABLE a, DESCRIPTOR(ts), ts)), DESCRIPTOR(ts), ts)',
	 'SELECT id FROM (SELECT id, ts FROM a, APPLY_WATERMARK(a, DESCRIPTOR(ts), ts)) AS input, APPLY_WATERMARK(input.*, DESCRIPTOR(ts), ts);',
	 'watermarks may be nested'),
	('SELECT 1 FROM TABLE(TUMBLE(APPLY_WATERMARK(TABLE a, DESCRIPTOR(ts), ts), DESCRIPTOR(ts), INTERVAL ''1'' HOUR))',
	 'SELECT 1 FROM (SELECT a.* FROM a, APPLY_WATERMARK(a, DESCRIPTOR(ts), ts)) AS input, TUMBLE(input.*, DESCRIPTOR(ts), INTERVAL ''1'' HOUR);',
	 'a window function takes what another gives'),
	('SELECT * FROM (SELECT a FROM t) WHERE a > 1',
	 'SELECT * FROM (SELECT a FROM t) AS subquery_1 WHERE a > 1;',
	 'a subquery gets an alias'),
	('SELECT k, TUMBLE_END(ts, INTERVAL ''10'' MINUTES) e FROM t GROUP BY k, TUMBLE(ts, INTERVAL ''10'' MINUTES)',
	 'SELECT k, TUMBLE_END(ts, INTERVAL ''10'' MINUTE) AS e FROM t GROUP BY k, TUMBLE(ts, INTERVAL ''10'' MINUTE);',
	 'group windows stay as they are'),
	('SELECT a FROM t ORDER BY a, b DESC, c NULLS LAST, d DESC NULLS FIRST',
	 'SELECT a FROM t ORDER BY a NULLS FIRST, b DESC NULLS LAST, c NULLS LAST, d DESC NULLS FIRST;',
	 'NULL is the least value'),
	('SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY', 'SELECT a FROM t OFFSET 2 LIMIT 3;', 'FETCH is LIMIT'),
	('SELECT a FROM t LIMIT 3', 'SELECT a FROM t LIMIT 3;', 'LIMIT is LIMIT'),
	('SELECT 1 MINUS SELECT 2 UNION ALL (SELECT 3 INTERSECT SELECT 4)',
	 'SELECT 1 EXCEPT SELECT 2 UNION ALL (SELECT 3 INTERSECT SELECT 4);', 'MINUS is EXCEPT'),
	('WITH a AS (SELECT 1 AS x), b (y) AS (VALUES (1), (2)) SELECT * FROM a, b',
	 'WITH a AS (SELECT 1 AS x), b (y) AS (VALUES (1), (2)) SELECT * FROM a, b;', 'common table expressions stay'),
	('TABLE default_catalog.default_database.t', 'TABLE t;', 'the default catalog and database are left out'),
	('SELECT a FROM db.t', 'SELECT a FROM db.t;', 'a database is a schema'),
	('SELECT * FROM a NATURAL JOIN b LEFT OUTER JOIN c USING (x) CROSS JOIN UNNEST(b.l) AS u (v)',
	 'SELECT * FROM a NATURAL JOIN b LEFT OUTER JOIN c USING (x) CROSS JOIN UNNEST(b.l) AS u (v);', 'joins stay'),
	('SELECT * FROM a, LATERAL TABLE(f(a.x)) AS t (y)', 'SELECT * FROM a, LATERAL f(a.x) AS t (y);',
	 'a function of the user is an item of FROM'),
	('SELECT COUNT(*) OVER w FROM t WINDOW w AS (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL ''5'' SECONDS PRECEDING AND CURRENT ROW)',
	 'SELECT COUNT(*) OVER w FROM t WINDOW w AS (PARTITION BY k ORDER BY ts NULLS FIRST RANGE BETWEEN INTERVAL ''5'' SECOND PRECEDING AND CURRENT ROW);',
	 'frames of OVER stay'),
	('SELECT k FROM t GROUP BY GROUPING SETS ((k, f), (k), ()), ROLLUP (a), CUBE (b)',
	 'SELECT k FROM t GROUP BY GROUPING SETS ((k, f), (k), ()), ROLLUP(a), CUBE(b);', 'grouping sets stay'),
	('SELECT a -- comment' || chr(10) || ', b /* another */ FROM t // and one more', 'SELECT a, b FROM t;', 'comments are left out'),
	('SELECT 1; ; SELECT 2;', 'SELECT 1; SELECT 2;', 'statements are separated by semicolons'),
	('', '', 'there may be no statement'),
	('DESCRIBE EXTENDED d.t; DESC VIEW v; DESCRIBE TABLE t; DESC view',
	 'SELECT * FROM describe(''d.t''::regclass); SELECT * FROM describe(''v''::regclass); SELECT * FROM describe(''t''::regclass); SELECT * FROM describe(''view''::regclass);',
	 'what is described may be called a table or a view'),
	('EXPLAIN PLAN FOR SELECT 1', 'EXPLAIN SELECT 1;', 'a plan is a plan'),
	('SELECT 1 WHERE EXISTS (SELECT * FROM a WHERE a.x IN (SELECT x FROM b)) AND (1, 2) IN ((1, 2))',
	 'SELECT 1 WHERE EXISTS (SELECT * FROM a WHERE a.x IN (SELECT x FROM b)) AND (1, 2) IN ((1, 2));',
	 'subqueries in expressions stay'),
	('SELECT * FROM ((SELECT 1 AS x) UNION (SELECT 2)) AS u', 'SELECT * FROM ((SELECT 1 AS x) UNION (SELECT 2)) AS u;',
	 'a query in parentheses may begin with one'),
	('SELECT * FROM (a JOIN b ON a.x = b.x)', 'SELECT * FROM (a JOIN b ON a.x = b.x);', 'a join may stand in parentheses')
) AS c(source, expected, label);

CREATE TABLE price (price int, ts timestamp(3));
SELECT is(pg_temp.translated('SELECT 1 FROM TABLE(TUMBLE(TABLE price, DESCRIPTOR(ts), INTERVAL ''1'' HOUR))'),
	'SELECT 1 FROM price, TUMBLE(price.*, DESCRIPTOR(ts), INTERVAL ''1'' HOUR);',
	'a row is named so that a column cannot be taken for it');

SELECT * FROM finish();
ROLLBACK;
