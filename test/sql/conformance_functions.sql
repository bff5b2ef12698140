-- Points in time from numbers, shown as Apache Flink 2.3 shows them.
\i test/setup.psql
BEGIN;
SELECT plan(9);

SET LOCAL timezone = 'UTC';
SELECT is(to_timestamp_ltz(4001, 3)::timestamp, '1970-01-01 00:00:04.001', 'milliseconds shown in UTC');
SELECT is(to_timestamp_ltz(-1500, 3)::timestamp, '1969-12-31 23:59:58.5', 'milliseconds before 1970 shown in UTC');

SET LOCAL timezone = 'Asia/Shanghai';
SELECT is(to_timestamp_ltz(4001, 3)::timestamp, '1970-01-01 08:00:04.001', 'milliseconds shown in Shanghai');
SELECT is(to_timestamp_ltz(-1500, 3)::timestamp, '1970-01-01 07:59:58.5', 'milliseconds before 1970 shown in Shanghai');
SELECT is(to_timestamp_ltz(1618495260, 0)::timestamp, '2021-04-15 22:01', 'seconds shown in Shanghai');

-- The two passings of half past one.
SET LOCAL timezone = 'America/New_York';
SELECT is(to_timestamp_ltz(1636263000, 0), '2021-11-07 01:30-04', 'seconds before the clock is put back');
SELECT is(to_timestamp_ltz(1636266600, 0), '2021-11-07 01:30-05', 'seconds after the clock is put back');

SELECT throws_ok(
	'SELECT to_timestamp_ltz(4001, 6)',
	'22023', 'precision of to_timestamp_ltz() must be 0 or 3',
	'other precisions are refused');

SELECT ok(p = date_trunc('milliseconds', p), 'proctime() has milliseconds, as TIMESTAMP_LTZ(3)')
FROM proctime() AS p;

SELECT * FROM finish();
ROLLBACK;
