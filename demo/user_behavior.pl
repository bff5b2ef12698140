#!/usr/bin/perl
#
# Writes the demo's CSV file: four hours in a shop, about 66,000 rows.
#
#	user_behavior.pl > user_behavior.csv
#
# Columns: user_id, item_id, category_id, behavior, action_time (seconds since
# 1970).  A few items are viewed often and most of them rarely (Zipf's law),
# traffic grows by the hour, and one item, on sale for the last 20 minutes,
# comes from nowhere.  Rows stand in the order in which they arrived: some come
# one to three seconds after they happened.  Every run writes the same bytes,
# since Perl brings its own random numbers.

use strict;
use warnings;

my $START = 1511658000;         # 2017-11-26 01:00:00 UTC
my $DURATION = 4 * 3600 + 5;    # a little past the hour, to close its windows
my $ITEMS = 500;
my $USERS = 9000;
my $SALE_ITEM = 2338453;
my $SALE_START = 3 * 3600 + 40 * 60;
my $SALE_RATE = 2.8;

srand 20171126;

my @item = map { 1000000 + ($_ * 1542143) % 4000000 } 1 .. $ITEMS;
my @popularity = popularity();
my @rows;

for my $second (0 .. $DURATION - 1)
{
	my $rate = 2.5 + 3.5 * $second / $DURATION;

	happen($second, $item[ any_item() ]) for 1 .. int($rate + rand);
	next if $second < $SALE_START;
	happen($second, $SALE_ITEM) for 1 .. int($SALE_RATE + rand);
}

print $_->[1] for sort { $a->[0] <=> $b->[0] || $a->[2] <=> $b->[2] } @rows;

# One row of the item, which arrives when it happens or a little later.
sub happen
{
	my ($second, $item) = @_;
	my $chance = rand;
	my $behavior = $chance < 0.89 ? 'pv' : $chance < 0.95 ? 'cart' : $chance < 0.98 ? 'fav' : 'buy';
	my $delay = rand() < 0.9 ? 0 : rand() < 0.8 ? 1 : 2 + int(rand 2);
	my $line = join ',', 100000 + int(rand $USERS) * 101, $item, 1000 + $item % 83, $behavior,
	  $START + $second;

	push @rows, [ $second + $delay, "$line\n", scalar @rows ];
	return;
}

# Sums of 1/1, 1/2, 1/3, …: the shares of the items, the most popular first.
sub popularity
{
	my $sum = 0;

	return map { $sum += 1 / $_ } 1 .. $ITEMS;
}

# The index of an item, each as likely as it is popular.
sub any_item
{
	my $point = rand $popularity[-1];
	my ($low, $high) = (0, $#popularity);

	while ($low < $high)
	{
		my $middle = int(($low + $high) / 2);
		if ($popularity[$middle] > $point) { $high = $middle }
		else { $low = $middle + 1 }
	}
	return $low;
}
