-- Databases of Flink SQL: which schema a name means, before USE, behind it, and back.
\i test/setup.psql
BEGIN;
SELECT plan(37);
SET client_min_messages = error;
CREATE SCHEMA home;
CREATE SCHEMA away;
CREATE TABLE home.shared (a int);
CREATE TABLE away.shared (b int);
SET search_path = home, public;

CREATE FUNCTION pg_temp.translated(source text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(flink_sql(source), '\s+', ' ', 'g')
$$;

-- In one source
SELECT is(pg_temp.translated(source), expected, source)
FROM (VALUES
	('TABLE default_database.shared', 'TABLE shared;'),
	('USE default_database', ''),
	('USE CATALOG default_catalog', ''),
	('USE away; TABLE shared', 'SET apply_watermark.default_path = ''home, public''; SET search_path = away, public; TABLE shared;'),
	('USE away; TABLE default_database.shared', 'SET apply_watermark.default_path = ''home, public''; SET search_path = away, public; TABLE home.shared;'),
	('USE away; USE home; TABLE default_catalog.default_database.shared',
	 'SET apply_watermark.default_path = ''home, public''; SET search_path = away, public; SET search_path = home, public; TABLE home.shared;'),
	('USE away; USE default_catalog.default_database; TABLE default_database.shared; USE home; DROP TABLE default_database.shared',
	 'SET apply_watermark.default_path = ''home, public''; SET search_path = away, public; SET search_path = home, public; RESET apply_watermark.default_path; '
	 'TABLE shared; SET apply_watermark.default_path = ''home, public''; SET search_path = home, public; DROP TABLE home.shared;'),
	('CREATE DATABASE IF NOT EXISTS default_database', ''),
	('CREATE DATABASE new; USE new; CREATE TABLE IF NOT EXISTS shared (a INT)',
	 'CREATE SCHEMA new; SET apply_watermark.default_path = ''home, public''; SET search_path = new, public; CREATE TABLE shared ( a integer );'),
	('DROP DATABASE away CASCADE; CREATE DATABASE away; CREATE TABLE IF NOT EXISTS away.shared (a INT)',
	 'DROP SCHEMA away CASCADE; CREATE SCHEMA away; CREATE TABLE away.shared ( a integer );')
) AS c(source, expected);

-- From one source to the next
CALL flink_execute($$
	USE away;
	INSERT INTO shared VALUES (1);
	INSERT INTO default_database.shared VALUES (2);
	CREATE TABLE default_database.made (a INT);
$$);
SELECT results_eq('SELECT a FROM home.shared', 'VALUES (2)', 'default_database is the schema before USE');
SELECT results_eq('SELECT b FROM away.shared', 'VALUES (1)', 'and not the one of USE');
SELECT has_table('home', 'made', 'a table is made in it');
SELECT is(pg_temp.translated('TABLE default_catalog.default_database.shared'), 'TABLE home.shared;', 'so it is in the next source');
SELECT matches(pg_temp.translated('SHOW TABLES FROM default_database'), 'show_tables\(''home'', false\)', 'its tables are listed');
CALL flink_execute('DROP TABLE default_database.shared');
SELECT hasnt_table('home', 'shared', 'a table in it is dropped');
SELECT has_table('away', 'shared', 'and none that is called alike');
CALL flink_execute('USE default_database; CREATE TABLE also (a INT)');
SELECT is(current_setting('search_path'), 'home, public', 'USE default_database puts the search path back');
SELECT has_table('home', 'also', 'where tables are made again');
SELECT is(pg_temp.translated('TABLE default_database.also'), 'TABLE also;', 'and whose name can be left out');

CALL flink_execute('CREATE DATABASE told COMMENT ''why'' WITH (''a'' = ''b'')');
SELECT is(obj_description('told'::regnamespace), 'why', 'a database keeps its comment');

SELECT throws_ok(call, state, message, call)
FROM (VALUES
	('SELECT flink_sql(''USE typo'')', '3F000', 'database "typo" does not exist'),
	('CALL flink_execute(''USE typo'')', '3F000', 'database "typo" does not exist'),
	('SELECT flink_sql(''DROP DATABASE away; USE away'')', '3F000', 'database "away" does not exist'),
	('SELECT flink_sql(''USE other.away'')', '0A000', 'a catalog of Flink SQL is not supported'),
	('SELECT flink_sql(''USE CATALOG other'')', '0A000', 'a catalog of Flink SQL is not supported'),
	('SELECT flink_sql(''CREATE DATABASE default_database'')', '42601', 'database "default_database" already exists'),
	('SELECT flink_sql(''DROP DATABASE default_database'')', '0A000', 'DROP DATABASE default_database of Flink SQL is not supported')
) AS c(call, state, message);

-- What need not be there
CREATE TABLE public.outside (a int);
CALL flink_execute($$
	USE away;
	DROP TABLE IF EXISTS outside;
	DROP VIEW IF EXISTS outside;
	ALTER TABLE IF EXISTS outside RENAME TO inside;
	ALTER VIEW IF EXISTS outside RENAME TO inside;
	USE default_database;
$$);
SELECT has_table('public', 'outside', 'IF EXISTS looks into the current database alone');

-- What is in use stays
SELECT throws_ok('SELECT flink_sql(' || quote_literal(source) || ')', '42601', 'cannot drop a database that is in use', source)
FROM unnest(ARRAY['USE away; DROP DATABASE away', 'CREATE DATABASE new; USE new; DROP DATABASE IF EXISTS new CASCADE', 'DROP DATABASE home']) AS source;
SELECT throws_ok('SELECT flink_sql(''USE away; DROP DATABASE home CASCADE'')', '0A000', 'DROP DATABASE default_database of Flink SQL is not supported',
	'default_database stays, by the name of its schema too');
SELECT lives_ok('CALL flink_execute(''CREATE DATABASE new; USE new; USE default_database; DROP DATABASE new'')', 'one that was in use is dropped');

-- The setting is anybody's text
SELECT is(set_config('apply_watermark.default_path', 'A, "a b", "$user", ""', true), 'A, "a b", "$user", ""', 'a path is set by hand');
SELECT is(pg_temp.translated('USE default_database'), 'SET search_path = a, "a b", "$user", ''''; RESET apply_watermark.default_path;', 'its names are quoted anew');
SET LOCAL apply_watermark.default_path = 'a; DROP SCHEMA away';
SELECT throws_ok('SELECT flink_sql(''USE default_database'')', '22023', 'setting "apply_watermark.default_path" is not a search path', 'and nothing else goes through');

SELECT * FROM finish();
ROLLBACK;
