-- Generated rows, INSERT INTO a table with a key, and rows in columns, as Flink SQL.
\i test/setup.psql
BEGIN;
SELECT plan(11);

-- Generated rows, aggregated into a table with a key.
CALL flink_execute($$
	CREATE TABLE generated_goods (
	 ware STRING,
	 cents BIGINT
	) WITH (
	 'connector' = 'datagen',
	 'rows-per-second' = '5',
	 'fields.ware.length' = '1',
	 'fields.cents.min' = '1',
	 'fields.cents.max' = '9'
	);
	CREATE TABLE ware_totals (
	 ware STRING,
	 count_result BIGINT,
	 sum_result BIGINT,
	 avg_result DOUBLE,
	 min_result BIGINT,
	 max_result BIGINT,
	 PRIMARY KEY (`ware`) NOT ENFORCED
	) WITH (
	 'connector' = 'upsert-kafka',
	 'topic' = 'totals',
	 'properties.bootstrap.servers' = 'localhost:9092',
	 'key.format' = 'json',
	 'value.format' = 'json'
	);
$$);
CREATE FUNCTION pg_temp.insert_totals() RETURNS void LANGUAGE plpgsql AS $f$
BEGIN
	CALL flink_execute($$
		insert into ware_totals
		select ware,
		 count(*) as count_result,
		 sum(cents) as sum_result,
		 avg(cents) as avg_result,
		 min(cents) as min_result,
		 max(cents) as max_result
		from generated_goods
		group by ware
	$$);
END
$f$;
SELECT lives_ok('SELECT pg_temp.insert_totals()', 'generated rows are aggregated into a table');
SELECT bag_eq('TABLE ware_totals', $$
	SELECT ware, count(*), sum(cents)::bigint, trunc(avg(cents))::float8, min(cents), max(cents) FROM generated_goods GROUP BY ware
$$, 'the average of whole numbers is one');
SELECT results_eq('SELECT sum(count_result) > 0, min(min_result) >= 1, max(max_result) <= 9, max(length(ware)) FROM ware_totals',
	'VALUES (true, true, true, 1)', 'generated values are within their bounds');
UPDATE ware_totals SET count_result = 0;
SELECT lives_ok('SELECT pg_temp.insert_totals()', 'the statement may run again');
SELECT bag_eq('SELECT ware, count_result FROM ware_totals', 'SELECT ware, count(*) FROM generated_goods GROUP BY ware',
	'and its rows replace those with their keys');

-- Coupons of the day so far: generated rows are stamped with the present.
CALL flink_execute($$
	CREATE TABLE coupons (
	 id BIGINT,
	 money BIGINT,
	 row_time AS cast(CURRENT_TIMESTAMP as timestamp_LTZ(3)),
	 WATERMARK FOR row_time AS row_time - INTERVAL '5' SECOND
	) WITH (
	 'connector' = 'datagen',
	 'rows-per-second' = '3',
	 'fields.id.min' = '1',
	 'fields.id.max' = '4',
	 'fields.money.min' = '1',
	 'fields.money.max' = '50'
	);
	CREATE VIEW coupons_so_far AS
	SELECT UNIX_TIMESTAMP(CAST(window_end AS STRING)) * 1000 as window_end,
	      window_start,
	      sum(money) as sum_money,
	      count(distinct id) as count_distinct_id
	FROM TABLE(CUMULATE(
	         TABLE coupons
	         , DESCRIPTOR(row_time)
	         , INTERVAL '5' SECOND
	         , INTERVAL '1' DAY))
	GROUP BY window_start,
	        window_end;
$$);
SELECT results_eq('SELECT name, type FROM describe(''coupons'')',
	$$ VALUES ('id', 'BIGINT'), ('money', 'BIGINT'), ('row_time', 'TIMESTAMP_LTZ(3) *ROWTIME*') $$, 'the present is a rowtime');
SELECT results_eq($$
	SELECT DISTINCT window_end % 5000, window_start = date_trunc('day', statement_timestamp()), sum_money, count_distinct_id FROM coupons_so_far
$$, $$ SELECT 0::bigint, true, sum(money)::bigint, count(DISTINCT id) FROM coupons $$, 'each five seconds have the money of the day so far');
SELECT is((SELECT max(window_end) FROM coupons_so_far), extract(epoch FROM date_trunc('day', statement_timestamp()) + INTERVAL '1 day')::bigint * 1000,
	'up to midnight');

-- A composite type, and functions of one's own instead of Java's.
CALL flink_execute($$
	CREATE TABLE ids (
	    id BIGINT NOT NULL COMMENT 'of a member'
	) WITH (
	  'connector' = 'datagen',
	  'rows-per-second' = '1',
	  'fields.id.min' = '1',
	  'fields.id.max' = '9'
	);
	CREATE TABLE profiles (
	    profile ROW<years INT, label STRING, totalBalance DECIMAL(10, 2)>,
	    label STRING
	);
$$);
CREATE FUNCTION profile_of(id bigint) RETURNS profiles__profile
RETURN ROW(id::int, CASE WHEN id <= 5 THEN 'low' ELSE 'high' END, 1.1)::profiles__profile;
CREATE FUNCTION profile_of(profile profiles__profile) RETURNS text
RETURN (profile).label;
CALL flink_execute($$
	INSERT INTO profiles
	select
	    profile_of(id) as profile,
	    profile_of(profile_of(id)) as label
	from (VALUES (2), (8)) AS ids (id)
	UNION ALL SELECT profile_of(id), 'generated' FROM ids;
$$);
SELECT bag_eq($$ SELECT profile::text, label FROM profiles WHERE label <> 'generated' $$,
	$$ VALUES ('(2,low,1.10)', 'low'), ('(8,high,1.10)', 'high') $$, 'a function gives and takes a row');
SELECT results_eq($$ SELECT col_description('ids'::regclass, 1) $$, $$ VALUES ('of a member') $$, 'a column has its comment');
SELECT throws_ok($$ SELECT flink_sql('CREATE FUNCTION profile_of AS ''org.example.ProfileOf''') $$,
	'0A000', 'CREATE FUNCTION of Flink SQL is not supported', 'a function in Java is none here');

SELECT * FROM finish();
ROLLBACK;
