# Queries of many kinds over the history start while eight sessions write: no row is
# missed, and none comes twice.
#
# AW_ATTACHES says how many queries.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousMix;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# One kind after the other, again and again.
my @kinds = mix_names();
my $n_queries = $ENV{AW_ATTACHES} || @kinds;
my %kind_of;
my @names;
for my $number (0 .. $n_queries - 1)
{
	my $kind = $kinds[ $number % @kinds ];
	my $name = $number < @kinds ? $kind : "${kind}_$number";

	push @names, $name;
	$kind_of{$name} = $kind;
}

# Subtransactions, of which one is rolled back, and rows that are late for some.
my $script = PostgreSQL::Test::Utils::tempdir . '/insert.sql';
append_to_file($script, q{BEGIN;
	INSERT INTO event (k, name, v, ts) SELECT i, 'n' || i, i, clock_timestamp() - random() * INTERVAL '200 ms' FROM generate_series(1, 3) AS i;
	SAVEPOINT s; INSERT INTO event (k, ts) VALUES (-1, clock_timestamp()); ROLLBACK TO s;
	SAVEPOINT s; INSERT INTO other (k, ts) VALUES (random() * 3, clock_timestamp()); RELEASE s;
	END;});

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');
create_streams($node, $node->safe_psql('postgres', 'SELECT localtimestamp'), '0.1 seconds');

attach($_) for @names;

for my $condition (q{name NOT LIKE 'above%'}, q{name LIKE 'above%'})
{
	$node->safe_psql('postgres', "SELECT watermark.drain_query(name) FROM watermark.queries WHERE $condition");
	$node->safe_psql('postgres', q{SELECT watermark.advance('5 minutes')});
}
is(differences_to_late_rows($node, $kind_of{$_}, $_), "0|0\n0|0|t|t|t|t", "$_ has each row once") for @names;
note $node->safe_psql('postgres', q{SELECT q.name, a FROM watermark.queries AS q, watermark.audit(q.name) AS a});
$node->stop;
done_testing();

# The writers of each query are new ones: some transactions are in its snapshot, some
# are open at that moment, and the others come later.
sub attach
{
	my ($name) = @_;
	my $writers = IPC::Run::start([ 'pgbench', '-n', '-c', 8, '-j', 2, '-T', 60, '-R', 500, '-f', $script, $node->connstr('postgres') ],
		'>', '/dev/null', '2>', '/dev/null');
	my $n_rows = $node->safe_psql('postgres', 'SELECT count(*) + 50 FROM event');

	$node->poll_query_until('postgres', "SELECT count(*) > $n_rows FROM event");
	create_mix($node, $kind_of{$name}, $name);
	$n_rows = $node->safe_psql('postgres', 'SELECT count(*) + 500 FROM event');
	ok( $node->poll_query_until('postgres', qq{
			SELECT (SELECT count(*) > $n_rows FROM event) AND (SELECT min(rows_in) > 0 FROM watermark.streams WHERE query = '$name')
				AND (SELECT published > 0 FROM watermark.audit('$name'))}),
		"$name has its history, and rows that came later");
	$writers->kill_kill;
	$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pgbench'});
	return;
}
