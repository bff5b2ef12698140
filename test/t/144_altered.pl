# What is altered below a query, while rows are on their way: between transactions, and
# inside of one that writes.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my $BY_KEY = q{
	SELECT window_start, k, count(*) AS n, sum(v) AS s FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	GROUP BY window_start, window_end, k};

test_each(
	[ 'another type for a column that is not read', \&test_type ],
	[ 'another type for a column of a tracked stream', \&test_tracked_type ],
	[ 'another type before a query is created', \&test_type_before ],
	[ 'changes in the transaction that writes', \&test_inside ],
	[ 'partitions that come and go', \&test_partitions ]);

sub rows
{
	my ($name) = @_;

	return sql("SELECT string_agg(concat_ws('/', window_start::time, k, n, s), ' ' ORDER BY window_start, k) FROM $name");
}

sub errors
{
	return sql('SELECT string_agg(error, $$; $$) FROM watermark.queries');
}

# Rows that no query has read when the table is altered; one is late, and kept
# without the value that it had.
sub test_type
{
	sql('CREATE TABLE typed (k text, v int, other text, ts timestamp, CHECK (watermark_for(ts, ts)))',
		'CREATE TABLE item (k text, category text)', q{INSERT INTO item VALUES ('a', 'x')});
	query('of_typed', sprintf $BY_KEY, 'typed');
	query('of_joined', q{SELECT window_start, category AS k, count(*) AS n FROM (typed JOIN item USING (k)) AS j,
		TUMBLE(j, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, category});
	sql(q{INSERT INTO typed VALUES ('a', 1, '11', '2024-01-01 10:00')});
	advance();
	sql('SELECT watermark.pause_query(name) FROM watermark.queries');
	advance();
	sql(q{BEGIN}, q{INSERT INTO typed VALUES ('a', 2, '12', '2024-01-01 10:00'), ('a', 3, '13', '2024-01-01 10:01')}, 'COMMIT',
		q{INSERT INTO typed VALUES ('late', 4, '14', '2024-01-01 10:00')},
		'ALTER TABLE typed ALTER other TYPE int USING other::int',
		q{INSERT INTO typed VALUES ('late', 5, 15, '2024-01-01 10:00')},
		'BEGIN', q{INSERT INTO typed VALUES ('a', 6, 16, '2024-01-01 10:01')}, 'ALTER TABLE typed ALTER other TYPE numeric', 'ALTER TABLE typed ADD more int DEFAULT 7',
		q{INSERT INTO typed VALUES ('a', 7, 17, '2024-01-01 10:02')}, 'COMMIT', 'SELECT watermark.resume_query(name) FROM watermark.queries');
	advance();
	is(errors(), '', 'nobody minds');
	is(rows('of_typed'), '10:00:00/a/2/3 10:01:00/a/2/9', 'all rows count');
	is(sql('SELECT window_start::time, k, n FROM of_joined ORDER BY 1'), "10:00:00|x|2\n10:01:00|x|2", 'in a query with a join, too');
	like(sql(q{SELECT source_row FROM watermark.late_rows WHERE query = 'of_typed' AND source_row->>'v' = '4'}), qr/"k": "late".*"other": null/,
		'what was another type is kept as NULL');
	refuses('another type for a column that is read', 'ALTER TABLE typed ALTER v TYPE bigint', qr/cannot alter type of a column used by a view/);
	return;
}

# The view of a tracked stream is in nobody's way, but what it reads must be there.
sub test_tracked_type
{
	sql('CREATE TABLE traced (v int, other text, ts timestamp, CHECK (watermark_for(ts, ts - v * INTERVAL $$1$$ SECOND)))', q{SELECT watermark.track('traced')});
	advance();
	sql('BEGIN', q{INSERT INTO traced VALUES (1, '1', '2024-01-01 10:00')}, 'ALTER TABLE traced ALTER other TYPE int USING 1', 'COMMIT',
		q{INSERT INTO traced VALUES (2, 2, '2024-01-01 10:01')});
	advance();
	is(tracked('traced', 'watermark, rows_in, error'), '2024-01-01 10:00:58|2|', 'one that is not read');
	sql('BEGIN', q{INSERT INTO traced VALUES (3, 3, '2024-01-01 10:02')}, 'ALTER TABLE traced ALTER v TYPE bigint', 'COMMIT');
	advance();
	is(tracked('traced', 'error'), 'a column of the source has changed its type while rows were on their way', 'one that is read ends it');
	return;
}

# Rows of before that the worker has not read are history to a new query, which may read
# the column.
sub test_type_before
{
	sql('CREATE TABLE earlier (k text, v text, ts timestamp, CHECK (watermark_for(ts, ts)))');
	query('of_times', q{SELECT window_start, count(*) AS n FROM earlier AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end});
	$node->append_conf('postgresql.conf', 'apply_watermark.coalesce_delay = 3s');
	$node->reload;
	advance();
	sql(q{INSERT INTO earlier VALUES ('a', '1', '2024-01-01 10:00')}, 'ALTER TABLE earlier ALTER v TYPE int USING v::int',
		sprintf(q{SELECT watermark.create_query('of_earlier', $$%s$$)}, sprintf $BY_KEY, 'earlier'),
		q{INSERT INTO earlier VALUES ('a', 2, '2024-01-01 10:00'), ('a', 3, '2024-01-01 10:01')});
	advance();
	$node->append_conf('postgresql.conf', 'apply_watermark.coalesce_delay = 0');
	$node->reload;
	is(errors(), '', 'none has failed');
	is(rows('of_earlier'), '10:00:00/a/2/3', 'the new query');
	is(published('of_times'), '10:00:00=2', 'the old one');
	return;
}

# Names change between rows of one transaction: of columns, table, schema, sink.
sub test_inside
{
	sql('CREATE SCHEMA old', 'CREATE TABLE old.one (k text, v int, other text, ts timestamp, CHECK (watermark_for(ts, ts)))');
	query('of_one', sprintf $BY_KEY, 'old.one');
	sql('BEGIN', q{INSERT INTO old.one VALUES ('a', 1, '', '2024-01-01 10:00')},
		'ALTER TABLE old.one RENAME v TO w', q{INSERT INTO old.one VALUES ('a', 2, '', '2024-01-01 10:00')},
		'ALTER TABLE old.one RENAME TO two', q{INSERT INTO old.two VALUES ('a', 3, '', '2024-01-01 10:00')},
		'ALTER SCHEMA old RENAME TO new', q{INSERT INTO new.two VALUES ('a', 4, '', '2024-01-01 10:00')},
		'ALTER TABLE new.two DROP other', q{INSERT INTO new.two VALUES ('a', 5, '2024-01-01 10:00')},
		'ALTER TABLE new.two RENAME k TO v', q{INSERT INTO new.two VALUES ('a', 6, '2024-01-01 10:00')},
		'ALTER TABLE new.two SET SCHEMA public', q{INSERT INTO two VALUES ('a', 7, '2024-01-01 10:00')},
		'ALTER TABLE of_one RENAME TO sunk', 'ALTER TABLE sunk RENAME k TO key', 'ALTER TABLE sunk RENAME key TO k',
		'SAVEPOINT s', 'ALTER TABLE two RENAME TO three', q{INSERT INTO three VALUES ('a', 100, '2024-01-01 10:00')}, 'ROLLBACK TO s',
		q{INSERT INTO two VALUES ('a', 8, '2024-01-01 10:01')}, 'COMMIT');
	advance();
	is(errors() . rows('sunk'), '10:00:00/a/7/28', 'all rows count, and those that were rolled back do not');
	return;
}

# A row counts if its table was a partition when it was written.
sub test_partitions
{
	sql('CREATE TABLE parted (k text, v int, ts timestamp, CHECK (watermark_for(ts, ts))) PARTITION BY LIST (k)',
		q{CREATE TABLE parted_a PARTITION OF parted FOR VALUES IN ('a')},
		'CREATE TABLE parted_b (other int, v int, ts timestamp, k text, CONSTRAINT parted_ts_check CHECK (watermark_for(ts, ts)))', 'ALTER TABLE parted_b DROP other');
	query('of_parted', sprintf $BY_KEY, 'parted');
	sql(q{INSERT INTO parted VALUES ('a', 1, '2024-01-01 10:00')},
		q{INSERT INTO parted_b VALUES (10, '2024-01-01 10:00', 'b')},
		'BEGIN', q{INSERT INTO parted_b VALUES (20, '2024-01-01 10:00', 'b')}, q{ALTER TABLE parted ATTACH PARTITION parted_b FOR VALUES IN ('b')},
		q{INSERT INTO parted_b VALUES (30, '2024-01-01 10:00', 'b')}, q{INSERT INTO parted VALUES ('b', 40, '2024-01-01 10:00')}, 'COMMIT',
		q{INSERT INTO parted VALUES ('b', 50, '2024-01-01 10:00'), ('a', 2, '2024-01-01 10:00')},
		'BEGIN', q{INSERT INTO parted_b VALUES (60, '2024-01-01 10:00', 'b')}, 'ALTER TABLE parted DETACH PARTITION parted_b',
		q{INSERT INTO parted_b VALUES (70, '2024-01-01 10:00', 'b')}, 'COMMIT',
		q{INSERT INTO parted_b VALUES (80, '2024-01-01 10:00', 'b')},
		q{INSERT INTO parted VALUES ('a', 3, '2024-01-01 10:01')});
	advance();
	is(errors() . rows('of_parted'), '10:00:00/a/2/3 10:00:00/b/4/180', 'a row counts as its table was when it was written');
	sql(q{ALTER TABLE parted ATTACH PARTITION parted_b FOR VALUES IN ('b')}, 'ALTER TABLE parted RENAME v TO w', 'DROP TABLE parted_a',
		q{INSERT INTO parted_b VALUES (1, '2024-01-01 10:01', 'b')}, q{INSERT INTO parted VALUES ('b', 2, '2024-01-01 10:02')});
	advance();
	is(errors() . rows('of_parted'), '10:00:00/a/2/3 10:00:00/b/4/180 10:01:00/a/1/3 10:01:00/b/1/1', 'and again, renamed, when another has gone');
	return;
}
