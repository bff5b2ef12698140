# Queries with several streams, as small inputs with the right answers: the least
# watermark counts, streams may be idle, and windows of several streams are joined.
# The numbers are those of the collection of reports.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each(
	[ 'one silent stream holds all others', \&test_silent ],
	[ 'a stream that never had a row becomes idle', \&test_idle ],
	[ 'an idle stream that comes back', \&test_back ],
	[ 'idle by mistake while the worker was not there', \&test_stopped ],
	[ 'a watermark above a union', \&test_common ],
	[ 'the rows of a table twice', \&test_twice ],
	[ 'a join of windows waits for both', \&test_join ],
	[ 'a query over the sink of another', \&test_cascade ],
	[ 'results that would come back', \&test_loop ]);

# Two streams, and a query over their rows with an idle timeout.
sub two_streams
{
	my ($name, $idle_timeout) = @_;

	stream("${name}_a", 'timestamp', q{ts - INTERVAL '5' SECOND});
	stream("${name}_b", 'timestamp', q{ts - INTERVAL '5' SECOND});
	sql(qq{SELECT watermark.create_query('$name', 'SELECT window_start, window_end, count(*) AS n
		FROM (SELECT ts FROM ${name}_a UNION ALL SELECT ts FROM ${name}_b) AS u, TUMBLE(u, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE)
		GROUP BY window_start, window_end', idle_timeout => $idle_timeout)});
	sql('SELECT watermark.advance()');
	return;
}

sub windows
{
	my ($name) = @_;

	return sql("SELECT string_agg(to_char(window_start, 'HH24:MI') || '=' || n, ' ' ORDER BY window_start) FROM $name");
}

sub reached
{
	my ($name) = @_;

	return sql("SELECT watermark FROM watermark.queries WHERE name = '$name'");
}

# B02, without a timeout.
sub test_silent
{
	two_streams('silent', 'NULL');
	arrive('silent_a', $_) for '10:00:10', '10:01:10', '10:02:10';
	is(windows('silent'), '', 'nothing is published');
	is(reached('silent'), '', 'without a watermark');
	is(sql(q{SELECT source, watermark, moved_by->>'ts' FROM watermark.streams WHERE query = 'silent' ORDER BY source::text}),
		"silent_a|2024-01-01 10:02:05|2024-01-01T10:02:10\nsilent_b||", 'and it can be seen which stream has none');
	arrive('silent_b', '10:01:20');
	is(reached('silent'), '2024-01-01 10:01:15', 'the least one counts');
	is(windows('silent'), '10:00=1', 'and closes its windows');
	arrive('silent_a', '10:05:00');
	is(windows('silent'), '10:00=1', 'the other alone closes none');
	arrive('silent_b', '10:03:00');
	is(windows('silent'), '10:00=1 10:01=2', 'until both have gone on');
	is(audit('silent'), '3|3|0|0|6|t', 'all rows are there');
	return;
}

# B02, with a timeout.
sub test_idle
{
	two_streams('idle', q{'1 ms'});
	arrive('idle_a', $_) for '10:00:10', '10:01:10', '10:02:10';
	ok($node->poll_query_until('postgres', q{SELECT count(*) = 2 FROM idle}), 'windows do not wait for ever');
	is(windows('idle'), '10:00=1 10:01=1', 'the windows before the watermark of the other');
	is(reached('idle'), '2024-01-01 10:02:05', 'which counts alone');
	return;
}

# B06: it counts again, and its rows may be late.
sub test_back
{
	two_streams('back', q{'200 ms'});
	arrive('back_a', $_) for '10:00:10', '10:01:10', '10:02:10';
	ok($node->poll_query_until('postgres', q{SELECT count(*) = 2 FROM back}), 'a stream is idle');
	arrive('back_b', '10:02:10');
	is(audit('back'), '2|2|0|0|4|t', 'a row of an open window counts');
	arrive('back_b', '10:00:30');
	is(audit('back'), '2|2|1|0|5|t', 'one of a window that is published is late');
	is(sql(q{SELECT source, reason, window_start, watermark, source_row->>'ts' FROM watermark.late_rows WHERE query = 'back'}),
		'back_b|late|2024-01-01 10:00:00|2024-01-01 10:02:05|2024-01-01T10:00:30', 'and kept with its stream');
	is(windows('back'), '10:00=1 10:01=1', 'which changes no result');
	is(reached('back'), '2024-01-01 10:02:05', 'nor the watermark');
	return;
}

# B04: what was not read yet is no silence.
sub test_stopped
{
	two_streams('stopped', q{'1 s'});
	arrive('stopped_a', '10:00:10');
	arrive('stopped_b', '10:00:10');
	is(audit('stopped'), '0|2|0|0|2|t', 'two rows are open');
	$node->stop('immediate');
	$node->start;
	sql('SELECT pg_terminate_backend(pid) FROM watermark.worker()', q{INSERT INTO stopped_b (ts) VALUES ('2024-01-01 10:00:20')},
		q{INSERT INTO stopped_a (ts) VALUES ('2024-01-01 10:05:10')}, 'SELECT watermark.advance()');
	ok($node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM stopped}), 'the window is published in the end');
	is(windows('stopped'), '10:00=3', 'with the row that came last');
	is(sql(q{SELECT late FROM watermark.audit('stopped')}), 0, 'and no row is late');
	return;
}

# The definition sees the rows of both, and one of them moves it.
sub test_common
{
	sql('CREATE TABLE common_a (id integer, ts timestamp)', 'CREATE TABLE common_b (id integer, ts timestamp)',
		q{CREATE VIEW common AS SELECT * FROM common_a UNION ALL SELECT * FROM common_b},
		q{SELECT set_watermark('common', 'ts', 'ts')});
	query('common_q', q{SELECT window_start, window_end, count(*) AS n FROM common, TUMBLE(common, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end});
	sql(q{INSERT INTO common_a VALUES (1, '2024-01-01 10:00:10')}, q{INSERT INTO common_b VALUES (2, '2024-01-01 10:00:20')},
		q{INSERT INTO common_a VALUES (3, '2024-01-01 10:01:00')}, 'SELECT watermark.advance()');
	is(windows('common_q'), '10:00=2', 'one stream alone closes the windows of both');
	is(sql(q{SELECT source, watermark, moved_by->>'id' FROM watermark.streams WHERE query = 'common_q' ORDER BY source::text}),
		"common_a|2024-01-01 10:01:00|3\ncommon_b|2024-01-01 10:01:00|3", 'they have their watermark in common');
	sql(q{SELECT watermark.track('common')}, q{INSERT INTO common_b VALUES (4, '2024-01-01 10:09:00')}, 'SELECT watermark.advance()');
	is(sql(q{SELECT DISTINCT source, watermark FROM watermark.streams WHERE query IS NULL}), 'common|2024-01-01 10:09:00', 'a union can be tracked');
	sql(q{SELECT watermark.untrack('common')});
	return;
}

sub test_twice
{
	stream('twice', 'timestamp', 'ts');
	query('twice_q', q{SELECT window_start, window_end, sum(v) AS n FROM (SELECT ts, 1 AS v FROM twice UNION ALL SELECT ts, 10 FROM twice WHERE ts > '2024-01-01 10:00:15') AS u,
		TUMBLE(u, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end});
	arrive('twice', $_) for '10:00:10', '10:00:20', '10:01:00', '10:00:30';
	is(windows('twice_q'), '10:00=12', 'rows come once for each branch');
	is(audit('twice_q'), '3|2|2|0|7|t', 'and are late for each');
	return;
}

# A window of the left side waits until the right side can have no more rows of it.
sub test_join
{
	stream('join_a', 'timestamp', 'ts');
	stream('join_b', 'timestamp', 'ts');
	query('join_q', q{SELECT l.window_start, l.window_end, count(r.ts) AS n
		FROM (SELECT * FROM join_a, TUMBLE(join_a, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS l
		LEFT JOIN (SELECT * FROM join_b, TUMBLE(join_b, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS r
			ON r.window_start = l.window_start AND r.window_end = l.window_end
		GROUP BY l.window_start, l.window_end});
	arrive('join_a', $_) for '10:00:10', '10:01:10', '10:02:10';
	is(windows('join_q'), '', 'nothing is published for one side');
	arrive('join_b', $_) for '10:01:20', '10:01:30', '10:02:00';
	is(windows('join_q'), '10:00=0 10:01=2', 'a window without rows on the other side, and one with two');
	$node->restart;
	arrive('join_b', '10:02:30');
	arrive('join_b', '10:03:00');
	arrive('join_a', '10:03:00');
	is(windows('join_q'), '10:00=0 10:01=2 10:02=2', 'rows are kept over a restart');
	arrive('join_a', '10:01:00');
	is(sql(q{SELECT source, reason FROM watermark.late_rows WHERE query = 'join_q'}), 'join_a|late', 'a late row is of one of them');
	return;
}

# B25: the time of a result is the last instant of its window.
sub test_cascade
{
	stream('inner_s', 'timestamp', 'ts');
	query('inner_q', q{SELECT window_start, window_end, window_time, count(*) AS n FROM inner_s AS s, TUMBLE(s, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
		GROUP BY window_start, window_end, window_time});
	sql(q{SELECT set_watermark('inner_q', 'window_time', 'window_time')});
	query('outer_q', q{SELECT o.window_start, o.window_end, sum(i.n) AS n FROM inner_q AS i, TUMBLE(i, DESCRIPTOR(window_time), INTERVAL '10' MINUTE) AS o
		GROUP BY o.window_start, o.window_end});
	arrive('inner_s', $_) for '10:01:00', '10:06:00', '10:11:00', '10:21:00', '10:26:00';
	sql('SELECT watermark.advance()');
	is(windows('inner_q'), '10:00=1 10:05=1 10:10=1 10:20=1', 'the windows below');
	is(windows('outer_q'), '10:00=2 10:10=1', 'and those above');
	is(audit('outer_q'), '3|1|0|0|4|t', 'of which none is late');
	return;
}

sub test_loop
{
	my $text = q{SELECT window_end AS ts, count(*) AS v FROM %s AS s, TUMBLE(s, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end};

	stream("loop_$_", 'timestamp', q{ts + INTERVAL '1' MINUTE}) for 1 .. 3;
	query('first_q', sprintf($text, 'loop_1'), q{, sink => 'loop_2'});
	query('second_q', sprintf($text, 'loop_2'), q{, sink => 'loop_3'});
	refuses('a loop', sprintf(q{SELECT watermark.create_query('third_q', $$%s$$, sink => 'loop_1')}, sprintf $text, 'loop_3'),
		qr/the results of continuous query "third_q" would come back to it\nDETAIL:  Continuous query "second_q" reads them, or what is made of them, and publishes into its stream "loop_3"/);
	return;
}
