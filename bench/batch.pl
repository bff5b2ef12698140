#!/usr/bin/perl
#
# Compares statements over windows with what one writes by hand, side by side.
#
#	bench/batch.pl [--rows N] [--runs N] [--only NAME]
#
# Runs in the server that the PG* variables name, on the same machine, as a
# superuser: it reads the CPU time of the backend from /proc.  It creates the
# schema "bench" with N rows (default 5,000,000) and drops it at the end.
#
# The statements of a comparison take turns; the least CPU time (user and
# system) of all runs counts, since these machines are noisy.  Parallel query is
# off, so that all the work is in one backend.

use strict;
use warnings;
use Getopt::Long;
use IPC::Open2;

$| = 1;
my ($rows, $runs, $only) = (5_000_000, 7, '');
GetOptions('rows=i' => \$rows, 'runs=i' => \$runs, 'only=s' => \$only)
  or die "usage: batch.pl [--rows N] [--runs N] [--only NAME]\n";

my $two_keys = 'count(*), sum(price) FROM';
my $part = "window_start >= '2024-01-01 05:00' AND window_start < '2024-01-01 05:10'";
my $file = "current_setting('data_directory') || '/aw_bench.csv'";

# name, limit of the ratio (0: none), by hand, ours, what runs before each
my @comparisons = (
	[
		'TUMBLE, 2 keys', 1.1,
		"SELECT date_bin('1 min', ts, '1970-01-01'), date_bin('1 min', ts, '1970-01-01') + INTERVAL '1 min', $two_keys bid WHERE ts IS NOT NULL GROUP BY 1, 2",
		"SELECT window_start, window_end, $two_keys bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1 min') GROUP BY window_start, window_end",
	],
	[
		'TUMBLE, 2 keys and channel', 1.1,
		"SELECT date_bin('1 min', ts, '1970-01-01'), date_bin('1 min', ts, '1970-01-01') + INTERVAL '1 min', channel, $two_keys bid WHERE ts IS NOT NULL GROUP BY 1, 2, 3",
		"SELECT window_start, window_end, channel, $two_keys bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1 min') GROUP BY window_start, window_end, channel",
	],
	[
		'TUMBLE of timestamptz', 0,
		"SELECT date_bin('1 min', tz, '1970-01-01'), date_bin('1 min', tz, '1970-01-01') + INTERVAL '1 min', $two_keys bid WHERE tz IS NOT NULL GROUP BY 1, 2",
		"SELECT window_start, window_end, $two_keys bid, TUMBLE(bid, DESCRIPTOR(tz), INTERVAL '1 min') GROUP BY window_start, window_end",
	],
	[
		'GROUP BY TUMBLE', 0,
		"SELECT date_bin('1 min', ts, '1970-01-01'), date_bin('1 min', ts, '1970-01-01') + INTERVAL '1 min', $two_keys bid WHERE ts IS NOT NULL GROUP BY 1, 2",
		"SELECT TUMBLE_START(ts, INTERVAL '1 min'), TUMBLE_END(ts, INTERVAL '1 min'), $two_keys bid GROUP BY TUMBLE(ts, INTERVAL '1 min')",
	],
	[
		'HOP of 4 windows a row', 0,
		"SELECT s, s + INTERVAL '1 min', $two_keys bid, generate_series(date_bin('15 s', ts, '1970-01-01') - INTERVAL '45 s', date_bin('15 s', ts, '1970-01-01'), '15 s') AS s GROUP BY 1, 2",
		"SELECT window_start, window_end, $two_keys bid, HOP(bid, DESCRIPTOR(ts), INTERVAL '15 s', INTERVAL '1 min') GROUP BY window_start, window_end",
	],
	[
		'1 hour of TUMBLE, with an index', 0,
		"SELECT date_bin('1 min', ts, '1970-01-01'), date_bin('1 min', ts, '1970-01-01') + INTERVAL '1 min', $two_keys indexed WHERE ts >= '2024-01-01 05:00' AND ts < '2024-01-01 06:00' GROUP BY 1, 2",
		"SELECT window_start, window_end, $two_keys indexed, TUMBLE(indexed, DESCRIPTOR(ts), INTERVAL '1 min') WHERE window_start >= '2024-01-01 05:00' AND window_start < '2024-01-01 06:00' GROUP BY window_start, window_end",
	],
	[
		'10 minutes, against no range', 0,
		"SELECT window_start, window_end, $two_keys indexed, TUMBLE(indexed, DESCRIPTOR(ts), INTERVAL '1 min') WHERE ($part) IS TRUE GROUP BY window_start, window_end",
		"SELECT window_start, window_end, $two_keys indexed, TUMBLE(indexed, DESCRIPTOR(ts), INTERVAL '1 min') WHERE $part GROUP BY window_start, window_end",
	],
	[
		'timestamptz, against no range', 0,
		"SELECT window_start, window_end, $two_keys indexed, TUMBLE(indexed, DESCRIPTOR(tz), INTERVAL '1 min') WHERE ($part) IS TRUE GROUP BY window_start, window_end",
		"SELECT window_start, window_end, $two_keys indexed, TUMBLE(indexed, DESCRIPTOR(tz), INTERVAL '1 min') WHERE $part GROUP BY window_start, window_end",
	],
	[
		'timestamptz, range without an index', 0,
		"SELECT window_start, window_end, $two_keys bid, TUMBLE(bid, DESCRIPTOR(tz), INTERVAL '1 min') WHERE (window_start < '2024-01-01 11:00') IS TRUE GROUP BY window_start, window_end",
		"SELECT window_start, window_end, $two_keys bid, TUMBLE(bid, DESCRIPTOR(tz), INTERVAL '1 min') WHERE window_start < '2024-01-01 11:00' GROUP BY window_start, window_end",
	],
	[
		'HOP and partitions, against no range', 0,
		"SELECT window_start, window_end, $two_keys parted, HOP(parted, DESCRIPTOR(ts), INTERVAL '15 s', INTERVAL '1 min') WHERE ($part) IS TRUE GROUP BY window_start, window_end",
		"SELECT window_start, window_end, $two_keys parted, HOP(parted, DESCRIPTOR(ts), INTERVAL '15 s', INTERVAL '1 min') WHERE $part GROUP BY window_start, window_end",
	],
	[
		'SESSION of each row', 1.0,
		"SELECT id, min(ts) OVER w, max(ts) OVER w + INTERVAL '30 s' FROM (SELECT *, sum(is_new) OVER (PARTITION BY channel ORDER BY ts) AS n FROM (SELECT *, coalesce(ts - lag(ts) OVER (PARTITION BY channel ORDER BY ts) > INTERVAL '30 s', true)::int AS is_new FROM bid WHERE ts IS NOT NULL) AS a) AS b WINDOW w AS (PARTITION BY channel, n)",
		"SELECT id, window_start, window_end FROM bid, SESSION(bid, DESCRIPTOR(ts), INTERVAL '30 s', channel)",
	],
	[
		'GROUP BY SESSION', 0,
		"SELECT channel, n, min(ts), max(ts) + INTERVAL '30 s', $two_keys (SELECT *, sum(is_new) OVER (PARTITION BY channel ORDER BY ts) AS n FROM (SELECT *, coalesce(ts - lag(ts) OVER (PARTITION BY channel ORDER BY ts) > INTERVAL '30 s', true)::int AS is_new FROM bid WHERE ts IS NOT NULL) AS a) AS b GROUP BY channel, n",
		"SELECT channel, SESSION_START(ts, INTERVAL '30 s'), SESSION_END(ts, INTERVAL '30 s'), $two_keys bid GROUP BY channel, SESSION(ts, INTERVAL '30 s')",
	],
	[
		'APPLY_WATERMARK, not read', 0,
		"SELECT count(price) FROM bid",
		"SELECT count(price) FROM bid, APPLY_WATERMARK(bid, DESCRIPTOR(ts), ts - INTERVAL '4 s')",
	],
	[
		'APPLY_WATERMARK, read', 0,
		"SELECT count(price) FROM bid",
		"SELECT count(price) FILTER (WHERE is_behind) FROM bid, APPLY_WATERMARK(bid, DESCRIPTOR(ts), ts - INTERVAL '4 s')",
	],
	[
		'APPLY_WATERMARK against max() OVER', 0,
		"SELECT count(price) FILTER (WHERE ts <= w) FROM (SELECT ts, price, max(ts - INTERVAL '4 s') OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS w FROM bid) AS b",
		"SELECT count(price) FILTER (WHERE is_behind) FROM bid, APPLY_WATERMARK(bid, DESCRIPTOR(ts), ts - INTERVAL '4 s')",
	],
	[
		'read_csv against COPY', 1.3,
		"DO \$\$BEGIN EXECUTE format('COPY loaded FROM %L CSV', $file); END\$\$",
		"SELECT count(*) FROM read_csv(NULL::loaded, $file)",
		'TRUNCATE loaded',
	],
	[
		'INSERT from read_csv against COPY', 0,
		"DO \$\$BEGIN EXECUTE format('COPY loaded FROM %L CSV', $file); END\$\$",
		"INSERT INTO loaded SELECT * FROM read_csv(NULL::loaded, $file)",
		'TRUNCATE loaded',
	],
	[
		'INSERT SELECT, with a watermark', 0,
		"INSERT INTO loaded SELECT id, channel, price, ts, 'pv' FROM bid",
		"INSERT INTO marked SELECT id, channel, price, ts, 'pv' FROM bid",
		'TRUNCATE loaded, marked',
	],
	[
		'COPY, with a watermark', 0,
		"DO \$\$BEGIN EXECUTE format('COPY loaded FROM %L CSV', $file); END\$\$",
		"DO \$\$BEGIN EXECUTE format('COPY marked FROM %L CSV', $file); END\$\$",
		'TRUNCATE loaded, marked',
	],
	[
		'INSERT of one row, 200,000 times', 0,
		insert_rows('loaded'), insert_rows('marked'),
		'TRUNCATE loaded, marked',
	],
	[
		'the same, with an ordinary CHECK', 0,
		insert_rows('checked'), insert_rows('marked'),
		'TRUNCATE checked, marked',
	],
);

my ($answers, $commands);
my $pid = open2($answers, $commands, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1');
my $backend = ask('SELECT pg_backend_pid()');
my $ticks = `getconf CLK_TCK`;

prepare();
printf "%d rows, least CPU seconds of %d runs\n\n", $rows, $runs;
printf "%-36s %8s %8s %7s %7s\n", 'comparison', 'by hand', 'ours', 'ratio', 'limit';
my $misses = 0;
compare(@$_) for grep { $_->[0] =~ /\Q$only\E/ } @comparisons;
ask('DROP SCHEMA bench CASCADE');
print "\n", $misses ? "$misses above their limit\n" : "all within their limits\n";
exit($misses ? 1 : 0);

sub prepare
{
	ask($_)
	  for
	  'SET client_min_messages = warning',
	  'CREATE EXTENSION IF NOT EXISTS apply_watermark',
	  'DROP SCHEMA IF EXISTS bench CASCADE',
	  'CREATE SCHEMA bench',
	  'SET search_path = bench, public',
	  "SET timezone = 'UTC'",
	  'SET max_parallel_workers_per_gather = 0',
	  'SET jit = off',
	  'SELECT setseed(0.5)',
	  'CREATE UNLOGGED TABLE bid (id bigint, channel int, price bigint, ts timestamp(3), tz timestamptz(3))',
	  "INSERT INTO bid SELECT i, (1000 * random() ^ 3)::int, (1000 * random())::bigint, t, t AT TIME ZONE 'UTC'
	   FROM generate_series(1, $rows) AS i,
		LATERAL (SELECT timestamp '2024-01-01' + i * interval '8.6 ms' - random() * interval '4 s') AS s(t)",
	  'CREATE UNLOGGED TABLE loaded (id bigint, channel int, price bigint, ts timestamp(3), behavior text)',
	  "CREATE UNLOGGED TABLE marked (LIKE loaded, CHECK (watermark_for(ts, ts - INTERVAL '5' SECOND)))",
	  "CREATE UNLOGGED TABLE checked (LIKE loaded, CHECK (ts - INTERVAL '5' SECOND < ts))",
	  "DO \$\$BEGIN EXECUTE format('COPY (SELECT id, channel, price, ts, ''pv'' FROM bid) TO %L CSV', $file); END\$\$",
	  'CREATE UNLOGGED TABLE indexed (LIKE bid)',
	  'INSERT INTO indexed SELECT * FROM bid',
	  'CREATE INDEX ON indexed (ts)',
	  'CREATE INDEX ON indexed (tz)',
	  'CREATE TABLE parted (LIKE bid) PARTITION BY RANGE (ts)',
	  'CREATE UNLOGGED TABLE parted_rest PARTITION OF parted DEFAULT',
	  (map {
			sprintf "CREATE UNLOGGED TABLE parted_%d PARTITION OF parted FOR VALUES FROM ('2024-01-01 %02d:00') TO ('2024-01-01 %02d:00')", $_, $_, $_ + 1
	  } 0 .. 12),
	  'INSERT INTO parted SELECT * FROM bid',
	  'VACUUM ANALYZE bid, indexed, parted';
	return;
}

# Statements of one row each, planned anew as a client's are.
sub insert_rows
{
	my ($table) = @_;
	return "DO \$\$BEGIN FOR i IN 1..200000 LOOP EXECUTE 'INSERT INTO $table VALUES (1, 2, 3, ''2024-01-01'', ''pv'')'; END LOOP; END\$\$";
}

sub compare
{
	my ($name, $limit, $by_hand, $ours, $before) = @_;
	my ($least_by_hand, $least_ours) = (9e9, 9e9);

	for (1 .. $runs)
	{
		$least_by_hand = least($least_by_hand, seconds($by_hand, $before));
		$least_ours = least($least_ours, seconds($ours, $before));
	}

	my $ratio = $least_ours / ($least_by_hand || 1 / $ticks);
	my $missed = $limit && $ratio > $limit;
	$misses++ if $missed;
	printf "%-36s %8.2f %8.2f %7.2f %7s%s\n", $name, $least_by_hand, $least_ours, $ratio,
	  $limit || '', $missed ? ' !' : '';
	return;
}

# CPU of the backend for one run; the rows stay in the server.
sub seconds
{
	my ($statement, $before) = @_;

	ask($before) if $before;
	$statement = "SELECT count(r) FROM ($statement OFFSET 0) AS r" if $statement =~ /WINDOW|SESSION|GROUP BY/;
	my $start = cpu();
	ask($statement);
	return (cpu() - $start) / $ticks;
}

sub cpu
{
	open my $in, '<', "/proc/$backend/stat" or die "no backend $backend here: $!\n";
	my @fields = split ' ', (<$in> =~ s/^.*\) //r);
	close $in;
	return $fields[11] + $fields[12];
}

sub least
{
	my ($a, $b) = @_;
	return $a < $b ? $a : $b;
}

# Sends a statement and gives its last line of output.
sub ask
{
	my ($statement) = @_;
	my $last = '';

	print {$commands} "$statement;\n\\echo -- done\n";
	$commands->flush;
	while (my $line = <$answers>)
	{
		chomp $line;
		return $last if $line eq '-- done';
		$last = $line;
	}
	die "psql ended\n";
}
