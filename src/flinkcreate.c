/*
 * flinkcreate.c
 *
 * CREATE TABLE, and the columns of ALTER TABLE.
 *
 * The statement has been read whole (flinkdeclaration.c), and is written as what the
 * table becomes.  A table whose columns all hold values becomes a table.  One with
 * computed columns becomes a view on a table of the others, called like it with __source
 * behind; one whose rows come from elsewhere becomes a view on them, and a row type
 * called like it with __row behind.  What PostgreSQL cannot hold goes into the comment,
 * where SHOW CREATE finds it.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "flinkalter.h"
#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkdeclaration.h"
#include "flinkexpression.h"
#include "flinkquery.h"
#include "flinktable.h"
#include "flinktype.h"
#include "relationcomment.h"

static bool skip_existing(const AwFlinkParser *parser, const AwFlinkCreate *create);
static void refuse_combinations(const AwFlinkParser *parser, const AwFlinkCreate *create);
static void check_jdbc_columns(const AwFlinkParser *parser, const AwFlinkCreate *create);
static bool is_itself(const AwFlinkParser *parser, const AwFlinkCreate *create);
static void remember(AwFlinkParser *parser, const AwFlinkCreate *create);
static bool becomes_view(const AwFlinkCreate *create);
static bool is_read(const AwFlinkCreate *create);
static void translate_row_types(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_table(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name);
static void translate_like(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_row_type(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name);
static void check_datagen(AwFlinkParser *parser, const AwFlinkCreate *create, const char *row);
static void translate_columns(AwFlinkParser *parser, const AwFlinkCreate *create, bool is_type);
static bool is_not_null(const AwFlinkCreate *create, const AwFlinkColumn *column);
static void begin_element(AwFlinkParser *parser, int *n_elements);
static void translate_key(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_watermark(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_view(AwFlinkParser *parser, const AwFlinkCreate *create, const char *source);
static void translate_comments(AwFlinkParser *parser, const AwFlinkCreate *create);

/* What stands behind CREATE [TEMPORARY] TABLE. */
void
aw_flinkcreate_table(AwFlinkParser *parser, bool is_temporary)
{
	AwFlinkCreate create = {.is_temporary = is_temporary};
	const char *name;

	aw_flinkdeclaration_table(parser, &create);
	if (create.has_query && create.columns != NIL)
		aw_flinkparser_unsupported(parser, "CREATE TABLE with columns and AS",
								   "Create the table, and insert into it.");
	if (create.if_not_exists && skip_existing(parser, &create))
		return;
	create.form = aw_flinkconnector_form(create.options, create.path);
	if (create.form == AW_FLINK_FORM_JDBC && is_itself(parser, &create))
	{
		create.form = AW_FLINK_FORM_TABLE;
		create.options = NIL;
		if (skip_existing(parser, &create))
			return;
	}
	refuse_combinations(parser, &create);
	remember(parser, &create);
	name = create.path->sql;
	translate_row_types(parser, &create);
	if (!becomes_view(&create))
		translate_table(parser, &create, name);
	else if (!is_read(&create))
	{
		char	   *source = aw_flinkcreate_derived_name(create.path, "__source");

		translate_table(parser, &create, source);
		translate_view(parser, &create, source);
	}
	else
	{
		char	   *row = aw_flinkcreate_derived_name(create.path, "__row");

		if (create.form != AW_FLINK_FORM_JDBC)
			translate_row_type(parser, &create, row);
		if (create.form == AW_FLINK_FORM_DATAGEN)
			check_datagen(parser, &create, row);
		translate_view(parser, &create, row);
	}
	if (create.rowtime != NULL)
		translate_watermark(parser, &create);
	else if (create.like_without_watermark)
		aw_flinkalter_drop_watermark(parser, create.path);
	translate_comments(parser, &create);
}

/* A column behind ALTER TABLE ... ADD. */
void
aw_flinkcreate_added_column(AwFlinkParser *parser, const AwFlinkPath *table)
{
	AwFlinkCreate create = {.path = unconstify(AwFlinkPath *, table)};
	AwFlinkParser start = *parser;
	AwFlinkColumn *column;

	parser->row_prefix = table->schema == NULL ? "" :
		psprintf("%s.", quote_identifier(table->schema));
	aw_flinkdeclaration_column(parser, &create);
	column = linitial(create.columns);
	if (column->type == NULL)
		aw_flinkparser_unsupported(&start, "a computed column in ALTER TABLE", NULL);
	translate_row_types(parser, &create);
	aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s ADD COLUMN %s %s%s", table->sql,
										 quote_identifier(column->name), column->type->sql,
										 column->is_not_null ? " NOT NULL" : ""));
	aw_flinkparser_end_statement(parser);
	if (column->comment != NULL)
		aw_flinkcreate_comment(parser, psprintf("COLUMN %s.%s", table->sql,
												quote_identifier(column->name)), column->comment);
}

/* COMMENT ON an object. */
void
aw_flinkcreate_comment(AwFlinkParser *parser, const char *object, const char *comment)
{
	aw_flinkparser_emit(parser, psprintf("COMMENT ON %s IS %s", object,
										 quote_literal_cstr(comment)));
	aw_flinkparser_end_statement(parser);
}

/* The name of what belongs to a table, in its schema; quoted. */
char *
aw_flinkcreate_derived_name(const AwFlinkPath *path, const char *suffix)
{
	const char *name = quote_identifier(psprintf("%s%s", path->name, suffix));

	if (path->schema == NULL)
		return pstrdup(name);
	return psprintf("%s.%s", quote_identifier(path->schema), name);
}

/* Says so if the table exists. */
static bool
skip_existing(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkPath path = *create->path;

	if (create->is_temporary)
		path.schema = "pg_temp";
	if (!aw_flinktable_exists(parser, &path))
		return false;
	ereport(NOTICE,
			(errmsg("relation \"%s\" already exists, skipping", create->path->name)));
	return true;
}

static void
refuse_combinations(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkParser options = *parser;

	options.at = create->options_at;
	if (create->has_query && create->form != AW_FLINK_FORM_TABLE)
		aw_flinkparser_unsupported(&options, "CREATE TABLE with AS and a connector that is read or keeps nothing",
								   "Create the table, and insert into it.");
	if (create->like != NULL && is_read(create))
		aw_flinkparser_unsupported(&options, "LIKE with a connector that is read", NULL);
	if (create->form == AW_FLINK_FORM_JDBC)
		check_jdbc_columns(&options, create);
}

/* A column of a table of this database has the type that it has there. */
static void
check_jdbc_columns(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkPath *path = aw_flinkconnector_jdbc_table(parser, create->options);
	Oid			relid = RangeVarGetRelid(makeRangeVar(unconstify(char *, path->schema),
													  unconstify(char *, path->name), -1),
										 NoLock, true);
	ListCell   *cell;

	if (!OidIsValid(relid))
		aw_flinkparser_error(parser, psprintf("relation \"%s\" does not exist", path->name));
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);
		AttrNumber	attno = get_attnum(relid, column->name);

		if (column->type == NULL)
			continue;
		if (attno == InvalidAttrNumber)
			aw_flinkparser_error(parser, psprintf("column \"%s\" does not exist in \"%s\"",
												  column->name, path->name));
		if (aw_compat_parse_type(column->type->sql) != get_atttype(relid, attno))
			aw_flinkparser_error(parser, psprintf("column \"%s\" of \"%s\" is of type %s, not %s",
												  column->name, path->name,
												  format_type_be(get_atttype(relid, attno)),
												  column->type->sql));
	}
}

/* Does the connector lead to the table that the statement creates? */
static bool
is_itself(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	return strcmp(aw_flinkconnector_jdbc_table(parser, create->options)->sql,
				  create->path->sql) == 0;
}

/* Notes the table for the statements behind it. */
static void
remember(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkTable *table = palloc0(sizeof(AwFlinkTable));
	ListCell   *cell;

	if (create->like != NULL || create->has_query)
		return;
	table->name = create->path->sql;
	table->is_view = becomes_view(create);
	table->is_table = true;
	if (table->is_view && create->form != AW_FLINK_FORM_JDBC)
		table->below = is_read(create) ? RELKIND_COMPOSITE_TYPE : RELKIND_RELATION;
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		table->columns = lappend(table->columns, unconstify(char *, column->name));
		if (column->type != NULL)
			table->insertable = lappend(table->insertable, unconstify(char *, column->name));
	}
	table->key = create->key;
	table->is_key_enforced = create->key != NIL && create->rowtime == NULL && !is_read(create);
	table->is_sink = create->form == AW_FLINK_FORM_SINK;
	foreach(cell, create->row_types)
		table->row_types = lcons(unconstify(char *, ((AwFlinkRowType *) lfirst(cell))->sql),
								 table->row_types);
	table->rowtime = create->rowtime;
	parser->tables = lcons(table, parser->tables);
}

static bool
becomes_view(const AwFlinkCreate *create)
{
	return create->has_computed || is_read(create);
}

/* Do the rows come from elsewhere? */
static bool
is_read(const AwFlinkCreate *create)
{
	return create->form != AW_FLINK_FORM_TABLE && create->form != AW_FLINK_FORM_SINK;
}

static void
translate_row_types(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	ListCell   *cell;

	foreach(cell, create->row_types)
	{
		AwFlinkRowType *type = lfirst(cell);

		aw_flinkparser_emit(parser, psprintf("CREATE TYPE %s AS (%s)", type->sql, type->columns));
		aw_flinkparser_end_statement(parser);
	}
}

/* A table, and the trigger of a sink. */
static void
translate_table(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name)
{
	AwFlinkOutput *output = parser->output;

	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, create->is_temporary ? "CREATE TEMPORARY TABLE" : "CREATE TABLE");
	aw_flinkparser_emit(parser, name);
	if (create->has_query)
	{
		aw_flinkparser_emit(parser, "AS");
		aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
		parser->names_columns = true;
		aw_flinkquery_translate(parser);
	}
	else
	{
		aw_flinkparser_emit(parser, "(");
		translate_columns(parser, create, false);
		aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
		aw_flinkparser_emit_glued(parser, ")");
	}
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
	if (create->has_query && create->key != NIL)
	{
		aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s ADD", name));
		translate_key(parser, create);
		aw_flinkparser_end_statement(parser);
	}
	if (create->form == AW_FLINK_FORM_SINK)
	{
		aw_flinkconnector_trigger(parser, create->options, name);
		aw_flinkparser_end_statement(parser);
	}
}

/* The watermark of the other table is a constraint. */
static void
translate_like(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	aw_flinkparser_emit(parser, psprintf("LIKE %s INCLUDING ALL%s", create->like->sql,
										 create->like_without_key ? " EXCLUDING INDEXES" : ""));
}

static void
translate_row_type(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name)
{
	AwFlinkOutput *output = parser->output;

	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, psprintf("CREATE TYPE %s%s AS (",
										 create->is_temporary ? "pg_temp." : "", name));
	translate_columns(parser, create, true);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	aw_flinkparser_emit_glued(parser, ")");
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
}

/* Options that are wrong are errors now, not when the first row is asked for. */
static void
check_datagen(AwFlinkParser *parser, const AwFlinkCreate *create, const char *row)
{
	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkconnector_datagen(parser, "flink.check_datagen", create->options, row);
	aw_flinkparser_end_statement(parser);
}

/* A line for each column that holds values, and for each constraint; a type has none. */
static void
translate_columns(AwFlinkParser *parser, const AwFlinkCreate *create, bool is_type)
{
	int			n_elements = 0;
	ListCell   *cell;

	aw_flinkoutput_open_indented(parser->output);
	if (create->like != NULL)
	{
		begin_element(parser, &n_elements);
		translate_like(parser, create);
	}
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->type == NULL)
			continue;
		begin_element(parser, &n_elements);
		aw_flinkparser_emit(parser, psprintf("%s %s%s", quote_identifier(column->name),
											 column->type->sql,
											 is_not_null(create, column) && !is_type ? " NOT NULL" : ""));
	}
	if (create->key != NIL && !is_type)
	{
		begin_element(parser, &n_elements);
		translate_key(parser, create);
	}
	aw_flinkoutput_close(parser->output);
}

/* A column of a key is never NULL; of one that is enforced, PostgreSQL knows. */
static bool
is_not_null(const AwFlinkCreate *create, const AwFlinkColumn *column)
{
	ListCell   *cell;

	foreach(cell, create->rowtime == NULL ? NIL : create->key)
	{
		if (strcmp(lfirst(cell), column->name) == 0)
			return true;
	}
	return column->is_not_null;
}

static void
begin_element(AwFlinkParser *parser, int *n_elements)
{
	if ((*n_elements)++ > 0)
		aw_flinkparser_emit_glued(parser, ",");
	aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_ALWAYS);
}

/* With a watermark the table has versions of its rows: the key cannot be enforced. */
static void
translate_key(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	ListCell   *cell;
	StringInfoData columns;

	initStringInfo(&columns);
	foreach(cell, create->key)
		appendStringInfo(&columns, "%s%s", columns.len > 0 ? ", " : "",
						 quote_identifier(lfirst(cell)));
	aw_flinkparser_emit(parser, psprintf(create->rowtime == NULL ? "PRIMARY KEY (%s)" :
										 "CHECK (flink.primary_key(%s))", columns.data));
}

static void
translate_watermark(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkParser watermark = *parser;

	watermark.at = create->watermark;
	aw_flinkalter_set_watermark(&watermark, create->path);
}

/* The view that shows all columns; source: the table, or the row type of its rows. */
static void
translate_view(AwFlinkParser *parser, const AwFlinkCreate *create, const char *source)
{
	AwFlinkOutput *output = parser->output;
	ListCell   *cell;

	aw_flinkoutput_open(output);
	aw_flinkparser_emit(parser, psprintf("CREATE %sVIEW %s AS",
										 create->is_temporary ? "TEMPORARY " : "",
										 create->path->sql));
	aw_flinkoutput_break(output, AW_FLINK_BREAK_ALWAYS);
	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkoutput_open_indented(output);
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->type != NULL)
			aw_flinkparser_emit(parser, quote_identifier(column->name));
		else
		{
			aw_flinkoutput_open(output);
			aw_flinkexpression_range(parser, column->start, column->end);
			aw_flinkparser_emit(parser, psprintf("AS %s", quote_identifier(column->name)));
			aw_flinkoutput_close(output);
		}
		if (lnext(create->columns, cell) != NULL)
		{
			aw_flinkparser_emit_glued(parser, ",");
			aw_flinkoutput_break(output, AW_FLINK_BREAK_FILL);
		}
	}
	aw_flinkoutput_close(output);
	aw_flinkoutput_break(output, AW_FLINK_BREAK_CLAUSE);
	aw_flinkparser_emit(parser, "FROM");
	if (!is_read(create))
		aw_flinkparser_emit(parser, source);
	else
	{
		AwFlinkParser options = *parser;

		options.at = create->options_at;
		aw_flinkconnector_source(&options, create->form, create->options, source);
	}
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
}

/* What PostgreSQL cannot hold otherwise, for SHOW CREATE. */
static void
translate_comments(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	const char *kind = becomes_view(create) ? "VIEW" : "TABLE";
	ListCell   *cell;

	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->comment != NULL)
			aw_flinkcreate_comment(parser, psprintf("COLUMN %s.%s", create->path->sql,
													quote_identifier(column->name)),
								   column->comment);
	}
	if (create->options != NIL || create->comment != NULL)
	{
		const char *options = create->options == NIL ? NULL :
			aw_flinkconnector_options_text(create->options);

		aw_flinkcreate_comment(parser, psprintf("%s %s", kind, create->path->sql),
							   aw_relationcomment_join(create->comment, options));
	}
}
