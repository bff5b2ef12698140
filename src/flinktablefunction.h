/*
 * flinktablefunction.h
 *
 * The table functions TUMBLE, HOP, CUMULATE, SESSION and APPLY_WATERMARK in FROM.
 */
#ifndef AW_FLINKTABLEFUNCTION_H
#define AW_FLINKTABLEFUNCTION_H

#include "flinkparser.h"

extern bool aw_flinktablefunction_is_next(const AwFlinkParser *parser);
extern void aw_flinktablefunction_flat(AwFlinkParser *parser, bool has_star);
extern void aw_flinktablefunction_subquery(AwFlinkParser *parser);

#endif							/* AW_FLINKTABLEFUNCTION_H */
