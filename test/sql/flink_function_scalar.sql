-- Functions of text, numbers and conditions; the results are those that Flink 2.3 gave, unless a comment says otherwise.
\i test/setup.psql
BEGIN;
SELECT plan(141);

SELECT is(got, expected, label)
FROM (VALUES
	(flink.least(1, 2, NULL)::text, NULL, 'least with a NULL'), (flink.least(1, 2.5)::text, '1', 'least of mixed numbers'),
	(flink.greatest('a', 'b'), 'b', 'greatest of literals'), (flink.greatest(3, 4::bigint)::text, '4', 'greatest of mixed integers'),
	(flink.greatest(NULL::int, 1)::text, NULL, 'greatest with a NULL'),
	(flink.least(timestamp '2024-01-02', '2024-01-01')::text, '2024-01-01 00:00:00', 'least of timestamps'),
	(flink.concat('a', 'b'), 'ab', 'concat'), (flink.concat('a', NULL), NULL, 'concat with a NULL'),
	(flink.concat_ws('-', 'a', NULL, 'b'), 'a-b', 'concat_ws skips NULL'), (flink.concat_ws(NULL, 'a'), NULL, 'concat_ws by NULL'),
	(flink.concat_ws('-', 'a', '', 'b'), 'a--b', 'concat_ws keeps empty parts'), (flink.concat_ws('-', NULL), '', 'concat_ws of NULL'),
	(flink.split_index('a,b,c', ',', 0), 'a', 'split_index 0'), (flink.split_index('a,b,c', ',', 2), 'c', 'split_index 2'),
	(flink.split_index('a,b,c', ',', 3), NULL, 'split_index beyond the parts'), (flink.split_index('a,b,c', ',', -1), NULL, 'split_index -1'),
	(flink.split_index('a,,c', ',', 1), '', 'split_index of an empty part'), (flink.split_index('', ',', 0), NULL, 'split_index of nothing'),
	(flink.split_index('a--b--c', '--', 1), 'b', 'split_index by two characters'), (flink.split_index('abc', '', 0), 'abc', 'split_index by nothing'),
	(flink.split_index('a,b', 44, 1), 'b', 'split_index by a code'), (flink.split_index(NULL, ',', 0), NULL, 'split_index of NULL'),
	(flink.regexp_replace('foobar', 'oo|ar', ''), 'fb', 'regexp_replace of all matches'),
	(flink.regexp_replace('foobar', '(o)(o)', '$2-$1'), 'f$2-$1bar', 'regexp_replace takes dollars as they are'),
	(flink.regexp_replace('foobar', '(o)', '\1'), 'f\1\1bar', 'regexp_replace takes backslashes as they are'),
	(flink.regexp_replace('a1b22', '\d', '#'), 'a#b##', 'regexp_replace of digits'),
	(flink.regexp_extract('foothebar', 'foo(.*?)(bar)', 2), 'bar', 'regexp_extract of a group'),
	(flink.regexp_extract('foothebar', 'foo(.*?)(bar)'), 'foothebar', 'regexp_extract without a group'),
	(flink.regexp_extract('foothebar', 'foo(.*?)(bar)', 0), 'foothebar', 'regexp_extract of group 0'),
	(flink.regexp_extract('foothebar', 'foo(.*?)(bar)', 5), NULL, 'regexp_extract of a group that is not there'),
	(flink.regexp_extract('foothebar', 'foo(.*?)(bar)', -1), NULL, 'regexp_extract of a negative group'),
	(flink.regexp_extract('foothebar', 'x', 0), NULL, 'regexp_extract without a match'),
	(flink.regexp_extract('a1b22', '\d+', 0), '1', 'regexp_extract of the first match'),
	(flink.regexp('foobar', 'o+')::text, 'true', 'regexp'), (flink.regexp('foobar', '^o')::text, 'false', 'regexp without a match'),
	(flink.regexp('foobar', '')::text, 'false', 'regexp of nothing'), (flink.regexp('ABC', '(?i)abc')::text, 'true', 'regexp, case ignored'),
	(flink.locate('o', 'foobar')::text, '2', 'locate'), (flink.locate('o', 'foobar', 3)::text, '3', 'locate from 3'),
	(flink.locate('z', 'foobar')::text, '0', 'locate nowhere'), (flink.locate('o', 'foobar', 9)::text, '0', 'locate from beyond the end'),
	(flink.locate('', 'foobar')::text, '1', 'locate nothing'), (flink.locate('o', 'foobar', 0)::text, '2', 'locate from 0'),
	(flink.locate('o', 'foobar', -3)::text, '2', 'locate from before the beginning'),
	(flink.instr('foobar', 'o')::text, '2', 'instr'), (flink.instr('foobar', 'o', 3)::text, '3', 'instr from 3'),
	(flink.substring('foobar', 2), 'oobar', 'substring from 2'), (flink.substring('foobar', 2, 3), 'oob', 'substring of 3'),
	(flink.substring('foobar', -3), 'bar', 'substring from the end'), (flink.substring('foobar', -3, 2), 'ba', 'substring of 2 from the end'),
	(flink.substring('foobar', 0), 'foobar', 'substring from 0'), (flink.substring('foobar', 0, 2), 'fo', 'substring of 2 from 0'),
	(flink.substring('foobar', 10), '', 'substring beyond the end'), (flink.substring('foobar', -10, 5), '', 'substring before the beginning'),
	(flink.substring('foobar', 2, -1), NULL, 'substring of a negative length'), (flink.substring('foobar', 2, 0), '', 'substring of nothing'),
	(flink.substr('foobar', 0, 2), 'fo', 'substr from 0'), (flink.substr('foobar', -3, 2), 'ba', 'substr from the end'),
	(flink.left('a12', -1), '', 'left of a negative length'), (flink.left('a12', 2), 'a1', 'left'), (flink.left('a12', 9), 'a12', 'left of more'),
	(flink.right('a12', -1), '', 'right of a negative length'), (flink.right('a12', 2), '12', 'right'),
	(flink.lpad('hi', 4, '??'), '??hi', 'lpad'), (flink.lpad('hi', 1, '??'), 'h', 'lpad to less'), (flink.lpad('hi', 5, ''), NULL, 'lpad by nothing'),
	(flink.lpad('hi', -1, 'x'), NULL, 'lpad to a negative length'), (flink.lpad('hi', 0, 'x'), '', 'lpad to nothing'),
	(flink.rpad('hi', 4, '??'), 'hi??', 'rpad'),
	(flink.endswith('abc', 'c')::text, 'true', 'endswith'), (flink.endswith('abc', '')::text, 'true', 'endswith nothing'),
	(flink.elt(2, 'a', 'b'), 'b', 'elt'), (flink.elt(3, 'a', 'b'), NULL, 'elt beyond the parts'),
	(flink.is_alpha('abc')::text, 'true', 'is_alpha'), (flink.is_alpha('a1')::text, 'false', 'is_alpha of a digit'),
	(flink.is_alpha('')::text, 'false', 'is_alpha of nothing'), (flink.is_alpha(NULL)::text, 'false', 'is_alpha of NULL'),
	(flink.is_digit('123')::text, 'true', 'is_digit'), (flink.is_digit('-1')::text, 'false', 'is_digit of a minus'),
	(flink.is_decimal('1.5')::text, 'true', 'is_decimal'), (flink.is_decimal('1e5')::text, 'true', 'is_decimal with an exponent'),
	(flink.is_decimal('.5')::text, 'true', 'is_decimal of a fraction'), (flink.is_decimal('abc')::text, 'false', 'is_decimal of letters')
) AS c(got, expected, label);

SELECT is(got, expected, label)
FROM (VALUES
	(flink.truncate(42.345, 2)::text, '42.34', 'truncate of numeric'), (flink.truncate(42.345)::text, '42', 'truncate to a whole number'),
	(flink.truncate(-42.345, 1)::text, '-42.3', 'truncate towards zero'), (flink.truncate(42.345, -1)::text, '40', 'truncate to tens'),
	(flink.truncate(1.9::float8)::text, '1', 'truncate of double precision'), (flink.truncate(-1.9::float8)::text, '-1', 'truncate of a negative one'),
	(flink.truncate(1.23456::float8, 2)::text, '1.23', 'truncate of double precision to places'),
	(flink.truncate(1.256::real, 2)::text, '1.25', 'truncate of real'), (flink.truncate(42, -1)::text, '40', 'truncate of an integer'),
	(flink.round(2.5)::text, '3', 'round of numeric'), (flink.round(-2.5)::text, '-3', 'round of negative numeric'),
	(flink.round(2.5::float8)::text, '3', 'round of double precision'), (flink.round(-2.5::float8)::text, '-3', 'round of a negative one'),
	(flink.round(42.345::float8, 2)::text, '42.35', 'round of double precision to places'),
	(flink.round(2.675::float8, 2)::text, '2.68', 'round goes by the digits shown'), (flink.round(1.005::float8, 2)::text, '1.01', 'round of a half in digits'),
	(flink.round(45, -1)::text, '50', 'round of an integer'), (flink.round(-45, -1)::text, '-50', 'round of a negative integer'),
	(pg_typeof(flink.round(45, -1))::text, 'integer', 'round of an integer is one'),
	(flink.log(8)::text, '2.0794415416798357', 'log is natural'), (flink.log(2, 8)::text, '3', 'log to a base'), (flink.log2(8)::text, '3', 'log2'),
	(flink.e()::text, '2.718281828459045', 'e'), (flink.bin(4), '100', 'bin'), (flink.bin(0), '0', 'bin of 0'),
	(flink.bin(-4), repeat('1', 62) || '00', 'bin of a negative number'), (flink.hex(20), '14', 'hex'), (flink.hex(-1), 'FFFFFFFFFFFFFFFF', 'hex of -1'),
	(flink.hex('hello,world'), '68656C6C6F2C776F726C64', 'hex of text'), (flink.hex('é'), 'C3A9', 'hex of UTF-8'),
	(flink.to_base64('hello world'), 'aGVsbG8gd29ybGQ=', 'to_base64'), (length(flink.to_base64(repeat('a', 100)))::text, '136', 'to_base64 has one line'),
	(flink.from_base64('aGVsbG8gd29ybGQ='), 'hello world', 'from_base64'),
	(flink.md5('abc'), '900150983cd24fb0d6963f7d28e17f72', 'md5'), (flink.sha1('abc'), 'a9993e364706816aba3e25717850c26c9cd0d89d', 'sha1'),
	(flink.sha224('abc'), '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7', 'sha224'),
	(flink.sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'sha256'),
	(flink.sha2('abc', 256), flink.sha256('abc'), 'sha2'), (left(flink.sha384('abc'), 16), 'cb00753f45a35e8b', 'sha384'),
	(left(flink.sha512('abc'), 16), 'ddaf35a193617aba', 'sha512')
) AS c(got, expected, label);

SELECT is(got, NULL, label)
FROM (VALUES
	(flink.substring(NULL, 0), 'substring of NULL'), (flink.substring('abc', NULL), 'substring from NULL'),
	(flink.substring(NULL, -9, 2), 'substring of NULL from the end'), (flink.substring('abc', 1, NULL), 'substring of NULL length'),
	(flink.lpad(NULL, 1, 'x'), 'lpad of NULL'), (flink.lpad('a', NULL, 'x'), 'lpad to NULL'), (flink.rpad('a', 1, NULL), 'rpad by NULL'),
	(flink.left('a', NULL), 'left of NULL length'), (flink.locate('a', 'abc', NULL)::text, 'locate from NULL'),
	(flink.locate(NULL, 'abc', 3)::text, 'locate NULL'), (flink.bin(NULL), 'bin of NULL'), (flink.sha2('a', NULL), 'sha2 of NULL bits')
) AS c(got, label);

SELECT is(array_agg(flink.rand_integer(1, 10)), '{5,8,7}', 'rand_integer of a seed') FROM generate_series(1, 3);
SELECT is(array_agg(flink.rand_integer(1, 16)), '{11,1,6}', 'rand_integer below a power of two') FROM generate_series(1, 3);
SELECT is(array_agg(flink.rand(1)), '{0.7308781907032909,0.41008081149220166,0.20771484130971707}', 'rand of a seed')
FROM generate_series(1, 3);
SELECT ok(bool_and(r BETWEEN 0 AND 2), 'rand_integer is below its bound')
FROM (SELECT flink.rand_integer(3) AS r FROM generate_series(1, 100)) AS v;
SELECT ok(flink.uuid() ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'uuid has the form of one');
SELECT throws_ok('SELECT flink.rand_integer(1, 0)', '22023', 'bound of rand_integer must be positive', 'a bound of nothing');

SELECT * FROM finish();
ROLLBACK;
