/*
 * flinkkey.h
 *
 * Primary keys: enforced, or markers of those of versioned tables.
 */
#ifndef AW_FLINKKEY_H
#define AW_FLINKKEY_H

#include "flinktable.h"

extern char *aw_flinkkey_columns(const List *key);
extern char *aw_flinkkey_text(const List *key, const char *name, bool is_enforced);
extern char *aw_flinkkey_default_name(const char *table, const List *key, bool is_enforced);
extern bool aw_flinkkey_is_taken(const AwFlinkParser *parser, const AwFlinkPath *path,
								 bool is_temporary, const char *name);
extern void aw_flinkkey_mark(AwFlinkParser *parser, const AwFlinkPath *path, AwFlinkTable *table);
extern void aw_flinkkey_enforce(AwFlinkParser *parser, const AwFlinkPath *path,
								AwFlinkTable *table);

#endif							/* AW_FLINKKEY_H */
