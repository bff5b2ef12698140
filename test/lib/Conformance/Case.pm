# One case of a conformance corpus: a directory in the format that
# test/conformance/README.md describes.
#
# read_case() gives a case that is whole, or dies with the reason: nothing after it
# has to expect a missing file or key, and a broken directory never passes.  All
# texts are characters, decoded from UTF-8.

package Conformance::Case;

use strict;
use warnings;
use Exporter qw(import);
use JSON::PP;

our @EXPORT_OK = qw(parse_csv printed_blocks read_case read_text split_statements);

# The case in a directory: what case.json says, with
#	name		name of the directory
#	steps		its statements in order, each { sql, kind }, where kind is "query",
#			"describe", "insert" or "definition"
#	inputs		as in case.json, each with the "tables" that read it
#	arrivals	the rows of all inputs in the order in which they arrive, and pauses
#	expected	the rows of expected.csv, if Flink gives rows
#	emission	those of emission.csv, of a stream: each [ moment, operation, values ... ]
#	watermarks_of	by input, the watermark that each of its rows met, of a stream
#	printed_rows	the blocks of printed.txt
#	refusal		what Flink says when it refuses the case
sub read_case
{
	my ($dir) = @_;
	my $case = read_description("$dir/case.json");

	($case->{name}) = $dir =~ m{([^/]+)/*\z};
	$case->{dir} = $dir;
	$case->{steps} = [ ordered_steps($case, read_text("$dir/flink.sql")) ];
	die "flink.sql: no statement\n" unless @{ $case->{steps} };
	note_tables($case, $_) for @{ $case->{inputs} };
	$case->{arrivals} = [ read_arrivals($case) ];
	read_answer($case);
	return $case;
}

sub read_description
{
	my ($path) = @_;
	my $text = read_text($path);
	my $case = eval { JSON::PP->new->decode($text) };

	die "case.json: ", $@ =~ s/ at \S+ line \d+\.?\n?\z/\n/r unless defined $case;
	die "case.json: not an object\n" unless ref $case eq 'HASH';
	one_of($case, mode => qw(batch stream));
	one_of($case, outcome => qw(rows error));
	for my $key (qw(inputs apply_watermark set_columns tags watermarks))
	{
		$case->{$key} //= [];
		die "case.json: \"$key\" is not a list\n" unless ref $case->{$key} eq 'ARRAY';
	}
	die "case.json: no \"feature\"\n" unless length($case->{feature} // '');
	check_input($_) for @{ $case->{inputs} };
	check_names("apply_watermark", $_, qw(view query rowtime strategy))
	  for @{ $case->{apply_watermark} };
	return $case;
}

sub one_of
{
	my ($case, $key, @values) = @_;
	my $value = $case->{$key} // '';

	die "case.json: \"$key\" is \"$value\", not one of: @values\n"
	  unless grep { $_ eq $value } @values;
	return;
}

sub check_input
{
	my ($input) = @_;

	check_names('inputs', $input, qw(name file));
	die "case.json: input \"$input->{name}\" has no list of columns\n"
	  unless ref $input->{columns} eq 'ARRAY' && @{ $input->{columns} };
	return;
}

sub check_names
{
	my ($list, $entry, @keys) = @_;

	die "case.json: an entry of \"$list\" is not an object\n" unless ref $entry eq 'HASH';
	for my $key (@keys)
	{
		die "case.json: an entry of \"$list\" has no \"$key\"\n"
		  unless defined $entry->{$key} && length $entry->{$key};
	}
	return;
}

# Flink's answer: rows, what DESCRIBE prints, or a refusal.
sub read_answer
{
	my ($case) = @_;

	if ($case->{outcome} eq 'error')
	{
		my $error = $case->{error};
		die "case.json: no \"error\" with \"stage\" and \"message\"\n"
		  unless ref $error eq 'HASH' && $error->{stage} && defined $error->{message};
		my $chain = -e "$case->{dir}/error.txt" ? read_text("$case->{dir}/error.txt") : '';
		$case->{refusal} = "$error->{message}\n$chain";
		return;
	}
	if ($case->{printed})
	{
		$case->{printed_rows} = [ printed_blocks(read_text("$case->{dir}/printed.txt")) ];
		die "printed.txt: nothing is printed\n"
		  unless @{ $case->{printed_rows} } && !grep { !@$_ } @{ $case->{printed_rows} };
	}
	$case->{expected} = [ read_rows($case, 'expected.csv', map { $_->[0] } @{ $case->{output} }) ]
	  if $case->{output};
	read_emission($case) if $case->{output} && $case->{emission_reliable};
	die "case.json: neither \"output\" nor \"printed\"\n"
	  unless $case->{output} || $case->{printed};
	die "flink.sql: no query, but there is an expected.csv\n"
	  if $case->{output} && $case->{mode} eq 'batch' && !grep { $_->{kind} eq 'query' } @{ $case->{steps} };
	return;
}

# When a stream emits each row, and the watermark that each row of its inputs meets.
sub read_emission
{
	my ($case) = @_;

	$case->{emission} =
	  [ read_rows($case, 'emission.csv', 'after_row', 'op', map { $_->[0] } @{ $case->{output} }) ];
	for my $input (@{ $case->{inputs} })
	{
		my $file = "watermarks-$input->{name}.csv";
		next unless grep { $_ eq $file } @{ $case->{watermarks} };
		$case->{watermarks_of}{ $input->{name} } = [ map { $_->[-1] } read_rows(
			$case, $file, 'row', (map { $_->[0] } @{ $input->{columns} }), 'watermark_on_arrival') ];
	}
	return;
}

# The statements with those that "apply_watermark" stands for, in its order, each put
# before the first that names its view.
sub ordered_steps
{
	my ($case, $text) = @_;
	my @steps = map { { sql => $_, kind => kind_of($_) } } split_statements($text);
	my $before = @steps;

	for my $entry (reverse @{ $case->{apply_watermark} })
	{
		my $at = 0;
		$at++ until $at == $before || without_comments($steps[$at]{sql}) =~ /\b\Q$entry->{view}\E\b/i;
		splice @steps, $at, 0, {
			kind => 'definition',
			sql => "CREATE VIEW $entry->{view} AS SELECT * FROM APPLY_WATERMARK(($entry->{query}),"
			  . " DESCRIPTOR($entry->{rowtime}), $entry->{strategy})"
		};
		$before = $at;
	}
	return @steps;
}

sub kind_of
{
	my ($statement) = @_;
	my $text = without_comments($statement);

	return 'describe' if $text =~ /^\s*DESC(?:RIBE)?\b/i;
	return 'insert' if $text =~ /^\s*(?:INSERT|EXECUTE|BEGIN)\b/i;
	return 'query' if $text =~ /^[\s(]*(?:SELECT|WITH|VALUES|TABLE)\b/i;
	return 'definition';
}

# A quoted string or identifier, or a comment.
my $QUOTED = qr/'[^']*+'|`[^`]*+`|"[^"]*+"/;
my $COMMENT = qr{--[^\n]*+|/\*.*?\*/}s;

sub without_comments
{
	my ($text) = @_;

	$text =~ s/($QUOTED)|$COMMENT/defined $1 ? $1 : ' '/ge;
	return $text;
}

# The statements of a script, without their semicolons and with their comments.  A
# statement set is one.
sub split_statements
{
	my ($text) = @_;
	my @statements = ('');

	while ($text =~ /\G($QUOTED|$COMMENT|;|.)/gcs)
	{
		if ($1 eq ';' && !is_open_set($statements[-1])) { push @statements, '' }
		else { $statements[-1] .= $1 }
	}
	return map { s/^\s+|\s+\z//gr } grep { without_comments($_) =~ /\S/ } @statements;
}

# Whether a text begins a statement set and does not end it.
sub is_open_set
{
	my $text = without_comments($_[0]);

	return $text =~ /^\s*(?:BEGIN\s+STATEMENT\s+SET|\w+\s+STATEMENT\s+SET\s+BEGIN)\b/i
	  && $text !~ /\bEND\s*\z/i;
}

# The tables that read the file of an input: its own, and those made LIKE it.
sub note_tables
{
	my ($case, $input) = @_;
	my @statements = map { without_comments($_->{sql}) } @{ $case->{steps} };

	$input->{tables} = [ $input->{name},
		map { /^\s*CREATE\s+TABLE\s+(\w+)\b.*\bLIKE\s+\Q$input->{name}\E\b/is ? $1 : () } @statements ];
	return;
}

# What arrives, in its order: a row of an input, { input, row }, where the row is undef if
# it is not inserted, or silence, { pause_ms }.
sub read_arrivals
{
	my ($case) = @_;
	my %input = map { $_->{name} => $_ } @{ $case->{inputs} };
	my %rows = map { $_ => [ read_input($case, $input{$_}) ] } keys %input;

	return map { my $input = $_; map { { input => $input, row => $_ } } @{ $rows{ $input->{name} } } }
	  @{ $case->{inputs} }
	  unless $case->{arrival};
	return map { arrival_of($case, \%input, \%rows, @$_) } read_rows($case, $case->{arrival}, qw(input row));
}

sub arrival_of
{
	my ($case, $input, $rows, $name, $number) = @_;

	return { pause_ms => $number } if $name eq '@pause' && $number =~ /^\d+\z/;
	die "$case->{arrival}: there is no row $number of \"$name\"\n"
	  unless $rows->{$name} && $number =~ /^[1-9]\d*\z/ && $number <= @{ $rows->{$name} };
	return { input => $input->{$name}, row => $rows->{$name}[ $number - 1 ] };
}

# The rows of an input.  One that is a changelog has an operation before them: its
# inserted and updated rows are versions, and the others are undef.
sub read_input
{
	my ($case, $input) = @_;
	my @columns = map { $_->[0] } @{ $input->{columns} };

	return read_rows($case, $input->{file}, @columns) unless $input->{flink_options}{changelog};
	return map { my ($op, @row) = @$_; $op =~ /^\+/ ? \@row : undef }
	  read_rows($case, $input->{file}, 'op', @columns);
}

# The rows of a CSV file, whose first line must name the columns.
sub read_rows
{
	my ($case, $file, @columns) = @_;
	my @rows = parse_csv(read_text("$case->{dir}/$file"));
	my $header = shift @rows or die "$file: empty\n";
	my $names = join ',', map { $_ // '' } @$header;

	die "$file: the columns are $names, but case.json says ", join(',', @columns), "\n"
	  unless $names eq join ',', @columns;
	for my $number (1 .. @rows)
	{
		die "$file: row $number has ", scalar @{ $rows[ $number - 1 ] }, " fields, not ",
		  scalar @columns, "\n"
		  unless @{ $rows[ $number - 1 ] } == @columns;
	}
	return @rows;
}

# Rows of fields.  An empty field is undef; "" is the empty string.
sub parse_csv
{
	my ($text) = @_;
	my @rows;
	my $fields = [];

	while ((pos($text) // 0) < length $text)
	{
		$text =~ /\G(?:"((?:[^"]++|"")*+)"|([^",\r\n]*+))(,|\r?\n|\z)/gc
		  or die "line ", 1 + (substr($text, 0, pos($text) // 0) =~ tr/\n//), " is not CSV\n";
		my ($quoted, $plain, $end) = ($1, $2, $3);
		push @$fields, defined $quoted ? $quoted =~ s/""/"/gr : length $plain ? $plain : undef;
		next if $end eq ',';
		push @rows, $fields;
		$fields = [];
		last if pos($text) >= length $text;
	}
	return @rows;
}

# What DESCRIBE printed: a list of rows of cells for each DESCRIBE.
sub printed_blocks
{
	my ($text) = @_;
	my @blocks;

	for my $line (split /\n/, $text)
	{
		if ($line =~ /^\S/) { push @blocks, [] }
		elsif ($line =~ /\S/)
		{
			die "printed.txt: no DESCRIBE before the first column\n" unless @blocks;
			push @{ $blocks[-1] }, [ map { s/^\s+|\s+\z//gr } split / \| /, "$line ", -1 ];
		}
	}
	return @blocks;
}

# A file's text; dies with its name alone, for the directory is known.
sub read_text
{
	my ($path) = @_;
	my ($name) = $path =~ m{([^/]+)\z};

	open my $in, '<:encoding(UTF-8)', $path or die "$name: ", lc $!, "\n";
	local $/;
	my $text = <$in> // '';
	close $in;
	return $text;
}

1;
