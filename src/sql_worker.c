/*
 * sql_worker.c
 *
 * What the worker of a database is about, as the SQL function worker() shows it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_authid.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/pg_lsn.h"
#include "utils/timestamp.h"

#include "shmem.h"

PG_FUNCTION_INFO_V1(aw_sql_worker);

/*
 * worker() → (pid, position, seen_until, error).  The error may have values of rows, so
 * it is for those who may see what others do.
 */
Datum
aw_sql_worker(PG_FUNCTION_ARGS)
{
	AwWorkerStatus status = {0};
	char	   *error = NULL;
	TupleDesc	columns;
	Datum		values[4] = {0};
	bool		nulls[4];

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (aw_shmem_is_there())
	{
		status = aw_shmem_status();
		if (has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS))
			error = aw_shmem_error();
	}
	nulls[0] = status.pid == 0;
	nulls[1] = XLogRecPtrIsInvalid(status.lsn);
	nulls[2] = status.seen_until == 0;
	nulls[3] = error == NULL;
	values[0] = Int32GetDatum(status.pid);
	values[1] = LSNGetDatum(status.lsn);
	values[2] = TimestampTzGetDatum(status.seen_until);
	if (error != NULL)
		values[3] = CStringGetTextDatum(error);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(columns, values, nulls)));
}
