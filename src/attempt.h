/*
 * attempt.h
 *
 * Work for a continuous query that may fail.
 */
#ifndef AW_ATTEMPT_H
#define AW_ATTEMPT_H

#include "utils/elog.h"

/* How long a query may work at a stretch, but on its history; 0: as long as it takes. */
extern int	aw_attempt_timeout_ms;

typedef void (*AwAttempt) (void *arg);

extern ErrorData *aw_attempt_run(AwAttempt attempt, void *arg, bool has_limit);

#endif							/* AW_ATTEMPT_H */
