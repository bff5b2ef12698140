-- Tables, views and INSERT INTO, with connectors that are not read, as Flink SQL.
\i test/setup.psql
BEGIN;
SELECT plan(11);

CALL flink_execute($$
	CREATE TABLE Baskets (k STRING, v BIGINT);
	CREATE TABLE basket_counts (k STRING, n BIGINT);
	INSERT INTO Baskets VALUES ('apple', 3), ('apple', CAST(NULL AS BIGINT)), ('pear', 5);
	insert into basket_counts
	select k, count(v) as n
	from Baskets
	group by k;
$$);
SELECT bag_eq('TABLE basket_counts', $$ VALUES ('apple', 1::bigint), ('pear', 1) $$, 'INSERT INTO runs once');

-- Temporary ones hide permanent ones.
CALL flink_execute($$
	-- for this session
	CREATE TEMPORARY TABLE members (
	    member_id BIGINT,
	    `name` STRING
	) WITH (
	  'connector' = 'our_own',
	  'format' = 'json',
	  'class.name' = 'org.example.MemberSource'
	);
	CREATE TEMPORARY VIEW member_view as
	SELECT
	    *
	FROM members
	;
	INSERT INTO members VALUES (1, 'temporary');
$$);
SELECT results_eq(flink_sql('SELECT member_id, `name` FROM member_view'), $$ VALUES (1::bigint, 'temporary') $$,
	'a temporary view shows a temporary table');
SELECT is((SELECT count(*) FROM pg_class WHERE relname IN ('members', 'member_view') AND relpersistence = 't'), 2::bigint,
	'both are temporary');
CALL flink_execute('DROP TEMPORARY VIEW member_view; DROP TEMPORARY TABLE members');
SELECT is(to_regclass('members'), NULL, 'and are dropped as such');

CALL flink_execute($$
	CREATE DATABASE club;
	CREATE TABLE club.members (member_id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'members');
	INSERT INTO `default_catalog`.`club`.`members` VALUES (7);
$$);
SELECT results_eq(flink_sql('SELECT member_id FROM default_catalog.club.members'), 'VALUES (7::bigint)',
	'a name may have its catalog and its database');
SELECT throws_ok($$ SELECT flink_sql('CREATE TEMPORARY TABLE club.guests (member_id BIGINT) WITH (''connector'' = ''kafka'')') $$,
	'0A000', 'a temporary table or view in a database of Flink SQL is not supported', 'a temporary table is in no database');

-- A script of four statements, as it is passed to executeSql() one by one.
CREATE TEMP TABLE script (source text);
INSERT INTO script VALUES ($$CREATE TABLE members (
    member_id BIGINT,
    `name` STRING
) WITH (
  'connector' = 'our_own',
  'format' = 'json',
  'class.name' = 'org.example.MemberSource'
);

CREATE TABLE printed_members (
    member_id BIGINT,
    name STRING
) WITH (
  'connector' = 'print'
);
CREATE VIEW member_view as
SELECT
    *
FROM members
;
INSERT INTO printed_members
SELECT
    *
FROM member_view;$$);
SELECT lives_ok(format('CALL flink_execute(%L)', source), 'statements are separated by semicolons') FROM script;
CALL flink_execute('INSERT INTO members VALUES (1, ''ann''), (2, CAST(NULL AS STRING)); INSERT INTO printed_members SELECT * FROM member_view');
SELECT is_empty('TABLE printed_members', 'a table that prints keeps no rows');
SELECT results_eq(flink_sql('SELECT * FROM member_view WHERE `name` = ''ann'''), $$ VALUES (1::bigint, 'ann') $$,
	'a name is the same with backticks');
SELECT results_eq(flink_sql('SHOW CREATE TABLE members'), $$ VALUES (
'CREATE TABLE `members` (
  `member_id` BIGINT,
  `name` STRING
)
WITH (
  ''class.name'' = ''org.example.MemberSource'',
  ''connector'' = ''our_own'',
  ''format'' = ''json''
)') $$, 'a connector that is not known stays with its table');

SELECT results_eq(flink_sql('select `name` from members where member_id = 1'), $$ VALUES ('ann') $$, 'a query may be all in lower case');

SELECT * FROM finish();
ROLLBACK;
