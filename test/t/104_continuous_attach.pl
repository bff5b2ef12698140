# Queries over the history start while eight sessions write: no row is missed, and
# none comes twice.
#
# AW_ATTACHES says how many queries.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $n_queries = $ENV{AW_ATTACHES} || 5;
my $query = q{
	SELECT window_start, window_end, k, count(*) AS n, sum(id) AS total
	FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end, k};

# Subtransactions, of which one is rolled back, and rows that are late for some.
my $script = PostgreSQL::Test::Utils::tempdir . '/insert.sql';
append_to_file($script, q{BEGIN;
	INSERT INTO busy (k, ts) SELECT i, clock_timestamp() - random() * INTERVAL '200 ms' FROM generate_series(1, 3) AS i;
	SAVEPOINT s; INSERT INTO busy (k, ts) VALUES (-1, clock_timestamp()); ROLLBACK TO s;
	SAVEPOINT s; INSERT INTO busy (k, ts) VALUES (0, clock_timestamp()); RELEASE s;
	END;});

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION apply_watermark;
	CREATE TABLE busy (id bigserial, k int, ts timestamp, CHECK (watermark_for(ts, ts - INTERVAL '0.1' SECOND)))});

attach($_) for 1 .. $n_queries;

$node->safe_psql('postgres', q{SELECT watermark.drain_query(name) FROM watermark.queries});
$node->safe_psql('postgres', 'SELECT watermark.advance()');
check($_) for 1 .. $n_queries;
note $node->safe_psql('postgres', q{SELECT q.name, a FROM watermark.queries AS q, watermark.audit(q.name) AS a});
$node->stop;
done_testing();

# The writers of each query are new ones: some transactions are in its snapshot, some
# are open at that moment, and the others come later.
sub attach
{
	my ($number) = @_;
	my $writers = IPC::Run::start([ 'pgbench', '-n', '-c', 8, '-j', 2, '-T', 60, '-f', $script, $node->connstr('postgres') ],
		'>', '/dev/null', '2>', '/dev/null');
	my $n_rows = $node->safe_psql('postgres', 'SELECT count(*) + 100 FROM busy');

	$node->poll_query_until('postgres', "SELECT count(*) > $n_rows FROM busy");
	$node->safe_psql('postgres', sprintf q{SELECT watermark.create_query('busy_%d', $q$%s$q$)}, $number, sprintf $query, 'busy');
	$n_rows = $node->safe_psql('postgres', 'SELECT count(*) + 1000 FROM busy');
	ok($node->poll_query_until('postgres', "SELECT rows_in > $n_rows AND n_published > 0 FROM watermark.streams WHERE query = 'busy_$number'"),
		"query $number has its history, and rows that came later");
	$writers->kill_kill;
	$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pgbench'});
	return;
}

# Each row is in its window, or noted as late.
sub check
{
	my ($number) = @_;

	is($node->safe_psql('postgres', sprintf q{
			CREATE TEMP VIEW in_time AS
			SELECT * FROM busy WHERE id NOT IN (SELECT (source_row->>'id')::bigint FROM watermark.late_rows WHERE query = 'busy_%1$d');
			CREATE TEMP TABLE by_hand AS %2$s;
			SELECT (SELECT count(*) FROM (TABLE by_hand EXCEPT ALL TABLE busy_%1$d) AS missing),
				(SELECT count(*) FROM (TABLE busy_%1$d EXCEPT ALL TABLE by_hand) AS extra);
			SELECT open, set_aside, is_complete, rows_in = (SELECT count(*) FROM busy),
				late = (SELECT count(*) FROM watermark.late_rows WHERE query = 'busy_%1$d')
			FROM watermark.audit('busy_%1$d')}, $number, sprintf $query, 'in_time'),
		"0|0\n0|0|t|t|t", "query $number has each row once");
	return;
}
