/*
 * flinkrowtype.h
 *
 * The types of a table's rows.
 */
#ifndef AW_FLINKROWTYPE_H
#define AW_FLINKROWTYPE_H

#include "flinktable.h"
#include "flinktype.h"

extern AwFlinkRowType *aw_flinkrowtype_create(const AwFlinkParser *parser,
											  const AwFlinkRowType *place,
											  const List *row_types);
extern List *aw_flinkrowtype_find(Oid relid, const char *table);
extern void aw_flinkrowtype_remember(AwFlinkParser *parser, AwFlinkTable *table,
									 const List *row_types);
extern void aw_flinkrowtype_drop(AwFlinkParser *parser, const AwFlinkPath *path,
								 AwFlinkTable *table, const char *column);
extern void aw_flinkrowtype_rename(AwFlinkParser *parser, const AwFlinkPath *path,
								   AwFlinkTable *table, const char *new);
extern void aw_flinkrowtype_rename_column(AwFlinkParser *parser, const AwFlinkPath *path,
										  AwFlinkTable *table, const char *column,
										  const char *new);

extern const char *aw_flinkrowtype_of_column(const AwFlinkPath *path, const AwFlinkTable *table,
											 const char *column);

#endif							/* AW_FLINKROWTYPE_H */
