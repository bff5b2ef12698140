-- datagen: the same options give the same rows, within what they ask for.
\i test/setup.psql
BEGIN;
SELECT plan(30);
CREATE TYPE price_row AS (sku_id text, price bigint);
CREATE TYPE part AS (x int, y text);
CREATE TYPE every AS (
	b boolean, s smallint, i int, l bigint, n numeric(5, 2), r real, d double precision, t text, v varchar(4), c char(3),
	y bytea, day date, clock time(0), ts timestamp(3), tz timestamptz(3), a int[], p part, q part[]);

-- Values that never change
SELECT results_eq($$ SELECT * FROM flink.datagen(NULL::price_row, VARIADIC ARRAY[
	'rows-per-second', '1', 'number-of-rows', '3', 'fields.price.min', '1', 'fields.price.max', '1000000', 'fields.sku_id.length', '4']) $$,
	$$ VALUES ('8ce4', 237127::bigint), ('281e', 125550::bigint), ('1c16', 743288::bigint) $$, 'rows are a function of the options');
SELECT results_eq($$ SELECT * FROM flink.datagen(NULL::price_row, 'seed', '7', 'number-of-rows', '2', 'fields.sku_id.length', '4') $$,
	$$ VALUES ('b57c', 5356271817093954539::bigint), ('bde8', -6283045895966666663::bigint) $$, 'another seed gives other rows');
SET timezone = 'Asia/Kolkata';
SET datestyle = 'German';
SELECT is(e::text, E'(t,-15133,-1817733510,-1164091373087083832,353.15,2.8711682e+38,5.346597692503794e+307,15775,aab1,f32,"\\\\x6a0761",30.06.2025,12:30:15,"30.06.2025 12:28:52.437","30.06.2025 18:00:15.5 IST","{1571924692,1563202354,-2051666448}","(1197807231,e61)","{""(-594603141,5b)"",""(-2132648738,c5)"",""(398109359,d3)""}")',
	'every type has values')
FROM flink.datagen(NULL::every, 'number-of-rows', '1', 'fields.t.length', '5', 'fields.y.length', '3', 'fields.p.y.length', '3',
	'fields.q.element.y.length', '2', 'fields.ts.max-past', '10 min',
				   'start-time', '2025-06-30 12:30:15.5') AS e;
RESET timezone;
RESET datestyle;
SELECT set_eq('SELECT * FROM flink.datagen(NULL::price_row)', 'SELECT * FROM flink.datagen(NULL::price_row)', 'two scans give the same rows');

-- How many
SELECT is((SELECT count(*) FROM flink.datagen(NULL::price_row, VARIADIC options::text[])), expected::bigint, label)
FROM (VALUES
	('{}', 100000, 'without an end, ten seconds at 10000 rows'),
	('{rows-per-second,3}', 30, 'ten seconds at the given rate'),
	('{number-of-rows,0}', 0, 'no rows'),
	('{number-of-rows,5,rows-per-second,1}', 5, 'the number of rows goes before the rate'),
	('{fields.price.kind,sequence,fields.price.start,-1,fields.price.end,3}', 5, 'a sequence ends the table'),
	('{fields.price.kind,sequence,fields.price.start,1,fields.price.end,9,fields.sku_id.kind,sequence,fields.sku_id.start,1,fields.sku_id.end,4}', 4,
	 'of several sequences, the shortest does'),
	('{number-of-rows,2,fields.price.kind,sequence,fields.price.start,-9223372036854775808,fields.price.end,9223372036854775807}', 2,
	 'the number of rows ends a sequence')
) AS c(options, expected, label);

-- Within the options
CREATE TABLE sample AS SELECT * FROM flink.datagen(NULL::every, 'number-of-rows', '2000', 'rows-per-second', '10',
	'fields.s.min', '-2', 'fields.s.max', '2', 'fields.l.min', '5', 'fields.l.max', '5', 'fields.n.min', '-1.005', 'fields.n.max', '1.005',
	'fields.r.min', '-1', 'fields.r.max', '1', 'fields.t.length', '3', 'fields.t.var-len', 'true', 'fields.a.length', '2',
	'fields.a.element.min', '0', 'fields.a.element.max', '9', 'fields.p.null-rate', '0.25', 'fields.ts.max-past', '1 s', 'FIELDS.Q.Element.Y.Length', '2');
SELECT ok(held, label)
FROM (SELECT
	ARRAY[
		(min(s), max(s), count(DISTINCT s)) = (-2, 2, 5), (min(l), max(l)) = (5, 5), (min(n), max(n)) = (-1.00, 1.00),
		min(r) BETWEEN -1 AND -0.99 AND max(r) BETWEEN 0.99 AND 1, bool_and(t ~ '^[0-9a-f]{1,3}$') AND count(DISTINCT length(t)) = 3,
		bool_and(v ~ '^[0-9a-f]{4}$' AND c ~ '^[0-9a-f]{3}$' AND length(y) = 100),
		bool_and(a[1] BETWEEN 0 AND 9 AND a[2] BETWEEN 0 AND 9 AND array_length(a, 1) = 2), bool_or(a[1] <> a[2]),
		count(p) BETWEEN 1400 AND 1600, bool_and(length((q[3]).y) = 2 AND array_length(q, 1) = 3), bool_or(b) AND NOT bool_and(b),
		(min(tz), max(tz)) = (timestamptz '2024-01-01 00:00:00Z', timestamptz '2024-01-01 00:03:19.9Z'),
		bool_and(tz AT TIME ZONE 'UTC' - ts BETWEEN '0' AND '1 s') AND count(DISTINCT tz AT TIME ZONE 'UTC' - ts) > 500] AS all_held,
	ARRAY['small integers have all values from min to max', 'min and max may be equal', 'decimals are rounded inwards', 'numbers span min and max',
		'texts of a length that varies', 'types have lengths', 'arrays have elements within their options', 'elements differ',
		'a part of the values is NULL', 'an option reaches into rows of arrays, in any case', 'booleans are true and false', 'times advance with the rows',
		'times are pulled back by less than max-past'] AS labels
	FROM sample) AS c, unnest(c.all_held, c.labels) AS u(held, label);

-- Sequences of all types
CREATE TYPE sequences AS (s smallint, n numeric(5, 2), d double precision, t text, c char(3), y bytea);
SELECT results_eq(format('SELECT * FROM flink.datagen(NULL::sequences, VARIADIC %L)', (
		SELECT array_agg(o ORDER BY f, i)
		FROM unnest('{s,n,d,t,c,y}'::text[]) AS f,
			unnest(ARRAY['fields.' || f || '.kind', 'sequence', 'fields.' || f || '.start', '9', 'fields.' || f || '.end', '10']) WITH ORDINALITY AS u(o, i))),
	$$ VALUES (9::smallint, 9.00, 9::float8, '9', '9  '::char(3), '\x0000000000000009'::bytea),
			  (10::smallint, 10.00, 10::float8, '10', '10 '::char(3), '\x000000000000000a'::bytea) $$, 'sequences count in every type');

-- The planner, and rights of way
CREATE VIEW prices AS SELECT price FROM flink.datagen(NULL::price_row, VARIADIC ARRAY['number-of-rows', '77']);
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN ' || query; END $$;
SELECT matches(p, 'rows=77 ', 'the planner knows the number of rows') FROM pg_temp.plan_of('SELECT * FROM prices') AS p;
SELECT is(flink.check_datagen(NULL::price_row, 'number-of-rows', '3')::text, '', 'right options pass the check');
SET LOCAL work_mem = '64kB';
SELECT is((SELECT count(*) FROM flink.datagen(NULL::price_row, 'number-of-rows', '5000')), 5000::bigint, 'rows beyond work_mem');
CREATE FUNCTION pg_temp.is_cancelled(query text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN false;
EXCEPTION WHEN query_canceled THEN
	RETURN true;
END $$;
SET LOCAL statement_timeout = '50ms';
SELECT ok(pg_temp.is_cancelled($$ SELECT FROM flink.datagen(NULL::price_row, 'number-of-rows', '1000000000') $$), 'a long scan can be cancelled');
RESET statement_timeout;
SELECT is((SELECT count(*) FROM flink.datagen(NULL::price_row, VARIADIC NULL)), 100000::bigint, 'no array is no options');
SELECT * FROM finish();
ROLLBACK;
