-- Aggregates of the schema flink: types, rounding, NULL, parallel plans, moving frames.
\i test/setup.psql
BEGIN;
SELECT plan(47);

-- What Flink 2.3 gave, with its types.
SELECT is(got, expected, label)
FROM (VALUES ('one')) AS o,
LATERAL (SELECT flink.sum(x::smallint) AS s2, flink.sum(x) AS s4, flink.sum(x::bigint) AS s8,
		flink.avg(x::smallint) AS a2, flink.avg(x) AS a4, flink.avg(x::bigint) AS a8
	FROM (VALUES (1), (2), (5), (NULL), (-9), (-4)) AS v(x)) AS i,
LATERAL (SELECT flink.sum(x::real) AS s4, flink.avg(x::real) AS a4, flink.sum(x::float8) AS s8,
		flink.avg(x::float8) AS a8, flink.sum(x::numeric(10,2)) AS sn,
		flink.avg(x::numeric(10,2)) AS a_2, flink.avg(x::numeric(20,8)) AS a_8,
		flink.avg(x::numeric(10,0)) AS a_0
	FROM (VALUES (1), (2), (5), (NULL)) AS v(x)) AS f,
LATERAL (VALUES
	(i.s2::text, '-5', 'the sum of smallint'),
	(i.s4::text, '-5', 'the sum of integer'),
	(i.s8::text, '-5', 'the sum of bigint'),
	(pg_typeof(i.s2)::text, 'smallint', 'the sum of smallint is smallint'),
	(pg_typeof(i.s4)::text, 'integer', 'the sum of integer is integer'),
	(pg_typeof(i.s8)::text, 'bigint', 'the sum of bigint is bigint'),
	(i.a2::text, '-1', 'the average of smallint is cut towards zero'),
	(i.a4::text, '-1', 'the average of integer is cut towards zero'),
	(i.a8::text, '-1', 'the average of bigint is cut towards zero'),
	(pg_typeof(i.a2)::text, 'smallint', 'the average of smallint is smallint'),
	(pg_typeof(i.a4)::text, 'integer', 'the average of integer is integer'),
	(pg_typeof(i.a8)::text, 'bigint', 'the average of bigint is bigint'),
	(f.s4::text, '8', 'the sum of real'),
	(f.a4::text, '2.6666667', 'the average of real is real'),
	(f.s8::text, '8', 'the sum of double precision'),
	(f.a8::text, '2.6666666666666665', 'the average of double precision'),
	(f.sn::text, '8.00', 'the sum of numeric keeps the scale'),
	(f.a_2::text, '2.666667', 'the average of numeric has six places'),
	(f.a_8::text, '2.66666667', 'or the scale of its input, if that is more'),
	(f.a_0::text, '2.666667', 'six places without a fraction')
) AS c(got, expected, label);

-- Halves, which Flink 2.3 rounds away from zero.
SELECT is(flink.avg(x)::text, expected, label)
FROM (VALUES
	('{0.000001, 0.000000}'::numeric[], '0.000001', 'half of the last place is rounded up'),
	('{-0.000001, 0.000000}', '-0.000001', 'half of the last place is rounded down below zero'),
	('{0.0000005, 0.0000010, 0.0000000}', '0.0000005', 'seven places are kept'),
	('{1, 2, 5, 9, 11, 3, 3.0000000000}', '4.8571428571', 'ten places are kept'),
	('{0.00, 0.00}', '0.000000', 'the average of zeros'),
	('{1.00, -1.00}', '0.000000', 'the average of values that cancel out'),
	-- Flink's DECIMAL has no such values, and no literal of 38 digits for the last.
	('{NaN, 1}', 'NaN', 'the average with NaN'),
	('{Infinity, 1}', 'Infinity', 'the average with infinity'),
	('{99999999999999999999999999999999.000001, 0}', '49999999999999999999999999999999.500001',
		'an average beyond 16 digits')
) AS c(input, expected, label), unnest(input) AS x
GROUP BY input, expected, label
ORDER BY label;

SELECT is(flink.avg(x), expected, label)
FROM (VALUES
	('{9223372036854775807, 9223372036854775806}'::bigint[], 9223372036854775806,
		'the average of bigints is exact'),
	('{9223372036854775807, 9223372036854775807}', 9223372036854775807,
		'the sum inside an average may be beyond bigint'),
	('{3, -3}', 0, 'the average of bigints that cancel out')
) AS c(input, expected, label), unnest(input) AS x
GROUP BY input, expected, label
ORDER BY label;

-- Flink wraps around.
SELECT throws_ok('SELECT ' || call, '22003', message, label)
FROM (VALUES
	('flink.sum(x::smallint) FROM (VALUES (32767), (1)) AS v(x)', 'smallint out of range',
		'a sum beyond smallint is an error'),
	('flink.sum(x) FROM (VALUES (2147483647), (1)) AS v(x)', 'integer out of range',
		'a sum beyond integer is an error'),
	('flink.sum(x) FROM (VALUES (9223372036854775807), (1)) AS v(x)', 'bigint out of range',
		'a sum beyond bigint is an error'),
	('flink.sum(x) OVER (ROWS 1 PRECEDING) FROM (VALUES (2147483647), (1)) AS v(x)',
		'integer out of range', 'a sum of a moving frame beyond integer is an error')
) AS c(call, message, label);

SELECT is(row(flink.sum(x), flink.avg(x), flink.sum(x::int), flink.avg(x::int), flink.sum(x::numeric),
		flink.avg(x::numeric), flink.avg(x::real), flink.first_value(x), flink.last_value(x))::text,
	'(,,,,,,,,)', 'of NULL alone, every aggregate is NULL')
FROM (VALUES (NULL::bigint), (NULL)) AS v(x);

SELECT is(row(flink.first_value(x ORDER BY n), flink.last_value(x ORDER BY n))::text, '(b,a)',
	'the first and the last value skip NULL')
FROM (VALUES (1, NULL), (2, 'b'), (3, 'c'), (4, 'a'), (5, NULL)) AS v(n, x);

SELECT is(row(min(x), max(x), min(x) FILTER (WHERE x), max(x) FILTER (WHERE NOT x),
		min(x) FILTER (WHERE x IS NULL))::text,
	'(f,t,t,f,)', 'false is less than true, NULL is skipped')
FROM (VALUES (true), (false), (NULL)) AS v(x);

-- Parallel plans, and the same results.
CREATE TABLE many AS
SELECT i, i % 7 AS k, (i * 7919 % 1000 - 500)::numeric(10,2) / 4 AS n, i % 3 = 0 AS b
FROM generate_series(1, 20000) AS i;
ANALYZE many;
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS
$$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query; END $$;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;

\set integers 'flink.avg(i::smallint), flink.sum(i), flink.avg(i), flink.sum(i::bigint), flink.avg(i::bigint)'
\set others 'flink.sum(n), flink.avg(n), flink.avg(i::real), flink.sum(i::float8), flink.avg(i::float8), min(b), max(b)'

SELECT is(count(*), 1::bigint, 'the aggregates take part in a parallel plan')
FROM plan_of('SELECT ' || :'integers' || ', ' || :'others' || ' FROM many') AS line
WHERE line ~ 'Partial Aggregate';

CREATE TEMPORARY TABLE in_parallel AS
SELECT flink.avg(i) AS a4, flink.sum(i) AS s4, flink.sum(i::bigint) AS s8, flink.avg(i::bigint) AS a8,
	flink.sum(n) AS sn, flink.avg(n) AS an, min(b) AS b
FROM many;
SELECT is(p::text, row(sum(i) / count(*), sum(i), sum(i), sum(i) / count(*), sum(n),
		round(sum(n) / count(*), scale(sum(n))), bool_and(many.b))::text,
	'partial results are combined')
FROM many, in_parallel AS p
GROUP BY p;

-- Moving frames: inverse transitions give what a frame computed anew gives.
\set frame '(ORDER BY i ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING)'
\set anew '(ORDER BY i ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE TIES)'
SELECT is(count(*) FILTER (WHERE moving IS DISTINCT FROM anew), 0::bigint, label)
FROM (
	SELECT v.*
	FROM (SELECT flink.sum(i) OVER moving AS s4m, trunc(sum(i) OVER anew) AS s4a,
			flink.avg(i) OVER moving AS a4m, trunc(avg(i) OVER anew) AS a4a,
			flink.sum(n) OVER moving AS snm, sum(n) OVER anew AS sna,
			flink.avg(i::bigint) OVER moving AS a8m, trunc(avg(i) OVER anew) AS a8a,
			flink.sum(i::bigint) OVER moving AS s8m, sum(i) OVER anew AS s8a,
			min(b) OVER moving AS bm, bool_and(b) OVER anew AS ba
		FROM many WHERE i <= 500
		WINDOW moving AS :frame, anew AS :anew) AS w,
	LATERAL (VALUES
		(s4m::text, s4a::text, 'a moving sum of integer'), (a4m::text, a4a::text, 'a moving average of integer'),
		(snm::text, sna::text, 'a moving sum of numeric'), (a8m::text, a8a::text, 'a moving average of bigint'),
		(s8m::text, s8a::text, 'a moving sum of bigint'), (bm::text, ba::text, 'a moving minimum of boolean')
	) AS v(moving, anew, label)) AS c
GROUP BY label
ORDER BY label;

SELECT * FROM finish();
ROLLBACK;
