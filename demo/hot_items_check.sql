-- Checks the tables that demo/hot_items.sql made: the one statement, the view
-- between two steps, the other form of HOP and, for the windows of 1 hour, plain
-- joins and no function of the extension must all give the same rows.

-- Every window by its definition: the rows from its start to before its end.
CREATE VIEW agg_plain AS
SELECT item_id, window_end, count(*) AS views
FROM generate_series(
		(SELECT date_trunc('hour', min(ts)) FROM input_table),
		(SELECT date_trunc('hour', max(ts)) + INTERVAL '2 hours' FROM input_table),
		INTERVAL '5 minutes') AS window_end
	JOIN input_table ON ts >= window_end - INTERVAL '1 hour' AND ts < window_end
WHERE behavior = 'pv'
GROUP BY item_id, window_end;

CREATE VIEW agg_other_ways AS
SELECT '2 seconds' AS windows, 'table function' AS way, item_id, window_end, count(*) AS views
FROM input_table AS b, HOP(b, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '2' SECOND)
WHERE behavior = 'pv'
GROUP BY item_id, window_start, window_end
UNION ALL
SELECT '1 hour', 'group window', item_id,
	HOP_END(ts, INTERVAL '5' MINUTE, INTERVAL '1' HOUR), count(*)
FROM input_table
WHERE behavior = 'pv'
GROUP BY item_id, HOP(ts, INTERVAL '5' MINUTE, INTERVAL '1' HOUR)
UNION ALL
SELECT '1 hour', 'plain SQL', item_id, window_end, views
FROM agg_plain;

CREATE VIEW hot_items_all_ways AS
SELECT '2 seconds' AS windows, 'one statement' AS way, item_id, window_end, views, rank
FROM hot_items_2s
UNION ALL
SELECT '2 seconds', 'view', item_id, window_end, views, rank
FROM hot_items_2s_by_view
UNION ALL
SELECT '1 hour', 'one statement', item_id, window_end, views, rank
FROM hot_items_1h
UNION ALL
SELECT '1 hour', 'view', item_id, window_end, views, rank
FROM hot_items_1h_by_view
UNION ALL
SELECT *
FROM (
	SELECT *, row_number() OVER (
		PARTITION BY windows, way, window_end
		ORDER BY views DESC, item_id) AS rank
	FROM agg_other_ways
) AS ranked
WHERE rank <= 10;

CREATE TABLE same_rows AS
SELECT windows, every.way, count(*) AS "rows", count(one) AS same
FROM hot_items_all_ways AS every
	LEFT JOIN (SELECT * FROM hot_items_all_ways WHERE way = 'one statement') AS one
		USING (windows, item_id, window_end, views, rank)
GROUP BY windows, every.way;

SELECT windows, way AS "made by", "rows", same AS "same as the one statement"
FROM same_rows
ORDER BY windows DESC, way;

DO $$
DECLARE
	different text;
BEGIN
	SELECT string_agg(format('windows of %s by %s', windows, way), ', ')
	INTO different
	FROM same_rows
		JOIN (SELECT windows, "rows" AS expected FROM same_rows WHERE way = 'one statement') AS one
			USING (windows)
	WHERE same <> expected OR "rows" <> expected OR expected = 0;

	IF different IS NOT NULL THEN
		RAISE EXCEPTION 'not all ways gave the same rows: %', different;
	END IF;
END
$$;
