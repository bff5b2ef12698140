# A query without its history has all rows that are committed after it was created, and
# none of those before, whatever the worker is at.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Cluster;
use Test::More;

my $SLOTS = 'SELECT count(*) FROM pg_replication_slots';

test_each(
	[ 'the first query', \&test_first ],
	[ 'while others are at work', \&test_busy ],
	[ 'transactions that overlap', \&test_overlapping ],
	[ 'a transaction that is rolled back', \&test_rollback ],
	[ 'a transaction that has written', \&test_written ]);

# Statements that create a query; with %s for a table.
sub creation
{
	my ($name, $source) = @_;

	return sprintf q{SELECT watermark.create_query('%s', $$SELECT window_start, count(*) AS n, min(v) AS least, max(v) AS most FROM %s AS e,
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end$$, with_history => false)}, $name, $source;
}

sub insert
{
	my ($table, $v, $minute) = @_;

	return sprintf q{INSERT INTO %s (v, ts) VALUES (%d, '2024-01-01 10:%02d')}, $table, $v, $minute // 0;
}

# rows / least / most of 10:00
sub result
{
	my ($name) = @_;

	advance();
	return sql(qq{SELECT concat_ws('/', n, least, most) FROM $name WHERE window_start = '2024-01-01 10:00'});
}

# Its slot is made while it is created.
sub test_first
{
	for my $i (1 .. 5)
	{
		ok($node->poll_query_until('postgres', $SLOTS, 0), 'there is no slot');
		stream("first_$i", 'timestamp', 'ts');
		sql(insert("first_$i", 1), creation("of_first_$i", "first_$i"), insert("first_$i", 2), insert("first_$i", 3), insert("first_$i", 4, 1));
		is(result("of_first_$i"), '2/2/3', 'rows of after it are in');
		is(audit("of_first_$i"), '2|1|0|0|3|t', 'and no others');
		sql(qq{SELECT watermark.drop_query('of_first_$i')});
	}
	return;
}

# The worker confirms what it has read as fast as it can.
sub test_busy
{
	stream($_, 'timestamp', 'ts') for qw(busy quiet);
	per_minute('of_busy', 'busy');
	my $writer = $node->background_psql('postgres', on_error_stop => 1);
	$writer->query_until(qr/begun/, q{\echo begun
		DO $$ BEGIN FOR i IN 1 .. 3000 LOOP
			INSERT INTO busy (ts) VALUES (timestamp '2024-01-01' + i * INTERVAL '1 minute'); COMMIT; PERFORM pg_sleep(0.001);
		END LOOP; END $$;
	});
	for my $i (1 .. 12)
	{
		sql('TRUNCATE quiet', insert('quiet', 1), creation("of_quiet_$i", 'quiet'), insert('quiet', 2), insert('quiet', 3), insert('quiet', 4, 1));
		is(result("of_quiet_$i"), '2/2/3', "query $i has the rows of after it");
		sql(qq{SELECT watermark.drop_query('of_quiet_$i')});
	}
	$writer->quit;
	advance();
	is(sql('SELECT count(*) FROM of_busy') . ' ' . sql('SELECT sum(n) FROM of_busy'), '2999 2999', 'the other has each row once');
	return;
}

# What commits after the query is created counts, whenever it was written.
sub test_overlapping
{
	my $session = $node->background_psql('postgres', on_error_stop => 1);
	my $creator = $node->background_psql('postgres', on_error_stop => 1);

	stream('shared', 'timestamp', 'ts');
	per_minute('beside', 'shared');
	$session->query_safe($_) for 'BEGIN', insert('shared', 1), 'SAVEPOINT s', insert('shared', 2), 'RELEASE s';
	$creator->query_safe($_) for 'BEGIN', creation('of_shared', 'shared');
	$creator->query_safe('COMMIT');
	$session->query_safe('COMMIT');
	sql(insert('shared', 3, 1));
	is(result('of_shared'), '2/1/2', 'rows that were written before, and committed after it');
	is(sql('SELECT n FROM beside'), 2, 'as for who was there before');
	$node->restart;
	sql(insert('shared', 5, 2));
	advance();
	is(sql('SELECT count(*), sum(n) FROM of_shared'), '2|3', 'and once, also after a restart');
	$_->quit for $session, $creator;
	return;
}

sub test_rollback
{
	ok($node->poll_query_until('postgres', $SLOTS, 0), 'there is no slot');
	stream('undone', 'timestamp', 'ts');
	sql('BEGIN', creation('of_undone', 'undone'), 'ROLLBACK');
	ok($node->poll_query_until('postgres', $SLOTS, 0), 'nor is there one when the query does not come to be');
	ok($node->poll_query_until('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'}, 0), 'nor a worker');
	return;
}

# It cannot wait for a slot, which would wait for it; and says so.
sub test_written
{
	stream('written', 'timestamp', 'ts');
	my (undef, undef, $notice) = $node->psql('postgres', 'BEGIN; CREATE TABLE other (); ' . creation('of_written', 'written') . '; COMMIT');

	like($notice, qr/NOTICE:  continuous query "of_written" misses what is committed before it runs\n.*HINT:  Wait for it with watermark\.advance\(\)/s, 'it is told to wait');
	advance();
	sql(insert('written', 2), insert('written', 3, 1));
	is(result('of_written'), '1/2/2', 'which helps');
	return;
}
