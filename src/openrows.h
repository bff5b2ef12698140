/*
 * openrows.h
 *
 * The rows of open slices, where a query needs them and not only states.
 */
#ifndef AW_OPENROWS_H
#define AW_OPENROWS_H

#include "access/tupdesc.h"
#include "lib/stringinfo.h"

#include "openslices.h"

typedef struct AwOpenRows AwOpenRows;

extern AwOpenRows *aw_openrows_create(TupleDesc columns, int64 n_slices);
extern void aw_openrows_add(AwOpenRows *rows, AwOpenSlice *slice, int64 closed_end_us,
							const Datum *values, const bool *nulls);
extern void aw_openrows_rescan(AwOpenRows *rows, AwOpenSlice *slice);
extern bool aw_openrows_next(AwOpenRows *rows, AwOpenSlice *slice, int64 *closed_end_us,
							 const Datum **values, const bool **nulls);
extern int64 aw_openrows_write(AwOpenRows *rows, AwOpenSlice *slice, int *number,
							   StringInfo buffer);
extern void aw_openrows_read(AwOpenRows *rows, AwOpenSlice *slice, int number,
							 const char *from, Size size);

#endif							/* AW_OPENROWS_H */
