\i test/setup.psql
BEGIN;
SELECT no_plan();

CREATE TABLE o (id bigint, d date, ts timestamp(3), tz timestamptz, other_ts timestamp);
CREATE TABLE p (id bigint, ts timestamp(3));
CREATE DOMAIN moment AS timestamp(3);
CREATE TABLE m (at moment);

CREATE FUNCTION pg_temp.refusal(sql text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
BEGIN
	EXECUTE sql;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN state || ': ' || coalesce(nullif(detail, ''), message);
END $$;
-- Types of rowtime and strategy
SELECT throws_ok(format('SELECT watermark FROM o, APPLY_WATERMARK(o, DESCRIPTOR(%s), %s)', rowtime, strategy),
				 '42804', message, format('rowtime %s, strategy %s', rowtime, strategy))
FROM (VALUES
	('id', 'ts', 'column "id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('d', 'd', 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('d', 'd - INTERVAL ''5 s''', 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('ts', 'd', 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)'),
	('ts', 'INTERVAL ''5 s''', 'watermark strategy must be of type TIMESTAMP or TIMESTAMP_LTZ (it is interval)'),
	('ts', 'id - 5', 'watermark strategy must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)'),
	('ts', 'tz', 'watermark strategy must be of the type of its rowtime'),
	('tz', 'ts', 'watermark strategy must be of the type of its rowtime'),
	('tz', 'ts - INTERVAL ''5 s''', 'watermark strategy must be of the type of its rowtime'),
	('id::text', 'id::text', 'rowtime must be of type TIMESTAMP or TIMESTAMP_LTZ (it is text)')
) AS c(rowtime, strategy, message);
SELECT throws_ok('SELECT id FROM o, APPLY_WATERMARK(o, DESCRIPTOR(d), d)', '42804', NULL,
				 'the types are checked where nobody reads the watermark');
SELECT lives_ok('SELECT watermark FROM m, APPLY_WATERMARK(m, DESCRIPTOR(at), at)',
				'a domain over timestamp is a timestamp');

-- The marker
SELECT throws_ok('SELECT 1 FROM o WHERE watermark_for(id, id)', '42804',
				 'column "id" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)', 'a marker on a bigint');
SELECT throws_ok('SELECT 1 FROM o WHERE watermark_for(ts, tz)', '42804',
				 'watermark strategy must be of the type of its rowtime', 'a marker with two kinds of timestamp');
SELECT throws_ok('SELECT 1 FROM o WHERE watermark_for(d, d)', '42804',
				 'column "d" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)', 'a marker on a date');
SELECT lives_ok('SELECT 1 FROM o WHERE watermark_for(ts, ''-infinity'') AND watermark_for(tz, NULL) AND watermark_for(NULL, ts)', 'literals take the type of the other argument');
SELECT lives_ok('ALTER TABLE o ADD CHECK (watermark_for(ts, ts - INTERVAL ''5'' SECOND))', 'a marker in a table');
SELECT lives_ok('INSERT INTO o VALUES (1, NULL, NULL, NULL), (2, NULL, ''infinity'', NULL), (3, NULL, ''2024-01-01'', NULL)',
				'the marker lets any row pass');

-- A table's marker is no matter to other tables of a query.
CREATE TABLE parent (url text, b int, ct timestamp, CHECK (watermark_for(ct, ct - INTERVAL '5' SECOND))) PARTITION BY LIST (b);
CREATE TABLE part PARTITION OF parent FOR VALUES IN (1);
CREATE TABLE one (a int);
SELECT lives_ok('SELECT * FROM one, parent WHERE url = ''a''', 'a marker in a partitioned table');
SET LOCAL constraint_exclusion = on;
SELECT lives_ok('SELECT * FROM (VALUES (1)) AS v(x), one, part WHERE url = ''a''', 'a marker under constraint_exclusion');
CREATE TABLE wrong (a int, d date, CHECK (watermark_for(d, d)));
SELECT throws_ok('INSERT INTO wrong VALUES (1, ''2024-01-01'')', '42804',
				 'rowtime must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)', 'a CHECK of a wrong type');
SELECT is(pg_temp.refusal('SELECT count(*) FROM p AS x1, o AS a, LATERAL (SELECT * FROM p, TUMBLE(p, DESCRIPTOR(a.d), INTERVAL ''1 min'')) AS x'),
		  '42804: time column must be of type TIMESTAMP or TIMESTAMP_LTZ (it is date)', 'a time of a wrong type from outside');
SELECT lives_ok('SELECT count(*) FROM p AS x1, o AS a, LATERAL (SELECT * FROM p, TUMBLE(p, DESCRIPTOR(a.ts), INTERVAL ''1 min'')) AS x', 'a time from outside a subquery');
RESET constraint_exclusion;

-- Items that cannot be used, and what to write instead
SELECT is(pg_temp.refusal(sql), expected, sql)
FROM (VALUES
	('SELECT watermark FROM o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) FOR UPDATE',
	 '0A000: The rows of the input are locked by FOR UPDATE or FOR SHARE.'),
	('SELECT watermark FROM o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) FOR SHARE OF o',
	 '0A000: The rows of the input are locked by FOR UPDATE or FOR SHARE.'),
	('SELECT watermark FROM (o JOIN p USING (id)) AS j, APPLY_WATERMARK(j, DESCRIPTOR(j.tz), j.tz)',
	 '0A000: The input is a join.'),
	('SELECT ctid, watermark FROM o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)',
	 '0A000: The query reads a system column of the input.'),
	('SELECT o.tableoid, is_behind FROM o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)',
	 '0A000: The query reads a system column of the input.'),
	('SELECT o, watermark FROM p LEFT JOIN o USING (id), APPLY_WATERMARK(o, DESCRIPTOR(o.ts), o.ts)',
	 '0A000: The row of the input is used as a value beside an outer join.'),
	('SELECT (SELECT count(watermark) FROM APPLY_WATERMARK(o, DESCRIPTOR(ts), ts)) FROM o',
	 '0A000: The input is not the name of an item of the same FROM.'),
	('SELECT watermark FROM o, APPLY_WATERMARK(ROW(1), DESCRIPTOR(ts), ts)',
	 '0A000: The input is not the name of an item of the same FROM.'),
	('SELECT watermark FROM o, p, APPLY_WATERMARK(o, DESCRIPTOR(o.ts), p.ts)',
	 '42P10: watermark strategy may only use columns of its input'),
	('SELECT watermark FROM o, p, APPLY_WATERMARK(o, DESCRIPTOR(p.ts), o.ts)',
	 '42P10: rowtime may only use columns of its input'),
	('SELECT window_start FROM o, p, TUMBLE(o, DESCRIPTOR(p.ts), INTERVAL ''1 h'')',
	 '42P10: time column may only use columns of its input'),
	('SELECT APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) FROM o',
	 '0A000: APPLY_WATERMARK must be an item of FROM'),
	('UPDATE o SET id = 0 FROM APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) AS w WHERE is_behind',
	 '42P10: invalid reference to FROM-clause entry for table "o"'),
	('SELECT watermark FROM o, APPLY_WATERMARK(o, DESCRIPTOR(nosuch), ts)',
	 '42703: column "nosuch" does not exist'),
	('SELECT watermark FROM o, APPLY_WATERMARK(o, DESCRIPTOR(ts))',
	 '42883: function apply_watermark(o, timestamp without time zone) does not exist')
) AS c(sql, expected);

SELECT is(pg_temp.refusal(sql), 'no error', sql)
FROM (VALUES
	('SELECT id FROM o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts) FOR UPDATE OF o'),
	('SELECT o, watermark FROM p JOIN o USING (id), APPLY_WATERMARK(o, DESCRIPTOR(o.ts), o.ts)'),
	('SELECT o.id, watermark FROM p LEFT JOIN o USING (id), APPLY_WATERMARK(o, DESCRIPTOR(o.ts), o.ts)'),
	('SELECT ctid, watermark FROM (SELECT ctid, ts FROM o) AS o(row_id, ts), p, APPLY_WATERMARK(o, DESCRIPTOR(o.ts), o.ts)')
) AS c(sql);

SELECT * FROM finish();
ROLLBACK;
