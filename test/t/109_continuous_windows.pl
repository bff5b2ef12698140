# Windows of HOP and CUMULATE share rows, and on the wall clock of a time zone they are
# not even equally long: continuous queries give what the same queries give by hand over
# the rows that were not late, judged for each window of a row by itself.
#
# One session writes, so that the order of arrival is that of the identifiers, and an
# oracle can tell from the rows alone which windows a row has missed.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use WorkerCrash;

my $seed = $ENV{AW_SEED} || 11;
srand($seed);
note "seed $seed";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off',
  q{apply_watermark.crash_at = ''}, q{timezone = 'UTC'};
$node->start;

$node->safe_psql('postgres', q{
	CREATE EXTENSION apply_watermark;
	CREATE TABLE event (
		id bigserial PRIMARY KEY, tx int, k int, name text, v numeric, at numeric, ts timestamp(3), us timestamp,
		CHECK (watermark_for(ts, ts - INTERVAL '20' SECOND)));
	CREATE VIEW us_event AS SELECT * FROM event WHERE watermark_for(us, us - INTERVAL '20' SECOND)});

# {source} is the stream, {window} its window, {late} what leaves out windows that a row
# has missed, and those that are open: nothing where the query is continuous.
my %query = (
	hop_sum => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '1' MINUTE)},
		text => q{SELECT window_start, window_end, k, count(*) AS n, sum(k) AS total FROM {source} AS e, {window}
			WHERE {late} GROUP BY window_start, window_end, k},
	},
	hop_any => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '40' SECOND)},
		text => q{SELECT window_start, window_time, name, count(v) AS n, avg(v) AS mean, max(name) AS name2, stddev(v) FILTER (WHERE k > 2) AS deviation
			FROM {source} AS e, {window} WHERE {late} AND k <> 5 GROUP BY window_start, window_time, name},
		where => 'k <> 5',
	},
	hop_each_row => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '50' SECOND, INTERVAL '7' SECOND)},
		text => q{SELECT window_end, k, min(v) AS least, count(DISTINCT name) AS names FROM {source} AS e, {window}
			WHERE {late} GROUP BY window_end, k}, on_event => 1,
	},
	hop_sum_each_row => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '7' SECOND, INTERVAL '49' SECOND)},
		text => q{SELECT window_end, count(*) AS n, count(DISTINCT k) AS keys FROM {source} AS e, {window} WHERE {late} GROUP BY window_end},
		on_event => 1,
	},
	hop_gap => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '30' SECOND, INTERVAL '12' SECOND)},
		text => q{SELECT window_start, k, count(*) AS n, max(v) AS most FROM {source} AS e, {window} WHERE {late} GROUP BY window_start, k},
	},
	hop_group => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '15' SECOND, INTERVAL '1' MINUTE)},
		text => q{SELECT window_start AS s, window_end AS e, name, sum(v) AS total FROM {source} AS e, {window}
			WHERE {late} GROUP BY window_start, window_end, name HAVING count(*) > 1},
		continuous => q{SELECT hop_start(ts, INTERVAL '15' SECOND, INTERVAL '1' MINUTE) AS s, hop_end(ts, INTERVAL '15' SECOND, INTERVAL '1' MINUTE) AS e,
			name, sum(v) AS total FROM event GROUP BY hop(ts, INTERVAL '15' SECOND, INTERVAL '1' MINUTE), name HAVING count(*) > 1},
	},
	hop_condition => {
		window => q{HOP(e, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)},
		text => q{SELECT window_end, count(*) AS n FROM (SELECT * FROM {source} AS e, {window} WHERE {late} AND extract(second FROM window_start) <> 10 AND k < 7) AS e
			WHERE window_end < timestamp '2024-03-31 00:58:00' GROUP BY window_end},
		where => 'k < 7',
	},
	hop_us => {
		source => 'us_event', time => 'us', granule => '1 microsecond',
		window => q{HOP(e, DESCRIPTOR(us), INTERVAL '0.5' SECOND, INTERVAL '4.5' SECOND, INTERVAL '0.25' SECOND)},
		text => q{SELECT window_start, window_end, count(*) AS n, avg(v) AS mean FROM {source} AS e, {window} WHERE {late} GROUP BY window_start, window_end},
	},
	cumulate => {
		window => q{CUMULATE(e, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '1' MINUTE)},
		text => q{SELECT window_start, window_end, k, count(*) AS n, max(name) AS name, avg(v) AS mean FROM {source} AS e, {window}
			WHERE {late} GROUP BY window_start, window_end, k},
	},
	cumulate_each_row => {
		window => q{CUMULATE(e, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '2' MINUTE, INTERVAL '-20' SECOND)},
		text => q{SELECT window_end, count(*) AS n, count(DISTINCT name) AS names, min(v) AS least FROM {source} AS e, {window}
			WHERE {late} GROUP BY window_end}, on_event => 1,
	},
	cumulate_top => {
		window => q{CUMULATE(e, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '1' MINUTE)},
		text => q{SELECT window_end, k, n FROM (
				SELECT window_start, window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY count(*) DESC, k) AS place
				FROM {source} AS e, {window} WHERE {late} GROUP BY window_start, window_end, k) AS ranked WHERE place <= 2},
	},
);

# Windows of timestamptz, each over a change of clocks: what is a second above is a
# minute here.  In Lord Howe half an hour is put back; in St. John's, Sao Paulo and
# Beirut midnight is passed twice or not at all, in Apia a day; Kolkata changes nothing.
my @changes = (
	[ 'Europe/Berlin', 'spring', '2024-03-30 20:00+00' ],
	[ 'Europe/Berlin', 'autumn', '2024-10-26 20:00+00' ]);
my @odd_changes = (
	[ 'Australia/Lord_Howe', 'spring', '2024-10-05 11:00+00' ],
	[ 'Australia/Lord_Howe', 'autumn', '2024-04-06 11:00+00' ],
	[ 'America/St_Johns', 'spring', '2006-04-01 23:00+00' ],
	[ 'America/St_Johns', 'autumn', '2006-10-28 22:00+00' ],
	[ 'America/Sao_Paulo', 'spring', '2018-11-03 23:00+00' ],
	[ 'America/Sao_Paulo', 'autumn', '2018-02-17 22:00+00' ],
	[ 'Asia/Beirut', 'autumn', '2022-10-29 17:00+00' ],
	[ 'Pacific/Apia', 'leap', '2011-12-30 06:00+00' ],
	[ 'Asia/Kolkata', 'all_year', '2024-03-30 20:00+00' ]);
push @changes, splice @odd_changes, rand @odd_changes, 1 for 1 .. 3;
for my $change (@changes)
{
	my ($zone, $when, $from) = @$change;
	my $place = lc($zone =~ s/.*\///r) . "_$when";
	my $number = 0;

	$node->safe_psql('postgres', qq{
		CREATE VIEW $place AS
		SELECT *, timestamptz '$from' + at * INTERVAL '1 minute' AS t FROM event
		WHERE watermark_for(timestamptz '$from' + at * INTERVAL '1 minute', timestamptz '$from' + (at - 20) * INTERVAL '1 minute')});
	for my $window (
		q{HOP(e, DESCRIPTOR(t), INTERVAL '30' MINUTE, INTERVAL '2' HOUR)},
		q{HOP(e, DESCRIPTOR(t), INTERVAL '1' HOUR, INTERVAL '90' MINUTE, INTERVAL '20' MINUTE)},
		q{HOP(e, DESCRIPTOR(t), INTERVAL '6' HOUR, INTERVAL '1' DAY)},
		q{HOP(e, DESCRIPTOR(t), INTERVAL '45' MINUTE, INTERVAL '3' HOUR)},
		q{CUMULATE(e, DESCRIPTOR(t), INTERVAL '1' HOUR, INTERVAL '1' DAY)},
		q{CUMULATE(e, DESCRIPTOR(t), INTERVAL '20' MINUTE, INTERVAL '2' HOUR)},
		q{TUMBLE(e, DESCRIPTOR(t), INTERVAL '2' HOUR)})
	{
		my $aggregate = rand() < 0.5 ? 'sum(k)' : 'max(v)';

		$number++;
		next if rand() < 0.3;
		$query{"${place}_$number"} = {
			source => $place, time => 't', zone => $zone, granule => '1 microsecond', delay => '20 minutes', on_event => rand() < 0.3,
			window => $window,
			text => qq{SELECT window_start, window_end, k, count(*) AS n, $aggregate AS v FROM {source} AS e, {window}
				WHERE {late} GROUP BY window_start, window_end, k},
		};
	}
}

my $clock = 0;		# seconds of event time
my $tx = 0;

insert_rows(40);
create($_) for sort keys %query;
$node->safe_psql('postgres', 'SELECT watermark.advance()');
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'running', 'all queries run');
check('history');

insert_rows(1 + int(rand(60))) for 1 .. 12;
check('live');

for my $step (qw(publish confirm))
{
	crash_at($node, $step, \&insert_rows);
	check("crash at $step");
}

# What comes meanwhile is one batch then, in whose midst windows close.
$node->safe_psql('postgres', q{SELECT watermark.pause_query(name) FROM watermark.queries});
insert_rows(1 + int(rand(60))) for 1 .. 12;
$node->restart;
$node->safe_psql('postgres', q{SELECT watermark.resume_query(name) FROM watermark.queries});
check('pause');

$node->safe_psql('postgres', q{SELECT watermark.drain_query(name) FROM watermark.queries});
check('drain', 1);
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'drained', 'all queries are drained');
is($node->safe_psql('postgres', q{SELECT count(*) FROM watermark.checkpoint}), 0, 'no state is left');

# Two rows are in so many windows that their results are published in parts.
$node->safe_psql('postgres', q{
	SELECT watermark.create_query('many', $$
		SELECT window_end, n, place FROM (
			SELECT window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY k) AS place
			FROM event AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '0.01' SECOND, INTERVAL '600' SECOND) GROUP BY window_start, window_end, k) AS numbered$$,
		with_history => false);
	SELECT watermark.advance();
	INSERT INTO event (tx, k, ts) VALUES (0, 1, '2024-03-31 12:00:00'), (0, 2, '2024-03-31 12:00:00.004');
	SELECT watermark.drain_query('many');
	SELECT watermark.advance()});
is($node->safe_psql('postgres', q{SELECT place, count(*), count(DISTINCT window_end), min(n), max(n) FROM many GROUP BY place ORDER BY place}),
	"1|60000|60000|1|1\n2|60000|60000|1|1", 'many windows that close at once are published in parts');
$node->stop;
done_testing();

# Rows in one transaction; about one of five is up to a minute and a half late.
sub insert_rows
{
	my ($n) = @_;
	my @rows;

	$tx++;
	for (1 .. $n)
	{
		$clock += rand(1.5);
		my $at = $clock - (rand() < 0.2 ? rand(90) : rand(15));
		# Windows close, and begin, at the last and the first moment.
		$at = 10 * int($clock / 10) + (9.998, 9.999, 10, 0, 0.001)[ rand 5 ] if rand() < 0.2;
		my $is_odd = rand() < 0.02;
		my $name = rand() < 0.2 ? 'NULL' : sprintf q{'n%d'}, rand(4);

		push @rows, sprintf q{(%d, %d, %s, %.2f, %s)}, $tx, rand(9), $name, rand(100), $is_odd ? 'NULL' : sprintf '%.3f', $at;
	}
	$node->safe_psql('postgres', qq{
		INSERT INTO event (tx, k, name, v, at, ts, us)
		SELECT tx, k, name, v, at, timestamp '2024-03-31 00:50:00' + at * INTERVAL '1 second',
			timestamp '2024-03-31 00:50:00' + at * INTERVAL '1 second' - k * INTERVAL '1 microsecond'
		FROM (VALUES } . join(', ', @rows) . q{) AS e(tx, k, name, v, at)});
	return;
}

# The text of a query, over a stream.
sub text
{
	my ($query, $source, $late) = @_;
	my $text = $late eq 'true' && $query->{continuous} ? $query->{continuous} : $query->{text};

	$text =~ s/\{source\}/$source/;
	$text =~ s/\{window\}/$query->{window}/;
	$text =~ s/\{late\}/$late/;
	$text =~ s/WHERE true AND /WHERE /;
	$text =~ s/WHERE true//;
	return $text;
}

sub create
{
	my ($name) = @_;
	my $query = $query{$name};

	$node->safe_psql('postgres', sprintf q{SET timezone = '%s'; SELECT watermark.create_query('%s', $q$%s$q$, emit_watermark => '%s')},
		$query->{zone} // 'UTC', $name, text($query, $query->{source} // 'event', 'true'), $query->{on_event} ? 'on event' : 'on commit');
	return;
}

# Compares all sinks and counts with the oracle.
sub check
{
	my ($label, $is_drained) = @_;

	$node->safe_psql('postgres', 'SELECT watermark.advance()');
	check_query($label, $_, $is_drained) for sort keys %query;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM watermark.queries WHERE error IS NOT NULL'), 0,
		"$label: no query has an error");
	return;
}

sub check_query
{
	my ($label, $name, $is_drained) = @_;
	my $query = $query{$name};
	my $time = $query->{time} // 'ts';
	my $source = $query->{source} // 'event';
	my $zone = $query->{zone} // 'UTC';
	my $granule = $query->{granule} // '1 millisecond';
	my $delay = $query->{delay} // '20 seconds';
	my $where = $query->{where} // 'true';
	# The first transaction is the history, which arrives at one instant.
	my $order = $query->{on_event} ? '(CASE WHEN tx > 1 THEN id ELSE 0 END) RANGE' : 'tx RANGE';
	my $drained = $is_drained ? 'true' : 'false';
	my $suffix = $query->{zone} ? " $zone" : '';
	my $expected = text($query, 'judged', sprintf q{(before >= window_end - INTERVAL '%1$s') IS NOT TRUE AND (last >= window_end - INTERVAL '%1$s' OR %2$s)},
		$granule, $drained);

	# The watermark before a row, the last one, and the end of the row's last window.
	my $result = $node->safe_psql('postgres', qq{
		SET timezone = '$zone';
		CREATE TEMP TABLE judged AS
		SELECT *, max($time - INTERVAL '$delay') OVER (ORDER BY $order BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before,
			max($time - INTERVAL '$delay') OVER () AS last
		FROM $source;
		CREATE TEMP TABLE expected AS $expected;
		SELECT (SELECT count(*) FROM (TABLE expected EXCEPT ALL TABLE $name) AS missing) AS missing,
			(SELECT count(*) FROM (TABLE $name EXCEPT ALL TABLE expected) AS extra) AS extra;
		WITH ending AS (
			SELECT id, max(window_end) - INTERVAL '$granule' AS ends_at, max(window_end) FILTER (WHERE before >= window_end - INTERVAL '$granule') AS missed
			FROM judged AS e, $query->{window} GROUP BY id),
		fate AS (
			SELECT id, CASE WHEN $time IS NULL THEN 'aside' WHEN before >= ends_at THEN 'late' WHEN last >= ends_at OR $drained THEN 'published'
				ELSE 'open' END AS fate, missed
			FROM judged LEFT JOIN ending USING (id) WHERE ($where) AND ($time IS NULL OR ends_at IS NOT NULL)),
		noted AS (SELECT (source_row->>'id')::bigint AS id, reason, window_end FROM watermark.late_rows WHERE query = '$name'),
		late AS (
			SELECT id, CASE fate WHEN 'aside' THEN 'null' WHEN 'late' THEN 'late' ELSE 'partly late' END, missed::timestamp || '$suffix'
			FROM fate WHERE fate = 'aside' OR missed IS NOT NULL)
		SELECT (SELECT (count(*) FILTER (WHERE fate = 'published'), count(*) FILTER (WHERE fate = 'open'),
				count(*) FILTER (WHERE fate = 'late'), count(*) FILTER (WHERE fate = 'aside'), count(*), true) FROM fate) = watermark.audit('$name'),
			(SELECT count(*) FROM (TABLE late EXCEPT ALL TABLE noted) AS missing), (SELECT count(*) FROM (TABLE noted EXCEPT ALL TABLE late) AS extra)});

	is($result, "0|0\nt|0|0", "$label: $name")
	  or diag $node->safe_psql('postgres', "SELECT * FROM watermark.audit('$name')"), text($query, $source, 'true');
	return;
}
