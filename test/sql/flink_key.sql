-- Primary keys of Flink SQL: enforced ones, those of versions, and those of rows from elsewhere; LIKE.
\i test/setup.psql
BEGIN;
SELECT plan(45);
SET client_min_messages = error;

-- The part of SHOW CREATE TABLE behind the columns that hold values.
CREATE FUNCTION pg_temp.shown(name text, starting text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(substring(flink.show_create_table(name::regclass) FROM starting || '.*'), '\s+', ' ', 'g')
$$;
-- 0: a marker; 1: PostgreSQL's own
CREATE FUNCTION pg_temp.is_enforced(name text) RETURNS boolean LANGUAGE sql AS $$
	SELECT EXISTS (SELECT FROM pg_index WHERE indrelid = name::regclass AND indisprimary)
$$;

CALL flink_execute($$
	CREATE TABLE bids (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'kafka', 'topic' = 'x', 'group' = 'g');
	CREATE TABLE versions (PRIMARY KEY (id) NOT ENFORCED) LIKE bids;
	CREATE TABLE keyed (id INT, ts TIMESTAMP(3), CONSTRAINT ck PRIMARY KEY (id) NOT ENFORCED);
	CREATE TABLE timed (WATERMARK FOR ts AS ts) LIKE keyed;
	CREATE TABLE untimed LIKE versions (EXCLUDING WATERMARKS);
	CREATE TABLE untimed_too LIKE versions (EXCLUDING WATERMARKS);
	CREATE TABLE also_keyed (id INT, ts TIMESTAMP(3), up AS id + 1, CONSTRAINT ck PRIMARY KEY (id) NOT ENFORCED);
	CREATE TABLE asked (PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts) AS SELECT 1 AS id, CAST(NULL AS TIMESTAMP(3)) AS ts;
$$);
SELECT is(pg_temp.is_enforced(name), expected, label)
FROM (VALUES
	('versions', false, 'LIKE a table with a watermark gives versions'), ('timed', false, 'so does a watermark of its own'),
	('untimed', true, 'LIKE without the watermark gives a key'), ('untimed_too', true, 'more than once'),
	('keyed', true, 'a key is enforced'), ('also_keyed__source', true, 'also below a view'), ('asked', false, 'a table made of a query may have versions')
) AS c(name, expected, label);
SELECT is(pg_temp.shown(name, '  `id`'), expected, name)
FROM (VALUES
	('versions', ' `id` INT NOT NULL, `ts` TIMESTAMP(3), WATERMARK FOR `ts` AS `ts`, CONSTRAINT `versions_id_check` PRIMARY KEY (`id`) NOT ENFORCED ) WITH ( ''connector'' = ''kafka'', ''group'' = ''g'', ''topic'' = ''x'' )'),
	('untimed', ' `id` INT NOT NULL, `ts` TIMESTAMP(3), CONSTRAINT `versions_id_check` PRIMARY KEY (`id`) NOT ENFORCED ) WITH ( ''connector'' = ''kafka'', ''group'' = ''g'', ''topic'' = ''x'' )')
) AS c(name, expected);
SELECT matches(pg_temp.shown(name, '  `id`'), expected, label)
FROM (VALUES
	('keyed', '^ `id` INT NOT NULL, `ts` TIMESTAMP\(3\), CONSTRAINT `ck` PRIMARY KEY \(`id`\) NOT ENFORCED \)', 'a key keeps its name'),
	('also_keyed', 'CONSTRAINT `also_keyed__source_pkey` PRIMARY KEY \(`id`\)', 'unless it is taken'),
	('timed', '^ `id` INT NOT NULL, `ts` TIMESTAMP\(3\), WATERMARK FOR `ts` AS `ts`, CONSTRAINT `timed_id_check` PRIMARY KEY \(`id`\)', 'a key of LIKE becomes a marker'),
	('asked', '^ `id` INT NOT NULL,', 'the key of a query is not null')
) AS c(name, expected, label);
SELECT results_eq('SELECT name::text, "null", key FROM describe(''also_keyed'')', $$VALUES ('id', false, 'PRI(id)'), ('ts', true, NULL), ('up', true, NULL)$$,
	'a key below a view is described');

-- ALTER TABLE
CALL flink_execute($$
	INSERT INTO keyed VALUES (1, TIMESTAMP '2024-01-01 00:00:00');
	ALTER TABLE keyed ADD WATERMARK FOR ts AS ts;
	INSERT INTO keyed VALUES (1, TIMESTAMP '2024-01-01 00:00:01');
	ALTER TABLE also_keyed ADD WATERMARK FOR ts AS ts;
	INSERT INTO also_keyed VALUES (1, NULL);
	INSERT INTO also_keyed VALUES (1, NULL);
$$);
SELECT results_eq('SELECT id FROM keyed', 'VALUES (1), (1)', 'a table that gets a watermark gets versions');
SELECT results_eq('SELECT id FROM also_keyed', 'VALUES (1), (1)', 'also behind a view');
SELECT matches(pg_temp.shown('keyed', 'WATERMARK'), '^WATERMARK FOR `ts` AS `ts`, CONSTRAINT `ck` PRIMARY KEY \(`id`\)', 'and a marker in the place of its key');
SELECT throws_ok('CALL flink_execute(''ALTER TABLE keyed DROP WATERMARK'')', '23505', NULL, 'it cannot lose it while rows have one key');
CALL flink_execute($$
	DELETE FROM keyed WHERE ts < TIMESTAMP '2024-01-01 00:00:01';
	ALTER TABLE keyed DROP WATERMARK;
	INSERT INTO keyed VALUES (1, TIMESTAMP '2024-01-01 00:00:02');
$$);
SELECT results_eq('SELECT ts FROM keyed', $$VALUES (timestamp '2024-01-01 00:00:02')$$, 'without it, rows are replaced');

-- Options
CALL flink_execute($$
	CREATE TABLE o1 WITH ('topic' = 'y') LIKE bids;
	CREATE TABLE o2 WITH ('connector' = 'upsert-kafka') LIKE bids (EXCLUDING OPTIONS);
	CREATE TABLE o3 LIKE bids (EXCLUDING ALL INCLUDING OPTIONS);
$$);
SELECT is(pg_temp.shown(name, 'WITH \('), expected, name)
FROM (VALUES
	('o1', 'WITH ( ''connector'' = ''kafka'', ''group'' = ''g'', ''topic'' = ''y'' )'),
	('o2', 'WITH ( ''connector'' = ''upsert-kafka'' )'),
	('o3', 'WITH ( ''connector'' = ''kafka'', ''group'' = ''g'', ''topic'' = ''x'' )')
) AS c(name, expected);

-- Rows from elsewhere
CALL flink_execute($$CREATE TABLE drawn (id INT, n STRING NOT NULL, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'datagen', 'number-of-rows' = '3')$$);
SELECT matches(pg_temp.shown('drawn', '  `id`'), '^ `id` INT NOT NULL, `n` STRING NOT NULL, `ts` TIMESTAMP\(3\), WATERMARK FOR `ts` AS `ts`, CONSTRAINT `PK_id` PRIMARY KEY \(`id`\) NOT ENFORCED \)',
	'rows that are read have a key, and columns that are not null');
SELECT is((SELECT count(*) FROM drawn), 3::bigint, 'and are read');
SELECT matches(flink_sql('SELECT x.id FROM drawn AS x JOIN drawn FOR SYSTEM_TIME AS OF x.ts AS y ON x.id = y.id'), 'ORDER BY y.ts DESC', 'they are joined as versions');
SELECT unalike(pg_get_viewdef('drawn'), '%n%not_null%id%', 'columns of the key are marked once');

-- A table of this database, as it is
CREATE TABLE own (id int PRIMARY KEY, name text, ts timestamp(3), next int GENERATED ALWAYS AS (id + 1) STORED);
CALL flink_execute($$CREATE TABLE own (id INT COMMENT 'the id', ts TIMESTAMP(3), next AS id + 1, WATERMARK FOR ts AS ts, PRIMARY KEY (id) NOT ENFORCED) COMMENT 'mine' WITH ('connector' = 'jdbc', 'table-name' = 'own')$$);
SELECT matches(flink.show_create_table('own'), '`id` INT NOT NULL COMMENT ''the id''.*WATERMARK FOR `ts`.*`own_pkey`.*COMMENT ''mine''', 'it gets the watermark and the comments');
CALL flink_execute($$CREATE TEMPORARY TABLE own (id INT) WITH ('connector' = 'jdbc', 'table-name' = 'own')$$);
SELECT has_view('own', 'a temporary table of its name looks at it');

-- What is refused
SELECT throws_ok('SELECT flink_sql(' || quote_literal(source) || ')', state, message, source)
FROM (VALUES
	('CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, b INT PRIMARY KEY NOT ENFORCED)', '42601', 'table "t" already has a primary key'),
	('CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, b INT, PRIMARY KEY (b) NOT ENFORCED)', '42601', 'table "t" already has a primary key'),
	('CREATE TABLE t (PRIMARY KEY (ts) NOT ENFORCED) LIKE versions', '42601', 'table "versions" already has a primary key'),
	('CREATE TABLE t (WATERMARK FOR ts AS ts) LIKE bids', '42601', 'table "bids" already has a watermark definition'),
	('CREATE TABLE t (WATERMARK FOR ts AS ts) LIKE bids (INCLUDING WATERMARKS)', '42601', 'table "bids" already has a watermark definition'),
	('CREATE TABLE t (a INT, m INT METADATA VIRTUAL, PRIMARY KEY (a, m) NOT ENFORCED)', '42601', 'column "m" of the primary key is computed or metadata'),
	('CREATE TABLE t (m INT METADATA FROM ''x'' PRIMARY KEY NOT ENFORCED)', '42601', 'column "m" of the primary key is computed or metadata'),
	('CREATE TABLE t (PRIMARY KEY (b) NOT ENFORCED, a INT, b AS a + 1)', '42601', 'column "b" of the primary key is computed or metadata'),
	('CREATE TABLE m (a INT, m INT METADATA VIRTUAL); CREATE TABLE t (PRIMARY KEY (m) NOT ENFORCED) LIKE m', '42601', 'column "m" of the primary key is computed or metadata'),
	('CREATE TABLE t (a INT PRIMARY KEY)', '0A000', 'PRIMARY KEY without NOT ENFORCED of Flink SQL is not supported'),
	('CREATE TABLE t (a INT, PRIMARY KEY (a) ENFORCED)', '0A000', 'PRIMARY KEY without NOT ENFORCED of Flink SQL is not supported'),
	('CREATE TABLE t WITH (''topic'' = ''y'') LIKE bids (INCLUDING OPTIONS)', '42601', 'option ''topic'' stands twice'),
	('CREATE TABLE public.own (id INT, nme STRING) WITH (''connector'' = ''jdbc'', ''table-name'' = ''public.own'')', '42601', 'column "nme" does not exist in "own"'),
	('CREATE TABLE public.own (id INT, x AS id) WITH (''connector'' = ''jdbc'', ''table-name'' = ''public.own'')', '0A000', 'a computed column of a table that is used as it is of Flink SQL is not supported'),
	('CREATE TABLE z (id INT, ts TIMESTAMP(3), PRIMARY KEY (ts) NOT ENFORCED) WITH (''connector'' = ''jdbc'', ''table-name'' = ''public.own'')', '42601', 'the primary key of "own" is (id), not (ts)')
) AS c(source, state, message);

-- Metadata that is not written
CALL flink_execute($$
	CREATE TABLE told (a INT, m VARCHAR(5) METADATA FROM 'topic' VIRTUAL, n INT METADATA VIRTUAL, o INT METADATA, up AS a + 1);
	INSERT INTO told VALUES (1, 2);
	CREATE TABLE told_too LIKE bids;
	ALTER TABLE told_too ADD m STRING METADATA VIRTUAL;
	INSERT INTO told_too VALUES (1, NULL);
$$);
SELECT results_eq('SELECT a, m::text, n, o FROM told', 'VALUES (1, NULL::text, NULL::int, 2)', 'VIRTUAL metadata takes no value');
SELECT matches(flink.show_create_table('told'), '`m` VARCHAR\(5\) METADATA FROM ''topic'' VIRTUAL,\s+`n` INT METADATA VIRTUAL,\s+`o` INT,', 'and is shown as what it is');

SELECT * FROM finish();
ROLLBACK;
