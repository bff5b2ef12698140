SELECT b.auction AS k, m.we, b.bidder AS cnt, b.price AS sm, 0 AS av
FROM (SELECT b.*, window_end FROM bid AS b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS b
JOIN (
	SELECT window_end AS we, max(price) AS mx
	FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '10' SECOND)
	GROUP BY window_start, window_end) AS m
	ON b.price = m.mx AND b.window_end = m.we
