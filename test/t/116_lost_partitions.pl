# Rows of tables that are unlogged or foreign are not in the WAL: a query over them is
# refused, and they are refused below a query.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each(
	[ 'at creation', \&test_creation ],
	[ 'a partition that is added', \&test_added ],
	[ 'a partition that becomes unlogged', \&test_altered ],
	[ 'partitions that come and go', \&test_ordinary ]);

sub make_stream
{
	my ($name) = @_;

	sql(qq{CREATE TABLE $name (k int, v int, ts timestamp, CHECK (watermark_for(ts, ts))) PARTITION BY LIST (k)},
		"CREATE TABLE ${name}_1 PARTITION OF $name FOR VALUES IN (1)",
		"CREATE TABLE ${name}_2 PARTITION OF $name FOR VALUES IN (2) PARTITION BY LIST (v)",
		"CREATE TABLE ${name}_2_1 PARTITION OF ${name}_2 FOR VALUES IN (1)");
	return;
}

sub insert
{
	my ($name, $k, $time) = @_;

	sql("INSERT INTO $name VALUES ($k, 1, '2024-01-01 $time')");
	advance();
	return;
}

sub error
{
	return sql('SELECT error FROM watermark.queries');
}

sub test_creation
{
	make_stream('made');
	sql('CREATE UNLOGGED TABLE made_2_2 PARTITION OF made_2 FOR VALUES IN (2)');
	refuses_query('an unlogged partition', sprintf($PER_MINUTE, 'made'), qr/the partition "made_2_2" of the stream "made" of a continuous query is unlogged.*HINT:.*SET LOGGED/s);
	refuses('tracking it', q{SELECT watermark.track('made')}, qr/the partition "made_2_2" of the stream "made"/);
	sql('DROP TABLE made_2_2', 'CREATE FOREIGN DATA WRAPPER nothing', 'CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing',
		'CREATE FOREIGN TABLE made_3 PARTITION OF made FOR VALUES IN (3) SERVER nowhere');
	refuses_query('a foreign partition', sprintf($PER_MINUTE, 'made'), qr/the partition "made_3" of the stream "made" of a continuous query is a foreign table.*HINT:.*DETACH/s);
	return;
}

sub test_added
{
	make_stream('grown');
	per_minute('of_grown', 'grown');
	insert('grown', 1, '10:00');
	my $refused = qr/rows of "grown_2_2" would not be in the write-ahead log\nDETAIL:  Continuous query "of_grown" reads table "grown"\.\nHINT:  Drop the query first/;

	refuses('one that is unlogged', 'CREATE UNLOGGED TABLE grown_2_2 PARTITION OF grown_2 FOR VALUES IN (2)', $refused);
	refuses('one that is foreign', 'CREATE FOREIGN TABLE grown_2_2 PARTITION OF grown_2 FOR VALUES IN (2) SERVER nowhere', $refused);
	sql('CREATE UNLOGGED TABLE grown_2_2 (k int, v int, ts timestamp, CONSTRAINT grown_ts_check CHECK (watermark_for(ts, ts)))');
	refuses('one that is attached', 'ALTER TABLE grown_2 ATTACH PARTITION grown_2_2 FOR VALUES IN (2)', $refused);
	sql('ALTER TABLE grown_2_2 SET LOGGED', 'ALTER TABLE grown_2 ATTACH PARTITION grown_2_2 FOR VALUES IN (2)');
	insert('grown', 1, '10:01');
	is(error() . published('of_grown'), '10:00:00=1', 'one that is logged is not');
	return;
}

sub test_altered
{
	make_stream('changed');
	stream('plain');
	per_minute("of_$_", $_) for qw(changed plain);
	sql('CREATE TABLE other (k int)', 'ALTER TABLE other SET UNLOGGED');
	my $refused = qr/rows of "(changed_2_1|plain)" would not be in the write-ahead log/;

	refuses('a partition', 'ALTER TABLE changed_2_1 SET UNLOGGED', $refused);
	refuses('a table, in a command of several,', 'ALTER TABLE plain ADD more int, SET UNLOGGED', $refused);
	refuses('a table of somebody who sees no queries', 'CREATE ROLE blind; ALTER TABLE plain OWNER TO blind; GRANT CREATE ON SCHEMA public TO blind;
		SET ROLE blind; ALTER TABLE plain SET UNLOGGED', $refused);
	sql(q{SELECT watermark.drain_query('of_plain')});
	advance();
	sql('ALTER TABLE plain SET UNLOGGED', 'ALTER TABLE plain SET LOGGED');
	is(sql('SELECT name, state, error FROM watermark.queries ORDER BY name'), "of_changed|running|\nof_plain|drained|", 'a query that has ended does not mind');
	return;
}

sub test_ordinary
{
	make_stream('ordinary');
	per_minute('of_ordinary', 'ordinary');
	insert('ordinary', 2, '10:00');
	sql('CREATE TABLE ordinary_2_2 PARTITION OF ordinary_2 FOR VALUES IN (2)', 'DROP TABLE ordinary_2_1');
	insert('ordinary', 1, '10:01');
	sql('DROP TABLE ordinary_2');
	insert('ordinary', 1, '10:02');
	is(error() . published('of_ordinary'), '10:00:00=1 10:01:00=1', 'are no trouble');
	return;
}
