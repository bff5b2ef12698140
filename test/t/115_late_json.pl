# Late rows are kept as jsonb, whatever values of json they have.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

test_each([ 'rows that are late or set aside', \&test_late ], [ 'the row that moved a watermark', \&test_moved ],
	[ 'rows that are too wide', \&test_wide ]);

sub make_stream
{
	my ($name) = @_;

	sql('CREATE DOMAIN message_of_' . $name . ' AS json', qq{CREATE TABLE $name (id int, j json, d message_of_$name, a json[], t text, ts timestamp,
		CHECK (watermark_for(ts, ts)))});
	return;
}

sub insert
{
	my ($name, @rows) = @_;

	sql("INSERT INTO $name VALUES $_") for @rows;
	advance();
	return;
}

sub test_late
{
	make_stream('sent');
	query('per_minute', q{SELECT window_start, count(*) AS n FROM sent AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end});
	insert('sent', q{(1, '{"a": 1}', NULL, NULL, 'on time', '2024-01-01 10:05')},
		q{(2, '{"a": "\u0000"}', '{"b": 2}', '{1}', '\u0000', '2024-01-01 10:00')},
		q{(3, '{"a": 3}', '"\ud800"', NULL, NULL, NULL)},
		q{(4, NULL, '4', ARRAY['1e1000000', '1']::json[], NULL, NULL)},
		q{(5, '{"a": "\\\\u0000"}', NULL, NULL, NULL, NULL)});
	is(sql(q{SELECT state, error FROM watermark.queries}), 'running|', 'the query goes on');
	is(sql(q{SELECT reason, source_row - 'ts' FROM watermark.late_rows ORDER BY (source_row->>'id')::int}), <<~'END' =~ s/\n\z//r, 'what jsonb refuses is kept as text');
		late|{"a": [1], "d": {"b": 2}, "j": "{\"a\": \"\\u0000\"}", "t": "\\u0000", "id": 2}
		null|{"a": null, "d": "\"\\ud800\"", "j": {"a": 3}, "t": null, "id": 3}
		null|{"a": "{1e1000000,1}", "d": 4, "j": null, "t": null, "id": 4}
		null|{"a": null, "d": null, "j": {"a": "\\u0000"}, "t": null, "id": 5}
		END
	return;
}

sub test_moved
{
	make_stream('seen');
	sql(q{SELECT watermark.track('seen')});
	insert('seen', q{(1, '"\u0000"', NULL, NULL, NULL, '2024-01-01 10:05')});
	is(sql(q{SELECT state, error, watermark, moved_by->>'j' FROM watermark.streams WHERE query IS NULL}),
		q{running||2024-01-01 10:05:00|"\u0000"}, 'is kept in the same way');
	return;
}

# Of what does not fit into a jsonb the size is kept.
sub test_wide
{
	sql('CREATE TABLE wide (id int, a text, b bytea, ts timestamp, CHECK (watermark_for(ts, ts)))', 'ALTER TABLE wide ALTER a SET STORAGE EXTENDED');
	query('of_wide', q{SELECT window_start, count(*) AS n FROM wide AS e, TUMBLE(e, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end});
	insert('wide', q{(1, 'short', repeat('x', 40000000)::bytea, '2024-01-01 10:05')}, q{(2, repeat('y', 40000000), 'z', '2024-01-01 10:00')});
	is(sql(q{SELECT state, error FROM watermark.queries}), 'running|', 'the query goes on');
	is(sql(q{SELECT moved_by - 'ts' FROM watermark.streams}), '{"a": "short", "b": "(40000000 bytes)", "id": 1}', 'the row that moved the watermark');
	is(sql(q{SELECT source_row - 'ts' FROM watermark.late_rows}), '{"a": "(40000000 bytes)", "b": "\\\\x7a", "id": 2}', 'a late row');
	return;
}
