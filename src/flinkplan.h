/*
 * flinkplan.h
 *
 * What a statement CREATE TABLE makes.
 */
#ifndef AW_FLINKPLAN_H
#define AW_FLINKPLAN_H

#include "flinkdeclaration.h"
#include "flinktable.h"

extern bool aw_flinkplan_is_view(const AwFlinkCreate *create);
extern bool aw_flinkplan_is_read(const AwFlinkCreate *create);
extern bool aw_flinkplan_enforces_key(const AwFlinkCreate *create);
extern void aw_flinkplan_choose_key_name(const AwFlinkParser *parser, AwFlinkCreate *create);
extern AwFlinkTable *aw_flinkplan_remember(AwFlinkParser *parser, const AwFlinkCreate *create);

#endif							/* AW_FLINKPLAN_H */
