/*
 * eventlog.h
 *
 * What becomes of a continuous query, as the log of the server tells it.
 */
#ifndef AW_EVENTLOG_H
#define AW_EVENTLOG_H

#include "catalog.h"

/* A query, and what was told of it last. */
typedef struct AwEventLog
{
	NameData	name;
	bool		is_tracked;		/* it is a stream */
	AwQueryState state;
	bool		is_failing;		/* and has not recovered */
	bool		is_waiting;		/* for others */
} AwEventLog;

extern void aw_eventlog_init(AwEventLog *log, const AwEntry *entry);
extern void aw_eventlog_state(AwEventLog *log, AwQueryState state, bool is_failing);
extern void aw_eventlog_passed(AwEventLog *log);
extern void aw_eventlog_error(AwEventLog *log, const ErrorData *error, int n_attempts,
							  AwQueryState state);
extern void aw_eventlog_dropped(const AwEventLog *log);

#endif							/* AW_EVENTLOG_H */
