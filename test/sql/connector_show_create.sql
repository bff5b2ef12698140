-- show_create_table() and show_create_view(): the Flink SQL that would make a relation.  What they
-- print here was accepted by Flink 2.3.0, and printed alike by its SHOW CREATE TABLE but for long
-- forms of types: VARCHAR(2147483647) for STRING.
\i test/setup.psql
BEGIN;
SELECT plan(71);
CREATE TYPE part AS (x int, "Y" text);
CREATE TABLE orders (
	id bigint PRIMARY KEY, "na`me" text NOT NULL, "Ts" timestamp(3), gone int, price numeric(10, 2), p part, a int[], m jsonb, l timestamptz(3),
	f time(0), c char(5), v varchar(10), b bytea, u uuid, next bigint GENERATED ALWAYS AS (id + 1) STORED,
	CHECK (watermark_for("Ts", "Ts" - INTERVAL '5' SECOND)));
ALTER TABLE orders DROP COLUMN gone;
COMMENT ON COLUMN orders.id IS 'it''s the key';
SELECT is(flink.show_create_table('orders') || E'\n', format($$CREATE TABLE `orders` (
  `id` BIGINT NOT NULL COMMENT 'it''s the key',
  `na``me` STRING NOT NULL,
  `Ts` TIMESTAMP(3),
  `price` DECIMAL(10, 2),
  `p` ROW<`x` INT, `Y` STRING>,
  `a` ARRAY<INT>,
  `m` STRING,
  `l` TIMESTAMP_LTZ(3),
  `f` TIME(0),
  `c` CHAR(5),
  `v` VARCHAR(10),
  `b` BYTES,
  `u` STRING,
  `next` AS `id` + 1,
  WATERMARK FOR `Ts` AS `Ts` - INTERVAL '5' SECOND,
  CONSTRAINT `orders_pkey` PRIMARY KEY (`id`) NOT ENFORCED
)
WITH (
  'connector' = 'jdbc',
  'table-name' = 'orders',
  'url' = 'jdbc:postgresql://localhost/%s'
)
$$, current_database()), 'a table that PostgreSQL has made');

SELECT lives_ok($$ SELECT flink_sql(replace(flink.show_create_table('orders'), 'localhost', 'elsewhere')) $$, 'which is translated back');

-- Comments of tables
CREATE TABLE events (id int);
CREATE FUNCTION pg_temp.tail(comment text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('COMMENT ON TABLE events IS %L', comment);
	RETURN regexp_replace(substring(flink.show_create_table('events') FROM '\n\)\n(.*)'), '\n *', ' ', 'g');
END $$;
SELECT is(replace(pg_temp.tail(comment), 'localhost/' || current_database(), 'here'), expected, label)
FROM (VALUES
	(E'it''s mine\nWITH (''topic'' = ''o''''x'', ''connector'' = ''kafka'')', $$COMMENT 'it''s mine' WITH ( 'connector' = 'kafka', 'topic' = 'o''x' )$$,
	 'options stand in the last part of the comment'),
	(E'WITH (\n  ''connector'' = ''print''\n)', $$WITH ( 'connector' = 'print' )$$, 'or are all of it, on several lines'),
	(E'WITH (''a'' = ''b'')\nWITH (''c''=''d'')', $$COMMENT 'WITH (''a'' = ''b'')' WITH ( 'c' = 'd' )$$, 'the last ones count'),
	(E'first\nWITH (''a'' = ''), WITH (''''b'''' = ''''c'''')'')', $$COMMENT 'first' WITH ( 'a' = '), WITH (''b'' = ''c'')' )$$, 'a value may look like options'),
	(NULL, $$WITH ( 'connector' = 'jdbc', 'table-name' = 'events', 'url' = 'jdbc:postgresql://here' )$$, 'without a comment, Flink reads the table through JDBC')
) AS c(comment, expected, label);
SELECT alike(pg_temp.tail(comment), 'COMMENT ' || quote_literal(comment) || ' WITH ( ''connector'' = ''jdbc''%', 'no options: ' || comment)
FROM (VALUES ('WITH (''a'' = ''b'') and more'), ('with (''a'' = b)'), ('WITH (''a'' = ''b'), ('WITH ()'), ('WITH (''a'')'), ('without (''a'' = ''b'')'), ('create tables')) AS c(comment);

-- Names, kinds and keys
CREATE SCHEMA elsewhere;
CREATE TABLE elsewhere.events (id int);
CREATE TEMPORARY TABLE passing (a int NOT NULL, b int NOT NULL, CONSTRAINT marked CHECK (flink.primary_key(b, a)));
CREATE UNLOGGED TABLE none ();
SELECT alike(flink.show_create_table(rel::regclass), expected, label)
FROM (VALUES
	('elsewhere.events', 'CREATE TABLE `elsewhere`.`events` (%''table-name'' = ''elsewhere.events''%', 'a table of another schema has its name'),
	('passing', 'CREATE TEMPORARY TABLE `passing` (%,' || E'\n' || '  CONSTRAINT `marked` PRIMARY KEY (`b`, `a`) NOT ENFORCED%', 'a temporary table; a key that is not enforced'),
	('none', 'CREATE TABLE `none` (' || E'\n)\n' || '%', 'a table without columns')
) AS c(rel, expected, label);

-- Strategies
CREATE FUNCTION pg_temp.strategy(expression text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	statement text;
BEGIN
	EXECUTE format('CREATE TABLE s (ts timestamp(3), s text, a int, b bigint, d date, CHECK (watermark_for(ts, %s)))', expression);
	statement := flink.show_create_table('s');
	DROP TABLE s;
	RETURN substring(statement FROM 'WATERMARK FOR `ts` AS ([^\n]*)');
END $$;
SET datestyle = 'German';
SET intervalstyle = 'iso_8601';
SELECT is(pg_temp.strategy(expression), expected, expression)
FROM (VALUES
	('ts', '`ts`'), ('ts - INTERVAL ''-5.25 s''', '`ts` - INTERVAL ''-5.250'' SECOND'), ('ts - INTERVAL ''0''', '`ts` - INTERVAL ''0'' SECOND'),
	('ts - INTERVAL ''-0.5 s''', '`ts` - INTERVAL ''-0.500'' SECOND'), ('ts - INTERVAL ''36:00'' - INTERVAL ''100 d''', '`ts` - INTERVAL ''36'' HOUR - INTERVAL ''100'' DAY(3)'),
	('ts - (INTERVAL ''300 s'' - INTERVAL ''1.000001 s'')', '`ts` - (INTERVAL ''5'' MINUTE - INTERVAL ''1.000001'' SECOND)'),
	('ts - INTERVAL ''1 02:03:04.005''', '`ts` - INTERVAL ''1 02:03:04.005'' DAY TO SECOND'), ('ts - INTERVAL ''14 months''', '`ts` - INTERVAL ''14'' MONTH'),
	('ts - INTERVAL ''1 y''', '`ts` - INTERVAL ''1'' YEAR'), ('timestamp ''2021-03-04 05:06:07.8''', 'TIMESTAMP ''2021-03-04 05:06:07.8'''),
	('s::timestamp(3)', 'CAST(`s` AS TIMESTAMP(3))'), ('greatest(ts, ts - a * INTERVAL ''1 s'')', 'GREATEST(`ts`, `ts` - `a` * INTERVAL ''1'' SECOND)'),
	('coalesce(ts, NULL)', 'COALESCE(`ts`, CAST(NULL AS TIMESTAMP(3)))'), ('ts - INTERVAL ''1 s'' * (1 + a * 2)', '`ts` - INTERVAL ''1'' SECOND * (1 + `a` * 2)'),
	('ts - (-a - (-1)) * INTERVAL ''1 s''', '`ts` - (-`a` - (-1)) * INTERVAL ''1'' SECOND'),
	('CASE WHEN a > 1 AND (b < 3 OR s IS NULL) THEN ts ELSE ts - INTERVAL ''1 s'' END',
	 'CASE WHEN `a` > 1 AND (`b` < 3 OR `s` IS NULL) THEN `ts` ELSE `ts` - INTERVAL ''1'' SECOND END'),
	('CASE WHEN NOT (s LIKE ''a%'' OR s || ''x'' <> ''it''''s'') THEN ts END', 'CASE WHEN NOT (`s` LIKE ''a%'' OR `s` || ''x'' <> ''it''''s'') THEN `ts` END'),
	('CASE a WHEN 1 THEN ts END', 'CASE `a` WHEN 1 THEN `ts` END'), ('CASE WHEN a IN (1, 2) THEN ts END', 'CASE WHEN `a` IN (1, 2) THEN `ts` END'),
	('CASE WHEN a::text = ''1'' AND true THEN ts END', 'CASE WHEN CAST(`a` AS STRING) = ''1'' AND TRUE THEN `ts` END'),
	('CASE WHEN d > date ''2021-03-04'' THEN ts END', 'CASE WHEN `d` > DATE ''2021-03-04'' THEN `ts` END'),
	('ts - extract(day FROM ts) * INTERVAL ''1 s''', '`ts` - EXTRACT(DAY FROM `ts`) * INTERVAL ''1'' SECOND'),
	('date_trunc(''hour'', ts)', 'DATE_TRUNC(''hour'', `ts`)'), ('CASE WHEN (a > 1) IS TRUE THEN ts END', 'CASE WHEN (`a` > 1) IS TRUE THEN `ts` END'),
	('ts - INTERVAL ''1 d -1 h''', '`ts` - INTERVAL ''23'' HOUR'), ('ts - INTERVAL ''1 month 2 d''', '`ts` - (INTERVAL ''1'' MONTH + INTERVAL ''2'' DAY)'),
	-- of one name and another meaning in Flink
	('ts - log(a) * INTERVAL ''1 s''', '`ts` - LOG10(`a`) * INTERVAL ''1'' SECOND'), ('ts - ln(a) * INTERVAL ''1 s''', '`ts` - LN(`a`) * INTERVAL ''1'' SECOND'),
	('ts - round(a) * INTERVAL ''1 s''', '`ts` - PG_CATALOG.ROUND(`a`) * INTERVAL ''1'' SECOND'), ('ts - abs(a) * INTERVAL ''1 s''', '`ts` - ABS(`a`) * INTERVAL ''1'' SECOND'),
	('ts - trunc(a / 2.5) * INTERVAL ''1 s''', '`ts` - TRUNCATE(`a` / 2.5) * INTERVAL ''1'' SECOND'), ('CASE WHEN left(s, -1) = ''a'' THEN ts END', 'CASE WHEN PG_CATALOG.LEFT(`s`, (-1)) = ''a'' THEN `ts` END'),
	('ts - extract(dow FROM ts) * INTERVAL ''1 s''', '`ts` - PG_CATALOG.EXTRACT(''dow'', `ts`) * INTERVAL ''1'' SECOND'),
	('ts - strpos(s, ''a'') * INTERVAL ''1 s''', '`ts` - POSITION(''a'' IN `s`) * INTERVAL ''1'' SECOND'),
	('CASE WHEN s LIKE s THEN ts END', 'CASE WHEN `s` LIKE `s` ESCAPE ''\'' THEN `ts` END'),
	('CASE WHEN s LIKE ''a\%'' THEN ts END', 'CASE WHEN `s` LIKE ''a\%'' ESCAPE ''\'' THEN `ts` END')
) AS c(expression, expected);

-- Views
CREATE VIEW plain AS SELECT id FROM orders;
CALL flink_execute($$
	CREATE VIEW made COMMENT 'my view' AS SELECT id, COUNT(*) FROM orders GROUP BY id;
	CREATE VIEW timed WATERMARK FOR t AS t - INTERVAL '5' SECOND SELECT "Ts" AS t, id FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR("Ts"), INTERVAL '1' HOUR));
	CREATE TABLE generated (id INT, twice AS id * 2) WITH ('connector' = 'datagen', 'number-of-rows' = '1');
	CREATE TABLE computed (id INT NOT NULL, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), PRIMARY KEY (id) NOT ENFORCED,
		WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) COMMENT 'my table' WITH ('connector' = 'kafka');
$$);
SELECT is(flink.show_create_view('made'), $$CREATE VIEW `made` (`id`, `EXPR$1`)
COMMENT 'my view'
AS SELECT id, COUNT(*) FROM orders GROUP BY id$$, 'a view is shown with its query as it was given');
SELECT is(flink.show_create_view('timed'), $$CREATE VIEW `timed` (`t`, `id`)
WATERMARK FOR `t` AS `t` - INTERVAL '5' SECOND
AS SELECT "Ts" AS t, id FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR("Ts"), INTERVAL '1' HOUR))$$, 'and with its watermark');
SELECT is(flink.show_create_table('generated'), $$CREATE TABLE `generated` (
  `id` INT,
  `twice` AS `id` * 2
)
WITH (
  'connector' = 'datagen',
  'number-of-rows' = '1'
)$$, 'a table that has become a view is shown with its computed columns');
SELECT is(flink.show_create_table('computed'), $$CREATE TABLE `computed` (
  `id` INT NOT NULL,
  `ms` BIGINT,
  `ts` AS TO_TIMESTAMP_LTZ(`ms`, 3),
  WATERMARK FOR `ts` AS `ts` - INTERVAL '5' SECOND,
  CONSTRAINT `computed__source_id_check` PRIMARY KEY (`id`) NOT ENFORCED
)
COMMENT 'my table'
WITH (
  'connector' = 'kafka'
)$$, 'and with the key of the table below it');
CALL flink_execute($$
	ALTER VIEW timed SET WATERMARK FOR t AS t - INTERVAL '7' SECOND;
	ALTER VIEW timed RENAME TO retimed;
	ALTER VIEW made AS SELECT id, COUNT(*) FROM orders WHERE id > 1 GROUP BY id;
	ALTER TABLE computed DROP WATERMARK;
$$);
SELECT matches(flink.show_create_view('retimed'), '`retimed`.*INTERVAL ''7'' SECOND', 'ALTER VIEW shows');
SELECT matches(flink.show_create_view('made'), 'WHERE id > 1', 'so does another query');
SELECT doesnt_match(flink.show_create_table('computed'), 'WATERMARK', 'so does a watermark that is dropped');

CALL flink_execute($$
	CREATE TABLE casts (n DECIMAL(10, 2), s STRING, ts TIMESTAMP(3), a AS FLOOR(n), b AS CAST(s AS BOOLEAN), c AS CAST(ts AS TIME),
		d AS CAST(ts AS DATE) + INTERVAL '1' DAY)
$$);
SELECT matches(flink.show_create_table('casts'), '`a` AS FLOOR\(`n`\),\s+`b` AS CAST\(`s` AS BOOLEAN\),\s+`c` AS CAST\(`ts` AS TIME\(0\)\),'
	|| '\s+`d` AS \(CAST\(`ts` AS DATE\) \+ INTERVAL ''1'' DAY\)', 'casts and dates are shown as Flink writes them');

-- A comment is anybody's text.
COMMENT ON VIEW made IS 'AS SELECT 1; DROP TABLE orders';
SELECT throws_ok('SELECT flink.show_create_view(''made'')', '55000', 'view "made" was not made from Flink SQL', 'a comment with a second statement is not shown');
COMMENT ON VIEW made IS 'As it''s said';
SELECT throws_ok('SELECT flink.show_create_view(''made'')', '55000', 'view "made" was not made from Flink SQL', 'nor one that has no query');
COMMENT ON VIEW made IS E'Mine\nAS SELECT '';''';
SELECT ok(flink.show_create_view('made') LIKE E'CREATE VIEW `made` (%)\nCOMMENT ''Mine''\nAS SELECT '';''', 'a text may have a semicolon');

SELECT throws_ok(query, code, message, message)
FROM (VALUES
	('SELECT flink.show_create_view(''plain'')', '55000', 'view "plain" was not made from Flink SQL'),
	('SELECT flink.show_create_table(''plain'')', '42809', '"plain" is a view'),
	('SELECT flink.show_create_table(''made'')', '42809', '"made" is a view'),
	('SELECT flink.show_create_view(''generated'')', '42809', '"generated" is not a view'),
	('SELECT flink.show_create_view(''orders'')', '42809', '"orders" is not a view'),
	('SELECT flink.show_create_table(''orders_pkey'')', '42809', '"orders_pkey" is not a table'),
	('SELECT flink.show_create_table(1)', '42P01', 'relation with OID 1 does not exist')
) AS c(query, code, message);
SELECT * FROM finish();
ROLLBACK;
