/*
 * flinkview.h
 *
 * CREATE VIEW.
 */
#ifndef AW_FLINKVIEW_H
#define AW_FLINKVIEW_H

#include "flinkparser.h"
#include "flinkquery.h"

extern void aw_flinkview_create(AwFlinkParser *parser, bool is_temporary);
extern void aw_flinkview_comment(AwFlinkParser *parser, const AwFlinkPath *path,
								 const char *own_comment, int query);

#endif							/* AW_FLINKVIEW_H */
