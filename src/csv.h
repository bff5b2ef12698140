/*
 * csv.h
 *
 * Bytes in, records out: a reader of CSV (RFC 4180) over libcsv.
 */
#ifndef AW_CSV_H
#define AW_CSV_H

typedef struct AwCsv AwCsv;

/*
 * Puts up to size bytes into buffer and returns how many; 0 is the end.  May
 * raise errors.
 */
typedef size_t (*AwCsvReadBytes) (void *arg, char *buffer, size_t size);

/* Where a field's text is in the record's data; start is -1 for NULL. */
typedef struct AwCsvField
{
	int			start;
	int			length;
} AwCsvField;

/*
 * One record; it lasts until the next one is asked for.  Fields past the
 * reader's max_fields are counted but not kept.  A blank line is a record of
 * no fields.
 */
typedef struct AwCsvRecord
{
	int			nfields;
	AwCsvField *fields;
	char	   *data;			/* the fields' texts, each ended by a NUL */
} AwCsvRecord;

extern AwCsv *aw_csv_create(char delimiter, int max_fields);
extern void aw_csv_start(AwCsv *csv, AwCsvReadBytes read_bytes, void *arg);
extern const AwCsvRecord *aw_csv_next(AwCsv *csv);
extern int64 aw_csv_line(const AwCsv *csv);

/* Text of a kept field, or NULL for an empty field without quotes. */
static inline char *
aw_csv_text(const AwCsvRecord *record, int field)
{
	if (field >= record->nfields || record->fields[field].start < 0)
		return NULL;
	return record->data + record->fields[field].start;
}

#endif							/* AW_CSV_H */
