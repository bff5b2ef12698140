-- Hot items, live: the most viewed items of each half hour, published as rows come in.
--
--	psql -X -q -v ON_ERROR_STOP=1 -f demo/hot_items_live.sql
--
-- Goes on in the database of demo/hot_items.sql, which reads the file, on a server with
-- wal_level = logical and shared_preload_libraries = 'apply_watermark'.  The rows are
-- inserted in the order of the file, ten minutes in a transaction.  advance() stands
-- for the moment that a reader would wait, so that every run prints the same.

\pset pager off
\pset border 2
\pset linestyle unicode
\pset footer off
SET client_min_messages = warning;
SET timezone = 'UTC';
\set ECHO queries

\echo
\echo '── A table that rows arrive in, and a query that keeps its result ──────'
\echo
CREATE TABLE click (
	number bigint,
	item_id bigint,
	behavior text,
	ts timestamp(3),
	CHECK (watermark_for(ts, ts - INTERVAL '1' SECOND))
);

\echo
SELECT watermark.create_query('hot_items', $$
	SELECT window_end, rank, item_id, views
	FROM (
		SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY views DESC, item_id) AS rank
		FROM (
			SELECT item_id, window_end, count(*) AS views
			FROM click AS c, TUMBLE(c, DESCRIPTOR(ts), INTERVAL '30' MINUTE)
			WHERE behavior = 'pv'
			GROUP BY item_id, window_start, window_end
		) AS agg
	) AS ranked
	WHERE rank <= 3
$$, emit_watermark => 'on event');

\echo 'Rows come in; a window is there when the watermark has passed its end:'
\echo
\set ECHO none
CREATE TEMP TABLE waiting AS
SELECT *, date_bin('10 minutes', max(ts) OVER (ORDER BY number), '2000-01-01') AS batch
FROM (SELECT row_number() OVER () AS number, item_id, behavior, ts FROM input_table) AS line;

CREATE TEMP TABLE shown (window_end timestamp);

PREPARE show_stream AS
SELECT format(' %s views so far, watermark %s', to_char(rows_in, '99999'), to_char(watermark::timestamp, 'HH24:MI:SS'))
FROM watermark.streams
WHERE query = 'hot_items';

-- Each window is shown once, when it is there.
PREPARE show_windows AS
WITH fresh AS (
	INSERT INTO shown
	SELECT DISTINCT window_end
	FROM hot_items
	WHERE window_end > coalesce((SELECT max(window_end) FROM shown), '-infinity')
	RETURNING window_end
)
SELECT format('%s %s. %s %s %s',
	rpad(CASE rank WHEN 1 THEN '    until ' || to_char(window_end, 'HH24:MI') ELSE '' END, 15),
	rank, item_id, to_char(views, '9999'), repeat('█', (views / 50)::int))
FROM hot_items JOIN fresh USING (window_end)
ORDER BY window_end, rank;

\pset tuples_only on
\pset format unaligned
SELECT format('INSERT INTO click SELECT number, item_id, behavior, ts FROM waiting WHERE batch = %L ORDER BY number', batch),
	'DO ''BEGIN PERFORM watermark.advance(); END''',
	'EXECUTE show_stream',
	'EXECUTE show_windows'
FROM waiting
GROUP BY batch
ORDER BY batch
\gexec
\pset tuples_only off
\pset format aligned
\set ECHO queries

\echo
\echo '── At the end ──────────────────────────────────────────────────────────'
\echo
\echo 'The last window is open, and stays so without rows, until the query is drained:'
\echo
SELECT watermark.drain_query('hot_items');
SELECT watermark.advance();

\echo 'Rows that came when their window had been published are not lost:'
\echo
SELECT window_end, reason, count(*) AS "rows"
FROM watermark.late_rows
WHERE query = 'hot_items'
GROUP BY window_end, reason
ORDER BY window_end;

SELECT * FROM watermark.audit('hot_items');

\echo 'The same query by hand, over the rows that were not late, gives the same rows:'
\echo
CREATE TEMP VIEW by_hand AS
SELECT window_end, rank, item_id, views
FROM (
	SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY views DESC, item_id) AS rank
	FROM (
		SELECT item_id, window_end, count(*) AS views
		FROM (
			SELECT *
			FROM click
			WHERE number NOT IN (SELECT (source_row->>'number')::bigint FROM watermark.late_rows)
		) AS c, TUMBLE(c, DESCRIPTOR(ts), INTERVAL '30' MINUTE)
		WHERE behavior = 'pv'
		GROUP BY item_id, window_start, window_end
	) AS agg
) AS ranked
WHERE rank <= 3;

\echo
SELECT
	(SELECT count(*) FROM hot_items) AS published,
	(SELECT count(*) FROM (TABLE by_hand EXCEPT ALL TABLE hot_items) AS m) AS missing,
	(SELECT count(*) FROM (TABLE hot_items EXCEPT ALL TABLE by_hand) AS a) AS added;

SELECT watermark.drop_query('hot_items');
