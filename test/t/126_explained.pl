# Why a window has not come out, explain_query() says.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Cluster;
use Test::More;

my $WINDOW = 'window||from 2024-01-01 10:00:00 to 2024-01-01 10:01:00 is open, and closes when the watermark reaches 2024-01-01 10:00:59.999999; it is';
my @WORKING = ('query|f|runs', 'worker|f|has read all that was committed');

test_each(
	[ 'silence', \&test_silence ],
	[ 'several streams', \&test_streams ],
	[ 'windows of several kinds', \&test_kinds ],
	[ 'queries that stand', \&test_standing ],
	[ 'a worker that is behind', \&test_behind ],
	[ 'who sees what', \&test_rights ],
	[ 'a standby', \&test_standby ]);

sub explains
{
	my ($name, $label, @lines) = @_;

	# The server writes WAL of its own now and then.
	$node->poll_query_until('postgres', q{SELECT pg_current_wal_flush_lsn() <= position FROM watermark.worker()}) if $lines[1] eq $WORKING[1];
	is(sql("SELECT subject, keeps_open, finding FROM watermark.explain_query('$name')"), join("\n", @lines), $label);
	return;
}

# B03: where nothing more comes, it can be seen what is waited for.
sub test_silence
{
	stream('silent');
	per_minute('of_silent', 'silent');
	explains('of_silent', 'before the first row', @WORKING, 'window||none is open', 'stream silent|f|has had no row that moves the watermark');
	arrive('silent', '10:00:10');
	arrive('silent', '10:00:50');
	explains('of_silent', 'an open window, and what it waits for', @WORKING, "$WINDOW at 2024-01-01 10:00:45", 'stream silent|t|holds the watermark at 2024-01-01 10:00:45');
	is(sql(q{SELECT subject, moved_by->>'ts', since IS NOT NULL FROM watermark.explain_query('of_silent') WHERE keeps_open}), 'stream silent|2024-01-01T10:00:50|t', 'and which row has moved the watermark last, when');
	sql('INSERT INTO silent (ts) VALUES (NULL)');
	arrive('silent', '10:00:20');
	is(sql(q{SELECT moved_by->>'ts' FROM watermark.explain_query('of_silent') WHERE keeps_open}), '2024-01-01T10:00:50', 'others have not moved it');
	arrive('silent', '10:01:05');
	explains('of_silent', 'the next window', @WORKING, $WINDOW =~ s/10:00:00 to 2024-01-01 10:01:00/10:01:00 to 2024-01-01 10:02:00/r =~ s/10:00:59/10:01:59/r . ' at 2024-01-01 10:01:00', 'stream silent|t|holds the watermark at 2024-01-01 10:01:00');
	return;
}

sub test_streams
{
	stream($_) for qw(left_one right_one);
	query('of_both', q{SELECT window_start, count(*) AS n FROM (SELECT ts FROM left_one UNION ALL SELECT ts FROM right_one) AS u, TUMBLE(u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end}, q{, idle_timeout => '1 s'});
	arrive('left_one', '10:00:10', '10:02:10');
	my $shown = sql(q{SELECT subject, keeps_open, finding FROM watermark.explain_query('of_both')});
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM of_both}) or die 'no stream becomes idle';
	like($shown, qr/^stream right_one\|t\|has had no row that moves the watermark$/m, 'a stream without rows holds all');
	like($shown, qr/^stream left_one\|f\|is ahead, at 2024-01-01 10:02:05$/m, 'which another does not');
	like(sql(q{SELECT subject, keeps_open, finding, since IS NOT NULL FROM watermark.explain_query('of_both')}), qr/^stream right_one\|f\|is idle, and not waited for\|t$/m, 'until it is idle');
	return;
}

sub test_kinds
{
	stream('kinds');
	query('of_hop', q{SELECT window_end, count(*) AS n FROM kinds AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) GROUP BY window_start, window_end});
	query('of_cumulate', q{SELECT window_end, string_agg(k, '') AS n FROM kinds AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) GROUP BY window_start, window_end});
	query('of_day', q{SELECT window_end, count(*) AS n FROM (SELECT ts::timestamptz(3) AS ts, k FROM kinds WHERE watermark_for(ts::timestamptz(3), ts::timestamptz(3))) AS e,
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start, window_end}, '', q{SET timezone = 'Europe/Berlin'});
	arrive('kinds', '10:00:10', '10:02:50');
	my $stream = 'stream kinds|t|holds the watermark at 2024-01-01 10:02:45';
	explains('of_hop', 'HOP', @WORKING, $WINDOW =~ s/10:00:00 to 2024-01-01 10:01:00/09:58:00 to 2024-01-01 10:03:00/r =~ s/10:00:59/10:02:59/r . ' at 2024-01-01 10:02:45', $stream);
	explains('of_cumulate', 'CUMULATE', @WORKING, $WINDOW =~ s/10:00:00 to 2024-01-01 10:01:00/10:00:00 to 2024-01-01 10:03:00/r =~ s/10:00:59/10:02:59/r . ' at 2024-01-01 10:02:45', $stream);
	explains('of_day', 'days of a zone', @WORKING, 'window||from 2024-01-01 00:00:00 Europe/Berlin to 2024-01-02 00:00:00 Europe/Berlin is open, and closes when the watermark reaches 2024-01-01 23:59:59.999 Europe/Berlin; it is at 2024-01-01 10:02:50 Europe/Berlin',
		'stream kinds|t|holds the watermark at 2024-01-01 10:02:50 Europe/Berlin');
	return;
}

sub test_standing
{
	stream('stood');
	per_minute('stands', 'stood');
	arrive('stood', '10:00:10');
	my @rest = ("$WINDOW at 2024-01-01 10:00:05", 'stream stood|t|holds the watermark at 2024-01-01 10:00:05');
	take_in(q{SELECT watermark.pause_query('stands')});
	explains('stands', 'a query that is paused', 'query|t|is paused, until resume_query()', @rest);
	sql('ALTER TABLE stands ADD CHECK (n > 1)', q{SELECT watermark.resume_query('stands')});
	arrive('stood', '10:01:10');
	explains('stands', 'one that is tried again', 'query|t|is tried again: new row for relation "stands" violates check constraint "stands_n_check"', $WORKING[1], @rest);
	sql('ALTER TABLE stands DROP CONSTRAINT stands_n_check', q{SELECT watermark.drop_query('stands')}, 'DROP TABLE stands');
	query('stands', sprintf($PER_MINUTE, 'stood'), q{, on_change => 'stop', with_history => false});
	arrive('stood', '10:00:10');
	take_in('DELETE FROM stood');
	explains('stands', 'one that is given up', 'query|t|is given up: rows of the source were changed or deleted. Drop the query, and create it again.', @rest);
	is(sql(q{SELECT since IS NOT NULL FROM watermark.explain_query('stands') WHERE subject = 'query'}), 't', 'since when');
	sql(q{SELECT watermark.drop_query('stands')}, 'DROP TABLE stands');
	per_minute('stands', 'stood');
	take_in(q{SELECT watermark.drain_query('stands')});
	explains('stands', 'one that has been drained', 'query|f|has been drained', 'window||none is open', 'stream stood|f|has had no row that moves the watermark');
	return;
}

sub test_behind
{
	stream('unread');
	per_minute('of_unread', 'unread');
	my $pid = sql('SELECT pid FROM watermark.worker()');
	$node->poll_query_until('postgres', q{SELECT state = 'idle' AND wait_event = 'Extension' FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'}) or die 'the worker does not wait';
	kill 'STOP', $pid;
	sql(q{INSERT INTO unread (ts) VALUES ('2024-01-01')});
	ok($node->poll_query_until('postgres', q{SELECT keeps_open AND finding ~ '^has \d+ \w+ of WAL to read$' FROM watermark.explain_query('of_unread') WHERE subject = 'worker'}), 'is told of');
	kill 'CONT', $pid;
	advance();
	is(sql(q{SELECT keeps_open FROM watermark.explain_query('of_unread') WHERE subject = 'worker'}), 'f', 'until it has caught up');
	return;
}

# What was written can be seen there, too.
sub test_standby
{
	stream('streamed');
	per_minute('of_streamed', 'streamed');
	arrive('streamed', '10:00:10');
	$node->append_conf('postgresql.conf', 'max_wal_senders = 2');
	$node->append_conf('pg_hba.conf', 'local replication all trust');
	$node->restart;
	$node->backup('seen');
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($node, 'seen', has_streaming => 1);
	$standby->start;
	$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
	is($standby->safe_psql('postgres', q{SELECT subject, keeps_open, finding FROM watermark.explain_query('of_streamed')}),
		join("\n", $WORKING[0], 'worker||runs on the primary server', "$WINDOW at 2024-01-01 10:00:05", 'stream streamed|t|holds the watermark at 2024-01-01 10:00:05'), 'explains');
	is($standby->safe_psql('postgres', 'SELECT window_start, n_rows FROM watermark.open_windows'), '2024-01-01 10:00:00|1', 'and shows open windows');
	is($standby->safe_psql('postgres', 'SELECT watermark, lag_bytes, lag FROM watermark.streams'), '2024-01-01 10:00:05||', 'but no lag');
	$standby->stop;
	return;
}

sub test_rights
{
	stream('hidden');
	per_minute('of_hidden', 'hidden');
	sql('CREATE ROLE onlooker');
	is(sql('SET ROLE onlooker', q{SELECT count(*) FROM watermark.explain_query('of_hidden')}), 0, 'another role sees nothing');
	is(sql(q{SELECT count(*) FROM watermark.explain_query('nobody')}), 0, 'there is nothing of a query that is not there');
	return;
}
