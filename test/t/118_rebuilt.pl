# A query that has lost its place in the WAL goes on from its tables: after a restore, a
# copy, a promotion, or when the slot is gone.  What was published does not come again, and
# no window lacks a row.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $SIZE = q{INTERVAL '1' MINUTE};
my %QUERIES = (
	tumble => "SELECT window_start, k, count(*) AS n, sum(v) AS s FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), $SIZE) GROUP BY window_start, window_end, k",
	hop => "SELECT window_start, window_end, count(*) AS n, avg(v) AS a FROM %s AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '20' SECOND, $SIZE) GROUP BY window_start, window_end",
	cumulate => "SELECT window_end, k, max(v) AS m FROM %s AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '20' SECOND, $SIZE) GROUP BY window_start, window_end, k",
	listed => "SELECT window_start, string_agg(k, ',' ORDER BY id) AS ks FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), $SIZE) GROUP BY window_start, window_end",
	united => "SELECT window_start, count(*) AS n, count(DISTINCT v) AS vs FROM (SELECT v, ts FROM %1\$s UNION ALL SELECT v, ts FROM beside) AS e,
		TUMBLE(e, DESCRIPTOR(ts), $SIZE) GROUP BY window_start, window_end");

my $seconds = 0;

test_each(
	[ 'a small one', \&test_small ],
	[ 'a restored dump', \&test_restore ],
	[ 'a standby that is promoted', \&test_standby ],
	[ 'a slot that is gone', \&test_slot ]);

# The tables, and all queries over them.
sub begin
{
	sql(map({ "DROP TABLE IF EXISTS $_ CASCADE" } qw(main beside), keys %QUERIES),
		map({ "CREATE TABLE $_ (id int GENERATED ALWAYS AS IDENTITY, k text, v int, ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '10' SECOND)))" } qw(main beside)));
	query($_, sprintf $QUERIES{$_}, 'main') for sort keys %QUERIES;
	return;
}

# Rows of the next seconds, none of them late.
sub load
{
	my ($n, $server, $database) = @_;

	for my $table (qw(main beside))
	{
		($server // $node)->safe_psql($database // 'postgres', sprintf q{INSERT INTO %s (k, v, ts)
			SELECT 'k' || i %% 3, i %% 7, timestamp '2024-01-01' + (%d + i) * INTERVAL '1 second' + sin(i) * INTERVAL '4 seconds' FROM generate_series(1, %d) AS i}, $table, $seconds, $n);
	}
	$seconds += $n;
	return;
}

# All windows, drained, are those of a SELECT over the tables, and all rows are somewhere.
sub is_whole
{
	my ($server, $database) = @_;
	my $run = sub { $server->safe_psql($database, join ';', @_) };

	$run->('SELECT watermark.drain_query(name) FROM watermark.queries');
	$run->('SELECT watermark.advance()');
	for my $name (sort keys %QUERIES)
	{
		my $text = sprintf $QUERIES{$name}, 'main';

		is($run->("SELECT (SELECT count(*) FROM (TABLE $name EXCEPT ALL ($text)) AS d), (SELECT count(*) FROM (($text) EXCEPT ALL TABLE $name) AS d)"), '0|0',
			"$name: what was published is what the tables have");
		is($run->("SELECT published = rows_in AND is_complete AND late + set_aside = 0 FROM watermark.audit('$name')"), 't', "$name: all rows are counted");
	}
	return;
}

sub have_failed
{
	my ($server, $database) = @_;

	ok($server->poll_query_until($database, q{SELECT count(*) FILTER (WHERE state = 'failed' AND error_hint = 'Resume the query, which then reads its open windows from its tables.') FROM watermark.queries}, scalar keys %QUERIES),
		'queries that have lost their place have failed, and say what to do');
	return;
}

# B58: the small input of a report.
sub test_small
{
	my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';

	stream('ev');
	per_minute('q1m', 'ev');
	arrive('ev', '10:00:10', '10:00:20', 'NULL', '10:01:30');
	arrive('ev', '10:00:30');
	command_ok([ 'pg_dump', '--no-sync', '-Fc', '-d', $node->connstr('postgres'), '-f', $dump ], 'pg_dump');
	sql('CREATE DATABASE restored');
	command_ok([ 'pg_restore', '-e', '-d', $node->connstr('restored'), $dump ], 'pg_restore');
	$node->safe_psql('restored', q{INSERT INTO ev (ts) VALUES ('2024-01-01 10:01:40')});
	ok($node->poll_query_until('restored', 'SELECT state FROM watermark.queries', 'failed'), 'the query has failed');
	$node->safe_psql('restored', $_) for q{SELECT watermark.resume_query('q1m')}, 'SELECT watermark.advance()',
	  q{INSERT INTO ev (ts) VALUES ('2024-01-01 10:02:30'), ('2024-01-01 10:00:40')}, 'SELECT watermark.advance()';
	is($node->safe_psql('restored', 'SELECT window_start::time, n FROM q1m ORDER BY 1'), "10:00:00|2\n10:01:00|2", 'a window that was published does not come again, the next one is complete');
	is($node->safe_psql('restored', q{SELECT * FROM watermark.audit('q1m')}), '4|1|2|1|8|t', 'all rows are counted');
	is($node->safe_psql('restored', q{SELECT string_agg(reason || coalesce(source_row->>'ts', ''), ' ' ORDER BY source_row->>'ts') FROM watermark.late_rows}),
		'late2024-01-01T10:00:30 late2024-01-01T10:00:40 null', 'late rows are there, once');
	sql('DROP DATABASE restored');
	return;
}

# Some queries are paused when the dump is made: there are rows that they have not seen.
sub test_restore
{
	my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';

	begin();
	load(250);
	advance();
	sql(map { "SELECT watermark.pause_query('$_')" } qw(hop listed united));
	load(200);
	advance();
	command_ok([ 'pg_dump', '--no-sync', '-Fd', '-j2', '-d', $node->connstr('postgres'), '-f', $dump ], 'pg_dump');
	sql('CREATE DATABASE restored');
	command_ok([ 'pg_restore', '-e', '-j2', '-d', $node->connstr('restored'), $dump ], 'pg_restore');
	have_failed($node, 'restored');
	load(100, $node, 'restored');
	$node->safe_psql('restored', 'SELECT watermark.resume_query(name) FROM watermark.queries');
	load(100, $node, 'restored');
	$node->safe_psql('restored', 'SELECT watermark.advance()');
	load(100, $node, 'restored');
	is_whole($node, 'restored');
	sql('DROP DATABASE restored');
	return;
}

sub test_standby
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');

	$node->append_conf('postgresql.conf', 'max_wal_senders = 4');
	$node->restart;
	begin();
	load(250);
	advance();
	$node->backup('copy');
	$standby->init_from_backup($node, 'copy', has_streaming => 1);
	$standby->start;
	load(150);
	advance();
	sql(q{SELECT watermark.pause_query('hop')});
	load(50);
	$node->wait_for_catchup($standby);
	$standby->promote;
	load(100, $standby);
	ok($standby->poll_query_until('postgres', q{SELECT count(*) FROM watermark.queries WHERE state = 'running' AND error IS NULL AND name <> 'hop'}, -1 + keys %QUERIES), 'queries go on by themselves');
	load(100, $standby);
	$standby->safe_psql('postgres', 'SELECT watermark.advance()');
	$standby->safe_psql('postgres', q{SELECT watermark.resume_query('hop')});
	ok($standby->poll_query_until('postgres', q{SELECT state = 'running' AND n_windows > 0 FROM watermark.queries WHERE name = 'hop'}), 'or when they are resumed');
	is_whole($standby, 'postgres');
	$standby->stop;
	return;
}

# The slot is dropped while its worker is away; then the worker is killed after all.
sub test_slot
{
	begin();
	load(250);
	advance();
	$node->stop;
	$node->append_conf('postgresql.conf', q{shared_preload_libraries = ''});
	$node->start;
	sql('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots');
	load(100);
	$node->append_conf('postgresql.conf', q{shared_preload_libraries = 'apply_watermark'});
	$node->restart;
	have_failed($node, 'postgres');
	sql('SELECT watermark.resume_query(name) FROM watermark.queries');
	load(200);
	advance();
	$node->stop('immediate');
	$node->start;
	load(100);
	is_whole($node, 'postgres');
	return;
}
