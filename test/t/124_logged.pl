# The log has a line for each event in the life of queries and workers, and no others.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $WORKER = 'worker for continuous queries of database "postgres"';

test_each(
	[ 'from the first to the last', \&test_life ],
	[ 'failures', \&test_failures ],
	[ 'waiting', \&test_waiting ],
	[ 'a tracked stream', \&test_tracked ]);

# What the log of the server has to say that sessions do not, while this is done.
sub logged
{
	my ($do) = @_;
	my $offset = -s $node->logfile;

	$do->();
	return [ grep { /continuous quer|replication slot|tracked stream/ }
		  map { s/apply_watermark_\d+/SLOT/r } slurp_file($node->logfile, $offset) =~ /^[-0-9:. ]+ UTC \[\d+\] LOG:  (.*)$/mg ];
}

sub test_life
{
	stream('told');
	is_deeply(logged(sub { per_minute('told_q', 'told') }),
		[ "$WORKER has started", 'replication slot "SLOT" was created', 'continuous query "told_q" has started' ], 'the first query');
	is_deeply(logged(sub { arrive('told', "10:0$_") for 0 .. 5 }), [], 'rows and windows');
	is_deeply(logged(sub { take_in(q{SELECT watermark.pause_query('told_q')}) for 1 .. 2 }), ['continuous query "told_q" has been paused'], 'a pause');
	is_deeply(logged(sub { take_in(q{SELECT watermark.resume_query('told_q')}) for 1 .. 2 }), ['continuous query "told_q" has been resumed'], 'and its end');
	is_deeply(logged(sub { $node->restart; advance() }), [ "$WORKER has been stopped", "$WORKER has started" ], 'a restart');
	is_deeply(logged(sub { take_in(q{SELECT watermark.drain_query('told_q')}); gone() }),
		[ 'continuous query "told_q" has been drained', 'replication slot "SLOT" was dropped', "$WORKER has ended" ], 'draining');
	is_deeply(logged(sub { sql(q{SELECT watermark.drop_query('told_q')}); gone() }), [], 'what is over is told of once');
	return;
}

sub gone
{
	$node->poll_query_until('postgres', 'SELECT pid IS NULL FROM watermark.worker()') or die 'the worker does not leave';
	return;
}

sub test_failures
{
	stream('failing');
	per_minute('fails', 'failing');
	sql('ALTER TABLE fails ADD CHECK (n < 2)');
	is_deeply(logged(sub { arrive('failing', '10:00', '10:00', '10:02') }),
		['continuous query "fails" failed, attempt 1: new row for relation "fails" violates check constraint "fails_n_check"'], 'a failure');
	is_deeply(logged(sub {
			sql('ALTER TABLE fails DROP CONSTRAINT fails_n_check');
			take_in(q{SELECT watermark.resume_query('fails')})}), ['continuous query "fails" has recovered'], 'and that it is over');
	sql(q{SELECT watermark.drop_query('fails')}, 'DROP TABLE fails');
	query('fails', sprintf($PER_MINUTE, 'failing'), q{, on_change => 'stop'});
	is_deeply(logged(sub { take_in('DELETE FROM failing') }), ['continuous query "fails" failed, and is given up: rows of the source were changed or deleted'], 'one that will come again');
	is_deeply(logged(sub { take_in(q{SELECT watermark.drop_query('fails')}) }),
		[ 'continuous query "fails" has been dropped', 'replication slot "SLOT" was dropped', "$WORKER has ended" ], 'and the end');
	return;
}

# A lock on the sink is waited for again and again.
sub test_waiting
{
	stream('waited');
	per_minute('waits', 'waited');
	my $session = $node->background_psql('postgres', on_error_stop => 1);
	$session->query_safe($_) for 'BEGIN', 'LOCK waits';
	my $offset = -s $node->logfile;
	my $lines = logged(sub {
			sql(q{INSERT INTO waited (ts) VALUES ('2024-01-01 10:00'), ('2024-01-01 10:02')});
			$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM watermark.queries WHERE error IS NOT NULL}) or die 'it does not wait';
			sql('UPDATE watermark.progress SET error = NULL');
			$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM watermark.queries WHERE error IS NOT NULL}) or die 'it does not wait again';
			$session->quit;
			$node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM waits') or die 'it does not go on'});
	is_deeply($lines, ['continuous query "waits" has to wait: canceling statement due to lock timeout'], 'is told of once');
	return;
}

sub test_tracked
{
	stream('tracked');
	is_deeply(logged(sub { take_in(q{SELECT watermark.track('tracked')}) })->[-1], 'tracked stream "tracked_tracked" has started', 'begins');
	is_deeply(logged(sub { take_in(q{SELECT watermark.untrack('tracked')}); gone() })->[0], 'tracked stream "tracked_tracked" has been dropped', 'and ends');
	return;
}
