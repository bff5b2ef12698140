# The workers of continuous queries: when they are there, when they go, and that
# they are in nobody's way.

use strict;
use warnings;

use Cwd qw(abs_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $workers = q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'};
my $launchers = q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'apply_watermark launcher'};
my $slots = q{SELECT count(*) FROM pg_replication_slots WHERE plugin = 'apply_watermark'};

my $create = q{
	SELECT watermark.create_query('q', $$
		SELECT window_start, count(*) AS n, min(id) AS id
		FROM t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end$$,
		sink => 'seen')};

test_prerequisites();

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'max_worker_processes = 12',
  'max_replication_slots = 6', 'autovacuum = off', 'restart_after_crash = on',
  'max_wal_senders = 4';
$node->start;
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(a b);
test_start();
test_commands_on_databases();
test_refused_connections();
test_signals();
test_failures();
test_lost_slot();
test_foreign_slot();
test_restarts();
test_standby();
test_end();
test_binary_upgrade();
$node->stop;
test_no_worker_free();
done_testing();

# The extension, a table, and a query over it: each row closes the window of the one
# before it, so that of n rows n - 1 have been published.
sub start_query
{
	my ($database, $server) = @_;

	($server // $node)->safe_psql($database, q{
		SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS apply_watermark;
		CREATE TABLE t (id int, ts timestamp, CHECK (watermark_for(ts, ts)));
		INSERT INTO t VALUES (0, '2024-01-01')});
	($server // $node)->safe_psql($database, $create);
	return;
}

sub end_query
{
	my ($database) = @_;

	$node->safe_psql($database, q{SELECT watermark.drop_query('q')});
	$node->safe_psql($database, 'DROP TABLE seen, t');
	return;
}

sub insert_row
{
	my ($database) = @_;

	return $node->safe_psql($database,
		q{INSERT INTO t SELECT count(*), timestamp '2024-01-01' + count(*) * INTERVAL '1' SECOND FROM t RETURNING id});
}

sub advance
{
	my ($database, $server) = @_;

	($server // $node)->safe_psql($database, 'SELECT watermark.advance()');
	return;
}

# A new row publishes the one before it, once.
sub is_alive
{
	my ($database, $label) = @_;
	my $id = insert_row($database);

	advance($database);
	is($node->safe_psql($database, "SELECT n FROM seen WHERE id = $id - 1"), 1, $label);
	return;
}

# All rows but the last have been published, once.
sub has_seen_all
{
	my ($database, $label) = @_;

	advance($database);
	is($node->safe_psql($database, 'SELECT count(*), count(DISTINCT id), sum(n) FROM seen'),
		$node->safe_psql($database, 'SELECT count(*) - 1, count(*) - 1, count(*) - 1 FROM t'), $label);
	return;
}

sub worker_of
{
	my ($database) = @_;

	return $node->safe_psql('postgres',
		"SELECT pid FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker' AND datname = '$database'");
}

sub becomes
{
	my ($query, $expected, $label, $server, $database) = @_;

	ok(($server // $node)->poll_query_until($database // 'postgres', $query, $expected), $label);
	return;
}

# Without the settings that it needs, all but continuous queries works, and one
# error says what to do.
sub test_prerequisites
{
	my $bare = PostgreSQL::Test::Cluster->new('bare');

	$bare->init;
	$bare->start;
	$bare->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');
	$bare->safe_psql('postgres', 'CREATE TABLE t (id int, ts timestamp, CHECK (watermark_for(ts, ts)))');
	is($bare->safe_psql('postgres', q{
			SELECT count(*) FROM (VALUES (timestamp '2024-01-01')) AS o (ts),
				TUMBLE(o, DESCRIPTOR(ts), INTERVAL '1' MINUTE)}),
		1, 'batch works without settings');
	lacks($bare, q{shared_preload_libraries = 'apply_watermark' and wal_level = logical}, 'both settings');

	$bare->append_conf('postgresql.conf', q{shared_preload_libraries = 'apply_watermark'});
	$bare->restart;
	lacks($bare, 'wal_level = logical', 'wal_level');
	is($bare->safe_psql('postgres', $launchers), 0, 'without wal_level = logical there is no launcher');
	$bare->safe_psql('postgres', 'CREATE DATABASE c; ');
	$bare->safe_psql('postgres', 'DROP DATABASE c; ');

	$bare->append_conf('postgresql.conf', "shared_preload_libraries = 'auto_explain'\nwal_level = logical");
	$bare->restart;
	lacks($bare, q{shared_preload_libraries = 'auto_explain, apply_watermark'}, 'the library beside another');
	$bare->stop;
	return;
}

sub lacks
{
	my ($server, $settings, $label) = @_;
	my $file = abs_path($server->data_dir) . '/postgresql.conf';
	my (undef, undef, $error) = $server->psql('postgres', $create);

	like($error, qr/ERROR:  the server is not set up for continuous queries\n.*HINT:  \QSet $settings in "$file", and restart the server.\E/s,
		"$label is missing");
	return;
}

sub test_start
{
	becomes($launchers, 1, 'the launcher is there');
	is($node->safe_psql('postgres', $workers), 0, 'no worker is, without a query');
	$node->safe_psql('a', 'CREATE EXTENSION apply_watermark');
	advance('a');
	becomes($workers, 0, 'and no worker stays');

	start_query($_) for qw(a b);
	is_alive($_, "a row in $_") for qw(a b);
	is($node->safe_psql('postgres', $workers), 2, 'each database has a worker');
	is($node->safe_psql('postgres', $slots), 2, 'and a slot');
	insert_row('a') for 1 .. 3;
	has_seen_all('a', 'rows of each transaction are seen once');
	my (undef, undef, $error) = $node->psql('a', 'BEGIN; CREATE TABLE u (); SELECT watermark.advance()');
	like($error, qr/cannot wait for continuous queries in a transaction that has written/,
		'a transaction that has written does not wait');
	(undef, undef, $error) = $node->psql('a', q{
		SELECT count(*) FROM pg_logical_slot_get_binary_changes('apply_watermark_' ||
			(SELECT oid FROM pg_database WHERE datname = 'a'), NULL, NULL)});
	like($error, qr/is active for PID/, 'nobody else reads the slot');
	return;
}

sub test_commands_on_databases
{
	my $pid = worker_of('a');

	$node->safe_psql('postgres', 'CREATE ROLE stranger LOGIN');
	my (undef, undef, $error) = $node->psql('postgres', 'DROP DATABASE a', extra_params => [ '-U', 'stranger' ]);
	like($error, qr/must be owner of database a/, 'who does not own a database cannot drop it');
	(undef, undef, $error) = $node->psql('postgres', 'CREATE DATABASE c TEMPLATE a', extra_params => [ '-U', 'stranger' ]);
	like($error, qr/permission denied to create database/, 'nor copy it');
	is(worker_of('a'), $pid, 'and its worker does not mind');

	$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE a');
	is_alive('a', 'after CREATE DATABASE from it');
	becomes(q{SELECT state FROM watermark.queries}, 'failed', 'the query of the copy fails', undef, 'copy');
	becomes($workers, 2, 'and needs no worker');
	$node->safe_psql('postgres', 'ALTER DATABASE a RENAME TO renamed');
	is_alive('renamed', 'after RENAME');
	$node->safe_psql('postgres', 'BEGIN; ALTER DATABASE renamed RENAME TO c; ROLLBACK');
	is_alive('renamed', 'after RENAME that is rolled back');
	$node->safe_psql('postgres', 'ALTER DATABASE renamed RENAME TO a');
	is_alive('a', 'after RENAME back');
	has_seen_all('a', 'nothing was lost or doubled');

	my $session = $node->background_psql('a');
	$session->query('SELECT 1');
	(undef, undef, $error) = $node->psql('postgres', 'DROP DATABASE a');
	like($error, qr/is being accessed by other users/, 'DROP DATABASE with a session in it fails');
	$session->quit;
	is_alive('a', 'and the worker comes back');
	has_seen_all('a', 'nothing was lost or doubled by it');

	is($node->safe_psql('postgres', $slots), 2, 'the copy has no slot');
	end_query('copy');
	start_query('copy');
	is_alive('copy', 'until it has a query of its own');
	is($node->safe_psql('postgres', $slots), 3, 'then it has a slot');
	$node->safe_psql('postgres', 'DROP DATABASE copy');
	is($node->safe_psql('postgres', $slots), 2, 'DROP DATABASE takes the slot along');
	start_query('postgres');
	$node->safe_psql('postgres', 'CREATE DATABASE forced');
	start_query('forced');
	$node->safe_psql('postgres', 'DROP DATABASE forced WITH (FORCE)');
	end_query('postgres');
	becomes($slots, 2, 'DROP DATABASE WITH (FORCE) too');
	return;
}

sub test_refused_connections
{
	$node->safe_psql('postgres', 'ALTER DATABASE b ALLOW_CONNECTIONS false');
	is(worker_of('b'), '', 'a database that refuses connections has no worker');
	my $offset = -s $node->logfile;
	is_alive('a', 'others go on');
	$node->restart;
	is_alive('a', 'and after a restart');
	is(worker_of('b'), '', 'still no worker');
	unlike(slurp_file($node->logfile, $offset), qr/not currently accepting connections/, 'and none was tried');
	$node->safe_psql('postgres', 'ALTER DATABASE b ALLOW_CONNECTIONS true');
	is_alive('b', 'it comes back');
	has_seen_all('b', 'and has missed nothing');
	return;
}

sub test_signals
{
	my $pid = worker_of('a');

	$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
	is_alive('a', 'after the worker is terminated');
	isnt(worker_of('a'), $pid, 'it is another one');
	$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE backend_type LIKE 'apply_watermark %'});
	is_alive($_, "$_ after all processes are terminated") for qw(a b);
	$pid = worker_of('a');
	kill 'KILL', $pid;
	ok( $node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity
			WHERE backend_type = 'apply_watermark worker' AND datname = 'a' AND pid <> $pid"),
		'a worker comes back after a crash of the server');
	is_alive($_, "$_ after the crash") for qw(a b);
	has_seen_all($_, "$_ has missed nothing") for qw(a b);
	return;
}

# A worker that cannot do its work is started again, says why, and goes on when the
# cause is gone.
sub test_failures
{
	end_query('a');
	advance('a');
	becomes($slots, 1, 'the last query takes the slot with it');
	becomes($workers, 1, 'and the worker');
	$node->safe_psql('postgres', "SELECT pg_create_physical_replication_slot('$_')") for qw(v w x y z);
	start_query('a');
	my (undef, undef, $error) = $node->psql('a', q{SELECT watermark.advance(INTERVAL '3 s')});
	like($error, qr/have not come as far in 3000 ms\nDETAIL:  Their worker has failed: all replication slots are in use/,
		'advance() says why it waits in vain');
	is_alive('b', 'others go on');
	$node->safe_psql('postgres', "SELECT pg_drop_replication_slot('$_')") for qw(v w x y z);
	advance('a');
	is_alive('a', 'the worker starts by itself when there is a slot');

	return;
}

# A slot that was too far behind is dropped, and its queries fail: the slot that the next
# query makes does not have what they need.
sub test_lost_slot
{
	$node->safe_psql('postgres', 'ALTER DATABASE b ALLOW_CONNECTIONS false');
	$node->safe_psql('postgres', q{ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'});
	$node->reload;
	$node->safe_psql('postgres', 'CREATE TABLE IF NOT EXISTS filler (); DROP TABLE filler; SELECT pg_switch_wal()') for 1 .. 3;
	$node->safe_psql('postgres', 'CHECKPOINT');
	is($node->safe_psql('postgres', q{SELECT wal_status FROM pg_replication_slots WHERE database = 'b'}), 'lost', 'a slot is lost');
	$node->safe_psql('postgres', 'ALTER SYSTEM RESET max_slot_wal_keep_size');
	$node->reload;
	my $offset = -s $node->logfile;
	$node->safe_psql('postgres', 'ALTER DATABASE b ALLOW_CONNECTIONS true');
	advance('b');
	like(slurp_file($node->logfile, $offset), qr/WARNING:  replication slot "apply_watermark_\d+" had lost its WAL, and was dropped/,
		'it is dropped, with a warning');
	is($node->safe_psql('b', 'SELECT state FROM watermark.queries'), 'failed', 'and the query does not go on with a gap');
	$node->safe_psql('b', $create =~ s/'q'/'later'/r =~ s/'seen'/'seen_later'/r);
	insert_row('b');
	advance('b');
	$node->restart;
	advance('b');
	is($node->safe_psql('b', 'SELECT name, state FROM watermark.queries ORDER BY name'), "later|running\nq|failed", 'nor does it later, by the slot of another');
	$node->safe_psql('b', q{SELECT watermark.resume_query('q')});
	has_seen_all('b', 'but from the table, when it is resumed');
	$node->safe_psql('b', q{SELECT watermark.drop_query('later'); DROP TABLE seen_later});

	# With so little WAL, a server that stands still may lose any of its slots.
	advance('a');
	for my $database (qw(a b))
	{
		end_query($database);
		start_query($database);
		is_alive($database, "a new query in $database");
	}
	return;
}

# A slot of the same name that somebody else has made is left alone, and nobody else
# uses the plugin.
sub test_foreign_slot
{
	$node->safe_psql('postgres', 'CREATE DATABASE c');
	my $slot = $node->safe_psql('c', q{
		SELECT slot_name FROM pg_create_logical_replication_slot('apply_watermark_' ||
			(SELECT oid FROM pg_database WHERE datname = 'c'), 'test_decoding')});
	$node->safe_psql('c', 'CREATE EXTENSION apply_watermark');
	advance('c');
	start_query('c');
	my (undef, undef, $error) = $node->psql('c', q{SELECT watermark.advance(INTERVAL '2 s')});
	like($error, qr/Their worker has failed: replication slot "$slot" was not made by apply_watermark/, 'a slot of the name is there');
	$node->safe_psql('c', "SELECT pg_drop_replication_slot('$slot')");
	advance('c');
	is_alive('c', 'when it is gone, the worker makes its own');

	(undef, undef, $error) = $node->psql('c', q{
		SELECT set_config(name, 'apply_watermark', false) FROM pg_settings WHERE name = 'output_plugin_libraries';
		SELECT pg_create_logical_replication_slot('mine', 'apply_watermark')});
	like($error, qr/output plugin "apply_watermark" is for its own worker alone/, 'the plugin is for nobody else');
	$node->safe_psql('postgres', 'DROP DATABASE c');
	return;
}

# A standby has no workers until it is promoted.
sub test_standby
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');

	$node->backup('copy');
	$standby->init_from_backup($node, 'copy', has_streaming => 1);
	$standby->start;
	is($standby->safe_psql('postgres', $launchers), 0, 'a standby has no launcher');
	for my $function (qw(pause_query resume_query drain_query drop_query))
	{
		my (undef, undef, $error) = $standby->psql('a', "SELECT watermark.$function(name) FROM watermark.queries");
		like($error, qr/cannot execute watermark\.$function\(\) during recovery/, "$function() says that it is one");
	}
	$standby->promote;
	becomes($launchers, 1, 'when it is promoted it has', $standby);
	becomes($slots, 2, 'and makes slots', $standby);
	becomes(q{SELECT state FROM watermark.queries}, 'running', "the query of $_ goes on", $standby, $_) for qw(a b);
	becomes($workers, 2, 'by workers of its own', $standby);
	$standby->stop;
	return;
}

sub test_restarts
{
	insert_row('a');
	$node->stop('fast');
	$node->start;
	is_alive('a', 'after a fast shutdown');
	insert_row('a') for 1 .. 5;
	$node->stop('immediate');
	$node->start;
	is_alive('a', 'after an immediate shutdown');
	has_seen_all('a', 'nothing is lost or doubled');
	return;
}

sub test_end
{
	$node->safe_psql('b', 'SET client_min_messages = error; DROP EXTENSION apply_watermark CASCADE');
	becomes($slots, 1, 'DROP EXTENSION drops the slot');
	becomes($workers, 1, 'and ends the worker');
	$node->safe_psql('b', 'DROP TABLE t, seen; CREATE EXTENSION apply_watermark');
	advance('b');
	start_query('b');
	is_alive('b', 'a new extension starts anew');
	$node->safe_psql('b', 'SET client_min_messages = error; DROP SCHEMA public CASCADE');
	becomes($slots, 1, 'DROP SCHEMA of the extension drops the slot');
	is($node->safe_psql('b', 'SELECT count(*) FROM pg_extension'), 1, 'with the extension');
	return;
}

sub test_binary_upgrade
{
	$node->stop;
	command_ok([ 'pg_ctl', '-D', $node->data_dir, '-l', $node->logfile, '-w', '-o', '-b', 'start' ],
		'a start for a binary upgrade');
	is($node->safe_psql('postgres', $launchers), 0, 'has no launcher');
	command_ok([ 'pg_ctl', '-D', $node->data_dir, '-w', 'stop' ], 'and ends');
	$node->start;
	is_alive('a', 'after it, all goes on');
	return;
}

sub test_no_worker_free
{
	my $small = PostgreSQL::Test::Cluster->new('small');

	$small->init;
	$small->append_conf('postgresql.conf', $_)
	  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'max_worker_processes = 2';
	$small->start;
	start_query('postgres', $small);
	my (undef, undef, $error) = $small->psql('postgres', q{SELECT watermark.advance(INTERVAL '4 s')});
	like($error, qr/Their worker has failed: no background worker is free/, 'where no worker is free, that is said');
	is(scalar(() = slurp_file($small->logfile) =~ /no background worker is free/g), 2, 'and once in the log');
	$small->append_conf('postgresql.conf', 'max_worker_processes = 3');
	$small->restart;
	advance('postgres', $small);
	is($small->safe_psql('postgres', $workers), 1, 'with one more there is a worker');
	$small->stop;
	return;
}
