# The worker of a server ends without warning, at a step that a test names.
package WorkerCrash;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(crash_at);

# Ends it there while rows come, which insert(count) writes; then all go on.
sub crash_at
{
	my ($node, $step, $insert) = @_;
	my $log_size = -s $node->logfile;

	$node->adjust_conf('postgresql.conf', 'apply_watermark.crash_at', "'$step'");
	$node->reload;
	# The worker may have gone before the last of these is in.
	for (1 .. 3)
	{
		eval { $insert->(50) };
	}
	$node->wait_for_log(qr/database system is shut down/, $log_size);
	$node->adjust_conf('postgresql.conf', 'apply_watermark.crash_at', "''");
	$node->stop('immediate', fail_ok => 1);
	$node->start;
	$insert->(20);
	return;
}

1;
