# What users of such systems have reported, as small inputs with the right answers:
# queries that keep rows.  The numbers are those of the collection of reports.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each(
	[ 'ties in a Top-N over rows', \&test_ties ],
	[ 'keys that are NULL in GROUPING SETS', \&test_sets ],
	[ 'rows that are partly late', \&test_partly_late ],
	[ 'rows past the memory', \&test_large ]);

# B45: ties are broken in one way, whatever was in memory, and when all is read again.
sub test_ties
{
	my $text = q{SELECT window_start, k, place FROM (
			SELECT window_start, k, %s OVER (PARTITION BY window_start, window_end ORDER BY v DESC%s) AS place
			FROM ties, TUMBLE(ties, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS r WHERE place <= 3};
	my %query = (
		by_key => sprintf($text, 'row_number()', ', k'), by_rank => sprintf($text, 'rank()', ''), open => sprintf($text, 'row_number()', ''));

	stream('ties', 'timestamp', 'ts');
	query($_, $query{$_}, qq{, sink => 'ties_$_'}) for sort keys %query;
	for my $k (qw(d c b a e))
	{
		sql(sprintf q{INSERT INTO ties (k, v, ts) VALUES ('%s', %d, '2024-01-01 10:00')}, $k, $k eq 'e' ? 1 : 2);
		$node->restart if $k eq 'c';
	}
	arrive('ties', '10:01');
	is(sql('SELECT k, place FROM ties_by_key ORDER BY place'), "a|1\nb|2\nc|3", 'in the order of the query');
	is(sql('SELECT k, place FROM ties_by_rank ORDER BY k'), "a|1\nb|1\nc|1\nd|1", 'with rank() all of them');
	like(sql(q{SELECT string_agg(k, '' ORDER BY place) FROM ties_open}), qr/^[abcd]{3}\z/, 'without, any of them, but as many as asked for');
	query('again', $query{open}, q{, sink => 'ties_again'});
	is(sql('SELECT k, place FROM ties_again EXCEPT ALL SELECT k, place FROM ties_open'), '', 'and the same when they are read again');
	return;
}

# B47: the group of rows without a key is another than the group of all rows.
sub test_sets
{
	stream('sets', 'timestamp', 'ts');
	query('sets_q', q{SELECT window_end, k, grouping(k) AS is_total, sum(v) AS s FROM sets, TUMBLE(sets, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY GROUPING SETS ((window_start, window_end, k), (window_start, window_end))});
	query('keyed_q', q{SELECT window_end, k, sum(v) AS s FROM sets, TUMBLE(sets, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k});
	sql(q{INSERT INTO sets (k, v, ts) VALUES ('x', 4, '2024-01-01 10:00'), ('x', 5, '2024-01-01 10:00:10'), ('y', 2, '2024-01-01 10:00:20'), (NULL, 1, '2024-01-01 10:00:30')});
	arrive('sets', '10:01');
	is(sql('SELECT k, is_total, s FROM sets_q ORDER BY is_total, k'), "x|0|9\ny|0|2\n|0|1\n|1|12", 'both are there');
	is(sql('SELECT k, s FROM keyed_q ORDER BY k'), "x|9\ny|2\n|1", 'NULL is a key');
	return;
}

# B15: a row counts in those of its windows that are open, where rows are kept, too.
sub test_partly_late
{
	stream('partly', 'timestamp', 'ts');
	query('partly_q', q{SELECT window_start, string_agg(id::text, ' ' ORDER BY id) AS n
		FROM partly AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end});
	arrive('partly', $_) for '10:00:01', '10:00:11', '10:00:08';
	$node->stop('immediate');
	$node->start;
	arrive('partly', '10:00:30');
	is(published('partly_q'), '09:59:55=1 10:00:00=1 10:00:05=2 3 10:00:10=2', 'it counts once');
	is(sql(q{SELECT reason, window_end FROM watermark.late_rows WHERE query = 'partly_q'}), 'partly late|2024-01-01 10:00:10', 'it is noted with the window that it missed');
	is(audit('partly_q'), '3|1|0|0|4|t', 'and is not late');
	return;
}

# Rows of a window that do not fit into memory are on disk, and come back from there.
sub test_large
{
	my $by_hand = q{SELECT window_start, count(DISTINCT k) AS n, percentile_disc(0.5) WITHIN GROUP (ORDER BY k) AS middle
		FROM large, TUMBLE(large, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end};

	stream('large', 'timestamp', 'ts');
	query('large_q', $by_hand);
	for my $part (1 .. 4)
	{
		sql("INSERT INTO large (k, ts) SELECT i % 7777 || repeat('x', 100), timestamp '2024-01-01 10:00' + i * INTERVAL '10 ms' FROM generate_series(1, 50000) AS i");
		advance();
		$node->restart if $part == 2;
	}
	arrive('large', '11:00');
	is(sql('SELECT count(*) FROM large_q'), 1, 'a window of 200,000 rows is published');
	is(sql("SELECT count(*) FROM (TABLE large_q EXCEPT ALL ($by_hand)) AS d"), 0, 'as by hand');
	is(audit('large_q'), '200000|1|0|0|200001|t', 'with all rows');
	return;
}
