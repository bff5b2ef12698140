-- FROM: values as Flink 2.3.0 gave them.
\i test/setup.psql
BEGIN;
SELECT plan(11);

-- The rows of a query, each in parentheses.
CREATE FUNCTION pg_temp.rows(source text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows text;
BEGIN
	EXECUTE 'SELECT string_agg(r::text, '' '' ORDER BY r::text) FROM (' || rtrim(flink_sql(source), ';') || ') AS r' INTO rows;
	RETURN rows;
END
$$;

SELECT is(pg_temp.rows(source), expected, label)
FROM (VALUES
	('SELECT x.a, y.b, z.c FROM (VALUES (1),(2)) AS x(a), (VALUES (2)) AS y(b) RIGHT JOIN (VALUES (1)) AS z(c) ON y.b = z.c',
	 '(,,1)', 'a RIGHT JOIN joins all that stands before it'),
	('SELECT x.a, y.b, z.c, w.d FROM (VALUES (1),(2)) AS x(a), (VALUES (2)) AS y(b) FULL JOIN (VALUES (1)) AS z(c) ON y.b = z.c, (VALUES (7)) AS w(d)',
	 '(,,1,7) (1,2,,7) (2,2,,7)', 'so does a FULL JOIN between commas'),
	('SELECT o.id, u.x, d.v FROM (VALUES (1, ARRAY[10,20])) AS o(id, arr), UNNEST(o.arr) AS u(x) JOIN (VALUES (1,''d'')) AS d(k,v) ON o.id = d.k',
	 '(1,10,d) (1,20,d)', 'a condition sees the items before a comma'),
	('SELECT o.id, u.x, d.v FROM (VALUES (1, ARRAY[10,20]), (2, ARRAY[30])) AS o(id, arr), UNNEST(o.arr) AS u(x) LEFT JOIN (VALUES (1,''d'')) AS d(k,v) ON o.id = d.k',
	 '(1,10,d) (1,20,d) (2,30,)', 'that of a LEFT JOIN too'),
	('SELECT * FROM (VALUES (9)) AS w(n), (VALUES (1,2)) AS o(id, z) NATURAL JOIN (VALUES (1,5)) AS p(id, q)',
	 '(1,9,2,5)', 'a NATURAL JOIN is of all that stands before it'),
	('SELECT * FROM (VALUES (1,9)) AS w(id,n), (VALUES (1,2)) AS o(id2, z) NATURAL JOIN (VALUES (1,5)) AS p(id, q)',
	 '(1,9,1,2,5)', 'and finds columns before a comma'),
	('SELECT * FROM (VALUES (1,9)) AS w(id,n), (VALUES (2)) AS o(z) JOIN (VALUES (1,5)) AS p(id, q) USING (id)',
	 '(1,9,2,5)', 'USING finds them too'),
	('SELECT x.a, y.b, z.c FROM (VALUES (1),(2)) AS x(a) JOIN (VALUES (2)) AS y(b) ON x.a=y.b, (VALUES (1)) AS z(c)',
	 '(2,2,1)', 'a JOIN before a comma is as it was')
) AS c (source, expected, label);

SELECT is(regexp_replace(flink_sql(source), '\s+', ' ', 'g'), expected, label)
FROM (VALUES
	('SELECT 1 FROM a, b JOIN c ON a.x = c.x, d WHERE EXISTS (SELECT 1 FROM e, f)',
	 'SELECT 1 FROM a CROSS JOIN b JOIN c ON a.x = c.x, d WHERE EXISTS (SELECT 1 FROM e, f);',
	 'a comma that no JOIN follows stays'),
	('SELECT 1 FROM a, TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL ''1'' HOUR)) AS w JOIN c ON a.x = c.x',
	 'SELECT 1 FROM a CROSS JOIN (SELECT * FROM b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL ''1'' HOUR)) AS w JOIN c ON a.x = c.x;',
	 'a table and its window function stay together'),
	('SELECT 1 FROM a, LATERAL (SELECT * FROM b, c WHERE b.x = a.x) AS l LEFT JOIN d ON TRUE',
	 'SELECT 1 FROM a CROSS JOIN LATERAL (SELECT * FROM b, c WHERE b.x = a.x) AS l LEFT JOIN d ON TRUE;',
	 'LATERAL stays')
) AS c (source, expected, label);

SELECT * FROM finish();
ROLLBACK;
