#!/usr/bin/perl
#
# Compares window queries with the slice node, without it, with the best SQL by hand
# that we know, and with DuckDB, side by side in one run.
#
#	bench/rivals.pl [--schema NAME] [--runs N] [--only NAME,...] [--off] [--duckdb FILE
#		[--python PROGRAM]] [--explain]
#
# Runs in the server that the PG* variables name, on the same machine, as a superuser:
# it reads CPU time and memory of the backend from /proc.  The schema has the tables
#
#	bid (auction bigint, bidder bigint, price bigint, channel int, ts timestamp(3))
#	ub (user_id bigint, item_id bigint, category_id int, behavior text,
#		action_time bigint, ts timestamp(3))
#	person (id bigint, name text, ts timestamp(3))
#	auction (id bigint, seller bigint, ts timestamp(3))
#
# with indexes for the rival "indexed": bid (ts), bid (ts) INCLUDE (auction) and
# ub (action_time) INCLUDE (item_id, behavior).  The database of --duckdb has the same.
#
# rivals/RIVAL/QUERY.sql gives columns k, we, cnt, sm, av; what is measured is a checksum
# over all rows.  The node is on for our own statement alone.  The rivals of a query take
# turns, each time in a session of their own; the least CPU time (user and system) of all
# runs counts, on one core, without JIT.  Memory is the greatest sum of private pages, for
# DuckDB that of all pages.  A result that differs is a failure.

use strict;
use warnings;
use File::Basename qw(dirname);
use Getopt::Long;
use IPC::Open2;

my @rivals = qw(by_hand indexed pruned off ours duckdb duckdb_pruned);
my ($schema, $runs, $only, $off, $duckdb, $python, $explain) = ('bench', 3, '', 0, '', 'python3', 0);
GetOptions(
	'schema=s' => \$schema, 'runs=i' => \$runs, 'only=s' => \$only, 'off' => \$off,
	'duckdb=s' => \$duckdb, 'python=s' => \$python, 'explain' => \$explain)
  or die "usage: rivals.pl [--schema NAME] [--runs N] [--only NAME,...] [--off] [--duckdb FILE] [--explain]\n";

$| = 1;
my $folder = dirname(__FILE__) . '/rivals';
my $ticks = `getconf CLK_TCK`;
my $misses = 0;
my @queries = $only ? split(/,/, $only) : map { m{([^/]+)\.sql$} } sort glob("$folder/ours/*.sql");

# How a result is summed up: one row, that no rival can leave parts out of.
my $sum = "SELECT count(*), sum(cnt)::bigint, sum(cnt * ((k + %s) %% 1009))::bigint, sum(sm)::bigint, sum(floor(av))::bigint FROM (%s) AS q";

my $settings = <<"SQL";
SET client_min_messages = warning;
LOAD 'apply_watermark';
SET search_path = $schema, public;
SET timezone = 'UTC';
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SQL

# Answers a statement per line with its row, and the CPU time it took.
my $duckdb_session = <<'PYTHON';
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
connection.execute("SET threads = 1")
connection.execute("SET enable_progress_bar = false")
start = time.process_time()
row = connection.execute(sys.stdin.read()).fetchone()
used = time.process_time() - start
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print("|".join(map(str, row)), used, int(peak) // 1024)
PYTHON

printf "least CPU seconds of %d runs, and MB of memory; work_mem %s\n\n", $runs, psql('SHOW work_mem');
compare($_) for @queries;
exit($misses ? 1 : 0);

sub compare
{
	my ($query) = @_;
	my (%seconds, %memory, %sums);

	for my $run (1 .. $runs)
	{
		for my $rival (@rivals)
		{
			my $statement = statement($rival, $query) or next;
			my ($row, $used, $peak) = measure($rival, $statement);

			$sums{$rival} = $row;
			$seconds{$rival} = $used if !defined $seconds{$rival} || $used < $seconds{$rival};
			$memory{$rival} = $peak if !defined $memory{$rival} || $peak > $memory{$rival};
		}
	}
	report($query, \%seconds, \%memory, \%sums);
	return;
}

# The statement of a rival; undef if it has none for the query.
sub statement
{
	my ($rival, $query) = @_;
	my $path = "$folder/" . ($rival eq 'off' ? 'ours' : $rival) . "/$query.sql";

	return if $rival eq 'off' && !$off || $rival =~ /^duckdb/ && !$duckdb || !-e $path;
	open my $in, '<', $path or die "$path: $!\n";
	local $/;
	return <$in>;
}

sub measure
{
	my ($rival, $statement) = @_;

	return measure_duckdb($statement) if $rival =~ /^duckdb/;
	return measure_postgres($statement, $rival eq 'ours' ? 'on' : 'off');
}

sub measure_duckdb
{
	my ($statement) = @_;
	my $pid = open2(my $answers, my $commands, $python, '-c', $duckdb_session, $duckdb);

	printf {$commands} $sum, 'epoch_ms(we) // 1000', $statement;
	close $commands;
	my $line = <$answers> // die "DuckDB gave no answer\n";
	waitpid $pid, 0;
	return split ' ', $line;
}

sub measure_postgres
{
	my ($statement, $node) = @_;
	my $pid = open2(my $answers, my $commands, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1');
	my $ask = sub {
		print {$commands} "$_[0];\n";
		$commands->flush;
		return scalar <$answers> // die "psql ended\n";
	};

	my $backend = $ask->("$settings SET apply_watermark.enable_slice_node = $node; SELECT pg_backend_pid()");
	chomp $backend;
	my $watcher = watch($backend);
	my $start = cpu($backend);
	my $row = $ask->(sprintf $sum, "date_part('epoch', we)::bigint", $statement);
	my $used = (cpu($backend) - $start) / $ticks;
	chomp $row;
	my $peak = ended($watcher);
	close $commands;
	waitpid $pid, 0;
	return ($row, $used, $peak);
}

sub cpu
{
	my ($pid) = @_;
	open my $in, '<', "/proc/$pid/stat" or die "no backend $pid here: $!\n";
	my @fields = split ' ', (<$in> =~ s/^.*\) //r);
	close $in;
	return $fields[11] + $fields[12];
}

# Looks at a process's private memory until it is told to end.
sub watch
{
	my ($backend) = @_;
	pipe my $tell, my $stop or die "pipe: $!\n";
	pipe my $result, my $say or die "pipe: $!\n";

	my $child = fork // die "fork: $!\n";
	if ($child == 0)
	{
		close $stop;
		close $result;
		my $peak = 0;
		until (is_readable($tell, 0.01))
		{
			my $now = private_memory($backend);
			$peak = $now if $now > $peak;
		}
		print {$say} "$peak\n";
		close $say;
		require POSIX;
		POSIX::_exit(0);
	}
	close $tell;
	close $say;
	return { child => $child, stop => $stop, result => $result };
}

sub ended
{
	my ($watcher) = @_;

	close $watcher->{stop};
	my $peak = readline $watcher->{result};
	waitpid $watcher->{child}, 0;
	chomp $peak;
	return $peak;
}

sub is_readable
{
	my ($handle, $seconds) = @_;
	my $bits = '';

	vec($bits, fileno $handle, 1) = 1;
	return select($bits, undef, undef, $seconds) > 0;
}

# MB; 0 if there is no such process.
sub private_memory
{
	my ($pid) = @_;
	open my $in, '<', "/proc/$pid/status" or return 0;
	my ($kb) = map { /^RssAnon:\s+(\d+)/ } <$in>;
	close $in;
	return int(($kb // 0) / 1024);
}

sub report
{
	my ($query, $seconds, $memory, $sums) = @_;
	my ($best) = sort { $seconds->{$a} <=> $seconds->{$b} } grep { defined $seconds->{$_} } qw(by_hand indexed pruned);

	print "$query\n";
	for my $rival (grep { defined $seconds->{$_} } @rivals)
	{
		my $differs = $sums->{$rival} ne $sums->{by_hand};
		$misses++ if $differs;
		printf "  %-14s %8.2f s %6d MB %s%s\n", $rival, $seconds->{$rival}, $memory->{$rival},
		  $rival eq 'ours' ? sprintf('%.2f of %s', $seconds->{ours} / $seconds->{$best}, $best) : '',
		  $differs ? '  RESULT DIFFERS' : '';
	}
	print psql("$settings EXPLAIN " . statement('ours', $query)), "\n" if $explain;
	return;
}

sub psql
{
	my ($statement) = @_;
	my $pid = open2(my $answers, my $commands, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1');

	print {$commands} "$statement;\n";
	close $commands;
	my $answer = do { local $/; <$answers> };
	waitpid $pid, 0;
	chomp $answer;
	return $answer;
}
