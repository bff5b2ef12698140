/*
 * flinkjdbc.h
 *
 * Tables whose connector leads to a table of this database.
 */
#ifndef AW_FLINKJDBC_H
#define AW_FLINKJDBC_H

#include "flinkdeclaration.h"

extern void aw_flinkjdbc_check(const AwFlinkParser *parser, AwFlinkCreate *create);
extern bool aw_flinkjdbc_is_itself(const AwFlinkParser *parser, const AwFlinkCreate *create);

#endif							/* AW_FLINKJDBC_H */
