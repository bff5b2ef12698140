/*
 * crash.c
 *
 * Ends the process as a crash would, where a setting says so: what has been committed
 * must be all that counts.
 */
#include "postgres.h"

#include <signal.h>
#include <unistd.h>

#include "crash.h"

char	   *aw_crash_step = NULL;

/* Ends the process without warning, if the setting names the step. */
void
aw_crash_at(const char *step)
{
	if (aw_crash_step != NULL && strcmp(aw_crash_step, step) == 0)
		kill(getpid(), SIGKILL);
}
