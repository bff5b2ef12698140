-- Relations that track() refuses, with what it says and what to do instead.
\i test/setup.psql
BEGIN;
SELECT plan(20);

\i test/continuous.psql

CREATE TEMP TABLE of_session (ts timestamp, CHECK (watermark_for(ts, ts)));
CREATE TEMP VIEW of_session_view AS SELECT * FROM bid;
CREATE VIEW with_windows AS SELECT window_start, ts FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR);
CREATE VIEW of_windows AS
SELECT * FROM (SELECT window_end, count(*) FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end) AS w
WHERE watermark_for(window_end, window_end);
CREATE VIEW without_time AS SELECT id, price FROM bid;
CREATE VIEW cast_time AS SELECT ts::date AS day FROM bid;
CREATE VIEW of_two AS SELECT bid.ts FROM bid, two;
CREATE VIEW first_ten AS SELECT ts FROM bid LIMIT 10;
CREATE VIEW each_once AS SELECT DISTINCT ts FROM bid;
CREATE VIEW outer_joined AS SELECT bid.ts FROM auction LEFT JOIN bid ON bid.auction = auction.id;
CREATE VIEW of_both AS SELECT ts FROM bid UNION SELECT ts FROM bid;
CREATE VIEW random AS SELECT ts FROM bid WHERE any_time(id) > 1;
CREATE VIEW random_strategy AS SELECT ts AS t FROM plain WHERE watermark_for(ts, ts - random() * INTERVAL '1' SECOND);
CREATE MATERIALIZED VIEW kept AS SELECT ts FROM bid;
CREATE SEQUENCE numbers;

-- What track() says of a relation.
CREATE FUNCTION failure(relation regclass, OUT state text, OUT message text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM watermark.track(relation);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
END;
$$;

SELECT is(failure(relation), (state, message, hint), relation || ' is refused')
FROM (VALUES
	('plain', '42704', 'table "plain" has no watermark definition', 'Give it one with set_watermark().'),
	('without_time', '42704', 'view "without_time" has no watermark definition', 'Give it one with set_watermark().'),
	('cast_time', '42704', 'view "cast_time" has no watermark definition', 'Give it one with set_watermark().'),
	('kept', '0A000', 'the query reads no stream', 'Give a table a watermark definition with set_watermark(), or use APPLY_WATERMARK in FROM.'),
	('numbers', '42704', 'table "numbers" has no watermark definition', 'Give it one with set_watermark().'),
	('of_session', '0A000', 'temporary tables and views are not supported in a continuous query',
	 'It runs in another process; create them as permanent ones.'),
	('of_session_view', '0A000', 'temporary tables and views are not supported in a continuous query',
	 'It runs in another process; create them as permanent ones.'),
	('with_windows', '0A000', 'windows cannot be tracked', 'Track the stream that they are of.'),
	('of_windows', '0A000', 'a continuous query cannot give the result of a window a watermark',
	 'Publish the window to a sink, give that a watermark definition, and write a second continuous query over it.'),
	('of_two', '0A000', 'a continuous query cannot join two streams', 'Put each into a subquery with TUMBLE(…) in its FROM, and compare window_start and window_end; or join a stream with an ordinary table.'),
	('first_ten', '0A000', 'a continuous query cannot use LIMIT or OFFSET',
	 'Number the rows by row_number() OVER (PARTITION BY window_end ORDER BY …), and filter by it in a query around.'),
	('each_once', '42704', 'view "each_once" has no watermark definition', 'Give it one with set_watermark().'),
	('outer_joined', '0A000', 'an outer join in a continuous query must preserve the stream', 'Write the stream on the left side of LEFT JOIN.'),
	('of_both', '42704', 'view "of_both" has no watermark definition', 'Give it one with set_watermark().'),
	('random', '0A000', 'a continuous query cannot use the volatile function any_time(bigint)',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('random_strategy', '0A000', 'a continuous query cannot use the volatile function random()',
	 'Compute the value when a row is inserted, as the DEFAULT of a column; or declare a function of yours STABLE or IMMUTABLE if it is.'),
	('unlogged', '0A000', 'the stream "unlogged" of a continuous query is temporary or unlogged',
	 'Use ALTER TABLE … SET LOGGED, or an ordinary table.')
) AS c(relation, state, message, hint);

SELECT is((failure(0)).message, 'relation with OID 0 does not exist', 'what is not there is refused');
SELECT throws_ok('SELECT watermark.untrack(''bid'')', '42704', '"bid" is not tracked', 'nothing is there to end');
SELECT ok(NOT has_function_privilege('public', 'watermark.track(regclass)', 'EXECUTE'), 'track() must be granted');

SELECT * FROM finish();
ROLLBACK;
