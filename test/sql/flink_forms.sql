-- Forms that PostgreSQL lacks: values as Flink 2.3.0 gave them.
\i test/setup.psql
BEGIN;
SELECT plan(30);

-- The rows of a query, each in parentheses, in its order.
CREATE FUNCTION pg_temp.rows(source text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows text;
BEGIN
	EXECUTE 'SELECT string_agg(r::text, '' '') FROM (' || rtrim(flink_sql(source), ';') || ') AS r' INTO rows;
	RETURN rows;
END
$$;

SELECT is(pg_temp.rows(source), expected, label)
FROM (VALUES
	('SELECT * FROM UNNEST(ARRAY[ROW(1,''x''),ROW(2,''y'')]) AS t(a,b)', '(1,x) (2,y)', 'an array of rows is unnested to columns'),
	('SELECT o.id, u.b FROM (VALUES (7)) AS o(id) CROSS JOIN UNNEST(ARRAY[ROW(o.id,''x'')]) AS u(a,b)', '(7,x)', 'its rows may have columns of other items'),
	('SELECT COUNT(a, b), COUNT(a), COUNT(*) FROM (VALUES (1,2),(CAST(NULL AS INT),3)) AS t(a,b)', '(1,1,2)', 'COUNT of several values counts rows without NULL'),
	('SELECT DISTINCT s FROM (VALUES (''B''),(''a'')) AS t(s) ORDER BY LOWER(s)', '(a) (B)', 'an expression orders what is DISTINCT'),
	('SELECT DISTINCT s, 1 AS x FROM (VALUES (''a''),(''B'')) AS t(s) ORDER BY LOWER(s) DESC', '(B,1) (a,1)', 'in either direction'),
	('SELECT DISTINCT * FROM (VALUES (''B''),(''a'')) AS t(s) ORDER BY LOWER(s)', '(a) (B)', 'all columns too'),
	('SELECT DISTINCT LOWER(s) FROM (VALUES (''b''),(''A'')) AS t(s) ORDER BY LOWER(s)', '(a) (b)', 'and an expression that is itself in the select list'),
	('SELECT a, b FROM (SELECT 1 AS a), (SELECT 2 AS b) AS subquery_1', '(1,2)', 'an alias that is made up is another one than those that are there'),
	('SELECT POSITION(''a'' IN ''banana'' FROM 3), POSITION(''a'' IN ''banana'' FROM 0), POSITION(''a'' IN ''banana'' FROM -1)', '(4,2,2)', 'POSITION may begin further on'),
	('SELECT POSITION(''a'' IN ''banana'' FROM 7), POSITION(''a'' IN ''banana'' FROM 6), POSITION(''a'' IN ''banana'')', '(0,6,2)', 'or at the end'),
	(E'SELECT ''a''\n''b'' -- c\n''c''', '(abc)', 'strings on lines of their own are one'),
	('SELECT JSON_QUERY(''{"a":[1,2],"b":1}'', ''$.a'' WITHOUT WRAPPER), JSON_QUERY(''{"a":[1,2],"b":1}'', ''$.a'' WITHOUT ARRAY WRAPPER NULL ON EMPTY)', '("[1,2]","[1,2]")', 'no wrapper may be asked for'),
	('SELECT s LIKE p FROM (VALUES (''a\b'',''a\b''), (''a%'',''a\%''), (''a\x'', ''a\%''), (''a\'',''a\'')) AS t(s, p)', '(t) (f) (t) (t)', 'a backslash in a pattern is a character'),
	('SELECT s LIKE CONCAT(''a\'', ''%'') AND s NOT LIKE ''b'' || s FROM (VALUES (''a\b''), (''a%'')) AS t(s)', '(t) (f)', 'in one that is computed, too'),
	('SELECT s LIKE p ESCAPE ''\'', s LIKE ''a'' || p ESCAPE ''\'' IS TRUE FROM (VALUES (''a%'',''a\%'')) AS t(s, p)', '(t,f)', 'unless it says otherwise'),
	('SELECT CAST(MAP[''k'', 5][''k''] AS INT), CAST(MAP[''k'', ''7''][''k''] AS BIGINT), CAST(MAP[''k'', 8.5][''k''] AS SMALLINT), CAST(MAP[''k'', TRUE][''k''] AS BOOLEAN)', '(5,7,8,t)', 'a value of a map can be cast'),
	('SELECT a FROM (VALUES (1),(1)) AS t(a) GROUP BY ALL a', '(1)', 'GROUP BY ALL is GROUP BY')
) AS c (source, expected, label);
SELECT is(pg_temp.rows('SELECT n''abc'', N''it''''s'', n FROM (VALUES (1)) AS t (n)'), '(abc,it''s,1)', 'N before a string says nothing');

SELECT is(pg_temp.rows('SELECT 1 AS a FROM (SELECT 1), (SELECT 2) AS subquery_99999999999'), '(1)', 'a number that is too large is passed over');
SELECT matches(flink_sql('INSERT INTO t (SELECT 1)'), '^INSERT INTO t\n\(SELECT 1\);$', 'a query in parentheses is no list of columns');
SELECT matches(flink_sql('INSERT INTO t (a) (SELECT 1 UNION SELECT 2)'), '^INSERT INTO t \(a\)\n\(SELECT 1 UNION SELECT 2\);$', 'one may follow such a list');
SELECT throws_ok(format('SELECT flink_sql(%L)', 'SELECT ''a'' ''b'''), '42601', 'expected the end of the statement, found "''b''" in Flink SQL', 'strings on one line are two');
SELECT throws_ok(format('SELECT flink_sql(%L)', 'SELECT a FROM t GROUP BY ALL'), '42601', 'expected an expression, found the end of the text in Flink SQL', 'GROUP BY ALL needs columns');
SELECT throws_ok(format('SELECT flink_sql(%L)', 'SELECT ' || source), '0A000', construct || ' of Flink SQL is not supported', construct)
FROM (VALUES
	('COUNT(DISTINCT a, b) FROM t', 'COUNT(DISTINCT) of several values'),
	('FIRST_VALUE(a IGNORE NULLS) FROM t', 'IGNORE NULLS or RESPECT NULLS'),
	('JSON_QUERY(a, ''$'' WITH WRAPPER)', 'WITH WRAPPER in JSON_QUERY'),
	('JSON_QUERY(a, ''$'' EMPTY ARRAY ON EMPTY)', 'DEFAULT, EMPTY or ERROR in JSON_QUERY'),
	('JSON_QUERY(a, ''$'' RETURNING ARRAY<STRING>)', 'RETURNING in JSON_QUERY'),
	('* FROM UNNEST(MAP[''a'', 1]) AS t (a, b)', 'UNNEST of a MAP'),
	('* FROM UNNEST(ARRAY[ROW(1, 2)]) WITH ORDINALITY AS t (a, b, c)', 'WITH ORDINALITY behind UNNEST of rows')
) AS c (source, construct);

SELECT * FROM finish();
ROLLBACK;
