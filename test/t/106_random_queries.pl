# Random queries over random rows in random transactions, from a history on and through
# a restart: each gives what it gives by hand over the rows that were not late.
#
# AW_QUERIES says how many, AW_SEED which.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousOracle;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $n_queries = $ENV{AW_QUERIES} || 20;
my $seed = $ENV{AW_SEED} || 11;
srand($seed);
note "seed $seed";

# Windows that divide a day, so that their origin does not matter; nor does the clock
# that is put forward, unless windows are off the hour.
my @sizes = ('1 second', '10 seconds', '45 seconds', '1 minute', '90 seconds', '5 minutes', '1 hour');
my @offsets = ('0', '0.25 seconds', '-0.5 seconds');
my @conditions = (
	'true', 'true', 'k <> 5', 'v > 20', 'name IS NOT NULL', 'k IN (SELECT k FROM item)', 'length(name) + k > 5', 'tx % 3 > 0');
my @keys = ('k', 'name', 'k % 3', 'upper(name)', 'v > 50', 'nullif(k, 2)', 'round(v, -1)', 'ARRAY[k, 1]');
my @aggregates = (
	'count(*)', 'count(v)', 'sum(v)', 'avg(v)', 'min(v)', 'max(name)', 'stddev(v)', 'variance(k)', 'sum(k)', 'avg(k)', 'min(id)', 'max(%s)',
	'bool_or(v > 90)', 'bool_and(k < 7)', 'bit_or(k)', 'count(DISTINCT k)', 'sum(v) FILTER (WHERE k > 3)', 'count(*) FILTER (WHERE name IS NULL)',
	'count(DISTINCT v)', 'sum(DISTINCT k)', q{string_agg(name, '' ORDER BY id)}, 'array_agg(k ORDER BY id DESC)', 'percentile_disc(0.5) WITHIN GROUP (ORDER BY v)',
	'mode() WITHIN GROUP (ORDER BY k)', 'array_agg(DISTINCT name) FILTER (WHERE k > 3)',
	'max(v) - min(v)', 'sum(k * v) / nullif(count(k), 0)', 'sum(id::float8)', 'max(%s) - min(%s)', 'corr(k, k)');
my @havings = ('', '', 'HAVING count(*) > 2', 'HAVING sum(v) > 60 OR max(name) IS NULL');

my %query = map { (sprintf('random_%02d', $_) => draw_query()) } 1 .. $n_queries;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off', q{timezone = 'UTC'};
$node->start;
create_events($node);

insert_events($node, rand 200);
create_query($node, $_, $query{$_}) for sort keys %query;
insert_events($node, 1 + rand(rand() < 0.2 ? 300 : 30)) for 1 .. 20;
check('live');
$node->stop(rand() < 0.5 ? 'fast' : 'immediate');
$node->start;
insert_events($node, 1 + rand 60) for 1 .. 10;
$node->safe_psql('postgres', 'SELECT watermark.drain_query(name) FROM watermark.queries');
check('drained', 1);
is($node->safe_psql('postgres', q{
		SELECT min(n_published) > 0, min(n_set_aside) > 0, max(n_late) > 0
		FROM watermark.queries JOIN watermark.streams ON query = name}), 't|t|t', 'all publish windows and set rows aside, some have late rows');
note $node->safe_psql('postgres', 'SELECT sum(n_results), sum(n_windows), sum(n_late), sum(n_set_aside), sum(rows_in) FROM watermark.queries JOIN watermark.streams ON query = name');
$node->stop;
done_testing();

sub draw
{
	return $_[ rand @_ ];
}

# From least to most of the choices, each once.
sub draw_some
{
	my ($least, $most, @choices) = @_;
	my $n = $least + int(rand($most - $least + 1));

	return map { splice @choices, rand @choices, 1 } 1 .. $n;
}

# A query in the form that create_query() of the oracle takes.
sub draw_query
{
	my %query = (size => draw(@sizes), where => draw(@conditions), is_on_event => rand() < 0.3);
	my $time = rand() < 0.3 ? 'zoned' : 'ts';
	my $is_group = rand() < 0.3;
	my @keys = draw_some(0, 2, @keys);
	my @aggregates = map { s/%s/$time/gr } draw_some(1, 4, @aggregates);
	my $columns = join ', ', map { "$_->[1] AS $_->[0]" } names('key', @keys), names('result', @aggregates);
	my $having = draw(@havings);
	my @groups = @keys && rand() < 0.3 ? draw('CUBE', 'ROLLUP', 'GROUPING SETS') . ' (' . join(', ', @keys) . ')' : @keys;

	$query{offset} = $is_group || $time eq 'zoned' ? '0' : draw(@offsets);
	@query{qw(time source granule)} = ('zoned', 'zoned_event', '1 microsecond') if $time eq 'zoned';
	my $arguments = "INTERVAL '$query{size}'" . ($query{offset} ? ", INTERVAL '$query{offset}'" : '');
	$query{text} = $is_group ?
	  "SELECT tumble_start($time, $arguments) AS started, tumble_end($time, $arguments) AS ended, $columns
		FROM %s WHERE $query{where} GROUP BY " . join(', ', "tumble($time, $arguments)", @keys) . " $having" :
	  "SELECT window_start AS started, window_end AS ended, $columns
		FROM %s AS e, TUMBLE(e, DESCRIPTOR($time), $arguments) WHERE $query{where}
		GROUP BY " . join(', ', 'window_start', 'window_end', @groups) . " $having";
	$query{text} =~ s/%(?!s AS e|s WHERE)/%%/g;
	$query{text} = "SELECT * FROM (SELECT *, rank() OVER (PARTITION BY ended ORDER BY result_1 DESC) AS place FROM ($query{text}) AS w) AS r WHERE place <= 2"
	  if rand() < 0.25;
	return \%query;
}

sub names
{
	my ($name, @expressions) = @_;

	return map { [ $name . '_' . ($_ + 1), $expressions[$_] ] } 0 .. $#expressions;
}

# Compares all sinks, late rows and counts with the oracle.
sub check
{
	my ($label, $is_drained) = @_;

	$node->safe_psql('postgres', 'SELECT watermark.advance()');
	for my $name (sort keys %query)
	{
		check_query($node, $label, $name, $query{$name}, $is_drained) or diag "seed $seed: $query{$name}->{text}";
	}
	is($node->safe_psql('postgres', 'SELECT count(*) FROM watermark.queries WHERE error IS NOT NULL'), 0, "$label: no query has an error");
	return;
}
