-- Clocks, and times with and without a zone, under two time zones, as Flink SQL.
\i test/setup.psql
BEGIN;
SELECT plan(12);

CALL flink_execute($$
	SET sql-client.execution.result-mode=tableau;
	CREATE VIEW Clocks AS SELECT LOCALTIME, LOCALTIMESTAMP, CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, CURRENT_ROW_TIMESTAMP(), NOW(), PROCTIME();
$$);

SELECT results_eq(flink_sql('DESC Clocks;'), $$ VALUES
	('localtime', 'TIME(0)', true, NULL::text, NULL::text, NULL::text),
	('localtimestamp', 'TIMESTAMP(3)', true, NULL, NULL, NULL),
	('current_date', 'DATE', true, NULL, NULL, NULL),
	('current_time', 'TIME(0)', true, NULL, NULL, NULL),
	('current_timestamp', 'TIMESTAMP_LTZ(3)', true, NULL, NULL, NULL),
	('EXPR$5', 'TIMESTAMP_LTZ(3)', true, NULL, NULL, NULL),
	('EXPR$6', 'TIMESTAMP_LTZ(3)', true, NULL, NULL, NULL),
	('EXPR$7', 'TIMESTAMP_LTZ(6) *PROCTIME*', true, NULL, NULL, NULL)
$$, 'the clocks have their types, and columns without an alias their numbers');

SELECT results_eq(flink_sql($$
	SELECT LOCALTIMESTAMP = CAST(NOW() AS TIMESTAMP(3)), CURRENT_TIMESTAMP = NOW(),
		LOCALTIME = CAST(FLOOR(NOW() TO SECOND) AS TIME), CURRENT_TIME = LOCALTIME, CURRENT_DATE = CAST(NOW() AS DATE),
		PROCTIME() <= CURRENT_ROW_TIMESTAMP(), NOW() <= CURRENT_ROW_TIMESTAMP()
$$), 'VALUES (true, true, true, true, true, true, true)', 'the clocks of a statement show one moment, cut to their precision');

CALL flink_execute($$
	CREATE VIEW Zoned AS SELECT TO_TIMESTAMP_LTZ(90061007, 3) AS ltz, TIMESTAMP '1970-01-03 04:05:06.007' AS ntz;
	CREATE VIEW Casts AS SELECT ltz, CAST(ltz AS TIMESTAMP(3)), CAST(ltz AS STRING), ntz, CAST(ntz AS TIMESTAMP_LTZ(3)) FROM Zoned;
$$);

SELECT results_eq(flink_sql('DESC Zoned;'), $$ VALUES
	('ltz', 'TIMESTAMP_LTZ(3)', true, NULL::text, NULL::text, NULL::text),
	('ntz', 'TIMESTAMP(3)', true, NULL, NULL, NULL)
$$, 'milliseconds become a TIMESTAMP_LTZ(3), and a literal has the digits that it shows');

SELECT results_eq(flink_sql('DESC Casts;'), $$ VALUES
	('ltz', 'TIMESTAMP_LTZ(3)', true, NULL::text, NULL::text, NULL::text),
	('EXPR$1', 'TIMESTAMP(3)', true, NULL, NULL, NULL),
	('EXPR$2', 'STRING', true, NULL, NULL, NULL),
	('ntz', 'TIMESTAMP(3)', true, NULL, NULL, NULL),
	('EXPR$4', 'TIMESTAMP_LTZ(3)', true, NULL, NULL, NULL)
$$, 'casts have the types that they name');

CALL flink_execute('SET table.local-time-zone=UTC;');
SELECT results_eq(flink_sql('SELECT CAST(ltz AS STRING), CAST(ntz AS STRING) FROM Zoned;'),
	$$ VALUES ('1970-01-02 01:01:01.007', '1970-01-03 04:05:06.007') $$, 'UTC shows times as they are');

CALL flink_execute('SET table.local-time-zone=Asia/Shanghai;');
SELECT results_eq(flink_sql('SELECT CAST(ltz AS STRING), CAST(ntz AS STRING) FROM Zoned;'),
	$$ VALUES ('1970-01-02 09:01:01.007', '1970-01-03 04:05:06.007') $$, 'Shanghai shows an instant by its own clock');
SELECT results_eq(flink_sql('SELECT * FROM Casts;'), $$ VALUES (
	timestamptz '1970-01-02 01:01:01.007+00', timestamp '1970-01-02 09:01:01.007', '1970-01-02 09:01:01.007',
	timestamp '1970-01-03 04:05:06.007', timestamptz '1970-01-02 20:05:06.007+00')
$$, 'and casts by it, in both directions');

-- The present, as the statement has it.
SELECT results_eq(flink_sql('SELECT LOCALTIMESTAMP, CURRENT_TIMESTAMP'), $$
	SELECT date_trunc('milliseconds', statement_timestamp()) AT TIME ZONE 'Asia/Shanghai',
		date_trunc('milliseconds', statement_timestamp())
$$, 'LOCALTIMESTAMP is on the clock of Shanghai, CURRENT_TIMESTAMP is an instant');
SELECT results_eq(flink_sql('SELECT PROCTIME() BETWEEN NOW() AND CURRENT_ROW_TIMESTAMP();'), 'VALUES (true)',
	'PROCTIME() is an instant too');
SELECT results_eq(flink_sql('SELECT CAST(CURRENT_TIMESTAMP AS STRING) = CAST(LOCALTIMESTAMP AS STRING)'),
	'VALUES (true)', 'as strings they are the same');

SELECT results_eq(flink_sql('SELECT TO_TIMESTAMP_LTZ(90061, 0), TO_TIMESTAMP_LTZ(90061007, 3)'),
	$$ VALUES (timestamptz '1970-01-02 01:01:01+00', timestamptz '1970-01-02 01:01:01.007+00') $$,
	'a number of seconds or milliseconds is an instant');
SELECT results_eq(flink_sql('SELECT FROM_UNIXTIME(90061), UNIX_TIMESTAMP(''1970-01-02 09:01:01''), TO_TIMESTAMP(FROM_UNIXTIME(90061))'),
	$$ VALUES ('1970-01-02 09:01:01', 90061::bigint, timestamp '1970-01-02 09:01:01') $$,
	'texts of times are on the clock of the session');

SELECT * FROM finish();
ROLLBACK;
