# The view open_windows shows what open windows would give, and changes nothing.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my $MINUTE = q{INTERVAL '1' MINUTE};
my %WINDOWS = (
	tumble => "TUMBLE(e, DESCRIPTOR(ts), $MINUTE)",
	hop => "HOP(e, DESCRIPTOR(ts), $MINUTE, INTERVAL '3' MINUTE)",
	cumulate => "CUMULATE(e, DESCRIPTOR(ts), $MINUTE, INTERVAL '5' MINUTE)");

# Over the stream "seen", and for a join over "beside".
my %QUERIES = (
	(map { ("of_$_" => "SELECT window_start, window_end, k, count(*) AS n, sum(v) AS s FROM seen AS e, $WINDOWS{$_} GROUP BY window_start, window_end, k HAVING count(*) > 1") } keys %WINDOWS),
	of_rows => "SELECT window_end, string_agg(k, ',' ORDER BY v, k) AS ks FROM seen AS e, $WINDOWS{hop} GROUP BY window_start, window_end",
	of_top => "SELECT * FROM (SELECT window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY count(*) DESC, k) AS place
		FROM seen AS e, $WINDOWS{tumble} GROUP BY window_start, window_end, k) AS r WHERE place <= 2",
	of_join => "SELECT l.window_end, l.k, l.n, r.n AS m FROM
		(SELECT window_start, window_end, k, count(*) AS n FROM seen AS e, $WINDOWS{tumble} GROUP BY window_start, window_end, k) AS l
		FULL JOIN (SELECT window_start, window_end, k, count(*) AS n FROM beside AS e, $WINDOWS{tumble} GROUP BY window_start, window_end, k) AS r
		ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.k = r.k");

test_each(
	[ 'what draining publishes', \&test_draining ],
	[ 'its columns', \&test_columns ],
	[ 'long windows after the first load', \&test_long ],
	[ 'times with a zone', \&test_zoned ],
	[ 'queries that cannot be run', \&test_failing ],
	[ 'who sees what', \&test_rights ]);

sub test_draining
{
	stream($_) for qw(seen beside);
	for my $name (sort keys %QUERIES)
	{
		query($name, $QUERIES{$name});
	}
	sql(q{SELECT setseed(0.5)}, map { sprintf q{INSERT INTO %s (k, v, ts) SELECT chr(97 + (random() * 3)::int), random() * 9, timestamp '2024-01-01 10:00' + random() * %s
		FROM generate_series(1, 300)}, @$_ } [ 'seen', q{INTERVAL '9' MINUTE} ], [ 'beside', q{INTERVAL '7' MINUTE} ]);
	advance();
	sql(q{INSERT INTO seen (k, ts) VALUES ('a', '2024-01-01 10:08:50'), ('a', '2024-01-01 10:10:05'), ('b', '2024-01-01 10:12:30'), ('b', '2024-01-01 10:12:40')});
	advance();
	sql("CREATE TABLE shown_$_ AS SELECT result FROM watermark.open_windows WHERE query = '$_'", "CREATE TABLE before_$_ AS SELECT to_jsonb(whole) AS result FROM $_ AS whole") for keys %QUERIES;
	is(sql('SELECT count(*) FROM watermark.open_windows'), sql(join ' + ', 'SELECT 0', map { "(SELECT count(*) FROM shown_$_)" } keys %QUERIES), 'all of them are shown at once');
	for my $name (sort keys %QUERIES)
	{
		cmp_ok(sql("SELECT count(*) FROM shown_$name"), '>', 0, "$name has open windows");
		sql("SELECT watermark.drain_query('$name')");
		advance();
		my $all = "(TABLE shown_$name UNION ALL TABLE before_$name)";
		my $published = "(SELECT to_jsonb(whole) AS result FROM $name AS whole)";
		is(sql("SELECT 'shown', * FROM ($all EXCEPT ALL $published) AS d UNION ALL SELECT 'published', * FROM ($published EXCEPT ALL $all) AS d"), '', "$name publishes them");
		is(sql("SELECT count(*) FROM watermark.open_windows WHERE query = '$name'"), 0, "after which $name has none");
	}
	return;
}

sub test_columns
{
	stream('plain');
	query('of_plain', "SELECT window_start, count(*) AS n FROM plain AS e, $WINDOWS{hop} GROUP BY window_start, window_end");
	arrive('plain', '10:00:10', '10:00:50', '10:02:10');
	my $open = qq{2024-01-01 09:59:00|2024-01-01 10:02:00|2|2\n2024-01-01 10:00:00|2024-01-01 10:03:00|3|3\n2024-01-01 10:01:00|2024-01-01 10:04:00|1|1\n2024-01-01 10:02:00|2024-01-01 10:05:00|1|1};
	is(sql(q{SELECT window_start, window_end, n_rows, result->>'n' FROM watermark.open_windows}), $open =~ s/^.*?\n//r, 'each window with its times and rows');
	is(sql(q{SET default_transaction_read_only = on}, q{SET datestyle = 'German'}, q{SELECT string_agg(result->>'window_start', ' ' ORDER BY result->>'window_start') FROM watermark.open_windows}),
		'2024-01-01T10:00:00 2024-01-01T10:01:00 2024-01-01T10:02:00', 'in a transaction that may only read, too');
	is(sql('BEGIN', 'INSERT INTO plain VALUES (DEFAULT)', q{SELECT count(*) FROM watermark.open_windows}, 'ROLLBACK'), 3, 'and in one that has written');
	arrive('plain', '10:02:20');
	is(sql(q{SELECT n_rows FROM watermark.open_windows WHERE window_start LIKE '%10:02%'}), 2, 'it goes on');
	is(audit('of_plain'), '0|4|0|0|4|t', 'and nothing is changed');
	return;
}

# B50
sub test_long
{
	stream('long');
	sql(q{INSERT INTO long (ts) SELECT timestamp '2024-01-01' + i * INTERVAL '1' DAY FROM generate_series(0, 140) AS i});
	query('monthly', q{SELECT window_start, count(*) AS n FROM long AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '30' DAY) GROUP BY window_start, window_end});
	is(sql(q{SELECT window_start, window_end, result->>'n' FROM watermark.open_windows}), sql(q{SELECT max(window_start) + INTERVAL '30' DAY, max(window_start) + INTERVAL '60' DAY, 141 - sum(n) FROM monthly}),
		'a long window is open after the first load');
	arrive('long', '2024-05-21 12:00');
	is(sql(q{SELECT (result->>'n')::int + (SELECT sum(n) FROM monthly) FROM watermark.open_windows}), 142, 'a new row shows at once');
	is(sql(q{SELECT late FROM watermark.audit('monthly')}), 0, 'and is not late');
	return;
}

sub test_zoned
{
	stream('zoned', 'timestamptz');
	query('of_zoned', q{SELECT window_start, count(*) AS n FROM zoned AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start, window_end}, '', q{SET timezone = 'Europe/Berlin'});
	arrive('zoned', '2024-03-31 05:00+02', '2024-03-31 23:00+02');
	is(sql(q{SELECT window_start, window_end, n_rows, result->>'window_start' FROM watermark.open_windows}),
		'2024-03-31 00:00:00 Europe/Berlin|2024-04-01 00:00:00 Europe/Berlin|2|2024-03-31T00:00:00+01:00', 'are those of the clock of the query');
	return;
}

# Of one that fails there is a warning; the others are shown.
sub test_failing
{
	stream('mixed');
	query('divides', q{SELECT window_start, 1 / (min(v) - 1) AS d FROM mixed AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end});
	per_minute('counts_on', 'mixed');
	arrive('mixed', '10:00:10');
	my ($status, $output, $error) = $node->psql('postgres', 'SELECT query, result FROM watermark.open_windows');
	is($output, 'counts_on|{"n": 1, "s": 1, "window_start": "2024-01-01T10:00:00"}', 'the other is shown');
	like($error, qr/WARNING:  open windows of continuous query "divides" cannot be shown: division by zero$/m, 'and why one is not');
	return;
}

sub test_rights
{
	stream('secret');
	sql('CREATE ROLE maker', 'CREATE ROLE onlooker', 'CREATE ROLE member IN ROLE maker', 'GRANT SELECT ON secret TO maker', 'GRANT CREATE ON SCHEMA public TO maker',
		'GRANT EXECUTE ON FUNCTION watermark.create_query, watermark.advance TO maker');
	query('made', q{SELECT window_start, count(*) AS n, min(current_user::text) AS who FROM secret AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end}, '', 'SET ROLE maker');
	arrive('secret', '10:00:10');
	my $shown = q{SELECT result->>'who' FROM watermark.open_windows};
	is(sql($shown), 'maker', 'it is computed as the owner');
	is(sql('SET ROLE member', $shown), 'maker', 'a member of the role sees it');
	is(sql('SET ROLE onlooker', $shown), '', 'another role does not');
	is(sql('SET ROLE onlooker', q{SELECT count(*) FROM watermark.read_open_windows('made')}), 0, 'not from the function beneath either');
	is(sql('SET ROLE onlooker', q{SELECT watermark.first_open_window('made') IS NULL}), 't', 'nor from the other one');
	return;
}
