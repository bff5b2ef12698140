# What users of such systems have reported, as small inputs with the right answers:
# windows that share rows.  The numbers are those of the collection of reports.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each(
	[ 'a row that is late for steps of CUMULATE', sub { test_cumulate(0) } ],
	[ 'the same after a restart', sub { test_cumulate(1) } ],
	[ 'a row that is late for windows of HOP', \&test_hop ],
	[ 'borders', \&test_borders ],
	[ 'steps without rows', \&test_repeats ],
	[ 'keys that are equal but differ', \&test_forms ],
	[ 'a row in very many windows', \&test_many ]);

# The results so far: start-end=n, with the date that all share left out.
sub windows
{
	my ($name) = @_;

	return sql("SELECT string_agg(replace(to_char(window_start, 'HH24:MI:SS') || '-' || to_char(window_end, 'HH24:MI:SS'), ':00-', '-') || '=' || n,
		' ' ORDER BY window_end, window_start) FROM $name");
}

sub late
{
	my ($name) = @_;

	return sql("SELECT reason, window_start, window_end, source_row->>'ts' FROM watermark.late_rows WHERE query = '$name'");
}

# B14: the row counts in the steps that are still to come, whatever was in memory.
sub test_cumulate
{
	my ($restarts) = @_;
	my $name = "growing$restarts";

	stream($name, 'timestamp', 'ts');
	query("${name}_q", "SELECT window_start, window_end, count(*) AS n FROM $name AS e,
		CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) GROUP BY window_start, window_end");
	arrive($name, $_) for '10:00:10', '10:01:10', '10:02:10';
	is(windows("${name}_q"), '10:00-10:01:00=1 10:00-10:02:00=2', 'two steps are out');
	if ($restarts)
	{
		$node->stop('immediate');
		$node->start;
	}
	arrive($name, '10:00:30');
	is(late("${name}_q"), 'partly late|2024-01-01 10:00:00|2024-01-01 10:02:00|2024-01-01T10:00:30', 'the row is noted with the last that it missed');
	is(audit("${name}_q"), '0|4|0|0|4|t', 'and is open');
	arrive($name, '10:05:00');
	is(windows("${name}_q"), '10:00-10:01:00=1 10:00-10:02:00=2 10:00-10:03:00=4 10:00-10:04:00=4 10:00-10:05:00=4', 'it counts in those that follow');
	is(audit("${name}_q"), '4|1|0|0|5|t', 'and is published with the last');
	return;
}

# B15: the row enters the window that is open.
sub test_hop
{
	stream('sliding', 'timestamp', 'ts');
	query('sliding_q', q{SELECT window_start, window_end, count(*) AS n FROM sliding AS e,
		HOP(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end});
	arrive('sliding', $_) for '10:00:01', '10:00:11', '10:00:08', '10:00:30';
	is(windows('sliding_q'), '09:59:55-10:00:05=1 10:00-10:00:10=1 10:00:05-10:00:15=2 10:00:10-10:00:20=1', 'it counts once');
	is(late('sliding_q'), 'partly late|2024-01-01 10:00:00|2024-01-01 10:00:10|2024-01-01T10:00:08', 'it is noted with the window that it missed');
	is(audit('sliding_q'), '3|1|0|0|4|t', 'it is not late');
	return;
}

# B40, B41: a size that is no multiple of the slide, and times before the origin.
sub test_borders
{
	stream('border', 'timestamp', 'ts');
	query('border_q', q{SELECT window_start, window_end, count(*) AS n FROM border AS e,
		HOP(e, DESCRIPTOR(ts), INTERVAL '3' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end});
	arrive('border', '1970-01-01 00:00:10');
	arrive('border', '1970-01-01 00:00:13');
	sql(q{SELECT watermark.drain_query('border_q')});
	advance();
	is(windows('border_q'), '00:00:03-00:00:13=1 00:00:06-00:00:16=2 00:00:09-00:00:19=2 00:00:12-00:00:22=1', 'an end is not in its window');

	stream('early', 'timestamp', 'ts');
	query('early_q', q{SELECT window_start, window_end, count(*) AS n FROM early AS e,
		CUMULATE(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end});
	arrive('early', '1969-12-31 23:59:53', '1969-12-31 23:59:55', '1969-12-31 23:59:58');
	sql(q{SELECT watermark.drain_query('early_q')});
	advance();
	is(windows('early_q'), '23:59:50-23:59:55=1 23:59:50-00:00:00=3', 'windows before 1970 start before their rows');
	return;
}

# B42: a step without rows repeats what there is; there is none before the first row.
sub test_repeats
{
	stream('sparse', 'timestamp', 'ts');
	query('sparse_q', q{SELECT window_end, sum(v) AS n FROM sparse AS e,
		CUMULATE(e, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end});
	sql(q{INSERT INTO sparse (ts, v) VALUES ('2024-01-01 08:01', 4), ('2024-01-01 08:03', 2), ('2024-01-01 08:06', 5), ('2024-01-01 08:12', 1)},
		q{SELECT watermark.drain_query('sparse_q')});
	advance();
	is(sql(q{SELECT string_agg(to_char(window_end, 'HH24:MI') || '=' || n, ' ' ORDER BY window_end) FROM sparse_q}),
		'08:02=4 08:04=6 08:06=6 08:08=11 08:10=11 08:14=1 08:16=1 08:18=1 08:20=1', 'steps go on to the end of their window');
	return;
}

# A key is shown as its newest rows have it, as by hand; rows that come late do not change that.
sub test_forms
{
	my $text = q{SELECT window_start, window_end, k, %s AS n FROM forms AS e,
		HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) GROUP BY window_start, window_end, k};
	my @queries = map { sprintf $text, $_ } 'count(*)', 'max(id)';

	sql('CREATE TABLE forms (id integer, k numeric, ts timestamp, CHECK (watermark_for(ts, ts)))');
	query("forms_$_", $queries[$_]) for 0, 1;
	for my $row (q{(1, 1.0, '2024-01-01 10:00:10')}, q{(2, 1.00, '2024-01-01 10:01:10')}, q{(3, 7, '2024-01-01 10:02:10')}, q{(4, 1.0000, '2024-01-01 10:00:20')},
		q{(5, 1.000, '2024-01-01 10:03:10')}, q{(6, 7, '2024-01-01 10:05:00')}, q{(7, 1, '2024-01-01 10:09:00')})
	{
		take_in("INSERT INTO forms VALUES $row");
	}
	for my $i (0, 1)
	{
		is(sql(qq{SELECT string_agg(to_char(window_end, 'HH24:MI') || '=' || k, ' ' ORDER BY window_end) FROM forms_$i WHERE k = 1}),
			'10:01=1.0 10:02=1.00 10:03=1.00 10:04=1.000 10:05=1.000 10:06=1.000', 'the newest form counts');
	}
	return;
}

# B43: the state has a slice for each row, not a group for each window.
sub test_many
{
	stream('many');
	query('many_q', q{SELECT window_end, count(*) AS n FROM many AS e,
		HOP(e, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '1' DAY) GROUP BY window_start, window_end});
	sql(q{INSERT INTO many (ts) SELECT timestamp '2024-01-01' + i * INTERVAL '1 minute' FROM generate_series(1, 1000) AS i});
	$node->restart;
	advance();
	is(audit('many_q'), '0|1000|0|0|1000|t', 'all rows are open');
	is(sql('SELECT count(*) FROM watermark.checkpoint'), 1000, 'in as many slices');
	is(sql('SELECT count(*), min(n), max(n) FROM many_q'), '59935|1|999', 'while windows come out');
	return;
}
