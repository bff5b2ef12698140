/*
 * flinkview.h
 *
 * CREATE VIEW.
 */
#ifndef AW_FLINKVIEW_H
#define AW_FLINKVIEW_H

#include "flinkparser.h"

extern void aw_flinkview_create(AwFlinkParser *parser, int start, bool is_temporary);

#endif							/* AW_FLINKVIEW_H */
