/*
 * checkpoint.c
 *
 * Writes what has changed of a query's open windows since the last time: slices with
 * new rows as a whole, slices of windows that have closed not at all any more.  The
 * caller writes the position that goes with it in the same transaction, and is the
 * owner of our tables; functions of aggregates are called by the query's owner.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "catalog.h"
#include "checkpoint.h"
#include "compat.h"

typedef struct Reading
{
	Oid			owner;
	AwState    *state;
} Reading;

static Datum slice_data(Oid owner, AwState *state, const AwOpenSlice *slice);
static void read_slice(void *arg, int64 start_us, int64 end_us, int64 n_rows, const char *data,
					   Size size);

/* Writes dirty slices, and deletes those of windows that ended there or before. */
void
aw_checkpoint_write(const char *query, Oid owner, AwState *state, int64 closed_end_us)
{
	AwOpenSlice *slice;
	int			cursor = 0;

	aw_catalog_delete_slices(query, closed_end_us);
	while ((slice = aw_state_next_dirty(state, &cursor)) != NULL)
	{
		Datum		data = slice_data(owner, state, slice);

		aw_catalog_write_slice(query, slice->start_us, slice->end_us, slice->n_rows, data);
		pfree(DatumGetPointer(data));
		slice->is_dirty = false;
	}
}

/* Opens the windows that were written. */
void
aw_checkpoint_read(const char *query, Oid owner, AwState *state)
{
	Reading		reading = {owner, state};

	aw_catalog_read_slices(query, read_slice, &reading);
}

/* The groups of a slice as a bytea. */
static Datum
slice_data(Oid owner, AwState *state, const AwOpenSlice *slice)
{
	StringInfoData buffer;
	Oid			role;
	int			security;

	initStringInfo(&buffer);
	appendStringInfoSpaces(&buffer, VARHDRSZ);
	GetUserIdAndSecContext(&role, &security);
	SetUserIdAndSecContext(owner, security | SECURITY_RESTRICTED_OPERATION);
	aw_state_write(state, slice, &buffer);
	SetUserIdAndSecContext(role, security);
	SET_VARSIZE(buffer.data, buffer.len);
	return PointerGetDatum(buffer.data);
}

static void
read_slice(void *arg, int64 start_us, int64 end_us, int64 n_rows, const char *data, Size size)
{
	const Reading *reading = arg;
	AwSpan		span = {start_us, end_us};
	Oid			role;
	int			security;

	GetUserIdAndSecContext(&role, &security);
	SetUserIdAndSecContext(reading->owner, security | SECURITY_RESTRICTED_OPERATION);
	aw_state_read(reading->state, &span, n_rows, data, size);
	SetUserIdAndSecContext(role, security);
}
