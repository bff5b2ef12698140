/*
 * source_csv.h
 *
 * The rows of CSV files, typed as a row type.
 */
#ifndef AW_SOURCE_CSV_H
#define AW_SOURCE_CSV_H

#include "access/tupdesc.h"
#include "utils/tuplestore.h"

/* What to read and how: one file, or the files of a directory. */
typedef struct AwCsvFiles
{
	const char *path;
	bool		has_header;
	char		delimiter;
} AwCsvFiles;

extern void aw_source_csv_read(const AwCsvFiles *files, TupleDesc rowtype,
							   TupleDesc result, Tuplestorestate *rows);

#endif							/* AW_SOURCE_CSV_H */
