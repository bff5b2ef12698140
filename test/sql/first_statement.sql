\i test/setup.psql
-- Each statement is the first of its session that calls the extension: it loads
-- the library.
CREATE TABLE first_statement (k int, ts timestamp(3));
INSERT INTO first_statement VALUES (1, '2024-01-01 00:00:01'), (2, NULL), (3, '2024-01-01 00:00:11'), (1, '2024-01-01 00:00:03');
CREATE VIEW first_view AS
SELECT * FROM first_statement AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '5' SECOND);

\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT window_start::time, count(*) FROM first_statement AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end ORDER BY 1$$,
	$$VALUES (time '00:00:00', 2::bigint), ('00:00:10', 1)$$, 'TUMBLE');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT window_end::time, count(*) FROM first_statement AS o, HOP(o, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND) GROUP BY window_start, window_end ORDER BY 1$$,
	$$VALUES (time '00:00:10', 2::bigint), ('00:00:20', 3), ('00:00:30', 1)$$, 'HOP');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT window_end::time, count(*) FROM first_statement AS o, CUMULATE(o, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND) GROUP BY window_start, window_end ORDER BY 1$$,
	$$VALUES (time '00:00:10', 2::bigint), ('00:00:20', 3)$$, 'CUMULATE');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT TUMBLE_END(ts, INTERVAL '10' SECOND)::time, count(*) FROM first_statement GROUP BY TUMBLE(ts, INTERVAL '10' SECOND) ORDER BY 1$$,
	$$VALUES (time '00:00:10', 2::bigint), ('00:00:20', 1)$$, 'the group window TUMBLE');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT HOP_END(ts, INTERVAL '10' SECOND, INTERVAL '20' SECOND)::time, count(*) FROM first_statement GROUP BY HOP(ts, INTERVAL '10' SECOND, INTERVAL '20' SECOND) ORDER BY 1$$,
	$$VALUES (time '00:00:10', 2::bigint), ('00:00:20', 3), ('00:00:30', 1)$$, 'the group window HOP');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT k, watermark::time, is_behind FROM first_statement AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '5' SECOND)$$,
	$$VALUES (1, NULL::time, false), (2, '23:59:56', false), (3, '23:59:56', false), (1, '00:00:06', true)$$, 'APPLY_WATERMARK');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT k FROM first_view WHERE k < 3$$, $$VALUES (1), (2), (1)$$, 'a view with a watermark that is not read');
\c
\i test/setup.psql
SELECT plan(1);
SELECT throws_ok(
	$$SELECT TUMBLE_END(ts, INTERVAL '10' SECOND) FROM first_statement$$, '42803', 'tumble_end needs TUMBLE in GROUP BY',
	'a part without its window');
\c
\i test/setup.psql
SELECT plan(1);
SELECT throws_ok(
	$$SELECT * FROM first_statement AS o, TUMBLE(o, DESCRIPTOR(k), INTERVAL '10' SECOND)$$, '42804',
	'column "k" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is integer)', 'a time column of a wrong type');
\c
\i test/setup.psql
SELECT plan(1);
SELECT results_eq(
	$$SELECT k, window_end::time FROM first_statement AS o, SESSION(o, DESCRIPTOR(ts), INTERVAL '5' SECOND) ORDER BY 2, 1$$,
	$$VALUES (1, time '00:00:08'), (1, '00:00:08'), (3, '00:00:16')$$, 'SESSION');
-- What needs the library from the start of the statement says so, once.
\c
\i test/setup.psql
SELECT plan(2);
SELECT throws_ok(
	$$SELECT count(*) FROM first_statement GROUP BY SESSION(ts, INTERVAL '5' SECOND)$$, '55000',
	'SESSION in GROUP BY needs the library of apply_watermark from the start of the statement', 'the group window SESSION');
SELECT results_eq(
	$$SELECT SESSION_END(ts, INTERVAL '5' SECOND)::time, count(*) FROM first_statement GROUP BY SESSION(ts, INTERVAL '5' SECOND) ORDER BY 1$$,
	$$VALUES (time '00:00:08', 2::bigint), ('00:00:16', 1)$$, 'the group window SESSION again');
\c
\i test/setup.psql
SELECT plan(1);
SELECT throws_ok(
	$$SELECT HOP_END(ts, INTERVAL '1' DAY, INTERVAL '1' DAY), unnest(ARRAY[1, 2]) AS u FROM first_statement GROUP BY HOP(ts, INTERVAL '1' DAY, INTERVAL '1' DAY), u$$,
	'55000', 'HOP in GROUP BY beside another function that returns a set needs the library of apply_watermark from the start of the statement',
	'a group window beside another set');
\c
\i test/setup.psql
SELECT plan(1);
-- A setting given before the library is loaded counts.
SET apply_watermark.max_windows_per_row = 1;
SELECT throws_ok(
	$$SELECT * FROM first_statement AS o, HOP(o, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '2' SECOND)$$, '54000',
	'a row would be put into 2 windows', 'a setting');

DROP VIEW first_view;
DROP TABLE first_statement;
