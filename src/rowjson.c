/*
 * rowjson.c
 *
 * Rows as jsonb, as continuous queries keep and show them.
 *
 * That calls output functions and casts of the columns' types: the caller is whoever
 * may call them.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "rowjson.h"

/* A jsonb takes 256 MB, and a value may be several times as long when it is printed. */
#define MAX_ROW_BYTES	(32 * 1024 * 1024)

static TupleDesc leave_out_wide(TupleDesc columns, const bool *nulls, Datum *values);
static bool may_have_json(TupleDesc columns);
static char *print_row(TupleDesc columns, const Datum *values, const bool *nulls);
static bool is_jsonb(const char *json);
static char *print_texts(TupleDesc columns, const Datum *values, const bool *nulls);
static bool is_column_jsonb(TupleDesc columns, int column, const Datum *values, const bool *nulls);

/*
 * A row as jsonb: those of its columns that the descriptor has, which must be blessed,
 * and begins as the slot's own does.  A type json takes what jsonb refuses, such as \u0000 in a string:
 * a column with such a value is a string, its text.  Of what is more than MAX_ROW_BYTES
 * only the size is shown, since a jsonb cannot be much longer.
 */
Datum
aw_rowjson_of_slot(TupleTableSlot *slot, TupleDesc columns)
{
	Datum	   *values;
	char	   *printed;

	slot_getallattrs(slot);
	values = palloc(sizeof(Datum) * Max(columns->natts, 1));
	memcpy(values, slot->tts_values, sizeof(Datum) * columns->natts);
	columns = leave_out_wide(columns, slot->tts_isnull, values);
	printed = print_row(columns, values, slot->tts_isnull);
	if (may_have_json(columns) && !is_jsonb(printed))
		printed = print_texts(columns, values, slot->tts_isnull);
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(printed));
}

/* Puts sizes in the place of values that do not fit, as texts; the columns then. */
static TupleDesc
leave_out_wide(TupleDesc columns, const bool *nulls, Datum *values)
{
	TupleDesc	fitting = columns;
	Size		n_bytes = 0;

	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);
		Size		size;

		if (nulls[i] || column->attisdropped || column->attlen != -1)
			continue;
		size = toast_raw_datum_size(values[i]);
		if (n_bytes + size <= MAX_ROW_BYTES)
		{
			n_bytes += size;
			continue;
		}
		if (fitting == columns)
		{
			fitting = CreateTupleDescCopy(columns);
			fitting->tdtypmod = -1;
		}
		TupleDescInitEntry(fitting, i + 1, NameStr(column->attname), TEXTOID, -1, 0);
		values[i] = CStringGetTextDatum(psprintf("(%zu bytes)", size - VARHDRSZ));
	}
	return fitting == columns ? columns : BlessTupleDesc(fitting);
}

/* Is there a column of type json, or of a type that is not the server's own? */
static bool
may_have_json(TupleDesc columns)
{
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (!column->attisdropped &&
			(column->atttypid == JSONOID || column->atttypid == JSONARRAYOID ||
			 column->atttypid >= FirstNormalObjectId))
			return true;
	}
	return false;
}

/* The row as the text of json. */
static char *
print_row(TupleDesc columns, const Datum *values, const bool *nulls)
{
	HeapTuple	tuple = heap_form_tuple(columns, unconstify(Datum *, values),
										unconstify(bool *, nulls));

	return TextDatumGetCString(DirectFunctionCall1(row_to_json, HeapTupleGetDatum(tuple)));
}

/* Can the text of json become jsonb? */
static bool
is_jsonb(const char *json)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool is_converted = true;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		(void) DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		int			category = ERRCODE_TO_CATEGORY(geterrcode());

		if (category != ERRCODE_DATA_EXCEPTION && category != ERRCODE_PROGRAM_LIMIT_EXCEEDED)
			PG_RE_THROW();
		MemoryContextSwitchTo(caller);
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		is_converted = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
	CurrentResourceOwner = owner;
	return is_converted;
}

/* The row as the text of json, with columns that jsonb refuses as strings. */
static char *
print_texts(TupleDesc columns, const Datum *values, const bool *nulls)
{
	TupleDesc	printable = CreateTupleDescCopy(columns);
	Datum	   *printed = palloc(sizeof(Datum) * columns->natts);

	printable->tdtypmod = -1;
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);
		Oid			output;
		bool		is_varlena;

		printed[i] = values[i];
		if (nulls[i] || column->attisdropped || is_column_jsonb(columns, i, values, nulls))
			continue;
		getTypeOutputInfo(column->atttypid, &output, &is_varlena);
		printed[i] = CStringGetTextDatum(OidOutputFunctionCall(output, values[i]));
		TupleDescInitEntry(printable, i + 1, NameStr(column->attname), TEXTOID, -1, 0);
	}
	return print_row(BlessTupleDesc(printable), printed, nulls);
}

/* Can the row become jsonb if it has no other column? */
static bool
is_column_jsonb(TupleDesc columns, int column, const Datum *values, const bool *nulls)
{
	bool	   *others = palloc(sizeof(bool) * columns->natts);
	bool		is_converted;

	for (int i = 0; i < columns->natts; i++)
		others[i] = (i != column) || nulls[i];
	is_converted = is_jsonb(print_row(columns, values, others));
	pfree(others);
	return is_converted;
}
