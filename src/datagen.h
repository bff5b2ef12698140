/*
 * datagen.h
 *
 * The rows of Flink's connector datagen.
 */
#ifndef AW_DATAGEN_H
#define AW_DATAGEN_H

#include "access/tupdesc.h"

struct AwOptions;

typedef struct AwDatagen AwDatagen;

extern AwDatagen *aw_datagen_create(TupleDesc rowtype, struct AwOptions *options);
extern int64 aw_datagen_n_rows(const AwDatagen *datagen);
extern void aw_datagen_row(const AwDatagen *datagen, int64 number, Datum *values, bool *nulls);

#endif							/* AW_DATAGEN_H */
