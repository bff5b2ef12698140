/*
 * flinkfunction.h
 *
 * Calls of functions.
 */
#ifndef AW_FLINKFUNCTION_H
#define AW_FLINKFUNCTION_H

#include "flinkparser.h"

extern bool aw_flinkfunction_is_call(const AwFlinkParser *parser);
extern void aw_flinkfunction_translate(AwFlinkParser *parser);

#endif							/* AW_FLINKFUNCTION_H */
