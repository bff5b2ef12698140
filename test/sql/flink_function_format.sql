-- Times as text by the patterns of Java; the results are those that Flink 2.3 gave in New York.
\i test/setup.psql
BEGIN;
SELECT plan(110);
SET LOCAL timezone = 'America/New_York';

SELECT is(flink.to_timestamp(value), expected, 'to_timestamp of "' || value || '"')
FROM (VALUES
	('2021-04-15 14:01:00', timestamp '2021-04-15 14:01'),
	('2021-04-15 14:01:00.1', '2021-04-15 14:01:00.1'),
	('2021-04-15 14:01:00.123456789', '2021-04-15 14:01:00.123'),
	('2021-04-15 14:01:00.1234567891', NULL),
	('2021-04-15', '2021-04-15'),
	('2021-04-15 14:01', NULL),
	('2021-04-15T14:01:00', NULL),
	('2021-4-5 4:1:0', '2021-04-05 04:01'),
	('2021-02-30 00:00:00', '2021-02-28'),
	('2021-02-32 00:00:00', NULL),
	('2021-04-15 24:00:00', '2021-04-16'),
	('2021-04-15 14:61:00', NULL),
	(' 2021-04-15 14:01:00 ', NULL),
	('2021-04-15 14:01:00x', NULL),
	('nonsense', NULL),
	('', NULL)
) AS c(value, expected);

SELECT is(flink.to_timestamp(value, pattern), expected, 'to_timestamp of "' || value || '" by ' || pattern)
FROM (VALUES
	('15/04/2021 14.01', 'dd/MM/yyyy HH.mm', timestamp '2021-04-15 14:01'),
	('2021-04-15 14:01:00.123', 'yyyy-MM-dd HH:mm:ss', '2021-04-15 14:01:00.123'),
	('2021-04-15 14:01:00.123', 'yyyy-MM-dd HH:mm:ss.SSS', '2021-04-15 14:01:00.123'),
	('2021-04-15 14:01:00.123456', 'yyyy-MM-dd HH:mm:ss.SSSSSS', '2021-04-15 14:01:00.123'),
	('2021-04-15T14:01:00Z', 'yyyy-MM-dd''T''HH:mm:ss''Z''', '2021-04-15 14:01'),
	('2021-4-5 1:2:3', 'yyyy-M-d H:m:s', '2021-04-05 01:02:03'),
	('2021-4-5 1:2:3', 'yyyy-MM-dd HH:mm:ss', '2021-04-05 01:02:03'),
	('2021-12-15', 'yyyy-M-d', '2021-12-15'),
	('20210415', 'yyyyMMdd', '2021-04-15'),
	('20210415140100', 'yyyyMMddHHmmss', '2021-04-15 14:01'),
	('20210415140100123', 'yyyyMMddHHmmssSSS', '2021-04-15 14:01:00.123'),
	('2021-04', 'yyyy-MM', '2021-04-01'),
	('2021', 'yyyy', '2021-01-01'),
	('21-04-15', 'yy-MM-dd', '2021-04-15'),
	('02:03 PM', 'hh:mm a', '1970-01-01 14:03'),
	('2021-04-15 02:03 PM', 'yyyy-MM-dd hh:mm a', '2021-04-15 14:03'),
	('15 Apr 2021', 'dd MMM yyyy', '2021-04-15'),
	('15 April 2021', 'dd MMMM yyyy', '2021-04-15'),
	('Thu 15 Apr 2021', 'EEE dd MMM yyyy', '2021-04-15'),
	('14:01', 'HH:mm', '1970-01-01 14:01'),
	('2021-105', 'yyyy-DDD', '2021-04-15'),
	('2021-02-30', 'yyyy-MM-dd', '2021-02-28'),
	('2021-13-01', 'yyyy-MM-dd', NULL),
	('2021-04-15', 'yyyy-MM-dd HH:mm', '2021-04-15'),
	('2021-04-15 14:01:00 +0200', 'yyyy-MM-dd HH:mm:ss Z', '2021-04-15 14:01'),
	('2021-04-15T14:01:00+02:00', 'yyyy-MM-dd''T''HH:mm:ssXXX', '2021-04-15 14:01'),
	('2021-04-15 24:00', 'yyyy-MM-dd kk:mm', '2021-04-15'),
	('2021-04-15', 'uuuu-MM-dd', '2021-04-15'),
	('12021-04-15', 'yyyy-MM-dd', NULL),
	('', 'yyyy-MM-dd', NULL)
) AS c(value, pattern, expected);

SELECT is(flink.unix_timestamp(value, pattern), expected, 'unix_timestamp of "' || value || '" by ' || pattern)
FROM (VALUES
	('2021-04-15 14:01:00', 'yyyy-MM-dd HH:mm:ss', 1618509660),
	('2021-04-15', 'yyyy-MM-dd HH:mm:ss', -9223372036854775808),
	('2021-04-15', 'yyyy-MM-dd', 1618459200),
	('nonsense', 'yyyy-MM-dd HH:mm:ss', -9223372036854775808),
	('2021-4-5 1:2:3', 'yyyy-MM-dd HH:mm:ss', 1617598923),
	('2021-02-30 00:00:00', 'yyyy-MM-dd HH:mm:ss', 1614661200),
	('2021-04-15 14:01:00 trailing', 'yyyy-MM-dd HH:mm:ss', 1618509660),
	('2021-04-15 25:01:00', 'yyyy-MM-dd HH:mm:ss', 1618549260),
	('15 Apr 2021', 'dd MMM yyyy', 1618459200),
	('20210415', 'yyyyMMdd', 1618459200),
	('1969-12-31 23:59:59', 'yyyy-MM-dd HH:mm:ss', 17999),
	('40-01-01', 'yy-MM-dd', 2209006800),
	('50-01-01', 'yy-MM-dd', -631134000),
	('2021-04-15 14:01 +0200', 'yyyy-MM-dd HH:mm Z', 1618488060),
	('2021-04-15 02:01 pm', 'yyyy-MM-dd hh:mm a', 1618509660),
	('2021-03-14 02:30:00', 'yyyy-MM-dd HH:mm:ss', 1615707000),
	('2021-11-07 01:30:00', 'yyyy-MM-dd HH:mm:ss', 1636266600)
) AS c(value, pattern, expected);

SELECT is(flink.date_format(ts, pattern), expected, 'date_format of ' || ts || ' by ' || pattern)
FROM (VALUES
	(timestamp '2021-04-05 14:01:02.345', 'yyyy-MM-dd HH:mm', '2021-04-05 14:01'),
	('2021-04-05 04:01:02.345', 'y yy yyy yyyy yyyyy u uu uuuu', '2021 21 2021 2021 02021 2021 21 2021'),
	('2021-04-05 04:01:02.345', 'M MM MMM MMMM MMMMM L d dd D DDD', '4 04 Apr April A 4 5 05 95 095'),
	('2021-04-05 14:01:02.345', 'H HH h hh K KK k kk m mm s ss a', '14 14 2 02 2 02 14 14 1 01 2 02 PM'),
	('2021-04-05 14:01:02.345', 'S SS SSS SSSS SSSSSS', '3 34 345 3450 345000'),
	('2021-04-05 14:01:02.345', 'E EE EEE EEEE EEEEE e ee eee eeee c', 'Mon Mon Mon Monday M 2 02 Mon Monday 2'),
	('2021-04-05 14:01:02.345', 'w ww W F Y YY YYYY', '15 15 2 5 2021 21 2021'),
	('2021-04-05 14:01:02.345', 'Q QQ QQQ QQQQ q G', '2 02 Q2 2nd quarter 2 AD'),
	('2021-04-05 14:01:02.345', 'yyyy-MM-dd''T''HH:mm:ss ''o''''clock''', '2021-04-05T14:01:02 o''clock'),
	('2021-01-03 14:01:02.345', 'w ww W e Y D', '2 02 2 1 2021 3'),
	('2020-12-27 14:01:02.345', 'w ww W e Y D', '1 01 5 1 2021 362'),
	('2020-12-26 14:01:02.345', 'w ww W e Y D', '52 52 4 7 2020 361'),
	('2021-04-05 14:01:02.345', '', '')
) AS c(ts, pattern, expected);

SELECT is(got, expected, 'date_format of ' || label)
FROM (VALUES
	(flink.date_format(timestamptz '1970-01-01 00:00:04.001+00', 'yyyy-MM-dd HH:mm:ss.SSS'),
		'1969-12-31 19:00:04.001', 'a timestamptz, on the clock of the session'),
	(flink.date_format('2021-04-15 14:01:02.345', 'yyyy-MM-dd HH:mm:ss.SSS'), '2021-04-15 14:01:02.000',
		'text, whose milliseconds are lost'),
	(flink.date_format('2021-04-15', 'yyyy/MM/dd'), NULL, 'text without a time'),
	(flink.date_format('nonsense', 'yyyy/MM/dd'), NULL, 'nonsense')
) AS c(got, expected, label);

SELECT is(flink.from_unixtime(seconds, pattern), expected, 'from_unixtime of ' || seconds || ' by ' || pattern)
FROM (VALUES
	(1511658000, 'yyyy-MM-dd HH:mm:ss', '2017-11-25 20:00:00'),
	(-1, 'yyyy-MM-dd HH:mm:ss', '1969-12-31 18:59:59'),
	(44, 'yyyy/MM/dd', '1969/12/31'),
	(1511658000, 'yyyy-MM-dd''T''HH:mm:ss.SSS z', '2017-11-25T20:00:00.000 EST'),
	(1511658000, 'E EEEE MMM MMMM a h K k D w W F u', 'Sat Saturday Nov November PM 8 8 20 329 47 4 4 6'),
	(1511658000, 'y yy yyy yyyyy G', '2017 17 2017 02017 AD'),
	(1511658000, 'YYYY-ww Z X XX XXX', '2017-47 -0500 -05 -0500 -05:00'),
	(1511658000, 'M d H m s S SS SSS SSSS', '11 25 20 0 0 0 00 000 0000')
) AS c(seconds, pattern, expected);

SELECT is(flink.convert_tz(value, from_zone, to_zone), expected, format('convert_tz of %s from %s to %s', value, from_zone, to_zone))
FROM (VALUES
	('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles', '1969-12-31 16:00:00'),
	('1970-01-01 00:00:00.5', 'UTC', 'America/Los_Angeles', '1969-12-31 16:00:00'),
	('1970-01-01', 'UTC', 'America/Los_Angeles', NULL),
	('x', 'UTC', 'America/Los_Angeles', NULL),
	('1970-01-01 00:00:00', 'UTC', 'GMT+8', '1970-01-01 08:00:00'),
	('2021-03-14 02:30:00', 'America/New_York', 'UTC', '2021-03-14 07:30:00'),
	('2021-11-07 01:30:00', 'America/New_York', 'UTC', '2021-11-07 06:30:00'),
	-- Flink reads this distance, and any name that it does not know, as UTC.
	('1970-01-01 00:00:00', 'UTC', '+08:00', '1970-01-01 08:00:00')
) AS c(value, from_zone, to_zone, expected);

SELECT is(flink.to_date(value, pattern), expected, format('to_date of %s by %s', value, pattern))
FROM (VALUES
	('15/04/2021', 'dd/MM/yyyy', date '2021-04-15'), ('2021-04-15 10:00:00', 'yyyy-MM-dd', '2021-04-15'),
	('2021', 'yyyy', '2021-01-01')
) AS c(value, pattern, expected);
SELECT is(flink.to_date(value), expected, format('to_date of %s', value))
FROM (VALUES
	('2021-04-15', date '2021-04-15'), ('2021-4-5', '2021-04-05'), ('nonsense', NULL), ('2021-02-30', NULL),
	('2021-04-15 10:00:00', '2021-04-15')
) AS c(value, expected);

SELECT throws_ok(call, code, message, label)
FROM (VALUES
	('SELECT flink.date_format(timestamp ''2021-04-05'', ''b'')', '0A000',
		'"b" is not supported in a pattern of times', 'a letter that is not known is named'),
	('SELECT flink.date_format(timestamp ''2021-04-05'', ''z'')', '0A000',
		'"z" is not supported in a pattern of times', 'a time without a zone shows none'),
	('SELECT flink.unix_timestamp(''2021 PST'', ''yyyy z'')', '0A000',
		'"z" is not supported in a pattern for reading of times', 'names of zones are not read'),
	('SELECT flink.to_timestamp(''x'', ''yyyy bb'')', '0A000',
		'"b" is not supported in a pattern for reading of times', 'a letter is looked at even if the text does not fit'),
	('SELECT flink.date_format(timestamp ''2021-04-05'', ''yyyy ''''open'')', '22023',
		'time pattern ends inside of quoted text', 'a quote that is not closed'),
	('SELECT flink.convert_tz(''1970-01-01 00:00:00'', ''UTC'', ''Nowhere'')', '22023',
		'time zone "Nowhere" not recognized', 'a zone that is not known')
) AS c(call, code, message, label);

SELECT * FROM finish();
ROLLBACK;
