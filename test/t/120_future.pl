# Rows further in the future than a query allows are set aside, by the time of their commit.
# Times are relative to a minute ten minutes ago; the bounds are far longer than the test.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my $BOUNDED = q{, max_future => '1 hour'};

test_each(
	[ 'a bound', \&test_bound ],
	[ 'a bound for times with a zone', \&test_zoned ],
	[ 'the clock of the time zone', \&test_wall_clock ],
	[ 'the time of the commit', \&test_commit ],
	[ 'a history', \&test_history ],
	[ 'after each row', \&test_on_event ],
	[ 'arguments', \&test_arguments ]);

# A stream, and a minute to start from, as m in the table "start".
sub prepare
{
	my ($type) = @_;

	sql('DROP TABLE IF EXISTS start', q{CREATE TABLE start AS SELECT date_trunc('minute', now()) - INTERVAL '10' MINUTE AS m});
	stream('clocks', $type);
	return;
}

# Rows so far after m, in one transaction.
sub arrive_after
{
	my (@intervals) = @_;

	take_in('INSERT INTO clocks (ts) SELECT m + i FROM start, unnest(ARRAY['
		  . join(', ', map { "'$_'" } @intervals) . ']::interval[]) WITH ORDINALITY AS t(i, place) ORDER BY place');
	return;
}

# The results so far, by the distance of their windows from m.
sub published_after
{
	return sql(q{SELECT string_agg(window_start - m || '=' || n, ' ' ORDER BY window_start) FROM bounded, start});
}

sub distance
{
	return sql(q{SELECT watermark::timestamptz - m FROM watermark.streams, start WHERE query = 'bounded'});
}

sub reasons
{
	return sql(q{SELECT string_agg(reason, ' ' ORDER BY reason) FROM watermark.late_rows WHERE query = 'bounded'});
}

sub drop
{
	sql(q{SELECT watermark.drop_query('bounded')}, 'DROP TABLE bounded, clocks');
	return;
}

# B01
sub test_bound
{
	prepare();
	query('bounded', sprintf($PER_MINUTE, 'clocks'), $BOUNDED);
	is(sql(q{SELECT max_future, idle_timeout IS NULL FROM watermark.queries}), '01:00:00|t', 'the view shows it');
	arrive_after('10s', '70s');
	is(published_after(), '00:00:00=1', 'honest rows are published');
	arrive_after('1 day');
	is(distance(), '00:01:05', 'a row from the future does not move the watermark');
	is(reasons(), 'future', 'and is kept with the reason');
	is(sql(q{SELECT (source_row->>'ts')::timestamp - m FROM watermark.late_rows, start}), '1 day', 'whole');
	arrive_after('80s', '130s', '190s');
	is(published_after(), '00:00:00=1 00:01:00=2 00:02:00=1', 'those after it come in time');
	is(audit('bounded'), '4|1|0|1|6|t', 'nothing is late, one row is set aside');
	drop();
	return;
}

sub test_zoned
{
	prepare('timestamptz');
	query('bounded', sprintf($PER_MINUTE, 'clocks'), $BOUNDED, q{SET timezone = 'America/St_Johns'});
	arrive_after('10s', '65 minutes', '75 minutes');
	is(sql(q{SELECT rows_in, n_set_aside, n_published FROM watermark.streams}), '3|1|1', 'one row is too far ahead');
	is(reasons(), 'future', 'and is set aside');
	drop();
	return;
}

# Half past five there is midnight here.
sub test_wall_clock
{
	prepare();
	query('bounded', sprintf($PER_MINUTE, 'clocks'), $BOUNDED, q{SET timezone = 'Asia/Kolkata'});
	arrive_after('6 hours', '7 hours');
	is(audit('bounded'), '0|1|0|1|2|t', 'times are those of the clock of the query');
	drop();
	return;
}

# What waits until its time has come is none the better for it.
sub test_commit
{
	prepare();
	query('bounded', sprintf($PER_MINUTE, 'clocks'), q{, max_future => '1 second'});
	sql(q{SELECT watermark.pause_query('bounded')});
	advance();
	sql(q{INSERT INTO clocks (ts) SELECT clock_timestamp() + INTERVAL '3' SECOND});
	$node->poll_query_until('postgres', 'SELECT clock_timestamp() > max(ts) FROM clocks') or die 'time stands still';
	sql(q{SELECT watermark.resume_query('bounded')});
	advance();
	is(reasons(), 'future', 'a row is judged by its commit, not by when it is read');
	drop();
	return;
}

# A history is judged when the query begins.
sub test_history
{
	prepare();
	sql(q{INSERT INTO clocks (ts) SELECT m + i FROM start, unnest('{10s, 70s, 2 hours}'::interval[]) AS i});
	query('bounded', sprintf($PER_MINUTE, 'clocks'), $BOUNDED . q{, late => 'count'});
	is(published_after(), '00:00:00=1', 'its honest rows are published');
	is(audit('bounded'), '1|1|0|1|3|t', 'the other is counted');
	is(reasons(), '', 'and not kept where late rows are only counted');
	drop();
	return;
}

sub test_on_event
{
	prepare();
	query('bounded', sprintf($PER_MINUTE, 'clocks'), $BOUNDED . q{, emit_watermark => 'on event'});
	arrive_after('10s', '1 day', '20s', '70s', '30s');
	is(published_after(), '00:00:00=2', 'a row in the midst of others does not make those after it late');
	is(audit('bounded'), '2|1|1|1|5|t', 'but an honest one does');
	drop();
	return;
}

sub test_arguments
{
	stream('clocks');
	for my $argument ('max_future', 'idle_timeout')
	{
		for my $value ('0', '-1 hour', '1 month', '300000 years')
		{
			refuses("$argument => '$value'", sprintf(q{SELECT watermark.create_query('bounded', $q$%s$q$, %s => '%s')}, sprintf($PER_MINUTE, 'clocks'), $argument, $value),
				qr/invalid value for argument "$argument": .*Choose an interval that is greater than zero, in days or smaller units/s);
		}
	}
	query('bounded', sprintf($PER_MINUTE, 'clocks'), q{, idle_timeout => '90 seconds', max_future => '100000000 days'});
	is(sql('SELECT idle_timeout, max_future FROM watermark.queries'), '00:01:30|2400000000:00:00', 'long ones are kept as they are');
	arrive('clocks', '10:00', 'NULL', '2999-01-01');
	is(audit('bounded'), '1|1|0|1|3|t', 'a bound beyond all times bounds nothing');
	drop();
	return;
}
