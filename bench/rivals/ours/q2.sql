SELECT channel AS k, window_end AS we, count(*) AS cnt, sum(price) AS sm, avg(price) AS av
FROM bid, HOP(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end, channel
