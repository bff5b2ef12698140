# The manual has all that a user of continuous queries may call, read and set.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tree = "$FindBin::RealBin/../..";
my $reference = slurp_file("$tree/doc/continuous_reference.md");
my $kinds = slurp_file("$tree/doc/continuous_kinds.md");
my $readme = slurp_file("$tree/README.md");
my $node = PostgreSQL::Test::Cluster->new('main');

$node->init;
$node->append_conf('postgresql.conf', q{shared_preload_libraries = 'apply_watermark'});
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');

# Functions with a comment are for users, and so are views that PUBLIC may read; of these
# some are only read by others.
my @functions = rows(q{SELECT proname, coalesce(proargnames, '{}') FROM pg_proc
	WHERE pronamespace = 'watermark'::regnamespace AND obj_description(oid, 'pg_proc') IS NOT NULL AND proname <> 'time_text'});
my @columns = rows(q{SELECT relname, attname, format_type(atttypid, atttypmod) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
	WHERE relnamespace = 'watermark'::regnamespace AND relkind = 'v' AND attnum > 0 AND relname NOT IN ('counts', 'stream_watermarks')});
my @settings = rows(q{SELECT name FROM pg_settings WHERE name LIKE 'apply\_watermark.%'});

for (@functions)
{
	my ($name, $arguments) = @$_;
	my $text = section($reference, qr/\b$name\(/);

	isnt($text, '', "$name() has a section");
	my @missing = grep { $text !~ /\b$_\b/ } $arguments =~ /\w+/g;
	is("@missing", '', "with all its arguments and columns");
}
for (@columns)
{
	my ($view, $column) = @$_;

	like(section($reference, qr/^$view$/), qr/^\|[^|]*`$column`/m, "column $column of $view is described");
}
for (@settings)
{
	my $name = $_->[0] =~ s/.*\.//r;

	like("$reference$readme", qr/^\|[^|]*`(?:apply_watermark\.)?$name`/m, "setting $name is described");
}

# What is refused by a name of SQL is in the list.
for my $construct (qw(SESSION LIMIT OFFSET DISTINCT TABLESAMPLE), 'FOR UPDATE', 'WITH RECURSIVE')
{
	like(section($kinds, qr/What is refused/), qr/\b$construct\b/, "$construct is in the list of what is refused");
}
$node->stop;
done_testing();

sub rows
{
	my ($query) = @_;

	return map { [ split /\|/ ] } split /\n/, $node->safe_psql('postgres', $query);
}

# The first heading that matches, with the text up to the next one; empty if there is none.
sub section
{
	my ($page, $heading) = @_;

	for my $part (split /^(?=#+ )/m, $page)
	{
		my ($title) = $part =~ /^#+ (.*)/;

		return $part if defined $title && $title =~ $heading;
	}
	return '';
}
