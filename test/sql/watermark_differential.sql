\i test/setup.psql
BEGIN;
SELECT plan(7);

-- 20,000 rows in random order of time, with NULLs and infinities, against the
-- same question put to a window aggregate.
SELECT setseed(0.42);
CREATE TABLE e AS
SELECT i AS id, i % 13 AS k,
	CASE WHEN random() < 0.01 THEN NULL
		WHEN random() < 0.01 THEN timestamp 'infinity'
		WHEN random() < 0.01 THEN timestamp '-infinity'
		ELSE timestamp '2024-01-01' + (i + random() * 600) * INTERVAL '1' SECOND
	END::timestamp(3) AS ts
FROM generate_series(1, 20000) AS i;

CREATE VIEW by_hand AS
SELECT id, max(ts - INTERVAL '30' SECOND) FILTER (WHERE isfinite(ts))
		OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS watermark
FROM e;
CREATE VIEW applied AS
SELECT id, watermark, is_behind
FROM e AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '30' SECOND);

SELECT is_empty('(TABLE by_hand EXCEPT ALL SELECT id, watermark FROM applied)
	UNION ALL (SELECT id, watermark FROM applied EXCEPT ALL TABLE by_hand)',
	'the watermark is the greatest finite strategy of the rows before');
SELECT is_empty('SELECT id FROM applied JOIN by_hand AS h USING (id) JOIN e USING (id)
	WHERE is_behind IS DISTINCT FROM coalesce(ts <= h.watermark, false)',
	'a row is behind when its time is at or before the watermark');

SET LOCAL work_mem = '64kB';
SELECT is((SELECT count(*) FROM applied WHERE is_behind),
		  (SELECT count(*) FROM by_hand JOIN e USING (id) WHERE ts <= watermark),
		  'small memory changes nothing');

-- Windows against exploding rows by hand
CREATE FUNCTION pg_temp.differences(query text, by_hand text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM ((%1$s EXCEPT ALL %2$s) UNION ALL (%2$s EXCEPT ALL %1$s)) AS d', query, by_hand) INTO n;
	RETURN n;
END $$;
SELECT is(pg_temp.differences(query, by_hand), 0::bigint, label)
FROM (VALUES
	($$SELECT window_start, window_end, k, count(*), max(id) FROM e AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '7' MINUTE)
		WHERE isfinite(ts) GROUP BY window_start, window_end, k$$,
	 $$SELECT s, s + INTERVAL '7' MINUTE, k, count(*), max(id) FROM e, date_bin(INTERVAL '7' MINUTE, ts, '1970-01-01') AS s
		WHERE isfinite(ts) GROUP BY s, k$$,
	 'TUMBLE'),
	($$SELECT window_start, window_end, k, count(*), max(id) FROM e AS o, HOP(o, DESCRIPTOR(ts), INTERVAL '3' MINUTE, INTERVAL '10' MINUTE)
		WHERE isfinite(ts) GROUP BY window_start, window_end, k$$,
	 $$SELECT s, s + INTERVAL '10' MINUTE, k, count(*), max(id)
		FROM e, generate_series(date_bin(INTERVAL '3' MINUTE, ts, '1970-01-01') - INTERVAL '9' MINUTE,
			date_bin(INTERVAL '3' MINUTE, ts, '1970-01-01'), INTERVAL '3' MINUTE) AS s
		WHERE isfinite(ts) AND ts < s + INTERVAL '10' MINUTE GROUP BY s, k$$,
	 'HOP'),
	($$SELECT HOP_START(ts, INTERVAL '3' MINUTE, INTERVAL '10' MINUTE), HOP_END(ts, INTERVAL '3' MINUTE, INTERVAL '10' MINUTE), k, count(*), max(id)
		FROM e WHERE isfinite(ts) GROUP BY HOP(ts, INTERVAL '3' MINUTE, INTERVAL '10' MINUTE), k$$,
	 $$SELECT window_start, window_end, k, count(*), max(id) FROM e AS o, HOP(o, DESCRIPTOR(ts), INTERVAL '3' MINUTE, INTERVAL '10' MINUTE)
		WHERE isfinite(ts) GROUP BY window_start, window_end, k$$,
	 'the group window HOP, its groups spilled to disk'),
	($$SELECT window_start, window_end, k, count(*), max(id) FROM e AS o, CUMULATE(o, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)
		WHERE isfinite(ts) GROUP BY window_start, window_end, k$$,
	 $$SELECT s, t, k, count(*), max(id)
		FROM e, date_bin(INTERVAL '1' HOUR, ts, '1970-01-01') AS s,
			generate_series(s + INTERVAL '5' MINUTE, s + INTERVAL '1' HOUR, INTERVAL '5' MINUTE) AS t
		WHERE isfinite(ts) AND ts < t GROUP BY s, t, k$$,
	 'CUMULATE')
) AS c(query, by_hand, label);

SELECT * FROM finish();
ROLLBACK;
