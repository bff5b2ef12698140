-- JSON by paths; the results are those that Flink 2.3 gave, unless a comment says otherwise.
\i test/setup.psql
BEGIN;
SELECT plan(60);

SELECT is(flink.json_value(value, path), expected, format('json_value of %s at %s', value, path))
FROM (VALUES
	('{"a":1}', '$.a', '1'), ('{"a":"x"}', '$.a', 'x'), ('{"a":true}', '$.a', 'true'), ('{"a":null}', '$.a', NULL), ('{"a":1.50}', '$.a', '1.50'),
	('{"a":{"b":1}}', '$.a', NULL), ('{"a":[1]}', '$.a', NULL), ('{"a":{"b":1}}', '$.a.b', '1'), ('{"a":[1,2]}', '$.a[1]', '2'),
	('{"a":1}', '$.b', NULL), ('{"a":1}', 'lax $.b', NULL), ('{"a":1}', 'lax $.a', '1'), ('{"a":1}', 'strict $.b', NULL), ('{"a":1}', 'strict $.a', '1'),
	('not json', '$.a', NULL), ('{"a":1', '$.a', NULL), ('', '$.a', NULL), (NULL, '$.a', NULL),
	('{"a b":1}', '$["a b"]', '1'), ('{"a b":1}', '$[''a b'']', '1'), ('{"a":[{"b":5}]}', '$.a[0].b', '5'), ('{"a":[{"b":5}]}', '$.a[0][''b'']', '5'),
	('{"a":[{"b":5},{"b":6}]}', '$.a[*].b', NULL), ('{"a":[{"b":5},{"b":6}]}', '$..b', NULL), ('{"a":[5,6]}', '$.a[-1]', '6'),
	('[1,2]', '$[0]', '1'), ('5', '$', '5'), ('"x"', '$', 'x'), ('{"a":"caf\u00e9"}', '$.a', 'café'),
	('{"a":12345678901234567890.123456789}', '$.a', '12345678901234567890.123456789'), ('{"a":-0}', '$.a', '0'),
	('{"a":[{"b":1}]}', '$.a.b', NULL),
	-- Flink gave 1E+5.
	('{"a":1e5}', '$.a', '100000')
) AS c(value, path, expected);

SELECT is(flink.json_query(value, path), expected, format('json_query of %s at %s', value, path))
FROM (VALUES
	('{"a":{"b":1}}', '$.a', '{"b":1}'), ('{"a":[1, 2]}', '$.a', '[1,2]'), ('{"a":1}', '$.a', NULL), ('{"a":1}', '$.b', NULL),
	('{"a":{"z":1,"b" : "x y\" z"}}', '$.a', '{"b":"x y\" z","z":1}'), ('{"a":"x"}', '$.a', NULL), ('not json', '$.a', NULL),
	('{"a":[{"b":5},{"b":6}]}', '$.a[*].b', '[5,6]'), ('{"a":[]}', '$.a', '[]')
) AS c(value, path, expected);

SELECT is(flink.json_exists(value, path), expected, format('json_exists of %s at %s', value, path))
FROM (VALUES
	('{"a":1}', '$.a', true), ('{"a":1}', '$.b', false), ('{"a":null}', '$.a', false), ('{"a":1}', 'strict $.b', false),
	('not json', '$.a', false), (NULL, '$.a', NULL), ('{"a":[]}', '$.a', true), ('{"a":"x y"}', '$.a', true)
) AS c(value, path, expected);

SELECT is(got, expected, label)
FROM (VALUES
	(flink.is_json('1'), true, 'a number is JSON'), (flink.is_json('abc'), false, 'a word is not'), (flink.is_json(''), false, 'nothing is not'),
	(flink.is_json(NULL), false, 'NULL is not'), (flink.is_json('{"a":1}', 'OBJECT'), true, 'an object'), (flink.is_json('[1]', 'ARRAY'), true, 'an array'),
	(flink.is_json('1', 'SCALAR'), true, 'a scalar'), (flink.is_json('[1]', 'OBJECT'), false, 'an array is no object'),
	(flink.is_json('x', 'SCALAR'), false, 'a word is no scalar')
) AS c(got, expected, label);

SELECT is(flink.json_quote('a"b'), '"a\"b"', 'json_quote');

SELECT * FROM finish();
ROLLBACK;
