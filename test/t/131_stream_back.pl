# A stream that was idle and comes back: it holds the watermark of a query again when it
# has caught up with it, and not before.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each([ 'a stream that comes back', \&test_back ]);

sub reached
{
	return sql(q{SELECT watermark FROM watermark.queries WHERE name = 'pair'});
}

sub test_back
{
	stream("pair_$_") for qw(a b);
	query('pair', q{SELECT window_start, window_end, count(*) AS n
		FROM (SELECT ts FROM pair_a UNION ALL SELECT ts FROM pair_b) AS u, TUMBLE(u, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end}, q{, idle_timeout => '5 s'});
	arrive('pair_b', '10:00:20');
	arrive('pair_a', '10:01:10');
	is(reached(), '2024-01-01 10:00:15', 'the least watermark counts');
	ok($node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pair}), 'until its stream is idle');
	arrive('pair_a', '10:02:10');
	is(reached(), '2024-01-01 10:02:05', 'then the other counts alone');

	arrive('pair_b', '10:02:07');
	arrive('pair_a', '10:03:10');
	is(reached(), '2024-01-01 10:03:05', 'a row behind the watermark does not hold it');
	arrive('pair_b', '10:03:20');
	arrive('pair_a', '10:05:10');
	is(reached(), '2024-01-01 10:03:15', 'one that has caught up does');
	arrive('pair_b', '10:04:10');
	is(reached(), '2024-01-01 10:04:05', 'and the watermark goes on with it');
	is(published('pair'), '10:00:00=1 10:01:00=1 10:02:00=2 10:03:00=2', 'every row has come into its window');
	is(audit('pair'), '6|2|0|0|8|t', 'and none was late');
	return;
}
