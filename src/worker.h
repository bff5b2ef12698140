/*
 * worker.h
 *
 * The process that keeps the continuous queries of one database, and what sessions
 * ask of it.
 */
#ifndef AW_WORKER_H
#define AW_WORKER_H

#include "access/xlogdefs.h"

/* settings */
extern int	aw_worker_poll_interval_ms;
extern int	aw_worker_coalesce_delay_ms;
extern int	aw_worker_batch_size_kb;

extern void aw_worker_check_prerequisites(void);
extern void aw_worker_request(void);
extern XLogRecPtr aw_worker_await_slot(void);
extern void aw_worker_advance(long timeout_ms);

#endif							/* AW_WORKER_H */
