/*
 * csv.c
 *
 * Reads CSV (RFC 4180) with libcsv, one record at a time.
 *
 * Owns the buffer of bytes, libcsv's parser and the record being collected, all
 * in one memory context.  libcsv is fed line by line and calls back for each
 * field and record, so a feed completes at most one record and memory is a
 * chunk and the longest record.  The callbacks neither allocate nor raise
 * errors: room is made before a feed, and what they find wrong is reported
 * after it.
 *
 * Rules: fields are separated by one byte, quoted by double quotes; strict
 * about both.  Lines end in LF or CRLF.  White space is data.  An empty field is
 * NULL without quotes and the empty string with them.  The bytes must be valid
 * in the database encoding; a UTF-8 byte order mark at the start is skipped.
 */
#include "postgres.h"

#include <csv.h>

#include "mb/pg_wchar.h"
#include "utils/memutils.h"

#include "csv.h"

/* bytes asked for at a time */
#define CHUNK_SIZE (64 * 1024)

struct AwCsv
{
	MemoryContext cxt;			/* holds all of it */
	struct csv_parser parser;
	AwCsvReadBytes read_bytes;
	void	   *read_arg;

	/* bytes read: [next, valid_end) can be fed, [valid_end, end) not yet */
	char	   *chunk;
	size_t		next;
	size_t		valid_end;
	size_t		end;
	int64		line;			/* line of the byte at next, from 1 */

	/* the record being collected */
	AwCsvRecord record;
	int			max_fields;
	size_t		data_size;		/* bytes allocated for record.data */
	size_t		data_used;
	size_t		record_bytes;	/* bytes fed since the record started */
	int64		record_line;	/* line on which it starts */
	bool		is_complete;
	bool		is_after_return;	/* the last byte fed ended a record, by CR */
	bool		has_stray_return;	/* that CR had no LF behind it */
};

static void begin_record(AwCsv *csv);
static bool fill_chunk(AwCsv *csv);
static void read_chunk(AwCsv *csv);
static void skip_byte_order_mark(AwCsv *csv);
static void prepare_parser(AwCsv *csv);
static void feed_line(AwCsv *csv);
static void feed_end(AwCsv *csv);
static void reserve_data(AwCsv *csv, size_t length);
static void collect_field(void *bytes, size_t length, void *arg);
static void end_record(int terminator, void *arg);
static int	no_space(unsigned char c);
static void *allocate(void *block, size_t size);
static void report_stray_return(void);
static void report_too_long(void);
static void report_parse_error(AwCsv *csv);

/*
 * A reader in a new child of the current context, freed with it; aw_csv_start
 * comes next.
 *
 * Of each record the first max_fields fields are kept.  The delimiter is
 * neither a double quote nor CR nor LF.
 */
AwCsv *
aw_csv_create(char delimiter, int max_fields)
{
	MemoryContext cxt;
	AwCsv	   *csv;

	Assert(delimiter != '"' && delimiter != '\r' && delimiter != '\n');

	cxt = AllocSetContextCreate(CurrentMemoryContext, "CSV reader", ALLOCSET_DEFAULT_SIZES);
	csv = MemoryContextAllocZero(cxt, sizeof(AwCsv));
	csv->cxt = cxt;
	csv->chunk = MemoryContextAlloc(cxt, CHUNK_SIZE);
	csv->max_fields = max_fields;
	csv->record.fields = MemoryContextAlloc(cxt, mul_size(sizeof(AwCsvField), max_fields));
	csv->data_size = CHUNK_SIZE;
	csv->record.data = MemoryContextAlloc(cxt, csv->data_size);

	csv_init(&csv->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL | CSV_EMPTY_IS_NULL);
	csv_set_delim(&csv->parser, (unsigned char) delimiter);
	csv_set_realloc_func(&csv->parser, allocate);
	csv_set_free_func(&csv->parser, pfree);

	return csv;
}

/*
 * Starts on a new stream of bytes.  The stream before it, if any, was read to
 * its end.
 */
void
aw_csv_start(AwCsv *csv, AwCsvReadBytes read_bytes, void *arg)
{
	csv->read_bytes = read_bytes;
	csv->read_arg = arg;
	csv->next = csv->valid_end = csv->end = 0;
	csv->line = 1;
	csv->is_after_return = false;
	csv->has_stray_return = false;
	begin_record(csv);
	if (fill_chunk(csv))
		skip_byte_order_mark(csv);
}

/*
 * The next record, or NULL at the end of the bytes.
 *
 * Raises an error, to be completed by the caller's error context, where quotes
 * are not as RFC 4180 has them (22P04), a CR is not followed by LF (22P04), the
 * encoding is invalid (22021), or a record is too long (54000).  After an error
 * the reader is of no more use.
 */
const AwCsvRecord *
aw_csv_next(AwCsv *csv)
{
	MemoryContext caller_cxt = MemoryContextSwitchTo(csv->cxt);

	begin_record(csv);
	while (!csv->is_complete && fill_chunk(csv))
		feed_line(csv);
	if (!csv->is_complete)
		feed_end(csv);

	MemoryContextSwitchTo(caller_cxt);
	return csv->is_complete ? &csv->record : NULL;
}

/* Line on which the current record starts, from 1; every LF ends a line. */
int64
aw_csv_line(const AwCsv *csv)
{
	return csv->record_line;
}

static void
begin_record(AwCsv *csv)
{
	csv->record.nfields = 0;
	csv->data_used = 0;
	csv->record_bytes = 0;
	csv->record_line = csv->line;
	csv->is_complete = false;
}

/*
 * Sees to it that there are valid bytes to feed; false at the end of the bytes.
 *
 * The encoding is verified a chunk at a time.  Bytes left over are a character
 * cut in two by the end of the chunk, or invalid: they are then still at the
 * start of the next one.
 */
static bool
fill_chunk(AwCsv *csv)
{
	int			encoding = GetDatabaseEncoding();

	if (csv->next < csv->valid_end)
		return true;

	read_chunk(csv);
	csv->valid_end = pg_encoding_verifymbstr(encoding, csv->chunk, csv->end);
	if (csv->valid_end == 0 && csv->end > 0)
		report_invalid_encoding(encoding, csv->chunk, csv->end);
	prepare_parser(csv);

	return csv->valid_end > 0;
}

/* Moves the bytes left over to the start of the chunk and fills it up. */
static void
read_chunk(AwCsv *csv)
{
	size_t		nread;

	csv->end -= csv->valid_end;
	memmove(csv->chunk, csv->chunk + csv->valid_end, csv->end);
	csv->next = csv->valid_end = 0;

	while (csv->end < CHUNK_SIZE)
	{
		nread = csv->read_bytes(csv->read_arg, csv->chunk + csv->end, CHUNK_SIZE - csv->end);
		if (nread == 0)
			break;
		csv->end += nread;
	}
}

/* In other encodings the three bytes are characters, and kept. */
static void
skip_byte_order_mark(AwCsv *csv)
{
	if (GetDatabaseEncoding() == PG_UTF8 && csv->valid_end >= 3 &&
		memcmp(csv->chunk, "\xEF\xBB\xBF", 3) == 0)
		csv->next = 3;
}

/*
 * Adjusts libcsv to the bytes of the chunk.
 *
 * libcsv trims blanks and tabs unless a function says that there are none.  It
 * calls that function for each byte, which a chunk without either can do
 * without.  Its buffer for a field grows by a fixed amount: at least what a
 * chunk can ask for, and doubling where a field spans chunks.
 */
static void
prepare_parser(AwCsv *csv)
{
	bool		has_space = memchr(csv->chunk, CSV_SPACE, csv->valid_end) != NULL ||
		memchr(csv->chunk, CSV_TAB, csv->valid_end) != NULL;

	csv_set_space_func(&csv->parser, has_space ? no_space : NULL);
	csv_set_blk_size(&csv->parser, Max(CHUNK_SIZE, csv_get_buffer_size(&csv->parser)));
}

/*
 * Gives libcsv the rest of the line, or what the chunk holds of it.
 *
 * LF is the last byte of a feed, and a CR that ends a record before it is an
 * error: so no feed completes two records.
 */
static void
feed_line(AwCsv *csv)
{
	const char *start = csv->chunk + csv->next;
	size_t		length = csv->valid_end - csv->next;
	const char *newline = memchr(start, CSV_LF, length);

	Assert(CurrentMemoryContext == csv->cxt);
	if (newline != NULL)
		length = newline + 1 - start;

	reserve_data(csv, length);
	if (csv_parse(&csv->parser, start, length, collect_field, end_record, csv) != length)
		report_parse_error(csv);
	if (csv->has_stray_return)
		report_stray_return();

	csv->next += length;
	if (newline != NULL)
		csv->line++;
}

/* Tells libcsv that there is no more: a last line without LF is a record. */
static void
feed_end(AwCsv *csv)
{
	reserve_data(csv, 0);
	if (csv_fini(&csv->parser, collect_field, end_record, csv) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
				 errmsg("unterminated CSV quoted field"),
				 errdetail("Field %d of the record is still open at the end of the file.",
						   csv->record.nfields + 1)));
	if (csv->has_stray_return)
		report_stray_return();
}

/*
 * Makes room for what a feed of length bytes can add to the record.
 *
 * A field has a delimiter or line end behind it whose byte is the room for its
 * NUL, save the last field of a file: hence the one byte more.
 */
static void
reserve_data(AwCsv *csv, size_t length)
{
	size_t		needed = csv->record_bytes + length + 1;

	csv->record_bytes += length;
	if (needed <= csv->data_size)
		return;
	if (needed > MaxAllocSize)
		report_too_long();

	csv->data_size = Min(MaxAllocSize, Max(needed, csv->data_size * 2));
	csv->record.data = repalloc(csv->record.data, csv->data_size);
}

/* libcsv has read a field; bytes is NULL if it is empty without quotes. */
static void
collect_field(void *bytes, size_t length, void *arg)
{
	AwCsv	   *csv = arg;
	int			i = csv->record.nfields++;
	AwCsvField *field;

	if (csv->is_after_return)
		csv->has_stray_return = true;
	if (i >= csv->max_fields)
		return;

	field = &csv->record.fields[i];
	field->length = length;
	if (bytes == NULL)
	{
		field->start = -1;
		return;
	}

	Assert(csv->data_used + length < csv->data_size);
	field->start = csv->data_used;
	memcpy(csv->record.data + csv->data_used, bytes, length);
	csv->data_used += length;
	csv->record.data[csv->data_used++] = '\0';
}

/*
 * libcsv has read the end of a line outside quotes, or of the bytes (-1).
 *
 * It knows nothing of CRLF: the record ends at the CR, and the LF behind it,
 * perhaps at the start of the next feed, is one line end more.
 */
static void
end_record(int terminator, void *arg)
{
	AwCsv	   *csv = arg;

	if (csv->is_after_return)
	{
		if (terminator != CSV_LF)
			csv->has_stray_return = true;
		if (!csv->is_complete)
			csv->record_line = csv->line + 1;
		csv->is_after_return = false;
		return;
	}

	csv->is_after_return = (terminator == CSV_CR);
	csv->is_complete = true;
}

static int
no_space(unsigned char c)
{
	return 0;
}

/*
 * libcsv's realloc.  It asks for less, and in the end gives up by itself, where
 * it gets NULL.
 */
static void *
allocate(void *block, size_t size)
{
	if (size > MaxAllocSize)
		return NULL;
	return block == NULL ? palloc(size) : repalloc(block, size);
}

static void
report_stray_return(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
			 errmsg("unquoted carriage return found in data"),
			 errhint("Enclose the field in quotes, or end lines with LF or CRLF.")));
}

static void
report_too_long(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("CSV record is longer than %zu bytes", MaxAllocSize - 1),
			 errhint("Look for a quote that is not closed.")));
}

/* libcsv stopped: no memory, or a quote where strict CSV has none. */
static void
report_parse_error(AwCsv *csv)
{
	if (csv_error(&csv->parser) != CSV_EPARSE)
		report_too_long();

	ereport(ERROR,
			(errcode(ERRCODE_BAD_COPY_FILE_FORMAT),
			 csv->parser.quoted
			 ? errmsg("data after the closing quote of a CSV field")
			 : errmsg("quote inside an unquoted CSV field"),
			 errdetail("It is in field %d of the record.", csv->record.nfields + 1),
			 errhint("Enclose the field in quotes and double each quote in it.")));
}
