# A continuous query sees what its owner may see, at every moment, and makes a table
# of its results.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', $_)
  for 'wal_level = logical', q{shared_preload_libraries = 'apply_watermark'}, 'autovacuum = off', q{timezone = 'UTC'};
$node->start;
sql(q{
	CREATE EXTENSION apply_watermark;
	CREATE ROLE maker; CREATE ROLE lender;
	GRANT CREATE ON SCHEMA public TO maker, lender;
	GRANT EXECUTE ON FUNCTION watermark.create_query TO maker;
	CREATE TABLE event (id int GENERATED ALWAYS AS IDENTITY, k int, secret text DEFAULT 'secret', ts timestamp, CHECK (watermark_for(ts, ts)));
	CREATE VIEW lent AS SELECT k, ts FROM event; ALTER VIEW lent OWNER TO lender;
	GRANT SELECT ON event TO lender; GRANT SELECT ON lent TO maker; GRANT SELECT (id, k) ON event TO maker});

subtest('columns that the owner does not see', \&test_columns);
subtest('policies of row security', \&test_policies);
subtest('a right that is revoked and granted', \&test_revoked);
subtest('the table of results', \&test_sink);
$node->stop;
done_testing();

sub sql
{
	return $node->safe_psql('postgres', join ';', @_);
}

sub create
{
	my ($name, $source) = @_;

	sql('SET ROLE maker', qq{SELECT watermark.create_query('$name', 'SELECT window_start, k, count(*) AS n FROM $source AS e,
		TUMBLE(e, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE) GROUP BY window_start, window_end, k')});
	advance();
	return;
}

sub arrive
{
	my (@rows) = @_;

	sql('INSERT INTO event (k, ts) VALUES ' . join ', ', map { "($_->[0], " . (defined $_->[1] ? "'2024-01-01 $_->[1]'" : 'NULL') . ')' } @rows);
	advance();
	return;
}

sub advance
{
	sql('SELECT watermark.advance()');
	return;
}

sub drop
{
	sql(q{SELECT watermark.drop_query(name) FROM watermark.queries}, 'TRUNCATE event RESTART IDENTITY');
	return;
}

sub late_rows
{
	return sql('SET ROLE maker', q{SELECT reason, source_row FROM watermark.late_rows ORDER BY query, (source_row->>'id')::int});
}

# A view lends what is behind it to the query, but not the rows themselves.
sub test_columns
{
	create('through_view', 'lent');
	arrive([ 1, '10:00' ], [ 1, undef ], [ 1, '10:02' ]);
	arrive([ 2, '10:01' ]);
	is(sql('TABLE through_view'), '2024-01-01 10:00:00|1|1', 'windows are those of the view');
	is(late_rows(), qq{null|{"k": 1, "id": 2}\nlate|{"k": 2, "id": 4}}, 'late rows have the columns that the owner may read');
	sql('GRANT SELECT ON event TO maker');
	arrive([ 3, '10:01' ]);
	is(sql(q{SELECT source_row->>'secret' FROM watermark.late_rows WHERE source_row->>'k' = '3'}), 'secret', 'all, if it may read all');
	drop();
	return;
}

sub test_policies
{
	sql('ALTER TABLE event ENABLE ROW LEVEL SECURITY', 'CREATE POLICY few ON event TO maker USING (k < 3)',
		'CREATE POLICY most ON event TO lender USING (k < 9)');
	sql(q{INSERT INTO event (k, ts) SELECT k, '2024-01-01 10:00' FROM generate_series(1, 10) AS k});
	create('few', 'event');
	create('most', 'lent');
	arrive([ 1, '10:01' ], [ 5, '10:01' ]);
	is(sql(q{SELECT count(*), sum(n) FROM few WHERE window_start = '2024-01-01 10:00'}), '2|2', 'those of the owner');
	is(sql(q{SELECT count(*), sum(n) FROM most WHERE window_start = '2024-01-01 10:00'}), '8|8', 'or of the owner of the view');

	arrive([ 5, '10:09' ], [ 5, undef ], [ 5, '10:00' ]);
	is(sql(q{SELECT rows_in, late, set_aside FROM watermark.audit('few')}), '3|0|0', 'rows that are not seen are not counted');
	is(sql(q{SELECT watermark FROM watermark.streams WHERE query = 'few'}), '2024-01-01 10:01:00', 'and move no watermark');
	is(sql(q{SELECT count(*) FROM watermark.late_rows WHERE query = 'few'}), 0, 'nor are they kept');

	sql('ALTER POLICY few ON event USING (k < 6)');
	arrive([ 5, '10:02' ], [ 6, '10:04' ]);
	is(sql(q{SELECT window_start, k FROM few WHERE window_start > '2024-01-01 10:00'}), '2024-01-01 10:01:00|1', 'a policy that is changed holds at once');
	sql('ALTER TABLE event DISABLE ROW LEVEL SECURITY', 'DROP POLICY few ON event', 'DROP POLICY most ON event');
	drop();
	return;
}

sub test_revoked
{
	create('loses', 'event');
	arrive([ 1, '10:00' ]);
	sql('REVOKE ALL ON event FROM maker');
	arrive([ 1, '10:00:30' ], [ 1, '10:01' ]);
	is(sql('SELECT error FROM watermark.queries'), 'permission denied for table event', 'is an error of the query');
	sql('GRANT SELECT ON event TO maker', q{SELECT watermark.resume_query('loses')});
	advance();
	is(sql('TABLE loses'), '2024-01-01 10:00:00|1|2', 'after which nothing is missing');
	is(sql('SELECT error FROM watermark.queries'), '', 'and the error is gone');

	sql('REVOKE INSERT ON loses FROM maker');
	arrive([ 1, '10:02' ]);
	is(sql('SELECT error FROM watermark.queries'), 'permission denied for table loses', 'so is a right to the results');
	sql('GRANT INSERT ON loses TO maker', q{SELECT watermark.resume_query('loses')});
	advance();
	is(sql('SELECT count(*), max(n) FROM loses'), '2|2', 'they are published once');
	drop();
	return;
}

sub test_sink
{
	sql('CREATE TABLE zoned (ts timestamptz(2), "Key" varchar(7) COLLATE "POSIX", v numeric(10,2), CHECK (watermark_for(ts, ts)))');
	sql(q{SELECT watermark.create_query('made', 'SELECT window_start AS "Start", window_end, window_time, "Key", max("Key" COLLATE "C") AS other, sum(v),
		max(v) AS most FROM zoned AS z, TUMBLE(z, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE) GROUP BY window_start, window_end, window_time, "Key"')});
	is(sql(q{SELECT attname, format_type(atttypid, atttypmod), attcollation::regcollation FROM pg_attribute WHERE attrelid = 'made'::regclass AND attnum > 0
			ORDER BY attnum}), <<~'END' =~ s/\n\z//r, 'has the names, types and collations of the query');
		Start|timestamp(2) with time zone|-
		window_end|timestamp(2) with time zone|-
		window_time|timestamp(3) with time zone|-
		Key|character varying(7)|"POSIX"
		other|text|"C"
		sum|numeric|-
		most|numeric|-
		END
	is(sql(q{SELECT tableowner FROM pg_tables WHERE tablename = 'loses'}), 'maker', 'and belongs to the owner of the query');
	drop();
	return;
}
