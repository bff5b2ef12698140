# Continuous queries give what the same queries give by hand over the rows that were
# not late, each window once, wherever the worker is when it is killed.
#
# One session writes, so that the order of arrival is that of the identifiers, and an
# oracle can tell from the rows alone which are late: SQL over the table of events.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{AW_SEED} || 7;
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
		id bigserial PRIMARY KEY, tx int, k int, name text, v numeric, ts timestamp(3), zoned timestamptz,
		CHECK (watermark_for(ts, ts - INTERVAL '20' SECOND)));
	CREATE VIEW zoned_event AS SELECT * FROM event WHERE watermark_for(zoned, zoned - INTERVAL '20' SECOND);
	CREATE TABLE item (k int PRIMARY KEY, category text);
	INSERT INTO item SELECT i, 'c' || i % 3 FROM generate_series(0, 7) AS i;
});

# What is below the window, and what above it: a query is
# SELECT $above FROM (SELECT window_start, window_end, $keys FROM $below GROUP BY ...) AS w
my %query = (
	per_key => {
		text => q{
			SELECT window_start, window_end, k, count(*) AS n, sum(v) AS total, avg(v) AS mean, max(name) AS name
			FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
			GROUP BY window_start, window_end, k},
		size => '1 minute',
	},
	grouped => {
		text => q{
			SELECT tumble_start(ts, INTERVAL '30' SECOND) AS s, name, count(v) AS n, min(v) FILTER (WHERE k > 2) AS least
			FROM %s WHERE k <> 5 GROUP BY tumble(ts, INTERVAL '30' SECOND), name},
		size => '30 seconds', where => 'k <> 5',
	},
	each_row => {
		text => q{
			SELECT window_end, count(*) AS n, stddev(v) AS deviation
			FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '10' SECOND)
			GROUP BY window_start, window_end},
		size => '1 minute', offset => '10 seconds', options => q{, emit_watermark => 'on event'}, on_event => 1,
	},
	joined => {
		text => q{
			SELECT window_end, category, total, place FROM (
				SELECT window_end, category, sum(v) AS total,
					row_number() OVER (PARTITION BY window_end ORDER BY sum(v) DESC, category) AS place
				FROM %s AS e JOIN item USING (k), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
				GROUP BY window_start, window_end, category HAVING count(*) > 1) AS ranked
			WHERE place <= 2},
		size => '1 minute',
	},
	zoned => {
		source => 'zoned_event', time => 'zoned',
		text => q{
			SELECT window_start, k, count(*) AS n FROM %s AS e, TUMBLE(e, DESCRIPTOR(zoned), INTERVAL '1' MINUTE)
			GROUP BY window_start, window_end, k},
		size => '1 minute', granule => '1 microsecond',
	},
);

my $clock = 0;		# seconds of event time
my $tx = 0;

insert_rows(40);
create($_) for sort keys %query;
$node->safe_psql('postgres', 'SELECT watermark.advance()');
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'running', 'all queries run');
check('history');

insert_rows(1 + int(rand(60))) for 1 .. 15;
check('live');

for my $step (qw(decode publish commit confirm))
{
	crash_at($step);
	check("crash at $step");
}

for my $mode (qw(immediate fast))
{
	insert_rows(1 + int(rand(60))) for 1 .. 4;
	$node->stop($mode);
	$node->start;
	insert_rows(1 + int(rand(60))) for 1 .. 4;
	check("$mode shutdown");
}

$node->safe_psql('postgres', qq{SELECT watermark.pause_query('$_')}) for sort keys %query;
insert_rows(30) for 1 .. 3;
$node->safe_psql('postgres', 'SELECT watermark.advance()');
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'paused', 'all queries are paused');
$node->restart;
$node->safe_psql('postgres', qq{SELECT watermark.resume_query('$_')}) for sort keys %query;
insert_rows(30);
check('pause');

$node->safe_psql('postgres', qq{SELECT watermark.drain_query('$_')}) for sort keys %query;
check('drain', 1);
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'drained', 'all queries are drained');
is($node->safe_psql('postgres', q{SELECT count(*) FROM watermark.checkpoint}), 0, 'no state is left');
$node->safe_psql('postgres', qq{SELECT watermark.drop_query('$_')}) for sort keys %query;
ok($node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_replication_slots}),
	'without queries there is no slot');
$node->stop;
done_testing();

# Rows in one transaction; about one of ten is up to a minute and a half late.
sub insert_rows
{
	my ($n) = @_;
	my @rows;

	$tx++;
	for (1 .. $n)
	{
		$clock += rand(3);
		my $at = $clock - (rand() < 0.1 ? rand(90) : rand(15));
		# Windows close, and begin, at the last and the first moment.
		$at = 30 * int($clock / 30) + (19.998, 19.999, 20, 29.999, 0)[ rand 5 ] if rand() < 0.2;
		my $ts = sprintf q{timestamp '2024-03-31 00:50:00' + %.3f * INTERVAL '1 second'}, $at;
		my $odd = int(rand(120));
		my $rowtime = $odd == 0 ? 'NULL' : $odd == 1 ? q{'-infinity'} : $odd == 2 ? q{'infinity'} : $ts;
		my $name = rand() < 0.2 ? 'NULL' : sprintf q{'n%d'}, rand(4);

		push @rows, sprintf '(%d, %d, %s, %.2f, %s, (%s) AT TIME ZONE \'UTC\')', $tx, rand(9), $name, rand(100),
		  $rowtime, $rowtime eq $ts ? $ts : 'NULL';
	}
	$node->safe_psql('postgres', 'INSERT INTO event (tx, k, name, v, ts, zoned) VALUES ' . join ', ', @rows);
	return;
}

sub create
{
	my ($name) = @_;
	my $query = $query{$name};
	my $text = sprintf $query->{text}, $query->{source} // 'event';

	$node->safe_psql('postgres', sprintf q{SET timezone = 'Europe/Berlin'; SELECT watermark.create_query('%s', $q$%s$q$%s)},
		$name, $text, $query->{options} // '');
	return;
}

# The worker ends without warning while rows come; then all go on.
sub crash_at
{
	my ($step) = @_;
	my $log_size = -s $node->logfile;

	$node->adjust_conf('postgresql.conf', 'apply_watermark.crash_at', "'$step'");
	$node->reload;
	# The worker may have gone before the last of these is in.
	for (1 .. 3)
	{
		eval { insert_rows(50) };
	}
	$node->wait_for_log(qr/database system is shut down/, $log_size);
	$node->adjust_conf('postgresql.conf', 'apply_watermark.crash_at', "''");
	$node->stop('immediate', fail_ok => 1);
	$node->start;
	insert_rows(20);
	return;
}

# Compares all sinks, late rows and counts with the oracle.
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
	my $granule = $query->{granule} // '1 millisecond';
	my $before = $query->{on_event} ? 'ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING'
	  : 'RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
	my $order = $query->{on_event} ? 'id' : 'tx';
	my $where = $query->{where} // 'true';
	my $join = $name eq 'joined' ? 'k IN (SELECT k FROM item)' : 'true';
	my $offset = $query->{offset} // '0';

	# The window of a row, the watermark before it, and the last watermark.
	my $result = $node->safe_psql('postgres', sprintf q{
		CREATE TEMP VIEW judged AS
		WITH timed AS (
			SELECT *, CASE WHEN isfinite(%1$s) THEN %1$s END AS finite FROM %2$s),
		marked AS (
			SELECT *, max(finite - INTERVAL '20' SECOND) OVER (ORDER BY %3$s %4$s) AS before,
				max(finite - INTERVAL '20' SECOND) OVER () AS last,
				date_bin('%5$s', finite, %13$s '2024-01-01 00:00' + INTERVAL '%6$s') + INTERVAL '%5$s' - INTERVAL '%7$s' AS closes_at
			FROM timed)
		SELECT *, finite IS NULL AS is_aside, coalesce(before >= closes_at, false) AS is_late, last >= closes_at OR %8$s AS is_closed
		FROM marked WHERE (%9$s) AND (%10$s);
		CREATE TEMP VIEW in_time AS SELECT * FROM judged WHERE NOT is_aside AND NOT is_late AND is_closed;
		SET timezone = 'Europe/Berlin';
		CREATE TEMP TABLE expected AS %11$s;
		SELECT
			(SELECT count(*) FROM (TABLE expected EXCEPT ALL TABLE %12$s) AS missing) AS missing,
			(SELECT count(*) FROM (TABLE %12$s EXCEPT ALL TABLE expected) AS extra) AS extra;
		SELECT (SELECT (count(*) FILTER (WHERE NOT is_aside AND NOT is_late AND is_closed), count(*) FILTER (WHERE NOT is_aside AND NOT is_late AND NOT is_closed),
				count(*) FILTER (WHERE is_late), count(*) FILTER (WHERE is_aside), count(*), true) FROM judged) = watermark.audit('%12$s');
		SELECT (SELECT count(*) FROM judged WHERE is_late OR is_aside) || ' late rows: ' ||
			(SELECT count(*) FROM (
				(SELECT id, CASE WHEN is_late THEN 'late' WHEN %1$s IS NULL THEN 'null' ELSE 'not finite' END FROM judged WHERE is_late OR is_aside)
				EXCEPT ALL
				(SELECT (source_row->>'id')::bigint, reason FROM watermark.late_rows WHERE query = '%12$s')) AS d) || ' missing, ' ||
			(SELECT count(*) - (SELECT count(*) FROM judged WHERE is_late OR is_aside) FROM watermark.late_rows WHERE query = '%12$s') || ' more'},
		$time, $source, $order, $before, $query->{size}, $offset, $granule, $is_drained ? 'true' : 'false', $where, $join,
		sprintf($query->{text}, 'in_time'), $name, $time eq 'ts' ? 'timestamp' : 'timestamptz');

	like($result, qr/\A0\|0\nt\n\d+ late rows: 0 missing, 0 more\z/, "$label: $name")
	  or diag $node->safe_psql('postgres', "SELECT * FROM watermark.audit('$name')");
	return;
}
