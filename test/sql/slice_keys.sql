\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT no_plan();

-- Keys of which equal values are not the same: a window shows that of one of its rows.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
DO $$
BEGIN
	CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
EXCEPTION WHEN feature_not_supported THEN	-- a server without ICU
	CREATE COLLATION caseless FROM "C";
END;
$$;

CREATE TABLE loose (ts timestamp, span interval, n numeric, f float8, t text COLLATE caseless, j jsonb, a numeric[]);
INSERT INTO loose VALUES
	('2024-01-01 00:02', '1 mon', 1, 0, 'a', '1', '{1}'),
	('2024-01-01 00:07', '30 days', 1.00, '-0', 'A', '1.0', '{1.0}'),
	('2024-01-01 00:18', '720:00', 1.0, 0, 'a', '1.00', '{1.00}'),
	('2024-01-01 00:23', '1 mon', 1.000, '-0', 'A', '1', '{1}');
ANALYZE loose;

CREATE FUNCTION count_not_there(call text, key text, aggregate text, OUT not_there bigint)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FROM (
		SELECT window_start, window_end, k::text AS k FROM (SELECT window_start, window_end, %2$s AS k, %3$s FROM loose, %1$s
			GROUP BY window_start, window_end, %2$s) AS shown
		EXCEPT SELECT window_start, window_end, %2$s::text FROM loose, %1$s) AS d', call, key, aggregate) INTO not_there;
END;
$$;

SELECT is(not_there, 0::bigint, format('%s of %s shows a key of the window, beside %s', call, key, aggregate))
FROM unnest('{span, n, f, t, j, a}'::text[]) AS key, unnest('{count(*), min(n), max(t)}'::text[]) AS aggregate,
	unnest(ARRAY[$$HOP(loose, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)$$,
		$$HOP(loose, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '15' MINUTE)$$,
		$$CUMULATE(loose, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '15' MINUTE)$$,
		$$TUMBLE(loose, DESCRIPTOR(ts), INTERVAL '10' MINUTE)$$]) AS call,
	count_not_there(call, key, aggregate) AS not_there;

SELECT is(is_used, true, 'the node takes such keys')
FROM compare($$SELECT window_start, span, count(*) FROM loose, HOP(loose, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '15' MINUTE)
	GROUP BY window_start, window_end, span$$);

SET apply_watermark.enable_slice_node = on;
SELECT bag_eq(
	$$SELECT window_start::text, span::text, (window_start + span)::text FROM loose,
		HOP(loose, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
		WHERE window_start < '2024-01-01 00:10' GROUP BY window_start, window_end, span HAVING count(*) = 1$$,
	$$VALUES ('2023-12-31 23:55:00', '1 mon', '2024-01-31 23:55:00'), ('2024-01-01 00:05:00', '30 days', '2024-01-31 00:05:00')$$,
	'what is computed of a key is of that key');

SELECT * FROM finish();
ROLLBACK;
