# Queries of many kinds over two streams, event and other, for tests that compare what
# each publishes with what it gives by hand.
#
# A kind has a text, in which {event}, {other} and {zoned} stand for the streams, {late}
# for what leaves out windows that a row has missed, and {kept} for the columns that this
# reads, where a subquery hands them on: nothing of that where the query is continuous.
# Of {one_of} rows one is joined with others.  A kind has its conditions on rows as where,
# and the time zone of the session as zone.
package ContinuousMix;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(%kind $one_of create_streams mix_names create_mix text_by_hand streams_of condition_of differences_to_late_rows);
our $one_of = 4;

my $TUMBLE = q{TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' SECOND)};
my $ROWS = "(SELECT window_start, window_end, k, id FROM {%s} AS e, $TUMBLE WHERE {late} AND id %% {one_of} = 0)";
my $SUMS = "(SELECT window_start, window_end, k, count(*) AS n, sum(id) AS total FROM {%s} AS e, $TUMBLE WHERE {late} GROUP BY window_start, window_end, k)";
my $SAME = 'l.window_start = r.window_start AND l.window_end = r.window_end AND l.k = r.k';

our %kind = (
	per_key => {
		text => "SELECT window_start, window_end, window_time, k, count(*) AS n, sum(id) AS total, max(name) AS name FROM {event} AS e, $TUMBLE
			WHERE {late} GROUP BY window_start, window_end, window_time, k",
	},
	grouped => {
		text => q{SELECT window_start AS started, name, avg(v) AS mean FROM {event} AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND)
			WHERE {late} GROUP BY window_start, window_end, name HAVING count(*) > 1},
		continuous => q{SELECT tumble_start(ts, INTERVAL '0.5' SECOND) AS started, name, avg(v) AS mean FROM event
			GROUP BY tumble(ts, INTERVAL '0.5' SECOND), name HAVING count(*) > 1},
	},
	sliding => {
		text => q{SELECT window_end, k, count(*) AS n, max(name) AS name FROM {event} AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND, INTERVAL '2' SECOND)
			WHERE {late} AND k <> 5 GROUP BY window_start, window_end, k},
		where => 'k <> 5',
	},
	growing => {
		text => q{SELECT window_end, k, count(DISTINCT name) AS names, sum(id) AS total
			FROM {event} AS e, CUMULATE(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND, INTERVAL '3' SECOND) WHERE {late} GROUP BY window_start, window_end, k},
	},
	# An hour of the view is a second, and clocks are put forward.
	zoned => {
		text => q{SELECT window_start, window_end, count(*) AS n, sum(id) AS total FROM {zoned} AS e, HOP(e, DESCRIPTOR(zoned), INTERVAL '2' HOUR, INTERVAL '6' HOUR)
			WHERE {late} GROUP BY window_start, window_end},
		zone => 'Europe/Berlin',
	},
	dimension => {
		text => "SELECT window_end, category, sum(v) AS total FROM {event} AS e JOIN item USING (k), $TUMBLE WHERE {late} GROUP BY window_start, window_end, category",
		where => 'k IN (SELECT k FROM item)',
	},
	top => {
		text => "SELECT * FROM (
				SELECT window_end, k, count(*) AS n, row_number() OVER (PARTITION BY window_end ORDER BY count(*) DESC, k) AS place
				FROM {event} AS e, $TUMBLE WHERE {late} GROUP BY window_start, window_end, k) AS ranked WHERE place <= 3",
	},
	top_rows => {
		text => "SELECT * FROM (
				SELECT window_start, window_end, id, v, row_number() OVER (PARTITION BY window_start, window_end, k ORDER BY v DESC, id) AS place
				FROM {event} AS e, $TUMBLE WHERE {late}) AS ranked WHERE place <= 2",
	},
	ordered => {
		text => q{SELECT window_end, count(DISTINCT v) AS values, percentile_disc(0.5) WITHIN GROUP (ORDER BY id) AS middle, string_agg(name, '' ORDER BY id) AS names
			FROM {event} AS e, HOP(e, DESCRIPTOR(ts), INTERVAL '0.5' SECOND, INTERVAL '1' SECOND) WHERE {late} GROUP BY window_start, window_end},
	},
	sets => {
		text => "SELECT window_end, k, name, grouping(k, name) AS what, count(*) AS n, sum(id) AS total FROM {event} AS e, $TUMBLE
			WHERE {late} GROUP BY window_start, window_end, GROUPING SETS ((), (k), (k, name))",
	},
	united => {
		text => "SELECT window_end, k, what, count(*) AS n, sum(id) AS total
			FROM (SELECT ts, k, id, 1 AS what {kept} FROM {event} UNION ALL SELECT ts, k, id, 2 {kept} FROM {other} WHERE k <> 3) AS e, $TUMBLE
			WHERE {late} GROUP BY window_start, window_end, k, what",
		where_other => 'k <> 3',
	},
	matched => {
		text => "SELECT l.window_end, l.k, l.id AS one, r.id AS another FROM " . sprintf("$ROWS AS l JOIN $ROWS AS r ON $SAME", 'event', 'other'),
		where => 'id % {one_of} = 0',
	},
	on_the_left => {
		text => 'SELECT l.window_start, l.window_end, l.k, l.n, r.total FROM ' . sprintf("$SUMS AS l LEFT JOIN $SUMS AS r ON $SAME AND r.n > 3", 'event', 'other'),
	},
	on_both_sides => {
		text => 'SELECT coalesce(l.window_end, r.window_end) AS window_end, l.k, l.n, r.k AS other_k, r.total FROM '
		  . sprintf("$SUMS AS l FULL JOIN $SUMS AS r ON $SAME", 'event', 'other'),
	},
	unmatched => {
		text => 'SELECT window_end, k, n FROM '
		  . sprintf("$SUMS AS l WHERE (window_start, window_end, k) NOT IN (SELECT window_start, window_end, k FROM $SUMS AS r WHERE r.n %% 3 > 0)", 'event', 'other'),
	},
	# Over what another query publishes, of which nothing is late.
	above => {
		text => q{SELECT o.window_start, o.window_end, sum(n) AS n, count(*) AS results
			FROM per_key AS e, TUMBLE(e, DESCRIPTOR(window_time), INTERVAL '3' SECOND) AS o GROUP BY o.window_start, o.window_end},
		is_above => 1,
	},
);

# The tables, and the view, which has the time of the table times 3,600, from the evening
# on before clocks are put forward.
sub create_streams
{
	my ($node, $start, $delay) = @_;
	my $zoned = "(timestamptz '2024-03-30 20:00+00' + (ts - timestamp '$start') * 3600)";

	$node->safe_psql('postgres', qq{
		CREATE TABLE event (id bigserial, tx int, k int, name text, v numeric, ts timestamp(3), CHECK (watermark_for(ts, ts - INTERVAL '$delay')));
		CREATE TABLE other (LIKE event INCLUDING ALL);
		CREATE VIEW zoned_event AS SELECT *, $zoned AS zoned FROM event WHERE watermark_for($zoned, $zoned - INTERVAL '$delay' * 3600);
		CREATE TABLE item (k int PRIMARY KEY, category text);
		INSERT INTO item SELECT i, 'c' || i % 3 FROM generate_series(0, 7) AS i});
	return;
}

# The kinds, those over what others publish last.
sub mix_names
{
	my $is_above = sub { $kind{ $_[0] }{is_above} // 0 };

	return sort { $is_above->($a) <=> $is_above->($b) || $a cmp $b } keys %kind;
}

# A query of a kind, and of that name unless another is given.
sub create_mix
{
	my ($node, $kind, $name) = @_;
	my $zone = $kind{$kind}{zone} // 'UTC';
	my $text = $kind{$kind}{continuous} // text_by_hand($kind, 'true', '', event => 'event', other => 'other', zoned => 'zoned_event');

	$node->safe_psql('postgres', q{SELECT set_watermark('per_key', 'window_time', 'window_time')}) if $kind{$kind}{is_above};
	$node->safe_psql('postgres', sprintf q{SET timezone = '%s'; SELECT watermark.create_query('%s', $q$%s$q$)}, $zone, $name // $kind, $text);
	return;
}

# The text over other sources, by name, that leaves out what is late; columns are what it
# needs for that.
sub text_by_hand
{
	my ($kind, $late, $columns, %source) = @_;

	return $kind{$kind}{text} =~ s/\{(event|other|zoned)\}/$source{$1}/gr =~ s/\{one_of\}/$one_of/gr =~ s/\{kept\}/$columns/gr =~ s/\{late\}/($late)/gr =~
	  s/WHERE \(true\) AND /WHERE /gr =~ s/WHERE \(true\)//gr;
}

# The streams that a kind reads, as they are in its text.
sub streams_of
{
	my ($kind) = @_;

	return $kind{$kind}{is_above} ? () : grep { $kind{$kind}{text} =~ /\{$_\}/ } qw(event other zoned);
}

# Which rows of a stream come to the window.
sub condition_of
{
	my ($kind, $stream) = @_;
	my $condition = ($stream eq 'other' ? $kind{$kind}{where_other} : undef) // $kind{$kind}{where} // 'true';

	return $condition =~ s/\{one_of\}/$one_of/gr;
}

# Of a query that is drained: results that are missing, and results too many, by the query
# by hand but for the windows that late rows are noted to have missed; whether it has
# counted each row, and noted late ones, once.  Nothing of it is late for a query over the
# results of another.
sub differences_to_late_rows
{
	my ($node, $kind, $name) = @_;
	my $type = $kind{$kind}{zone} ? 'timestamptz' : 'timestamp';
	my $zone = $kind{$kind}{zone} // 'UTC';
	my $source = sub { $_[0] eq 'zoned' ? 'zoned_event' : $_[0] };
	my %judged = map { ($_ => "judged_$_") } streams_of($kind);
	my $by_hand = text_by_hand($kind, '(missed < window_end) IS NOT FALSE', ', missed', %judged);
	my $rows = join ' + ', map { "(SELECT count(*) FROM @{[ $source->($_) ]} WHERE @{[ condition_of($kind, $_) ]})" } streams_of($kind);
	my $views = join '', map {
		my $table = $_ eq 'zoned' ? 'event' : $_;

		qq{CREATE TEMP TABLE missed_$_ AS SELECT (source_row->>'id')::bigint AS id, window_end::$type AS missed
			FROM watermark.late_rows WHERE query = '$name' AND source = '$table'::regclass;
		CREATE TEMP VIEW judged_$_ AS SELECT s.*, missed FROM @{[ $source->($_) ]} AS s LEFT JOIN missed_$_ USING (id);} } streams_of($kind);

	$rows ||= '(SELECT count(*) FROM per_key)';
	return $node->safe_psql('postgres', qq{SET timezone = '$zone'; $views
		CREATE TEMP TABLE by_hand AS $by_hand;
		SELECT (SELECT count(*) FROM (TABLE by_hand EXCEPT ALL TABLE $name) AS missing), (SELECT count(*) FROM (TABLE $name EXCEPT ALL TABLE by_hand) AS extra);
		SELECT open, set_aside, is_complete, rows_in = $rows,
			late = (SELECT count(*) FROM watermark.late_rows WHERE query = '$name' AND reason = 'late'),
			(SELECT count(*) = count(DISTINCT (source, source_row->>'id')) FROM watermark.late_rows WHERE query = '$name')
		FROM watermark.audit('$name')});
}

1;
