/*
 * metadata.h
 *
 * Columns of metadata that INSERT leaves out.
 */
#ifndef AW_METADATA_H
#define AW_METADATA_H

#include "access/attnum.h"
#include "utils/relcache.h"

extern char *aw_metadata_text(Relation rel, AttrNumber attno);

#endif							/* AW_METADATA_H */
