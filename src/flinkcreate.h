/*
 * flinkcreate.h
 *
 * CREATE TABLE, and the columns of ALTER TABLE.
 */
#ifndef AW_FLINKCREATE_H
#define AW_FLINKCREATE_H

#include "flinkparser.h"
#include "flinkquery.h"
#include "flinktable.h"

extern void aw_flinkcreate_table(AwFlinkParser *parser, bool is_temporary);
extern void aw_flinkcreate_added_column(AwFlinkParser *parser, const AwFlinkPath *table,
										AwFlinkTable *known);
extern void aw_flinkcreate_comment(AwFlinkParser *parser, const char *object,
								   const char *comment);
extern char *aw_flinkcreate_derived_name(const AwFlinkPath *path, const char *suffix);

#endif							/* AW_FLINKCREATE_H */
