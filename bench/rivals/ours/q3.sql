SELECT channel AS k, window_end AS we, count(*) AS cnt, sum(price) AS sm, 0 AS av
FROM bid, CUMULATE(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' DAY)
GROUP BY window_start, window_end, channel
