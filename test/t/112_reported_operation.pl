# What users of such systems have reported, as small inputs with the right answers:
# changes of tables, owners, dumps.  The numbers are those of the collection of reports.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

test_each(
	[ 'changes of the table', \&test_table ],
	[ 'an owner who goes', \&test_owner ],
	[ 'a dump in parts', \&test_dump ]);

# B54: the table can be changed, but not below the query; an INSERT never fails.
sub test_table
{
	sql(q{CREATE SCHEMA "Ünï s"}, q{CREATE TABLE "Ünï s"."Order" ("ID" int, "select" text, other int, "order time" timestamp,
		CHECK (watermark_for("order time", "order time")))});
	query('Odd q', q{SELECT window_start, "select", count("ID") AS "N n" FROM "Ünï s"."Order" AS "o O",
		TUMBLE("o O", DESCRIPTOR("order time"), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, "select"}, q{, sink => '"Odd sink"'});
	my $insert = q{INSERT INTO %s VALUES (1, 'x', %s'2024-01-01 10:0%d')};
	sql(sprintf $insert, '"Ünï s"."Order"', '1, ', 0);
	refuses('DROP of a column that is read', q{ALTER TABLE "Ünï s"."Order" DROP "ID"}, qr/depends on column ID of/);
	refuses('another type for it', q{ALTER TABLE "Ünï s"."Order" ALTER "ID" TYPE bigint}, qr/cannot alter type of a column used by a view/);
	refuses('DROP of the rowtime', q{ALTER TABLE "Ünï s"."Order" DROP "order time"}, qr/depends on column order time of/);
	sql(q{ALTER SCHEMA "Ünï s" RENAME TO moved}, q{ALTER TABLE moved."Order" RENAME "ID" TO id}, q{ALTER TABLE moved."Order" RENAME TO "group"},
		q{ALTER TABLE moved."group" DROP other}, q{ALTER TABLE "Odd sink" RENAME TO sunk});
	sql(sprintf $insert, 'moved."group"', '', 1);
	advance();
	is(sql('TABLE sunk'), '2024-01-01 10:00:00|x|1', 'renames are followed, odd names and all');

	# A sink that refuses results, a source that loses its watermark: the rows come in.
	sql('ALTER TABLE sunk ADD CHECK (false) NOT VALID', sprintf($insert, 'moved."group"', '', 2));
	advance();
	is(sql('SELECT count(*) FROM moved."group"'), 3, 'an INSERT does not fail when the query does');
	like(sql('SELECT error FROM watermark.queries'), qr/violates check constraint/, 'the error is with the query');
	sql(q{SELECT drop_watermark('moved."group"')}, sprintf($insert, 'moved."group"', '', 3));
	is(sql('SELECT count(*) FROM moved."group"'), 4, 'nor when the definition is gone');
	return;
}

# B60: a role that owns a query cannot go before it; if all that it owns goes, so does
# the query, and the worker stays.
sub test_owner
{
	sql('CREATE ROLE leaver', 'CREATE SCHEMA leaver AUTHORIZATION leaver', 'GRANT EXECUTE ON FUNCTION watermark.create_query TO leaver');
	sql('SET ROLE leaver', 'SET search_path = leaver, public', 'CREATE TABLE e (v int, ts timestamp, CHECK (watermark_for(ts, ts)))',
		sprintf(q{SELECT watermark.create_query('theirs', $q$%s$q$)}, sprintf $PER_MINUTE, 'e'));
	stream('stays');
	per_minute('stays_q', 'stays');
	refuses('DROP ROLE of the owner', 'DROP ROLE leaver', qr/cannot be dropped because some objects depend on it/);
	sql('SET client_min_messages = error', 'DROP OWNED BY leaver CASCADE', 'DROP ROLE leaver');
	arrive('stays', '10:00:10', '10:01:10');
	is(published('stays_q'), '10:00:00=1', 'other queries go on');
	is(sql('SELECT name FROM watermark.queries'), 'stays_q', 'its query has gone with it');
	return;
}

# B58: queries, counts and late rows come with a dump, also in its parallel form; a
# dump of the schema alone has none.
sub test_dump
{
	my $dir = PostgreSQL::Test::Utils::tempdir;

	stream('dumped');
	per_minute('dumped_q', 'dumped');
	arrive('dumped', '10:00:10', '10:00:20', '10:01:30');
	arrive('dumped', '10:00:30');
	command_ok([ 'pg_dump', '--no-sync', '-Fd', '-j2', '-d', $node->connstr('postgres'), '-f', "$dir/whole" ], 'pg_dump of all');
	command_ok([ 'pg_dump', '--no-sync', '-Fc', '-s', '-d', $node->connstr('postgres'), '-f', "$dir/schema" ], 'and of the schema');
	$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(whole schema);
	command_ok([ 'pg_restore', '-e', @{ $_->[1] }, '-d', $node->connstr($_->[0]), "$dir/$_->[0]" ], "pg_restore of $_->[0]")
	  for [ 'whole', ['-j2'] ], [ 'schema', [] ];

	is($node->safe_psql('whole', q{SELECT watermark.advance(); SELECT name, state FROM watermark.queries; SELECT * FROM watermark.audit('dumped_q');
			SELECT source_row->>'ts' FROM watermark.late_rows; SELECT window_start, n FROM dumped_q}),
		"\ndumped_q|failed\n2|1|1|0|4|t\n2024-01-01T10:00:30\n2024-01-01 10:00:00|2", 'counts, late rows and results are there');
	is($node->safe_psql('schema', 'SELECT count(*) FROM watermark.queries'), 0, 'the schema has no queries');
	for my $database (qw(whole schema))
	{
		$node->safe_psql($database, sprintf q{
			SELECT watermark.drop_query(name) FROM watermark.queries;
			DROP TABLE dumped_q; SELECT watermark.create_query('dumped_q', $q$%s$q$)}, sprintf $PER_MINUTE, 'dumped');
		$node->safe_psql($database, q{INSERT INTO dumped (ts) VALUES ('2024-01-01 10:03'), ('2024-01-01 10:04:10')});
		$node->safe_psql($database, 'SELECT watermark.advance()');
		is($node->safe_psql($database, 'SELECT sum(n) + (SELECT open FROM watermark.audit($$dumped_q$$)) = (SELECT count(*) FROM dumped) FROM dumped_q'), 't',
			"$database: the query can be created again, over what is there");
		$node->safe_psql('postgres', "DROP DATABASE $database");
	}
	return;
}
