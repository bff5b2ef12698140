SELECT channel AS k, window_end AS we, count(*) AS cnt, sum(price) AS sm, 0 AS av
FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, channel
