# The rules that say which differences from Flink are meant, and why.
#
# The file test/conformance_rules has one stanza a rule; it explains its own format.
# A rule covers a difference if all of its patterns match; it never knows the name of
# a case.  The rules are also a page of the manual.

package Conformance::Rules;

use strict;
use warnings;
use Exporter qw(import);
use Conformance::Case qw(read_text);

our @EXPORT_OK = qw(find_rule print_page read_rules);

my @KINDS = qw(accepted refused rows type printed moment late watermark);
my %is_kind = map { $_ => 1 } @KINDS;

# Keys that must equal one of the words, and keys that are patterns.
my %is_word = map { $_ => 1 } qw(feature mode tag stage);
my %is_pattern = map { $_ => 1 }
  ('sql', 'flink error', 'our error', 'flink type', 'our type', 'column', 'flink prints', 'we print',
	'each row');

# The rules of a file in its order; dies with the line of what it cannot read.
sub read_rules
{
	my ($path) = @_;
	my (@rules, $group, $rule, $key);
	my $number = 0;

	for my $line (split /\n/, read_text($path))
	{
		$number++;
		next if $line =~ /^#/;
		if ($line =~ /^\s*\z/) { ($rule, $key) = () }
		elsif ($line =~ /^\s+(\S.*)/ && $rule && $key) { $rule->{$key} .= " $1" }
		elsif ($line =~ /^group: (.*\S)/) { $group = $1 }
		elsif ($line =~ /^rule: ([a-z0-9-]+)\s*\z/ && $group)
		{
			$rule = { name => $1, group => $group, line => $number };
			push @rules, $rule;
		}
		elsif ($line =~ /^([a-z ]+): (.*\S)/ && $rule && !exists $rule->{$1}) { $rule->{ $key = $1 } = $2 }
		else { die "$path:$number: cannot be read\n" }
	}
	check_rule($path, $_, \@rules) for @rules;
	return @rules;
}

sub check_rule
{
	my ($path, $rule, $rules) = @_;
	my $where = "$path:$rule->{line}: rule \"$rule->{name}\"";
	my @keys = grep { !/^(?:name|group|line|difference|reason|compare)\z/ } keys %$rule;

	die "$where is there twice\n" if 1 < grep { $_->{name} eq $rule->{name} } @$rules;
	die "$where has no reason\n" unless $rule->{reason};
	my @kinds = split / /, $rule->{difference} // '';
	die "$where has no difference of @KINDS\n" if !@kinds || grep { !$is_kind{$_} } @kinds;
	$rule->{is_of} = { map { $_ => 1 } @kinds };
	die "$where has a compare that is not \"twin\", \"ties\" or \"hand\"\n"
	  if ($rule->{compare} // 'twin') !~ /^(?:twin|ties|hand)\z/;
	for my $key (@keys)
	{
		die "$where has an unknown key \"$key\"\n" unless $is_word{$key} || $is_pattern{$key};
		next unless $is_pattern{$key};
		$rule->{$key} = eval { qr/$rule->{$key}/ } // die "$where, $key: $@";
	}
	die "$where has no pattern\n" unless grep { !/^(?:feature|mode|stage)\z/ } @keys;
	return;
}

# The first rule that covers a difference, or undef.  A difference has a kind and
# texts by the names of the keys that are patterns.
sub find_rule
{
	my ($rules, $case, $difference) = @_;
	my %text = (
		%$difference,
		feature => [ $case->{feature} ],
		mode => [ $case->{mode} ],
		tag => $case->{tags},
		stage => [ $case->{outcome} eq 'error' ? $case->{error}{stage} : () ],
		sql => join(";\n", map { $_->{sql} } @{ $case->{steps} }),
		'flink error' => $case->{refusal},
	);

	for my $rule (grep { $_->{is_of}{ $difference->{kind} } } @$rules)
	{
		next if grep { exists $rule->{$_} && !matches($rule->{$_}, $text{$_}) }
			keys %is_word, keys %is_pattern;
		return $rule;
	}
	return undef;
}

sub matches
{
	my ($wanted, $text) = @_;

	return 0 unless defined $text;
	return $text =~ $wanted unless ref $text eq 'ARRAY';
	return !grep { $_ !~ $wanted } @$text if ref $wanted eq 'Regexp';
	my %is_there = map { $_ => 1 } @$text;
	return scalar grep { $is_there{$_} } split /[\s,]+/, $wanted;
}

# The manual's page, in the order of the file.
sub print_page
{
	my ($rules) = @_;
	my $group = '';

	print <<'END';
# Where results differ from Flink's

The conformance suite runs statements of Flink SQL and compares the rows with those that Apache Flink 2.3 gave; of a query over
a stream, which becomes a continuous query, also behind which row of its inputs each result came, which rows were late, and the watermarks.
These are all the differences that it accepts, each for a reason. The page is made by `test/conformance.pl --print-differences`, from
the rules that decide.
END
	for my $rule (@$rules)
	{
		print "\n## ", $group = $rule->{group}, "\n\n| | |\n|---|---|\n" if $rule->{group} ne $group;
		printf "| %s | %s |\n", $rule->{name} =~ tr/-/ /r, $rule->{reason} =~ s/\|/\\|/gr;
	}
	return;
}

1;
