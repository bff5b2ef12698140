/*
 * retention.h
 *
 * How much the server may have to keep for continuous queries.
 */
#ifndef AW_RETENTION_H
#define AW_RETENTION_H

#include "access/xlogdefs.h"

/* What has been written, and what has happened, since a position in the WAL. */
typedef struct AwRetained
{
	XLogRecPtr	lsn;			/* the position */
	uint64		next_xid;		/* the first transaction that had not begun; 0: unknown */
} AwRetained;

/* in MB, and in transactions; -1: without bound */
extern int	aw_retention_max_wal_mb;
extern int	aw_retention_max_catalog_age;

extern uint64 aw_retention_next_xid(void);
extern const char *aw_retention_excess_of_query(const AwRetained *retained);
extern const char *aw_retention_excess_of_slot(const char *slot);

#endif							/* AW_RETENTION_H */
