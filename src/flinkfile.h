/*
 * flinkfile.h
 *
 * Tables whose connector reads files of CSV.
 */
#ifndef AW_FLINKFILE_H
#define AW_FLINKFILE_H

#include "flinkdeclaration.h"

extern void aw_flinkfile_check(const AwFlinkParser *parser, const AwFlinkCreate *create);
extern void aw_flinkfile_source(AwFlinkParser *parser, const AwFlinkCreate *create,
								const char *row_type);

#endif							/* AW_FLINKFILE_H */
