/*
 * flinksetting.h
 *
 * The options of a session: SET and RESET.
 */
#ifndef AW_FLINKSETTING_H
#define AW_FLINKSETTING_H

#include "flinkparser.h"

extern void aw_flinksetting_refresh(AwFlinkParser *parser);
extern bool aw_flinksetting_is_streaming(const AwFlinkParser *parser);
extern void aw_flinksetting_set(AwFlinkParser *parser);
extern void aw_flinksetting_reset(AwFlinkParser *parser);

#endif							/* AW_FLINKSETTING_H */
