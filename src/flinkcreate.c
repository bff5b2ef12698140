/*
 * flinkcreate.c
 *
 * CREATE TABLE, and the columns of ALTER TABLE.
 *
 * The statement is read whole, and then written as what the table becomes.  A table
 * whose columns all hold values becomes a table.  One with computed columns becomes a view on a table of the others,
 * called like it with __source behind; one whose rows come from elsewhere becomes a
 * view on them, and a row type called like it with __row behind.  What PostgreSQL
 * cannot hold goes into the comment, where SHOW CREATE finds it.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"

#include "flinkalter.h"
#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkexpression.h"
#include "flinkquery.h"
#include "flinktable.h"
#include "flinktype.h"

/* A column; a computed one has the tokens of its expression. */
typedef struct Column
{
	const char *name;			/* not quoted */
	const AwFlinkType *type;	/* NULL: it is computed */
	bool		is_not_null;
	const char *comment;
	int			start;
	int			end;
} Column;

/* A statement CREATE TABLE. */
typedef struct Create
{
	AwFlinkPath *path;
	bool		is_temporary;
	bool		if_not_exists;
	List	   *columns;		/* Column */
	bool		has_computed;	/* one of them is computed */
	List	   *row_types;		/* AwFlinkRowType */
	List	   *key;			/* char *: columns of the primary key */
	const char *rowtime;		/* NULL: there is no watermark */
	int			watermark;		/* the token behind WATERMARK FOR */
	const char *comment;
	List	   *options;		/* AwFlinkOption */
	AwFlinkForm form;
	AwFlinkPath *like;
	bool		like_without_watermark;
	bool		has_query;
} Create;

static void parse_create(AwFlinkParser *parser, Create *create);
static void parse_elements(AwFlinkParser *parser, Create *create);
static void parse_element(AwFlinkParser *parser, Create *create);
static void parse_watermark(AwFlinkParser *parser, Create *create);
static void parse_key(AwFlinkParser *parser, Create *create);
static void parse_not_enforced(AwFlinkParser *parser);
static void parse_column(AwFlinkParser *parser, Create *create);
static void parse_physical(AwFlinkParser *parser, Create *create, Column *column);
static void ignore_metadata(AwFlinkParser *parser, const Column *column);
static void parse_trailer(AwFlinkParser *parser, Create *create);
static void parse_like(AwFlinkParser *parser, Create *create);
static bool is_itself(const AwFlinkParser *parser, const Create *create);
static void remember(AwFlinkParser *parser, const Create *create);
static bool becomes_view(const Create *create);
static bool is_read(const Create *create);
static void translate_row_types(AwFlinkParser *parser, const Create *create);
static void translate_table(AwFlinkParser *parser, const Create *create, const char *name);
static void translate_like(AwFlinkParser *parser, const Create *create);
static void translate_row_type(AwFlinkParser *parser, const Create *create, const char *name);
static void check_datagen(AwFlinkParser *parser, const Create *create, const char *row);
static void translate_columns(AwFlinkParser *parser, const Create *create, bool is_type);
static bool is_not_null(const Create *create, const Column *column);
static void begin_element(AwFlinkParser *parser, int *n_elements);
static void translate_key(AwFlinkParser *parser, const Create *create);
static void translate_watermark(AwFlinkParser *parser, const Create *create);
static void translate_view(AwFlinkParser *parser, const Create *create, const char *source);
static void translate_comments(AwFlinkParser *parser, const Create *create);

/* What stands behind CREATE [TEMPORARY] TABLE. */
void
aw_flinkcreate_table(AwFlinkParser *parser, bool is_temporary)
{
	Create		create = {.is_temporary = is_temporary};
	const char *name;

	parse_create(parser, &create);
	if (create.has_query && create.columns != NIL)
		aw_flinkparser_unsupported(parser, "CREATE TABLE with columns and AS",
								   "Create the table, and insert into it.");
	name = create.path->sql;
	create.form = aw_flinkconnector_form(create.options, create.path);
	if (create.form == AW_FLINK_FORM_JDBC && is_itself(parser, &create))
	{
		create.form = AW_FLINK_FORM_TABLE;
		create.options = NIL;
		create.if_not_exists = true;
	}
	if (create.has_query && create.form != AW_FLINK_FORM_TABLE)
		aw_flinkparser_unsupported(parser, "CREATE TABLE with AS and a connector that is read or keeps nothing",
								   "Create the table, and insert into it.");
	if (create.if_not_exists && aw_flinkcreate_exists(create.path))
	{
		ereport(NOTICE,
				(errmsg("relation \"%s\" already exists, skipping", create.path->name)));
		return;
	}
	remember(parser, &create);
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
	translate_comments(parser, &create);
}

/* A column behind ALTER TABLE ... ADD. */
void
aw_flinkcreate_added_column(AwFlinkParser *parser, const AwFlinkPath *table)
{
	Create		create = {.path = unconstify(AwFlinkPath *, table)};
	Column	   *column;

	parse_column(parser, &create);
	column = linitial(create.columns);
	if (column->type == NULL)
		aw_flinkparser_unsupported(parser, "a computed column in ALTER TABLE", NULL);
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

/* The name of what is created; an error if it is temporary and in a database. */
AwFlinkPath *
aw_flinkcreate_path(AwFlinkParser *parser, bool is_temporary)
{
	int			start = parser->at;
	AwFlinkPath *path = aw_flinkquery_path(parser);

	if (is_temporary && path->schema != NULL)
	{
		parser->at = start;
		aw_flinkparser_unsupported(parser, "a temporary table or view in a database",
								   "Leave out TEMPORARY, or the database.");
	}
	return path;
}

bool
aw_flinkcreate_exists(const AwFlinkPath *path)
{
	return OidIsValid(RangeVarGetRelid(makeRangeVar(unconstify(char *, path->schema),
													unconstify(char *, path->name), -1),
									   NoLock, true));
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

static void
parse_create(AwFlinkParser *parser, Create *create)
{
	create->if_not_exists = aw_flinkparser_accept(parser, "IF NOT EXISTS");
	create->path = aw_flinkcreate_path(parser, create->is_temporary);
	if (aw_flinkparser_accept_symbol(parser, "("))
		parse_elements(parser, create);
	parse_trailer(parser, create);
}

static void
parse_elements(AwFlinkParser *parser, Create *create)
{
	do
		parse_element(parser, create);
	while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, ")");
}

static void
parse_element(AwFlinkParser *parser, Create *create)
{
	if (aw_flinkparser_at(parser, "WATERMARK FOR"))
		parse_watermark(parser, create);
	else if (aw_flinkparser_at(parser, "CONSTRAINT") || aw_flinkparser_at(parser, "PRIMARY KEY"))
		parse_key(parser, create);
	else if (aw_flinkparser_at(parser, "UNIQUE"))
		aw_flinkparser_unsupported(parser, "UNIQUE", NULL);
	else
		parse_column(parser, create);
}

static void
parse_watermark(AwFlinkParser *parser, Create *create)
{
	if (create->rowtime != NULL)
		aw_flinkparser_error(parser, psprintf("table \"%s\" already has a watermark definition",
											 create->path->name));
	aw_flinkparser_expect(parser, "WATERMARK FOR");
	create->watermark = parser->at;
	create->rowtime = aw_flinkparser_name(parser);
	if (aw_flinkparser_at_symbol(parser, "."))
		aw_flinkparser_unsupported(parser, "a watermark for a field of a row",
								   "Compute a column from the field.");
	aw_flinkparser_expect(parser, "AS");
	aw_flinkexpression_skip(parser);
}

static void
parse_key(AwFlinkParser *parser, Create *create)
{
	if (aw_flinkparser_accept(parser, "CONSTRAINT"))
		aw_flinkparser_name(parser);
	if (create->key != NIL)
		aw_flinkparser_error(parser, psprintf("table \"%s\" already has a primary key",
											 create->path->name));
	aw_flinkparser_expect(parser, "PRIMARY KEY");
	aw_flinkparser_expect_symbol(parser, "(");
	do
		create->key = lappend(create->key, aw_flinkparser_name(parser));
	while (aw_flinkparser_accept_symbol(parser, ","));
	aw_flinkparser_expect_symbol(parser, ")");
	parse_not_enforced(parser);
}

static void
parse_not_enforced(AwFlinkParser *parser)
{
	if (!aw_flinkparser_accept(parser, "NOT ENFORCED"))
		aw_flinkparser_accept(parser, "ENFORCED");
}

static void
parse_column(AwFlinkParser *parser, Create *create)
{
	Column	   *column = palloc0(sizeof(Column));

	column->name = aw_flinkparser_name(parser);
	if (aw_flinkparser_at_symbol(parser, ",") || aw_flinkparser_at_symbol(parser, ")"))
		aw_flinkparser_unsupported(parser, "CREATE TABLE with the order of columns",
								   "Create the table, and insert into it.");
	if (aw_flinkparser_accept(parser, "AS"))
	{
		create->has_computed = true;
		column->start = parser->at;
		column->end = aw_flinkexpression_skip(parser);
	}
	else
		parse_physical(parser, create, column);
	if (aw_flinkparser_accept(parser, "COMMENT"))
		column->comment = aw_flinkparser_string(parser);
	create->columns = lappend(create->columns, column);
}

static void
parse_physical(AwFlinkParser *parser, Create *create, Column *column)
{
	column->type = aw_flinktype_parse(parser, psprintf("%s_%s", create->path->name, column->name),
									  &create->row_types);
	for (;;)
	{
		if (aw_flinkparser_accept(parser, "NOT NULL"))
			column->is_not_null = true;
		else if (aw_flinkparser_at(parser, "METADATA"))
			ignore_metadata(parser, column);
		else if (aw_flinkparser_accept(parser, "PRIMARY KEY"))
		{
			create->key = list_make1(pstrdup(column->name));
			parse_not_enforced(parser);
		}
		else if (!aw_flinkparser_accept(parser, "NULL"))
			return;
	}
}

/* What a connector knows about a row beside its columns. */
static void
ignore_metadata(AwFlinkParser *parser, const Column *column)
{
	ereport(NOTICE,
			(errmsg("METADATA of column \"%s\" is ignored", column->name)));
	aw_flinkparser_expect(parser, "METADATA");
	if (aw_flinkparser_accept(parser, "FROM"))
		aw_flinkparser_string(parser);
	aw_flinkparser_accept(parser, "VIRTUAL");
}

/* What stands behind the columns. */
static void
parse_trailer(AwFlinkParser *parser, Create *create)
{
	if (aw_flinkparser_accept(parser, "COMMENT"))
		create->comment = aw_flinkparser_string(parser);
	if (aw_flinkparser_at(parser, "DISTRIBUTED"))
		aw_flinkparser_unsupported(parser, "DISTRIBUTED", NULL);
	if (aw_flinkparser_accept(parser, "PARTITIONED BY"))
	{
		int			open = parser->at;

		ereport(NOTICE,
				(errmsg("PARTITIONED BY of table \"%s\" is ignored", create->path->name)));
		aw_flinkparser_expect_symbol(parser, "(");
		parser->at = aw_flinkparser_closing(parser, open) + 1;
	}
	if (aw_flinkparser_accept(parser, "WITH"))
		create->options = aw_flinkconnector_options(parser);
	if (aw_flinkparser_accept(parser, "LIKE"))
		parse_like(parser, create);
	create->has_query = aw_flinkparser_accept(parser, "AS");
	if (create->columns == NIL && create->like == NULL && !create->has_query)
		aw_flinkparser_error(parser, psprintf("table \"%s\" has no columns", create->path->name));
}

/* LIKE table [(INCLUDING | EXCLUDING | OVERWRITING what ...)] */
static void
parse_like(AwFlinkParser *parser, Create *create)
{
	AwFlinkTable *table;

	create->like = aw_flinkquery_path(parser);
	table = aw_flinktable_find(parser, create->like);
	if (table != NULL && (table->is_view || create->has_computed))
		aw_flinkparser_unsupported(parser, "LIKE with computed columns or a connector that is read",
								   NULL);
	if (!aw_flinkparser_accept_symbol(parser, "("))
		return;
	while (!aw_flinkparser_accept_symbol(parser, ")"))
	{
		if (aw_flinkparser_accept(parser, "EXCLUDING WATERMARKS") ||
			aw_flinkparser_accept(parser, "EXCLUDING ALL"))
			create->like_without_watermark = true;
		else
		{
			aw_flinkparser_name(parser);
			aw_flinkparser_name(parser);
		}
	}
}

/* Does the connector lead to the table that the statement creates? */
static bool
is_itself(const AwFlinkParser *parser, const Create *create)
{
	return strcmp(aw_flinkconnector_jdbc_table(parser, create->options)->sql,
				  create->path->sql) == 0;
}

/* Notes the table for the statements behind it. */
static void
remember(AwFlinkParser *parser, const Create *create)
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
		Column	   *column = lfirst(cell);

		table->columns = lappend(table->columns, unconstify(char *, column->name));
		if (column->type != NULL)
			table->insertable = lappend(table->insertable, unconstify(char *, column->name));
	}
	table->key = create->key;
	table->is_key_enforced = create->key != NIL && create->rowtime == NULL && !becomes_view(create);
	table->rowtime = create->rowtime;
	parser->tables = lcons(table, parser->tables);
}

static bool
becomes_view(const Create *create)
{
	return create->has_computed || is_read(create);
}

/* Do the rows come from elsewhere? */
static bool
is_read(const Create *create)
{
	return create->form != AW_FLINK_FORM_TABLE && create->form != AW_FLINK_FORM_SINK;
}

static void
translate_row_types(AwFlinkParser *parser, const Create *create)
{
	ListCell   *cell;

	foreach(cell, create->row_types)
	{
		AwFlinkRowType *type = lfirst(cell);

		aw_flinkparser_emit(parser, psprintf("CREATE TYPE %s%s AS (%s)",
											 create->is_temporary ? "pg_temp." : "",
											 quote_identifier(type->name), type->columns));
		aw_flinkparser_end_statement(parser);
	}
}

/* A table, and the trigger of a sink. */
static void
translate_table(AwFlinkParser *parser, const Create *create, const char *name)
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
	if (create->form == AW_FLINK_FORM_SINK && !becomes_view(create))
	{
		aw_flinkconnector_trigger(parser, create->options, create->path);
		aw_flinkparser_end_statement(parser);
	}
}

/* The watermark of the other table is a constraint. */
static void
translate_like(AwFlinkParser *parser, const Create *create)
{
	aw_flinkparser_emit(parser, psprintf("LIKE %s INCLUDING ALL%s", create->like->sql,
										 create->like_without_watermark ?
										 " EXCLUDING CONSTRAINTS" : ""));
}

static void
translate_row_type(AwFlinkParser *parser, const Create *create, const char *name)
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
check_datagen(AwFlinkParser *parser, const Create *create, const char *row)
{
	aw_flinkparser_emit(parser, "SELECT");
	aw_flinkconnector_datagen(parser, "flink.check_datagen", create->options, row);
	aw_flinkparser_end_statement(parser);
}

/* A line for each column that holds values, and for each constraint; a type has none. */
static void
translate_columns(AwFlinkParser *parser, const Create *create, bool is_type)
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
		Column	   *column = lfirst(cell);

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
is_not_null(const Create *create, const Column *column)
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
translate_key(AwFlinkParser *parser, const Create *create)
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
translate_watermark(AwFlinkParser *parser, const Create *create)
{
	AwFlinkParser watermark = *parser;

	watermark.at = create->watermark;
	aw_flinkalter_set_watermark(&watermark, create->path);
}

/* The view that shows all columns; source: the table, or the row type of its rows. */
static void
translate_view(AwFlinkParser *parser, const Create *create, const char *source)
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
		Column	   *column = lfirst(cell);

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
		aw_flinkconnector_source(parser, create->form, create->options, source);
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
}

/* What PostgreSQL cannot hold otherwise, for SHOW CREATE. */
static void
translate_comments(AwFlinkParser *parser, const Create *create)
{
	const char *kind = becomes_view(create) ? "VIEW" : "TABLE";
	ListCell   *cell;

	foreach(cell, create->columns)
	{
		Column	   *column = lfirst(cell);

		if (column->comment != NULL)
			aw_flinkcreate_comment(parser, psprintf("COLUMN %s.%s", create->path->sql,
													quote_identifier(column->name)),
								   column->comment);
	}
	if (create->options != NIL || create->comment != NULL)
	{
		const char *options = create->options == NIL ? NULL :
			aw_flinkconnector_options_text(create->options);
		const char *comment = options == NULL ? create->comment :
			create->comment == NULL ? options : psprintf("%s\n%s", create->comment, options);

		aw_flinkcreate_comment(parser, psprintf("%s %s", kind, create->path->sql), comment);
	}
}
