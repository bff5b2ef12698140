\i test/setup.psql
BEGIN;
SELECT plan(44);

-- One row through each window function, at the edges of time.
CREATE FUNCTION pg_temp.tumbled(ts timestamp, size interval, shift interval DEFAULT '0')
RETURNS text
RETURN (SELECT format('%s, %s, %s', window_start, window_end, window_time)
		FROM (SELECT ts) AS o, TUMBLE(o, DESCRIPTOR(o.ts), size, shift));

SELECT is(pg_temp.tumbled(ts, size, shift), expected, label)
FROM (VALUES
	(timestamp '2024-03-01 00:09:59.999999', interval '10 min', interval '0',
	 '2024-03-01 00:00:00, 2024-03-01 00:10:00, 2024-03-01 00:09:59.999',
	 'TUMBLE: the last microsecond belongs to the window that ends'),
	('2024-03-01 00:10:00', '10 min', '0',
	 '2024-03-01 00:10:00, 2024-03-01 00:20:00, 2024-03-01 00:19:59.999',
	 'TUMBLE: a boundary opens a window'),
	('1969-12-31 23:59:59', '10 min', '0',
	 '1969-12-31 23:50:00, 1970-01-01 00:00:00, 1969-12-31 23:59:59.999',
	 'TUMBLE: before the epoch rounds down'),
	('1969-12-31 23:50:00', '10 min', '0',
	 '1969-12-31 23:50:00, 1970-01-01 00:00:00, 1969-12-31 23:59:59.999',
	 'TUMBLE: a boundary before the epoch opens a window'),
	('2024-03-01 00:04:59', '10 min', '5 min',
	 '2024-02-29 23:55:00, 2024-03-01 00:05:00, 2024-03-01 00:04:59.999',
	 'TUMBLE: an offset moves the windows'),
	('2024-03-01 00:05:00', '10 min', '-5 min',
	 '2024-03-01 00:05:00, 2024-03-01 00:15:00, 2024-03-01 00:14:59.999',
	 'TUMBLE: a negative offset moves them back'),
	('2024-05-06 12:00:00', '7 days', '0',
	 '2024-05-02 00:00:00, 2024-05-09 00:00:00, 2024-05-08 23:59:59.999',
	 'TUMBLE: weeks begin on Thursday, as 1970 did'),
	('2024-05-06 12:00:00', '7 days', '4 days',
	 '2024-05-06 00:00:00, 2024-05-13 00:00:00, 2024-05-12 23:59:59.999',
	 'TUMBLE: an offset of 4 days makes them begin on Monday'),
	('2024-03-01 00:00:00.0015', '1 millisecond', '0',
	 '2024-03-01 00:00:00.001, 2024-03-01 00:00:00.002, 2024-03-01 00:00:00.001',
	 'TUMBLE: the shortest size'),
	('4713-01-02 00:00:00 BC', '1 day', '0',
	 '4713-01-02 00:00:00 BC, 4713-01-03 00:00:00 BC, 4713-01-02 23:59:59.999 BC',
	 'TUMBLE: long before the epoch'),
	('infinity', '1 day', '0', 'infinity, infinity, infinity',
	 'TUMBLE: a row at infinity has a window of its own'),
	('-infinity', '1 day', '0', '-infinity, -infinity, -infinity',
	 'TUMBLE: a row at minus infinity has a window of its own')
) AS c(ts, size, shift, expected, label);

-- The same windows whether the size is a constant in the query or not.
SELECT is(window_start, date_bin('7 min', ts, timestamp '1970-01-01'),
		  'TUMBLE agrees with date_bin() at ' || ts)
FROM (VALUES (timestamp '2024-01-01 00:00:00.000001'), ('1960-02-29 13:14:15'), ('infinity')) AS c(ts),
	TUMBLE(c, DESCRIPTOR(ts), INTERVAL '7' MINUTE);

SELECT is(
	(SELECT string_agg(format('[%s,%s)', to_char(window_start, 'HH24:MI:SS'),
							  to_char(window_end, 'HH24:MI:SS')), ' ' ORDER BY window_end)
	 FROM (SELECT ts) AS o, HOP(o, DESCRIPTOR(o.ts), slide, size, shift)),
	expected, label)
FROM (VALUES
	(timestamp '2024-01-01 00:00:10', interval '3 s', interval '10 s', interval '0',
	 '[00:00:03,00:00:13) [00:00:06,00:00:16) [00:00:09,00:00:19)',
	 'HOP: the slide need not divide the size'),
	('2024-01-01 00:00:13', '3 s', '10 s', '0',
	 '[00:00:06,00:00:16) [00:00:09,00:00:19) [00:00:12,00:00:22)',
	 'HOP: a window does not hold its end'),
	('2024-01-01 00:00:10', '5 s', '10 s', '2 s',
	 '[00:00:02,00:00:12) [00:00:07,00:00:17)',
	 'HOP: an offset moves the starts'),
	('2024-01-01 00:00:10', '5 s', '10 s', '-8 s',
	 '[00:00:02,00:00:12) [00:00:07,00:00:17)',
	 'HOP: an offset longer than the slide counts modulo the slide'),
	('2024-01-01 00:00:01', '10 s', '4 s', '0', '[00:00:00,00:00:04)',
	 'HOP: a slide longer than the size leaves gaps'),
	('2024-01-01 00:00:04', '10 s', '4 s', '0', NULL,
	 'HOP: a row in a gap is in no window'),
	('1969-12-31 23:59:58', '5 s', '10 s', '0',
	 '[23:59:50,00:00:00) [23:59:55,00:00:05)',
	 'HOP: windows across the epoch'),
	('2024-01-01 00:00:10', '10 s', '10 s', '0', '[00:00:10,00:00:20)',
	 'HOP: sliding by the size is TUMBLE')
) AS c(ts, slide, size, shift, expected, label);

SELECT is(
	(SELECT string_agg(format('[%s,%s)', to_char(window_start, 'HH24:MI:SS'),
							  to_char(window_end, 'HH24:MI:SS')), ' ' ORDER BY window_end)
	 FROM (SELECT ts) AS o, CUMULATE(o, DESCRIPTOR(o.ts), step, size, shift)),
	expected, label)
FROM (VALUES
	(timestamp '2024-01-01 08:06:00', interval '2 min', interval '10 min', interval '0',
	 '[08:00:00,08:08:00) [08:00:00,08:10:00)',
	 'CUMULATE: a row on a step counts first in the window that ends after it'),
	('2024-01-01 08:12:00', '2 min', '10 min', '0',
	 '[08:10:00,08:14:00) [08:10:00,08:16:00) [08:10:00,08:18:00) [08:10:00,08:20:00)',
	 'CUMULATE: no window ends before the row'),
	('2024-01-01 08:10:00', '5 min', '10 min', '0',
	 '[08:10:00,08:15:00) [08:10:00,08:20:00)', 'CUMULATE: a start opens all windows'),
	('2024-01-01 08:10:00', '10 min', '10 min', '0', '[08:10:00,08:20:00)',
	 'CUMULATE: a step of the size is TUMBLE'),
	('2024-01-01 08:10:00', '5 min', '10 min', '-3 min',
	 '[08:07:00,08:12:00) [08:07:00,08:17:00)', 'CUMULATE: an offset moves the starts'),
	('1969-12-31 23:59:58', '5 s', '10 s', '0', '[23:59:50,00:00:00)',
	 'CUMULATE: before the epoch')
) AS c(ts, step, size, shift, expected, label);

-- Slices: rows of one slice are in the same windows.
SELECT is((slice_start::time || ' ' || slice_end::time), expected, label)
FROM (VALUES
	(timestamp '2024-01-01 00:00:10', interval '3 s', interval '10 s', interval '0',
	 '00:00:10 00:00:11', 'a slice is as wide as the greatest common divisor'),
	('2024-01-01 00:07:10', '5 min', '10 min', '2 min',
	 '00:07:00 00:12:00', 'slices move with the offset'),
	('1969-12-31 23:59:59.999999', '1 min', '1 h', '0',
	 '23:59:00 00:00:00', 'slices before the epoch round down')
) AS c(ts, step, size, shift, expected, label),
	watermark.window_slice(ts, step, size, shift);

-- Out of range: an error, never another time.
PREPARE infinite_hop AS
SELECT window_start, window_end, window_time
FROM (VALUES (timestamp 'infinity'), ('-infinity')) AS o(ts),
	HOP(o, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '1' MINUTE);
SELECT bag_eq('infinite_hop', $$VALUES
	(timestamp 'infinity', timestamp 'infinity', timestamp 'infinity'),
	('-infinity', '-infinity', '-infinity')$$, 'HOP: a row at infinity has one window');

PREPARE last_years AS
SELECT window_start, window_end FROM (VALUES (timestamp '294260-06-01 12:00')) AS o(ts), HOP(o, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '1' DAY);
SELECT results_eq('last_years', $$VALUES (timestamp '294260-06-01', timestamp '294260-06-02')$$,
				  'HOP: the last years of timestamps have windows');
SELECT throws_ok(format(
	'SELECT * FROM (SELECT %L::%s AS ts) AS o, %s', ts, type, call),
	'22008', NULL, format('%s of %s %s is out of range', call, type, ts))
FROM (VALUES
	('294276-12-31 23:59:59', 'timestamp', 'TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1'' DAY)'),
	('294276-12-31 23:59:59', 'timestamp', 'HOP(o, DESCRIPTOR(ts), INTERVAL ''1'' DAY, INTERVAL ''2'' DAY)'),
	('294276-12-31 23:59:59', 'timestamptz', 'TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''1'' DAY)'),
	('294276-12-31 23:59:59', 'timestamptz', 'CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''1'' DAY, INTERVAL ''2'' DAY)'),
	('4714-11-24 00:00:00 BC', 'timestamp', 'TUMBLE(o, DESCRIPTOR(ts), INTERVAL ''5'' DAY)'),
	('4714-11-24 00:00:00 BC', 'timestamp', 'HOP(o, DESCRIPTOR(ts), INTERVAL ''1'' DAY, INTERVAL ''5'' DAY)'),
	('4714-11-24 00:00:00 BC', 'timestamptz', 'CUMULATE(o, DESCRIPTOR(ts), INTERVAL ''1'' DAY, INTERVAL ''5'' DAY)')
) AS c(ts, type, call);

-- NULL times
SELECT is_empty($$SELECT * FROM (SELECT NULL::timestamp AS ts) AS o, TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' DAY)$$,
				'TUMBLE drops a row without a time');
SELECT is_empty($$SELECT * FROM (SELECT NULL::timestamp AS ts) AS o, HOP(o, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY)$$,
				'HOP drops a row without a time');
SELECT is_empty($$SELECT * FROM (SELECT NULL::timestamptz AS ts) AS o, CUMULATE(o, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY)$$,
				'CUMULATE drops a row without a time');

SELECT * FROM finish();
ROLLBACK;
