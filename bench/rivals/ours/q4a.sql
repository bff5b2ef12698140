SELECT k, we, cnt, rn AS sm, 0 AS av
FROM (
	SELECT k, we, cnt, row_number() OVER (PARTITION BY we ORDER BY cnt DESC, k) AS rn
	FROM (
		SELECT item_id AS k, window_end AS we, count(*) AS cnt
		FROM ub, HOP(ub, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '2' SECOND)
		WHERE behavior = 'pv'
		GROUP BY window_start, window_end, item_id) AS counts) AS ranked
WHERE rn <= 10
