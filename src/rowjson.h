/*
 * rowjson.h
 *
 * Rows as jsonb.
 */
#ifndef AW_ROWJSON_H
#define AW_ROWJSON_H

#include "executor/tuptable.h"

extern Datum aw_rowjson_of_slot(TupleTableSlot *slot, TupleDesc columns);

#endif							/* AW_ROWJSON_H */
