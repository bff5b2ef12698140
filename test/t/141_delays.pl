# Where advance() waits in vain, its error says what for.  A query that does not come to
# an end holds others up for a while only.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $LIMITED = q{
	SELECT window_start, count(*) AS n FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	WHERE hold(v) GROUP BY window_start, window_end};

test_each(
	[ 'a slot that waits', \&test_slot ],
	[ 'a sink that is locked', \&test_locked ],
	[ 'a query that hangs', \&test_hanging ],
	[ 'no launcher', \&test_launcher ]);

sub waits
{
	my ($label, $pattern) = @_;
	my (undef, undef, $error) = $node->psql('postgres', q{SELECT watermark.advance(INTERVAL '1 s')});

	like($error, qr/continuous queries have not come as far in 1000 ms\nDETAIL:  $pattern/, $label);
	return;
}

# A session that has begun a transaction, and its process.
sub begin
{
	my (@statements) = @_;
	my $session = $node->background_psql('postgres', on_error_stop => 1);

	$session->query_safe($_) for 'BEGIN', @statements;
	return ($session, $session->query_safe('SELECT pg_backend_pid()'));
}

sub test_slot
{
	my ($session, $pid) = begin('CREATE TABLE undecided ()');

	stream('first');
	sql(sprintf q{SELECT watermark.create_query('of_first', $$%s$$)}, sprintf $PER_MINUTE, 'first');
	waits('the transaction that it waits for',
		qr/Their worker makes its replication slot since [-0-9]+ .*, and waits for a transaction of process $pid\.\nHINT:  End transactions/);
	$session->quit;
	advance();
	is(sql('SELECT state FROM watermark.queries'), 'running', 'it goes on when that is over');
	return;
}

# Who locks a sink, as CREATE INDEX does, keeps one query waiting, of which a line of the
# log tells.
sub test_locked
{
	my $offset = -s $node->logfile;

	stream('locked', 'timestamp', 'ts');
	per_minute('of_locked', 'locked');
	per_minute('not_locked', 'locked');
	my ($session) = begin('LOCK of_locked IN SHARE MODE');

	arrive('locked', '10:00', '10:01:10');
	is(published('not_locked'), '10:00:00=1', 'another query does not wait');
	$node->wait_for_log(qr/continuous query "of_locked" has to wait: canceling statement due to lock timeout/, $offset);
	advance() for 1 .. 5;
	$session->quit;
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM of_locked'), 'it goes on in the end');
	is(scalar(() = slurp_file($node->logfile, $offset) =~ /has to wait/g), 1, 'it has waited once, to all appearances');
	return;
}

# The row of 2 is a long one, until the function is another.
sub test_hanging
{
	my $hold = q{CREATE OR REPLACE FUNCTION hold(v int) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN RETURN %s; END'};

	sql(sprintf $hold, 'CASE WHEN v = 2 THEN pg_sleep(1000) IS NOT NULL ELSE true END');
	stream('held');
	query('of_held', sprintf $LIMITED, 'held');
	per_minute('others', 'held');
	sql(q{INSERT INTO held (v, ts) VALUES (1, '2024-01-01 10:00')});
	advance();
	sql(q{INSERT INTO held (v, ts) VALUES (2, '2024-01-01 10:01:10')});
	waits('the query', qr/Their worker is at continuous query "of_held" since [-0-9]+ .*\.\nHINT:  To stop the query, call watermark.pause_query\('of_held'\) and pg_cancel_backend\(\d+\)/);

	$node->append_conf('postgresql.conf', 'apply_watermark.query_timeout = 300ms');
	$node->reload;
	sql(q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'});
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM others'), 'others go on');
	ok($node->poll_query_until('postgres', q{SELECT error = 'the query has worked for 300 ms at a stretch, longer than apply_watermark.query_timeout allows'
		AND error_code = '57014' FROM watermark.queries WHERE name = 'of_held'}), 'one that takes too long has failed');

	sql(sprintf($hold, 'true'), q{SELECT watermark.resume_query('of_held')});
	advance();
	is(published('of_held'), '10:00:00=1', 'and goes on when it can');
	is(sql('SELECT count(*) FROM watermark.queries WHERE error IS NULL'), 2, 'nobody else was disturbed');

	# A history takes as long as it takes.
	sql(sprintf $hold, 'pg_sleep(0.2) IS NOT NULL');
	query('of_old', sprintf $LIMITED, 'held');
	is(published('of_old'), '10:00:00=1', 'a history has no limit');
	return;
}

sub test_launcher
{
	my $pid = sql(q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'apply_watermark launcher'});

	sql('SELECT watermark.drop_query(name) FROM watermark.queries');
	advance();
	kill 'TERM', $pid;
	ok($node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid"), 'the launcher is gone');
	waits('that is said', qr/The launcher of their worker is not running\./);
	advance();
	return;
}
