# What reads of the WAL and of histories have got wrong: many watermarks in a batch,
# partitions of then, children, positions of another server.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $BY_KEY = q{SELECT window_start, k, count(*) AS n FROM p AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	GROUP BY window_start, window_end, k};

test_each(
	[ 'many watermarks', \&test_many_watermarks ],
	[ 'a query that lags behind another', \&test_lag ],
	[ 'a table and its children', \&test_only ],
	[ 'a history in no order', \&test_history ],
	[ 'a position of another server', \&test_home ],
	[ 'a transaction of the worker', \&test_transaction ],
	[ 'a query that waits to be tried again', \&test_waiting ],
	[ 'a query that is resumed while it pauses', \&test_resumed ],
	[ 'no such query', \&test_missing ],
	[ 'a role of the database', \&test_role ]);

# Each of many commits moves the watermark.
sub test_many_watermarks
{
	stream('many', 'timestamp', 'ts');
	per_minute('many_q', 'many');
	sql(q{SELECT watermark.pause_query('many_q')});
	advance();
	sql(q{DO $$ BEGIN FOR i IN 1..9000 LOOP
		INSERT INTO many (ts) VALUES (timestamp '2024-01-01' + i * INTERVAL '1' SECOND); COMMIT; END LOOP; END $$});
	sql(q{SELECT watermark.resume_query('many_q')});
	advance();
	is(sql('SELECT sum(n), count(*) FROM many_q'), '8999|150', 'all closed windows are published');
	is(audit('many_q'), '8999|1|0|0|9000|t', 'and no row is lost');
	return;
}

# Which table is a partition is what it was when the row was written.
sub test_lag
{
	sql(q{CREATE TABLE p (k int, ts timestamp, CHECK (watermark_for(ts, ts))) PARTITION BY LIST (k)},
		'CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)', 'CREATE TABLE p2 PARTITION OF p FOR VALUES IN (2)',
		'CREATE TABLE x (LIKE p INCLUDING ALL)');
	query('late_q', $BY_KEY);
	query('early_q', $BY_KEY);
	sql(q{SELECT watermark.pause_query('late_q')});
	sql(q{INSERT INTO p VALUES (1, '2024-01-01'), (2, '2024-01-01')});
	sql('ALTER TABLE p DETACH PARTITION p2');
	sql(q{INSERT INTO p2 VALUES (2, '2024-01-01')});
	sql(q{INSERT INTO x VALUES (4, '2024-01-01')});
	sql('ALTER TABLE p ATTACH PARTITION x FOR VALUES IN (4)');
	sql(q{INSERT INTO p VALUES (4, '2024-01-01')});
	advance();
	arrive_row(q{(1, '2024-01-01 00:10')});
	sql(q{SELECT watermark.resume_query('late_q')});
	advance();
	is(sql('SELECT k, n FROM early_q ORDER BY k'), "1|1\n2|1\n4|1", 'rows of partitions, while they are');
	is(sql('SELECT k, n FROM late_q ORDER BY k'), "1|1\n2|1\n4|1", 'the same, read again');
	return;
}

sub arrive_row
{
	sql("INSERT INTO p VALUES $_[0]");
	advance();
	return;
}

sub test_only
{
	sql('CREATE TABLE parent (v int DEFAULT 1, ts timestamp, CHECK (watermark_for(ts, ts)))');
	sql('CREATE TABLE child () INHERITS (parent)', q{INSERT INTO child (ts) VALUES ('2024-01-01 10:00:01')},
		q{INSERT INTO parent (ts) VALUES ('2024-01-01 10:00:02')});
	per_minute('only_q', 'ONLY parent');
	sql(q{INSERT INTO child (ts) VALUES ('2024-01-01 10:00:03')});
	arrive('parent', '10:00:04', '10:05:00');
	is(published('only_q'), '10:00:00=2', 'ONLY has no rows of children, of the history neither');
	return;
}

# Partition by partition is no order of arrival.
sub test_history
{
	sql(q{CREATE TABLE h (k int, v int DEFAULT 1, ts timestamp, CHECK (watermark_for(ts, ts))) PARTITION BY LIST (k)},
		'CREATE TABLE h0 PARTITION OF h FOR VALUES IN (0)', 'CREATE TABLE h1 PARTITION OF h FOR VALUES IN (1)',
		q{INSERT INTO h SELECT i % 2, 1, timestamp '2024-01-01' + i * INTERVAL '1' SECOND FROM generate_series(0, 999) AS i});
	query('event_q', sprintf($PER_MINUTE, 'h'), q{, emit_watermark => 'on event'});
	is(audit('event_q'), '960|40|0|0|1000|t', 'the history arrives at one instant');
	sql(q{INSERT INTO h VALUES (0, 1, '2024-01-01 01:00'), (1, 1, '2024-01-01 00:50')});
	advance();
	is(audit('event_q'), '1000|1|1|0|1002|t', 'and then the watermark moves with each row');
	return;
}

sub test_home
{
	stream('moved');
	per_minute('moved_q', 'moved');
	arrive('moved', '10:00:00');
	sql(q{SELECT watermark.pause_query('moved_q')});
	advance();
	like(sql(q{SELECT home FROM watermark.progress}), qr{^\d+/\d+/\d+$}, 'a position is one of a database and a timeline');
	sql(q{UPDATE watermark.progress SET home = '1/1'}, q{SELECT watermark.resume_query('moved_q')});
	advance();
	is(sql(q{SELECT state, error FROM watermark.queries}),
		'failed|the WAL from the position of the query on is not there any more', 'elsewhere it means nothing');
	return;
}

# A transaction of the worker that is under way is so for others, too.
sub test_transaction
{
	sql('CREATE TABLE account (k int PRIMARY KEY, v int)', 'INSERT INTO account VALUES (1, 0)',
		'CREATE TABLE booked (window_start timestamp, window_end timestamp, n bigint, s bigint)',
		q{CREATE FUNCTION book() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			UPDATE account SET v = v + 1; PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$},
		'CREATE TRIGGER book BEFORE INSERT ON booked FOR EACH ROW EXECUTE FUNCTION book()');
	stream('bookings');
	query('booked_q', sprintf($PER_MINUTE, 'bookings'), q{, sink => 'booked'});
	my $holder = $node->background_psql('postgres');
	$holder->query_safe('SELECT pg_advisory_lock(1)');
	sql(q{INSERT INTO bookings (ts) VALUES ('2024-01-01 10:00'), ('2024-01-01 10:02')});
	sql('CREATE TABLE filler AS SELECT 1');
	ok($node->poll_query_until('postgres', q{SELECT a.backend_xid IN (SELECT x::text::xid FROM pg_snapshot_xip(pg_current_snapshot()) AS x) FROM pg_stat_activity AS a
		WHERE a.backend_xid IS NOT NULL AND a.backend_type LIKE 'apply_watermark%'}), 'snapshots have it');
	is(sql('SELECT v FROM account'), 0, 'what it writes is not there yet');
	$holder->query_safe('SELECT pg_advisory_unlock(1)');
	$holder->quit;
	advance();
	is(sql('SET enable_indexscan = off', 'SET enable_bitmapscan = off', 'SELECT v FROM account'), 1, 'and then it is, once');
	return;
}

sub test_waiting
{
	stream('source');
	per_minute('sink', 'source');
	sql('ALTER TABLE sink ADD CONSTRAINT no CHECK (n > 1)', q{INSERT INTO source (ts) VALUES ('2024-01-01 10:00'), ('2024-01-01 11:00')});
	my ($status, undef, $said) = $node->psql('postgres', 'SELECT watermark.advance()');
	is($status, 0, 'advance() does not wait for it');
	like($said, qr/WARNING:  continuous query "sink" has failed, and has not come as far\nDETAIL:  .*violates check constraint "no"/, 'but says so');
	sql('ALTER TABLE sink DROP CONSTRAINT no', q{SELECT watermark.resume_query('sink')});
	(undef, undef, $said) = $node->psql('postgres', 'SELECT watermark.advance()');
	is($said, '', 'no more when it goes on');
	is(published('sink'), '10:00:00=1', 'with what was missing');
	return;
}

# The worker writes that it has paused after the query was asked to go on.
sub test_resumed
{
	stream('ticks');
	per_minute('ticks_q', 'ticks');
	sql(q{SELECT watermark.pause_query('ticks_q')});
	advance();
	sql(q{UPDATE watermark.query SET request = 'run'});
	arrive('ticks', '10:00:00', '10:02:00');
	is(sql('SELECT state FROM watermark.queries'), 'running', 'it goes on');
	is(published('ticks_q'), '10:00:00=1', 'with all rows');
	sql(q{DO $$ BEGIN FOR i IN 1..200 LOOP
		PERFORM watermark.pause_query('ticks_q'); COMMIT; PERFORM watermark.resume_query('ticks_q'); COMMIT; END LOOP; END $$});
	advance();
	is(sql('SELECT state FROM watermark.queries'), 'running', 'and so in any order');
	return;
}

sub test_missing
{
	is(sql(q{SELECT count(*) FROM watermark.audit('nobody')}), 0, 'audit() has no row');
	return;
}

# A role that the database gives to its sessions is not the worker's.
sub test_role
{
	sql('CREATE ROLE nobody', 'ALTER DATABASE postgres SET role = nobody');
	$node->restart;
	my $as_superuser = 'RESET role; SET role = none';
	sql($as_superuser, q{CREATE TABLE r (v int DEFAULT 1, ts timestamp, CHECK (watermark_for(ts, ts)))},
		sprintf(q{SELECT watermark.create_query('r_q', $q$%s$q$)}, sprintf $PER_MINUTE, 'r'));
	sql($as_superuser, q{SELECT watermark.advance('20 s')});
	is(sql($as_superuser, 'SELECT state FROM watermark.queries'), 'running', 'the worker works');
	sql($as_superuser, 'ALTER DATABASE postgres RESET role', 'DROP ROLE nobody');
	return;
}
