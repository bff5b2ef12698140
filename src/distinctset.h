/*
 * distinctset.h
 *
 * How often each value was there: what count(DISTINCT) needs, in a form that can be
 * merged, and taken apart again.
 */
#ifndef AW_DISTINCTSET_H
#define AW_DISTINCTSET_H

#include "lib/stringinfo.h"

typedef struct AwDistinctSet AwDistinctSet;

extern AwDistinctSet *aw_distinctset_create(bool is_bytes, MemoryContext cxt);
extern int64 aw_distinctset_count(const AwDistinctSet *set);
extern void aw_distinctset_add(AwDistinctSet *set, Datum value);
extern void aw_distinctset_merge(AwDistinctSet *set, const AwDistinctSet *other);
extern void aw_distinctset_retract(AwDistinctSet *set, const AwDistinctSet *other);
extern void aw_distinctset_write(const AwDistinctSet *set, StringInfo buffer);
extern const char *aw_distinctset_read(AwDistinctSet *set, const char *from);

#endif							/* AW_DISTINCTSET_H */
