-- Hot items: the ten items that were viewed most, at every moment.
--
--	psql -X -q -v ON_ERROR_STOP=1 -v csv=/path/user_behavior.csv -f demo/hot_items.sql
--
-- It is the well-known Flink SQL job over a file of user behaviour: a sliding
-- window (HOP), a count of views by item, and a Top-N of each window.  Made for
-- a fresh database; scripts/demo.sh brings one.  The file's path is read by the
-- server.  Ties are broken by item_id, so that every run gives the same rows.

\pset pager off
\pset border 2
\pset linestyle unicode
\pset footer off
SET client_min_messages = warning;
SET timezone = 'UTC';
\set ECHO queries

\echo
\echo '── The stream ──────────────────────────────────────────────────────────'
\echo
CREATE EXTENSION apply_watermark;

\echo
\echo 'The row type of the file, and a view that gives each row its event time'
\echo 'and the stream its watermark, one second behind:'
\echo
CREATE TABLE user_behavior (
	user_id bigint,
	item_id bigint,
	category_id int,
	behavior varchar(11),
	action_time bigint
);

\echo
CREATE VIEW input_table AS
SELECT user_id, item_id, category_id, behavior, ts
FROM read_csv(NULL::user_behavior, :'csv'),
	LATERAL (SELECT to_timestamp_ltz(action_time, 0) AT TIME ZONE 'UTC') AS t(ts)
WHERE watermark_for(ts, ts - INTERVAL '1' SECOND);

\echo
SELECT count(*) AS "rows", count(DISTINCT item_id) AS items, min(ts) AS "first", max(ts) AS "last"
FROM input_table;

\echo 'Rows do not arrive in the order in which they happened.  How many came when'
\echo 'the watermark had passed them already?'
\echo
SELECT behavior, count(*) AS "rows", count(*) FILTER (WHERE is_behind) AS behind
FROM input_table AS b, APPLY_WATERMARK(b, DESCRIPTOR(ts), ts - INTERVAL '1' SECOND)
GROUP BY behavior
ORDER BY "rows" DESC;

\echo '── Windows of 2 seconds, each second: the group window HOP ─────────────'
\echo
\echo 'In one statement:'
\echo
CREATE TABLE hot_items_2s AS
SELECT *
FROM (
	SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY views DESC, item_id) AS rank
	FROM (
		SELECT item_id,
			HOP_END(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND) AS window_end,
			count(item_id) AS views
		FROM input_table
		WHERE behavior = 'pv'
		GROUP BY item_id, HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND)
	) AS agg
) AS ranked
WHERE rank <= 10;

\echo
\echo 'In two steps, with a view between them:'
\echo
CREATE VIEW agg_table AS
SELECT item_id,
	HOP_END(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND) AS window_end,
	count(item_id) AS views
FROM input_table
WHERE behavior = 'pv'
GROUP BY item_id, HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND);

\echo
CREATE TABLE hot_items_2s_by_view AS
SELECT *
FROM (
	SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY views DESC, item_id) AS rank
	FROM agg_table
) AS ranked
WHERE rank <= 10;

\echo
\echo 'The last two windows that the watermark has passed:'
\echo
SELECT window_end, rank, item_id AS item, views, repeat('█', views::int) AS " "
FROM hot_items_2s
WHERE window_end IN (
	SELECT DISTINCT window_end
	FROM hot_items_2s
	WHERE window_end <= (SELECT max(ts) - INTERVAL '1' SECOND FROM input_table)
	ORDER BY window_end DESC
	LIMIT 2
)
ORDER BY window_end, rank;

\echo '── Windows of 1 hour, every 5 minutes: the table function HOP ──────────'
\echo
\echo 'In one statement:'
\echo
CREATE TABLE hot_items_1h AS
SELECT *
FROM (
	SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY views DESC, item_id) AS rank
	FROM (
		SELECT item_id, window_end, count(*) AS views
		FROM input_table AS b, HOP(b, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)
		WHERE behavior = 'pv'
		GROUP BY item_id, window_start, window_end
	) AS agg
) AS ranked
WHERE rank <= 10;

\echo
\echo 'In two steps, with a view between them:'
\echo
CREATE VIEW agg_table_1h AS
SELECT item_id, window_end, count(*) AS views
FROM input_table AS b, HOP(b, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)
WHERE behavior = 'pv'
GROUP BY item_id, window_start, window_end;

\echo
CREATE TABLE hot_items_1h_by_view AS
SELECT *
FROM (
	SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY views DESC, item_id) AS rank
	FROM agg_table_1h
) AS ranked
WHERE rank <= 10;

\echo
\echo 'The last three windows that the watermark has passed.  An item went on sale'
\echo 'at 04:40: watch it climb.  (A block of the bar is 100 views.)'
\echo
SELECT window_end, rank, item_id AS item, views, repeat('█', (views / 100)::int) AS " "
FROM hot_items_1h
WHERE window_end IN (
	SELECT DISTINCT window_end
	FROM hot_items_1h
	WHERE window_end <= (SELECT max(ts) - INTERVAL '1' SECOND FROM input_table)
	ORDER BY window_end DESC
	LIMIT 3
)
ORDER BY window_end, rank;

\echo '── The same rows, whichever way they are made ──────────────────────────'
\echo
\set ECHO none
\ir hot_items_check.sql
