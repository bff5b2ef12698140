# The worker, a session or the server is killed under load from several sessions,
# again and again: what continuous queries publish is what the same queries give by
# hand over the rows that are there, but for the windows that late rows are noted to
# have missed.
#
# AW_CRASHES says how often, AW_SEED what happens.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $n_crashes = $ENV{AW_CRASHES} || 6;
my $seed = $ENV{AW_SEED} || 3;
srand($seed);
note "seed $seed";

my %query = (
	per_key => q{
		SELECT window_end, k, count(*) AS n, sum(id) AS total, max(name) AS name
		FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' SECOND) WHERE %s GROUP BY window_start, window_end, k},
	per_window => q{
		SELECT window_start, count(DISTINCT k) AS keys, avg(id) AS mean
		FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND) WHERE %s GROUP BY window_start, window_end},
	sliding => q{
		SELECT window_end, k, count(*) AS n, max(name) AS name
		FROM %s AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND, INTERVAL '2' SECOND) WHERE %s GROUP BY window_start, window_end, k},
	growing => q{
		SELECT window_end, k, count(*) AS n, sum(id) AS total
		FROM %s AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND, INTERVAL '5' SECOND) WHERE %s GROUP BY window_start, window_end, k},
);
my $script = PostgreSQL::Test::Utils::tempdir . '/insert.sql';
append_to_file($script, q{
	\set rows random(1, 20)
	INSERT INTO event (k, name, ts)
	SELECT random() * 9, 'n' || i, clock_timestamp() - random() * INTERVAL '100 ms' FROM generate_series(1, :rows) AS i;});

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION apply_watermark;
	CREATE TABLE event (id bigserial, k int, name text, ts timestamp, CHECK (watermark_for(ts, ts - INTERVAL '0.05' SECOND)))});
$node->safe_psql('postgres', sprintf q{SELECT watermark.create_query('%s', $q$%s$q$)}, $_, sprintf $query{$_}, 'event', 'true')
  for sort keys %query;

crash($_) for 1 .. $n_crashes;

$node->safe_psql('postgres', qq{SELECT watermark.drain_query('$_')}) for sort keys %query;
$node->safe_psql('postgres', 'SELECT watermark.advance()');
for my $name (sort keys %query)
{
	is($node->safe_psql('postgres', "SELECT state, error FROM watermark.queries WHERE name = '$name'"), 'drained|', "$name is drained");
	is($node->safe_psql('postgres', sprintf q{
			CREATE TEMP VIEW judged AS
			SELECT event.*, missed FROM event LEFT JOIN (
				SELECT (source_row->>'id')::bigint AS id, window_end::timestamp AS missed FROM watermark.late_rows WHERE query = '%1$s') AS l USING (id);
			CREATE TEMP TABLE expected AS %2$s;
			SELECT (SELECT count(*) FROM (TABLE expected EXCEPT ALL TABLE %1$s) AS missing),
				(SELECT count(*) FROM (TABLE %1$s EXCEPT ALL TABLE expected) AS extra)},
			$name, sprintf $query{$name}, 'judged', '(missed < window_end) IS NOT FALSE'), '0|0', "$name has the rows of the query by hand");
	is($node->safe_psql('postgres', sprintf q{
			SELECT open, set_aside, is_complete, rows_in = (SELECT count(*) FROM event),
				late = (SELECT count(DISTINCT source_row->>'id') FROM watermark.late_rows WHERE query = '%1$s' AND reason = 'late'),
				late = (SELECT count(*) FROM watermark.late_rows WHERE query = '%1$s' AND reason = 'late')
			FROM watermark.audit('%1$s')}, $name), '0|0|t|t|t|t', "$name counts each row once");
}
note $node->safe_psql('postgres', q{SELECT name, watermark.audit(name) FROM watermark.queries});
$node->stop;
done_testing();

# Four sessions write; when some windows have been published, somebody dies.
sub crash
{
	my ($number) = @_;
	my $kind = (qw(worker session server))[ rand 3 ];
	my $writers = IPC::Run::start([ 'pgbench', '-n', '-c', 4, '-j', 2, '-T', 60, '-f', $script, $node->connstr('postgres') ],
		'>', '/dev/null', '2>', '/dev/null');
	my $n_windows = $node->safe_psql('postgres', q{SELECT sum(n_windows) + 2 FROM watermark.queries});

	ok($node->poll_query_until('postgres', "SELECT sum(n_windows) >= $n_windows FROM watermark.queries"),
		"crash $number, $kind: windows were published before it");
	usleep(rand 300_000);
	if ($kind eq 'server')
	{
		$node->stop('immediate');
	}
	else
	{
		my $log_size = -s $node->logfile;
		my $type = $kind eq 'worker' ? 'apply_watermark worker' : 'client backend';

		kill KILL => $node->safe_psql('postgres',
			"SELECT pid FROM pg_stat_activity WHERE backend_type = '$type' AND pid <> pg_backend_pid() LIMIT 1");
		$node->wait_for_log(qr/database system is shut down/, $log_size);
		$node->stop('immediate', fail_ok => 1);
	}
	$writers->finish;
	$node->start;
	return;
}
