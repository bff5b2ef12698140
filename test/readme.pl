#!/usr/bin/perl
#
# Runs the SQL of a page and compares what psql prints with what it shows.
#
#	readme.pl [--psql PROGRAM] [--extension] README.md
#
# README.md creates the extension itself; other pages have it with --extension.
#
# Every block that starts with ```sql is run, in order, in one psql session in a
# new database, over the connection of PGHOST and the like.  Where the next block
# follows with nothing but blank lines between, and starts with ``` or ```text, it
# is the output: what psql prints in quiet mode, so without "CREATE TABLE" or
# "INSERT 0 1", but with NOTICE and ERROR.  Trailing white space, and blank lines
# around the output, do not count; all else is compared exactly.  A block without
# output must not raise an error, whatever it prints.  An error that is shown is
# expected, and the session goes on.  A block that starts with ```sql skip is not
# run.  Settings: TimeZone UTC, and PostgreSQL's defaults.  Files in /tmp are made in
# a directory of the test instead.

use strict;
use warnings;
use File::Temp qw(tempdir);

my $MARK = 'readme.pl: block';
my $DATABASE = 'shop';

my $psql = 'psql';
if (@ARGV && $ARGV[0] eq '--psql') { (undef, $psql) = splice @ARGV, 0, 2 }
my $has_extension = @ARGV && $ARGV[0] eq '--extension' && shift;
die "usage: readme.pl [--psql PROGRAM] [--extension] README.md\n" unless @ARGV == 1;

my $readme = shift;
my $dir = tempdir(CLEANUP => 1);
my $files = "$dir/files";
mkdir $files or die "$files: $!\n";
chmod 0755, $dir;
chmod 0777, $files;
my @blocks = pair_blocks(read_fences($readme));
die "$readme: no block starts with \`\`\`sql\n" unless @blocks;

my @unended = grep { !is_ended($_->{sql}) } @blocks;
die map { "$readme:$_->{line}: the block does not end with a semicolon\n" } @unended if @unended;

my @printed = run_blocks(@blocks);
my $failed = 0;
for my $i (0 .. $#blocks)
{
	$failed++ unless is_good($blocks[$i], $printed[$i]);
}
my $passed = @blocks - $failed;
print "$readme: $passed of ", scalar(@blocks), " SQL blocks passed\n";
exit($failed ? 1 : 0);

# Every fenced block of the file: its info string, line number, text, and whether
# only blank lines stand between it and the one before.
sub read_fences
{
	my ($path) = @_;
	my (@fences, $open, $text_between);

	open my $in, '<', $path or die "$path: $!\n";
	while (my $line = <$in>)
	{
		$line =~ s/\s+\z//;
		if ($open && $line =~ /^\s*\Q$open->{fence}\E`*$/) { $open = undef }
		elsif ($open) { $line =~ s/^\Q$open->{indent}\E//; $open->{text} .= "$line\n" }
		elsif ($line =~ /^(\s*)(```+)\s*([^`]*)$/)
		{
			$open = { indent => $1, fence => $2, info => lc $3, line => $., text => '',
				follows => !$text_between };
			push @fences, $open;
			$text_between = 0;
		}
		elsif ($line ne '') { $text_between = 1 }
	}
	close $in;
	die "$path:$open->{line}: the block has no end\n" if $open;
	return @fences;
}

# The blocks to run: sql, line and, where one is shown, output.
sub pair_blocks
{
	my @fences = @_;
	my @pairs;

	for my $i (0 .. $#fences)
	{
		next unless $fences[$i]{info} eq 'sql';
		my $next = $fences[ $i + 1 ];
		my $has_output = $next && $next->{follows} && $next->{info} =~ /^(?:text)?$/;
		push @pairs, {
			sql => $fences[$i]{text},
			line => $fences[$i]{line},
			output => $has_output ? $next->{text} : undef
		};
	}
	return @pairs;
}

# Whether a block leaves nothing behind for the next one to complete.
sub is_ended
{
	my ($sql) = @_;

	$sql =~ s/--[^\n]*$//mg;
	$sql =~ s/\s+\z//;
	return $sql eq '' || $sql =~ /;\z/ || $sql =~ /\\[^\n]*\z/;
}

# What psql prints for each block, both streams in one.
sub run_blocks
{
	my @all = @_;
	my $script = "$dir/readme.sql";
	my $text = '';
	my $number = 0;

	$text .= $_->{sql} =~ s{/tmp/}{$files/}gr . "\\echo '$MARK " . $number++ . "'\n" for @all;
	open my $out, '>', $script or die "$script: $!\n";
	print $out $text;
	close $out or die "$script: $!\n";

	psql('postgres', '-c', "DROP DATABASE IF EXISTS $DATABASE", '-c', "CREATE DATABASE $DATABASE");
	psql($DATABASE, '-c', 'CREATE EXTENSION apply_watermark') if $has_extension;
	local $ENV{PGTZ} = 'UTC';
	my $printed = psql($DATABASE, { input => $script }) =~ s{\Q$files/\E}{/tmp/}gr;
	psql('postgres', '-c', "DROP DATABASE $DATABASE");

	my @parts = split /^\Q$MARK\E \d+\n/m, $printed, -1;
	die "psql stopped early:\n$printed" unless @parts == @all + 1;
	return @parts;
}

# Runs psql with arguments or with an input file; dies when a command of the
# arguments fails.
sub psql
{
	my ($database, @arguments) = @_;
	my $input = ref $arguments[-1] ? pop(@arguments)->{input} : undef;
	my $log = "$dir/output";

	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if ($pid == 0)
	{
		open STDIN, '<', $input // '/dev/null' or die "$!\n";
		open STDOUT, '>', $log or die "$!\n";
		open STDERR, '>&', \*STDOUT or die "$!\n";
		exec $psql, '-X', '-q', '-d', $database, '-v', 'ON_ERROR_STOP=' . ($input ? 0 : 1),
		  '-P', 'pager=off', @arguments
		  or die "$psql: $!\n";
	}
	waitpid $pid, 0;
	my $status = $?;
	open my $in, '<', $log or die "$log: $!\n";
	my $text = do { local $/; <$in> } // '';
	close $in;
	die "$psql failed:\n$text" if $status && !$input;
	return $text;
}

# Compares, and says what is wrong.
sub is_good
{
	my ($block, $text) = @_;
	my $where = "$readme:$block->{line}";
	my $got = trimmed($text);

	if (!defined $block->{output})
	{
		return 1 unless $got =~ /^(?:ERROR|FATAL|PANIC):|^(?:psql: |\\\w+: )?error:|^invalid command /m;
		print "$where: the block raised an error:\n$got";
		return 0;
	}
	my $expected = trimmed($block->{output});
	return 1 if $got eq $expected;

	print "$where: the output differs from what is shown:\n", difference($expected, $got);
	return 0;
}

sub trimmed
{
	my ($text) = @_;

	$text =~ s/[ \t\r]+$//mg;
	$text =~ s/\A\n+//;
	$text =~ s/\n*\z/\n/;
	return $text eq "\n" ? '' : $text;
}

sub difference
{
	my %text = (shown => shift, printed => shift);

	for my $name (keys %text)
	{
		open my $out, '>', "$dir/$name" or die "$dir/$name: $!\n";
		print $out $text{$name};
		close $out;
	}
	my @lines = split /^/, `diff -U 100 '$dir/shown' '$dir/printed'`;
	return "--- shown\n+++ printed\n", grep { !/^(?:---|\+\+\+|\@\@) / } @lines;
}
