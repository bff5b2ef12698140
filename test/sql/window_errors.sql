\i test/setup.psql
BEGIN;
SELECT no_plan();

CREATE TABLE o (id bigint, d date, ts timestamp(3), tz timestamptz, size interval);
INSERT INTO o VALUES (1, '2024-01-01', '2024-01-01 00:00:07', '2024-01-01 00:00:07+00', '1 min');
PREPARE tumble(interval, interval) AS SELECT * FROM o, TUMBLE(o, DESCRIPTOR(ts), $1, $2);

-- Each argument, where the query is planned and where it runs.
SELECT throws_ok(sql, sqlstate, message, sql)
FROM (VALUES
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''0'')', '22023', 'window size must be positive'),
	('TUMBLE(o, DESCRIPTOR(tz), INTERVAL ''-1 min'')', '22023', 'window size must be positive'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''999 microseconds'')', '22023',
	 'window size must be at least 1 millisecond'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1'' MONTH)', '22023',
	 'window size must not contain months or years'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1'' YEAR)', '22023',
	 'window size must not contain months or years'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1 min'', INTERVAL ''1 mon'')', '22023',
	 'window offset must not contain months or years'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1 min'', INTERVAL ''1 min'')', '22023',
	 'window offset must be shorter than the window size'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1 min'', INTERVAL ''-61 s'')', '22023',
	 'window offset must be shorter than the window size'),
	('TUMBLE(o, DESCRIPTOR(ts), NULL)', '22004', 'window size must not be null'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1 min'', NULL)', '22004', 'window offset must not be null'),
	('TUMBLE(o, DESCRIPTOR(tz), -o.size)', '22023', 'window size must be positive'),
	('TUMBLE(o, DESCRIPTOR(ts), o.size, o.size)', '22023',
	 'window offset must be shorter than the window size'),
	('TUMBLE(o, DESCRIPTOR(ts), o.size * 10000000000000)', '22008', 'interval out of range'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''2000000000 days'')', '22008', 'window size is out of range'),
	('HOP(o, DESCRIPTOR(ts), INTERVAL ''0'', INTERVAL ''1 min'')', '22023', 'window slide must be positive'),
	('HOP(o, DESCRIPTOR(ts), INTERVAL ''-1 s'', INTERVAL ''1 min'')', '22023', 'window slide must be positive'),
	('HOP(o, DESCRIPTOR(ts), INTERVAL ''1 us'', INTERVAL ''1 min'')', '22023',
	 'window slide must be at least 1 millisecond'),
	('HOP(o, DESCRIPTOR(ts), INTERVAL ''1'' MONTH, INTERVAL ''1'' DAY)', '22023',
	 'window slide must not contain months or years'),
	('HOP(o, DESCRIPTOR(ts), INTERVAL ''1 s'', INTERVAL ''0'')', '22023', 'window size must be positive'),
	('HOP(o, DESCRIPTOR(ts), NULL, INTERVAL ''1 min'')', '22004', 'window slide must not be null'),
	('HOP(o, DESCRIPTOR(ts), -o.size, o.size)', '22023', 'window slide must be positive'),
	('CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''3 s'', INTERVAL ''10 s'')', '22023',
	 'window size is not a multiple of its step'),
	('CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''20 s'', INTERVAL ''10 s'')', '22023',
	 'window size is not a multiple of its step'),
	('CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''0'', INTERVAL ''10 s'')', '22023', 'window step must be positive'),
	('CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''5 s'', INTERVAL ''10 s'', INTERVAL ''10 s'')', '22023',
	 'window offset must be shorter than the window size'),
	('CUMULATE(o, DESCRIPTOR(ts), NULL, INTERVAL ''1 min'')', '22004', 'window step must not be null'),
	('TUMBLE(o, DESCRIPTOR(id), INTERVAL ''1 min'')', '42804',
	 'column "id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('TUMBLE(o, DESCRIPTOR(d), INTERVAL ''1 min'')', '42804',
	 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('HOP(o, DESCRIPTOR(d), INTERVAL ''1 s'', INTERVAL ''1 min'')', '42804',
	 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('CUMULATE(o, DESCRIPTOR(id), INTERVAL ''1 s'', INTERVAL ''1 min'')', '42804',
	 'column "id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('TUMBLE(o, DESCRIPTOR(ts + 1 * o.size - o.ts), INTERVAL ''1 min'')', '42804',
	 'time column must be of type TIMESTAMP or TIMESTAMP_LTZ (it is interval)'),
	('TUMBLE(timecol => DESCRIPTOR(d), size => INTERVAL ''1 min'', data => o)', '42804',
	 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)')
) AS c(call, sqlstate, message), format('SELECT * FROM o, %s', call) AS sql;

SELECT throws_ok('EXECUTE tumble(NULL, ''0'')', '22004', 'window size must not be null',
				 'a parameter may not be null');
SELECT throws_ok('EXECUTE tumble(''1 mon'', ''0'')', '22023',
				 'window size must not contain months or years', 'a parameter may not have months');
SELECT throws_ok('EXPLAIN SELECT * FROM o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''0'')', '22023',
				 'window size must be positive', 'EXPLAIN finds a bad constant');
SELECT throws_ok('SELECT * FROM o, TUMBLE(o, DESCRIPTOR(nosuch), INTERVAL ''1'' DAY)', '42703',
				 'column "nosuch" does not exist', 'an unknown time column');
SELECT throws_ok('SELECT * FROM o, TUMBLE(o, DESCRIPTOR(ts))', '42883', NULL, 'a missing size');

-- Rows that would be put into too many windows
SET apply_watermark.max_windows_per_row = 10;
SELECT throws_ok('SELECT * FROM o, HOP(o, DESCRIPTOR(ts), INTERVAL ''1 s'', INTERVAL ''11 s'')',
				 '54000', 'a row would be put into 11 windows', 'HOP beyond the limit');
SELECT throws_ok('SELECT * FROM o, CUMULATE(o, DESCRIPTOR(tz), INTERVAL ''1 s'', INTERVAL ''1 day'')',
				 '54000', 'a row would be put into 86400 windows', 'CUMULATE beyond the limit');
SELECT throws_ok('SELECT 1 FROM o GROUP BY HOP(ts, INTERVAL ''1 s'', INTERVAL ''11 s'')',
				 '54000', 'a row would be put into 11 windows', 'the group window HOP beyond the limit');
SELECT lives_ok('SELECT * FROM o, HOP(o, DESCRIPTOR(ts), INTERVAL ''1 s'', INTERVAL ''10 s'')',
				'HOP at the limit');
RESET apply_watermark.max_windows_per_row;
SELECT throws_ok('SET apply_watermark.max_windows_per_row = 0', '22023', NULL,
				 'the limit must be positive');

-- Hints and details
CREATE FUNCTION pg_temp.details(sql text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
BEGIN
	EXECUTE sql;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN detail || ' ' || hint;
END $$;
SELECT is(pg_temp.details('SELECT * FROM o, ' || call), expected, expected)
FROM (VALUES
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1'' MONTH)',
	 'The size is 1 mon, and months differ in length. Write it in days, for example INTERVAL ''30'' DAY.'),
	('CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''3 s'', INTERVAL ''10 s'')',
	 'Size is 00:00:10, step is 00:00:03. Choose a step that divides the size.'),
	('TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1 min'', INTERVAL ''1 min'')',
	 'Offset is 00:01:00, size is 00:01:00. Offsets that differ by a whole size give the same windows.'),
	('HOP(o, DESCRIPTOR(ts), INTERVAL ''1 s'', INTERVAL ''2 days'')',
	 'apply_watermark.max_windows_per_row is 100000. Choose a longer slide, or raise apply_watermark.max_windows_per_row.')
) AS c(call, expected);

-- Where the planner cannot help, an error and a hint
SELECT throws_ok('SELECT to_timestamp_ltz(1, 6)', '22023',
				 'precision of to_timestamp_ltz() must be 0 or 3', 'an unknown precision');
SELECT throws_ok('SELECT to_timestamp_ltz(9223372036854775807, 3)', '22008', 'timestamp out of range',
				 'an epoch out of range');
SELECT is(to_timestamp_ltz(epoch, digits), expected, 'to_timestamp_ltz of ' || epoch)
FROM (VALUES
	(0, 0, timestamptz '1970-01-01 00:00:00+00'),
	(4001, 3, '1970-01-01 00:00:04.001+00'),
	(-1, 3, '1969-12-31 23:59:59.999+00'),
	(1618495260, 0, '2021-04-15 14:01:00+00'),
	(NULL, 0, NULL)
) AS c(epoch, digits, expected);
SELECT ok(proctime() BETWEEN date_trunc('milliseconds', clock_timestamp()) - interval '1 min' AND clock_timestamp(),
		  'proctime() is the clock');
SELECT is(extract(microseconds FROM proctime())::int % 1000, 0, 'proctime() has milliseconds');

SELECT * FROM finish();
ROLLBACK;
