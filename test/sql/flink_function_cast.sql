-- Casts of the schema flink: the results are those that Flink 2.3 gave, unless a comment says otherwise.
\i test/setup.psql
BEGIN;
SELECT plan(112);

SELECT is(got, expected, 'a string of ' || label)
FROM (VALUES
	(flink.to_string(timestamp(3) '2021-04-15 14:01:02.345'), '2021-04-15 14:01:02.345', 'timestamp(3)'),
	(flink.to_string(timestamp(3) '2021-04-15 14:01:02.34'), '2021-04-15 14:01:02.340', 'timestamp(3) with a zero'),
	(flink.to_string(timestamp(0) '2021-04-15 14:01:02'), '2021-04-15 14:01:02', 'timestamp(0)'),
	(flink.to_string(timestamp(6) '2021-04-15 14:01:02.345'), '2021-04-15 14:01:02.345000', 'timestamp(6)'),
	(flink.to_string(timestamptz(3) '1970-01-01 00:00:04.001'), '1970-01-01 00:00:04.001', 'timestamptz(3)'),
	(flink.to_string(timestamptz(0) '1970-01-01 00:00:04'), '1970-01-01 00:00:04', 'timestamptz(0)'),
	(flink.to_string(timestamptz(6) '1970-01-01 00:00:04.001'), '1970-01-01 00:00:04.001000', 'timestamptz(6)'),
	-- Flink always knows the precision.
	(flink.to_string(timestamp '2021-04-15 14:01:02'), '2021-04-15 14:01:02.000', 'a timestamp without precision'),
	(flink.to_string(timestamp '2021-04-15 14:01:02.000001'), '2021-04-15 14:01:02.000001',
		'a timestamp without precision, with microseconds'),
	-- Flink has no such values: infinity here, jsonb below.
	(flink.to_string(timestamp 'infinity'), 'infinity', 'infinity'),
	(flink.to_string(date '2021-04-15'), '2021-04-15', 'a date'),
	(flink.to_string(date '0005-04-15'), '0005-04-15', 'an early date'),
	(flink.to_string(time '14:01:02'), '14:01:02', 'a time'),
	(flink.to_string(time(3) '14:01:02.345'), '14:01:02.345', 'a time(3)'),
	(flink.to_string(true), 'TRUE', 'true'),
	(flink.to_string(false), 'FALSE', 'false'),
	(flink.to_string(NULL::boolean), NULL, 'a NULL'),
	(flink.to_string(1.10), '1.10', 'numeric'),
	(flink.to_string(1::numeric(10,3)), '1.000', 'numeric(10,3)'),
	(flink.to_string(0.0000001::numeric(20,10)), '0.0000001000', 'a small numeric'),
	(flink.to_string(5), '5', 'an integer'),
	(flink.to_string(5::smallint), '5', 'a smallint'),
	(flink.to_string(5::bigint), '5', 'a bigint'),
	(flink.to_string('\x616263'::bytea), 'abc', 'bytea'),
	(flink.to_string('abc'::text), 'abc', 'text'),
	(flink.to_string('abc'::varchar(3)), 'abc', 'varchar'),
	(flink.to_string('ab'::char(4)), 'ab  ', 'char, with its padding'),
	(flink.to_string('abc'), 'abc', 'a literal'),
	(flink.to_string(NULL), NULL, 'a bare NULL'),
	(flink.to_string(ARRAY[1, 2, NULL]), '[1, 2, NULL]', 'an array'),
	(flink.to_string(ARRAY['a', 'b']), '[a, b]', 'an array of text'),
	(flink.to_string(ARRAY[1.5::float8]), '[1.5]', 'an array of double precision'),
	(flink.to_string(row(1, 'a'::text, true)), '(1, a, TRUE)', 'a row'),
	(flink.to_string(interval '1 day'), '+1 00:00:00.000', 'a day'),
	(flink.to_string(interval '1-2'), '+1-02', 'years and months'),
	(flink.to_string(interval '1 02:03:04.005'), '+1 02:03:04.005', 'days and a time'),
	(flink.to_string(interval '-1 day -02:03:04'), '-1 02:03:04.000', 'a negative interval'),
	(flink.to_string('{"a": 1}'::jsonb), '{"a": 1}', 'any other type')
) AS c(got, expected, label);

SELECT is(flink.to_string(x), expected, 'double precision in Java''s form: ' || expected)
FROM (VALUES
	(1::float8, '1.0'), (1e10, '1.0E10'), (1e7, '1.0E7'), (9999999, '9999999.0'), (0.001, '0.001'),
	(0.0001, '1.0E-4'), (1.23e-7, '1.23E-7'), (1.7976931348623157e308, '1.7976931348623157E308'),
	(0.002, '0.002'), (0, '0.0'), (100, '100.0'), (123456789.125, '1.23456789125E8'),
	(-1.5, '-1.5'), (0.25, '0.25'), (0.012, '0.012'), (1234567.5, '1234567.5'),
	('NaN', 'NaN'), ('Infinity', 'Infinity'), ('-Infinity', '-Infinity')
) AS c(x, expected);

SELECT is(flink.to_string(x), expected, 'real in Java''s form: ' || expected)
FROM (VALUES (1.1::real, '1.1'), (1e10, '1.0E10'), (16777216, '1.6777216E7')) AS c(x, expected);

SET LOCAL timezone = 'America/New_York';
SELECT is(flink.to_string(ts), '1969-12-31 19:00:04.001', 'a string of timestamptz is on the clock of the session')
FROM (VALUES (timestamptz(3) '1970-01-01 00:00:04.001+00')) AS v(ts);
SET LOCAL timezone = 'UTC';

CREATE TEMPORARY TABLE typed (a timestamp(0), b timestamp(6), c timestamptz(3));
INSERT INTO typed VALUES ('2021-04-15 14:01:02', '2021-04-15 14:01:02', '2021-04-15 14:01:02');
SELECT is(array[flink.to_string(a), flink.to_string(b), flink.to_string(c)],
	'{2021-04-15 14:01:02,2021-04-15 14:01:02.000000,2021-04-15 14:01:02.000}', 'columns show their precision')
FROM typed;

-- Integers
SELECT is(got, expected, label)
FROM (VALUES
	(flink.to_integer('12'), 12, 'text as integer'),
	(flink.to_integer('12.9'), 12, 'text with a fraction, which is cut'),
	(flink.to_integer('-12.9'), -12, 'negative text with a fraction'),
	(flink.to_integer(' 12 '), 12, 'text with white space'),
	(flink.to_integer('+12'), 12, 'text with a plus'),
	(flink.to_integer('.5'), 0, 'text with a fraction alone'),
	(flink.to_integer('12.'), 12, 'text with a point at its end'),
	(flink.to_integer('-2147483648'), -2147483648, 'the least integer'),
	(flink.to_integer(NULL), NULL, 'NULL as integer'),
	(flink.to_integer(12.9), 12, 'numeric is cut'),
	(flink.to_integer(-12.9), -12, 'negative numeric is cut'),
	(flink.to_integer(12.9::float8), 12, 'double precision is cut'),
	(flink.to_integer(-12.9::real), -12, 'real is cut'),
	(flink.to_integer(true), 1, 'true is 1'),
	(flink.to_integer(12::bigint), 12, 'bigint as integer'),
	(flink.to_smallint('12.9')::int, 12, 'text as smallint'),
	(flink.to_smallint(true)::int, 1, 'true as smallint'),
	(flink.to_bigint('12.9')::int, 12, 'text as bigint'),
	(flink.to_bigint(false)::int, 0, 'false is 0')
) AS c(got, expected, label);

SELECT is(flink.to_bigint('-9223372036854775808'), -9223372036854775808, 'the least bigint');

-- Flink wraps numbers around; text it refuses as we do.
SELECT throws_ok('SELECT flink.' || call, code, message, message)
FROM (VALUES
	('to_integer(''abc'')', '22P02', 'invalid input syntax for type integer: "abc"'),
	('to_integer(''12abc'')', '22P02', 'invalid input syntax for type integer: "12abc"'),
	('to_integer(''1e3'')', '22P02', 'invalid input syntax for type integer: "1e3"'),
	('to_integer('''')', '22P02', 'invalid input syntax for type integer: ""'),
	('to_integer(''99999999999'')', '22003', 'value "99999999999" is out of range for type integer'),
	('to_smallint(''32768'')', '22003', 'value "32768" is out of range for type smallint'),
	('to_bigint(''9223372036854775808'')', '22003', 'value "9223372036854775808" is out of range for type bigint'),
	('to_integer(1e10::float8)', '22003', 'integer out of range'),
	('to_smallint(70000)', '22003', 'smallint out of range'),
	('trunc(''nonsense'', 3)', '22007', 'invalid input syntax for type timestamp: "nonsense"'),
	('trunc(''2021-04-15T14:01:02'', 3)', '22007', 'invalid input syntax for type timestamp: "2021-04-15T14:01:02"')
) AS c(call, code, message);

-- Times
SELECT is(flink.trunc(ts, digits), expected, 'cut to ' || digits || ' digits: ' || expected)
FROM (VALUES
	(timestamp '1969-12-31 23:59:59.987654', 3, timestamp '1969-12-31 23:59:59.987'),
	('1969-12-31 23:59:59.987654', 0, '1969-12-31 23:59:59'),
	('2021-12-31 23:59:59.987654', 1, '2021-12-31 23:59:59.9'),
	('2021-12-31 23:59:59.987654', 6, '2021-12-31 23:59:59.987654'),
	('2021-12-31 23:59:59.987654', 9, '2021-12-31 23:59:59.987654'),
	('infinity', 0, 'infinity')
) AS c(ts, digits, expected);

SELECT is(flink.trunc(value, 3), expected, 'text cut to milliseconds: ' || value)
FROM (VALUES
	('2021-04-15 14:01:02.987654', timestamp '2021-04-15 14:01:02.987'),
	('2021-04-15', '2021-04-15'),
	('2021-4-5 4:1:2', '2021-04-05 04:01:02')
) AS c(value, expected);

-- TRY_CAST
SELECT is(got, expected, 'try_cast of ' || label)
FROM (VALUES
	(flink.try_cast('abc', NULL::int)::text, NULL, 'nonsense to integer'),
	(flink.try_cast('12.9', NULL::int)::text, '12', 'a fraction to integer'),
	(flink.try_cast('1', NULL::boolean)::text, 'true', 'a digit to boolean'),
	(flink.try_cast('x', NULL::numeric(10,2))::text, NULL, 'nonsense to numeric'),
	(flink.try_cast('1.005', NULL::numeric(10,2))::text, '1.01', 'a half to numeric(10,2)'),
	(flink.try_cast('nonsense', NULL::timestamp(3))::text, NULL, 'nonsense to timestamp'),
	(flink.try_cast('2021-04-15 14:01:02.9876', NULL::timestamp(3))::text, '2021-04-15 14:01:02.987', 'a time'),
	(flink.try_cast('2021-02-30', NULL::date)::text, NULL, 'a day that is not in its month'),
	(flink.try_cast('abcdef', NULL::varchar(3))::text, 'abc', 'long text to varchar(3)'),
	(flink.try_cast(NULL, NULL::int)::text, NULL, 'NULL')
) AS c(got, expected, label);

SELECT * FROM finish();
ROLLBACK;
