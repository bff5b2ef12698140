# Clients that LISTEN hear of windows that are published.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each(
	[ 'windows that close', \&test_closing ],
	[ 'times with a zone', \&test_zoned ],
	[ 'a transaction that fails', \&test_failing ]);

# What a session hears that does this and waits until it is taken in, a payload a line.
sub heard
{
	my (@statements) = @_;
	my (undef, $output) = $node->psql('postgres', join(";\n", 'LISTEN watermark', @statements, 'SELECT watermark.advance()', 'SELECT 1') . ';');

	return join "\n", $output =~ /^Asynchronous notification "watermark" with payload "(.*)" received/mg;
}

sub insert
{
	return "INSERT INTO noted (k, ts) VALUES " . join ', ', map { "('a', '2024-01-01 $_'), ('b', '2024-01-01 $_')" } @_;
}

sub test_closing
{
	stream('noted');
	my $text = q{SELECT window_start, k, count(*) AS n FROM noted AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, k HAVING k <> 'c'};

	sql('SET datestyle = SQL', insert('10:00', '10:01', '10:02:10'));
	is(heard(qq{SET datestyle = SQL; SELECT watermark.create_query('by "key"', \$q\$$text\$q\$)}),
		'{"query": "by \"key\"", "window_start": "2024-01-01 10:01:00", "window_end": "2024-01-01 10:02:00", "windows": 2, "rows": 4}',
		'a history with two windows gives one');
	is(heard(insert('10:02:20')), '', 'rows alone give none');
	is(heard(insert('10:03:10.5')), '{"query": "by \"key\"", "window_start": "2024-01-01 10:02:00", "window_end": "2024-01-01 10:03:00", "windows": 1, "rows": 2}', 'a window gives one');
	sql(q{INSERT INTO noted (k, ts) VALUES ('c', '2024-01-01 10:05:00')});
	is(heard(insert('10:06:10')), '{"query": "by \"key\"", "window_start": "2024-01-01 10:05:00", "window_end": "2024-01-01 10:06:00", "windows": 1, "rows": 0}', 'so does one whose rows the query leaves out');
	is(heard(q{SELECT watermark.drain_query('by "key"')}), '{"query": "by \"key\"", "window_start": "2024-01-01 10:06:00", "window_end": "2024-01-01 10:07:00", "windows": 1, "rows": 2}', 'so does draining');
	sql(q{SELECT watermark.drop_query('by "key"')}, 'DROP TABLE noted, "by ""key"""');
	return;
}

sub test_zoned
{
	stream('noted', 'timestamptz');
	query('zoned', sprintf($PER_MINUTE, 'noted'), '', q{SET timezone = 'Asia/Kolkata'});
	is(heard(insert('10:00', '10:01:10')), '{"query": "zoned", "window_start": "2024-01-01 15:30:00 Asia/Kolkata", "window_end": "2024-01-01 15:31:00 Asia/Kolkata", "windows": 1, "rows": 1}',
		'are shown on the clock of the query');
	sql(q{SELECT watermark.drop_query('zoned')}, 'DROP TABLE noted, zoned');
	return;
}

# What is not published is not told of, and not forgotten either.
sub test_failing
{
	stream('noted');
	per_minute('narrow', 'noted');
	sql('ALTER TABLE narrow ADD CHECK (n < 4)');
	is(heard(insert('10:00', '10:00:01', '10:01:10')), '', 'nothing is published');
	is(heard('ALTER TABLE narrow DROP CONSTRAINT narrow_n_check', q{SELECT watermark.resume_query('narrow')}),
		'{"query": "narrow", "window_start": "2024-01-01 10:00:00", "window_end": "2024-01-01 10:01:00", "windows": 1, "rows": 1}', 'and then it is');
	return;
}
