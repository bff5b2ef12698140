# What becomes of watermark definitions when databases are dumped, restored and
# replicated, and when what they stand on is altered.

use strict;
use warnings;

use Cwd qw(abs_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $definitions = q{
	SELECT relation, rowtime, strategy, problem FROM ev.watermarks ORDER BY relation::text};
my $description = q{
	SELECT c.oid::regclass, d.* FROM pg_class AS c, ev.describe(c.oid) AS d
	WHERE c.relnamespace = 'shop'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
	ORDER BY c.relname, d.name};

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 'logical');
$node->append_conf('postgresql.conf', 'max_prepared_transactions = 1');
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql('source', q{
	CREATE SCHEMA ev;
	CREATE EXTENSION apply_watermark SCHEMA ev;
	CREATE SCHEMA shop;
	SET search_path = shop, ev;
	CREATE TABLE orders (id int PRIMARY KEY, order_time timestamp(3), zoned timestamptz(3), delay interval, j jsonb);
	SELECT set_watermark('orders', 'order_time', 'order_time - INTERVAL ''5'' SECOND');
	CREATE TABLE parts (id int, ts timestamp(3)) PARTITION BY LIST (id);
	CREATE TABLE part_1 PARTITION OF parts FOR VALUES IN (1);
	SELECT set_watermark('parts', 'ts', 'ts - INTERVAL ''6 s''');
	CREATE TABLE part_2 PARTITION OF parts FOR VALUES IN (2);
	CREATE TABLE parent (at timestamptz, CHECK (watermark_for(at, at - INTERVAL '1 day')));
	CREATE TABLE "Child" ("Naïve" text) INHERITS (parent);
	CREATE VIEW slow AS SELECT id, order_time AS "when", delay FROM orders WHERE id > 0;
	SELECT set_watermark('slow', 'when', '"when" - delay');
	ALTER VIEW slow RENAME COLUMN "when" TO "Wann?";
	CREATE VIEW guarded WITH (security_barrier, check_option = cascaded) AS SELECT * FROM orders WHERE id > 0;
	SELECT set_watermark('guarded', 'zoned', 'zoned - INTERVAL ''1 h''');
	CREATE VIEW latest AS SELECT id % 10 AS k, max(order_time) AS latest FROM orders GROUP BY 1;
	SELECT set_watermark('latest', 'latest', 'latest - INTERVAL ''7 s''');
	CREATE VIEW fixed AS VALUES (1, timestamp '2024-01-01');
	SELECT set_watermark('fixed', 'column2', 'column2');
	CREATE VIEW silver AS SELECT (j->>'t')::timestamp(3) AS t FROM orders;
	SELECT set_watermark('silver', 't', 't - INTERVAL ''8 s''');
	CREATE VIEW hourly AS SELECT window_start, window_end, window_time, count(*)
	FROM slow AS s, TUMBLE(s, DESCRIPTOR("Wann?"), INTERVAL '1' HOUR) GROUP BY 1, 2, 3;
	CREATE VIEW applied AS SELECT o.* FROM orders AS o, APPLY_WATERMARK(o, DESCRIPTOR(zoned), zoned - delay);
	CREATE MATERIALIZED VIEW kept AS SELECT id, zoned FROM orders WHERE watermark_for(zoned, zoned);
	INSERT INTO orders SELECT i, timestamp '2024-01-01' + i * INTERVAL '1 s', '2024-01-01', '1 s', '{"t": "2024-01-01"}'
	FROM generate_series(1, 1000) AS i;
	INSERT INTO parts VALUES (1, '2024-01-01'), (2, NULL);
	INSERT INTO "Child" VALUES ('2024-01-01', 'ä');
});
my $defined = $node->safe_psql('source', $definitions);
my $described = $node->safe_psql('source', $description);
my $dir = PostgreSQL::Test::Utils::tempdir;

is(($defined =~ tr/\n//) + 1, 13, 'all the definitions are there') or diag $defined;
unlike($defined, qr/\|[^|\n]+$/m, 'and none has a problem');

test_dumps();
test_one_view();
test_alterations();
test_copies_of_tables();
test_locks();
test_extension();
test_replication();
$node->stop;
test_upgrade();
done_testing();

sub test_dumps
{
	my @all = ('--no-sync', '-d', $node->connstr('source'));

	command_ok([ 'pg_dump', @all, '-f', "$dir/plain.sql" ], 'pg_dump as a script');
	new_database('plain');
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('plain'), '-f', "$dir/plain.sql" ],
		'which runs');
	is_restored('plain', 1000);

	command_ok([ 'pg_dump', @all, '-Fc', '-f', "$dir/custom" ], 'pg_dump -Fc');
	new_database('custom');
	command_ok([ 'pg_restore', '-e', '-j4', '-d', $node->connstr('custom'), "$dir/custom" ],
		'pg_restore -j4');
	is_restored('custom', 1000);

	command_ok([ 'pg_dump', @all, '--schema-only', '-f', "$dir/schema.sql" ], 'pg_dump --schema-only');
	new_database('schema');
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('schema'), '-f', "$dir/schema.sql" ],
		'which runs');
	is_restored('schema', 0);

	command_ok([ 'pg_dump', '--no-sync', '-d', $node->connstr('schema'), '--schema-only', '-f', "$dir/again.sql" ],
		'pg_dump of what was restored');
	is(without_keys(slurp_file("$dir/again.sql")), without_keys(slurp_file("$dir/schema.sql")), 'is the same');
	return;
}

# Newer servers put a random key into each dump.
sub without_keys
{
	my ($dump) = @_;
	$dump =~ s/^\\(?:un)?restrict .*\n//mg;
	return $dump;
}

sub is_restored
{
	my ($database, $rows) = @_;

	is($node->safe_psql($database, $definitions), $defined, "$database: the definitions");
	is($node->safe_psql($database, $description), $described, "$database: what describe() says");
	is($node->safe_psql($database, 'SELECT count(*) FROM shop.orders'), $rows, "$database: the rows");
	return;
}

# The definition of a view goes where the view goes.
sub test_one_view
{
	command_ok([ 'pg_dump', '--no-sync', '-d', $node->connstr('source'), '-t', 'shop.slow', '-f', "$dir/view.sql" ],
		'pg_dump -t of one view');
	new_database('one_view');
	$node->safe_psql('one_view', q{
		CREATE SCHEMA ev; CREATE EXTENSION apply_watermark SCHEMA ev; CREATE SCHEMA shop;
		CREATE TABLE shop.orders (id int, order_time timestamp(3), delay interval)});
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('one_view'), '-f', "$dir/view.sql" ],
		'which runs where the table and the extension are');
	is($node->safe_psql('one_view', $definitions), join("\n", grep { /slow/ } split /\n/, $defined),
		'the view has its definition');
	return;
}

# Each alteration in a transaction of its own that is rolled back: what the
# definition of one relation is then, or the error.
sub test_alterations
{
	alters('RENAME of a column', 'ALTER TABLE shop.orders RENAME order_time TO "Zeit?"',
		'shop.orders', q{Zeit?|("Zeit?" - '00:00:05'::interval second)|});
	alters('RENAME of a column below a view', 'ALTER TABLE shop.orders RENAME delay TO d',
		'shop.slow', 'Wann?|order_time - d|');
	alters('RENAME of a view\'s column', 'ALTER VIEW shop.slow RENAME "Wann?" TO at',
		'shop.slow', 'at|order_time - delay|');
	alters('RENAME of a table', 'ALTER TABLE shop.orders RENAME TO o',
		'shop.o', q{order_time|(order_time - '00:00:05'::interval second)|});
	alters('RENAME of a table below a view', 'ALTER TABLE shop.orders RENAME TO o',
		'shop.slow', 'Wann?|order_time - delay|');
	alters('RENAME of a schema', 'ALTER SCHEMA shop RENAME TO store',
		'store.slow', 'Wann?|order_time - delay|');
	alters('SET SCHEMA', 'ALTER TABLE shop.parts SET SCHEMA public',
		'public.parts', q{ts|(ts - '00:00:06'::interval)|});
	alters('RENAME of the extension\'s schema', 'ALTER SCHEMA ev RENAME TO "Ev"',
		'shop.orders', q{order_time|(order_time - '00:00:05'::interval second)|}, '"Ev"');
	alters('ALTER TYPE to another precision', 'ALTER TABLE shop.parts ALTER ts TYPE timestamp(0)',
		'shop.part_2', q{ts|(ts - '00:00:06'::interval)|});
	alters('ALTER TYPE to timestamptz', 'ALTER TABLE shop.parts ALTER ts TYPE timestamptz',
		'shop.parts', q{ts|(ts - '00:00:06'::interval)|});
	refuses('ALTER TYPE to no timestamp', q{ALTER TABLE shop.parts ALTER ts TYPE text},
		qr/operator does not exist: text - interval/);
	refuses('ALTER TYPE to date', q{ALTER TABLE shop.parts ALTER ts TYPE date},
		qr/must be of type TIMESTAMP or TIMESTAMP_LTZ \(it is date\)/);
	refuses('ALTER TYPE below a view', 'ALTER TABLE shop.orders ALTER order_time TYPE timestamp',
		qr/cannot alter type of a column used by a view or rule/);
	alters('DROP COLUMN of another column', 'ALTER TABLE shop.parts ADD c int; ALTER TABLE shop.parts DROP c',
		'shop.parts', q{ts|(ts - '00:00:06'::interval)|});
	alters('DROP COLUMN of the rowtime', 'ALTER TABLE shop.parts DROP ts', 'shop.parts', '');
	refuses('DROP COLUMN below a view', 'ALTER TABLE shop.orders DROP delay',
		qr/view shop.slow depends on column delay of table shop.orders/);
	alters('DROP COLUMN of the strategy',
		q{SET search_path = shop, ev; ALTER TABLE parts ADD d interval; SELECT set_watermark('parts', 'ts', 'ts - d');
		  SET search_path = ''; ALTER TABLE shop.parts DROP d}, 'shop.parts', '');
	alters('CREATE OR REPLACE VIEW without the marker',
		q{CREATE OR REPLACE VIEW shop.slow AS SELECT id, order_time AS "Wann?", delay FROM shop.orders}, 'shop.slow', '');
	alters('OWNER TO', 'CREATE ROLE o; ALTER VIEW shop.slow OWNER TO o',
		'shop.slow', 'Wann?|order_time - delay|');
	alters('CREATE RULE', 'CREATE RULE r AS ON INSERT TO shop.slow DO INSTEAD NOTHING',
		'shop.slow', 'Wann?|order_time - delay|');
	return;
}

sub alters
{
	my ($label, $alteration, $relation, $expected, $schema) = @_;
	$schema //= 'ev';
	my $got = $node->safe_psql('source', qq{
		SET client_min_messages = error;
		BEGIN; $alteration;
		\\echo ---
		SELECT rowtime, strategy, problem FROM $schema.watermarks WHERE relation = '$relation'::regclass;
		ROLLBACK});

	$got =~ s/\A.*?---\n?//s;
	is($got, $expected, $label);
	return;
}

sub refuses
{
	my ($label, $alteration, $message) = @_;
	my ($status, undef, $error) = $node->psql('source', "BEGIN; $alteration; ROLLBACK", on_error_stop => 1);

	isnt($status, 0, "$label is refused");
	like($error, $message, "$label says why");
	return;
}

# Tables made like others, and partitions.
sub test_copies_of_tables
{
	alters('CREATE TABLE LIKE INCLUDING ALL', 'CREATE TABLE shop.alike (LIKE shop.orders INCLUDING ALL)',
		'shop.alike', q{order_time|(order_time - '00:00:05'::interval second)|});
	alters('CREATE TABLE LIKE', 'CREATE TABLE shop.alike (LIKE shop.orders)', 'shop.alike', '');
	alters('CREATE TABLE AS', 'CREATE TABLE shop.alike AS TABLE shop.orders', 'shop.alike', '');
	alters('PARTITION OF', 'CREATE TABLE shop.part_3 PARTITION OF shop.parts FOR VALUES IN (3)',
		'shop.part_3', q{ts|(ts - '00:00:06'::interval)|});
	refuses('ATTACH PARTITION of a table without',
		'CREATE TABLE shop.part_3 (id int, ts timestamp(3)); ALTER TABLE shop.parts ATTACH PARTITION shop.part_3 FOR VALUES IN (3)',
		qr/child table is missing constraint "parts_watermark"/);
	alters('ATTACH PARTITION of a table LIKE it', q{
		CREATE TABLE shop.part_3 (LIKE shop.parts INCLUDING ALL);
		ALTER TABLE shop.parts ATTACH PARTITION shop.part_3 FOR VALUES IN (3)},
		'shop.part_3', q{ts|(ts - '00:00:06'::interval)|});
	alters('DETACH PARTITION', 'ALTER TABLE shop.parts DETACH PARTITION shop.part_1',
		'shop.part_1', q{ts|(ts - '00:00:06'::interval)|});
	return;
}

# Who may not set a watermark does not wait for a lock, and lets nobody wait.
sub test_locks
{
	$node->safe_psql('source', q{
		CREATE ROLE stranger; GRANT USAGE ON SCHEMA shop, ev TO stranger;
		BEGIN; SELECT FROM shop.orders LIMIT 1; PREPARE TRANSACTION 'reader'});
	for my $call (q{set_watermark('shop.orders', 'order_time', 'order_time')}, q{drop_watermark('shop.orders')})
	{
		refuses("$call by a stranger", "SET LOCAL lock_timeout = '1ms'; SET LOCAL ROLE stranger; SELECT ev.$call",
			qr/must be owner of table orders/);
		refuses("$call by its owner, beside a reader,", "SET LOCAL lock_timeout = '1ms'; SELECT ev.$call",
			qr/lock timeout/);
	}
	is($node->safe_psql('source', "SET lock_timeout = '1s'; SELECT count(*) FROM ev.describe('shop.orders')"), 5,
		'describe() does not wait for readers');
	$node->safe_psql('source', q{COMMIT PREPARED 'reader'});
	return;
}

sub test_extension
{
	refuses('DROP EXTENSION', 'DROP EXTENSION apply_watermark',
		qr/cannot drop extension apply_watermark because other objects depend on it/);
	refuses('DROP SCHEMA of the extension', 'DROP SCHEMA ev', qr/cannot drop .* because other objects depend on it/);

	my $left = $node->safe_psql('custom', q{
		SET client_min_messages = error;
		DROP EXTENSION apply_watermark CASCADE;
		SELECT relname FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'p', 'v') ORDER BY 1});
	is($left, join("\n", qw(Child orders parent part_1 part_2 parts)),
		'DROP EXTENSION CASCADE takes the views, and leaves the tables');
	is($node->safe_psql('custom', 'SELECT count(*) FROM shop.orders'), 1000, 'with their rows');
	return;
}

# The structure is not replicated: a subscriber has what it was created with.
sub test_replication
{
	my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');

	$subscriber->init;
	$subscriber->start;
	$subscriber->safe_psql('postgres', 'CREATE DATABASE copy');
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $subscriber->connstr('copy'), '-f', "$dir/schema.sql" ],
		'a subscriber is made with pg_dump --schema-only');
	$node->safe_psql('source', 'CREATE PUBLICATION p FOR TABLE shop.orders');
	$subscriber->safe_psql('copy', sprintf q{CREATE SUBSCRIPTION s CONNECTION '%s' PUBLICATION p},
		$node->connstr('source') =~ s/'/''/gr);
	$subscriber->poll_query_until('copy', q{SELECT count(*) = 1000 FROM shop.orders}) or die 'no rows';
	$node->safe_psql('source', q{INSERT INTO shop.orders (id, order_time) VALUES (1001, '2024-01-02'), (1002, NULL)});
	$subscriber->poll_query_until('copy', q{SELECT count(*) = 1002 FROM shop.orders}) or die 'no new rows';
	is($subscriber->safe_psql('copy', $definitions), $defined, 'it has the definitions');

	$subscriber->safe_psql('copy', q{SELECT ev.set_watermark('shop.orders', 'order_time', 'order_time - INTERVAL ''9 s''')});
	$node->safe_psql('source', q{INSERT INTO shop.orders (id) VALUES (1003)});
	ok($subscriber->poll_query_until('copy', q{SELECT count(*) = 1003 FROM shop.orders}),
		'one of its own is no hindrance');
	$subscriber->safe_psql('copy', 'DROP SUBSCRIPTION s');
	$subscriber->stop;
	return;
}

# To a new cluster of the same version, which goes the way of any other upgrade.
sub test_upgrade
{
	my $programs = (grep { -x "$_/postgres" } split /:/, $ENV{PATH})[0];

  SKIP:
	{
		skip 'this server comes without pg_upgrade', 3
		  if grep { !-x "$programs/$_" } qw(pg_upgrade pg_dump pg_dumpall pg_restore pg_resetwal vacuumdb);

		my $upgraded = PostgreSQL::Test::Cluster->new('upgraded');
		my @command = (
			'pg_upgrade', '-b', $programs, '-B', $programs, '-s', $node->host,
			'-d', abs_path($node->data_dir), '-p', $node->port, '-P', $upgraded->port);

		$upgraded->init;
		command_ok([ 'sh', '-c', 'cd "$0" && exec "$@"', $dir, @command, '-D', abs_path($upgraded->data_dir) ],
			'pg_upgrade');
		$upgraded->start;
		is($upgraded->safe_psql('source', $definitions), $defined, 'the definitions after it');
		is($upgraded->safe_psql('source', $description), $described, 'what describe() says after it');
		$upgraded->stop;
	}
	return;
}

sub new_database
{
	my ($name) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	return;
}
