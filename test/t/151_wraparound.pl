# B56: the numbers of transactions begin anew, and queries have rows of before and after
# that, in their histories and behind them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A hundred transactions before the end of the numbers; what is older is frozen.
my $FIRST_XID = 4294967196;

if (!grep { -x "$_/pg_resetwal" } split /:/, $ENV{PATH})
{
	plan skip_all => 'this server comes without pg_resetwal';
}

$node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off', q{timezone = 'UTC'};
$node->start;
$node->command_ok([ 'vacuumdb', '--all', '--freeze' ], 'all rows that are there are frozen');
$node->stop;
move_to_end();
$node->start;
sql('CREATE EXTENSION apply_watermark');
stream('event');
stream('other');

# The history has rows of before; a transaction of before is open when two of the queries
# begin, one of them after.
per_minute('keeper_q', 'other');
arrive('event', '10:00:10') for 1 .. 5;
my $open = $node->background_psql('postgres');
$open->query_safe(q{BEGIN; INSERT INTO event (ts) VALUES ('2024-01-01 10:00:30')});
per_minute('before_q', 'event');
sql(q{SELECT watermark.pause_query('before_q')});
advance();

sql('INSERT INTO event (ts) VALUES (timestamp $$2024-01-01 10:00:20$$)') for 1 .. 120;
cmp_ok(sql('SELECT pg_current_xact_id()::text::numeric % 4294967296'), '<', 1000, 'numbers have begun anew');
per_minute('across_q', 'event');
$open->query_safe('COMMIT');
$open->quit;
per_minute('after_q', 'event');
sql(q{SELECT watermark.resume_query('before_q')});
$node->restart;
arrive('event', '10:00:40', '10:02:00');
for my $name ('before_q', 'across_q', 'after_q')
{
	is(published($name), '10:00:00=127', "$name has each row, once");
	is(audit($name), '127|1|0|0|128|t', "$name counts them all");
}
is(sql('SELECT count(*) FROM watermark.queries WHERE error IS NOT NULL'), 0, 'no query has an error');
$node->stop;
done_testing();

# As in the server's own tests: the page of the commit log must be there.
sub move_to_end
{
	my $page = sprintf '%s/pg_xact/%04X', $node->data_dir, $FIRST_XID / (32 * 32768);

	system_or_bail('pg_resetwal', '-x', $FIRST_XID, '-u', $FIRST_XID - 100, $node->data_dir);
	open my $out, '>', $page or die "$page: $!\n";
	binmode $out;
	print {$out} "\0" x (32 * 8192);
	close $out;
	return;
}
