/*
 * flinkdatabase.h
 *
 * Databases of Flink, which are schemas.
 */
#ifndef AW_FLINKDATABASE_H
#define AW_FLINKDATABASE_H

#include "flinkparser.h"

extern void aw_flinkdatabase_refresh(AwFlinkParser *parser);
extern const char *aw_flinkdatabase_current(const AwFlinkParser *parser);
extern const char *aw_flinkdatabase_default(const AwFlinkParser *parser);
extern bool aw_flinkdatabase_is_in_catalog(const AwFlinkParser *parser, const char *name);
extern char *aw_flinkdatabase_constant(AwFlinkParser *parser);
extern void aw_flinkdatabase_create(AwFlinkParser *parser);
extern void aw_flinkdatabase_drop(AwFlinkParser *parser);
extern void aw_flinkdatabase_use(AwFlinkParser *parser);

#endif							/* AW_FLINKDATABASE_H */
