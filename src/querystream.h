/*
 * querystream.h
 *
 * A level of a continuous query as a statement over captured rows.
 */
#ifndef AW_QUERYSTREAM_H
#define AW_QUERYSTREAM_H

#include "access/tupdesc.h"
#include "queryclass.h"

/* The relation of captured rows. */
#define AW_QUERYSTREAM_BATCH	"aw batch"

extern TupleDesc aw_querystream_columns(const AwLevel *table_level);
extern RangeTblEntry *aw_querystream_entry(const char *name, TupleDesc columns);
extern Query *aw_querystream_watermarks(const AwStreamClass *class, TupleDesc batch);
extern Query *aw_querystream_rows(const AwStreamClass *class, const AwLevel *level);
extern Node *aw_querystream_ordinal(const AwStreamClass *class, const AwLevel *level, Query *rows,
									TupleDesc batch);
extern Node *aw_querystream_rowtime(const AwStreamClass *class, const AwLevel *level, Query *rows);
extern void aw_querystream_select(const AwLevel *level, Query *rows, List *columns,
								  TupleDesc batch);

#endif							/* AW_QUERYSTREAM_H */
