/*
 * rowtext.h
 *
 * Rows as Flink's print connector shows them.
 */
#ifndef AW_ROWTEXT_H
#define AW_ROWTEXT_H

#include "access/htup.h"
#include "access/tupdesc.h"
#include "lib/stringinfo.h"
#include "nodes/bitmapset.h"

extern void aw_rowtext_append(StringInfo text, HeapTuple row, TupleDesc rowtype,
							  const Bitmapset *left_out);

#endif							/* AW_ROWTEXT_H */
