-- print and blackhole: tables that show their rows, or nothing, and store none.  The notices are
-- part of the expected output; that they are Flink's text was seen in Flink 2.3.0.
\i test/setup.psql
BEGIN;
SELECT plan(10);
SET client_min_messages = notice;
SET timezone = 'Asia/Kolkata';
SET datestyle = 'German';
SET extra_float_digits = 0;

CREATE TYPE point_row AS (x int);
CREATE TYPE pair AS (a int, s text, p point_row);
CREATE DOMAIN short AS text CHECK (length(value) < 9);

\echo # values of every type
CREATE TABLE sink (b boolean, i int, s text, c char(5), gone int, t timestamp(3), l timestamptz(3), d date, m time,
				   r pair, a int[], j jsonb, y bytea, h short, n interval, g int GENERATED ALWAYS AS (i + 1) STORED);
ALTER TABLE sink DROP COLUMN gone;
CREATE TRIGGER print BEFORE INSERT ON sink FOR EACH ROW EXECUTE FUNCTION flink.print_row('id');
INSERT INTO sink VALUES
	(true, 1, 'a b', 'ab', '2021-04-15 14:00', '2021-04-15 14:00Z', '2021-04-15', '14:00', (1, 'x', row(2)), '{1,2,NULL}', '{"a": 1}',
	 '\x0fff', 'word', '1 day'),
	(false, -2147483648, '', 'null', '2021-04-15 14:00:10', '2021-04-15 14:00:10Z', '9999-12-31', '14:00:09', (NULL, '', NULL), '{}',
	 '{"a": null, "b": [true, {}, "x"]}', '', 'ü', '0'),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

\echo # fractions, other eras and infinity
CREATE TABLE times (t timestamp, l timestamptz, d date, m time);
CREATE TRIGGER print BEFORE INSERT ON times FOR EACH ROW EXECUTE FUNCTION flink.print_row();
INSERT INTO times VALUES
	('2021-04-15 14:00:00.1', '2021-04-15 14:00:00.1Z', '0021-04-15', '14:00:00.1'),
	('1899-04-15 14:00:00.000001', '1899-04-15 14:00:00.000001Z', '0001-01-01 BC', '00:00'),
	('12021-04-15 23:59:59.999', '12021-04-15 23:59:59.999Z', '0002-01-01 BC', '24:00'),
	('infinity', '-infinity', 'infinity', '23:59:59.999999');

\echo # numbers
CREATE TABLE numbers (d double precision, f real, n numeric);
CREATE TRIGGER print BEFORE INSERT ON numbers FOR EACH ROW EXECUTE FUNCTION flink.print_row('');
INSERT INTO numbers VALUES
	(1, 1, 1), (0, '-0', 0.00), (100, 100, 100.0), (9999999, 9999999, 0.000001), (12345678, 12345678, 0.0000001), (0.001, 0.001, -0.0000012),
	(0.00099, 0.00099, 0.00000000), (123456.789, 123456.789, 123456.00000001), (1e100, 'infinity', '1e20'), (-1.5, 'nan', 'nan');

\echo # metadata that is not written
CREATE TABLE read (a int, m text DEFAULT flink.metadata('topic', NULL::text), v varchar(5) DEFAULT flink.metadata(NULL, NULL::varchar), b int DEFAULT 2);
CREATE TRIGGER print BEFORE INSERT ON read FOR EACH ROW EXECUTE FUNCTION flink.print_row('');
INSERT INTO read (a) VALUES (1);

\echo # what is not stored
CREATE TABLE nothing (id int PRIMARY KEY);
CREATE TRIGGER discard BEFORE INSERT ON nothing FOR EACH ROW EXECUTE FUNCTION flink.discard_row();
INSERT INTO nothing SELECT i % 2 FROM generate_series(1, 10) AS i;
SELECT is((SELECT count(*) FROM sink), 0::bigint, 'print stores nothing');
SELECT is((SELECT count(*) FROM nothing), 0::bigint, 'blackhole stores nothing, and checks no key');
SET client_min_messages = warning;
INSERT INTO sink (i) VALUES (1);

\echo # triggers of another kind
CREATE TABLE plain (id int);
CREATE FUNCTION pg_temp.wrong(trigger_text text, statement text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'CREATE TRIGGER t ' || trigger_text;
	RETURN NEXT throws_ok(statement, '39P01', NULL, trigger_text);
	DROP TRIGGER t ON plain;
END $$;
SELECT pg_temp.wrong(format('%s EXECUTE FUNCTION flink.%s()', kind, function), statement)
FROM (VALUES
	('AFTER INSERT ON plain FOR EACH ROW', 'INSERT INTO plain VALUES (1)'),
	('BEFORE INSERT ON plain', 'INSERT INTO plain VALUES (1)'),
	('BEFORE TRUNCATE ON plain', 'TRUNCATE plain')
) AS c(kind, statement), (VALUES ('print_row'), ('discard_row')) AS f(function);
SELECT pg_temp.wrong('BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION flink.print_row(1, 2)', 'INSERT INTO plain VALUES (1)');
SELECT throws_ok('SELECT flink.print_row()', '39P01', NULL, 'a trigger function is not called');

SELECT * FROM finish();
ROLLBACK;
