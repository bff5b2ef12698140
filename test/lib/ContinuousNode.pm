# A server whose continuous queries a test can watch: tables with watermarks, queries
# that count by the minute, and what has become of their rows.
package ContinuousNode;

use strict;
use warnings;

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw($node $PER_MINUTE test_each sql advance take_in stream new_source query per_minute arrive published audit watermark tracked refuses refuses_query worker_memory);
our $node;
our $PER_MINUTE = q{
	SELECT window_start, count(*) AS n, sum(v) AS s
	FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end};

# Runs subtests, each a name and a function, on a server of their own, each without
# queries or tracked streams of others.
sub test_each
{
	my (@tests) = @_;

	$node = PostgreSQL::Test::Cluster->new('main');
	$node->init;
	$node->append_conf('postgresql.conf', $_)
	  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off',
	  'apply_watermark.coalesce_delay = 0', q{timezone = 'UTC'};
	$node->start;
	sql('CREATE EXTENSION apply_watermark');
	for my $test (@tests)
	{
		subtest(@$test);
		sql('SELECT watermark.drop_query(name) FROM watermark.queries', 'SELECT watermark.untrack(source) FROM watermark.streams');
	}
	$node->stop;
	done_testing();
	return;
}

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

sub advance
{
	sql('SELECT watermark.advance()');
	return;
}

# Runs statements, and waits until what they have done is taken in.
sub take_in
{
	sql(@_);
	advance();
	return;
}

# A table whose watermark is five seconds behind, unless a strategy is given.
sub stream
{
	my ($name, $type, $strategy) = @_;

	sql(sprintf q{CREATE TABLE %s (id bigint GENERATED ALWAYS AS IDENTITY, k text, v int DEFAULT 1, ts %s,
		CHECK (watermark_for(ts, %s)))}, $name, $type // 'timestamp', $strategy // q{ts - INTERVAL '5' SECOND});
	return;
}

# Such a table, whose writer gives identifiers and times of three digits.
sub new_source
{
	my ($name) = @_;

	sql("CREATE TABLE $name (id int, k int, ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5' SECOND)))");
	return;
}

# The query of that name over a source, its sink is the table of its name.
sub query
{
	my ($name, $text, $options, @settings) = @_;

	sql(@settings, sprintf(q{SELECT watermark.create_query('%s', $q$%s$q$%s)}, $name, $text, $options // ''));
	advance();
	return;
}

sub per_minute
{
	my ($name, $source) = @_;

	query($name, sprintf $PER_MINUTE, $source);
	return;
}

# Rows of these times in one transaction, which are then taken in.
sub arrive
{
	my ($table, @times) = @_;

	sql("INSERT INTO $table (ts) VALUES " . join ', ', map { $_ eq 'NULL' ? '(NULL)' : "('" . full($_) . "')" } @times);
	advance();
	return;
}

sub full
{
	my ($time) = @_;

	return $time =~ /^\d\d:/ ? "2024-01-01 $time" : $time;
}

# The results so far, in a line: window_start=n, with the date that all share left out.
sub published
{
	my ($name) = @_;

	return sql("SELECT string_agg(replace(window_start::text, '2024-01-01 ', '') || '=' || n, ' ' ORDER BY window_start) FROM $name");
}

# published | open | late | set aside | rows in | is complete
sub audit
{
	my ($name) = @_;

	return sql("SELECT * FROM watermark.audit('$name')");
}

sub watermark
{
	my ($name) = @_;

	return sql("SELECT watermark FROM watermark.streams WHERE query = '$name'");
}

# What a tracked stream shows.
sub tracked
{
	my ($source, $columns) = @_;

	return sql("SELECT $columns FROM watermark.streams WHERE query IS NULL AND source = '$source'::regclass");
}

sub refuses
{
	my ($label, $sql, $message) = @_;
	my ($status, undef, $error) = $node->psql('postgres', $sql);

	isnt($status, 0, "$label is refused");
	like($error, $message, "$label: the message says why");
	return;
}

sub refuses_query
{
	my ($label, $text, $message) = @_;

	refuses($label, qq{SELECT watermark.create_query('refused', \$q\$$text\$q\$)}, $message);
	return;
}

# What the memory contexts of the worker hold together, in bytes, and what it has of
# memory for itself, in kB.
sub worker_memory
{
	my $offset = -s $node->logfile;
	my $pid = sql(q{SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'apply_watermark worker'});

	sql("SELECT pg_log_backend_memory_contexts($pid)");
	$node->wait_for_log(qr/Grand total: \d+ bytes/, $offset);
	my ($used) = slurp_file($node->logfile, $offset) =~ /Grand total: \d+ bytes in \d+ blocks; \d+ free \(\d+ chunks\); (\d+) used/;
	my ($private) = slurp_file("/proc/$pid/status") =~ /^RssAnon:\s+(\d+) kB/m;
	return ($used, $private);
}

1;
