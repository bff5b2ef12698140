# What users of such systems have reported, as small inputs with the right answers:
# what moves time, and which rows are late.  The numbers are those of the collection of reports.
#
# Tested elsewhere: rows set aside for NULL and infinite times (B36, B38) at random and
# crashes at every step (B18) by 100_continuous.pl; dumps (B58) by 101_continuous_life.pl;
# queries that start under load (B49) by 104_continuous_attach.pl; names of all kinds
# (B54) by 041_capture.pl; commands on databases and workers that are gone (B59, B60) by
# 040_workers.pl.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each(
	[ 'a row far in the future', \&test_future ],
	[ 'silence', \&test_silence ],
	[ 'behind the watermark', \&test_behind ],
	[ 'two watermark definitions', \&test_two_definitions ],
	[ 'a delay of days or months', \&test_long_delay ],
	[ 'batches long after their time', \&test_lag ],
	[ 'late rows', \&test_late ],
	[ 'a row that is committed late', \&test_late_commit ],
	[ 'many who wait and write', \&test_concurrency ],
	[ 'windows of windows', \&test_cascade ]);

# B01: the watermark goes along, but nothing is lost without a trace.
sub test_future
{
	stream('future');
	per_minute('future_q', 'future');
	arrive('future', '10:00:10', '10:01:10');
	is(published('future_q'), '10:00:00=1', 'honest rows are published');
	arrive('future', '2024-01-02 10:00:00');
	is(watermark('future_q'), '2024-01-02 09:59:55', 'the watermark is where the row says');
	arrive('future', '10:01:20', '10:02:10', '10:03:10');
	is(published('future_q'), '10:00:00=1 10:01:00=1', 'what it closed is published');
	is(audit('future_q'), '2|1|3|0|6|t', 'rows after it are late, and counted');
	is(sql(q{SELECT string_agg(source_row->>'ts', ' ' ORDER BY source_row->>'ts'), min(watermark) FROM watermark.late_rows WHERE query = 'future_q'}),
		'2024-01-01T10:01:20 2024-01-01T10:02:10 2024-01-01T10:03:10|2024-01-02 09:59:55', 'and kept, with the watermark that they met');

	# From the late rows the windows can be made good.
	sql(q{CREATE TABLE again (LIKE future INCLUDING ALL)},
		q{INSERT INTO again (k, v, ts) SELECT r.k, r.v, r.ts FROM watermark.late_rows, jsonb_populate_record(NULL::future, source_row) AS r
			WHERE query = 'future_q'});
	per_minute('again_q', 'again');
	sql(q{SELECT watermark.drain_query('again_q')});
	advance();
	is(published('again_q'), '10:01:00=1 10:02:00=1 10:03:00=1', 'they can be replayed');

	# A bound is a condition of the view that has the watermark.
	sql(q{ALTER TABLE future ADD arrived timestamp DEFAULT '2024-01-01 10:00'}, 'TRUNCATE future',
		q{CREATE VIEW bounded AS SELECT * FROM future WHERE ts < arrived + INTERVAL '1' HOUR AND watermark_for(ts, ts - INTERVAL '5' SECOND)});
	per_minute('bounded_q', 'bounded');
	arrive('future', @$_) for ['10:00:10', '10:01:10'], ['2024-01-02 10:00:00'], ['10:01:20', '10:02:10', '10:03:10'];
	is(published('bounded_q'), '10:00:00=1 10:01:00=2 10:02:00=1', 'a row beyond a bound moves nothing');
	is(audit('bounded_q'), '4|1|0|0|5|t', 'and no row after it is late');
	return;
}

# B03: without rows nothing moves, and the views say what is waited for.
sub test_silence
{
	stream('silent');
	per_minute('silent_q', 'silent');
	arrive('silent', '10:00:10');
	arrive('silent', '10:00:50');
	is(published('silent_q'), '', 'nothing is published');
	is(watermark('silent_q'), '2024-01-01 10:00:45', 'the watermark is shown');
	is(audit('silent_q'), '0|2|0|0|2|t', 'and that rows are in an open window');
	arrive('silent', '10:00:55');
	is(audit('silent_q'), '0|3|0|0|3|t', 'which still takes rows');
	sql(q{SELECT watermark.drain_query('silent_q')});
	advance();
	is(published('silent_q'), '10:00:00=3', 'drain_query() publishes it, once');

	query('beaten_q', sprintf($PER_MINUTE, 'silent') =~ s/GROUP/WHERE k IS NULL GROUP/r);
	sql(q{INSERT INTO silent (k, ts) VALUES ('heartbeat', '2024-01-01 10:01:05')});
	advance();
	is(published('beaten_q'), '10:00:00=3', 'a row that the query leaves out moves the watermark too');
	return;
}

# B05: behind is not late; the moment at which a window closes.
sub test_behind
{
	for (
		[ 'micro', 'timestamp', '10:01:04.999998', '10:01:04.999999' ],
		[ 'milli', 'timestamp(3)', '10:01:04.998', '10:01:04.999' ],
		[ 'zoned', 'timestamptz', '10:01:04.999998', '10:01:04.999999' ])
	{
		my ($name, $type, $before, $at) = @$_;

		stream($name, $type);
		per_minute("${name}_q", $name);
		arrive($name, '10:00:50');
		arrive($name, '10:00:40');
		is(audit("${name}_q"), '0|2|0|0|2|t', "$type: a row behind the watermark is in its window");
		arrive($name, $before);
		is(published("${name}_q"), '', "$type: the window is open a moment before its last");
		arrive($name, $at);
		is(published("${name}_q") =~ s/\+00//r, '10:00:00=2', "$type: and closes at its last moment");
	}
	return;
}

# B08: the outermost definition counts, for its reader.
sub test_two_definitions
{
	stream('twice', 'timestamp', q{ts - INTERVAL '10' SECOND});
	sql(q{CREATE VIEW twice_view AS SELECT * FROM twice WHERE watermark_for(ts, ts - INTERVAL '5' SECOND)});
	per_minute('inner_q', 'twice');
	per_minute('outer_q', 'twice_view');
	arrive('twice', '10:00:59');
	arrive('twice', '10:01:06');
	is(watermark('inner_q') . ' ' . published('inner_q'), '2024-01-01 10:00:56 ', 'the watermark of the table, for who reads the table');
	is(watermark('outer_q') . ' ' . published('outer_q'), '2024-01-01 10:01:01 10:00:00=1', 'that of the view, for who reads the view');
	return;
}

# B10: a day is one of the zone of the query, whoever runs it; months may stand still.
sub test_long_delay
{
	stream('daily', 'timestamptz', q{ts - INTERVAL '1 day'});
	for my $zone ('UTC', 'America/New_York')
	{
		my $name = 'daily_' . lc($zone =~ s/\W/_/gr);
		my $text = sprintf $PER_MINUTE, 'daily';

		query($name, $text, '', "SET timezone = '$zone'");
	}
	arrive('daily', '2024-11-03 12:00+00');
	is(watermark('daily_utc'), '2024-11-02 12:00:00 UTC', 'a day before, in UTC');
	is(watermark('daily_america_new_york'), '2024-11-02 07:00:00 America/New_York', 'a day of 25 hours, in New York');

	stream('monthly', 'timestamp', q{ts - INTERVAL '1 month'});
	per_minute('monthly_q', 'monthly');
	for my $day (29, 30, 31)
	{
		arrive('monthly', "2024-03-$day");
		is(watermark('monthly_q'), '2024-02-29 00:00:00', "a month before March $day");
	}
	arrive('monthly', '2024-02-29 00:00:00');
	is(audit('monthly_q'), '0|4|0|0|4|t', 'no row is late');
	return;
}

# B11: the clock on the wall closes nothing.
sub test_lag
{
	stream('lag');
	per_minute('lag_q', 'lag');
	for my $batch (0 .. 4)
	{
		sql("INSERT INTO lag (ts) SELECT timestamp '2024-01-01 10:00' + ($batch * 100 + i) * INTERVAL '0.1 s' FROM generate_series(1, 100) AS i");
		advance();
	}
	arrive('lag', '10:02:00');
	is(published('lag_q'), '10:00:00=500', 'five batches of a minute are one window');
	return;
}

# B12, B13: a late row changes no result, and is all there.
sub test_late
{
	stream('late');
	per_minute('late_q', 'late');
	arrive('late', '10:00:10', '10:00:20');
	arrive('late', '10:01:30');
	arrive('late', '10:00:30');
	arrive('late', '10:06:00');
	arrive('late', '10:00:31');
	is(published('late_q'), '10:00:00=2 10:01:00=1', 'a late row makes no second row');
	is(sql('SELECT n, s FROM late_q ORDER BY window_start LIMIT 1'), '2|2', 'and does not change the first');
	is(audit('late_q'), '3|1|2|0|6|t', 'it is counted');
	is(sql(q{SELECT reason, window_start, window_end, watermark, source_row FROM watermark.late_rows WHERE query = 'late_q' ORDER BY committed_at}),
		qq{late|2024-01-01 10:00:00|2024-01-01 10:01:00|2024-01-01 10:01:25|{"k": null, "v": 1, "id": 4, "ts": "2024-01-01T10:00:30"}\n} .
		qq{late|2024-01-01 10:00:00|2024-01-01 10:01:00|2024-01-01 10:05:55|{"k": null, "v": 1, "id": 6, "ts": "2024-01-01T10:00:31"}},
		'and kept whole, with the window that it missed and the watermark');
	return;
}

# B19: who takes an identifier first and commits last.
sub test_late_commit
{
	stream('order_of');
	per_minute('order_of_q', 'order_of');
	my $first = $node->background_psql('postgres');

	$first->query_safe(q{BEGIN; INSERT INTO order_of (ts) SELECT timestamp '2024-01-01 10:00:10' FROM generate_series(1, 1000)});
	arrive('order_of', '10:00:20', '10:01:30');
	is(published('order_of_q'), '10:00:00=1', 'a transaction that is open holds nobody up');
	$first->query_safe('COMMIT');
	$first->quit;
	advance();
	is(audit('order_of_q'), '1|1|1000|0|1002|t', 'its rows are late, none is lost');
	is(sql(q{SELECT count(DISTINCT source_row->>'id') FROM watermark.late_rows WHERE query = 'order_of_q'}), 1000, 'and all are kept');
	return;
}

# B21: four sessions insert, and four advance.
sub test_concurrency
{
	my $dir = PostgreSQL::Test::Utils::tempdir;
	my ($insert, $wait) = map { "$dir/$_.sql" } qw(insert wait);

	stream('crowd', 'timestamp', q{ts - INTERVAL '0.2' SECOND});
	query('crowd_q', q{SELECT window_start, count(*) AS n FROM crowd, TUMBLE(crowd, DESCRIPTOR(ts), INTERVAL '0.1' SECOND)
		GROUP BY window_start, window_end});
	append_to_file($insert, q{INSERT INTO crowd (ts) SELECT clock_timestamp() - random() * INTERVAL '0.3 s' FROM generate_series(1, 5);});
	append_to_file($wait, 'SELECT watermark.advance();');
	my @runs = map { IPC::Run::start([ 'pgbench', '-n', '-c', 4, '-t', $_->[1], '-f', $_->[0], $node->connstr('postgres') ],
			'>', '/dev/null', '2>', '/dev/null') } [ $insert, 1000 ], [ $wait, 200 ];
	ok($_->finish, 'all sessions come to their end') for @runs;
	sql(q{SELECT watermark.drain_query('crowd_q')});
	advance();
	is(sql('SELECT count(*) - count(DISTINCT window_start) FROM crowd_q'), 0, 'each window is published once');
	cmp_ok(sql('SELECT count(*) FROM crowd_q'), '>', 2, 'many are');
	is(sql(q{SELECT a.open, a.rows_in, a.is_complete, (SELECT sum(n) FROM crowd_q) = a.published FROM watermark.audit('crowd_q') AS a}),
		'0|20000|t|t', 'all rows are accounted for');
	return;
}

# B25: a window over windows is two queries; their results carry window_time.
sub test_cascade
{
	stream('first', 'timestamp', 'ts');
	refuses_query('a window over a window',
		q{SELECT w.window_start, sum(n) FROM (SELECT window_time AS t, count(*) AS n FROM first, TUMBLE(first, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
			GROUP BY window_start, window_end, window_time) AS f, TUMBLE(f, DESCRIPTOR(t), INTERVAL '10' MINUTE) AS w GROUP BY w.window_start, w.window_end},
		qr/ERROR:  .*window.*HINT:/s);
	sql('CREATE TABLE fives (window_start timestamp, window_time timestamp(3), n bigint, CHECK (watermark_for(window_time, window_time)))');
	query('fives_q', q{SELECT window_start, window_time, count(*) AS n FROM first, TUMBLE(first, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
		GROUP BY window_start, window_end, window_time}, q{, sink => 'fives'});
	query('tens', q{SELECT w.window_start, sum(n) AS n FROM fives AS f, TUMBLE(f, DESCRIPTOR(window_time), INTERVAL '10' MINUTE) AS w
		GROUP BY w.window_start, w.window_end});
	arrive('first', "2024-01-01 10:$_") for qw(01 06 11 21 31);
	advance();
	is(published('fives'), '10:00:00=1 10:05:00=1 10:10:00=1 10:20:00=1', 'windows of the first');
	is(published('tens'), '10:00:00=2 10:10:00=1', 'windows of the second');
	is(audit('tens'), '3|1|0|0|4|t', 'no result of the first is late for the second');
	return;
}
