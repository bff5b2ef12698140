# Streams that are tracked: their watermark, the row that moved it, and their counts,
# through crashes, errors, changes of the relation and its end.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off',
  'apply_watermark.coalesce_delay = 0', q{apply_watermark.crash_at = ''}, q{timezone = 'UTC'};
$node->start;
sql(q{CREATE EXTENSION apply_watermark; CREATE ROLE maker; CREATE ROLE stranger; CREATE ROLE grantee;
	GRANT EXECUTE ON FUNCTION watermark.track TO maker, grantee});

for my $test (
	[ 'history, then live', \&test_live ],
	[ 'what shows without advance()', \&test_unasked ],
	[ 'views', \&test_views ],
	[ 'time zones', \&test_zone ],
	[ 'writers at the start', \&test_writers ],
	[ 'crashes', \&test_crashes ],
	[ 'errors', \&test_errors ],
	[ 'changes of the relation', \&test_changes ],
	[ 'the end of the relation', \&test_drop ],
	[ 'beside a query', \&test_query ],
	[ 'rights', \&test_rights ],
	[ 'transactions', \&test_transactions ],
	[ 'a dump', \&test_dump ])
{
	subtest(@$test);
	sql('SELECT watermark.untrack(source) FROM watermark.streams WHERE query IS NULL');
}
$node->stop;
done_testing();

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

sub advance
{
	sql(@_) if @_;
	sql('SELECT watermark.advance()');
	return;
}

sub new_source
{
	my ($name) = @_;

	sql("CREATE TABLE $name (id int, k int, ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '5' SECOND)))");
	return;
}

sub stream
{
	my ($source, $columns) = @_;

	return sql("SELECT $columns FROM watermark.streams WHERE query IS NULL AND source = '$source'::regclass");
}

sub refuses
{
	my ($label, $sql, $message) = @_;
	my ($status, undef, $error) = $node->psql('postgres', $sql);

	isnt($status, 0, "$label is refused");
	like($error, $message, "$label says why");
	return;
}

# The watermark moves with each transaction, by its greatest strategy.
sub test_live
{
	new_source('orders');
	advance(q{INSERT INTO orders VALUES (1, 1, '2024-01-01 10:01'), (2, 1, '2024-01-01 10:02'), (3, 1, '2024-01-01 10:00'), (4, 1, NULL)},
		q{SELECT watermark.track('orders')});
	is(stream('orders', 'watermark, watermark_at, moved_by, rows_in, n_set_aside, state, error'),
		'2024-01-01 10:01:55||{"k": 1, "id": 2, "ts": "2024-01-01T10:02:00"}|4|1|running|', 'the greatest of the history');

	advance(q{INSERT INTO orders VALUES (5, 1, '2024-01-01 10:03'), (6, 1, '2024-01-01 10:05'), (7, 1, '2024-01-01 10:04')});
	is(stream('orders', q{watermark, moved_by->>'id', rows_in, n_set_aside}), '2024-01-01 10:04:55|6|7|1', 'a row in the midst of a transaction moves it');
	my $moved_at = stream('orders', 'watermark_at');
	is(sql(qq{SELECT '$moved_at' BETWEEN pg_postmaster_start_time() AND now()}), 't', 'when it was committed');

	advance(q{INSERT INTO orders VALUES (8, 1, '2024-01-01 10:01')}, q{INSERT INTO orders VALUES (9, 1, 'infinity'), (10, 1, NULL)},
		q{BEGIN; INSERT INTO orders VALUES (11, 1, '2025-01-01'); ROLLBACK});
	is(stream('orders', q{watermark, moved_by->>'id', rows_in, n_set_aside}), '2024-01-01 10:04:55|6|10|3', 'rows behind it, without a time, or rolled back do not');
	is(stream('orders', 'watermark_at'), $moved_at, 'nor does the time change');
	is(sql(q{SELECT query IS NULL, source, reason, watermark, source_row->>'id' FROM watermark.late_rows ORDER BY (source_row->>'id')::int}),
		"t|orders|null||4\nt|orders|not finite|2024-01-01 10:04:55|9\nt|orders|null|2024-01-01 10:04:55|10", 'rows that are set aside are kept');

	advance('UPDATE orders SET k = 2 WHERE id < 3', 'DELETE FROM orders WHERE id = 3', 'TRUNCATE orders');
	is(stream('orders', 'rows_in, n_updates, n_deletes, n_truncates, n_late, n_published, retained_bytes < 10000'), '10|2|1|1|0|0|t', 'changes are counted');

	sql(q{SELECT watermark.untrack('orders')});
	is(sql('SELECT (SELECT count(*) FROM watermark.query) + (SELECT count(*) FROM watermark.progress) +
		(SELECT count(*) FROM watermark.late_row)'), 0, 'nothing is left when it ends');
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_replication_slots'), 'and no slot');
	refuses('what is not tracked', q{SELECT watermark.untrack('orders')}, qr/"orders" is not tracked/);
	return;
}

# Nobody need ask: what is new is written within a second or so.
sub test_unasked
{
	new_source('unasked');
	advance(q{SELECT watermark.track('unasked')});
	sql(q{INSERT INTO unasked VALUES (1, 1, '2024-01-01 10:00')});
	ok($node->poll_query_until('postgres', q{SELECT watermark = '2024-01-01 09:59:55' AND rows_in = 1 FROM watermark.streams}), 'a row shows by itself');
	sql('UPDATE unasked SET k = 2');
	ok($node->poll_query_until('postgres', q{SELECT n_updates = 1 FROM watermark.streams}), 'and so does a change');
	return;
}

# Rows that the definition of a view leaves out are none of its stream.
sub test_views
{
	new_source('base');
	sql(q{CREATE VIEW few AS SELECT id AS number, ts AS t FROM base WHERE k < 5 AND watermark_for(ts, ts - INTERVAL '1' MINUTE)},
		'CREATE VIEW handed_on AS SELECT ts, id FROM base WHERE id > 1',
		q{CREATE VIEW applied AS SELECT b.* FROM base AS b, APPLY_WATERMARK(b, DESCRIPTOR(ts), ts - INTERVAL '10' SECOND) WHERE id > 1},
		'CREATE TABLE names (k int PRIMARY KEY, name text)', q{INSERT INTO names VALUES (1, 'one'), (7, 'seven')},
		'CREATE VIEW named AS SELECT b.ts, n.name FROM base AS b JOIN names AS n USING (k)',
		q{INSERT INTO base VALUES (1, 7, '2024-01-01 10:09'), (2, 1, '2024-01-01 10:05')});
	sql(qq{SELECT watermark.track('$_')}) for qw(few handed_on applied named base);
	advance(q{INSERT INTO base VALUES (3, 7, '2024-01-01 10:20')}, q{INSERT INTO base VALUES (4, 2, '2024-01-01 10:10'), (5, 7, NULL), (6, 1, NULL)});
	my $columns = q{watermark, moved_by->>'id', rows_in, n_set_aside};
	is(stream('few', $columns), '2024-01-01 10:09:00|4|3|1', 'a condition beside the definition chooses the rows that move the watermark');
	is(stream('handed_on', $columns), '2024-01-01 10:19:55|3|5|2', 'a view without one hands on that of its table');
	is(stream('applied', $columns), '2024-01-01 10:19:50|3|5|2', 'APPLY_WATERMARK in a view sees its input');
	is(stream('named', $columns), '2024-01-01 10:19:55|3|5|2', 'a join counts the rows that it leaves');
	is(stream('base', $columns), '2024-01-01 10:19:55|3|6|2', 'the table has all');
	is(sql(q{SELECT string_agg(source::text, ' ' ORDER BY source::text) FROM watermark.late_rows WHERE source_row->>'id' = '6'}),
		'applied base few handed_on named', 'each keeps what it sets aside');

	sql('CREATE TABLE parted (id int, ts timestamp, CHECK (watermark_for(ts, ts))) PARTITION BY RANGE (id)',
		'CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (5)', q{INSERT INTO parted VALUES (1, '2024-01-01')},
		q{SELECT watermark.track('parted')});
	advance('CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (5) TO (9)', q{INSERT INTO parted VALUES (2, '2024-01-02'), (6, '2024-01-03')});
	is(stream('parted', $columns), '2024-01-03 00:00:00|6|3|0', 'of a partitioned table the rows of all partitions');
	return;
}

sub test_zone
{
	sql(q{CREATE TABLE zoned (id int, ts timestamptz, CHECK (watermark_for(ts, ts - INTERVAL '1' DAY)))});
	advance(q{SET timezone = 'Europe/Berlin'; SELECT watermark.track('zoned')});
	advance(q{INSERT INTO zoned VALUES (1, '2024-03-31 22:00+00')});
	is(stream('zoned', 'watermark'), '2024-03-31 00:00:00 Europe/Berlin', 'a day of 23 hours is one in the zone of who tracks it');
	return;
}

# No row is missed, and none counts twice.
sub test_writers
{
	my $script = PostgreSQL::Test::Utils::tempdir . '/insert.sql';

	new_source('busy');
	append_to_file($script, q{INSERT INTO busy SELECT i, 1, timestamp '2024-01-01' + random() * INTERVAL '1 hour' FROM generate_series(1, 3) AS i;});
	my $writers = IPC::Run::start([ 'pgbench', '-n', '-c', 8, '-t', 200, '-f', $script, $node->connstr('postgres') ], '>', '/dev/null', '2>', '/dev/null');
	ok($node->poll_query_until('postgres', 'SELECT count(*) > 0 FROM busy'), 'eight sessions write');
	sql(q{SELECT watermark.track('busy')});
	$writers->finish;
	advance();
	is(stream('busy', 'rows_in'), 4800, 'all rows are counted');
	is(stream('busy', q{watermark::timestamp = (SELECT max(ts) - INTERVAL '5 s' FROM busy)}), 't', 'the watermark is that of the greatest');
	return;
}

# The server is killed, and the worker at each step of its work.
sub test_crashes
{
	my $rows = 0;

	new_source('crashing');
	advance(q{SELECT watermark.track('crashing')});
	for my $step (qw(decode publish commit confirm server))
	{
		if ($step ne 'server')
		{
			$node->adjust_conf('postgresql.conf', 'apply_watermark.crash_at', "'$step'");
			$node->reload;
		}
		my $log_size = -s $node->logfile;
		# The worker may have gone before the last of these is in.
		for (1 .. 3)
		{
			$rows++;
			$node->psql('postgres', qq{INSERT INTO crashing VALUES ($rows, 1, '2024-01-01'::timestamp + $rows * INTERVAL '1 s'), ($rows, 1, NULL)});
		}
		$node->wait_for_log(qr/database system is shut down/, $log_size) if $step ne 'server';
		$node->stop('immediate', fail_ok => 1);
		$node->adjust_conf('postgresql.conf', 'apply_watermark.crash_at', "''");
		$node->start;
		advance();
		is(stream('crashing', q{rows_in = (SELECT count(*) FROM crashing), n_set_aside = (SELECT count(*) FROM crashing WHERE ts IS NULL),
				n_set_aside = (SELECT count(*) FROM watermark.late_rows), watermark::timestamp = (SELECT max(ts) - INTERVAL '5 s' FROM crashing),
				moved_by->>'id' = (SELECT max(id)::text FROM crashing)}), 't|t|t|t|t', "each row counts once after a crash at $step");
	}
	return;
}

# An error is the stream's own; it goes on when the cause is mended, and is given up at last.
sub test_errors
{
	sql('CREATE TABLE faulty (id int, ts timestamp, CHECK (watermark_for(ts, ts - INTERVAL \'1\' SECOND / (id - 2))))');
	new_source('sound');
	advance(q{SELECT watermark.track('faulty')}, q{SELECT watermark.track('sound')});
	advance(q{INSERT INTO faulty VALUES (1, '2024-01-01'), (2, '2024-01-02')}, q{INSERT INTO sound VALUES (1, 1, '2024-01-01')});
	is(stream('faulty', 'state, error, rows_in, watermark'), 'running|division by zero|0|', 'the error is noted');
	is(stream('sound', 'state, error, rows_in'), 'running||1', 'another stream goes on');
	is(sql('SELECT count(*) FROM faulty'), 2, 'and so do writers');
	sql(q{SELECT set_watermark('faulty', 'ts', 'ts')});
	ok($node->poll_query_until('postgres', q{SELECT error IS NULL FROM watermark.streams WHERE source = 'faulty'::regclass}), 'it gets over it');
	is(stream('faulty', 'rows_in, watermark'), '2|2024-01-02 00:00:00', 'and counts each row once');

	advance(q{SELECT drop_watermark('faulty')}, q{INSERT INTO faulty VALUES (3, '2024-01-03')});
	like(stream('faulty', 'error'), qr/reads no stream/, 'a definition that is gone is noted');
	sql(q{SELECT set_watermark('faulty', 'ts', 'ts')}, q{SELECT watermark.untrack('faulty')}, q{SELECT watermark.track('faulty')});
	advance();
	is(stream('faulty', 'state, error, rows_in, watermark'), 'running||3|2024-01-03 00:00:00', 'tracked anew, it begins with the history');
	return;
}

# Whoever alters the relation is not held up.
sub test_changes
{
	new_source('altered');
	advance(q{SELECT watermark.track('altered')});
	advance(q{INSERT INTO altered VALUES (1, 1, '2024-01-01 10:00')});
	advance('ALTER TABLE altered ALTER k TYPE bigint', 'ALTER TABLE altered ADD z text',
		q{INSERT INTO altered VALUES (2, 1, '2024-01-01 10:01', 'z')}, 'ALTER TABLE altered DROP k', 'ALTER TABLE altered RENAME ts TO "a time"',
		'ALTER TABLE altered RENAME TO "New name"');
	advance(q{SELECT set_watermark('"New name"', 'a time', '"a time" - INTERVAL ''1'' MINUTE')}, q{INSERT INTO "New name" VALUES (3, '2024-01-01 10:03', 'z')});
	is(sql('SELECT source, watermark, moved_by, rows_in, error FROM watermark.streams'),
		'"New name"|2024-01-01 10:02:00|{"z": "z", "id": 3, "a time": "2024-01-01T10:03:00"}|3|', 'columns, names and the definition are followed');
	return;
}

# It ends with the relation.
sub test_drop
{
	new_source('dropped');
	new_source('stays');
	sql(q{CREATE VIEW on_stays AS SELECT * FROM stays WHERE watermark_for(ts, ts)});
	advance(map { qq{SELECT watermark.track('$_')} } qw(dropped stays on_stays));
	sql('BEGIN', 'DROP TABLE dropped', 'ROLLBACK');
	advance(q{INSERT INTO dropped VALUES (1, 1, '2024-01-01')});
	is(stream('dropped', 'rows_in'), 1, 'a DROP that is rolled back has no effect');

	# Rows that come before the end of their table are read after it.
	sql('BEGIN', q{INSERT INTO dropped VALUES (2, 1, '2024-01-02')}, 'DROP TABLE dropped', 'DROP VIEW on_stays', 'COMMIT');
	is(sql('SELECT source FROM watermark.streams'), 'stays', 'the relations can be dropped');
	advance(q{INSERT INTO stays VALUES (1, 1, '2024-01-01')});
	ok($node->poll_query_until('postgres', q{SELECT string_agg(name, ' ') = 'stays_tracked' FROM watermark.query}), 'nothing of them is left');
	is(stream('stays', 'rows_in, state, error'), '1|running|', 'others go on');
	new_source('dropped');
	sql(q{SELECT watermark.track('dropped')});
	sql('BEGIN', 'DROP TABLE dropped', 'CREATE TABLE dropped (id int, k int, ts timestamp(3))', q{SELECT set_watermark('dropped', 'ts', 'ts - INTERVAL ''5'' SECOND')},
		q{SELECT watermark.track('dropped')}, 'COMMIT');
	advance(q{INSERT INTO dropped VALUES (3, 1, '2024-01-03')});
	is(stream('dropped', 'rows_in, watermark'), '1|2024-01-02 23:59:55', 'another of the same name is another');

	sql('DROP TABLE dropped, stays');
	$node->restart;
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM watermark.query'), 'nothing is left after a restart');
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_replication_slots'), 'and no slot');
	return;
}

# A query over a stream that is tracked: neither knows the other.
sub test_query
{
	new_source('shared');
	sql('CREATE SCHEMA other', q{CREATE TABLE other.shared (ts timestamp, CHECK (watermark_for(ts, ts)))},
		q{SELECT watermark.create_query('shared_q', 'SELECT window_end, count(*) AS n FROM shared AS s, TUMBLE(s, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE) GROUP BY window_start, window_end')},
		q{SELECT watermark.track('shared')}, q{SELECT watermark.track('other.shared')});
	advance(q{INSERT INTO shared VALUES (1, 1, '2024-01-01 10:00:30'), (2, 1, '2024-01-01 10:01:10')});
	is(sql('TABLE shared_q'), '2024-01-01 10:01:00|1', 'the query publishes');
	is(sql('SELECT query, source, watermark, moved_by IS NULL, rows_in, n_published, state FROM watermark.streams ORDER BY query, source::text'),
		"shared_q|shared|2024-01-01 10:01:05|t|2|1|running\n|other.shared||t|0|0|running\n|shared|2024-01-01 10:01:05|f|2|0|running", 'both show their streams');
	is(sql('SELECT name FROM watermark.queries'), 'shared_q', 'a stream that is tracked is no query');
	refuses('dropping it as one', q{SELECT watermark.drop_query('shared_tracked')}, qr/continuous query "shared_tracked" does not exist/);
	refuses('tracking twice', q{SELECT watermark.track('shared')}, qr/table "shared" is already tracked/);
	sql(q{SELECT watermark.untrack('shared')}, q{SELECT watermark.untrack('other.shared')});
	advance(q{INSERT INTO shared VALUES (3, 1, '2024-01-01 10:02:10')});
	is(sql('SELECT query, rows_in FROM watermark.streams'), 'shared_q|3', 'the query goes on without it');
	sql(q{SELECT watermark.drop_query('shared_q')});
	return;
}

sub test_rights
{
	new_source('secret');
	refuses('a role without EXECUTE', q{SET ROLE stranger; SELECT watermark.track('secret')}, qr/permission denied for function track/);
	refuses('a role that may not read', q{SET ROLE maker; SELECT watermark.track('secret')}, qr/permission denied for table secret/);
	sql('GRANT SELECT ON secret TO maker', q{SET ROLE maker; SELECT watermark.track('secret')});
	advance(q{INSERT INTO secret VALUES (1, 1, '2024-01-01')});
	is(sql('SET ROLE maker; SELECT source, rows_in FROM watermark.streams'), 'secret|1', 'who tracks sees it');
	is(sql('SET ROLE stranger; SELECT count(*) FROM watermark.streams'), 0, 'others do not');
	refuses('ending what another tracks', q{SET ROLE grantee; SELECT watermark.untrack('secret')}, qr/"secret" is tracked by another role/);
	advance('REVOKE SELECT ON secret FROM maker', q{INSERT INTO secret VALUES (2, 1, '2024-01-02')});
	is(stream('secret', 'error, rows_in'), 'permission denied for table secret|1', 'a right that was revoked is missed');
	sql(q{SET ROLE maker; SELECT watermark.untrack('secret')});
	is(sql('SELECT count(*) FROM watermark.streams'), 0, 'who tracks can end it');

	# Policies of row security, and of a view the rights of its owner.
	sql(q{ALTER TABLE secret ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON secret USING (k = 1); GRANT SELECT ON secret TO maker;
		CREATE VIEW shown AS SELECT ts, k FROM secret WHERE watermark_for(ts, ts); GRANT SELECT ON shown TO maker;
		SET ROLE maker; SELECT watermark.track('secret'); SELECT watermark.track('shown')});
	advance(q{INSERT INTO secret VALUES (3, 2, '2024-01-03'), (4, 1, '2024-01-02')});
	is(stream('secret', q{rows_in, watermark, moved_by->>'id'}), '3|2024-01-01 23:59:55|2', 'rows that it may not see move nothing');
	is(stream('shown', 'rows_in, watermark'), '4|2024-01-03 00:00:00', 'of a view those that its owner may');
	return;
}

sub test_transactions
{
	new_source('undecided');
	sql('BEGIN', q{SELECT watermark.track('undecided')}, 'ROLLBACK');
	is(sql('SELECT count(*) FROM watermark.query'), 0, 'it begins with the commit');
	sql('BEGIN', q{SELECT watermark.track('undecided')}, q{SELECT watermark.untrack('undecided')}, 'COMMIT');
	is(sql(q{SELECT count(*) FROM watermark.query, pg_class WHERE relname = 'undecided_tracked'}), 0, 'begun and ended in one transaction it never was');
	sql(q{SELECT watermark.track('undecided')}, 'BEGIN', q{SELECT watermark.untrack('undecided')}, 'ROLLBACK');
	advance(q{INSERT INTO undecided VALUES (1, 1, '2024-01-01')});
	is(stream('undecided', 'rows_in'), 1, 'and ends with the commit');
	return;
}

# Of a stream in a dump, the place in the WAL means nothing where it is restored.
sub test_dump
{
	my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';

	new_source('dumped');
	advance(q{SELECT watermark.track('dumped')}, q{INSERT INTO dumped VALUES (1, 1, '2024-01-01')});
	for my $options ([], ['--schema-only'])
	{
		my $database = @$options ? 'restored_schema' : 'restored';

		command_ok([ 'pg_dump', '--no-sync', @$options, '-d', $node->connstr('postgres'), '-f', $dump ], 'pg_dump ' . join ' ', @$options);
		$node->safe_psql('postgres', "CREATE DATABASE $database");
		command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-d', $node->connstr($database), '-f', $dump ], 'can be restored');
		if (!@$options)
		{
			$node->safe_psql($database, 'SELECT watermark.advance()');
			is($node->safe_psql($database, 'SELECT source, rows_in, state, error FROM watermark.streams'),
				'dumped|1|failed|the WAL from the position of the query on is not there any more', 'the stream says that it cannot go on');
			$node->safe_psql($database, q{SELECT watermark.untrack('dumped')});
		}
		$node->safe_psql($database, q{SELECT watermark.track('dumped'); INSERT INTO dumped VALUES (2, 1, '2024-01-02')});
		$node->safe_psql($database, 'SELECT watermark.advance()');
		is($node->safe_psql($database, 'SELECT source, rows_in, watermark FROM watermark.streams'),
			'dumped|' . (@$options ? 1 : 2) . '|2024-01-01 23:59:55', 'and can be tracked anew');
		$node->safe_psql($database, 'DROP TABLE dumped');
		$node->safe_psql('postgres', "DROP DATABASE $database");
	}
	return;
}
