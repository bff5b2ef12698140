-- Intervals, as Flink 2.3.0 reads and refuses them.
\i test/setup.psql
BEGIN;
SELECT plan(90);
SET LOCAL TimeZone = 'UTC';

CREATE FUNCTION pg_temp.value(source text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	value text;
BEGIN
	EXECUTE flink_sql('SELECT CAST(' || source || ' AS STRING)') INTO value;
	RETURN value;
END
$$;

SELECT is(pg_temp.value('INTERVAL ' || interval), expected, interval || ' is read')
FROM (VALUES
	('''1-2'' YEAR TO MONTH', '+1-02'), ('''1-11'' YEAR TO MONTH', '+1-11'), ('''-1-2'' YEAR TO MONTH', '-1-02'),
	('''+1-2'' YEAR TO MONTH', '+1-02'), (''' 1-2 '' YEAR TO MONTH', '+1-02'), ('-''1-2'' YEAR TO MONTH', '-1-02'),
	('''1-2'' YEARS TO MONTHS', '+1-02'), ('''1 2'' DAY TO HOUR', '+1 02:00:00.000'), ('''1 2'' DAYS TO HOURS', '+1 02:00:00.000'),
	('''1 2:3'' DAY TO MINUTE', '+1 02:03:00.000'), ('''1 2:3:4'' DAY TO SECOND', '+1 02:03:04.000'),
	('''1 2:3:4.5'' DAY TO SECOND', '+1 02:03:04.500'), ('''-1 2:3:4.5'' DAY TO SECOND', '-1 02:03:04.500'),
	('''100 1:2:3.12'' DAY(3) TO SECOND(2)', '+100 01:02:03.120'), ('''1:2'' HOUR TO MINUTE', '+0 01:02:00.000'),
	('''25:10'' HOUR TO MINUTE', '+1 01:10:00.000'), ('''1:2:3.5'' HOUR TO SECOND', '+0 01:02:03.500'),
	('''90:2'' MINUTE TO SECOND', '+0 01:30:02.000'), ('''1:2.5'' MINUTE TO SECOND', '+0 00:01:02.500'),
	('''1.5'' SECOND', '+0 00:00:01.500'), ('''1.123956'' SECOND', '+0 00:00:01.123'), ('''10.5'' SECOND(2, 3)', '+0 00:00:10.500'),
	('''1.123956789'' SECOND(2, 9)', '+0 00:00:01.123'), ('''100'' SECOND(3)', '+0 00:01:40.000'), ('''  5 '' SECOND', '+0 00:00:05.000'),
	('-''-5'' DAY', '+5 00:00:00.000'), ('''007'' DAY', '+7 00:00:00.000'), ('''100'' DAY(3)', '+100 00:00:00.000'),
	('''100'' WEEK(3)', '+700 00:00:00.000'), ('''5'' QUARTER', '+1-03'), ('''5'' DAYS', '+5 00:00:00.000'),
	('5 MINUTE', '+0 00:05:00.000'), ('-5 MINUTES', '-0 00:05:00.000'), ('+5 DAY', '+5 00:00:00.000'), ('150 MINUTE', '+0 02:30:00.000'),
	('1500 HOUR', '+62 12:00:00.000'), ('2 YEAR(2)', '+2-00'), ('2 WEEK', '+14 00:00:00.000')
) AS c (interval, expected);

SELECT throws_ok(format('SELECT flink_sql(%L)', 'SELECT INTERVAL ' || interval), '42601', NULL, interval || ' is refused')
FROM (VALUES
	('''1'' YEAR TO MONTH'), ('''1-12'' YEAR TO MONTH'), ('''1 - 2'' YEAR TO MONTH'), ('''1-002'' YEAR TO MONTH'),
	('''1-'' YEAR TO MONTH'), ('''-'' YEAR TO MONTH'), ('''--1-2'' YEAR TO MONTH'), ('''100-2'' YEAR TO MONTH'),
	('''1'' DAY TO HOUR'), ('''1 24'' DAY TO HOUR'), ('''1-2'' DAY TO HOUR'), ('''1:2'' DAY TO HOUR'), ('''1  2'' DAY TO HOUR'),
	('''1 -2'' DAY TO HOUR'), ('''1 2'' DAY TO MINUTE'), ('''2:3'' DAY TO MINUTE'), ('''1 2:60'' DAY TO MINUTE'),
	('''5'' DAY TO SECOND'), ('''1 2:3'' DAY TO SECOND'), ('''1 2:3:60'' DAY TO SECOND'), ('''1 2:3:4.1234567'' DAY TO SECOND'),
	('''1 2:3:4.123'' DAY TO SECOND(2)'), ('''1 2:3:4'' DAY TO SECOND(0)'), ('''1'' HOUR TO MINUTE'), ('''1:2:3'' HOUR TO MINUTE'),
	('''5'' HOUR TO SECOND'), ('''2:3.5'' HOUR TO SECOND'), ('''1'' MINUTE TO SECOND'), ('''1:2:3'' MINUTE TO SECOND'),
	('''1.1234567'' SECOND'), ('''1.1234'' SECOND(2, 3)'), ('''1'' SECOND(3, 0)'), ('''1.'' SECOND'), ('''.5'' SECOND'), (''''' SECOND'),
	('''1.5'' DAY'), ('''100'' DAY'), ('''10'' DAY(1)'), ('''1'' DAY(0)'), ('''100'' SECOND'), ('''1'' DAY TO YEAR'),
	('''10'' MONTH TO SECOND'), ('''1'' DAY TO DAY'), ('''1 2'' HOUR TO DAY'), ('''1'' YEAR TO DAY'),
	('1.5 SECOND'), ('5.0 DAY'), ('1e2 DAY'), ('5 DAY TO HOUR'), ('5')
) AS c (interval);

SELECT is(regexp_replace(flink_sql(source), '\s+', ' ', 'g'), expected, source)
FROM (VALUES
	('SELECT DATE ''2024-02-28'' + INTERVAL 2 DAY', 'SELECT flink.date_plus(DATE ''2024-02-28'', INTERVAL ''2'' DAY);'),
	('SELECT SUM(a) OVER (ORDER BY ts RANGE BETWEEN INTERVAL 5 MINUTE PRECEDING AND CURRENT ROW) FROM t',
	 'SELECT flink.sum(a) OVER (ORDER BY ts NULLS FIRST RANGE BETWEEN INTERVAL ''5'' MINUTE PRECEDING AND CURRENT ROW) FROM t;')
) AS c (source, expected);

SELECT * FROM finish();
ROLLBACK;
