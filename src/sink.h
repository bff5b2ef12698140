/*
 * sink.h
 *
 * The table that a continuous query publishes into.
 */
#ifndef AW_SINK_H
#define AW_SINK_H

#include "query.h"

typedef struct AwSink AwSink;

extern Oid	aw_sink_create(const char *name, const AwQuery *query);
extern AwSink *aw_sink_open(Oid relid, const AwQuery *query);
extern uint64 aw_sink_insert(AwSink *sink, const AwQuery *query, Tuplestorestate *results);
extern void aw_sink_close(AwSink *sink);

#endif							/* AW_SINK_H */
