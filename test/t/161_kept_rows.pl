# Queries that keep the rows of their windows: more of them than memory is meant for, over
# restarts, partly late, and gone when their last window has closed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each(
	[ 'many rows in a window', \&test_many ],
	[ 'rows that miss some of their windows', \&test_partly_late ],
	[ 'Top-N with ties', \&test_ties ],
	[ 'grouping sets with a key that is NULL', \&test_sets ]);

# More than a piece of the checkpoint, and than the memory of a slice.
sub test_many
{
	my $text = q{SELECT window_start, count(DISTINCT k || v) AS n, md5(string_agg(k || v, ',' ORDER BY id)) AS all_of_it
		FROM many AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end};

	stream('many', 'timestamp', 'ts');
	query('many_q', $text);
	for my $batch (0 .. 3)
	{
		take_in(qq{INSERT INTO many (k, v, ts) SELECT repeat('wide ', 30), i % 1000, timestamp '2024-01-01 10:00' + i * INTERVAL '10 ms'
			FROM generate_series($batch * 25000, $batch * 25000 + 24999) AS i});
	}
	is(audit('many_q'), '0|100000|0|0|100000|t', 'all rows are open');
	cmp_ok(sql(q{SELECT count(*) FROM watermark.checkpoint WHERE query = 'many_q'}), '>', 4, 'written in pieces');
	cmp_ok(files(), '>', 0, 'and on disk');
	$node->stop('immediate');
	$node->start;
	advance();
	cmp_ok(files(), '>', 0, 'after a crash as well');
	arrive('many', '10:59:59', '11:00:00');
	is(sql('SELECT count(*) FROM many_q'), 1, 'the window comes out');
	is(sql("SELECT count(*) FROM (TABLE many_q EXCEPT ($text)) AS wrong"), 0, 'with all of its rows');
	is(sql(q{SELECT sum(n_rows) FROM watermark.checkpoint WHERE query = 'many_q'}), 1, 'nothing is left of them');
	is(files(), 0, 'nor on disk');
	return;
}

# Temporary files of the server.
sub files
{
	return sql('SELECT count(*) FROM pg_ls_tmpdir()');
}

# B15, with the rows themselves: each is in the windows that were open when it came.
sub test_partly_late
{
	stream('partly', 'timestamp', 'ts');
	query('partly_q', q{SELECT window_start, window_end, string_agg(to_char(ts, 'SS'), ',' ORDER BY id) AS n FROM partly AS e,
		HOP(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end});
	arrive('partly', '10:00:01', '10:00:11');
	arrive('partly', '10:00:08');
	$node->restart;
	arrive('partly', '10:00:09');
	arrive('partly', '10:00:30');
	is(sql(q{SELECT string_agg(to_char(window_start, 'MI:SS') || '=' || n, ' ' ORDER BY window_start) FROM partly_q}),
		'59:55=01 00:00=01 00:05=11,08,09 00:10=11', 'a row is in the windows that were open for it');
	is(sql(q{SELECT count(*) FROM watermark.late_rows WHERE query = 'partly_q' AND reason = 'partly late'}), 2, 'and noted as partly late');
	is(audit('partly_q'), '4|1|0|0|5|t', 'all rows are there');
	return;
}

# B45
sub test_ties
{
	my $top = q{SELECT window_start, k, %s AS place FROM (SELECT window_start, window_end, k, count(DISTINCT id) AS n FROM ties AS e,
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k) AS g};

	stream('ties', 'timestamp', 'ts');
	query('ranked', 'SELECT * FROM (' . sprintf($top, 'rank() OVER (PARTITION BY window_start ORDER BY n DESC)') . ') AS t WHERE place <= 3');
	query('numbered', 'SELECT * FROM (' . sprintf($top, 'row_number() OVER (PARTITION BY window_start ORDER BY n DESC, k)') . ') AS t WHERE place <= 3');
	take_in(q{INSERT INTO ties (k, ts) SELECT k, '2024-01-01 10:00:10' FROM unnest('{a,b,b,c,a,d,b,a,c,d}'::text[]) AS k});
	arrive('ties', '10:01:00');
	is(sql(q{SELECT string_agg(k || place, ' ' ORDER BY place, k) FROM ranked}), 'a1 b1 c3 d3', 'rank() has all that are alike');
	is(sql(q{SELECT string_agg(k || place, ' ' ORDER BY place, k) FROM numbered}), 'a1 b2 c3', 'row_number() as many as were asked for');
	return;
}

# B47
sub test_sets
{
	stream('sets', 'timestamp', 'ts');
	query('sets_q', q{SELECT window_start, k, grouping(k) AS g, sum(v) AS n FROM sets AS e,
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, ROLLUP (k)});
	take_in(q{INSERT INTO sets (k, v, ts) VALUES ('x', 4, '2024-01-01 10:00:10'), ('x', 5, '2024-01-01 10:00:10'), ('y', 2, '2024-01-01 10:00:10'),
		(NULL, 1, '2024-01-01 10:00:10')});
	arrive('sets', '10:01:00');
	is(sql(q{SELECT string_agg(concat_ws('|', coalesce(k, '-'), g, n), ' ' ORDER BY g, k) FROM sets_q}), 'x|0|9 y|0|2 -|0|1 -|1|12', 'the total is not the group of NULL');
	return;
}
