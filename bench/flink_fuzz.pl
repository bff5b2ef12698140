#!/usr/bin/perl
#
# Feeds flink_sql() with damaged statements, and checks that it never does worse than
# to refuse them.
#
#	bench/flink_fuzz.pl [--seed N] [--count N] [--batch N] [--only N] [--cases DIR]
#
# Runs in the database that the PG* variables name, which has the extension, on the
# same machine, as a superuser: it reads the memory of the backend from /proc.
#
# Inputs are the statements of the conformance cases (default test/conformance) and of
# a list below, with tokens deleted, doubled, swapped or taken from other statements,
# with characters of all kinds, unclosed quotes, endless names and nesting to 10,000
# levels.  Input N depends on the seed and N alone: --only N prints it.  They go in
# batches of one session each.  A failure is
#
#	a server that goes away, or is not the same at the end
#	an error whose SQLSTATE does not say what is wrong with the statement
#	an input that takes more than two seconds
#	memory that a batch leaves behind
#
# Failures are printed with the input's number.  The last line is a summary, and the
# exit status tells whether there was a failure.

use strict;
use warnings;
use FindBin;
use Getopt::Long;
use IPC::Open2;

binmode STDOUT, ':utf8';
$| = 1;
my ($seed, $count, $batch, $only) = (1, 100_000, 2000, undef);
my $cases = "$FindBin::Bin/../test/conformance";
GetOptions(
	'seed=i' => \$seed,
	'count=i' => \$count,
	'batch=i' => \$batch,
	'only=i' => \$only,
	'cases=s' => \$cases) or die "usage: flink_fuzz.pl [--seed N] [--count N] [--batch N] [--only N] [--cases DIR]\n";

my $proper = qr/^(?:0A000|22...|3F000|42...|54001|54011|54023)$/;
my $max_seconds = 2;
my $max_context_bytes = 1024 * 1024;
my $max_resident_bytes = 64 * 1024 * 1024;

my @statements = (statements_of_cases($cases), own_statements());
my @tokens = map { tokens_of($_) } @statements;
my @quotes = ("'", '`', '"', '/*', '*/', '--', '$$', '$a$', ';', '(', ')', '<', '>', '[', ']', '{', '}', "\\", '=>', '::', '?', ':a', '@');
my @mutations = (
	\&delete_token, \&delete_range, \&double_token, \&swap_tokens, \&replace_token,
	\&insert_token, \&insert_quote, \&insert_characters, \&cut_off, \&splice_statement,
	\&long_name, \&change_case);
my @depths = (10, 100, 1000, 10_000);

# A construct that nests: before, innermost, after.
my @nests = (
	['SELECT ', '(', '1', ')', ' FROM t'],
	['SELECT ', 'CASE WHEN a = 1 THEN ', '1', ' ELSE 0 END', ' FROM t'],
	['', 'SELECT * FROM (', 'TABLE t', ') AS s', ''],
	['SELECT 1 ', '/* ', 'comment', ' */', ''],
	['SELECT * FROM t WHERE ', 'NOT ', 'a', '', ''],
	['SELECT ', '-', '1', '', ''],
	['SELECT ', '- ', '1', '', ''],
	['SELECT ', 'CAST(', 'a', ' AS STRING)', ' FROM t'],
	['SELECT ', 'COALESCE(a, ', 'b', ')', ' FROM t'],
	['CREATE TABLE t (a ', 'ARRAY<', 'INT', '>', ") WITH ('connector' = 'print')"],
	['CREATE TABLE t (a ', 'ROW<b ', 'INT', '>', ") WITH ('connector' = 'print')"],
	['CREATE TABLE t (a ', 'MAP<STRING, ', 'INT', '>', ") WITH ('connector' = 'print')"],
	['SELECT * FROM ', "TABLE(TUMBLE((SELECT * FROM ", 't', "), DESCRIPTOR(ts), INTERVAL '1' MINUTE))", ''],
	['', 'WITH c AS (', 'SELECT 1', ') SELECT * FROM c', ''],
	['SELECT a FROM t WHERE a IN ', '(SELECT a FROM t WHERE a IN ', '(1)', ')', ''],
	['SELECT 1', ' UNION ALL SELECT 1', '', '', ''],
	['SELECT * FROM t', ' JOIN t ON a = b', '', '', ''],
	['SELECT * FROM t WHERE a = 1', ' AND a = 1', '', '', ''],
	['SELECT a', ' || a', '', '', ' FROM t'],
	['SELECT a', '.a', '', '', ' FROM t'],
	['SELECT ', 'a, ', 'a', '', ' FROM t'],
	['SELECT ', '1;', '', '', ''],
	['SELECT ', 'ARRAY[', '1', ']', ' FROM t'],
	['SELECT ', 'ROW(', '1', ')', ' FROM t'],
	['SELECT a', '[1', '', ']', ' FROM t'],
	['', '(', 'SELECT 1', ')', '']);

if (defined $only)
{
	print input($only), "\n";
	exit 0;
}

my ($translated, $failures, $slowest) = (0, 0, 0);
my %refused;
my $postmaster = sql('SELECT pg_postmaster_start_time()');

for (my $next = 1; $next <= $count;)
{
	my $last = $next + $batch - 1;
	$next = run_batch($next, $last < $count ? $last : $count);
}
failure(0, 'the server was restarted') if sql('SELECT pg_postmaster_start_time()') ne $postmaster;
printf "flink_fuzz: %d inputs from seed %d, %d translated, refused: %s; slowest %.2f s; %d failures\n",
  $count, $seed, $translated,
  join(', ', map { "$refused{$_} $_" } sort keys %refused) || 'none', $slowest, $failures;
exit($failures ? 1 : 0);

# One session: the inputs from first to last, and its memory after a quarter and at the
# end.  Returns the input that is next, also where the session ends before its time.
sub run_batch
{
	my ($first, $last) = @_;
	my $quarter = $first + int(($last - $first) / 4);
	my ($number, @memory) = ($first - 1);
	local $SIG{PIPE} = 'IGNORE';
	my $pid = open2(my $out, my $in, session());
	binmode $_, ':utf8' for $in, $out;

	print $in preamble();
	for my $n ($first .. $last)
	{
		print $in sprintf("SELECT pg_temp.attempt(%d, \$input_%d\$%s\$input_%d\$);\n", $n, $n, input($n), $n);
		print $in "SELECT pg_temp.memory();\n" if $n == $quarter || $n == $last;
		print $in "\\echo read $n\n";

		# An answer for each input, so that neither side waits for the other.
		while (my $line = <$out>)
		{
			chomp $line;
			last if $line eq "read $n";
			if ($line =~ /^memory (\d+) (\d+)$/) { push @memory, [ $1, $2 ]; next }
			next unless $line =~ /^input $n: (\S+) (\S+)$/;
			$number = $n;
			judge($n, $1, $2);
		}
		last if $number < $n;
	}
	close $in;
	close $out;
	waitpid $pid, 0;
	judge_memory($first, $last, @memory) if @memory == 2;
	return $last + 1 if $number == $last;

	failure($number + 1, 'the session has ended, or there is no answer');
	return $number + 2;
}

sub judge
{
	my ($n, $state, $seconds) = @_;

	$state eq '00000' ? $translated++ : $refused{$state}++;
	$slowest = $seconds if $seconds > $slowest;
	failure($n, "SQLSTATE $state") unless $state eq '00000' || $state =~ $proper;
	failure($n, "$seconds s") if $seconds > $max_seconds;
	return;
}

sub judge_memory
{
	my ($first, $last, $before, $after) = @_;
	my ($contexts, $resident) = map { $after->[$_] - $before->[$_] } 0, 1;

	failure($first, "up to input $last memory contexts grew by $contexts bytes") if $contexts > $max_context_bytes;
	failure($first, "up to input $last the process grew by $resident bytes") if $resident > $max_resident_bytes;
	return;
}

sub failure
{
	my ($n, $what) = @_;
	$failures++;
	print "input $n of seed $seed: $what\n";
	return;
}

# Errors outside the attempts, such as a timeout, go where nobody reads them.
sub session
{
	return 'psql -X -q -A -t 2>/dev/null';
}

sub preamble
{
	return <<'SQL';
SET client_encoding = 'UTF8';
SET client_min_messages = error;
SET statement_timeout = '20s';
CREATE FUNCTION pg_temp.attempt(n int, input text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	state text := '00000';
	start timestamptz := clock_timestamp();
BEGIN
	BEGIN
		PERFORM flink_sql(input);
	EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
		state := SQLSTATE;
	END;
	RETURN format('input %s: %s %s', n, state, extract(epoch FROM clock_timestamp() - start));
END $$;
CREATE FUNCTION pg_temp.memory() RETURNS text
LANGUAGE sql AS $$
	SELECT format('memory %s %s', (SELECT sum(total_bytes) FROM pg_backend_memory_contexts),
				  (split_part(statm, ' ', 2)::bigint - split_part(statm, ' ', 3)::bigint) * 4096)
	FROM pg_read_file('/proc/self/statm', 0, 100) AS statm
$$;
SQL
}

sub sql
{
	my ($query) = @_;
	open my $psql, '-|', 'psql', '-X', '-q', '-A', '-t', '-c', $query or die "psql: $!\n";
	my $answer = do { local $/; <$psql> };
	close $psql or die "no answer to $query\n";
	return $answer;
}

# Input n of the seed.
sub input
{
	my ($n) = @_;
	my $text;

	srand($seed * 1_000_003 + $n);
	if (rand() < 0.02)
	{
		$text = nested();
		return $text if rand() < 0.5;
	}
	else
	{
		$text = pick(@statements);
	}
	for (1 .. 1 + int(rand(4)))
	{
		my $mutation = pick(@mutations);
		$text = $mutation->($text);
	}
	return $text;
}

sub nested
{
	my ($head, $open, $innermost, $close, $tail) = @{ pick(@nests) };
	my $depth = pick(@depths);
	my $n_closed = rand() < 0.3 ? int(rand($depth)) : $depth;

	return $head . $open x $depth . $innermost . $close x $n_closed . $tail;
}

sub delete_token { return edit($_[0], sub { '' }) }
sub double_token { return edit($_[0], sub { "$_[0] $_[0]" }) }
sub replace_token { return edit($_[0], sub { pick(@tokens) }) }
sub insert_token { return edit($_[0], sub { "$_[0] " . pick(@tokens) . ' ' }) }
sub insert_quote { return edit($_[0], sub { $_[0] . pick(@quotes) }) }
sub change_case { return edit($_[0], sub { rand() < 0.5 ? uc $_[0] : lc $_[0] }) }

sub long_name
{
	return edit($_[0], sub { pick('a', 'é', '`', '_', '1') x pick(62, 63, 64, 1000, 100_000) });
}

sub insert_characters
{
	my $characters = join '', map {
		chr(pick(1 + int(rand(31)), 32 + int(rand(96)), 128 + int(rand(128)), 0x4e00 + int(rand(999)), 0x1f600 + int(rand(50)), 0x200b))
	} 1 .. 1 + int(rand(8));
	return edit($_[0], sub { $_[0] . $characters });
}

sub delete_range
{
	my @parts = tokens_of($_[0]);
	splice @parts, int(rand(@parts)), 1 + int(rand(8)) if @parts;
	return join '', @parts;
}

sub swap_tokens
{
	my @parts = tokens_of($_[0]);
	return '' unless @parts;
	my ($i, $j) = (int(rand(@parts)), int(rand(@parts)));
	@parts[ $i, $j ] = @parts[ $j, $i ];
	return join '', @parts;
}

sub cut_off
{
	return rand() < 0.5 ? substr($_[0], 0, int(rand(1 + length $_[0]))) : substr($_[0], int(rand(1 + length $_[0])));
}

sub splice_statement
{
	return cut_off($_[0]) . ' ' . cut_off(pick(@statements));
}

# A text with one of its tokens put through a function.
sub edit
{
	my ($text, $change) = @_;
	my @parts = tokens_of($text);
	my $i = int(rand(@parts || 1));

	$parts[$i] = $change->($parts[$i] // '');
	return join '', @parts;
}

sub pick { return $_[ int(rand(@_)) ] }

sub tokens_of
{
	return $_[0] =~ /(\s+|--[^\n]*|'(?:[^']++|'')*+'|`[^`]*`|\w+|=>|<>|<=|>=|\|\||.)/gs;
}

# Each statement once; a semicolon at the end of a line ends it.
sub statements_of_cases
{
	my ($dir) = @_;
	my (%seen, @found);

	for my $path (sort glob("$dir/*/flink.sql"))
	{
		open my $in, '<:encoding(UTF-8)', $path or die "$path: $!\n";
		my $text = do { local $/; <$in> };
		close $in;
		push @found, grep { /\S/ && !$seen{$_}++ } split /;[ \t]*\n/, $text;
	}
	die "no statements in $dir\n" unless @found;
	return @found;
}

sub own_statements
{
	my $statements = <<'SQL';
TABLE t
;;
DESC t; DESCRIBE t
;;
SHOW CREATE TABLE t
;;
SHOW CREATE VIEW v
;;
SET 'table.local-time-zone' = 'Asia/Shanghai'
;;
SET table.local-time-zone = UTC; RESET 'a.b'
;;
DROP TABLE IF EXISTS t; DROP TEMPORARY VIEW v
;;
INSERT INTO sink SELECT a, b FROM t
;;
INSERT INTO sink (a, b) VALUES (1, 'x'), (2, CAST(NULL AS STRING))
;;
CREATE TEMPORARY TABLE orders (
  `id` BIGINT NOT NULL COMMENT 'the id', `na``me` STRING, price DECIMAL(10, 2), tags ARRAY<STRING>, r ROW<a INT, `b c` ROW<d TIMESTAMP(3)>>,
  m MAP<STRING, INT>, b BYTES, t TIME(0), l TIMESTAMP_LTZ(3), w TIMESTAMP(3) WITH LOCAL TIME ZONE, v VARCHAR(2147483647),
  total AS price * 2, pt AS PROCTIME(), o BIGINT METADATA FROM 'offset' VIRTUAL, ts TIMESTAMP(3) METADATA,
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, PRIMARY KEY (id) NOT ENFORCED
) COMMENT 'it''s' WITH ('connector' = 'kafka', 'topic' = 'o''x', 'properties.bootstrap.servers' = 'localhost:9092')
;;
CREATE TABLE gen (id BIGINT, s STRING, ts AS LOCALTIMESTAMP) WITH ('connector' = 'datagen', 'rows-per-second' = '5', 'fields.id.kind' = 'sequence',
  'fields.id.start' = '1', 'fields.id.end' = '9', 'fields.s.length' = '3')
;;
CREATE TABLE files (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'file:///tmp/x', 'format' = 'csv')
;;
CREATE TABLE sink (id INT) WITH ('connector' = 'print', 'print-identifier' = 'p'); CREATE TABLE hole (id INT) WITH ('connector' = 'blackhole')
;;
CREATE TABLE j (id INT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://localhost/db', 'table-name' = 'orders')
;;
CREATE VIEW v (a, b) COMMENT 'c' AS SELECT id, COUNT(*) FROM orders GROUP BY id
;;
CREATE TEMPORARY VIEW wv WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE AS SELECT * FROM orders
;;
CREATE VIEW old_form WATERMARK FOR ts AS ts - INTERVAL '0.500' SECOND SELECT * FROM orders
;;
ALTER VIEW wv SET WATERMARK FOR ts AS ts - INTERVAL '2' MINUTES
;;
ALTER VIEW wv DROP WATERMARK
;;
SELECT window_start, window_end, SUM(price) FROM TABLE(TUMBLE(DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES)) GROUP BY window_start, window_end
;;
SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE))
;;
SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE))
;;
SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY (a, b), DESCRIPTOR(ts), INTERVAL '5' MINUTE))
;;
SELECT * FROM APPLY_WATERMARK(TABLE t, DESCRIPTOR(ts), ts - INTERVAL '5' SECOND)
;;
SELECT * FROM TABLE(APPLY_WATERMARK((SELECT * FROM t WHERE a > 1), DESCRIPTOR(ts), ts - INTERVAL '5' SECOND)) AS w
;;
SELECT TUMBLE_START(ts, INTERVAL '1' HOUR), TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR), COUNT(DISTINCT a) FILTER (WHERE b > 1) FROM t GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)
;;
SELECT SESSION_END(ts, INTERVAL '1' HOUR), HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR) FROM t GROUP BY SESSION(ts, INTERVAL '1' HOUR), GROUPING SETS ((a), ())
;;
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY ts DESC) AS n FROM t) WHERE n <= 3
;;
SELECT a, SUM(b) OVER (PARTITION BY a ORDER BY ts RANGE BETWEEN INTERVAL '10' MINUTE PRECEDING AND CURRENT ROW) FROM t
;;
SELECT o.*, r.rate FROM orders AS o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency
;;
SELECT * FROM a, b WHERE a.id = b.id AND a.ts BETWEEN b.ts - INTERVAL '4' HOUR AND b.ts
;;
WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION ALL SELECT 2 EXCEPT SELECT 3 INTERSECT SELECT 4 ORDER BY 1 LIMIT 5
;;
SELECT TO_TIMESTAMP('2024-01-01', 'yyyy-MM-dd'), FROM_UNIXTIME(0), TO_TIMESTAMP_LTZ(1, 3), UNIX_TIMESTAMP(), DATE_FORMAT(ts, 'HH:mm'), TIMESTAMPDIFF(SECOND, a, b)
;;
SELECT JSON_VALUE(j, '$.a'), LISTAGG(s, ','), CURRENT_WATERMARK(ts), CURRENT_ROW_TIMESTAMP(), TRY_CAST(s AS INT), IF(a > 1, 'x', 'y'), `t`.`a` FROM t
;;
SELECT r.a.b, arr[1], m['k'], ROW(1, 'a'), ARRAY[1, 2], MAP['a', 1], CARDINALITY(arr), U&'\00e9', X'0f', DATE '2024-01-01', TIME '10:00:00', TIMESTAMP '2024-01-01 00:00:00' FROM t CROSS JOIN UNNEST(arr) AS u (e)
;;
SELECT INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 02:03:04.005' DAY TO SECOND(3), INTERVAL '10' DAYS, INTERVAL '300' SECOND(3), INTERVAL -'5' MINUTE, INTERVAL '500' MILLISECOND
;;
SELECT a /*+ OPTIONS('x'='y') */ FROM t /*+ OPTIONS('scan.startup.mode' = 'earliest-offset') */ -- note
;;
SELECT CASE a WHEN 1 THEN 'x' ELSE 'y' END, a NOT IN (1, 2), a IS DISTINCT FROM b, s LIKE 'a%' ESCAPE '!', EXTRACT(DAY FROM ts), FLOOR(ts TO HOUR), a BETWEEN 1 AND 2, EXISTS (SELECT 1), NOT b IS NOT NULL, SUBSTRING(s FROM 1 FOR 2), TRIM(BOTH ' ' FROM s), POSITION('a' IN s), OVERLAY(s PLACING 'x' FROM 1) FROM t
;;
BEGIN STATEMENT SET; INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END
;;
EXPLAIN SELECT 1
;;
USE CATALOG c; SHOW TABLES; CREATE FUNCTION f AS 'x.Y'; ADD JAR 'x'
;;
SET 'execution.runtime-mode' = 'streaming'; SET 'pipeline.name' = 'j'; CREATE TABLE w (a INT, s STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts); CREATE TABLE k (s STRING, n BIGINT, d AS n + 1); INSERT INTO k SELECT s, COUNT(*) FROM TABLE(TUMBLE(TABLE w, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, s; INSERT INTO k (s) TABLE k
;;
SHOW JOBS; DESCRIBE JOB 'j'; STOP JOB 'j' WITH SAVEPOINT WITH DRAIN; STOP JOB 'k'
;;

SQL
	return split /;;\n/, $statements;
}
