/*
 * source_csv.h
 *
 * The rows of CSV files, typed as a row type.
 */
#ifndef AW_SOURCE_CSV_H
#define AW_SOURCE_CSV_H

#include "access/tupdesc.h"
#include "utils/tuplestore.h"

/* A column that tells of the file, and what: 'file.name' or the like. */
typedef struct AwCsvMetadata
{
	const char *column;
	const char *key;
} AwCsvMetadata;

/* What to read and how: one file, or the files of a directory. */
typedef struct AwCsvFiles
{
	const char *path;
	bool		has_header;
	char		delimiter;
	bool		is_connector;	/* as Flink's connector "filesystem" finds and reads them */
	const char *null_literal;	/* of the connector: a field that is NULL; NULL: none is */
	const AwCsvMetadata *metadata;
	int			n_metadata;
} AwCsvFiles;

extern void aw_source_csv_read(const AwCsvFiles *files, TupleDesc rowtype,
							   TupleDesc result, Tuplestorestate *rows);
extern bool aw_source_csv_is_metadata(const char *key);

#endif							/* AW_SOURCE_CSV_H */
