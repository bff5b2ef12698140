SELECT p.id AS k, p.we, 1::bigint AS cnt, 0 AS sm, 0 AS av
FROM (
	SELECT id, name, window_end AS we
	FROM person, TUMBLE(person, DESCRIPTOR(ts), INTERVAL '10' SECOND)
	GROUP BY window_start, window_end, id, name) AS p
JOIN (
	SELECT seller, window_end AS we
	FROM auction, TUMBLE(auction, DESCRIPTOR(ts), INTERVAL '10' SECOND)
	GROUP BY window_start, window_end, seller) AS a
	ON p.id = a.seller AND p.we = a.we
