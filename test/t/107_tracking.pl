# Streams that are tracked: their watermark, the row that moved it, and their counts; of
# tables and views, and to whom they show.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each([ 'history, then live', \&test_live ],
	[ 'what shows without advance()', \&test_unasked ],
	[ 'views', \&test_views ],
	[ 'time zones', \&test_zone ],
	[ 'beside a query', \&test_query ],
	[ 'rights', \&test_rights ],
	[ 'transactions', \&test_transactions ]);

# The watermark moves with each transaction, by its greatest strategy.
sub test_live
{
	new_source('orders');
	take_in(q{INSERT INTO orders VALUES (1, 1, '2024-01-01 10:01'), (2, 1, '2024-01-01 10:02'), (3, 1, '2024-01-01 10:00'), (4, 1, NULL)},
		q{SELECT watermark.track('orders')});
	is(tracked('orders', 'watermark, watermark_at, moved_by, rows_in, n_set_aside, state, error'),
		'2024-01-01 10:01:55||{"k": 1, "id": 2, "ts": "2024-01-01T10:02:00"}|4|1|running|', 'the greatest of the history');

	take_in(q{INSERT INTO orders VALUES (5, 1, '2024-01-01 10:03'), (6, 1, '2024-01-01 10:05'), (7, 1, '2024-01-01 10:04')});
	is(tracked('orders', q{watermark, moved_by->>'id', rows_in, n_set_aside}), '2024-01-01 10:04:55|6|7|1', 'a row in the midst of a transaction moves it');
	my $moved_at = tracked('orders', 'watermark_at');
	is(sql(qq{SELECT '$moved_at' BETWEEN pg_postmaster_start_time() AND now()}), 't', 'when it was committed');

	take_in(q{INSERT INTO orders VALUES (8, 1, '2024-01-01 10:01')}, q{INSERT INTO orders VALUES (9, 1, 'infinity'), (10, 1, NULL)},
		q{BEGIN; INSERT INTO orders VALUES (11, 1, '2025-01-01'); ROLLBACK});
	is(tracked('orders', q{watermark, moved_by->>'id', rows_in, n_set_aside}), '2024-01-01 10:04:55|6|10|3', 'rows behind it, without a time, or rolled back do not');
	is(tracked('orders', 'watermark_at'), $moved_at, 'nor does the time change');
	is(sql(q{SELECT query IS NULL, source, reason, watermark, source_row->>'id' FROM watermark.late_rows ORDER BY (source_row->>'id')::int}),
		"t|orders|null||4\nt|orders|not finite|2024-01-01 10:04:55|9\nt|orders|null|2024-01-01 10:04:55|10", 'rows that are set aside are kept');

	take_in('UPDATE orders SET k = 2 WHERE id < 3', 'DELETE FROM orders WHERE id = 3', 'TRUNCATE orders');
	is(tracked('orders', 'rows_in, n_updates, n_deletes, n_truncates, n_late, n_published, retained_bytes < 10000'), '10|2|1|1|0|0|t', 'changes are counted');

	sql(q{SELECT watermark.untrack('orders')});
	is(sql('SELECT (SELECT count(*) FROM watermark.query) + (SELECT count(*) FROM watermark.progress) +
		(SELECT count(*) FROM watermark.late_row)'), 0, 'nothing is left when it ends');
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_replication_slots'), 'and no slot');
	refuses('what is not tracked', q{SELECT watermark.untrack('orders')}, qr/"orders" is not tracked/);
	return;
}

# Nobody need ask: what is new is written within a second or so.
sub test_unasked
{
	new_source('unasked');
	take_in(q{SELECT watermark.track('unasked')});
	sql(q{INSERT INTO unasked VALUES (1, 1, '2024-01-01 10:00')});
	ok($node->poll_query_until('postgres', q{SELECT watermark = '2024-01-01 09:59:55' AND rows_in = 1 FROM watermark.streams}), 'a row shows by itself');
	sql('UPDATE unasked SET k = 2');
	ok($node->poll_query_until('postgres', q{SELECT n_updates = 1 FROM watermark.streams}), 'and so does a change');
	return;
}

# Rows that the definition of a view leaves out are none of its stream.
sub test_views
{
	new_source('base');
	sql(q{CREATE VIEW few AS SELECT id AS number, ts AS t FROM base WHERE k < 5 AND watermark_for(ts, ts - INTERVAL '1' MINUTE)},
		'CREATE VIEW handed_on AS SELECT ts, id FROM base WHERE id > 1',
		q{CREATE VIEW applied AS SELECT b.* FROM base AS b, APPLY_WATERMARK(b, DESCRIPTOR(ts), ts - INTERVAL '10' SECOND) WHERE id > 1},
		'CREATE TABLE names (k int PRIMARY KEY, name text)', q{INSERT INTO names VALUES (1, 'one'), (7, 'seven')},
		'CREATE VIEW named AS SELECT b.ts, n.name FROM base AS b JOIN names AS n USING (k)',
		q{INSERT INTO base VALUES (1, 7, '2024-01-01 10:09'), (2, 1, '2024-01-01 10:05')});
	sql(qq{SELECT watermark.track('$_')}) for qw(few handed_on applied named base);
	take_in(q{INSERT INTO base VALUES (3, 7, '2024-01-01 10:20')}, q{INSERT INTO base VALUES (4, 2, '2024-01-01 10:10'), (5, 7, NULL), (6, 1, NULL)});
	my $columns = q{watermark, moved_by->>'id', rows_in, n_set_aside};
	is(tracked('few', $columns), '2024-01-01 10:09:00|4|3|1', 'a condition beside the definition chooses the rows that move the watermark');
	is(tracked('handed_on', $columns), '2024-01-01 10:19:55|3|5|2', 'a view without one hands on that of its table');
	is(tracked('applied', $columns), '2024-01-01 10:19:50|3|5|2', 'APPLY_WATERMARK in a view sees its input');
	is(tracked('named', $columns), '2024-01-01 10:19:55|3|5|2', 'a join counts the rows that it leaves');
	is(tracked('base', $columns), '2024-01-01 10:19:55|3|6|2', 'the table has all');
	is(sql(q{SELECT string_agg(source::text, ' ' ORDER BY source::text) FROM watermark.late_rows WHERE source_row->>'id' = '6'}),
		'applied base few handed_on named', 'each keeps what it sets aside');

	sql('CREATE TABLE parted (id int, ts timestamp, CHECK (watermark_for(ts, ts))) PARTITION BY RANGE (id)',
		'CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (5)', q{INSERT INTO parted VALUES (1, '2024-01-01')},
		q{SELECT watermark.track('parted')});
	take_in('CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (5) TO (9)', q{INSERT INTO parted VALUES (2, '2024-01-02'), (6, '2024-01-03')});
	is(tracked('parted', $columns), '2024-01-03 00:00:00|6|3|0', 'of a partitioned table the rows of all partitions');
	return;
}

sub test_zone
{
	sql(q{CREATE TABLE zoned (id int, ts timestamptz, CHECK (watermark_for(ts, ts - INTERVAL '1' DAY)))});
	take_in(q{SET timezone = 'Europe/Berlin'; SELECT watermark.track('zoned')});
	take_in(q{INSERT INTO zoned VALUES (1, '2024-03-31 22:00+00')});
	is(tracked('zoned', 'watermark'), '2024-03-31 00:00:00 Europe/Berlin', 'a day of 23 hours is one in the zone of who tracks it');
	return;
}

# A query over a stream that is tracked: neither knows the other.
sub test_query
{
	new_source('shared');
	sql('CREATE SCHEMA other', q{CREATE TABLE other.shared (ts timestamp, CHECK (watermark_for(ts, ts)))},
		q{SELECT watermark.create_query('shared_q', 'SELECT window_end, count(*) AS n FROM shared AS s, TUMBLE(s, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE) GROUP BY window_start, window_end')},
		q{SELECT watermark.track('shared')}, q{SELECT watermark.track('other.shared')});
	take_in(q{INSERT INTO shared VALUES (1, 1, '2024-01-01 10:00:30'), (2, 1, '2024-01-01 10:01:10')});
	is(sql('TABLE shared_q'), '2024-01-01 10:01:00|1', 'the query publishes');
	is(sql('SELECT query, source, watermark, moved_by IS NULL, rows_in, n_published, state FROM watermark.streams ORDER BY query, source::text'),
		"shared_q|shared|2024-01-01 10:01:05|f|2|1|running\n|other.shared||t|0|0|running\n|shared|2024-01-01 10:01:05|f|2|0|running", 'both show their streams');
	is(sql('SELECT name FROM watermark.queries'), 'shared_q', 'a stream that is tracked is no query');
	refuses('dropping it as one', q{SELECT watermark.drop_query('shared_tracked')}, qr/continuous query "shared_tracked" does not exist/);
	refuses('tracking twice', q{SELECT watermark.track('shared')}, qr/table "shared" is already tracked/);
	sql(q{SELECT watermark.untrack('shared')}, q{SELECT watermark.untrack('other.shared')});
	take_in(q{INSERT INTO shared VALUES (3, 1, '2024-01-01 10:02:10')});
	is(sql('SELECT query, rows_in FROM watermark.streams'), 'shared_q|3', 'the query goes on without it');
	sql(q{SELECT watermark.drop_query('shared_q')});
	return;
}

sub test_rights
{
	new_source('secret');
	sql('CREATE ROLE maker', 'CREATE ROLE stranger', 'CREATE ROLE grantee', 'GRANT EXECUTE ON FUNCTION watermark.track TO maker, grantee');
	refuses('a role without EXECUTE', q{SET ROLE stranger; SELECT watermark.track('secret')}, qr/permission denied for function track/);
	refuses('a role that may not read', q{SET ROLE maker; SELECT watermark.track('secret')}, qr/permission denied for table secret/);
	sql('GRANT SELECT ON secret TO maker', q{SET ROLE maker; SELECT watermark.track('secret')});
	take_in(q{INSERT INTO secret VALUES (1, 1, '2024-01-01')});
	is(sql('SET ROLE maker; SELECT source, rows_in FROM watermark.streams'), 'secret|1', 'who tracks sees it');
	is(sql('SET ROLE stranger; SELECT count(*) FROM watermark.streams'), 0, 'others do not');
	refuses('ending what another tracks', q{SET ROLE grantee; SELECT watermark.untrack('secret')}, qr/"secret" is tracked by another role/);
	take_in('REVOKE SELECT ON secret FROM maker', q{INSERT INTO secret VALUES (2, 1, '2024-01-02')});
	is(tracked('secret', 'error, rows_in'), 'permission denied for table secret|1', 'a right that was revoked is missed');
	sql(q{SET ROLE maker; SELECT watermark.untrack('secret')});
	is(sql('SELECT count(*) FROM watermark.streams'), 0, 'who tracks can end it');

	# Policies of row security, and of a view the rights of its owner.
	sql(q{ALTER TABLE secret ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON secret USING (k = 1); GRANT SELECT ON secret TO maker;
		CREATE VIEW shown AS SELECT ts, k FROM secret WHERE watermark_for(ts, ts); GRANT SELECT ON shown TO maker;
		SET ROLE maker; SELECT watermark.track('secret'); SELECT watermark.track('shown')});
	take_in(q{INSERT INTO secret VALUES (3, 2, '2024-01-03'), (4, 1, '2024-01-02')});
	is(tracked('secret', q{rows_in, watermark, moved_by->>'id'}), '3|2024-01-01 23:59:55|2', 'rows that it may not see move nothing');
	is(tracked('shown', 'rows_in, watermark'), '4|2024-01-03 00:00:00', 'of a view those that its owner may');
	take_in('REVOKE SELECT ON secret FROM maker', 'GRANT SELECT (ts) ON secret TO maker', q{INSERT INTO secret VALUES (5, 1, '2024-01-05')});
	is(tracked('shown', 'moved_by'), '{"ts": "2024-01-05T00:00:00"}', 'of the row that moved the watermark it sees what it may read');
	return;
}

sub test_transactions
{
	new_source('undecided');
	sql('BEGIN', q{SELECT watermark.track('undecided')}, 'ROLLBACK');
	is(sql('SELECT count(*) FROM watermark.query'), 0, 'it begins with the commit');
	sql('BEGIN', q{SELECT watermark.track('undecided')}, q{SELECT watermark.untrack('undecided')}, 'COMMIT');
	is(sql(q{SELECT count(*) FROM watermark.query, pg_class WHERE relname = 'undecided_tracked'}), 0, 'begun and ended in one transaction it never was');
	sql(q{SELECT watermark.track('undecided')}, 'BEGIN', q{SELECT watermark.untrack('undecided')}, 'ROLLBACK');
	take_in(q{INSERT INTO undecided VALUES (1, 1, '2024-01-01')});
	is(tracked('undecided', 'rows_in'), 1, 'and ends with the commit');
	return;
}
