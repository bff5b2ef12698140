# Queries of all kinds over two streams give what they give by hand over the rows that
# were not late for a window, wherever the worker is when it is killed.
#
# One session writes, so that an oracle can tell from the rows alone where the watermark
# of each query was when a transaction came: at the least of those of its streams.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousMix;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use WorkerCrash;

my $seed = $ENV{AW_SEED} || 5;
my $start = '2024-03-31 10:00';
my $delay = '0.4 seconds';
my @names = mix_names();
my $clock = 0;		# seconds of event time
my $tx = 0;
srand($seed);
note "seed $seed";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off',
  q{apply_watermark.crash_at = ''}, q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');
create_streams($node, $start, $delay);

insert_rows(60);
create_mix($node, $_) for @names;
check('history');

insert_rows(1 + rand 60) for 1 .. 12;
check('live');

for my $step (qw(decode publish commit confirm))
{
	crash_at($node, $step, \&insert_rows);
	check("crash at $step");
}

# What comes meanwhile is one batch then, in whose midst windows close.
$node->safe_psql('postgres', q{SELECT watermark.pause_query(name) FROM watermark.queries});
insert_rows(1 + rand 60) for 1 .. 12;
$node->restart;
$node->safe_psql('postgres', q{SELECT watermark.resume_query(name) FROM watermark.queries});
check('pause');

# A query over results has them all when the others have ended.
for my $condition (q{name <> 'above'}, q{name = 'above'})
{
	$node->safe_psql('postgres', "SELECT watermark.drain_query(name) FROM watermark.queries WHERE $condition");
	$node->safe_psql('postgres', 'SELECT watermark.advance()');
}
check('drain', 1);
is($node->safe_psql('postgres', q{SELECT DISTINCT state FROM watermark.queries}), 'drained', 'all queries are drained');
is($node->safe_psql('postgres', q{SELECT count(*) FROM watermark.checkpoint}), 0, 'no state is left');
is($node->safe_psql('postgres', q{SELECT string_agg(name, ' ') FROM watermark.queries WHERE n_results = 0}), '', 'all have published');
note $node->safe_psql('postgres', q{SELECT string_agg(name || ' ' || n_results || '/' || late || '/' || rows_in, ', ' ORDER BY name) FROM (
	SELECT q.name, q.n_results, a.late, a.rows_in FROM watermark.queries AS q, watermark.audit(q.name) AS a) AS counts});
$node->stop;
done_testing();

# Rows of both streams in one transaction; about one of ten is up to a second and a half late.
sub insert_rows
{
	my ($n) = @_;
	my %rows = (event => [], other => []);

	$tx++;
	for (1 .. $n)
	{
		$clock += rand(0.04);
		my $at = $clock - (rand() < 0.1 ? rand(1.5) : rand(0.3));
		# Windows close, and begin, at the last and the first moment.
		$at = 0.5 * int($clock / 0.5) + (0.398, 0.399, 0.4, 0.499, 0)[ rand 5 ] if rand() < 0.2;
		my $ts = rand() < 0.02 ? 'NULL' : sprintf q{timestamp '%s' + %.3f * INTERVAL '1 second'}, $start, $at;

		push @{ $rows{ rand() < 0.6 ? 'event' : 'other' } }, sprintf q{(%d, %d, %s, %.2f, %s)}, $tx, rand(9), rand() < 0.2 ? 'NULL' : sprintf(q{'n%d'}, rand(4)), rand(100), $ts;
	}
	$node->safe_psql('postgres',
		join ';', 'BEGIN', map({ "INSERT INTO $_ (tx, k, name, v, ts) VALUES " . join ', ', @{ $rows{$_} } } grep { @{ $rows{$_} } } sort keys %rows), 'COMMIT');
	return;
}

# Compares all sinks, late rows and counts with the oracle.
sub check
{
	my ($label, $is_drained) = @_;

	# What the first publishes is taken in by the second.
	$node->safe_psql('postgres', 'SELECT watermark.advance()') for 1 .. 2;
	for my $name (@names)
	{
		my $result = $kind{$name}{is_above} ? compare_above($name, $is_drained) : compare($name, $is_drained);

		is($result, "0|0\nt|0|0", "$label: $name") or diag $node->safe_psql('postgres', "SELECT * FROM watermark.audit('$name')");
	}
	is($node->safe_psql('postgres', 'SELECT count(*) FROM watermark.queries WHERE error IS NOT NULL'), 0, "$label: no query has an error");
	return;
}

# Results that are missing, and results too many; whether the counts are right; late rows
# that are missing, and late rows too many.
sub compare
{
	my ($name, $is_drained) = @_;
	my $is_zoned = defined $kind{$name}{zone};
	my ($time, $granule, $delayed) = $is_zoned ? ('zoned', '1 microsecond', "INTERVAL '$delay' * 3600") : ('ts', '1 millisecond', "INTERVAL '$delay'");
	my $zone = $kind{$name}{zone} // 'UTC';
	my ($suffix, $drained) = ($is_zoned ? " $zone" : '', $is_drained ? 'true' : 'false');
	my @streams = map { $_ eq 'zoned' ? 'zoned_event' : $_ } streams_of($name);
	my ($window) = $kind{$name}{text} =~ /((?:TUMBLE|HOP|CUMULATE)\((?:[^()]|\([^()]*\))*\))/;
	my $in_time = "(before >= window_end - INTERVAL '$granule') IS NOT TRUE AND (last >= window_end - INTERVAL '$granule' OR $drained)";
	my %judged = map { (s/zoned_event/zoned/r => "judged_$_") } @streams;

	# Where the watermark is before a transaction: nowhere as long as that of a stream is.
	my $least = join ', ', map { "(SELECT max($time) - $delayed FROM $_ WHERE tx < t.tx)" } @streams;
	my $sql = qq{SET timezone = '$zone';
		CREATE TEMP TABLE moment AS
		SELECT tx, CASE WHEN num_nulls($least) = 0 THEN least($least) END AS reached FROM generate_series(1, $tx + 1) AS t(tx);
		CREATE INDEX ON moment (tx);};
	$sql .= qq{
		CREATE TEMP VIEW judged_$_ AS
		SELECT s.*, reached AS before, (SELECT reached FROM moment WHERE tx = $tx + 1) AS last FROM $_ AS s JOIN moment USING (tx);} for @streams;
	my $fates = join ' UNION ALL ', map {
		my $where = condition_of($name, $_);

		qq{SELECT '@{[ s/zoned_//r ]}' AS stream, id, CASE WHEN $time IS NULL THEN 'aside' WHEN before >= ends_at THEN 'late'
				WHEN last >= ends_at OR $drained THEN 'published' ELSE 'open' END AS fate, missed
			FROM judged_$_ LEFT JOIN (
				SELECT id, max(window_end) - INTERVAL '$granule' AS ends_at, max(window_end) FILTER (WHERE before >= window_end - INTERVAL '$granule') AS missed
				FROM judged_$_ AS e, $window GROUP BY id) AS w USING (id) WHERE $where} } @streams;

	return $node->safe_psql('postgres', $sql . "CREATE TEMP TABLE expected AS @{[ text_by_hand($name, $in_time, ', before, last', %judged) ]};" . qq{
		SELECT (SELECT count(*) FROM (TABLE expected EXCEPT ALL TABLE $name) AS missing), (SELECT count(*) FROM (TABLE $name EXCEPT ALL TABLE expected) AS extra);
		WITH fate AS ($fates),
		late AS (
			SELECT stream, id, CASE fate WHEN 'aside' THEN 'null' WHEN 'late' THEN 'late' ELSE 'partly late' END, missed::timestamp || '$suffix'
			FROM fate WHERE fate = 'aside' OR missed IS NOT NULL),
		noted AS (SELECT source::text, (source_row->>'id')::bigint, reason, window_end FROM watermark.late_rows WHERE query = '$name')
		SELECT (SELECT (count(*) FILTER (WHERE fate = 'published'), count(*) FILTER (WHERE fate = 'open'),
				count(*) FILTER (WHERE fate = 'late'), count(*) FILTER (WHERE fate = 'aside'), count(*), true) FROM fate) = watermark.audit('$name'),
			(SELECT count(*) FROM (TABLE late EXCEPT ALL TABLE noted) AS missing), (SELECT count(*) FROM (TABLE noted EXCEPT ALL TABLE late) AS extra)});
}

# Of a query over the results of another, none is late.
sub compare_above
{
	my ($name, $is_drained) = @_;
	my $drained = $is_drained ? 'true' : 'false';

	return $node->safe_psql('postgres', qq{
		CREATE TEMP TABLE expected AS
		SELECT * FROM ($kind{$name}{text}) AS e WHERE window_end - INTERVAL '1 millisecond' <= (SELECT max(window_time) FROM per_key) OR $drained;
		SELECT (SELECT count(*) FROM (TABLE expected EXCEPT ALL TABLE $name) AS missing), (SELECT count(*) FROM (TABLE $name EXCEPT ALL TABLE expected) AS extra);
		SELECT (SELECT rows_in = (SELECT count(*) FROM per_key) AND published = (SELECT coalesce(sum(results), 0) FROM $name) AND is_complete AND late + set_aside = 0
			FROM watermark.audit('$name')), 0, 0});
}
