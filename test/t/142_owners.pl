# A query belongs to who owns its view, runs with that role's rights, and no others, at
# every moment, and stands where they do not suffice.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my $AS_OWNER = q{
	SELECT window_start, count(*) AS n, least_of(v) AS v FROM %s AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
	WHERE keeps(v) GROUP BY window_start, window_end};

test_each(
	[ 'a view that is given to another', \&test_given ],
	[ 'REASSIGN OWNED', \&test_reassigned ],
	[ 'a superuser no more', \&test_demoted ],
	[ 'rights to functions', \&test_functions ],
	[ 'a role that goes', \&test_goes ]);

# A role, and a table of its own with a query over it, whose sink notes who writes.
sub make_owner
{
	my ($role, $options) = @_;

	sql("CREATE ROLE $role " . ($options // ''), "GRANT CREATE ON SCHEMA public TO $role", "GRANT EXECUTE ON FUNCTION watermark.create_query TO $role");
	stream("${role}_s");
	sql("ALTER TABLE ${role}_s OWNER TO $role", "SET ROLE $role",
		"CREATE TABLE ${role}_q (window_start timestamp, n bigint, s bigint, by name DEFAULT current_user)",
		sprintf q{SELECT watermark.create_query('%s_q', $$%s$$)}, $role, sprintf $PER_MINUTE, "${role}_s");
	return;
}

sub written_by
{
	my ($sink) = @_;

	return sql(qq{SELECT string_agg(window_start::time || '=' || n || ' ' || "by", ', ' ORDER BY window_start) FROM $sink});
}

sub error
{
	my ($name) = @_;

	return sql("SELECT error FROM watermark.queries WHERE name = '$name'");
}

# The query has failed with these words, and goes on after a statement.
sub stands_until
{
	my ($label, $name, $error, $cure) = @_;

	is(error($name), $error, "$label: the query says what it lacks");
	sql($cure, "SELECT watermark.resume_query('$name')");
	advance();
	is(error($name), '', "$label: it goes on with it");
	return;
}

sub test_given
{
	make_owner('giver');
	arrive('giver_s', '10:00');
	sql('CREATE ROLE taker', 'GRANT taker TO giver', 'GRANT CREATE ON SCHEMA watermark TO taker', 'SET ROLE giver',
		'GRANT SELECT ON giver_s TO taker', 'GRANT INSERT ON giver_q TO taker', 'ALTER VIEW watermark.giver_q OWNER TO taker');
	arrive('giver_s', '10:01:10', '10:02:20');
	is(written_by('giver_q'), '10:00:00=1 taker, 10:01:00=1 taker', 'it is the other who writes');
	is(sql('SELECT owner FROM watermark.queries'), 'taker', 'and the view shows it');
	sql('RESET ROLE', 'REVOKE taker FROM giver');
	is(sql('SET ROLE giver', 'SELECT count(*) FROM watermark.queries'), 0, 'who gave it does not see it any more');
	refuses('what was given', q{SET ROLE giver; SELECT watermark.pause_query('giver_q')}, qr/must be owner of continuous query/);
	sql('SET ROLE taker', q{SELECT watermark.pause_query('giver_q')}, q{SELECT watermark.resume_query('giver_q')});
	$node->restart;
	arrive('giver_s', '10:03:30');
	is(written_by('giver_q') =~ s/.*, //r, '10:02:00=1 taker', 'after a restart, too');
	return;
}

sub test_reassigned
{
	make_owner('leaver');
	arrive('leaver_s', '10:00');
	refuses('DROP ROLE of who has a query', 'DROP ROLE leaver', qr/owner of view watermark\.leaver_q/);
	sql('CREATE ROLE heir', 'REASSIGN OWNED BY leaver TO heir', 'DROP OWNED BY leaver', 'DROP ROLE leaver');
	arrive('leaver_s', '10:01:10');
	is(written_by('leaver_q'), '10:00:00=1 heir', 'the query goes on as the heir\'s');
	is(sql('SET ROLE heir', 'SELECT name, owner, state, error FROM watermark.queries'), 'leaver_q|heir|running|', 'who sees it');
	return;
}

# What a superuser may is not kept with the plans of a query.
sub test_demoted
{
	make_owner('boss', 'SUPERUSER');
	stream('guarded');
	sql('ALTER TABLE guarded ENABLE ROW LEVEL SECURITY', 'CREATE POLICY few ON guarded USING (v < 3)', 'SET ROLE boss',
		sprintf q{SELECT watermark.create_query('of_guarded', $$%s$$)}, sprintf $PER_MINUTE, 'guarded');
	sql(q{INSERT INTO guarded (v, ts) VALUES (1, '2024-01-01 10:00'), (5, '2024-01-01 10:00'), (1, '2024-01-01 10:01:10')});
	advance();
	is(published('of_guarded'), '10:00:00=2', 'a superuser has all rows');

	sql('ALTER ROLE boss NOSUPERUSER');
	arrive('boss_s', '10:00', '10:01:10');
	sql(q{INSERT INTO guarded (v, ts) VALUES (1, '2024-01-01 10:02:20')});
	advance();
	is(written_by('boss_q'), '10:00:00=1 boss', 'a query over what it owns goes on');
	stands_until('a table', 'of_guarded', 'permission denied for table guarded', 'GRANT SELECT ON guarded TO boss');
	sql(q{INSERT INTO guarded (v, ts) VALUES (1, '2024-01-01 10:03'), (5, '2024-01-01 10:03'), (1, '2024-01-01 10:04:10')});
	advance();
	is(published('of_guarded'), '10:00:00=2 10:01:00=1 10:02:00=1 10:03:00=1', 'of which it has the rows that it may see');

	# The same while its right to the table stays.
	sql('ALTER ROLE boss SUPERUSER');
	sql(q{INSERT INTO guarded (v, ts) VALUES (5, '2024-01-01 10:05'), (5, '2024-01-01 10:06:10')});
	advance();
	sql('ALTER ROLE boss NOSUPERUSER');
	sql(q{INSERT INTO guarded (v, ts) VALUES (5, '2024-01-01 10:06:15'), (1, '2024-01-01 10:07:10')});
	advance();
	is(published('of_guarded') =~ s/.*( \S+ \S+)$/$1/r, ' 10:05:00=1 10:06:00=1', 'and no others from that moment on');
	return;
}

# Functions in the query, and aggregates, which the engine calls itself.
sub test_functions
{
	make_owner('caller');
	sql(q{CREATE FUNCTION keeps(v int) RETURNS boolean LANGUAGE sql IMMUTABLE SECURITY DEFINER AS 'SELECT v > 0'},
		q{CREATE AGGREGATE least_of(int) (SFUNC = int4smaller, STYPE = int, COMBINEFUNC = int4smaller)},
		'REVOKE EXECUTE ON FUNCTION keeps, least_of FROM PUBLIC', 'GRANT EXECUTE ON FUNCTION keeps, least_of TO caller',
		'SET ROLE caller', sprintf q{SELECT watermark.create_query('calls', $$%s$$)}, sprintf $AS_OWNER, 'caller_s');
	arrive('caller_s', '10:00');
	sql('REVOKE EXECUTE ON FUNCTION keeps FROM caller');
	arrive('caller_s', '10:01:10');
	stands_until('a function', 'calls', 'permission denied for function keeps', 'GRANT EXECUTE ON FUNCTION keeps TO caller');
	is(published('calls'), '10:00:00=1', 'nothing is missing');
	sql('REVOKE EXECUTE ON FUNCTION least_of FROM caller');
	arrive('caller_s', '10:02:20');
	stands_until('an aggregate', 'calls', 'permission denied for aggregate least_of', 'GRANT EXECUTE ON FUNCTION least_of TO caller');
	is(published('calls'), '10:00:00=1 10:01:00=1', 'nor then');
	is(written_by('caller_q'), '10:00:00=1 caller, 10:01:00=1 caller', 'another query of the owner has gone on');
	return;
}

# With all that a role has its queries go.
sub test_goes
{
	make_owner('goer');
	make_owner('stayer');
	arrive('goer_s', '10:00', 'NULL');
	sql('DROP OWNED BY goer', 'DROP ROLE goer');
	arrive('stayer_s', '10:00', '10:01:10');
	is(written_by('stayer_q'), '10:00:00=1 stayer', 'those of others go on');
	is(sql('SELECT string_agg(name, $$ $$) FROM watermark.queries'), 'stayer_q', 'its own are gone');
	is(sql('SELECT count(*) FROM watermark.query') . sql('SELECT count(*) FROM watermark.late_row'), '10', 'with all that belongs to them');
	return;
}
