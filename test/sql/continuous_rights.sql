-- A continuous query can do what its owner may do: told when it is created, for the
-- query, what it reads, and what it writes.
\i test/setup.psql
BEGIN;
SELECT plan(14);

\i test/continuous.psql

CREATE ROLE maker;
CREATE ROLE lender;
GRANT USAGE, CREATE ON SCHEMA public TO maker, lender;
GRANT EXECUTE ON FUNCTION watermark.create_query TO maker;
CREATE VIEW lent AS SELECT id, auction, price, ts FROM bid WHERE price > 5;
ALTER VIEW lent OWNER TO lender;
CREATE TABLE others (window_start timestamp, n bigint);
REVOKE EXECUTE ON FUNCTION plus_one, product(bigint) FROM PUBLIC;

-- What the role that makes queries is told.
CREATE FUNCTION told(query text, sink text DEFAULT NULL) RETURNS text
LANGUAGE plpgsql SET role = maker AS $$
BEGIN
	PERFORM watermark.create_query('made', written_out(query), sink => sink);
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END;
$$;
CREATE FUNCTION count_of(relation text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN format('SELECT window_start, count(*) AS n FROM %1$I, TUMBLE(%1$I, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G', relation);

PREPARE expect(text, text, text, text) AS SELECT is(told($1, $2), $3, $4);

EXECUTE expect('SELECT TUMBLE_START(ts, INTERVAL ''1'' HOUR), count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1'' HOUR)', NULL, 'permission denied for table bid', 'the stream');
GRANT SELECT (id, auction, price) ON bid TO maker;
EXECUTE expect('SELECT TUMBLE_START(ts, INTERVAL ''1'' HOUR), count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1'' HOUR)', NULL, 'permission denied for table bid', 'its rowtime');
GRANT SELECT (ts) ON bid TO maker;
EXECUTE expect('SELECT TUMBLE_START(ts, INTERVAL ''1'' HOUR), count(*) FROM bid GROUP BY TUMBLE(ts, INTERVAL ''1'' HOUR)', NULL, 'the server is not set up for continuous queries', 'columns that it reads are enough');
REVOKE ALL (id, auction, price, ts) ON bid FROM maker;

GRANT SELECT ON bid TO lender;
EXECUTE expect(count_of('lent'), NULL, 'permission denied for view lent', 'a view');
GRANT SELECT ON lent TO maker;
EXECUTE expect(count_of('lent'), NULL, 'the server is not set up for continuous queries', 'what the owner of the view may read');
REVOKE SELECT ON bid FROM lender;
EXECUTE expect(count_of('lent'), NULL, 'permission denied for table bid', 'what the owner of the view may not read');
GRANT SELECT ON bid TO lender;
ALTER VIEW lent SET (security_invoker = true);
EXECUTE expect(count_of('lent'), NULL, 'permission denied for table bid', 'a view with the rights of who reads it');
GRANT SELECT ON bid TO maker;
EXECUTE expect(count_of('lent'), NULL, 'the server is not set up for continuous queries', 'and those are enough');

EXECUTE expect('SELECT window_start, sum(plus_one(price)) FROM @B @G', NULL, 'permission denied for function plus_one', 'a function');
EXECUTE expect('SELECT window_start, product(price) FROM @B @G', NULL, 'permission denied for aggregate product', 'an aggregate');
EXECUTE expect('SELECT window_start, a.name, count(*) FROM bid JOIN auction AS a ON a.id = auction, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL ''1'' HOUR) @G, a.name',
	NULL, 'permission denied for table auction', 'an ordinary table');

EXECUTE expect(count_of('bid'), 'others', 'permission denied for table others', 'the sink');
GRANT INSERT ON others TO maker;
EXECUTE expect(count_of('bid'), 'others', 'the server is not set up for continuous queries', 'which it need not read');
REVOKE CREATE ON SCHEMA public FROM maker;
EXECUTE expect(count_of('bid'), NULL, 'permission denied for schema public', 'the schema of a new sink');

SELECT * FROM finish();
ROLLBACK;
