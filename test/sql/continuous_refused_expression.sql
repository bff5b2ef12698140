-- Queries that create_query() refuses, with what it says and what to write instead:
-- expressions, aggregates and tables.
\i test/setup.psql
BEGIN;
SELECT plan(44);

\i test/continuous.psql

-- Without ICU there is no text that is equal but for case; padded text is refused, too.
SELECT CASE collprovider WHEN 'i' THEN 'c' ELSE 'tx::char(3)' END AS alike, CASE collprovider WHEN 'i' THEN 'text' ELSE 'character' END AS alike_type
FROM pg_collation WHERE collname = 'any_case' \gset

SELECT is(refusal(query), (message, hint), label || ' is refused')
FROM (VALUES
	('volatile', 'a continuous query cannot use the volatile function random()',
	 'SELECT window_start, count(*) FROM @B WHERE random() < 0.5 @G',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('volatile own', 'a continuous query cannot use the volatile function any_time(bigint)',
	 'SELECT window_start, sum(any_time(price)) FROM @B @G',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('volatile above', 'a continuous query cannot use the volatile function random()',
	 'SELECT *, random() FROM @W w',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('nextval', 'a continuous query cannot use the volatile function nextval(regclass)',
	 'SELECT nextval(''bid_id_seq''), window_start, count(*) FROM @B @G',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('transaction', 'a continuous query cannot use pg_current_xact_id()',
	 'SELECT *, pg_current_xact_id() FROM @W w',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('now', 'a continuous query cannot use now()',
	 'SELECT window_start, count(*) FROM @B WHERE ts > now() - interval ''1 h'' @G',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('current_timestamp', 'a continuous query cannot use CURRENT_TIMESTAMP',
	 'SELECT window_start, CURRENT_TIMESTAMP AS c, count(*) FROM @B @G',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('current_date', 'a continuous query cannot use CURRENT_DATE',
	 'SELECT * FROM @W w WHERE window_end > CURRENT_DATE',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('clock_timestamp', 'a continuous query cannot use clock_timestamp()',
	 'SELECT *, clock_timestamp() FROM @W w',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('localtime', 'a continuous query cannot use LOCALTIME',
	 'SELECT *, LOCALTIME FROM @W w',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('age', 'a continuous query cannot use age()',
	 'SELECT *, age(window_end) FROM @W w',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('proctime', 'a continuous query cannot use proctime()',
	 'SELECT *, proctime() FROM @W w',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('tumble_proctime', 'a continuous query cannot use tumble_proctime()',
	 'SELECT TUMBLE_PROCTIME(ts, INTERVAL ''1'' HOUR), count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1'' HOUR)',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.'),
	('for update', 'a continuous query cannot use FOR UPDATE or FOR SHARE',
	 'SELECT window_start, count(*) FROM (SELECT * FROM bid FOR UPDATE) b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Leave the clause out: no rows are changed.'),
	('for share static', 'a continuous query cannot use FOR UPDATE or FOR SHARE',
	 'SELECT window_start, count(*) FROM bid JOIN (SELECT * FROM auction FOR SHARE) a ON a.id = auction, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Leave the clause out: no rows are changed.'),
	('recursive', 'a continuous query cannot use WITH RECURSIVE',
	 'WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT window_start, count(*) FROM r, @B @G',
	 'Keep what "r" computes in a table, and read that.'),
	('join of streams', 'a continuous query cannot join two streams',
	 'SELECT window_start, count(*) FROM bid JOIN two ON two.k = bid.auction, TUMBLE(bid, DESCRIPTOR(bid.ts), INTERVAL ''1'' HOUR) @G',
	 'Write a continuous query for each stream, and join their sinks.'),
	('self join', 'a continuous query cannot join two streams',
	 'SELECT window_start, count(*) FROM bid a JOIN bid b USING (id), TUMBLE(a, DESCRIPTOR(a.ts), INTERVAL ''1'' HOUR) @G',
	 'Write a continuous query for each stream, and join their sinks.'),
	('stream and window', 'a continuous query cannot join two streams',
	 'SELECT w.n FROM @W w JOIN bid USING (auction)',
	 'Write a continuous query for each stream, and join their sinks.'),
	('tablesample', 'a continuous query cannot use TABLESAMPLE of its stream',
	 'SELECT window_start, count(*) FROM bid TABLESAMPLE SYSTEM (10), TUMBLE(bid, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Filter by a hash of a key, as in WHERE hashint8(id) % 100 = 0.'),
	('system column', 'a continuous query cannot read a system column of its stream',
	 'SELECT window_start, max(bid.xmin::text) FROM @B @G',
	 'Keep what it tells in a column of the table.'),
	('tableoid', 'a continuous query cannot read a system column of its stream',
	 'SELECT window_start, part.tableoid, count(*) FROM part, TUMBLE(part, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) GROUP BY window_start, window_end, part.tableoid',
	 'Keep what it tells in a column of the table.'),
	('stream in expression', 'a continuous query cannot read a stream in a subquery of an expression',
	 'SELECT window_start, count(*) FROM @B WHERE auction IN (SELECT k FROM two) @G',
	 'Write a continuous query for it, and read its sink.'),
	('same stream in expression', 'a continuous query cannot read a stream in a subquery of an expression',
	 'SELECT window_start, count(*) FROM @B WHERE price > (SELECT avg(price) FROM bid) @G',
	 'Write a continuous query for it, and read its sink.'),
	('stream in expression above', 'a continuous query cannot read a stream in a subquery of an expression',
	 'SELECT *, (SELECT count(*) FROM bid) FROM @W w',
	 'Write a continuous query for it, and read its sink.'),
	('outer aggregate', 'a continuous query cannot use an aggregate of its window in a subquery',
	 'SELECT window_start, (SELECT max(id) FROM auction WHERE id < count(bid.auction)) FROM @B @G',
	 'Aggregate in a subquery in FROM, and use its columns.'),
	('srf below', 'a continuous query cannot use functions that return sets in the select list over a stream',
	 'SELECT window_start, count(*) FROM (SELECT ts, unnest(tags) FROM bid) b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Write the function in FROM, with LATERAL.'),
	('srf key', 'a continuous query cannot group by a function that returns a set',
	 'SELECT window_start, unnest(tags) u, count(*) FROM @B GROUP BY window_start, window_end, unnest(tags)',
	 'Write the function in FROM, with LATERAL.'),
	('unhashable', 'a continuous query cannot group by a value of type tsquery',
	 'SELECT window_start, count(*) FROM @B GROUP BY window_start, window_end, to_tsquery(tx)',
	 'Group by its text.'),
	('distinct agg', 'a continuous query cannot use DISTINCT in the aggregate sum(bigint)',
	 'SELECT window_start, sum(DISTINCT price) FROM @B @G',
	 'Group by the value too in a subquery, and aggregate the groups above it.'),
	('distinct numeric', 'a continuous query cannot use DISTINCT in the aggregate count(numeric)',
	 'SELECT window_start, count(DISTINCT n) FROM @B @G',
	 'Group by the value too in a subquery, and aggregate the groups above it.'),
	('distinct float8', 'a continuous query cannot use DISTINCT in the aggregate count(double precision)',
	 'SELECT window_start, count(DISTINCT f) FROM @B @G',
	 'Group by the value too in a subquery, and aggregate the groups above it.'),
	('distinct of what is alike', 'a continuous query cannot use DISTINCT in the aggregate count(' || :'alike_type' || ')',
	 'SELECT window_start, count(DISTINCT ' || :'alike' || ') FROM @B @G',
	 'Group by the value too in a subquery, and aggregate the groups above it.'),
	('order agg', 'a continuous query cannot use ORDER BY in the aggregate string_agg(text,text)',
	 'SELECT window_start, string_agg(tx, '','' ORDER BY id) FROM @B @G',
	 'Group by the value too, and order above the window.'),
	('jsonb_agg', 'a continuous query cannot use the aggregate jsonb_agg(text)',
	 'SELECT window_start, jsonb_agg(tx) FROM @B @G',
	 'Group by the value too, and use the aggregate over the groups of a window.'),
	('percentile', 'a continuous query cannot use the ordered-set aggregate percentile_cont(double precision,double precision)',
	 'SELECT window_start, percentile_cont(0.5) WITHIN GROUP (ORDER BY price) FROM @B @G',
	 'Use an aggregate without WITHIN GROUP, such as avg, min or max.'),
	('mode', 'a continuous query cannot use the ordered-set aggregate mode(bigint)',
	 'SELECT window_start, mode() WITHIN GROUP (ORDER BY price) FROM @B @G',
	 'Use an aggregate without WITHIN GROUP, such as avg, min or max.'),
	('no combine', 'a continuous query cannot use the aggregate product_of_all(bigint)',
	 'SELECT window_start, product_of_all(price) FROM @B @G',
	 'Group by the value too, and use the aggregate over the groups of a window.'),
	('unlogged', 'the stream "unlogged" of a continuous query is temporary or unlogged',
	 'SELECT window_start, count(*) FROM unlogged, TUMBLE(unlogged, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Use ALTER TABLE … SET LOGGED, or an ordinary table.'),
	('children', 'the stream "parent" of a continuous query has child tables',
	 'SELECT window_start, count(*) FROM parent, TUMBLE(parent, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Use FROM ONLY, or partitions instead of inheritance.'),
	('partition', 'the stream "part1" of a continuous query is a partition',
	 'SELECT window_start, count(*) FROM part1, TUMBLE(part1, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Read table "part", with a condition on its key.'),
	('only partitioned', 'ONLY of the partitioned table "part" has no rows',
	 'SELECT window_start, count(*) FROM ONLY part, TUMBLE(part, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G',
	 'Leave out ONLY.'),
	('strategy now', 'a continuous query cannot use now()',
	 'SELECT window_start, count(*) FROM plain, TUMBLE(plain, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) WHERE watermark_for(ts, now()::timestamp) @G',
	 'Compare with the rowtime or with window_end, or keep the time of insertion in a column.')
) AS c(label, message, query, hint);

-- The types that count(DISTINCT) takes.
CREATE FUNCTION detail(query text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	PERFORM watermark.create_query('refused', written_out(query));
	RETURN NULL;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN detail;
END;
$$;

SELECT is(detail('SELECT window_start, count(DISTINCT n) FROM @B @G'),
	'There is count(DISTINCT) of smallint, integer, bigint, boolean, date, timestamp, timestamptz, and of text and varchar with a deterministic collation.',
	'the detail says which values can be told apart');

SELECT * FROM finish();
ROLLBACK;
