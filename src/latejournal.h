/*
 * latejournal.h
 *
 * The rows of a batch that a query did not take in, to be kept as whole as its owner may see them.
 */
#ifndef AW_LATEJOURNAL_H
#define AW_LATEJOURNAL_H

#include "utils/tuplestore.h"

#include "watermark.h"
#include "window.h"

struct AwInput;
struct AwLateRow;

typedef struct AwLateJournal AwLateJournal;

typedef enum AwLateReason
{
	AW_LATE_LATE,
	AW_LATE_PARTLY,				/* in some windows it has been taken in */
	AW_LATE_NULL,
	AW_LATE_NOT_FINITE,
	AW_LATE_OUT_OF_RANGE,
	AW_LATE_FUTURE
} AwLateReason;

/* Rows until they are written.  All zeroes but for the context is none. */
typedef struct AwLateRows
{
	MemoryContext cxt;			/* of all of it */
	struct AwLateRow *rows;
	int64		n_rows;
	int64		n_allocated;
} AwLateRows;

extern AwLateJournal *aw_latejournal_create(void);
extern void aw_latejournal_add(AwLateJournal *journal, int64 ordinal, AwLateReason reason,
							   const AwSpan *span, const AwWatermark *watermark);
extern bool aw_latejournal_is_empty(const AwLateJournal *journal);
extern void aw_latejournal_read(AwLateJournal *journal, const struct AwInput *input,
								Oid source, int stream, AwLateRows *rows);
extern void aw_latejournal_forget(AwLateRows *rows);
extern Datum aw_latejournal_row(const struct AwInput *input, Oid source, int64 ordinal);

#endif							/* AW_LATEJOURNAL_H */
