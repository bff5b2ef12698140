\i test/setup.psql
BEGIN;
SELECT plan(36);

CREATE TABLE other (a integer, ts timestamp(3));

-- A translation on one line, without the comment that SHOW CREATE reads.
CREATE FUNCTION pg_temp.translated(source text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(regexp_replace(flink_sql(source),
		'\nCOMMENT ON (TABLE|VIEW).*', ''), '\s+', ' ', 'g'), '(\() | (\))', '\1\2', 'g')
$$;

SELECT is(pg_temp.translated(source), expected, label)
FROM (VALUES
	('CREATE TABLE orders (id BIGINT NOT NULL, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL ''5'' SECOND)',
	 'CREATE TABLE orders (id bigint NOT NULL, ts timestamp(3)); SELECT set_watermark(''orders''::regclass, ''ts''::name, ''ts - INTERVAL ''''5'''' SECOND''::text);',
	 'a watermark is set behind the table'),
	('CREATE TEMPORARY TABLE IF NOT EXISTS t (a STRING) WITH (''connector'' = ''kafka'')',
	 'CREATE TEMPORARY TABLE t (a text);', 'a temporary table is one'),
	('CREATE TABLE t (a TINYINT, b SMALLINT, c INT, d INTEGER, e BIGINT, f FLOAT, g DOUBLE, h DOUBLE PRECISION, i BOOLEAN)',
	 'CREATE TABLE t (a smallint, b smallint, c integer, d integer, e bigint, f real, g double precision, h double precision, i boolean);',
	 'numbers have their types'),
	('CREATE TABLE t (a CHAR, b CHAR(3), c VARCHAR(5), d VARCHAR(2147483647), e STRING, f BYTES, g VARBINARY(10), h DECIMAL, i DECIMAL(38, 2), j NUMERIC(5))',
	 'CREATE TABLE t (a char(1), b char(3), c varchar(5), d text, e text, f bytea, g bytea, h numeric(10,0), i numeric(38,2), j numeric(5,0));',
	 'strings and decimals have their defaults'),
	('CREATE TABLE t (a VARCHAR, b CHARACTER VARYING, c CHAR VARYING, d CHAR, e ARRAY<VARCHAR>, f CHAR ARRAY, g ROW<x VARCHAR, y VARCHAR(2)>, h MAP<VARCHAR, CHAR>, i VARBINARY)',
	 'CREATE TYPE t__g AS (x text, y varchar(2)); CREATE TABLE t (a text, b text, c text, d char(1), e text[], f char(1)[], g t__g, h jsonb, i bytea);',
	 'VARCHAR without a length is STRING, and CHAR one character'),
	('CREATE TABLE t (a DATE, b TIME, c TIME(3), d TIMESTAMP, e TIMESTAMP(9), f TIMESTAMP_LTZ(3), g TIMESTAMP(3) WITH LOCAL TIME ZONE, h TIMESTAMP(0) WITHOUT TIME ZONE)',
	 'CREATE TABLE t (a date, b time(0), c time(3), d timestamp(6), e timestamp(6), f timestamptz(3), g timestamptz(3), h timestamp(0));',
	 'times have their precision'),
	('CREATE TABLE t (a ARRAY<INT>, b INT ARRAY, c ARRAY<STRING>, d MAP<STRING, INT>, e INTERVAL DAY(3) TO SECOND(3))',
	 'CREATE TABLE t (a integer[], b integer[], c text[], d jsonb, e interval);', 'collections have a like'),
	('CREATE TABLE t (r ROW<x INT, s ROW<y STRING COMMENT ''why''>> NOT NULL)',
	 'CREATE TYPE t__r__s AS (y text); CREATE TYPE t__r AS (x integer, s t__r__s); CREATE TABLE t (r t__r NOT NULL);',
	 'a row is a composite type'),
	('CREATE TABLE t (ts BIGINT, l AS TO_TIMESTAMP_LTZ(ts, 3), WATERMARK FOR l AS l - INTERVAL ''5'' SECOND)',
	 'CREATE TABLE t__source (ts bigint); CREATE VIEW t AS SELECT ts, flink.to_timestamp_ltz(ts, 3)::timestamptz(3) AS l FROM t__source; '
	 'SELECT set_watermark(''t''::regclass, ''l''::name, ''l - INTERVAL ''''5'''' SECOND''::text);',
	 'computed columns are a view''s'),
	('CREATE TABLE t (a STRING, p AS PROCTIME())', 'CREATE TABLE t__source (a text); CREATE VIEW t AS SELECT a, PROCTIME() AS p FROM t__source;',
	 'a processing time is computed'),
	('CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCED)', 'CREATE TABLE t (a integer, PRIMARY KEY (a));', 'a primary key is one'),
	('CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, b INT)', 'CREATE TABLE t (a integer, b integer, PRIMARY KEY (a));',
	 'a column may be the key'),
	('CREATE TABLE t (a INT, ts TIMESTAMP(3), CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED, WATERMARK FOR ts AS ts)',
	 'CREATE TABLE t (a integer NOT NULL, ts timestamp(3), CONSTRAINT k CHECK (flink.primary_key(a))); SELECT set_watermark(''t''::regclass, ''ts''::name, ''ts''::text);',
	 'a versioned table has many rows with one key'),
	('CREATE TABLE t (a INT COMMENT ''x'', m STRING METADATA FROM ''topic'' VIRTUAL)',
	 'CREATE TABLE t (a integer, m text DEFAULT flink.metadata(''topic'', NULL::text)); COMMENT ON COLUMN t.a IS ''x'';', 'metadata is a column, and a comment a comment'),
	('CREATE TABLE t (a INT, b STRING) WITH (''connector'' = ''print'', ''print-identifier'' = ''me'')',
	 'CREATE TABLE t (a integer, b text); CREATE TRIGGER print BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION flink.print_row(''me'');',
	 'a table that prints has a trigger'),
	('CREATE TABLE t (a INT) WITH (''connector'' = ''blackhole'')',
	 'CREATE TABLE t (a integer); CREATE TRIGGER discard BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION flink.discard_row();',
	 'so has one that keeps nothing'),
	('CREATE TABLE t (a INT, b AS a + 1) WITH (''connector'' = ''filesystem'', ''path'' = ''file:///srv/t.csv'', ''format'' = ''csv'', ''csv.field-delimiter'' = ''|'')',
	 'CREATE TYPE t__row AS (a integer); CREATE VIEW t AS SELECT a, a + 1 AS b FROM flink.filesystem(NULL::t__row, ''/srv/t.csv'', delimiter => ''|'');',
	 'a file is read where it is'),
	('CREATE TABLE t (a INT) WITH (''connector'' = ''datagen'', ''number-of-rows'' = ''3'')',
	 'CREATE TYPE t__row AS (a integer); SELECT flink.check_datagen(NULL::t__row, VARIADIC ARRAY[''number-of-rows'', ''3'']); '
	 'CREATE VIEW t AS SELECT a FROM flink.datagen(NULL::t__row, VARIADIC ARRAY[''number-of-rows'', ''3'']);',
	 'rows are generated'),
	('CREATE TABLE t (a INT) WITH (''connector'' = ''jdbc'', ''table-name'' = ''other'')',
	 'CREATE VIEW t AS SELECT a FROM other;', 'a table of this database is looked at'),
	('CREATE TABLE t (a INT) WITH (''connector'' = ''jdbc'', ''url'' = ''jdbc:postgresql://host/elsewhere'', ''table-name'' = ''x'')',
	 'CREATE TABLE t (a integer);', 'one of another database is not'),
	('CREATE TABLE t (a INT) WITH (''connector'' = ''jdbc'', ''table-name'' = ''T'')', 'CREATE TABLE t (a integer);',
	 'a table of this database that is called alike is made if it is not there'),
	('CREATE TABLE other (a INT) WITH (''connector'' = ''jdbc'', ''table-name'' = ''other'')', '',
	 'and used as it is if it is'),
	('CREATE TABLE t LIKE other', 'CREATE TABLE t (LIKE other INCLUDING ALL);', 'a table may be like another'),
	('CREATE TABLE t (b INT, WATERMARK FOR ts AS ts) LIKE other (OVERWRITING WATERMARKS)',
	 'CREATE TABLE t (LIKE other INCLUDING ALL, b integer); SELECT set_watermark(''t''::regclass, ''ts''::name, ''ts''::text);',
	 'its own watermark takes the place of the other''s'),
	('CREATE TABLE t WITH (''connector'' = ''kafka'') AS SELECT 1 AS a', 'CREATE TABLE t AS SELECT 1 AS a;', 'a table may be made of a query'),
	('CREATE TABLE db.`Odd Name` (`a``b` INT)', 'CREATE TABLE db."Odd Name" ("a`b" integer);', 'names may be odd'),
	('CREATE VIEW v AS SELECT a, COUNT(*) FROM t GROUP BY a', 'CREATE VIEW v AS SELECT a, COUNT(*) AS "EXPR$1" FROM t GROUP BY a;',
	 'a view names all columns'),
	('CREATE VIEW v AS SELECT LOCALTIME, CURRENT_TIMESTAMP, LOCALTIMESTAMP',
	 'CREATE VIEW v AS SELECT date_trunc(''second'', flink.localtimestamp())::time(0) AS "localtime", '
	 'flink.now()::timestamptz(3) AS "current_timestamp", flink.localtimestamp()::timestamp(3);',
	 'clocks give their names to columns'),
	('CREATE TEMPORARY VIEW v (x, y COMMENT ''c'') COMMENT ''d'' AS SELECT 1, 2',
	 'CREATE TEMPORARY VIEW v (x, y) AS SELECT 1, 2; COMMENT ON COLUMN v.y IS ''c'';', 'a view may be given their names'),
	('CREATE VIEW v SELECT 1 AS a', 'CREATE VIEW v AS SELECT 1 AS a;', 'AS may be forgotten'),
	('CREATE VIEW v WATERMARK FOR ts AS ts - INTERVAL ''5'' SECOND AS SELECT ts FROM t',
	 'CREATE VIEW v AS SELECT ts FROM t; SELECT set_watermark(''v''::regclass, ''ts''::name, ''ts - INTERVAL ''''5'''' SECOND''::text);',
	 'a view may have a watermark'),
	('CREATE VIEW v (z) WATERMARK FOR z AS z SELECT ts FROM t',
	 'CREATE VIEW v (z) AS SELECT ts FROM t; SELECT set_watermark(''v''::regclass, ''z''::name, ''z''::text);',
	 'a watermark knows the names of the view'),
	('ALTER VIEW v SET WATERMARK FOR ts AS ts - INTERVAL ''10'' SECOND; ALTER VIEW v DROP WATERMARK',
	 'SELECT set_watermark(''v''::regclass, ''ts''::name, ''ts - INTERVAL ''''10'''' SECOND''::text); SELECT drop_watermark(''v''::regclass);',
	 'a watermark may be set and dropped later'),
	('ALTER TABLE t ADD WATERMARK FOR ts AS ts; ALTER TABLE t MODIFY WATERMARK FOR ts AS ts; ALTER TABLE t MODIFY (WATERMARK FOR ts AS ts); ALTER TABLE t DROP WATERMARK',
	 'SELECT set_watermark(''t''::regclass, ''ts''::name, ''ts''::text); SELECT set_watermark(''t''::regclass, ''ts''::name, ''ts''::text); '
	 'SELECT set_watermark(''t''::regclass, ''ts''::name, ''ts''::text); SELECT drop_watermark(''t''::regclass);',
	 'that of a table too'),
	('ALTER TABLE t ADD (a INT, b STRING COMMENT ''x''); ALTER TABLE t DROP (a, b); ALTER TABLE t RENAME a TO b; ALTER TABLE t RENAME TO u',
	 'ALTER TABLE t ADD COLUMN a integer; ALTER TABLE t ADD COLUMN b text; COMMENT ON COLUMN t.b IS ''x''; ALTER TABLE t DROP COLUMN a; '
	 'ALTER TABLE t DROP COLUMN b; ALTER TABLE t RENAME COLUMN a TO b; ALTER TABLE t RENAME TO u;', 'columns come and go'),
	('DROP TABLE IF EXISTS t; DROP VIEW v; DROP DATABASE IF EXISTS d CASCADE; CREATE DATABASE d; TRUNCATE TABLE t; DELETE FROM t WHERE a = 1; UPDATE t SET a = 1, b = 2',
	 'DROP TABLE IF EXISTS t; DROP VIEW v; DROP SCHEMA IF EXISTS d CASCADE; CREATE SCHEMA d; TRUNCATE TABLE t; DELETE FROM t WHERE a = 1; UPDATE t SET a = 1, b = 2;',
	 'other statements stay, nearly')
) AS c(source, expected, label);

SELECT * FROM finish();
ROLLBACK;
