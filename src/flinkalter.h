/*
 * flinkalter.h
 *
 * ALTER and DROP of tables and views.
 */
#ifndef AW_FLINKALTER_H
#define AW_FLINKALTER_H

#include "flinkparser.h"
#include "flinkquery.h"

extern void aw_flinkalter_table(AwFlinkParser *parser);
extern void aw_flinkalter_view(AwFlinkParser *parser);
extern const char *aw_flinkalter_set_watermark(AwFlinkParser *parser, const AwFlinkPath *path,
											   const char **rowtime);
extern void aw_flinkalter_drop_watermark(AwFlinkParser *parser, const AwFlinkPath *path);
extern void aw_flinkalter_drop(AwFlinkParser *parser);

#endif							/* AW_FLINKALTER_H */
