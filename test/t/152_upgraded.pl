# B58: pg_upgrade to a new cluster has queries, their late rows, counts and results, but
# not their place in the WAL.  To the same version, which goes the way of any other.

use strict;
use warnings;

use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $programs = (grep { -x "$_/postgres" } split /:/, $ENV{PATH})[0];

if (grep { !-x "$programs/$_" } qw(pg_upgrade pg_dump pg_dumpall pg_restore pg_resetwal vacuumdb))
{
	plan skip_all => 'this server comes without pg_upgrade';
}

my $old = new_node('old');
my $new = new_node('new');

$node = $old;
$node->start;
sql('CREATE EXTENSION apply_watermark');
stream('event');
per_minute('event_q', 'event');
sql(q{SELECT watermark.track('event')});
arrive('event', '10:00:10', '10:00:20', '10:01:30');
arrive('event', '10:00:30');
is(audit('event_q'), '2|1|1|0|4|t', 'before it a window is published, and a row is late');
if ($node->pg_version >= 17)
{
	# These would take the slot along, but for WAL that is kept for it.
	$node->stop;
	$node->append_conf('postgresql.conf', q{shared_preload_libraries = ''});
	$node->start;
	sql('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots');
}
$node->stop;

command_ok([ 'sh', '-c', 'cd "$0" && exec "$@"', PostgreSQL::Test::Utils::tempdir(),
		'pg_upgrade', '-b', $programs, '-B', $programs, '-s', $old->host, '-d', abs_path($old->data_dir), '-p', $old->port,
		'-D', abs_path($new->data_dir), '-P', $new->port ], 'pg_upgrade');

$node = $new;
$node->start;
advance();
is(audit('event_q'), '2|1|1|0|4|t', 'counts are there');
is(sql(q{SELECT source_row->>'ts' FROM watermark.late_rows}), '2024-01-01T10:00:30', 'late rows are');
is(sql('SELECT state, error FROM watermark.queries'), 'failed|the WAL from the position of the query on is not there any more', 'the query says why it stands');
sql(q{SELECT watermark.drop_query('event_q')}, q{SELECT watermark.untrack('event')}, 'DROP TABLE event_q');
per_minute('event_q', 'event');
arrive('event', '10:02:10');
is(published('event_q'), '10:00:00=3 10:01:00=1', 'it can be created again');
$node->stop;
done_testing();

sub new_node
{
	my ($name) = @_;
	my $made = PostgreSQL::Test::Cluster->new($name);

	$made->init;
	$made->append_conf('postgresql.conf', $_)
	  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off', q{timezone = 'UTC'};
	return $made;
}
