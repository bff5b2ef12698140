# What users of such systems have reported, as small inputs with the right answers:
# windows, their zones, sizes and edges, and queries over them.  The numbers are those of the collection of reports.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each(
	[ 'time zones', \&test_zones ],
	[ 'the size of the window', \&test_size ],
	[ 'the offset of the window', \&test_offset ],
	[ 'rowtimes at the edge', \&test_edges ],
	[ 'ties in a Top-N', \&test_ties ],
	[ 'queries that cannot be', \&test_refusals ],
	[ 'a large window that is open', \&test_large_window ]);

# B27 to B30: windows follow the zone of the query, however long its days are.
sub test_zones
{
	my $hour = q{INTERVAL '1' HOUR};
	my $day = q{INTERVAL '1' DAY};

	for (
		[ 'fall_back', 'America/New_York', $hour, [ '2024-11-03 04:30Z', '2024-11-03 07:30Z', '30 min' ],
			'2024-11-03 04:00=1 2024-11-03 05:00=2 2024-11-03 06:00=2 2024-11-03 07:00=2' ],
		[ 'spring_day', 'Europe/Berlin', $day, [ '2025-03-29 23:00Z', '2025-03-30 21:59Z', '1 hour' ], '2025-03-29 23:00=23' ],
		[ 'autumn_day', 'Europe/Berlin', $day, [ '2025-10-25 22:00Z', '2025-10-26 22:59Z', '1 hour' ], '2025-10-25 22:00=25' ],
		[ 'no_midnight', 'America/Sao_Paulo', $day, [ '2018-11-04 02:59Z', '2018-11-04 03:01Z', '1 min' ],
			'2018-11-03 03:00=1 2018-11-04 03:00=2' ],
		[ 'half_hour', 'Asia/Kolkata', $hour, [ '2024-05-01 00:10Z', '2024-05-01 01:40Z', '30 min' ],
			'2024-04-30 23:30=1 2024-05-01 00:30=2 2024-05-01 01:30=1' ],
		[ 'shanghai', 'Asia/Shanghai', $day, [ '2024-05-01 15:59:59.999999Z', '2024-05-01 16:00Z', '1 us' ],
			'2024-04-30 16:00=1 2024-05-01 16:00=1' ],
		[ 'utc', 'UTC', $day, [ '2024-05-01 15:59:59.999999Z', '2024-05-01 16:00Z', '1 us' ], '2024-05-01 00:00=2' ])
	{
		my ($name, $zone, $size, $rows, $expected) = @$_;
		my ($from, $to, $step) = @$rows;

		stream($name, 'timestamptz', 'ts');
		query("${name}_q", "SELECT window_start, count(*) AS n, min(ts) AS least, max(ts) AS most, window_end FROM $name AS e,
			TUMBLE(e, DESCRIPTOR(ts), $size) GROUP BY window_start, window_end", '', "SET timezone = '$zone'");
		# A reader elsewhere, and rows of a session elsewhere, make no difference.
		sql(q{SET timezone = 'Pacific/Auckland'}, "INSERT INTO $name (ts) SELECT generate_series(timestamptz '$from', '$to', '$step')");
		sql("SELECT watermark.drain_query('${name}_q')");
		advance();
		is(sql("SELECT string_agg(to_char(window_start, 'YYYY-MM-DD HH24:MI') || '=' || n, ' ' ORDER BY window_start) FROM ${name}_q"),
			$expected, "$name: windows of $zone");
		is(sql("SELECT bool_and(window_start <= least AND most < window_end), (SELECT count(*) FROM $name) = sum(n) FROM ${name}_q"), 't|t',
			"$name: each row is in its window, and none is lost");
	}
	return;
}

# B33: months have no length.
sub test_size
{
	stream('sized');
	for my $size (q{INTERVAL '1' MONTH}, q{INTERVAL '1' YEAR}, q{INTERVAL '-1' MINUTE}, q{INTERVAL '0' MINUTE}, 'NULL::interval')
	{
		refuses_query($size, "SELECT window_start, count(*) FROM sized, TUMBLE(sized, DESCRIPTOR(ts), $size) GROUP BY window_start, window_end",
			qr/ERROR:  \S.*\bsize\b/);
	}
	return;
}

# B35: offsets that differ by a window are the same; they are less than one.
sub test_offset
{
	my @offset = (q{INTERVAL '6' HOUR}, q{INTERVAL '-18' HOUR});
	my $text = q{SELECT window_start, count(*) AS n FROM shifted, TUMBLE(shifted, DESCRIPTOR(ts), INTERVAL '1' DAY, %s) GROUP BY window_start, window_end};

	stream('shifted');
	query("shifted_$_", sprintf $text, $offset[$_]) for 0 .. $#offset;
	arrive('shifted', '2024-05-01 05:59:59', '2024-05-01 06:00', '2024-05-02 06:00', '2024-05-04');
	is(published("shifted_$_"), '2024-04-30 06:00:00=1 2024-05-01 06:00:00=1 2024-05-02 06:00:00=1', "offset $offset[$_]")
	  for 0 .. $#offset;
	refuses_query('an offset of more than a window', sprintf($text, q{INTERVAL '30' HOUR}), qr/ERROR:  window offset must be shorter than the window size\n.*HINT:/s);
	refuses_query('a NULL offset', sprintf($text, 'NULL::interval'), qr/ERROR:  window offset must not be null/);
	return;
}

# B36, B37, B38, B40: NULL, microseconds, infinity, and times before 1970.
sub test_edges
{
	stream('edges');
	per_minute('edges_q', 'edges');
	arrive('edges', 'NULL', '-infinity', '10:00:10', 'infinity');
	is(watermark('edges_q'), '2024-01-01 10:00:05', 'NULL and infinity move no watermark');
	arrive('edges', '10:00:59.9996', '10:01:30');
	is(published('edges_q'), '10:00:00=2', 'nothing is rounded into the next window');
	is(audit('edges_q'), '2|1|0|3|6|t', 'what has no time is set aside');
	is(sql(q{SELECT string_agg(reason, ', ' ORDER BY source_row->>'id') FROM watermark.late_rows WHERE query = 'edges_q'}),
		'null, not finite, not finite', 'with the reason');

	stream('rounded', 'timestamp(3)');
	per_minute('rounded_q', 'rounded');
	arrive('rounded', '10:00:59.9996', '10:02:10');
	is(published('rounded_q'), '10:01:00=1', 'a type of less precision rounds before we see it');

	stream('early');
	query('early_q', q{SELECT window_start, count(*) AS n FROM early, TUMBLE(early, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end});
	arrive('early', '1969-12-31 23:59:58', '1969-12-31 23:59:55', '1969-12-31 23:59:54.999999', '0044-03-15 12:00:07 BC', '1970-01-01 00:00:10');
	is(published('early_q'), '0044-03-15 12:00:05 BC=1 1969-12-31 23:59:50=1 1969-12-31 23:59:55=2', 'windows before 1970');
	return;
}

# B45: ties are broken as the query says, and one way in all queries where it does not.
sub test_ties
{
	my $text = q{SELECT window_start, k, n, place FROM (
			SELECT window_start, k, count(*) AS n, %s OVER (PARTITION BY window_end ORDER BY count(*) DESC%s) AS place
			FROM ties, TUMBLE(ties, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k) AS r WHERE place <= 3};
	my %query = (
		by_key => sprintf($text, 'row_number()', ', k'), by_rank => sprintf($text, 'rank()', ''), open => sprintf($text, 'row_number()', ''));

	stream('ties', 'timestamp', 'ts');
	query($_, $query{$_}, qq{, sink => 'ties_$_'}) for sort keys %query;
	for my $k (qw(d c b a b a b a d c))
	{
		sql("INSERT INTO ties (k, ts) VALUES ('$k', '2024-01-01 10:00')");
		$node->restart if $k eq 'c';
	}
	arrive('ties', '10:01');
	is(sql('SELECT k, n, place FROM ties_by_key ORDER BY place'), "a|3|1\nb|3|2\nc|2|3", 'in the order of the query');
	is(sql('SELECT k, n, place FROM ties_by_rank ORDER BY k'), "a|3|1\nb|3|1\nc|2|3\nd|2|3", 'with rank() all of them');
	like(sql(q{SELECT string_agg(k, '' ORDER BY k) FROM ties_open}), qr/^ab[cd]\z/, 'without, any of them, but as many as asked for');

	# The same rows again, now all of them history.
	query('again', $query{open}, q{, sink => 'ties_again'});
	is(sql('SELECT k, n, place FROM ties_again EXCEPT ALL SELECT k, n, place FROM ties_open'), '', 'and the same when they are read again');
	return;
}

# B47, B48: no crash, and nothing that depends on when it runs.
sub test_refusals
{
	my $from = q{FROM r, TUMBLE(r, DESCRIPTOR(ts), INTERVAL '1' MINUTE)};

	stream('r');
	refuses_query('GROUP BY without the window', "SELECT k, count(*) $from GROUP BY k", qr/window_end.*HINT:/s);
	refuses_query('GROUPING SETS without the window', "SELECT k, count(*) $from GROUP BY GROUPING SETS ((window_start, window_end, k), (k))", qr/ERROR:.*HINT:/s);
	refuses_query('no aggregate at all', "SELECT * $from", qr/ERROR:.*HINT:/s);
	for my $now (qw(now() current_timestamp localtimestamp current_date clock_timestamp() transaction_timestamp() statement_timestamp()))
	{
		refuses_query($now, "SELECT window_start, count(*) $from WHERE ts > $now - INTERVAL '7' HOUR GROUP BY window_start, window_end",
			qr/ERROR:  a continuous query cannot use .*HINT:/s);
	}
	refuses_query('random()', "SELECT window_start, count(*) $from WHERE random() < 0.5 GROUP BY window_start, window_end",
		qr/ERROR:  a continuous query cannot use the volatile function random().*HINT:/s);
	return;
}

# B50: the window that is open at the start takes what comes.
sub test_large_window
{
	stream('large');
	sql(q{INSERT INTO large (ts) SELECT generate_series(timestamp '2024-05-01', '2024-05-20', '1 day')});
	query('large_q', q{SELECT window_start, count(*) AS n FROM large, TUMBLE(large, DESCRIPTOR(ts), INTERVAL '31' DAY, INTERVAL '30' DAY)
		GROUP BY window_start, window_end});
	my $open = sql(q{SELECT open FROM watermark.audit('large_q')});
	cmp_ok($open, '>', 0, 'the history leaves a window open');
	arrive('large', '2024-05-21');
	is(sql(qq{SELECT open - $open, late, is_complete FROM watermark.audit('large_q')}), '1|0|t', 'a row after the load is not late');
	return;
}
