# UPDATE, DELETE and TRUNCATE of a source are counted and change no result, or stop the
# query; by whatever statement, in partitions, of values that are kept apart.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each(
	[ 'a table', \&test_table ],
	[ 'statements that insert or change', \&test_merge ],
	[ 'partitions', \&test_partitions ],
	[ 'values that are kept apart', \&test_toast ],
	[ 'a query that is stopped', \&test_stop ]);

# A table of rows (id, v, ts), and a query that counts them by the minute.
sub begin
{
	my ($name, $options, $after) = @_;

	sql(sprintf q{CREATE TABLE %s (id int, k text DEFAULT 'a', v int DEFAULT 1, ts timestamp DEFAULT '2024-01-01 10:00', CHECK (watermark_for(ts, ts))%s) %s},
		$name, $options // '', $after // '');
	return;
}

sub watch
{
	my ($name, $options) = @_;

	query("of_$name", sprintf($PER_MINUTE, $name), $options);
	return;
}

# rows in / updates / deletes / truncates
sub counted
{
	my ($name) = @_;

	return sql("SELECT concat_ws('/', rows_in, n_updates, n_deletes, n_truncates) || coalesce(error, '') FROM watermark.streams WHERE query = 'of_$name'");
}

sub closes
{
	my ($name) = @_;

	take_in("INSERT INTO $name (id, ts) VALUES (0, '2024-01-01 10:01')");
	return sql("SELECT n || '/' || s FROM of_$name");
}

sub test_table
{
	begin('plain');
	watch('plain');
	sql('INSERT INTO plain (id) VALUES (1), (2), (3)');
	take_in('UPDATE plain SET v = 10 WHERE id < 3');
	is(counted('plain'), '3/2/0/0', 'UPDATE, of a table without a key');
	take_in('DELETE FROM plain WHERE id = 3');
	is(counted('plain'), '3/2/1/0', 'DELETE');
	take_in('BEGIN', 'UPDATE plain SET v = 11', 'SAVEPOINT s', 'DELETE FROM plain', 'ROLLBACK TO s', 'SELECT * FROM plain FOR UPDATE', 'COMMIT');
	is(counted('plain'), '3/4/1/0', 'not what is rolled back, nor locks of rows');
	take_in('ALTER TABLE plain REPLICA IDENTITY NOTHING', 'UPDATE plain SET id = 7', 'ALTER TABLE plain REPLICA IDENTITY FULL', 'DELETE FROM plain');
	is(counted('plain'), '3/6/3/0', 'whatever the identity of rows is');
	take_in('TRUNCATE plain', 'BEGIN', 'TRUNCATE plain', 'ROLLBACK');
	is(counted('plain'), '3/6/3/1', 'TRUNCATE');
	take_in('BEGIN', 'INSERT INTO plain (id) VALUES (4)', 'TRUNCATE plain', 'INSERT INTO plain (id) VALUES (5)', 'COMMIT');
	is(counted('plain'), '5/6/3/2', 'rows of the transaction that truncates are in');
	is(closes('plain'), '5/5', 'results are those of the rows as they came');
	return;
}

# What comes of a statement that inserts, updates or deletes, depending on the row.
sub test_merge
{
	begin('merged', ', PRIMARY KEY (id)');
	watch('merged');
	my $upsert = 'INSERT INTO merged (id, v) SELECT i, 2 FROM generate_series(%d, %d) AS i ON CONFLICT (id) DO %s';

	take_in(sprintf $upsert, 1, 3, 'NOTHING');
	is(counted('merged'), '3/0/0/0', 'INSERT that meets no other row');
	take_in(sprintf $upsert, 2, 4, 'NOTHING');
	is(counted('merged'), '4/0/0/0', 'ON CONFLICT DO NOTHING');
	take_in(sprintf $upsert, 3, 6, 'UPDATE SET v = 100');
	is(counted('merged'), '6/2/0/0', 'ON CONFLICT DO UPDATE');
	take_in(sprintf $upsert, 1, 6, 'UPDATE SET v = 100 WHERE merged.id = 1');
	is(counted('merged'), '6/3/0/0', 'with a condition');
	take_in(q{MERGE INTO merged AS m USING generate_series(5, 8) AS i ON m.id = i
		WHEN MATCHED AND i = 5 THEN DELETE WHEN MATCHED THEN UPDATE SET v = 7 WHEN NOT MATCHED THEN INSERT (id, v) VALUES (i, 3)});
	is(counted('merged'), '8/4/1/0', 'MERGE');
	take_in('BEGIN', sprintf($upsert, 20, 29, 'NOTHING'), 'ROLLBACK', 'WITH gone AS (DELETE FROM merged WHERE id = 8 RETURNING *) INSERT INTO merged SELECT id + 100, k, v, ts FROM gone');
	is(counted('merged'), '9/4/2/0', 'a row that is deleted and inserted in one statement');
	is(closes('merged'), '9/21', 'each row that came counts, with the value that it came with');
	return;
}

sub test_partitions
{
	begin('parted', ', PRIMARY KEY (k, id)', 'PARTITION BY LIST (k)');
	sql(q{CREATE TABLE parted_a PARTITION OF parted FOR VALUES IN ('a')},
		q{CREATE TABLE parted_b PARTITION OF parted FOR VALUES IN ('b') PARTITION BY RANGE (id)}, 'CREATE TABLE parted_b1 PARTITION OF parted_b FOR VALUES FROM (0) TO (100)');
	begin('other', ', PRIMARY KEY (id)');
	watch($_) for qw(parted other);
	take_in(q{INSERT INTO parted (id, k) SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END FROM generate_series(1, 6) AS i});
	take_in('UPDATE parted SET v = 5', 'DELETE FROM parted_b WHERE id = 1');
	is(counted('parted'), '6/6/1/0', 'UPDATE and DELETE above and below');
	take_in(q{UPDATE parted SET k = 'b' WHERE id = 2});
	is(counted('parted'), '7/6/2/0', 'UPDATE to another partition is DELETE and INSERT');
	take_in(q{INSERT INTO parted (id, k) VALUES (4, 'a'), (8, 'a') ON CONFLICT (k, id) DO UPDATE SET v = 9});
	is(counted('parted'), '8/7/2/0', 'ON CONFLICT DO UPDATE');
	take_in('TRUNCATE parted_b1');
	take_in('TRUNCATE parted, other');
	is(counted('parted') . ' ' . counted('other'), '8/7/2/2 0/0/0/1', 'TRUNCATE of a partition, and of all together with another table');
	is(closes('parted'), '8/12', 'results are those of the rows as they came');
	return;
}

# Of a value that is kept apart and not changed, the WAL of an UPDATE has nothing.
sub test_toast
{
	sql(q{CREATE TABLE wide (id int, k text, v int, body text, ts timestamp DEFAULT '2024-01-01 10:00', CHECK (watermark_for(ts, ts)), PRIMARY KEY (id, k)) PARTITION BY LIST (k)},
		map({ ("CREATE TABLE wide_$_ PARTITION OF wide FOR VALUES IN ('$_')", "ALTER TABLE wide_$_ ALTER body SET STORAGE EXTERNAL") } qw(a b)));
	query('of_wide', q{SELECT window_start, count(*) AS n, sum(length(body)) AS s, min(md5(body)) AS least, max(md5(body)) AS most FROM wide AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end});
	take_in(q{INSERT INTO wide (id, k, v, body) SELECT i, 'a', i, repeat('x', 100000) FROM generate_series(1, 3) AS i});
	take_in('UPDATE wide SET v = 7', q{INSERT INTO wide (id, k, v, body) VALUES (3, 'a', 1, '') ON CONFLICT (id, k) DO UPDATE SET v = 8});
	take_in(q{UPDATE wide SET k = 'b' WHERE id = 2});
	take_in('DELETE FROM wide WHERE id = 3');
	is(counted('wide'), '4/4/2/0', 'changes are counted');
	sql(q{INSERT INTO wide (id, k, body, ts) VALUES (0, 'a', '', '2024-01-01 10:01'), (0, 'b', repeat('y', 100000), '2024-01-01 10:00')});
	advance();
	is(sql('SELECT n, s, least = md5(repeat($$x$$, 100000)) OR most = md5(repeat($$x$$, 100000)) FROM of_wide'), '5|500000|t', 'values are whole, also of a row that was moved');
	return;
}

# One query is stopped by the first change, and stays so; another goes on.
sub test_stop
{
	my %changes = (
		UPDATE => 'UPDATE %s SET v = 2 WHERE id = 1',
		DELETE => 'DELETE FROM %s WHERE id = 1',
		TRUNCATE => 'TRUNCATE %s',
		'DO UPDATE' => 'INSERT INTO %s (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET v = 2',
		'UPDATE in a subtransaction' => 'BEGIN; SAVEPOINT s; UPDATE %s SET v = 2; RELEASE s; COMMIT');
	my $n = 0;

	for my $change (sort keys %changes)
	{
		my $name = 'stopped' . ++$n;

		begin($name, ', PRIMARY KEY (id)');
		sql("INSERT INTO $name (id) VALUES (1), (2)");
		watch($name, q{, on_change => 'stop'});
		query("beside_$name", sprintf $PER_MINUTE, $name);
		take_in("INSERT INTO $name (id) VALUES (1), (3) ON CONFLICT (id) DO NOTHING", "UPDATE $name SET v = 3 WHERE id = 99", "DELETE FROM $name WHERE id = 99");
		is(counted($name), '3/0/0/0', "before $change: statements that change no row do not stop it");
		take_in(sprintf $changes{$change}, $name);
		is(sql("SELECT state, error FROM watermark.queries WHERE name = 'of_$name'"), 'failed|rows of the source were changed or deleted', "$change stops it");
		take_in(qq{SELECT watermark.resume_query('of_$name')});
		is(sql("SELECT state FROM watermark.queries WHERE name = 'of_$name'"), 'failed', 'for good');
		take_in("INSERT INTO $name (id, ts) VALUES (0, '2024-01-01 10:01')");
		is(sql("SELECT (SELECT n FROM beside_$name), (SELECT count(*) FROM of_$name)"), '3|0', 'another query goes on');
	}
	return;
}
