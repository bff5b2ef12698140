# Which rows of a table of events are late, which windows are closed, and what a query
# gives over the others: told by SQL from the rows alone, for a table that one session
# writes, so that the order of arrival is that of the identifiers.
package ContinuousOracle;

use strict;
use warnings;

use Exporter 'import';
use Test::More;

our @EXPORT = qw(create_events insert_events create_query check_query);

my $clock = 0;		# seconds of event time
my $tx = 0;
my %history_end;	# the last row of a query's history

# The table, and a view of it with a zoned rowtime.
sub create_events
{
	my ($node) = @_;

	$node->safe_psql('postgres', q{
		CREATE EXTENSION apply_watermark;
		CREATE TABLE event (
			id bigserial PRIMARY KEY, tx int, k int, name text, v numeric, ts timestamp(3), zoned timestamptz,
			CHECK (watermark_for(ts, ts - INTERVAL '20' SECOND)));
		CREATE VIEW zoned_event AS SELECT * FROM event WHERE watermark_for(zoned, zoned - INTERVAL '20' SECOND);
		CREATE TABLE item (k int PRIMARY KEY, category text);
		INSERT INTO item SELECT i, 'c' || i % 3 FROM generate_series(0, 7) AS i});
	return;
}

# Rows in one transaction; about one of ten is up to a minute and a half late.
sub insert_events
{
	my ($node, $n) = @_;
	my @rows;

	$tx++;
	for (1 .. $n)
	{
		$clock += rand(3);
		my $at = $clock - (rand() < 0.1 ? rand(90) : rand(15));
		# Windows close, and begin, at the last and the first moment.
		$at = 30 * int($clock / 30) + (19.998, 19.999, 20, 29.999, 0)[ rand 5 ] if rand() < 0.2;
		my $ts = sprintf q{timestamp '2024-03-31 00:50:00' + %.3f * INTERVAL '1 second'}, $at;
		my $odd = int(rand(120));
		my $rowtime = $odd == 0 ? 'NULL' : $odd == 1 ? q{'-infinity'} : $odd == 2 ? q{'infinity'} : $ts;
		my $name = rand() < 0.2 ? 'NULL' : sprintf q{'n%d'}, rand(4);

		push @rows, sprintf '(%d, %d, %s, %.2f, %s, (%s) AT TIME ZONE \'UTC\')', $tx, rand(9), $name, rand(100),
		  $rowtime, $rowtime eq $ts ? $ts : 'NULL';
	}
	$node->safe_psql('postgres', 'INSERT INTO event (tx, k, name, v, ts, zoned) VALUES ' . join ', ', @rows);
	return;
}

# A query is the text, with %s for the source; of the windows the size and the offset;
# where and join, conditions that leave rows out; time, source and granule where they
# are not those of the table; and whether it is_on_event.
sub create_query
{
	my ($node, $name, $query) = @_;
	my $text = sprintf $query->{text}, $query->{source} // 'event';

	$history_end{$name} = $node->safe_psql('postgres', 'SELECT coalesce(max(id), 0) FROM event');
	$node->safe_psql('postgres', sprintf q{SET timezone = 'Europe/Berlin'; SELECT watermark.create_query('%s', $q$%s$q$%s)},
		$name, $text, $query->{is_on_event} ? q{, emit_watermark => 'on event'} : '');
	return;
}

# Compares the sink, late rows and counts of a query with the oracle.
sub check_query
{
	my ($node, $label, $name, $query, $is_drained) = @_;
	my $time = $query->{time} // 'ts';
	my $source = $query->{source} // 'event';
	my $granule = $query->{granule} // '1 millisecond';
	my $before = 'RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';
	my $order = $query->{is_on_event} ? "greatest(id, $history_end{$name})" : 'tx';
	my $where = $query->{where} // 'true';
	my $join = $query->{join} // 'true';
	my $offset = $query->{offset} // '0';

	# The window of a row, the watermark before it, and the last watermark.
	my $result = $node->safe_psql('postgres', sprintf q{
		CREATE TEMP VIEW judged AS
		WITH timed AS (
			SELECT *, CASE WHEN isfinite(%1$s) THEN %1$s END AS finite FROM %2$s),
		marked AS (
			SELECT *, max(finite - INTERVAL '20' SECOND) OVER (ORDER BY %3$s %4$s) AS before,
				max(finite - INTERVAL '20' SECOND) OVER () AS last,
				date_bin('%5$s', finite, %13$s '2024-01-01 00:00' + INTERVAL '%6$s') + INTERVAL '%5$s' - INTERVAL '%7$s' AS closes_at
			FROM timed)
		SELECT *, finite IS NULL AS is_aside, coalesce(before >= closes_at, false) AS is_late, last >= closes_at OR %8$s AS is_closed
		FROM marked WHERE (%9$s) AND (%10$s);
		CREATE TEMP VIEW in_time AS SELECT * FROM judged WHERE NOT is_aside AND NOT is_late AND is_closed;
		SET timezone = 'Europe/Berlin';
		CREATE TEMP TABLE expected AS %11$s;
		SELECT
			(SELECT count(*) FROM (TABLE expected EXCEPT ALL TABLE %12$s) AS missing) AS missing,
			(SELECT count(*) FROM (TABLE %12$s EXCEPT ALL TABLE expected) AS extra) AS extra;
		SELECT (SELECT (count(*) FILTER (WHERE NOT is_aside AND NOT is_late AND is_closed), count(*) FILTER (WHERE NOT is_aside AND NOT is_late AND NOT is_closed),
				count(*) FILTER (WHERE is_late), count(*) FILTER (WHERE is_aside), count(*), true) FROM judged) = watermark.audit('%12$s');
		SELECT (SELECT count(*) FROM judged WHERE is_late OR is_aside) || ' late rows: ' ||
			(SELECT count(*) FROM (
				(SELECT id, CASE WHEN is_late THEN 'late' WHEN %1$s IS NULL THEN 'null' ELSE 'not finite' END FROM judged WHERE is_late OR is_aside)
				EXCEPT ALL
				(SELECT (source_row->>'id')::bigint, reason FROM watermark.late_rows WHERE query = '%12$s')) AS d) || ' missing, ' ||
			(SELECT count(*) - (SELECT count(*) FROM judged WHERE is_late OR is_aside) FROM watermark.late_rows WHERE query = '%12$s') || ' more'},
		$time, $source, $order, $before, $query->{size}, $offset, $granule, $is_drained ? 'true' : 'false', $where, $join,
		sprintf($query->{text}, 'in_time'), $name, $time eq 'ts' ? 'timestamp' : 'timestamptz');

	my $is_equal = like($result, qr/\A0\|0\nt\n\d+ late rows: 0 missing, 0 more\z/, "$label: $name");
	diag $node->safe_psql('postgres', "SELECT * FROM watermark.audit('$name')") if !$is_equal;
	return $is_equal;
}

1;
