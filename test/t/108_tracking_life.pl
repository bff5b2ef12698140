# The life of streams that are tracked: through writers at the start, crashes, errors,
# changes of the relation, and its end.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each([ 'writers at the start', \&test_writers ],
	[ 'crashes', \&test_crashes ],
	[ 'errors', \&test_errors ],
	[ 'changes of the relation', \&test_changes ],
	[ 'the end of the relation', \&test_drop ],
	[ 'a dump', \&test_dump ]);

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
	is(tracked('busy', 'rows_in'), 4800, 'all rows are counted');
	is(tracked('busy', q{watermark::timestamp = (SELECT max(ts) - INTERVAL '5 s' FROM busy)}), 't', 'the watermark is that of the greatest');
	return;
}

# The server is killed, and the worker at each step of its work: when it writes, since
# somebody waits for it.
sub test_crashes
{
	my $rows = 0;

	new_source('crashing');
	take_in(q{SELECT watermark.track('crashing')});
	for my $step (qw(decode publish commit confirm server))
	{
		if ($step ne 'server')
		{
			$node->append_conf('postgresql.conf', "apply_watermark.crash_at = '$step'");
			$node->reload;
		}
		my $log_size = -s $node->logfile;
		# The worker, and the server with it, may have gone before the last of these is in.
		for (1 .. 3)
		{
			$rows++;
			eval { $node->psql('postgres', qq{INSERT INTO crashing VALUES ($rows, 1, '2024-01-01'::timestamp + $rows * INTERVAL '1 s'), ($rows, 1, NULL)}) };
			eval { $node->psql('postgres', 'SELECT watermark.advance()') } if $step ne 'server';
		}
		$node->wait_for_log(qr/database system is shut down/, $log_size) if $step ne 'server';
		$node->stop('immediate', fail_ok => 1);
		$node->append_conf('postgresql.conf', q{apply_watermark.crash_at = ''});
		$node->start;
		advance();
		is(tracked('crashing', q{rows_in = (SELECT count(*) FROM crashing), n_set_aside = (SELECT count(*) FROM crashing WHERE ts IS NULL),
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
	take_in(q{SELECT watermark.track('faulty')}, q{SELECT watermark.track('sound')});
	take_in(q{INSERT INTO faulty VALUES (1, '2024-01-01'), (2, '2024-01-02')}, q{INSERT INTO sound VALUES (1, 1, '2024-01-01')});
	is(tracked('faulty', 'state, error, rows_in, watermark'), 'running|division by zero|0|', 'the error is noted');
	is(tracked('sound', 'state, error, rows_in'), 'running||1', 'another stream goes on');
	is(sql('SELECT count(*) FROM faulty'), 2, 'and so do writers');
	sql(q{SELECT set_watermark('faulty', 'ts', 'ts')});
	ok($node->poll_query_until('postgres', q{SELECT error IS NULL FROM watermark.streams WHERE source = 'faulty'::regclass}), 'it gets over it');
	is(tracked('faulty', 'rows_in, watermark'), '2|2024-01-02 00:00:00', 'and counts each row once');

	take_in(q{SELECT drop_watermark('faulty')}, q{INSERT INTO faulty VALUES (3, '2024-01-03')});
	like(tracked('faulty', 'error'), qr/reads no stream/, 'a definition that is gone is noted');
	sql(q{SELECT set_watermark('faulty', 'ts', 'ts')}, q{SELECT watermark.untrack('faulty')}, q{SELECT watermark.track('faulty')});
	advance();
	is(tracked('faulty', 'state, error, rows_in, watermark'), 'running||3|2024-01-03 00:00:00', 'tracked anew, it begins with the history');
	return;
}

# Whoever alters the relation is not held up.
sub test_changes
{
	new_source('altered');
	take_in(q{SELECT watermark.track('altered')});
	take_in(q{INSERT INTO altered VALUES (1, 1, '2024-01-01 10:00')});
	take_in('ALTER TABLE altered ALTER k TYPE bigint', 'ALTER TABLE altered ADD z text',
		q{INSERT INTO altered VALUES (2, 1, '2024-01-01 10:01', 'z')}, 'ALTER TABLE altered DROP k', 'ALTER TABLE altered RENAME ts TO "a time"',
		'ALTER TABLE altered RENAME TO "New name"');
	take_in(q{SELECT set_watermark('"New name"', 'a time', '"a time" - INTERVAL ''1'' MINUTE')}, q{INSERT INTO "New name" VALUES (3, '2024-01-01 10:03', 'z')});
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
	take_in(map { qq{SELECT watermark.track('$_')} } qw(dropped stays on_stays));
	sql('BEGIN', 'DROP TABLE dropped', 'ROLLBACK');
	take_in(q{INSERT INTO dropped VALUES (1, 1, '2024-01-01')});
	is(tracked('dropped', 'rows_in'), 1, 'a DROP that is rolled back has no effect');

	# Rows that come before the end of their table are read after it.
	sql('BEGIN', q{INSERT INTO dropped VALUES (2, 1, '2024-01-02')}, 'DROP TABLE dropped', 'DROP VIEW on_stays', 'COMMIT');
	is(sql('SELECT source FROM watermark.streams'), 'stays', 'the relations can be dropped');
	take_in(q{INSERT INTO stays VALUES (1, 1, '2024-01-01')});
	ok($node->poll_query_until('postgres', q{SELECT string_agg(name, ' ') = 'stays_tracked' FROM watermark.query}), 'nothing of them is left');
	is(tracked('stays', 'rows_in, state, error'), '1|running|', 'others go on');
	new_source('dropped');
	sql(q{SELECT watermark.track('dropped')});
	sql('BEGIN', 'DROP TABLE dropped', 'CREATE TABLE dropped (id int, k int, ts timestamp(3))', q{SELECT set_watermark('dropped', 'ts', 'ts - INTERVAL ''5'' SECOND')},
		q{SELECT watermark.track('dropped')}, 'COMMIT');
	take_in(q{INSERT INTO dropped VALUES (3, 1, '2024-01-03')});
	is(tracked('dropped', 'rows_in, watermark'), '1|2024-01-02 23:59:55', 'another of the same name is another');

	sql('DROP TABLE dropped, stays');
	$node->restart;
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM watermark.query'), 'nothing is left after a restart');
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_replication_slots'), 'and no slot');
	return;
}

# Of a stream in a dump, the place in the WAL means nothing where it is restored.
sub test_dump
{
	my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';

	new_source('dumped');
	take_in(q{SELECT watermark.track('dumped')}, q{INSERT INTO dumped VALUES (1, 1, '2024-01-01')});
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
