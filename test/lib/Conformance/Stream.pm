# Runs a stream case as a continuous query, in a psql session of its own.
#
# The statements of the case are translated and run, but for the query, which becomes a
# continuous query.  Then the rows of the inputs arrive, each in a transaction of its
# own, and the worker is awaited after each, so that every result has its moment.  At
# the end of the input the query is drained.  Everything is dropped at the end; a
# session that ends early leaves the query to the next one.

package Conformance::Stream;

use strict;
use warnings;
use Exporter qw(import);
use Conformance::Case qw(parse_csv);
use Conformance::Psql qw(error_of head_script insert_script mark notices_of parts rows_of run_psql
  run_script tail_script translation_script);
use Conformance::Session qw(parse_part step_script);

our @EXPORT_OK = qw(has_workers is_stream keep_worker run_stream);

my $SCHEMA = 'conformance_case';
my $QUERY = 'conformance_case';
my $SINK = "$SCHEMA.result";
my $TIMEOUT = '30 s';

# Whether the server can run continuous queries.
sub has_workers
{
	my ($status, $out) = run_psql('postgres', "\\pset tuples_only on\nSELECT current_setting('wal_level')"
		  . " = 'logical' AND current_setting('shared_preload_libraries') ~ 'apply_watermark';\n");

	return $status == 0 && $out =~ /^\s*t\s*\z/;
}

# Tracks a stream without rows, so that the worker does not end with each case.
sub keep_worker
{
	my ($database) = @_;
	my ($status, undef, $err) = run_psql($database, <<'END');
CREATE TABLE worker_stays (ts timestamp(3), CHECK (watermark_for(ts, ts)));
SELECT watermark.track('worker_stays');
SELECT watermark.advance();
END

	die $err if $status;
	return;
}

# Whether a case has a query over a stream, and Flink does not refuse it before it plans a stream.
sub is_stream
{
	my ($case) = @_;

	return 0 unless $case->{mode} eq 'stream' && grep { $_->{kind} eq 'query' } @{ $case->{steps} };
	return $case->{outcome} eq 'rows' || $case->{error}{stage} =~ /^(?:plan|run)\z/;
}

# What became of a case: as of run_case(), but for
#	error		stage may be "create", where the query is refused, or "stream", where
#			it has failed
#	results		of each DESCRIBE, and last the sink as it is in the end
#	emission	its rows, each with the moment before it: as many rows had arrived, or "end"
#	late		rows that were late or set aside: [ reason, source_row ]
#	audit		what audit() says in the end
#	watermarks	that rows met: [ input, row, Flink's, ours ]
sub run_stream
{
	my ($database, $case) = @_;

	return parse_output($case, run_script($database, script_of($case)));
}

sub script_of
{
	my ($case) = @_;
	my $script = drop_script() . head_script($SCHEMA);
	my ($n_arrived, %n_rows) = (0);

	for my $number (0 .. $#{ $case->{steps} })
	{
		my $step = $case->{steps}[$number];
		$script .= $step->{kind} eq 'query' ? create_script($number, $case) : step_script($number, $step);
	}
	for my $arrival (@{ $case->{arrivals} })
	{
		$script .= $arrival->{input}
		  ? met_script($case, $arrival->{input}{name}, ++$n_rows{ $arrival->{input}{name} })
		  . arrival_script(++$n_arrived, $arrival)
		  : pause_script($n_arrived, $arrival);
	}
	return $script . end_script() . drop_script() . tail_script($SCHEMA);
}

# Makes the continuous query, with the options of Flink that have a meaning for it.
sub create_script
{
	my ($number, $case) = @_;
	my $idle_timeout = $case->{flink_settings}{'table.exec.source.idle-timeout'};
	my $options = $idle_timeout ? ", idle_timeout => '$idle_timeout'" : '';

	return translation_script($number, $case->{steps}[$number]) . mark("create $number")
	  . "SELECT watermark.create_query('$QUERY', :'translation', sink => '$SINK'$options);\n"
	  . mark('sink') . "SELECT * FROM $SINK\n\\gdesc\n"
	  . mark('stream') . advance_script();
}

sub advance_script
{
	return "SELECT watermark.advance('$TIMEOUT');\n";
}

# The watermark that a row of an input meets, and Flink's: both on the clock of the session.
sub met_script
{
	my ($case, $name, $row) = @_;
	my $of_input = $case->{watermarks_of}{$name} or return '';
	my $theirs = $of_input->[ $row - 1 ];
	my $sql = !defined $theirs ? 'NULL'
	  : $theirs =~ /\+00\z/ ? "timezone(current_setting('TimeZone'), timestamptz '$theirs')"
	  : "timestamp '$theirs'";

	return mark('met') . <<"END";
SELECT '$name', $row, $sql, (
	SELECT substring(watermark, '^[0-9-]+ [0-9:.]+')
	FROM watermark.streams
	WHERE query = '$QUERY' AND source::text ~ '^"?\L$name\E(__source)?"?\$');
END
}

# A row arrives, as one more of all rows.
sub arrival_script
{
	my ($n_arrived, $arrival) = @_;

	return mark('load') . (defined $arrival->{row} ? insert_script($arrival->{input}, $arrival->{row}) : '')
	  . emission_script($n_arrived);
}

# Nothing arrives, behind so many rows.
sub pause_script
{
	my ($n_arrived, $pause) = @_;

	return mark('stream') . sprintf("SELECT pg_sleep(%g);\n", $pause->{pause_ms} / 1000)
	  . emission_script($n_arrived);
}

# What the sink has, behind so many rows, or in the end.
sub emission_script
{
	return mark('stream') . advance_script() . mark(join ' ', 'emitted', @_) . "TABLE $SINK;\n";
}

sub end_script
{
	return mark('stream') . "SELECT watermark.drain_query('$QUERY');\n" . emission_script()
	  . mark('late') . "SELECT reason, source_row FROM watermark.late_rows WHERE query = '$QUERY';\n"
	  . mark('audit') . "SELECT published, open, late, set_aside, rows_in, is_complete"
	  . " FROM watermark.audit('$QUERY');\n"
	  . mark('state') . "SELECT state, error_code, error FROM watermark.queries WHERE name = '$QUERY';\n";
}

sub drop_script
{
	return mark('drop') . <<"END";
SELECT watermark.drop_query(name) FROM watermark.queries WHERE name = '$QUERY';
END
}

sub parse_output
{
	my ($case, $status, $out, $err) = @_;
	my %sink = (kind => 'query');
	my %ours = (is_stream => 1, translations => [], results => [], notices => [], emission => [],
		late => [], watermarks => [], error => undef);

	parse_part(\%ours, $case, $_) || parse_stream_part(\%ours, \%sink, @$_) for parts($out);
	my @messages = parts($err);
	push @{ $ours{results} }, \%sink if $sink{names};
	push @{ $ours{notices} }, notices_of($_->[2]) for @messages;
	$ours{error} = error_of($status, $messages[-1]) if $status;
	return \%ours;
}

sub parse_stream_part
{
	my ($ours, $sink, $stage, $moment, $text) = @_;

	if ($stage eq 'sink')
	{
		my (undef, @columns) = parse_csv($text);
		$sink->{names} = [ map { $_->[0] } @columns ];
		$sink->{types} = [ map { $_->[1] } @columns ];
	}
	elsif ($stage eq 'emitted')
	{
		my @rows = rows_of($text);
		push @{ $ours->{emission} }, map { [ $moment // 'end', '+I', @$_ ] } new_rows($sink->{rows}, \@rows);
		$sink->{rows} = \@rows;
	}
	elsif ($stage eq 'met') { push @{ $ours->{watermarks} }, rows_of($text) }
	elsif ($stage eq 'late') { $ours->{late} = [ rows_of($text) ] }
	elsif ($stage eq 'audit') { ($ours->{audit}) = rows_of($text) }
	elsif ($stage eq 'state') { $ours->{error} = failure_of(rows_of($text)) }
	return;
}

# The rows that are there and were not, both multisets.
sub new_rows
{
	my ($before, $after) = @_;
	my %count;

	$count{ key_of($_) }++ for @{ $before // [] };
	return grep { --($count{ key_of($_) } //= 0) < 0 } @$after;
}

sub key_of
{
	my ($row) = @_;

	return join "\x{1}", map { $_ // "\x{2}" } @$row;
}

# The error of a query that did not come to its end.
sub failure_of
{
	my ($row) = @_;
	my ($state, $code, $text) = @{ $row // [ 'gone', undef, undef ] };

	return undef if $state eq 'drained';
	return { stage => 'stream', step => 0, state => $code // 'none',
		text => 'ERROR: ' . ($text // "the query is $state") };
}

1;
