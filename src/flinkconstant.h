/*
 * flinkconstant.h
 *
 * Constants: strings, times, intervals.
 */
#ifndef AW_FLINKCONSTANT_H
#define AW_FLINKCONSTANT_H

#include "flinkparser.h"

extern void aw_flinkconstant_number(AwFlinkParser *parser);
extern void aw_flinkconstant_string(AwFlinkParser *parser);
extern bool aw_flinkconstant_translate(AwFlinkParser *parser);
extern bool aw_flinkconstant_is_interval(const AwFlinkParser *parser, int ahead);

#endif							/* AW_FLINKCONSTANT_H */
