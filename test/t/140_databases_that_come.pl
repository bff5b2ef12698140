# A database may have continuous queries and no slot: after a restore, a copy, or a
# restart at the wrong moment.  Its worker comes by itself.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $WORKERS = q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'};
my $LOST = 'the WAL from the position of the query on is not there any more';

test_each(
	[ 'a restored dump', \&test_restore ],
	[ 'a copy', \&test_copy ],
	[ 'a restart before the first slot', \&test_restart ],
	[ 'databases that are left alone', \&test_others ]);

# Nothing is asked of a database: its query comes to fail, of which one line tells.
sub fails_by_itself
{
	my ($database, $offset) = @_;

	ok($node->poll_query_until($database, 'SELECT state, error FROM watermark.queries', "failed|$LOST"), 'the query fails, and says why');
	my @lines = slurp_file($node->logfile, $offset) =~ /continuous query "\w+" failed/g;
	is(scalar @lines, 1, 'one line of the log tells');
	is(sql("SELECT count(*) FROM pg_replication_slots WHERE database = '$database'"), 0, 'it makes no slot');
	ok($node->poll_query_until('postgres', "$WORKERS AND datname = '$database'", 0), 'the worker goes');
	return;
}

sub test_restore
{
	my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';

	stream('dumped');
	per_minute('of_dumped', 'dumped');
	arrive('dumped', '10:00', '10:02');
	for my $options ([ '-Fc' ], [ '-Fd', '-j2' ])
	{
		my $offset = -s $node->logfile;

		command_ok([ 'pg_dump', '--no-sync', @$options, '-d', $node->connstr('postgres'), '-f', "$dump$options->[0]" ], "pg_dump @$options");
		sql('CREATE DATABASE restored');
		command_ok([ 'pg_restore', '-e', @{$options}[ 1 .. $#$options ], '-d', $node->connstr('restored'), "$dump$options->[0]" ], 'pg_restore');
		fails_by_itself('restored', $offset);
		sql('DROP DATABASE restored');
	}
	return;
}

sub test_copy
{
	my $offset = -s $node->logfile;

	stream('copied');
	per_minute('of_copied', 'copied');
	sql('CREATE DATABASE copy TEMPLATE postgres');
	fails_by_itself('copy', $offset);

	$node->safe_psql('copy', q{SELECT watermark.resume_query('of_copied')});
	ok($node->poll_query_until('copy', 'SELECT state, error FROM watermark.queries', 'running|'), 'it goes on when it is resumed');
	sql('DROP DATABASE copy');
	return;
}

# The slot waits for a transaction; when that ends, it is another worker that waits.
sub test_restart
{
	$node->append_conf('postgresql.conf', 'max_prepared_transactions = 1');
	sql('SELECT watermark.drop_query(name) FROM watermark.queries');
	advance();
	$node->restart;
	stream('early');
	sql('BEGIN', 'CREATE TABLE undecided ()', q{PREPARE TRANSACTION 'waits'});
	sql(sprintf q{SELECT watermark.create_query('of_early', $$%s$$)}, sprintf $PER_MINUTE, 'early');
	ok($node->poll_query_until('postgres', $WORKERS, 1), 'the worker waits');
	$node->restart;
	ok($node->poll_query_until('postgres', $WORKERS, 1), 'and waits after a restart');
	sql(q{ROLLBACK PREPARED 'waits'});
	ok($node->poll_query_until('postgres', 'SELECT state FROM watermark.queries', 'running'), 'the query starts');
	return;
}

# No worker looks into templates and databases that refuse connections, and none is in the
# way of who drops the database that has just come.
sub test_others
{
	my $offset;

	sql('CREATE DATABASE pattern IS_TEMPLATE true', 'CREATE DATABASE closed ALLOW_CONNECTIONS false');
	$node->safe_psql('pattern', 'CREATE EXTENSION apply_watermark');
	$node->append_conf('postgresql.conf', 'log_min_messages = debug1');
	$offset = -s $node->logfile;
	$node->restart;
	sql('CREATE DATABASE hasty', 'DROP DATABASE hasty') for 1 .. 5;
	unlike(slurp_file($node->logfile, $offset), started('closed'), 'none looks into one that refuses connections');
	sql('ALTER DATABASE closed ALLOW_CONNECTIONS true');
	$node->wait_for_log(started('closed'), $offset);
	unlike(slurp_file($node->logfile, $offset), started($_), "nor into $_, when all have been looked into") for qw(template0 template1 pattern);
	return;
}

# The line of the log of a worker that is started.
sub started
{
	my ($database) = @_;
	my $oid = sql("SELECT oid FROM pg_database WHERE datname = '$database'");

	return qr/starting background worker process "apply_watermark worker for database $oid"/;
}
