#!/usr/bin/perl
#
# Checks the runner of the conformance cases: what is wrong must not pass.
#
#	conformance_check.pl
#
# Makes cases of its own, most of them broken in one way, and looks at the verdicts of
# conformance.pl, which runs them on the server of PGHOST and the like.  The server needs what
# continuous queries need.

use strict;
use warnings;
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $RULES = <<'END';
group: Flink cannot, we can

rule: odd-numbers
difference: accepted
flink error: no odd numbers
reason: A reason
    in two lines.

rule: ties
difference: rows
sql: OVER
compare: ties
reason: Equal rows have no order.

rule: no-window
difference: refused
our error: needs a window
compare: hand
reason: By hand alone.

rule: nothing
difference: accepted
flink error: never said
reason: None.
END

my @COLUMNS = ([ 'id', 'integer', 'INT' ], [ 'v', 'double precision', 'DOUBLE' ], [ 's', 'text', 'STRING' ]);

# What a whole case is.
my %BASE = (
	'case.json' => {
		feature => 'check', mode => 'batch', outcome => 'rows', set_columns => ['ids'], tags => [],
		inputs => [ { name => 'T', file => 't.csv', columns => \@COLUMNS } ],
		apply_watermark => [],
		output => \@COLUMNS
	},
	't.csv' => qq(id,v,s\n1,0.1,a\n2,,""\n2,,""\n3,1e3,\n),
	'flink.sql' => "-- a; comment\nCREATE TABLE T (id INT, v DOUBLE, s STRING) WITH ('connector' = 'replay');\n"
	  . "SELECT id, v, s FROM T;\n",
	'expected.csv' => qq(id,v,s\n3,1000.0,\n1,0.1,a\n2,,""\n2,,""\n)
);
my $REFUSED = { outcome => 'error', error => { stage => 'validate', message => 'no odd numbers' } };
my $NO_HALVES = { outcome => 'error', error => { stage => 'validate', message => 'no halves' } };

# What differs in a whole stream case: a window of three rows, the third of which is late, is
# closed by the second, and another one in the end.
my $STREAM_SQL = <<'END';
CREATE TABLE T (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'replay');
SELECT window_start, COUNT(*) AS cnt FROM TABLE(TUMBLE(TABLE T, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end;
END
my @STREAM_COLUMNS = ([ 'id', 'integer', 'INT' ], [ 'ts', 'timestamp(3)', 'TIMESTAMP(3)' ]);
my %STREAM_FILES = (
	't.csv' => "id,ts\n1,2024-01-01 00:00:01.000\n2,2024-01-01 00:00:11.000\n3,2024-01-01 00:00:02.000\n",
	'flink.sql' => $STREAM_SQL,
	'expected.csv' => "window_start,cnt\n2024-01-01 00:00:00.000,1\n2024-01-01 00:00:10.000,1\n",
	'emission.csv' => "after_row,op,window_start,cnt\n2,+I,2024-01-01 00:00:00.000,1\n"
	  . "end,+I,2024-01-01 00:00:10.000,1\n",
	'watermarks-T.csv' => "row,id,ts,watermark_on_arrival\n1,1,2024-01-01 00:00:01.000,\n"
	  . "2,2,2024-01-01 00:00:11.000,2024-01-01 00:00:00.000\n"
	  . "3,3,2024-01-01 00:00:02.000,2024-01-01 00:00:10.000\n"
);
my %STREAM_KEYS = (
	mode => 'stream', set_columns => [], emission_reliable => JSON::PP::true, watermarks => ['watermarks-T.csv'],
	inputs => [ { name => 'T', file => 't.csv', columns => \@STREAM_COLUMNS } ],
	output => [ [ 'window_start', 'timestamp(3)', 'TIMESTAMP(3)' ], [ 'cnt', 'bigint', 'BIGINT' ] ]
);
my $NO_PLAN = { outcome => 'error', error => { stage => 'plan', message => 'no plan' } };

my $UNKNOWN = { 'flink.sql' => $BASE{'flink.sql'} =~ s/id, v, s FROM/id FROBNICATE v, s FROM/r };

# Each: name, verdict, what is said (a pattern), and what differs from the whole case:
# texts of files (undef: there is none), and keys of case.json.
my @CHECKS = (
	[ 'whole', 'passed', qr//, {} ],
	[ 'row-differs', 'failed', qr/only Flink: 1 \| 0\.2 \| a.*only here:  1 \| 0\.1 \| a/s,
		{ 'expected.csv' => qq(id,v,s\n3,1000,\n1,0.2,a\n2,,""\n2,,""\n) } ],
	[ 'row-missing', 'failed', qr/only Flink: 4 \| NULL \| ""/,
		{ 'expected.csv' => $BASE{'expected.csv'} . qq(4,,""\n) } ],
	[ 'row-once', 'failed', qr/only here:  2 \| NULL \| ""/,
		{ 'expected.csv' => qq(id,v,s\n3,1000,\n1,0.1,a\n2,,""\n) } ],
	[ 'quotes', 'passed', qr//, {
		't.csv' => qq(id,v,s\n1,2,"a ""b"",\nc"\n3,4,\\x 'y'\n),
		'expected.csv' => qq(id,v,s\n1,2,"a ""b"",\nc"\n3,4,\\x 'y'\n) } ],
	[ 'null-is-not-empty', 'failed', qr/only Flink: 2 \| NULL \| NULL/,
		{ 'expected.csv' => qq(id,v,s\n3,1000,\n1,0.1,a\n2,,\n2,,""\n) } ],
	[ 'null-is-not-the-word', 'failed', qr/only Flink: 1 \| 0\.1 \| "NULL".*only here:  1 \| 0\.1 \| NULL/s,
		{ 't.csv' => qq(id,v,s\n1,0.1,\n), 'expected.csv' => qq(id,v,s\n1,0.1,NULL\n) } ],
	[ 'empty-is-not-quotes', 'failed', qr/only Flink: 1 \| 0\.1 \| """""".*only here:  1 \| 0\.1 \| ""$/ms,
		{ 't.csv' => qq(id,v,s\n1,0.1,""\n), 'expected.csv' => qq(id,v,s\n1,0.1,""""""\n) } ],
	[ 'bars-are-no-columns', 'failed', qr/only Flink: a \| "x \| y"/,
		texts('a,x | y', 'a | x,y') ],
	[ 'double-is-near', 'passed', qr//, {
		't.csv' => qq(id,v,s\n1,1000000000000,1\n),
		'expected.csv' => qq(id,v,s\n1,1000000000003,1\n) } ],
	[ 'other-number-is-not-near', 'failed', qr/only here:  1 \| 1000000000000 \| 1000000000000/, {
		't.csv' => qq(id,v,s\n1,1000000000000,1000000000000\n),
		'expected.csv' => qq(id,v,s\n1,1000000000003,1000000000003\n) } ],
	[ 'statement-set', 'passed', qr//, { 'flink.sql' => in_sets() } ],
	[ 'type-differs', 'failed', qr/column "id": Flink has BIGINT, here it is integer/,
		{}, { output => [ [ 'id', 'bigint', 'BIGINT' ], @COLUMNS[ 1, 2 ] ] } ],
	[ 'unknown-construct', 'failed', qr/statement: SELECT id FROBNICATE v, s FROM T/, $UNKNOWN ],
	[ 'unknown-function', 'failed', qr/frobnicate/i,
		{ 'flink.sql' => $BASE{'flink.sql'} =~ s/SELECT id/SELECT FROBNICATE(id) AS id/r } ],
	[ 'ties', 'passed', qr/\[ties\]/, numbered('v', '1,1,a', '2,1,b', '3,2,c') ],
	[ 'ties-elsewhere', 'failed', qr/only here:  3 \| 2 \| c/, numbered('v', '2,1,a', '3,1,b', '1,2,c') ],
	[ 'ties-of-other-rows', 'failed', qr/only Flink: 2 \| 1 \| d/, numbered('v', '1,1,a', '2,1,d', '3,2,c') ],
	[ 'stream', 'passed', qr//, stream() ],
	[ 'stream-row-differs', 'failed', qr/only Flink: 2024-01-01 00:00:00\.000 \| 2/,
		stream('expected.csv', 's/000,1/000,2/') ],
	[ 'stream-row-later', 'failed', qr/only Flink: 3 \| \+I \| 2024.*only here:  2 \| \+I \| 2024/s,
		stream('emission.csv', 's/^2/3/m') ],
	[ 'stream-row-never', 'failed', qr/only Flink: end.*only here:  2 /s, stream('emission.csv', 's/^2/end/m') ],
	[ 'stream-row-updated', 'failed', qr/only Flink: 2 \| \+U/, stream('emission.csv', 's/\+I/+U/') ],
	[ 'stream-watermark-differs', 'failed',
		qr/row 3 of "T" met another watermark: Flink has 2024-01-01 00:00:09\.000, here it is 2024-01-01 00:00:10\.000/,
		stream('watermarks-T.csv', 's/10.000$/09.000/m') ],
	[ 'stream-late-rows', 'passed', qr//, with_ids('1') ],
	[ 'stream-late-rows-differ', 'failed', qr/late rows differ: Flink has "", here they are "3"/, with_ids('1,3') ],
	[ 'stream-type-differs', 'failed', qr/column "cnt": Flink has INT, here it is bigint/,
		stream(undef, undef, output => [ $STREAM_KEYS{output}[0], [ 'cnt', 'integer', 'INT' ] ]) ],
	[ 'stream-without-emission', 'failed', qr/not a case: emission\.csv: no such file/, stream('emission.csv') ],
	[ 'stream-pause', 'passed', qr//, { %{ (stream())[0] },
		'arrival.csv' => "input,row\nT,1\nT,2\n\@pause,10\nT,3\n" }, { %STREAM_KEYS, arrival => 'arrival.csv' } ],
	[ 'stream-unknown', 'failed', qr/FROBNICATE/, stream('flink.sql', 's/COUNT/x FROBNICATE y, COUNT/') ],
	[ 'stream-refused', 'failed', qr/refused as a continuous query.*cannot use SESSION/s,
		stream('flink.sql', 's/TUMBLE/SESSION/') ],
	[ 'stream-refused-by-rule', 'passed', qr/\[no-window\]/, without_window(1) ],
	[ 'stream-refused-and-other-by-hand', 'failed', qr/only Flink: 2024-01-01 00:00:01\.000 \| 2/, without_window(2) ],
	[ 'stream-refused-by-both', 'passed', qr/no plan/, (stream('flink.sql', 's/TUMBLE/SESSION/', %$NO_PLAN)) ],
	[ 'stream-accepted', 'failed', qr/Flink refuses this: no plan/, stream(undef, undef, %$NO_PLAN) ],
	[ 'stream-query-fails', 'failed', qr/the continuous query failed \(22012\): ERROR: division by zero/,
		stream('flink.sql', 's/COUNT\(\*\)/SUM(1 \/ (id - 2))/') ],
	[ 'refused-by-both', 'passed', qr/no halves/,
		{ 'flink.sql' => $BASE{'flink.sql'} =~ s/SELECT id/SELECT nope/r }, $NO_HALVES ],
	[ 'refused-against-a-rule', 'failed', qr/by the rule odd-numbers, this runs/,
		{ 'flink.sql' => $BASE{'flink.sql'} =~ s/SELECT id/SELECT nope/r }, $REFUSED ],
	[ 'refused-by-a-bad-translation', 'failed', qr/statement: SELECT id FROBNICATE v/, $UNKNOWN, $NO_HALVES ],
	[ 'accepted-by-rule', 'passed', qr/\[odd-numbers\]/, {}, $REFUSED ],
	[ 'accepted', 'failed', qr/Flink refuses this: no halves/, {}, $NO_HALVES ],
	[ 'input-does-not-fit', 'failed', qr/could not be inserted/,
		{ 't.csv' => qq(id,v,s\nx,0.1,a\n) } ],
	[ 'no-description', 'failed', qr/not a case: case\.json: no such file/, { 'case.json' => undef } ],
	[ 'no-json', 'failed', qr/not a case: case\.json: /, { 'case.json' => '{"mode": ' } ],
	[ 'no-mode', 'failed', qr/not a case: case\.json: "mode" is "", not one of/, {}, { mode => undef } ],
	[ 'no-statements', 'failed', qr/not a case: flink\.sql: no such file/, { 'flink.sql' => undef } ],
	[ 'empty-statements', 'failed', qr/not a case: flink\.sql: no statement/, { 'flink.sql' => "-- none;\n" } ],
	[ 'no-query', 'failed', qr/not a case: flink\.sql: no query/,
		{ 'flink.sql' => $BASE{'flink.sql'} =~ s/SELECT.*//sr } ],
	[ 'no-answer', 'failed', qr/not a case: expected\.csv: no such file/, { 'expected.csv' => undef } ],
	[ 'nothing-printed', 'failed', qr/not a case: printed\.txt: nothing is printed/,
		{ 'printed.txt' => '' }, { printed => JSON::PP::true } ],
	[ 'other-columns', 'failed', qr/not a case: expected\.csv: the columns are id, but/,
		{ 'expected.csv' => "id\n1\n" } ],
	[ 'short-row', 'failed', qr/not a case: t\.csv: row 2 has 2 fields, not 3/,
		{ 't.csv' => "id,v,s\n1,2,a\n1,2\n" } ],
	[ 'no-input', 'failed', qr/not a case: t\.csv: no such file/, { 't.csv' => undef } ],
	[ 'no-message', 'failed', qr/not a case: case\.json: no "error"/, {}, { outcome => 'error' } ],
);

write_file("$dir/rules", $RULES);
make_case(@$_[ 0, 3, 4 ]) for @CHECKS;
my ($status, $said) = run_runner('--verbose', "$dir/cases");
my %said_of = $said =~ /^(?:passed|failed|skipped): (\S+)(.*?)(?=^(?:passed|failed|skipped): |^\n)/msg;

for my $check (@CHECKS)
{
	my ($name, $result, $pattern) = @$check;
	ok($said =~ /^$result: \Q$name\E(?: |$)/m, "$name: $result");
	like($said_of{$name} // '', $pattern, "$name: the reason is given");
}
my %count;
$count{ $_->[1] }++ for @CHECKS;
like(substr($said, -40), qr/\n$count{passed} passed, $count{failed} failed, 0 skipped\n\z/,
	'the last line counts');
is($status, 1, 'a failure is told by the exit status');
ok($said =~ /^not needed: nothing$/m, 'a rule that no case needs is named');

($status, $said) = run_runner('--case', '^whole$', "$dir/cases");
is($status, 0, 'the exit status is 0 if no case fails');
like($said, qr/^1 passed, 0 failed, 0 skipped\n\z/m, '--case chooses');

check_stop([ '--case', 'nothing-like-this', "$dir/cases" ], qr/no cases that match/, 'no case is no success');
check_stop(["$dir/none"], qr/no such directory/, 'a directory must be there');
write_file("$dir/rules", $RULES =~ s/^flink error: never said\n//mr);
check_stop(["$dir/cases"], qr/rule "nothing" has no pattern/, 'a rule without a pattern is refused');
write_file("$dir/rules", $RULES =~ s/^reason: None.\n//mr);
check_stop(["$dir/cases"], qr/rule "nothing" has no reason/, 'a rule without a reason is refused');
done_testing();

# A case that numbers the rows b, a (both 1) and c (2) in the order of a column.
sub numbered
{
	my ($column, @rows) = @_;

	return {
		't.csv' => qq(id,v,s\n0,1,b\n0,1,a\n0,2,c\n),
		'expected.csv' => join("\n", 'id,v,s', @rows, ''),
		'flink.sql' => $BASE{'flink.sql'} =~
		  s/SELECT.*/SELECT ROW_NUMBER() OVER (ORDER BY $column) AS id, v, s FROM T;\n/sr
	}, { output => [ [ 'id', 'bigint', 'BIGINT' ], @COLUMNS[ 1, 2 ] ] };
}

# A case with two texts for columns: what Flink gives, and what we do.
sub texts
{
	my ($theirs, $ours) = @_;

	return {
		't.csv' => qq(id,v,s\n1,1,"$ours"\n),
		'expected.csv' => "a,b\n$theirs\n",
		'flink.sql' => $BASE{'flink.sql'} =~
		  s/SELECT.*/SELECT SPLIT_INDEX(s, ',', 0) AS a, SPLIT_INDEX(s, ',', 1) AS b FROM T;\n/sr
	}, { output => [ [ 'a', 'text', 'STRING' ], [ 'b', 'text', 'STRING' ] ] };
}

# A stream case with an edited file, or without it, and with other keys.
sub stream
{
	my ($file, $edit, %keys) = @_;
	my %files = %STREAM_FILES;

	if (defined $edit) { eval "\$files{\$file} =~ $edit; 1" or die $@ }
	elsif (defined $file) { $files{$file} = undef }
	return \%files, { %STREAM_KEYS, %keys };
}

# A stream case that lists the rows of each window, those of the first one as given.
sub with_ids
{
	my ($ids) = @_;
	my ($files, $keys) = stream('flink.sql', 's/COUNT\(\*\) AS cnt/LISTAGG(CAST(id AS STRING)) AS ids/',
		set_columns => ['ids'], output => [ $STREAM_KEYS{output}[0], [ 'ids', 'text', 'STRING' ] ]);

	$files->{'expected.csv'} = qq(window_start,ids\n2024-01-01 00:00:00.000,"$ids"\n2024-01-01 00:00:10.000,2\n);
	$files->{'emission.csv'} = qq(after_row,op,window_start,ids\n2,+I,2024-01-01 00:00:00.000,"$ids"\n)
	  . "end,+I,2024-01-01 00:00:10.000,2\n";
	return $files, $keys;
}

# A stream case without a window, of a row that Flink counts so often.
sub without_window
{
	my ($count) = @_;
	my ($files, $keys) = stream('flink.sql', 's/SELECT.*/SELECT ts AS window_start, CAST(1 AS BIGINT) AS cnt FROM T;/s');

	$files->{'t.csv'} = "id,ts\n1,2024-01-01 00:00:01.000\n";
	$files->{'expected.csv'} = "window_start,cnt\n2024-01-01 00:00:01.000,$count\n";
	$files->{'watermarks-T.csv'} = "row,id,ts,watermark_on_arrival\n1,1,2024-01-01 00:00:01.000,\n";
	return $files, $keys;
}

# The rows through a table of their own, by two statement sets.
sub in_sets
{
	return $BASE{'flink.sql'} =~ s{SELECT.*}{<<'END'}ser;
CREATE TABLE U (id INT, v DOUBLE, s STRING) WITH ('connector' = 'replay');
BEGIN STATEMENT SET;
INSERT INTO U SELECT id, v, s FROM T WHERE id < 2; -- END;
INSERT INTO U SELECT id, v, s FROM T WHERE id = 2;
END;
EXECUTE STATEMENT SET BEGIN INSERT INTO U SELECT id, v, s FROM T WHERE id > 2; END;
SELECT id, v, s FROM U;
END
}

sub make_case
{
	my ($name, $files, $keys) = @_;
	my %files = (%BASE, %$files);
	my $description = $files{'case.json'};

	$files{'case.json'} = JSON::PP->new->encode({ %$description, %{ $keys // {} } })
	  if ref $description;
	make_path("$dir/cases/$name");
	write_file("$dir/cases/$name/$_", $files{$_}) for grep { defined $files{$_} } keys %files;
	return;
}

sub write_file
{
	my ($path, $text) = @_;

	open my $out, '>', $path or die "$path: $!\n";
	print $out $text;
	close $out or die "$path: $!\n";
	return;
}

# The exit status of conformance.pl and all that it says.
sub run_runner
{
	my (@arguments) = @_;
	my $pid = open my $pipe, '-|';

	die "fork: $!\n" unless defined $pid;
	if ($pid == 0)
	{
		open STDERR, '>&', \*STDOUT or die "$!\n";
		exec $^X, "$FindBin::Bin/conformance.pl", '--rules', "$dir/rules", @arguments;
	}
	my $text = do { local $/; <$pipe> } // '';
	close $pipe;
	return ($? >> 8, $text);
}

sub check_stop
{
	my ($arguments, $pattern, $title) = @_;
	my ($code, $text) = run_runner(@$arguments);

	ok($code == 2 && $text =~ $pattern && $text !~ /passed/, $title) or diag($code, ": ", $text);
	return;
}
