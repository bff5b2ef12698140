-- Tables of Flink SQL that are changed, dropped and taken over: the one that is meant, whole.
\i test/setup.psql
BEGIN;
SELECT plan(51);
SET client_min_messages = error;
CREATE SCHEMA away;
SET search_path = public, away;
CREATE TABLE away.there (a int);
CREATE TABLE shadowed (a int);
CREATE TEMPORARY TABLE shadowed (a int);

-- The current database alone
SELECT throws_ok('SELECT flink_sql(' || quote_literal(source) || ')', '42P01', 'relation "there" is not in the current database', source)
FROM unnest(ARRAY['DROP TABLE there', 'DROP VIEW there', 'ALTER TABLE there RENAME TO x', 'ALTER VIEW there RENAME TO x',
	'TRUNCATE TABLE there', 'DELETE FROM there', 'UPDATE there SET a = 1', 'INSERT INTO there VALUES (1)']) AS source;
SELECT is(regexp_replace(flink_sql(source), '\s+', ' ', 'g'), expected, source)
FROM (VALUES
	('DROP TABLE away.there', 'DROP TABLE away.there;'),
	('DROP TABLE IF EXISTS there', 'DROP TABLE IF EXISTS public.there;'),
	('DROP VIEW IF EXISTS there', 'DROP VIEW IF EXISTS public.there;'),
	('ALTER TABLE IF EXISTS there RENAME TO x', ''),
	('DROP TEMPORARY TABLE shadowed', 'DROP TABLE pg_temp.shadowed;'),
	('DROP TEMPORARY VIEW IF EXISTS v', 'DROP VIEW IF EXISTS pg_temp.v;'),
	('USE away; DROP TABLE there', 'SET apply_watermark.default_path = ''public, away''; SET search_path = away, public; DROP TABLE away.there;'),
	('USE away; CREATE TABLE IF NOT EXISTS there (a INT)', 'SET apply_watermark.default_path = ''public, away''; SET search_path = away, public;'),
	('CREATE TABLE IF NOT EXISTS there (a INT)', 'CREATE TABLE there ( a integer );')
) AS c(source, expected);

-- What a table stands on goes with it and is called after it.
CREATE FUNCTION pg_temp.objects() RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(relkind::text || ' ' || relname, ', ' ORDER BY relname) FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relname ~ '^(nested|computed|renamed)'
$$;
CALL flink_execute('CREATE TABLE nested (r ROW<x INT, s ROW<y STRING>>, l ARRAY<ROW<z INT>>); CREATE TABLE computed (r ROW<x INT>, b AS CARDINALITY(ARRAY[r]))');
SELECT is(pg_temp.objects(), 'v computed, c computed__r, r computed__source, r nested, c nested__l, c nested__r, c nested__r__s', 'rows are types');
CALL flink_execute('INSERT INTO computed VALUES (ROW(1)); ALTER TABLE computed RENAME TO renamed; INSERT INTO renamed VALUES (ROW(2))');
SELECT results_eq('SELECT b FROM renamed ORDER BY 1', 'VALUES (1), (1)', 'a view and its table are renamed');
SELECT is(pg_temp.objects(), 'r nested, c nested__l, c nested__r, c nested__r__s, v renamed, c renamed__r, r renamed__source', 'both of them, and the types of rows');
CALL flink_execute('DROP TABLE nested; CREATE TABLE nested (r ROW<x INT>); DROP TABLE nested; DROP TABLE renamed; DROP TABLE IF EXISTS renamed');
SELECT is(pg_temp.objects(), NULL, 'and dropped, with the types called after them');
CALL flink_execute('CREATE TABLE away.nested (r ROW<x INT>); CREATE TEMPORARY TABLE nested (r ROW<x INT>)');
SELECT is((SELECT count(*) FROM pg_type WHERE typname = 'nested__r' AND typnamespace IN ('away'::regnamespace, pg_my_temp_schema())), 2::bigint, 'types are where their table is');

-- A key of a table that has become a view; a sink that has.
CALL flink_execute($$
	CREATE TABLE keyed (id INT, v STRING, w AS UPPER(v), PRIMARY KEY (id) NOT ENFORCED);
	INSERT INTO keyed VALUES (1, 'a'), (2, 'b');
	INSERT INTO keyed VALUES (2, 'c');
	CREATE TABLE discarded (a INT, b AS a + 1) WITH ('connector' = 'blackhole');
	INSERT INTO discarded VALUES (1);
$$);
SELECT results_eq('SELECT id, w FROM keyed ORDER BY 1', $$VALUES (1, 'A'), (2, 'C')$$, 'a row replaces the one with its key through the view');
SELECT is_empty('SELECT * FROM discarded', 'a sink with computed columns keeps nothing');

-- LIKE
CALL flink_execute($$
	CREATE TABLE base (id INT, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED);
	CREATE TABLE timed (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
	CREATE TABLE all_of_it LIKE base (INCLUDING ALL);
	CREATE TABLE no_key LIKE base (EXCLUDING CONSTRAINTS);
	CREATE TABLE nothing LIKE base (EXCLUDING ALL);
	CREATE TABLE but_key LIKE base (EXCLUDING ALL INCLUDING CONSTRAINTS);
	CREATE TABLE like_timed LIKE timed;
	CREATE TABLE untimed LIKE timed (EXCLUDING WATERMARKS);
$$);
SELECT results_eq('SELECT c.relname::text COLLATE "default" FROM pg_index AS i JOIN pg_class AS c ON c.oid = indrelid WHERE indisprimary AND c.relname IN (''all_of_it'', ''no_key'', ''nothing'', ''but_key'') ORDER BY 1',
	$$VALUES ('all_of_it'), ('but_key')$$, 'LIKE takes the key over, or not');
SELECT results_eq('SELECT relation::text COLLATE "default" FROM watermarks WHERE relation::text ~ ''timed'' ORDER BY 1', $$VALUES ('like_timed'), ('timed')$$, 'and the watermark');

-- A table of this database, through jdbc
CREATE TABLE accounts (id int, name text);
SELECT throws_ok(format('SELECT flink_sql(%L)', format('CREATE TABLE j (%s) WITH (''connector'' = ''jdbc'', ''table-name'' = ''accounts'')', columns)), '42601', message, columns)
FROM (VALUES
	('id BIGINT', 'column "id" of "accounts" is of type integer, not bigint'),
	('id INT, nme STRING', 'column "nme" does not exist in "accounts"')
) AS c(columns, message);
SELECT ok(flink_sql(format('CREATE TABLE j (id INT) WITH (''connector'' = ''jdbc'', ''url'' = ''jdbc:postgresql:%s'', ''table-name'' = ''accounts'')', url)) LIKE
	CASE WHEN is_here THEN 'CREATE VIEW%' ELSE 'CREATE TABLE%' END, label)
FROM (VALUES
	(current_database(), true, 'its name is this database'), ('//localhost/' || current_database(), true, 'so is a host of this machine'),
	('//127.0.0.1:' || current_setting('port') || '/' || current_database() || '?a=b', true, 'and with this port'),
	('//elsewhere/' || current_database(), false, 'another host is not'), ('//localhost:1/' || current_database(), false, 'nor another port'),
	('//localhost/other', false, 'nor another database')
) AS c(url, is_here, label);

-- What is refused
SELECT throws_ok('SELECT flink_sql(' || quote_literal(source) || ')', state, message, source)
FROM (VALUES
	('CREATE TABLE f (a INT) WITH (''connector'' = ''datagen'', ''number-of-rows'' = ''1''); INSERT INTO f VALUES (1)', '0A000',
	 'INSERT INTO a table whose connector is read of Flink SQL is not supported'),
	('CREATE TABLE c (a INT, b AS a); ALTER TABLE c RENAME a TO z', '0A000', 'RENAME of a column of a table that has become a view of Flink SQL is not supported'),
	('CREATE TABLE s (a INT) WITH (''connector'' = ''print''); CREATE TABLE l LIKE s', '0A000', 'LIKE with computed columns or a connector of Flink SQL is not supported'),
	('CREATE TABLE l WITH (''connector'' = ''datagen'') LIKE base', '0A000', 'LIKE with a connector that is read of Flink SQL is not supported'),
	('CREATE TABLE l LIKE base (EXCLUDING METADATA)', '0A000', 'EXCLUDING METADATA of Flink SQL is not supported'),
	('CREATE TABLE m (a INT, b INT METADATA VIRTUAL); CREATE TABLE l LIKE m (EXCLUDING ALL)', '0A000', 'EXCLUDING GENERATED of a table with columns that take no values of Flink SQL is not supported'),
	('CREATE TABLE m (a INT, b INT METADATA VIRTUAL); CREATE TABLE l LIKE m (EXCLUDING GENERATED)', '0A000', 'EXCLUDING GENERATED of a table with columns that take no values of Flink SQL is not supported'),
	('CREATE TABLE l LIKE base (WITHOUT ALL)', '42601', 'expected INCLUDING, EXCLUDING or OVERWRITING, found "WITHOUT" in Flink SQL'),
	('CREATE TABLE l LIKE base (INCLUDING CHECKS)', '42601', 'expected what LIKE takes over, found "CHECKS" in Flink SQL'),
	('CREATE TABLE o (a INT) WITH (''connector'' = ''kafka'', ''topic'' = ''x'', ''topic'' = ''y'')', '42601', 'option ''topic'' stands twice'),
	('BEGIN STATEMENT SET; SELECT 1; END', '42601', 'expected INSERT INTO or END in a statement set, found "SELECT" in Flink SQL'),
	('BEGIN STATEMENT SET; INSERT INTO base VALUES (1, NULL);', '42601', 'expected END of the statement set, found the end of the text in Flink SQL'),
	('END', '42601', 'expected a statement, found "END" in Flink SQL'),
	('SELECT (a - b) DAY FROM base', '0A000', 'a unit of time behind an expression of Flink SQL is not supported')
) AS c(source, state, message);
SELECT throws_ok('SELECT flink_prepare(''p'', ' || quote_literal(source) || ')', '0A000', 'flink_prepare takes a query or INSERT, UPDATE, DELETE', source)
FROM unnest(ARRAY['CREATE TABLE p (a INT)', 'DROP TABLE base', 'EXPLAIN SELECT 1']) AS source;

SELECT * FROM finish();
ROLLBACK;
