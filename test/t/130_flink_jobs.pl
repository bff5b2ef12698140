# INSERT INTO of Flink SQL as a job: what it publishes, where, and how it is stopped.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use ContinuousNode;
use PostgreSQL::Test::Utils;
use Test::More;

my $SUMS = q{SELECT window_start, item, SUM(price)
	FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, item};

test_each(
	[ 'a job', \&test_job ],
	[ 'several jobs of a statement set', \&test_statement_set ],
	[ 'a view on windows', \&test_view ],
	[ 'windows over windows', \&test_cascade ],
	[ 'a union and a join of streams', \&test_streams ],
	[ 'print and blackhole', \&test_print ],
	[ 'stopping', \&test_stop ],
	[ 'failing', \&test_failure ],
	[ 'options', \&test_options ]);

# Runs Flink SQL.
sub flink
{
	my ($source) = @_;

	return sql(qq{CALL flink_execute(\$flink\$$source\$flink\$)});
}

# A table of bids, and one for the sums of its minutes.
sub tables
{
	my ($name) = @_;

	flink(qq{
		CREATE TABLE $name (item STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);
		CREATE TABLE ${name}_sum (start_time TIMESTAMP(3), item STRING, total BIGINT, twice AS total * 2);});
	return;
}

sub start_job
{
	my ($name, $sink) = @_;

	flink(sprintf q{SET 'execution.runtime-mode' = 'streaming'; INSERT INTO %s } . $SUMS, $sink // "${name}_sum", $name);
	advance();
	return;
}

# Bids of a cent, each [ item, time ], in one transaction.
sub bid
{
	my ($name, @bids) = @_;

	take_in("INSERT INTO $name VALUES " . join ', ', map { "('$_->[0]', 1, '2024-01-01 $_->[1]')" } @bids);
	return;
}

sub sums
{
	my ($name) = @_;

	return sql("SELECT string_agg(to_char(start_time, 'HH24:MI') || item || total || '*' || twice, ' ' ORDER BY start_time, item) FROM ${name}_sum");
}

sub jobs
{
	return sql(q{SELECT string_agg("job id" || '=' || status, ' ' ORDER BY "job id") FROM flink.show_jobs()});
}

sub test_job
{
	tables('sale');
	sql(q{INSERT INTO sale VALUES ('tea', 2, '2024-01-01 10:00:10')});
	start_job('sale');
	is(jobs(), 'insert_into_sale_sum=RUNNING', 'the job is named after its table');
	is(sums('sale'), '', 'the window is open');
	bid('sale', [ 'tea', '10:00:20' ], [ 'pot', '10:00:30' ], [ 'tea', '10:01:06' ]);
	is(sums('sale'), '10:00pot1*2 10:00tea3*6', 'it goes over the rows that were there and those that came, into the columns as they stand');
	bid('sale', [ 'tea', '10:00:59' ], [ 'tea', '10:02:05' ]);
	is(sums('sale'), '10:00pot1*2 10:00tea3*6 10:01tea1*2', 'and goes on');

	flink(q{SET 'execution.runtime-mode' = 'batch'; INSERT INTO sale_sum } . sprintf $SUMS, 'sale');
	is(sql('SELECT count(*) FROM sale_sum'), 7, 'in the mode batch it runs once, over all rows');
	is(jobs(), 'insert_into_sale_sum=RUNNING', 'and is no job');
	return;
}

sub test_statement_set
{
	tables('basket');
	flink(q{CREATE TABLE basket_count (start_time TIMESTAMP(3), n BIGINT);
		SET 'execution.runtime-mode' = 'streaming';
		EXECUTE STATEMENT SET BEGIN
			INSERT INTO basket_sum } . sprintf($SUMS, 'basket') . q{;
			INSERT INTO basket_count (n, start_time) SELECT COUNT(*), window_start
			FROM TABLE(TUMBLE(TABLE basket, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end;
		END;});
	is(jobs() =~ s/CREATED|RUNNING/…/gr, 'insert_into_basket_count=… insert_into_basket_sum=…', 'each INSERT is a job');
	advance();
	bid('basket', [ 'tea', '10:00:20' ], [ 'pot', '10:00:30' ], [ 'tea', '10:01:06' ]);
	is(sums('basket'), '10:00pot1*2 10:00tea1*2', 'the first publishes');
	is(sql('SELECT start_time, n FROM basket_count'), '2024-01-01 10:00:00|2', 'and so does the second, into the columns that it names');
	return;
}

sub test_view
{
	tables('glance');
	flink(q{CREATE VIEW of_glance AS } . sprintf($SUMS, 'glance') . q{;
		SET 'execution.runtime-mode' = 'streaming';
		INSERT INTO glance_sum SELECT * FROM of_glance;});
	advance();
	bid('glance', [ 'tea', '10:00:20' ], [ 'tea', '10:01:06' ]);
	is(sums('glance'), '10:00tea1*2', 'a view on windows is a stream, too');
	return;
}

# The table of one job is the stream of the next.
sub test_cascade
{
	tables('minute');
	flink(q{CREATE TABLE minute_n (n BIGINT, rt TIMESTAMP(3), WATERMARK FOR rt AS rt);
		CREATE TABLE hour_n (ws TIMESTAMP(3), n BIGINT);
		SET 'execution.runtime-mode' = 'streaming';
		BEGIN STATEMENT SET;
		INSERT INTO minute_n SELECT COUNT(*), window_time
		FROM TABLE(TUMBLE(TABLE minute, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, window_time;
		INSERT INTO hour_n SELECT window_start, SUM(n)
		FROM TABLE(TUMBLE(TABLE minute_n, DESCRIPTOR(rt), INTERVAL '1' HOUR)) GROUP BY window_start, window_end;
		END;});
	advance();
	bid('minute', [ 'tea', '10:00:20' ], [ 'pot', '10:00:30' ], [ 'tea', '10:59:30' ], [ 'tea', '11:00:05' ]);
	advance();
	is(sql('SELECT ws, n FROM hour_n'), '2024-01-01 10:00:00|3', 'an hour closes with its last minute');
	return;
}

sub test_streams
{
	tables($_) for 'east', 'west';
	flink(q{CREATE TABLE both_n (ws TIMESTAMP(3), n BIGINT);
		CREATE TABLE pair (ws TIMESTAMP(3), item STRING, west_price INT);
		SET 'execution.runtime-mode' = 'streaming';
		CREATE VIEW sides AS SELECT * FROM east UNION ALL SELECT * FROM west;
		INSERT INTO both_n SELECT window_start, COUNT(*)
		FROM TABLE(TUMBLE(TABLE sides, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end;
		INSERT INTO pair SELECT e.window_start, e.item, w.price
		FROM (SELECT * FROM TABLE(TUMBLE(TABLE east, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) AS e
		LEFT JOIN (SELECT * FROM TABLE(TUMBLE(TABLE west, DESCRIPTOR(ts), INTERVAL '1' MINUTE))) AS w
		ON e.item = w.item AND e.window_start = w.window_start AND e.window_end = w.window_end;});
	advance();
	bid('east', [ 'tea', '10:00:20' ], [ 'pot', '10:00:30' ], [ 'tea', '10:01:06' ]);
	is(sql('SELECT count(*) FROM both_n'), 0, 'windows of two streams wait for both');
	bid('west', [ 'tea', '10:00:40' ], [ 'tea', '10:01:06' ]);
	is(sql('SELECT * FROM both_n'), '2024-01-01 10:00:00|3', 'a union has the rows of both');
	is(sql('SELECT * FROM pair ORDER BY item'), "2024-01-01 10:00:00|pot|\n2024-01-01 10:00:00|tea|1", 'a join finds its partners');
	return;
}

sub test_print
{
	tables('shown');
	flink(q{CREATE TABLE shown_print (ws TIMESTAMP(3), item STRING, total INT) WITH ('connector' = 'print', 'print-identifier' = 'out');
		CREATE TABLE shown_black (ws TIMESTAMP(3), item STRING, total INT) WITH ('connector' = 'blackhole')});
	start_job('shown', 'shown_print');
	start_job('shown', 'shown_black');
	my $log_start = -s $node->logfile;
	bid('shown', [ 'tea', '10:00:20' ], [ 'pot', '10:00:30' ], [ 'tea', '10:01:06' ]);
	my @printed = slurp_file($node->logfile, $log_start) =~ /LOG:  (out> .*)/g;
	is(join(' ', sort @printed), 'out> +I[2024-01-01T10:00, pot, 1] out> +I[2024-01-01T10:00, tea, 1]', 'results are printed into the log of the server');
	unlike(slurp_file($node->logfile, $log_start), qr/CONTEXT:.*shown_print/, 'and nothing beside them');
	is(sql('SELECT count(*) FROM shown_print'), 0, 'and not stored');
	is(sql(q{SELECT n_results FROM watermark.queries WHERE name = 'insert_into_shown_black'}), 2, 'those of blackhole are counted');
	is(sql('SELECT count(*) FROM shown_black'), 0, 'and not stored');
	return;
}

sub test_stop
{
	tables('paused');
	tables('drained');
	start_job('paused');
	start_job('drained');
	bid('paused', [ 'tea', '10:00:20' ]);
	bid('drained', [ 'tea', '10:00:20' ]);

	flink(q{STOP JOB 'insert_into_paused_sum' WITH SAVEPOINT; STOP JOB 'insert_into_drained_sum' WITH SAVEPOINT WITH DRAIN});
	advance();
	is(jobs(), 'insert_into_drained_sum=FINISHED insert_into_paused_sum=SUSPENDED', 'jobs are stopped');
	is(sums('paused'), '', 'with a savepoint, windows stay open');
	is(sums('drained'), '10:00tea1*2', 'drained, they are published');
	is(sql(q{SELECT flink_prepare('job', 'DESCRIBE JOB ''insert_into_paused_sum''')}, 'EXECUTE job') =~ s/^\n//r =~ s/\|[^|]*$//r,
		'insert_into_paused_sum|insert_into_paused_sum|SUSPENDED', 'DESCRIBE JOB shows one of them');

	bid('paused', [ 'tea', '10:01:06' ]);
	is(sums('paused'), '', 'it does not go on');
	take_in(q{SELECT watermark.resume_query('insert_into_paused_sum')});
	is(sums('paused'), '10:00tea1*2', 'until it is resumed, and then nothing is missing');

	flink(q{STOP JOB 'insert_into_paused_sum'});
	is(jobs(), 'insert_into_drained_sum=FINISHED', 'without a savepoint it is gone');
	is(sums('paused'), '10:00tea1*2', 'its table is not');
	return;
}

sub test_failure
{
	tables('refused');
	sql(q{ALTER TABLE refused_sum__source ADD CHECK (total < 2)});
	start_job('refused');
	bid('refused', [ 'tea', '10:00:20' ], [ 'tea', '10:00:30' ], [ 'tea', '10:01:06' ]);
	is(jobs(), 'insert_into_refused_sum=RESTARTING', 'a job that is tried again is restarting');
	return;
}

sub test_options
{
	tables('named');
	flink(q{SET 'execution.runtime-mode' = 'streaming'; SET 'pipeline.name' = 'Sums of sales';
		SET 'table.exec.source.idle-timeout' = '1 min'; INSERT INTO named_sum } . sprintf $SUMS, 'named');
	is(sql(q{SELECT name, idle_timeout FROM watermark.queries}), 'Sums of sales|00:01:00', 'a job has the name and the idle timeout that are set');
	my ($status, $out, $error) = $node->psql('postgres', q{SELECT flink_sql('SET ''execution.runtime-mode'' = ''streaming''') \gexec}
		. "\n" . q{SELECT flink_sql('INSERT INTO named_sum } . (sprintf($SUMS, 'named') =~ s/'/''/gr) . q{') \gexec});
	is($out, 'insert_into_named_sum', 'in psql INSERT shows the id of the job');
	return;
}
