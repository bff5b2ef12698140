# Scripts for psql, and what it says to them.
#
# psql reads a script and writes its two streams to files, with a mark in both before
# each part of the script, so that every error, notice and row belongs to a part.

package Conformance::Psql;

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use Conformance::Case qw(parse_csv read_text);

our @EXPORT_OK = qw(dollar_quoted error_of head_script insert_script mark notices_of
  parts rows_of run_psql run_script tail_script translation_script);

my $MARK = "\x{1}step";
my $NULL = "\x{1}null";
my $TIMEOUT_MS = 60_000;
my $dir = tempdir(CLEANUP => 1);

# As run_psql(), of a script with marks; a server that has no connection left is tried
# again.
sub run_script
{
	my ($database, $script) = @_;

	for (1 .. 30)
	{
		my ($status, $out, $err) = run_psql($database, $script);
		return ($status, $out, $err) unless $status == 2 && $out !~ /$MARK/;
		sleep 1;
	}
	die "no connection to the server of the environment's PGHOST and the like\n";
}

# The exit status of psql and what it wrote to its two streams.
sub run_psql
{
	my ($database, $script) = @_;
	my $base = "$dir/$$";
	my $pid;

	open my $in, '>:encoding(UTF-8)', "$base.in" or die "$base.in: $!\n";
	print $in $script;
	close $in or die "$base.in: $!\n";

	defined($pid = fork) or die "fork: $!\n";
	if ($pid == 0)
	{
		$ENV{PGOPTIONS} = "-c statement_timeout=$TIMEOUT_MS -c DateStyle=ISO,YMD"
		  . ' -c TimeZone=UTC -c IntervalStyle=postgres -c client_min_messages=notice';
		$ENV{PGCLIENTENCODING} = 'UTF8';
		delete $ENV{PGTZ};
		open STDIN, '<', "$base.in" or die "$!\n";
		open STDOUT, '>', "$base.out" or die "$!\n";
		open STDERR, '>', "$base.err" or die "$!\n";
		exec $ENV{PSQL} // 'psql', '-X', '-q', '-d', $database, '-v', 'ON_ERROR_STOP=1';
		die "psql: $!\n";
	}
	waitpid $pid, 0;
	die "psql was stopped\n" if $? & 127;
	return ($? >> 8, map { read_text("$base.$_") } qw(out err));
}

# What a script begins with: a new schema, in which everything is made.
sub head_script
{
	my ($schema) = @_;

	return <<"END";
\\set VERBOSITY verbose
\\pset pager off
\\pset format csv
\\pset null '$NULL'
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS $schema CASCADE;
CREATE SCHEMA $schema;
RESET client_min_messages;
SET search_path = $schema, public;
END
}

# What it ends with: the schema is dropped.
sub tail_script
{
	my ($schema) = @_;

	return mark('end') . <<"END";
SET client_min_messages = warning;
DROP SCHEMA $schema CASCADE;
END
}

# Translates a statement into a variable of psql, so that nothing in it is read by psql
# but as SQL.
sub translation_script
{
	my ($number, $step) = @_;
	my $quoted = dollar_quoted($step->{sql});

	return mark("translate $number")
	  . "SELECT coalesce(pg_catalog.rtrim(flink_sql($quoted), E' \\n;'), '') AS translation \\gset\n"
	  . mark("translated $number") . "\\echo :translation\n";
}

sub mark
{
	return "\\echo '$MARK $_[0]'\n\\warn '$MARK $_[0]'\n";
}

# INSERT of rows into the tables of an input.
sub insert_script
{
	my ($input, @rows) = @_;
	my $names = join ', ', map { name_of($_->[0]) } @{ $input->{columns} };
	my $values = join ",\n", map { '(' . join(', ', map { literal($_) } @$_) . ')' } @rows;

	return join '', map { 'INSERT INTO ' . name_of($_) . " ($names) VALUES\n$values;\n" } @{ $input->{tables} };
}

# A name as the translation has it: one that needs no quotes is folded.
sub name_of
{
	my ($name) = @_;

	return '"' . ($name =~ /^\w+\z/ ? lc $name : $name =~ s/"/""/gr) . '"';
}

sub literal
{
	my ($value) = @_;

	return 'NULL' unless defined $value;
	return $value =~ /\\/ ? "E'" . $value =~ s/(['\\])/$1$1/gr . "'" : "'" . $value =~ s/'/''/gr . "'";
}

sub dollar_quoted
{
	my ($text) = @_;
	my $tag = 'flink';

	$tag .= '_' while index($text, "\$$tag") >= 0;
	return "\$$tag\$$text\$$tag\$";
}

# The parts of a stream, each [ stage, number of the step, text ]; what comes before
# the first mark has the stage "start".
sub parts
{
	my ($text) = @_;
	my ($start, @rest) = split /^$MARK (\w+)(?: (\d+))?\n/m, $text, -1;
	my @parts = ([ 'start', 0, $start ]);

	push @parts, [ splice @rest, 0, 3 ] while @rest;
	return @parts;
}

# The rows of a query, without the names of the columns.
sub rows_of
{
	my ($text) = @_;
	my (undef, @rows) = parse_csv($text);

	return map { [ map { value_of($_) } @$_ ] } @rows;
}

sub value_of
{
	my ($field) = @_;

	return defined $field ? $field eq $NULL ? undef : $field : '';
}

sub notices_of
{
	my ($text) = @_;

	return $text =~ /^NOTICE:  \w+: ([^\n]*)/mg;
}

# The error that ended a session, from the last part of its standard error; of the
# stage that the mark before it names.
sub error_of
{
	my ($status, $part) = @_;
	my ($stage, $number, $text) = @$part;

	$text =~ s/^(?:NOTICE|WARNING|INFO):.*?(?=^(?:[A-Z]+:  \w{5}:|psql:)|\z)//msg;
	$text =~ s/^LOCATION:.*\n//mg;
	my ($state) = $text =~ s/^(ERROR|FATAL|PANIC):  (\w{5}): /$1: /m ? $2 : 'none';
	return {
		stage => $stage =~ /^(?:start|end|translate|load|create|stream)\z/ ? $stage : 'run',
		step => $number,
		state => $state,
		text => $text =~ s/\s+\z//r || "psql ended with status $status"
	};
}

1;
