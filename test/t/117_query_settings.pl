# A query reads and prints dates and intervals as the session did that created it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my $TEXTS = q{
	SELECT window_start, min(d::date) AS d, min(p::text) AS p, min(z::text) AS z
	FROM noted AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end};

test_each([ 'styles of the session', \&test_session ], [ 'styles of the database', \&test_database ]);

sub make_stream
{
	sql(q{CREATE TABLE noted (d text, p interval, z timestamptz, ts timestamp, CHECK (watermark_for(ts, ts)))});
	insert('10:00');
	return;
}

sub insert
{
	my ($time) = @_;

	sql("INSERT INTO noted VALUES ('03/02/2024', '1 day 02:00', '2024-02-03 10:00+00', '2024-01-01 $time')");
	return;
}

# History and rows that are captured, also after the worker has started anew.
sub test_session
{
	make_stream();
	query('styled', $TEXTS, '', q{SET datestyle = 'SQL, DMY'}, q{SET intervalstyle = 'iso_8601'});
	query('american', $TEXTS, '', q{SET datestyle = 'ISO, MDY'}, q{SET intervalstyle = 'sql_standard'});
	insert('10:01');
	$node->restart;
	insert('10:02');
	advance();
	for my $time ('10:00', '10:01')
	{
		is(sql("SELECT d, p, z FROM styled WHERE window_start::time = '$time'"), '2024-02-03|P1DT2H|03/02/2024 10:00:00 UTC', "one query has its own at $time");
		is(sql("SELECT d, p, z FROM american WHERE window_start::time = '$time'"), '2024-03-02|1 2:00:00|2024-02-03 10:00:00+00', "another its own at $time");
	}
	sql('SELECT watermark.drop_query(name) FROM watermark.queries', 'DROP TABLE noted, styled, american');
	return;
}

sub test_database
{
	make_stream();
	sql(q{ALTER DATABASE postgres SET datestyle = 'ISO, DMY'});
	query('of_database', $TEXTS);
	sql(q{ALTER DATABASE postgres RESET datestyle});
	insert('10:01');
	advance();
	is(sql('SELECT d FROM of_database'), '2024-02-03', 'hold for the query, as by hand then');
	return;
}
