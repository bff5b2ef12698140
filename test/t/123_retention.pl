# What is kept for queries that do not get on has bounds; past them they say what to do.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $HINT = 'Resume the query, which then reads its open windows from its tables.';
my $LOST = "failed|the WAL from the position of the query on is not there any more|$HINT";

test_each(
	[ 'WAL of queries that stand', \&test_wal ],
	[ 'the age of system catalogs', \&test_age ],
	[ 'a worker that does not get on', \&test_hanging ],
	[ 'a transaction that stays open', \&test_open_transaction ],
	[ 'a slot that has lost its WAL', \&test_lost ],
	[ 'settings', \&test_settings ]);

sub set
{
	my (%settings) = @_;

	$node->safe_psql('postgres', "ALTER SYSTEM SET $_ = '$settings{$_}'") for keys %settings;
	$node->reload;
	for my $name (keys %settings)
	{
		$node->poll_query_until('postgres', qq{SELECT current_setting('$name') = '$settings{$name}'}) or die "$name is not set";
	}
	return;
}

sub reset_settings
{
	$node->safe_psql('postgres', 'ALTER SYSTEM RESET ALL');
	$node->reload;
	return;
}

# Lets so many segments of 16 MB pass.
sub pass_wal
{
	my ($n_segments) = @_;

	sql("SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal() FROM generate_series(1, $n_segments)");
	return;
}

sub pause
{
	my ($name) = @_;

	take_in("SELECT watermark.pause_query('$name')");
	return;
}

sub state_of
{
	my ($name) = @_;

	return sql("SELECT state, error, error_hint FROM watermark.queries WHERE name = '$name'");
}

# Waits until this can be said of the slot.  It learns what it need not keep from records of
# checkpoints, once it has moved on behind them, for which queries that run need some WAL.
sub slot_comes_to
{
	my ($condition, $n_segments) = @_;

	for (1 .. 20)
	{
		pass_wal($n_segments) if $n_segments;
		take_in('CHECKPOINT');
		return 1 if sql("SELECT $condition FROM pg_replication_slots WHERE slot_name LIKE 'apply_watermark%'") eq 't';
	}
	return 0;
}

sub test_wal
{
	set('apply_watermark.max_retained_wal' => '64MB');
	stream('kept');
	per_minute($_, 'kept') for qw(older newer running);
	arrive('kept', '10:00:10');
	pause('older');
	take_in('CHECKPOINT');
	pass_wal(3);
	take_in('CHECKPOINT');
	arrive('kept', '10:00:20');
	pause('newer');
	my $newer = sql(q{SELECT position FROM watermark.streams WHERE query = 'newer'});
	is(state_of('older'), 'paused||', 'a query may stand as long as little is kept');
	pass_wal(2);
	arrive('kept', '10:00:30');

	is(state_of('older'), qq{failed|more is kept for the query to go on than "apply_watermark.max_retained_wal" allows|$HINT}, 'past the bound it is given up');
	is(state_of('newer'), 'paused||', 'another one that stands is not');
	is(state_of('running'), 'running||', 'nor is one that runs');
	ok(slot_comes_to("restart_lsn > pg_lsn '$newer' - 1000000::numeric"), 'the slot moves on to what the other needs');
	sql(q{SELECT watermark.resume_query('newer')}, q{SELECT watermark.resume_query('older')});
	arrive('kept', '10:01:10');
	is(published('newer'), '10:00:00=3', 'which has all its rows');
	is(published('running'), '10:00:00=3', 'as has the one that runs');
	is(published('older'), '10:00:00=3', 'and the one that was given up, from its table');

	pass_wal(5);
	arrive('kept', '10:02:10');
	is(published('newer'), '10:00:00=3 10:01:00=1', 'who runs may be behind in what is written');
	ok(slot_comes_to('pg_current_wal_lsn() - restart_lsn < 64000000', 1), 'no more is kept than is needed');
	reset_settings();
	return;
}

sub test_age
{
	set('apply_watermark.max_catalog_age' => 1000);
	stream('aged');
	per_minute($_, 'aged') for qw(aging going);
	pause('aging');
	sql('DO $$BEGIN FOR i IN 1..1500 LOOP CREATE TABLE burned (); DROP TABLE burned; COMMIT; END LOOP; END$$');
	arrive('aged', '10:00:10', '10:01:10');
	is(state_of('aging'), qq{failed|more is kept for the query to go on than "apply_watermark.max_catalog_age" allows|$HINT}, 'past the bound a query is given up');
	is(published('going'), '10:00:00=1', 'another goes on');
	ok(slot_comes_to('age(catalog_xmin) < 1000', 1), 'catalogs can be vacuumed');
	reset_settings();
	return;
}

# Whoever does not look at interrupts cannot be helped, so this one does.
sub test_hanging
{
	stream('hung');
	sql(q{CREATE FUNCTION hang(int) RETURNS int STABLE LANGUAGE plpgsql AS 'BEGIN IF $1 = 0 THEN PERFORM pg_sleep(600); END IF; RETURN $1; END'});
	query('hanging', sprintf($PER_MINUTE =~ s/sum\(v\)/sum(hang(v))/r, 'hung'));
	per_minute('beside', 'hung');
	set('apply_watermark.max_retained_wal' => '64MB');
	sql(q{INSERT INTO hung (ts, v) VALUES ('2024-01-01', 0)});
	$node->poll_query_until('postgres', q{SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'}) or die 'it does not hang';
	my $offset = -s $node->logfile;
	pass_wal(70);
	$node->reload;
	$node->wait_for_log(qr/replication slot "apply_watermark_\d+" kept far more than "apply_watermark.max_retained_wal" allows, and was dropped/, $offset);
	sql('DELETE FROM hung');
	advance();
	is(state_of($_), $LOST, "the query says so: $_") for qw(hanging beside);
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_replication_slots'), 'and no slot is made for them');
	reset_settings();
	return;
}

# Of a transaction that is open, all WAL is kept.
sub test_open_transaction
{
	stream('opened');
	per_minute('waiting', 'opened');
	set('apply_watermark.max_retained_wal' => '64MB');
	my $open = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', '-' ], '<', \my $in, '>', \my $out, '2>', \my $err);
	$in = "BEGIN; INSERT INTO opened (ts) VALUES ('2024-01-01'); SELECT 'open';\n";
	IPC::Run::pump($open) until $out =~ /open/;
	pass_wal(70);
	my $offset = -s $node->logfile;
	take_in('CHECKPOINT');
	$node->reload;
	$node->wait_for_log(qr/replication slot "apply_watermark_\d+" kept far more than/, $offset);
	$in = "ROLLBACK;\n\\q\n";
	$open->finish;
	advance();
	is(state_of('waiting'), $LOST, 'the query says so');
	reset_settings();
	return;
}

sub test_lost
{
	stream('lost');
	per_minute($_, 'lost') for qw(lost_paused lost_running);
	pause('lost_paused');
	set('max_slot_wal_keep_size' => '64MB');
	pass_wal(6);
	my $offset = -s $node->logfile;
	sql('CHECKPOINT');
	$node->wait_for_log(qr/replication slot "apply_watermark_\d+" had lost its WAL/, $offset);
	reset_settings();
	advance();
	is(state_of($_), $LOST, "the query says so: $_") for qw(lost_paused lost_running);
	sql(q{SELECT watermark.drop_query('lost_running')}, 'DROP TABLE lost_running');
	per_minute('lost_running', 'lost');
	arrive('lost', '10:00:10', '10:01:10');
	is(published('lost_running'), '10:00:00=1', 'one that is created again goes on');
	return;
}

sub test_settings
{
	is(sql(q{SELECT string_agg(name || '=' || setting || coalesce(unit, ''), ' ' ORDER BY name) FROM pg_settings WHERE name LIKE 'apply_watermark.max_%ed_wal' OR name LIKE 'apply_watermark.max_%_age'}),
		'apply_watermark.max_catalog_age=200000000 apply_watermark.max_retained_wal=65536MB', 'the bounds are wide');
	refuses('a bound that no query that runs keeps', q{ALTER SYSTEM SET apply_watermark.max_retained_wal = '63MB'}, qr/invalid value.*It must be -1, or at least 64 MB/s);
	sql('ALTER SYSTEM SET apply_watermark.max_retained_wal = -1', 'ALTER SYSTEM RESET ALL');
	return;
}
