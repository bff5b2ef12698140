#!/usr/bin/perl
#
# Runs a directory of conformance cases and compares with what Flink gave.
#
#	conformance.pl [--case PATTERN] [--verbose] [--rules FILE] [DIRECTORY]
#	conformance.pl --print-differences [--rules FILE]
#
# The cases (default: test/conformance) have the format that test/conformance/README.md
# describes; DIRECTORY may also be a single case.  They run on the server of PGHOST and
# the like, in a database of their own, through flink_sql() and psql.
#
# A case passes if it gives Flink's rows, in columns of the same types; if both refuse
# it, and we not as an unknown construct or for syntax that is Flink's; or if a rule covers each
# difference: see test/conformance_rules.  The query of a stream case runs as a continuous
# query, and must give each row at the same moment, of the input's rows that have arrived,
# and find the same rows late.  On a server that is not set up for that, it is run by hand,
# which must not fail, and skipped.
#
# The last line is "N passed, N failed, N skipped".  Exit status 0: none failed, 1: some
# did, 2: the cases could not be run.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Getopt::Long;
use Conformance::Case qw(read_case);
use Conformance::Psql qw(run_psql);
use Conformance::Rules qw(print_page read_rules);
use Conformance::Session qw(run_case);
use Conformance::Stream qw(has_workers is_stream keep_worker run_stream);
use Conformance::Verdict qw(verdict_of);

my $DATABASE = 'conformance_test';

my ($pattern, $is_verbose, $prints_page) = ('', 0, 0);
my $rules_file = "$FindBin::Bin/conformance_rules";

GetOptions(
	'case=s' => \$pattern,
	'verbose' => \$is_verbose,
	'rules=s' => \$rules_file,
	'print-differences' => \$prints_page
) && @ARGV <= 1
  or usage();
binmode STDOUT, ':encoding(UTF-8)';
binmode STDERR, ':encoding(UTF-8)';
$| = 1;

my @rules = eval { read_rules($rules_file) } or stop($@ || "$rules_file: no rules\n");
if ($prints_page) { print_page(\@rules); exit }

my $directory = $ARGV[0] // "$FindBin::Bin/conformance";
my @directories = case_directories($directory);
make_database();
my $has_workers = has_workers();
keep_worker($DATABASE) if $has_workers;
my @verdicts = map { judge_directory($_) } @directories;
run_sql('postgres', "DROP DATABASE $DATABASE");
summarize(@verdicts);
exit((grep { $_->{result} eq 'failed' } @verdicts) ? 1 : 0);

sub usage
{
	stop("usage: conformance.pl [--case PATTERN] [--verbose] [--rules FILE] [DIRECTORY]\n"
		  . "       conformance.pl --print-differences [--rules FILE]\n");
}

sub stop
{
	print STDERR @_;
	exit 2;
}

sub case_directories
{
	my ($path) = @_;

	stop("$path: no such directory\n") unless -d $path;
	opendir my $handle, $path or stop("$path: $!\n");
	my @names = sort grep { !/^\./ && -d "$path/$_" } readdir $handle;
	my @found = -e "$path/case.json" ? $path : map { "$path/$_" } @names;
	@found = grep { m{/([^/]+)/*\z} && $1 =~ /$pattern/ } @found if $pattern ne '';
	stop("$path: no cases", $pattern ne '' ? " that match \"$pattern\"" : '', "\n") unless @found;
	return @found;
}

sub make_database
{
	run_sql('postgres', "DROP DATABASE IF EXISTS $DATABASE");
	run_sql('postgres', "CREATE DATABASE $DATABASE TEMPLATE template0 ENCODING 'UTF8'");
	run_sql($DATABASE, 'CREATE EXTENSION apply_watermark');
	return;
}

sub run_sql
{
	my ($database, $sql) = @_;
	my ($status, undef, $err) = run_psql($database, "SET client_min_messages = warning;\n$sql;\n");

	stop($err) if $status;
	return;
}

# A verdict: name, feature, mode, result ("passed", "failed" or "skipped"), rules that were
# needed, lines that say why, and how much of a stream was compared.
sub judge_directory
{
	my ($path) = @_;
	my ($name) = $path =~ m{([^/]+)/*\z};
	my $case = eval { read_case($path) };
	my $verdict = $case
	  ? judge($case)
	  : { result => 'failed', why => [ "not a case: $@" =~ s/\n\z//r ] };

	$verdict->{name} = $name;
	$verdict->{feature} = $case ? $case->{feature} : 'not a case';
	$verdict->{mode} = $case ? $case->{mode} : 'batch';
	$verdict->{rules} //= [];
	show($verdict) if $is_verbose || $verdict->{result} eq 'failed';
	return $verdict;
}

sub judge
{
	my ($case) = @_;
	my $is_stream = $has_workers && is_stream($case);
	my $ours = $is_stream ? run_stream($DATABASE, $case) : run_case($DATABASE, $case);
	my $verdict = verdict_of(\@rules, $case, $ours, sub { run_case($DATABASE, @_) });
	my @said = map { "$_;" } grep { defined && length } @{ $ours->{translations} };

	$verdict->{compared} = {
		moments => $case->{emission} ? scalar @{ $ours->{emission} } : 0,
		watermarks => scalar @{ $ours->{watermarks} },
		late => scalar @{ $ours->{late} }
	} if $is_stream && !$ours->{error};
	push @{ $verdict->{why} }, join("\n", 'translated:', @said)
	  if @said && ($is_verbose || $verdict->{result} eq 'failed');
	return $verdict;
}

sub show
{
	my ($verdict) = @_;

	print "$verdict->{result}: $verdict->{name}",
	  (map { " [$_->{name}]" } @{ $verdict->{rules} }), "\n";
	print map { s/^/    /gmr . "\n" } @{ $verdict->{why} // [] };
	return;
}

# The summary ------------------------------------------------------------------

# For each feature, how many cases give the same as Flink, are covered by rules, fail, and
# are skipped: in batch, and as streams.
sub summarize
{
	my @all = @_;
	my %of_feature;

	push @{ $of_feature{ $_->{feature} } }, $_ for @all;
	print "\n";
	printf "%-22s %-32s   %s\n", '', 'batch', 'stream';
	printf "%-22s %7s %8s %7s %7s   %7s %8s %7s %7s\n", 'feature', ('same', 'by rule', 'failed', 'skipped') x 2;
	print_counts($_, @{ $of_feature{$_} }) for sort keys %of_feature;
	print_counts('all', @all);
	print_rules(@all);
	print_compared(grep { $_ } map { $_->{compared} } @all);
	print "\nthe server is not set up for continuous queries, which the cases that were skipped need\n"
	  if grep { $_->{result} eq 'skipped' } @all;
	printf "\n%d passed, %d failed, %d skipped\n",
	  map { my $result = $_; scalar grep { $_->{result} eq $result } @all } qw(passed failed skipped);
	return;
}

# How much there was to compare of streams.
sub print_compared
{
	my %sum;

	for my $compared (@_) { $sum{$_} += $compared->{$_} for keys %$compared }
	printf "\n%d streams: %d rows with their moment, %d late rows, %d watermarks that rows met\n",
	  scalar @_, @sum{qw(moments late watermarks)}
	  if @_;
	return;
}

sub print_counts
{
	my ($title, @some) = @_;
	my @counts = map { my $mode = $_; counts(grep { $_->{mode} eq $mode } @some) } qw(batch stream);

	printf "%-22s %7d %8d %7d %7d   %7d %8d %7d %7d\n", $title, @counts;
	return;
}

sub counts
{
	my @passed = grep { $_->{result} eq 'passed' } @_;
	my $by_rule = grep { @{ $_->{rules} } } @passed;

	return (@passed - $by_rule, $by_rule,
		map { my $result = $_; scalar grep { $_->{result} eq $result } @_ } qw(failed skipped));
}

# In how many cases each rule was needed, and of which features.
sub print_rules
{
	my (%count, %features);

	for my $verdict (@_)
	{
		$count{ $_->{name} }++, $features{ $_->{name} }{ $verdict->{feature} } = 1 for @{ $verdict->{rules} };
	}
	my @unused = grep { !$count{$_} } map { $_->{name} } @rules;
	print "\nrules\n";
	printf "%4d  %-38s %s\n", $count{$_}, $_, join(', ', sort keys %{ $features{$_} })
	  for grep { $count{$_} } map { $_->{name} } @rules;
	print "not needed: ", join(', ', @unused), "\n" if @unused;
	return;
}
