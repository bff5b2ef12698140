/*
 * deparse.h
 *
 * Watermark definitions as text: NULL for what cannot be read outside its query.
 */
#ifndef AW_DEPARSE_H
#define AW_DEPARSE_H

#include "definition.h"

extern char *aw_deparse_strategy(const AwDefinition *definition);
extern char *aw_deparse_rowtime(const AwDefinition *definition);

#endif							/* AW_DEPARSE_H */
