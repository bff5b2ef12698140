/*
 * shmem.h
 *
 * What sessions, the launcher and the workers tell each other.
 */
#ifndef AW_SHMEM_H
#define AW_SHMEM_H

#include "access/xlogdefs.h"
#include "datatype/timestamp.h"

/* What a worker is doing. */
typedef enum AwActivity
{
	AW_ACTIVITY_NONE,			/* it reads, or waits for something to read */
	AW_ACTIVITY_SLOT,			/* it makes its slot */
	AW_ACTIVITY_QUERY			/* it is at a query */
} AwActivity;

/* What is known of the worker of a database. */
typedef struct AwWorkerStatus
{
	int			pid;			/* 0: there is none */
	XLogRecPtr	lsn;			/* up to there it has come; invalid: nowhere yet */
	TimestampTz seen_until;		/* what was committed before is processed; 0: unknown */
	AwActivity	activity;
	TimestampTz active_since;	/* when that began */
	NameData	query;			/* that it is at */
	bool		is_held;		/* a session keeps it away */
	bool		has_launcher;	/* there is somebody to start it */
} AwWorkerStatus;

extern void aw_shmem_init(void);
extern bool aw_shmem_is_there(void);

/* sessions */
extern void aw_shmem_ask(void);
extern void aw_shmem_begin_creation(void);
extern void aw_shmem_announce(void);
extern bool aw_shmem_wait(XLogRecPtr lsn, long timeout_ms);
extern char *aw_shmem_error(void);
extern AwWorkerStatus aw_shmem_status(void);
extern void aw_shmem_hold(Oid database);

/* the launcher */
extern void aw_shmem_set_launcher(void);
extern void aw_shmem_keep_only(const Oid *databases, int n_databases);
extern bool aw_shmem_take_announcement(void);
extern bool aw_shmem_look_into(Oid database);
extern bool aw_shmem_is_looked_into(Oid database);
extern Oid	aw_shmem_next_start(long *wait_ms);
extern void aw_shmem_forget(Oid database);
extern void aw_shmem_stop_worker(Oid database);
extern void aw_shmem_start_failed(Oid database, const char *error, long wait_ms);

/* the worker of a database */
extern bool aw_shmem_attach(Oid database);
extern bool aw_shmem_begin_pass(void);
extern void aw_shmem_stay(void);
extern bool aw_shmem_is_awaited(void);
extern XLogRecPtr aw_shmem_limit(XLogRecPtr lsn);
extern void aw_shmem_end_pass(XLogRecPtr lsn, TimestampTz seen_until);
extern void aw_shmem_begin_sleep(void);
extern void aw_shmem_end_sleep(void);
extern bool aw_shmem_leave(void);
extern void aw_shmem_set_activity(AwActivity activity, const char *query);
extern void aw_shmem_set_error(const char *error);

#endif							/* AW_SHMEM_H */
