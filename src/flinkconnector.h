/*
 * flinkconnector.h
 *
 * The options of CREATE TABLE, and what stands for each connector.
 */
#ifndef AW_FLINKCONNECTOR_H
#define AW_FLINKCONNECTOR_H

#include "flinkparser.h"
#include "flinkquery.h"

typedef struct AwFlinkOption
{
	const char *key;
	const char *value;
} AwFlinkOption;

/* What a table becomes. */
typedef enum AwFlinkForm
{
	AW_FLINK_FORM_TABLE,		/* an ordinary table, which is inserted into */
	AW_FLINK_FORM_SINK,			/* one that keeps no rows */
	AW_FLINK_FORM_CSV,			/* a view on files */
	AW_FLINK_FORM_DATAGEN,		/* a view on generated rows */
	AW_FLINK_FORM_JDBC			/* a view on a table of this database */
} AwFlinkForm;

extern List *aw_flinkconnector_options(AwFlinkParser *parser);
extern const char *aw_flinkconnector_option(const List *options, const char *key);
extern AwFlinkForm aw_flinkconnector_form(const List *options, const AwFlinkPath *table);
extern void aw_flinkconnector_datagen(AwFlinkParser *parser, const char *function,
									  const List *options, const char *row_type);
extern void aw_flinkconnector_trigger(AwFlinkParser *parser, const List *options,
									  const char *table);
extern AwFlinkPath *aw_flinkconnector_jdbc_table(const AwFlinkParser *parser,
												 const List *options);
extern char *aw_flinkconnector_options_text(const List *options);

#endif							/* AW_FLINKCONNECTOR_H */
