/*
 * sql_csv.c
 *
 * The SQL functions read_csv and flink.filesystem: their arguments and privileges.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "source_csv.h"

PG_FUNCTION_INFO_V1(aw_sql_read_csv);
PG_FUNCTION_INFO_V1(aw_sql_filesystem);

static void require_argument(FunctionCallInfo fcinfo, int argument, const char *name);
static Oid	row_type_argument(FunctionCallInfo fcinfo);
static char delimiter_argument(FunctionCallInfo fcinfo, int argument);
static void metadata_argument(FunctionCallInfo fcinfo, int argument, AwCsvFiles *files);
static Datum read_files(FunctionCallInfo fcinfo, const AwCsvFiles *files);
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
	AwCsvFiles	files = {0};

	require_argument(fcinfo, 1, "path");
	require_argument(fcinfo, 2, "header");
	require_argument(fcinfo, 3, "delimiter");

	files.path = text_to_cstring(PG_GETARG_TEXT_PP(1));
	files.has_header = PG_GETARG_BOOL(2);
	files.delimiter = delimiter_argument(fcinfo, 3);
	return read_files(fcinfo, &files);
}

/*
 * filesystem(rel anyelement, path text, delimiter text, null_literal text, metadata text[])
 * RETURNS SETOF anyelement
 *
 * The same as Flink's connector reads them.  Metadata is column, key, column, key.
 */
Datum
aw_sql_filesystem(PG_FUNCTION_ARGS)
{
	AwCsvFiles	files = {.is_connector = true};
	char	   *path;

	require_argument(fcinfo, 1, "path");
	require_argument(fcinfo, 2, "delimiter");
	require_argument(fcinfo, 4, "metadata");

	files.path = path = text_to_cstring(PG_GETARG_TEXT_PP(1));
	canonicalize_path(path);
	files.delimiter = delimiter_argument(fcinfo, 2);
	if (!PG_ARGISNULL(3))
		files.null_literal = text_to_cstring(PG_GETARG_TEXT_PP(3));
	metadata_argument(fcinfo, 4, &files);
	return read_files(fcinfo, &files);
}

/* The rows, for who may read files. */
static Datum
read_files(FunctionCallInfo fcinfo, const AwCsvFiles *files)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	TupleDesc	rowtype = lookup_rowtype_tupdesc(row_type_argument(fcinfo), -1);

	require_file_privilege(files->path);

	InitMaterializedSRF(fcinfo, 0);
	aw_source_csv_read(files, rowtype, result->setDesc, result->setResult);
	ReleaseTupleDesc(rowtype);

	return (Datum) 0;
}

static void
require_argument(FunctionCallInfo fcinfo, int argument, const char *name)
{
	if (PG_ARGISNULL(argument))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\" of %s must not be null", name,
						get_func_name(fcinfo->flinfo->fn_oid))));
}

/* The type of rel; an error if it is not a named row type. */
static Oid
row_type_argument(FunctionCallInfo fcinfo)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);

	if (get_typtype(type) != TYPTYPE_COMPOSITE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("argument \"rel\" of %s is of type %s, not of a table's row type",
						get_func_name(fcinfo->flinfo->fn_oid), format_type_be(type)),
				 errhint("Write NULL::table_name, or create a composite type.")));
	return type;
}

static char
delimiter_argument(FunctionCallInfo fcinfo, int argument)
{
	const char *delimiter = text_to_cstring(PG_GETARG_TEXT_PP(argument));

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

/* Columns that tell of the file, and what. */
static void
metadata_argument(FunctionCallInfo fcinfo, int argument, AwCsvFiles *files)
{
	Datum	   *words;
	bool	   *nulls;
	int			n_words;
	AwCsvMetadata *metadata;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(argument), TEXTOID, -1, false, TYPALIGN_INT,
					  &words, &nulls, &n_words);
	metadata = palloc_array(AwCsvMetadata, n_words / 2 + 1);
	for (int i = 0; i < n_words; i += 2)
	{
		AwCsvMetadata *told = &metadata[files->n_metadata++];

		if (i + 1 == n_words || nulls[i] || nulls[i + 1])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("metadata are columns and their keys, in turn")));
		told->column = TextDatumGetCString(words[i]);
		told->key = TextDatumGetCString(words[i + 1]);
		if (!aw_source_csv_is_metadata(told->key))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("connector \"filesystem\" has no metadata \"%s\"", told->key)));
	}
	files->metadata = metadata;
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
