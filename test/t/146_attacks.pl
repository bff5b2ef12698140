# Whatever code a continuous query brings its worker to run, it runs as the owner of the
# query, in a security-restricted operation, and leaves nothing behind in the session.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

# What an intruder tries, from wherever code of its own is called.
my @ATTACKS = (
	'SET ROLE postgres',
	'RESET ROLE',
	'SET SESSION AUTHORIZATION postgres',
	'RESET SESSION AUTHORIZATION',
	'ALTER ROLE intruder SUPERUSER',
	'CREATE TEMPORARY TABLE pg_class (oid oid)',
	'INSERT INTO intruder.deferred VALUES (1)',
	q{COPY intruder.spied TO PROGRAM 'true'},
	q{SELECT pg_read_file('PG_VERSION')},
	'SELECT rolpassword FROM pg_authid',
	'SELECT secret FROM public.secrets',
	q{UPDATE watermark.query SET search_path = ''},
	q{DELETE FROM watermark.progress},
	'CREATE VIEW watermark.mine AS SELECT 1',
	'SELECT pg_terminate_backend(pg_backend_pid())',
	q{SET session_replication_role = 'replica'},
	q{SET apply_watermark.crash_at = 'commit'});

# Settings that anybody may change, and that are to end with the query.
my @SETTINGS = ([ 'search_path', 'intruder' ], [ 'statement_timeout', '1ms' ], [ 'default_transaction_read_only', 'on' ], [ 'timezone', 'Asia/Tokyo' ]);

test_each(
	[ 'code of the owner', \&test_code ],
	[ 'what is left behind', \&test_left ],
	[ 'the view of a query', \&test_view ],
	[ 'what others see', \&test_seen ]);

# A role with a schema, in which spy() notes who calls it in the worker, and what it could do.
sub make_intruder
{
	my $attacks = join ', ', map { "\$a\$$_\$a\$" } @ATTACKS;

	sql('CREATE ROLE intruder', 'GRANT EXECUTE ON FUNCTION watermark.create_query TO intruder', 'CREATE SCHEMA intruder AUTHORIZATION intruder',
		'CREATE TABLE secrets (secret text)', 'SET ROLE intruder', 'SET search_path = intruder, public',
		'CREATE TABLE spied (place text, role name, attack text, outcome text)',
		'CREATE TABLE deferred (v int)',
		q{CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'},
		'CREATE CONSTRAINT TRIGGER t AFTER INSERT ON deferred DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION nothing()',
		qq{CREATE FUNCTION spy(place text) RETURNS void LANGUAGE plpgsql AS \$\$
			DECLARE attack text;
			BEGIN
				IF current_setting('application_name') <> 'apply_watermark' OR
					EXISTS (SELECT FROM intruder.spied AS s WHERE s.place = spy.place AND s.role = current_user) THEN RETURN; END IF;
				INSERT INTO intruder.spied VALUES (place, current_user);
				FOREACH attack IN ARRAY ARRAY[$attacks] LOOP
					BEGIN
						EXECUTE attack;
						INSERT INTO intruder.spied VALUES (place, current_user, attack, 'done');
					EXCEPTION WHEN OTHERS THEN
						INSERT INTO intruder.spied VALUES (place, current_user, attack, SQLERRM);
					END;
				END LOOP;
			END \$\$});
	return;
}

# A function of the intruder's that spies, and gives a value.
sub spying
{
	my ($place, $arguments, $type, $value) = @_;

	return qq{CREATE FUNCTION $place($arguments) RETURNS $type LANGUAGE plpgsql IMMUTABLE AS \$\$ BEGIN PERFORM intruder.spy('$place'); RETURN $value; END \$\$};
}

# Functions, operators, casts, aggregates, classes of operators; triggers, defaults,
# checks, indexes and policies of the sink; the strategy and policies of the stream.
sub test_code
{
	make_intruder();
	sql('SET ROLE intruder', 'SET search_path = intruder, public', 'CREATE TYPE point2 AS (x int)',
		spying('in_where', 'v int', 'boolean', 'true'),
		spying('in_strategy', 't timestamp', 'timestamp', 't'),
		spying('in_equal', 'a point2, b point2', 'boolean', '(a).x = (b).x'),
		spying('in_less', 'a point2, b point2', 'boolean', '(a).x < (b).x'),
		spying('in_compare', 'a point2, b point2', 'int', 'btint4cmp((a).x, (b).x)'),
		spying('in_hash', 'a point2', 'int', 'hashint4((a).x)'),
		spying('in_cast', 'a point2', 'text', '(a).x::text'),
		spying('in_transition', 's int, v int', 'int', 'coalesce(s, 0) + v'),
		spying('in_combine', 's int, v int', 'int', 'coalesce(s, 0) + coalesce(v, 0)'),
		spying('in_final', 's int', 'int', 's'),
		spying('in_default', '', 'int', '1'),
		spying('in_check', 'v int', 'boolean', 'true'),
		spying('in_index', 'v int', 'int', 'v'),
		spying('in_policy', 'v int', 'boolean', 'true'),
		spying('in_generated', 'v int', 'int', 'v'),
		spying('in_domain', 'v bigint', 'boolean', 'true'),
		q{CREATE FUNCTION in_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM intruder.spy($$in_trigger$$); RETURN NEW; END'},
		'CREATE OPERATOR = (FUNCTION = in_equal, LEFTARG = point2, RIGHTARG = point2, HASHES, MERGES)',
		'CREATE OPERATOR < (FUNCTION = in_less, LEFTARG = point2, RIGHTARG = point2)',
		'CREATE AGGREGATE gathers(int) (SFUNC = in_transition, STYPE = int, COMBINEFUNC = in_combine, FINALFUNC = in_final)',
		'CREATE CAST (point2 AS text) WITH FUNCTION in_cast AS ASSIGNMENT',
		'CREATE DOMAIN checked AS bigint CHECK (in_domain(VALUE))',
		'RESET ROLE',
		'CREATE OPERATOR CLASS point2_hash DEFAULT FOR TYPE point2 USING hash AS OPERATOR 1 =, FUNCTION 1 in_hash(point2)',
		'CREATE OPERATOR CLASS point2_btree DEFAULT FOR TYPE point2 USING btree AS OPERATOR 1 <, OPERATOR 3 =, FUNCTION 1 in_compare(point2, point2)',
		'SET ROLE intruder',
		'CREATE TABLE stream (v int, p point2, ts timestamp, CHECK (watermark_for(ts, in_strategy(ts))))',
		'ALTER TABLE stream ENABLE ROW LEVEL SECURITY', 'ALTER TABLE stream FORCE ROW LEVEL SECURITY', 'CREATE POLICY p ON stream USING (in_policy(v))',
		'CREATE TABLE sink (window_start timestamp, p text, n checked, g int CHECK (in_check(g)), d int DEFAULT in_default(), e int GENERATED ALWAYS AS (in_generated(1)) STORED)',
		'CREATE INDEX ON sink (in_index(g))', 'CREATE TRIGGER t BEFORE INSERT ON sink FOR EACH ROW EXECUTE FUNCTION in_trigger()',
		q{INSERT INTO stream VALUES (1, ROW(1), '2024-01-01 10:00')});
	sql('SET ROLE intruder', 'SET search_path = intruder, public',
		q{SELECT watermark.create_query('spies', 'SELECT window_start, p, count(*) AS n, gathers(v) AS g FROM stream AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL ''1'' MINUTE)
			WHERE in_where(v) GROUP BY window_start, window_end, p', sink => 'sink')});
	advance();
	sql('TRUNCATE intruder.spied');
	$node->restart;
	sql(q{INSERT INTO intruder.stream VALUES (1, ROW(1), '2024-01-01 10:00'), (2, ROW(2), '2024-01-01 10:01'), (3, NULL, '2024-01-01 10:00:30'), (3, ROW(1), NULL)});
	advance();
	is(sql('SELECT error FROM watermark.queries'), '', 'the query runs');
	is(sql('SELECT p, n, g FROM intruder.sink ORDER BY p'), "1|2|2\n|1|3", 'and gives its results');
	is(sql('SELECT string_agg(DISTINCT role, $$ $$) FROM intruder.spied'), 'intruder', 'all its code runs as the owner');
	is(sql('SELECT string_agg(DISTINCT place, $$ $$ ORDER BY place) FROM intruder.spied'),
		'in_cast in_check in_combine in_default in_domain in_equal in_final in_generated in_hash in_index in_policy in_strategy in_transition in_trigger in_where', 'wherever it is');
	is(sql(q{SELECT place || ' ' || attack FROM intruder.spied WHERE outcome = 'done'}), '', 'nothing that it tries is allowed');
	is(sql('SELECT count(DISTINCT attack) FROM intruder.spied'), scalar @ATTACKS, 'whatever that is');
	note sql('SELECT DISTINCT attack, outcome FROM intruder.spied WHERE attack IS NOT NULL ORDER BY 1');
	return;
}

# Settings that a function changes, and a prepared statement in the way of ours.
sub test_left
{
	my $settings = join '; ', map { "PERFORM set_config('$_->[0]', '$_->[1]', false)" } @SETTINGS;
	my $seen = join ', ', map { "current_setting('$_->[0]')" } @SETTINGS;

	sql('CREATE TABLE noted (seen text)',
		qq{CREATE FUNCTION leaves(v int) RETURNS boolean LANGUAGE plpgsql STABLE AS \$\$ BEGIN $settings; PERFORM pg_advisory_lock(7); RETURN true; END \$\$},
		qq{CREATE FUNCTION looks() RETURNS text LANGUAGE sql AS \$\$ SELECT concat_ws(' ', $seen) \$\$},
		q{CREATE FUNCTION intruder.int4eq(a int, b int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$hijacked$$; END'});
	stream('left_s', 'timestamp', 'ts');
	sql('CREATE TABLE left_b (window_start timestamp, n bigint, seen text DEFAULT looks())');
	query('left_a', q{SELECT window_start, count(*) AS n FROM left_s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) WHERE leaves(v) GROUP BY window_start, window_end});
	query('left_b', q{SELECT window_start, count(*) AS n FROM left_s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end}, '',
		q{SET search_path = public, pg_catalog});
	arrive('left_s', '10:00');
	arrive('left_s', '10:01');
	is(sql('SELECT seen FROM left_b'), 'public, pg_catalog 0 off UTC', 'settings of one query are not those of another');
	is(published('left_a'), '10:00:00=1', 'which has its results, too');
	is(sql('SELECT count(*) FROM watermark.queries WHERE error IS NOT NULL'), 0, 'and nobody has failed');
	is(sql(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'}), 0, 'locks of a session are given back');
	return;
}

# The view belongs to the owner, who cannot make it, or the schema, into more.
sub test_view
{
	sql('SET ROLE intruder', 'SET search_path = intruder, public', 'CREATE TABLE plain (v int, ts timestamp, CHECK (watermark_for(ts, ts)))',
		sprintf q{SELECT watermark.create_query('viewed', $$%s$$)}, sprintf $PER_MINUTE, 'plain');
	my $as_owner = sub { my ($label, $sql, $message) = @_; refuses($label, "SET ROLE intruder; $sql", $message) };

	$as_owner->('another text', 'CREATE OR REPLACE VIEW watermark.viewed AS SELECT now() AS window_start, 1::bigint AS n, 1::bigint AS s', qr/permission denied for schema watermark/);
	$as_owner->('another name', 'ALTER VIEW watermark.viewed RENAME TO late_row2', qr/permission denied for schema watermark/);
	$as_owner->('another owner', 'ALTER VIEW watermark.viewed OWNER TO postgres', qr/must be (a )?member of role "postgres"|must be able to SET ROLE "postgres"/);
	$as_owner->('a result table of others', sprintf(q{SELECT watermark.create_query('theirs', $$%s$$, sink => 'pg_catalog.pg_authid')}, sprintf $PER_MINUTE, 'intruder.plain'),
		qr/permission denied|has no column/);
	$as_owner->('the sink of others', sprintf(q{SELECT watermark.create_query('theirs', $$%s$$, sink => 'public.left_a')}, sprintf $PER_MINUTE, 'intruder.plain'),
		qr/permission denied|has no column/);
	$as_owner->('a stream of others', sprintf(q{SELECT watermark.create_query('theirs', $$%s$$)}, sprintf $PER_MINUTE, 'public.left_s'), qr/permission denied/);
	$as_owner->('tracking one', q{SELECT watermark.track('public.left_s')}, qr/permission denied/);
	$as_owner->('a name of ours', sprintf(q{SELECT watermark.create_query('late_row', $$%s$$)}, sprintf $PER_MINUTE, 'intruder.plain'), qr/relation "late_row" already exists/);
	$as_owner->('our trigger', 'CREATE TRIGGER t AFTER INSERT ON intruder.plain EXECUTE FUNCTION watermark.wake_worker()', qr/permission denied for function watermark\.wake_worker/);
	return;
}

# Views show what belongs to the roles of who reads them, also to a condition that tells.
sub test_seen
{
	stream('seen_s', 'timestamp', 'ts');
	per_minute('seen', 'seen_s');
	arrive('seen_s', 'NULL', '10:00', '10:01');
	my $count = join ' + ', map { "(SELECT count(*) FROM watermark.$_ WHERE tells($_))" } qw(queries streams late_rows counts);
	my $seen = 'CREATE FUNCTION pg_temp.tells(r anyelement) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE WARNING $w$seen: %$w$, r; RETURN true; END $$';
	my (undef, $output, $error) = $node->psql('postgres', "SET ROLE intruder; $seen; SELECT " . $count =~ s/tells/pg_temp.tells/gr);

	is($output, 0, 'there is nothing of others');
	is($error, '', 'nor does a condition of a low cost get to see it');
	is(sql('SET ROLE intruder', q{SELECT count(*) FROM watermark.audit('seen')}), 0, 'nor audit()');
	refuses($_, "SET ROLE intruder; SELECT * FROM watermark.$_", qr/permission denied/) for qw(query progress checkpoint late_row);
	return;
}
