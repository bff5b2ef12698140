-- Queries that create_query() refuses, with what it says and what to write instead:
-- windows of which a row has several.
\i test/setup.psql
BEGIN;
SELECT plan(22);

\i test/continuous.psql
CREATE VIEW zoned AS SELECT id, auction, tz FROM bid WHERE watermark_for(tz, tz);

-- The same with HOP, CUMULATE and HOP on a wall clock.
CREATE FUNCTION sliding(query text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN replace(replace(replace(query,
	'@H', 'bid, HOP(bid, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)'),
	'@C', 'bid, CUMULATE(bid, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)'),
	'@Z', 'zoned, HOP(zoned, DESCRIPTOR(tz), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)');

SELECT is(refusal(sliding(query)), (message, hint), label || ' is refused')
FROM (VALUES
	('the window in a join', 'a continuous query cannot compute with the window of a row under HOP or CUMULATE',
	 'SELECT window_end, count(*) FROM @H JOIN auction a ON a.id = extract(hour FROM window_start) @G',
	 'Group by window_start and window_end, and use them in the select list, in HAVING or in a query around.'),
	('the window in a lateral item', 'a continuous query cannot compute with the window of a row under HOP or CUMULATE',
	 'SELECT window_end, count(*) FROM @C, LATERAL (SELECT extract(hour FROM window_start) AS h) x WHERE h > 3 @G',
	 'Group by window_start and window_end, and use them in the select list, in HAVING or in a query around.'),
	('a value of the window from below', 'a continuous query cannot compute with the window of a row under HOP or CUMULATE',
	 'SELECT window_end, sum(h) FROM (SELECT window_start, window_end, extract(hour FROM window_start) AS h FROM @H) x @G',
	 'Group by window_start and window_end, and use them in the select list, in HAVING or in a query around.'),
	('the whole row of the window', 'a continuous query cannot compute with the window of a row under HOP or CUMULATE',
	 'SELECT w.window_end, max(w::text) FROM bid, HOP(bid, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR) w GROUP BY w.window_start, w.window_end',
	 'Group by window_start and window_end, and use them in the select list, in HAVING or in a query around.'),
	('CUMULATE by its start', 'GROUP BY in a continuous query must contain window_end',
	 'SELECT window_start, count(*) FROM @C GROUP BY window_start',
	 'Add window_start and window_end to GROUP BY.'),
	('a Top-N of CUMULATE by its start', 'PARTITION BY in a continuous query must contain window_end',
	 'SELECT *, rank() OVER (PARTITION BY window_start ORDER BY n) FROM (SELECT window_start, window_end, count(*) AS n FROM @C @G) w',
	 'Add window_end to PARTITION BY.'),
	('DISTINCT starts of CUMULATE', 'SELECT DISTINCT in a continuous query must contain window_end',
	 'SELECT DISTINCT window_start FROM (SELECT window_start, window_end, count(*) AS n FROM @C @G) w',
	 'Add window_end to the select list.'),
	('HOP on a wall clock by its end', 'GROUP BY in a continuous query must contain window_start and window_end',
	 'SELECT window_end, count(*) FROM @Z GROUP BY window_end',
	 'Add window_start and window_end to GROUP BY.'),
	('HOP on a wall clock by its start', 'GROUP BY in a continuous query must contain window_start and window_end',
	 'SELECT window_start, count(*) FROM @Z GROUP BY window_start',
	 'Add window_start and window_end to GROUP BY.'),
	('HOP on a wall clock by its start, above', 'GROUP BY in a continuous query must contain window_end',
	 'SELECT window_start, max(n) FROM (SELECT window_start, window_end, auction, count(*) AS n FROM @Z @G, auction) w GROUP BY window_start',
	 'Add window_start and window_end to GROUP BY.'),
	('other arguments in a part', 'arguments of hop_start differ from those of HOP in GROUP BY',
	 'SELECT HOP_START(ts, INTERVAL ''1'' HOUR, INTERVAL ''3'' HOUR) FROM bid GROUP BY HOP(ts, INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)',
	 'Repeat the arguments of HOP exactly.'),
	('a step that does not divide the size', 'window size is not a multiple of its step',
	 'SELECT window_end, count(*) FROM bid, CUMULATE(bid, DESCRIPTOR(ts), INTERVAL ''2'' HOUR, INTERVAL ''3'' HOUR) @G',
	 'Choose a step that divides the size.'),
	('a slide that depends on the row', 'the size and the offset of a window in a continuous query must be constants',
	 'SELECT window_end, count(*) FROM bid, HOP(bid, DESCRIPTOR(ts), price * INTERVAL ''1'' HOUR, INTERVAL ''3'' HOUR) @G',
	 'Write them as INTERVAL ''10'' MINUTE.'),
	('rows in gaps', 'a continuous query cannot keep rows that are in no window',
	 'SELECT window_end, count(*) FROM bid LEFT JOIN HOP(bid, DESCRIPTOR(ts), INTERVAL ''2'' HOUR, INTERVAL ''1'' HOUR) ON true @G',
	 'Write HOP(…) after a comma in FROM, without LEFT JOIN.'),
	('too many windows of a row', 'a row would be put into 86400000 windows',
	 'SELECT window_end, count(*) FROM bid, HOP(bid, DESCRIPTOR(ts), INTERVAL ''0.001'' SECOND, INTERVAL ''1'' DAY) @G',
	 'Choose a longer slide, or raise apply_watermark.max_windows_per_row.'),
	('a condition on windows beside the watermark', 'a continuous query cannot compute with the window of a row under HOP or CUMULATE',
	 'SELECT window_end, count(*) FROM plain, HOP(plain, DESCRIPTOR(ts), INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR) WHERE watermark_for(ts, ts) AND window_start > ''2024-01-01'' @G',
	 'Group by window_start and window_end, and use them in the select list, in HAVING or in a query around.')
) AS c(label, message, query, hint);

-- A query that can be fails for the settings of the server alone.
SELECT is((refusal(sliding(query))).message, 'the server is not set up for continuous queries', label || ' can be')
FROM (VALUES
	('a condition on windows', 'SELECT window_end, count(*) FROM @H WHERE window_start > ''2024-01-01'' AND price > 1 @G'),
	('the group window HOP', 'SELECT HOP_END(ts, INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR), count(*) FROM bid GROUP BY HOP(ts, INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)'),
	('the group window HOP on a wall clock', 'SELECT HOP_END(tz, INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR), count(*) FROM zoned GROUP BY HOP(tz, INTERVAL ''1'' HOUR, INTERVAL ''2'' HOUR)'),
	('HOP by its start', 'SELECT window_start, count(*) FROM @H GROUP BY window_start'),
	('CUMULATE by its end', 'SELECT window_end, count(*) FROM @C GROUP BY window_end'),
	('windows handed up', 'SELECT e, count(*) FROM (SELECT window_end AS e, window_start AS s, price FROM @H WHERE price > 0) x WHERE s > ''2024-01-01'' GROUP BY e')
) AS c(label, query);

SELECT * FROM finish();
ROLLBACK;
