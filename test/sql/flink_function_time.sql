-- Arithmetic of times; the results are those that Flink 2.3 gave, unless a comment says otherwise.
\i test/setup.psql
BEGIN;
SELECT plan(133);
SET LOCAL timezone = 'America/New_York';

SELECT is(flink.floor(ts, unit), expected, format('floor of %s to %s', ts, unit))
FROM (VALUES
	(timestamp '2021-04-15 14:01:02.345', 'MILLISECOND', timestamp '2021-04-15 14:01:02.345'),
	('2021-04-15 14:01:02.345', 'SECOND', '2021-04-15 14:01:02'), ('2021-04-15 14:01:02.345', 'MINUTE', '2021-04-15 14:01'),
	('2021-04-15 14:01:02.345', 'HOUR', '2021-04-15 14:00'), ('2021-04-15 14:01:02.345', 'DAY', '2021-04-15'),
	('2021-04-15 14:01:02.345', 'WEEK', '2021-04-11'), ('2021-04-15 14:01:02.345', 'MONTH', '2021-04-01'),
	('2021-05-15 14:01:02.345', 'QUARTER', '2021-04-01'), ('2021-04-15 14:01:02.345', 'YEAR', '2021-01-01'),
	('2021-04-15 14:01:02.345', 'DECADE', '2020-01-01'), ('2021-04-15 14:01:02.345', 'CENTURY', '2001-01-01'),
	('2021-04-15 14:01:02.345', 'MILLENNIUM', '2001-01-01'),
	('2021-04-11 14:01:02.345', 'WEEK', '2021-04-11'), ('1969-12-31 23:01:02.345', 'HOUR', '1969-12-31 23:00'),
	('1969-12-31 23:01:02.345', 'WEEK', '1969-12-28'), ('infinity', 'DAY', 'infinity'),
	-- Not asked of Flink.
	('0044-03-15 BC', 'QUARTER', '0044-01-01 BC'), ('4000-11-25 BC', 'CENTURY', '4000-01-01 BC')
) AS c(ts, unit, expected);

SELECT is(flink.ceil(ts, unit), expected, format('ceil of %s to %s', ts, unit))
FROM (VALUES
	(timestamp '2021-04-15 14:01:02.345', 'SECOND', timestamp '2021-04-15 14:01:03'),
	('2021-04-15 14:01:02.345', 'MINUTE', '2021-04-15 14:02'), ('2021-04-15 14:01:02.345', 'HOUR', '2021-04-15 15:00'),
	('2021-04-15 14:01:02.345', 'DAY', '2021-04-16'), ('2021-04-15 14:01:02.345', 'WEEK', '2021-04-18'),
	('2021-04-15 14:01:02.345', 'MONTH', '2021-05-01'), ('2021-05-15 14:01:02.345', 'QUARTER', '2021-07-01'),
	('2021-04-15 14:01:02.345', 'YEAR', '2022-01-01'), ('2021-04-01', 'MONTH', '2021-04-01'),
	('2021-04-15 14:00', 'HOUR', '2021-04-15 14:00'), ('2021-04-12', 'WEEK', '2021-04-18'), ('2021-01-01', 'YEAR', '2021-01-01'),
	-- Flink gave the Sunday itself, before the time.
	('2021-04-11 14:01:02.345', 'WEEK', '2021-04-18')
) AS c(ts, unit, expected);

SELECT is(got, expected, label)
FROM (VALUES
	(flink.floor(date '2021-04-15', 'MONTH'), date '2021-04-01', 'floor of a date to MONTH'),
	(flink.floor(date '2021-04-15', 'WEEK'), '2021-04-11', 'floor of a date to WEEK'),
	(flink.floor(date '2021-04-15', 'DAY'), '2021-04-15', 'floor of a date to DAY'),
	(flink.ceil(date '2021-04-15', 'MONTH'), '2021-05-01', 'ceil of a date to MONTH'),
	(flink.ceil(date '2021-04-01', 'MONTH'), '2021-04-01', 'ceil of a first day to MONTH'),
	(flink.ceil(date '2021-04-15', 'YEAR'), '2022-01-01', 'ceil of a date to YEAR'),
	(flink.timestampadd('DAY', 1, date '2021-01-31'), '2021-02-01', 'a date and a day'),
	(flink.timestampadd('MONTH', 1, date '2021-01-31'), '2021-02-28', 'a date and a month')
) AS c(got, expected, label);

SELECT is(got, expected::timestamptz, label)
FROM (VALUES
	(flink.floor(flink.to_timestamp_ltz(4001, 3), 'DAY'), '1969-12-31 05:00Z', 'floor of timestamptz to DAY'),
	(flink.ceil(flink.to_timestamp_ltz(4001, 3), 'DAY'), '1970-01-01 05:00Z', 'ceil of timestamptz to DAY'),
	-- Flink gave the first of the month in UTC.
	(flink.floor(flink.to_timestamp_ltz(4001, 3), 'MONTH'), '1969-12-01 05:00Z', 'floor of timestamptz to MONTH'),
	(flink.floor(timestamptz '2021-11-07 05:30Z', 'HOUR'), '2021-11-07 05:00Z', 'the first passing of an hour'),
	(flink.floor(timestamptz '2021-11-07 06:30Z', 'HOUR'), '2021-11-07 06:00Z', 'the second passing of an hour'),
	(flink.timestampadd('SECOND', 1, flink.to_timestamp_ltz(4001, 3)), '1970-01-01 00:00:05.001Z', 'timestamptz and a second'),
	(flink.timestampadd('DAY', 1, timestamptz '2021-03-13 17:00Z'), '2021-03-14 17:00Z', 'a day is 24 hours'),
	(flink.to_timestamp_ltz(1, 0), '1970-01-01 00:00:01Z', 'seconds'),
	(flink.to_timestamp_ltz(-1500, 3), '1969-12-31 23:59:58.5Z', 'milliseconds before 1970'),
	(flink.to_timestamp_ltz(1618495260123456, 6), '2021-04-15 14:01:00.123456Z', 'microseconds'),
	(flink.to_timestamp_ltz(1500000, 9), '1970-01-01 00:00:00.0015Z', 'nanoseconds'),
	-- Flink keeps nanoseconds.
	(flink.to_timestamp_ltz(-1, 9), '1969-12-31 23:59:59.999999Z', 'a nanosecond before 1970 is cut down'),
	(flink.to_timestamp_ltz(15, 1), '1970-01-01 00:00:01.5Z', 'tenths of seconds'),
	(flink.to_timestamp_ltz(4001), '1970-01-01 00:00:04.001Z', 'milliseconds are the default'),
	(flink.to_timestamp_ltz(1.5::float8, 0), '1970-01-01 00:00:01.5Z', 'double precision'),
	(flink.to_timestamp_ltz(1500.7, 3), '1970-01-01 00:00:01.5Z', 'numeric is cut'),
	(flink.to_timestamp_ltz('2021-04-15 14:01:00.123'), '2021-04-15 14:01:00.123Z', 'text is in UTC'),
	(flink.to_timestamp_ltz('15/04/2021', 'dd/MM/yyyy'), '2021-04-15 00:00Z', 'text by a pattern is in UTC'),
	(flink.to_timestamp_ltz('2021-04-15 14:01:00', 'yyyy-MM-dd HH:mm:ss', 'Asia/Shanghai'), '2021-04-15 06:01Z',
		'text in a zone'),
	(flink.to_timestamp_ltz('nonsense', 'dd/MM/yyyy'), NULL, 'nonsense')
) AS c(got, expected, label);

SELECT is(flink.timestampadd(unit, n, ts), expected, format('%s and %s %s', ts, n, unit))
FROM (VALUES
	('MINUTE', 90, timestamp '2021-04-15 14:01', timestamp '2021-04-15 15:31'), ('MONTH', 1, '2021-01-31 14:01', '2021-02-28 14:01'),
	('QUARTER', 1, '2021-01-31 14:01', '2021-04-30 14:01'), ('YEAR', -1, '2020-02-29 14:01', '2019-02-28 14:01'),
	('WEEK', 2, '2021-01-31 14:01', '2021-02-14 14:01'), ('days', 1, '2021-01-31', '2021-02-01'),
	('SQL_TSI_HOUR', 1, '2021-01-31', '2021-01-31 01:00')
) AS c(unit, n, ts, expected);

SELECT is(flink.timestampdiff(unit, a, b), expected, format('%s from %s to %s', unit, a, b))
FROM (VALUES
	('HOUR', timestamp '2021-04-15 14:01', timestamp '2021-04-16 13:00', 22), ('DAY', '2021-04-16 13:00', '2021-04-15 14:01', 0),
	('SECOND', '2021-04-15 14:01:00.999', '2021-04-15 14:01:02.5', 1), ('MONTH', '2021-01-31', '2021-02-28', 1),
	('MONTH', '2021-01-31', '2021-03-01', 1), ('MONTH', '2021-03-31', '2021-02-28', -1), ('YEAR', '2020-02-29', '2021-02-28', 1),
	('QUARTER', '2020-01-29', '2021-02-28', 4), ('WEEK', '2020-01-29', '2021-02-28', 56),
	('MONTH', '2021-01-15 12:00', '2021-02-15 11:59:59', 0), ('MINUTE', '2021-01-15', '2021-01-15 12:00', 720),
	('MONTH', '2021-02-15 11:59:59', '2021-01-15 12:00', -1), ('MONTH', '2021-02-15 12:00', '2021-02-15 11:59:59', -1),
	('MONTH', '2024-12-30 01:02:03', '2024-02-29', -11),
	-- Flink gave 1000.
	('MILLISECOND', '2021-04-15 14:01:00.999', '2021-04-15 14:01:02.5', 1501)
) AS c(unit, a, b, expected);
SELECT is(flink.timestampdiff('DAY', date '2021-01-15', date '2021-02-15'), 31, 'days between dates');
SELECT is(flink.timestampdiff('MONTH', date '2021-01-15', date '2021-02-14'), 0, 'months between dates');
SELECT is(flink.timestampdiff('HOUR', flink.to_timestamp_ltz(0, 3), flink.to_timestamp_ltz(7200000, 3)), 2, 'hours of timestamptz');
SELECT is(flink.timestampdiff('HOUR', date '2021-01-15', timestamp '2021-01-15 12:00'), 12, 'a date and a timestamp');

SELECT is(flink.extract(unit, ts)::int, expected, format('%s of %s', unit, ts))
FROM (VALUES
	('SECOND', timestamp '2021-04-15 14:01:02.345', 2), ('MILLISECOND', '2021-04-15 14:01:02.345', 345),
	('MICROSECOND', '2021-04-15 14:01:02.345', 345000), ('NANOSECOND', '2021-04-15 14:01:02.345', 345000000),
	('EPOCH', '2021-04-15 14:01:02.345', 1618495262), ('WEEK', '2021-01-03', 53), ('DOW', '2021-01-03', 1), ('DOY', '2021-01-03', 3),
	('QUARTER', '2021-04-03', 2), ('ISODOW', '2021-01-03', 7), ('ISOYEAR', '2021-01-03', 2020), ('DECADE', '2021-01-03', 202),
	('CENTURY', '2021-01-03', 21), ('MILLENNIUM', '2021-01-03', 3),
	('EPOCH', '1969-12-31 23:59:58.5', -1), ('HOUR', '1969-12-31 23:59:58.5', 0), ('SECOND', '1969-12-31 23:59:58.5', -1)
) AS c(unit, ts, expected);

SELECT is(got::int, expected, label)
FROM (VALUES
	(flink.extract('DAY', date '2021-01-03'), 3, 'DAY of a date'), (flink.extract('EPOCH', date '2021-01-03'), 1609632000, 'EPOCH of a date'),
	(flink.extract('HOUR', time '14:01:02'), 14, 'HOUR of a time'), (flink.extract('SECOND', time '14:01:02'), 2, 'SECOND of a time'),
	(flink.extract('HOUR', interval '1 02:03:04.005'), 2, 'HOUR of an interval'), (flink.extract('DAY', interval '1 02:03:04.005'), 1, 'DAY of an interval'),
	(flink.extract('MONTH', interval '1-2'), 2, 'MONTH of an interval'), (flink.extract('YEAR', interval '1-2'), 1, 'YEAR of an interval'),
	(flink.extract('HOUR', flink.to_timestamp_ltz(4001, 3)), -4, 'HOUR of timestamptz, on the clock of the session'),
	(flink.extract('EPOCH', flink.to_timestamp_ltz(4001, 3)), -17995, 'EPOCH of timestamptz, of the wall clock'),
	(flink.year(timestamp '2021-04-15 14:01:02.345'), 2021, 'year'), (flink.quarter(date '2021-04-15'), 2, 'quarter'),
	(flink.month(date '2021-04-15'), 4, 'month'), (flink.week(date '2021-04-15'), 15, 'week'),
	(flink.dayofyear(date '2021-04-15'), 105, 'dayofyear'), (flink.dayofmonth(date '2021-04-15'), 15, 'dayofmonth'),
	(flink.dayofweek(date '2021-04-18'), 1, 'dayofweek'), (flink.hour(timestamp '2021-04-15 14:01:02.345'), 14, 'hour'),
	(flink.minute(timestamp '2021-04-15 14:01:02.345'), 1, 'minute'), (flink.second(time '14:01:02.345'), 2, 'second')
) AS c(got, expected, label);

SELECT ok(p = date_trunc('milliseconds', p), 'the present has milliseconds')
FROM (VALUES (flink.now()), (flink.current_row_timestamp()), (flink.localtimestamp()::timestamptz)) AS v(p);
SELECT ok(abs(flink.unix_timestamp() - extract(epoch FROM clock_timestamp())) < 5, 'unix_timestamp() is the present');
SELECT is(flink.current_watermark(timestamp '2021-01-01'), NULL, 'there is no watermark in a query by hand');

SELECT throws_ok('SELECT flink.' || call, code, message, message)
FROM (VALUES
	('floor(timestamp ''2021-04-05'', ''FORTNIGHT'')', '22023', 'unit of time "FORTNIGHT" is not known'),
	('extract(''FORTNIGHT'', timestamp ''2021-04-05'')', '22023', 'unit "FORTNIGHT" cannot be extracted from a time'),
	('timestampadd(''HOUR'', 1, date ''2021-04-05'')', '22023', 'unit "HOUR" cannot be added to a date'),
	('to_timestamp_ltz(1, 10)', '22023', 'precision of to_timestamp_ltz must be between 0 and 9'),
	('to_timestamp_ltz(9223372036854775807, 0)', '22008', 'timestamp out of range'),
	-- Flink wraps around.
	('timestampdiff(''SECOND'', timestamp ''1900-01-01'', timestamp ''2021-01-15'')', '22003', 'integer out of range')
) AS c(call, code, message);

SELECT * FROM finish();
ROLLBACK;
