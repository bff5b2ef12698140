/*
 * source_csv.c
 *
 * Makes rows of a row type from CSV files on the server.
 *
 * Owns the open file, the reader and the conversion of fields, in one memory
 * context, with another one for a row that is reset for each.  Rows go into the
 * caller's tuplestore, so memory is bounded by its work_mem and the longest
 * record.
 *
 * The fields of a record are, in order, the columns of the row type that are
 * neither dropped nor generated; those come out NULL, for the file does not
 * hold them.  Values go through the types' input functions with their type
 * modifiers; domains are checked, for NULL too; defaults and a table's other
 * constraints play no part.  A blank line is a row of one NULL where there is
 * one column, as in COPY, and is skipped where there are more.
 *
 * Read as Flink's connector does, an empty field is an empty text, and NULL is what
 * the caller says; columns of metadata are filled for each file.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "csv.h"
#include "source_csv.h"

/* most bytes of a value that an error shows */
#define VALUE_DISPLAY_BYTES 100

/* A column that the files hold, or that tells of them. */
typedef struct Column
{
	int			attribute;		/* index into the row type */
	const char *metadata;		/* what it tells; NULL: they hold it */
	FmgrInfo	input;
	Oid			typioparam;
	int32		typmod;
	const char *name;
} Column;

typedef struct CsvSource
{
	const AwCsvFiles *files;
	TupleDesc	result;
	Tuplestorestate *rows;
	AwCsv	   *csv;
	int			ncolumns;		/* that the files hold */
	Column	   *columns;
	int			n_told;
	Column	   *told;			/* that tell of them */
	Datum	   *values;			/* one per attribute of the row type */
	bool	   *nulls;
	MemoryContext row_cxt;

	/* where we are, for errors */
	const char *filename;
	int			fd;
	const AwCsvRecord *record;
	int			column;			/* being converted, or -1 */
} CsvSource;

static void prepare_columns(CsvSource *source, TupleDesc rowtype);
static void prepare_column(Column *column, Form_pg_attribute attribute, const char *metadata);
static const char *metadata_of(const AwCsvFiles *files, const char *column);
static List *list_files(const AwCsvFiles *files);
static void list_directory(const AwCsvFiles *files, const char *path, List **paths,
						   List **directories);
static int	compare_names(const ListCell *a, const ListCell *b);
static bool is_directory(const char *path);
static void read_file(CsvSource *source, const char *filename);
static void tell_of_file(CsvSource *source);
static size_t read_bytes(void *arg, char *buffer, size_t size);
static void read_records(CsvSource *source);
static void convert_record(CsvSource *source);
static char *field_text(const CsvSource *source, int i);
static void check_field_count(const CsvSource *source);
static void add_context(void *arg);

/*
 * Appends the rows of the files to the tuplestore.
 *
 * rowtype tells which columns are dropped or generated; result is the same row
 * type as the tuplestore's reader sees it.  A directory is read in the byte
 * order of its files' paths, without hidden ones; no files, no rows.  The
 * connector reads sub-directories, too, and hides names that begin with '_'.
 * Relative paths start at the data directory.  The caller has checked privileges.
 */
void
aw_source_csv_read(const AwCsvFiles *files, TupleDesc rowtype,
				   TupleDesc result, Tuplestorestate *rows)
{
	MemoryContext source_cxt = AllocSetContextCreate(CurrentMemoryContext, "CSV source",
													 ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller_cxt = MemoryContextSwitchTo(source_cxt);
	CsvSource	source = {.files = files, .result = result, .rows = rows, .column = -1};
	ListCell   *cell;

	prepare_columns(&source, rowtype);
	source.csv = aw_csv_create(files->delimiter, source.ncolumns);
	source.row_cxt = AllocSetContextCreate(source_cxt, "CSV row", ALLOCSET_DEFAULT_SIZES);

	if (is_directory(files->path))
	{
		foreach(cell, list_files(files))
			read_file(&source, lfirst(cell));
	}
	else
		read_file(&source, files->path);

	MemoryContextSwitchTo(caller_cxt);
	MemoryContextDelete(source_cxt);
}

/* Can a column tell this of its file? */
bool
aw_source_csv_is_metadata(const char *key)
{
	static const char *const keys[] = {
		"file.path", "file.name", "file.size", "file.modification-time"
	};

	for (size_t i = 0; i < lengthof(keys); i++)
	{
		if (strcmp(key, keys[i]) == 0)
			return true;
	}
	return false;
}

/* Looks up the input functions; columns that are not read stay NULL. */
static void
prepare_columns(CsvSource *source, TupleDesc rowtype)
{
	source->columns = palloc_array(Column, rowtype->natts);
	source->told = palloc_array(Column, rowtype->natts);
	source->values = palloc0_array(Datum, rowtype->natts);
	source->nulls = palloc_array(bool, rowtype->natts);

	for (int i = 0; i < rowtype->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(rowtype, i);
		const char *metadata;

		source->nulls[i] = true;
		if (attribute->attisdropped || attribute->attgenerated != '\0')
			continue;

		metadata = metadata_of(source->files, NameStr(attribute->attname));
		prepare_column(metadata != NULL ? &source->told[source->n_told++] :
					   &source->columns[source->ncolumns++], attribute, metadata);
	}
}

static void
prepare_column(Column *column, Form_pg_attribute attribute, const char *metadata)
{
	Oid			input;

	column->attribute = attribute->attnum - 1;
	column->metadata = metadata;
	column->typmod = attribute->atttypmod;
	column->name = pstrdup(NameStr(attribute->attname));
	getTypeInputInfo(attribute->atttypid, &input, &column->typioparam);
	fmgr_info(input, &column->input);
}

/* What a column tells of the files; NULL if they hold it. */
static const char *
metadata_of(const AwCsvFiles *files, const char *column)
{
	for (int i = 0; i < files->n_metadata; i++)
	{
		if (strcmp(files->metadata[i].column, column) == 0)
			return files->metadata[i].key;
	}
	return NULL;
}

/* Paths of the files of a directory, in byte order. */
static List *
list_files(const AwCsvFiles *files)
{
	List	   *paths = NIL;
	List	   *directories = list_make1(pstrdup(files->path));

	while (directories != NIL)
	{
		char	   *path = linitial(directories);

		directories = list_delete_first(directories);
		list_directory(files, path, &paths, &directories);
	}
	list_sort(paths, compare_names);
	return paths;
}

/* Adds the regular files in a directory, and those that the connector looks into. */
static void
list_directory(const AwCsvFiles *files, const char *path, List **paths, List **directories)
{
	DIR		   *dir = AllocateDir(path);
	struct dirent *entry;

	while ((entry = ReadDir(dir, path)) != NULL)
	{
		char	   *filename;
		struct stat st;

		CHECK_FOR_INTERRUPTS();
		if (entry->d_name[0] == '.' || (files->is_connector && entry->d_name[0] == '_'))
			continue;

		filename = psprintf("%s/%s", path, entry->d_name);
		if (stat(filename, &st) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not stat file \"%s\": %m", filename)));
		if (S_ISREG(st.st_mode))
			*paths = lappend(*paths, filename);
		else if (S_ISDIR(st.st_mode) && files->is_connector)
			*directories = lappend(*directories, filename);
	}
	FreeDir(dir);
}

static int
compare_names(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

/* What cannot be looked at is taken for a file: opening it gives the error. */
static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * Reads one file.  The end of the transaction closes it where an error does not
 * let us.
 */
static void
read_file(CsvSource *source, const char *filename)
{
	ErrorContextCallback callback = {error_context_stack, add_context, source};

	source->filename = filename;
	source->fd = OpenTransientFile(filename, O_RDONLY | PG_BINARY);
	if (source->fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\" for reading: %m", filename)));

	error_context_stack = &callback;
	tell_of_file(source);
	aw_csv_start(source->csv, read_bytes, source);
	read_records(source);
	error_context_stack = callback.previous;

	if (CloseTransientFile(source->fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not close file \"%s\": %m", filename)));
}

/*
 * Fills the columns that tell of the open file, for all its rows.  Each value is what
 * the type of its column reads of the text; times are in whole seconds.
 */
static void
tell_of_file(CsvSource *source)
{
	struct stat st;

	if (source->n_told == 0)
		return;
	if (fstat(source->fd, &st) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not stat file \"%s\": %m", source->filename)));
	for (int i = 0; i < source->n_told; i++)
	{
		Column	   *column = &source->told[i];
		const char *name = strrchr(source->filename, '/');
		const char *text = source->filename;

		if (strcmp(column->metadata, "file.name") == 0)
			text = name == NULL ? source->filename : name + 1;
		else if (strcmp(column->metadata, "file.size") == 0)
			text = psprintf("%lld", (long long) st.st_size);
		else if (strcmp(column->metadata, "file.modification-time") == 0)
			text = timestamptz_to_str(time_t_to_timestamptz(st.st_mtime));
		source->values[column->attribute] = InputFunctionCall(&column->input, pstrdup(text),
															  column->typioparam, column->typmod);
		source->nulls[column->attribute] = false;
	}
}

/*
 * An AwCsvReadBytes over the open file.  A query is cancelled here: a chunk
 * takes little time.
 */
static size_t
read_bytes(void *arg, char *buffer, size_t size)
{
	const CsvSource *source = arg;
	ssize_t		nread;

	CHECK_FOR_INTERRUPTS();
	pgstat_report_wait_start(WAIT_EVENT_COPY_FILE_READ);
	nread = read(source->fd, buffer, size);
	pgstat_report_wait_end();

	if (nread < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read file \"%s\": %m", source->filename)));
	return nread;
}

/* Appends a row for each record of the open file. */
static void
read_records(CsvSource *source)
{
	bool		is_header = source->files->has_header;

	while ((source->record = aw_csv_next(source->csv)) != NULL)
	{
		if (source->record->nfields == 0 && source->ncolumns > 1)
			continue;
		if (is_header)
		{
			is_header = false;
			continue;
		}

		check_field_count(source);
		convert_record(source);
		tuplestore_putvalues(source->rows, source->result, source->values, source->nulls);
	}
}

/* Blank lines have come through only where they are rows. */
static void
check_field_count(const CsvSource *source)
{
	int			nfields = source->record->nfields;

	if (nfields > source->ncolumns)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("extra data after last expected column"),
				 errdetail_plural("The row type takes %d field, the record has %d.",
								  "The row type takes %d fields, the record has %d.",
								  source->ncolumns, source->ncolumns, nfields)));
	if (nfields < source->ncolumns && nfields > 0)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("missing data for column \"%s\"", source->columns[nfields].name),
				 errdetail_plural("The row type takes %d field, the record has %d.",
								  "The row type takes %d fields, the record has %d.",
								  source->ncolumns, source->ncolumns, nfields)));
}

/*
 * Fills values and nulls from the record; they last until the next call.
 *
 * Input functions that are not strict see NULL too, for that is how a domain
 * refuses it.
 */
static void
convert_record(CsvSource *source)
{
	MemoryContext caller_cxt;

	MemoryContextReset(source->row_cxt);
	caller_cxt = MemoryContextSwitchTo(source->row_cxt);

	for (int i = 0; i < source->ncolumns; i++)
	{
		Column	   *column = &source->columns[i];
		char	   *text = field_text(source, i);

		source->column = i;
		source->values[column->attribute] = InputFunctionCall(&column->input, text,
															  column->typioparam, column->typmod);
		source->nulls[column->attribute] = (text == NULL);
	}
	source->column = -1;

	MemoryContextSwitchTo(caller_cxt);
}

/* NULL where the field is; the connector knows no quotes, as Flink's does not. */
static char *
field_text(const CsvSource *source, int i)
{
	const AwCsvFiles *files = source->files;
	char	   *text = aw_csv_text(source->record, i);

	if (!files->is_connector)
		return text;
	if (text == NULL)
		text = pstrdup("");
	return files->null_literal != NULL && strcmp(text, files->null_literal) == 0 ? NULL : text;
}

/*
 * Error context: file and line, and the column and its value where that is what
 * is being converted.
 */
static void
add_context(void *arg)
{
	const CsvSource *source = arg;
	int64		line = aw_csv_line(source->csv);
	const char *name;
	const char *text;
	int			shown;

	if (source->column < 0)
	{
		errcontext("file \"%s\", line %lld", source->filename, (long long) line);
		return;
	}

	name = source->columns[source->column].name;
	text = field_text(source, source->column);
	if (text == NULL)
	{
		errcontext("file \"%s\", line %lld, column \"%s\": null input",
				   source->filename, (long long) line, name);
		return;
	}

	shown = pg_mbcliplen(text, strlen(text), VALUE_DISPLAY_BYTES);
	errcontext("file \"%s\", line %lld, column \"%s\": \"%.*s%s\"",
			   source->filename, (long long) line, name, shown, text,
			   text[shown] == '\0' ? "" : "...");
}
