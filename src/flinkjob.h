/*
 * flinkjob.h
 *
 * Jobs of Flink, which are continuous queries.
 */
#ifndef AW_FLINKJOB_H
#define AW_FLINKJOB_H

#include "flinkoutput.h"
#include "flinkparser.h"
#include "flinkquery.h"
#include "flinktable.h"

extern void aw_flinkjob_start(AwFlinkParser *parser, const AwFlinkPath *path,
							  const AwFlinkTable *table, List *columns,
							  const AwFlinkOutput *query);
extern void aw_flinkjob_show(AwFlinkParser *parser);
extern void aw_flinkjob_describe(AwFlinkParser *parser);
extern void aw_flinkjob_stop(AwFlinkParser *parser);

#endif							/* AW_FLINKJOB_H */
