# Runs a case by hand, in a psql session of its own.
#
# Each statement of the case is given to flink_sql(), and what comes back is run, in
# a new schema that is dropped at the end.  The rows of the inputs are inserted
# before the first query or INSERT.  The first error ends the case.

package Conformance::Session;

use strict;
use warnings;
use Exporter qw(import);
use Conformance::Case qw(parse_csv);
use Conformance::Psql qw(error_of head_script insert_script mark notices_of parts rows_of
  run_script tail_script translation_script);

our @EXPORT_OK = qw(parse_part run_case step_script);

my $SCHEMA = 'conformance_case';

# What became of a case:
#	error		undef, or { text, state, step, stage }: stage is "translate",
#			"run" or "load"
#	translations	the PostgreSQL text of each step that was translated
#	results		of each query and DESCRIBE: { kind, names, types, rows }
#	notices		all notices
sub run_case
{
	my ($database, $case) = @_;

	return parse_output($case, run_script($database, script_of($case)));
}

sub script_of
{
	my ($case) = @_;
	my $steps = $case->{steps};
	my ($first_reader) = grep { $steps->[$_]{kind} =~ /^(?:query|insert)\z/ } 0 .. $#$steps;
	my $script = head_script($SCHEMA);

	for my $number (0 .. $#$steps)
	{
		$script .= load_script($case) if defined $first_reader && $number == $first_reader;
		$script .= step_script($number, $steps->[$number]);
	}
	return $script . tail_script($SCHEMA);
}

# Translates and runs a statement.
sub step_script
{
	my ($number, $step) = @_;
	my $script = translation_script($number, $step);

	return $script . mark("run $number") . "SELECT :'translation' \\gexec\n"
	  if $step->{kind} =~ /^(?:definition|insert)\z/;
	return $script . mark("columns $number") . ":translation\n\\gdesc\n"
	  . mark("rows $number") . ":translation\n\\g\n";
}

# All rows, those of an input that follow each other in one INSERT.
sub load_script
{
	my ($case) = @_;
	my @loads;

	for my $arrival (grep { defined $_->{row} } @{ $case->{arrivals} })
	{
		push @loads, { input => $arrival->{input}, rows => [] }
		  unless @loads && $loads[-1]{input} == $arrival->{input};
		push @{ $loads[-1]{rows} }, $arrival->{row};
	}
	return mark('load 0') . join '', map { insert_script($_->{input}, @{ $_->{rows} }) } @loads;
}

sub parse_output
{
	my ($case, $status, $out, $err) = @_;
	my %ours = (translations => [], results => [], notices => [], error => undef);

	parse_part(\%ours, $case, $_) for parts($out);
	my @messages = parts($err);
	push @{ $ours{notices} }, notices_of($_->[2]) for @messages;
	$ours{error} = error_of($status, $messages[-1]) if $status;
	return \%ours;
}

# Takes in what step_script() brings; false if a part is of something else.
sub parse_part
{
	my ($ours, $case, $part) = @_;
	my ($stage, $number, $text) = @$part;

	if ($stage eq 'translated') { $ours->{translations}[$number] = $text =~ s/^\s+|\s+\z//gr }
	elsif ($stage eq 'columns')
	{
		my (undef, @columns) = parse_csv($text);
		push @{ $ours->{results} }, {
			kind => $case->{steps}[$number]{kind},
			names => [ map { $_->[0] } @columns ],
			types => [ map { $_->[1] } @columns ]
		};
	}
	elsif ($stage eq 'rows') { $ours->{results}[-1]{rows} = [ rows_of($text) ] }
	else { return 0 }
	return 1;
}

1;
