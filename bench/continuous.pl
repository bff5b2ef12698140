#!/usr/bin/perl
#
# Measures continuous queries: what they cost those who write, the CPU of the worker,
# other ways to keep a result up to date, and how soon a result is there.
#
#	bench/continuous.pl [--rows N] [--runs N] [--only WORD] [--seconds N] [--profile]
#
# Runs in the server that the PG* variables name, on the same machine, as a superuser:
# it reads CPU time from /proc.  If neither PGHOST nor PGPORT is set, it makes a server of
# its own with the programs in the PATH, and removes it; PostgreSQL does not run as root.
# The server needs wal_level = logical and shared_preload_libraries = 'apply_watermark',
# and for --only latency track_commit_timestamp = on and pgbench in the PATH.  It creates
# the schema "bench" in the database, which must have no other continuous query.
#
# The ways of a comparison take turns; the least CPU time (user and system) of all runs
# counts, since these machines are noisy.  Parallel query and JIT are off.  Results that
# differ are a failure.  --profile tells by perf where the worker's CPU goes.

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use Getopt::Long;
use IPC::Open2;
use List::Util qw(min sum);

$| = 1;
my ($rows, $runs, $only, $seconds, $profile) = (2_000_000, 7, '', 60, 0);
GetOptions(
	'rows=i' => \$rows, 'runs=i' => \$runs, 'only=s' => \$only, 'seconds=i' => \$seconds,
	'profile' => \$profile)
  or die "usage: continuous.pl [--rows N] [--runs N] [--only WORD] [--seconds N] [--profile]\n";

my $transaction_rows = 50_000;
my $misses = 0;
my $ticks = `getconf CLK_TCK`;
my $own_server = $ENV{PGHOST} || $ENV{PGPORT} ? undef : start_server();
my ($answers, $commands);
my $pid = open2($answers, $commands, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1');
my $writer = ask('SELECT pg_backend_pid()');
my $folder = ask("SELECT current_setting('data_directory') || '/aw_bench'");

my $aggregates = 'count(*) AS n, sum(v) AS total';
my $by_hand = "SELECT date_bin('1 minute', ts, timestamp '2024-01-01') AS window_start, k, $aggregates FROM %s GROUP BY 1, 2";
my $query = "SELECT window_start, k, $aggregates FROM event AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k";

# Queries over one table, where there are many.
my @kinds = (
	"SELECT window_end, k, $aggregates FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k",
	"SELECT window_end, k, count(*) AS n, max(v) AS most FROM %s AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '10' MINUTE)
	 WHERE k < 100 GROUP BY window_start, window_end, k",
	"SELECT window_end, sum(v) AS total FROM %s AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR) GROUP BY window_start, window_end",
	"SELECT tumble_start(ts, INTERVAL '10' SECOND) AS started, avg(v) AS mean, min(k) AS least FROM %s GROUP BY tumble(ts, INTERVAL '10' SECOND)",
	"SELECT window_end, count(DISTINCT k) AS keys FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end",
	"SELECT * FROM (SELECT window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY count(*) DESC, k) AS place
	 FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k) AS r WHERE place <= 10",
	"SELECT window_end, category, $aggregates FROM %s AS e JOIN item USING (k), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	 GROUP BY window_start, window_end, category",
	"SELECT window_end, k %% 10 AS tenth, stddev(v) AS deviation FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	 GROUP BY window_start, window_end, k %% 10",
	"SELECT window_end, k, $aggregates FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) WHERE v > 990 GROUP BY window_start, window_end, k",
	"SELECT window_end, max(v) AS most FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '30' SECOND) GROUP BY window_start, window_end",
);

my @parts = (
	[ writer => \&compare_writers ],
	[ 'catch-up' => \&measure_catch_up ],
	[ windows => \&measure_windows ],
	[ rows => \&measure_rows ],
	[ rivals => \&compare_rivals ],
	[ latency => \&measure_latency ],
	[ fifty => \&measure_fifty ],
);

print ask('SELECT version()'), "\nleast CPU seconds of $runs runs\n";
prepare();
for my $part (grep { $_->[0] =~ /\Q$only\E/ } @parts)
{
	$part->[1]->();
}
ask('DROP SCHEMA bench CASCADE');
ask("COPY (SELECT) TO PROGRAM 'rm -r ''$folder'''");
stop_server();
print "\n$misses results differ\n" if $misses;
exit($misses ? 1 : 0);

# A server with the settings that continuous queries need, until stop_server().
sub start_server
{
	my $data = tempdir('aw_continuous_XXXX', TMPDIR => 1);

	run('initdb', '-A', 'trust', '-U', 'postgres', '-D', "$data/data");
	open my $out, '>>', "$data/data/postgresql.conf" or die "$data: $!\n";
	print {$out} <<"CONF";
listen_addresses = ''
unix_socket_directories = '$data'
wal_level = logical
shared_preload_libraries = 'apply_watermark'
track_commit_timestamp = on
shared_buffers = 512MB
max_wal_size = 8GB
autovacuum = off
CONF
	close $out;
	run('pg_ctl', '-D', "$data/data", '-l', "$data/log", '-w', 'start');
	@ENV{qw(PGHOST PGUSER PGDATABASE)} = ($data, 'postgres', 'postgres');
	return $data;
}

sub stop_server
{
	close $commands;
	waitpid $pid, 0;
	return if !$own_server;
	run('pg_ctl', '-D', "$own_server/data", '-w', 'stop');
	remove_tree($own_server);
	return;
}

sub run
{
	my @command = @_;

	system("'" . join("' '", @command) . "' >&2") == 0 or die "$command[0] failed\n";
	return;
}

# Events in files: 100 a second of event time, out of order by up to four seconds.
sub prepare
{
	my $n_files = int(($rows + $transaction_rows - 1) / $transaction_rows);

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
	  "CREATE UNLOGGED TABLE origin AS SELECT i::int, (1000 * random())::int % 1000 AS k, (1000 * random())::bigint AS v,
		(timestamp '2024-01-01' + i * interval '10 ms' - random() * interval '4 s')::timestamp(3) AS ts
	   FROM generate_series(0, $rows - 1) AS i",
	  'ALTER TABLE origin ADD PRIMARY KEY (i)',
	  'VACUUM ANALYZE origin',
	  "CREATE TABLE event (k int, v bigint, ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5' SECOND)))",
	  "COPY (SELECT) TO PROGRAM 'mkdir -p ''$folder'''",
	  "COPY (SELECT k, v, ts FROM origin ORDER BY i) TO '$folder/all'",
	  "COPY (SELECT k, v, ts FROM origin ORDER BY i LIMIT 500000) TO '$folder/part'";
	for my $file (0 .. $n_files - 1)
	{
		ask("COPY (SELECT k, v, ts FROM origin WHERE i / $transaction_rows = $file ORDER BY i) TO '$folder/$file'");
	}
	return;
}

# COPY of half a million rows, with a query over the table and without.
sub compare_writers
{
	my %used;

	for my $run (1 .. $runs)
	{
		my @ways = ('without a query', 'with a query');

		for my $way ($run % 2 ? @ways : reverse @ways)
		{
			ask('TRUNCATE event');
			ask('CHECKPOINT');
			start_query($query) if $way =~ /^with /;
			my $start = cpu($writer);
			ask("COPY event FROM '$folder/part'");
			push @{ $used{$way} }, cpu($writer) - $start;
			end_query($way) if $way =~ /^with /;
		}
	}
	report('COPY of 500,000 rows, CPU of the writer', \%used, 'without a query', 500_000);
	return;
}

# The worker's CPU for rows that are in the WAL already; by hand the same SELECT, once.
sub measure_catch_up
{
	my %used;
	my @ways = (
		[ 'INSERT by hand, once', undef ],
		[ "transactions of $transaction_rows", '256MB', 0 ],
		[ 'one transaction, decode_memory 256MB', '256MB', 1 ],
		[ 'one transaction, decode_memory 1GB', '1GB', 1 ],
	);

	for my $run (1 .. $runs)
	{
		for my $way (@ways)
		{
			my ($name, $memory, $is_one) = @$way;

			push @{ $used{$name} },
			  $memory ? catch_up($name, $memory, $is_one, $profile && $run == 1) : insert_by_hand();
		}
	}
	report("catch-up of $rows rows, TUMBLE of a minute by 1,000 keys, CPU of the worker",
		\%used, 'INSERT by hand, once', $rows);
	return;
}

# The same for windows that share rows, and once more where the watermark moves with each
# row, a second behind the latest, so that rows come for windows that have closed.
sub measure_windows
{
	my %used;
	my $hour = "HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)";
	my $day = "CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' DAY)";
	my $disordered = "(SELECT * FROM event WHERE watermark_for(ts, ts - INTERVAL '1' SECOND))";
	my @ways = (
		[ 'TUMBLE 1 min, count and sum', 'event', "TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", $aggregates ],
		[ 'HOP 1 min/1 h, count and sum', 'event', $hour, $aggregates ],
		[ 'HOP 1 min/1 h, count and max', 'event', $hour, 'count(*) AS n, max(v) AS total' ],
		[ 'HOP 1 min/1 h, stddev of numeric', 'event', $hour, 'count(*) AS n, stddev(v::numeric) AS total' ],
		[ 'CUMULATE 1 min/1 day, count and sum', 'event', $day, $aggregates ],
		[ 'HOP 1 min/1 h, count and sum, partly late', $disordered, $hour, $aggregates ],
		[ 'HOP 1 min/1 h, count and max, partly late', $disordered, $hour, 'count(*) AS n, max(v) AS total' ],
		[ 'CUMULATE 1 min/1 day, count and sum, partly late', $disordered, $day, $aggregates ],
	);

	for my $run (1 .. $runs)
	{
		for my $way (@ways)
		{
			my ($name, $source, $window, $columns) = @$way;
			my $text = "SELECT window_start, window_end, k, $columns FROM $source AS e, $window GROUP BY window_start, window_end, k";

			push @{ $used{$name} }, catch_up_windows($name, $text, $run == 1);
		}
	}
	report("catch-up of $rows rows by 1,000 keys, CPU of the worker", \%used, $ways[0][0], $rows);
	return;
}

# Queries that need the rows of their windows, or read several streams.
sub measure_rows
{
	my %used;
	my $minute = "TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)";
	my $by = 'GROUP BY window_start, window_end, k';
	my $half = "(SELECT k, v, window_start, window_end FROM (SELECT * FROM event WHERE k %% 10 = %d) AS e, $minute)";
	my @ways = (
		[ 'count and sum', "SELECT window_start, window_end, k, $aggregates FROM event AS e, $minute $by" ],
		[ 'count and sum, UNION ALL of two streams', "SELECT window_start, window_end, k, $aggregates
			FROM (SELECT * FROM event WHERE k < 500 UNION ALL SELECT * FROM event WHERE k >= 500) AS e, $minute $by" ],
		[ 'median', "SELECT window_start, window_end, k, percentile_disc(0.5) WITHIN GROUP (ORDER BY v) AS m FROM event AS e, $minute $by" ],
		[ 'count(DISTINCT) of numeric', "SELECT window_start, window_end, k, count(DISTINCT v::numeric) AS n FROM event AS e, $minute $by" ],
		[ 'grouping sets of two keys', "SELECT window_start, window_end, k, v % 10 AS d, $aggregates FROM event AS e, $minute
			GROUP BY window_start, window_end, GROUPING SETS (k, (v % 10))" ],
		[ 'the three greatest', "SELECT * FROM (SELECT window_start, window_end, k, v,
			row_number() OVER (PARTITION BY window_start, window_end ORDER BY v DESC, k) AS place FROM event AS e, $minute) AS e WHERE place <= 3" ],
		[ 'join of windows of a tenth of the rows each', sprintf("SELECT l.window_start, l.window_end, l.k, count(*) AS n FROM $half AS l
			JOIN $half AS r ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.k + 1 = r.k GROUP BY 1, 2, 3", 1, 2) ],
	);

	for my $run (1 .. $runs)
	{
		push @{ $used{ $_->[0] } }, catch_up_windows(@$_, $run == 1) for @ways;
	}
	report("catch-up of $rows rows, TUMBLE of a minute, CPU of the worker", \%used, $ways[0][0], $rows);
	return;
}

sub catch_up_windows
{
	my ($name, $text, $is_first) = @_;
	my $is_late = $name =~ /late/;

	ask('TRUNCATE event');
	start_query($text, $is_late ? ", emit_watermark => 'on event', late => 'count'" : '');
	ask("SELECT watermark.pause_query('bench')");
	load();
	ask('SELECT watermark.advance()');

	my $worker = worker();
	my $profiler = $profile && $is_first ? start_profile($worker) : undef;
	my $start = cpu($worker);
	ask("SELECT watermark.resume_query('bench')");
	ask('SELECT watermark.advance()');
	my $used = cpu($worker) - $start;

	print_profile($name, $profiler) if $profiler;
	if ($is_first && !$is_late)
	{
		end_query($name, $text);
	}
	else
	{
		drop_query();
	}
	return $used;
}

sub catch_up
{
	my ($name, $memory, $is_one, $is_profiled) = @_;

	ask("ALTER SYSTEM SET apply_watermark.decode_memory = '$memory'");
	ask('SELECT pg_reload_conf()');
	ask('TRUNCATE event');
	start_query($query);
	ask("SELECT watermark.pause_query('bench')");
	load($is_one ? 'all' : undef);
	ask('SELECT watermark.advance()');

	my $worker = worker();
	my $profiler = $is_profiled ? start_profile($worker) : undef;
	my $start = cpu($worker);
	ask("SELECT watermark.resume_query('bench')");
	ask('SELECT watermark.advance()');
	my $used = cpu($worker) - $start;

	print_profile($name, $profiler) if $profiler;
	end_query($name);
	ask('ALTER SYSTEM RESET apply_watermark.decode_memory');
	return $used;
}

sub insert_by_hand
{
	ask('TRUNCATE event');
	load('all');
	ask('CREATE TABLE result (window_start timestamp, k int, n bigint, total numeric)');
	my $start = cpu($writer);
	ask('INSERT INTO result ' . sprintf $by_hand, 'event');
	my $used = cpu($writer) - $start;
	ask('DROP TABLE result');
	return $used;
}

# The same rows by the other ways to have such a result: writer and maintenance together.
sub compare_rivals
{
	my (%used, %small, %single);
	my @ways = (
		[ 'no result', \&maintain_nothing ],
		[ 'continuous query', \&maintain_by_query ],
		[ 'upsert trigger', \&maintain_by_trigger ],
		[ 'REFRESH MATERIALIZED VIEW', \&maintain_by_view ],
	);

	for (1 .. $runs)
	{
		push @{ $used{ $_->[0] } }, $_->[1]->($_->[0], sub { load(undef, @_) }) for @ways;
		push @{ $small{ $_->[0] } }, $_->[1]->($_->[0], sub { load_small(1000, 100) }) for @ways[ 0 .. 2 ];
		push @{ $single{ $_->[0] } }, $_->[1]->($_->[0], sub { load_small(5000, 1) }) for @ways[ 0 .. 2 ];
	}
	report("$rows rows in transactions of $transaction_rows, CPU of writer and maintenance",
		\%used, 'continuous query', $rows);
	report('100,000 rows in transactions of 100, CPU of writer and maintenance',
		\%small, 'continuous query', 100_000);
	report('5,000 rows in transactions of one, CPU of writer and maintenance',
		\%single, 'continuous query', 5_000);
	return;
}

# Small transactions, one after the other.
sub load_small
{
	my ($n_transactions, $size) = @_;

	ask("DO \$\$BEGIN FOR b IN 0 .. $n_transactions - 1 LOOP
		INSERT INTO event SELECT k, v, ts FROM origin WHERE i >= b * $size AND i < (b + 1) * $size;
		COMMIT; END LOOP; END\$\$");
	return;
}

sub maintain_nothing
{
	my ($name, $load) = @_;

	ask('TRUNCATE event');
	my $start = cpu($writer);
	$load->();
	return cpu($writer) - $start;
}

sub maintain_by_query
{
	my ($name, $load) = @_;

	ask('TRUNCATE event');
	start_query($query);
	my $worker = worker();
	my $start = cpu($writer) + cpu($worker);
	$load->();
	ask('SELECT watermark.advance()');
	my $used = cpu($writer) + cpu($worker) - $start;
	end_query($name);
	return $used;
}

sub maintain_by_trigger
{
	my ($name, $load) = @_;
	my $groups = sprintf $by_hand, 'added';

	ask($_)
	  for 'TRUNCATE event',
	  'CREATE TABLE result (window_start timestamp, k int, n bigint, total numeric, PRIMARY KEY (window_start, k))',
	  "CREATE FUNCTION add_up() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
		INSERT INTO result AS r $groups
		ON CONFLICT (window_start, k) DO UPDATE SET n = r.n + excluded.n, total = r.total + excluded.total;
		RETURN NULL;
	   END\$\$",
	  'CREATE TRIGGER add_up AFTER INSERT ON event REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_up()';
	my $start = cpu($writer);
	$load->();
	my $used = cpu($writer) - $start;
	check($name, 'result');
	ask('DROP TABLE result');
	ask('DROP FUNCTION add_up CASCADE');
	return $used;
}

sub maintain_by_view
{
	my ($name, $load) = @_;

	ask('TRUNCATE event');
	ask('CREATE MATERIALIZED VIEW result AS ' . sprintf $by_hand, 'event');
	my $start = cpu($writer);
	$load->('REFRESH MATERIALIZED VIEW result');
	my $used = cpu($writer) - $start;
	check($name, 'result');
	ask('DROP MATERIALIZED VIEW result');
	return $used;
}

# From the commit of the row that closes a window to the commit of the window's result.
# Both are taken when a commit begins, so the time has one flush to disk in it.
sub measure_latency
{
	ask('CREATE SEQUENCE clock');
	ask("CREATE TABLE tick (ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5' SECOND)))");
	print "\nsingle-row INSERTs of pgbench, fsync ", ask('SHOW fsync'), ', synchronous_commit ',
	  ask('SHOW synchronous_commit'), "\n";
	printf "%-36s %8s %8s %8s %8s\n", 'commit to published, ms', 'p50', 'p95', 'greatest', 'windows';
	latency_at('1 a second, each closes a window', 1, 1, 1, $seconds);
	latency_at('1,000 a second, each 100th does', 4, 1000, 100, $seconds / 2);
	latency_at('1,000 a second, each does', 4, 1000, 1, $seconds / 2);

	my %rate;
	for (1 .. 3)
	{
		for my $clients (1, 4)
		{
			push @{ $rate{"$clients clients, no query"} }, commit_rate($clients);
			start_query(tick_query(1));
			push @{ $rate{"$clients clients, a query, each closes a window"} }, commit_rate($clients);
			drop_query();
		}
	}
	printf "\n%-46s %s\n", 'commits a second, as many as possible', 'three runs';
	printf "%-46s %s\n", $_, join ' ', map { sprintf '%6.0f', $_ } @{ $rate{$_} } for sort keys %rate;
	return;
}

# One query, and many over one and over several tables: CPU of the worker for each row
# that a query takes in, and its memory, once all are at work and once rows are open.
sub measure_fifty
{
	my @ways = ([ '1 query', 1, 1 ], [ '10 queries over a table', 1, 10 ], [ '50 queries over 5 tables', 5, 10 ]);
	my (%used, %memory);

	for my $run (1 .. $runs)
	{
		for my $way (@ways)
		{
			my ($name, $n_tables, $n_kinds) = @$way;
			my ($used, @memory) = run_many($name, $n_tables, $n_kinds, $run == 1);

			push @{ $used{$name} }, $used;
			push @{ $memory{$name} }, \@memory;
		}
	}
	printf "\n%-32s %8s %8s %12s %10s %10s\n", "$rows rows of each table", 'least', 'middle', 'rows/s', 'MB idle', 'MB after';
	for my $way (@ways)
	{
		my ($name, $n_tables, $n_kinds) = @$way;
		my @sorted = sort { $a <=> $b } @{ $used{$name} };
		my $taken = $rows * $n_tables * $n_kinds;

		printf "  %-30s %8.3f %8.3f %12.0f %10.1f %10.1f\n", $name, $sorted[0], $sorted[ @sorted / 2 ], $taken / $sorted[0],
		  map { my $place = $_; min(map { $_->[$place] } @{ $memory{$name} }) } 0, 1;
	}
	return;
}

# CPU of the worker for the rows; its memory in MB, before and behind them.
sub run_many
{
	my ($name, $n_tables, $n_kinds, $is_checked) = @_;
	my %text;

	ask('CREATE TABLE item AS SELECT i AS k, i % 7 AS category FROM generate_series(0, 999) AS i');
	ask('ALTER TABLE item ADD PRIMARY KEY (k)');
	for my $table (map { "event_$_" } 1 .. $n_tables)
	{
		ask("CREATE TABLE $table (LIKE event INCLUDING ALL)");
		for my $kind (0 .. $n_kinds - 1)
		{
			$text{"${table}_$kind"} = sprintf $kinds[$kind], $table;
			ask("SELECT watermark.create_query('${table}_$kind', \$\$$text{\"${table}_$kind\"}\$\$)");
		}
	}
	ask('SELECT watermark.advance()');
	my $worker = worker();
	my $idle = private_memory($worker);

	ask('SELECT watermark.pause_query(name) FROM watermark.queries');
	for my $table (1 .. $n_tables)
	{
		ask("COPY event_$table FROM '$folder/$_'") for 0 .. int(($rows - 1) / $transaction_rows);
	}
	ask(q{SELECT watermark.advance('10 minutes')});
	my $start = cpu($worker);
	ask('SELECT watermark.resume_query(name) FROM watermark.queries');
	ask(q{SELECT watermark.advance('10 minutes')});
	my $used = cpu($worker) - $start;
	my $after = private_memory($worker);

	if ($is_checked)
	{
		ask('SELECT watermark.drain_query(name) FROM watermark.queries');
		ask(q{SELECT watermark.advance('10 minutes')});
		check("$name, $_", $_, $text{$_}) for sort keys %text;
	}
	ask('SELECT watermark.drop_query(name) FROM watermark.queries');
	ask("DROP TABLE $_") for sort keys %text;
	ask("DROP TABLE event_$_") for 1 .. $n_tables;
	ask('DROP TABLE item');
	select undef, undef, undef, 0.01 while worker();
	return ($used, $idle, $after);
}

# What a process has of memory for itself, in MB.
sub private_memory
{
	my ($pid) = @_;

	open my $in, '<', "/proc/$pid/status" or die "no process $pid here: $!\n";
	return (join('', <$in>) =~ /^RssAnon:\s+(\d+) kB/m)[0] / 1024;
}

sub tick_query
{
	my ($size) = @_;
	return "SELECT window_end, count(*) AS n FROM tick AS t, TUMBLE(t, DESCRIPTOR(ts), INTERVAL '$size' SECOND) GROUP BY window_start, window_end";
}

sub latency_at
{
	my ($name, $clients, $rate, $size, $duration) = @_;

	ask('TRUNCATE tick');
	start_query(tick_query($size));
	my $worker = worker();
	my $start = cpu($worker);
	my $commits = pgbench($clients, $duration, '-R', $rate);
	ask('SELECT watermark.advance()');
	my $used = cpu($worker) - $start;
	my $line = ask("
		SELECT format('%s|%s|%s|%s', percentile_cont(0.5) WITHIN GROUP (ORDER BY ms), percentile_cont(0.95) WITHIN GROUP (ORDER BY ms), max(ms), count(*))
		FROM (
			SELECT 1000 * extract(epoch FROM pg_xact_commit_timestamp(s.xmin) - c.closed_at)::float8 AS ms
			FROM sink AS s
			JOIN LATERAL (
				SELECT closed_at FROM closing WHERE ts >= s.window_end + INTERVAL '5' SECOND ORDER BY ts LIMIT 1) AS c ON true
		) AS l", "
		CREATE TEMP TABLE closing AS
		SELECT ts, min(pg_xact_commit_timestamp(xmin)) OVER (ORDER BY ts DESC) AS closed_at FROM tick;
		CREATE INDEX ON closing (ts); ANALYZE closing");
	printf "%-36s %8.1f %8.1f %8.1f %8d   %.0f commits a second, %.0f us of worker CPU each\n",
	  $name, split(/\|/, $line), $commits, $used / $commits / $duration * 1e6;
	ask('DROP TABLE closing');
	drop_query();
	return;
}

# Commits a second, as many as there can be.
sub commit_rate
{
	my ($clients) = @_;

	ask('TRUNCATE tick');
	return pgbench($clients, 5);
}

sub pgbench
{
	my ($clients, $duration, @options) = @_;
	my $statement = "INSERT INTO bench.tick VALUES (timestamp '2024-01-01' + nextval('bench.clock') * interval '1 s')";
	my $pid = open2(my $out, my $in, 'pgbench', '-n', '-M', 'prepared', '-f', '-', '-c', $clients, '-T', int($duration), @options, '-P', 600);

	print {$in} "$statement;\n";
	close $in;
	my ($tps) = map { /^tps = ([\d.]+)/ } <$out>;
	waitpid $pid, 0;
	return $tps // die "pgbench failed\n";
}

sub start_query
{
	my ($text, $options) = (@_, '');

	ask("SELECT watermark.create_query('bench', \$\$$text\$\$, sink => 'sink', with_history => false$options)");
	ask('SELECT watermark.advance()');
	return;
}

# Publishes what is open, compares it with the same query by hand, and drops it.
sub end_query
{
	my ($name, $expected) = @_;

	ask('SELECT watermark.advance()');
	ask("SELECT watermark.drain_query('bench')");
	ask('SELECT watermark.advance()');
	check($name, 'sink', $expected);
	drop_query();
	return;
}

# Until the worker is gone, so that the next one is a new one.
sub drop_query
{
	ask("SELECT watermark.drop_query('bench')");
	ask('DROP TABLE sink');
	select undef, undef, undef, 0.01 while worker();
	return;
}

# Counts a result that is not the batch query's.
sub check
{
	my ($name, $table, $expected) = @_;
	my $result = $expected ? "TABLE $table" : "SELECT window_start, k, n, total FROM $table";

	$expected //= sprintf $by_hand, 'event';
	my $differences = ask("SELECT count(*) FROM (($result EXCEPT ALL $expected) UNION ALL ($expected EXCEPT ALL $result)) AS d");

	return if $differences eq '0';
	print "$name: $differences rows differ\n";
	$misses++;
	return;
}

# All rows in one transaction, or each file in one of its own and a statement after it.
sub load
{
	my ($file, $after) = @_;

	for my $name (defined $file ? $file : 0 .. int(($rows - 1) / $transaction_rows))
	{
		ask("COPY event FROM '$folder/$name'");
		ask($after) if $after;
	}
	return;
}

sub worker
{
	return ask("SELECT max(pid) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'apply_watermark worker'");
}

# Seconds of CPU of a process so far.
sub cpu
{
	my ($pid) = @_;

	if (open my $in, '<', "/proc/$pid/schedstat")
	{
		my ($ns) = split ' ', <$in>;
		return $ns / 1e9 if $ns;
	}
	open my $in, '<', "/proc/$pid/stat" or die "no process $pid here: $!\n";
	my @fields = split ' ', (<$in> =~ s/^.*\) //r);
	return ($fields[11] + $fields[12]) / $ticks;
}

# Ways in the order of their cost, beside one of them.
sub report
{
	my ($title, $used, $base, $n_rows) = @_;
	my %least = map { $_ => min @{ $used->{$_} } } keys %$used;

	printf "\n%-58s %7s %8s %8s %10s\n", $title, 'ratio', 'least', 'middle', 'rows/s';
	for my $way (sort { $least{$a} <=> $least{$b} } keys %least)
	{
		my @sorted = sort { $a <=> $b } @{ $used->{$way} };

		printf "  %-56s %7.2f %8.3f %8.3f %10.0f\n", $way, $least{$way} / $least{$base},
		  $least{$way}, $sorted[ @sorted / 2 ], $n_rows / $least{$way};
	}
	return;
}

sub start_profile
{
	my ($worker) = @_;
	my $file = "/tmp/aw_continuous_$worker.perf";
	my $pid = fork // die "fork: $!\n";

	if ($pid == 0)
	{
		open STDERR, '>', '/dev/null';
		open STDOUT, '>', '/dev/null';
		exec 'perf', 'record', '-F', 500, '--call-graph', 'dwarf,16384', '-p', $worker, '-o', $file;
		die "perf: $!\n";
	}
	select undef, undef, undef, 1;
	return { pid => $pid, file => $file };
}

# Shares of the samples by the first of our functions below which they are.
sub print_profile
{
	my ($name, $profiler) = @_;
	my @phases = (
		[ 'decode' => qr/aw_capture_read/ ],
		[ 'watermarks' => qr/aw_query_run_watermarks/ ],
		[ 'publish' => qr/close_windows/ ],
		[ 'ingest and state' => qr/aw_query_run_ingest|aw_queryplan_run|take_in_row/ ],
		[ 'write' => qr/aw_continuous_write/ ],
		[ 'commit' => qr/CommitTransactionCommand/ ],
	);
	my %samples;

	kill INT => $profiler->{pid};
	waitpid $profiler->{pid}, 0;
	open my $in, '-|', "perf script -i $profiler->{file} -F sym,ip 2>/dev/null" or die "perf: $!\n";
	local $/ = '';
	while (my $stack = <$in>)
	{
		my ($phase) = map { $_->[0] } grep { $stack =~ $_->[1] } @phases;
		$samples{ $phase // 'other' }++;
	}
	close $in;
	unlink $profiler->{file};
	my $all = sum values %samples;
	print "\nprofile of $name, $all samples: ",
	  join(', ', map { sprintf '%s %.0f %%', $_, 100 * $samples{$_} / $all } sort { $samples{$b} <=> $samples{$a} } keys %samples),
	  "\n";
	return;
}

# Sends statements and gives the last line that the first one puts out; the others come
# before it.
sub ask
{
	my ($statement, $before) = @_;
	my $last = '';

	print {$commands} $before ? "$before;\n" : '', "$statement;\n\\echo -- done\n";
	$commands->flush;
	while (my $line = <$answers>)
	{
		chomp $line;
		return $last if $line eq '-- done';
		$last = $line;
	}
	die "psql ended\n";
}
