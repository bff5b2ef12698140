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
# difference: see test/conformance_rules.  Stream cases
# are translated and run by hand, which must not fail; their rows wait for continuous
# queries, so that the case is skipped, where it does not fail earlier.
#
# The last line is "N passed, N failed, N skipped".  Exit status 0: none failed, 1: some
# did, 2: the cases could not be run.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Getopt::Long;
use Conformance::Case qw(read_case);
use Conformance::Compare qw(compare_printed compare_rows compare_types differ_by_ties);
use Conformance::Rules qw(find_rule print_page read_rules);
use Conformance::Session qw(run_case run_psql);

my $DATABASE = 'conformance_test';
my $SHOWN_ROWS = 20;
my $STATE_OF_ACCIDENTS = qr/^(?:XX|5[378]|08|none)/;
my $FLINK_ON_SYNTAX = qr/SQL parse failed|Incorrect syntax|Invalid number of arguments/;
my $STATE_OF_UNKNOWN_CONSTRUCTS = '0A000';

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

# A verdict: name, feature, result ("passed", "failed" or "skipped"), rules that were
# needed, and lines that say why.
sub judge_directory
{
	my ($path) = @_;
	my ($name) = $path =~ m{([^/]+)/*\z};
	my $case = eval { read_case($path) };
	my $verdict = $case
	  ? judge($case, run_case($DATABASE, $case))
	  : { result => 'failed', why => [ "not a case: $@" =~ s/\n\z//r ] };

	$verdict->{name} = $name;
	$verdict->{feature} = $case ? $case->{feature} : 'not a case';
	$verdict->{rules} //= [];
	show($verdict) if $is_verbose || $verdict->{result} eq 'failed';
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

sub judge
{
	my ($case, $ours) = @_;
	my $verdict = verdict_of($case, $ours);
	my @said = map { "$_;" } grep { defined && length } @{ $ours->{translations} };

	push @{ $verdict->{why} }, join("\n", 'translated:', @said)
	  if @said && ($is_verbose || $verdict->{result} eq 'failed');
	return $verdict;
}

# The verdict on a case that was run.
sub verdict_of
{
	my ($case, $ours) = @_;
	my $error = $ours->{error};

	return { result => 'failed', why => [ error_text($case, $error) ] }
	  if $error && is_accident($case, $error);
	return verdict_of_refusals($case, $error) if $error && is_refusal($case, $error);

	my $waits = waits_for_engine($case);
	my @differences = differences($case, $ours);
	my (@used, @why, $is_decided);

	while (my $difference = shift @differences)
	{
		next if $waits && $difference->{kind} =~ /^(?:rows|type)\z/;
		my $rule = find_rule(\@rules, $case, $difference);
		next if !$rule && $waits && $difference->{kind} eq 'accepted';
		push @why, $difference->{text} unless $rule && is_covered($case, $ours, $rule);
		next unless $rule;
		push @used, $rule unless grep { $_ == $rule } @used;
		push @differences, twin_difference($case, $ours, $rule);
		$is_decided ||= $difference->{kind} =~ /^(?:accepted|refused)\z/;
	}
	return { result => 'failed', rules => \@used, why => \@why } if @why;
	return { result => 'passed', rules => \@used } if $is_decided || !$waits;
	my @by_hand = $case->{outcome} eq 'rows' ? row_differences($case, $ours) : ();
	return { result => 'skipped', rules => \@used,
		why => [ 'waits for continuous queries', map { "by hand, $_->{text}" } @by_hand ],
		is_same_by_hand => $case->{outcome} eq 'rows' && !grep { $_->{kind} eq 'rows' } @by_hand };
}

# Whether a rule's comparison, if it has one, holds; that with a twin gives
# differences of its own instead.
sub is_covered
{
	my ($case, $ours, $rule) = @_;

	return ($rule->{compare} // '') ne 'ties' || differ_by_ties($case, query_result($ours)->{rows});
}

# Whether an error is no refusal of the case, but a mistake of ours or the server's.
sub is_accident
{
	my ($case, $error) = @_;
	my ($stage, $state) = @$error{qw(stage state)};

	return 1 if $state =~ $STATE_OF_ACCIDENTS || $stage =~ /^(?:start|end)\z/;
	return 0 if $case->{outcome} eq 'rows';
	return 1 if $stage eq 'load' && $state =~ /^2[23]/;
	return $state eq '42601' && $case->{refusal} !~ $FLINK_ON_SYNTAX;
}

# Whether an error is the like of Flink's refusal.  A statement that is refused only
# when its table gets rows is accepted first.
sub is_refusal
{
	my ($case, $error) = @_;

	return 0 if $case->{outcome} eq 'rows' || $error->{state} eq $STATE_OF_UNKNOWN_CONSTRUCTS;
	return $case->{error}{stage} ne 'statement' || $error->{stage} ne 'load';
}

# The verdict on a case that Flink and we refuse: it fails where a rule promises that
# we do not.
sub verdict_of_refusals
{
	my ($case, $error) = @_;
	my @why = ('Flink: ' . first_line($case->{error}{message}), 'here: ' . error_text($case, $error));
	my $rule = find_rule(\@rules, $case, { kind => 'accepted' });

	return { result => 'passed', why => \@why } unless $rule;
	return { result => 'failed', why => [ "by the rule $rule->{name}, this runs", @why ] };
}

# Whether only a continuous query can show that the case is right: where rows
# depend on arrival, and where Flink refuses when it plans or runs a stream.
sub waits_for_engine
{
	my ($case) = @_;

	return 0 if $case->{mode} eq 'batch';
	return $case->{output} if $case->{outcome} eq 'rows';
	return $case->{error}{stage} =~ /^(?:plan|run)\z/;
}

sub first_line
{
	return $_[0] =~ s/\n.*//sr;
}

sub error_text
{
	my ($case, $error) = @_;
	my $step = $case->{steps}[ $error->{step} // 0 ];
	my %what = (translate => 'not translated', load => 'the rows of the inputs could not be inserted',
		run => 'the translation failed', start => 'the session did not start',
		end => 'the schema could not be dropped');

	return "$what{$error->{stage}} ($error->{state}): $error->{text}"
	  . ($error->{stage} =~ /^(?:translate|run)\z/ ? "\nstatement: $step->{sql}" : '');
}

# All differences between Flink's answer and ours: each a kind, texts for the
# patterns of rules, and a text for people.
sub differences
{
	my ($case, $ours) = @_;

	my $error = $ours->{error};
	my $text = $error ? error_text($case, $error) : '';
	my $refusal = $case->{outcome} eq 'error' ? first_line($case->{error}{message}) : '';

	return { kind => 'refused', 'our error' => $error->{text}, text => $text }
	  if $error && ($case->{outcome} eq 'rows' || $error->{stage} ne 'load');
	return { kind => 'accepted', 'our error' => $error && $error->{text},
		text => "Flink refuses this: $refusal" . ($error ? "\nhere, only later: $text" : '') }
	  if $case->{outcome} eq 'error';
	return (printed_differences($case, $ours), $case->{output} ? row_differences($case, $ours) : ());
}

sub printed_differences
{
	my ($case, $ours) = @_;
	my @blocks = @{ $case->{printed_rows} // [] };
	my @described = grep { $_->{kind} eq 'describe' } @{ $ours->{results} };
	my @differences;

	for my $i (0 .. $#blocks)
	{
		push @differences, map {
			{ kind => 'printed', column => $_->{column}, 'flink prints' => $_->{flink},
				'we print' => $_->{ours}, name => $_->{name},
				text => "DESCRIBE, $_->{column} of \"$_->{name}\": "
				  . "Flink prints \"$_->{flink}\", here it is \"$_->{ours}\"" }
		} compare_printed($blocks[$i], $described[$i] // {});
	}
	return @differences;
}

# How the result of the last query differs from what a case expects.
sub row_differences
{
	my ($case, $ours) = @_;
	my $result = query_result($ours)
	  or return { kind => 'rows', text => 'no query gives rows' };
	my @differences = map {
		{ kind => 'type', column => $_->{name}, 'flink type' => $_->{flink}, 'our type' => $_->{ours},
			text => "column \"$_->{name}\": Flink has $_->{flink}, here it is $_->{ours}" }
	} compare_types($case->{output}, $result);

	return (@differences, rows_difference($case, $result) // ());
}

# The result of the last query.
sub query_result
{
	my ($ours) = @_;

	return (grep { $_->{kind} eq 'query' } @{ $ours->{results} })[-1];
}

# How a result differs from the rows that a case expects, or undef if it does not.
sub rows_difference
{
	my ($case, $result) = @_;
	my ($missing, $unexpected) = compare_rows($case, $result->{rows});

	return undef unless @$missing || @$unexpected;
	my @names = map { $_->[0] } @{ $case->{output} };
	return { kind => 'rows', 'each row' => [ @$missing, @$unexpected ],
		text => join("\n", "rows differ: @names",
			shown_rows('only Flink: ', $missing), shown_rows('only here:  ', $unexpected)) };
}

sub shown_rows
{
	my ($title, $rows) = @_;
	my $last = $#$rows < $SHOWN_ROWS ? $#$rows : $SHOWN_ROWS - 1;

	return ((map { "$title$_" } @$rows[ 0 .. $last ]),
		@$rows > $SHOWN_ROWS ? "$title... " . @$rows . " rows" : ());
}

# For a rule that compares with the twin: the difference, if any, of our rows from
# those that Flink gave for the same query over a stream.  Where rows were late there,
# or there is no such case, that we have rows must be enough.
sub twin_difference
{
	my ($case, $ours, $rule) = @_;
	my $path = $case->{dir} =~ s{-batch/*\z}{-stream}r;

	return unless ($rule->{compare} // '') eq 'twin' && !$ours->{error};
	return unless $path ne $case->{dir} && -d $path;
	my $twin = eval { read_case($path) };
	return unless $twin && $twin->{expected} && !grep { $_ eq 'late' } @{ $twin->{tags} };
	return row_differences($twin, $ours);
}

# The summary ------------------------------------------------------------------

sub summarize
{
	my @all = @_;
	my %of_feature;

	push @{ $of_feature{ $_->{feature} } }, $_ for @all;
	print "\n";
	printf "%-22s %9s %8s %8s %8s\n", 'feature', 'same', 'by rule', 'failed', 'skipped';
	print_counts($_, @{ $of_feature{$_} }) for sort keys %of_feature;
	print_counts('all', @all);
	print_rules(@all);

	my $waiting = grep { $_->{result} eq 'skipped' } @all;
	print "\n$waiting wait for continuous queries; of these, ",
	  scalar(grep { $_->{is_same_by_hand} } @all), " give Flink's rows already when run by hand\n"
	  if $waiting;
	printf "\n%d passed, %d failed, %d skipped\n",
	  map { my $result = $_; scalar grep { $_->{result} eq $result } @all } qw(passed failed skipped);
	return;
}

sub print_counts
{
	my ($title, @some) = @_;
	my @passed = grep { $_->{result} eq 'passed' } @some;
	my %is_rule = map { $_->{name} => 1 } map { @{ $_->{rules} } } @passed;

	printf "%-22s %9d %8d %8d %8d%s\n", $title,
	  scalar(grep { !@{ $_->{rules} } } @passed),
	  scalar(grep { @{ $_->{rules} } } @passed),
	  (map { my $result = $_; scalar grep { $_->{result} eq $result } @some } qw(failed skipped)),
	  $title ne 'all' && %is_rule ? '  ' . join(', ', sort keys %is_rule) : '';
	return;
}

# In how many cases each rule was needed.
sub print_rules
{
	my %count;

	$count{$_}++ for map { $_->{name} } map { @{ $_->{rules} } } @_;
	my @unused = grep { !$count{$_} } map { $_->{name} } @rules;
	print "\nrules\n";
	printf "%4d  %-38s %s\n", $count{ $_->{name} }, $_->{name}, $_->{group}
	  for grep { $count{ $_->{name} } } @rules;
	print "not needed: ", join(', ', @unused), "\n" if @unused;
	return;
}
