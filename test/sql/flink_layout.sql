-- How translations are laid out: plain output.
\i test/setup.psql

SELECT flink_sql($$
SELECT window_start, window_end, item, total FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, item) AS rn
FROM (SELECT window_start, window_end, item, SUM(price) AS total, COUNT(*) AS bids FROM TABLE(CUMULATE(TABLE bids, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '10' MINUTE)) GROUP BY window_start, window_end, item)) WHERE rn <= 3
$$);

SELECT flink_sql($$
CREATE TABLE clicks (user_id BIGINT, url STRING, millis BIGINT, ts AS TO_TIMESTAMP_LTZ(millis, 3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
WITH ('connector' = 'filesystem', 'path' = '/srv/clicks.csv', 'format' = 'csv');
CREATE VIEW per_hour AS SELECT L.user_id, L.url, R.name FROM (SELECT * FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' HOUR))) L
LEFT JOIN (SELECT * FROM TABLE(TUMBLE(TABLE names, DESCRIPTOR(since), INTERVAL '1' HOUR))) R ON L.user_id = R.user_id AND L.window_start = R.window_start AND L.window_end = R.window_end;
INSERT INTO sink SELECT 1;
$$);

SELECT flink_sql('SELECT a FROM t WHERE b = 1 ORDER BY c');
