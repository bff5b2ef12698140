-- Rows of queries, as Flink 2.3 gave them.
\i test/setup.psql
BEGIN;
SELECT plan(25);

CREATE FUNCTION pg_temp.rows_of(source text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	answer text[];
BEGIN
	EXECUTE format('SELECT array_agg(row_of::text) FROM (%s) AS row_of', rtrim(flink_sql(source), E';\n')) INTO answer;
	RETURN answer;
END
$$;

CALL flink_execute($$
	CREATE VIEW bids AS SELECT * FROM (VALUES (1, 'a', 2), (2, 'a', CAST(NULL AS INT)), (3, 'b', -1), (4, 'b', 5), (5, 'c', 5)) AS v (id, k, n);
	CREATE VIEW consts AS VALUES (1, 'a'), (2, 'b');
$$);

SELECT is(pg_temp.rows_of(source), expected::text[], label)
FROM (VALUES
	('SELECT id, -n AS n FROM bids ORDER BY n + 1, id', '{"(2,)","(4,-5)","(5,-5)","(1,-2)","(3,1)"}',
	 'an alias comes before a column in an expression of ORDER BY'),
	('SELECT id, -n AS n FROM bids ORDER BY n, id', '{"(2,)","(4,-5)","(5,-5)","(1,-2)","(3,1)"}', 'and alone'),
	('SELECT id, -n AS n FROM bids ORDER BY -bids.n, id', '{"(2,)","(4,-5)","(5,-5)","(1,-2)","(3,1)"}',
	 'a column with its table is the column'),
	('SELECT id AS n, n AS id FROM bids ORDER BY n + id, n', '{"(2,)","(3,-1)","(1,2)","(4,5)","(5,5)"}',
	 'aliases may change places'),
	('SELECT n FROM bids ORDER BY CASE WHEN n > 2 THEN 0 ELSE n END, id', '{(),(-1),(5),(5),(2)}',
	 'a column is read where there is no such alias'),
	('SELECT k, COUNT(*) AS c FROM bids GROUP BY k ORDER BY -c, k', '{"(a,2)","(b,2)","(c,1)"}',
	 'an alias may stand for an aggregate'),
	('SELECT DISTINCT -n AS n FROM bids ORDER BY n * 2', '{(),(-5),(-2),(1)}', 'and be read behind DISTINCT'),
	('SELECT n FROM bids UNION SELECT id FROM bids ORDER BY n * -1', '{(),(5),(4),(3),(2),(1),(-1)}',
	 'an expression orders a set operation'),
	('SELECT id, FIRST_VALUE(n) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM bids ORDER BY id',
	 '{"(1,2)","(2,2)","(3,-1)","(4,-1)","(5,5)"}', 'FIRST_VALUE passes over NULL'),
	('SELECT id, FIRST_VALUE(n) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM bids ORDER BY id',
	 '{"(1,2)","(2,-1)","(3,-1)","(4,5)","(5,5)"}', 'in rows that follow, too'),
	('SELECT id, LAST_VALUE(n) OVER (ORDER BY id) FROM bids ORDER BY id', '{"(1,2)","(2,2)","(3,-1)","(4,5)","(5,5)"}',
	 'and so does LAST_VALUE'),
	('SELECT id, NTILE(2) OVER (ORDER BY id) FROM bids ORDER BY id', '{"(1,1)","(2,1)","(3,1)","(4,2)","(5,2)"}', 'NTILE counts'),
	('SELECT * FROM (VALUES 1, 2, (1) + 2) AS t (p) ORDER BY p', '{(1),(2),(3)}', 'rows of one value need no parentheses'),
	('SELECT * FROM (VALUES ROW(1, ''a''), ROW(2, ''b'')) AS t (p, q) ORDER BY p', '{"(1,a)","(2,b)"}', 'a row may be called ROW'),
	('SELECT EXPR$0 + 1 AS x FROM (SELECT COUNT(*) FROM bids)', '{(6)}', 'a column of a subquery has the name that Flink makes up'),
	('SELECT k, `EXPR$1` FROM (SELECT k, MAX(n) FROM bids GROUP BY k) ORDER BY k', '{"(a,2)","(b,5)","(c,5)"}', 'in backticks, too'),
	('WITH w AS (SELECT MIN(n), MAX(n) FROM bids) SELECT EXPR$1, EXPR$0 FROM w', '{"(5,-1)"}', 'and in WITH'),
	('SELECT EXPR$0, EXPR$1 FROM (VALUES (1, ''a''))', '{"(1,a)"}', 'columns of VALUES have such names'),
	('SELECT EXPR$1, EXPR$0 FROM consts ORDER BY EXPR$0', '{"(a,1)","(b,2)"}', 'also in views')
) AS c(source, expected, label);

SELECT is(pg_temp.rows_of('SELECT NTILE(2) OVER (ORDER BY id) + 3000000000 FROM bids WHERE id = 1'), '{(3000000001)}',
	'NTILE is a BIGINT');

-- SHOW TABLES: a table with computed columns is a table, the one below it is not shown.
CALL flink_execute($$
	CREATE TABLE trips (a INT, b AS a + 1) WITH ('connector' = 'kafka');
	CREATE TABLE ticks (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1');
	CREATE TEMPORARY VIEW passing AS SELECT 1 AS a;
$$);
SELECT is(pg_temp.rows_of(source), expected::text[], source)
FROM (VALUES
	('SHOW TABLES NOT LIKE ''%cache%''', '{(bids),(consts),(passing),(ticks),(trips)}'),
	('SHOW VIEWS', '{(bids),(consts),(passing)}'),
	('SHOW TABLES LIKE ''t%''', '{(ticks),(trips)}'),
	('SHOW TABLES FROM default_database NOT LIKE ''%a%''', '{(bids),(consts),(ticks),(trips)}'),
	('SHOW VIEWS IN public', '{(bids),(consts)}')
) AS c(source, expected);

SELECT * FROM finish();
ROLLBACK;
