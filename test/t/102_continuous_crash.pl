# The worker, a session or the server is killed under load from several sessions,
# again and again: what continuous queries of many kinds publish is what the same queries
# give by hand over the rows that are there, but for the windows that late rows are noted
# to have missed.
#
# AW_CRASHES says how often, AW_SEED what happens, AW_RATE how many transactions there are
# in a second.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousMix;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $n_crashes = $ENV{AW_CRASHES} || 6;
my $seed = $ENV{AW_SEED} || 3;
my $rate = $ENV{AW_RATE} || 300;
srand($seed);
note "seed $seed";

# Both streams, in transactions of their own and together.
my $dir = PostgreSQL::Test::Utils::tempdir;
my $insert = q{INSERT INTO %s (k, name, v, ts)
	SELECT random() * 9, 'n' || i, i, clock_timestamp() - random() * INTERVAL '100 ms' FROM generate_series(1, :rows) AS i;
};
my %script = (
	"$dir/event" => "\\set rows random(1, 20)\n" . sprintf($insert, 'event'),
	"$dir/other" => "\\set rows random(1, 10)\n" . sprintf($insert, 'other'),
	"$dir/both" => "\\set rows random(1, 10)\nBEGIN;\n" . join('', map { sprintf $insert, $_ } qw(event other)) . "END;\n");
append_to_file($_, $script{$_}) for keys %script;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');
create_streams($node, $node->safe_psql('postgres', 'SELECT localtimestamp'), '0.05 seconds');
$one_of = 64;
create_mix($node, $_) for mix_names();

crash($_) for 1 .. $n_crashes;

for my $condition (q{name <> 'above'}, q{name = 'above'})
{
	$node->safe_psql('postgres', "SELECT watermark.drain_query(name) FROM watermark.queries WHERE $condition");
	$node->safe_psql('postgres', q{SELECT watermark.advance('5 minutes')});
}
for my $name (mix_names())
{
	is($node->safe_psql('postgres', "SELECT state, error FROM watermark.queries WHERE name = '$name'"), 'drained|', "$name is drained");
	is(differences_to_late_rows($node, $name, $name), "0|0\n0|0|t|t|t|t", "$name has the rows of the query by hand, and counts each once");
}
note $node->safe_psql('postgres', q{SELECT name, watermark.audit(name) FROM watermark.queries});
$node->stop;
done_testing();

# Four sessions write; when some windows have been published, somebody dies.
sub crash
{
	my ($number) = @_;
	my $kind = (qw(worker session server))[ rand 3 ];
	my $writers = IPC::Run::start([ 'pgbench', '-n', '-c', 4, '-j', 2, '-T', 60, '-R', $rate, map({ ('-f', $_) } keys %script), $node->connstr('postgres') ],
		'>', '/dev/null', '2>', '/dev/null');
	my $n_windows = $node->safe_psql('postgres', q{SELECT sum(n_windows) + 40 FROM watermark.queries});

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
