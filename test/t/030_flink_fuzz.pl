# Damaged statements of Flink SQL: each is translated or refused, and nothing else
# happens.  The short form of bench/flink_fuzz.pl.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('fuzz');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION apply_watermark');

local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
my ($out, $err);
my $is_good = IPC::Run::run([ $^X, 'bench/flink_fuzz.pl', '--seed', '2024', '--count', '800', '--batch', '400' ],
	'>', \$out, '2>', \$err);

ok($is_good, 'no input does worse than to be refused') or diag($out, $err);
like($out, qr/^flink_fuzz: 800 inputs from seed 2024, [1-9]\d* translated, refused: .*\b[1-9]\d* 42601\b.*; 0 failures$/m,
	'some inputs are translated, and some refused');
unlike(slurp_file($node->logfile), qr/TRAP|PANIC|terminated by signal/, 'the server has logged no crash');
$node->stop;
done_testing();
