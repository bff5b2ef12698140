-- Statistics of the schema flink; the results are those that Flink 2.3 gave, unless a comment says otherwise.
\i test/setup.psql
BEGIN;
SELECT plan(17);

SELECT is(got, expected, label)
FROM (SELECT row(flink.var_pop(x), flink.var_samp(x), flink.stddev_pop(x), flink.stddev_samp(x))::text AS i,
		row(flink.var_pop(x::bigint), flink.var_samp(x::bigint), flink.stddev_pop(x::bigint), flink.stddev_samp(x::bigint))::text AS b,
		pg_typeof(flink.var_pop(x))::text AS it, pg_typeof(flink.stddev_samp(x::bigint))::text AS bt
	FROM (VALUES (1), (2), (NULL), (5), (-20)) AS v(x)) AS integers,
LATERAL (SELECT row(flink.var_pop(x), flink.var_samp(x), flink.stddev_pop(x), flink.stddev_samp(x))::text AS s,
		pg_typeof(flink.var_samp(x))::text AS st
	FROM (VALUES (1::smallint), (2::smallint), (5::smallint)) AS v(x)) AS smallints,
LATERAL (SELECT row(flink.var_pop(x), flink.var_samp(x), flink.stddev_pop(x), flink.stddev_samp(x))::text AS n
	FROM (VALUES (1::numeric(10,2)), (2), (5), (-7.25)) AS v(x)) AS numerics,
LATERAL (SELECT row(flink.var_pop(x), flink.var_samp(x), flink.stddev_pop(x), flink.stddev_samp(x))::text AS o
	FROM (VALUES (1::numeric(10,2))) AS v(x)) AS one,
LATERAL (SELECT row(flink.stddev_pop(x), flink.stddev_samp(x))::text AS l
	FROM (VALUES (2000000), (5), (-2000000)) AS v(x)) AS large,
LATERAL (SELECT flink.var_pop(x)::text AS f
	FROM (VALUES (1::float8), (2), (5)) AS v(x)) AS floats,
LATERAL (VALUES
	(i, '(98,131,9,11)', 'statistics of integer are cut'), (it, 'integer', 'and are integers'),
	(b, '(98,131,9,11)', 'statistics of bigint are cut'), (bt, 'bigint', 'and are bigints'),
	(s, '(2,4,1,2)', 'statistics of smallint are cut'), (st, 'smallint', 'and are smallints'),
	(n, '(20.605469,27.473958,4.539325,5.241561)', 'statistics of numeric have six places'),
	(o, '(0.000000,,0.000000,)', 'a sample of one value has no variance'),
	(l, '(1632993,2000000)', 'deviations beyond what an integer can square'),
	(f, '2.888888888888889', 'the variance of double precision')
) AS c(got, expected, label);

-- Flink gave 2147483647.
SELECT throws_ok('SELECT flink.var_pop(x) FROM (VALUES (2000000), (5), (-2000000)) AS v(x)', '22003', 'integer out of range',
	'a variance beyond integer is an error');
SELECT is(flink.var_pop(x), NULL, 'the variance of NULL alone is NULL') FROM (VALUES (NULL::int)) AS v(x);

CREATE TABLE many AS SELECT i, i % 13 AS x FROM generate_series(1, 20000) AS i;
ANALYZE many;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS
$$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query; END $$;
SELECT is(count(*), 1::bigint, 'statistics take part in a parallel plan')
FROM plan_of('SELECT flink.var_pop(x), flink.stddev_samp(x::numeric), flink.var_samp(x::bigint), flink.var_samp(x::float8) FROM many') AS line
WHERE line ~ 'Partial Aggregate';
SELECT is(row(flink.var_pop(x), flink.stddev_samp(x::bigint))::text, row(trunc(var_pop(x)), trunc(stddev_samp(x)))::text,
	'partial results are combined')
FROM many;
SELECT is(count(*) FILTER (WHERE moving IS DISTINCT FROM anew), 0::bigint, 'a moving variance of integer')
FROM (SELECT flink.var_pop(x) OVER (ORDER BY i ROWS 5 PRECEDING) AS moving,
		trunc(var_pop(x) OVER (ORDER BY i ROWS 5 PRECEDING EXCLUDE TIES)) AS anew
	FROM many WHERE i < 500) AS v;

SELECT is(row(flink.stddev_samp(n), flink.stddev_pop(n))::text, '(44721360.651260,40000000.985000)', 'roots of large variances have six places')
FROM (VALUES (12.34), (-99999999.99), (0.05), (0.00), (-2.50)) AS v(n);
SELECT is(flink.stddev_samp(n), 5773502693, 'roots of large variances are cut')
FROM (VALUES (10000000000), (0), (-7)) AS v(n);

SELECT * FROM finish();
ROLLBACK;
