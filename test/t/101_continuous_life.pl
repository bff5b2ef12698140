# The life of continuous queries: who may do what, what becomes of one that fails
# while others go on, of changes below it.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $per_minute = q{SELECT window_end, count(*) AS n FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	GROUP BY window_start, window_end};

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off', q{timezone = 'UTC'};
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION apply_watermark;
	CREATE ROLE maker; CREATE ROLE stranger;
	GRANT EXECUTE ON FUNCTION watermark.create_query TO maker;
	CREATE SCHEMA made AUTHORIZATION maker});

test_arguments();
test_failure();
test_changes();
test_history();
test_rights();
test_transactions();
test_dump();
$node->stop;
done_testing();

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

sub new_source
{
	my ($name) = @_;

	sql("CREATE TABLE $name (id int, k int, ts timestamp(3), CHECK (watermark_for(ts, ts)))");
	return;
}

sub create
{
	my ($name, $source, $options) = @_;

	sql(sprintf(q{SELECT watermark.create_query('%s', $q$%s$q$%s)}, $name, sprintf($per_minute, $source), $options // ''),
		'SELECT watermark.advance()');
	return;
}

sub refuses
{
	my ($label, $sql, $message) = @_;
	my ($status, undef, $error) = $node->psql('postgres', $sql);

	isnt($status, 0, "$label is refused");
	like($error, $message, "$label says why");
	return;
}

sub test_arguments
{
	refuses('a NULL query', q{SELECT watermark.create_query('q', NULL)}, qr/argument "query" must not be null/);
	refuses('another value', q{SELECT watermark.create_query('q', 'SELECT 1', late => 'x')},
		qr/invalid value for argument "late": "x".*'keep' or 'count'/s);
	refuses('no SELECT', q{SELECT watermark.create_query('q', 'CHECKPOINT')}, qr/a continuous query is one SELECT/);
	refuses('two queries', q{SELECT watermark.create_query('q', 'SELECT 1; SELECT 2')}, qr/a continuous query is one SELECT/);
	refuses('SELECT INTO', q{SELECT watermark.create_query('q', 'SELECT 1 AS c INTO t')}, qr/SELECT INTO is not supported/);
	refuses('WITH that writes', q{SELECT watermark.create_query('q', 'WITH w AS (DELETE FROM watermark.query RETURNING 1) SELECT 1')},
		qr/data-modifying statements in WITH/);
	refuses('a temporary table', q{CREATE TEMP TABLE t (c int); SELECT watermark.create_query('q', 'SELECT * FROM t')},
		qr/temporary tables and views/);
	refuses('a query without a stream', q{SELECT watermark.create_query('q', 'SELECT 1 AS c')}, qr/reads no stream/);
	refuses('a query that is not there', q{SELECT watermark.pause_query('q')}, qr/continuous query "q" does not exist/);
	refuses('a timeout of months', q{SELECT watermark.advance('1 month')}, qr/timeout must be an interval without months/);
	return;
}

# One query cannot write its results; the other does not notice.
sub test_failure
{
	new_source('fails');
	sql('CREATE TABLE narrow (window_end timestamp, n bigint CHECK (n < 3))');
	create('bad', 'fails', q{, sink => 'narrow'});
	create('good', 'fails');
	refuses('a name that is taken', q{SELECT watermark.create_query('bad', 'SELECT 1')}, qr/"bad" already exists/);
	sql(q{INSERT INTO fails SELECT i, 1, timestamp '2024-01-01' + i * INTERVAL '20 s' FROM generate_series(0, 3) AS i},
		'SELECT watermark.advance()');

	is(sql(q{SELECT name, state, error, error_code, n_attempts > 0 FROM watermark.queries ORDER BY name}),
		qq{bad|running|new row for relation "narrow" violates check constraint "narrow_n_check"|23514|t\ngood|running|||f},
		'the error is noted with the query');
	is(sql('TABLE good'), '2024-01-01 00:01:00|3', 'the other has its results');
	is(sql('TABLE narrow'), '', 'the one has none');

	sql('ALTER TABLE narrow DROP CONSTRAINT narrow_n_check', q{SELECT watermark.resume_query('bad')});
	sql('SELECT watermark.advance()');
	ok($node->poll_query_until('postgres', q{SELECT error IS NULL FROM watermark.queries WHERE name = 'bad'}), 'it recovers');
	is(sql('TABLE narrow'), '2024-01-01 00:01:00|3', 'nothing is lost and nothing doubled');

	sql('DROP TABLE narrow', q{INSERT INTO fails VALUES (9, 1, '2024-01-01 00:03')}, 'SELECT watermark.advance()');
	like(sql(q{SELECT error FROM watermark.queries WHERE name = 'bad'}), qr/the sink .* does not exist any more/,
		'a sink that was dropped is noted');
	is(sql('SELECT count(*) FROM good'), 2, 'the other goes on');
	sql(q{SELECT watermark.drop_query(name) FROM watermark.queries});
	is(sql(q{SELECT (SELECT count(*) FROM watermark.query) + (SELECT count(*) FROM watermark.progress) +
		(SELECT count(*) FROM watermark.checkpoint) + (SELECT count(*) FROM watermark.late_row)}), 0, 'nothing is left of queries');
	return;
}

# What is altered below a running query; rows that are changed.
sub test_changes
{
	new_source('changes');
	create('follows', 'changes');
	create('counting', 'changes', q{, late => 'count'});
	create('stops', 'changes', q{, on_change => 'stop'});
	sql(q{INSERT INTO changes VALUES (1, 1, '2024-01-01 00:00'), (2, 1, '2024-01-01 00:00:01')},
		'ALTER TABLE changes RENAME k TO "K k"', 'ALTER TABLE changes ADD z int DEFAULT 7',
		q{INSERT INTO changes VALUES (3, 1, '2024-01-01 00:02', 5)},
		'ALTER TABLE changes DROP "K k"', 'ALTER TABLE changes RENAME TO changed',
		q{INSERT INTO changed VALUES (4, '2024-01-01 00:00:30', 6), (5, NULL, 6), (6, '2024-01-01 00:03', 6)},
		'SELECT watermark.advance()');
	is(sql('TABLE follows'), "2024-01-01 00:01:00|2\n2024-01-01 00:03:00|1", 'renames and columns are followed');
	is(sql('SELECT * FROM follows EXCEPT ALL SELECT * FROM counting'), '', 'by all queries');
	is(sql(q{SELECT reason, window_end, watermark, source_row FROM watermark.late_rows WHERE query = 'follows' ORDER BY reason}),
		qq{late|2024-01-01 00:01:00|2024-01-01 00:02:00|{"z": 6, "id": 4, "ts": "2024-01-01T00:00:30"}\n} .
		qq{null||2024-01-01 00:02:00|{"z": 6, "id": 5, "ts": null}}, 'late rows are kept whole');
	is(sql(q{SELECT late, set_aside, is_complete, (SELECT count(*) FROM watermark.late_rows WHERE query = 'counting') FROM watermark.audit('counting')}),
		'1|1|t|0', 'or only counted');

	sql('UPDATE changed SET z = 1 WHERE id = 6', 'DELETE FROM changed WHERE id = 5', 'TRUNCATE changed', 'SELECT watermark.advance()');
	is(sql(q{SELECT n_updates, n_deletes, n_truncates FROM watermark.streams WHERE query = 'follows'}), '1|1|1', 'changes are counted');
	is(sql(q{SELECT state, error FROM watermark.queries WHERE name = 'stops'}), 'failed|rows of the source were changed or deleted',
		'or stop the query');
	refuses('DROP TABLE of the source', 'DROP TABLE changed', qr/view watermark.follows depends on table changed/);
	sql(q{SELECT watermark.drop_query(name) FROM watermark.queries});
	return;
}

sub test_history
{
	new_source('old');
	sql(q{INSERT INTO old VALUES (1, 1, '2024-01-01 00:00')});
	create('whole', 'old');
	create('rest', 'old', q{, with_history => false});
	sql(q{INSERT INTO old VALUES (2, 1, '2024-01-01 00:00:01'), (3, 1, '2024-01-01 00:01')}, 'SELECT watermark.advance()');
	is(sql('TABLE whole'), '2024-01-01 00:01:00|2', 'with its history');
	is(sql('TABLE rest'), '2024-01-01 00:01:00|1', 'without its history');
	sql(q{SELECT watermark.drop_query(name) FROM watermark.queries});
	return;
}

# A query is its owner's: it can do what the owner may do, and others do not see it.
sub test_rights
{
	sql(q{SET ROLE maker; SET search_path = made, public;
		CREATE TABLE stream (id int, ts timestamptz, CHECK (watermark_for(ts, ts)));
		SELECT watermark.create_query('its "name"', 'SELECT window_end, count(*) AS "n N" FROM stream, TUMBLE(stream, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE)
			GROUP BY window_start, window_end', sink => 'made."A sink"');
		INSERT INTO stream VALUES (1, '2024-01-01'), (2, '2024-01-01 00:01')});
	sql('SELECT watermark.advance()');
	is(sql('SET ROLE maker', 'SELECT * FROM made."A sink"'), '2024-01-01 00:01:00+00|1', 'an ordinary role has its results');
	is(sql('SET ROLE maker', 'SELECT name, owner, state FROM watermark.queries'), 'its "name"|maker|running', 'it sees its query');
	is(sql('SET ROLE stranger', 'SELECT (SELECT count(*) FROM watermark.queries) + (SELECT count(*) FROM watermark.streams) +
		(SELECT count(*) FROM watermark.late_rows) + (SELECT count(*) FROM watermark.counts)'), 0, 'others do not');
	refuses("dropping another's query", q{SET ROLE stranger; SELECT watermark.drop_query('its "name"')}, qr/must be owner/);
	refuses('reading the tables', 'SET ROLE maker; SELECT * FROM watermark.progress', qr/permission denied/);
	refuses('creating a query', q{SET ROLE stranger; SELECT watermark.create_query('s', 'SELECT 1')}, qr/permission denied/);
	refuses('waiting', q{SET ROLE maker; SELECT watermark.advance()}, qr/permission denied/);

	sql('REVOKE ALL ON made.stream FROM maker', q{INSERT INTO made.stream VALUES (3, '2024-01-01 00:02')}, 'SELECT watermark.advance()');
	is(sql('SELECT error FROM watermark.queries'), 'permission denied for table stream', 'a right that was revoked is missed');
	sql(q{SELECT watermark.drop_query(name) FROM watermark.queries});
	return;
}

sub test_transactions
{
	new_source('undecided');
	create('stays', 'undecided');
	sql('BEGIN', sprintf(q{SELECT watermark.create_query('gone', $q$%s$q$)}, sprintf($per_minute, 'undecided')), 'ROLLBACK');
	sql('BEGIN', sprintf(q{SELECT watermark.create_query('gone', $q$%s$q$)}, sprintf($per_minute, 'undecided')),
		q{SELECT watermark.drop_query('gone')}, 'COMMIT');
	is(sql('SELECT name FROM watermark.queries'), 'stays', 'a query is created by the commit');

	# While somebody drops it, a query does not get on, and holds nobody up.
	create('dropped', 'undecided');
	my $session = $node->background_psql_or_interactive('postgres');
	$session->(q{BEGIN; SELECT watermark.drop_query('dropped');});
	sql(q{INSERT INTO undecided VALUES (1, 1, '2024-01-01'), (2, 1, '2024-01-01 00:01')}, 'SELECT watermark.advance()');
	is(sql('TABLE stays'), '2024-01-01 00:01:00|1', 'another query goes on while one is being dropped');
	$session->('ROLLBACK;');
	sql(q{SELECT watermark.resume_query('dropped')});
	ok($node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM dropped}), 'which goes on when it is not');
	$session->(undef);
	sql(q{SELECT watermark.drop_query(name) FROM watermark.queries});
	return;
}

# A session that stays open: takes statements, and undef for its end.
sub PostgreSQL::Test::Cluster::background_psql_or_interactive
{
	my ($self, $database) = @_;
	my ($in, $out) = ('', '');
	my $run = IPC::Run::start([ 'psql', '-XAtq', '-d', $self->connstr($database) ], '<', \$in, '>', \$out,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));

	return sub {
		my ($sql) = @_;

		if (!defined $sql)
		{
			$run->finish;
			return;
		}
		$out = '';
		$in .= "$sql\n\\echo done\n";
		IPC::Run::pump($run) until $out =~ /done/;
		return;
	};
}

# A dump keeps queries; where it is restored, their place in the WAL means nothing.
sub test_dump
{
	my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';

	new_source('dumped');
	create('kept', 'dumped');
	sql(q{INSERT INTO dumped VALUES (1, 1, '2024-01-01'), (2, 1, NULL), (3, 1, '2024-01-01 00:01')}, 'SELECT watermark.advance()');
	command_ok([ 'pg_dump', '--no-sync', '-d', $node->connstr('postgres'), '-f', $dump ], 'pg_dump');
	$node->safe_psql('postgres', 'CREATE DATABASE restored');
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-d', $node->connstr('restored'), '-f', $dump ], 'which can be restored');
	is($node->safe_psql('restored', q{SELECT query, source_row FROM watermark.late_rows}), 'kept|{"k": 1, "id": 2, "ts": null}', 'late rows are there');
	$node->safe_psql('restored', 'SELECT watermark.advance()');
	is($node->safe_psql('restored', q{SELECT state, error FROM watermark.queries}),
		'failed|the WAL from the position of the query on is not there any more', 'the query says that it cannot go on');
	$node->safe_psql('restored', 'DROP EXTENSION apply_watermark CASCADE');
	ok($node->poll_query_until('restored', q{SELECT count(*) = 1 FROM pg_replication_slots}), 'DROP EXTENSION leaves no slot');
	return;
}
