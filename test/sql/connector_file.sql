-- flink.filesystem(): CSV files as Flink's connector "filesystem" finds and reads them.
\i test/setup.psql
BEGIN;
\i test/csv.psql
SELECT plan(33);

-- Runs a script that has {path} for the path of a file below the test's directory.
CREATE FUNCTION pg_temp.run(source text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	CALL flink_execute(replace(source, '{path}', 'file://' || pg_temp.file_path('')));
END
$$;

-- All rows of a table in one line: [a][b] [a][b] …, where Ω stands for NULL.
CREATE FUNCTION pg_temp.rows_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT string_agg(translate(to_jsonb(q)::text, ''{}"'', ''''), '' '') FROM (%s) AS q', rtrim(flink_sql(query), E';\n')) INTO result;
	RETURN result;
EXCEPTION WHEN data_exception OR bad_copy_file_format THEN
	RETURN SQLERRM;
END
$$;

-- Which files are read
SELECT pg_temp.make_directory('tree/sub/deep'), pg_temp.make_directory('tree/_sub'), pg_temp.make_directory('tree/.sub'), pg_temp.make_directory('empty') \g /dev/null
SELECT pg_temp.write_file('tree/' || name, content)
FROM (VALUES
	('b.csv', E'1,a\n'), ('a', E'2,b\n3,c\n'), ('_c.csv', E'90,x\n'), ('.d.csv', E'91,x\n'),
	('sub/e.csv', E'4,d\n'), ('sub/deep/f.csv', E'5,e\n'), ('sub/deep/_SUCCESS', ''), ('_sub/g.csv', E'92,x\n'), ('.sub/h.csv', E'93,x\n')
) AS c(name, content) \g /dev/null
SELECT pg_temp.run($$
	CREATE TABLE tree (a INT, s STRING) WITH ('connector' = 'filesystem', 'path' = '{path}tree', 'format' = 'csv');
	CREATE TABLE leaf (a INT, s STRING) WITH ('connector' = 'filesystem', 'path' = '{path}tree/_c.csv', 'format' = 'csv');
	CREATE TABLE nothing (a INT, s STRING) WITH ('connector' = 'filesystem', 'path' = '{path}empty/', 'format' = 'csv');
$$) \g /dev/null
SELECT is(pg_temp.rows_of('SELECT a, s FROM tree'), 'a: 2, s: b a: 3, s: c a: 1, s: a a: 5, s: e a: 4, s: d',
		  'sub-directories are read, in the order of paths, and hidden files are not');
SELECT is(pg_temp.rows_of('SELECT a FROM leaf'), 'a: 90', 'a file that is named is read, whatever its name');
SELECT is(pg_temp.rows_of('SELECT a FROM nothing'), NULL, 'an empty directory has no rows');

-- What is NULL
SELECT pg_temp.write_file(name, content)
FROM (VALUES
	('text.csv', E'a,\n"",""\nNULL,"NULL"\n'), ('number.csv', E'1,\n'), ('blank.csv', E'a\n\nb\n'), ('space.csv', E' 1 , TRUE \n')
) AS c(name, content) \g /dev/null
SELECT pg_temp.run($$
	CREATE TABLE texts (a STRING, b STRING) WITH ('connector' = 'filesystem', 'path' = '{path}text.csv', 'format' = 'csv');
	CREATE TABLE empty_is_null (a STRING, b STRING) WITH ('connector' = 'filesystem', 'path' = '{path}text.csv', 'format' = 'csv', 'csv.null-literal' = '');
	CREATE TABLE word_is_null (a STRING, b STRING) WITH ('connector' = 'filesystem', 'path' = '{path}text.csv', 'format' = 'csv', 'csv.null-literal' = 'NULL');
	CREATE TABLE numbers (a STRING, b INT) WITH ('connector' = 'filesystem', 'path' = '{path}number.csv', 'format' = 'csv');
	CREATE TABLE no_number (a STRING, b INT) WITH ('connector' = 'filesystem', 'path' = '{path}number.csv', 'format' = 'csv', 'csv.null-literal' = '');
	CREATE TABLE blank (a STRING) WITH ('connector' = 'filesystem', 'path' = '{path}blank.csv', 'format' = 'csv');
	CREATE TABLE spaces (a INT, b BOOLEAN) WITH ('connector' = 'filesystem', 'path' = '{path}space.csv', 'format' = 'csv');
$$) \g /dev/null
SELECT is(pg_temp.rows_of('SELECT * FROM ' || name), expected, label)
FROM (VALUES
	('texts', 'a: a, b:  a: , b:  a: NULL, b: NULL', 'an empty field is an empty text'),
	('empty_is_null', 'a: a, b: null a: null, b: null a: NULL, b: NULL', 'unless csv.null-literal is empty, with quotes and without'),
	('word_is_null', 'a: a, b:  a: , b:  a: null, b: null', 'or it is a word'),
	('numbers', 'invalid input syntax for type integer: ""', 'and no number'),
	('no_number', 'a: 1, b: null', 'which it can be made NULL for'),
	('blank', 'a: a a:  a: b', 'a blank line is an empty text where there is one column'),
	('spaces', 'a: 1, b: true', 'blanks around numbers and booleans do not count')
) AS c(name, expected, label);

-- What is known of files
SELECT pg_temp.run($$
	CREATE TABLE told (a INT, `file.name` STRING NOT NULL METADATA, s STRING, size_of BIGINT METADATA FROM 'file.size' VIRTUAL,
		folder AS REGEXP_EXTRACT(p, '(tree/.*)/', 1), p STRING METADATA FROM 'file.path')
	WITH ('connector' = 'filesystem', 'path' = '{path}tree/sub/', 'format' = 'csv');
	CREATE TABLE aged (a INT, s STRING, m TIMESTAMP_LTZ(3) METADATA FROM 'file.modification-time', n TIMESTAMP(3) METADATA FROM 'file.modification-time')
	WITH ('connector' = 'filesystem', 'path' = '{path}aged.csv', 'format' = 'csv');
	CREATE TABLE misread (a INT, s STRING, m INT METADATA FROM 'file.name') WITH ('connector' = 'filesystem', 'path' = '{path}tree', 'format' = 'csv');
$$) \g /dev/null
SELECT is(pg_temp.rows_of('SELECT a, s, `file.name` AS n, size_of FROM told'), 'a: 5, n: f.csv, s: e, size_of: 4 a: 4, n: e.csv, s: d, size_of: 4', 'a column may tell the file''s name and size');
SELECT is(pg_temp.rows_of('SELECT folder FROM told'), 'folder: tree/sub/deep folder: tree/sub', 'others are computed from its path');
SELECT is((SELECT string_agg(p, ' ') FROM told), pg_temp.file_path('tree/sub/deep/f.csv') || ' ' || pg_temp.file_path('tree/sub/e.csv'), 'which has no scheme');
SELECT pg_temp.write_file('aged.csv', E'1,a\n'), pg_temp.run_program(format('TZ=UTC touch -t 202402291020.30 "%s"', pg_temp.file_path('aged.csv'))) \g /dev/null
SET timezone = 'Asia/Kolkata';
SET datestyle = 'German';
SELECT is((SELECT m = timestamptz '2024-02-29 10:20:30+00' FROM aged), true, 'it may tell when the file was changed');
SELECT is((SELECT n = timestamp '2024-02-29 15:50:30' FROM aged), true, 'in the zone of the session');
SET datestyle = 'ISO, YMD';
SET timezone = 'UTC';
SELECT is(pg_temp.rows_of('SELECT m FROM misread'), 'invalid input syntax for type integer: "a"', 'a type that cannot hold it is an error');
SELECT is((SELECT string_agg(concat_ws(' ', name, extras), ', ') FROM describe('told')),
		  'a, file.name METADATA VIRTUAL, s, size_of METADATA FROM ''file.size'' VIRTUAL, folder AS REGEXP_EXTRACT(`p`, ''(tree/.*)/'', 1), p METADATA FROM ''file.path'' VIRTUAL',
		  'describe() shows such columns');
SELECT matches(flink.show_create_table('told'), '`file.name` STRING NOT NULL METADATA VIRTUAL,\s+`s` STRING,\s+`size_of` BIGINT METADATA FROM ''file.size'' VIRTUAL,', 'SHOW CREATE does');
DO $$ DECLARE ddl text := flink.show_create_table('told');
BEGIN CALL flink_execute('DROP TABLE told; ' || ddl); END $$;
SELECT is(pg_temp.rows_of('SELECT a, size_of FROM told'), 'a: 5, size_of: 4 a: 4, size_of: 4', 'and what it shows makes the same table');

-- What is refused
SELECT throws_ok(format('SELECT flink_sql(%L)', 'CREATE TABLE t (a INT, s STRING' || source || ', ''path'' = ''/srv'', ''format'' = ''csv'')'), '0A000', message || ' of Flink SQL is not supported', message)
FROM (VALUES
	(') PARTITIONED BY (s) WITH (''connector'' = ''filesystem''', 'PARTITIONED BY of connector "filesystem"'),
	(', t STRING METADATA FROM ''topic'') WITH (''connector'' = ''filesystem''', 'metadata ''topic'' of connector "filesystem"'),
	(', t STRING METADATA) WITH (''connector'' = ''filesystem''', 'metadata ''t'' of connector "filesystem"'),
	(') WITH (''csv.allow-comments'' = ''true'', ''connector'' = ''filesystem''', 'option ''csv.allow-comments'''),
	(', t STRING METADATA) WITH (''connector'' = ''datagen''', 'METADATA of connector "datagen"')
) AS c(source, message);
SELECT throws_ok('SELECT * FROM flink.filesystem(' || arguments || ')', state, message, message)
FROM (VALUES
	('NULL::pg_class, NULL', '22004', 'argument "path" of filesystem must not be null'),
	('NULL::pg_class, ''x'', NULL', '22004', 'argument "delimiter" of filesystem must not be null'),
	('NULL::pg_class, ''x'', metadata => NULL', '22004', 'argument "metadata" of filesystem must not be null'),
	('NULL::pg_class, ''x'', '',,''', '22023', 'delimiter ",," is not a single one-byte character'),
	('NULL::pg_class, ''x'', metadata => ''{a}''', '22023', 'metadata are columns and their keys, in turn'),
	('NULL::pg_class, ''x'', metadata => ''{a,NULL}''', '22023', 'metadata are columns and their keys, in turn'),
	('NULL::pg_class, ''x'', metadata => ''{a,b}''', '22023', 'connector "filesystem" has no metadata "b"'),
	('1, ''x''', '42804', 'argument "rel" of filesystem is of type integer, not of a table''s row type')
) AS c(arguments, state, message);

CREATE ROLE apply_watermark_test_file_reader;
GRANT USAGE ON SCHEMA flink TO apply_watermark_test_file_reader;
SET LOCAL ROLE apply_watermark_test_file_reader;
SELECT throws_ok('SELECT * FROM flink.filesystem(NULL::pg_class, ''/etc'')', '42501', 'permission denied to read file "/etc"', 'reading files needs the role for it');
RESET ROLE;

SELECT pg_temp.remove_files() \g /dev/null
SELECT * FROM finish();
ROLLBACK;
