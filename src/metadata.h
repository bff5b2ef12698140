/*
 * metadata.h
 *
 * Columns of metadata that INSERT leaves out.
 */
#ifndef AW_METADATA_H
#define AW_METADATA_H

#include "access/attnum.h"
#include "nodes/bitmapset.h"
#include "utils/relcache.h"

extern Bitmapset *aw_metadata_columns(Relation rel);
extern char *aw_metadata_text(Relation rel, AttrNumber attno);

#endif							/* AW_METADATA_H */
