# B57: passes of the worker give back what they take: with rows, late ones and such
# without a time, over queries of several kinds; without any; over a table that is
# altered; and with a query that fails.
#
# AW_PASSES says how many at least.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $n_passes = $ENV{AW_PASSES} || 1200;
my %kind = (
	by_key => q{SELECT window_end, k, count(*) AS n, max(name) AS name FROM ticks AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, k},
	sliding => q{SELECT window_end, k, stddev(v) AS deviation, sum(v) AS total FROM ticks AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)
		GROUP BY window_start, window_end, k},
	growing => q{SELECT window_end, count(DISTINCT name) AS names FROM ticks AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '10' MINUTE)
		GROUP BY window_start, window_end},
	hottest => q{SELECT * FROM (
			SELECT window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY count(*) DESC, k) AS place
			FROM ticks AS e JOIN item USING (k), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k) AS r WHERE place < 3},
	ordered => q{SELECT window_end, string_agg(name, '' ORDER BY v) AS names, percentile_disc(0.5) WITHIN GROUP (ORDER BY v) AS middle
		FROM ticks AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) GROUP BY window_start, window_end},
	sets => q{SELECT window_end, k, name, grouping(k, name) AS what, count(*) AS n FROM ticks AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, GROUPING SETS ((), (k), (name))},
	united => q{SELECT window_end, what, sum(v) AS total
		FROM (SELECT ts, v, 1 AS what FROM ticks UNION ALL SELECT ts, v, 2 FROM others) AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, what},
	matched => q{SELECT l.window_end, l.v AS one, r.v AS another
		FROM (SELECT * FROM ticks AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS l
		LEFT JOIN (SELECT * FROM others AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS r
			ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.k = r.k},
	failing => q{SELECT window_end, count(*) AS n FROM faults AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end},
);
my %script = (
	rows => [ 16, q{INSERT INTO ticks SELECT i % 5, 'n' || i % 3, i, t + i * INTERVAL '1 s'
			FROM (SELECT timestamp '2024-01-01' + nextval('tick') * INTERVAL '20 s' AS t) AS t, generate_series(1, 8) AS i;
		INSERT INTO others SELECT 1, 'o', 1, timestamp '2024-01-01' + currval('tick') * INTERVAL '20 s';
		SELECT watermark.advance();} ],
	outside => [ 4, q{INSERT INTO ticks VALUES (1, 'null', 1, NULL), (1, 'late', 1, '2024-01-01'); SELECT watermark.advance();} ],
	empty => [ 4, 'SELECT watermark.advance();' ],
	unread => [ 2, q{INSERT INTO unread VALUES (1); SELECT watermark.advance();} ],
	altered => [ 2, q{ALTER TABLE ticks ALTER v SET DEFAULT 1; INSERT INTO ticks VALUES (1, 'altered'); SELECT watermark.advance();} ],
	error => [ 2, q{UPDATE fault SET is_there = true; INSERT INTO faults SELECT timestamp '2024-01-01' + nextval('minute') * INTERVAL '1 minute';
		SET client_min_messages = error; SELECT watermark.advance();
		UPDATE fault SET is_there = false; SELECT watermark.resume_query('failing'); SELECT watermark.advance();} ],
);

test_each([ 'memory', \&test_memory ]);

sub test_memory
{
	my $dir = PostgreSQL::Test::Utils::tempdir;

	sql('CREATE SEQUENCE tick', 'CREATE SEQUENCE minute', 'CREATE TABLE unread (i int)', 'CREATE TABLE item (k int PRIMARY KEY)',
		'INSERT INTO item SELECT generate_series(0, 3)',
		q{CREATE TABLE ticks (k int, name text, v int, ts timestamp, CHECK (watermark_for(ts, ts - INTERVAL '5' SECOND)))},
		'CREATE TABLE others (LIKE ticks INCLUDING ALL)', 'CREATE TABLE faults (ts timestamp, CHECK (watermark_for(ts, ts)))');
	query($_, $kind{$_}, q{, late => 'count'}) for sort keys %kind;
	sql('CREATE TABLE fault (is_there boolean)', 'INSERT INTO fault VALUES (false)',
		q{CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF is_there FROM fault THEN RAISE 'refused'; END IF; RETURN NEW; END $$},
		'CREATE TRIGGER refuse BEFORE INSERT ON failing FOR EACH ROW EXECUTE FUNCTION refuse()');
	append_to_file("$dir/$_.sql", $script{$_}[1] =~ s/\n/ /gr =~ s/; */;\n/gr) for keys %script;
	my $run = sub {
		$node->command_ok([ 'pgbench', '-n', '-t', $_[0], map({ ('-f', "$dir/$_.sql\@$script{$_}[0]") } sort keys %script), $node->connstr('postgres') ],
			"$_[0] times");
	};

	$run->($n_passes / 4);
	my @before = worker_memory();
	$run->($n_passes);
	my @after = worker_memory();
	note sprintf '%d bytes in memory contexts, then %d; %d kB of private memory, then %d', $before[0], $after[0], $before[1], $after[1];
	is(sql('SELECT state, error, count(*) FROM watermark.queries GROUP BY 1, 2'), 'running||9', 'all queries run');
	cmp_ok(scalar(() = slurp_file($node->logfile) =~ /continuous query "failing" .*refused/g), '>', $n_passes / 50, 'one has failed often');
	cmp_ok(sql(q{SELECT min(n_results) FROM watermark.queries WHERE name <> 'failing'}), '>', $n_passes / 20, 'there are results');
	cmp_ok($after[0] - $before[0], '<', 500_000, 'nothing stays in memory contexts');
	cmp_ok($after[1] - $before[1], '<', 2_000, 'and nothing beside them');
	return;
}
