-- Types that stand for ROW: called after their column, and found by what the column is.
\i test/setup.psql
BEGIN;
SELECT plan(21);
SET client_min_messages = error;

CREATE FUNCTION pg_temp.types(beginning text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relkind = 'c' AND starts_with(relname, beginning)
$$;
CREATE FUNCTION pg_temp.columns(relation regclass) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('%s %s', attname, format_type(atttypid, NULL)), ', ' ORDER BY attnum) FROM pg_attribute
	WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped
$$;

-- Columns with names that begin alike
CALL flink_execute($$
	CREATE TABLE alike (r ROW<a INT, b ROW<c STRING>>, r_b ROW<q INT>, r__b ROW<q INT>, `source` ROW<x INT>, `row` ROW<x INT>, r_x INT);
	ALTER TABLE alike DROP r_x;
$$);
SELECT is(pg_temp.columns('alike'), 'r alike__r, r_b alike__r_b, r__b alike__r__b_1, source alike__source_1, row alike__row_1', 'each has a type of its own');
SELECT is(pg_temp.types('alike'), 'alike__r alike__r__b alike__r__b_1 alike__r_b alike__row_1 alike__source_1', 'and only those are there');
CALL flink_execute('ALTER TABLE alike RENAME r_b TO s; ALTER TABLE alike DROP r__b');
SELECT is(pg_temp.types('alike'), 'alike__r alike__r__b alike__row_1 alike__s alike__source_1', 'types go, and are renamed, with their own column');
CALL flink_execute('ALTER TABLE alike RENAME r TO t');
SELECT is(pg_temp.types('alike'), 'alike__row_1 alike__s alike__source_1 alike__t alike__t__b', 'with those within');
CALL flink_execute('ALTER TABLE alike DROP (t, `source`); ALTER TABLE alike RENAME TO other');
SELECT is(pg_temp.types('alike'), NULL, 'and with their table');
SELECT is(pg_temp.columns('other'), 's other__s, row other__row_1', 'whose columns have them');
CALL flink_execute('DROP TABLE other');
SELECT is(pg_temp.types('other'), NULL, 'all of them go');
CALL flink_execute('CREATE TABLE status (r ROW<a INT>); CREATE TABLE status_r (a INT)');
SELECT is(pg_temp.columns('status_r'), 'a integer', 'a table may be called like a table and its column');
CREATE TYPE by_hand__r AS (a int);
CALL flink_execute('CREATE TABLE by_hand (r ROW<b INT>)');
SELECT is(pg_temp.columns('by_hand'), 'r by_hand__r_1', 'a name that is taken gets a number');
CALL flink_execute('DROP TABLE by_hand');
SELECT is(pg_temp.types('by_hand'), 'by_hand__r', 'and what has the name stays');
CREATE TYPE point AS (x int);
CREATE TABLE hand_made (p point, l point[]);
CALL flink_execute('ALTER TABLE hand_made DROP p; DROP TABLE hand_made');
SELECT has_type('point', 'a type that was made by hand stays');

-- Long names
CALL flink_execute(format('CREATE TABLE %1$s (%2$s ROW<%2$s ROW<a INT>, b ROW<c INT>>); ALTER TABLE %1$s RENAME %2$s TO s', repeat('t', 60), repeat('c', 60)));
SELECT matches(pg_temp.types('tttt'), '^(t{60}__[s\d] ?){3}$', 'names that are too long are cut, and numbered');
CALL flink_execute(format('DROP TABLE %s', repeat('t', 60)));
SELECT is(pg_temp.types('tttt'), NULL, 'and found again');

-- Copies
CALL flink_execute($$
	CREATE TABLE one (r ROW<a ROW<b INT>>, l ARRAY<ROW<c INT>>, n INT);
	INSERT INTO one VALUES (ROW(ROW(1)), NULL, 3);
	CREATE TABLE copied AS SELECT r FROM one;
	CREATE TABLE alike LIKE one;
	ALTER TABLE one DROP r;
	DROP TABLE one;
$$);
SELECT results_eq('SELECT ((r).a).b FROM copied', 'VALUES (1)', 'a copy keeps its rows');
SELECT is(pg_temp.types('one'), 'one__l one__r one__r__a', 'a type that a copy has is left');
CALL flink_execute('CREATE TABLE one (r ROW<a INT>); DROP TABLE one; DROP TABLE copied; DROP TABLE alike');
SELECT is(pg_temp.types('one'), 'one__l one__r one__r__a', 'and goes with no other table');
CALL flink_execute('CREATE TABLE seen (r ROW<a INT>, f AS r, m AS CARDINALITY(ARRAY[r])); DROP TABLE seen');
SELECT is(pg_temp.types('seen'), NULL, 'what stands for the table is no copy');
CALL flink_execute('CREATE TABLE drawn (r ROW<a INT>) WITH (''connector'' = ''datagen''); DROP TABLE drawn');
SELECT is(pg_temp.types('drawn'), NULL, 'nor is the type of rows that are read');

-- In flink_sql() it is kept in mind
SELECT is(regexp_replace(flink_sql(source), '\s+', ' ', 'g'), expected, source)
FROM (VALUES
	('CREATE TABLE t (r ROW<a INT>); DROP TABLE t; CREATE TABLE t (r ROW<b INT>)',
	 'CREATE TYPE t__r AS (a integer); CREATE TABLE t ( r t__r ); DROP TABLE t; DROP TYPE t__r; CREATE TYPE t__r AS (b integer); CREATE TABLE t ( r t__r );'),
	('CREATE TABLE t (r ROW<a INT>); CREATE TABLE c LIKE t; DROP TABLE t; CREATE TABLE t (r ROW<b INT>)',
	 'CREATE TYPE t__r AS (a integer); CREATE TABLE t ( r t__r ); CREATE TABLE c ( LIKE t INCLUDING ALL ); DROP TABLE t; CREATE TYPE t__r_1 AS (b integer); CREATE TABLE t ( r t__r_1 );'),
	('CREATE TABLE t (r ROW<a INT>, s ROW<a INT>); ALTER TABLE t RENAME r TO q; ALTER TABLE t DROP q',
	 'CREATE TYPE t__r AS (a integer); CREATE TYPE t__s AS (a integer); CREATE TABLE t ( r t__r, s t__s ); ALTER TABLE t RENAME COLUMN r TO q; ALTER TYPE t__r RENAME TO t__q; ALTER TABLE t DROP COLUMN q; DROP TYPE t__q;')
) AS c(source, expected);

SELECT * FROM finish();
ROLLBACK;
