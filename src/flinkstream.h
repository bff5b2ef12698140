/*
 * flinkstream.h
 *
 * Whether a relation is a stream.
 */
#ifndef AW_FLINKSTREAM_H
#define AW_FLINKSTREAM_H

#include "utils/relcache.h"

#include "flinkquery.h"

extern bool aw_flinkstream_is(Relation rel);
extern void aw_flinkstream_note(AwFlinkParser *parser, const AwFlinkPath *path);

#endif							/* AW_FLINKSTREAM_H */
