SELECT k, we, cnt, 0 AS sm, 0 AS av
FROM (
	SELECT k, we, cnt, rank() OVER (PARTITION BY we ORDER BY cnt DESC) AS r
	FROM (
		SELECT auction AS k, window_end AS we, count(*) AS cnt
		FROM bid, HOP(bid, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND)
		GROUP BY window_start, window_end, auction) AS counts) AS ranked
WHERE r = 1
