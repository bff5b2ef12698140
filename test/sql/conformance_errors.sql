-- What Apache Flink 2.3 refuses is refused here, with an error that names the argument.
\i test/setup.psql
BEGIN;
SELECT plan(22);

CREATE TEMP TABLE events (id integer, k text, v bigint, ts timestamp(3));
INSERT INTO events VALUES (1, 'a', 10, '2024-05-06 08:00');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '0' MINUTE) $$,
	'22023', 'window size must be positive',
	'a size of zero is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '-10' MINUTE) $$,
	'22023', 'window size must be positive',
	'a negative size is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MONTH) $$,
	'22023', 'window size must not contain months or years',
	'a size in months is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' YEAR) $$,
	'22023', 'window size must not contain months or years',
	'a size in years is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window offset must be shorter than the window size',
	'an offset as long as the size is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '25' MINUTE) $$,
	'22023', 'window offset must be shorter than the window size',
	'an offset longer than the size is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '-10' MINUTE) $$,
	'22023', 'window offset must be shorter than the window size',
	'a negative offset as long as the size is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '0' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window slide must be positive',
	'a slide of zero is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '-5' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window slide must be positive',
	'a negative slide is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '0' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window step must be positive',
	'a step of zero is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '4' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window size is not a multiple of its step',
	'a step that does not divide the size is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window size is not a multiple of its step',
	'a step longer than the size is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(v), INTERVAL '10' MINUTE) $$,
	'42804', 'column "v" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is bigint)',
	'a time column that is a number is refused by name');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, HOP(e, DESCRIPTOR(k), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) $$,
	'42804', 'column "k" must be of type TIMESTAMP or TIMESTAMP_LTZ (it is text)',
	'a time column that is a text is refused by name');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(nope), INTERVAL '10' MINUTE) $$,
	'42703', 'column "nope" does not exist',
	'an unknown time column is refused by name');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts)) $$,
	'42883', 'function tumble(events, timestamp without time zone) does not exist',
	'a missing size is refused');

SELECT throws_ok(
	$$ SELECT count(*) FROM events GROUP BY TUMBLE(ts, INTERVAL '0' MINUTE) $$,
	'22023', 'window size must be positive',
	'a group window of no length is refused');

SELECT throws_ok(
	$$ SELECT count(*) FROM events GROUP BY HOP(ts, INTERVAL '0' MINUTE, INTERVAL '10' MINUTE) $$,
	'22023', 'window slide must be positive',
	'a group window that does not slide is refused');

SELECT throws_ok(
	$$ SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE) FROM events GROUP BY k $$,
	'42803', 'tumble_start needs TUMBLE in GROUP BY',
	'a part of a group window without the group window is refused');

-- Of no account in Flink, whose times have milliseconds and whose arguments are constants.
SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '0.000999' SECOND) $$,
	'22023', 'window size must be at least 1 millisecond',
	'a size under one millisecond is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), NULL::interval) $$,
	'22004', 'window size must not be null',
	'a size of NULL is refused');

SELECT throws_ok(
	$$ SELECT * FROM events AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '10' MINUTE, NULL) $$,
	'22004', 'window offset must not be null',
	'an offset of NULL is refused');

SELECT * FROM finish();
ROLLBACK;
