/*
 * flinkinsert.h
 *
 * INSERT INTO.
 */
#ifndef AW_FLINKINSERT_H
#define AW_FLINKINSERT_H

#include "flinkparser.h"

extern void aw_flinkinsert_translate(AwFlinkParser *parser);
extern void aw_flinkinsert_once(AwFlinkParser *parser);

#endif							/* AW_FLINKINSERT_H */
