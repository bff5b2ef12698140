-- datagen: what is wrong with its options is said with the option's name and value.
\i test/setup.psql
BEGIN;
SELECT plan(60);
CREATE TYPE sub AS (x int, y text);
CREATE TYPE t AS (i int, s smallint, l bigint, n numeric(5, 2), r real, b boolean, v varchar(4), c char(3), y bytea, ts timestamp(3), a int[], p sub);

CREATE FUNCTION pg_temp.refused(options text[], wanted text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	RETURN throws_ok(format('SELECT flink.check_datagen(NULL::t, VARIADIC %L::text[])', options), '22023', wanted, wanted);
END $$;

-- Values that cannot be read
SELECT pg_temp.refused(ARRAY[key, value], format('invalid value "%s" of option "%s"', value, key))
FROM (VALUES
	('rows-per-second', '0'), ('rows-per-second', '-1'), ('rows-per-second', '1.5'), ('rows-per-second', ''), ('rows-per-second', '99999999999999999999'),
	('number-of-rows', '-1'), ('number-of-rows', 'ten'), ('seed', 'x'), ('start-time', '2024-02-30'), ('start-time', '2024-01-01 24:00'),
	('start-time', '2024-01-01 10:00:00 PST'), ('start-time', 'now'), ('start-time', '01.02.2024'), ('fields.i.kind', 'gaussian'),
	('fields.i.min', '2147483648'), ('fields.i.max', '1e3'), ('fields.s.min', '-32769'), ('fields.l.max', '9223372036854775808'),
	('fields.n.max', '1000'), ('fields.n.min', 'nan'), ('fields.n.min', '0x10'), ('fields.r.max', '1e39'), ('fields.r.max', 'infinity'),
	('fields.i.null-rate', '2'), ('fields.i.null-rate', '-0.1'), ('fields.v.length', '5'), ('fields.v.length', '0'), ('fields.v.var-len', 'yes'),
	('fields.y.length', '10485761'), ('fields.ts.max-past', '10 fortnights'), ('fields.ts.max-past', '-1 s'), ('fields.ts.max-past', '1 s 5 ms'),
	('fields.ts.max-past', '9223372036854775807 d'), ('fields.a.length', '-1'), ('fields.p.x.max', 'a'), ('fields.a.element.max', '')
) AS c(key, value);

-- Options that there are not
SELECT pg_temp.refused(ARRAY[key, '1'], format('connector "datagen" has no option "%s" for these columns', key))
FROM (VALUES
	('rows'), ('fields.z.min'), ('fields.i.length'), ('fields.b.min'), ('fields.c.length'), ('fields.i.start'), ('fields.p.z.min')
) AS c(key);

-- Options that do not go together
SELECT throws_ok(format('SELECT flink.check_datagen(NULL::t, VARIADIC %L::text[])', options), code, message, label)
FROM (VALUES
	('{fields.i.min,2,fields.i.max,1}', '22023', 'option "fields.i.min" is greater than "fields.i.max"', 'an empty range'),
	('{fields.r.max,-1}', '22023', 'option "fields.r.min" is greater than "fields.r.max"', 'numbers start at 0'),
	('{fields.i.kind,sequence,fields.i.end,1}', '22023', 'option "fields.i.start" is missing', 'a sequence without a start'),
	('{fields.i.kind,sequence,fields.i.start,2,fields.i.end,1}', '22023', 'option "fields.i.start" is greater than "fields.i.end"', 'a sequence backwards'),
	('{fields.s.kind,sequence,fields.s.start,1,fields.s.end,32768}', '22023', 'invalid value "32768" of option "fields.s.end"', 'a sequence beyond its type'),
	('{fields.c.kind,sequence,fields.c.start,1,fields.c.end,1000}', '22023', 'invalid value "1000" of option "fields.c.end"', 'a sequence longer than its type'),
	('{fields.n.kind,sequence,fields.n.start,-1000,fields.n.end,1}', '22023', 'invalid value "-1000" of option "fields.n.start"', 'a sequence of too many digits'),
	('{fields.b.kind,sequence,fields.b.start,1,fields.b.end,2}', '0A000', 'connector "datagen" has no sequence values of type boolean for "b"', 'a sequence of booleans'),
	('{seed}', '22023', 'option "seed" has no value', 'a key without a value'),
	('{seed,NULL}', '22004', 'keys and values of options must not be null', 'a value that is NULL')
) AS c(options, code, message, label);

-- Types
CREATE TYPE with_map AS (id int, m jsonb);
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE TYPE with_domain AS (p positive, a positive[]);
CREATE TYPE with_maps AS (id int, p with_map[]);
SELECT throws_ok(query, code, message, label)
FROM (VALUES
	('SELECT flink.check_datagen(NULL::with_map)', '0A000', 'connector "datagen" has no random values of type jsonb for "m"', 'a type that is not generated'),
	('SELECT flink.check_datagen(NULL::with_maps)', '0A000', 'connector "datagen" has no random values of type jsonb for "p.element.m"', 'nor in a row'),
	('SELECT * FROM flink.datagen(NULL::with_domain, ''fields.p.min'', ''-2'', ''fields.p.max'', ''-1'')', '23514',
	 'value for domain positive violates check constraint "positive_check"', 'a value that its domain does not have'),
	('SELECT * FROM flink.datagen(NULL::with_domain, ''fields.p.min'', ''1'', ''fields.a.element.max'', ''0'', ''fields.a.element.min'', ''0'')', '23514',
	 'value for domain positive violates check constraint "positive_check"', 'nor an element'),
	('SELECT flink.datagen(1)', '42804', 'argument "rel" of datagen is of type integer, not of a table''s row type', 'no row type'),
	('SELECT * FROM flink.datagen(NULL::t, ''rows'', ''1'')', '22023', 'connector "datagen" has no option "rows" for these columns', 'a scan raises the errors of the check'),
	('EXPLAIN SELECT * FROM flink.datagen(NULL::t, ''rows'', ''1'')', '22023', 'connector "datagen" has no option "rows" for these columns', 'a plan too')
) AS c(query, code, message, label);
SELECT * FROM finish();
ROLLBACK;
