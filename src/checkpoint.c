/*
 * checkpoint.c
 *
 * Writes what has changed of a query's open windows since the last time: slices with
 * new rows as a whole, or the new rows alone where rows are kept; slices of windows that
 * have closed not at all any more.  The caller writes the position that goes with it in
 * the same transaction, and is the owner of our tables; functions of aggregates are called
 * by the query's owner.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "catalog.h"
#include "checkpoint.h"
#include "compat.h"

typedef struct Reading
{
	const AwQuery *query;
	AwPart	   *const *parts;
} Reading;

static bool next_piece(const AwQuery *query, AwState *state, int *cursor, AwStatePiece *piece,
					   StringInfo buffer);
static void read_slice(void *arg, const AwSlicePiece *slice, const char *data, Size size);

/* Writes what is new of all parts, and deletes what has ended of each. */
void
aw_checkpoint_write(const char *name, const AwQuery *query, AwPart *const *parts)
{
	StringInfoData buffer;

	initStringInfo(&buffer);
	for (int i = 0; i < query->n_parts; i++)
	{
		AwStatePiece piece;
		int			cursor = 0;

		aw_catalog_delete_slices(name, i, parts[i]->closed_end_us);
		parts[i]->closed_end_us = PG_INT64_MIN;
		while (next_piece(query, parts[i]->state, &cursor, &piece, &buffer))
		{
			AwSlicePiece slice = {i, piece.number, piece.span.start_us, piece.span.end_us,
			piece.n_rows};

			aw_catalog_write_slice(name, &slice, PointerGetDatum(buffer.data));
		}
	}
	pfree(buffer.data);
}

/* Opens the windows that were written. */
void
aw_checkpoint_read(const char *name, const AwQuery *query, AwPart *const *parts)
{
	Reading		reading = {query, parts};

	aw_catalog_read_slices(name, read_slice, &reading);
}

/* Puts the next piece of a state into the buffer, as a bytea; false if there is none. */
static bool
next_piece(const AwQuery *query, AwState *state, int *cursor, AwStatePiece *piece,
		   StringInfo buffer)
{
	Oid			role;
	int			security;
	bool		is_there;

	resetStringInfo(buffer);
	appendStringInfoSpaces(buffer, VARHDRSZ);
	GetUserIdAndSecContext(&role, &security);
	SetUserIdAndSecContext(query->owner, security | SECURITY_RESTRICTED_OPERATION);
	is_there = aw_state_write_next(state, cursor, piece, buffer);
	SetUserIdAndSecContext(role, security);
	SET_VARSIZE(buffer->data, buffer->len);
	return is_there;
}

static void
read_slice(void *arg, const AwSlicePiece *slice, const char *data, Size size)
{
	const Reading *reading = arg;
	AwStatePiece piece = {{slice->start_us, slice->end_us}, slice->number, slice->n_rows};
	Oid			role;
	int			security;

	if (slice->part >= reading->query->n_parts)
		elog(ERROR, "a slice is of a window that is not there");
	GetUserIdAndSecContext(&role, &security);
	SetUserIdAndSecContext(reading->query->owner, security | SECURITY_RESTRICTED_OPERATION);
	aw_state_read(reading->parts[slice->part]->state, &piece, data, size);
	SetUserIdAndSecContext(role, security);
}
