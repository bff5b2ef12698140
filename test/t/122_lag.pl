# How far a worker, and a query that stands, are behind what is committed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each(
	[ 'a worker that is held up', \&test_held_up ],
	[ 'a query that stands', \&test_standing ],
	[ 'no worker', \&test_no_worker ],
	[ 'what others see', \&test_rights ]);

sub lag
{
	my ($columns) = @_;

	return sql("SELECT $columns FROM watermark.streams, watermark.worker() AS w");
}

# The process of the worker, once it waits.
sub waiting_worker
{
	$node->poll_query_until('postgres', q{SELECT state = 'idle' AND wait_event = 'Extension' FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'})
	  or die 'the worker does not wait';
	return sql('SELECT pid FROM watermark.worker()');
}

sub test_held_up
{
	stream('late_read');
	per_minute('late_q', 'late_read');
	is(lag(q{lag_bytes < 1000, lag < INTERVAL '1 minute', now() - seen_until < INTERVAL '1 minute', w.position >= streams.position}), 't|t|t|t', 'an idle worker is not behind');
	is(sql('SELECT count(*) FROM pg_stat_activity JOIN watermark.worker() USING (pid)'), 1, 'its process is shown');

	my $pid = waiting_worker();
	kill 'STOP', $pid;
	sql(q{INSERT INTO late_read (ts) SELECT '2024-01-01' FROM generate_series(1, 1000)});
	my $committed = sql('SELECT clock_timestamp()');
	is(lag(qq{lag_bytes > 50000, lag >= clock_timestamp() - '$committed'::timestamptz, seen_until < '$committed'}), 't|t|t', 'one that does not get on is behind in bytes and time');
	kill 'CONT', $pid;
	advance();
	is(lag(qq{lag_bytes < 1000, seen_until > '$committed'}), 't|t', 'one that has got on is not');
	return;
}

sub test_standing
{
	stream('kept');
	per_minute('paused_q', 'kept');
	sql(q{SELECT watermark.pause_query('paused_q')});
	advance();
	take_in(q{INSERT INTO kept (ts) SELECT '2024-01-01' FROM generate_series(1, 1000)});
	is(lag('lag_bytes > 50000, lag_bytes >= retained_bytes, lag IS NULL'), 't|t|t', 'a query that is paused is behind by what is kept for it');
	sql(q{SELECT watermark.drain_query('paused_q')});
	advance();
	is(lag('lag_bytes IS NULL, lag IS NULL'), 't|t', 'one that has been drained is not behind');
	return;
}

sub test_no_worker
{
	advance();
	$node->poll_query_until('postgres', 'SELECT pid IS NULL FROM watermark.worker()') or die 'the worker does not leave';
	is(sql('SELECT error FROM watermark.worker()'), '', 'without queries there is no worker');
	return;
}

sub test_rights
{
	stream('seen');
	per_minute('seen_q', 'seen');
	sql('CREATE ROLE looking');
	is(sql('SET ROLE looking', 'SELECT count(*) FROM watermark.streams'), 0, 'no query of another role');
	is(sql('SET ROLE looking', 'SELECT pid IS NOT NULL, seen_until IS NOT NULL, error IS NULL FROM watermark.worker()'), 't|t|t', 'but the worker');
	return;
}
