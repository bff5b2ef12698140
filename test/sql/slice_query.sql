\i test/setup.psql
LOAD 'apply_watermark';
BEGIN;
SELECT plan(45);

-- Queries whose expressions the planner takes apart: what is left of a grouping key
-- may be a column that is none, and the node must not group by it.
\i test/slice.psql
SET max_parallel_workers_per_gather = 0;
SELECT setseed(0.4), fill(400, false) \g /dev/null
CREATE TABLE marks (at timestamp, k integer);
INSERT INTO marks VALUES ('1969-12-31 23:00', 0), ('1970-01-01', 1), ('1970-01-01 01:00', 2);
CREATE VIEW split AS SELECT *, v % 3 AS third, v IS NULL AS is_unknown, k < 2 AND v > 3 AS is_few, k < 2 OR v > 3 AS is_any FROM fuzz;
CREATE TABLE parent (LIKE fuzz, PRIMARY KEY (id));
CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);
INSERT INTO parent TABLE fuzz;
INSERT INTO child SELECT id, ts, tz, k, t, v + 1, b, n, f, flag, d FROM fuzz;
CREATE TABLE ranges (LIKE fuzz, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE low PARTITION OF ranges FOR VALUES FROM (0) TO (100);
CREATE TABLE high PARTITION OF ranges FOR VALUES FROM (100) TO (1000);
INSERT INTO ranges TABLE fuzz;
ANALYZE;

CREATE TEMP VIEW calls AS
SELECT * FROM (VALUES
	('TUMBLE', $$TUMBLE(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE) AS w$$),
	('HOP', $$HOP(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR) AS w$$),
	('CUMULATE', $$CUMULATE(f, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR) AS w$$)) AS c(kind, call);

-- With the kinds that the node must take.  For TUMBLE, columns of the window are
-- expressions over the time.
CREATE TEMP VIEW cases AS
SELECT * FROM (VALUES
	(1, $$SELECT window_start, (SELECT max(k) FROM marks WHERE k < extract(hour FROM window_end)), count(*) FROM fuzz AS f, @ GROUP BY window_start, window_end$$,
		'{HOP, CUMULATE}'::text[], 'a subquery of the end of the window'),
	(2, $$SELECT window_start, window_end, count(*) FROM fuzz AS f, @ GROUP BY window_start, window_end HAVING EXISTS (SELECT FROM marks WHERE at < window_end)$$,
		'{HOP, CUMULATE}', 'a condition on groups with a subquery of the end of the window'),
	(3, $$SELECT window_start, window_end, count(*) FROM fuzz AS f, @ GROUP BY window_start, window_end ORDER BY (SELECT count(*) FROM marks WHERE at < window_end), 1, 2 LIMIT 7$$,
		'{HOP, CUMULATE}', 'an order by a subquery of the end of the window'),
	(4, $$SELECT window_start, (SELECT max(at) FROM marks WHERE marks.k = third), count(*) FROM split AS f, @ GROUP BY window_start, window_end, third$$,
		'{}', 'a subquery of a key that is an expression'),
	(5, $$SELECT window_start, window_end, count(*) FROM split AS f, @ GROUP BY window_start, window_end, third HAVING EXISTS (SELECT FROM marks WHERE marks.k = third)$$,
		'{}', 'a condition on groups with a subquery of a key that is an expression'),
	(6, $$SELECT window_start, third IN (SELECT k FROM marks WHERE at < window_end), count(*) FROM split AS f, @ GROUP BY window_start, window_end, third$$,
		'{HOP, CUMULATE}', 'a key that is an expression before IN'),
	(7, $$SELECT window_start, window_end, NOT (k < 2), count(*) FROM fuzz AS f, @ GROUP BY 1, 2, k < 2$$,
		'{}', 'a comparison that is turned round'),
	(8, $$SELECT window_start, window_end, NOT is_unknown, count(*) FROM split AS f, @ GROUP BY 1, 2, is_unknown$$,
		'{}', 'a test for NULL that is turned round'),
	(9, $$SELECT window_start, window_end, is_few AND flag, count(*) FROM split AS f, @ GROUP BY 1, 2, is_few, flag$$,
		'{}', 'conditions that are flattened by AND'),
	(10, $$SELECT window_start, window_end, count(*) FROM split AS f, @ GROUP BY 1, 2, is_any, flag HAVING is_any OR flag OR count(*) > 3$$,
		'{}', 'conditions on groups that are flattened by OR'),
	(11, $$SELECT window_start, window_end, CASE WHEN NOT (k < 2) THEN 1 END, count(*) FROM fuzz AS f, @ GROUP BY 1, 2, k < 2$$,
		'{}', 'a comparison that is turned round in CASE'),
	(12, $$SELECT window_start, window_end, f.id, f.v, count(*) FROM parent AS f, @ GROUP BY 1, 2, f.id$$,
		'{}', 'a column by the primary key of a parent that has children'),
	(13, $$SELECT window_start, window_end, f.id, (SELECT max(at) FROM marks WHERE marks.k = f.v % 3), f, count(*) FROM ranges AS f, @ GROUP BY 1, 2, f.id$$,
		'{TUMBLE, HOP, CUMULATE}', 'columns and the row by the primary key of a table in partitions'),
	(14, $$SELECT window_start, window_end, third, third + 1, (SELECT max(at) FROM marks WHERE marks.k < count(f.v)), count(*) FROM split AS f, @ GROUP BY 1, 2, third$$,
		'{TUMBLE, HOP, CUMULATE}', 'a key that is an expression, and a subquery of an aggregate'),
	(15, $$SELECT window_start, window_end, l.name, (SELECT max(at) FROM marks WHERE marks.k < length(l.name)), count(*) FROM fuzz AS f LEFT JOIN (SELECT k, coalesce(name, 'none') AS name FROM dim) AS l ON l.k = f.k, @ GROUP BY 1, 2, l.name$$,
		'{TUMBLE, HOP, CUMULATE}', 'a subquery of a key from the other side of an outer join')
) AS c(n, query, kinds, label);

-- Where the node cannot be taken in one version, another may keep the key whole.
SELECT ok(c.differences = 0 AND (c.is_used OR kind <> ALL (kinds)), format('%s: %s', kind, label))
FROM cases, calls, compare(replace(query, '@', call)) AS c
ORDER BY n, kind;

SELECT * FROM finish();
ROLLBACK;
