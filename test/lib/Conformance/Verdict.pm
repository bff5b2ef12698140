# What to think of a case that was run: whether it gave what Flink gave.
#
# What was run is told by run_case() or run_stream().  Every way in which it is unlike
# Flink is a difference, of a kind that rules know; the case fails unless a rule covers
# each of them.  See test/conformance_rules.

package Conformance::Verdict;

use strict;
use warnings;
use Exporter qw(import);
use Conformance::Case qw(read_case);
use Conformance::Compare
  qw(compare_emission compare_late compare_printed compare_rows compare_types compare_watermarks differ_by_ties);
use Conformance::Rules qw(find_rule);

our @EXPORT_OK = qw(verdict_of);

my $SHOWN_ROWS = 20;
my $STATE_OF_ACCIDENTS = qr/^(?:XX|5[378]|08|none)/;
my $FLINK_ON_SYNTAX = qr/SQL parse failed|Incorrect syntax|Invalid number of arguments/;
my $STATE_OF_UNKNOWN_CONSTRUCTS = '0A000';

# The verdict on a case that was run: result ("passed", "failed" or "skipped"), rules that
# were needed, and lines that say why.  run_by_hand() runs it by hand, for rules that want that.
sub verdict_of
{
	my ($rules, $case, $ours, $run_by_hand) = @_;
	my $error = $ours->{error};

	return { result => 'failed', why => [ error_text($case, $error) ] }
	  if $error && is_accident($case, $error);
	return verdict_of_refusals($rules, $case, $error) if $error && is_refusal($case, $error);

	my $waits = !$ours->{is_stream} && waits_for_engine($case);
	my @differences = differences($case, $ours);
	my (@used, @why, $is_decided);

	while (my $difference = shift @differences)
	{
		next if $waits && $difference->{kind} =~ /^(?:rows|type)\z/;
		my $rule = find_rule($rules, $case, $difference);
		next if !$rule && $waits && $difference->{kind} eq 'accepted';
		push @why, $difference->{text} unless $rule && is_covered($case, $ours, $rule);
		next unless $rule;
		push @used, $rule unless grep { $_ == $rule } @used;
		push @differences, compared_differences($case, $ours, $rule, $run_by_hand)
		  unless $difference->{is_by_hand};
		$is_decided ||= $difference->{kind} =~ /^(?:accepted|refused)\z/;
	}
	return { result => 'failed', rules => \@used, why => \@why } if @why;
	return { result => 'passed', rules => \@used } if $is_decided || !$waits;
	return { result => 'skipped', rules => \@used, why => ['waits for a server with workers'] };
}

# Whether a rule's comparison with ties, if it has it, holds.
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

	return 1 if $state =~ $STATE_OF_ACCIDENTS || $stage =~ /^(?:start|drop|end)\z/;
	return 0 if $case->{outcome} eq 'rows';
	return 1 if $stage eq 'load' && $state =~ /^2[23]/;
	return $state eq '42601' && $case->{refusal} !~ $FLINK_ON_SYNTAX;
}

# Whether an error is the like of Flink's refusal.  A statement that is refused only
# when its table gets rows is accepted first.  That what Flink refuses cannot be a
# continuous query is such an error, whatever keeps it from being one.
sub is_refusal
{
	my ($case, $error) = @_;

	return 0 if $case->{outcome} eq 'rows';
	return 1 if $error->{stage} eq 'create' && $case->{error}{stage} ne 'statement';
	return 0 if $error->{state} eq $STATE_OF_UNKNOWN_CONSTRUCTS;
	return $case->{error}{stage} ne 'statement' || $error->{stage} ne 'load';
}

# The verdict on a case that Flink and we refuse: it fails where a rule promises that
# we do not, and none tells why we do.
sub verdict_of_refusals
{
	my ($rules, $case, $error) = @_;
	my @why = ('Flink: ' . first_line($case->{error}{message}), 'here: ' . error_text($case, $error));
	my $promise = find_rule($rules, $case, { kind => 'accepted' })
	  or return { result => 'passed', why => \@why };
	my $rule = find_rule($rules, $case, { kind => 'refused', 'our error' => $error->{text} });

	return { result => 'passed', rules => [$rule], why => \@why } if $rule;
	return { result => 'failed', why => [ "by the rule $promise->{name}, this runs", @why ] };
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
		run => 'the translation failed', create => 'refused as a continuous query',
		stream => 'the continuous query failed', start => 'the session did not start',
		drop => 'the continuous query could not be dropped', end => 'the schema could not be dropped');

	return "$what{$error->{stage}} ($error->{state}): $error->{text}"
	  . ($error->{stage} =~ /^(?:translate|run|create)\z/ ? "\nstatement: $step->{sql}" : '');
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
	return (printed_differences($case, $ours), $case->{output} ? row_differences($case, $ours) : (),
		$ours->{is_stream} ? stream_differences($case, $ours) : ());
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

	return (@differences,
		multiset_difference($case, 'rows', 'rows differ:', compare_rows($case, $result->{rows})));
}

# How a stream differs beyond its rows in the end: in when they came, if they are the same,
# in the rows that were late, and in the watermarks.
sub stream_differences
{
	my ($case, $ours) = @_;
	my @of_rows = compare_rows($case, query_result($ours)->{rows});
	my @of_moments = $case->{emission} ? compare_emission($case, $ours->{emission}) : ([], []);
	my @watermarks = compare_watermarks($ours);
	my @found;

	@found = multiset_difference($case, 'moment', 'rows came after other rows: after op', @of_moments)
	  unless grep { @$_ } @of_rows;
	push @found, map { { kind => 'late', text => $_ } } compare_late($case, $ours);
	push @found, {
		kind => 'watermark',
		'each row' => [ map { join ' | ', @$_[ 2, 3 ] } @watermarks ],
		text => join("\n", map { sprintf 'row %2$d of "%1$s" met another watermark: '
			. 'Flink has %3$s, here it is %4$s', @$_ } @watermarks)
	} if @watermarks;
	return @found;
}

# The result of the last query.
sub query_result
{
	my ($ours) = @_;

	return (grep { $_->{kind} eq 'query' } @{ $ours->{results} })[-1];
}

# The difference, if any, that rows of Flink are missing and rows here unexpected.
sub multiset_difference
{
	my ($case, $kind, $title, $missing, $unexpected) = @_;

	return unless @$missing || @$unexpected;
	my @names = map { $_->[0] } @{ $case->{output} };
	return { kind => $kind, 'each row' => [ @$missing, @$unexpected ],
		text => join("\n", "$title @names",
			shown_rows('only Flink: ', $missing), shown_rows('only here:  ', $unexpected)) };
}

sub shown_rows
{
	my ($title, $rows) = @_;
	my $last = $#$rows < $SHOWN_ROWS ? $#$rows : $SHOWN_ROWS - 1;

	return ((map { "$title$_" } @$rows[ 0 .. $last ]),
		@$rows > $SHOWN_ROWS ? "$title... " . @$rows . " rows" : ());
}

# The differences, if any, of what a rule wants to be compared instead.
sub compared_differences
{
	my ($case, $ours, $rule, $run_by_hand) = @_;
	my $compare = $rule->{compare} // '';

	return twin_differences($case, $ours) if $compare eq 'twin';
	return unless $compare eq 'hand';
	my $has_late_rows = grep { $_ eq 'late' } @{ $case->{tags} };
	return map { { %$_, is_by_hand => 1 } }
	  grep { !$has_late_rows || $_->{kind} ne 'rows' } differences($case, $run_by_hand->($case));
}

# Those of our rows from those that Flink gave for the same query in its other mode.  Where
# rows were late in the stream, or there is no such case, that we have rows must be enough.
sub twin_differences
{
	my ($case, $ours) = @_;
	my %other = (batch => 'stream', stream => 'batch');
	my $path = $case->{dir} =~ s{-\Q$case->{mode}\E/*\z}{-$other{ $case->{mode} }}r;

	return if $ours->{error} || $path eq $case->{dir} || !-d $path;
	my $twin = eval { read_case($path) };
	return unless $twin && $twin->{expected} && !grep { $_ eq 'late' } @{ $twin->{tags} };
	return row_differences($twin, $ours);
}

1;
