# Sessions that wait while the worker is at something, all at once: who wants to know
# how far it is, who takes the query away.  Each window comes once, or not at all.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each(
	[ 'several who wait for results', \&test_advance ],
	[ 'who drops the query', \&test_drop ],
	[ 'who ends the transaction that a query of the same name waits for', \&test_name ],
	[ 'a COPY that goes on for long', \&test_copy ]);

# A query whose worker stays in the midst of publishing as long as the holder has a lock;
# gives the holder.
sub hold
{
	my ($name) = @_;
	my $holder = $node->background_psql('postgres');

	stream($name, 'timestamp', 'ts');
	sql("CREATE TABLE ${name}_q (window_start timestamp, window_end timestamp, n bigint, s bigint)",
		q{CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			WHILE NOT pg_try_advisory_xact_lock(1) LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN NULL; END $$},
		"CREATE TRIGGER hold AFTER INSERT ON ${name}_q FOR EACH STATEMENT EXECUTE FUNCTION hold()");
	per_minute("${name}_q", $name);
	$holder->query_safe('SELECT pg_advisory_lock(1)');
	sql("INSERT INTO $name (ts) VALUES ('2024-01-01 10:00'), ('2024-01-01 10:01')");
	awaits(q{backend_type = 'apply_watermark worker' AND wait_event = 'PgSleep'}, 1, 'the worker is at work');
	return $holder;
}

# Many processes come to be in that state.
sub awaits
{
	my ($state, $n, $label) = @_;

	ok($node->poll_query_until('postgres', "SELECT count(*) = $n FROM pg_stat_activity WHERE $state"), $label);
	return;
}

# A session that has begun a statement.
sub begin
{
	my ($statement) = @_;
	my $session = $node->background_psql('postgres', on_error_stop => 0);

	$session->query_until(qr/begun/, "\\echo begun\n$statement;\n");
	return $session;
}

# What it has had for an answer; then it goes.
sub end
{
	my ($session) = @_;
	my $answer = $session->query(q{SELECT 'ended'}) . $session->{stderr};

	$session->quit;
	return $answer;
}

sub test_advance
{
	my $holder = hold('awaited');
	my @waiting = map { begin('SELECT watermark.advance()') } 1 .. 3;
	my $waits = q{state = 'active' AND query = 'SELECT watermark.advance();'};

	awaits($waits, 3, 'three sessions wait');
	sql(q{INSERT INTO awaited (ts) VALUES ('2024-01-01 10:00:30'), ('2024-01-01 10:01:30'), ('2024-01-01 10:02')});
	push @waiting, begin('SELECT watermark.advance()');
	awaits($waits, 4, 'and one more after others have written');
	is(published('awaited_q'), '', 'nothing is there that is half done');
	$holder->query_safe('SELECT pg_advisory_unlock(1)');
	like(end($_), qr/ended/, 'a session comes back') for @waiting;
	is(published('awaited_q'), '10:00:00=1 10:01:00=2', 'all results are there, once');
	is(audit('awaited_q'), '3|1|1|0|5|t', 'and all rows');
	$holder->quit;
	return;
}

sub test_drop
{
	my $holder = hold('dropped');
	my $dropping = begin(q{SELECT watermark.drop_query('dropped_q')});
	my $waiting;

	awaits(q{wait_event_type = 'Lock'}, 1, 'who drops a query waits for the worker');
	$waiting = begin('SELECT watermark.advance()');
	$holder->query_safe('SELECT pg_advisory_unlock(1)');
	like(end($dropping), qr/ended/, 'until it is done');
	like(end($waiting), qr/ended/, 'who waits for results is let go as well');
	is(published('dropped_q'), '', 'but what was not committed goes with the query');
	is(sql('SELECT count(*) FROM watermark.queries') . sql('SELECT count(*) FROM watermark.checkpoint'), '00', 'nothing else is left');
	$holder->quit;
	return;
}

# The worker meets a query that is another than the one of the same name before.
sub test_name
{
	my $first = $node->background_psql('postgres');
	my $second;

	stream('named', 'timestamp', 'ts');
	per_minute('named_q', 'named');
	arrive('named', '10:00', '10:01');
	$first->query_safe(q{BEGIN; SELECT watermark.drop_query('named_q'); DROP TABLE named_q});
	$second = begin(sprintf q{SELECT watermark.create_query('named_q', $q$%s$q$)}, sprintf $PER_MINUTE, 'named');
	awaits(q{wait_event_type = 'Lock'}, 1, 'the second waits for the first');
	sql(q{INSERT INTO named (ts) VALUES ('2024-01-01 10:02')});
	$first->query_safe('COMMIT');
	$first->quit;
	like(end($second), qr/ended/, 'until its transaction ends');
	advance();
	is(published('named_q'), '10:00:00=1 10:01:00=1', 'and is a query of its own, with its history');
	is(audit('named_q'), '2|1|0|0|3|t', 'and counts of its own');
	return;
}

# B19: rows of a COPY that others have overtaken are late, each of them.
sub test_copy
{
	my $copy = $node->background_psql('postgres');

	stream('copied', 'timestamp', 'ts');
	per_minute('copied_q', 'copied');
	$copy->query_safe(q{BEGIN; COPY copied (v, ts) FROM PROGRAM 'for i in $(seq 5000); do printf "$i\t2024-01-01 10:00:30\n"; done'});
	arrive('copied', '10:00:20', '10:01:30');
	$copy->query_safe(q{COPY copied (v, ts) FROM PROGRAM 'for i in $(seq 5001 6000); do printf "$i\t2024-01-01 10:01:40\n"; done'});
	is(published('copied_q'), '10:00:00=1', 'others do not wait for it');
	$copy->query_safe('COMMIT');
	$copy->quit;
	arrive('copied', '10:02:30');
	is(published('copied_q'), '10:00:00=1 10:01:00=1001', 'its rows come when it commits');
	is(audit('copied_q'), '1002|1|5000|0|6003|t', 'late for the window that has closed');
	is(sql(q{SELECT count(DISTINCT source_row->>'v') FROM watermark.late_rows WHERE query = 'copied_q'}), 5000, 'and kept');
	return;
}
