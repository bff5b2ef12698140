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

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "flinkalter.h"
#include "flinkconnector.h"
#include "flinkcreate.h"
#include "flinkdeclaration.h"
#include "flinkexpression.h"
#include "flinkfile.h"
#include "flinkjdbc.h"
#include "flinkkey.h"
#include "flinkplan.h"
#include "flinkquery.h"
#include "flinkrowtype.h"
#include "flinktable.h"
#include "flinktype.h"
#include "relationcomment.h"

static bool skip_existing(AwFlinkParser *parser, const AwFlinkCreate *create);
static void refuse_existing(const AwFlinkParser *parser, const AwFlinkCreate *create);
static void refuse_combinations(const AwFlinkParser *parser, AwFlinkCreate *create);
static void note_ignored(const AwFlinkCreate *create);
static void use_existing(AwFlinkParser *parser, AwFlinkCreate *create);
static void translate_relations(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_row_types(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_table(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name);
static void translate_not_null(AwFlinkParser *parser, const AwFlinkCreate *create,
							   const char *name);
static void translate_like(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_row_type(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name);
static void check_datagen(AwFlinkParser *parser, const AwFlinkCreate *create, const char *row);
static void translate_columns(AwFlinkParser *parser, const AwFlinkCreate *create, bool is_type);
static char *column_text(const AwFlinkCreate *create, const AwFlinkColumn *column);
static char *key_text(const AwFlinkCreate *create);
static bool like_key_becomes_marker(const AwFlinkCreate *create);
static bool is_not_null(const AwFlinkCreate *create, const AwFlinkColumn *column);
static void begin_element(AwFlinkParser *parser, int *n_elements);
static void emit_at(const AwFlinkParser *parser, int at, const char *text);
static const char *translate_watermark(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_view(AwFlinkParser *parser, const AwFlinkCreate *create, const char *source);
static void translate_source(AwFlinkParser *parser, const AwFlinkCreate *create, const char *source);
static void translate_markers(AwFlinkParser *parser, const AwFlinkCreate *create);
static void translate_comments(AwFlinkParser *parser, const AwFlinkCreate *create);

/* What stands behind CREATE [TEMPORARY] TABLE. */
void
aw_flinkcreate_table(AwFlinkParser *parser, bool is_temporary)
{
	AwFlinkCreate create = {.is_temporary = is_temporary};
	AwFlinkTable *table;

	aw_flinkdeclaration_table(parser, &create);
	if (create.has_query && create.columns != NIL)
		aw_flinkparser_unsupported(parser, "CREATE TABLE with columns and AS",
								   "Create the table, and insert into it.");
	if (create.if_not_exists && skip_existing(parser, &create))
		return;
	create.form = aw_flinkconnector_form(create.options, create.path);
	note_ignored(&create);
	if (create.form == AW_FLINK_FORM_JDBC && aw_flinkjdbc_is_itself(parser, &create))
	{
		if (!create.is_temporary && aw_flinktable_exists(parser, create.path, false))
		{
			refuse_combinations(parser, &create);
			use_existing(parser, &create);
			return;
		}
		if (aw_flinktable_find(parser, create.path) == NULL)
		{
			create.form = AW_FLINK_FORM_TABLE;
			create.options = NIL;
		}
	}
	refuse_combinations(parser, &create);
	refuse_existing(parser, &create);
	aw_flinkplan_choose_key_name(parser, &create);
	table = aw_flinkplan_remember(parser, &create);
	translate_row_types(parser, &create);
	translate_relations(parser, &create);
	if (create.rowtime != NULL)
		table->strategy = translate_watermark(parser, &create);
	else if (create.like_without_watermark)
	{
		aw_flinkalter_drop_watermark(parser, create.path);
		aw_flinkkey_enforce(parser, create.path, table);
	}
	translate_comments(parser, &create);
}

/* The table, or the view and what it stands on. */
static void
translate_relations(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	const char *name = create->path->sql;

	if (!aw_flinkplan_is_view(create))
		translate_table(parser, create, name);
	else if (!aw_flinkplan_is_read(create))
	{
		char	   *source = aw_flinkcreate_derived_name(create->path, "__source");

		translate_table(parser, create, source);
		translate_view(parser, create, source);
	}
	else
	{
		char	   *row = aw_flinkcreate_derived_name(create->path, "__row");

		if (create->form != AW_FLINK_FORM_JDBC)
			translate_row_type(parser, create, row);
		if (create->form == AW_FLINK_FORM_DATAGEN)
			check_datagen(parser, create, row);
		translate_view(parser, create, row);
	}
}

/* A column behind ALTER TABLE ... ADD; known may be NULL. */
void
aw_flinkcreate_added_column(AwFlinkParser *parser, const AwFlinkPath *table, AwFlinkTable *known)
{
	AwFlinkCreate create = {.path = unconstify(AwFlinkPath *, table)};
	AwFlinkParser start = *parser;
	AwFlinkColumn *column;

	parser->row_schema = table->schema;
	aw_flinkdeclaration_column(parser, &create);
	note_ignored(&create);
	column = linitial(create.columns);
	if (column->type == NULL)
		aw_flinkparser_unsupported(&start, "a computed column in ALTER TABLE", NULL);
	if (create.key != NIL)
		aw_flinkparser_unsupported(&start, "ALTER TABLE ... ADD PRIMARY KEY", NULL);
	translate_row_types(parser, &create);
	emit_at(parser, column->at, psprintf("ALTER TABLE %s ADD COLUMN %s", table->sql,
										 column_text(&create, column)));
	aw_flinkparser_end_statement(parser);
	if (known != NULL)
	{
		known->columns = lappend(known->columns, unconstify(char *, column->name));
		if (!column->is_virtual)
			known->insertable = lappend(known->insertable, unconstify(char *, column->name));
		known->has_comments |= column->comment != NULL;
		aw_flinkrowtype_remember(parser, known, create.row_types);
	}
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
skip_existing(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	if (!aw_flinktable_exists(parser, create->path, create->is_temporary))
		return false;
	aw_flinkparser_skip_statement(parser);
	ereport(NOTICE,
			(errmsg("relation \"%s\" already exists, skipping", create->path->name)));
	return true;
}

/*
 * A table that is there already is PostgreSQL's error, unless something else would be
 * created before it: that would be the one it names.  A translation that is not run here
 * may be for looking at: there it is a notice.
 */
static void
refuse_existing(const AwFlinkParser *parser, const AwFlinkCreate *create)
{
	int			offset = parser->tokens[create->path_at].start;
	AwFlinkTable *table;

	if ((create->row_types == NIL && !aw_flinkplan_is_view(create)) ||
		!aw_flinktable_exists(parser, create->path, create->is_temporary))
		return;
	table = aw_flinktable_find(parser, create->path);
	ereport(parser->is_run || !OidIsValid(table->relid) ? ERROR : NOTICE,
			(errcode(ERRCODE_DUPLICATE_TABLE),
			 errmsg("relation \"%s\" already exists", create->path->name),
			 internalerrquery(parser->source),
			 internalerrposition(aw_flinktoken_position(parser->source, offset))));
}

static void
refuse_combinations(const AwFlinkParser *parser, AwFlinkCreate *create)
{
	AwFlinkParser options = *parser;
	ListCell   *cell;

	options.at = create->options_at;
	if (create->has_query && create->form != AW_FLINK_FORM_TABLE)
		aw_flinkparser_unsupported(&options, "CREATE TABLE with AS and a connector that is read or keeps nothing",
								   "Create the table, and insert into it.");
	if (create->like != NULL && aw_flinkplan_is_read(create))
		aw_flinkparser_unsupported(&options, "LIKE with a connector that is read", NULL);
	if (create->form == AW_FLINK_FORM_JDBC)
		aw_flinkjdbc_check(&options, create);
	if (create->form == AW_FLINK_FORM_CSV)
		aw_flinkfile_check(&options, create);
	foreach(cell, create->form == AW_FLINK_FORM_DATAGEN ? create->columns : NIL)
	{
		if (((AwFlinkColumn *) lfirst(cell))->is_metadata)
			aw_flinkparser_unsupported(&options, "METADATA of connector \"datagen\"", NULL);
	}
}

/* Says what means nothing here. */
static void
note_ignored(const AwFlinkCreate *create)
{
	ListCell   *cell;

	if (create->form == AW_FLINK_FORM_CSV)
		return;
	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->is_metadata)
			ereport(NOTICE,
					(errmsg("METADATA of column \"%s\" is ignored", column->name)));
	}
	if (create->partition_at != 0)
		ereport(NOTICE,
				(errmsg("PARTITIONED BY of table \"%s\" is ignored", create->path->name)));
}

/* A table of this database is used as it is: with the watermark and comments given here. */
static void
use_existing(AwFlinkParser *parser, AwFlinkCreate *create)
{
	AwFlinkTable *table = aw_flinktable_keep(parser, create->path);
	ListCell   *cell;

	foreach(cell, create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->type == NULL && !aw_flinktable_is_named(table->columns, column->name))
			aw_flinkparser_unsupported(parser, "a computed column of a table that is used as it is",
									   "Give the table of the connector another name.");
		table->has_comments |= column->comment != NULL;
	}
	ereport(NOTICE,
			(errmsg("table \"%s\" exists, and is used as it is", create->path->name)));
	create->options = NIL;
	create->has_computed = false;
	create->form = table->is_view ? AW_FLINK_FORM_JDBC : AW_FLINK_FORM_TABLE;
	if (create->rowtime != NULL)
	{
		table->strategy = translate_watermark(parser, create);
		table->rowtime = create->rowtime;
	}
	translate_comments(parser, create);
}

static void
translate_row_types(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	ListCell   *cell;

	foreach(cell, create->row_types)
	{
		AwFlinkRowType *type = lfirst(cell);

		emit_at(parser, type->at, psprintf("CREATE TYPE %s AS (%s)", type->sql, type->columns));
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
	emit_at(parser, create->path_at, name);
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
		aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s ADD %s", name,
											 aw_flinkkey_text(create->key, create->key_name,
															  aw_flinkplan_enforces_key(create))));
		aw_flinkparser_end_statement(parser);
	}
	translate_not_null(parser, create, name);
	if (create->form == AW_FLINK_FORM_SINK)
	{
		aw_flinkconnector_trigger(parser, create->options, name);
		aw_flinkparser_end_statement(parser);
	}
}

/* Columns of a marked key that LIKE or a query brings; PRIMARY KEY sees to it itself. */
static void
translate_not_null(AwFlinkParser *parser, const AwFlinkCreate *create, const char *name)
{
	ListCell   *cell;

	if (aw_flinkplan_enforces_key(create) || (create->like == NULL && !create->has_query))
		return;
	foreach(cell, create->key)
	{
		ListCell   *own;
		bool		is_own = false;

		foreach(own, create->columns)
			is_own |= strcmp(((AwFlinkColumn *) lfirst(own))->name, lfirst(cell)) == 0;
		if (is_own)
			continue;
		aw_flinkparser_emit(parser, psprintf("ALTER TABLE %s ALTER COLUMN %s SET NOT NULL", name,
											 quote_identifier(lfirst(cell))));
		aw_flinkparser_end_statement(parser);
	}
}

/* The watermark of the other table is a constraint. */
static void
translate_like(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	emit_at(parser, create->like_at,
			psprintf("LIKE %s INCLUDING ALL%s", create->like->sql,
					 create->like_without_key || like_key_becomes_marker(create) ?
					 " EXCLUDING INDEXES" : ""));
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
	const char *key = key_text(create);
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
		emit_at(parser, column->at, is_type ?
				psprintf("%s %s", quote_identifier(column->name), column->type->sql) :
				column_text(create, column));
	}
	if (key != NULL && !is_type)
	{
		begin_element(parser, &n_elements);
		emit_at(parser, create->key != NIL ? linitial_int(create->key_at) : create->like_at, key);
	}
	aw_flinkoutput_close(parser->output);
}

/* A column that holds values, as CREATE TABLE has it. */
static char *
column_text(const AwFlinkCreate *create, const AwFlinkColumn *column)
{
	const char *name = quote_identifier(column->name);

	if (column->is_virtual)
		return psprintf("%s %s DEFAULT flink.metadata(%s, NULL::%s)", name, column->type->sql,
						column->metadata == NULL ? "NULL" : quote_literal_cstr(column->metadata),
						column->type->sql);
	return psprintf("%s %s%s", name, column->type->sql,
					is_not_null(create, column) ? " NOT NULL" : "");
}

/* The key of the table itself, or that of LIKE where it must become a marker; or NULL. */
static char *
key_text(const AwFlinkCreate *create)
{
	if (create->key != NIL)
		return aw_flinkkey_text(create->key, create->key_name, aw_flinkplan_enforces_key(create));
	if (like_key_becomes_marker(create))
		return aw_flinkkey_text(create->like_table->key, NULL, false);
	return NULL;
}

/* A key that LIKE would take over, where the new table has versions and the other none. */
static bool
like_key_becomes_marker(const AwFlinkCreate *create)
{
	return create->like_table != NULL && create->like_table->is_key_enforced &&
		!create->like_without_key && !aw_flinkplan_enforces_key(create);
}

/* A column of a key is never NULL; of one that is enforced, PostgreSQL knows. */
static bool
is_not_null(const AwFlinkCreate *create, const AwFlinkColumn *column)
{
	ListCell   *cell;

	foreach(cell, aw_flinkplan_enforces_key(create) ? NIL : create->key)
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

/* Writes what belongs to a token that was passed. */
static void
emit_at(const AwFlinkParser *parser, int at, const char *text)
{
	AwFlinkParser place = *parser;

	place.at = at;
	aw_flinkparser_emit(&place, text);
}

static const char *
translate_watermark(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	AwFlinkParser watermark = *parser;
	const char *rowtime;

	watermark.at = create->watermark;
	return aw_flinkalter_set_watermark(&watermark, create->path, &rowtime);
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
	translate_source(parser, create, source);
	if (aw_flinkplan_is_read(create))
		translate_markers(parser, create);
	aw_flinkoutput_close(output);
	aw_flinkparser_end_statement(parser);
}

/* What the view shows: a table, or rows of a row type. */
static void
translate_source(AwFlinkParser *parser, const AwFlinkCreate *create, const char *source)
{
	AwFlinkParser options = *parser;

	options.at = create->options_at;
	if (create->form == AW_FLINK_FORM_CSV)
		aw_flinkfile_source(parser, create, source);
	else if (create->form == AW_FLINK_FORM_DATAGEN)
		aw_flinkconnector_datagen(parser, "flink.datagen", create->options, source);
	else if (create->form == AW_FLINK_FORM_JDBC)
		aw_flinkparser_emit(parser, aw_flinkconnector_jdbc_table(&options, create->options)->sql);
	else
		aw_flinkparser_emit(parser, source);
}

/* What is said of columns that come from elsewhere, where no constraint can say it. */
static void
translate_markers(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	const char *word = "WHERE";
	StringInfoData columns;
	ListCell   *cell;

	if (create->key != NIL && (create->jdbc_table == NULL || create->jdbc_table->key == NIL))
	{
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
		aw_flinkparser_emit(parser, psprintf("WHERE flink.primary_key(%s)",
											 aw_flinkkey_columns(create->key)));
		word = "AND";
	}
	initStringInfo(&columns);
	foreach(cell, create->form == AW_FLINK_FORM_JDBC ? NIL : create->columns)
	{
		AwFlinkColumn *column = lfirst(cell);

		if (column->is_not_null && !aw_flinktable_is_named(create->key, column->name))
			appendStringInfo(&columns, "%s%s", columns.len > 0 ? ", " : "",
							 quote_identifier(column->name));
	}
	if (columns.len > 0)
	{
		aw_flinkoutput_break(parser->output, AW_FLINK_BREAK_CLAUSE);
		aw_flinkparser_emit(parser, psprintf("%s flink.not_null(%s)", word, columns.data));
	}
}

/* What PostgreSQL cannot hold otherwise, for SHOW CREATE. */
static void
translate_comments(AwFlinkParser *parser, const AwFlinkCreate *create)
{
	const char *kind = aw_flinkplan_is_view(create) ? "VIEW" : "TABLE";
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
