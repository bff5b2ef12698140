# The extension is updated, dropped, and made anew, while queries run.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Path qw(make_path);
use PostgreSQL::Test::Utils;
use Test::More;

my $WORKER = q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'apply_watermark worker'};

test_each(
	[ 'ALTER EXTENSION UPDATE', \&test_update ],
	[ 'an update that takes its time', \&test_slow_update ],
	[ 'DROP EXTENSION', \&test_drop ],
	[ 'an extension that is made anew in the transaction that drops it', \&test_anew ]);

# A version that follows on the present one, in a directory that the server looks into
# first; its number, or nothing if this server has no such setting.
sub make_version
{
	my ($number, $script) = @_;
	my ($output) = run_command([ 'pg_config', '--sharedir' ]);
	my $present = sql(q{SELECT extversion FROM pg_extension WHERE extname = 'apply_watermark'});
	my $setting = sql(q{SELECT min(name) FROM pg_settings WHERE name IN ('extension_destdir', 'extension_control_path')});
	my $dir = abs_path(PostgreSQL::Test::Utils::tempdir);
	my $extensions = $setting eq 'extension_destdir' ? "$dir$output/extension" : "$dir/extension";

	return if $setting eq '';
	make_path($extensions);
	copy($_, $extensions) or die "$_: $!" for glob("$output/extension/apply_watermark*");
	append_to_file("$extensions/apply_watermark--$present--$number.sql", $script);
	sql(sprintf q{ALTER SYSTEM SET %s = '%s'}, $setting, $setting eq 'extension_destdir' ? $dir : "$dir:\$system");
	$node->reload;
	return $number;
}

sub test_update
{
	my $version = make_version('99.1', q{
		ALTER TABLE watermark.query ADD note text;
		ALTER TABLE watermark.progress ADD note text DEFAULT 'x';
		ALTER TABLE watermark.late_row ADD note text;
		CREATE INDEX progress_state ON watermark.progress (state);
		CREATE OR REPLACE FUNCTION watermark.advance(timeout interval DEFAULT '1 minute') RETURNS void
			LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'aw_sql_advance';});

	plan skip_all => 'the server looks for extensions in one place only' if !defined $version;
	stream('updated', 'timestamp', 'ts');
	per_minute('of_updated', 'updated');
	arrive('updated', '10:00');
	my $worker = sql($WORKER);
	sql('BEGIN', q{INSERT INTO updated (ts) VALUES ('2024-01-01 10:00'), (NULL)}, "ALTER EXTENSION apply_watermark UPDATE TO '$version'",
		q{INSERT INTO updated (ts) VALUES ('2024-01-01 10:01')}, 'COMMIT');
	arrive('updated', '10:00:30', '10:02');
	is(published('of_updated'), '10:00:00=2 10:01:00=1', 'queries go on');
	is(sql(q{SELECT string_agg(reason, ' ' ORDER BY reason) FROM watermark.late_rows}), 'late null', 'with their late rows');
	is(sql($WORKER), $worker, 'by the same worker');
	is(sql(q{SELECT extversion FROM pg_extension WHERE extname = 'apply_watermark'}), $version, 'the version is another');
	sql(q{SELECT watermark.pause_query('of_updated')}, q{SELECT watermark.resume_query('of_updated')});
	per_minute('later', 'updated');
	$node->restart;
	arrive('updated', '10:03');
	is(published('of_updated') . ' ' . published('later'), '10:00:00=2 10:01:00=1 10:02:00=1 10:00:00=3 10:01:00=1 10:02:00=1', 'also after a restart, and new ones');
	return;
}

# While somebody holds our tables, queries wait.
sub test_slow_update
{
	my $offset = -s $node->logfile;
	my $session = $node->background_psql('postgres', on_error_stop => 1);

	stream('slow', 'timestamp', 'ts');
	per_minute('of_slow', 'slow');
	my $worker = sql($WORKER);
	$session->query_safe($_) for 'BEGIN', 'LOCK watermark.progress, watermark.query IN ACCESS EXCLUSIVE MODE', 'ALTER TABLE watermark.progress ADD slow text';
	sql(q{INSERT INTO slow (ts) VALUES ('2024-01-01 10:00')});
	sql(q{INSERT INTO slow (ts) VALUES ('2024-01-01 10:01')});
	my ($status) = $node->psql('postgres', q{SELECT watermark.advance('2 s')});
	isnt($status, 0, 'there is no result meanwhile');
	$session->query_safe('COMMIT');
	$session->quit;
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM of_slow'), 'but then');
	is(sql($WORKER), $worker, 'by the same worker');
	unlike(slurp_file($node->logfile, $offset), qr/apply_watermark worker.*(exited|terminat)/, 'which has not ended');
	return;
}

sub test_drop
{
	stream($_, 'timestamp', 'ts') for qw(kept other);
	per_minute("of_$_", $_) for qw(kept other);
	arrive('kept', '10:00');
	sql(q{INSERT INTO kept (ts) SELECT '2024-01-01 10:01' FROM generate_series(1, 10000)}, 'SET client_min_messages = warning', 'DROP EXTENSION apply_watermark CASCADE');
	ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_replication_slots'), 'the slot goes');
	ok($node->poll_query_until('postgres', "SELECT count(*) = 0 FROM ($WORKER) AS w"), 'and the worker');
	is(sql('SELECT count(*) FROM kept'), 10001, 'rows are there');

	sql('CREATE EXTENSION apply_watermark', q{SELECT set_watermark('kept', 'ts', 'ts')}, 'DROP TABLE of_kept');
	per_minute('of_kept', 'kept');
	arrive('kept', '10:02');
	is(published('of_kept'), '10:00:00=1 10:01:00=10000', 'an extension of later begins anew');
	return;
}

sub test_anew
{
	stream('renewed', 'timestamp', 'ts');
	per_minute('of_renewed', 'renewed');
	arrive('renewed', '10:00');
	sql('SET client_min_messages = warning', 'BEGIN', 'DROP EXTENSION apply_watermark CASCADE', 'CREATE EXTENSION apply_watermark',
		q{SELECT set_watermark('renewed', 'ts', 'ts')}, 'DROP TABLE of_renewed', sprintf(q{SELECT watermark.create_query('of_renewed', $$%s$$)}, sprintf $PER_MINUTE, 'renewed'), 'COMMIT');
	arrive('renewed', '10:01');
	is(published('of_renewed'), '10:00:00=1', 'the new query has its results');
	is(sql('SELECT count(*) FROM pg_replication_slots'), 1, 'there is one slot');
	return;
}
