# A query goes with its view: by DROP ... CASCADE of what it reads, with a schema, or on
# its own; and stays if that is rolled back.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $SLOTS = 'SELECT count(*) FROM pg_replication_slots';

test_each(
	[ 'DROP TABLE ... CASCADE', \&test_table ],
	[ 'the last query', \&test_last ],
	[ 'DROP that is rolled back', \&test_rollback ],
	[ 'a query that stands', \&test_standing ],
	[ 'a drop while rows arrive', \&test_busy ]);

sub names
{
	return sql('SELECT string_agg(name, $$ $$ ORDER BY name) FROM watermark.queries');
}

sub test_table
{
	my $offset = -s $node->logfile;
	my ($status, $output, $notice);

	stream($_) for qw(goes stays);
	sql('CREATE SCHEMA whole', 'CREATE VIEW whole.above AS SELECT * FROM stays');
	per_minute('of_goes', 'goes');
	per_minute('of_stays', 'stays');
	per_minute('of_above', 'whole.above');
	arrive('goes', '10:00', 'NULL', '10:01:10');
	($status, $output, $notice) = $node->psql('postgres', 'DROP TABLE goes CASCADE');
	like($notice, qr/NOTICE:  drop cascades to view watermark\.of_goes/, 'a notice says so');
	is(names(), 'of_above of_stays', 'the query is gone at once');
	sql('SET client_min_messages = warning', 'DROP SCHEMA whole CASCADE');
	advance();
	is(names(), 'of_stays', 'so it goes with a schema');
	is(sql('SELECT (SELECT count(*) FROM watermark.query) + (SELECT count(*) FROM watermark.late_row)'), 1, 'nothing is left of it');
	is(published('of_goes'), '10:00:00=1', 'the sink stays');
	like(slurp_file($node->logfile, $offset), qr/LOG:  continuous query "of_goes" has been dropped/, 'a line of the log tells');
	arrive('stays', '10:00', '10:01:10');
	is(published('of_stays'), '10:00:00=1', 'other queries go on');

	stream('goes');
	per_minute('of_goes', 'goes');
	arrive('goes', '10:02', '10:03:10');
	is(published('of_goes'), '10:00:00=1 10:02:00=1', 'its name is free');
	return;
}

sub test_last
{
	stream('last');
	per_minute('of_last', 'last');
	is(sql($SLOTS), 1, 'it has a slot');
	sql('DROP VIEW watermark.of_last');
	ok($node->poll_query_until('postgres', $SLOTS, 0), 'which goes with it, although nobody asks');
	refuses('dropping it once more', q{SELECT watermark.drop_query('of_last')}, qr/continuous query "of_last" does not exist/);
	return;
}

sub test_rollback
{
	stream('remains');
	per_minute('of_remains', 'remains');
	sql('SET client_min_messages = warning', 'BEGIN', 'DROP TABLE remains CASCADE', 'ROLLBACK');
	arrive('remains', '10:00', '10:01:10');
	is(published('of_remains'), '10:00:00=1', 'changes nothing');
	return;
}

sub test_standing
{
	stream($_) for qw(failed paused);
	per_minute("of_$_", $_) for qw(failed paused);
	sql('ALTER TABLE of_failed ADD CHECK (n > 1)', q{SELECT watermark.pause_query('of_paused')});
	arrive('failed', '10:00', '10:01:10');
	like(sql(q{SELECT error FROM watermark.queries WHERE name = 'of_failed'}), qr/violates check constraint/, 'it has failed');
	sql('SET client_min_messages = warning', 'DROP TABLE failed, paused CASCADE');
	is(names(), '', 'it is gone, too');
	ok($node->poll_query_until('postgres', $SLOTS, 0), 'with the slot');
	return;
}

# Whatever the worker is at: it comes to no harm.
sub test_busy
{
	my $offset = -s $node->logfile;

	stream('steady');
	per_minute('of_steady', 'steady');
	for my $i (1 .. 10)
	{
		stream("busy_$i");
		per_minute("of_busy_$i", "busy_$i");
		sql(qq{INSERT INTO busy_$i (ts) SELECT timestamp '2024-01-01 10:00' + i * INTERVAL '10' SECOND FROM generate_series(1, 1000 * $i) AS i},
			'SET client_min_messages = warning', "DROP TABLE busy_$i CASCADE");
	}
	arrive('steady', '10:00', '10:01:10');
	is(names() . ' ' . published('of_steady'), 'of_steady 10:00:00=1', 'those that stay go on');
	unlike(slurp_file($node->logfile, $offset), qr/terminat|exited with|PANIC|FATAL/, 'nothing has ended');
	return;
}
