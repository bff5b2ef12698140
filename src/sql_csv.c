/*
 * sql_csv.c
 *
 * The SQL function read_csv: its arguments and privileges.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "source_csv.h"

PG_FUNCTION_INFO_V1(aw_sql_read_csv);

static void require_argument(FunctionCallInfo fcinfo, int argument, const char *name);
static Oid	row_type_argument(FunctionCallInfo fcinfo);
static char delimiter_argument(FunctionCallInfo fcinfo);
static void require_file_privilege(const char *path);

/*
 * read_csv(rel anyelement, path text, header boolean, delimiter text)
 * RETURNS SETOF anyelement
 *
 * Only the type of rel matters, its value does not.  The rows are materialised,
 * within work_mem.
 */
Datum
aw_sql_read_csv(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	AwCsvFiles	files;
	TupleDesc	rowtype;

	require_argument(fcinfo, 1, "path");
	require_argument(fcinfo, 2, "header");
	require_argument(fcinfo, 3, "delimiter");

	rowtype = lookup_rowtype_tupdesc(row_type_argument(fcinfo), -1);
	files.path = text_to_cstring(PG_GETARG_TEXT_PP(1));
	files.has_header = PG_GETARG_BOOL(2);
	files.delimiter = delimiter_argument(fcinfo);
	require_file_privilege(files.path);

	InitMaterializedSRF(fcinfo, 0);
	aw_source_csv_read(&files, rowtype, result->setDesc, result->setResult);
	ReleaseTupleDesc(rowtype);

	return (Datum) 0;
}

static void
require_argument(FunctionCallInfo fcinfo, int argument, const char *name)
{
	if (PG_ARGISNULL(argument))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\" of read_csv must not be null", name)));
}

/* The type of rel; an error if it is not a named row type. */
static Oid
row_type_argument(FunctionCallInfo fcinfo)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);

	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("argument \"rel\" of read_csv is of type %s, not of a table's row type",
						format_type_be(type)),
				 errhint("Write NULL::table_name, or create a composite type.")));
	return type;
}

static char
delimiter_argument(FunctionCallInfo fcinfo)
{
	const char *delimiter = text_to_cstring(PG_GETARG_TEXT_PP(3));

	if (strlen(delimiter) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("delimiter \"%s\" is not a single one-byte character", delimiter)));
	if (strchr("\"\r\n", delimiter[0]) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("delimiter cannot be a double quote, a newline or a carriage return")));
	return delimiter[0];
}

/* The rule of COPY FROM a file. */
static void
require_file_privilege(const char *path)
{
	if (!has_privs_of_role(GetUserId(), ROLE_PG_READ_SERVER_FILES))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to read file \"%s\"", path),
				 errdetail("Reading files needs the role \"pg_read_server_files\"."),
				 errhint("Have the role granted, or use psql's \\copy.")));
}
