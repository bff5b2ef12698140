# Runs a case in a psql session of its own.
#
# Each statement of the case is given to flink_sql(), and what comes back is run, in
# a new schema that is dropped at the end.  The rows of the inputs are inserted
# before the first query or INSERT.  The first error ends the case.
#
# psql reads a script and writes its two streams to files, with a mark in both before
# each step, so that every error, notice and row belongs to a step.

package Conformance::Session;

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use Conformance::Case qw(parse_csv);

our @EXPORT_OK = qw(run_case run_psql);

my $MARK = "\x{1}step";
my $NULL = "\x{1}null";
my $TIMEOUT_MS = 60_000;
my $dir = tempdir(CLEANUP => 1);

# What became of a case:
#	error		undef, or { text, state, step, stage }: stage is "translate",
#			"run" or "load"
#	translations	the PostgreSQL text of each step that was translated
#	results		of each query and DESCRIBE: { kind, names, types, rows }
#	notices		all notices
sub run_case
{
	my ($database, $case) = @_;
	my $script = script_of($case);

	for (1 .. 30)
	{
		my ($status, $out, $err) = run_psql($database, $script);
		return parse_output($case, $status, $out, $err) unless $status == 2 && $out !~ /$MARK/;
		sleep 1;
	}
	die "no connection to the server of the environment's PGHOST and the like\n";
}

# The exit status of psql and what it wrote to its two streams.
sub run_psql
{
	my ($database, $script) = @_;
	my $pid;

	open my $in, '>:encoding(UTF-8)', "$dir/in" or die "$dir/in: $!\n";
	print $in $script;
	close $in or die "$dir/in: $!\n";

	defined($pid = fork) or die "fork: $!\n";
	if ($pid == 0)
	{
		$ENV{PGOPTIONS} = "-c statement_timeout=$TIMEOUT_MS -c DateStyle=ISO,YMD"
		  . ' -c TimeZone=UTC -c IntervalStyle=postgres -c client_min_messages=notice';
		$ENV{PGCLIENTENCODING} = 'UTF8';
		delete $ENV{PGTZ};
		open STDIN, '<', "$dir/in" or die "$!\n";
		open STDOUT, '>', "$dir/out" or die "$!\n";
		open STDERR, '>', "$dir/err" or die "$!\n";
		exec $ENV{PSQL} // 'psql', '-X', '-q', '-d', $database, '-v', 'ON_ERROR_STOP=1';
		die "psql: $!\n";
	}
	waitpid $pid, 0;
	die "psql was stopped\n" if $? & 127;
	return ($? >> 8, map { Conformance::Case::read_text("$dir/$_") } qw(out err));
}

# The script of a case.  Variables of psql hold the translations, so that nothing
# in them is read by psql but as SQL.
sub script_of
{
	my ($case) = @_;
	my $steps = $case->{steps};
	my ($first_reader) = grep { $steps->[$_]{kind} =~ /^(?:query|insert)\z/ } 0 .. $#$steps;
	my $script = <<"END";
\\set VERBOSITY verbose
\\pset pager off
\\pset format csv
\\pset null '$NULL'
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS conformance_case CASCADE;
CREATE SCHEMA conformance_case;
RESET client_min_messages;
SET search_path = conformance_case, public;
END

	for my $number (0 .. $#$steps)
	{
		$script .= load_script($case) if defined $first_reader && $number == $first_reader;
		$script .= step_script($number, $steps->[$number]);
	}
	return $script . mark('end') . <<'END';
SET client_min_messages = warning;
DROP SCHEMA conformance_case CASCADE;
END
}

sub step_script
{
	my ($number, $step) = @_;
	my $quoted = dollar_quoted($step->{sql});
	my $script = mark("translate $number")
	  . "SELECT coalesce(pg_catalog.rtrim(flink_sql($quoted), E' \\n;'), '') AS translation \\gset\n"
	  . mark("translated $number") . "\\echo :translation\n";

	return $script . mark("run $number") . "SELECT :'translation' \\gexec\n"
	  if $step->{kind} =~ /^(?:definition|insert)\z/;
	return $script . mark("columns $number") . ":translation\n\\gdesc\n"
	  . mark("rows $number") . ":translation\n\\g\n";
}

sub load_script
{
	my ($case) = @_;
	my $script = mark('load 0');

	for my $load (grep { @{ $_->{rows} } } @{ $case->{arrivals} })
	{
		$script .= 'INSERT INTO ' . name_of($load->{input}{name}) . ' ('
		  . join(', ', map { name_of($_->[0]) } @{ $load->{input}{columns} }) . ") VALUES\n"
		  . join(",\n", map { '(' . join(', ', map { literal($_) } @$_) . ')' } @{ $load->{rows} })
		  . ";\n";
	}
	return $script;
}

sub mark
{
	return "\\echo '$MARK $_[0]'\n\\warn '$MARK $_[0]'\n";
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

sub parse_output
{
	my ($case, $status, $out, $err) = @_;
	my %ours = (translations => [], results => [], notices => [], error => undef);

	for my $part (parts($out))
	{
		my ($stage, $number, $text) = @$part;
		if ($stage eq 'translated') { $ours{translations}[$number] = $text =~ s/^\s+|\s+\z//gr }
		elsif ($stage eq 'columns')
		{
			my (undef, @columns) = parse_csv($text);
			push @{ $ours{results} }, {
				kind => $case->{steps}[$number]{kind},
				names => [ map { $_->[0] } @columns ],
				types => [ map { $_->[1] } @columns ]
			};
		}
		elsif ($stage eq 'rows')
		{
			my (undef, @rows) = parse_csv($text);
			$ours{results}[-1]{rows} = [ map { [ map { value_of($_) } @$_ ] } @rows ];
		}
	}
	my @messages = parts($err);
	push @{ $ours{notices} }, $_->[2] =~ /^NOTICE:  \w+: ([^\n]*)/mg for @messages;
	$ours{error} = error_of($status, $messages[-1]) if $status;
	return \%ours;
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

sub value_of
{
	my ($field) = @_;

	return defined $field ? $field eq $NULL ? undef : $field : '';
}

# The error that ended a session, from the last part of its standard error.
sub error_of
{
	my ($status, $part) = @_;
	my ($stage, $number, $text) = @$part;
	my %stage_of = (translate => 'translate', load => 'load');

	$text =~ s/^(?:NOTICE|WARNING|INFO):.*?(?=^(?:[A-Z]+:  \w{5}:|psql:)|\z)//msg;
	$text =~ s/^LOCATION:.*\n//mg;
	my ($state) = $text =~ s/^(ERROR|FATAL|PANIC):  (\w{5}): /$1: /m ? $2 : 'none';
	return {
		stage => $stage_of{$stage} // ($stage =~ /^(?:start|end)\z/ ? $stage : 'run'),
		step => $number,
		state => $state,
		text => $text =~ s/\s+\z//r || "psql ended with status $status"
	};
}

1;
