#!/usr/bin/perl
#
# Compares grouping by windows with the slice node, without it, and the best SQL by
# hand that we know, on the tables of an auction and of a shop.
#
#	bench/slice.pl [--schema NAME] [--runs N] [--only NAME] [--off]
#
# Runs in the server that the PG* variables name, on the same machine, as a
# superuser: it reads the CPU time of the backend from /proc.  The schema must have
#
#	bid (auction bigint, bidder bigint, price bigint, channel int, ts timestamp(3))
#	ub (user_id bigint, item_id bigint, category_id int, behavior text,
#		action_time bigint, ts timestamp(3))
#	person (id bigint, name text, ts timestamp(3))
#	auction (id bigint, seller bigint, ts timestamp(3))
#
# The statements of a comparison take turns; the least CPU time (user and system) of
# all runs counts.  Parallel query and JIT are off.  --off times our statement without
# the node as well, which explodes rows.  Every result must have the same checksum.

use strict;
use warnings;
use Getopt::Long;
use IPC::Open2;

$| = 1;
my ($schema, $runs, $only, $off) = ('bench', 3, '', 0);
GetOptions('schema=s' => \$schema, 'runs=i' => \$runs, 'only=s' => \$only, 'off' => \$off)
  or die "usage: slice.pl [--schema NAME] [--runs N] [--only NAME] [--off]\n";

my $top = 'row_number() OVER (PARTITION BY we ORDER BY cnt DESC, k)';

# name, by hand, ours; columns k, we, cnt, sm, av
my @comparisons = (
	[
		'q1 TUMBLE 1 min',
		"SELECT channel k, date_bin('1 minute', ts, timestamp '2000-01-01') + interval '1 minute' we, count(*) cnt, sum(price) sm, 0 av
		FROM bid GROUP BY 1, 2",
		"SELECT channel k, window_end we, count(*) cnt, sum(price) sm, 0 av
		FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, channel",
	],
	[
		'q2 HOP 1 min/1 h',
		"WITH s AS MATERIALIZED (
			SELECT channel k, date_bin('1 minute', ts, timestamp '2000-01-01') m, count(*) c, sum(price)::bigint p FROM bid GROUP BY 1, 2),
		g AS (SELECT k, m FROM (SELECT DISTINCT k FROM s) a,
			(SELECT generate_series(min(m), max(m) + interval '59 minutes', interval '1 minute') m FROM s) b)
		SELECT k, m + interval '1 minute' we, cnt, sm, sm / cnt av FROM (
			SELECT k, m, sum(c::int) OVER w cnt, sum(p) OVER w sm
			FROM g LEFT JOIN s USING (k, m) WINDOW w AS (PARTITION BY k ORDER BY m ROWS 59 PRECEDING)) x
		WHERE cnt > 0",
		"SELECT channel k, window_end we, count(*) cnt, sum(price) sm, avg(price) av
		FROM bid, HOP(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR) GROUP BY window_start, window_end, channel",
	],
	[
		'q3 CUMULATE 1 min/1 day',
		"WITH s AS MATERIALIZED (
			SELECT channel k, date_bin('1 minute', ts, timestamp '2000-01-01') m, count(*) c, sum(price)::bigint p FROM bid GROUP BY 1, 2),
		g AS (SELECT k, m FROM (SELECT DISTINCT k FROM s) a,
			(SELECT generate_series(min(m), date_trunc('day', max(m)) + interval '1439 minutes', interval '1 minute') m FROM s) b)
		SELECT k, m + interval '1 minute' we, cnt, sm::bigint sm, 0 av FROM (
			SELECT k, m, sum(c::int) OVER w cnt, sum(p::float8) OVER w sm
			FROM g LEFT JOIN s USING (k, m) WINDOW w AS (PARTITION BY k, date_trunc('day', m) ORDER BY m ROWS UNBOUNDED PRECEDING)) x
		WHERE cnt > 0",
		"SELECT channel k, window_end we, count(*) cnt, sum(price) sm, 0 av
		FROM bid, CUMULATE(bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' DAY) GROUP BY window_start, window_end, channel",
	],
	[
		'q4a HOP 1 s/2 s, Top-10',
		"SELECT k, to_timestamp(t) AT TIME ZONE 'UTC' we, cnt, rn sm, 0 av FROM (
			SELECT k, t, cnt, row_number() OVER (PARTITION BY t ORDER BY cnt DESC, k) rn FROM (
				SELECT item_id k, action_time + i t, count(*) cnt FROM ub, (VALUES (1), (2)) v(i) WHERE behavior = 'pv' GROUP BY 1, 2) a) b
		WHERE rn <= 10",
		"SELECT k, we, cnt, rn sm, 0 av FROM (SELECT k, we, cnt, $top rn FROM (
			SELECT item_id k, window_end we, count(*) cnt FROM ub, HOP(ub, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '2' SECOND)
			WHERE behavior = 'pv' GROUP BY window_start, window_end, item_id) a) b WHERE rn <= 10",
	],
	[
		'q4b HOP 5 min/1 h, Top-10',
		"WITH s AS MATERIALIZED (SELECT item_id k, action_time / 300 m, count(*) c FROM ub WHERE behavior = 'pv' GROUP BY 1, 2)
		SELECT k, to_timestamp(t * 300) AT TIME ZONE 'UTC' we, cnt, rn sm, 0 av FROM (
			SELECT k, t, cnt, row_number() OVER (PARTITION BY t ORDER BY cnt DESC, k) rn FROM (
				SELECT k, m + i t, sum(c)::bigint cnt FROM s, generate_series(1, 12) i GROUP BY 1, 2) a) b
		WHERE rn <= 10",
		"SELECT k, we, cnt, rn sm, 0 av FROM (SELECT k, we, cnt, $top rn FROM (
			SELECT item_id k, window_end we, count(*) cnt FROM ub, HOP(ub, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '1' HOUR)
			WHERE behavior = 'pv' GROUP BY window_start, window_end, item_id) a) b WHERE rn <= 10",
	],
	[
		'q5 HOP 2 s/10 s, most bids',
		"WITH s AS MATERIALIZED (
			SELECT auction k, date_part('epoch', date_bin('2 seconds', ts, timestamp '2000-01-01'))::bigint m, count(*) c
			FROM bid GROUP BY auction, date_bin('2 seconds', ts, timestamp '2000-01-01'))
		SELECT k, to_timestamp(t) AT TIME ZONE 'UTC' we, cnt, 0 sm, 0 av FROM (
			SELECT k, t, cnt, rank() OVER (PARTITION BY t ORDER BY cnt DESC) r FROM (
				SELECT k, m + 2 * i t, sum(c)::bigint cnt FROM s, generate_series(1, 5) i GROUP BY 1, 2) a) b
		WHERE r = 1",
		"SELECT k, we, cnt, 0 sm, 0 av FROM (SELECT k, we, cnt, rank() OVER (PARTITION BY we ORDER BY cnt DESC) r FROM (
			SELECT auction k, window_end we, count(*) cnt FROM bid, HOP(bid, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND)
			GROUP BY window_start, window_end, auction) a) b WHERE r = 1",
	],
	[
		'q7 highest bid of 10 s',
		"SELECT b.auction k, m.we, b.bidder cnt, b.price sm, 0 av
		FROM bid b JOIN (
			SELECT date_bin('10 seconds', ts, timestamp '2000-01-01') + interval '10 seconds' we, max(price) mx FROM bid GROUP BY 1) m
		ON b.price = m.mx AND date_bin('10 seconds', b.ts, timestamp '2000-01-01') + interval '10 seconds' = m.we",
		"SELECT b.auction k, m.we, b.bidder cnt, b.price sm, 0 av
		FROM (SELECT b.*, window_end FROM bid b, TUMBLE(b, DESCRIPTOR(ts), INTERVAL '10' SECOND)) b JOIN (
			SELECT window_end we, max(price) mx FROM bid, TUMBLE(bid, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end) m
		ON b.price = m.mx AND b.window_end = m.we",
	],
	[
		'q8 new sellers of 10 s',
		"SELECT p.id k, p.we, 1::bigint cnt, 0 sm, 0 av
		FROM (SELECT id, name, date_bin('10 seconds', ts, timestamp '2000-01-01') + interval '10 seconds' we FROM person GROUP BY 1, 2, 3) p
		JOIN (SELECT seller, date_bin('10 seconds', ts, timestamp '2000-01-01') + interval '10 seconds' we FROM auction GROUP BY 1, 2) a
		ON p.id = a.seller AND p.we = a.we",
		"SELECT p.id k, p.we, 1::bigint cnt, 0 sm, 0 av
		FROM (SELECT id, name, window_end we FROM person, TUMBLE(person, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, id, name) p
		JOIN (SELECT seller, window_end we FROM auction, TUMBLE(auction, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, seller) a
		ON p.id = a.seller AND p.we = a.we",
	],
	[
		'text key, sum, stddev',
		"SELECT length(behavior) k, date_bin('1 minute', ts, timestamp '2000-01-01') + interval '1 minute' we, count(*) cnt, sum(item_id::numeric) sm, stddev(category_id) av
		FROM ub GROUP BY behavior, 2",
		"SELECT length(behavior) k, window_end we, count(*) cnt, sum(item_id::numeric) sm, stddev(category_id) av
		FROM ub, TUMBLE(ub, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, behavior",
	],
	[
		'wide text key',
		"SELECT 1 k, date_bin('1 minute', ts, timestamp '2000-01-01') + interval '1 minute' we, count(*) cnt, 0 sm, 0 av
		FROM ub GROUP BY 'a rather long text ' || item_id, 2",
		"SELECT 1 k, window_end we, count(*) cnt, 0 sm, 0 av
		FROM ub, TUMBLE(ub, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, 'a rather long text ' || item_id",
	],
	[
		'q1 of rows in random order',
		"SELECT channel k, date_bin('1 minute', ts, timestamp '2000-01-01') + interval '1 minute' we, count(*) cnt, sum(price) sm, 0 av
		FROM shuffled GROUP BY 1, 2",
		"SELECT channel k, window_end we, count(*) cnt, sum(price) sm, 0 av
		FROM shuffled, TUMBLE(shuffled, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, channel",
	],
);

my $checksum = "SELECT count(*), sum(cnt)::bigint, sum(cnt * ((k + date_part('epoch', we)::bigint) % 1009))::bigint, sum(sm)::numeric(40), sum(floor(av))::numeric(40)";

my ($answers, $commands);
my $pid = open2($answers, $commands, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1');
my $backend = ask('SELECT pg_backend_pid()');
my $ticks = `getconf CLK_TCK`;

prepare();
printf "least CPU seconds of %d runs, work_mem %s\n\n", $runs, ask('SHOW work_mem');
printf "%-28s %8s %8s %8s %7s  %s\n", 'comparison', 'by hand', 'node off', 'node on', 'ratio', 'node';
my $misses = 0;
compare(@$_) for grep { $_->[0] =~ /\Q$only\E/ } @comparisons;
ask('DROP TABLE shuffled');
exit($misses ? 1 : 0);

sub prepare
{
	ask($_)
	  for
	  'SET client_min_messages = warning',
	  "LOAD 'apply_watermark'",
	  "SET search_path = $schema, public",
	  "SET timezone = 'UTC'",
	  'SET max_parallel_workers_per_gather = 0',
	  'SET jit = off',
	  "SET work_mem = '1GB'",
	  'CREATE TEMP TABLE shuffled AS SELECT * FROM bid ORDER BY hashint8(auction * 31 + price + bidder)',
	  'ANALYZE shuffled';
	return;
}

sub compare
{
	my ($name, $by_hand, $ours) = @_;
	my %least = (hand => 9e9, off => 9e9, on => 9e9);
	my %sums;

	for (1 .. $runs)
	{
		run($_ => $_ eq 'hand' ? $by_hand : $ours, \%least, \%sums)
		  for ('hand', $off ? 'off' : (), 'on');
	}

	ask('SET apply_watermark.enable_slice_node = on');
	my $is_used = grep { /WindowSlices/ } lines("EXPLAIN $ours");
	my $is_same = keys(%{ { map { $_ => 1 } values %sums } }) == 1;
	$misses++ unless $is_same;
	printf "%-28s %8.2f %8s %8.2f %7.2f  %s%s\n", $name, $least{hand},
	  $off ? sprintf('%.2f', $least{off}) : '', $least{on}, $least{on} / $least{hand},
	  $is_used ? 'yes' : 'no', $is_same ? '' : '  RESULTS DIFFER';
	return;
}

sub run
{
	my ($variant, $statement, $least, $sums) = @_;

	ask('SET apply_watermark.enable_slice_node = ' . ($variant eq 'on' ? 'on' : 'off'));
	my $start = cpu();
	$sums->{$variant} = ask("$checksum FROM ($statement) AS q");
	my $seconds = (cpu() - $start) / $ticks;
	$least->{$variant} = $seconds if $seconds < $least->{$variant};
	return;
}

sub cpu
{
	open my $in, '<', "/proc/$backend/stat" or die "no backend $backend here: $!\n";
	my @fields = split ' ', (<$in> =~ s/^.*\) //r);
	close $in;
	return $fields[11] + $fields[12];
}

# Sends a statement and gives its last line of output.
sub ask
{
	my ($statement) = @_;
	my @lines = lines($statement);

	return $lines[-1] // '';
}

sub lines
{
	my ($statement) = @_;
	my @lines;

	print {$commands} "$statement;\n\\echo -- done\n";
	$commands->flush;
	while (my $line = <$answers>)
	{
		chomp $line;
		return @lines if $line eq '-- done';
		push @lines, $line;
	}
	die "psql ended\n";
}
