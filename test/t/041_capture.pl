# What arrives of what is written: rows of committed transactions, in the order of
# the commits, laid out as their table is now.
#
# The rows have no rowtime, so that queries set them aside and keep them whole.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'max_prepared_transactions = 2',
  q{apply_watermark.decode_memory = '64kB'}, q{apply_watermark.batch_size = '64kB'}, q{work_mem = '64kB'},
  'allow_in_place_tablespaces = on', q{temp_tablespaces = 'elsewhere'};
$node->start;
$node->safe_psql('postgres', q{CREATE TABLESPACE elsewhere LOCATION ''});
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');

test_transactions();
test_names_and_columns();
test_alterations();
test_behind();
test_large();
test_partitions();
test_changes();
test_asynchronous_commit();
$node->stop;
done_testing();

# Queries over these tables, and no others, from now on.
sub queries
{
	my @tables = @_;
	my $n = 0;

	$node->safe_psql('postgres', 'SELECT watermark.drop_query(name) FROM watermark.queries');
	for my $table (@tables)
	{
		$n++;
		$node->safe_psql('postgres', "DROP TABLE IF EXISTS sink_$n");
		$node->safe_psql('postgres', qq{
			SELECT watermark.create_query('q$n', \$\$
				SELECT window_end, count(*) AS n FROM $table AS i, TUMBLE(i, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
				GROUP BY window_start, window_end\$\$, sink => 'sink_$n', with_history => false)});
	}
	forget();
	return;
}

# What has arrived so far does not count.
sub forget
{
	advance();
	$node->safe_psql('postgres', 'TRUNCATE watermark.late_row');
	return;
}

sub advance
{
	$node->safe_psql('postgres', 'SELECT watermark.advance()');
	return;
}

# The rows that have arrived at a query since, after SQL that is given.
sub arrives
{
	my ($sql, $expected, $label, $query) = @_;

	$query //= 'q1';
	$node->safe_psql('postgres', $sql);
	advance();
	is( $node->safe_psql('postgres', qq{
			SELECT source_row - 'ts' FROM watermark.late_row WHERE query = '$query' AND reason = 'null' ORDER BY ctid}),
		$expected, $label);
	forget();
	return;
}

sub test_transactions
{
	$node->safe_psql('postgres', 'CREATE TABLE t (id int, v text, ts timestamp, CHECK (watermark_for(ts, ts)))');
	queries('t');
	arrives(q{BEGIN; INSERT INTO t VALUES (1, 'a'); SAVEPOINT s; INSERT INTO t VALUES (2, 'b');
		ROLLBACK TO s; INSERT INTO t VALUES (3, NULL); SAVEPOINT r; INSERT INTO t VALUES (4, 'd'); RELEASE r; COMMIT;
		BEGIN; INSERT INTO t VALUES (5, 'e'); ROLLBACK},
		qq({"v": "a", "id": 1}\n{"v": null, "id": 3}\n{"v": "d", "id": 4}), 'what is rolled back does not arrive');
	arrives(q{BEGIN; INSERT INTO t VALUES (6); PREPARE TRANSACTION 'p'; INSERT INTO t VALUES (7); COMMIT PREPARED 'p'},
		qq({"v": null, "id": 7}\n{"v": null, "id": 6}), 'a prepared transaction arrives when it commits');

	my (undef, undef, $error) = $node->psql('postgres',
		q{BEGIN; SELECT watermark.pause_query('q1'); PREPARE TRANSACTION 'p'});
	like($error, qr/cannot prepare a transaction that has changed continuous queries/, 'queries are not changed in one');

	my $first = $node->background_psql('postgres');
	$first->query_safe('BEGIN; INSERT INTO t VALUES (8)');
	$node->safe_psql('postgres', 'INSERT INTO t VALUES (9)');
	advance();
	$first->query_safe('COMMIT');
	$first->quit;
	arrives('', qq({"v": null, "id": 9}\n{"v": null, "id": 8}), 'who began first and committed last, arrives last');
	arrives(q{BEGIN; INSERT INTO t VALUES (1); CREATE TEMP TABLE x (id int); INSERT INTO x VALUES (1); INSERT INTO t VALUES (2); COMMIT},
		qq({"v": null, "id": 1}\n{"v": null, "id": 2}), 'temporary tables are passed over');
	arrives(q{COPY t (id) FROM PROGRAM 'seq 1 2'}, qq({"v": null, "id": 1}\n{"v": null, "id": 2}), 'COPY arrives');
	return;
}

sub test_names_and_columns
{
	my $name = 'ü' x 31;

	$node->safe_psql('postgres', qq{
		CREATE SCHEMA "Od d";
		CREATE TABLE "Od d"."T""x" (a int, gone text, "B b" text, g int GENERATED ALWAYS AS (a * 2) STORED,
			"select" numeric DEFAULT 7, ts timestamp, CHECK (watermark_for(ts, ts)));
		ALTER TABLE "Od d"."T""x" DROP gone;
		CREATE TABLE "Od d"."$name" ("$name" int, ts timestamp, CHECK (watermark_for(ts, ts)));
		CREATE TYPE mood AS ENUM ('ok'); CREATE DOMAIN positive AS int CHECK (VALUE > 0);
		CREATE TYPE pair AS (a int, b text);
		CREATE TABLE typed (m mood, d positive, p pair, r int[], i interval, j jsonb, ts timestamp, CHECK (watermark_for(ts, ts)));
	});
	queries('"Od d"."T""x"', qq{"Od d"."$name"}, 'typed');
	arrives(q{INSERT INTO "Od d"."T""x" (a, "B b") VALUES (1, 'x')}, '{"a": 1, "g": 2, "B b": "x", "select": 7}',
		'odd names, a dropped and a generated column');
	arrives(qq{INSERT INTO "Od d"."$name" VALUES (5)}, qq({"$name": 5}), 'names as long as they may be', 'q2');
	arrives(q{INSERT INTO typed VALUES ('ok', 3, (1, 'z'), '{1,2}', '1 day', '{"k": [1]}')},
		'{"d": 3, "i": "1 day", "j": {"k": [1]}, "m": "ok", "p": {"a": 1, "b": "z"}, "r": [1, 2]}', 'types of all kinds', 'q3');
	return;
}

# Between rows of one transaction, which arrive in one batch.
sub test_alterations
{
	$node->safe_psql('postgres', 'CREATE TABLE a (id int, v text, ts timestamp, CHECK (watermark_for(ts, ts)))');
	queries('a');
	arrives(q{BEGIN; INSERT INTO a VALUES (1, 'x'); ALTER TABLE a ADD n int DEFAULT 7; INSERT INTO a VALUES (2, 'y', NULL, 8); COMMIT},
		qq({"n": 7, "v": "x", "id": 1}\n{"n": 8, "v": "y", "id": 2}), 'ADD COLUMN with a default');
	arrives(q{BEGIN; INSERT INTO a VALUES (3, 'z', NULL, 9); ALTER TABLE a DROP v; INSERT INTO a VALUES (4, NULL, 10); COMMIT},
		qq({"n": 9, "id": 3}\n{"n": 10, "id": 4}), 'DROP COLUMN');
	arrives(q{BEGIN; INSERT INTO a VALUES (5, NULL, 1); ALTER TABLE a RENAME n TO m; ALTER TABLE a RENAME TO b; INSERT INTO b VALUES (6, NULL, 2); COMMIT},
		qq({"m": 1, "id": 5}\n{"m": 2, "id": 6}), 'RENAME of a column and of the table');
	arrives(q{BEGIN; INSERT INTO b VALUES (7, NULL, 3); ALTER TABLE b DROP m; ALTER TABLE b ADD m text; INSERT INTO b VALUES (8, NULL, 'm'); COMMIT},
		qq({"m": null, "id": 7}\n{"m": "m", "id": 8}), 'DROP and ADD under the same name');
	arrives('VACUUM FULL b', '', 'VACUUM FULL brings no rows again');
	return;
}

# A worker that reads rows when their tables have long since changed: a lock on
# another table keeps it from reading.
sub test_behind
{
	$node->safe_psql('postgres', q{
		CREATE TABLE gate (id int, ts timestamp, CHECK (watermark_for(ts, ts)));
		CREATE TABLE c (id int, v text, ts timestamp, CHECK (watermark_for(ts, ts)));
		CREATE TABLE q (id int, v text, ts timestamp, CONSTRAINT w CHECK (watermark_for(ts, ts))) PARTITION BY LIST (id);
		CREATE TABLE p (v text, id int, ts timestamp, CONSTRAINT w CHECK (watermark_for(ts, ts)));
		ALTER TABLE q ATTACH PARTITION p FOR VALUES IN (1)});
	queries('gate', 'c', 'q');
	my $gate = $node->background_psql('postgres');
	$gate->query_safe('BEGIN; LOCK gate; INSERT INTO gate VALUES (1)');
	$node->safe_psql('postgres', $_) for
	  q{INSERT INTO c VALUES (1, 'a'); INSERT INTO q VALUES (1, 'x')},
	  q{ALTER TABLE c ADD n int DEFAULT 7; INSERT INTO c VALUES (2, 'b', NULL, 8)},
	  q{ALTER TABLE c DROP v; INSERT INTO c VALUES (3, NULL, 9)},
	  q{ALTER TABLE c RENAME TO d; ALTER TABLE d ADD v text; INSERT INTO d VALUES (4, NULL, 10, 'd')},
	  q{ALTER TABLE q DETACH PARTITION p; INSERT INTO p VALUES ('y', 1); ALTER TABLE p DROP v},
	  q{ALTER TABLE p ADD v text; ALTER TABLE q ATTACH PARTITION p FOR VALUES IN (1); INSERT INTO q VALUES (1, 'z')};
	$gate->query_safe('COMMIT');
	$gate->quit;
	advance();
	is($node->safe_psql('postgres', q{SELECT source_row - 'ts' FROM watermark.late_row WHERE query = 'q3' ORDER BY ctid}),
		qq({"v": "x", "id": 1}\n{"v": "z", "id": 1}), 'rows of a partition while it was one');
	arrives('', join("\n", map { qq({"n": $_->[0], "v": $_->[1], "id": $_->[2]}) }
			[ 7, 'null', 1 ], [ 8, 'null', 2 ], [ 9, 'null', 3 ], [ 10, '"d"', 4 ]),
		'rows of before each alteration', 'q2');
	$node->safe_psql('postgres', 'INSERT INTO q VALUES (1, NULL)');
	arrives('', '{"v": null, "id": 1}', 'and those after it', 'q3');
	return;
}

# Transactions that do not fit into the memory for decoding, and values of any size.
sub test_large
{
	$node->safe_psql('postgres', q{
		TRUNCATE t;
		CREATE TABLE big (id int, t text, u text, ts timestamp, CHECK (watermark_for(ts, ts)));
		ALTER TABLE big ALTER t SET STORAGE EXTERNAL});
	queries('big', 't');
	$node->safe_psql('postgres', q{
		BEGIN;
		INSERT INTO big SELECT i, repeat(chr(65 + i), 10000), (SELECT string_agg(md5((i * j)::text), '') FROM generate_series(1, 500) AS j)
		FROM generate_series(1, 20) AS i;
		INSERT INTO t SELECT i, md5(i::text) FROM generate_series(1, 20000) AS i;
		SAVEPOINT s;
		INSERT INTO t SELECT i FROM generate_series(1, 1000) AS i;
		ROLLBACK TO s;
		INSERT INTO big VALUES (21, NULL, 'short');
		COMMIT});
	advance();
	is($node->safe_psql('postgres', q{
			SELECT count(*) FROM (SELECT source_row FROM watermark.late_row WHERE query = 'q1' EXCEPT SELECT to_jsonb(big) FROM big) AS x}),
		0, 'values kept apart arrive whole');
	is($node->safe_psql('postgres', q{
			SELECT count(*), sum((source_row->>'v' = md5(n::text) AND (source_row->>'id')::int = n)::int)
			FROM (SELECT source_row, row_number() OVER (ORDER BY ctid) AS n FROM watermark.late_row WHERE query = 'q2') AS r}),
		'20000|20000', 'all rows of a large transaction arrive in order');
	is($node->safe_psql('postgres', 'SELECT sum(spill_txns) > 0 FROM pg_stat_replication_slots'), 't', 'it went to disk');
	is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_tablespace AS t, pg_ls_tmpdir(t.oid) WHERE spcname <> 'pg_global'}), 0,
		'no temporary file is left of it');
	forget();
	return;
}

sub test_partitions
{
	$node->safe_psql('postgres', q{
		CREATE TABLE r (id int, v text, ts timestamp, CONSTRAINT w CHECK (watermark_for(ts, ts))) PARTITION BY LIST (id);
		CREATE TABLE r1 PARTITION OF r FOR VALUES IN (1);
		CREATE TABLE r2 (v text, ts timestamp, junk int, id int, CONSTRAINT w CHECK (watermark_for(ts, ts)));
		ALTER TABLE r2 DROP junk;
		ALTER TABLE r ATTACH PARTITION r2 FOR VALUES IN (2);
		CREATE TABLE sub (ts timestamp, v text, id int, CONSTRAINT w CHECK (watermark_for(ts, ts))) PARTITION BY LIST (v);
		CREATE TABLE sub_a PARTITION OF sub FOR VALUES IN ('a');
		CREATE TABLE r3 (v text, id int, ts timestamp, CONSTRAINT w CHECK (watermark_for(ts, ts)));
	});
	queries('r');
	arrives(q{INSERT INTO r VALUES (1, 'one'), (2, 'two'); INSERT INTO r2 (v, id) VALUES ('direct', 2)},
		qq({"v": "one", "id": 1}\n{"v": "two", "id": 2}\n{"v": "direct", "id": 2}),
		'rows of partitions arrive as rows of the table, whatever their columns');
	arrives(q{INSERT INTO r3 VALUES ('before', 3); ALTER TABLE r ATTACH PARTITION r3 FOR VALUES IN (3);
		INSERT INTO r3 VALUES ('after', 3); INSERT INTO sub VALUES (NULL, 'a', 9)},
		'{"v": "after", "id": 3}', 'from ATTACH PARTITION on');
	arrives(q{BEGIN; INSERT INTO r VALUES (2, 'in'); ALTER TABLE r DETACH PARTITION r2; INSERT INTO r2 (v, id) VALUES ('out', 2);
		ALTER TABLE r ATTACH PARTITION sub FOR VALUES IN (9); INSERT INTO r VALUES (9, 'a'); COMMIT},
		qq({"v": "in", "id": 2}\n{"v": "a", "id": 9}), 'until DETACH, and of partitions of partitions');
	arrives(q{BEGIN; INSERT INTO r VALUES (9, 'a'); ALTER TABLE r RENAME v TO w; ALTER TABLE r ADD v int;
		INSERT INTO r VALUES (9, 'a', NULL, 4); COMMIT},
		qq({"v": null, "w": "a", "id": 9}\n{"v": 4, "w": "a", "id": 9}), 'after RENAME of a column in all of them');
	return;
}

sub test_changes
{
	my $counts = 'SELECT rows_in, n_updates, n_deletes, n_truncates FROM watermark.streams WHERE query = ';

	$node->safe_psql('postgres', 'CREATE TABLE k (id int PRIMARY KEY, v text, ts timestamp, CHECK (watermark_for(ts, ts)))');
	queries('r', 'k', 't');
	$node->safe_psql('postgres', q{
		INSERT INTO k SELECT i FROM generate_series(1, 5) AS i;
		UPDATE k SET v = 'x' WHERE id < 4; UPDATE k SET id = 9 WHERE id = 5; DELETE FROM k WHERE id < 3;
		INSERT INTO k VALUES (9) ON CONFLICT DO NOTHING;
		INSERT INTO k VALUES (9) ON CONFLICT (id) DO UPDATE SET v = 'y';
		UPDATE r SET w = 'b' WHERE id = 1; DELETE FROM r WHERE id = 9; TRUNCATE r; TRUNCATE k, t});
	advance();
	is($node->safe_psql('postgres', "$counts 'q2'"), '5|5|2|1', 'updates, deletes and truncates are counted');
	is($node->safe_psql('postgres', "$counts 'q1'"), '0|1|4|1', 'of partitions too, a TRUNCATE once');
	is($node->safe_psql('postgres', "$counts 'q3'"), '0|0|0|1', 'and of tables without a key');
	return;
}

# Nobody is woken, or too early; the worker looks by itself.
sub test_asynchronous_commit
{
	queries('t');
	$node->safe_psql('postgres', 'SET synchronous_commit = off; INSERT INTO t VALUES (1), (2)');
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 2 FROM watermark.late_row'),
		'an asynchronous commit arrives');
	$node->safe_psql('postgres', 'SET synchronous_commit = off; INSERT INTO t VALUES (3); SELECT watermark.advance()');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM watermark.late_row'), 3, 'and is waited for');
	return;
}
