\i test/setup.psql
BEGIN;
\i test/csv.psql
SELECT plan(53);

CREATE TEMP TABLE pair (a text, b text);
CREATE TEMP TABLE single (a text);

-- The rows of a content in one line: [a][b] [a][b] …, where Ω stands for NULL.
CREATE FUNCTION pg_temp.pairs(content text, header boolean DEFAULT false, delimiter text DEFAULT ',')
RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('[%s][%s]', coalesce(a, 'Ω'), coalesce(b, 'Ω')), ' ')
	FROM pg_temp.write_file('pairs.csv', content) AS path,
		read_csv(NULL::pair, path, header, delimiter)
$$;

CREATE FUNCTION pg_temp.singles(content text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('[%s]', coalesce(a, 'Ω')), ' ')
	FROM pg_temp.write_file('singles.csv', content) AS path, read_csv(NULL::single, path)
$$;

SELECT is(pg_temp.pairs(content), expected, label)
FROM (VALUES
	(E'1,2\n3,4\n', '[1][2] [3][4]', 'each line is a row'),
	(E'1,2\n3,4', '[1][2] [3][4]', 'the last line needs no line end'),
	(E'1,2\r\n3,4\r\n', '[1][2] [3][4]', 'lines may end in CRLF'),
	(E'1,2\r\n3,4\n5,6\r\n', '[1][2] [3][4] [5][6]', 'LF and CRLF may be mixed'),
	(E'1,2\r\n3,4\r', '[1][2] [3][4]', 'a file may be cut inside its last CRLF'),
	('', NULL, 'an empty file has no rows'),
	(E',\n', '[Ω][Ω]', 'an empty field is NULL'),
	(',', '[Ω][Ω]', 'an empty last field is NULL without a line end'),
	(E'"",""\n', '[][]', 'an empty quoted field is the empty string'),
	('"",""', '[][]', 'an empty quoted field is one at the end of the file'),
	(E'"a,b","c"\n', '[a,b][c]', 'a quoted field may hold the delimiter'),
	(E'"say ""hi""",""""\n', '[say "hi"]["]', 'doubled quotes are one'),
	(E'"a\nb",c\nd,e\n', E'[a\nb][c] [d][e]', 'a quoted field may hold a newline'),
	(E'"a\r\nb\r",c\r\n', E'[a\r\nb\r][c]', 'line ends in quotes are kept as they are'),
	(E' a , b\t\n', E'[ a ][ b\t]', 'white space is data'),
	(E' ,\t\n', E'[ ][\t]', 'a blank field is not empty'),
	(E'" a "," "\n', '[ a ][ ]', 'white space in quotes is data'),
	(E'NULL,\\N\n', E'[NULL][\\N]', 'words for NULL are text'),
	(E'\\.,\\n\n', E'[\\.][\\n]', 'a backslash is a character'),
	(E'\n1,2\n\n\n3,4\n\n', '[1][2] [3][4]', 'blank lines are skipped where there are two columns'),
	(E'\r\n1,2\r\n\r\n3,4\r\n\r\n', '[1][2] [3][4]', 'blank lines may end in CRLF'),
	(E'\uFEFF1,2\n', '[1][2]', 'a byte order mark is skipped'),
	(E'\uFEFF"1",2\n', '[1][2]', 'a byte order mark may stand before a quote'),
	(E'\uFEFF', NULL, 'a byte order mark alone is an empty file'),
	(E'1,2\n\uFEFF3,4\n', E'[1][2] [\uFEFF3][4]', 'a byte order mark inside a file is data'),
	(E'é,日本\n', '[é][日本]', 'characters may take several bytes')
) AS c(content, expected, label);

SELECT is(pg_temp.singles(content), expected, label)
FROM (VALUES
	(E'a\n\nb\n', '[a] [Ω] [b]', 'a blank line is NULL where there is one column'),
	(E'a\r\n\r\nb\r\n', '[a] [Ω] [b]', 'a blank line in CRLF is one NULL'),
	(E'\n""\n', '[Ω] []', 'quotes tell the empty string from NULL'),
	(E'a\n\n', '[a] [Ω]', 'a blank line at the end counts')
) AS c(content, expected, label);

SELECT is(pg_temp.pairs(content, header => true), expected, label)
FROM (VALUES
	(E'x,y\n1,2\n', '[1][2]', 'header skips the first record'),
	(E'\nx\n1,2\n', '[1][2]', 'the header may have other fields, after blank lines'),
	(E'"x\ny",z\n1,2\n', '[1][2]', 'the header may span lines'),
	(E'x,y', NULL, 'a header alone has no rows')
) AS c(content, expected, label);

SELECT is(pg_temp.pairs(content, delimiter => delimiter), expected, label)
FROM (VALUES
	(E'1;2,3\n', ';', '[1][2,3]', 'fields may be separated by semicolons'),
	(E'1\t 2\n\t\n', E'\t', '[1][ 2] [Ω][Ω]', 'fields may be separated by tabs'),
	(E'1 2\n', ' ', '[1][2]', 'fields may be separated by blanks')
) AS c(content, delimiter, expected, label);

-- Types.
CREATE DOMAIN pg_temp.positive AS int CHECK (VALUE > 0);
CREATE TEMP TABLE typed (
	id bigint,
	gone int,
	price numeric(10,2),
	name varchar(11),
	ts timestamp(3) NOT NULL,
	ts_day date GENERATED ALWAYS AS (ts::date) STORED,
	tags text[] DEFAULT '{none}',
	n pg_temp.positive
);
ALTER TABLE typed DROP COLUMN gone;

SELECT results_eq(
	$$SELECT id, price, name, ts, ts_day, tags, n::int
	FROM read_csv(NULL::typed, pg_temp.write_file('typed.csv',
		E'7,1.005,"abc",2017-11-26 01:00:00.0006,"{a,""b c""}",3\n,,,,,\n'))$$,
	$$VALUES (bigint '7', numeric '1.01', varchar 'abc', timestamp '2017-11-26 01:00:00.001',
			NULL::date, '{a,b c}'::text[], 3),
		(NULL, NULL, NULL, NULL, NULL, NULL, NULL)$$,
	'fields are typed with modifiers; columns dropped or generated are not in the file');

INSERT INTO typed (id, price, name, ts, tags, n)
SELECT id, price, name, ts, tags, n
FROM read_csv(NULL::typed, pg_temp.file_path('typed.csv'))
WHERE id = 7;
SELECT is(ts_day, '2017-11-26', 'a generated column gets its value on insert') FROM typed;

CREATE TYPE pg_temp.point3 AS (x float8, y float8, z float8);
SELECT is(r::text, '(1,2.5,-3)', 'a composite type serves as a row type')
FROM read_csv(NULL::pg_temp.point3, pg_temp.write_file('point.csv', '1,2.5,-3')) AS r;
SELECT is((read_csv(ROW(0, 0, 0)::pg_temp.point3, pg_temp.file_path('point.csv'))).y, 2.5::float8,
	'the function works in the select list, whatever the value of rel');

CREATE TEMP TABLE nothing ();
SELECT is(count(*), 2::bigint, 'a blank line is a row of no columns')
FROM read_csv(NULL::nothing, pg_temp.write_file('nothing.csv', E'\n\n'));

-- Directories.
SELECT pg_temp.make_directory(name) FROM (VALUES ('dir/sub.csv'), ('empty')) AS c(name) \g /dev/null
SELECT pg_temp.write_file('dir/' || name, content)
FROM (VALUES
	('b.csv', E'h,h\n3,4\n'), ('a.csv', E'h,h\n2,3'), ('B.csv', E'h,h\n1,2\n'), ('.c', 'h')
) AS c(name, content) \g /dev/null
SELECT results_eq(
	format($$SELECT a FROM read_csv(NULL::pair, %L, header => true)$$, pg_temp.file_path(path)),
	expected, label)
FROM (VALUES
	('dir', ARRAY['1', '2', '3'], 'a directory is read in the byte order of names, each with a header'),
	('dir/', ARRAY['1', '2', '3'], 'a directory may be named with a slash'),
	('empty', ARRAY[]::text[], 'a directory without files has no rows')
) AS c(path, expected, label);
SELECT is(a, '3', 'a relative path starts at the data directory')
FROM read_csv(NULL::pair, 'apply_watermark_test/dir/b.csv', header => true);
SELECT results_eq(
	$$SELECT f.name, r.a
	FROM (VALUES ('b.csv'), ('a.csv'), ('b.csv')) AS f(name),
		read_csv(NULL::pair, pg_temp.file_path('dir/' || f.name), true) AS r$$,
	$$VALUES ('b.csv', '3'), ('a.csv', '2'), ('b.csv', '3')$$,
	'the path may come from a row');

-- Chunks have 64 kB: characters of two bytes, CRLF and quotes on and around the border.
SELECT is(array_agg(md5(a)), array_agg(md5(expected)), 'a quoted field may span chunks at any byte')
FROM generate_series(65520, 65540) AS length,
	LATERAL (SELECT repeat('x', length) || E'é\r\n"y') AS v(expected),
	pg_temp.write_file(length || '.csv', format(E'"%s"\r\n', replace(expected, '"', '""'))) AS path,
	read_csv(NULL::single, path);
SELECT is(array_agg(length(a)), array_agg(expected), 'a CRLF may span chunks at any byte')
FROM generate_series(65520, 65540) AS length,
	pg_temp.write_file(length || '.csv', repeat('x', length) || E'é\r\nzz\r\n') AS path,
	LATERAL (SELECT row_number() OVER () AS n, a FROM read_csv(NULL::single, path)) AS r
	CROSS JOIN LATERAL (SELECT CASE n WHEN 1 THEN length + 1 ELSE 2 END) AS e(expected);
SELECT is(md5(a), md5(v), 'a field may be longer than many chunks')
FROM (SELECT string_agg(i::text, E'\n') FROM generate_series(1, 300000) AS i) AS c(v),
	read_csv(NULL::single, pg_temp.write_file('long.csv', format('"%s"', v)));

-- What COPY writes is read back.
CREATE TEMP TABLE mixed AS
SELECT i AS id, i / 7.0 AS ratio,
	CASE i % 5
		WHEN 0 THEN NULL
		WHEN 1 THEN ''
		WHEN 2 THEN E'a "b",\r\n' || i
		WHEN 3 THEN repeat('é', i % 500)
		ELSE ' x '
	END AS name,
	timestamp '2024-01-01' + i * interval '7.5 second' AS ts
FROM generate_series(1, 20000) AS i;
DO $$ BEGIN
	EXECUTE format('COPY mixed TO %L (FORMAT csv, HEADER)', pg_temp.file_path('mixed.csv'));
	EXECUTE format('COPY (SELECT i, repeat(''x'', 100) FROM generate_series(1, 200000) AS i) TO %L CSV',
		pg_temp.file_path('big.csv'));
END $$;
SELECT is_empty(
	$$(TABLE mixed EXCEPT ALL SELECT * FROM read_csv(NULL::mixed, pg_temp.file_path('mixed.csv'), true))
	UNION ALL (SELECT * FROM read_csv(NULL::mixed, pg_temp.file_path('mixed.csv'), true) EXCEPT ALL TABLE mixed)$$,
	'what COPY wrote is read as it was');

-- Memory is probed at the first and at the last row, by the check of a domain.
CREATE FUNCTION pg_temp.probe(id int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	IF id IN (1000, 200000) THEN
		PERFORM set_config('test.memory_' || id, sum(total_bytes)::text, true)
		FROM pg_backend_memory_contexts;
	END IF;
	RETURN true;
END
$$;
CREATE DOMAIN pg_temp.probed AS int CHECK (pg_temp.probe(VALUE));
CREATE TEMP TABLE big (id pg_temp.probed, filler text);
SET LOCAL work_mem = '64kB';
SELECT is(sum(length(filler)), 20000000::bigint, 'rows beyond work_mem are all there')
FROM read_csv(NULL::big, pg_temp.file_path('big.csv'));
SELECT cmp_ok(
	current_setting('test.memory_200000')::bigint - current_setting('test.memory_1000')::bigint,
	'<', 1000000::bigint, 'memory does not grow with the file');

SELECT pg_temp.remove_files() \g /dev/null
SELECT * FROM finish();
ROLLBACK;
