# What is altered of a sink: the query follows, or fails with words, and goes on when the
# results fit again; each is there once.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use ContinuousNode;
use Test::More;

my $minute = 0;

test_each(
	[ 'columns', \&test_columns ],
	[ 'names', \&test_names ],
	[ 'row security', \&test_policies ],
	[ 'triggers', \&test_triggers ],
	[ 'rules', \&test_rules ],
	[ 'a sink that goes', \&test_gone ]);

# A query of this name, and its stream.
sub begin
{
	my ($name) = @_;

	$minute = 0;
	stream("${name}_s", 'timestamp', 'ts');
	per_minute($name, "${name}_s");
	arrive("${name}_s", '10:00');
	return;
}

# Statements, and a row that closes a window: the error of the query.
sub error_after
{
	my ($name, @statements) = @_;

	sql(@statements) if @statements;
	$minute++;
	arrive("${name}_s", "10:0$minute");
	return sql("SELECT error FROM watermark.queries WHERE name = '$name'");
}

# The query goes on after some statements, and nothing is missing or there twice.
sub goes_on
{
	my ($label, $name, $sink, @statements) = @_;

	sql(@statements, "SELECT watermark.resume_query('$name')");
	advance();
	is(sql("SELECT error FROM watermark.queries WHERE name = '$name'"), '', "$label: it goes on");
	is(sql("SELECT count(DISTINCT window_start), count(*) FROM $sink"), "$minute|$minute", "$label: all results are there, once");
	return;
}

sub test_columns
{
	begin('cols');
	is(error_after('cols', q{ALTER TABLE cols ADD more text DEFAULT 'x', ADD at timestamptz DEFAULT now()}), '', 'a column that is added');
	is(error_after('cols', 'ALTER TABLE cols ALTER n TYPE int, ALTER s TYPE numeric(9,2)'), '', 'another type that takes the values');
	is(error_after('cols', 'ALTER TABLE cols ALTER n TYPE smallint'), '', 'a smaller one');
	is(error_after('cols', 'ALTER TABLE cols DROP s'), 'sink "cols" has no column "s"', 'a column that is dropped');
	goes_on('a column again', 'cols', 'cols', 'ALTER TABLE cols ADD s bigint');
	is(error_after('cols', 'ALTER TABLE cols RENAME s TO t'), 'sink "cols" has no column "s"', 'a column of another name');
	goes_on('its name again', 'cols', 'cols', 'ALTER TABLE cols RENAME t TO s');
	is(error_after('cols', 'ALTER TABLE cols ALTER s TYPE text'), '', 'a text');
	like(error_after('cols', 'ALTER TABLE cols ALTER s TYPE date USING NULL'), qr/^column "s" is of type date but expression is of type bigint$/, 'a type that does not take the values');
	goes_on('the type again', 'cols', 'cols', 'ALTER TABLE cols ALTER s TYPE bigint USING NULL');
	like(error_after('cols', 'ALTER TABLE cols ADD must int NOT NULL DEFAULT 1', 'ALTER TABLE cols ALTER must DROP DEFAULT'), qr/null value in column "must" .* violates not-null constraint/,
		'a column that wants a value');
	goes_on('a default', 'cols', 'cols', 'ALTER TABLE cols ALTER must SET DEFAULT 1');
	is(error_after('cols', 'UPDATE cols SET s = 0', 'ALTER TABLE cols ALTER s SET NOT NULL', 'ALTER TABLE cols ALTER s ADD GENERATED ALWAYS AS IDENTITY'), 'sink "cols" generates the values of column "s"', 'one that has its own');
	goes_on('none', 'cols', 'cols', 'ALTER TABLE cols ALTER s DROP IDENTITY');
	return;
}

sub test_names
{
	begin('names');
	is(error_after('names', 'BEGIN', 'ALTER TABLE names RENAME TO renamed', 'CREATE SCHEMA "S s"', 'ALTER TABLE renamed SET SCHEMA "S s"', q{INSERT INTO names_s (ts) VALUES ('2024-01-01 10:00')},
		'ALTER SCHEMA "S s" RENAME TO other', 'COMMIT', 'CREATE TABLE names (LIKE other.renamed)'), '', 'names are followed');
	is(sql('SELECT (SELECT count(*) FROM names), (SELECT n FROM other.renamed)'), '0|2', 'to the table, not to another of that name');
	return;
}

sub test_policies
{
	sql('CREATE ROLE maker', 'GRANT CREATE ON SCHEMA public TO maker', 'GRANT EXECUTE ON FUNCTION watermark.create_query TO maker');
	$minute = 0;
	stream('pol_s', 'timestamp', 'ts');
	sql('CREATE TABLE pol (window_start timestamp, n bigint, s bigint)', 'GRANT SELECT, INSERT ON pol TO maker', 'GRANT SELECT ON pol_s TO maker', 'SET ROLE maker',
		sprintf q{SELECT watermark.create_query('pol', $$%s$$)}, sprintf $PER_MINUTE, 'pol_s');
	arrive('pol_s', '10:00');
	is(error_after('pol', 'ALTER TABLE pol ENABLE ROW LEVEL SECURITY', 'CREATE POLICY most ON pol FOR INSERT WITH CHECK (n < 2)'), '', 'a policy that lets results in');
	sql(q{INSERT INTO pol_s (ts) VALUES ('2024-01-01 10:01')});
	is(error_after('pol'), 'new row violates row-level security policy for table "pol"', 'or does not');
	goes_on('another policy', 'pol', 'pol', 'ALTER POLICY most ON pol WITH CHECK (n < 3)');
	return;
}

sub test_triggers
{
	begin('trig');
	sql(q{CREATE FUNCTION doubles() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.n = NEW.n * 2; RETURN NEW; END'});
	is(error_after('trig', 'CREATE TRIGGER d BEFORE INSERT ON trig FOR EACH ROW EXECUTE FUNCTION doubles()'), '', 'a trigger that is added');
	is(sql('SELECT n FROM trig'), 2, 'fires');
	is(error_after('trig', 'CREATE CONSTRAINT TRIGGER later AFTER INSERT ON trig DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION doubles()'),
		'sink "trig" has a deferred trigger, "later"', 'one that is deferred cannot');
	goes_on('without it', 'trig', 'trig', 'DROP TRIGGER later ON trig');
	is(error_after('trig', 'CREATE TABLE key (n bigint PRIMARY KEY)', 'INSERT INTO key VALUES (2), (1)', 'ALTER TABLE trig ADD CONSTRAINT to_key FOREIGN KEY (n) REFERENCES key'), '',
		'a foreign key that is looked at at once');
	is(error_after('trig', 'ALTER TABLE trig ALTER CONSTRAINT to_key DEFERRABLE INITIALLY DEFERRED'), 'sink "trig" has a deferred constraint, "to_key"', 'one that is deferred cannot be');
	goes_on('at once', 'trig', 'trig', 'ALTER TABLE trig ALTER CONSTRAINT to_key DEFERRABLE INITIALLY IMMEDIATE');
	return;
}

# A rule would take results elsewhere, or come to nothing.
sub test_rules
{
	my $rule = qr/sink "\w+" has a rule for INSERT, "r"/;

	sql('CREATE TABLE elsewhere (n bigint)', 'CREATE TABLE ruled (window_start timestamp, n bigint, s bigint)', 'CREATE RULE r AS ON INSERT TO ruled DO INSTEAD NOTHING');
	begin('rule');
	refuses('a sink with a rule', sprintf(q{SELECT watermark.create_query('ruled', $$%s$$)}, sprintf $PER_MINUTE, 'rule_s'), qr/$rule.*HINT:  Use a trigger/s);
	for my $action ('INSTEAD NOTHING', 'INSTEAD INSERT INTO elsewhere VALUES (NEW.n)', 'ALSO INSERT INTO elsewhere VALUES (NEW.n)')
	{
		like(error_after('rule', "CREATE RULE r AS ON INSERT TO rule DO $action"), qr/^$rule$/, "DO $action");
		goes_on('without it', 'rule', 'rule', 'DROP RULE r ON rule');
	}
	is(error_after('rule', 'CREATE RULE r AS ON UPDATE TO rule DO INSTEAD NOTHING'), '', 'one for UPDATE is none of our business');
	return;
}

sub test_gone
{
	begin('gone');
	is(error_after('gone', 'DROP TABLE gone'), 'the sink of continuous query "gone" does not exist any more', 'it is said');
	is(sql('SELECT state, n_attempts > 0 FROM watermark.queries'), 'running|t', 'and tried again');
	sql(q{SELECT watermark.drop_query('gone')});
	is(sql('SELECT count(*) FROM watermark.queries'), 0, 'the query can be dropped');
	return;
}
