# Every kind of query that can be continuous, all at once: over a history, rows that
# come in, and restarts, which take the states of all aggregates through a checkpoint.
# Each has the rows that it gives by hand.

use strict;
use warnings;

use Cwd qw(abs_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Rows number first to last of each stream, a day of them at a time, in no order.
my $FILL = q{
	INSERT INTO bid (auction, price, ts, tz, m, n, f, tags, j, iv, u, tx, c, r, ms, p, d, b, dt)
	SELECT CASE WHEN i %% 31 <> 0 THEN i %% 9 END, i %% 97, CASE WHEN i %% 53 <> 0 THEN timestamp '2024-03-30 20:00' + at END,
		timestamptz '2024-03-30 20:00Z' + at, (enum_range(NULL::mood))[1 + i %% 3], (i %% 11) / 3.0, i / 7.0, ARRAY['x' || i %% 3],
		jsonb_build_object('k', i %% 4), (i %% 5) * INTERVAL '1 h', md5((i %% 6)::text)::uuid, 't' || i %% 5,
		CASE WHEN i %% 2 = 0 THEN 'Ab' ELSE 'aB' END, int4range(i %% 4, 10), 1711828800000 + 1000 * extract(epoch FROM at)::bigint,
		ROW(i %% 3, 'q')::pair, i %% 10, i %% 2 = 0, date '2024-01-01' + i %% 3
	FROM generate_series(%1$d, %2$d) AS i, LATERAL (SELECT (i * 37 %% 5000) * INTERVAL '13 s' + (i / 1000) * INTERVAL '1 day' AS at) AS a;
	INSERT INTO plain SELECT i, timestamp '2024-01-01' + i * INTERVAL '3 s', i, 'k' || i %% 4 FROM generate_series(%1$d, %2$d) AS i;
	INSERT INTO "Mixed Case" SELECT i, timestamp '2024-01-01' + i * INTERVAL '7 s', 'K' || i %% 3 FROM generate_series(%1$d, %2$d) AS i;
	INSERT INTO part SELECT i, timestamp '2024-01-01' + i * INTERVAL '7 s', i %% 10 FROM generate_series(%1$d, %2$d) AS i;
	INSERT INTO generated (k, ms) SELECT i %% 4, i * 10000::bigint FROM generate_series(%1$d, %2$d) AS i};

my $dir = abs_path('test');
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off', q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), map { ('-f', "$dir/$_.psql") }
		'continuous', 'continuous_accepted' ], 'the streams and queries');

# Some of them over windows that share rows, but for those that compute with the window.
for my $kind ([ 'HOP', 3, 1 ], [ 'CUMULATE', 4, 2 ])
{
	my ($window, $n_steps, $rest) = @$kind;

	sql(qq{
		INSERT INTO accepted (label, query)
		SELECT label || ', $window', sliding FROM accepted, LATERAL (SELECT regexp_replace(query,
			'\\mTUMBLE\\s*\\(([^,()]+), *DESCRIPTOR\\(([^)]+)\\), *(INTERVAL ''[^'']+'' \\w+)',
			'$window(\\1, DESCRIPTOR(\\2), \\3 / $n_steps, \\3', 'gi') AS sliding) AS s
		WHERE number % 4 = $rest AND sliding <> query AND label NOT IN ('agg over window', 'key mixed', 'where on window')
			AND (sliding ~ 'window_end' OR '$window' = 'HOP') ORDER BY number});
}
sql(q{INSERT INTO past SELECT i, timestamp '2024-01-01' + i * INTERVAL '3 s', i, 'k' || i % 4 FROM generate_series(1, 500) AS i});

fill(1, 999);
sql(q{SELECT watermark.create_query('q' || number, query) FROM accepted ORDER BY number});
advance();
for my $day (1 .. 3)
{
	$node->restart;
	fill($day * 1000, $day * 1000 + 999);
	advance();
}
sql('SELECT watermark.drain_query(name) FROM watermark.queries');
advance();

is(sql(q{SELECT name, state, error FROM watermark.queries WHERE error IS NOT NULL OR state <> 'drained'}), '', 'all queries are drained');
is(sql('SELECT q.name, a FROM watermark.queries AS q, watermark.audit(q.name) AS a WHERE NOT a.is_complete OR a.late > 0 OR a.open > 0'),
	'', 'and have all rows, of which none was late');
for my $case (split /\n/, sql('SELECT number, label FROM accepted ORDER BY number'))
{
	my ($number, $label) = split /\|/, $case, 2;
	my $query = sql("SELECT query FROM accepted WHERE number = $number");

	is(sql("CREATE TEMP TABLE by_hand AS $query", qq{
			SELECT (SELECT count(*) FROM (TABLE by_hand EXCEPT ALL TABLE q$number) AS missing),
				(SELECT count(*) FROM (TABLE q$number EXCEPT ALL TABLE by_hand) AS extra),
				(SELECT count(*) > 1 FROM q$number)}), '0|0|t', $label);
}
$node->stop;
done_testing();

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

# In one transaction, so that no row is late.
sub fill
{
	my ($first, $last) = @_;

	$node->safe_psql('postgres', 'BEGIN;' . sprintf($FILL, $first, $last) . '; COMMIT');
	return;
}

sub advance
{
	sql('SELECT watermark.advance()');
	return;
}
