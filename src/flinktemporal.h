/*
 * flinktemporal.h
 *
 * Joins with a table as it was: JOIN t FOR SYSTEM_TIME AS OF.
 */
#ifndef AW_FLINKTEMPORAL_H
#define AW_FLINKTEMPORAL_H

#include "flinkparser.h"

extern bool aw_flinktemporal_is_next(const AwFlinkParser *parser);
extern void aw_flinktemporal_join(AwFlinkParser *parser);

#endif							/* AW_FLINKTEMPORAL_H */
