# Continuous queries give what the same queries give by hand over the rows that were
# not late, each window once, wherever the worker is when it is killed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousOracle;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use WorkerCrash;

my $seed = $ENV{AW_SEED} || 7;
srand($seed);
note "seed $seed";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off',
  q{apply_watermark.crash_at = ''}, q{timezone = 'UTC'};
$node->start;
create_events($node);

# What is below the window, and what above it: a query is
# SELECT $above FROM (SELECT window_start, window_end, $keys FROM $below GROUP BY ...) AS w
my %query = (
	per_key => {
		text => q{
			SELECT window_start, window_end, k, count(*) AS n, sum(v) AS total, avg(v) AS mean, max(name) AS name
			FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
			GROUP BY window_start, window_end, k},
		size => '1 minute',
	},
	grouped => {
		text => q{
			SELECT tumble_start(ts, INTERVAL '30' SECOND) AS s, name, count(v) AS n, min(v) FILTER (WHERE k > 2) AS least
			FROM %s WHERE k <> 5 GROUP BY tumble(ts, INTERVAL '30' SECOND), name},
		size => '30 seconds', where => 'k <> 5',
	},
	each_row => {
		text => q{
			SELECT window_end, count(*) AS n, stddev(v) AS deviation
			FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '10' SECOND)
			GROUP BY window_start, window_end},
		size => '1 minute', offset => '10 seconds', is_on_event => 1,
	},
	joined => {
		text => q{
			SELECT window_end, category, total, place FROM (
				SELECT window_end, category, sum(v) AS total,
					row_number() OVER (PARTITION BY window_end ORDER BY sum(v) DESC, category) AS place
				FROM %s AS e JOIN item USING (k), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
				GROUP BY window_start, window_end, category HAVING count(*) > 1) AS ranked
			WHERE place <= 2},
		size => '1 minute', join => 'k IN (SELECT k FROM item)',
	},
	zoned => {
		source => 'zoned_event', time => 'zoned',
		text => q{
			SELECT window_start, k, count(*) AS n FROM %s AS e, TUMBLE(e, DESCRIPTOR(zoned), INTERVAL '1' MINUTE)
			GROUP BY window_start, window_end, k},
		size => '1 minute', granule => '1 microsecond',
	},
);

insert_events($node, 40);
create_query($node, $_, $query{$_}) for sort keys %query;
$node->safe_psql('postgres', 'SELECT watermark.advance()');
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'running', 'all queries run');
check('history');

insert_events($node, 1 + int(rand(60))) for 1 .. 15;
check('live');

for my $step (qw(decode publish commit confirm))
{
	crash_at($node, $step, sub { insert_events($node, @_) });
	check("crash at $step");
}

for my $mode (qw(immediate fast))
{
	insert_events($node, 1 + int(rand(60))) for 1 .. 4;
	$node->stop($mode);
	$node->start;
	insert_events($node, 1 + int(rand(60))) for 1 .. 4;
	check("$mode shutdown");
}

$node->safe_psql('postgres', qq{SELECT watermark.pause_query('$_')}) for sort keys %query;
insert_events($node, 30) for 1 .. 3;
$node->safe_psql('postgres', 'SELECT watermark.advance()');
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'paused', 'all queries are paused');
$node->restart;
$node->safe_psql('postgres', qq{SELECT watermark.resume_query('$_')}) for sort keys %query;
insert_events($node, 30);
check('pause');

$node->safe_psql('postgres', qq{SELECT watermark.drain_query('$_')}) for sort keys %query;
check('drain', 1);
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'drained', 'all queries are drained');
is($node->safe_psql('postgres', q{SELECT count(*) FROM watermark.checkpoint}), 0, 'no state is left');
$node->safe_psql('postgres', qq{SELECT watermark.drop_query('$_')}) for sort keys %query;
ok($node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_replication_slots}),
	'without queries there is no slot');
$node->stop;
done_testing();

# Compares all sinks, late rows and counts with the oracle.
sub check
{
	my ($label, $is_drained) = @_;

	$node->safe_psql('postgres', 'SELECT watermark.advance()');
	check_query($node, $label, $_, $query{$_}, $is_drained) for sort keys %query;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM watermark.queries WHERE error IS NOT NULL'), 0,
		"$label: no query has an error");
	return;
}
