# What users of such systems have reported: for each a small input, and the right
# answer.  The numbers are those of the collection of reports.
#
# Tested elsewhere: rows set aside for NULL and infinite times (B36, B38) at random and
# crashes at every step (B18) by 100_continuous.pl; queries that start under load (B49)
# and dumps (B58) by 101_continuous_life.pl; names of all kinds (B54) by 041_capture.pl;
# commands on databases and workers that are gone (B59, B60) by 040_workers.pl.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $PER_MINUTE = q{
	SELECT window_start, count(*) AS n, sum(v) AS s
	FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end};

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off',
  'apply_watermark.coalesce_delay = 0', q{timezone = 'UTC'};
$node->start;
sql('CREATE EXTENSION apply_watermark');

for my $test (
	[ 'a row far in the future', \&test_future ],
	[ 'silence', \&test_silence ],
	[ 'behind the watermark', \&test_behind ],
	[ 'two watermark definitions', \&test_two_definitions ],
	[ 'a delay of days or months', \&test_long_delay ],
	[ 'batches long after their time', \&test_lag ],
	[ 'late rows', \&test_late ],
	[ 'a row that is committed late', \&test_late_commit ],
	[ 'many who wait and write', \&test_concurrency ],
	[ 'windows of windows', \&test_cascade ],
	[ 'time zones', \&test_zones ],
	[ 'the size of the window', \&test_size ],
	[ 'the offset of the window', \&test_offset ],
	[ 'rowtimes at the edge', \&test_edges ],
	[ 'ties in a Top-N', \&test_ties ],
	[ 'queries that cannot be', \&test_refusals ],
	[ 'a large window that is open', \&test_large_window ],
	[ 'changes of the table', \&test_table ],
	[ 'an owner who goes', \&test_owner ],
	[ 'a dump in parts', \&test_dump ],
	[ 'memory', \&test_memory ])
{
	subtest(@$test);
	sql('SELECT watermark.drop_query(name) FROM watermark.queries');
}
$node->stop;
done_testing();

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

sub advance
{
	sql('SELECT watermark.advance()');
	return;
}

# A table whose watermark is five seconds behind, unless a strategy is given.
sub stream
{
	my ($name, $type, $strategy) = @_;

	sql(sprintf q{CREATE TABLE %s (id bigint GENERATED ALWAYS AS IDENTITY, k text, v int DEFAULT 1, ts %s,
		CHECK (watermark_for(ts, %s)))}, $name, $type // 'timestamp', $strategy // q{ts - INTERVAL '5' SECOND});
	return;
}

# The query of that name over a source, its sink is the table of its name.
sub query
{
	my ($name, $text, $options, @settings) = @_;

	sql(@settings, sprintf(q{SELECT watermark.create_query('%s', $q$%s$q$%s)}, $name, $text, $options // ''));
	advance();
	return;
}

sub per_minute
{
	my ($name, $source) = @_;

	query($name, sprintf $PER_MINUTE, $source);
	return;
}

# Rows of these times in one transaction, which are then taken in.
sub arrive
{
	my ($table, @times) = @_;

	sql("INSERT INTO $table (ts) VALUES " . join ', ', map { $_ eq 'NULL' ? '(NULL)' : "('" . full($_) . "')" } @times);
	advance();
	return;
}

sub full
{
	my ($time) = @_;

	return $time =~ /^\d\d:/ ? "2024-01-01 $time" : $time;
}

# The results so far, in a line: window_start=n, with the date that all share left out.
sub published
{
	my ($name) = @_;

	return sql("SELECT string_agg(replace(window_start::text, '2024-01-01 ', '') || '=' || n, ' ' ORDER BY window_start) FROM $name");
}

# published | open | late | set aside | rows in | is complete
sub audit
{
	my ($name) = @_;

	return sql("SELECT * FROM watermark.audit('$name')");
}

sub watermark
{
	my ($name) = @_;

	return sql("SELECT watermark FROM watermark.streams WHERE query = '$name'");
}

sub refuses
{
	my ($label, $sql, $message) = @_;
	my ($status, undef, $error) = $node->psql('postgres', $sql);

	isnt($status, 0, "$label is refused");
	like($error, $message, "$label: the message says why");
	return;
}

sub refuses_query
{
	my ($label, $text, $message) = @_;

	refuses($label, qq{SELECT watermark.create_query('refused', \$q\$$text\$q\$)}, $message);
	return;
}

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

# B54: the table can be changed, but not below the query; an INSERT never fails.
sub test_table
{
	sql(q{CREATE SCHEMA "Ünï s"}, q{CREATE TABLE "Ünï s"."Order" ("ID" int, "select" text, other int, "order time" timestamp,
		CHECK (watermark_for("order time", "order time")))});
	query('Odd q', q{SELECT window_start, "select", count("ID") AS "N n" FROM "Ünï s"."Order" AS "o O",
		TUMBLE("o O", DESCRIPTOR("order time"), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, "select"}, q{, sink => '"Odd sink"'});
	my $insert = q{INSERT INTO %s VALUES (1, 'x', %s'2024-01-01 10:0%d')};
	sql(sprintf $insert, '"Ünï s"."Order"', '1, ', 0);
	refuses('DROP of a column that is read', q{ALTER TABLE "Ünï s"."Order" DROP "ID"}, qr/depends on column ID of/);
	refuses('another type for it', q{ALTER TABLE "Ünï s"."Order" ALTER "ID" TYPE bigint}, qr/cannot alter type of a column used by a view/);
	refuses('DROP of the rowtime', q{ALTER TABLE "Ünï s"."Order" DROP "order time"}, qr/depends on column order time of/);
	sql(q{ALTER SCHEMA "Ünï s" RENAME TO moved}, q{ALTER TABLE moved."Order" RENAME "ID" TO id}, q{ALTER TABLE moved."Order" RENAME TO "group"},
		q{ALTER TABLE moved."group" DROP other}, q{ALTER TABLE "Odd sink" RENAME TO sunk});
	sql(sprintf $insert, 'moved."group"', '', 1);
	advance();
	is(sql('TABLE sunk'), '2024-01-01 10:00:00|x|1', 'renames are followed, odd names and all');

	# A sink that refuses results, a source that loses its watermark: the rows come in.
	sql('ALTER TABLE sunk ADD CHECK (false) NOT VALID', sprintf($insert, 'moved."group"', '', 2));
	advance();
	is(sql('SELECT count(*) FROM moved."group"'), 3, 'an INSERT does not fail when the query does');
	like(sql('SELECT error FROM watermark.queries'), qr/violates check constraint/, 'the error is with the query');
	sql(q{SELECT drop_watermark('moved."group"')}, sprintf($insert, 'moved."group"', '', 3));
	is(sql('SELECT count(*) FROM moved."group"'), 4, 'nor when the definition is gone');
	return;
}

# B60: a role that owns a query cannot go before it; if all that it owns goes, the
# worker stays, and the query can be dropped.
sub test_owner
{
	sql('CREATE ROLE leaver', 'CREATE SCHEMA leaver AUTHORIZATION leaver', 'GRANT EXECUTE ON FUNCTION watermark.create_query TO leaver');
	sql('SET ROLE leaver', 'SET search_path = leaver, public', 'CREATE TABLE e (v int, ts timestamp, CHECK (watermark_for(ts, ts)))',
		sprintf(q{SELECT watermark.create_query('theirs', $q$%s$q$)}, sprintf $PER_MINUTE, 'e'));
	stream('stays');
	per_minute('stays_q', 'stays');
	refuses('DROP ROLE of the owner', 'DROP ROLE leaver', qr/cannot be dropped because some objects depend on it/);
	sql('SET client_min_messages = error', 'DROP OWNED BY leaver CASCADE', 'DROP ROLE leaver');
	arrive('stays', '10:00:10', '10:01:10');
	is(published('stays_q'), '10:00:00=1', 'other queries go on');
	sql(q{SELECT watermark.drop_query('theirs')});
	is(sql('SELECT name FROM watermark.queries'), 'stays_q', 'the query without an owner can be dropped');
	sql('DROP VIEW watermark.stays_q');
	arrive('stays', '10:02:10');
	is(sql('SELECT error FROM watermark.queries'), 'the view of a continuous query does not exist any more', 'one without its view says so');
	return;
}

# B58: queries, counts and late rows come with a dump, also in its parallel form; a
# dump of the schema alone has none.
sub test_dump
{
	my $dir = PostgreSQL::Test::Utils::tempdir;

	stream('dumped');
	per_minute('dumped_q', 'dumped');
	arrive('dumped', '10:00:10', '10:00:20', '10:01:30');
	arrive('dumped', '10:00:30');
	command_ok([ 'pg_dump', '--no-sync', '-Fd', '-j2', '-d', $node->connstr('postgres'), '-f', "$dir/whole" ], 'pg_dump of all');
	command_ok([ 'pg_dump', '--no-sync', '-Fc', '-s', '-d', $node->connstr('postgres'), '-f', "$dir/schema" ], 'and of the schema');
	$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(whole schema);
	command_ok([ 'pg_restore', '-e', @{ $_->[1] }, '-d', $node->connstr($_->[0]), "$dir/$_->[0]" ], "pg_restore of $_->[0]")
	  for [ 'whole', ['-j2'] ], [ 'schema', [] ];

	is($node->safe_psql('whole', q{SELECT watermark.advance(); SELECT name, state FROM watermark.queries; SELECT * FROM watermark.audit('dumped_q');
			SELECT source_row->>'ts' FROM watermark.late_rows; SELECT window_start, n FROM dumped_q}),
		"\ndumped_q|failed\n2|1|1|0|4|t\n2024-01-01T10:00:30\n2024-01-01 10:00:00|2", 'counts, late rows and results are there');
	is($node->safe_psql('schema', 'SELECT count(*) FROM watermark.queries'), 0, 'the schema has no queries');
	for my $database (qw(whole schema))
	{
		$node->safe_psql($database, sprintf q{
			SELECT watermark.drop_query(name) FROM watermark.queries;
			DROP TABLE dumped_q; SELECT watermark.create_query('dumped_q', $q$%s$q$)}, sprintf $PER_MINUTE, 'dumped');
		$node->safe_psql($database, q{INSERT INTO dumped (ts) VALUES ('2024-01-01 10:03'), ('2024-01-01 10:04:10')});
		$node->safe_psql($database, 'SELECT watermark.advance()');
		is($node->safe_psql($database, 'SELECT sum(n) + (SELECT open FROM watermark.audit($$dumped_q$$)) = (SELECT count(*) FROM dumped) FROM dumped_q'), 't',
			"$database: the query can be created again, over what is there");
		$node->safe_psql('postgres', "DROP DATABASE $database");
	}
	return;
}

# B57: what a tick takes it gives back.
sub test_memory
{
	my $script = PostgreSQL::Test::Utils::tempdir . '/tick.sql';

	stream('ticks', 'timestamp', 'ts');
	per_minute('ticks_q', 'ticks');
	sql('CREATE SEQUENCE tick');
	append_to_file($script, q{
		INSERT INTO ticks (ts) SELECT timestamp '2024-01-01' + nextval('tick') * INTERVAL '20' SECOND;
		INSERT INTO ticks (ts) VALUES (NULL);
		SELECT watermark.advance();});
	my $run = sub { $node->run_log([ 'pgbench', '-n', '-t', 1000, '-f', $script, $node->connstr('postgres') ]) };

	$run->();
	my $before = worker_bytes();
	$run->();
	my $after = worker_bytes();
	note "$before bytes, and then $after";
	is(sql('SELECT last_value FROM tick'), 2000, 'all ticks happened');
	cmp_ok($after - $before, '<', 50_000, 'a thousand ticks leave nothing behind');
	return;
}

# What the memory contexts of the worker hold together.
sub worker_bytes
{
	my $offset = -s $node->logfile;

	sql(q{SELECT pg_log_backend_memory_contexts(pid) FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'});
	$node->wait_for_log(qr/Grand total: \d+ bytes/, $offset);
	return (slurp_file($node->logfile, $offset) =~ /Grand total: \d+ bytes in \d+ blocks; \d+ free \(\d+ chunks\); (\d+) used/)[0];
}
