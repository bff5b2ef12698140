\i test/setup.psql
BEGIN;
\i test/csv.psql
SELECT plan(47);

CREATE DOMAIN pg_temp.code AS text NOT NULL;
CREATE DOMAIN pg_temp.positive AS int CONSTRAINT is_positive CHECK (VALUE > 0);
CREATE TEMP TABLE item (item_id bigint, behavior varchar(4));
CREATE TEMP TABLE checked (code pg_temp.code, n pg_temp.positive);
CREATE TEMP TABLE single (a text);

-- "SQLSTATE message | detail | context" of reading a content, or of the file of
-- that name; paths are shown below the test's directory, a.csv not at all.
CREATE FUNCTION pg_temp.failure(rel anyelement, content bytea, name text DEFAULT 'a.csv',
	header boolean DEFAULT false)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
	context text;
BEGIN
	IF content IS NOT NULL THEN
		PERFORM pg_temp.write_bytes(name, content);
	END IF;
	PERFORM read_csv(rel, pg_temp.file_path(name), header);
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, context = PG_EXCEPTION_CONTEXT;
	RETURN replace(replace(concat_ws(' | ', state || ' ' || message, nullif(detail, ''),
			substring(context FROM '^file.*?(?=\nSQL statement|\nPL/pgSQL)')),
		pg_temp.file_path(''), '/'), 'file "/a.csv", ', '');
END
$$;

CREATE FUNCTION pg_temp.failure(rel anyelement, content text) RETURNS text
LANGUAGE sql AS $$
	SELECT pg_temp.failure(rel, convert_to(content, getdatabaseencoding()))
$$;

-- Values.
SELECT is(pg_temp.failure(NULL::item, content), expected, label)
FROM (VALUES
	(E'1,a\n2,b\nx,c\n',
		'22P02 invalid input syntax for type bigint: "x" | line 3, column "item_id": "x"',
		'a bad value is reported with file, line, column and value'),
	(E'1, a   \n2,abcde\n',
		'22001 value too long for type character varying(4) | line 2, column "behavior": "abcde"',
		'type modifiers hold'),
	(E'"",a\n',
		'22P02 invalid input syntax for type bigint: "" | line 1, column "item_id": ""',
		'a quoted empty field is no number'),
	('1,"' || repeat('é', 60) || '"',
		'22001 value too long for type character varying(4) | line 1, column "behavior": "'
			|| repeat('é', 50) || '..."',
		'a long value is cut between characters'),
	(E'1,"a\nb"\r\n\r\n\n"x",c',
		'22P02 invalid input syntax for type bigint: "x" | line 5, column "item_id": "x"',
		'lines in quotes and blank lines are counted'),
	(E'1,a\n2,"b\n\nbbb"\n',
		E'22001 value too long for type character varying(4) | line 2, column "behavior": "b\n\nbbb"',
		'the line is the one on which the record starts'),
	(E'\uFEFFx,a\n',
		'22P02 invalid input syntax for type bigint: "x" | line 1, column "item_id": "x"',
		'the byte order mark is not part of the value')
) AS c(content, expected, label);

SELECT is(pg_temp.failure(NULL::checked, content), expected, label)
FROM (VALUES
	(E'a,1\n,2\n',
		'23502 domain code does not allow null values | line 2, column "code": null input',
		'a domain refuses NULL'),
	(E'a,\nb,0\n',
		'23514 value for domain positive violates check constraint "is_positive" | line 2, column "n": "0"',
		'the check of a domain is enforced')
) AS c(content, expected, label);

-- Records.
SELECT is(pg_temp.failure(NULL::item, content), expected, label)
FROM (VALUES
	(E'1,a\n2\n',
		'22P04 missing data for column "behavior" | The row type takes 2 fields, the record has 1. | line 2',
		'a record has a field for each column'),
	(E'1,a,\n',
		'22P04 extra data after last expected column | The row type takes 2 fields, the record has 3. | line 1',
		'a record has no more fields than columns'),
	(E'1,a\n2,b"c"\n',
		'22P04 quote inside an unquoted CSV field | It is in field 2 of the record. | line 2',
		'a quote inside an unquoted field is an error'),
	(E'1, "a"\n',
		'22P04 quote inside an unquoted CSV field | It is in field 2 of the record. | line 1',
		'a quote after a blank is an error'),
	(E'1,"a" \n',
		'22P04 data after the closing quote of a CSV field | It is in field 2 of the record. | line 1',
		'a blank after a quote is an error'),
	(E'1,a\n"2"x,b\n',
		'22P04 data after the closing quote of a CSV field | It is in field 1 of the record. | line 2',
		'a character after a closing quote is an error'),
	(E'1,a\n2,"b\n3,c\n',
		'22P04 unterminated CSV quoted field | Field 2 of the record is still open at the end of the file. | line 2',
		'a quote that is not closed is an error where its record starts'),
	(E'1,"',
		'22P04 unterminated CSV quoted field | Field 2 of the record is still open at the end of the file. | line 1',
		'a quote as the last byte is not closed'),
	(E'1,a\n2,b\r3,c\n',
		'22P04 unquoted carriage return found in data | line 2',
		'a carriage return alone is no line end'),
	(E'1,a\r\r\n',
		'22P04 unquoted carriage return found in data | line 1',
		'two carriage returns are one too many'),
	(E'1,a\r2,b',
		'22P04 unquoted carriage return found in data | line 1',
		'a carriage return alone is no line end in the last line')
) AS c(content, expected, label);

-- Bytes.  The test database has the encoding UTF8.
SELECT is(pg_temp.failure(NULL::single, content), expected, label)
FROM (VALUES
	(convert_to(E'a\nb', 'UTF8') || '\xC3280A',
		'22021 invalid byte sequence for encoding "UTF8": 0xc3 0x28 | line 2',
		'invalid bytes are an error'),
	('\x610A620A00'::bytea,
		'22021 invalid byte sequence for encoding "UTF8": 0x00 | line 3',
		'a NUL byte is an error'),
	('\x610AE697'::bytea,
		'22021 invalid byte sequence for encoding "UTF8": 0xe6 0x97 | line 2',
		'a character cut by the end of the file is an error'),
	(convert_to(repeat('x', 65535), 'UTF8') || '\xE6970A',
		'22021 invalid byte sequence for encoding "UTF8": 0xe6 0x97 0x0a | line 1',
		'invalid bytes on the border of chunks are an error'),
	('\xFFFE61000A00'::bytea,
		'22021 invalid byte sequence for encoding "UTF8": 0xff | line 1',
		'UTF-16 is an error')
) AS c(content, expected, label);

-- Lines are counted over chunks, and a CRLF cut by the border is one line end.
SELECT is(
	pg_temp.failure(NULL::item, repeat(E'1,a\n', 16382) || repeat('2', c) || E',a\r\nx,b\n'),
	'22P02 invalid input syntax for type bigint: "x" | line 16384, column "item_id": "x"',
	'the line is right where the chunk ends near CRLF, ' || c)
FROM generate_series(3, 8) AS c;

-- Files.
SELECT pg_temp.make_directory('d') \g /dev/null
SELECT pg_temp.write_file('d/1.csv', E'h\n1,a\n'), pg_temp.write_file('d/2.csv', E'h\nx,b\n') \g /dev/null
SELECT is(pg_temp.failure(NULL::item, NULL, 'd', true),
	'22P02 invalid input syntax for type bigint: "x" | file "/d/2.csv", line 2, column "item_id": "x"',
	'an error in a directory names the file');
SELECT is(pg_temp.failure(NULL::item, NULL, 'none.csv'),
	'58P01 could not open file "/none.csv" for reading: No such file or directory',
	'a missing file is an error');
SELECT pg_temp.run_program(format('chmod 0 "%s"', pg_temp.file_path('d/1.csv'))) \g /dev/null
SELECT is(pg_temp.failure(NULL::item, NULL, 'd'),
	'42501 could not open file "/d/1.csv" for reading: Permission denied',
	'a file that the server may not read is an error');
SELECT throws_ok($$SELECT * FROM read_csv(NULL::item, '')$$,
	'58P01', 'could not open file "" for reading: No such file or directory', 'an empty path is an error');

-- Arguments.
SELECT throws_ok(format($$SELECT * FROM read_csv(%s)$$, arguments), state, message, label)
FROM (VALUES
	($$NULL::item, NULL$$, '22004', 'argument "path" of read_csv must not be null', 'the path is needed'),
	($$NULL::item, 'f', NULL$$, '22004', 'argument "header" of read_csv must not be null', 'header is a truth value'),
	($$NULL::item, 'f', false, NULL$$, '22004', 'argument "delimiter" of read_csv must not be null', 'the delimiter is needed'),
	($$NULL::item, 'f', delimiter => ''$$, '22023', 'delimiter "" is not a single one-byte character',
		'the delimiter is not empty'),
	($$NULL::item, 'f', delimiter => '||'$$, '22023', 'delimiter "||" is not a single one-byte character',
		'the delimiter is one character'),
	($$NULL::item, 'f', delimiter => '→'$$, '22023', 'delimiter "→" is not a single one-byte character',
		'the delimiter is one byte'),
	($$NULL::item, 'f', delimiter => '"'$$, '22023',
		'delimiter cannot be a double quote, a newline or a carriage return', 'the delimiter is not the quote'),
	($$NULL::item, 'f', delimiter => E'\n'$$, '22023',
		'delimiter cannot be a double quote, a newline or a carriage return', 'the delimiter is not a line end'),
	($$1, 'f'$$, '42804', 'argument "rel" of read_csv is of type integer, not of a table''s row type',
		'rel is not a scalar'),
	($$ROW(1, 2), 'f') AS (a int, b int$$, '42804',
		'argument "rel" of read_csv is of type record, not of a table''s row type', 'rel is not an anonymous row')
) AS c(arguments, state, message, label);

-- Privileges.
CREATE ROLE apply_watermark_test_reader;
GRANT ALL ON item TO apply_watermark_test_reader;
SELECT set_config('test.path', pg_temp.write_file('a.csv', '1,a'), true) \g /dev/null
SET LOCAL ROLE apply_watermark_test_reader;
SELECT throws_ok($$SELECT * FROM read_csv(NULL::item, '/f')$$,
	'42501', 'permission denied to read file "/f"', 'files need privileges, whether they exist or not');
RESET ROLE;
GRANT pg_read_server_files TO apply_watermark_test_reader;
SET LOCAL ROLE apply_watermark_test_reader;
SELECT results_eq($$SELECT item_id FROM read_csv(NULL::item, current_setting('test.path'))$$,
	$$VALUES (1::bigint)$$, 'the role pg_read_server_files may read');
RESET ROLE;

SELECT pg_temp.remove_files() \g /dev/null
SELECT * FROM finish();
ROLLBACK;
