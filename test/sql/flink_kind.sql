-- ALTER TABLE is for tables, ALTER VIEW for views.
\i test/setup.psql
BEGIN;
SELECT plan(14);
SET client_min_messages = error;
CALL flink_execute($$
	CREATE TABLE bids (id INT, ts TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED);
	CREATE TABLE computed (id INT, next AS id + 1);
	CREATE TABLE drawn (id INT) WITH ('connector' = 'datagen');
	CREATE VIEW dear AS SELECT * FROM bids;
$$);

SELECT throws_ok('SELECT flink_sql(' || quote_literal(source) || ')', '42601', message, source)
FROM (VALUES
	('ALTER VIEW bids SET WATERMARK FOR ts AS ts', '"bids" is a table'),
	('ALTER VIEW bids DROP WATERMARK', '"bids" is a table'),
	('ALTER VIEW bids RENAME TO b', '"bids" is a table'),
	('ALTER VIEW IF EXISTS bids RENAME id TO i', '"bids" is a table'),
	('ALTER VIEW computed AS SELECT 1', '"computed" is a table'),
	('ALTER VIEW drawn AS SELECT 1', '"drawn" is a table'),
	('CREATE TABLE new (a INT); ALTER VIEW new RENAME TO b', '"new" is a table'),
	('ALTER TABLE dear ADD WATERMARK FOR ts AS ts', '"dear" is a view'),
	('ALTER TABLE dear DROP WATERMARK', '"dear" is a view'),
	('ALTER TABLE dear RENAME TO d', '"dear" is a view'),
	('ALTER TABLE IF EXISTS dear RENAME id TO i', '"dear" is a view'),
	('ALTER TABLE dear DROP id', '"dear" is a view'),
	('CREATE VIEW new AS SELECT 1 AS a; ALTER TABLE new RENAME TO b', '"new" is a view')
) AS c(source, message);
SELECT lives_ok('CALL flink_execute(''ALTER VIEW dear SET WATERMARK FOR ts AS ts; ALTER TABLE computed RENAME TO counted'')', 'each kind has its own');

SELECT * FROM finish();
ROLLBACK;
