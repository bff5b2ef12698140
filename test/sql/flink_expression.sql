\i test/setup.psql
BEGIN;
SELECT plan(69);

-- The translation of an expression, on one line.
CREATE FUNCTION pg_temp.translated(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(flink_sql('SELECT ' || expression), '\s+', ' ', 'g'), '^SELECT (.*);$', '\1')
$$;

SELECT is(pg_temp.translated(source), expected, source)
FROM (VALUES
	('INTERVAL ''10'' YEAR', 'INTERVAL ''10'' YEAR'),
	('INTERVAL ''100'' YEAR(3)', 'INTERVAL ''100'' YEAR'),
	('INTERVAL ''10-03'' YEAR(3) TO MONTH', 'INTERVAL ''10-03'' YEAR TO MONTH'),
	('INTERVAL ''13'' MONTHS', 'INTERVAL ''13'' MONTH'),
	('INTERVAL ''2'' QUARTERS', '3 * INTERVAL ''2'' MONTH'),
	('INTERVAL ''3'' WEEKS', 'INTERVAL ''3 weeks'''),
	('INTERVAL ''10 03'' DAY(3) TO HOUR', 'INTERVAL ''10 03'' DAY TO HOUR'),
	('INTERVAL ''10 03:12'' DAY(3) TO MINUTE', 'INTERVAL ''10 03:12'' DAY TO MINUTE'),
	('INTERVAL ''10 00:00:00.004'' DAY TO SECOND(3)', 'INTERVAL ''10 00:00:00.004'' DAY TO SECOND(3)'),
	('INTERVAL ''05:05.006'' MINUTE TO SECOND(3)', 'INTERVAL ''05:05.006'' MINUTE TO SECOND(3)'),
	('INTERVAL ''300'' SECOND(3)', 'INTERVAL ''300'' SECOND'),
	('INTERVAL ''0.500'' SECOND', 'INTERVAL ''0.500'' SECOND'),
	('INTERVAL ''500'' MILLISECOND', 'INTERVAL ''500 milliseconds'''),
	('INTERVAL ''-3'' MINUTES', 'INTERVAL ''-3'' MINUTE'),
	('INTERVAL -''3'' MINUTES', 'INTERVAL ''-3'' MINUTE'),
	('INTERVAL ''-10 03'' DAY TO HOUR', '-INTERVAL ''10 03'' DAY TO HOUR'),
	('TIMESTAMP ''2024-05-01 10:00:00.123''', 'TIMESTAMP(3) ''2024-05-01 10:00:00.123'''),
	('TIMESTAMP ''2024-05-01 10:00:00''', 'TIMESTAMP ''2024-05-01 10:00:00'''),
	('DATE ''2024-05-01''', 'DATE ''2024-05-01'''),
	('TIME ''10:00:00''', 'TIME ''10:00:00'''),
	('X''1F''', 'E''\\x1F''::bytea'),
	('''it''''s''', '''it''''s'''),
	('''a\b''', 'E''a\\b'''),
	('-(-3)', '-(-3)'),
	('1 - -2', '1 - -2'),
	('- -2', '- -2'),
	('a.b * 2 || c', 'a.b * 2 || c'),
	('a != b', 'a <> b'),
	('a IS NOT DISTINCT FROM b', 'a IS NOT DISTINCT FROM b'),
	('a NOT BETWEEN 1 AND 2 OR b IS NOT NULL', 'a NOT BETWEEN 1 AND 2 OR b IS NOT NULL'),
	('a LIKE ''x%'' ESCAPE ''#''', 'a LIKE ''x%'' ESCAPE ''#'''),
	('CASE a WHEN 1 THEN ''x'' ELSE NULL END', 'CASE a WHEN 1 THEN ''x'' ELSE NULL END'),
	('`Weird Col`', '"Weird Col"'),
	('`select`', '"select"'),
	('`userId` = userId', 'userid = userid'),
	('"Exact"', '"Exact"'),
	('`a``b`', '"a`b"'),
	('`a"b`', '"a""b"'),
	('ARRAY[1, 2][1]', '(ARRAY[1, 2])[1]'),
	('r.f.g', 'r.f.g'),
	('f(x).g', '(f(x)).g'),
	('ROW(1, ''a'')', 'ROW(1, ''a'')'),
	('MAP[''a'', 1]', 'jsonb_build_object(''a'', 1)'),
	('CAST(a AS STRING)', 'flink.to_string(a)'),
	('CAST(a AS VARCHAR(3))', 'CAST(flink.to_string(a) AS varchar(3))'),
	('CAST(a AS INT)', 'flink.to_integer(a)'),
	('CAST(a AS TINYINT)', 'flink.to_smallint(a)'),
	('CAST(a AS DOUBLE)', 'CAST(a AS double precision)'),
	('CAST(a AS FLOAT)', 'CAST(a AS real)'),
	('CAST(a AS DECIMAL)', 'CAST(a AS numeric(10,0))'),
	('CAST(a AS TIMESTAMP(3))', 'CAST(flink.trunc(a, 3) AS timestamp(3))'),
	('CAST(a AS TIMESTAMP_LTZ(3))', 'CAST(flink.trunc(a, 3) AS timestamptz(3))'),
	('CAST(a AS TIMESTAMP(3) WITH LOCAL TIME ZONE)', 'CAST(flink.trunc(a, 3) AS timestamptz(3))'),
	('CAST(NULL AS TIMESTAMP(3))', 'CAST(NULL AS timestamp(3))'),
	('CAST(CURRENT_TIMESTAMP AS TIMESTAMP_LTZ(3))', 'CAST(flink.now()::timestamptz(3) AS timestamptz(3))'),
	('LOCALTIMESTAMP, CURRENT_DATE', 'flink.localtimestamp()::timestamp(3), CURRENT_DATE'),
	('LOCALTIME, CURRENT_TIME, CURRENT_TIMESTAMP',
	 'date_trunc(''second'', flink.localtimestamp())::time(0), '
	 'date_trunc(''second'', flink.localtimestamp())::time(0), '
	 'flink.now()::timestamptz(3)'),
	('NOW(), CURRENT_ROW_TIMESTAMP()', 'flink.now()::timestamptz(3), flink.current_row_timestamp()::timestamptz(3)'),
	('CAST(CAST(a AS INT) AS STRING)', 'flink.to_string(flink.to_integer(a))'),
	('TRY_CAST(a AS INT)', 'flink.try_cast(flink.to_string(a), NULL::integer)'),
	('CAST(a AS ARRAY<INT NOT NULL>)', 'CAST(a AS integer[])'),
	('EXTRACT(HOUR FROM ts)', 'flink.extract(''hour'', ts)'),
	('FLOOR(ts TO HOUR) + FLOOR(1.5)', 'flink.floor(ts, ''hour'') + floor(1.5)'),
	('TIMESTAMPDIFF(SECOND, a, b)', 'flink.timestampdiff(''second'', a, b)'),
	('IF(a, b, c)', 'CASE WHEN a THEN b ELSE c END'),
	('LISTAGG(DISTINCT s)', 'string_agg(DISTINCT s, '','')'),
	('GROUPING_ID(a, b)', 'GROUPING(a, b)::bigint'),
	('AVG(a) FILTER (WHERE b > 1)', 'flink.avg(a) FILTER (WHERE b > 1)'),
	('TRIM(BOTH '' '' FROM s), SUBSTRING(s FROM 2 FOR 3), POSITION(''a'' IN s)',
	 'TRIM(BOTH '' '' FROM s), SUBSTRING(s FROM 2 FOR 3), POSITION(''a'' IN s)')
) AS c(source, expected);

SELECT * FROM finish();
ROLLBACK;
