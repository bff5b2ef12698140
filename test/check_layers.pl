#!/usr/bin/perl
#
# Checks the direction of the layers: a file includes headers of its own layer
# or of a lower one, and each layer keeps away from what it may not know.
#
#	check_layers.pl DIRECTORY

use strict;
use warnings;

my %layer = (
	window => 0,
	watermark => 0,
	timevalue => 1,
	javatime => 1,
	csv => 1,
	aggstate => 1,
	aggtransition => 1,
	aggown => 1,
	distinctset => 1,
	ranklist => 1,
	grouptable => 1,
	slicespill => 2,
	slicesize => 2,
	sliceportion => 2,
	slicestore => 2,
	windowkeys => 2,
	windowop => 2,
	grouprecord => 2,
	openslices => 2,
	openrows => 2,
	windowsums => 2,
	state => 2,
	timeline => 2,
	definition => 3,
	deparse => 3,
	catalog => 3,
	query => 3,
	querytree => 3,
	queryclass => 3,
	querycheck => 3,
	queryrole => 3,
	querysource => 3,
	queryanalysis => 3,
	querycut => 3,
	querywindow => 3,
	queryrows => 3,
	queryends => 3,
	querybranch => 3,
	part => 3,
	stream => 3,
	streams => 3,
	querystream => 3,
	queryplan => 3,
	groupterm => 3,
	capture => 3,
	arrival => 3,
	timetravel => 3,
	source_csv => 3,
	sink => 3,
	checkpoint => 3,
	latejournal => 3,
	queryview => 3,
	input => 3,
	rowjson => 3,
	preview => 3,
	eventlog => 3,
	retention => 3,
	announcement => 3,
	horizon => 3,
	seen => 3,
	identity => 3,
	continuous => 3,
	history => 3,
	attempt => 3,
	coverage => 3,
	crash => 3,
	engine => 4,
	member => 4,
	delay => 4,
	drophook => 4,
	tablehook => 4,
	slicepath => 3,
	slicequery => 3,
	sliceoutput => 3,
	slicecost => 3,
	sliceplan => 3,
	slicetime => 3,
	slicechoice => 3,
	sliceinput => 3,
	slicerow => 3,
	sliceexplain => 3,
	ranklimit => 3,
	slicescan => 3,
	windowrange => 3,
	rowlimit => 3,
	windowspec => 3,
	windowplace => 3,
	rangetable => 3,
	rowtime => 3,
	groupwindow => 3,
	alteration => 3,
	groupform => 3,
	itemwrap => 3,
	prune => 3,
	statement => 3,
	viewtable => 3,
	flinktoken => 1,
	flinkoutput => 3,
	flinkparser => 3,
	flinkexpression => 3,
	flinkfunction => 3,
	flinkquery => 3,
	flinktype => 3,
	flinktable => 3,
	flinkstatement => 3,
	flinkinsert => 3,
	flinkjob => 3,
	flinkstream => 3,
	flinkfrom => 3,
	flinkorder => 3,
	flinktablefunction => 3,
	flinktemporal => 3,
	flinkconstant => 3,
	flinkvalue => 3,
	flinkcreate => 3,
	flinkdeclaration => 3,
	flinkdatabase => 3,
	flinkkey => 3,
	flinkjdbc => 3,
	flinkfile => 3,
	flinkplan => 3,
	flinkrowtype => 3,
	dependency => 3,
	flinksetting => 3,
	flinkview => 3,
	flinkversion => 3,
	flinkalter => 3,
	flinkconnector => 3,
	datagen => 3,
	option => 3,
	rowtext => 3,
	typetext => 3,
	primarykey => 3,
	metadata => 3,
	ddl => 3,
	expressiontext => 3,
	relationcomment => 3,
	constanttext => 3,
	functiontext => 3,
	tablefunction => 3,
	shmem => 4,
	clock => 4,
	launcher => 4,
	slotguard => 4,
	worker => 4,
	databasehook => 4,
	sql_window => 5,
	sql_watermark => 5,
	sql_query => 5,
	sql_worker => 5,
	sql_preview => 5,
	sql_flink => 5,
	sql_flinkfunction => 5,
	sql_flinkaggregate => 5,
	sql_flinkcast => 5,
	sql_flinkscalar => 5,
	sql_flinkrow => 5,
	sql_connector => 5,
	sql_csv => 5,
	sql_definition => 5,
	sql_session => 5,
	guc => 5,
	apply_watermark => 5,
);

# Headers that every layer may include.
my %shared = map { $_ => 1 } qw(compat);

# What a layer may not name, and the one file that may include a library.
my %forbidden = (
	0 => qr/\b(?:palloc|ereport|elog|GetCurrentTimestamp|aw_guc_)\w*\s*\(?/,
	1 => qr/\bSPI_\w+|\baw_window_/,
	2 => qr/\bSPI_\w+|\bShmem\w+|\baw_guc_/,
);
my %owner = ('csv.h' => 'csv');

my $dir = shift or die "usage: check_layers.pl DIRECTORY\n";
my @files = sort glob("$dir/*.c $dir/*.h");
my $problems = 0;

die "no source files in $dir\n" unless @files;

for my $path (@files)
{
	my ($noun) = $path =~ m{([^/]+)\.[ch]$};
	next if $shared{$noun};
	complain($path, 0, "is in no layer; name it in check_layers.pl"), next
	  unless exists $layer{$noun};
	check_file($path, $noun);
}
print "layers: ", scalar(@files), " files, $problems problems\n";
exit($problems ? 1 : 0);

sub check_file
{
	my ($path, $noun) = @_;
	my $own = $layer{$noun};
	open my $in, '<', $path or die "$path: $!\n";
	my $text = do { local $/; <$in> };
	close $in;

	# Comments may name anything; keep the line numbers.
	$text =~ s{(/\*.*?\*/)}{ my $c = $1; $c =~ tr/\n//cd; $c }gse;

	my $number = 0;
	for my $line (split /\n/, $text)
	{
		$number++;
		if ($line =~ /^\s*#\s*include\s+"([^"\/]+)\.h"/
			&& ($layer{$1} // -1) > $own)
		{
			complain($path, $number, "layer $own includes $1.h of layer $layer{$1}");
		}
		if ($line =~ /^\s*#\s*include\s+<([^>]+)>/
			&& exists $owner{$1} && $owner{$1} ne $noun)
		{
			complain($path, $number, "only $owner{$1}.c includes <$1>");
		}
		complain($path, $number, "PG_VERSION_NUM belongs in compat.h")
		  if $line =~ /\bPG_VERSION_NUM\b/;
		complain($path, $number, "layer $own may not use \"$1\"")
		  if defined $forbidden{$own} && $line =~ /($forbidden{$own})/;
	}
	return;
}

sub complain
{
	my ($path, $number, $what) = @_;
	print "$path:$number: $what\n";
	$problems++;
	return;
}
