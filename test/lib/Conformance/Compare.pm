# Compares our rows with Flink's.
#
# Rows are multisets.  A value is brought to one form by the type that Flink
# declares: timestamps with three digits (a TIMESTAMP_LTZ as the wall clock that is
# shown), numbers by value, LISTAGG as the multiset of its elements.  Doubles may
# differ by a part in 10^11, for sums in another order.

package Conformance::Compare;

use strict;
use warnings;
use Exporter qw(import);
use Scalar::Util qw(looks_like_number);

our @EXPORT_OK = qw(compare_emission compare_late compare_printed compare_rows compare_types
  compare_watermarks differ_by_ties);

my $TOLERANCE = 1e-11;

# The rows of a case's answer that we lack and those that we have too many, each as shown;
# of the columns given by number, or of all.
sub compare_rows
{
	my ($case, $rows, @columns) = @_;
	my %is_set = map { $_ => 1 } @{ $case->{set_columns} };
	my @forms = map { $is_set{ $_->[0] } ? 'set' : form_of($_->[1]) } @{ $case->{output} };
	my (%count, @missing, @unexpected);

	@columns = 0 .. $#forms unless @columns;
	@forms = @forms[@columns];
	my @theirs = map { normal_row($_, \@forms, @columns) } @{ $case->{expected} };
	my @ours = map { normal_row($_, \@forms, @columns) } @$rows;
	$count{ show_row($_) }++ for @theirs;
	$count{ show_row($_) }-- for @ours;
	@missing = grep { ($count{ show_row($_) } > 0) && $count{ show_row($_) }-- } @theirs;
	@unexpected = grep { ($count{ show_row($_) } < 0) && $count{ show_row($_) }++ } @ours;
	drop_near(\@missing, \@unexpected, \@forms) if grep { $_ eq 'double' } @forms;
	return ([ map { show_row($_) } @missing ], [ map { show_row($_) } @unexpected ]);
}

# As compare_rows(), of rows with the moment and the operation before them: when a stream
# emitted them.
sub compare_emission
{
	my ($case, $rows) = @_;
	my @texts = map { [ $_, 'text' ] } qw(after_row op);

	return compare_rows({ output => [ @texts, @{ $case->{output} } ],
		set_columns => $case->{set_columns}, expected => $case->{emission} }, $rows);
}

# How the rows of a stream that had no result differ from what the case shows: all rows must
# be accounted for, and late must be those that are in no result of Flink's.
sub compare_late
{
	my ($case, $ours) = @_;
	my ($published, $open, $late, $set_aside, $rows_in, $is_complete) = @{ $ours->{audit} // [] };
	my @found;

	push @found, "rows are missing: $published published, $open open, $late late, $set_aside set aside of $rows_in"
	  unless ($is_complete // 't') eq 't';
	return (@found, late_difference($case, $ours) // ()) if $rows_in == @{ $case->{arrivals} };
	return @found;
}

# How the late rows of the only input differ, where the query lists those of each result in
# a column "ids" and leaves none out.
sub late_difference
{
	my ($case, $ours) = @_;
	my ($query) = map { $_->{sql} } grep { $_->{kind} eq 'query' } @{ $case->{steps} };
	my ($column) = $query =~ /\bLISTAGG\(CAST\((\w+) AS STRING\)\) AS ids\b/;

	return undef unless defined $column && @{ $case->{inputs} } == 1;
	my $ids = number_of('ids', $case->{output}) // return undef;
	my $id = number_of($column, $case->{inputs}[0]{columns}) // return undef;
	my %is_used = map { $_ => 1 } map { split /,/ } map { $_->[$ids] // '' } @{ $case->{expected} };
	my @theirs = grep { !$is_used{$_} } map { $_->{row}[$id] } @{ $case->{arrivals} };
	my @ours = map { $_->[1] =~ /"\Q$column\E": "?(\w+)/i } grep { $_->[0] ne 'partly late' } @{ $ours->{late} };
	my ($flink, $here) = map { join ',', sort @$_ } \@theirs, \@ours;

	return undef if $flink eq $here;
	return "late rows differ: Flink has \"$flink\", here they are \"$here\"";
}

# The number of a column by its name, or undef.
sub number_of
{
	my ($name, $columns) = @_;

	return (grep { $columns->[$_][0] eq $name } 0 .. $#$columns)[0];
}

# The watermarks that rows met and that are not Flink's: [ input, row, Flink's, ours ].
sub compare_watermarks
{
	my ($ours) = @_;
	my @met = map { [ @$_[ 0, 1 ], map { defined $_ ? normal_time($_) : 'none' } @$_[ 2, 3 ] ] }
	  @{ $ours->{watermarks} };

	return grep { $_->[2] ne $_->[3] } @met;
}

sub form_of
{
	my ($type) = @_;

	return 'time' if $type =~ /^timestamp/;
	return 'double' if $type =~ /^(?:double|real|float)/;
	return 'number' if $type =~ /^(?:numeric|decimal|bigint|integer|smallint|int)/;
	return 'boolean' if $type eq 'boolean';
	return 'text';
}

# The columns of a row that are given by number, each in its form.
sub normal_row
{
	my ($row, $forms, @columns) = @_;

	return [ map { normal_value($row->[ $columns[$_] ], $forms->[$_]) } 0 .. $#columns ];
}

sub normal_value
{
	my ($value, $form) = @_;

	return undef unless defined $value;
	return normal_time($value) if $form eq 'time';
	return join(',', sort split /,/, $value, -1) if $form eq 'set';
	return $value =~ /^t(?:rue)?\z/i ? 'true' : 'false' if $form eq 'boolean' && $value =~ /^[tf]/i;
	return 0 + $value if $form eq 'double' && looks_like_number($value);
	return $value =~ /\./ ? $value =~ s/\.?0+\z//r : $value if $form eq 'number';
	return $value;
}

sub normal_time
{
	my ($value) = @_;

	my ($seconds, $digits, $era) = $value =~
	  /^(\d+-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?(?:[+-]\d\d(?::\d\d){0,2})?( BC)?\z/;

	return $value unless defined $seconds;
	$digits = ($digits // '') =~ s/0+\z//r;
	$digits .= '0' while length $digits < 3;
	return "$seconds.$digits" . ($era // '');
}

# A row as a failure shows it, and no two rows alike: NULL without quotes, texts too
# unless they could be taken for something else.
sub show_row
{
	my ($row) = @_;

	return join ' | ', map { defined $_ ? show_text($_) : 'NULL' } @$row;
}

sub show_text
{
	my ($text) = @_;

	return $text unless $text eq '' || $text eq 'NULL' || $text =~ /[|"]/;
	return '"' . $text =~ s/"/""/gr . '"';
}

# Takes away pairs of rows that are equal but for the last digits of doubles.
sub drop_near
{
	my ($missing, $unexpected, $forms) = @_;
	my @left;

	for my $row (@$missing)
	{
		my ($at) = grep { is_near($row, $unexpected->[$_], $forms) } 0 .. $#$unexpected;
		if (defined $at) { splice @$unexpected, $at, 1 }
		else { push @left, $row }
	}
	@$missing = @left;
	return;
}

sub is_near
{
	my ($one, $other, $forms) = @_;

	for my $i (0 .. $#$one)
	{
		my ($x, $y) = ($one->[$i], $other->[$i]);
		next if !defined $x && !defined $y || defined $x && defined $y && $x eq $y;
		return 0 unless $forms->[$i] eq 'double' && defined $x && defined $y;
		return 0 unless looks_like_number($x) && looks_like_number($y);
		return 0 unless abs($x - $y) <= $TOLERANCE * (abs $x > abs $y ? abs $x : abs $y);
	}
	return 1;
}

# Whether rows differ by no more than the order in which OVER takes rows that its
# ORDER BY makes equal: without the columns that OVER computes they are the same, and,
# where these are numbers of rows, so are the numbers with the columns that OVER names.
sub differ_by_ties
{
	my ($case, $rows) = @_;
	my (%is_computed, %is_named);
	my $has_others = 0;

	for my $over (map { over_clauses($_->{sql}) } @{ $case->{steps} })
	{
		my ($function, $clause, $name) = @$over;
		$is_computed{ lc $name } = 1;
		$is_named{ lc $_ } = 1 for $name, $clause =~ /(\w+)/g;
		$has_others ||= lc $function ne 'row_number';
	}
	my @names = map { lc $_->[0] } @{ $case->{output} };
	my @plain = grep { !$is_computed{ $names[$_] } } 0 .. $#names;
	my @named = grep { $is_named{ $names[$_] } } 0 .. $#names;

	return 0 if @plain == @names || grep { @$_ } compare_rows($case, $rows, @plain);
	return $has_others || !grep { @$_ } compare_rows($case, $rows, @named);
}

# The function, the window's definition and the column's name of each OVER.
sub over_clauses
{
	my ($sql) = @_;
	my $parentheses = qr/\((?:[^()]|\([^()]*\))*\)/;
	my %window = $sql =~ /(?:\bWINDOW|,)\s+(\w+)\s+AS\s+($parentheses)/gi;
	my @clauses;

	while ($sql =~ /\b(\w+)\s*$parentheses\s*OVER\s*($parentheses|\w+)\s+(?:AS\s+)?(\w+)/gi)
	{
		push @clauses, [ $1, $window{$2} // $2, $3 ];
	}
	return @clauses;
}

# The columns that differ in name or type: a list of { name, flink, ours }.  Length,
# precision and scale do not count: PostgreSQL's functions drop them.
sub compare_types
{
	my ($output, $result) = @_;
	my @differences;

	for my $i (0 .. ($#$output > $#{ $result->{names} } ? $#$output : $#{ $result->{names} }))
	{
		my ($name, $pg_type, $flink_type) = @{ $output->[$i] // [ 'no column', '', 'no type' ] };
		my ($our_name, $our_type) = ($result->{names}[$i] // 'no column', $result->{types}[$i] // 'no type');
		push @differences, { name => $name, flink => "column \"$name\"", ours => "column \"$our_name\"" }
		  unless lc $name eq lc $our_name || $name =~ /^EXPR\$\d+\z/;
		push @differences, { name => $name, flink => $flink_type, ours => $our_type }
		  unless base_type($pg_type) eq base_type($our_type);
	}
	return @differences;
}

sub base_type
{
	my ($type) = @_;

	$type =~ s/\s*\([^)]*\)//g;
	$type =~ s/^timestamp with time zone/timestamptz/;
	$type =~ s/ without time zone//;
	return 'text' if $type =~ /^(?:character varying|varchar|character|char|text)\z/;
	return $type;
}

my @PRINTED_COLUMNS = qw(name type null key extras watermark);

# The cells in which what we DESCRIBE differs: a list of { name, column, flink, ours }.
sub compare_printed
{
	my ($block, $result) = @_;
	my @differences;
	my $rows = $result->{rows} // [];

	for my $i (0 .. ($#$block > $#$rows ? $#$block : $#$rows))
	{
		my ($theirs, $ours) = ($block->[$i] // [], $rows->[$i] // []);
		for my $j (0 .. $#PRINTED_COLUMNS)
		{
			my $flink = $theirs->[$j] // '';
			my $here = ($ours->[$j] // '') =~ s/^t\z/true/r =~ s/^f\z/false/r;
			next if $flink eq $here || $j == 0 && lc $flink eq lc $here;
			next if $j == 0 && $flink =~ /^EXPR\$\d+\z/ && $here ne '';
			push @differences, {
				name => $theirs->[0] // $ours->[0], column => $PRINTED_COLUMNS[$j],
				flink => $flink, ours => $here };
		}
	}
	return @differences;
}

1;
