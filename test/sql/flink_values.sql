\i test/setup.psql
BEGIN;
SELECT plan(100);

-- What an expression of Flink SQL gives, as text; or "error".
CREATE FUNCTION pg_temp.value_of(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT v::text FROM (' || rtrim(flink_sql('SELECT ' || expression || ' AS v'), E';\n') || ') AS q' INTO result;
	RETURN result;
EXCEPTION WHEN data_exception THEN
	RETURN 'error';
END
$$;

-- All values are Flink's.
SELECT is(pg_temp.value_of(source), expected, source)
FROM (VALUES
	('1e0 / 3', '0.3333333333333333'),
	('1E2', '100'),
	('5. / 2', '2'),
	('UNKNOWN', NULL),
	('TIMESTAMP ''2024-02-29 10:00:00.123456789''', '2024-02-29 10:00:00.123456'),
	('CAST(''2024-02-29 10:20:30.9999999'' AS TIMESTAMP)', '2024-02-29 10:20:30.999999'),
	('CAST(''2024-02-30 10:00:00'' AS TIMESTAMP)', '2024-02-29 10:00:00'),
	('CAST(''2024-02-29 10:20:30.'' AS TIMESTAMP(3))', '2024-02-29 10:20:30'),
	('CAST(''2024-02-29T10:20:30'' AS TIMESTAMP)', 'error'),
	('CAST(''now'' AS TIMESTAMP)', 'error'),
	('CAST(TIMESTAMP ''2024-02-29 23:59:59.999'' AS TIME)', '23:59:59'),
	('CAST(TIME ''10:20:30'' AS TIMESTAMP(3))', '1970-01-01 10:20:30'),
	('CAST(''10:20:30.999'' AS TIME)', '10:20:30'),
	('CAST(''10:20:30.123456'' AS TIME(3))', '10:20:30.123'),
	('CAST('' 1:2:3 '' AS TIME)', '01:02:03'),
	('CAST(''10'' AS TIME)', '10:00:00'),
	('CAST(''24:00:00'' AS TIME)', 'error'),
	('CAST(''10:20:60'' AS TIME)', 'error'),
	('CAST(''allballs'' AS TIME)', 'error'),
	('CAST(''2024-02-29 10:20:30'' AS TIME)', 'error'),
	('CAST(''Y'' AS BOOLEAN)', 'true'),
	('CAST(''0'' AS BOOLEAN)', 'false'),
	('CAST(''on'' AS BOOLEAN)', 'error'),
	('CAST(''tr'' AS BOOLEAN)', 'error'),
	('CAST('' TRUE '' AS BOOLEAN)', 'error'),
	('CAST(0.05 AS BOOLEAN)', 'true'),
	('CAST(0e0 AS BOOLEAN)', 'false'),
	('CAST(CAST(7 AS SMALLINT) AS BOOLEAN)', 'true'),
	('CAST(''abcdefgh'' AS VARCHAR)', 'abcdefgh'),
	('CAST(''abcdefgh'' AS BINARY(3))', '\x616263'),
	('CAST(''ab'' AS BINARY(3))', '\x616200'),
	('CAST(''ab'' AS VARBINARY(3))', '\x6162'),
	('CAST(''日本'' AS VARBINARY(4))', '\xe697a5e6'),
	('CAST(''\x41'' AS BYTES)', '\x5c783431'),
	('TRY_CAST(TRUE AS INT)', '1'),
	('TRY_CAST(TRUE AS DOUBLE)', '1'),
	('TRY_CAST(FALSE AS DECIMAL(10, 2))', '0.00'),
	('TRY_CAST(7 AS BOOLEAN)', 'true'),
	('TRY_CAST(0.00 AS BOOLEAN)', 'false'),
	('TRY_CAST(-1e10 AS BIGINT)', '-10000000000'),
	('TRY_CAST(CAST(-0.1 AS FLOAT) AS DOUBLE)', '-0.10000000149011612'),
	('TRY_CAST(1.9 AS INT)', '1'),
	('TRY_CAST(TIMESTAMP ''2024-02-29 23:59:59.999'' AS TIME)', '23:59:59'),
	('TRY_CAST(TIMESTAMP ''2024-02-29 23:59:59.999'' AS DATE)', '2024-02-29'),
	('TRY_CAST(TIMESTAMP ''2024-02-29 23:59:59.999'' AS TIMESTAMP(0))', '2024-02-29 23:59:59'),
	('TRY_CAST(TIME ''10:20:30'' AS TIMESTAMP(3))', '1970-01-01 10:20:30'),
	('TRY_CAST(DATE ''2024-02-29'' AS STRING)', '2024-02-29'),
	('TRY_CAST(1e0 AS STRING)', '1.0'),
	('TRY_CAST(CAST(''a'' AS CHAR(3)) AS STRING)', 'a  '),
	('TRY_CAST(''0x10'' AS DOUBLE)', NULL),
	('TRY_CAST(''NaN'' AS DECIMAL)', NULL),
	('TRY_CAST('' 1.5 '' AS DECIMAL(10, 2))', '1.50'),
	('TRY_CAST('' TRUE '' AS BOOLEAN)', NULL),
	('TRY_CAST(''on'' AS BOOLEAN)', NULL),
	('TRY_CAST(''10'' AS TIME)', '10:00:00'),
	('TRY_CAST('' 2024-02-29 '' AS DATE)', '2024-02-29'),
	('TRY_CAST(''2024-2-9 10:00:00'' AS DATE)', '2024-02-09'),
	('TRY_CAST(''2024'' AS DATE)', '2024-01-01'),
	('TRY_CAST(''24-1'' AS DATE)', '0024-01-01'),
	('TRY_CAST(''2023-02-29'' AS DATE)', NULL),
	('TRY_CAST(''24-1-1'' AS TIMESTAMP)', NULL),
	('TO_TIMESTAMP(''24-1-1'')', NULL),
	('TRY_CAST(''10:20:30 PM'' AS TIME)', NULL),
	('ASCII(''日'')', '-26'),
	('ASCII('''')', '0'),
	('CHR(300)', ','),
	('CHR(-1)', ''),
	('REPLACE(''abc'', '''', ''X'')', 'XaXbXcX'),
	('REPLACE(''abcb'', ''b'', ''\1'')', 'a\1c\1'),
	('OVERLAY(''日本語'' PLACING ''X'' FROM 9)', '日本語'),
	('OVERLAY(''日本語'' PLACING ''X'' FROM 0)', '日本語'),
	('OVERLAY(''日本語'' PLACING ''XX'' FROM 1 FOR 0)', 'XX'),
	('OVERLAY(''日本語'' PLACING ''X'' FROM 2 FOR -1)', '日X'),
	('OVERLAY(''abc'' PLACING ''XX'' FROM 2)', 'aXX'),
	('OVERLAY(''abc'' PLACING ''XX'' FROM 2 FOR 1)', 'aXXc'),
	('UNHEX(''616'')', '\x0016'),
	('UNHEX(''zz'')', NULL),
	('ENCODE(''abc'', ''UTF-8'')', '\x616263'),
	('DECODE(ENCODE(''abc'', ''UTF-8''), ''UTF-8'')', 'abc'),
	('JSON_QUOTE(''日"'')', '"\u65e5\""'),
	('FLOOR(7) / 2', '3'),
	('CEIL(CAST(7 AS BIGINT)) / 2', '3'),
	('SIGN(-3) / 2', '0'),
	('SIGN(-2.5)', '-1'),
	('FLOOR(-1.45)', '-2'),
	('ARRAY_CONTAINS(ARRAY[1, NULL], 2)', 'false'),
	('ARRAY_CONTAINS(ARRAY[1, NULL], NULL)', 'true'),
	('ARRAY_CONTAINS(ARRAY[''a''], ''a'')', 'true'),
	('ARRAY_CONTAINS(CAST(NULL AS ARRAY<INT>), 1)', NULL),
	('ARRAY_POSITION(ARRAY[1, NULL], NULL)', NULL),
	('ARRAY_POSITION(ARRAY[1, 2], 3)', '0'),
	('CAST(MAP[1, ''x''][''1''] AS STRING)', 'x'),
	('DATE ''2024-02-29'' + INTERVAL ''1'' YEAR', '2025-02-28'),
	('DATE ''2024-02-29'' + INTERVAL ''1'' MONTH + INTERVAL ''1'' DAY', '2024-03-30'),
	('DATE ''2024-02-29'' + INTERVAL ''90'' MINUTE', '2024-02-29'),
	('CAST(''2024-02-29'' AS DATE) - INTERVAL ''36'' HOUR', '2024-02-28'),
	('DATE ''2024-02-29'' - INTERVAL ''-1 02'' DAY TO HOUR', '2024-03-01'),
	('DATE ''2024-02-29'' + INTERVAL ''1'' DAY = DATE ''2024-03-01''', 'true'),
	('FLOOR(TIME ''10:20:30'' TO MINUTE)', '10:20:00'),
	('TIMESTAMPADD(MINUTE, 1, TIME ''23:59:59'')', '00:00:59')
) AS c(source, expected);

SELECT * FROM finish();
ROLLBACK;
