/*
 * seen.h
 *
 * The transactions that a snapshot saw, to be kept longer than a snapshot can be.
 */
#ifndef AW_SEEN_H
#define AW_SEEN_H

#include "utils/snapshot.h"

typedef struct AwSeen AwSeen;

extern AwSeen *aw_seen_of_snapshot(Snapshot snapshot);
extern AwSeen *aw_seen_parse(const char *text);
extern char *aw_seen_text(const AwSeen *seen);
extern bool aw_seen_contains(const AwSeen *seen, TransactionId xid);

#endif							/* AW_SEEN_H */
