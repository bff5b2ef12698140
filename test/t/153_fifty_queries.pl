# Fifty queries of a database, over five tables that are written to in turns, through a
# restart and beside one that fails: each gives what it gives by hand.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my @tables = map { "event_$_" } 1 .. 5;
my %kind = (
	by_key => q{SELECT window_end, k, count(*) AS n, sum(v) AS total FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, k},
	shifted => q{SELECT window_start, name, min(v) AS least, max(v) AS most
		FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '10' SECOND) GROUP BY window_start, window_end, name},
	sliding => q{SELECT window_end, k, count(*) AS n, max(v) AS most FROM %s AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '30' SECOND, INTERVAL '2' MINUTE)
		GROUP BY window_start, window_end, k},
	deviating => q{SELECT window_end, avg(v) AS mean, stddev(v) FILTER (WHERE k > 3) AS deviation
		FROM %s AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '1' MINUTE) GROUP BY window_start, window_end},
	growing => q{SELECT window_end, k, sum(v) AS total FROM %s AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)
		GROUP BY window_start, window_end, k},
	grouped => q{SELECT tumble_start(ts, INTERVAL '30' SECOND) AS started, name, count(v) AS n FROM %s
		GROUP BY tumble(ts, INTERVAL '30' SECOND), name HAVING count(*) > 2},
	distinct_keys => q{SELECT window_end, count(DISTINCT k) AS keys, count(DISTINCT name) AS names
		FROM (SELECT * FROM %s WHERE v > 20) AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end},
	hottest => q{SELECT window_end, k, n, place FROM (
			SELECT window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY count(*) DESC, k) AS place
			FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k) AS r WHERE place <= 3},
	joined => q{SELECT window_end, category, sum(v) AS total FROM %s AS e JOIN item USING (k), TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, category},
	by_day => q{SELECT window_start, count(*) AS n, sum(v) AS total FROM %s_zoned AS e, TUMBLE(e, DESCRIPTOR(zoned), INTERVAL '1' DAY)
		GROUP BY window_start, window_end},
);

test_each([ 'fifty queries', \&test_fifty ]);

sub test_fifty
{
	srand(5);
	sql('CREATE TABLE item (k int PRIMARY KEY, category text)', q{INSERT INTO item SELECT i, 'c' || i % 3 FROM generate_series(0, 7) AS i});
	for my $table (@tables)
	{
		sql("CREATE TABLE $table (k int, name text, v int, ts timestamp(3), zoned timestamptz, CHECK (watermark_for(ts, ts - INTERVAL '20' SECOND)))",
			"CREATE VIEW ${table}_zoned AS SELECT * FROM $table WHERE watermark_for(zoned, zoned - INTERVAL '1' HOUR)");
	}
	insert($_, 0) for @tables;
	for my $table (@tables)
	{
		sql(q{SET timezone = 'Europe/Berlin'},
			map { sprintf q{SELECT watermark.create_query('%s_%s', $q$%s$q$)}, $_, $table, sprintf $kind{$_}, $table } sort keys %kind);
	}
	advance();
	is(sql('SELECT state, count(*) FROM watermark.queries GROUP BY state'), 'running|50', 'fifty queries run');
	is(sql(q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'}), 1, 'in one worker');

	# One that cannot write its results.
	sql('ALTER TABLE by_key_event_1 ADD CONSTRAINT refuses CHECK (n < 0) NOT VALID');
	for my $round (1 .. 12)
	{
		insert($_, $round) for grep { rand() < 0.7 } @tables;
		advance() if $round % 4 == 0;
		$node->restart if $round == 6;
	}
	is(sql('SELECT name FROM watermark.queries WHERE error IS NOT NULL'), 'by_key_event_1', 'one has failed');
	sql('ALTER TABLE by_key_event_1 DROP CONSTRAINT refuses', q{SELECT watermark.resume_query('by_key_event_1')});
	insert($_, 13) for @tables;
	sql('SELECT watermark.drain_query(name) FROM watermark.queries');
	advance();
	is(sql('SELECT state, count(*) FROM watermark.queries GROUP BY state'), 'drained|50', 'all come to their end');

	is(differences(), '', 'each gives what it gives by hand');
	is(sql('SELECT count(*) FROM watermark.queries AS q, watermark.audit(q.name) AS a WHERE a.is_complete AND a.late + a.open + a.set_aside = 0'), 50, 'and counts its rows');
	cmp_ok(sql('SELECT min(n_results) FROM watermark.queries'), '>', 0, 'there are results of all');
	return;
}

# Rows of two minutes, out of order by less than the watermark is behind.
sub insert
{
	my ($table, $round) = @_;

	sql(sprintf q{INSERT INTO %s
		SELECT k, 'n' || k %% 4, v, ts, ts AT TIME ZONE 'UTC' + INTERVAL '1 hour' * %d
		FROM generate_series(1, 60) AS i, LATERAL (SELECT i * 7 %% 9 AS k, i * 13 %% 101 AS v,
			timestamp '2024-03-30 10:00' + %d * INTERVAL '2 minutes' + i * INTERVAL '2 seconds' - i * 5 %% 17 * INTERVAL '1 second' AS ts) AS r},
		$table, 3 * $round, $round);
	return;
}

# The names of queries whose results are not those of their texts.
sub differences
{
	my @differing;

	for my $table (@tables)
	{
		for my $name (sort keys %kind)
		{
			my $sink = "${name}_$table";
			my $by_hand = sprintf $kind{$name}, $table;
			my $n = sql(q{SET timezone = 'Europe/Berlin'}, "CREATE TEMP TABLE by_hand AS $by_hand",
				"SELECT count(*) FROM ((TABLE by_hand EXCEPT ALL TABLE $sink) UNION ALL (TABLE $sink EXCEPT ALL TABLE by_hand)) AS d");

			push @differing, $sink if $n ne '0';
		}
	}
	return join ' ', @differing;
}
