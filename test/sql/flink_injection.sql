-- Texts and names of Flink SQL that try to end what they stand in: each comes through as it is, and
-- nothing but the one statement runs.
\i test/setup.psql
BEGIN;
SELECT plan(103);
SET client_min_messages = error;
CREATE TABLE victim (id int);
INSERT INTO victim VALUES (1);

CREATE TABLE nasty (id serial, word text);
INSERT INTO nasty (word) VALUES
	('''; DROP TABLE victim; --'), ('"; DROP TABLE victim; --'), ('`; DROP TABLE victim; --'), ('$$; DROP TABLE victim; $$'), ('$a$; DROP TABLE victim; $a$'),
	('\''; DROP TABLE victim; --'), ('\'), ('\\'''), ('*/; DROP TABLE victim; /*'), (E'\n; DROP TABLE victim;\n'), ('--'), ('''''"""'), ('%s%I%L'),
	('$1'), (':victim'), ('U&''\0027'''), ('); DROP TABLE victim; --'), (''', ''x''); DROP TABLE victim; --'), ('ünï ''; 日本');

-- As Flink writes them
CREATE FUNCTION pg_temp.flink_literal(word text) RETURNS text
LANGUAGE sql AS $$ SELECT '''' || replace(word, '''', '''''') || '''' $$;
CREATE FUNCTION pg_temp.flink_name(word text) RETURNS text
LANGUAGE sql AS $$ SELECT '`' || replace(word, '`', '``') || '`' $$;
CREATE FUNCTION pg_temp.run(source text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	EXECUTE flink_sql(source) INTO answer;
	RETURN answer;
END $$;
CREATE FUNCTION pg_temp.run_all(source text) RETURNS void
LANGUAGE plpgsql AS $$ BEGIN EXECUTE flink_sql(source); END $$;

SELECT is(pg_temp.run('SELECT ' || pg_temp.flink_literal(word)), word, 'as a text: ' || quote_literal(word)) FROM nasty ORDER BY id;
SELECT is(pg_temp.run(format('SELECT x.%1$s FROM (SELECT 7 AS %1$s) AS x', pg_temp.flink_name(word))), '7', 'as a name: ' || quote_literal(word)) FROM nasty ORDER BY id;
SELECT is(pg_temp.run(format('SELECT 7 /* %s */ -- %s', replace(word, '*/', ''), translate(word, E'\n', ' '))), '7', 'in a comment: ' || quote_literal(word)) FROM nasty ORDER BY id;

-- A table with the word in every place
SELECT pg_temp.run_all(format('CREATE TABLE %1$s (%1$s INT COMMENT %2$s, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL ''1'' SECOND)'
							  ' COMMENT %2$s WITH (''connector'' = ''kafka'', ''topic'' = %2$s, %3$s = ''x'')',
							  pg_temp.flink_name('t' || id || word), pg_temp.flink_literal(word), pg_temp.flink_literal('k' || word)))
FROM nasty;
SELECT is(row(t.relname, a.attname, col_description(t.oid, 1), obj_description(t.oid, 'pg_class') LIKE replace(word, '\', '\\') || E'\nWITH (%')::text,
		  row('t' || id || word, 't' || id || word, word, true)::text, 'as a table, column, comment and option: ' || quote_literal(word))
FROM nasty LEFT JOIN pg_class AS t ON t.relname = lower('t' || id || word) OR t.relname = 't' || id || word
	LEFT JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = 1
ORDER BY id;
SELECT ok(strpos(flink.show_create_table(t.oid), format('''topic'' = %s', pg_temp.flink_literal(word))) > 0, 'and shown as Flink writes it: ' || quote_literal(word))
FROM nasty JOIN pg_class AS t ON t.relname = 't' || id || word
ORDER BY id;

-- Options that stand in what is made of the table
SELECT lives_ok(format('SELECT pg_temp.run_all(%L)', format(source, pg_temp.flink_literal('x''); DROP TABLE victim; --'))), label)
FROM (VALUES
	('CREATE TABLE printed (a INT) WITH (''connector'' = ''print'', ''print-identifier'' = %s)', 'the identifier of a print table'),
	('CREATE TABLE files (a INT) WITH (''connector'' = ''filesystem'', ''format'' = ''csv'', ''path'' = %s)', 'the path of a file')
) AS c(source, label);
SELECT is((SELECT count(*) FROM victim), 1::bigint, 'the table is there');

-- A schema that is searched before that of the extension, with functions of its names
CREATE SCHEMA trap;
CREATE TABLE trap.t (ts timestamp(3));
CREATE FUNCTION trap.set_watermark(regclass, name, text) RETURNS text LANGUAGE sql AS $$ DROP TABLE public.victim; SELECT '' $$;
CREATE FUNCTION trap.tumble(trap.t, timestamp, interval) RETURNS text LANGUAGE sql AS $$ DROP TABLE public.victim; SELECT '' $$;
SELECT ok(flink_sql(source) ~ (format('%s\.', 'public') || called), source)
FROM (VALUES
	('USE trap; CREATE TABLE w (ts TIMESTAMP(3), WATERMARK FOR ts AS ts)', 'set_watermark'),
	('USE trap; SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE))', 'TUMBLE')
) AS c(source, called);
SET search_path = trap, public;
SELECT lives_ok($$CALL flink_execute('CREATE TABLE w (ts TIMESTAMP(3), WATERMARK FOR ts AS ts); CREATE VIEW v AS SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE))')$$,
	'a script runs with that schema before');
SELECT is((SELECT rowtime::text FROM watermarks WHERE relation = 'trap.w'::regclass), 'ts', 'and sets its watermark');
SELECT is((SELECT count(*) FROM public.victim), 1::bigint, 'the table is still there');
SELECT * FROM finish();
ROLLBACK;
