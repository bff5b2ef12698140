/*
 * flinkfile.c
 *
 * Tables whose connector reads files of CSV: a call of flink.filesystem(), which finds
 * and reads files as Flink does.  What it is told nothing of would change the rows, and
 * is refused.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "flinkfile.h"
#include "source_csv.h"

static void check_options(const AwFlinkParser *parser, const List *options);
static char *local_path(const char *path);
static const char *metadata_key(const AwFlinkColumn *column);
static char *metadata_text(const List *columns);

/* Refuses what is not read as Flink reads it; the parser is at the options. */
void
aw_flinkfile_check(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	ListCell   *cell;

	check_options(parser, create->options);
	if (create->partition_at != 0)
	{
		AwFlinkParser partition = *parser;

		partition.at = create->partition_at;
		aw_flinkparser_unsupported(&partition, "PARTITIONED BY of connector \"filesystem\"",
								   "Compute the column from METADATA FROM 'file.path'.");
	}
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->is_metadata && !aw_source_csv_is_metadata(metadata_key(column)))
			aw_flinkparser_unsupported(parser, psprintf("metadata '%s' of connector \"filesystem\"",
														metadata_key(column)),
									   "There are file.path, file.name, file.size and file.modification-time.");
	}
}

/* What the view has in FROM. */
void
aw_flinkfile_source(AwFlinkParser *parser, const AwFlinkCreate *create, const char *row_type)
{
	const char *path = aw_flinkconnector_option(create->options, "path");
	const char *delimiter = aw_flinkconnector_option(create->options, "csv.field-delimiter");
	const char *null_literal = aw_flinkconnector_option(create->options, "csv.null-literal");
	const char *metadata = metadata_text(create->columns);

	aw_flinkparser_emit(parser, "flink.filesystem");
	aw_flinkparser_emit_open(parser);
	aw_flinkparser_emit(parser, psprintf("NULL::%s, %s", row_type,
										 quote_literal_cstr(local_path(path))));
	if (delimiter != NULL)
		aw_flinkparser_emit_glued(parser, psprintf(", delimiter => %s", strcmp(delimiter, "\\t") == 0 ?
												   "E'\\t'" : quote_literal_cstr(delimiter)));
	if (null_literal != NULL)
		aw_flinkparser_emit_glued(parser, psprintf(", null_literal => %s",
												   quote_literal_cstr(null_literal)));
	if (metadata != NULL)
		aw_flinkparser_emit_glued(parser, psprintf(", metadata => ARRAY[%s]", metadata));
	aw_flinkparser_emit_glued(parser, ")");
}

/* An option that would change the rows must not be ignored. */
static void
check_options(const AwFlinkParser *parser, const List *options)
{
	ListCell   *cell;

	if (aw_flinkconnector_option(options, "path") == NULL)
		aw_flinkparser_error(parser, "connector \"filesystem\" needs the option 'path'");
	foreach(cell, options)
	{
		AwFlinkOption *option = lfirst(cell);

		if (strncmp(option->key, "csv.", strlen("csv.")) == 0 &&
			strcmp(option->key, "csv.field-delimiter") != 0 &&
			strcmp(option->key, "csv.null-literal") != 0)
			aw_flinkparser_unsupported(parser, psprintf("option '%s'", option->key), NULL);
	}
}

/* The path of a file on the server. */
static char *
local_path(const char *path)
{
	if (strncmp(path, "file://", strlen("file://")) == 0)
		return pstrdup(path + strlen("file://"));
	if (strncmp(path, "file:", strlen("file:")) == 0)
		return pstrdup(path + strlen("file:"));
	return pstrdup(path);
}

static const char *
metadata_key(const AwFlinkColumn *column)
{
	return column->metadata == NULL ? column->name : column->metadata;
}

/* Columns of metadata and their keys, in turn, as literals; NULL if there are none. */
static char *
metadata_text(const List *columns)
{
	StringInfoData text;
	const ListCell *cell;

	initStringInfo(&text);
	foreach(cell, columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->is_metadata)
			appendStringInfo(&text, "%s%s, %s", text.len > 0 ? ", " : "",
							 quote_literal_cstr(column->name),
							 quote_literal_cstr(metadata_key(column)));
	}
	return text.len == 0 ? NULL : text.data;
}
