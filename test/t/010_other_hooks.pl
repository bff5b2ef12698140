# The planner hooks of others, loaded before ours and after: each sees the
# statement, and the rows are the same.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my %queries = (
	'a session as a group window' => q{
		SELECT k, SESSION_END(ts, INTERVAL '10' SECOND), count(*)
		FROM e GROUP BY k, SESSION(ts, INTERVAL '10' SECOND) ORDER BY 1, 2},
	'a hopping group window' => q{
		SELECT HOP_START(ts, INTERVAL '5' SECOND, INTERVAL '20' SECOND), sum(id)
		FROM e GROUP BY HOP(ts, INTERVAL '5' SECOND, INTERVAL '20' SECOND) ORDER BY 1},
	'a watermark' => q{
		SELECT id, watermark, is_behind
		FROM e, APPLY_WATERMARK(e, DESCRIPTOR(ts), ts - INTERVAL '2' SECOND) ORDER BY id},
	'a view whose watermark is not read' => q{
		SELECT window_start, count(*)
		FROM marked AS m, TUMBLE(m, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		WHERE ts < '2024-01-01 00:10' GROUP BY window_start, window_end ORDER BY 1},
);

my $alone = start_server('alone', 'apply_watermark');
my $after = start_server('after', 'pg_stat_statements, auto_explain, apply_watermark');
my $before = start_server('before', 'apply_watermark, pg_stat_statements, auto_explain');

for my $name (sort keys %queries)
{
	my $rows = $alone->safe_psql('postgres', $queries{$name});

	isnt($rows, '', "$name has rows, in the first statement of a session");
	check_server($after, $name, $rows, 'loaded after others');
	check_server($before, $name, $rows, 'loaded before others');
}
$_->stop for $alone, $after, $before;
done_testing();

sub start_server
{
	my ($name, $libraries) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', "shared_preload_libraries = '$libraries'");
	$node->append_conf('postgresql.conf', $_)
	  for $libraries =~ /auto_explain/
	  ? ('auto_explain.log_min_duration = 0', 'auto_explain.log_analyze = on')
	  : ();
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION pg_stat_statements')
	  if $libraries =~ /pg_stat_statements/;
	$node->safe_psql(
		'postgres', q{
		CREATE EXTENSION apply_watermark;
		CREATE TABLE e AS
		SELECT i AS id, i % 3 AS k, timestamp '2024-01-01' + (i * 7919 % 2000) * interval '1 s' AS ts
		FROM generate_series(1, 500) AS i;
		CREATE VIEW marked AS
		SELECT * FROM e AS o, APPLY_WATERMARK(o, DESCRIPTOR(ts), ts - INTERVAL '2' SECOND);
	});
	return $node;
}

# The rows, and what the others have seen of the statement.
sub check_server
{
	my ($node, $name, $rows, $how) = @_;
	my $offset = -s $node->logfile;

	$node->safe_psql('postgres', 'SELECT pg_stat_statements_reset()');
	is($node->safe_psql('postgres', $queries{$name}), $rows, "$name, $how");
	is( $node->safe_psql(
			'postgres', q{SELECT sum(calls) FROM pg_stat_statements WHERE query LIKE '%INTERVAL $%'}),
		1,
		'pg_stat_statements has counted it');
	like(slurp_file($node->logfile, $offset), qr/duration: .* plan:\n/, 'auto_explain has logged its plan');
	return;
}
